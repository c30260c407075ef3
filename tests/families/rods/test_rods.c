/* Rods against closed forms: what they give to pulls, bending, torsion and their own weight, over
 * stiffness, number of segments, step and iterations; when columns and twisted rings buckle; how
 * they swing; and what free ones keep.
 * covers: src/families/rods/rod_build.c src/families/rods/rod_energy.c
 * covers: src/families/rods/rod_momentum.c src/families/rods/rod_solve.c src/families/rods/rods.c
 */
#include "rod_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* 1 m long, 2 cm thick. */
static piola_rod rod_of(double young)
{
    piola_rod rod = piola_rod_default();
    rod.radius = 0.01f;
    rod.young = (float)young;
    rod.poisson = 0.3f;
    return rod;
}
static const double area = PI * 1e-4, second = PI * 1e-8 / 4;

static void place_of(const piola_world *world, piola_body body, uint32_t vertex, double out[3])
{
    float xyz[3];
    fixture_ok(piola_body_positions(world, body, vertex, 1, xyz), NULL);
    for (int k = 0; k < 3; k++)
        out[k] = (double)xyz[k];
}

static void near(double expected, double share, double actual, const char *what)
{
    char text[120];
    snprintf(text, sizeof text, "%s: %.7g, expected %.7g", what, actual, expected);
    TEST_ASSERT_TRUE_MESSAGE(fabs(actual - expected) <= share * fabs(expected), text);
}

static const double moduli[] = {1e6, 1e9, 2e11};

/* A force at the tip of a rod that is built in: F L^3 / 3 E I and what shear adds; the pin's
 * reaction, and the moment where it is built in. */
static void test_a_cantilever_gives_as_its_modulus_says(void)
{
    static const uint32_t counts[] = {8, 32, 128};
    for (size_t e = 0; e < 3; e++)
        for (size_t n = 0; n < (e == 1 ? 3 : 2); n++) {
            const piola_rod rod = rod_of(moduli[e]);
            const struct rod_mesh *mesh = rod_line(counts[n], 1, &rod);
            /* A good part of the first wave's period: implicit Euler then soon comes to rest. */
            piola_world_desc desc = rod_world_desc((float)(500 / sqrt(moduli[e])));
            piola_body body;
            desc.report_physics = true;
            piola_world *world = rod_world(mesh, &desc, &body);
            const double force = 0.03 * moduli[e] * second, shear = 0.9 * moduli[e] / 2.6 * area;
            double tip[3];
            float reaction[3];
            piola_segment_load load;
            rod_hold(world, body, mesh, 0);
            fixture_ok(piola_body_set_damping(world, body, (float)(sqrt(moduli[e]) / 1000)), NULL);
            fixture_ok(
                piola_body_set_force(world, body, counts[n], (const float[]){0, (float)-force, 0}),
                NULL);
            rod_step(world, 80);
            place_of(world, body, counts[n], tip);
            near(-0.01 - force / shear, counts[n] == 8 ? 0.01 : 1e-3, tip[1], "tip");
            fixture_ok(piola_body_reactions(world, body, 0, 1, reaction), NULL);
            near(force, 1e-4, (double)reaction[1], "reaction");
            fixture_ok(piola_body_segment_loads(world, body, 0, 1, &load), NULL);
            near(force, counts[n] == 8 ? 1e-3 : 2e-2, fabs((double)load.moment[0][1]), "moment");
            fixture_clean();
        }
}

/* Its end is driven round by 2 rad: G J times the angle over the length. And a pull: F L / E A. */
static void test_torque_and_tension(void)
{
    for (size_t e = 0; e < 3; e++) {
        enum { N = 32 };
        const piola_rod rod = rod_of(moduli[e]);
        const struct rod_mesh *mesh = rod_line(N, 1, &rod);
        const piola_world_desc desc = rod_world_desc(0.05f);
        const double stiff = moduli[e] / 2.6 * 2 * second;
        piola_body body;
        piola_world *world = rod_world(mesh, &desc, &body);
        piola_segment_load load;
        rod_hold(world, body, mesh, 0);
        rod_hold(world, body, mesh, N);
        for (int i = 1; i <= 100; i++) {
            const double half = i < 50 ? 0.02 * i : 1;
            const float turn[4] = {(float)sin(half), 0, 0, (float)cos(half)};
            fixture_ok(piola_body_clamp(world, body, N, turn), NULL);
            rod_step(world, 1);
        }
        fixture_ok(piola_body_segment_loads(world, body, N / 2, 1, &load), NULL);
        near(2 * stiff, 0.005, (double)load.moment[0][2], "torque");
        fixture_ok(piola_body_unclamp(world, body, N), NULL);
        fixture_ok(piola_body_unpin(world, body, N), NULL);
        const float pull = (float)(1e-3 * moduli[e] * area);
        fixture_ok(piola_body_set_force(world, body, N, (const float[]){pull, 0, 0}), NULL);
        rod_step(world, 60);
        double tip[3];
        place_of(world, body, N, tip);
        near(1.001, 1e-6, tip[0], "length");
        fixture_ok(piola_body_segment_loads(world, body, N / 2, 1, &load), NULL);
        near((double)pull, 1e-4, (double)load.force[2], "tension");
        TEST_ASSERT_TRUE(fabs((double)load.moment[1][2]) < 1e-3 * stiff);
        fixture_clean();
    }
}

/* Bent by its own weight, q L^3 / E I = 1, 8, 32, far beyond what is linear. */
static void test_the_heavy_elastica(void)
{
    static const double loads[] = {1, 8, 32}, sags[] = {0.12347, 0.64063, 0.87846};
    for (size_t i = 0; i < 3; i++)
        for (uint32_t n = 32; n <= (i == 1 ? 64 : 32); n *= 2) {
            piola_rod rod = rod_of(1e9);
            rod.radius = 0.001f;
            rod.poisson = 0;
            const struct rod_mesh *mesh = rod_line(n, 1, &rod);
            piola_world_desc desc = rod_world_desc(0.05f);
            desc.gravity[1] = (float)(-loads[i] * 1e9 * 1e-6 / 4 / 1000);
            piola_body body;
            piola_world *world = rod_world(mesh, &desc, &body);
            double tip[3];
            rod_hold(world, body, mesh, 0);
            fixture_ok(piola_body_set_damping(world, body, 2), NULL);
            rod_step(world, 300);
            place_of(world, body, n, tip);
            near(-sags[i], 0.003, tip[1], "sag");
            fixture_clean();
        }
}

/* What is curved and twisted at rest: from straight, a circle that closes and a helix. */
static void test_curvature_of_the_rod_itself(void)
{
    for (int twisted = 0; twisted < 2; twisted++) {
        enum { N = 60 };
        piola_rod rod = rod_of(1e9);
        const double k = 2 * PI, t = twisted ? 3 : 0, w = sqrt(k * k + t * t);
        rod.curvature[0] = (float)k;
        rod.curvature[2] = (float)t;
        const struct rod_mesh *mesh = rod_line(N, 1, &rod);
        const piola_world_desc desc = rod_world_desc(0.02f);
        piola_body body;
        piola_world *world = rod_world(mesh, &desc, &body);
        double tip[3];
        rod_hold(world, body, mesh, 0);
        fixture_ok(piola_body_set_damping(world, body, 0.5f), NULL);
        rod_step(world, 300);
        place_of(world, body, N, tip);
        const double chord = 2 * k / (w * w) * sin(w / 2), rise = t / w;
        const double away = sqrt(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2]);
        TEST_ASSERT_DOUBLE_WITHIN(2e-3, twisted ? sqrt(chord * chord + rise * rise) : 0, away);
        fixture_clean();
    }
}

/* A coil between two points, pulled: the stiffness of a close-wound spring, G r^4 / 4 R^3 N. */
static void test_a_spring_is_as_stiff_as_its_wire_says(void)
{
    enum { TURNS = 5, EACH = 40, N = TURNS * EACH };
    piola_rod rod = rod_of(1e9);
    rod.radius = 0.002f;
    const double ring = 0.05, pitch = 0.004, shear = 1e9 / 2.6;
    struct rod_mesh *mesh = (struct rod_mesh *)(uintptr_t)rod_line(N, 1, &rod);
    for (uint32_t i = 0; i <= N; i++) {
        const double angle = 2 * PI * i / EACH;
        mesh->vertices[3 * (size_t)i] = ring * cos(angle);
        mesh->vertices[3 * (size_t)i + 1] = ring * sin(angle);
        mesh->vertices[3 * (size_t)i + 2] = pitch * i / EACH;
    }
    mesh->desc.segment_directions = NULL;
    const piola_world_desc desc = rod_world_desc(0.05f);
    piola_body body;
    piola_world *world = rod_world(mesh, &desc, &body);
    const double stiff = shear * 1.6e-11 / (4 * ring * ring * ring * TURNS);
    double tip[3];
    rod_hold(world, body, mesh, 0);
    rod_hold(world, body, mesh, N);
    fixture_ok(piola_body_pin(world, body, N, (const float[]){(float)ring, 0, 0.05f}), NULL);
    rod_step(world, 200);
    piola_segment_load load;
    float turn[4];
    fixture_ok(piola_body_segment_loads(world, body, N / 2, 1, &load), NULL);
    fixture_ok(piola_body_turns(world, body, N / 2, 1, turn), NULL);
    place_of(world, body, N, tip);
    const double x = (double)turn[0], y = (double)turn[1], z = (double)turn[2], q = (double)turn[3];
    const double pull = 2 * (x * z - y * q) * (double)load.force[0] +
                        2 * (y * z + x * q) * (double)load.force[1] +
                        (1 - 2 * (x * x + y * y)) * (double)load.force[2];
    near(stiff * (0.05 - TURNS * pitch), 0.02, pull, "pull");
}

/* Clamped below, free above: it stands below pi^2 E I / 4 L^2 and leaves beyond. */
static void test_a_column_buckles_at_eulers_load(void)
{
    for (int beyond = 0; beyond < 2; beyond++) {
        enum { N = 24 };
        const piola_rod rod = rod_of(1e9);
        const struct rod_mesh *mesh = rod_line(N, 1, &rod);
        const piola_world_desc desc = rod_world_desc(0.05f);
        piola_body body;
        piola_world *world = rod_world(mesh, &desc, &body);
        const double load = PI * PI * 1e9 * second / 4 * (beyond ? 1.03 : 0.97);
        float force[3] = {(float)-load, (float)(1e-5 * load), 0};
        double tip[3];
        rod_hold(world, body, mesh, 0);
        fixture_ok(piola_body_set_force(world, body, N, force), NULL);
        rod_step(world, 50);
        force[1] = 0;
        fixture_ok(piola_body_set_force(world, body, N, force), NULL);
        rod_step(world, 250);
        place_of(world, body, N, tip);
        TEST_ASSERT_TRUE(beyond ? fabs(tip[1]) > 0.1 : fabs(tip[1]) < 1e-4);
        fixture_clean();
    }
}

/* Michell's: a straight rod bent to a ring, its ends turned by an angle and joined, stays plane
 * below 2 pi sqrt(3) E I / G J and leaves its plane beyond, from a slight push, by itself. */
static void test_a_twisted_ring_leaves_its_plane(void)
{
    static const double ratios[] = {0.7, 1, 1.5};
    for (int i = 0; i < 6; i++) {
        enum { N = 40 };
        const bool beyond = i % 2;
        const double ratio = ratios[i / 2], turn = 2 * PI * sqrt(3) / ratio;
        piola_rod rod = rod_of(1e9);
        rod.radius = 0.005f;
        rod.bend[0] = rod.bend[1] = (float)(1e9 * PI * 6.25e-10 / 4);
        rod.twist = (float)((double)rod.bend[0] * ratio);
        rod.curvature[0] = (float)(-2 * PI);
        rod.curvature[2] = (float)(-turn * (beyond ? 1.05 : 0.95));
        const struct rod_mesh *mesh = rod_ring(N, 1, &rod);
        const piola_world_desc desc = rod_world_desc(0.002f);
        piola_body body;
        piola_world *world = rod_world(mesh, &desc, &body);
        float push[3 * N] = {0}, xyz[3 * N];
        for (uint32_t v = 0; v < N; v++)
            push[3 * v + 2] = (float)(1e-2 * cos(4 * PI * v / N));
        fixture_ok(piola_body_set_velocities(world, body, 0, N, push, NULL), NULL);
        double most = 0;
        for (int s = 0; s < 250 && most < 0.01; s++) {
            rod_step(world, 1);
            fixture_ok(piola_body_positions(world, body, 0, N, xyz), NULL);
            for (uint32_t v = 0; v < N; v++)
                most = fmax(most, fabs((double)(xyz[3 * v + 2] - xyz[2])));
        }
        TEST_ASSERT_TRUE(beyond ? most >= 0.01 : most < 1e-3);
        fixture_clean();
    }
}

/* The first bending wave of a rod that is built in, with BDF2 and 50 steps a period: its period,
 * and what it loses in each. */
static void test_a_slow_wave(void)
{
    for (size_t e = 0; e < 3; e++) {
        enum { N = 16 };
        const piola_rod rod = rod_of(moduli[e]);
        const struct rod_mesh *mesh = rod_line(N, 1, &rod);
        const double rate = 3.516015 * sqrt(moduli[e] * second / (1000 * area));
        piola_world_desc desc = rod_world_desc((float)(2 * PI / rate / 50));
        desc.integrator = PIOLA_INTEGRATOR_BDF2;
        piola_body body;
        piola_world *world = rod_world(mesh, &desc, &body);
        const float force = (float)(0.03 * moduli[e] * second);
        rod_hold(world, body, mesh, 0);
        fixture_ok(piola_body_set_damping(world, body, (float)rate), NULL);
        fixture_ok(piola_body_set_force(world, body, N, (const float[]){0, force, 0}), NULL);
        rod_step(world, 500);
        fixture_ok(piola_body_set_damping(world, body, 0), NULL);
        fixture_ok(piola_body_set_force(world, body, N, (const float[]){0, 0, 0}), NULL);
        double before = 1, first = 0, last = 0, tip[3], high[2] = {0, 0};
        int times = 0;
        for (int s = 1; s <= 270; s++) {
            rod_step(world, 1);
            place_of(world, body, N, tip);
            if (before < 0 && tip[1] >= 0) {
                last = s - tip[1] / (tip[1] - before);
                first = times++ == 0 ? last : first;
            }
            double *most = &high[s > 220];
            *most = s > 25 && (s < 75 || s > 220) && tip[1] > *most ? tip[1] : *most;
            before = tip[1];
        }
        near(50, 0.01, (last - first) / (times - 1), "steps a period");
        /* Energy, which goes with the square, in four periods. */
        TEST_ASSERT_TRUE(high[1] * high[1] > (1 - 4 * 0.012) * high[0] * high[0]);
        fixture_clean();
    }
}

/* A hinged rod falls from the horizontal: the same way with 3 iterations as with 40. */
static void test_few_iterations_are_enough(void)
{
    static const double soft_to_stiff[] = {1e5, 1e7, 1e9, 2e11};
    for (size_t e = 0; e < 4; e++) {
        enum { N = 24 };
        float way[2][3];
        for (int many = 0; many < 2; many++) {
            const piola_rod rod = rod_of(soft_to_stiff[e]);
            const struct rod_mesh *mesh = rod_line(N, 1, &rod);
            piola_world_desc desc = rod_world_desc(0.005f);
            desc.gravity[1] = -9.81f;
            desc.iterations = many ? 40 : 3;
            piola_body body;
            piola_world *world = rod_world(mesh, &desc, &body);
            fixture_ok(piola_body_pin(world, body, 0, (const float[]){0, 0, 0}), NULL);
            rod_step(world, 90);
            fixture_ok(piola_body_positions(world, body, N, 1, way[many]), NULL);
            fixture_clean();
        }
        for (int k = 0; k < 3; k++)
            TEST_ASSERT_FLOAT_WITHIN(1e-3f, way[1][k], way[0][k]);
        TEST_ASSERT_TRUE(way[0][1] < -0.3f);
    }
}

/* Thrown with every vertex another way: linear and angular momentum stay, the energy never gets
 * above what it was. */
static void test_a_free_rod_keeps_what_it_has(void)
{
    static const double soft_to_stiff[] = {1e5, 1e7, 1e9, 2e11};
    uint64_t seed = fixture_seed();
    for (size_t e = 0; e < 4; e++) {
        enum { N = 12 };
        const piola_rod rod = rod_of(soft_to_stiff[e]);
        const struct rod_mesh *mesh = rod_line(N, 1, &rod);
        const piola_world_desc desc = rod_world_desc(0.005f);
        piola_body body;
        piola_world *world = rod_world(mesh, &desc, &body);
        float v[3 * (N + 1)];
        for (int i = 0; i < 3 * (N + 1); i++)
            v[i] = (float)(4 * fixture_uniform(&seed) - 2) + (i % 3 == 1 ? 0.5f * (float)i : 0);
        fixture_ok(piola_body_set_velocities(world, body, 0, N + 1, v, NULL), NULL);
        piola_body_info begin, end;
        fixture_ok(piola_body_inspect(world, body, &begin), NULL);
        for (int s = 0; s < 200; s++) {
            double elastic;
            rod_step(world, 1);
            fixture_ok(piola_body_inspect(world, body, &end), NULL);
            fixture_ok(piola_body_elastic_energy(world, body, &elastic), NULL);
            TEST_ASSERT_TRUE(end.kinetic_energy + elastic <= begin.kinetic_energy * 1.0001);
        }
        double turn[2][3];
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            turn[0][k] = begin.angular_momentum[k] - begin.centre[i] * begin.momentum[j] +
                         begin.centre[j] * begin.momentum[i];
            turn[1][k] = end.angular_momentum[k] - end.centre[i] * end.momentum[j] +
                         end.centre[j] * end.momentum[i];
            TEST_ASSERT_DOUBLE_WITHIN(1e-5 * 10 * begin.mass, begin.momentum[k], end.momentum[k]);
        }
        const double whole =
            sqrt(turn[0][0] * turn[0][0] + turn[0][1] * turn[0][1] + turn[0][2] * turn[0][2]);
        for (int k = 0; k < 3; k++)
            TEST_ASSERT_DOUBLE_WITHIN(1e-5 * whole, turn[0][k], turn[1][k]);
        fixture_clean();
    }
}

/* Forces at its ends, other ways round: its momentum stays, its angular momentum rises by their
 * moments, of thin rods and thick ones. */
static void test_forces_turn_a_free_rod(void)
{
    static const float radii[] = {1e-2f, 1e-3f, 1e-4f};
    for (int r = 0; r < 3; r++) {
        enum { N = 8 };
        const float force[3] = {0, 0.01f * radii[r] * radii[r] / radii[0] / radii[0], 0};
        const float back[3] = {0, -force[1], 0};
        piola_rod rod = rod_of(1e8);
        rod.radius = radii[r];
        const struct rod_mesh *mesh = rod_line(N, 1, &rod);
        const piola_world_desc desc = rod_world_desc(0.005f);
        piola_body body;
        piola_world *world = rod_world(mesh, &desc, &body);
        piola_body_info end;
        double moment = 0;
        fixture_ok(piola_body_set_force(world, body, 0, back), NULL);
        fixture_ok(piola_body_set_force(world, body, N, force), NULL);
        for (int s = 0; s < 60; s++) {
            double ends[2][3];
            place_of(world, body, 0, ends[0]);
            place_of(world, body, N, ends[1]);
            moment += (double)desc.dt * (ends[1][0] - ends[0][0]) * (double)force[1];
            rod_step(world, 1);
        }
        fixture_ok(piola_body_inspect(world, body, &end), NULL);
        const double turn = end.angular_momentum[2] - end.centre[0] * end.momentum[1] +
                            end.centre[1] * end.momentum[0];
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * moment, moment, turn);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * moment, 0, end.momentum[1]);
        fixture_clean();
    }
}

/* Settled, the step says nothing: 1, 5 and 20 ms. */
static void test_the_step_does_not_count_at_rest(void)
{
    static const float steps[] = {0.004f, 0.01f, 0.05f};
    double sag[3];
    for (int i = 0; i < 3; i++) {
        const piola_rod rod = rod_of(1e9);
        const struct rod_mesh *mesh = rod_line(16, 1, &rod);
        piola_world_desc desc = rod_world_desc(steps[i]);
        desc.gravity[1] = -9.81f;
        piola_body body;
        piola_world *world = rod_world(mesh, &desc, &body);
        double tip[3];
        rod_hold(world, body, mesh, 0);
        fixture_ok(piola_body_set_damping(world, body, 15), NULL);
        rod_step(world, (int)(3 / steps[i]));
        place_of(world, body, 16, tip);
        sag[i] = tip[1];
        fixture_clean();
    }
    near(sag[2], 1e-3, sag[0], "sag with small steps");
    near(sag[2], 1e-3, sag[1], "sag with medium steps");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_cantilever_gives_as_its_modulus_says);
    RUN_TEST(test_torque_and_tension);
    RUN_TEST(test_the_heavy_elastica);
    RUN_TEST(test_curvature_of_the_rod_itself);
    RUN_TEST(test_a_spring_is_as_stiff_as_its_wire_says);
    RUN_TEST(test_a_column_buckles_at_eulers_load);
    RUN_TEST(test_a_twisted_ring_leaves_its_plane);
    RUN_TEST(test_a_slow_wave);
    RUN_TEST(test_few_iterations_are_enough);
    RUN_TEST(test_a_free_rod_keeps_what_it_has);
    RUN_TEST(test_forces_turn_a_free_rod);
    RUN_TEST(test_the_step_does_not_count_at_rest);
    return UNITY_END();
}
