/* collide.h - particles against colliders: which may meet in a substep, and what keeps them out.
 *
 * A particle that may meet a collider gets a plane that it must stay in front of (struct
 * pk_collider_plane); the plane follows the particle from iteration to iteration, along a path that
 * is proven free. Descent minimises over a vertex with its planes (ispc/collide/planes.isph),
 * projections project.
 *
 * All calls work on particles first .. first+count-1 of the world, which belong to one body, and on
 * nothing else; `substep` counts from 0.
 */
#ifndef PIOLA_COLLIDE_H
#define PIOLA_COLLIDE_H

#include "families/collide/collider.h"
#include "motion/phases.h"

#include <math.h>

/* m/s: how fast whoever begins inside a collider is let out. */
#define TOUCH_LET_OUT 1.0f

/* Notes what a body may meet in this substep: TOUCHED, STRUCK. */
void collide_note(const piola_world *world, uint32_t body, uint32_t touched);
/* After the iterations: whoever is still inside goes no further than it is proven free. True if
 * that moved one. */
bool collide_limit(const struct step *step, const struct body *body, uint32_t substep,
                   uint32_t first, uint32_t count);
/* collide_rouse.c: a collider came, goes or is another now: bodies that sleep near it wake, and all
 * rigid bodies. */
void collide_rouse(const piola_world *world, uint32_t slot);
/* collide_info.c: vertices of the body that are inside now, pinned ones too; and how deep the
 * deepest of those that are free is (m), 0 when none is. */
uint32_t collide_inside(const piola_world *world, const struct collider *collider,
                        const struct body *body, float *depth);
/* The same for the user; `solid` is null when its handle is stale. */
piola_status solid_inside(const piola_world *world, const struct collider *solid, piola_body handle,
                          uint32_t *vertices, float *depth);
/* What planes did to these particles in all: see momentum_give. */
struct sums collide_sum(const struct step *step, const struct body *body, uint32_t first,
                        uint32_t count);

/* A plane of a particle with the stiffness (N/m) that ties the particle to the rest of its body. */
struct pk_plane collide_tied_plane(const struct step *step, const struct body *body,
                                   uint32_t particle, uint32_t which);

/* Adds a plane's force, moment and stiffness, `at` away from the reference, to such sums; `across`:
 * its stiffness (N/m) within the plane. */
void collide_add_plane(const struct pk_plane *plane, double across, const double at[3],
                       double *value);

/* Rigid bodies that give way where the body touches them: as quadratic forms of the change of its
 * motion. What of the stiffness that holds it is not there, and what they add to the energies that
 * collide_momentum.c compares. */
struct collide_partner {
    double less[6][6], slope[6], curve[6][6], slack;
};

/* What a touched body would have without colliders, and how far its momentum may be mended. */
struct collide_free {
    double momentum[6]; /* kg m/s; kg m^2/s about the centre */
    double energy;      /* see struct body_momentum */
    double blur;        /* m/s, what rounding may do to a velocity */
    double turn;        /* rad/s, most that it is given */
    bool settled; /* a coarse level has solved for the body as a whole: it lacks what rounding took
                   */
};

/* collide.c: how body and collider rub on each other, into the plane. */
void collide_set_friction(const piola_world *world, const struct body *body,
                          const struct collider *collider, struct pk_plane *plane);

/* collide_momentum.c: the rigid velocity that brings a touched body the momentum it lacks; `now` is
 * what it has. `second`: second moments of mass (xx yy zz yz xz xy, kg m^2); `given`: see struct
 * body_momentum; `partner` may be null. `change` is the velocity, as `rigid` has it. */
void collide_correct(double mass, const double centre[3], const double second[6],
                     const double now[6], const struct collide_free *alone,
                     const double given[SUMS], const struct collide_partner *partner,
                     struct pk_rigid *rigid, double change[6]);

/* What is known of a place that was not looked at. */
#define COLLIDE_UNKNOWN ((struct collide_known){INFINITY, 0})
/* collide_trace.c: follows the straight way from a to b (in the shape's frame). True when it enters
 * the shape, grown by its margin; then `at` is the last place proven free, else it is b. `normal`
 * and `distance` are those at `at`. `known`: of a, then of `at`. */
bool collide_trace(const struct form *form, const float a[3], const float b[3],
                   struct collide_known *known, float at[3], float normal[3], float *distance);
/* The part of the straight way from a to b that does not lead inside, 1 if it is all; of one that
 * begins inside all, if it gets no deeper. */
float collide_part(const struct form *form, const float a[3], const float b[3]);
/* What is known of a place's distance from a collider: between these, without the margin, m. */
struct collide_span {
    float least, most;
};
#define COLLIDE_ANYWHERE ((struct collide_span){-INFINITY, INFINITY})
/* True when the way is free at a glance: at most one distance, none of convex shapes. `span`: of a;
 * `distance` (m, without the margin) is exact where more had to be known, else infinite. */
bool collide_far(const struct form *form, const float a[3], const float b[3],
                 struct collide_span span, float *distance);
/* The way of one that begins inside: true when it gets no deeper on its way than it began. */
bool collide_comes_out(const struct form *form, const float a[3], const float b[3]);
/* For who has no such way, of shapes that are not convex: true when it can be lifted off whatever
 * is nearer than the margin and `want` (m), one after the other; in a hollow, off one is onto the
 * other, by less each time. */
bool collide_lift(const struct form *form, const float a[3], float want, float lifted[3]);
/* Distances below this (m) count as none: positions are not known better. */
float collide_tolerance(const float p[3]);
/* The same for a shape: its margin must not be lost in it where that tells sides apart. */
float collide_slack(const struct form *form, const float p[3]);

#endif
