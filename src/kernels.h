/* kernels.h - the ISPC kernels as C sees them: prototypes, and one table per instruction set.
 *
 * KERNELS(X) lists every kernel once: X(return type, name, (arguments)). Each has one function per
 * instruction set, named pk_<name>_<isa>, and one member in struct kernels. The arguments mirror
 * the `export` in ispc/; streams are whole quads that start at
 * multiples of 64 bytes, counts of particles are multiples of PK_LANES.
 */
#ifndef PIOLA_KERNELS_H
#define PIOLA_KERNELS_H

#include "kernels_bends.h"
#include "kernels_cloth.h"
#include "kernels_contact.h"
#include "kernels_detail.h"
#include "kernels_forces.h"
#include "kernels_limits.h"
#include "kernels_query.h"
#include "kernels_solids.h"
#include "packs.h"
#include "piola/piola.h"

/* How a run of particles moves in one substep: pk_predict..., pk_finish... */
struct pk_motion {
    float dt;              /* s, the substep */
    float inverse_dt;      /* 1/s */
    float acceleration[3]; /* m/s^2, of free particles */
    float keep;            /* factor on velocities after the substep: 1 without damping */
    float pin_keep; /* factor on the velocities of pinned particles: 0 in a step's last substep */
};

/* Sums over particles, lane by lane, in double; what u and q are: ispc/momentum.ispc. */
struct pk_momentum {
    double mass[PK_LANES];
    double first[3][PK_LANES];   /* sum m x */
    double linear[3][PK_LANES];  /* sum m u */
    double angular[3][PK_LANES]; /* sum m x cross u */
    double second[6][PK_LANES];  /* symmetric part of sum m x q^T: xx yy zz yz xz xy */
};

/* A rigid correction of positions (rotation is its excess over the identity) or of velocities. */
struct pk_rigid {
    float centre[3];
    float shift[3];
    float turn[3];
    float rotation[9];
};

#define KERNELS_LINEAR(X)                                                                          \
    X(void, predict_euler,                                                                         \
      (struct pk_quad * x, const struct pk_quad *v, const struct pk_quad *older_v,                 \
       struct pk_quad *start, struct pk_quad *target, uint32_t count,                              \
       const struct pk_motion *motion))                                                            \
    X(void, predict_bdf2,                                                                          \
      (struct pk_quad * x, const struct pk_quad *v, const struct pk_quad *older_x,                 \
       const struct pk_quad *older_v, struct pk_quad *start, struct pk_quad *target,               \
       uint32_t count, uint32_t guessed, const struct pk_motion *motion))                          \
    X(void, hold_back,                                                                             \
      (struct pk_quad * x, const struct pk_quad *start, const struct pk_quad *v,                   \
       const struct pk_quad *older_v, uint32_t count, const struct pk_motion *motion))             \
    X(void, aim,                                                                                   \
      (const struct pk_quad *start, const struct pk_quad *v, const struct pk_quad *older_x,        \
       const struct pk_quad *older_v, struct pk_quad *target, uint32_t count,                      \
       const struct pk_motion *motion))                                                            \
    X(uint32_t, finish_euler,                                                                      \
      (const struct pk_quad *x, struct pk_quad *v, struct pk_quad *older_v,                        \
       const struct pk_quad *target, uint32_t count, const struct pk_motion *motion))              \
    X(uint32_t, finish_bdf2,                                                                       \
      (const struct pk_quad *x, struct pk_quad *v, struct pk_quad *older_x,                        \
       struct pk_quad *older_v, const struct pk_quad *start, const struct pk_quad *target,         \
       uint32_t count, uint32_t first, const struct pk_motion *motion))                            \
    X(void, momentum_add,                                                                          \
      (const struct pk_quad *x, const struct pk_quad *u, const struct pk_quad *target,             \
       uint32_t count, struct pk_momentum *sum))                                                   \
    X(void, momentum_total, (struct pk_momentum * sum))                                            \
    X(void, rigid_move, (struct pk_quad * x, uint32_t count, const struct pk_rigid *rigid))        \
    X(void, rigid_push,                                                                            \
      (const struct pk_quad *x, struct pk_quad *v, uint32_t count, const struct pk_rigid *rigid))

#define KERNELS(X)                                                                                 \
    KERNELS_LINEAR(X)                                                                              \
    KERNELS_SOLIDS(X)                                                                              \
    KERNELS_BENDS(X)                                                                               \
    KERNELS_DETAIL(X)                                                                              \
    KERNELS_LIMITS(X)                                                                              \
    KERNELS_FORCES(X)                                                                              \
    KERNELS_CLOTH(X)                                                                               \
    KERNELS_CONTACT(X)                                                                             \
    KERNELS_QUERY(X)

struct kernels {
#define X(type, name, arguments) type(*name) arguments;
    KERNELS(X)
#undef X
};

/* The kernels of an instruction set that piola_isa_available() said yes to; AUTO is the widest. */
const struct kernels *kernels_for(piola_isa isa);
/* AUTO becomes what it stands for here; others stay. */
piola_isa isa_resolve(piola_isa isa);

#endif
