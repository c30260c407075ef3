/* verify_tethers.c - a stored asset's tethers: packs without gap, anchors that are vertices. */
#include "verify/verify.h"

static bool check_lane(const struct open *o, const struct pk_tether_pack *pack, uint32_t lane,
                       uint32_t particle, uint64_t *found)
{
    const uint32_t anchor = pack->anchor[lane];
    if (anchor == particle) {
        return pack->length[lane] == 0;
    }
    ++*found;
    return particle < o->vertices && anchor < o->vertices && pack->length[lane] >= 0;
}

bool open_check_tethers(const struct open *o)
{
    const uint32_t *first = asset_tether_first(o->asset);
    const uint64_t packs = o->counts.tether_packs, groups = o->counts.particles / PK_LANES;
    uint64_t found = 0;
    if (packs == 0) {
        return o->counts.tether_groups1 == 0 && o->asset->stats.tethers == 0;
    }
    if (o->counts.tether_groups1 != groups + 1 || first[0] != 0 || first[groups] != packs) {
        return false;
    }
    for (uint32_t group = 0; group < groups; group++) {
        if (first[group + 1] < first[group] || first[group + 1] - first[group] > PLAN_TETHERS ||
            first[group + 1] > packs) {
            return false;
        }
        for (uint32_t i = first[group]; i < first[group + 1]; i++) {
            const struct pk_tether_pack *pack = &asset_tethers(o->asset)[i];
            for (uint32_t lane = 0; lane < PK_LANES; lane++) {
                if (!check_lane(o, pack, lane, PK_LANES * group + lane, &found)) {
                    return false;
                }
            }
            if (!open_finite(pack->length, PK_LANES)) {
                return false;
            }
        }
    }
    return found == o->asset->stats.tethers;
}
