/* pack_elements.c - which 16 elements share a pack: of one kind and material, no vertex in common.
 *
 * Each cluster is packed by itself, kinds in the order tetrahedra, triangles, bends, links.
 * Elements come in blocks along the curve, spread within each block, and go to the earliest of up
 * to 64 open packs that has none of their vertices.
 */
#include "base/sort.h"
#include "compile/packing_window.h"
#include "compile/plan.h"
#include "compile/spread.h"

#include <string.h>

/* Elements taken apart together: more fill packs better, fewer keep a run of packs on fewer
 * particles (some 400 of them here, 7 KB). `bench packs` measures it. */
#define BLOCK 2048u

void pack_take(const piola_mesh_desc *mesh, struct arena *arena, struct pack_work *work)
{
    const uint32_t elements = mesh_elements(mesh);
    const uint32_t most = elements > mesh->vertex_count ? elements : mesh->vertex_count;
    work->taken = arena_take(arena, mesh->vertex_count, sizeof(uint64_t));
    work->items = arena_take(arena, most, sizeof(uint32_t));
    work->items_work = arena_take(arena, most, sizeof(uint32_t));
    work->keys = arena_take(arena, most, sizeof(uint32_t));
}

/* A pack leaves the window: its vertices are free for the pack that gets its bit. */
static void forget(struct window *window, const piola_mesh_desc *mesh, unsigned kind,
                   uint64_t *taken)
{
    const uint32_t slot = window->base % WINDOW_PACKS;
    const uint64_t bit = window_bit(window->base);
    for (uint32_t lane = 0; lane < window->used[slot]; lane++) {
        const uint32_t *v = mesh_element(mesh, window->item[slot][lane]);
        for (unsigned c = 0; c < mesh_corners(kind); c++)
            taken[v[c]] &= ~bit;
    }
    window_close(window);
}

static void spread_blocks(uint32_t *items, uint32_t *work, uint32_t count)
{
    /* Even blocks: a small rest would be packed badly. */
    const uint32_t blocks = count / BLOCK + (count % BLOCK != 0);
    for (uint32_t block = 0; block < blocks; block++) {
        const uint32_t begin = (uint32_t)((uint64_t)block * count / blocks);
        const uint32_t end = (uint32_t)((uint64_t)(block + 1) * count / blocks);
        spread(items + begin, work, end - begin);
    }
}

/* Packs items of one kind and material; returns the number of packs. */
static uint32_t pack_run(struct piola_plan *plan, const piola_mesh_desc *mesh, unsigned kind,
                         const uint32_t *items, uint32_t count, uint64_t *taken)
{
    struct window window;
    const uint32_t first = plan->element_packs[kind];
    const unsigned corners = mesh_corners(kind);
    window_begin(&window, first);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *v = mesh_element(mesh, items[i]);
        uint64_t enemies = 0;
        for (unsigned c = 0; c < corners; c++)
            enemies |= taken[v[c]];
        uint32_t pack = 0;
        if (!window_find(&window, ~enemies, &pack)) {
            if (window_full(&window))
                forget(&window, mesh, kind, taken);
            pack = window_open(&window);
        }
        for (unsigned c = 0; c < corners; c++)
            taken[v[c]] |= window_bit(pack);
        plan->lane_of_element[items[i]] = window_put(&window, pack, items[i]);
    }
    while (window.base != window.next)
        forget(&window, mesh, kind, taken);
    plan->element_packs[kind] = window.next;
    return window.next - first;
}

static void pack_cluster(struct piola_plan *plan, const piola_mesh_desc *mesh, uint32_t cluster,
                         const struct pack_work *work, unsigned key_bits)
{
    const uint32_t begin = plan->elements_cut.item_first[cluster];
    const uint32_t count = plan->elements_cut.item_first[cluster + 1] - begin;
    uint32_t *items = plan->elements_cut.items + begin;
    sort_items(items, work->items_work, count, work->keys, 1, key_bits);
    uint32_t before[KIND_COUNT];
    memcpy(before, plan->element_packs, sizeof before);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && work->keys[items[end]] == work->keys[items[i]];)
            end++;
        const unsigned kind = mesh_kind(mesh, items[i]);
        spread_blocks(items + i, work->items_work, end - i);
        const uint32_t packs = pack_run(plan, mesh, kind, items + i, end - i, work->taken);
        const uint32_t material = mesh_material(mesh, items[i]);
        if (kind < KIND_ELASTIC_COUNT)
            plan->plastic_packs += packs * plan_history(&mesh->materials[material]);
    }
    struct asset_cluster *to = &plan->elements_cut.cluster[cluster];
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        to->packs[kind].first = before[kind];
        to->packs[kind].count = plan->element_packs[kind] - before[kind];
    }
}

void pack_elements(struct piola_plan *plan, const piola_mesh_desc *mesh,
                   const struct pack_work *work)
{
    memset(work->taken, 0, plan->vertices * sizeof *work->taken);
    for (uint32_t id = 0; id < plan->elements; id++) {
        const unsigned kind = mesh_kind(mesh, id);
        /* Links have no constants in common: any 16 may share a pack. */
        work->keys[id] =
            kind * plan->material_count + (kind == KIND_LINK ? 0 : mesh_material(mesh, id));
    }
    const unsigned bits = sort_bits(KIND_COUNT * plan->material_count);
    for (uint32_t cluster = 0; cluster < plan->elements_cut.count; cluster++)
        pack_cluster(plan, mesh, cluster, work, bits);
}
