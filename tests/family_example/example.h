/* example.h - what a world keeps of what pulls its bodies. */
#ifndef PIOLA_EXAMPLE_H
#define PIOLA_EXAMPLE_H

#include "motion/phases.h"

/* All zero in a slot that pulls nothing. */
struct example {
    uint32_t body; /* index + 1 */
    float pull[3]; /* m/s^2 */
};

#define ARRAYS_OF "families/example/example.def"
#include "world/arrays.h"

#endif
