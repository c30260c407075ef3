/* attachment_momentum.c - bodies that are attached to each other keep their momentum together.
 *
 * Descent: unfinished iterations break the momentum of each body, and what an attachment gave to
 * which is not known until they are finished. Bodies tied by attachments, directly or through
 * others, form an island; the sum of its momenta is known, and one rigid velocity of the whole
 * island brings what lacks; soft springs to the world give what they give. Islands that something
 * outside holds (pins, colliders, contacts, rigid attachments to the world) are left to the solver.
 */
#include "families/attachments/attachments.h"

#include "world/islands.h"

#include <string.h>

/* In place of a root: something outside holds the island. */
#define HELD UINT32_MAX
/* Below this `keep` a spring to the world is so soft that its force is its gap's and known; the
 * multiplier of a stiffer one is not settled in a substep, and giving it to a whole body that is
 * far from its place makes that leap. */
#define SOFT 0.5f

/* Bodies that others push or rigid bodies touch are held, so an island that is free has only bodies
 * that attachments tie. */
static uint32_t root_of(const piola_world *w, uint32_t body)
{
    const uint32_t root = islands_root(islands_of(w), body);
    return world_attachment_held(w)[root] ? HELD : root;
}

static void hold(const piola_world *w, uint32_t body)
{
    world_attachment_held(w)[islands_root(islands_of(w), body)] = 1;
}

static bool attached(const piola_world *w, uint32_t body)
{
    return (world_ties(w)[body] & TIE(attachments)) != 0;
}

static void hold_unfit(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        const struct body *body = &world_bodies(w)[b];
        if (attached(w, b) &&
            (body_still(body) || !momentum_free(step, body) || body_touched(w, body)))
            hold(w, b);
    }
}

static void hold_islands(const struct step *step)
{
    const piola_world *w = step->world;
    const struct body *bodies = world_bodies(w);
    memset(world_attachment_held(w), 0, w->desc.max_bodies * sizeof(uint32_t));
    for (uint64_t i = 0; i < w->dim[DIM_attachments].used; ++i) {
        const struct attachment *a = &world_attachments(w)[i];
        if (!a->alive)
            continue;
        if (!a->count[1] && world_attachment_now(w)[i].keep < SOFT)
            continue;
        const uint32_t one = a->body[0] - 1, other = a->count[1] ? a->body[1] - 1 : HELD;
        if (other == HELD || !bodies_fall_alike(&bodies[one], &bodies[other]))
            hold(w, one);
    }
    hold_unfit(step);
}

/* The sums of each island, left with its root. */
static void sum_islands(const struct step *step, enum momentum_of what)
{
    const piola_world *w = step->world;
    struct body_momentum *momenta = world_momenta(w);
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        const uint32_t root = attached(w, b) ? root_of(w, b) : HELD;
        if (root == HELD)
            continue;
        const struct body *body = &world_bodies(w)[b];
        const struct sums sum = momentum_sum(step, body, body->first, body->count, what);
        if (b == root) /* the lowest number comes first */
            memset(momenta[root].given, 0, sizeof momenta[root].given);
        for (int i = 0; i < SUMS; ++i)
            momenta[root].given[i] += sum.value[i];
    }
}

static bool keeps(const piola_world *w)
{
    return w->dim[DIM_attachments].used > 0 && world_descends(&w->desc) && w->desc.keep_momentum &&
           w->desc.iterations > 0;
}

static void for_each_island(const struct step *step,
                            void (*use)(const struct step *step, uint32_t body,
                                        const struct sums *sum))
{
    const piola_world *w = step->world;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        if (!attached(w, b) || root_of(w, b) != b)
            continue;
        struct sums sum;
        memcpy(sum.value, world_momenta(w)[b].given, sizeof sum.value);
        use(step, b, &sum);
    }
}

/* What springs to the world give to an island. */
static void pull_islands(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint64_t i = 0; i < w->dim[DIM_attachments].used; ++i) {
        const struct attachment *a = &world_attachments(w)[i];
        if (!a->alive || a->count[1])
            continue;
        const uint32_t root = root_of(w, a->body[0] - 1);
        if (root != HELD)
            attachments_pull(step, a, 0, root);
    }
}

void attachments_expect(struct step *step)
{
    if (!keeps(step->world))
        return;
    hold_islands(step);
    sum_islands(step, MOMENTUM_BEFORE);
    for_each_island(step, momentum_expect);
    pull_islands(step);
}

void attachments_keep_momentum(struct step *step)
{
    const piola_world *w = step->world;
    if (!keeps(w))
        return;
    hold_unfit(step); /* who froze while velocities were made */
    sum_islands(step, MOMENTUM_AFTER);
    for_each_island(step, momentum_correct_velocity);
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        const uint32_t root = attached(w, b) ? root_of(w, b) : HELD;
        const struct body *body = &world_bodies(w)[b];
        if (root != HELD)
            momentum_push(step, root, b, body->first, body->count);
    }
}
