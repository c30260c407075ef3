/* rest.c - who sleeps, between steps: see rest.h. */
#include "world/rest.h"

#include <math.h>

void node_wake(const piola_world *world, uint32_t node)
{
    if (!rests_any(world))
        return;
    struct rest *rest = &world_rests(world)[node];
    rest->still = 0;
    rest->asleep = 0;
    if (node < world->desc.max_bodies)
        world_bodies(world)[node].flags &= ~(uint32_t)BODY_ASLEEP;
}

void world_wake(const piola_world *world)
{
    for (uint32_t i = 0; i < world->dim[DIM_rests].capacity; ++i)
        node_wake(world, i);
}

void world_wake_airborne(const piola_world *world)
{
    for (uint32_t i = 0; rests_any(world) && i < world->dim[DIM_airborne].used; ++i)
        if ((world_bodies(world)[i].flags & BODY_ALIVE) &&
            wind_blows(world, &world_bodies(world)[i]))
            node_wake(world, i);
}

/* What sets out at once moves by gravity alone in its first substep. */
float rest_margin(const piola_world *world)
{
    const float *g = world_clock(world)->gravity;
    const float dt = world->desc.dt / (float)world->desc.substeps;
    const float fall = sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * dt * dt;
    return 4 * world->desc.contact_thickness + 2 * fall;
}

struct pk_swept_box rest_box_of(const piola_world *world, uint32_t body, float dt)
{
    const struct body *b = &world_bodies(world)[body];
    const piola_asset *asset = body_asset(world, b);
    const uint32_t *particle = asset_particle_of_vertex(asset);
    const float margin = 0.5f * rest_margin(world);
    struct pk_swept_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t v = 0; v < asset->stats.vertices; ++v) {
        const struct pk_quad *p = &world_position(world)[b->first + particle[v]];
        const struct pk_quad *u = &world_velocity(world)[b->first + particle[v]];
        const float x[3] = {p->x, p->y, p->z};
        const float way[3] = {dt * u->x, dt * u->y, dt * u->z};
        for (int k = 0; k < 3; ++k) {
            const float low = (way[k] < 0 ? x[k] + way[k] : x[k]) - margin;
            const float high = (way[k] > 0 ? x[k] + way[k] : x[k]) + margin;
            box.low[k] = low < box.low[k] ? low : box.low[k];
            box.high[k] = high > box.high[k] ? high : box.high[k];
        }
    }
    return box;
}

void rest_vacate(const piola_world *world, uint32_t body)
{
    if (!rests_any(world))
        return;
    const struct pk_swept_box box = rest_box_of(world, body, 0);
    const bool slept = body_asleep(world, body);
    for (uint32_t i = 0; slept && i < world->desc.max_bodies; ++i)
        if (body_asleep(world, i) && boxes_overlap(&box, &world_rest_boxes(world)[i]))
            node_wake(world, i);
    for (uint32_t i = world->desc.max_bodies; slept && i < world->dim[DIM_rests].capacity; ++i)
        node_wake(world, i);
    world_rests(world)[body] = (struct rest){0, 0, 0, 0};
    world_rest_was(world)[body] = 0;
}

void rest_forget_solid(const piola_world *world, uint32_t slot)
{
    if (!rests_any(world))
        return;
    world_rests(world)[solid_node(world, slot)] = (struct rest){0, 0, 0, 0};
    world_rest_was(world)[solid_node(world, slot)] = 0;
}

void rests_recount(const piola_world *world)
{
    for (uint32_t i = 0; rests_any(world) && i < world->desc.max_bodies; ++i)
        if (body_asleep(world, i))
            world_rest_boxes(world)[i] = rest_box_of(world, i, 0);
    for (uint32_t i = 0; i < world->dim[DIM_rests].capacity; ++i)
        world_rest_was(world)[i] = node_asleep(world, i) ? REST_SLEPT : 0;
}

bool rest_apply_command(piola_world *world, const piola_command *command)
{
    const struct body *body = body_find(world, command->as.body_number.body);
    if (!body || !rests_any(world))
        return false;
    struct rest *rest = &world_rests(world)[body - world_bodies(world)];
    const float speed = command->as.body_number.value;
    rest->own = speed >= 0;
    rest->speed = speed >= 0 ? speed : 0;
    return true;
}

/* In the same order as bodies_valid: bodies may be trusted. */
bool rests_valid(const struct stored *stored, enum field field)
{
    const piola_world *world = stored->world;
    bool sane = stored->dim[DIM_rests].used == stored->dim[DIM_rests].capacity;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_rests].used; ++i) {
        const struct rest r = stored_rests(stored, i);
        sane = r.still >= 0 && r.still <= 1e9f && r.speed >= 0 && r.speed <= 1e9f && r.own <= 1 &&
               r.asleep <= (i >= world->desc.max_bodies);
    }
    return sane;
}
