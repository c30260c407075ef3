/* box_tree.c - see box_tree.h. */
#include "families/surface/box_tree.h"

#include "base/sort.h"

#include <string.h>

#define HEIGHT 4u /* 16^4 boxes and more */
/* Beyond this (m) a box is everywhere; what is nowhere does not overlap that either. */
#define FAR 1e29f
/* Bits of a key for the place along each axis, and octaves of size that are one class. */
#define AXIS_BITS 19u
#define OCTAVES   3u

static const struct pk_swept_box everywhere = {{-FAR, -FAR, -FAR}, {FAR, FAR, FAR}};
static const struct pk_swept_box nowhere = {{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};

static bool usual(const struct pk_swept_box *box)
{
    for (int k = 0; k < 3; ++k)
        if (!(box->low[k] > -FAR && box->low[k] < FAR && box->high[k] > -FAR && box->high[k] < FAR))
            return false;
    return true;
}

static struct pk_swept_box tamed(const struct pk_swept_box *box)
{
    return usual(box) ? *box : everywhere;
}

/* Two zeros between any two of the lowest AXIS_BITS bits. */
static uint64_t spread(uint64_t v)
{
    v = (v | v << 32) & UINT64_C(0x001f00000000ffff);
    v = (v | v << 16) & UINT64_C(0x001f0000ff0000ff);
    v = (v | v << 8) & UINT64_C(0x100f00f00f00f00f);
    v = (v | v << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (v | v << 2) & UINT64_C(0x1249249249249249);
}

/* A box's class of size, and its place on a grid as fine as boxes of the class are large. */
static uint64_t key_of(const struct pk_swept_box *box, const double origin[3])
{
    const double half = (double)(1u << (AXIS_BITS - 1));
    float most = 1e-12f;
    uint32_t bits;
    uint64_t key = 0;
    if (!usual(box))
        return UINT64_MAX;
    for (int k = 0; k < 3; ++k)
        most = box->high[k] - box->low[k] > most ? box->high[k] - box->low[k] : most;
    memcpy(&bits, &most, sizeof bits);
    const uint32_t size = (bits >> 23) / OCTAVES;
    float cell;
    bits = (size * OCTAVES + 1) << 23;
    memcpy(&cell, &bits, sizeof cell);
    for (int k = 0; k < 3; ++k) {
        const double middle = 0.5 * ((double)box->low[k] + (double)box->high[k]);
        const double at = (middle - origin[k]) / (double)cell + half;
        const double inside = at < 0 ? 0 : at > 2 * half - 1 ? 2 * half - 1 : at;
        key |= spread((uint64_t)inside) << k;
    }
    return key | (uint64_t)size << (3 * AXIS_BITS);
}

void box_tree_arrange(const struct box_tree *tree)
{
    double sum[3] = {0, 0, 0};
    const uint32_t n = tree->count;
    for (uint32_t i = 0; i < n; ++i)
        tree->items[i] = i;
    if (n <= PK_LANES)
        return;
    for (uint32_t i = 0; i < n; ++i)
        for (int k = 0; k < 3 && usual(&tree->boxes[i]); ++k)
            sum[k] += 0.5 * ((double)tree->boxes[i].low[k] + (double)tree->boxes[i].high[k]);
    for (int k = 0; k < 3; ++k)
        sum[k] /= n;
    for (uint32_t i = 0; i < n; ++i)
        tree->keys[i] = key_of(&tree->boxes[i], sum);
    sort_keys(tree->keys, tree->items, tree->keys + n, tree->items + n, n);
}

static void put(struct pk_box_pack *node, uint32_t lane, const struct pk_swept_box *box)
{
    for (int k = 0; k < 3; ++k) {
        node->low[k][lane] = box->low[k];
        node->high[k][lane] = box->high[k];
    }
}

static struct pk_swept_box around(const struct pk_box_pack *node)
{
    struct pk_swept_box box = nowhere;
    for (int k = 0; k < 3; ++k)
        for (uint32_t lane = 0; lane < PK_LANES; ++lane) {
            box.low[k] = node->low[k][lane] < box.low[k] ? node->low[k][lane] : box.low[k];
            box.high[k] = node->high[k][lane] > box.high[k] ? node->high[k][lane] : box.high[k];
        }
    return box;
}

/* How many nodes there are above `count` boxes or nodes. */
static uint32_t above(uint32_t count)
{
    return (count + PK_LANES - 1) / PK_LANES;
}

void box_tree_refit(const struct box_tree *tree)
{
    struct pk_box_pack *below = tree->nodes;
    uint32_t count = above(tree->count);
    for (uint32_t i = 0; i < PK_LANES * count; ++i) {
        const struct pk_swept_box box =
            i < tree->count ? tamed(&tree->boxes[tree->items[i]]) : nowhere;
        put(&below[i / PK_LANES], i % PK_LANES, &box);
    }
    while (count > 1) {
        struct pk_box_pack *const node = below + count;
        for (uint32_t i = 0; i < PK_LANES * above(count); ++i) {
            const struct pk_swept_box box = i < count ? around(&below[i]) : nowhere;
            put(&node[i / PK_LANES], i % PK_LANES, &box);
        }
        below = node;
        count = above(count);
    }
}

void box_tree_near(const struct box_tree *tree, const struct kernels *kernels,
                   const struct pk_swept_box *box, uint64_t *set)
{
    static const struct pk_widen none = {{0, 0, 0}, {0, 0, 0}};
    const struct pk_swept_box asked = tamed(box);
    const struct pk_box_pack *first[HEIGHT], *node = tree->nodes;
    uint32_t number[HEIGHT] = {0}, left[HEIGHT], heights = 0;
    memset(set, 0, (tree->count + 63) / 64 * sizeof *set);
    for (uint32_t under = tree->count; under > 1 || heights == 0; under = above(under)) {
        first[heights++] = node;
        node += above(under);
    }
    uint32_t h = heights - 1;
    left[h] = tree->count > 0 ? kernels->surface_reach(first[h], &asked, &none) : 0;
    while (h < heights) {
        if (left[h] == 0) {
            ++h;
            continue;
        }
        const uint32_t next = number[h] * PK_LANES + (uint32_t)__builtin_ctz(left[h]);
        left[h] &= left[h] - 1;
        if (h > 0) {
            number[--h] = next;
            left[h] = kernels->surface_reach(&first[h][next], &asked, &none);
        } else {
            const uint32_t item = tree->items[next];
            set[item / 64] |= UINT64_C(1) << item % 64;
        }
    }
}
