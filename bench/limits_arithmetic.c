/* limits_arithmetic.c - how many single-precision operations a core does, without FMA: the engine's
 * kernels may not contract a product and a sum. */
#include "crew.h"
#include "machine_limits.h"

#include <string.h>

enum { THREADS_MOST = 64, SAMPLES_MOST = 25, SAMPLES_QUICK = 9 };

struct work {
    uint64_t (*kernel)(float *data, uint64_t rounds);
    uint64_t rounds;
    struct {
        _Alignas(PIOLA_ALIGNMENT) float data[16];
        uint64_t operations;
    } of[THREADS_MOST];
};

static void run(void *context, uint32_t thread)
{
    struct work *work = context;
    work->of[thread].operations = work->kernel(work->of[thread].data, work->rounds);
}

/* Factor 1 and term 0 leave all values as they are, which the kernel cannot know. */
static void start_values(struct work *work)
{
    const float values[8] = {1.0f, 0.0f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f};
    for (uint32_t thread = 0; thread < THREADS_MOST; thread++)
        memcpy(work->of[thread].data, values, sizeof values);
}

double limit_operations(struct bench *bench, piola_isa isa, uint32_t threads, uint64_t *samples)
{
    struct work *work = bench_memory(bench, sizeof *work);
    const size_t count = bench_quick(bench) ? SAMPLES_QUICK : SAMPLES_MOST;
    double seconds[SAMPLES_MOST], operations = 0;
    struct bench_stats stats;
    work->kernel = limit_kernels_for(isa)->arithmetic;
    work->rounds = 1u << 20;
    start_values(work);
    struct bench_crew *crew = bench_crew_start(bench, threads);
    (void)bench_crew_run(crew, run, work);
    for (size_t i = 0; i < count; i++)
        seconds[i] = bench_crew_run(crew, run, work);
    bench_crew_end(crew);
    for (uint32_t thread = 0; thread < threads; thread++)
        operations += (double)work->of[thread].operations;
    bench_release(work);
    bench_stats_of(seconds, count, &stats);
    *samples = count;
    return operations / stats.median;
}

void limits_arithmetic(struct bench *bench)
{
    for (int isa = PIOLA_ISA_AUTO + 1; isa < PIOLA_ISA_COUNT; isa++) {
        for (uint32_t threads = 1; threads <= THREADS_MOST; threads++) {
            if (!bench_wants_isa(bench, (piola_isa)isa) || !bench_wants_threads(bench, threads))
                continue;
            struct bench_labels labels = {.case_name = "arithmetic",
                                          .isa = piola_isa_name((piola_isa)isa),
                                          .threads = threads};
            const double rate = limit_operations(bench, (piola_isa)isa, threads, &labels.samples);
            bench_row(bench, &labels, "operations", 1e-9 * rate, "Gop/s");
        }
    }
}
