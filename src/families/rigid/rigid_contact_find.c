/* rigid_contact_find.c - which rigid bodies may meet in a substep, and where.
 *
 * Boxes around all of them, grown by as far as they go, are sorted along the axis along which they
 * are spread most; where two overlap their shapes are compared. A place is watched if it is nearer
 * than twice what both may go, so that nobody gets through anybody: the planes stand before the
 * substep begins. Contacts are in the order of their bodies' slots, whatever order they were found
 * in. Where room ends, those that would be found last are left out and counted.
 */
#include "base/sort.h"
#include "families/collide/collide_block.h"
#include "families/rigid/rigid_contact.h"
#include "families/rigid/rigid_manifold.h"

#define AHEAD  2.0  /* so many times as far as it goes by itself */
#define BESIDE 0.05 /* of its least half width: watched, however slow */
#define RECALL 0.2  /* of the least half width: as far as a place may have moved */
/* m/s, gravity's of two substeps: an approach that is slower is no impact. */
#define RESTING 2.0
/* Of the least half width: an overlap that is left as it is, so that what rests is calm. */
#define REST   1e-3
#define HEALED 0.2 /* of an overlap, in a substep; at most as fast as TOUCH_LET_OUT */

static bool takes_part(const piola_world *w, uint32_t slot)
{
    const struct collider *c = &world_colliders(w)[slot];
    return rigid_is(w, slot) && (c->flags & (COLLIDER_ALIVE | COLLIDER_SENSOR)) == COLLIDER_ALIVE;
}

static void pose_of(const struct step *step, uint32_t slot, double place[3], double turn[9])
{
    const piola_world *w = step->world;
    const struct rigid_now *now = &world_rigid_now(w)[slot];
    const struct pose *pose = &world_poses(w)[(size_t)step->substep * collider_end(w) + slot];
    if (!now->held) {
        memcpy(place, now->begin, sizeof now->begin);
        rigid_rotation(now->turned, turn);
        return;
    }
    for (int k = 0; k < 9; ++k)
        turn[k] = (double)pose->rotation[k];
    for (int k = 0; k < 3; ++k)
        place[k] = (double)pose->position[k];
}

/* What a command carries goes as its poses say. */
static void carried(const struct step *step, uint32_t slot, double v[6])
{
    const piola_world *w = step->world;
    const struct pose *from = &world_poses(w)[(size_t)step->substep * collider_end(w) + slot];
    const struct pose *to = from + collider_end(w);
    const double rate = 1 / (double)step->dt;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        double turned = 0;
        for (int c = 0; c < 3; ++c)
            turned += (double)to->rotation[3 * j + c] * (double)from->rotation[3 * i + c] -
                      (double)to->rotation[3 * i + c] * (double)from->rotation[3 * j + c];
        v[k] = rate * ((double)to->position[k] - (double)from->position[k]);
        v[3 + k] = 0.5 * rate * turned;
    }
}

static bool solid_of(const struct step *step, uint32_t slot, struct manifold_solid *solid)
{
    const struct form form = world_form(step->world, &world_colliders(step->world)[slot]);
    double place[3], turn[9];
    pose_of(step, slot, place, turn);
    return manifold_solid_of(&form, place, turn, solid);
}

/* Its box, and how it goes by itself; false where it meets nobody. */
static bool reach_of(const struct step *step, uint32_t slot)
{
    const piola_world *w = step->world;
    struct rigid_stack *stack = &world_rigid_stacks(w)[slot];
    struct rigid_reach *reach = &world_rigid_reaches(w)[slot];
    struct manifold_solid solid;
    memset(stack, 0, sizeof *stack);
    if (!takes_part(w, slot) || !solid_of(step, slot, &solid))
        return false;
    if (world_rigid_now(w)[slot].held)
        carried(step, slot, stack->v);
    else
        memcpy(stack->v, world_rigid_now(w)[slot].velocity, sizeof stack->v);
    const double ball = manifold_ball(&solid);
    const double way = (double)step->dt * (sqrt(dot3(stack->v, stack->v)) +
                                           ball * sqrt(dot3(stack->v + 3, stack->v + 3)));
    reach->way = (float)(AHEAD * way);
    reach->slack = (float)(BESIDE * manifold_thin(&solid));
    for (int k = 0; k < 3; ++k) {
        double half = solid.round + (double)reach->way + (double)reach->slack;
        for (int j = 0; j < 3; ++j)
            half += fabs(solid.turn[3 * k + j]) * solid.half[j];
        half *= 1.0001;
        reach->low[k] = (float)(solid.place[k] - half);
        reach->high[k] = (float)(solid.place[k] + half);
    }
    return true;
}

/* Rises with x. */
static uint64_t key_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | UINT32_C(0x80000000);
}

static int widest(const piola_world *w, uint32_t count)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    int best = 0;
    for (uint32_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            const struct rigid_reach *r = &world_rigid_reaches(w)[world_rigid_sweep(w)[i]];
            const float middle = 0.5f * (r->low[k] + r->high[k]);
            low[k] = middle < low[k] ? middle : low[k];
            high[k] = middle > high[k] ? middle : high[k];
        }
    for (int k = 1; k < 3; ++k)
        best = high[k] - low[k] > high[best] - low[best] ? k : best;
    return best;
}

static bool overlap(const struct rigid_reach *a, const struct rigid_reach *b)
{
    bool both = true;
    for (int k = 0; k < 3; ++k)
        both = both && a->low[k] <= b->high[k] && b->low[k] <= a->high[k];
    return both;
}

static bool may_meet(const piola_world *w, uint32_t one, uint32_t two)
{
    return (rigid_moves(w, one) || rigid_moves(w, two)) && !rigid_tied_of(w, one) &&
           !rigid_tied_of(w, two) &&
           filters_meet(solid_filter(w, &world_colliders(w)[one]),
                        solid_filter(w, &world_colliders(w)[two]));
}

/* ---- one contact ---- */

static void across(const double n[3], double direction[3][3])
{
    const int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0
                      : fabs(n[1]) <= fabs(n[2])                           ? 1
                                                                           : 2;
    double axis[3] = {0, 0, 0};
    axis[least] = 1;
    memcpy(direction[0], n, sizeof direction[0]);
    cross3(n, axis, direction[1]);
    const double size = sqrt(dot3(direction[1], direction[1]));
    for (int k = 0; k < 3; ++k)
        direction[1][k] /= size;
    cross3(n, direction[1], direction[2]);
}

static void speed_of(const struct step *step, uint32_t slot, double v[6])
{
    const piola_world *w = step->world;
    const struct rigid *r = &world_rigids(w)[slot];
    const struct rigid_now *now = &world_rigid_now(w)[slot];
    if (now->held) {
        memcpy(v, world_rigid_stacks(w)[slot].v, 6 * sizeof *v);
        return;
    }
    memcpy(v, r->velocity, sizeof r->velocity);
    rigid_spin(r, now->turned, r->momentum, v + 3);
}

/* How fast the first leaves the second there, along the normal. */
static double leaving(const struct rigid_contact_point *p, const double one[6], const double two[6])
{
    double a[3], b[3];
    spatial_at(one, p->arm[0], a);
    spatial_at(two, p->arm[1], b);
    return dot3(p->direction[0], a) - dot3(p->direction[0], b);
}

/* m/s, of an overlap. */
static double healing(double gap, double rest, double dt)
{
    const double speed = gap + rest < 0 ? -HEALED * (gap + rest) / dt : 0;
    return speed < (double)TOUCH_LET_OUT ? speed : (double)TOUCH_LET_OUT;
}

static double rest_of(const piola_world *w, uint32_t slot)
{
    return (REST / BESIDE) * (double)world_rigid_reaches(w)[slot].slack;
}

static void set_speeds(const struct step *step, const struct rigid_contact *c,
                       struct rigid_contact_point *p)
{
    const piola_world *w = step->world;
    const double dt = (double)step->dt;
    const float *e[2] = {&world_colliders(w)[c->one].shape.restitution,
                         &world_colliders(w)[c->two].shape.restitution};
    const double *pull[2] = {world_rigid_now(w)[c->one].pulled, world_rigid_now(w)[c->two].pulled};
    const double bounce = (double)(*e[0] > *e[1] ? *e[0] : *e[1]);
    const double a = rest_of(w, c->one), b = rest_of(w, c->two);
    double was[2][6];
    p->least = p->gap >= 0 ? -p->gap / dt : healing(p->gap, a < b ? a : b, dt);
    p->rebound = p->least;
    speed_of(step, c->one, was[0]);
    speed_of(step, c->two, was[1]);
    const double before = leaving(p, was[0], was[1]);
    const double slow = sqrt(dot3(pull[0], pull[0])) + sqrt(dot3(pull[1], pull[1]));
    if (bounce > 0 && before < -RESTING * slow && p->gap + dt * before < 0 &&
        -bounce * before > p->least)
        p->rebound = -bounce * before;
}

static void set_point(const struct step *step, const struct rigid_contact *c,
                      const struct manifold_solid solid[2], const struct manifold_point *from,
                      struct rigid_contact_point *p)
{
    memset(p, 0, sizeof *p);
    across(from->normal, p->direction);
    p->gap = from->gap;
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 3; ++k)
            p->arm[side][k] = from->at[k] - solid[side].place[k];
    set_speeds(step, c, p);
}

/* A pair whose boxes overlap. */
static void meet(const struct step *step, uint32_t one, uint32_t two)
{
    piola_world *w = step->world;
    struct rigid_contacts *all = world_rigid_contacts_now(w);
    const struct rigid_reach *a = &world_rigid_reaches(w)[one], *b = &world_rigid_reaches(w)[two];
    struct manifold_solid solid[2];
    struct manifold m;
    float friction[2];
    if (!may_meet(w, one, two) || !solid_of(step, one, &solid[0]) ||
        !solid_of(step, two, &solid[1]))
        return;
    manifold_find(&solid[0], &solid[1],
                  (double)a->way + (double)b->way + (double)a->slack + (double)b->slack, &m);
    if (m.count == 0)
        return;
    if (all->pairs == w->dim[DIM_rigid_contacts].capacity) {
        ++all->dropped;
        return;
    }
    struct rigid_contact *c = &world_rigid_contacts(w)[all->pairs++];
    *c = (struct rigid_contact){.one = one, .two = two, .count = m.count};
    friction_between(solid_friction(&world_colliders(w)[one]),
                     solid_friction(&world_colliders(w)[two]), w->desc.contact_friction, friction);
    c->friction[0] = (double)friction[0];
    c->friction[1] = (double)friction[1];
    for (uint32_t i = 0; i < m.count; ++i)
        set_point(step, c, solid, &m.point[i], &c->point[i]);
    for (int side = 0; side < 2; ++side)
        ++world_rigid_stacks(w)[side ? two : one].contacts;
}

static void find_pairs(const struct step *step)
{
    const piola_world *w = step->world;
    const uint32_t slots = rigid_end(w), room = (uint32_t)w->dim[DIM_rigid_stacks].capacity;
    uint32_t *items = world_rigid_sweep(w), count = 0;
    uint64_t *keys = world_rigid_sweep_keys(w);
    for (uint32_t i = 0; i < slots; ++i)
        if (reach_of(step, i))
            items[count++] = i;
    const int axis = widest(w, count);
    for (uint32_t i = 0; i < count; ++i)
        keys[i] = key_of(world_rigid_reaches(w)[items[i]].low[axis]);
    sort_keys(keys, items, keys + room, items + room, count);
    for (uint32_t i = 0; i < count; ++i) {
        const struct rigid_reach *reach = &world_rigid_reaches(w)[items[i]];
        const uint64_t end = key_of(reach->high[axis]);
        for (uint32_t j = i + 1; j < count && keys[j] <= end; ++j)
            if (overlap(reach, &world_rigid_reaches(w)[items[j]]))
                meet(step, items[i] < items[j] ? items[i] : items[j],
                     items[i] < items[j] ? items[j] : items[i]);
    }
}

void rigid_contacts_find(const struct step *step)
{
    piola_world *w = step->world;
    struct rigid_contacts *all = world_rigid_contacts_now(w);
    if (!rigid_contacts_on(w))
        return;
    *all = (struct rigid_contacts){.dropped = step->substep == 0 ? 0 : all->dropped};
    find_pairs(step);
    w->dim[DIM_rigid_contacts].dropped += all->dropped > 0;
    dimension_use(w, DIM_rigid_contacts, all->pairs);
}

static void add_ground(const piola_world *w, uint32_t slot, uint32_t which, double dt)
{
    const struct rigid_point *from = &world_rigid_now(w)[slot].point[which];
    const uint32_t part = which / RIGID_CONTACT_POINTS;
    struct rigid_contact *c =
        &world_rigid_contacts(w)[w->dim[DIM_rigid_contacts].capacity + RIGID_GROUNDS * slot + part];
    struct rigid_contact_point *p = &c->point[which % RIGID_CONTACT_POINTS];
    const double along = dot3(from->normal, from->carried);
    memset(p, 0, sizeof *p);
    across(from->normal, p->direction);
    memcpy(p->arm[0], from->arm, sizeof p->arm[0]);
    memcpy(p->carried, from->carried, sizeof p->carried);
    p->from = which;
    p->least = from->least - along;
    p->rebound = from->rebound - along;
    p->gap = -dt * p->least;
    if (p->gap < 0)
        p->least = healing(p->gap, rest_of(w, slot), dt);
    p->rebound = from->rebound > from->least && p->rebound > p->least ? p->rebound : p->least;
    c->one = slot;
    c->two = RIGID_GROUND + part;
    c->count = which % RIGID_CONTACT_POINTS + 1;
    c->friction[0] = from->friction_static;
    c->friction[1] = from->friction_kinetic;
}

void rigid_contact_ground(const struct step *step, uint32_t slot)
{
    const piola_world *w = step->world;
    for (uint32_t i = 0; i < RIGID_GROUNDS; ++i)
        world_rigid_contacts(w)[w->dim[DIM_rigid_contacts].capacity + RIGID_GROUNDS * slot + i]
            .count = 0;
    for (uint32_t i = 0; i < world_rigid_now(w)[slot].points; ++i)
        add_ground(w, slot, i, (double)step->dt);
}

static uint32_t list(const piola_world *w)
{
    const uint32_t pairs = world_rigid_contacts_now(w)->pairs;
    const uint32_t grounds = (uint32_t)w->dim[DIM_rigid_contacts].capacity;
    uint32_t *items = world_rigid_order(w), count = 0;
    for (uint32_t i = 0; i < pairs; ++i)
        items[count++] = i;
    for (uint32_t s = 0; s < rigid_end(w); ++s)
        for (uint32_t i = 0; i < RIGID_GROUNDS && world_rigid_stacks(w)[s].contacts > 0; ++i)
            if (rigid_moves(w, s) && world_rigid_contacts(w)[grounds + RIGID_GROUNDS * s + i].count)
                items[count++] = grounds + RIGID_GROUNDS * s + i;
    return count;
}

/* By their bodies, with what pressed there before. */
void rigid_contacts_order(const piola_world *w)
{
    struct rigid_contacts *all = world_rigid_contacts_now(w);
    const uint32_t room = (uint32_t)w->dim[DIM_rigid_presses].capacity;
    uint64_t *keys = world_rigid_order_keys(w);
    uint32_t *items = world_rigid_order(w), from = 0;
    if (!rigid_contacts_on(w) || all->pairs == 0)
        return;
    all->count = list(w);
    all->fresh = 1;
    for (uint32_t i = 0; i < all->count; ++i)
        keys[i] = (uint64_t)rigid_contact_at(w, i)->one << 32 | rigid_contact_at(w, i)->two;
    sort_keys(keys, items, keys + room, items + room, all->count);
    for (uint32_t i = 0; i < all->count; ++i) {
        struct rigid_contact *c = rigid_contact_at(w, i);
        const double a = rest_of(w, c->one), b = c->two < RIGID_GROUND ? rest_of(w, c->two) : a;
        rigid_presses_recall(w, c, (RECALL / REST) * (a < b ? a : b), &from);
    }
}
