/* contact_drift.c - bodies that push each other go where their momentum takes them.
 *
 * The last limit lets particles go a share of their ways in the world, so two bodies that press
 * each other while they fly would stay behind their common motion, with the right velocity but a
 * way that is too short. What an island lacks is one rigid motion of the whole, as momentum.c finds
 * it for a body alone: within the island it changes no distance, so nothing proven is lost. Towards
 * all else it is proven by boxes: of where bodies have been in the substep, grown by the longest
 * such way. Islands whose boxes overlap move as one; those that something outside holds, or that
 * would come near a body that does not touch anything, stay.
 */
#include "contact.h"

#include "coat.h"
#include "stages.h"

#include <math.h>

/* Of the thickness: ways shorter than this are left out. */
#define SHORT 1e-3f

static void find_reach(const piola_world *w, const struct body *body, struct reach *r)
{
    for (int k = 0; k < 3; ++k) {
        r->low[k] = INFINITY;
        r->high[k] = -INFINITY;
    }
    for (uint32_t i = body->first; i < body->first + body->count; ++i)
        for (int side = 0; side < 2; ++side) {
            float x[3];
            quad_read(side ? &world_start(w)[i] : &world_position(w)[i], x);
            for (int k = 0; k < 3; ++k) {
                r->low[k] = x[k] < r->low[k] ? x[k] : r->low[k];
                r->high[k] = x[k] > r->high[k] ? x[k] : r->high[k];
            }
        }
}

void contact_drift_stage(const struct step *step, uint32_t index)
{
    const piola_world *w = step->world;
    const struct body *body = &world_bodies(w)[index];
    find_reach(w, body, &world_reaches(w)[index]);
    /* Only found in the limit: its velocities are still those of before. */
    if (world_paired(w)[index] == PAIRED_AFTER)
        contact_momentum_stage(step, CONTACT_BEFORE, index);
    if (world_paired(w)[index])
        world_contact_sums(w)[2 * index + 1] =
            momentum_sum(step, body->first, body->count, MOMENTUM_DRIFT);
}

/* Islands as they pushed each other; bodies without pairs are held. True when one is free. */
static bool find_islands(const struct step *step)
{
    const piola_world *w = step->world;
    const struct body *bodies = world_bodies(w);
    struct reach *reaches = world_reaches(w);
    bool any = false;
    for (uint32_t i = 0; i < w->large_count; ++i) {
        const uint32_t b = world_large(w)[i];
        reaches[b].root = world_paired(w)[b] ? contact_island(w, b) : b;
        reaches[b].held = reaches[b].several = 0;
    }
    for (uint32_t i = 0; i < w->large_count; ++i) {
        const uint32_t b = world_large(w)[i], root = reaches[b].root;
        if (!world_paired(w)[b] || !contact_alone(step, &bodies[b], &bodies[root]))
            reaches[root].held = 1;
    }
    for (uint32_t i = 0; i < w->large_count; ++i) {
        const uint32_t b = world_large(w)[i];
        any = any || (reaches[b].root == b && !reaches[b].held);
    }
    return any;
}

/* Roots have the sums of all of their island: of bodies in their order. */
static void sum_islands(const piola_world *w)
{
    for (uint32_t i = 0; i < w->large_count; ++i) {
        const uint32_t b = world_large(w)[i], root = world_reaches(w)[b].root;
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
    for (uint32_t i = 0; i < w->large_count; ++i) {
        const uint32_t b = world_large(w)[i], root = reaches[b].root;
        if (reaches[root].held)
            continue;
        if (root == b) /* the lowest number comes first */
            momentum_correct_drift(step, b, &world_contact_sums(w)[2 * b + 1]);
        const float far = farthest_in(&reaches[b], &world_momenta(w)[root].rigid);
        most = far > most ? far : most;
    }
    return most;
}

static bool near(const struct reach *a, const struct reach *b, float most)
{
    for (int k = 0; k < 3; ++k)
        if (a->low[k] - b->high[k] > most || b->low[k] - a->high[k] > most)
            return false;
    return true;
}

static uint32_t root_of(struct reach *reaches, uint32_t body)
{
    /* Roots are the lowest numbers, so every step goes down. */
    while (reaches[body].root != body)
        body = reaches[body].root = reaches[reaches[body].root].root;
    return body;
}

static void join_near(const piola_world *w, float most)
{
    struct reach *reaches = world_reaches(w);
    for (uint32_t i = 0; i < w->large_count; ++i)
        for (uint32_t j = i + 1; j < w->large_count; ++j) {
            const uint32_t a = world_large(w)[i], b = world_large(w)[j];
            if (!near(&reaches[a], &reaches[b], most) || !coats_meet(w, a, b))
                continue;
            const uint32_t p = root_of(reaches, a), q = root_of(reaches, b);
            const uint32_t low = p < q ? p : q, high = p < q ? q : p;
            if (low == high || (reaches[low].held && reaches[high].held))
                continue;
            reaches[high].root = low;
            reaches[low].several = 1;
            reaches[low].held |=
                reaches[high].held |
                (uint32_t)!bodies_fall_alike(&world_bodies(w)[low], &world_bodies(w)[high]);
            if (!reaches[low].held)
                momentum_add(&world_contact_sums(w)[2 * low + 1],
                             &world_contact_sums(w)[2 * high + 1]);
        }
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

static void move_island(const struct step *step, uint32_t root, float most)
{
    const piola_world *w = step->world;
    struct reach *reaches = world_reaches(w);
    struct pk_rigid *rigid = &world_momenta(w)[root].rigid;
    momentum_correct_drift(step, root, &world_contact_sums(w)[2 * root + 1]);
    restrain(rigid, reaches[root].several, most);
    for (uint32_t i = 0; i < w->large_count; ++i) {
        const struct body *body = &world_bodies(w)[world_large(w)[i]];
        if (root_of(reaches, world_large(w)[i]) == root)
            momentum_move(step, root, body->first, body->count);
    }
}

void contact_catch_up(const struct step *step, struct jobs *jobs)
{
    const piola_world *w = step->world;
    const struct reach *reaches = world_reaches(w);
    if (!contact_keeps(w) || !find_islands(step))
        return;
    jobs_stage(jobs, STAGE_CONTACT, CONTACT_DRIFT);
    sum_islands(w);
    const float most = find_motions(step);
    if (!(most > SHORT * w->desc.contact_thickness && most < INFINITY))
        return;
    /* Both of two islands may move. */
    join_near(w, 2 * most);
    for (uint32_t i = 0; i < w->large_count; ++i) {
        const uint32_t b = world_large(w)[i];
        if (reaches[b].root == b && !reaches[b].held)
            move_island(step, b, most);
    }
}
