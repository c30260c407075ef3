/* test_pictures.c - pictures, sheets and films that the built `piola` program draws. The program
 * ffmpeg is tests/stub/ffmpeg here: its films are the raw pictures that came in.
 *
 * covers: app/
 */
#define _POSIX_C_SOURCE 200809L
#include "png_file.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 18u /* of a sheet, render_studio.c */

/* Waits up to 30 s for what the program in the background is to do, then interrupts it. */
#define UNTIL(what)                                                                                \
    "n=0; until " what " || [ $n -gt 300 ]; do sleep 0.1; n=$((n + 1)); done; kill -INT $!; wait " \
    "$!"

static struct problem problem;
static struct picture picture;

void setUp(void)
{
    memset(&problem, 0, sizeof problem);
}

void tearDown(void)
{
    picture_free(&picture);
    program_forget();
}

/* Reads a picture in the tests' folder. */
static void read_picture(const char *name)
{
    char path[200];
    TEST_ASSERT_EQUAL_INT(0, run("printf %%s $T"));
    snprintf(path, sizeof path, "%.100s/%.60s", output, name);
    picture_free(&picture);
    TEST_ASSERT_TRUE_MESSAGE(png_file_read(&picture, path, &problem), problem.text);
}

/* Pixels of a part of the picture that are not paper. */
static uint32_t inked(uint32_t left, uint32_t top, uint32_t width, uint32_t height)
{
    static const uint8_t paper[3] = {250, 250, 251};
    uint32_t count = 0;
    TEST_ASSERT_TRUE(left + width <= picture.width && top + height <= picture.height);
    for (uint32_t y = top; y < top + height; ++y)
        for (uint32_t x = left; x < left + width; ++x)
            count += memcmp(picture.rgb + 3 * ((size_t)y * picture.width + x), paper, 3) != 0;
    return count;
}

/* Number of colours that differ, up to 100. */
static uint32_t colours(void)
{
    uint8_t seen[100][3];
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)picture.width * picture.height && count < 100; ++i) {
        uint32_t k = 0;
        while (k < count && memcmp(seen[k], picture.rgb + 3 * i, 3) != 0)
            ++k;
        if (k == count)
            memcpy(seen[count++], picture.rgb + 3 * i, 3);
    }
    return count;
}

/* ---- pictures and sheets ---- */

static void test_render_draws_one_picture(void)
{
    expect(run("cd $T && $P render \"$PIOLA_SOURCE_DIR/scenes/spin.json\" --at 0.1 --size 160x90 "
               "--passes 4"),
           "spin.png");
    read_picture("spin.png");
    TEST_ASSERT_EQUAL_UINT32(160, picture.width);
    TEST_ASSERT_EQUAL_UINT32(90, picture.height);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(100, colours(), "nothing is drawn");
    /* The body is red, the backdrop and its shadow are not. */
    uint32_t red = 0;
    for (size_t i = 0; i < 160 * 90; ++i)
        red += picture.rgb[3 * i] > picture.rgb[3 * i + 2] + 40;
    printf("%u pixels of the body\n", red);
    ABOVE(300, red);
    BELOW(160 * 90 / 2, red);
    expect(run("cd $T && ls -A | grep -c 'spin.png.'; true"), "0");
}

static void test_render_draws_one_sheet(void)
{
    expect(run("$P render scenes/spin.json --at 0,0.1,0.2 --columns 2 --size 120x80 --passes 2 "
               "--out $T/sheet.png"),
           "sheet.png");
    read_picture("sheet.png");
    TEST_ASSERT_EQUAL_UINT32(2 * (120 + MARGIN) + MARGIN, picture.width);
    const uint32_t pitch = (picture.height - MARGIN) / 2;
    ABOVE(80 + MARGIN, pitch);
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t left = MARGIN + i % 2 * (120 + MARGIN), top = MARGIN + i / 2 * pitch;
        const uint32_t ink = inked(left, top, 120, 80), caption = inked(left, top + 80, 120, 20);
        const bool reached = i < 3;
        const bool drawn = ink > 120 * 80 * 9 / 10;
        const bool told = caption > 10;
        TEST_ASSERT_EQUAL_MESSAGE(reached, drawn, "a cell's picture");
        TEST_ASSERT_EQUAL_MESSAGE(reached, told, "a cell's caption");
        TEST_ASSERT_TRUE(i < 3 || ink == 0);
    }
}

static void test_run_writes_frames_as_pictures(void)
{
    expect(run("$P run scenes/spin.json --steps 4 --out $T/png --every 4 --format png >/dev/null; "
               "ls -A $T/png | tr '\\n' ' '"),
           "spin_000000.png spin_000001.png ");
    read_picture("png/spin_000001.png");
    TEST_ASSERT_EQUAL_UINT32(960, picture.width);
    TEST_ASSERT_EQUAL_UINT32(540, picture.height);
    TEST_ASSERT_EQUAL_UINT32(100, colours());
    TEST_ASSERT_NOT_EQUAL(0, run("cmp -s $T/png/spin_000000.png $T/png/spin_000001.png"));
}

/* A scene of three moments, the last of which no test comes to. */
static void write_moments(void)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        0,
        run("sed '0,/\"seconds\"/s//\"view\": {\"moments\": [{\"time\": 0, \"caption\": "
            "\"first\"}, "
            "{\"time\": 0.004, \"caption\": \"second\"}, {\"time\": 90000, \"caption\": "
            "\"last\"}]}, &/' scenes/spin.json >$T/moments.json"),
        output);
}

/* Two cells of pictures, and one that says that it has none. */
static void expect_two_of_three(const char *name)
{
    read_picture(name);
    TEST_ASSERT_EQUAL_UINT32(3 * (480 + MARGIN) + MARGIN, picture.width);
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t left = MARGIN + i * (480 + MARGIN);
        const uint32_t ink = inked(left, MARGIN, 480, 270);
        if (i < 2) {
            ABOVE(480 * 270 * 9 / 10, ink);
        } else {
            TEST_ASSERT_EQUAL_UINT32_MESSAGE(ink, inked(left + 150, MARGIN + 110, 180, 50),
                                             "more than the words in the middle");
            ABOVE(100, ink);
        }
        ABOVE(50, inked(left, MARGIN + 270, 480, 30));
    }
}

static void test_moments_that_a_run_does_not_reach_stay_empty(void)
{
    write_moments();
    expect(run("$P run $T/moments.json --steps 3 --sheet $T/short.png"), "hash");
    expect_two_of_three("short.png");
}

static void test_moments_behind_an_interruption_stay_empty(void)
{
    write_moments();
    /* Its eleventh state lies behind the second moment. */
    const int code = run("$P run $T/moments.json --steps 100000000 --sheet $T/cut.png --out $T/cut "
                         "--every 10 --format obj & " UNTIL("test -e $T/cut/moments_000001.obj"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(130, code, output);
    expect_two_of_three("cut.png");
}

/* A scene without moments is drawn at the end of the run, however short that is. */
static void test_a_sheet_of_no_moments_shows_the_end(void)
{
    expect(run("$P run scenes/spin.json --steps 2 --sheet $T/end.png"), "hash");
    read_picture("end.png");
    ABOVE(480 * 270 * 9 / 10, inked(MARGIN, MARGIN, 480, 270));
}

static void test_unwritable_pictures_are_refused_before_the_run(void)
{
    static const char *const lines[] = {
        "run scenes/spin.json --steps 100000000 --sheet /nonexistent/sheet.png",
        "render scenes/spin.json --at 100000 --out /nonexistent/picture.png",
        "render scenes/spin.json --at 0,100000 --out /nonexistent/picture.png",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(1, run("timeout 60 $P %s", lines[i]), lines[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "png: cannot be written: No such file"),
                                     output);
    }
}

static void test_an_interrupted_picture_leaves_nothing(void)
{
    const int code = run("mkdir $T/none && $P render scenes/spin.json --at 1000000 --out "
                         "$T/none/a.png & sleep 1; kill -INT $!; wait $!");
    TEST_ASSERT_EQUAL_INT_MESSAGE(130, code, output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "a.png: not drawn: interrupted at"), output);
    expect(run("ls -A $T/none | wc -l"), "0\n");
}

/* ---- films ---- */

#define FILM "STUB_LOG=$T/log PATH=\"$PIOLA_SOURCE_DIR/tests/stub:$PATH\" "

static void test_render_sends_every_picture_of_a_film(void)
{
    expect(run(FILM "$P render scenes/spin.json --at 0.2 --fps 10 --size 64x36 --passes 1 --out "
                    "$T/a.mp4 && wc -c <$T/a.mp4 && grep -c picture $T/log"),
           "a.mp4\n20736\n3\n");
    expect(run("tr '\\n' ' ' <$T/log"),
           "-f rawvideo -pix_fmt rgb24 -video_size 64x36 -framerate 10.0000 -i - ");
    TEST_ASSERT_NOT_NULL(strstr(output, "-c:v libx264"));
    /* Sent while it runs, under another name. */
    TEST_ASSERT_NOT_NULL(strstr(output, "a.mp4.partial"));
}

static void test_run_films_on_its_way(void)
{
    expect(run(FILM "$P run scenes/spin.json --steps 10 --film $T/b.mp4 --fps 100 >/dev/null; "
                    "wc -c <$T/b.mp4"),
           "1166400\n"); /* 480 x 270 at 0, 0.01 and 0.02 s */
    expect(run(FILM "$P run scenes/spin.json --steps 4 --out $T/mp4 --every 4 --format mp4 "
                    ">/dev/null; wc -c <$T/mp4/spin.mp4; ls -A $T/mp4; grep -A 1 framerate $T/log"),
           "3110400\nspin.mp4\n-framerate\n125.0000\n");
}

/* A word with a colon would be a protocol to ffmpeg, one with a dash an option. */
static void test_film_paths_are_files(void)
{
    static const char *const names[] = {"http:a.mp4", "-b.mp4", "concat:c|d.mp4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        expect(run("cd $T && " FILM "$P render \"$PIOLA_SOURCE_DIR/scenes/spin.json\" --at 0 "
                   "--size 64x36 --passes 1 '--out=%s' && tail -n 2 $T/log",
                   names[i]),
               "");
        char expected[60];
        snprintf(expected, sizeof expected, "\n./%s.partial\n", names[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, expected), output);
        expect(run("cd $T && wc -c <'./%s'", names[i]), "6912\n");
    }
}

static void test_a_failing_ffmpeg_is_told_and_leaves_nothing(void)
{
    static const char *const lines[] = {
        "run scenes/spin.json --steps 10 --fps 100 --film $T/bad/a.mp4",
        "run scenes/spin.json --steps 2 --every 2 --format mp4 --out $T/bad",
        "render scenes/spin.json --at 0.03 --fps 100 --size 300x300 --passes 1 --out $T/bad/a.mp4"};
    static const struct {
        const char *how, *expected;
    } ways[] = {{"STUB_CODE=3", "ffmpeg failed with code 3"},
                {"STUB_MOST=1 STUB_CODE=1", "ffmpeg "}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i)
        for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
            const int code =
                run("rm -rf $T/bad; mkdir $T/bad; %s " FILM "$P %s", ways[k].how, lines[i]);
            TEST_ASSERT_EQUAL_INT_MESSAGE(1, code, lines[i]);
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, ways[k].expected), output);
            expect(run("ls -A $T/bad | wc -l"), "0\n");
        }
}

/* Ctrl-C ends a film with the pictures it has. */
static void test_an_interrupted_film_is_whole(void)
{
    static const char *const lines[] = {
        "render scenes/spin.json --at 100000 --fps 200 --size 64x36 --passes 1 --out $T/film/a.mp4",
        "run scenes/spin.json --steps 100000000 --fps 200 --film $T/film/a.mp4",
    };
    static const long bytes[] = {64 * 36 * 3, 480 * 270 * 3};
    for (size_t i = 0; i < 2; ++i) {
        const int code = run("rm -rf $T/film $T/log; mkdir $T/film; touch $T/log; " FILM
                             "$P %s & " UNTIL("grep -q ^picture $T/log"),
                             lines[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(130, code, output);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "(interrupted)"), output);
        expect(run("ls $T/film; grep -c ^cut $T/log; wc -c <$T/film/a.mp4"), "a.mp4\n0\n");
        const long length = atol(output + strlen("a.mp4\n0\n"));
        ABOVE(0, length);
        TEST_ASSERT_EQUAL_INT(0, length % bytes[i]);
    }
}

int main(void)
{
    /* A driver that is unloaded looks like a leak to the address sanitizer. */
    const char *asan = getenv("ASAN_OPTIONS");
    char extended[400];
    snprintf(extended, sizeof extended, "%.300s:detect_leaks=0", asan ? asan : "");
    setenv("ASAN_OPTIONS", extended, 1);
    if (!program_open())
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_render_draws_one_picture);
    RUN_TEST(test_render_draws_one_sheet);
    RUN_TEST(test_run_writes_frames_as_pictures);
    RUN_TEST(test_moments_that_a_run_does_not_reach_stay_empty);
    RUN_TEST(test_moments_behind_an_interruption_stay_empty);
    RUN_TEST(test_a_sheet_of_no_moments_shows_the_end);
    RUN_TEST(test_unwritable_pictures_are_refused_before_the_run);
    RUN_TEST(test_an_interrupted_picture_leaves_nothing);
    RUN_TEST(test_render_sends_every_picture_of_a_film);
    RUN_TEST(test_run_films_on_its_way);
    RUN_TEST(test_film_paths_are_files);
    RUN_TEST(test_a_failing_ffmpeg_is_told_and_leaves_nothing);
    RUN_TEST(test_an_interrupted_film_is_whole);
    program_close();
    return UNITY_END();
}
