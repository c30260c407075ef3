/* rigid.h - colliders with mass: what bodies and other colliders do to them.
 *
 * A rigid body is a collider whose way in a substep is not given but found: its six velocities are
 * one more block of the iterations. rigid.c: mass, commands, state. rigid_spin.c: free turning.
 * rigid_move.c: a substep.
 * rigid_point.c: what stops it at other colliders. rigid_momentum.c: what bodies got, rigid bodies
 * lose. All calls run on the calling thread, between stages.
 */
#ifndef PIOLA_RIGID_H
#define PIOLA_RIGID_H

#include "base/spatial6.h"
#include "families/collide/collide.h"
#include "families/rigid/rigid_data.h"
#include "motion/phases.h"
#include "world/islands.h"

#include <math.h>

/* m, and m/s: nothing of a collider is beyond. */
#define COLLIDER_FARTHEST 1e9f

/* To unit length. */
static inline void collider_normalise(float q[4])
{
    const float size = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; ++k)
        q[k] /= size;
}

/* Slots up to the last rigid body. */
static inline uint32_t rigid_end(const piola_world *world)
{
    return (uint32_t)world->dim[DIM_rigids].used;
}

static inline bool rigid_any(const piola_world *world)
{
    return rigid_end(world) > 0;
}

/* True for a slot that moves by its mass. */
static inline bool rigid_is(const piola_world *world, uint32_t slot)
{
    return slot < rigid_end(world) && world_rigids(world)[slot].mass > 0;
}

/* What ties it to others, or null. */
static inline struct rigid_tied *rigid_tied_of(const piola_world *world, uint32_t slot)
{
    struct rigid_tied *tied =
        world->dim[DIM_rigid_tied].capacity > 0 ? &world_rigid_tied(world)[slot] : NULL;
    return tied && tied->ties > 0 ? tied : NULL;
}

/* It moves by its mass in this substep. */
static inline bool rigid_moves(const piola_world *world, uint32_t slot)
{
    return rigid_is(world, slot) && !world_rigid_now(world)[slot].held;
}

/* rigid.c: checks what a description says of mass. */
piola_status rigid_check(const struct collider_spec *spec, piola_error *error);
/* From a description that was checked. */
struct rigid rigid_made(const struct collider_spec *spec);
/* A command for the rigid body of a slot. */
void rigid_apply_command(const piola_world *world, uint32_t slot, const piola_command *command);
/* After a step: the collider stands where its rigid body does, or the other way round if a command
 * carried it. Before colliders_arrive. */
void rigid_arrive(const piola_world *world);

/* rigid_spin.c: is this the inertia of a mass, and none that is lost in rounding? Else `item` is
 * the axis that is wrong. */
bool rigid_inertia_sound(double mass, const double inertia[3], uint32_t *item);
/* Motion of the body by momentum: spin (rad/s) in an orientation, and its inertia there. */
void rigid_inertia(const struct rigid *rigid, const double rotation[4], double out[3][3]);
void rigid_spin(const struct rigid *rigid, const double rotation[4], const double momentum[3],
                double spin[3]);
/* Where q is after dt if nothing acts: the angular momentum stays. */
void rigid_coast(const struct rigid *rigid, const double q[4], const double momentum[3], double dt,
                 double out[4]);
void rigid_rotation(const double q[4], double out[9]);
/* Slows it to speeds that a collider can tell and a snapshot takes; motion that is no number stops.
 */
void rigid_bound(struct rigid *rigid);

/* rigid_spring.c: before a substep's first solve, what pulls at it; then before each, how hard that
 * is at the velocity that was found last; and what it does then (N, N m). */
void rigid_spring_begin(const struct step *step, uint32_t slot);
void rigid_spring_update(const struct rigid *rigid, struct rigid_now *now, double dt);
void rigid_spring_force(const struct rigid_now *now, double force[6]);

/* rigid_move.c: a substep. How it is turned at its end by what it was sent with. */
void rigid_heading(const struct rigid *r, const struct rigid_now *now, double dt, double out[4]);
/* Mass and inertia as a matrix, about a reference that is `to` away from
 * the body's origin. */
void rigid_mass(const struct rigid *rigid, const struct rigid_now *now, const double to[3],
                double out[6][6]);
/* Lays its pose at the substep's end where `sent` carries it. */
void rigid_send(const struct step *step, uint32_t slot);
/* Where its origin goes in this substep. */
void rigid_goes(const struct rigid_now *now, double dt, double out[3]);
/* Adds what rigid bodies do to the body's particles to world_rigid_sums, about their origins; or,
 * if `centre` is not null, about that, as stiff as the body counts it itself: see momentum_give.
 * `open`: the iterations are not over. */
void rigid_gather(const struct step *step, const struct body *body, const double *centre,
                  bool open);
/* The same of all bodies, about the origins, in place of what was there. */
void rigid_gather_all(const struct step *step, bool open);

/* rigid_near.c: where the iterations begin for those that may touch this body. Then adds what does
 * not press yet, but is run into with the velocity v; how many these are. */
void rigid_rest_on(const struct step *step, uint32_t body);
uint32_t rigid_gather_near(const struct step *step, uint32_t slot, const double v[6],
                           struct sums *sum);

/* rigid_point.c: lists the colliders that stop rigid bodies. Then finds the points of a rigid body
 * that other colliders may stop. */
void rigid_walls_list(const piola_world *world);
void rigid_points_find(const struct step *step, uint32_t slot);
/* The velocity v that balances mass * v = what made it, where points may press; `mass` factored. */
void rigid_points_press(struct rigid_now *now, const double mass[6][6], double v[6]);

/* rigid_mend.c: the velocity that a body at colliders lacks, with sums about its centre. */
void rigid_mend(const struct step *step, uint32_t index, const struct about_centre *c);

/* rigid_momentum.c: before the iterations, with the planes of the substep. */
void rigid_remember(struct step *step);
/* What rigid bodies answer to a change of the body's velocity about its centre. */
bool rigid_partner(const struct step *step, uint32_t body, const double centre[3],
                   struct collide_partner *partner);
void rigid_answer(const struct step *step, const double centre[3], const double change[6]);
/* After the iterations: who belongs together, and where their middle must be. */
void rigid_link(const piola_world *world, struct islands all);
void rigid_straighten(struct step *step);
void rigid_straighten_again(struct step *step);
/* After the velocities: those that nothing else touches keep their momentum together. */
void rigid_keep_momentum(struct step *step);

#endif
