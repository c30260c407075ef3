/* shape.h - shapes of colliders and rigid bodies. Included by piola.h: include that. */
#ifndef PIOLA_PIOLA_SHAPE_H
#define PIOLA_PIOLA_SHAPE_H

#include "piola/handle.h"
#include "piola/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In the shape's own frame. Lengths in metres. */
typedef enum piola_shape_kind {
    PIOLA_SHAPE_PLANE = 0, /* everything with y < 0 is solid */
    PIOLA_SHAPE_SPHERE,    /* `radius` about the origin */
    PIOLA_SHAPE_CAPSULE,   /* `radius` about the segment from y = -size[1] to y = size[1] */
    PIOLA_SHAPE_BOX,       /* half lengths `size`, edges rounded with `radius` */
    /* Of compiled data, without `size` and `radius`: */
    PIOLA_SHAPE_HULL,      /* the convex hull of points */
    PIOLA_SHAPE_MESH,      /* what closed triangles enclose */
    PIOLA_SHAPE_WALL,      /* open triangles, as thick on both sides as the margin */
    PIOLA_SHAPE_HEIGHTS,   /* everything under a height field; nothing beside it */
    PIOLA_SHAPE_DISTANCES, /* where a grid of signed distances is negative */
    PIOLA_SHAPE_KIND_COUNT
} piola_shape_kind;

/* Compiled data of a shape: immutable, may serve many colliders and rigid bodies. */
typedef struct piola_shape_data piola_shape_data;

/* A shape, by value. */
typedef struct piola_shape {
    piola_shape_kind kind;
    float size[3];                /* m, see the kind; 0 to 1e6 */
    float radius;                 /* m, 0 to 1e6; of a box at most its least half length */
    const piola_shape_data *data; /* of the kinds that are compiled, else null */
} piola_shape;

/* Everything with y < 0. */
PIOLA_API piola_shape piola_shape_plane(void);
/* A ball of a radius (m) about the origin. */
PIOLA_API piola_shape piola_shape_sphere(float radius);
/* A radius (m) about the segment along y from -half_length to half_length (m). */
PIOLA_API piola_shape piola_shape_capsule(float half_length, float radius);
/* A box of half lengths (m), its edges rounded with a radius (m). */
PIOLA_API piola_shape piola_shape_box(const float half[3], float radius);
/* The shape of compiled data, which must outlive it; a plane of null. */
PIOLA_API piola_shape piola_shape_of(const piola_shape_data *data);

/* What compiled data is made from, in the shape's own frame. All pointers are read during
 * piola_shape_compile only. */
typedef struct piola_shape_desc {
    uint32_t cookie_;
    piola_shape_kind kind; /* PIOLA_SHAPE_HULL or one that comes after it */
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
                                           const piola_shape_data **shape, piola_error *error);

typedef struct piola_shape_stats {
    piola_shape_kind kind;
    uint32_t triangles, vertices; /* of HULL its faces' and corners'; vertices that triangles use,
                                     those at one place once */
    float low[3], high[3];        /* m, the box that holds its surface */
    float least_margin;           /* m: a collider with a smaller margin has this one instead */
    float steepest; /* DISTANCES: largest slope of the samples, by which they were divided if it is
                       above 1, so that no value is larger than the way to the surface; else 1 */
    double volume;  /* m^3 inside a HULL or MESH; negative when it is the outside that is solid */
} piola_shape_stats;

/* Copies what was counted when the shape was compiled. */
PIOLA_API piola_status piola_shape_inspect(const piola_shape_data *shape, piola_shape_stats *stats);
/* A shape is one block without pointers: copy these bytes where you like (aligned). */
PIOLA_API size_t piola_shape_bytes(const piola_shape_data *shape);
/* Same content, same number, on every machine. */
PIOLA_API uint64_t piola_shape_hash(const piola_shape_data *shape);

/* Distance (m, negative inside; of a WALL never) of a point in the shape's frame, never larger than
 * the way to the surface, and the direction away from the surface; either result may be null. */
PIOLA_API piola_status piola_shape_distance(const piola_shape_data *shape, const float point[3],
                                            float *distance, float normal[3]);
/* Distances of another shape at the samples of a grid, for a description of DISTANCES; refuses what
 * that would, and then writes none. */
PIOLA_API piola_status piola_shape_sample(const piola_shape_data *shape, const float origin[3],
                                          float spacing, const uint32_t count[3], float *samples,
                                          piola_error *error);

/* Makes a shape known to the world before a snapshot needs it; piola_collider_create does it too.
 * As for assets: shapes of equal content count as one, and a known shape must stay alive as long as
 * the world, or until it is dropped. PIOLA_ERROR_SHAPES_FULL. */
PIOLA_API piola_status piola_world_add_shape(piola_world *world, const piola_shape_data *shape);
/* Forgets a shape; fine when it is not known. PIOLA_ERROR_SHAPE_IN_USE while colliders use it. */
PIOLA_API piola_status piola_world_drop_shape(piola_world *world, const piola_shape_data *shape);

#ifdef __cplusplus
}
#endif

#endif
