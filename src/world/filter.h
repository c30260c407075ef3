/* filter.h - who meets whom: categories, masks and the user's number of bodies and colliders.
 *
 * Stored so that zero is what a description has that sets none: arrays end with the last that
 * differs, and worlds without any have none.
 */
#ifndef PIOLA_FILTER_H
#define PIOLA_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#define FILTER_CATEGORY UINT64_C(1) /* by default */

struct filter {
    uint64_t category; /* exclusive or FILTER_CATEGORY */
    uint64_t mask;     /* complement */
    uint64_t user_data;
};

static inline struct filter filter_made(uint64_t category, uint64_t mask, uint64_t user_data)
{
    return (struct filter){category ^ FILTER_CATEGORY, ~mask, user_data};
}

static inline uint64_t filter_category(struct filter filter)
{
    return filter.category ^ FILTER_CATEGORY;
}

static inline uint64_t filter_mask(struct filter filter)
{
    return ~filter.mask;
}

static inline bool filters_meet(struct filter a, struct filter b)
{
    return (filter_category(a) & filter_mask(b)) != 0 && (filter_category(b) & filter_mask(a)) != 0;
}

static inline bool filter_plain(struct filter filter)
{
    return filter.category == 0 && filter.mask == 0 && filter.user_data == 0;
}

#endif
