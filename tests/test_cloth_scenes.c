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

/* A scene of two bodies that needs no solver: what is drawn on the way is drawn at its moments. */
static void test_a_sheet_and_a_film_are_drawn_on_the_way(void)
{
    const int code = run("$P run scenes/spin.json --steps 3 --sheet $T/s.png --film $T/s.mp4 "
                         "--fps 30 >/dev/null");
    if (code == 1 && (strstr(output, "cannot draw") || strstr(output, "ffmpeg"))) {
        printf("not drawn here: %s", output);
        return;
    }
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, code, output);
    expect(run("head -c 4 $T/s.png | tail -c 3; ls -A $T | grep -c '^s\\.'"), "PNG2");
    TEST_ASSERT_EQUAL_INT(2, run("$P run scenes/spin.json --steps 1 --sheet $T/s.jpg"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "does not end in .png"), output);
    TEST_ASSERT_EQUAL_INT(2, run("$P run scenes/spin.json --steps 1 --fps 5"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "needs --film FILE"), output);
}

int main(void)
{
    if (!program_open())
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_a_detail_is_worn_and_written);
    RUN_TEST(test_a_sheet_and_a_film_are_drawn_on_the_way);
    program_close();
    return UNITY_END();
}
