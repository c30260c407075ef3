/* cloth_operations.h - how many single-precision operations an iteration of the bench's cloth is:
 * St Venant-Kirchhoff triangles, isometric bends, none of them crushed. */
#ifndef PIOLA_BENCH_CLOTH_OPERATIONS_H
#define PIOLA_BENCH_CLOTH_OPERATIONS_H

#include "bench_scene.h"

/* Of all elements, or of all vertices and what they visit; lanes that hold none do not count. */
double cloth_operations(const struct bench_asset *compiled, piola_solver solver);

#endif
