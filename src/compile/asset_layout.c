/* asset_layout.c - see asset_layout.h. */
#include "compile/asset_layout.h"

#include "base/hash.h"

#include <string.h>

uint32_t layout_asset_material_base(uint32_t described, const uint32_t kind_count[KIND_COUNT],
                                    unsigned kind)
{
    uint32_t base = 0;
    if (kind >= KIND_TRIANGLE)
        base += described;
    if (kind >= KIND_BEND && kind_count[KIND_TRIANGLE] > 0)
        base += described;
    return base;
}

static uint64_t up_to(uint64_t value, uint64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static void count_particles(struct piola_plan *plan)
{
    struct section_counts *counts = &plan->counts;
    /* Each cluster's four dummies fill one cache line: no two workers write one. */
    plan->first_dummy = (uint32_t)up_to(plan->vertices, 4);
    counts->clusters = plan->packs ? plan->elements_cut.count : 0;
    counts->vertex_clusters = plan->visits ? plan->vertices_cut.count : 0;
    counts->cluster_colours1 = plan->packs ? plan->elements_cut.colours + 1 : 1;
    counts->vertex_cluster_colours1 = plan->visits ? plan->vertices_cut.colours + 1 : 1;
    counts->particles =
        up_to(plan->first_dummy + 4 * (counts->clusters + counts->vertex_clusters), PK_LANES);
    counts->vertices = plan->vertices;
}

static void count_packs(struct piola_plan *plan)
{
    struct section_counts *counts = &plan->counts;
    const uint32_t *slots = plan->visits_of_kind;
    counts->tet_packs = plan->element_packs[KIND_TET];
    counts->tet_lanes = counts->tet_packs * PK_LANES;
    counts->triangle_packs = plan->element_packs[KIND_TRIANGLE];
    counts->triangle_lanes = counts->triangle_packs * PK_LANES;
    counts->sheet_materials = plan->kind_count[KIND_TRIANGLE] > 0 ? plan->material_count : 0;
    counts->bend_packs = plan->element_packs[KIND_BEND];
    counts->link_packs = plan->element_packs[KIND_LINK];
    counts->vertex_packs = plan->vertex_packs;
    counts->visits = plan->snh ? 0 : slots[PK_VISIT_TET];
    counts->visits_snh = plan->snh ? slots[PK_VISIT_TET] : 0;
    counts->visit_lanes = plan->plastic ? counts->visits * PK_LANES : 0;
    counts->triangle_visits = slots[PK_VISIT_TRIANGLE];
    counts->triangle_visit_lanes = plan->plastic ? counts->triangle_visits * PK_LANES : 0;
    counts->bend_rows = slots[PK_VISIT_BEND];
    counts->fold_visits = slots[PK_VISIT_FOLD];
    counts->fold_visit_lanes = plan->plastic ? counts->fold_visits * PK_LANES : 0;
    counts->surface_indices = 3 * (uint64_t)plan->stats.surface_triangles;
    const struct plan_coarse *coarse = &plan->coarse;
    counts->coarse_heads = coarse->cells > 0;
    counts->coarse_nodes = coarse->nodes;
    counts->coarse_frames = up_to(coarse->groups, PK_LANES) / PK_LANES;
    counts->cage_packs = coarse->cage_packs;
    counts->coarse_pairs = coarse->pair_packs;
    counts->coarse_blocks = coarse->blocks;
    counts->coarse_stiff = coarse->cells > 0 ? counts->particles : 0;
    counts->materials = plan->material_count;
    for (unsigned kind = KIND_TRIANGLE; kind < KIND_ELASTIC_COUNT; kind++)
        counts->materials += plan->kind_count[kind] > 0 ? plan->material_count : 0;
}

static float share(uint64_t used, uint64_t packs)
{
    return packs == 0 ? 0 : (float)((double)used / ((double)packs * PK_LANES));
}

void layout_asset_count(struct piola_plan *plan)
{
    count_particles(plan);
    count_packs(plan);
    for (unsigned part = 0; part < PART_COUNT; part++)
        if (asset_parts[part]->count)
            asset_parts[part]->count(plan);
    piola_asset_stats *stats = &plan->stats;
    const uint32_t *kinds = plan->kind_count, *packs = plan->element_packs;
    const uint32_t *slots = plan->visits_of_kind;
    stats->vertices = plan->vertices;
    stats->particles = (uint32_t)plan->counts.particles;
    stats->tetrahedra = kinds[KIND_TET];
    stats->triangles = kinds[KIND_TRIANGLE];
    stats->bends = kinds[KIND_BEND];
    stats->links = kinds[KIND_LINK];
    stats->link_packs = packs[KIND_LINK];
    stats->packs =
        (uint32_t)(plan->counts.tet_packs + plan->counts.triangle_packs + plan->counts.bend_packs);
    stats->plastic_packs = plan->plastic_packs;
    stats->clusters = (uint32_t)plan->counts.clusters;
    stats->vertex_clusters = (uint32_t)plan->counts.vertex_clusters;
    stats->cluster_colours = (uint32_t)plan->counts.cluster_colours1 - 1;
    stats->vertex_cluster_colours = (uint32_t)plan->counts.vertex_cluster_colours1 - 1;
    stats->fill_elements = share(plan->elements, (uint64_t)packs[KIND_TET] + packs[KIND_TRIANGLE] +
                                                     packs[KIND_BEND] + packs[KIND_LINK]);
    stats->fill_vertices =
        share(4 * (uint64_t)kinds[KIND_TET] + 3 * (uint64_t)kinds[KIND_TRIANGLE] +
                  plan->rows.first[plan->vertices],
              (uint64_t)slots[PK_VISIT_TET] + slots[PK_VISIT_TRIANGLE] + slots[PK_VISIT_BEND]);
}

size_t layout_asset_sections(const struct section_counts *counts, struct piola_asset *asset)
{
    struct section_counts all = *counts;
    size_t bytes = sizeof *asset;
    size_t offset = 0;
    for (int i = 0; i < SECTION_COUNT; i++) {
        const uint64_t count = *section_count(&all, i);
        if (!size_array(&bytes, count, asset_sections[i].element, PIOLA_ALIGNMENT, &offset))
            return 0;
        asset->sections[i] = (struct asset_section){offset, count};
    }
    return size_align(&bytes, PIOLA_ALIGNMENT) ? bytes : 0;
}

size_t layout_asset_bytes(const struct piola_plan *plan)
{
    struct piola_asset header;
    return layout_asset_sections(&plan->counts, &header);
}

uint32_t layout_asset_hash(void)
{
    uint64_t hash = hash_join(PK_LANES, sizeof(struct piola_asset));
    for (int i = 0; i < SECTION_COUNT; i++) {
        const char *row = asset_sections[i].row;
        hash = hash_bytes(row, strlen(row), hash);
        hash = hash_join(hash, asset_sections[i].element);
    }
    return (uint32_t)(hash ^ hash >> 32);
}
