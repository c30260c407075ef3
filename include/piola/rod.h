/* rod.h - rods: chains of segments that stretch, shear, bend and twist. Included by piola.h:
 * include that.
 *
 * A mesh of rods has segments alone (piola_mesh_desc.segments). Each has a turn besides the
 * positions of its two vertices: a unit quaternion that takes the axes of its section, d1 and d2,
 * and its own, d3, to the world. Segments that share a vertex are clamped to each other there.
 */
#ifndef PIOLA_PIOLA_ROD_H
#define PIOLA_PIOLA_ROD_H

#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies the turns of segments first .. first+count-1, in the description's order: x, y, z, w each.
 * PIOLA_ERROR_RANGE past the last one; of bodies without rods every range but an empty one is. */
PIOLA_API piola_status piola_body_turns(const piola_world *world, piola_body body, uint32_t first,
                                        uint32_t count, float *xyzw);
/* The same of their spins (rad/s, in the world's axes), 3 floats each. */
PIOLA_API piola_status piola_body_spins(const piola_world *world, piola_body body, uint32_t first,
                                        uint32_t count, float *xyz);

/* What a segment holds, in its own axes d1, d2, d3. */
typedef struct piola_segment_load {
    float force[3];     /* N: shear along d1 and d2, tension (below 0 when pressed) */
    float moment[2][3]; /* N m, at its first and second vertex, with which what lies beyond the
                           second end of a cut turns what lies before it: bending about d1 and d2,
                           torque about d3. 0 at free ends */
} piola_segment_load;

/* The loads of segments first .. first+count-1, as of the last step. Between steps only. */
PIOLA_API piola_status piola_body_segment_loads(const piola_world *world, piola_body body,
                                                uint32_t first, uint32_t count,
                                                piola_segment_load *loads);

#ifdef __cplusplus
}
#endif

#endif
