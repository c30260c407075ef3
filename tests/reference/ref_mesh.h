/* Tetrahedral meshes for tests: generators, a TetGen reader, and the deformations that the engine's
 * tests share with the reference. No mechanics. */
#ifndef REF_MESH_H
#define REF_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "ref_mat3.h"

/* x: 3 doubles a vertex (m). tet: 4 indices an element. Generated elements have
 * det(x1 - x0, x2 - x0, x3 - x0) > 0; files keep their own order. */
typedef struct {
    int vertices, tets;
    double *x;
    int *tet;
} ref_mesh;

/* A box from the origin to (size), nx x ny x nz cells of 5 or 6 tetrahedra each, conforming. Vertex
 * (i, j, k) has index (i * (ny + 1) + j) * (nz + 1) + k. False when out of memory. */
bool ref_mesh_beam(ref_mesh *out, const int cells[3], const double size[3], int tets_per_cell);

/* Vertices 0, e_x, e_y, e_z times `size`. */
bool ref_mesh_single(ref_mesh *out, double size);

/* A standing figure, 3 m tall, with head, arms, legs and a tail: in number, size and unevenness of
 * its 3,615 elements like the Armadillo of the convergence tests, for where its files
 * are not. */
bool ref_mesh_figure(ref_mesh *out);

/* `base`.node and `base`.ele of TetGen, zero- or one-based. False when absent or malformed. */
bool ref_mesh_tetgen(ref_mesh *out, const char *base);

void ref_mesh_free(ref_mesh *mesh);

/* Centre of the bounding box to the origin; its longest side to `length` (m), or as it is when 0.
 */
void ref_mesh_normalise(ref_mesh *mesh, double length);

/* Moves every vertex inside the bounding box by up to `amount` (m) a coordinate. The caller keeps
 * amount below what inverts an element (a fifth of a cell is safe for beams of 5 or 6 tetrahedra).
 */
void ref_mesh_distort(ref_mesh *mesh, double amount, uint64_t seed);

/* Signed volume det(x1 - x0, x2 - x0, x3 - x0) / 6 of an element at positions x. */
double ref_mesh_volume(const ref_mesh *mesh, const double *x, int tet);

/* The bent start of the convergence tests: the y axis of the mesh becomes an arc in the x-y plane
 * of curvature `curvature` (1/m) towards -x, sections staying plane: with R = 1 / curvature and a =
 * y / R, x' = (R + x) cos a - R, y' = (R + x) sin a, z' = z. Needs |x| < R. */
void ref_mesh_bend(const ref_mesh *mesh, double curvature, double *x);

/* x_i = A X_i + b */
void ref_mesh_affine(const ref_mesh *mesh, ref_mat3 a, const double b[3], double *x);

#endif
