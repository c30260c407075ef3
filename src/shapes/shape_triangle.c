/* shape_triangle.c - how far a triangle is from a shape, and where: what keeps edges and faces out.
 *
 * A sphere, a capsule and a box are convex cores, a point, a segment and a box, with a rounding; of
 * a shape made of triangles each is one, rounded by its margin. The nearest places of two convex
 * things with flat sides are a corner of one and the other, or an edge of each. So these are all
 * looked at, in double; where the core and the triangle cut each other the distance is 0. No world,
 * no memory.
 */
#include "base/closest_points.h"
#include "shapes/shapes.h"

#include <math.h>
#include <string.h>

/* A box's edges are rounded by this much of its extent plus 0.1 m, within it: what lies on a side
 * is then at some distance from the core, which tells sides apart. */
#define ROUNDING 1e-5f

/* Corners of a triangle count as such up to this weight. */
#define CORNER 0.999

static void core_of_box(const struct collider_shape *shape, struct shape_core *core)
{
    float most = 0, least = INFINITY;
    for (int k = 0; k < 3; ++k) {
        most = shape->size[k] > most ? shape->size[k] : most;
        least = shape->size[k] < least ? shape->size[k] : least;
    }
    float round = ROUNDING * (0.1f + most);
    round = shape->radius > 0 ? 0 : round < 0.5f * least ? round : 0.5f * least;
    core->kind = SHAPE_CORE_BOX;
    core->round = shape->radius + round;
    for (int k = 0; k < 3; ++k)
        core->half[k] = (double)(shape->size[k] - round);
}

bool shape_core_of(const struct form *form, struct shape_core *core)
{
    const struct collider_shape *shape = form->shape;
    memset(core, 0, sizeof *core);
    core->round = shape->radius;
    switch (shape->kind) {
    case PIOLA_SHAPE_SPHERE:
        core->kind = SHAPE_CORE_POINT;
        break;
    case PIOLA_SHAPE_CAPSULE:
        core->kind = SHAPE_CORE_SEGMENT;
        core->half[1] = (double)shape->size[1];
        break;
    case PIOLA_SHAPE_BOX:
        core_of_box(shape, core);
        break;
    default:
        return false;
    }
    core->round += shape->margin;
    return true;
}

float shape_triangle_round(const struct form *form)
{
    const piola_shape_stats *stats = &form->compiled->stats;
    float most = 0;
    /* Others have a margin that tells sides apart. */
    if (stats->kind != PIOLA_SHAPE_HULL)
        return form->shape->margin;
    for (int k = 0; k < 3; ++k) {
        most = fabsf(stats->low[k]) > most ? fabsf(stats->low[k]) : most;
        most = fabsf(stats->high[k]) > most ? fabsf(stats->high[k]) : most;
    }
    return form->shape->margin + ROUNDING * (0.1f + most);
}

void shape_core_of_triangle(const struct form *form, const struct shape_triangle *triangle,
                            struct shape_core *core)
{
    memset(core, 0, sizeof *core);
    double u[3], v[3], n[3];
    const double within = (double)(shape_triangle_round(form) - form->shape->margin);
    core->kind = SHAPE_CORE_TRIANGLE;
    core->round = shape_triangle_round(form);
    shape_minus(triangle->x[1], triangle->x[0], u);
    shape_minus(triangle->x[2], triangle->x[0], v);
    shape_cross(u, v, n);
    (void)shape_unit(n);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            core->corner[i][k] = triangle->x[i][k] - within * n[k];
}

/* ---- candidates ---- */

/* The nearest so far: of all, and of those that are not at a corner of the triangle. */
struct search {
    struct shape_near *near, *inner;
};

static void keep(struct shape_near *best, double distance, const double weight[3],
                 const double place[3], const double x[3][3])
{
    if (!(distance < best->distance))
        return;
    best->distance = distance;
    for (int k = 0; k < 3; ++k) {
        const double at = weight[0] * x[0][k] + weight[1] * x[1][k] + weight[2] * x[2][k];
        best->weight[k] = weight[k];
        best->place[k] = place[k];
        best->normal[k] = distance > 0 ? (at - place[k]) / distance : 0;
    }
}

static void offer(const struct search *s, double distance, const double weight[3],
                  const double place[3], const double x[3][3])
{
    const bool corner = weight[0] > CORNER || weight[1] > CORNER || weight[2] > CORNER;
    keep(s->near, distance, weight, place, x);
    if (!corner)
        keep(s->inner, distance, weight, place, x);
}

static void offer_point(const struct search *s, const double p[3], const double x[3][3])
{
    double at[4][3], w[4], between[3];
    memcpy(at[0], p, sizeof at[0]);
    memcpy(at + 1, x, 3 * sizeof at[0]);
    const double distance = near_point_triangle((const double(*)[3])at, w, between);
    const double weight[3] = {-w[1], -w[2], -w[3]};
    offer(s, distance, weight, p, x);
}

static void offer_edge(const struct search *s, const double p[3], const double q[3],
                       const double x[3][3], int edge)
{
    double at[4][3], w[4], between[3], weight[3] = {0, 0, 0}, place[3];
    const int next = (edge + 1) % 3;
    memcpy(at[0], p, sizeof at[0]);
    memcpy(at[1], q, sizeof at[1]);
    memcpy(at[2], x[edge], sizeof at[2]);
    memcpy(at[3], x[next], sizeof at[3]);
    const double distance = near_segments((const double(*)[3])at, w, between);
    weight[edge] = -w[2];
    weight[next] = -w[3];
    for (int k = 0; k < 3; ++k)
        place[k] = w[0] * p[k] + w[1] * q[k];
    offer(s, distance, weight, place, x);
}

/* A corner of the triangle and another triangle. */
static void offer_facet(const struct search *s, const double facet[3][3], const double x[3][3],
                        int corner)
{
    double at[4][3], w[4], between[3], weight[3] = {0, 0, 0}, place[3];
    memcpy(at[0], x[corner], sizeof at[0]);
    memcpy(at + 1, facet, 3 * sizeof at[0]);
    const double distance = near_point_triangle((const double(*)[3])at, w, between);
    weight[corner] = 1;
    for (int k = 0; k < 3; ++k)
        place[k] = -w[1] * at[1][k] - w[2] * at[2][k] - w[3] * at[3][k];
    offer(s, distance, weight, place, x);
}

/* A corner of the triangle and the box. */
static void offer_corner(const struct search *s, const double half[3], const double x[3][3],
                         int corner)
{
    double place[3], weight[3] = {0, 0, 0}, square = 0;
    weight[corner] = 1;
    for (int k = 0; k < 3; ++k) {
        const double at = x[corner][k];
        place[k] = at < -half[k] ? -half[k] : at > half[k] ? half[k] : at;
        square += (at - place[k]) * (at - place[k]);
    }
    offer(s, sqrt(square), weight, place, x);
}

/* ---- cuts ---- */

/* Six times the volume of a tetrahedron. */
static double volume(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double u[3], v[3], w[3], n[3];
    shape_minus(b, a, u);
    shape_minus(c, a, v);
    shape_minus(d, a, w);
    shape_cross(u, v, n);
    return shape_dot(n, w);
}

static bool segment_cuts(const double p[3], const double q[3], const double x[3][3])
{
    const double a = volume(x[0], x[1], x[2], p), b = volume(x[0], x[1], x[2], q);
    if (a * b > 0 || a == b)
        return false;
    const double u = volume(p, q, x[0], x[1]), v = volume(p, q, x[1], x[2]);
    const double w = volume(p, q, x[2], x[0]);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

/* True when this direction parts the box from the triangle. */
static bool parts(const double half[3], const double x[3][3], const double along[3])
{
    double low = (double)INFINITY, high = -(double)INFINITY, reach = 0;
    for (int i = 0; i < 3; ++i) {
        const double at = shape_dot(along, x[i]);
        low = at < low ? at : low;
        high = at > high ? at : high;
        reach += half[i] * fabs(along[i]);
    }
    return low > reach || high < -reach;
}

static bool box_cuts(const double half[3], const double x[3][3])
{
    double edge[3][3], n[3];
    for (int i = 0; i < 3; ++i) {
        double along[3] = {0, 0, 0};
        along[i] = 1;
        shape_minus(x[(i + 1) % 3], x[i], edge[i]);
        if (parts(half, x, along))
            return false;
    }
    shape_cross(edge[0], edge[1], n);
    if (parts(half, x, n))
        return false;
    for (int i = 0; i < 9; ++i) {
        double along[3] = {0, 0, 0}, across[3];
        along[i / 3] = 1;
        shape_cross(along, edge[i % 3], across);
        if (parts(half, x, across))
            return false;
    }
    return true;
}

/* ---- of each core ---- */

static bool near_segment_core(const struct search *s, const struct shape_core *core,
                              const double x[3][3])
{
    const double p[3] = {0, -core->half[1], 0}, q[3] = {0, core->half[1], 0};
    offer_point(s, p, x);
    offer_point(s, q, x);
    for (int e = 0; e < 3; ++e)
        offer_edge(s, p, q, x, e);
    return segment_cuts(p, q, x);
}

static void corner_of(const double half[3], unsigned i, double p[3])
{
    for (unsigned k = 0; k < 3; ++k)
        p[k] = i >> k & 1 ? half[k] : -half[k];
}

static bool near_box_core(const struct search *s, const struct shape_core *core,
                          const double x[3][3])
{
    double p[3], q[3];
    for (int i = 0; i < 3; ++i)
        offer_corner(s, core->half, x, i);
    for (unsigned i = 0; i < 8; ++i) {
        corner_of(core->half, i, p);
        offer_point(s, p, x);
        for (unsigned k = 0; k < 3; ++k) {
            if (i >> k & 1)
                continue;
            corner_of(core->half, i | 1u << k, q);
            for (int e = 0; e < 3; ++e)
                offer_edge(s, p, q, x, e);
        }
    }
    return box_cuts(core->half, x);
}

/* True when the direction in which two triangles are nearest parts them: else they cut each other.
 * (What both had in common would be over the one and under the other.) */
static bool separates(const struct shape_near *near, const double facet[3][3], const double x[3][3])
{
    const double slack = 0.25 * near->distance;
    bool parts = near->distance > 0;
    for (int i = 0; i < 3; ++i) {
        double under[3], over[3];
        shape_minus(facet[i], near->place, under);
        shape_minus(x[i], near->place, over);
        parts = parts && shape_dot(near->normal, under) <= slack &&
                shape_dot(near->normal, over) >= near->distance - slack;
    }
    return parts;
}

static bool near_triangle_core(const struct search *s, const struct shape_core *core,
                               const double x[3][3])
{
    const double(*facet)[3] = core->corner;
    for (int i = 0; i < 3; ++i) {
        const int next = (i + 1) % 3;
        offer_facet(s, facet, x, i);
        offer_point(s, facet[i], x);
        for (int e = 0; e < 3; ++e)
            offer_edge(s, facet[i], facet[next], x, e);
    }
    return !separates(s->near, facet, x);
}

void shape_near_triangle(const struct shape_core *core, const double x[3][3],
                         struct shape_near *near, struct shape_near *inner)
{
    static const double origin[3] = {0, 0, 0};
    const struct search s = {near, inner};
    bool cut = false;
    *near = *inner = (struct shape_near){.distance = (double)INFINITY};
    if (core->kind == SHAPE_CORE_POINT)
        offer_point(&s, origin, x);
    else if (core->kind == SHAPE_CORE_SEGMENT)
        cut = near_segment_core(&s, core, x);
    else if (core->kind == SHAPE_CORE_TRIANGLE)
        cut = near_triangle_core(&s, core, x);
    else
        cut = near_box_core(&s, core, x);
    if (cut)
        near->distance = inner->distance = 0;
}
