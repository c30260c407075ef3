/* kernels_limits.h - what the kernels of hard limits share with C. */
#ifndef PIOLA_KERNELS_LIMITS_H
#define PIOLA_KERNELS_LIMITS_H

#include "kernels/kernels_solids.h"

/* A run of packs of one kind: what a kernel does not read may be null. */
struct pk_limit_job {
    PK_STREAM(struct pk_quad) x; /* the body's stream of positions */
    PK_STREAM(struct pk_quad)
    target; /* null, or its inertial targets: they move along (limits.h) */
    PK_STREAM(const struct pk_link_pack) links; /* project_links */
    PK_STREAM(const float) damping;             /* of links, N s/m, 16 a pack; null: none */
    PK_STREAM(const struct pk_quad) start;      /* where the substep began; read for damping */
    PK_STREAM(const struct pk_triangle_pack) triangles; /* limits_stretches: of one material */
    PK_STREAM(const struct pk_tether_pack) tethers;     /* hold_tethers: the asset's whole array, */
    PK_STREAM(const pk_u32) tether_first;               /* and where a group's begin in it */
    PK_STREAM(float) multipliers; /* of links: 16 floats a pack, zero at a substep's start */
    PK_STREAM(const struct pk_material) material;
    PK_STREAM(const struct pk_solve) solve;
    pk_u32 first; /* of tethers: the first group, of 16 particles of the body */
    pk_u32 count; /* packs; of tethers: groups */
};

#endif
