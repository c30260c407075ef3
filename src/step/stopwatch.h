/* stopwatch.h - what the phases of a step take, for worlds that have a clock.
 *
 * Each domain has a watch of its own, kept by the one thread that leads it through its substeps;
 * without a clock there is none, and all of this does nothing. What single workers did of a domain
 * counts in the watch that waited for them: that time is split as theirs was.
 */
#ifndef PIOLA_STOPWATCH_H
#define PIOLA_STOPWATCH_H

#include "motion/stage.h"

#include <stdatomic.h>

struct stopwatch {
    double (*clock)(void);
    double since;                               /* s: all before belongs to some phase */
    double seconds[PIOLA_PHASE_COUNT];          /* s */
    _Atomic(uint64_t) apart[PIOLA_PHASE_COUNT]; /* ns, of single workers */
};

/* Starts a watch; null when the world has no clock. */
struct stopwatch *stopwatch_start(struct stopwatch *watch, const piola_world *world);
/* Stages are counted from here on. */
void stages_start(piola_world *world);
/* All since the last time belongs to the phase. */
void lap(const struct step *step, enum piola_phase phase);
/* A worker goes on with a domain of its own, which it now leads with a watch of its own, and has
 * done it. */
void lap_apart_begin(struct step *own, struct stopwatch *watch);
void lap_apart_end(const struct step *own, const struct step *step);
/* All that were apart are done: the time since the last lap is split as theirs was. */
void lap_apart(const struct step *step);

#endif
