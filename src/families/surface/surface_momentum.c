/* surface_momentum.c - bodies that push each other keep their momentum together.
 *
 * Unfinished iterations and the last limit leave forces that nobody exerts. Bodies that touched in
 * this substep, directly or through others, form an island; the sum of its momenta is known, and
 * one rigid velocity of the whole island brings what lacks. Islands that something outside holds
 * (pins, colliders, attachments) are left to the solver. Where they go: surface_drift.c.
 */
#include "families/surface/surface.h"
#include "motion/stage.h"

#include <string.h>

/* Who did push whom, which is known after the iterations. */
static struct islands pushed(const piola_world *w)
{
    return (struct islands){.leader = world_pushed_leaders(w), .count = w->desc.max_bodies};
}

uint32_t surface_island(const piola_world *w, uint32_t body)
{
    return islands_root(pushed(w), body);
}

/* Also who is near others, or himself, and has no pairs yet. */
void surface_link(const piola_world *w, struct islands all)
{
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        if (world_paired(w)[b])
            islands_join(all, b, b);
    for (uint32_t p = 0; p < world_surface_now(w)->pair_pack_end; ++p)
        for (uint32_t lane = 0; lane < PK_LANES; ++lane) {
            const struct pk_pair_pack *pack = &world_pair_packs(w)[p];
            islands_join(all, world_owner(w)[pack->particle[0][lane]],
                         world_owner(w)[pack->particle[3][lane]]);
        }
}

void surface_join_all(const piola_world *w)
{
    for (uint32_t p = 0; p < world_surface_now(w)->pair_pack_end; ++p)
        for (uint32_t left = world_acted(w)[p]; left != 0; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            const struct pk_pair_pack *pack = &world_pair_packs(w)[p];
            const uint32_t one = world_owner(w)[pack->particle[0][lane]];
            const uint32_t two = world_owner(w)[pack->particle[3][lane]];
            islands_join(pushed(w), one, two);
        }
}

void surface_sum(const struct step *step, enum momentum_of what, uint32_t index)
{
    const piola_world *w = step->world;
    const struct body *body = &world_bodies(w)[index];
    if (world_paired(w)[index])
        world_contact_sums(w)[2 * index + (what != MOMENTUM_BEFORE)] =
            momentum_sum(step, body, body->first, body->count, what);
}

void each_surface_before(const struct step *step, uint32_t argument, uint32_t body)
{
    (void)argument;
    surface_sum(step, MOMENTUM_BEFORE, body);
}

void each_surface_after(const struct step *step, uint32_t argument, uint32_t body)
{
    (void)argument;
    surface_sum(step, MOMENTUM_AFTER, body);
}

bool surface_keeps(const piola_world *w)
{
    return w->desc.keep_momentum && w->desc.iterations > 0;
}

void surface_remember(const struct step *step)
{
    const piola_world *w = step->world;
    islands_begin(pushed(w));
    if (surface_keeps(w) && world_surface_now(w)->paired)
        run_stage(step, STAGE_SURFACE_BEFORE, 0);
}

bool surface_alone(const struct step *step, const struct body *body, const struct body *root)
{
    const piola_world *w = step->world;
    return body->pins == 0 && !world_waits(w)[body - world_bodies(w)] &&
           !(body->flags & (BODY_STILL | BODY_GUIDED)) &&
           world_ties(w)[body - world_bodies(w)] == 0 && !body_touched(w, body) &&
           bodies_fall_alike(body, root);
}

/* Roots get the sums of all of their island, of bodies in their order, and are held when something
 * outside acts on one of it. */
static void sum_islands(const struct step *step)
{
    static const struct sums none = {{0}};
    const piola_world *w = step->world;
    const struct body *bodies = world_bodies(w);
    struct reach *reaches = world_reaches(w);
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        const uint32_t root = surface_island(w, b);
        struct sums *of = &world_contact_sums(w)[2 * root];
        reaches[b].held = 0;
        if (!world_paired(w)[b] || !world_paired(w)[root])
            continue;
        if (!surface_alone(step, &bodies[b], &bodies[root]))
            reaches[root].held = 1;
        for (int k = 0; k < 2; ++k)
            momentum_add(&of[k], root == b ? &none : &world_contact_sums(w)[2 * b + (uint32_t)k]);
    }
}

void surface_keep_momentum(const struct step *step)
{
    const piola_world *w = step->world;
    const struct body *bodies = world_bodies(w);
    if (!surface_keeps(w) || !world_surface_now(w)->paired)
        return;
    run_stage(step, STAGE_SURFACE_AFTER, 0);
    sum_islands(step);
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        const uint32_t root = surface_island(w, b);
        if (!world_paired(w)[b] || !world_paired(w)[root] || world_reaches(w)[root].held)
            continue;
        if (root == b) { /* the lowest number comes first */
            momentum_expect(step, b, &world_contact_sums(w)[2 * b]);
            momentum_correct_velocity(step, b, &world_contact_sums(w)[2 * b + 1]);
        }
        momentum_push(step, root, b, bodies[b].first, bodies[b].count);
    }
}
