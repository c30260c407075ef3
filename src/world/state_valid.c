/* state_valid.c - a checksum proves that bytes are unchanged, not that they make sense: is what a
 * snapshot holds of bodies possible? Known assets, bodies apart and inside the arrays, flags and
 * counts that fit, inverse masses that are 0 or the asset's, plastic strain within its bound. What
 * families hold: the functions that their FIELD rows name.
 */
#include "base/ranges.h"
#include "base/sort.h"
#include "world/world.h"

#include <float.h>
#include <string.h>

bool any(const struct stored *stored, enum field field)
{
    (void)stored;
    (void)field;
    return true;
}

bool finite_floats(const struct stored *stored, enum field field)
{
    const struct field_info *info = &world_fields[field];
    const uint64_t floats = stored->dim[info->dimension].used * (info->element / sizeof(float));
    for (uint64_t i = 0; i < floats; ++i) {
        float value;
        memcpy(&value, stored->at[field] + i * sizeof value, sizeof value);
        if (!is_finite(value))
            return false;
    }
    return true;
}

/* As descriptions and commands have it: no call sets a number beyond. */
#define SET_MOST 1e9f

static bool settable(const float *values, int count)
{
    bool fit = true;
    for (int k = 0; k < count; ++k)
        fit = fit && values[k] >= -SET_MOST && values[k] <= SET_MOST;
    return fit;
}

bool clock_valid(const struct stored *stored, enum field field)
{
    const struct clock clock = stored_clock(stored, 0);
    (void)field;
    return settable(clock.gravity, 3);
}

static bool settings_fit(const struct body *b)
{
    const bool paced = is_finite(b->pace) && (b->flags & BODY_LATE ? b->pace >= 0 : b->pace == 0);
    return paced && settable(&b->gravity_scale, 1) && settable(&b->damping, 1) && b->damping >= 0 &&
           settable(b->acceleration, 3) && b->history <= 1;
}

/* A slot without a body holds nothing but the generation that the next one counts on from. */
static bool dead(const struct body *body)
{
    struct body none;
    memset(&none, 0, sizeof none);
    none.generation = body->generation;
    return same_bytes(body, &none, sizeof none);
}

static bool inside(uint32_t first, uint32_t count, uint64_t length)
{
    return (uint64_t)first + count <= length;
}

static bool body_fits(const struct stored *stored, const struct body *b)
{
    const piola_world *world = stored->world;
    if ((b->flags & ~((uint32_t)(BODY_ALIVE | BODY_FROZEN | BODY_TANGLES | BODY_UNFOLDS |
                                 BODY_LOADED | BODY_GUIDED | BODY_PRESSED | BODY_LATE |
                                 (world->desc.sleep ? BODY_ASLEEP : 0)) |
                      UNTANGLE_FLAGS)) != 0 ||
        b->generation == 0 || b->asset >= world->desc.max_assets ||
        !world_assets(world)[b->asset].asset || !settings_fit(b))
        return false;
    const piola_asset *asset = world_assets(world)[b->asset].asset;
    const uint32_t packs = world->dim[DIM_packs].capacity ? asset->stats.packs : 0;
    return body_asset_fits(world, asset) && b->count == asset->stats.particles &&
           b->plastic_count == asset->plastic_cells && b->packs_count == packs &&
           b->first % PK_LANES == 0 &&
           inside(b->first, b->count, stored->dim[DIM_particles].used) &&
           inside(b->plastic_first, b->plastic_count, stored->dim[DIM_plastic].used) &&
           inside(b->packs_first, b->packs_count, world->dim[DIM_packs].capacity);
}

/* Bodies that have such a span at all, sorted by where it begins, must not reach into the next. */
static bool apart(const struct stored *stored, enum span_of what)
{
    const piola_world *world = stored->world;
    uint32_t *list = world_order(world), *first = world_count(world), n = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        const struct body b = stored_bodies(stored, i);
        first[i] = body_span(&b, what).first;
        if (body_span(&b, what).count > 0)
            list[n++] = i;
    }
    sort_items(list, world_small(world), n, first, 1, 32);
    for (uint32_t i = 1; i < n; ++i) {
        const struct body a = stored_bodies(stored, list[i - 1]);
        if ((uint64_t)body_span(&a, what).first + body_span(&a, what).count > first[list[i]])
            return false;
    }
    return true;
}

bool bodies_valid(const struct stored *stored, enum field field)
{
    (void)field;
    for (uint32_t i = 0; i < stored->world->desc.max_bodies; ++i) {
        const struct body b = stored_bodies(stored, i);
        if (!(b.flags & BODY_ALIVE) ? !dead(&b) : !body_fits(stored, &b))
            return false;
    }
    return apart(stored, SPAN_PARTICLES) && apart(stored, SPAN_PLASTIC) &&
           apart(stored, SPAN_PACKS);
}

/* Inverse masses are the asset's, or 0 in as many particles as are pinned. */
static bool masses_fit(const struct stored *stored, const struct body *b)
{
    const struct pk_quad *rest = asset_rest(world_assets(stored->world)[b->asset].asset);
    uint32_t pins = 0;
    for (uint32_t i = 0; i < b->count; ++i) {
        const struct pk_quad x = stored_position(stored, (uint64_t)b->first + i);
        if (!(x.w == 0 || x.w == rest[i].w))
            return false;
        pins += x.w == 0 && rest[i].w > 0;
    }
    return pins == b->pins;
}

bool body_frictions_valid(const struct stored *stored, enum field field)
{
    bool fit = true;
    (void)field;
    for (uint64_t i = 0; fit && i < stored->dim[DIM_body_frictions].used; ++i)
        fit = friction_valid(stored_body_frictions(stored, i));
    return fit;
}

bool allowances_valid(const struct stored *stored, enum field field)
{
    (void)field;
    bool fit = true;
    for (uint64_t i = 0; fit && i < stored->dim[DIM_allowances].used; ++i)
        fit = stored_allowance(stored, i) >= 0 && stored_allowance(stored, i) <= DBL_MAX;
    return fit;
}

bool relative_damping_valid(const struct stored *stored, enum field field)
{
    bool fit = finite_floats(stored, field);
    for (uint64_t i = 0; fit && i < stored->dim[DIM_relative_damping].used; ++i)
        fit = stored_relative_damping(stored, i) >= 0;
    return fit;
}

bool positions_valid(const struct stored *stored, enum field field)
{
    bool fit = finite_floats(stored, field);
    for (uint32_t i = 0; fit && i < stored->world->desc.max_bodies; ++i) {
        const struct body b = stored_bodies(stored, i);
        fit = !(b.flags & BODY_ALIVE) || masses_fit(stored, &b);
    }
    return fit;
}

/* No flow ends beyond its material's bound. Squares that single precision has no number for count
 * as nothing there (plastic.ispc). */
static bool cell_bounded(const struct pk_plastic *cell, float max)
{
    for (unsigned lane = 0; lane < PK_LANES; ++lane) {
        double square = 0;
        for (int k = 0; k < 6; ++k)
            square += (k < 3 ? 1 : 2) * ((double)cell->e[k][lane] * (double)cell->e[k][lane]);
        if (!(square <= (double)max * (double)max + 1e-36))
            return false;
    }
    return true;
}

/* Of triangles and bends the components that they do not have are 0. */
static bool strains_fit(const struct stored *stored, const struct body *b)
{
    const piola_asset *asset = world_assets(stored->world)[b->asset].asset;
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
            if (cell == UINT32_MAX)
                continue;
            const struct pk_plastic strain =
                stored_plastic(stored, (uint64_t)b->plastic_first + cell);
            if (!cell_bounded(&strain, asset_materials(asset)[kinds[kind].materials[p]].max))
                return false;
        }
    return true;
}

bool plastic_valid(const struct stored *stored, enum field field)
{
    bool fit = finite_floats(stored, field);
    for (uint32_t i = 0; fit && i < stored->world->desc.max_bodies; ++i) {
        const struct body b = stored_bodies(stored, i);
        fit = !(b.flags & BODY_ALIVE) || strains_fit(stored, &b);
    }
    return fit;
}
