/* kernels_bends.h - prototypes of the kernels of bending edges: KERNELS_BENDS(X), X(return type,
 * name, (arguments)).
 *
 * As kernels_solids.h; a material's mu is a third of the bending stiffness (N m), the factor of Q.
 * docs/method/cloth.md says what each one computes.
 */
#ifndef PIOLA_KERNELS_BENDS_H
#define PIOLA_KERNELS_BENDS_H

#include "kernels/kernels_solids.h"

#define KERNELS_BENDS(X)                                                                           \
    X(void, project_bends_energy, (const struct pk_element_job *job))                              \
    X(void, project_bends_compliant, (const struct pk_element_job *job))                           \
    X(void, project_bends_explicit, (const struct pk_element_job *job))                            \
    X(void, measure_bends, (const struct pk_element_job *job))                                     \
    X(void, plastic_flow_bends, (const struct pk_element_job *job))

#endif
