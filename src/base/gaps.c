/* gaps.c - a tree over a row of units: see gaps.h. */
#include "base/gaps.h"

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* A node of two children that have `half` units each. */
static struct gap joined(const struct gap *children, uint32_t half)
{
    const struct gap a = children[0], b = children[1];
    return (struct gap){a.head == half ? half + b.head : a.head,
                        b.tail == half ? half + a.tail : b.tail,
                        larger(larger(a.best, b.best), a.tail + b.head)};
}

void gaps_clear(struct gap *gaps, uint32_t nodes)
{
    uint32_t units = nodes / 2;
    for (uint32_t first = 1; first < nodes; first *= 2, units /= 2)
        for (uint32_t node = first; node < 2 * first; ++node)
            gaps[node] = (struct gap){units, units, units};
}

void gaps_set(struct gap *gaps, uint32_t nodes, uint32_t first, uint32_t count, bool free)
{
    if (count == 0)
        return;
    uint32_t low = nodes / 2 + first, high = low + count - 1;
    for (uint32_t node = low; node <= high; ++node)
        gaps[node] = (struct gap){free, free, free};
    for (uint32_t half = 1; low > 1; half *= 2) {
        low /= 2;
        high /= 2;
        for (uint32_t node = low; node <= high; ++node)
            gaps[node] = joined(&gaps[2 * (size_t)node], half);
    }
}

uint32_t gaps_find(const struct gap *gaps, uint32_t nodes, uint32_t count)
{
    if (gaps[1].best < count)
        return nodes / 2;
    uint32_t node = 1, at = 0;
    for (uint32_t half = nodes / 4; half > 0; half /= 2) {
        const struct gap *children = &gaps[2 * (size_t)node];
        node *= 2;
        if (children[0].best >= count)
            continue;
        if (children[0].tail + children[1].head >= count)
            return at + half - children[0].tail;
        ++node;
        at += half;
    }
    return at;
}

uint32_t gaps_end(const struct gap *gaps, uint32_t nodes)
{
    return nodes / 2 - gaps[1].tail;
}
