/* render_values.h - numbers to colour a body by: strain and stress of its vertices.
 *
 * Lives here: means of what the engine says of elements, and which cluster a vertex belongs to.
 * What must not live here: colours.
 */
#ifndef APP_RENDER_VALUES_H
#define APP_RENDER_VALUES_H

#include "io/mesh/meshgen.h"

enum render_measure {
    RENDER_STRAIN, /* Frobenius norm of Green strain */
    RENDER_STRESS  /* von Mises, Pa; of cloth in its plane, and N/m when it has no thickness */
};

/* Writes one number a vertex: the mean over its tetrahedra, of a body without any over its
 * triangles, weighted by rest volume (area). `sums` is scratch of one double a vertex. */
void render_values_elements(const struct meshgen *rest, const piola_world *world, piola_body body,
                            enum render_measure measure, double *sums, float *values);

/* Cluster of each vertex (vertex descent), or of the last element that names it (projections). */
void render_values_cluster(const struct meshgen *rest, const piola_asset *asset,
                           uint32_t *clusters);

/* When a vertex is moved in an iteration: the colour of its cluster; in a body of one cluster of
 * vertices the number of its pack. Vertices of one number are moved at the same time. */
void render_values_turn(const struct meshgen *rest, const piola_asset *asset, uint32_t *turns);

#endif
