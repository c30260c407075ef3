/* fill.h - a surface filled with tetrahedra. */
#ifndef PIOLA_IO_FILL_H
#define PIOLA_IO_FILL_H

#include "io/base/problem.h"
#include "io/mesh/meshgen.h"

#define FILL_TETRAHEDRA      4000u
#define FILL_TETRAHEDRA_MOST 5000000u

/* Makes a solid of about `tetrahedra` elements of any surface: closed or with holes, crossing
 * itself, facing in or out. What it is wound around (surface_tree.h) is inside; parts much thinner
 * than an element are lost. Of a surface that is wound around nothing, like an open sheet, it makes
 * a skin about as thick as an element: then `*skin`, which may be null. All elements are
 * right-handed. */
bool fill_surface(const struct meshgen *surface, uint32_t tetrahedra, struct meshgen *mesh,
                  bool *skin, struct problem *problem);

#endif
