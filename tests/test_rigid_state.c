/* Rigid bodies as objects: bad input, commands, snapshots; and nobody ends inside one. */
#include "collider_fixture.h"
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

static piola_collider_desc ball(float mass)
{
    piola_collider_desc c = piola_collider_desc_default();
    c.shape = PIOLA_COLLIDER_SPHERE;
    c.radius = 0.1f;
    c.mass = mass;
    return c;
}

static piola_collider_info info_of(piola_world *world, piola_collider c)
{
    piola_collider_info info;
    fixture_ok(piola_collider_info_get(world, c, &info), NULL);
    return info;
}

static void command(piola_world *world, piola_command_kind kind, piola_collider c, float x, float y,
                    float z)
{
    fixture_push(world, kind, (piola_body){c.index, c.generation}, 0, x, y, z);
}

static void refused(piola_world *world, const piola_collider_desc *bad, const char *field)
{
    piola_collider none;
    piola_error error = {0};
    const piola_status status = piola_collider_create(world, bad, &none, &error);
    TEST_ASSERT_TRUE(status == PIOLA_ERROR_RANGE || status == PIOLA_ERROR_NOT_FINITE);
    TEST_ASSERT_EQUAL_STRING(field, error.field);
}

static void test_bad_input(void)
{
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    piola_world *world = fixture_world(&d);
    const uint64_t empty = piola_world_hash(world);
    piola_collider_desc bad = ball(-1);
    refused(world, &bad, "piola_collider_desc.mass");
    bad.mass = NAN;
    refused(world, &bad, "piola_collider_desc.mass");
    bad.mass = 1e-12f;
    refused(world, &bad, "piola_collider_desc.mass");
    bad = ball(1);
    bad.shape = PIOLA_COLLIDER_PLANE;
    refused(world, &bad, "piola_collider_desc.mass");
    bad = ball(1);
    bad.inertia[1] = 1;
    refused(world, &bad, "piola_collider_desc.inertia");
    bad = ball(1);
    bad.radius = 0;
    refused(world, &bad, "piola_collider_desc.inertia");
    bad = ball(1);
    bad.damping = -1;
    refused(world, &bad, "piola_collider_desc.damping");
    bad.damping = 0;
    bad.gravity_scale = INFINITY;
    refused(world, &bad, "piola_collider_desc.gravity_scale");
    TEST_ASSERT_TRUE(empty == piola_world_hash(world));
    /* Impulses are for rigid bodies only. */
    const piola_collider_desc plane = piola_collider_desc_default();
    const piola_collider floor = collider_enter(world, &plane);
    piola_report report;
    command(world, PIOLA_COMMAND_COLLIDER_IMPULSE, floor, 1, 0, 0);
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL(1, report.commands_refused);
}

/* Impulse, twist, force, velocity, spin; carried to a place, then let go. */
static void test_commands(void)
{
    piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 4);
    memset(d.gravity, 0, sizeof d.gravity);
    piola_world *world = fixture_world(&d);
    const piola_collider_desc c = ball(2);
    const piola_collider rigid = collider_enter(world, &c);
    command(world, PIOLA_COMMAND_COLLIDER_IMPULSE, rigid, 4, 0, 0);
    command(world, PIOLA_COMMAND_COLLIDER_TWIST, rigid, 0, 0.016f, 0);
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 2, info_of(world, rigid).velocity[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 2, info_of(world, rigid).angular_velocity[1]);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.01f, info_of(world, rigid).position[0]);
    command(world, PIOLA_COMMAND_COLLIDER_FORCE, rigid, 0, 0, 10);
    fixture_steps(world, NULL, 100);
    command(world, PIOLA_COMMAND_COLLIDER_FORCE, rigid, 0, 0, 0);
    fixture_steps(world, NULL, 100);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 2.5f, info_of(world, rigid).velocity[2]);
    command(world, PIOLA_COMMAND_COLLIDER_VELOCITY, rigid, 0, 0, 0);
    command(world, PIOLA_COMMAND_COLLIDER_SPIN, rigid, 0, 0, 0);
    fixture_steps(world, NULL, 1);
    const piola_collider_info stands = info_of(world, rigid);
    TEST_ASSERT_TRUE(stands.velocity[2] == 0 && stands.angular_velocity[1] == 0);
    command(world, PIOLA_COMMAND_COLLIDER_MOVE, rigid, stands.position[0] + 0.05f,
            stands.position[1], stands.position[2]);
    command(world, PIOLA_COMMAND_COLLIDER_TURN, rigid, 0, 0, 0.02f);
    fixture_steps(world, NULL, 1);
    const piola_collider_info thrown = info_of(world, rigid);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, stands.position[0] + 0.05f, thrown.position[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 10, thrown.velocity[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.02f, thrown.rotation[2]);
    fixture_steps(world, NULL, 100);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, thrown.position[0] + 5, info_of(world, rigid).position[0]);
}

/* A world that goes back to a snapshot goes on alike, with threads too. */
static void test_snapshots(void)
{
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 2);
    piola_world *world = fixture_world(&d);
    const piola_collider_desc plane = piola_collider_desc_default();
    piola_collider_desc c = ball(5);
    (void)collider_enter(world, &plane);
    c.position[1] = 0.45f;
    c.position[0] = 0.05f;
    c.angular_velocity[2] = 3;
    const piola_collider rigid = collider_enter(world, &c);
    (void)fixture_body(world, fixture_beam(3, 3, 3, 0.1), -0.15f, 0, -0.15f);
    fixture_steps(world, NULL, 20);
    const size_t bytes = piola_snapshot_size(world);
    unsigned char *memory = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, memory, bytes), NULL);
    fixture_steps(world, NULL, 30);
    const uint64_t hash = piola_world_hash(world);
    fixture_ok(piola_collider_destroy(world, rigid), NULL);
    fixture_steps(world, NULL, 3);
    fixture_ok(piola_snapshot_restore(world, memory, bytes), NULL);
    TEST_ASSERT_TRUE(piola_collider_alive(world, rigid));
    fixture_steps(world, NULL, 30);
    TEST_ASSERT_TRUE(hash == piola_world_hash(world));
}

/* Distance from a sphere or a rounded box, in double. */
static double distance(const piola_collider_desc *c, const piola_collider_info *at, const float *x)
{
    double d[3], p[3], u[3], q[4], out = 0, in = -(double)INFINITY;
    for (int k = 0; k < 4; ++k)
        q[k] = (k < 3 ? -1 : 1) * (double)at->rotation[k];
    for (int k = 0; k < 3; ++k)
        d[k] = (double)x[k] - (double)at->position[k];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        u[k] = q[i] * d[j] - q[j] * d[i];
    }
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        p[k] = d[k] + 2 * q[3] * u[k] + 2 * (q[i] * u[j] - q[j] * u[i]);
    }
    if (c->shape == PIOLA_COLLIDER_SPHERE)
        return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - (double)c->radius;
    for (int k = 0; k < 3; ++k) {
        const double beyond = fabs(p[k]) - (double)c->size[k] + (double)c->radius;
        out += beyond > 0 ? beyond * beyond : 0;
        in = fmax(in, beyond);
    }
    return (in > 0 ? sqrt(out) : in) - (double)c->radius;
}

/* Up to 300 m/s, any mass, any spin: no vertex ends inside, nothing breaks. */
static void test_nobody_ends_inside(void)
{
    uint64_t random = fixture_seed();
    const int rounds = fixture_count(60, 12);
    const piola_asset *asset = fixture_beam_of(3, 3, 3, 0.08, NULL, 0);
    double worst = 0, under = 0;
    int touched = 0;
    for (int round = 0; round < rounds; ++round) {
        const piola_world_desc d =
            collider_world((piola_solver)(round % 3), round / 3 % 3 == 0 ? 4 : 1);
        piola_world *world = fixture_world(&d);
        const piola_collider_desc plane = piola_collider_desc_default();
        (void)collider_enter(world, &plane);
        const piola_body body = fixture_body(world, asset, -0.12f, 0.01f, -0.12f);
        piola_collider_desc c = ball((float)pow(10, 6 * fixture_uniform(&random) - 2));
        if (round % 2) {
            c.shape = PIOLA_COLLIDER_BOX;
            c.radius = 0.01f;
        }
        const double speed = round % 4 == 0 ? 300 : 10;
        double way[3];
        for (int k = 0; k < 3; ++k) {
            c.size[k] = 0.05f + 0.1f * (float)fixture_uniform(&random);
            c.angular_velocity[k] = (float)(40 * fixture_uniform(&random) - 20);
            way[k] = 0.1 * (2 * fixture_uniform(&random) - 1) - (k == 1);
        }
        for (int k = 0; k < 3; ++k) {
            c.velocity[k] = (float)(speed * way[k]);
            c.position[k] = (float)(0.12 * (k == 1) - 0.6 * way[k]);
        }
        const piola_collider rigid = collider_enter(world, &c);
        for (int i = 0; i < 60; ++i) {
            float x[64 * 3];
            fixture_steps(world, NULL, 1);
            const piola_collider_info at = info_of(world, rigid);
            piola_body_info info;
            fixture_ok(piola_body_info_get(world, body, &info), NULL);
            TEST_ASSERT_EQUAL(64, info.vertices);
            TEST_ASSERT_FALSE(info.frozen);
            fixture_ok(piola_body_positions(world, body, 0, 64, x), NULL);
            touched += at.touches > 0;
            for (int v = 0; v < 64; ++v) {
                const double depth = -distance(&c, &at, x + 3 * (size_t)v);
                if (depth > 1e-4)
                    printf("round %d, step %d, %g kg: %.2e m inside\n", round, i, (double)c.mass,
                           depth);
                worst = fmax(worst, depth);
                under = fmax(under, -(double)x[3 * v + 1]);
            }
        }
    }
    printf("deepest %.2e m inside, %.2e m under the floor, %d of %d steps in touch\n", worst, under,
           touched, rounds * 60);
    TEST_ASSERT_TRUE(touched > rounds);
    TEST_ASSERT_TRUE(worst < 1e-4);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_bad_input);
    RUN_TEST(test_commands);
    RUN_TEST(test_snapshots);
    RUN_TEST(test_nobody_ends_inside);
    return UNITY_END();
}
