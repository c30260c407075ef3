/* Which bodies advance together, and who helps: follows from the state, and changes no number.
 *
 * covers: src/motion/stage.c src/step/schedule.c */
#include "fixture.h"
#include "golden.h"
#include "unity.h"
#include "world/world.h"

#include <stdio.h>

enum { SIDE = 5, CUBES = SIDE * SIDE * SIDE, STEPS = 12 };

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* Cubes of 0.1 m on a grid, each on its own way, that wobble. */
static piola_world *cubes(uint32_t count, uint32_t contacts, float spacing)
{
    const piola_asset *cube = fixture_beam(1, 1, 1, 0.1);
    piola_world_desc desc = piola_world_desc_default();
    desc.max_bodies = count;
    desc.max_particles = 64 * count;
    desc.max_packs = 8 * count;
    desc.max_contacts = contacts;
    desc.max_contact_faces = contacts ? 12 * count : 0;
    desc.contact_thickness = 1e-3f;
    desc.substeps = 3;
    piola_world *world = fixture_world(&desc);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t row = i / SIDE, layer = row / SIDE;
        const float at[3] = {(float)(i % SIDE), (float)(row % SIDE), (float)layer};
        const piola_body body =
            fixture_body(world, cube, spacing * at[0], spacing * at[1], spacing * at[2]);
        fixture_push(world, PIOLA_COMMAND_BODY_VELOCITY, body, 0, 0.3f * (at[0] - 2),
                     0.2f * (at[1] - 2), 0.1f * (at[2] - 2));
        fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, i % 8, 0.01f, 0.02f, 0);
        if (i % 8 == 7)
            fixture_steps(world, NULL, 1); /* the queue is short */
    }
    return world;
}

static void read(const piola_world *world, uint32_t count, float *xyz)
{
    for (uint32_t i = 0; i < count; ++i) {
        const piola_body body = {i + 1, world_bodies(world)[i].generation};
        fixture_ok(piola_body_positions(world, body, 0, 8, xyz + (size_t)24 * i), NULL);
    }
}

/* What nothing comes to goes as it would where nothing can. */
static void test_contact_that_meets_nobody_changes_no_number(void)
{
    float *with = fixture_memory(24 * CUBES * sizeof(float));
    float *without = fixture_memory(24 * CUBES * sizeof(float));
    for (uint32_t threads = 1; threads <= 3; ++threads) {
        piola_workers *workers = golden_workers(threads);
        const piola_tasks *tasks = workers ? piola_workers_tasks(workers) : NULL;
        piola_world *one = cubes(CUBES, 4000, 1), *other = cubes(CUBES, 0, 1);
        fixture_steps(one, tasks, STEPS);
        fixture_steps(other, tasks, STEPS);
        read(one, CUBES, with);
        read(other, CUBES, without);
        TEST_ASSERT_EQUAL_MEMORY(without, with, 24 * CUBES * sizeof(float));
        if (workers)
            piola_workers_destroy(workers);
    }
}

static uint32_t stages_of(piola_world *world)
{
    piola_report report;
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    return report.stages;
}

/* However many there are. */
static void test_bodies_that_meet_nobody_need_few_stages(void)
{
    piola_world *few = cubes(24, 4000, 1), *many = cubes(CUBES, 4000, 1);
    fixture_steps(few, NULL, 40);
    fixture_steps(many, NULL, 40);
    const uint32_t stages = stages_of(few);
    printf("%u shared stages in 3 substeps\n", stages);
    TEST_ASSERT_EQUAL_UINT32(stages, stages_of(many));
    TEST_ASSERT_TRUE(stages <= 3 * 5);
    TEST_ASSERT_EQUAL_UINT32(0, many->joined_count);
}

/* Of three in a row two are near each other, whatever the room for pairs. */
static void test_who_meets_joins_the_shared_domain(void)
{
    const piola_asset *cube = fixture_beam(1, 1, 1, 0.1);
    for (uint32_t contacts = 1000; contacts <= 100000; contacts *= 10) {
        piola_world_desc desc = piola_world_desc_default();
        desc.max_contacts = contacts;
        desc.max_contact_faces = 36;
        desc.contact_thickness = 1e-3f;
        desc.gravity[1] = 0;
        piola_world *world = fixture_world(&desc);
        fixture_body(world, cube, 0, 0, 0);
        fixture_body(world, cube, 0.105f, 0, 0);
        fixture_body(world, cube, 1, 0, 0);
        fixture_steps(world, NULL, 1);
        TEST_ASSERT_EQUAL_UINT32(2, world->joined_count);
        TEST_ASSERT_EQUAL_UINT32(0, world_joined(world)[0]);
        TEST_ASSERT_EQUAL_UINT32(1, world_joined(world)[1]);
        const piola_body body = {2, world_bodies(world)[1].generation};
        fixture_push(world, PIOLA_COMMAND_BODY_VELOCITY, body, 0, 0, 20, 0);
        fixture_steps(world, NULL, 20);
        TEST_ASSERT_EQUAL_UINT32(0, world->joined_count);
    }
}

static uint32_t calls;

static void start(void *context, piola_work *work, void *argument)
{
    (void)context;
    (void)work;
    (void)argument;
    ++calls;
}

static void finish(void *context)
{
    (void)context;
}

/* Nobody is called for what is done before he comes. */
static void test_small_steps_call_no_helper(void)
{
    static const piola_tasks tasks = {.helpers = 1, .start = start, .finish = finish};
    piola_world *few = cubes(2, 400, 1), *many = cubes(CUBES, 4000, 1);
    few->helped_from = many->helped_from = HELPED_FROM;
    calls = 0;
    fixture_steps(few, &tasks, 1);
    TEST_ASSERT_EQUAL_UINT32(0, calls);
    fixture_steps(many, &tasks, 1);
    TEST_ASSERT_EQUAL_UINT32(1, calls);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_contact_that_meets_nobody_changes_no_number);
    RUN_TEST(test_bodies_that_meet_nobody_need_few_stages);
    RUN_TEST(test_who_meets_joins_the_shared_domain);
    RUN_TEST(test_small_steps_call_no_helper);
    return UNITY_END();
}
