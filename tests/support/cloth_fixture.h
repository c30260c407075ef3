/* cloth_fixture.h - cloth for tests: a body made from a sheet of the reference, its positions, and
 * how far two sheets, or a sheet and its rest shape, are apart. Freed by fixture_clean(), but for
 * the reference's mesh, which stays the caller's. */
#ifndef PIOLA_CLOTH_FIXTURE_H
#define PIOLA_CLOTH_FIXTURE_H

#include "fixture.h"
#include "ref_sheet_mesh.h"

struct cloth {
    piola_world *world;
    piola_body body;
    uint32_t vertices;
    float *x; /* 3 a vertex, m */
};

/* Triangles of the first material and, when `bend` is not null, all interior edges of the second.
 * The material's axis 1 is `direction`, or null. */
piola_mesh_desc cloth_mesh(const ref_sheet_mesh *mesh, const piola_material *material,
                           const piola_material *bend, const float direction[3]);

/* A world for statics: long steps, which implicit Euler damps at once, and many iterations. */
piola_world_desc cloth_statics(float dt, uint32_t iterations);

/* A world with one body in it, its positions in x. */
struct cloth cloth_start(const piola_mesh_desc *mesh, const piola_world_desc *desc, float damping);
/* The same; it is untangled (piola_untangle). */
struct cloth cloth_start_led(const piola_mesh_desc *mesh, const piola_world_desc *desc,
                             float damping);

void cloth_get(const struct cloth *cloth);
void cloth_put(const struct cloth *cloth);
/* Holds a vertex where x has it. */
void cloth_pin(const struct cloth *cloth, uint32_t vertex);

/* Distances (m) of one surface's vertices from the other surface and back. */
struct cloth_distance {
    double most, mean;               /* Hausdorff's distance and the mean */
    double vertex_most, vertex_mean; /* of each vertex from its twin: more than the former */
};

/* x against y, two shapes of the mesh. */
struct cloth_distance cloth_compare(const ref_sheet_mesh *mesh, const float *x, const double *y);

/* Root mean square distance of x from the best rigid placement of rest. */
double cloth_from_rest(const float *rest, const float *x, uint32_t vertices);

#endif
