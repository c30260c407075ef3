/* asset.c - what a caller may ask a compiled asset. How one is made: plan.c, build.c; how a stored
 * one is checked: verify.c. */
#include "asset/asset.h"

size_t piola_asset_bytes(const piola_asset *asset)
{
    return asset == NULL ? 0 : (size_t)asset->bytes;
}

uint64_t piola_asset_hash(const piola_asset *asset)
{
    return asset == NULL ? 0 : asset->checksum;
}

piola_status piola_asset_inspect(const piola_asset *asset, piola_asset_stats *stats)
{
    if (asset == NULL || stats == NULL) {
        return PIOLA_ERROR_NULL;
    }
    *stats = asset->stats;
    return PIOLA_OK;
}

const uint32_t *piola_asset_surface(const piola_asset *asset, uint32_t *triangle_count)
{
    if (triangle_count != NULL) {
        *triangle_count = asset == NULL ? 0 : asset->stats.surface_triangles;
    }
    return asset == NULL ? NULL : asset_surface(asset);
}

struct asset_strains asset_strains(const piola_asset *asset)
{
    struct asset_strains strains = {false, false, 0};
    for (uint64_t i = 0; i < asset->at.materials.count && asset->at.visits.count > 0; i++) {
        const struct pk_material *m = &asset_materials(asset)[i];
        strains.began = strains.began || (m->damping > 0 && m->branches == 0);
        strains.held = strains.held || m->yield > 0;
    }
    strains.packs = asset->at.visits.count * ((unsigned)strains.began + (unsigned)strains.held);
    return strains;
}
