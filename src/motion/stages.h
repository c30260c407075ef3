/* stages.h - what is done about a whole domain between two of motion's stages. */
#ifndef PIOLA_STAGES_H
#define PIOLA_STAGES_H

#include "motion/phases.h"

/* A stage that writes sums of chunks (world_sums); then those of each body of the domain that keeps
 * its momentum are handed to `use`. Nothing when none is kept. */
typedef void momentum_use(const struct step *step, uint32_t body, const struct sums *sum);
void domain_sum_momenta(const struct step *step, enum stage_kind kind, uint32_t argument,
                        momentum_use *use);
/* Objective (and forces, residual, ...) of each body into its measure's `now`. */
void domain_measure(struct step *step, bool forces);
/* A Chebyshev step after an iteration. */
void domain_accelerate(struct step *step);
/* Bodies without pins: what their momentum must be, and the corrections of positions (after the
 * iterations) and velocities (after line 10) that make it so. */
void domain_expect_momentum(const struct step *step);
void domain_straighten(const struct step *step);
void domain_push(const struct step *step);
/* After line 10: bodies with a broken number are frozen; after the flow the others age. */
void domain_freeze(const struct step *step);
void domain_age(const struct step *step);

#endif
