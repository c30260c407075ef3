/* body_room.h - which parts of the shared arrays are whose: every body has a run in each.
 *
 * New runs lie behind all others while that lasts, else in the first gap. Where that is depends on
 * the runs that there are, never on how they came to be: worlds in the same state go on alike.
 */
#ifndef PIOLA_BODY_ROOM_H
#define PIOLA_BODY_ROOM_H

#include "world/world.h"

/* Finds room for a body of the asset and writes its runs; takes none of it. `field` names the limit
 * that stands in the way; that is counted. */
piola_status room_find(piola_world *world, const piola_asset *asset, struct body *body,
                       const char **field);
/* Takes a body's runs and its slot, or frees them; counts what is used. */
void room_take(piola_world *world, const struct body *body);
void room_free(piola_world *world, const struct body *body);
/* Frees all. */
void room_clear(piola_world *world);
/* The first slot without a body; max_bodies when there is none. */
uint32_t room_slot(const piola_world *world);

/* Bodies that were moved: their first particles, before in rising order, and now. */
struct moves {
    const uint32_t *from, *to;
    uint32_t count;
};

/* Where a body's particle is now. */
static inline uint32_t moved_particle(const struct moves *moves, uint32_t particle)
{
    uint32_t low = 0, high = moves->count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (moves->from[middle] <= particle)
            low = middle;
        else
            high = middle;
    }
    return moves->count > 0 ? particle - moves->from[low] + moves->to[low] : particle;
}

#endif
