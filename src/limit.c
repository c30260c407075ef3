/* limit.c - see limit.h. Which kernel does which run of packs; the mathematics is in
 * ispc/limits.ispc. */
#include "limit.h"

#include "schedule.h"

#include <string.h>

static struct multiplier_cell *multipliers_of(const piola_world *world, const struct body *body)
{
    const uint32_t index = (uint32_t)(body - world_bodies(world));
    return world_link_multipliers(world) + world_link_first(world)[index];
}

void limit_prepare(const struct step *step, const struct body *body)
{
    const uint32_t count = body_asset(step->world, body)->stats.link_packs;
    if (count > 0)
        memset(multipliers_of(step->world, body), 0, count * sizeof(struct multiplier_cell));
}

void limit_cluster(const struct step *step, const struct body *body, uint32_t cluster)
{
    const piola_world *w = step->world;
    const piola_asset *asset = body_asset(w, body);
    if (!limit_elements(asset))
        return;
    const bool descent = world_descends(&w->desc);
    struct pk_solve solve = solve_parameters(step, body);
    /* Descent knows no relaxation: piola_world_desc. */
    solve.relaxation = descent ? 1 : solve.relaxation;
    struct pk_quad *x = world_position(w) + body->first;
    struct pk_quad *target = descent ? world_target(w) + body->first : NULL;
    const struct asset_cluster *of = clusters_of(asset, false).cluster + cluster;
    if (of->link_count > 0)
        step->kernels->project_links(x, target, asset_link_packs(asset) + of->link_first,
                                     multipliers_of(w, body)[of->link_first].value, of->link_count,
                                     &solve);
}

void limit_whole(const struct step *step, const struct body *body)
{
    const piola_asset *asset = body_asset(step->world, body);
    for (uint32_t c = 0; limit_elements(asset) && c < asset->stats.clusters; ++c)
        limit_cluster(step, body, c);
    limit_tether(step, body, body->first, body->count);
}

void limit_tether(const struct step *step, const struct body *body, uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    const piola_asset *asset = body_asset(w, body);
    /* Only a pinned anchor holds anything. */
    if (!limit_tethers(asset) || body->pins == 0)
        return;
    step->kernels->hold_tethers(world_position(w) + body->first,
                                world_descends(&w->desc) ? world_target(w) + body->first : NULL,
                                asset_tether_first(asset), asset_tethers(asset),
                                (first - body->first) / PK_LANES, count / PK_LANES);
}

void limit_aim_again(const struct step *step, const struct body *body, uint32_t first,
                     uint32_t count)
{
    const piola_world *w = step->world;
    if (!world_descends(&w->desc) || !limit_any(body_asset(w, body)))
        return;
    const struct pk_motion motion = phase_motion(step, body, false);
    const bool second = phase_second_order(step, body);
    step->kernels->aim(world_start(w) + first, world_velocity(w) + first,
                       second ? world_older_position(w) + first : NULL,
                       second ? world_older_velocity(w) + first : NULL, world_target(w) + first,
                       count, &motion);
}
