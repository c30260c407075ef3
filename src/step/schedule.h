/* schedule.h - the lists that a step's stages are made of. */
#ifndef PIOLA_SCHEDULE_H
#define PIOLA_SCHEDULE_H

#include "motion/stage.h"

/* Brings the lists of bodies, domains, chunks, runs and parts up to date. */
void schedule_update(piola_world *world);

/* What the job system and stage() are given. */
extern const struct stage_row schedule_stages[STAGE_COUNT];
extern const struct jobs_program schedule_program;

#endif
