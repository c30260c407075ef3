/* kernels_forces.h - what the kernels of outer forces share with C: parameters and prototypes.
 *
 * Included by ISPC for the structs, and by kernels.h for KERNELS_FORCES(X), as kernels_solids.h is.
 */
#ifndef PIOLA_KERNELS_FORCES_H
#define PIOLA_KERNELS_FORCES_H

#include "packs.h"

/* The air around a body in one substep. */
struct pk_air {
    float dt;          /* s */
    float relative[3]; /* m/s, what makes a velocity one through the air: gravity's gain - wind */
    float drag, lift;  /* kg/m^3: coefficients times half the density */
    float share;       /* of the change that reaches the velocities: 1, or 2/3 with BDF2 */
    float mass;        /* kg/m^2, of the cloth at rest */
};

#ifndef ISPC

/* wind: changes the velocities v of the corners of `count` packs of one material, whatever order
 * the packs come in: all of them see the velocities `before`. x holds inverse masses in w. */
#define KERNELS_FORCES(X)                                                                          \
    X(void, wind,                                                                                  \
      (const struct pk_quad *x, const struct pk_quad *before, struct pk_quad *v,                   \
       const struct pk_triangle_pack *packs, uint32_t count, const struct pk_air *air))

#endif

#endif
