/* element.h - stress, strain and energy of elements. Included by piola.h: include that. */
#ifndef PIOLA_PIOLA_ELEMENT_H
#define PIOLA_PIOLA_ELEMENT_H

#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one element is in, by the arithmetic of the solvers themselves: elastic stress alone,
 * without damping, less what plastic flow has used up, with what branches that relax still hold.
 * All numbers are finite in every state, inverted and flattened ones too: what an element torn
 * apart has beyond 3.4e38 is told as that.
 *
 * Material axes are those of the description: of tetrahedra the given frame (else x, y, z), of
 * triangles the warp direction, the weft across it, and the normal. */
typedef struct piola_element_state {
    /* F, by rows: from the material axes at rest to the world's. Of triangles the last column is 0:
     * what becomes of the normal is not said. */
    float deformation[9];
    float green_strain[6]; /* xx yy zz yz xz xy along the material axes, shear not doubled; total,
                              with what is plastic of it */
    /* Pa: force per area at rest, by rows: along the world's axes, of faces across the material
     * ones. First Piola-Kirchhoff. */
    float first_piola[9];
    float cauchy[6]; /* Pa: xx yy zz yz xz xy along the world's axes: first_piola F^T / volume_ratio
                      */
    float von_mises; /* Pa, of the Cauchy stress */
    float volume_ratio; /* det F, negative when inverted; of triangles now over rest area, never
                           negative. For the Cauchy stress its size counts as 1e-6 at least */
    float rest_volume;  /* m^3; of triangles their area, m^2 */
    float energy;       /* J */
} piola_element_state;

/* Copies the states of tetrahedra first .. first+count-1, in the description's order. Looks through
 * the numbers of all of the body's elements, and evaluates those asked for: ask for many at once.
 * PIOLA_ERROR_COMPILE_FOR: the asset was compiled without PIOLA_COMPILE_FOR_PROJECTION. */
PIOLA_API piola_status piola_body_tetrahedron_states(const piola_world *world, piola_body body,
                                                     uint32_t first, uint32_t count,
                                                     piola_element_state *states);
/* The same of triangles of cloth. Their stresses are in Pa where the material has a thickness, as
 * if that stayed what it is at rest; where it has none they are per length, N/m. */
PIOLA_API piola_status piola_body_triangle_states(const piola_world *world, piola_body body,
                                                  uint32_t first, uint32_t count,
                                                  piola_element_state *states);

#ifdef __cplusplus
}
#endif

#endif
