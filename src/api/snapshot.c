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

#define SNAPSHOT_MAGIC UINT64_C(0x31504e5341414c50) /* "PLAASNP1", little-endian */
#define ROLLBACK_MAGIC                                                                             \
    UINT64_C(0x314c4c524f414c50) /* "PLAORLL1": without a checksum of what follows */
#define SNAPSHOT_VERSION 1u

struct snapshot_header {
    uint64_t magic;
    uint32_t version, reserved;
    uint64_t bytes;                 /* of the whole snapshot */
    uint64_t world;                 /* number of the description it fits */
    uint64_t checksum;              /* of everything behind this field */
    uint64_t used[DIMENSION_COUNT]; /* elements of each dimension */
};

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
        if (field_kept(i))
            bytes += field_bytes(dims, i);
    return bytes;
}

static char *field_at(const piola_world *world, int field)
{
    return (char *)(uintptr_t)world + world->offset[field];
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

_Static_assert(sizeof(struct snapshot_header) <= sizeof(struct piola_world),
               "a world's block has room for a snapshot of it");
size_t piola_snapshot_size(const piola_world *world)
{
    return world_check(world) == PIOLA_OK ? snapshot_bytes(world->dim) : 0;
}

static uint64_t checksum(const unsigned char *memory, size_t bytes)
{
    const size_t from = offsetof(struct snapshot_header, used);
    return hash_bytes(memory + from, bytes - from, SNAPSHOT_VERSION);
}

/* The header of a snapshot of now; its checksum is still to come. */
static struct snapshot_header header_of(const piola_world *world, uint64_t magic, size_t bytes)
{
    struct snapshot_header header = {magic, SNAPSHOT_VERSION, 0, bytes, world->number, 0, {0}};
    for (int i = 0; i < DIMENSION_COUNT; ++i)
        header.used[i] = world->dim[i].used;
    return header;
}

/* All fields that are kept, one behind the other, behind the header. */
static piola_status save(const piola_world *world, uint64_t magic, void *memory, size_t bytes)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!memory)
        return PIOLA_ERROR_NULL;
    const size_t needed = snapshot_bytes(world->dim);
    if (bytes < needed)
        return PIOLA_ERROR_MEMORY;
    struct snapshot_header header = header_of(world, magic, needed);
    unsigned char *at = (unsigned char *)memory + sizeof header;
    for (int i = 0; i < FIELD_COUNT; ++i)
        if (field_kept(i)) {
            memcpy(at, field_at(world, i), field_bytes(world->dim, i));
            at += field_bytes(world->dim, i);
        }
    memcpy(memory, &header, sizeof header);
    header.checksum = checksum(memory, magic == ROLLBACK_MAGIC ? sizeof header : needed);
    memcpy(memory, &header, sizeof header);
    return PIOLA_OK;
}

piola_status piola_snapshot_save(const piola_world *world, void *memory, size_t bytes)
{
    return save(world, SNAPSHOT_MAGIC, memory, bytes);
}

piola_status piola_rollback_save(const piola_world *world, void *memory, size_t bytes)
{
    return save(world, ROLLBACK_MAGIC, memory, bytes);
}

/* Checks the header against the world and the bytes against the header; `dims` becomes the
 * snapshot's extents. Reads nothing that piola_world_push writes. */
static piola_status check(const piola_world *world, uint64_t magic, const unsigned char *memory,
                          size_t bytes, struct extent dims[DIMENSION_COUNT])
{
    struct snapshot_header header;
    if (bytes < sizeof header)
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    memcpy(&header, memory, sizeof header);
    if (header.magic != magic || header.version != SNAPSHOT_VERSION || header.reserved != 0 ||
        header.bytes > bytes || header.bytes < sizeof header)
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    if (header.world != world->number)
        return PIOLA_ERROR_SNAPSHOT_WORLD;
    for (int i = 0; i < DIMENSION_COUNT; ++i) {
        dims[i] = world->dim[i];
        if (header.used[i] > dims[i].capacity)
            return PIOLA_ERROR_SNAPSHOT_FORMAT;
        dims[i].used = header.used[i];
    }
    if (dims[DIM_one].used != 1 || snapshot_bytes(dims) != header.bytes)
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    const size_t summed = magic == ROLLBACK_MAGIC ? sizeof header : (size_t)header.bytes;
    return checksum(memory, summed) == header.checksum ? PIOLA_OK : PIOLA_ERROR_SNAPSHOT_FORMAT;
}

/* Where the fields stand in a snapshot. */
static void lay_out(const unsigned char *memory, struct stored *from)
{
    const unsigned char *at = memory + sizeof(struct snapshot_header);
    for (int i = 0; i < FIELD_COUNT; ++i) {
        from->at[i] = field_kept(i) ? at : NULL;
        at += field_kept(i) ? field_bytes(from->dim, i) : 0;
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

/* Who moves is put at its substep's start by the substep itself. */
static void start_where_still(const piola_world *world)
{
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        const struct body *body = &world_bodies(world)[i];
        if ((body->flags & BODY_ALIVE) && (body->flags & BODY_STILL))
            memcpy(world_start(world) + body->first, world_position(world) + body->first,
                   body->count * sizeof(struct pk_quad));
    }
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
    start_where_still(world);
}

static piola_status restore(piola_world *world, uint64_t magic, const void *memory, size_t bytes)
{
    piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!memory)
        return PIOLA_ERROR_NULL;
    if (world->record.memory)
        return PIOLA_ERROR_RECORDING;
    struct stored from = {.world = world};
    status = check(world, magic, memory, bytes, from.dim);
    if (status != PIOLA_OK)
        return status;
    lay_out(memory, &from);
    if (!same_identities(&from))
        return PIOLA_ERROR_SNAPSHOT_WORLD;
    world->scheduled = false; /* the check uses the schedule's memory */
    if (magic != ROLLBACK_MAGIC && !possible(&from))
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    take(world, &from);
    return PIOLA_OK;
}

piola_status piola_snapshot_restore(piola_world *world, const void *memory, size_t bytes)
{
    IN_PLAIN_MODE;
    return restore(world, SNAPSHOT_MAGIC, memory, bytes);
}

piola_status piola_rollback_restore(piola_world *world, const void *memory, size_t bytes)
{
    IN_PLAIN_MODE;
    return restore(world, ROLLBACK_MAGIC, memory, bytes);
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
    status = check(world, SNAPSHOT_MAGIC, memory, bytes, from.dim);
    if (status != PIOLA_OK)
        return status;
    lay_out(memory, &from);
    *difference = (piola_difference){NULL, 0, 0};
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const struct field_info *info = &world_fields[i];
        if (!field_kept(i) || info->kind == NAMES)
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
