/* collider_lag.c - colliders that surfaces have held up catch up at a bounded speed, as pins do.
 *
 * Who presses on what does not give way waits (surface_outside.c), and commands go on: the longer
 * its way, the more is near it, and the less of that can make room. So from then on it feels its
 * way: a step takes it at most twice as far as the last one did, and the thickness more, and at
 * most as much farther than commands have moved its goal as catch_up_speed allows.
 */
#include "families/rigid/rigid.h"

#include "families/collide/collide_block.h"

#include <math.h>

/* m, that the farthest place of it goes. */
static float way_to(const piola_world *w, uint32_t slot, const float at[3], const float turn[4],
                    const float goal[3], const float heading[4])
{
    const struct form form = world_form(w, &world_colliders(w)[slot]);
    const float ball = collider_ball(&form);
    float plus = 0, minus = 0;
    for (int k = 0; k < 4; ++k) {
        plus += (turn[k] + heading[k]) * (turn[k] + heading[k]);
        minus += (turn[k] - heading[k]) * (turn[k] - heading[k]);
    }
    const float angle = 2 * sqrtf(plus < minus ? plus : minus);
    return collide_distance(at, goal) + (ball < INFINITY ? ball * angle : 0);
}

static struct collider_lag *lag_of(const piola_world *w, uint32_t slot)
{
    return &world_collider_lags(w)[slot];
}

static bool lags(const piola_world *w, uint32_t slot)
{
    return slot < w->dim[DIM_collider_lags].used && lag_of(w, slot)->late;
}

static void want(struct collider_lag *lag, const struct collider *c)
{
    memcpy(lag->goal, c->goal, sizeof lag->goal);
    memcpy(lag->heading, c->heading, sizeof lag->heading);
}

void collider_lag_plan(piola_world *world, uint32_t slot)
{
    struct collider *c = &world_colliders(world)[slot];
    if (!lags(world, slot))
        return;
    struct collider_lag *lag = lag_of(world, slot);
    if (!(c->flags & (COLLIDER_GOES | COLLIDER_TURNS))) { /* it is wanted nowhere now */
        *lag = (struct collider_lag){.late = 0};
        return;
    }
    const float way = way_to(world, slot, c->position, c->rotation, c->goal, c->heading);
    const float moved = way_to(world, slot, lag->goal, lag->heading, c->goal, c->heading);
    const float most = moved + world->desc.catch_up_speed * world->desc.dt;
    const float next = 2 * lag->pace + world->desc.contact_thickness;
    const float reach = next < most ? next : most;
    want(lag, c);
    if (!(way > reach))
        return;
    for (int k = 0; k < 3; ++k)
        c->goal[k] = c->position[k] + reach / way * (c->goal[k] - c->position[k]);
    for (int k = 0; k < 4; ++k)
        c->heading[k] = c->rotation[k] + reach / way * (c->heading[k] - c->rotation[k]);
    collider_normalise(c->heading);
}

void collider_lag_hold(piola_world *world, uint32_t slot)
{
    if (world->dim[DIM_collider_lags].capacity == 0 || lags(world, slot))
        return;
    want(lag_of(world, slot), &world_colliders(world)[slot]);
    lag_of(world, slot)->late = 1;
    if (world->dim[DIM_collider_lags].used <= slot)
        dimension_use(world, DIM_collider_lags, slot + UINT64_C(1));
}

void collider_lags_end(piola_world *world)
{
    for (uint32_t i = 0; i < world->dim[DIM_collider_lags].used; ++i) {
        const struct collider *c = &world_colliders(world)[i];
        struct collider_lag *lag = lag_of(world, i);
        if (!lag->late)
            continue;
        lag->pace = way_to(world, i, c->position, c->rotation, c->goal, c->heading);
        if (same_bytes(lag->goal, c->goal, sizeof lag->goal) &&
            same_bytes(lag->heading, c->heading, sizeof lag->heading))
            *lag = (struct collider_lag){.late = 0};
    }
    collider_lags_recount(world);
}

float collider_behind(const piola_world *world, uint32_t slot)
{
    const struct collider *c = &world_colliders(world)[slot];
    if (!lags(world, slot))
        return 0;
    const struct collider_lag *lag = lag_of(world, slot);
    return way_to(world, slot, c->position, c->rotation, lag->goal, lag->heading);
}

void collider_lags_recount(piola_world *world)
{
    uint64_t used = world->dim[DIM_collider_lags].capacity;
    while (used > 0 && !lag_of(world, (uint32_t)used - 1)->late)
        --used;
    dimension_use(world, DIM_collider_lags, used);
}

/* Those of no collider are empty. */
bool collider_lags_valid(const struct stored *stored, enum field field)
{
    static const struct collider_lag none;
    bool sane = true;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_collider_lags].used; ++i) {
        const struct collider_lag lag = stored_collider_lags(stored, i);
        const bool alive = i < stored->dim[DIM_colliders].used &&
                           (stored_colliders(stored, i).flags & COLLIDER_ALIVE);
        sane = lag.late == 1 ? alive && lag.pace >= 0 && lag.pace <= 4 * COLLIDER_FARTHEST
                             : same_bytes(&lag, &none, sizeof lag);
        for (int k = 0; k < 3; ++k)
            sane = sane && fabsf(lag.goal[k]) <= COLLIDER_FARTHEST;
        for (int k = 0; k < 4; ++k)
            sane = sane && fabsf(lag.heading[k]) <= 2;
    }
    return sane;
}
