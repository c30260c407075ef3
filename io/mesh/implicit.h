/* implicit.h - solids whose surface is where a function of space is zero, filled with a
 * body-centred lattice. */
#ifndef PIOLA_IO_IMPLICIT_H
#define PIOLA_IO_IMPLICIT_H

#include "io/mesh/meshgen.h"

/* About its distance to the surface, m; negative inside. */
typedef double implicit_field(const double p[3], const void *settings);
/* Moves a point to the surface. */
typedef void implicit_project(double p[3], const void *settings);

struct implicit {
    implicit_field *value;
    implicit_project *project; /* null: by Newton steps along the gradient of the value */
    const void *settings;
    double low[3], high[3]; /* box that holds the shape */
};

/* Volume by counting the points of a grid of `cuts` cubed that are inside. */
double implicit_volume(const struct implicit *solid, int cuts);
/* The tetrahedra of a lattice of cells `h` wide whose middle is inside, their surface drawn to the
 * true one as far as the elements stay good: all are right-handed and none is flat, whatever the
 * function. False without memory, or when none is inside: then `*empty`. */
bool implicit_fill(struct meshgen *mesh, const struct implicit *solid, double h, bool *empty);

#endif
