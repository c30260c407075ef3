/* shape_ray.c - rays against shapes, and their closest places, in double: for queries. See form.h.
 *
 * Spheres, capsules and boxes are boxes with rounded edges, of which some half lengths may be 0.
 * Their signed distance is a convex function of the way gone, so it lies above its tangents, and
 * Newton's method from outside never goes too far. Shapes of triangles are asked triangle by
 * triangle (shape_tree.c), grids of distances cell by cell (shape_grid.c).
 */
#include "shapes/shapes.h"

#include <string.h>

#define ROUNDS   80   /* of Newton's method; a ray that only grazes halves its distance each time */
#define HALVINGS 60   /* of a part of a ray in which it leaves a shape */
#define STRIDE   0.01 /* of a spacing: what a ray that begins inside a grid's solid goes at least */
#define PULLS    24   /* from a place to the surface of a grid, whose values are too small */

static double size_of(double v)
{
    return v < 0 ? -v : v;
}

static void along(const double origin[3], const double direction[3], double t, double p[3])
{
    for (int k = 0; k < 3; ++k)
        p[k] = origin[k] + t * direction[k];
}

/* ---- boxes with rounded edges ---- */

/* Signed distance, and its gradient. */
static double rounded(const struct collider_shape *shape, const double p[3], double normal[3])
{
    double outside[3], deepest = -(double)INFINITY;
    int face = 0;
    for (int k = 0; k < 3; ++k) {
        const double beyond = size_of(p[k]) - (double)shape->size[k];
        outside[k] = beyond > 0 ? (p[k] < 0 ? -beyond : beyond) : 0;
        face = beyond > deepest ? k : face;
        deepest = beyond > deepest ? beyond : deepest;
        normal[k] = 0;
    }
    const double away = sqrt(shape_dot(outside, outside));
    if (!(away > 0))
        normal[face] = p[face] < 0 ? -1 : 1;
    for (int k = 0; k < 3 && away > 0; ++k)
        normal[k] = outside[k] / away;
    return (away > 0 ? away : deepest) - (double)shape->radius;
}

/* Where a ray enters and leaves the ball around it; false when it does neither. */
static bool ball(const struct collider_shape *shape, const double origin[3],
                 const double direction[3], double reach[2], double *radius)
{
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += (double)shape->size[k] * (double)shape->size[k];
    *radius = 1.000001 * (sqrt(square) + (double)shape->radius) + 1e-12;
    /* From the ball's middle to the ray's nearest place: its square is a sum without cancelling. */
    const double middle = -shape_dot(origin, direction);
    double foot[3];
    along(origin, direction, middle, foot);
    const double rest = *radius * *radius - shape_dot(foot, foot);
    if (rest < 0)
        return false;
    reach[0] = middle - sqrt(rest);
    reach[1] = middle + sqrt(rest);
    return true;
}

static bool rounded_ray(const struct collider_shape *shape, const double origin[3],
                        const double direction[3], double limit, double *distance, double normal[3])
{
    double reach[2], p[3], radius;
    if (!ball(shape, origin, direction, reach, &radius) || reach[1] < 0 || reach[0] > limit)
        return false;
    double t = reach[0] > 0 ? reach[0] : 0;
    const double hair = 1e-13 * (radius + size_of(t));
    along(origin, direction, t, p);
    double room = rounded(shape, p, normal);
    for (int round = 0; round < ROUNDS && room > hair; ++round) {
        const double slope = shape_dot(normal, direction);
        if (!(slope < 0))
            return false;
        t -= room / slope;
        if (!(t <= reach[1]))
            return false;
        along(origin, direction, t, p);
        room = rounded(shape, p, normal);
    }
    if (room < -hair && t == 0) {
        double low = 0, high = reach[1];
        for (int i = 0; i < HALVINGS; ++i) {
            t = low + (high - low) / 2;
            along(origin, direction, t, p);
            *(rounded(shape, p, normal) < 0 ? &low : &high) = t;
        }
    }
    *distance = t;
    return t <= limit;
}

static bool plane_ray(const double origin[3], const double direction[3], double limit,
                      double *distance, double normal[3])
{
    normal[0] = normal[2] = 0;
    normal[1] = 1;
    *distance = direction[1] != 0 ? -origin[1] / direction[1] : origin[1] == 0 ? 0 : -1;
    return *distance >= 0 && *distance <= limit;
}

/* ---- compiled data ---- */

static struct shape_way way_of(const double origin[3], const double direction[3], double limit)
{
    struct shape_way way = {.length = limit, .reached = 1};
    for (int k = 0; k < 3; ++k) {
        way.from[k] = origin[k];
        way.along[k] = limit * direction[k];
    }
    return way;
}

/* From inside the solid of a grid to where it ends: it ends within the grid. */
static bool grid_leave(const piola_shape_data *shape, const double origin[3],
                       const double direction[3], double limit, double *distance, double normal[3])
{
    const double least = STRIDE * (double)shape->spacing;
    double t = 0, before = 0, p[3];
    double value = shape_grid_value(shape, origin, normal);
    while (value < 0 && t <= limit) {
        before = t;
        t += -value > least ? -value : least;
        along(origin, direction, t, p);
        value = shape_grid_value(shape, p, normal);
    }
    for (int i = 0; i < HALVINGS && value >= 0 && t > 0; ++i) {
        *distance = before + (t - before) / 2;
        along(origin, direction, *distance, p);
        *(shape_grid_value(shape, p, normal) < 0 ? &before : &t) = *distance;
    }
    *distance = t;
    return value >= 0 && t <= limit;
}

static bool grid_ray(const piola_shape_data *shape, const double origin[3],
                     const double direction[3], double limit, double *distance, double normal[3])
{
    bool hit = true;
    if (shape_grid_value(shape, origin, normal) < 0) {
        hit = grid_leave(shape, origin, direction, limit, distance, normal);
    } else {
        struct shape_way way = way_of(origin, direction, limit);
        double p[3];
        shape_grid_sweep(shape, &way);
        *distance = way.reached * limit;
        along(origin, direction, *distance, p);
        (void)shape_grid_value(shape, p, normal);
        hit = way.reached < 1;
    }
    const double slope = sqrt(shape_dot(normal, normal));
    for (int k = 0; k < 3; ++k)
        normal[k] = slope > 0 ? normal[k] / slope : k == 1;
    return hit;
}

bool shape_ray(const struct form *form, const double origin[3], const double direction[3],
               double limit, double *distance, double normal[3])
{
    if (form->shape->kind == PIOLA_SHAPE_PLANE)
        return plane_ray(origin, direction, limit, distance, normal);
    if (!form->compiled)
        return rounded_ray(form->shape, origin, direction, limit, distance, normal);
    /* A ray without length still touches what it begins on. */
    const double length = limit > 1e-9 ? limit : 1e-9;
    if (form->shape->kind == PIOLA_SHAPE_DISTANCES)
        return grid_ray(form->compiled, origin, direction, length, distance, normal) &&
               *distance <= limit;
    struct shape_way way = way_of(origin, direction, length);
    shape_tree_cross(form->compiled, &way);
    *distance = way.reached * length;
    memcpy(normal, way.normal, sizeof way.normal);
    return way.reached < 1 && *distance <= limit;
}

/* ---- closest places ---- */

double shape_closest(const struct form *form, const double p[3], double place[3], double normal[3])
{
    const bool grid = form->shape->kind == PIOLA_SHAPE_DISTANCES;
    double away[3];
    memcpy(place, p, sizeof away);
    for (int pull = 0; pull < (grid ? PULLS : 1); ++pull) {
        double gap = p[1];
        if (form->compiled)
            gap = shape_compiled_distance(form->compiled, place, normal);
        else if (form->shape->kind != PIOLA_SHAPE_PLANE)
            gap = rounded(form->shape, p, normal);
        else
            normal[0] = normal[2] = 0, normal[1] = 1;
        for (int k = 0; k < 3; ++k)
            place[k] -= gap * normal[k];
    }
    shape_minus(place, p, away);
    return sqrt(shape_dot(away, away));
}
