/* tractions.h - forces per area on parts of a body's surface: what the world holds of them. */
#ifndef PIOLA_TRACTIONS_H
#define PIOLA_TRACTIONS_H

#include "motion/phases.h"

/* A slot that is not alive is zero but for its generation. */
struct traction {
    uint32_t generation, alive;
    uint32_t body;         /* index */
    uint32_t first, count; /* faces, which follow each other */
    float value[3];        /* Pa, dead */
    float pressure;        /* Pa, follows the surface */
};

struct traction_face {
    uint32_t traction;    /* slot + 1 */
    uint32_t particle[3]; /* of the body */
    float area;           /* m^2, at rest */
};

#define ARRAYS_OF "families/tractions/tractions.def"
#include "world/arrays.h"

/* Lists bodies' tractions anew. */
void tractions_recount(piola_world *world);
void tractions_end_with(piola_world *world, uint32_t body);
/* N, on each corner of a face of a body whose particles stand at x. */
void traction_force(const struct traction *t, const struct traction_face *face,
                    const struct pk_quad *x, float force[3]);

#endif
