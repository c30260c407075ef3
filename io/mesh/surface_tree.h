/* surface_tree.h - a surface asked for its nearest point and whether it is wound around a place.
 *
 * Lives here: a tree of boxes over triangles. What must not live here: what is made of the answers.
 */
#ifndef PIOLA_IO_SURFACE_TREE_H
#define PIOLA_IO_SURFACE_TREE_H

#include "io/mesh/meshgen.h"

struct surface_tree {
    const struct meshgen *surface;
    struct surface_node *nodes;
    uint32_t *order; /* triangles, those of a node side by side */
    uint32_t node_count;
};

/* `surface` must have triangles and outlive the tree. False without memory. */
bool surface_tree_make(struct surface_tree *tree, const struct meshgen *surface);
void surface_tree_free(struct surface_tree *tree);

/* The point of the surface nearest to p; returns its distance, m. */
double surface_tree_nearest(const struct surface_tree *tree, const double p[3], double nearest[3]);

/* The generalised winding number: 1 inside of a closed surface that faces outwards, 0 outside,
 * between them where it has holes (Jacobson 2013); far triangles count as one dipole (Barill 2018),
 * so it is true within some hundredths. */
double surface_tree_winding(const struct surface_tree *tree, const double p[3]);

#endif
