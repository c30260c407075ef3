/* How time advances as an input: steps of any length, substeps and iterations by command; state,
 * recorded, inside the bounds of the description.
 *
 * covers: src/world/pace.c */
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

static const piola_integrator integrators[] = {PIOLA_INTEGRATOR_EULER, PIOLA_INTEGRATOR_BDF2};

static piola_world_desc desc_of(void)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.max_substeps = 8;
    d.max_iterations = 12;
    return d;
}

/* A cube above the floor, and a ball that rolls there. */
static struct scene scene_made(const piola_world_desc *desc)
{
    struct scene s = scene_of(desc);
    scene_floor(&s, 0.5f);
    piola_body_desc b = piola_body_desc_default();
    b.position[1] = 0.05f;
    scene_enter(&s, fixture_beam(2, 1, 1, 0.1), &b);
    b.position[0] = 0.02f;
    b.position[1] = 0.16f;
    scene_enter(&s, s.asset[0], &b);
    return s;
}

static piola_report step(struct scene *s)
{
    piola_report report;
    fixture_ok(piola_world_step(s->world, NULL, &report), NULL);
    return report;
}

/* A world that was made so, and one that was told so, go on alike to the bit. */
static void test_told_is_as_good_as_described(void)
{
    for (size_t i = 0; i < 2; ++i) {
        piola_world_desc desc = desc_of();
        desc.integrator = integrators[i];
        struct scene told = scene_made(&desc);
        desc.dt = 0.008f;
        desc.substeps = 3;
        desc.iterations = 9;
        struct scene made = scene_made(&desc);
        fixture_ok(piola_world_set_iterations(told.world, 9), NULL);
        fixture_ok(piola_world_set_dt(told.world, 0.008f), NULL);
        fixture_ok(piola_world_set_substeps(told.world, 3), NULL);
        for (int k = 0; k < 40; ++k) {
            step(&told);
            step(&made);
        }
        scene_collect(&told);
        scene_collect(&made);
        TEST_ASSERT_EQUAL_MEMORY(made.x, told.x, 3 * made.vertex_count * sizeof *made.x);
        fixture_clean();
    }
}

/* Steps of 1 to 20 ms: a body in flight is where its time says. */
static void test_flight_with_steps_of_any_length(void)
{
    uint64_t seed = fixture_seed();
    for (size_t i = 0; i < 2; ++i) {
        piola_world_desc desc = desc_of();
        desc.integrator = integrators[i];
        piola_world *world = fixture_world(&desc);
        const piola_body body = fixture_body(world, fixture_beam(1, 1, 1, 0.1), 0, 0, 0);
        const float up[3] = {1, 5, 0};
        double time = 0, drift = 0;
        piola_body_info info;
        piola_report report = {0};
        fixture_ok(piola_body_inspect(world, body, &info), NULL);
        const double x = info.centre[0], y = info.centre[1];
        fixture_ok(piola_body_set_velocity(world, body, up), NULL);
        for (int k = 0; k < 60; ++k) {
            const float dt = (float)(0.001 + 0.019 * fixture_uniform(&seed));
            fixture_ok(piola_world_set_dt(world, dt), NULL);
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
            time += (double)dt;
            drift += (double)dt * (double)dt; /* of the first order */
        }
        fixture_ok(piola_body_inspect(world, body, &info), NULL);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, time, report.time);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, x + time, info.centre[0]);
        TEST_ASSERT_DOUBLE_WITHIN(0.51 * 9.81 * drift, y + 5 * time - 0.5 * 9.81 * time * time,
                                  info.centre[1]);
    }
}

/* Pins and colliders that are led are there by the end of the step, whatever came first. */
static void test_what_is_led_arrives(void)
{
    for (int first = 0; first < 2; ++first) {
        piola_world_desc desc = desc_of();
        desc.max_contacts = 0; /* surfaces could hold pins up */
        struct scene s = scene_made(&desc);
        piola_collider_desc c = piola_collider_desc_default();
        piola_collider collider;
        piola_collider_info info;
        const float to[3] = {0.01f, 0.3f, 0}, place[3] = {2, 1, 0};
        float at[3];
        c.position[0] = 3;
        fixture_ok(piola_collider_create(s.world, &c, &collider, NULL), NULL);
        step(&s);
        if (first == 0)
            fixture_ok(piola_world_set_dt(s.world, 0.02f), NULL);
        fixture_ok(piola_body_pin(s.world, s.body[1], 0, to), NULL);
        fixture_ok(piola_collider_move(s.world, collider, place), NULL);
        if (first == 1)
            fixture_ok(piola_world_set_dt(s.world, 0.02f), NULL);
        fixture_ok(piola_world_set_substeps(s.world, 5), NULL);
        step(&s);
        fixture_ok(piola_body_positions(s.world, s.body[1], 0, 1, at), NULL);
        fixture_ok(piola_collider_inspect(s.world, collider, &info), NULL);
        for (int k = 0; k < 3; ++k) {
            TEST_ASSERT_FLOAT_WITHIN(1e-6f, to[k], at[k]);
            TEST_ASSERT_FLOAT_WITHIN(1e-6f, place[k], info.position[k]);
        }
        fixture_clean();
    }
}

/* Pace drawn anew at every step. */
static void tell_any(struct scene *s, uint64_t *seed)
{
    fixture_ok(piola_world_set_dt(s->world, (float)(0.002 + 0.01 * fixture_uniform(seed))), NULL);
    fixture_ok(piola_world_set_substeps(s->world, 1 + (uint32_t)(fixture_random(seed) % 8)), NULL);
    fixture_ok(piola_world_set_iterations(s->world, (uint32_t)(fixture_random(seed) % 13)), NULL);
}

static void test_records_and_snapshots_are_exact(void)
{
    enum { ROOM = 1 << 17 };
    uint64_t seed = fixture_seed(), different = 1;
    piola_world_desc desc = desc_of();
    desc.integrator = PIOLA_INTEGRATOR_BDF2;
    struct scene s = scene_made(&desc), other = scene_made(&desc);
    void *record = fixture_memory(ROOM);
    size_t used = 0;
    for (int i = 0; i < 5; ++i) {
        tell_any(&s, &seed);
        step(&s);
    }
    const size_t bytes = piola_snapshot_size(s.world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(s.world, snapshot, bytes), NULL);
    fixture_ok(piola_record_begin(s.world, record, ROOM), NULL);
    for (int i = 0; i < 30; ++i) {
        if (i % 3 > 0)
            tell_any(&s, &seed);
        step(&s);
    }
    fixture_ok(piola_record_end(s.world, &used), NULL);
    const uint64_t hash = piola_world_hash(s.world);
    const double time = step(&s).time;
    fixture_ok(piola_snapshot_restore(other.world, snapshot, bytes), NULL);
    fixture_ok(piola_record_play(other.world, NULL, record, used, &different, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, different);
    TEST_ASSERT_EQUAL_UINT64(hash, piola_world_hash(other.world));
    TEST_ASSERT_TRUE(time == step(&other).time);
}

/* Back to a snapshot from before any change: the described pace again. */
static void test_a_snapshot_from_before_brings_the_described_pace(void)
{
    const piola_world_desc desc = desc_of();
    struct scene s = scene_made(&desc);
    step(&s);
    const size_t bytes = piola_snapshot_size(s.world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(s.world, snapshot, bytes), NULL);
    step(&s);
    const uint64_t hash = piola_world_hash(s.world);
    fixture_ok(piola_world_set_dt(s.world, 0.01f), NULL);
    fixture_ok(piola_world_set_substeps(s.world, 8), NULL);
    step(&s);
    fixture_ok(piola_snapshot_restore(s.world, snapshot, bytes), NULL);
    step(&s);
    TEST_ASSERT_EQUAL_UINT64(hash, piola_world_hash(s.world));
}

static void test_threads_change_no_bit(void)
{
    uint64_t hash = 0;
    for (uint32_t threads = 1; threads <= 4; threads *= 2) {
        const piola_world_desc desc = desc_of();
        struct scene s = scene_made(&desc);
        piola_workers *workers = golden_workers(threads);
        uint64_t seed = 5;
        for (int i = 0; i < 25; ++i) {
            tell_any(&s, &seed);
            fixture_ok(
                piola_world_step(s.world, workers ? piola_workers_tasks(workers) : NULL, NULL),
                NULL);
        }
        hash = hash ? hash : piola_world_hash(s.world);
        TEST_ASSERT_EQUAL_UINT64(hash, piola_world_hash(s.world));
        if (workers)
            piola_workers_destroy(workers);
    }
}

static void test_bounds(void)
{
    piola_world_desc desc = desc_of();
    struct scene s = scene_made(&desc);
    piola_contact_work bound, less;
    piola_error error = {0};
    size_t bytes;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_set_dt(s.world, 0));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_set_dt(s.world, 1.5f));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_world_set_dt(s.world, NAN));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_set_substeps(s.world, 1001));
    fixture_ok(piola_world_set_substeps(s.world, 0), NULL);
    fixture_ok(piola_world_set_substeps(s.world, 9), NULL);
    fixture_ok(piola_world_set_iterations(s.world, 13), NULL);
    TEST_ASSERT_EQUAL_UINT32(3, step(&s).commands_refused);
    TEST_ASSERT_EQUAL_UINT32(desc.substeps, s.world->desc.substeps);
    TEST_ASSERT_EQUAL_UINT32(desc.iterations, s.world->desc.iterations);
    fixture_ok(piola_world_bound(&desc, &bound, NULL), NULL);
    desc.max_substeps = desc.max_iterations = 0;
    fixture_ok(piola_world_bound(&desc, &less, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(8 * less.searches, bound.searches);
    desc.substeps = 4;
    desc.max_substeps = 3;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_size(&desc, &bytes, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_substeps", error.field);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_told_is_as_good_as_described);
    RUN_TEST(test_flight_with_steps_of_any_length);
    RUN_TEST(test_what_is_led_arrives);
    RUN_TEST(test_records_and_snapshots_are_exact);
    RUN_TEST(test_a_snapshot_from_before_brings_the_described_pace);
    RUN_TEST(test_threads_change_no_bit);
    RUN_TEST(test_bounds);
    return UNITY_END();
}
