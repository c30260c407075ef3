/* run_loop.h - a scene stepped through time: timing, files, the end, Ctrl-C.
 *
 * Lives here: the loop and what it learns. What must not live here: options and what is printed
 * (command_run.c).
 */
#ifndef APP_RUN_LOOP_H
#define APP_RUN_LOOP_H

#include "frames.h"
#include "recording.h"
#include "render_shots.h"
#include "sensors.h"
#include "told.h"

struct run_plan {
    uint64_t steps;
    uint64_t every;                              /* steps between frames */
    const char *sensors_path, *folder, *formats; /* null: none */
    const char *record;                          /* file; null: none */
    const struct stage_options *options;         /* of the stage, for the record */
    struct shots_plan shots;
    bool progress;
};

#define STAGES_MOST 256u

struct run_facts {
    uint64_t steps, hash;
    double ms_p50, ms_p99, ms_max; /* of one step */
    double seconds;                /* simulated */
    double factor;                 /* simulated over real time, of the steps alone */
    double residual;               /* N; of the last step */
    double energy_taken;           /* J, in all steps */
    double relative_residual;      /* over the forces that balance */
    double max_stretch;
    uint32_t inverted;
    uint64_t frozen; /* bodies */
    uint64_t asleep; /* at the end; rigid bodies too */
    uint64_t woken;  /* in all steps, each time */
    uint64_t frames;
    double phase_seconds[PIOLA_PHASE_COUNT]; /* of all steps, where the world has a clock */
    piola_stage stages[STAGES_MOST];         /* likewise; without a name behind the last */
    json_t *sensors;                         /* last values; the caller's */
    json_t *work;                            /* operations_json, or null; the caller's */
    struct told *told;                       /* what was wrong; the caller's to told_close */
    bool interrupted;
};

/* Runs to the end, or until Ctrl-C or SIGTERM, which ends it as soundly after one more step. */
bool run_loop(struct stage *stage, const struct run_plan *plan, struct run_facts *facts,
              struct problem *problem);

/* The smallest of the sorted values that so many percent of them, 1 to 100, do not exceed. */
double run_percentile(const float *sorted, uint64_t count, unsigned percent);

#endif
