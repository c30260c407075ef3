/* contact.h - surfaces against surfaces: bodies against each other and against themselves.
 *
 * contact_list.c: which triangles there are, in an order and a tree. contact_find.c: once a substep
 * the pairs that may meet. contact_force.c: what a pair does in an iteration. contact_limit.c:
 * after the iterations, how far each vertex may go. All run on the calling thread, in the order of
 * the bodies and triangles.
 */
#ifndef PIOLA_CONTACT_H
#define PIOLA_CONTACT_H

#include "near.h"
#include "phases.h"

#define CONTACT_LEAF 4u /* faces of a leaf */

static inline bool contact_any(const piola_world *world)
{
    return world->desc.max_contacts > 0;
}

/* When bodies were created or destroyed. */
void contact_list(piola_world *world);
/* After the prediction. */
void contact_find(const struct step *step);
/* Descent, before each iteration: adds to `extra`. */
void contact_refresh(const struct step *step);
/* Projections, after each iteration. */
void contact_project(const struct step *step);
/* After the iterations: the pairs anew if particles went where none were sought. */
void contact_seek_again(const struct step *step);
/* Then: how far each particle goes. */
void contact_limit(const struct step *step);

/* contact_momentum.c: after contact_find; when a pair pushes or is stopped; after the velocities.
 */
void contact_remember(const struct step *step);
void contact_join(const piola_world *world, const struct pair *pair);
void contact_keep_momentum(const struct step *step);

/* What must remain of a pair's distance in a substep: a fifth of it, but a share of the thickness
 * that rounding of positions is small against; near that and below, (nearly) all. */
static inline float contact_keep(float distance, float thickness)
{
    const float least = 0.02f * thickness, part = 0.2f * distance, most = 0.2f * thickness;
    if (distance <= 0.5f * least)
        return 0.999f * distance;
    if (0.9f * distance <= least)
        return 0.9f * distance;
    const float wanted = part < most ? part : most;
    return wanted > least ? wanted : least;
}

/* The nearest points of a pair at positions of a stream, or that plus share times a way. */
double contact_near(const struct pair *pair, const struct pk_quad *x, double weight[4],
                    double between[3]);

#endif
