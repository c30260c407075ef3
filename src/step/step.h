/* step.h - the parts of a step, for those who measure them. */
#ifndef PIOLA_STEP_H
#define PIOLA_STEP_H

#include "motion/stage.h"
#include "world/commands.h"

/* A step about to begin, after the inputs: lists are up to date, colliders planned. */
struct step step_begin(piola_world *world);
/* All substeps of all domains; between jobs_begin and jobs_end. */
void step_run(struct step *step);

#endif
