/* collide_faces.c - what keeps edges and faces out of colliders: contacts and their forces.
 *
 * A contact is a place between the corners of a triangle and the plane that it must stay in front
 * of. In descent its force is the multiplier of an augmented Lagrangian, kept from iteration to
 * iteration and from substep to substep: force + K gap along the normal, never pulling, and against
 * the slide within the plane as far as Coulomb allows. K is about as stiff as what holds the
 * corners, and the multiplier follows the force slowly: one sweep is far from the minimum that the
 * method asks for, and where many contacts share a stiff body's corners they would drive each other
 * up. Settled, nothing is left of K. The corners' shares of K are their weights, which sum to 1:
 * that bounds the contact's energy from above though all three move. Projections move the place out
 * by the corners' masses, and the sum of the impulses obeys Coulomb.
 */
#include "families/collide/collide_faces.h"

#include "motion/external.h"

#include <string.h>

/* K over what inertia, and what elements, hold the corners with. */
#define PENALTY_INERTIA 4.0f
#define PENALTY_ELASTIC 2.0f
#define PENALTY_WHOLE   1.0f /* over the inertia of the whole body */

/* ---- find ---- */

/* A triangle keeps so many contacts with one collider whose shape has triangles: the deepest, at
 * places that differ. */
#define FACETS 4

struct finding {
    const struct step *step;
    const struct body *body;
    struct face_room *room;
    /* The contacts with the last collider that the last triangle has. */
    uint32_t facets;
    double gap[FACETS], place[FACETS][3];
};

/* N/m, by which the body's elements hold a particle against colliders: an open sheet folds out of
 * their way. There, and where the asset does not tell, inertia has to do. */
static float stiffness_at(const piola_world *w, const struct body *body, uint32_t particle)
{
    const piola_asset *asset = body_asset(w, body);
    return asset->at.coarse_heads.count > 0 &&
                   (asset->at.tet_packs.count > 0 || asset->stats.enclosed > 0)
               ? asset_coarse_stiffness(asset)[particle - body->first]
               : 0;
}

static int order_of(const struct face_hold *hold, const struct face_contact *c)
{
    return face_order((struct face_key){hold->triangle, hold->collider, hold->facet},
                      face_key_of(c));
}

static void drop_facet(struct finding *f, uint32_t i)
{
    struct face_contact *last =
        &world_face_contacts(f->step->world)[f->room->first + f->room->count];
    const uint32_t behind = --f->facets - i;
    memmove(last - behind - 1, last - behind, behind * sizeof *last);
    memmove(&f->gap[i], &f->gap[i + 1], behind * sizeof f->gap[0]);
    memmove(&f->place[i], &f->place[i + 1], behind * sizeof f->place[0]);
    --f->room->count;
}

/* Of a shape made of triangles: makes room among the contacts that the triangle has with it. False
 * when it has a better one already. */
static bool better(struct finding *f, const struct face_pair *pair)
{
    struct face_meeting meeting;
    double gap, place[3] = {0, 0, 0};
    uint32_t worst = 0;
    if (!face_meets(pair, 0, &meeting) || face_begins_inside(pair))
        return false;
    gap = -meeting.offset;
    for (int i = 0; i < 3; ++i) {
        gap += meeting.weight[i] * shape_dot(meeting.normal, pair->to[i]);
        for (int k = 0; k < 3; ++k)
            place[k] += meeting.weight[i] * pair->to[i][k];
    }
    for (uint32_t i = 0; i < f->facets; ++i) {
        double away[3];
        shape_minus(place, f->place[i], away);
        const double same = 8 * (double)pair->tolerance;
        if (shape_dot(away, away) < same * same)
            return false;
        worst = f->gap[i] > f->gap[worst] ? i : worst;
    }
    if (f->facets == FACETS && !(gap < f->gap[worst]))
        return false;
    if (f->facets == FACETS)
        drop_facet(f, worst);
    f->gap[f->facets] = gap;
    memcpy(f->place[f->facets++], place, sizeof place);
    return true;
}

static bool same_pair(const struct finding *f, const struct face_pair *pair)
{
    const struct face_contact *last =
        &world_face_contacts(f->step->world)[f->room->first + f->room->count];
    return f->room->count > 0 && last[-1].triangle == pair->triangle &&
           last[-1].collider == pair->collider;
}

static void add(void *context, const struct face_pair *pair)
{
    struct finding *f = context;
    const piola_world *w = f->step->world;
    if (!same_pair(f, pair))
        f->facets = 0;
    if (pair->core.kind == SHAPE_CORE_TRIANGLE && !better(f, pair))
        return;
    if (f->room->count == f->room->room) {
        ++f->room->dropped;
        f->facets -= f->facets > 0;
        return;
    }
    struct face_contact *to = &world_face_contacts(w)[f->room->first + f->room->count++];
    memset(to, 0, sizeof *to);
    memcpy(to->particle, pair->particle, sizeof to->particle);
    to->triangle = pair->triangle;
    to->collider = pair->collider;
    to->facet = pair->facet;
    collide_set_friction(w, f->body, pair->moving.collider, &to->plane);
    for (int i = 0; i < 3; ++i)
        to->tied += stiffness_at(w, f->body, pair->particle[i]) / 3;
}

/* The forces of the last substep. */
static void recall(const struct finding *f)
{
    const piola_world *w = f->step->world;
    const struct face_hold *holds = &world_face_holds(w)[f->room->first];
    uint32_t hold = 0;
    for (uint32_t i = 0; i < f->room->count; ++i) {
        struct face_contact *c = &world_face_contacts(w)[f->room->first + i];
        while (hold < f->room->held && order_of(&holds[hold], c) < 0)
            ++hold;
        if (hold < f->room->held && order_of(&holds[hold], c) == 0)
            memcpy(c->multiplier, holds[hold].force, sizeof c->multiplier);
    }
}

/* kg, of all that is not pinned. */
static float mass_of(const piola_world *w, const struct body *body)
{
    double sum = 0;
    for (uint32_t i = body->first; i < body->first + body->count; ++i)
        sum += world_position(w)[i].w > 0 ? 1 / (double)world_position(w)[i].w : 0;
    return (float)sum;
}

void each_faces_find(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    struct face_room *room = &world_face_rooms(w)[index];
    struct finding f = {.step = step, .body = body, .room = room};
    room->count = room->dropped = 0;
    if (body_still(body))
        return;
    const struct face_quest quest = {.to = world_target(w), .factor = 2, .use = add, .context = &f};
    if (!faces_each_near(step, body, &quest))
        ++room->dropped;
    recall(&f);
    if (room->count == 0)
        return;
    const float mass = mass_of(w, body);
    for (uint32_t i = 0; i < room->count; ++i)
        faces_of(w, index)[i].mass = mass;
    collide_note(w, index, FACED);
}

void faces_find(struct step *step)
{
    if (faces_any(step->world))
        run_stage(step, STAGE_FACES_FIND, 0);
}

/* ---- the plane ---- */

static void lay_plane(const struct step *step, struct face_contact *c)
{
    const piola_world *w = step->world;
    struct face_pair pair = {.moving = collide_moving_of(w, c->collider, step->substep)};
    struct face_meeting meeting;
    float local[3], start[3] = {0, 0, 0};
    memcpy(pair.particle, c->particle, sizeof pair.particle);
    pair.facet = c->facet;
    face_pair_at(step, world_position(w), &pair);
    face_core_of(&pair);
    c->meets = face_meets(&pair, (double)(TOUCH_LET_OUT * step->dt), &meeting);
    if (!c->meets)
        return;
    for (int k = 0; k < 3; ++k) {
        c->weight[k] = (float)meeting.weight[k];
        local[k] = (float)meeting.normal[k];
        for (int i = 0; i < 3; ++i)
            start[k] += (float)(meeting.weight[i] * pair.from[i][k]);
    }
    const float *n = c->plane.normal;
    pose_turn(pair.moving.to, local, c->plane.normal);
    pose_out(pair.moving.to, start, c->plane.anchor);
    c->plane.offset = (float)meeting.offset + n[0] * pair.moving.to->position[0] +
                      n[1] * pair.moving.to->position[1] + n[2] * pair.moving.to->position[2];
}

/* The place of the contact, m, and what the corners' masses give way by, 1/kg. */
static float place_of(const piola_world *w, const struct face_contact *c, float at[3])
{
    float give = 0;
    at[0] = at[1] = at[2] = 0;
    for (int i = 0; i < 3; ++i) {
        const struct pk_quad *x = &world_position(w)[c->particle[i]];
        at[0] += c->weight[i] * x->x;
        at[1] += c->weight[i] * x->y;
        at[2] += c->weight[i] * x->z;
        give += c->weight[i] * c->weight[i] * x->w;
    }
    return give;
}

void face_place(const piola_world *world, const struct face_contact *contact, float at[3])
{
    (void)place_of(world, contact, at);
}

float face_give(const piola_world *world, const struct face_contact *contact)
{
    float at[3];
    return place_of(world, contact, at);
}

static float along(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A force, or an impulse, that would be `before` were the place not behind the plane or off its
 * anchor: with `slope` of that more, within Coulomb's cone. Returns the slope within the plane. */
static float press(struct pk_plane *p, const float before[3], const float at[3], float slope,
                   float out[3])
{
    const float *n = p->normal;
    const float pushed = along(n, before) - slope * (along(n, at) - p->offset);
    const float normal = pushed > 0 ? pushed : 0;
    const float away[3] = {at[0] - p->anchor[0], at[1] - p->anchor[1], at[2] - p->anchor[2]};
    const float held = along(n, before), off = along(n, away);
    float side[3], size = 0, slid = 0;
    for (int k = 0; k < 3; ++k) {
        const float slide = away[k] - off * n[k];
        side[k] = before[k] - held * n[k] - slope * slide;
        size += side[k] * side[k];
        slid += slide * slide;
    }
    size = sqrtf(size);
    slid = sqrtf(slid);
    p->sticks = normal > 0 && size <= p->friction_static * normal;
    const float share = p->sticks ? 1 : normal > 0 ? p->friction_kinetic * normal / size : 0;
    for (int k = 0; k < 3; ++k)
        out[k] = normal * n[k] + share * side[k];
    if (p->sticks)
        return slope;
    return slope * slid > share * size ? share * size / slid : normal > 0 ? slope : 0;
}

/* ---- descent ---- */

/* Of what holds the corners, which is no more than what holds the body, and of a rigid body that
 * gives way, in a row. */
static float slope_of(const struct step *step, const struct body *body,
                      const struct face_contact *c, float give)
{
    const float inertia = solve_parameters(step, body).inertia;
    const float yield = world_yields(step->world)[c->collider] / inertia;
    if (!(give > 0))
        return 0;
    const float elastic = PENALTY_ELASTIC * c->tied, whole = PENALTY_WHOLE * inertia * c->mass;
    const float slope = (elastic < whole ? elastic : whole) + PENALTY_INERTIA * inertia / give;
    return slope / (1 + slope * yield);
}

/* Adds the quadratic of each free corner to its streams, laid down at its target. */
static void lay_down(const struct step *step, const struct body *body, const struct face_contact *c,
                     const float force[3], float slope, float across)
{
    const piola_world *w = step->world;
    struct pk_quad *external = external_of(w, body);
    const float *n = c->plane.normal;
    for (int i = 0; i < 3 && external; ++i) {
        const uint32_t at = c->particle[i] - body->first;
        const struct pk_quad *x = &world_position(w)[c->particle[i]],
                             *y = &world_target(w)[c->particle[i]];
        if (!(x->w > 0) || !(c->weight[i] > 0))
            continue;
        const float away[3] = {x->x - y->x, x->y - y->y, x->z - y->z};
        const float t = c->weight[i] * across, k = c->weight[i] * slope - t;
        const float off = k * along(n, away);
        struct pk_quad *h = &external[at], *on = h + body->count, *beside = on + body->count;
        h->x -= c->weight[i] * force[0] + t * away[0] + off * n[0];
        h->y -= c->weight[i] * force[1] + t * away[1] + off * n[1];
        h->z -= c->weight[i] * force[2] + t * away[2] + off * n[2];
        on->x += t + k * n[0] * n[0];
        on->y += t + k * n[1] * n[1];
        on->z += t + k * n[2] * n[2];
        beside->x += k * n[1] * n[2];
        beside->y += k * n[0] * n[2];
        beside->z += k * n[0] * n[1];
    }
}

static void push(const struct step *step, const struct body *body, struct face_contact *c)
{
    float at[3], force[3];
    const float give = place_of(step->world, c, at);
    const float slope = slope_of(step, body, c, give);
    const float across = press(&c->plane, c->multiplier, at, slope, force);
    if (along(c->plane.normal, force) > 0)
        lay_down(step, body, c, force, slope, across);
}

/* What the iteration has made of the multiplier. */
static void follow(const struct step *step, const struct body *body, struct face_contact *c)
{
    float at[3], force[3];
    const float slope = slope_of(step, body, c, place_of(step->world, c, at));
    (void)press(&c->plane, c->multiplier, at, slope, force);
    /* A number that is not finite is its body's affair, which is frozen. */
    for (int k = 0; k < 3; ++k) {
        c->plane.force[k] = force[k] - force[k] == 0 ? force[k] : 0;
        c->multiplier[k] += FACE_FOLLOWS * (c->plane.force[k] - c->multiplier[k]);
    }
    c->plane.stiffness = along(c->plane.normal, c->plane.force) > 0 ? slope : 0;
}

/* ---- projections ---- */

static void project(const piola_world *w, struct face_contact *c)
{
    float at[3], impulse[3];
    const float give = place_of(w, c, at);
    if (!(give > 0))
        return;
    (void)press(&c->plane, c->plane.force, at, 1 / give, impulse);
    for (int i = 0; i < 3; ++i) {
        struct pk_quad *x = &world_position(w)[c->particle[i]];
        const float share = c->weight[i] * x->w;
        x->x += share * (impulse[0] - c->plane.force[0]);
        x->y += share * (impulse[1] - c->plane.force[1]);
        x->z += share * (impulse[2] - c->plane.force[2]);
    }
    memcpy(c->plane.force, impulse, sizeof impulse);
}

/* ---- stages ---- */

void each_faces_refresh(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    const uint32_t count = faces_count(w, index);
    if (count == 0 || body_still(body))
        return;
    atomic_fetch_add_explicit(&world_faces_now(w)->pushes, count, memory_order_relaxed);
    if (!world_coupled(w, index))
        external_clear(w, body, body->first, body->count);
    for (uint32_t i = 0; i < count; ++i) {
        struct face_contact *c = &faces_of(w, index)[i];
        lay_plane(step, c);
        if (c->meets && world_descends(&w->desc))
            push(step, body, c);
    }
}

void faces_refresh(struct step *step)
{
    if (faces_any(step->world))
        run_stage(step, STAGE_FACES_REFRESH, 0);
}

void each_faces_keep_out(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    for (uint32_t i = 0; i < faces_count(w, index) && !body_still(body); ++i) {
        struct face_contact *c = &faces_of(w, index)[i];
        if (!c->meets) {
            memset(c->plane.force, 0, sizeof c->plane.force);
            memset(c->multiplier, 0, sizeof c->multiplier);
            c->plane.stiffness = 0;
        } else if (world_descends(&w->desc)) {
            follow(step, body, c);
        } else {
            project(w, c);
        }
    }
}

void faces_keep_out(struct step *step)
{
    if (faces_any(step->world))
        run_stage(step, STAGE_FACES_KEEP_OUT, 0);
}

void faces_sum(const struct step *step, const struct body *body, struct sums *sum)
{
    const piola_world *w = step->world;
    const uint32_t index = (uint32_t)(body - world_bodies(w));
    for (uint32_t i = 0; i < faces_count(w, index); ++i) {
        const struct face_contact *c = &faces_of(w, index)[i];
        float place[3];
        const struct pk_plane plane = face_tied_plane(c);
        face_place(w, c, place);
        const double at[3] = {(double)place[0], (double)place[1], (double)place[2]};
        collide_add_plane(&plane, plane.sticks ? (double)plane.stiffness : 0, at, sum->value);
    }
}
