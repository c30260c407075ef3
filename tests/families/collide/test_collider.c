/* Colliders as objects: groups, handles, bad input, commands, snapshots.
 *
 * covers: src/families/rigid/collider_life.c src/families/rigid/collider_motion.c
 */
#include "collider_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static const piola_asset *block(void)
{
    piola_material m = piola_material_default();
    m.young = 1e5f;
    m.poisson = 0.3f;
    m.damping = 0.01f;
    return fixture_beam_of(3, 2, 3, 0.1, &m, 0);
}

static void test_groups_and_masks(void)
{
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    piola_world *world = fixture_world(&d);
    piola_collider_desc c = piola_collider_desc_default();
    c.mask = ~(UINT64_C(1) << 40);
    (void)collider_enter(world, &c);
    piola_body bodies[2];
    for (uint32_t k = 0; k < 2; ++k) {
        piola_body_desc b = piola_body_desc_default();
        b.asset = block();
        b.position[0] = (float)k;
        b.category = UINT64_C(1) << (39 + k);
        fixture_ok(piola_body_create(world, &b, &bodies[k], NULL), NULL);
    }
    fixture_steps(world, NULL, 100);
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, bodies[0], &info), NULL);
    TEST_ASSERT_TRUE(info.centre[1] > 0.09);
    fixture_ok(piola_body_inspect(world, bodies[1], &info), NULL);
    TEST_ASSERT_TRUE(info.centre[1] < -1);
}

/* Handles, limits, and numbers that must be refused. */
static void test_bad_input(void)
{
    piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    d.max_colliders = 2;
    piola_world *world = fixture_world(&d);
    const piola_collider_desc good = piola_collider_desc_default();
    piola_collider_desc bad = good;
    piola_collider a, b, none;
    piola_error error;
    const uint64_t empty = piola_world_hash(world);
    bad.cookie_ = 0;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COOKIE, piola_collider_create(world, &bad, &a, &error));
    bad = good;
    bad.shape.radius = NAN;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_collider_create(world, &bad, &a, &error));
    TEST_ASSERT_EQUAL_STRING("piola_collider_desc.shape.radius", error.field);
    bad = good;
    bad.friction_static = 0.1f;
    bad.friction_kinetic = 0.5f;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_collider_create(world, &bad, &a, &error));
    TEST_ASSERT_EQUAL_STRING("piola_collider_desc.friction_kinetic", error.field);
    bad = good;
    bad.shape.kind = PIOLA_SHAPE_KIND_COUNT;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_collider_create(world, &bad, &a, &error));
    bad = good;
    bad.rotation[3] = 0.5f;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_collider_create(world, &bad, &a, &error));
    bad = good;
    bad.shape.kind = PIOLA_SHAPE_BOX;
    bad.shape.radius = 1;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_collider_create(world, &bad, &a, &error));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_collider_create(world, NULL, &a, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_collider_create(world, &good, NULL, NULL));
    TEST_ASSERT_TRUE(empty == piola_world_hash(world));
    a = collider_enter(world, &good);
    b = collider_enter(world, &good);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COLLIDERS_FULL,
                      piola_collider_create(world, &good, &none, &error));
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_collider_destroy(world, a));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_collider_destroy(world, a));
    TEST_ASSERT_FALSE(piola_collider_alive(world, a));
    TEST_ASSERT_TRUE(piola_collider_alive(world, b));
    const piola_collider again = collider_enter(world, &good);
    TEST_ASSERT_EQUAL(a.index, again.index);
    TEST_ASSERT_FALSE(piola_collider_alive(world, a));
    piola_collider_info info;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_collider_inspect(world, a, &info));
    /* A stale command is counted and changes nothing. */
    piola_report report;
    fixture_ok(piola_collider_set_velocity(world, a, (float[]){1, 0, 0}), NULL);
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL(1, report.commands_refused);
}

/* A turn that is none is refused and leaves the collider as it was, for snapshots too. */
static void test_a_turn_that_is_none(void)
{
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    piola_world *world = fixture_world(&d);
    const piola_collider_desc c = piola_collider_desc_default();
    const piola_collider floor = collider_enter(world, &c);
    fixture_ok(piola_collider_turn(world, floor, (float[]){0, 0.1f, 0, 0.99498744f}), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE,
                      piola_collider_turn(world, floor, (float[]){1e9f, 1e9f, 0, 0}));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_collider_turn(world, floor, (float[]){0, 0, 0, 0}));
    fixture_steps(world, NULL, 1);
    piola_collider_info info;
    fixture_ok(piola_collider_inspect(world, floor, &info), NULL);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.1f, info.rotation[1]);
    const size_t bytes = piola_snapshot_size(world);
    void *memory = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, memory, bytes), NULL);
    fixture_ok(piola_snapshot_restore(world, memory, bytes), NULL);
}

/* A collider with a spin turns by just that, however fast, in one substep or four. */
static void test_spin(void)
{
    static const double spins[] = {0.01, 5, 50, 200, 600, 900};
    for (size_t k = 0; k < 2 * sizeof spins / sizeof *spins; ++k) {
        const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, k % 2 ? 4 : 1);
        piola_world *world = fixture_world(&d);
        piola_collider_desc c = piola_collider_desc_default();
        c.shape.kind = PIOLA_SHAPE_SPHERE;
        c.shape.radius = 0.1f;
        c.angular_velocity[0] = (float)(0.6 * spins[k / 2]);
        c.angular_velocity[1] = (float)(0.8 * spins[k / 2]);
        const piola_collider ball = collider_enter(world, &c);
        const double pi = 3.14159265358979323846, step = 0.005 * spins[k / 2];
        double sum = 0, before[4] = {0, 0, 0, 1}, aside = 0;
        for (int i = 0; i < 200; ++i) {
            piola_collider_info info;
            double q[4], vector[3];
            fixture_steps(world, NULL, 1);
            fixture_ok(piola_collider_inspect(world, ball, &info), NULL);
            for (int j = 0; j < 4; ++j)
                q[j] = (double)info.rotation[j];
            for (int j = 0; j < 3; ++j) {
                const int a = (j + 1) % 3, b = (j + 2) % 3;
                vector[j] =
                    q[j] * before[3] - q[3] * before[j] - (q[a] * before[b] - q[b] * before[a]);
            }
            const double along = 0.6 * vector[0] + 0.8 * vector[1];
            double angle = 2 * atan2(along, q[0] * before[0] + q[1] * before[1] + q[2] * before[2] +
                                                q[3] * before[3]);
            angle += 2 * pi * floor((step - angle) / (2 * pi) + 0.5);
            sum += angle;
            aside = fmax(aside, fabs(0.8 * vector[0] - 0.6 * vector[1]) + fabs(vector[2]));
            memcpy(before, q, sizeof before);
        }
        printf("%g rad/s, %u substeps: turned %.6f rad in a second, aside by %.1e\n", spins[k / 2],
               d.substeps, sum, aside);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6 * (spins[k / 2] > 5 ? spins[k / 2] : 5), spins[k / 2], sum);
        TEST_ASSERT_TRUE(aside < 1e-6);
    }
}

/* A snapshot holds the colliders; a world that goes back goes on alike. */
static void test_snapshots(void)
{
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 2);
    piola_world *world = fixture_world(&d);
    piola_collider_desc c = piola_collider_desc_default();
    c.velocity[0] = 0.5f;
    c.angular_velocity[2] = 0.2f;
    const piola_collider floor = collider_enter(world, &c);
    (void)fixture_body(world, block(), 0, 0.01f, 0);
    fixture_steps(world, NULL, 20);
    const size_t bytes = piola_snapshot_size(world);
    void *memory = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, memory, bytes), NULL);
    fixture_steps(world, NULL, 30);
    const uint64_t hash = piola_world_hash(world);
    fixture_ok(piola_collider_destroy(world, floor), NULL);
    fixture_steps(world, NULL, 3);
    fixture_ok(piola_snapshot_restore(world, memory, bytes), NULL);
    TEST_ASSERT_TRUE(piola_collider_alive(world, floor));
    fixture_steps(world, NULL, 30);
    TEST_ASSERT_TRUE(hash == piola_world_hash(world));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_groups_and_masks);
    RUN_TEST(test_bad_input);
    RUN_TEST(test_a_turn_that_is_none);
    RUN_TEST(test_spin);
    RUN_TEST(test_snapshots);
    return UNITY_END();
}
