/* guides.h - vertices that a pin leaves a plane or a line to move in: rollers, symmetry planes.
 *
 * They are state: one short list, sorted by body and particle. Each worker looks only at its own
 * bodies' part of it. Kernels read the directions from a stream of the particles.
 */
#ifndef PIOLA_GUIDES_H
#define PIOLA_GUIDES_H

#include "world/world.h"

/* A vertex that may move only in a plane, along a line. */
enum guide_kind { GUIDE_PLANE = 1, GUIDE_LINE = 2 };
struct guide {
    uint32_t body, particle; /* of the world; of the body */
    uint32_t kind;           /* enum guide_kind; 0 in a slot that is not used */
    float way[3];            /* unit: the plane's normal, the line's direction */
    float point[3];          /* m, of the plane or line, at the end of this substep */
    float goal[3];           /* m, at the end of the step */
    float speed[3];          /* m/s, of the point in this step */
};

#define ARRAYS_OF "families/guides/guides.def"
#include "world/arrays.h"

/* False when there is no room, or no such vertex. Ends a pin of the vertex. */
bool guides_apply_command(piola_world *world, struct body *body, const piola_command *command);
/* Lets a vertex go that may be guided; and all of a body that goes. */
void guides_end(piola_world *world, struct body *body, uint32_t particle);
void guides_end_with(piola_world *world, struct body *body);
/* Counts the list and fills the stream of directions anew: bodies were moved, or restored. */
void guides_recount(piola_world *world);

/* The body's part of the list. */
struct guide *guides_of(const piola_world *world, const struct body *body, uint32_t *count);
/* Directions by particle of the body, w: enum guide_kind, else 0. Null when nothing guides it. */
const struct pk_quad *guides_ways(const piola_world *world, const struct body *body);

/* What a guide leaves of a force or a way, and what it takes. */
void guide_leaves(const struct pk_quad *way, const double v[3], double left[3]);
/* Takes from the body's vectors, one a particle, what its guides do not leave. */
void guides_confine(const piola_world *world, const struct body *body, struct pk_quad *vectors);
/* Puts the body's particles where their guides allow. */
void guides_place(const piola_world *world, const struct body *body);
/* True when all guides of the body leave it a common direction to move in; then `held` are `count`
 * orthogonal unit vectors that they do not. */
bool guides_freedom(const piola_world *world, const struct body *body, double held[3][3],
                    int *count);

#endif
