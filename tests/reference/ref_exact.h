/* On which side of a line or a plane a point lies, exactly: the sign is right for any finite input
 * whose coordinates are zero or between 2^-300 and 2^300 in size (all floats are). A filter in
 * double answers most calls; the rest is done with expansions, sums of doubles that do not overlap
 * (Shewchuk 1997, Adaptive Precision Floating-Point Arithmetic). No geometry beyond the signs. */
#ifndef REF_EXACT_H
#define REF_EXACT_H

/* Sign (-1, 0, 1) of det(b - a, c - a): 1 when a, b, c turn counter-clockwise. Points of 2 doubles.
 */
int ref_exact_turn(const double a[2], const double b[2], const double c[2]);

/* Sign of det(b - a, c - a, d - a): 1 when d lies on the side to which (b - a) x (c - a) points.
 * Points of 3 doubles. */
int ref_exact_side(const double a[3], const double b[3], const double c[3], const double d[3]);

/* How often the calls so far had to go beyond the filter, for tests. Not for threads. */
unsigned long ref_exact_hard_calls(void);

#endif
