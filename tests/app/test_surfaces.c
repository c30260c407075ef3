/* Surfaces of triangles: balls, their bends, finer ones by subdivision; and what a stage makes of
 * them: regions by number, details.
 *
 * covers: io/mesh/
 */
#define _POSIX_C_SOURCE 200809L
#include "families/air/wind.h"
#include "io/mesh/inspect.h"
#include "io/mesh/surfaces.h"
#include "io/scene/mesh_makers.h"
#include "io/scene/stage.h"
#include "sensors.h"
#include "unity.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct meshgen mesh;
static struct problem problem;
static struct pool pool;
static struct stage stage;
static char folder[64];

void setUp(void)
{
    memset(&mesh, 0, sizeof mesh);
    memset(&problem, 0, sizeof problem);
    memset(&pool, 0, sizeof pool);
    memset(&stage, 0, sizeof stage);
}

void tearDown(void)
{
    if (stage.scene)
        stage_close(&stage);
    meshgen_free(&mesh);
    pool_free(&pool);
}

static void test_a_sphere_is_closed_and_round(void)
{
    for (uint32_t cuts = 1; cuts <= 40; cuts += 3) {
        struct mesh_facts facts;
        TEST_ASSERT_TRUE(surface_sphere(&mesh, 2, cuts));
        TEST_ASSERT_TRUE(inspect_mesh(&mesh, &facts, &problem));
        TEST_ASSERT_TRUE(facts.manifold);
        TEST_ASSERT_EQUAL_UINT32(10 * cuts * cuts + 2, mesh.vertex_count);
        TEST_ASSERT_EQUAL_UINT32(20 * cuts * cuts, mesh.triangle_count);
        TEST_ASSERT_EQUAL_UINT32(30 * cuts * cuts, facts.bends);
        for (size_t v = 0; v < mesh.vertex_count; ++v) {
            const double *x = mesh.vertices + 3 * v;
            TEST_ASSERT_DOUBLE_WITHIN(1e-14, 2, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
        }
        const double ball = 4.0 / 3 * 3.14159265358979 * 8;
        TEST_ASSERT_TRUE(facts.volume < ball && facts.volume > ball * (1 - 0.5 / cuts));
        meshgen_free(&mesh);
    }
    TEST_ASSERT_FALSE(surface_sphere(&mesh, 0, 4));
    TEST_ASSERT_FALSE(surface_sphere(&mesh, 1, 0));
}

/* A bend's edge belongs to two triangles, whose other corners it names. */
static void test_bends_lie_over_inner_edges(void)
{
    TEST_ASSERT_TRUE(meshgen_cloth(&mesh, (double[]){1, 1}, (uint32_t[]){5, 3}, true));
    const uint32_t wanted = mesh.bend_count;
    mesh.bend_count = 0;
    TEST_ASSERT_TRUE(surface_bend(&mesh));
    TEST_ASSERT_EQUAL_UINT32(wanted, mesh.bend_count);
    for (uint32_t b = 0; b < mesh.bend_count; ++b) {
        const uint32_t *v = mesh.bends + 4 * (size_t)b;
        uint32_t found = 0;
        for (uint32_t t = 0; t < mesh.triangle_count; ++t)
            for (uint32_t c = 0; c < 3; ++c) {
                const uint32_t *tri = mesh.triangles + 3 * (size_t)t;
                const uint32_t p = tri[c], q = tri[(c + 1) % 3], r = tri[(c + 2) % 3];
                found += p == v[0] && q == v[1] && r == v[2];
                found += p == v[1] && q == v[0] && r == v[3];
            }
        TEST_ASSERT_EQUAL_UINT32(2, found);
    }
}

/* Loop's surface is inside a convex one, closed, and a rectangle stays one. */
static void test_subdivision_smooths(void)
{
    struct mesh_facts coarse, fine;
    TEST_ASSERT_TRUE(surface_sphere(&mesh, 1, 2));
    TEST_ASSERT_TRUE(inspect_mesh(&mesh, &coarse, &problem));
    TEST_ASSERT_TRUE(surface_subdivide(&mesh, 3));
    TEST_ASSERT_TRUE(inspect_mesh(&mesh, &fine, &problem));
    TEST_ASSERT_TRUE(fine.manifold);
    TEST_ASSERT_EQUAL_UINT32(64 * coarse.elements, fine.elements);
    TEST_ASSERT_TRUE(fine.volume < coarse.volume && fine.volume > 0.7 * coarse.volume);
    /* Round: the areas of a ball's surface and of its volume agree, which those of 80 flat
     * triangles do not. */
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 1,
                              pow(6 * fine.volume * sqrt(3.14159265), 2.0 / 3) / fine.area);
    meshgen_free(&mesh);
    TEST_ASSERT_TRUE(meshgen_cloth(&mesh, (double[]){2, 1}, (uint32_t[]){2, 1}, false));
    TEST_ASSERT_TRUE(surface_subdivide(&mesh, 4));
    TEST_ASSERT_TRUE(inspect_mesh(&mesh, &fine, &problem));
    TEST_ASSERT_EQUAL_UINT32(0, fine.crowded_edges + fine.turned_edges);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2, fine.area);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0, fine.high[1] - fine.low[1]);
}

static void test_a_relief_has_its_height(void)
{
    TEST_ASSERT_TRUE(surface_sphere(&mesh, 1, 40));
    TEST_ASSERT_TRUE(surface_relief(&mesh, 0.05, 0.3));
    double low = 2, high = 0;
    for (size_t v = 0; v < mesh.vertex_count; ++v) {
        const double *x = mesh.vertices + 3 * v;
        const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        low = fmin(low, r);
        high = fmax(high, r);
    }
    TEST_ASSERT_TRUE(low > 0.949 && low < 0.97);
    TEST_ASSERT_TRUE(high < 1.051 && high > 1.03);
}

/* ---- stages ---- */

static const char *in_folder(const char *name)
{
    static char path[2][128];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static bool open_stage(const char *text)
{
    static struct scene scene;
    const struct stage_options options = STAGE_OPTIONS_NONE;
    const char *path = in_folder("scene.json");
    TEST_ASSERT_TRUE_MESSAGE(scene_parse(text, strlen(text), path, &scene, &pool, &problem),
                             problem.text);
    return stage_open(&stage, &scene, path, &options, &problem);
}

static void write_box_with_regions(void)
{
    TEST_ASSERT_TRUE(meshgen_box(&mesh, (double[]){1, 1, 1}, (uint32_t[]){2, 1, 1}));
    mesh.regions = calloc(mesh.tetrahedron_count, sizeof *mesh.regions);
    for (uint32_t t = 0; t < mesh.tetrahedron_count; ++t)
        mesh.regions[t] = t < 3 ? 7 : 40000;
    TEST_ASSERT_TRUE_MESSAGE(mesh_write(&mesh, in_folder("box.node"), &problem), problem.text);
}

#define REGION_SCENE(number)                                                                       \
    "{\"description\": \"d\", \"materials\": {\"a\": {}, \"b\": {\"density\": 2}}, \"meshes\": "   \
    "{\"box\": {\"file\": \"box.node\"}}, \"bodies\": [{\"mesh\": \"box\", \"material\": \"a\", "  \
    "\"regions\": [{\"number\": " number ", \"material\": \"b\"}]}]}"

static void test_regions_of_a_file_get_their_material(void)
{
    write_box_with_regions();
    TEST_ASSERT_TRUE_MESSAGE(open_stage(REGION_SCENE("7")), problem.text);
    const struct stage_asset *asset = stage.bodies[0].asset;
    for (uint32_t t = 0; t < asset->stats.tetrahedra; ++t) {
        TEST_ASSERT_EQUAL_UINT32(t < 3 ? 7 : 40000, asset->mesh->regions[t]);
        TEST_ASSERT_EQUAL_UINT32(t < 3, asset->materials[t]);
    }
}

static void test_a_region_that_no_element_has_is_refused(void)
{
    write_box_with_regions();
    TEST_ASSERT_FALSE(open_stage(REGION_SCENE("8")));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(problem.text, "regions[0] holds no element"), problem.text);
}

static void test_a_region_that_is_no_whole_number_is_refused(void)
{
    write_box_with_regions();
    FILE *file = fopen(in_folder("box.ele"), "w");
    fputs("2 4 1\n0 0 1 2 3 1\n1 1 2 3 4 1.5\n", file);
    fclose(file);
    TEST_ASSERT_FALSE(open_stage(REGION_SCENE("1")));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(problem.text, "expected a region number"), problem.text);
}

/* A detail stands about its body, has unit normals, and moves with it. */
static void test_a_detail_follows_its_body(void)
{
    TEST_ASSERT_TRUE_MESSAGE(
        open_stage("{\"description\": \"d\", \"materials\": {\"a\": {}}, \"meshes\": {\"ball\": "
                   "{\"ball\": {\"radius\": 0.5, \"tetrahedra\": 500}}}, \"bodies\": [{\"mesh\": "
                   "\"ball\", \"material\": \"a\", \"detail\": {\"subdivide\": 2}, \"position\": "
                   "[3, 0, 0], \"copies\": {\"count\": [2, 1, 1], \"spacing\": [2, 0, 0]}}]}"),
        problem.text);
    TEST_ASSERT_EQUAL_UINT32(1, stage.detail_count);
    const struct stage_detail *detail = stage.bodies[1].detail;
    TEST_ASSERT_EQUAL_UINT32(16 * detail->asset->stats.surface_triangles, detail->triangle_count);
    float *xyz = malloc(12 * (size_t)detail->vertex_count);
    float *normals = malloc(12 * (size_t)detail->vertex_count);
    TEST_ASSERT_TRUE(stage_detail_take(&stage, &stage.bodies[1], xyz, normals, &problem));
    for (size_t v = 0; v < detail->vertex_count; ++v) {
        const double x[3] = {(double)xyz[3 * v] - 5, (double)xyz[3 * v + 1],
                             (double)xyz[3 * v + 2]};
        const double *n = (double[]){(double)normals[3 * v], (double)normals[3 * v + 1],
                                     (double)normals[3 * v + 2]};
        const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        TEST_ASSERT_TRUE(r > 0.4 && r < 0.51);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1, sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
        TEST_ASSERT_TRUE((x[0] * n[0] + x[1] * n[1] + x[2] * n[2]) / r > 0.8);
    }
    free(xyz);
    free(normals);
}

/* ---- heights ---- */

#define GROUND(mesh, spacing)                                                                      \
    "{\"description\": \"d\", \"materials\": {\"a\": {}}, \"meshes\": {\"bar\": {\"beam\": "       \
    "{\"tetrahedra\": 50}}, \"ground\": " mesh                                                     \
    "}, \"bodies\": [{\"mesh\": \"bar\", \"material\": "                                           \
    "\"a\", \"position\": [0, 9, 0]}], \"colliders\": [{\"shape\": \"heights\", \"mesh\": "        \
    "\"ground\", \"spacing\": " spacing "}]}"
#define HILLS                                                                                      \
    "{\"grid\": {\"size\": [2, 1.5], \"cells\": [20, 15], \"relief\": 0.2, \"wave\": 0.7}, "       \
    "\"offset\": [100.3, -3, -70]}"

/* A vertex of the mesh at each sample: the field is the mesh. */
static void test_heights_are_those_of_the_mesh(void)
{
    TEST_ASSERT_TRUE_MESSAGE(open_stage(GROUND(HILLS, "0.1")), problem.text);
    const struct stage_collider *ground = &stage.colliders[0];
    piola_shape_stats stats;
    TEST_ASSERT_EQUAL_INT(PIOLA_OK, piola_shape_inspect(ground->shape, &stats));
    TEST_ASSERT_EQUAL_UINT32(600, stats.triangles);
    double low = 9, high = -9;
    for (size_t v = 0; v < ground->mesh.vertex_count; ++v) {
        const double *x = ground->mesh.vertices + 3 * v;
        const float above[3] = {(float)x[0], (float)x[1] + 1e-3f, (float)x[2]};
        float distance;
        TEST_ASSERT_EQUAL_INT(PIOLA_OK,
                              piola_shape_distance(ground->shape, above, &distance, NULL));
        TEST_ASSERT_FLOAT_WITHIN(1.1e-3f, 0, distance);
        low = fmin(low, x[1]);
        high = fmax(high, x[1]);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, high, (double)stats.high[1]);
    TEST_ASSERT_TRUE(high > -2.85 && low < -3.15);
}

static void test_heights_that_cannot_be_are_refused(void)
{
    static const char *const texts[][2] = {
        {GROUND("{\"ball\": {\"radius\": 1, \"tetrahedra\": 500}}", "0.05"), "has nothing at x -"},
        {GROUND(HILLS, "1e-9"), "more than 65536 samples in a row"},
        {GROUND(HILLS, "1e-300"), "more than 65536 samples in a row"},
        {GROUND(HILLS, "1.7"), "shorter than the \"spacing\""},
        {GROUND("{\"chain\": {\"length\": 1, \"links\": 9}}", "0.1"), "no surface"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        setUp();
        TEST_ASSERT_FALSE_MESSAGE(open_stage(texts[i][0]), texts[i][0]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(problem.text, texts[i][1]), problem.text);
        tearDown();
    }
    setUp();
}

/* ---- points ---- */

#define POINTS(mesh, at)                                                                           \
    "{\"description\": \"d\", \"materials\": {\"a\": {\"thickness\": 0.001, \"density\": 1000}}, " \
    "\"meshes\": "                                                                                 \
    "{\"m\": " mesh                                                                                \
    "}, \"bodies\": [{\"name\": \"b\", \"mesh\": \"m\", \"material\": \"a\", \"position\": "       \
    "[5, 0, 0], \"rotation\": {\"axis\": [0, 0, 1], \"degrees\": 90}}], \"sensors\": [{\"name\": " \
    "\"p\", \"kind\": \"point\", \"body\": \"b\", \"near\": " at "}]}"

static bool measure_point(const char *text, double xyz[3])
{
    struct sensors sensors;
    piola_report report = {0};
    const bool good = open_stage(text) && sensors_open(&sensors, &stage, NULL, &problem);
    if (good) {
        TEST_ASSERT_TRUE(sensors_take(&sensors, &report, &problem));
        memcpy(xyz, sensors.values, 3 * sizeof *xyz);
    }
    if (stage.world)
        sensors_drop(&sensors);
    return good;
}

/* A turned body: a point of it is where the turn takes it, though no vertex is near. */
static void test_points_are_measured_between_vertices(void)
{
    static const struct {
        const char *text;
        double xyz[3];
    } cases[] = {
        {POINTS("{\"box\": {\"size\": [1, 1, 1], \"cells\": [2, 3, 2]}}", "[0.13, 0.77, 0.41]"),
         {5 - 0.77, 0.13, 0.41}},
        {POINTS("{\"grid\": {\"size\": [1, 1], \"cells\": [2, 3]}}", "[0.13, 0, 0.41]"),
         {5, 0.13, 0.41}},
        {POINTS("{\"grid\": {\"size\": [1, 1], \"cells\": [2, 3]}}", "[0.3, 0.2, -0.4]"),
         {5, 0.3, 0}},
        {POINTS("{\"grid\": {\"size\": [1, 1], \"cells\": [2, 3]}}", "[7, 0.2, 8]"), {5, 1, 1}},
        {POINTS("{\"chain\": {\"length\": 1, \"links\": 4}}", "[0.37, 0.2, 0]"), {5, 0.37, 0}},
        {POINTS("{\"chain\": {\"length\": 1, \"links\": 4}}", "[1.5, 0, 0.1]"), {5, 1, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double xyz[3] = {0};
        TEST_ASSERT_TRUE_MESSAGE(measure_point(cases[i].text, xyz), problem.text);
        for (int k = 0; k < 3; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(1e-6, cases[i].xyz[k], xyz[k]);
        tearDown();
        setUp();
    }
    double xyz[3];
    TEST_ASSERT_FALSE(measure_point(
        POINTS("{\"box\": {\"size\": [1, 1, 1], \"cells\": [2, 3, 2]}}", "[0.5, 0.5, 1.001]"),
        xyz));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(problem.text, "is not in the mesh \"m\""), problem.text);
}

/* ---- fields: what they do to a body that flies freely ---- */

#define FREE_BALL(fields)                                                                          \
    "{\"description\": \"d\", \"world\": {\"gravity\": [0, 0, 0], \"dt\": 0.01}, \"materials\": "  \
    "{\"a\": {}}, \"meshes\": {\"ball\": {\"ball\": {\"radius\": 0.1, \"tetrahedra\": 100}}}, "    \
    "\"bodies\": [{\"name\": \"b\", \"mesh\": \"ball\", \"material\": \"a\"}], \"fields\": "       \
    "[" fields "]}"

/* Momentum after so many steps. */
static double pushed(const char *text, uint64_t steps, int axis)
{
    piola_body_info info;
    TEST_ASSERT_TRUE_MESSAGE(open_stage(text), problem.text);
    for (uint64_t s = 1; s <= steps; ++s) {
        TEST_ASSERT_TRUE_MESSAGE(stage_inputs_push(&stage, stage.world, s, &problem), problem.text);
        TEST_ASSERT_EQUAL_INT(PIOLA_OK, piola_world_step(stage.world, NULL, NULL));
    }
    TEST_ASSERT_EQUAL_INT(PIOLA_OK, piola_body_inspect(stage.world, stage.bodies[0].handle, &info));
    return info.momentum[axis];
}

static void test_a_force_gives_its_momentum_while_it_lasts(void)
{
    const char *text =
        FREE_BALL("{\"force\": {\"body\": \"b\", \"vertices\": [1, 2, 9], \"force\": "
                  "[0, 3, 0], \"from\": 0.1, \"until\": 0.3}}");
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 3 * 0.2, pushed(text, 50, 1));
}

/* All of the ball is well inside: its vertices feel the strength less what distance takes. */
static void test_a_sphere_pushes_away_from_its_middle(void)
{
    const char *text = FREE_BALL("{\"sphere\": {\"centre\": [-1, 0, 0], \"radius\": 4, "
                                 "\"strength\": 2, \"until\": 0.099}}");
    const double momentum = pushed(text, 20, 0);
    const double mass = stage.bodies[0].asset->stats.mass;
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * mass, mass * 2 * 0.75 * 0.1, momentum);
}

static void test_wind_changes_as_its_frames_say(void)
{
    const char *text =
        "{\"description\": \"d\", \"world\": {\"gravity\": [0, 0, 0], \"dt\": 0.01, "
        "\"air_density\": "
        "1.2}, \"materials\": {\"a\": {\"thickness\": 0.0005, \"density\": 300}}, \"meshes\": "
        "{\"sheet\": {\"grid\": {\"size\": [1, 1], \"cells\": [3, 3]}}}, \"bodies\": [{\"mesh\": "
        "\"sheet\", \"material\": \"a\", \"drag\": 1.2}], \"fields\": [{\"wind\": {\"frames\": "
        "[{\"time\": 0, \"velocity\": [0, 0, 0]}, {\"time\": 0.1, \"velocity\": [0, 4, 0]}, "
        "{\"time\": 0.2, \"velocity\": [0, 0, 0]}], \"repeat\": 0.2}}]}";
    /* Blown along, but not faster than the wind ever was. */
    const double momentum = pushed(text, 40, 1), mass = stage.bodies[0].asset->stats.mass;
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0.15, mass);
    TEST_ASSERT_TRUE(momentum > 0.3 * mass && momentum < 3 * mass);
}

#define AIRY(fields)                                                                               \
    "{\"description\": \"d\", \"world\": {\"gravity\": [0, 0, 0], \"dt\": 0.01, \"air_density\": " \
    "1.2}, \"materials\": {\"a\": {\"thickness\": 0.0005, \"density\": 300}}, \"meshes\": "        \
    "{\"sheet\": {\"grid\": {\"size\": [1, 1], \"cells\": [3, 3]}}}, \"bodies\": [{\"mesh\": "     \
    "\"sheet\", \"material\": \"a\", \"drag\": 1.2}], \"fields\": [" fields "]}"
#define THREE "\"origin\": [-1, 0, 2], \"spacing\": [0.5, 1, 0.5], \"count\": [3, 1, 1], "

/* What a grid's node holds, m/s. */
static void expect_node(uint32_t node, float x, float y, float z)
{
    TEST_ASSERT_LESS_THAN_UINT64(stage.world->dim[DIM_wind_nodes].used, node);
    const struct pk_quad *v = &world_wind_nodes(stage.world)[node];
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, x, v->x);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, y, v->y);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, z, v->z);
}

/* A grid of one vector is the wind that is the same everywhere, and of the two the sum counts. */
static void test_a_grid_of_winds_blows_as_its_nodes_say(void)
{
    const double wind = pushed(AIRY("{\"wind\": {\"velocity\": [0, 3, 0]}}"), 20, 1);
    tearDown();
    setUp();
    const double grid = pushed(AIRY("{\"wind_grid\": {" THREE "\"nodes\": "
                                    "[0, 3, 0, 0, 3, 0, 0, 3, 0]}}"),
                               20, 1);
    TEST_ASSERT_TRUE(wind > 0.1);
    TEST_ASSERT_EQUAL_DOUBLE(wind, grid);
    tearDown();
    setUp();
    const double both = pushed(AIRY("{\"wind\": {\"velocity\": [0, 1, 0]}}, {\"wind_grid\": {" THREE
                                    "\"nodes\": [0, 2, 0, 0, 2, 0, 0, 2, 0]}}"),
                               20, 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * wind, wind, both);
}

static void test_whirls_and_fronts_fill_a_grid(void)
{
    /* Node 1 is on the axis, the others at the radius. */
    TEST_ASSERT_TRUE_MESSAGE(
        open_stage(AIRY("{\"wind_grid\": {" THREE "\"whirls\": [{\"centre\": [-0.5, 7, 2], "
                        "\"radius\": 0.5, \"speed\": 3}], \"nodes\": [0, 0, 0, 0, 1, 0, 0, 0, "
                        "0]}}")),
        problem.text);
    expect_node(0, 0, 0, 3);
    expect_node(1, 0, 1, 0);
    expect_node(2, 0, 0, -3);
    tearDown();
    setUp();
    /* Node 0 is as far behind the front as it is wide, node 1 half so far, node 2 on it. */
    TEST_ASSERT_TRUE_MESSAGE(
        open_stage(AIRY("{\"wind_grid\": {" THREE "\"fronts\": [{\"at\": [0, 5, 0], \"width\": 1, "
                        "\"velocity\": [6, 0, 0]}]}}")),
        problem.text);
    expect_node(0, 6, 0, 0);
    expect_node(1, 3, 0, 0);
    expect_node(2, 0, 0, 0);
}

static void test_a_grid_of_winds_drifts_and_dies_down(void)
{
    (void)pushed(AIRY("{\"wind_grid\": {" THREE "\"nodes\": [0, 3, 0, 0, 3, 0, 0, 3, 0], "
                      "\"drift\": [2, 0, -1], \"repeat\": 0.5, \"frames\": [{\"time\": 0.1, "
                      "\"strength\": 1}, {\"time\": 0.2, \"strength\": 3}]}}"),
                 66, 1);
    /* The last step began at 0.65 s, which is 0.15 s after all began again. */
    const struct wind_grid *grid = world_wind_grid(stage.world);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, -1 + 0.3f, grid->origin[0]);
    TEST_ASSERT_EQUAL_FLOAT(0, grid->origin[1]);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 2 - 0.15f, grid->origin[2]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 2, grid->strength);
}

static void test_fields_that_cannot_be_are_refused(void)
{
    TEST_ASSERT_FALSE(open_stage(
        FREE_BALL("{\"wind_grid\": {" THREE "\"nodes\": [0, 3, 0, 0, 3, 0, 0, 3, 0]}}")));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(problem.text, "needs world.air_density"), problem.text);
    tearDown();
    setUp();
#define WHIRL "{\"centre\": [-0.5, 7, 2], \"radius\": 0.5, \"speed\": 5000}"
    TEST_ASSERT_FALSE(open_stage(
        AIRY("{\"wind_grid\": {" THREE "\"whirls\": [" WHIRL ", " WHIRL ", " WHIRL "]}}")));
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(problem.text, "fields[0].wind_grid: piola_wind_grid_desc.nodes[0]: "), problem.text);
    tearDown();
    setUp();
#define ONE "{\"wind_grid\": {" THREE "\"nodes\": [0, 3, 0, 0, 3, 0, 0, 3, 0]}}"
    TEST_ASSERT_FALSE(open_stage(AIRY(ONE ", " ONE)));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(problem.text, "there are 2 wind_grids; there can be one"),
                                 problem.text);
    tearDown();
    setUp();
    TEST_ASSERT_FALSE(open_stage(FREE_BALL("{\"wind\": {\"velocity\": [1, 0, 0]}}")));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(problem.text, "needs world.air_density"), problem.text);
}

static void test_cloth_without_a_weight_of_its_own_is_refused(void)
{
    TEST_ASSERT_FALSE(
        open_stage("{\"description\": \"d\", \"materials\": {\"a\": {}}, \"meshes\": {\"sheet\": "
                   "{\"grid\": {\"size\": [1, 1], \"cells\": [3, 3]}}}, \"bodies\": [{\"mesh\": "
                   "\"sheet\", \"material\": \"a\"}]}"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(problem.text, "needs a \"thickness\""), problem.text);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/piola-surfaces-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_a_sphere_is_closed_and_round);
    RUN_TEST(test_bends_lie_over_inner_edges);
    RUN_TEST(test_subdivision_smooths);
    RUN_TEST(test_a_relief_has_its_height);
    RUN_TEST(test_regions_of_a_file_get_their_material);
    RUN_TEST(test_a_region_that_no_element_has_is_refused);
    RUN_TEST(test_a_region_that_is_no_whole_number_is_refused);
    RUN_TEST(test_a_detail_follows_its_body);
    RUN_TEST(test_heights_are_those_of_the_mesh);
    RUN_TEST(test_heights_that_cannot_be_are_refused);
    RUN_TEST(test_points_are_measured_between_vertices);
    RUN_TEST(test_a_force_gives_its_momentum_while_it_lasts);
    RUN_TEST(test_a_sphere_pushes_away_from_its_middle);
    RUN_TEST(test_wind_changes_as_its_frames_say);
    RUN_TEST(test_a_grid_of_winds_blows_as_its_nodes_say);
    RUN_TEST(test_whirls_and_fronts_fill_a_grid);
    RUN_TEST(test_a_grid_of_winds_drifts_and_dies_down);
    RUN_TEST(test_fields_that_cannot_be_are_refused);
    RUN_TEST(test_cloth_without_a_weight_of_its_own_is_refused);
    for (int i = 0; i < 2; ++i)
        remove(in_folder(i ? "box.node" : "box.ele"));
    rmdir(folder);
    return UNITY_END();
}
