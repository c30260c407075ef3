/* limits_timer.c - how late this machine wakes a bare thread that sleeps to absolute deadlines at
 * 1 kHz: no engine, one thread. Whatever latency the engine shows includes this, so it is printed
 * beside. */
#define _GNU_SOURCE
#include "machine_limits.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int64_t period = 1000000; /* ns */

static struct timespec at(int64_t nanoseconds)
{
    return (struct timespec){.tv_sec = (time_t)(nanoseconds / 1000000000),
                             .tv_nsec = (long)(nanoseconds % 1000000000)};
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Lateness in seconds of `count` wake-ups. A deadline that was missed whole is not waited for: the
 * next one counts from the same grid, so that one long stop is one late wake-up. */
static void collect(double *lateness, size_t count)
{
    int64_t deadline = now() + period;
    for (size_t i = 0; i < count; i++) {
        const struct timespec until = at(deadline);
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
            continue;
        const int64_t late = now() - deadline;
        lateness[i] = 1e-9 * (double)late;
        deadline += (late / period + 1) * period;
    }
}

static void measure(struct bench *bench, const char *case_name)
{
    const size_t count = bench_quick(bench) ? 2000 : 30000;
    double *lateness = bench_memory(bench, count * sizeof lateness[0]);
    struct bench_labels labels = {.case_name = case_name, .samples = count};
    struct bench_stats stats;
    collect(lateness, count);
    bench_stats_of(lateness, count, &stats); /* sorted now */
    bench_row(bench, &labels, "lateness_p50", 1e6 * stats.median, "us");
    bench_row(bench, &labels, "lateness_p99", 1e6 * stats.p99, "us");
    bench_row(bench, &labels, "lateness_p999", 1e6 * lateness[(count * 999 + 999) / 1000 - 1],
              "us");
    bench_row(bench, &labels, "lateness_max", 1e6 * stats.max, "us");
    bench_release(lateness);
}

/* Ordinary scheduling first, then the lowest real-time priority where it is allowed. */
void limits_timer(struct bench *bench)
{
    int policy = 0;
    struct sched_param before;
    bench_note(bench, "timer, %s", bench_quick(bench) ? "2 x 2 s" : "2 x 30 s");
    measure(bench, "timer");
    if (pthread_getschedparam(pthread_self(), &policy, &before) != 0)
        return;
    const struct sched_param wanted = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};
    const int refused = pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted);
    if (refused != 0) {
        bench_note(bench, "SCHED_FIFO is not allowed here: %s", strerror(refused));
        return;
    }
    measure(bench, "timer_fifo");
    (void)pthread_setschedparam(pthread_self(), policy, &before);
}
