/* snapshot.c - saving, restoring, comparing and hashing the state: all walks over the table of
 * fields.
 *
 * A snapshot is a header and then, for every STATE field, its elements in use; unused ones are zero
 * in every world. It holds no address.
 */
#include "hash.h"
#include "world.h"

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
static uint64_t stored(const piola_world *world, enum dimension dimension)
{
    const struct extent *extent = &world->dim[dimension];
    return dimension == DIM_bodies || dimension == DIM_assets ? extent->capacity : extent->used;
}

static size_t field_bytes(const piola_world *world, int field)
{
    const struct field_info *info = &world_fields[field];
    return (size_t)stored(world, info->dimension) * info->element;
}

static char *field_at(const piola_world *world, int field)
{
    return (char *)(uintptr_t)world + world->offset[field];
}

/* What two worlds must have in common for a snapshot of one to mean the same in the other. */
static uint64_t world_number(const piola_world *world)
{
    const piola_world_desc *d = &world->desc;
    const uint32_t settings[] = {d->max_bodies, d->max_assets,        d->max_particles,
                                 d->max_packs,  d->max_plastic_packs, d->substeps,
                                 d->iterations, (uint32_t)d->solver,  (uint32_t)d->integrator};
    const float values[] = {d->dt, d->relaxation, d->chebyshev};
    uint64_t number = hash_bytes(settings, sizeof settings, SNAPSHOT_VERSION);
    number = hash_join(number, hash_bytes(values, sizeof values, 0));
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
    uint64_t hash = 0;
    for (int i = 0; i < FIELD_COUNT; ++i)
        if (world_fields[i].kind == STATE)
            hash =
                hash_join(hash, hash_bytes(field_at(world, i), field_bytes(world, i), (uint64_t)i));
    return hash;
}

size_t piola_snapshot_size(const piola_world *world)
{
    if (world_check(world) != PIOLA_OK)
        return 0;
    size_t bytes = sizeof(struct snapshot_header);
    for (int i = 0; i < FIELD_COUNT; ++i)
        if (world_fields[i].kind == STATE)
            bytes += field_bytes(world, i);
    return bytes;
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
            memcpy(at, field_at(world, i), field_bytes(world, i));
            at += field_bytes(world, i);
        }
    for (int i = 0; i < DIMENSION_COUNT; ++i)
        header.used[i] = world->dim[i].used;
    memcpy(memory, &header, sizeof header);
    header.checksum = checksum(memory, needed);
    memcpy(memory, &header, sizeof header);
    return PIOLA_OK;
}

/* Checks the header against the world and the content against the header; `sizes` becomes a world
 * of the snapshot's extents, good only for field_bytes(). */
static piola_status check(const piola_world *world, const unsigned char *memory, size_t bytes,
                          piola_world *sizes)
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
    *sizes = *world;
    for (int i = 0; i < DIMENSION_COUNT; ++i) {
        if (header.used[i] > world->dim[i].capacity)
            return PIOLA_ERROR_SNAPSHOT_FORMAT;
        sizes->dim[i].used = header.used[i];
    }
    if (piola_snapshot_size(sizes) != header.bytes)
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    if (checksum(memory, (size_t)header.bytes) != header.checksum)
        return PIOLA_ERROR_SNAPSHOT_FORMAT;
    return PIOLA_OK;
}

/* Where a STATE field begins in the snapshot. */
static const unsigned char *stored_at(const unsigned char *memory, const piola_world *sizes,
                                      int field)
{
    const unsigned char *at = memory + sizeof(struct snapshot_header);
    for (int i = 0; i < field; ++i)
        if (world_fields[i].kind == STATE)
            at += field_bytes(sizes, i);
    return at;
}

static bool span_inside(const piola_world *world, enum dimension dimension, uint32_t first,
                        uint32_t count)
{
    return (uint64_t)first + count <= world->dim[dimension].capacity;
}

/* A checksum proves that bytes are unchanged, not that they are sane: nothing that is used as an
 * index is taken on trust. */
static bool bodies_fit(const piola_world *world, const unsigned char *bodies)
{
    const uint64_t *known = world_identities(world);
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        struct body b;
        memcpy(&b, bodies + i * sizeof b, sizeof b);
        if (!(b.flags & BODY_ALIVE))
            continue;
        if (b.asset >= world->desc.max_assets || known[b.asset] == 0)
            return false;
        const piola_asset *asset = world_assets(world)[b.asset].asset;
        const uint32_t packs = world->dim[DIM_packs].capacity ? asset->stats.packs : 0;
        if (b.count != asset->stats.particles || b.plastic_count != asset->plastic_cells ||
            b.packs_count != packs || b.first % PK_LANES != 0 ||
            !span_inside(world, DIM_particles, b.first, b.count) ||
            !span_inside(world, DIM_plastic, b.plastic_first, b.plastic_count) ||
            !span_inside(world, DIM_packs, b.packs_first, b.packs_count))
            return false;
    }
    return true;
}

piola_status piola_snapshot_restore(piola_world *world, const void *memory, size_t bytes)
{
    piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!memory)
        return PIOLA_ERROR_NULL;
    if (world->record.memory)
        return PIOLA_ERROR_RECORDING;
    piola_world sizes;
    status = check(world, memory, bytes, &sizes);
    if (status != PIOLA_OK)
        return status;
    if (memcmp(stored_at(memory, &sizes, FIELD_identities), world_identities(world),
               field_bytes(world, FIELD_identities)) != 0 ||
        !bodies_fit(world, stored_at(memory, &sizes, FIELD_bodies)))
        return PIOLA_ERROR_SNAPSHOT_WORLD;
    for (int i = 0; i < FIELD_COUNT; ++i) {
        if (world_fields[i].kind != STATE)
            continue;
        const size_t now = field_bytes(world, i), then = field_bytes(&sizes, i);
        memcpy(field_at(world, i), stored_at(memory, &sizes, i), then);
        if (now > then)
            memset(field_at(world, i) + then, 0, now - then);
    }
    bodies_recount(world);
    memcpy(world_start(world), world_position(world),
           (size_t)world->dim[DIM_particles].used * sizeof(struct pk_quad));
    return PIOLA_OK;
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
    piola_world sizes;
    status = check(world, memory, bytes, &sizes);
    if (status != PIOLA_OK)
        return status;
    *difference = (piola_difference){NULL, 0, 0};
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const struct field_info *info = &world_fields[i];
        if (info->kind != STATE)
            continue;
        const uint64_t now = stored(world, info->dimension), then = stored(&sizes, info->dimension);
        const uint64_t both = now < then ? now : then, either = now < then ? then : now;
        uint64_t first = both;
        const uint64_t n =
            count_differences(field_at(world, i), (const char *)stored_at(memory, &sizes, i), both,
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
