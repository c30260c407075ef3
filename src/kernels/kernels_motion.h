/* kernels_motion.h - what the kernels that look at particles one by one share with C: integration,
 * momentum. Included by ISPC for the structs, and by kernels.h for KERNELS_MOTION(X). */
#ifndef PIOLA_KERNELS_MOTION_H
#define PIOLA_KERNELS_MOTION_H

#include "kernels/packs.h"

/* How particles move in one substep. */
struct pk_motion {
    float dt;              /* s, the substep */
    float inverse_dt;      /* 1/s */
    float acceleration[3]; /* m/s^2, of free particles */
    float keep;            /* factor on velocities after the substep: 1 without damping */
    float pin_keep; /* factor on the velocities of pinned particles: 0 in a step's last substep */
};

/* A run of particles to integrate; what a kernel does not read may be null. */
struct pk_motion_job {
    PK_STREAM(struct pk_quad) x;
    PK_STREAM(struct pk_quad) v;
    PK_STREAM(struct pk_quad) older_x;     /* BDF2; of aim: null for implicit Euler */
    PK_STREAM(struct pk_quad) older_v;     /* null where the solver needs none */
    PK_STREAM(const struct pk_quad) force; /* N; w: resistance, kg/s; null where nothing pulls */
    PK_STREAM(struct pk_quad) start;
    PK_STREAM(struct pk_quad) target;
    PK_STREAM(const struct pk_motion) motion;
    pk_u32 count;
    pk_u32 guessed; /* predict_bdf2: 1 to begin from a guess */
    pk_u32 first;   /* finish_bdf2: 1 in a body's first substep, which is implicit Euler's */
};

/* Sums over particles, lane by lane, in double; what u and q are: ispc/motion/momentum.ispc. */
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

#ifndef ISPC

#define KERNELS_MOTION(X)                                                                          \
    X(void, predict_euler, (const struct pk_motion_job *job))                                      \
    X(void, predict_bdf2, (const struct pk_motion_job *job))                                       \
    X(void, hold_back, (const struct pk_motion_job *job))                                          \
    X(void, aim, (const struct pk_motion_job *job))                                                \
    X(uint32_t, finish_euler, (const struct pk_motion_job *job))                                   \
    X(uint32_t, finish_bdf2, (const struct pk_motion_job *job))                                    \
    X(void, momentum_add,                                                                          \
      (const struct pk_quad *x, const struct pk_quad *u, const struct pk_quad *target,             \
       uint32_t count, struct pk_momentum *sum))                                                   \
    X(void, momentum_total, (struct pk_momentum * sum))                                            \
    X(void, rigid_move, (struct pk_quad * x, uint32_t count, const struct pk_rigid *rigid))        \
    X(void, rigid_push,                                                                            \
      (const struct pk_quad *x, struct pk_quad *v, uint32_t count, const struct pk_rigid *rigid))

#endif

#endif
