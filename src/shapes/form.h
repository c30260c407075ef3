/* form.h - what signed distances are asked of: a collider's shape, in its own frame, and poses. */
#ifndef PIOLA_FORM_H
#define PIOLA_FORM_H

#include "kernels/quads.h"
#include "piola/piola.h"

#include <stdbool.h>

/* Shape and surface; what of a collider never moves. */
struct collider_shape {
    uint32_t kind; /* piola_shape_kind */
    float size[3]; /* m, inner half lengths: without the rounding */
    float radius;  /* m, shape's rounding */
    float margin;  /* m */
    float friction_static, friction_kinetic, restitution;
};

/* What distances are asked of: a collider's shape, and the compiled one it refers to or null. */
struct form {
    const struct collider_shape *shape;
    const piola_shape_data *compiled;
};

/* A place and an orientation: world = rotation * local + position. */
struct pose {
    float rotation[9]; /* row-major */
    float position[3];
};

/* primitive_distance.c: distance (m, negative inside) of a point from the surface in the collider's
 * frame. Never changes faster than the point moves. `normal` may be null; it is the distance's
 * gradient, a unit vector away from the surface, some unit vector where there is none. */
float shape_distance(const struct form *form, const float p[3], float normal[3]);
/* The same, sooner, when p is known to be nearer to the surface than `below` (m), inside or
 * outside; INFINITY where nothing is known. */
float shape_distance_below(const struct form *form, const float p[3], float below, float normal[3]);

/* shape_ray.c: the first place of the surface, without the margin, on a ray with a unit direction
 * in the shape's frame, from either side, `distance` (m) away; at 0 when it starts there. `normal`
 * points out of the shape. False when there is none up to `limit` (m, at most 1e10). */
bool shape_ray(const struct form *form, const double origin[3], const double direction[3],
               double limit, double *distance, double normal[3]);
/* The place of the surface that is closest to p; `normal` as above. Returns how far it is, m. */
double shape_closest(const struct form *form, const double p[3], double place[3], double normal[3]);

static inline void pose_out(const struct pose *pose, const float local[3], float world[3])
{
    const float *r = pose->rotation;
    for (int k = 0; k < 3; ++k)
        world[k] = r[3 * k] * local[0] + r[3 * k + 1] * local[1] + r[3 * k + 2] * local[2] +
                   pose->position[k];
}

static inline void pose_turn(const struct pose *pose, const float local[3], float world[3])
{
    const float *r = pose->rotation;
    for (int k = 0; k < 3; ++k)
        world[k] = r[3 * k] * local[0] + r[3 * k + 1] * local[1] + r[3 * k + 2] * local[2];
}

static inline void pose_in(const struct pose *pose, const float world[3], float local[3])
{
    const float *r = pose->rotation;
    const float d[3] = {world[0] - pose->position[0], world[1] - pose->position[1],
                        world[2] - pose->position[2]};
    for (int k = 0; k < 3; ++k)
        local[k] = r[k] * d[0] + r[3 + k] * d[1] + r[6 + k] * d[2];
}

#endif
