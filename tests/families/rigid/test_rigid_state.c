/* Rigid bodies as objects: bad input, commands, snapshots; and nobody ends inside one.
 *
 * covers: src/families/rigid/rigid.c src/families/rigid/rigid_life.c
 */
#include "solid_fixture.h"
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

static struct solid_desc ball(float mass)
{
    struct solid_desc c = solid_desc_default();
    c.shape.kind = PIOLA_SHAPE_SPHERE;
    c.shape.radius = 0.1f;
    c.mass = mass;
    return c;
}

static piola_collider_info info_of(piola_world *world, struct solid c)
{
    piola_collider_info info;
    fixture_ok(solid_inspect(world, c, &info), NULL);
    return info;
}

static void command(piola_world *world, piola_command_kind kind, struct solid c, float x, float y,
                    float z)
{
    const piola_command told =
        fixture_command(kind, (piola_body){c.index, c.generation}, 0, x, y, z);
    const bool turn = kind != PIOLA_COMMAND_RIGID_TURN || x * x + y * y + z * z < 1.02f;
    TEST_ASSERT_EQUAL(turn ? PIOLA_OK : PIOLA_ERROR_RANGE, piola_world_push(world, &told));
}

static void refused(piola_world *world, const struct solid_desc *bad, const char *field)
{
    struct solid none;
    piola_error error = {0};
    const piola_status status = solid_create(world, bad, &none, &error);
    TEST_ASSERT_TRUE(status == PIOLA_ERROR_RANGE || status == PIOLA_ERROR_NOT_FINITE);
    TEST_ASSERT_EQUAL_STRING(field, error.field);
}

static void takes_its_own(piola_world *world)
{
    const size_t bytes = piola_snapshot_size(world);
    void *memory = fixture_memory(bytes);
    const uint64_t hash = piola_world_hash(world);
    fixture_ok(piola_snapshot_save(world, memory, bytes), NULL);
    fixture_ok(piola_snapshot_restore(world, memory, bytes), NULL);
    TEST_ASSERT_TRUE(hash == piola_world_hash(world));
}

static void test_bad_input(void)
{
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    piola_world *world = fixture_world(&d);
    const uint64_t empty = piola_world_hash(world);
    struct solid_desc bad = ball(-1);
    refused(world, &bad, "piola_rigid_desc.mass");
    bad.mass = NAN;
    refused(world, &bad, "piola_rigid_desc.mass");
    bad.mass = 1e-12f;
    refused(world, &bad, "piola_rigid_desc.mass");
    bad = ball(1);
    bad.shape.kind = PIOLA_SHAPE_PLANE;
    refused(world, &bad, "piola_rigid_desc.shape.kind");
    bad = ball(1);
    bad.inertia[1] = 1;
    refused(world, &bad, "piola_rigid_desc.inertia");
    bad = ball(1);
    bad.shape.radius = 0;
    refused(world, &bad, "piola_rigid_desc.inertia");
    bad = ball(1);
    bad.damping = -1;
    refused(world, &bad, "piola_rigid_desc.damping");
    bad.damping = 0;
    bad.gravity_scale = INFINITY;
    refused(world, &bad, "piola_rigid_desc.gravity_scale");
    TEST_ASSERT_TRUE(empty == piola_world_hash(world));
    /* Impulses are for rigid bodies only. */
    const struct solid_desc plane = solid_desc_default();
    const struct solid floor = solid_enter(world, &plane);
    piola_report report;
    command(world, PIOLA_COMMAND_RIGID_IMPULSE, floor, 1, 0, 0);
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL(1, report.commands_refused);
}

/* Inertias that no mass has, or of which rounding would leave nothing: refused with their axis.
 * What is barely accepted can be saved and taken back. */
static void test_inertias(void)
{
    static const struct {
        float mass, radius, inertia[3];
        int item; /* -1: it is sound */
    } cases[] = {
        {1, 0.1f, {1e12f, 1e-20f, 1}, 0},
        {1, 0.1f, {1, 0.4f, 0.5f}, 0},
        {1, 0.1f, {0.5f, 1, 0.499f}, 1},
        {1, 0.1f, {1e-3f, 1, 1.002f}, -1},
        {1, 0.1f, {1e-9f, 1, 1}, 1},
        {1, 0.1f, {1e-40f, 1e-40f, 1e-40f}, 0},
        {1, 0.1f, {1e-17f, 1e-17f, 1e-19f}, 2},
        {1, 0.1f, {1, 1, 2}, -1},
        {1, 0.1f, {1, 1, 2.001f}, -1},
        {1, 0.1f, {1, 1, 2.01f}, 2},
        {1, 0.1f, {2e-8f, 1, 1}, -1},
        {1e9f, 0.1f, {1e12f, 1e12f, 1e12f}, -1},
        {1e-9f, 1e-26f, {0, 0, 0}, 0},
        {1e-9f, 2e-9f, {0, 0, 0}, -1},
        {1, 1e-20f, {0, 0, 0}, 0},
        {1e-9f, 1e6f, {0, 0, 0}, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
        piola_world *world = fixture_world(&d);
        struct solid_desc c = ball(cases[i].mass);
        struct solid made;
        piola_error error = {0};
        c.shape.radius = cases[i].radius;
        memcpy(c.inertia, cases[i].inertia, sizeof c.inertia);
        c.angular_velocity[0] = c.angular_velocity[1] = 1;
        const piola_status status = solid_create(world, &c, &made, &error);
        printf("mass %g, radius %g, inertia %g %g %g: %s\n", (double)c.mass, (double)c.shape.radius,
               (double)c.inertia[0], (double)c.inertia[1], (double)c.inertia[2],
               piola_status_text(status));
        if (cases[i].item >= 0) {
            TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, status);
            TEST_ASSERT_EQUAL_STRING("piola_rigid_desc.inertia", error.field);
            TEST_ASSERT_TRUE(error.has_item);
            TEST_ASSERT_EQUAL(cases[i].item, error.item);
            continue;
        }
        fixture_ok(status, &error);
        takes_its_own(world);
        fixture_steps(world, NULL, 3);
        takes_its_own(world);
    }
}

static void finite_info(piola_world *world, struct solid c)
{
    const piola_collider_info f = info_of(world, c);
    double sum = (double)f.rotation[3];
    for (int k = 0; k < 3; ++k) {
        sum += (double)f.position[k] + (double)f.rotation[k] + f.force[k] + f.torque[k];
        TEST_ASSERT_TRUE(fabsf(f.velocity[k]) <= 1e9f);
        TEST_ASSERT_TRUE(fabsf(f.angular_velocity[k]) <= 1e9f);
    }
    TEST_ASSERT_TRUE(isfinite(sum));
}

/* As fast as it is told: at most 1e9 m/s and rad/s, which are reported. */
static void test_the_fastest(void)
{
    piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    memset(d.gravity, 0, sizeof d.gravity);
    piola_world *world = fixture_world(&d);
    const struct solid_desc c = ball(1e-9f);
    const struct solid rigid = solid_enter(world, &c);
    for (int i = 0; i < 2; ++i)
        command(world, PIOLA_COMMAND_RIGID_IMPULSE, rigid, 1e9f, -1e9f, 0);
    for (int i = 0; i < 2; ++i)
        command(world, PIOLA_COMMAND_RIGID_TWIST, rigid, 0, 1e9f, 1e9f);
    fixture_steps(world, NULL, 1);
    takes_its_own(world);
    const piola_collider_info info = info_of(world, rigid);
    const double most = 1e9 / sqrt(2);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * most, most, (double)info.velocity[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * most, -most, (double)info.velocity[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * most, most, (double)info.angular_velocity[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * most, most, (double)info.angular_velocity[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5 * most, 0.005 * most, (double)info.position[0]);
    fixture_steps(world, NULL, 1000);
    takes_its_own(world);
    finite_info(world, rigid);
}

/* Whatever is asked of bodies of whatever mass: numbers stay numbers, and a world takes back what
 * it saved. */
static void test_nothing_is_lost(void)
{
    uint64_t random = fixture_seed();
    const int rounds = fixture_count(60, 15);
    for (int round = 0; round < rounds; ++round) {
        const piola_world_desc d =
            collider_world((piola_solver)(round % 3), 1 + (uint32_t)round % 4);
        piola_world *world = fixture_world(&d);
        struct solid_desc c = solid_desc_default();
        struct solid all[4];
        c.restitution = (float)(round % 2);
        all[0] = solid_enter(world, &c);
        for (int i = 1; i < 4; ++i) {
            static const float masses[] = {1e-9f, 1e-6f, 1e-3f, 1, 1e3f, 1e9f};
            static const float sizes[] = {1e-3f, 0.01f, 0.3f, 1, 10};
            c.shape.kind = (piola_shape_kind)(1 + (int)(3 * fixture_uniform(&random)) % 3);
            c.mass = masses[fixture_random(&random) % 6];
            c.shape.radius =
                c.shape.kind == PIOLA_SHAPE_BOX ? 0 : sizes[fixture_random(&random) % 4];
            for (int k = 0; k < 3; ++k) {
                c.shape.size[k] = sizes[fixture_random(&random) % 5];
                c.position[k] = (float)fixture_uniform(&random) - 0.2f * (float)(k != 1);
                c.velocity[k] = (float)(2000 * fixture_uniform(&random) - 1000);
                c.angular_velocity[k] = (float)(1e5 * (fixture_uniform(&random) - 0.5));
            }
            all[i] = solid_enter(world, &c);
        }
        (void)fixture_body(world, fixture_beam(2, 1, 1, 0.05), 0, 0.1f, 0);
        for (int i = 0; i < 30; ++i) {
            static const float values[] = {0, 0.5f, -1, 100, -1e4f, 1e9f, -1e9f};
            const uint32_t kind =
                PIOLA_COMMAND_RIGID_MOVE + (uint32_t)(fixture_random(&random) % 7);
            const float v[3] = {values[fixture_random(&random) % 7],
                                values[fixture_random(&random) % 7],
                                values[fixture_random(&random) % 7]};
            if (i % 3 == 0)
                command(world, (piola_command_kind)kind, all[1 + i / 3 % 3], v[0], v[1], v[2]);
            fixture_steps(world, NULL, 1);
            takes_its_own(world);
            for (int k = 1; k < 4; ++k)
                finite_info(world, all[k]);
        }
        fixture_clean();
    }
}

/* Told where to go while it spins, and how to turn: it keeps its spin, or gets that of its turn. */
static void test_spin_of_what_is_carried(void)
{
    piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 2);
    memset(d.gravity, 0, sizeof d.gravity);
    piola_world *world = fixture_world(&d);
    struct solid_desc c = ball(2);
    c.angular_velocity[1] = 900; /* 4.5 rad a step */
    const struct solid rigid = solid_enter(world, &c);
    for (int i = 0; i < 20; ++i) {
        command(world, PIOLA_COMMAND_RIGID_MOVE, rigid, 0.01f * (float)i, 0, 0);
        fixture_steps(world, NULL, 1);
        TEST_ASSERT_FLOAT_WITHIN(0.01f, 900, info_of(world, rigid).angular_velocity[1]);
    }
    command(world, PIOLA_COMMAND_RIGID_TURN, rigid, 0, 0, 0);
    fixture_steps(world, NULL, 1);
    command(world, PIOLA_COMMAND_RIGID_TURN, rigid, 0, 0.9f, 0);
    fixture_steps(world, NULL, 1);
    const double spin = 2 * asin((double)0.9f) / 0.005;
    TEST_ASSERT_DOUBLE_WITHIN(1e-5 * spin, spin, (double)info_of(world, rigid).angular_velocity[1]);
}

/* Impulse, twist, force, velocity, spin; carried to a place, then let go. */
static void test_commands(void)
{
    piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 4);
    memset(d.gravity, 0, sizeof d.gravity);
    piola_world *world = fixture_world(&d);
    const struct solid_desc c = ball(2);
    const struct solid rigid = solid_enter(world, &c);
    command(world, PIOLA_COMMAND_RIGID_IMPULSE, rigid, 4, 0, 0);
    command(world, PIOLA_COMMAND_RIGID_TWIST, rigid, 0, 0.016f, 0);
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 2, info_of(world, rigid).velocity[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 2, info_of(world, rigid).angular_velocity[1]);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.01f, info_of(world, rigid).position[0]);
    command(world, PIOLA_COMMAND_RIGID_FORCE, rigid, 0, 0, 10);
    fixture_steps(world, NULL, 100);
    command(world, PIOLA_COMMAND_RIGID_FORCE, rigid, 0, 0, 0);
    fixture_steps(world, NULL, 100);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 2.5f, info_of(world, rigid).velocity[2]);
    command(world, PIOLA_COMMAND_RIGID_VELOCITY, rigid, 0, 0, 0);
    command(world, PIOLA_COMMAND_RIGID_SPIN, rigid, 0, 0, 0);
    fixture_steps(world, NULL, 1);
    const piola_collider_info stands = info_of(world, rigid);
    TEST_ASSERT_TRUE(stands.velocity[2] == 0 && stands.angular_velocity[1] == 0);
    command(world, PIOLA_COMMAND_RIGID_MOVE, rigid, stands.position[0] + 0.05f, stands.position[1],
            stands.position[2]);
    command(world, PIOLA_COMMAND_RIGID_TURN, rigid, 0, 0, 0.02f);
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
    const struct solid_desc plane = solid_desc_default();
    struct solid_desc c = ball(5);
    (void)solid_enter(world, &plane);
    c.position[1] = 0.45f;
    c.position[0] = 0.05f;
    c.angular_velocity[2] = 3;
    const struct solid rigid = solid_enter(world, &c);
    (void)fixture_body(world, fixture_beam(3, 3, 3, 0.1), -0.15f, 0, -0.15f);
    fixture_steps(world, NULL, 20);
    const size_t bytes = piola_snapshot_size(world);
    unsigned char *memory = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, memory, bytes), NULL);
    fixture_steps(world, NULL, 30);
    const uint64_t hash = piola_world_hash(world);
    fixture_ok(solid_destroy(world, rigid), NULL);
    fixture_steps(world, NULL, 3);
    fixture_ok(piola_snapshot_restore(world, memory, bytes), NULL);
    TEST_ASSERT_TRUE(piola_rigid_alive(world, (piola_rigid){rigid.index, rigid.generation}));
    fixture_steps(world, NULL, 30);
    TEST_ASSERT_TRUE(hash == piola_world_hash(world));
}

/* Distance from a sphere or a rounded box, in double. */
static double distance(const struct solid_desc *c, const piola_collider_info *at, const float *x)
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
    if (c->shape.kind == PIOLA_SHAPE_SPHERE)
        return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - (double)c->shape.radius;
    for (int k = 0; k < 3; ++k) {
        const double beyond = fabs(p[k]) - (double)c->shape.size[k] + (double)c->shape.radius;
        out += beyond > 0 ? beyond * beyond : 0;
        in = fmax(in, beyond);
    }
    return (in > 0 ? sqrt(out) : in) - (double)c->shape.radius;
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
        const struct solid_desc plane = solid_desc_default();
        (void)solid_enter(world, &plane);
        const piola_body body = fixture_body(world, asset, -0.12f, 0.01f, -0.12f);
        struct solid_desc c = ball((float)pow(10, 6 * fixture_uniform(&random) - 2));
        if (round % 2) {
            c.shape.kind = PIOLA_SHAPE_BOX;
            c.shape.radius = 0.01f;
        }
        const double speed = round % 4 == 0 ? 300 : 10;
        double way[3];
        for (int k = 0; k < 3; ++k) {
            c.shape.size[k] = 0.05f + 0.1f * (float)fixture_uniform(&random);
            c.angular_velocity[k] = (float)(40 * fixture_uniform(&random) - 20);
            way[k] = 0.1 * (2 * fixture_uniform(&random) - 1) - (k == 1);
        }
        for (int k = 0; k < 3; ++k) {
            c.velocity[k] = (float)(speed * way[k]);
            c.position[k] = (float)(0.12 * (k == 1) - 0.6 * way[k]);
        }
        const struct solid rigid = solid_enter(world, &c);
        for (int i = 0; i < 60; ++i) {
            float x[64 * 3];
            fixture_steps(world, NULL, 1);
            const piola_collider_info at = info_of(world, rigid);
            piola_body_info info;
            fixture_ok(piola_body_inspect(world, body, &info), NULL);
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
    RUN_TEST(test_inertias);
    RUN_TEST(test_commands);
    RUN_TEST(test_the_fastest);
    RUN_TEST(test_nothing_is_lost);
    RUN_TEST(test_spin_of_what_is_carried);
    RUN_TEST(test_snapshots);
    RUN_TEST(test_nobody_ends_inside);
    return UNITY_END();
}
