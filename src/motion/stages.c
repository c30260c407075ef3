/* stages.c - the stages of motion itself: one chunk, cluster or body of each, and what is asked
 * about a domain between two of them.
 */
#include "motion/stages.h"

#include "motion/coarse.h"
#include "motion/external.h"
#include "world/family.h"

void each_predict(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (p.moves)
        phase_predict(step, p.body, p.first, p.count);
}

void each_prepare(const struct step *step, uint32_t argument, uint32_t body)
{
    (void)argument;
    atomic_store_explicit(&world_verdicts(step->world)[body], 0, memory_order_relaxed);
    phase_prepare(step, step_body(step, body));
}

void each_clear_external(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    external_clear(step->world, p.body, p.first, p.count);
}

void each_solve(const struct step *step, uint32_t argument, uint32_t run)
{
    (void)argument;
    const struct run *at = &world_runs(step->world)[run];
    const struct body *body = run_body(step, at);
    if (body && !coarse_replaces(step, body, step->iteration))
        phase_solve(step, body, at->cluster);
}

void each_strains(const struct step *step, uint32_t argument, uint32_t run)
{
    (void)argument;
    const struct run *at = &world_runs(step->world)[run];
    const struct body *body = run_body(step, at);
    if (body)
        phase_strains(step, body, at->cluster);
}

void each_coarse_begin(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (p.moves)
        coarse_begin(step, p.body, p.first, p.count);
}

void each_coarse(const struct step *step, uint32_t argument, uint32_t body)
{
    (void)argument;
    if (!body_still(step_body(step, body)))
        coarse_correct(step, body, step->iteration);
}

void each_finish(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (p.moves && phase_finish(step, p.body, p.first, p.count, last_substep(step)))
        atomic_store_explicit(&world_verdicts(step->world)[p.index], 1, memory_order_relaxed);
}

void each_yield(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const struct body *body = step_body(step, index);
    if (!body_still(body))
        phase_flow(step, body);
}

void domain_freeze(const struct step *step)
{
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t index = domain_body(step, i);
        if (atomic_load_explicit(&world_verdicts(step->world)[index], memory_order_relaxed) != 0)
            phase_freeze(step, step_body(step, index));
    }
}

void domain_age(const struct step *step)
{
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct body *body = step_body(step, domain_body(step, i));
        if (!body_still(body))
            phase_age(step, body);
    }
}

/* ---- measuring ---------------------------------------------------------------------------- */

void each_clear_forces(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    measure_clear(step, p.first, p.count);
}

void each_measure(const struct step *step, uint32_t argument, uint32_t part)
{
    (void)argument;
    const struct run *run = &world_parts(step->world)[part];
    world_partials(step->world)[part] =
        measure_cluster(step, step_body(step, run->body), run->cluster, step->forces);
}

void each_measure_particles(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    world_partials(step->world)[step->world->part_end + chunk] =
        measure_chunk(step, p.body, p.first, p.count, step->forces);
}

/* Adds up clusters, then chunks, in the order of the lists. */
static void sum_lists(const piola_world *world, const struct domain *d)
{
    const struct partial *partials = world_partials(world);
    struct body_measure *measures = world_measures(world);
    for (uint32_t i = d->part_first; i < d->part_first + d->part_count; ++i)
        measure_add(&measures[world_parts(world)[i].body].now, &partials[i]);
    for (uint32_t i = d->chunk_first; i < d->chunk_first + d->chunk_count; ++i)
        measure_add(&measures[world_chunks(world)[i].body].now, &partials[world->part_end + i]);
}

static void sum_up(const struct step *step)
{
    const piola_world *world = step->world;
    for (uint32_t i = 0; i < domain_bodies(step); ++i)
        world_measures(world)[domain_body(step, i)].now = (struct partial){0};
    sum_lists(world, step->domain);
    for (uint32_t i = 0; step->domain->shared && i < world->joined_small; ++i)
        sum_lists(world, &world_domains(world)[world_small(world)[i]]);
}

void domain_measure(struct step *step, bool forces)
{
    step->forces = forces;
    if (forces) {
        /* Two clusters of one colour share no particle, so their forces do not collide. */
        run_stage(step, STAGE_CLEAR_FORCES, 0);
        run_colours(step, STAGE_MEASURE);
    } else {
        run_stage(step, STAGE_MEASURE, STAGE_ALL_COLOURS);
    }
    for (uint32_t i = 0; forces && i < domain_bodies(step); ++i)
        (void)families_measure(step, domain_body(step, i), true);
    run_stage(step, STAGE_MEASURE_PARTICLES, 0);
    sum_up(step);
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t body = domain_body(step, i);
        world_measures(step->world)[body].now.objective += families_measure(step, body, false);
    }
}

/* ---- acceleration ------------------------------------------------------------------------- */

void each_remember(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    accelerate_remember(step, p.first, p.count);
}

void each_extrapolate(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (p.moves && accelerate_acts(step->world, p.body))
        accelerate_extrapolate(step, p.index, p.first, p.count);
}

void each_settle(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (p.moves)
        accelerate_settle(step, p.index, p.first, p.count);
}

void domain_accelerate(struct step *step)
{
    bool judged = false;
    for (uint32_t i = 0; i < domain_bodies(step); ++i)
        judged = accelerate_next(step, domain_body(step, i), step->iteration);
    run_stage(step, STAGE_EXTRAPOLATE, 0);
    if (!judged)
        return;
    domain_measure(step, false);
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t index = domain_body(step, i);
        accelerate_judge(step, index, world_measures(step->world)[index].now.objective);
    }
    run_stage(step, STAGE_SETTLE, 0);
}

/* ---- momentum ----------------------------------------------------------------------------- */

/* The world has none of the fields below when it keeps no momentum. */
static bool keeps(const struct step *step, const struct piece *p)
{
    return p->moves && momentum_kept(step, p->body);
}

void each_momentum_sum(const struct step *step, uint32_t what, uint32_t chunk)
{
    const struct piece p = piece_of(step, chunk);
    if (keeps(step, &p))
        world_sums(step->world)[chunk] =
            momentum_sum(step, p.body, p.first, p.count, (enum momentum_of)what);
}

void each_momentum_move(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (keeps(step, &p) && !body_touched(step->world, p.body))
        momentum_move(step, p.index, p.first, p.count);
}

void each_momentum_push(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (keeps(step, &p))
        momentum_push(step, p.index, p.index, p.first, p.count);
}

static bool keeps_any(const piola_world *world)
{
    return world->desc.keep_momentum && world->desc.iterations > 0;
}

static uint32_t chunks_of(const struct body *body)
{
    return (body->count + CHUNK - 1) / CHUNK;
}

/* In the order of the bodies: what a body gives to a rigid one, the next one finds there. */
void domain_sum_momenta(const struct step *step, enum stage_kind kind, uint32_t argument,
                        momentum_use *use)
{
    if (!keeps_any(step->world))
        return;
    run_stage(step, kind, argument);
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t index = domain_body(step, i);
        const struct body *body = step_body(step, index);
        const struct sums *sums = world_sums(step->world) + world_first_chunk(step->world)[index];
        struct sums total = {{0}};
        if (body_still(body) || !momentum_kept(step, body))
            continue;
        for (uint32_t c = 0; c < chunks_of(body); ++c)
            momentum_add(&total, &sums[c]);
        use(step, index, &total);
    }
}

void domain_expect_momentum(const struct step *step)
{
    domain_sum_momenta(step, STAGE_MOMENTUM_SUM, MOMENTUM_BEFORE, momentum_expect);
}

void domain_straighten(const struct step *step)
{
    if (!keeps_any(step->world) || !world_descends(&step->world->desc))
        return;
    domain_sum_momenta(step, STAGE_MOMENTUM_SUM, MOMENTUM_DRIFT, momentum_correct_drift);
    run_stage(step, STAGE_MOMENTUM_MOVE, 0);
}

void domain_push(const struct step *step)
{
    if (!keeps_any(step->world))
        return;
    domain_sum_momenta(step, STAGE_MOMENTUM_SUM, MOMENTUM_AFTER, momentum_correct_velocity);
    run_stage(step, STAGE_MOMENTUM_PUSH, 0);
}
