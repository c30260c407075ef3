/* record.c - a record: for each step its commands and the hash of the state it led to.
 *
 * Layout: a header, then entries. A command entry is followed by the command; a step entry carries
 * the hash after the step. A record only ever grows by whole entries, so a full one is still valid.
 */
#include "world/record.h"
#include "base/float_mode.h"
#include "world/names.h"

#include <string.h>

#define RECORD_MAGIC   UINT64_C(0x3144434552414c50) /* "PLARECD1", little-endian */
#define RECORD_VERSION 4u

struct record_header {
    uint64_t magic;
    uint32_t version, reserved;
    uint64_t bytes; /* of the whole record */
    uint64_t start; /* hash of the state it begins from */
    uint64_t names; /* names_hash of the handles that its commands hold */
};

enum entry_kind { ENTRY_COMMAND = 1, ENTRY_STEP = 2 };

struct record_entry {
    uint32_t kind, reserved;
    union {
        uint64_t hash;
        piola_command command;
    } as;
};

static void append(piola_world *world, const struct record_entry *entry)
{
    struct record *r = &world->record;
    if (!r->memory || r->full)
        return;
    if (sizeof *entry > r->bytes - r->used) {
        r->full = true;
        return;
    }
    memcpy(r->memory + r->used, entry, sizeof *entry);
    r->used += sizeof *entry;
    const uint64_t bytes = r->used;
    memcpy(r->memory + offsetof(struct record_header, bytes), &bytes, sizeof bytes);
}

void record_command(piola_world *world, const piola_command *command)
{
    if (!world->record.memory)
        return;
    struct record_entry entry;
    memset(&entry, 0, sizeof entry);
    entry.kind = ENTRY_COMMAND;
    entry.as.command = *command;
    append(world, &entry);
}

void record_step(piola_world *world)
{
    if (!world->record.memory)
        return;
    struct record_entry entry;
    memset(&entry, 0, sizeof entry);
    entry.kind = ENTRY_STEP;
    entry.as.hash = piola_world_hash(world);
    append(world, &entry);
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
    const struct record_header header = {RECORD_MAGIC,  RECORD_VERSION,          0,
                                         sizeof header, piola_world_hash(world), names_hash(world)};
    memcpy(memory, &header, sizeof header);
    world->record = (struct record){memory, bytes, sizeof header, false};
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

static piola_status check(const piola_world *world, const unsigned char *memory, size_t bytes)
{
    struct record_header header;
    if (bytes < sizeof header)
        return PIOLA_ERROR_RECORD_FORMAT;
    memcpy(&header, memory, sizeof header);
    if (header.magic != RECORD_MAGIC || header.version != RECORD_VERSION || header.bytes > bytes ||
        header.bytes < sizeof header ||
        (header.bytes - sizeof header) % sizeof(struct record_entry) != 0)
        return PIOLA_ERROR_RECORD_FORMAT;
    for (size_t at = sizeof header; at < header.bytes; at += sizeof(struct record_entry)) {
        struct record_entry entry;
        memcpy(&entry, memory + at, sizeof entry);
        const bool known = entry.kind == ENTRY_STEP || entry.kind == ENTRY_COMMAND;
        if (!known || entry.reserved != 0 ||
            (entry.kind == ENTRY_COMMAND && command_check(&entry.as.command) != PIOLA_OK))
            return PIOLA_ERROR_RECORD_FORMAT;
    }
    const bool begins =
        header.start == piola_world_hash(world) && header.names == names_hash(world);
    return begins ? PIOLA_OK : PIOLA_ERROR_SNAPSHOT_WORLD;
}

/* Where the last step ends: a record that filled up may go on with commands of a step it has no
 * room for. */
static size_t last_step(const unsigned char *memory, size_t bytes)
{
    size_t end = sizeof(struct record_header);
    for (size_t at = end; at < bytes; at += sizeof(struct record_entry)) {
        struct record_entry entry;
        memcpy(&entry, memory + at, sizeof entry);
        if (entry.kind == ENTRY_STEP)
            end = at + sizeof entry;
    }
    return end;
}

piola_status piola_record_play(piola_world *world, const piola_tasks *tasks, const void *memory,
                               size_t bytes, uint64_t *first_difference)
{
    IN_PLAIN_MODE;
    piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!memory || !first_difference)
        return PIOLA_ERROR_NULL;
    if (world->record.memory)
        return PIOLA_ERROR_RECORDING;
    const unsigned char *from = memory;
    status = check(world, from, bytes);
    if (status != PIOLA_OK)
        return status;
    struct record_header header;
    memcpy(&header, from, sizeof header);
    struct command_count commands = {0, 0};
    uint64_t steps = 0;
    *first_difference = 0;
    const size_t end = last_step(from, (size_t)header.bytes);
    for (size_t at = sizeof header; at < end; at += sizeof(struct record_entry)) {
        struct record_entry entry;
        memcpy(&entry, from + at, sizeof entry);
        if (entry.kind == ENTRY_COMMAND) {
            commands_apply(world, &entry.as.command, &commands);
            continue;
        }
        step_with(world, tasks, commands, NULL, NULL);
        commands = (struct command_count){0, 0};
        ++steps;
        if (entry.as.hash != piola_world_hash(world)) {
            *first_difference = steps;
            return PIOLA_OK;
        }
    }
    return PIOLA_OK;
}
