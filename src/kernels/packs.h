/* packs.h - the memory that C and the ISPC kernels share: particle quads and packs of 16 lanes.
 *
 * Included by C and by ISPC. Only plain structs of fixed layout live here; no function, no pointer.
 *
 * A pack holds 16 items, one per lane, each quantity as 16 consecutive floats (AoSoA). No two lanes
 * of a pack touch each other's results, so targets of 4, 8 and 16 lanes do the same operations in
 * an order that cannot be told apart: they give the same bits.
 *
 * Unused lanes of an element pack hold a unit tetrahedron (triangle, bend) made of the cluster's
 * own dummy particles, which have zero inverse mass and stand at its rest shape, with zero volume
 * (area, scale): such a lane computes finite numbers, changes nothing, and writes only to its own
 * cluster's memory. A cluster's four dummies are the corners of pk_tet_pack in order: (1,0,0),
 * (0,1,0), (0,0,1) and the origin; a triangle takes the first two and the last, a vertex pack moves
 * the last and looks at the first three.
 */
#ifndef PIOLA_PACKS_H
#define PIOLA_PACKS_H

#include "kernels/visits.h"

#ifdef ISPC
typedef unsigned int32 pk_u32;
#else
#include <stdint.h>
typedef uint32_t pk_u32;
#endif

#define PK_LANES 16

/* How a pointer to a body's stream is written in a struct that ISPC and C share. */
#ifdef ISPC
#define PK_STREAM(type) uniform type *uniform
#else
#define PK_STREAM(type) type *
#endif

/* One particle of a stream. What w holds depends on the stream: the inverse mass (1/kg) beside
 * positions, the mass (kg) beside inertial targets, 0 beside velocities. */
struct pk_quad {
    float x, y, z, w;
};

/* Items of an array. */
struct pk_run {
    pk_u32 first, count;
};

/* 16 tetrahedra for the projection solvers. F = Ds Dm^-1, Ds = (x1-x4 x2-x4 x3-x4), paper eq. (9).
 * Dm is taken in the element's material frame, so anisotropic models need no rotation at run time.
 */
struct pk_tet_pack {
    pk_u32 index[4][PK_LANES];
    float dm_inverse[9][PK_LANES]; /* row-major */
    float volume[PK_LANES];        /* m^3 */
};

/* 16 triangles. F = Ds Dm^-1, Ds = (x1-x3 x2-x3); Dm^-1 is 2x2 in the plane of the rest triangle,
 * first axis along the warp direction, the second across it (normal x warp). */
struct pk_triangle_pack {
    pk_u32 index[3][PK_LANES];
    float dm_inverse[4][PK_LANES]; /* row-major */
    float area[PK_LANES];          /* m^2 */
};

/* 16 bending edges. Q = scale K^T K, scale = 3 / (A0 + A1), paper section 4.3, without stiffness;
 * index: edge's two vertices x0, x1, then the two opposite x2, x3. */
struct pk_bend_pack {
    pk_u32 index[4][PK_LANES];
    float k[4][PK_LANES];
    float scale[PK_LANES];      /* 1/m^2; of dihedral bends times the edge's square, without unit */
    float rest_angle[PK_LANES]; /* rad, -pi to pi, 0 when flat, positive when x3 lies on the side of
                                   the normal (x1-x0) x (x2-x0) */
};

/* 16 links: the distance of two particles stays between `least` and `most`. Unused lanes are zero
 * but for the indices. */
struct pk_link_pack {
    pk_u32 index[2][PK_LANES];
    float least[PK_LANES], most[PK_LANES]; /* m */
    float compliance[PK_LANES];            /* m/N, 0 is rigid */
};

/* 16 consecutive particles, each with one of its tethers: it stays within `length` of its anchor. A
 * lane without one has itself for an anchor. */
struct pk_tether_pack {
    pk_u32 anchor[PK_LANES];
    float length[PK_LANES]; /* m */
};

/* 16 vertices for vertex descent; no two share an element. Their elements follow as runs of
 * visits, one for each kind. A lane with fewer elements than visits repeats its first one with
 * zero weight (volume; k, alpha and beta; area; not in bend rows); a lane with none of a kind looks
 * at dummies with r and weight zero; a lane without a vertex moves and looks at dummies, and its
 * laplacian is 1. */
struct pk_vertex_pack {
    pk_u32 self[PK_LANES];
    struct pk_run visits[PK_VISIT_KINDS]; /* of bends: entries of its rows */
    pk_u32 reserved[16 - 2 * PK_VISIT_KINDS];
    float laplacian[PK_LANES]; /* sum of mu V |b|^2 over the vertex's stable Neo-Hookean elements,
                                  N/m */
    float bending[PK_LANES];   /* N/m: pk_bend_row */
};

/* 16 visits of a vertex (position xa) to one of its tetrahedra, any material. With the other
 * corners x1, x2, x3 in an order that makes det(x1-xa, x2-xa, x3-xa) positive at rest: F = sum_i
 * (x_i - xa) r_i^T, r_i the rows of Dm'^-1, and dF/dxa acts through b = -(r1 + r2 + r3). */
struct pk_visit {
    pk_u32 other[3][PK_LANES];
    float r[9][PK_LANES]; /* r1, r2, r3, material frame */
    float volume[PK_LANES];
    pk_u32 material[PK_LANES];
};

/* The same for bodies made of stable Neo-Hookean materials only. With n = (x2-x1) x (x3-x1) and
 * d = xa - x1 the force's negative (gradient) is sum_i k_i (x_i - xa) + n (alpha + beta n.d), and
 * its Hessian block is laplacian I + beta n n^T: constants of stiffness and geometry only, folded
 * together. docs/method/kernels.md derives it. */
struct pk_visit_snh {
    pk_u32 other[3][PK_LANES];
    float k[3][PK_LANES];  /* mu V r_i.b, N/m */
    float alpha[PK_LANES]; /* Pa */
    float beta[PK_LANES];  /* Pa/m^3 */
};

/* A vertex's visit to a triangle: the other two corners, rows r1, r2 (2 each) of Dm'^-1, area. */
struct pk_triangle_visit {
    pk_u32 other[2][PK_LANES];
    float r[4][PK_LANES];
    float area[PK_LANES];
    pk_u32 material[PK_LANES];
};

/* An entry of the vertices' rows of the isometric bending matrix: the gradient at a vertex is the
 * sum of weight (x_other - x_self), its Hessian block pk_vertex_pack.bending times the identity.
 * Stiffness is folded in. Where a row has fewer entries the lane looks at a dummy, weight 0. */
struct pk_bend_row {
    pk_u32 other[PK_LANES];
    float weight[PK_LANES]; /* N/m */
};

/* A vertex's visit to a bend of the dihedral model. Seen from an end of the edge (edge 1): the
 * stencil is self, other 0, 1, 2 of pk_bend_pack's order; from an opposite vertex (edge 0): other
 * 0, 1, self, other 2. Every stencil can be turned to be seen so. */
struct pk_fold_visit {
    pk_u32 other[3][PK_LANES];
    pk_u32 edge[PK_LANES];
    float weight[PK_LANES];     /* N m: stiffness times 3 |e|^2 / (A0 + A1), over 3 */
    float rest_angle[PK_LANES]; /* rad */
};

/* Constants of a material as the kernels want them; a described material has one for tetrahedra
 * and, when the mesh has such elements, others for triangles (plane stress, N/m; entries xx yy xy
 * of the stiffness only) and for bends (mu is a third of the bending stiffness, N m: the factor of
 * Q). lambda and mu of an anisotropic material are those of the nearest isotropic one. */
struct pk_material {
    pk_u32 model;     /* piola_model; of bends piola_bend_model */
    float mu, lambda; /* Pa */
    float damping;    /* s */
    float yield, creep, max;
    float density;                  /* kg/m^2, of triangles only, else 0 */
    float stiffness[21];            /* upper triangle by rows, Voigt order xx yy zz yz xz xy */
    float stretch_min, stretch_max; /* of triangles, 0: no bound */
    pk_u32 branches;                /* of its relaxation, 0: it does not relax */
};

/* Branches of a material that relaxes (docs/method/viscoelastic.md). */
#define PK_BRANCHES 3
struct pk_relaxation {
    float share[PK_BRANCHES]; /* stiffness of each branch over the material's own; the first
                                 `branches` are above 0 */
    float time[PK_BRANCHES];  /* s */
    float weight;             /* of the body's stiffness, how much is of this material */
    float reserved;
};

#endif
