/* snapshot_check.h - is what a snapshot holds possible? */
#ifndef PIOLA_SNAPSHOT_CHECK_H
#define PIOLA_SNAPSHOT_CHECK_H

#include "world/world.h"

/* Where the state stands in a snapshot; nothing is aligned. Lengths in elements. */
struct stored_state {
    const unsigned char *clock, *bodies;
    const unsigned char *streams[4]; /* position, velocity, older_position, older_velocity */
    uint64_t lengths[4];
    const unsigned char *loads;
    uint64_t load_length;
    const unsigned char *attachments;
    uint64_t attached;
    const unsigned char *pressures;
    uint64_t pressurised;
    const unsigned char *weather, *body_air;
    uint64_t airborne;
    const unsigned char *wind_grid, *wind_nodes;
    uint64_t wind_grids, wind_node_length;
    const unsigned char *surface_settings;
    uint64_t coated;
    const unsigned char *plastic;
    uint64_t plastic_length;
    const unsigned char *colliders;
    uint64_t collider_length;
    const unsigned char *rigids;
    uint64_t rigid_length;
    const unsigned char *events;
    uint64_t event_length;
    const unsigned char *grips;
    uint64_t gripped;
    const unsigned char *watches;
    uint64_t watched;
};

/* True when stepping this state would be safe: known assets, bodies apart and inside the arrays,
 * flags and counts that fit, all numbers finite, inverse masses that are 0 or the asset's, plastic
 * strain within its bound. Changes only scratch. */
bool snapshot_valid(const piola_world *world, const struct stored_state *state);

#endif
