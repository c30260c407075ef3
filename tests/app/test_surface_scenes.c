/* test_surface_scenes.c - outcomes of the scenes whose bodies touch each other, run by the `piola`
 * program: what each scene says there is to see.
 *
 * covers: scenes/ io/scene/
 */
#define _POSIX_C_SOURCE 200809L
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    program_forget();
}

/* The heap lies on the floor with its weight, and did not fall into itself. */
static void test_a_heap_is_held(void)
{
    if (!outcome_of("pile"))
        return;
    const double weight = 9.81 * sensor("mass", 0);
    TEST_ASSERT_DOUBLE_WITHIN(0.1 * weight, -weight, sensor("floor", 1));
    ABOVE(0.15, sensor("ring", 1));
    ABOVE(0.1, sensor("sheet", 1));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
}

/* Both heaps sleep, one was pushed away and woken for that, and the floor bears them still. */
static void test_heaps_sleep(void)
{
    if (!outcome_of("sleep"))
        return;
    const double weight = 9.81 * sensor("mass", 0);
    TEST_ASSERT_EQUAL_DOUBLE(36, number("asleep"));
    ABOVE(17, number("woken"));
    BELOW(36, number("woken"));
    TEST_ASSERT_DOUBLE_WITHIN(0.1 * weight, -weight, sensor("floor", 1));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("speed", 0));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
}

/* All are through: they lie on the floor, below the funnel, and have their shape again. */
static void test_all_get_through_a_funnel(void)
{
    if (!outcome_of("funnel"))
        return;
    BELOW(-0.5 * 9.81 * sensor("mass", 0), sensor("floor", 1));
    BELOW(0.35, sensor("high", 1));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
}

/* Neo-Hookean stuff bears what crushes that of St Venant and Kirchhoff. */
static void test_a_heavy_ball_tells_two_materials_apart(void)
{
    if (!outcome_of("heavy"))
        return;
    /* Both take their shape again and throw the balls back. */
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
    ABOVE(0.9 * 0.027, sensor("neo", 0));
    ABOVE(0.9 * 0.027, sensor("stvk", 0));
    moment(0.29);
    ABOVE(sensor("right", 1) + 0.15, sensor("left", 1));
}

/* What flowed stays where it is when the ball is gone; what did not flow springs back. */
static void test_a_ball_leaves_an_imprint(void)
{
    if (!outcome_of("imprint"))
        return;
    const double depth = 0.2 - sensor("mark", 1), none = 0.2 - sensor("none", 1);
    printf("the imprint is %.1f mm deep, %.1f mm in rubber\n", 1000 * depth, 1000 * none);
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("touches", 0));
    ABOVE(0.04, depth);
    BELOW(0.004, none);
    ABOVE(0.2, sensor("strain", 0));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
}

/* Cloth of triangles coarser than the spikes and the ball is carried, and pushed along. */
static void test_edges_and_faces_are_kept_out(void)
{
    if (!outcome_of("spikes"))
        return;
    ABOVE(0.17, sensor("low", 1));
    BELOW(-0.08, sensor("banner", 2));
    ABOVE(0.02, fabs(sensor("ball", 2)));
}

static void test_an_instrument_presses_an_organ(void)
{
    if (!outcome_of("tool"))
        return;
    const double after = sensor("under", 1);
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("tool", 1));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
    moment(0.8);
    ABOVE(0.1, sensor("tool", 1));
    BELOW(after - 0.01, sensor("under", 1));
}

/* The rope keeps its length whatever hangs on it, and the stack does not keep its place. */
static void test_a_ball_on_a_rope_of_links_wrecks_a_stack(void)
{
    if (!outcome_of("wrecker"))
        return;
    /* From the hook, 1 m high. */
    BELOW(0.7 * 1.001, hypot(hypot(sensor("end", 0), sensor("end", 1) - 1), sensor("end", 2)));
    BELOW(1.05, sensor("stretch", 0));
    BELOW(-0.6, sensor("top", 0));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
}

/* At first none is inside of a wall. In the end all lie in the box, whose walls are 0.5 m high and
 * 0.45 m far outside: some lean over a wall, none fell outside of it or through the floor, which
 * bears their weight. */
static void test_a_box_takes_a_hundred_bodies(void)
{
    const bool whole = outcome_of("stress");
    TEST_ASSERT_EQUAL_DOUBLE(100, number("bodies"));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
    if (!whole)
        return;
    const double weight = 9.81 * sensor("mass", 0);
    TEST_ASSERT_DOUBLE_WITHIN(0.15 * weight, -weight, sensor("floor", 1));
    ABOVE(-1e-4, sensor("low", 1));
    BELOW(0.7, sensor("high", 1));
    for (size_t k = 0; k < 3; k += 2) {
        ABOVE(-0.5, sensor("low", k));
        BELOW(0.5, sensor("high", k));
    }
    moment(0.3);
    for (size_t k = 0; k < 3; k += 2) {
        ABOVE(-0.39, sensor("low", k));
        BELOW(0.39, sensor("high", k));
    }
}

/* The cloth lies on a ring and an organ, and the ball ends where it is counted. */
static void test_shapes_of_meshes_carry_and_count(void)
{
    if (!outcome_of("shapes"))
        return;
    BELOW(-0.5, sensor("ring", 1));
    BELOW(-0.1, sensor("organ", 1));
    ABOVE(20, sensor("box", 0));
    ABOVE(-1e-4, sensor("low", 1));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
    moment(0.32); /* it hops */
    ABOVE(0, sensor("slope", 0));
}

/* They lie on the ground, which feels what they feel, and all of their weight. */
static void test_hills_are_rolled_down(void)
{
    if (!outcome_of("hills"))
        return;
    const double weight = 9.81 * sensor("mass", 0);
    for (size_t k = 0; k < 3; ++k)
        TEST_ASSERT_DOUBLE_WITHIN(1e-3 * weight, -sensor("hills", k), sensor("bodies", k));
    TEST_ASSERT_DOUBLE_WITHIN(0.1 * weight, weight, sensor("bodies", 1));
    /* The red ball leans on others that lie there too: four on the ground, three on each other. */
    ABOVE(1.5, sensor("of_red", 0));
    ABOVE(5.5, sensor("contacts", 0));
    ABOVE(-0.1, sensor("low", 1));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
}

int main(void)
{
    if (!program_open())
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_a_heap_is_held);
    RUN_TEST(test_heaps_sleep);
    RUN_TEST(test_all_get_through_a_funnel);
    RUN_TEST(test_a_heavy_ball_tells_two_materials_apart);
    RUN_TEST(test_a_ball_leaves_an_imprint);
    RUN_TEST(test_edges_and_faces_are_kept_out);
    RUN_TEST(test_an_instrument_presses_an_organ);
    RUN_TEST(test_a_box_takes_a_hundred_bodies);
    RUN_TEST(test_shapes_of_meshes_carry_and_count);
    RUN_TEST(test_hills_are_rolled_down);
    RUN_TEST(test_a_ball_on_a_rope_of_links_wrecks_a_stack);
    program_close();
    return UNITY_END();
}
