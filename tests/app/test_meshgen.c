/* test_meshgen.c - generated meshes: about the size asked for, right-handed, of sound shape and
 * closed; and TetGen files: what is read, and what is refused with its file, line and item.
 *
 * covers: io/mesh/
 */
#include "any_mesh.h"
#include "io/mesh/tetgen.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char node_path[256], ele_path[256];
static struct problem problem;

void setUp(void)
{
    any_mesh_begin();
    const char *folder = getenv("TMPDIR");
    const unsigned long id = (unsigned long)fixture_seed();
    snprintf(node_path, sizeof node_path, "%.200s/piola-%lx.node", folder ? folder : "/tmp", id);
    snprintf(ele_path, sizeof ele_path, "%.200s/piola-%lx.ele", folder ? folder : "/tmp", id);
}

void tearDown(void)
{
    any_mesh_end();
    fixture_clean();
    (void)remove(node_path);
    (void)remove(ele_path);
}

static double determinant(const uint32_t *v)
{
    double d[3][3];
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            d[i][axis] = any_mesh.vertices[3 * (size_t)v[i] + axis] -
                         any_mesh.vertices[3 * (size_t)v[3] + axis];
        }
    }
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
           d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
}

static double distance(uint32_t a, uint32_t b)
{
    double sum = 0;
    for (unsigned axis = 0; axis < 3; axis++) {
        const double d =
            any_mesh.vertices[3 * (size_t)a + axis] - any_mesh.vertices[3 * (size_t)b + axis];
        sum += d * d;
    }
    return sqrt(sum);
}

/* The volume, 1 for a regular tetrahedron of this longest edge. */
static double quality(const uint32_t *v)
{
    double longest = 0;
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < i; j++) {
            longest = fmax(longest, distance(v[i], v[j]));
        }
    }
    return determinant(v) * sqrt(2) / (longest * longest * longest);
}

static void sound(bool made, uint32_t wanted, double least_quality, double volume, double tolerance)
{
    TEST_ASSERT_TRUE(made);
    TEST_ASSERT_TRUE(any_mesh.tetrahedron_count > wanted / 2);
    TEST_ASSERT_TRUE(any_mesh.tetrahedron_count < wanted * 2);
    double sum = 0, worst = 1;
    for (uint32_t i = 0; i < any_mesh.tetrahedron_count; i++) {
        sum += determinant(any_mesh.tetrahedra + 4 * (size_t)i) / 6;
        worst = fmin(worst, quality(any_mesh.tetrahedra + 4 * (size_t)i));
    }
    TEST_ASSERT_TRUE(worst > least_quality);
    TEST_ASSERT_DOUBLE_WITHIN(tolerance * volume, volume, sum);
    const piola_mesh_desc desc = any_mesh_describe();
    (void)fixture_compile(&desc); /* refuses what is inverted, duplicate or isolated */
    meshgen_free(&any_mesh);
    fixture_clean();
}

static void solids_are_sound(void)
{
    const double pi = 3.14159265358979323846;
    for (uint32_t n = 1000; n <= (uint32_t)fixture_count(50000, 5000); n *= 7) {
        sound(meshgen_beam(&any_mesh, n), n, 0.4, 0.0625, 1e-9);
        sound(meshgen_ball(&any_mesh, 0.5, n), n, 0.1, pi / 6, 0.1);
        sound(meshgen_torus(&any_mesh, 1, 0.3, n), n, 0.1, 2 * pi * pi * 0.09, 0.2);
        const uint32_t segments = n / 3;
        const double length = 0.05 * segments;
        sound(meshgen_rope(&any_mesh, length, 0.05, segments), n, 0.1,
              length * 0.0025 * 0.75 * sqrt(3), 1e-6);
    }
    sound(meshgen_box(&any_mesh, (const double[3]){2, 1, 3}, (const uint32_t[3]){2, 1, 3}), 30, 0.4,
          6, 1e-9);
    sound(meshgen_box_kuhn(&any_mesh, (const double[3]){2, 1, 3}, (const uint32_t[3]){2, 1, 3}), 36,
          0.2, 6, 1e-9);
}

static void sheets_have_all_inner_edges(void)
{
    TEST_ASSERT_TRUE(
        meshgen_cloth(&any_mesh, (const double[2]){1, 1}, (const uint32_t[2]){200, 200}, true));
    TEST_ASSERT_EQUAL_UINT32(201 * 201, any_mesh.vertex_count);
    TEST_ASSERT_EQUAL_UINT32(80000, any_mesh.triangle_count);
    TEST_ASSERT_EQUAL_UINT32(119600, any_mesh.bend_count); /* the paper's cloth */
    const piola_mesh_desc desc = any_mesh_describe();
    (void)fixture_compile(&desc);
    for (uint32_t i = 0; i < any_mesh.bend_count; i++) {
        const uint32_t *v = any_mesh.bends + 4 * (size_t)i;
        for (unsigned k = 0; k < 4; k++) {
            TEST_ASSERT_TRUE(distance(v[k / 2], v[2 + k % 2]) < 0.0075);
        }
    }
}

static void impossible_sizes_give_no_mesh(void)
{
    const uint32_t huge[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, many[3] = {2000, 2000, 2000};
    const uint32_t none[3] = {1, 0, 1}, one[3] = {1, 1, 1};
    const double unit[3] = {1, 1, 1}, flat[3] = {1, 0, 1}, unknown[3] = {1, (double)NAN, 1};
    TEST_ASSERT_FALSE(meshgen_box(&any_mesh, unit, huge));
    TEST_ASSERT_FALSE(meshgen_box(&any_mesh, unit, many));
    TEST_ASSERT_FALSE(meshgen_box(&any_mesh, unit, none));
    TEST_ASSERT_FALSE(meshgen_box(&any_mesh, flat, one));
    TEST_ASSERT_FALSE(meshgen_box_kuhn(&any_mesh, unknown, one));
    TEST_ASSERT_FALSE(meshgen_cloth(&any_mesh, unit, huge, true));
    TEST_ASSERT_FALSE(meshgen_ball(&any_mesh, 0, 5000));
    TEST_ASSERT_FALSE(meshgen_ball(&any_mesh, 1, UINT32_MAX));
    TEST_ASSERT_FALSE(meshgen_torus(&any_mesh, 1, 1, 5000));
    TEST_ASSERT_FALSE(meshgen_rope(&any_mesh, 1, 0.1, 0));
    TEST_ASSERT_FALSE(meshgen_rope(&any_mesh, 1, 0.1, UINT32_MAX));
    TEST_ASSERT_NULL(any_mesh.vertices);
}

/* ---- TetGen's files ---- */

static void write_file(const char *path, const char *text, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    TEST_ASSERT_NOT_NULL(file);
    TEST_ASSERT_EQUAL(bytes, fwrite(text, 1, bytes, file));
    TEST_ASSERT_EQUAL_INT(0, fclose(file));
}

static bool read_texts(const char *node, const char *ele)
{
    write_file(node_path, node, strlen(node));
    write_file(ele_path, ele, strlen(ele));
    problem = (struct problem){0};
    return tetgen_read(node_path, ele_path, &any_mesh, &problem);
}

static const char *const nodes = "# a comment\n4 3 0 0\n\n1 0 0 0 # the first\n2 1 0 0\n"
                                 "3 0 1 0\n4 0 0 1\n";

static void files_are_read(void)
{
    TEST_ASSERT_TRUE_MESSAGE(read_texts(nodes, "1 4 0\n1 1 2 3 4\n"), problem.text);
    TEST_ASSERT_EQUAL_UINT32(4, any_mesh.vertex_count);
    TEST_ASSERT_EQUAL_UINT32(1, any_mesh.tetrahedron_count);
    TEST_ASSERT_TRUE(determinant(any_mesh.tetrahedra) > 0);
    meshgen_free(&any_mesh);
    /* The other hand, numbers from 0, carriage returns, extra columns and no last line end. */
    TEST_ASSERT_TRUE_MESSAGE(
        read_texts("4 3 1 1\r\n0 0 0 0 7 1\r\n1 1 0 0 7 1\r\n2 0 1 0 7 1\r\n3 0 0 1 7 1",
                   "1 10 1\n0 1 0 2 3 0 0 0 0 0 0 5"),
        problem.text);
    TEST_ASSERT_TRUE(determinant(any_mesh.tetrahedra) > 0);
}

static void refused(const char *node, const char *ele, const char *expected)
{
    TEST_ASSERT_FALSE(read_texts(node, ele));
    if (strstr(problem.text, expected) == NULL) {
        TEST_FAIL_MESSAGE(problem.text);
    }
    TEST_ASSERT_NULL(any_mesh.vertices);
    TEST_ASSERT_NULL(any_mesh.tetrahedra);
}

static void broken_files_are_refused_by_line(void)
{
    const char *const ele = "1 4 0\n1 1 2 3 4\n";
    refused("", ele, ".node: ");
    refused("four 3\n", ele, ".node:1: expected a number of nodes");
    refused("99999999999999999999 3\n", ele, ".node:1: expected a number of nodes");
    refused("4294967297 3\n", ele, ".node:1: expected a number of nodes");
    refused("-4 3\n", ele, ".node:1: expected a number of nodes");
    refused("4 2 0 0\n", ele, ".node:1: expected dimension 3");
    refused("4 3\n1 0 0 0\n2 1 0 0\n", ele, ".node:3: the file ends where a node was expected");
    refused("4 3\n1 0 0 0\n3 1 0 0\n", ele, ".node:3: node 1: expected rising numbers");
    refused("4 3\n7 0 0 0\n", ele, ".node:2: node 0: expected rising numbers");
    refused("4 3\n1 0 0\n", ele, ".node:2: node 0: expected three finite coordinates");
    refused("4 3\n1 0 nan 0\n", ele, ".node:2: node 0: expected three finite coordinates");
    refused("4 3\n1 0 1e999 0\n", ele, ".node:2: node 0: expected three finite coordinates");
    refused("4 3\n1 0 0x 0\n", ele, ".node:2: node 0: expected three finite coordinates");
    refused(nodes, "1 5 0\n", ".ele:1: expected 4 or 10 nodes");
    refused(nodes, "2 4 0\n1 1 2 3 4\n", ".ele:2: the file ends where a tetrahedron was expected");
    refused(nodes, "1 4 0\n0 1 2 3 4\n", ".ele:2: tetrahedron 0: expected rising numbers");
    refused(nodes, "1 4 0\n1 1 2 3 5\n", ".ele:2: tetrahedron 0: names a node that does not exist");
    refused(nodes, "1 4 0\n1 0 2 3 4\n", ".ele:2: tetrahedron 0: names a node that does not exist");
    refused(nodes, "1 4 0\n1 1 2 3\n", ".ele:2: tetrahedron 0: expected four node numbers");
    refused(nodes, "67108865 4 0\n", ".ele:1: expected a number of tetrahedra");
    (void)remove(ele_path);
    problem = (struct problem){0};
    TEST_ASSERT_FALSE(tetgen_read(node_path, ele_path, &any_mesh, &problem));
    TEST_ASSERT_NOT_NULL(strstr(problem.text, ".ele: "));
}

/* Damaged text never does worse than be refused. */
static void damaged_files_do_no_harm(void)
{
    uint64_t seed = fixture_seed();
    const char *const ele = "1 4 0\n1 1 2 3 4\n";
    for (int n = fixture_count(2000, 100); n > 0; n--) {
        char text[2][128];
        size_t bytes[2];
        for (unsigned i = 0; i < 2; i++) {
            bytes[i] = strlen(i ? ele : nodes);
            memcpy(text[i], i ? ele : nodes, bytes[i]);
            for (uint64_t k = fixture_random(&seed) % 4; k > 0; k--) {
                static const char some[] = "0123456789 .-e\n#x\0\xff";
                text[i][fixture_random(&seed) % bytes[i]] =
                    some[fixture_random(&seed) % (sizeof some - 1)];
            }
            bytes[i] -= fixture_random(&seed) % 4 == 0 ? fixture_random(&seed) % bytes[i] : 0;
            write_file(i ? ele_path : node_path, text[i], bytes[i]);
        }
        problem = (struct problem){0};
        if (tetgen_read(node_path, ele_path, &any_mesh, &problem)) {
            for (uint32_t i = 0; i < 4 * any_mesh.tetrahedron_count; i++) {
                TEST_ASSERT_TRUE(any_mesh.tetrahedra[i] < any_mesh.vertex_count);
            }
        } else {
            TEST_ASSERT_TRUE(strlen(problem.text) > 10 &&
                             strlen(problem.text) < sizeof problem.text);
        }
        meshgen_free(&any_mesh);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(solids_are_sound);
    RUN_TEST(sheets_have_all_inner_edges);
    RUN_TEST(impossible_sizes_give_no_mesh);
    RUN_TEST(files_are_read);
    RUN_TEST(broken_files_are_refused_by_line);
    RUN_TEST(damaged_files_do_no_harm);
    return UNITY_END();
}
