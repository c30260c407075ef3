/* limit.c - see limit.h. Which kernel does which run of packs; the mathematics is in
 * ispc/limits.ispc. */
#include "limit.h"

#include "schedule.h"
#include "solve.h"

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

/* What the kernels move of a body: positions and, in descent, inertial targets. */
struct moving {
    struct pk_quad *x, *target;
};

static struct moving moving_of(const piola_world *w, const struct body *body)
{
    return (struct moving){world_position(w) + body->first,
                           world_descends(&w->desc) ? world_target(w) + body->first : NULL};
}

static void limit_links(const struct step *step, const struct body *body,
                        const struct asset_cluster *of)
{
    const piola_world *w = step->world;
    const struct moving at = moving_of(w, body);
    struct pk_solve solve = solve_parameters(step, body);
    /* Descent knows no relaxation: piola_world_desc. */
    solve.relaxation = world_descends(&w->desc) ? 1 : solve.relaxation;
    if (of->link_count > 0)
        step->kernels->project_links(
            at.x, at.target, asset_link_packs(body_asset(w, body)) + of->link_first,
            multipliers_of(w, body)[of->link_first].value, of->link_count, &solve);
}

static void limit_stretches(const struct step *step, const struct body *body,
                            const struct asset_cluster *of)
{
    const piola_asset *asset = body_asset(step->world, body);
    const struct moving at = moving_of(step->world, body);
    const uint32_t *materials = asset_triangle_pack_materials(asset);
    const uint32_t end = of->triangle_first + of->triangle_count;
    for (uint32_t i = of->triangle_first; i < end;) {
        const uint32_t count = solve_same_material(materials, i, end);
        const struct pk_material *material = asset_materials(asset) + materials[i];
        if (material->stretch_min > 0 || material->stretch_max > 0)
            step->kernels->limit_stretches(at.x, at.target, asset_triangle_packs(asset) + i, count,
                                           material);
        i += count;
    }
}

void limit_cluster(const struct step *step, const struct body *body, uint32_t cluster)
{
    const piola_asset *asset = body_asset(step->world, body);
    if (!limit_elements(asset))
        return;
    const struct asset_cluster *of = clusters_of(asset, false).cluster + cluster;
    if (asset->stats.limited_triangles > 0)
        limit_stretches(step, body, of);
    limit_links(step, body, of);
}

void limit_whole(const struct step *step, const struct body *body)
{
    const piola_asset *asset = body_asset(step->world, body);
    for (uint32_t c = 0; limit_elements(asset) && c < asset->stats.clusters; ++c)
        limit_cluster(step, body, c);
}

void limit_tether(const struct step *step, const struct body *body, uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    const piola_asset *asset = body_asset(w, body);
    /* Only a pinned anchor holds anything. */
    if (!limit_tethers(asset) || body->pins == 0)
        return;
    const struct moving at = moving_of(w, body);
    step->kernels->hold_tethers(at.x, at.target, asset_tether_first(asset), asset_tethers(asset),
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
