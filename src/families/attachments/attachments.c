/* attachments.c - attachments in a step: the points' gap, and the force that closes it.
 *
 * An attachment pulls its two points together with f = C / compliance along the gap C, or as hard
 * as it takes when rigid. In descent f is the multiplier of an augmented Lagrangian, kept from
 * iteration to iteration and from substep to substep: f = force + K (C - compliance force), with
 * K = 1 / (compliance + W / PENALTY), W = sum w_i a_i^2 / inertia. Settled, C = compliance f; a
 * soft one is C / compliance at once, and none is stiffer than a rigid one, whatever its
 * compliance.
 *
 * Descent, per iteration: the energy of each f is quadratic with the slope K, but its particles
 * move together. For any shares t_i that sum to 1, (sum a_i d_i)^2 <= sum (a_i
 * d_i)^2 / t_i; with t_i = w_i a_i^2 / (W inertia) particle i gets the stiffness K W inertia m_i at
 * its own position, and the gradient a_i f: above the true energy, exact where inertia alone
 * resists, and blind to the order. After the last iteration what is left of C - compliance f is
 * closed by the particles' masses.
 *
 * Projections: XPBD with one multiplier of three components, an attachment after the other.
 *
 * Damping: beside the spring of 1/a N/m a dashpot of c N s/m along the gap. Over a substep both are
 * one spring of 1/a + c/dt, whose gap counts from c a'/dt times the gap's way when the substep
 * began, a' its compliance: the force keeps to the gap's line and turns nothing.
 */
#include "families/attachments/attachments.h"

#include "motion/external.h"
#include "world/family.h"
#include "world/islands.h"
#include "world/rest.h"

#include <math.h>
#include <string.h>

#define PENALTY 10.0f
/* m/s: how fast points that begin apart come together, where islands find their forces. */
#define CATCH_UP 0.2f

/* One end of an attachment: its particles in the world, and how they count. */
struct end {
    struct pk_quad *x[4];
    float share[4]; /* inverse mass, 1/kg; 0 when pinned or frozen */
    float weight[4];
    uint32_t count;
};

static struct end end_of(const piola_world *w, const struct attachment *a, int side)
{
    struct end end = {.count = a->count[side]};
    if (end.count == 0)
        return end;
    const struct body *body = &world_bodies(w)[a->body[side] - 1];
    for (uint32_t i = 0; i < end.count; ++i) {
        end.x[i] = &world_position(w)[body->first + a->particle[side][i]];
        end.share[i] = body_still(body) ? 0 : end.x[i]->w;
        end.weight[i] = a->weight[side][i];
    }
    return end;
}

/* The same point when the substep began. */
static void began_at(const piola_world *w, struct end *end)
{
    for (uint32_t i = 0; i < end->count; ++i)
        end->x[i] = world_start(w) + (end->x[i] - world_position(w));
}

static void point_of(const struct end *end, float point[3])
{
    for (uint32_t i = 0; i < end->count; ++i) {
        point[0] += end->weight[i] * end->x[i]->x;
        point[1] += end->weight[i] * end->x[i]->y;
        point[2] += end->weight[i] * end->x[i]->z;
    }
}

void attachments_gap(const piola_world *world, const struct attachment *a, const float other[3],
                     float gap[3])
{
    const struct end ends[2] = {end_of(world, a, 0), end_of(world, a, 1)};
    float there[3] = {0, 0, 0};
    gap[0] = gap[1] = gap[2] = 0;
    point_of(&ends[0], gap);
    point_of(&ends[1], there);
    for (int k = 0; k < 3; ++k)
        gap[k] -= a->count[1] ? there[k] : other[k];
}

/* sum w a^2, 1/kg. */
static float give_of(const struct end *end)
{
    float sum = 0;
    for (uint32_t i = 0; i < end->count; ++i)
        sum += end->share[i] * end->weight[i] * end->weight[i];
    return sum;
}

static float inertia_of(const struct step *step, const struct attachment *a)
{
    return solve_parameters(step, &world_bodies(step->world)[a->body[0] - 1]).inertia;
}

/* The gap with which the substep began. */
static void began_gap(const struct step *step, const struct attachment *a, float gap[3])
{
    const piola_world *w = step->world;
    struct end ends[2] = {end_of(w, a, 0), end_of(w, a, 1)};
    const float part = (float)step->substep / (float)w->desc.substeps;
    float there[3] = {0, 0, 0};
    gap[0] = gap[1] = gap[2] = 0;
    began_at(w, &ends[0]);
    began_at(w, &ends[1]);
    point_of(&ends[0], gap);
    point_of(&ends[1], there);
    for (int k = 0; k < 3; ++k)
        gap[k] -= a->count[1] ? there[k] : a->target[k] + part * (a->goal[k] - a->target[k]);
}

/* ... and what the dashpot makes of the spring. */
static void begin_damping(const struct step *step, const struct attachment *a, float damping,
                          struct attachment_now *now)
{
    const float rate = damping / step->dt;
    now->compliance = a->compliance / (1 + rate * a->compliance);
    now->lag = rate * now->compliance;
    began_gap(step, a, now->began);
}

/* What begins apart is not thrown together: it comes nearer at a bounded speed. */
static void begin_late(const struct step *step, const struct attachment *a, float late[3])
{
    began_gap(step, a, late);
    const float gap = sqrtf(late[0] * late[0] + late[1] * late[1] + late[2] * late[2]);
    const float nearer = CATCH_UP * step->dt;
    for (int k = 0; k < 3; ++k)
        late[k] = gap > nearer ? (1 - nearer / gap) * late[k] : 0;
}

/* The gap that the spring of this substep sees. */
void attachments_strain(const piola_world *w, const struct attachment *a,
                        const struct attachment_now *now, float gap[3])
{
    attachments_gap(w, a, now->target, gap);
    if (!(now->lag > 0))
        return;
    const float square = gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2];
    const float along = gap[0] * now->began[0] + gap[1] * now->began[1] + gap[2] * now->began[2];
    const float share = square > 0 ? now->lag * (along / square) : 0;
    for (int k = 0; k < 3; ++k)
        gap[k] -= share - share == 0 ? share * gap[k] : 0;
}

/* How the force answers the gap in this substep, and where the target stands at its end. */
static void begin_one(const struct step *step, struct attachment *a, float damping,
                      struct attachment_now *now)
{
    const piola_world *w = step->world;
    const struct end ends[2] = {end_of(w, a, 0), end_of(w, a, 1)};
    const float part = (float)(step->substep + 1) / (float)w->desc.substeps;
    *now = (struct attachment_now){.inertia = inertia_of(step, a), .compliance = a->compliance};
    if (damping > 0)
        begin_damping(step, a, damping, now);
    now->give = (give_of(&ends[0]) + give_of(&ends[1])) / now->inertia;
    for (int k = 0; k < 3; ++k)
        now->target[k] = a->target[k] + part * (a->goal[k] - a->target[k]);
    if (!world_descends(&w->desc)) {
        memset(a->force, 0, sizeof a->force);
        return;
    }
    /* What cannot move is not pulled: nothing would ever change a rigid one's force. */
    if (a->compliance == 0 && !(now->give > 0))
        memset(a->force, 0, sizeof a->force);
    else if (a->compliance == 0)
        now->slope = PENALTY / now->give;
    else
        now->slope = 1 / (now->compliance + now->give / PENALTY);
    if (a->compliance == 0)
        begin_late(step, a, now->late);
    now->keep = a->compliance > 0 ? now->slope * now->give / PENALTY : 1;
}

/* What sleeps on both sides keeps its force. */
static bool sleeps(const piola_world *w, const struct attachment *a)
{
    return body_asleep(w, a->body[0] - 1) && (a->count[1] == 0 || body_asleep(w, a->body[1] - 1));
}

static void begin(struct step *step)
{
    const piola_world *w = step->world;
    for (uint64_t i = 0; i < w->dim[DIM_attachments].used; ++i) {
        struct attachment *a = &world_attachments(w)[i];
        if (a->alive && sleeps(w, a))
            world_attachment_now(w)[i] = (struct attachment_now){0};
        else if (a->alive)
            begin_one(step, a, world_attachment_damping(w)[i], &world_attachment_now(w)[i]);
    }
    if (world_descends(&w->desc))
        attachments_ropes_begin(step);
}

/* After an iteration, or when the substep is over: what the gap makes of the multiplier. */
static void follow_gap(struct attachment *a, const struct attachment_now *now, const float gap[3])
{
    for (int k = 0; k < 3; ++k) {
        const float force = now->keep * a->force[k] + now->slope * gap[k];
        /* A number that is not finite is its bodies' affair, which are frozen. */
        a->force[k] = force - force == 0 ? force : 0;
    }
}

/* Adds the quadratic of each free particle of one side to its streams, laid down at its target. */
static void lay_down(const struct step *step, const struct attachment *a,
                     const struct attachment_now *now, int side, const float force[3], float slope)
{
    const piola_world *w = step->world;
    const struct end end = end_of(w, a, side);
    if (end.count == 0)
        return;
    const struct body *body = &world_bodies(w)[a->body[side] - 1];
    struct pk_quad *external = external_of(w, body);
    for (uint32_t i = 0; i < end.count; ++i) {
        if (!(end.share[i] > 0) || end.weight[i] == 0)
            continue;
        const uint32_t at = a->particle[side][i];
        const struct pk_quad *x = end.x[i], *y = &world_target(w)[body->first + at];
        const float stiffness = slope * now->give * now->inertia / end.share[i];
        const float sign = side == 0 ? end.weight[i] : -end.weight[i];
        struct pk_quad *h = &external[at], *on = &external[body->count + at];
        h->x += sign * force[0] - stiffness * (x->x - y->x);
        h->y += sign * force[1] - stiffness * (x->y - y->y);
        h->z += sign * force[2] - stiffness * (x->z - y->z);
        on->x += stiffness;
        on->y += stiffness;
        on->z += stiffness;
    }
}

static void refresh(struct step *step)
{
    const piola_world *w = step->world;
    for (uint64_t i = 0; world_descends(&w->desc) && i < w->dim[DIM_attachments].used; ++i) {
        struct attachment *a = &world_attachments(w)[i];
        struct attachment_now *now = &world_attachment_now(w)[i];
        if (!a->alive || !(now->give > 0))
            continue;
        float gap[3], force[3];
        if (now->joined)
            continue;
        attachments_strain(w, a, now, gap);
        if (step->iteration > 0)
            follow_gap(a, now, gap);
        for (int k = 0; k < 3; ++k)
            force[k] = now->keep * a->force[k] + now->slope * gap[k];
        lay_down(step, a, now, 0, force, now->slope);
        lay_down(step, a, now, 1, force, now->slope);
    }
}

/* x -= a w change / inertia on the first side, the opposite on the other. */
static void move(const piola_world *w, const struct attachment *a, float inertia,
                 const float change[3])
{
    for (int side = 0; side < 2; ++side) {
        const struct end end = end_of(w, a, side);
        for (uint32_t i = 0; i < end.count; ++i) {
            const float s = (side == 0 ? -1.0f : 1.0f) * end.weight[i] * end.share[i] / inertia;
            end.x[i]->x += s * change[0];
            end.x[i]->y += s * change[1];
            end.x[i]->z += s * change[2];
        }
    }
}

static void project(struct step *step)
{
    const piola_world *w = step->world;
    if (world_descends(&w->desc) && step->iteration + 1 == w->desc.iterations)
        attachments_ropes_end(step);
    for (uint64_t i = 0; !world_descends(&w->desc) && i < w->dim[DIM_attachments].used; ++i) {
        struct attachment *a = &world_attachments(w)[i];
        const struct attachment_now *now = &world_attachment_now(w)[i];
        if (!a->alive || !(now->give > 0))
            continue;
        float gap[3], change[3];
        attachments_strain(w, a, now, gap);
        for (int k = 0; k < 3; ++k) {
            change[k] = (gap[k] - now->compliance * a->force[k]) / (now->give + now->compliance);
            a->force[k] += change[k];
        }
        move(w, a, now->inertia, change);
    }
}

void attachments_pull(const struct step *step, const struct attachment *a, int side, uint32_t body)
{
    const struct end end = end_of(step->world, a, side);
    for (uint32_t i = 0; i < end.count; ++i) {
        const float sign = side == 0 ? -end.weight[i] : end.weight[i];
        const double force[3] = {(double)(sign * a->force[0]), (double)(sign * a->force[1]),
                                 (double)(sign * a->force[2])};
        momentum_pull(step, body, end.x[i], force);
    }
}

/* The particles' masses close what is left of the gap. */
static void close_gap(const piola_world *w, const struct attachment *a,
                      const struct attachment_now *now, const float gap[3])
{
    float change[3];
    for (int k = 0; k < 3; ++k)
        change[k] = (gap[k] - now->compliance * a->force[k]) / (now->give + now->compliance);
    move(w, a, now->inertia, change);
}

static void close_one(const struct step *step, struct attachment *a,
                      const struct attachment_now *now)
{
    const piola_world *w = step->world;
    /* Ropes have followed to what is left. */
    if (w->desc.iterations > 0 && world_descends(&w->desc) && !now->joined) {
        float gap[3];
        attachments_strain(w, a, now, gap);
        follow_gap(a, now, gap);
        if (now->give > 0)
            close_gap(w, a, now, gap);
    }
    for (int side = 0; side < 2 && a->count[side]; ++side)
        if (momentum_kept(step, &world_bodies(w)[a->body[side] - 1]))
            attachments_pull(step, a, side, a->body[side] - 1);
    if (last_substep(step))
        memcpy(a->target, a->goal, sizeof a->target);
}

static void close(struct step *step)
{
    const piola_world *w = step->world;
    for (uint64_t i = 0; i < w->dim[DIM_attachments].used; ++i)
        if (world_attachments(w)[i].alive)
            close_one(step, &world_attachments(w)[i], &world_attachment_now(w)[i]);
}

static void link(const piola_world *w, struct islands all)
{
    for (uint64_t i = 0; i < w->dim[DIM_attachments].used; ++i) {
        const struct attachment *a = &world_attachments(w)[i];
        if (a->alive && a->count[1])
            islands_join(all, a->body[0] - 1, a->body[1] - 1);
    }
}

static bool acts(const piola_world *world)
{
    return world->dim[DIM_attachments].used > 0;
}

/* What ended since the last step no longer ties bodies. */
static void settle(piola_world *world)
{
    if (world_attachment_slots(world)->ended)
        attachments_recount(world);
}

static void set(piola_world *world, uint32_t body, const piola_body_desc *desc)
{
    if (!desc && (world_ties(world)[body] & TIE(attachments)))
        attachments_end_with(world, body);
}

const struct family family_attachments = {
    .name = "attachments",
    .acts = acts,
    .among = {[BEGIN] = begin,
              [REFRESH] = refresh,
              [FOLLOW] = attachments_ropes_follow,
              [HOLD] = project,
              [CLOSE] = close,
              [VELOCITY] = attachments_expect,
              [MOMENTUM] = attachments_keep_momentum},
    .link = link,
    .recount = attachments_recount,
    .before = settle,
    .set = set,
};
