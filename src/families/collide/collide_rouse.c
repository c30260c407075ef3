/* collide_rouse.c - which bodies a collider may come near: whom it wakes. See world/rest.h. */
#include "families/collide/collide_block.h"
#include "world/rest.h"

bool collide_approaches(const piola_world *w, const struct collide_moving *m,
                        const struct body *body, float dt)
{
    const float margin = rest_margin(w);
    if (!collide_meets(w, m->collider, body))
        return false;
    for (uint32_t at = 0; at < body->count; at += TOUCH_BLOCK) {
        const uint32_t left = body->count - at, n = left < TOUCH_BLOCK ? left : TOUCH_BLOCK;
        const struct pk_quad *x = &world_position(w)[body->first + at];
        const struct pk_quad *v = &world_velocity(w)[body->first + at];
        struct pk_quad goal[TOUCH_BLOCK];
        for (uint32_t i = 0; i < n; ++i)
            goal[i] = (struct pk_quad){x[i].x + dt * v[i].x, x[i].y + dt * v[i].y,
                                       x[i].z + dt * v[i].z, x[i].w};
        struct collide_block block = collide_block_of(x, goal, n);
        block.radius += margin;
        if (block.any && collide_near(m, &block, 2, NULL))
            return true;
    }
    return false;
}

void collide_rouse(const piola_world *w, uint32_t slot)
{
    struct pose stands;
    const struct collider *c = &world_colliders(w)[slot];
    const struct collide_moving m = {c, &stands, &stands, world_form(w, c)};
    if (!rests_any(w) || (c->flags & (COLLIDER_ALIVE | COLLIDER_SENSOR)) != COLLIDER_ALIVE)
        return;
    collider_stands(c, &stands);
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        if (body_asleep(w, b) && collide_approaches(w, &m, &world_bodies(w)[b], 0))
            node_wake(w, b);
    for (uint32_t i = 0; i < collider_end(w); ++i)
        solid_wake(w, i);
}
