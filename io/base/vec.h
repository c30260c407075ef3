/* vec.h - vectors of three floats, for pictures and normals. */
#ifndef PIOLA_IO_VEC_H
#define PIOLA_IO_VEC_H

#include <math.h>

static inline float vec_dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void vec_cross(const float a[3], const float b[3], float out[3])
{
    float x = a[1] * b[2] - a[2] * b[1];
    float y = a[2] * b[0] - a[0] * b[2];
    float z = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline float vec_length(const float a[3])
{
    return sqrtf(vec_dot(a, a));
}

/* Leaves a zero vector alone. */
static inline void vec_unit(float a[3])
{
    float length = vec_length(a);
    if (!(length > 0.0f)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        a[i] /= length;
    }
}

#endif
