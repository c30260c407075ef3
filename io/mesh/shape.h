/* shape.h - what a deformed mesh looks like next to its rest shape. Double precision,
 * for people to read; the engine's own sums are in piola_body_info. */
#ifndef APP_SHAPE_H
#define APP_SHAPE_H

#include "io/mesh/meshgen.h"

struct shape_facts {
    double volume;      /* m^3, signed; of cloth inside its surface, when that is closed */
    double max_stretch; /* largest principal stretch of an element */
    uint32_t inverted;  /* elements with negative volume */
};

/* `xyz` are the vertices now. `stretch` and `ratio` may be null, else get one number an element:
 * its largest principal stretch, and its volume (of cloth its area, of a chain its length) over
 * that at rest. */
void shape_measure(const struct meshgen *rest, const float *xyz, struct shape_facts *facts,
                   float *stretch, float *ratio);

/* Corners of a triangle as it is cut: of its pattern when there is one. */
void shape_rest(const struct meshgen *rest, uint32_t triangle, double then[3][3]);

/* Squares of a triangle's two principal stretches, the larger one first. */
void shape_triangle(const double *const then[3], const double *const now[3], double squares[2]);

/* Quality of a tetrahedron: 6 sqrt(2) V / (root mean square edge)^3, 1 for the regular one, below
 * 0 when inverted. */
double shape_quality(const struct meshgen *mesh, uint32_t tetrahedron);

/* Signed volume of a tetrahedron, m^3. */
double shape_volume(const struct meshgen *mesh, uint32_t tetrahedron);

/* Surface triangles of the tetrahedra, counter-clockwise from outside; the caller's to memory_give,
 * null without memory. */
uint32_t *shape_surface(const struct meshgen *mesh, uint32_t *count);

#endif
