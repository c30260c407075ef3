/* camera.h - where a picture is taken from: look-at cameras, fitting, orbiting, picking rays.
 *
 * Lives here: small vector and matrix work for pictures; matrices are column by column, as OpenGL
 * reads them. What must not live here: OpenGL, scenes.
 */
#ifndef APP_CAMERA_H
#define APP_CAMERA_H

#include "io/base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct box {
    float least[3], most[3]; /* m; empty while least > most */
};

struct camera {
    float from[3], at[3]; /* m */
    float up[3];
    float field;      /* rad, vertical opening angle */
    float near_plane; /* m */
    float far_plane;
};

struct box box_empty(void);
void box_add(struct box *box, const float *xyz, uint32_t count);
bool box_is_empty(const struct box *box);
void box_sphere(const struct box *box, float centre[3], float *radius);

/* Looks at the whole box from the direction (yaw about y from +z, pitch above the horizon, rad). */
struct camera camera_fit(const struct box *box, float yaw, float pitch, float field, float aspect);
/* Sets near and far so that the sphere, and the ground around it, are inside. */
void camera_planes(struct camera *camera, const float centre[3], float radius);
/* Turns about the point looked at, rad; the camera never passes over the pole. */
void camera_orbit(struct camera *camera, float yaw, float pitch);
/* Moves nearer (factor < 1) or away. */
void camera_zoom(struct camera *camera, float factor);
/* Moves sideways and up by parts of the picture's height. */
void camera_pan(struct camera *camera, float right, float up);
/* The ray through the picture's point x, y (-1 to 1, up): origin camera->from, unit direction. */
void camera_ray(const struct camera *camera, float aspect, float x, float y, float direction[3]);
/* Where a point appears, -1 to 1; false behind the camera. */
bool camera_project(const struct camera *camera, float aspect, const float point[3], float xy[2]);

/* shift: of the picture, in parts of its width and height (for antialiasing). */
void camera_matrix(const struct camera *camera, float aspect, const float shift[2], float m[16]);
/* A parallel view of the sphere along `direction` (from the sphere to the light). */
void camera_light_matrix(const float direction[3], const float centre[3], float radius,
                         float m[16]);

#endif
