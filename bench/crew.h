/* crew.h - threads of the harness itself, for benches that measure the machine and not the engine.
 *
 * Each is pinned to a core where the machine allows it. They spin between runs, so a run begins
 * within a microsecond on all of them; make runs of a millisecond or more.
 */
#ifndef PIOLA_BENCH_CREW_H
#define PIOLA_BENCH_CREW_H

#include "bench.h"

struct bench_crew;

/* `threads` includes the calling thread. Fails the bench if a thread cannot be had. */
struct bench_crew *bench_crew_start(struct bench *bench, uint32_t threads);

/* Runs work(context, n) once on each thread, n from 0. Returns the seconds until the last was
 * done. */
double bench_crew_run(struct bench_crew *crew, void (*work)(void *context, uint32_t thread),
                      void *context);

/* Joins the threads. */
void bench_crew_end(struct bench_crew *crew);

#endif
