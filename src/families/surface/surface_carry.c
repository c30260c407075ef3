/* surface_carry.c - what moving things push is limited on its way with them, what flies on its own.
 *
 * The last limit lets particles go shares of their ways. In front of a collider that moved, or of a
 * surface that is moved by its pins, there is no room where they began; so bodies that something
 * pushes are first carried, all of them that are near each other, as far as it advances, by one
 * translation, and shares are those of what is left of their ways. A translation changes no
 * distance within the group, and so nothing that was found about its pairs; groups are so far from
 * each other that none of this can make them meet. Bodies that fly free are carried where their
 * common momentum takes them: what is stuck among them stays behind nobody. What pushes two ways at
 * once may leave no room there either: then surface_limit.c goes on without.
 */
#include "families/collide/collide_faces.h"
#include "families/surface/surface.h"
#include "motion/stage.h"

#include <string.h>

/* m, of the thickness: an advance below this is none. */
#define SLOW 1e-3f

static float size_of(const float way[3])
{
    return sqrtf(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
}

static bool moves(const struct collide_moving *m)
{
    return !same_bytes(m->from, m->to, sizeof *m->from);
}

/* Adds how a collider that presses at a place advances there, which began at `start`; true when it
 * moves. */
static bool add_plane(const struct step *step, const struct pk_plane *plane, uint32_t collider,
                      const float start[3], double sum[3], float *most)
{
    const struct collide_moving m = collide_moving_of(step->world, collider, step->substep);
    float local[3], to[3], advance = 0;
    if (!moves(&m) || (plane->force[0] == 0 && plane->force[1] == 0 && plane->force[2] == 0))
        return false;
    pose_in(m.from, start, local);
    pose_out(m.to, local, to);
    for (int k = 0; k < 3; ++k)
        advance += plane->normal[k] * (to[k] - start[k]);
    if (!(advance > 0 && advance < INFINITY))
        return false;
    for (int k = 0; k < 3; ++k)
        sum[k] += (double)plane->normal[k];
    *most = advance > *most ? advance : *most;
    return true;
}

static bool add_planes(const struct step *step, const struct body *body, double sum[3], float *most)
{
    const piola_world *w = step->world;
    const uint32_t index = (uint32_t)(body - world_bodies(w));
    bool any = false;
    for (uint32_t i = body->first; i < body->first + body->count; ++i)
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p) {
            float start[3];
            quad_read(&world_start(w)[i], start);
            any |= add_plane(step, &world_touches(w)[i].plane[p], world_notes(w)[i].collider[p],
                             start, sum, most);
        }
    for (uint32_t i = 0; i < faces_count(w, index); ++i) {
        const struct face_contact *c = &faces_of(w, index)[i];
        float start[3];
        quad_read(&world_start(w)[c->particle[0]], start);
        any |= add_plane(step, &c->plane, c->collider, start, sum, most);
    }
    return any;
}

/* By the farthest that one of them advances, along the mean of where they press. */
static bool pushed_by_colliders(const struct step *step, const struct body *body, float way[3])
{
    double sum[3] = {0, 0, 0}, size = 0;
    float most = 0;
    bool any = false;
    if (!body_touched(step->world, body))
        return false;
    any = add_planes(step, body, sum, &most);
    for (int k = 0; k < 3; ++k)
        size += sum[k] * sum[k];
    if (!any || !(size > 0))
        return false;
    for (int k = 0; k < 3; ++k)
        way[k] = most * (float)(sum[k] / sqrt(size));
    return true;
}

/* By the longest way of its pins: those that lag push most. */
static bool pushed_by_pins(const struct step *step, const struct body *body, float way[3])
{
    const piola_world *w = step->world;
    bool any = false;
    for (uint32_t i = body->first; i < body->first + body->count && body->pins > 0; ++i) {
        const struct pk_quad *x = &world_position(w)[i], *s = &world_start(w)[i];
        const float own[3] = {x->x - s->x, x->y - s->y, x->z - s->z};
        if (x->w > 0 || world_owner(w)[i] == NO_BODY || !(size_of(own) > size_of(way)))
            continue;
        any = true;
        memcpy(way, own, sizeof own);
    }
    return any;
}

/* Where its momentum takes a body that nothing outside holds; true when it has pairs. */
static bool flies(const struct step *step, const struct body *body, struct reach *r)
{
    const piola_world *w = step->world;
    const uint32_t index = (uint32_t)(body - world_bodies(w));
    double sum[3] = {0, 0, 0}, mass = 0;
    /* Who has just broken goes nowhere. */
    if (!surface_alone(step, body, body) || !surface_keeps(w) ||
        atomic_load_explicit(&world_verdicts(w)[index], memory_order_relaxed) != 0)
        return false;
    for (uint32_t i = body->first; i < body->first + body->count; ++i) {
        const struct pk_quad *t = &world_target(w)[i], *s = &world_start(w)[i];
        const double m = (double)t->w;
        mass += m;
        sum[0] += m * ((double)t->x - (double)s->x);
        sum[1] += m * ((double)t->y - (double)s->y);
        sum[2] += m * ((double)t->z - (double)s->z);
    }
    const float way[3] = {(float)(sum[0] / mass), (float)(sum[1] / mass), (float)(sum[2] / mass)};
    if (!(size_of(way) < INFINITY))
        return false;
    r->bound = 0;
    r->mass = (float)mass;
    memcpy(r->way, way, sizeof way);
    for (int k = 0; k < 3; ++k)
        r->flight[k] = (float)sum[k];
    return world_paired(w)[index] != 0;
}

/* Which bodies are pushed or fly, and how far; the farthest. */
static float find_pushed(const struct step *step, enum carry carry)
{
    const piola_world *w = step->world;
    float most = 0;
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const uint32_t b = world_shared(w)[i];
        const struct body *body = &world_bodies(w)[b];
        struct reach *r = &world_reaches(w)[b];
        memset(r->way, 0, sizeof r->way);
        memset(r->flight, 0, sizeof r->flight);
        world_reach_leaders(w)[b] = b;
        /* A translation would take what is guided off its plane. */
        r->held = (body->flags & (BODY_STILL | BODY_GUIDED)) != 0;
        r->mass = 0;
        r->pushed = carry == CARRY_BY_PINS ? pushed_by_pins(step, body, r->way)
                                           : pushed_by_colliders(step, body, r->way);
        r->bound = 1;
        if (!r->pushed && !(carry == CARRY_FREELY && flies(step, body, r)))
            continue;
        const float size = size_of(r->way);
        most = size > most ? size : most;
    }
    return most;
}

/* Who is near whom goes with whom. The way of a group is the longest of those that are pushed;
 * else, when all fly, that of their centre. */
static void join(const piola_world *w, uint32_t a, uint32_t b)
{
    struct reach *reaches = world_reaches(w);
    const uint32_t p = reach_root(w, a), q = reach_root(w, b);
    const uint32_t low = p < q ? p : q, high = p < q ? q : p;
    if (low == high)
        return;
    islands_join(reach_islands(w), low, high);
    reaches[low].held |= reaches[high].held;
    reaches[low].bound |= reaches[high].bound;
    reaches[low].mass += reaches[high].mass;
    for (int k = 0; k < 3; ++k)
        reaches[low].flight[k] += reaches[high].flight[k];
    for (int k = 0; k < 3; ++k)
        if (reaches[high].begin[k] > reaches[low].begin[k])
            reaches[low].begin[k] = reaches[high].begin[k];
    if (reaches[high].pushed &&
        (!reaches[low].pushed || size_of(reaches[high].way) > size_of(reaches[low].way)))
        memcpy(reaches[low].way, reaches[high].way, sizeof reaches[low].way);
    reaches[low].pushed |= reaches[high].pushed;
}

/* How far apart floats of this size are; 0 for the smallest. */
static float grain_of(float size)
{
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    const uint32_t exponent = bits >> 23 & 255u;
    bits = exponent > 23 ? (exponent - 23) << 23 : 0;
    memcpy(&size, &bits, sizeof size);
    return size;
}

/* A way that floats of these sizes can be moved by without being rounded, but for those that come
 * to where floats are farther apart: gaps that are not much wider would close little by little. */
static void round_way(const float begin[3], float way[3])
{
    for (int k = 0; k < 3; ++k) {
        const float grain = grain_of(begin[k] + fabsf(way[k]));
        const float half = way[k] < 0 ? -0.5f : 0.5f;
        if (grain > 0)
            way[k] = grain * (float)(int32_t)(way[k] / grain + half);
    }
}

void each_surface_carry(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct chunk *chunk = &world_chunks(w)[index];
    const float *way = world_reaches(w)[chunk->body].way;
    for (uint32_t i = chunk->first; i < chunk->first + chunk->count; ++i) {
        const struct pk_quad *s = &world_start(w)[i];
        world_carried(w)[i] = (struct pk_quad){s->x + way[0], s->y + way[1], s->z + way[2], s->w};
    }
}

/* Groups with pins that go another way are not carried: pins that wait would be carried away. */
static void hold_unlike(const piola_world *w)
{
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const uint32_t b = world_shared(w)[i];
        struct reach *root = &world_reaches(w)[reach_root(w, b)];
        if (!surface_pins_alike(w, &world_bodies(w)[b], root->way))
            root->held = 1;
    }
}

bool surface_carry(const struct step *step, enum carry carry)
{
    piola_world *w = step->world;
    world_surface_now(w)->carries = false;
    const float most = find_pushed(step, carry);
    if (!(most > SLOW * w->desc.contact_thickness && most < INFINITY))
        return false;
    run_stage(step, STAGE_SURFACE_REACH, 0);
    /* Each of two groups goes so far at most. */
    reach_each_near(step, 2.01f * most + w->desc.contact_thickness, join);
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        struct reach *r = &world_reaches(w)[world_shared(w)[i]];
        if (reach_root(w, world_shared(w)[i]) != world_shared(w)[i])
            continue;
        for (int k = 0; k < 3 && !r->pushed; ++k)
            r->way[k] = !r->bound && r->mass > 0 ? r->flight[k] / r->mass : 0;
        round_way(r->begin, r->way);
    }
    if (carry == CARRY_BY_PINS && world_surface_now(w)->lags)
        hold_unlike(w);
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        struct reach *r = &world_reaches(w)[world_shared(w)[i]];
        const struct reach *root = &world_reaches(w)[reach_root(w, world_shared(w)[i])];
        /* Who does not move cannot be carried. */
        for (int k = 0; k < 3; ++k)
            r->way[k] = root->held ? 0 : root->way[k];
    }
    run_stage(step, STAGE_SURFACE_CARRY, 0);
    world_surface_now(w)->carries = true;
    return true;
}
