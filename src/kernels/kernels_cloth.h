/* kernels_cloth.h - prototypes of the kernels of triangles: KERNELS_CLOTH(X), X(return type, name,
 * (arguments)).
 *
 * As project_..., measure_tets and plastic_flow of kernels_solids.h; what each kernel computes:
 * docs/method/cloth.md.
 */
#ifndef PIOLA_KERNELS_CLOTH_H
#define PIOLA_KERNELS_CLOTH_H

#include "kernels/kernels_solids.h"

#define KERNELS_CLOTH(X)                                                                           \
    X(void, project_triangles_energy, (const struct pk_element_job *job))                          \
    X(void, project_triangles_compliant, (const struct pk_element_job *job))                       \
    X(void, project_triangles_explicit, (const struct pk_element_job *job))                        \
    X(void, measure_triangles, (const struct pk_element_job *job))                                 \
    X(void, plastic_flow_triangles, (const struct pk_element_job *job))

#endif
