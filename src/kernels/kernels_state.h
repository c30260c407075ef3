/* kernels_state.h - the kernels that tell what elements are in: deformation, stress, energy.
 * Included by ISPC for the structs, and by kernels.h for KERNELS_STATE(X). */
#ifndef PIOLA_KERNELS_STATE_H
#define PIOLA_KERNELS_STATE_H

#include "kernels/kernels_solids.h"

/* A pack's deformation gradients and first Piola stresses, by rows; of triangles the third column
 * is 0 and the stress is N/m. */
struct pk_element_state {
    float f[9][PK_LANES];
    float p[9][PK_LANES]; /* Pa */
    float psi[PK_LANES];  /* J/m^3 at rest; of triangles J/m^2 */
};

/* A run of packs of one kind and one material. What a kernel does not read may be null. */
struct pk_state_job {
    PK_STREAM(const struct pk_quad) x; /* the body's stream of positions */
    PK_STREAM(const struct pk_tet_pack) tets;
    PK_STREAM(const struct pk_triangle_pack) triangles;
    PK_STREAM(const pk_u32) cells; /* as of pk_element_job; null when nothing is plastic */
    PK_STREAM(const struct pk_plastic) plastic;
    PK_STREAM(const struct pk_material) material;
    PK_STREAM(struct pk_element_state) states;
    pk_u32 count;
};

#ifndef ISPC

#define KERNELS_STATE(X)                                                                           \
    X(void, state_tets, (const struct pk_state_job *job))                                          \
    X(void, state_triangles, (const struct pk_state_job *job))

#endif

#endif
