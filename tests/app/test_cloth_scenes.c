/* test_cloth_scenes.c - outcomes of the scenes with cloth and details, run by the `piola` program:
 * what each scene says there is to see.
 *
 * covers: scenes/ io/scene/
 */
#define _POSIX_C_SOURCE 200809L
#include "program.h"

#include <math.h>
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
    /* The address sanitizer looks for the text's end at each number. */
    if (!quick())
        expect(run("$P mesh inspect $T/out/detail_000001.obj"), "in 2 parts");
    if (!outcome_of("detail"))
        return;
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, sensor("bare", 1), sensor("dressed", 1));
    TEST_ASSERT_EQUAL_DOUBLE(0, number("inverted"));
}

/* Cloth and solids in one grid, and a fine mesh with its normals. */
static void test_grids_hold_cloth_and_details(void)
{
    expect(run("$P run scenes/cover.json --steps 1 --out $T/grids >/dev/null && $P run "
               "scenes/detail.json --steps 1 --out $T/grids >/dev/null && "
               "tests/read_vtu $T/grids/cover_000001.vtu"),
           "cells of kind 5 2048\ncells of kind 10 320\nvelocity 3 ");
    expect(run("tests/read_vtu $T/grids/detail_detail_000001.vtu"), "normal 3 -");
    TEST_ASSERT_NULL_MESSAGE(strstr(output, "kind 10"), output);
    double least = 0, most = 0;
    TEST_ASSERT_EQUAL_INT(2,
                          sscanf(strstr(output, "normal 3 "), "normal 3 %lf %lf", &least, &most));
    TEST_ASSERT_DOUBLE_WITHIN(0.01, -1, least);
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 1, most);
}

/* The same as VTK's own reader sees it; run where it is installed. */
static void test_vtk_reads_cloth_and_details(void)
{
    const char *python = python_with_vtk();
    const char *script =
        "import sys\n"
        "from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader\n"
        "r = vtkXMLUnstructuredGridReader(); r.SetFileName(sys.argv[1]); r.Update()\n"
        "g = r.GetOutput(); n = g.GetPointData().GetArray(\"normal\")\n"
        "kinds = [g.GetCellType(c) for c in range(g.GetNumberOfCells())]\n"
        "print(kinds.count(5), kinds.count(10), n and abs(n.GetMaxNorm() - 1) < 1e-4)\n";
    expect(run("$P run scenes/cover.json --steps 1 --out $T/vtk >/dev/null && $P run "
               "scenes/detail.json --steps 1 --out $T/vtk >/dev/null && cat >$T/read.py <<'END'\n"
               "%sEND\n"
               "%s $T/read.py $T/vtk/cover_000001.vtu; "
               "%s $T/read.py $T/vtk/detail_detail_000001.vtu",
               script, python, python),
           "2048 320 None\n");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, " 0 True\n"), output);
}

static void test_cloth_drapes(void)
{
    if (!outcome_of("drape"))
        return;
    /* The hem hangs 0.33 m lower than the table at 0.75 m, the corners lower still. */
    TEST_ASSERT_DOUBLE_WITHIN(0.08, 0.42, sensor("hem", 1));
    BELOW(0.25, sensor("corner", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.05, 0.15, sensor("towel", 1));
    BELOW(1.1, sensor("stretch", 0));
}

/* What is inside pulls the skin as far as p V says; less gas, less volume. */
static void test_a_balloon_is_blown_up(void)
{
    const double rest = 0.0071, gas = 20000 * rest;
    if (!outcome_of("balloon"))
        return;
    ABOVE(1.3 * rest, sensor("volume", 0));
    TEST_ASSERT_DOUBLE_WITHIN(0.03 * gas, gas,
                              (sensor("pressure", 0) + 10000) * sensor("volume", 0));
    moment(2);
    ABOVE(3 * rest, sensor("volume", 0));
    BELOW(2.5, sensor("stretch", 0));
}

static void test_a_flag_flies_while_the_wind_blows(void)
{
    if (!outcome_of("flag"))
        return;
    BELOW(0.4, sensor("corner", 0));
    BELOW(0.6, sensor("centre", 1));
    moment(3);
    ABOVE(0.7, sensor("corner", 0));
    ABOVE(0.62, sensor("centre", 1));
    BELOW(1.3, sensor("stretch", 0));
}

/* What comes along the row reaches one after the other; whirls have them on different sides. */
static void test_a_gust_goes_along_a_row_of_flags(void)
{
    if (!outcome_of("gusts"))
        return;
    BELOW(0.6, sensor("first", 1));
    BELOW(0.6, sensor("third", 1));
    BELOW(1.3, sensor("stretch", 0));
    moment(2.1);
    ABOVE(0.8, sensor("first", 1));
    BELOW(0.6, sensor("second", 1));
    BELOW(0.3, sensor("third", 1));
    moment(2.4);
    ABOVE(0.8, sensor("second", 1));
    BELOW(0.6, sensor("third", 1));
    moment(3.4);
    ABOVE(0.7, sensor("third", 1));
    BELOW(-0.2, sensor("first", 2));
    ABOVE(0.2, sensor("third", 2));
}

static void test_a_weave_gives_most_on_the_bias(void)
{
    if (!outcome_of("orthotropic"))
        return;
    const double warp = 0.5 - sensor("warp", 1), weft = 0.5 - sensor("weft", 1);
    /* The rod's 3.92 N and half of the cloth's own weight pull 0.4 m of cloth by e: St Venant and
     * Kirchhoff's sheet resists with E e (1 + e) (1 + e / 2), 0.375 m long. */
    TEST_ASSERT_DOUBLE_WITHIN(0.001, 0.0326 * 0.375, warp);
    TEST_ASSERT_DOUBLE_WITHIN(0.002, 0.1100 * 0.375, weft);
    ABOVE(weft, 0.5 - sensor("bias", 1));
    BELOW(0.36, sensor("right", 0) - sensor("left", 0));
}

/* Each attachment carries what hangs on it. */
static void test_attachments_carry_their_loads(void)
{
    if (!outcome_of("banner"))
        return;
    TEST_ASSERT_DOUBLE_WITHIN(0.15, 9.81 * sensor("banner", 0), sensor("seam", 1));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("right", 1));
    moment(1.45);
    const double load = 9.81 * (sensor("net", 0) + sensor("ball", 0));
    TEST_ASSERT_DOUBLE_WITHIN(0.15 * load, load, sensor("left", 1) + sensor("right", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.5, -sensor("left", 0), sensor("right", 0));
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 0.4, sensor("load", 0));
}

/* What lies on the ball and on the floor weighs what it weighs, and nothing is inside of either. */
static void test_a_ball_is_covered(void)
{
    if (!outcome_of("cover"))
        return;
    const double weight = 9.81 * sensor("mass", 0);
    TEST_ASSERT_DOUBLE_WITHIN(0.03 * weight, -weight, sensor("floor", 1) + sensor("ball", 1));
    BELOW(-0.5, sensor("ball", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.002, 0.505, sensor("middle", 1));
    ABOVE(-1e-4, sensor("corner", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 0.1, sensor("cube", 1));
    BELOW(-0.05, sensor("cube", 2));
}

/* Card keeps the folds it was led to, felt does not. */
static void test_card_creases_and_felt_does_not(void)
{
    if (!outcome_of("creases"))
        return;
    const double card = sensor("card_right", 0) - sensor("card_left", 0);
    const double felt = sensor("felt_right", 0) - sensor("felt_left", 0);
    ABOVE(1, sensor("card", 0));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("felt", 0));
    BELOW(0.72, card);
    ABOVE(0.78, felt);
    ABOVE(0.1, sensor("top", 1));
}

/* A skin cut to nine tenths of what it is drawn shrinks to that. */
static void test_cloth_takes_the_size_of_its_pattern(void)
{
    expect(run("cat >$T/tight.json <<'END'\n"
               "{\"description\": \"a tight skin\", \"seconds\": 0.5, \"world\": {\"dt\": 0.01, "
               "\"substeps\": 2, \"gravity\": [0, 0, 0]}, \"materials\": {\"latex\": {\"model\": "
               "\"stvk\", \"young\": 1e6, \"density\": 1000, \"thickness\": 0.01, "
               "\"bend_model\": \"dihedral\"}},"
               "\"meshes\": {\"skin\": {\"sphere\": {\"radius\": 0.5, \"cuts\": 3}, \"pattern\": "
               "{\"scale\": [0.9, 0.9]}}}, \"bodies\": [{\"mesh\": \"skin\", \"material\": "
               "\"latex\", \"damping\": 20}], \"sensors\": [{\"name\": \"volume\", \"kind\": "
               "\"volume\"}, {\"name\": \"stretch\", \"kind\": \"max_stretch\"}]}\nEND\n"
               "$P check $T/tight.json"),
           "good: 1 body,");
    run_json("$T/tight.json --steps 1 --iterations 0");
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 1 / 0.9, sensor("stretch", 0));
    const double drawn = sensor("volume", 0);
    run_json("$T/tight.json");
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 1, sensor("stretch", 0));
    TEST_ASSERT_DOUBLE_WITHIN(0.005 * drawn, 0.729 * drawn, sensor("volume", 0));
}

/* The cloth, which the statues hold up, carries the ball: its middle is 0.16 m and a margin off the
 * ball's. With 40 iterations the ball ends at 0.473 m, or at 0.489 m without a coarse level. */
static void test_a_ball_pushes_cloth_down_between_statues(void)
{
    if (!outcome_of("statues"))
        return;
    /* Folds that lie on each other hold the cloth: without self-contact it sinks by 0.1 m more. */
    TEST_ASSERT_DOUBLE_WITHIN(0.05, 0.5, sensor("ball", 1));
    double square = 0;
    for (unsigned k = 0; k < 3; k++) {
        const double off = sensor("ball", k) - sensor("middle", k);
        square += off * off;
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 0.164, sqrt(square));
    ABOVE(0.45, sensor("head", 1));
    BELOW(1.2, sensor("stretch", 0));
}

/* Its first 3 s: the cube is a cube again, the cloth lies over the blocks and on the floor, clay
 * has flown as far as it may, the balloon has more than twice its volume. */
static void test_the_demo_is_what_it_says(void)
{
    run_json(quick() ? "scenes/demo.json --steps 2" : "scenes/demo.json --seconds 3");
    TEST_ASSERT_EQUAL_DOUBLE(0, number("frozen"));
    if (quick())
        return;
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * 0.013824, 0.013824, sensor("cube_volume", 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.6, sensor("flow_of_clay", 0));
    ABOVE(2 * 0.0013969, sensor("balloon_volume", 0));
    ABOVE(0.002, sensor("cloth_low", 1));
    BELOW(0.05, sensor("cloth_low", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.05, 0.4, sensor("cloth_high", 1));
}

/* A scene of two bodies that needs no solver: what is drawn on the way is drawn at its moments. */
static void test_a_sheet_and_a_film_are_drawn_on_the_way(void)
{
    /* An unloaded OpenGL driver's memory looks lost to the address sanitizer. */
    const int code = run("ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 STUB_LOG=$T/log "
                         "PATH=\"$PIOLA_SOURCE_DIR/tests/stub:$PATH\" $P run scenes/spin.json "
                         "--steps 3 --sheet $T/s.png --film $T/s.mp4 --fps 30 >/dev/null");
    if (code == 1 && strstr(output, "cannot draw")) {
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
    RUN_TEST(test_grids_hold_cloth_and_details);
    if (python_with_vtk())
        RUN_TEST(test_vtk_reads_cloth_and_details);
    else
        printf("python3-vtk9 is not installed: there is no test that VTK reads cloth\n");
    RUN_TEST(test_cloth_drapes);
    RUN_TEST(test_a_balloon_is_blown_up);
    RUN_TEST(test_a_flag_flies_while_the_wind_blows);
    RUN_TEST(test_a_gust_goes_along_a_row_of_flags);
    RUN_TEST(test_a_weave_gives_most_on_the_bias);
    RUN_TEST(test_attachments_carry_their_loads);
    RUN_TEST(test_a_ball_is_covered);
    RUN_TEST(test_card_creases_and_felt_does_not);
    RUN_TEST(test_cloth_takes_the_size_of_its_pattern);
    RUN_TEST(test_a_ball_pushes_cloth_down_between_statues);
    RUN_TEST(test_the_demo_is_what_it_says);
    RUN_TEST(test_a_sheet_and_a_film_are_drawn_on_the_way);
    program_close();
    return UNITY_END();
}
