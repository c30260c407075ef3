/* kernels_cloth.h - prototypes of the kernels of cloth: KERNELS_CLOTH(X), X(return type, name,
 * (arguments)).
 *
 * Conventions and parameters are those of kernels_solids.h; what each kernel computes:
 * docs/cloth.md.
 */
#ifndef PIOLA_KERNELS_CLOTH_H
#define PIOLA_KERNELS_CLOTH_H

#include "kernels_solids.h"

/* Triangles: as project_..., measure_tets and plastic_flow for tetrahedra. `cells[i]` is pack i's
 * plastic cell (its entries xx, yy and xy are used) or PK_NO_CELL. */
#define KERNELS_CLOTH(X)                                                                           \
    X(void, project_triangles_energy,                                                              \
      (struct pk_quad * x, const struct pk_quad *start, const struct pk_triangle_pack *packs,      \
       const uint32_t *cells, const struct pk_plastic *plastic, uint32_t count,                    \
       const struct pk_material *material, const struct pk_solve *solve))                          \
    X(void, project_triangles_compliant,                                                           \
      (struct pk_quad * x, const struct pk_quad *start, const struct pk_triangle_pack *packs,      \
       const uint32_t *cells, const struct pk_plastic *plastic, float *multipliers,                \
       uint32_t count, const struct pk_material *material, const struct pk_solve *solve))          \
    X(void, project_triangles_explicit,                                                            \
      (struct pk_quad * x, const struct pk_quad *start, const struct pk_triangle_pack *packs,      \
       const uint32_t *cells, const struct pk_plastic *plastic, uint32_t count,                    \
       const struct pk_material *material, const struct pk_solve *solve))                          \
    X(void, measure_triangles,                                                                     \
      (const struct pk_quad *x, const struct pk_quad *start, const struct pk_triangle_pack *packs, \
       const uint32_t *cells, const struct pk_plastic *plastic, uint32_t count,                    \
       const struct pk_material *material, const struct pk_solve *solve, struct pk_quad *force,    \
       struct pk_measure *measure))                                                                \
    X(void, plastic_flow_triangles,                                                                \
      (const struct pk_quad *x, const struct pk_triangle_pack *packs, const uint32_t *cells,       \
       struct pk_plastic *plastic, uint32_t count, const struct pk_material *material,             \
       const struct pk_solve *solve))

#endif
