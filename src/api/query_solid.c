/* query_solid.c - what a ray or a point meets of colliders and rigid bodies, as they stand between
 * two steps: each is asked in its own frame (shapes/shape_ray.c), by rising slot. */
#include "api/query_solid.h"

#include "base/query_triangle.h"
#include "families/collide/collider.h"
#include "families/rigid/rigid.h"

#include <math.h>

/* A pose in double, and a way back. */
static void into(const struct pose *pose, const double v[3], bool place, double out[3])
{
    double d[3];
    for (int k = 0; k < 3; ++k)
        d[k] = v[k] - (place ? (double)pose->position[k] : 0);
    for (int k = 0; k < 3; ++k)
        out[k] = (double)pose->rotation[k] * d[0] + (double)pose->rotation[3 + k] * d[1] +
                 (double)pose->rotation[6 + k] * d[2];
}

static void out_of(const struct pose *pose, const double v[3], bool place, double out[3])
{
    const float *r = pose->rotation;
    for (int k = 0; k < 3; ++k)
        out[k] = (double)r[3 * k] * v[0] + (double)r[3 * k + 1] * v[1] +
                 (double)r[3 * k + 2] * v[2] + (place ? (double)pose->position[k] : 0);
}

static bool asked(const struct query_whom *whom, uint32_t slot)
{
    const struct collider *c = &world_colliders(whom->world)[slot];
    const bool sensor = (c->flags & COLLIDER_SENSOR) != 0;
    const uint32_t kind = rigid_is(whom->world, slot) ? PIOLA_TARGET_RIGIDS
                          : sensor                    ? PIOLA_TARGET_SENSORS
                                                      : PIOLA_TARGET_COLLIDERS;
    return (c->flags & COLLIDER_ALIVE) && (whom->targets & kind) &&
           (whom->mask & filter_category(solid_filter(whom->world, c))) != 0;
}

/* `point` and `normal` are in the frame of the pose. */
static void set_hit(const struct query_whom *whom, uint32_t slot, const struct pose *pose,
                    const double point[3], const double normal[3], double distance, piola_hit *hit)
{
    const uint32_t generation = world_colliders(whom->world)[slot].generation;
    double there[3], out[3];
    out_of(pose, point, true, there);
    out_of(pose, normal, false, out);
    *hit = (piola_hit){.distance = (float)distance};
    if (rigid_is(whom->world, slot))
        hit->rigid = (piola_rigid){slot + 1, generation};
    else
        hit->collider = (piola_collider){slot + 1, generation};
    for (int k = 0; k < 3; ++k) {
        hit->point[k] = (float)there[k];
        hit->normal[k] = (float)out[k];
    }
}

void query_solids_ray(const struct query_whom *whom, const double origin[3],
                      const double direction[3], bool any, double best, piola_hit *hit)
{
    for (uint32_t slot = 0; slot < collider_end(whom->world); ++slot) {
        if (!asked(whom, slot))
            continue;
        const struct collider *c = &world_colliders(whom->world)[slot];
        const struct form form = world_form(whom->world, c);
        struct pose pose;
        double from[3], way[3], distance, point[3], normal[3];
        collider_stands(c, &pose);
        into(&pose, origin, true, from);
        into(&pose, direction, false, way);
        if (!shape_ray(&form, from, way, best, &distance, normal) ||
            (any && !(distance < best * (1 - QUERY_EQUAL))))
            continue;
        for (int k = 0; k < 3; ++k)
            point[k] = from[k] + distance * way[k];
        set_hit(whom, slot, &pose, point, normal, distance, hit);
        best = distance;
        any = true;
    }
}

void query_solids_closest(const struct query_whom *whom, const double point[3], bool any,
                          double best, piola_hit *hit)
{
    for (uint32_t slot = 0; slot < collider_end(whom->world); ++slot) {
        if (!asked(whom, slot))
            continue;
        const struct collider *c = &world_colliders(whom->world)[slot];
        const struct form form = world_form(whom->world, c);
        struct pose pose;
        double at[3], place[3], normal[3];
        collider_stands(c, &pose);
        into(&pose, point, true, at);
        const double distance = shape_closest(&form, at, place, normal);
        if (!(distance <= best) || (any && !(distance < best * (1 - QUERY_EQUAL))))
            continue;
        set_hit(whom, slot, &pose, place, normal, distance, hit);
        best = distance;
        any = true;
    }
}
