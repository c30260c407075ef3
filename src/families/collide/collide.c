/* collide.c - which particles may meet which colliders in a substep, and the planes that keep them
 * out. See collide.h.
 *
 * What happens after the iterations: collide_limit.c.
 */
#include "families/collide/collide_faces.h"
#include "motion/stages.h"
#include "world/family.h"
#include "world/rest.h"

static bool add(uint32_t *touching, struct collide_note *note, uint32_t collider, float depth,
                float gap, const float last[3])
{
    uint32_t slot = *touching;
    if (slot == PK_TOUCHES) {
        slot = 0;
        for (uint32_t i = 1; i < PK_TOUCHES; ++i)
            slot = note->depth[i] < note->depth[slot] ? i : slot;
        if (!(depth > note->depth[slot]))
            return false;
    } else {
        ++*touching;
    }
    note->collider[slot] = collider;
    note->depth[slot] = depth;
    note->known[slot] = (struct collide_known){gap, 1};
    for (int k = 0; k < 3; ++k)
        note->last[slot][k] = last[k];
    return true;
}

/* Gives the block's particles that may come to the collider their places in its frame. */
static bool find_in_block(const piola_world *world, struct collide_round *round, uint32_t first,
                          uint32_t count)
{
    bool any = false;
    const struct collide_moving *m = &round->moving;
    const float margin = m->collider->shape.margin;
    const bool dear = collide_dear(&m->form);
    for (uint32_t i = first; i < first + count; ++i) {
        const struct pk_quad *start = &world_start(world)[i], *goal = &world_target(world)[i];
        if (!(world_position(world)[i].w > 0))
            continue;
        float from[3], to[3], a[3], b[3];
        quad_read(start, from);
        quad_read(goal, to);
        pose_in(m->from, from, a);
        pose_in(m->to, to, b);
        const float way = collide_distance(a, b);
        /* Elements may push it as far again as it was going by itself. */
        const float reach = 2 * way + collide_tolerance(a);
        struct collide_seen *seen = &world_places_seen(world)[i];
        struct collide_span span = COLLIDE_ANYWHERE;
        if (dear)
            span = collide_span_at(seen, round->collider, &round->places, a);
        if (span.least > margin + reach)
            continue;
        const float distance = shape_distance_below(&m->form, a, span.most, NULL);
        const float away = distance - margin;
        if (dear) {
            collide_keep_place(&round->places, a, distance);
            collide_see(seen, round->collider, a, distance);
        }
        if (away > reach)
            continue;
        any |= add(&world_touching(world)[i], &world_notes(world)[i], round->collider, way - away,
                   away, a);
    }
    return any;
}

static float along(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The plane that keeps a particle, now at x, out of a collider. */
static void lay_plane(const struct collide_moving *m, float dt, const float x[3], float last[3],
                      struct collide_known *known, struct pk_plane *plane)
{
    float b[3], at[3], normal[3], world[3], distance;
    pose_in(m->to, x, b);
    (void)collide_trace(&m->form, last, b, known, at, normal, &distance);
    pose_turn(m->to, normal, plane->normal);
    pose_out(m->to, at, world);
    const float *n = plane->normal;
    /* Who began inside is let out gently. */
    const float most = TOUCH_LET_OUT * dt;
    const float back = distance < -most ? -most : distance;
    plane->offset = n[0] * world[0] + n[1] * world[1] + n[2] * world[2] - back;
    for (int k = 0; k < 3; ++k)
        last[k] = at[k];
}

/* An approach slower than what this many substeps of the acceleration make is no impact. */
#define RESTING 2.0f

static float slow_of(const struct step *step, const struct body *body)
{
    const struct pk_motion motion = phase_motion(step, body, false);
    return RESTING * step->dt * sqrtf(along(motion.acceleration, motion.acceleration));
}

/* m/s, at which a particle leaves (or, negative, approaches) its plane when the substep begins;
 * `from`: how far along the normal it would be if it went with the collider. */
static float speed_of(const struct step *step, uint32_t particle, const struct pk_plane *plane,
                      float *from)
{
    const piola_world *w = step->world;
    float start[3], v[3], carried[3];
    quad_read(&world_start(w)[particle], start);
    quad_read(&world_velocity(w)[particle], v);
    for (int k = 0; k < 3; ++k)
        carried[k] = plane->anchor[k] - start[k];
    const float own = along(plane->normal, carried);
    *from = along(plane->normal, start) + own;
    return along(plane->normal, v) - own / step->dt;
}

/* True for a particle that comes to its plane fast and, flying freely, would pass it. */
static bool hits(const struct step *step, uint32_t particle, const struct pk_plane *plane,
                 float slow, float *from, float *speed)
{
    float goal[3];
    quad_read(&world_target(step->world)[particle], goal);
    *speed = speed_of(step, particle, plane, from);
    return *speed < -slow && along(plane->normal, goal) < plane->offset;
}

/* Moreau's impact law: who would pass the plane leaves with a share of the speed it came with. The
 * plane itself is raised to there, for the substep. Whether the particle hits is asked once, before
 * the iterations: were it asked anew in each of them, the plane would let go of what its neighbours
 * hold up by then, or follow a rigid body that has given way, and nobody would know of the impulse
 * that was exchanged. */
static void lay_rebound(const struct step *step, const struct body *body, float restitution,
                        uint32_t particle, struct pk_plane *plane)
{
    float from, speed;
    const bool hit = hits(step, particle, plane, slow_of(step, body), &from, &speed);
    if (!plane->asked) {
        plane->asked = 1;
        plane->impact = hit ? -speed : 0;
    }
    const float there = from + restitution * plane->impact * step->dt;
    plane->offset = plane->impact > 0 && there > plane->offset ? there : plane->offset;
}

/* True when some particle hits. BDF2 goes on from two substeps as if velocities had not jumped
 * between them: who comes with V and is stopped would leave with V/2, one that leaves with e V with
 * (3 e + 1) V/2. */
static bool strikes(const struct step *step, const struct body *body, uint32_t first,
                    uint32_t count)
{
    const piola_world *w = step->world;
    const float slow = slow_of(step, body);
    float from, speed;
    for (uint32_t i = first; i < first + count; ++i)
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p)
            if (hits(step, i, &world_touches(w)[i].plane[p], slow, &from, &speed))
                return true;
    return false;
}

void collide_set_friction(const piola_world *world, const struct body *body,
                          const struct collider *collider, struct pk_plane *plane)
{
    float friction[2];
    friction_between(body_friction(world, body), solid_friction(collider),
                     world->desc.contact_friction, friction);
    plane->friction_static = friction[0];
    plane->friction_kinetic = friction[1];
}

/* Before each iteration: where the planes are now. */
static void collide_refresh(const struct step *step, const struct body *body, uint32_t substep,
                            uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    for (uint32_t i = first; i < first + count; ++i) {
        struct collide_note *note = &world_notes(w)[i];
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p) {
            struct pk_plane *plane = &world_touches(w)[i].plane[p];
            const struct collide_moving m = collide_moving_of(w, note->collider[p], substep);
            float start[3], x[3], carried[3];
            quad_read(&world_start(w)[i], start);
            quad_read(&world_position(w)[i], x);
            pose_in(m.from, start, carried);
            pose_out(m.to, carried, plane->anchor);
            lay_plane(&m, step->dt, x, note->last[p], &note->known[p], plane);
            if (m.collider->shape.restitution > 0)
                lay_rebound(step, body, m.collider->shape.restitution, i, plane);
            collide_set_friction(w, body, m.collider, plane);
        }
    }
}

/* Descent begins where the particles go to, but for those that would end inside: on their planes.
 * From deep inside, the way back out may lead anywhere. */
static void guess(const piola_world *w, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; ++i)
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p) {
            const struct pk_plane *plane = &world_touches(w)[i].plane[p];
            float x[3];
            quad_read(&world_position(w)[i], x);
            const float depth = plane->offset - along(plane->normal, x);
            for (int k = 0; k < 3 && depth > 0; ++k)
                x[k] += depth * plane->normal[k];
            quad_write(&world_position(w)[i], x);
        }
}

/* After the prediction: gives planes to the particles that may meet something. Returns TOUCHED when
 * any may, and STRUCK. */
static uint32_t collide_find(const struct step *step, const struct body *body, uint32_t substep,
                             uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    const bool descends = world_descends(&w->desc);
    /* Who is led back to its rest shape goes where it is told. */
    const bool second = w->desc.integrator == PIOLA_INTEGRATOR_BDF2 && !untangles(body);
    bool any = false;
    memset(world_touching(w) + first, 0, count * sizeof(uint32_t));
    for (uint32_t at = first; at < first + count; at += TOUCH_BLOCK) {
        const uint32_t left = first + count - at, n = left < TOUCH_BLOCK ? left : TOUCH_BLOCK;
        const struct collide_block b =
            collide_block_of(world_start(w) + at, world_target(w) + at, n);
        struct collide_round round = collide_round_of(w, body, substep, &b, 2);
        while (collide_next(&round))
            any |= find_in_block(w, &round, at, n);
    }
    for (uint32_t i = first; i < first + count; ++i)
        if (world_touching(w)[i])
            memset(&world_touches(w)[i], 0, sizeof(struct pk_collider_plane));
    if (any && (descends || second))
        collide_refresh(step, body, substep, first, count);
    if (any && descends)
        guess(w, first, count);
    return !any ? 0 : second && strikes(step, body, first, count) ? TOUCHED | STRUCK : TOUCHED;
}

void collide_note(const piola_world *world, uint32_t body, uint32_t touched)
{
    atomic_fetch_or_explicit(&world_touched(world)[body], touched, memory_order_relaxed);
}

/* Of one plane: sums of corrections in a substep obey Coulomb's law, not each of them alone. */
static void project_plane(struct pk_plane *p, float x[3])
{
    const float *n = p->normal;
    const float before = along(n, p->force);
    const float passed = before + p->offset - along(n, x);
    const float normal = passed > 0 ? passed : 0;
    float side[3], size = 0;
    for (int k = 0; k < 3; ++k)
        x[k] += (normal - before) * n[k];
    const float away[3] = {x[0] - p->anchor[0], x[1] - p->anchor[1], x[2] - p->anchor[2]};
    const float off = along(n, away);
    for (int k = 0; k < 3; ++k) {
        side[k] = p->force[k] - before * n[k] - (away[k] - off * n[k]);
        size += side[k] * side[k];
    }
    size = sqrtf(size);
    p->sticks = size <= p->friction_static * normal;
    const float share = p->sticks ? 1 : p->friction_kinetic * normal / size;
    for (int k = 0; k < 3; ++k) {
        side[k] *= share;
        x[k] += side[k] - (p->force[k] - before * n[k]);
        p->force[k] = normal * n[k] + side[k];
    }
}

/* After each iteration of a projection solver: out of the solid, with friction. */
static void collide_project(const struct step *step, uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    for (uint32_t i = first; i < first + count; ++i)
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p) {
            float x[3];
            quad_read(&world_position(w)[i], x);
            project_plane(&world_touches(w)[i].plane[p], x);
            quad_write(&world_position(w)[i], x);
        }
}

/* ---- in a substep ------------------------------------------------------------------------- */

static void find(const struct step *step, const struct piece *p)
{
    if (p->moves)
        collide_note(step->world, p->index,
                     collide_find(step, p->body, step->substep, p->first, p->count));
    else if (!body_asleep(step->world, p->index)) /* who sleeps presses as it did */
        memset(world_touching(step->world) + p->first, 0, p->count * sizeof(uint32_t));
}

void each_collide_find(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    find(step, &p);
}

/* Bodies that were struck, once their history is forgotten. */
void each_collide_find_again(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (!p.moves || !body_struck(step->world, p.body))
        return;
    phase_predict_again(step, p.body, p.first, p.count);
    find(step, &p);
}

void each_collide_refresh(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (p.moves && body_touched(step->world, p.body))
        collide_refresh(step, p.body, step->substep, p.first, p.count);
}

void each_collide_project(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (p.moves && body_touched(step->world, p.body))
        collide_project(step, p.first, p.count);
}

/* A body that meets none is still stopped where it was not seen to go: then something holds it. */
void each_collide_limit(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (p.moves && collide_limit(step, p.body, step->substep, p.first, p.count))
        collide_note(step->world, p.index, TOUCHED);
}

/* Bodies that were struck begin the substep anew, as Euler's. True when there is any. */
static bool forget_struck(const struct step *step)
{
    bool any = false;
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct body *body = step_body(step, domain_body(step, i));
        if (body->history && body_struck(step->world, body)) {
            body->history = 0;
            any = true;
        }
    }
    return any;
}

static void seek(struct step *step)
{
    for (uint32_t i = 0; i < domain_bodies(step); ++i)
        atomic_store_explicit(&world_touched(step->world)[domain_body(step, i)], 0,
                              memory_order_relaxed);
    run_stage(step, STAGE_COLLIDE_FIND, 0);
    if (forget_struck(step))
        run_stage(step, STAGE_COLLIDE_FIND_AGAIN, 0);
    faces_find(step);
}

static void refresh(struct step *step)
{
    run_stage(step, STAGE_COLLIDE_REFRESH, 0);
    faces_refresh(step);
}

static void keep_out(struct step *step)
{
    if (!world_descends(&step->world->desc))
        run_stage(step, STAGE_COLLIDE_PROJECT, 0);
    faces_keep_out(step);
}

void each_collide_given(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (!p.moves || !momentum_kept(step, p.body))
        return;
    world_sums(step->world)[chunk] = collide_sum(step, p.body, p.first, p.count);
    if (p.first == p.body->first)
        faces_sum(step, p.body, &world_sums(step->world)[chunk]);
}

static void give(struct step *step)
{
    domain_sum_momenta(step, STAGE_COLLIDE_GIVEN, 0, momentum_give);
}

static void limit(struct step *step)
{
    run_stage(step, STAGE_COLLIDE_LIMIT, 0);
    faces_limit(step);
}

static void before(piola_world *world)
{
    const size_t particles =
        world->dim[DIM_touches].capacity > 0 ? world->dim[DIM_particles].used : 0;
    memset(world_places_seen(world), 0, particles * sizeof(struct collide_seen));
    faces_before(world);
}

static void set(piola_world *world, uint32_t body, const piola_body_desc *desc)
{
    if (!desc)
        faces_forget(world, body);
}

static void report(const piola_world *world, piola_report *report)
{
    report->face_contacts = world_faces_now(world)->count;
    report->face_contacts_dropped = world_faces_now(world)->dropped;
    report->work.face_looks =
        atomic_load_explicit(&world_faces_now(world)->looks, memory_order_relaxed);
    report->work.face_pushes =
        atomic_load_explicit(&world_faces_now(world)->pushes, memory_order_relaxed);
}

const struct family family_collide = {
    .name = "collide",
    .acts = collide_any,
    .at =
        {[FIND] = seek, [REFRESH] = refresh, [KEEP_OUT] = keep_out, [LIMIT] = limit, [GIVE] = give},
    .before = before,
    .after = faces_after,
    .report = report,
    .set = set,
};
