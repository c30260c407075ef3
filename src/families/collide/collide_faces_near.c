/* collide_faces_near.c - which triangles of a body are near which colliders, where they meet, and
 * how far a way is free. See collide_faces.h.
 *
 * Faces are looked at in blocks of 64, as they come in the mesh: a ball around a block is held
 * against balls around the colliders, then each triangle's own ball against the shape's distance.
 */
#include "families/collide/collide_faces.h"

#include <string.h>

#define ROUNDS 24
#define CREEP  1e-3 /* who gets on by less each time does not arrive */

/* ---- near ---- */

/* A body's triangles, and the places that they begin at and go to. */
struct faces {
    const piola_world *world;
    const struct body *body;
    const uint32_t *surface, *particle_of;
    const struct pk_quad *start, *to;
    uint32_t count;
};

static struct faces surface_of(const piola_world *w, const struct body *body,
                               const struct pk_quad *to)
{
    const piola_asset *asset = body_asset(w, body);
    return (struct faces){.world = w,
                          .body = body,
                          .surface = asset_surface(asset),
                          .particle_of = asset_particle_of_vertex(asset),
                          .start = world_start(w),
                          .to = to,
                          .count = asset->stats.surface_triangles};
}

/* Of the body's particles. */
static uint32_t corner_of(const struct faces *f, uint32_t triangle, uint32_t corner)
{
    return f->particle_of[f->surface[3 * (size_t)triangle + corner]];
}

static struct collide_block block_of(const struct faces *f, const uint32_t *particle,
                                     uint32_t count)
{
    const uint32_t first = f->body->first;
    return collide_block_among(f->start + first, f->to + first, particle, count);
}

void face_pair_at(const struct step *step, const struct pk_quad *to, struct face_pair *p)
{
    p->way = 0;
    p->tolerance = 0;
    for (int i = 0; i < 3; ++i) {
        float start[3], end[3], a[3], b[3];
        quad_read(&world_start(step->world)[p->particle[i]], start);
        quad_read(&to[p->particle[i]], end);
        pose_in(p->moving.from, start, a);
        pose_in(p->moving.to, end, b);
        const float way = collide_distance(a, b), tolerance = collide_tolerance(a);
        p->way = way > p->way ? way : p->way;
        p->tolerance = tolerance > p->tolerance ? tolerance : p->tolerance;
        for (int k = 0; k < 3; ++k) {
            p->from[i][k] = (double)a[k];
            p->to[i][k] = (double)b[k];
        }
    }
    /* What is around the triangles must not be lost in it: behind it sides are not told apart. */
    const bool facets = shape_has_triangles(p->moving.collider->shape.kind);
    const float eighth = facets ? 0.125f * shape_triangle_round(&p->moving.form) : p->tolerance;
    p->tolerance = eighth < p->tolerance ? eighth : p->tolerance;
}

/* Of a pair's triangle and its way. */
static void box_around(const struct face_pair *p, double low[3], double high[3])
{
    double x[6][3];
    memcpy(x, p->from, sizeof p->from);
    memcpy(x + 3, p->to, sizeof p->to);
    shape_box_of((const double(*)[3])x, 6, low, high);
}

static double lowest_of(const struct face_pair *p)
{
    double low[3], high[3];
    box_around(p, low, high);
    return low[1];
}

void face_core_of(struct face_pair *pair)
{
    struct shape_triangle triangle;
    if (shape_core_of(&pair->moving.form, &pair->core))
        return;
    shape_tree_triangle(pair->moving.form.compiled, pair->facet, lowest_of(pair), &triangle);
    shape_core_of_triangle(&pair->moving.form, &triangle, &pair->core);
}

/* True when the triangle stays above one side of a box: there the nearest place is a corner. */
static bool over_a_side(const struct face_pair *p)
{
    for (int k = 0; k < 3 && p->core.kind == SHAPE_CORE_BOX; ++k) {
        bool over = true;
        const double side = p->from[0][k] > 0 ? 1 : -1;
        for (int i = 0; i < 6 && over; ++i) {
            const double *x = i < 3 ? p->from[i] : p->to[i - 3];
            over = side * x[k] > 0;
            for (int j = 0; j < 3; ++j)
                over = over && (j == k || fabs(x[j]) <= p->core.half[j]);
        }
        if (over)
            return true;
    }
    return false;
}

/* From the surface, m, of the middle of the triangle when the substep begins. */
static float middle_apart(const struct face_pair *p, float middle[3])
{
    for (int k = 0; k < 3; ++k)
        middle[k] = (float)((p->from[0][k] + p->from[1][k] + p->from[2][k]) / 3);
    return shape_distance(&p->moving.form, middle, NULL);
}

/* False when the triangle surely does not come to the shape. */
static bool may_meet(const struct face_pair *p, float factor)
{
    float middle[3], most = 0;
    const float apart = middle_apart(p, middle) - p->moving.collider->shape.margin;
    for (int i = 0; i < 3; ++i) {
        const float at[3] = {(float)p->from[i][0], (float)p->from[i][1], (float)p->from[i][2]};
        const float away = collide_distance(at, middle);
        most = away > most ? away : most;
    }
    /* A broken number is near: it must not hide. */
    return !(apart > 1.0001f * most + factor * p->way + p->tolerance);
}

/* ---- the cores of a shape ---- */

struct facets {
    struct face_pair *pair;
    const struct face_quest *quest;
    double room;    /* m: farther away they do not matter */
    uint64_t *left; /* looks */
};

/* False when none is left. */
static bool may_look(uint64_t *left)
{
    if (*left == 0)
        return false;
    --*left;
    return true;
}

/* True when the triangle stays more than `room` above a facet along a direction of any length. */
static bool parts_along(const struct face_pair *p, const double facet[3][3], const double along[3],
                        double room)
{
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int i = 0; i < 3; ++i) {
        const double a = shape_dot(along, p->from[i]), b = shape_dot(along, p->to[i]);
        const double ab = a < b ? a : b, at = shape_dot(along, facet[i]);
        low = ab < low ? ab : low;
        high = at > high ? at : high;
    }
    const double gap = low - high;
    return gap > 0 && gap * gap > room * room * shape_dot(along, along);
}

/* True when one of a few directions says so: the normals of both, and from one to the other. */
static bool parted(const struct face_pair *p, const double facet[3][3], double room)
{
    const double(*const of[3])[3] = {facet, p->from, p->to};
    double along[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            along[k] += p->from[i][k] + p->to[i][k] - 2 * facet[i][k];
    if (parts_along(p, facet, along, room))
        return true;
    for (int which = 0; which < 3; ++which) {
        double u[3], v[3];
        shape_minus(of[which][1], of[which][0], u);
        shape_minus(of[which][2], of[which][0], v);
        shape_cross(u, v, along);
        if (parts_along(p, facet, along, room))
            return true;
        for (int k = 0; k < 3; ++k)
            along[k] = -along[k];
        if (parts_along(p, facet, along, room))
            return true;
    }
    return false;
}

/* The same of where the triangle begins alone. */
static bool begins_apart(const struct face_pair *p, const double facet[3][3], double room)
{
    struct face_pair begin;
    memcpy(begin.from, p->from, sizeof begin.from);
    memcpy(begin.to, p->from, sizeof begin.to);
    return parted(&begin, facet, room);
}

static bool middle_inside(const struct face_pair *p)
{
    const piola_shape_data *shape = p->moving.form.compiled;
    double middle[3];
    float at[3];
    if (shape->stats.kind == PIOLA_SHAPE_WALL)
        return false;
    if (shape->stats.kind != PIOLA_SHAPE_HEIGHTS)
        return middle_apart(p, at) < -p->tolerance;
    for (int k = 0; k < 3; ++k)
        middle[k] = (p->from[0][k] + p->from[1][k] + p->from[2][k]) / 3;
    return shape_heights_under(shape, middle);
}

bool face_begins_inside(const struct face_pair *p)
{
    if (p->side && !p->side->asked)
        *p->side = (struct face_side){true, middle_inside(p)};
    return p->side && p->side->inside;
}

static void use_facet(void *context, const struct shape_triangle *triangle, uint32_t number)
{
    const struct facets *f = context;
    if (!may_look(f->left) || parted(f->pair, triangle->x, f->room))
        return;
    f->pair->facet = number;
    shape_core_of_triangle(&f->pair->moving.form, triangle, &f->pair->core);
    f->quest->use(f->quest->context, f->pair);
}

/* The facets in the box around the triangle and its way, so far as it may come. */
static void each_facet(struct facets *f)
{
    const struct face_pair *p = f->pair;
    double low[3], high[3];
    f->room = (double)((f->quest->factor - 1) * p->way + 2 * shape_triangle_round(&p->moving.form) +
                       2 * p->tolerance);
    box_around(p, low, high);
    for (int k = 0; k < 3; ++k) {
        low[k] -= f->room;
        high[k] += f->room;
    }
    shape_tree_each(p->moving.form.compiled, low, high, use_facet, f);
}

static void each_core(struct face_pair *pair, const struct face_quest *quest, uint64_t *left)
{
    struct facets f = {.pair = pair, .quest = quest, .left = left};
    struct face_side side = {false, false};
    const bool facets = shape_has_triangles(pair->moving.collider->shape.kind);
    pair->facet = 0;
    pair->side = facets ? &side : NULL;
    if (facets)
        each_facet(&f);
    else if (may_meet(pair, quest->factor) && !over_a_side(pair))
        quest->use(quest->context, pair);
    pair->side = NULL;
}

static struct collide_block block_at(const struct faces *f, uint32_t first, uint32_t count)
{
    uint32_t corner[3 * TOUCH_BLOCK];
    for (uint32_t i = 0; i < 3 * count; ++i)
        corner[i] = corner_of(f, first + i / 3, i % 3);
    return block_of(f, corner, 3 * count);
}

/* A ball around where a triangle begins, m, and its longest way. */
struct ball {
    float centre[3], radius, way;
};

static struct ball ball_of(const struct faces *f, uint32_t triangle)
{
    struct ball b = {{0, 0, 0}, 0, 0};
    float at[3][3];
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t p = f->body->first + corner_of(f, triangle, i);
        float end[3];
        quad_read(&f->start[p], at[i]);
        quad_read(&f->to[p], end);
        const float way = collide_distance(at[i], end);
        b.way = way > b.way ? way : b.way;
        for (int k = 0; k < 3; ++k)
            b.centre[k] += at[i][k] / 3;
    }
    for (int i = 0; i < 3; ++i) {
        const float away = collide_distance(at[i], b.centre);
        b.radius = away > b.radius ? away : b.radius;
    }
    return b;
}

/* At most what shape_distance says; of compiled shapes that of their box, which costs little. */
static float least_distance(const struct form *form, const float p[3])
{
    if (!form->compiled)
        return shape_distance(form, p, NULL);
    const piola_shape_stats *stats = &form->compiled->stats;
    float square = 0;
    for (int k = 0; k < 3; ++k) {
        /* Below a field of heights all is solid. */
        const bool down = k == 1 && stats->kind == PIOLA_SHAPE_HEIGHTS;
        const float low = down ? 0 : stats->low[k] - p[k], high = p[k] - stats->high[k];
        const float away = low > high ? low : high;
        square += away > 0 ? away * away : 0;
    }
    return sqrtf(square);
}

/* False when the triangle surely does not come near the collider, as collide_near. */
static bool ball_near(const struct collide_moving *m, const struct ball *b, float factor)
{
    float from[3], to[3], own = 0;
    pose_in(m->from, b->centre, from);
    if (!same_bytes(m->from, m->to, sizeof *m->from)) {
        pose_in(m->to, b->centre, to);
        own = collide_own_way(m, from, to, b->radius);
    }
    const float away = least_distance(&m->form, from) - m->collider->shape.margin;
    /* A broken number is near: it must not hide. */
    return !(away > 1.001f * b->radius + factor * (b->way + own) + collide_tolerance(from));
}

/* The next collider that could pierce. */
static bool next_piercing(struct collide_round *round)
{
    bool any = collide_next(round);
    while (any && !shape_pierces(round->moving.collider->shape.kind))
        any = collide_next(round);
    return any;
}

/* False when the body as a whole is out of reach of all of them. */
static bool body_near(const struct step *step, const struct faces *f, float factor)
{
    const uint32_t vertices = body_asset(f->world, f->body)->stats.vertices;
    const struct collide_block whole = block_of(f, f->particle_of, vertices);
    struct collide_round round = collide_round_of(f->world, f->body, step->substep, &whole, factor);
    return next_piercing(&round);
}

/* Triangles from `first` on against one collider. */
static void each_of_block(const struct step *step, const struct faces *f,
                          const struct collide_round *round, const struct face_quest *quest,
                          uint32_t first, const struct ball ball[TOUCH_BLOCK], uint64_t wanted,
                          uint64_t *left)
{
    struct face_pair pair = {.collider = round->collider, .moving = round->moving};
    (void)shape_core_of(&round->moving.form, &pair.core);
    for (; wanted != 0; wanted &= wanted - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(wanted);
        bool free = false;
        if (!may_look(left))
            return;
        if (!ball_near(&round->moving, &ball[i], quest->factor))
            continue;
        pair.triangle = first + i;
        for (uint32_t k = 0; k < 3; ++k) {
            pair.particle[k] = f->body->first + corner_of(f, pair.triangle, k);
            free = free || quest->to[pair.particle[k]].w > 0;
        }
        face_pair_at(step, quest->to, &pair);
        if (free)
            each_core(&pair, quest, left);
    }
}

/* A bit for each triangle of a block that matters. */
static uint64_t wanted_of(const struct faces *f, const struct face_quest *quest, uint32_t first,
                          uint32_t count)
{
    uint64_t wanted = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t particle[3];
        for (uint32_t k = 0; k < 3; ++k)
            particle[k] = f->body->first + corner_of(f, first + i, k);
        if (!quest->wants || quest->wants(quest->context, particle))
            wanted |= UINT64_C(1) << i;
    }
    return wanted;
}

/* Where surfaces meet a body may wait, so there is a budget. Who has used up all of it has to. */
static uint64_t looks_of(const struct faces *f)
{
    const uint64_t packs = (f->count + PK_LANES - 1) / PK_LANES;
    if (f->world->desc.max_contacts == 0)
        return UINT64_MAX;
    return packs * f->world->desc.contact_tests * FACES_LOOKS;
}

bool faces_each_near(const struct step *step, const struct body *body,
                     const struct face_quest *quest)
{
    const piola_world *w = step->world;
    const struct faces f = surface_of(w, body, quest->to);
    const uint64_t most = looks_of(&f);
    uint64_t looks = most;
    if (!body_near(step, &f, quest->factor))
        return true;
    for (uint32_t first = 0; first < f.count && looks > 0; first += TOUCH_BLOCK) {
        const uint32_t left = f.count - first, n = left < TOUCH_BLOCK ? left : TOUCH_BLOCK;
        const uint64_t wanted = wanted_of(&f, quest, first, n);
        if (wanted == 0)
            continue;
        const struct collide_block block = block_at(&f, first, n);
        struct collide_round round =
            collide_round_of(w, body, step->substep, &block, quest->factor);
        struct ball ball[TOUCH_BLOCK];
        bool known = false;
        while (next_piercing(&round)) {
            for (uint32_t i = 0; !known && i < n; ++i)
                ball[i] = ball_of(&f, first + i);
            known = true;
            each_of_block(step, &f, &round, quest, first, ball, wanted, &looks);
        }
    }
    atomic_fetch_add_explicit(&world_faces_now(w)->looks, most - looks, memory_order_relaxed);
    return looks > 0;
}

/* ---- meet ---- */

static void places_at(const struct face_pair *p, double done, double x[3][3])
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            x[i][k] = p->from[i][k] + done * (p->to[i][k] - p->from[i][k]);
}

static void meeting_of(const struct shape_near *near, double keep, struct face_meeting *meeting)
{
    memcpy(meeting->weight, near->weight, sizeof meeting->weight);
    memcpy(meeting->normal, near->normal, sizeof meeting->normal);
    meeting->offset = shape_dot(near->normal, near->place) + keep;
}

/* How far the triangle goes before a corner is nearer to the core than `keep` along the direction
 * in which the two are nearest: until then that direction parts them. */
static double until(const struct face_pair *p, const struct shape_near *near, double done,
                    double keep)
{
    double least = 1, x[3][3];
    places_at(p, done, x);
    for (int i = 0; i < 3; ++i) {
        double to[3], left[3];
        shape_minus(x[i], near->place, to);
        shape_minus(p->to[i], x[i], left);
        const double gap = shape_dot(near->normal, to) - keep, way = shape_dot(near->normal, left);
        if (gap + way >= -0.5 * (double)p->tolerance)
            continue;
        const double part = gap > 0 ? done + (1 - done) * gap / -way : done;
        least = part < least ? part : least;
    }
    return least;
}

/* The part of the way on which the triangle stays `keep` away from the core; `near` and `inner` are
 * those where it ends. */
static double trace(const struct face_pair *p, double keep, struct shape_near *near,
                    struct shape_near *inner)
{
    double done = 0;
    for (int round = 0; round < ROUNDS && near->distance > 0; ++round) {
        const double next = until(p, near, done, keep);
        double x[3][3];
        if (next >= 1)
            return 1;
        if (next < done + CREEP)
            return done;
        done = next;
        places_at(p, done, x);
        shape_near_triangle(&p->core, (const double(*)[3])x, near, inner);
    }
    return done;
}

/* True when a straight way between places so far from the core stays well outside of it: then what
 * is there when it ends says all, also of a way around a round shape, which its chord would cut. */
static bool stays_out(const struct face_pair *p, double begin, double end)
{
    return begin > 0 && end > 0 && begin + end - (double)p->way > 0.5 * (double)p->core.round &&
           (double)p->core.round > 8 * (double)p->tolerance;
}

/* At most how far the triangle begins from the core: the core is convex, so all of it lies behind
 * its plane where the triangle ends nearest to it. */
static double least_begin(const struct face_pair *p, const struct shape_near *end)
{
    double least = (double)INFINITY;
    for (int i = 0; i < 3; ++i) {
        double to[3];
        shape_minus(p->from[i], end->place, to);
        const double gap = shape_dot(end->normal, to);
        least = gap < least ? gap : least;
    }
    return end->distance > 0 ? least * (1 - 1e-9) : 0;
}

bool face_meets(const struct face_pair *p, double give, struct face_meeting *meeting)
{
    struct shape_near near, inner, end, end_inner;
    const double round = (double)p->core.round;
    shape_near_triangle(&p->core, p->to, &end, &end_inner);
    /* Mostly this is enough, and the place where it begins need not be looked for. */
    double begin = least_begin(p, &end), keep = round;
    bool known = begin > 0 && begin + give >= round && stays_out(p, begin, end.distance);
    if (!known) {
        shape_near_triangle(&p->core, p->from, &near, &inner);
        begin = near.distance;
        if (!(begin > 0))
            return false;
        keep = begin + give < round ? begin + give : round;
        known = stays_out(p, begin, end.distance);
    }
    if (known) {
        near = end;
        inner = end_inner;
    } else {
        (void)trace(p, begin < round ? begin : round, &near, &inner);
    }
    if (!(inner.distance > 0 && inner.distance <= near.distance + 0.5 * round))
        return false;
    meeting_of(&inner, keep, meeting);
    return true;
}

/* True when a direction shows that the triangle begins farther from another one than it goes:
 * mostly that is so, and the nearest places need not be looked for. */
static bool surely_free(const struct face_pair *p)
{
    const double room = (1 + 1e-9) * ((double)p->core.round + (double)p->way);
    return p->core.kind == SHAPE_CORE_TRIANGLE && begins_apart(p, p->core.corner, room);
}

double face_free(const struct face_pair *p, bool gains, struct face_meeting *meeting)
{
    struct shape_near near, inner, end, end_inner;
    if (surely_free(p))
        return 1;
    shape_near_triangle(&p->core, p->from, &near, &inner);
    const double begin = near.distance, round = (double)p->core.round;
    const double asked = begin + (gains ? 2 * (double)p->tolerance : 0);
    const double keep = asked < round ? asked : round;
    /* Who is through already cannot be helped, and who has lost his numbers goes nowhere. */
    if (!(begin > 0) || !(p->way < INFINITY))
        return 1;
    if (begin - (double)p->way >= keep)
        return 1;
    shape_near_triangle(&p->core, p->to, &end, &end_inner);
    if (stays_out(p, begin, end.distance)) {
        meeting_of(&end, keep, meeting);
        return end.distance >= keep - (double)p->tolerance ? 1 : 0;
    }
    const double part = trace(p, keep, &near, &inner);
    meeting_of(&near, keep, meeting);
    return part;
}
