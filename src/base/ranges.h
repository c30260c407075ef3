/* ranges.h - numbers that callers give: are they finite, and within what they may be? */
#ifndef PIOLA_RANGES_H
#define PIOLA_RANGES_H

#include "piola/piola.h"

/* One member of a description: `count` numbers, each from low to high. */
struct range_row {
    const float *values;
    uint32_t count;
    float low, high;
    const char *field; /* static text: how the member is named to the user */
};

static inline bool is_finite(float value)
{
    return value - value == 0;
}

/* PIOLA_OK, or which of the two is wrong with the first bad one. */
piola_status range_check(const float *values, uint32_t count, float low, float high);
/* The same of several members: `field` becomes the name of the one that is refused. */
piola_status ranges_check(const struct range_row *rows, size_t count, const char **field);
/* The same, told to the caller. */
piola_status ranges_refuse(const struct range_row *rows, size_t count, piola_error *error);

/* Within half of a hundredth: descriptions and snapshots ask for it before they normalise. */
bool quaternion_unit(const float q[4]);

#endif
