/* latency.h - how late a scene's steps are, beside a loop that does nothing, in one run.
 *
 * Lives here: the loop, its samples, their order statistics. What must not: options and what is
 * printed (command_latency.c), pictures (latency_picture.c).
 */
#ifndef APP_LATENCY_H
#define APP_LATENCY_H

#include "io/base/problem.h"
#include "piola/io.h"

struct latency_plan {
    const char *path;
    double rate, seconds; /* Hz; s, of steps and as many of the bare loop */
    double spin;          /* s */
    uint32_t threads;
    bool plain; /* no priority, core or locked memory is asked for */
};

/* Sorted when the run is over. */
struct latency_series {
    double *samples; /* s */
    uint64_t count, room;
};

struct latency {
    struct latency_series step;        /* what a step took */
    struct latency_series wake;        /* from when it was due to when it began */
    struct latency_series bare;        /* the same of ticks in which nothing is done */
    uint64_t step_missed, bare_missed; /* ticks that ended after the next one was due */
    uint32_t asked, got;               /* piola_feature bits */
    piola_isa isa;
    uint32_t threads;
};

#define LATENCY_SHARES 6u
/* 0.5 ... 0.9999, 1: the maximum. */
extern const double latency_shares[LATENCY_SHARES];
/* "p50" ... "p9999", "max". */
extern const char *const latency_names[LATENCY_SHARES];

/* Call latency_free afterwards, also on failure. */
bool latency_run(const struct latency_plan *plan, struct latency *result, struct problem *problem);
void latency_free(struct latency *result);
/* The least sample that no more than so many are above: none is interpolated. */
double latency_at(const struct latency_series *series, double share);

/* latency_picture.c, or render_missing.c: three histograms over one axis of time, as a PNG. */
bool latency_draw(const struct latency *result, const char *title, const char *path,
                  struct problem *problem);

/* Bins of histograms: so many each factor of 10, from 1 microsecond on; the last takes the rest. */
#define LATENCY_BINS_EACH 10u
#define LATENCY_BINS      (6u * LATENCY_BINS_EACH + 1)
void latency_bins(const struct latency_series *series, uint64_t bins[LATENCY_BINS]);

#endif
