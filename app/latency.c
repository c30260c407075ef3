/* latency.c - the loop of `piola bench latency`: half a second of bare ticks, half a second of
 * steps, and so on, so that both meet the same machine. */
#include "latency.h"

#include "stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TURN 0.5 /* s, of one kind of ticks */

const double latency_shares[LATENCY_SHARES] = {0.5, 0.9, 0.99, 0.999, 0.9999, 1};
const char *const latency_names[LATENCY_SHARES] = {"p50", "p90", "p99", "p999", "p9999", "max"};

/* Touched here, so that no page is fetched while it is measured. */
static bool make_series(struct latency_series *series, uint64_t room, struct problem *problem)
{
    series->samples = malloc(room * sizeof *series->samples);
    if (!series->samples)
        return problem_memory(problem, "the samples", room * sizeof *series->samples);
    memset(series->samples, 1, room * sizeof *series->samples);
    series->room = room;
    return true;
}

static void put(struct latency_series *series, double seconds)
{
    if (series->count < series->room)
        series->samples[series->count++] = seconds;
}

struct loop {
    const struct latency_plan *plan;
    struct latency *result;
    piola_io_scene *scene;
    piola_runner *runner;
    uint64_t steps;
};

static bool run_tick(struct loop *loop, bool bare, struct problem *problem)
{
    struct latency *to = loop->result;
    piola_io_error error;
    piola_tick tick;
    (void)piola_runner_begin(loop->runner, &tick);
    if (!bare && piola_io_scene_step(loop->scene, ++loop->steps, NULL, &error) != PIOLA_IO_OK)
        return problem_set(problem, EXIT_RUNTIME, "%s", error.text);
    (void)piola_runner_end(loop->runner, &tick);
    put(bare ? &to->bare : &to->wake, tick.woke - tick.deadline);
    if (!bare)
        put(&to->step, tick.took);
    to->step_missed += !bare && tick.overrun;
    to->bare_missed += bare && tick.overrun;
    return true;
}

static bool run_loop(struct loop *loop, struct problem *problem)
{
    const struct latency_plan *plan = loop->plan;
    const uint64_t turn = (uint64_t)fmax(plan->rate * TURN, 1);
    const double end = piola_platform_seconds() + 2 * plan->seconds;
    for (uint64_t i = 0; piola_platform_seconds() < end && !stop_wanted(); ++i)
        if (!run_tick(loop, i / turn % 2 == 0, problem))
            return false;
    piola_runner_info info;
    if (piola_runner_inspect(loop->runner, &info) == PIOLA_OK) {
        loop->result->asked = info.asked;
        loop->result->got = info.got;
    }
    return true;
}

static bool open_runner(struct loop *loop, void *memory, struct problem *problem)
{
    const struct latency_plan *plan = loop->plan;
    piola_runner_desc desc = piola_runner_desc_default(NULL);
    piola_error error;
    desc.rate = plan->rate;
    desc.overrun = PIOLA_OVERRUN_SKIP;
    desc.spin = plan->spin;
    desc.realtime = desc.pin = desc.lock_memory = !plan->plain;
    const piola_status status =
        piola_runner_create(&desc, NULL, memory, piola_runner_size(), &loop->runner, &error);
    return status == PIOLA_OK ||
           problem_engine(problem, EXIT_RUNTIME, "the runner", status, &error);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool open_all(struct loop *loop, struct problem *problem)
{
    const struct latency_plan *plan = loop->plan;
    piola_io_scene_desc desc = piola_io_scene_desc_default();
    piola_io_error error;
    desc.threads = plan->threads;
    if (piola_io_scene_open(plan->path, &desc, &loop->scene, &error) != PIOLA_IO_OK)
        return problem_set(problem, EXIT_SCENE, "%s", error.text);
    const piola_io_scene_facts facts = piola_io_scene_inspect(loop->scene);
    loop->result->isa = piola_world_isa(facts.world);
    loop->result->threads = facts.threads;
    const uint64_t room = (uint64_t)(2 * plan->seconds * plan->rate) + 2;
    return make_series(&loop->result->step, room, problem) &&
           make_series(&loop->result->wake, room, problem) &&
           make_series(&loop->result->bare, room, problem);
}

static void sort_series(struct latency_series *series)
{
    if (series->count > 0)
        qsort(series->samples, series->count, sizeof *series->samples, by_size);
}

bool latency_run(const struct latency_plan *plan, struct latency *result, struct problem *problem)
{
    *result = (struct latency){0};
    struct loop loop = {.plan = plan, .result = result};
    void *memory = aligned_alloc(PIOLA_ALIGNMENT, piola_runner_size());
    bool good = memory || problem_memory(problem, "the runner", piola_runner_size());
    good = good && open_all(&loop, problem) && open_runner(&loop, memory, problem) &&
           run_loop(&loop, problem);
    piola_runner_destroy(loop.runner);
    piola_io_scene_close(loop.scene);
    free(memory);
    sort_series(&result->step);
    sort_series(&result->wake);
    sort_series(&result->bare);
    return good;
}

void latency_free(struct latency *result)
{
    free(result->step.samples);
    free(result->wake.samples);
    free(result->bare.samples);
    *result = (struct latency){0};
}

double latency_at(const struct latency_series *series, double share)
{
    const double place = ceil(share * (double)series->count);
    const uint64_t index = place < 1 ? 0 : (uint64_t)place - 1;
    if (series->count == 0)
        return 0;
    return series->samples[index < series->count ? index : series->count - 1];
}

void latency_bins(const struct latency_series *series, uint64_t bins[LATENCY_BINS])
{
    memset(bins, 0, LATENCY_BINS * sizeof *bins);
    for (uint64_t i = 0; i < series->count; ++i) {
        const double place = log10(fmax(series->samples[i], 1e-6) / 1e-6) * LATENCY_BINS_EACH;
        const uint32_t bin = place < LATENCY_BINS - 1 ? (uint32_t)place : LATENCY_BINS - 1;
        ++bins[bin];
    }
}
