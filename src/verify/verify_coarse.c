/* verify_coarse.c - a stored asset's coarse level: nothing leads out of the matrix, the particles
 * or the groups, each vertex is moved once, and all numbers are finite. */
#include "compile/coarse_plan.h"
#include "verify/verify.h"

static bool check_counts(const struct open *o)
{
    const struct section_counts *c = &o->counts;
    const piola_asset *asset = o->asset;
    if (c->coarse_heads == 0) {
        return c->coarse_nodes + c->coarse_frames + c->cage_packs + c->coarse_pairs +
                   c->coarse_blocks + c->coarse_stiff ==
               0;
    }
    const struct pk_coarse *head = asset_coarse_heads(asset);
    return c->coarse_heads == 1 && head->reserved == 0 &&
           (c->tet_packs > 0 || c->triangle_visits > 0) && c->vertex_packs > 0 && head->nodes > 0 &&
           head->nodes == c->coarse_nodes && head->groups > 0 &&
           head->groups <= PK_LANES * c->coarse_frames &&
           head->groups > PK_LANES * (c->coarse_frames - 1) && c->coarse_stiff == c->particles &&
           head->damping >= 0 && head->damping <= 1e30F && head->nodes <= c->vertices &&
           coarse_doubles(head->matrix, head->nodes, head->groups,
                          c->tet_packs > 0 ? 0 : c->particles) <= PK_COARSE_DOUBLES * c->particles;
}

static bool check_nodes(const struct open *o)
{
    const struct pk_coarse *head = asset_coarse_heads(o->asset);
    const struct pk_coarse_node *node = asset_coarse_nodes(o->asset);
    uint64_t offset = 0;
    for (uint32_t i = 0; i < head->nodes; i++) {
        const bool rises = i == 0 || node[i].reach >= node[i - 1].reach;
        if (!rises || node[i].reach < i || node[i].reach >= head->nodes ||
            node[i].width != (3 * node[i].reach + 3 + 15) / 16 * 16 - 3 * i / 16 * 16 ||
            node[i].offset != offset || !(node[i].mass > 0) || !(node[i].mass <= 1e30F) ||
            !(node[i].strings >= 0) || !(node[i].strings <= 1e30F)) {
            return false;
        }
        offset += 3 * (uint64_t)node[i].width;
    }
    return offset == head->matrix;
}

/* Rising particles within a cell's packs would be more than is needed: that each vertex is there
 * just once follows from their number and from what one vertex's lanes are counted by. */
static bool check_cage(const struct open *o)
{
    const struct pk_coarse *head = asset_coarse_heads(o->asset);
    const struct pk_cage_pack *pack = asset_cage_packs(o->asset);
    uint64_t vertices = 0;
    for (uint64_t p = 0; p < o->counts.cage_packs; p++) {
        if (pack[p].count == 0 || pack[p].count > PK_LANES || pack[p].ends > 1 ||
            (p + 1 == o->counts.cage_packs && pack[p].ends == 0)) {
            return false;
        }
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            const unsigned as = lane < pack[p].count ? lane : pack[p].count - 1;
            if (pack[p].index[lane] >= o->vertices || pack[p].index[lane] != pack[p].index[as]) {
                return false;
            }
            for (unsigned k = 0; k < 3; k++) {
                const float in = pack[p].local[k][lane];
                if (!(in >= 0 && in <= 1) || in != pack[p].local[k][as]) {
                    return false;
                }
            }
        }
        for (unsigned c = 0; c < PK_CORNERS; c++) {
            if (pack[p].node[c] >= head->nodes ||
                (p > 0 && pack[p - 1].ends == 0 && pack[p].node[c] != pack[p - 1].node[c])) {
                return false;
            }
        }
        vertices += pack[p].count;
    }
    return vertices == o->vertices;
}

static bool check_pairs(const struct open *o)
{
    const struct pk_coarse *head = asset_coarse_heads(o->asset);
    const struct pk_coarse_node *node = asset_coarse_nodes(o->asset);
    const struct pk_coarse_pairs *pack = asset_coarse_pairs(o->asset);
    uint64_t blocks = 0;
    for (uint64_t p = 0; p < o->counts.coarse_pairs; p++) {
        if (pack[p].first != blocks || pack[p].used == 0 || pack[p].used > PK_LANES ||
            pack[p].count > o->counts.coarse_blocks - blocks ||
            !open_finite(pack[p].mass, 3 * (size_t)PK_LANES)) {
            return false;
        }
        for (unsigned lane = 0; lane < pack[p].used; lane++) {
            const uint32_t row = pack[p].row[lane], column = pack[p].column[lane];
            if (row >= column || column >= head->nodes || column > node[row].reach) {
                return false;
            }
        }
        blocks += pack[p].count;
    }
    for (uint64_t b = 0; b < o->counts.coarse_blocks; b++) {
        const struct pk_coarse_block *block = &asset_coarse_blocks(o->asset)[b];
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            if (block->group[lane] >= head->groups) {
                return false;
            }
        }
        if (!open_finite(block->k[0], 9 * (size_t)PK_LANES)) {
            return false;
        }
    }
    return blocks == o->counts.coarse_blocks;
}

static bool check_frames(const struct open *o)
{
    for (uint64_t p = 0; p < o->counts.coarse_frames; p++) {
        const struct pk_tet_pack *pack = &asset_coarse_frames(o->asset)[p];
        for (unsigned i = 0; i < 4; i++) {
            for (unsigned lane = 0; lane < PK_LANES; lane++) {
                if (pack->index[i][lane] >= o->vertices) {
                    return false;
                }
            }
        }
        if (!open_finite(pack->dm_inverse[0], 9 * (size_t)PK_LANES)) {
            return false;
        }
    }
    const float *stiffness = asset_coarse_stiffness(o->asset);
    for (uint64_t i = 0; i < o->counts.coarse_stiff; i++) {
        if (!(stiffness[i] >= 0) || !(stiffness[i] <= 1e30F)) {
            return false;
        }
    }
    return true;
}

bool open_check_coarse(const struct open *o)
{
    if (!check_counts(o)) {
        return false;
    }
    return o->counts.coarse_heads == 0 ||
           (check_nodes(o) && check_cage(o) && check_pairs(o) && check_frames(o));
}
