/* test_io_scene.c - scenes of piola_io by its public header alone: the command's own bits, what is
 * in them, and what is refused.
 * covers: io/api/api_scene.c */
#define _POSIX_C_SOURCE 200809L
#include "failing.h"
#include "unity.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static piola_io_error error;
static piola_io_scene *scene;

static const char small[] =
    "{\"seconds\": 0.1, \"description\": \"small\", \"materials\": {\"rubber\": {\"young\": 1e5},"
    "\"silk\": {\"young\": 100, \"density\": 0.1}},\n"
    " \"meshes\": {\"cube\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}},"
    "\"flag\": {\"grid\": {\"size\": [0.1, 0.1], \"cells\": [3, 3]}}},\n"
    " \"bodies\": [{\"name\": \"a\", \"mesh\": \"cube\", \"material\": \"rubber\", \"copies\": "
    "{\"count\": [2, 1, 1], \"spacing\": [0.5, 0, 0]}, \"pins\": [{\"vertices\": [0]}, "
    "{\"vertices\": [1], \"axes\": \"y\"}],"
    "\"detail\": {\"subdivide\": 1}},\n"
    "  {\"name\": \"b\", \"mesh\": \"flag\", \"material\": \"silk\"}],\n"
    " \"colliders\": [{\"name\": \"floor\", \"shape\": \"plane\", \"position\": [0, -1, 0]}, "
    "{\"name\": \"ball\", \"shape\": \"sphere\", \"radius\": 0.1, "
    "\"mass\": 1, \"position\": [2, 0, 0]}],\n"
    " \"joints\": [{\"name\": \"hook\", \"kind\": \"ball\", \"moved\": \"ball\", \"position\": "
    "[2, 1, 0]}]}\n";

void setUp(void)
{
    memset(&error, 0x55, sizeof error);
    scene = NULL;
}

void tearDown(void)
{
    piola_io_scene_close(scene);
}

static void opened(piola_io_status status)
{
    TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_OK, status, error.text);
    TEST_ASSERT_NOT_NULL(scene);
}

static piola_io_status parse(const char *text, const piola_io_scene_desc *desc)
{
    return piola_io_scene_parse(text, strlen(text), "s.json", desc, &scene, &error);
}

static void says(piola_io_status expected, piola_io_status status, const char *text)
{
    TEST_ASSERT_EQUAL_MESSAGE(expected, status, error.text);
    TEST_ASSERT_EQUAL(expected, error.status);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, text), error.text);
    TEST_ASSERT_NULL(scene);
}

static uint64_t run_steps(uint64_t steps)
{
    for (uint64_t step = 1; step <= steps; ++step)
        TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_OK, piola_io_scene_step(scene, step, NULL, &error),
                                  error.text);
    return piola_world_hash(piola_io_scene_inspect(scene).world);
}

static void test_what_is_in_a_scene(void)
{
    piola_io_scene_body body;
    piola_io_scene_collider collider;
    opened(parse(small, NULL));
    const piola_io_scene_facts facts = piola_io_scene_inspect(scene);
    TEST_ASSERT_EQUAL_STRING("small", facts.description);
    TEST_ASSERT_EQUAL(3, facts.body_count);
    TEST_ASSERT_EQUAL(2, facts.collider_count);
    TEST_ASSERT_EQUAL(1, facts.joint_count);
    TEST_ASSERT_TRUE(facts.seconds > 0.099 && facts.seconds < 0.101);
    TEST_ASSERT_TRUE(facts.dt > 0 && facts.world_bytes > 0 && facts.asset_bytes > 0);
    TEST_ASSERT_TRUE(piola_io_scene_body_at(scene, 1, &body));
    TEST_ASSERT_EQUAL_STRING("a[1]", body.name);
    TEST_ASSERT_EQUAL(1, body.copy);
    TEST_ASSERT_FALSE(piola_io_scene_body_at(scene, 3, &body));
    TEST_ASSERT_TRUE(piola_io_scene_body_named(scene, "b", 0, &body));
    piola_body_info info;
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_body_inspect(facts.world, body.handle, &info));
    TEST_ASSERT_FALSE(piola_io_scene_body_named(scene, "b", 1, &body));
    TEST_ASSERT_FALSE(piola_io_scene_body_named(scene, "c", 0, &body));
    TEST_ASSERT_TRUE(piola_io_scene_collider_at(scene, 0, &collider));
    TEST_ASSERT_EQUAL_STRING("floor", collider.name);
    TEST_ASSERT_FALSE(piola_io_scene_collider_at(scene, 2, &collider));
    piola_io_scene_joint joint;
    TEST_ASSERT_TRUE(piola_io_scene_joint_at(scene, 0, &joint));
    TEST_ASSERT_EQUAL_STRING("hook", joint.name);
    TEST_ASSERT_TRUE(piola_joint_alive(facts.world, joint.handle));
    TEST_ASSERT_FALSE(piola_io_scene_joint_at(scene, 1, &joint));
    TEST_ASSERT_NOT_EQUAL(0, run_steps(10));
}

/* The example is run as a stranger would, beside the command; both say the same state. */
static void test_the_example_has_the_bits_of_the_command(void)
{
    const char *build = getenv("PIOLA_BUILD_DIR"), *source = getenv("PIOLA_SOURCE_DIR");
    TEST_ASSERT_TRUE(build && source);
    char line[4000];
    snprintf(line, sizeof line, "test -x '%s/examples/example_load_scene'", build);
    if (system(line) != 0)
        return; /* sanitizers' builds have no examples */
    snprintf(line, sizeof line,
             "cd '%s' && h=$('%s/app/piola' run scenes/balloon.json --seconds 0.2 --hash) && "
             "test -n \"$h\" && '%s/examples/example_load_scene' scenes/balloon.json 0.2 | "
             "grep -q \"hash $h\"",
             source, build, build);
    TEST_ASSERT_EQUAL_MESSAGE(0, system(line), line);
}

static void test_threads_and_settings_are_obeyed(void)
{
    piola_io_scene_desc desc = piola_io_scene_desc_default();
    desc.threads = 1;
    opened(parse(small, &desc));
    TEST_ASSERT_NULL(piola_io_scene_inspect(scene).tasks);
    const uint64_t one = run_steps(10);
    piola_io_scene_close(scene);
    desc.threads = 2;
    opened(parse(small, &desc));
    TEST_ASSERT_NOT_NULL(piola_io_scene_inspect(scene).tasks);
    TEST_ASSERT_EQUAL_HEX64(one, run_steps(10));
    piola_io_scene_close(scene);
    desc.iterations = 1;
    opened(parse(small, &desc));
    TEST_ASSERT_NOT_EQUAL(one, run_steps(10));
}

/* Back to an earlier step, and on: the same end. */
static void test_a_snapshot_goes_back(void)
{
    static _Alignas(PIOLA_ALIGNMENT) char snapshot[1 << 20];
    opened(parse(small, NULL));
    piola_world *world = piola_io_scene_inspect(scene).world;
    const uint64_t middle = run_steps(5);
    TEST_ASSERT_TRUE(piola_snapshot_size(world) <= sizeof snapshot);
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_snapshot_save(world, snapshot, sizeof snapshot));
    for (uint64_t step = 6; step <= 10; ++step)
        TEST_ASSERT_EQUAL(PIOLA_IO_OK, piola_io_scene_step(scene, step, NULL, &error));
    const uint64_t end = piola_world_hash(world);
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_snapshot_restore(world, snapshot, sizeof snapshot));
    TEST_ASSERT_EQUAL_HEX64(middle, piola_world_hash(world));
    for (uint64_t step = 6; step <= 10; ++step) {
        TEST_ASSERT_EQUAL(PIOLA_IO_OK, piola_io_scene_push(scene, step, &error));
        TEST_ASSERT_EQUAL(PIOLA_OK, piola_world_step(world, NULL, NULL));
    }
    TEST_ASSERT_EQUAL_HEX64(end, piola_world_hash(world));
}

static void test_what_is_wrong_is_said_with_its_place(void)
{
    says(PIOLA_IO_ERROR_CONTENT, parse("{\n\"seconds\": 1,,\n}", NULL), "s.json:2:");
    TEST_ASSERT_EQUAL(2, error.line);
    TEST_ASSERT_EQUAL_STRING("s.json", error.file);
    says(PIOLA_IO_ERROR_CONTENT, parse("{\"secnds\": 1}", NULL), "secnds");
    TEST_ASSERT_EQUAL_STRING("s.json", error.file);
    says(PIOLA_IO_ERROR_CONTENT, parse("", NULL), "s.json");
    says(PIOLA_IO_ERROR_CONTENT, parse("[]", NULL), "s.json");
    char text[sizeof small + 20];
    const char *at = strstr(small, "\"box\"");
    snprintf(text, sizeof text, "%.*s\"file\": \"none.obj\"}%s", (int)(at - small), small,
             strstr(small, ",\"flag\""));
    says(PIOLA_IO_ERROR_FILE, parse(text, NULL), "none.obj");
    TEST_ASSERT_EQUAL_STRING("none.obj", error.file);
    says(PIOLA_IO_ERROR_FILE, piola_io_scene_open("/no/such.json", NULL, &scene, &error),
         "/no/such.json");
    says(PIOLA_IO_ERROR_NULL, piola_io_scene_open(NULL, NULL, &scene, &error), "path");
    says(PIOLA_IO_ERROR_NULL, piola_io_scene_parse(NULL, 0, "a", NULL, &scene, &error), "text");
    says(PIOLA_IO_ERROR_NULL, piola_io_scene_open("a", NULL, NULL, &error), "scene");
    piola_io_scene_desc desc = {0};
    says(PIOLA_IO_ERROR_COOKIE, parse(small, &desc), "piola_io_scene_desc");
    desc = piola_io_scene_desc_default();
    desc.threads = 65;
    says(PIOLA_IO_ERROR_RANGE, parse(small, &desc), "threads");
    desc = piola_io_scene_desc_default();
    desc.solver = PIOLA_SOLVER_COUNT;
    says(PIOLA_IO_ERROR_RANGE, parse(small, &desc), "solver");
    says(PIOLA_IO_ERROR_NULL, piola_io_scene_step(NULL, 1, NULL, &error), "scene");
    TEST_ASSERT_EQUAL(0, piola_io_scene_inspect(NULL).body_count);
}

static void test_steps_count_from_one(void)
{
    opened(parse(small, NULL));
    TEST_ASSERT_EQUAL(PIOLA_IO_ERROR_RANGE, piola_io_scene_step(scene, 0, NULL, &error));
}

/* A block on three symmetry planes, each written another way, that share its edges and corner; a
 * traction pulls at its end. */
#define BLOCK(pins)                                                                                \
    "{\"description\": \"d\", \"world\": {\"gravity\": [0, 0, 0], \"iterations\": 40},"            \
    "\"materials\": {\"m\": {\"model\": \"stvk\", \"young\": 1e5, \"poisson\": 0.3}},"             \
    "\"meshes\": {\"b\": {\"box\": {\"size\": [0.3, 0.2, 0.2], \"cells\": [3, 2, 2]}}},"           \
    "\"bodies\": [{\"name\": \"b\", \"mesh\": \"b\", \"material\": \"m\", \"damping\": 10,"        \
    "\"position\": [0, 1, 0], \"pins\": [" pins "]}],"                                             \
    "\"fields\": [{\"traction\": {\"body\": \"b\", \"ramp\": 0.5, \"traction\": [2000, 0, 0],"     \
    "\"box\": {\"min\": [0.29, -1, -1], \"max\": [1, 1, 1]}}}],"                                   \
    "\"sensors\": [{\"name\": \"r\", \"kind\": \"reaction\", \"body\": \"b\"}]}"
#define PLANE(x, y, z, how)                                                                        \
    "{\"box\": {\"min\": [-1, -1, -1], \"max\": [" x ", " y ", " z "]}, " how "}"

static void test_pins_of_single_directions(void)
{
    piola_io_scene_body body;
    opened(parse(
        BLOCK(PLANE("0.01", "1", "1", "\"axes\": \"x\"") "," PLANE(
            "1", "0.01", "1",
            "\"normal\": [0, -3, 0]") "," PLANE("1", "1", "0.01",
                                                "\"axes\": \"z\"") "," PLANE("1", "0.01", "0.01",
                                                                             "\"direction\": [2, "
                                                                             "0, 0]")),
        NULL));
    TEST_ASSERT_TRUE(piola_io_scene_body_at(scene, 0, &body));
    piola_world *world = piola_io_scene_inspect(scene).world;
    float home[3 * 36], x[3 * 36], f[3 * 36], pull = 0;
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_body_positions(world, body.handle, 0, 36, home));
    (void)run_steps(500);
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_body_positions(world, body.handle, 0, 36, x));
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_body_reactions(world, body.handle, 0, 36, f));
    /* 2000 Pa = E l (l^2 - 1) / 2, t^2 = 1 - nu (l^2 - 1). */
    const float l = 1.019430f, t = 0.994097f;
    for (int v = 0; v < 36; ++v) {
        TEST_ASSERT_FLOAT_WITHIN(2e-5f, l * home[3 * v], x[3 * v]);
        TEST_ASSERT_FLOAT_WITHIN(2e-5f, 1 + t * (home[3 * v + 1] - 1), x[3 * v + 1]);
        TEST_ASSERT_FLOAT_WITHIN(2e-5f, t * home[3 * v + 2], x[3 * v + 2]);
        pull += f[3 * v];
    }
    TEST_ASSERT_FLOAT_WITHIN(0.08f, -80, pull);
}

static void test_pins_of_no_direction_are_refused(void)
{
    says(PIOLA_IO_ERROR_CONTENT, parse(BLOCK("{\"vertices\": [0], \"axes\": \"xq\"}"), NULL), "xq");
    says(PIOLA_IO_ERROR_CONTENT, parse(BLOCK("{\"vertices\": [0], \"normal\": [0, 0, 0]}"), NULL),
         "normal");
    says(PIOLA_IO_ERROR_CONTENT,
         parse(BLOCK("{\"vertices\": [0], \"direction\": [0, 0, 0]}"), NULL), "direction");
    says(PIOLA_IO_ERROR_CONTENT,
         parse(BLOCK("{\"vertices\": [0], \"axes\": \"x\", \"normal\": [0, 1, 0]}"), NULL),
         "only one");
}

/* Each request for memory is refused once: said so, and nothing is kept. */
static void test_memory_that_runs_out_leaves_nothing(void)
{
    struct failing failing = {0};
    piola_io_scene_desc desc = piola_io_scene_desc_default();
    desc.allocator = failing_allocator(&failing);
    desc.threads = 2;
    opened(parse(small, &desc));
    const uint64_t asked = failing.asked;
    TEST_ASSERT_GREATER_THAN(30, asked);
    (void)run_steps(2);
    piola_io_scene_close(scene);
    scene = NULL;
    TEST_ASSERT_EQUAL(0, failing.live);
    for (failing.fails = 1; failing.fails <= asked; ++failing.fails) {
        failing.asked = 0;
        const piola_io_status status = parse(small, &desc);
        TEST_ASSERT_NULL(scene);
        TEST_ASSERT_EQUAL(0, failing.live);
        TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_ERROR_MEMORY, status, error.text);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_in_a_scene);
    RUN_TEST(test_the_example_has_the_bits_of_the_command);
    RUN_TEST(test_threads_and_settings_are_obeyed);
    RUN_TEST(test_a_snapshot_goes_back);
    RUN_TEST(test_what_is_wrong_is_said_with_its_place);
    RUN_TEST(test_steps_count_from_one);
    RUN_TEST(test_pins_of_single_directions);
    RUN_TEST(test_pins_of_no_direction_are_refused);
    RUN_TEST(test_memory_that_runs_out_leaves_nothing);
    return UNITY_END();
}
