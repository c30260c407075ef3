/* energy_islands.c - bodies that push each other give each other energy.
 *
 * What pairs of surfaces do to one body is hardly known: what they push with where the iterations
 * ended is a guess, and the last limit moves positions. But whatever it is, they give one body no
 * more than they take from the others. So of an island that nothing else ties no work of pairs is
 * counted at all: what its bodies have not of what they might have, those may have that have too
 * much. All of it has no more than before and the work of what acts from outside.
 */
#include "motion/energy.h"
#include "world/islands.h"

/* True when something gives the body energy that is not known, or might. */
static bool is_open(const struct step *step, uint32_t index)
{
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    const struct body_energy *of = energy_of(step, index);
    if (body_still(body))
        return false;
    return !(of->state & ENERGY_WATCHED) || world_ties(w)[index] != 0 || of->sum.pins_move ||
           (body->flags & BODY_PRESSED) || body_faced(w, body);
}

static void find_open(const struct step *step)
{
    const piola_world *w = step->world;
    const struct islands islands = islands_of(w);
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct body_energy *of = energy_of(step, domain_body(step, i));
        of->spare = of->over = 0;
        of->open = false;
    }
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t index = domain_body(step, i);
        if (is_open(step, index))
            energy_of(step, islands_root(islands, index))->open = true;
    }
    /* Rigid bodies: their energy is not held. */
    for (uint32_t i = w->desc.max_bodies; i < islands.count; ++i)
        if (islands.met[i] && islands_root(islands, i) < w->desc.max_bodies)
            energy_of(step, islands_root(islands, i))->open = true;
}

/* The body's island, when it is held together. */
static struct body_energy *island_of(const struct step *step, uint32_t index)
{
    struct body_energy *root = energy_of(step, islands_root(islands_of(step->world), index));
    return (energy_of(step, index)->state & ENERGY_WATCHED) && !root->open ? root : NULL;
}

static void add_up(const struct step *step, uint32_t index)
{
    struct body_energy *of = energy_of(step, index), *island = island_of(step, index);
    if (!island)
        return;
    of->allowed -= of->sum.coupled;
    const double left = of->allowed - of->has;
    if (left > 0)
        island->spare += left;
    else if (left < 0)
        island->over -= left;
}

static void hand_out(const struct step *step, uint32_t index)
{
    struct body_energy *of = energy_of(step, index);
    const struct body_energy *island = island_of(step, index);
    if (!island)
        return;
    const double given = island->spare < island->over ? island->spare : island->over;
    const double left = of->allowed - of->has;
    if (left > 0)
        of->allowed -= given * left / island->spare;
    else if (left < 0)
        of->allowed -= given * left / island->over;
    of->state &= ~(uint32_t)ENERGY_OVER;
    if (energy_too_much(step, index, of->has))
        of->state |= ENERGY_OVER;
}

void energy_share(const struct step *step)
{
    if (!step->domain->shared)
        return;
    find_open(step);
    for (uint32_t i = 0; i < domain_bodies(step); ++i)
        add_up(step, domain_body(step, i));
    for (uint32_t i = 0; i < domain_bodies(step); ++i)
        hand_out(step, domain_body(step, i));
}
