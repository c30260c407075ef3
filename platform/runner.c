/* runner.c - a loop at a fixed rate: absolute deadlines, and what is done when a step is late.
 *
 * Lives here: when the next step is due and what it may cost. What must not: any operating system
 * call; those are behind runner.h. Deadlines are counted, not added up, so they do not drift.
 */
#include "runner.h"

#include "base/cookies.h"
#include "base/refuse.h"
#include "jobs/pause.h"

#include <string.h>

#define RUNNER_MAGIC UINT64_C(0x31524e5552504c50) /* "PLPRUNR1", little-endian */

/* DEGRADE: steps with room to spare before one more iteration is tried. */
#define CALM 16u

struct piola_runner {
    uint64_t magic;
    piola_runner_desc desc;
    piola_world *world;
    double start, period; /* s */
    uint64_t due;         /* number of the next moment, from `start` on */
    double began;         /* s, the step that runs */
    uint64_t left_out;    /* moments before the next one */
    bool running, behind; /* a step runs; the last one overran */
    uint32_t calm;        /* steps since the last change or look */
    double longest;       /* s, of these */
    bool watched;
    piola_runner_info info;
    struct watchdog watchdog;
};

/* ---- descriptions ------------------------------------------------------------------------- */

piola_runner_desc piola_runner_desc_default(const piola_world_desc *world)
{
    const bool given = world != NULL && world->dt > 0;
    return (piola_runner_desc){.cookie_ = COOKIE_RUNNER,
                               .rate = given ? 1 / (double)world->dt : 200,
                               .substeps = given ? world->substeps : 1,
                               .iterations = given ? world->iterations : 5,
                               .least_substeps = 1,
                               .least_iterations = 1,
                               .budget = 0.8F};
}

static bool within(double value, double low, double high)
{
    return value >= low && value <= high;
}

static bool counts_fit(const piola_runner_desc *d)
{
    return d->least_substeps >= 1 && d->least_substeps <= d->substeps && d->substeps <= 1000 &&
           d->least_iterations >= 1 && d->least_iterations <= d->iterations &&
           d->iterations <= 1000;
}

static piola_status check(const piola_runner_desc *d, const piola_world *world, piola_error *error)
{
    if (d == NULL)
        return refuse(error, PIOLA_ERROR_NULL, "piola_runner_desc");
    if (d->cookie_ != COOKIE_RUNNER)
        return refuse(error, PIOLA_ERROR_COOKIE, "piola_runner_desc");
    if (!within(d->rate, 0.01, 1e5))
        return refuse(error, PIOLA_ERROR_RANGE, "piola_runner_desc.rate");
    if ((uint32_t)d->overrun >= PIOLA_OVERRUN_COUNT)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_runner_desc.overrun");
    if (d->overrun == PIOLA_OVERRUN_DEGRADE && world == NULL)
        return refuse(error, PIOLA_ERROR_NULL, "world");
    if (d->overrun == PIOLA_OVERRUN_DEGRADE && !counts_fit(d))
        return refuse(error, PIOLA_ERROR_RANGE, "piola_runner_desc.iterations");
    if (!within((double)d->budget, 0.05, 1))
        return refuse(error, PIOLA_ERROR_RANGE, "piola_runner_desc.budget");
    if (!within(d->spin, 0, 0.01))
        return refuse(error, PIOLA_ERROR_RANGE, "piola_runner_desc.spin");
    if (!within(d->watchdog, 0.001, 3600) && !within(d->watchdog, 0, 0))
        return refuse(error, PIOLA_ERROR_RANGE, "piola_runner_desc.watchdog");
    const bool clock = d->now != NULL || piola_platform_seconds() > 0;
    if (!clock || (d->now != NULL) != (d->sleep_until != NULL))
        return refuse(error, PIOLA_ERROR_NULL, "piola_runner_desc.now");
    return PIOLA_OK;
}

/* ---- the clock ---------------------------------------------------------------------------- */

static double now(const struct piola_runner *r)
{
    return r->desc.now != NULL ? r->desc.now(r->desc.context) : piola_platform_seconds();
}

static void sleep_until(const struct piola_runner *r, double seconds)
{
    if (r->desc.sleep_until != NULL)
        r->desc.sleep_until(r->desc.context, seconds);
    else
        os_sleep_until(seconds);
}

static double moment(const struct piola_runner *r, uint64_t number)
{
    return r->start + (double)number * r->period;
}

/* ---- life --------------------------------------------------------------------------------- */

size_t piola_runner_size(void)
{
    return (sizeof(struct piola_runner) + PIOLA_ALIGNMENT - 1) / PIOLA_ALIGNMENT * PIOLA_ALIGNMENT;
}

static void arrange(struct piola_runner *r)
{
    const piola_runner_desc *d = &r->desc;
    r->info.asked = (d->realtime ? PIOLA_FEATURE_REALTIME : 0u) |
                    (d->pin ? PIOLA_FEATURE_AFFINITY : 0u) |
                    (d->lock_memory ? PIOLA_FEATURE_LOCK_MEMORY : 0u);
    r->info.got = os_arrange_self(d);
    if (d->block != NULL && d->block_bytes > 0)
        r->info.got |= piola_platform_harden(d->block, d->block_bytes) & PIOLA_FEATURE_HUGE_PAGES;
}

piola_status piola_runner_create(const piola_runner_desc *desc, piola_world *world, void *memory,
                                 size_t bytes, piola_runner **runner, piola_error *error)
{
    const piola_status status = check(desc, world, error);
    if (status != PIOLA_OK)
        return status;
    if (memory == NULL || runner == NULL)
        return refuse(error, PIOLA_ERROR_NULL, memory == NULL ? "memory" : "runner");
    if ((uintptr_t)memory % PIOLA_ALIGNMENT != 0)
        return refuse(error, PIOLA_ERROR_ALIGNMENT, "memory");
    if (bytes < piola_runner_size())
        return refuse(error, PIOLA_ERROR_MEMORY, "bytes");
    struct piola_runner *r = memory;
    memset(r, 0, sizeof *r);
    r->desc = *desc;
    r->world = world;
    r->period = 1 / desc->rate;
    r->info.substeps = desc->substeps;
    r->info.iterations = desc->iterations;
    r->watched = desc->watchdog > 0;
    r->watchdog.patience = desc->watchdog;
    r->watchdog.late = desc->late;
    r->watchdog.context = desc->context;
    /* Before the thread is pinned, which the watchdog must not be. */
    if (r->watched && !watchdog_start(&r->watchdog))
        return refuse(error, PIOLA_ERROR_THREADS, "piola_runner_desc.watchdog");
    arrange(r);
    r->start = now(r);
    r->due = 1;
    r->magic = RUNNER_MAGIC;
    *runner = r;
    return refuse(error, PIOLA_OK, NULL);
}

void piola_runner_destroy(piola_runner *runner)
{
    if (runner == NULL || runner->magic != RUNNER_MAGIC)
        return;
    runner->magic = 0;
    if (runner->watched)
        watchdog_stop(&runner->watchdog);
}

/* ---- cheaper steps, and dearer ones ------------------------------------------------------- */

/* Tells the world; false when its commands are full: then the next step tries again. */
static bool ask(struct piola_runner *r, uint32_t substeps, uint32_t iterations)
{
    piola_runner_info *info = &r->info;
    if (substeps != info->substeps && piola_world_set_substeps(r->world, substeps) != PIOLA_OK)
        return false;
    info->substeps = substeps;
    if (iterations != info->iterations &&
        piola_world_set_iterations(r->world, iterations) != PIOLA_OK)
        return false;
    info->iterations = iterations;
    r->calm = 0;
    r->longest = 0;
    return true;
}

/* As many as would fit, at most half as many less, at least one less. */
static uint32_t fewer(uint32_t count, uint32_t least, double share)
{
    const uint32_t half = (count + 1) / 2, fit = (uint32_t)((double)count * share);
    uint32_t left = fit < half ? half : fit;
    left = left >= count ? count - 1 : left;
    return left < least ? least : left;
}

static void lower(struct piola_runner *r, double share)
{
    const piola_runner_desc *d = &r->desc;
    const uint32_t substeps = r->info.substeps, iterations = r->info.iterations;
    bool told = false;
    if (iterations > d->least_iterations)
        told = ask(r, substeps, fewer(iterations, d->least_iterations, share));
    else if (substeps > d->least_substeps)
        told = ask(r, fewer(substeps, d->least_substeps, share), iterations);
    r->info.lowered += told;
}

/* One more, when the longest of the last CALM steps leaves room for it. */
static void raise_if_room(struct piola_runner *r, double room)
{
    const piola_runner_desc *d = &r->desc;
    const uint32_t substeps = r->info.substeps, iterations = r->info.iterations;
    const bool full = iterations >= d->iterations;
    const double more = substeps < d->substeps ? (double)(substeps + 1) / substeps
                                               : (double)(iterations + 1) / iterations;
    const double longest = r->longest;
    if (r->calm < CALM)
        return;
    r->calm = 0;
    r->longest = 0;
    if ((full && substeps >= d->substeps) || longest * more > room)
        return;
    r->info.raised += substeps < d->substeps ? ask(r, substeps + 1, iterations)
                                             : ask(r, substeps, iterations + 1);
}

static void weigh(struct piola_runner *r, double took)
{
    const double room = (double)r->desc.budget * r->period;
    r->calm++;
    r->longest = took > r->longest ? took : r->longest;
    if (took > room)
        lower(r, room / took);
    else
        raise_if_room(r, room);
}

/* ---- ticks -------------------------------------------------------------------------------- */

static piola_status check_tick(const piola_runner *r, const piola_tick *tick)
{
    if (r == NULL || tick == NULL)
        return PIOLA_ERROR_NULL;
    return r->magic == RUNNER_MAGIC ? PIOLA_OK : PIOLA_ERROR_COOKIE;
}

piola_status piola_runner_begin(piola_runner *runner, piola_tick *tick)
{
    const piola_status status = check_tick(runner, tick);
    if (status != PIOLA_OK || runner->running)
        return status != PIOLA_OK ? status : PIOLA_ERROR_RANGE;
    const double deadline = moment(runner, runner->due);
    sleep_until(runner, deadline - runner->desc.spin);
    runner->began = now(runner);
    while (runner->began < deadline && runner->desc.spin > 0) {
        cpu_pause();
        runner->began = now(runner);
    }
    const double late = runner->began - deadline;
    if (!runner->behind && late > runner->info.longest_wake)
        runner->info.longest_wake = late;
    runner->running = true;
    runner->info.ticks++;
    *tick = (piola_tick){.number = runner->info.ticks,
                         .deadline = deadline,
                         .woke = runner->began,
                         .skipped = runner->left_out,
                         .substeps = runner->info.substeps,
                         .iterations = runner->info.iterations};
    return PIOLA_OK;
}

piola_status piola_runner_end(piola_runner *runner, piola_tick *tick)
{
    const piola_status status = check_tick(runner, tick);
    if (status != PIOLA_OK || !runner->running)
        return status != PIOLA_OK ? status : PIOLA_ERROR_RANGE;
    const double end = now(runner), took = end - runner->began;
    runner->running = false;
    runner->left_out = 0;
    runner->due++;
    runner->behind = end > moment(runner, runner->due);
    tick->took = took;
    tick->overrun = runner->behind;
    runner->info.overruns += runner->behind;
    runner->info.longest_step = took > runner->info.longest_step ? took : runner->info.longest_step;
    if (runner->behind && runner->desc.overrun != PIOLA_OVERRUN_REPORT) {
        runner->left_out = 1 + (uint64_t)((end - moment(runner, runner->due)) / runner->period);
        runner->due += runner->left_out;
        runner->info.skipped += runner->left_out;
        runner->behind = false;
    }
    if (runner->desc.overrun == PIOLA_OVERRUN_DEGRADE)
        weigh(runner, took);
    (void)atomic_fetch_add(&runner->watchdog.beats, 1);
    return PIOLA_OK;
}

piola_status piola_runner_inspect(const piola_runner *runner, piola_runner_info *info)
{
    if (runner == NULL || info == NULL)
        return PIOLA_ERROR_NULL;
    if (runner->magic != RUNNER_MAGIC)
        return PIOLA_ERROR_COOKIE;
    *info = runner->info;
    info->alarms = atomic_load(&runner->watchdog.alarms);
    return PIOLA_OK;
}
