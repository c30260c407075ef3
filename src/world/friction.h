/* friction.h - Coulomb's friction of two things that touch: the one rule, and how it is stored.
 *
 * Bodies, colliders and rigid bodies may be given one. Stored so that zero is what has none: arrays
 * end with the last that differs.
 */
#ifndef PIOLA_FRICTION_H
#define PIOLA_FRICTION_H

#include "piola/status.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct friction {
    uint32_t given; /* 1; or 0, and then all is */
    float value[2]; /* at rest, sliding */
};

/* Both below 0: none is given. One below 0: as the other. */
static inline struct friction friction_made(float at_rest, float sliding)
{
    struct friction f = {0, {0, 0}};
    if (at_rest >= 0 || sliding >= 0)
        f = (struct friction){1,
                              {(at_rest >= 0 ? at_rest : sliding) + 0.0f, /* no -0 */
                               (sliding >= 0 ? sliding : at_rest) + 0.0f}};
    return f;
}

/* What a user is told. */
static inline void friction_tell(struct friction friction, float *at_rest, float *sliding)
{
    *at_rest = friction.given ? friction.value[0] : -1;
    *sliding = friction.given ? friction.value[1] : -1;
}

/* Of a description: up to 10 each, and of two that are not below 0 the sliding one at most that at
 * rest. `wrong` is 0 when that at rest is to blame, 1 when the sliding one is. */
static inline piola_status friction_check(float at_rest, float sliding, int *wrong)
{
    *wrong = at_rest - at_rest == 0 && at_rest <= 10;
    if (!(at_rest - at_rest == 0) || (*wrong && !(sliding - sliding == 0)))
        return PIOLA_ERROR_NOT_FINITE;
    return !*wrong || sliding > 10 || (at_rest >= 0 && sliding > at_rest) ? PIOLA_ERROR_RANGE
                                                                          : PIOLA_OK;
}

/* Of a snapshot. */
static inline bool friction_valid(struct friction f)
{
    return f.given <= 1 && f.value[0] >= f.value[1] && f.value[1] >= 0 && f.value[0] <= 10 &&
           (f.given == 1 || !(f.value[0] > 0));
}

/* The rule, at rest [0] and sliding [1]: of two that were given the geometric mean; where one was,
 * that one alone; where none was, the world's. */
static inline void friction_between(struct friction a, struct friction b, float worlds,
                                    float friction[2])
{
    for (int k = 0; k < 2; ++k) {
        const float f = a.given ? a.value[k] : b.given ? b.value[k] : worlds;
        const float g = b.given ? b.value[k] : f;
        friction[k] = f == g ? f : sqrtf(f * g);
    }
}

#endif
