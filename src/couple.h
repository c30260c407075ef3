/* couple.h - bodies that are tied to others (attached, in contact, under pressure), iteration by
 * iteration.
 *
 * What ties bodies registers itself here: each of the four moments below calls it in a fixed order,
 * so results do not depend on threads. Not here: how any one of them works.
 */
#ifndef PIOLA_COUPLE_H
#define PIOLA_COUPLE_H

#include "stages.h"

/* After the prediction, once a substep. */
void couple_begin(struct step *step, struct jobs *jobs);
/* Before the elements of an iteration. Descent: lays down each coupled particle's `extra` anew,
 * from the positions as they are. */
void couple_refresh(struct step *step, struct jobs *jobs, uint32_t iteration);
/* After the elements of an iteration. Projections: constraints between bodies. */
void couple_project(struct step *step, struct jobs *jobs, uint32_t iteration);
/* After the last iteration and the rigid corrections, before the velocities. */
void couple_end(struct step *step, struct jobs *jobs);

/* The body's three streams of `extra` (ispc/extra.isph), body->count quads each: gradient h (N),
 * diagonal xx yy zz and off-diagonal yz xz xy of the Hessian (N/m), both at the particle's target.
 * Null when nothing ties the body, or outside descent. */
struct pk_quad *couple_extra(const piola_world *world, const struct body *body);
/* Zeros, in a chunk of a coupled body. */
void couple_clear(const struct step *step, const struct body *body, uint32_t first, uint32_t count);

#endif
