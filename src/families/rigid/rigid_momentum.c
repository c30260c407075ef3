/* rigid_momentum.c - momentum of bodies and rigid bodies that push each other.
 *
 * What a body's momentum lacks (collide_momentum.c) is found with the stiffness by which it hangs
 * on its planes. A rigid body gives way there: with its mass M and the stiffness K between the two,
 * a change u of the body's motion changes its own by (M + K)^-1 K u, and what one gets, the other
 * loses. Then islands of bodies and rigid bodies that nothing else touches get one rigid velocity
 * of the whole, which brings what the last checks of positions took.
 */
#include "families/rigid/rigid_contact.h"

#include "families/collide/collide_faces.h"

#include "world/islands.h"

static bool any_of(const struct sums *sums)
{
    for (int i = 0; i < SUMS; ++i)
        if (sums->value[i] != 0)
            return true;
    return false;
}

static void away_from(const struct step *step, uint32_t slot, const double centre[3], double to[3])
{
    rigid_goes(&world_rigid_now(step->world)[slot], (double)step->dt, to);
    for (int k = 0; k < 3; ++k)
        to[k] -= centre[k];
}

/* Adds one rigid body's answer to a change of a body's motion, both about the body's centre. */
static void add_answer(const struct step *step, uint32_t slot, const double centre[3],
                       double impulse, struct collide_partner *partner)
{
    const piola_world *w = step->world;
    struct rigid_now *now = &world_rigid_now(w)[slot];
    double mass[6][6], k[6][6], both[6][6], to[3], back[3], v[6], momentum[6];
    double gained[6][6], lost[6][6];
    away_from(step, slot, centre, to);
    rigid_mass(&world_rigids(w)[slot], now, to, mass);
    spatial_stiffness(world_rigid_sums(w)[slot].value, k);
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            k[i][j] *= impulse;
            both[i][j] = mass[i][j] + k[i][j];
        }
    if (!spatial_factor(both))
        return;
    for (int i = 0; i < 3; ++i)
        back[i] = -to[i];
    spatial_shift(now->velocity, back, v);
    spatial_times((const double(*)[6])mass, v, momentum);
    for (int j = 0; j < 6; ++j) { /* columns; K is symmetric */
        memcpy(now->answer[j], k[j], sizeof k[j]);
        spatial_back((const double(*)[6])both, now->answer[j]);
        spatial_times((const double(*)[6])mass, now->answer[j], gained[j]);
        spatial_times((const double(*)[6])k, now->answer[j], lost[j]);
        partner->slope[j] += spatial_dot(now->answer[j], momentum);
    }
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            partner->less[i][j] += 0.5 * (lost[i][j] + lost[j][i]);
            partner->curve[i][j] += spatial_dot(now->answer[i], gained[j]);
        }
    partner->slack -= spatial_dot(v, momentum);
    spatial_shift(now->alone, back, v);
    spatial_times((const double(*)[6])mass, v, momentum);
    partner->slack += spatial_dot(v, momentum);
}

bool rigid_partner(const struct step *step, uint32_t index, const double centre[3],
                   struct collide_partner *partner)
{
    const piola_world *w = step->world;
    const struct body *body = &world_bodies(w)[index];
    const struct pk_motion motion = phase_motion(step, body, false);
    const double impulse = (double)motion.keep * (double)motion.dt * (double)motion.dt;
    bool any = false;
    memset(partner, 0, sizeof *partner);
    memset(world_rigid_sums(w), 0, rigid_end(w) * sizeof(struct sums));
    rigid_gather(step, body, centre, false);
    for (uint32_t i = 0; i < rigid_end(w); ++i) {
        world_rigid_now(w)[i].asked = 0;
        /* What a joint or another body holds does not fly off when it is pushed. */
        if (!rigid_moves(w, i) || rigid_tied_of(w, i) || rigid_leans(w, i) ||
            !any_of(&world_rigid_sums(w)[i]))
            continue;
        add_answer(step, i, centre, impulse, partner);
        world_rigid_now(w)[i].asked = 1;
        any = true;
    }
    return any;
}

void rigid_answer(const struct step *step, const double centre[3], const double change[6])
{
    const piola_world *w = step->world;
    for (uint32_t i = 0; i < rigid_end(w); ++i) {
        struct rigid_now *now = &world_rigid_now(w)[i];
        double own[6] = {0}, to[3];
        if (!now->asked || !rigid_moves(w, i))
            continue;
        now->asked = 0;
        for (int j = 0; j < 6; ++j)
            for (int k = 0; k < 6; ++k)
                own[k] += change[j] * now->answer[j][k];
        away_from(step, i, centre, to);
        spatial_shift(own, to, own);
        for (int k = 0; k < 6; ++k)
            now->velocity[k] += own[k] - own[k] == 0 ? own[k] : 0;
    }
}

void rigid_remember(struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        const struct body *body = &world_bodies(w)[b];
        if (!(body->flags & BODY_ALIVE) || body_still(body) || !body_touched(w, body))
            continue;
        rigid_rest_on(step, b);
        world_rigid_before(w)[b] =
            momentum_sum(step, body, body->first, body->count, MOMENTUM_BEFORE);
    }
}

/* A rigid body's part of the sums of an island: as if it were particles (momentum_sum). */
static struct sums sums_of(const struct rigid *r, const double inertia[3][3],
                           const double position[3], const double velocity[3],
                           const double momentum[3])
{
    struct sums sum = {{r->mass}};
    double turning[3];
    const double half = 0.5 * (inertia[0][0] + inertia[1][1] + inertia[2][2]);
    cross3(position, velocity, turning);
    for (int k = 0; k < 3; ++k) {
        sum.value[1 + k] = r->mass * position[k];
        sum.value[4 + k] = r->mass * velocity[k];
        sum.value[7 + k] = r->mass * turning[k] + momentum[k];
    }
    for (int k = 0; k < 6; ++k) {
        const int i = symmetric3_row[k], j = symmetric3_column[k];
        sum.value[10 + k] =
            (i == j ? half : 0) - inertia[i][j] + r->mass * position[i] * position[j];
    }
    return sum;
}

static struct sums sums_before(const piola_world *w, uint32_t slot)
{
    const struct rigid *r = &world_rigids(w)[slot];
    const struct rigid_now *now = &world_rigid_now(w)[slot];
    return sums_of(r, now->inertia, now->begin, r->velocity, r->momentum);
}

static struct sums sums_after(const struct step *step, uint32_t slot)
{
    const struct rigid *r = &world_rigids(step->world)[slot];
    const struct rigid_now *now = &world_rigid_now(step->world)[slot];
    double position[3], momentum[3];
    rigid_goes(now, (double)step->dt, position);
    for (int k = 0; k < 3; ++k)
        momentum[k] = dot3(now->inertia[k], now->velocity + 3);
    return sums_of(r, now->inertia, position, now->velocity, momentum);
}

static bool body_free(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    return momentum_free(step, body) && !body_still(body) &&
           (world_ties(w)[body - world_bodies(w)] & TIE(attachments)) == 0;
}

static bool rigid_free(const piola_world *w, uint32_t slot)
{
    const struct rigid *r = &world_rigids(w)[slot];
    const struct rigid_now *now = &world_rigid_now(w)[slot];
    const struct rigid_tied *tied = rigid_tied_of(w, slot);
    return !now->stopped && !now->held && !now->coupled && !(tied && tied->anchored) &&
           r->force[0] == 0 && r->force[1] == 0 && r->force[2] == 0;
}

/* What does not move by its mass holds whom it is pressed by. */
static void note_one(const piola_world *w, uint32_t b, uint32_t slot, bool presses)
{
    struct rigid_island *island = world_rigid_islands(w);
    if (rigid_moves(w, slot))
        return;
    island[b].near = 1;
    island[b].bound |= presses;
}

static void note(const piola_world *w, uint32_t b)
{
    const struct body *body = &world_bodies(w)[b];
    for (uint32_t i = body->first; i < body->first + body->count; ++i)
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p) {
            const float *f = world_touches(w)[i].plane[p].force;
            note_one(w, b, world_notes(w)[i].collider[p], f[0] != 0 || f[1] != 0 || f[2] != 0);
        }
    for (uint32_t i = 0; i < faces_count(w, b); ++i) {
        const struct face_contact *c = &faces_of(w, b)[i];
        note_one(w, b, c->collider, face_presses(c));
    }
}

/* Gives a rigid body its part of a velocity of the whole. */
static void push(const struct step *step, uint32_t slot, const struct pk_rigid *whole)
{
    struct rigid_now *now = &world_rigid_now(step->world)[slot];
    double to[3], change[6];
    rigid_goes(now, (double)step->dt, to);
    for (int k = 0; k < 3; ++k) {
        to[k] -= (double)whole->centre[k];
        change[k] = (double)whole->shift[k];
        change[3 + k] = (double)whole->turn[k];
    }
    spatial_shift(change, to, change);
    for (int k = 0; k < 6; ++k)
        now->velocity[k] += change[k];
}

/* Forces that particles feel alike. */
static bool alike(const struct body *body, const struct rigid *r)
{
    return body->gravity_scale == r->gravity_scale && body->damping == r->damping &&
           body->acceleration[0] == 0 && body->acceleration[1] == 0 && body->acceleration[2] == 0;
}

static bool is_in(const piola_world *w, uint32_t node)
{
    if (node >= w->desc.max_bodies)
        return rigid_moves(w, node - w->desc.max_bodies);
    const struct body *body = &world_bodies(w)[node];
    return (body->flags & BODY_ALIVE) && body_touched(w, body);
}

/* Members of islands in their order: bodies, then rigid bodies. */
static void list_islands(const piola_world *w)
{
    struct rigid_island *island = world_rigid_islands(w);
    for (uint32_t node = 0; node < w->desc.max_bodies + rigid_end(w); ++node) {
        const uint32_t root = islands_root(islands_of(w), node);
        island[node].next = NO_NODE;
        if (root != node)
            island[island[root].last].next = node;
        island[root].last = node;
    }
}

/* True for a body with the lowest number of an island that nothing else touches and that has rigid
 * bodies at all. */
static bool leads(const piola_world *w, uint32_t root)
{
    const struct body *lead = &world_bodies(w)[root];
    const struct rigid_island *island = world_rigid_islands(w);
    bool any = false;
    if (!is_in(w, root) || islands_root(islands_of(w), root) != root)
        return false;
    for (uint32_t node = root; node != NO_NODE; node = island[node].next) {
        if (!is_in(w, node))
            continue;
        if (island[node].bound)
            return false;
        if (node < w->desc.max_bodies) {
            const struct body *body = &world_bodies(w)[node];
            if (body->damping != lead->damping || body->gravity_scale != lead->gravity_scale)
                return false;
            continue;
        }
        any = true;
        if (!alike(lead, &world_rigids(w)[node - w->desc.max_bodies]))
            return false;
    }
    return any;
}

/* True when no other collider is near any of the island. */
static bool far_off(const piola_world *w, uint32_t root)
{
    const struct rigid_island *island = world_rigid_islands(w);
    for (uint32_t node = root; node != NO_NODE; node = island[node].next) {
        const bool rigid = node >= w->desc.max_bodies;
        if (is_in(w, node) &&
            (rigid ? world_rigid_now(w)[node - w->desc.max_bodies].points > 0 : island[node].near))
            return false;
    }
    return true;
}

/* Forces between the members leave the common centre of mass on its way. */
static void straighten(const struct step *step, uint32_t root)
{
    const piola_world *w = step->world;
    const struct rigid_island *island = world_rigid_islands(w);
    const double dt = (double)step->dt;
    double mass = 0, drift[3] = {0, 0, 0};
    struct pk_rigid back;
    memset(&back, 0, sizeof back);
    for (uint32_t node = root; node != NO_NODE; node = island[node].next) {
        if (!is_in(w, node))
            continue;
        if (node < w->desc.max_bodies) {
            const struct body *body = &world_bodies(w)[node];
            const struct sums sum =
                momentum_sum(step, body, body->first, body->count, MOMENTUM_DRIFT);
            mass += sum.value[0];
            for (int k = 0; k < 3; ++k)
                drift[k] += sum.value[4 + k];
            continue;
        }
        const uint32_t i = node - w->desc.max_bodies;
        const struct rigid_now *now = &world_rigid_now(w)[i];
        mass += world_rigids(w)[i].mass;
        for (int k = 0; k < 3; ++k)
            drift[k] += world_rigids(w)[i].mass * dt * (now->sent[k] - now->aim[k]);
    }
    for (int k = 0; k < 3; ++k)
        back.shift[k] = (float)(-drift[k] / mass);
    for (uint32_t node = root; node != NO_NODE; node = island[node].next) {
        if (!is_in(w, node))
            continue;
        if (node < w->desc.max_bodies) {
            const struct body *body = &world_bodies(w)[node];
            step->kernels->rigid_move(world_position(w) + body->first, body->count, &back);
            continue;
        }
        const uint32_t i = node - w->desc.max_bodies;
        for (int k = 0; k < 3; ++k)
            world_rigid_now(w)[i].sent[k] -= drift[k] / mass / dt;
        rigid_send(step, i);
    }
}

/* A member's sums before the iterations and after them. */
static void add_member(const struct step *step, uint32_t node, struct sums *before,
                       struct sums *after)
{
    const piola_world *w = step->world;
    if (node < w->desc.max_bodies) {
        const struct body *body = &world_bodies(w)[node];
        const struct sums now = momentum_sum(step, body, body->first, body->count, MOMENTUM_AFTER);
        momentum_add(before, &world_rigid_before(w)[node]);
        momentum_add(after, &now);
    } else {
        const uint32_t i = node - w->desc.max_bodies;
        const struct sums was = sums_before(w, i), now = sums_after(step, i);
        momentum_add(before, &was);
        momentum_add(after, &now);
    }
}

static void keep_island(const struct step *step, uint32_t root)
{
    const piola_world *w = step->world;
    const struct rigid_island *island = world_rigid_islands(w);
    struct sums before = {{0}}, after = {{0}};
    for (uint32_t node = root; node != NO_NODE; node = island[node].next)
        if (is_in(w, node))
            add_member(step, node, &before, &after);
    momentum_expect(step, root, &before);
    momentum_restore(step, root, &after);
    for (uint32_t node = root; node != NO_NODE; node = island[node].next) {
        const struct body *bodies = world_bodies(w);
        if (!is_in(w, node))
            continue;
        if (node < w->desc.max_bodies)
            momentum_push(step, root, node, bodies[node].first, bodies[node].count);
        else
            push(step, node - w->desc.max_bodies, &world_momenta(w)[root].rigid);
    }
}

/* Who may push whom: also the last check of positions moves particles. Momenta are kept together of
 * all bodies that may touch a collider (rigid_keep_momentum), so none of them goes by itself. */
void rigid_link(const piola_world *w, struct islands all)
{
    const struct body *bodies = world_bodies(w);
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        if (!(bodies[b].flags & BODY_ALIVE) || !body_touched(w, &bodies[b]))
            continue;
        islands_join(all, b, b);
        for (uint32_t i = bodies[b].first; i < bodies[b].first + bodies[b].count; ++i)
            for (uint32_t p = 0; p < world_touching(w)[i]; ++p)
                if (rigid_moves(w, world_notes(w)[i].collider[p]))
                    islands_join(all, b, islands_collider(w, world_notes(w)[i].collider[p]));
        for (uint32_t i = 0; i < faces_count(w, b); ++i)
            if (rigid_moves(w, faces_of(w, b)[i].collider))
                islands_join(all, b, islands_collider(w, faces_of(w, b)[i].collider));
    }
    for (uint32_t i = 0; i < rigid_contacts_count(w); ++i) {
        const struct rigid_contact *c = rigid_contact_at(w, i);
        if (c->two < RIGID_GROUND && rigid_moves(w, c->one) && rigid_moves(w, c->two))
            islands_join(all, islands_collider(w, c->one), islands_collider(w, c->two));
    }
}

static bool keeps(const piola_world *w)
{
    return w->desc.keep_momentum && w->desc.iterations > 0;
}

void rigid_straighten(struct step *step)
{
    const piola_world *w = step->world;
    const struct body *bodies = world_bodies(w);
    struct rigid_island *island = world_rigid_islands(w);
    if (!keeps(w))
        return;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        const bool meets = (bodies[b].flags & BODY_ALIVE) && body_touched(w, &bodies[b]);
        island[b] =
            (struct rigid_island){.bound = meets && !body_free(step, &bodies[b]), .next = NO_NODE};
    }
    for (uint32_t i = 0; i < rigid_end(w); ++i) {
        const bool bound = rigid_moves(w, i) && !rigid_free(w, i);
        island[w->desc.max_bodies + i] = (struct rigid_island){.bound = bound, .next = NO_NODE};
    }
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        if ((bodies[b].flags & BODY_ALIVE) && body_touched(w, &bodies[b]))
            note(w, b);
    list_islands(w);
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        if (leads(w, b))
            straighten(step, b);
}

/* What collide_limit moved; the way of all of them together leads into nothing. */
void rigid_straighten_again(struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t b = 0; b < w->desc.max_bodies && keeps(w); ++b)
        if (leads(w, b) && far_off(w, b))
            straighten(step, b);
}

void rigid_keep_momentum(struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t b = 0; b < w->desc.max_bodies && keeps(w); ++b)
        if (leads(w, b))
            keep_island(step, b);
}
