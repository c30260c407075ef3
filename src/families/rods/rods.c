/* rods.c - rods in a substep: turns are predicted from their spins, all points and turns of a body
 * are corrected together in each iteration, and spins follow from how turns have changed.
 *
 * Sweeps over vertices come after each correction, as for all bodies. They know nothing of rods: to
 * them each point is balanced where it is, and as heavy as the rod's stiffness makes it, so that
 * only what touches it anew moves it.
 */
#include "families/rods/rods.h"
#include "families/rods/rod_turn.h"

#include "motion/external.h"
#include "motion/phases.h"
#include "motion/solve.h"
#include "world/guides.h"

struct rods rods_of(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const piola_asset *asset = body_asset(w, body);
    const float inverse = 1 / (step->dt * step->dt);
    return (struct rods){
        .level = {.step = step,
                  .body = body,
                  .asset = asset,
                  .x = world_position(w) + body->first,
                  .move = world_rod_moves(w) + body->first,
                  .solve = solve_parameters(step, body),
                  .external = external_of(w, body),
                  .guides = guides_ways(w, body),
                  .pulls = world_rod_holds(w) + body->first},
        .node = world_rod_nodes(w) + 2 * (size_t)body->first,
        .block = world_rod_blocks(w) + ROD_BLOCKS * (size_t)body->first,
        .place = asset_rod_places(asset),
        .later = asset_rod_later(asset),
        .segment = asset_rod_segments(asset),
        .joint = asset_rod_joints(asset),
        .clamp = world_rod_clamps(w) + body->first,
        .turn = world_rod_turns(w) + body->first,
        .spin = world_rod_spins(w) + body->first,
        .force = world_rod_forces(w) + body->first,
        .load = world_rod_loads(w) + body->first,
        .inertia = (double)solve_parameters(step, body).inertia,
        .turning = (double)inverse,
        .points = asset->stats.vertices,
        .segments = asset->stats.segments,
        .joints = (uint32_t)asset->at.rod_joints.count,
    };
}

/* The rods of a body that moves. False for any other body. */
static bool moving(const struct step *step, uint32_t index, struct rods *r)
{
    const struct body *body = step_body(step, index);
    if (!body_is_rods(step->world, body) || body_still(body))
        return false;
    *r = rods_of(step, body);
    return true;
}

/* ---- a substep ---- */

/* Clamps go their part of the way to where they are sent. */
static void drive(const struct step *step, struct rod_clamp *clamp)
{
    const uint32_t left = step->world->desc.substeps - step->substep;
    for (unsigned end = 0; end < 2; end++) {
        float *at = clamp->at[end];
        const float *to = clamp->to[end];
        double between[4], from[4], goal[4], way[3];
        if (!rod_clamped(clamp, end) || same_bytes(at, to, sizeof clamp->at[end]))
            continue;
        turn_load(at, from);
        turn_load(to, goal);
        turn_between(from, goal, between);
        rotation_vector(between, way);
        for (unsigned k = 0; k < 3; k++)
            way[k] /= (double)left;
        rotation_of(way, between);
        rotation_join(from, between, goal);
        rotation_unit(goal);
        for (unsigned k = 0; k < 4; k++)
            at[k] = left == 1 ? to[k] : (float)goal[k];
    }
}

void each_rods_begin(const struct step *step, uint32_t argument, uint32_t index)
{
    struct rods r;
    (void)argument;
    if (!moving(step, index, &r))
        return;
    world_rod_settled(step->world)[index] = 0;
    const uint32_t first = r.level.body->first;
    const struct pk_quad *start = world_start(step->world) + first;
    const struct pk_quad *target = world_target(step->world) + first;
    for (uint32_t i = 0; i < r.points; i++) {
        struct rod_node *n = &r.node[i];
        const struct pk_quad *from[3] = {&r.level.x[i], &start[i], &target[i]};
        double *to[3] = {n->at, n->start, n->goal};
        for (unsigned k = 0; k < 3; k++) {
            quad_load(from[k], to[k]);
            to[k][3] = 0;
        }
    }
    for (uint32_t i = 0; i < r.segments; i++) {
        struct rod_node *n = rod_turn(&r, i);
        double at[4], way[3], by[4];
        turn_of(&r.turn[i], at);
        quad_load(&r.spin[i], way);
        for (unsigned k = 0; k < 3; k++)
            way[k] *= (double)step->dt;
        drive(step, world_rod_clamps(step->world) + first + i);
        memcpy(n->start, at, sizeof at);
        rotation_unit(n->start);
        rotation_of(way, by);
        rotation_join(by, n->start, n->goal);
        rotation_unit(n->goal);
        memcpy(n->at, n->goal, sizeof n->at);
    }
}

void each_rods_solve(const struct step *step, uint32_t argument, uint32_t index)
{
    struct rods r;
    (void)argument;
    if (!moving(step, index, &r))
        return;
    const float *mass = asset_mass(r.level.asset);
    uint32_t *settled = &world_rod_settled(step->world)[index];
    if (*settled == 0 || !rods_alike(&r))
        *settled = rods_solve(&r, step->iteration, step->world->desc.iterations);
    for (uint32_t i = 0; i < r.points; i++) {
        struct pk_quad to = r.level.x[i];
        float pull[3];
        if (!(to.w > 0))
            continue;
        external_pull(step->world, r.level.body, i, pull);
        const float stiff = (float)r.inertia * mass[i] + r.level.pulls[i];
        to.x += pull[0] / stiff;
        to.y += pull[1] / stiff;
        to.z += pull[2] / stiff;
        to.w = stiff / (float)r.inertia;
        external_aim(step->world, r.level.body, i, &to);
    }
}

/* Sweeps are over: points have their own mass and targets again. */
void each_rods_aim(const struct step *step, uint32_t argument, uint32_t index)
{
    struct rods r;
    (void)argument;
    if (!moving(step, index, &r))
        return;
    const float *mass = asset_mass(r.level.asset);
    for (uint32_t i = 0; i < r.points; i++) {
        const double *goal = r.node[i].goal;
        const struct pk_quad to = {(float)goal[0], (float)goal[1], (float)goal[2], mass[i]};
        if (r.level.x[i].w > 0)
            external_aim(step->world, r.level.body, i, &to);
    }
}

void each_rods_end(const struct step *step, uint32_t argument, uint32_t index)
{
    struct rods r;
    (void)argument;
    if (!moving(step, index, &r))
        return;
    const double keep =
        1 / ((1 + (double)step->dt * (double)r.level.body->damping) * (double)step->dt);
    double all = 0;
    for (uint32_t i = 0; i < r.segments; i++) {
        const struct rod_node *n = rod_turn(&r, i);
        double way[3];
        rotation_between(n->at, n->start, way);
        r.turn[i] = quad_made(n->at);
        r.spin[i] = (struct pk_quad){(float)(keep * way[0]), (float)(keep * way[1]),
                                     (float)(keep * way[2]), 0};
        all += n->at[0] + n->at[1] + n->at[2] + n->at[3] + (double)r.spin[i].x +
               (double)r.spin[i].y + (double)r.spin[i].z + (double)r.force[i].x +
               (double)r.force[i].y + (double)r.force[i].z;
    }
    if (!(all - all == 0))
        atomic_store_explicit(&world_verdicts(step->world)[index], 1, memory_order_relaxed);
}

/* One that was stopped stands as it stood when the substep began. */
void each_rods_rest(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const struct body *body = step_body(step, index);
    if (!body_is_rods(step->world, body) ||
        atomic_load_explicit(&world_verdicts(step->world)[index], memory_order_relaxed) == 0)
        return;
    const struct rods r = rods_of(step, body);
    for (uint32_t i = 0; i < r.segments; i++) {
        r.turn[i] = quad_made(rod_turn(&r, i)->start);
        r.spin[i] = r.force[i] = (struct pk_quad){0, 0, 0, 0};
    }
}

static void begin(struct step *step)
{
    run_stage(step, STAGE_RODS_BEGIN, 0);
}

static void correct(struct step *step)
{
    run_stage(step, STAGE_RODS_SOLVE, 0);
}

static void aim(struct step *step)
{
    run_stage(step, STAGE_RODS_AIM, 0);
}

static void end(struct step *step)
{
    run_stage(step, STAGE_RODS_END, 0);
}

static void rest(struct step *step)
{
    run_stage(step, STAGE_RODS_REST, 0);
}

static double measure(const struct step *step, uint32_t index, bool forces)
{
    const struct body *body = step_body(step, index);
    if (!body_is_rods(step->world, body))
        return 0;
    const struct rods r = rods_of(step, body);
    for (uint32_t i = 0; forces && i < r.segments; i++) {
        double m[3][3], t[3], q[4], f[3];
        quad_load(&r.force[i], t);
        turn_of(&r.turn[i], q);
        turn_matrix(q, m);
        times3((const double(*)[3])m, t, f);
        for (unsigned e = 0; e < 2; e++) {
            struct pk_quad *to = &world_force(step->world)[body->first + r.segment[i].end[e]];
            const float sign = e ? 1 : -1;
            to->x += sign * (float)f[0];
            to->y += sign * (float)f[1];
            to->z += sign * (float)f[2];
        }
    }
    return rods_energy(&r);
}

/* ---- between steps ---- */

static bool acts(const piola_world *world)
{
    return world->rod_bodies > 0;
}

static piola_status check(const piola_world *world, const piola_body_desc *desc, const char **field)
{
    if (desc->asset->stats.segments == 0)
        return PIOLA_OK;
    *field = "piola_body_desc.asset";
    if (!world_descends(&world->desc))
        return PIOLA_ERROR_SOLVER;
    *field = "piola_world_desc.rods";
    return world->dim[DIM_rods].capacity > 0 ? PIOLA_OK : PIOLA_ERROR_RODS;
}

static void place(const piola_world *world, const struct body *body, const piola_body_desc *desc)
{
    const struct rod_segment *s = asset_rod_segments(body_asset(world, body));
    double by[4];
    turn_load(desc->rotation, by);
    rotation_unit(by);
    for (uint32_t i = 0; i < body_asset(world, body)->stats.segments; i++) {
        double q[4];
        turn_load(s[i].rest, q);
        rotation_join(by, q, q);
        rotation_unit(q);
        const float *w = desc->angular_velocity;
        world_rod_turns(world)[body->first + i] = quad_made(q);
        world_rod_spins(world)[body->first + i] = (struct pk_quad){w[0], w[1], w[2], 0};
    }
}

/* Who is clamped is held by the world. */
void rods_tie(piola_world *world, uint32_t index)
{
    const struct body *body = &world_bodies(world)[index];
    bool any = false;
    for (uint32_t i = 0; i < body_asset(world, body)->stats.segments; i++) {
        const struct rod_clamp *clamp = &world_rod_clamps(world)[body->first + i];
        any = any || rod_clamped(clamp, 0) || rod_clamped(clamp, 1);
    }
    world_tie(world, index, TIE(rods), any);
}

static void recount(piola_world *world)
{
    for (uint32_t i = 0; world->rod_bodies > 0 && i < world->desc.max_bodies; i++)
        if (body_is_rods(world, &world_bodies(world)[i]))
            rods_tie(world, i);
}

static void set(piola_world *world, uint32_t index, const piola_body_desc *desc)
{
    const struct body *body = &world_bodies(world)[index];
    if (!body_is_rods(world, body))
        return;
    memset(world_rod_turns(world) + body->first, 0, body->count * sizeof(struct pk_quad));
    memset(world_rod_spins(world) + body->first, 0, body->count * sizeof(struct pk_quad));
    memset(world_rod_forces(world) + body->first, 0, body->count * sizeof(struct pk_quad));
    memset(world_rod_clamps(world) + body->first, 0, body->count * sizeof(struct rod_clamp));
    if (desc)
        place(world, body, desc);
}

static void inform(const piola_world *world, const struct body *body, piola_body_info *info)
{
    const struct rods r = {.segment = asset_rod_segments(body_asset(world, body)),
                           .turn = world_rod_turns(world) + body->first,
                           .spin = world_rod_spins(world) + body->first};
    for (uint32_t i = 0; i < body_asset(world, body)->stats.segments; i++) {
        double moment[3];
        info->kinetic_energy += rods_segment_momentum(&r, i, moment);
        for (unsigned k = 0; k < 3; k++)
            info->angular_momentum[k] += moment[k];
    }
}

const struct family family_rods = {
    .name = "rods",
    .acts = acts,
    .at =
        {[PREDICT] = begin, [CORRECT] = correct, [HOLD] = aim, [VELOCITY] = end, [MOMENTUM] = rest},
    .turns = rods_turns,
    .turn_along = rods_turn_along,
    .measure = measure,
    .recount = recount,
    .inform = inform,
    .check = check,
    .set = set,
};
