/* meshgen.h - meshes made by rule: solids of tetrahedra, cloth, ropes.
 *
 * Lives here: geometry for tests, benches and the command. Meshes are right-handed as piola.h
 * demands. All functions may allocate; a mesh is given back with meshgen_free. Lengths in metres.
 */
#ifndef PIOLA_MESHGEN_H
#define PIOLA_MESHGEN_H

#include "piola/piola.h"

#define MESHGEN_FAR 1e12 /* m; the engine refuses coordinates beyond it, and so do readers */

struct meshgen {
    double *vertices;     /* 3 per vertex, m */
    uint32_t *tetrahedra; /* 4 each */
    uint32_t *triangles;  /* 3 each, cloth */
    uint32_t *bends;      /* 4 each */
    uint32_t *links;      /* 2 each, of a chain */
    uint32_t *regions;    /* 1 per tetrahedron as its file numbers them, or null */
    double *patterns;     /* 6 per triangle, m: as piola_mesh_desc.triangle_patterns, or null */
    double *texture;      /* points of its file, 2 each, or null */
    uint32_t *texture_of; /* 3 per triangle: its corners' points, UINT32_MAX where there is none */
    uint32_t vertex_count, tetrahedron_count, triangle_count, bend_count, link_count, texture_count;
    double radius; /* m, of a chain as it is drawn; of rods their section's */
    bool rod;      /* its links are segments of rods */
    double skin; /* m: how thick it is where a surface enclosed nothing and became a skin; else 0 */
};

/* Each returns false, with an empty mesh, when a size is not positive, the mesh would be too large
 * for piola.h, or memory ran out. */

/* A box of cells, each cut into five tetrahedra, mirrored from cell to cell; corner at the origin.
 */
bool meshgen_box(struct meshgen *mesh, const double size[3], const uint32_t cells[3]);
/* The same with six tetrahedra around each cell's main diagonal: all alike, one direction favoured.
 */
bool meshgen_box_kuhn(struct meshgen *mesh, const double size[3], const uint32_t cells[3]);
/* A box 4 : 1 : 1 along x of about `tetrahedra` tetrahedra, 1 m long. */
bool meshgen_beam(struct meshgen *mesh, uint32_t tetrahedra);
/* A ball of about `tetrahedra` tetrahedra: a body-centred cubic lattice in a cube, rounded off
 * towards its surface. Radius in m. */
bool meshgen_ball(struct meshgen *mesh, double radius, uint32_t tetrahedra);
/* A solid torus about the y axis of about `tetrahedra` tetrahedra: a bent square bar of
 * body-centred cells, its section mapped to a disc. ring: to the section's centre; tube: of the
 * section, m. */
bool meshgen_torus(struct meshgen *mesh, double ring, double tube, uint32_t tetrahedra);
/* A sheet in the xz plane, two triangles a cell with alternating diagonals, a bend over every
 * inner edge when `bends`. */
bool meshgen_cloth(struct meshgen *mesh, const double size[2], const uint32_t cells[2], bool bends);
/* Vertices in a row along x, linked each to the next, and nothing else. */
bool meshgen_chain(struct meshgen *mesh, double length, uint32_t links);
/* The same as a rod. */
bool meshgen_rod(struct meshgen *mesh, double length, double radius, uint32_t segments);
/* A rod that winds up the y axis, right-handed, from the x axis on: radius of its middle line and
 * of its wire, m. */
bool meshgen_helix(struct meshgen *mesh, double radius, double height, double turns, double wire,
                   uint32_t segments);
/* A rod through points, 3 numbers each: straight from each to the next with 0 segments, else a
 * smooth curve of so many, alike in number from point to point. A closed one ends where it begins.
 */
bool meshgen_curve(struct meshgen *mesh, const float *points, uint32_t count, double radius,
                   uint32_t segments, bool closed);
/* A round bar with round ends along x, about the origin: a body-centred lattice drawn to its
 * surface. length: between the middles of its ends, m. */
bool meshgen_capsule(struct meshgen *mesh, double length, double radius, uint32_t tetrahedra);
/* The same of a shape like a liver, `size` m long. */
bool meshgen_organ(struct meshgen *mesh, double size, uint32_t tetrahedra);
/* A triangular prism of `segments` sections along x, three tetrahedra each. */
bool meshgen_rope(struct meshgen *mesh, double length, double radius, uint32_t segments);

/* A description that points into the mesh; materials are the caller's to add. */
piola_mesh_desc meshgen_desc(const struct meshgen *mesh);
void meshgen_free(struct meshgen *mesh);

#endif
