/* rigid_contact_turn.c - the angular momentum of rigid bodies that met, when a substep ends.
 *
 * Bodies went as `sent` says and go on with another velocity v: that has changed the momentum about
 * any place by m dt sent x v. One turn of all that press on each other brings it back, where
 * nothing else holds them. What energy that gives is taken from how they move relative to each
 * other, which has no momentum.
 */
#include "families/rigid/rigid_contact.h"

static struct rigid_stack *stack_of(const piola_world *w, uint32_t slot)
{
    return &world_rigid_stacks(w)[slot];
}

static void find_centres(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t s = 0; s < rigid_end(w); ++s)
        stack_of(w, s)->group = (struct rigid_group){0};
    for (uint32_t i = 0; i < rigid_contacts_count(w); ++i) {
        const struct rigid_contact *c = rigid_contact_at(w, i);
        bool presses = false;
        for (uint32_t p = 0; p < c->count; ++p)
            presses = presses || c->point[p].impulse[0] > 0;
        if (presses && (!rigid_contact_moves(w, c->one) || !rigid_contact_moves(w, c->two)))
            rigid_group_leader(w, c)->group.held = 1;
    }
    for (uint32_t s = 0; s < rigid_end(w); ++s) {
        struct rigid_group *group = &stack_of(w, islands_root(rigid_groups_of(w), s))->group;
        double at[3];
        if (!rigid_leans(w, s) || !rigid_moves(w, s))
            continue;
        rigid_goes(&world_rigid_now(w)[s], (double)step->dt, at);
        group->held |= world_rigid_now(w)[s].coupled;
        group->mass += world_rigids(w)[s].mass;
        for (int k = 0; k < 3; ++k)
            group->centre[k] += world_rigids(w)[s].mass * at[k];
    }
    for (uint32_t s = 0; s < rigid_end(w); ++s)
        for (int k = 0; k < 3 && stack_of(w, s)->group.mass > 0; ++k)
            stack_of(w, s)->group.centre[k] /= stack_of(w, s)->group.mass;
}

/* A body's group, if it is to be turned, and from its centre to where the body ends. */
static struct rigid_group *group_of(const struct step *step, uint32_t slot, double to[3])
{
    const piola_world *w = step->world;
    struct rigid_group *group = &stack_of(w, islands_root(rigid_groups_of(w), slot))->group;
    if (!rigid_leans(w, slot) || !rigid_moves(w, slot) || group->held)
        return NULL;
    rigid_goes(&world_rigid_now(w)[slot], (double)step->dt, to);
    for (int k = 0; k < 3; ++k)
        to[k] -= group->centre[k];
    return group;
}

/* J, with a velocity. */
static double kinetic(const struct step *step, uint32_t slot, const double v[6])
{
    const struct rigid_now *now = &world_rigid_now(step->world)[slot];
    double spin = 0;
    for (int k = 0; k < 3; ++k)
        spin += v[3 + k] * dot3(now->inertia[k], v + 3);
    return 0.5 * (world_rigids(step->world)[slot].mass * dot3(v, v) + spin);
}

typedef void use_body(const struct step *step, uint32_t slot, const double to[3],
                      struct rigid_group *group);

static void add_lost(const struct step *step, uint32_t slot, const double to[3],
                     struct rigid_group *group)
{
    const struct rigid_now *now = &world_rigid_now(step->world)[slot];
    const double *v = stack_of(step->world, slot)->v, mass = world_rigids(step->world)[slot].mass;
    double shift[3], lost[3];
    for (int k = 0; k < 6; ++k) {
        const int i = symmetric3_row[k], j = symmetric3_column[k];
        group->inertia[k] +=
            now->inertia[i][j] + mass * ((i == j ? dot3(to, to) : 0) - to[i] * to[j]);
    }
    for (int k = 0; k < 3; ++k)
        shift[k] = (double)step->dt * (now->sent[k] - v[k]);
    cross3(shift, v, lost);
    for (int k = 0; k < 3; ++k)
        group->gained[k] += mass * lost[k];
}

/* Of a group, a velocity of the whole about its centre, at a body. */
static bool whole_at(const struct rigid_group *group, const double shift[3], const double moment[3],
                     const double to[3], double v[6])
{
    double inverse[6];
    if (!symmetric3_invert(group->inertia, inverse))
        return false;
    symmetric3_times(inverse, moment, v + 3);
    cross3(v + 3, to, v);
    for (int k = 0; k < 3; ++k)
        v[k] += shift[k];
    return true;
}

static bool turn_of(const struct rigid_group *group, const double to[3], double turn[6])
{
    return whole_at(group, (const double[3]){0, 0, 0}, group->gained, to, turn);
}

/* What it would have more of if it was turned, and its share of the momenta. */
static void weigh(const struct step *step, uint32_t slot, const double to[3],
                  struct rigid_group *group)
{
    const double *v = stack_of(step->world, slot)->v, mass = world_rigids(step->world)[slot].mass;
    double turn[6], moment[3], next[6];
    if (!turn_of(group, to, turn))
        return;
    for (int i = 0; i < 6; ++i)
        next[i] = v[i] - turn[i];
    group->excess += kinetic(step, slot, next) - kinetic(step, slot, v);
    cross3(to, v, moment);
    for (int k = 0; k < 3; ++k) {
        group->momentum[k] += mass * v[k];
        group->turning[k] +=
            mass * moment[k] + dot3(world_rigid_now(step->world)[slot].inertia[k], v + 3);
    }
}

/* How it moves relative to the whole. */
static bool relative(const struct step *step, uint32_t slot, const double to[3],
                     const struct rigid_group *group, double whole[6], double own[6])
{
    const double mass = group->mass;
    const double shift[3] = {group->momentum[0] / mass, group->momentum[1] / mass,
                             group->momentum[2] / mass};
    if (!whole_at(group, shift, group->turning, to, whole))
        return false;
    for (int i = 0; i < 6; ++i)
        own[i] = stack_of(step->world, slot)->v[i] - whole[i];
    return true;
}

static void add_relative(const struct step *step, uint32_t slot, const double to[3],
                         struct rigid_group *group)
{
    double whole[6], own[6];
    if (relative(step, slot, to, group, whole, own))
        group->relative += kinetic(step, slot, own);
}

/* Turned as far as its own motion can pay for. */
static void turn_back(const struct step *step, uint32_t slot, const double to[3],
                      struct rigid_group *group)
{
    const struct rigid_stack *leader =
        stack_of(step->world, islands_root(rigid_groups_of(step->world), slot));
    /* What the impulses took from the energy may be given back. */
    const double price = group->excess + (leader->work < 0 ? leader->work : 0);
    double *v = stack_of(step->world, slot)->v, whole[6], own[6], turn[6], left = 1, share = 1;
    if (!relative(step, slot, to, group, whole, own) || !turn_of(group, to, turn))
        return;
    if (price > 0) {
        share = price > group->relative ? group->relative / price : 1;
        left = price < group->relative ? sqrt(1 - price / group->relative) : 0;
    }
    for (int i = 0; i < 6; ++i)
        v[i] = whole[i] + left * own[i] - share * turn[i];
}

static void each_body(const struct step *step, use_body *use)
{
    for (uint32_t s = 0; s < rigid_end(step->world); ++s) {
        double to[3];
        struct rigid_group *group = group_of(step, s, to);
        if (group)
            use(step, s, to, group);
    }
}

void rigid_contacts_turn(const struct step *step)
{
    find_centres(step);
    each_body(step, add_lost);
    each_body(step, weigh);
    each_body(step, add_relative);
    each_body(step, turn_back);
}
