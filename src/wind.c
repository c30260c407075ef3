/* wind.c - drag and lift of cloth: an explicit force that enters velocities before line 1.
 *
 * The force and why it is stable: ispc/wind.ispc. The velocity that counts is the one the substep
 * would reach without it, so that the fall of a sheet settles at its terminal velocity exactly.
 */
#include "wind.h"

#include "schedule.h"

#include <string.h>

static bool feels(struct body_air air)
{
    return air.drag > 0 || air.lift > 0;
}

bool wind_fits(const piola_world *world, const piola_asset *asset, struct body_air air)
{
    return world->dim[DIM_flyers].capacity == 0 || !feels(air) || asset->stats.triangles == 0 ||
           asset->at.triangle_packs.count > 0;
}

void wind_begin(piola_world *world)
{
    memcpy(world_weather(world)->wind, world->desc.wind, sizeof world->desc.wind);
    dimension_use(world, DIM_air, 1);
}

void wind_set(piola_world *world, uint32_t body, struct body_air air)
{
    if (world->dim[DIM_flyers].capacity > 0)
        world_body_air(world)[body] = air;
}

void wind_recount(piola_world *world)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < world->dim[DIM_flyers].capacity; ++i)
        if (feels(world_body_air(world)[i]))
            used = i + 1;
    dimension_use(world, DIM_flyers, used);
}

bool wind_turn(piola_world *world, const float wind[3])
{
    if (world->dim[DIM_air].capacity == 0)
        return false;
    for (int k = 0; k < 3; ++k)
        world_weather(world)->wind[k] = wind[k];
    return true;
}

bool wind_sane(const piola_world *world, const unsigned char *weather, const unsigned char *bodies,
               uint64_t count)
{
    struct weather w;
    if (world->dim[DIM_air].capacity == 0)
        return true;
    memcpy(&w, weather, sizeof w);
    bool sane = w.reserved == 0;
    for (int k = 0; k < 3; ++k)
        sane = sane && w.wind[k] - w.wind[k] == 0;
    for (uint64_t i = 0; i < count; ++i) {
        struct body_air air;
        memcpy(&air, bodies + i * sizeof air, sizeof air);
        sane = sane && air.drag - air.drag == 0 && air.lift - air.lift == 0 && air.drag >= 0 &&
               air.lift >= 0;
    }
    return sane;
}

bool wind_blows(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const size_t index = (size_t)(body - world_bodies(w));
    return w->dim[DIM_flyers].used > index && feels(world_body_air(w)[index]) &&
           body_asset(w, body)->at.triangle_packs.count > 0;
}

static struct pk_air air_around(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const struct body_air *felt = &world_body_air(w)[body - world_bodies(w)];
    const struct pk_motion motion = phase_motion(step, body, false);
    const float half = 0.5f * w->desc.air_density;
    struct pk_air air = {
        .dt = step->dt,
        .drag = half * felt->drag,
        .lift = half * felt->lift,
        /* What enters a velocity of BDF2 acts in the next substep too: 3/2 of it in all. */
        .share = phase_second_order(step, body) ? 2.0f / 3 : 1,
    };
    for (int k = 0; k < 3; ++k)
        air.relative[k] = step->dt * motion.acceleration[k] - world_weather(w)->wind[k];
    return air;
}

void wind_remember(const struct step *step, uint32_t first, uint32_t count)
{
    memcpy(world_target(step->world) + first, world_velocity(step->world) + first,
           count * sizeof(struct pk_quad));
}

void wind_cluster(const struct step *step, const struct body *body, uint32_t cluster)
{
    const piola_world *w = step->world;
    const piola_asset *asset = body_asset(w, body);
    const struct asset_cluster *of = clusters_of(asset, false).cluster + cluster;
    const uint32_t *materials = asset_triangle_pack_materials(asset);
    const uint32_t end = of->triangle_first + of->triangle_count;
    struct pk_air air = air_around(step, body);
    struct pk_wind_grid room;
    const struct pk_wind_grid *grid = wind_grid_around(w, &room);
    for (uint32_t at = of->triangle_first; at < end;) {
        uint32_t count = 1;
        while (at + count < end && materials[at + count] == materials[at])
            ++count;
        air.mass = asset_materials(asset)[materials[at]].density;
        step->kernels->wind(world_position(w) + body->first, world_target(w) + body->first,
                            world_velocity(w) + body->first, asset_triangle_packs(asset) + at,
                            count, &air, grid, world_wind_nodes(w));
        at += count;
    }
}
