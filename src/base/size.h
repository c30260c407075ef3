/* size.h - sums and products of sizes that cannot wrap around.
 *
 * Lives here: the only arithmetic src/ may use on byte counts that come from a caller. Each
 * function returns false and leaves *total unchanged when the result does not fit, so calls can be
 * chained: if (!size_mul(&bytes, count) || !size_add(&bytes, extra)) return PIOLA_ERROR_TOO_LARGE;
 * What must not: anything that knows what the bytes are for.
 */
#ifndef PIOLA_SIZE_H
#define PIOLA_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool size_add(size_t *total, size_t more)
{
    if (more > SIZE_MAX - *total)
        return false;
    *total += more;
    return true;
}

static inline bool size_mul(size_t *total, size_t factor)
{
    if (factor != 0 && *total > SIZE_MAX / factor)
        return false;
    *total *= factor;
    return true;
}

/* Rounds up to a multiple of `alignment`, a power of two. */
static inline bool size_align(size_t *total, size_t alignment)
{
    const size_t rest = *total & (alignment - 1);
    return rest == 0 || size_add(total, alignment - rest);
}

/* Adds an array of `count` elements that starts at a multiple of `alignment`; `offset`, which may
 * be null, receives its start. */
static inline bool size_array(size_t *total, uint64_t count, size_t element, size_t alignment,
                              size_t *offset)
{
    size_t start = *total;
    if (count > SIZE_MAX || !size_align(&start, alignment))
        return false;
    size_t bytes = (size_t)count;
    size_t end = start;
    if (!size_mul(&bytes, element) || !size_add(&end, bytes))
        return false;
    if (offset != NULL)
        *offset = start;
    *total = end;
    return true;
}

/* The least power of two that is at least n and 16; of n up to 2^62. */
static inline uint64_t power_of_two(uint64_t n)
{
    uint64_t power = 16;
    while (power < n)
        power *= 2;
    return power;
}

#endif
