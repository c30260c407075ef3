/* render_values.h - numbers to colour a body by: strain and stress of its vertices.
 *
 * Lives here: deformation measures for people to look at, in double precision, and which cluster a
 * vertex belongs to. The engine's own arithmetic is in ispc/. What must not live here: colours.
 */
#ifndef APP_RENDER_VALUES_H
#define APP_RENDER_VALUES_H

#include "io/mesh/meshgen.h"

/* Each writes one number a vertex: the mean over its elements, weighted by rest volume (area).
 * `sums` is scratch of one double a vertex. */

/* Frobenius norm of Green strain (F^T F - I) / 2. */
void render_values_strain(const struct meshgen *rest, const float *xyz, double *sums,
                          float *values);
/* Von Mises stress, Pa (of cloth in its plane, and N/m when it has no thickness), of the isotropic
 * models; 0 where the material is anisotropic. */
void render_values_stress(const struct meshgen *rest, const uint32_t *element_materials,
                          const piola_material *const *materials, const float *xyz, double *sums,
                          float *values);

/* Cluster of each vertex (vertex descent), or of the last element that names it (projections). */
void render_values_cluster(const struct meshgen *rest, const piola_asset *asset,
                           uint32_t *clusters);

/* When a vertex is moved in an iteration: the colour of its cluster; in a body of one cluster of
 * vertices the number of its pack. Vertices of one number are moved at the same time. */
void render_values_turn(const struct meshgen *rest, const piola_asset *asset, uint32_t *turns);

#endif
