/* link_level.c - the level of a rope or a tree of links: one Newton step of all its links together.
 *
 * Sweeps over links one by one bring a pull no farther than a link each, and what hangs on a light
 * rope weighs more than all of it. Here the unknowns are the ways of all particles. A link is a
 * spring that is stiffer than anything which may hang on it, with the multiplier that it has (an
 * augmented Lagrangian), and, when it is taut, as stiff against turning as its tension makes it:
 * without that a light rope under a heavy load would be thrown about. No link closes a ring, so
 * elimination from the ends inwards fills nothing, and one pass each way solves the system, in
 * double precision.
 *
 * The projection of limits.c ends each iteration: it brings what the step's turning left of
 * lengths. Between both, sweeps know colliders only: each particle begins where it is balanced, and
 * is as heavy as its links' tensions make it.
 */
#include "families/limits/link_system.h"

#include "motion/external.h"
#include "world/guides.h"

#include <math.h>
#include <string.h>

/* Of inertia: a rod of a rope alone that is pushed harder than this turns away in the substep. */
#define BUCKLES 0.25
/* The same of a rope that is corrected together with others: such pushes are taken for none. */
#define BEARS 1e-3
/* Of the largest tension: what pushes less is not asked about. */
#define LITTLE 0.02
/* Of its length: by how much a link may turn or stretch in a correction. */
#define TURN 0.1

/* world_link_left: what a body does with its level in this substep. */
enum { LEFT = 1, TAKEN };

bool link_level_has(const piola_world *world, const struct body *body)
{
    return world->dim[DIM_link_levels].capacity > 0 && world->desc.iterations > 0 &&
           link_level_of(body_asset(world, body));
}

/* The share of its step that the body will go. */
static float *share_of(const struct links *l)
{
    return l->point->kept;
}

bool link_level_acts(const piola_world *world, const struct body *body)
{
    return link_level_has(world, body) &&
           world_link_left(world)[body - world_bodies(world)] != LEFT;
}

bool link_level_joins(const piola_world *world, const struct body *body)
{
    return link_level_has(world, body) &&
           world_link_left(world)[body - world_bodies(world)] == TAKEN;
}

/* Until the substep ends projections do alone. */
static void leave(const struct links *l)
{
    const piola_world *w = l->level.step->world;
    world_link_left(w)[l->level.body - world_bodies(w)] = LEFT;
    memset(l->multiplier, 0, l->level.asset->stats.link_packs * sizeof(struct multiplier_cell));
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

/* True when the step would push a rod, and not only a little beside what others are pulled: then
 * ropes fold, and where to is for projections to find. One rod alone has nowhere to fold. */
static bool pushes(const struct links *l, double bears)
{
    const float *mass = asset_mass(l->level.asset);
    double most = 0, least = 0;
    for (uint32_t at = 0; at < l->count && l->count > 2; at++)
        for (uint32_t e = l->node[at].first; e < l->node[at + 1].first; e++) {
            const uint32_t from = l->node[at].particle, to = l->edge[e].to;
            const bool first = !link_free(l, to) || (link_free(l, from) && mass[from] < mass[to]);
            double d[3];
            const double t = tension_after(l, at, e),
                         borne = bears * (double)l->level.solve.inertia *
                                 (double)mass[first ? from : to] * link_way(l, from, to, d);
            most = t > most ? t : most;
            least = t + borne < least ? t + borne : least;
        }
    return least < -LITTLE * most;
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

/* No link turns by more in a step than a share of its length: beyond, the system is another. */
static double bound(const struct links *l)
{
    double share = 1;
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
                return 0;
            if (share * share * square > TURN * TURN * length * length)
                share = TURN * length / sqrt(square);
        }
    return share;
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

static void find_step(const struct links *l)
{
    link_system_make(l);
    link_system_factor(l);
    link_system_solve(l);
}

/* With the tensions that the step would bring, and from where the body still is. */
static void find_step_again(const struct links *l)
{
    pull_on(l, 1);
    find_step(l);
}

void each_link_level(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const struct body *body = step_body(step, index);
    if (body_frozen(body) || !link_level_acts(step->world, body))
        return;
    const struct links l = link_system_of(step, body);
    const struct pk_quad *target = world_target(step->world) + body->first;
    for (uint32_t i = 0; i < l.count && step->iteration == 0; i++) {
        l.point[i].y[0] = target[i].x;
        l.point[i].y[1] = target[i].y;
        l.point[i].y[2] = target[i].z;
    }
    /* Before the first step nobody knows the tensions. */
    find_step(&l);
    if (step->iteration == 0)
        find_step_again(&l);
    *share_of(&l) = (float)bound(&l);
}

void each_link_go(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const struct body *body = step_body(step, index);
    if (body_frozen(body) || !link_level_acts(step->world, body))
        return;
    const struct links l = link_system_of(step, body);
    const double share = (double)*share_of(&l);
    if (step->iteration == 0 && world_link_left(step->world)[index] != TAKEN &&
        pushes(&l, BUCKLES)) {
        leave(&l);
        return;
    }
    if (share > 0) {
        pull_on(&l, share);
        go(&l, share);
    }
    aim(&l, false);
}

/* The iteration is over: particles have their own mass again, and at last the targets that their
 * links' multipliers make of theirs. */
void link_level_settle(const struct step *step, const struct body *body)
{
    if (!link_level_acts(step->world, body))
        return;
    const struct links l = link_system_of(step, body);
    const float *mass = asset_mass(l.level.asset);
    struct pk_quad *target = world_target(step->world) + body->first;
    if (step->iteration + 1 == step->world->desc.iterations)
        aim(&l, true);
    for (uint32_t i = 0; i < l.count; i++)
        target[i].w = mass[i];
}

/* The body's step, if forces are added to what pulls it; kept are steps without. */
static void add_forces(const struct links *l, bool alone)
{
    for (uint32_t i = 0; i < l->count; i++) {
        struct link_point *p = &l->point[i];
        const struct pk_quad *pull = &l->level.move[i];
        p->left[0] = (double)pull->x;
        p->left[1] = (double)pull->y;
        p->left[2] = (double)pull->z;
        for (unsigned k = 0; k < 3; k++) {
            p->kept[k] = (float)p->step[k];
            p->step[k] = alone ? 0 : p->step[k];
        }
    }
    link_system_solve(l);
}

float link_level_answer(const struct step *step, uint32_t index, enum answer what, float share)
{
    const struct body *body = step_body(step, index);
    if (!link_level_acts(step->world, body))
        return 0;
    const struct links l = link_system_of(step, body);
    if (what == ANSWER_IF)
        return !body_frozen(body);
    if (what == ANSWER_AGAIN)
        find_step_again(&l);
    if (what == ANSWER_TRY || what == ANSWER_WAY)
        add_forces(&l, what == ANSWER_WAY);
    if (what == ANSWER_LEAVE)
        leave(&l);
    if (what == ANSWER_TRY)
        return step->iteration == 0 && world_link_left(step->world)[index] != TAKEN &&
                       (pushes(&l, BEARS) || bound(&l) < 1)
                   ? -1
                   : (float)bound(&l);
    if (what == ANSWER_TAKE) {
        *share_of(&l) = share;
        world_link_left(step->world)[index] = TAKEN;
    }
    for (uint32_t i = 0; i < l.count; i++) {
        struct link_point *p = &l.point[i];
        l.level.move[i] =
            (struct pk_quad){(float)p->step[0], (float)p->step[1], (float)p->step[2], 0};
        for (unsigned k = 0; k < 3 && what == ANSWER_WAY; k++)
            p->step[k] = (double)p->kept[k];
    }
    return 1;
}
