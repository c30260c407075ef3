/* contact_limit.c - nothing passes through anything: how far each particle may go in a substep.
 *
 * When a substep begins no surfaces cross. Particles go straight, each by its own share of its way,
 * and a pair is free when its distance stays above a part of what it was: by additive conservative
 * advancement (Li et al., Codimensional IPC, 2021), in which a common motion of both sides costs
 * nothing. Pairs that are not free take shares from their particles, round by round, which may
 * unsettle others; after the last round, if some pair is not proven yet, every particle goes less
 * than half of what its nearest pair may lose: that needs no proof by pairs. Pairs that were not
 * listed cannot meet: their boxes are apart, and every particle is in its own.
 */
#include "contact.h"

#include <math.h>

#define ROUNDS  8
#define ADVANCE 32
/* Shares of 1; those for whose pairs there was no room go little. */
static void begin(const piola_world *w, const struct body *body)
{
    for (uint32_t i = body->first; i < body->first + body->count; ++i) {
        const struct pk_quad *x = &world_position(w)[i], *s = &world_start(w)[i];
        const float d[3] = {x->x - s->x, x->y - s->y, x->z - s->z};
        const float way = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        const bool far =
            world_leashes(w)[i].bound_counts && way > world_leashes(w)[i].bound && x->w > 0;
        world_leashes(w)[i].way = far ? world_leashes(w)[i].bound / way : 1;
    }
}

/* Start and way of a pair's particles, by their shares; less the ways' mean. Returns how fast its
 * sides can come together (m in the substep). */
static double set_out(const piola_world *w, const struct pair *pair, double from[4][3],
                      double way[4][3])
{
    double mean[3] = {0, 0, 0}, fastest[2] = {0, 0};
    for (int i = 0; i < 4; ++i) {
        const uint32_t p = pair->particle[i];
        const struct pk_quad *x = &world_position(w)[p], *s = &world_start(w)[p];
        const double share = (double)world_leashes(w)[p].way;
        const double at[3] = {(double)s->x, (double)s->y, (double)s->z};
        const double to[3] = {(double)x->x, (double)x->y, (double)x->z};
        for (int k = 0; k < 3; ++k) {
            from[i][k] = at[k];
            way[i][k] = share * (to[k] - at[k]);
            mean[k] += 0.25 * way[i][k];
        }
    }
    for (int i = 0; i < 4; ++i) {
        const int side = pair->kind == PAIR_VERTEX_FACE ? i > 0 : i > 1;
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            way[i][k] -= mean[k];
            square += way[i][k] * way[i][k];
        }
        fastest[side] = square > fastest[side] ? square : fastest[side];
    }
    return sqrt(fastest[0]) + sqrt(fastest[1]);
}

/* The part of its way that the pair is proven free for. */
static double free_part(const piola_world *w, const struct pair *pair)
{
    double from[4][3], way[4][3], at[4][3], weight[4], between[3], done = 0;
    const double keep = (double)contact_keep(pair->distance, w->desc.contact_thickness);
    const double speed = set_out(w, pair, from, way);
    double distance = (double)pair->distance;
    for (int round = 0; round < ADVANCE; ++round) {
        if (speed * (1 - done) <= distance - keep)
            return 1;
        const double step = 0.9 * (distance - keep) / speed;
        if (!(step > 1e-9))
            return done;
        done += step;
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 3; ++k)
                at[i][k] = from[i][k] + done * way[i][k];
        distance = pair->kind == PAIR_VERTEX_FACE
                       ? near_point_triangle((const double(*)[3])at, weight, between)
                       : near_segments((const double(*)[3])at, weight, between);
    }
    return done;
}

/* Takes from the particles what the pair may not go. True when it had to. */
static bool settle(const piola_world *w, const struct pair *pair)
{
    /* Surfaces that touch from the beginning can be proven nothing. */
    if (!(pair->distance > 0))
        return false;
    const double part = free_part(w, pair);
    if (part >= 1)
        return false;
    contact_join(w, pair);
    for (int i = 0; i < 4; ++i)
        if (world_position(w)[pair->particle[i]].w > 0)
            world_leashes(w)[pair->particle[i]].way *= (float)(0.9 * part);
    return true;
}

static void go(const piola_world *w, const struct body *body, bool bound)
{
    for (uint32_t i = body->first; i < body->first + body->count; ++i) {
        struct pk_quad *x = &world_position(w)[i];
        const struct pk_quad *s = &world_start(w)[i];
        float share = world_leashes(w)[i].way;
        const float d[3] = {x->x - s->x, x->y - s->y, x->z - s->z};
        if (bound) {
            const float way = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            share = way > world_leashes(w)[i].bound ? world_leashes(w)[i].bound / way : 1;
        }
        if (!(share < 1) || !(x->w > 0))
            continue;
        x->x = s->x + share * d[0];
        x->y = s->y + share * d[1];
        x->z = s->z + share * d[2];
    }
}

void contact_limit(const struct step *step)
{
    const piola_world *w = step->world;
    bool taken = true;
    contact_seek_again(step);
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        if (world_paired(w)[b])
            begin(w, &world_bodies(w)[b]);
    for (int round = 0; round < ROUNDS && taken; ++round) {
        taken = false;
        for (uint32_t i = 0; i < w->pair_count; ++i)
            taken |= settle(w, &world_pairs(w)[i]);
    }
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        if (world_paired(w)[b])
            go(w, &world_bodies(w)[b], taken);
}
