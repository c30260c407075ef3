/* covers: src/motion/damping.c
 *
 * Damping against the damped oscillator: links, attachments, bends, materials by mass and by
 * stiffness (Rayleigh), and a body relative to its own rigid motion. Momentum stays where nothing
 * outside damps. */
#include "fixture.h"
#include "ref_mesh.h"
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

#define PI 3.14159265358979

static piola_world_desc quiet(piola_solver solver, double dt, uint32_t iterations)
{
    piola_world_desc d = piola_world_desc_default();
    d.solver = solver;
    d.dt = (float)dt;
    d.iterations = iterations;
    d.integrator = PIOLA_INTEGRATOR_BDF2;
    d.max_packs = d.max_link_packs = 4096;
    d.max_attachments = 16;
    d.max_commands = 4096;
    memset(d.gravity, 0, sizeof d.gravity);
    return d;
}

static void place(piola_world *world, piola_body body, const float *x, const float *v, uint32_t n)
{
    fixture_ok(piola_body_set_positions(world, body, 0, n, x, NULL), NULL);
    fixture_ok(piola_body_set_velocities(world, body, 0, n, v, NULL), NULL);
}

/* Two masses of 1 kg, apart by 1 m and `stretch`, on one link. Sampled: the length. */
static const piola_asset *made_pair(double compliance, double damping, double mass_damping)
{
    static double x[6] = {0, 0, 0, 1, 0, 0};
    static uint32_t link[2] = {0, 1};
    float c = (float)compliance, d = (float)damping;
    piola_material m = piola_material_default();
    m.density = 2; /* kg/m: half of it at each end */
    m.mass_damping = (float)mass_damping;
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = x;
    desc.vertex_count = 2;
    desc.links = link;
    desc.link_count = 1;
    desc.link_compliances = &c;
    desc.link_dampings = &d;
    desc.materials = &m;
    desc.material_count = 1;
    return fixture_compile(&desc);
}

static const piola_asset *pair_of(double compliance, double damping)
{
    return made_pair(compliance, damping, 0);
}

static const piola_asset *slowed_pair(double compliance, double rate)
{
    return made_pair(compliance, 0, rate);
}

static double length_of(piola_world *world, piola_body body)
{
    float x[6];
    double square = 0;
    fixture_ok(piola_body_positions(world, body, 0, 2, x), NULL);
    for (int k = 0; k < 3; k++)
        square += pow((double)x[3 + k] - (double)x[k], 2);
    return sqrt(square);
}

/* The largest error of q(t) against the damped oscillator of ratio z, over its start. */
static double oscillator(double omega, double z, double t)
{
    if (z < 1) {
        const double w = omega * sqrt(1 - z * z);
        return exp(-z * omega * t) * (cos(w * t) + z * omega / w * sin(w * t));
    }
    const double s = sqrt(z * z - 1), a = -omega * (z - s), b = -omega * (z + s);
    return (b * exp(a * t) - a * exp(b * t)) / (b - a);
}

/* What the step itself takes of an oscillator: BDF2 loses (omega dt)^3 / 4 a radian, and starts
 * with an Euler step. */
static void test_a_link_is_a_damped_oscillator(void)
{
    static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_COMPLIANT,
                                           PIOLA_SOLVER_ENERGY};
    static const double ratios[] = {0.02, 0.2, 1.5, 5};
    for (int s = 0; s < 3; s++)
        for (double k = 1e4; k < 2e9; k *= 1e5)
            for (int r = 0; r < 4; r++)
                for (uint32_t iterations = 1; iterations < 20; iterations += 9) {
                    const double omega = sqrt(2 * k), c = ratios[r] * 2 * sqrt(k / 2);
                    const double dt = 2 * PI / omega / 100;
                    const piola_world_desc desc = quiet(solvers[s], dt, iterations);
                    piola_world *world = fixture_world(&desc);
                    const piola_body body = fixture_body(world, pair_of(1 / k, c), 0, 0, 0);
                    const float x[6] = {-0.005f, 0, 0, 1.005f, 0, 0}, v[6] = {0};
                    place(world, body, x, v, 2);
                    double worst = 0;
                    for (int i = 1; i <= 300; i++) {
                        fixture_steps(world, NULL, 1);
                        worst = fmax(worst, fabs((length_of(world, body) - 1) / 0.01 -
                                                 oscillator(omega, ratios[r], i * dt)));
                    }
                    printf("link, solver %d, %.0e N/m, ratio %.2f, %u iterations: off by %.3f\n",
                           (int)solvers[s], k, ratios[r], iterations, worst);
                    TEST_ASSERT_DOUBLE_WITHIN(0.06, 0, worst);
                    fixture_clean();
                }
}

/* A mass of 1 kg on an attachment to the world, or two on one between them. Sampled: the gap. */
static double attachment_error(double k, double z, bool two, uint32_t iterations,
                               piola_solver solver)
{
    const double mass = two ? 0.5 : 1, omega = sqrt(k / mass), dt = 2 * PI / omega / 100;
    piola_world_desc desc = quiet(solver, dt, iterations);
    desc.couplings = true;
    piola_world *world = fixture_world(&desc);
    piola_body body[2] = {{0, 0}, {0, 0}};
    const float v[6] = {0};
    for (int i = 0; i < 1 + two; i++) {
        const float x[6] = {-1, 0, 0, (float)(i == 0 ? 0.01 : 0), 0, 0};
        body[i] = fixture_body(world, pair_of(1e9, 0), 0, 0, 0);
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, body[i], 0, -1, 0, 0);
        place(world, body[i], x, v, 2);
    }
    piola_attachment_desc d = piola_attachment_desc_default();
    d.point = (piola_attachment_point){body[0], 1, {1}, {1}};
    if (two)
        d.other = (piola_attachment_point){body[1], 1, {1}, {1}};
    d.compliance = (float)(1 / k);
    d.damping = (float)(z * 2 * sqrt(k * mass));
    piola_attachment attachment;
    fixture_ok(piola_attachment_create(world, &d, &attachment, NULL), NULL);
    double worst = 0;
    for (int i = 1; i <= 300; i++) {
        piola_attachment_info info;
        fixture_steps(world, NULL, 1);
        fixture_ok(piola_attachment_inspect(world, attachment, &info), NULL);
        TEST_ASSERT_EQUAL_FLOAT(d.damping, info.damping);
        worst = fmax(worst, fabs((double)info.gap[0] / 0.01 - oscillator(omega, z, i * dt)));
    }
    fixture_clean();
    return worst;
}

static void test_an_attachment_is_a_damped_oscillator(void)
{
    static const double ratios[] = {0.02, 0.2, 1.5, 5};
    static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_COMPLIANT};
    for (int s = 0; s < 2; s++)
        for (int two = 0; two < 2; two++)
            for (double k = 1e3; k < 2e8; k *= 300)
                for (int r = 0; r < 4; r++)
                    for (uint32_t iterations = 1; iterations < 20; iterations += 9) {
                        const double error =
                            attachment_error(k, ratios[r], two, iterations, solvers[s]);
                        printf("attachment of %d, solver %d, %.0e N/m, ratio %.2f, %u iterations: "
                               "off by %.3f\n",
                               1 + two, (int)solvers[s], k, ratios[r], iterations, error);
                        TEST_ASSERT_DOUBLE_WITHIN(0.06, 0, error);
                    }
}

/* A flap of 1 m on a hinge of 1 m, the other one held: its angle. */
static double flap_error(piola_bend_model model, double ratio, double stiffness,
                         piola_solver solver, uint32_t iterations)
{
    static double x[12] = {0, 0, 0, 0, 1, 0, -1, 0.5, 0, 1, 0.5, 0};
    static uint32_t triangles[6] = {0, 1, 2, 1, 0, 3}, bend[4] = {0, 1, 2, 3}, which[1] = {1};
    /* 1 kg in the flap, a third of it at its tip, 1 m away. Q weighs 3 |e|^2 / (A0 + A1) = 3 times
     * a third of the stiffness. */
    const double omega = sqrt(stiffness * 3), beta = 2 * ratio / omega;
    piola_material m[2] = {piola_material_default(), piola_material_default()};
    m[0].model = PIOLA_MODEL_STVK;
    m[0].density = 2;
    m[0].young = (float)(1e4 * stiffness);
    m[1].bend_model = model;
    m[1].bend = (float)stiffness;
    m[1].damping = (float)beta;
    piola_mesh_desc mesh = piola_mesh_desc_default();
    mesh.vertices = x;
    mesh.vertex_count = 4;
    mesh.triangles = triangles;
    mesh.triangle_count = 2;
    mesh.bends = bend;
    mesh.bend_count = 1;
    mesh.bend_materials = which;
    mesh.materials = m;
    mesh.material_count = 2;
    const double dt = 2 * PI / omega / 100;
    const piola_world_desc desc = quiet(solver, dt, iterations);
    piola_world *world = fixture_world(&desc);
    const piola_body body = fixture_body(world, fixture_compile(&mesh), 0, 0, 0);
    for (uint32_t v = 0; v < 3; v++)
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, v, (float)x[3 * v], (float)x[3 * v + 1],
                     (float)x[3 * v + 2]);
    const double start = 0.1;
    const float at[12] = {
        0, 0, 0, 0, 1, 0, -1, 0.5f, 0, (float)cos(start), 0.5f, (float)sin(start)};
    const float v[12] = {0};
    place(world, body, at, v, 4);
    double worst = 0;
    for (int i = 1; i <= 300; i++) {
        float now[12];
        fixture_steps(world, NULL, 1);
        fixture_ok(piola_body_positions(world, body, 0, 4, now), NULL);
        const double angle = atan2((double)now[11], (double)now[9]);
        worst = fmax(worst, fabs(angle / start - oscillator(omega, ratio, i * dt)));
    }
    fixture_clean();
    return worst;
}

static void test_a_bend_is_a_damped_oscillator(void)
{
    static const double ratios[] = {0.02, 0.2, 1.5};
    static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_COMPLIANT};
    for (int s = 0; s < 2; s++)
        for (int model = 0; model < PIOLA_BEND_MODEL_COUNT; model++)
            for (double k = 0.1; k < 2e5; k *= 1e3)
                for (int r = 0; r < 3; r++) {
                    const double error =
                        flap_error((piola_bend_model)model, ratios[r], k, solvers[s], 10);
                    printf("bend %d, solver %d, %.0e N m, ratio %.2f: off by %.3f\n", model,
                           (int)solvers[s], k, ratios[r], error);
                    TEST_ASSERT_DOUBLE_WITHIN(0.06, 0, error);
                }
}

/* Mass damping is Rayleigh's alpha: ratio alpha / 2 omega of what swings, exp(-alpha t) of what
 * flies. */
static void test_mass_damping_is_rayleighs(void)
{
    for (int integrator = 0; integrator < 2; integrator++)
        for (double k = 1e4; k < 2e9; k *= 1e5)
            for (double ratio = 0.02; ratio < 1; ratio *= 7) {
                const double omega = sqrt(2 * k), dt = 2 * PI / omega / 100,
                             rate = 2 * ratio * omega;
                piola_world_desc desc = quiet(PIOLA_SOLVER_DESCENT, dt, 5);
                desc.integrator = integrator ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER;
                piola_world *world = fixture_world(&desc);
                const piola_body body = fixture_body(world, slowed_pair(1 / k, rate), 0, 0, 0);
                const float x[6] = {-0.005f, 0, 0, 1.005f, 0, 0};
                const float v[6] = {0, 1, 0, 0, 1, 0};
                place(world, body, x, v, 2);
                double swing = 0, flight = 0;
                for (int i = 1; i <= 200; i++) {
                    piola_body_info info;
                    fixture_steps(world, NULL, 1);
                    fixture_ok(piola_body_inspect(world, body, &info), NULL);
                    swing = fmax(swing, fabs((length_of(world, body) - 1) / 0.01 -
                                             oscillator(omega, ratio, i * dt)));
                    flight = fmax(flight, fabs(info.momentum[1] / 2 - exp(-rate * i * dt)));
                }
                printf("by mass, %s, %.0e N/m, ratio %.2f: swing off by %.3f, flight by %.3f\n",
                       integrator ? "bdf2" : "euler", k, ratio, swing, flight);
                if (integrator) /* Euler itself takes more */
                    TEST_ASSERT_DOUBLE_WITHIN(0.04, 0, swing);
                TEST_ASSERT_DOUBLE_WITHIN(0.03, 0, flight);
                fixture_clean();
            }
}

/* Damping of materials by stiffness is Rayleigh's beta: ratio beta omega / 2 of each mode. The
 * bar's first one along its length, on rollers; what swings is its end. */
static double bar_error(double young, double ratio, piola_solver solver, uint32_t iterations)
{
    const int cells[3] = {8, 1, 1};
    const double size[3] = {1, 0.125, 0.125}, density = 1000;
    const double omega = PI / 2 * sqrt(young / density), dt = 2 * PI / omega / 100;
    ref_mesh mesh;
    TEST_ASSERT_TRUE(ref_mesh_beam(&mesh, cells, size, 5));
    piola_material m = piola_material_default();
    m.young = (float)young;
    m.poisson = 0;
    m.damping = (float)(2 * ratio / omega);
    piola_mesh_desc described = fixture_mesh(&mesh, &m);
    piola_world_desc desc = quiet(solver, dt, iterations);
    piola_world *world = fixture_world(&desc);
    const piola_body body = fixture_body(world, fixture_compile(&described), 0, 0, 0);
    const uint32_t n = (uint32_t)mesh.vertices;
    float *x = fixture_memory(3 * n * sizeof *x), *v = fixture_memory(3 * n * sizeof *v);
    memset(v, 0, 3 * n * sizeof *v);
    for (uint32_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            x[3 * i + (uint32_t)k] = (float)mesh.x[3 * i + (uint32_t)k];
        if (mesh.x[3 * i] < 1e-9)
            fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, i, 0, x[3 * i + 1], x[3 * i + 2]);
        x[3 * i] += (float)(0.01 * sin(PI / 2 * mesh.x[3 * i]));
    }
    place(world, body, x, v, n);
    double worst = 0;
    for (int i = 1; i <= 250; i++) {
        float end[3];
        fixture_steps(world, NULL, 1);
        fixture_ok(piola_body_positions(world, body, n - 1, 1, end), NULL);
        worst = fmax(worst, fabs(((double)end[0] - 1) / 0.01 - oscillator(omega, ratio, i * dt)));
    }
    ref_mesh_free(&mesh);
    fixture_clean();
    return worst;
}

static void test_material_damping_is_rayleighs(void)
{
    static const double ratios[] = {0.02, 0.2, 1.5};
    for (double young = 1e4; young < 2e9; young *= 300)
        for (int r = 0; r < 3; r++) {
            const double error = bar_error(young, ratios[r], PIOLA_SOLVER_DESCENT, 10);
            printf("by stiffness, %.0e Pa, ratio %.2f: off by %.3f\n", young, ratios[r], error);
            TEST_ASSERT_DOUBLE_WITHIN(0.05, 0, error);
        }
}

/* P, and L about the centre of mass. */
static void momentum_of(piola_world *world, piola_body body, double p[6])
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        p[k] = info.momentum[k];
        p[3 + k] = info.angular_momentum[k] -
                   (info.centre[i] * info.momentum[j] - info.centre[j] * info.momentum[i]);
    }
}

/* Two masses swing on their link by the damped oscillator, ratio rate / 2 omega, and fly and turn
 * as if nothing damped them. */
static void test_relative_damping_takes_shape_alone(void)
{
    for (double k = 1e4; k < 2e9; k *= 1e5)
        for (double ratio = 0.02; ratio < 2; ratio *= 8) {
            const double omega = sqrt(2 * k), dt = 2 * PI / omega / 100;
            const piola_world_desc desc = quiet(PIOLA_SOLVER_DESCENT, dt, 5);
            piola_world *world = fixture_world(&desc);
            const piola_body body = fixture_body(world, pair_of(1 / k, 0), 0, 0, 0);
            const float x[6] = {-0.005f, 0, 0, 1.005f, 0, 0}, v[6] = {1, 2, 0, 1, 2, 0};
            fixture_ok(piola_body_set_relative_damping(world, body, (float)(2 * ratio * omega)),
                       NULL);
            place(world, body, x, v, 2);
            double worst = 0, p[6];
            for (int i = 1; i <= 300; i++) {
                fixture_steps(world, NULL, 1);
                worst = fmax(worst, fabs((length_of(world, body) - 1) / 0.01 -
                                         oscillator(omega, ratio, i * dt)));
            }
            momentum_of(world, body, p);
            printf("relative, %.0e N/m, ratio %.2f: off by %.3f\n", k, ratio, worst);
            TEST_ASSERT_DOUBLE_WITHIN(0.05, 0, worst);
            TEST_ASSERT_DOUBLE_WITHIN(4e-5, 2, p[0]);
            TEST_ASSERT_DOUBLE_WITHIN(4e-5, 4, p[1]);
            fixture_clean();
        }
}

/* A plucked bar that tumbles: momentum to rounding, and in the end it turns as a rigid body. */
static void test_damping_keeps_momentum(void)
{
    for (int keep = 0; keep < 2; keep++) {
        piola_world_desc desc = quiet(PIOLA_SOLVER_DESCENT, 0.005, 20);
        desc.integrator = PIOLA_INTEGRATOR_EULER;
        desc.keep_momentum = keep;
        piola_material m = piola_material_default();
        piola_world *world = fixture_world(&desc);
        piola_body_desc b = piola_body_desc_default();
        b.asset = fixture_beam_of(4, 2, 2, 0.1, &m, 0);
        b.relative_damping = 30;
        const float spin[3] = {1, 2, -1};
        memcpy(b.angular_velocity, spin, sizeof spin);
        piola_body body;
        fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
        fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, 5, 0.5f, 0.2f, 0);
        fixture_steps(world, NULL, 1);
        piola_body_info info;
        double before[6], after[6], off[2] = {0, 0};
        momentum_of(world, body, before);
        fixture_steps(world, NULL, keep ? 1000 : 1);
        momentum_of(world, body, after);
        for (int k = 0; k < 6; k++)
            off[k / 3] = fmax(off[k / 3], fabs(after[k] - before[k]));
        fixture_ok(piola_body_inspect(world, body, &info), NULL);
        printf("kept %d: P off by %.1e of %.2f, L by %.1e of %.2f\n", keep, off[0], before[0],
               off[1], before[4]);
        if (keep) {
            TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, off[0]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, off[1]);
        }
        TEST_ASSERT_EQUAL_FLOAT(30, info.relative_damping);
        fixture_clean();
    }
}

static void test_what_is_out_of_range_is_refused(void)
{
    const piola_world_desc desc = quiet(PIOLA_SOLVER_DESCENT, 0.01, 5);
    piola_world *world = fixture_world(&desc);
    piola_body_desc b = piola_body_desc_default();
    b.asset = pair_of(1e-4, 1);
    piola_body body;
    piola_error error = {0};
    b.relative_damping = -1;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_create(world, &b, &body, &error));
    TEST_ASSERT_EQUAL_STRING("piola_body_desc.relative_damping", error.field);
    b.relative_damping = NAN;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_body_create(world, &b, &body, &error));
    b.relative_damping = 0;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_set_relative_damping(world, body, -1));
    piola_attachment_desc d = piola_attachment_desc_default();
    d.point = (piola_attachment_point){body, 1, {1}, {1}};
    d.damping = -1;
    piola_attachment attachment;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_attachment_create(world, &d, &attachment, &error));
    TEST_ASSERT_EQUAL_STRING("piola_attachment_desc.damping", error.field);
    d.damping = 1;
    fixture_ok(piola_attachment_create(world, &d, &attachment, NULL), NULL);
    fixture_ok(piola_attachment_set_damping(world, attachment, 7), NULL);
    fixture_steps(world, NULL, 1);
    piola_attachment_info info;
    fixture_ok(piola_attachment_inspect(world, attachment, &info), NULL);
    TEST_ASSERT_EQUAL_FLOAT(7, info.damping);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_attachment_set_damping(world, attachment, -1));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_link_is_a_damped_oscillator);
    RUN_TEST(test_an_attachment_is_a_damped_oscillator);
    RUN_TEST(test_a_bend_is_a_damped_oscillator);
    RUN_TEST(test_mass_damping_is_rayleighs);
    RUN_TEST(test_material_damping_is_rayleighs);
    RUN_TEST(test_relative_damping_takes_shape_alone);
    RUN_TEST(test_damping_keeps_momentum);
    RUN_TEST(test_what_is_out_of_range_is_refused);
    return UNITY_END();
}
