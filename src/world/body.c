/* body.c - the life of bodies: handles, assets known to a world, room for particles, rest shape in
 * place.
 *
 * Only between steps. What happens to a body in a step: step.c and the phases. Reading and writing
 * its vertices: body_data.c.
 */
#include "base/cookies.h"
#include "base/float_mode.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "world/asked.h"
#include "world/body_room.h"
#include "world/family.h"
#include "world/loads.h"
#include "world/names.h"
#include "world/pace.h"
#include "world/pins.h"
#include "world/record.h"
#include "world/rest.h"

#include <math.h>
#include <string.h>

struct body *body_find(const piola_world *world, piola_body handle)
{
    if (handle.index == 0 || handle.index > world->desc.max_bodies)
        return NULL;
    struct body *body = &world_bodies(world)[handle.index - 1];
    const bool alive = (body->flags & BODY_ALIVE) != 0 && body->generation == handle.generation;
    return alive ? body : NULL;
}

bool piola_body_alive(const piola_world *world, piola_body body)
{
    return world_check(world) == PIOLA_OK && body_find(world, body) != NULL;
}

void body_set_relative_damping(piola_world *world, uint32_t body, float damping)
{
    world_relative_damping(world)[body] = damping;
    array_changed(world, FIELD_relative_damping, FIELD_relative_marks, body);
}

void body_set_friction(piola_world *world, uint32_t body, float at_rest, float sliding)
{
    world_body_frictions(world)[body] = friction_made(at_rest, sliding);
    array_changed(world, FIELD_body_frictions, FIELD_friction_marks, body);
}

void bodies_recount(piola_world *world)
{
    const struct body *bodies = world_bodies(world);
    pace_recount(world);
    room_clear(world);
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        world_ties(world)[i] = 0;
        if (bodies[i].flags & BODY_ALIVE)
            room_take(world, &bodies[i]);
    }
    array_recount(world, FIELD_body_filters, FIELD_filter_marks);
    array_recount(world, FIELD_body_frictions, FIELD_friction_marks);
    array_recount(world, FIELD_relative_damping, FIELD_relative_marks);
    families_recount(world);
    rests_recount(world);
    world->scheduled = false;
}

/* The slot of an asset of this content, or the first empty one, or max_assets. */
static uint32_t asset_slot_of(const piola_world *world, const piola_asset *asset)
{
    const uint64_t *identities = world_identities(world);
    const uint32_t count = world->desc.max_assets;
    uint32_t empty = count;
    for (uint32_t i = 0; i < count; ++i) {
        if (identities[i] == piola_asset_hash(asset))
            return i;
        if (identities[i] == 0 && empty == count)
            empty = i;
    }
    return empty;
}

piola_status asset_sound(const piola_asset *asset)
{
    if (!asset)
        return PIOLA_ERROR_NULL;
    if (asset->magic != ASSET_MAGIC)
        return PIOLA_ERROR_BLOB_MAGIC;
    return asset->version == ASSET_VERSION ? PIOLA_OK : PIOLA_ERROR_BLOB_VERSION;
}

/* The slot of a checked world's checked asset, as asset_slot_of tells it. */
static piola_status find_slot(const piola_world *world, const piola_asset *asset, uint32_t *slot)
{
    piola_status status = world_check(world);
    if (status == PIOLA_OK)
        status = asset_sound(asset);
    if (status == PIOLA_OK)
        *slot = asset_slot_of(world, asset);
    return status;
}

static piola_status set_slot(piola_world *world, uint32_t slot, const piola_asset *asset)
{
    if (world->record.memory)
        return PIOLA_ERROR_RECORDING;
    world_identities(world)[slot] = asset ? piola_asset_hash(asset) : 0;
    world_assets(world)[slot] = (struct asset_slot){asset, 0};
    dimension_use(world, DIM_assets, world->dim[DIM_assets].used + (asset ? 1u : (uint64_t)-1));
    return PIOLA_OK;
}

piola_status piola_world_add_asset(piola_world *world, const piola_asset *asset)
{
    uint32_t slot = 0;
    const piola_status status = find_slot(world, asset, &slot);
    if (status != PIOLA_OK)
        return status;
    if (slot == world->desc.max_assets) {
        ++world->dim[DIM_assets].dropped;
        return PIOLA_ERROR_ASSETS_FULL;
    }
    return world_identities(world)[slot] == 0 ? set_slot(world, slot, asset) : PIOLA_OK;
}

piola_status piola_world_drop_asset(piola_world *world, const piola_asset *asset)
{
    uint32_t slot = 0;
    const piola_status status = find_slot(world, asset, &slot);
    if (status != PIOLA_OK)
        return status;
    if (slot == world->desc.max_assets || world_identities(world)[slot] == 0)
        return PIOLA_OK;
    return world_assets(world)[slot].users > 0 ? PIOLA_ERROR_ASSET_IN_USE
                                               : set_slot(world, slot, NULL);
}

piola_body_desc piola_body_desc_default(void)
{
    return (piola_body_desc){
        .cookie_ = COOKIE_BODY,
        .rotation = {0, 0, 0, 1},
        .gravity_scale = 1,
        .category = FILTER_CATEGORY,
        .mask = UINT64_MAX,
        .self_contact = true,
        .friction_static = -1,
        .friction_kinetic = -1,
        .ambient_pressure = 101325,
        .volume_scale = 1,
    };
}

static piola_status check(const piola_body_desc *d, piola_error *error)
{
    const piola_status status = asset_sound(d->asset);
    if (status != PIOLA_OK)
        return refuse(error, status, "piola_body_desc.asset");
    const struct range_row rows[] = {
        {d->position, 3, -1e9f, 1e9f, "piola_body_desc.position"},
        {d->rotation, 4, -1.01f, 1.01f, "piola_body_desc.rotation"},
        {d->velocity, 3, -1e9f, 1e9f, "piola_body_desc.velocity"},
        {d->angular_velocity, 3, -1e9f, 1e9f, "piola_body_desc.angular_velocity"},
        {d->acceleration, 3, -1e9f, 1e9f, "piola_body_desc.acceleration"},
        {&d->gravity_scale, 1, -1e9f, 1e9f, "piola_body_desc.gravity_scale"},
        {&d->damping, 1, 0, 1e9f, "piola_body_desc.damping"},
        {&d->relative_damping, 1, 0, 1e9f, "piola_body_desc.relative_damping"},
        {&d->drag, 1, 0, 1e4f, "piola_body_desc.drag"},
        {&d->lift, 1, 0, 1e4f, "piola_body_desc.lift"},
    };
    const piola_status numbers = ranges_refuse(rows, sizeof rows / sizeof *rows, error);
    if (numbers != PIOLA_OK)
        return numbers;
    if (!quaternion_unit(d->rotation))
        return refuse(error, PIOLA_ERROR_RANGE, "piola_body_desc.rotation");
    int wrong;
    const piola_status rubs = friction_check(d->friction_static, d->friction_kinetic, &wrong);
    if (rubs != PIOLA_OK)
        return refuse(error, rubs,
                      wrong ? "piola_body_desc.friction_kinetic"
                            : "piola_body_desc.friction_static");
    return (uint32_t)d->untangle < PIOLA_UNTANGLE_COUNT
               ? PIOLA_OK
               : refuse(error, PIOLA_ERROR_RANGE, "piola_body_desc.untangle");
}

/* Row-major rotation of a quaternion that is nearly of unit length. */
static void rotation_matrix(const float q[4], double r[9])
{
    const double x0 = (double)q[0], y0 = (double)q[1], z0 = (double)q[2], w0 = (double)q[3];
    const double s = 1 / sqrt(x0 * x0 + y0 * y0 + z0 * z0 + w0 * w0);
    const double x = x0 * s, y = y0 * s, z = z0 * s, w = w0 * s;
    const double made[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
        2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(r, made, sizeof made);
}

static void rotate(const double r[9], const struct pk_quad *p, double out[3])
{
    const double x = (double)p->x, y = (double)p->y, z = (double)p->z;
    for (int k = 0; k < 3; ++k)
        out[k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z;
}

/* Centre of mass of the rest shape, rotated but not moved. */
static void rest_centre(const piola_asset *asset, const double r[9], double centre[3])
{
    const struct pk_quad *rest = asset_rest(asset);
    const float *mass = asset_mass(asset);
    double sum[3] = {0, 0, 0}, total = 0;
    for (uint32_t i = 0; i < asset->stats.particles; ++i) {
        double p[3];
        rotate(r, &rest[i], p);
        for (int k = 0; k < 3; ++k)
            sum[k] += (double)mass[i] * p[k];
        total += (double)mass[i];
    }
    for (int k = 0; k < 3; ++k)
        centre[k] = sum[k] / total;
}

static void place_particles(piola_world *world, const struct body *body, const piola_body_desc *d)
{
    const piola_asset *asset = d->asset;
    const struct pk_quad *rest = asset_rest(asset);
    double r[9], centre[3];
    rotation_matrix(d->rotation, r);
    rest_centre(asset, r, centre);
    for (uint32_t i = 0; i < body->count; ++i) {
        double p[3], arm[3];
        rotate(r, &rest[i], p);
        for (int k = 0; k < 3; ++k)
            arm[k] = p[k] - centre[k];
        struct pk_quad *x = &world_position(world)[body->first + i];
        struct pk_quad *v = &world_velocity(world)[body->first + i];
        const bool free = rest[i].w > 0;
        const float *u = d->velocity, *w = d->angular_velocity;
        x->x = (float)(p[0] + (double)d->position[0]);
        x->y = (float)(p[1] + (double)d->position[1]);
        x->z = (float)(p[2] + (double)d->position[2]);
        x->w = rest[i].w;
        v->x = free ? (float)((double)u[0] + (double)w[1] * arm[2] - (double)w[2] * arm[1]) : 0;
        v->y = free ? (float)((double)u[1] + (double)w[2] * arm[0] - (double)w[0] * arm[2]) : 0;
        v->z = free ? (float)((double)u[2] + (double)w[0] * arm[1] - (double)w[1] * arm[0]) : 0;
        v->w = 0;
        world_start(world)[body->first + i] = *x;
    }
}

/* Measuring walks over element packs, whatever the solver. A body of triangles alone has no packs.
 */
bool body_asset_fits(const piola_world *world, const piola_asset *asset)
{
    const bool packs = !world_descends(&world->desc) || world_measures_objective(&world->desc);
    const bool has_packs = (asset->compile_for & PIOLA_COMPILE_FOR_PROJECTION) != 0;
    const bool has_visits = (asset->compile_for & PIOLA_COMPILE_FOR_DESCENT) != 0;
    return (!packs || has_packs) && (!world_descends(&world->desc) || has_visits) &&
           asset->stats.cluster_colours <= MAX_COLOURS &&
           asset->stats.vertex_cluster_colours <= MAX_COLOURS;
}

/* Nothing has flowed or relaxed; branches know their stiffness, for whoever asks what they hold. */
static void begin_history(const piola_world *world, const struct body *body)
{
    const piola_asset *asset = body_asset(world, body);
    struct pk_plastic *cells = world_plastic(world) + body->plastic_first;
    memset(cells, 0, body->plastic_count * sizeof *cells);
    for (uint64_t p = 0; asset->at.relaxations.count > 0 && p < asset->at.tet_packs.count; ++p) {
        const uint32_t material = asset_tet_pack_materials(asset)[p];
        const uint32_t cell = asset_tet_pack_plastic(asset)[p];
        for (uint32_t b = 0; b < asset_materials(asset)[material].branches; ++b)
            for (uint32_t lane = 0; lane < PK_LANES; ++lane)
                cells[cell + PK_RELAXING_RATES].e[1 + b][lane] =
                    asset_relaxations(asset)[material].share[b];
    }
}

/* The asset is known by its content. */
static void record_create(piola_world *world, const piola_body_desc *desc, piola_body body)
{
    piola_body_desc plain = *desc;
    const uint64_t asset = piola_asset_hash(desc->asset);
    const struct record_call call = {.kind = RECORDED_BODY_CREATE,
                                     .list_bytes = sizeof asset,
                                     .index = body.index,
                                     .generation = body.generation};
    plain.asset = NULL;
    record_call(world, &call, &plain, &asset);
}

piola_status piola_body_create(piola_world *world, const piola_body_desc *desc, piola_body *handle,
                               piola_error *error)
{
    IN_PLAIN_MODE;
    piola_status status = world_asked(world, desc ? &desc->cookie_ : NULL, COOKIE_BODY,
                                      "piola_body_desc", handle, "body", error);
    if (status == PIOLA_OK)
        status = check(desc, error);
    if (status != PIOLA_OK)
        return status;
    struct body body = {0};
    const char *field = "piola_body_desc.asset";
    status = families_check(world, desc, &field);
    if (status != PIOLA_OK) {
        world_count_dropped(world, field);
        return refuse(error, status, field);
    }
    if (!body_asset_fits(world, desc->asset))
        return refuse(error, PIOLA_ERROR_COMPILE_FOR, "piola_body_desc.asset");
    if (desc->asset->at.relaxations.count > 0 && !world_descends(&world->desc))
        return refuse(error, PIOLA_ERROR_SOLVER, "piola_body_desc.asset");
    /* Last what the world has no room for: a description that is wrong stays wrong in any world. */
    const uint32_t index = room_slot(world);
    if (index == world->desc.max_bodies) {
        ++world->dim[DIM_bodies].dropped;
        return refuse(error, PIOLA_ERROR_BODIES_FULL, "piola_world_desc.max_bodies");
    }
    status = room_find(world, desc->asset, &body, &field);
    if (status != PIOLA_OK)
        return refuse(error, status, field);
    status = piola_world_add_asset(world, desc->asset);
    if (status != PIOLA_OK)
        return refuse(error, status,
                      status == PIOLA_ERROR_RECORDING ? "piola_body_desc.asset"
                                                      : "piola_world_desc.max_assets");
    struct body *slot = &world_bodies(world)[index];
    body.generation = names_give(world, FIELD_body_names, index, slot->generation);
    body.flags = BODY_ALIVE;
    body.asset = asset_slot_of(world, desc->asset);
    memcpy(body.acceleration, desc->acceleration, sizeof body.acceleration);
    body.gravity_scale = desc->gravity_scale;
    body.damping = desc->damping;
    *slot = body;
    room_take(world, slot);
    place_particles(world, slot, desc);
    world_body_filters(world)[index] = filter_made(desc->category, desc->mask, desc->user_data);
    array_changed(world, FIELD_body_filters, FIELD_filter_marks, index);
    body_set_friction(world, index, desc->friction_static, desc->friction_kinetic);
    body_set_relative_damping(world, index, desc->relative_damping);
    families_set(world, index, desc);
    begin_history(world, slot);
    *handle = (piola_body){index + 1, body.generation};
    record_create(world, desc, *handle);
    return PIOLA_OK;
}

/* Unused elements are all zero, so that worlds that behave alike also look alike. */
static void wipe(piola_world *world, struct body *body)
{
    const size_t bytes = body->count * sizeof(struct pk_quad);
    memset(world_position(world) + body->first, 0, bytes);
    memset(world_velocity(world) + body->first, 0, bytes);
    loads_clear(world, body);
    pins_clear(world, body);
    if (world->dim[DIM_history].capacity)
        memset(world_older_position(world) + body->first, 0, bytes);
    if (world->dim[DIM_memory].capacity)
        memset(world_older_velocity(world) + body->first, 0, bytes);
    memset(world_plastic(world) + body->plastic_first, 0,
           body->plastic_count * sizeof(struct pk_plastic));
}

piola_status piola_body_destroy(piola_world *world, piola_body handle)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    struct body *body = body_find(world, handle);
    if (!body)
        return PIOLA_ERROR_STALE;
    rest_vacate(world, handle.index - 1);
    record_named(world, RECORDED_BODY_DESTROY, handle.index, handle.generation);
    families_set(world, handle.index - 1, NULL);
    wipe(world, body);
    world_body_filters(world)[handle.index - 1] = (struct filter){0, 0, 0};
    array_changed(world, FIELD_body_filters, FIELD_filter_marks, handle.index - 1);
    body_set_friction(world, handle.index - 1, -1, -1);
    body_set_relative_damping(world, handle.index - 1, 0);
    room_free(world, body);
    *body = (struct body){.generation = body->generation};
    world_ties(world)[handle.index - 1] = 0;
    return PIOLA_OK;
}
