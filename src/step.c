/* step.c - one step of the world: Algorithm 1 of "Position-Based Simulation of Continuous
 * Materials".
 *
 * Start reading at advance(). A body whose mesh is one cluster is done whole by one worker, all
 * substeps and iterations, with no barrier: whole_body(). A large body is done by all workers
 * together, a stage at a time. Both call the same phases (phases.h) in the same order on the same
 * numbers, so which way a body goes, and how many threads there are, cannot be seen in the result.
 */
#include "commands.h"
#include "phases.h"
#include "record.h"
#include "schedule.h"

enum stage_kind {
    STAGE_WHOLE,
    STAGE_PREDICT,
    STAGE_PREPARE,
    STAGE_SOLVE, /* argument: the colour */
    STAGE_SETTLE,
    STAGE_FINISH,
    STAGE_COUNT
};

static bool frozen(const struct body *body)
{
    return (body->flags & BODY_FROZEN) != 0;
}

static bool last_substep(const struct step *step, uint32_t substep)
{
    return substep + 1 == step->world->desc.substeps;
}

static struct body *body_at(const struct step *step, uint32_t index)
{
    return &world_bodies(step->world)[index];
}

/* One small body, one step: the paper's Algorithm 1 as it stands. */
static void whole_body(void *context, uint32_t argument, uint32_t block, uint32_t worker)
{
    (void)argument, (void)worker;
    const struct step *step = context;
    const piola_world_desc *desc = &step->world->desc;
    const uint32_t index = world_whole(step->world)[block];
    struct body *body = body_at(step, index);
    for (uint32_t substep = 0; substep < desc->substeps && !frozen(body); ++substep) {
        phase_predict(step, body, body->first, body->count);
        phase_prepare(step, index, substep);
        for (uint32_t i = 0; i < desc->iterations; ++i)
            phase_solve(step, body, 0);
        phase_settle(step, index, substep);
        if (phase_finish(step, body, body->first, body->count, last_substep(step, substep)))
            phase_freeze(step, body);
        else
            phase_age(step, body);
    }
}

static void predict_chunk(void *context, uint32_t argument, uint32_t block, uint32_t worker)
{
    (void)argument, (void)worker;
    const struct step *step = context;
    const struct chunk chunk = world_chunks(step->world)[block];
    const struct body *body = body_at(step, chunk.body);
    if (!frozen(body))
        phase_predict(step, body, chunk.first, chunk.count);
}

static void prepare_large(void *context, uint32_t argument, uint32_t block, uint32_t worker)
{
    (void)argument, (void)worker;
    const struct step *step = context;
    const uint32_t index = world_large(step->world)[block];
    if (!frozen(body_at(step, index)))
        phase_prepare(step, index, step->substep);
}

static void solve_run(void *context, uint32_t colour, uint32_t block, uint32_t worker)
{
    (void)worker;
    const struct step *step = context;
    const struct run run = world_runs(step->world)[world_colour_first(step->world)[colour] + block];
    const struct body *body = body_at(step, run.body);
    if (!frozen(body))
        phase_solve(step, body, run.cluster);
}

static void settle_large(void *context, uint32_t argument, uint32_t block, uint32_t worker)
{
    (void)argument, (void)worker;
    const struct step *step = context;
    const uint32_t index = world_large(step->world)[block];
    if (!frozen(body_at(step, index)))
        phase_settle(step, index, step->substep);
}

static void finish_chunk(void *context, uint32_t argument, uint32_t block, uint32_t worker)
{
    (void)argument, (void)worker;
    const struct step *step = context;
    const struct chunk chunk = world_chunks(step->world)[block];
    const struct body *body = body_at(step, chunk.body);
    if (!frozen(body) &&
        phase_finish(step, body, chunk.first, chunk.count, last_substep(step, step->substep)))
        atomic_store_explicit(&world_verdicts(step->world)[chunk.body], 1, memory_order_relaxed);
}

static jobs_block *const stage_blocks[STAGE_COUNT] = {
    [STAGE_WHOLE] = whole_body, [STAGE_PREDICT] = predict_chunk, [STAGE_PREPARE] = prepare_large,
    [STAGE_SOLVE] = solve_run,  [STAGE_SETTLE] = settle_large,   [STAGE_FINISH] = finish_chunk,
};

static uint32_t stage_count(const void *context, uint32_t kind, uint32_t argument)
{
    const piola_world *world = ((const struct step *)context)->world;
    const uint32_t *first = world_colour_first(world);
    switch (kind) {
    case STAGE_WHOLE:
        return world->whole_count;
    case STAGE_PREPARE:
    case STAGE_SETTLE:
        return world->large_count;
    case STAGE_SOLVE:
        return first[argument + 1] - first[argument];
    default:
        return world->chunk_count;
    }
}

/* After a substep of the large bodies: whoever got a broken number stops here, the others grow
 * older. */
static void judge_large(const struct step *step)
{
    for (uint32_t i = 0; i < step->world->large_count; ++i) {
        const uint32_t index = world_large(step->world)[i];
        struct body *body = body_at(step, index);
        _Atomic(uint32_t) *verdict = &world_verdicts(step->world)[index];
        if (atomic_load_explicit(verdict, memory_order_relaxed) != 0)
            phase_freeze(step, body);
        else if (!frozen(body))
            phase_age(step, body);
        atomic_store_explicit(verdict, 0, memory_order_relaxed);
    }
}

static void advance(struct step *step, struct jobs *jobs)
{
    const piola_world *world = step->world;
    jobs_stage(jobs, STAGE_WHOLE, 0);
    if (world->large_count == 0)
        return;
    for (step->substep = 0; step->substep < world->desc.substeps; ++step->substep) {
        jobs_stage(jobs, STAGE_PREDICT, 0);
        jobs_stage(jobs, STAGE_PREPARE, 0);
        for (uint32_t i = 0; i < world->desc.iterations; ++i)
            for (uint32_t colour = 0; colour < world->colours; ++colour)
                jobs_stage(jobs, STAGE_SOLVE, colour);
        jobs_stage(jobs, STAGE_SETTLE, 0);
        jobs_stage(jobs, STAGE_FINISH, 0);
        judge_large(step);
    }
}

/* Sums in the order of the bodies, so the same everywhere. */
static void report_physics(const piola_world *world, piola_report *report)
{
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        const struct body *body = &world_bodies(world)[i];
        if (!(body->flags & BODY_ALIVE) || frozen(body))
            continue;
        const struct body_measure *m = &world_measures(world)[i];
        report->objective_before += m->objective_before;
        report->objective += m->objective;
        if ((double)m->residual > report->residual)
            report->residual = (double)m->residual;
        if (m->stretch > report->max_stretch)
            report->max_stretch = m->stretch;
        report->inverted += m->inverted;
    }
}

static uint32_t count_frozen(const piola_world *world)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        n += frozen(&world_bodies(world)[i]);
    return n;
}

piola_status step_with(piola_world *world, const piola_tasks *tasks, struct command_count commands,
                       piola_report *report)
{
    static const struct jobs_program program = {stage_blocks, stage_count};
    struct step step = {
        .world = world,
        .kernels = kernels_for(world->desc.isa),
        .dt = world->desc.dt / (float)world->desc.substeps,
    };
    const uint32_t frozen_before = count_frozen(world);
    schedule_update(world);
    jobs_begin(&world->jobs, &program, &step, world_tickets(world),
               (uint32_t)world->dim[DIM_tickets].capacity, tasks);
    advance(&step, &world->jobs);
    jobs_end(&world->jobs);
    struct clock *clock = world_clock(world);
    ++clock->step;
    record_step(world);
    if (report) {
        *report = (piola_report){
            .step = clock->step,
            .time = (double)clock->step * (double)world->desc.dt,
            .bodies = (uint32_t)world->dim[DIM_bodies].used,
            .particles = (uint32_t)world->dim[DIM_particles].used,
            .commands = commands.taken,
            .commands_refused = commands.refused,
            .frozen = count_frozen(world),
            .stages = world->jobs.stages,
        };
        report->new_frozen = report->frozen - frozen_before;
        if (world->desc.report_physics)
            report_physics(world, report);
    }
    return PIOLA_OK;
}

piola_status piola_world_step(piola_world *world, const piola_tasks *tasks, piola_report *report)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    struct command_count commands = {0, 0};
    commands_drain(world, &commands);
    return step_with(world, tasks, commands, report);
}
