/* body_room.c - room for bodies in the shared arrays: found, taken, freed, and closed up. */
#include "world/body_room.h"

#include "base/gaps.h"
#include "base/sort.h"
#include "world/family.h"
#include "world/record.h"

static const struct {
    enum dimension of, tree;
    enum field gaps;
    uint32_t unit;       /* elements that a unit of the tree stands for */
    size_t first, count; /* members of struct body */
} rows[SPANS] = {
    [SPAN_PARTICLES] = {DIM_particles, DIM_particle_gaps, FIELD_particle_gaps, PK_LANES,
                        offsetof(struct body, first), offsetof(struct body, count)},
    [SPAN_PLASTIC] = {DIM_plastic, DIM_plastic_gaps, FIELD_plastic_gaps, 1,
                      offsetof(struct body, plastic_first), offsetof(struct body, plastic_count)},
    [SPAN_PACKS] = {DIM_packs, DIM_pack_gaps, FIELD_pack_gaps, 1,
                    offsetof(struct body, packs_first), offsetof(struct body, packs_count)},
};

/* A member of a body that one of those offsets names. */
static uint32_t *member(const struct body *body, size_t offset)
{
    return (uint32_t *)(void *)((char *)(uintptr_t)body + offset);
}

struct span body_span(const struct body *body, enum span_of what)
{
    return (struct span){*member(body, rows[what].first), *member(body, rows[what].count)};
}

static struct gap *tree_of(const piola_world *world, enum span_of what)
{
    return (struct gap *)(void *)((char *)(uintptr_t)world + world->offset[rows[what].gaps]);
}

static uint32_t nodes_of(const piola_world *world, enum span_of what)
{
    return (uint32_t)world->dim[rows[what].tree].capacity;
}

/* PIOLA_ERROR_HOLES when there is room, but not in one piece. */
static piola_status find_span(const piola_world *world, enum span_of what, const struct body *body)
{
    const struct extent *extent = &world->dim[rows[what].of];
    const uint32_t count = *member(body, rows[what].count), unit = rows[what].unit;
    const piola_status full =
        what == SPAN_PARTICLES ? PIOLA_ERROR_PARTICLES_FULL : PIOLA_ERROR_PACKS_FULL;
    *member(body, rows[what].first) = 0;
    if (count == 0)
        return PIOLA_OK;
    const uint64_t units = extent->capacity / unit, taken = world->taken[what] / unit;
    if (count / unit > units - taken)
        return full;
    uint64_t at = extent->used / unit;
    if (at + count / unit > units)
        at = gaps_find(tree_of(world, what), nodes_of(world, what), count / unit);
    if (at + count / unit > units)
        return PIOLA_ERROR_HOLES;
    *member(body, rows[what].first) = (uint32_t)at * unit;
    return PIOLA_OK;
}

piola_status room_find(piola_world *world, const piola_asset *asset, struct body *body,
                       const char **field)
{
    const piola_world_desc *desc = &world->desc;
    struct extent *links = &world->dim[DIM_links], *faces = &world->dim[DIM_faces];
    static const char *const limits[SPANS] = {"piola_world_desc.max_particles",
                                              "piola_world_desc.max_plastic_packs",
                                              "piola_world_desc.max_packs"};
    *field = "piola_world_desc.max_contact_faces";
    if (desc->max_contacts > 0 &&
        world->surface_triangles + asset->stats.surface_triangles > desc->max_contact_faces) {
        ++faces->dropped;
        return PIOLA_ERROR_CONTACTS_FULL;
    }
    *field = "piola_world_desc.max_link_packs";
    if (asset->stats.link_packs > links->capacity - links->used) {
        ++links->dropped;
        return PIOLA_ERROR_PACKS_FULL;
    }
    body->count = asset->stats.particles;
    body->plastic_count = asset->plastic_cells;
    body->packs_count = desc->solver == PIOLA_SOLVER_COMPLIANT ? asset->stats.packs : 0;
    for (enum span_of what = SPAN_PARTICLES; what < SPANS; ++what) {
        *field = limits[what];
        const piola_status status = find_span(world, what, body);
        world->dim[rows[what].of].dropped += status != PIOLA_OK;
        if (status != PIOLA_OK)
            return status;
    }
    return PIOLA_OK;
}

/* Arrays beside those of the particles are used as far as they are. */
static void use_particles(piola_world *world, uint64_t particles)
{
    static const enum dimension alike[] = {DIM_history, DIM_memory, DIM_iterates,
                                           DIM_coarse,  DIM_forces, DIM_particles};
    for (size_t i = 0; i < sizeof alike / sizeof *alike; ++i)
        if (world->dim[alike[i]].capacity)
            dimension_use(world, alike[i], particles);
    if (world->dim[DIM_externals].capacity)
        dimension_use(world, DIM_externals, (world_descends(&world->desc) ? 3u : 1u) * particles);
    if (world->dim[DIM_loads].capacity)
        dimension_use(world, DIM_loads, world->loaded_bodies > 0 ? particles : 0);
    if (world->dim[DIM_rods].capacity)
        dimension_use(world, DIM_rods, world->rod_bodies > 0 ? particles : 0);
    if (world->dim[DIM_pin_targets].capacity)
        dimension_use(world, DIM_pin_targets, world->late_bodies > 0 ? particles : 0);
    if (world->dim[DIM_touches].capacity)
        dimension_use(world, DIM_touches, world->dim[DIM_touched].used > 0 ? particles : 0);
}

/* "Used" means: up to the last that is, for that is what snapshots and hashes cover. */
static void set_runs(piola_world *world, const struct body *body, bool free)
{
    const uint32_t slot = (uint32_t)(body - world_bodies(world));
    for (enum span_of what = SPAN_PARTICLES; what < SPANS; ++what) {
        const uint32_t count = *member(body, rows[what].count), unit = rows[what].unit;
        if (count == 0)
            continue;
        gaps_set(tree_of(world, what), nodes_of(world, what),
                 *member(body, rows[what].first) / unit, count / unit, free);
        world->taken[what] += free ? -(uint64_t)count : count;
        const uint64_t used = (uint64_t)gaps_end(tree_of(world, what), nodes_of(world, what));
        if (what == SPAN_PARTICLES)
            use_particles(world, used * unit);
        else
            dimension_use(world, rows[what].of, used * unit);
    }
    gaps_set(world_body_gaps(world), (uint32_t)world->dim[DIM_body_gaps].capacity, slot, 1, free);
}

/* Adds a body to the counts, or takes it out of them. */
static void count_body(piola_world *world, const struct body *body, bool comes)
{
    const piola_asset *asset = body_asset(world, body);
    const uint64_t one = comes ? 1 : (uint64_t)-1;
    world_assets(world)[body->asset].users += one;
    world->surface_triangles += one * asset->stats.surface_triangles;
    world->rod_bodies += (uint32_t)one * (asset->stats.segments > 0);
    world->loaded_bodies += (uint32_t)one * ((body->flags & BODY_LOADED) != 0);
    world->late_bodies += (uint32_t)one * ((body->flags & BODY_LATE) != 0);
    dimension_use(world, DIM_bodies, world->dim[DIM_bodies].used + one);
    dimension_use(world, DIM_links, world->dim[DIM_links].used + one * asset->stats.link_packs);
    if (world->dim[DIM_faces].capacity)
        dimension_use(world, DIM_faces, world->surface_triangles);
    world->scheduled = world->unchanged = false;
}

void room_take(piola_world *world, const struct body *body)
{
    count_body(world, body, true);
    set_runs(world, body, false);
}

void room_free(piola_world *world, const struct body *body)
{
    count_body(world, body, false);
    set_runs(world, body, true);
}

void room_clear(piola_world *world)
{
    for (enum span_of what = SPAN_PARTICLES; what < SPANS; ++what)
        if (nodes_of(world, what) > 0) {
            gaps_clear(tree_of(world, what), nodes_of(world, what));
            dimension_use(world, rows[what].tree, nodes_of(world, what));
            dimension_use(world, rows[what].of, 0);
        }
    gaps_clear(world_body_gaps(world), (uint32_t)world->dim[DIM_body_gaps].capacity);
    dimension_use(world, DIM_body_gaps, world->dim[DIM_body_gaps].capacity);
    for (uint32_t i = 0; i < world->desc.max_assets; ++i)
        world_assets(world)[i].users = 0;
    memset(world->taken, 0, sizeof world->taken);
    world->surface_triangles = 0;
    world->loaded_bodies = world->late_bodies = world->rod_bodies = 0;
    dimension_use(world, DIM_bodies, 0);
    dimension_use(world, DIM_links, 0);
    dimension_use(world, DIM_faces, 0);
    use_particles(world, 0);
}

uint32_t room_slot(const piola_world *world)
{
    const uint32_t slot =
        gaps_find(world_body_gaps(world), (uint32_t)world->dim[DIM_body_gaps].capacity, 1);
    return slot < world->desc.max_bodies ? slot : world->desc.max_bodies;
}

/* ---- holes -------------------------------------------------------------------------------- */

/* What lies in arrays beside each other, counted as the span is, between two steps. */
static bool beside(enum dimension dimension, enum span_of what)
{
    if (what != SPAN_PARTICLES)
        return dimension == rows[what].of;
    return dimension == DIM_particles || dimension == DIM_history || dimension == DIM_memory ||
           dimension == DIM_loads || dimension == DIM_pin_targets || dimension == DIM_forces ||
           dimension == DIM_rods;
}

/* Moves a run down; what it leaves behind is zero, as all that is unused. */
static void move_run(piola_world *world, enum span_of what, uint32_t from, uint32_t to,
                     uint32_t count)
{
    const uint32_t left = to + count > from ? to + count : from;
    for (int f = 0; f < FIELD_COUNT; ++f) {
        const struct field_info *field = &world_fields[f];
        if (!beside(field->dimension, what) || world->dim[field->dimension].capacity == 0)
            continue;
        char *at = (char *)world + world->offset[f];
        const size_t size = field->element;
        memmove(at + to * size, at + from * size, count * size);
        memset(at + left * size, 0, (from + count - left) * size);
    }
}

/* Closes the gaps of one span, lowest run first. */
static struct moves close_span(piola_world *world, enum span_of what)
{
    struct body *bodies = world_bodies(world);
    uint32_t *list = world_order(world), *from = world_small(world), *to = world_count(world);
    uint32_t n = 0, at = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        if (*member(&bodies[i], rows[what].count) > 0)
            list[n++] = i;
    sort_items(list, from, n, member(bodies, rows[what].first), sizeof *bodies / sizeof *list,
               sort_bits((uint32_t)world->dim[rows[what].of].capacity));
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t *first = member(&bodies[list[i]], rows[what].first);
        const uint32_t count = *member(&bodies[list[i]], rows[what].count);
        from[i] = *first;
        to[i] = at;
        if (*first != at)
            move_run(world, what, *first, at, count);
        *first = at;
        at += count;
    }
    return (struct moves){from, to, n};
}

piola_status piola_world_compact(piola_world *world)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    record_named(world, RECORDED_COMPACT, 0, 0);
    for (enum span_of what = SPAN_PARTICLES; what < SPANS; ++what) {
        const struct moves moves = close_span(world, what);
        if (what == SPAN_PARTICLES)
            families_moved(world, &moves);
    }
    bodies_recount(world);
    return PIOLA_OK;
}
