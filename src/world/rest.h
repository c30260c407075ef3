/* rest.h - who sleeps: how long bodies and rigid bodies have lain still, and what wakes them.
 *
 * Nodes are bodies by their number, and behind them colliders and rigid bodies by their slot. Who
 * sleeps has no velocity and is not stepped; who falls asleep, and who is woken by what comes near,
 * is sleep/sleep.c's. Everything else that may set a body in motion calls one of the functions
 * here.
 */
#ifndef PIOLA_REST_H
#define PIOLA_REST_H

#include "kernels/kernels.h"
#include "world/world.h"

/* After a step, in world_rest_was: it sleeps; it did not before, or the other way round. */
enum rest_was { REST_SLEPT = 1, REST_CHANGED = 2 };

static inline bool rests_any(const piola_world *world)
{
    return world->dim[DIM_rests].capacity > 0;
}

static inline bool body_asleep(const piola_world *world, uint32_t body)
{
    return (world_bodies(world)[body].flags & BODY_ASLEEP) != 0;
}

static inline uint32_t solid_node(const piola_world *world, uint32_t slot)
{
    return world->desc.max_bodies + slot;
}

static inline bool solid_asleep(const piola_world *world, uint32_t slot)
{
    return rests_any(world) && world_rests(world)[solid_node(world, slot)].asleep != 0;
}

static inline bool node_asleep(const piola_world *world, uint32_t node)
{
    return node < world->desc.max_bodies ? body_asleep(world, node)
                                         : world_rests(world)[node].asleep != 0;
}

/* Something acts on it: it wakes, or its time of lying still begins anew. Nothing in a world in
 * which nobody sleeps. */
void node_wake(const piola_world *world, uint32_t node);
static inline void body_wake(const piola_world *world, const struct body *body)
{
    node_wake(world, (uint32_t)(body - world_bodies(world)));
}
static inline void solid_wake(const piola_world *world, uint32_t slot)
{
    node_wake(world, solid_node(world, slot));
}
/* The same of all; of all that the air acts on. */
void world_wake(const piola_world *world);
void world_wake_airborne(const piola_world *world);
/* A body goes or has come: those that sleep near it wake, and it has not rested. */
void rest_vacate(const piola_world *world, uint32_t body);
void rest_forget_solid(const piola_world *world, uint32_t slot);

/* The box around a body's vertices, and where they will be after `dt` (s) at their velocities. */
struct pk_swept_box rest_box_of(const piola_world *world, uint32_t body, float dt);
static inline bool boxes_overlap(const struct pk_swept_box *a, const struct pk_swept_box *b)
{
    bool apart = false;
    for (int k = 0; k < 3; ++k)
        apart = apart || a->low[k] > b->high[k] || b->low[k] > a->high[k];
    return !apart;
}
/* After all bodies were put anew: the boxes of those that sleep; who sleeps now did before. */
void rests_recount(const piola_world *world);
/* How far apart those may be that wake each other, m. */
float rest_margin(const piola_world *world);
/* Below which speed a body lies still, m/s; 0: never. */
static inline float rest_speed(const piola_world *world, uint32_t node)
{
    const struct rest *rest = &world_rests(world)[node];
    return rest->own ? rest->speed : world->desc.sleep_speed;
}
/* A command of a body alone. */
bool rest_apply_command(piola_world *world, const piola_command *command);

#endif
