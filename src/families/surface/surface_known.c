/* surface_known.c - which pairs a round of the limit must look at: most rounds change few ways.
 *
 * A pair's proof holds until one of its particles goes another way. Ways are told apart by shares:
 * below 1 a part of the way, from 1 on all of it, with another number each time that a particle is
 * given its whole way again or is put elsewhere. Packs know in which parts of which bodies their
 * particles are, so one whose parts did not change is not even read.
 */
#include "families/surface/surface.h"
#include "motion/stage.h"

#define PARTS 32u

/* A part of a body has 2 to the power of this particles. */
static uint32_t size_of_parts(const struct body *body)
{
    uint32_t shift = 0;
    while ((body->count - 1) >> shift >= PARTS)
        ++shift;
    return shift;
}

void surface_go_anew(const piola_world *w)
{
    world_surface_now(w)->whole += 1;
}

void each_surface_changed(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct chunk *chunk = &world_chunks(w)[index];
    const struct body *body = &world_bodies(w)[chunk->body];
    const uint32_t shift = size_of_parts(body);
    uint32_t parts = 0;
    for (uint32_t i = chunk->first; i < chunk->first + chunk->count; ++i) {
        const float share = world_share(w)[i];
        if (world_share_seen(w)[i] == share)
            continue;
        world_share_seen(w)[i] = share;
        parts |= 1u << ((i - body->first) >> shift);
    }
    if (parts != 0)
        atomic_fetch_or_explicit(&world_changed(w)[chunk->body], parts, memory_order_relaxed);
}

void surface_find_changed(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        atomic_store_explicit(&world_changed(w)[b], 0, memory_order_relaxed);
    run_stage(step, STAGE_SURFACE_CHANGED, 0);
    world_surface_now(w)->changed = false;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        if (atomic_load_explicit(&world_changed(w)[b], memory_order_relaxed) != 0)
            world_surface_now(w)->changed = true;
}

static bool is_of(const struct body *body, uint32_t particle)
{
    return particle - body->first < body->count;
}

/* Where a pack's particles are. Of what is in more than two bodies nothing is known. */
void surface_place_pack(const piola_world *w, uint32_t pack)
{
    const struct pk_pair_pack *pairs = &world_pair_packs(w)[pack];
    const struct body *body[2] = {NULL, NULL};
    struct pack_place place = {{NO_BODY, NO_BODY}, {0, 0}, true, true};
    uint32_t shift[2] = {0, 0};
    for (uint32_t lane = 0; lane < PK_LANES && place.known; ++lane)
        for (int k = 0; k < 4; ++k) {
            const uint32_t i = pairs->particle[k][lane];
            const int side = !body[0] || is_of(body[0], i) ? 0 : 1;
            if (!body[side]) {
                place.body[side] = world_owner(w)[i];
                body[side] = &world_bodies(w)[place.body[side]];
                shift[side] = size_of_parts(body[side]);
            }
            place.known = place.known && is_of(body[side], i);
            if (place.known)
                place.parts[side] |= 1u << ((i - body[side]->first) >> shift[side]);
        }
    world_pack_places(w)[pack] = place;
}

/* True when what was proven of all of a pack still holds. */
bool surface_still_proven(const piola_world *w, uint32_t pack)
{
    const struct pack_place *place = &world_pack_places(w)[pack];
    if (world_acting(w)[pack] != 0)
        return false;
    if (!place->placed)
        surface_place_pack(w, pack);
    uint32_t parts = 0;
    for (int side = 0; side < 2 && place->known; ++side)
        if (place->parts[side] != 0)
            parts |=
                atomic_load_explicit(&world_changed(w)[place->body[side]], memory_order_relaxed) &
                place->parts[side];
    return place->known && parts == 0;
}
