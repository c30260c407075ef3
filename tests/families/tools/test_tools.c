/* Tools: what a hand feels through a ball on a spring, and what it does.
 * covers: src/families/tools/tools.c src/families/rigid/rigid_spring.c
 */
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

static double length(const float v[3])
{
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                (double)v[2] * (double)v[2]);
}

/* In the air the proxy goes where the device goes, at any stiffness, and is not felt there. */
static void test_follows_the_device(void)
{
    static const float stiffness[] = {1, 1e3f, 1e6f, 1e9f};
    for (int i = 0; i < 4; ++i) {
        struct bench_block how = bench_block_default();
        how.tool.stiffness = stiffness[i];
        how.tool.damping = 2 * sqrtf(stiffness[i] * 0.05f);
        how.tool.max_force = 100;
        how.across = how.high = 1;
        const struct bench b = bench_of(&how, 0.2);
        bench_send(&b, 0.05, 0.3, -0.02, 20);
        bench_send(&b, 0.05, 0.3, -0.02, 600);
        const piola_tool_info tool = bench_tool(&b);
        const piola_rigid_info ball = bench_ball(&b);
        for (int k = 0; k < 3; ++k)
            TEST_ASSERT_FLOAT_WITHIN(2e-5f, tool.position[k], ball.position[k]);
        TEST_ASSERT_TRUE(length(tool.force) < 2e-3 * (stiffness[i] > 1e3f ? 50 : 1));
    }
}

static void test_turns_with_the_device(void)
{
    struct bench_block how = bench_block_default();
    how.across = how.high = 1;
    const struct bench b = bench_of(&how, 0.2);
    const float heading[4] = {0.6f, 0, 0.5291503f, 0.6f};
    fixture_ok(piola_tool_turn(b.world, b.tool, heading), NULL);
    fixture_steps(b.world, NULL, 200);
    const piola_rigid_info ball = bench_ball(&b);
    double same = 0;
    for (int k = 0; k < 4; ++k)
        same += (double)heading[k] * (double)ball.rotation[k];
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1, fabs(same));
}

/* At rest the hand feels what the tissue bears, along with its moment; and that is what a spring of
 * that stiffness exerts between device and proxy. */
static void test_feels_what_the_tissue_bears(void)
{
    struct bench_block how = bench_block_default();
    const struct bench b = bench_of(&how, 0.001);
    bench_send(&b, 0, -0.006, 0, 40);
    bench_send(&b, 0, -0.006, 0, 200);
    const piola_tool_info tool = bench_tool(&b);
    const piola_rigid_info ball = bench_ball(&b);
    printf("pressed by 6 mm: %.4f N on the hand, %.4f N of the block\n", (double)tool.force[1],
           ball.force[1]);
    TEST_ASSERT_TRUE(tool.force[1] > 0.3f);
    for (int k = 0; k < 3; ++k) {
        const double gap = (double)ball.position[k] - (double)tool.position[k];
        TEST_ASSERT_DOUBLE_WITHIN(2e-3 * length(tool.force), ball.force[k], (double)tool.force[k]);
        TEST_ASSERT_DOUBLE_WITHIN(2e-3 * length(tool.force), 1000 * gap, (double)tool.force[k]);
    }
}

/* The force at the depth to which the ball gets is that of a ball which is held there, at rest and
 * with many iterations. */
static void test_force_against_depth(void)
{
    static const double ways[] = {0.0012, 0.0026, 0.007, 0.0153};
    struct bench_block how = bench_block_default();
    const struct bench b = bench_of(&how, 0.001);
    how.iterations = 100;
    const struct bench held = bench_of(&how, 0.1);
    piola_collider_desc ball = piola_collider_desc_default();
    piola_collider handle;
    ball.shape = piola_shape_sphere((float)b.radius);
    for (int k = 0; k < 3; ++k)
        ball.position[k] = (float)(b.top[k] + (k == 1 ? b.radius + 0.001 : 0));
    fixture_ok(piola_collider_create(held.world, &ball, &handle, NULL), NULL);
    for (int i = 0; i < 4; ++i) {
        /* To 1, 2, 5 and 10 mm, beside what the spring is stretched. */
        bench_send(&b, 0, -ways[i], 0, 20);
        bench_send(&b, 0, -ways[i], 0, 120);
        const double depth = b.top[1] + b.radius - (double)bench_ball(&b).position[1];
        const double felt = (double)bench_tool(&b).force[1];
        piola_collider_info info;
        fixture_ok(piola_collider_move(held.world, handle, bench_ball(&b).position), NULL);
        fixture_steps(held.world, NULL, 40);
        fixture_ok(piola_collider_inspect(held.world, handle, &info), NULL);
        printf("%.2f mm deep: %.4f N, held there %.4f N\n", 1e3 * depth, felt, info.force[1]);
        TEST_ASSERT_DOUBLE_WITHIN(0.05 * info.force[1], info.force[1], felt);
    }
}

/* Thrown 10 cm into the tissue: the force is capped, nothing is lost, and what is left behind goes
 * back. */
static void test_thrown_into_the_tissue(void)
{
    struct bench_block how = bench_block_default();
    how.tool.stiffness = 5000;
    how.tool.damping = 30;
    how.tool.max_force = 8;
    how.high = 8;
    const struct bench b = bench_of(&how, 0.005);
    const uint32_t vertices = 9 * 9 * 9;
    float *before = fixture_memory(3 * vertices * sizeof *before);
    float *after = fixture_memory(3 * vertices * sizeof *after);
    fixture_ok(piola_body_positions(b.world, b.block, 0, vertices, before), NULL);
    double most = 0, back = 0;
    for (int i = 0; i < 100; ++i) {
        bench_send(&b, 0, -0.1, 0, 1);
        const piola_tool_info tool = bench_tool(&b);
        most = fmax(most, length(tool.force));
        TEST_ASSERT_TRUE(isfinite(length(tool.force)));
    }
    TEST_ASSERT_TRUE(most > 7.9 && most <= 8.001);
    bench_send(&b, 0, 0.1, 0, 1);
    bench_send(&b, 0, 0.1, 0, 199);
    fixture_ok(piola_body_positions(b.world, b.block, 0, vertices, after), NULL);
    for (uint32_t i = 0; i < 3 * vertices; ++i)
        back = fmax(back, fabs((double)after[i] - (double)before[i]));
    printf("thrown 10 cm into it: at most %.3f N; 1 s after it left, %.3g m away at most\n", most,
           back);
    TEST_ASSERT_TRUE(back < 5e-4);
}

/* The stiffness grows no faster than it may. */
static void test_stiffness_rises(void)
{
    struct bench_block how = bench_block_default();
    how.across = how.high = 1;
    how.tool.stiffness_rise = 20000;
    const struct bench b = bench_of(&how, 0.2);
    TEST_ASSERT_EQUAL_FLOAT(0, bench_tool(&b).stiffness);
    fixture_steps(b.world, NULL, 4);
    TEST_ASSERT_FLOAT_WITHIN(0.01f, 400, bench_tool(&b).stiffness);
    fixture_steps(b.world, NULL, 20);
    TEST_ASSERT_EQUAL_FLOAT(1000, bench_tool(&b).stiffness);
    fixture_ok(piola_tool_set_stiffness(b.world, b.tool, 100), NULL);
    fixture_steps(b.world, NULL, 1);
    TEST_ASSERT_EQUAL_FLOAT(100, bench_tool(&b).stiffness);
    fixture_ok(piola_tool_set_stiffness(b.world, b.tool, 500), NULL);
    fixture_steps(b.world, NULL, 2);
    TEST_ASSERT_FLOAT_WITHIN(0.01f, 300, bench_tool(&b).stiffness);
}

/* What holds it, its collider does not let through. */
static void test_colliders_stop_it(void)
{
    struct bench_block how = bench_block_default();
    how.across = how.high = 1;
    const struct bench b = bench_of(&how, 0.2);
    piola_collider_desc floor = piola_collider_desc_default();
    piola_collider handle;
    floor.position[1] = 0.1f;
    fixture_ok(piola_collider_create(b.world, &floor, &handle, NULL), NULL);
    bench_send(&b, 0.1, -0.1, 0, 1);
    bench_send(&b, 0.1, -0.1, 0, 300);
    const piola_tool_info tool = bench_tool(&b);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 0.12f, bench_ball(&b).position[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 10, length(tool.force));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_follows_the_device);
    RUN_TEST(test_turns_with_the_device);
    RUN_TEST(test_feels_what_the_tissue_bears);
    RUN_TEST(test_force_against_depth);
    RUN_TEST(test_thrown_into_the_tissue);
    RUN_TEST(test_stiffness_rises);
    RUN_TEST(test_colliders_stop_it);
    return UNITY_END();
}
