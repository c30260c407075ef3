/* moments.h - the moments of a substep at which families act, in the order of families.def. */
#ifndef PIOLA_MOMENTS_H
#define PIOLA_MOMENTS_H

#include "motion/stage.h"
#include "world/family.h"

/* What is done at a moment, in order: in a domain that one worker does, and in the shared one. */
typedef void act(struct step *step);
struct acts {
    uint32_t count;
    act *run[2 * FAMILY_COUNT];
};
struct moment_list {
    struct acts alone, shared;
};

/* Of the families that have something to do in this step. */
void moments_of(const piola_world *world, struct moment_list list[MOMENTS]);
/* True when one of them has all bodies advance together. */
bool moments_together(const piola_world *world);
/* Bodies have come or gone. */
void moments_list(piola_world *world);
/* True when some family walks over the clusters of elements. */
bool moments_parts(const piola_world *world);
/* Every family that acts in the step's domain, at a moment. */
void at(struct step *step, enum moment moment);

#endif
