/* kernels_limits.h - the kernels of hard limits, for the table in kernels.h.
 *
 * `x` is a body's position stream, `target` its inertial targets, which move along with x (limit.h)
 * unless null. */
#ifndef PIOLA_KERNELS_LIMITS_H
#define PIOLA_KERNELS_LIMITS_H

#include "kernels_solids.h"

/* project_links: `multipliers` are 16 floats a pack, zero at a substep's start.
 *
 * limit_stretches: `count` packs of one material with bounds of its stretches.
 *
 * hold_tethers: `groups` of 16 particles, the first of them number `group` of the body; `first` and
 * `packs` are the asset's whole arrays. */
#define KERNELS_LIMITS(X)                                                                          \
    X(void, project_links,                                                                         \
      (struct pk_quad * x, struct pk_quad * target, const struct pk_link_pack *packs,              \
       float *multipliers, uint32_t count, const struct pk_solve *solve))                          \
    X(void, limit_stretches,                                                                       \
      (struct pk_quad * x, struct pk_quad * target, const struct pk_triangle_pack *packs,          \
       uint32_t count, const struct pk_material *material))                                        \
    X(void, hold_tethers,                                                                          \
      (struct pk_quad * x, struct pk_quad * target, const uint32_t *first,                         \
       const struct pk_tether_pack *packs, uint32_t group, uint32_t groups))

#endif
