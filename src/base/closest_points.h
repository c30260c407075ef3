/* closest_points.h - the nearest points of a point and a triangle, and of two segments, in double.
 *
 * Both answer with four weights: the vector between the nearest points is sum weight[i] x[i], and
 * the weights of either side sum to 1 and -1. Always finite for finite input, whatever is parallel,
 * coplanar or without area. No world, no memory.
 */
#ifndef PIOLA_CLOSEST_POINTS_H
#define PIOLA_CLOSEST_POINTS_H

/* Squares of the sine between two edges: above, nothing is lost; below, they have no plane. */
#define NEAR_CLEAR 1e-6
#define NEAR_FLAT  1e-28

/* x[0] is the point, x[1..3] the triangle. Returns the distance. */
double near_point_triangle(const double x[4][3], double weight[4], double between[3]);
/* x[0], x[1] are one segment, x[2], x[3] the other. Returns the distance. */
double near_segments(const double x[4][3], double weight[4], double between[3]);
/* Both answer with the distance of two points, which rounding makes too large, if anything. What a
 * direction proves: all of the first side is at least this far beyond the second along `normal`, a
 * unit vector found from the nearest points; below 0, or minus infinity with no normal, when none
 * was found. `second` is the index of the second side's first point, 1 or 2. */
double near_proof(const double x[4][3], int second, const double weight[4], const double between[3],
                  double normal[3]);

#endif
