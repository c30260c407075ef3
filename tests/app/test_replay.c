/* test_replay.c - records of the `piola` program: played, cut, changed, compared.
 *
 * covers: app/command_replay.c app/recording.c
 */
#define _POSIX_C_SOURCE 200809L
#include "program.h"

#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    program_forget();
}

static void record(const char *scene, const char *options, const char *name)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        0, run("$P run %s --steps 40 %s --hash --record $T/%s", scene, options, name), output);
}

static void test_a_record_is_played_to_the_same_states(void)
{
    static const char *const scenes[] = {"scenes/spin.json", "scenes/demo.json"};
    for (size_t i = 0; i < (quick() ? 1 : sizeof scenes / sizeof *scenes); ++i) {
        char hash[17] = "";
        record(scenes[i], "", "a.rec");
        memcpy(hash, output, 16);
        expect(run("$P replay $T/a.rec --verify"), "40 of 40 steps");
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, hash), output);
        expect(run("$P replay $T/a.rec --hash --threads 2"), hash);
        expect(run("$P replay $T/a.rec --steps 7 --verify"), "7 of 40 steps");
    }
    record("scenes/spin.json", "", "a.rec");
    expect(run("cp scenes/spin.json $T/moved.json && $P replay $T/a.rec --scene $T/moved.json"),
           "40 of 40 steps");
    TEST_ASSERT_EQUAL_INT(3, run("$P replay $T/a.rec --scene scenes/demo.json"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "is not what was recorded"), output);
}

/* Killed at any byte of its file. */
static void test_a_cut_record_plays_to_its_last_whole_step(void)
{
    record("scenes/spin.json", "", "b.rec");
    for (int i = 1; i < 20; ++i) {
        const int code =
            run("n=$(stat -c %%s $T/b.rec); head -c $((n * %d / 20)) $T/b.rec > $T/cut.rec; "
                "$P replay $T/cut.rec --verify",
                i);
        const bool headless = strstr(output, "cut short") || strstr(output, "record.header");
        TEST_ASSERT_EQUAL_INT_MESSAGE(headless ? 3 : 0, code, output);
        TEST_ASSERT_TRUE_MESSAGE(headless || strstr(output, "each to the state"), output);
    }
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, run("$P diff $T/b.rec $T/cut.rec"), output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "then the second ends"), output);
}

static void test_changed_bytes_are_refused(void)
{
    record("scenes/spin.json", "", "c.rec");
    for (int i = 0; i < 20; ++i) {
        const int code =
            run("n=$(stat -c %%s $T/c.rec); at=$((n * %d / 20)); cp $T/c.rec $T/bad.rec; "
                "tail -c +$((at + 1)) $T/c.rec | head -c 1 | tr '\\000-\\376' '\\001-\\377' | "
                "tr '\\377' '\\376' | dd of=$T/bad.rec bs=1 seek=$at conv=notrunc 2>/dev/null; "
                "cmp -s $T/c.rec $T/bad.rec || $P replay $T/bad.rec",
                i);
        TEST_ASSERT_EQUAL_INT_MESSAGE(3, code, output);
    }
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, " was changed"), output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "step 3"), output);
}

static void test_two_records_are_compared(void)
{
    record("scenes/spin.json", "", "d.rec");
    record("scenes/spin.json", "", "e.rec");
    expect(run("$P diff $T/d.rec $T/e.rec"), "same: 40 steps");
    record("scenes/spin.json", "--iterations 7", "f.rec");
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, run("$P diff $T/d.rec $T/f.rec"), output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "step 1: the states differ"), output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "array position, element"), output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "body 1, vertex"), output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "    word "), output);
    TEST_ASSERT_EQUAL_INT(
        0, run("sed 's/\"velocity\": .0.5/\"velocity\": [0.6/' scenes/spin.json > $T/g.json"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("$P run $T/g.json --steps 40 --hash --record $T/g.rec"),
                                  output);
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, run("$P diff $T/d.rec $T/g.rec"), output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "before step 1"), output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "array velocity, element"), output);
    TEST_ASSERT_EQUAL_INT(3, run("$P diff $T/d.rec scenes/spin.json"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "not a record"), output);
}

int main(void)
{
    if (!program_open())
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_a_record_is_played_to_the_same_states);
    RUN_TEST(test_a_cut_record_plays_to_its_last_whole_step);
    RUN_TEST(test_changed_bytes_are_refused);
    RUN_TEST(test_two_records_are_compared);
    program_close();
    return UNITY_END();
}
