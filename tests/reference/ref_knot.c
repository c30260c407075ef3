/* A knot's determinant by colouring: Livingston, Knot Theory (1993), chapter 3.
 *
 * The curve is drawn on a plane. At each crossing one strand passes under another; arcs go from one
 * such place to the next. With a number c for each arc, each crossing asks that 2 c_over = c_in +
 * c_out. These equations have one too many rows and one too many unknowns, and without them their
 * determinant is the same for all drawings of a knot.
 */
#include "ref_knot.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One strand passes under another: where along the curve (edges and a share of one), and which
 * place of the upper strand is above. */
struct crossing {
    double under, over;
};

struct drawing {
    const double *x;
    uint32_t count;
    double right[3], up[3], toward[3];
    struct crossing *crossing;
    uint32_t crossings, room;
    bool clear;
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Corner i as it is drawn, and how near it is to who looks. */
static void look(const struct drawing *d, uint32_t i, double at[3])
{
    const double *x = d->x + 3 * (size_t)(i % d->count);
    at[0] = dot(x, d->right);
    at[1] = dot(x, d->up);
    at[2] = dot(x, d->toward);
}

static bool keep(struct drawing *d, double under, double over)
{
    if (d->crossings == d->room) {
        const uint32_t room = d->room ? 2 * d->room : 64;
        struct crossing *more = realloc(d->crossing, room * sizeof *more);
        if (!more)
            return false;
        d->crossing = more;
        d->room = room;
    }
    d->crossing[d->crossings++] = (struct crossing){under, over};
    return true;
}

/* Edges i < j that do not share a corner. */
static void draw_pair(struct drawing *d, uint32_t i, uint32_t j)
{
    double a[3], b[3], p[3], q[3];
    look(d, i, a);
    look(d, i + 1, b);
    look(d, j, p);
    look(d, j + 1, q);
    const double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {q[0] - p[0], q[1] - p[1]};
    const double w[2] = {p[0] - a[0], p[1] - a[1]};
    const double area = u[0] * v[1] - u[1] * v[0];
    const double s = (w[0] * v[1] - w[1] * v[0]) / area, t = (w[0] * u[1] - w[1] * u[0]) / area;
    const double hair = 1e-9;
    if (!(area > 0 || area < 0) || s < -hair || s > 1 + hair || t < -hair || t > 1 + hair)
        return;
    const double height = a[2] + s * (b[2] - a[2]) - p[2] - t * (q[2] - p[2]);
    const double size = fabs(a[2]) + fabs(b[2]) + fabs(p[2]) + fabs(q[2]);
    const bool inside = s > hair && s < 1 - hair && t > hair && t < 1 - hair;
    const bool clear = inside && fabs(height) > 1e-12 * size;
    const double one = i + s, two = j + t;
    d->clear = d->clear && clear && keep(d, height < 0 ? one : two, height < 0 ? two : one);
}

static int by_place(const void *a, const void *b)
{
    const double x = ((const struct crossing *)a)->under, y = ((const struct crossing *)b)->under;
    return (x > y) - (x < y);
}

/* Arc n ends at crossing n; a place belongs to the first that ends behind it. */
static uint32_t arc_at(const struct drawing *d, double place)
{
    uint32_t arc = 0;
    while (arc < d->crossings && d->crossing[arc].under < place)
        ++arc;
    return arc % d->crossings;
}

/* |determinant| of n x n numbers, which are lost; rows are changed for the largest pivot. */
static double determinant(double *m, uint32_t n)
{
    double product = 1;
    for (uint32_t k = 0; k < n; ++k) {
        uint32_t best = k;
        for (uint32_t r = k + 1; r < n; ++r)
            if (fabs(m[r * n + k]) > fabs(m[best * n + k]))
                best = r;
        for (uint32_t c = k; c < n; ++c) {
            const double swap = m[k * n + c];
            m[k * n + c] = m[best * n + c];
            m[best * n + c] = swap;
        }
        const double pivot = m[k * n + k];
        product *= fabs(pivot);
        for (uint32_t r = k + 1; r < n && product > 0; ++r) {
            const double factor = m[r * n + k] / pivot;
            for (uint32_t c = k; c < n; ++c)
                m[r * n + c] -= factor * m[k * n + c];
        }
    }
    return product;
}

/* The last row and the last arc are left out. */
static uint64_t colour(struct drawing *d)
{
    const uint32_t n = d->crossings - 1;
    qsort(d->crossing, d->crossings, sizeof *d->crossing, by_place);
    double *m = calloc((size_t)n * n + 1, sizeof *m);
    if (!m)
        return 0;
    for (uint32_t r = 0; r < n; ++r) {
        const uint32_t arcs[3] = {arc_at(d, d->crossing[r].over), r, (r + 1) % d->crossings};
        for (uint32_t k = 0; k < 3; ++k)
            if (arcs[k] < n)
                m[r * n + arcs[k]] += k == 0 ? 2 : -1;
    }
    const double size = determinant(m, n);
    free(m);
    /* A knot's is an odd whole number: anything else says that the drawing was misread. */
    const double whole = floor(size + 0.5);
    const bool good = whole < 1e9 && fabs(size - whole) < 1e-3 && fmod(whole, 2) == 1;
    return good ? (uint64_t)whole : 0;
}

uint64_t ref_knot_determinant(const double *x, uint32_t count)
{
    /* Square to each other, and to nothing that a scene is built along. */
    struct drawing d = {.x = x,
                        .count = count,
                        .right = {0.8137, -0.2331, 0},
                        .toward = {0.2331, 0.8137, 0.5419},
                        .clear = count >= 3};
    d.up[0] = d.toward[1] * d.right[2] - d.toward[2] * d.right[1];
    d.up[1] = d.toward[2] * d.right[0] - d.toward[0] * d.right[2];
    d.up[2] = d.toward[0] * d.right[1] - d.toward[1] * d.right[0];
    for (uint32_t i = 0; i + 2 < count; ++i)
        for (uint32_t j = i + 2; j < count; ++j)
            if (i > 0 || j + 1 < count)
                draw_pair(&d, i, j);
    const uint64_t found = !d.clear ? 0 : d.crossings < 3 ? 1 : colour(&d);
    free(d.crossing);
    return found;
}

uint64_t ref_knot_of_rope(const double *x, uint32_t count, const double axis[3])
{
    double along = 0, far = 0, *closed = calloc(3 * ((size_t)count + 4), sizeof *closed);
    const double *first = x, *last = x + 3 * (size_t)(count - 1);
    bool good = closed != NULL;
    /* Any direction across. */
    double side[3] = {axis[1], -axis[0], 0};
    if (fabs(axis[2]) > 0.9) {
        side[0] = axis[2];
        side[1] = 0;
        side[2] = -axis[0];
    }
    for (uint32_t i = 0; i < count && good; ++i) {
        double from[3];
        for (int k = 0; k < 3; ++k)
            from[k] = x[3 * (size_t)i + (size_t)k] - first[k];
        along = dot(from, axis);
        far = fmax(far, sqrt(dot(from, from)));
        good = i == 0 ||
               (along > 0 && (i + 1 == count || dot(x + 3 * (size_t)i, axis) < dot(last, axis)));
        memcpy(closed + 3 * (size_t)i, from, sizeof from);
    }
    for (int k = 0; k < 3 && good; ++k) {
        const double end = last[k] - first[k];
        double *more = closed + 3 * (size_t)count + k;
        more[0] = end + 10 * far * axis[k];
        more[3] = end + 10 * far * axis[k] + 20 * far * side[k];
        more[6] = -10 * far * axis[k] + 20 * far * side[k];
        more[9] = -10 * far * axis[k];
    }
    const uint64_t found = good ? ref_knot_determinant(closed, count + 4) : 0;
    free(closed);
    return found;
}
