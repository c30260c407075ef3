/* rod_assets.h - what assets have of rods, and how a plan finds it. Made by rod_plan.c and
 * rod_build.c, checked by rod_check.c, used by rod_system.c.
 *
 * A node is a vertex (by its particle) or, behind all vertices, a segment. The equations of a rod
 * are solved for all nodes at once, by elimination in an order in which chains and trees fill no
 * place, and a ring two a node.
 */
#ifndef PIOLA_ROD_ASSETS_H
#define PIOLA_ROD_ASSETS_H

#include "compile/plan.h"

/* Most blocks beside the diagonal, per vertex. */
#define ROD_BLOCKS 10u

/* A segment's axes at rest are those of `rest`, a unit quaternion. */
struct rod_segment {
    uint32_t end[2];  /* particles */
    float length;     /* m */
    float stretch[3]; /* N: kappa G A along d1 and d2, E A along d3 */
    float bend[3];    /* N m^2: E I about d1 and d2, G J about d3 */
    float inertia[3]; /* kg m^2, about its axes */
    float rest[4];
};

/* Two segments clamped to each other. At rest the first one's turn times its frame is that of the
 * second: the axes of the joint. */
struct rod_joint {
    uint32_t segment[2], end[2];
    float stiffness[3]; /* N m */
    float frame[2][4];
};

/* A node; where its blocks begin. `place` is not this place's, but that of the node with this
 * number. */
struct rod_place {
    uint32_t node, first, place;
};

struct rod_plan {
    uint32_t nodes, joints, blocks;
    bool full;                          /* the blocks are more than there is room for */
    uint32_t *first, *at_vertex;        /* vertices + 1; segments at each */
    uint32_t *node_of_place, *place_of; /* nodes: vertices as described, then segments */
    uint32_t *block_first, *later;
    uint32_t *centre;              /* of vertices: the segment that others there are clamped to */
    uint32_t *mark, *child, *next; /* of places, while blocks are found */
    double *turn;                  /* 4 per segment: its axes at rest */
};

static inline struct rod_plan *rod_plan(const struct piola_plan *plan)
{
    return plan->parts[PART_rods];
}

/* The rod of a segment. */
static inline const piola_rod *rod_of(const piola_mesh_desc *mesh, uint32_t segment)
{
    return &mesh->rods[mesh->segment_rods == NULL ? 0 : mesh->segment_rods[segment]];
}

/* E A and the like: shear along d1, d2, tension; bending about d1, d2, torsion. */
void rod_stiffness(const piola_rod *rod, double stretch[3], double bend[3]);
/* m, and the unit vector along it. */
double rod_length(const piola_mesh_desc *mesh, uint32_t segment, double along[3]);

/* rod_check.c: entries of part_rods. */
piola_status rod_check_counts(const piola_mesh_desc *mesh, piola_error *error);
piola_status rod_check_elements(const piola_mesh_desc *mesh, unsigned char *touched,
                                piola_error *error);
/* rod_plan.c */
void *rod_take(const piola_mesh_desc *mesh, struct arena *arena);
void rod_find(struct piola_plan *plan, const piola_mesh_desc *mesh, struct arena *arena);
/* rod_verify.c */
struct open;
bool rod_verify(const struct open *o);

#endif
