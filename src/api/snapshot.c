/* snapshot.c - saving, restoring, comparing and hashing the state: all walks over the table of
 * fields.
 *
 * A snapshot is a header and then, for every STATE field, its elements in use; unused ones are zero
 * in every world. It holds no address.
 */
#include "base/float_mode.h"
#include "base/hash.h"
#include "world/family.h"
#include "world/names.h"

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

/* Snapshots hold what the future depends on, what handles mean, and what the world was given, to
 * compare. */
static bool kept(int field)
{
    const enum field_kind kind = world_fields[field].kind;
    return kind == STATE || kind == NAMES || kind == IDENTITY;
}

/* Bodies and identities are stored whole, what grows up to the last element in use. */
static uint64_t stored(const struct extent *dims, int field)
{
    const struct field_info *info = &world_fields[field];
    const struct extent *extent = &dims[info->dimension];
    return info->dimension == DIM_bodies || info->kind == IDENTITY ? extent->capacity
                                                                   : extent->used;
}

static size_t field_bytes(const struct extent *dims, int field)
{
    return (size_t)stored(dims, field) * world_fields[field].element;
}

static size_t snapshot_bytes(const struct extent *dims)
{
    size_t bytes = sizeof(struct snapshot_header);
    for (int i = 0; i < FIELD_COUNT; ++i)
        if (kept(i))
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
    const uint32_t settings[] = {d->max_packs,
                                 world->described.substeps,
                                 world->described.iterations,
                                 d->max_substeps,
                                 d->max_iterations,
                                 (uint32_t)d->solver,
                                 (uint32_t)d->integrator,
                                 d->keep_momentum,
                                 d->guard_energy,
                                 d->couplings,
                                 d->max_link_packs,
                                 d->max_colliders,
                                 d->max_rigids,
                                 d->max_tools,
                                 d->max_contacts,
                                 d->max_contact_faces,
                                 d->coarse_level,
                                 d->contact_searches,
                                 d->contact_rounds,
                                 d->contact_tests,
                                 d->sleep};
    const float values[] = {d->contact_thickness, d->contact_friction, world->described.dt,
                            d->relaxation,        d->chebyshev,        d->air_density,
                            d->catch_up_speed,    d->sleep_speed,      d->sleep_time};
    uint64_t number = hash_bytes(settings, sizeof settings, SNAPSHOT_VERSION);
    number = hash_join(number, hash_bytes(values, sizeof values, 0));
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const struct field_info *info = &world_fields[i];
        const uint64_t size[] = {info->element, world->dim[info->dimension].capacity};
        if (kept(i))
            number = hash_join(number, hash_bytes(info->name, strlen(info->name),
                                                  hash_bytes(size, sizeof size, 0)));
    }
    return number;
}

static uint64_t field_hash(const piola_world *world, int field)
{
    const struct field_info *info = &world_fields[field];
    const uint64_t seed = hash_bytes(info->name, strlen(info->name), 0);
    const char *at = field_at(world, field);
    struct hash hash = hash_begin(seed);
    if (!names_in((enum field)field))
        return hash_bytes(at, field_bytes(world->dim, field), seed);
    for (uint64_t i = 0; i < stored(world->dim, field); ++i) {
        unsigned char blank[NAMED_BYTES];
        names_blank((enum field)field, at + i * info->element, blank);
        hash_more(&hash, blank, info->element);
    }
    return hash_end(&hash);
}

uint64_t piola_world_hash(const piola_world *world)
{
    if (world_check(world) != PIOLA_OK)
        return 0;
    /* Arrays by name, without empty ones: a new array leaves old hashes alone. So does a new kind
     * of rest data: identities are compared by snapshots, not hashed. */
    uint64_t hash = 0;
    for (int i = 0; i < FIELD_COUNT; ++i)
        if (world_fields[i].kind == STATE && field_bytes(world->dim, i) > 0)
            hash = hash_join(hash, field_hash(world, i));
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
        if (kept(i)) {
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
    if (dims[DIM_one].used != 1 || snapshot_bytes(dims) != header.bytes)
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    if (checksum(memory, (size_t)header.bytes) != header.checksum)
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    return PIOLA_OK;
}

/* Where the fields stand in a snapshot. */
static void lay_out(const unsigned char *memory, struct stored *from)
{
    const unsigned char *at = memory + sizeof(struct snapshot_header);
    for (int i = 0; i < FIELD_COUNT; ++i) {
        from->at[i] = kept(i) ? at : NULL;
        at += kept(i) ? field_bytes(from->dim, i) : 0;
    }
}

/* A checksum proves that bytes are unchanged, not that they make sense. */
static bool possible(const struct stored *from)
{
    bool valid = true;
    for (int i = 0; valid && i < FIELD_COUNT; ++i)
        valid = !world_fields[i].valid || world_fields[i].valid(from, (enum field)i);
    return valid && families_valid(from);
}

static bool same_identities(const struct stored *from)
{
    bool same = true;
    for (int i = 0; i < FIELD_COUNT; ++i)
        same =
            same && (world_fields[i].kind != IDENTITY ||
                     memcmp(from->at[i], field_at(from->world, i), field_bytes(from->dim, i)) == 0);
    return same;
}

/* Brings the world to the state of a snapshot that was checked. */
static void take(piola_world *world, const struct stored *from)
{
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const size_t now = field_bytes(world->dim, i), then = field_bytes(from->dim, i);
        if (world_fields[i].kind == NAMES)
            names_join(world, (enum field)i, from->at[i], stored(from->dim, i));
        if (world_fields[i].kind != STATE)
            continue;
        memcpy(field_at(world, i), from->at[i], then);
        if (now > then)
            memset(field_at(world, i) + then, 0, now - then);
    }
    for (int i = 0; i < FIELD_COUNT; ++i)
        if (world_fields[i].kind == STATE)
            dimension_use(world, world_fields[i].dimension,
                          from->dim[world_fields[i].dimension].used);
    bodies_recount(world);
    memcpy(world_start(world), world_position(world),
           (size_t)world->dim[DIM_particles].used * sizeof(struct pk_quad));
}

piola_status piola_snapshot_restore(piola_world *world, const void *memory, size_t bytes)
{
    IN_PLAIN_MODE;
    piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!memory)
        return PIOLA_ERROR_NULL;
    if (world->record.memory)
        return PIOLA_ERROR_RECORDING;
    struct stored from = {.world = world};
    status = check(world, memory, bytes, from.dim);
    if (status != PIOLA_OK)
        return status;
    lay_out(memory, &from);
    if (!same_identities(&from))
        return PIOLA_ERROR_SNAPSHOT_WORLD;
    world->scheduled = false; /* the check uses the schedule's memory */
    if (!possible(&from))
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    take(world, &from);
    return PIOLA_OK;
}

static uint64_t count_differences(enum field field, const char *a, const char *b, uint64_t count,
                                  uint64_t *first)
{
    const size_t size = world_fields[field].element;
    uint64_t n = 0;
    for (uint64_t i = 0; i < count; ++i)
        if (!names_same(field, a + i * size, b + i * size) && n++ == 0)
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
    struct stored from = {.world = world};
    status = check(world, memory, bytes, from.dim);
    if (status != PIOLA_OK)
        return status;
    lay_out(memory, &from);
    *difference = (piola_difference){NULL, 0, 0};
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const struct field_info *info = &world_fields[i];
        if (!kept(i) || info->kind == NAMES)
            continue;
        const uint64_t now = stored(world->dim, i), then = stored(from.dim, i);
        const uint64_t both = now < then ? now : then, either = now < then ? then : now;
        uint64_t first = both;
        const uint64_t n = count_differences((enum field)i, field_at(world, i),
                                             (const char *)from.at[i], both, &first) +
                           (either - both);
        if (n > 0 && !difference->field) {
            difference->field = info->name;
            difference->item = first;
        }
        difference->count += n;
    }
    return PIOLA_OK;
}
