/* islands.h - who belongs together: sets of numbered things that only grow.
 *
 * Each set is led by its lowest number, so that whoever goes through all numbers meets the leader
 * of a set before its others, and sums do not depend on who was joined to whom first.
 */
#ifndef PIOLA_ISLANDS_H
#define PIOLA_ISLANDS_H

#include <stdint.h>

/* For each of `count` things a lower one of its set, or itself. */
struct islands {
    uint32_t *leader, count;
};

/* Each by itself. */
static inline void islands_begin(struct islands of)
{
    for (uint32_t i = 0; i < of.count; ++i)
        of.leader[i] = i;
}

/* Who leads the set: every step goes down. */
static inline uint32_t islands_root(struct islands of, uint32_t member)
{
    while (of.leader[member] != member)
        member = of.leader[member] = of.leader[of.leader[member]];
    return member;
}

/* Two sets become one. */
static inline void islands_join(struct islands of, uint32_t a, uint32_t b)
{
    const uint32_t p = islands_root(of, a), q = islands_root(of, b);
    of.leader[p > q ? p : q] = p > q ? q : p;
}

#endif
