/* gaps.h - which units of a row are free: a tree that finds the first gap of a length.
 *
 * Lives here: taking and freeing a run, the first gap that is long enough, and where the last taken
 * unit is, each in time that grows with the run's length and the logarithm of the row's. What must
 * not: any knowledge of what is in the units.
 */
#ifndef PIOLA_GAPS_H
#define PIOLA_GAPS_H

#include "base/size.h"

/* A node of the tree: free units at its beginning, at its end, and most in a row. The root is node
 * 1, the children of node n are 2 n and 2 n + 1, the units are the last half of the nodes. */
struct gap {
    uint32_t head, tail, best;
};

/* Nodes that a row of so many units needs, up to 2^28. Units past the last are free, and never
 * taken: who asks for a gap checks that it ends within the row. */
static inline uint64_t gap_nodes(uint64_t units)
{
    return units > 0 ? 2 * power_of_two(units) : 0;
}

/* Frees all. Here and below `nodes` is what gap_nodes said, above 0. */
void gaps_clear(struct gap *gaps, uint32_t nodes);
void gaps_set(struct gap *gaps, uint32_t nodes, uint32_t first, uint32_t count, bool free);
/* The first place where `count` units, at least 1, are free; nodes / 2 when there is none. */
uint32_t gaps_find(const struct gap *gaps, uint32_t nodes, uint32_t count);
/* Behind the last unit that is taken. */
uint32_t gaps_end(const struct gap *gaps, uint32_t nodes);

#endif
