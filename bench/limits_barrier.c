/* limits_barrier.c - what a stage of the engine's job system costs when it has nothing to do.
 *
 * One empty block for each thread and thousands of stages in one step, each timed on its own on the
 * calling thread; a time includes one reading of the clock, which is measured beside. The threads
 * are the platform's, spinning. `helped` is the share of blocks that other threads claimed: fair
 * shares mean that they were really there.
 */
#include "jobs.h"
#include "machine_limits.h"

enum { THREADS_MOST = 64, KIND_EMPTY = 0 };

struct counter {
    _Alignas(PIOLA_ALIGNMENT) uint64_t blocks; /* written by one worker only */
};

struct barrier {
    struct jobs jobs;
    _Alignas(PIOLA_ALIGNMENT) _Atomic uint64_t tickets[THREADS_MOST];
    uint32_t threads;
    struct counter counters[THREADS_MOST];
};

static void empty_block(void *context, uint32_t argument, uint32_t block, uint32_t worker)
{
    struct barrier *barrier = context;
    (void)argument;
    (void)block;
    barrier->counters[worker].blocks++;
}

static uint32_t block_count(const void *context, uint32_t kind, uint32_t argument)
{
    const struct barrier *barrier = context;
    (void)kind;
    (void)argument;
    return barrier->threads;
}

/* One step of `count` empty stages; the seconds of each go to samples. */
static void run_stages(struct barrier *barrier, const piola_tasks *tasks, double *samples,
                       size_t count)
{
    static jobs_block *const blocks[] = {[KIND_EMPTY] = empty_block};
    const struct jobs_program program = {.blocks = blocks, .count = block_count};
    jobs_begin(&barrier->jobs, &program, barrier, barrier->tickets, THREADS_MOST, tasks);
    double before = bench_now();
    for (size_t i = 0; i < count; i++) {
        jobs_stage(&barrier->jobs, KIND_EMPTY, 0);
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

static void measure(struct bench *bench, uint32_t threads)
{
    const size_t count = bench_quick(bench) ? 200000 : 2000000;
    const struct bench_labels labels = {.case_name = "barrier", .threads = threads};
    double *samples = bench_memory(bench, count * sizeof samples[0]);
    struct barrier *barrier = bench_memory(bench, sizeof *barrier);
    struct bench_stats stats;
    piola_workers *workers = NULL;
    void *memory = start_workers(bench, threads, &workers);
    barrier->threads = threads;
    run_stages(barrier, piola_workers_tasks(workers), samples, count / 10); /* warm-up */
    for (uint32_t worker = 0; worker < threads; worker++)
        barrier->counters[worker].blocks = 0;
    run_stages(barrier, piola_workers_tasks(workers), samples, count);
    piola_workers_destroy(workers);
    bench_stats_of(samples, count, &stats);
    bench_stats_rows(bench, &labels, "empty_stage", &stats, 1e9, "ns");
    bench_row(bench, &labels, "helped", helped_share(barrier), "ratio");
    bench_release(memory);
    bench_release(barrier);
    bench_release(samples);
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
