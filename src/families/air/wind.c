/* wind.c - drag and lift of cloth: loads of a substep, beside those that commands put on vertices.
 *
 * The force and why it is stable: ispc/air/wind.ispc.
 */
#include "families/air/wind.h"

#include "world/commands.h"
#include "world/family.h"
#include "world/rest.h"

#include <string.h>

static bool feels(struct body_air air)
{
    return air.drag > 0 || air.lift > 0;
}

/* True when the asset has the packs of triangles that a body with these coefficients needs. */
static bool fits(const piola_world *world, const piola_asset *asset, struct body_air air)
{
    return world->dim[DIM_airborne].capacity == 0 || !feels(air) || asset->stats.triangles == 0 ||
           asset->at.triangle_packs.count > 0;
}

static void begin(piola_world *world)
{
    if (!(world->desc.air_density > 0))
        return;
    memcpy(world_weather(world)->wind, world->desc.wind, sizeof world->desc.wind);
    dimension_use(world, DIM_air, 1);
}

static piola_status check(const piola_world *world, const piola_body_desc *desc, const char **field)
{
    if (fits(world, desc->asset, (struct body_air){desc->drag, desc->lift}))
        return PIOLA_OK;
    *field = "piola_body_desc.drag";
    return PIOLA_ERROR_COMPILE_FOR;
}

static void set(piola_world *world, uint32_t body, const piola_body_desc *desc)
{
    const struct body_air none = {0, 0};
    if (world->dim[DIM_airborne].capacity == 0)
        return;
    world_body_air(world)[body] =
        desc ? (struct body_air){desc->drag + 0.0f, desc->lift + 0.0f} : none; /* no -0 */
    array_changed(world, FIELD_body_air, FIELD_airborne_marks, body);
}

static void recount(piola_world *world)
{
    array_recount(world, FIELD_body_air, FIELD_airborne_marks);
}

bool air_apply(piola_world *world, const piola_command *command)
{
    const struct body *body = body_find(world, command->as.body_pair.body);
    const float *value = command->as.body_pair.value;
    const struct body_air air = {value[0] + 0.0f, value[1] + 0.0f}; /* no -0 */
    if (!body || world->dim[DIM_airborne].capacity == 0 ||
        !fits(world, body_asset(world, body), air))
        return false;
    world_body_air(world)[command->as.body_pair.body.index - 1] = air;
    array_changed(world, FIELD_body_air, FIELD_airborne_marks,
                  command->as.body_pair.body.index - 1);
    return true;
}

static void inform(const piola_world *world, const struct body *body, piola_body_info *info)
{
    if (world->dim[DIM_airborne].capacity == 0)
        return;
    info->drag = world_body_air(world)[body - world_bodies(world)].drag;
    info->lift = world_body_air(world)[body - world_bodies(world)].lift;
}

bool wind_apply(piola_world *world, const piola_command *command)
{
    if (world->dim[DIM_air].capacity == 0)
        return false;
    struct weather *weather = world_weather(world);
    if (!same_bytes(weather->wind, command->as.wind.velocity, sizeof weather->wind))
        world_wake_airborne(world);
    memcpy(weather->wind, command->as.wind.velocity, sizeof weather->wind);
    return true;
}

bool weather_valid(const struct stored *stored, enum field field)
{
    const struct extent *air = &stored->dim[DIM_air];
    return air->used == air->capacity && finite_floats(stored, field) &&
           (air->used == 0 || stored_weather(stored, 0).reserved == 0);
}

bool body_air_valid(const struct stored *stored, enum field field)
{
    bool sane = finite_floats(stored, field);
    for (uint64_t i = 0; sane && i < stored->dim[DIM_airborne].used; ++i) {
        const struct body_air air = stored_body_air(stored, i);
        sane = air.drag >= 0 && air.lift >= 0;
    }
    return sane;
}

static struct pk_air air_around(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const struct body_air *feels = &world_body_air(w)[body - world_bodies(w)];
    const float half = 0.5f * w->desc.air_density;
    struct pk_air air = {
        .dt = step->dt,
        .drag = half * feels->drag,
        .lift = half * feels->lift,
        .objective = world_descends(&w->desc),
    };
    memcpy(air.wind, world_weather(w)->wind, sizeof air.wind);
    return air;
}

/* The loads of this substep begin with those that commands have set. */
void each_wind_begin_loads(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct piece p = piece_of(step, chunk);
    /* Those of tractions come first. */
    if (!p.moves || !wind_blows(w, p.body) || (p.body->flags & BODY_PRESSED))
        return;
    struct pk_quad *now = world_load_now(w) + p.first;
    if (p.body->flags & BODY_LOADED)
        memcpy(now, world_load(w) + p.first, p.count * sizeof *now);
    else
        memset(now, 0, p.count * sizeof *now);
}

/* Clusters of one colour touch different particles. */
static void wind_cluster(const struct step *step, const struct body *body, uint32_t cluster)
{
    const piola_world *w = step->world;
    const piola_asset *asset = body_asset(w, body);
    const struct asset_cluster *of = clusters_of(asset, false).cluster + cluster;
    const uint32_t *materials = asset_triangle_pack_materials(asset);
    const uint32_t end = of->packs[KIND_TRIANGLE].first + of->packs[KIND_TRIANGLE].count;
    struct pk_air air = air_around(step, body);
    struct pk_wind_grid room;
    const struct pk_wind_grid *grid = wind_grid_around(w, &room);
    for (uint32_t at = of->packs[KIND_TRIANGLE].first; at < end;) {
        uint32_t count = 1;
        while (at + count < end && materials[at + count] == materials[at])
            ++count;
        air.mass = asset_materials(asset)[materials[at]].density;
        const struct pk_wind_job job = {
            .x = world_position(w) + body->first,
            .v = world_velocity(w) + body->first,
            .force = world_load_now(w) + body->first,
            .packs = asset_triangle_packs(asset) + at,
            .air = &air,
            .grid = grid,
            .nodes = world_wind_nodes(w),
            .count = count,
        };
        step->kernels->wind(&job);
        at += count;
    }
}

void each_wind(const struct step *step, uint32_t argument, uint32_t part)
{
    (void)argument;
    const struct run *run = &world_parts(step->world)[part];
    const struct body *body = step_body(step, run->body);
    if (!body_still(body) && wind_blows(step->world, body))
        wind_cluster(step, body, run->cluster);
}

static bool acts(const piola_world *world)
{
    return world->dim[DIM_airborne].used > 0;
}

/* Whether any body feels it is not known yet. */
static bool parts(const piola_world *world)
{
    return world->desc.air_density > 0;
}

static void blow(struct step *step)
{
    bool blows = false;
    for (uint32_t i = 0; i < domain_bodies(step); ++i)
        blows = blows || wind_blows(step->world, step_body(step, domain_body(step, i)));
    if (!blows)
        return;
    run_stage(step, STAGE_WIND_BEGIN_LOADS, 0);
    run_colours(step, STAGE_WIND);
}

const struct family family_air = {
    .name = "air",
    .acts = acts,
    .parts = parts,
    .at = {[FORCES] = blow},
    .begin = begin,
    .recount = recount,
    .check = check,
    .set = set,
    .inform = inform,
};
