/* sort.c - least-significant-digit radix sorts. See sort.h. */
#include "base/sort.h"

#include <string.h>

#define DIGIT_BITS  11u
#define DIGIT_COUNT (1u << DIGIT_BITS)
#define DIGIT_MASK  (DIGIT_COUNT - 1u)

/* Turns a histogram into the place where each digit's run begins. Returns false when all items have
 * one digit, so that the pass can be left out. */
static bool places(uint32_t histogram[DIGIT_COUNT], uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < DIGIT_COUNT; digit++) {
        const uint32_t here = histogram[digit];
        if (here == count)
            return false;
        histogram[digit] = sum;
        sum += here;
    }
    return true;
}

void sort_keys(uint64_t *keys, uint32_t *items, uint64_t *keys_work, uint32_t *items_work,
               uint32_t count)
{
    uint64_t *from = keys, *to = keys_work;
    uint32_t *from_items = items, *to_items = items_work;
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        uint32_t place[DIGIT_COUNT] = {0};
        for (uint32_t i = 0; i < count; i++)
            place[(from[i] >> shift) & DIGIT_MASK]++;
        if (!places(place, count))
            continue;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t at = place[(from[i] >> shift) & DIGIT_MASK]++;
            to[at] = from[i];
            to_items[at] = from_items[i];
        }
        uint64_t *const swap = from;
        from = to;
        to = swap;
        uint32_t *const swap_items = from_items;
        from_items = to_items;
        to_items = swap_items;
    }
    if (from != keys) {
        memcpy(keys, from, count * sizeof *keys);
        memcpy(items, from_items, count * sizeof *items);
    }
}

void sort_items(uint32_t *items, uint32_t *work, uint32_t count, const uint32_t *key,
                uint32_t stride, unsigned bits)
{
    uint32_t *from = items, *to = work;
    for (unsigned shift = 0; shift < bits; shift += DIGIT_BITS) {
        uint32_t place[DIGIT_COUNT] = {0};
        for (uint32_t i = 0; i < count; i++)
            place[(key[(size_t)from[i] * stride] >> shift) & DIGIT_MASK]++;
        if (!places(place, count))
            continue;
        for (uint32_t i = 0; i < count; i++)
            to[place[(key[(size_t)from[i] * stride] >> shift) & DIGIT_MASK]++] = from[i];
        uint32_t *const swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
}

unsigned sort_bits(uint32_t limit)
{
    unsigned bits = 1;
    while (bits < 32 && (limit - (limit > 0)) >> bits != 0)
        bits++;
    return bits;
}
