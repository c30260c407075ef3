/* fuzz_record.c - libFuzzer: any inputs in a record's steps, under seals that are right, are
 * refused, and the world is as it was before the first; or are played, whatever they tell the
 * bodies.
 *
 * A step's hash is right by chance alone, so that most records end with their first one.
 */
#include "fuzz_world.h"
#include "world/record.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static _Alignas(8) unsigned char record[1 << 16];

/* One step of any inputs; the kinds of commands and calls are sound more often than by chance. */
static void add_step(size_t *used, const uint8_t *data, size_t size, uint64_t *before)
{
    struct record_head head = {.bytes = (uint32_t)size};
    unsigned char *inputs = record + *used + sizeof head;
    memcpy(inputs, data, size);
    if (size >= 4) {
        const uint32_t kind = data[0] < 160 ? 1 + data[0] % (PIOLA_COMMAND_COUNT - 1u)
                                            : RECORDED_CALLS + 1 + data[0] % 14u;
        memcpy(inputs, &kind, sizeof kind);
        if (kind > RECORDED_CALLS && size >= 8) {
            const uint32_t desc = record_desc_bytes((enum recorded)kind);
            memcpy(inputs + 4, &desc, sizeof desc);
        }
    }
    head.head_seal = record_head_seal(head.bytes, *before);
    head.seal = record_seal(inputs, size, *before);
    memcpy(record + *used, &head, sizeof head);
    *before = head.seal;
    *used += sizeof head + size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void *sound;
    static size_t bytes;
    piola_world *world = fuzz_world();
    uint64_t different = 0;
    if (!sound) {
        bytes = piola_snapshot_size(world);
        sound = fuzz_block(bytes);
        if (piola_snapshot_save(world, sound, bytes) != PIOLA_OK)
            abort();
    }
    size_t used = 0;
    if (piola_snapshot_restore(world, sound, bytes) != PIOLA_OK ||
        piola_record_begin(world, record, sizeof record) != PIOLA_OK ||
        piola_record_end(world, &used) != PIOLA_OK)
        abort();
    struct record_header header;
    memcpy(&header, record, sizeof header);
    uint64_t before = header.seal;
    while (size > 1 && used + sizeof(struct record_head) + 1024 <= sizeof record) {
        const size_t step = 4 * (size_t)data[0] < size ? 4 * (size_t)data[0] : size & ~(size_t)3;
        add_step(&used, data + 1, step < size ? step : size - 1, &before);
        data += 1 + (step < size ? step : size - 1);
        size -= 1 + (step < size ? step : size - 1);
    }
    const uint64_t hash = piola_world_hash(world);
    piola_replay replay;
    if (piola_replay_begin(&replay, world, record, used, NULL) != PIOLA_OK &&
        piola_world_hash(world) != hash)
        abort();
    (void)piola_record_play(world, NULL, record, used, &different, NULL);
    return 0;
}
