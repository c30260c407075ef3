/* surface_free.c - how far a pair's particles may go: proofs in double, of one pair at a time.
 *
 * Along the direction of a pair's nearest points all that is between its sides changes evenly, so
 * it is known at once for as long as that direction proves it; there it is looked for again. What
 * the kernel (ispc/surface/surface_pairs.ispc) is not sure of is decided here.
 */
#include "families/surface/surface.h"

#include <math.h>

#define LOOKS 32
#define CREEP 0.01 /* who gets on by less each time does not arrive */

double surface_near(const struct pair *pair, const struct pk_quad *x, double weight[4],
                    double between[3])
{
    double at[4][3];
    for (int i = 0; i < 4; ++i)
        quad_load(&x[pair->particle[i]], at[i]);
    return pair->kind == PAIR_VERTEX_FACE
               ? near_point_triangle((const double(*)[3])at, weight, between)
               : near_segments((const double(*)[3])at, weight, between);
}

/* Where a particle ends, rounded as it will be: what is proven is proven of these places. The
 * kernels' end_of does the same. */
struct pk_quad surface_end_of(const piola_world *w, uint32_t p)
{
    struct pk_quad x = world_position(w)[p];
    const struct pk_quad *s = &surface_from(w)[p];
    const float share = world_share(w)[p];
    if (!(share < 1))
        return x;
    x.x = s->x + share * (x.x - s->x);
    x.y = s->y + share * (x.y - s->y);
    x.z = s->z + share * (x.z - s->z);
    return x;
}

/* Where a pair's particles start, seen from the first: that has more digits. */
static void find_starts(const piola_world *w, const struct pair *pair, double from[4][3])
{
    const struct pk_quad *first = &world_start(w)[pair->particle[0]];
    for (int i = 0; i < 4; ++i) {
        const struct pk_quad *s = &world_start(w)[pair->particle[i]];
        from[i][0] = (double)s->x - (double)first->x;
        from[i][1] = (double)s->y - (double)first->y;
        from[i][2] = (double)s->z - (double)first->z;
    }
}

/* Their ways, by their shares; less the ways' mean. */
static void find_ways(const piola_world *w, const struct pair *pair, double way[4][3])
{
    double mean[3] = {0, 0, 0};
    for (int i = 0; i < 4; ++i) {
        const uint32_t p = pair->particle[i];
        const struct pk_quad x = surface_end_of(w, p), *s = &world_start(w)[p];
        way[i][0] = (double)x.x - (double)s->x;
        way[i][1] = (double)x.y - (double)s->y;
        way[i][2] = (double)x.z - (double)s->z;
        for (int k = 0; k < 3; ++k)
            mean[k] += 0.25 * way[i][k];
    }
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            way[i][k] -= mean[k];
}

/* Along a direction, from `done` on: until when i stays `keep` beyond j; 1 if it does. */
static double apart_until(const double along[3], double from[4][3], double way[4][3], int i, int j,
                          double done, double keep)
{
    double begin = 0, change = 0;
    for (int k = 0; k < 3; ++k) {
        begin += along[k] * (from[i][k] - from[j][k]);
        change += along[k] * (way[i][k] - way[j][k]);
    }
    const double now = begin + done * change, then = begin + change;
    if (now < keep)
        return done;
    return then >= keep ? 1 : done + (1 - done) * (now - keep) / (now - then);
}

/* How far apart the pair is proven to be when each has gone a part of its way, and along what. */
static double gap_at(uint32_t kind, double from[4][3], double way[4][3], double done,
                     double weight[4], double normal[3])
{
    double at[4][3], between[3];
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            at[i][k] = from[i][k] + done * way[i][k];
    const bool face = kind == PAIR_VERTEX_FACE;
    if (face)
        (void)near_point_triangle((const double(*)[3])at, weight, between);
    else
        (void)near_segments((const double(*)[3])at, weight, between);
    return near_proof((const double(*)[3])at, face ? 1 : 2, weight, between, normal);
}

/* A part less than is proven: the same look finds as much again. */
float surface_apart_by(const piola_world *w, const struct pair *pair)
{
    double from[4][3], way[4][3] = {{0}}, weight[4], normal[3];
    find_starts(w, pair, from);
    const double gap = gap_at(pair->kind, from, way, 0, weight, normal);
    return gap > 0 ? 0.999999f * (float)gap : 0;
}

/* By how much the way that a pair is carried is not the same for all of it: places are rounded. */
double surface_carried_apart(const piola_world *w, const struct pair *pair)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (int i = 0; i < 4; ++i) {
            float s[3], c[3];
            quad_read(&world_start(w)[pair->particle[i]], s);
            quad_read(&world_carried(w)[pair->particle[i]], c);
            const double way = (double)c[k] - (double)s[k];
            low = way < low ? way : low;
            high = way > high ? way : high;
        }
        square += (high - low) * (high - low);
    }
    return sqrt(square);
}

/* What must remain: who is carried may lose what is rounded, or could not be carried at all. */
double surface_must_keep(const piola_world *w, const struct pair *pair)
{
    const double keep = (double)surface_kept(w, pair);
    const double loss = world_surface_now(w)->carries ? 1.01 * surface_carried_apart(w, pair) : 0;
    const double most = (double)pair->distance - loss;
    return (double)pair->distance > 2 * loss && most < keep ? most : keep;
}

/* Where a pair is stopped: how its sides would go on approaching each other there. */
static void tell_stop(double way[4][3], double done, struct stop *stop)
{
    stop->approach = 0;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            stop->approach -= (1 - done) * stop->weight[i] * stop->normal[k] * way[i][k];
}

/* A direction that turns evenly from `begin` to `end` while the particles go from one part of their
 * ways to another one: what is between i and j along it is a parabola, which stays above the least
 * of its three Bernstein coefficients; and the direction is never longer than a unit. */
static double least_between(double from[4][3], double way[4][3], int i, int j, const double part[2],
                            const double begin[3], const double end[3])
{
    double first = 0, second = 0, last = 0;
    for (int k = 0; k < 3; ++k) {
        const double gap = from[i][k] - from[j][k], change = way[i][k] - way[j][k];
        const double here = gap + part[0] * change, there = gap + part[1] * change;
        first += begin[k] * here;
        second += 0.5 * (begin[k] * there + end[k] * here);
        last += end[k] * there;
    }
    const double least = first < second ? first : second;
    return least < last ? least : last;
}

/* What is proven from `done` on: by the direction that the stop has, or by one that turns to what
 * it is at `to`. */
static double proven_until(uint32_t kind, double from[4][3], double way[4][3], double done,
                           double to, const struct stop *stop)
{
    const int second = kind == PAIR_VERTEX_FACE ? 1 : 2;
    const double part[2] = {done, to};
    double until = 1, weight[4], end[3];
    bool turns = true;
    (void)gap_at(kind, from, way, to, weight, end);
    for (int i = 0; i < second; ++i)
        for (int j = second; j < 4; ++j) {
            const double one = apart_until(stop->normal, from, way, i, j, done, stop->keep);
            until = one < until ? one : until;
            turns = turns && least_between(from, way, i, j, part, stop->normal, end) >= stop->keep;
        }
    return turns && to > until ? to : until;
}

double surface_free_part(const piola_world *w, const struct pair *pair, struct stop *stop)
{
    double from[4][3], way[4][3], done = 0, stride = 1;
    struct stop own = {0}, *at = stop ? stop : &own;
    *at = (struct stop){.keep = surface_must_keep(w, pair)};
    find_starts(w, pair, from);
    find_ways(w, pair, way);
    for (int look = 0; look < LOOKS && done < 1; ++look) {
        (void)gap_at(pair->kind, from, way, done, at->weight, at->normal);
        const double to = done + stride < 1 ? done + stride : 1;
        const double until = proven_until(pair->kind, from, way, done, to, at);
        const bool creeps = !(until > done + CREEP);
        if (creeps && stride <= CREEP)
            break;
        stride *= until >= to ? 2 : 0.5;
        done = until;
    }
    tell_stop(way, done, at);
    return done;
}
