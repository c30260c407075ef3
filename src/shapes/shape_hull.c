/* shape_hull.c - the convex hull of points, one point after another.
 *
 * Points stand on a grid of 2^20 steps, so that a determinant fits 64 bits and which faces a point
 * sees is exact: whatever lies in one plane, on one line or at one place, faces are sound. A point
 * that sees no face strictly changes nothing.
 */
#include "shapes/shapes.h"

#include <string.h>

#define STEPS 1048576.0

enum { FREE, KEPT, SEEN };

void shape_hull_take(struct arena *arena, uint32_t points, struct shape_hull_work *work)
{
    work->step = arena_take(arena, 3 * (uint64_t)points, sizeof *work->step);
    work->faces = arena_take(arena, 3 * (uint64_t)points, sizeof *work->faces);
    work->free = arena_take(arena, 3 * (uint64_t)points, sizeof *work->free);
    work->seen = arena_take(arena, 3 * (uint64_t)points, sizeof *work->seen);
    work->from = arena_take(arena, points, sizeof *work->from);
}

struct hull {
    const int32_t *step;
    struct hull_face *faces;
    uint32_t *free, *seen, *from;
    uint32_t used, frees; /* faces up to the last one; free ones */
};

static void way(const struct hull *h, uint32_t from, uint32_t to, int64_t out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] =
            (int64_t)h->step[3 * (size_t)to + (size_t)k] - h->step[3 * (size_t)from + (size_t)k];
}

static void normal_of(const struct hull *h, uint32_t a, uint32_t b, uint32_t c, int64_t n[3])
{
    int64_t u[3], v[3];
    way(h, a, b, u);
    way(h, a, c, v);
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = u[i] * v[j] - u[j] * v[i];
    }
}

/* Six times the volume of a tetrahedron; positive when d is before the face a b c. */
static int64_t before(const struct hull *h, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    int64_t n[3], u[3];
    normal_of(h, a, b, c, n);
    way(h, a, d, u);
    return n[0] * u[0] + n[1] * u[1] + n[2] * u[2];
}

/* Which edge of a face goes from a to b; 3 if none. */
static int edge_of(const struct hull *h, uint32_t face, uint32_t a, uint32_t b)
{
    const uint32_t *c = h->faces[face].corner;
    int k = 0;
    while (k < 3 && (c[k] != a || c[(k + 1) % 3] != b))
        ++k;
    return k;
}

/* If the edge from a to b is the one between two faces, they know each other. */
static void join(const struct hull *h, uint32_t face, uint32_t other, uint32_t a, uint32_t b)
{
    const int here = edge_of(h, face, a, b), there = edge_of(h, other, b, a);
    if (here < 3 && there < 3) {
        h->faces[face].beside[here] = other;
        h->faces[other].beside[there] = face;
    }
}

static uint32_t new_face(struct hull *h, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t face = h->frees > 0 ? h->free[--h->frees] : h->used++;
    h->faces[face] = (struct hull_face){{a, b, c}, {face, face, face}, KEPT};
    return face;
}

/* ---- the first four points ---- */

static double size_of(const int64_t v[3])
{
    const double x = (double)v[0], y = (double)v[1], z = (double)v[2];
    return x * x + y * y + z * z;
}

/* Far apart: the one farthest from the first, from their line, from their plane. */
static bool first_four(const struct hull *h, uint32_t points, uint32_t p[4])
{
    double line = 0, plane = 0;
    int64_t space = 0, v[3];
    p[0] = p[1] = p[2] = p[3] = 0;
    for (uint32_t i = 0; i < points; ++i) {
        way(h, 0, i, v);
        const double size = size_of(v);
        p[1] = size > line ? i : p[1];
        line = size > line ? size : line;
    }
    for (uint32_t i = 0; i < points; ++i) {
        normal_of(h, p[0], p[1], i, v);
        const double size = size_of(v);
        p[2] = size > plane ? i : p[2];
        plane = size > plane ? size : plane;
    }
    for (uint32_t i = 0; i < points; ++i) {
        const int64_t volume = before(h, p[0], p[1], p[2], i);
        const int64_t size = volume < 0 ? -volume : volume;
        p[3] = size > space ? i : p[3];
        space = size > space ? size : space;
    }
    return space > 0;
}

static bool begin(struct hull *h, uint32_t points)
{
    static const uint32_t corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    uint32_t p[4], face[4];
    if (!first_four(h, points, p))
        return false;
    if (before(h, p[0], p[1], p[2], p[3]) > 0) {
        const uint32_t swap = p[1];
        p[1] = p[2];
        p[2] = swap;
    }
    for (int i = 0; i < 4; ++i)
        face[i] = new_face(h, p[corners[i][0]], p[corners[i][1]], p[corners[i][2]]);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 3 && i != j; ++k)
                join(h, face[i], face[j], p[corners[i][k]], p[corners[i][(k + 1) % 3]]);
    return true;
}

/* ---- one more point ---- */

static void add(struct hull *h, uint32_t point)
{
    uint32_t seen = 0, fresh = 0;
    for (uint32_t f = 0; f < h->used; ++f) {
        struct hull_face *face = &h->faces[f];
        if (face->state != KEPT ||
            before(h, face->corner[0], face->corner[1], face->corner[2], point) <= 0)
            continue;
        face->state = SEEN;
        h->seen[seen++] = f;
    }
    /* New faces over the rim of what is seen; it is one ring, so each corner begins one edge. */
    uint32_t *made = h->seen + seen;
    for (uint32_t s = 0; s < seen; ++s)
        for (int k = 0; k < 3; ++k) {
            const struct hull_face face = h->faces[h->seen[s]];
            const uint32_t a = face.corner[k], b = face.corner[(k + 1) % 3];
            if (h->faces[face.beside[k]].state == SEEN)
                continue;
            const uint32_t f = new_face(h, a, b, point);
            join(h, f, face.beside[k], a, b);
            h->from[a] = f;
            made[fresh++] = f;
        }
    for (uint32_t i = 0; i < fresh; ++i) {
        const uint32_t b = h->faces[made[i]].corner[1];
        join(h, made[i], h->from[b], b, point);
    }
    for (uint32_t s = 0; s < seen; ++s) {
        h->faces[h->seen[s]].state = FREE;
        h->free[h->frees++] = h->seen[s];
    }
}

static uint32_t farthest(const struct hull *h, uint32_t points, const int32_t way[3])
{
    uint32_t best = 0;
    int64_t most = INT64_MIN;
    for (uint32_t i = 0; i < points; ++i) {
        int64_t along = 0;
        for (int k = 0; k < 3; ++k)
            along += (int64_t)way[k] * h->step[3 * (size_t)i + (size_t)k];
        best = along > most ? i : best;
        most = along > most ? along : most;
    }
    return best;
}

/* ---- in and out ---- */

static double to_steps(const struct shape_soup *soup, int32_t *step, double low[3])
{
    double size = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        double high = (double)soup->at[k];
        low[k] = high;
        for (uint32_t i = 0; i < soup->points; ++i) {
            const double at = (double)soup->at[3 * (size_t)i + k];
            low[k] = at < low[k] ? at : low[k];
            high = at > high ? at : high;
        }
        size = high - low[k] > size ? high - low[k] : size;
    }
    for (size_t i = 0; i < 3 * (size_t)soup->points && size > 0; ++i)
        step[i] = (int32_t)(((double)soup->at[i] - low[i % 3]) / size * STEPS + 0.5);
    return size;
}

/* Only the hull's own corners stay, in their order. */
static void write_soup(const struct hull *h, double size, const double low[3],
                       struct shape_soup *soup)
{
    memset(h->from, 0, soup->points * sizeof *h->from);
    soup->triangles = 0;
    for (uint32_t f = 0; f < h->used; ++f)
        for (int k = 0; k < 3 && h->faces[f].state == KEPT; ++k)
            h->from[h->faces[f].corner[k]] = 1;
    uint32_t corners = 0;
    for (uint32_t i = 0; i < soup->points; ++i) {
        if (!h->from[i])
            continue;
        for (size_t k = 0; k < 3; ++k)
            soup->at[3 * (size_t)corners + k] =
                (float)(low[k] + (double)h->step[3 * (size_t)i + k] / STEPS * size);
        h->from[i] = corners++;
    }
    for (uint32_t f = 0; f < h->used; ++f) {
        if (h->faces[f].state != KEPT)
            continue;
        for (int k = 0; k < 3; ++k)
            soup->corners[3 * (size_t)soup->triangles + (size_t)k] = h->from[h->faces[f].corner[k]];
        ++soup->triangles;
    }
    soup->points = corners;
}

bool shape_hull_build(const struct shape_hull_work *work, struct shape_soup *soup)
{
    struct hull h = {work->step, work->faces, work->free, work->seen, work->from, 0, 0};
    double low[3];
    const double size = to_steps(soup, work->step, low);
    if (!(size > 0) || !begin(&h, soup->points))
        return false;
    /* Corners first: what lies in a face between them then changes nothing. */
    for (int way = 0; way < 27; ++way)
        add(&h, farthest(&h, soup->points,
                         (const int32_t[]){way % 3 - 1, way / 3 % 3 - 1, way / 9 - 1}));
    for (uint32_t i = 0; i < soup->points; ++i)
        add(&h, i);
    write_soup(&h, size, low, soup);
    return true;
}
