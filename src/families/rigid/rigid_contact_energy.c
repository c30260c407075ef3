/* rigid_contact_energy.c - how rigid bodies that met go on when a substep ends.
 *
 * Poses come of velocities that draw overlapping bodies apart, which would be energy from nothing.
 * So where any overlap velocities are found once more without that. Where they have more energy
 * than before (rounds, few as they are, friction, places that bounce together), what pressed among
 * all that press on each other shrinks until they have not (rigid_contact_turn.c: then what that
 * has changed of their angular momentum is brought back).
 */
#include "families/rigid/rigid_contact.h"

#define ROUNDS_LAST 2
#define ROUNDING    1e-9 /* of the energies that are compared */

static struct rigid_stack *stack_of(const piola_world *w, uint32_t slot)
{
    return &world_rigid_stacks(w)[slot];
}

static void join(const piola_world *w)
{
    for (uint32_t i = 0; i < rigid_contacts_count(w); ++i) {
        const struct rigid_contact *c = rigid_contact_at(w, i);
        for (uint32_t p = 0; p < c->count; ++p)
            if (c->point[p].impulse[0] > 0 && rigid_contact_moves(w, c->one) &&
                rigid_contact_moves(w, c->two))
                islands_join(rigid_groups_of(w), c->one, c->two);
    }
}

/* Of impulses that act evenly while velocities change from `base`, without what gravity has just
 * added; and what they change the relative velocity by. */
static void middle_of(const piola_world *w, uint32_t slot, double middle[6], double change[6])
{
    const double *v = rigid_contact_speed(w, slot), *base = rigid_contact_base(w, slot);
    for (int i = 0; i < 6; ++i) {
        change[i] = v[i] - base[i];
        middle[i] = v[i] - 0.5 * change[i];
        if (i < 3 && rigid_contact_moves(w, slot))
            middle[i] -= 0.5 * world_rigid_now(w)[slot].pulled[i];
    }
}

static void add_contact(const piola_world *w, const struct rigid_contact *c)
{
    struct rigid_stack *leader = rigid_group_leader(w, c);
    double middle[2][6], change[2][6];
    middle_of(w, c->one, middle[0], change[0]);
    middle_of(w, c->two, middle[1], change[1]);
    for (uint32_t i = 0; i < c->count; ++i) {
        const struct rigid_contact_point *p = &c->point[i];
        double way[3], gained[3];
        rigid_contact_slip(p, middle[0], middle[1], way);
        rigid_contact_slip(p, change[0], change[1], gained);
        for (int k = 0; k < 3; ++k)
            way[k] -= p->carried[k];
        for (int d = 0; d < 3; ++d) {
            leader->work += p->impulse[d] * dot3(p->direction[d], way);
            leader->square += p->impulse[d] * dot3(p->direction[d], gained);
        }
    }
}

/* The share of its impulses that a group may keep. */
static double share_of(const struct rigid_stack *leader)
{
    const double linear = leader->work - 0.5 * leader->square;
    if (!(leader->work > ROUNDING * leader->square))
        return 1;
    const double share = linear < 0 ? -2 * linear / leader->square : 0;
    return share < 1 ? share : 1;
}

static void shrink(const piola_world *w)
{
    for (uint32_t i = 0; i < rigid_contacts_count(w); ++i) {
        struct rigid_contact *c = rigid_contact_at(w, i);
        const double share = rigid_group_leader(w, c)->share;
        for (uint32_t p = 0; p < c->count && share < 1; ++p)
            for (int d = 0; d < 3; ++d)
                c->point[p].impulse[d] *= share;
    }
    for (uint32_t s = 0; s < rigid_end(w); ++s) {
        struct rigid_stack *stack = stack_of(w, s);
        const double share = stack_of(w, islands_root(rigid_groups_of(w), s))->share;
        if (stack->contacts == 0 || !rigid_moves(w, s) || !(share < 1))
            continue;
        for (int i = 0; i < 6; ++i)
            stack->v[i] = stack->base[i] + share * (stack->v[i] - stack->base[i]);
    }
}

static void hold_energy(const piola_world *w)
{
    bool any = false;
    for (uint32_t s = 0; s < rigid_end(w); ++s)
        stack_of(w, s)->work = stack_of(w, s)->square = 0;
    for (uint32_t i = 0; i < rigid_contacts_count(w); ++i)
        add_contact(w, rigid_contact_at(w, i));
    for (uint32_t s = 0; s < rigid_end(w); ++s) {
        stack_of(w, s)->share = share_of(stack_of(w, s));
        any = any || stack_of(w, s)->share < 1;
        if (stack_of(w, s)->share < 1)
            stack_of(w, s)->work = 0;
    }
    if (any)
        shrink(w);
}

static bool overlap(const piola_world *w)
{
    bool any = false;
    for (uint32_t i = 0; i < rigid_contacts_count(w); ++i) {
        const struct rigid_contact *c = rigid_contact_at(w, i);
        for (uint32_t p = 0; p < c->count; ++p)
            any = any || (c->point[p].least > 0 && c->point[p].impulse[0] > 0);
    }
    return any;
}

/* The spin that they keep is the one they turned by: drawn apart they are along lines alone.
 * Another turn than that of their momentum would be another energy. Not where particles have seen
 * it. */
static void turn_as_they_go(const piola_world *w)
{
    for (uint32_t s = 0; s < rigid_end(w); ++s)
        if (rigid_leans(w, s) && rigid_moves(w, s) && !world_rigid_now(w)[s].acts)
            memcpy(world_rigid_now(w)[s].sent + 3, world_rigid_now(w)[s].velocity + 3,
                   3 * sizeof(double));
}

void rigid_contacts_relax(const struct step *step)
{
    const piola_world *w = step->world;
    if (rigid_contacts_count(w) == 0)
        return;
    islands_begin(rigid_groups_of(w));
    join(w); /* also who has been drawn apart, and then does not press */
    if (overlap(w))
        rigid_contacts_round(w, ROUNDS_LAST, true);
    join(w);
    hold_energy(w);
    rigid_contacts_turn(step);
    rigid_contacts_give(w, false);
    turn_as_they_go(w);
}
