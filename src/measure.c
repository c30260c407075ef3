/* measure.c - the physics part of a report: how good the answer of a substep's solve is.
 *
 * Sums run in a fixed order inside the kernels (16 lanes, then a fixed tree), over one body by one
 * worker, so they have the same bits everywhere.
 */
#include "phases.h"

#include <string.h>

static void measure_elements(const struct step *step, const struct body *body,
                             const struct pk_solve *solve, struct pk_quad *force,
                             struct pk_measure *sum)
{
    const piola_world *w = step->world;
    const piola_asset *asset = body_asset(w, body);
    const uint32_t *cells = solve_cells(asset);
    const uint32_t end = (uint32_t)asset->at.tet_packs.count;
    for (uint32_t at = 0; at < end;) {
        const uint32_t count = solve_same_material(asset, at, end);
        step->kernels->measure_tets(world_position(w) + body->first, world_start(w) + body->first,
                                    asset_tet_packs(asset) + at, cells ? cells + at : NULL,
                                    world_plastic(w) + body->plastic_first, count,
                                    asset_materials(asset) + asset_tet_pack_materials(asset)[at],
                                    solve, force, sum);
        at += count;
    }
}

void measure_body(const struct step *step, uint32_t index, bool before)
{
    const piola_world *w = step->world;
    const struct body *body = &world_bodies(w)[index];
    const struct pk_solve solve = solve_parameters(step, body);
    struct pk_quad *force = world_force(w) + body->first;
    struct pk_measure sum;
    memset(&sum, 0, sizeof sum);
    memset(force, 0, body->count * sizeof *force);
    measure_elements(step, body, &solve, force, &sum);
    step->kernels->measure_particles(world_position(w) + body->first, world_target(w) + body->first,
                                     force, body->count, &solve, &sum);
    step->kernels->measure_total(&sum);
    struct body_measure *measure = &world_measures(w)[index];
    const double objective = sum.elastic[0] + sum.inertial[0];
    if (before) {
        measure->objective_before = objective;
        return;
    }
    measure->objective = objective;
    measure->residual = sum.residual[0];
    measure->stretch = sum.stretch[0];
    measure->inverted = sum.inverted[0];
}
