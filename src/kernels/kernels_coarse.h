/* kernels_coarse.h - the coarse level of descent: what the asset holds of it, and its kernels.
 *
 * Included by ISPC for the structs, and by kernels.h. The coarse unknowns are displacements of the
 * nodes of a trilinear cage around the rest shape, three a node; docs/method/descent.md says what
 * is done with them. Numbers of nodes rise along the longest axis of the cage, so that the matrix
 * has a narrow band.
 */
#ifndef PIOLA_KERNELS_COARSE_H
#define PIOLA_KERNELS_COARSE_H

#include "kernels/kernels_solids.h"

#define PK_CORNERS 8 /* of a cell of the cage */
/* Doubles of coarse scratch that a body has for each of its particles. */
#define PK_COARSE_DOUBLES 32

/* One per asset that has a coarse level. */
struct pk_coarse {
    pk_u32 nodes, groups;
    pk_u32 matrix; /* doubles of the factor */
    pk_u32 reserved;
    float damping; /* s, the materials' mean, weighed by stiffness */
    float reserved2[11];
};

/* A node's three rows of the matrix: columns from 3 node rounded down to 16, `width` of them each,
 * a multiple of 16. The last column that is not zero is that of node `reach`, which never falls
 * from node to node. */
struct pk_coarse_node {
    pk_u32 reach, offset, width;
    float mass;    /* kg, the diagonal of the coarse mass matrix */
    float strings; /* what its vertices' stiffness is divided by; 0 in solids */
};

/* Up to 16 vertices of one cell. Lanes from `count` on repeat the one before
 * it, so that they are of one gang with it, however wide gangs are. Corner i of the cell is at the
 * upper end of axis k where bit k of i is set. */
struct pk_cage_pack {
    pk_u32 index[PK_LANES];
    float local[3][PK_LANES]; /* 0 to 1 across the cell */
    pk_u32 node[PK_CORNERS];
    pk_u32 count;
    pk_u32 ends; /* 1 in the last pack of its cell */
    pk_u32 reserved[6];
};

/* 16 pairs of nodes, row < column, and their blocks `first` to first + count - 1. Unused lanes,
 * from `used` on, have blocks of zeros. */
struct pk_coarse_pairs {
    pk_u32 row[PK_LANES], column[PK_LANES];
    float mass[PK_LANES];   /* kg */
    float string[PK_LANES]; /* of triangles, per stiffness in a direction */
    float bend[PK_LANES];   /* N/m, alike in all directions */
    pk_u32 first, count, used;
    pk_u32 reserved[13];
};

/* A part of each lane's pair: the rest stiffness (N/m, row-major) of a group of elements, which is
 * turned as the group is. */
struct pk_coarse_block {
    pk_u32 group[PK_LANES];
    float k[9][PK_LANES];
};

/* Rotations of 16 groups. */
struct pk_coarse_turns {
    float r[9][PK_LANES]; /* row-major */
};

/* A matrix from zeros: stiffness times `scale`, mass times `inertia`, strings times the mean of
 * what their nodes resist (N/m: `node_count` times xx, then yy zz yz xz xy; may be null), and
 * bends. */
struct pk_assemble_job {
    PK_STREAM(const struct pk_coarse_pairs) pairs; /* `count` */
    PK_STREAM(const struct pk_coarse_block) blocks;
    PK_STREAM(const struct pk_coarse_turns) turns;
    PK_STREAM(const struct pk_coarse_node) nodes; /* `node_count` */
    PK_STREAM(const double) resists;
    PK_STREAM(double) matrix;
    pk_u32 count, node_count;
    float scale, inertia;
};

/* Particles whose forces are made the gradient of the whole objective. */
struct pk_balance_job {
    PK_STREAM(const struct pk_quad) x;
    PK_STREAM(const struct pk_quad) target;
    PK_STREAM(const struct pk_quad) external; /* three streams `stride` apart; may be null */
    PK_STREAM(struct pk_quad) force;
    PK_STREAM(const struct pk_solve) solve;
    pk_u32 count, stride;
};

#ifndef ISPC

/* coarse_turn: rotations of 16 groups a pack, from the four particles that stand for each.
 * coarse_turned: the largest entry by which any of them differs from what coarse_turn left.
 * coarse_strain: the largest entry of F - R of any group, R as coarse_turn left it.
 * coarse_gather: adds particles' values to their nodes'.
 * coarse_factor: U^T D U in place; `inverse` gets 1 / D, 0 where there is nothing to divide by.
 * coarse_solve: from right-hand side to solution, in place; `b` is padded with zeros to 16.
 * coarse_forces: adds the gradient of the elements' energy to `force`, as measure_tets.
 * coarse_balance: makes of it the gradient of the whole objective, 0 where particles are not free.
 * coarse_restrict: what nodes feel of `force`, added to b.
 * coarse_prolong: step = P u in free particles, else 0, and x += step.
 * coarse_move: x += factor step.
 * coarse_begin: free particles where their velocities take them. */
#define KERNELS_COARSE(X)                                                                          \
    X(void, coarse_turn,                                                                           \
      (const struct pk_quad *x, const struct pk_tet_pack *frames, uint32_t count,                  \
       struct pk_coarse_turns *turns))                                                             \
    X(float, coarse_turned,                                                                        \
      (const struct pk_quad *x, const struct pk_tet_pack *frames, uint32_t count,                  \
       const struct pk_coarse_turns *turns))                                                       \
    X(float, coarse_strain,                                                                        \
      (const struct pk_quad *x, const struct pk_tet_pack *frames, uint32_t count,                  \
       const struct pk_coarse_turns *turns))                                                       \
    X(void, coarse_assemble, (const struct pk_assemble_job *job))                                  \
    X(void, coarse_gather,                                                                         \
      (const float *value, const struct pk_cage_pack *packs, uint32_t count, double *nodes))       \
    X(void, coarse_factor,                                                                         \
      (double *matrix, const struct pk_coarse_node *nodes, uint32_t count, double *inverse))       \
    X(void, coarse_solve,                                                                          \
      (const double *matrix, const double *inverse, const struct pk_coarse_node *nodes,            \
       uint32_t count, double *b))                                                                 \
    X(void, coarse_forces, (const struct pk_element_job *job))                                     \
    X(void, coarse_balance, (const struct pk_balance_job *job))                                    \
    X(void, coarse_restrict,                                                                       \
      (const struct pk_quad *force, const struct pk_cage_pack *packs, uint32_t count, double *b))  \
    X(void, coarse_prolong,                                                                        \
      (struct pk_quad * x, struct pk_quad * step, const struct pk_cage_pack *packs,                \
       uint32_t count, const double *u))                                                           \
    X(void, coarse_move,                                                                           \
      (struct pk_quad * x, const struct pk_quad *step, uint32_t count, float factor))              \
    X(void, coarse_begin,                                                                          \
      (struct pk_quad * x, const struct pk_quad *start, const struct pk_quad *v, uint32_t count,   \
       float dt))

#endif

#endif
