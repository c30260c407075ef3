/* Surfaces against surfaces: nothing that begins outside ends inside, checked after every step by
 * the reference's crossing test.
 *
 * covers: src/families/surface/
 */
#include "contact_fixture.h"
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

static double along_x(const struct scene *s)
{
    double momentum[6];
    scene_momentum(s, momentum);
    return momentum[0];
}

/* Two cubes meet in the air, askew. */
static void test_cubes_collide(void)
{
    static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_COMPLIANT};
    for (int k = 0; k < 2; ++k) {
        piola_world_desc d = scene_desc(solvers[k]);
        memset(d.gravity, 0, sizeof d.gravity);
        d.contact_friction = 0;
        struct scene s = scene_of(&d);
        const piola_asset *cube = fixture_beam_of(3, 3, 3, 0.05, NULL, 0);
        piola_body_desc b = piola_body_desc_default();
        b.velocity[0] = 3;
        (void)scene_enter(&s, cube, &b);
        b.position[0] = 0.35f;
        b.position[1] = 0.05f;
        b.position[2] = 0.02f;
        b.rotation[2] = 0.3826834f;
        b.rotation[3] = 0.9238795f;
        b.velocity[0] = -2;
        (void)scene_enter(&s, cube, &b);
        const double before = along_x(&s);
        scene_play(&s, 150, k ? "cubes, compliant" : "cubes, descent");
        const double after = along_x(&s);
        piola_body_info info;
        fixture_ok(piola_body_inspect(s.world, s.body[0], &info), NULL);
        printf("momentum %.6f -> %.6f kg m/s (each body has %.2f and %.2f), first at %.3f m/s\n",
               before, after, info.mass * 3, info.mass * 2, info.momentum[0] / info.mass);
        TEST_ASSERT_TRUE(info.momentum[0] / info.mass < 1.5);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4 * info.mass * 2, before, after);
    }
}

/* Three cubes dropped on each other come to rest, and the floor bears them all. */
static void test_a_stack_comes_to_rest(void)
{
    static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_COMPLIANT};
    for (int k = 0; k < 2; ++k) {
        piola_world_desc d = scene_desc(solvers[k]);
        struct scene s = scene_of(&d);
        const piola_collider ground = scene_floor(&s, 0.5f);
        const piola_asset *cube = fixture_beam_of(2, 2, 2, 0.1, NULL, 0);
        piola_body_desc b = piola_body_desc_default();
        for (int i = 0; i < 3; ++i) {
            b.position[0] = 0.01f * (float)i;
            b.position[1] = 0.002f + 0.21f * (float)i;
            (void)scene_enter(&s, cube, &b);
        }
        scene_play(&s, 100, "a stack, falling");
        fixture_steps(s.world, NULL, 500);
        scene_play(&s, 20, "a stack, at rest");
        double energy = 0, mass = 0, high[3];
        piola_collider_info at;
        for (int i = 0; i < 3; ++i) {
            piola_body_info info;
            fixture_ok(piola_body_inspect(s.world, s.body[i], &info), NULL);
            energy += info.kinetic_energy;
            mass += info.mass;
            high[i] = info.centre[1];
        }
        fixture_ok(piola_collider_inspect(s.world, ground, &at), NULL);
        printf(
            "%s: kinetic energy %.1e J, centres at %.4f %.4f %.4f m, floor bears %.2f of %.2f N\n",
            k ? "compliant" : "descent", energy, high[0], high[1], high[2], -at.force[1],
            9.81 * mass);
        /* They fell with some 5 J; nothing damps them with projections. */
        TEST_ASSERT_TRUE(energy < (k ? 0.05 : 0.01));
        TEST_ASSERT_TRUE(high[0] > 0.08 && high[1] > high[0] + 0.17 && high[2] > high[1] + 0.17);
        TEST_ASSERT_DOUBLE_WITHIN(0.03 * 9.81 * mass, 9.81 * mass, -at.force[1]);
    }
}

/* Cloth falls over the corner of a cube that stands on the floor. */
static void test_cloth_falls_on_a_cube(void)
{
    static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_COMPLIANT};
    for (int k = 0; k < 2; ++k) {
        const piola_world_desc d = scene_desc(solvers[k]);
        struct scene s = scene_of(&d);
        (void)scene_floor(&s, 0.5f);
        piola_body_desc b = piola_body_desc_default();
        b.position[1] = 0.002f;
        (void)scene_enter(&s, fixture_beam_of(2, 2, 2, 0.1, NULL, 0), &b);
        b.position[0] = -0.03f;
        b.position[1] = 0.25f;
        b.position[2] = -0.06f;
        b.damping = 1;
        (void)scene_enter(&s, scene_sheet(0.4, 0.4, 12, 12, 500), &b);
        scene_play(&s, fixture_count(150, 40),
                   k ? "cloth on a cube, compliant" : "cloth on a cube, descent");
    }
}

/* Ten layers of one sheet, folded like a fan, fall on the floor. */
static void test_a_folded_sheet(void)
{
    const piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    struct scene s = scene_of(&d);
    (void)scene_floor(&s, 0.5f);
    piola_body_desc b = piola_body_desc_default();
    b.damping = 2;
    (void)scene_enter(&s, scene_sheet(0.4, 0.4, 20, 20, 200), &b);
    scene_fold(&s, (const float[3]){0, 0, 0});
    scene_play(&s, fixture_count(80, 20), "ten layers");
}

/* A small hard body at 300 m/s against a held sheet: ten times its length in a step. */
static void test_a_bullet_against_a_sheet(void)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    memset(d.gravity, 0, sizeof d.gravity);
    struct scene s = scene_of(&d);
    piola_body_desc b = piola_body_desc_default();
    const piola_body cloth = scene_enter(&s, scene_sheet(0.4, 0.4, 8, 8, 5000), &b);
    static const uint32_t corners[] = {0, 8, 72, 80};
    for (int i = 0; i < 4; ++i) {
        float p[3];
        fixture_ok(piola_body_positions(s.world, cloth, corners[i], 1, p), NULL);
        fixture_push(s.world, PIOLA_COMMAND_BODY_PIN, cloth, corners[i], p[0], p[1], p[2]);
    }
    b.position[0] = 0.19f;
    b.position[1] = 0.3f;
    b.position[2] = 0.21f;
    b.velocity[1] = -300;
    const piola_body bullet = scene_enter(&s, fixture_beam_of(1, 1, 1, 0.02, NULL, 0), &b);
    scene_play(&s, 60, "bullet and sheet");
    piola_body_info info;
    fixture_ok(piola_body_inspect(s.world, bullet, &info), NULL);
    TEST_ASSERT_TRUE(info.centre[1] > -1);
}

/* Bodies thrown at each other any way, also with far too little room for pairs. */
static void test_random_throws(void)
{
    uint64_t random = fixture_seed();
    const int rounds = fixture_count(4, 2);
    for (int round = 0; round < rounds; ++round) {
        static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_ENERGY,
                                               PIOLA_SOLVER_COMPLIANT};
        piola_world_desc d = scene_desc(solvers[round % 3]);
        d.substeps = 1 + (uint32_t)round % 2;
        d.max_contacts = round % 4 == 3 ? 50 : 100000;
        memset(d.gravity, 0, sizeof d.gravity);
        struct scene s = scene_of(&d);
        const piola_asset *cube = fixture_beam_of(2, 1, 1, 0.06, NULL, 0),
                          *cloth = scene_sheet(0.4, 0.4, 6, 6, 500);
        for (int i = 0; i < 6; ++i) {
            piola_body_desc b = piola_body_desc_default();
            double norm = 0;
            for (int k = 0; k < 4; ++k) {
                b.rotation[k] = (float)(2 * fixture_uniform(&random) - 1);
                norm += (double)b.rotation[k] * (double)b.rotation[k];
            }
            for (int k = 0; k < 4; ++k)
                b.rotation[k] /= (float)sqrt(norm);
            const int along = i % 2, up = i / 2 % 2, across = i / 4;
            const float place[3] = {(float)along, (float)up, (float)across};
            for (int k = 0; k < 3; ++k) {
                b.position[k] = 1.2f * place[k];
                b.velocity[k] = 6 * (0.5f - place[k]) + (float)fixture_uniform(&random);
                b.angular_velocity[k] = (float)(6 * fixture_uniform(&random) - 3);
            }
            (void)scene_enter(&s, i == 5 ? cloth : cube, &b);
        }
        scene_play(&s, 120, round % 4 == 3 ? "thrown, no room" : "thrown");
    }
}

/* Any number of threads, any snapshot: the same. */
static void test_snapshots(void)
{
    const piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    struct scene s = scene_of(&d);
    piola_body_desc b = piola_body_desc_default();
    const piola_asset *cube = fixture_beam_of(2, 2, 2, 0.05, NULL, 0);
    b.velocity[0] = 1;
    (void)scene_enter(&s, cube, &b);
    b.position[0] = 0.12f;
    b.velocity[0] = -1;
    (void)scene_enter(&s, cube, &b);
    fixture_steps(s.world, NULL, 5);
    const size_t bytes = piola_snapshot_size(s.world);
    void *memory = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(s.world, memory, bytes), NULL);
    fixture_steps(s.world, NULL, 30);
    const uint64_t hash = piola_world_hash(s.world);
    fixture_ok(piola_snapshot_restore(s.world, memory, bytes), NULL);
    fixture_steps(s.world, NULL, 30);
    TEST_ASSERT_TRUE(hash == piola_world_hash(s.world));
}

static void test_a_body_without_room_is_refused(void)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.max_contact_faces = 50;
    piola_world *world = fixture_world(&d);
    piola_body_desc b = piola_body_desc_default();
    piola_body body;
    b.asset = fixture_beam_of(2, 2, 2, 0.05, NULL, 0); /* 48 faces */
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_CONTACTS_FULL, piola_body_create(world, &b, &body, NULL));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_cubes_collide);
    RUN_TEST(test_a_stack_comes_to_rest);
    RUN_TEST(test_cloth_falls_on_a_cube);
    RUN_TEST(test_a_folded_sheet);
    RUN_TEST(test_a_bullet_against_a_sheet);
    RUN_TEST(test_random_throws);
    RUN_TEST(test_snapshots);
    RUN_TEST(test_a_body_without_room_is_refused);
    return UNITY_END();
}
