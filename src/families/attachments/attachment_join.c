/* attachment_join.c - bodies that are attached to ropes and nets are corrected together with them.
 *
 * What an attachment's particles weigh says nothing of what hangs on them: a rope of 10 g carries
 * 400. So where bodies of links are in an island, the forces of its attachments are found from how
 * the levels of their bodies answer: with the ways d = R f that bodies go for forces, and what the
 * particles next to a point give besides, (R + r + compliance) f = gap is solved by conjugate
 * gradients. Then bodies go these ways, and only what sweeps leave is left to the multipliers.
 * Before that, the force of such an attachment is laid down as it is, without stiffness; after it,
 * as any other's.
 */
#include "families/attachments/attachments.h"

#include "motion/coarse.h"
#include "world/family.h"
#include "world/islands.h"

#include <string.h>

/* Rounds of conjugate gradients: as many as an island's forces have components, and no more than
 * that; and the share of their first residual, squared, that ends them. */
#define ROUNDS 24u
#define ENOUGH 1e-10
#define NOBODY UINT32_MAX

static float answer(const struct step *step, uint32_t body, enum answer what, float share)
{
    const float found = coarse_answer(step, body, what, share);
    return found != 0 ? found : families_answer(step, body, what, share);
}

static bool side_answers(const struct step *step, const struct attachment *a, int side)
{
    return a->count[side] == 0 || answer(step, a->body[side] - 1, ANSWER_IF, 1) > 0;
}

void attachments_join_begin(const struct step *step)
{
    const piola_world *w = step->world;
    memset(world_attachment_ropes(w), 0, w->desc.max_bodies * sizeof(uint32_t));
    for (uint64_t i = 0; i < w->dim[DIM_attachments].used; ++i) {
        const struct attachment *a = &world_attachments(w)[i];
        for (int side = 0; a->alive && side < 2 && a->count[side]; ++side)
            if (families_answer(step, a->body[side] - 1, ANSWER_IF, 1) > 0)
                world_attachment_ropes(w)[islands_root(islands_of(w), a->body[side] - 1)] = 1;
    }
}

bool attachments_join(const struct step *step, const struct attachment *a)
{
    const piola_world *w = step->world;
    return world_attachment_ropes(w)[islands_root(islands_of(w), a->body[0] - 1)] &&
           side_answers(step, a, 0) && side_answers(step, a, 1);
}

/* ---- an island ---- */

/* What is asked about an attachment of an island: for each of them, in their order. */
static struct attachment_join *join_of(const piola_world *w, uint32_t i)
{
    return &world_attachment_joins(w)[i];
}

/* Adds the force on the first point, and its opposite on the second, to the particles' forces; or
 * the gap that their ways open to `way`. */
static void scatter(const piola_world *w, const struct attachment *a, const double force[3])
{
    for (int side = 0; side < 2; ++side)
        for (uint32_t i = 0; i < a->count[side]; ++i) {
            const uint32_t at = world_bodies(w)[a->body[side] - 1].first + a->particle[side][i];
            const double share = (double)(side == 0 ? a->weight[side][i] : -a->weight[side][i]);
            struct pk_quad *to = &world_coarse_step(w)[at];
            if (!(world_position(w)[at].w > 0))
                continue;
            to->x += (float)(share * force[0]);
            to->y += (float)(share * force[1]);
            to->z += (float)(share * force[2]);
        }
}

static void gather(const piola_world *w, const struct attachment *a, double gap[3])
{
    for (int side = 0; side < 2; ++side)
        for (uint32_t i = 0; i < a->count[side]; ++i) {
            const uint32_t at = world_bodies(w)[a->body[side] - 1].first + a->particle[side][i];
            const double share = (double)(side == 0 ? a->weight[side][i] : -a->weight[side][i]);
            const struct pk_quad *way = &world_coarse_step(w)[at];
            gap[0] += share * (double)way->x;
            gap[1] += share * (double)way->y;
            gap[2] += share * (double)way->z;
        }
}

/* m/N: what particles give beside their body's level. */
static double looseness(const struct step *step, const struct attachment *a)
{
    const piola_world *w = step->world;
    double sum = 0;
    for (int side = 0; side < 2; ++side)
        for (uint32_t i = 0; i < a->count[side]; ++i) {
            const struct body *body = &world_bodies(w)[a->body[side] - 1];
            const double weight = (double)a->weight[side][i];
            if (world_position(w)[body->first + a->particle[side][i]].w > 0)
                sum += weight * weight * coarse_looseness(step, body, a->particle[side][i]);
        }
    return sum;
}

static void clear_forces(const piola_world *w, uint32_t first)
{
    for (uint32_t i = first; i != NOBODY; i = join_of(w, i)->next)
        for (int side = 0; side < 2 && world_attachments(w)[i].count[side]; ++side) {
            const struct body *body = &world_bodies(w)[world_attachments(w)[i].body[side] - 1];
            memset(world_coarse_step(w) + body->first, 0, body->count * sizeof(struct pk_quad));
        }
}

/* Every body of the island once: those that come first in an attachment. Returns the least answer.
 */
static float ask_bodies(const struct step *step, uint32_t first, enum answer what, float share)
{
    const piola_world *w = step->world;
    float least = 1;
    for (uint32_t i = first; i != NOBODY; i = join_of(w, i)->next)
        for (int side = 0; side < 2; ++side)
            if (join_of(w, i)->names >> side & 1) {
                const float found =
                    answer(step, world_attachments(w)[i].body[side] - 1, what, share);
                least = found < least ? found : least;
            }
    return least;
}

/* answer = (R + r + compliance) way; returns way . answer. */
static double multiply(const struct step *step, uint32_t first)
{
    const piola_world *w = step->world;
    double sum = 0;
    clear_forces(w, first);
    for (uint32_t i = first; i != NOBODY; i = join_of(w, i)->next)
        scatter(w, &world_attachments(w)[i], join_of(w, i)->way);
    (void)ask_bodies(step, first, ANSWER_WAY, 1);
    for (uint32_t i = first; i != NOBODY; i = join_of(w, i)->next) {
        struct attachment_join *j = join_of(w, i);
        for (int k = 0; k < 3; ++k)
            j->answer[k] = j->loose * j->way[k];
        gather(w, &world_attachments(w)[i], j->answer);
        for (int k = 0; k < 3; ++k)
            sum += j->way[k] * j->answer[k];
    }
    return sum;
}

/* Leaves in `force` what the attachments' forces on the first points change by. */
static void solve(const struct step *step, uint32_t first, double square)
{
    const piola_world *w = step->world;
    const double enough = ENOUGH * square;
    for (uint32_t round = 0; round < ROUNDS && square > enough; ++round) {
        const double curve = multiply(step, first), share = square / curve;
        double next = 0;
        if (!(curve > 0))
            return;
        for (uint32_t i = first; i != NOBODY; i = join_of(w, i)->next) {
            struct attachment_join *j = join_of(w, i);
            for (int k = 0; k < 3; ++k) {
                j->force[k] += share * j->way[k];
                j->left[k] -= share * j->answer[k];
                next += j->left[k] * j->left[k];
            }
        }
        for (uint32_t i = first; i != NOBODY; i = join_of(w, i)->next)
            for (int k = 0; k < 3; ++k)
                join_of(w, i)->way[k] =
                    join_of(w, i)->left[k] + next / square * join_of(w, i)->way[k];
        square = next;
    }
}

static void give_forces(const piola_world *w, uint32_t first)
{
    clear_forces(w, first);
    for (uint32_t i = first; i != NOBODY; i = join_of(w, i)->next)
        scatter(w, &world_attachments(w)[i], join_of(w, i)->force);
}

/* The island's bodies go where its attachments' forces, which change, take them. False when they
 * should not. */
static bool correct_island(const struct step *step, uint32_t first, bool take)
{
    const piola_world *w = step->world;
    double square = 0;
    clear_forces(w, first);
    (void)ask_bodies(step, first, ANSWER_BEGIN, 1);
    for (uint32_t i = first; i != NOBODY; i = join_of(w, i)->next) {
        const struct attachment *a = &world_attachments(w)[i];
        const struct attachment_now *now = &world_attachment_now(w)[i];
        struct attachment_join *j = join_of(w, i);
        float gap[3];
        double open[3] = {0, 0, 0};
        attachments_strain(w, a, now, gap);
        gather(w, a, open);
        j->loose = looseness(step, a) + (double)now->compliance;
        for (int k = 0; k < 3; ++k) {
            j->left[k] = j->way[k] = (double)now->compliance * (double)a->force[k] +
                                     (double)(now->late[k] - gap[k]) - open[k];
            j->force[k] = 0;
            square += j->left[k] * j->left[k];
        }
    }
    if (!(square > 0) || !(square - square == 0))
        return true;
    solve(step, first, square);
    give_forces(w, first);
    const float share = ask_bodies(step, first, ANSWER_TRY, 1);
    if (share < 0 || !take)
        return !take;
    give_forces(w, first);
    (void)ask_bodies(step, first, ANSWER_TAKE, share);
    for (uint32_t i = first; i != NOBODY; i = join_of(w, i)->next) {
        float change[3];
        for (int k = 0; k < 3; ++k)
            change[k] = -share * (float)join_of(w, i)->force[k];
        attachments_change(step, i, change);
    }
    return true;
}

/* Ropes fold: the island does as all others do, until the substep ends. */
static void leave(const struct step *step, uint32_t first)
{
    const piola_world *w = step->world;
    const uint32_t body = world_attachments(w)[first].body[0] - 1;
    (void)ask_bodies(step, first, ANSWER_LEAVE, 1);
    world_attachment_ropes(w)[islands_root(islands_of(w), body)] = 0;
    for (uint32_t i = first; i != NOBODY; i = join_of(w, i)->next)
        attachments_leave(step, i);
}

/* Chains the attachments of each island, in their order; which of their bodies none before named.
 */
static bool chain(const struct step *step)
{
    const piola_world *w = step->world;
    uint32_t *last = world_attachment_last(w), *named = world_attachment_held(w);
    bool any = false;
    memset(last, 0xff, w->desc.max_bodies * sizeof *last);
    memset(named, 0, w->desc.max_bodies * sizeof *named);
    for (uint32_t i = 0; i < w->dim[DIM_attachments].used; ++i) {
        const struct attachment *a = &world_attachments(w)[i];
        struct attachment_join *j = join_of(w, i);
        j->next = NOBODY;
        j->leads = j->names = 0;
        if (!a->alive || !world_attachment_now(w)[i].joined)
            continue;
        const uint32_t root = islands_root(islands_of(w), a->body[0] - 1);
        j->leads = last[root] == NOBODY;
        if (!j->leads)
            join_of(w, last[root])->next = i;
        last[root] = i;
        for (int side = 0; side < 2 && a->count[side]; ++side) {
            j->names |= named[a->body[side] - 1] ? 0 : 1u << side;
            named[a->body[side] - 1] = 1;
        }
        any = true;
    }
    return any;
}

void attachments_correct(struct step *step)
{
    const piola_world *w = step->world;
    if (!world_descends(&w->desc) || !chain(step))
        return;
    for (uint32_t i = 0; i < w->dim[DIM_attachments].used; ++i)
        if (join_of(w, i)->leads) {
            /* First only to know what ropes will bear. */
            if (step->iteration == 0) {
                (void)correct_island(step, i, false);
                (void)ask_bodies(step, i, ANSWER_AGAIN, 1);
            }
            if (!correct_island(step, i, true))
                leave(step, i);
        }
}
