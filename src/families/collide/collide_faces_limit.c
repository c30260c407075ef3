/* collide_faces_limit.c - after the iterations: no edge and no face ends in a collider, nor has
 * passed one. See collide_faces.h.
 *
 * Vertices have been put outside. A triangle whose way is not free is moved out along the direction
 * in which it meets the core: first the place that meets it, then each corner that is behind; then
 * its corners go only as far as the way is free, and then as the collider carries them. Between
 * colliders that part, what one carries is moved out of the other's way, corner by corner. What one
 * triangle's corners do may unsettle its neighbours, so all are looked at again until all are free.
 */
#include "families/collide/collide_faces.h"

#include <string.h>

#define PLACES  6  /* rounds in which the place that meets is moved out */
#define RAISES  10 /* ... up to which corners are; then they go less */
#define PARTS   14 /* ... up to which they go as far as is free; then not at all */
#define CARRIED 18 /* ... after which corners are moved out again */

struct limiting {
    const struct step *step;
    const struct body *body;
    uint32_t round, contact; /* the next one, in the order in which pairs are looked at */
    bool moved;
};

/* Planes have no edges, so no pair: a corner is kept off them here. */
static void keep_off_planes(const struct step *step, const struct body *body, float x[3])
{
    const piola_world *w = step->world;
    for (uint32_t i = 0; i < collider_end(w); ++i) {
        const struct collide_moving m = collide_moving_of(w, i, step->substep);
        float local[3];
        if (m.collider->shape.kind != PIOLA_SHAPE_PLANE || !collide_meets(w, m.collider, body))
            continue;
        pose_in(m.to, x, local);
        local[1] = local[1] < m.collider->shape.margin ? m.collider->shape.margin : local[1];
        pose_out(m.to, local, x);
    }
}

/* How far the place, and each corner, is behind the plane, m. */
static double behind(const struct face_pair *p, const struct face_meeting *meeting,
                     double corner[3])
{
    double place = 0;
    for (int i = 0; i < 3; ++i) {
        corner[i] = meeting->offset - shape_dot(meeting->normal, p->to[i]);
        place += meeting->weight[i] * corner[i];
    }
    return place;
}

/* Where corners go in this round, in the collider's frame. */
static void mend(const struct limiting *l, const struct face_pair *p,
                 const struct face_meeting *meeting, double part, double to[3][3])
{
    double corner[3], square = 0;
    const double place = behind(p, meeting, corner);
    for (int i = 0; i < 3; ++i)
        if (world_position(l->step->world)[p->particle[i]].w > 0)
            square += meeting->weight[i] * meeting->weight[i];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            const double n = meeting->normal[k], way = p->to[i][k] - p->from[i][k];
            if (l->round < PLACES && place > 0 && square > 0)
                to[i][k] = p->to[i][k] + n * meeting->weight[i] * place / square;
            else if (l->round < RAISES || l->round >= CARRIED)
                to[i][k] = p->to[i][k] + (corner[i] > 0 ? n * corner[i] : 0);
            else
                to[i][k] = p->from[i][k] + (l->round < PARTS ? 0.99 * part * way : 0);
        }
}

/* What moves a place out has pushed the body: the contact takes it over, so that it is told, and
 * next time the iterations know of it. */
static void take_over(struct limiting *l, const struct face_pair *p, const float impulse[3])
{
    const struct step *step = l->step;
    const piola_world *w = step->world;
    const uint32_t index = (uint32_t)(l->body - world_bodies(w)), count = faces_count(w, index);
    const bool descends = world_descends(&w->desc);
    const float unit = descends ? solve_parameters(step, l->body).inertia : 1;
    struct face_contact *c = faces_of(w, index);
    const struct face_key key = {p->triangle, p->collider, p->facet};
    while (l->contact < count && face_order(face_key_of(&c[l->contact]), key) < 0)
        ++l->contact;
    c += l->contact;
    if (l->contact == count || face_order(face_key_of(c), key) != 0)
        return;
    for (int k = 0; k < 3; ++k) {
        c->plane.force[k] += unit * impulse[k];
        if (descends)
            c->multiplier[k] += FACE_FOLLOWS * unit * impulse[k];
    }
}

/* What was free stays so until a corner is moved: in this round, or in the one before. */
static bool unsettled(void *context, const uint32_t particle[3])
{
    const struct limiting *l = context;
    const uint32_t *stamps = world_face_stamps(l->step->world);
    return l->round == 0 || stamps[particle[0]] >= l->round || stamps[particle[1]] >= l->round ||
           stamps[particle[2]] >= l->round;
}

static void limit_pair(void *context, const struct face_pair *p)
{
    struct limiting *l = context;
    const piola_world *w = l->step->world;
    struct face_meeting meeting;
    double to[3][3];
    float impulse[3] = {0, 0, 0};
    const double part = face_free(p, l->round < PARTS, &meeting);
    if (part >= 1 || face_begins_inside(p))
        return;
    l->moved = true;
    mend(l, p, &meeting, part, to);
    for (int i = 0; i < 3; ++i) {
        struct pk_quad *x = &world_position(w)[p->particle[i]];
        float local[3], at[3];
        if (!(x->w > 0) || same_bytes(to[i], p->to[i], sizeof to[i]))
            continue;
        for (int k = 0; k < 3; ++k)
            local[k] = (float)to[i][k];
        pose_out(p->moving.to, local, at);
        keep_off_planes(l->step, l->body, at);
        impulse[0] += (at[0] - x->x) / x->w;
        impulse[1] += (at[1] - x->y) / x->w;
        impulse[2] += (at[2] - x->z) / x->w;
        quad_write(x, at);
        world_face_stamps(w)[p->particle[i]] = l->round + 1;
    }
    if (l->round < PLACES)
        take_over(l, p, impulse);
}

/* Corrections (kg m) of the projection solvers become forces (N); descent keeps what presses. */
static void keep_presses(const struct step *step, const struct body *body, struct face_room *room)
{
    const piola_world *w = step->world;
    const float inertia = solve_parameters(step, body).inertia;
    const bool descends = world_descends(&w->desc);
    room->held = 0;
    for (uint32_t i = 0; i < room->count; ++i) {
        struct face_contact *c = &world_face_contacts(w)[room->first + i];
        float *f = c->plane.force;
        for (int k = 0; k < 3; ++k) {
            f[k] *= descends ? 1 : inertia;
            /* A number that is not finite is its body's affair, which is frozen. */
            f[k] = f[k] - f[k] == 0 ? f[k] : 0;
        }
        if (!descends || !face_presses(c))
            continue;
        world_face_holds(w)[room->first + room->held++] =
            (struct face_hold){c->triangle,
                               c->collider,
                               c->facet,
                               {c->multiplier[0], c->multiplier[1], c->multiplier[2]}};
    }
}

void each_faces_limit(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    struct limiting l = {step, body, 0, 0, true};
    bool any = false;
    world_face_rooms(w)[index].cut = 0;
    if (body_frozen(body))
        world_face_rooms(w)[index].held = 0;
    if (body_still(body)) /* who sleeps presses as it did */
        return;
    const struct face_quest quest = {world_position(w), 1, unsettled, limit_pair, &l};
    memset(world_face_stamps(w) + body->first, 0, body->count * sizeof(uint32_t));
    for (; l.round < FACES_ROUNDS && l.moved; ++l.round) {
        l.moved = false;
        l.contact = 0;
        if (!faces_each_near(step, body, &quest))
            world_face_rooms(w)[index].cut = 1;
        any = any || l.moved;
    }
    keep_presses(step, body, &world_face_rooms(w)[index]);
    if (any)
        collide_note(w, index, TOUCHED);
}

void faces_limit(struct step *step)
{
    if (faces_any(step->world))
        run_stage(step, STAGE_FACES_LIMIT, 0);
}
