/* contact_data.h - what a world keeps of surfaces that touch each other: structs only. See
 * contact.h.
 */
#ifndef PIOLA_CONTACT_DATA_H
#define PIOLA_CONTACT_DATA_H

#include "kernels_contact.h"

#include <stdbool.h>
#include <stdint.h>

/* Marks of a body that has pairs: found before the iterations, or only after them. */
enum paired { PAIRED_BEFORE = 1, PAIRED_AFTER = 2 };

/* A vertex and a triangle, or two edges: the first side's particles first. */
enum pair_kind { PAIR_VERTEX_FACE, PAIR_EDGES };
struct pair {
    uint32_t particle[4];
    uint32_t kind;  /* enum pair_kind */
    float distance; /* m, at least, when the substep began */
};

/* A triangle of a body's surface; `owns` has a bit for each corner (0-2) and for the edge from each
 * corner to the next (3-5) that no earlier face has. */
struct face {
    uint32_t corner[3]; /* particles of the world */
    uint32_t owns;
};

#define NO_BODY UINT32_MAX

/* What a pair that presses remembers: how far within its plane it is drawn, first side less
 * second; and, where friction at rest may be another, whether it slipped. */
#define GRIP_SLIPPED 2u
struct grip {
    uint32_t particle[4], kind; /* enum pair_kind, and GRIP_SLIPPED */
    float slide[3];             /* m */
};

/* A body's faces, packs of 16 of them, their tree: nodes of 16 packs from node_first on, above them
 * nodes of 16 nodes, and so on up to a root, at that height; the rings of its corners; the blocks
 * of packs that are searched at a time. */
struct skin {
    uint32_t face_first, face_count, pack_first, packs, node_first, height;
    uint32_t ring_first, rings, block_first, blocks;
    float drift[3]; /* m, about the way that it goes as a whole in the substep */
    uint32_t body_first;
    uint64_t identity; /* of the asset; the list is made anew when this or a number above changes */
};

/* Other bodies whose boxes overlap this one's; `count` may exceed those that are listed. */
#define PARTNERS 15u
struct partners {
    uint32_t count, body[PARTNERS];
};

#define TREE_HEIGHT 7u /* at most, for packs of 2^32 faces */

/* Where a body has been in the substep, the island that it moves with, and of a lowest one whether
 * that stays, and whether it is several that only come near each other. */
struct reach {
    float low[3], high[3]; /* m */
    uint32_t root, held, several;
    float begin[3]; /* m, the largest coordinates when the substep began, without sign */
    float way[3];   /* m, by which it is carried: contact_carry.c */
    float mass;     /* kg, of it and all that go with it, and that times their ways, kg m */
    float flight[3];
    uint32_t pushed,
        bound; /* some of them are pushed, or may touch or be tied to what is not theirs */
};

#define CONTACT_BUCKETS 16u /* of distance, for choosing what is dropped */

/* Packs that one worker searches at a time, and the pages of what it found. */
struct contact_block {
    uint32_t body, pack_first, packs, ring_first, rings;
    uint32_t page_first, page_last;
    uint32_t found[2], at[2]; /* by kind: how many, and from where in the list of all */
    uint32_t by_distance[CONTACT_BUCKETS];
};

#define PAGE_PAIRS 42u
#define NO_PAGE    UINT32_MAX
struct pair_page {
    uint32_t next, count;
    struct pair pair[PAGE_PAIRS];
};

/* Pairs of one kind, in packs from `first`. */
struct pair_range {
    uint32_t first, count, kind;
};
#define PAIR_RANGES 40u /* two a search; the last search always finds room */

/* A search under way; when there was no room for all, what is kept: pairs below a bucket of
 * distance, and the first `left` of that bucket. */
struct spill {
    bool again, on;
    uint32_t bucket, left;
};

/* Who touches whom: piola_contact_event. Indices from 0; `kind` says what `other` is (events.c). */
struct contact_record {
    uint32_t body, body_generation;
    uint32_t other, other_generation;
    uint32_t kind, phase, touches, reserved;
    double force[3]; /* N, on the body */
};

#endif
