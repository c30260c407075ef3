/* query_triangle.h - geometry of one triangle for queries, in double. Corners come from floats. No
 * world, no loop over triangles. */
#ifndef PIOLA_QUERY_TRIANGLE_H
#define PIOLA_QUERY_TRIANGLE_H

#include <stdbool.h>

/* Distances that differ by less than this share are equal. */
#define QUERY_EQUAL 1e-12

/* Where a unit-direction ray meets the triangle; false when it does not. `weights` sum to 1. */
bool query_ray_triangle(double corners[3][3], const double origin[3], const double direction[3],
                        double *distance, double weights[3]);
/* The square of the distance to the closest point of the triangle, whose weights are given. */
double query_closest_triangle(double corners[3][3], const double point[3], double weights[3]);
/* Does the triangle share a point with the box of half lengths `half` about the origin? */
bool query_box_triangle(double corners[3][3], const double half[3]);
/* Unit normal, or 0. */
void query_normal(double corners[3][3], double normal[3]);

#endif
