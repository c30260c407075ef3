/* surface_limit.c - nothing passes through anything: how far each particle may go in a substep.
 *
 * When a substep begins no surfaces cross. Particles go straight, each by its own share of its way,
 * and a pair is free when its distance stays above a part of what it was: along the direction of
 * its nearest points all changes evenly, so that is known at once for as long as the direction
 * proves it; there it is looked for again. A common motion of both sides costs nothing. Pairs that
 * are not free take shares from their particles, round by round, which may unsettle others, and
 * lets particles stray from where pairs were sought: then pairs are sought again. If that does not
 * come to an end, pairs are sought for any shares of all ways, and if some are still not proven,
 * every particle goes less than half of what its nearest pair may lose: that needs no proof by
 * pairs. What moving colliders and pins push: surface_carry.c; that shares do not lead into
 * colliders: surface_outside.c.
 */
#include "families/surface/surface.h"
#include "motion/stage.h"

#include <math.h>

#define ROUNDS   24 /* after one search */
#define PATIENCE 6  /* rounds after which pairs that are not free take all of a share */
#define ATTEMPTS 5

/* What a pair's row of weights says between rounds: of one that was proven free the shares that it
 * was proven for, of any other what it asks for. Decides, in double, about one for which the kernel
 * found no proof: true when it is free. */
static bool decide(const piola_world *w, uint32_t pack, uint32_t lane, uint32_t kind, float give)
{
    const struct pair pair = surface_pair(w, pack, lane, kind);
    const double part = surface_free_part(w, &pair, NULL);
    const float ask = give * (float)part;
    for (int k = 0; k < 4; ++k)
        world_pushes(w)[pack].weight[k][lane] =
            part >= 1 ? world_share(w)[pair.particle[k]]
                      : ask * surface_part(world_share(w)[pair.particle[k]]);
    return part >= 1;
}

static void forget(const piola_world *w, uint32_t pack, uint32_t lanes)
{
    for (; lanes != 0; lanes &= lanes - 1)
        world_pushes(w)[pack].weight[0][__builtin_ctz(lanes)] = -1;
}

/* Which pairs of a run are not free, and the shares that they would have their particles go. Most
 * rounds change few shares: a proof holds until one of its own changes. */
static void find_bound(const struct step *step, uint32_t run)
{
    const piola_world *w = step->world;
    const struct pk_contact told = surface_params(step);
    const float give = world_surface_now(w)->limit_round < PATIENCE ? 0.9f : 0;
    const bool still = !world_surface_now(w)->changed;
    const uint32_t end = (run + 1) * SURFACE_RUN < world_surface_now(w)->pair_pack_end
                             ? (run + 1) * SURFACE_RUN
                             : world_surface_now(w)->pair_pack_end;
    for (uint32_t p = run * SURFACE_RUN; p < end; ++p) {
        const bool seen = p < world_surface_now(w)->limit_known;
        if (seen && (still ? world_acting(w)[p] == 0 : surface_still_proven(w, p)))
            continue;
        if (!seen)
            world_pack_places(w)[p].placed = false;
        const struct pair_range *range = surface_range(w, p);
        forget(w, p, seen ? world_acting(w)[p] : 0xffffu);
        uint32_t bound = step->kernels->surface_free(&told, &world_pair_packs(w)[p], range->kind,
                                                     &world_pushes(w)[p]) &
                         surface_lanes(range, p);
        for (uint32_t left = bound; left != 0; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            if (decide(w, p, lane, range->kind, give))
                bound &= ~(1u << lane);
        }
        world_acting(w)[p] = bound;
    }
}

/* Pins lag only when nothing else helps. */
static bool gives(const piola_world *w, uint32_t i)
{
    return world_position(w)[i].w > 0 || world_surface_now(w)->lags ||
           world_bound(w)[i] == SURFACE_WAITS;
}

/* Gives particles the least share that their pairs ask for. True when some had to give. */
static bool settle(const piola_world *w)
{
    bool taken = false;
    for (uint32_t p = 0; p < world_surface_now(w)->pair_pack_end; ++p) {
        uint32_t left = world_acting(w)[p];
        world_acted(w)[p] |= left;
        for (; left != 0; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            taken = true;
            for (int k = 0; k < 4; ++k) {
                const uint32_t i = world_pair_packs(w)[p].particle[k][lane];
                const float wanted = world_pushes(w)[p].weight[k][lane];
                if (gives(w, i) && wanted < world_share(w)[i])
                    world_share(w)[i] = wanted;
            }
        }
    }
    if (taken && world_surface_now(w)->lags)
        surface_pins_together(w);
    return taken;
}

/* How a particle strays that is so far (squared) from where it was expected; what strayed earlier
 * is known. Two bodies have their margin between them, half of which is each one's. But a second
 * search took who had not strayed to be within the slack alone: `margin` is 0 for those that leave
 * it since. */
static uint32_t stray_of(uint32_t before, float square, float slack, float margin, bool again)
{
    if (before & STRAY_AGAIN)
        return STRAY_OWN_NEW | STRAY_OTHERS_NEW;
    const uint32_t own = before & (STRAY_OWN_NEW | STRAY_OWN)   ? STRAY_OWN
                         : !(square <= 0.9999f * slack * slack) ? STRAY_OWN_NEW
                                                                : 0;
    const float more = again && own == STRAY_OWN_NEW ? slack : slack + 0.5f * margin;
    const uint32_t others = before & (STRAY_OTHERS_NEW | STRAY_OTHERS) ? STRAY_OTHERS
                            : !(square <= 0.9999f * more * more)       ? STRAY_OTHERS_NEW
                                                                       : 0;
    return own | others;
}

/* Who is bound goes no farther than that, and what rounding may add; else nowhere. */
static void bind_one(const piola_world *w, uint32_t i)
{
    if (!(world_bound(w)[i] < INFINITY) || !gives(w, i))
        return;
    const struct pk_quad *x = &world_position(w)[i], *s = &surface_from(w)[i];
    const float d[3] = {x->x - s->x, x->y - s->y, x->z - s->z};
    const float way = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    float *share = &world_share(w)[i];
    if (way * surface_part(*share) <= world_bound(w)[i])
        return;
    const float size = contact_size(x) > contact_size(s) ? contact_size(x) : contact_size(s);
    const float most = world_bound(w)[i] - SURFACE_GRAIN * size;
    *share = most > 0 ? most / way : 0;
}

static void stir(piola_world *w, uint32_t body)
{
    atomic_store_explicit(&world_stirred(w)[body], 1, memory_order_relaxed);
    atomic_store_explicit(&world_surface_now(w)->strays, 1, memory_order_relaxed);
}

/* Notes where a particle ends; true when that is elsewhere than at the last look. */
static bool note_end(const piola_world *w, uint32_t i, bool seen, const struct pk_quad *x)
{
    struct pk_quad *ended = &world_ended(w)[i];
    const bool same = seen && same_bytes(&ended->x, &x->x, 3 * sizeof x->x);
    *ended = *x;
    world_fresh(w)[i] = !same;
    return !same;
}

/* Particles of a chunk that go elsewhere than where their pairs were sought; those for whose pairs
 * there was no room go little. */
static void find_strays(const struct step *step, const struct chunk *chunk)
{
    piola_world *w = step->world;
    const struct pk_contact told = surface_params(step);
    const float margin = surface_margin(w, false);
    const bool seen = world_seen(w)[chunk->body] != 0;
    bool any = false, moved = false;
    for (uint32_t i = chunk->first; i < chunk->first + chunk->count; ++i) {
        const struct pk_quad *s = &world_start(w)[i], *t = &world_expected(w)[i];
        if (world_owner(w)[i] == NO_BODY)
            continue;
        bind_one(w, i);
        if (world_star(w)[i] == PK_STAR_LOST)
            world_star(w)[i] = PK_STAR_OPEN;
        if (world_bound(w)[i] == SURFACE_WAITS) {
            world_strayed(w)[i] = STRAY_OWN | STRAY_OTHERS;
            world_fresh(w)[i] = moved = true;
            atomic_store_explicit(&world_stirred(w)[chunk->body], 1, memory_order_relaxed);
            continue;
        }
        const struct pk_quad x = surface_end_of(w, i);
        const bool fresh = note_end(w, i, seen, &x);
        moved = moved || fresh;
        /* Who had not strayed then has not now. */
        if (!fresh && world_strayed(w)[i] == 0)
            continue;
        const float d[3] = {x.x - t->x, x.y - t->y, x.z - t->z};
        const float e[3] = {t->x - s->x, t->y - s->y, t->z - s->z};
        const float square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        world_astray(w)[i] = (struct pk_quad){d[0], d[1], d[2], 1.00001f * sqrtf(square)};
        const float slack =
            told.slack + told.stretch * sqrtf(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
        world_strayed(w)[i] =
            stray_of(world_strayed(w)[i], square, slack, margin, world_surface_now(w)->spill.again);
        any = any || (world_strayed(w)[i] & (STRAY_OWN_NEW | STRAY_OTHERS_NEW));
    }
    if (moved)
        atomic_store_explicit(&world_moved(w)[chunk->body], 1, memory_order_relaxed);
    if (any)
        stir(w, chunk->body);
}

/* Stars that, as particles really go, can no longer be vouched for. */
static void find_lost(const struct step *step, struct surface_block *block)
{
    piola_world *w = step->world;
    struct pk_contact told = surface_params(step);
    told.to = world_position(w);
    if (atomic_load_explicit(&world_moved(w)[block->body], memory_order_relaxed) == 0)
        return;
    if (step->kernels->surface_stars(&told, &world_rings(w)[block->ring_first], block->rings,
                                     world_star(w), 1) > 0)
        stir(w, block->body);
}

static void go(const piola_world *w, const struct chunk *chunk)
{
    for (uint32_t i = chunk->first; i < chunk->first + chunk->count; ++i)
        if (world_share(w)[i] < 1 && gives(w, i))
            world_position(w)[i] = surface_end_of(w, i);
}

/* What of a body had strayed when the limit began is known already. */
static bool looked_at(const piola_world *w, uint32_t body)
{
    return world_surface_now(w)->looked && world_looked(w)[body];
}

void each_surface_stray(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct chunk *of = &world_chunks(step->world)[chunk];
    if (!looked_at(step->world, of->body))
        find_strays(step, of);
}

void each_surface_lose(const struct step *step, uint32_t argument, uint32_t block)
{
    (void)argument;
    struct surface_block *of = surface_own_block(step, block);
    if (!looked_at(step->world, of->body))
        find_lost(step, of);
}

void each_surface_bound(const struct step *step, uint32_t argument, uint32_t run)
{
    (void)argument;
    find_bound(step, run);
}

void each_surface_go(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    go(step->world, &world_chunks(step->world)[chunk]);
}

/* Before others, so that pins of a body stay together. */
static void bind_pins(const piola_world *w)
{
    for (uint64_t i = 0; i < w->dim[DIM_particles].used; ++i)
        if (!(world_position(w)[i].w > 0) && world_owner(w)[i] != NO_BODY)
            bind_one(w, (uint32_t)i);
    surface_pins_together(w);
}

static bool strayed(const struct step *step)
{
    struct surface_now *now = world_surface_now(step->world);
    if (now->lags)
        bind_pins(step->world);
    for (uint32_t b = 0; b < step->world->desc.max_bodies; ++b)
        if (!looked_at(step->world, b)) {
            atomic_store_explicit(&world_stirred(step->world)[b], 0, memory_order_relaxed);
            atomic_store_explicit(&world_moved(step->world)[b], 0, memory_order_relaxed);
        }
    if (!now->looked)
        atomic_store_explicit(&now->strays, 0, memory_order_relaxed);
    run_stage(step, STAGE_SURFACE_STRAY, 0);
    run_stage(step, STAGE_SURFACE_LOSE, 0);
    for (uint32_t b = 0; b < step->world->desc.max_bodies; ++b)
        world_seen(step->world)[b] = 1;
    now->looked = false;
    return atomic_load_explicit(&now->strays, memory_order_relaxed) != 0;
}

static bool has_pairs(const piola_world *w)
{
    return world_surface_now(w)->pair_pack_end > 0 || world_surface_now(w)->pairs_dropped > 0;
}

/* The first look of the limit, which nothing of the limit has changed yet for bodies without pairs:
 * they go all their ways. Of the shared domain, when there are no pairs at all. */
void surface_look(const struct step *step)
{
    piola_world *w = step->world;
    const bool looks = !step->domain->shared || !has_pairs(w);
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t b = domain_body(step, i);
        atomic_store_explicit(&world_stirred(w)[b], 0, memory_order_relaxed);
        atomic_store_explicit(&world_moved(w)[b], 0, memory_order_relaxed);
        world_looked(w)[b] = looks;
    }
    if (!looks)
        return;
    run_stage(step, STAGE_SURFACE_STRAY, 0);
    run_stage(step, STAGE_SURFACE_LOSE, 0);
    for (uint32_t i = 0; i < domain_bodies(step); ++i)
        world_seen(w)[domain_body(step, i)] = 1;
}

/* Nothing has pairs, nothing went where none were sought, and no collider has moved anything to
 * where it may be in another: all go all their ways. */
static bool calm(const piola_world *w)
{
    const struct surface_now *now = world_surface_now(w);
    return !has_pairs(w) && atomic_load_explicit(&now->strays, memory_order_relaxed) == 0 &&
           atomic_load_explicit(&now->doubts, memory_order_relaxed) == 0 && !now->cut;
}

/* Takes shares until all listed pairs are free; false when they are not after the last round. */
static bool settled(const struct step *step, bool *changed)
{
    struct surface_now *now = world_surface_now(step->world);
    *changed = false;
    for (uint32_t round = 0; round < ROUNDS && now->rounds_left > 0; ++round) {
        --now->rounds_left;
        ++now->work.rounds;
        now->work.proofs += now->pair_pack_end;
        now->limit_round = round;
        surface_find_changed(step);
        run_stage(step, STAGE_SURFACE_BOUND, 0);
        now->limit_known = now->pair_pack_end;
        if (!settle(step->world))
            return true;
        *changed = true;
    }
    return false;
}

/* Every particle that has pairs goes less than half of what the nearest may lose, what carrying it
 * rounds included. */
static void bind_all(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t p = 0; p < world_surface_now(w)->pair_pack_end; ++p)
        for (uint32_t lane = 0; lane < PK_LANES; ++lane) {
            const struct pair pair = surface_pair(w, p, lane, 0);
            const double loss = world_surface_now(w)->carries ? surface_carried_apart(w, &pair) : 0;
            const double room = 0.49 * ((double)pair.distance - surface_must_keep(w, &pair)) - loss;
            const float most = room > 0 ? (float)room : 0;
            for (int k = 0; k < 4; ++k) {
                float *bound = &world_bound(w)[pair.particle[k]];
                *bound = most < *bound ? most : *bound;
            }
        }
    surface_go_anew(w);
    for (uint64_t i = 0; i < w->dim[DIM_particles].used; ++i)
        world_share(w)[i] = world_surface_now(w)->whole;
    (void)strayed(step);
}

bool surface_share_again(const struct step *step)
{
    piola_world *w = step->world;
    bool stray = strayed(step), free = false, changed = false;
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        if (stray && (world_surface_now(w)->range_count + 6 > PAIR_RANGES ||
                      world_surface_now(w)->searches_left == 0))
            return false;
        if (stray) {
            --world_surface_now(w)->searches_left;
            surface_find_again(step, false);
        }
        if (stray && (world_surface_now(w)->pairs_dropped > 0 || world_surface_now(w)->cut))
            return false;
        free = settled(step, &changed);
        stray = free && changed && strayed(step);
        if (!free || !stray)
            break;
    }
    return free && !stray;
}

void surface_share_surely(const struct step *step)
{
    piola_world *w = step->world;
    bool changed = false;
    if (world_surface_now(w)->limit_state == LIMIT_SOME) {
        if (surface_share_again(step))
            return;
        surface_find_again(step, true);
        surface_wait(step);
        (void)strayed(step);
        world_surface_now(w)->limit_state = LIMIT_ALL;
    }
    if (world_surface_now(w)->limit_state == LIMIT_ALL && !settled(step, &changed)) {
        bind_all(step);
        world_surface_now(w)->limit_state = LIMIT_BOUND;
    }
}

/* All shares anew, with bodies carried or not. Ways that begin elsewhere than when pairs were last
 * sought lead elsewhere, whatever was tried since; and what had strayed when a try gave up has not
 * been sought at all. What was proven of whole ways holds for bodies that are carried as well: they
 * end where they would. */
static bool begin_with(const struct step *step, enum carry carry)
{
    piola_world *w = step->world;
    const bool unsought =
        atomic_load_explicit(&world_surface_now(w)->strays, memory_order_relaxed) != 0;
    if (world_surface_now(w)->carries)
        world_surface_now(w)->limit_known = 0;
    world_surface_now(w)->carries = false;
    world_surface_now(w)->limit_state = LIMIT_SOME;
    surface_wait(step);
    if (carry != CARRY_NONE && world_surface_now(w)->waits)
        return false;
    if (carry != CARRY_NONE && !surface_carry(step, carry))
        return false;
    if (world_surface_now(w)->looked)
        return true; /* the first try: nothing has taken any share, or strayed since */
    const bool elsewhere = world_surface_now(w)->carries || world_surface_now(w)->sought_carried;
    surface_go_anew(w);
    for (uint64_t i = 0; i < w->dim[DIM_particles].used; ++i) {
        const uint32_t stray = world_strayed(w)[i];
        const bool fresh = (stray & (STRAY_OWN_NEW | STRAY_OTHERS_NEW)) != 0;
        if (world_share(w)[i] < 1)
            world_share(w)[i] = world_surface_now(w)->whole;
        if ((elsewhere && stray != 0) || (unsought && (fresh || world_star(w)[i] == PK_STAR_LOST)))
            world_strayed(w)[i] = STRAY_AGAIN;
    }
    return true;
}

static bool try_with(const struct step *step, enum carry carry)
{
    return begin_with(step, carry) && surface_share_again(step) && surface_outside(step);
}

static bool surely_with(const struct step *step, enum carry carry)
{
    if (!begin_with(step, carry))
        return false;
    surface_share_surely(step);
    return true;
}

void surface_limit(const struct step *step)
{
    piola_world *w = step->world;
    world_surface_now(w)->lags = world_surface_now(w)->halts = false;
    surface_wait_faces(w);
    if (calm(w)) {
        surface_go_on(step);
        return;
    }
    domains_part(w, ALL_JOIN);
    world_surface_now(w)->looked = true;
    surface_make_room(step);
    if (!try_with(step, CARRY_FREELY) && !try_with(step, CARRY_BY_COLLIDERS) &&
        !try_with(step, CARRY_NONE) &&
        !(surface_pins_move(step) && try_with(step, CARRY_BY_PINS))) {
        /* In the worst case pins and colliders lag. */
        world_surface_now(w)->lags = true;
        if (!surface_pins_move(step) || !surely_with(step, CARRY_BY_PINS) ||
            !surface_outside_as_is(step)) {
            (void)surely_with(step, CARRY_NONE);
            surface_outside_at_last(step);
        }
        surface_pins_wait(w);
    }
    run_stage(step, STAGE_SURFACE_GO, 0);
    world_surface_now(w)->carries = world_surface_now(w)->lags = false;
    surface_go_on(step);
    surface_join_all(w);
}
