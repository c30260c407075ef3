/* Crossing pairs of triangles of whole surfaces, with a grid of cells. The test of a pair:
 * ref_cross.c. */
#include "ref_cross.h"

#include "ref_exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double low[3], high[3];
} box;

/* Cells of the boxes of one surface's triangles. Cell numbers rise with the coordinate whatever is
 * rounded, so boxes that overlap share a cell. */
typedef struct {
    double low[3], per_metre;
    int cells[3];
    uint32_t *start; /* of each cell in `item`, and the end */
    uint32_t *item;
    box *box; /* of each triangle */
} grid;

/* Corner c of a triangle. */
static const double *corner(const ref_surface *s, uint32_t triangle, int c)
{
    return s->x + 3 * (size_t)s->triangle[3 * (size_t)triangle + (size_t)c];
}

static box box_of(const ref_surface *s, uint32_t triangle)
{
    box b;
    for (int k = 0; k < 3; k++) {
        b.low[k] = 1e90;
        b.high[k] = -1e90;
        for (int c = 0; c < 3; c++) {
            const double x = corner(s, triangle, c)[k];
            b.low[k] = x < b.low[k] ? x : b.low[k];
            b.high[k] = x > b.high[k] ? x : b.high[k];
        }
    }
    return b;
}

static bool boxes_overlap(const box *a, const box *b)
{
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
            return false;
    return true;
}

static int cell_of(const grid *g, int axis, double x)
{
    const double c = floor((x - g->low[axis]) * g->per_metre);
    if (!(c > 0))
        return 0;
    return c < g->cells[axis] ? (int)c : g->cells[axis] - 1;
}

static void corners_of(const ref_surface *s, uint32_t triangle, double out[9])
{
    for (int c = 0; c < 3; c++)
        memcpy(out + 3 * c, corner(s, triangle, c), 3 * sizeof *out);
}

/* What ref_exact.h asks for, at the upper end. */
static bool fit_surface(const ref_surface *s)
{
    for (uint32_t t = 0; t < s->triangles; t++)
        for (int i = 0; i < 9; i++)
            if (!(fabs(corner(s, t, i / 3)[i % 3]) < 1e90))
                return false;
    return true;
}

/* Cells about as large as the mean box, and no more of them than about two a triangle. */
static void lay_out(grid *g, const ref_surface *s)
{
    double high[3] = {-1e90, -1e90, -1e90}, mean = 0, longest = 0;
    for (int k = 0; k < 3; k++)
        g->low[k] = 1e90;
    for (uint32_t t = 0; t < s->triangles; t++) {
        const box *b = &g->box[t];
        double extent = 0;
        for (int k = 0; k < 3; k++) {
            g->low[k] = fmin(g->low[k], b->low[k]);
            high[k] = fmax(high[k], b->high[k]);
            extent = fmax(extent, b->high[k] - b->low[k]);
        }
        mean += extent / s->triangles;
    }
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, high[k] - g->low[k]);
    double cell = fmax(mean, longest / 1024);
    for (;; cell *= 1.25) {
        double total = 1;
        for (int k = 0; k < 3; k++) {
            const double n = cell > 0 ? floor((high[k] - g->low[k]) / cell) + 1 : 1;
            g->cells[k] = (int)n;
            total *= n;
        }
        if (total <= 2.0 * s->triangles + 8)
            break;
    }
    g->per_metre = cell > 0 ? 1 / cell : 0;
}

/* Counts (fill false) or lists the triangle in each cell that its box meets. */
static void enter(grid *g, const box *b, uint32_t triangle, bool fill)
{
    int from[3], to[3];
    for (int k = 0; k < 3; k++) {
        from[k] = cell_of(g, k, b->low[k]);
        to[k] = cell_of(g, k, b->high[k]);
    }
    for (int x = from[0]; x <= to[0]; x++)
        for (int y = from[1]; y <= to[1]; y++)
            for (int z = from[2]; z <= to[2]; z++) {
                uint32_t *cell =
                    &g->start[((size_t)x * (size_t)g->cells[1] + (size_t)y) * (size_t)g->cells[2] +
                              (size_t)z];
                if (fill)
                    g->item[--*cell] = triangle;
                else
                    ++*cell;
            }
}

static bool build(grid *g, const ref_surface *s)
{
    g->box = malloc((size_t)s->triangles * sizeof *g->box);
    if (!g->box)
        return false;
    for (uint32_t t = 0; t < s->triangles; t++)
        g->box[t] = box_of(s, t);
    lay_out(g, s);
    const size_t cells = (size_t)g->cells[0] * (size_t)g->cells[1] * (size_t)g->cells[2];
    g->start = calloc(cells + 1, sizeof *g->start);
    if (!g->start)
        return false;
    for (uint32_t t = 0; t < s->triangles; t++)
        enter(g, &g->box[t], t, false);
    for (size_t c = 1; c <= cells; c++)
        g->start[c] += g->start[c - 1];
    g->item = malloc(((size_t)g->start[cells] + 1) * sizeof *g->item);
    if (!g->item)
        return false;
    /* Backwards, so that each cell lists rising numbers and `start` ends at each cell's begin. */
    for (uint32_t t = s->triangles; t-- > 0;)
        enter(g, &g->box[t], t, true);
    return true;
}

static void note(ref_crossings *out, ref_meeting meeting, uint32_t a, uint32_t b)
{
    const bool first =
        meeting == REF_CROSS ? out->crossing == 0 : out->crossing == 0 && out->touching == 0;
    if (meeting == REF_APART)
        return;
    if (first) {
        out->first[0] = a;
        out->first[1] = b;
    }
    out->crossing += meeting == REF_CROSS;
    out->touching += meeting == REF_TOUCH;
}

/* How many corners two triangles share; `of` gets the corner of each that is one of them. */
static int shared_corners(const ref_surface *s, uint32_t a, uint32_t b, int of[2])
{
    int count = 0;
    for (int i = 0; i < 9; i++)
        if (s->triangle[3 * (size_t)a + (size_t)(i / 3)] ==
            s->triangle[3 * (size_t)b + (size_t)(i % 3)]) {
            of[0] = i / 3;
            of[1] = i % 3;
            count++;
        }
    return count;
}

/* Two triangles that share one corner touch there. Where they meet besides begins in the corner and
 * ends where the edge of one that is opposite to it goes through the other; only when it does not
 * go through its inside are equal corners looked at, which need exact numbers. */
static ref_meeting meet_at_corner(const double a[9], const double b[9], const int of[2])
{
    const int i = of[0], j = of[1];
    const ref_meeting one = ref_cross_edge(a + 3 * ((i + 1) % 3), a + 3 * ((i + 2) % 3), b);
    const ref_meeting two = ref_cross_edge(b + 3 * ((j + 1) % 3), b + 3 * ((j + 2) % 3), a);
    if (one == REF_CROSS || two == REF_CROSS)
        return REF_CROSS;
    if (one == REF_APART && two == REF_APART)
        return REF_APART;
    return ref_cross_triangles(a, b) == REF_CROSS ? REF_CROSS : REF_APART;
}

static ref_meeting meet_in_one(const ref_surface *s, uint32_t t, uint32_t u, const double a[9],
                               const double b[9])
{
    int of[2];
    const int shared = shared_corners(s, t, u, of);
    if (shared == 0)
        return ref_cross_triangles(a, b);
    return shared == 1 ? meet_at_corner(a, b, of) : REF_APART;
}

/* A pair is tested in one cell: the lowest that both boxes meet. */
static bool cell_owns(const grid *g, const int cell[3], const box *a, const box *b)
{
    for (int k = 0; k < 3; k++)
        if (cell_of(g, k, a->low[k] > b->low[k] ? a->low[k] : b->low[k]) != cell[k])
            return false;
    return true;
}

static void search_cell(const grid *g, const int cell[3], const ref_surface *a, uint32_t t,
                        const box *of_a, const ref_surface *b, ref_crossings *out)
{
    const size_t c =
        ((size_t)cell[0] * (size_t)g->cells[1] + (size_t)cell[1]) * (size_t)g->cells[2] +
        (size_t)cell[2];
    double corners[9], others[9];
    corners_of(a, t, corners);
    /* Backwards: the items rise, and each pair of one surface is wanted once. */
    for (uint32_t i = g->start[c + 1]; i-- > g->start[c];) {
        const uint32_t u = g->item[i];
        const box *of_b = &g->box[u];
        if (a == b && u <= t)
            break;
        if (!boxes_overlap(of_a, of_b) || !cell_owns(g, cell, of_a, of_b))
            continue;
        out->tested++;
        corners_of(b, u, others);
        note(out,
             a == b ? meet_in_one(a, t, u, corners, others) : ref_cross_triangles(corners, others),
             t, u);
    }
}

static void search(const grid *g, const ref_surface *a, const ref_surface *b, ref_crossings *out)
{
    for (uint32_t t = 0; t < a->triangles; t++) {
        const box of_a = a == b ? g->box[t] : box_of(a, t);
        int from[3], to[3], cell[3];
        for (int k = 0; k < 3; k++) {
            from[k] = cell_of(g, k, of_a.low[k]);
            to[k] = cell_of(g, k, of_a.high[k]);
        }
        for (cell[0] = from[0]; cell[0] <= to[0]; cell[0]++)
            for (cell[1] = from[1]; cell[1] <= to[1]; cell[1]++)
                for (cell[2] = from[2]; cell[2] <= to[2]; cell[2]++)
                    search_cell(g, cell, a, t, &of_a, b, out);
    }
}

bool ref_cross_surfaces(const ref_surface *a, const ref_surface *b, ref_crossings *out)
{
    *out = (ref_crossings){0};
    if (!fit_surface(a) || !fit_surface(b))
        return false;
    if (a->triangles == 0 || b->triangles == 0)
        return true;
    grid g = {0};
    const bool built = build(&g, b);
    if (built)
        search(&g, a, b, out);
    free(g.start);
    free(g.item);
    free(g.box);
    return built;
}

bool ref_cross_self(const ref_surface *s, ref_crossings *out)
{
    return ref_cross_surfaces(s, s, out);
}
