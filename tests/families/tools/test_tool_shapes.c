/* Tools whose proxies are hulls, triangles and grids of distances: they feel what the same shape of
 * another kind feels; a blade is pressed in, a hook lifts.
 * covers: src/families/tools/tools.c src/families/rigid/rigid_spring.c
 */
#include "shape_fixture.h"
#include "tool_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

#define TOP 0.05f /* m, of a block 0.1 m wide */
enum { ACROSS = 8, HIGH = 4, VERTICES = 9 * 9 * 5, FACES = 4096 };

/* A block that is held below, or at its left end if it overhangs. */
static piola_world *block_of(const piola_shape_data *data, uint32_t faces, bool overhangs)
{
    piola_world_desc d = piola_world_desc_default();
    piola_material m = piola_material_default();
    float x[3 * VERTICES];
    d.max_rigids = d.max_tools = 1;
    d.max_face_contacts = faces;
    memset(d.gravity, 0, sizeof d.gravity);
    m.young = 2e4f;
    m.poisson = 0.4f;
    m.damping = 0.05f;
    piola_world *world = fixture_world(&d);
    const piola_body block =
        fixture_body(world, fixture_beam_of(ACROSS, HIGH, ACROSS, 0.0125, &m, 0), 0, 0, 0);
    fixture_ok(piola_body_positions(world, block, 0, VERTICES, x), NULL);
    for (uint32_t i = 0; i < VERTICES; ++i)
        if (x[3 * i + (overhangs ? 0 : 1)] < 1e-5f)
            fixture_ok(piola_body_pin(world, block, i, &x[3 * (size_t)i]), NULL);
    if (data)
        fixture_ok(piola_world_add_shape(world, data), NULL);
    return world;
}

/* N on the hand in the end, after it led a proxy from one height to another. What it felt in the
 * last steps is even, and what is borne there. */
static double lead(piola_world *world, piola_shape shape, const float from[3], float to)
{
    piola_rigid_desc proxy = piola_rigid_desc_default();
    piola_tool_desc tool = piola_tool_desc_default();
    piola_tool_info info = {0};
    piola_rigid_info borne;
    piola_tool handle;
    double least = 1e9, most = -1e9;
    proxy.shape = shape;
    proxy.mass = 0.05f;
    proxy.gravity_scale = 0;
    proxy.inertia[0] = proxy.inertia[1] = proxy.inertia[2] = 1e-5f;
    memcpy(proxy.position, from, sizeof proxy.position);
    memcpy(tool.position, from, sizeof tool.position);
    tool.stiffness = 2000;
    tool.damping = 20;
    tool.turn_stiffness = 100;
    tool.turn_damping = 1;
    tool.max_force = 100;
    tool.max_torque = 100;
    fixture_ok(piola_rigid_create(world, &proxy, &tool.rigid, NULL), NULL);
    fixture_ok(piola_tool_create(world, &tool, &handle, NULL), NULL);
    for (int k = 1; k <= 100; ++k) {
        const float share = k < 20 ? (float)k / 20 : 1;
        const float at[3] = {from[0], from[1] + share * (to - from[1]), from[2]};
        fixture_ok(piola_tool_move(world, handle, at), NULL);
        fixture_steps(world, NULL, 1);
        fixture_ok(piola_tool_inspect(world, handle, &info), NULL);
        least = k > 90 ? fmin(least, (double)info.force[1]) : least;
        most = k > 90 ? fmax(most, (double)info.force[1]) : most;
    }
    fixture_ok(piola_rigid_inspect(world, info.rigid, &borne), NULL);
    const double force = (double)info.force[1];
    TEST_ASSERT_TRUE(fabs(force) > 0.05);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * fabs(force), (double)borne.force[1], force);
    TEST_ASSERT_TRUE(most - least < 0.02 * fabs(force));
    return force;
}

static double press(piola_shape shape, float half, uint32_t faces)
{
    const float from[3] = {0.052f, TOP + half + 0.0005f, 0.049f};
    return lead(block_of(shape.data, faces, false), shape, from, TOP + half - 0.006f);
}

static void test_one_box_as_three_shapes(void)
{
    const double low[3] = {-0.02, -0.01, -0.02}, high[3] = {0.02, 0.01, 0.02};
    const float half[3] = {0.02f, 0.01f, 0.02f};
    static struct shape_tris tris;
    shape_fixture_box(&tris, low, high);
    const piola_shape_desc hull = shape_fixture_desc(&tris, PIOLA_SHAPE_HULL);
    const piola_shape_desc mesh = shape_fixture_desc(&tris, PIOLA_SHAPE_MESH);
    const double box = press(piola_shape_box(half, 0), 0.01f, FACES);
    const double as_hull = press(piola_shape_of(shape_fixture_compile(&hull)), 0.01f, FACES);
    const double as_mesh = press(piola_shape_of(shape_fixture_compile(&mesh)), 0.01f, FACES);
    printf("a box: %.4f N, as a hull %.4f N, as triangles %.4f N\n", box, as_hull, as_mesh);
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * box, box, as_hull);
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * box, box, as_mesh);
}

/* Only vertices feel a grid, so only they feel the ball. */
static void test_a_ball_as_a_grid(void)
{
    enum { SAMPLES = 24 };
    static float samples[SAMPLES * SAMPLES * SAMPLES];
    const float radius = 0.02f, spacing = 0.0025f, first = -0.5f * spacing * (SAMPLES - 1);
    piola_shape_desc d = piola_shape_desc_default();
    for (int i = 0; i < SAMPLES * SAMPLES * SAMPLES; ++i) {
        const int at[3] = {i % SAMPLES, i / SAMPLES % SAMPLES, i / (SAMPLES * SAMPLES)};
        float square = 0;
        for (int k = 0; k < 3; ++k) {
            const float x = first + spacing * (float)at[k];
            square += x * x;
        }
        samples[i] = sqrtf(square) - radius;
    }
    d.kind = PIOLA_SHAPE_DISTANCES;
    d.samples = samples;
    d.spacing = spacing;
    for (int k = 0; k < 3; ++k) {
        d.sample_count[k] = SAMPLES;
        d.origin[k] = first;
    }
    const double ball = press(piola_shape_sphere(radius), radius, 0);
    const double grid = press(piola_shape_of(shape_fixture_compile(&d)), radius, 0);
    printf("a ball: %.4f N, as a grid of distances %.4f N\n", ball, grid);
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * ball, ball, grid);
}

/* Scissors that are closed: a wedge with an edge of 1 mm. */
static void test_a_blade(void)
{
    static const double corners[] = {
        -0.03, -0.01, -0.0005, 0.03, -0.01, -0.0005, -0.03, -0.01, 0.0005, 0.03, -0.01, 0.0005,
        -0.03, 0.01,  -0.004,  0.03, 0.01,  -0.004,  -0.03, 0.01,  0.004,  0.03, 0.01,  0.004};
    piola_shape_desc d = piola_shape_desc_default();
    d.kind = PIOLA_SHAPE_HULL;
    d.vertices = corners;
    d.vertex_count = 8;
    const double force = press(piola_shape_of(shape_fixture_compile(&d)), 0.01f, FACES);
    printf("a blade pressed in by 6 mm: %.4f N\n", force);
    TEST_ASSERT_TRUE(force > 0);
}

/* An L of two boxes that nearly touch, its foot below the end of a block that sticks out. */
static void test_a_hook_lifts(void)
{
    static struct shape_tris stem, foot;
    const double a[2][3] = {{0, -0.005, -0.005}, {0.01, 0.07, 0.005}};
    const double b[2][3] = {{-0.03, -0.005, -0.005}, {-0.0001, 0.005, 0.005}};
    shape_fixture_box(&stem, a[0], a[1]);
    shape_fixture_box(&foot, b[0], b[1]);
    const uint32_t more = stem.vertices;
    for (uint32_t i = 0; i < 3 * foot.vertices; ++i)
        stem.v[3 * more + i] = foot.v[i];
    for (uint32_t i = 0; i < 3 * foot.triangles; ++i)
        stem.t[3 * stem.triangles + i] = more + foot.t[i];
    stem.vertices += foot.vertices;
    stem.triangles += foot.triangles;
    const piola_shape_desc d = shape_fixture_desc(&stem, PIOLA_SHAPE_MESH);
    const piola_shape_data *data = shape_fixture_compile(&d);
    const float from[3] = {0.104f, -0.0055f, 0.05f};
    const double force = lead(block_of(data, FACES, true), piola_shape_of(data), from, 0.0005f);
    printf("a hook lifts the end of a block by 5 mm: %.4f N\n", force);
    TEST_ASSERT_TRUE(force < 0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_one_box_as_three_shapes);
    RUN_TEST(test_a_ball_as_a_grid);
    RUN_TEST(test_a_blade);
    RUN_TEST(test_a_hook_lifts);
    return UNITY_END();
}
