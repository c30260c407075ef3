/* Sleep: what lies still falls asleep in finite time, keeps its bits, costs next to nothing, and is
 * state like any other: in snapshots and records, the same for all threads and instruction sets.
 *
 * covers: src/sleep/sleep.c src/sleep/sleep_near.c src/world/rest.c */
#include "contact_fixture.h"
#include "golden.h"
#include "unity.h"
#include "world/world.h"

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

enum { CUBES = 8, LONG = 1600 };

static piola_world_desc pile_desc(void)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.sleep = true;
    d.max_contact_events = 64;
    return d;
}

static const piola_asset *cube_of(float young)
{
    piola_material material = piola_material_default();
    material.young = young;
    return fixture_beam_of(1, 1, 1, 0.1, &material, 0);
}

/* Cubes that fall on each other, turned at random. */
static struct scene pile(const piola_world_desc *desc, float young, uint64_t seed)
{
    struct scene s = scene_of(desc);
    const piola_asset *cube = cube_of(young);
    scene_floor(&s, 0.5f);
    for (int i = 0; i < CUBES; ++i) {
        piola_body_desc b = piola_body_desc_default();
        const double half = 1.5 * fixture_uniform(&seed);
        b.position[0] = 0.2f * (float)fixture_uniform(&seed);
        b.position[1] = 0.05f + 0.16f * (float)i;
        b.position[2] = 0.2f * (float)fixture_uniform(&seed);
        b.rotation[1] = (float)sin(half);
        b.rotation[3] = (float)cos(half);
        scene_enter(&s, cube, &b);
    }
    return s;
}

static struct scene tower(const piola_world_desc *desc, int count, float young)
{
    struct scene s = scene_of(desc);
    const piola_asset *cube = cube_of(young);
    scene_floor(&s, 0.5f);
    for (int i = 0; i < count; ++i) {
        piola_body_desc b = piola_body_desc_default();
        b.position[1] = 0.001f + 0.102f * (float)i;
        scene_enter(&s, cube, &b);
    }
    return s;
}

static piola_report step(struct scene *s)
{
    piola_report report;
    fixture_ok(piola_world_step(s->world, NULL, &report), NULL);
    return report;
}

/* Steps until all sleep; how many that took. */
static int until_asleep(struct scene *s, int most)
{
    int steps = 0;
    while (steps < most && step(s).asleep < (uint32_t)s->bodies)
        ++steps;
    return steps;
}

static float *positions(struct scene *s)
{
    scene_collect(s);
    float *copy = fixture_memory(3 * s->vertex_count * sizeof *copy);
    memcpy(copy, s->x, 3 * s->vertex_count * sizeof *copy);
    return copy;
}

static void test_piles_fall_asleep_and_keep_their_bits(void)
{
    uint64_t seed = fixture_seed();
    const float youngs[] = {1e4f, 1e5f, 1e6f};
    for (int i = 0; i < fixture_count(3, 1); ++i) {
        const piola_world_desc desc = pile_desc();
        struct scene s = pile(&desc, youngs[i], fixture_random(&seed));
        const int steps = until_asleep(&s, LONG);
        printf("%.0e Pa: asleep after %.2f s\n", (double)youngs[i], 0.005 * steps);
        TEST_ASSERT_TRUE(steps < LONG);
        const float *then = positions(&s);
        for (int k = 0; k < 30; ++k)
            TEST_ASSERT_EQUAL_UINT32(CUBES, step(&s).asleep);
        TEST_ASSERT_EQUAL_MEMORY(then, positions(&s), 3 * s.vertex_count * sizeof *then);
        TEST_ASSERT_TRUE(scene_energy(&s) == 0);
        TEST_ASSERT_EQUAL_UINT64(0, scene_crossings(&s));
        fixture_clean();
    }
}

/* Piles of 1e8 Pa rattle now and then: docs/guide/known-limits.md. */
static void test_towers_of_any_stiffness_fall_asleep(void)
{
    for (float young = 1e4f; young < 2e9f; young *= 100) {
        const piola_world_desc desc = pile_desc();
        struct scene s = tower(&desc, 3, young);
        TEST_ASSERT_TRUE(until_asleep(&s, LONG) < LONG);
        fixture_clean();
    }
}

static void test_every_solver_falls_asleep(void)
{
    for (int i = 0; i < SCENE_SOLVERS; ++i) {
        piola_world_desc desc = pile_desc();
        desc.solver = scene_solvers[i].solver;
        desc.integrator = i == 0 ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER;
        struct scene s = tower(&desc, 1, 1e6f);
        TEST_ASSERT_TRUE_MESSAGE(until_asleep(&s, LONG) < LONG, scene_solvers[i].name);
        fixture_ok(piola_body_wake(s.world, s.body[0]), NULL);
        TEST_ASSERT_EQUAL_UINT32(1, step(&s).woke);
        for (int k = 0; k < 20; ++k)
            step(&s);
        /* It goes on at rest: no slower way to say that it gained nothing. */
        TEST_ASSERT_TRUE_MESSAGE(scene_energy(&s) < 0.5 * scene_mass(&s) * 0.03 * 0.03,
                                 scene_solvers[i].name);
    }
}

/* Searches, tests, pushes and barriers of a step. */
static uint64_t cost(const piola_report *r)
{
    return r->work.searches + r->work.tests + r->work.rounds + r->work.proofs + r->work.pushes +
           r->stages;
}

static void test_who_sleeps_costs_nothing(void)
{
    const piola_world_desc desc = pile_desc();
    struct scene s = pile(&desc, 1e6f, 1);
    piola_report awake = {0};
    for (int i = 0; i < 200; ++i)
        awake = step(&s);
    TEST_ASSERT_TRUE(until_asleep(&s, LONG) < LONG);
    const piola_report asleep = step(&s);
    printf("counted work of a step: %llu awake, %llu asleep\n", (unsigned long long)cost(&awake),
           (unsigned long long)cost(&asleep));
    TEST_ASSERT_TRUE(20 * cost(&asleep) < cost(&awake));
    TEST_ASSERT_EQUAL_UINT32(0, asleep.contacts);
}

/* What touched when it fell asleep touches on. */
static void test_contacts_stay(void)
{
    const piola_world_desc desc = pile_desc();
    struct scene s = tower(&desc, 2, 1e6f);
    piola_contact_event before[8], after[8];
    uint32_t count = 0, then = 0;
    TEST_ASSERT_TRUE(until_asleep(&s, LONG) < LONG);
    step(&s);
    fixture_ok(piola_world_contact_events(s.world, 0, 8, before, &then), NULL);
    step(&s);
    fixture_ok(piola_world_contact_events(s.world, 0, 8, after, &count), NULL);
    TEST_ASSERT_EQUAL_UINT32(2, count);
    TEST_ASSERT_EQUAL_UINT32(then, count);
    for (uint32_t i = 0; i < count; ++i) {
        TEST_ASSERT_EQUAL(PIOLA_CONTACT_STAY, after[i].phase);
        TEST_ASSERT_TRUE(before[i].force[1] == after[i].force[1]);
        TEST_ASSERT_TRUE(after[i].force[1] != 0);
    }
}

/* Woken again and again it stays where it is, and has no more energy than before. */
static void test_a_tower_does_not_creep(void)
{
    const piola_world_desc desc = pile_desc();
    struct scene s = tower(&desc, 5, 1e6f);
    TEST_ASSERT_TRUE(until_asleep(&s, LONG) < LONG);
    const float *then = positions(&s);
    double most = 0, way = 0;
    for (int i = 0; i < 12; ++i) {
        fixture_ok(piola_body_wake(s.world, s.body[0]), NULL);
        for (int k = 0; k < 40; ++k) {
            step(&s);
            most = scene_energy(&s) > most ? scene_energy(&s) : most;
        }
        TEST_ASSERT_TRUE(until_asleep(&s, LONG) < LONG);
    }
    const float *now = positions(&s);
    for (uint32_t i = 0; i < 3 * s.vertex_count; ++i)
        way = fabs((double)(now[i] - then[i])) > way ? fabs((double)(now[i] - then[i])) : way;
    printf("woken 12 times: %.3g m, %.3g J\n", way, most);
    TEST_ASSERT_TRUE(way < 3e-4);
    TEST_ASSERT_TRUE(most < 1e-6);
}

/* ---- state --------------------------------------------------------------------------------- */

/* A tower sleeps, is struck by what falls on it, and sleeps again. */
static uint64_t play(const piola_world_desc *desc, const piola_tasks *tasks, uint64_t *woke)
{
    struct scene s = tower(desc, 4, 1e6f);
    piola_body_desc b = piola_body_desc_default();
    uint64_t hash = 0;
    piola_report report;
    *woke = 0;
    for (int i = 0; i < 300; ++i) {
        b.position[1] = 0.6f;
        b.position[0] = 0.02f;
        if (i == 150)
            scene_enter(&s, s.asset[0], &b);
        fixture_ok(piola_world_step(s.world, tasks, &report), NULL);
        *woke += report.woke;
        hash = 31 * hash + piola_world_hash(s.world) * (i % 10 == 0);
    }
    return hash;
}

static void test_threads_and_instructions_change_no_bit(void)
{
    uint64_t woke, hash = 0;
    piola_world_desc desc = pile_desc();
    for (uint32_t threads = 1; threads <= 4; threads *= 2)
        for (piola_isa isa = PIOLA_ISA_AUTO; isa < PIOLA_ISA_COUNT; isa = (piola_isa)(isa + 1)) {
            if (!piola_isa_available(isa) || (threads > 1 && isa != PIOLA_ISA_AUTO))
                continue;
            piola_workers *workers = golden_workers(threads);
            desc.isa = isa;
            const uint64_t now = play(&desc, workers ? piola_workers_tasks(workers) : NULL, &woke);
            hash = hash ? hash : now;
            TEST_ASSERT_EQUAL_UINT64(hash, now);
            TEST_ASSERT_TRUE(woke >= 4);
            if (workers)
                piola_workers_destroy(workers);
        }
}

static void strike(struct scene *s)
{
    const float down[3] = {0.02f, 0.05f, 0};
    fixture_ok(piola_body_impulse(s->world, s->body[CUBES - 1], 0, down), NULL);
}

/* Back to any moment, in this world or another: the same end. */
static void test_snapshots_hold_who_sleeps(void)
{
    const piola_world_desc desc = pile_desc();
    struct scene s = pile(&desc, 1e6f, 3), other = pile(&desc, 1e6f, 3);
    TEST_ASSERT_TRUE(until_asleep(&s, LONG) < LONG);
    const size_t bytes = piola_snapshot_size(s.world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(s.world, snapshot, bytes), NULL);
    uint64_t ends[3];
    for (int run = 0; run < 3; ++run) {
        struct scene *in = run == 2 ? &other : &s;
        if (run > 0)
            fixture_ok(piola_snapshot_restore(in->world, snapshot, bytes), NULL);
        for (int i = 0; i < 10; ++i)
            TEST_ASSERT_EQUAL_UINT32(CUBES, step(in).asleep);
        strike(in);
        for (int i = 0; i < 60; ++i)
            step(in);
        ends[run] = piola_world_hash(in->world);
    }
    TEST_ASSERT_EQUAL_UINT64(ends[0], ends[1]);
    TEST_ASSERT_EQUAL_UINT64(ends[0], ends[2]);
}

/* Rolled back every few steps, while some sleep and others wake them. */
static void test_rollback_inside_of_sleep(void)
{
    const piola_world_desc desc = pile_desc();
    struct scene s = pile(&desc, 1e5f, 11);
    for (int i = 0; i < 40; ++i) {
        for (int k = 0; k < 9; ++k)
            step(&s);
        const size_t bytes = piola_snapshot_size(s.world);
        void *snapshot = fixture_memory(bytes);
        fixture_ok(piola_snapshot_save(s.world, snapshot, bytes), NULL);
        if (i % 8 == 7)
            strike(&s);
        step(&s);
        const uint64_t hash = piola_world_hash(s.world);
        step(&s);
        fixture_ok(piola_snapshot_restore(s.world, snapshot, bytes), NULL);
        if (i % 8 == 7)
            strike(&s);
        step(&s);
        TEST_ASSERT_EQUAL_UINT64(hash, piola_world_hash(s.world));
    }
}

static void test_records_play(void)
{
    enum { ROOM = 1 << 18 };
    const piola_world_desc desc = pile_desc();
    struct scene s = pile(&desc, 1e6f, 5);
    void *record = fixture_memory(ROOM);
    size_t used = 0;
    uint64_t different = 1;
    TEST_ASSERT_TRUE(until_asleep(&s, LONG) < LONG);
    const size_t bytes = piola_snapshot_size(s.world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(s.world, snapshot, bytes), NULL);
    fixture_ok(piola_record_begin(s.world, record, ROOM), NULL);
    for (int i = 0; i < 40; ++i) {
        if (i == 10)
            strike(&s);
        if (i == 20)
            fixture_ok(piola_body_set_sleep_speed(s.world, s.body[0], 0), NULL);
        step(&s);
    }
    fixture_ok(piola_record_end(s.world, &used), NULL);
    fixture_ok(piola_snapshot_restore(s.world, snapshot, bytes), NULL);
    fixture_ok(piola_record_play(s.world, NULL, record, used, &different, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, different);
}

/* Where there is room for few pairs, and so for few grips, sleep is safe and counted. */
static void test_full_capacity(void)
{
    piola_world_desc desc = pile_desc();
    desc.max_contacts = 24;
    struct scene s = pile(&desc, 1e6f, 2);
    until_asleep(&s, LONG / 2);
    strike(&s);
    for (int i = 0; i < 100; ++i)
        step(&s);
    TEST_ASSERT_EQUAL_UINT64(0, scene_crossings(&s));
    const size_t bytes = piola_snapshot_size(s.world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(s.world, snapshot, bytes), NULL);
    fixture_ok(piola_snapshot_restore(s.world, snapshot, bytes), NULL);
    TEST_ASSERT_TRUE(s.world->dim[DIM_grips].used <= desc.max_contacts);
}

/* Nobody sleeps but in worlds that ask for it, nor a body that was told not to. */
static void test_off_by_request(void)
{
    piola_world_desc desc = pile_desc();
    desc.sleep = false;
    struct scene s = tower(&desc, 2, 1e6f);
    fixture_ok(piola_body_set_sleep_speed(s.world, s.body[0], 1), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, step(&s).commands_refused);
    TEST_ASSERT_EQUAL(300, until_asleep(&s, 300));
    desc.sleep = true;
    struct scene other = tower(&desc, 2, 1e6f);
    fixture_ok(piola_body_set_sleep_speed(other.world, other.body[0], 0), NULL);
    TEST_ASSERT_EQUAL(300, until_asleep(&other, 300));
    fixture_ok(piola_body_set_sleep_speed(other.world, other.body[0], -1), NULL);
    TEST_ASSERT_TRUE(until_asleep(&other, 300) < 300);
}

static void test_descriptions_are_checked(void)
{
    piola_world_desc desc = pile_desc();
    piola_error error = {0};
    size_t bytes;
    desc.sleep_speed = -1;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_size(&desc, &bytes, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.sleep_speed", error.field);
    desc = pile_desc();
    desc.sleep_time = NAN;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_world_size(&desc, &bytes, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.sleep_time", error.field);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_piles_fall_asleep_and_keep_their_bits);
    RUN_TEST(test_towers_of_any_stiffness_fall_asleep);
    RUN_TEST(test_every_solver_falls_asleep);
    RUN_TEST(test_who_sleeps_costs_nothing);
    RUN_TEST(test_contacts_stay);
    RUN_TEST(test_a_tower_does_not_creep);
    RUN_TEST(test_threads_and_instructions_change_no_bit);
    RUN_TEST(test_snapshots_hold_who_sleeps);
    RUN_TEST(test_rollback_inside_of_sleep);
    RUN_TEST(test_records_play);
    RUN_TEST(test_full_capacity);
    RUN_TEST(test_off_by_request);
    RUN_TEST(test_descriptions_are_checked);
    return UNITY_END();
}
