/* render_surface.h - from positions of a body to the corners that the graphics card draws.
 *
 * Lives here: smooth and sharp edges, found once on the shape at rest so that they do not flicker
 * while it moves, and normals of each moment. What must not live here: OpenGL, colours' meaning.
 */
#ifndef APP_RENDER_SURFACE_H
#define APP_RENDER_SURFACE_H

#include "pool.h"

#include <stdbool.h>
#include <stdint.h>

/* One corner of a triangle. `value` from 0 to 1 is looked up in the colour map; below 0 the colour
 * counts. */
struct render_vertex {
    float xyz[3]; /* m */
    float normal[3];
    float value;
    uint8_t colour[4]; /* sRGB; the fourth is 255 */
};

struct render_surface {
    const uint32_t *triangles; /* 3 vertices each */
    uint32_t *normal_of;       /* 3 a triangle: which normal each corner uses */
    float *normals;            /* scratch of the moment, 3 each */
    uint32_t vertex_count, triangle_count, normal_count;
    bool given; /* the normals are set by the caller, one a vertex */
};

/* Everything drawn at one moment. Grows by render_scene_add; freed by render_scene_free. */
struct render_scene {
    struct render_vertex *corners;
    uint32_t count; /* of corners, 3 a triangle */
    uint32_t room;
};

/* What one body looks like now. */
struct render_dress {
    const float *values;    /* one a vertex, or null */
    const uint8_t *colours; /* 3 a triangle, sRGB, or null: then `colour` */
    uint8_t colour[3];
};

/* Edges sharper than `crease` (rad) at rest stay sharp. `triangles` must outlive the surface; every
 * index is checked. */
bool render_surface_prepare(struct render_surface *surface, const float *rest,
                            uint32_t vertex_count, const uint32_t *triangles,
                            uint32_t triangle_count, float crease, struct pool *pool,
                            struct problem *problem);
/* Normals of the moment, from positions; zero where all triangles are flat. */
void render_surface_normals(struct render_surface *surface, const float *xyz);
bool render_scene_add(struct render_scene *scene, struct render_surface *surface, const float *xyz,
                      const struct render_dress *dress, struct problem *problem);
void render_scene_clear(struct render_scene *scene);
void render_scene_free(struct render_scene *scene);

#endif
