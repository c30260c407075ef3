/* detail_bind.c - where a point is in the prism over a surface triangle: paper section 5, after
 * Kobbelt et al. 1998.
 *
 * The prism of a triangle maps (b1, b2, d) to sum b_i (x_i + d n_i). It is not linear, because the
 * normals differ: its inverse is found by Newton's method from the nearest point of the triangle.
 */
#include "api/detail.h"

#include <math.h>
#include <string.h>

#define NEWTON_MAX  30
#define CLOSE       1e-11 /* of the prism's size: when the point is met */
#define OUTSIDE_MAX 8.0   /* further beside its triangle a point would hang on a long lever */

struct prism {
    struct vec3 corner, edge[2], normal, turn[2];
};

static struct vec3 vec_of(const struct pk_quad *q)
{
    return (struct vec3){(double)q->x, (double)q->y, (double)q->z};
}

static struct vec3 plus(struct vec3 a, double s, struct vec3 b)
{
    return (struct vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double length(struct vec3 a)
{
    return sqrt(vec3_dot(a, a));
}

static struct prism prism_of(const struct pk_quad *frames, uint32_t triangle)
{
    const struct pk_quad *f = frames + PK_DETAIL_QUADS * (size_t)triangle;
    return (struct prism){.corner = vec_of(&f[0]),
                          .edge = {vec_of(&f[1]), vec_of(&f[2])},
                          .normal = {(double)f[0].w, (double)f[1].w, (double)f[2].w},
                          .turn = {vec_of(&f[3]), vec_of(&f[4])}};
}

static struct vec3 normal_at(const struct prism *s, const double b[2])
{
    return plus(plus(s->normal, b[0], s->turn[0]), b[1], s->turn[1]);
}

static struct vec3 point_at(const struct prism *s, const double b[2])
{
    return plus(plus(s->corner, b[0], s->edge[0]), b[1], s->edge[1]);
}

/* Derivatives by b1, b2 and d; returns their determinant. */
static double slopes(const struct prism *s, const double b[2], double d, struct vec3 t[3])
{
    t[0] = plus(s->edge[0], d, s->turn[0]);
    t[1] = plus(s->edge[1], d, s->turn[1]);
    t[2] = normal_at(s, b);
    return vec3_dot(t[0], vec3_cross(t[1], t[2]));
}

static void finish(const struct prism *s, struct detail_bond *bond)
{
    const double last = 1 - bond->b[0] - bond->b[1];
    double least = bond->b[0] < bond->b[1] ? bond->b[0] : bond->b[1];
    least = last < least ? last : least;
    bond->outside = least < 0 ? -least : 0;
    bond->distance = fabs(bond->d) * length(normal_at(s, bond->b));
}

/* From the barycentric coordinates in the bond to those of the point. */
static bool solve(const struct pk_quad *frames, struct vec3 point, struct detail_bond *bond)
{
    const struct prism s = prism_of(frames, bond->triangle);
    const struct vec3 start = normal_at(&s, bond->b);
    const double square = vec3_dot(start, start);
    const double size = length(s.edge[0]) + length(s.edge[1]);
    bond->d = square > 0 ? vec3_dot(vec3_sub(point, point_at(&s, bond->b)), start) / square : 0;
    for (int i = 0; i < NEWTON_MAX; ++i) {
        struct vec3 t[3];
        const double det = slopes(&s, bond->b, bond->d, t);
        const struct vec3 way = vec3_sub(point, plus(point_at(&s, bond->b), bond->d, t[2]));
        if (!(fabs(det) > CLOSE * size * size))
            return false;
        if (length(way) <= CLOSE * (size + fabs(bond->d))) {
            finish(&s, bond);
            return bond->outside <= OUTSIDE_MAX;
        }
        bond->b[0] += vec3_dot(way, vec3_cross(t[1], t[2])) / det;
        bond->b[1] += vec3_dot(way, vec3_cross(t[2], t[0])) / det;
        bond->d += vec3_dot(way, vec3_cross(t[0], t[1])) / det;
        if (!(fabs(bond->b[0]) + fabs(bond->b[1]) < 1e3))
            return false;
    }
    return false;
}

/* Inside beats outside; then the nearer of two inside, and the less far of two outside. */
static bool better(const struct detail_bond *a, const struct detail_bond *b)
{
    const bool a_in = a->outside <= DETAIL_INSIDE, b_in = b->outside <= DETAIL_INSIDE;
    if (a_in != b_in)
        return a_in;
    return a_in ? a->distance < b->distance : a->outside < b->outside;
}

bool detail_bind(const struct detail_grid *grid, const struct detail_ring *ring, struct vec3 point,
                 struct detail_bond *bond)
{
    double b[2];
    const uint32_t nearest = detail_grid_nearest(grid, point, b, NULL);
    *bond = (struct detail_bond){.triangle = nearest, .b = {b[0], b[1]}};
    bool found = solve(grid->frames, point, bond);
    if (found && bond->outside <= DETAIL_INSIDE)
        return true;
    for (int k = 0; k < 3; ++k) {
        const uint32_t corner = ring->corners[3 * (size_t)nearest + (size_t)k];
        for (uint32_t i = ring->first[corner]; i < ring->first[corner + 1]; ++i) {
            struct detail_bond other = {.triangle = ring->items[i], .b = {1 / 3.0, 1 / 3.0}};
            if (solve(grid->frames, point, &other) && (!found || better(&other, bond))) {
                *bond = other;
                found = true;
            }
        }
    }
    return found;
}

void detail_bind_normal(const struct pk_quad *frames, const struct detail_bond *bond,
                        const struct vec3 *normal, double c[3])
{
    const struct prism s = prism_of(frames, bond->triangle);
    struct vec3 t[3];
    const double det = slopes(&s, bond->b, bond->d, t);
    const double square = vec3_dot(t[2], t[2]);
    struct vec3 n = normal == NULL ? t[2] : *normal;
    n = vec3_scale(n, 1 / length(n));
    const double along = vec3_dot(n, t[2]);
    const struct vec3 across = plus(n, -along / square, t[2]);
    c[0] = vec3_dot(across, t[0]) / det;
    c[1] = vec3_dot(across, t[1]) / det;
    c[2] = along / det;
}

/* ---- rings ---- */

void detail_ring_make(struct detail_ring *ring, uint32_t triangles, uint32_t points)
{
    const size_t corners = 3 * (size_t)triangles;
    memset(ring->first, 0, ((size_t)points + 1) * sizeof *ring->first);
    for (size_t i = 0; i < corners; ++i)
        ++ring->first[ring->corners[i]];
    uint32_t sum = 0;
    for (uint32_t p = 0; p <= points; ++p) {
        const uint32_t here = ring->first[p];
        ring->first[p] = sum;
        sum += here;
    }
    for (size_t i = 0; i < corners; ++i)
        ring->items[ring->first[ring->corners[i]]++] = (uint32_t)(i / 3);
    memmove(ring->first + 1, ring->first, points * sizeof *ring->first);
    ring->first[0] = 0;
}
