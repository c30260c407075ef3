/* test_told.c - what the command says by itself about a run: each warning where it is due, and none
 * where all is well.
 *
 * covers: app/told.c app/told_balance.c app/told_bodies.c app/told_cross.c app/told_held.c
 * covers: io/scene/stage_room.c
 */
#define _POSIX_C_SOURCE 200809L
#include "program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void setUp(void)
{
}

void tearDown(void)
{
    program_forget();
}

#define JELLY "\"materials\": {\"jelly\": {\"young\": %g, \"poisson\": 0.4, \"density\": 1000}}, "
#define CUBE                                                                                       \
    "\"meshes\": {\"cube\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [3, 3, 3]}}}, "
#define BODY(name, x, y, rest)                                                                     \
    "{\"name\": \"" name "\", \"mesh\": \"cube\", \"material\": \"jelly\", \"position\": [" x      \
    ", " y ", 0]" rest "}"

/* Writes a scene of cubes to $T/scene.json: what its world says beside the step, and all behind
 * meshes. */
static void write_scene(double young, const char *world, const char *rest)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        0,
        run("cat >$T/scene.json <<'END'\n{\"description\": \"d\", \"seconds\": 1, \"world\": "
            "{\"dt\": 0.01, \"iterations\": 10%s}, " JELLY CUBE "%s}\nEND\n:",
            world, young, rest),
        output);
}

static const json_t *warning(const char *code)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(result, "warnings"), i,
                       item) if (strcmp(json_string_value(json_object_get(item, "code")), code) ==
                                 0) return item;
    return NULL;
}

/* The warning came, about this body (null: none), with these words. */
static void told(const char *code, const char *body, const char *words)
{
    const json_t *item = warning(code);
    TEST_ASSERT_NOT_NULL_MESSAGE(item, code);
    const char *text = json_string_value(json_object_get(item, "text"));
    TEST_ASSERT_TRUE(json_is_number(json_object_get(item, "time")));
    if (body)
        TEST_ASSERT_EQUAL_STRING(body, json_string_value(json_object_get(item, "body")));
    else
        TEST_ASSERT_TRUE(json_is_null(json_object_get(item, "body")));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, words), text);
}

static double time_of(const char *code)
{
    return json_number_value(json_object_get(warning(code), "time"));
}

/* None but that the machine is slow, which no scene can help. */
static void silent(void)
{
    char *text = json_dumps(json_object_get(result, "warnings"), 0);
    size_t others = json_array_size(json_object_get(result, "warnings"));
    others -= warning("late") != NULL;
    TEST_ASSERT_EQUAL_size_t_MESSAGE(0, others, text);
    free(text);
}

static const char floor_[] = "\"colliders\": [{\"name\": \"floor\", \"shape\": \"plane\"}]";

static void test_a_scene_that_is_well_is_told_nothing(void)
{
    char rest[600];
    snprintf(rest, sizeof rest, "\"bodies\": [%s, %s], %s", BODY("a", "0", "0.01", ""),
             BODY("b", "0.15", "0.01", ""), floor_);
    write_scene(3e4, "", rest);
    run_json("$T/scene.json --seconds 3");
    silent();
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("$P check $T/scene.json"), output);
    TEST_ASSERT_NULL(strstr(output, "warning"));
    /* In their first steps they may not be balanced yet. */
    static const char *const well[] = {"spin", "orthotropic", "detail", "organ"};
    for (size_t i = 0; i < sizeof well / sizeof *well && !quick(); ++i) {
        char line[100];
        snprintf(line, sizeof line, "scenes/%s.json", well[i]);
        run_json(line);
        silent();
    }
}

/* Thrown at each other, they meet where the scene does not say how much room there is. */
static const char thrown[] =
    "\"bodies\": [" BODY("a", "0", "0", ", \"velocity\": [1, 0, 0]") ", " BODY(
        "b", "0.3", "0.02",
        ", \"velocity\": [-1, 0, 0]") "], \"sensors\": [{\"name\": \"a\", "
                                      "\"kind\": \"momentum\", \"body\": \"a\"}]";

static void test_room_for_contact_is_made_when_bodies_can_meet(void)
{
    write_scene(3e4, ", \"gravity\": [0, 0, 0]", thrown);
    run_json("$T/scene.json");
    BELOW(0.1, sensor("a", 0));
    TEST_ASSERT_NULL(warning("passed_through"));
    TEST_ASSERT_NULL(warning("contacts_full"));
}

static void test_bodies_that_pass_through_each_other_are_named(void)
{
    write_scene(3e4, ", \"gravity\": [0, 0, 0], \"contacts\": 0", thrown);
    run_json("$T/scene.json");
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1, sensor("a", 0));
    told("passed_through", "a", "\"a\" and \"b\"");
    TEST_ASSERT_DOUBLE_WITHIN(0.03, 0.1, time_of("passed_through"));
    /* Who does not meet need not be kept apart. */
    TEST_ASSERT_EQUAL_INT(0,
                          run("sed 's/\"name\": \"a\",/\"name\": \"a\", \"collides_with\": [],/' "
                              "$T/scene.json >$T/apart.json"));
    run_json("$T/apart.json");
    silent();
}

/* Random places: what comes near does not count until it crosses. */
static void test_only_what_crosses_is_told(void)
{
    const unsigned seed = (unsigned)time(NULL) ^ (unsigned)getpid();
    printf("seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < (quick() ? 2 : 12); ++i) {
        char rest[800];
        const double gap = 0.1 * rand() / RAND_MAX - 0.05, side = 0.08 * rand() / RAND_MAX;
        if (fabs(gap) < 1e-3)
            continue;
        snprintf(rest, sizeof rest,
                 "\"bodies\": [" BODY("a", "0", "0",
                                      "") ", {\"name\": \"b\", \"mesh\": \"cube\", "
                                          "\"material\": \"jelly\", \"position\": [%g, %g, %g]}]",
                 0.1 + gap, side, side / 2);
        write_scene(3e4, ", \"gravity\": [0, 0, 0], \"contacts\": 0", rest);
        run_json("$T/scene.json --steps 4");
        TEST_ASSERT_TRUE_MESSAGE((warning("passed_through") != NULL) == (gap < 0), rest);
    }
}

/* Meshes that lie along each other cut in no inside of a face; and what touches does not cross. */
static void test_bodies_that_lie_along_each_other_are_told(void)
{
    static const struct {
        const char *x, *y;
        bool cross;
    } places[] = {{"0.05", "0", true},  {"0.0666667", "0", true}, {"0.099", "0", true},
                  {"0.1", "0", false},  {"0.1", "0.05", false},   {"0.1001", "0.02", false},
                  {"0", "0.1", false},  {"-0.1", "0", false},     {"0", "-0.09", true},
                  {"0.1", "0.1", false}};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        char rest[400];
        snprintf(rest, sizeof rest,
                 "\"bodies\": [" BODY("a", "0", "0",
                                      "") ", {\"name\": \"b\", \"mesh\": \"cube\", "
                                          "\"material\": \"jelly\", \"position\": [%s, %s, 0]}]",
                 places[i].x, places[i].y);
        write_scene(3e4, ", \"gravity\": [0, 0, 0], \"contacts\": 0", rest);
        run_json("$T/scene.json --steps 4");
        TEST_ASSERT_TRUE_MESSAGE((warning("passed_through") != NULL) == places[i].cross, rest);
    }
}

static void test_bodies_that_begin_inside_each_other_are_told_by_check(void)
{
    write_scene(3e4, "",
                "\"bodies\": [" BODY("a", "0", "0", "") ", " BODY("b", "0.05", "0.03", "") "]");
    TEST_ASSERT_EQUAL_INT(0, run("$P check $T/scene.json"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "\"a\" and \"b\" begin inside each other"), output);
    TEST_ASSERT_EQUAL_INT(4, run("$P check $T/scene.json --strict"));
    run_json("$T/scene.json --steps 4");
    told("crossed_at_start", "a", "collides_with");
}

/* Half a cube in the floor; resting on it, or held by pins, is not told. */
static void test_who_begins_inside_a_collider_is_told(void)
{
    static const char *const held =
        ", \"pins\": [{\"box\": {\"min\": [-9, -9, -9], \"max\": [9, 9, 9]}}]";
    char rest[600];
    snprintf(rest, sizeof rest, "\"bodies\": [%s, %s], %s", BODY("out", "0.3", "0", ""),
             BODY("in", "0", "-0.05", ""), floor_);
    write_scene(3e4, "", rest);
    run_json("$T/scene.json --seconds 0.1");
    told("inside_at_start", "in",
         "begins inside the collider \"floor\", 32 of its vertices by up to 0.05 m");
    TEST_ASSERT_EQUAL_INT(0, run("$P check $T/scene.json"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "(inside_at_start)"), output);
    for (int way = 0; way < 2; ++way) {
        char body[400];
        snprintf(body, sizeof body,
                 "{\"name\": \"a\", \"mesh\": \"cube\", \"material\": \"jelly\", \"position\": [0, "
                 "%s, 0]%s}",
                 way ? "-0.05" : "0", way ? held : "");
        snprintf(rest, sizeof rest, "\"bodies\": [%s], %s", body, floor_);
        write_scene(3e4, "", rest);
        run_json("$T/scene.json --seconds 0.1");
        TEST_ASSERT_NULL(warning("inside_at_start"));
    }
}

static void test_room_that_is_too_small_is_told(void)
{
    char rest[600];
    snprintf(rest, sizeof rest, "\"bodies\": [%s, %s], %s", BODY("a", "0", "0.01", ""),
             BODY("b", "0.01", "0.12", ""), floor_);
    write_scene(3e4, ", \"contacts\": 8", rest);
    run_json("$T/scene.json");
    told("contacts_full", NULL, "set \"contacts\"");
}

static void test_room_for_faces_that_is_too_small_is_told(void)
{
    static const char rail[] =
        "\"colliders\": [{\"name\": \"rail\", \"shape\": \"capsule\", \"length\": 1, \"radius\": "
        "0.005, \"position\": [0.04, -0.006, 0], \"rotation\": {\"axis\": [1, 0, 0], \"degrees\": "
        "90}}]";
    char rest[600];
    snprintf(rest, sizeof rest, "\"bodies\": [%s], %s", BODY("a", "0", "0.01", ""), rail);
    write_scene(3e4, ", \"face_contacts\": 1", rest);
    run_json("$T/scene.json --seconds 0.2");
    told("face_contacts_full", NULL, "set \"face_contacts\"");
    write_scene(3e4, "", rest);
    run_json("$T/scene.json --seconds 0.2");
    TEST_ASSERT_NULL(warning("face_contacts_full"));
}

static void test_what_falls_out_of_the_scene_is_told(void)
{
    static const char table[] =
        "], \"colliders\": [{\"name\": \"table\", \"shape\": \"box\", \"size\": [0.3, 0.02, 0.3], "
        "\"position\": [0.05, -0.05, 0.05]}]";
    char rest[600];
    snprintf(rest, sizeof rest, "\"bodies\": [%s, %s%s", BODY("stays", "0", "0", ""),
             BODY("falls", "0.4", "0", ""), table);
    write_scene(3e4, "", rest);
    run_json("$T/scene.json --seconds 2");
    told("fell_out", "falls", "put a floor under it");
    TEST_ASSERT_DOUBLE_WITHIN(0.3, 1.1, time_of("fell_out"));
    run_json("$T/scene.json --seconds 0.8");
    TEST_ASSERT_NULL(warning("fell_out"));
    /* What slides down a plane has not fallen, however far it goes. */
    snprintf(rest, sizeof rest,
             "\"bodies\": [%s], \"colliders\": [{\"shape\": \"plane\", \"rotation\": "
             "{\"axis\": [0, 0, 1], \"degrees\": -40}, \"friction_static\": 0, "
             "\"friction_kinetic\": 0}]",
             BODY("slides", "0", "0.01", ""));
    write_scene(3e4, "", rest);
    run_json("$T/scene.json --seconds 3");
    TEST_ASSERT_NULL(warning("fell_out"));
    /* Alone it falls as a body does. */
    write_scene(3e4, "", "\"bodies\": [" BODY("falls", "0.4", "0", "") "]");
    run_json("$T/scene.json --seconds 1.5");
    silent();
}

static void test_inverted_elements_are_told(void)
{
    write_scene(3e4, ", \"gravity\": [0, 0, 0]",
                "\"bodies\": [" BODY("a", "0", "0", ", \"start\": {\"scale\": [-1, 1, 1]}") "]");
    run_json("$T/scene.json --steps 2");
    told("inverted", "a", "inside out");
}

/* The scene without a coarse level, in $T. */
static void plain(const char *name)
{
    TEST_ASSERT_EQUAL_INT(
        0, run("if grep -q '\"world\": {' scenes/limits/%s.json; then sed "
               "'s/\"world\": {/&\"coarse_level\": false, /' "
               "scenes/limits/%s.json; else sed 's/\"materials\":/\"world\": "
               "{\"coarse_level\": false}, &/' scenes/limits/%s.json; fi >$T/%s.json",
               name, name, name, name));
}

static void test_a_frozen_body_is_told_as_that_alone(void)
{
    if (quick())
        return;
    plain("pendulum");
    TEST_ASSERT_EQUAL_INT(1, run("$P run $T/pendulum.json --seconds 2.5 --json "
                                 "2>/dev/null"));
    result = json_loads(output, 0, NULL);
    TEST_ASSERT_NOT_NULL(result);
    told("frozen", "rope", "substeps");
    TEST_ASSERT_NULL(warning("inverted"));
    TEST_ASSERT_NULL(warning("not_converged"));
}

static void test_bodies_that_are_not_converged_are_told(void)
{
    if (quick())
        return;
    /* The coarse level is for this; without it each falls short. */
    plain("stiff-bar");
    plain("swing");
    plain("slide");
    run_json("$T/stiff-bar.json");
    told("not_converged", "b", "5 \"iterations\" are too few");
    run_json("$T/stiff-bar.json --iterations 20");
    silent();
    run_json("$T/swing.json --iterations 100");
    silent();
    run_json("$T/slide.json");
    told("not_converged", "b", "such a step about");
    run_json("$T/slide.json --iterations 20");
    silent();
    run_json("scenes/limits/stiff-bar.json");
    silent();
}

static void test_bodies_too_far_from_the_origin_are_told(void)
{
    if (quick())
        return;
    plain("far");
    run_json("$T/far.json");
    told("too_far", "b", "1e+03 m");
    TEST_ASSERT_NULL(warning("not_converged"));
}

static void test_colliders_that_are_held_up_are_told(void)
{
    if (quick())
        return;
    char rest[900];
    snprintf(rest, sizeof rest,
             "\"bodies\": [%s, %s], \"colliders\": [{\"name\": \"floor\", \"shape\": \"plane\"}, "
             "{\"name\": \"press\", \"shape\": \"box\", \"size\": [1, 0.1, 1], \"position\": [0, "
             "0.3, 0], \"motion\": {\"frames\": [{\"time\": 0}, {\"time\": 0.5, \"move\": [0, "
             "-0.29, 0]}]}}]",
             BODY("a", "0", "0.001", ""), BODY("b", "0.01", "0.105", ""));
    write_scene(3e4, "", rest);
    run_json("$T/scene.json");
    told("held_up", NULL, "the collider \"press\"");
}

static void test_strict_ends_with_a_code_of_its_own(void)
{
    write_scene(3e4, ", \"gravity\": [0, 0, 0], \"contacts\": 0", thrown);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("$P run $T/scene.json"), output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "piola: warning: the bodies \"a\" and \"b\""),
                                 output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "(passed_through)\n"), output);
    TEST_ASSERT_EQUAL_INT_MESSAGE(4, run("$P run $T/scene.json --strict"), output);
    TEST_ASSERT_EQUAL_INT(4, run("$P run $T/scene.json --strict --hash"));
    TEST_ASSERT_EQUAL_size_t_MESSAGE(17, strlen(output), output);
}

static void test_a_surface_that_encloses_nothing_is_said_to_be_a_skin(void)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        0, run("$P mesh make grid size=1,1 cells=30,30 --out $T/sheet.obj"), output);
    TEST_ASSERT_EQUAL_INT(0, run("$P run $T/sheet.obj --steps 1"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "encloses nothing"), output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "(skin)"), output);
    TEST_ASSERT_EQUAL_INT(0, run("$P mesh make sphere radius=0.3 cuts=4 --out $T/ball.obj && "
                                 "$P run $T/ball.obj --steps 1"));
    TEST_ASSERT_NULL_MESSAGE(strstr(output, "(skin)"), output);
}

int main(void)
{
    UNITY_BEGIN();
    if (!program_open())
        return 1;
    RUN_TEST(test_a_scene_that_is_well_is_told_nothing);
    RUN_TEST(test_room_for_contact_is_made_when_bodies_can_meet);
    RUN_TEST(test_bodies_that_pass_through_each_other_are_named);
    RUN_TEST(test_only_what_crosses_is_told);
    RUN_TEST(test_bodies_that_lie_along_each_other_are_told);
    RUN_TEST(test_bodies_that_begin_inside_each_other_are_told_by_check);
    RUN_TEST(test_who_begins_inside_a_collider_is_told);
    RUN_TEST(test_room_that_is_too_small_is_told);
    RUN_TEST(test_room_for_faces_that_is_too_small_is_told);
    RUN_TEST(test_what_falls_out_of_the_scene_is_told);
    RUN_TEST(test_a_frozen_body_is_told_as_that_alone);
    RUN_TEST(test_inverted_elements_are_told);
    RUN_TEST(test_bodies_that_are_not_converged_are_told);
    RUN_TEST(test_bodies_too_far_from_the_origin_are_told);
    RUN_TEST(test_colliders_that_are_held_up_are_told);
    RUN_TEST(test_strict_ends_with_a_code_of_its_own);
    RUN_TEST(test_a_surface_that_encloses_nothing_is_said_to_be_a_skin);
    program_close();
    return UNITY_END();
}
