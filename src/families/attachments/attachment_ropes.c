/* attachment_ropes.c - ropes follow what they are attached to, and hold it.
 *
 * What an attachment's particles weigh says nothing of what hangs on them: a rope of 10 g carries
 * 400 kg. So before the sweeps of each iteration a rope comes to balance with its ends where its
 * attachments are, by steps of Newton on all its links at once; then its equations are reduced to
 * each end (a Schur complement, exact): how hard the rope resists the other point's moves, and how
 * it pulls. That is laid down as a quadratic of the other point, which is stiff along a taut rope,
 * soft across it, and next to nothing where the rope is slack. Whatever hangs there moves with that
 * as with a pin, by its own level and sweeps, whose objective never rises. When the last iteration
 * is over ropes follow once more.
 *
 * Links that push do not hold anything: ropes fold. A rope with one link is a rod and does. Between
 * two ropes the first point's follows, the second's is held.
 */
#include "families/attachments/attachments.h"

#include "base/symmetric3.h"
#include "motion/coarse.h"
#include "motion/external.h"
#include "world/family.h"

#include <string.h>

/* Steps of Newton of a rope in an iteration, at most; and after the last. */
#define ROUNDS 12
#define FITS   2
/* How much stiffer than inertia holds its particles an attachment is that gives nothing. */
#define TIGHT 1e10
/* How much stiffer than a body's inertia a rope may be to it: beyond, what it is pulled with would
 * be lost in the rounding of where it is. */
#define FIRM   2e4
#define NOBODY UINT32_MAX

static void add_all(double k[6], double by)
{
    for (int i = 0; i < 3; ++i)
        k[i] += by;
}

/* ---- an attachment ---- */

static struct attachment_tie *tie_of(const piola_world *w, uint32_t i)
{
    return &world_attachment_ties(w)[i];
}

static const struct body *body_at(const piola_world *w, const struct attachment *a, int side)
{
    return &world_bodies(w)[a->body[side] - 1];
}

/* 1/kg, of one particle. */
static double share_of(const piola_world *w, const struct attachment *a, int side, uint32_t i)
{
    const struct body *body = body_at(w, a, side);
    return body_still(body) ? 0 : (double)world_position(w)[body->first + a->particle[side][i]].w;
}

/* sum w a^2, 1/kg. */
static double give_of(const piola_world *w, const struct attachment *a, int side)
{
    double sum = 0;
    for (uint32_t i = 0; i < a->count[side]; ++i) {
        const double weight = (double)a->weight[side][i];
        sum += weight * weight * share_of(w, a, side, i);
    }
    return sum;
}

/* Which side of it is a rope that follows the other: 0 or 1. */
static int follower(const struct attachment_now *now)
{
    return (int)now->joined - 1;
}

/* m: from where the following point should be to where it is. */
static void find_gap(const piola_world *w, uint32_t i, double gap[3])
{
    const struct attachment_now *now = &world_attachment_now(w)[i];
    float seen[3];
    attachments_strain(w, &world_attachments(w)[i], now, seen);
    for (int k = 0; k < 3; ++k)
        gap[k] = (follower(now) == 0 ? 1.0 : -1.0) * (double)(seen[k] - now->late[k]);
}

/* m/N: what its spring gives, and a tight one. */
static double slack_of(const piola_world *w, uint32_t i)
{
    const struct attachment_now *now = &world_attachment_now(w)[i];
    return (double)now->compliance + (double)now->give / TIGHT;
}

/* m/N: what the other point gives, as if its body were a particle: to know how hard a rope holds
 * what is attached to its other ends. */
static double looseness(const piola_world *w, uint32_t i)
{
    const struct attachment *a = &world_attachments(w)[i];
    const struct attachment_now *now = &world_attachment_now(w)[i];
    const int other = 1 - follower(now);
    if (!a->count[other] || body_at(w, a, other)->pins > 0)
        return 0;
    return 1 / (body_asset(w, body_at(w, a, other))->stats.mass * (double)now->inertia);
}

/* Adds to a rope what holds one of its points with a stiffness, and pulls at it (N). A particle
 * gets the share of the stiffness that is above what all get together, as in attachments.c. */
static void hold(const struct step *step, const struct attachment *a, int side, const double k[6],
                 const double pull[3])
{
    const piola_world *w = step->world;
    const double give = give_of(w, a, side);
    for (uint32_t i = 0; i < a->count[side]; ++i) {
        const double share = share_of(w, a, side, i), weight = (double)a->weight[side][i];
        struct held held = {.particle = a->particle[side][i]};
        if (!(share > 0) || weight == 0)
            continue;
        for (int c = 0; c < 6; ++c)
            held.stiff[c] = k[c] * give / share;
        for (int c = 0; c < 3; ++c)
            held.pull[c] = weight * pull[c];
        (void)families_hold(step, a->body[side] - 1, HELD_TIE, &held);
    }
}

/* The same of a body that is no rope: laid down at the targets of its particles. */
static void lay_down(const struct step *step, const struct attachment *a, int side,
                     const double k[6], const double pull[3])
{
    const piola_world *w = step->world;
    const struct body *body = body_at(w, a, side);
    const double give = give_of(w, a, side);
    for (uint32_t i = 0; i < a->count[side]; ++i) {
        const double share = share_of(w, a, side, i), weight = (double)a->weight[side][i];
        const uint32_t at = a->particle[side][i];
        const struct pk_quad *x = &world_position(w)[body->first + at],
                             *y = &world_target(w)[body->first + at];
        const double d[3] = {(double)x->x - (double)y->x, (double)x->y - (double)y->y,
                             (double)x->z - (double)y->z};
        struct pk_quad *h = external_of(w, body) + at, *on = h + body->count,
                       *off = on + body->count;
        double part[6], back[3];
        if (!(share > 0) || weight == 0)
            continue;
        for (int c = 0; c < 6; ++c)
            part[c] = k[c] * give / share;
        symmetric3_times(part, d, back);
        h->x -= (float)(weight * pull[0] + back[0]);
        h->y -= (float)(weight * pull[1] + back[1]);
        h->z -= (float)(weight * pull[2] + back[2]);
        on->x += (float)part[0];
        on->y += (float)part[1];
        on->z += (float)part[2];
        off->x += (float)part[3];
        off->y += (float)part[4];
        off->z += (float)part[5];
    }
}

/* ---- a rope and all that it is attached to ---- */

/* The side of the attachment that is the rope's, which is body b. */
static int side_at(const struct attachment *a, uint32_t b)
{
    return a->body[0] - 1 == b ? 0 : 1;
}

/* m: from the target to one of its points. */
static void find_point(const piola_world *w, const struct attachment *a, int side, double point[3])
{
    memset(point, 0, 3 * sizeof *point);
    for (uint32_t i = 0; i < a->count[side]; ++i) {
        const struct pk_quad *x =
            &world_position(w)[body_at(w, a, side)->first + a->particle[side][i]];
        const double weight = (double)a->weight[side][i];
        point[0] += weight * (double)x->x;
        point[1] += weight * (double)x->y;
        point[2] += weight * (double)x->z;
    }
}

/* N: how the rope pulls at the other point where that is now, by what it told. */
static void find_force(const piola_world *w, uint32_t i)
{
    const struct attachment *a = &world_attachments(w)[i];
    struct attachment_tie *tie = tie_of(w, i);
    const int other = 1 - follower(&world_attachment_now(w)[i]);
    double at[3], back[3];
    if (!tie->told)
        return;
    find_point(w, a, other, at);
    for (int c = 0; c < 3; ++c)
        at[c] -= tie->stood[c];
    symmetric3_times(tie->stiff, at, back);
    for (int c = 0; c < 3; ++c)
        tie->force[c] = tie->pull[c] - back[c];
}

/* What holds the rope in its attachments: where it follows, the other body as a particle which is
 * balanced where it is, or, at last, which does not give way; where it is held, what the other rope
 * told. */
static void hold_rope(const struct step *step, uint32_t b, bool last)
{
    const piola_world *w = step->world;
    for (uint32_t i = world_attachment_first(w)[b]; i != NOBODY;) {
        const struct attachment *a = &world_attachments(w)[i];
        struct attachment_tie *tie = tie_of(w, i);
        const int side = side_at(a, b);
        double pull[3];
        if (side == follower(&world_attachment_now(w)[i])) {
            const double slack = (double)world_attachment_now(w)[i].compliance;
            tie->own = 1 / (slack_of(w, i) + (last ? 0 : looseness(w, i)));
            const double k[6] = {tie->own, tie->own, tie->own, 0, 0, 0};
            find_gap(w, i, tie->gap);
            for (int c = 0; c < 3; ++c)
                tie->pulls[c] = pull[c] =
                    -tie->force[c] - tie->own * (tie->gap[c] - slack * tie->force[c]);
            hold(step, a, side, k, pull);
        } else if (tie->told) {
            find_force(w, i);
            hold(step, a, side, tie->stiff, tie->force);
        }
        i = tie->next[side];
    }
}

/* How its attachments pull after a step, and were they to go the whole of it. */
static void find_forces(const struct step *step, uint32_t b)
{
    const piola_world *w = step->world;
    for (uint32_t i = world_attachment_first(w)[b]; i != NOBODY;) {
        struct attachment *a = &world_attachments(w)[i];
        struct attachment_tie *tie = tie_of(w, i);
        const int side = side_at(a, b);
        double way[3] = {0, 0, 0};
        for (uint32_t p = 0; p < a->count[side]; ++p) {
            struct held held = {.particle = a->particle[side][p]};
            (void)families_hold(step, b, HELD_WAY, &held);
            for (int c = 0; c < 3; ++c)
                way[c] += (double)a->weight[side][p] * held.way[c];
        }
        for (int c = 0; c < 3 && side == follower(&world_attachment_now(w)[i]); ++c) {
            const double force = tie->own * way[c] - tie->pulls[c];
            tie->force[c] = force - force == 0 ? force : 0;
        }
        i = tie->next[side];
    }
}

/* The rope comes to balance with what it is attached to; at last where that is. */
static void follow(const struct step *step, uint32_t b, bool last)
{
    float turn = 1;
    for (int round = 0; round < (last ? FITS : ROUNDS) && (turn > 0 || round < 2); ++round) {
        const bool first = step->iteration == 0 && round == 0 && !last;
        (void)families_hold(step, b, HELD_MAKE, NULL);
        hold_rope(step, b, last);
        turn = families_hold(step, b, first ? HELD_PULL : HELD_GO, NULL);
        if (!last && !first)
            find_forces(step, b);
    }
    (void)families_hold(step, b, last ? HELD_END : HELD_AIM, NULL);
}

/* What the rope holds the other point of an attachment with: false when that cannot be known. */
static bool reduce(const struct step *step, uint32_t i, struct attachment_tie *tie)
{
    const piola_world *w = step->world;
    const struct attachment *a = &world_attachments(w)[i];
    const int side = follower(&world_attachment_now(w)[i]), other = 1 - side;
    const double give = give_of(w, a, side);
    double loose[6] = {0, 0, 0, 0, 0, 0}, way[3];
    memcpy(way, tie->gap, sizeof way);
    for (uint32_t p = 0; p < a->count[side]; ++p) {
        const double share = share_of(w, a, side, p), weight = (double)a->weight[side][p];
        struct held held = {.particle = a->particle[side][p]};
        double inverse[6], goes[3];
        if (!(share > 0) || weight == 0)
            continue;
        (void)families_hold(step, a->body[side] - 1, HELD_TELL, &held);
        add_all(held.stiff, -tie->own * give / share);
        for (int c = 0; c < 3; ++c)
            held.pull[c] -= weight * tie->pulls[c];
        if (!symmetric3_invert(held.stiff, inverse))
            return false;
        symmetric3_times(inverse, held.pull, goes);
        for (int c = 0; c < 6; ++c)
            loose[c] += weight * weight * inverse[c];
        for (int c = 0; c < 3; ++c)
            way[c] += weight * goes[c];
    }
    const double softer = 1 / (FIRM * body_asset(w, body_at(w, a, other))->stats.mass *
                               (double)world_attachment_now(w)[i].inertia);
    add_all(loose, softer + slack_of(w, i));
    for (int c = 0; c < 3; ++c)
        way[c] += softer * tie->force[c];
    if (!symmetric3_invert(loose, tie->stiff))
        return false;
    symmetric3_times(tie->stiff, way, tie->pull);
    return tie->pull[0] - tie->pull[0] + (tie->pull[1] - tie->pull[1]) +
               (tie->pull[2] - tie->pull[2]) ==
           0;
}

/* The rope holds what it is attached to. */
static void tell(const struct step *step, uint32_t b)
{
    const piola_world *w = step->world;
    (void)families_hold(step, b, HELD_MAKE_TAUT, NULL);
    hold_rope(step, b, false);
    (void)families_hold(step, b, HELD_SEE, NULL);
    for (uint32_t i = world_attachment_first(w)[b]; i != NOBODY;) {
        const struct attachment *a = &world_attachments(w)[i];
        struct attachment_tie *tie = tie_of(w, i);
        const int side = side_at(a, b), other = 1 - side;
        if (side == follower(&world_attachment_now(w)[i]) && a->count[other]) {
            tie->told = reduce(step, i, tie);
            find_point(w, a, other, tie->stood);
            if (tie->told && world_attachment_first(w)[a->body[other] - 1] == NOBODY)
                lay_down(step, a, other, tie->stiff, tie->pull);
        }
        i = tie->next[side];
    }
}

/* ---- all ropes ---- */

/* Chains the attachments of each rope: which side of them follows. */
void attachments_ropes_begin(const struct step *step)
{
    const piola_world *w = step->world;
    uint32_t *first = world_attachment_first(w);
    memset(first, 0xff, w->desc.max_bodies * sizeof *first);
    for (uint32_t i = (uint32_t)w->dim[DIM_attachments].used; i-- > 0;) {
        const struct attachment *a = &world_attachments(w)[i];
        struct attachment_now *now = &world_attachment_now(w)[i];
        struct attachment_tie *tie = tie_of(w, i);
        *tie = (struct attachment_tie){.next = {NOBODY, NOBODY}};
        for (int side = 1; side >= 0 && a->alive && now->give > 0; --side) {
            const uint32_t b = a->count[side] ? a->body[side] - 1 : NOBODY;
            if (b == NOBODY || (a->count[1] && a->body[0] == a->body[1]) ||
                !(families_hold(step, b, HELD_TAKE, NULL) > 0))
                continue;
            now->joined = (uint32_t)side + 1;
            for (int c = 0; c < 3; ++c)
                tie->force[c] = (side == 0 ? 1.0 : -1.0) * (double)a->force[c];
            tie->next[side] = first[b];
            first[b] = i;
        }
    }
}

void attachments_ropes_follow(struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t b = 0; world_descends(&w->desc) && b < w->desc.max_bodies; ++b)
        if (world_attachment_first(w)[b] != NOBODY) {
            follow(step, b, false);
            tell(step, b);
        }
}

/* What attachments pull with is told, and to ropes as a force: what it does to them is work. */
void attachments_ropes_end(const struct step *step)
{
    const piola_world *w = step->world;
    static const double none[6] = {0, 0, 0, 0, 0, 0};
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        if (world_attachment_first(w)[b] != NOBODY)
            follow(step, b, true);
    for (uint32_t i = 0; i < w->dim[DIM_attachments].used; ++i) {
        struct attachment *a = &world_attachments(w)[i];
        const struct attachment_now *now = &world_attachment_now(w)[i];
        const struct attachment_tie *tie = tie_of(w, i);
        const double sign = follower(now) == 0 ? 1 : -1;
        if (!a->alive || !now->joined)
            continue;
        find_force(w, i);
        const double back[3] = {-tie->force[0], -tie->force[1], -tie->force[2]};
        lay_down(step, a, follower(now), none, back);
        for (int c = 0; c < 3; ++c)
            a->force[c] = (float)(sign * tie->force[c]);
    }
}
