/* Tools as objects: bad input, commands, snapshots, records, threads, full room.
 * covers: src/families/tools/tool_life.c
 */
#include "families/tools/tools.h"
#include "resume.h"
#include "tool_fixture.h"
#include "unity.h"

#include <math.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static struct bench small_bench(void)
{
    struct bench_block how = bench_block_default();
    how.across = 3;
    how.high = 2;
    how.substeps = 2;
    how.tool.stiffness_rise = 50000;
    return bench_of(&how, 0.004);
}

/* A poke that turns: the device as a function of the step. */
static void poke(const struct bench *b, int first, int steps, const piola_tasks *tasks)
{
    for (int i = first; i < first + steps; ++i) {
        const float s = (float)(i % 20) / 20, half = 0.5f * s;
        const float at[3] = {(float)b->top[0] + 0.004f * s,
                             (float)(b->top[1] + b->radius) - 0.012f * s, (float)b->top[2]};
        const float turn[4] = {0, 0, half, sqrtf(1 - half * half)};
        fixture_ok(piola_tool_move(b->world, b->tool, at), NULL);
        fixture_ok(piola_tool_turn(b->world, b->tool, turn), NULL);
        fixture_steps(b->world, tasks, 1);
    }
}

static void test_threads_do_not_change_the_bits(void)
{
    uint64_t hash[3];
    for (uint32_t i = 0; i < 3; ++i) {
        const struct bench b = small_bench();
        piola_workers_desc desc = piola_workers_desc_default();
        piola_workers *workers = NULL;
        size_t bytes = 0;
        desc.threads = 1u << i;
        fixture_ok(piola_workers_size(&desc, &bytes, NULL), NULL);
        fixture_ok(piola_workers_create(&desc, fixture_memory(bytes), bytes, &workers, NULL), NULL);
        poke(&b, 0, 25, piola_workers_tasks(workers));
        piola_workers_destroy(workers);
        hash[i] = piola_world_hash(b.world);
        TEST_ASSERT_EQUAL_HEX64(hash[0], hash[i]);
    }
}

/* In a fresh world too, whose scratch memory is garbage: the force that is told is state. */
static void test_a_snapshot_brings_back_the_tool(void)
{
    for (int i = 0; i < RESUME_GARBAGE; ++i) {
        const struct bench straight = small_bench(), again = small_bench();
        poke(&straight, 0, 24, NULL);
        poke(&again, 0, 9, NULL);
        const piola_tool_info before = bench_tool(&again);
        resume(again.world, resume_garbage[i]);
        const piola_tool_info after = bench_tool(&again);
        TEST_ASSERT_EQUAL_MEMORY(&before, &after, sizeof before);
        TEST_ASSERT_TRUE(before.stiffness < 1000 || before.force[1] != 0);
        poke(&again, 9, 15, NULL);
        TEST_ASSERT_EQUAL_HEX64(piola_world_hash(straight.world), piola_world_hash(again.world));
    }
}

static void test_records_hold_tools_that_come_and_go(void)
{
    const struct bench b = small_bench();
    const size_t bytes = piola_snapshot_size(b.world), room = 1 << 18;
    void *snapshot = fixture_memory(bytes), *record = fixture_memory(room);
    piola_tool_desc desc = piola_tool_desc_default();
    struct bench other = b;
    size_t used = 0;
    uint64_t difference = 1;
    fixture_ok(piola_snapshot_save(b.world, snapshot, bytes), NULL);
    fixture_ok(piola_record_begin(b.world, record, room), NULL);
    poke(&b, 0, 8, NULL);
    fixture_ok(piola_tool_destroy(b.world, b.tool), NULL);
    fixture_steps(b.world, NULL, 2);
    desc.rigid = b.ball;
    fixture_ok(piola_tool_create(b.world, &desc, &other.tool, NULL), NULL);
    poke(&other, 8, 6, NULL);
    fixture_ok(piola_record_end(b.world, &used), NULL);
    const uint64_t end = piola_world_hash(b.world);
    fixture_ok(piola_snapshot_restore(b.world, snapshot, bytes), NULL);
    fixture_ok(piola_record_play(b.world, NULL, record, used, &difference, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, difference);
    TEST_ASSERT_EQUAL_HEX64(end, piola_world_hash(b.world));
    TEST_ASSERT_TRUE(piola_tool_alive(b.world, other.tool));
}

static void test_a_tool_ends_with_its_proxy(void)
{
    const struct bench b = small_bench();
    piola_tool_desc desc = piola_tool_desc_default();
    piola_tool made = {0, 0}, listed[2];
    piola_tool_info info;
    piola_report report;
    uint32_t n = 9;
    poke(&b, 0, 3, NULL);
    fixture_ok(piola_rigid_destroy(b.world, b.ball), NULL);
    TEST_ASSERT_FALSE(piola_tool_alive(b.world, b.tool));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_tool_inspect(b.world, b.tool, &info));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_tool_destroy(b.world, b.tool));
    fixture_ok(piola_world_tools(b.world, listed, 2, &n), NULL);
    TEST_ASSERT_EQUAL_UINT32(0, n);
    fixture_ok(piola_tool_move(b.world, b.tool, (float[]){0, 0, 0}), NULL);
    fixture_ok(piola_world_step(b.world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, report.commands_refused);
    /* A rigid body in the slot of the one that is gone is another one. */
    const piola_rigid_desc ball = piola_rigid_desc_default();
    fixture_ok(piola_rigid_create(b.world, &ball, &desc.rigid, NULL), NULL);
    TEST_ASSERT_FALSE(piola_tool_alive(b.world, b.tool));
    fixture_ok(piola_tool_create(b.world, &desc, &made, NULL), NULL);
    fixture_ok(piola_world_tools(b.world, listed, 2, &n), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, n);
    TEST_ASSERT_EQUAL_MEMORY(&made, &listed[0], sizeof made);
}

static void test_full_room_is_counted_and_told(void)
{
    const struct bench b = small_bench(); /* room for two, one is there */
    piola_rigid_desc ball = piola_rigid_desc_default();
    piola_tool_desc desc = piola_tool_desc_default();
    piola_world_desc none = piola_world_desc_default();
    piola_tool tool;
    piola_error error;
    piola_capacity capacity = {.name = ""};
    ball.position[1] = 3;
    fixture_ok(piola_rigid_create(b.world, &ball, &desc.rigid, NULL), NULL);
    fixture_ok(piola_tool_create(b.world, &desc, &tool, NULL), NULL);
    for (uint32_t i = 0; strcmp(capacity.name, "max_tools") != 0; ++i)
        fixture_ok(piola_world_capacity(b.world, i, &capacity), NULL);
    TEST_ASSERT_EQUAL_UINT64(2, capacity.used);
    none.max_rigids = 1;
    piola_world *world = fixture_world(&none);
    fixture_ok(piola_rigid_create(world, &ball, &desc.rigid, NULL), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_TOOLS_FULL, piola_tool_create(world, &desc, &tool, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_tools", error.field);
    for (uint32_t i = 0; i == 0 || strcmp(capacity.name, "max_tools") != 0; ++i)
        fixture_ok(piola_world_capacity(world, i, &capacity), NULL);
    TEST_ASSERT_EQUAL_UINT64(1, capacity.dropped);
}

static void test_bad_input_is_refused_and_changes_nothing(void)
{
    const struct bench b = small_bench();
    piola_rigid_desc ball = piola_rigid_desc_default();
    piola_rigid free;
    ball.position[1] = 3;
    fixture_ok(piola_rigid_create(b.world, &ball, &free, NULL), NULL);
    enum { CASES = 9 };
    piola_tool_desc bad[CASES];
    static const char *const field[CASES] = {
        "piola_tool_desc.rigid",      "piola_tool_desc.rigid",    "piola_tool_desc.rotation",
        "piola_tool_desc.stiffness",  "piola_tool_desc.damping",  "piola_tool_desc.max_force",
        "piola_tool_desc.max_torque", "piola_tool_desc.position", "piola_tool_desc.stiffness_rise"};
    for (int i = 0; i < CASES; ++i) {
        bad[i] = piola_tool_desc_default();
        bad[i].rigid = free;
    }
    bad[0].rigid.generation = 77;
    bad[1].rigid = b.ball;
    bad[2].rotation[3] = 0.5f;
    bad[3].stiffness = -1;
    bad[4].damping = NAN;
    bad[5].max_force = 0;
    bad[6].max_torque = -1;
    bad[7].position[1] = INFINITY;
    bad[8].stiffness_rise = -1;
    const uint64_t hash = piola_world_hash(b.world);
    for (int i = 0; i < CASES; ++i) {
        piola_error error = {0};
        piola_tool tool;
        TEST_ASSERT_NOT_EQUAL(PIOLA_OK, piola_tool_create(b.world, &bad[i], &tool, &error));
        TEST_ASSERT_EQUAL_STRING(field[i], error.field);
    }
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_tool_set_stiffness(b.world, b.tool, -1));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE,
                      piola_tool_turn(b.world, b.tool, (float[]){0, 0, 0, 0.5f}));
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(b.world));
}

static bool spoil(struct tool *t, int way)
{
    switch (way) {
    case 0:
        t->rigid = 0;
        return true;
    case 1:
        t->rigid = UINT32_MAX;
        return true;
    case 2:
        t->alive = 2;
        return true;
    case 3:
        t->heading[3] = 2;
        return true;
    case 4:
        t->max_force = 0;
        return true;
    case 5:
        t->reached = 2 * t->stiffness;
        return true;
    case 6:
        t->force[1] = NAN;
        return true;
    case 7:
        t->goal[2] = -INFINITY;
        return true;
    case 8: /* an empty slot that is not empty */
        t->alive = 0;
        return true;
    case 9: /* two hold the same */
        t[1] = t[0];
        return true;
    default:
        return false;
    }
}

static void test_impossible_snapshots_are_refused(void)
{
    const struct bench b = small_bench();
    piola_rigid_desc ball = piola_rigid_desc_default();
    piola_tool_desc desc = piola_tool_desc_default();
    piola_tool tool;
    ball.position[1] = 3;
    fixture_ok(piola_rigid_create(b.world, &ball, &desc.rigid, NULL), NULL);
    fixture_ok(piola_tool_create(b.world, &desc, &tool, NULL), NULL);
    const size_t bytes = piola_snapshot_size(b.world);
    void *snapshot = fixture_memory(bytes);
    struct tool *tools = world_tools(b.world), kept[2];
    memcpy(kept, tools, sizeof kept);
    const uint64_t hash = piola_world_hash(b.world);
    for (int way = 0; spoil(tools, way); ++way) {
        fixture_ok(piola_snapshot_save(b.world, snapshot, bytes), NULL);
        memcpy(tools, kept, sizeof kept);
        TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_FORMAT,
                          piola_snapshot_restore(b.world, snapshot, bytes));
        TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(b.world));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_threads_do_not_change_the_bits);
    RUN_TEST(test_a_snapshot_brings_back_the_tool);
    RUN_TEST(test_records_hold_tools_that_come_and_go);
    RUN_TEST(test_a_tool_ends_with_its_proxy);
    RUN_TEST(test_full_room_is_counted_and_told);
    RUN_TEST(test_bad_input_is_refused_and_changes_nothing);
    RUN_TEST(test_impossible_snapshots_are_refused);
    return UNITY_END();
}
