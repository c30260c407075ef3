/* external.h - what acts on a particle besides its own body's elements, as a quadratic: laid down
 * before each iteration of descent by attachments, surfaces, pressure, and faces at colliders,
 * summed by the kernels. */
#ifndef PIOLA_EXTERNAL_H
#define PIOLA_EXTERNAL_H

#include "motion/stage.h"

/* The body's three streams (ispc/motion/external_quadratic.isph), body->count quads each: gradient
 * h (N), diagonal xx yy zz and off-diagonal yz xz xy of the Hessian (N/m), both at the particle's
 * target. Null when nothing ties the body and no collider is near its faces, or
 * outside descent. */
struct pk_quad *external_of(const piola_world *world, const struct body *body);
/* Puts the inertial target of one of the body's particles elsewhere; what is laid down stays what
 * it is. */
void external_aim(const piola_world *world, const struct body *body, uint32_t particle,
                  const struct pk_quad *target);
/* N: what is laid down pulls a particle with, where it is; 0 when nothing is. */
void external_pull(const piola_world *world, const struct body *body, uint32_t particle,
                   float pull[3]);
/* Zeros, in a chunk of a coupled body. */
void external_clear(const piola_world *world, const struct body *body, uint32_t first,
                    uint32_t count);

#endif
