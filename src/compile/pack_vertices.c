/* pack_vertices.c - which 16 vertices share a pack for descent: no two in one element (links
 * are none: descent does not look along them).
 *
 * A pack takes as many visits as its vertex with the most elements, so vertices of like valence
 * should meet: each cluster's vertices come by falling valence, those of one valence spread over
 * the cluster, and go to the earliest of up to 64 open packs that holds none of their neighbours.
 */
#include "base/sort.h"
#include "compile/packing_window.h"
#include "compile/plan.h"
#include "compile/rest_shape.h"
#include "compile/spread.h"

#include <string.h>

static uint32_t folds_of(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                         uint32_t vertex)
{
    const struct plan_incidence *bends = &plan->incidence[KIND_BEND];
    uint32_t folds = 0;
    for (uint32_t i = bends->first[vertex]; i < bends->first[vertex + 1]; i++)
        folds += rest_folds(mesh, bends->item[i]);
    return folds;
}

/* What a vertex visits of a kind; of bends, its row's entries. */
static uint32_t valence(const struct piola_plan *plan, const piola_mesh_desc *mesh, uint32_t vertex,
                        unsigned kind)
{
    if (kind == PK_VISIT_FOLD)
        return folds_of(plan, mesh, vertex);
    if (kind == PK_VISIT_BEND)
        return plan->rows.first[vertex + 1] - plan->rows.first[vertex];
    const struct plan_incidence *in =
        &plan->incidence[kind == PK_VISIT_TET ? KIND_TET : KIND_TRIANGLE];
    return in->first[vertex + 1] - in->first[vertex];
}

/* Rising key: falling valence in tetrahedra, then bends, then triangles. */
static uint32_t order_key(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                          uint32_t vertex)
{
    const unsigned kinds[3] = {PK_VISIT_TET, PK_VISIT_BEND, PK_VISIT_TRIANGLE};
    uint32_t key = 0;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t here = valence(plan, mesh, vertex, kinds[i]);
        if (kinds[i] == PK_VISIT_BEND)
            here += folds_of(plan, mesh, vertex);
        key = key << 10 | (1023 - (here < 1023 ? here : 1023));
    }
    return key;
}

/* The open packs that hold a neighbour. */
static uint64_t enemy_packs(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                            const struct window *window, uint32_t vertex)
{
    uint64_t enemies = 0;
    for (unsigned kind = 0; kind < KIND_ELASTIC_COUNT; kind++) {
        const struct plan_incidence *incidence = &plan->incidence[kind];
        const unsigned corners = mesh_corners(kind);
        const uint32_t end = incidence->first[vertex + 1];
        for (uint32_t i = incidence->first[vertex]; i < end; i++) {
            const uint32_t *v = mesh_element(mesh, incidence->item[i]);
            for (unsigned c = 0; c < corners; c++) {
                const uint32_t lane = plan->lane_of_vertex[v[c]];
                const uint32_t pack = lane / PK_LANES;
                if (lane != PLAN_NONE && pack >= window->base && pack < window->next)
                    enemies |= window_bit(pack);
            }
        }
    }
    return enemies;
}

static void pack_cluster(struct piola_plan *plan, const piola_mesh_desc *mesh,
                         const uint32_t *vertices, uint32_t count)
{
    struct window window;
    window_begin(&window, plan->vertex_packs);
    uint32_t slots[WINDOW_PACKS][PK_VISIT_KINDS];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t vertex = vertices[i];
        const uint64_t enemies = enemy_packs(plan, mesh, &window, vertex);
        uint32_t pack = 0;
        if (!window_find(&window, ~enemies, &pack)) {
            if (window_full(&window))
                window_close(&window);
            pack = window_open(&window);
            memset(slots[pack % WINDOW_PACKS], 0, sizeof slots[0]);
        }
        plan->lane_of_vertex[vertex] = window_put(&window, pack, vertex);
        for (unsigned kind = 0; kind < PK_VISIT_KINDS; kind++) {
            uint32_t *most = &slots[pack % WINDOW_PACKS][kind];
            const uint32_t here = valence(plan, mesh, vertex, kind);
            if (here > *most) {
                plan->visits_of_kind[kind] += here - *most;
                *most = here;
            }
        }
    }
    plan->vertex_packs = window.next;
}

static void spread_equals(uint32_t *vertices, uint32_t count, const struct pack_work *work)
{
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && work->keys[vertices[end]] == work->keys[vertices[i]];)
            end++;
        spread(vertices + i, work->items_work, end - i);
    }
}

void pack_vertices(struct piola_plan *plan, const piola_mesh_desc *mesh,
                   const struct pack_work *work)
{
    memset(plan->lane_of_vertex, 0xff, plan->vertices * sizeof *plan->lane_of_vertex);
    for (uint32_t vertex = 0; vertex < plan->vertices; vertex++)
        work->keys[vertex] = order_key(plan, mesh, vertex);
    for (uint32_t cluster = 0; cluster < plan->vertices_cut.count; cluster++) {
        const uint32_t begin = plan->vertices_cut.item_first[cluster];
        const uint32_t count = plan->vertices_cut.item_first[cluster + 1] - begin;
        uint32_t *vertices = plan->vertices_cut.items + begin;
        sort_items(vertices, work->items_work, count, work->keys, 1, 30);
        spread_equals(vertices, count, work);
        const uint32_t before = plan->vertex_packs;
        pack_cluster(plan, mesh, vertices, count);
        plan->vertices_cut.cluster[cluster] = (struct asset_cluster){
            .packs[KIND_VERTEX] = {.first = before, .count = plan->vertex_packs - before}};
    }
}
