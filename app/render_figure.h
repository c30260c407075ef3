/* render_figure.h - a running scene as something to draw: surfaces, colours, camera, light.
 *
 * Lives here: what the window, `piola render` and the frames of `piola run` share; no OpenGL. What
 * must not live here: files, time.
 */
#ifndef APP_RENDER_FIGURE_H
#define APP_RENDER_FIGURE_H

#include "io/scene/stage.h"
#include "io/scene/view_keys.h"
#include "render_draw.h"
#include "render_links.h"
#include "render_rods.h"

struct figure {
    const struct stage *stage;
    const struct scene_view *view;
    struct pool pool;
    struct surface_corners *surfaces;  /* one an asset */
    struct render_links *chains;       /* one an asset, empty unless it is a chain */
    struct render_rods *rods;          /* one an asset, empty unless it is of rods */
    struct meshgen bead;               /* that chains are drawn with */
    struct surface_corners *colliders; /* one a collider of the stage */
    float *placed;                     /* of the largest collider */
    struct surface_corners *details;   /* one a detail of the stage */
    float *fine, *fine_values;         /* of the largest detail: positions, values */
    uint8_t **cluster_colours; /* two an asset, 3 a triangle each; made when first asked for */
    float *positions;          /* of all bodies one after the other, m */
    float *velocities;         /* likewise, m/s */
    float *values;             /* of the largest body */
    double *sums;
    float *touched; /* of the world's particles: where bodies touch */
    struct render_scene scene;
    uint32_t colour; /* enum view_colour */
    float range;     /* value of the last colour */
};

/* `colour` below 0: the scene's own. Call figure_close on failure too. */
bool figure_open(struct figure *figure, const struct stage *stage, int colour,
                 struct problem *problem);
void figure_close(struct figure *figure);
void figure_recolour(struct figure *figure, uint32_t colour);
/* Takes the bodies' state from the world into figure->positions. */
bool figure_gather(struct figure *figure, struct problem *problem);
/* Builds figure->scene from figure->positions. */
bool figure_build(struct figure *figure, struct problem *problem);
/* The scene's camera, or one that fits what figure_build built. */
struct camera figure_camera(const struct figure *figure, float aspect);
struct render_look figure_look(const struct figure *figure, const struct camera *camera);
/* "strain", "Pa" ...: what the colours mean; "" when they are names. */
const char *figure_measure(const struct figure *figure);

#endif
