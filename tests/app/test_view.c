/* test_view.c - the live window: what keys and mouse do to a running scene, without a window, and
 * with a real one on a display of its own where Xvfb and xdotool are installed.
 *
 * covers: app/
 */
#define _POSIX_C_SOURCE 200809L
#include "io/base/file.h"
#include "render_values.h"
#include "unity.h"
#include "view_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const text =
    "{\"description\": \"a cube that floats\", \"world\": {\"dt\": 0.01, \"substeps\": 2, "
    "\"iterations\": 5, \"gravity\": [0, 0, 0], \"threads\": 1, \"report\": true},"
    "\"materials\": {\"jelly\": {\"young\": 3e4, \"poisson\": 0.4}},"
    "\"meshes\": {\"cube\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [4, 4, 4]}}},"
    "\"bodies\": [{\"name\": \"cube\", \"mesh\": \"cube\", \"material\": \"jelly\","
    " \"position\": [-0.5, -0.5, -0.5]}],"
    "\"view\": {\"from\": [0, 0, 5], \"at\": [0, 0, 0], \"field\": 40, \"ground\": -1}}";

static struct problem problem;
static struct pool pool;
static struct scene scene;
static struct stage stage;
static struct viewer viewer;
static const struct view_options options = {.width = 400, .height = 300, .colour = -1};

void setUp(void)
{
    const struct stage_options none = STAGE_OPTIONS_NONE;
    memset(&problem, 0, sizeof problem);
    memset(&pool, 0, sizeof pool);
    memset(&stage, 0, sizeof stage);
    TEST_ASSERT_TRUE_MESSAGE(
        scene_parse(text, strlen(text), "cube.json", &scene, &pool, &problem) &&
            stage_open(&stage, &scene, "cube.json", &none, &problem) &&
            viewer_open(&viewer, &stage, &options, &problem),
        problem.text);
}

void tearDown(void)
{
    viewer_close(&viewer);
    stage_close(&stage);
    pool_free(&pool);
}

static void middle_of_cube(double middle[3])
{
    piola_body_info info;
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_body_inspect(stage.world, stage.bodies[0].handle, &info));
    memcpy(middle, info.centre, sizeof info.centre);
}

static void test_time_goes_as_fast_as_it_should(void)
{
    for (int i = 0; i < 10; i++) {
        TEST_ASSERT_TRUE(viewer_advance(&viewer, 0.01));
    }
    TEST_ASSERT_UINT64_WITHIN(1, 10, viewer.play.steps);
    viewer_key(&viewer, 'S');
    uint64_t before = viewer.play.steps;
    for (int i = 0; i < 20; i++) {
        TEST_ASSERT_TRUE(viewer_advance(&viewer, 0.01));
    }
    TEST_ASSERT_UINT64_WITHIN(1, before + 5, viewer.play.steps);
}

static void test_pause_single_step_and_beginning_again(void)
{
    uint64_t start = piola_world_hash(stage.world);
    viewer_key(&viewer, ' ');
    TEST_ASSERT_TRUE(viewer_advance(&viewer, 1.0));
    TEST_ASSERT_EQUAL_UINT64(0, viewer.play.steps);
    viewer_key(&viewer, '.');
    TEST_ASSERT_TRUE(viewer_advance(&viewer, 0.0));
    TEST_ASSERT_TRUE(viewer_advance(&viewer, 1.0));
    TEST_ASSERT_EQUAL_UINT64(1, viewer.play.steps);
    viewer_key(&viewer, 'R');
    TEST_ASSERT_EQUAL_UINT64(0, viewer.play.steps);
    TEST_ASSERT_EQUAL_HEX64(start, piola_world_hash(stage.world));
    viewer_key(&viewer, 27);
    TEST_ASSERT_TRUE(viewer.over);
}

static void test_looks_cycle_through_all(void)
{
    for (uint32_t i = 1; i <= VIEW_COLOUR_COUNT; i++) {
        viewer_key(&viewer, 'C');
        TEST_ASSERT_EQUAL_UINT32(i % VIEW_COLOUR_COUNT, viewer.figure.colour);
        TEST_ASSERT_TRUE_MESSAGE(figure_build(&viewer.figure, &problem), problem.text);
        TEST_ASSERT_EQUAL_UINT32(3 * 12 * 16, viewer.figure.scene.count);
    }
    viewer_key(&viewer, 'W');
    TEST_ASSERT_TRUE(viewer.look.wire > 0.0f);
    viewer_key(&viewer, 'F');
    TEST_ASSERT_TRUE(viewer.look.flat);
    viewer_key(&viewer, '\t');
    TEST_ASSERT_TRUE(viewer.overlay.help);
}

/* Held at its face's middle and pulled to the right, the cube comes along; the spring's newtons are
 * the momentum it gains. */
static void test_the_mouse_pulls_with_the_force_it_shows(void)
{
    double before[3];
    double after[3];
    double impulse = 0.0;
    piola_body_info info;
    middle_of_cube(before);
    viewer_move(&viewer, 200, 150);
    viewer_press(&viewer, 0, true);
    TEST_ASSERT_EQUAL(DRAG_PULL, viewer.drag);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0.5f, viewer.grip.anchor[2]);
    viewer_move(&viewer, 260, 150);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0.5f, viewer.grip.target[2]);
    TEST_ASSERT_TRUE(viewer.grip.target[0] > 0.3f);
    /* Two steps: later the spring's own damping may pull back. */
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_TRUE(viewer_advance(&viewer, 0.0101));
        impulse += (double)viewer.grip.force * 0.01;
    }
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_body_inspect(stage.world, stage.bodies[0].handle, &info));
    TEST_ASSERT_TRUE(impulse > 1.0);
    TEST_ASSERT_DOUBLE_WITHIN(0.002 * impulse, impulse, info.momentum[0]);
    for (int i = 0; i < 200; i++) {
        TEST_ASSERT_TRUE(viewer_advance(&viewer, 0.0101));
    }
    middle_of_cube(after);
    TEST_ASSERT_TRUE(after[0] > before[0] + 0.2);
    viewer_describe(&viewer);
    TEST_ASSERT_TRUE(viewer.overlay.pulling);
    viewer_press(&viewer, 0, false);
    TEST_ASSERT_FALSE(viewer.grip.held);
}

static void test_the_hardest_pull_stays_calm(void)
{
    viewer_move(&viewer, 200, 150);
    viewer_press(&viewer, 0, true);
    for (int i = 0; i < 30; i++) {
        viewer_key(&viewer, ']');
    }
    viewer_move(&viewer, 230, 150);
    for (int i = 0; i < 300; i++) {
        TEST_ASSERT_TRUE(viewer_advance(&viewer, 0.0101));
        TEST_ASSERT_TRUE(fabsf(viewer.grip.anchor[0]) < 1.5f);
    }
    TEST_ASSERT_FLOAT_WITHIN(0.05f, viewer.grip.target[0], viewer.grip.anchor[0]);
}

/* However the hold ends, the spring is gone: by the button that began it, or by another one. */
static void test_a_second_button_ends_the_pull(void)
{
    viewer_move(&viewer, 200, 150);
    viewer_press(&viewer, 0, true);
    TEST_ASSERT_EQUAL(DRAG_PULL, viewer.drag);
    viewer_press(&viewer, 1, false);
    TEST_ASSERT_TRUE_MESSAGE(viewer.grip.held, "a button let go that began nothing");
    viewer_press(&viewer, 1, true);
    TEST_ASSERT_EQUAL(DRAG_ORBIT, viewer.drag);
    TEST_ASSERT_FALSE(viewer.grip.held);
    viewer_press(&viewer, 0, false);
    TEST_ASSERT_EQUAL_MESSAGE(DRAG_ORBIT, viewer.drag, "the left button did not begin this");
    viewer_press(&viewer, 1, false);
    TEST_ASSERT_EQUAL(DRAG_NONE, viewer.drag);
    viewer_move(&viewer, 390, 150);
    TEST_ASSERT_TRUE(viewer_advance(&viewer, 0.0101));
    TEST_ASSERT_EQUAL_FLOAT(0.0f, viewer.grip.force);
}

static void test_hardness_is_kept_from_pull_to_pull(void)
{
    viewer_move(&viewer, 200, 150);
    viewer_press(&viewer, 0, true);
    const float usual = viewer.grip.stiffness;
    viewer_key(&viewer, '[');
    viewer_key(&viewer, '[');
    const float soft = viewer.grip.stiffness;
    TEST_ASSERT_TRUE(soft < 0.5f * usual);
    viewer_press(&viewer, 0, false);
    viewer_key(&viewer, ']');
    viewer_press(&viewer, 0, true);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f * soft, 2.0f * soft, viewer.grip.stiffness);
    viewer_press(&viewer, 0, false);
}

/* On a screen of twice the density the mouse counts half as many units as the picture has pixels.
 */
static void test_the_mouse_finds_bodies_on_dense_screens(void)
{
    const uint32_t pixels[2] = {400, 300};
    const int units[2] = {200, 150};
    viewer_resize(&viewer, pixels, units);
    viewer_move(&viewer, 100, 75);
    viewer_press(&viewer, 0, true);
    TEST_ASSERT_EQUAL(DRAG_PULL, viewer.drag);
    TEST_ASSERT_FLOAT_WITHIN(1e-2f, 0.0f, viewer.grip.anchor[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-2f, 0.0f, viewer.grip.anchor[1]);
    viewer_move(&viewer, 130, 75);
    viewer_describe(&viewer);
    TEST_ASSERT_FLOAT_WITHIN(1.0f, 260.0f, viewer.overlay.to[0]);
    TEST_ASSERT_FLOAT_WITHIN(1.0f, 150.0f, viewer.overlay.to[1]);
    viewer_press(&viewer, 0, false);
}

/* A scene that fills the command queue by itself can be pulled at all the same. */
static void test_a_scene_of_many_commands_can_be_pulled(void)
{
    static const char *const pinned =
        "{\"description\": \"held\", \"world\": {\"gravity\": [0, 0, 0], \"threads\": 1}, "
        "\"materials\": {\"jelly\": {}}, \"meshes\": {\"box\": {\"box\": {\"size\": [1, 1, 1], "
        "\"cells\": [7, 7, 15]}, \"offset\": [-0.5, -0.5, -0.5]}}, \"bodies\": [{\"name\": "
        "\"box\", "
        "\"mesh\": \"box\", \"material\": \"jelly\", \"pins\": [{\"box\": {\"min\": [-1, -1, -1], "
        "\"max\": [1, 1, 1]}, \"motion\": {\"frames\": [{\"time\": 0}, {\"time\": 1, \"move\": "
        "[0, 1, 0]}]}}]}], \"view\": {\"from\": [0, 0, 5], \"at\": [0, 0, 0]}}";
    const struct stage_options none = STAGE_OPTIONS_NONE;
    static struct scene full;
    struct stage other;
    struct viewer window;
    memset(&other, 0, sizeof other);
    TEST_ASSERT_TRUE_MESSAGE(
        scene_parse(pinned, strlen(pinned), "full.json", &full, &pool, &problem) &&
            stage_open(&other, &full, "full.json", &none, &problem) &&
            viewer_open(&window, &other, &options, &problem),
        problem.text);
    TEST_ASSERT_EQUAL_UINT64(1024, other.pinned_vertices);
    viewer_move(&window, 200, 150);
    viewer_press(&window, 0, true);
    TEST_ASSERT_EQUAL(DRAG_PULL, window.drag);
    viewer_move(&window, 230, 150);
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_TRUE_MESSAGE(viewer_advance(&window, 0.02), problem.text);
    }
    TEST_ASSERT_TRUE(window.play.steps > 0);
    viewer_close(&window);
    stage_close(&other);
}

/* A hinge with limits has three axes and a sector of 26 lines, each segment of a rod two axes; they
 * are on the picture while they are asked for. */
static void test_frames_of_joints_and_rods_are_shown(void)
{
    static const char *const hinged =
        "{\"description\": \"hinged\", \"world\": {\"threads\": 1}, \"materials\": {\"wire\": {}}, "
        "\"meshes\": {\"rod\": {\"rod\": {\"length\": 1, \"radius\": 0.02, \"segments\": 4}}}, "
        "\"bodies\": [{\"mesh\": \"rod\", \"material\": \"wire\"}], \"colliders\": [{\"name\": "
        "\"bar\", \"shape\": \"box\", \"size\": [0.5, 0.1, 0.1], \"mass\": 1}], \"joints\": "
        "[{\"kind\": \"hinge\", \"moved\": \"bar\", \"position\": [0.25, 0, 0], \"axis\": [0, 0, "
        "1], "
        "\"axes\": [{\"axis\": \"twist\", \"low\": -30, \"high\": 30}]}], \"view\": {\"from\": "
        "[0, 0, 5], \"at\": [0, 0, 0]}}";
    const struct stage_options none = STAGE_OPTIONS_NONE;
    static struct scene full;
    static struct viewer window;
    struct stage other;
    memset(&other, 0, sizeof other);
    TEST_ASSERT_TRUE_MESSAGE(
        scene_parse(hinged, strlen(hinged), "hinged.json", &full, &pool, &problem) &&
            stage_open(&other, &full, "hinged.json", &none, &problem) &&
            viewer_open(&window, &other, &options, &problem),
        problem.text);
    viewer_describe(&window);
    TEST_ASSERT_EQUAL_UINT32(0, window.overlay.line_count);
    viewer_key(&window, 'J');
    viewer_describe(&window);
    TEST_ASSERT_EQUAL_UINT32(3 + 26 + 4 * 2, window.overlay.line_count);
    /* The joint is 0.25 m to the right of the middle, seen from 5 m. */
    TEST_ASSERT_TRUE(window.overlay.lines[0].from[0] > 210.0f);
    TEST_ASSERT_FLOAT_WITHIN(1.0f, 150.0f, window.overlay.lines[0].from[1]);
    viewer_close(&window);
    stage_close(&other);
}

static void test_beside_bodies_the_mouse_turns_the_view(void)
{
    struct camera before = viewer.camera;
    viewer_move(&viewer, 5, 5);
    viewer_press(&viewer, 0, true);
    TEST_ASSERT_EQUAL(DRAG_ORBIT, viewer.drag);
    viewer_move(&viewer, 60, 40);
    TEST_ASSERT_TRUE(fabsf(viewer.camera.from[0] - before.from[0]) > 0.1f);
    viewer_press(&viewer, 0, false);
    viewer_wheel(&viewer, 3.0);
    TEST_ASSERT_TRUE(vec_length(viewer.camera.from) < 4.0f);
    viewer_key(&viewer, '\b');
    TEST_ASSERT_EQUAL_FLOAT(before.from[0], viewer.camera.from[0]);
}

static void test_overlay_is_drawn(void)
{
    enum { W = 640, H = 400 };
    static uint8_t pixels[W * H * 4];
    const struct canvas canvas = {pixels, W, H, 4};
    uint32_t inked[2] = {0, 0};
    for (int i = 0; i < 300; i++) {
        trace_add(&viewer.overlay.ms, 1.0f + 0.5f * sinf((float)i));
        trace_add(&viewer.overlay.residual, 0.0f);
    }
    viewer_describe(&viewer);
    for (int help = 0; help < 2; help++) {
        viewer.overlay.help = help == 1;
        memset(pixels, 0, sizeof pixels);
        overlay_draw(&viewer.overlay, &viewer.figure, &canvas);
        for (size_t i = 0; i < (size_t)W * H; i++) {
            inked[help] += pixels[4 * i + 3] > 0;
        }
    }
    TEST_ASSERT_TRUE(inked[0] > 20000);
    TEST_ASSERT_TRUE(inked[1] > inked[0] + 50000);
}

/* Two cubes on a floor, one on the other: what touches is coloured, the faces in the air are not.
 */
static void test_colour_by_contact_shows_what_touches(void)
{
    static const char *const stack =
        "{\"description\": \"two cubes\", \"world\": {\"dt\": 0.01, \"substeps\": 4, \"threads\": "
        "1, "
        "\"contacts\": 4000, \"contact_thickness\": 0.01}, \"materials\": {\"jelly\": {\"young\": "
        "1e6, "
        "\"density\": 100}}, \"meshes\": {\"cube\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [2, "
        "2, 2]}}},"
        "\"bodies\": [{\"mesh\": \"cube\", \"material\": \"jelly\"}, {\"mesh\": \"cube\", "
        "\"material\": "
        "\"jelly\", \"position\": [0, 1.006, 0]}], \"colliders\": [{\"shape\": \"plane\"}]}";
    const struct stage_options none = STAGE_OPTIONS_NONE;
    static struct scene two;
    struct stage other;
    struct figure figure;
    memset(&other, 0, sizeof other);
    TEST_ASSERT_TRUE_MESSAGE(
        scene_parse(stack, strlen(stack), "stack.json", &two, &pool, &problem) &&
            stage_open(&other, &two, "stack.json", &none, &problem) &&
            figure_open(&figure, &other, VIEW_COLOUR_CONTACT, &problem),
        problem.text);
    for (int i = 0; i < 20; i++) {
        TEST_ASSERT_EQUAL(PIOLA_OK, piola_world_step(other.world, NULL, NULL));
    }
    TEST_ASSERT_TRUE(figure_gather(&figure, &problem) && figure_build(&figure, &problem));
    uint32_t pressed = 0;
    uint32_t touching = 0;
    for (uint32_t c = 0; c < figure.scene.count; c++) {
        const struct render_vertex *corner = &figure.scene.corners[c];
        float y = corner->xyz[1];
        if (y < 0.05f) {
            pressed += corner->value == 1.0f;
        } else if (y > 0.9f && y < 1.1f) {
            touching += corner->value >= 0.5f;
        } else {
            TEST_ASSERT_EQUAL_FLOAT(0.0f, corner->value);
        }
    }
    TEST_ASSERT_TRUE(pressed > 3 && touching > 3);
    figure_close(&figure);
    stage_close(&other);
}

/* What is moved at the same time shares no element: in a body of one cluster all corners of an
 * element have turns of their own, in a body of many those of different clusters have. */
static void test_turns_are_what_may_move_at_once(void)
{
    static const char *const beam =
        "{\"description\": \"a beam\", \"materials\": {\"jelly\": {}}, \"meshes\": {\"beam\": "
        "{\"beam\": {\"tetrahedra\": 9000}, \"cluster_limit\": 1000, \"cluster_size\": 500}}, "
        "\"bodies\": [{\"mesh\": \"beam\", \"material\": \"jelly\"}]}";
    const struct stage_options none = STAGE_OPTIONS_NONE;
    static struct scene many;
    struct stage other;
    memset(&other, 0, sizeof other);
    TEST_ASSERT_TRUE_MESSAGE(scene_parse(beam, strlen(beam), "beam.json", &many, &pool, &problem) &&
                                 stage_open(&other, &many, "beam.json", &none, &problem),
                             problem.text);
    const struct stage_asset *const assets[] = {&stage.assets[0], &other.assets[0]};
    for (int k = 0; k < 2; k++) {
        const struct meshgen *mesh = assets[k]->mesh;
        uint32_t *turns = calloc(mesh->vertex_count, sizeof *turns);
        uint32_t *clusters = calloc(mesh->vertex_count, sizeof *clusters);
        TEST_ASSERT_TRUE(turns != NULL && clusters != NULL);
        TEST_ASSERT_EQUAL(k == 1, assets[k]->stats.vertex_clusters > 1);
        render_values_turn(mesh, assets[k]->asset, turns);
        render_values_cluster(mesh, assets[k]->asset, clusters);
        for (uint32_t i = 0; i < 4 * mesh->tetrahedron_count; i++) {
            for (uint32_t j = i - i % 4; j < i; j++) {
                uint32_t a = mesh->tetrahedra[i];
                uint32_t b = mesh->tetrahedra[j];
                bool apart = k == 0 || clusters[a] != clusters[b];
                TEST_ASSERT_FALSE(apart && turns[a] == turns[b]);
            }
        }
        free(turns);
        free(clusters);
    }
    stage_close(&other);
}

static bool installed(const char *program)
{
    char command[100];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

static void test_real_window_with_real_events(void)
{
    char folder[] = "/tmp/piola-view-XXXXXX";
    char path[200];
    char command[3000];
    size_t bytes = 0;
    if (!installed("Xvfb") || !installed("xdotool")) {
        TEST_IGNORE_MESSAGE("Xvfb and xdotool are not installed");
    }
    if (getenv("PIOLA_HAS_WINDOW") == NULL) {
        TEST_IGNORE_MESSAGE("this build has no window");
    }
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/cube.json", folder);
    FILE *file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL(file);
    fputs(text, file);
    fclose(file);
    snprintf(command, sizeof command, "'%s/tests/view_drive' '%s/app/piola' '%s' '%s'",
             getenv("PIOLA_SOURCE_DIR"), getenv("PIOLA_BUILD_DIR"), path, folder);
    int code = system(command);
    snprintf(path, sizeof path, "%s/log", folder);
    const char *log = file_read(path, 1 << 20, &pool, &bytes, &problem);
    printf("%s\n", log != NULL ? log : problem.text);
    TEST_ASSERT_TRUE_MESSAGE(WIFEXITED(code) && WEXITSTATUS(code) == 0, "the window's exit code");
    TEST_ASSERT_NOT_NULL(strstr(log, "hold cube"));
    const char *force = strstr(log, "let go after ");
    TEST_ASSERT_NOT_NULL(force);
    TEST_ASSERT_TRUE(strtod(force + strlen("let go after "), NULL) > 0.1);
    TEST_ASSERT_NOT_NULL(strstr(log, "piola-001.png"));
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    TEST_ASSERT_EQUAL_INT(0, system(command));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_time_goes_as_fast_as_it_should);
    RUN_TEST(test_pause_single_step_and_beginning_again);
    RUN_TEST(test_looks_cycle_through_all);
    RUN_TEST(test_the_mouse_pulls_with_the_force_it_shows);
    RUN_TEST(test_the_hardest_pull_stays_calm);
    RUN_TEST(test_a_second_button_ends_the_pull);
    RUN_TEST(test_hardness_is_kept_from_pull_to_pull);
    RUN_TEST(test_the_mouse_finds_bodies_on_dense_screens);
    RUN_TEST(test_a_scene_of_many_commands_can_be_pulled);
    RUN_TEST(test_frames_of_joints_and_rods_are_shown);
    RUN_TEST(test_beside_bodies_the_mouse_turns_the_view);
    RUN_TEST(test_colour_by_contact_shows_what_touches);
    RUN_TEST(test_turns_are_what_may_move_at_once);
    RUN_TEST(test_overlay_is_drawn);
    RUN_TEST(test_real_window_with_real_events);
    return UNITY_END();
}
