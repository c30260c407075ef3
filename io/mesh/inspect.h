/* inspect.h - what a mesh is like: counts, quality, whether its surface is closed and sound. */
#ifndef APP_INSPECT_H
#define APP_INSPECT_H

#include "io/base/problem.h"
#include "io/mesh/meshgen.h"

#define INSPECT_BINS 10

struct mesh_facts {
    bool solid;
    uint32_t vertices, elements, surface_triangles;
    uint32_t isolated; /* vertices of no element */
    uint32_t parts;    /* groups of elements that share no vertex */
    double low[3], high[3];
    double volume, area; /* m^3 inside the surface, m^2 of it */
    /* Quality of elements, 0 to 1 (1: regular), in tenths; those below 0 are inverted. */
    uint32_t histogram[INSPECT_BINS];
    uint32_t inverted;
    double quality_least, quality_mean;
    uint32_t bends;         /* inner edges of cloth, over which it resists bending */
    uint32_t open_edges;    /* of the surface, in one triangle only */
    uint32_t crowded_edges; /* in more than two */
    uint32_t turned_edges;  /* in two that face opposite ways */
    bool manifold;          /* closed, none of the three */
};

bool inspect_mesh(const struct meshgen *mesh, struct mesh_facts *facts, struct problem *problem);

#endif
