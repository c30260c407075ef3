/* schedule.h - the lists that a step's stages are made of. */
#ifndef PIOLA_SCHEDULE_H
#define PIOLA_SCHEDULE_H

#include "world.h"

/* Brings whole, large, chunks, runs and colour_first up to date. */
void schedule_update(piola_world *world);

/* An asset's clusters for the world's solver, and where each colour begins among them. */
const struct asset_cluster *solver_clusters(const piola_world *world, const piola_asset *asset,
                                            const uint32_t **colour_first, uint32_t *colours);

#endif
