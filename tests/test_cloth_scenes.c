/* test_cloth_scenes.c - outcomes of the scenes with cloth and details, run by the `piola` program:
 * what each scene says there is to see. */
#define _POSIX_C_SOURCE 200809L
#include "program.h"

#include <stdlib.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    program_forget();
}

/* The fine mesh changes nothing of the motion, and is what is written. */
static void test_a_detail_is_worn_and_written(void)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        0, run("$P run scenes/detail.json --steps 3 --out $T/out --every 3 --format vtu,obj"),
        output);
    expect(run("ls $T/out | tr '\\n' ' '"),
           "detail.pvd detail_000000.obj detail_000000.vtu detail_000001.obj detail_000001.vtu "
           "detail_detail.pvd detail_detail_000000.vtu detail_detail_000001.vtu ");
    expect(run("grep -c '^vn' $T/out/detail_000001.obj; grep '^o' $T/out/detail_000001.obj"),
           "o bare\no dressed\n");
    ABOVE(10000, atoi(output));
    expect(run("$P mesh inspect $T/out/detail_000001.obj"), "in 2 parts");
    if (!outcome_of("detail"))
        return;
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, sensor("bare", 1), sensor("dressed", 1));
    TEST_ASSERT_EQUAL_DOUBLE(0, number("inverted"));
}

int main(void)
{
    if (!program_open())
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_a_detail_is_worn_and_written);
    program_close();
    return UNITY_END();
}
