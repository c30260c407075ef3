/* Dynamics of solids: momentum in free flight, Appendix A of the paper, vibration, damping,
 * plasticity.
 *
 * covers: src/motion/
 */
#include "fixture.h"
#include "ref_fem.h"
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

static const struct {
    piola_solver solver;
    const char *name;
    float dt;
} solvers[] = {
    {PIOLA_SOLVER_DESCENT, "descent", 0.005f},
    {PIOLA_SOLVER_ENERGY, "energy", 0.005f},
    {PIOLA_SOLVER_COMPLIANT, "compliant", 0.005f},
    {PIOLA_SOLVER_EXPLICIT, "explicit", 2e-4f},
};

static piola_world_desc weightless(piola_solver solver, float dt, uint32_t iterations)
{
    piola_world_desc d = piola_world_desc_default();
    d.solver = solver;
    d.dt = dt;
    d.iterations = iterations;
    d.max_packs = 4096;
    d.max_plastic_packs = 4096;
    memset(d.gravity, 0, sizeof d.gravity);
    return d;
}

/* A tumbling, trembling bar keeps P and L over 10,000 steps; its speed times mass, and its L, are
 * the scale. */
static void keeps_momentum(int which, piola_model model, uint32_t cluster,
                           piola_integrator integrator)
{
    piola_material m = piola_material_default();
    m.model = model;
    m.young = 1e4f;
    m.poisson = 0.3f;
    piola_world_desc d = weightless(solvers[which].solver, solvers[which].dt,
                                    solvers[which].solver == PIOLA_SOLVER_EXPLICIT ? 1 : 5);
    d.integrator = integrator;
    piola_world *world = fixture_world(&d);
    piola_body_desc b = piola_body_desc_default();
    b.asset = fixture_beam_of(6, 2, 2, 0.1, &m, cluster);
    const float v[3] = {0.3f, -0.2f, 0.1f}, w[3] = {0.5f, 1.0f, -2.0f};
    memcpy(b.velocity, v, sizeof v);
    memcpy(b.angular_velocity, w, sizeof w);
    piola_body body;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, 5, 0.5f, 0.2f, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, 40, -0.5f, 0.1f, 0.3f);
    fixture_steps(world, NULL, 1);
    piola_body_info before, after;
    fixture_ok(piola_body_inspect(world, body, &before), NULL);
    const int steps = fixture_count(10000, 500);
    fixture_steps(world, NULL, steps);
    fixture_ok(piola_body_inspect(world, body, &after), NULL);
    const double scale_p = before.mass * 0.4;
    double worst_p = 0, worst_l = 0, l = 0, orbit_before[3], orbit_after[3];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        orbit_before[k] = before.angular_momentum[k] - (before.centre[i] * before.momentum[j] -
                                                        before.centre[j] * before.momentum[i]);
        orbit_after[k] = after.angular_momentum[k] - (after.centre[i] * after.momentum[j] -
                                                      after.centre[j] * after.momentum[i]);
        l += orbit_before[k] * orbit_before[k];
        worst_p = fmax(worst_p, fabs(after.momentum[k] - before.momentum[k]));
    }
    for (int k = 0; k < 3; ++k)
        worst_l = fmax(worst_l, fabs(orbit_after[k] - orbit_before[k]));
    printf("%s, model %d, %d steps: P off by %.1e, L by %.1e of their size\n", solvers[which].name,
           (int)model, steps, worst_p / scale_p, worst_l / sqrt(l));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, worst_p / scale_p);
    TEST_ASSERT_DOUBLE_WITHIN(2e-5, 0, worst_l / sqrt(l));
}

static void test_free_flight_keeps_momentum(void)
{
    for (int s = 0; s < 4; ++s) {
        keeps_momentum(s, PIOLA_MODEL_STABLE_NEO_HOOKEAN, 0, PIOLA_INTEGRATOR_EULER);
        keeps_momentum(s, PIOLA_MODEL_STVK, 0, PIOLA_INTEGRATOR_EULER);
    }
    keeps_momentum(0, PIOLA_MODEL_NEO_HOOKEAN, 0, PIOLA_INTEGRATOR_BDF2);
    keeps_momentum(0, PIOLA_MODEL_STABLE_NEO_HOOKEAN, 64, PIOLA_INTEGRATOR_EULER);
    keeps_momentum(1, PIOLA_MODEL_STVK, 64, PIOLA_INTEGRATOR_BDF2);
}

/* The paper's solver conserves linear momentum by itself, and so do XPBD and EXPLICIT, to the
 * rounding of positions: 3e-8 m for each of some 10 elements at each of 45 particles in each of
 * 2,000 steps, at random. The bound is four times the expected length of that walk. */
static void test_projections_keep_linear_momentum_unaided(void)
{
    for (int s = 1; s < 4; ++s) {
        piola_material m = piola_material_default();
        m.model = PIOLA_MODEL_STVK;
        m.young = 1e4f;
        piola_world_desc d = weightless(solvers[s].solver, solvers[s].dt, 1);
        d.keep_momentum = false;
        piola_world *world = fixture_world(&d);
        const piola_body body = fixture_body(world, fixture_beam_of(4, 2, 2, 0.1, &m, 0), 0, 0, 0);
        fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, 5, 1, 0.2f, 0);
        fixture_steps(world, NULL, 2000);
        piola_body_info info;
        fixture_ok(piola_body_inspect(world, body, &info), NULL);
        const double walk = info.mass * 3e-8 / (double)solvers[s].dt * sqrt(2000.0 * 10 / 45) * 4;
        TEST_ASSERT_DOUBLE_WITHIN(walk, 1, info.momentum[0]);
        TEST_ASSERT_DOUBLE_WITHIN(walk, 0.2, info.momentum[1]);
        TEST_ASSERT_DOUBLE_WITHIN(walk, 0, info.momentum[2]);
    }
}

/* The material of a model as the engine and as the reference have it. */
static ref_material both_of(piola_model model, double k, piola_material *m)
{
    static const float general[21] = {1.35f, 0.58f, 0.58f, 0,    0.05f, 0,     1.35f,
                                      0.58f, 0,     0,     0.1f, 1.35f, 0,     0,
                                      0,     0.38f, 0,     0,    0.38f, 0.05f, 0.38f};
    const double nu = (double)0.3f;
    const ref_mat3 frame = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    ref_material r = ref_stvk(k, nu);
    *m = piola_material_default();
    m->model = model;
    m->young = (float)k;
    m->poisson = 0.3f;
    const ref_orthotropic o = {k, 2 * k, 3 * k, 0.125, 0.125 / 3, 0.25, 0.5 * k, 0.5 * k, 0.5 * k};
    for (int i = 0; i < 3; ++i) {
        m->young_axis[i] = (float)(k * (i + 1));
        m->shear_axis[i] = (float)(0.5 * k);
    }
    m->poisson_axis[0] = 0.125f;
    m->poisson_axis[1] = 0.25f;
    m->poisson_axis[2] = 0.125f; /* nu31, so nu13 = nu31 E1 / E3 */
    double c[36];
    for (int i = 0, n = 0; i < 6; ++i)
        for (int j = i; j < 6; ++j, ++n) {
            m->stiffness[n] = (float)k * general[n];
            c[6 * i + j] = c[6 * j + i] = (double)m->stiffness[n];
        }
    if (model == PIOLA_MODEL_NEO_HOOKEAN)
        r = ref_neo_hookean(k, nu, REF_NEO_HOOKEAN_S_MIN);
    else if (model == PIOLA_MODEL_STABLE_NEO_HOOKEAN)
        r = ref_stable_neo_hookean(k, nu, 0);
    else if (model == PIOLA_MODEL_STVK_ORTHOTROPIC)
        TEST_ASSERT_TRUE(ref_stvk_orthotropic(&r, &o, frame));
    else if (model == PIOLA_MODEL_STVK_GENERAL)
        TEST_ASSERT_TRUE(ref_stvk_general(&r, c, frame));
    return r;
}

/* EXPLICIT, one iteration: the forces are those of finite elements at the predicted positions, and
 * the step is theirs to rounding. So stiff that the forces make nearly all of the velocities.
 * Positions of about 1 m, rounded, are strains off by a few 6e-8, however small the strain is. An
 * error of 1e-5 of the usual force here would be seen, and of 1e-4 of the least. */
static void one_explicit_step(piola_model model, uint64_t *random)
{
    const double dt = (double)1e-3f, k = 1e9, strain = 5e-7;
    ref_mesh mesh;
    ref_fem fem;
    piola_material m;
    const ref_material rm = both_of(model, k, &m);
    TEST_ASSERT_TRUE(ref_mesh_single(&mesh, 1));
    TEST_ASSERT_TRUE(ref_fem_create(&fem, &mesh, &rm, 1, NULL, 1000));
    const piola_mesh_desc md = fixture_mesh(&mesh, &m);
    piola_world_desc d = weightless(PIOLA_SOLVER_EXPLICIT, 1e-3f, 1);
    d.gravity[1] = -9.81f;
    d.keep_momentum = false;
    piola_world *world = fixture_world(&d);
    const piola_body body = fixture_body(world, fixture_compile(&md), 0, 0, 0);
    float x[12], v[12];
    double at[12], gradient[12];
    for (int c = 0; c < 12; ++c) {
        x[c] = (float)(mesh.x[c] + 0.3 * (fixture_uniform(random) - 0.5));
        v[c] = (float)(2 * fixture_uniform(random) - 1);
        const double g = c % 3 == 1 ? (double)-9.81f : 0;
        at[c] = (double)x[c] + dt * ((double)v[c] + dt * g);
    }
    fixture_ok(piola_body_set_positions(world, body, 0, 4, x, NULL), NULL);
    fixture_ok(piola_body_set_velocities(world, body, 0, 4, v, NULL), NULL);
    fixture_steps(world, NULL, 1);
    fixture_ok(piola_body_velocities(world, body, 0, 4, v), NULL);
    ref_fem_energy_gradient(&fem, at, gradient);
    for (int c = 0; c < 12; ++c) {
        const double mass = fem.mass[c / 3];
        const double want = (at[c] - (double)x[c]) / dt - dt * gradient[c] / mass;
        TEST_ASSERT_DOUBLE_WITHIN(strain * k * dt / mass, want, (double)v[c]);
    }
    ref_fem_free(&fem);
    ref_mesh_free(&mesh);
    fixture_clean();
}

static void test_appendix_a(void)
{
    uint64_t random = fixture_seed();
    for (int round = 0; round < 100; ++round)
        one_explicit_step((piola_model)(round % PIOLA_MODEL_COUNT), &random);
}

/* Largest speed of a bar's end after `seconds`, having been plucked at the start. */
static double trembling(piola_model model, float material_damping, float seconds)
{
    piola_material m = piola_material_default();
    m.model = model;
    m.young = 2e5f;
    m.poisson = 0.3f;
    m.damping = material_damping;
    piola_world_desc d = weightless(PIOLA_SOLVER_DESCENT, 0.002f, 20);
    d.integrator = PIOLA_INTEGRATOR_BDF2;
    piola_world *world = fixture_world(&d);
    const piola_body body = fixture_body(world, fixture_beam_of(8, 1, 1, 0.05, &m, 0), 0, 0, 0);
    for (uint32_t v = 0; v < 4; ++v) {
        fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, v, 0, 0.02f, 0);
        fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, 32 + v, 0, 0.02f, 0);
        fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, 16 + v, 0, -0.04f, 0);
    }
    fixture_steps(world, NULL, (int)(seconds / d.dt));
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    return info.kinetic_energy;
}

static void test_material_damping_takes_energy_and_no_momentum(void)
{
    static const piola_model models[] = {PIOLA_MODEL_STVK, PIOLA_MODEL_STABLE_NEO_HOOKEAN};
    for (int k = 0; k < 2; ++k) {
        double lively = 0, damped = 0;
        for (int i = 0; i < 10; ++i) {
            lively += trembling(models[k], 0, 0.2f + 0.004f * (float)i);
            damped += trembling(models[k], 0.01f, 0.2f + 0.004f * (float)i);
        }
        printf(
            "model %d: kinetic energy of a plucked bar after 0.2 s: %.3e J free, %.3e J damped\n",
            (int)models[k], lively / 10, damped / 10);
        TEST_ASSERT_TRUE(damped < 0.2 * lively);
    }
    piola_material m = piola_material_default();
    m.damping = 0.02f;
    const piola_world_desc d = weightless(PIOLA_SOLVER_DESCENT, 0.005f, 5);
    piola_world *world = fixture_world(&d);
    piola_body_desc b = piola_body_desc_default();
    b.asset = fixture_beam_of(4, 2, 2, 0.1, &m, 0);
    b.angular_velocity[1] = 3;
    b.velocity[0] = 1;
    piola_body body;
    piola_body_info before, after;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    fixture_ok(piola_body_inspect(world, body, &before), NULL);
    fixture_steps(world, NULL, 2000);
    fixture_ok(piola_body_inspect(world, body, &after), NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, before.momentum[0], after.momentum[0]);
    const double spin0 = before.angular_momentum[1] - (before.centre[2] * before.momentum[0] -
                                                       before.centre[0] * before.momentum[2]);
    const double spin1 = after.angular_momentum[1] - (after.centre[2] * after.momentum[0] -
                                                      after.centre[0] * after.momentum[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5 * spin0, spin0, spin1);
}

/* What a pushed, turning bar has after 2,000 steps of a projection solver that nothing puts right,
 * less what it had after one: momentum; and its spin as a share of what it was. */
static double unaided(int which, float dt, float damping, double lost[3])
{
    piola_material m = piola_material_default();
    m.model = PIOLA_MODEL_STVK;
    m.young = 1e4f;
    m.damping = damping;
    piola_world_desc d = weightless(solvers[which].solver, dt, 1);
    d.keep_momentum = false;
    piola_world *world = fixture_world(&d);
    piola_body_desc b = piola_body_desc_default();
    b.asset = fixture_beam_of(4, 2, 2, 0.1, &m, 0);
    b.angular_velocity[1] = 3;
    piola_body body;
    piola_body_info info[2];
    double spin[2];
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, 5, 1, 0.2f, 0);
    for (int i = 0; i < 2; ++i) {
        fixture_steps(world, NULL, i ? 2000 : 1);
        fixture_ok(piola_body_inspect(world, body, &info[i]), NULL);
        spin[i] = info[i].angular_momentum[1] - info[i].centre[2] * info[i].momentum[0] +
                  info[i].centre[0] * info[i].momentum[2];
    }
    for (int k = 0; k < 3; ++k)
        lost[k] = info[1].momentum[k] - info[0].momentum[k];
    return spin[1] / spin[0];
}

/* Material damping takes no momentum by itself: P is off by a walk of rounding, as in
 * test_projections_keep_linear_momentum_unaided (thrice that: the bar moves on and turns, and
 * rounding leans), and the spin is what it is without damping. Long steps of a solver that ends in
 * implicit Euler take a share of any spin. */
static void test_material_damping_keeps_momentum_unaided(void)
{
    for (int s = 1; s < 4; ++s) {
        const float dt = solvers[s].solver == PIOLA_SOLVER_EXPLICIT ? 1e-3f : solvers[s].dt;
        double lost[3], ignored[3];
        const double damped = unaided(s, dt, 0.02f, lost), free = unaided(s, dt, 0, ignored);
        const double walk = 16 * 3e-8 / (double)dt * sqrt(2000.0 * 20 / 45) * 4;
        printf("%s, unaided: spin %.4f of what it was, %.4f without damping; P off by %.1e, %.1e, "
               "%.1e\n",
               solvers[s].name, damped, free, lost[0], lost[1], lost[2]);
        for (int k = 0; k < 3; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(3 * walk, 0, lost[k]);
        TEST_ASSERT_DOUBLE_WITHIN(0.03, free, damped);
    }
}

/* A free body falls as a point does, whatever the solver and however few the iterations. */
static void test_bodies_fall_as_fast_as_points(void)
{
    for (int s = 0; s < 3; ++s) {
        piola_material m = piola_material_default();
        m.young = 1e7f;
        piola_world_desc d = weightless(solvers[s].solver, 0.01f, 1);
        d.gravity[1] = -9.81f;
        piola_world *world = fixture_world(&d);
        const piola_body body = fixture_body(world, fixture_beam_of(6, 2, 2, 0.1, &m, 0), 0, 0, 0);
        piola_body_info before, after;
        fixture_ok(piola_body_inspect(world, body, &before), NULL);
        fixture_steps(world, NULL, 100);
        fixture_ok(piola_body_inspect(world, body, &after), NULL);
        TEST_ASSERT_DOUBLE_WITHIN(2e-4, -9.81 * 1.01 / 2, after.centre[1] - before.centre[1]);
    }
}

/* Stretched, held, released: what stays is bounded by `max`, and is nothing without flow. */
static double lasting_stretch(float yield, float creep, float max, piola_solver solver)
{
    piola_material m = piola_material_default();
    m.model = PIOLA_MODEL_STVK;
    m.young = 1e5f;
    m.poisson = 0.3f;
    m.plastic_yield = yield;
    m.plastic_creep = creep;
    m.plastic_max = max;
    const piola_world_desc d = weightless(solver, 0.005f, 20);
    piola_world *world = fixture_world(&d);
    piola_body_desc b = piola_body_desc_default();
    b.asset = fixture_beam_of(6, 1, 1, 0.1, &m, 0);
    b.damping = 100; /* creeps back rather than springs back, which would flow again */
    piola_body body;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    for (int step = 0; step < 400; ++step) {
        const float pull = 0.3f * fminf(1, (float)step / 100);
        for (uint32_t v = 0; v < 4 && step <= 300; ++v) {
            const uint32_t kind = step < 300 ? PIOLA_COMMAND_BODY_PIN : PIOLA_COMMAND_BODY_UNPIN;
            const uint32_t row = v / 2, column = v % 2;
            const float y = 0.1f * (float)row, z = 0.1f * (float)column;
            fixture_push(world, kind, body, v, 0, y, z);
            fixture_push(world, kind, body, 24 + v, 0.6f + pull, y, z);
        }
        fixture_steps(world, NULL, 1);
    }
    fixture_steps(world, NULL, 2000);
    float p[3], q[3];
    fixture_ok(piola_body_positions(world, body, 0, 1, p), NULL);
    fixture_ok(piola_body_positions(world, body, 24, 1, q), NULL);
    return sqrt(pow((double)(q[0] - p[0]), 2) + pow((double)(q[1] - p[1]), 2) +
                pow((double)(q[2] - p[2]), 2)) /
               0.6 -
           1;
}

static void test_plastic_flow(void)
{
    const double elastic = lasting_stretch(0, 0, 0, PIOLA_SOLVER_DESCENT);
    const double flowed = lasting_stretch(0.05f, 5, 0.3f, PIOLA_SOLVER_DESCENT);
    const double bounded = lasting_stretch(0.05f, 5, 0.05f, PIOLA_SOLVER_DESCENT);
    const double strong = lasting_stretch(2, 5, 0.3f, PIOLA_SOLVER_DESCENT);
    printf("lasting strain: elastic %.4f, flowed %.4f, bounded %.4f, below yield %.4f\n", elastic,
           flowed, bounded, strong);
    TEST_ASSERT_DOUBLE_WITHIN(0.003, 0, elastic);
    TEST_ASSERT_DOUBLE_WITHIN(0.003, 0, strong);
    TEST_ASSERT_TRUE(flowed > 0.15);
    TEST_ASSERT_TRUE(bounded > 0.01 && bounded < 0.06);
    TEST_ASSERT_TRUE(lasting_stretch(0.05f, 5, 0.3f, PIOLA_SOLVER_ENERGY) > 0.1);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_free_flight_keeps_momentum);
    RUN_TEST(test_projections_keep_linear_momentum_unaided);
    RUN_TEST(test_appendix_a);
    RUN_TEST(test_material_damping_takes_energy_and_no_momentum);
    RUN_TEST(test_material_damping_keeps_momentum_unaided);
    RUN_TEST(test_bodies_fall_as_fast_as_points);
    RUN_TEST(test_plastic_flow);
    return UNITY_END();
}
