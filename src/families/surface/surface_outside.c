/* surface_outside.c - who goes only a share of its way must not end inside a collider either.
 *
 * collide_limit.c has put all particles outside where they were going, of one collider after the
 * other: what one presses may be inside another by that. And a share of that way may lead through a
 * round shape, or to a place that a collider has moved to. Such a particle is put outside first,
 * twice at most, and then goes less. Where a moving collider leaves no room even so, it waits for
 * this substep where it stands: colliders where they began and particles where they began are
 * always outside of each other. Then the same of edges and faces, whose corners go less.
 */
#include "families/collide/collide_faces.h"
#include "families/rigid/rigid.h"
#include "families/surface/surface.h"
#include "motion/stage.h"

#define MENDS  2  /* rounds in which particles are put outside */
#define PARTS  6  /* ... up to which they go as far as is free; then not at all */
#define ROUNDS 12 /* ... after which all stay where they are */

enum { CHANGED = 1, BLOCKED = 2 };

/* Where a share of its way takes a particle. */
static struct pk_quad place_of(const piola_world *w, uint32_t i)
{
    const struct pk_quad *x = &world_position(w)[i], *s = &surface_from(w)[i];
    const float share = world_share(w)[i];
    if (!(share < 1) || !(x->w > 0))
        return *x;
    return (struct pk_quad){s->x + share * (x->x - s->x), s->y + share * (x->y - s->y),
                            s->z + share * (x->z - s->z), x->w};
}

static void take(const piola_world *w, uint32_t i, float part)
{
    const struct pk_quad *x = &world_position(w)[i], *s = &surface_from(w)[i];
    const float d[3] = {x->x - s->x, x->y - s->y, x->z - s->z};
    const float share = surface_part(world_share(w)[i]);
    const float most = share * part * sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    world_share(w)[i] = share * part;
    /* For when shares are found anew. */
    if (!world_surface_now(w)->carries && most < world_bound(w)[i])
        world_bound(w)[i] = most;
}

/* One particle against one collider: what had to be done. */
static uint32_t keep_out(const struct step *step, const struct collide_moving *m, uint32_t i)
{
    const piola_world *w = step->world;
    struct pk_quad place = place_of(w, i);
    float start[3], from[3], at[3], a[3], begin[3], b[3];
    quad_read(&world_start(w)[i], start);
    quad_read(&surface_from(w)[i], from);
    quad_read(&place, at);
    pose_in(m->from, start, a);
    pose_in(m->to, from, begin);
    pose_in(m->to, at, b);
    float distance;
    if (collide_far(&m->form, a, b, COLLIDE_ANYWHERE, &distance) ||
        collide_part(&m->form, a, b) >= 1)
        return 0;
    const bool free = collide_part(&m->form, a, begin) >= 1;
    const float part = free ? collide_part(&m->form, begin, b) : 0;
    if (part >= 1)
        return 0;
    if (world_surface_now(w)->outside_round < MENDS &&
        world_surface_now(w)->limit_state == LIMIT_SOME) {
        collide_out(m, step->dt, a, at);
        quad_write(&world_position(w)[i], at);
        world_share(w)[i] = world_surface_now(w)->whole;
        world_strayed(w)[i] = STRAY_AGAIN;
        world_notes(w)[i].caught = 1;
        return CHANGED;
    }
    take(w, i, world_surface_now(w)->outside_round < PARTS ? 0.999f * part : 0);
    return free ? CHANGED : CHANGED | BLOCKED;
}

/* Who goes all its way has been put outside already, unless by one collider into another, or
 * colliders are no longer where they were then. */
static bool in_doubt(const piola_world *w, uint32_t i)
{
    return world_position(w)[i].w > 0 &&
           (world_share(w)[i] < 1 || world_surface_now(w)->halts || world_notes(w)[i].caught);
}

static void check_block(const struct step *step, const struct body *body, uint32_t first,
                        uint32_t count)
{
    piola_world *w = step->world;
    struct pk_quad from[TOUCH_BLOCK], to[TOUCH_BLOCK];
    for (uint32_t i = 0; i < count; ++i) {
        from[i] = world_start(w)[first + i];
        to[i] = place_of(w, first + i);
        from[i].w = in_doubt(w, first + i) ? 1 : 0;
    }
    const struct collide_block block = collide_block_of(from, to, count);
    struct collide_round round = collide_round_of(w, body, step->substep, &block, 1);
    while (collide_next(&round)) {
        uint32_t done = 0;
        for (uint32_t i = 0; i < count; ++i)
            if (from[i].w > 0)
                done |= keep_out(step, &round.moving, first + i);
        if (done & CHANGED)
            atomic_store_explicit(&world_surface_now(w)->outside_changed, 1, memory_order_relaxed);
        if (done & BLOCKED)
            atomic_store_explicit(&world_halting(w)[round.collider], 1, memory_order_relaxed);
    }
}

void each_surface_outside(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const struct chunk *chunk = &world_chunks(step->world)[index];
    const struct body *body = &world_bodies(step->world)[chunk->body];
    for (uint32_t i = 0; i < chunk->count && !body_still(body); i += TOUCH_BLOCK)
        check_block(step, body, chunk->first + i,
                    chunk->count - i < TOUCH_BLOCK ? chunk->count - i : TOUCH_BLOCK);
}

/* ---- edges and faces ---- */

void each_surface_places(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const struct chunk *chunk = &world_chunks(step->world)[index];
    for (uint32_t i = chunk->first; i < chunk->first + chunk->count; ++i)
        world_places(step->world)[i] = place_of(step->world, i);
}

/* One that goes all its way has been put outside already. */
static bool face_in_doubt(void *context, const uint32_t particle[3])
{
    const piola_world *w = ((const struct step *)context)->world;
    return in_doubt(w, particle[0]) || in_doubt(w, particle[1]) || in_doubt(w, particle[2]);
}

static void keep_face_out(void *context, const struct face_pair *pair)
{
    const struct step *step = context;
    piola_world *w = step->world;
    struct face_meeting meeting;
    bool goes = false;
    for (int i = 0; i < 3; ++i)
        goes = goes || (world_position(w)[pair->particle[i]].w > 0 &&
                        world_share(w)[pair->particle[i]] > 0);
    const double part = face_free(pair, false, &meeting);
    if (part >= 1 || face_begins_inside(pair))
        return;
    /* Of what stands still as it does nothing can be asked. */
    const bool moves = !same_bytes(pair->moving.from, pair->moving.to, sizeof *pair->moving.from);
    if (!goes && !moves)
        return;
    const float less = world_surface_now(w)->outside_round < PARTS ? 0.999f * (float)part : 0;
    for (int i = 0; i < 3; ++i)
        if (world_position(w)[pair->particle[i]].w > 0)
            take(w, pair->particle[i], less);
    atomic_store_explicit(&world_surface_now(w)->outside_changed, 1, memory_order_relaxed);
    if (!goes)
        atomic_store_explicit(&world_halting(w)[pair->collider], 1, memory_order_relaxed);
}

/* Not all of a body's faces were looked at: it stays where it is, and so does what moves near it.
 */
static void block_all(const struct step *step, const struct body *body)
{
    piola_world *w = step->world;
    const bool carries = world_surface_now(w)->carries;
    const struct collide_block block =
        collide_block_of(world_start(w) + body->first, world_places(w) + body->first, body->count);
    struct collide_round round = collide_round_of(w, body, step->substep, &block, 1);
    bool any = false;
    for (uint32_t i = body->first; i < body->first + body->count; ++i)
        if (world_position(w)[i].w > 0 && world_share(w)[i] > 0) {
            take(w, i, 0);
            any = true;
        }
    while (collide_next(&round)) {
        const struct collide_moving *m = &round.moving;
        if (!carries && same_bytes(m->from, m->to, sizeof *m->from))
            continue;
        atomic_store_explicit(&world_halting(w)[round.collider], 1, memory_order_relaxed);
        any = true;
    }
    if (any)
        atomic_store_explicit(&world_surface_now(w)->outside_changed, 1, memory_order_relaxed);
}

void each_surface_faces(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const struct body *body = step_body(step, index);
    const struct face_quest quest = {world_places(step->world), 1, face_in_doubt, keep_face_out,
                                     (void *)(uintptr_t)step};
    const bool asked = world_paired(step->world)[index] || world_surface_now(step->world)->halts;
    if (!body_still(body) && asked && !faces_each_near(step, body, &quest))
        block_all(step, body);
}

/* A collider stays where the substep began. */
static void halt(const struct step *step, uint32_t c)
{
    piola_world *w = step->world;
    struct pose *from = &world_poses(w)[(size_t)step->substep * collider_end(w) + c];
    from[collider_end(w)] = *from;
    if (world_halted(w)[c] == 0)
        world_halted(w)[c] = step->substep + 1;
    world_surface_now(w)->halts = true;
    if (rigid_is(w, c))
        for (int k = 0; k < 6; ++k)
            world_rigid_now(w)[c].sent[k] = 0;
}

/* True when some collider leaves no room; `all`: those that move all do. */
static bool halt_blocked(const struct step *step, bool all, bool only_tell)
{
    const piola_world *w = step->world;
    bool any = false;
    for (uint32_t c = 0; c < collider_end(w); ++c) {
        const struct collide_moving m = collide_moving_of(w, c, step->substep);
        const bool moves = !same_bytes(m.from, m.to, sizeof *m.from);
        const uint32_t blocked = atomic_load_explicit(&world_halting(w)[c], memory_order_relaxed);
        /* Who is carried cannot go less than that. */
        if (!(blocked || all) || !(moves || world_surface_now(w)->carries))
            continue;
        any = true;
        if (!only_tell)
            halt(step, c);
    }
    return any;
}

static bool check(const struct step *step, uint32_t round)
{
    piola_world *w = step->world;
    world_surface_now(w)->outside_round = round;
    surface_go_anew(w);
    for (uint32_t c = 0; c < collider_end(w); ++c)
        atomic_store_explicit(&world_halting(w)[c], 0, memory_order_relaxed);
    atomic_store_explicit(&world_surface_now(w)->outside_changed, 0, memory_order_relaxed);
    run_stage(step, STAGE_SURFACE_OUTSIDE, 0);
    if (faces_any(w) && w->dim[DIM_places].capacity > 0) {
        run_stage(step, STAGE_SURFACE_PLACES, 0);
        run_stage(step, STAGE_SURFACE_FACES, 0);
    }
    return atomic_load_explicit(&world_surface_now(w)->outside_changed, memory_order_relaxed) != 0;
}

bool surface_outside(const struct step *step)
{
    if (!collide_any(step->world))
        return true;
    for (uint32_t round = 0; round < PARTS; ++round) {
        if (!check(step, round))
            return true;
        if (halt_blocked(step, false, true) || !surface_share_again(step))
            return false;
    }
    return false;
}

bool surface_outside_as_is(const struct step *step)
{
    if (!collide_any(step->world) || !check(step, ROUNDS))
        return true;
    (void)halt_blocked(step, false, true);
    return false;
}

void surface_go_on(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t c = 0; c < collider_end(w); ++c) {
        const struct collide_moving m = collide_moving_of(w, c, step->substep);
        if (!same_bytes(m.from, m.to, sizeof *m.from))
            world_halted(w)[c] = 0;
    }
}

void surface_outside_at_last(const struct step *step)
{
    piola_world *w = step->world;
    for (uint32_t round = 0; collide_any(w) && round < ROUNDS; ++round) {
        if (!check(step, round))
            return;
        (void)halt_blocked(step, false, false);
        surface_share_surely(step);
    }
    if (!collide_any(w) || !check(step, ROUNDS))
        return;
    (void)halt_blocked(step, true, false);
    for (uint64_t i = 0; i < w->dim[DIM_particles].used; ++i)
        world_share(w)[i] = 0;
}
