/* wind.h - wind that differs from place to place. Included by piola.h: include that. */
#ifndef PIOLA_PIOLA_WIND_H
#define PIOLA_PIOLA_WIND_H

#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Velocities of the air at the nodes of a grid along the axes. Each triangle of cloth feels, at its
 * middle, piola_world_desc.wind plus `strength` times what the grid has there: trilinear between
 * nodes, and outside of the grid what it has at the nearest place of its border (so where the
 * border is 0 the uniform wind alone blows outside). */
typedef struct piola_wind_grid_desc {
    uint32_t cookie_;
    /* m/s, -1e4 to 1e4, 3 a node; node x + count[0] * (y + count[1] * z) stands at
     * origin + (x, y, z) * spacing. Read during the call only. */
    const float *nodes;
    uint32_t count[3]; /* 1 to 65536 each; 1: the same all along that axis */
    float spacing[3];  /* m, 1e-6 to 1e6 */
    float origin[3]; /* m, of the first node, -1e9 to 1e9; piola_world_set_wind_origin carries it */
    float strength;  /* -1e9 to 1e9; default 1; piola_world_set_wind_strength changes it */
} piola_wind_grid_desc;

/* No nodes yet, 1 m apart, from the origin. */
PIOLA_API piola_wind_grid_desc piola_wind_grid_desc_default(void);

/* Between steps only, as often as you like: copies the grid into the world's block, in place of the
 * one before. It is part of snapshots and the hash. Not while inputs are recorded; the commands
 * that carry it or change its strength are recorded as all are. A world without air_density
 * refuses it (PIOLA_ERROR_RANGE). PIOLA_ERROR_WIND_FULL: more nodes than max_wind_nodes. */
PIOLA_API piola_status piola_world_set_wind_grid(piola_world *world,
                                                 const piola_wind_grid_desc *desc,
                                                 piola_error *error);
/* Between steps only. The uniform wind alone blows again; fine when there is no grid. */
PIOLA_API piola_status piola_world_drop_wind_grid(piola_world *world);

#ifdef __cplusplus
}
#endif

#endif
