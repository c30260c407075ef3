/* timing.c - the harness's clock, repetitions, order statistics and memory. */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define HUGE_PAGE     ((size_t)2 << 20)
#define SMALL_PAGE    ((size_t)4096)
#define SAMPLES_LEAST 5
#define SAMPLES_MOST  16384

double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void bench_stats_of(double *samples, size_t count, struct bench_stats *stats)
{
    qsort(samples, count, sizeof samples[0], compare_doubles);
    /* The smallest sample that 99 % of all do not exceed. */
    size_t at_p99 = (count * 99 + 99) / 100 - 1;
    *stats = (struct bench_stats){.min = samples[0],
                                  .median = samples[(count - 1) / 2],
                                  .p99 = samples[at_p99],
                                  .max = samples[count - 1],
                                  .samples = count};
}

void bench_measure(struct bench *bench, void (*fn)(void *context), void *context,
                   struct bench_stats *stats)
{
    double seconds = bench_quick(bench) ? 0.1 : 1.0;
    double *samples = malloc(SAMPLES_MOST * sizeof samples[0]);
    if (!samples)
        bench_fail(bench, "no memory for samples");
    for (double start = bench_now(); bench_now() - start < 0.1 * seconds;)
        fn(context);
    size_t count = 0;
    double start = bench_now(), now = start;
    while (count < SAMPLES_MOST && (now - start < seconds || count < SAMPLES_LEAST)) {
        fn(context);
        double after = bench_now();
        samples[count++] = after - now;
        now = after;
    }
    bench_stats_of(samples, count, stats);
    free(samples);
}

void *bench_memory(struct bench *bench, size_t bytes)
{
    size_t page = bytes >= HUGE_PAGE ? HUGE_PAGE : SMALL_PAGE;
    void *memory = NULL;
    if (bytes > SIZE_MAX - page)
        bench_fail(bench, "%zu bytes cannot be addressed", bytes);
    bytes = (bytes / page + 1) * page;
    int failed = posix_memalign(&memory, page, bytes);
    if (failed != 0)
        bench_fail(bench, "%zu bytes cannot be had: %s", bytes, strerror(failed));
#ifdef MADV_HUGEPAGE
    if (page == HUGE_PAGE)
        (void)madvise(memory, bytes, MADV_HUGEPAGE); /* refused: 4 KB pages serve as well */
#endif
    memset(memory, 0, bytes);
    return memory;
}

void bench_release(void *memory)
{
    free(memory);
}
