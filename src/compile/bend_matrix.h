/* bend_matrix.h - isometric bending as one sparse row per vertex, for descent.
 *
 * The energy is quadratic with a constant matrix, the sum of all stencils' B/3 Q. Row v of it has
 * an entry for each vertex that shares a stencil with v; the gradient at v is the sum of weight_j
 * (x_j - x_v), since rows add up to zero, and the Hessian's block is `self` times the identity. */
#ifndef PIOLA_BEND_MATRIX_H
#define PIOLA_BEND_MATRIX_H

#include "compile/plan.h"

struct bend_matrix_work {
    uint32_t *mark, *place; /* per vertex */
};
void bend_matrix_take(const piola_mesh_desc *mesh, struct arena *arena,
                      struct bend_matrix_work *work);
/* The plan's share. Nothing unless the mesh is compiled for descent. */
void bend_matrix_take_plan(const piola_mesh_desc *mesh, struct arena *arena,
                           struct plan_rows *rows);
void bend_matrix_find(struct piola_plan *plan, const piola_mesh_desc *mesh,
                      const struct bend_matrix_work *work);

#endif
