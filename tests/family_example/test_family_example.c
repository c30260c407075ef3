/* Tests of how families plug in, with a family that the engine of this test has and others do not:
 * its state, capacity, stage, kernel, command and status come from its folder and from the lines of
 * add-lines.
 * covers: src/families/families.def src/families/tables.c src/world/arrays.h
 * src/kernels/isa_table.h src/world/islands.h
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "families/example/example.h"
#include "fixture.h"
#include "unity.h"
#include "world/islands.h"

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

enum { BODIES = 5, STEPS = 20 };

static piola_world *world;
static piola_body body[BODIES];

static piola_world_desc description(uint32_t max_examples)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.max_examples = max_examples;
    memset(desc.gravity, 0, sizeof desc.gravity);
    return desc;
}

/* The first body is too large for one worker, the others are not. */
static void inhabit_as(const piola_world_desc *desc)
{
    const piola_material rubber = piola_material_default();
    const piola_asset *large = fixture_beam_of(14, 14, 14, 0.05, &rubber, 800);
    const piola_asset *small = fixture_beam(2, 2, 2, 0.1);
    world = fixture_world(desc);
    for (int i = 0; i < BODIES; ++i)
        body[i] = fixture_body(world, i == 0 ? large : small, 3 * (float)i, 0, 0);
}

static void inhabit(uint32_t max_examples)
{
    const piola_world_desc desc = description(max_examples);
    inhabit_as(&desc);
}

static void add(int i, float x, float y, float z)
{
    piola_error error;
    fixture_ok(piola_body_add_example(world, body[i], (float[]){x, y, z}, &error), &error);
}

static void velocity_of(int i, double v[3])
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body[i], &info), NULL);
    for (int k = 0; k < 3; ++k)
        v[k] = info.momentum[k] / info.mass;
}

/* Velocities are sums of the accelerations' steps: exact but for rounding. */
static void test_bodies_are_pulled_as_they_were_told(void)
{
    inhabit(BODIES);
    add(0, 1, -2, 0.5f);
    add(3, 0, 4, 0);
    fixture_steps(world, NULL, STEPS);
    fixture_ok(piola_body_change_example(world, body[3], (float[]){2, 0, 0}), NULL);
    fixture_steps(world, NULL, STEPS);
    const double time = STEPS * 0.005;
    const double expected[BODIES][3] = {
        {2 * time, -4 * time, time}, {0}, {0}, {2 * time, 4 * time, 0}, {0}};
    for (int i = 0; i < BODIES; ++i) {
        double v[3];
        velocity_of(i, v);
        for (int k = 0; k < 3; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(1e-5, expected[i][k], v[k]);
    }
}

static uint64_t hash_with(uint32_t threads, bool pulled)
{
    piola_workers_desc desc = piola_workers_desc_default();
    piola_workers *workers = NULL;
    size_t bytes = 0;
    desc.threads = threads;
    fixture_ok(piola_workers_size(&desc, &bytes, NULL), NULL);
    fixture_ok(piola_workers_create(&desc, fixture_memory(bytes), bytes, &workers, NULL), NULL);
    inhabit(BODIES);
    for (int i = 0; i < BODIES && pulled; ++i)
        add(i, 3, (float)i, -1);
    fixture_steps(world, piola_workers_tasks(workers), STEPS);
    piola_workers_destroy(workers);
    return piola_world_hash(world);
}

static void test_threads_do_not_change_the_bits(void)
{
    const uint64_t one = hash_with(1, true);
    TEST_ASSERT_EQUAL_HEX64(one, hash_with(2, true));
    TEST_ASSERT_EQUAL_HEX64(one, hash_with(4, true));
    TEST_ASSERT_TRUE_MESSAGE(one != hash_with(1, false), "nothing was pulled");
}

static void test_a_snapshot_brings_back_what_pulls(void)
{
    inhabit(BODIES);
    add(0, 1, 0, 0);
    add(2, 0, 1, 0);
    fixture_steps(world, NULL, 3);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    fixture_steps(world, NULL, STEPS);
    const uint64_t end = piola_world_hash(world);
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    fixture_steps(world, NULL, STEPS);
    TEST_ASSERT_EQUAL_HEX64(end, piola_world_hash(world));

    /* What differs has the family's name, and is gone when it is restored. */
    piola_difference difference;
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    world_examples(world)[1].pull[2] = 7;
    fixture_ok(piola_snapshot_compare(world, snapshot, bytes, &difference), NULL);
    TEST_ASSERT_EQUAL_STRING("examples", difference.field);
    TEST_ASSERT_EQUAL_UINT64(1, difference.item);
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    TEST_ASSERT_EQUAL_FLOAT(0, world_examples(world)[1].pull[2]);

    /* Another capacity is another world. */
    piola_world_desc desc = description(BODIES + 1);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_WORLD,
                      piola_snapshot_restore(fixture_world(&desc), snapshot, bytes));
}

static bool spoil(struct example *slots, int way)
{
    switch (way) {
    case 0: /* no such body */
        slots[0].body = BODIES + 1;
        return true;
    case 1:
        slots[0].body = UINT32_MAX;
        return true;
    case 2: /* two pull the same */
        slots[1].body = slots[0].body;
        return true;
    case 3:
        slots[0].pull[1] = NAN;
        return true;
    case 4:
        slots[1].pull[0] = 2e9f;
        return true;
    case 5: /* a slot that pulls nothing, but not zero */
        slots[0].body = 0;
        return true;
    default:
        return false;
    }
}

static void test_impossible_snapshots_are_refused(void)
{
    inhabit(BODIES);
    add(0, 1, 0, 0);
    add(2, 0, 1, 0);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    struct example *slots = world_examples(world), kept[2];
    memcpy(kept, slots, sizeof kept);
    const uint64_t hash = piola_world_hash(world);
    for (int way = 0; spoil(slots, way); ++way) {
        fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
        memcpy(slots, kept, sizeof kept);
        TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_FORMAT,
                          piola_snapshot_restore(world, snapshot, bytes));
        TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
    }
    fixture_steps(world, NULL, 1);
}

static piola_memory_entry entry_of(const char *name)
{
    piola_memory_entry entry;
    for (uint32_t i = 0; piola_world_memory(world, i, &entry) == PIOLA_OK; ++i)
        if (strcmp(entry.name, name) == 0)
            return entry;
    TEST_FAIL_MESSAGE("no such array in the report of memory");
    return entry;
}

static void test_full_capacity_is_counted_and_told(void)
{
    inhabit(2);
    add(0, 1, 0, 0);
    add(1, 1, 0, 0);
    const uint64_t hash = piola_world_hash(world);
    piola_error error;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_EXAMPLES_FULL,
                      piola_body_add_example(world, body[2], (float[]){1, 0, 0}, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_examples", error.field);
    TEST_ASSERT_NOT_NULL(
        strstr(piola_status_text(error.status), "raise piola_world_desc.max_examples"));
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
    piola_memory_entry entry = entry_of("examples");
    TEST_ASSERT_EQUAL_UINT64(2, entry.capacity);
    TEST_ASSERT_EQUAL_UINT64(2, entry.used);
    TEST_ASSERT_TRUE(entry.state);
    piola_capacity capacity = {.name = ""};
    for (uint32_t i = 0; strcmp(capacity.name, "max_examples") != 0; ++i)
        fixture_ok(piola_world_capacity(world, i, &capacity), NULL);
    TEST_ASSERT_EQUAL_UINT64(1, capacity.dropped);
    /* What pulls a body ends with it. */
    fixture_ok(piola_body_destroy(world, body[1]), NULL);
    entry = entry_of("examples");
    TEST_ASSERT_EQUAL_UINT64(1, entry.used);
    TEST_ASSERT_EQUAL_UINT64(2, entry.most);
    add(2, 1, 0, 0);
    /* And a world without any has none of its bytes. */
    inhabit(0);
    TEST_ASSERT_EQUAL_size_t(0, entry_of("examples").bytes);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_EXAMPLES_FULL,
                      piola_body_add_example(world, body[0], (float[]){1, 0, 0}, NULL));
    fixture_steps(world, NULL, 1);
}

static void test_a_capacity_out_of_range_is_refused(void)
{
    const piola_world_desc desc = description(65536);
    piola_error error;
    size_t bytes = 0;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_size(&desc, &bytes, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_examples", error.field);
}

static void test_bad_input_is_refused_and_changes_nothing(void)
{
    inhabit(BODIES);
    add(0, 1, 0, 0);
    const piola_body gone = body[4];
    fixture_ok(piola_body_destroy(world, gone), NULL);
    const struct {
        piola_body body;
        float pull[3];
        piola_status status;
        const char *field;
    } rows[] = {
        {gone, {1, 0, 0}, PIOLA_ERROR_STALE, "body"},
        {{0, 0}, {1, 0, 0}, PIOLA_ERROR_STALE, "body"},
        {body[1], {1, NAN, 0}, PIOLA_ERROR_NOT_FINITE, "pull"},
        {body[1], {1, 0, -INFINITY}, PIOLA_ERROR_NOT_FINITE, "pull"},
        {body[1], {2e9f, 0, 0}, PIOLA_ERROR_RANGE, "pull"},
        {body[0], {1, 0, 0}, PIOLA_ERROR_RANGE, "body"},
    };
    const uint64_t hash = piola_world_hash(world);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        piola_error error = {0};
        TEST_ASSERT_EQUAL(rows[i].status,
                          piola_body_add_example(world, rows[i].body, rows[i].pull, &error));
        TEST_ASSERT_EQUAL(rows[i].status, error.status);
        TEST_ASSERT_EQUAL_STRING(rows[i].field, error.field);
    }
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_body_add_example(world, body[1], NULL, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL,
                      piola_body_add_example(NULL, body[1], (float[]){1, 0, 0}, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_body_change_example(world, body[0], NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE,
                      piola_body_change_example(world, body[0], (float[]){NAN, 0, 0}));
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
}

/* Commands that find nothing are counted; all are recorded, and a record leads to the same end. */
static void test_commands_are_counted_and_recorded(void)
{
    inhabit(BODIES);
    add(0, 1, 0, 0);
    const size_t bytes = piola_snapshot_size(world), room = 1 << 20;
    void *snapshot = fixture_memory(bytes), *record = fixture_memory(room);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    fixture_ok(piola_record_begin(world, record, room), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORDING,
                      piola_body_add_example(world, body[1], (float[]){1, 0, 0}, NULL));
    piola_report report;
    fixture_ok(piola_body_change_example(world, body[0], (float[]){0, 5, 0}), NULL);
    fixture_ok(piola_body_change_example(world, body[1], (float[]){0, 5, 0}), NULL);
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(2, report.commands);
    TEST_ASSERT_EQUAL_UINT32(1, report.commands_refused);
    fixture_steps(world, NULL, 3);
    size_t used = 0;
    fixture_ok(piola_record_end(world, &used), NULL);
    const uint64_t end = piola_world_hash(world);
    uint64_t difference = 1;
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    fixture_ok(piola_record_play(world, NULL, record, used, &difference, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, difference);
    TEST_ASSERT_EQUAL_HEX64(end, piola_world_hash(world));
}

static int lines_of(const char *root, const char *file)
{
    char path[2048];
    int lines = 0;
    snprintf(path, sizeof path, "%s/%s", root, file);
    FILE *stream = fopen(path, "r");
    TEST_ASSERT_NOT_NULL_MESSAGE(stream, path);
    for (int c = fgetc(stream); c != EOF; c = fgetc(stream))
        lines += c == '\n';
    fclose(stream);
    return lines;
}

/* As docs/method/house.md says: these lines, and subdir('example'). */
static void test_a_family_costs_few_lines_outside_of_its_folder(void)
{
    static const struct {
        const char *folder, *file;
        int lines;
    } rows[] = {{"src", "families/families.def", 1},
                {"include", "piola/piola.h", 1},
                {"include", "piola/world.h", 1},
                {"include", "piola/command.h", 1},
                {"include", "piola/status.h", 1}};
    char before[1024], after[1024];
    snprintf(after, sizeof after, "%s/tests/family_example/overlay", getenv("PIOLA_BUILD_DIR"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        snprintf(before, sizeof before, "%s/%s", getenv("PIOLA_SOURCE_DIR"), rows[i].folder);
        TEST_ASSERT_EQUAL_INT(rows[i].lines,
                              lines_of(after, rows[i].file) - lines_of(before, rows[i].file));
    }
}

/* The islands that all families feed have what this one ties, and nothing else. */
static void test_ties_bodies(void)
{
    inhabit(8);
    add(1, 1, 0, 0);
    add(4, 0, 2, 0);
    add(3, 0, 0, 3);
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_world_step(world, NULL, NULL));
    const struct islands all = islands_of(world);
    const uint32_t expected[BODIES] = {0, 1, 2, 1, 1};
    for (uint32_t i = 0; i < BODIES; ++i)
        TEST_ASSERT_EQUAL_UINT32(expected[i], islands_root(all, i));
}

/* Where bodies may meet, small ones go by themselves unless some family joins them to anything. */
static void test_who_is_tied_does_not_go_by_itself(void)
{
    piola_world_desc desc = description(8);
    desc.max_contacts = 100;
    desc.max_contact_faces = 4000;
    inhabit_as(&desc);
    add(1, 1, 0, 0);
    add(4, 0, 2, 0);
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_world_step(world, NULL, NULL));
    const uint32_t expected[] = {0, 1, 4};
    TEST_ASSERT_EQUAL_UINT32(3, world->joined_count);
    TEST_ASSERT_EQUAL_UINT32_ARRAY(expected, world_joined(world), 3);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_bodies_are_pulled_as_they_were_told);
    RUN_TEST(test_threads_do_not_change_the_bits);
    RUN_TEST(test_a_snapshot_brings_back_what_pulls);
    RUN_TEST(test_impossible_snapshots_are_refused);
    RUN_TEST(test_full_capacity_is_counted_and_told);
    RUN_TEST(test_a_capacity_out_of_range_is_refused);
    RUN_TEST(test_bad_input_is_refused_and_changes_nothing);
    RUN_TEST(test_commands_are_counted_and_recorded);
    RUN_TEST(test_a_family_costs_few_lines_outside_of_its_folder);
    RUN_TEST(test_ties_bodies);
    RUN_TEST(test_who_is_tied_does_not_go_by_itself);
    return UNITY_END();
}
