/* spread.h - takes neighbours along a list apart, in an order that is the same everywhere.
 *
 * Items packed in curve order are packed badly: the last ones are all neighbours, so each opens a
 * pack of its own. Taken by steps of the golden section of the list's length, those that come last
 * lie far apart, and so do those that meet in one pack or in consecutive ones.
 */
#ifndef PIOLA_SPREAD_H
#define PIOLA_SPREAD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t spread_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* `work` holds as many items. */
static inline void spread(uint32_t *items, uint32_t *work, uint32_t count)
{
    if (count < 3)
        return;
    uint32_t step = (uint32_t)((uint64_t)count * 2654435769u >> 32); /* (sqrt(5) - 1) / 2 */
    while (spread_divisor(step, count) != 1)
        step++;
    memcpy(work, items, count * sizeof *items);
    for (uint32_t i = 0, at = 0; i < count; i++) {
        items[i] = work[at];
        at = (uint32_t)(((uint64_t)at + step) % count);
    }
}

#endif
