/* stage_assets.c - meshes of a scene, loaded once, and compiled once for each choice of materials.
 */
#include "stage.h"

#include <math.h>
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

static void middle_of(const struct meshgen *mesh, uint32_t element, double middle[3])
{
    const unsigned corners = mesh_is_solid(mesh) ? 4 : 3;
    const uint32_t *v =
        (mesh_is_solid(mesh) ? mesh->tetrahedra : mesh->triangles) + (size_t)element * corners;
    memset(middle, 0, 3 * sizeof *middle);
    for (unsigned corner = 0; corner < corners; ++corner)
        for (size_t k = 0; k < 3; ++k)
            middle[k] += mesh->vertices[3 * (size_t)v[corner] + k] / corners;
}

static bool selects(const struct scene_region *region, const struct meshgen *mesh, uint32_t element)
{
    double middle[3];
    if (!region->box && !region->sphere)
        return mesh->regions && mesh->regions[element] == region->number;
    middle_of(mesh, element, middle);
    return inside(region, middle);
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
    for (uint32_t e = 0; e < mesh_elements(mesh); ++e) {
        asset->materials[e] = material;
        memcpy(axes + 6 * (size_t)e, plain, sizeof plain);
    }
    for (uint32_t r = 0; r < body->regions.count; ++r) {
        uint32_t found = 0;
        for (uint32_t e = 0; e < mesh_elements(mesh); ++e) {
            if (!selects(&regions[r], mesh, e))
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

/* How much of a direction lies in a triangle's plane, 0 to 1. */
static double lies_in(const struct meshgen *mesh, uint32_t triangle, const float direction[3])
{
    const uint32_t *v = mesh->triangles + 3 * (size_t)triangle;
    double e[2][3], n[3], along = 0, normal = 0, length = 0;
    for (size_t k = 0; k < 3; ++k) {
        const double last = mesh->vertices[3 * (size_t)v[2] + k];
        e[0][k] = mesh->vertices[3 * (size_t)v[0] + k] - last;
        e[1][k] = mesh->vertices[3 * (size_t)v[1] + k] - last;
    }
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = e[0][i] * e[1][j] - e[0][j] * e[1][i];
        along += n[k] * (double)direction[k];
        normal += n[k] * n[k];
        length += (double)direction[k] * (double)direction[k];
    }
    return normal > 0 && length > 0 ? sqrt(fmax(0, 1 - along * along / (normal * length))) : 0;
}

/* The first axis is the warp. Where it stands on a triangle, as somewhere on every closed surface,
 * the second is. A bend has the body's material. */
static bool dress_cloth(struct stage *stage, const struct stage_asset *asset, const float *axes,
                        piola_mesh_desc *desc, struct problem *problem)
{
    const struct meshgen *mesh = asset->mesh;
    float *warps =
        pool_take(&stage->pool, mesh->triangle_count, 3 * sizeof *warps, "warps", problem);
    uint32_t *bends =
        pool_take(&stage->pool, mesh->bend_count, sizeof *bends, "bends' materials", problem);
    if (!warps || !bends)
        return false;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        const float *warp = axes + 6 * (size_t)t;
        memcpy(warps + 3 * (size_t)t, lies_in(mesh, t, warp) > 0.2 ? warp : warp + 3,
               3 * sizeof *warps);
    }
    for (uint32_t b = 0; b < mesh->bend_count; ++b)
        bends[b] = material_index(stage->scene, asset->first->material);
    desc->triangle_materials = asset->materials;
    desc->triangle_directions = warps;
    desc->bend_materials = bends;
    return true;
}

static bool compile(struct stage *stage, struct stage_asset *asset, struct problem *problem)
{
    const struct scene_body *body = asset->first;
    const struct scene_mesh *wanted = (const struct scene_mesh *)stage->scene->meshes.items +
                                      mesh_index(stage->scene, body->mesh);
    const uint32_t elements = mesh_elements(asset->mesh);
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
    if (mesh_is_solid(asset->mesh)) {
        desc.tetrahedron_materials = asset->materials;
        desc.tetrahedron_frames = axes;
    } else if (!dress_cloth(stage, asset, axes, &desc, problem)) {
        return false;
    }
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

const struct meshgen *stage_mesh(struct stage *stage, const char *name, struct problem *problem)
{
    const uint32_t index = mesh_index(stage->scene, name);
    const struct scene_mesh *wanted = (const struct scene_mesh *)stage->scene->meshes.items + index;
    struct meshgen *mesh = &stage->meshes[index];
    if (mesh->vertex_count > 0 || mesh_load(mesh, wanted, stage->path, problem))
        return mesh;
    return NULL;
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
        struct stage_asset *asset = &stage->assets[stage->asset_count];
        asset->mesh = stage_mesh(stage, bodies[i].mesh, problem);
        if (!asset->mesh)
            return false;
        asset->first = &bodies[i];
        ++stage->asset_count; /* so that stage_close frees what compile leaves */
        if (!compile(stage, asset, problem))
            return false;
    }
    return true;
}
