/* fuzz_record.c - libFuzzer: any entries behind a record's header are refused, and the world is as
 * it was; or are played, whatever they tell the bodies.
 *
 * The header is sound, and so is of each entry what tells commands and steps apart; a step's hash
 * is right by chance alone, so that most records end with their first one.
 */
#include "fuzz_world.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH 16 /* where the record's length is in its header */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned char record[1 << 16];
static size_t head, entry;

/* A record of no steps is its header, and one of one step has an entry more. */
static void measure(piola_world *world)
{
    size_t both = 0;
    if (piola_record_begin(world, record, sizeof record) != PIOLA_OK ||
        piola_record_end(world, &head) != PIOLA_OK ||
        piola_record_begin(world, record, sizeof record) != PIOLA_OK ||
        piola_world_step(world, NULL, NULL) != PIOLA_OK ||
        piola_record_end(world, &both) != PIOLA_OK)
        abort();
    entry = both - head;
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
        measure(world);
    }
    size_t used = 0;
    if (piola_snapshot_restore(world, sound, bytes) != PIOLA_OK ||
        piola_record_begin(world, record, sizeof record) != PIOLA_OK ||
        piola_record_end(world, &used) != PIOLA_OK)
        abort();
    for (; size >= entry && used + entry <= sizeof record; data += entry, size -= entry) {
        const uint32_t kind = data[0] < 220 ? 1 : 2, none = 0;
        memcpy(record + used, data, entry);
        memcpy(record + used, &kind, sizeof kind);
        memcpy(record + used + 4, data[0] == 255 ? data : (const uint8_t *)&none, 4);
        used += entry;
    }
    const uint64_t length = used, before = piola_world_hash(world);
    memcpy(record + LENGTH, &length, sizeof length);
    if (piola_record_play(world, NULL, record, used, &different) != PIOLA_OK &&
        piola_world_hash(world) != before)
        abort();
    return 0;
}
