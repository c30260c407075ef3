/* tether_sections.c - tethers of an asset: what a description says of them, the packs that are
 * written of what was found, what must hold of stored ones. A pack: 16 consecutive particles each,
 * a particle's nearest anchor in its last pack, since what is held last is held exactly and a short
 * tether shows most.
 */
#include "families/limits/tethers.h"

#include "base/refuse.h"
#include "compile/build.h"
#include "verify/verify.h"

/* Single precision must not make a tether shorter than the rest shape. */
#define ROUNDING  1e-6

#define SLACK_MIN 0.1
#define SLACK_MAX 100.0

static piola_status check_counts(const piola_mesh_desc *mesh, piola_error *error)
{
    if (mesh->tether_anchor_count > mesh->vertex_count)
        return refuse(error, PIOLA_ERROR_TOO_LARGE, "piola_mesh_desc.tether_anchor_count");
    if (mesh->tether_anchor_count > 0 && mesh->tether_anchors == NULL)
        return refuse(error, PIOLA_ERROR_NULL, "piola_mesh_desc.tether_anchors");
    if ((unsigned)mesh->tether_mode >= PIOLA_TETHER_MODE_COUNT)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_mesh_desc.tether_mode");
    const double slack = (double)mesh->tether_slack;
    if (!(slack - slack == 0))
        return refuse(error, PIOLA_ERROR_NOT_FINITE, "piola_mesh_desc.tether_slack");
    /* The bounds as single precision writes them. */
    return slack >= (double)(float)SLACK_MIN && slack <= SLACK_MAX
               ? PIOLA_OK
               : refuse(error, PIOLA_ERROR_RANGE, "piola_mesh_desc.tether_slack");
}

/* Each anchor is a vertex, and none is there twice. */
static piola_status check(const piola_mesh_desc *mesh, unsigned char *seen, piola_error *error)
{
    for (uint32_t i = 0; i < mesh->tether_anchor_count; i++) {
        const uint32_t vertex = mesh->tether_anchors[i];
        if (vertex >= mesh->vertex_count || seen[vertex] != 0) {
            return refuse_item(error,
                               vertex >= mesh->vertex_count ? PIOLA_ERROR_MESH_INDEX
                                                            : PIOLA_ERROR_MESH_DUPLICATE,
                               "piola_mesh_desc.tether_anchors", i);
        }
        seen[vertex] = 1;
    }
    return PIOLA_OK;
}

static uint32_t tethers_of(const struct piola_plan *plan, uint32_t particle)
{
    uint32_t count = 0;
    if (particle < plan->vertices) {
        const size_t at = (size_t)TETHERS_MOST * plan->vertex_of_particle[particle];
        while (count < TETHERS_MOST && tether_plan(plan)->anchor[at + count] != PLAN_NONE)
            count++;
    }
    return count;
}

static void write_lane(const struct build *b, uint32_t particle, uint32_t first, uint32_t packs)
{
    const uint32_t lane = particle % PK_LANES, count = tethers_of(b->plan, particle);
    for (uint32_t i = 0; i < packs; i++) {
        struct pk_tether_pack *to = &b->at.tethers[first + i];
        to->anchor[lane] = particle;
        if (i < count) {
            const size_t at =
                (size_t)TETHERS_MOST * b->plan->vertex_of_particle[particle] + (count - 1 - i);
            to->anchor[lane] = b->plan->particle_of_vertex[tether_plan(b->plan)->anchor[at]];
            to->length[lane] = (float)(tether_plan(b->plan)->length[at] * (1 + ROUNDING) *
                                       (double)b->mesh->tether_slack);
        }
    }
}

static void count(struct piola_plan *plan)
{
    struct section_counts *counts = &plan->counts;
    counts->tether_packs = tether_plan(plan)->packs;
    counts->tether_groups1 = counts->tether_packs > 0 ? counts->particles / PK_LANES + 1 : 0;
}

static void build(const struct build *b)
{
    if (b->plan->counts.tether_packs == 0)
        return;
    uint32_t next = 0;
    for (uint32_t first = 0; first < b->plan->stats.particles; first += PK_LANES) {
        uint32_t packs = 0;
        for (uint32_t lane = 0; lane < PK_LANES; lane++) {
            const uint32_t here = tethers_of(b->plan, first + lane);
            packs = here > packs ? here : packs;
        }
        for (uint32_t lane = 0; lane < PK_LANES; lane++)
            write_lane(b, first + lane, next, packs);
        b->at.tether_first[first / PK_LANES] = next;
        next += packs;
    }
    b->at.tether_first[b->plan->stats.particles / PK_LANES] = next;
}

static bool check_lane(const struct open *o, const struct pk_tether_pack *pack, uint32_t lane,
                       uint32_t particle, uint64_t *found)
{
    const uint32_t anchor = pack->anchor[lane];
    if (anchor == particle)
        return pack->length[lane] == 0;
    ++*found;
    return particle < o->vertices && anchor < o->vertices && pack->length[lane] >= 0;
}

/* Packs without gap, anchors that are vertices. */
static bool verify(const struct open *o)
{
    const uint32_t *first = asset_tether_first(o->asset);
    const uint64_t packs = o->counts.tether_packs, groups = o->counts.particles / PK_LANES;
    uint64_t found = 0;
    if (packs == 0)
        return o->counts.tether_groups1 == 0 && o->asset->stats.tethers == 0;
    if (o->counts.tether_groups1 != groups + 1 || first[0] != 0 || first[groups] != packs)
        return false;
    for (uint32_t group = 0; group < groups; group++) {
        if (first[group + 1] < first[group] || first[group + 1] - first[group] > TETHERS_MOST ||
            first[group + 1] > packs)
            return false;
        for (uint32_t i = first[group]; i < first[group + 1]; i++) {
            const struct pk_tether_pack *pack = &asset_tethers(o->asset)[i];
            for (uint32_t lane = 0; lane < PK_LANES; lane++)
                if (!check_lane(o, pack, lane, PK_LANES * group + lane, &found))
                    return false;
            if (!open_finite(pack->length, PK_LANES))
                return false;
        }
    }
    return found == o->asset->stats.tethers;
}

const struct asset_part part_tethers = {
    .name = "tethers",
    .check_counts = check_counts,
    .check = check,
    .take = tether_take,
    .work = tether_work,
    .plan = tether_find,
    .count = count,
    .build = build,
    .verify = verify,
};
