/* stage_assets.c - meshes of a scene, loaded once, and compiled once for each choice of materials.
 */
#include "io/mesh/compile.h"
#include "io/scene/stage.h"

#include <string.h>

static const struct scene_material *material_at(const struct scene *scene, uint32_t index)
{
    return (const struct scene_material *)scene->materials.items + index;
}

/* The scene was checked: the name is there. */
uint32_t stage_material_index(const struct scene *scene, const char *name)
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

bool stage_region_holds(const struct scene_region *region, const double point[3])
{
    if (!region->box && !region->sphere)
        return false;
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
    const unsigned corners = mesh_corners(mesh);
    const uint32_t *v = mesh_corner_list(mesh) + (size_t)element * corners;
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
    return stage_region_holds(region, middle);
}

/* A narrow region along a fold holds edges, but no triangle's middle. */
static bool holds_fold(const struct scene_region *region, const struct meshgen *mesh)
{
    for (uint32_t b = 0; b < mesh->bend_count; ++b) {
        double middle[3];
        mesh_bend_middle(mesh, b, middle);
        if (stage_region_holds(region, middle))
            return true;
    }
    return false;
}

/* Materials and axes of every element; later regions overrule earlier ones. */
static bool paint(const struct stage *stage, struct stage_asset *asset, float *axes,
                  struct problem *problem)
{
    const struct scene_body *body = asset->first;
    const struct meshgen *mesh = asset->mesh;
    const struct scene_region *regions = body->regions.items;
    const uint32_t material = stage_material_index(stage->scene, body->material);
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
                asset->materials[e] = stage_material_index(stage->scene, regions[r].material);
            memcpy(axes + 6 * (size_t)e, regions[r].axes, sizeof plain);
        }
        if (found == 0 && !holds_fold(&regions[r], mesh))
            return problem_set(problem, EXIT_SCENE,
                               "%s: the body \"%s\": regions[%u] holds no element of the mesh "
                               "\"%s\"; places are those of the mesh, before the body is moved",
                               stage->path, body->name ? body->name : body->mesh, r, body->mesh);
    }
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
    if (!axes || !paint(stage, asset, axes, problem))
        return false;
    piola_mesh_desc desc = meshgen_desc(asset->mesh);
    /* The last step is measured, whatever the solver, and measuring walks over element packs. */
    desc.compile_for = PIOLA_COMPILE_FOR_PROJECTION | PIOLA_COMPILE_FOR_DESCENT;
    if (mesh_is_solid(asset->mesh)) {
        desc.tetrahedron_materials = asset->materials;
        desc.tetrahedron_frames = axes;
    }
    if (!stage_materials(stage, asset, &desc, problem) ||
        (asset->mesh->triangle_count > 0 &&
         !stage_cloth_dress(stage, asset, axes, &desc, problem)) ||
        !stage_rods(stage, asset, &desc, problem) || !stage_links(stage, asset, &desc, problem) ||
        !stage_tethers(stage, asset, &desc, problem) ||
        !stage_constraints(stage, asset, &desc, problem))
        return false;
    desc.cluster_limit = wanted->cluster_limit;
    desc.cluster_size = wanted->cluster_size;
    desc.coarse_level = stage->desc.coarse_level;
    char what[300];
    snprintf(what, sizeof what, "%.200s: the mesh \"%.60s\"", stage->path, body->mesh);
    if (!compile_asset(&desc, what, &asset->asset, problem))
        return false;
    stage->asset_bytes += piola_asset_bytes(asset->asset);
    const piola_status status = piola_asset_inspect(asset->asset, &asset->stats);
    return status == PIOLA_OK || problem_engine(problem, EXIT_SCENE, what, status, NULL);
}

/* Nothing but mesh and material makes it what it is. */
static bool is_plain(const struct scene_body *body)
{
    return body->regions.count == 0 && body->links.count == 0 && !body->tethers &&
           body->constraints.count == 0;
}

/* Plain bodies of the same mesh and material share an asset. */
const struct stage_asset *stage_asset_of(const struct stage *stage, const struct scene_body *body)
{
    for (uint32_t i = 0; i < stage->asset_count; ++i) {
        const struct scene_body *first = stage->assets[i].first;
        if (first == body ||
            (is_plain(first) && is_plain(body) && strcmp(first->mesh, body->mesh) == 0 &&
             strcmp(first->material, body->material) == 0))
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
