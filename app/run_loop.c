/* run_loop.c - see run_loop.h. */
#define _POSIX_C_SOURCE 200809L
#include "run_loop.h"

#include "io/base/memory.h"
#include "operations.h"
#include "progress.h"
#include "stop.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEASURED 16u /* steps of a run */

struct loop {
    struct stage *stage;
    const struct run_plan *plan;
    const piola_tasks *tasks;
    struct sensors sensors;
    struct frames frames;
    struct shots *shots;         /* or null */
    struct recording *recording; /* or null */
    float *ms;                   /* of every step */
    uint64_t room, steps;
    double busy; /* s, in steps */
    double time; /* s, simulated */
    double phase_seconds[PIOLA_PHASE_COUNT];
    piola_stage stages[STAGES_MOST];
    double energy_taken; /* J, in all steps */
    double took;         /* s, the last step */
    piola_report report;
    uint64_t woken; /* in all steps */
    struct operations operations;
    /* Some steps are done once more in a world that reports physics, so that measuring costs the
     * others nothing. */
    piola_world *twin;
    void *twin_memory;
    void *snapshot; /* of before such a step */
    size_t snapshot_bytes;
    struct problem *problem;
};

static bool remember_ms(struct loop *loop, double seconds, struct problem *problem)
{
    if (loop->steps == loop->room) {
        const uint64_t room = loop->room ? 2 * loop->room : 4096;
        float *ms = realloc(loop->ms, (size_t)room * sizeof *ms);
        if (!ms)
            return problem_memory(problem, "the steps' times", (size_t)room * sizeof *ms);
        loop->ms = ms;
        loop->room = room;
    }
    loop->ms[loop->steps++] = (float)(seconds * 1e3);
    loop->busy += seconds;
    return true;
}

/* Frames and sensors of the state now. */
static bool record(struct loop *loop, bool last, struct problem *problem)
{
    const struct scene *scene = loop->stage->scene;
    const bool due = loop->steps % scene->sensor_interval == 0;
    if (last || (due && loop->sensors.has_file)) {
        if (!sensors_take(&loop->sensors, &loop->report, problem))
            return false;
        sensors_write(&loop->sensors, loop->steps, loop->time);
    }
    if (loop->shots && !shots_take(loop->shots, loop->time, last, problem))
        return false;
    if (loop->plan->folder && (last || loop->steps % loop->plan->every == 0))
        return frames_write(&loop->frames, loop->time, problem);
    return true;
}

static bool keep_state(struct loop *loop, struct problem *problem)
{
    const piola_world *world = loop->stage->world;
    const size_t bytes = piola_snapshot_size(world);
    if (bytes > loop->snapshot_bytes) {
        memory_give(loop->snapshot);
        loop->snapshot = pool_block(bytes, "a snapshot", problem);
        loop->snapshot_bytes = loop->snapshot ? bytes : 0;
    }
    if (!loop->snapshot)
        return false;
    const piola_status status = piola_snapshot_save(world, loop->snapshot, loop->snapshot_bytes);
    return status == PIOLA_OK || problem_engine(problem, EXIT_RUNTIME, "a snapshot", status, NULL);
}

static void count_stages(struct loop *loop)
{
    piola_stage now;
    for (uint32_t i = 0; loop->stage->desc.clock && i < STAGES_MOST &&
                         piola_world_stage(loop->stage->world, i, &now) == PIOLA_OK;
         ++i) {
        loop->stages[i].name = now.name;
        loop->stages[i].runs += now.runs;
        loop->stages[i].seconds += now.seconds;
    }
}

static bool step(struct loop *loop, struct problem *problem)
{
    struct stage *stage = loop->stage;
    if (!stage_inputs_push(stage, stage->world, loop->steps + 1, problem))
        return false;
    const double begin = piola_platform_seconds();
    const piola_status status = piola_world_step(stage->world, loop->tasks, &loop->report);
    const double end = piola_platform_seconds();
    loop->time = (double)(loop->steps + 1) * (double)stage->desc.dt;
    if (status != PIOLA_OK)
        return problem_engine(problem, EXIT_RUNTIME, "a step", status, NULL);
    for (int phase = 0; phase < PIOLA_PHASE_COUNT; ++phase)
        loop->phase_seconds[phase] += loop->report.phase_seconds[phase];
    count_stages(loop);
    loop->woken += loop->report.woke;
    loop->energy_taken += loop->report.energy_taken;
    loop->took = end - begin;
    if (!operations_add(&loop->operations, &loop->report.work, problem))
        return false;
    if (loop->recording && !recording_step(loop->recording, problem))
        return false;
    return remember_ms(loop, end - begin, problem);
}

/* The step before, once more. */
static piola_status step_twin(const struct loop *loop, piola_report *report,
                              struct problem *problem)
{
    const piola_status status =
        piola_snapshot_restore(loop->twin, loop->snapshot, loop->snapshot_bytes);
    if (status != PIOLA_OK)
        return status;
    return stage_inputs_push(loop->stage, loop->twin, loop->steps, problem)
               ? piola_world_step(loop->twin, loop->tasks, report)
               : PIOLA_OK;
}

/* Both worlds must come to the same state, which is checked. */
static bool measure(struct loop *loop, struct run_facts *facts, struct problem *problem)
{
    piola_report report = {0};
    if (!loop->twin)
        loop->twin = stage_twin(loop->stage, &loop->twin_memory, problem);
    if (!loop->twin)
        return false;
    const piola_status status = step_twin(loop, &report, problem);
    if (status != PIOLA_OK)
        return problem_engine(problem, EXIT_RUNTIME, "a step, done a second time", status, NULL);
    if (problem->text[0])
        return false;
    if (piola_world_hash(loop->twin) != piola_world_hash(loop->stage->world))
        return problem_set(problem, EXIT_RUNTIME,
                           "a step, done twice, gave two states: the engine or this machine has a "
                           "fault");
    facts->residual = report.residual;
    facts->relative_residual = (double)report.relative_residual;
    return true;
}

/* Of a long run so many steps, evenly spread, and its last. */
static bool is_measured(const struct loop *loop, bool last)
{
    const uint64_t every = (loop->plan->steps + MEASURED - 1) / MEASURED;
    return last || (loop->steps + 1) % every == 0;
}

/* The measured step again and again, each time with twice the iterations. */
static uint32_t find_needed(void *context, uint32_t body, double least, double share)
{
    struct loop *loop = context;
    const piola_body handle = loop->stage->bodies[body].handle;
    const uint32_t first = loop->stage->desc.iterations;
    const uint32_t most = first * TOLD_TRIES < 1000 ? first * TOLD_TRIES : 1000;
    uint32_t found = 0;
    for (uint32_t n = 2 * first; n <= most && found == 0; n *= 2) {
        double residual = 0, scale = 0;
        piola_report report;
        loop->twin->desc.iterations = first; /* snapshots are for worlds that are described alike */
        piola_status status =
            piola_snapshot_restore(loop->twin, loop->snapshot, loop->snapshot_bytes);
        loop->twin->desc.iterations = n;
        if (status == PIOLA_OK &&
            stage_inputs_push(loop->stage, loop->twin, loop->steps, loop->problem))
            status = piola_world_step(loop->twin, loop->tasks, &report);
        if (status == PIOLA_OK)
            status = piola_body_residual(loop->twin, handle, &residual, &scale);
        if (status != PIOLA_OK)
            break;
        found = residual <= fmax(share * scale, least) ? n : 0;
    }
    loop->twin->desc.iterations = first;
    return found;
}

static void tell(const struct loop *loop, struct told *told, bool measured)
{
    const struct told_step step = {.report = &loop->report,
                                   .measured = measured ? loop->twin : NULL,
                                   .time = loop->time,
                                   .seconds = loop->took,
                                   .needed = find_needed,
                                   .context = (void *)(uintptr_t)loop};
    told_step(told, &step);
}

static bool advance(struct loop *loop, struct run_facts *facts, struct problem *problem)
{
    struct progress progress;
    progress_begin(&progress, loop->plan->progress, loop->plan->steps);
    bool good = record(loop, false, problem), last = false;
    while (good && !last) {
        facts->interrupted = stop_wanted();
        last = facts->interrupted || loop->steps + 1 >= loop->plan->steps;
        const bool measured = is_measured(loop, last);
        good = (!measured || keep_state(loop, problem)) && step(loop, problem) &&
               (!measured || measure(loop, facts, problem));
        if (good)
            tell(loop, facts->told, measured);
        good = good && record(loop, last, problem);
        progress_show(&progress, loop->steps);
    }
    progress_end(&progress);
    return good;
}

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

double run_percentile(const float *sorted, uint64_t count, unsigned percent)
{
    return (double)sorted[(count * percent + 99) / 100 - 1];
}

static void sum_up(struct loop *loop, struct run_facts *facts)
{
    qsort(loop->ms, (size_t)loop->steps, sizeof *loop->ms, compare_floats);
    facts->steps = loop->steps;
    facts->ms_p50 = run_percentile(loop->ms, loop->steps, 50);
    facts->ms_p99 = run_percentile(loop->ms, loop->steps, 99);
    facts->ms_max = (double)loop->ms[loop->steps - 1];
    facts->seconds = loop->time;
    facts->factor = loop->busy > 0 ? loop->time / loop->busy : 0;
    facts->frozen = loop->report.frozen;
    facts->asleep = loop->report.asleep;
    facts->woken = loop->woken;
    facts->energy_taken = loop->energy_taken;
    facts->frames = loop->frames.count;
    facts->hash = piola_world_hash(loop->stage->world);
    facts->sensors = sensors_json(&loop->sensors);
    facts->work = operations_json(&loop->operations, &loop->stage->desc);
    memcpy(facts->phase_seconds, loop->phase_seconds, sizeof facts->phase_seconds);
    memcpy(facts->stages, loop->stages, sizeof facts->stages);
    struct shape_facts shape;
    const bool good = sensors_shape(&loop->sensors, &shape);
    facts->inverted = good ? shape.inverted : 0;
    facts->max_stretch = good ? shape.max_stretch : 0;
}

static bool open_files(struct loop *loop, struct problem *problem)
{
    const struct run_plan *plan = loop->plan;
    if (!sensors_open(&loop->sensors, loop->stage, plan->sensors_path, problem) ||
        (plan->folder &&
         !frames_open(&loop->frames, loop->stage, plan->folder, plan->formats, problem)))
        return false;
    if (plan->shots.sheet || plan->shots.film)
        loop->shots = shots_open(&plan->shots, loop->stage, problem);
    if (!loop->shots && (plan->shots.sheet || plan->shots.film))
        return false;
    if (plan->record)
        loop->recording = recording_open(loop->stage, plan->record, plan->options, problem);
    return loop->recording || !plan->record;
}

static bool finish_files(struct loop *loop, struct problem *problem)
{
    return sensors_commit(&loop->sensors, problem) &&
           (!loop->plan->folder || frames_finish(&loop->frames, problem)) &&
           (!loop->shots || shots_commit(loop->shots, problem));
}

bool run_loop(struct stage *stage, const struct run_plan *plan, struct run_facts *facts,
              struct problem *problem)
{
    struct loop loop = {.stage = stage, .plan = plan, .problem = problem};
    memset(facts, 0, sizeof *facts);
    loop.tasks = stage->workers ? piola_workers_tasks(stage->workers) : NULL;
    stop_listen();
    facts->told = told_open(stage, problem);
    bool good = facts->told && open_files(&loop, problem) && advance(&loop, facts, problem);
    if (good)
        told_end(facts->told);
    if (good)
        sum_up(&loop, facts);
    good = good && finish_files(&loop, problem);
    good = recording_close(loop.recording, problem) && good;
    memory_give(loop.twin_memory);
    memory_give(loop.snapshot);
    free(loop.ms);
    operations_close(&loop.operations);
    if (plan->folder)
        frames_close(&loop.frames);
    shots_close(loop.shots);
    sensors_drop(&loop.sensors);
    return good;
}
