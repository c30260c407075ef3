/* material.h - a caller's material checked and turned into the constants of the kernels. */
#ifndef PIOLA_MATERIAL_H
#define PIOLA_MATERIAL_H

#include "kernels/packs.h"
#include "piola/piola.h"

/* Fills the constants for use by tetrahedra, triangles or bends (KIND_... of mesh.h): plane stress
 * for triangles, thickness multiplied in; for bends mu is a third of the bending
 * stiffness, N m; links have none, only their density is checked. Returns false and names the field
 * when a constant that this use needs is outside its range. */
bool material_convert(const piola_material *material, unsigned kind, struct pk_material *constants,
                      const char **field);

/* kg/m^3, or of triangles kg/m^2. */
double material_density(const piola_material *material, unsigned kind);
/* The factor of the paper's Q in an isometric bend's energy, N m. */
float material_bend_factor(const piola_material *material);

/* False for constants that material_convert cannot have made. */
bool material_constants_sound(const struct pk_material *constants, unsigned kind);

#endif
