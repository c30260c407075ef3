/* collide_trace.c - the first place where a moving point meets a shape. No world, no body.
 *
 * Convex shapes from plane to plane: the plane through the nearest point parts the shape from where
 * the point is, so it may go until there and is still outside. Whoever has not arrived after the
 * last round stays where it is proven free. All others by what they consist of, which is convex
 * or a cubic along a straight way: triangles, cells (shape_tree.c, shape_grid.c).
 */
#include "families/collide/collide_block.h"
#include "shapes/shapes.h"

#include <math.h>
#include <string.h>

#define ROUNDS 32
#define LIFTS  8

float collide_tolerance(const float p[3])
{
    const float x = fabsf(p[0]), y = fabsf(p[1]), z = fabsf(p[2]);
    const float xy = x > y ? x : y;
    return 2e-6f * (0.1f + (xy > z ? xy : z));
}

float collide_slack(const struct form *form, const float p[3])
{
    const float known = collide_tolerance(p), quarter = 0.25f * form->shape->margin;
    const bool sided = form->compiled && form->compiled->stats.least_margin > 0;
    return sided && quarter < known ? quarter : known;
}

/* Of these shapes a way that leaves the surface never meets it again. */
static bool convex(const struct form *form)
{
    return form->shape->kind <= PIOLA_SHAPE_HULL;
}

/* How far a way goes before the plane that parts its beginning from a convex shape. Along a near
 * surface that is much farther than the distance: with that alone a vertex that hovers a micrometre
 * over the floor would not arrive, and be held back by all that it slid. */
static float until_plane(float distance, const float normal[3], const float way[3], float length)
{
    const float along = normal[0] * way[0] + normal[1] * way[1] + normal[2] * way[2];
    return along < -distance ? distance * length / -along : length;
}

static bool advance(const struct form *form, const float a[3], const float b[3], float at[3],
                    float normal[3], float *distance)
{
    const float way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const float length = sqrtf(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    const float tolerance = collide_tolerance(a);
    float done = 0;
    for (int k = 0; k < 3; ++k)
        at[k] = a[k];
    for (int round = 0; round < ROUNDS; ++round) {
        *distance = shape_distance(form, at, normal) - form->shape->margin;
        if (*distance < -tolerance)
            return true;
        float step = until_plane(*distance, normal, way, length);
        if (*distance <= tolerance) {
            const float along = normal[0] * way[0] + normal[1] * way[1] + normal[2] * way[2];
            if (along < -tolerance)
                return true;
            /* Grazing or leaving. */
            step = length;
        }
        done += step;
        if (done >= length)
            break;
        for (int k = 0; k < 3; ++k)
            at[k] = a[k] + way[k] * (done / length);
    }
    if (done < length)
        return true;
    float end_normal[3];
    const float end = shape_distance(form, b, end_normal) - form->shape->margin;
    if (end < -tolerance)
        return true;
    for (int k = 0; k < 3; ++k) {
        at[k] = b[k];
        normal[k] = end_normal[k];
    }
    *distance = end;
    return false;
}

/* How far a point is from the plane that touches the grown shape near it. `below`: see
 * shape_distance_below. */
static float gap_at(const struct form *form, const float p[3], float below, float normal[3])
{
    const double at[3] = {(double)p[0], (double)p[1], (double)p[2]};
    double n[3];
    const double gap =
        shape_compiled_gap(form->compiled, at, (double)form->shape->margin, (double)below, n);
    for (int k = 0; k < 3; ++k)
        normal[k] = (float)n[k];
    return (float)gap;
}

/* True when the way from a to b leads nearer than `keep`; then `at` is how far it does not, and
 * `normal` away from what is there. */
static bool blocked(const struct form *form, const float a[3], const float b[3], double keep,
                    double hair, float at[3], float normal[3])
{
    struct shape_way way = {.keep = keep, .hair = hair, .reached = 1};
    for (int k = 0; k < 3; ++k) {
        way.from[k] = (double)a[k];
        way.along[k] = (double)b[k] - (double)a[k];
    }
    way.length = sqrt(shape_dot(way.along, way.along));
    if (form->shape->kind == PIOLA_SHAPE_DISTANCES)
        shape_grid_sweep(form->compiled, &way);
    else
        shape_tree_sweep(form->compiled, &way);
    if (!(way.reached < 1))
        return false;
    for (int k = 0; k < 3; ++k) {
        at[k] = (float)(way.from[k] + way.reached * way.along[k]);
        normal[k] = (float)way.normal[k];
    }
    if (form->shape->kind == PIOLA_SHAPE_DISTANCES)
        (void)gap_at(form, at, INFINITY, normal);
    return true;
}

static bool finite_way(const float a[3], const float b[3])
{
    bool finite = true;
    for (int k = 0; k < 3; ++k)
        finite = finite && a[k] - a[k] == 0 && b[k] - b[k] == 0;
    return finite;
}

/* m: surely more than how far p is from the surface, when a place at most `way` from it has such a
 * gap. */
static float within(const struct form *form, float gap, const float p[3], float way)
{
    return fabsf(gap + form->shape->margin) + 1.0001f * way + collide_tolerance(p);
}

/* True when the way between two places with such gaps is longer on none of its parts than they are
 * off: then nothing on it is nearer than the margin. */
static bool stays_off(const struct form *form, float begin, float end, float length)
{
    return form->shape->kind != PIOLA_SHAPE_DISTANCES && begin > 0 && end > 0 &&
           begin + end > 1.0001f * length;
}

/* As advance, of shapes that are not convex. Who is stopped tries the place on the surface that is
 * nearest to where it was going: in a hollow, the straight way there is free. */
static bool follow(const struct form *form, const float a[3], const float b[3],
                   struct collide_known *known, float at[3], float normal[3], float *distance)
{
    const float tolerance = collide_slack(form, a), length = collide_distance(a, b);
    const double keep = (double)form->shape->margin - (double)tolerance;
    const double hair = 0.01 * (double)tolerance;
    float there[3], lifted[3], stop[3], from[3];
    /* Who is known to begin outside needs neither distance nor normal there. */
    if (!(known->measured && known->gap >= 0)) {
        memcpy(at, a, sizeof there);
        *distance = gap_at(form, a, within(form, known->gap, a, 0), normal);
        *known = (struct collide_known){*distance, 1};
        if (*distance < -tolerance)
            return true;
    }
    const float end = gap_at(form, b, within(form, known->gap, b, length), there);
    if (!finite_way(a, b) || stays_off(form, known->gap, end, length) ||
        !blocked(form, a, b, keep, hair, stop, from)) {
        memcpy(at, b, sizeof stop);
        memcpy(normal, there, sizeof there);
        *distance = end;
        *known = (struct collide_known){end, 1};
        return false;
    }
    *known = (struct collide_known){0, 0};
    for (int k = 0; k < 3; ++k)
        lifted[k] = b[k] - end * there[k];
    if (end < 0 && !blocked(form, a, lifted, keep, hair, at, normal)) {
        memcpy(at, lifted, sizeof lifted);
        memcpy(normal, there, sizeof there);
        *distance = 0;
        if (form->shape->kind == PIOLA_SHAPE_DISTANCES)
            *distance = gap_at(form, at, INFINITY, normal);
        return true;
    }
    memcpy(at, stop, sizeof stop);
    *distance = gap_at(form, at, within(form, 0, at, 0), normal);
    *known = (struct collide_known){*distance, 1};
    memcpy(normal, from, sizeof from);
    return true;
}

bool collide_trace(const struct form *form, const float a[3], const float b[3],
                   struct collide_known *known, float at[3], float normal[3], float *distance)
{
    return convex(form) ? advance(form, a, b, at, normal, distance)
                        : follow(form, a, b, known, at, normal, distance);
}

static float part_of(const float a[3], const float b[3], const float at[3])
{
    float gone = 0, way = 0;
    for (int k = 0; k < 3; ++k) {
        gone += (at[k] - a[k]) * (at[k] - a[k]);
        way += (b[k] - a[k]) * (b[k] - a[k]);
    }
    const float part = way > 0 ? sqrtf(gone / way) : 0;
    return part < 0.9999f ? part : 0.9999f;
}

float collide_part(const struct form *form, const float a[3], const float b[3])
{
    const float margin = form->shape->margin, tolerance = collide_slack(form, a);
    float at[3], normal[3], distance = 0;
    if (!finite_way(a, b))
        return 0;
    const float begin = shape_distance(form, a, NULL) - margin;
    if (begin < -tolerance) {
        const float end = shape_distance(form, b, NULL) - margin;
        return end >= begin - 0.5f * tolerance && collide_comes_out(form, a, b) ? 1 : 0;
    }
    if (convex(form))
        return advance(form, a, b, at, normal, &distance) ? part_of(a, b, at) : 1;
    const double keep = (double)margin - (double)tolerance;
    return blocked(form, a, b, keep, 0.01 * (double)tolerance, at, normal) ? part_of(a, b, at) : 1;
}

bool collide_far(const struct form *form, const float a[3], const float b[3],
                 struct collide_span span, float *distance)
{
    *distance = INFINITY;
    if (convex(form) || !finite_way(a, b))
        return false;
    const float reach = 1.0001f * collide_distance(a, b) + collide_tolerance(a);
    const float margin = form->shape->margin;
    if (span.least > margin + reach)
        return true;
    *distance =
        span.least == span.most ? span.most : shape_distance_below(form, a, span.most, NULL);
    return *distance - margin > reach;
}

bool collide_comes_out(const struct form *form, const float a[3], const float b[3])
{
    if (convex(form) || !finite_way(a, b))
        return true;
    const double from[3] = {(double)a[0], (double)a[1], (double)a[2]};
    const double hair = 1e-3 * (double)collide_slack(form, a);
    double n[3];
    float at[3], normal[3];
    const double start = shape_compiled_distance(form->compiled, from, n);
    const bool deep = start < 0 && form->shape->kind != PIOLA_SHAPE_DISTANCES;
    return deep || !blocked(form, a, b, start - hair, hair, at, normal);
}

bool collide_lift(const struct form *form, const float a[3], float want, float lifted[3])
{
    float normal[3];
    memcpy(lifted, a, sizeof normal);
    for (int round = 0; round < LIFTS; ++round) {
        const float lack = want - gap_at(form, lifted, INFINITY, normal);
        for (int k = 0; k < 3 && lack > 0; ++k)
            lifted[k] += lack * normal[k];
    }
    return collide_comes_out(form, a, lifted);
}
