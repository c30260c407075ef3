/* damping.c - damping of velocities after a substep: each particle's by its material, and the
 * body's relative to its own rigid motion.
 *
 * Both are implicit, v / (1 + rate dt), and with BDF2, whose velocities take two thirds of a
 * substep's force, 2/3 of that: no damping, however strong, turns a velocity round.
 */
#include "motion/phases.h"

#include <string.h>

/* The substep's share of dt in which a force becomes velocity. */
static double reach_of(const struct step *step, const struct body *body)
{
    return (double)step->dt * (phase_second_order(step, body) ? 2.0 / 3 : 1.0);
}

/* A body's mass, centre, and the rigid motion that has its momentum and spin. */
struct rigid_motion {
    double mass, centre[3], velocity[3], spin[3];
};

static double entry(const struct pk_quad *q, int k)
{
    return (double)(k == 0 ? q->x : k == 1 ? q->y : q->z);
}

static void add_centre(struct rigid_motion *r, const float *mass, const struct pk_quad *x,
                       const struct pk_quad *v, uint32_t count)
{
    memset(r, 0, sizeof *r);
    for (uint32_t i = 0; i < count; ++i) {
        r->mass += (double)mass[i];
        for (int k = 0; k < 3; ++k) {
            r->centre[k] += (double)mass[i] * entry(&x[i], k);
            r->velocity[k] += (double)mass[i] * entry(&v[i], k);
        }
    }
    for (int k = 0; k < 3; ++k) {
        r->centre[k] /= r->mass;
        r->velocity[k] /= r->mass;
    }
}

static void subtract_row(double to[4], const double from[4], double factor)
{
    for (int k = 0; k < 4; ++k)
        to[k] -= factor * from[k];
}

/* Solves inertia spin = l by elimination, largest pivots first. About an axis around which nothing
 * has a lever there is neither momentum nor spin. */
static void solve_spin(double m[3][4], double spin[3])
{
    const double least = 1e-12 * (m[0][0] + m[1][1] + m[2][2]);
    bool used[3] = {false, false, false};
    for (int step = 0; step < 3; ++step) {
        int pivot = -1;
        for (int k = 0; k < 3; ++k)
            if (!used[k] && (pivot < 0 || m[k][k] > m[pivot][pivot]))
                pivot = k;
        if (!(m[pivot][pivot] > least))
            break;
        used[pivot] = true;
        for (int k = 0; k < 3; ++k)
            if (k != pivot)
                subtract_row(m[k], m[pivot], m[k][pivot] / m[pivot][pivot]);
    }
    for (int k = 0; k < 3; ++k)
        spin[k] = used[k] ? m[k][3] / m[k][k] : 0;
}

static void add_spin(struct rigid_motion *r, const float *mass, const struct pk_quad *x,
                     const struct pk_quad *v, uint32_t count)
{
    double m[3][4] = {{0}};
    for (uint32_t i = 0; i < count; ++i) {
        double d[3], u[3], square = 0;
        for (int k = 0; k < 3; ++k) {
            d[k] = entry(&x[i], k) - r->centre[k];
            u[k] = entry(&v[i], k) - r->velocity[k];
            square += d[k] * d[k];
        }
        for (int k = 0; k < 3; ++k) {
            for (int j = 0; j < 3; ++j)
                m[k][j] += (double)mass[i] * ((k == j ? square : 0) - d[k] * d[j]);
            m[k][3] += (double)mass[i] *
                       (d[(k + 1) % 3] * u[(k + 2) % 3] - d[(k + 2) % 3] * u[(k + 1) % 3]);
        }
    }
    solve_spin(m, r->spin);
}

static struct rigid_motion rigid_motion_of(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const float *mass = asset_mass(body_asset(w, body));
    const struct pk_quad *x = world_position(w) + body->first;
    const struct pk_quad *v = world_velocity(w) + body->first;
    struct rigid_motion r;
    add_centre(&r, mass, x, v, body->count);
    add_spin(&r, mass, x, v, body->count);
    return r;
}

/* What the rigid motion moves a particle by, m/s. */
static void carried(const struct rigid_motion *r, const struct pk_quad *x, double by[3])
{
    double d[3];
    for (int k = 0; k < 3; ++k)
        d[k] = entry(x, k) - r->centre[k];
    for (int k = 0; k < 3; ++k)
        by[k] = r->velocity[k] + r->spin[(k + 1) % 3] * d[(k + 2) % 3] -
                r->spin[(k + 2) % 3] * d[(k + 1) % 3];
}

/* A velocity with `whole` of what it is of the rigid motion, and `rest` of what it is beside it. */
static void blend(struct pk_quad *v, const double by[3], double whole, double rest)
{
    double to[3];
    for (int k = 0; k < 3; ++k)
        to[k] = whole * by[k] + rest * (entry(v, k) - by[k]);
    v->x = (float)to[0];
    v->y = (float)to[1];
    v->z = (float)to[2];
}

/* A rigid motion that is kept (momentum.c) takes all of a substep's force, whatever the integrator.
 */
static void slow_particles(const struct step *step, const struct body *body, const float *rate)
{
    const struct pk_quad *x = world_position(step->world) + body->first;
    struct pk_quad *v = world_velocity(step->world) + body->first;
    const double reach = reach_of(step, body), dt = (double)step->dt;
    const bool kept = momentum_kept(step, body) || momentum_free(step, body);
    struct rigid_motion r = {0};
    if (kept && reach < dt)
        r = rigid_motion_of(step, body);
    for (uint32_t i = 0; i < body->count; ++i) {
        double by[3] = {0, 0, 0};
        if (!(x[i].w > 0))
            continue;
        if (r.mass > 0)
            carried(&r, &x[i], by);
        blend(&v[i], by, 1 / (1 + dt * (double)rate[i]), 1 / (1 + reach * (double)rate[i]));
    }
}

/* Takes `share` of what each velocity is beside the rigid motion. */
static void slow_shape(const struct step *step, const struct body *body, double share)
{
    const struct pk_quad *x = world_position(step->world) + body->first;
    struct pk_quad *v = world_velocity(step->world) + body->first;
    const struct rigid_motion r = rigid_motion_of(step, body);
    for (uint32_t i = 0; i < body->count; ++i) {
        double by[3];
        if (!(x[i].w > 0))
            continue;
        carried(&r, &x[i], by);
        blend(&v[i], by, 1, 1 - share);
    }
}

void damping_apply(const struct step *step, const struct body *body)
{
    const piola_asset *asset = body_asset(step->world, body);
    const float relative = world_relative_damping(step->world)[body - world_bodies(step->world)];
    if (asset->at.mass_damping.count > 0)
        slow_particles(step, body, asset_mass_damping(asset));
    if (relative > 0) {
        const double rate = (double)relative * reach_of(step, body);
        slow_shape(step, body, rate / (1 + rate));
    }
}
