/* pressure.c - gas, gauge pressure or a held volume inside a body: which pressure, and when.
 *
 * The gas has a volume v of its own that follows its law, v(p) = N / (p + ambient), or v(p) = rest
 * - compliance p for a held volume; that the skin encloses this v is a constraint, whose multiplier
 * is the gauge pressure p. Descent treats it as an augmented Lagrangian: in a substep p solves
 *     p = before - penalty (V - v(p)),
 * `before` the pressure at the end of the last substep. That is the gradient of a convex function
 * of V with a slope of at most `penalty`, however stiff the gas, and p's own law where nothing
 * moves. In one iteration p is that of the volume at its start and each particle gets, along its
 * part g of the volume's gradient, the stiffness K |g| G, K the slope and G >= sum |g| the area:
 * since K (sum g.d)^2 <= K sum (g.d)^2 G / |g| (Cauchy and Schwarz), what the iteration minimises
 * lies above the true objective, and no pressure and no dt makes it leap. `penalty` is PENALTY
 * times the inertia of a skin that swells: enough for the multiplier to settle, not so much that
 * particles no longer move. The projection solvers take the exact common correction instead, the
 * same equation with the skin's own give for 1 / penalty (XPBD).
 *
 * The sums over triangles and particles: ispc/pressure/pressure.ispc.
 */
#include "families/pressure/pressure.h"
#include "base/ranges.h"

#include "world/commands.h"
#include "world/family.h"

#include <math.h>
#include <string.h>

#define PENALTY 10.0

/* The larger root of q^2 - b q - c = 0 for c >= 0, without cancellation. */
static double larger_root(double b, double c)
{
    const double root = sqrt(b * b + 4 * c);
    if (b >= 0)
        return 0.5 * (b + root);
    return root - b > 0 ? 2 * c / (root - b) : 0;
}

struct pressure_law pressure_of(const struct body_pressure *held, double before, double penalty,
                                double volume)
{
    const double setting = (double)held->setting, ambient = (double)held->ambient;
    const double rest = (double)held->volume, compliance = (double)held->compliance;
    if (held->kind == PIOLA_PRESSURE_GAUGE)
        return (struct pressure_law){setting, 0};
    if (held->kind == PIOLA_PRESSURE_VOLUME) {
        const double give = 1 + penalty * compliance;
        return (struct pressure_law){(before - penalty * (volume - rest)) / give, penalty / give};
    }
    const double amount = setting * rest; /* J: p v */
    const double q = larger_root(before + ambient - penalty * volume, penalty * amount);
    const double give = q > 0 ? 1 + penalty * amount / (q * q) : 1;
    return (struct pressure_law){q - ambient, q > 0 ? penalty / give : 0};
}

/* Pa/m^3: the slope at which the last pressure falls to nothing while the volume about doubles. */
static double own_stiffness(const struct body_pressure *held)
{
    const double rest = (double)held->volume, before = (double)held->before;
    if (held->kind == PIOLA_PRESSURE_VOLUME)
        return fabs(before) / rest;
    const double q = before + (double)held->ambient, amount = (double)held->setting * rest;
    return amount > 0 ? q * q / amount : 0;
}

/* Pa: a skin that is crushed or inside out is not pushed harder the longer it stays so. */
static double most_pressure(const struct body_pressure *held)
{
    const double gas = 100 * ((double)held->setting + (double)held->ambient);
    return held->kind == PIOLA_PRESSURE_GAS && gas < 1e9 ? gas : 1e9;
}

/* ---- state ---- */

static piola_status check(const piola_world *world, const piola_body_desc *d, const char **field)
{
    const float least = d->pressure_kind == PIOLA_PRESSURE_GAS ? 0 : -1e9f;
    const struct range_row rows[] = {
        {&d->pressure, 1, least, 1e9f, "piola_body_desc.pressure"},
        {&d->ambient_pressure, 1, 0, 1e9f, "piola_body_desc.ambient_pressure"},
        {&d->volume_scale, 1, 1e-3f, 1e3f, "piola_body_desc.volume_scale"},
        {&d->volume_compliance, 1, 0, 1e9f, "piola_body_desc.volume_compliance"},
    };
    *field = "piola_body_desc.pressure_kind";
    if ((unsigned)d->pressure_kind >= PIOLA_PRESSURE_COUNT)
        return PIOLA_ERROR_RANGE;
    const piola_status status = ranges_check(rows, sizeof rows / sizeof *rows, field);
    if (status != PIOLA_OK)
        return status;
    *field = "piola_body_desc.pressure_kind";
    if (d->pressure_kind == PIOLA_PRESSURE_NONE)
        return PIOLA_OK;
    if (!(d->asset->stats.enclosed > 0))
        return PIOLA_ERROR_MESH_OPEN;
    if (d->asset->at.triangle_packs.count == 0)
        return PIOLA_ERROR_COMPILE_FOR;
    *field = "piola_world_desc.couplings";
    return world->dim[DIM_pressurised].capacity > 0 ? PIOLA_OK : PIOLA_ERROR_RANGE;
}

static struct body_pressure described(const piola_body_desc *desc)
{
    if (!desc || desc->pressure_kind == PIOLA_PRESSURE_NONE)
        return (struct body_pressure){0};
    struct body_pressure held = {
        .kind = (uint32_t)desc->pressure_kind,
        .setting = desc->pressure,
        .ambient = desc->ambient_pressure,
        .volume = (float)(desc->asset->stats.enclosed * (double)desc->volume_scale),
        .compliance = desc->volume_compliance,
    };
    held.before = (float)pressure_of(&held, 0, 1e30, desc->asset->stats.enclosed).pressure;
    if (desc->pressure_kind == PIOLA_PRESSURE_VOLUME)
        held.before = 0;
    return held;
}

static void set(piola_world *world, uint32_t body, const piola_body_desc *desc)
{
    if (world->dim[DIM_pressurised].capacity == 0)
        return;
    const struct body_pressure held = described(desc);
    world_body_pressure(world)[body] = held;
    world_tie(world, body, TIE(pressure), held.kind != PIOLA_PRESSURE_NONE);
    array_changed(world, FIELD_body_pressure, FIELD_pressure_marks, body);
}

static void recount(piola_world *world)
{
    for (uint32_t i = 0; i < world->dim[DIM_pressurised].capacity; ++i)
        world_tie(world, i, TIE(pressure),
                  world_body_pressure(world)[i].kind != PIOLA_PRESSURE_NONE);
    array_recount(world, FIELD_body_pressure, FIELD_pressure_marks);
}

static struct body_pressure *held_by(const piola_world *world, const struct body *body)
{
    const size_t index = (size_t)(body - world_bodies(world));
    const bool holds = index < world->dim[DIM_pressurised].used &&
                       world_body_pressure(world)[index].kind != PIOLA_PRESSURE_NONE;
    return holds ? &world_body_pressure(world)[index] : NULL;
}

bool pressure_apply(piola_world *world, const piola_command *command)
{
    const struct body *body = body_find(world, command->as.body_pressure.body);
    const float value = command->as.body_pressure.pressure;
    struct body_pressure *held = body ? held_by(world, body) : NULL;
    if (!held || (held->kind == PIOLA_PRESSURE_GAS && value < 0) ||
        (held->kind == PIOLA_PRESSURE_VOLUME && !(value > 0)))
        return false;
    if (held->kind == PIOLA_PRESSURE_VOLUME)
        held->volume = value;
    else
        held->setting = value;
    return true;
}

/* Of a body that is alive. */
static bool possible(const struct body_pressure *held, const piola_asset *asset)
{
    const float *values = &held->setting;
    bool sane = held->kind < PIOLA_PRESSURE_COUNT;
    for (int i = 0; i < 5; ++i)
        sane = sane && values[i] - values[i] == 0;
    return sane && (held->kind == PIOLA_PRESSURE_NONE ||
                    (held->compliance >= 0 && held->ambient >= 0 && held->volume > 0 &&
                     (held->kind != PIOLA_PRESSURE_GAS || held->setting >= 0) &&
                     asset->stats.enclosed > 0 && asset->at.triangle_packs.count > 0));
}

bool pressures_valid(const struct stored *stored, enum field field)
{
    bool sane = true;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_pressurised].used; ++i) {
        const struct body_pressure held = stored_body_pressure(stored, i);
        const struct body b = stored_bodies(stored, i);
        sane = b.flags & BODY_ALIVE ? possible(&held, body_asset(stored->world, &b))
                                    : held.kind == PIOLA_PRESSURE_NONE;
    }
    return sane;
}

static double add_up(const struct pk_enclosed *lanes, bool area)
{
    double sum[PK_LANES];
    memcpy(sum, area ? lanes->area : lanes->volume, sizeof sum);
    for (int half = PK_LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; ++i)
            sum[i] += sum[i + half];
    return sum[0];
}

static struct enclosed enclosed_by(const piola_world *w, const struct kernels *kernels,
                                   const struct body *body, uint32_t first, uint32_t count)
{
    struct pk_quad *x = world_position(w) + body->first;
    struct pk_enclosed lanes;
    memset(&lanes, 0, sizeof lanes);
    kernels->pressure_enclose(
        &(struct pk_pressure_job){.x = x,
                                  .packs = asset_triangle_packs(body_asset(w, body)) + first,
                                  .sum = &lanes,
                                  .count = count,
                                  .origin = {x->x, x->y, x->z}});
    return (struct enclosed){add_up(&lanes, false), add_up(&lanes, true)};
}

static void inform(const piola_world *world, const struct body *body, piola_body_info *info)
{
    const piola_asset *asset = body_asset(world, body);
    info->volume = info->pressure = 0;
    if (asset->stats.enclosed == 0 || asset->at.triangle_packs.count == 0)
        return;
    info->volume = enclosed_by(world, kernels_for(world->desc.isa), body, 0,
                               (uint32_t)asset->at.triangle_packs.count)
                       .volume;
    const struct body_pressure *held = held_by(world, body);
    if (!held)
        return;
    info->pressure = held->kind == PIOLA_PRESSURE_VOLUME
                         ? (double)held->before
                         : pressure_of(held, 0, 1e30, info->volume).pressure;
}

/* ---- in a step ---- */

/* The body if it holds pressure and moves, else null. */
static const struct body *pressurised(const struct step *step, uint64_t index)
{
    const struct body *body = &world_bodies(step->world)[index];
    return held_by(step->world, body) && !body_still(body) ? body : NULL;
}

/* A chunk of such a body, else of no particles. */
static struct chunk of_chunk(const struct step *step, uint32_t chunk)
{
    const struct chunk at = world_chunks(step->world)[chunk];
    return pressurised(step, at.body) ? at : (struct chunk){0, 0, 0};
}

/* The packs of triangles of a part of such a body, else none. */
static struct pk_run of_part(const struct step *step, uint32_t part)
{
    const struct run *run = &world_parts(step->world)[part];
    const struct body *body = pressurised(step, run->body);
    return body ? clusters_of(body_asset(step->world, body), false)
                      .cluster[run->cluster]
                      .packs[KIND_TRIANGLE]
                : (struct pk_run){0, 0};
}

/* The stream in which the volume's gradient is added up: the first of descent's extra. */
static struct pk_quad *swell_of(const piola_world *w, const struct body *body)
{
    return world_external(w) + (world_descends(&w->desc) ? 3 : 1) * (size_t)body->first;
}

void each_pressure_enclose(const struct step *step, uint32_t argument, uint32_t part)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct pk_run packs = of_part(step, part);
    world_enclosed(w)[part] = enclosed_by(
        w, step->kernels, step_body(step, world_parts(w)[part].body), packs.first, packs.count);
}

void each_pressure_gradient(const struct step *step, uint32_t argument, uint32_t part)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct body *body = step_body(step, world_parts(w)[part].body);
    const struct pk_run packs = of_part(step, part);
    if (packs.count > 0)
        step->kernels->pressure_swell(&(struct pk_pressure_job){
            .x = world_position(w) + body->first,
            .swell = swell_of(w, body),
            .packs = asset_triangle_packs(body_asset(w, body)) + packs.first,
            .count = packs.count});
}

/* Of a chunk: its particles, and their part of that stream. */
static struct pk_pressure_job job_of(const piola_world *w, struct chunk at)
{
    const struct body *body = &world_bodies(w)[at.body];
    return (struct pk_pressure_job){.x = world_position(w) + at.first,
                                    .target = world_target(w) + at.first,
                                    .swell = swell_of(w, body) + (at.first - body->first),
                                    .count = at.count,
                                    .stride = body->count};
}

void each_pressure_push(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct chunk at = of_chunk(step, chunk);
    const struct pressure_now *now = &world_pressure_now(w)[at.body];
    if (at.count == 0)
        return;
    struct pk_pressure_job job = job_of(w, at);
    job.pressure = (float)now->pressure;
    job.stiffness = (float)(now->stiffness * now->area);
    step->kernels->pressure_push(&job);
}

void each_pressure_give(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct chunk at = of_chunk(step, chunk);
    struct pk_enclosed lanes;
    memset(&lanes, 0, sizeof lanes);
    if (at.count > 0) {
        struct pk_pressure_job job = job_of(w, at);
        job.sum = &lanes;
        step->kernels->pressure_yield(&job);
    }
    world_enclosed(w)[w->part_end + chunk] = (struct enclosed){add_up(&lanes, false), 0};
}

void each_pressure_inflate(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct chunk at = of_chunk(step, chunk);
    if (at.count == 0)
        return;
    struct pk_pressure_job job = job_of(w, at);
    job.scale = (float)world_pressure_now(w)[at.body].share;
    step->kernels->pressure_inflate(&job);
}

/* Volume and area of every body that holds pressure, clusters in the order of the list. */
static void measure(const struct step *step)
{
    const piola_world *w = step->world;
    run_stage(step, STAGE_PRESSURE_ENCLOSE, STAGE_ALL_COLOURS);
    for (uint32_t i = 0; i < w->dim[DIM_pressurised].used; ++i)
        world_pressure_now(w)[i].volume = world_pressure_now(w)[i].area = 0;
    for (uint32_t part = 0; part < step->domain->part_count; ++part) {
        const uint32_t index = world_parts(w)[part].body;
        if (!pressurised(step, index))
            continue;
        world_pressure_now(w)[index].volume += world_enclosed(w)[part].volume;
        world_pressure_now(w)[index].area += world_enclosed(w)[part].area;
    }
}

static void find_pressures(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint64_t i = 0; i < w->dim[DIM_pressurised].used; ++i) {
        const struct body *body = pressurised(step, i);
        if (!body)
            continue;
        struct pressure_now *now = &world_pressure_now(w)[i];
        const struct body_pressure *held = &world_body_pressure(w)[i];
        const struct pressure_law law =
            pressure_of(held, (double)held->before, now->penalty, now->volume);
        now->pressure = law.pressure;
        now->stiffness = law.stiffness;
    }
}

/* For all iterations of a substep the one that fits the skin at its start. */
static void find_penalties(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint64_t i = 0; i < w->dim[DIM_pressurised].used; ++i) {
        const struct body *body = pressurised(step, i);
        struct pressure_now *now = &world_pressure_now(w)[i];
        now->penalty = 0;
        if (!body || !(now->area > 0))
            continue;
        const double mass = body_asset(w, body)->stats.mass;
        const double inertia = (double)solve_parameters(step, body).inertia;
        now->penalty = PENALTY * inertia * mass / (now->area * now->area);
        const double least = own_stiffness(&world_body_pressure(w)[i]);
        if (now->penalty < least)
            now->penalty = least;
    }
}

/* Projections add gradients up in a stream of their own, which each of them leaves at zero. */
static void begin(struct step *step)
{
    const piola_world *w = step->world;
    for (uint64_t i = 0; i < w->dim[DIM_pressurised].used; ++i) {
        const struct body *body = pressurised(step, i);
        world_pressure_now(w)[i].pressure = 0;
        if (body && !world_descends(&w->desc))
            memset(swell_of(w, body), 0, body->count * sizeof(struct pk_quad));
    }
}

/* First of those that write the external quadratics: it fills the streams, others add to them. */
static void refresh(struct step *step)
{
    if (!world_descends(&step->world->desc))
        return;
    measure(step);
    if (step->iteration == 0)
        find_penalties(step);
    find_pressures(step);
    run_colours(step, STAGE_PRESSURE_GRADIENT);
    run_stage(step, STAGE_PRESSURE_PUSH, 0);
}

/* Of XPBD's equation for each body: how far the common correction goes. */
static void find_shares(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint64_t i = 0; i < w->dim[DIM_pressurised].used; ++i)
        world_pressure_now(w)[i].give = 0;
    for (uint32_t chunk = 0; chunk < step->domain->chunk_count; ++chunk) {
        const uint32_t index = world_chunks(w)[chunk].body;
        if (pressurised(step, index))
            world_pressure_now(w)[index].give += world_enclosed(w)[w->part_end + chunk].volume;
    }
    for (uint64_t i = 0; i < w->dim[DIM_pressurised].used; ++i) {
        const struct body *body = pressurised(step, i);
        if (!body)
            continue;
        struct pressure_now *now = &world_pressure_now(w)[i];
        const double inertia = (double)solve_parameters(step, body).inertia;
        now->share = 0;
        if (!(now->give > 0))
            continue;
        const double p =
            pressure_of(&world_body_pressure(w)[i], now->pressure, inertia / now->give, now->volume)
                .pressure;
        now->share = (p - now->pressure) / inertia;
        now->pressure = p;
    }
}

static void project(struct step *step)
{
    if (world_descends(&step->world->desc))
        return;
    measure(step);
    run_colours(step, STAGE_PRESSURE_GRADIENT);
    run_stage(step, STAGE_PRESSURE_GIVE, 0);
    find_shares(step);
    run_stage(step, STAGE_PRESSURE_INFLATE, 0);
}

static void settle(struct step *step)
{
    const piola_world *w = step->world;
    if (w->desc.iterations == 0)
        return;
    if (world_descends(&w->desc)) {
        measure(step);
        find_pressures(step);
    }
    for (uint64_t i = 0; i < w->dim[DIM_pressurised].used; ++i) {
        struct body_pressure *held = &world_body_pressure(w)[i];
        const double p = world_pressure_now(w)[i].pressure, most = most_pressure(held);
        if (pressurised(step, i) && p - p == 0)
            held->before = (float)(p > most ? most : p < -most ? -most : p);
    }
}

static bool acts(const piola_world *world)
{
    return world->dim[DIM_pressurised].used > 0;
}

const struct family family_pressure = {
    .name = "pressure",
    .acts = acts,
    .parts = acts,
    .among = {[BEGIN] = begin, [REFRESH] = refresh, [HOLD] = project, [SETTLE] = settle},
    .recount = recount,
    .check = check,
    .set = set,
    .inform = inform,
};
