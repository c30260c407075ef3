/* sleep.h - who falls asleep after a step, and whom what moves wakes in it. */
#ifndef PIOLA_SLEEP_H
#define PIOLA_SLEEP_H

#include "motion/stage.h"

/* When a step begins: wakes whom colliders, commands and ties reach, in worlds in which bodies
 * advance by themselves. */
void sleep_begin(struct step *step);
/* When a substep begins, after START: wakes whom anything may come near in it. False when all
 * sleep: then nothing happens. */
bool sleep_wake(struct step *step);
/* Of a body, after its last substep: how fast it is. */
void sleep_measure(const struct step *step, uint32_t body);
/* After the step: who falls asleep. */
void sleep_end(const struct step *step);
void sleep_report(const piola_world *world, piola_report *report);

#endif
