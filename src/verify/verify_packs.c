/* verify_packs.c - a stored asset's element packs: every index in range, no two lanes on one
 * particle, unused lanes on their own cluster's dummies and without weight, ranges of clusters
 * without gap. */
#include "verify/verify.h"

/* The vertices of the used lanes are all different: a pack writes each particle once. `used` holds
 * a bit per lane. */
static bool lanes_apart(const pk_u32 (*index)[PK_LANES], unsigned corners, unsigned used)
{
    uint32_t seen[4 * PK_LANES];
    unsigned count = 0;
    for (unsigned lane = 0; lane < PK_LANES; lane++) {
        for (unsigned c = 0; c < corners && (used >> lane & 1) != 0; c++) {
            for (unsigned i = 0; i < count; i++)
                if (seen[i] == index[c][lane])
                    return false;
            seen[count++] = index[c][lane];
        }
    }
    return true;
}

/* All corners are vertices (returns 1), all are the expected dummies (0), or neither (2). */
static unsigned lane_use(const struct open *o, const pk_u32 (*index)[PK_LANES], unsigned lane,
                         const uint32_t *dummies, unsigned corners)
{
    unsigned vertices = 0, expected = 0;
    for (unsigned c = 0; c < corners; c++) {
        vertices += index[c][lane] < o->vertices;
        expected += index[c][lane] == dummies[c];
    }
    return vertices == corners ? 1 : expected == corners ? 0 : 2;
}

static bool check_tet_pack(const struct open *o, uint32_t pack, uint32_t dummy, uint64_t *found)
{
    const struct pk_tet_pack *p = &asset_tet_packs(o->asset)[pack];
    const uint32_t dummies[4] = {dummy, dummy + 1, dummy + 2, dummy + 3};
    unsigned used = 0;
    for (unsigned lane = 0; lane < PK_LANES; lane++) {
        const uint32_t tet = asset_tet_of_lane(o->asset)[(size_t)pack * PK_LANES + lane];
        const unsigned use = lane_use(o, p->index, lane, dummies, 4);
        const bool right = use == 1 ? tet < o->kind_count[KIND_TET] && p->volume[lane] > 0
                                    : tet == UINT32_MAX && p->volume[lane] == 0;
        if (use == 2 || !right)
            return false;
        used |= use << lane;
        *found += use;
    }
    return open_material_used(o, KIND_TET, asset_tet_pack_materials(o->asset)[pack]) &&
           open_finite(p->dm_inverse[0], 9 * PK_LANES) && open_finite(p->volume, PK_LANES) &&
           lanes_apart(p->index, 4, used);
}

static bool check_triangle_pack(const struct open *o, uint32_t pack, uint32_t dummy,
                                uint64_t *found)
{
    const struct pk_triangle_pack *p = &asset_triangle_packs(o->asset)[pack];
    const uint32_t dummies[3] = {dummy, dummy + 1, dummy + 3};
    unsigned used = 0;
    for (unsigned lane = 0; lane < PK_LANES; lane++) {
        const uint32_t triangle = asset_triangle_of_lane(o->asset)[(size_t)pack * PK_LANES + lane];
        const unsigned use = lane_use(o, p->index, lane, dummies, 3);
        const bool right = use == 1 ? triangle < o->kind_count[KIND_TRIANGLE] && p->area[lane] > 0
                                    : triangle == UINT32_MAX && p->area[lane] == 0;
        if (use == 2 || !right)
            return false;
        used |= use << lane;
        *found += use;
    }
    return open_material_used(o, KIND_TRIANGLE, asset_triangle_pack_materials(o->asset)[pack]) &&
           open_finite(p->dm_inverse[0], 4 * PK_LANES) && open_finite(p->area, PK_LANES) &&
           lanes_apart(p->index, 3, used);
}

static bool check_bend_pack(const struct open *o, uint32_t pack, uint32_t dummy, uint64_t *found)
{
    const struct pk_bend_pack *p = &asset_bend_packs(o->asset)[pack];
    const uint32_t dummies[4] = {dummy, dummy + 1, dummy + 2, dummy + 3};
    unsigned used = 0;
    for (unsigned lane = 0; lane < PK_LANES; lane++) {
        const unsigned use = lane_use(o, p->index, lane, dummies, 4);
        if (use == 2 || (use == 1 ? !(p->scale[lane] > 0) : p->scale[lane] != 0))
            return false;
        used |= use << lane;
        *found += use;
    }
    return open_material_used(o, KIND_BEND, asset_bend_pack_materials(o->asset)[pack]) &&
           open_finite(p->k[0], 4 * PK_LANES) && open_finite(p->scale, PK_LANES) &&
           open_finite(p->rest_angle, PK_LANES) && lanes_apart(p->index, 4, used);
}

/* A lane's numbers are a range of lengths and a compliance, all zero in an unused one. */
static bool link_lane_right(const struct pk_link_pack *p, unsigned lane, unsigned use)
{
    const float least = p->least[lane], most = p->most[lane], compliance = p->compliance[lane];
    if (use == 0)
        return least == 0 && most == 0 && compliance == 0;
    return least >= 0 && most >= least && most > 0 && compliance >= 0;
}

static bool check_link_pack(const struct open *o, uint32_t pack, uint32_t dummy, uint64_t *found)
{
    const struct pk_link_pack *p = &asset_link_packs(o->asset)[pack];
    const uint32_t dummies[2] = {dummy, dummy + 1};
    unsigned used = 0;
    for (unsigned lane = 0; lane < PK_LANES; lane++) {
        const unsigned use = lane_use(o, p->index, lane, dummies, 2);
        if (use == 2 || !link_lane_right(p, lane, use))
            return false;
        used |= use << lane;
        *found += use;
    }
    return open_finite(p->most, PK_LANES) && open_finite(p->compliance, PK_LANES) &&
           lanes_apart(p->index, 2, used);
}

/* Packs [first, first + count) follow those checked so far; `next` moves past them. */
static bool follows(uint32_t first, uint32_t count, uint64_t limit, uint32_t *next)
{
    if (first != *next || count > limit - *next)
        return false;
    *next += count;
    return true;
}

static bool check_clusters(const struct open *o)
{
    const struct asset_cluster *c = asset_clusters(o->asset);
    uint32_t tets = 0, triangles = 0, bends = 0, links = 0;
    uint64_t found[KIND_COUNT] = {0};
    for (uint32_t i = 0; i < o->counts.clusters; i++, c++) {
        const uint32_t dummy = o->first_dummy + 4 * i;
        bool good = follows(c->packs[KIND_TET].first, c->packs[KIND_TET].count, o->counts.tet_packs,
                            &tets) &&
                    follows(c->packs[KIND_TRIANGLE].first, c->packs[KIND_TRIANGLE].count,
                            o->counts.triangle_packs, &triangles) &&
                    follows(c->packs[KIND_BEND].first, c->packs[KIND_BEND].count,
                            o->counts.bend_packs, &bends) &&
                    follows(c->packs[KIND_LINK].first, c->packs[KIND_LINK].count,
                            o->counts.link_packs, &links);
        for (uint32_t pack = c->packs[KIND_TET].first; good && pack < tets; pack++)
            good = check_tet_pack(o, pack, dummy, &found[KIND_TET]);
        for (uint32_t pack = c->packs[KIND_TRIANGLE].first; good && pack < triangles; pack++)
            good = check_triangle_pack(o, pack, dummy, &found[KIND_TRIANGLE]);
        for (uint32_t pack = c->packs[KIND_BEND].first; good && pack < bends; pack++)
            good = check_bend_pack(o, pack, dummy, &found[KIND_BEND]);
        for (uint32_t pack = c->packs[KIND_LINK].first; good && pack < links; pack++)
            good = check_link_pack(o, pack, dummy, &found[KIND_LINK]);
        if (!good)
            return false;
    }
    for (unsigned kind = 0; kind < KIND_COUNT; kind++)
        if (o->counts.clusters > 0 && found[kind] != o->kind_count[kind])
            return false;
    return tets == o->counts.tet_packs && triangles == o->counts.triangle_packs &&
           bends == o->counts.bend_packs && links == o->counts.link_packs;
}

/* As many triangles are of limited materials as the statistics say. */
static bool check_limited(const struct open *o)
{
    uint64_t limited = 0;
    for (uint32_t pack = 0; pack < o->counts.triangle_packs; pack++) {
        const struct pk_material *m =
            asset_materials(o->asset) + asset_triangle_pack_materials(o->asset)[pack];
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            limited += (m->stretch_min > 0 || m->stretch_max > 0) &&
                       asset_triangle_packs(o->asset)[pack].area[lane] > 0;
        }
    }
    return limited == o->asset->stats.limited_triangles;
}

/* Packs with a history have cells numbered in their order, `cells` on; others have none. */
static bool cells_follow(const struct open *o, const uint32_t *materials, const uint32_t *list,
                         uint64_t packs, uint32_t *cells)
{
    for (uint64_t pack = 0; pack < packs; pack++) {
        const uint32_t own = asset_history(&asset_materials(o->asset)[materials[pack]]);
        if (list[pack] != (own > 0 ? *cells : UINT32_MAX) || own > UINT32_MAX - *cells)
            return false;
        *cells += own;
    }
    return true;
}

static bool check_plastic(const struct open *o)
{
    const piola_asset *a = o->asset;
    uint32_t cells = 0;
    return cells_follow(o, asset_tet_pack_materials(a), asset_tet_pack_plastic(a),
                        o->counts.tet_packs, &cells) &&
           cells_follow(o, asset_triangle_pack_materials(a), asset_triangle_pack_plastic(a),
                        o->counts.triangle_packs, &cells) &&
           cells_follow(o, asset_bend_pack_materials(a), asset_bend_pack_plastic(a),
                        o->counts.bend_packs, &cells) &&
           cells == a->plastic_cells;
}

bool open_check_packs(const struct open *o)
{
    return open_check_colour_list(asset_cluster_colours(o->asset), o->counts.cluster_colours1,
                                  o->counts.clusters) &&
           check_clusters(o) && check_limited(o) && check_plastic(o);
}
