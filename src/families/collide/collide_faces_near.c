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

static uint32_t corner_of(const struct faces *f, uint32_t triangle, uint32_t corner)
{
    return f->body->first + f->particle_of[f->surface[3 * (size_t)triangle + corner]];
}

/* As collide_block_of, of the corners of triangles. */
static struct collide_block block_of(const struct faces *f, uint32_t first, uint32_t count)
{
    struct collide_block b = {{0, 0, 0}, 0, 0, count > 0};
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < 3 * count; ++i) {
        const uint32_t p = corner_of(f, first + i / 3, i % 3);
        float at[3], end[3];
        quad_read(&f->start[p], at);
        quad_read(&f->to[p], end);
        for (int k = 0; k < 3; ++k) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
        const float way = collide_distance(end, at);
        b.reach = way > b.reach ? way : b.reach;
    }
    for (int k = 0; k < 3; ++k)
        b.centre[k] = 0.5f * (low[k] + high[k]);
    b.radius = collide_distance(high, b.centre);
    return b;
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

/* False when the triangle surely does not come to the shape. */
static bool may_meet(const struct face_pair *p, float factor)
{
    float middle[3], most = 0;
    for (int k = 0; k < 3; ++k)
        middle[k] = (float)((p->from[0][k] + p->from[1][k] + p->from[2][k]) / 3);
    for (int i = 0; i < 3; ++i) {
        const float at[3] = {(float)p->from[i][0], (float)p->from[i][1], (float)p->from[i][2]};
        const float away = collide_distance(at, middle);
        most = away > most ? away : most;
    }
    const float apart =
        shape_distance(&p->moving.form, middle, NULL) - p->moving.collider->shape.margin;
    /* A broken number is near: it must not hide. */
    return !(apart > 1.0001f * most + factor * p->way + p->tolerance);
}

void faces_each_near(const struct step *step, const struct body *body, const struct pk_quad *to,
                     float factor, void (*use)(void *context, const struct face_pair *pair),
                     void *context)
{
    const piola_world *w = step->world;
    const struct faces f = surface_of(w, body, to);
    for (uint32_t first = 0; first < f.count; first += TOUCH_BLOCK) {
        const uint32_t left = f.count - first, n = left < TOUCH_BLOCK ? left : TOUCH_BLOCK;
        const struct collide_block block = block_of(&f, first, n);
        struct collide_round round = collide_round_of(w, body, step->substep, &block, factor);
        while (collide_next(&round)) {
            struct face_pair pair = {.collider = round.collider, .moving = round.moving};
            if (!shape_core_of(&round.moving.form, &pair.core))
                continue;
            for (pair.triangle = first; pair.triangle < first + n; ++pair.triangle) {
                bool free = false;
                for (uint32_t i = 0; i < 3; ++i) {
                    pair.particle[i] = corner_of(&f, pair.triangle, i);
                    free = free || to[pair.particle[i]].w > 0;
                }
                face_pair_at(step, to, &pair);
                if (free && may_meet(&pair, factor) && !over_a_side(&pair))
                    use(context, &pair);
            }
        }
    }
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

bool face_meets(const struct face_pair *p, double give, struct face_meeting *meeting)
{
    struct shape_near near, inner, end, end_inner;
    const double round = (double)p->core.round;
    shape_near_triangle(&p->core, p->from, &near, &inner);
    const double begin = near.distance;
    if (!(begin > 0))
        return false;
    const double keep = begin + give < round ? begin + give : round;
    shape_near_triangle(&p->core, p->to, &end, &end_inner);
    if (stays_out(p, begin, end.distance)) {
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

double face_free(const struct face_pair *p, struct face_meeting *meeting)
{
    struct shape_near near, inner, end, end_inner;
    shape_near_triangle(&p->core, p->from, &near, &inner);
    const double begin = near.distance, round = (double)p->core.round;
    const double keep = begin < round ? begin : round;
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
