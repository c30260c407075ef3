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
struct best {
    double square, weight[3], place[3]; /* m^2 */
};

struct search {
    const double (*x)[3];
    struct best near, inner;
};

static void keep(struct best *best, double square, const double weight[3], const double place[3])
{
    if (!(square < best->square))
        return;
    best->square = square;
    for (int k = 0; k < 3; ++k) {
        best->weight[k] = weight[k];
        best->place[k] = place[k];
    }
}

static void offer(struct search *s, double square, const double weight[3], const double place[3])
{
    if (!(square < s->inner.square))
        return;
    const bool corner = weight[0] > CORNER || weight[1] > CORNER || weight[2] > CORNER;
    keep(&s->near, square, weight, place);
    if (!corner)
        keep(&s->inner, square, weight, place);
}

static void found(const struct best *best, const double x[3][3], struct shape_near *near)
{
    near->distance = sqrt(best->square);
    for (int k = 0; k < 3; ++k) {
        const double *w = best->weight;
        const double at = w[0] * x[0][k] + w[1] * x[1][k] + w[2] * x[2][k];
        near->weight[k] = w[k];
        near->place[k] = best->place[k];
        near->normal[k] = near->distance > 0 ? (at - best->place[k]) / near->distance : 0;
    }
}

/* A triangle, and what is asked of it again and again. */
struct flat {
    double x[3][3], edge[3][3], square[3]; /* an edge leads from its corner to the next */
    double second[3], third[3]; /* over `area`: weights of two corners grow so along these, 1/m */
    double area, size;          /* m^4: squares of twice the area, and of its sides' product */
};

static void flat_of(const double x[3][3], struct flat *f)
{
    double side[3], normal[3];
    memcpy(f->x, x, sizeof f->x);
    for (int i = 0; i < 3; ++i) {
        shape_minus(x[(i + 1) % 3], x[i], f->edge[i]);
        f->square[i] = shape_dot(f->edge[i], f->edge[i]);
    }
    shape_minus(x[2], x[0], side);
    shape_cross(f->edge[0], side, normal);
    shape_cross(side, normal, f->second);
    shape_cross(normal, f->edge[0], f->third);
    f->area = shape_dot(normal, normal);
    f->size = f->square[0] * shape_dot(side, side);
}

/* The weights of the place of a triangle over which p lies, and how far off it is. False where that
 * is beside the triangle. */
static bool over(const struct flat *f, const double p[3], double weight[3], double *square)
{
    double to[3], away[3];
    shape_minus(p, f->x[0], to);
    const double v = shape_dot(to, f->second), w = shape_dot(to, f->third);
    if (!(f->area > NEAR_FLAT * f->size && v >= 0 && w >= 0 && v + w <= f->area))
        return false;
    weight[1] = v / f->area;
    weight[2] = w / f->area;
    weight[0] = 1 - weight[1] - weight[2];
    for (int k = 0; k < 3; ++k)
        away[k] = to[k] - weight[1] * f->edge[0][k] + weight[2] * f->edge[2][k];
    *square = shape_dot(away, away);
    return true;
}

/* Of an edge: the share of its way at which p is nearest. */
static double beside(const struct flat *f, int edge, const double p[3], double *square)
{
    double to[3];
    shape_minus(p, f->x[edge], to);
    const double way = shape_dot(to, f->edge[edge]), whole = f->square[edge];
    const double t = way > 0 ? (way < whole ? way / whole : 1) : 0;
    for (int k = 0; k < 3; ++k)
        to[k] -= t * f->edge[edge][k];
    *square = shape_dot(to, to);
    return t;
}

/* A place of the core and the triangle. It ends edges of the core, and what counts is where these
 * are nearest between the triangle's corners. */
static void offer_point(struct search *s, const double p[3], const struct flat *x)
{
    double weight[3], square;
    if (over(x, p, weight, &square)) {
        const bool corner = weight[0] > CORNER || weight[1] > CORNER || weight[2] > CORNER;
        offer(s, square, weight, p);
        if (x->area > NEAR_CLEAR * x->size && !corner)
            return;
    }
    for (int e = 0; e < 3; ++e) {
        const double t = beside(x, e, p, &square);
        weight[e] = 1 - t;
        weight[(e + 1) % 3] = t;
        weight[(e + 2) % 3] = 0;
        offer(s, square, weight, p);
    }
}

/* A corner of the triangle and another triangle. */
static void offer_facet(struct search *s, const struct flat *facet, int corner)
{
    double at[3], place[3], weight[3] = {0, 0, 0}, square;
    const double *p = s->x[corner];
    weight[corner] = 1;
    if (over(facet, p, at, &square)) {
        for (int k = 0; k < 3; ++k)
            place[k] = at[0] * facet->x[0][k] + at[1] * facet->x[1][k] + at[2] * facet->x[2][k];
        offer(s, square, weight, place);
        if (facet->area > NEAR_CLEAR * facet->size)
            return;
    }
    for (int e = 0; e < 3; ++e) {
        const double t = beside(facet, e, p, &square);
        for (int k = 0; k < 3; ++k)
            place[k] = facet->x[e][k] + t * facet->edge[e][k];
        offer(s, square, weight, place);
    }
}

/* Where an edge of the triangle passes one of the core, from `from` along `way`, if that is within
 * both; ends are offered as points. */
static void offer_pass(struct search *s, const double from[3], const double way[3], double length2,
                       const struct flat *x, int edge)
{
    double across[3], apart[3], turned[3], place[3], weight[3] = {0, 0, 0}, square;
    const double *q = x->edge[edge];
    shape_cross(way, q, across);
    const double area = shape_dot(across, across), size = length2 * x->square[edge];
    shape_minus(from, x->x[edge], apart);
    shape_cross(q, apart, turned);
    const double along = shape_dot(across, turned);
    if (!(area > NEAR_FLAT * size && along >= 0 && along <= area))
        return;
    shape_cross(way, apart, turned);
    const double over = shape_dot(across, turned);
    if (!(over >= 0 && over <= area))
        return;
    const double share = along / area;
    double t = over / area;
    for (int k = 0; k < 3; ++k)
        place[k] = from[k] + share * way[k];
    /* Both are off along the other when the sine is small: less when they are off together. */
    if (area <= NEAR_CLEAR * size)
        t = beside(x, edge, place, &square);
    for (int k = 0; k < 3; ++k)
        apart[k] += share * way[k] - t * q[k];
    square = shape_dot(apart, apart);
    weight[edge] = 1 - t;
    weight[(edge + 1) % 3] = t;
    offer(s, square, weight, place);
}

/* An edge of the core against those of the triangle. */
static void offer_edge(struct search *s, const double from[3], const double way[3],
                       const struct flat *x)
{
    const double length2 = shape_dot(way, way);
    for (int e = 0; e < 3; ++e)
        offer_pass(s, from, way, length2, x, e);
}

/* A corner of the triangle and the box. */
static void offer_corner(struct search *s, const double half[3], int corner)
{
    double place[3], weight[3] = {0, 0, 0}, square = 0;
    weight[corner] = 1;
    for (int k = 0; k < 3; ++k) {
        const double at = s->x[corner][k];
        place[k] = at < -half[k] ? -half[k] : at > half[k] ? half[k] : at;
        square += (at - place[k]) * (at - place[k]);
    }
    offer(s, square, weight, place);
}

/* A corner of the triangle and a segment of the core. */
static void offer_along(struct search *s, const double from[3], const double way[3], int corner)
{
    double to[3], place[3], weight[3] = {0, 0, 0};
    weight[corner] = 1;
    shape_minus(s->x[corner], from, to);
    const double at = shape_dot(to, way), whole = shape_dot(way, way);
    const double t = at > 0 ? (at < whole ? at / whole : 1) : 0;
    for (int k = 0; k < 3; ++k) {
        place[k] = from[k] + t * way[k];
        to[k] -= t * way[k];
    }
    offer(s, shape_dot(to, to), weight, place);
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

static bool near_segment_core(struct search *s, const struct shape_core *core, const struct flat *x)
{
    const double p[3] = {0, -core->half[1], 0}, q[3] = {0, core->half[1], 0};
    const double way[3] = {0, 2 * core->half[1], 0};
    offer_point(s, p, x);
    offer_point(s, q, x);
    for (int i = 0; i < 3; ++i)
        offer_along(s, p, way, i);
    offer_edge(s, p, way, x);
    return segment_cuts(p, q, s->x);
}

static bool near_box_core(struct search *s, const struct shape_core *core, const struct flat *x)
{
    const double *half = core->half;
    for (int i = 0; i < 3; ++i)
        offer_corner(s, half, i);
    for (unsigned i = 0; i < 8; ++i) {
        double p[3];
        for (unsigned k = 0; k < 3; ++k)
            p[k] = i >> k & 1 ? half[k] : -half[k];
        offer_point(s, p, x);
        for (unsigned k = 0; k < 3; ++k) {
            double way[3] = {0, 0, 0};
            way[k] = 2 * half[k];
            if (!(i >> k & 1))
                offer_edge(s, p, way, x);
        }
    }
    return box_cuts(half, s->x);
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

/* Of a point only the nearest place counts: an edge across from a corner that is nearer is none. */
static void offer_origin(struct search *s)
{
    static const double origin[3] = {0, 0, 0};
    double at[4][3] = {{0, 0, 0}}, w[4], between[3];
    memcpy(at + 1, s->x, 3 * sizeof at[0]);
    const double distance = near_point_triangle((const double(*)[3])at, w, between);
    const double weight[3] = {-w[1], -w[2], -w[3]};
    offer(s, distance * distance, weight, origin);
}

static bool near_triangle_core(struct search *s, const struct shape_core *core,
                               const struct flat *x)
{
    struct flat facet;
    flat_of(core->corner, &facet);
    for (int i = 0; i < 3; ++i) {
        offer_facet(s, &facet, i);
        offer_point(s, facet.x[i], x);
        offer_edge(s, facet.x[i], facet.edge[i], x);
    }
    return false;
}

void shape_near_triangle(const struct shape_core *core, const double x[3][3],
                         struct shape_near *near, struct shape_near *inner)
{
    const struct best none = {.square = (double)INFINITY};
    struct search s = {x, none, none};
    struct flat flat;
    bool cut = false;
    flat_of(x, &flat);
    if (core->kind == SHAPE_CORE_POINT)
        offer_origin(&s);
    else if (core->kind == SHAPE_CORE_SEGMENT)
        cut = near_segment_core(&s, core, &flat);
    else if (core->kind == SHAPE_CORE_TRIANGLE)
        cut = near_triangle_core(&s, core, &flat);
    else
        cut = near_box_core(&s, core, &flat);
    found(&s.near, x, near);
    found(&s.inner, x, inner);
    if (core->kind == SHAPE_CORE_TRIANGLE)
        cut = !separates(near, core->corner, x);
    if (cut)
        near->distance = inner->distance = 0;
}
