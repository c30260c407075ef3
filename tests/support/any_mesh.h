/* any_mesh.h - the mesh of the running test and materials for it: small ones, and random ones of
 * every kind, shaken, shuffled and renumbered. */
#ifndef PIOLA_ANY_MESH_H
#define PIOLA_ANY_MESH_H

#include "fixture.h"
#include "io/mesh/meshgen.h"

extern struct meshgen any_mesh;
extern piola_material any_materials[3];

void any_mesh_begin(void); /* for setUp(): no mesh, default materials */
void any_mesh_end(void);   /* for tearDown(), with fixture_clean() */

/* The mesh with the first material. */
piola_mesh_desc any_mesh_describe(void);

void any_mesh_box(void);   /* 3 x 3 x 3 cells of a metre in all */
void any_mesh_cloth(void); /* 4 x 4 cells, with bends */
/* Moves every coordinate of the mesh by up to half of `distance` and renumbers and reorders all. */
void any_mesh_disturb(uint64_t *seed, double distance);
void any_mesh_random(uint64_t *seed);
/* Random materials, solvers and clusters. */
void any_mesh_setup(uint64_t *seed, piola_mesh_desc *desc);

#endif
