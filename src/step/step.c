/* step.c - one step of the world: Algorithm 1 of "Position-Based Simulation of Continuous
 * Materials".
 *
 * Start reading at substep_alone(): what every body does. A domain is bodies that advance together
 * (motion/stage.h). A small body that nothing can come to is a domain that one worker does alone,
 * all substeps and iterations, with no barrier. One that others may come to waits for them twice in
 * a substep: until it is known who meets whom, and until nobody's way leads through anybody. All
 * others are done by all workers together, a stage at a time. All run the same code in the same
 * order on the same numbers, so how many threads there are cannot be seen in the result.
 */
#include "base/float_mode.h"
#include "forces/contact_forces.h"
#include "motion/energy.h"
#include "motion/stages.h"
#include "sleep/sleep.h"
#include "step/moments.h"
#include "step/schedule.h"
#include "step/stopwatch.h"
#include "world/pace.h"
#include "world/pins.h"
#include "world/record.h"
#include "world/rest.h"

static bool reports(const struct step *step)
{
    return step->world->desc.report_physics && last_substep(step);
}

/* What the iterations begin with, when anybody asks: the objective that they bring down. */
static void measure_before(struct step *step)
{
    const piola_world *world = step->world;
    const bool accelerated = world_accelerates(&world->desc);
    if (!reports(step) && !accelerated)
        return;
    lap(step, PIOLA_PHASE_CONSTRAINTS);
    domain_measure(step, false);
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t index = domain_body(step, i);
        struct body_measure *measure = &world_measures(world)[index];
        measure->before = measure->now;
        if (accelerated)
            accelerate_begin(step, index, measure->before.objective);
    }
    if (accelerated)
        run_stage(step, STAGE_REMEMBER, 0);
    lap(step, PIOLA_PHASE_MEASURE);
}

static void measure_after(struct step *step)
{
    if (!reports(step))
        return;
    domain_measure(step, true);
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct body_measure *measure = &world_measures(step->world)[domain_body(step, i)];
        measure->after = measure->now;
    }
    lap(step, PIOLA_PHASE_MEASURE);
}

/* Lines 3-9. */
static void iterate(struct step *step)
{
    const uint32_t iterations = step->world->desc.iterations;
    if (iterations == 0)
        measure_before(step);
    for (step->iteration = 0; step->iteration < iterations; ++step->iteration) {
        if (step->domain->shared && step->world->coupled_count > 0 &&
            step->world->dim[DIM_externals].capacity > 0 && world_descends(&step->world->desc))
            run_stage(step, STAGE_CLEAR_EXTERNAL, 0);
        at(step, REFRESH);
        if (step->iteration == 0)
            measure_before(step);
        lap(step, PIOLA_PHASE_CONSTRAINTS);
        at(step, FOLLOW);
        if (step->world->dim[DIM_coarse].capacity > 0)
            run_stage(step, STAGE_COARSE, 0);
        at(step, CORRECT);
        run_colours(step, STAGE_SOLVE);
        lap(step, PIOLA_PHASE_ELEMENTS);
        at(step, HOLD);
        at(step, KEEP_OUT);
        at(step, REACH);
        lap(step, PIOLA_PHASE_CONSTRAINTS);
        if (world_accelerates(&step->world->desc) && step->iteration + 1 < iterations)
            domain_accelerate(step);
        lap(step, PIOLA_PHASE_ELEMENTS);
    }
}

/* Until everybody knows where he goes: lines 1 and 2. */
static void approach(struct step *step)
{
    at(step, FORCES);
    domain_know_energy(step);
    run_stage(step, STAGE_PREDICT, 0);
    run_stage(step, STAGE_PREPARE, 0);
    if (step->world->dim[DIM_strains].used > 0)
        run_stage(step, STAGE_STRAINS, STAGE_ALL_COLOURS);
    at(step, PREDICT);
    lap(step, PIOLA_PHASE_PREDICT);
    at(step, FIND);
    lap(step, PIOLA_PHASE_FIND);
}

static void advance(struct step *step)
{
    at(step, BEGIN);
    lap(step, PIOLA_PHASE_FIND);
    if (step->world->dim[DIM_coarse].capacity > 0)
        run_stage(step, STAGE_COARSE_BEGIN, 0);
    domain_expect_momentum(step);
    lap(step, PIOLA_PHASE_PREDICT);
    iterate(step);
    domain_straighten(step);
    at(step, CLOSE);
    at(step, SETTLE);
    at(step, LIMIT);
    lap(step, PIOLA_PHASE_LIMIT);
}

/* Lines 10 to 12. */
static void arrive(struct step *step)
{
    const bool read = contact_forces_read(step->world);
    measure_after(step);
    if (read)
        run_stage(step, STAGE_CONTACT_BEFORE, 0);
    at(step, VELOCITY);
    run_stage(step, STAGE_FINISH, 0);
    at(step, GIVE);
    domain_push(step);
    domain_freeze(step); /* first: its numbers are not for those that it is tied to */
    at(step, MOMENTUM);
    at(step, FLOW);
    domain_hold_energy(step, false);
    run_stage(step, STAGE_YIELD, 0);
    domain_hold_energy(step, true);
    if (read)
        run_stage(step, STAGE_CONTACT_AFTER, 0);
    domain_age(step);
    lap(step, PIOLA_PHASE_FINISH);
}

/* Of each body of the domain, after its last substep. */
static void part_with(struct step *step)
{
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t body = domain_body(step, i);
        if (body_asleep(step->world, body))
            continue;
        families_after_body(step, body);
        sleep_measure(step, body);
    }
}

static void substep_alone(struct step *step)
{
    approach(step);
    advance(step);
    arrive(step);
    if (contact_forces_read(step->world))
        contact_forces_alone(step);
    if (last_substep(step))
        part_with(step);
}

static void substeps_alone(struct step *step)
{
    for (step->substep = 0; step->substep < step->world->desc.substeps; ++step->substep)
        substep_alone(step);
}

/* One worker leads a domain, the i-th of a stage, through a part of its way. A few show what all
 * take their time for: looking at the clock takes as long as some of it. */
#define WATCHED_EVERY 16u

static void by_itself(const struct step *step, uint32_t i, uint32_t domain,
                      void (*part)(struct step *step))
{
    struct step own = *step;
    struct stopwatch watch;
    own.domain = &world_domains(step->world)[domain];
    if (body_asleep(step->world, domain_body(&own, 0)) && part != approach)
        return;
    if (i % WATCHED_EVERY != 0)
        own.watch = NULL;
    lap_apart_begin(&own, &watch);
    part(&own);
    lap_apart_end(&own, step);
}

void each_alone(const struct step *step, uint32_t argument, uint32_t i)
{
    (void)argument;
    by_itself(step, i, 1 + i, substeps_alone);
}

/* The small bodies that have not joined the shared domain. */
static uint32_t lone_domain(const piola_world *world, uint32_t i)
{
    return world_small(world)[world->joined_small + i];
}

void each_approach(const struct step *step, uint32_t argument, uint32_t i)
{
    (void)argument;
    by_itself(step, i, lone_domain(step->world, i), approach);
}

void each_advance(const struct step *step, uint32_t argument, uint32_t i)
{
    (void)argument;
    by_itself(step, i, lone_domain(step->world, i), advance);
}

void each_arrive(const struct step *step, uint32_t argument, uint32_t i)
{
    (void)argument;
    by_itself(step, i, lone_domain(step->world, i), arrive);
    if (last_substep(step))
        by_itself(step, i, lone_domain(step->world, i), part_with);
}

/* Small bodies first, that meet nobody; then what is in the shared domain. */
static void run_part(struct step *step, enum who_joins who, enum stage_kind apart,
                     void (*part)(struct step *step))
{
    domains_part(step->world, who);
    run_stage(step, apart, 0);
    lap_apart(step);
    part(step);
}

/* The paper's Algorithm 1, of all bodies that may meet others. Small ones that meet nobody in this
 * substep go through each part of it by themselves, each on one worker; that changes no number,
 * only who waits for whom. */
static void substep_shared(struct step *step)
{
    at(step, START);
    if (!sleep_wake(step))
        return;
    run_part(step, NONE_JOIN, STAGE_APPROACH, approach);
    at(step, MEET);
    families_link(step->world);
    lap(step, PIOLA_PHASE_FIND);
    run_part(step, MEETING_JOIN, STAGE_ADVANCE, advance);
    at(step, CONFINE);
    lap(step, PIOLA_PHASE_LIMIT);
    run_part(step, MEETING_JOIN, STAGE_ARRIVE, arrive);
    if (contact_forces_read(step->world))
        contact_forces_shared(step);
    if (last_substep(step))
        part_with(step);
}

/* Sums in the order of the bodies, so the same everywhere. */
static void report_physics(const piola_world *world, piola_report *report)
{
    struct partial before = {0}, after = {0};
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        const struct body *body = &world_bodies(world)[i];
        if (!(body->flags & BODY_ALIVE) || body_still(body))
            continue;
        const struct partial *now = &world_measures(world)[i].after;
        const float share = now->scale > 0 ? now->residual / now->scale : 0;
        if (share > report->relative_residual) {
            report->relative_residual = share;
            report->least_converged = (piola_body){i + 1, body->generation};
        }
        measure_add(&before, &world_measures(world)[i].before);
        measure_add(&after, &world_measures(world)[i].after);
    }
    report->objective_before = before.objective;
    report->objective = after.objective;
    report->residual = (double)after.residual;
    report->max_stretch = after.stretch;
    report->inverted = after.inverted;
}

/* In the order of the bodies. */
static double energy_taken(const piola_world *world)
{
    double sum = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        sum += energy_taken_of(world, i);
    return sum;
}

static uint32_t count_frozen(const piola_world *world)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        n += body_frozen(&world_bodies(world)[i]);
    return n;
}

static void report_step(const piola_world *world, struct command_count commands,
                        uint32_t frozen_before, piola_report *report)
{
    const struct clock *clock = world_clock(world);
    *report = (piola_report){
        .step = clock->step,
        .time = pace_time(world),
        .bodies = (uint32_t)world->dim[DIM_bodies].used,
        .particles = (uint32_t)world->taken[SPAN_PARTICLES],
        .commands = commands.taken,
        .commands_refused = commands.refused,
        .frozen = count_frozen(world),
        .stages = world->jobs.stages,
        .energy_taken = energy_taken(world),
    };
    families_report(world, report);
    sleep_report(world, report);
    report->new_frozen = report->frozen > frozen_before ? report->frozen - frozen_before : 0;
    if (world->desc.report_physics)
        report_physics(world, report);
}

/* A step about to begin, after the inputs: lists are up to date, colliders planned. */
static struct step step_begin(piola_world *world)
{
    pins_plan(world);
    families_before(world);
    contact_forces_begin(world);
    world->unchanged = true;
    schedule_update(world);
    struct step step = {
        .world = world,
        .kernels = kernels_for(world->desc.isa),
        .stages = schedule_stages,
        .jobs = &world->jobs,
        .domain = &world_domains(world)[0],
        .dt = world->desc.dt / (float)world->desc.substeps,
        .moves = families_move(world),
    };
    sleep_begin(&step);
    return step;
}

/* All substeps of all domains; between jobs_begin and jobs_end. */
static void step_run(struct step *step)
{
    struct moment_list moments[MOMENTS];
    moments_of(step->world, moments);
    step->moments = moments;
    lap(step, PIOLA_PHASE_BEGIN);
    run_stage(step, STAGE_ALONE, 0);
    lap_apart(step);
    for (step->substep = 0; step->substep < step->world->desc.substeps; ++step->substep)
        if (step->world->shared_count > 0 || step->moves)
            substep_shared(step);
    step->moments = NULL;
}

/* Helpers are called where there is work enough for them: what is done is the same. */
static const piola_tasks *helpful(const piola_world *world, const piola_tasks *tasks)
{
    const bool spin = tasks && !tasks->wait;
    return world->work < (spin ? world->helped_from / 8 : world->helped_from) ? NULL : tasks;
}

void step_with(piola_world *world, const piola_tasks *tasks, struct command_count commands,
               struct stopwatch *watch, piola_report *report)
{
    const uint32_t frozen_before = count_frozen(world);
    struct step step = step_begin(world);
    step.watch = watch;
    if (watch)
        stages_start(world);
    jobs_begin(&world->jobs, &schedule_program, &step, world_tickets(world),
               (uint32_t)world->dim[DIM_tickets].capacity, helpful(world, tasks));
    step_run(&step);
    families_tell(&step);
    jobs_end(&world->jobs);
    families_after(&step);
    sleep_end(&step);
    pins_arrive(world);
    ++world_clock(world)->step;
    record_step(world);
    if (!report)
        return;
    report_step(world, commands, frozen_before, report);
    lap(&step, PIOLA_PHASE_END);
    for (uint32_t p = 0; watch && p < PIOLA_PHASE_COUNT; ++p)
        report->phase_seconds[p] = watch->seconds[p];
}

piola_status piola_world_step(piola_world *world, const piola_tasks *tasks, piola_report *report)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (tasks && tasks->helpers > 0 && (!tasks->start || !tasks->finish))
        return PIOLA_ERROR_NULL;
    if (tasks && tasks->helpers >= JOBS_MAX_WORKERS)
        return PIOLA_ERROR_RANGE;
    struct command_count commands = {0, 0};
    struct stopwatch watch, *const watching = report ? stopwatch_start(&watch, world) : NULL;
    commands_drain(world, &commands);
    step_with(world, tasks, commands, watching, report);
    return PIOLA_OK;
}
