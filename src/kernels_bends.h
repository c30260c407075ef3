/* kernels_bends.h - what the kernels of bending edges share with C: their prototypes.
 *
 * Included by ISPC for the structs, and by kernels.h, which makes the table of functions from
 * KERNELS_BENDS(X): X(return type, name, (arguments)). As in kernels_solids.h; `count` packs of one
 * material, whose mu is a third of the bending stiffness (N m), the factor of Q. docs/cloth.md says
 * what each one computes.
 */
#ifndef PIOLA_KERNELS_BENDS_H
#define PIOLA_KERNELS_BENDS_H

#include "kernels_solids.h"

#ifndef ISPC

#define KERNELS_BENDS(X)                                                                           \
    X(void, project_bends_energy,                                                                  \
      (struct pk_quad * x, const struct pk_bend_pack *packs, uint32_t count,                       \
       const struct pk_material *material, const struct pk_solve *solve))                          \
    X(void, project_bends_compliant,                                                               \
      (struct pk_quad * x, const struct pk_bend_pack *packs, float *multipliers, uint32_t count,   \
       const struct pk_material *material, const struct pk_solve *solve))                          \
    X(void, project_bends_explicit,                                                                \
      (struct pk_quad * x, const struct pk_bend_pack *packs, uint32_t count,                       \
       const struct pk_material *material, const struct pk_solve *solve))                          \
    X(void, measure_bends,                                                                         \
      (const struct pk_quad *x, const struct pk_bend_pack *packs, uint32_t count,                  \
       const struct pk_material *material, struct pk_quad *force, struct pk_measure *measure))

#endif

#endif
