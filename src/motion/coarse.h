/* coarse.h - the coarse level of descent: low modes of a body, which sweeps over its vertices leave
 * unsolved, are solved for at once, as displacements of a cage around it. */
#ifndef PIOLA_COARSE_H
#define PIOLA_COARSE_H

#include "motion/phases.h"
#include "world/family.h"

/* Sweeps between corrections go so much farther than each vertex's own minimum: their energy still
 * never rises, and errors a few elements wide fall faster. */
#define COARSE_RELAXATION 1.3F

/* True when the body's substeps have corrections by the coarse level. */
bool coarse_acts(const piola_world *world, const struct body *body);
/* Puts free particles where their velocities take them: where the iterations begin. */
void coarse_begin(const struct step *step, const struct body *body, uint32_t first, uint32_t count);
/* True when a correction takes the place of this iteration's sweep. */
bool coarse_replaces(const struct step *step, const struct body *body, uint32_t iteration);
/* Before the sweep of this iteration, if it is due: one correction of the whole body. */
void coarse_correct(const struct step *step, uint32_t body, uint32_t iteration);

#endif
