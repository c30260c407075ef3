/* coarse_plan.h - the coarse level of a mesh on its way to an asset: its cage, and what the rest
 * stiffness of the elements is to the cage's nodes. Work space is the caller's, as in plan.h. */
#ifndef PIOLA_COARSE_PLAN_H
#define PIOLA_COARSE_PLAN_H

#include "base/arena.h"
#include "compile/mesh.h"
#include "kernels/kernels_coarse.h"

#define COARSE_NONE UINT32_MAX

/* A box of cells around the rest shape. Cells and nodes that hold nothing have no number. */
struct coarse_grid {
    double origin[3], size[3]; /* m; of a cell */
    uint32_t count[3];         /* cells along each axis */
    unsigned axis[3];          /* axes, the longest first */
};

struct coarse_pair {
    uint32_t row, column, head, parts; /* nodes; its first block, and how many */
    double mass;                       /* kg */
    double string;                     /* of triangles, per stiffness in a direction */
    double bend;                       /* N/m, alike in all directions */
};

struct coarse_part {
    uint32_t group, next;
    double k[9]; /* N/m */
};

/* Four vertices far apart that show how a group is turned. */
struct coarse_group {
    uint32_t corner[4];
    uint32_t members; /* vertices counted once an element */
    double sum[3];    /* of their places, m */
    double best[4];   /* how far apart each corner is from those before */
};

struct plan_coarse {
    uint32_t cells, nodes, groups, pairs, parts; /* 0 cells: there is no coarse level */
    uint32_t pair_packs, blocks, cage_packs;
    uint64_t matrix; /* doubles */
    double damping;  /* s */
    struct coarse_grid grid;
    /* Kept for build: */
    float *local;            /* 3 per vertex */
    uint32_t *cell;          /* per vertex */
    uint32_t *cell_first;    /* cells + 1 */
    uint32_t *cell_vertices; /* cell by cell */
    uint32_t *cell_node;     /* PK_CORNERS per cell */
    uint32_t *reach;         /* per node */
    double *mass;            /* kg, per node */
    double *strings;         /* per node, as a pair's: of its vertices */
    double *stiffness;       /* N/m, per vertex */
    uint32_t *order;         /* pairs, those of many parts first */
    struct coarse_pair *pair;
    struct coarse_part *part;
    struct coarse_group *group;
    /* While planning: */
    uint32_t *grid_cell, *grid_node, *grid_group, *table, *tally;
    struct pk_material *materials;
};

/* Reserves all of it; nothing for a mesh that cannot have a coarse level. */
void coarse_take(const piola_mesh_desc *mesh, struct arena *arena, struct plan_coarse *plan);
/* Chooses the finest cage whose matrix is worth its time. */
void coarse_find(struct plan_coarse *plan, const piola_mesh_desc *mesh);
/* coarse_stiffness.c: the cage's rest stiffness. False when it needs more room than it may take. */
bool coarse_sum_elements(struct plan_coarse *plan, const piola_mesh_desc *mesh);
/* Tetrahedra, or triangles of a mesh that has no tetrahedra: the elements whose groups turn. */
static inline unsigned coarse_kind(const piola_mesh_desc *mesh)
{
    return mesh->tetrahedron_count > 0 ? KIND_TET : KIND_TRIANGLE;
}

/* Nodes that move one element, and what each of them has of a sum over its corners. */
#define COARSE_ELEMENT_NODES (4 * PK_CORNERS)
struct coarse_spread {
    uint32_t count;
    uint32_t node[COARSE_ELEMENT_NODES];
    struct vec3 b[COARSE_ELEMENT_NODES];
};
/* Adds the vertex's weights times g. */
void coarse_spread_vertex(const struct plan_coarse *plan, uint32_t vertex, struct vec3 g,
                          struct coarse_spread *to);
/* A pair of nodes, row < column, and its part of a group; NULL when there is no room. */
struct coarse_pair *coarse_find_pair(struct plan_coarse *plan, const piola_mesh_desc *mesh,
                                     uint32_t row, uint32_t column);
struct coarse_part *coarse_find_part(struct plan_coarse *plan, const piola_mesh_desc *mesh,
                                     uint32_t row, uint32_t column, uint32_t group);
/* coarse_sheets.c: the same of one triangle of a group, and of one bend. */
bool coarse_add_triangle(struct plan_coarse *plan, const piola_mesh_desc *mesh, uint32_t id,
                         uint32_t group);
bool coarse_add_bend(struct plan_coarse *plan, const piola_mesh_desc *mesh, uint32_t id);
/* The vertices' eight weights: of the corners of their cells. */
void coarse_weights(const float local[3], double weight[PK_CORNERS]);

/* Doubles of a body's coarse scratch: matrix, the last share, right-hand side and solution, inverse
 * pivots, what nodes of a sheet resist, rotations, and what the particles of a sheet resist. */
static inline uint64_t coarse_doubles(uint64_t matrix, uint64_t nodes, uint64_t groups,
                                      uint64_t sheet_particles)
{
    const uint64_t rows = (3 * nodes + 15) / 16 * 16;
    return matrix + PK_LANES + (sheet_particles > 0 ? 5 : 4) * rows +
           (groups + 15) / 16 * (sizeof(struct pk_coarse_turns) / 8) + 3 * sheet_particles;
}

#endif
