/* rigid_move.c - a substep of rigid bodies.
 *
 * The unknown is the velocity V (linear, angular) that carries a body through the substep; without
 * contact it is `aim`: symplectic Euler, and for the spin what the angular momentum says when the
 * substep begins. What acts on a body changes its momenta there and then; with these it coasts to
 * the substep's end (rigid_coast), so nothing but a force ever changes its energy. After each
 * iteration of the soft bodies, Newton's step on the body's own six coordinates: the forces F of
 * the planes that particles press on, and how these would answer if the planes moved, K (the
 * particles' own blocks), give (M + dt^2 K) V' = M aim + dt^2 K V - dt F, subject to what other
 * colliders allow. A tool's spring is one more force in it: rigid_spring.c. Then the pose at the
 * substep's end is laid anew. After the last iteration the planes' forces take over what Newton's
 * step foresaw, so that particles are given what the body lost.
 */
#include "families/rigid/rigid_contact.h"

#include "families/collide/collide_faces.h"
#include "motion/coarse.h"
#include "world/family.h"
#include "world/rest.h"

#define FARTHEST 1e9
/* Rounds in which those that a body runs into are found. */
#define NEAR_ROUNDS 3
/* What presses on it was found one after the other, each while the others stood. All of them
 * together answer otherwise. Mass makes up for that, a spring that presses harder than the mass is
 * worth does not: then they are taken for so many times as stiff. */
#define FIRM 2.0

void rigid_goes(const struct rigid_now *now, double dt, double out[3])
{
    for (int k = 0; k < 3; ++k) {
        const double x = now->begin[k] + dt * now->sent[k];
        out[k] = x > FARTHEST ? FARTHEST : x < -FARTHEST ? -FARTHEST : x;
    }
}

static void put_pose(const double position[3], const double rotation[4], struct pose *pose)
{
    double r[9];
    rigid_rotation(rotation, r);
    for (int k = 0; k < 9; ++k)
        pose->rotation[k] = (float)r[k];
    for (int k = 0; k < 3; ++k)
        pose->position[k] = (float)position[k];
}

/* The difference to `aim` alone is rounded: of a slim body, whose spin about its axis is a hundred
 * thousand times what its inertia there is worth, nothing else would keep the momentum. */
static void momentum_of(const struct rigid_now *now, const double spin[3], double out[3])
{
    const double change[3] = {spin[0] - now->aim[3], spin[1] - now->aim[4], spin[2] - now->aim[5]};
    const bool still = spin[0] == 0 && spin[1] == 0 && spin[2] == 0;
    for (int k = 0; k < 3; ++k)
        out[k] = still ? 0 : now->momentum[k] + dot3(now->inertia[k], change);
}

void rigid_heading(const struct rigid *r, const struct rigid_now *now, double dt, double out[4])
{
    double momentum[3];
    memcpy(out, now->heading, sizeof now->heading);
    if (same_bytes(now->sent + 3, now->aim + 3, 3 * sizeof(double)))
        return;
    momentum_of(now, now->sent + 3, momentum);
    rigid_coast(r, now->turned, momentum, dt, out);
}

static bool finite(const double v[6])
{
    bool finite = true;
    for (int i = 0; i < 6; ++i)
        finite = finite && v[i] - v[i] == 0;
    return finite;
}

void rigid_send(const struct step *step, uint32_t slot)
{
    const piola_world *w = step->world;
    struct rigid_now *now = &world_rigid_now(w)[slot];
    double to[3], heading[4];
    if (!finite(now->sent))
        memset(now->sent, 0, sizeof now->sent);
    rigid_goes(now, (double)step->dt, to);
    rigid_heading(&world_rigids(w)[slot], now, (double)step->dt, heading);
    put_pose(to, heading, &world_poses(w)[((size_t)step->substep + 1) * collider_end(w) + slot]);
}

/* Where it would go alone. */
static void take_aim(const struct step *step, const struct rigid *r, struct rigid_now *now)
{
    const double dt = (double)step->dt, keep = 1 / (1 + dt * (double)r->damping);
    const float *gravity = world_clock(step->world)->gravity;
    struct rigid alone = *r;
    for (int k = 0; k < 3; ++k) {
        const double a =
            (double)r->gravity_scale * (double)gravity[k] + (double)r->force[k] / r->mass;
        alone.velocity[k] = keep * (r->velocity[k] + dt * a);
        alone.momentum[k] = keep * r->momentum[k];
    }
    rigid_bound(&alone);
    memcpy(now->aim, alone.velocity, sizeof alone.velocity);
    for (int k = 0; k < 3; ++k)
        now->pulled[k] = now->aim[k] - r->velocity[k];
    memcpy(now->momentum, alone.momentum, sizeof now->momentum);
    rigid_spin(r, r->rotation, now->momentum, now->aim + 3);
    rigid_inertia(r, r->rotation, now->inertia);
    rigid_coast(r, r->rotation, now->momentum, dt, now->heading);
}

void rigid_mass(const struct rigid *rigid, const struct rigid_now *now, const double to[3],
                double out[6][6])
{
    /* The velocity at the origin is v + w x to. */
    memset(out, 0, 36 * sizeof(double));
    const double square = dot3(to, to), mass = rigid->mass + now->give[0];
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i][i] = mass;
        out[j][3 + i] = out[3 + i][j] = mass * -to[k];
        out[k][3 + i] = out[3 + i][k] = mass * to[j];
        for (int c = 0; c < 3; ++c)
            out[3 + i][3 + c] = now->inertia[i][c] + mass * ((i == c ? square : 0) - to[i] * to[c]);
        if (now->coupled)
            out[3 + i][3 + i] += now->give[1];
    }
}

static const double at_origin[3] = {0, 0, 0};

/* What it would do if nothing stopped it. */
static void begin_alone(const struct step *step, uint32_t slot)
{
    const piola_world *w = step->world;
    const struct rigid *r = &world_rigids(w)[slot];
    struct rigid_now *now = &world_rigid_now(w)[slot];
    struct rigid_tied *tied = rigid_tied_of(w, slot);
    memset(now, 0, sizeof *now);
    world_yields(w)[slot] = 0;
    now->held = (world_colliders(w)[slot].flags & (COLLIDER_GOES | COLLIDER_TURNS)) != 0 ||
                solid_asleep(w, slot);
    if (now->held)
        return;
    world_yields(w)[slot] = (float)(1 / r->mass);
    memcpy(now->begin, r->position, sizeof now->begin);
    memcpy(now->turned, r->rotation, sizeof now->turned);
    put_pose(now->begin, now->turned,
             &world_poses(w)[(size_t)step->substep * collider_end(w) + slot]);
    take_aim(step, r, now);
    memcpy(now->alone, now->aim, sizeof now->alone);
    rigid_spring_begin(step, slot);
    memcpy(now->velocity, now->alone, sizeof now->velocity);
    memcpy(now->sent, now->alone, sizeof now->sent);
    if (tied) {
        rigid_mass(r, now, at_origin, tied->mass);
        spatial_times((const double(*)[6])tied->mass, now->alone, tied->pull);
    }
}

/* What other colliders make of it. */
static void stop(const struct step *step, uint32_t slot)
{
    struct rigid_now *now = &world_rigid_now(step->world)[slot];
    double mass[6][6];
    rigid_points_find(step, slot);
    rigid_mass(&world_rigids(step->world)[slot], now, at_origin, mass);
    if (rigid_stacked(step->world, slot)) {
        double pull[6];
        spatial_times((const double(*)[6])mass, now->alone, pull);
        rigid_contact_ground(step, slot);
        rigid_contact_take(step->world, slot, (const double(*)[6])mass, pull);
    } else if (!rigid_tied_of(step->world, slot) && now->points > 0 && spatial_factor(mass)) {
        rigid_points_press(now, (const double(*)[6])mass, now->velocity);
    }
}

static void send(const struct step *step, uint32_t slot)
{
    struct rigid_now *now = &world_rigid_now(step->world)[slot];
    if (!finite(now->velocity))
        memset(now->velocity, 0, sizeof now->velocity);
    memcpy(now->sent, now->velocity, sizeof now->sent);
    rigid_send(step, slot);
}

/* Those that are tied or near each other find their way together: first as if nothing was around.
 */
static void begin(struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t i = 0; i < rigid_end(w); ++i)
        if (rigid_is(w, i))
            begin_alone(step, i);
    families_balance(step);
    rigid_contacts_find(step);
    rigid_walls_list(w);
    for (uint32_t i = 0; i < rigid_end(w); ++i)
        if (rigid_moves(w, i))
            stop(step, i);
    rigid_contacts_order(w);
    rigid_contacts_solve(step, true);
    families_balance(step);
    for (uint32_t i = 0; i < rigid_end(w); ++i)
        if (rigid_moves(w, i))
            send(step, i);
}

/* A plane as it is counted here: in newton, and with the stiffness of its particle. Projection
 * solvers keep metres while they iterate. */
static struct pk_plane weighed(const struct step *step, const struct body *body, uint32_t particle,
                               uint32_t which, bool open)
{
    const piola_world *w = step->world;
    struct pk_plane plane = world_touches(w)[particle].plane[which];
    if (world_descends(&w->desc) || !open)
        return plane;
    const float mass = solve_parameters(step, body).inertia / world_position(w)[particle].w;
    const bool presses = plane.force[0] != 0 || plane.force[1] != 0 || plane.force[2] != 0;
    for (int k = 0; k < 3; ++k)
        plane.force[k] *= mass;
    plane.stiffness = presses ? mass : 0;
    return plane;
}

/* How friction answers a motion of its collider: where the place sticks as what holds it does;
 * where it slides, the force turns round with the slide, however small that is: by the secant. */
static double across_of(const struct pk_plane *p, const double at[3])
{
    const double stiffness = (double)p->stiffness;
    const double n[3] = {(double)p->normal[0], (double)p->normal[1], (double)p->normal[2]};
    double slide[3] = {at[0] - (double)p->anchor[0], at[1] - (double)p->anchor[1],
                       at[2] - (double)p->anchor[2]};
    double drag[3] = {(double)p->force[0], (double)p->force[1], (double)p->force[2]};
    const double off = dot3(slide, n), press = dot3(drag, n);
    for (int k = 0; k < 3; ++k) {
        slide[k] -= off * n[k];
        drag[k] -= press * n[k];
    }
    const double way = sqrt(dot3(slide, slide)), size = sqrt(dot3(drag, drag));
    return p->sticks || size >= stiffness * way ? stiffness : size / way;
}

/* A contact of a face likewise. */
static struct pk_plane weighed_face(const struct step *step, const struct body *body,
                                    const struct face_contact *c, bool open)
{
    struct pk_plane plane = c->plane;
    if (world_descends(&step->world->desc) || !open)
        return plane;
    const float inertia = solve_parameters(step, body).inertia;
    for (int k = 0; k < 3; ++k)
        plane.force[k] *= inertia;
    plane.stiffness = face_presses(c) ? inertia / face_give(step->world, c) : 0;
    return plane;
}

/* Adds what a plane at a place does to its rigid body. */
static void gather(const struct step *step, uint32_t slot, const struct pk_plane *plane,
                   const double at[3], const double *centre)
{
    const piola_world *w = step->world;
    double arm[3], origin[3];
    rigid_goes(&world_rigid_now(w)[slot], (double)step->dt, origin);
    for (int k = 0; k < 3; ++k)
        arm[k] = at[k] - (centre ? centre[k] : origin[k]);
    collide_add_plane(plane, across_of(plane, at), arm, world_rigid_sums(w)[slot].value);
    world_rigid_now(w)[slot].presses += plane->stiffness > 0;
    world_rigid_now(w)[slot].answers += (double)plane->stiffness;
    world_rigid_now(w)[slot].acts |= plane->stiffness > 0 || plane->force[0] != 0 ||
                                     plane->force[1] != 0 || plane->force[2] != 0;
}

static void face_at(const piola_world *w, const struct face_contact *c, double at[3])
{
    float place[3];
    face_place(w, c, place);
    for (int k = 0; k < 3; ++k)
        at[k] = (double)place[k];
}

void rigid_gather(const struct step *step, const struct body *body, const double *centre, bool open)
{
    const piola_world *w = step->world;
    const uint32_t index = (uint32_t)(body - world_bodies(w));
    double at[3];
    for (uint32_t i = body->first; i < body->first + body->count; ++i)
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p) {
            const uint32_t slot = world_notes(w)[i].collider[p];
            if (!rigid_moves(w, slot))
                continue;
            const struct pk_plane plane =
                centre ? collide_tied_plane(step, body, i, p) : weighed(step, body, i, p, open);
            quad_load(&world_position(w)[i], at);
            gather(step, slot, &plane, at, centre);
        }
    for (uint32_t i = 0; i < faces_count(w, index); ++i) {
        const struct face_contact *c = &faces_of(w, index)[i];
        if (!c->meets || !rigid_moves(w, c->collider))
            continue;
        const struct pk_plane plane =
            centre ? face_tied_plane(c) : weighed_face(step, body, c, open);
        face_at(w, c, at);
        gather(step, c->collider, &plane, at, centre);
    }
}

static bool meets_any(const struct step *step, const struct body *body)
{
    return (body->flags & BODY_ALIVE) && !body_still(body) && body_touched(step->world, body);
}

/* Newton's step with these forces and this stiffness, or, of one that is tied or near others, its
 * equation alone;
 * false when there is no step. */
static bool newton(const struct step *step, uint32_t slot, const double *sum, double v[6])
{
    const piola_world *w = step->world;
    const struct rigid_now *now = &world_rigid_now(w)[slot];
    struct rigid_tied *tied = rigid_tied_of(w, slot);
    const double dt = (double)step->dt;
    double mass[6][6], stiffness[6][6], other[6];
    rigid_mass(&world_rigids(w)[slot], now, at_origin, mass);
    spatial_stiffness(sum, stiffness);
    spatial_times((const double(*)[6])mass, now->alone, v);
    spatial_times((const double(*)[6])stiffness, now->velocity, other);
    for (int i = 0; i < 6; ++i) {
        v[i] += dt * (dt * other[i] - sum[i]);
        for (int j = 0; j < 6; ++j)
            mass[i][j] += dt * dt * stiffness[i][j];
    }
    if (tied) {
        memcpy(tied->mass, mass, sizeof mass);
        memcpy(tied->pull, v, 6 * sizeof *v);
        return false;
    }
    if (rigid_stacked(w, slot)) {
        rigid_contact_take(w, slot, (const double(*)[6])mass, v);
        return false;
    }
    if (!spatial_factor(mass))
        return false;
    spatial_back((const double(*)[6])mass, v);
    rigid_points_press(&world_rigid_now(w)[slot], (const double(*)[6])mass, v);
    return finite(v);
}

static void solve(const struct step *step, uint32_t slot)
{
    const piola_world *w = step->world;
    struct rigid_now *now = &world_rigid_now(w)[slot];
    const struct sums *sums = &world_rigid_sums(w)[slot];
    uint32_t known = 0;
    double v[6];
    if (now->coupled)
        rigid_spring_update(&world_rigids(w)[slot], now, (double)step->dt);
    if (!newton(step, slot, sums->value, v))
        return;
    for (int round = 0; round < NEAR_ROUNDS && now->coupled && now->each > 0; ++round) {
        struct sums with = *sums;
        const uint32_t met = rigid_gather_near(step, slot, v, &with);
        if (met == known || !newton(step, slot, with.value, v))
            break;
        known = met;
    }
    if (finite(v))
        memcpy(now->velocity, v, sizeof v);
}

/* What a plane at a place exerts when its collider has gone on, as Newton's step foresaw it: also
 * where that pulls, or what the rigid body lost would not be what the other got. */
static void follow(const struct step *step, uint32_t slot, const struct pk_plane *plane,
                   const double at[3], double unit, float force[3])
{
    const struct rigid_now *now = &world_rigid_now(step->world)[slot];
    const double dt = (double)step->dt;
    const double n[3] = {(double)plane->normal[0], (double)plane->normal[1],
                         (double)plane->normal[2]};
    double arm[3], to[3], change[6], way[3];
    rigid_goes(now, dt, to);
    for (int k = 0; k < 6; ++k)
        change[k] = dt * (now->velocity[k] - now->sent[k]);
    for (int k = 0; k < 3; ++k)
        arm[k] = at[k] - to[k];
    spatial_at(change, arm, way);
    const double across = across_of(plane, at), along = dot3(n, way);
    const double firm = now->coupled ? FIRM : 1;
    for (int k = 0; k < 3; ++k) {
        const double more = across * way[k] + ((double)plane->stiffness - across) * along * n[k];
        force[k] += (float)(firm * more / unit);
    }
}

/* After the last iteration; and where the next one does not find the forces anew, for Newton's
 * step would count the same force twice. */
static void follow_planes(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const uint32_t index = (uint32_t)(body - world_bodies(w));
    const bool metres = !world_descends(&w->desc);
    const double inertia = (double)solve_parameters(step, body).inertia;
    double at[3];
    for (uint32_t i = body->first; i < body->first + body->count; ++i)
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p) {
            const uint32_t slot = world_notes(w)[i].collider[p];
            if (!rigid_moves(w, slot))
                continue;
            const struct pk_plane plane = weighed(step, body, i, p, true);
            const double unit = metres ? inertia / (double)world_position(w)[i].w : 1;
            quad_load(&world_position(w)[i], at);
            follow(step, slot, &plane, at, unit, world_touches(w)[i].plane[p].force);
        }
    for (uint32_t i = 0; i < faces_count(w, index); ++i) {
        struct face_contact *c = &faces_of(w, index)[i];
        if (!c->meets || !rigid_moves(w, c->collider))
            continue;
        const struct pk_plane plane = weighed_face(step, body, c, true);
        face_at(w, c, at);
        follow(step, c->collider, &plane, at, metres ? inertia : 1, c->plane.force);
    }
}

/* What is known of those that springs hold, when all planes are counted. */
static void firm(const piola_world *w, uint32_t slot, bool open)
{
    struct rigid_now *now = &world_rigid_now(w)[slot];
    double *value = world_rigid_sums(w)[slot].value;
    for (int k = 6; k < SUMS && open; ++k) /* behind forces and moments */
        value[k] *= FIRM;
    if (now->presses > 0)
        now->each = FIRM * now->answers / now->presses;
    momentum_add(&world_rigid_sums(w)[slot], &world_rigid_springs(w)[slot].held);
}

void rigid_gather_all(const struct step *step, bool open)
{
    const piola_world *w = step->world;
    memset(world_rigid_sums(w), 0, rigid_end(w) * sizeof(struct sums));
    for (uint32_t i = 0; i < rigid_end(w); ++i)
        world_rigid_now(w)[i].presses = 0, world_rigid_now(w)[i].answers = 0;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        if (meets_any(step, &world_bodies(w)[b]))
            rigid_gather(step, &world_bodies(w)[b], NULL, open);
    for (uint32_t i = 0; i < rigid_end(w) && w->dim[DIM_rigid_springs].capacity > 0; ++i)
        if (world_rigid_now(w)[i].coupled)
            firm(w, i, open);
}

static void iterate(struct step *step)
{
    const piola_world *w = step->world;
    const bool last = step->iteration + 1 == w->desc.iterations;
    rigid_gather_all(step, true);
    for (uint32_t i = 0; i < rigid_end(w); ++i)
        if (rigid_moves(w, i))
            solve(step, i);
    rigid_contacts_solve(step, false);
    families_balance(step);
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        if (meets_any(step, &world_bodies(w)[b]) &&
            (last || coarse_replaces(step, &world_bodies(w)[b], step->iteration + 1)))
            follow_planes(step, &world_bodies(w)[b]);
    for (uint32_t i = 0; i < rigid_end(w); ++i)
        if (rigid_moves(w, i)) {
            memcpy(world_rigid_now(w)[i].sent, world_rigid_now(w)[i].velocity, 6 * sizeof(double));
            rigid_send(step, i);
        }
}

/* Who lost a number stays at the last place that it had, and stops. */
static void end(struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t i = 0; i < rigid_end(w); ++i) {
        struct rigid *r = &world_rigids(w)[i], next = *r;
        const struct rigid_now *now = &world_rigid_now(w)[i];
        double sum = 0;
        if (!rigid_moves(w, i))
            continue;
        rigid_goes(now, (double)step->dt, next.position);
        rigid_heading(r, now, (double)step->dt, next.rotation);
        for (int k = 0; k < 3; ++k)
            sum += next.position[k] + next.rotation[k] + now->velocity[k] + now->velocity[3 + k];
        const bool lost = !(sum - sum == 0);
        memcpy(next.velocity, now->velocity, sizeof next.velocity);
        momentum_of(now, now->velocity + 3, next.momentum);
        if (lost)
            next = *r;
        for (int k = 0; k < 3 && lost; ++k)
            next.velocity[k] = next.momentum[k] = 0;
        rigid_bound(&next);
        *r = next;
    }
}

/* First those that nothing else touches get their momentum together. */
static void arrive(struct step *step)
{
    rigid_contacts_relax(step);
    rigid_keep_momentum(step);
    end(step);
    rigid_presses_keep(step->world);
}

static void report(const piola_world *w, piola_report *report)
{
    if (!rigid_contacts_on(w))
        return;
    report->rigid_contacts = world_rigid_contacts_now(w)->pairs;
    report->rigid_contacts_dropped = world_rigid_contacts_now(w)->dropped;
}

static void end_step(const struct step *step)
{
    colliders_wait(step->world);
    rigid_arrive(step->world);
    colliders_arrive(step->world);
}

const struct family family_rigid = {
    .name = "rigid",
    .together = true,
    .acts = rigid_any,
    .among = {[START] = begin,
              [MEET] = rigid_remember,
              [KEEP_OUT] = iterate,
              [SETTLE] = rigid_straighten,
              [LIMIT] = rigid_straighten_again,
              [FLOW] = arrive},
    .link = rigid_link,
    .moves = rigid_any,
    .before = colliders_plan,
    .after = end_step,
    .report = report,
    .recount = colliders_recount,
    .mend = rigid_mend,
};
