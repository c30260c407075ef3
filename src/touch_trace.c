/* touch_trace.c - the first place where a moving point meets a shape.
 *
 * Conservative advancement: a distance never changes faster than the point moves, so a point may go
 * as far as its distance says and is still outside. Whoever has not arrived after the last round
 * stays where it is proven free. No world, no body.
 */
#include "touch.h"

#include <math.h>

#define ROUNDS 32

float touch_tolerance(const float p[3])
{
    const float x = fabsf(p[0]), y = fabsf(p[1]), z = fabsf(p[2]);
    const float xy = x > y ? x : y;
    return 2e-6f * (0.1f + (xy > z ? xy : z));
}

/* Of these shapes a way that leaves the surface never meets it again. */
static bool convex(const struct collider_shape *shape)
{
    return shape->kind <= PIOLA_COLLIDER_BOX;
}

bool touch_trace(const struct collider_shape *shape, const float a[3], const float b[3],
                 float at[3], float normal[3], float *distance)
{
    const float way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const float length = sqrtf(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    const float tolerance = touch_tolerance(a);
    float done = 0;
    for (int k = 0; k < 3; ++k)
        at[k] = a[k];
    for (int round = 0; round < ROUNDS; ++round) {
        *distance = shape_distance(shape, at, normal) - shape->margin;
        if (*distance < -tolerance)
            return true;
        float step = *distance;
        if (*distance <= tolerance) {
            const float along = normal[0] * way[0] + normal[1] * way[1] + normal[2] * way[2];
            if (along < -tolerance)
                return true;
            /* Grazing or leaving: look again a little further on. */
            step = convex(shape) ? length : length / ROUNDS;
        }
        done += step;
        if (done >= length)
            break;
        for (int k = 0; k < 3; ++k)
            at[k] = a[k] + way[k] * (done / length);
    }
    if (done < length)
        return true;
    float end_normal[3];
    const float end = shape_distance(shape, b, end_normal) - shape->margin;
    if (end < -tolerance)
        return true;
    for (int k = 0; k < 3; ++k) {
        at[k] = b[k];
        normal[k] = end_normal[k];
    }
    *distance = end;
    return false;
}
