/* surfaces.h - surfaces of triangles, which cloth is made of: made by rule, and their inner edges.
 *
 * Lives here: generators of closed surfaces, and what a list of triangles says about its edges.
 * What must not live here: files, physics.
 */
#ifndef APP_SURFACES_H
#define APP_SURFACES_H

#include "io/mesh/meshgen.h"

#define SURFACE_TRIANGLES_MOST (1u << 24) /* that subdivision may make */

/* A ball's surface about the origin: an icosahedron whose edges are cut into `cuts` parts. */
bool surface_sphere(struct meshgen *mesh, double radius, uint32_t cuts);

/* Cuts each triangle into four, so many times, and smooths. Only vertices and triangles are kept
 * right. False when it would be too large, or without memory; the mesh is then what it was cut to.
 */
bool surface_subdivide(struct meshgen *mesh, uint32_t times);
/* Moves the vertices along their normals: bumps of this height, m, and distance, m. */
bool surface_relief(struct meshgen *mesh, double height, double wave);

/* An edge of a triangle, which goes from `corner` of the list to the next corner. */
struct surface_edge {
    uint32_t low, high; /* vertices */
    uint32_t corner;
};

uint32_t surface_next(uint32_t corner);
/* All edges of all triangles, equal ones side by side; the caller's to memory_give, null without
 * memory. */
struct surface_edge *surfaces_sort(const uint32_t *triangles, uint32_t count);
/* How many of the sorted edges are the same, from `first` on. */
uint32_t surface_run(const struct surface_edge *edges, uint32_t first, uint32_t count);

struct surface_edges {
    uint32_t inner;   /* in two triangles that face the same way: a bend each */
    uint32_t open;    /* in one triangle only */
    uint32_t crowded; /* in more than two */
    uint32_t turned;  /* in two that face opposite ways */
};

/* Counts the edges of the triangles; false without memory. */
bool surface_count(const uint32_t *triangles, uint32_t count, struct surface_edges *edges);

/* Gives the mesh a bend over each inner edge, unless it has bends; false without memory. */
bool surface_bend(struct meshgen *mesh);

#endif
