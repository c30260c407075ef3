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
    double *stiffness;       /* N/m, per vertex */
    uint32_t *order;         /* pairs, those of many parts first */
    struct coarse_pair *pair;
    struct coarse_part *part;
    struct coarse_group *group;
    /* While planning: */
    uint32_t *grid_cell, *grid_node, *grid_group, *table, *tally;
    struct pk_material *materials;
};

/* Reserves all of it; nothing for a mesh that has no coarse level. */
void coarse_take(const piola_mesh_desc *mesh, struct arena *arena, struct plan_coarse *plan);
/* Chooses the finest cage whose matrix is worth its time. */
void coarse_find(struct plan_coarse *plan, const piola_mesh_desc *mesh);
/* coarse_stiffness.c: the cage's rest stiffness. False when it needs more room than it may take. */
bool coarse_sum_elements(struct plan_coarse *plan, const piola_mesh_desc *mesh);
/* The vertices' eight weights: of the corners of their cells. */
void coarse_weights(const float local[3], double weight[PK_CORNERS]);

/* Doubles of a body's coarse scratch: matrix, the last share, right-hand side and solution, inverse
 * pivots, rotations. */
static inline uint64_t coarse_doubles(uint64_t matrix, uint64_t nodes, uint64_t groups)
{
    const uint64_t rows = (3 * nodes + 15) / 16 * 16;
    return matrix + PK_LANES + 3 * rows + (groups + 15) / 16 * (sizeof(struct pk_coarse_turns) / 8);
}

#endif
