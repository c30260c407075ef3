/* verify_visits.c - a stored asset's vertex packs: every index in range, no lane looks at another
 * lane's vertex, lanes without a vertex or a visit on their cluster's dummies, ranges without gap.
 */
#include "verify/verify.h"

#include "kernels/models.h"

#include <stddef.h>
#include <string.h>

/* A vertex pack being checked, and what was found in the packs so far. */
struct state {
    const struct open *o;
    const struct pk_vertex_pack *pack;
    uint32_t dummy;                /* the cluster's first */
    unsigned used;                 /* a bit per lane that has a vertex */
    uint32_t next[PK_VISIT_KINDS]; /* first slot of the next pack */
    uint64_t found, visits[PK_VISIT_KINDS];
};

/* What the lanes of a slot look at: vertices that no other lane of the pack moves, or dummies; only
 * dummies in a lane without a vertex. */
static bool others_apart(const struct state *s, const pk_u32 (*other)[PK_LANES], unsigned corners)
{
    for (unsigned c = 0; c < corners; c++) {
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            const uint32_t index = other[c][lane];
            if (index >= s->o->vertices) {
                if (index < s->dummy || index >= s->dummy + 3)
                    return false;
                continue;
            }
            if ((s->used >> lane & 1) == 0)
                return false;
            for (unsigned i = 0; i < PK_LANES; i++)
                if (index == s->pack->self[i])
                    return false;
        }
    }
    return true;
}

/* Weights are zero in lanes that look at dummies, never negative; counts the visits. */
static bool weights_right(struct state *s, unsigned kind, const pk_u32 *other, const float *weight)
{
    for (unsigned lane = 0; lane < PK_LANES; lane++) {
        if (!(weight[lane] >= 0) || (weight[lane] > 0 && other[lane] >= s->o->vertices))
            return false;
        s->visits[kind] += weight[lane] > 0;
    }
    return true;
}

/* A slot's plastic cells are cells of the asset, or none. */
static bool cells_exist(const struct state *s, const uint32_t *list, uint32_t slot)
{
    const uint64_t cells = (uint64_t)s->o->asset->plastic_cells * PK_LANES;
    for (unsigned lane = 0; lane < PK_LANES; lane++) {
        const uint32_t cell = list[(size_t)slot * PK_LANES + lane];
        if (cell != UINT32_MAX && cell >= cells)
            return false;
    }
    return true;
}

/* ... and hold all that the lane's material looks up in them. */
static bool histories_fit(const struct state *s, const struct pk_visit *v, uint32_t slot)
{
    const uint32_t *list = asset_visit_plastic(s->o->asset);
    for (unsigned lane = 0; lane < PK_LANES; lane++) {
        const uint32_t own = asset_history(&asset_materials(s->o->asset)[v->material[lane]]);
        if (own > 0 && s->o->counts.visit_lanes == 0)
            return false;
        const uint32_t cell = own > 0 ? list[(size_t)slot * PK_LANES + lane] : UINT32_MAX;
        if (cell != UINT32_MAX && own > s->o->asset->plastic_cells - cell / PK_LANES)
            return false;
    }
    return true;
}

/* Of a slot of folds: never negative, none where a lane looks at dummies. */
static bool dampings_right(const struct state *s, const struct pk_fold_visit *v, uint32_t slot)
{
    const float *damping = asset_fold_damping(s->o->asset) + (size_t)slot * PK_LANES;
    for (unsigned lane = 0; lane < PK_LANES; lane++)
        if (!(damping[lane] >= 0) || (damping[lane] > 0 && v->other[0][lane] >= s->o->vertices))
            return false;
    return open_finite(damping, PK_LANES);
}

static bool check_tet_visit(struct state *s, uint32_t slot)
{
    if (s->o->counts.visits_snh > 0) {
        const struct pk_visit_snh *v = &asset_visits_snh(s->o->asset)[slot];
        return others_apart(s, v->other, 3) && open_finite(v->k[0], 3 * PK_LANES) &&
               open_finite(v->alpha, PK_LANES) && open_finite(v->beta, PK_LANES) &&
               weights_right(s, PK_VISIT_TET, v->other[0], v->beta);
    }
    const struct pk_visit *v = &asset_visits(s->o->asset)[slot];
    for (unsigned lane = 0; lane < PK_LANES; lane++)
        if (!open_material_used(s->o, KIND_TET, v->material[lane]))
            return false;
    return (s->o->counts.visit_lanes == 0 ||
            cells_exist(s, asset_visit_plastic(s->o->asset), slot)) &&
           histories_fit(s, v, slot) && others_apart(s, v->other, 3) &&
           open_finite(v->r[0], 9 * PK_LANES) && open_finite(v->volume, PK_LANES) &&
           weights_right(s, PK_VISIT_TET, v->other[0], v->volume);
}

static bool check_triangle_visit(struct state *s, uint32_t slot)
{
    const struct pk_triangle_visit *v = &asset_triangle_visits(s->o->asset)[slot];
    const uint32_t only = s->o->asset->sheet_material;
    for (unsigned lane = 0; lane < PK_LANES; lane++)
        if (!open_material_used(s->o, KIND_TRIANGLE, v->material[lane]) ||
            (only != UINT32_MAX && v->material[lane] != only && v->area[lane] > 0))
            return false;
    return (s->o->counts.triangle_visit_lanes == 0 ||
            cells_exist(s, asset_triangle_visit_plastic(s->o->asset), slot)) &&
           others_apart(s, v->other, 2) && open_finite(v->r[0], 4 * PK_LANES) &&
           open_finite(v->area, PK_LANES) &&
           weights_right(s, PK_VISIT_TRIANGLE, v->other[0], v->area);
}

/* An entry may weigh nothing: what tells a lane without one is the dummy. */
static bool check_bend_visit(struct state *s, uint32_t slot)
{
    const struct pk_bend_row *row = &asset_bend_rows(s->o->asset)[slot];
    for (unsigned lane = 0; lane < PK_LANES; lane++)
        if (row->other[lane] >= s->o->vertices && row->weight[lane] != 0)
            return false;
    return others_apart(s, &row->other, 1) && open_finite(row->weight, PK_LANES);
}

static bool check_fold_visit(struct state *s, uint32_t slot)
{
    const struct pk_fold_visit *v = &asset_fold_visits(s->o->asset)[slot];
    for (unsigned lane = 0; lane < PK_LANES; lane++)
        if (v->edge[lane] > 1)
            return false;
    return (s->o->counts.fold_visit_lanes == 0 ||
            cells_exist(s, asset_fold_visit_plastic(s->o->asset), slot)) &&
           (s->o->counts.fold_damping_lanes == 0 || dampings_right(s, v, slot)) &&
           others_apart(s, v->other, 3) && open_finite(v->weight, PK_LANES) &&
           open_finite(v->rest_angle, PK_LANES) &&
           weights_right(s, PK_VISIT_FOLD, v->other[0], v->weight);
}

/* Each lane moves a vertex of its own or the cluster's dummy. */
static bool check_self(struct state *s)
{
    s->used = 0;
    for (unsigned lane = 0; lane < PK_LANES; lane++) {
        const uint32_t self = s->pack->self[lane];
        if (self >= s->o->vertices) {
            if (self != s->dummy + 3)
                return false;
            continue;
        }
        for (unsigned i = 0; i < lane; i++)
            if (s->pack->self[i] == self)
                return false;
        s->used |= 1u << lane;
        s->found++;
    }
    for (unsigned lane = 0; lane < PK_LANES; lane++)
        if (!(s->pack->bending[lane] >= 0))
            return false;
    return open_finite(s->pack->laplacian, PK_LANES) && open_finite(s->pack->bending, PK_LANES);
}

/* Slots of a kind that the asset has. */
static uint64_t slots_of(const struct section_counts *c, unsigned kind)
{
    static const size_t at[PK_VISIT_KINDS] = {
#define X(NAME, name, section, ...) [PK_VISIT_##NAME] = offsetof(struct section_counts, section),
        VISITS(X)
#undef X
    };
    uint64_t count;
    memcpy(&count, (const char *)c + at[kind], sizeof count);
    return kind == PK_VISIT_TET ? count + c->visits_snh : count;
}

/* A pack's slots of each kind follow those of the packs before it. */
static bool check_pack(struct state *s)
{
    static bool (*const check[PK_VISIT_KINDS])(struct state *, uint32_t) = {
#define X(NAME, name, ...) [PK_VISIT_##NAME] = check_##name##_visit,
        VISITS(X)
#undef X
    };
    if (!check_self(s))
        return false;
    for (unsigned kind = 0; kind < PK_VISIT_KINDS; kind++) {
        const struct pk_run run = s->pack->visits[kind];
        if (run.first != s->next[kind] || run.count > slots_of(&s->o->counts, kind) - run.first)
            return false;
        s->next[kind] += run.count;
    }
    for (unsigned kind = 0; kind < PK_VISIT_KINDS; kind++) {
        const struct pk_run run = s->pack->visits[kind];
        for (uint32_t i = 0; i < run.count; i++)
            if (!check[kind](s, run.first + i))
                return false;
    }
    return true;
}

static bool check_totals(const struct state *s)
{
    for (unsigned kind = 0; kind < PK_VISIT_KINDS; kind++)
        if (s->next[kind] != slots_of(&s->o->counts, kind))
            return false;
    return s->found == s->o->vertices &&
           s->visits[PK_VISIT_TET] == 4 * (uint64_t)s->o->kind_count[KIND_TET] &&
           s->visits[PK_VISIT_TRIANGLE] == 3 * (uint64_t)s->o->kind_count[KIND_TRIANGLE];
}

/* A body that says it is plain cloth is. */
static bool check_sheet(const struct open *o)
{
    const uint32_t material = o->asset->sheet_material;
    if (material == UINT32_MAX)
        return true;
    if (o->kind_count[KIND_TET] > 0 || !open_material_used(o, KIND_TRIANGLE, material))
        return false;
    const struct pk_material *m = &asset_materials(o->asset)[material];
    return o->counts.fold_visits == 0 && model_strain((int)m->model) && m->damping == 0 &&
           m->yield == 0 && m->branches == 0;
}

bool open_check_visits(const struct open *o)
{
    const struct section_counts *c = &o->counts;
    struct state s = {.o = o};
    uint64_t next = 0;
    if (!check_sheet(o) || !open_check_colour_list(asset_vertex_cluster_colours(o->asset),
                                                   c->vertex_cluster_colours1, c->vertex_clusters))
        return false;
    for (uint32_t i = 0; i < c->vertex_clusters; i++) {
        const struct asset_cluster *cluster = &asset_vertex_clusters(o->asset)[i];
        const struct pk_run packs = cluster->packs[KIND_VERTEX];
        if (packs.first != next || packs.count > c->vertex_packs - next ||
            cluster->packs[KIND_TRIANGLE].count != 0 || cluster->packs[KIND_BEND].count != 0)
            return false;
        next += packs.count;
        s.dummy = o->first_dummy + 4 * ((uint32_t)c->clusters + i);
        for (uint32_t pack = packs.first; pack < next; pack++) {
            s.pack = &asset_vertex_packs(o->asset)[pack];
            if (!check_pack(&s))
                return false;
        }
    }
    if (next != c->vertex_packs)
        return false;
    return c->vertex_clusters > 0
               ? check_totals(&s)
               : c->visits + c->visits_snh + c->triangle_visits + c->bend_rows + c->fold_visits ==
                     0;
}
