/* query_brute.h - one triangle against a ray, a point and a box, for tests of queries: other ways
 * than the engine's, in double. */
#ifndef QUERY_BRUTE_H
#define QUERY_BRUTE_H

#include <stdbool.h>

static inline void minus(const double *a, const double *b, double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[k] - b[k];
}

static inline void cross(const double *a, const double *b, double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static inline double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Distance along the unit direction d from o, by Moeller and Trumbore; the triangle is grown by
 * `slack` of itself. DBL_MAX: no hit. */
double brute_ray_triangle(double c[3][3], const double o[3], const double d[3], double slack);
/* The square of the distance to a point: edges, and the plane where the foot is inside. */
double brute_square_to(double c[3][3], const double p[3]);
/* Does anything of the triangle remain when it is cut off at the planes of the box of half lengths
 * `half` about the origin? */
bool brute_clip_box(double c[3][3], const double half[3]);

/* Unit normal, or 0. */
void brute_normal(double c[3][3], double normal[3]);
/* v turned by the inverse of the unit quaternion. */
void brute_turn_back(const float quaternion[4], const double v[3], double out[3]);

#endif
