/* A small seeded generator (splitmix64) for meshes and tests that must be the same everywhere. */
#ifndef REF_RANDOM_H
#define REF_RANDOM_H

#include <stdint.h>

#include "ref_mat3.h"

static inline uint64_t ref_random_bits(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [low, high). */
static inline double ref_random(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(ref_random_bits(state) >> 11) * 0x1p-53;
}

/* A rotation from a uniform unit quaternion. */
static inline ref_mat3 ref_random_rotation(uint64_t *state)
{
    double q[4], n = 0;
    do {
        n = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = ref_random(state, -1, 1);
            n += q[i] * q[i];
        }
    } while (n > 1 || n < 1e-4);
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(n);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    return (ref_mat3){{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                       {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                       {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

#endif
