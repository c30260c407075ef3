/* surface_collect.c - from pairs found by many workers to packs of 16, in the order of the blocks.
 *
 * A block puts its pairs into pages taken from one pool; then all are counted and copied to where
 * their block's belong. When there is no room for all, the search is done once more, by the caller
 * alone, and the pairs that are farthest apart are dropped: each binds its particles to less than
 * half of what its distance may lose. That depends on what is found, not on who finds it first.
 */
#include "families/surface/surface.h"

#include "families/surface/surface_settings.h"
#include "motion/stage.h"

#include <string.h>

/* A page is missing only when there is no room for all pairs anyway: they are counted all the same.
 */
static struct pair_page *page_for(piola_world *w, struct surface_block *block)
{
    struct pair_page *pages = world_pages(w);
    if (block->page_last != NO_PAGE && pages[block->page_last].count < PAGE_PAIRS)
        return &pages[block->page_last];
    const uint32_t page =
        atomic_fetch_add_explicit(&world_surface_now(w)->page_end, 1, memory_order_relaxed);
    if (page >= w->dim[DIM_pages].capacity)
        return NULL;
    pages[page].next = NO_PAGE;
    pages[page].count = 0;
    if (block->page_last == NO_PAGE)
        block->page_first = page;
    else
        pages[block->page_last].next = page;
    block->page_last = page;
    return &pages[page];
}

static uint32_t bucket_of(const piola_world *w, const struct pair *pair)
{
    static const float ends[SURFACE_BUCKETS - 1] = {0.1f, 0.2f, 0.35f, 0.5f, 0.75f, 1,  1.5f, 2,
                                                    3,    5,    8,     13,   21,    34, 55};
    uint32_t bucket = 0;
    for (uint32_t i = 0; i < SURFACE_BUCKETS - 1; ++i)
        bucket += !(pair->distance < ends[i] * w->desc.contact_thickness);
    return bucket;
}

/* Only the caller's thread drops. */
static void drop(piola_world *w, const struct pair *pair)
{
    const float keep = surface_kept(w, pair), share = 0.49f * (pair->distance - keep);
    for (int i = 0; i < 4; ++i) {
        float *bound = &world_bound(w)[pair->particle[i]];
        *bound = share < *bound ? share : *bound;
    }
    world_surface_now(w)->dropped_keep =
        keep < world_surface_now(w)->dropped_keep ? keep : world_surface_now(w)->dropped_keep;
    ++world_surface_now(w)->pairs_dropped;
}

void surface_collect(const struct step *step, struct surface_block *block, const struct pair *pair)
{
    piola_world *w = step->world;
    const uint32_t bucket = bucket_of(w, pair);
    if (world_surface_now(w)->spill.on) {
        if (bucket > world_surface_now(w)->spill.bucket ||
            (bucket == world_surface_now(w)->spill.bucket &&
             world_surface_now(w)->spill.left == 0)) {
            drop(w, pair);
            return;
        }
        world_surface_now(w)->spill.left -= bucket == world_surface_now(w)->spill.bucket;
    }
    ++block->found[pair->kind];
    ++block->by_distance[bucket];
    struct pair_page *page = page_for(w, block);
    if (page)
        page->pair[page->count++] = *pair;
}

void surface_collect_clear(struct surface_block *block)
{
    block->page_first = block->page_last = NO_PAGE;
    block->found[0] = block->found[1] = 0;
    block->tests = block->cut = 0;
    for (uint32_t k = 0; k < SURFACE_BUCKETS; ++k)
        block->by_distance[k] = 0;
}

static void clear(piola_world *w)
{
    atomic_store_explicit(&world_surface_now(w)->page_end, 0, memory_order_relaxed);
    for (uint32_t i = 0; i < world_surface_now(w)->block_count; ++i)
        surface_collect_clear(&world_blocks(w)[i]);
}

void surface_collect_begin(piola_world *world, bool again)
{
    world_surface_now(world)->spill = (struct spill){.again = again};
    if (again)
        clear(world);
    else /* its blocks are cleared when they are first searched */
        atomic_store_explicit(&world_surface_now(world)->page_end, 0, memory_order_relaxed);
}

static uint64_t count(const piola_world *w, uint64_t by_kind[2])
{
    by_kind[0] = by_kind[1] = 0;
    for (uint32_t i = 0; i < world_surface_now(w)->block_count; ++i)
        for (uint32_t kind = 0; kind < 2; ++kind)
            by_kind[kind] += world_blocks(w)[i].found[kind];
    return by_kind[0] + by_kind[1];
}

/* What a search has cost, and whose was cut: the same whoever did it, and again when pairs are
 * dropped. */
static void tally(const piola_world *w)
{
    struct surface_now *now = world_surface_now(w);
    ++now->work.searches;
    for (uint32_t i = 0; i < now->block_count; ++i) {
        const struct surface_block *block = &world_blocks(w)[i];
        now->work.tests += block->tests;
        if (!block->cut)
            continue;
        world_waits(w)[block->body] = 1;
        now->cut = true;
    }
}

/* Chooses the nearest that there is room for. */
static void spill(const struct step *step, uint32_t room)
{
    piola_world *w = step->world;
    uint64_t sum = 0, of[SURFACE_BUCKETS] = {0};
    for (uint32_t i = 0; i < world_surface_now(w)->block_count; ++i)
        for (uint32_t k = 0; k < SURFACE_BUCKETS; ++k)
            of[k] += world_blocks(w)[i].by_distance[k];
    world_surface_now(w)->spill.on = true;
    world_surface_now(w)->spill.bucket = 0;
    while (world_surface_now(w)->spill.bucket + 1 < SURFACE_BUCKETS &&
           sum + of[world_surface_now(w)->spill.bucket] <= room)
        sum += of[world_surface_now(w)->spill.bucket++];
    world_surface_now(w)->spill.left = (uint32_t)(room - sum);
    clear(w);
    for (uint32_t i = 0; i < world_surface_now(w)->block_count; ++i)
        each_surface_search(step, 0, i);
}

/* A new range of packs for the pairs of a kind, the last pack filled up with its first pair. */
static void open_range(piola_world *w, uint32_t kind, uint32_t pairs)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < world_surface_now(w)->block_count; ++i) {
        world_blocks(w)[i].at[kind] = world_surface_now(w)->pair_pack_end * PK_LANES + at;
        at += world_blocks(w)[i].found[kind];
    }
    if (pairs == 0)
        return;
    const struct pair_range range = {world_surface_now(w)->pair_pack_end, pairs, kind};
    world_surface_now(w)->ranges[world_surface_now(w)->range_count++] = range;
    world_surface_now(w)->pair_pack_end += surface_packs(&range);
    for (uint32_t p = range.first; p < world_surface_now(w)->pair_pack_end; ++p) {
        world_acting(w)[p] = world_acted(w)[p] = 0;
        memset(world_pushes(w)[p].hold, 0, sizeof world_pushes(w)[p].hold);
        for (uint32_t lane = 0; lane < PK_LANES; ++lane)
            world_pushes(w)[p].stiff[lane] = 1;
    }
}

static void set_friction(const piola_world *w, const struct pair *pair, uint32_t slot)
{
    float friction[2];
    friction_between(body_friction(w, &world_bodies(w)[world_owner(w)[pair->particle[0]]]),
                     body_friction(w, &world_bodies(w)[world_owner(w)[pair->particle[3]]]),
                     w->desc.contact_friction, friction);
    for (int k = 0; k < 2; ++k)
        world_pushes(w)[slot / PK_LANES].friction[k][slot % PK_LANES] = friction[k];
}

void each_surface_copy(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct surface_block *block = &world_blocks(w)[index];
    uint32_t at[2] = {block->at[0], block->at[1]};
    for (uint32_t page = block->page_first; page != NO_PAGE; page = world_pages(w)[page].next)
        for (uint32_t i = 0; i < world_pages(w)[page].count; ++i) {
            const struct pair *pair = &world_pages(w)[page].pair[i];
            const uint32_t slot = at[pair->kind]++;
            struct pk_pair_pack *pack = &world_pair_packs(w)[slot / PK_LANES];
            for (int k = 0; k < 4; ++k)
                pack->particle[k][slot % PK_LANES] = pair->particle[k];
            pack->distance[slot % PK_LANES] = pair->distance;
            if (w->dim[DIM_body_frictions].used > 0)
                set_friction(w, pair, slot);
        }
}

static void fill_up(const piola_world *w, const struct pair_range *range)
{
    struct pk_pair_pack *pack = &world_pair_packs(w)[range->first + surface_packs(range) - 1];
    for (uint32_t i = range->count % PK_LANES; i != 0 && i < PK_LANES; ++i) {
        for (int k = 0; k < 4; ++k)
            pack->particle[k][i] = pack->particle[k][0];
        pack->distance[i] = pack->distance[0];
    }
}

/* Also found after families were asked whom they join: it does not arrive by itself. */
void surface_mark(const piola_world *w, uint32_t body, uint32_t mark)
{
    world_paired(w)[body] |= mark;
    world_met(w)[body] = 1;
}

/* Bodies that have pairs, or are near others. */
static void mark_bodies(const piola_world *w, uint32_t mark)
{
    world_surface_now(w)->paired = true;
    for (uint32_t i = 0; i < world_surface_now(w)->block_count; ++i) {
        const struct surface_block *block = &world_blocks(w)[i];
        if (block->found[0] + block->found[1] > 0 || world_partners(w)[block->body].count > 0)
            surface_mark(w, block->body, mark);
    }
}

void surface_collect_end(const struct step *step, uint32_t mark)
{
    piola_world *w = step->world;
    const uint32_t room = w->desc.max_contacts - world_surface_now(w)->pair_count,
                   ranges = world_surface_now(w)->range_count;
    uint64_t by_kind[2];
    const bool near = atomic_load_explicit(&world_surface_now(w)->near, memory_order_relaxed) != 0;
    tally(w);
    if (!near && atomic_load_explicit(&world_surface_now(w)->page_end, memory_order_relaxed) == 0) {
        dimension_use(w, DIM_pair_packs, world_surface_now(w)->pair_pack_end);
        dimension_use(w, DIM_pages, 0);
        return;
    }
    if (count(w, by_kind) > room) {
        mark_bodies(w, mark);
        spill(step, room);
        tally(w);
        (void)count(w, by_kind);
    }
    mark_bodies(w, mark);
    for (uint32_t kind = 0; kind < 2; ++kind)
        open_range(w, kind, (uint32_t)by_kind[kind]);
    run_stage(step, STAGE_SURFACE_COPY, 0);
    for (uint32_t i = ranges; i < world_surface_now(w)->range_count; ++i)
        fill_up(w, &world_surface_now(w)->ranges[i]);
    world_surface_now(w)->pair_count += (uint32_t)(by_kind[0] + by_kind[1]);
    dimension_use(w, DIM_pair_packs, world_surface_now(w)->pair_pack_end);
    const uint32_t pages =
        atomic_load_explicit(&world_surface_now(w)->page_end, memory_order_relaxed);
    const uint64_t most = w->dim[DIM_pages].capacity;
    dimension_use(w, DIM_pages, pages < most ? pages : most);
}
