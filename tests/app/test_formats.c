/* test_formats.c - meshes written and read back, shapes made by rule, hostile files.
 *
 * covers: io/mesh/
 */
#define _POSIX_C_SOURCE 200809L
#include "io/base/file.h"
#include "io/mesh/inspect.h"
#include "io/scene/mesh_makers.h"
#include "unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BELOW(limit, value) TEST_ASSERT_TRUE_MESSAGE((value) < (limit), #value " is too large")
#define ABOVE(limit, value) TEST_ASSERT_TRUE_MESSAGE((value) > (limit), #value " is too small")

static struct problem problem;
static struct meshgen mesh, back;
static char folder[64];

void setUp(void)
{
    memset(&problem, 0, sizeof problem);
    memset(&mesh, 0, sizeof mesh);
    memset(&back, 0, sizeof back);
}

void tearDown(void)
{
    meshgen_free(&mesh);
    meshgen_free(&back);
}

static const char *in_folder(const char *name)
{
    static char path[2][200];
    static int turn;
    turn ^= 1;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void make(int kind)
{
    static const double size[3] = {1, 0.5, 0.25};
    static const uint32_t cells[3] = {4, 3, 2};
    const bool good[] = {kind == 0 && meshgen_box(&mesh, size, cells),
                         kind == 1 && meshgen_ball(&mesh, 0.3, 2000),
                         kind == 2 && meshgen_torus(&mesh, 0.4, 0.1, 2000),
                         kind == 3 && meshgen_rope(&mesh, 1, 0.05, 20),
                         kind == 4 && meshgen_capsule(&mesh, 0.6, 0.2, 3000),
                         kind == 5 && meshgen_organ(&mesh, 0.3, 3000)};
    TEST_ASSERT_TRUE(good[kind]);
}

static void test_tetgen_files_come_back_bit_by_bit(void)
{
    for (int kind = 0; kind < 6; ++kind) {
        make(kind);
        TEST_ASSERT_TRUE_MESSAGE(mesh_write(&mesh, in_folder("m.node"), &problem), problem.text);
        TEST_ASSERT_TRUE_MESSAGE(mesh_read(&back, in_folder("m.ele"), &problem), problem.text);
        TEST_ASSERT_EQUAL_UINT32(mesh.vertex_count, back.vertex_count);
        TEST_ASSERT_EQUAL_UINT32(mesh.tetrahedron_count, back.tetrahedron_count);
        TEST_ASSERT_EQUAL_MEMORY(mesh.vertices, back.vertices, 24 * (size_t)mesh.vertex_count);
        TEST_ASSERT_EQUAL_MEMORY(mesh.tetrahedra, back.tetrahedra,
                                 16 * (size_t)mesh.tetrahedron_count);
        tearDown();
        setUp();
    }
}

/* The surface of a solid, as .obj and back, encloses what the tetrahedra fill. */
static void test_surfaces_come_back_from_obj(void)
{
    for (int kind = 0; kind < 6; ++kind) {
        struct mesh_facts solid, surface;
        make(kind);
        TEST_ASSERT_TRUE_MESSAGE(mesh_write(&mesh, in_folder("m.obj"), &problem), problem.text);
        TEST_ASSERT_TRUE_MESSAGE(mesh_read(&back, in_folder("m.obj"), &problem), problem.text);
        TEST_ASSERT_TRUE(inspect_mesh(&mesh, &solid, &problem));
        TEST_ASSERT_TRUE(inspect_mesh(&back, &surface, &problem));
        TEST_ASSERT_TRUE(solid.manifold && surface.manifold);
        TEST_ASSERT_EQUAL_UINT32(solid.surface_triangles, back.triangle_count);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, solid.volume, surface.volume);
        double filled = 0;
        for (size_t i = 0; i < mesh.tetrahedron_count; ++i) {
            const double *p[4];
            for (size_t k = 0; k < 4; ++k)
                p[k] = mesh.vertices + 3 * (size_t)mesh.tetrahedra[4 * i + k];
            double e[3][3];
            for (int a = 0; a < 3; ++a)
                for (int k = 0; k < 3; ++k)
                    e[a][k] = p[a][k] - p[3][k];
            filled += (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                       e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                       e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
                      6;
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-9 * fabs(filled), filled, solid.volume);
        tearDown();
        setUp();
    }
}

static void test_implicit_shapes_are_sound_and_have_their_size(void)
{
    struct mesh_facts facts;
    make(4);
    TEST_ASSERT_TRUE(inspect_mesh(&mesh, &facts, &problem));
    const double volume = 3.14159265 * 0.04 * (0.6 + 4.0 / 3 * 0.2);
    TEST_ASSERT_DOUBLE_WITHIN(0.03 * volume, volume, facts.volume);
    TEST_ASSERT_UINT32_WITHIN(600, 3000, facts.elements);
    ABOVE(0.15, facts.quality_least);
    TEST_ASSERT_EQUAL_UINT32(1, facts.parts);
    tearDown();
    make(5);
    TEST_ASSERT_TRUE(inspect_mesh(&mesh, &facts, &problem));
    TEST_ASSERT_UINT32_WITHIN(600, 3000, facts.elements);
    ABOVE(0.15, facts.quality_least);
    TEST_ASSERT_EQUAL_UINT32(1, facts.parts);
    TEST_ASSERT_TRUE(facts.manifold);
}

static void test_inspection_finds_holes_and_turned_faces(void)
{
    struct mesh_facts facts;
    make(0);
    TEST_ASSERT_TRUE(mesh_write(&mesh, in_folder("m.obj"), &problem));
    TEST_ASSERT_TRUE(mesh_read(&back, in_folder("m.obj"), &problem));
    const uint32_t first = back.triangles[0];
    back.triangles[0] = back.triangles[1];
    back.triangles[1] = first;
    TEST_ASSERT_TRUE(inspect_mesh(&back, &facts, &problem));
    TEST_ASSERT_EQUAL_UINT32(3, facts.turned_edges);
    --back.triangle_count;
    back.triangles[1] = back.triangles[0];
    back.triangles[0] = first;
    TEST_ASSERT_TRUE(inspect_mesh(&back, &facts, &problem));
    TEST_ASSERT_EQUAL_UINT32(3, facts.open_edges);
    TEST_ASSERT_FALSE(facts.manifold);
}

static void test_obj_errors_name_the_line(void)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"v 0 0 0\nv 1 0\n", "x.obj:2: vertex 2: needs three coordinates"},
        {"v 0 zero 0\n", "x.obj:1: vertex 1: a coordinate is not a number"},
        {"v 0 nan 0\n", "x.obj:1: vertex 1: a coordinate is not finite"},
        {"v 0 1e999 0\n", "x.obj:1: vertex 1: a coordinate is not finite"},
        {"v 0 0 0\nv 0 1e200 0\n", "x.obj:2: vertex 2: a coordinate is beyond 1e12 m"},
        {"vt 0 x\n", "x.obj:1: texture point 1: a coordinate is not a number"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2\n", "x.obj:5: face 2: needs at least three"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "x.obj:4: face 1: needs at least three corners"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "x.obj:4: face 1: names a vertex that does"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "x.obj:4: face 1: names a vertex that does"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\n", "x.obj:4: face 1: names one vertex twice"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", "x.obj:4: face 1: a corner is not a vertex"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 99999999999999999999 1 2\n", "x.obj:4: face 1: a corner"},
        {"v 0 0 0\nf \v\n1 \v\n1 \v\n1\n", "x.obj:2: face 1: a corner is not a vertex number"},
        {"v 0 0 0\n", "x.obj: has no faces"},
        {"", "x.obj: has no vertices"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        memset(&problem, 0, sizeof problem);
        TEST_ASSERT_FALSE(
            obj_parse(&back, cases[i].text, strlen(cases[i].text), "x.obj", &problem));
        if (!strstr(problem.text, cases[i].expected))
            TEST_FAIL_MESSAGE(problem.text);
        TEST_ASSERT_EQUAL_INT(EXIT_SCENE, problem.exit);
    }
}

static void test_obj_takes_fans_slashes_and_negative_numbers(void)
{
    static const char text[] = "# a square\r\nvt 0 0\nv 0 0 0\r\n  v 1 0 0\nv 1 1 0 # corner\n"
                               "v 0 1 0\nvn 0 0 1\nf 1/1 2/1/1 3//1 -1\n";
    static const uint32_t expected[] = {0, 1, 2, 0, 2, 3};
    TEST_ASSERT_TRUE_MESSAGE(obj_parse(&back, text, sizeof text - 1, "x.obj", &problem),
                             problem.text);
    TEST_ASSERT_EQUAL_UINT32(2, back.triangle_count);
    TEST_ASSERT_EQUAL_UINT32_ARRAY(expected, back.triangles, 6);
    TEST_ASSERT_EQUAL_DOUBLE(1, back.vertices[7]);
}

static void test_damaged_obj_files_never_crash(void)
{
    const char *given = getenv("PIOLA_SEED"), *scale = getenv("PIOLA_TEST_SCALE");
    uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL) | 1;
    const int rounds = (int)(20000 * (scale ? atof(scale) : 1));
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/1/1 3//1 -1\nf 1 2 3\n";
    printf("seed %llu\n", (unsigned long long)seed);
    for (int round = 0; round < rounds; ++round) {
        char damaged[sizeof text];
        memcpy(damaged, text, sizeof text);
        for (int hits = round % 4; hits >= 0; --hits) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            static const char letters[] = "v f1-/\n\v#.e9";
            damaged[(seed >> 33) % (sizeof text - 1)] = letters[(seed >> 20) % 13];
        }
        memset(&problem, 0, sizeof problem);
        const bool good = obj_parse(&back, damaged, sizeof text - 1, "x.obj", &problem);
        TEST_ASSERT_EQUAL(good, problem.text[0] == 0);
        meshgen_free(&back);
    }
}

static void test_unknown_formats_and_missing_files_are_refused_clearly(void)
{
    TEST_ASSERT_FALSE(mesh_read(&back, "thing.doc", &problem));
    TEST_ASSERT_NOT_NULL(strstr(problem.text, "it can be \"node\", \"ele\", \"obj\", \"stl\""));
    memset(&problem, 0, sizeof problem);
    TEST_ASSERT_FALSE(mesh_read(&back, in_folder("absent.obj"), &problem));
    TEST_ASSERT_NOT_NULL(strstr(problem.text, "No such file"));
    memset(&problem, 0, sizeof problem);
    make(0);
    TEST_ASSERT_FALSE(mesh_write(&mesh, "/nonexistent/m.vtu", &problem));
    TEST_ASSERT_NOT_NULL(strstr(problem.text, "/nonexistent/m.vtu: cannot be written"));
}

/* ---- independent programs ---- */

static int shell(const char *format, ...)
{
    char command[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    fflush(stdout);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What is in memory, a line an item, for the scripts that read files their own way. */
static void write_listing(const struct meshgen *from, const char *name)
{
    const int kind = mesh_is_solid(from) ? 10 : mesh_is_chain(from) ? 3 : 5; /* VTK's */
    const uint32_t *corner = mesh_corner_list(from);
    FILE *file = fopen(in_folder(name), "w");
    TEST_ASSERT_NOT_NULL(file);
    for (size_t i = 0; i < from->vertex_count; ++i)
        fprintf(file, "p %.17g %.17g %.17g\n", from->vertices[3 * i], from->vertices[3 * i + 1],
                from->vertices[3 * i + 2]);
    for (uint32_t i = 0; i < mesh_elements(from); ++i) {
        fprintf(file, "c %d", kind);
        for (unsigned k = 0; k < mesh_corners(from); ++k)
            fprintf(file, " %u", *corner++);
        fputc('\n', file);
    }
    fclose(file);
}

/* Vertices and tetrahedra, whether the program counts from 0 or from 1. */
static void test_files_of_the_tetgen_program_read_back(void)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, shell("command -v tetgen >/dev/null 2>&1"),
                                  "the program tetgen is not installed: apt-get install tetgen");
    for (int first = 0; first < 2; ++first) {
        struct mesh_facts facts;
        make(0);
        TEST_ASSERT_TRUE(mesh_write(&mesh, in_folder("points.node"), &problem));
        TEST_ASSERT_EQUAL_INT(
            0, shell("cd %s && rm -f points.ele points.1.* && awk 'NR > 1 { $1 += %d } { print }' "
                     "points.node >moved && mv moved points.node && tetgen points.node >tetgen.log",
                     folder, first));
        TEST_ASSERT_TRUE_MESSAGE(mesh_read(&back, in_folder("points.1.node"), &problem),
                                 problem.text);
        TEST_ASSERT_EQUAL_UINT32(mesh.vertex_count, back.vertex_count);
        TEST_ASSERT_EQUAL_MEMORY(mesh.vertices, back.vertices, 24 * (size_t)mesh.vertex_count);
        write_listing(&back, "listing");
        TEST_ASSERT_EQUAL_INT(
            0, shell("cd %s && \"$PIOLA_SOURCE_DIR/tests/read_tetgen\" points.1 listing", folder));
        TEST_ASSERT_TRUE(inspect_mesh(&back, &facts, &problem));
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.125, facts.volume);
        tearDown();
        setUp();
    }
}

static void make_any(uint32_t maker)
{
    static const struct {
        const char *name, *settings;
    } kinds[] = {
        {"box", "{\"size\": [1, 0.5, 0.25], \"cells\": [4, 3, 2]}"},
        {"beam", "{\"tetrahedra\": 500}"},
        {"ball", "{\"radius\": 0.3, \"tetrahedra\": 500}"},
        {"torus", "{\"ring\": 0.4, \"tube\": 0.1, \"tetrahedra\": 500}"},
        {"rope", "{\"length\": 1, \"radius\": 0.05, \"segments\": 20}"},
        {"capsule", "{\"length\": 0.6, \"radius\": 0.2, \"tetrahedra\": 500}"},
        {"organ", "{\"size\": 0.3, \"tetrahedra\": 500}"},
        {"grid", "{\"size\": [1, 2], \"cells\": [7, 5], \"relief\": 0.1}"},
        {"sphere", "{\"radius\": 0.3, \"cuts\": 4}"},
        {"chain", "{\"length\": 0.7, \"links\": 9}"},
        {"rod", "{\"length\": 0.7, \"radius\": 0.01, \"segments\": 9}"},
        {"helix",
         "{\"radius\": 0.1, \"height\": 0.2, \"turns\": 3, \"wire\": 0.01, \"segments\": 30}"},
        {"curve", "{\"points\": [0, 0, 0, 1, 0, 0, 0, 0, 1], \"radius\": 0.01, \"segments\": 9, "
                  "\"closed\": true}"},
    };
    const uint32_t count = sizeof kinds / sizeof *kinds;
    uint32_t k = 0;
    while (k < count && strcmp(kinds[k].name, mesh_makers[maker].name) != 0)
        ++k;
    TEST_ASSERT_TRUE_MESSAGE(k < count, mesh_makers[maker].name);
    struct scene_mesh wanted = {0};
    struct trail trail = {.file = "test"};
    struct pool pool = {0};
    char text[200];
    snprintf(text, sizeof text, "{\"%s\": %s}", kinds[k].name, kinds[k].settings);
    json_t *object = json_loads(text, 0, NULL);
    TEST_ASSERT_NOT_NULL_MESSAGE(object, text);
    wanted.name = kinds[k].name;
    TEST_ASSERT_TRUE_MESSAGE(
        keys_read(&scene_mesh_table, object, &wanted, &trail, &pool, &problem) &&
            mesh_load(&mesh, &wanted, "", &problem),
        problem.text);
    json_decref(object);
    pool_free(&pool);
}

/* Every generator's mesh, read by a program that has nothing of ours. */
static void test_vtu_files_hold_every_vertex_and_cell(void)
{
    char names[2000] = "";
    for (uint32_t maker = 0; maker < mesh_maker_count; ++maker) {
        char name[100], file[100];
        make_any(maker);
        snprintf(name, sizeof name, "%.40s.txt", mesh_makers[maker].name);
        write_listing(&mesh, name);
        snprintf(file, sizeof file, "%.40s.vtu", mesh_makers[maker].name);
        TEST_ASSERT_TRUE_MESSAGE(mesh_write(&mesh, in_folder(file), &problem), problem.text);
        snprintf(names + strlen(names), sizeof names - strlen(names), " %s %s", file, name);
        tearDown();
        setUp();
    }
    TEST_ASSERT_EQUAL_INT(0,
                          shell("cd %s && \"$PIOLA_SOURCE_DIR/tests/read_vtu\"%s", folder, names));
    /* It does notice what differs. */
    TEST_ASSERT_NOT_EQUAL(0,
                          shell("cd %s && sed -i '0,/^p 0/s//p 1/' box.txt && "
                                "\"$PIOLA_SOURCE_DIR/tests/read_vtu\" box.vtu box.txt 2>/dev/null",
                                folder));
}

/* Debian's packages belong to its own Python, which need not be the first on the path. Null when
 * VTK is not installed. */
static const char *python_with_vtk(void)
{
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    for (int i = 0; i < 2; ++i)
        if (shell("%s -c 'import vtkmodules.vtkIOXML' >/dev/null 2>&1", pythons[i]) == 0)
            return pythons[i];
    return NULL;
}

/* Run where VTK is installed. */
static void test_vtk_reads_what_is_written(void)
{
    make(1);
    TEST_ASSERT_TRUE_MESSAGE(mesh_write(&mesh, in_folder("m.vtu"), &problem), problem.text);
    FILE *script = fopen(in_folder("read.py"), "w");
    TEST_ASSERT_NOT_NULL(script);
    fprintf(script,
            "import sys\nfrom vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader\n"
            "r = vtkXMLUnstructuredGridReader()\nr.SetFileName(sys.argv[1])\nr.Update()\n"
            "g = r.GetOutput()\nassert g.GetNumberOfPoints() == %u\n"
            "assert g.GetNumberOfCells() == %u\n"
            "assert g.GetPoint(5) == (%.17g, %.17g, %.17g)\n"
            "c = g.GetCell(7)\nassert c.GetCellType() == 10\n"
            "assert [c.GetPointId(i) for i in range(4)] == [%u, %u, %u, %u]\n",
            mesh.vertex_count, mesh.tetrahedron_count, mesh.vertices[15], mesh.vertices[16],
            mesh.vertices[17], mesh.tetrahedra[28], mesh.tetrahedra[29], mesh.tetrahedra[30],
            mesh.tetrahedra[31]);
    fclose(script);
    TEST_ASSERT_EQUAL_INT(0, shell("%s %s/read.py %s/m.vtu", python_with_vtk(), folder, folder));
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/piola-formats-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_tetgen_files_come_back_bit_by_bit);
    RUN_TEST(test_surfaces_come_back_from_obj);
    RUN_TEST(test_implicit_shapes_are_sound_and_have_their_size);
    RUN_TEST(test_inspection_finds_holes_and_turned_faces);
    RUN_TEST(test_obj_errors_name_the_line);
    RUN_TEST(test_obj_takes_fans_slashes_and_negative_numbers);
    RUN_TEST(test_damaged_obj_files_never_crash);
    RUN_TEST(test_unknown_formats_and_missing_files_are_refused_clearly);
    RUN_TEST(test_files_of_the_tetgen_program_read_back);
    RUN_TEST(test_vtu_files_hold_every_vertex_and_cell);
    if (python_with_vtk())
        RUN_TEST(test_vtk_reads_what_is_written);
    else
        printf("python3-vtk9 is not installed: there is no test that VTK reads .vtu files\n");
    shell("rm -rf %s", folder);
    return UNITY_END();
}
