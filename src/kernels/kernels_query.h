/* kernels_query.h - what the kernels of queries share with C: structs and prototypes. Included by
 * ISPC for the structs, and by kernels.h for KERNELS_QUERY(X). */
#ifndef PIOLA_KERNELS_QUERY_H
#define PIOLA_KERNELS_QUERY_H

#include "kernels/packs.h"

/* 16 triangles: particles of their corners. Unused lanes repeat the first. */
struct pk_query_pack {
    pk_u32 index[3][PK_LANES];
};

/* What a triangle's bounding box is held against. */
struct pk_query {
    float low[3], high[3]; /* m: near: a box; ray: its origin, twice */
    float inverse[3];      /* ray: of its unit direction, at most 3e38 in size */
    float limit;           /* near: m^2, of the distance of the boxes; ray: m, along it */
};

/* Bounding boxes of a body's particles, lane by lane. */
struct pk_query_bounds {
    float low[3][PK_LANES], high[3][PK_LANES]; /* m */
};

#ifndef ISPC

/* query_near, query_ray: one mask a pack, a bit set for each lane that may matter: never too few.
 * query_bounds: of particles 0 .. count-1, any count above 0. */
#define KERNELS_QUERY(X)                                                                           \
    X(void, query_near,                                                                            \
      (const struct pk_quad *x, const struct pk_query_pack *packs, uint32_t count,                 \
       const struct pk_query *query, uint32_t *masks))                                             \
    X(void, query_ray,                                                                             \
      (const struct pk_quad *x, const struct pk_query_pack *packs, uint32_t count,                 \
       const struct pk_query *query, uint32_t *masks))                                             \
    X(void, query_bounds, (const struct pk_quad *x, uint32_t count, struct pk_query_bounds *bounds))

#endif

#endif
