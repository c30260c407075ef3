/* cores.c - see cores.h. Chains of integer operations, as many as a core begins in a cycle: what
 * shares the core takes some of them. */
#include "cores.h"

#include <stdlib.h>

enum { TURNS = 20000, OPERATIONS = 8, THREADS_MOST = 64 };

static const double nearly = 0.93; /* of the best rate */

static double best; /* operations a second, the most that this process has seen */

struct race {
    double rates[THREADS_MOST];
    uint64_t left[THREADS_MOST]; /* so that no compiler drops the work */
};

static uint64_t turn(uint64_t a, unsigned by)
{
    return a << by | a >> (64 - by);
}

static void work(void *argument, uint32_t thread)
{
    struct race *race = argument;
    uint64_t a = 1, b = 2, c = 3, d = 4;
    if (thread >= THREADS_MOST)
        return;
    const double start = bench_now();
    for (uint64_t i = 0; i < TURNS; i++) {
        a = turn(a, 1) + i;
        b = turn(b, 3) ^ i;
        c = turn(c, 5) + i;
        d = turn(d, 7) ^ i;
    }
    race->rates[thread] = (double)TURNS * OPERATIONS / (bench_now() - start);
    race->left[thread] = a ^ b ^ c ^ d;
}

double bench_cores_rate(const piola_tasks *tasks)
{
    struct race race = {{0}, {0}};
    const uint32_t helpers = tasks ? tasks->helpers : 0;
    if (helpers > 0)
        tasks->start(tasks->context, work, &race);
    work(&race, 0);
    if (helpers > 0)
        tasks->finish(tasks->context);
    double least = race.rates[0];
    for (uint32_t i = 1; i <= helpers && i < THREADS_MOST; i++)
        least = race.rates[i] < least ? race.rates[i] : least;
    best = least > best ? least : best;
    return least;
}

struct bench_share bench_cores_judge(const double *samples, size_t count, const double *rates)
{
    struct bench_stats alone = {0};
    double *kept = malloc(count * sizeof samples[0]);
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const double before = rates[i / BENCH_CORES_RUN], after = rates[i / BENCH_CORES_RUN + 1];
        const double share = (before < after ? before : after) / best;
        sum += share;
        if (kept && share >= nearly)
            kept[n++] = samples[i];
    }
    if (n > 0)
        bench_stats_of(kept, n, &alone);
    free(kept);
    return (struct bench_share){sum / (double)count, alone.median, n};
}
