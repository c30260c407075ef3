/* query_solid.h - colliders and rigid bodies for queries: beside the bodies' surfaces of query.c.
 */
#ifndef PIOLA_QUERY_SOLID_H
#define PIOLA_QUERY_SOLID_H

#include "piola/piola.h"

#include <stdbool.h>

/* Whom a query asks about. */
struct query_whom {
    const piola_world *world;
    uint64_t mask;
    uint32_t targets; /* piola_target bits */
};

/* Sets the hit to the first collider or rigid body that a ray (unit direction) meets, if it does
 * that nearer than `best` (m), by more than rounding; `any`: something is known at `best`. */
void query_solids_ray(const struct query_whom *whom, const double origin[3],
                      const double direction[3], bool any, double best, piola_hit *hit);
/* The same of the closest place to a point. */
void query_solids_closest(const struct query_whom *whom, const double point[3], bool any,
                          double best, piola_hit *hit);

#endif
