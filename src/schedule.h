/* schedule.h - the lists that a step's stages are made of. */
#ifndef PIOLA_SCHEDULE_H
#define PIOLA_SCHEDULE_H

#include "world.h"

/* Brings whole, large, chunks, runs and colour_first up to date. */
void schedule_update(piola_world *world);

/* An asset's clusters of one family, by colour. */
struct clusters {
    const struct asset_cluster *cluster;
    const uint32_t *colour_first; /* and the end */
    uint32_t count, colours;
};
struct clusters clusters_of(const piola_asset *asset, bool of_vertices);

#endif
