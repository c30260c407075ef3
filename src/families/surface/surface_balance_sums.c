/* surface_balance_sums.c - what bodies are to motions of the whole: inertia, planes, pairs.
 *
 * The objective's gradient and matrix over motions of each body as a whole: elements take no part,
 * for such a motion costs no elastic energy.
 */
#include "base/spatial6.h"
#include "base/symmetric3.h"
#include "families/collide/collide.h"
#include "families/surface/surface.h"
#include "families/surface/surface_balance.h"
#include "motion/solve.h"
#include "motion/stage.h"

#include <math.h>

/* m: an origin near the bodies, so that moments about it are exact. */
static const double *origin(const piola_world *w)
{
    return world_surface_now(w)->origin;
}

/* Inertia: gradient and matrix of half the square of the way from the targets. */
static void weigh(const struct step *step, const struct body *body, struct balance_body *own)
{
    const double *o = origin(step->world);
    const struct sums s = momentum_sum(step, body, body->first, body->count, MOMENTUM_DRIFT);
    const double inertia = (double)solve_parameters(step, body).inertia, m = s.value[0];
    const struct about_centre c = momentum_about_centre(&s, true);
    double r[3];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        own->centre[k] = c.centre[k];
        r[k] = c.centre[k] - o[k];
        own->gradient[k] = inertia * c.linear[k];
        own->gradient[3 + k] =
            inertia * (s.value[7 + k] - (o[i] * c.linear[j] - o[j] * c.linear[i]));
    }
    const double spread = c.second[0] + c.second[1] + c.second[2];
    const double round = spread + m * dot3(r, r);
    own->reach = sqrt(3 * spread / m);
    memset(own->matrix, 0, sizeof own->matrix);
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        own->matrix[k][k] = inertia * m;
        own->matrix[3 + i][j] = own->matrix[j][3 + i] = -inertia * m * r[k];
        own->matrix[3 + j][i] = own->matrix[i][3 + j] = inertia * m * r[k];
        for (int l = 0; l < 3; ++l)
            own->matrix[3 + k][3 + l] =
                inertia *
                ((k == l ? round : 0) - c.second[symmetric3_place[k][l]] - m * r[k] * r[l]);
    }
}

/* Its momenta where it is now, and as if nothing touched it. */
static void find_momenta(const struct step *step, uint32_t index, struct balance_body *own,
                         double inertia)
{
    const piola_world *w = step->world;
    const struct pk_motion motion = phase_motion(step, &world_bodies(w)[index], false);
    const double *before = world_contact_sums(w)[2 * (uint64_t)index].value, *o = origin(w);
    const double dt = (double)motion.dt;
    for (int k = 0; k < 36; ++k)
        own->mass[k / 6][k % 6] = own->matrix[k / 6][k % 6] / inertia;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double m = before[0], *c = own->centre, fall = dt * (double)motion.acceleration[k];
        own->free[k] = before[4 + k] + m * fall;
        own->free[3 + k] = before[7 + k] - (o[i] * before[4 + j] - o[j] * before[4 + i]) +
                           m * dt *
                               ((c[i] - o[i]) * (double)motion.acceleration[j] -
                                (c[j] - o[j]) * (double)motion.acceleration[i]);
    }
    for (int k = 0; k < 6; ++k)
        own->momentum[k] = own->free[k] + own->gradient[k] / (inertia * dt);
}

/* A plane as it is to a body that has gone since it was swept: what it presses with, and how stiff
 * it holds (`across`: N/m, within the plane). Sweeps leave parts of its force that do not fit each
 * other: no more friction than its press allows, nor stiffer than what it slid asks for, as in
 * motion/coarse_hold.c. False when it presses no more. */
static bool press_now(const struct balance_body *own, float inertia, const struct pk_quad *x,
                      const double at[3], struct pk_plane *plane, double *across)
{
    const double along = (double)(plane->stiffness - inertia / x->w);
    const float spot[3] = {x->x, x->y, x->z};
    double d[3], n[3], side[3], press = 0, up = 0, square = 0, slip = 0, off = 0;
    spatial_at(own->gone, at, d);
    for (int k = 0; k < 3; ++k) {
        n[k] = (double)plane->normal[k];
        up += n[k] * d[k];
        press += n[k] * (double)plane->force[k];
    }
    for (int k = 0; k < 3; ++k) {
        const double slid = (double)(spot[k] - plane->anchor[k]) - d[k];
        side[k] = (double)plane->force[k] - press * n[k];
        square += side[k] * side[k];
        slip += slid * slid;
        off += slid * n[k];
    }
    slip = slip > off * off ? sqrt(slip - off * off) : 0;
    const double holds = (double)(plane->sticks ? plane->friction_static : plane->friction_kinetic);
    const double most = press > 0 ? holds * press : 0;
    const double share = square > most * most ? most / sqrt(square) : 1;
    const double drag = share * sqrt(square), stiff = along > 0 ? along : 0;
    *across = plane->sticks || drag >= stiff * slip ? stiff : drag / slip;
    const double now = press - stiff * up;
    plane->stiffness = (float)stiff;
    for (int k = 0; k < 3; ++k)
        plane->force[k] = (float)(now * n[k] + share * side[k] - *across * (d[k] - up * n[k]));
    return now > 0;
}

/* Planes that press on the body are springs; or (`tell`) are told what they press with now. */
static void each_plane(const struct step *step, uint32_t index, double *value)
{
    const piola_world *w = step->world;
    const struct body *body = &world_bodies(w)[index];
    const struct balance_body *own = &world_balance_bodies(w)[index];
    const float inertia = solve_parameters(step, body).inertia;
    const double *o = origin(w);
    for (uint32_t i = body->first; i < body->first + body->count; ++i) {
        const struct pk_quad *x = &world_position(w)[i];
        const double at[3] = {(double)x->x - o[0], (double)x->y - o[1], (double)x->z - o[2]};
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p) {
            struct pk_plane *real = &world_touches(w)[i].plane[p], plane = *real;
            double across = 0;
            if (!(plane.stiffness > 0) || !(x->w > 0))
                continue;
            const bool presses = press_now(own, inertia, x, at, &plane, &across);
            if (value && presses)
                collide_add_plane(&plane, across, at, value);
            for (int k = 0; k < 3 && !value; ++k)
                real->force[k] = presses ? plane.force[k] : 0;
            if (!value && !presses)
                real->stiffness = 0;
        }
    }
}

void balance_tell_planes(const struct step *step, uint32_t index)
{
    if (body_touched(step->world, &world_bodies(step->world)[index]))
        each_plane(step, index, NULL);
}

/* Adds `sign` times a force and its stiffness to what a body feels. */
static void add_to(struct balance_body *own, double sign, const double sums[SUMS],
                   const double stiffness[6][6])
{
    for (int i = 0; i < 6; ++i) {
        own->gradient[i] -= sign * sums[i];
        for (int j = 0; j < 6; ++j)
            own->matrix[i][j] += stiffness[i][j];
    }
}

void each_surface_weigh(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct body *body = &world_bodies(w)[index];
    struct balance_body *own = &world_balance_bodies(w)[index];
    double value[SUMS] = {0}, held[6][6];
    own->first_tie = NO_TIE;
    own->works = 0;
    if (!own->joins)
        return;
    weigh(step, body, own);
    find_momenta(step, index, own, (double)solve_parameters(step, body).inertia);
    if (!body_touched(w, body))
        return;
    each_plane(step, index, value);
    spatial_stiffness(value, held);
    add_to(own, 1, value, (const double(*)[6])held);
}

/* The tie of two bodies, which is made when there is none; null when there is no room: then neither
 * takes part. */
static struct balance_tie *tie_of(const piola_world *w, uint32_t a, uint32_t b)
{
    struct balance_body *own = &world_balance_bodies(w)[a];
    struct surface_now *now = world_surface_now(w);
    for (uint32_t at = own->first_tie; at != NO_TIE; at = world_balance_ties(w)[at].next)
        if (world_balance_ties(w)[at].b == b)
            return &world_balance_ties(w)[at];
    if (now->ties == w->dim[DIM_balance_ties].capacity)
        return NULL;
    struct balance_tie *tie = &world_balance_ties(w)[now->ties];
    *tie = (struct balance_tie){.a = a, .b = b, .next = own->first_tie};
    own->first_tie = now->ties++;
    return tie;
}

/* Where the nearest point of a pair's first side is, from the origin; and whether weights of that
 * side are positive. */
static double near_point(const piola_world *w, uint32_t p, uint32_t lane, uint32_t kind,
                         double at[3])
{
    const struct pk_pair_pack *pack = &world_pair_packs(w)[p];
    const struct pk_pair_push *push = &world_pushes(w)[p];
    const double *o = origin(w);
    double share = 0;
    at[0] = at[1] = at[2] = 0;
    for (uint32_t k = 0; k < (kind == PAIR_EDGES ? 2u : 1u); ++k) {
        const struct pk_quad *x = &world_position(w)[pack->particle[k][lane]];
        const double weight = (double)push->weight[k][lane];
        share += weight;
        at[0] += weight * (double)x->x;
        at[1] += weight * (double)x->y;
        at[2] += weight * (double)x->z;
    }
    for (int k = 0; k < 3; ++k)
        at[k] = at[k] / share - o[k];
    return share;
}

static void add_pair(const piola_world *w, uint32_t p, uint32_t lane, uint32_t kind,
                     struct balance_tie **last)
{
    const struct pk_pair_pack *pack = &world_pair_packs(w)[p];
    const struct pk_pair_push *push = &world_pushes(w)[p];
    const uint32_t one = world_owner(w)[pack->particle[0][lane]];
    const uint32_t two = world_owner(w)[pack->particle[3][lane]];
    const uint32_t a = one < two ? one : two, b = one < two ? two : one;
    struct balance_body *all = world_balance_bodies(w);
    double at[3];
    if (a == b || !(all[a].joins || all[b].joins))
        return;
    if (!*last || (*last)->a != a || (*last)->b != b)
        *last = tie_of(w, a, b);
    const double share = near_point(w, p, lane, kind, at);
    if (!*last)
        all[a].joins = all[b].joins = 0;
    if (!*last || !(share > 0.5 || share < -0.5))
        return;
    const float sign = (share < 0) != (one > two) ? -1 : 1;
    struct pk_plane plane = {.stiffness = push->slope[lane]};
    for (int k = 0; k < 3; ++k) {
        plane.normal[k] = push->normal[k][lane];
        plane.force[k] = sign * (push->push[lane] * push->normal[k][lane] -
                                 push->drag[lane] * push->slide[k][lane]);
    }
    collide_add_plane(&plane, (double)push->drag[lane], at, (*last)->sums);
}

struct islands balance_islands(const piola_world *world)
{
    return (struct islands){.leader = world_balance_leaders(world),
                            .count = world->desc.max_bodies};
}

/* An island of which one body takes no part is left to the sweeps: a body that is balanced against
 * what only seems to stand still would be thrown. */
static void find_islands(const piola_world *w)
{
    const struct islands islands = balance_islands(w);
    struct balance_body *all = world_balance_bodies(w);
    const uint32_t ties = world_surface_now(w)->ties;
    islands_begin(islands);
    for (uint32_t t = 0; t < ties; ++t)
        islands_join(islands, world_balance_ties(w)[t].a, world_balance_ties(w)[t].b);
    for (uint32_t t = 0; t < ties; ++t) {
        const struct balance_tie *tie = &world_balance_ties(w)[t];
        if (!all[tie->a].joins || !all[tie->b].joins)
            all[islands_root(islands, tie->a)].held = 1;
    }
}

static bool add_ties(const piola_world *w)
{
    struct balance_body *all = world_balance_bodies(w);
    bool any = false;
    find_islands(w);
    for (uint32_t t = 0; t < world_surface_now(w)->ties; ++t) {
        struct balance_tie *tie = &world_balance_ties(w)[t];
        if (all[islands_root(balance_islands(w), tie->a)].held)
            continue;
        any = true;
        spatial_stiffness(tie->sums, tie->stiffness);
        for (int side = 0; side < 2; ++side) {
            struct balance_body *own = &all[side ? tie->b : tie->a];
            add_to(own, side ? -1 : 1, tie->sums, (const double(*)[6])tie->stiffness);
            own->works = 1;
        }
    }
    return any;
}

bool balance_gather(const struct step *step)
{
    const piola_world *w = step->world;
    struct surface_now *now = world_surface_now(w);
    struct balance_tie *last = NULL;
    now->ties = 0;
    run_stage(step, STAGE_SURFACE_WEIGH, 0);
    for (uint32_t p = 0; p < now->pair_pack_end; ++p) {
        if (world_acting(w)[p] == 0)
            continue;
        const uint32_t kind = surface_range(w, p)->kind;
        for (uint32_t left = world_acting(w)[p]; left != 0; left &= left - 1)
            add_pair(w, p, (uint32_t)__builtin_ctz(left), kind, &last);
    }
    return add_ties(w);
}
