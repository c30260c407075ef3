/* stage_cloth.c - what the engine is told of a sheet beyond its triangles: materials by area,
 * bending, warp directions, tethers. */
#include "io/scene/stage.h"

#include "kernels/models.h"

#include <math.h>
#include <string.h>

#define HALF_TURN 3.14159265f
#define RADIANS   (HALF_TURN / 180)

static const struct scene_material *material_at(const struct scene *scene, uint32_t index)
{
    return (const struct scene_material *)scene->materials.items + index;
}

/* ---- materials ---- */

/* N m: of a plate E t^3 / 12 (1 - nu^2). */
static double bend_of(const struct scene_material *scene)
{
    if (keys_given(&scene_material_table, scene, "bend") || !(scene->values.thickness > 0))
        return (double)scene->bend;
    const double t = (double)scene->values.thickness, nu = (double)scene->values.poisson;
    return !model_anisotropic((int)scene->model)
               ? (double)scene->values.young * t * t * t / (12 * (1 - nu * nu))
               : 0;
}

bool stage_materials(struct stage *stage, const struct stage_asset *asset, piola_mesh_desc *desc,
                     struct problem *problem)
{
    const uint32_t count = stage->scene->materials.count;
    const bool solid = mesh_is_solid(asset->mesh);
    piola_material *materials =
        pool_take(&stage->pool, 2 * (size_t)count, sizeof *materials, "materials", problem);
    for (uint32_t i = 0; materials && i < count; ++i) {
        const struct scene_material *scene = material_at(stage->scene, i);
        materials[i] = scene->values;
        materials[i].model = (piola_model)scene->model;
        const struct scene_relaxation *branches = scene->relaxation.items;
        for (uint32_t b = 0; b < scene->relaxation.count; ++b)
            materials[i].relaxation[b] = (piola_relaxation){branches[b].share, branches[b].time};
        materials[count + i] = piola_material_default();
        materials[count + i].bend_model = (piola_bend_model)scene->bend_model;
        if (bend_of(scene) > 0)
            materials[count + i].bend = (float)bend_of(scene);
        materials[count + i].damping = scene->bend_damping;
        materials[count + i].plastic_yield = scene->crease_yield * RADIANS;
        materials[count + i].plastic_creep = scene->crease_creep;
        materials[count + i].plastic_max = fminf(scene->crease_max * RADIANS, HALF_TURN);
    }
    desc->materials = materials;
    desc->material_count = solid ? count : 2 * count;
    return materials != NULL;
}

/* A cloth of solid rubber, a kilogram and more by square metre, is a forgotten thickness. */
static bool check_material(const struct stage *stage, const struct stage_asset *asset,
                           const struct scene_material *material, struct problem *problem)
{
    if (material->relaxation.count > 0)
        return problem_set(problem, EXIT_SCENE,
                           "%s: the material \"%s\" of the cloth \"%s\" has a \"relaxation\", "
                           "which solids alone have",
                           stage->path, material->name,
                           asset->first->name ? asset->first->name : asset->first->mesh);
    if (material->values.thickness > 0 || keys_given(&scene_material_table, material, "density"))
        return true;
    return problem_set(problem, EXIT_SCENE,
                       "%s: the material \"%s\" of the cloth \"%s\" needs a \"thickness\", or a "
                       "\"density\" and moduli by area",
                       stage->path, material->name,
                       asset->first->name ? asset->first->name : asset->first->mesh);
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

/* A bend has the body's material, or that of the last region that holds the middle of its edge. */
static uint32_t bend_material(const struct stage *stage, const struct stage_asset *asset,
                              uint32_t bend)
{
    const struct scene_body *body = asset->first;
    const struct scene_region *regions = body->regions.items;
    const char *name = body->material;
    double middle[3];
    mesh_bend_middle(asset->mesh, bend, middle);
    for (uint32_t r = 0; r < body->regions.count; ++r)
        if (regions[r].material && stage_region_holds(&regions[r], middle))
            name = regions[r].material;
    return stage_material_index(stage->scene, name);
}

/* Bends that resist, with their materials; the others are left out. */
static bool dress_bends(struct stage *stage, const struct stage_asset *asset, piola_mesh_desc *desc,
                        struct problem *problem)
{
    const struct meshgen *mesh = asset->mesh;
    uint32_t *materials =
        pool_take(&stage->pool, mesh->bend_count, sizeof *materials, "bends' materials", problem);
    uint32_t *bends =
        pool_take(&stage->pool, mesh->bend_count, 4 * sizeof *bends, "bends", problem);
    if (!materials || !bends)
        return false;
    desc->bend_count = 0;
    for (uint32_t b = 0; b < mesh->bend_count; ++b) {
        const uint32_t material = bend_material(stage, asset, b);
        if (!(bend_of(material_at(stage->scene, material)) > 0))
            continue;
        memcpy(bends + 4 * (size_t)desc->bend_count, mesh->bends + 4 * (size_t)b,
               4 * sizeof *bends);
        materials[desc->bend_count++] = stage->scene->materials.count + material;
    }
    desc->bends = bends;
    desc->bend_materials = materials;
    return true;
}

/* The first axis is the warp. Where it stands on a triangle, as somewhere on every closed surface,
 * the second is. */
bool stage_cloth_dress(struct stage *stage, const struct stage_asset *asset, const float *axes,
                       piola_mesh_desc *desc, struct problem *problem)
{
    const struct meshgen *mesh = asset->mesh;
    const uint32_t own = stage_material_index(stage->scene, asset->first->material);
    if (!check_material(stage, asset, material_at(stage->scene, own), problem))
        return false;
    float *warps =
        pool_take(&stage->pool, mesh->triangle_count, 3 * sizeof *warps, "warps", problem);
    if (!warps)
        return false;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        const float *warp = axes + 6 * (size_t)t;
        memcpy(warps + 3 * (size_t)t, lies_in(mesh, t, warp) > 0.2 ? warp : warp + 3,
               3 * sizeof *warps);
    }
    desc->triangle_materials = asset->materials;
    desc->triangle_directions = warps;
    return dress_bends(stage, asset, desc, problem);
}

/* ---- tethers ---- */

bool stage_tethers(struct stage *stage, const struct stage_asset *asset, piola_mesh_desc *desc,
                   struct problem *problem)
{
    const struct scene_body *body = asset->first;
    const struct scene_pin *pins = body->pins.items;
    uint64_t count = 0;
    if (!body->tethers)
        return true;
    for (uint32_t i = 0; i < body->pins.count; ++i)
        count += stage_pin_guides(&pins[i]) ? 0 : stage_pin_select(&pins[i], asset->mesh, NULL);
    if (count == 0 || count > asset->mesh->vertex_count)
        return problem_set(problem, EXIT_SCENE,
                           "%s: the body \"%s\": its tethers need pinned vertices, each of them "
                           "pinned once",
                           stage->path, body->name ? body->name : body->mesh);
    uint32_t *anchors = pool_take(&stage->pool, count, sizeof *anchors, "tethers", problem);
    if (!anchors)
        return false;
    uint32_t made = 0;
    for (uint32_t i = 0; i < body->pins.count; ++i)
        if (!stage_pin_guides(&pins[i]))
            made += stage_pin_select(&pins[i], asset->mesh, anchors + made);
    desc->tether_anchors = anchors;
    desc->tether_anchor_count = made;
    desc->tether_mode = (piola_tether_mode)body->tethers->mode;
    desc->tether_slack = body->tethers->slack;
    return true;
}
