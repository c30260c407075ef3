/* body.c - the life of bodies: handles, assets known to a world, room for particles, rest shape in
 * place.
 *
 * Only between steps. What happens to a body in a step: step.c and the phases. Reading and writing
 * its vertices: body_data.c.
 */
#include "base/cookies.h"
#include "base/float_mode.h"
#include "world/family.h"
#include "world/loads.h"

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

void bodies_recount(piola_world *world)
{
    const struct body *bodies = world_bodies(world);
    uint64_t alive = 0, particles = 0, plastic = 0, packs = 0, assets = 0, links = 0;
    world->particle_count = 0;
    struct asset_slot *slots = world_assets(world);
    for (uint32_t i = 0; i < world->desc.max_assets; ++i) {
        assets += slots[i].asset != NULL;
        slots[i].users = 0;
    }
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        const struct body *b = &bodies[i];
        if (!(b->flags & BODY_ALIVE))
            continue;
        ++alive;
        ++slots[b->asset].users;
        world->particle_count += b->count;
        /* Used means: up to the last one in use, for that is what snapshots and hashes cover. */
        particles = b->first + b->count > particles ? b->first + b->count : particles;
        if (b->plastic_first + b->plastic_count > plastic)
            plastic = b->plastic_first + b->plastic_count;
        packs = b->packs_first + b->packs_count > packs ? b->packs_first + b->packs_count : packs;
        links += body_asset(world, b)->stats.link_packs;
    }
    dimension_use(world, DIM_bodies, alive);
    dimension_use(world, DIM_assets, assets);
    dimension_use(world, DIM_particles, particles);
    static const enum dimension like_particles[] = {DIM_history, DIM_memory, DIM_iterates,
                                                    DIM_coarse, DIM_forces};
    if (world->dim[DIM_externals].capacity)
        dimension_use(world, DIM_externals, (world_descends(&world->desc) ? 3u : 1u) * particles);
    for (size_t i = 0; i < sizeof like_particles / sizeof *like_particles; ++i)
        if (world->dim[like_particles[i]].capacity)
            dimension_use(world, like_particles[i], particles);
    dimension_use(world, DIM_plastic, plastic);
    dimension_use(world, DIM_packs, packs);
    dimension_use(world, DIM_links, links);
    loads_recount(world);
    filters_recount(world, DIM_body_filters, world_body_filters(world));
    families_recount(world);
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

static piola_status asset_check(const piola_asset *asset)
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
        status = asset_check(asset);
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
    bodies_recount(world);
    return PIOLA_OK;
}

piola_status piola_world_add_asset(piola_world *world, const piola_asset *asset)
{
    uint32_t slot = 0;
    const piola_status status = find_slot(world, asset, &slot);
    if (status != PIOLA_OK)
        return status;
    if (slot == world->desc.max_assets)
        return PIOLA_ERROR_ASSETS_FULL;
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

static piola_status fail(piola_error *error, piola_status status, const char *field)
{
    if (error)
        *error = (piola_error){.status = status, .field = field};
    return status;
}

static piola_status check(const piola_body_desc *d, piola_error *error)
{
    if (!d)
        return fail(error, PIOLA_ERROR_NULL, "piola_body_desc");
    if (d->cookie_ != COOKIE_BODY)
        return fail(error, PIOLA_ERROR_COOKIE, "piola_body_desc");
    const piola_status status = asset_check(d->asset);
    if (status != PIOLA_OK)
        return fail(error, status, "piola_body_desc.asset");
    const struct {
        const float *values;
        int count;
        const char *field;
    } rows[] = {
        {d->position, 3, "piola_body_desc.position"},
        {d->rotation, 4, "piola_body_desc.rotation"},
        {d->velocity, 3, "piola_body_desc.velocity"},
        {d->angular_velocity, 3, "piola_body_desc.angular_velocity"},
        {d->acceleration, 3, "piola_body_desc.acceleration"},
        {&d->gravity_scale, 1, "piola_body_desc.gravity_scale"},
        {&d->damping, 1, "piola_body_desc.damping"},
        {&d->drag, 1, "piola_body_desc.drag"},
        {&d->lift, 1, "piola_body_desc.lift"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int k = 0; k < rows[i].count; ++k) {
            const float value = rows[i].values[k];
            if (!(value - value == 0))
                return fail(error, PIOLA_ERROR_NOT_FINITE, rows[i].field);
            if (!(value >= -1e9f && value <= 1e9f))
                return fail(error, PIOLA_ERROR_RANGE, rows[i].field);
        }
    if (d->damping < 0)
        return fail(error, PIOLA_ERROR_RANGE, "piola_body_desc.damping");
    if ((uint32_t)d->untangle >= PIOLA_UNTANGLE_COUNT)
        return fail(error, PIOLA_ERROR_RANGE, "piola_body_desc.untangle");
    if (!(d->drag >= 0 && d->drag <= 1e4f))
        return fail(error, PIOLA_ERROR_RANGE, "piola_body_desc.drag");
    if (!(d->lift >= 0 && d->lift <= 1e4f))
        return fail(error, PIOLA_ERROR_RANGE, "piola_body_desc.lift");
    double norm = 0;
    for (int k = 0; k < 4; ++k)
        norm += (double)d->rotation[k] * (double)d->rotation[k];
    if (!(norm > 0.99 && norm < 1.01))
        return fail(error, PIOLA_ERROR_RANGE, "piola_body_desc.rotation");
    return PIOLA_OK;
}

struct span body_span(const struct body *body, enum span_of what)
{
    switch (what) {
    case SPAN_PLASTIC:
        return (struct span){body->plastic_first, body->plastic_count};
    case SPAN_PACKS:
        return (struct span){body->packs_first, body->packs_count};
    default:
        return (struct span){body->first, body->count};
    }
}

/* First place at or after `at` where `count` elements are free. Each round either ends or moves
 * past a body, so there are at most as many rounds as bodies. */
static uint64_t first_fit(const piola_world *world, enum span_of what, uint32_t count)
{
    const struct body *bodies = world_bodies(world);
    uint64_t at = 0;
    for (uint32_t round = 0; round <= world->desc.max_bodies; ++round) {
        bool moved = false;
        for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
            const struct span s = body_span(&bodies[i], what);
            if (!(bodies[i].flags & BODY_ALIVE) || s.count == 0)
                continue;
            if (at < (uint64_t)s.first + s.count && s.first < at + count) {
                at = (uint64_t)s.first + s.count;
                moved = true;
            }
        }
        if (!moved)
            break;
    }
    return at;
}

/* Room for `count` elements: behind all others while that lasts, else in the first gap. */
static bool find_room(const piola_world *world, enum span_of what, enum dimension dimension,
                      uint32_t count, uint32_t *first)
{
    const struct extent *extent = &world->dim[dimension];
    if (count == 0 || extent->capacity == 0) {
        *first = 0;
        return count == 0;
    }
    uint64_t at = extent->used;
    if (at + count > extent->capacity)
        at = first_fit(world, what, count);
    *first = (uint32_t)at;
    return at + count <= extent->capacity;
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

static uint32_t free_body(const piola_world *world)
{
    const struct body *bodies = world_bodies(world);
    uint32_t i = 0;
    while (i < world->desc.max_bodies && (bodies[i].flags & BODY_ALIVE))
        ++i;
    return i;
}

/* Measuring walks over element packs, whatever the solver. A body of triangles alone has no packs.
 */
bool body_asset_fits(const piola_world *world, const piola_asset *asset)
{
    const bool packs = !world_descends(&world->desc) || world_measures_objective(&world->desc);
    const bool has_packs = (asset->families & PIOLA_FAMILY_PROJECTION) != 0;
    const bool has_visits = (asset->families & PIOLA_FAMILY_DESCENT) != 0;
    return (!packs || has_packs) && (!world_descends(&world->desc) || has_visits) &&
           asset->stats.cluster_colours <= MAX_COLOURS &&
           asset->stats.vertex_cluster_colours <= MAX_COLOURS;
}

static uint64_t surface_faces(const piola_world *world)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        if (world_bodies(world)[i].flags & BODY_ALIVE)
            sum += body_asset(world, &world_bodies(world)[i])->stats.surface_triangles;
    return sum;
}

/* Finds room for everything the body needs; nothing is changed yet. */
static piola_status reserve(const piola_world *world, const piola_asset *asset, struct body *body)
{
    if (!body_asset_fits(world, asset))
        return PIOLA_ERROR_FAMILY;
    if (world->desc.max_contacts > 0 &&
        surface_faces(world) + asset->stats.surface_triangles > world->desc.max_contact_faces)
        return PIOLA_ERROR_CONTACTS_FULL;
    body->count = asset->stats.particles;
    body->plastic_count = asset->plastic_cells;
    body->packs_count = world->dim[DIM_packs].capacity ? asset->stats.packs : 0;
    if (world->desc.solver == PIOLA_SOLVER_COMPLIANT && asset->stats.packs > 0 &&
        body->packs_count == 0)
        return PIOLA_ERROR_PACKS_FULL;
    const struct extent *links = &world->dim[DIM_links];
    if (asset->stats.link_packs > links->capacity - links->used)
        return PIOLA_ERROR_PACKS_FULL;
    if (!find_room(world, SPAN_PARTICLES, DIM_particles, body->count, &body->first))
        return PIOLA_ERROR_PARTICLES_FULL;
    if (!find_room(world, SPAN_PLASTIC, DIM_plastic, body->plastic_count, &body->plastic_first) ||
        !find_room(world, SPAN_PACKS, DIM_packs, body->packs_count, &body->packs_first))
        return PIOLA_ERROR_PACKS_FULL;
    return PIOLA_OK;
}

static piola_status body_create_in_mode(piola_world *world, const piola_body_desc *desc,
                                        piola_body *handle, piola_error *error)
{
    piola_status status = world_check(world);
    if (status != PIOLA_OK || !handle)
        return fail(error, handle ? status : PIOLA_ERROR_NULL, handle ? "world" : "body");
    status = check(desc, error);
    if (status != PIOLA_OK)
        return status;
    if (world->record.memory)
        return fail(error, PIOLA_ERROR_RECORDING, "world");
    const uint32_t index = free_body(world);
    if (index == world->desc.max_bodies)
        return fail(error, PIOLA_ERROR_BODIES_FULL, "piola_world_desc.max_bodies");
    struct body body = {0};
    const char *field = "piola_body_desc.asset";
    status = families_check(world, desc, &field);
    if (status != PIOLA_OK)
        return fail(error, status, field);
    status = reserve(world, desc->asset, &body);
    if (status != PIOLA_OK)
        return fail(error, status, "piola_body_desc.asset");
    status = piola_world_add_asset(world, desc->asset);
    if (status != PIOLA_OK)
        return fail(error, status, "piola_body_desc.asset");
    struct body *slot = &world_bodies(world)[index];
    body.generation = slot->generation + 1;
    body.flags = BODY_ALIVE;
    body.asset = asset_slot_of(world, desc->asset);
    memcpy(body.acceleration, desc->acceleration, sizeof body.acceleration);
    body.gravity_scale = desc->gravity_scale;
    body.damping = desc->damping;
    *slot = body;
    place_particles(world, slot, desc);
    world_body_filters(world)[index] = filter_made(desc->category, desc->mask, desc->user_data);
    families_set(world, index, desc);
    memset(world_plastic(world) + body.plastic_first, 0,
           body.plastic_count * sizeof(struct pk_plastic));
    bodies_recount(world);
    *handle = (piola_body){index + 1, body.generation};
    return PIOLA_OK;
}

piola_status piola_body_create(piola_world *world, const piola_body_desc *desc, piola_body *handle,
                               piola_error *error)
{
    const uint64_t mode = float_mode_enter_plain();
    const piola_status status = body_create_in_mode(world, desc, handle, error);
    float_mode_leave(mode);
    return status;
}

/* Unused elements are all zero, so that worlds that behave alike also look alike. */
static void wipe(piola_world *world, struct body *body)
{
    const size_t bytes = body->count * sizeof(struct pk_quad);
    memset(world_position(world) + body->first, 0, bytes);
    memset(world_velocity(world) + body->first, 0, bytes);
    loads_clear(world, body);
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
    if (world->record.memory)
        return PIOLA_ERROR_RECORDING;
    families_set(world, handle.index - 1, NULL);
    wipe(world, body);
    world_body_filters(world)[handle.index - 1] = (struct filter){0, 0, 0};
    *body = (struct body){.generation = body->generation};
    world_ties(world)[handle.index - 1] = 0;
    bodies_recount(world);
    return PIOLA_OK;
}
