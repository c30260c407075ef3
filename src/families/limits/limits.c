/* limits.c - hard limits of a body: stretches of triangles, links between two particles, tethers
 * from a particle to pinned ones. Which kernel does which run of packs; the mathematics is in
 * ispc/limits/limits.ispc.
 *
 * Limits are projections, for every solver alike: x moves by inverse mass times gradient times
 * multiplier, as in XPBD. In descent the inertial target moves by the same way: the multiplier is
 * an impulse, and without it the next sweep would pull the particle back to where no limit held it.
 * Before the velocities the targets are put back, since velocities count from them.
 */

#include "families/limits/limits.h"

#include "kernels/kernels_limits.h"
#include "motion/solve.h"

#include <string.h>

/* What limits the bodies that exist have. */
enum limits_found { LIMITED = 1, TETHERED = 2, LEVELLED = 4 };

static struct multiplier_cell *multipliers_of(const piola_world *world, const struct body *body)
{
    const uint32_t index = (uint32_t)(body - world_bodies(world));
    return world_link_multipliers(world) + world_link_first(world)[index];
}

void each_limits_prepare(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const struct body *body = step_body(step, index);
    const uint32_t count = body_asset(step->world, body)->stats.link_packs;
    world_link_tied(step->world)[index] = 0;
    if (count > 0)
        memset(multipliers_of(step->world, body), 0, count * sizeof(struct multiplier_cell));
}

/* What the kernels move of a body: positions and, in descent, inertial targets. */
static struct pk_limit_job limit_job(const piola_world *w, const struct body *body)
{
    return (struct pk_limit_job){
        .x = world_position(w) + body->first,
        .target = world_descends(&w->desc) ? world_target(w) + body->first : NULL,
    };
}

static void limits_links(const struct step *step, const struct body *body,
                         const struct asset_cluster *of)
{
    const piola_world *w = step->world;
    struct pk_limit_job job = limit_job(w, body);
    struct pk_solve solve = solve_parameters(step, body);
    /* Descent knows no relaxation: piola_world_desc. */
    solve.relaxation = world_descends(&w->desc) ? 1 : solve.relaxation;
    if (of->packs[KIND_LINK].count == 0 || link_level_tied(w, body))
        return;
    const piola_asset *asset = body_asset(w, body);
    job.links = asset_link_packs(asset) + of->packs[KIND_LINK].first;
    job.start = world_start(w) + body->first;
    if (asset->at.link_damping.count > 0)
        job.damping = asset_link_damping(asset) + (size_t)PK_LANES * of->packs[KIND_LINK].first;
    job.multipliers = multipliers_of(w, body)[of->packs[KIND_LINK].first].value;
    job.solve = &solve;
    job.count = of->packs[KIND_LINK].count;
    step->kernels->project_links(&job);
}

static void limits_stretches(const struct step *step, const struct body *body,
                             const struct asset_cluster *of)
{
    const piola_asset *asset = body_asset(step->world, body);
    struct pk_limit_job job = limit_job(step->world, body);
    const uint32_t *materials = asset_triangle_pack_materials(asset);
    const uint32_t end = of->packs[KIND_TRIANGLE].first + of->packs[KIND_TRIANGLE].count;
    for (uint32_t i = of->packs[KIND_TRIANGLE].first; i < end; i += job.count) {
        job.triangles = asset_triangle_packs(asset) + i;
        job.material = asset_materials(asset) + materials[i];
        job.count = solve_same_material(materials, i, end);
        if (job.material->stretch_min > 0 || job.material->stretch_max > 0)
            step->kernels->limits_stretches(&job);
    }
}

static void limits_cluster(const struct step *step, const struct body *body, uint32_t cluster)
{
    const piola_asset *asset = body_asset(step->world, body);
    if (!limits_elements(asset))
        return;
    const struct asset_cluster *of = clusters_of(asset, false).cluster + cluster;
    if (asset->stats.limited_triangles > 0)
        limits_stretches(step, body, of);
    limits_links(step, body, of);
}

void each_limits(const struct step *step, uint32_t argument, uint32_t part)
{
    (void)argument;
    const struct run *run = &world_parts(step->world)[part];
    const struct body *body = run_body(step, run);
    if (body && limits_elements(body_asset(step->world, body)))
        limits_cluster(step, body, run->cluster);
}

void each_link_settle(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    if (!body_frozen(step_body(step, index)))
        link_level_settle(step, step_body(step, index));
}

void each_tethers(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct piece p = piece_of(step, chunk);
    const piola_asset *asset = body_asset(w, p.body);
    /* Only a pinned anchor holds anything. */
    if (!p.moves || !limits_tethers(asset) || p.body->pins == 0)
        return;
    struct pk_limit_job job = limit_job(w, p.body);
    job.tethers = asset_tethers(asset);
    job.tether_first = asset_tether_first(asset);
    job.first = (p.first - p.body->first) / PK_LANES;
    job.count = p.count / PK_LANES;
    step->kernels->hold_tethers(&job);
}

/* Targets as they were predicted. */
void each_limits_aim(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (p.moves && limits_any(body_asset(step->world, p.body)))
        phase_aim(step, p.body, p.first, p.count);
}

/* Where each body's multipliers of links begin, and what there is of limits at all. */
static void list(piola_world *world)
{
    const struct body *bodies = world_bodies(world);
    uint32_t links = 0;
    uint32_t found = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        world_link_first(world)[i] = links;
        if (!(bodies[i].flags & BODY_ALIVE))
            continue;
        const piola_asset *asset = body_asset(world, &bodies[i]);
        links += asset->stats.link_packs;
        found |= limits_elements(asset) ? LIMITED : 0u;
        found |= limits_tethers(asset) ? TETHERED : 0u;
        found |= link_level_has(world, &bodies[i]) ? LEVELLED : 0u;
    }
    *world_limits_found(world) = found;
}

/* Multipliers of links are scratch, but there must be room for those of all bodies. */
static bool valid(const struct stored *stored)
{
    uint64_t links = 0;
    for (uint32_t i = 0; i < stored->world->desc.max_bodies; ++i) {
        const struct body b = stored_bodies(stored, i);
        if (b.flags & BODY_ALIVE)
            links += body_asset(stored->world, &b)->stats.link_packs;
    }
    return links <= stored->dim[DIM_links].capacity;
}

static bool acts(const piola_world *world)
{
    return *world_limits_found(world) != 0;
}

static bool parts(const piola_world *world)
{
    return *world_limits_found(world) & LIMITED;
}

static void prepare(struct step *step)
{
    run_stage(step, STAGE_LIMITS_PREPARE, 0);
}

static void hold(struct step *step)
{
    if (*world_limits_found(step->world) & LIMITED)
        run_colours(step, STAGE_LIMITS);
    if (*world_limits_found(step->world) & LEVELLED)
        run_stage(step, STAGE_LINK_SETTLE, 0);
}

static void follow(struct step *step)
{
    if (*world_limits_found(step->world) & LEVELLED)
        run_stage(step, STAGE_LINK_LEVEL, 0);
}

/* Last in an iteration, so that it holds at the end. */
static void reach(struct step *step)
{
    if (*world_limits_found(step->world) & TETHERED)
        run_stage(step, STAGE_TETHERS, 0);
}

static void aim(struct step *step)
{
    if (world_descends(&step->world->desc))
        run_stage(step, STAGE_LIMITS_AIM, 0);
}

const struct family family_limits = {
    .name = "limits",
    .acts = acts,
    .list = list,
    .parts = parts,
    .valid = valid,
    .hold = link_level_hold,
    .at =
        {[PREDICT] = prepare, [FOLLOW] = follow, [HOLD] = hold, [REACH] = reach, [VELOCITY] = aim},
};
