/* Is a closed curve knotted: an invariant that no motion without crossings changes. */
#ifndef REF_KNOT_H
#define REF_KNOT_H

#include <stdint.h>

/* The determinant of the closed polygon of `count` corners (3 doubles each): |Alexander polynomial
 * at -1|, from the crossings seen along an oblique axis. 1 for what is not knotted (and for a few
 * knots of ten crossings and more), 3 for a trefoil, 5 for a figure eight; odd always. Returns 0
 * where that view is not clear: the polygon meets itself in it to rounding, or memory is short. */
uint64_t ref_knot_determinant(const double *x, uint32_t count);

/* The same of an open curve whose ends lie farther along `axis` (a unit vector) than all of it, the
 * last one ahead, the first one behind: both are led on along it and joined by a wide arc. 0 also
 * where the ends do not lie so. */
uint64_t ref_knot_of_rope(const double *x, uint32_t count, const double axis[3]);

#endif
