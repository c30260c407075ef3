/* untangle.c - what a tangled body is, and how it finds back: see untangle.h.
 *
 * Sums are in double, in the order of the particles, by one thread.
 */
#include "untangle.h"

#include <math.h>
#include <string.h>

/* s: how often a body is looked at, different bodies in different steps; how fast it is led back.
 */
#define LOOK 0.1f
#define BACK 0.025f
/* At rest: no particle's velocity differs from the first one's by more, in spans of the rest shape
 * a second. A body that swings is as slow where it turns, but not for UNTANGLE_SURE looks. */
#define STILL 5e-3
#define SPANS 16u /* particles that the span is taken from */
/* Elsewhere, and back: root mean square distances from the rest shape, in sizes. A size is the root
 * mean square distance from the centre in the rest shape. */
#define ASTRAY 0.02
#define HOME   1e-3
/* Cyclic Jacobi: its error is squared in each of the last sweeps. */
#define SWEEPS 10

static bool free_body(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const uint32_t index = (uint32_t)(body - world_bodies(w));
    if (!(body->flags & BODY_ALIVE) || (body->flags & (BODY_FROZEN | BODY_TANGLES)))
        return false;
    const piola_asset_stats *has = &body_asset(w, body)->stats;
    const bool sheets = has->triangles + has->bends + has->links > 0;
    return has->tetrahedra + has->triangles > 0 && (!sheets || (body->flags & BODY_UNFOLDS)) &&
           body->plastic_count == 0 && momentum_free(step, body) && world_ties(w)[index] == 0 &&
           !body_touched(w, body);
}

/* Mass and centre of a body's particles at x. */
static double centre_of(const float *mass, const struct pk_quad *x, uint32_t count,
                        double centre[3])
{
    double total = 0, sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; ++i) {
        const double m = (double)mass[i];
        total += m;
        sum[0] += m * (double)x[i].x;
        sum[1] += m * (double)x[i].y;
        sum[2] += m * (double)x[i].z;
    }
    for (int k = 0; k < 3; ++k)
        centre[k] = sum[k] / total;
    return total;
}

/* The rest shape beside the shape x: centres, sums of squares, and how they go together. */
struct pairing {
    double mass, from[3], to[3]; /* centres of the rest shape and of x */
    double rest, now;            /* m^2: mean squares of distances from the centres */
    double turn[3][3];           /* m^2: means of rest distance i times distance k */
};

static struct pairing pair_up(const struct step *step, const struct body *body,
                              const struct pk_quad *x)
{
    const piola_asset *asset = body_asset(step->world, body);
    const float *mass = asset_mass(asset);
    const struct pk_quad *rest = asset_rest(asset);
    struct pairing p = {0};
    p.mass = centre_of(mass, rest, body->count, p.from);
    (void)centre_of(mass, x, body->count, p.to);
    for (uint32_t n = 0; n < body->count; ++n) {
        const double share = (double)mass[n] / p.mass;
        const double a[3] = {(double)rest[n].x - p.from[0], (double)rest[n].y - p.from[1],
                             (double)rest[n].z - p.from[2]};
        const double b[3] = {(double)x[n].x - p.to[0], (double)x[n].y - p.to[1],
                             (double)x[n].z - p.to[2]};
        for (int i = 0; i < 3; ++i) {
            p.rest += share * a[i] * a[i];
            p.now += share * b[i] * b[i];
            for (int k = 0; k < 3; ++k)
                p.turn[i][k] += share * a[i] * b[k];
        }
    }
    return p;
}

/* One rotation of Jacobi's method, which makes n[p][q] zero; the columns of v turn with it. */
static void rotate(double n[4][4], double v[4][4], int p, int q)
{
    if (n[p][q] == 0)
        return;
    const double half = (n[q][q] - n[p][p]) / (2 * n[p][q]);
    const double tangent =
        (half < 0 ? -1.0 : 1.0) / (fabs(half) + sqrt(half * half + 1)); /* 0 when half overflows */
    const double c = 1 / sqrt(tangent * tangent + 1), s = tangent * c;
    for (int k = 0; k < 4; ++k) {
        const double a = n[k][p], b = n[k][q];
        n[k][p] = c * a - s * b;
        n[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 4; ++k) {
        const double a = n[p][k], b = n[q][k], e = v[k][p], f = v[k][q];
        n[p][k] = c * a - s * b;
        n[q][k] = s * a + c * b;
        v[k][p] = c * e - s * f;
        v[k][q] = s * e + c * f;
    }
}

/* The rotation that brings the rest shape nearest to the other: Horn 1987, by the eigenvector q of
 * the largest eigenvalue of a symmetric matrix. Returns the mean square distance that is left. */
static double best_rotation(const struct pairing *p, double r[3][3])
{
    const double(*s)[3] = p->turn;
    double v[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    double n[4][4] = {
        {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
        {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1]}};
    for (int sweep = 0; sweep < SWEEPS; ++sweep)
        for (int i = 0; i < 3; ++i)
            for (int k = i + 1; k < 4; ++k)
                rotate(n, v, i, k);
    int most = 0;
    for (int i = 1; i < 4; ++i)
        most = n[i][i] > n[most][most] ? i : most;
    const double w = v[0][most], x = v[1][most], y = v[2][most], z = v[3][most];
    const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(r, turn, sizeof turn);
    return p->rest + p->now - 2 * n[most][most];
}

void untangle_pull(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const struct pk_quad *start = world_start(w) + body->first;
    const struct pk_quad *rest = asset_rest(body_asset(w, body));
    const float *mass = asset_mass(body_asset(w, body));
    struct pk_quad *x = world_position(w) + body->first;
    const double share = (double)(step->dt / (step->dt + BACK));
    double centre[3], r[3][3];
    const struct pairing p = pair_up(step, body, start);
    (void)best_rotation(&p, r);
    (void)centre_of(mass, world_target(w) + body->first, body->count, centre);
    for (uint32_t i = 0; i < body->count; ++i) {
        const double a[3] = {(double)rest[i].x - p.from[0], (double)rest[i].y - p.from[1],
                             (double)rest[i].z - p.from[2]};
        const double b[3] = {(double)start[i].x - p.to[0], (double)start[i].y - p.to[1],
                             (double)start[i].z - p.to[2]};
        double to[3];
        for (int k = 0; k < 3; ++k)
            to[k] = centre[k] + (1 - share) * b[k] +
                    share * (r[k][0] * a[0] + r[k][1] * a[1] + r[k][2] * a[2]);
        if (!(mass[i] > 0))
            continue;
        x[i].x = (float)to[0];
        x[i].y = (float)to[1];
        x[i].z = (float)to[2];
    }
}

static double difference2(const struct pk_quad *a, const struct pk_quad *b)
{
    const double x = (double)a->x - (double)b->x, y = (double)a->y - (double)b->y;
    const double z = (double)a->z - (double)b->z;
    return x * x + y * y + z * z;
}

/* Ends at the first particle that moves: most bodies are told by a few. */
static bool still(const struct step *step, const struct body *body)
{
    const piola_asset *asset = body_asset(step->world, body);
    const struct pk_quad *v = world_velocity(step->world) + body->first, *rest = asset_rest(asset);
    const uint32_t vertices = asset->stats.vertices; /* the first particles */
    double span2 = 0;
    for (uint32_t k = 1; k <= SPANS; ++k) {
        const uint32_t other = (uint32_t)((uint64_t)k * (vertices - 1) / SPANS);
        const double d = difference2(&rest[other], &rest[0]);
        span2 = d > span2 ? d : span2;
    }
    for (uint32_t i = 1; i < vertices; ++i)
        if (!(difference2(&v[i], &v[0]) <= STILL * STILL * span2))
            return false;
    return true;
}

/* Whether the body is further from its rest shape than so many sizes. */
static bool away(const struct step *step, const struct body *body, double sizes, bool at_rest)
{
    double r[3][3];
    if (at_rest && !still(step, body))
        return false;
    const struct pairing p = pair_up(step, body, world_position(step->world) + body->first);
    return best_rotation(&p, r) > sizes * sizes * p.rest;
}

/* The stage of a free body after a look. */
static uint32_t look(const struct step *step, const struct body *body, uint32_t stage)
{
    const bool on = stage < UNTANGLE_SURE ? away(step, body, ASTRAY, true)
                                          : stage < UNTANGLE_LAST && away(step, body, HOME, false);
    return on ? stage + 1 : 0;
}

/* Steps from one look to the next. */
static uint32_t period_of(float dt)
{
    const float steps = LOOK / dt;
    return steps < 4 ? 4 : steps > 1024 ? 1024 : (uint32_t)steps;
}

void untangle_watch(const struct step *step)
{
    const piola_world *w = step->world;
    const uint32_t period = period_of(w->desc.dt);
    for (uint32_t i = 0; i < w->desc.max_bodies; ++i) {
        struct body *body = &world_bodies(w)[i];
        const bool due = (world_clock(w)->step + i) % period == 0;
        uint32_t stage = untangle_stage(body);
        if (stage == 0 && !due)
            continue;
        if (!free_body(step, body))
            stage = 0;
        else if (due)
            stage = look(step, body, stage);
        if (untangles(body))
            body->history = 0; /* no guess and no second-order step from how it was pulled */
        body->flags = (body->flags & ~UNTANGLE_FLAGS) | stage << UNTANGLE_SHIFT;
    }
}
