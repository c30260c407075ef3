/* wind.h - what the air does to a body's cloth before a substep's prediction. */
#ifndef PIOLA_WIND_H
#define PIOLA_WIND_H

#include "phases.h"

/* True when the asset has the packs of triangles that a body with these coefficients needs. */
bool wind_fits(const piola_world *world, const piola_asset *asset, struct body_air air);
/* The state of a new world with air; of a body that comes or goes; of all that exist; a command. */
void wind_begin(piola_world *world);
void wind_set(piola_world *world, uint32_t body, struct body_air air);
void wind_recount(piola_world *world);
bool wind_turn(piola_world *world, const float wind[3]);
/* True when stored state is possible: `weather` and `bodies` as in a snapshot, unaligned. */
bool wind_sane(const piola_world *world, const unsigned char *weather, const unsigned char *bodies,
               uint64_t count);

/* wind_grid.c: the grid carried or made stronger, false without one; stored state, as above; and
 * what a kernel takes of it, null without one. */
bool wind_grid_obey(piola_world *world, const piola_command *command);
bool wind_grid_sane(const unsigned char *grid, uint64_t grids, const unsigned char *nodes,
                    uint64_t count);
const struct pk_wind_grid *wind_grid_around(const piola_world *world, struct pk_wind_grid *grid);

/* True when the air changes velocities of the body. */
bool wind_blows(const struct step *step, const struct body *body);
/* First, a part of the body: the velocities that all of its triangles see, kept in `target`, which
 * the prediction writes anew. */
void wind_remember(const struct step *step, uint32_t first, uint32_t count);
/* Then, one element cluster of the body; clusters of one colour touch different particles. */
void wind_cluster(const struct step *step, const struct body *body, uint32_t cluster);

#endif
