/* snapshot.c - saving, restoring, comparing and hashing the state: all walks over the table of
 * fields.
 *
 * A snapshot is a header and then, for every STATE field, its elements in use; unused ones are zero
 * in every world. It holds no address.
 */
#include "api/snapshot_check.h"
#include "base/float_mode.h"
#include "base/hash.h"
#include "families/families.h"

#include <string.h>

#define SNAPSHOT_MAGIC   UINT64_C(0x31504e5341414c50) /* "PLAASNP1", little-endian */
#define SNAPSHOT_VERSION 1u

struct snapshot_header {
    uint64_t magic;
    uint32_t version, reserved;
    uint64_t bytes;                 /* of the whole snapshot */
    uint64_t world;                 /* number of the description it fits */
    uint64_t checksum;              /* of everything behind this field */
    uint64_t used[DIMENSION_COUNT]; /* elements of each dimension */
};

/* Fixed arrays are stored whole, growing ones up to the last element in use. */
static uint64_t stored(const struct extent *dims, enum dimension dimension)
{
    const struct extent *extent = &dims[dimension];
    const bool fixed =
        dimension == DIM_bodies || dimension == DIM_assets || dimension == DIM_shapes;
    return fixed ? extent->capacity : extent->used;
}

static size_t field_bytes(const struct extent *dims, int field)
{
    const struct field_info *info = &world_fields[field];
    return (size_t)stored(dims, info->dimension) * info->element;
}

static size_t snapshot_bytes(const struct extent *dims)
{
    size_t bytes = sizeof(struct snapshot_header);
    for (int i = 0; i < FIELD_COUNT; ++i)
        if (world_fields[i].kind == STATE)
            bytes += field_bytes(dims, i);
    return bytes;
}

static char *field_at(const piola_world *world, int field)
{
    return (char *)(uintptr_t)world + world->offset[field];
}

/* What two worlds must have in common for a snapshot of one to mean the same in the other. */
static uint64_t world_number(const piola_world *world)
{
    const piola_world_desc *d = &world->desc;
    const uint32_t settings[] = {
        d->max_bodies,           d->max_assets,    d->max_particles,      d->max_packs,
        d->max_plastic_packs,    d->substeps,      d->iterations,         (uint32_t)d->solver,
        (uint32_t)d->integrator, d->keep_momentum, d->couplings,          d->max_link_packs,
        d->max_attachments,      d->max_colliders, d->max_rigids,         d->max_contacts,
        d->max_contact_faces,    d->max_shapes,    d->max_contact_events, d->max_wind_nodes,
        d->vertex_forces};
    const float values[] = {d->contact_thickness, d->contact_friction, d->dt,
                            d->relaxation,        d->chebyshev,        d->air_density};
    uint64_t number = hash_bytes(settings, sizeof settings, SNAPSHOT_VERSION);
    number = hash_join(number, hash_bytes(values, sizeof values, 0));
    if (d->coarse_level)
        number = hash_join(number, 1);
    for (int i = 0; i < FIELD_COUNT; ++i)
        if (world_fields[i].kind == STATE)
            number =
                hash_join(number, hash_bytes(world_fields[i].name, strlen(world_fields[i].name),
                                             world_fields[i].element));
    return number;
}

uint64_t piola_world_hash(const piola_world *world)
{
    if (world_check(world) != PIOLA_OK)
        return 0;
    /* Arrays by name, without empty ones: a new array leaves old hashes alone. So does a new kind
     * of rest data: the assets' identities are compared by snapshots, not hashed. */
    uint64_t hash = 0;
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const size_t bytes = field_bytes(world->dim, i);
        const char *name = world_fields[i].name;
        if (world_fields[i].kind == STATE && bytes > 0 && i != FIELD_identities &&
            i != FIELD_shape_identities)
            hash = hash_join(
                hash, hash_bytes(field_at(world, i), bytes, hash_bytes(name, strlen(name), 0)));
    }
    return hash;
}

size_t piola_snapshot_size(const piola_world *world)
{
    return world_check(world) == PIOLA_OK ? snapshot_bytes(world->dim) : 0;
}

static uint64_t checksum(const unsigned char *memory, size_t bytes)
{
    const size_t from = offsetof(struct snapshot_header, used);
    return hash_bytes(memory + from, bytes - from, SNAPSHOT_VERSION);
}

piola_status piola_snapshot_save(const piola_world *world, void *memory, size_t bytes)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!memory)
        return PIOLA_ERROR_NULL;
    const size_t needed = piola_snapshot_size(world);
    if (bytes < needed)
        return PIOLA_ERROR_MEMORY;
    struct snapshot_header header = {
        SNAPSHOT_MAGIC, SNAPSHOT_VERSION, 0, needed, world_number(world), 0, {0}};
    unsigned char *at = (unsigned char *)memory + sizeof header;
    for (int i = 0; i < FIELD_COUNT; ++i)
        if (world_fields[i].kind == STATE) {
            memcpy(at, field_at(world, i), field_bytes(world->dim, i));
            at += field_bytes(world->dim, i);
        }
    for (int i = 0; i < DIMENSION_COUNT; ++i)
        header.used[i] = world->dim[i].used;
    memcpy(memory, &header, sizeof header);
    header.checksum = checksum(memory, needed);
    memcpy(memory, &header, sizeof header);
    return PIOLA_OK;
}

/* Checks the header against the world and the bytes against the header; `dims` becomes the
 * snapshot's extents. Reads nothing that piola_world_push writes. */
static piola_status check(const piola_world *world, const unsigned char *memory, size_t bytes,
                          struct extent dims[DIMENSION_COUNT])
{
    struct snapshot_header header;
    if (bytes < sizeof header)
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    memcpy(&header, memory, sizeof header);
    if (header.magic != SNAPSHOT_MAGIC || header.version != SNAPSHOT_VERSION ||
        header.reserved != 0 || header.bytes > bytes || header.bytes < sizeof header)
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    if (header.world != world_number(world))
        return PIOLA_ERROR_SNAPSHOT_WORLD;
    for (int i = 0; i < DIMENSION_COUNT; ++i) {
        dims[i] = world->dim[i];
        if (header.used[i] > dims[i].capacity)
            return PIOLA_ERROR_SNAPSHOT_FORMAT;
        dims[i].used = header.used[i];
    }
    /* What no world is without. */
    if (dims[DIM_one].used != 1 || dims[DIM_air].used != dims[DIM_air].capacity ||
        snapshot_bytes(dims) != header.bytes)
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    if (checksum(memory, (size_t)header.bytes) != header.checksum)
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    return PIOLA_OK;
}

/* Where a STATE field begins in the snapshot. */
static const unsigned char *stored_at(const unsigned char *memory, const struct extent *dims,
                                      int field)
{
    const unsigned char *at = memory + sizeof(struct snapshot_header);
    for (int i = 0; i < field; ++i)
        if (world_fields[i].kind == STATE)
            at += field_bytes(dims, i);
    return at;
}

static struct stored_state state_of(const unsigned char *memory, const struct extent *dims)
{
    return (struct stored_state){
        .clock = stored_at(memory, dims, FIELD_clock),
        .bodies = stored_at(memory, dims, FIELD_bodies),
        .streams = {stored_at(memory, dims, FIELD_position),
                    stored_at(memory, dims, FIELD_velocity),
                    stored_at(memory, dims, FIELD_older_position),
                    stored_at(memory, dims, FIELD_older_velocity)},
        .lengths = {dims[DIM_particles].used, dims[DIM_particles].used, dims[DIM_history].used,
                    dims[DIM_memory].used},
        .loads = stored_at(memory, dims, FIELD_load),
        .load_length = dims[DIM_loads].used,
        .attachments = stored_at(memory, dims, FIELD_attachments),
        .attached = dims[DIM_attachments].used,
        .pressures = stored_at(memory, dims, FIELD_body_pressure),
        .pressurised = dims[DIM_pressurised].used,
        .weather = stored_at(memory, dims, FIELD_weather),
        .body_air = stored_at(memory, dims, FIELD_body_air),
        .airborne = dims[DIM_airborne].used,
        .wind_grid = stored_at(memory, dims, FIELD_wind_grid),
        .wind_nodes = stored_at(memory, dims, FIELD_wind_nodes),
        .wind_grids = dims[DIM_wind_grids].used,
        .wind_node_length = dims[DIM_wind_nodes].used,
        .surface_settings = stored_at(memory, dims, FIELD_surface_settings),
        .coated = dims[DIM_surface_settings].used,
        .plastic = stored_at(memory, dims, FIELD_plastic),
        .plastic_length = dims[DIM_plastic].used,
        .colliders = stored_at(memory, dims, FIELD_colliders),
        .collider_length = dims[DIM_colliders].used,
        .rigids = stored_at(memory, dims, FIELD_rigids),
        .rigid_length = dims[DIM_rigids].used,
        .events = stored_at(memory, dims, FIELD_contact_events),
        .event_length = dims[DIM_contact_events].used,
        .grips = stored_at(memory, dims, FIELD_grips),
        .gripped = dims[DIM_grips].used,
        .watches = stored_at(memory, dims, FIELD_watches),
        .watched = dims[DIM_watches].used,
    };
}

static piola_status snapshot_restore_in_mode(piola_world *world, const void *memory, size_t bytes)
{
    piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!memory)
        return PIOLA_ERROR_NULL;
    if (world->record.memory)
        return PIOLA_ERROR_RECORDING;
    struct extent dims[DIMENSION_COUNT];
    status = check(world, memory, bytes, dims);
    if (status != PIOLA_OK)
        return status;
    if (memcmp(stored_at(memory, dims, FIELD_identities), world_identities(world),
               field_bytes(world->dim, FIELD_identities)) != 0 ||
        memcmp(stored_at(memory, dims, FIELD_shape_identities), world_shape_identities(world),
               field_bytes(world->dim, FIELD_shape_identities)) != 0)
        return PIOLA_ERROR_SNAPSHOT_WORLD;
    const struct stored_state state = state_of(memory, dims);
    world->scheduled = false; /* the check uses the schedule's memory */
    if (!snapshot_valid(world, &state))
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    for (int i = 0; i < FIELD_COUNT; ++i) {
        if (world_fields[i].kind != STATE)
            continue;
        const size_t now = field_bytes(world->dim, i), then = field_bytes(dims, i);
        memcpy(field_at(world, i), stored_at(memory, dims, i), then);
        if (now > then)
            memset(field_at(world, i) + then, 0, now - then);
    }
    bodies_recount(world);
    dimension_use(world, DIM_contact_events, dims[DIM_contact_events].used);
    dimension_use(world, DIM_grips, dims[DIM_grips].used);
    dimension_use(world, DIM_watches, dims[DIM_watches].used);
    dimension_use(world, DIM_wind_grids, dims[DIM_wind_grids].used);
    dimension_use(world, DIM_wind_nodes, dims[DIM_wind_nodes].used);
    memcpy(world_start(world), world_position(world),
           (size_t)world->dim[DIM_particles].used * sizeof(struct pk_quad));
    return PIOLA_OK;
}

piola_status piola_snapshot_restore(piola_world *world, const void *memory, size_t bytes)
{
    const uint64_t mode = float_mode_enter_plain();
    const piola_status status = snapshot_restore_in_mode(world, memory, bytes);
    float_mode_leave(mode);
    return status;
}

static uint64_t count_differences(const char *a, const char *b, uint64_t count, size_t element,
                                  uint64_t *first)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < count; ++i)
        if (memcmp(a + i * element, b + i * element, element) != 0 && n++ == 0)
            *first = i;
    return n;
}

piola_status piola_snapshot_compare(const piola_world *world, const void *memory, size_t bytes,
                                    piola_difference *difference)
{
    piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!memory || !difference)
        return PIOLA_ERROR_NULL;
    struct extent dims[DIMENSION_COUNT];
    status = check(world, memory, bytes, dims);
    if (status != PIOLA_OK)
        return status;
    *difference = (piola_difference){NULL, 0, 0};
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const struct field_info *info = &world_fields[i];
        if (info->kind != STATE)
            continue;
        const uint64_t now = stored(world->dim, info->dimension),
                       then = stored(dims, info->dimension);
        const uint64_t both = now < then ? now : then, either = now < then ? then : now;
        uint64_t first = both;
        const uint64_t n =
            count_differences(field_at(world, i), (const char *)stored_at(memory, dims, i), both,
                              info->element, &first) +
            (either - both);
        if (n > 0 && !difference->field) {
            difference->field = info->name;
            difference->item = first;
        }
        difference->count += n;
    }
    return PIOLA_OK;
}
