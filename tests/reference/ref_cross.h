/* Do triangles go through each other? Exact answers for penetration proofs: only the signs of
 * ref_exact.h decide, nothing is rounded. Positions are 3 doubles a vertex; floats widened to
 * double are exact. Shares nothing with the engine.
 *
 * Triangles and segments are closed sets, and may have no area or no length.
 *   REF_APART  they share no point.
 *   REF_TOUCH  they share a point, but do not cross: a vertex on a face or an edge, an edge on an
 *              edge or ending at it, coplanar triangles that overlap, anything of no area that
 * meets another. REF_CROSS  the open insides meet and the planes differ: one passes through the
 * other. For a segment: its open inside goes through the open inside of the triangle from one side
 *              to the other. */
#ifndef REF_CROSS_H
#define REF_CROSS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { REF_APART, REF_TOUCH, REF_CROSS } ref_meeting;

/* Three corners of 3 doubles each. */
ref_meeting ref_cross_triangles(const double a[9], const double b[9]);
/* Segment p q against a triangle. */
ref_meeting ref_cross_edge(const double p[3], const double q[3], const double triangle[9]);
/* Two closed segments share a point. */
bool ref_cross_segments_meet(const double p[3], const double q[3], const double a[3],
                             const double b[3]);

typedef struct {
    const double *x;          /* 3 a vertex */
    const uint32_t *triangle; /* 3 vertex numbers a triangle */
    uint32_t triangles;
} ref_surface;

typedef struct {
    uint64_t crossing, touching; /* pairs of triangles */
    uint64_t tested;             /* pairs whose boxes overlap */
    uint32_t first[2];           /* the first crossing pair found, else the first touching one */
} ref_crossings;

/* ref_cross_mesh.c: counts pairs, one triangle of each surface, with a grid. False when out of
 * memory or a coordinate is not below 1e90 in size. The same surface as `a` and `b` is
 * ref_cross_self. */
bool ref_cross_surfaces(const ref_surface *a, const ref_surface *b, ref_crossings *out);
/* Pairs of triangles of one surface. Those that share one corner count when they cross, not for
 * touching there; those that share an edge do not count. */
bool ref_cross_self(const ref_surface *s, ref_crossings *out);

#endif
