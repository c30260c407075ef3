/* coat.h - what a body's surface is to others: whom it meets, and how it rubs. */
#ifndef PIOLA_COAT_H
#define PIOLA_COAT_H

#include "world.h"

/* Of a description: false with the field that is wrong. */
piola_status coat_check(const piola_body_desc *desc, const char **field);
/* Of a body that comes, or (null) goes; of all that exist. */
void coat_set(piola_world *world, uint32_t body, const piola_body_desc *desc);
void coat_recount(piola_world *world);
/* True when stored coats are possible; unaligned. */
bool coat_sane(const unsigned char *coats, uint64_t count);

/* What most bodies have is all zero, and not stored behind the last that differs. */
static inline struct coat coat_of(const piola_world *world, uint32_t body)
{
    return body < world->dim[DIM_coats].used ? world_coats(world)[body] : (struct coat){0};
}

/* True when the surfaces of two bodies, or of one with itself, meet. */
static inline bool coats_meet(const piola_world *world, uint32_t a, uint32_t b)
{
    if (world->dim[DIM_coats].used == 0)
        return true;
    const struct coat one = coat_of(world, a), two = coat_of(world, b);
    if (a == b)
        return !(one.flags & COAT_ALONE);
    return !(one.passes >> (world_bodies(world)[b].group & 31) & 1) &&
           !(two.passes >> (world_bodies(world)[a].group & 31) & 1);
}

/* Coulomb's coefficients of two bodies on each other, at rest [0] and sliding [1]. */
void coat_friction(const piola_world *world, uint32_t a, uint32_t b, float friction[2]);

#endif
