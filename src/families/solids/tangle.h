/* tangle.h - elements in a state that no solid takes by itself: see tangle.c. */
#ifndef PIOLA_TANGLE_H
#define PIOLA_TANGLE_H

#include "world/world.h"

/* Looks through a part of the body's tetrahedra, the next one for each `turn`, for the worst one
 * that is inverted, or strained beyond what free bodies bear. Its corners, particles of the body;
 * false when there is none. */
bool tangle_find(const piola_world *world, const struct body *body, uint64_t turn,
                 uint32_t corner[4]);
/* True until an element that was found is about as long as at rest in all directions again. */
bool tangle_lasts(const piola_world *world, const struct body *body, const uint32_t corner[4]);
/* s: about how long a solid takes to swing, or to creep, back. */
double tangle_own_time(const piola_asset *asset, double damping, double size);

#endif
