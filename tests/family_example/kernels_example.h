/* kernels_example.h - what the example's kernel shares with C. */
#ifndef PIOLA_KERNELS_EXAMPLE_H
#define PIOLA_KERNELS_EXAMPLE_H

#include "kernels/packs.h"

struct pk_example_job {
    PK_STREAM(const struct pk_quad) x; /* inverse masses in w */
    PK_STREAM(struct pk_quad) v;
    float change[3]; /* m/s, in a substep */
    pk_u32 count;    /* particles, a multiple of PK_LANES */
};

#endif
