/* sort.h - stable sorting in linear time, without comparisons, recursion or allocation.
 * What must not live here: any knowledge of what is sorted. */
#ifndef PIOLA_SORT_H
#define PIOLA_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts `items` by keys[0..count), moving both. The other pair is work space of the same length. */
void sort_keys(uint64_t *keys, uint32_t *items, uint64_t *keys_work, uint32_t *items_work,
               uint32_t count);

/* Sorts `items` by key[items[i] * stride], of which only the lowest `bits` may be set. Stable, so
 * calls from the least to the most significant key sort by several keys. */
void sort_items(uint32_t *items, uint32_t *work, uint32_t count, const uint32_t *key,
                uint32_t stride, unsigned bits);

/* Bits needed to write every number below `limit`; at least 1. */
unsigned sort_bits(uint32_t limit);

#endif
