/* element_fixture.h - bodies whose elements are all mapped alike, and materials beside the same
 * ones of the double-precision reference. */
#ifndef PIOLA_ELEMENT_FIXTURE_H
#define PIOLA_ELEMENT_FIXTURE_H

#include "piola/piola.h"
#include "ref_mat3.h"
#include "ref_material.h"

struct element_material {
    piola_material described;
    ref_material reference; /* of tetrahedra */
};

/* One of each model, of about this stiffness (Pa). */
struct element_material element_material(int model, double young, double poisson);

/* A body in a world of its own, without gravity; `mesh` until fixture_clean. */
struct element_block {
    piola_world *world;
    piola_body body;
    piola_mesh_desc mesh;
    uint32_t elements; /* tetrahedra, or triangles */
    bool sheet;
};

/* A cube of 1 m: five tetrahedra. */
struct element_block element_block(piola_material material);
struct element_block element_block_of(piola_material material, piola_isa isa);
/* The same of the default material, compiled for `compile_for` alone. */
struct element_block element_block_for(uint32_t compile_for);
/* A bar of 6 x 2 x 2 cells, cut into clusters of some elements. */
struct element_block element_beam(piola_material material, uint32_t cluster);
/* Four triangles about a vertex, 1 m wide, in the plane of x and y, warp along x. Orthotropic ones
 * have half the modulus across, a contraction of 0.2 and a fifth of the modulus in shear. */
struct element_block element_sheet(piola_model model, double young, double poisson,
                                   float thickness);

/* Puts every vertex to f times its place at rest, or off that by up to `amount`. */
void element_block_move(const struct element_block *block, ref_mat3 f);
void element_shake(const struct element_block *block, double amount, uint64_t *seed);
/* Pins every vertex where it is. */
void element_block_hold(const struct element_block *block);
piola_element_state element_block_state(const struct element_block *block, uint32_t element);
/* F of a tetrahedron, from the description and the body's positions. */
ref_mat3 element_map(const struct element_block *block, uint32_t element);
/* From xx yy zz yz xz xy. */
ref_mat3 element_symmetric(const float s[6]);

#endif
