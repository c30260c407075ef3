/* collide_block.h - particles in blocks of 64, and which colliders are out of a block's reach.
 *
 * Particles of a block lie together in space (an asset orders them along a curve), so most blocks
 * are far from everything and cost a look at a ball around each collider, or a distance.
 */
#ifndef PIOLA_COLLIDE_BLOCK_H
#define PIOLA_COLLIDE_BLOCK_H

#include "families/collide/collide.h"

#include <math.h>

#define TOUCH_BLOCK 64u
/* Places of a block whose distance from a collider is kept. */
#define TOUCH_PLACES 8u
/* A collider over one substep. */
struct collide_moving {
    const struct collider *collider;
    const struct pose *from, *to;
    struct form form;
};

static inline struct collide_moving collide_moving_of(const piola_world *world, uint32_t collider,
                                                      uint32_t substep)
{
    const struct pose *poses = world_poses(world) + (size_t)substep * collider_end(world);
    const struct collider *c = world_colliders(world) + collider;
    return (struct collide_moving){c, poses + collider, poses + collider_end(world) + collider,
                                   world_form(world, c)};
}

/* Distances of places near each other from one collider, without its margin: a distance changes by
 * no more than the way between two places, so one that is known tells that its neighbours are far.
 */
struct collide_places {
    float at[TOUCH_PLACES][3], distance[TOUCH_PLACES]; /* in the collider's frame */
    uint32_t count, next;
};

/* Shapes that are dear to ask, and whose distance is one: that of a grid may rise otherwise. */
static inline bool collide_dear(const struct form *form)
{
    return form->compiled && form->shape->kind != PIOLA_SHAPE_DISTANCES;
}

static inline void collide_keep_place(struct collide_places *places, const float at[3],
                                      float distance)
{
    const uint32_t slot = places->next;
    for (int k = 0; k < 3; ++k)
        places->at[slot][k] = at[k];
    places->distance[slot] = distance;
    places->next = slot + 1 < TOUCH_PLACES ? slot + 1 : 1; /* the first is the block's middle */
    places->count += places->count < TOUCH_PLACES;
}

static inline bool collide_meets(const piola_world *world, const struct collider *c,
                                 const struct body *body)
{
    return (c->flags & (COLLIDER_ALIVE | COLLIDER_SENSOR)) == COLLIDER_ALIVE &&
           filters_meet(solid_filter(world, c), body_filter(world, body));
}

/* Some particles: their middle, how far from it they begin, and the longest way to where they go.
 */
struct collide_block {
    float centre[3], radius, reach;
    bool any;
};

static inline float collide_distance(const float a[3], const float b[3])
{
    const float d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Of `count` particles: those that `which` lists, or where it is null the first ones, but not those
 * without mass, which are dummies, or pinned and go where they are told. */
static inline struct collide_block collide_block_among(const struct pk_quad *start,
                                                       const struct pk_quad *end,
                                                       const uint32_t *which, uint32_t count)
{
    struct collide_block b = {{0, 0, 0}, 0, 0, false};
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t p = which ? which[i] : i;
        float at[3], to[3];
        quad_read(&start[p], at);
        quad_read(&end[p], to);
        if (!which && !(start[p].w > 0))
            continue;
        b.any = true;
        for (int k = 0; k < 3; ++k) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
        const float way = collide_distance(to, at);
        b.reach = way > b.reach ? way : b.reach;
    }
    for (int k = 0; k < 3; ++k)
        b.centre[k] = 0.5f * (low[k] + high[k]);
    b.radius = b.any ? collide_distance(high, b.centre) : 0;
    return b;
}

static inline struct collide_block collide_block_of(const struct pk_quad *start,
                                                    const struct pk_quad *end, uint32_t count)
{
    return collide_block_among(start, end, NULL, count);
}

/* Which of sixteen colliders collide_near must be asked about: of the others it would say no. */
static inline uint32_t collide_candidates(const piola_world *w, uint32_t sixteen,
                                          const struct collide_block *b, float factor)
{
    const struct collide_sieve *s = &world_sieves(w)[sixteen];
    const float reach = 1.001f * (b->radius + factor * b->reach);
    const uint32_t left = collider_end(w) - sixteen * PK_LANES;
    uint32_t near = 0;
    for (uint32_t i = 0; i < PK_LANES; ++i) {
        const float x = s->centre[0][i] - b->centre[0], y = s->centre[1][i] - b->centre[1];
        const float z = s->centre[2][i] - b->centre[2], most = reach + s->radius[i];
        near |= (uint32_t) !(x * x + y * y + z * z > most * most) << i;
    }
    return left < PK_LANES ? near & ((1u << left) - 1) : near;
}

/* collide_rouse.c: true when the collider may come near some of the body's particles while these go
 * on for dt (s). */
bool collide_approaches(const piola_world *world, const struct collide_moving *moving,
                        const struct body *body, float dt);

/* collide_limit.c: moves x out of the shape; a is where the way to x begins, in its frame. */
void collide_out(const struct collide_moving *m, float dt, const float a[3], float x[3]);

static inline void collide_narrow(struct collide_span *span, const float known[3], float distance,
                                  const float at[3])
{
    const float way = collide_distance(known, at);
    const float about = way > 0 ? 1.0001f * way + collide_tolerance(at) : 0;
    const float least = distance - about, most = fabsf(distance) + about;
    span->least = least > span->least ? least : span->least;
    span->most = most < span->most ? most : span->most;
}

/* By what was asked of the particle before, and of others of its block. Both may be null. */
static inline struct collide_span collide_span_at(const struct collide_seen *seen,
                                                  uint32_t collider,
                                                  const struct collide_places *places,
                                                  const float at[3])
{
    struct collide_span span = COLLIDE_ANYWHERE;
    const uint32_t slot = collider % PK_TOUCHES;
    if (seen && seen->of[slot].collider == collider + 1)
        collide_narrow(&span, seen->of[slot].at, seen->of[slot].distance, at);
    for (uint32_t i = 0; places && i < places->count; ++i)
        collide_narrow(&span, places->at[i], places->distance[i], at);
    return span;
}

static inline void collide_see(struct collide_seen *seen, uint32_t collider, const float at[3],
                               float distance)
{
    const uint32_t slot = collider % PK_TOUCHES;
    for (int k = 0; k < 3; ++k)
        seen->of[slot].at[k] = at[k];
    seen->of[slot].distance = distance;
    seen->of[slot].collider = collider + 1;
}

/* By how much (m) the collider's own motion moves places in its frame, that are within `radius` of
 * one which it takes from `from` to `to`: those as it does, and by the difference of its turns. */
static inline float collide_own_way(const struct collide_moving *m, const float from[3],
                                    const float to[3], float radius)
{
    float square = 0;
    for (int k = 0; k < 9; ++k) {
        const float d = m->to->rotation[k] - m->from->rotation[k];
        square += d * d;
    }
    const float turn = square < 4 ? sqrtf(square) : 2;
    return collide_distance(from, to) + 1.001f * turn * radius + 4 * collide_tolerance(from);
}

/* False when none of the block's particles can come near; the collider's own motion counts.
 * `places` may be null. */
static inline bool collide_near(const struct collide_moving *m, const struct collide_block *b,
                                float factor, struct collide_places *places)
{
    float from[3], to[3];
    pose_in(m->from, b->centre, from);
    const float distance = shape_distance(&m->form, from, NULL);
    const float away = distance - m->collider->shape.margin;
    if (places)
        *places = (struct collide_places){.count = 0};
    if (places && collide_dear(&m->form))
        collide_keep_place(places, from, distance);
    float own = 0;
    if (!same_bytes(m->from, m->to, sizeof *m->from)) {
        pose_in(m->to, b->centre, to);
        own = collide_own_way(m, from, to, b->radius);
    }
    /* A broken number is near: it must not hide. */
    return !(away > b->radius * 1.0001f + factor * (b->reach + own));
}

/* A way through the colliders, in rising order, that particles of a body, a block, may meet. */
struct collide_round {
    const piola_world *world;
    const struct body *body;
    const struct collide_block *block;
    float factor;
    uint32_t substep, sixteens, near; /* those looked at, and what is left of the last */
    uint32_t collider;                /* this one */
    struct collide_moving moving;
    struct collide_places places; /* in its frame when the substep begins */
};

static inline struct collide_round collide_round_of(const piola_world *world,
                                                    const struct body *body, uint32_t substep,
                                                    const struct collide_block *block, float factor)
{
    return (struct collide_round){
        .world = world, .body = body, .block = block, .factor = factor, .substep = substep};
}

static inline bool collide_next(struct collide_round *r)
{
    for (;;) {
        while (r->near == 0) {
            if (!r->block->any || r->sixteens * PK_LANES >= collider_end(r->world))
                return false;
            r->near = collide_candidates(r->world, r->sixteens++, r->block, r->factor);
        }
        r->collider = (r->sixteens - 1) * PK_LANES + (uint32_t)__builtin_ctz(r->near);
        r->near &= r->near - 1;
        r->moving = collide_moving_of(r->world, r->collider, r->substep);
        if (collide_meets(r->world, r->moving.collider, r->body) &&
            collide_near(&r->moving, r->block, r->factor, &r->places))
            return true;
    }
}

#endif
