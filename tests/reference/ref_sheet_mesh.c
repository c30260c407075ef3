/* Triangle meshes; see the header. Edges are found by sorting the half edges, so every list is the
 * same everywhere. */
#include "ref_sheet_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ref_random.h"

typedef struct {
    int low, high;        /* the edge's ends */
    int triangle, corner; /* the half edge runs from `corner` to the next one */
} half_edge;

static int by_edge(const void *a, const void *b)
{
    const half_edge *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

static half_edge *sorted_edges(const ref_sheet_mesh *m)
{
    half_edge *e = malloc(((size_t)m->triangles * 3 + 1) * sizeof *e);
    if (!e)
        return NULL;
    for (int i = 0; i < 3 * m->triangles; i++) {
        const int a = m->triangle[i], b = m->triangle[i - i % 3 + (i + 1) % 3];
        e[i] = (half_edge){a < b ? a : b, a < b ? b : a, i / 3, i % 3};
    }
    qsort(e, (size_t)m->triangles * 3, sizeof *e, by_edge);
    return e;
}

static bool same_edge(const half_edge *a, const half_edge *b)
{
    return a->low == b->low && a->high == b->high;
}

static bool find_bends(ref_sheet_mesh *m)
{
    half_edge *e = sorted_edges(m);
    free(m->bend);
    m->bend = malloc(((size_t)m->triangles * 6 + 1) * sizeof *m->bend);
    m->bends = 0;
    for (int i = 0; e && m->bend && i + 1 < 3 * m->triangles; i++)
        if (same_edge(&e[i], &e[i + 1])) {
            const int *t = m->triangle + 3 * e[i].triangle, c = e[i].corner;
            const int *o = m->triangle + 3 * e[i + 1].triangle;
            const int quad[4] = {t[c], t[(c + 1) % 3], t[(c + 2) % 3],
                                 o[(e[i + 1].corner + 2) % 3]};
            memcpy(m->bend + 4 * (size_t)m->bends++, quad, sizeof quad);
        }
    free(e);
    return e && m->bend;
}

/* Twice the signed area in the x-y plane. */
static double turn(const ref_sheet_mesh *m, int a, int b, int c)
{
    const double *p = m->x + 3 * (size_t)a, *q = m->x + 3 * (size_t)b, *r = m->x + 3 * (size_t)c;
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/* Sum of the two angles opposite to the edge a b exceeds pi. */
static bool should_flip(const ref_sheet_mesh *m, int a, int b, int c, int d)
{
    const int ends[2] = {c, d};
    double cos_part[2], sin_part[2];
    for (int k = 0; k < 2; k++) {
        const double *p = m->x + 3 * (size_t)ends[k];
        const double *q = m->x + 3 * (size_t)a, *r = m->x + 3 * (size_t)b;
        const double u[2] = {q[0] - p[0], q[1] - p[1]}, v[2] = {r[0] - p[0], r[1] - p[1]};
        cos_part[k] = u[0] * v[0] + u[1] * v[1];
        sin_part[k] = fabs(u[0] * v[1] - u[1] * v[0]);
    }
    const double size = sin_part[0] * sin_part[1] + fabs(cos_part[0] * cos_part[1]);
    return sin_part[0] * cos_part[1] + cos_part[0] * sin_part[1] < -1e-9 * size &&
           turn(m, a, d, c) > 0 && turn(m, d, b, c) > 0;
}

/* Lawson's flips in passes; a triangle takes part in one flip a pass. */
static bool make_delaunay(ref_sheet_mesh *m)
{
    char *used = malloc((size_t)m->triangles + 1);
    bool ok = used != NULL;
    for (bool changed = true; ok && changed;) {
        half_edge *e = sorted_edges(m);
        ok = e != NULL;
        changed = false;
        memset(used, 0, (size_t)m->triangles);
        for (int i = 0; ok && i + 1 < 3 * m->triangles; i++) {
            const int s = e[i].triangle, t = e[i + 1].triangle;
            if (!same_edge(&e[i], &e[i + 1]) || used[s] || used[t])
                continue;
            int *p = m->triangle + 3 * (size_t)s, *q = m->triangle + 3 * (size_t)t;
            const int a = p[e[i].corner], b = p[(e[i].corner + 1) % 3];
            const int c = p[(e[i].corner + 2) % 3], d = q[(e[i + 1].corner + 2) % 3];
            if (!should_flip(m, a, b, c, d))
                continue;
            memcpy(p, (int[]){a, d, c}, 3 * sizeof *p);
            memcpy(q, (int[]){d, b, c}, 3 * sizeof *q);
            used[s] = used[t] = 1;
            changed = true;
        }
        free(e);
    }
    free(used);
    return ok;
}

/* Column i of a grid: its first vertex and how many there are. */
typedef struct {
    int first, count;
} column;

static column column_of(int i, int ny, bool staggered)
{
    const int odd = staggered ? i / 2 : 0; /* odd columns before this one */
    return (column){i * (ny + 1) + odd, ny + 1 + (staggered ? i % 2 : 0)};
}

static void place(ref_sheet_mesh *m, const int cells[2], const double size[2], bool staggered,
                  double jitter, uint64_t seed)
{
    for (int i = 0; i <= cells[0]; i++) {
        const column c = column_of(i, cells[1], staggered);
        for (int j = 0; j < c.count; j++) {
            double *x = m->x + 3 * (size_t)(c.first + j);
            const bool side = j == 0 || j == c.count - 1, end = i == 0 || i == cells[0];
            const double off[2] = {ref_random(&seed, -jitter, jitter),
                                   ref_random(&seed, -jitter, jitter)};
            const double row = c.count == cells[1] + 1 || j == 0 ? j : side ? cells[1] : j - 0.5;
            x[0] = size[0] * (i + (end ? 0 : off[0])) / cells[0];
            x[1] = size[1] * (row + (side ? 0 : off[1])) / cells[1];
        }
    }
}

/* Between two columns: the strip goes up on the side that is behind, by undisturbed positions. */
static void connect(ref_sheet_mesh *m, column left, column right)
{
    int a = 0, b = 0;
    while (a < left.count - 1 || b < right.count - 1) {
        int *t = m->triangle + 3 * (size_t)m->triangles++;
        const bool more_right = right.count > left.count;
        const bool step_right =
            a == left.count - 1 || (b < right.count - 1 && (more_right ? b <= a : b < a));
        t[0] = left.first + a;
        t[1] = right.first + b;
        t[2] = step_right ? right.first + ++b : left.first + ++a;
    }
}

static void connect_squares(ref_sheet_mesh *m, const int cells[2], bool alternate)
{
    for (int i = 0; i < cells[0]; i++)
        for (int j = 0; j < cells[1]; j++) {
            const int a = i * (cells[1] + 1) + j, b = a + cells[1] + 1, c = b + 1, d = a + 1;
            const bool other = alternate && (i + j) % 2 == 1;
            const int pair[6] = {a, b, other ? d : c, other ? b : a, c, d};
            memcpy(m->triangle + 3 * (size_t)m->triangles, pair, sizeof pair);
            m->triangles += 2;
        }
}

bool ref_sheet_mesh_grid(ref_sheet_mesh *m, const int cells[2], const double size[2],
                         ref_sheet_kind kind, double jitter, uint64_t seed)
{
    const bool staggered = kind == REF_SHEET_STAGGERED;
    const column last = column_of(cells[0], cells[1], staggered);
    memset(m, 0, sizeof *m);
    m->vertices = last.first + last.count;
    m->x = calloc((size_t)m->vertices * 3, sizeof *m->x);
    m->triangle = malloc((size_t)cells[0] * ((size_t)cells[1] + 1) * 6 * sizeof *m->triangle);
    if (!m->x || !m->triangle)
        return ref_sheet_mesh_free(m), false;
    place(m, cells, size, staggered, jitter, seed);
    for (int i = 0; i < cells[0] && staggered; i++)
        connect(m, column_of(i, cells[1], true), column_of(i + 1, cells[1], true));
    if (!staggered)
        connect_squares(m, cells, kind == REF_SHEET_ALTERNATE);
    if ((jitter > 0 && !make_delaunay(m)) || !find_bends(m))
        return ref_sheet_mesh_free(m), false;
    return true;
}

static void onto_sphere(double *x, double radius)
{
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int k = 0; k < 3; k++)
        x[k] *= radius / r;
}

static bool icosahedron(ref_sheet_mesh *m)
{
    static const double g = 1.6180339887498949;
    static const int faces[60] = {0, 11, 5, 0, 5,  1,  0,  1,  7,  0,  7, 10, 0, 10, 11,
                                  1, 5,  9, 5, 11, 4,  11, 10, 2,  10, 7, 6,  7, 1,  8,
                                  3, 9,  4, 3, 4,  2,  3,  2,  6,  3,  6, 8,  3, 8,  9,
                                  4, 9,  5, 2, 4,  11, 6,  2,  10, 8,  6, 7,  9, 8,  1};
    const double corners[36] = {-1, g,  0,  1, g, 0,  -1, -g, 0,  1, -g, 0, 0,  -1, g,  0,  1, g,
                                0,  -1, -g, 0, 1, -g, g,  0,  -1, g, 0,  1, -g, 0,  -1, -g, 0, 1};
    m->vertices = 12;
    m->triangles = 20;
    m->x = malloc(sizeof corners);
    m->triangle = malloc(sizeof faces);
    if (!m->x || !m->triangle)
        return false;
    memcpy(m->x, corners, sizeof corners);
    memcpy(m->triangle, faces, sizeof faces);
    return true;
}

/* Every triangle becomes four; one new vertex an edge. */
static bool refine(ref_sheet_mesh *m)
{
    half_edge *e = sorted_edges(m);
    int *middle = malloc(((size_t)m->triangles * 3 + 1) * sizeof *middle);
    int *triangle = malloc(((size_t)m->triangles * 12 + 1) * sizeof *triangle);
    const size_t most = (size_t)m->vertices + (size_t)m->triangles * 3;
    double *x = realloc(m->x, most * 3 * sizeof *x);
    m->x = x ? x : m->x;
    const bool ok = e && middle && triangle && x;
    for (int i = 0; ok && i < 3 * m->triangles; i++) {
        if (i == 0 || !same_edge(&e[i - 1], &e[i])) {
            for (size_t k = 0; k < 3; k++)
                x[3 * (size_t)m->vertices + k] =
                    (x[3 * (size_t)e[i].low + k] + x[3 * (size_t)e[i].high + k]) / 2;
            m->vertices++;
        }
        middle[3 * e[i].triangle + e[i].corner] = m->vertices - 1;
    }
    for (int t = 0; ok && t < m->triangles; t++) {
        const int *p = m->triangle + 3 * (size_t)t, *q = middle + 3 * (size_t)t;
        const int four[12] = {p[0], q[0], q[2], q[0], p[1], q[1],
                              q[2], q[1], p[2], q[0], q[1], q[2]};
        memcpy(triangle + 12 * (size_t)t, four, sizeof four);
    }
    free(e);
    free(middle);
    if (!ok)
        return free(triangle), false;
    free(m->triangle);
    m->triangle = triangle;
    m->triangles *= 4;
    return true;
}

bool ref_sheet_mesh_sphere(ref_sheet_mesh *m, int levels, double radius)
{
    memset(m, 0, sizeof *m);
    bool ok = icosahedron(m);
    for (int level = 0; ok && level <= levels; level++) {
        for (int v = 0; v < m->vertices; v++)
            onto_sphere(m->x + 3 * (size_t)v, radius);
        ok = level == levels || refine(m);
    }
    if (!ok || !find_bends(m))
        return ref_sheet_mesh_free(m), false;
    return true;
}

void ref_sheet_mesh_free(ref_sheet_mesh *m)
{
    free(m->x);
    free(m->triangle);
    free(m->bend);
    memset(m, 0, sizeof *m);
}
