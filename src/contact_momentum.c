/* contact_momentum.c - bodies that push each other keep their momentum together.
 *
 * Unfinished iterations and the last limit leave forces that nobody exerts. Bodies that touched in
 * this substep, directly or through others, form an island; the sum of its momenta is known, and
 * one rigid velocity of the whole island brings what lacks. Islands that something outside holds
 * (pins, colliders, attachments) are left to the solver.
 */
#include "contact.h"
#include "stages.h"

#include <string.h>

static uint32_t root_of(const piola_world *w, uint32_t body)
{
    uint32_t *island = world_islands(w);
    /* Roots are the lowest numbers, so every step goes down. */
    while (island[body] != body)
        body = island[body] = island[island[body]];
    return body;
}

void contact_join(const piola_world *world, const struct pair *pair)
{
    const uint32_t a = root_of(world, pair->body[0]), b = root_of(world, pair->body[1]);
    world_islands(world)[a > b ? a : b] = a > b ? b : a;
}

void contact_remember(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        const struct body *body = &world_bodies(w)[b];
        world_islands(w)[b] = b;
        if (world_paired(w)[b] & PAIRED_BEFORE)
            world_contact_sums(w)[b] =
                momentum_sum(step, body->first, body->count, MOMENTUM_BEFORE);
    }
}

/* True when nothing but gravity and other bodies acts on it, with the island's own settings. */
static bool alone(const struct step *step, const struct body *body, const struct body *root)
{
    const piola_world *w = step->world;
    return body->pins == 0 && !body_frozen(body) && world_ties(w)[body - world_bodies(w)] == 0 &&
           !body_touched(w, body) && bodies_fall_alike(body, root);
}

static void keep_island(const struct step *step, uint32_t root)
{
    const piola_world *w = step->world;
    const struct body *bodies = world_bodies(w);
    struct sums before = {{0}}, after = {{0}};
    for (uint32_t b = root; b < w->desc.max_bodies; ++b) {
        if (!world_paired(w)[b] || root_of(w, b) != root)
            continue;
        /* One that was only found after the iterations has no sums of before. */
        if (!(world_paired(w)[b] & PAIRED_BEFORE) || !alone(step, &bodies[b], &bodies[root]))
            return;
        const struct sums now =
            momentum_sum(step, bodies[b].first, bodies[b].count, MOMENTUM_AFTER);
        momentum_add(&before, &world_contact_sums(w)[b]);
        momentum_add(&after, &now);
    }
    momentum_expect(step, root, &before);
    momentum_correct_velocity(step, root, &after);
    for (uint32_t b = root; b < w->desc.max_bodies; ++b)
        if (world_paired(w)[b] && root_of(w, b) == root)
            momentum_push(step, root, bodies[b].first, bodies[b].count);
}

void contact_keep_momentum(const struct step *step)
{
    const piola_world *w = step->world;
    if (!w->desc.keep_momentum || w->desc.iterations == 0)
        return;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        if ((world_paired(w)[b] & PAIRED_BEFORE) && root_of(w, b) == b)
            keep_island(step, b);
}
