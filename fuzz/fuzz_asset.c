/* fuzz_asset.c - libFuzzer: a compiled asset changed behind a checksum that is right again is
 * refused, or is so sound that a body of it can be stepped.
 *
 * The input is a list of changes, eight bytes each: which 32-bit word of a good asset, and its new
 * value. (Changing the asset's bytes themselves would end at the checksum.)
 */
#include "compile/build.h"
#include "fuzz_box.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void *sound, *changed;
static size_t asset_bytes;

static void step(const piola_asset *asset)
{
    piola_asset_stats stats;
    piola_world_desc desc = piola_world_desc_default();
    piola_body_desc body = piola_body_desc_default();
    piola_world *world = NULL;
    piola_body handle;
    size_t bytes = 0;
    fuzz_must(piola_asset_inspect(asset, &stats));
    desc.max_particles = stats.particles;
    desc.max_plastic_packs = stats.plastic_packs;
    desc.iterations = 1;
    body.asset = asset;
    if (piola_world_size(&desc, &bytes, NULL) != PIOLA_OK || bytes > (size_t)1 << 26)
        return;
    void *memory = fuzz_block(bytes);
    if (piola_world_create(&desc, memory, bytes, &world, NULL) == PIOLA_OK &&
        piola_body_create(world, &body, &handle, NULL) == PIOLA_OK)
        (void)piola_world_step(world, NULL, NULL);
    free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const piola_asset *asset = NULL;
    if (!sound) {
        sound = fuzz_box(&asset_bytes);
        changed = fuzz_block(asset_bytes);
    }
    memcpy(changed, sound, asset_bytes);
    for (; size >= 8; data += 8, size -= 8) {
        uint32_t word;
        memcpy(&word, data, sizeof word);
        memcpy((char *)changed + word % (asset_bytes / 4) * 4, data + 4, 4);
    }
    struct piola_asset *header = changed;
    if (header->bytes != asset_bytes)
        return 0; /* the checksum would read past the end; piola_asset_open looks first */
    header->checksum = asset_checksum(header);
    if (piola_asset_open(changed, asset_bytes, &asset, NULL) == PIOLA_OK)
        step(asset);
    return 0;
}
