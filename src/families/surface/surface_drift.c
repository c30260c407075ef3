/* surface_drift.c - bodies that push each other go where their momentum takes them.
 *
 * The last limit lets particles go a share of their ways in the world, so two bodies that press
 * each other while they fly would stay behind their common motion, with the right velocity but a
 * way that is too short. What an island lacks is one rigid motion of the whole, as momentum.c finds
 * it for a body alone: within the island it changes no distance, so nothing proven is lost. Towards
 * all else it is proven by boxes: of where bodies have been in the substep, grown by the longest
 * such way. Islands whose boxes overlap move as one; those that something outside holds, or that
 * would come near a collider or a body that does not touch anything, stay.
 */
#include "families/surface/surface.h"

#include "families/collide/collide_block.h"
#include "families/surface/box_tree.h"
#include "families/surface/surface_settings.h"
#include "motion/stage.h"

#include <math.h>

/* Of the thickness: ways shorter than this are left out, longer ones not gone. */
#define SHORT 1e-3f
#define LONG  1e3f
/* Of the way: what is rounded of it, for two particles; of the way LONG that is PK_STAR_DRIFT. */
#define ROUNDED 1e-6f

static void find_reach(const piola_world *w, uint32_t index)
{
    const struct body *body = &world_bodies(w)[index];
    struct reach *r = &world_reaches(w)[index];
    for (int k = 0; k < 3; ++k) {
        r->low[k] = INFINITY;
        r->high[k] = -INFINITY;
        r->begin[k] = 0;
    }
    for (uint32_t i = body->first; i < body->first + body->count; ++i)
        for (int side = 0; side < 2; ++side) {
            float x[3];
            quad_read(side ? &world_start(w)[i] : &world_position(w)[i], x);
            for (int k = 0; k < 3; ++k) {
                r->low[k] = x[k] < r->low[k] ? x[k] : r->low[k];
                r->high[k] = x[k] > r->high[k] ? x[k] : r->high[k];
                r->begin[k] = side && fabsf(x[k]) > r->begin[k] ? fabsf(x[k]) : r->begin[k];
            }
        }
}

void each_surface_reach(const struct step *step, uint32_t argument, uint32_t body)
{
    (void)argument;
    find_reach(step->world, body);
}

void each_surface_drift(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    find_reach(w, index);
    /* Only found in the limit: its velocities are still those of before. */
    if (world_paired(w)[index] == PAIRED_AFTER)
        surface_sum(step, MOMENTUM_BEFORE, index);
    surface_sum(step, MOMENTUM_DRIFT, index);
}

/* Islands as they pushed each other; bodies without pairs are held. True when one is free. */
static bool find_islands(const struct step *step)
{
    const piola_world *w = step->world;
    const struct body *bodies = world_bodies(w);
    struct reach *reaches = world_reaches(w);
    bool any = false;
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const uint32_t b = world_shared(w)[i];
        world_reach_leaders(w)[b] = world_paired(w)[b] ? surface_island(w, b) : b;
        reaches[b].held = reaches[b].several = 0;
    }
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const uint32_t b = world_shared(w)[i], root = reach_root(w, b);
        const bool broken = atomic_load_explicit(&world_verdicts(w)[b], memory_order_relaxed) != 0;
        if (!world_paired(w)[b] || broken || !surface_alone(step, &bodies[b], &bodies[root]))
            reaches[root].held = 1;
    }
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const uint32_t b = world_shared(w)[i];
        any = any || (reach_root(w, b) == b && !reaches[b].held);
    }
    return any;
}

/* Roots have the sums of all of their island: of bodies in their order. */
static void sum_islands(const piola_world *w)
{
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const uint32_t b = world_shared(w)[i], root = reach_root(w, b);
        if (root != b && !world_reaches(w)[root].held)
            momentum_add(&world_contact_sums(w)[2 * root + 1], &world_contact_sums(w)[2 * b + 1]);
    }
}

static float size_of(const float v[], int count)
{
    float square = 0;
    for (int k = 0; k < count; ++k)
        square += v[k] * v[k];
    return sqrtf(square);
}

/* No particle in the box is moved farther, m. */
static float farthest_in(const struct reach *r, const struct pk_rigid *rigid)
{
    float arm[3];
    for (int k = 0; k < 3; ++k) {
        const float low = rigid->centre[k] - r->low[k], high = r->high[k] - rigid->centre[k];
        arm[k] = low > high ? low : high;
    }
    return size_of(rigid->shift, 3) + size_of(rigid->rotation, 9) * size_of(arm, 3);
}

/* Finds how each free island should move; the farthest that one of its particles would, m. */
static float find_motions(const struct step *step)
{
    const piola_world *w = step->world;
    const struct reach *reaches = world_reaches(w);
    float most = 0;
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const uint32_t b = world_shared(w)[i], root = reach_root(w, b);
        if (reaches[root].held)
            continue;
        if (root == b) /* the lowest number comes first */
            momentum_correct_drift(step, b, &world_contact_sums(w)[2 * b + 1]);
        const float far = farthest_in(&reaches[b], &world_momenta(w)[root].rigid);
        most = far > most ? far : most;
    }
    return most;
}

/* How large the coordinates of islands that may move are. */
static float coarsest(const piola_world *w)
{
    const struct reach *reaches = world_reaches(w);
    float most = 0;
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const struct reach *r = &reaches[world_shared(w)[i]];
        for (int k = 0; k < 3 && !reaches[reach_root(w, world_shared(w)[i])].held; ++k) {
            const float low = fabsf(r->low[k]), high = fabsf(r->high[k]);
            most = low > most ? low : most;
            most = high > most ? high : most;
        }
    }
    return most;
}

/* Islands stay of which two particles are so near each other that rounding them anew might bring
 * one through the other's side. What is not listed is at least the thickness apart, or in a star,
 * which counts the rounding. */
static void hold_close(const piola_world *w, float rounded)
{
    const float safe = 5 * rounded;
    for (uint32_t p = 0; p < world_surface_now(w)->pair_pack_end; ++p)
        for (uint32_t lane = 0; lane < PK_LANES; ++lane) {
            /* A fifth of a distance remains, or of the thickness. */
            if (world_pair_packs(w)[p].distance[lane] > safe)
                continue;
            const struct pair pair = surface_pair(w, p, lane, 0);
            if (surface_kept(w, &pair) > rounded)
                continue;
            for (int i = 0; i < 4; i += 3) {
                const uint32_t body = world_owner(w)[pair.particle[i]];
                world_reaches(w)[reach_root(w, body)].held = 1;
            }
        }
}

bool reach_near(const struct reach *a, const struct reach *b, float most)
{
    for (int k = 0; k < 3; ++k)
        if (a->low[k] - b->high[k] > most || b->low[k] - a->high[k] > most)
            return false;
    return true;
}

uint32_t reach_root(const piola_world *w, uint32_t body)
{
    return islands_root(reach_islands(w), body);
}

/* The islands of two bodies become one. */
static void join(const piola_world *w, uint32_t a, uint32_t b)
{
    struct reach *reaches = world_reaches(w);
    const uint32_t p = reach_root(w, a), q = reach_root(w, b);
    const uint32_t low = p < q ? p : q, high = p < q ? q : p;
    if (low == high || (reaches[low].held && reaches[high].held))
        return;
    islands_join(reach_islands(w), low, high);
    reaches[low].several = 1;
    reaches[low].held |= reaches[high].held | (uint32_t)!bodies_fall_alike(&world_bodies(w)[low],
                                                                           &world_bodies(w)[high]);
    if (!reaches[low].held)
        momentum_add(&world_contact_sums(w)[2 * low + 1], &world_contact_sums(w)[2 * high + 1]);
}

/* In the order of the bodies, for sums are rounded. */
void reach_each_near(const struct step *step, float most,
                     void (*use)(const piola_world *w, uint32_t a, uint32_t b))
{
    const piola_world *w = step->world;
    const uint32_t count = w->shared_count;
    const struct reach *reaches = world_reaches(w);
    uint64_t near[BOX_TREE_WORDS];
    body_tree_reaches(w, most);
    for (uint32_t i = 0; i < count; ++i) {
        body_tree_near(step, i, near);
        for (uint32_t j = box_tree_next(near, count, i + 1); j < count;
             j = box_tree_next(near, count, j + 1)) {
            const uint32_t a = world_shared(w)[i], b = world_shared(w)[j];
            if (reach_near(&reaches[a], &reaches[b], most))
                use(w, a, b);
        }
    }
}

static void join_meeting(const piola_world *w, uint32_t a, uint32_t b)
{
    if (coats_meet(w, a, b))
        join(w, a, b);
}

/* Several islands keep their angular momenta each, which turning them as one would not; and they
 * may ask for a longer way than any alone, which is not proven. */
static void restrain(struct pk_rigid *rigid, bool several, float most)
{
    const float size = size_of(rigid->shift, 3);
    for (int k = 0; k < 9 && several; ++k)
        rigid->rotation[k] = 0;
    for (int k = 0; k < 3 && size > most; ++k)
        rigid->shift[k] *= most / size;
}

static void move_islands(const struct step *step, float most)
{
    const piola_world *w = step->world;
    struct reach *reaches = world_reaches(w);
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const uint32_t b = world_shared(w)[i], root = reach_root(w, b);
        const struct body *body = &world_bodies(w)[b];
        if (reaches[root].held)
            continue;
        if (root == b) { /* the lowest number comes first */
            momentum_correct_drift(step, b, &world_contact_sums(w)[2 * b + 1]);
            restrain(&world_momenta(w)[b].rigid, reaches[b].several, most);
        }
        momentum_move(step, root, body->first, body->count);
    }
}

/* Colliders are not asked again after this: whoever might come to one stays. */
static bool meets_collider(const struct step *step, const struct body *body, float most)
{
    const piola_world *w = step->world;
    for (uint32_t at = 0; at < body->count; at += TOUCH_BLOCK) {
        const uint32_t n = body->count - at < TOUCH_BLOCK ? body->count - at : TOUCH_BLOCK;
        struct collide_block b = collide_block_of(world_start(w) + body->first + at,
                                                  world_position(w) + body->first + at, n);
        b.reach += 2 * most;
        struct collide_round round = collide_round_of(w, body, step->substep, &b, 1);
        if (collide_next(&round))
            return true;
    }
    return false;
}

static void hold_near_colliders(const struct step *step, float most)
{
    const piola_world *w = step->world;
    struct reach *reaches = world_reaches(w);
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const uint32_t b = world_shared(w)[i], root = reach_root(w, b);
        if (!reaches[root].held)
            reaches[root].held = meets_collider(step, &world_bodies(w)[b], most);
    }
}

void surface_catch_up(const struct step *step)
{
    const piola_world *w = step->world;
    if (!surface_keeps(w) || !world_surface_now(w)->paired || !find_islands(step))
        return;
    domains_part(step->world, ALL_JOIN);
    run_stage(step, STAGE_SURFACE_DRIFT, 0);
    sum_islands(w);
    const float most = find_motions(step);
    const float thickness = w->desc.contact_thickness;
    const float rounded = 2 * SURFACE_GRAIN * (coarsest(w) + most) + ROUNDED * most;
    if (!(most > SHORT * thickness && most < LONG * thickness) ||
        !(rounded < 0.2f * thickness && rounded < world_surface_now(w)->dropped_keep))
        return;
    hold_close(w, rounded);
    hold_near_colliders(step, most);
    /* Both of two islands may move. */
    reach_each_near(step, 2 * most + 2 * rounded, join_meeting);
    move_islands(step, most);
}
