/* probe_solid.h - the material functions of ispc/ opened for tests, which otherwise see whole
 * phases.
 *
 * Shared by C and probe_solid.ispc. Tests only: nothing of the engine includes this.
 */
#ifndef PIOLA_PROBE_SOLID_H
#define PIOLA_PROBE_SOLID_H

#include "../../src/kernels/packs.h"

/* 16 deformation gradients and what the kernels make of them. Entries of matrices are 3 row +
 * column, symmetric ones xx yy zz yz xz xy. */
struct pk_probe {
    float f[9][PK_LANES], f0[9][PK_LANES]; /* now, and when the substep began */
    float plastic[6][PK_LANES];
    float b[3][PK_LANES]; /* dF/dx of the vertex, 1/m */

    float psi[PK_LANES], p[9][PK_LANES];               /* what projection and measuring use */
    float vertex_psi[PK_LANES], gradient[3][PK_LANES]; /* what descent uses */
    float block[6][PK_LANES], bend[PK_LANES];
};

/* The same F, F0 and b, of an element of 1 m^3 whose vertex moves by `step`. */
struct pk_probe_step {
    float f[9][PK_LANES], f0[9][PK_LANES];
    float b[3][PK_LANES], step[3][PK_LANES];

    float rise[PK_LANES]; /* Pa: what descent foresees */
    pk_u32 holds[PK_LANES];
};

#ifndef ISPC
void pk_probe_solid(struct pk_probe *probes, uint32_t count, const struct pk_material *material,
                    float dt);
void pk_probe_steps(struct pk_probe_step *probes, uint32_t count,
                    const struct pk_material *material, float dt);
#endif

#endif
