/* test_io_mesh.c - meshes of piola_io by its public header alone: read, made, written, refused.
 * covers: io/api/api.c io/api/api_mesh.c io/api/api_make.c io/base/memory.c io/mesh/compile.c */
#define _POSIX_C_SOURCE 200809L
#include "failing.h"
#include "fixture.h"
#include "unity.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static piola_io_error error;
static piola_io_mesh *mesh;
static char folder[64];

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                  "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

void setUp(void)
{
    memset(&error, 0x55, sizeof error);
    mesh = NULL;
}

void tearDown(void)
{
    piola_io_mesh_free(mesh);
}

static void says(piola_io_status expected, piola_io_status status, const char *text)
{
    TEST_ASSERT_EQUAL_MESSAGE(expected, status, error.text);
    TEST_ASSERT_EQUAL(expected, error.status);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, text), error.text);
    TEST_ASSERT_NULL(mesh);
}

static const char *in_folder(const char *name)
{
    static char path[2][200];
    static int turn;
    turn ^= 1;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    TEST_ASSERT_NOT_NULL(file);
    fputs(text, file);
    TEST_ASSERT_EQUAL(0, fclose(file));
}

/* ---- refusals ---- */

static void test_every_status_has_a_text(void)
{
    for (int i = 0; i < PIOLA_IO_STATUS_COUNT; ++i)
        TEST_ASSERT_GREATER_THAN(3, strlen(piola_io_status_text((piola_io_status)i)));
    TEST_ASSERT_EQUAL_STRING("unknown status", piola_io_status_text(PIOLA_IO_STATUS_COUNT));
    TEST_ASSERT_EQUAL_STRING("unknown status", piola_io_status_text((piola_io_status)-1));
}

static void test_null_is_refused_by_name(void)
{
    const piola_io_box_desc box = piola_io_box_desc_default();
    const piola_mesh_desc desc = piola_mesh_desc_default();
    const piola_asset *asset = NULL;
    says(PIOLA_IO_ERROR_NULL, piola_io_mesh_read(NULL, NULL, &mesh, &error), "path");
    says(PIOLA_IO_ERROR_NULL, piola_io_mesh_read("a.obj", NULL, NULL, &error), "mesh");
    says(PIOLA_IO_ERROR_NULL, piola_io_mesh_parse(NULL, 1, "a.obj", NULL, &mesh, &error), "data");
    says(PIOLA_IO_ERROR_NULL, piola_io_mesh_parse("", 0, NULL, NULL, &mesh, &error), "name");
    says(PIOLA_IO_ERROR_NULL, piola_io_make_box(NULL, NULL, &mesh, &error), "desc");
    says(PIOLA_IO_ERROR_NULL, piola_io_make_ball(NULL, NULL, &mesh, &error), "desc");
    says(PIOLA_IO_ERROR_NULL, piola_io_make_capsule(NULL, NULL, &mesh, &error), "desc");
    says(PIOLA_IO_ERROR_NULL, piola_io_make_sheet(NULL, NULL, &mesh, &error), "desc");
    says(PIOLA_IO_ERROR_NULL, piola_io_make_rod(NULL, NULL, &mesh, &error), "desc");
    says(PIOLA_IO_ERROR_NULL, piola_io_make_box(&box, NULL, NULL, &error), "mesh");
    says(PIOLA_IO_ERROR_NULL, piola_io_mesh_write(NULL, "a.obj", &error), "mesh");
    says(PIOLA_IO_ERROR_NULL, piola_io_mesh_inspect(NULL, NULL, &error), "mesh");
    says(PIOLA_IO_ERROR_NULL, piola_io_asset_make(NULL, NULL, &asset, &error), "mesh");
    says(PIOLA_IO_ERROR_NULL, piola_io_asset_make(&desc, NULL, NULL, &error), "asset");
    TEST_ASSERT_EQUAL(PIOLA_IO_ERROR_NULL, piola_io_mesh_read(NULL, NULL, &mesh, NULL));
    TEST_ASSERT_EQUAL(0, piola_io_mesh_contents(NULL).vertex_count);
    TEST_ASSERT_EQUAL(0, piola_io_mesh_describe(NULL).vertex_count);
    piola_io_mesh_free(NULL);
    piola_io_asset_free(NULL, NULL);
}

static void test_what_was_never_begun_is_refused(void)
{
    const piola_io_mesh_options options = {0};
    const piola_io_box_desc none = {0}, box = piola_io_box_desc_default();
    const piola_io_ball_desc ball = {0};
    const piola_io_capsule_desc capsule = {0};
    const piola_io_sheet_desc sheet = {0};
    const piola_io_rod_desc rod = {0};
    says(PIOLA_IO_ERROR_COOKIE, piola_io_make_box(&none, NULL, &mesh, &error),
         "piola_io_box_desc_default()");
    says(PIOLA_IO_ERROR_COOKIE, piola_io_make_ball(&ball, NULL, &mesh, &error), "ball");
    says(PIOLA_IO_ERROR_COOKIE, piola_io_make_capsule(&capsule, NULL, &mesh, &error), "capsule");
    says(PIOLA_IO_ERROR_COOKIE, piola_io_make_sheet(&sheet, NULL, &mesh, &error), "sheet");
    says(PIOLA_IO_ERROR_COOKIE, piola_io_make_rod(&rod, NULL, &mesh, &error), "rod");
    says(PIOLA_IO_ERROR_COOKIE, piola_io_make_box(&box, &options, &mesh, &error), "options");
}

static void test_values_out_of_range_are_refused(void)
{
    static const double wrong[] = {0, -1, 1e13, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        piola_io_box_desc box = piola_io_box_desc_default();
        piola_io_ball_desc ball = piola_io_ball_desc_default();
        piola_io_capsule_desc capsule = piola_io_capsule_desc_default();
        piola_io_sheet_desc sheet = piola_io_sheet_desc_default();
        piola_io_rod_desc rod = piola_io_rod_desc_default(), coil = rod;
        piola_io_mesh_options options = piola_io_mesh_options_default();
        options.scale[1] = wrong[i];
        says(PIOLA_IO_ERROR_RANGE, piola_io_make_box(&box, &options, &mesh, &error), "scale[1]");
        box.size[2] = ball.radius = capsule.length = sheet.size[1] = wrong[i];
        rod.length = wrong[i];
        coil.turns = i == 0 ? -1 : wrong[i];
        says(PIOLA_IO_ERROR_RANGE, piola_io_make_box(&box, NULL, &mesh, &error), "size");
        says(PIOLA_IO_ERROR_RANGE, piola_io_make_ball(&ball, NULL, &mesh, &error), "radius");
        says(PIOLA_IO_ERROR_RANGE, piola_io_make_capsule(&capsule, NULL, &mesh, &error), "length");
        says(PIOLA_IO_ERROR_RANGE, piola_io_make_sheet(&sheet, NULL, &mesh, &error), "size");
        says(PIOLA_IO_ERROR_RANGE, piola_io_make_rod(&rod, NULL, &mesh, &error), "length");
        says(PIOLA_IO_ERROR_RANGE, piola_io_make_rod(&coil, NULL, &mesh, &error), "turns");
    }
    piola_io_box_desc box = piola_io_box_desc_default();
    piola_io_ball_desc ball = piola_io_ball_desc_default();
    piola_io_mesh_options options = piola_io_mesh_options_default();
    options.offset[0] = (double)NAN;
    says(PIOLA_IO_ERROR_RANGE, piola_io_make_box(&box, &options, &mesh, &error), "offset[0]");
    box.cells[0] = 0;
    says(PIOLA_IO_ERROR_RANGE, piola_io_make_box(&box, NULL, &mesh, &error), "cells");
    box.cells[0] = box.cells[1] = box.cells[2] = 100000;
    says(PIOLA_IO_ERROR_MEMORY, piola_io_make_box(&box, NULL, &mesh, &error), "so many cells");
    ball.tetrahedra = 0;
    says(PIOLA_IO_ERROR_RANGE, piola_io_make_ball(&ball, NULL, &mesh, &error), "tetrahedra");
}

static void test_files_that_cannot_be_read_say_where(void)
{
    says(PIOLA_IO_ERROR_FILE, piola_io_mesh_read(in_folder("none.obj"), NULL, &mesh, &error),
         "cannot be opened");
    TEST_ASSERT_NOT_NULL(strstr(error.file, "none.obj"));
    TEST_ASSERT_EQUAL(0, error.line);
    says(PIOLA_IO_ERROR_FORMAT, piola_io_mesh_read("a.doc", NULL, &mesh, &error), "\"doc\"");
    says(PIOLA_IO_ERROR_FORMAT, piola_io_mesh_read("", NULL, &mesh, &error), "format");
    says(PIOLA_IO_ERROR_FORMAT, piola_io_mesh_parse("1", 1, "a.node", NULL, &mesh, &error),
         "two files");
    static const char bad[] = "v 0 0 0\nv 1 x 0\n";
    says(PIOLA_IO_ERROR_CONTENT,
         piola_io_mesh_parse(bad, sizeof bad - 1, "b.obj", NULL, &mesh, &error),
         "b.obj:2: vertex 2");
    TEST_ASSERT_EQUAL_STRING("b.obj", error.file);
    TEST_ASSERT_EQUAL(2, error.line);
    put(in_folder("t.node"), "4 3 0 0\n0 0 0 0\n1 1 0\n");
    put(in_folder("t.ele"), "1 4 0\n0 0 1 2 3\n");
    says(PIOLA_IO_ERROR_CONTENT, piola_io_mesh_read(in_folder("t.ele"), NULL, &mesh, &error),
         "t.node:3: node 1");
    TEST_ASSERT_EQUAL(3, error.line);
    TEST_ASSERT_NOT_NULL(strstr(error.file, "t.node"));
    /* A path of any length is no danger. */
    char path[9000];
    memset(path, 'a', sizeof path);
    memcpy(path + sizeof path - 5, ".obj", 5);
    says(PIOLA_IO_ERROR_FILE, piola_io_mesh_read(path, NULL, &mesh, &error), "cannot be opened");
}

/* ---- what is made and read ---- */

static void good(piola_io_status status)
{
    TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_OK, status, error.text);
    TEST_ASSERT_EQUAL(PIOLA_IO_OK, error.status);
    TEST_ASSERT_EQUAL_STRING("", error.text);
    TEST_ASSERT_NOT_NULL(mesh);
}

static piola_io_mesh_facts facts_of(void)
{
    piola_io_mesh_facts facts;
    TEST_ASSERT_EQUAL(PIOLA_IO_OK, piola_io_mesh_inspect(mesh, &facts, &error));
    return facts;
}

static void test_shapes_have_their_size(void)
{
    const double pi = 3.14159265358979323846;
    piola_io_box_desc box = piola_io_box_desc_default();
    piola_io_mesh_options options = piola_io_mesh_options_default();
    options.scale[0] = 2;
    options.offset[1] = 7;
    good(piola_io_make_box(&box, &options, &mesh, &error));
    piola_io_mesh_facts f = facts_of();
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2, f.volume);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 10, f.area);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 7, f.low[1]);
    TEST_ASSERT_TRUE(f.closed && f.parts == 1 && f.isolated == 0 && f.inverted == 0);
    TEST_ASSERT_EQUAL(320, piola_io_mesh_contents(mesh).tetrahedron_count);
    piola_io_mesh_free(mesh);
    const piola_io_ball_desc ball = piola_io_ball_desc_default();
    good(piola_io_make_ball(&ball, NULL, &mesh, &error));
    f = facts_of();
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * pi / 6, pi / 6, f.volume);
    TEST_ASSERT_TRUE(f.closed && f.quality_least > 0.1);
    piola_io_mesh_free(mesh);
    const piola_io_capsule_desc capsule = piola_io_capsule_desc_default();
    good(piola_io_make_capsule(&capsule, NULL, &mesh, &error));
    f = facts_of();
    const double volume = pi * 0.0625 + 4 * pi / 3 * 0.015625;
    TEST_ASSERT_DOUBLE_WITHIN(0.08 * volume, volume, f.volume);
    TEST_ASSERT_TRUE(f.closed && f.quality_least > 0.1);
    piola_io_mesh_free(mesh);
    const piola_io_sheet_desc sheet = piola_io_sheet_desc_default();
    good(piola_io_make_sheet(&sheet, NULL, &mesh, &error));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, facts_of().area);
    const piola_io_mesh_arrays with = piola_io_mesh_contents(mesh);
    TEST_ASSERT_EQUAL(512, with.triangle_count);
    TEST_ASSERT_EQUAL(512 * 3 / 2 - 32, with.bend_count);
    piola_io_mesh_free(mesh);
    options.bends = false;
    good(piola_io_make_sheet(&sheet, &options, &mesh, &error));
    TEST_ASSERT_EQUAL(0, piola_io_mesh_contents(mesh).bend_count);
    TEST_ASSERT_NULL(piola_io_mesh_contents(mesh).bends);
}

static void test_a_mesh_is_written_and_comes_back(void)
{
    const piola_io_ball_desc ball = piola_io_ball_desc_default();
    good(piola_io_make_ball(&ball, NULL, &mesh, &error));
    piola_io_mesh *first = mesh;
    TEST_ASSERT_EQUAL(PIOLA_IO_OK, piola_io_mesh_write(first, in_folder("ball.node"), &error));
    good(piola_io_mesh_read(in_folder("ball.node"), NULL, &mesh, &error));
    const piola_io_mesh_arrays a = piola_io_mesh_contents(first), b = piola_io_mesh_contents(mesh);
    TEST_ASSERT_EQUAL(a.vertex_count, b.vertex_count);
    TEST_ASSERT_EQUAL_MEMORY(a.vertices, b.vertices, 24 * (size_t)a.vertex_count);
    TEST_ASSERT_EQUAL_MEMORY(a.tetrahedra, b.tetrahedra, 16 * (size_t)a.tetrahedron_count);
    /* What cannot be written leaves what is there. */
    put(in_folder("kept.doc"), "kept");
    TEST_ASSERT_EQUAL(PIOLA_IO_ERROR_FORMAT,
                      piola_io_mesh_write(mesh, in_folder("kept.doc"), &error));
    TEST_ASSERT_EQUAL(PIOLA_IO_ERROR_FILE,
                      piola_io_mesh_write(mesh, in_folder("no/such/place.obj"), &error));
    piola_io_mesh_free(first);
}

static void test_formats_are_listed(void)
{
    piola_io_format format;
    bool obj = false;
    TEST_ASSERT_FALSE(piola_io_format_at(piola_io_format_count(), &format));
    for (uint32_t i = 0; i < piola_io_format_count(); ++i) {
        TEST_ASSERT_TRUE(piola_io_format_at(i, &format));
        TEST_ASSERT_TRUE(format.reads || format.writes);
        obj = obj || (strcmp(format.extension, "obj") == 0 && format.reads && format.writes);
    }
    TEST_ASSERT_TRUE(obj);
}

static void test_a_mesh_is_compiled_or_the_engine_says_why_not(void)
{
    const piola_io_box_desc box = piola_io_box_desc_default();
    const piola_material rubber = piola_material_default();
    const piola_asset *asset = NULL;
    struct failing failing = {0};
    const piola_io_allocator allocator = failing_allocator(&failing);
    good(piola_io_make_box(&box, NULL, &mesh, &error));
    piola_mesh_desc desc = piola_io_mesh_describe(mesh);
    TEST_ASSERT_EQUAL(PIOLA_IO_ERROR_ENGINE, piola_io_asset_make(&desc, NULL, &asset, &error));
    TEST_ASSERT_NOT_EQUAL(PIOLA_OK, error.engine);
    desc.materials = &rubber;
    desc.material_count = 1;
    TEST_ASSERT_EQUAL(PIOLA_IO_OK, piola_io_asset_make(&desc, &allocator, &asset, &error));
    const uint64_t asked = failing.asked;
    TEST_ASSERT_EQUAL(1, failing.live);
    TEST_ASSERT_NOT_EQUAL(0, piola_asset_hash(asset));
    piola_io_asset_free(asset, &allocator);
    for (failing.fails = 1; failing.fails <= asked; ++failing.fails) {
        failing.asked = 0;
        TEST_ASSERT_EQUAL(PIOLA_IO_ERROR_MEMORY,
                          piola_io_asset_make(&desc, &allocator, &asset, &error));
        TEST_ASSERT_EQUAL(0, failing.live);
    }
}

/* ---- memory ---- */

static piola_io_status from_case(int which, const piola_io_mesh_options *options)
{
    piola_io_box_desc box = piola_io_box_desc_default();
    piola_io_ball_desc ball = piola_io_ball_desc_default();
    piola_io_capsule_desc capsule = piola_io_capsule_desc_default();
    piola_io_sheet_desc sheet = piola_io_sheet_desc_default();
    ball.tetrahedra = capsule.tetrahedra = 300;
    switch (which) {
    case 0:
        return piola_io_make_box(&box, options, &mesh, &error);
    case 1:
        return piola_io_make_ball(&ball, options, &mesh, &error);
    case 2:
        return piola_io_make_capsule(&capsule, options, &mesh, &error);
    case 3:
        return piola_io_make_sheet(&sheet, options, &mesh, &error);
    case 4:
        return piola_io_mesh_parse(tetrahedron, sizeof tetrahedron - 1, "t.obj", options, &mesh,
                                   &error);
    case 5:
        return piola_io_mesh_read(in_folder("m.obj"), options, &mesh, &error);
    default:
        return piola_io_mesh_read(in_folder("m.ele"), options, &mesh, &error);
    }
}

/* Each request for memory is refused once: said so, nothing kept, and then it works. */
static void test_memory_that_runs_out_leaves_nothing(void)
{
    put(in_folder("m.obj"), tetrahedron);
    put(in_folder("m.node"), "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
    put(in_folder("m.ele"), "1 4 1\n0 0 1 2 3 7\n");
    for (int which = 0; which < 7; ++which) {
        struct failing failing = {0};
        piola_io_mesh_options options = piola_io_mesh_options_default();
        options.allocator = failing_allocator(&failing);
        good(from_case(which, &options));
        const uint64_t asked = failing.asked;
        TEST_ASSERT_GREATER_THAN(1, asked);
        piola_io_mesh_facts facts;
        for (uint64_t n = 1; n <= 6; ++n) {
            failing.asked = 0;
            failing.fails = n;
            const uint64_t before = failing.live;
            (void)piola_io_mesh_inspect(mesh, &facts, &error);
            TEST_ASSERT_EQUAL(before, failing.live);
        }
        piola_io_mesh_free(mesh);
        mesh = NULL;
        TEST_ASSERT_EQUAL(0, failing.live);
        for (failing.fails = 1; failing.fails <= asked; ++failing.fails) {
            failing.asked = 0;
            says(PIOLA_IO_ERROR_MEMORY, from_case(which, &options), "memory");
            TEST_ASSERT_EQUAL(0, failing.live);
        }
    }
}

static void test_half_an_allocator_is_refused(void)
{
    struct failing failing = {0};
    piola_io_mesh_options options = piola_io_mesh_options_default();
    options.allocator.take = failing_take;
    options.allocator.context = &failing;
    says(PIOLA_IO_ERROR_NULL, from_case(0, &options), "allocator");
    TEST_ASSERT_EQUAL(0, failing.asked);
}

/* ---- hostile input ---- */

/* Whatever the bytes are, by any format's reader: a sound mesh or a sentence, and no memory kept.
 */
static void test_damaged_bytes_do_no_harm(void)
{
    uint64_t seed = fixture_seed();
    struct failing failing = {0};
    piola_io_mesh_options options = piola_io_mesh_options_default();
    options.allocator = failing_allocator(&failing);
    for (int n = fixture_count(3000, 200); n > 0; --n) {
        piola_io_format format;
        char text[sizeof tetrahedron], name[40];
        memcpy(text, tetrahedron, sizeof text);
        for (uint64_t k = 1 + fixture_random(&seed) % 5; k > 0; --k) {
            static const char some[] = "0123456789 .-e\n#x\0\xff/fv";
            text[fixture_random(&seed) % (sizeof text - 1)] =
                some[fixture_random(&seed) % (sizeof some - 1)];
        }
        const size_t bytes = fixture_random(&seed) % sizeof text;
        TEST_ASSERT_TRUE(piola_io_format_at(
            (uint32_t)(fixture_random(&seed) % piola_io_format_count()), &format));
        snprintf(name, sizeof name, "x.%.30s", format.extension);
        if (piola_io_mesh_parse(text, bytes, name, &options, &mesh, &error) == PIOLA_IO_OK) {
            const piola_io_mesh_arrays a = piola_io_mesh_contents(mesh);
            for (size_t i = 0; i < 3 * (size_t)a.triangle_count; ++i)
                TEST_ASSERT_LESS_THAN(a.vertex_count, a.triangles[i]);
            for (size_t i = 0; i < 3 * (size_t)a.vertex_count; ++i)
                TEST_ASSERT_TRUE(fabs(a.vertices[i]) <= 1e12);
        } else {
            TEST_ASSERT_GREATER_THAN(10, strlen(error.text));
            TEST_ASSERT_NULL(mesh);
        }
        piola_io_mesh_free(mesh);
        mesh = NULL;
        TEST_ASSERT_EQUAL(0, failing.live);
    }
}

/* A straight rod, and a helix whose points are all as far from its axis. */
static void test_rods_are_made(void)
{
    piola_io_rod_desc rod = piola_io_rod_desc_default();
    good(piola_io_make_rod(&rod, NULL, &mesh, &error));
    piola_io_mesh_arrays a = piola_io_mesh_contents(mesh);
    TEST_ASSERT_EQUAL(32, a.segment_count);
    TEST_ASSERT_EQUAL(0, a.link_count);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, a.vertices[3 * 32]);
    const piola_mesh_desc desc = piola_io_mesh_describe(mesh);
    TEST_ASSERT_EQUAL(32, desc.segment_count);
    TEST_ASSERT_EQUAL(0, desc.link_count);
    piola_io_mesh_free(mesh);
    rod.turns = 2.5;
    good(piola_io_make_rod(&rod, NULL, &mesh, &error));
    a = piola_io_mesh_contents(mesh);
    for (uint32_t i = 0; i <= 32; ++i) {
        const double *x = a.vertices + 3 * (size_t)i;
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.1, sqrt(x[0] * x[0] + x[2] * x[2]));
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, i / 32.0, x[1]);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -0.1, a.vertices[3 * 32]);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/piola-io-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_every_status_has_a_text);
    RUN_TEST(test_null_is_refused_by_name);
    RUN_TEST(test_what_was_never_begun_is_refused);
    RUN_TEST(test_values_out_of_range_are_refused);
    RUN_TEST(test_files_that_cannot_be_read_say_where);
    RUN_TEST(test_shapes_have_their_size);
    RUN_TEST(test_a_mesh_is_written_and_comes_back);
    RUN_TEST(test_formats_are_listed);
    RUN_TEST(test_a_mesh_is_compiled_or_the_engine_says_why_not);
    RUN_TEST(test_memory_that_runs_out_leaves_nothing);
    RUN_TEST(test_half_an_allocator_is_refused);
    RUN_TEST(test_damaged_bytes_do_no_harm);
    RUN_TEST(test_rods_are_made);
    const int failed = UNITY_END();
    char line[100];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line) != 0 || failed;
}
