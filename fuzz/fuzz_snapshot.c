/* fuzz_snapshot.c - libFuzzer: a snapshot changed behind a checksum that is right again is refused,
 * and the world is as it was; or is so sound that the world can be stepped on.
 *
 * The input is a list of changes, eight bytes each: which 32-bit word, and its new value. (Changing
 * bytes alone would end at the checksum.)
 */
#include "base/hash.h"
#include "fuzz_world.h"

#include <stdlib.h>
#include <string.h>

#define CHECKSUM 32 /* where it is in a snapshot's header; of everything behind it */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void seal(unsigned char *snapshot, size_t bytes)
{
    const uint64_t sum = hash_bytes(snapshot + CHECKSUM + 8, bytes - CHECKSUM - 8, 1);
    memcpy(snapshot + CHECKSUM, &sum, sizeof sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char *sound, *changed;
    static size_t bytes;
    piola_world *world = fuzz_world();
    if (!sound) {
        bytes = piola_snapshot_size(world);
        sound = fuzz_block(bytes);
        changed = fuzz_block(bytes);
        if (piola_snapshot_save(world, sound, bytes) != PIOLA_OK)
            abort();
        memcpy(changed, sound, bytes);
        seal(changed, bytes);
        if (memcmp(changed, sound, bytes) != 0)
            abort(); /* the checksum is somewhere else now */
    }
    if (piola_snapshot_restore(world, sound, bytes) != PIOLA_OK)
        abort();
    const uint64_t before = piola_world_hash(world);
    memcpy(changed, sound, bytes);
    for (; size >= 8; data += 8, size -= 8) {
        uint32_t word;
        memcpy(&word, data, sizeof word);
        memcpy(changed + word % (bytes / 4) * 4, data + 4, 4);
    }
    seal(changed, bytes);
    if (piola_snapshot_restore(world, changed, bytes) == PIOLA_OK)
        (void)piola_world_step(world, NULL, NULL);
    else if (piola_world_hash(world) != before)
        abort();
    return 0;
}
