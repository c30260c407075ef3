/* loads.c - forces on single vertices that stand until a command changes them.
 *
 * They are state, in newton by particle. What a substep makes of them: ispc/motion/integrate.ispc.
 */
#include "world/loads.h"

static void recount(piola_world *world)
{
    if (world->dim[DIM_loads].capacity)
        dimension_use(world, DIM_loads,
                      world->loaded_bodies > 0 ? world->dim[DIM_particles].used : 0);
}

void loads_clear(piola_world *world, struct body *body)
{
    if (world->dim[DIM_loads].capacity)
        memset(world_load(world) + body->first, 0, body->count * sizeof(struct pk_quad));
    world->loaded_bodies -= (body->flags & BODY_LOADED) != 0;
    body->flags &= ~(uint32_t)BODY_LOADED;
}

bool loads_apply_command(piola_world *world, struct body *body, const piola_command *command)
{
    const piola_asset *asset = body_asset(world, body);
    const uint32_t vertex = command->as.body_force.vertex;
    const bool all = vertex == PIOLA_EVERY_VERTEX;
    const float *f = command->as.body_force.force;
    const bool pulls = f[0] != 0 || f[1] != 0 || f[2] != 0;
    if (world->dim[DIM_loads].capacity == 0 || (!all && vertex >= asset->stats.vertices))
        return false;
    if (!pulls && (all || !(body->flags & BODY_LOADED))) {
        loads_clear(world, body);
        recount(world);
        return true;
    }
    const uint32_t first = all ? 0 : vertex;
    const uint32_t end = all ? asset->stats.vertices : first + 1;
    for (uint32_t v = first; v < end; ++v)
        world_load(world)[body->first + asset_particle_of_vertex(asset)[v]] =
            (struct pk_quad){f[0], f[1], f[2], 0};
    world->loaded_bodies += !(body->flags & BODY_LOADED);
    body->flags |= BODY_LOADED;
    recount(world);
    return true;
}

bool loads_valid(const struct stored *stored, enum field field)
{
    const uint64_t count = stored->dim[DIM_loads].used;
    bool loaded = false, sane = finite_floats(stored, field);
    for (uint32_t i = 0; i < stored->world->desc.max_bodies; ++i)
        loaded = loaded || (stored_bodies(stored, i).flags & BODY_LOADED) != 0;
    for (uint64_t i = 0; sane && i < count; ++i)
        sane = stored_load(stored, i).w == 0;
    return sane && count == (loaded ? stored->dim[DIM_particles].used : 0) &&
           (!loaded || stored->dim[DIM_loads].capacity > 0);
}
