/* test_solid_scenes.c - outcomes of the scenes with solids, run by the `piola` program: what each
 * scene says there is to see.
 * covers: scenes/ io/scene/ */
#define _POSIX_C_SOURCE 200809L
#include "program.h"

void setUp(void)
{
}

void tearDown(void)
{
    program_forget();
}

static void test_hanging_bar_hangs_and_is_longer(void)
{
    if (!outcome_of("hanging"))
        return;
    BELOW(-0.8, sensor("tip", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.002, 0.04, sensor("volume", 0));
    ABOVE(1.2, sensor("stretch", 0));
    TEST_ASSERT_EQUAL_DOUBLE(0, number("inverted"));
}

static void test_beams_sag_in_the_order_of_their_stiffness(void)
{
    if (!outcome_of("beams"))
        return;
    BELOW(0, sensor("stiff", 1) - 0.05);
    BELOW(sensor("stiff", 1) - 0.15, sensor("soft", 1));
    BELOW(sensor("along", 1) - 0.15, sensor("across", 1));
}

static void test_twisted_bars_spring_back_or_stay(void)
{
    if (!outcome_of("twist"))
        return;
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 0.1, sensor("elastic", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 0.1, sensor("elastic", 2));
    BELOW(0.05, sensor("plastic", 1));
}

static void test_crushed_shapes_recover(void)
{
    if (!outcome_of("recovery"))
        return;
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
    BELOW(1.02, sensor("stretch", 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.015625, sensor("thrown", 0));
}

static void test_tissue_creeps(void)
{
    if (!outcome_of("tissue"))
        return;
    /* The first branch is done, the second nearly. */
    TEST_ASSERT_DOUBLE_WITHIN(0.002, sensor("elastic", 1), sensor("tissue", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.02, sensor("elastic", 1), sensor("slow", 1));
    BELOW(-0.55, sensor("elastic", 1));
    moment(0.5);
    ABOVE(sensor("elastic", 1) + 0.01, sensor("tissue", 1));
    ABOVE(sensor("tissue", 1) + 0.005, sensor("slow", 1));
}

static void test_pulled_bar_comes_back(void)
{
    if (!outcome_of("pull"))
        return;
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 0.5, sensor("end", 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.01125, sensor("volume", 0));
    moment(1.4);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 1.0, sensor("end", 0));
    BELOW(0.14, sensor("waist", 1));
}

static void test_pendulum_keeps_swinging(void)
{
    if (!outcome_of("pendulum"))
        return;
    /* Let go level: its energy was 3.5 kg * 9.81 m/s^2 * 0.05 m, and some is lost. */
    const double start = 0.5 * 0.1 * 0.1 * 700 * 9.81 * 0.05;
    const double now = sensor("kinetic", 0) + sensor("potential", 0);
    BELOW(start + 0.05, now + sensor("elastic", 0));
    ABOVE(start - 2, now);
    ABOVE(0, sensor("elastic", 0));
}

static void test_spinning_bar_keeps_its_momentum(void)
{
    if (!outcome_of("spin"))
        return;
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 1, sensor("centre", 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 3, sensor("momentum", 0));
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 1.9, sensor("spin", 2));
    /* It is set spinning at its rest length, so it overshoots to twice the stretch at which it
     * would stay, density (angular velocity * half its length)^2 / 2 / Young's modulus = 0.045. */
    moment(0.3);
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 1.09, sensor("stretch", 0));
}

static void test_a_core_carries_the_beam(void)
{
    if (outcome_of("core"))
        BELOW(sensor("cored", 1) - 0.3, sensor("plain", 1));
}

static void test_organ_is_pulled_and_let_go(void)
{
    if (!outcome_of("organ"))
        return;
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
    BELOW(0, sensor("tip", 1));
    moment(1.9);
    ABOVE(0.045, sensor("tip", 1));
}

static void test_rope_swings(void)
{
    if (!outcome_of("rope"))
        return;
    BELOW(-0.3, sensor("end", 1));
    BELOW(1.3, sensor("stretch", 0));
}

static void test_the_soft_end_of_a_capsule_lags_behind(void)
{
    if (!outcome_of("capsule"))
        return;
    TEST_ASSERT_EQUAL_DOUBLE(0, number("inverted"));
    TEST_ASSERT_DOUBLE_WITHIN(0.001, 0.0091, sensor("volume", 0));
    moment(0.5); /* on its way down */
    ABOVE(sensor("stiff", 1) + 0.005, sensor("soft", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.02, sensor("middle", 1), sensor("stiff", 1));
    moment(1); /* on its way up */
    BELOW(sensor("stiff", 1) - 0.05, sensor("soft", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.02, sensor("middle", 1), sensor("stiff", 1));
}

static void test_many_tori_recover(void)
{
    if (!outcome_of("many"))
        return;
    TEST_ASSERT_EQUAL_DOUBLE(216, number("bodies"));
    TEST_ASSERT_EQUAL_DOUBLE(0, number("inverted"));
    BELOW(3, sensor("stretch", 0));
}
int main(void)
{
    if (!program_open())
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_hanging_bar_hangs_and_is_longer);
    RUN_TEST(test_beams_sag_in_the_order_of_their_stiffness);
    RUN_TEST(test_twisted_bars_spring_back_or_stay);
    RUN_TEST(test_crushed_shapes_recover);
    RUN_TEST(test_tissue_creeps);
    RUN_TEST(test_pulled_bar_comes_back);
    RUN_TEST(test_pendulum_keeps_swinging);
    RUN_TEST(test_spinning_bar_keeps_its_momentum);
    RUN_TEST(test_a_core_carries_the_beam);
    RUN_TEST(test_organ_is_pulled_and_let_go);
    RUN_TEST(test_rope_swings);
    RUN_TEST(test_the_soft_end_of_a_capsule_lags_behind);
    RUN_TEST(test_many_tori_recover);
    program_close();
    return UNITY_END();
}
