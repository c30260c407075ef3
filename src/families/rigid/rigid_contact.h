/* rigid_contact.h - rigid bodies that meet each other: docs/method/rigid.md.
 *
 * rigid_contact_find.c: who is near whom when a substep begins, and where (rigid_manifold.h).
 * rigid_contact_solve.c: the impulses that keep them apart. rigid_contact_state.c: what is kept of
 * these, and told. All run on the calling thread, between stages.
 */
#ifndef PIOLA_RIGID_CONTACT_H
#define PIOLA_RIGID_CONTACT_H

#include "families/rigid/rigid.h"

/* Rigid bodies may meet each other. */
static inline bool rigid_contacts_on(const piola_world *world)
{
    return world->dim[DIM_rigid_contacts].capacity > 0 && rigid_any(world);
}

/* It is near others in this substep: its velocity is found with theirs. */
static inline bool rigid_stacked(const piola_world *world, uint32_t slot)
{
    return rigid_contacts_on(world) && world_rigid_stacks(world)[slot].contacts > 0;
}

/* ... and presses on them. */
static inline bool rigid_leans(const piola_world *world, uint32_t slot)
{
    return rigid_stacked(world, slot) && world_rigid_stacks(world)[slot].presses != 0;
}

/* The contacts of this substep, in their order. */
static inline uint32_t rigid_contacts_count(const piola_world *world)
{
    return rigid_contacts_on(world) ? world_rigid_contacts_now(world)->count : 0;
}
static inline struct rigid_contact *rigid_contact_at(const piola_world *world, uint32_t i)
{
    return &world_rigid_contacts(world)[world_rigid_order(world)[i]];
}

/* With the velocities that all have without each other: finds pairs. Then, of each that is near
 * others, its points at colliders become contacts too; then all are put in order. */
void rigid_contacts_find(const struct step *step);
void rigid_contact_ground(const struct step *step, uint32_t slot);
void rigid_contacts_order(const piola_world *world);

/* A body's own equation: mass v = pull. */
void rigid_contact_take(const piola_world *world, uint32_t slot, const double mass[6][6],
                        const double pull[6]);
/* The velocities of all that are near others; `first`: of a substep. */
void rigid_contacts_solve(const struct step *step, bool first);
/* So many rounds, and what bodies get of them: all, or those that press. */
void rigid_contacts_round(const piola_world *world, int rounds, bool relax);
void rigid_contacts_give(const piola_world *world, bool all);
/* Velocities of a side, and without contacts. */
double *rigid_contact_speed(const piola_world *world, uint32_t slot);
static inline const double *rigid_contact_base(const piola_world *world, uint32_t slot)
{
    return slot < RIGID_GROUND && rigid_moves(world, slot) ? world_rigid_stacks(world)[slot].base
                                                           : rigid_contact_speed(world, slot);
}
/* How the first goes there relative to the second. */
void rigid_contact_slip(const struct rigid_contact_point *point, const double one[6],
                        const double two[6], double slip[3]);
/* Which of them press, directly or not, on which; the one in whose account a contact's work goes.
 */
static inline bool rigid_contact_moves(const piola_world *world, uint32_t slot)
{
    return slot < RIGID_GROUND && rigid_moves(world, slot);
}
static inline struct islands rigid_groups_of(const piola_world *world)
{
    return (struct islands){.leader = world_rigid_groups(world), .count = rigid_end(world)};
}
static inline struct rigid_stack *rigid_group_leader(const piola_world *world,
                                                     const struct rigid_contact *contact)
{
    const uint32_t of = rigid_contact_moves(world, contact->one) ? contact->one : contact->two;
    return &world_rigid_stacks(world)[islands_root(rigid_groups_of(world), of)];
}
/* rigid_contact_turn.c */
void rigid_contacts_turn(const struct step *step);

/* rigid_contact_energy.c: the substep ends: velocities without what drew overlapping ones apart,
 * and with no more energy than before. */
void rigid_contacts_relax(const struct step *step);

/* rigid_contact_state.c: impulses of the last substep that are kept for the next, then as it found
 * them. */
void rigid_presses_keep(piola_world *world);
void rigid_presses_recall(const piola_world *world, struct rigid_contact *contact,
                          const double near, uint32_t *from);
/* A slot is given up. */
void rigid_presses_forget(piola_world *world, uint32_t slot);

#endif
