/* shape_heights.c - height fields: their cells' triangles, and the lowest and highest of blocks.
 *
 * The ground is solid all the way down, so the sides of the field are walls without a lower end;
 * whoever asks says how far down they matter. Nothing is stored but heights and spans.
 */
#include "shapes/shapes.h"

#include <string.h>

static double height(const piola_shape_data *shape, uint32_t x, uint32_t z)
{
    return (double)shape_samples(shape)[x + (size_t)z * shape->count[0]] + (double)shape->origin[1];
}

static double along(const piola_shape_data *shape, int axis, uint32_t i)
{
    return (double)shape->origin[axis] + (double)i * (double)shape->spacing;
}

static void put(struct shape_triangle *t, const double *a, const double *b, const double *c)
{
    memcpy(t->x[0], a, sizeof t->x[0]);
    memcpy(t->x[1], b, sizeof t->x[1]);
    memcpy(t->x[2], c, sizeof t->x[2]);
    t->facet = UINT32_MAX;
}

unsigned shape_heights_cell(const piola_shape_data *shape, uint32_t cell, double bottom,
                            struct shape_triangle out[SHAPE_LEAF_MOST])
{
    const uint32_t width = shape->count[0] - 1, depth = shape->count[1] - 1;
    const uint32_t x = cell % width, z = cell / width;
    double at[4][3]; /* corners 00 10 01 11, x first */
    for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t i = x + (c & 1), j = z + (c >> 1);
        at[c][0] = along(shape, 0, i);
        at[c][1] = height(shape, i, j);
        at[c][2] = along(shape, 2, j);
    }
    put(&out[0], at[0], at[2], at[3]);
    put(&out[1], at[0], at[3], at[1]);
    const struct {
        bool here;
        int from, to; /* along the side, so that down x along points outwards */
    } sides[4] = {{x == 0, 0, 2}, {x == width - 1, 3, 1}, {z == 0, 1, 0}, {z == depth - 1, 2, 3}};
    unsigned count = 2;
    for (int s = 0; s < 4; ++s) {
        if (!sides[s].here)
            continue;
        const double *p = at[sides[s].from], *q = at[sides[s].to];
        const double under_p[3] = {p[0], bottom, p[2]}, under_q[3] = {q[0], bottom, q[2]};
        put(&out[count++], p, under_p, q);
        put(&out[count++], q, under_p, under_q);
    }
    return count;
}

/* The corner beyond each edge of the two upper triangles, in steps from the cell's first; and the
 * edge's own. */
bool shape_heights_sharp(const piola_shape_data *shape, uint32_t cell, unsigned which, double sharp)
{
    static const int beyond[2][3][2] = {{{1, 0}, {-1, 0}, {1, 2}}, {{0, 1}, {0, -1}, {2, 1}}};
    const uint32_t width = shape->count[0] - 1, depth = shape->count[1] - 1;
    const uint32_t x = cell % width, z = cell / width;
    if (x == 0 || z == 0 || x + 1 == width || z + 1 == depth)
        return true;
    const double h = height(shape, x, z), far = height(shape, x + 1, z + 1);
    const double side = which == 0 ? height(shape, x, z + 1) : height(shape, x + 1, z);
    /* Of the triangle's plane, a step along x and along z. */
    const double dx = which == 0 ? far - side : side - h, dz = which == 0 ? side - h : far - side;
    const double across = (double)shape->spacing;
    for (int e = 0; e < 3; ++e) {
        const int i = beyond[which][e][0], j = beyond[which][e][1];
        const double at = height(shape, (uint32_t)((int)x + i), (uint32_t)((int)z + j));
        if (at < h + i * dx + j * dz - sharp * across)
            return true;
    }
    return false;
}

static struct shape_span cell_span(const piola_shape_data *shape, uint32_t x, uint32_t z)
{
    const float *row = shape_samples(shape) + (size_t)z * shape->count[0] + x;
    const float h[4] = {row[0], row[1], row[shape->count[0]], row[shape->count[0] + 1]};
    struct shape_span span = {h[0], h[0]};
    for (int i = 1; i < 4; ++i) {
        span.low = h[i] < span.low ? h[i] : span.low;
        span.high = h[i] > span.high ? h[i] : span.high;
    }
    return span;
}

static struct shape_span span_of(const piola_shape_data *shape, uint32_t level, uint32_t x,
                                 uint32_t z)
{
    const struct shape_level *l = &shape->level[level];
    return level == 0 ? cell_span(shape, x, z)
                      : shape_spans(shape)[l->first + x + (uint64_t)z * l->count[0]];
}

void shape_heights_box(const piola_shape_data *shape, uint32_t level, uint32_t index, double bottom,
                       double low[3], double high[3])
{
    const uint32_t *count = shape->level[level].count;
    const uint32_t at[2] = {index % count[0], index / count[0]};
    const struct shape_span span = span_of(shape, level, at[0], at[1]);
    bool side = false;
    for (int k = 0; k < 2; ++k) {
        const uint32_t cells = shape->count[k] - 1;
        const uint64_t first = (uint64_t)at[k] << level, end = (uint64_t)(at[k] + 1) << level;
        side = side || at[k] == 0 || at[k] == count[k] - 1;
        low[2 * k] = along(shape, 2 * k, (uint32_t)first);
        high[2 * k] = along(shape, 2 * k, end < cells ? (uint32_t)end : cells);
    }
    low[1] = side ? bottom : (double)span.low + (double)shape->origin[1];
    high[1] = (double)span.high + (double)shape->origin[1];
}

bool shape_heights_under(const piola_shape_data *shape, const double p[3])
{
    uint32_t cell[2];
    double in[2];
    for (int k = 0; k < 2; ++k) {
        const double at = (p[2 * k] - (double)shape->origin[2 * k]) / (double)shape->spacing;
        const uint32_t last = shape->count[k] - 2;
        if (!(at >= 0 && at <= (double)(last + 1)))
            return false;
        cell[k] = at < (double)last ? (uint32_t)at : last;
        in[k] = at - (double)cell[k];
    }
    const double h00 = height(shape, cell[0], cell[1]), h10 = height(shape, cell[0] + 1, cell[1]);
    const double h01 = height(shape, cell[0], cell[1] + 1);
    const double h11 = height(shape, cell[0] + 1, cell[1] + 1);
    const double ground = in[0] >= in[1] ? h00 + in[0] * (h10 - h00) + in[1] * (h11 - h10)
                                         : h00 + in[1] * (h01 - h00) + in[0] * (h11 - h01);
    return p[1] < ground;
}

uint64_t shape_heights_levels(piola_shape_data *shape)
{
    uint64_t spans = 0;
    uint32_t count[2] = {shape->count[0] - 1, shape->count[1] - 1};
    shape->levels = 0;
    while (true) {
        struct shape_level *level = &shape->level[shape->levels++];
        *level = (struct shape_level){{count[0], count[1]}, spans};
        spans += shape->levels > 1 ? (uint64_t)count[0] * count[1] : 0;
        if (count[0] == 1 && count[1] == 1)
            return spans;
        for (int k = 0; k < 2; ++k)
            count[k] = (count[k] + 1) / 2;
    }
}

static struct shape_span join(const piola_shape_data *shape, uint32_t level, uint32_t x, uint32_t z)
{
    const struct shape_level *below = &shape->level[level - 1];
    struct shape_span all = span_of(shape, level - 1, 2 * x, 2 * z);
    for (uint32_t j = 2 * z; j < 2 * z + 2 && j < below->count[1]; ++j)
        for (uint32_t i = 2 * x; i < 2 * x + 2 && i < below->count[0]; ++i) {
            const struct shape_span one = span_of(shape, level - 1, i, j);
            all.low = one.low < all.low ? one.low : all.low;
            all.high = one.high > all.high ? one.high : all.high;
        }
    return all;
}

void shape_heights_build(const float *samples, piola_shape_data *shape)
{
    memcpy(shape_samples(shape), samples,
           (size_t)shape->count[0] * shape->count[1] * sizeof *samples);
    for (uint32_t l = 1; l < shape->levels; ++l)
        for (uint32_t z = 0; z < shape->level[l].count[1]; ++z)
            for (uint32_t x = 0; x < shape->level[l].count[0]; ++x)
                shape_spans(
                    shape)[shape->level[l].first + x + (uint64_t)z * shape->level[l].count[0]] =
                    join(shape, l, x, z);
    const struct shape_span all = span_of(shape, shape->levels - 1, 0, 0);
    piola_shape_stats *s = &shape->stats;
    for (int k = 0; k < 2; ++k) {
        s->low[2 * k] = shape->origin[2 * k];
        s->high[2 * k] = (float)along(shape, 2 * k, shape->count[k] - 1);
    }
    s->low[1] = all.low + shape->origin[1];
    s->high[1] = all.high + shape->origin[1];
    s->triangles = 2 * (shape->count[0] - 1) * (shape->count[1] - 1);
    s->vertices = shape->count[0] * shape->count[1];
}
