/* stage_assets.c - meshes of a scene, loaded once, and compiled once for each choice of materials.
 */
#include "stage.h"

#include <stdlib.h>
#include <string.h>

static const struct scene_material *material_at(const struct scene *scene, uint32_t index)
{
    return (const struct scene_material *)scene->materials.items + index;
}

/* The scene was checked: the name is there. */
static uint32_t material_index(const struct scene *scene, const char *name)
{
    uint32_t i = 0;
    while (i + 1 < scene->materials.count && strcmp(material_at(scene, i)->name, name) != 0)
        ++i;
    return i;
}

static uint32_t mesh_index(const struct scene *scene, const char *name)
{
    const struct scene_mesh *meshes = scene->meshes.items;
    uint32_t i = 0;
    while (i + 1 < scene->meshes.count && strcmp(meshes[i].name, name) != 0)
        ++i;
    return i;
}

static bool inside(const struct scene_region *region, const double point[3])
{
    if (region->box) {
        for (int k = 0; k < 3; ++k)
            if (point[k] < region->box->min[k] || point[k] > region->box->max[k])
                return false;
        return true;
    }
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = point[k] - region->sphere->centre[k];
        square += d * d;
    }
    return square <= region->sphere->radius * region->sphere->radius;
}

static void middle_of(const struct meshgen *mesh, uint32_t tetrahedron, double middle[3])
{
    memset(middle, 0, 3 * sizeof *middle);
    for (int corner = 0; corner < 4; ++corner) {
        const uint32_t v = mesh->tetrahedra[4 * (size_t)tetrahedron + (size_t)corner];
        for (size_t k = 0; k < 3; ++k)
            middle[k] += mesh->vertices[3 * (size_t)v + k] / 4;
    }
}

/* Materials and axes of every element; later regions overrule earlier ones. */
static bool paint(const struct stage *stage, struct stage_asset *asset, float *axes,
                  struct problem *problem)
{
    const struct scene_body *body = asset->first;
    const struct meshgen *mesh = asset->mesh;
    const struct scene_region *regions = body->regions.items;
    const uint32_t material = material_index(stage->scene, body->material);
    static const float plain[6] = {1, 0, 0, 0, 1, 0};
    for (uint32_t e = 0; e < mesh->tetrahedron_count; ++e) {
        asset->materials[e] = material;
        memcpy(axes + 6 * (size_t)e, plain, sizeof plain);
    }
    for (uint32_t r = 0; r < body->regions.count; ++r) {
        uint32_t found = 0;
        for (uint32_t e = 0; e < mesh->tetrahedron_count; ++e) {
            double middle[3];
            middle_of(mesh, e, middle);
            if (!inside(&regions[r], middle))
                continue;
            ++found;
            if (regions[r].material)
                asset->materials[e] = material_index(stage->scene, regions[r].material);
            memcpy(axes + 6 * (size_t)e, regions[r].axes, sizeof plain);
        }
        if (found == 0)
            return problem_set(problem, EXIT_SCENE,
                               "%s: the body \"%s\": regions[%u] holds no element of the mesh "
                               "\"%s\"",
                               stage->path, body->name ? body->name : "", r, body->mesh);
    }
    return true;
}

/* Plans and builds; `scratch` comes back for the caller to free. */
static bool build(struct stage_asset *asset, const piola_mesh_desc *desc, const char *what,
                  void **scratch, struct problem *problem)
{
    piola_error error = {0};
    size_t bytes = 0;
    piola_plan *plan = NULL;
    piola_status status = piola_plan_size(desc, &bytes, &error);
    if (status != PIOLA_OK)
        return problem_engine(problem, EXIT_SCENE, what, status, &error);
    *scratch = pool_block(bytes, "compiling a mesh", problem);
    if (!*scratch)
        return false;
    status = piola_asset_plan(desc, *scratch, bytes, &plan, &error);
    if (status != PIOLA_OK)
        return problem_engine(problem, EXIT_SCENE, what, status, &error);
    bytes = piola_plan_asset_size(plan);
    asset->memory = pool_block(bytes, "a compiled mesh", problem);
    if (!asset->memory)
        return false;
    status = piola_asset_build(plan, desc, asset->memory, bytes, &asset->asset, &error);
    if (status == PIOLA_OK)
        status = piola_asset_stats_get(asset->asset, &asset->stats);
    return status == PIOLA_OK || problem_engine(problem, EXIT_SCENE, what, status, &error);
}

/* The scene's materials as the engine wants them; all of them, so that an index means the same in
 * every asset. */
static piola_material *materials_of(struct stage *stage, struct problem *problem)
{
    const uint32_t count = stage->scene->materials.count;
    piola_material *materials =
        pool_take(&stage->pool, count, sizeof *materials, "materials", problem);
    for (uint32_t i = 0; materials && i < count; ++i) {
        materials[i] = material_at(stage->scene, i)->values;
        materials[i].model = (piola_model)material_at(stage->scene, i)->model;
    }
    return materials;
}

static bool compile(struct stage *stage, struct stage_asset *asset, struct problem *problem)
{
    const struct scene_body *body = asset->first;
    const struct scene_mesh *wanted = (const struct scene_mesh *)stage->scene->meshes.items +
                                      mesh_index(stage->scene, body->mesh);
    const uint32_t elements = asset->mesh->tetrahedron_count;
    asset->materials =
        pool_take(&stage->pool, elements, sizeof(uint32_t), "an element's materials", problem);
    float *axes = asset->materials
                      ? pool_take(&stage->pool, elements, 6 * sizeof *axes, "axes", problem)
                      : NULL;
    piola_material *materials = axes ? materials_of(stage, problem) : NULL;
    if (!materials || !paint(stage, asset, axes, problem))
        return false;
    piola_mesh_desc desc = meshgen_desc(asset->mesh);
    /* The last step is measured, whatever the solver, and measuring walks over element packs. */
    desc.families = PIOLA_FAMILY_PROJECTION | PIOLA_FAMILY_DESCENT;
    desc.tetrahedron_materials = asset->materials;
    desc.tetrahedron_frames = axes;
    desc.materials = materials;
    desc.material_count = stage->scene->materials.count;
    desc.cluster_limit = wanted->cluster_limit;
    desc.cluster_size = wanted->cluster_size;
    char what[300];
    snprintf(what, sizeof what, "%.200s: the mesh \"%.60s\"", stage->path, body->mesh);
    void *scratch = NULL;
    const bool good = build(asset, &desc, what, &scratch, problem);
    free(scratch);
    if (good)
        stage->asset_bytes += piola_asset_bytes(asset->asset);
    return good;
}

/* Bodies with regions have an asset of their own; the others share by mesh and material. */
const struct stage_asset *stage_asset_of(const struct stage *stage, const struct scene_body *body)
{
    for (uint32_t i = 0; i < stage->asset_count; ++i) {
        const struct scene_body *first = stage->assets[i].first;
        if (first == body ||
            (first->regions.count == 0 && body->regions.count == 0 &&
             strcmp(first->mesh, body->mesh) == 0 && strcmp(first->material, body->material) == 0))
            return &stage->assets[i];
    }
    return NULL;
}

static bool load_mesh(struct stage *stage, uint32_t index, struct problem *problem)
{
    struct meshgen *mesh = &stage->meshes[index];
    return mesh->vertex_count > 0 ||
           mesh_load(mesh, (const struct scene_mesh *)stage->scene->meshes.items + index,
                     stage->path, problem);
}

bool stage_assets_make(struct stage *stage, struct problem *problem)
{
    const struct scene *scene = stage->scene;
    const struct scene_body *bodies = scene->bodies.items;
    stage->meshes =
        pool_take(&stage->pool, scene->meshes.count, sizeof *stage->meshes, "meshes", problem);
    stage->assets =
        pool_take(&stage->pool, scene->bodies.count, sizeof *stage->assets, "assets", problem);
    if (!stage->meshes || !stage->assets)
        return false;
    for (uint32_t i = 0; i < scene->bodies.count; ++i) {
        if (stage_asset_of(stage, &bodies[i]))
            continue;
        const uint32_t mesh = mesh_index(scene, bodies[i].mesh);
        struct stage_asset *asset = &stage->assets[stage->asset_count];
        if (!load_mesh(stage, mesh, problem))
            return false;
        asset->mesh = &stage->meshes[mesh];
        asset->first = &bodies[i];
        ++stage->asset_count; /* so that stage_close frees what compile leaves */
        if (!compile(stage, asset, problem))
            return false;
    }
    return true;
}
