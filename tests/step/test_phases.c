/* The seconds of a step's phases: they are those of the clock that the caller gave, and change
 * nothing.
 *
 * covers: src/step/stopwatch.c */
#include "fixture.h"
#include "unity.h"

#include <stdatomic.h>
#include <string.h>

enum { STEPS = 5, THREADS = 3 };

/* Each call is a second later; any thread may ask. */
static atomic_uint ticks;

static double tick(void)
{
    return (double)atomic_fetch_add(&ticks, 1);
}

static double stopped(void)
{
    atomic_fetch_add(&ticks, 1);
    return 7;
}

/* Goes back by a second at every call. */
static double backwards(void)
{
    return -tick();
}

void setUp(void)
{
    atomic_store(&ticks, 0);
}

void tearDown(void)
{
    fixture_clean();
}

/* Small bodies, one of them tied to a large one: a domain for each of the others. */
static piola_world *busy_world(double (*clock)(void), bool physics)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.substeps = 2;
    desc.clock = clock;
    desc.report_physics = physics;
    piola_world *world = fixture_world(&desc);
    const piola_asset *small = fixture_beam(2, 2, 2, 0.1);
    const piola_asset *large = fixture_beam_of(12, 2, 2, 0.1, NULL, 64);
    fixture_body(world, large, 0, 0, 0);
    piola_attachment_desc tie = piola_attachment_desc_default();
    tie.point = (piola_attachment_point){.count = 1, .weights = {1}};
    tie.point.body = fixture_body(world, large, 0, 2, 0);
    piola_attachment attachment;
    fixture_ok(piola_attachment_create(world, &tie, &attachment, NULL), NULL);
    for (int i = 0; i < 3; ++i)
        fixture_body(world, small, 0, 4 + (float)i, 0);
    return world;
}

static double sum_of(const piola_report *report)
{
    double sum = 0;
    for (int p = 0; p < PIOLA_PHASE_COUNT; ++p) {
        TEST_ASSERT_TRUE(report->phase_seconds[p] >= 0);
        sum += report->phase_seconds[p];
    }
    return sum;
}

static piola_workers *crew(uint32_t threads)
{
    piola_workers_desc desc = piola_workers_desc_default();
    piola_workers *workers;
    size_t bytes;
    desc.threads = threads;
    fixture_ok(piola_workers_size(&desc, &bytes, NULL), NULL);
    fixture_ok(piola_workers_create(&desc, fixture_memory(bytes), bytes, &workers, NULL), NULL);
    return workers;
}

/* The calling thread asks first and last, so what lies between is the time of the step. */
static void phases_sum_to_the_step(uint32_t threads)
{
    piola_workers *workers = crew(threads);
    piola_world *world = busy_world(tick, true);
    for (int i = 0; i < STEPS; ++i) {
        piola_report report;
        const unsigned before = atomic_load(&ticks);
        fixture_ok(piola_world_step(world, piola_workers_tasks(workers), &report), NULL);
        const double asked = (double)(atomic_load(&ticks) - before);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6 * asked, asked - 1, sum_of(&report));
        TEST_ASSERT_TRUE(report.phase_seconds[PIOLA_PHASE_PREDICT] > 0);
        TEST_ASSERT_TRUE(report.phase_seconds[PIOLA_PHASE_ELEMENTS] > 0);
        TEST_ASSERT_TRUE(report.phase_seconds[PIOLA_PHASE_CONSTRAINTS] > 0);
        TEST_ASSERT_TRUE(report.phase_seconds[PIOLA_PHASE_FINISH] > 0);
        TEST_ASSERT_TRUE(report.phase_seconds[PIOLA_PHASE_MEASURE] > 0);
        TEST_ASSERT_TRUE(report.phase_seconds[PIOLA_PHASE_END] > 0);
    }
    piola_workers_destroy(workers);
}

static void test_phases_sum_to_the_time_of_the_step(void)
{
    phases_sum_to_the_step(1);
    phases_sum_to_the_step(THREADS);
}

/* Bodies that single workers do show what they are made of, too. */
static void test_small_bodies_alone_have_phases(void)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.clock = tick;
    piola_world *world = fixture_world(&desc);
    fixture_body(world, fixture_beam(1, 1, 1, 0.1), 0, 0, 0);
    piola_report report;
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_TRUE(report.phase_seconds[PIOLA_PHASE_ELEMENTS] > 0);
    TEST_ASSERT_TRUE(report.phase_seconds[PIOLA_PHASE_FINISH] > 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, (double)atomic_load(&ticks) - 1, sum_of(&report));
}

static void test_a_clock_changes_no_bit(void)
{
    double (*const clocks[])(void) = {NULL, tick, stopped, backwards};
    uint64_t hash = 0;
    for (size_t c = 0; c < sizeof clocks / sizeof *clocks; ++c) {
        piola_world *world = busy_world(clocks[c], false);
        piola_report report;
        for (int i = 0; i < STEPS; ++i)
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
        if (c == 0)
            hash = piola_world_hash(world);
        TEST_ASSERT_EQUAL_UINT64(hash, piola_world_hash(world));
        if (clocks[c] != tick)
            TEST_ASSERT_EQUAL_DOUBLE(0, sum_of(&report));
    }
}

static void test_nobody_is_asked_when_nothing_is_reported(void)
{
    piola_world *world = busy_world(tick, false);
    fixture_steps(world, NULL, STEPS);
    TEST_ASSERT_EQUAL_UINT(0, atomic_load(&ticks));
}

static void test_phases_have_names(void)
{
    for (int p = 0; p < PIOLA_PHASE_COUNT; ++p)
        for (int q = 0; q <= PIOLA_PHASE_COUNT; ++q)
            TEST_ASSERT_TRUE(p == q || strcmp(piola_phase_name((piola_phase)p),
                                              piola_phase_name((piola_phase)q)) != 0);
    TEST_ASSERT_EQUAL_STRING("elements", piola_phase_name(PIOLA_PHASE_ELEMENTS));
    TEST_ASSERT_EQUAL_STRING("unknown", piola_phase_name(PIOLA_PHASE_COUNT));
}

/* What a stage took is there by its name. */
static void test_stages_have_names_runs_and_times(void)
{
    piola_world *world = busy_world(tick, false);
    piola_stage stage, other;
    piola_report report;
    uint32_t count = 0, solved = 0, all = 0;
    fixture_ok(piola_world_stage(world, 0, &stage), NULL);
    TEST_ASSERT_EQUAL_UINT32(0, stage.runs);
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    for (; piola_world_stage(world, count, &stage) == PIOLA_OK; ++count) {
        TEST_ASSERT_NOT_NULL(stage.name);
        TEST_ASSERT_TRUE(stage.runs > 0 ? stage.seconds >= stage.runs : stage.seconds == 0);
        for (uint32_t i = 0; i < count; ++i) {
            fixture_ok(piola_world_stage(world, i, &other), NULL);
            TEST_ASSERT_TRUE(strcmp(stage.name, other.name) != 0);
        }
        all += stage.runs;
        solved = strcmp(stage.name, "solve") == 0 ? stage.runs : solved;
    }
    const uint32_t iterations = 2 * piola_world_desc_default().iterations;
    TEST_ASSERT_TRUE(solved >= iterations && solved % iterations == 0);
    TEST_ASSERT_TRUE(all >= report.stages);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_stage(world, count, &stage));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_stage(world, 0, NULL));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_phases_sum_to_the_time_of_the_step);
    RUN_TEST(test_small_bodies_alone_have_phases);
    RUN_TEST(test_a_clock_changes_no_bit);
    RUN_TEST(test_nobody_is_asked_when_nothing_is_reported);
    RUN_TEST(test_phases_have_names);
    RUN_TEST(test_stages_have_names_runs_and_times);
    return UNITY_END();
}
