/* render_surface.h - from positions of a body to the corners that the graphics card draws.
 *
 * Lives here: gathering what is drawn, with normals of the moment. What must not live here: OpenGL,
 * colours' meaning, which edges are sharp (io/mesh/corners.h).
 */
#ifndef APP_RENDER_SURFACE_H
#define APP_RENDER_SURFACE_H

#include "io/mesh/corners.h"

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

bool render_scene_add(struct render_scene *scene, struct surface_corners *surface, const float *xyz,
                      const struct render_dress *dress, struct problem *problem);
void render_scene_clear(struct render_scene *scene);
void render_scene_free(struct render_scene *scene);

#endif
