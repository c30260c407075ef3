/* What a hand feels against closed forms: a flat plate, a ball on a half-space, momentum, what pins
 * bear, a stroke at constant speed; over stiffnesses and meshes.
 * covers: src/families/tools/tools.c src/families/rigid/rigid_spring.c
 */
#include "ref_uniaxial.h"
#include "tool_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* ---- a plate on a block whose sides are free ---- */

/* Vertices at the bottom stay at their height and slide, but one, in the middle. */
static void rest_on_rollers(piola_world *world, piola_body body, uint32_t vertices, uint32_t middle)
{
    float *x = fixture_memory(3 * (size_t)vertices * sizeof *x);
    fixture_ok(piola_body_positions(world, body, 0, vertices, x), NULL);
    for (uint32_t i = 0; i < vertices; ++i)
        if (x[3 * i + 1] < 1e-6f)
            fixture_ok(
                piola_body_pin_plane(world, body, i, &x[3 * (size_t)i], (const float[]){0, 1, 0}),
                NULL);
    fixture_ok(piola_body_pin(world, body, middle, &x[3 * (size_t)middle]), NULL);
}

static piola_tool plate_on(piola_world *world, float side, float top, float stiffness)
{
    piola_rigid_desc plate = piola_rigid_desc_default();
    piola_tool_desc tool = piola_tool_desc_default();
    piola_tool handle;
    plate.shape = piola_shape_box((const float[]){side, 0.01f, side}, 0);
    plate.mass = 0.1f;
    plate.gravity_scale = 0;
    plate.friction_static = plate.friction_kinetic = 0;
    plate.position[0] = plate.position[2] = side / 2;
    plate.position[1] = top + 0.0101f;
    memcpy(tool.position, plate.position, sizeof tool.position);
    fixture_ok(piola_rigid_create(world, &plate, &tool.rigid, NULL), NULL);
    tool.stiffness = stiffness;
    tool.damping = 2 * sqrtf(stiffness * plate.mass);
    tool.turn_stiffness = 1000;
    tool.turn_damping = 10;
    tool.max_force = 1e6f;
    tool.max_torque = 1e4f;
    fixture_ok(piola_tool_create(world, &tool, &handle, NULL), NULL);
    return handle;
}

/* N at each depth, against uniaxial compression of stable Neo-Hookean stuff. */
static void press_flat(float young, int cells)
{
    static const double depths[] = {0.001, 0.002, 0.005, 0.01};
    const double high = 0.05, side = 0.1;
    piola_world_desc d = piola_world_desc_default();
    piola_material m = piola_material_default();
    const uint32_t n = (uint32_t)(2 * cells + 1), vertices = n * n * (uint32_t)(cells + 1);
    d.max_rigids = d.max_tools = 1;
    d.max_guides = vertices;
    d.max_face_contacts = 8192;
    d.gravity[1] = 0;
    m.young = young;
    m.poisson = 0.45f;
    m.damping = 0.01f;
    piola_world *world = fixture_world(&d);
    const piola_body body = fixture_body(
        world, fixture_beam_of(2 * cells, cells, 2 * cells, high / cells, &m, 0), 0, 0, 0);
    rest_on_rollers(world, body, vertices,
                    n * ((uint32_t)cells + 1) * (uint32_t)cells + (uint32_t)cells);
    const piola_tool tool = plate_on(world, (float)side, (float)high, 10 * young);
    for (int i = 0; i < 4; ++i) {
        piola_tool_info info;
        piola_rigid_info plate;
        fixture_ok(piola_tool_inspect(world, tool, &info), NULL);
        const float from = info.position[1], to = (float)(high + 0.01 - 1.02 * depths[i]);
        for (int k = 1; k <= 120; ++k) {
            const float share = k < 20 ? (float)k / 20 : 1;
            const float at[3] = {info.position[0], from + share * (to - from), info.position[2]};
            fixture_ok(piola_tool_move(world, tool, at), NULL);
            fixture_steps(world, NULL, 1);
        }
        fixture_ok(piola_tool_inspect(world, tool, &info), NULL);
        fixture_ok(piola_rigid_inspect(world, info.rigid, &plate), NULL);
        const double depth = high + 0.01 - (double)plate.position[1];
        const ref_uniaxial law =
            ref_uniaxial_stable_neo_hookean((double)young, 0.45, 1 - depth / high);
        const double theory = -law.stress * side * side;
        printf("%.0e Pa, %d cells high, %.2f mm: %.4f N, theory %.4f\n", (double)young, cells,
               1e3 * depth, (double)info.force[1], theory);
        TEST_ASSERT_DOUBLE_WITHIN(0.05 * theory, theory, (double)info.force[1]);
    }
}

static void test_a_flat_block(void)
{
    press_flat(1e4f, 3);
    press_flat(1e6f, 2);
    press_flat(1e8f, 2);
    if (getenv("PIOLA_PROOFS"))
        press_flat(1e5f, 6);
}

/* ---- a ball on a half-space ---- */

/* How far the cells reach of which the first is `first` m, each next one `grows` times as large. */
static double reach(double first, double grows, double cells)
{
    return first * (pow(grows, cells) - 1) / (grows - 1);
}

/* Cells of 3 mm below the ball, which grow away from it; where the ball touches, m. */
static ref_mesh ground_of(double middle[3])
{
    enum { ACROSS = 16, DEEP = 9 };
    const double first = 0.003, across = 1.35, down = 1.45;
    ref_mesh mesh;
    TEST_ASSERT_TRUE(
        ref_mesh_beam(&mesh, (const int[]){ACROSS, DEEP, ACROSS}, (const double[]){2, 1, 2}, 5));
    middle[0] = middle[2] = reach(first, across, ACROSS / 2.0);
    middle[1] = reach(first, down, DEEP);
    for (int i = 0; i < mesh.vertices; ++i)
        for (int k = 0; k < 3; ++k) {
            double *x = &mesh.x[3 * i + k];
            const double u = 1 - *x;
            *x = k == 1 ? middle[1] - reach(first, down, u * DEEP)
                        : middle[k] - copysign(reach(first, across, fabs(u) * ACROSS / 2), u);
        }
    return mesh;
}

static void press_ball(float young, uint32_t faces)
{
    const double radius = 0.08, poisson = 0.3;
    double middle[3];
    piola_world_desc d = piola_world_desc_default();
    piola_material m = piola_material_default();
    piola_rigid_desc ball = piola_rigid_desc_default();
    piola_tool_desc tool = piola_tool_desc_default();
    piola_tool handle;
    piola_tool_info info;
    piola_rigid_info proxy;
    ref_mesh mesh = ground_of(middle);
    d.max_rigids = d.max_tools = 1;
    d.max_face_contacts = faces;
    d.gravity[1] = 0;
    m.young = young;
    m.poisson = (float)poisson;
    m.damping = 0.02f;
    piola_mesh_desc desc = fixture_mesh(&mesh, &m);
    piola_world *world = fixture_world(&d);
    const piola_body body = fixture_body(world, fixture_compile(&desc), 0, 0, 0);
    for (uint32_t i = 0; i < (uint32_t)mesh.vertices; ++i) {
        const float at[3] = {(float)mesh.x[3 * i], (float)mesh.x[3 * i + 1],
                             (float)mesh.x[3 * i + 2]};
        if (mesh.x[3 * i + 1] < 1e-6)
            fixture_ok(piola_body_pin(world, body, i, at), NULL);
    }
    ball.shape = piola_shape_sphere((float)radius);
    ball.mass = 0.2f;
    ball.gravity_scale = 0;
    ball.friction_static = ball.friction_kinetic = 0;
    for (int k = 0; k < 3; ++k)
        ball.position[k] = (float)(middle[k] + (k == 1 ? radius + 0.0001 : 0));
    memcpy(tool.position, ball.position, sizeof tool.position);
    fixture_ok(piola_rigid_create(world, &ball, &tool.rigid, NULL), NULL);
    tool.stiffness = young;
    tool.damping = 2 * sqrtf(young * ball.mass);
    tool.max_force = 1e6f;
    fixture_ok(piola_tool_create(world, &tool, &handle, NULL), NULL);
    for (int k = 1; k <= 80; ++k) {
        const float down = 0.004f * (k < 20 ? (float)k / 20 : 1);
        fixture_ok(piola_tool_move(world, handle,
                                   (const float[]){ball.position[0], ball.position[1] - down,
                                                   ball.position[2]}),
                   NULL);
        fixture_steps(world, NULL, 1);
    }
    fixture_ok(piola_tool_inspect(world, handle, &info), NULL);
    fixture_ok(piola_rigid_inspect(world, info.rigid, &proxy), NULL);
    const double depth = middle[1] + radius - (double)proxy.position[1];
    const double theory =
        4.0 / 3 * (double)young / (1 - poisson * poisson) * sqrt(radius) * depth * sqrt(depth);
    printf("%.0e Pa: a ball of %.0f mm pressed by %.3f mm: %.4f N, Hertz %.4f\n", (double)young,
           1e3 * radius, 1e3 * depth, (double)info.force[1], theory);
    TEST_ASSERT_DOUBLE_WITHIN(0.1 * theory, theory, (double)info.force[1]);
    ref_mesh_free(&mesh);
}

static void test_hertz(void)
{
    press_ball(1e5f, 16384);
    if (!getenv("PIOLA_PROOFS"))
        return;
    press_ball(1e4f, 16384);
    press_ball(1e6f, 0);
}

/* ---- momentum ---- */

static void momentum_of(const struct bench *b, double p[3])
{
    piola_body_info body;
    const piola_rigid_info ball = bench_ball(b);
    fixture_ok(piola_body_inspect(b->world, b->block, &body), NULL);
    for (int k = 0; k < 3; ++k)
        p[k] = body.momentum[k] + 0.05 * (double)ball.velocity[k];
}

/* A block that nothing holds is pushed off by the hand: what the hand gave in force and time is
 * what it has. */
static void test_force_over_time_is_momentum(void)
{
    static const struct {
        double young;
        uint32_t substeps, iterations;
    } trials[] = {{1e4, 1, 5}, {1e5, 1, 5}, {1e6, 3, 5}, {1e7, 1, 5}, {1e9, 1, 5}};
    for (int i = 0; i < 5; ++i) {
        struct bench_block how = bench_block_default();
        how.young = trials[i].young;
        how.substeps = trials[i].substeps;
        how.iterations = trials[i].iterations;
        how.free = true;
        how.across = how.high = 3;
        const struct bench b = bench_of(&how, 0.0005);
        double before[3], after[3], given[3] = {0, 0, 0};
        momentum_of(&b, before);
        for (int s = 1; s <= 120; ++s) {
            const double t = how.dt * s;
            bench_send(&b, 0, 0.0005 - 0.2 * t * t, 0, 1);
            for (int k = 0; k < 3; ++k)
                given[k] -= how.dt * (double)bench_tool(&b).force[k];
        }
        momentum_of(&b, after);
        const double size = fabs(after[1] - before[1]);
        printf("%.0e Pa, %u substeps of %u iterations: the hand gave %.5f N s, %.3g %% too much\n",
               trials[i].young, trials[i].substeps, trials[i].iterations, given[1],
               100 * (given[1] / (after[1] - before[1]) - 1));
        TEST_ASSERT_TRUE(size > 0.02);
        for (int k = 0; k < 3; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(0.01 * size, after[k] - before[k], given[k]);
    }
}

/* ---- what pins bear ---- */

static void test_pins_bear_what_the_hand_presses_with(void)
{
    static const double young[] = {1e4, 1e6};
    for (int i = 0; i < 2; ++i) {
        struct bench_block how = bench_block_default();
        const uint32_t vertices = 9 * 9 * 5;
        float *pushes = fixture_memory(3 * vertices * sizeof *pushes);
        double sum[3] = {0, 0, 0};
        how.young = young[i];
        how.report = true;
        how.tool.stiffness = 1e5f;
        how.tool.damping = 150;
        how.tool.max_force = 1e4f;
        const struct bench b = bench_of(&how, 0.001);
        bench_send(&b, 0.003, -0.004, 0, 30);
        bench_send(&b, 0.003, -0.004, 0, 200);
        const piola_tool_info tool = bench_tool(&b);
        fixture_ok(piola_body_reactions(b.world, b.block, 0, vertices, pushes), NULL);
        for (uint32_t k = 0; k < 3 * vertices; ++k)
            sum[k % 3] += (double)pushes[k];
        printf("%.0e Pa: the hand is pushed with (%.4f %.4f %.4f) N, pins push with (%.4f %.4f "
               "%.4f)\n",
               young[i], (double)tool.force[0], (double)tool.force[1], (double)tool.force[2],
               sum[0], sum[1], sum[2]);
        for (int k = 0; k < 3; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(0.01 * fabs(sum[1]), sum[k], (double)tool.force[k]);
    }
}

/* ---- a stroke ---- */

/* The mean, and the greatest departure of y from the parabola that fits it best. */
static double ripple(const double *y, int count, double *mean)
{
    double m[3][4] = {{0}}, c[3], most = 0;
    for (int i = 0; i < count; ++i) {
        const double u = 2.0 * i / (count - 1) - 1, p[4] = {1, u, u * u, y[i]};
        for (int r = 0; r < 3; ++r)
            for (int k = 0; k < 4; ++k)
                m[r][k] += p[r] * p[k];
    }
    *mean = m[0][3] / m[0][0];
    for (int r = 0; r < 3; ++r)
        for (int q = r + 1; q < 3; ++q)
            for (int k = 3; k >= r; --k)
                m[q][k] -= m[q][r] / m[r][r] * m[r][k];
    for (int r = 2; r >= 0; --r) {
        c[r] = m[r][3];
        for (int k = r + 1; k < 3; ++k)
            c[r] -= m[r][k] * c[k];
        c[r] /= m[r][r];
    }
    for (int i = 0; i < count; ++i) {
        const double u = 2.0 * i / (count - 1) - 1;
        most = fmax(most, fabs(y[i] - c[0] - c[1] * u - c[2] * u * u));
    }
    return most;
}

/* Where what is touched is wider than a few cells: narrower, each vertex is felt. */
static void test_a_stroke_is_even(void)
{
    static const struct {
        double young, radius, cell, deep;
        int across, high;
    } trials[] = {{1e4, 0.04, 0.00625, 0.008, 16, 5}, {1e5, 0.05, 0.00625, 0.008, 16, 5}};
    for (int i = 0; i < (getenv("PIOLA_PROOFS") ? 2 : 1); ++i) {
        enum { STEPS = 100 };
        struct bench_block how = bench_block_default();
        double press[STEPS], mean;
        how.young = trials[i].young;
        how.radius = trials[i].radius;
        how.cell = trials[i].cell;
        how.across = trials[i].across;
        how.high = trials[i].high;
        how.tool.stiffness = (float)(0.2 * how.young);
        how.tool.damping = 20;
        how.tool.max_force = 100;
        const struct bench b = bench_of(&how, 0.001);
        bench_send(&b, -0.02, -trials[i].deep, 0, 40);
        bench_send(&b, -0.02, -trials[i].deep, 0, 40);
        for (int s = 0; s < STEPS; ++s) {
            bench_send(&b, -0.02 + 0.0004 * (s + 1), -trials[i].deep, 0, 1);
            press[s] = (double)bench_tool(&b).force[1];
        }
        const double most = ripple(press + 15, STEPS - 15, &mean);
        printf("%.0e Pa, cells of %.2f mm, a ball of %.0f mm: %.4f N, ripple %.2f %%\n",
               trials[i].young, 1e3 * how.cell, 1e3 * how.radius, mean, 100 * most / mean);
        TEST_ASSERT_TRUE(most < 0.02 * mean);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_flat_block);
    RUN_TEST(test_hertz);
    RUN_TEST(test_force_over_time_is_momentum);
    RUN_TEST(test_pins_bear_what_the_hand_presses_with);
    RUN_TEST(test_a_stroke_is_even);
    return UNITY_END();
}
