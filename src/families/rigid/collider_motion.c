/* collider_motion.c - where colliders stand at each boundary of a step's substeps. */
#include "families/rigid/rigid.h"

#include "base/exact_rotation.h"
#include "families/collide/collide_block.h"
#include "shapes/shapes.h"
#include "world/rest.h"

#include <math.h>

static bool spins(const struct collider *c)
{
    return !(c->flags & COLLIDER_TURNS) && (c->spin[0] != 0 || c->spin[1] != 0 || c->spin[2] != 0);
}

/* q turned by spin for a time, exactly: what an angle lacks it would lack in each step. */
static void turn(const float q[4], const float spin[3], double time, float out[4])
{
    double vector[3], by[4], to[4];
    for (int k = 0; k < 3; ++k)
        vector[k] = time * (double)spin[k];
    for (int k = 0; k < 4; ++k)
        to[k] = (double)q[k];
    rotation_of(vector, by);
    rotation_join(by, to, to);
    rotation_unit(to);
    for (int k = 0; k < 4; ++k)
        out[k] = (float)to[k];
}

/* A collider that flies away stops where numbers still have a meaning. */
static float bounded(float x)
{
    return x > COLLIDER_FARTHEST    ? COLLIDER_FARTHEST
           : x < -COLLIDER_FARTHEST ? -COLLIDER_FARTHEST
                                    : x;
}

/* Where the step ends; a goal of a command overrules the velocity. */
static void plan_end(struct collider *c, float dt)
{
    float heading[4];
    if (!(c->flags & COLLIDER_GOES))
        for (int k = 0; k < 3; ++k)
            c->goal[k] = bounded(c->position[k] + dt * c->velocity[k]);
    if (spins(c))
        turn(c->rotation, c->spin, (double)dt, c->heading);
    else if (!(c->flags & COLLIDER_TURNS)) {
        memcpy(c->heading, c->rotation, sizeof c->heading);
        collider_normalise(c->heading);
    }
    /* The shorter way round. */
    const float *p = c->rotation, *q = c->heading;
    const float side = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0 ? -1.0f : 1.0f;
    for (int k = 0; k < 4; ++k)
        heading[k] = side * q[k];
    memcpy(c->heading, heading, sizeof heading);
}

/* Who sleeps keeps its bits. */
static void stay(struct collider *c)
{
    memcpy(c->goal, c->position, sizeof c->goal);
    memcpy(c->heading, c->rotation, sizeof c->heading);
}

/* Where it has turned to after a share of the step: with its spin evenly, and as often as it goes
 * round; to a command's heading as a chord goes. */
static void turned(const struct collider *c, float share, float dt, float q[4])
{
    if (spins(c) && share > 0) {
        turn(c->rotation, c->spin, (double)share * (double)dt, q);
        return;
    }
    for (int k = 0; k < 4; ++k)
        q[k] = c->rotation[k] + share * (c->heading[k] - c->rotation[k]);
}

static void pose_of(const struct collider *c, float share, float dt, struct pose *pose)
{
    float q[4];
    for (int k = 0; k < 3; ++k)
        pose->position[k] = c->position[k] + share * (c->goal[k] - c->position[k]);
    turned(c, share, dt, q);
    collider_normalise(q);
    const float x = q[0], y = q[1], z = q[2], w = q[3];
    const float made[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
        2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(pose->rotation, made, sizeof made);
}

void collider_stands(const struct collider *c, struct pose *pose)
{
    pose_of(c, 0, 0, pose);
}

float collider_ball(const struct form *form)
{
    const struct collider_shape *s = form->shape;
    const piola_shape_stats *has = form->compiled ? &form->compiled->stats : NULL;
    float half[3];
    for (int k = 0; k < 3; ++k) {
        const float low = has ? fabsf(has->low[k]) : 0, high = has ? fabsf(has->high[k]) : 0;
        half[k] = !has ? s->size[k] : low > high ? low : high;
    }
    const float corner = sqrtf(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    switch (s->kind) {
    case PIOLA_SHAPE_SPHERE:
        return s->radius;
    case PIOLA_SHAPE_CAPSULE:
        return s->size[1] + s->radius;
    case PIOLA_SHAPE_BOX:
        return corner + s->radius;
    case PIOLA_SHAPE_HULL:
    case PIOLA_SHAPE_WALL:
        return corner;
    case PIOLA_SHAPE_MESH:
        return has && has->volume > 0 ? corner : INFINITY;
    default:
        return INFINITY;
    }
}

/* m, that it goes in the step; infinite for what turns, or gives way, too. */
static float way_of(const piola_world *w, uint32_t i)
{
    const struct pose *stands = &world_poses(w)[i];
    float way = rigid_is(w, i) ? INFINITY : 0;
    for (uint32_t s = 1; s <= w->desc.substeps && way < INFINITY; ++s) {
        const struct pose *from = stands + (size_t)(s - 1) * collider_end(w);
        const struct pose *to = from + collider_end(w);
        if (!same_bytes(stands->rotation, to->rotation, sizeof to->rotation))
            return INFINITY;
        way += collide_distance(from->position, to->position);
    }
    return way;
}

/* Other places of its way are off the first by that, and it may go by as much twice over: factors
 * are 2 at most. A thousandth more than what is rounded when a distance is asked for. */
static void plan_sieve(const piola_world *w, uint32_t i)
{
    const struct collider *c = &world_colliders(w)[i];
    const struct form form = world_form(w, c);
    const struct pose *stands = &world_poses(w)[i];
    struct collide_sieve *sieve = &world_sieves(w)[i / PK_LANES];
    const float way = way_of(w, i), size = collider_ball(&form) + c->shape.margin;
    const float room = way > 0 ? 3 * way + 10 * collide_tolerance((const float[3]){size, 0, 0}) : 0;
    const bool known = way < INFINITY;
    for (int k = 0; k < 3; ++k)
        sieve->centre[k][i % PK_LANES] = known ? stands->position[k] : 0;
    sieve->radius[i % PK_LANES] = known ? 1.001f * (size + room) : INFINITY;
}

void colliders_plan(piola_world *world)
{
    const uint32_t substeps = world->desc.substeps;
    if (!world->unchanged && world->dim[DIM_touches].capacity)
        memset(world_touching(world), 0, world->dim[DIM_particles].used * sizeof(uint32_t));
    for (uint32_t i = 0; i < collider_end(world); ++i) {
        struct collider *c = &world_colliders(world)[i];
        if (!(c->flags & COLLIDER_ALIVE))
            continue;
        if (solid_asleep(world, i))
            stay(c);
        else
            plan_end(c, world->desc.dt);
        collider_lag_plan(world, i);
        world_halted(world)[i] = 0;
        world_yields(world)[i] = 0;
        for (uint32_t s = 0; s <= substeps; ++s)
            pose_of(c, (float)s / (float)substeps, world->desc.dt,
                    &world_poses(world)[(size_t)s * collider_end(world) + i]);
        plan_sieve(world, i);
    }
}

void colliders_wait(piola_world *world)
{
    for (uint32_t i = 0; i < collider_end(world); ++i) {
        struct collider *c = &world_colliders(world)[i];
        const bool carried = (c->flags & (COLLIDER_GOES | COLLIDER_TURNS)) != 0;
        if (!(c->flags & COLLIDER_ALIVE) || world_halted(world)[i] == 0 ||
            (rigid_is(world, i) && !carried))
            continue;
        if (carried)
            collider_lag_hold(world, i);
        const float share = (float)(world_halted(world)[i] - 1) / (float)world->desc.substeps;
        for (int k = 0; k < 3; ++k)
            c->goal[k] = c->position[k] + share * (c->goal[k] - c->position[k]);
        turned(c, share, world->desc.dt, c->heading);
        /* What a spin made is one already: rounded again, its next pose would not be its last. */
        if (!spins(c))
            collider_normalise(c->heading);
    }
    collider_lags_end(world);
}

void colliders_arrive(piola_world *world)
{
    for (uint32_t i = 0; i < collider_end(world); ++i) {
        struct collider *c = &world_colliders(world)[i];
        if (!(c->flags & COLLIDER_ALIVE))
            continue;
        memcpy(c->position, c->goal, sizeof c->position);
        memcpy(c->rotation, c->heading, sizeof c->rotation);
        c->flags &= ~(uint32_t)(COLLIDER_GOES | COLLIDER_TURNS);
    }
}
