/* contact_force.c - what a pair of surfaces nearer than the thickness does.
 *
 * Descent: the potential E(d) of a pair is quadratic from the thickness r down to r / 2 and
 * logarithmic below (Chen et al., Offset Geometric Contact, 2025): no load, however great, closes
 * the gap. All particles move at once between two refreshes, so each gets a Hessian block that
 * bounds the pair's from above: with weights a, a a^T <= diag(|a_i| sum |a_j|), and the sum is 2.
 * What is laid down for all then descends for all. Friction is Coulomb's, smoothed below a speed of
 * CREEP, and bounded from above in the same way.
 *
 * Projections: the pair is pushed to the thickness, the sliding of this substep is taken back up to
 * the friction times that push.
 */
#include "contact.h"

#include "couple.h"

#include <math.h>

#define CREEP 1e-3 /* m/s */
/* Stiffness of a pair over the inertia of its particles. */
#define STIFF 2.0

/* Force and its slope at a distance. */
static double push_of(double distance, double thickness, double stiffness, double *slope)
{
    const double half = 0.5 * thickness;
    if (distance >= half) {
        *slope = stiffness;
        return stiffness * (thickness - distance);
    }
    const double d = distance > 1e-3 * thickness ? distance : 1e-3 * thickness;
    *slope = stiffness * half * half / (d * d);
    return stiffness * half * half / d;
}

/* The sliding of a pair since the substep began, along its surfaces. */
static double slide_of(const piola_world *w, const struct pair *pair, const double weight[4],
                       const double normal[3], double slide[3])
{
    double along = 0, square = 0;
    for (int k = 0; k < 3; ++k)
        slide[k] = 0;
    for (int i = 0; i < 4; ++i) {
        const struct pk_quad *x = &world_position(w)[pair->particle[i]];
        const struct pk_quad *s = &world_start(w)[pair->particle[i]];
        slide[0] += weight[i] * ((double)x->x - (double)s->x);
        slide[1] += weight[i] * ((double)x->y - (double)s->y);
        slide[2] += weight[i] * ((double)x->z - (double)s->z);
    }
    for (int k = 0; k < 3; ++k)
        along += slide[k] * normal[k];
    for (int k = 0; k < 3; ++k) {
        slide[k] -= along * normal[k];
        square += slide[k] * slide[k];
    }
    return sqrt(square);
}

/* Adds gradient g and block k n n^T + t (I - n n^T), taken at the particle's place, to what its
 * body is told about it, which counts from its target. */
static void lay(const piola_world *w, const struct body *body, uint32_t particle, const double g[3],
                double k, double t, const double n[3])
{
    struct pk_quad *extra = couple_extra(w, body);
    const struct pk_quad *x = &world_position(w)[particle], *y = &world_target(w)[particle];
    const double away[3] = {(double)y->x - (double)x->x, (double)y->y - (double)x->y,
                            (double)y->z - (double)x->z};
    const double along = (k - t) * (n[0] * away[0] + n[1] * away[1] + n[2] * away[2]);
    if (!extra)
        return;
    struct pk_quad *h = extra + (particle - body->first), *on = h + body->count;
    struct pk_quad *off = on + body->count;
    h->x += (float)(g[0] + t * away[0] + along * n[0]);
    h->y += (float)(g[1] + t * away[1] + along * n[1]);
    h->z += (float)(g[2] + t * away[2] + along * n[2]);
    on->x += (float)(t + (k - t) * n[0] * n[0]);
    on->y += (float)(t + (k - t) * n[1] * n[1]);
    on->z += (float)(t + (k - t) * n[2] * n[2]);
    off->x += (float)((k - t) * n[1] * n[2]);
    off->y += (float)((k - t) * n[0] * n[2]);
    off->z += (float)((k - t) * n[0] * n[1]);
}

static double inertia_of(const piola_world *w, const struct pair *pair)
{
    double mass = 0;
    for (int i = 0; i < 4; ++i)
        mass += (double)world_target(w)[pair->particle[i]].w;
    return 0.25 * mass;
}

static void refresh_pair(const struct step *step, const struct pair *pair)
{
    const piola_world *w = step->world;
    double weight[4], normal[3], slide[3], slope;
    const double thickness = (double)w->desc.contact_thickness, dt = (double)step->dt;
    const double distance = contact_near(pair, world_position(w), weight, normal);
    if (!(distance < thickness) || !(distance > 0))
        return;
    for (int k = 0; k < 3; ++k)
        normal[k] /= distance;
    contact_join(w, pair);
    const double stiffness = STIFF * inertia_of(w, pair) / (dt * dt);
    const double push = push_of(distance, thickness, stiffness, &slope);
    const double way = slide_of(w, pair, weight, normal, slide);
    const double least = CREEP * dt;
    const double drag = (double)w->desc.contact_friction * push / (way > least ? way : least);
    for (int i = 0; i < 4; ++i) {
        const uint32_t side = pair->kind == PAIR_VERTEX_FACE ? i > 0 : i > 1;
        const struct body *body = &world_bodies(w)[pair->body[side]];
        const double share = 2 * fabs(weight[i]);
        double g[3];
        for (int k = 0; k < 3; ++k)
            g[k] = weight[i] * (drag * slide[k] - push * normal[k]);
        if (share > 0)
            lay(w, body, pair->particle[i], g, share * slope, share * drag, normal);
    }
}

/* Squares would do, but sums of ways need the ways. */
static void measure_ways(const piola_world *w)
{
    const uint64_t particles = w->dim[DIM_particles].used;
    for (uint64_t i = 0; i < particles; ++i) {
        const struct pk_quad *x = &world_position(w)[i], *s = &world_start(w)[i];
        const float d[3] = {x->x - s->x, x->y - s->y, x->z - s->z};
        world_leashes(w)[i].way = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
}

/* True when the pair may be nearer than the thickness by now. */
static bool close_by(const piola_world *w, const struct pair *pair)
{
    float far[2] = {0, 0};
    for (int i = 0; i < 4; ++i) {
        const int side = pair->kind == PAIR_VERTEX_FACE ? i > 0 : i > 1;
        const float way = world_leashes(w)[pair->particle[i]].way;
        far[side] = way > far[side] ? way : far[side];
    }
    return pair->distance - far[0] - far[1] < w->desc.contact_thickness;
}

void contact_refresh(const struct step *step)
{
    const piola_world *w = step->world;
    measure_ways(w);
    for (uint32_t i = 0; i < w->pair_count; ++i)
        if (close_by(w, &world_pairs(w)[i]))
            refresh_pair(step, &world_pairs(w)[i]);
}

static void move(const piola_world *w, const struct pair *pair, const double weight[4],
                 const double way[3])
{
    for (int i = 0; i < 4; ++i) {
        struct pk_quad *x = &world_position(w)[pair->particle[i]];
        const double share = (double)x->w * weight[i];
        x->x += (float)(share * way[0]);
        x->y += (float)(share * way[1]);
        x->z += (float)(share * way[2]);
    }
}

static void project_pair(const struct step *step, const struct pair *pair)
{
    const piola_world *w = step->world;
    double weight[4], normal[3], slide[3], give = 0, way[3];
    const double distance = contact_near(pair, world_position(w), weight, normal);
    const double deep = (double)w->desc.contact_thickness - distance;
    if (!(deep > 0) || !(distance > 0))
        return;
    for (int i = 0; i < 4; ++i)
        give += weight[i] * weight[i] * (double)world_position(w)[pair->particle[i]].w;
    if (!(give > 0))
        return;
    contact_join(w, pair);
    for (int k = 0; k < 3; ++k) {
        normal[k] /= distance;
        way[k] = deep / give * normal[k];
    }
    move(w, pair, weight, way);
    const double slid = slide_of(w, pair, weight, normal, slide);
    const double most = (double)w->desc.contact_friction * deep;
    const double share = slid > most ? most / slid : 1;
    for (int k = 0; k < 3; ++k)
        way[k] = -share / give * slide[k];
    move(w, pair, weight, way);
}

void contact_project(const struct step *step)
{
    const piola_world *w = step->world;
    measure_ways(w);
    for (uint32_t i = 0; i < w->pair_count; ++i)
        if (close_by(w, &world_pairs(w)[i]))
            project_pair(step, &world_pairs(w)[i]);
}
