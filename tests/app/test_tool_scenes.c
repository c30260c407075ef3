/* test_tool_scenes.c - outcomes of the scenes with tools, run by the `piola` program: what each
 * says there is to see, and what is wrong in a scene with tools.
 *
 * covers: scenes/ io/scene/
 */
#define _POSIX_C_SOURCE 200809L
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    program_forget();
}

/* Equally deep, the nodule is felt at least twice as hard as tissue alone. */
static void test_a_nodule_is_felt(void)
{
    if (!outcome_of("palpation"))
        return;
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
    BELOW(0.01, fabs(sensor("felt", 1)));
    moment(0.85);
    const double beside = sensor("felt", 1);
    moment(2.05);
    const double above = sensor("felt", 1);
    printf("beside the nodule %.2f N, above it %.2f N\n", beside, above);
    ABOVE(1, beside);
    ABOVE(2 * beside, above);
}

/* Pulled, both jaws feel what the root bears; let go, the strip is as long as it was. */
static void test_tissue_is_grasped_and_pulled(void)
{
    if (!outcome_of("forceps"))
        return;
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("held", 0));
    TEST_ASSERT_DOUBLE_WITHIN(2e-3, 0.12, sensor("end", 0));
    moment(1.95);
    const double jaws = sensor("upper", 0) + sensor("lower", 0), root = sensor("root", 0);
    printf("pulled: jaws feel %.3f N, the root bears %.3f N\n", jaws, root);
    ABOVE(2, sensor("held", 0));
    ABOVE(0.16, sensor("end", 0));
    BELOW(-2, jaws);
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * fabs(root), root, jaws);
}

/* What hangs from the fingers they feel; then it lies on the table. */
static void test_cloth_is_picked_up_by_a_corner(void)
{
    if (!outcome_of("pickup"))
        return;
    const double weight = 9.81 * sensor("mass", 0);
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("held", 0));
    BELOW(0.01, sensor("low", 1));
    moment(2.6);
    ABOVE(0, sensor("held", 0));
    ABOVE(0.15, sensor("low", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * weight, -weight, sensor("felt", 1));
}

/* It goes through both slits, then lifts both flaps; they lie again where they lay. */
static void test_a_needle_goes_through_two_flaps(void)
{
    if (!outcome_of("needle"))
        return;
    TEST_ASSERT_DOUBLE_WITHIN(3e-3, 0.016, sensor("lip", 1));
    TEST_ASSERT_DOUBLE_WITHIN(3e-3, 0.004, sensor("below", 1));
    moment(1.35);
    const double before[2] = {sensor("lip", 1), sensor("below", 1)};
    BELOW(before[1], sensor("needle", 1) - 0.02); /* its point is through */
    moment(2.1);
    ABOVE(0, sensor("held", 0));
    ABOVE(before[0] + 0.006, sensor("lip", 1));
    ABOVE(before[1] + 0.006, sensor("below", 1));
}

/* Each change of a good scene is refused with a sentence that names what is wrong. */
static void test_what_is_wrong_is_named(void)
{
    static const struct {
        const char *change, *text;
    } wrong[] = {
        {"s/\"mass\": 0.05, //", "\"tool\" is of rigid bodies"},
        {"s/\"tool\": {\"stiffness\": 1000, \"damping\": 10, \"max_force\": 10},//", "\"tool\""},
        {"s/\"max_force\": 10}/\"max_force\": 0}/", "max_force"},
        {"s/\"max_force\": 10}/\"grasps\": [{\"time\": 2, \"release\": 1, \"reach\": 1, "
         "\"max_force\": 1}]}/",
         "\"release\" is not after \"time\""},
        {"s/\"collider\": \"finger\"}/\"collider\": \"thumb\"}/", "\"thumb\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        const int code = run("sed '%s' scenes/palpation.json >$T/bad.json && $P check $T/bad.json",
                             wrong[i].change);
        TEST_ASSERT_EQUAL_INT_MESSAGE(3, code, output);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, wrong[i].text), output);
    }
}

int main(void)
{
    if (!program_open())
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_a_nodule_is_felt);
    RUN_TEST(test_tissue_is_grasped_and_pulled);
    RUN_TEST(test_cloth_is_picked_up_by_a_corner);
    RUN_TEST(test_a_needle_goes_through_two_flaps);
    RUN_TEST(test_what_is_wrong_is_named);
    program_close();
    return UNITY_END();
}
