/* record.c - writes a record, between steps and in them: record.h.
 *
 * Behind the whole steps stands the one that is under way, with room before it for its head. What
 * does not fit ends the record at the last whole step.
 */
#include "world/record.h"
#include "base/hash.h"
#include "world/names.h"

#include <string.h>

uint32_t record_desc_bytes(enum recorded kind)
{
    switch (kind) {
    case RECORDED_BODY_CREATE:
        return sizeof(piola_body_desc);
    case RECORDED_BODY_POSITIONS:
    case RECORDED_BODY_VELOCITIES:
        return sizeof(struct recorded_vertices);
    case RECORDED_TRACTION_CREATE:
        return sizeof(piola_traction_desc);
    case RECORDED_WIND_GRID:
        return sizeof(piola_wind_grid_desc);
    case RECORDED_ATTACHMENT_CREATE:
        return sizeof(piola_attachment_desc);
    case RECORDED_COLLIDER_CREATE:
        return sizeof(piola_collider_desc);
    case RECORDED_RIGID_CREATE:
        return sizeof(piola_rigid_desc);
    case RECORDED_TOOL_CREATE:
        return sizeof(piola_tool_desc);
    case RECORDED_JOINT_CREATE:
        return sizeof(piola_joint_desc);
    default:
        return 0;
    }
}

uint32_t record_sizes(void)
{
    uint64_t sizes = 0;
    for (uint32_t kind = RECORDED_CALLS; kind < RECORDED_END; ++kind)
        sizes = hash_join(sizes, record_desc_bytes((enum recorded)kind));
    for (uint32_t kind = 0; kind < PIOLA_COMMAND_COUNT; ++kind)
        sizes = hash_join(sizes, command_bytes(kind));
    return (uint32_t)sizes;
}

uint64_t record_seal(const void *inputs, size_t bytes, uint64_t before)
{
    return hash_bytes(inputs, bytes, before);
}

uint32_t record_head_seal(uint32_t bytes, uint64_t before)
{
    return (uint32_t)hash_join(before, bytes);
}

uint64_t record_header_seal(const struct record_header *header)
{
    return hash_bytes(header, offsetof(struct record_header, seal), RECORD_VERSION);
}

static void append(struct record *r, const void *data, size_t bytes)
{
    if (r->full || bytes == 0)
        return;
    if (r->open > r->bytes || bytes > r->bytes - r->open ||
        r->open + bytes - r->used > UINT32_MAX) {
        r->full = true;
        return;
    }
    memcpy(r->memory + r->open, data, bytes);
    r->open += bytes;
}

void record_command(piola_world *world, const piola_command *command)
{
    struct record *r = &world->record;
    if (!r->memory)
        return;
    append(r, &command->kind, sizeof command->kind);
    append(r, &command->as, command_bytes(command->kind));
}

void record_call(piola_world *world, const struct record_call *call, const void *desc,
                 const void *list)
{
    struct record *r = &world->record;
    if (!r->memory)
        return;
    struct record_call whole = *call;
    whole.desc_bytes = record_desc_bytes((enum recorded)call->kind);
    append(r, &whole, sizeof whole);
    append(r, desc, whole.desc_bytes);
    append(r, list, (size_t)whole.list_bytes);
}

void record_step(piola_world *world)
{
    struct record *r = &world->record;
    if (!r->memory)
        return;
    const uint64_t hash = piola_world_hash(world);
    append(r, &hash, sizeof hash);
    if (r->full)
        return;
    const size_t from = r->used + sizeof(struct record_head);
    const uint32_t bytes = (uint32_t)(r->open - from);
    const struct record_head head = {bytes, record_head_seal(bytes, r->seal),
                                     record_seal(r->memory + from, bytes, r->seal)};
    memcpy(r->memory + r->used, &head, sizeof head);
    r->seal = head.seal;
    r->used = r->open;
    r->open += sizeof head;
}

piola_status piola_record_begin(piola_world *world, void *memory, size_t bytes)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!memory)
        return PIOLA_ERROR_NULL;
    if (world->record.memory)
        return PIOLA_ERROR_RECORDING;
    if (bytes < sizeof(struct record_header))
        return PIOLA_ERROR_MEMORY;
    struct record_header header = {
        RECORD_MAGIC, RECORD_VERSION, record_sizes(), piola_world_hash(world), names_hash(world), 0,
    };
    header.seal = record_header_seal(&header);
    memcpy(memory, &header, sizeof header);
    world->record = (struct record){.memory = memory,
                                    .bytes = bytes,
                                    .used = sizeof header,
                                    .open = sizeof header + sizeof(struct record_head),
                                    .seal = header.seal};
    return PIOLA_OK;
}

piola_status piola_record_drain(piola_world *world, void *to, size_t bytes, size_t *moved)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!to || !moved)
        return PIOLA_ERROR_NULL;
    struct record *r = &world->record;
    if (!r->memory)
        return PIOLA_ERROR_RECORD_FORMAT;
    const size_t n = bytes < r->used ? bytes : r->used;
    const size_t end = r->open < r->bytes ? r->open : r->bytes;
    memcpy(to, r->memory, n);
    memmove(r->memory, r->memory + n, end - n);
    r->used -= n;
    r->open -= n;
    *moved = n;
    return PIOLA_OK;
}

piola_status piola_record_end(piola_world *world, size_t *bytes_used)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!world->record.memory)
        return PIOLA_ERROR_RECORD_FORMAT;
    if (bytes_used)
        *bytes_used = world->record.used;
    const bool full = world->record.full;
    world->record = (struct record){0};
    return full ? PIOLA_ERROR_RECORD_FULL : PIOLA_OK;
}
