/* link_level.c - the level of a rope or a tree of links: Newton's steps of all its links together.
 *
 * Sweeps over links one by one bring a pull no farther than a link each, and what hangs on a light
 * rope weighs more than all of it. Here the unknowns are the ways of all particles. A link is a
 * spring that is stiffer than anything which may hang on it, with the multiplier that it has (an
 * augmented Lagrangian), and, when it is taut, as stiff against turning as its tension makes it:
 * without that a light rope under a heavy load would be thrown about. No link closes a ring, so
 * elimination from the ends inwards fills nothing, and one pass each way solves the system, in
 * double precision.
 *
 * The step is gone whole, however far links turn; a few of them follow each other in an iteration.
 * What is tied to a rope (a body that hangs on it) adds to its equations and learns from them how
 * it is held: link_level_hold(), attachment_ropes.c.
 *
 * The projection of limits.c ends each iteration of a rope alone: it brings what the steps' turning
 * left of lengths. Between both, sweeps know colliders only: each particle begins where it is
 * balanced, and is as heavy as its links' tensions make it.
 */
#include "families/limits/link_system.h"

#include "motion/external.h"
#include "world/guides.h"

#include <math.h>
#include <string.h>

/* Of its length: by how much a link may turn or stretch in a step; and by how little, when no more
 * steps are needed: what that leaves of a length is its square. */
#define TURN  1.0
#define STILL 3e-3
/* Steps of a rope to which nothing is tied, in an iteration. */
#define ROUNDS 4

bool link_level_has(const piola_world *world, const struct body *body)
{
    return world->dim[DIM_link_levels].capacity > 0 && world->desc.iterations > 0 &&
           link_level_of(body_asset(world, body));
}

bool link_level_tied(const piola_world *world, const struct body *body)
{
    return link_level_has(world, body) && world_link_tied(world)[body - world_bodies(world)];
}

/* ---- what becomes of it ---- */

/* N: of a link after the step, as far as it grows along the link. */
static double tension_after(const struct links *l, uint32_t at, uint32_t e)
{
    const uint32_t lane = l->edge[e].lane, i = lane % PK_LANES;
    const struct link_point *a = &l->point[l->node[at].particle], *b = &l->point[l->edge[e].to];
    const struct link_now *now = &l->now[lane / PK_LANES];
    const struct pk_link_pack *pack = &l->pack[lane / PK_LANES];
    double longer = 0, n[3];
    link_normal(l, lane, n);
    for (unsigned k = 0; k < 3; k++)
        longer += n[k] * (a->step[k] - b->step[k]);
    const double t = (double)now->tension[i] + (double)now->along[i] * longer;
    const bool rod = pack->least[i] == pack->most[i];
    return !rod && (now->pulls[i] ? t < 0 : t > 0) ? 0 : t;
}

/* Tensions after a share of the step, as far as they grow along each link. */
static void pull_on(const struct links *l, double share)
{
    const double inertia = (double)l->level.solve.inertia;
    for (uint32_t at = 0; at < l->count; at++)
        for (uint32_t e = l->node[at].first; e < l->node[at + 1].first; e++) {
            const uint32_t lane = l->edge[e].lane;
            const double t = tension_after(l, at, e);
            const double held = (double)l->multiplier[lane];
            l->multiplier[lane] = (float)(held + share * (-t / inertia - held));
        }
}

/* N: how far particles are from the balance of inertia and links, in `left`; and in way[0] how
 * stiff inertia and tensions make them, N/m. */
static void find_balance(const struct links *l)
{
    const double inertia = (double)l->level.solve.inertia;
    const float *mass = asset_mass(l->level.asset);
    for (uint32_t i = 0; i < l->count; i++) {
        const struct pk_quad *x = &l->level.x[i];
        const double at[3] = {(double)x->x, (double)x->y, (double)x->z};
        l->point[i].way[0] = inertia * (double)mass[i];
        for (unsigned k = 0; k < 3; k++)
            l->point[i].left[k] = -l->point[i].way[0] * (at[k] - (double)l->point[i].y[k]);
    }
    for (uint32_t at = 0; at < l->count; at++)
        for (uint32_t e = l->node[at].first; e < l->node[at + 1].first; e++) {
            const uint32_t from = l->node[at].particle, to = l->edge[e].to;
            const double t = -(double)l->multiplier[l->edge[e].lane] * inertia;
            double d[3];
            const double length = link_way(l, from, to, d);
            const double pull = length > 0 ? t / length : 0;
            for (unsigned k = 0; k < 3; k++) {
                l->point[from].left[k] -= pull * d[k];
                l->point[to].left[k] += pull * d[k];
            }
            l->point[from].way[0] += 2 * fabs(pull);
            l->point[to].way[0] += 2 * fabs(pull);
        }
}

/* Sweeps know nothing of links: to them particles are balanced where they are, and as heavy as
 * tensions make them, so that only what is new moves them. At last they get the targets that their
 * links' multipliers make of theirs, and their own mass. */
static void aim(const struct links *l, bool last)
{
    const struct body *body = l->level.body;
    const double inertia = (double)l->level.solve.inertia;
    const float *mass = asset_mass(l->level.asset);
    find_balance(l);
    link_system_pulls(l);
    for (uint32_t i = 0; i < l->count; i++) {
        struct link_point *p = &l->point[i];
        const struct pk_quad *pull = &l->level.move[i];
        const double pulls[3] = {(double)pull->x, (double)pull->y, (double)pull->z};
        const double stiff = last ? inertia * (double)mass[i] : p->way[0];
        if (!link_free(l, i))
            continue;
        for (unsigned k = 0; k < 3 && !last; k++)
            p->left[k] = pulls[k];
        struct pk_quad to = l->level.x[i];
        to.x = (float)((double)to.x + p->left[0] / stiff);
        to.y = (float)((double)to.y + p->left[1] / stiff);
        to.z = (float)((double)to.z + p->left[2] / stiff);
        to.w = (float)(stiff / inertia);
        external_aim(l->level.step->world, body, i, &to);
    }
}

/* How far the step would turn or stretch a link, as a share of its length. */
static double turn_of(const struct links *l)
{
    double most = 0;
    for (uint32_t at = 0; at < l->count; at++)
        for (uint32_t e = l->node[at].first; e < l->node[at + 1].first; e++) {
            const uint32_t from = l->node[at].particle, to = l->edge[e].to;
            double d[3], square = 0;
            const double length = link_way(l, from, to, d);
            for (unsigned k = 0; k < 3; k++) {
                const double apart = l->point[from].step[k] - l->point[to].step[k];
                square += apart * apart;
            }
            if (!(square - square == 0))
                return (double)INFINITY;
            most = square > most * most * length * length ? sqrt(square) / length : most;
        }
    return most;
}

/* Moves the body by a share of its step. */
static void go(const struct links *l, double share)
{
    for (uint32_t i = 0; i < l->count; i++) {
        const struct link_point *p = &l->point[i];
        l->level.move[i] =
            (struct pk_quad){(float)(share * p->step[0]), (float)(share * p->step[1]),
                             (float)(share * p->step[2]), 0};
    }
    guides_confine(l->level.step->world, l->level.body, l->level.move);
    for (uint32_t i = 0; i < l->count; i++) {
        struct pk_quad *x = &l->level.x[i];
        if (!(x->w > 0))
            continue;
        x->x += l->level.move[i].x;
        x->y += l->level.move[i].y;
        x->z += l->level.move[i].z;
    }
    guides_place(l->level.step->world, l->level.body);
}

/* One step of Newton, or, before anybody knows the tensions, these alone. No link turns by more
 * than a share of its length: beyond, the system is another. Returns how far one would have turned.
 */
static double newton(const struct links *l, bool first)
{
    link_system_factor(l);
    link_system_solve(l);
    if (first) {
        pull_on(l, 1);
        return 1;
    }
    const double turn = turn_of(l), share = turn > TURN ? TURN / turn : 1;
    if (share > 0) {
        pull_on(l, share);
        go(l, share);
    }
    return turn;
}

/* Targets as they were predicted: sweeps get others. */
static void remember(const struct links *l)
{
    const struct pk_quad *target = world_target(l->level.step->world) + l->level.body->first;
    for (uint32_t i = 0; i < l->count; i++) {
        l->point[i].y[0] = target[i].x;
        l->point[i].y[1] = target[i].y;
        l->point[i].y[2] = target[i].z;
    }
}

void each_link_level(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const struct body *body = step_body(step, index);
    if (body_frozen(body) || !link_level_has(step->world, body) ||
        link_level_tied(step->world, body))
        return;
    const struct links l = link_system_of(step, body);
    if (step->iteration == 0)
        remember(&l);
    double turn = 1;
    for (int round = 0; round < ROUNDS && turn > STILL; round++) {
        link_system_make(&l, false);
        turn = newton(&l, step->iteration == 0 && round == 0);
    }
    aim(&l, false);
}

/* Particles that are free have their own mass again. */
static void settle_mass(const struct links *l)
{
    const float *mass = asset_mass(l->level.asset);
    struct pk_quad *target = world_target(l->level.step->world) + l->level.body->first;
    for (uint32_t i = 0; i < l->count; i++)
        target[i].w = link_free(l, i) ? mass[i] : 0;
}

/* The iteration is over: particles have their own mass again, and at last the targets that their
 * links' multipliers make of theirs. */
void link_level_settle(const struct step *step, const struct body *body)
{
    if (!link_level_has(step->world, body))
        return;
    const struct links l = link_system_of(step, body);
    if (step->iteration + 1 == step->world->desc.iterations)
        aim(&l, true);
    settle_mass(&l);
}

/* What is tied to one of the body's particles. */
static void hold_particle(const struct links *l, enum held_ask ask, struct held *held)
{
    struct link_point *p = &l->point[held->particle];
    for (unsigned c = 0; c < 6 && ask != HELD_WAY; c++)
        if (ask == HELD_TIE)
            p->on[c] += held->stiff[c];
        else
            held->stiff[c] = p->on[c];
    for (unsigned k = 0; k < 3; k++)
        if (ask == HELD_TIE)
            p->left[k] += held->pull[k];
        else if (ask == HELD_TELL)
            held->pull[k] = p->way[k];
        else
            held->way[k] = p->step[k];
}

float link_level_hold(const struct step *step, uint32_t index, enum held_ask ask, struct held *held)
{
    const piola_world *w = step->world;
    const struct body *body = &world_bodies(w)[index];
    if (!link_level_has(w, body) || body_frozen(body))
        return 0;
    const struct links l = link_system_of(step, body);
    if (ask == HELD_TAKE) {
        world_link_tied(w)[index] = 1;
        remember(&l);
    } else if (ask == HELD_MAKE || ask == HELD_MAKE_TAUT) {
        link_system_make(&l, ask == HELD_MAKE_TAUT && l.count > 2);
    } else if (ask == HELD_GO || ask == HELD_PULL) {
        const float turn = (float)newton(&l, ask == HELD_PULL);
        return turn > (float)STILL ? turn : -1;
    } else if (ask == HELD_SEE) {
        link_system_factor(&l);
        link_system_reduce(&l);
    } else if (ask == HELD_AIM || ask == HELD_END) {
        aim(&l, false);
        if (ask == HELD_END)
            settle_mass(&l);
    } else {
        hold_particle(&l, ask, held);
    }
    return 1;
}
