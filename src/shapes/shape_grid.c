/* shape_grid.c - grids of signed distances: trilinear inside, continued outside.
 *
 * The samples are divided by their steepest slope if that is above 1. A cell's gradient is longest
 * at one of its corners, because its square is convex along each axis, so the slope at the corners
 * bounds all: then no value is larger than the way to the surface. Outside the grid, whose border
 * is positive, it is sqrt(r^2 + f^2), r the way to the grid's nearest place and f the value there:
 * that is no larger than the way to the surface either, and no steeper than 1.
 */
#include "shapes/shapes.h"

#include <math.h>
#include <string.h>

#define HALVINGS 14u /* of a way through a cell, to find where it goes too deep */

struct cell {
    double value[8]; /* corners, x first */
};

static struct cell cell_at(const piola_shape_data *shape, const uint32_t at[3])
{
    struct cell c;
    const size_t width = shape->count[0], layer = width * shape->count[1];
    const float *first = shape_samples(shape) + at[0] + width * at[1] + layer * at[2];
    for (uint32_t i = 0; i < 8; ++i)
        c.value[i] = (double)first[(i & 1) + width * (i >> 1 & 1) + layer * (i >> 2)];
    return c;
}

static double mix(double a, double b, double t)
{
    return a + t * (b - a);
}

static double value_in(const struct cell *c, double x, double y, double z)
{
    const double *v = c->value;
    return mix(mix(mix(v[0], v[1], x), mix(v[2], v[3], x), y),
               mix(mix(v[4], v[5], x), mix(v[6], v[7], x), y), z);
}

/* In values a spacing. */
static void slope_in(const struct cell *c, const double in[3], double slope[3])
{
    const double *v = c->value;
    const double x = in[0], y = in[1], z = in[2];
    slope[0] = mix(mix(v[1] - v[0], v[3] - v[2], y), mix(v[5] - v[4], v[7] - v[6], y), z);
    slope[1] = mix(mix(v[2] - v[0], v[3] - v[1], x), mix(v[6] - v[4], v[7] - v[5], x), z);
    slope[2] = mix(mix(v[4] - v[0], v[5] - v[1], x), mix(v[6] - v[2], v[7] - v[3], x), y);
}

/* The cell of the grid's place nearest to p, where that is in the cell, and p's way from it. */
static double find(const piola_shape_data *shape, const double p[3], uint32_t cell[3], double in[3],
                   double off[3])
{
    for (int k = 0; k < 3; ++k) {
        const double spacing = (double)shape->spacing;
        const uint32_t last = shape->count[k] - 2;
        const double at = (p[k] - (double)shape->origin[k]) / spacing;
        const double held = !(at > 0) ? 0 : at < (double)(last + 1) ? at : (double)(last + 1);
        cell[k] = held < (double)last ? (uint32_t)held : last;
        in[k] = held - (double)cell[k];
        off[k] = held == at ? 0 : (at - held) * spacing;
    }
    return sqrt(shape_dot(off, off));
}

double shape_grid_value(const piola_shape_data *shape, const double p[3], double gradient[3])
{
    uint32_t cell[3];
    double in[3], off[3];
    const double beyond = find(shape, p, cell, in, off);
    const struct cell c = cell_at(shape, cell);
    const double inside = value_in(&c, in[0], in[1], in[2]);
    const double all = beyond > 0 ? sqrt(beyond * beyond + inside * inside) : inside;
    if (gradient) {
        slope_in(&c, in, gradient);
        for (int k = 0; k < 3; ++k) {
            gradient[k] /= (double)shape->spacing;
            if (beyond > 0)
                gradient[k] = (off[k] + (off[k] == 0 ? inside * gradient[k] : 0)) / all;
        }
    }
    return all;
}

/* ---- a way through the grid ---- */

/* A cubic over a part of a way, by Bernstein's coefficients, which bound it. */
struct piece {
    double b[4], from, to;
    unsigned halvings;
};

static bool above(const struct piece *p, double keep)
{
    return p->b[0] >= keep && p->b[1] >= keep && p->b[2] >= keep && p->b[3] >= keep;
}

static void halve(const struct piece *p, struct piece *left, struct piece *right)
{
    const double *b = p->b;
    const double b01 = (b[0] + b[1]) / 2, b12 = (b[1] + b[2]) / 2, b23 = (b[2] + b[3]) / 2;
    const double b012 = (b01 + b12) / 2, b123 = (b12 + b23) / 2, middle = (b012 + b123) / 2;
    const double half = (p->from + p->to) / 2;
    *left = (struct piece){{b[0], b01, b012, middle}, p->from, half, p->halvings + 1};
    *right = (struct piece){{middle, b123, b23, b[3]}, half, p->to, p->halvings + 1};
}

/* Where a piece first may go below `keep`; its end if nowhere. */
static double first_below(const struct piece *whole, double keep)
{
    struct piece stack[HALVINGS + 2];
    int top = 0;
    stack[0] = *whole;
    while (top >= 0) {
        const struct piece now = stack[top];
        if (above(&now, keep)) {
            --top;
            continue;
        }
        if (now.halvings == HALVINGS)
            return now.from;
        halve(&now, &stack[top + 1], &stack[top]);
        ++top;
    }
    return whole->to;
}

/* Along a straight way a trilinear function is a cubic; its coefficients are means of values at
 * corners of the box between the way's ends (its blossom). a and b: the ends, in the cell. */
static struct piece piece_of(const struct cell *c, const double a[3], const double b[3])
{
    return (struct piece){.b = {value_in(c, a[0], a[1], a[2]),
                                (value_in(c, b[0], a[1], a[2]) + value_in(c, a[0], b[1], a[2]) +
                                 value_in(c, a[0], a[1], b[2])) /
                                    3,
                                (value_in(c, b[0], b[1], a[2]) + value_in(c, b[0], a[1], b[2]) +
                                 value_in(c, a[0], b[1], b[2])) /
                                    3,
                                value_in(c, b[0], b[1], b[2])}};
}

/* Place and way in cells, and the share of the way that lies in the grid. */
struct course {
    double at[3], along[3], from, to;
};

static struct course course_of(const piola_shape_data *shape, const struct shape_way *way)
{
    struct course c = {.from = 0, .to = way->reached};
    for (int k = 0; k < 3; ++k) {
        const double end = (double)(shape->count[k] - 1);
        c.at[k] = (way->from[k] - (double)shape->origin[k]) / (double)shape->spacing;
        c.along[k] = way->along[k] / (double)shape->spacing;
        if (c.along[k] == 0) {
            c.to = c.at[k] >= 0 && c.at[k] <= end ? c.to : -1;
            continue;
        }
        const double one = -c.at[k] / c.along[k], other = (end - c.at[k]) / c.along[k];
        const double first = one < other ? one : other, last = one < other ? other : one;
        c.from = first > c.from ? first : c.from;
        c.to = last < c.to ? last : c.to;
    }
    return c;
}

/* When the course leaves a cell, and across which axis. */
static double leaves(const struct course *c, const uint32_t cell[3], int *axis)
{
    double least = c->to;
    *axis = -1;
    for (int k = 0; k < 3; ++k) {
        if (c->along[k] == 0)
            continue;
        const double face = (double)(cell[k] + (c->along[k] > 0));
        const double when = (face - c->at[k]) / c->along[k];
        if (when < least) {
            least = when;
            *axis = k;
        }
    }
    return least;
}

void shape_grid_sweep(const piola_shape_data *shape, struct shape_way *way)
{
    const struct course c = course_of(shape, way);
    uint32_t cell[3];
    double now = c.from;
    if (!(c.from <= c.to))
        return;
    for (int k = 0; k < 3; ++k) {
        const uint32_t last = shape->count[k] - 2;
        const double at = c.at[k] + now * c.along[k];
        cell[k] = !(at > 0) ? 0 : at < (double)last ? (uint32_t)at : last;
    }
    const uint64_t most = (uint64_t)shape->count[0] + shape->count[1] + shape->count[2];
    for (uint64_t i = 0; i < most; ++i) {
        int axis;
        const double end = leaves(&c, cell, &axis), until = end > now ? end : now;
        double a[3], b[3];
        for (int k = 0; k < 3; ++k) {
            a[k] = c.at[k] + now * c.along[k] - (double)cell[k];
            b[k] = c.at[k] + until * c.along[k] - (double)cell[k];
        }
        const struct cell corners = cell_at(shape, cell);
        struct piece piece = piece_of(&corners, a, b);
        piece.from = now;
        piece.to = until;
        if (!above(&piece, way->keep - way->hair)) {
            const double free = first_below(&piece, way->keep - way->hair);
            if (free < until || piece.b[3] < way->keep - way->hair) {
                way->reached = free;
                return;
            }
        }
        now = until;
        if (axis < 0 ||
            (c.along[axis] < 0 ? cell[axis] == 0 : cell[axis] + 2 == shape->count[axis]))
            return;
        cell[axis] += c.along[axis] > 0 ? 1u : UINT32_MAX;
    }
}

/* ---- making ---- */

/* Largest slope at a corner of the cell, squared, in values a spacing. */
static double steepest(const struct cell *c)
{
    double most = 0;
    for (int i = 0; i < 8; ++i) {
        const double in[3] = {i & 1, i >> 1 & 1, i >> 2};
        double slope[3];
        slope_in(c, in, slope);
        const double square = shape_dot(slope, slope);
        most = square > most ? square : most;
    }
    return most;
}

static void add_cell(piola_shape_data *shape, const uint32_t at[3], const struct cell *c)
{
    bool solid = false;
    for (int i = 0; i < 8; ++i)
        solid = solid || c->value[i] < 0;
    for (int k = 0; k < 3 && solid; ++k) {
        const float low = shape->origin[k] + (float)at[k] * shape->spacing;
        const float high = shape->origin[k] + (float)(at[k] + 1) * shape->spacing;
        shape->stats.low[k] = low < shape->stats.low[k] ? low : shape->stats.low[k];
        shape->stats.high[k] = high > shape->stats.high[k] ? high : shape->stats.high[k];
    }
}

static bool at_border(const piola_shape_data *shape, uint64_t item)
{
    const uint64_t width = shape->count[0], layer = width * shape->count[1];
    const uint64_t at[3] = {item % width, item % layer / width, item / layer};
    return at[0] == 0 || at[1] == 0 || at[2] == 0 || at[0] + 1 == width ||
           at[1] + 1 == shape->count[1] || at[2] + 1 == shape->count[2];
}

bool shape_grid_build(const float *samples, piola_shape_data *shape, uint64_t *item)
{
    const uint64_t count = (uint64_t)shape->count[0] * shape->count[1] * shape->count[2];
    float *to = shape_samples(shape);
    shape->rim = INFINITY;
    for (uint64_t i = 0; i < count; ++i) {
        *item = i;
        if (!at_border(shape, i))
            continue;
        if (!(samples[i] > 0))
            return false;
        shape->rim = samples[i] < shape->rim ? samples[i] : shape->rim;
    }
    memcpy(to, samples, count * sizeof *samples);
    double most = 0;
    uint32_t at[3];
    for (int k = 0; k < 3; ++k) {
        shape->stats.low[k] = INFINITY;
        shape->stats.high[k] = -INFINITY;
    }
    for (at[2] = 0; at[2] + 1 < shape->count[2]; ++at[2])
        for (at[1] = 0; at[1] + 1 < shape->count[1]; ++at[1])
            for (at[0] = 0; at[0] + 1 < shape->count[0]; ++at[0]) {
                const struct cell c = cell_at(shape, at);
                const double square = steepest(&c);
                most = square > most ? square : most;
                add_cell(shape, at, &c);
            }
    const double slope = sqrt(most) / (double)shape->spacing;
    shape->stats.steepest = slope > 1 ? (float)(slope * (1 + 1e-6)) : 1;
    for (uint64_t i = 0; i < count && slope > 1; ++i)
        to[i] /= shape->stats.steepest;
    shape->rim /= shape->stats.steepest;
    *item = 0; /* a grid without a solid place is named by its first sample */
    return shape->stats.low[0] <= shape->stats.high[0];
}
