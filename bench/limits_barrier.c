/* limits_barrier.c - what a stage of the engine's job system costs when it has nothing to do.
 *
 * One block for each thread and thousands of stages in one step, each timed on its own on the
 * calling thread; a time includes one reading of the clock, which is measured beside. The threads
 * are the platform's, spinning. Two kinds of stage:
 *
 *   empty     a block does nothing. The caller may claim all of them before another thread has seen
 *             the stage, as it may with any stage that small.
 *   meeting   a block waits until each thread has one: the whole way from publishing to another
 *             thread's claim and back to the caller, which a stage with work for all goes at least.
 *             Waiting is bounded, so the bench ends even where threads are taken away.
 *
 * `helped` is the share of blocks that others than the caller claimed.
 */
#include "jobs/jobs.h"
#include "jobs/pause.h"
#include "machine_limits.h"

enum { THREADS_MOST = 64, PAUSES_MOST = 1000 };

enum kind { EMPTY, MEETING };

struct counter {
    _Alignas(PIOLA_ALIGNMENT) uint64_t blocks; /* written by one worker only */
};

struct barrier {
    struct jobs jobs;
    _Alignas(PIOLA_ALIGNMENT) _Atomic uint64_t tickets[THREADS_MOST];
    uint32_t threads;
    uint64_t expected; /* arrivals when all of this stage have met; written between stages */
    _Alignas(PIOLA_ALIGNMENT) _Atomic uint64_t arrived; /* blocks of meetings since the beginning */
    struct counter counters[THREADS_MOST];
};

static void empty_block(void *context, uint32_t argument, uint32_t block, uint32_t worker)
{
    struct barrier *barrier = context;
    (void)argument;
    (void)block;
    barrier->counters[worker].blocks++;
}

static void meeting_block(void *context, uint32_t argument, uint32_t block, uint32_t worker)
{
    struct barrier *barrier = context;
    empty_block(context, argument, block, worker);
    atomic_fetch_add(&barrier->arrived, 1);
    for (int i = 0; i < PAUSES_MOST && atomic_load(&barrier->arrived) < barrier->expected; i++)
        cpu_pause();
}

static uint32_t block_count(const void *context, uint32_t kind, uint32_t argument)
{
    const struct barrier *barrier = context;
    (void)kind;
    (void)argument;
    return barrier->threads;
}

/* One step of `count` stages; the seconds of each go to samples. */
static void run_stages(struct barrier *barrier, enum kind kind, const piola_tasks *tasks,
                       double *samples, size_t count)
{
    static jobs_block *const blocks[] = {[EMPTY] = empty_block, [MEETING] = meeting_block};
    const struct jobs_program program = {.blocks = blocks, .count = block_count};
    jobs_begin(&barrier->jobs, &program, barrier, barrier->tickets, THREADS_MOST, tasks);
    double before = bench_now();
    for (size_t i = 0; i < count; i++) {
        barrier->expected += barrier->threads;
        jobs_stage(&barrier->jobs, kind, 0);
        const double after = bench_now();
        samples[i] = after - before;
        before = after;
    }
    jobs_end(&barrier->jobs);
}

static double helped_share(const struct barrier *barrier)
{
    uint64_t all = 0;
    for (uint32_t worker = 0; worker < barrier->threads; worker++)
        all += barrier->counters[worker].blocks;
    return 1.0 - (double)barrier->counters[0].blocks / (double)all;
}

static void *start_workers(struct bench *bench, uint32_t threads, piola_workers **workers)
{
    piola_workers_desc desc = piola_workers_desc_default();
    piola_error error;
    size_t bytes = 0;
    desc.threads = threads;
    desc.policy = PIOLA_WAIT_SPIN;
    desc.pin_to_cores = true;
    bench_check(bench, "workers", piola_workers_size(&desc, &bytes, &error), &error);
    void *memory = bench_memory(bench, bytes);
    bench_check(bench, "workers", piola_workers_create(&desc, memory, bytes, workers, &error),
                &error);
    return memory;
}

static void measure_kind(struct bench *bench, enum kind kind, uint32_t threads,
                         const piola_tasks *tasks)
{
    static const char *const names[][2] = {
        [EMPTY] = {"empty_stage", "empty_helped"}, [MEETING] = {"meeting_stage", "meeting_helped"}};
    const size_t count = bench_quick(bench) ? 50000 : 2000000;
    const struct bench_labels labels = {.case_name = "barrier", .threads = threads};
    double *samples = bench_memory(bench, count * sizeof samples[0]);
    struct barrier *barrier = bench_memory(bench, sizeof *barrier);
    struct bench_stats stats;
    barrier->threads = threads;
    /* A warm-up; then numbers start anew, which helpers see because a step begins. */
    run_stages(barrier, kind, tasks, samples, count / 10);
    for (uint32_t worker = 0; worker < threads; worker++)
        barrier->counters[worker].blocks = 0;
    barrier->expected = atomic_load(&barrier->arrived);
    run_stages(barrier, kind, tasks, samples, count);
    bench_stats_of(samples, count, &stats);
    bench_stats_rows(bench, &labels, names[kind][0], &stats, 1e9, "ns");
    bench_row(bench, &labels, names[kind][1], helped_share(barrier), "ratio");
    bench_release(barrier);
    bench_release(samples);
}

static void measure(struct bench *bench, uint32_t threads)
{
    piola_workers *workers = NULL;
    void *memory = start_workers(bench, threads, &workers);
    measure_kind(bench, EMPTY, threads, piola_workers_tasks(workers));
    if (threads > 1)
        measure_kind(bench, MEETING, threads, piola_workers_tasks(workers));
    piola_workers_destroy(workers);
    bench_release(memory);
}

static void measure_clock(struct bench *bench)
{
    enum { COUNT = 100000 };
    const struct bench_labels labels = {.case_name = "barrier", .samples = COUNT};
    double *samples = bench_memory(bench, COUNT * sizeof samples[0]);
    struct bench_stats stats;
    double before = bench_now();
    for (size_t i = 0; i < COUNT; i++) {
        const double after = bench_now();
        samples[i] = after - before;
        before = after;
    }
    bench_stats_of(samples, COUNT, &stats);
    bench_row(bench, &labels, "clock", 1e9 * stats.median, "ns");
    bench_release(samples);
}

void limits_barrier(struct bench *bench)
{
    bench_note(bench, "barrier");
    measure_clock(bench);
    for (uint32_t threads = 1; threads <= THREADS_MOST; threads++)
        if (bench_wants_threads(bench, threads))
            measure(bench, threads);
}
