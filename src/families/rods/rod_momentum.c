/* rod_momentum.c - a free rod keeps its angular momentum, that of its turns included. Motion keeps
 * that of particles, but not of bodies that are a line: to turn a line about itself its particles
 * bring nothing, its segments do.
 */
#include "families/rods/rod_turn.h"
#include "families/rods/rods.h"

#include "motion/phases.h"

/* Of the mean inertia: what is less about an axis is left to that axis, for rounding of particles'
 * momenta would make too much of it. Rounds until that no longer counts for others. */
#define LEAST  1e-4
#define ROUNDS 4

struct rod_sums {
    double mass, centre[3], linear[3], angular[3]; /* angular about the centre */
    double inertia[3][3];                          /* kg m^2, likewise */
};

static bool keeps(const struct rods *r)
{
    const struct step *step = r->level.step;
    const struct body *body = r->level.body;
    return step->world->desc.iterations > 0 && momentum_free(step, body) &&
           !(world_ties(step->world)[body - world_bodies(step->world)] & TIE(attachments)) &&
           !body_touched(step->world, body) && !phase_loads(step, body);
}

static void add_points(const struct rods *r, const struct pk_quad *x, struct rod_sums *sum)
{
    const struct pk_quad *v = world_velocity(r->level.step->world) + r->level.body->first;
    const float *mass = asset_mass(r->level.asset);
    double second[3][3] = {{0}};
    for (uint32_t i = 0; i < r->points; i++) {
        const double m = (double)mass[i];
        const double at[3] = {(double)x[i].x, (double)x[i].y, (double)x[i].z};
        const double way[3] = {m * (double)v[i].x, m * (double)v[i].y, m * (double)v[i].z};
        double moment[3];
        cross3(at, way, moment);
        sum->mass += m;
        for (unsigned k = 0; k < 3; k++) {
            sum->centre[k] += m * at[k];
            sum->linear[k] += way[k];
            sum->angular[k] += moment[k];
            for (unsigned j = 0; j < 3; j++)
                second[k][j] += m * at[k] * at[j];
        }
    }
    double moment[3], trace = 0;
    for (unsigned k = 0; k < 3; k++)
        sum->centre[k] /= sum->mass;
    cross3(sum->centre, sum->linear, moment);
    for (unsigned k = 0; k < 3; k++) {
        sum->angular[k] -= moment[k];
        trace += second[k][k] - sum->mass * sum->centre[k] * sum->centre[k];
    }
    for (unsigned k = 0; k < 3; k++)
        for (unsigned j = 0; j < 3; j++)
            sum->inertia[k][j] +=
                (k == j ? trace : 0) - (second[k][j] - sum->mass * sum->centre[k] * sum->centre[j]);
}

static void add_turns(const struct rods *r, struct rod_sums *sum)
{
    for (uint32_t i = 0; i < r->segments; i++) {
        const struct pk_quad *t = &r->turn[i], *w = &r->spin[i];
        const double q[4] = {(double)t->x, (double)t->y, (double)t->z, (double)t->w};
        const double spin[3] = {(double)w->x, (double)w->y, (double)w->z};
        double m[3][3], by[3][3], own[3][3], moment[3];
        turn_matrix(q, m);
        for (unsigned k = 0; k < 3; k++)
            for (unsigned j = 0; j < 3; j++)
                by[k][j] = m[k][j] * (double)r->segment[i].inertia[j];
        product3_back((const double(*)[3])by, (const double(*)[3])m, own);
        times3((const double(*)[3])own, spin, moment);
        for (unsigned k = 0; k < 3; k++) {
            sum->angular[k] += moment[k];
            for (unsigned j = 0; j < 3; j++)
                sum->inertia[k][j] += own[k][j];
        }
    }
}

void rods_expect(const struct rods *r, struct rod_momentum *momentum)
{
    const struct step *step = r->level.step;
    struct rod_sums sum = {0};
    momentum->kept = keeps(r);
    if (!momentum->kept)
        return;
    const double keep = (double)phase_motion(step, r->level.body, false).keep;
    add_points(r, world_start(step->world) + r->level.body->first, &sum);
    add_turns(r, &sum);
    for (unsigned k = 0; k < 3; k++)
        momentum->angular[k] = keep * sum.angular[k];
}

/* Solves s x = b of a symmetric positive definite s. */
static void solve3(const double s[3][3], const double b[3], double x[3])
{
    double rows[3][3];
    for (unsigned k = 0; k < 3; k++)
        cross3(s[(k + 1) % 3], s[(k + 2) % 3], rows[k]);
    const double det = dot3(s[0], rows[0]);
    for (unsigned k = 0; k < 3; k++)
        x[k] = (rows[0][k] * b[0] + rows[1][k] * b[1] + rows[2][k] * b[2]) / det;
}

/* The spin of all that brings what is missing. */
static void find_spin(const struct rod_sums *sum, const double expected[3], double spin[3])
{
    double firm[3][3], left[3], has[3], more[3];
    const double least = LEAST * (sum->inertia[0][0] + sum->inertia[1][1] + sum->inertia[2][2]) / 3;
    memcpy(firm, sum->inertia, sizeof firm);
    for (unsigned k = 0; k < 3; k++) {
        firm[k][k] += least;
        spin[k] = 0;
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        times3((const double(*)[3])sum->inertia, spin, has);
        for (unsigned k = 0; k < 3; k++)
            left[k] = expected[k] - sum->angular[k] - has[k];
        solve3((const double(*)[3])firm, left, more);
        for (unsigned k = 0; k < 3; k++)
            spin[k] += more[k];
    }
}

void rods_restore(const struct rods *r, const struct rod_momentum *momentum)
{
    struct pk_quad *v = world_velocity(r->level.step->world) + r->level.body->first;
    struct rod_sums sum = {0};
    double spin[3], by[3];
    if (!momentum->kept)
        return;
    add_points(r, r->level.x, &sum);
    add_turns(r, &sum);
    find_spin(&sum, momentum->angular, spin);
    if (!(dot3(spin, spin) > 0))
        return;
    for (uint32_t i = 0; i < r->points; i++) {
        const struct pk_quad *x = &r->level.x[i];
        const double arm[3] = {(double)x->x - sum.centre[0], (double)x->y - sum.centre[1],
                               (double)x->z - sum.centre[2]};
        cross3(spin, arm, by);
        v[i].x = (float)((double)v[i].x + by[0]);
        v[i].y = (float)((double)v[i].y + by[1]);
        v[i].z = (float)((double)v[i].z + by[2]);
    }
    for (uint32_t i = 0; i < r->segments; i++) {
        r->spin[i].x = (float)((double)r->spin[i].x + spin[0]);
        r->spin[i].y = (float)((double)r->spin[i].y + spin[1]);
        r->spin[i].z = (float)((double)r->spin[i].z + spin[2]);
    }
}
