/* surface_grip.c - static friction between surfaces: what pairs remember from substep to substep.
 *
 * A pair that presses also grips: a spring within its plane, of the pair's own stiffness, which
 * slips when it would pull with more than the friction. How far it is drawn is kept while the pair
 * lasts, so who is held stays where he is, however long. So is how stiff it has become under its
 * load (surface_pairs.ispc); what is drawn then shrinks as the stiffness grows, for the friction is
 * the same. A pair is known by its particles. In each substep the pairs nearer than the thickness
 * look up what they kept (all threads, a table of open addresses); after the last limit those that
 * still press are listed anew, in their order.
 */
#include "families/surface/surface.h"

#include "motion/stage.h"
#include "world/body_room.h"
#include "world/rest.h"

#include <string.h>

static uint32_t place_of(const uint32_t particle[4], uint32_t kind)
{
    uint32_t h = kind;
    for (int k = 0; k < 4; ++k)
        h = (h ^ particle[k]) * 0x9e3779b1u;
    return h ^ h >> 15;
}

static bool same(const struct grip *g, const uint32_t particle[4], uint32_t kind)
{
    return (g->kind & ~GRIP_SLIPPED) == kind &&
           memcmp(g->particle, particle, sizeof g->particle) == 0;
}

/* Twice as many places as grips at least, so a search for one ends. */
static uint32_t places_for(uint64_t grips)
{
    uint32_t places = PK_LANES;
    while (places < 2 * grips)
        places *= 2;
    return places;
}

static void list_places(piola_world *w)
{
    const uint32_t count = (uint32_t)w->dim[DIM_grips].used, places = places_for(count);
    uint32_t *at = world_grip_places(w);
    memset(at, 0, places * sizeof *at);
    for (uint32_t i = 0; i < count; ++i) {
        const struct grip *g = &world_grips(w)[i];
        uint32_t place = place_of(g->particle, g->kind & ~GRIP_SLIPPED) & (places - 1);
        while (at[place] != 0)
            place = (place + 1) & (places - 1);
        at[place] = i + 1;
    }
    dimension_use(w, DIM_grip_places, places);
}

static const struct grip *find(const piola_world *w, const uint32_t particle[4], uint32_t kind)
{
    const uint32_t places = (uint32_t)w->dim[DIM_grip_places].used;
    const uint32_t *at = world_grip_places(w);
    uint32_t place = place_of(particle, kind) & (places - 1);
    for (; at[place] != 0; place = (place + 1) & (places - 1))
        if (same(&world_grips(w)[at[place] - 1], particle, kind))
            return &world_grips(w)[at[place] - 1];
    return NULL;
}

/* Runs of packs: what their pairs kept. Who pressed cannot have gone far. */
static void recall(const piola_world *w, uint32_t run)
{
    const uint32_t end = (run + 1) * SURFACE_RUN < world_surface_now(w)->pair_pack_end
                             ? (run + 1) * SURFACE_RUN
                             : world_surface_now(w)->pair_pack_end;
    const float near = 1.01f * w->desc.contact_thickness;
    const bool any = w->dim[DIM_grips].used > 0;
    for (uint32_t p = run * SURFACE_RUN; p < end; ++p) {
        const uint32_t kind = surface_range(w, p)->kind;
        struct pk_pair_push *push = &world_pushes(w)[p];
        memset(push->hold, 0, sizeof push->hold);
        for (uint32_t lane = 0; lane < PK_LANES && any; ++lane) {
            if (!(world_pair_packs(w)[p].distance[lane] < near))
                continue;
            const struct pair pair = surface_pair(w, p, lane, kind);
            const struct grip *g = find(w, pair.particle, kind);
            for (int k = 0; k < 3 && g; ++k)
                push->hold[k][lane] = g->slide[k];
            if (g)
                push->stiff[lane] = g->stiff;
            if (g && (g->kind & GRIP_SLIPPED))
                push->friction[0][lane] = push->friction[1][lane];
        }
    }
}

/* Runs of packs: how far those that pushed are drawn now. */
static void draw(const struct step *step, uint32_t run)
{
    const piola_world *w = step->world;
    const uint32_t most = world_surface_now(w)->grip_packs, last = (run + 1) * SURFACE_RUN;
    const struct pk_contact told = surface_params(step);
    for (uint32_t p = run * SURFACE_RUN; p < last && p < most; ++p) {
        const struct pair_range *range = surface_range(w, p);
        world_acting(w)[p] = 0;
        if (world_acted(w)[p])
            world_acting(w)[p] = step->kernels->surface_push(&told, &world_pair_packs(w)[p],
                                                             range->kind, &world_pushes(w)[p]) &
                                 surface_lanes(range, p);
    }
}

void each_surface_recall(const struct step *step, uint32_t argument, uint32_t run)
{
    (void)argument;
    recall(step->world, run);
}

void each_surface_draw(const struct step *step, uint32_t argument, uint32_t run)
{
    (void)argument;
    draw(step, run);
}

void surface_grip_recall(const struct step *step)
{
    piola_world *w = step->world;
    if (w->dim[DIM_grips].capacity > 0)
        list_places(w);
    world_surface_now(w)->grip_packs = world_surface_now(w)->pair_pack_end;
    run_stage(step, STAGE_SURFACE_RECALL, 0);
}

/* Broken numbers are nobody's grip, nor is what has no friction and its first stiffness. */
static bool grip_of(const piola_world *w, uint32_t pack, uint32_t lane, struct grip *grip)
{
    const struct pair pair = surface_pair(w, pack, lane, surface_range(w, pack)->kind);
    const struct pk_pair_push *push = &world_pushes(w)[pack];
    const bool mixed = w->dim[DIM_body_frictions].used > 0;
    bool sound = (mixed ? push->friction[0][lane] : w->desc.contact_friction) > 0;
    memcpy(grip->particle, pair.particle, sizeof grip->particle);
    grip->stiff = push->wanted[lane];
    sound = sound || grip->stiff > 1;
    grip->kind = pair.kind | (mixed && push->gripped[lane] < 1 ? GRIP_SLIPPED : 0);
    for (int k = 0; k < 3; ++k) {
        grip->slide[k] =
            push->stiff[lane] / grip->stiff * push->gripped[lane] * push->slide[k][lane];
        sound = sound && grip->slide[k] - grip->slide[k] == 0;
    }
    return sound;
}

static bool sleeps(const piola_world *w, uint32_t particle)
{
    const uint32_t body =
        particle < w->dim[DIM_particles].used ? world_owner(w)[particle] : NO_BODY;
    return body < w->desc.max_bodies && body_asleep(w, body);
}

/* Puts grips of bodies that sleep to the end of the array while others are listed; their number. */
static uint32_t put_aside(const piola_world *w)
{
    const uint32_t end = (uint32_t)w->dim[DIM_grips].capacity;
    uint32_t kept = 0;
    for (uint32_t i = (uint32_t)w->dim[DIM_grips].used; rests_any(w) && i-- > 0;) {
        const struct grip g = world_grips(w)[i];
        if (sleeps(w, g.particle[0]) && sleeps(w, g.particle[3]))
            world_grips(w)[end - ++kept] = g;
    }
    return kept;
}

/* And back behind the `count` others, as far as these have left them room: who has none begins to
 * grip anew when it wakes. Returns how many came back. */
static uint32_t put_back(piola_world *w, uint32_t kept, uint32_t count)
{
    const uint32_t end = (uint32_t)w->dim[DIM_grips].capacity, room = end - count;
    const uint32_t left = kept < room ? kept : room, behind = count + left;
    const uint32_t aside = end - left > behind ? end - left : behind;
    memmove(world_grips(w) + count, world_grips(w) + end - left, left * sizeof(struct grip));
    memset(world_grips(w) + aside, 0, (end - aside) * sizeof(struct grip));
    w->dim[DIM_grips].dropped += kept - left;
    return left;
}

void surface_grip_keep(const struct step *step)
{
    piola_world *w = step->world;
    const uint32_t before = (uint32_t)w->dim[DIM_grips].used;
    uint32_t count = 0;
    if (before == 0 && world_surface_now(w)->pair_pack_end == 0)
        return;
    run_stage(step, STAGE_SURFACE_DRAW, 0);
    const uint32_t kept = put_aside(w);
    for (uint32_t p = 0; p < world_surface_now(w)->grip_packs; ++p)
        for (uint32_t left = world_acting(w)[p]; left != 0; left &= left - 1)
            count += grip_of(w, p, (uint32_t)__builtin_ctz(left), &world_grips(w)[count]);
    count += put_back(w, kept, count);
    if (before > count)
        memset(world_grips(w) + count, 0, (before - count) * sizeof(struct grip));
    dimension_use(w, DIM_grips, count);
}

void surface_grip_forget(piola_world *w, const struct body *body)
{
    const uint32_t before = (uint32_t)w->dim[DIM_grips].used;
    uint32_t count = 0;
    for (uint32_t i = 0; i < before; ++i) {
        const struct grip g = world_grips(w)[i];
        bool its = false;
        for (int k = 0; k < 4; ++k)
            its = its || g.particle[k] - body->first < body->count;
        if (!its)
            world_grips(w)[count++] = g;
    }
    if (before > count)
        memset(world_grips(w) + count, 0, (before - count) * sizeof(struct grip));
    dimension_use(w, DIM_grips, count);
}

void surface_grip_moved(piola_world *w, const struct moves *moves)
{
    for (uint64_t i = 0; i < w->dim[DIM_grips].used; ++i)
        for (int k = 0; k < 4; ++k)
            world_grips(w)[i].particle[k] = moved_particle(moves, world_grips(w)[i].particle[k]);
}

bool grips_valid(const struct stored *stored, enum field field)
{
    bool sane = true;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_grips].used; ++i) {
        const struct grip g = stored_grips(stored, i);
        sane =
            (g.kind & ~GRIP_SLIPPED) <= PAIR_EDGES && g.stiff >= 1 && g.stiff <= PK_PAIR_STIFFEST;
        for (int k = 0; k < 3; ++k)
            sane = sane && g.slide[k] - g.slide[k] == 0;
    }
    return sane;
}
