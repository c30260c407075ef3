/* Triangle meshes for tests: rectangles, regular and irregular, a sphere, and the list of interior
 * edges. No mechanics. */
#ifndef REF_SHEET_MESH_H
#define REF_SHEET_MESH_H

#include <stdbool.h>
#include <stdint.h>

/* x: 3 doubles a vertex (m). triangle: 3 indices, counter-clockwise seen from +z (from outside of a
 * sphere). bend: 4 indices an interior edge: its ends x0, x1, then the vertex opposite in the
 * triangle that has the edge as (x0, x1) and in the one that has it as (x1, x0). */
typedef struct {
    int vertices, triangles, bends;
    double *x;
    int *triangle, *bend;
} ref_sheet_mesh;

typedef enum {
    REF_SHEET_SQUARES,   /* one diagonal in all cells */
    REF_SHEET_ALTERNATE, /* diagonals alternate like a chessboard's colours */
    REF_SHEET_STAGGERED  /* every other column (constant x) set off by half a cell, with two half
                            cells at its ends: equilateral where a cell is sqrt(3)/2 by 1 */
} ref_sheet_kind;

/* [0, size_x] x [0, size_y] x {0} in nx x ny cells; vertex (i, j) has index i (ny + 1) + j
 * (staggered: odd columns have one vertex more). With jitter > 0 (share of a cell, at most 0.3)
 * vertices are moved at random and connected anew by Delaunay's rule; corners and sides stay where
 * they are. False when out of memory. */
bool ref_sheet_mesh_grid(ref_sheet_mesh *out, const int cells[2], const double size[2],
                         ref_sheet_kind kind, double jitter, uint64_t seed);

/* An icosahedron, every triangle cut in 4 `levels` times, on a sphere about the origin. */
bool ref_sheet_mesh_sphere(ref_sheet_mesh *out, int levels, double radius);

void ref_sheet_mesh_free(ref_sheet_mesh *mesh);

#endif
