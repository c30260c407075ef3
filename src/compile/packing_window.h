/* packing_window.h - the packs still open while items are packed one after another: each goes to
 * the earliest open pack that takes it.
 *
 * At most 64 packs are open, one bit each: bit pack % 64. When none takes an item and 64 are open,
 * the oldest is closed as it is. What makes two items enemies is the caller's: a mask of packs.
 */
#ifndef PIOLA_PACKING_WINDOW_H
#define PIOLA_PACKING_WINDOW_H

#include "kernels/packs.h"

#include <stdbool.h>

#define WINDOW_PACKS 64u

struct window {
    uint32_t base, next;         /* packs [base, next) are in the window */
    uint64_t open;               /* packs that have a free lane */
    uint32_t used[WINDOW_PACKS]; /* lanes */
    uint32_t item[WINDOW_PACKS][PK_LANES];
};

static inline uint64_t window_bit(uint32_t pack)
{
    return UINT64_C(1) << (pack % WINDOW_PACKS);
}

static inline void window_begin(struct window *window, uint32_t first_pack)
{
    window->base = window->next = first_pack;
    window->open = 0;
}

/* Earliest pack in `allowed` that has a free lane; false when there is none. */
static inline bool window_find(const struct window *window, uint64_t allowed, uint32_t *pack)
{
    const uint64_t fit = window->open & allowed;
    if (fit == 0)
        return false;
    const unsigned turn = window->base % WINDOW_PACKS;
    const uint64_t in_order = turn == 0 ? fit : fit >> turn | fit << (WINDOW_PACKS - turn);
    *pack = window->base + (uint32_t)__builtin_ctzll(in_order);
    return true;
}

static inline bool window_full(const struct window *window)
{
    return window->next - window->base == WINDOW_PACKS;
}

/* The oldest pack leaves the window. */
static inline void window_close(struct window *window)
{
    window->open &= ~window_bit(window->base);
    window->base++;
}

static inline uint32_t window_open(struct window *window)
{
    const uint32_t pack = window->next++;
    window->used[pack % WINDOW_PACKS] = 0;
    window->open |= window_bit(pack);
    return pack;
}

/* Puts an item into a pack that has a free lane; returns pack * 16 + lane. */
static inline uint32_t window_put(struct window *window, uint32_t pack, uint32_t item)
{
    const uint32_t slot = pack % WINDOW_PACKS;
    const uint32_t lane = window->used[slot]++;
    window->item[slot][lane] = item;
    if (lane + 1 == PK_LANES)
        window->open &= ~window_bit(pack);
    return pack * PK_LANES + lane;
}

#endif
