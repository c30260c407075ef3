/* query.h - what a ray, a point or a region meets: the surfaces of bodies, colliders, rigid bodies.
 * Included by piola.h: include that.
 *
 * All calls look at what stands between two steps, frozen bodies too, and change nothing. Bodies
 * are their surfaces (piola_asset_surface); colliders and rigid bodies are their shapes, without
 * margins. The calls keep no tree over the world: each looks at every particle of the bodies in the
 * mask once, at every surface triangle of a body whose bounding box is near, and at every collider
 * and rigid body. The answer has the same bits on every machine.
 */
#ifndef PIOLA_PIOLA_QUERY_H
#define PIOLA_PIOLA_QUERY_H

#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a ray or a probe looks at. */
typedef enum piola_target {
    PIOLA_TARGET_BODIES = 1,
    PIOLA_TARGET_COLLIDERS = 2,
    PIOLA_TARGET_RIGIDS = 4,  /* rigid bodies */
    PIOLA_TARGET_SENSORS = 8, /* colliders that are sensors */
    PIOLA_TARGET_SOLID = 7,   /* all but sensors */
    PIOLA_TARGET_ALL = 15
} piola_target;

/* A place on a surface: one of body, collider and rigid says whose. All zero when nothing was
 * found.
 */
typedef struct piola_hit {
    piola_body body;         /* index 0 unless it is a body's */
    piola_collider collider; /* index 0 unless it is a collider's */
    piola_rigid rigid;       /* index 0 unless it is a rigid body's */
    uint32_t triangle;       /* as in piola_asset_surface; of bodies, else 0 */
    float weights[3]; /* of the triangle's corners, 0 to 1; their sum is 1; of bodies, else 0 */
    float distance;   /* m, from the ray's origin, or from the point */
    float point[3];   /* m */
    float normal[3];  /* unit, outward; 0 of a triangle without area */
} piola_hit;

typedef struct piola_ray {
    uint32_t cookie_;
    float origin[3];    /* m, to 1e9 */
    float direction[3]; /* of any length but 0 */
    float max_distance; /* m, 0 to 1e9; default 1e9 */
    uint64_t mask;      /* of categories: meets those whose category has a bit of it; default all */
    uint32_t targets;   /* piola_target bits; default PIOLA_TARGET_SOLID */
} piola_ray;

/* From the origin straight down. */
PIOLA_API piola_ray piola_ray_default(void);

/* The first surface on the ray's way, from either side; at 0 when it starts on one. Edges and
 * corners belong to all their triangles, so no ray slips through between two. A triangle along
 * which the ray runs, or that has no area, is not hit. Of equal distances (to 1e-12) the lowest
 * body, then triangle, wins, and bodies before the others. */
PIOLA_API piola_status piola_world_ray(const piola_world *world, const piola_ray *ray,
                                       piola_hit *hit, piola_error *error);

typedef struct piola_probe {
    uint32_t cookie_;
    float point[3]; /* m, to 1e9 */
    float radius;   /* m, 0 to 1e9; default 1e9 */
    uint64_t mask;  /* as of a ray, and so the targets */
    uint32_t targets;
} piola_probe;

/* The origin. */
PIOLA_API piola_probe piola_probe_default(void);

/* The closest place on any surface that is no farther than the radius. Ties as above. Triangles
 * without area count as the segments or points that they are. */
PIOLA_API piola_status piola_world_closest(const piola_world *world, const piola_probe *probe,
                                           piola_hit *hit, piola_error *error);

/* Regions look at the surfaces of bodies alone. */
typedef enum piola_region_shape {
    PIOLA_REGION_SPHERE = 0, /* `size[0]` about `position` */
    PIOLA_REGION_BOX,        /* half lengths `size` about `position`, turned by `rotation` */
    PIOLA_REGION_SHAPE_COUNT
} piola_region_shape;

typedef struct piola_region {
    uint32_t cookie_;
    piola_region_shape shape;
    float position[3]; /* m, to 1e9 */
    float rotation[4]; /* unit quaternion x, y, z, w */
    float size[3];     /* m, 0 to 1e9 */
    uint64_t mask;
    bool bodies_only; /* one entry a body, with its lowest triangle that touches */
} piola_region;

/* A sphere about the origin without a size: set it. */
PIOLA_API piola_region piola_region_default(void);

typedef struct piola_overlap {
    piola_body body;
    uint32_t triangle;
} piola_overlap;

/* The surface triangles that share a point with the (solid) region, by rising body and triangle.
 * Writes the first `capacity` of them to `found` (null when capacity is 0); `count` is how many
 * there are. A region wholly inside a body touches no surface. */
PIOLA_API piola_status piola_world_overlap(const piola_world *world, const piola_region *region,
                                           piola_overlap *found, uint64_t capacity, uint64_t *count,
                                           piola_error *error);

#ifdef __cplusplus
}
#endif

#endif
