/* kernels_constraints.h - what the kernels of constraints share with C. */
#ifndef PIOLA_KERNELS_CONSTRAINTS_H
#define PIOLA_KERNELS_CONSTRAINTS_H

#include "kernels/packs.h"

/* As piola_constraint_kind: 2, 3 and 4 vertices, then 4. */
enum pk_constraint_kind {
    PK_CONSTRAINT_DISTANCE,
    PK_CONSTRAINT_AREA,
    PK_CONSTRAINT_VOLUME,
    PK_CONSTRAINT_STRETCH, /* 4, of a triangle a dummy's */
    PK_CONSTRAINT_SHEAR,
    PK_CONSTRAINT_KINDS
};

/* 16 constraints of one kind that share no particle: what they measure stays between `least` and
 * `most`. Unused lanes are dummies throughout; so are corners that the kind has not. */
struct pk_constraint_pack {
    pk_u32 index[4][PK_LANES];
    float least[PK_LANES], most[PK_LANES]; /* m, m^2, m^3 */
    float compliance[PK_LANES];            /* the square of that unit over J; 0 is rigid */
    /* Of stretch and shear: F times the first and the second direction is the sum of these times
     * the corners; of shear `rest` is the cosine at rest. */
    float along[2][4][PK_LANES];
    float rest[PK_LANES];
    float left[PK_LANES]; /* share of its error that a whole step leaves, 0 to below 1: 1 - k */
    pk_u32 kind;
    pk_u32 reserved[15];
};

/* What the constraints of a body are told. */
struct pk_constraint_job {
    PK_STREAM(struct pk_quad) x;
    PK_STREAM(struct pk_quad) target; /* null, or its inertial targets: they move along */
    PK_STREAM(struct pk_quad) sums;   /* null, or where corrections are added up, zero */
    PK_STREAM(const float) shares;    /* of sums: constraints a particle has */
    PK_STREAM(const struct pk_constraint_pack) packs;
    PK_STREAM(float) multipliers; /* 16 a pack, zero at a substep's start; positive ones push */
    float inertia;                /* 1/s^2 */
    float part;                   /* one over the iterations of a step */
    float relaxation;             /* factor on corrections */
    pk_u32 split; /* sums: 1 where masses are split, 0 where corrections are averaged */
    pk_u32 count; /* packs; of constraints_move: particles */
};

#endif
