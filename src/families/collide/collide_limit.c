/* collide_limit.c - after the iterations: nobody ends inside a collider. See collide.h.
 *
 * Every particle is checked against every collider it could have reached, whether it had a plane
 * there or not. One that is inside is put on the plane at the place where it entered if that is
 * free, and else stays at that place.
 */
#include "base/symmetric3.h"
#include "families/collide/collide_block.h"

static int slot_of(const piola_world *w, uint32_t particle, uint32_t collider)
{
    for (uint32_t p = 0; p < world_touching(w)[particle]; ++p)
        if (world_notes(w)[particle].collider[p] == collider)
            return (int)p;
    return -1;
}

/* Moves x out of the shape; a is where the way to x begins, in the collider's frame, and `known` of
 * it. */
static void stop(const struct collide_moving *m, float dt, const float a[3],
                 struct collide_known known, float x[3])
{
    float b[3], at[3], normal[3], world[3], n[3], moved[3], end[3], distance;
    pose_in(m->to, x, b);
    if (!collide_trace(&m->form, a, b, &known, at, normal, &distance))
        return;
    const float most = TOUCH_LET_OUT * dt;
    const float back = distance < -most ? -most : distance;
    pose_turn(m->to, normal, n);
    pose_out(m->to, at, world);
    float gap = back;
    for (int k = 0; k < 3; ++k)
        gap += n[k] * (x[k] - world[k]);
    for (int k = 0; k < 3; ++k)
        moved[k] = gap < 0 ? x[k] - gap * n[k] : x[k];
    pose_in(m->to, moved, b);
    const bool began_inside = distance < -collide_slack(&m->form, at);
    bool reached = began_inside ? collide_comes_out(&m->form, at, b)
                                : !collide_trace(&m->form, at, b, &known, end, normal, &distance);
    /* Who stays where it was sinks by rounding, substep by substep. */
    if (began_inside && !reached && collide_lift(&m->form, at, distance - back, end)) {
        pose_out(m->to, end, moved);
        reached = true;
    }
    for (int k = 0; k < 3; ++k)
        x[k] = reached ? moved[k] : world[k];
}

void collide_out(const struct collide_moving *m, float dt, const float a[3], float x[3])
{
    stop(m, dt, a, COLLIDE_UNKNOWN, x);
}

/* True when a particle without a plane at the collider, that goes from a to x, passes it by. */
static bool passes_by(const piola_world *w, struct collide_round *round, uint32_t i,
                      const float a[3], const float x[3], struct collide_known *known)
{
    const struct collide_moving *m = &round->moving;
    struct collide_seen *seen = &world_places_seen(w)[i];
    struct collide_span span = COLLIDE_ANYWHERE;
    const bool dear = collide_dear(&m->form);
    float b[3];
    pose_in(m->to, x, b);
    if (dear)
        span = collide_span_at(seen, round->collider, &round->places, a);
    float distance;
    const bool far = collide_far(&m->form, a, b, span, &distance);
    if (dear && distance < INFINITY) {
        *known = (struct collide_known){distance - m->collider->shape.margin, 1};
        collide_keep_place(&round->places, a, distance);
        collide_see(seen, round->collider, a, distance);
    }
    return far;
}

/* Where a particle is when a collider has stopped it; true when that is elsewhere. */
static bool stopped(const struct step *step, struct collide_round *round, uint32_t i, float at[3])
{
    const piola_world *w = step->world;
    const struct collide_moving *m = &round->moving;
    const uint32_t collider = round->collider;
    const struct pk_quad *x = &world_position(w)[i];
    const int slot = slot_of(w, i, collider);
    struct collide_known known = COLLIDE_UNKNOWN;
    float a[3];
    if (slot >= 0) {
        known = world_notes(w)[i].known[slot];
        memcpy(a, world_notes(w)[i].last[slot], sizeof a);
    } else {
        float start[3];
        quad_read(&world_start(w)[i], start);
        pose_in(m->from, start, a);
    }
    quad_read(x, at);
    if (slot < 0 && passes_by(w, round, i, a, at, &known))
        return false;
    stop(m, step->dt, a, known, at);
    return at[0] != x->x || at[1] != x->y || at[2] != x->z;
}

#define NOBODY 0xffffffffu

static void note_stop(struct collide_note *note, uint32_t collider, const struct pk_quad *x,
                      const float at[3])
{
    const bool more = note->stopper > 0;
    note->stopper = collider + 1;
    note->stopped[0] = (more ? note->stopped[0] : 0) + (at[0] - x->x);
    note->stopped[1] = (more ? note->stopped[1] : 0) + (at[1] - x->y);
    note->stopped[2] = (more ? note->stopped[2] : 0) + (at[2] - x->z);
}

/* Notes of each particle of the block which collider moved it last. */
static bool limits_block(const struct step *step, struct collide_round *round, uint32_t first,
                         uint32_t count, uint32_t mover[])
{
    const piola_world *w = step->world;
    bool moved = false;
    for (uint32_t i = 0; i < count; ++i) {
        struct pk_quad *x = &world_position(w)[first + i];
        float at[3];
        if (!(x->w > 0) || !stopped(step, round, first + i, at))
            continue;
        note_stop(&world_notes(w)[first + i], round->collider, x, at);
        quad_write(x, at);
        mover[i] = round->collider;
        moved = true;
    }
    return moved;
}

/* What one collider put outside may be inside another by that, which had its turn before or was too
 * far away to have one. */
static void find_caught(const struct step *step, const struct body *body, uint32_t substep,
                        uint32_t first, uint32_t count, const uint32_t mover[])
{
    const piola_world *w = step->world;
    const struct collide_block b =
        collide_block_of(world_start(w) + first, world_position(w) + first, count);
    struct collide_round round = collide_round_of(w, body, substep, &b, 1);
    while (collide_next(&round))
        for (uint32_t i = 0; i < count; ++i) {
            float x[3], at[3];
            if (mover[i] == NOBODY || mover[i] == round.collider)
                continue;
            quad_read(&world_position(w)[first + i], x);
            if (stopped(step, &round, first + i, at) &&
                !(collide_distance(x, at) <= collide_tolerance(x)))
                world_notes(w)[first + i].caught = 1;
        }
}

/* Corrections (m) of the projection solvers become forces (N). */
static void weigh(const struct step *step, const struct body *body, uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    const float inertia = solve_parameters(step, body).inertia;
    for (uint32_t i = first; i < first + count; ++i)
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p)
            for (int k = 0; k < 3; ++k)
                world_touches(w)[i].plane[p].force[k] *= inertia / world_position(w)[i].w;
}

bool collide_limit(const struct step *step, const struct body *body, uint32_t substep,
                   uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    bool any = false;
    for (uint32_t at = first; at < first + count; at += TOUCH_BLOCK) {
        const uint32_t left = first + count - at, n = left < TOUCH_BLOCK ? left : TOUCH_BLOCK;
        const struct collide_block b =
            collide_block_of(world_start(w) + at, world_position(w) + at, n);
        struct collide_round round = collide_round_of(w, body, substep, &b, 1);
        uint32_t mover[TOUCH_BLOCK];
        bool moved = false;
        for (uint32_t i = 0; i < n; ++i) {
            mover[i] = NOBODY;
            world_notes(w)[at + i].caught = world_notes(w)[at + i].stopper = 0;
        }
        while (collide_next(&round))
            moved |= limits_block(step, &round, at, n, mover);
        if (moved && w->desc.max_contacts > 0)
            find_caught(step, body, substep, at, n, mover);
        any |= moved;
    }
    if (!world_descends(&w->desc))
        weigh(step, body, first, count);
    return any;
}

/* Stiffness s (symmetric) of a plane at `at`, as it resists a rigid motion about the origin: adds
 * s, [at] s and -[at] s [at] to value[6], value[12] and value[21]; [at] v is the product at x v. */
static void add_stiffness(const double s[3][3], const double at[3], double *value)
{
    double turned[3][3], twice[3][3];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        for (int c = 0; c < 3; ++c)
            turned[k][c] = at[i] * s[j][c] - at[j] * s[i][c];
    }
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        for (int r = 0; r < 3; ++r)
            twice[r][k] = at[i] * turned[r][j] - at[j] * turned[r][i];
    }
    for (int k = 0; k < 6; ++k) {
        const int r = symmetric3_row[k], c = symmetric3_column[k];
        value[6 + k] += s[r][c];
        value[21 + k] += twice[r][c];
    }
    for (int k = 0; k < 9; ++k)
        value[12 + k] += turned[k / 3][k % 3];
}

void collide_add_plane(const struct pk_plane *p, double across, const double at[3], double *value)
{
    double stiffness[3][3];
    const double along = (double)p->stiffness;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        value[k] += (double)p->force[k];
        value[3 + k] += at[i] * (double)p->force[j] - at[j] * (double)p->force[i];
        for (int c = 0; c < 3; ++c)
            stiffness[k][c] = (along - across) * (double)p->normal[k] * (double)p->normal[c] +
                              (k == c ? across : 0);
    }
    if (p->stiffness > 0)
        add_stiffness((const double(*)[3])stiffness, at, value);
}

struct pk_plane collide_tied_plane(const struct step *step, const struct body *body,
                                   uint32_t particle, uint32_t which)
{
    struct pk_plane plane = world_touches(step->world)[particle].plane[which];
    /* Its own inertia does not tie it to the rest. */
    const float tied = plane.stiffness - solve_parameters(step, body).inertia /
                                             world_position(step->world)[particle].w;
    plane.stiffness = tied > 0 ? tied : 0;
    return plane;
}

struct sums collide_sum(const struct step *step, const struct body *body, uint32_t first,
                        uint32_t count)
{
    const piola_world *w = step->world;
    struct sums sum = {{0}};
    for (uint32_t i = first; i < first + count; ++i) {
        const struct pk_quad *x = &world_position(w)[i];
        const double at[3] = {(double)x->x, (double)x->y, (double)x->z};
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p) {
            /* A plane that presses holds its vertex along the normal, one that holds by friction
             * all round. */
            const struct pk_plane plane = collide_tied_plane(step, body, i, p);
            collide_add_plane(&plane, plane.sticks ? (double)plane.stiffness : 0, at, sum.value);
        }
    }
    return sum;
}
