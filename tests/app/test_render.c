/* test_render.c - what pictures are made of: cameras, surfaces, values, letters, PNG files, films.
 * What is drawn is tested by test_draw.c.
 *
 * covers: app/
 */
#define _POSIX_C_SOURCE 200809L
#include "io/base/file.h"
#include "io/base/memory.h"
#include "io/mesh/compile.h"
#include "io/mesh/shape.h"
#include "movie_pipe.h"
#include "png_file.h"
#include "render_draw.h"
#include "render_surface.h"
#include "render_text.h"
#include "render_values.h"
#include "unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct problem problem;
static struct pool pool;
static char folder[64];
static uint64_t seed;

void setUp(void)
{
    memset(&problem, 0, sizeof problem);
    memset(&pool, 0, sizeof pool);
}

void tearDown(void)
{
    pool_free(&pool);
}

static uint32_t random_bits(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33);
}

static float random_unit(void)
{
    return (float)(random_bits() & 0xffffff) / 16777216.0f;
}

static const char *in_folder(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* ---- cameras ---- */

static struct box random_box(void)
{
    struct box box;
    for (int i = 0; i < 3; i++) {
        box.least[i] = 20.0f * random_unit() - 10.0f;
        box.most[i] = box.least[i] + 0.01f + 5.0f * random_unit();
    }
    return box;
}

static void test_fitted_camera_shows_the_whole_box_and_not_much_more(void)
{
    for (int round = 0; round < 200; round++) {
        struct box box = random_box();
        float aspect = 0.4f + 2.5f * random_unit();
        float most = 0.0f;
        struct camera camera = camera_fit(&box, 6.28f * random_unit(), 1.5f * random_unit() - 0.2f,
                                          0.2f + random_unit(), aspect);
        for (int corner = 0; corner < 8; corner++) {
            float xy[2];
            float p[3];
            for (int i = 0; i < 3; i++) {
                p[i] = (corner >> i) & 1 ? box.most[i] : box.least[i];
            }
            TEST_ASSERT_TRUE(camera_project(&camera, aspect, p, xy));
            most = fmaxf(most, fmaxf(fabsf(xy[0]), fabsf(xy[1])));
        }
        TEST_ASSERT_TRUE(most < 0.95f);
        TEST_ASSERT_TRUE(most > 0.7f);
    }
}

static void test_ray_goes_through_what_is_projected(void)
{
    for (int round = 0; round < 200; round++) {
        struct box box = random_box();
        float xy[2];
        float ray[3];
        float point[3];
        float again[2];
        struct camera camera = camera_fit(&box, 6.28f * random_unit(), 1.0f, 0.6f, 1.5f);
        xy[0] = 1.8f * random_unit() - 0.9f;
        xy[1] = 1.8f * random_unit() - 0.9f;
        camera_ray(&camera, 1.5f, xy[0], xy[1], ray);
        for (int i = 0; i < 3; i++) {
            point[i] = camera.from[i] + 3.0f * ray[i];
        }
        TEST_ASSERT_TRUE(camera_project(&camera, 1.5f, point, again));
        TEST_ASSERT_FLOAT_WITHIN(2e-3f, xy[0], again[0]);
        TEST_ASSERT_FLOAT_WITHIN(2e-3f, xy[1], again[1]);
    }
}

static void test_orbit_keeps_the_distance_and_never_turns_over(void)
{
    struct box box = {{-1, -1, -1}, {1, 1, 1}};
    struct camera camera = camera_fit(&box, 0.3f, 0.3f, 0.5f, 1.0f);
    float to[3];
    float before = 0.0f;
    for (int round = 0; round < 500; round++) {
        for (int i = 0; i < 3; i++) {
            to[i] = camera.from[i] - camera.at[i];
        }
        before = before > 0.0f ? before : vec_length(to);
        TEST_ASSERT_FLOAT_WITHIN(1e-2f * before, before, vec_length(to));
        TEST_ASSERT_TRUE(hypotf(to[0], to[2]) > 0.01f * before);
        camera_orbit(&camera, random_unit() - 0.5f, 4.0f * random_unit() - 2.0f);
    }
}

/* ---- surfaces ---- */

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

static void test_a_box_has_sharp_edges_and_a_ball_has_none(void)
{
    const double size[3] = {1, 2, 3};
    const uint32_t cells[3] = {2, 3, 4};
    struct meshgen mesh;
    struct surface_corners surface;
    uint32_t *triangles;
    uint32_t count;
    TEST_ASSERT_TRUE(meshgen_box(&mesh, size, cells));
    boundary(&mesh, &triangles, &count);
    float *rest = rest_of(&mesh);
    TEST_ASSERT_TRUE(surface_corners_find(&surface, rest, mesh.vertex_count, triangles, count, 0.7f,
                                          &pool, &problem));
    /* Every face of the box has its own grid of normals. */
    TEST_ASSERT_EQUAL_UINT32(2 * (3 * 4 + 3 * 5 + 4 * 5), surface.normal_count);
    free(rest);
    free(triangles);
    meshgen_free(&mesh);
    TEST_ASSERT_TRUE(meshgen_ball(&mesh, 0.5, 3000));
    boundary(&mesh, &triangles, &count);
    rest = rest_of(&mesh);
    TEST_ASSERT_TRUE(surface_corners_find(&surface, rest, mesh.vertex_count, triangles, count, 0.7f,
                                          &pool, &problem));
    TEST_ASSERT_EQUAL_UINT32(2 + count / 2, surface.normal_count);
    free(rest);
    free(triangles);
    meshgen_free(&mesh);
}

static void test_a_surface_with_a_bad_index_is_refused(void)
{
    const float xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t triangle[3] = {0, 1, 3};
    struct surface_corners surface;
    TEST_ASSERT_FALSE(surface_corners_find(&surface, xyz, 3, triangle, 1, 0.7f, &pool, &problem));
    TEST_ASSERT_NOT_NULL(strstr(problem.text, "vertex 3 of 3"));
    TEST_ASSERT_FALSE(
        surface_corners_find(&surface, xyz, 3, triangle, UINT32_MAX / 2, 0.7f, &pool, &problem));
}

/* ---- values ---- */

/* x -> a x, then turned about z by `turn`. */
static void deform(const float *rest, uint32_t count, const float a[3], float turn, float *xyz)
{
    for (size_t v = 0; v < count; v++) {
        float x = rest[3 * v] * a[0];
        float y = rest[3 * v + 1] * a[1];
        xyz[3 * v] = x * cosf(turn) - y * sinf(turn) + 3.0f;
        xyz[3 * v + 1] = x * sinf(turn) + y * cosf(turn);
        xyz[3 * v + 2] = rest[3 * v + 2] * a[2];
    }
}

struct drawn {
    const piola_asset *asset;
    void *block;
    piola_world *world;
    piola_body body;
};

static void place(struct drawn *drawn, const struct meshgen *mesh, const piola_material *material)
{
    piola_mesh_desc desc = piola_mesh_desc_default();
    piola_world_desc world = piola_world_desc_default();
    piola_body_desc body = piola_body_desc_default();
    size_t bytes = 0;
    desc.vertices = mesh->vertices;
    desc.vertex_count = mesh->vertex_count;
    desc.tetrahedra = mesh->tetrahedra;
    desc.tetrahedron_count = mesh->tetrahedron_count;
    desc.triangles = mesh->tetrahedron_count > 0 ? NULL : mesh->triangles;
    desc.triangle_count = mesh->tetrahedron_count > 0 ? 0 : mesh->triangle_count;
    desc.materials = material;
    desc.material_count = 1;
    TEST_ASSERT_TRUE(compile_asset(&desc, "a mesh", &drawn->asset, &problem));
    body.asset = drawn->asset;
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_world_size(&world, &bytes, NULL));
    drawn->block = pool_block(bytes, "a world", &problem);
    TEST_ASSERT_EQUAL(PIOLA_OK,
                      piola_world_create(&world, drawn->block, bytes, &drawn->world, NULL));
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_body_create(drawn->world, &body, &drawn->body, NULL));
}

/* A body stretched by `a` and turned: the value of every vertex, which must be one. */
static float value_of(const struct meshgen *mesh, const piola_material *material, const float a[3],
                      enum render_measure measure)
{
    struct drawn drawn;
    float *rest = rest_of(mesh);
    float *xyz = rest_of(mesh);
    float *values = calloc(mesh->vertex_count, sizeof *values);
    double *sums = calloc(mesh->vertex_count, sizeof *sums);
    place(&drawn, mesh, material);
    deform(rest, mesh->vertex_count, a, 0.7f, xyz);
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_body_set_positions(drawn.world, drawn.body, 0,
                                                         mesh->vertex_count, xyz, NULL));
    render_values_elements(mesh, drawn.world, drawn.body, measure, sums, values);
    float value = values[0];
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        TEST_ASSERT_FLOAT_WITHIN(1e-3f * fabsf(value) + 1e-5f, value, values[v]);
    }
    memory_give(drawn.block);
    compile_free(drawn.asset);
    free(sums);
    free(values);
    free(xyz);
    free(rest);
    return value;
}

static void test_strain_and_stress_have_their_closed_forms(void)
{
    static const piola_model models[] = {PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_MODEL_STVK,
                                         PIOLA_MODEL_NEO_HOOKEAN};
    const uint32_t cells[3] = {2, 2, 2};
    const float plain[3] = {1, 1, 1};
    const float pulled[3] = {1.5f, 1, 1};
    /* Pulled a little and free to contract, every isotropic material has the stress E strain. */
    const float little[3] = {1.001f, 1.0f - 0.3e-3f, 1.0f - 0.3e-3f};
    struct meshgen solid;
    struct meshgen sheet;
    TEST_ASSERT_TRUE(meshgen_box(&solid, (const double[3]){1, 1, 1}, cells));
    TEST_ASSERT_TRUE(meshgen_cloth(&sheet, (const double[2]){1, 1}, cells, false));
    for (int m = 0; m < 3; m++) {
        piola_material material = piola_material_default();
        material.model = models[m];
        material.young = 1e6f;
        material.poisson = 0.3f;
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.0f, value_of(&solid, &material, plain, RENDER_STRAIN));
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.625f, value_of(&solid, &material, pulled, RENDER_STRAIN));
        TEST_ASSERT_FLOAT_WITHIN(20.0f, 1000.0f,
                                 value_of(&solid, &material, little, RENDER_STRESS));
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.625f, value_of(&sheet, &material, pulled, RENDER_STRAIN));
        material.young = 1e3f;
        material.thickness = 1e-3f;
        TEST_ASSERT_FLOAT_WITHIN(0.02f, 1.0f, value_of(&sheet, &material, little, RENDER_STRESS));
    }
    meshgen_free(&solid);
    meshgen_free(&sheet);
}

/* ---- letters ---- */

static void test_letters_stay_on_the_canvas(void)
{
    enum { W = 60, H = 40, GUARD = 600 };
    static uint8_t bytes[GUARD + W * H * 4 + GUARD];
    const struct canvas canvas = {bytes + GUARD, W, H, 4};
    const struct ink ink = {{255, 255, 255}, 1.0f};
    char text[100];
    for (int round = 0; round < 200; round++) {
        size_t letters = random_bits() % 20;
        for (size_t i = 0; i < letters; i++) {
            text[i] = (char)(1 + random_bits() % 255);
        }
        text[letters] = 0;
        float x = 300.0f * random_unit() - 150.0f;
        float y = 300.0f * random_unit() - 150.0f;
        float height = 60.0f * random_unit();
        float width = canvas_text(&canvas, x, y, height, ink, text);
        TEST_ASSERT_FLOAT_WITHIN(1e-2f + 1e-4f * width, canvas_text_width(height, text), width);
        const float far[2] = {1e9f * (random_unit() - 0.5f), y};
        const float from[2] = {x, y};
        canvas_line(&canvas, from, far, 3.0f, ink);
        canvas_box(&canvas, from, far, 4.0f, ink);
    }
    for (int i = 0; i < GUARD; i++) {
        TEST_ASSERT_EQUAL_UINT8(0, bytes[i]);
        TEST_ASSERT_EQUAL_UINT8(0, bytes[GUARD + W * H * 4 + i]);
    }
}

static void test_every_letter_differs(void)
{
    enum { SIDE = 32 };
    static uint8_t drawn[95][SIDE * SIDE * 3];
    const struct ink ink = {{255, 255, 255}, 1.0f};
    for (int c = 33; c < 127; c++) {
        const struct canvas canvas = {drawn[c - 32], SIDE, SIDE, 3};
        const char text[2] = {(char)c, 0};
        canvas_text(&canvas, 8.0f, 22.0f, 14.0f, ink, text);
        for (int d = 32; d < c; d++) {
            TEST_ASSERT_TRUE_MESSAGE(memcmp(drawn[c - 32], drawn[d - 32], sizeof drawn[0]) != 0,
                                     text);
        }
    }
}

/* ---- files ---- */

static void test_png_comes_back_as_it_was(void)
{
    for (int round = 0; round < 20; round++) {
        struct picture a;
        struct picture b;
        uint32_t width = 1 + random_bits() % 70;
        uint32_t height = 1 + random_bits() % 70;
        TEST_ASSERT_TRUE(picture_make(&a, width, height, &problem));
        for (size_t i = 0; i < 3 * (size_t)width * height; i++) {
            a.rgb[i] = (uint8_t)random_bits();
        }
        TEST_ASSERT_TRUE(png_file_write(&a, in_folder("a.png"), &problem));
        TEST_ASSERT_TRUE_MESSAGE(png_file_read(&b, in_folder("a.png"), &problem), problem.text);
        TEST_ASSERT_EQUAL_UINT32(width, b.width);
        TEST_ASSERT_EQUAL_UINT32(height, b.height);
        TEST_ASSERT_EQUAL_MEMORY(a.rgb, b.rgb, 3 * (size_t)width * height);
        picture_free(&a);
        picture_free(&b);
    }
}

static void test_damaged_png_is_refused_or_read_but_never_worse(void)
{
    struct picture a;
    size_t count = 0;
    uint32_t refused = 0;
    TEST_ASSERT_TRUE(picture_make(&a, 40, 30, &problem));
    for (size_t i = 0; i < 40 * 30 * 3; i++) {
        a.rgb[i] = (uint8_t)random_bits();
    }
    TEST_ASSERT_TRUE(png_file_write(&a, in_folder("a.png"), &problem));
    picture_free(&a);
    const char *good = file_read(in_folder("a.png"), 1 << 20, &pool, &count, &problem);
    TEST_ASSERT_NOT_NULL(good);
    for (int round = 0; round < 300; round++) {
        char *bad = malloc(count);
        size_t length = round % 3 == 0 ? random_bits() % count : count;
        TEST_ASSERT_NOT_NULL(bad);
        memcpy(bad, good, count);
        bad[random_bits() % count] ^= (char)(1 + random_bits() % 255);
        FILE *file = fopen(in_folder("b.png"), "wb");
        TEST_ASSERT_NOT_NULL(file);
        TEST_ASSERT_EQUAL(length, fwrite(bad, 1, length, file));
        fclose(file);
        free(bad);
        memset(&problem, 0, sizeof problem);
        struct picture b;
        if (!png_file_read(&b, in_folder("b.png"), &problem)) {
            refused++;
            TEST_ASSERT_NOT_NULL(strstr(problem.text, "b.png"));
        }
        picture_free(&b);
    }
    TEST_ASSERT_TRUE(refused > 200);
}

/* A file of a few bytes that says it is a picture of 2^31 x 2^31 pixels, or just over what is
 * taken. */
static void test_hostile_sizes_are_refused_before_memory_is_taken(void)
{
    static const unsigned char head[] = {0x89, 'P', 'N',  'G', 13,  10,  26, 10, 0,    0,
                                         0,    13,  'I',  'H', 'D', 'R', 0,  0,  0x40, 1,
                                         0,    0,   0x40, 1,   8,   2,   0,  0,  0};
    struct picture picture;
    FILE *file = fopen(in_folder("huge.png"), "wb");
    TEST_ASSERT_NOT_NULL(file);
    fwrite(head, 1, sizeof head, file);
    /* The checksum of that header. */
    uint32_t crc = 0xffffffffu;
    for (size_t i = 12; i < sizeof head; i++) {
        crc ^= head[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0u);
        }
    }
    crc = ~crc;
    for (int shift = 24; shift >= 0; shift -= 8) {
        fputc((int)((crc >> shift) & 255u), file);
    }
    static const unsigned char data[] = {0, 0, 0, 0, 'I', 'D', 'A', 'T', 0x35, 0xaf, 0x06, 0x1e};
    fwrite(data, 1, sizeof data, file);
    fclose(file);
    TEST_ASSERT_FALSE(png_file_read(&picture, in_folder("huge.png"), &problem));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(problem.text, "16385 x 16385"), problem.text);
    TEST_ASSERT_FALSE(picture_make(&picture, 0, 5, &problem));
    TEST_ASSERT_FALSE(picture_make(&picture, UINT32_MAX, UINT32_MAX, &problem));
    TEST_ASSERT_FALSE(render_size_good(RENDER_SIDE_MOST + 1, 100, &problem));
    TEST_ASSERT_FALSE(render_size_good(100, RENDER_SIDE_LEAST - 1, &problem));
    TEST_ASSERT_TRUE(render_size_good(RENDER_SIDE_MOST, RENDER_SIDE_LEAST, &problem));
}

/* ---- films ---- */

static void send_five_pictures(struct movie *movie, struct picture *picture)
{
    TEST_ASSERT_TRUE(picture_make(picture, 65, 33, &problem));
    TEST_ASSERT_TRUE_MESSAGE(movie_open(movie, in_folder("a.mp4"), 65, 33, 25.0, &problem),
                             problem.text);
    for (int i = 0; i < 5; i++) {
        memset(picture->rgb, 50 * i, 65 * 33 * 3);
        TEST_ASSERT_TRUE_MESSAGE(movie_add(movie, picture, &problem), problem.text);
    }
}

/* By a program in the tests that stands in for ffmpeg: what it got is the file. */
static void test_films_are_sent_whole(void)
{
    struct movie movie;
    struct picture picture;
    size_t count = 0;
    char path[5000];
    char *before = strdup(getenv("PATH"));
    snprintf(path, sizeof path, "%.2000s/tests/stub:%.2900s", getenv("PIOLA_SOURCE_DIR"), before);
    setenv("PATH", path, 1);
    setenv("STUB_LOG", in_folder("log"), 1);
    send_five_pictures(&movie, &picture);
    TEST_ASSERT_TRUE_MESSAGE(movie_commit(&movie, &problem), problem.text);
    const char *bytes = file_read(in_folder("a.mp4"), 1 << 20, &pool, &count, &problem);
    TEST_ASSERT_NOT_NULL(bytes);
    TEST_ASSERT_EQUAL(5 * 65 * 33 * 3, count);
    for (size_t i = 0; i < count; i++) {
        TEST_ASSERT_EQUAL_UINT8(50 * (i / (65 * 33 * 3)), bytes[i]);
    }
    /* Dropped: no file stays. */
    TEST_ASSERT_TRUE(movie_open(&movie, in_folder("b.mp4"), 65, 33, 25.0, &problem));
    TEST_ASSERT_TRUE(movie_add(&movie, &picture, &problem));
    movie_drop(&movie);
    TEST_ASSERT_NOT_EQUAL(0, access(in_folder("b.mp4"), F_OK));
    TEST_ASSERT_NOT_EQUAL(0, access(in_folder("b.mp4.partial"), F_OK));
    TEST_ASSERT_FALSE(movie_open(&movie, in_folder("c.mp4"), 65, 33, 0.0, &problem));
    picture_free(&picture);
    setenv("PATH", before, 1);
    free(before);
}

/* Run where ffmpeg is installed. */
static void test_ffmpeg_makes_a_film(void)
{
    struct movie movie;
    struct picture picture;
    size_t count = 0;
    send_five_pictures(&movie, &picture);
    TEST_ASSERT_TRUE_MESSAGE(movie_commit(&movie, &problem), problem.text);
    const char *bytes = file_read(in_folder("a.mp4"), 1 << 20, &pool, &count, &problem);
    TEST_ASSERT_NOT_NULL(bytes);
    TEST_ASSERT_TRUE(count > 500);
    TEST_ASSERT_EQUAL_MEMORY("ftyp", bytes + 4, 4);
    picture_free(&picture);
}

static void test_without_ffmpeg_films_say_what_to_install(void)
{
    char *path = strdup(getenv("PATH"));
    TEST_ASSERT_NOT_NULL(path);
    setenv("PATH", "/nonexistent", 1);
    TEST_ASSERT_FALSE(movie_possible(&problem));
    TEST_ASSERT_NOT_NULL(strstr(problem.text, "apt-get install ffmpeg"));
    setenv("PATH", path, 1);
    free(path);
}

int main(void)
{
    const char *given = getenv("PIOLA_SEED");
    seed = given != NULL ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
    printf("PIOLA_SEED=%llu\n", (unsigned long long)seed);
    snprintf(folder, sizeof folder, "/tmp/piola-render-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    UNITY_BEGIN();
    RUN_TEST(test_fitted_camera_shows_the_whole_box_and_not_much_more);
    RUN_TEST(test_ray_goes_through_what_is_projected);
    RUN_TEST(test_orbit_keeps_the_distance_and_never_turns_over);
    RUN_TEST(test_a_box_has_sharp_edges_and_a_ball_has_none);
    RUN_TEST(test_a_surface_with_a_bad_index_is_refused);
    RUN_TEST(test_strain_and_stress_have_their_closed_forms);
    RUN_TEST(test_letters_stay_on_the_canvas);
    RUN_TEST(test_every_letter_differs);
    RUN_TEST(test_png_comes_back_as_it_was);
    RUN_TEST(test_damaged_png_is_refused_or_read_but_never_worse);
    RUN_TEST(test_hostile_sizes_are_refused_before_memory_is_taken);
    RUN_TEST(test_films_are_sent_whole);
    if (movie_possible(&problem)) {
        RUN_TEST(test_ffmpeg_makes_a_film);
    } else {
        printf("ffmpeg is not installed: there is no test of its own films\n");
    }
    RUN_TEST(test_without_ffmpeg_films_say_what_to_install);
    static const char *const left[] = {"a.png", "b.png", "huge.png", "a.mp4", "log"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        remove(in_folder(left[i]));
    }
    rmdir(folder);
    return UNITY_END();
}
