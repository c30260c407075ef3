/* runner.h - when steps are done: loops at a fixed rate, loops of games, displays. Included by
 * piola.h: include that.
 *
 * A runner arranges the calling thread for real time, wakes it at absolute moments, measures each
 * step and does what was asked for when one is late. docs/guide/realtime.md.
 */
#ifndef PIOLA_PIOLA_RUNNER_H
#define PIOLA_PIOLA_RUNNER_H

#include "piola/workers.h"
#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a fixed rate ------------------------------------------------------------------------------
 */

/* What is done when a step ends after the next one should have begun. */
typedef enum piola_overrun {
    PIOLA_OVERRUN_REPORT = 0, /* counted; the steps that are behind follow without a pause */
    PIOLA_OVERRUN_SKIP,       /* moments that have passed are left out: the world loses that time */
    PIOLA_OVERRUN_DEGRADE,    /* the same, and steps become cheaper: fewer iterations, then fewer
                                 substeps, and back when there is room. By commands, so records hold
                                 each decision and play it again exactly */
    PIOLA_OVERRUN_COUNT
} piola_overrun;

typedef struct piola_runner_desc {
    uint32_t cookie_;
    double rate; /* Hz, 0.01 to 1e5: steps a second */
    piola_overrun overrun;
    /* DEGRADE: what the world was described with, and what no step goes below, from 1 on. */
    uint32_t substeps, iterations, least_substeps, least_iterations;
    float budget;     /* DEGRADE: share of a period that a step may take, 0.05 to 1; default 0.8 */
    double spin;      /* s, 0 (default) to 0.01: wakes so much earlier and polls the clock */
    bool realtime;    /* SCHED_FIFO for the calling thread, where allowed */
    bool lock_memory; /* the process's memory locked, the thread's stack touched, where allowed */
    bool pin;         /* the calling thread stays on the core that it runs on, where allowed */
    void *block;      /* touched and locked as piola_platform_harden does; null (default): none */
    size_t block_bytes;
    double watchdog; /* s, 0 (default: none) or 0.001 to 3600: a thread calls `late` when no step
                        has ended for so long */
    void (*late)(void *context, double seconds); /* on that thread, once each time */
    /* Seconds of a clock that never goes back, and a sleep until then; null (default): the
     * platform's. A platform without a clock needs both. */
    double (*now)(void *context);
    void (*sleep_until)(void *context, double seconds);
    void *context; /* of all three */
} piola_runner_desc;

/* A loop for a world of that description: its dt as a period, its substeps and iterations; REPORT,
 * nothing else. Null: 200 Hz, 1 substep, 5 iterations. */
PIOLA_API piola_runner_desc piola_runner_desc_default(const piola_world_desc *world);

typedef struct piola_runner piola_runner;

/* Bytes of the block that piola_runner_create needs. */
PIOLA_API size_t piola_runner_size(void);
/* Arranges the calling thread, which is the one that steps; what is not allowed is done without:
 * see piola_runner_inspect. `world` (may be null but for DEGRADE) must live as long. The first step
 * is due one period from now. PIOLA_ERROR_THREADS: no thread for the watchdog. */
PIOLA_API piola_status piola_runner_create(const piola_runner_desc *desc, piola_world *world,
                                           void *memory, size_t bytes, piola_runner **runner,
                                           piola_error *error);
/* Ends the watchdog. The thread keeps its priority and core. */
PIOLA_API void piola_runner_destroy(piola_runner *runner);

typedef struct piola_tick {
    uint64_t number;  /* from 1 */
    double deadline;  /* s of the clock: when the step was due; gives frames their time */
    double woke;      /* s of the clock: when it began */
    double took;      /* s, from there to piola_runner_end */
    uint64_t skipped; /* moments left out just before this one */
    uint32_t substeps, iterations; /* asked of this step */
    bool overrun;                  /* it ended after the next one was due */
} piola_tick;

/* Sleeps until the next step is due. Then do the step and what belongs to it, and call
 * piola_runner_end. */
PIOLA_API piola_status piola_runner_begin(piola_runner *runner, piola_tick *tick);
/* Measures, and decides about the next steps. */
PIOLA_API piola_status piola_runner_end(piola_runner *runner, piola_tick *tick);

typedef struct piola_runner_info {
    uint64_t ticks, overruns, skipped;
    uint64_t lowered, raised; /* DEGRADE: how often steps were made cheaper, and dearer again */
    uint64_t alarms;          /* of the watchdog */
    double longest_step;      /* s */
    double longest_wake;      /* s, from when a step was due to when it began, when none overran */
    uint32_t asked, got;      /* piola_feature bits */
    uint32_t substeps, iterations; /* asked of the next step */
} piola_runner_info;

/* By the thread that steps. */
PIOLA_API piola_status piola_runner_inspect(const piola_runner *runner, piola_runner_info *info);

/* ---- frames of any length ----------------------------------------------------------------------
 */

/* How many steps of fixed length a frame of a game takes. A value: copy it, store it. */
typedef struct piola_pacer {
    double dt;      /* s, of a step */
    uint32_t most;  /* steps a frame: beyond them time is dropped */
    double ahead;   /* s, that has gone by but is less than a step */
    double dropped; /* s, in all */
    uint64_t steps; /* in all */
} piola_pacer;

/* Steps of `dt` (s), at most `most` of them for a frame; no time is owed yet. */
PIOLA_API piola_pacer piola_pacer_default(float dt, uint32_t most);
/* Steps to do now, `elapsed` s (0 and more; else it counts as 0) after the frame before. What is
 * drawn best then is the moment `ahead` - dt after the last step, which piola_frame_positions
 * finds without a guess. */
PIOLA_API uint32_t piola_pacer_frame(piola_pacer *pacer, double elapsed);

/* When light of a frame reaches the eye: a display that shows at a steady rate. A value. */
typedef struct piola_display {
    double period;  /* s, from refresh to refresh, as observed */
    double refresh; /* s of the caller's clock: a refresh, as observed; below 0: none was */
    double latency; /* s, from a refresh to the light in the middle of the picture */
} piola_display;

/* 60 to 240 Hz are usual; latency about half a period for a panel that is lit line by line. */
PIOLA_API piola_display piola_display_default(double rate, double latency);
/* A refresh was seen at that time (s): the estimate follows slowly, so that a single late report
 * does no harm, and after a pause at once. */
PIOLA_API void piola_display_refreshed(piola_display *display, double time);
/* When the light of a frame is seen, whose drawing is done at that time (s): that of the first
 * refresh from then on. */
PIOLA_API double piola_display_photons(const piola_display *display, double done);

#ifdef __cplusplus
}
#endif

#endif
