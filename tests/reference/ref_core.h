/* ref_core.h - how far a triangle is from a point, a segment along y or a box about the origin, by
 * nothing but the distance of a point and nested searches: that distance is convex over a triangle.
 * Shares nothing with the engine.
 */
#ifndef REF_CORE_H
#define REF_CORE_H

typedef struct {
    double half[3]; /* m; zeros: a point; half[1] alone: a segment */
    double round;   /* m, how far its surface is around it */
} ref_core;

/* A place of the world in a frame at a position, with a rotation (x, y, z, w). */
void ref_core_frame(const float position[3], const float rotation[4], const float at[3],
                    double local[3]);
double ref_core_point(const ref_core *core, const double p[3]);
/* Of the triangle; `weight`, of its corners, may be null. To 1e-9 of its size. */
double ref_core_distance(const ref_core *core, const double x[3][3], double weight[3]);
/* How much nearer than the rounding, 0 for one that is far. */
double ref_core_depth(const ref_core *core, const double x[3][3]);

#endif
