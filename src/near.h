/* near.h - the nearest points of a point and a triangle, and of two segments, in double.
 *
 * Both answer with four weights: the vector between the nearest points is sum weight[i] x[i], and
 * the weights of either side sum to 1 and -1. Always finite for finite input, whatever is parallel,
 * coplanar or without area. No world, no memory.
 */
#ifndef PIOLA_NEAR_H
#define PIOLA_NEAR_H

/* x[0] is the point, x[1..3] the triangle. Returns the distance. */
double near_point_triangle(const double x[4][3], double weight[4], double between[3]);
/* x[0], x[1] are one segment, x[2], x[3] the other. Returns the distance. */
double near_segments(const double x[4][3], double weight[4], double between[3]);

#endif
