/* corners.h - the normals of a surface's corners.
 *
 * Lives here: smooth and sharp edges, found once on the shape at rest so that they do not flicker
 * while it moves, and normals of each moment.
 */
#ifndef PIOLA_IO_CORNERS_H
#define PIOLA_IO_CORNERS_H

#include "io/base/pool.h"

#include <stdbool.h>
#include <stdint.h>

struct surface_corners {
    const uint32_t *triangles; /* 3 vertices each */
    uint32_t *normal_of;       /* 3 a triangle: which normal each corner uses */
    float *normals;            /* scratch of the moment, 3 each */
    uint32_t vertex_count, triangle_count, normal_count;
    bool given; /* the normals are set by the caller, one a vertex */
};

/* Edges sharper than `crease` (rad) at rest stay sharp. `triangles` must outlive the surface; every
 * index is checked. */
bool surface_corners_find(struct surface_corners *surface, const float *rest, uint32_t vertex_count,
                          const uint32_t *triangles, uint32_t triangle_count, float crease,
                          struct pool *pool, struct problem *problem);
/* Normals of the moment, from positions; zero where all triangles are flat. */
void surface_corners_normals(struct surface_corners *surface, const float *xyz);

#endif
