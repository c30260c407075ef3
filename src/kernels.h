/* kernels.h - the ISPC kernels as C sees them: prototypes, and one table per instruction set.
 *
 * KERNELS(X) lists every kernel once: X(return type, name, (arguments)). Each has one function per
 * instruction set, named pk_<name>_<isa>, and one member in struct kernels. The arguments mirror
 * the `export` in ispc/; streams are whole quads, counts of particles are multiples of PK_LANES.
 */
#ifndef PIOLA_KERNELS_H
#define PIOLA_KERNELS_H

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

#define KERNELS_LINEAR(X)                                                                          \
    X(void, predict_euler,                                                                         \
      (struct pk_quad * x, const struct pk_quad *v, struct pk_quad *start, struct pk_quad *target, \
       uint32_t count, const struct pk_motion *motion))                                            \
    X(void, predict_bdf2,                                                                          \
      (struct pk_quad * x, const struct pk_quad *v, const struct pk_quad *older_x,                 \
       const struct pk_quad *older_v, struct pk_quad *start, struct pk_quad *target,               \
       uint32_t count, const struct pk_motion *motion))                                            \
    X(uint32_t, finish_euler,                                                                      \
      (const struct pk_quad *x, struct pk_quad *v, const struct pk_quad *target, uint32_t count,   \
       const struct pk_motion *motion))                                                            \
    X(uint32_t, finish_bdf2,                                                                       \
      (const struct pk_quad *x, struct pk_quad *v, struct pk_quad *older_x,                        \
       struct pk_quad *older_v, const struct pk_quad *start, const struct pk_quad *target,         \
       uint32_t count, uint32_t first, const struct pk_motion *motion))

#define KERNELS(X)                                                                                 \
    KERNELS_LINEAR(X)                                                                              \
    KERNELS_SOLIDS(X)

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
