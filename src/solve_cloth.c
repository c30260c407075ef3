/* solve_cloth.c - which kernel does which run of packs of triangles and bends: solving, measuring,
 * flow. */
#include "solve.h"

void project_triangles(const struct work *w, uint32_t first, uint32_t count)
{
    const struct kernels *k = w->step->kernels;
    const struct pk_triangle_pack *packs = asset_triangle_packs(w->asset) + first;
    const uint32_t *cells = solve_cells(w->asset, KIND_TRIANGLE, first);
    const struct pk_material *material =
        asset_materials(w->asset) + asset_triangle_pack_materials(w->asset)[first];
    const uint64_t before = w->asset->at.tet_packs.count;
    switch (w->step->world->desc.solver) {
    case PIOLA_SOLVER_COMPLIANT:
        k->project_triangles_compliant(w->x, w->start, packs, cells, w->plastic,
                                       solve_multipliers(w, before + first), count, material,
                                       &w->solve);
        break;
    case PIOLA_SOLVER_EXPLICIT:
        k->project_triangles_explicit(w->x, w->start, packs, cells, w->plastic, count, material,
                                      &w->solve);
        break;
    default:
        k->project_triangles_energy(w->x, w->start, packs, cells, w->plastic, count, material,
                                    &w->solve);
    }
}

void flow_triangles(const struct step *step, const struct body *body, const struct pk_solve *solve)
{
    const piola_world *world = step->world;
    const piola_asset *asset = body_asset(world, body);
    const uint32_t *materials = asset_triangle_pack_materials(asset);
    const uint32_t end = (uint32_t)asset->at.triangle_packs.count;
    for (uint32_t at = 0; at < end;) {
        const uint32_t count = solve_same_material(materials, at, end);
        const struct pk_material *material = asset_materials(asset) + materials[at];
        if (material->yield > 0)
            step->kernels->plastic_flow_triangles(
                world_position(world) + body->first, asset_triangle_packs(asset) + at,
                solve_cells(asset, KIND_TRIANGLE, at), world_plastic(world) + body->plastic_first,
                count, material, solve);
        at += count;
    }
}

void measure_triangles(const struct step *step, const struct body *body,
                       const struct asset_cluster *cluster, struct pk_quad *force,
                       struct pk_measure *lanes)
{
    const struct pk_solve solve = solve_parameters(step, body);
    const piola_world *w = step->world;
    const piola_asset *asset = body_asset(w, body);
    const uint32_t *materials = asset_triangle_pack_materials(asset);
    const uint32_t end = cluster->triangle_first + cluster->triangle_count;
    for (uint32_t at = cluster->triangle_first; at < end;) {
        const uint32_t count = solve_same_material(materials, at, end);
        step->kernels->measure_triangles(
            world_position(w) + body->first, world_start(w) + body->first,
            asset_triangle_packs(asset) + at, solve_cells(asset, KIND_TRIANGLE, at),
            world_plastic(w) + body->plastic_first, count, asset_materials(asset) + materials[at],
            &solve, force, lanes);
        at += count;
    }
}

void project_bends(const struct work *w, uint32_t first, uint32_t count)
{
    const struct kernels *k = w->step->kernels;
    const struct pk_bend_pack *packs = asset_bend_packs(w->asset) + first;
    const uint32_t *cells = solve_cells(w->asset, KIND_BEND, first);
    const struct pk_material *material =
        asset_materials(w->asset) + asset_bend_pack_materials(w->asset)[first];
    const uint64_t before = w->asset->at.tet_packs.count + w->asset->at.triangle_packs.count;
    switch (w->step->world->desc.solver) {
    case PIOLA_SOLVER_COMPLIANT:
        k->project_bends_compliant(w->x, packs, cells, w->plastic,
                                   solve_multipliers(w, before + first), count, material,
                                   &w->solve);
        break;
    case PIOLA_SOLVER_EXPLICIT:
        k->project_bends_explicit(w->x, packs, cells, w->plastic, count, material, &w->solve);
        break;
    default:
        k->project_bends_energy(w->x, packs, cells, w->plastic, count, material, &w->solve);
    }
}

void flow_bends(const struct step *step, const struct body *body, const struct pk_solve *solve)
{
    const piola_world *world = step->world;
    const piola_asset *asset = body_asset(world, body);
    const uint32_t *materials = asset_bend_pack_materials(asset);
    const uint32_t end = (uint32_t)asset->at.bend_packs.count;
    for (uint32_t at = 0; at < end;) {
        const uint32_t count = solve_same_material(materials, at, end);
        const struct pk_material *material = asset_materials(asset) + materials[at];
        if (material->yield > 0)
            step->kernels->plastic_flow_bends(
                world_position(world) + body->first, asset_bend_packs(asset) + at,
                solve_cells(asset, KIND_BEND, at), world_plastic(world) + body->plastic_first,
                count, material, solve);
        at += count;
    }
}

void measure_bends(const struct step *step, const struct body *body, const struct asset_cluster *of,
                   struct pk_quad *force, struct pk_measure *lanes)
{
    const piola_asset *asset = body_asset(step->world, body);
    const uint32_t *materials = asset_bend_pack_materials(asset);
    const uint32_t end = of->bend_first + of->bend_count;
    for (uint32_t at = of->bend_first; at < end;) {
        const uint32_t count = solve_same_material(materials, at, end);
        step->kernels->measure_bends(
            world_position(step->world) + body->first, asset_bend_packs(asset) + at,
            solve_cells(asset, KIND_BEND, at), world_plastic(step->world) + body->plastic_first,
            count, asset_materials(asset) + materials[at], force, lanes);
        at += count;
    }
}
