/* constraints.c - distances, areas and volumes of a body's vertices, in a world: room for their
 * multipliers, and how they are held.
 *
 * They are projections, for every solver alike, as limits are: x moves by inverse mass times slope
 * times multiplier (XPBD), and in descent the inertial target moves by the same way. Multipliers
 * start from zero in each substep. To begin with those of the last one would balance a body at
 * rest, but few iterations then make a spring of it that integrates its error: a chain of twenty
 * flew apart. One worker does all constraints of a body. The mathematics is in
 * ispc/constraints/constraints.ispc.
 */
#include "families/constraints/constraints.h"

#include "motion/solve.h"
#include "world/family.h"

#include <string.h>

static uint32_t packs_of(const piola_world *world, const struct body *body)
{
    return body->flags & BODY_ALIVE ? body_asset(world, body)->stats.constraint_packs : 0;
}

/* ---- between steps ---- */

static void recount(piola_world *world)
{
    uint64_t packs = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        packs += packs_of(world, &world_bodies(world)[i]);
    if (world->dim[DIM_constraints].capacity > 0)
        dimension_use(world, DIM_constraints, packs);
}

static piola_status check(const piola_world *world, const piola_body_desc *desc, const char **field)
{
    const struct extent *extent = &world->dim[DIM_constraints];
    *field = "piola_world_desc.max_constraint_packs";
    return desc->asset->stats.constraint_packs > extent->capacity - extent->used
               ? PIOLA_ERROR_CONSTRAINTS_FULL
               : PIOLA_OK;
}

static void set(piola_world *world, uint32_t body, const piola_body_desc *desc)
{
    const uint64_t packs = packs_of(world, &world_bodies(world)[body]);
    const uint64_t used = world->dim[DIM_constraints].used;
    if (packs > 0)
        dimension_use(world, DIM_constraints, desc ? used + packs : used - packs);
}

/* Where each body's begin. */
static void list(piola_world *world)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        world_constraint_first(world)[i] = first;
        first += packs_of(world, &world_bodies(world)[i]);
    }
}

/* Multipliers are scratch, but there must be room for those of all bodies. */
static bool valid(const struct stored *stored)
{
    uint64_t packs = 0;
    for (uint32_t i = 0; i < stored->world->desc.max_bodies; ++i) {
        const struct body b = stored_bodies(stored, i);
        packs += packs_of(stored->world, &b);
    }
    return packs <= stored->dim[DIM_constraints].capacity;
}

static bool acts(const piola_world *world)
{
    return world->dim[DIM_constraints].used > 0;
}

/* ---- in a step ---- */

static struct pk_constraint_job job_of(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const piola_asset *asset = body_asset(w, body);
    const struct constraint_head *head = asset_constraint_heads(asset);
    const uint32_t index = (uint32_t)(body - world_bodies(w));
    const uint32_t times = w->desc.iterations * w->desc.substeps;
    return (struct pk_constraint_job){
        .x = world_position(w) + body->first,
        .target = world_descends(&w->desc) ? world_target(w) + body->first : NULL,
        .sums = head->order == PIOLA_ORDER_SEIDEL ? NULL : world_constraint_sums(w) + body->first,
        .shares = asset_constraint_shares(asset),
        .packs = asset_constraint_packs(asset),
        .multipliers = world_constraint_multipliers(w)[world_constraint_first(w)[index]].value,
        .inertia = solve_parameters(step, body).inertia,
        .part = 1 / (float)(times > 0 ? times : 1),
        .relaxation = head->relaxation,
        .split = head->order == PIOLA_ORDER_SPLIT,
        .count = asset->stats.constraint_packs,
    };
}

/* The body if it is tied so and moves, else null. */
static const struct body *tied(const struct step *step, uint32_t index)
{
    const struct body *body = step_body(step, index);
    return packs_of(step->world, body) > 0 && !body_still(body) ? body : NULL;
}

void each_constraints_begin(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const struct body *body = tied(step, index);
    if (!body)
        return;
    const struct pk_constraint_job job = job_of(step, body);
    memset(job.multipliers, 0, job.count * sizeof(struct multiplier_cell));
    if (job.sums)
        memset(job.sums, 0, body->count * sizeof *job.sums);
}

void each_constraints_hold(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const struct body *body = tied(step, index);
    if (!body)
        return;
    struct pk_constraint_job job = job_of(step, body);
    step->kernels->constraints_hold(&job);
    job.count = body->count;
    if (job.sums)
        step->kernels->constraints_move(&job);
}

void each_constraints_aim(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (tied(step, p.index))
        phase_aim(step, p.body, p.first, p.count);
}

static void begin(struct step *step)
{
    run_stage(step, STAGE_CONSTRAINTS_BEGIN, 0);
}

static void hold(struct step *step)
{
    run_stage(step, STAGE_CONSTRAINTS_HOLD, 0);
}

static void aim(struct step *step)
{
    if (world_descends(&step->world->desc))
        run_stage(step, STAGE_CONSTRAINTS_AIM, 0);
}

const struct family family_constraints = {
    .name = "constraints",
    .acts = acts,
    .list = list,
    .at = {[PREDICT] = begin, [HOLD] = hold, [VELOCITY] = aim},
    .recount = recount,
    .check = check,
    .set = set,
    .valid = valid,
};
