/* traction.h - forces per area on parts of a body's surface: tractions and pressures. Included by
 * piola.h: include that. */
#ifndef PIOLA_PIOLA_TRACTION_H
#define PIOLA_PIOLA_TRACTION_H

#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A load of a substep as gravity is: the objective knows it, with every solver, so that what rests
 * is balanced after any number of iterations. Each corner gets a third of its triangle's force. The
 * traction is a dead load: it acts per area of the shape at rest, in a direction of the world, and
 * turns with nothing. The pressure follows: it acts per area against the surface as that stands
 * when the substep begins. Several may act on one triangle. To ramp one, set it before each step.
 */
typedef struct piola_traction_desc {
    uint32_t cookie_;
    piola_body body;
    const uint32_t *triangles; /* numbers in piola_asset_surface; null: all */
    uint32_t triangle_count;
    float traction[3]; /* Pa, in the world's axes */
    float pressure;    /* Pa, inwards when above 0 */
} piola_traction_desc;

/* All triangles, no force. */
PIOLA_API piola_traction_desc piola_traction_desc_default(void);

/* Between steps only. Ends with its body. PIOLA_ERROR_TRACTIONS_FULL. */
PIOLA_API piola_status piola_traction_create(piola_world *world, const piola_traction_desc *desc,
                                             piola_traction *traction, piola_error *error);
/* Between steps only. */
PIOLA_API piola_status piola_traction_destroy(piola_world *world, piola_traction traction);
/* False once it was destroyed or has lost its body. */
PIOLA_API bool piola_traction_alive(const piola_world *world, piola_traction traction);

typedef struct piola_traction_info {
    piola_body body;
    uint32_t triangles;
    float traction[3], pressure; /* Pa, as last taken by a step */
    double area;                 /* m^2, at rest */
    double force[3];             /* N, on the surface as it stands */
} piola_traction_info;

/* Between steps only. */
PIOLA_API piola_status piola_traction_inspect(const piola_world *world, piola_traction traction,
                                              piola_traction_info *info);

/* The triangles of a surface all of whose corners are chosen: `chosen` has a value for each vertex
 * in the description's order, not 0 for those that are. Writes at most `capacity` numbers;
 * `triangles` may be null when that is 0. Returns how many there are. */
PIOLA_API uint32_t piola_asset_surface_region(const piola_asset *asset, const uint8_t *chosen,
                                              uint32_t *triangles, uint32_t capacity);

#ifdef __cplusplus
}
#endif

#endif
