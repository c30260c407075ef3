/* Crossing pairs of triangles of whole surfaces, with a grid of cells. The test of a pair:
 * ref_cross.c. */
#include "ref_cross.h"

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
            b.low[k] = fmin(b.low[k], x);
            b.high[k] = fmax(b.high[k], x);
        }
    }
    return b;
}

static bool boxes_overlap(const box *a, const box *b)
{
    bool overlap = true;
    for (int k = 0; k < 3; k++)
        overlap = overlap && a->low[k] <= b->high[k] && b->low[k] <= a->high[k];
    return overlap;
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
        const box b = box_of(s, t);
        double extent = 0;
        for (int k = 0; k < 3; k++) {
            g->low[k] = fmin(g->low[k], b.low[k]);
            high[k] = fmax(high[k], b.high[k]);
            extent = fmax(extent, b.high[k] - b.low[k]);
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
    lay_out(g, s);
    const size_t cells = (size_t)g->cells[0] * (size_t)g->cells[1] * (size_t)g->cells[2];
    g->start = calloc(cells + 1, sizeof *g->start);
    if (!g->start)
        return false;
    for (uint32_t t = 0; t < s->triangles; t++) {
        const box b = box_of(s, t);
        enter(g, &b, t, false);
    }
    for (size_t c = 1; c <= cells; c++)
        g->start[c] += g->start[c - 1];
    g->item = malloc(((size_t)g->start[cells] + 1) * sizeof *g->item);
    if (!g->item)
        return false;
    /* Backwards, so that each cell lists rising numbers and `start` ends at each cell's begin. */
    for (uint32_t t = s->triangles; t-- > 0;) {
        const box b = box_of(s, t);
        enter(g, &b, t, true);
    }
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

static bool share_vertex(const ref_surface *s, uint32_t a, uint32_t b)
{
    for (int i = 0; i < 9; i++)
        if (s->triangle[3 * (size_t)a + (size_t)(i / 3)] ==
            s->triangle[3 * (size_t)b + (size_t)(i % 3)])
            return true;
    return false;
}

/* A pair is tested in one cell: the lowest that both boxes meet. */
static bool cell_owns(const grid *g, const int cell[3], const box *a, const box *b)
{
    bool owns = true;
    for (int k = 0; k < 3; k++)
        owns = owns && cell_of(g, k, fmax(a->low[k], b->low[k])) == cell[k];
    return owns;
}

static void search_cell(const grid *g, const int cell[3], const ref_surface *a, uint32_t t,
                        const ref_surface *b, ref_crossings *out)
{
    const size_t c =
        ((size_t)cell[0] * (size_t)g->cells[1] + (size_t)cell[1]) * (size_t)g->cells[2] +
        (size_t)cell[2];
    const box of_a = box_of(a, t);
    double corners[9], others[9];
    corners_of(a, t, corners);
    for (uint32_t i = g->start[c]; i < g->start[c + 1]; i++) {
        const uint32_t u = g->item[i];
        const box of_b = box_of(b, u);
        if ((a == b && (u <= t || share_vertex(a, t, u))) || !boxes_overlap(&of_a, &of_b) ||
            !cell_owns(g, cell, &of_a, &of_b))
            continue;
        out->tested++;
        corners_of(b, u, others);
        note(out, ref_cross_triangles(corners, others), t, u);
    }
}

static void search(const grid *g, const ref_surface *a, const ref_surface *b, ref_crossings *out)
{
    for (uint32_t t = 0; t < a->triangles; t++) {
        const box of_a = box_of(a, t);
        int from[3], to[3], cell[3];
        for (int k = 0; k < 3; k++) {
            from[k] = cell_of(g, k, of_a.low[k]);
            to[k] = cell_of(g, k, of_a.high[k]);
        }
        for (cell[0] = from[0]; cell[0] <= to[0]; cell[0]++)
            for (cell[1] = from[1]; cell[1] <= to[1]; cell[1]++)
                for (cell[2] = from[2]; cell[2] <= to[2]; cell[2]++)
                    search_cell(g, cell, a, t, b, out);
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
    return built;
}

bool ref_cross_self(const ref_surface *s, ref_crossings *out)
{
    return ref_cross_surfaces(s, s, out);
}
