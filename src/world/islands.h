/* islands.h - who belongs together: sets of numbered things that only grow.
 *
 * islands_of() is the one union-find that all families feed by their entry `link`, once a substep,
 * when it is known who meets whom. Domains follow from it: whom no family has joined to anything
 * goes by himself. Relations that hold later, or for less, have arrays of their own: who did push
 * whom, who moves with whom.
 *
 * Each set is led by its lowest number, so that whoever goes through all numbers meets the leader
 * of a set before its others, and sums do not depend on who was joined to whom first.
 */
#ifndef PIOLA_ISLANDS_H
#define PIOLA_ISLANDS_H

#include "world/world.h"

#include <string.h>

/* For each of `count` things a lower one of its set, or itself. Where that is asked for, a mark of
 * those that were joined. */
struct islands {
    uint32_t *leader, count;
    unsigned char *met;
};

/* Each by itself. */
static inline void islands_begin(struct islands of)
{
    for (uint32_t i = 0; i < of.count; ++i)
        of.leader[i] = i;
    if (of.met)
        memset(of.met, 0, of.count);
}

/* Who leads the set: every step goes down. */
static inline uint32_t islands_root(struct islands of, uint32_t member)
{
    while (of.leader[member] != member)
        member = of.leader[member] = of.leader[of.leader[member]];
    return member;
}

/* Two sets become one. What is joined to itself is only marked. */
static inline void islands_join(struct islands of, uint32_t a, uint32_t b)
{
    if (of.met)
        of.met[a] = of.met[b] = 1;
    const uint32_t p = islands_root(of, a), q = islands_root(of, b);
    of.leader[p > q ? p : q] = p > q ? q : p;
}

/* All bodies, and behind them the slots of colliders, as they are tied in this substep. Valid in
 * the shared domain, after MEET. */
static inline struct islands islands_of(const piola_world *world)
{
    return (struct islands){.leader = world_islands(world),
                            .count = (uint32_t)world->dim[DIM_islands].capacity,
                            .met = world_met(world)};
}
static inline uint32_t islands_collider(const piola_world *world, uint32_t slot)
{
    return world->desc.max_bodies + slot;
}

#endif
