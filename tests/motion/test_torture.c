/* Abuse: bodies crushed to a point, to a plane, turned inside out, scattered at random, at all
 * stiffnesses and time steps. No NaN ever; the rest shape comes back, and how long that took is
 * printed.
 *
 * covers: src/motion/phases.c
 */
#include "fixture.h"
#include "recovered.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

enum { POINT, PLANE, MIRROR, BALL, WAYS };
static const char *const way_names[WAYS] = {"a point", "a plane", "mirrored", "random"};

#define VERTICES 36 /* of a bar of 3 x 2 x 2 cells */

static void in_ball(uint64_t *random, double radius, float x[3])
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < 3; ++k) {
            const double at = 2 * fixture_uniform(random) - 1;
            x[k] = (float)(radius * at);
            square += at * at;
        }
    } while (square > 1);
}

static void abuse(int way, uint64_t *random, const float *rest, float *x)
{
    for (int i = 0; i < 3 * VERTICES; ++i) {
        const int axis = i % 3;
        switch (way) {
        case POINT:
            x[i] = 0.1f;
            break;
        case PLANE:
            x[i] = axis == 1 ? 0 : rest[i];
            break;
        case MIRROR:
            x[i] = axis == 0 ? -rest[i] : rest[i];
            break;
        default:
            if (axis == 0)
                in_ball(random, 0.3, &x[i]);
        }
    }
}

/* Root mean square distance of x from the best rigid placement of rest, by Horn's quaternion: the
 * largest eigenvalue of a symmetric 4x4 matrix, by power iteration on the matrix shifted to be
 * positive. */
static double away_from_rest(const float *rest, const float *x)
{
    double c[3] = {0}, r[3] = {0}, s[3][3] = {{0}}, size = 0;
    for (int i = 0; i < 3 * VERTICES; ++i) {
        c[i % 3] += (double)x[i] / VERTICES;
        r[i % 3] += (double)rest[i] / VERTICES;
    }
    for (int v = 0; v < VERTICES; ++v)
        for (int i = 0; i < 3; ++i) {
            const double a = (double)rest[3 * v + i] - r[i], b = (double)x[3 * v + i] - c[i];
            size += a * a + b * b;
            for (int k = 0; k < 3; ++k)
                s[i][k] += a * ((double)x[3 * v + k] - c[k]);
        }
    const double n[4][4] = {
        {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
        {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1]}};
    double q[4] = {0.5, 0.5, 0.5, 0.5}, length = 0;
    for (int round = 0; round < 2000; ++round) {
        double p[4];
        length = 0;
        for (int i = 0; i < 4; ++i) {
            p[i] = size * q[i];
            for (int k = 0; k < 4; ++k)
                p[i] += n[i][k] * q[k];
            length += p[i] * p[i];
        }
        length = sqrt(length);
        double moved = 0;
        for (int i = 0; i < 4; ++i) {
            moved = fmax(moved, fabs(p[i] / length - q[i]));
            q[i] = p[i] / length;
        }
        if (moved < 1e-9)
            break;
    }
    return sqrt(fmax(0, size - 2 * (length - size)) / VERTICES);
}

/* Returns the seconds until the shape is within 1 % of the bar's length, or -1 if it never was. */
static double recover(piola_world *world, piola_body body, const float *rest, double seconds,
                      bool must_be_finite, int *led)
{
    float x[3 * VERTICES];
    piola_report report = {0};
    bool untangled = false;
    for (int step = 0; report.time < seconds || step == 0; ++step) {
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        if (must_be_finite)
            TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
        *led += report.untangling > 0 && !untangled;
        untangled = untangled || report.untangling > 0;
        if (step % 10 != 9)
            continue;
        fixture_ok(piola_body_positions(world, body, 0, VERTICES, x), NULL);
        for (int i = 0; i < 3 * VERTICES; ++i)
            TEST_ASSERT_TRUE(isfinite(x[i]));
        if (away_from_rest(rest, x) < 0.01 * 0.3)
            return report.time;
    }
    return -1;
}

static piola_world *torture_world(piola_solver solver, const piola_material *m, float dt,
                                  piola_body *body, float *rest)
{
    piola_world_desc d = piola_world_desc_default();
    d.max_bodies = 1;
    d.max_particles = 256;
    d.max_packs = d.max_plastic_packs = 256;
    d.solver = solver;
    d.dt = dt;
    d.iterations = 10;
    memset(d.gravity, 0, sizeof d.gravity);
    piola_world *world = fixture_world(&d);
    piola_body_desc b = piola_body_desc_default();
    b.asset = fixture_beam_of(3, 2, 2, 0.1, m, 0);
    b.damping = 2;
    fixture_ok(piola_body_create(world, &b, body, NULL), NULL);
    fixture_ok(piola_body_positions(world, *body, 0, VERTICES, rest), NULL);
    return world;
}

static const piola_model models[] = {PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_MODEL_STVK,
                                     PIOLA_MODEL_NEO_HOOKEAN};

/* Every body finds back, at k = 1e5 Pa, nu = 0.3, dt 5 ms. Some do by being untangled: a vertex
 * star can be wound twice around an edge with every element upright, which is a true minimum of the
 * energy that no local solver leaves; the exact minimiser of tests/reference stays in it too. */
static void comes_back(int m, int way)
{
    uint64_t random = fixture_seed();
    const int tries = fixture_count(50, 8);
    int back = 0, led = 0;
    double sum = 0, worst = 0;
    for (int i = 0; i < tries; ++i) {
        piola_material material = piola_material_default();
        material.model = models[m];
        material.poisson = 0.3f;
        piola_body body;
        float rest[3 * VERTICES], x[3 * VERTICES];
        piola_world *world = torture_world(PIOLA_SOLVER_DESCENT, &material, 0.005f, &body, rest);
        abuse(way, &random, rest, x);
        for (int k = 0; k < 3 * VERTICES; ++k)
            x[k] += (float)(1e-3 * (2 * fixture_uniform(&random) - 1));
        fixture_ok(piola_body_set_positions(world, body, 0, VERTICES, x, NULL), NULL);
        const double time = recover(world, body, rest, 10, true, &led);
        back += time >= 0;
        sum += time >= 0 ? time : 0;
        worst = fmax(worst, time);
        fixture_clean();
    }
    printf("model %d from %s: %d of %d back, %d led, after %.2f s in the mean, %.2f s at most\n",
           (int)models[m], way_names[way], back, tries, led, back ? sum / back : 0, worst);
    TEST_ASSERT_EQUAL(tries, back);
    TEST_ASSERT_TRUE(led <= tries / 2);
}

static void test_shapes_come_back(void)
{
    for (int m = 0; m < 3; ++m)
        for (int way = 0; way < WAYS; ++way)
            comes_back(m, way);
}

/* ---- many seeds ---- */

/* Everything that may be drawn, and what became of it. */
struct trial {
    piola_material material;
    piola_solver solver;
    float dt;
    int way;
    double own, time; /* s: how long the bar takes to swing or creep back; until it did, or -1 */
};

#define DAMPING 2.0 /* 1/s, of the bodies */

static const piola_model all_models[] = {PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_MODEL_STVK,
                                         PIOLA_MODEL_STVK_ORTHOTROPIC, PIOLA_MODEL_STVK_GENERAL,
                                         PIOLA_MODEL_NEO_HOOKEAN};

/* Moduli of the size of k, along the axes of an orthotropic material, and all 21 of a general one:
 * an isotropic one with nu = 0.3 and some couplings more. */
static void set_anisotropic(piola_material *m, float k)
{
    static const float axis[3] = {1, 2, 4};
    static const float general[21] = {1.35f, 0.58f, 0.58f, 0,     0.01f, 0,     1.35f,
                                      0.58f, 0,     0,     0.02f, 1.35f, 0,     0,
                                      0,     0.38f, 0,     0,     0.38f, 0.01f, 0.38f};
    for (int i = 0; i < 3; ++i) {
        m->young_axis[i] = k * axis[i];
        m->poisson_axis[i] = 0.1f;
        m->shear_axis[i] = 0.5f * k;
    }
    for (int i = 0; i < 21; ++i)
        m->stiffness[i] = k * general[i];
}

static double between(uint64_t *random, double low, double high)
{
    return low * pow(high / low, fixture_uniform(random));
}

/* Stiffness 1e2 to 1e9 Pa, nu -0.9 to 0.499, dt 0.1 to 33 ms; where EXPLICIT is stable: soft, not
 * far from nu = 0, and the smallest dt. */
static struct trial draw(uint64_t *random, bool is_explicit, bool plastic)
{
    struct trial t = {.material = piola_material_default(), .time = -1};
    piola_material *m = &t.material;
    t.solver = is_explicit ? PIOLA_SOLVER_EXPLICIT : (piola_solver)(fixture_random(random) % 3);
    m->model = all_models[fixture_random(random) % 5];
    m->young = (float)between(random, 1e2, is_explicit ? 1e5 : 1e9);
    m->poisson = (float)(is_explicit ? 0.3 * fixture_uniform(random)
                                     : -0.9 + 1.399 * fixture_uniform(random));
    m->damping = fixture_random(random) % 2 && !is_explicit ? 0.01f : 0;
    set_anisotropic(m, m->young);
    t.dt = (float)(is_explicit ? 1e-4 : between(random, 1e-4, 33e-3));
    t.way = (int)(fixture_random(random) % WAYS);
    if (plastic) {
        m->model = all_models[1 + fixture_random(random) % 3];
        m->plastic_yield = 0.01f;
        m->plastic_creep = 20;
        m->plastic_max = 0.3f;
    }
    const double wave = 0.3 * sqrt((double)m->density / (double)m->young);
    t.own = wave + (double)m->damping + DAMPING * wave * wave;
    return t;
}

static const char *const solver_names[] = {"DESCENT", "ENERGY", "COMPLIANT", "EXPLICIT"};
static const char *const model_names[] = {"SNH", "StVK", "orthotropic", "general", "NH"};

static void tell(const char *what, const struct trial *t)
{
    printf("%s: %s, %s, k %.2e, nu %.3f, dt %.2e, from %s, damping %.3f, own time %.3f s\n", what,
           solver_names[t->solver], model_names[t->material.model], (double)t->material.young,
           (double)t->material.poisson, (double)t->dt, way_names[t->way],
           (double)t->material.damping, t->own);
}

/* Horizon: the time that any body may need, and the time that one is watched before it is led back,
 * several times. */
static double horizon(const struct trial *t)
{
    return 5 + 20 * t->own;
}

/* COMPLIANT adds corrections of about dt^2 k / rho h^2 of a strain to positions in single
 * precision. Where that is near their rounding the last percents of a strain are never undone: such
 * bars come to rest some percent away from their shape. */
static bool rounds_away(const struct trial *t)
{
    const double share = (double)t->dt * (double)t->dt * (double)t->material.young /
                         ((double)t->material.density * 0.1 * 0.1);
    return t->solver == PIOLA_SOLVER_COMPLIANT && share < 1e-5;
}

/* With a negative lambda the energy of the Neo-Hookeans is lower in a crushed state than at rest:
 * E(s I) < 0 for some s; the paper's from nu < 0 on, the stable one from nu < -0.28 on. What is
 * found there is mostly led back, but where it is strained no more than honest bodies it may stay.
 */
static bool lower_elsewhere(const struct trial *t)
{
    const piola_model model = t->material.model;
    return (model == PIOLA_MODEL_NEO_HOOKEAN && t->material.poisson < 0) ||
           (model == PIOLA_MODEL_STABLE_NEO_HOOKEAN && t->material.poisson < -0.28f);
}

static bool finite_body(const piola_world *world, piola_body body)
{
    float x[3 * VERTICES];
    bool finite = true;
    fixture_ok(piola_body_positions(world, body, 0, VERTICES, x), NULL);
    for (int k = 0; k < 3 * VERTICES; ++k)
        finite = finite && isfinite(x[k]);
    return finite;
}

/* True when no number broke. What must recover is stepped until it did and stays for three looks
 * (0.02 s or a step apart), or until the horizon; the rest for a while. */
static bool survives(struct trial *t, bool must_recover, uint64_t *random)
{
    piola_body body;
    float rest[3 * VERTICES], x[3 * VERTICES];
    piola_report report = {0};
    piola_world *world = torture_world(t->solver, &t->material, t->dt, &body, rest);
    abuse(t->way, random, rest, x);
    fixture_ok(piola_body_set_positions(world, body, 0, VERTICES, x, NULL), NULL);
    const uint64_t look = t->dt > 0.02f ? 1 : (uint64_t)(0.02f / t->dt);
    int home = 0;
    do {
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        if (!must_recover || report.step % look != 0)
            continue;
        fixture_ok(piola_body_positions(world, body, 0, VERTICES, x), NULL);
        home = away_from_rest(rest, x) < 0.01 * 0.3 ? home + 1 : 0;
        if (home == 1)
            t->time = report.time;
    } while (home < 3 && report.frozen == 0 &&
             (must_recover ? report.time < horizon(t) : report.step < 100));
    if (home < 3)
        t->time = -1;
    const bool good = report.frozen == 0 && finite_body(world, body);
    fixture_clean();
    return good;
}

/* A trial that is drawn again until it takes no more than so many steps to its horizon. */
static struct trial draw_short(uint64_t *random, bool is_explicit, bool plastic, double most)
{
    struct trial t;
    do
        t = draw(random, is_explicit, plastic);
    while (!is_explicit && !plastic && horizon(&t) / (double)t.dt > most);
    return t;
}

/* No seed breaks a number; elastic bodies, but one in fifty, find their rest shape again, to 1 % of
 * its length, in 5 s and 20 times its own time. Of ten bodies one is plastic and one EXPLICIT:
 * those need not. Long ones, soft with small steps, are among the proofs only. */
static void test_many_seeds(void)
{
    uint64_t random = fixture_seed();
    const bool proofs = getenv("PIOLA_PROOFS") != NULL;
    const int seeds = proofs ? 10000 : fixture_count(180, 10);
    double *times[3];
    int count[3] = {0}, tries[3] = {0}, broken = 0, lost = 0, rounded = 0, fell = 0;
    for (int s = 0; s < 3; ++s)
        times[s] = malloc((size_t)seeds * sizeof **times);
    for (int i = 0; i < seeds; ++i) {
        const bool plastic = i % 10 == 0, is_explicit = i % 10 == 5;
        struct trial t = draw_short(&random, is_explicit, plastic, proofs ? 1e300 : 1e4);
        const bool good = survives(&t, !plastic && !is_explicit, &random);
        broken += !good;
        if (!good)
            tell("broken", &t);
        if (plastic || is_explicit)
            continue;
        const bool excused = t.time < 0 && (rounds_away(&t) || lower_elsewhere(&t));
        ++tries[t.solver];
        if (t.time >= 0)
            times[t.solver][count[t.solver]++] = t.time;
        else
            tell("not back", &t);
        lost += t.time < 0 && !excused;
        rounded += excused && rounds_away(&t);
        fell += excused && !rounds_away(&t);
    }
    for (int s = 0; s < 3; ++s) {
        print_recovered(solver_names[s], times[s], count[s], tries[s]);
        free(times[s]);
    }
    printf("not back, for a reason: %d too soft for their steps, %d with lower energy elsewhere\n",
           rounded, fell);
    TEST_ASSERT_EQUAL_INT(0, broken);
    /* Some that chance draws stay tangled without a reason that is known:
     * docs/guide/known-limits.md. */
    TEST_ASSERT_TRUE(lost <= 1 + (tries[0] + tries[1] + tries[2]) / 50);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_shapes_come_back);
    RUN_TEST(test_many_seeds);
    return UNITY_END();
}
