/* primitive_distance.c - signed distances of the colliders' shapes, in their own frames. See
 * collider.h.
 *
 * To add a shape: a function here, a line in `shapes`, its checks in collider.c. A distance may be
 * too small but never too large, or something fast could pass through.
 */
#include "shapes/shapes.h"

#include <math.h>

static float length(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The direction of v, or `other` where v has none. */
static void direct(const float v[3], float size, const float other[3], float out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = size > 0 ? v[k] / size : other[k];
}

static float plane(const struct collider_shape *shape, const float p[3], float normal[3])
{
    (void)shape;
    normal[0] = normal[2] = 0;
    normal[1] = 1;
    return p[1];
}

static float sphere(const struct collider_shape *shape, const float p[3], float normal[3])
{
    const float up[3] = {0, 1, 0}, away = length(p);
    direct(p, away, up, normal);
    return away - shape->radius;
}

static float capsule(const struct collider_shape *shape, const float p[3], float normal[3])
{
    const float half = shape->size[1];
    const float along = p[1] > half ? half : p[1] < -half ? -half : p[1];
    const float side[3] = {1, 0, 0}, d[3] = {p[0], p[1] - along, p[2]}, away = length(d);
    direct(d, away, side, normal);
    return away - shape->radius;
}

/* Distance from the inner box, less the rounding. */
static float box(const struct collider_shape *shape, const float p[3], float normal[3])
{
    float outside[3], deepest = -INFINITY;
    int face = 0;
    for (int k = 0; k < 3; ++k) {
        const float beyond = fabsf(p[k]) - shape->size[k];
        outside[k] = beyond > 0 ? (p[k] > 0 ? beyond : -beyond) : 0;
        if (beyond > deepest) {
            deepest = beyond;
            face = k;
        }
    }
    const float away = length(outside);
    float nearest[3] = {0, 0, 0};
    nearest[face] = p[face] < 0 ? -1.0f : 1.0f;
    direct(outside, away, nearest, normal);
    return (away > 0 ? away : deepest) - shape->radius;
}

static float compiled(const piola_shape_data *shape, const float p[3], float below, float normal[3])
{
    const double at[3] = {(double)p[0], (double)p[1], (double)p[2]};
    double n[3];
    const double distance = shape_compiled_distance_below(shape, at, (double)below, n);
    for (int k = 0; k < 3; ++k)
        normal[k] = (float)n[k];
    return (float)distance;
}

float shape_distance_below(const struct form *form, const float p[3], float below, float normal[3])
{
    static float (*const shapes[])(const struct collider_shape *, const float *, float *) = {
        [PIOLA_SHAPE_PLANE] = plane,
        [PIOLA_SHAPE_SPHERE] = sphere,
        [PIOLA_SHAPE_CAPSULE] = capsule,
        [PIOLA_SHAPE_BOX] = box,
    };
    float unused[3];
    float *n = normal ? normal : unused;
    return form->compiled ? compiled(form->compiled, p, below, n)
                          : shapes[form->shape->kind](form->shape, p, n);
}

float shape_distance(const struct form *form, const float p[3], float normal[3])
{
    return shape_distance_below(form, p, INFINITY, normal);
}
