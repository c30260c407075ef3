/* shape.h - colliders' shapes that need data, compiled. Included by piola.h: include that. */
#ifndef PIOLA_PIOLA_SHAPE_H
#define PIOLA_PIOLA_SHAPE_H

#include "piola/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a compiled shape is made from, in the collider's own frame. All pointers are read during
 * piola_shape_compile only. */
typedef struct piola_shape_desc {
    uint32_t cookie_;
    piola_collider_shape kind; /* PIOLA_COLLIDER_HULL or one that comes after it */
    /* HULL: points, 4 to 8192. MESH and WALL: vertices, 3 to 2^26. At most 1e6 m from the origin.
     * Points of a hull are moved to the nearest of 2^20 steps along the longest side of their box,
     * so that which faces it has is decided exactly. */
    const double *vertices; /* 3 a vertex, m */
    uint32_t vertex_count;
    const uint32_t *triangles; /* MESH, WALL: 3 a triangle, counter-clockwise seen from where bodies
                                  may be; vertices at the same place count as one */
    uint32_t triangle_count;   /* 1 to 2^24 */
    /* HEIGHTS: m, sample x + z * sample_count[0] is how high the ground is at origin + (x, 0, z) *
     * spacing; cells are cut from their first corner to the last. DISTANCES: m, sample
     * x + sample_count[0] * (y + sample_count[1] * z), negative inside; all at the border of the
     * grid must be positive. At most 1e6, and 2^26 samples. */
    const float *samples;
    uint32_t sample_count[3]; /* HEIGHTS: along x and z (2 to 65536 each), then 1 */
    float spacing;            /* m, 1e-6 to 1e4 */
    float origin[3];          /* m, of the first sample; HEIGHTS adds origin[1] to all */
} piola_shape_desc;

/* Of nothing: set the kind and its data. */
PIOLA_API piola_shape_desc piola_shape_desc_default(void);

/* Bytes of the shape at most, and of the scratch that compiling needs. PIOLA_ERROR_TOO_LARGE. */
PIOLA_API piola_status piola_shape_size(const piola_shape_desc *desc, size_t *bytes,
                                        size_t *scratch_bytes, piola_error *error);
/* Checks everything, then compiles the shape into `memory`. A MESH must be closed and all its
 * triangles turned the same way round (PIOLA_ERROR_MESH_OPEN names one that is not). */
PIOLA_API piola_status piola_shape_compile(const piola_shape_desc *desc, void *scratch,
                                           size_t scratch_bytes, void *memory, size_t bytes,
                                           const piola_shape **shape, piola_error *error);

typedef struct piola_shape_stats {
    piola_collider_shape kind;
    uint32_t triangles, vertices; /* of HULL its faces' and corners'; vertices that triangles use,
                                     those at one place once */
    float low[3], high[3];        /* m, the box that holds its surface */
    float least_margin;           /* m: a collider with a smaller margin has this one instead */
    float steepest; /* DISTANCES: largest slope of the samples, by which they were divided if it is
                       above 1, so that no value is larger than the way to the surface; else 1 */
    double volume;  /* m^3 inside a HULL or MESH; negative when it is the outside that is solid */
} piola_shape_stats;

/* Copies what was counted when the shape was compiled. */
PIOLA_API piola_status piola_shape_stats_get(const piola_shape *shape, piola_shape_stats *stats);
/* A shape is one block without pointers: copy these bytes where you like (aligned). */
PIOLA_API size_t piola_shape_bytes(const piola_shape *shape);
/* Same content, same number, on every machine. */
PIOLA_API uint64_t piola_shape_hash(const piola_shape *shape);

/* Distance (m, negative inside; of a WALL never) of a point in the shape's frame, never larger than
 * the way to the surface, and the direction away from the surface; either result may be null. */
PIOLA_API piola_status piola_shape_distance(const piola_shape *shape, const float point[3],
                                            float *distance, float normal[3]);
/* Distances of another shape at the samples of a grid, for a description of DISTANCES; refuses what
 * that would, and then writes none. */
PIOLA_API piola_status piola_shape_sample(const piola_shape *shape, const float origin[3],
                                          float spacing, const uint32_t count[3], float *samples,
                                          piola_error *error);

/* Makes a shape known to the world before a snapshot needs it; piola_collider_create does it too.
 * As for assets: shapes of equal content count as one, and a known shape must stay alive as long as
 * the world, or until it is dropped. PIOLA_ERROR_SHAPES_FULL. */
PIOLA_API piola_status piola_world_add_shape(piola_world *world, const piola_shape *shape);
/* Forgets a shape; fine when it is not known. PIOLA_ERROR_SHAPE_IN_USE while colliders use it. */
PIOLA_API piola_status piola_world_drop_shape(piola_world *world, const piola_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
