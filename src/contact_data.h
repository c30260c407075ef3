/* contact_data.h - what a world keeps of surfaces that touch each other: structs only. See
 * contact.h.
 */
#ifndef PIOLA_CONTACT_DATA_H
#define PIOLA_CONTACT_DATA_H

#include <stdint.h>

/* Marks of a body that has pairs: found before the iterations, or only after them. */
enum paired { PAIRED_BEFORE = 1, PAIRED_AFTER = 2 };

/* A vertex and a triangle, or two edges: the first side's particles first. */
enum pair_kind { PAIR_VERTEX_FACE, PAIR_EDGES };
struct pair {
    uint32_t particle[4];
    uint32_t body[2];
    uint32_t kind;  /* enum pair_kind */
    float distance; /* m, when the substep began */
};

/* A triangle of a body's surface; `owns` has a bit for each corner (0-2) and for the edge from each
 * corner to the next (3-5) that no earlier face has. */
struct face {
    uint32_t corner[3]; /* particles of the world */
    uint32_t owns;
};

struct box {
    float low[3], high[3];
};

/* A body's faces and its tree: a heap of `leaves` (a power of two) leaves, root at 1. */
struct skin {
    uint32_t face_first, face_count, node_first, leaves;
};

/* What a particle may do in a substep. */
struct leash {
    struct box room; /* m, around its way */
    float reach;     /* m, farthest that it gets in its room */
    float bound;     /* m, less than half of the least distance of its pairs */
    float way;       /* m, or the share of its way that it may go */
    uint32_t bound_counts;
};

#endif
