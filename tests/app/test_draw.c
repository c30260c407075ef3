/* test_draw.c - drawn pictures next to stored ones (tests/images/, made with PIOLA_UPDATE_IMAGES=1
 * and looked at), shadows, the empty scene. Ignored where there is no OpenGL.
 *
 * covers: app/render_draw.c
 */
#define _POSIX_C_SOURCE 200809L
#include "io/mesh/shape.h"
#include "png_file.h"
#include "render_draw.h"
#include "render_gl.h"
#include "render_palette.h"
#include "unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct problem problem;
static struct pool pool;

void setUp(void)
{
    memset(&problem, 0, sizeof problem);
    memset(&pool, 0, sizeof pool);
}

void tearDown(void)
{
    pool_free(&pool);
}

static void boundary(const struct meshgen *mesh, uint32_t **triangles, uint32_t *count)
{
    *triangles = shape_surface(mesh, count);
    TEST_ASSERT_NOT_NULL(*triangles);
}

static float *rest_of(const struct meshgen *mesh)
{
    float *rest = malloc(3 * sizeof *rest * mesh->vertex_count);
    TEST_ASSERT_NOT_NULL(rest);
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        rest[i] = (float)mesh->vertices[i];
    }
    return rest;
}

#define WIDTH  192u
#define HEIGHT 108u

static void stand(float *xyz, uint32_t count, float x, float y, float z)
{
    for (size_t v = 0; v < count; v++) {
        xyz[3 * v] += x;
        xyz[3 * v + 1] += y;
        xyz[3 * v + 2] += z;
    }
}

/* Adds one mesh, moved; coloured by height when `values`. */
static void add(struct render_scene *scene, struct meshgen *mesh, const float at[3], uint32_t body,
                bool by_values)
{
    struct surface_corners surface;
    struct render_dress dress = {0};
    uint32_t *triangles;
    uint32_t count;
    boundary(mesh, &triangles, &count);
    float *rest = rest_of(mesh);
    float *values = calloc(mesh->vertex_count, sizeof *values);
    TEST_ASSERT_NOT_NULL(values);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        values[v] = 2.0f * rest[3 * v];
    }
    TEST_ASSERT_TRUE(surface_corners_find(&surface, rest, mesh->vertex_count, triangles, count,
                                          0.7f, &pool, &problem));
    stand(rest, mesh->vertex_count, at[0], at[1], at[2]);
    render_palette_body(body, dress.colour);
    dress.values = by_values ? values : NULL;
    TEST_ASSERT_TRUE(render_scene_add(scene, &surface, rest, &dress, &problem));
    free(values);
    free(rest);
    free(triangles);
    meshgen_free(mesh);
}

static void still_life(struct render_scene *scene)
{
    const double size[3] = {0.5, 0.2, 0.2};
    const uint32_t cells[3] = {5, 2, 2};
    const float box_at[3] = {-0.6f, 0.0f, 0.0f};
    const float ball_at[3] = {0.35f, 0.45f, 0.0f};
    const float torus_at[3] = {0.05f, 0.06f, 0.45f};
    struct meshgen mesh;
    TEST_ASSERT_TRUE(meshgen_box(&mesh, size, cells));
    add(scene, &mesh, box_at, 0, true);
    TEST_ASSERT_TRUE(meshgen_ball(&mesh, 0.2, 2000));
    add(scene, &mesh, ball_at, 1, false);
    TEST_ASSERT_TRUE(meshgen_torus(&mesh, 0.18, 0.06, 2000));
    add(scene, &mesh, torus_at, 2, false);
}

/* Alike: few pixels differ much, and on average they hardly differ. Edges may, between drivers. */
static void compare_with_stored(const struct picture *picture, const char *name)
{
    char path[1024];
    struct picture stored;
    double sum = 0.0;
    uint32_t far = 0;
    snprintf(path, sizeof path, "%s/tests/images/%s.png", getenv("PIOLA_SOURCE_DIR"), name);
    if (getenv("PIOLA_UPDATE_IMAGES") != NULL) {
        TEST_ASSERT_TRUE_MESSAGE(png_file_write(picture, path, &problem), problem.text);
        return;
    }
    TEST_ASSERT_TRUE_MESSAGE(png_file_read(&stored, path, &problem), problem.text);
    TEST_ASSERT_EQUAL_UINT32(stored.width, picture->width);
    TEST_ASSERT_EQUAL_UINT32(stored.height, picture->height);
    size_t count = 3 * (size_t)stored.width * stored.height;
    for (size_t i = 0; i < count; i++) {
        int difference = abs((int)stored.rgb[i] - (int)picture->rgb[i]);
        sum += difference;
        far += difference > 24;
    }
    picture_free(&stored);
    printf("%s: mean difference %.3f, far %u of %zu\n", name, sum / (double)count, far, count);
    TEST_ASSERT_TRUE(sum / (double)count < 1.5);
    TEST_ASSERT_TRUE((double)far < 0.005 * (double)count);
}

static int brightness(const struct picture *picture, uint32_t x, uint32_t y)
{
    const uint8_t *pixel = picture->rgb + 3 * ((size_t)y * picture->width + x);
    return pixel[0] + pixel[1] + pixel[2];
}

static struct render_context context;
static struct render *render;
static bool gl_tried;

/* Present under the address sanitizer. An unloaded driver's memory looks lost to its leak check, so
 * the driver stays loaded then. */
extern void __lsan_disable(void) __attribute__((weak));

/* Ignores the test where there is no OpenGL, and says why. One context serves all tests. */
static void need_gl(void)
{
    if (!gl_tried) {
        gl_tried = true;
        if (render_context_open(&context, &problem)) {
            render = render_create(&problem);
            TEST_ASSERT_NOT_NULL_MESSAGE(render, problem.text);
            printf("drawn by %s\n", (const char *)glGetString(GL_RENDERER));
        }
    }
    if (render == NULL) {
        TEST_IGNORE_MESSAGE(problem.text[0] != 0 ? problem.text : "no OpenGL here");
    }
}

static void draw_still_life(struct picture *picture, float wire, bool ground, uint32_t passes)
{
    struct render_scene scene = {0};
    const struct box box = {{-0.65f, 0.0f, -0.25f}, {0.6f, 0.65f, 0.7f}};
    struct camera camera = camera_fit(&box, 0.4f, 0.35f, 0.5f, (float)WIDTH / (float)HEIGHT);
    struct render_look look = render_look_for(&camera);
    look.has_ground = ground;
    look.grid = ground ? 0.1f : 0.0f;
    look.wire = wire;
    still_life(&scene);
    TEST_ASSERT_TRUE(picture_make(picture, WIDTH, HEIGHT, &problem));
    TEST_ASSERT_TRUE(render_resize(render, WIDTH, HEIGHT, &problem));
    render_picture(render, &scene, &camera, &look, passes, picture->rgb);
    TEST_ASSERT_EQUAL_HEX(0, glGetError());
    render_scene_free(&scene);
}

static void test_still_life_looks_as_it_did(void)
{
    struct picture picture;
    need_gl();
    draw_still_life(&picture, 0.0f, true, 32);
    compare_with_stored(&picture, "still_life");
    picture_free(&picture);
    draw_still_life(&picture, 0.5f, false, 32);
    compare_with_stored(&picture, "still_life_edges");
    picture_free(&picture);
}

static void test_equal_input_gives_equal_pictures(void)
{
    struct picture a;
    struct picture b;
    need_gl();
    draw_still_life(&a, 0.0f, true, 4);
    draw_still_life(&b, 0.0f, true, 4);
    TEST_ASSERT_EQUAL_MEMORY(a.rgb, b.rgb, 3 * (size_t)WIDTH * HEIGHT);
    picture_free(&a);
    picture_free(&b);
}

/* A plate above the ground, seen from above: it shadows the ground away from the light, softly. */
static void test_light_casts_a_soft_shadow_on_the_ground(void)
{
    const double size[3] = {0.4, 0.02, 0.4};
    const uint32_t cells[3] = {2, 1, 2};
    const float at[3] = {-0.2f, 0.4f, -0.2f};
    struct render_scene scene = {0};
    struct meshgen mesh;
    struct picture picture;
    need_gl();
    struct camera camera = {.from = {0, 4, 0.01f}, .at = {0, 0, 0}, .up = {0, 1, 0}, .field = 0.5f};
    struct render_look look = {.has_ground = true, .key_direction = {-1, 1, 0}};
    TEST_ASSERT_TRUE(meshgen_box(&mesh, size, cells));
    add(&scene, &mesh, at, 0, false);
    TEST_ASSERT_TRUE(picture_make(&picture, 100, 100, &problem));
    TEST_ASSERT_TRUE(render_resize(render, 100, 100, &problem));
    render_picture(render, &scene, &camera, &look, 48, picture.rgb);
    /* 1 m of ground is about 49 pixels; the shadow's middle lies 0.4 m to the right. */
    int shadow = brightness(&picture, 72, 50);
    int open = brightness(&picture, 8, 50);
    TEST_ASSERT_TRUE(shadow < open - 100);
    int last = shadow;
    int steps = 0;
    for (uint32_t x = 72; x < 95; x++) {
        int now = brightness(&picture, x, 50);
        TEST_ASSERT_TRUE(now >= last - 12);
        steps += now > shadow + 20 && now < open - 40;
        last = now;
    }
    TEST_ASSERT_TRUE(steps >= 3);
    picture_free(&picture);
    render_scene_free(&scene);
}

/* The top of a box seen from the side, brightness of its middle; with or without a plate above it.
 * The key light comes in from the side, below the plate. */
static int top_of_box(bool plate)
{
    const double size[3] = {0.4, 0.2, 0.4};
    const double plate_size[3] = {0.8, 0.02, 0.6};
    const uint32_t cells[3] = {2, 1, 2};
    const float at[3] = {-0.2f, 0.0f, -0.2f};
    const float above[3] = {-0.4f, 0.45f, -0.3f};
    struct render_scene scene = {0};
    struct meshgen mesh;
    struct picture picture;
    struct camera camera = {
        .from = {0, 0.6f, 3}, .at = {0, 0.2f, 0.1f}, .up = {0, 1, 0}, .field = 0.4f};
    struct render_look look = {.has_ground = true, .key_direction = {-1, 0.1f, 0}};
    TEST_ASSERT_TRUE(meshgen_box(&mesh, size, cells));
    add(&scene, &mesh, at, 0, false);
    if (plate) {
        TEST_ASSERT_TRUE(meshgen_box(&mesh, plate_size, cells));
        add(&scene, &mesh, above, 1, false);
    }
    TEST_ASSERT_TRUE(picture_make(&picture, 100, 100, &problem));
    TEST_ASSERT_TRUE(render_resize(render, 100, 100, &problem));
    render_picture(render, &scene, &camera, &look, 32, picture.rgb);
    int bright = brightness(&picture, 50, 50);
    picture_free(&picture);
    render_scene_free(&scene);
    return bright;
}

static void test_a_body_takes_the_sky_from_another(void)
{
    need_gl();
    int open = top_of_box(false);
    int covered = top_of_box(true);
    printf("open %d, covered %d\n", open, covered);
    TEST_ASSERT_TRUE(covered < open - 30);
}

static void test_an_empty_scene_is_a_backdrop(void)
{
    struct render_scene scene = {0};
    struct picture picture;
    need_gl();
    struct box box = box_empty();
    struct camera camera = camera_fit(&box, 0.0f, 0.2f, 0.5f, 1.0f);
    struct render_look look = render_look_for(&camera);
    TEST_ASSERT_TRUE(picture_make(&picture, 32, 32, &problem));
    TEST_ASSERT_TRUE(render_resize(render, 32, 32, &problem));
    render_picture(render, &scene, &camera, &look, 2, picture.rgb);
    TEST_ASSERT_TRUE(brightness(&picture, 16, 16) > 600);
    TEST_ASSERT_EQUAL_HEX(0, glGetError());
    picture_free(&picture);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_still_life_looks_as_it_did);
    RUN_TEST(test_equal_input_gives_equal_pictures);
    RUN_TEST(test_light_casts_a_soft_shadow_on_the_ground);
    RUN_TEST(test_a_body_takes_the_sky_from_another);
    RUN_TEST(test_an_empty_scene_is_a_backdrop);
    render_destroy(render);
    if (__lsan_disable == NULL) {
        render_context_close(&context);
    }
    return UNITY_END();
}
