/* render_draw.h - draws a scene by adding up many pictures, each under one point of a soft key
 * light and one piece of the sky, with the camera shifted by a part of a pixel.
 *
 * So soft shadows, ambient occlusion and antialiasing all come from the same sum, and are right in
 * the limit. The order of lights is fixed: equal input gives equal pictures on one OpenGL.
 * What must not live here: windows, files, the engine.
 */
#ifndef APP_RENDER_DRAW_H
#define APP_RENDER_DRAW_H

#include "camera.h"
#include "render_surface.h"

#include <stdbool.h>
#include <stdint.h>

#define RENDER_SIDE_LEAST 16u
#define RENDER_SIDE_MOST  8192u
#define RENDER_PASSES     64u /* of a good picture */

struct render_look {
    float key_direction[3]; /* towards the light */
    float ground;           /* height, m */
    float grid;             /* distance of the ground's lines, m; 0: none */
    float wire;             /* darkness of the triangles' edges, 0 to 1 */
    bool has_ground;
    bool flat; /* no smooth normals */
};

/* The key light stands left of the camera and above it. */
struct render_look render_look_for(const struct camera *camera);
/* A round distance of lines for a scene of this radius. */
float render_grid_for(float radius);

struct render;

/* Needs a current context. */
struct render *render_create(struct problem *problem);
void render_destroy(struct render *render);

/* Sides outside RENDER_SIDE_LEAST to RENDER_SIDE_MOST are refused. */
bool render_size_good(uint32_t width, uint32_t height, struct problem *problem);
bool render_resize(struct render *render, uint32_t width, uint32_t height, struct problem *problem);
/* Copies the scene to the graphics card. */
void render_load(struct render *render, const struct render_scene *scene);
/* Starts a new sum. */
void render_begin(struct render *render, const struct camera *camera,
                  const struct render_look *look);
/* Adds `passes` pictures to the sum. */
void render_add(struct render *render, uint32_t passes);
uint32_t render_passes(const struct render *render);
/* Brings the sum to the frame buffer `target`, with its lower left corner at x, y. */
void render_show(struct render *render, uint32_t target, int x, int y);
/* Writes 3 bytes a pixel, from the top row down. */
void render_read(struct render *render, uint8_t *rgb);
/* All of it: load, begin, `passes` times add, read. */
void render_picture(struct render *render, const struct render_scene *scene,
                    const struct camera *camera, const struct render_look *look, uint32_t passes,
                    uint8_t *rgb);

#endif
