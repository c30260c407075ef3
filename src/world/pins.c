/* pins.c - see pins.h. */
#include "world/pins.h"

#include "base/exact_rotation.h"
#include "base/rigid_fit.h"

/* Between steps w of a target is 1 where there is one; within a step more: by how far commands
 * moved it (m), then by how far away it was. */
#define AHEAD 1.0f

/* Of the turn that is sought, for what pins on a line leave open. */
#define LEAST_TURN 1e-3

static bool late(const piola_world *world, const struct body *body)
{
    return world->dim[DIM_pin_targets].capacity > 0 && (body->flags & BODY_LATE);
}

static float distance(const struct pk_quad *a, const struct pk_quad *b)
{
    const float d[3] = {a->x - b->x, a->y - b->y, a->z - b->z};
    return sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Velocity that carries a pinned particle to a place by the end of the step. */
static void send(const piola_world *world, uint32_t particle, const float to[3])
{
    const struct pk_quad *x = &world_position(world)[particle];
    const float dt = world->desc.dt;
    world_velocity(world)[particle] =
        (struct pk_quad){(to[0] - x->x) / dt, (to[1] - x->y) / dt, (to[2] - x->z) / dt, 0};
}

void pins_hold(piola_world *world, struct body *body, uint32_t local, const float target[3])
{
    const uint32_t particle = body->first + local;
    struct pk_quad *x = &world_position(world)[particle];
    body->pins += x->w != 0;
    x->w = 0;
    send(world, particle, target);
    if (world->dim[DIM_pin_targets].capacity == 0)
        return;
    struct pk_quad *t = &world_pin_targets(world)[particle], before = t->w > 0 ? *t : *x;
    const float moved = (t->w > 0 ? t->w : AHEAD) - AHEAD;
    *t = (struct pk_quad){target[0], target[1], target[2], 0};
    t->w = AHEAD + moved + distance(t, &before);
    body->flags |= BODY_SENT;
}

void pins_pace(const piola_world *world, float share)
{
    for (uint32_t b = 0; b < world->desc.max_bodies; ++b) {
        const struct body *body = &world_bodies(world)[b];
        for (uint32_t i = body->first; body->pins > 0 && i < body->first + body->count; ++i) {
            struct pk_quad *v = &world_velocity(world)[i];
            if (world_position(world)[i].w == 0)
                *v = (struct pk_quad){share * v->x, share * v->y, share * v->z, 0};
        }
    }
}

void pins_release(piola_world *world, struct body *body, uint32_t local)
{
    struct pk_quad *x = &world_position(world)[body->first + local];
    if (x->w != 0)
        return;
    --body->pins;
    /* The velocity of a pin is the way to its target, not a motion. */
    world_velocity(world)[body->first + local] = (struct pk_quad){0, 0, 0, 0};
    x->w = asset_rest(body_asset(world, body))[local].w;
    if (world->dim[DIM_pin_targets].capacity > 0)
        world_pin_targets(world)[body->first + local] = (struct pk_quad){0, 0, 0, 0};
}

/* All pins of a body that have targets, as one: their centres now and then, how far the farthest
 * has to go, and how far it may. */
struct gang {
    double from[3], to[3];
    uint32_t count;
    float farthest, reach;
};

static struct gang gang_of(const piola_world *world, const struct body *body)
{
    struct gang g = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0};
    for (uint32_t i = body->first; i < body->first + body->count; ++i) {
        const struct pk_quad *t = &world_pin_targets(world)[i], *x = &world_position(world)[i];
        if (!(t->w > 0))
            continue;
        const double at[3] = {(double)x->x, (double)x->y, (double)x->z};
        const double to[3] = {(double)t->x, (double)t->y, (double)t->z};
        const float away = distance(t, x), moved = t->w - AHEAD;
        ++g.count;
        for (int k = 0; k < 3; ++k) {
            g.from[k] += at[k];
            g.to[k] += to[k];
        }
        g.farthest = away > g.farthest ? away : g.farthest;
        g.reach = moved > g.reach ? moved : g.reach;
    }
    for (int k = 0; k < 3; ++k) {
        g.from[k] /= g.count > 0 ? g.count : 1;
        g.to[k] /= g.count > 0 ? g.count : 1;
    }
    /* Who was held up feels its way: what is in front gives way little by little. */
    const float most = g.reach + world->desc.catch_up_speed * world->desc.dt;
    const float next = 2 * body->pace + world->desc.contact_thickness;
    g.reach = next < most ? next : most;
    return g;
}

/* A particle and its target, from the centres. */
static void arms(const piola_world *world, const struct gang *g, uint32_t i, double from[3],
                 double to[3])
{
    const struct pk_quad *t = &world_pin_targets(world)[i], *x = &world_position(world)[i];
    from[0] = (double)x->x - g->from[0];
    from[1] = (double)x->y - g->from[1];
    from[2] = (double)x->z - g->from[2];
    to[0] = (double)t->x - g->to[0];
    to[1] = (double)t->y - g->to[1];
    to[2] = (double)t->z - g->to[2];
}

static void turn(const double q[4], const double v[3], double out[3])
{
    double t[3];
    for (int k = 0; k < 3; ++k) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        t[k] = 2 * (q[a] * v[b] - q[b] * v[a]);
    }
    for (int k = 0; k < 3; ++k) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        out[k] = v[k] + q[3] * t[k] + (q[a] * t[b] - q[b] * t[a]);
    }
}

/* The turn from where they are to where they are to be, as a vector. */
static void find_turn(const piola_world *world, const struct body *body, const struct gang *g,
                      double q[4], double vector[3])
{
    double sum[3][3] = {{0}}, size = 0, from[3], to[3];
    for (uint32_t i = body->first; i < body->first + body->count; ++i) {
        if (!(world_pin_targets(world)[i].w > 0))
            continue;
        arms(world, g, i, from, to);
        rigid_fit_add(sum, from, to);
        for (int k = 0; k < 3; ++k)
            size += 0.5 * (from[k] * from[k] + to[k] * to[k]);
    }
    for (int k = 0; k < 3; ++k)
        sum[k][k] += LEAST_TURN * size;
    rigid_fit((const double(*)[3])sum, q);
    rotation_unit(q);
    rotation_vector(q, vector);
}

/* All go one part of the way: their centre, the turn, and by what they change their shape. */
static void send_part(const piola_world *world, const struct body *body, const struct gang *g)
{
    const double part = (double)g->reach / (double)g->farthest;
    double q[4], half[4], back[4], vector[3], from[3], to[3], at[3], way[3];
    find_turn(world, body, g, q, vector);
    for (int k = 0; k < 3; ++k) {
        back[k] = -q[k];
        way[k] = part * vector[k];
    }
    back[3] = q[3];
    rotation_of(way, half);
    for (uint32_t i = body->first; i < body->first + body->count; ++i) {
        float place[3];
        if (!(world_pin_targets(world)[i].w > 0))
            continue;
        arms(world, g, i, from, to);
        turn(back, to, at);
        for (int k = 0; k < 3; ++k)
            from[k] += part * (at[k] - from[k]);
        turn(half, from, at);
        for (int k = 0; k < 3; ++k)
            place[k] = (float)(g->from[k] + part * (g->to[k] - g->from[k]) + at[k]);
        send(world, i, place);
    }
}

static void plan(piola_world *world, struct body *body)
{
    const struct gang g = gang_of(world, body);
    const bool all = !(g.farthest > g.reach);
    for (uint32_t i = body->first; i < body->first + body->count; ++i) {
        struct pk_quad *t = &world_pin_targets(world)[i];
        if (t->w > 0 && all)
            send(world, i, (const float[3]){t->x, t->y, t->z});
        if (t->w > 0)
            t->w = AHEAD + distance(t, &world_position(world)[i]);
    }
    if (!all)
        send_part(world, body, &g);
}

void pins_plan(piola_world *world)
{
    for (uint32_t b = 0; b < world->desc.max_bodies; ++b)
        if (late(world, &world_bodies(world)[b]))
            plan(world, &world_bodies(world)[b]);
}

void pins_wait(struct body *body)
{
    body->flags |= BODY_LATE;
}

/* Nearer than this (m) a pin is at its target: places are rounded. */
static bool arrived(const struct pk_quad *t, const struct pk_quad *x)
{
    const float size = fabsf(t->x) + fabsf(t->y) + fabsf(t->z);
    return distance(t, x) <= 4e-7f * size + 1e-12f;
}

static bool arrive(const piola_world *world, struct body *body)
{
    bool any = false;
    float pace = 0;
    for (uint32_t i = body->first; i < body->first + body->count; ++i) {
        struct pk_quad *t = &world_pin_targets(world)[i];
        const struct pk_quad *x = &world_position(world)[i];
        if (!(t->w > 0))
            continue;
        const float nearer = t->w - AHEAD - distance(t, x);
        pace = nearer > pace ? nearer : pace;
        if ((body->flags & BODY_LATE) && !arrived(t, x)) {
            t->w = AHEAD;
            any = true;
        } else {
            *t = (struct pk_quad){0, 0, 0, 0};
        }
    }
    body->pace = any ? pace : 0;
    return any;
}

void pins_arrive(piola_world *world)
{
    uint32_t behind = 0;
    if (world->dim[DIM_pin_targets].capacity == 0)
        return;
    for (uint32_t b = 0; b < world->desc.max_bodies; ++b) {
        struct body *body = &world_bodies(world)[b];
        if (!(body->flags & (BODY_SENT | BODY_LATE)))
            continue;
        const bool any = arrive(world, body);
        body->flags &= ~(uint32_t)(BODY_SENT | BODY_LATE);
        body->flags |= any ? BODY_LATE : 0;
        behind += any;
    }
    world->late_bodies = behind;
    dimension_use(world, DIM_pin_targets, behind > 0 ? world->dim[DIM_particles].used : 0);
}

float pins_behind(const piola_world *world, const struct body *body)
{
    float most = 0;
    for (uint32_t i = body->first; i < body->first + body->count && late(world, body); ++i) {
        const struct pk_quad *t = &world_pin_targets(world)[i];
        const float away = t->w > 0 ? distance(t, &world_position(world)[i]) : 0;
        most = away > most ? away : most;
    }
    return most;
}

void pins_clear(piola_world *world, struct body *body)
{
    if (world->dim[DIM_pin_targets].capacity > 0)
        memset(world_pin_targets(world) + body->first, 0, body->count * sizeof(struct pk_quad));
    world->late_bodies -= (body->flags & BODY_LATE) != 0;
    body->flags &= ~(uint32_t)(BODY_SENT | BODY_LATE);
    body->pace = 0;
}

/* Only pins of bodies that are late have targets between steps. */
bool pin_targets_valid(const struct stored *stored, enum field field)
{
    const uint64_t count = stored->dim[DIM_pin_targets].used;
    bool any = false, sane = finite_floats(stored, field);
    for (uint32_t b = 0; b < stored->world->desc.max_bodies; ++b) {
        const struct body body = stored_bodies(stored, b);
        const bool is_late = (body.flags & BODY_LATE) != 0;
        any = any || is_late;
        for (uint64_t i = body.first; sane && count > 0 && i < body.first + (uint64_t)body.count;
             ++i) {
            const float w = stored_pin_targets(stored, i).w;
            sane = w == 0 || (w == AHEAD && is_late && stored_position(stored, i).w == 0);
        }
    }
    return sane && count == (any ? stored->dim[DIM_particles].used : 0) &&
           (!any || stored->dim[DIM_pin_targets].capacity > 0);
}
