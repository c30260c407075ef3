/* box_tree.h - which of many boxes overlap one: a tree of 16 boxes a node.
 *
 * Boxes lie in the tree by their size, then along a space-filling curve, so a huge one widens few
 * nodes but its own. The answer is a set, so whoever goes through it does that in the order of the
 * boxes, whatever the tree looks like. The most that a question costs is a look at every node: a
 * sixteenth of a look at every box. Nothing here knows what the boxes are around.
 */
#ifndef PIOLA_BOX_TREE_H
#define PIOLA_BOX_TREE_H

#include "kernels/kernels.h"

#include <stdint.h>

#define BOX_TREE_MOST  65535u
#define BOX_TREE_WORDS ((BOX_TREE_MOST + 63u) / 64u)

/* What a tree of `capacity` boxes needs: that many boxes, twice that many items and keys, and
 * box_tree_nodes() nodes. All are the caller's. */
struct box_tree {
    uint32_t count;
    const struct pk_swept_box *boxes;
    uint32_t *items; /* which box is where in the tree; the second half is work space */
    uint64_t *keys;
    struct pk_box_pack *nodes; /* lowest first */
};

static inline uint64_t box_tree_nodes(uint64_t capacity)
{
    /* ceil(n / 16) and so on up to 1, of at most five heights. */
    return capacity / PK_LANES + capacity / 240 + 6;
}

/* Puts the boxes in order. Any order is right, a good one is fast: it may stay when boxes move. */
void box_tree_arrange(const struct box_tree *tree);
/* Nodes, when boxes have changed. A box that is not finite overlaps all. */
void box_tree_refit(const struct box_tree *tree);
/* The set of those that overlap `box`, touching included: a bit for each of `count` boxes. */
void box_tree_near(const struct box_tree *tree, const struct kernels *kernels,
                   const struct pk_swept_box *box, uint64_t *set);

/* The first box of a set from `from` on; `count` when there is none. */
static inline uint32_t box_tree_next(const uint64_t *set, uint32_t count, uint32_t from)
{
    for (uint32_t word = from / 64; from < count; from = 64 * ++word) {
        const uint64_t left = set[word] >> from % 64;
        if (left != 0)
            return from + (uint32_t)__builtin_ctzll(left);
    }
    return count;
}

#endif
