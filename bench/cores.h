/* cores.h - whether the bench had its cores for itself: on a virtual machine another's load on the
 * other thread of a core takes a third of its speed, unseen by this system's own counters. */
#ifndef PIOLA_BENCH_CORES_H
#define PIOLA_BENCH_CORES_H

#include "bench.h"

/* Operations a second of the slowest of the tasks' threads, all at once, for some 50 microseconds.
 */
double bench_cores_rate(const piola_tasks *tasks);

/* Of samples, not sorted, and the rates before each BENCH_CORES_RUN of them and after the last. */
#define BENCH_CORES_RUN 4
struct bench_share bench_cores_judge(const double *samples, size_t count, const double *rates);

#endif
