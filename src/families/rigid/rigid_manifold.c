/* rigid_manifold.c - see rigid_manifold.h: balls and capsules at anything, and which places are
 * kept of many.
 *
 * How far a place is from a convex shape is a convex function of the place, so along a capsule's
 * segment it has one valley, which a search by thirds finds.
 */
#include "families/rigid/rigid_manifold.h"

#include "base/spatial6.h"
#include "shapes/shapes.h"

#define THIRDS 40   /* of a search: the valley's width shrinks to 1e-7 of the segment */
#define FLAT   1e-4 /* of the capsule's radius: what is as near as the nearest */

bool manifold_solid_of(const struct form *form, const double place[3], const double turn[9],
                       struct manifold_solid *solid)
{
    const struct collider_shape *s = form->shape;
    *solid = (struct manifold_solid){.form = *form};
    memcpy(solid->place, place, sizeof solid->place);
    memcpy(solid->turn, turn, sizeof solid->turn);
    solid->round = (double)s->radius + (double)s->margin;
    if (s->kind == PIOLA_SHAPE_CAPSULE)
        solid->half[1] = (double)s->size[1];
    for (int k = 0; k < 3 && s->kind == PIOLA_SHAPE_BOX; ++k)
        solid->half[k] = (double)s->size[k];
    for (int k = 0; k < 3 && s->kind == PIOLA_SHAPE_HULL; ++k) {
        const double low = fabs((double)form->compiled->stats.low[k]);
        const double high = fabs((double)form->compiled->stats.high[k]);
        solid->half[k] = low > high ? low : high;
    }
    return s->kind == PIOLA_SHAPE_SPHERE || s->kind == PIOLA_SHAPE_CAPSULE || manifold_flat(form);
}

double manifold_ball(const struct manifold_solid *s)
{
    return sqrt(dot3(s->half, s->half)) + s->round;
}

double manifold_thin(const struct manifold_solid *s)
{
    double least = s->half[0];
    for (int k = 1; k < 3; ++k)
        least = s->half[k] < least ? s->half[k] : least;
    return least + s->round;
}

static bool is_round(const struct manifold_solid *s)
{
    return s->form.shape->kind == PIOLA_SHAPE_SPHERE || s->form.shape->kind == PIOLA_SHAPE_CAPSULE;
}

static void out_of(const struct manifold_solid *s, const double local[3], double world[3])
{
    for (int k = 0; k < 3; ++k)
        world[k] = dot3(s->turn + 3 * (size_t)k, local);
}

/* How far a place is from the core of a shape (m, negative inside of a box), and the direction away
 * from it. */
static double core_distance(const struct manifold_solid *s, const double p[3], double normal[3])
{
    double x[3], away[3], inside = -(double)INFINITY, own[3] = {0, 0, 0};
    int nearest = 1;
    for (int k = 0; k < 3; ++k) {
        x[k] = 0;
        for (int j = 0; j < 3; ++j)
            x[k] += s->turn[3 * j + k] * (p[j] - s->place[j]);
        const double over = fabs(x[k]) - s->half[k];
        away[k] = over > 0 ? (x[k] < 0 ? -over : over) : 0;
        if (s->half[k] > 0 && over > inside)
            inside = over, nearest = k;
    }
    const double size = sqrt(dot3(away, away));
    if (s->form.compiled) {
        const double far = shape_compiled_distance(s->form.compiled, x, own);
        out_of(s, own, normal);
        return far;
    }
    if (size > 0) {
        for (int k = 0; k < 3; ++k)
            own[k] = away[k] / size;
    } else if (is_round(s)) {
        own[s->half[1] > 0 ? 0 : 1] = 1; /* on the core itself: any way across it */
    } else {
        own[nearest] = x[nearest] < 0 ? -1 : 1;
    }
    out_of(s, own, normal);
    return size > 0 || is_round(s) ? size : inside;
}

/* A place of the first one's core against all of the second. */
static double gap_at(const struct manifold_solid *one, const struct manifold_solid *two,
                     const double at[3], double normal[3])
{
    return core_distance(two, at, normal) - one->round - two->round;
}

static void add_at(const struct manifold_solid *one, const struct manifold_solid *two,
                   const double at[3], double reach, struct manifold *out)
{
    double normal[3], between[3];
    const double gap = gap_at(one, two, at, normal);
    if (gap > reach)
        return;
    for (int k = 0; k < 3; ++k)
        between[k] = at[k] - (one->round + 0.5 * gap) * normal[k];
    manifold_add(out, between, normal, gap);
}

static void along(const struct manifold_solid *one, double t, double at[3])
{
    const double local[3] = {0, t * one->half[1], 0};
    out_of(one, local, at);
    for (int k = 0; k < 3; ++k)
        at[k] += one->place[k];
}

static double gap_along(const struct manifold_solid *one, const struct manifold_solid *two,
                        double t)
{
    double at[3], normal[3];
    along(one, t, at);
    return gap_at(one, two, at, normal);
}

/* Where the valley's floor, which is at most `level`, ends: from t, which is in it, to `end`. */
static double floor_end(const struct manifold_solid *one, const struct manifold_solid *two,
                        double level, double t, double end)
{
    if (gap_along(one, two, end) <= level)
        return end;
    for (int i = 0; i < THIRDS / 2; ++i) {
        const double middle = 0.5 * (t + end);
        if (gap_along(one, two, middle) <= level)
            t = middle;
        else
            end = middle;
    }
    return t;
}

/* The nearest places of a capsule, and its ends where these are near. */
static void capsule_at(const struct manifold_solid *one, const struct manifold_solid *two,
                       double reach, struct manifold *out)
{
    double low = -1, high = 1, at[3];
    for (int i = 0; i < THIRDS; ++i) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (gap_along(one, two, a) <= gap_along(one, two, b))
            high = b;
        else
            low = a;
    }
    const double t = 0.5 * (low + high), level = gap_along(one, two, t) + FLAT * one->round;
    const double from = floor_end(one, two, level, t, -1), to = floor_end(one, two, level, t, 1);
    along(one, from, at);
    add_at(one, two, at, reach, out);
    if (to - from > 1e-3) {
        along(one, to, at);
        add_at(one, two, at, reach, out);
    }
    for (int end = -1; end <= 1; end += 2)
        if (fabs(end - (end < 0 ? from : to)) > 1e-3) {
            along(one, end, at);
            add_at(one, two, at, reach, out);
        }
}

/* ---- which places are kept ---- */

static double square_between(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return dot3(d, d);
}

static void take(struct manifold *m, uint32_t place, uint32_t which)
{
    const struct manifold_point kept = m->point[place];
    m->point[place] = m->point[which];
    m->point[which] = kept;
}

/* Twice the signed area of a place with the line of the first two, seen along the normal. */
static double area_of(const struct manifold *m, uint32_t i)
{
    double a[3], b[3], n[3];
    for (int k = 0; k < 3; ++k) {
        a[k] = m->point[1].at[k] - m->point[0].at[k];
        b[k] = m->point[i].at[k] - m->point[0].at[k];
    }
    cross3(a, b, n);
    return dot3(n, m->point[0].normal);
}

/* The deepest one, the farthest from it, and those that make most area to both sides of their line.
 */
static void keep_few(struct manifold *m)
{
    uint32_t best = 0;
    if (m->count <= MANIFOLD_KEPT)
        return;
    for (uint32_t i = 1; i < m->count; ++i)
        best = m->point[i].gap < m->point[best].gap ? i : best;
    take(m, 0, best);
    best = 1;
    for (uint32_t i = 2; i < m->count; ++i)
        best = square_between(m->point[i].at, m->point[0].at) >
                       square_between(m->point[best].at, m->point[0].at)
                   ? i
                   : best;
    take(m, 1, best);
    best = 2;
    for (uint32_t i = 3; i < m->count; ++i)
        best = area_of(m, i) > area_of(m, best) ? i : best;
    take(m, 2, best);
    best = 3;
    for (uint32_t i = 4; i < m->count; ++i)
        best = area_of(m, i) < area_of(m, best) ? i : best;
    take(m, 3, best);
    m->count = MANIFOLD_KEPT;
}

static void turn_round(struct manifold *m)
{
    for (uint32_t i = 0; i < m->count; ++i)
        for (int k = 0; k < 3; ++k)
            m->point[i].normal[k] = -m->point[i].normal[k];
}

void manifold_find(const struct manifold_solid *one, const struct manifold_solid *two, double reach,
                   struct manifold *out)
{
    const bool swapped = !is_round(one) || (is_round(two) && two->half[1] > one->half[1]);
    const struct manifold_solid *round = swapped ? two : one, *other = swapped ? one : two;
    out->count = 0;
    if (!is_round(one) && !is_round(two)) {
        if (one->form.compiled || two->form.compiled)
            manifold_hulls(one, two, reach, out);
        else
            manifold_boxes(one, two, reach, out);
        keep_few(out);
        return;
    }
    if (round->half[1] > 0)
        capsule_at(round, other, reach, out);
    else
        add_at(round, other, round->place, reach, out);
    if (swapped)
        turn_round(out);
    keep_few(out);
}
