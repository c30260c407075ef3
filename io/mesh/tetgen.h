/* tetgen.h - reads a mesh of tetrahedra from TetGen's .node and .ele files.
 *
 * Lives here: the text format only. Input is not trusted: every count, index and number is checked
 * and every error names the file, the line and what was expected.
 */
#ifndef PIOLA_TETGEN_H
#define PIOLA_TETGEN_H

#include "io/base/problem.h"
#include "io/mesh/meshgen.h"

/* Reads `node_path` and `ele_path`. Numbering may start at 0 or 1. Tetrahedra are turned
 * right-handed when more of the file's are left-handed than right-handed; single ones of the other
 * kind are left as they are, for piola_asset_plan to refuse. Ten-node elements keep their corners
 * only. A first attribute of the elements is kept as their regions' numbers. False on error, with
 * an empty mesh. */
bool tetgen_read(const char *node_path, const char *ele_path, struct meshgen *mesh,
                 struct problem *problem);

#endif
