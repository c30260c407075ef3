/* snapshot_check.c - a checksum proves that bytes are unchanged, not that they make sense: here the
 * content of a snapshot is held against the world, before any of it is taken over.
 */
#include "api/snapshot_check.h"
#include "families/families.h"

#include "families/air/wind.h"
#include "families/attachments/attachments.h"
#include "families/pressure/pressure.h"
#include "families/rigid/rigid.h"
#include "families/solids/untangle.h"
#include "families/surface/surface.h"
#include "families/surface/surface_settings.h"
#include "step/events.h"
#include "world/loads.h"

#include <string.h>

static bool finite(float value)
{
    return value - value == 0;
}

static struct body body_of(const struct stored_state *state, uint32_t index)
{
    struct body body;
    memcpy(&body, state->bodies + index * sizeof body, sizeof body);
    return body;
}

static bool settings_fit(const struct body *b)
{
    bool fit = finite(b->gravity_scale) && finite(b->damping) && b->damping >= 0 && b->history <= 1;
    for (int k = 0; k < 3; ++k)
        fit = fit && finite(b->acceleration[k]);
    return fit;
}

/* A slot without a body holds nothing but the generation that the next one counts on from. */
static bool dead(const struct stored_state *state, uint32_t index)
{
    const unsigned char *bytes = state->bodies + index * sizeof(struct body);
    const size_t from = offsetof(struct body, generation), to = from + sizeof(uint32_t);
    for (size_t i = 0; i < sizeof(struct body); ++i)
        if ((i < from || i >= to) && bytes[i] != 0)
            return false;
    return true;
}

static bool inside(uint32_t first, uint32_t count, uint64_t length)
{
    return (uint64_t)first + count <= length;
}

static bool body_fits(const piola_world *world, const struct stored_state *state,
                      const struct body *b)
{
    if ((b->flags &
         ~((uint32_t)(BODY_ALIVE | BODY_FROZEN | BODY_TANGLES | BODY_UNFOLDS | BODY_LOADED) |
           UNTANGLE_FLAGS)) != 0 ||
        b->generation == 0 || b->asset >= world->desc.max_assets ||
        !world_assets(world)[b->asset].asset || !settings_fit(b))
        return false;
    const piola_asset *asset = world_assets(world)[b->asset].asset;
    const uint32_t packs = world->dim[DIM_packs].capacity ? asset->stats.packs : 0;
    return body_asset_fits(world, asset) && b->count == asset->stats.particles &&
           b->plastic_count == asset->plastic_cells && b->packs_count == packs &&
           b->first % PK_LANES == 0 && inside(b->first, b->count, state->lengths[0]) &&
           inside(b->plastic_first, b->plastic_count, state->plastic_length) &&
           inside(b->packs_first, b->packs_count, world->dim[DIM_packs].capacity);
}

/* Inverse masses are the asset's, or 0 in as many particles as are pinned. */
static bool masses_fit(const piola_world *world, const struct stored_state *state,
                       const struct body *b)
{
    const struct pk_quad *rest = asset_rest(world_assets(world)[b->asset].asset);
    uint32_t pins = 0;
    for (uint32_t i = 0; i < b->count; ++i) {
        struct pk_quad x;
        memcpy(&x, state->streams[0] + ((size_t)b->first + i) * sizeof x, sizeof x);
        if (!(x.w == 0 || x.w == rest[i].w))
            return false;
        pins += x.w == 0 && rest[i].w > 0;
    }
    return pins == b->pins;
}

/* No flow ends beyond its material's bound. Squares that single precision has no number for count
 * as nothing there (plastic.ispc). */
static bool cell_bounded(const unsigned char *stored, float max)
{
    struct pk_plastic cell;
    memcpy(&cell, stored, sizeof cell);
    for (unsigned lane = 0; lane < PK_LANES; ++lane) {
        double square = 0;
        for (int k = 0; k < 6; ++k)
            square += (k < 3 ? 1 : 2) * ((double)cell.e[k][lane] * (double)cell.e[k][lane]);
        if (!(square <= (double)max * (double)max + 1e-36))
            return false;
    }
    return true;
}

/* Of triangles and bends the components that they do not have are 0. */
static bool strains_fit(const piola_world *world, const struct stored_state *state,
                        const struct body *b)
{
    const piola_asset *asset = world_assets(world)[b->asset].asset;
    const struct {
        const uint32_t *cells, *materials;
        uint64_t packs;
    } kinds[] = {
        {asset_tet_pack_plastic(asset), asset_tet_pack_materials(asset), asset->at.tet_packs.count},
        {asset_triangle_pack_plastic(asset), asset_triangle_pack_materials(asset),
         asset->at.triangle_packs.count},
        {asset_bend_pack_plastic(asset), asset_bend_pack_materials(asset),
         asset->at.bend_packs.count},
    };
    for (size_t kind = 0; b->plastic_count > 0 && kind < sizeof kinds / sizeof *kinds; ++kind)
        for (uint64_t p = 0; p < kinds[kind].packs; ++p) {
            const uint32_t cell = kinds[kind].cells[p];
            const float max = asset_materials(asset)[kinds[kind].materials[p]].max;
            if (cell != UINT32_MAX &&
                !cell_bounded(state->plastic +
                                  ((size_t)b->plastic_first + cell) * sizeof(struct pk_plastic),
                              max))
                return false;
        }
    return true;
}

static bool all_finite(const unsigned char *floats, uint64_t count)
{
    for (uint64_t i = 0; i < count; ++i) {
        float value;
        memcpy(&value, floats + i * sizeof value, sizeof value);
        if (!finite(value))
            return false;
    }
    return true;
}

enum span_of { PARTICLES, PLASTIC, PACKS, SPANS };

static uint32_t first_of(const struct body *b, enum span_of what)
{
    return what == PARTICLES ? b->first : what == PLASTIC ? b->plastic_first : b->packs_first;
}

static uint32_t count_of(const struct body *b, enum span_of what)
{
    return what == PARTICLES ? b->count : what == PLASTIC ? b->plastic_count : b->packs_count;
}

/* Lets the root of a heap of body numbers, ordered by where their spans begin, sink to its place.
 */
static void sink(const struct stored_state *state, enum span_of what, uint32_t *heap, uint32_t root,
                 uint32_t count)
{
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        struct body a = body_of(state, heap[child]);
        if (child + 1 < count) {
            const struct body b = body_of(state, heap[child + 1]);
            if (first_of(&b, what) > first_of(&a, what)) {
                ++child;
                a = b;
            }
        }
        const struct body top = body_of(state, heap[root]);
        if (first_of(&top, what) >= first_of(&a, what))
            return;
        const uint32_t kept = heap[root];
        heap[root] = heap[child];
        heap[child] = kept;
        root = child;
    }
}

/* Bodies that have such a span at all, sorted by where it begins (heap sort), must not reach into
 * the next. */
static bool apart(const piola_world *world, const struct stored_state *state, enum span_of what)
{
    uint32_t *list = world_order(world); /* scratch, one a body */
    uint32_t n = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        const struct body b = body_of(state, i);
        if (count_of(&b, what) > 0)
            list[n++] = i;
    }
    for (uint32_t i = n / 2; i-- > 0;)
        sink(state, what, list, i, n);
    for (uint32_t end = n; end-- > 1;) {
        const uint32_t largest = list[0];
        list[0] = list[end];
        list[end] = largest;
        sink(state, what, list, 0, end);
    }
    for (uint32_t i = 1; i < n; ++i) {
        const struct body a = body_of(state, list[i - 1]), b = body_of(state, list[i]);
        if ((uint64_t)first_of(&a, what) + count_of(&a, what) > first_of(&b, what))
            return false;
    }
    return true;
}

static bool pressures_fit(const piola_world *world, const struct stored_state *state)
{
    for (uint32_t i = 0; i < state->pressurised; ++i) {
        struct body_pressure held;
        memcpy(&held, state->pressures + i * sizeof held, sizeof held);
        const struct body b = body_of(state, i);
        const bool alive = (b.flags & BODY_ALIVE) != 0;
        if (alive ? !pressure_valid(&held, world_assets(world)[b.asset].asset)
                  : held.kind != PIOLA_PRESSURE_NONE)
            return false;
    }
    return true;
}

static bool attachments_fit(const piola_world *world, const struct stored_state *state)
{
    for (uint64_t i = 0; i < state->attached; ++i) {
        struct attachment a;
        const piola_asset *assets[2] = {NULL, NULL};
        memcpy(&a, state->attachments + i * sizeof a, sizeof a);
        if (!a.alive)
            continue;
        for (int side = 0; side < 2; ++side) {
            if (a.body[side] == 0 && side == 1)
                continue;
            if (a.body[side] == 0 || a.body[side] > world->desc.max_bodies)
                return false;
            const struct body b = body_of(state, a.body[side] - 1);
            if (!(b.flags & BODY_ALIVE))
                return false;
            assets[side] = world_assets(world)[b.asset].asset;
        }
        if (!attachments_valid(&a, assets))
            return false;
    }
    return true;
}

static bool colliders_valid(const piola_world *world, const struct stored_state *state)
{
    for (uint64_t i = 0; i < state->collider_length; ++i) {
        struct collider c;
        memcpy(&c, state->colliders + i * sizeof c, sizeof c);
        if (!collider_valid(world, &c))
            return false;
    }
    for (uint64_t i = 0; i < state->rigid_length; ++i) {
        struct collider c = {0};
        struct rigid r;
        memcpy(&r, state->rigids + i * sizeof r, sizeof r);
        if (i < state->collider_length)
            memcpy(&c, state->colliders + i * sizeof c, sizeof c);
        if (!rigid_valid(&r, &c))
            return false;
    }
    for (uint64_t i = 0; i < state->event_length; ++i) {
        struct contact_record record;
        memcpy(&record, state->events + i * sizeof record, sizeof record);
        if (!events_valid(world, &record))
            return false;
    }
    return true;
}

static bool grips_valid(const struct stored_state *state)
{
    for (uint64_t i = 0; i < state->gripped; ++i) {
        struct grip grip;
        memcpy(&grip, state->grips + i * sizeof grip, sizeof grip);
        if (!surface_grips_valid(&grip))
            return false;
    }
    return true;
}

/* Only what lives is watched, by an element of its own. */
static bool watches_valid(const piola_world *world, const struct stored_state *state)
{
    for (uint32_t i = 0; i < state->watched; ++i) {
        const struct body b = body_of(state, i);
        struct watch watch;
        memcpy(&watch, state->watches + i * sizeof watch, sizeof watch);
        const struct watch none = {0};
        if (watch.looks == 0 && !same_bytes(&watch, &none, sizeof watch))
            return false;
        if (watch.looks == 0)
            continue;
        if (!(b.flags & BODY_ALIVE) || !(watch.nearest >= 0) || !(watch.last >= 0) ||
            !finite(watch.nearest) || !finite(watch.last) || watch.others > 1)
            return false;
        for (int k = 0; k < 4; ++k)
            if (watch.corner[k] >= world_assets(world)[b.asset].asset->stats.vertices)
                return false;
    }
    return true;
}

bool snapshot_valid(const piola_world *world, const struct stored_state *state)
{
    struct clock clock;
    memcpy(&clock, state->clock, sizeof clock);
    for (int k = 0; k < 3; ++k)
        if (!finite(clock.gravity[k]))
            return false;
    for (int i = 0; i < 4; ++i)
        if (!all_finite(state->streams[i], state->lengths[i] * 4))
            return false;
    if (!all_finite(state->plastic, state->plastic_length * 6 * PK_LANES))
        return false;
    uint64_t links = 0;
    bool loaded = false;
    if (!colliders_valid(world, state) || !grips_valid(state))
        return false;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        const struct body b = body_of(state, i);
        if (!(b.flags & BODY_ALIVE)
                ? !dead(state, i)
                : !body_fits(world, state, &b) || !masses_fit(world, state, &b) ||
                      !strains_fit(world, state, &b))
            return false;
        loaded = loaded || (b.flags & BODY_LOADED) != 0;
        if (b.flags & BODY_ALIVE)
            links += world_assets(world)[b.asset].asset->stats.link_packs;
    }
    if (links > world->dim[DIM_links].capacity || !pressures_fit(world, state) ||
        !attachments_fit(world, state) || !watches_valid(world, state) ||
        !loads_valid(world, state->loads, state->load_length, state->lengths[0], loaded) ||
        !wind_valid(world, state->weather, state->body_air, state->airborne) ||
        !wind_grid_valid(state->wind_grid, state->wind_grids, state->wind_nodes,
                         state->wind_node_length) ||
        !surface_settings_valid(state->surface_settings, state->coated))
        return false;
    for (int what = 0; what < SPANS; ++what)
        if (!apart(world, state, (enum span_of)what))
            return false;
    return true;
}
