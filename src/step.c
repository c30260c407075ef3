/* step.c - one step of the world: Algorithm 1 of "Position-Based Simulation of Continuous
 * Materials".
 *
 * Start reading at whole_body(). A body whose mesh is one cluster is done whole by one worker, all
 * substeps and iterations, with no barrier. A large body is done by all workers together, a stage
 * at a time: large_bodies(). Both call the same phases (phases.h) in the same order on the same
 * numbers, so how many threads there are cannot be seen in the result.
 */
#include "attach.h"
#include "commands.h"
#include "contact.h"
#include "couple.h"
#include "events.h"
#include "limit.h"
#include "record.h"
#include "rigid.h"
#include "schedule.h"
#include "stages.h"
#include "touch.h"
#include "untangle.h"
#include "wind.h"

static bool reports(const struct step *step, uint32_t substep)
{
    const piola_world_desc *desc = &step->world->desc;
    return desc->report_physics && substep + 1 == desc->substeps;
}

static struct partial measure_whole(const struct step *step, const struct body *body, bool forces)
{
    const uint32_t clusters = clusters_of(body_asset(step->world, body), false).count;
    struct partial sum = {0};
    if (forces)
        measure_clear(step, body->first, body->count);
    for (uint32_t c = 0; c < clusters; ++c) {
        const struct partial part = measure_cluster(step, body, c, forces);
        measure_add(&sum, &part);
    }
    const struct partial rest = measure_chunk(step, body, body->first, body->count, forces);
    measure_add(&sum, &rest);
    return sum;
}

static void accelerate_whole(const struct step *step, uint32_t index, uint32_t iteration)
{
    const struct body *body = &world_bodies(step->world)[index];
    const bool judged = accelerate_next(step, index, iteration);
    accelerate_extrapolate(step, index, body->first, body->count);
    if (judged) {
        accelerate_judge(step, index, measure_whole(step, body, false).objective);
        accelerate_settle(step, index, body->first, body->count);
    }
}

/* A free body's rigid correction after the iterations; only descent leaves its drift to be mended.
 */
static void straighten_whole(const struct step *step, uint32_t index)
{
    const struct body *body = &world_bodies(step->world)[index];
    if (!momentum_kept(step, body) || body_touched(step->world, body) ||
        !world_descends(&step->world->desc))
        return;
    const struct sums sum = momentum_sum(step, body->first, body->count, MOMENTUM_DRIFT);
    momentum_correct_drift(step, index, &sum);
    momentum_move(step, index, body->first, body->count);
}

/* Line 11's other half: which colliders the body may meet. With BDF2 whoever strikes one begins
 * anew, as Euler's. */
static void find_whole(const struct step *step, uint32_t index, uint32_t substep)
{
    struct body *body = &world_bodies(step->world)[index];
    if (!touch_any(step->world))
        return;
    atomic_store_explicit(&world_touched(step->world)[index], 0, memory_order_relaxed);
    touch_note(step->world, index, touch_find(step, body, substep, body->first, body->count));
    if (body->history && touch_struck(step->world, body)) {
        body->history = 0;
        phase_predict_again(step, body, body->first, body->count);
        touch_note(step->world, index, touch_find(step, body, substep, body->first, body->count));
    }
}

/* Lines 3-9: the iterations, and what is asked about them. */
static void relax_whole(const struct step *step, uint32_t index, uint32_t substep)
{
    const bool report = reports(step, substep);
    const piola_world *world = step->world;
    const struct body *body = &world_bodies(world)[index];
    const bool accelerated = world_accelerates(&world->desc);
    struct body_measure *measures = world_measures(world); /* empty when nothing asks for it */
    if (report || accelerated)
        measures[index].before = measure_whole(step, body, false);
    if (accelerated) {
        accelerate_begin(step, index, measures[index].before.objective);
        accelerate_remember(step, body->first, body->count);
    }
    for (uint32_t i = 0; i < world->desc.iterations; ++i) {
        const bool touched = body_touched(world, body);
        if (touched)
            touch_refresh(step, body, substep, body->first, body->count);
        phase_solve(step, body, 0);
        limit_whole(step, body);
        if (touched && !world_descends(&world->desc))
            touch_project(step, body->first, body->count);
        limit_tether(step, body, body->first, body->count);
        if (accelerated && i + 1 < world->desc.iterations)
            accelerate_whole(step, index, i);
    }
    straighten_whole(step, index);
    if (touch_any(world))
        (void)touch_limit(step, body, substep, body->first, body->count);
    if (report)
        measures[index].after = measure_whole(step, body, true);
}

/* Lines 10 and 12; a free body keeps its momentum. False when a number is not finite. */
static bool finish_whole(const struct step *step, uint32_t index, const struct sums *before,
                         bool last)
{
    const struct body *body = &world_bodies(step->world)[index];
    if (before)
        momentum_expect(step, index, before);
    if (phase_finish(step, body, body->first, body->count, last))
        return false;
    if (before) {
        if (body_touched(step->world, body)) {
            const struct sums given = touch_sum(step, body->first, body->count);
            momentum_give(step, index, &given);
        }
        const struct sums after = momentum_sum(step, body->first, body->count, MOMENTUM_AFTER);
        momentum_correct_velocity(step, index, &after);
        momentum_push(step, index, body->first, body->count);
    }
    return true;
}

static void wind_whole(const struct step *step, const struct body *body)
{
    const uint32_t clusters = clusters_of(body_asset(step->world, body), false).count;
    if (!wind_blows(step, body))
        return;
    wind_remember(step, body->first, body->count);
    for (uint32_t c = 0; c < clusters; ++c)
        wind_cluster(step, body, c);
}

/* One small body, one step: the paper's Algorithm 1 as it stands. */
static void whole_body(const struct step *step, uint32_t index)
{
    const uint32_t substeps = step->world->desc.substeps;
    struct body *body = &world_bodies(step->world)[index];
    for (uint32_t substep = 0; substep < substeps && !body_frozen(body); ++substep) {
        wind_whole(step, body);
        phase_predict(step, body, body->first, body->count);
        phase_prepare(step, body);
        find_whole(step, index, substep);
        const bool kept = momentum_kept(step, body);
        const struct sums before =
            kept ? momentum_sum(step, body->first, body->count, MOMENTUM_BEFORE) : (struct sums){0};
        relax_whole(step, index, substep);
        if (!finish_whole(step, index, kept ? &before : NULL, substep + 1 == substeps)) {
            phase_freeze(step, body);
            return;
        }
        phase_flow(step, body);
        phase_age(step, body);
    }
}

void stage_whole(void *context, uint32_t argument, uint32_t block, uint32_t worker)
{
    (void)argument, (void)worker;
    const struct step *step = context;
    const uint32_t index = world_whole(step->world)[block];
    whole_body(step, index);
    untangle_look(step, index);
}

static void keep_measures(const piola_world *world, bool before)
{
    for (uint32_t i = 0; i < world->large_count; ++i) {
        struct body_measure *measure = &world_measures(world)[world_large(world)[i]];
        *(before ? &measure->before : &measure->after) = measure->now;
    }
}

/* Lines 3-9 for all large bodies; a colour's clusters touch different particles. */
static void relax_large(struct step *step, struct jobs *jobs, bool report)
{
    const piola_world *world = step->world;
    const bool accelerated = world_accelerates(&world->desc);
    /* Before measuring, which counts what ties bodies too. */
    if (world->desc.iterations > 0)
        couple_refresh(step, jobs, 0);
    if (report || accelerated) {
        stages_measure(step, jobs, false);
        keep_measures(world, true);
    }
    if (accelerated) {
        for (uint32_t i = 0; i < world->large_count; ++i) {
            const uint32_t index = world_large(world)[i];
            accelerate_begin(step, index, world_measures(world)[index].before.objective);
        }
        jobs_stage(jobs, STAGE_REMEMBER, 0);
    }
    for (uint32_t i = 0; i < world->desc.iterations; ++i) {
        if (i > 0)
            couple_refresh(step, jobs, i);
        for (uint32_t colour = 0; colour < world->colours; ++colour)
            jobs_stage(jobs, STAGE_SOLVE, colour);
        stages_limit(step, jobs);
        couple_project(step, jobs, i);
        stages_tether(step, jobs);
        if (accelerated && i + 1 < world->desc.iterations)
            stages_accelerate(step, jobs, i);
    }
    if (world_descends(&world->desc))
        stages_straighten(step, jobs);
    couple_end(step, jobs);
    if (report) {
        stages_measure(step, jobs, true);
        keep_measures(world, false);
    }
}

/* The same algorithm for large bodies, a stage at a time. */
static void large_bodies(struct step *step, struct jobs *jobs)
{
    for (step->substep = 0; step->substep < step->world->desc.substeps; ++step->substep) {
        stages_wind(step, jobs);
        jobs_stage(jobs, STAGE_PREDICT, 0);
        jobs_stage(jobs, STAGE_PREPARE, 0);
        couple_begin(step, jobs);
        stages_expect(step, jobs);
        relax_large(step, jobs, reports(step, step->substep));
        jobs_stage(jobs, STAGE_FINISH, 0);
        stages_push(step, jobs);
        stages_freeze(step); /* first: its numbers are not for those that it is tied to */
        attach_keep_momentum(step);
        if (contact_any(step->world))
            contact_keep_momentum(step, jobs);
        if (rigid_any(step->world)) {
            rigid_keep_momentum(step);
            rigid_end(step);
        }
        jobs_stage(jobs, STAGE_FLOW, 0);
        stages_age(step);
    }
}

/* Sums in the order of the bodies, so the same everywhere. */
static void report_physics(const piola_world *world, piola_report *report)
{
    struct partial before = {0}, after = {0};
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        const struct body *body = &world_bodies(world)[i];
        if (!(body->flags & BODY_ALIVE) || body_frozen(body))
            continue;
        measure_add(&before, &world_measures(world)[i].before);
        measure_add(&after, &world_measures(world)[i].after);
    }
    report->objective_before = before.objective;
    report->objective = after.objective;
    report->residual = (double)after.residual;
    report->max_stretch = after.stretch;
    report->inverted = after.inverted;
}

static uint32_t count_frozen(const piola_world *world)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        n += body_frozen(&world_bodies(world)[i]);
    return n;
}

static uint32_t count_untangling(const piola_world *world)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        n += untangles(&world_bodies(world)[i]);
    return n;
}

static void report_step(const piola_world *world, struct command_count commands,
                        uint32_t frozen_before, piola_report *report)
{
    const struct clock *clock = world_clock(world);
    *report = (piola_report){
        .step = clock->step,
        .time = (double)clock->step * (double)world->desc.dt,
        .bodies = (uint32_t)world->dim[DIM_bodies].used,
        .particles = world->particle_count,
        .commands = commands.taken,
        .commands_refused = commands.refused,
        .frozen = count_frozen(world),
        .untangling = count_untangling(world),
        .stages = world->jobs.stages,
        .contacts = world->pair_count,
        .contacts_dropped = world->pairs_dropped,
        .contact_events = (uint32_t)world->dim[DIM_contact_events].used,
        .contact_events_dropped = world->events_dropped,
    };
    report->new_frozen = report->frozen > frozen_before ? report->frozen - frozen_before : 0;
    if (world->desc.report_physics)
        report_physics(world, report);
}

void step_with(piola_world *world, const piola_tasks *tasks, struct command_count commands,
               piola_report *report)
{
    struct step step = {
        .world = world,
        .kernels = kernels_for(world->desc.isa),
        .dt = world->desc.dt / (float)world->desc.substeps,
    };
    const uint32_t frozen_before = count_frozen(world);
    attach_settle(world);
    schedule_update(world);
    colliders_plan(world);
    jobs_begin(&world->jobs, &stages_program, &step, world_tickets(world),
               (uint32_t)world->dim[DIM_tickets].capacity, tasks);
    jobs_stage(&world->jobs, STAGE_WHOLE, 0);
    if (world->large_count > 0 || rigid_any(world))
        large_bodies(&step, &world->jobs);
    events_update(&step);
    jobs_end(&world->jobs);
    untangle_watch(&step);
    colliders_wait(world);
    rigid_arrive(world);
    colliders_arrive(world);
    ++world_clock(world)->step;
    record_step(world);
    if (report)
        report_step(world, commands, frozen_before, report);
}

piola_status piola_world_step(piola_world *world, const piola_tasks *tasks, piola_report *report)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (tasks && tasks->helpers > 0 && (!tasks->start || !tasks->finish))
        return PIOLA_ERROR_NULL;
    if (tasks && tasks->helpers >= JOBS_MAX_WORKERS)
        return PIOLA_ERROR_RANGE;
    struct command_count commands = {0, 0};
    commands_drain(world, &commands);
    step_with(world, tasks, commands, report);
    return PIOLA_OK;
}
