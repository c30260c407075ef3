/* mesh_limits.h - what a mesh description says of its links, and how it is refused.
 * What must not live here: packs; tethers (families/limits/). */
#ifndef PIOLA_MESH_LIMITS_H
#define PIOLA_MESH_LIMITS_H

#include "compile/mesh.h"

/* Beyond these the mass of a link, or a length times a bound, may leave single precision. */
#define LIMIT_LENGTH_MIN     1e-12 /* m */
#define LIMIT_LENGTH_MAX     1e12
#define LIMIT_BOUND_MIN      1e-6 /* of the largest length allowed */
#define LIMIT_BOUND_MAX      1e6
#define LIMIT_COMPLIANCE_MAX 1e12 /* m/N */
#define LIMIT_DAMPING_MAX    1e12 /* N s/m */

/* m: as described, else the distance of the rest mesh. */
double limits_link_length(const piola_mesh_desc *mesh, uint32_t link);

/* Least and largest length allowed, m. */
struct limits_range {
    float least, most;
};
struct limits_range limits_link_range(const piola_mesh_desc *mesh, uint32_t link);
float limits_link_compliance(const piola_mesh_desc *mesh, uint32_t link);
float limits_link_damping(const piola_mesh_desc *mesh, uint32_t link);

/* The numbers of one link, once its vertices are known to exist: */
piola_status limits_check_link(const piola_mesh_desc *mesh, uint32_t link, piola_error *error);
/* and its length. */
piola_status limits_link_status(const piola_mesh_desc *mesh, uint32_t link);

#endif
