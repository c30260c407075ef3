/* surface_data.h - what a world keeps of surfaces that touch each other: structs only. See
 * surface.h.
 */
#ifndef PIOLA_SURFACE_DATA_H
#define PIOLA_SURFACE_DATA_H

#include "world/world.h"

#include <stdbool.h>
#include <stdint.h>

/* What a body's surface is to others: surface_settings.h. */
struct surface_settings {
    uint32_t not_itself; /* 1: it does not meet itself */
};

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
 * second; where friction at rest may be another, whether it slipped; how stiff it has become. */
#define GRIP_SLIPPED 2u
struct grip {
    uint32_t particle[4], kind; /* enum pair_kind, and GRIP_SLIPPED */
    float slide[3];             /* m */
    float stiff;                /* times what its masses make it: 1 to PK_PAIR_STIFFEST */
};

/* A body's faces, packs of 16 of them, their tree: nodes of 16 packs from node_first on, above them
 * nodes of 16 nodes, and so on up to a root, at that height; the rings of its corners; the blocks
 * of packs that are searched at a time. */
struct surface_mesh {
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
    uint32_t held, several;
    float begin[3]; /* m, the largest coordinates when the substep began, without sign */
    float way[3];   /* m, by which it is carried: surface_carry.c */
    float mass;     /* kg, of it and all that go with it, and that times their ways, kg m */
    float flight[3];
    uint32_t pushed,
        bound; /* some of them are pushed, or may touch or be tied to what is not theirs */
};

/* The two bodies that a pack's pairs are of, and a bit for each part of them that these are in. */
struct pack_place {
    uint32_t body[2], parts[2];
    bool known;  /* they are of no more bodies */
    bool placed; /* all of this has been found */
};

#define SURFACE_BUCKETS 16u /* of distance, for choosing what is dropped */

/* Packs that one worker searches at a time, and the pages of what it found. */
struct surface_block {
    uint32_t body, pack_first, packs, ring_first, rings;
    uint32_t page_first, page_last;
    uint32_t found[2], at[2]; /* by kind: how many, and from where in the list of all */
    uint32_t by_distance[SURFACE_BUCKETS];
    uint32_t tests, cut; /* of the search under way; 1: it ended before all was sought */
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
#define PAIR_RANGES 44u /* two a search; the last two searches always find room */

/* A search under way; when there was no room for all, what is kept: pairs below a bucket of
 * distance, and the first `left` of that bucket. */
struct spill {
    bool again, on;
    uint32_t bucket, left;
};

/* Who touches whom: piola_contact_event. Indices from 0; `kind` says what `other` is (events.c). */
enum other_kind { OTHER_COLLIDER, OTHER_BODY };
struct contact_record {
    uint32_t body, body_generation;
    uint32_t other, other_generation;
    uint32_t kind, phase, touches; /* enum other_kind, piola_contact_phase */
    uint32_t rigid;                /* 1: the other is a rigid body */
    double force[3];               /* N, on the body */
};

/* A body, or behind all bodies a rigid body, whose contacts must balance its momentum:
 * forces/contact_forces.c. Forces in N, of the substep. */
struct contact_node {
    double mass, before[3];                     /* kg; kg m/s, when the substep began */
    double speed;                               /* m/s, that gravity gives it in the substep */
    double acts[3];                             /* all that acts on it but gravity and loads */
    double given[3];                            /* ... of that by contacts and attachments */
    double lacks[3];                            /* ... and by what is not known yet */
    double weight;                              /* of all its contacts: the sum of their sizes */
    double way[3], along[3], left[3], image[3]; /* contact_balance.c */
    double pins[3];                             /* what pins do, the mean of the step so far */
    /* 1: `acts` is known; nothing else acts; `pins` is known; no collider pressed in the end */
    uint32_t looked, free, pinned, nearest;
    uint32_t slept; /* 1: when the step began */
};

/* What two nodes do to each other; `force` is on the first, the mean of the step so far. */
struct contact_edge {
    uint32_t one, two;       /* the lower first */
    uint32_t lanes, bare;    /* pairs of surfaces that acted in the substep; all without a guess */
    uint32_t meets;          /* 1: they touched in the step; 0: attachments alone bind them */
    double weight, force[3]; /* N: the sum of the forces' sizes in the substep */
};

/* Of the substep under way, and of the last one. */
struct surface_now {
    uint32_t pair_count, pairs_dropped; /* of the last substep */
    uint32_t block_count;               /* of surfaces, to be searched */
    uint32_t fixed_block_count;         /* of those of bodies that are always shared */
    uint32_t pair_pack_end, range_count;
    uint32_t ties;       /* between bodies that are balanced: surface_balance.h */
    double origin[3];    /* m, for that */
    uint32_t readable;   /* 1: pairs and their forces are those of the last step */
    uint32_t grip_packs; /* those whose pairs have recalled their grips */
    struct pair_range ranges[PAIR_RANGES];
    struct spill spill;
    uint32_t arranged, substeps; /* bodies that the tree's order is of; substeps since the list */
    float body_tree_drift[3];    /* m, the way of those that go like most: surface_body_tree.c */
    float dropped_keep;          /* m, the least that remains between those for which was no room */
    uint32_t limit_round;        /* of taking shares from particles */
    uint32_t limit_known;        /* packs of pairs that earlier rounds have looked at */
    bool changed;                /* somebody's share has since the round before */
    float whole;                 /* the share of who is given all of its way now: surface_known.c */
    bool carries, lags, halts;   /* while limited: bodies are carried, pins and colliders may lag */
    bool sought_carried;         /* ... and were when what strays was sought the last time */
    bool paired;                 /* some body has pairs, or is near another one */
    bool looked;                 /* what had strayed when the limit began has not been used yet */
    bool cut, waits;             /* a search ended too early; bodies wait for that */
    uint32_t rounds_left, searches_left; /* of this substep's budgets */
    uint32_t waited;         /* bodies, each in each substep of the step that it waited in */
    piola_contact_work work; /* of the step */
    uint32_t limit_state;    /* enum limit_state: surface.h */
    uint32_t outside_round;  /* of surface_outside.c */
    _Atomic(uint32_t) outside_changed;
    _Atomic(uint32_t) page_end; /* taken of `pages` */
    _Atomic(uint32_t) strays;   /* 1: particles went where no pairs were sought */
    _Atomic(uint32_t) near;     /* 1: some body is near another one */
    _Atomic(uint32_t) doubts;   /* 1: colliders have moved particles */
    _Atomic(uint32_t) swift;    /* 1: some with pairs go far in a substep */
    uint32_t events_dropped;    /* contact events of the last step */
    uint32_t edges;             /* of the step so far: struct contact_edge */
};

#define ARRAYS_OF "families/surface/surface.def"
#include "world/arrays.h"

#endif
