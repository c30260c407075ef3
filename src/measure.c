/* measure.c - the objective of a substep, and how well the solver met it: for reports and
 * safeguards.
 *
 * Sums run in a fixed order: lanes and a fixed tree inside the kernels, then clusters and chunks in
 * the order of the asset. So they have the same bits for any number of threads.
 */
#include "couple.h"
#include "solve.h"

#include <string.h>

static struct partial total(const struct step *step, struct pk_measure *lanes)
{
    step->kernels->measure_total(lanes);
    return (struct partial){
        .objective = lanes->elastic[0] + lanes->inertial[0],
        .residual = lanes->residual[0],
        .stretch = lanes->stretch[0],
        .inverted = lanes->inverted[0],
    };
}

void measure_clear(const struct step *step, uint32_t first, uint32_t count)
{
    memset(world_force(step->world) + first, 0, count * sizeof(struct pk_quad));
}

static void measure_tets(const struct work *w, struct pk_quad *force, struct pk_measure *lanes)
{
    const uint32_t *materials = asset_tet_pack_materials(w->asset);
    const uint32_t end = w->cluster->tet_first + w->cluster->tet_count;
    for (uint32_t at = w->cluster->tet_first; at < end;) {
        const uint32_t count = solve_same_material(materials, at, end);
        w->step->kernels->measure_tets(
            w->x, w->start, asset_tet_packs(w->asset) + at, solve_cells(w->asset, KIND_TET, at),
            w->plastic, count, asset_materials(w->asset) + materials[at], &w->solve, force, lanes);
        at += count;
    }
}

static struct partial measure_work(const struct work *w, struct pk_quad *force)
{
    struct pk_measure lanes;
    memset(&lanes, 0, sizeof lanes);
    measure_tets(w, force, &lanes);
    measure_triangles(w, force, &lanes);
    measure_bends(w, force, &lanes);
    return total(w->step, &lanes);
}

/* Nothing seems to move that began where it is, so no damping counts: then the sum is elastic. */
static struct work work_at(const struct step *step, const piola_world *world,
                           const struct body *body, uint32_t cluster, const struct pk_quad *start)
{
    const piola_asset *asset = body_asset(world, body);
    return (struct work){
        .step = step,
        .body = body,
        .asset = asset,
        .cluster = clusters_of(asset, false).cluster + cluster,
        .x = world_position(world) + body->first,
        .start = start + body->first,
        .plastic = world_plastic(world) + body->plastic_first,
    };
}

struct partial measure_cluster(const struct step *step, const struct body *body, uint32_t cluster,
                               bool forces)
{
    const piola_world *world = step->world;
    struct work w = work_at(step, world, body, cluster, world_start(world));
    w.solve = solve_parameters(step, body);
    return measure_work(&w, forces ? world_force(world) + body->first : NULL);
}

piola_status piola_body_elastic_energy(const piola_world *world, piola_body handle, double *energy)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!energy)
        return PIOLA_ERROR_NULL;
    const struct body *body = body_find(world, handle);
    if (!body)
        return PIOLA_ERROR_STALE;
    const struct step none = {.kernels = kernels_for(world->desc.isa), .dt = 1};
    const uint32_t clusters = clusters_of(body_asset(world, body), false).count;
    *energy = 0;
    for (uint32_t c = 0; c < clusters; ++c) {
        struct work w = work_at(&none, world, body, c, world_position(world));
        w.solve.dt = none.dt;
        *energy += (double)measure_work(&w, NULL).objective;
    }
    return PIOLA_OK;
}

struct partial measure_chunk(const struct step *step, const struct body *body, uint32_t first,
                             uint32_t count, bool forces)
{
    const piola_world *w = step->world;
    const struct pk_solve solve = solve_parameters(step, body);
    struct pk_measure lanes;
    const struct pk_quad *extra = couple_extra(w, body);
    extra = extra ? extra + (first - body->first) : NULL;
    memset(&lanes, 0, sizeof lanes);
    step->kernels->measure_particles(world_position(w) + first, world_target(w) + first,
                                     forces ? world_force(w) + first : NULL, extra, body->count,
                                     count, &solve, &lanes);
    return total(step, &lanes);
}

void measure_add(struct partial *sum, const struct partial *part)
{
    sum->objective += part->objective;
    sum->inverted += part->inverted;
    sum->residual = part->residual > sum->residual ? part->residual : sum->residual;
    sum->stretch = part->stretch > sum->stretch ? part->stretch : sum->stretch;
}
