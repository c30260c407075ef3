/* kernels_bends.h - what the kernels of bending edges share with C: their prototypes.
 *
 * Included by ISPC for the structs, and by kernels.h, which makes the table of functions from
 * KERNELS_BENDS(X): X(return type, name, (arguments)). As in kernels_solids.h; `count` packs of one
 * material, whose mu is a third of the bending stiffness (N m), the factor of Q. docs/cloth.md says
 * what each one computes. `cells[i]` is pack i's plastic cell or PK_NO_CELL, null when nothing of
 * the body is plastic; of a bend's cell only the first entry is used, the angle (rad) of its
 * crease.
 */
#ifndef PIOLA_KERNELS_BENDS_H
#define PIOLA_KERNELS_BENDS_H

#include "kernels_solids.h"

#ifndef ISPC

#define KERNELS_BENDS(X)                                                                           \
    X(void, project_bends_energy,                                                                  \
      (struct pk_quad * x, const struct pk_bend_pack *packs, const uint32_t *cells,                \
       const struct pk_plastic *plastic, uint32_t count, const struct pk_material *material,       \
       const struct pk_solve *solve))                                                              \
    X(void, project_bends_compliant,                                                               \
      (struct pk_quad * x, const struct pk_bend_pack *packs, const uint32_t *cells,                \
       const struct pk_plastic *plastic, float *multipliers, uint32_t count,                       \
       const struct pk_material *material, const struct pk_solve *solve))                          \
    X(void, project_bends_explicit,                                                                \
      (struct pk_quad * x, const struct pk_bend_pack *packs, const uint32_t *cells,                \
       const struct pk_plastic *plastic, uint32_t count, const struct pk_material *material,       \
       const struct pk_solve *solve))                                                              \
    X(void, measure_bends,                                                                         \
      (const struct pk_quad *x, const struct pk_bend_pack *packs, const uint32_t *cells,           \
       const struct pk_plastic *plastic, uint32_t count, const struct pk_material *material,       \
       struct pk_quad *force, struct pk_measure *measure))                                         \
    X(void, plastic_flow_bends,                                                                    \
      (const struct pk_quad *x, const struct pk_bend_pack *packs, const uint32_t *cells,           \
       struct pk_plastic *plastic, uint32_t count, const struct pk_material *material,             \
       const struct pk_solve *solve))

#endif

#endif
