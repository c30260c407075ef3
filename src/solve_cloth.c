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

void measure_triangles(const struct work *w, struct pk_quad *force, struct pk_measure *lanes)
{
    const uint32_t *materials = asset_triangle_pack_materials(w->asset);
    const uint32_t end = w->cluster->triangle_first + w->cluster->triangle_count;
    for (uint32_t at = w->cluster->triangle_first; at < end;) {
        const uint32_t count = solve_same_material(materials, at, end);
        w->step->kernels->measure_triangles(w->x, w->start, asset_triangle_packs(w->asset) + at,
                                            solve_cells(w->asset, KIND_TRIANGLE, at), w->plastic,
                                            count, asset_materials(w->asset) + materials[at],
                                            &w->solve, force, lanes);
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

void measure_bends(const struct work *w, struct pk_quad *force, struct pk_measure *lanes)
{
    const uint32_t *materials = asset_bend_pack_materials(w->asset);
    const uint32_t end = w->cluster->bend_first + w->cluster->bend_count;
    for (uint32_t at = w->cluster->bend_first; at < end;) {
        const uint32_t count = solve_same_material(materials, at, end);
        w->step->kernels->measure_bends(w->x, asset_bend_packs(w->asset) + at,
                                        solve_cells(w->asset, KIND_BEND, at), w->plastic, count,
                                        asset_materials(w->asset) + materials[at], force, lanes);
        at += count;
    }
}
