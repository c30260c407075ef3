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

/* wind_grid.c: what a kernel takes of the grid, null without one. */
const struct pk_wind_grid *wind_grid_around(const piola_world *world, struct pk_wind_grid *grid);

#endif
