/* wind.h - what the air does to a body's cloth: loads that its particles feel in a substep. */
#ifndef PIOLA_WIND_H
#define PIOLA_WIND_H

#include "motion/phases.h"

/* What a place adds to that wind: velocities at the nodes of a grid (wind_grid.c). */
struct wind_grid {
    float origin[3]; /* m, of the first node */
    float strength;
    float spacing[3];  /* m */
    uint32_t count[3]; /* nodes along the axes */
};

#define ARRAYS_OF "families/air/air.def"
#include "world/arrays.h"

/* True when stored state is possible: `weather` and `bodies` as in a snapshot, unaligned. */
bool wind_valid(const piola_world *world, const unsigned char *weather, const unsigned char *bodies,
                uint64_t count);

/* wind_grid.c: stored state, as above; and what a kernel takes of the grid, null without one. */
bool wind_grid_valid(const unsigned char *grid, uint64_t grids, const unsigned char *nodes,
                     uint64_t count);
const struct pk_wind_grid *wind_grid_around(const piola_world *world, struct pk_wind_grid *grid);

#endif
