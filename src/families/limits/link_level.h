/* link_level.h - the level of bodies of links alone (ropes, nets): all links of a body are solved
 * for at once. What an asset has for it: link_level_sections.c. A substep's: link_level.c. */
#ifndef PIOLA_LINK_LEVEL_H
#define PIOLA_LINK_LEVEL_H

#include "world/world.h"

/* By place in the order of elimination, and one more for the end: its particle, and its first link
 * that leads to a later place. `place` is not this place's, but that of the particle with this
 * number. */
struct link_node {
    uint32_t particle, first, place;
};

/* A link to a later place: the particle there, and the lane of the link's pack. */
struct link_edge {
    uint32_t to, lane;
};

/* 16 links as the last correction left them: the unit vector from the later end; N/m, against moves
 * along and across it; N, their tensions; 1: at their upper bound. */
struct link_now {
    float normal[3][PK_LANES], along[PK_LANES], across[PK_LANES], tension[PK_LANES];
    uint32_t pulls[PK_LANES];
};

static inline bool link_level_of(const piola_asset *asset)
{
    return asset->at.link_nodes.count > 0;
}

#endif
