/* sleep_near.c - see sleep_near.h.
 *
 * First boxes, in their order along the axis along which they are spread most; then, where a box of
 * something that moves overlaps one of something that sleeps, the parts of both that lie in the
 * other's box: in a large body's box there is much room.
 */
#include "sleep/sleep_near.h"

#include "base/sort.h"
#include "families/collide/collide_block.h"
#include "shapes/shapes.h"
#include "world/family.h"

#include <math.h>

/* ---- boxes --------------------------------------------------------------------------------- */

/* m, around the origin of its frame: all of the shape, wherever it turns. */
static float reach_of(const piola_world *w, const struct collider *c)
{
    const struct collider_shape *s = &c->shape;
    const struct form form = world_form(w, c);
    const piola_shape_stats *has = form.compiled ? &form.compiled->stats : NULL;
    float square = 0;
    for (int k = 0; k < 3; ++k) {
        const float low = has ? fabsf(has->low[k]) : 0, high = has ? fabsf(has->high[k]) : 0;
        const float half = !has ? s->size[k] : low > high ? low : high;
        square += half * half;
    }
    if (!has && (s->kind == PIOLA_SHAPE_PLANE || s->kind == PIOLA_SHAPE_WALL))
        return INFINITY;
    if (s->kind == PIOLA_SHAPE_SPHERE)
        return s->radius + s->margin;
    if (s->kind == PIOLA_SHAPE_CAPSULE)
        return s->size[1] + s->radius + s->margin;
    return sqrtf(square) + s->radius + s->margin;
}

static const struct pose *pose_at(const struct rest_time *t, uint32_t at, uint32_t slot)
{
    const piola_world *w = t->step->world;
    return &world_poses(w)[(size_t)at * collider_end(w) + slot];
}

bool rest_solid_moves(const struct rest_time *t, uint32_t slot)
{
    const piola_world *w = t->step->world;
    const struct collider *c = &world_colliders(w)[slot];
    if ((c->flags & (COLLIDER_ALIVE | COLLIDER_SENSOR)) != COLLIDER_ALIVE)
        return false;
    if (rigid_is(w, slot) && !(c->flags & (COLLIDER_GOES | COLLIDER_TURNS)))
        return !solid_asleep(w, slot);
    return !same_bytes(pose_at(t, t->from, slot), pose_at(t, t->to, slot), sizeof(struct pose));
}

void rest_boxes_of_solids(const struct rest_time *t)
{
    const piola_world *w = t->step->world;
    for (uint32_t i = 0; i < collider_end(w); ++i) {
        struct pk_swept_box *box = &world_rest_boxes(w)[solid_node(w, i)];
        const struct collider *c = &world_colliders(w)[i];
        const float reach = c->flags & COLLIDER_ALIVE ? reach_of(w, c) + rest_margin(w) : 0;
        for (int k = 0; k < 3; ++k) {
            const float a = pose_at(t, t->from, i)->position[k];
            const float b = pose_at(t, t->to, i)->position[k];
            box->low[k] = (a < b ? a : b) - reach;
            box->high[k] = (a < b ? b : a) + reach;
        }
    }
}

/* ---- pairs --------------------------------------------------------------------------------- */

/* m, of a body's surface. */
static float longest_edge(const piola_world *w, uint32_t index)
{
    const struct body *body = &world_bodies(w)[index];
    const piola_asset *asset = body_asset(w, body);
    const uint32_t *vertex = asset_surface(asset), *particle = asset_particle_of_vertex(asset);
    float longest = 0;
    for (uint64_t f = 0; f < asset->stats.surface_triangles; ++f)
        for (uint64_t k = 0; k < 3; ++k) {
            const uint32_t u = vertex[3 * f + k], v = vertex[3 * f + (k + 1) % 3];
            const struct pk_quad *a = &world_position(w)[body->first + particle[u]];
            const struct pk_quad *b = &world_position(w)[body->first + particle[v]];
            const float x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
            const float square = x * x + y * y + z * z;
            longest = square > longest ? square : longest;
        }
    return sqrtf(longest);
}

/* The box around those vertices of a body, as they go for dt, that lie in a box grown by `wider`.
 * What reaches into the box itself is between such vertices, when edges are no longer than that. */
static bool clip(const piola_world *w, uint32_t index, float dt, const struct pk_swept_box *in,
                 float wider, struct pk_swept_box *out)
{
    const struct body *body = &world_bodies(w)[index];
    const piola_asset *asset = body_asset(w, body);
    const uint32_t *particle = asset_particle_of_vertex(asset);
    const float margin = 0.5f * rest_margin(w);
    bool any = false;
    for (uint32_t v = 0; v < asset->stats.vertices; ++v) {
        const struct pk_quad *p = &world_position(w)[body->first + particle[v]];
        const struct pk_quad *u = &world_velocity(w)[body->first + particle[v]];
        const float x[3] = {p->x, p->y, p->z};
        const float way[3] = {dt * u->x, dt * u->y, dt * u->z};
        struct pk_swept_box box;
        bool apart = false;
        for (int k = 0; k < 3; ++k) {
            box.low[k] = (way[k] < 0 ? x[k] + way[k] : x[k]) - margin;
            box.high[k] = (way[k] > 0 ? x[k] + way[k] : x[k]) + margin;
            apart = apart || box.low[k] > in->high[k] + wider || box.high[k] < in->low[k] - wider;
        }
        for (int k = 0; k < 3 && !apart; ++k) {
            out->low[k] = any && out->low[k] < box.low[k] ? out->low[k] : box.low[k];
            out->high[k] = any && out->high[k] > box.high[k] ? out->high[k] : box.high[k];
        }
        any = any || !apart;
    }
    return any;
}

/* The lower number first: bodies come before solids. */
static bool may_meet(const piola_world *w, uint32_t one, uint32_t other)
{
    const uint32_t bodies = w->desc.max_bodies;
    const struct body *a = &world_bodies(w)[one], *b = &world_bodies(w)[other];
    if (one >= bodies)
        return rigid_is(w, one - bodies) || rigid_is(w, other - bodies);
    if (other >= bodies)
        return collide_meets(w, &world_colliders(w)[other - bodies], a);
    return w->desc.max_contacts > 0 && body_asset(w, a)->stats.surface_triangles > 0 &&
           body_asset(w, b)->stats.surface_triangles > 0 &&
           filters_meet(body_filter(w, a), body_filter(w, b));
}

static bool bodies_near(const struct rest_time *t, uint32_t one, uint32_t other)
{
    const piola_world *w = t->step->world;
    struct pk_swept_box part, rest;
    return clip(w, one, t->dt, &world_rest_boxes(w)[other], longest_edge(w, one), &part) &&
           clip(w, other, t->dt, &part, longest_edge(w, other), &rest);
}

static bool solid_near(const struct rest_time *t, uint32_t slot, uint32_t body)
{
    const piola_world *w = t->step->world;
    const struct collider *c = &world_colliders(w)[slot];
    const struct collide_moving m = {c, pose_at(t, t->from, slot), pose_at(t, t->to, slot),
                                     world_form(w, c)};
    return collide_approaches(w, &m, &world_bodies(w)[body], t->dt);
}

/* Of two colliders or rigid bodies boxes say all. */
static bool near(const struct rest_time *t, uint32_t one, uint32_t other)
{
    const uint32_t bodies = t->step->world->desc.max_bodies;
    if (other < bodies)
        return bodies_near(t, one, other);
    return one >= bodies || solid_near(t, other - bodies, one);
}

/* ---- all of them --------------------------------------------------------------------------- */

/* Rises with x. */
static uint64_t key_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | UINT32_C(0x80000000);
}

/* The axis along which the middles of the listed boxes are farthest apart. */
static int widest(const piola_world *w, const uint32_t *items, uint32_t count)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    int best = 0;
    for (uint32_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            const struct pk_swept_box *box = &world_rest_boxes(w)[items[i]];
            const float middle = 0.5f * (box->low[k] + box->high[k]);
            low[k] = middle < low[k] ? middle : low[k];
            high[k] = middle > high[k] ? middle : high[k];
        }
    for (int k = 1; k < 3; ++k)
        best = high[k] - low[k] > high[best] - low[best] ? k : best;
    return best;
}

/* Two whose boxes overlap; true when that joined them. */
typedef bool meet(const struct rest_time *t, uint32_t one, uint32_t other);

static bool join_each(const struct rest_time *t, uint32_t least, meet *use)
{
    const piola_world *w = t->step->world;
    const uint32_t nodes = (uint32_t)w->dim[DIM_rests].capacity;
    uint32_t *items = world_rest_items(w), count = 0;
    uint64_t *keys = world_rest_keys(w);
    bool any = false;
    for (uint32_t i = 0; i < nodes; ++i)
        if (world_rest_marks(w)[i] != REST_NONE && world_rest_marks(w)[i] <= least)
            items[count++] = i;
    const int axis = widest(w, items, count);
    for (uint32_t i = 0; i < count; ++i)
        keys[i] = key_of(world_rest_boxes(w)[items[i]].low[axis]);
    sort_keys(keys, items, keys + nodes, items + nodes, count);
    for (uint32_t i = 0; i < count; ++i) {
        const struct pk_swept_box *box = &world_rest_boxes(w)[items[i]];
        for (uint32_t j = i + 1; j < count && keys[j] <= key_of(box->high[axis]); ++j)
            if (boxes_overlap(box, &world_rest_boxes(w)[items[j]]))
                any |=
                    items[i] < items[j] ? use(t, items[i], items[j]) : use(t, items[j], items[i]);
    }
    return any;
}

/* One that moves, one that sleeps: unless they are joined already. */
static bool meet_one(const struct rest_time *t, uint32_t one, uint32_t other)
{
    const piola_world *w = t->step->world;
    const struct islands all = islands_of(w);
    if (world_rest_marks(w)[one] == world_rest_marks(w)[other] ||
        islands_root(all, one) == islands_root(all, other) || !may_meet(w, one, other) ||
        !near(t, one, other))
        return false;
    islands_join(all, one, other);
    return true;
}

bool rest_join_near(const struct rest_time *t)
{
    return join_each(t, REST_MOVES, meet_one);
}

static bool meet_all(const struct rest_time *t, uint32_t one, uint32_t other)
{
    const piola_world *w = t->step->world;
    if (may_meet(w, one, other))
        islands_join(islands_of(w), one, other);
    return true;
}

void rest_join_sleepers(const struct rest_time *t)
{
    (void)join_each(t, REST_SLEEPS, meet_all);
}

void rest_join_tied(const piola_world *w)
{
    if (family_attachments.acts(w))
        family_attachments.link(w, islands_of(w));
    if (family_joints.acts(w))
        family_joints.link(w, islands_of(w));
}
