/* vtk_cells.h - cells as VTK numbers their kinds, of its old files and of its XML files.
 *
 * Lives here: which kinds are read, and what of them. What must not live here: either format.
 */
#ifndef PIOLA_IO_VTK_CELLS_H
#define PIOLA_IO_VTK_CELLS_H

#include "io/mesh/soup.h"

enum { VTK_STRIP = 6, VTK_POLYGON = 7 };

/* Points and lines are passed over, curved cells keep their corners; other solids than tetrahedra
 * are refused. False with a problem. */
bool vtk_cell(struct soup *soup, uint32_t kind, const uint32_t *v, uint32_t corners);

#endif
