/* quads.h - numbers of a particle: from its quad, and back.
 */
#ifndef PIOLA_QUADS_H
#define PIOLA_QUADS_H

#include "kernels/packs.h"

static inline void quad_read(const struct pk_quad *quad, float at[3])
{
    at[0] = quad->x;
    at[1] = quad->y;
    at[2] = quad->z;
}

static inline void quad_write(struct pk_quad *quad, const float at[3])
{
    quad->x = at[0];
    quad->y = at[1];
    quad->z = at[2];
}

static inline void quad_load(const struct pk_quad *quad, double at[3])
{
    at[0] = (double)quad->x;
    at[1] = (double)quad->y;
    at[2] = (double)quad->z;
}

static inline struct pk_quad quad_made(const double v[4])
{
    return (struct pk_quad){(float)v[0], (float)v[1], (float)v[2], (float)v[3]};
}

#endif
