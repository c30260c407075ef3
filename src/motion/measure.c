/* measure.c - the objective of a substep, and how well the solver met it: for reports and
 * safeguards.
 *
 * Sums run in a fixed order: lanes and a fixed tree inside the kernels, then clusters and chunks in
 * the order of the asset. So they have the same bits for any number of threads.
 */
#include "base/float_mode.h"
#include "motion/external.h"
#include "motion/solve.h"
#include "world/family.h"
#include "world/guides.h"

#include <float.h>
#include <math.h>
#include <string.h>

static struct partial total(const struct step *step, struct pk_measure *lanes)
{
    step->kernels->measure_total(lanes);
    return (struct partial){
        .objective = lanes->elastic[0] + lanes->inertial[0],
        .residual = lanes->residual[0],
        .stretch = lanes->stretch[0],
        .inverted = lanes->inverted[0],
        .scale = lanes->scale[0],
    };
}

void measure_clear(const struct step *step, uint32_t first, uint32_t count)
{
    memset(world_force(step->world) + first, 0, count * sizeof(struct pk_quad));
}

/* Adds the cluster's elements of a kind. `force` is the body's stream of forces or null. */
static void measure_kind(const struct work *w, unsigned kind, element_kernel *run,
                         struct pk_quad *force, struct pk_measure *lanes)
{
    const struct pk_run packs = w->cluster->packs[kind];
    for (uint32_t at = packs.first; at < packs.first + packs.count;) {
        struct pk_element_job job = solve_job(w, kind, at, packs.first + packs.count);
        job.force = force;
        job.measure = lanes;
        run(&job);
        at += job.count;
    }
}

/* `held`: of elements that have not moved in the substep. */
static struct partial measure_work(const struct work *w, struct pk_quad *force, bool held)
{
    const struct kernels *k = w->step->kernels;
    element_kernel *const run[KIND_ELASTIC_COUNT] = {
        [KIND_TET] = held ? k->energy_tets : k->measure_tets,
        [KIND_TRIANGLE] = k->measure_triangles,
        [KIND_BEND] = k->measure_bends,
    };
    struct pk_measure lanes;
    memset(&lanes, 0, sizeof lanes);
    for (unsigned kind = 0; kind < KIND_ELASTIC_COUNT; ++kind)
        measure_kind(w, kind, run[kind], force, &lanes);
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
    return measure_work(&w, forces ? world_force(world) + body->first : NULL, false);
}

double measure_elastic(const struct step *step, const struct body *body, uint32_t cluster,
                       const struct pk_quad *at)
{
    struct work w = work_at(step, step->world, body, cluster, at);
    w.x = (struct pk_quad *)(uintptr_t)(at + body->first); /* measuring writes no positions */
    w.solve.dt = 1;
    const double held = measure_work(&w, NULL, true).objective;
    return held - held == 0 ? held : (double)FLT_MAX;
}

piola_status piola_body_elastic_energy(const piola_world *world, piola_body handle, double *energy)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!energy)
        return PIOLA_ERROR_NULL;
    const struct body *body = body_find(world, handle);
    if (!body)
        return PIOLA_ERROR_STALE;
    const struct step none = {.world = (piola_world *)(uintptr_t)world,
                              .kernels = kernels_for(world->desc.isa)};
    const uint32_t clusters = clusters_of(body_asset(world, body), false).count;
    *energy = 0;
    for (uint32_t c = 0; c < clusters; ++c)
        *energy += measure_elastic(&none, body, c, world_position(world));
    *energy += families_measure(&none, handle.index - 1, false);
    return PIOLA_OK;
}

/* Roundings of positions that add up in the forces on a vertex. */
#define ROUNDING 4e-7F

/* N: what the rounding of positions alone may leave at a vertex of a stiff body, however many
 * iterations there are. Known where the asset knows its vertices' stiffness. */
static float rounding_of(const struct step *step, const struct body *body, uint32_t first,
                         uint32_t count)
{
    const piola_asset *asset = body_asset(step->world, body);
    const struct pk_quad *x = world_position(step->world);
    float most = 0;
    if (asset->at.coarse_heads.count == 0)
        return 0;
    const float *stiffness = asset_coarse_stiffness(asset) - body->first;
    const float stiffer = 1 + asset_coarse_heads(asset)->damping / step->dt;
    for (uint32_t i = first; i < first + count; ++i) {
        const float far = fabsf(x[i].x) + fabsf(x[i].y) + fabsf(x[i].z);
        const float left = ROUNDING * far * stiffer * stiffness[i];
        most = left > most ? left : most;
    }
    return most;
}

struct partial measure_chunk(const struct step *step, const struct body *body, uint32_t first,
                             uint32_t count, bool forces)
{
    const piola_world *w = step->world;
    const struct pk_solve solve = solve_parameters(step, body);
    struct pk_measure lanes;
    const struct pk_quad *external = external_of(w, body), *guides = guides_ways(w, body);
    external = external ? external + (first - body->first) : NULL;
    memset(&lanes, 0, sizeof lanes);
    const struct pk_particle_job job = {
        .x = world_position(w) + first,
        .target = world_target(w) + first,
        .force = forces ? world_force(w) + first : NULL,
        .external = external,
        .guides = guides ? guides + (first - body->first) : NULL,
        .held = w->dim[DIM_touches].capacity ? world_touching(w) + first : NULL,
        .solve = &solve,
        .measure = &lanes,
        .count = count,
        .stride = body->count,
    };
    step->kernels->measure_particles(&job);
    struct partial sum = total(step, &lanes);
    /* What falls freely balances nothing: its weight is what a residual is to be held against. */
    const struct pk_motion motion = phase_motion(step, body, false);
    const float *a = motion.acceleration;
    const float weight = lanes.mass[0] * sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    sum.scale = weight > sum.scale ? weight : sum.scale;
    const float rounding = rounding_of(step, body, first, count);
    sum.scale = rounding > sum.scale ? rounding : sum.scale;
    return sum;
}

piola_status piola_body_residual(const piola_world *world, piola_body handle, double *residual,
                                 double *scale)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!residual || !scale)
        return PIOLA_ERROR_NULL;
    const struct body *body = body_find(world, handle);
    if (!body)
        return PIOLA_ERROR_STALE;
    if (!world->desc.report_physics)
        return PIOLA_ERROR_RANGE;
    const struct partial none = {0};
    const struct partial *after = body->flags & BODY_ASLEEP
                                      ? &none
                                      : &world_measures(world)[body - world_bodies(world)].after;
    *residual = (double)after->residual;
    *scale = (double)after->scale;
    return PIOLA_OK;
}

void measure_add(struct partial *sum, const struct partial *part)
{
    sum->objective += part->objective;
    sum->inverted += part->inverted;
    sum->residual = part->residual > sum->residual ? part->residual : sum->residual;
    sum->scale = part->scale > sum->scale ? part->scale : sum->scale;
    sum->stretch = part->stretch > sum->stretch ? part->stretch : sum->stretch;
}
