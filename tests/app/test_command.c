/* test_command.c - the built `piola` program, run as people run it: results, exit codes, files,
 * interruption, and that its documents name every option.
 *
 * covers: app/command_info.c app/command_run.c
 */
#define _POSIX_C_SOURCE 200809L
#include "program.h"
#include "run_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void setUp(void)
{
}

void tearDown(void)
{
    program_forget();
}

/* ---- results ---- */

static void test_json_has_every_promised_key(void)
{
    static const char *const keys[] = {"steps",  "dt",       "ms_p50",   "ms_p99",
                                       "ms_max", "vertices", "elements", "inverted",
                                       "bytes",  "residual", "threads"};
    run_json("scenes/spin.json --steps 20 --threads 2");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
        number(keys[i]);
    TEST_ASSERT_EQUAL_DOUBLE(20, number("steps"));
    TEST_ASSERT_EQUAL_DOUBLE(2, number("threads"));
    TEST_ASSERT_EQUAL_DOUBLE(240, number("elements"));
    ABOVE(0, number("residual"));
    ABOVE(0, number("bytes"));
    TEST_ASSERT_TRUE(number("ms_p50") <= number("ms_p99") && number("ms_p99") <= number("ms_max"));
    TEST_ASSERT_EQUAL_size_t(16, strlen(json_string_value(json_object_get(result, "hash"))));
    TEST_ASSERT_NOT_NULL(json_string_value(json_object_get(result, "isa")));
}

static void test_times_are_those_of_the_phases(void)
{
    double sum = 0;
    TEST_ASSERT_EQUAL_INT(0, run("$P run scenes/spin.json --steps 5 --times"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "\n  constraints "), output);
    TEST_ASSERT_EQUAL_INT(0, run("$P run scenes/spin.json --steps 5 --times --json"));
    result = json_loads(output, 0, NULL);
    const json_t *times = json_object_get(result, "ms_phases");
    TEST_ASSERT_EQUAL_size_t(PIOLA_PHASE_COUNT, json_object_size(times));
    for (int p = 0; p < PIOLA_PHASE_COUNT; ++p)
        sum += json_number_value(json_object_get(times, piola_phase_name((piola_phase)p)));
    ABOVE(0, sum);
    ABOVE(0, json_number_value(json_object_get(times, "elements")));
    TEST_ASSERT_EQUAL_INT(0, run("$P run scenes/spin.json --steps 5 --json"));
    TEST_ASSERT_NULL_MESSAGE(strstr(output, "ms_phases"), output);
}

static void test_the_hash_is_one_over_threads_and_instruction_sets(void)
{
    static const char *const isas[] = {"sse4", "avx2", "avx512", "neon"};
    char first[17] = "";
    for (int threads = 1; threads <= 3; ++threads) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(
            0, run("$P run scenes/organ.json --steps 10 --hash --threads %d", threads), output);
        TEST_ASSERT_EQUAL_size_t(17, strlen(output));
        if (threads == 1)
            memcpy(first, output, 16);
        TEST_ASSERT_EQUAL_STRING_LEN(first, output, 16);
    }
    for (size_t i = 0; i < sizeof isas / sizeof *isas; ++i) {
        const int code = run("$P run scenes/organ.json --steps 10 --hash --isa %s", isas[i]);
        if (code == 0)
            TEST_ASSERT_EQUAL_STRING_LEN(first, output, 16);
        else
            TEST_ASSERT_EQUAL_INT_MESSAGE(1, code, output);
    }
}

static void test_every_solver_runs(void)
{
    static const char *const solvers[] = {"descent", "energy", "compliant", "explicit"};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; ++i)
        TEST_ASSERT_EQUAL_INT_MESSAGE(
            0,
            run("$P run scenes/hanging.json --steps 3 --substeps 100 --iterations 1 --solver %s",
                solvers[i]),
            output);
}

static void test_the_table_tells_what_the_issue_asks(void)
{
    static const char *const words[] = {"bodies", "elements", "p50",      "p99", "max",
                                        "factor", "memory",   "residual", "hash"};
    TEST_ASSERT_EQUAL_INT(0, run("$P run scenes/spin.json --steps 5"));
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, words[i]), words[i]);
    TEST_ASSERT_NULL_MESSAGE(strchr(output, '\r'), "a bar although this is no terminal");
}

static void test_sensors_are_written_as_csv_and_json_lines(void)
{
    expect(run("$P run scenes/spin.json --steps 10 --sensors $T/s.csv >/dev/null; wc -l <$T/s.csv; "
               "head -n 1 $T/s.csv"),
           "12\nstep,time,centre.x,centre.y,centre.z,momentum.x");
    expect(run("$P run scenes/spin.json --steps 10 --sensors $T/s.jsonl >/dev/null; "
               "wc -l <$T/s.jsonl; tail -n 1 $T/s.jsonl"),
           "11\n{\"centre\":[");
    json_error_t error;
    result = json_loads(strchr(output, '{'), 0, &error);
    TEST_ASSERT_EQUAL_DOUBLE(10, number("step"));
}

/* The engine freezes bodies before their numbers are lost, so these are put there. */
static void test_sensors_that_are_not_finite_say_so(void)
{
    static const char text[] =
        "{\"description\": \"d\", \"materials\": {\"m\": {}}, \"meshes\": {\"bar\": {\"beam\": "
        "{\"tetrahedra\": 100}}}, \"bodies\": [{\"name\": \"b\", \"mesh\": \"bar\", \"material\": "
        "\"m\"}], \"sensors\": [{\"name\": \"a\", \"kind\": \"mass\"}, {\"name\": \"b\", "
        "\"kind\": \"centre\"}]}";
    struct problem problem = {0};
    struct pool pool = {0};
    struct scene scene;
    struct stage stage = {0};
    struct sensors sensors = {0};
    char path[200];
    TEST_ASSERT_EQUAL_INT(0, run("printf %%s $T/lost"));
    snprintf(path, sizeof path, "%.150s.csv", output);
    TEST_ASSERT_TRUE_MESSAGE(scene_parse(text, sizeof text - 1, "d", &scene, &pool, &problem) &&
                                 stage_open(&stage, &scene, "d", &STAGE_OPTIONS_NONE, &problem) &&
                                 sensors_open(&sensors, &stage, path, &problem),
                             problem.text);
    sensors.values[0] = (double)NAN;
    sensors.values[1] = 2;
    sensors.values[2] = -(double)INFINITY;
    sensors.values[3] = 0.5;
    sensors_write(&sensors, 7, 0.25);
    json_t *object = sensors_json(&sensors);
    TEST_ASSERT_TRUE(sensors_commit(&sensors, &problem));
    FILE *table = fopen(strcat(path, ".table"), "w");
    TEST_ASSERT_NOT_NULL(table);
    sensors_print(&scene, object, table);
    fclose(table);
    json_decref(object);
    sensors_drop(&sensors);
    stage_close(&stage);
    pool_free(&pool);
    expect(run("tail -n 1 $T/lost.csv; cat $T/lost.csv.table"),
           "7,0.25,,2,,0.5\n"
           "sensor a                    not finite kg\n"
           "sensor b                    2, not finite, 0.5 m\n");
}

static void test_percentiles_are_ranks(void)
{
    float ms[200];
    for (int i = 0; i < 200; ++i)
        ms[i] = (float)(i + 1);
    TEST_ASSERT_EQUAL_DOUBLE(99, run_percentile(ms, 100, 99));
    TEST_ASSERT_EQUAL_DOUBLE(198, run_percentile(ms, 200, 99));
    TEST_ASSERT_EQUAL_DOUBLE(100, run_percentile(ms, 101, 99));
    TEST_ASSERT_EQUAL_DOUBLE(50, run_percentile(ms, 100, 50));
    TEST_ASSERT_EQUAL_DOUBLE(2, run_percentile(ms, 3, 50));
    TEST_ASSERT_EQUAL_DOUBLE(1, run_percentile(ms, 1, 99));
    TEST_ASSERT_EQUAL_DOUBLE(1, run_percentile(ms, 2, 50));
}

static void test_frames_are_whole_and_make_a_series(void)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        0, run("$P run scenes/recovery.json --steps 10 --out $T/out --every 4 --format vtu,obj"),
        output);
    expect(run("ls -A $T/out | tr '\\n' ' '"),
           "recovery.pvd recovery_000000.obj recovery_000000.vtu recovery_000001.obj "
           "recovery_000001.vtu recovery_000002.obj recovery_000002.vtu recovery_000003.obj "
           "recovery_000003.vtu ");
    TEST_ASSERT_NULL(strstr(output, ".X"));
    expect(run("cat $T/out/recovery.pvd"), "timestep=\"0.0499999989\" part=\"0\" "
                                           "file=\"recovery_000003.vtu\"");
    expect(run("$P mesh inspect $T/out/recovery_000003.obj"), "in 3 parts");
    TEST_ASSERT_NOT_NULL(strstr(output, "manifold           yes"));
    /* Two of the three are crushed at the start: as a reader of its own sees it. */
    expect(run("tests/read_vtu $T/out/recovery_000000.vtu"), "cells of kind 10 6804\nvelocity 3 ");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "\nbody 1 0 2\n"), output);
    const char *ratio = strstr(output, "\nvolume_ratio 1 ");
    TEST_ASSERT_NOT_NULL_MESSAGE(ratio, output);
    BELOW(-0.99, strtod(ratio + strlen("\nvolume_ratio 1 "), NULL));
}

/* Run where VTK is installed. */
static void test_vtk_reads_frames(void)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        0, run("$P run scenes/recovery.json --steps 1 --out $T/vtk --every 4"), output);
    expect(run("%s -c '\n"
               "from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader\n"
               "r = vtkXMLUnstructuredGridReader()\n"
               "r.SetFileName(\"'$T'/vtk/recovery_000000.vtu\"); r.Update(); g = r.GetOutput()\n"
               "c = g.GetCellData(); p = g.GetPointData()\n"
               "print(g.GetNumberOfCells(), c.GetArray(\"body\").GetRange(), "
               "p.GetArray(\"velocity\").GetNumberOfComponents(), "
               "c.GetArray(\"volume_ratio\").GetRange()[0] < -0.99)'",
               python_with_vtk()),
           "6804 (0.0, 2.0) 3 True");
}

/* With a terminal on both streams: percent and time left are shown, and taken away at the end. */
static void test_the_bar_is_for_terminals(void)
{
    static const char script[] = "import os, pty, sys\n"
                                 "process, terminal = pty.fork()\n"
                                 "if process == 0:\n"
                                 "    os.execv(sys.argv[1], sys.argv[1:])\n"
                                 "text = b\"\"\n"
                                 "try:\n"
                                 "    while data := os.read(terminal, 65536):\n"
                                 "        text += data\n"
                                 "except OSError:\n" /* how Linux says that the other end is shut */
                                 "    pass\n"
                                 "print(repr(text.decode()))\n"
                                 "sys.exit(os.waitpid(process, 0)[1] != 0)\n";
    const char *length = quick() ? "--steps 4000" : "--steps 20000";
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        0,
        run("cat >$T/on_terminal.py <<'END'\n%sEND\n"
            "python3 $T/on_terminal.py $P run scenes/spin.json --threads 1 %s",
            script, length),
        output);
    const char *bar = strstr(output, "\\r[#");
    TEST_ASSERT_NOT_NULL_MESSAGE(bar, output);
    unsigned percent = 0, minutes = 0, seconds = 0;
    unsigned long step = 0, steps = 0;
    bar = strchr(bar, ']');
    TEST_ASSERT_EQUAL_INT_MESSAGE(5,
                                  sscanf(bar, "] %u %% step %lu of %lu %u:%2u left", &percent,
                                         &step, &steps, &minutes, &seconds),
                                  bar);
    TEST_ASSERT_EQUAL_UINT32(quick() ? 4000 : 20000, steps);
    TEST_ASSERT_TRUE(step > 0 && step <= steps && percent <= 100);
    TEST_ASSERT_DOUBLE_WITHIN(0.51, 100.0 * (double)step / (double)steps, percent);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(bar, "100 %"), "no last bar");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(bar, "\\r\\x1b[KA soft bar"), "the bar stays");
    /* Elsewhere not a letter of it. */
    TEST_ASSERT_EQUAL_INT(0, run("$P run scenes/spin.json --threads 1 --hash %s", length));
    TEST_ASSERT_EQUAL_size_t(17, strlen(output));
}

static void test_interruption_leaves_whole_files(void)
{
    const int code = run("$P run scenes/spin.json --steps 100000000 --out $T/cut --every 50 "
                         "--sensors $T/cut.csv & sleep 1; kill -INT $!; wait $!");
    TEST_ASSERT_EQUAL_INT_MESSAGE(130, code, output);
    TEST_ASSERT_NOT_NULL(strstr(output, "(interrupted)"));
    TEST_ASSERT_NOT_NULL(strstr(output, "hash"));
    expect(run("tail -n 1 $T/cut/spin.pvd; tail -n 1 $T/cut.csv | tr -cd , | wc -c; ls -A $T/cut | "
               "grep -vc '[0-9]\\.vtu$'"),
           "</VTKFile>\n11\n1\n");
}

/* ---- refusals ---- */

static const struct {
    int code;
    const char *line, *expected;
} lines[] = {
    {0, "$P --version", "piola 0."},
    {0, "$P help", "mesh inspect"},
    {0, "$P help run", "--iterations N"},
    {0, "$P mesh make --help", "usage: piola mesh make"},
    {0, "$P info", "threads"},
    {0, "$P info --json", "\"isas\": ["},
    {0, "$P info | grep -c \", $(uname -s) $(uname -r), $(uname -m)$\"", "1"},
    {0, "$P info --json | grep -o '\"memory_bytes\": [0-9]*000,\\|\"memory_bytes\": [1-9][0-9]*'",
     "memory_bytes"},
    {0, "$P bench latency scenes/spin.json --rate 400 --seconds 0.05 --plain --json",
     "\"metric\": \"bare_wake_p999\", \"value\": "},
    {0, "$P bench latency scenes/spin.json --rate 400 --seconds 0.05 --plain", "wake-up"},
    {2, "$P bench latency scenes/spin.json --rate 0", "--rate"},
    {3, "$P bench latency no.json", "no.json"},
    {2, "$P bench $(yes -- --quick | head -n 100) nonsense", "no bench is called 'nonsense'"},
    {2, "$P mesh make box size=1,1,$(printf %070d 1)x cells=2,2,2 --out $T/m.node",
     "must be a number, and is a text"},
    {0,
     "$P mesh make box size=1,1,0.$(printf %070d 0)1e71 cells=2,2,2 --out $T/m.node && "
     "$P mesh inspect $T/m.node",
     "to (1, 1, 1)"},
    {0, "$P check scenes/organ.json", "good: 1 body, 3999 elements"},
    {0, "$P schema", "\"additionalProperties\": false"},
    {2, "$P", "usage:"},
    {2, "$P rnu", "did you mean \"run\"?"},
    {2, "$P mesh", "\"tetrahedralise\" or \"inspect\""},
    {2, "$P mesh inspct", "did you mean \"mesh inspect\"?"},
    {2, "$P run", "piola run needs SCENE"},
    {2, "$P run a b", "\"b\" is one too many"},
    {2, "$P run scenes/spin.json --step 5", "did you mean --steps?"},
    {2, "$P run scenes/spin.json --steps", "--steps needs a value"},
    {2, "$P run scenes/spin.json --steps 5x", "not a whole number"},
    {2, "$P run scenes/spin.json --steps 0", "from 1 to"},
    {2, "$P run scenes/spin.json --seconds nan", "not a number"},
    {2, "$P run scenes/spin.json --solver newton", "it can be descent, energy"},
    {2, "$P run scenes/spin.json --json=yes", "takes no value"},
    {2, "$P run scenes/spin.json --json --hash", "contradict"},
    {2, "$P run scenes/spin.json --times --hash", "contradict"},
    {2, "$P run scenes/spin.json --steps 1 --seconds 1", "contradict"},
    {2, "$P run scenes/spin.json --every 5", "needs --out"},
    {2, "$P run scenes/spin.json --steps 1 --out $T/o --format stl", "it can be vtu"},
    {2, "$P run scenes/spin.json --steps 1 --sensors $T/s.txt", "ends in .csv or .jsonl"},
    {2, "$P mesh make beam tetrahedra=9", "needs --out"},
    {2, "$P mesh make bean tetrahedra=9 --out $T/m.node", "did you mean \"beam\"?"},
    {2, "$P mesh make prism --out $T/m.node", "there is box, beam"},
    {0, "$P mesh make ball radius=.1 tetrahedra=200 offset=.5,1e-1,-.5 --out $T/m.node",
     "tetrahedra"},
    {0, "$P help mesh make", "ball     radius=N tetrahedra=N"},
    {2, "$P mesh make beam tetrahedra=x --out $T/m.node", "must be a whole number"},
    {2, "$P mesh make beam tetras=9 --out $T/m.node", "unknown key \"tetras\""},
    {2, "$P mesh make beam tetrahedra=9 --out $T/m.doc", "can be written"},
    {3, "$P run README.md", "this is not a scene, which is a JSON file"},
    {2, "$P run", "piola help run"},
    {1, "$P run absent.json", "absent.json: cannot be opened: No such file"},
    {1, "$P run scenes/spin.json --steps 1 --out /proc/x", "/proc/x: cannot be made"},
    {1, "$P run scenes/spin.json --steps 1 --out README.none/x", "cannot be made"},
    {1, "$P run scenes/spin.json --steps 1 --sensors /nonexistent/s.csv", "cannot be written"},
    {1, "$P mesh inspect absent.obj", "No such file"},
    {1, "$P mesh inspect absent.ele", "absent.ele: cannot be opened: No such file"},
    {3,
     "printf 'v 0 0 0\\nv 1e200 0 0\\nv 0 1 0\\nf 1 2 3\\n' >$T/far.obj; "
     "$P mesh inspect $T/far.obj --json",
     "far.obj:2: vertex 2: a coordinate is beyond 1e12 m"},
    {3, "printf '1 3\\n1 0 -1e13 0\\n' >$T/far.node; echo >$T/far.ele; $P mesh inspect $T/far.node",
     "far.node:2: node 0: a coordinate is beyond 1e12 m"},
    {0,
     "printf 'v 0 0 0\\nv 1e-120 0 0\\nv 0 1e-120 0\\nf 1 2 3\\n' >$T/tiny.obj; "
     "$P mesh inspect $T/tiny.obj --json",
     "\"triangles\": 1"},
    {3, "echo '{' >$T/bad.json; $P check $T/bad.json", "bad.json:"},
    {3,
     "sed 's/{\"subdivide\": [0-9]*/{\"subdivide\": 8/' scenes/tool.json >$T/bad.json; "
     "$P check $T/bad.json",
     "subdivide 8 makes"},
    {3, "sed 's/materials/cloth/' scenes/spin.json >$T/bad.json; $P run $T/bad.json",
     "unknown key \"cloth\""},
    {3,
     "sed 's/\"box\": {\"size.*/\"file\": \"no.node\"}/' scenes/spin.json >$T/bad.json; "
     "$P check $T/bad.json",
     "no.node: cannot be opened"},
    {3,
     "sed 's/\"box\": {\"size.*/\"file\": \"no.obj\"}/' scenes/spin.json >$T/bad.json; "
     "$P check $T/bad.json",
     "no.obj: cannot be opened"},
    {3,
     "sed 's/0.4}/0.5}/' scenes/spin.json >$T/bad.json; "
     "$P check $T/bad.json",
     "0.5 is outside of"},
    {3, "sed 's/-0.01, 0.04/5, 0.04/' scenes/pendulum.json >$T/bad.json; $P check $T/bad.json",
     "min[0] is more than max[0]"},
    {3,
     "sed 's/\\[-0.01, 0.04, -1\\]/[-0.02, -9, -9]/; s/\\[0.01, 0.06, 1\\]/[-0.01, 9, 9]/' "
     "scenes/pendulum.json >$T/bad.json; $P check $T/bad.json",
     "holds no vertex; the mesh \"beam\" has 99 vertices"},
};

static void test_exit_codes_and_messages(void)
{
    const bool benches = run("test -x $PIOLA_BUILD_DIR/bench/piola-bench") == 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        if (!benches && strstr(lines[i].line, "$P bench $"))
            continue; /* sanitizers' builds have none */
        const int code = run("%s", lines[i].line);
        if (code != lines[i].code || !strstr(output, lines[i].expected)) {
            printf("%s\nexpected %d: %s\ngot %d: ", lines[i].line, lines[i].code, lines[i].expected,
                   code);
            TEST_FAIL_MESSAGE(output);
        }
    }
}

static void test_full_disks_are_noticed(void)
{
    if (access("/dev/full", W_OK) != 0)
        return;
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, run("$P run scenes/spin.json --steps 1 >/dev/full"), output);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "No space left"), output);
    static const char *const others[] = {"info",      "info --json",    "schema",
                                         "--version", "help mesh make", "check scenes/spin.json"};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(1, run("$P %s >/dev/full", others[i]), others[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, "cannot be written"), others[i]);
    }
}

static void test_meshes_are_made_and_inspected(void)
{
    expect(run("$P mesh make box size=1,1,1 cells=2,2,2 cut=six scale=2,1,1 --out $T/b.node"),
           "27 vertices, 48 tetrahedra");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("$P mesh inspect $T/b.ele --json"), output);
    json_error_t error;
    result = json_loads(output, 0, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(result, output);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2, number("volume"));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 10, number("area"));
    TEST_ASSERT_TRUE(json_is_true(json_object_get(result, "manifold")));
    ABOVE(0, number("fill_elements"));
    /* A scene takes the same file. */
    expect(run("sed 's,{\"box\": {\"size[^}]*},{\"file\": \"b.node\",' scenes/spin.json "
               ">$T/spin.json && $P check $T/spin.json"),
           "48 elements");
}

/* ---- documents ---- */

static void test_documents_name_every_option(void)
{
    static const char *const commands[] = {"run",  "check",  "mesh make", "mesh inspect", "replay",
                                           "info", "render", "view",      "diff"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
        for (int document = 0; document < 3; ++document) {
            static const char *const files[] = {"docs/reference/command.md", "app/piola.1",
                                                "app/completion/piola.bash"};
            const int code = run("for o in $($P help %s | sed -n 's/^  --\\([a-z]*\\) .*/\\1/p'); "
                                 "do sed 's/\\\\-/-/g' %s | grep -q -- \"--$o\" || "
                                 "echo missing $o; done",
                                 commands[i], files[document]);
            TEST_ASSERT_EQUAL_INT(0, code);
            TEST_ASSERT_EQUAL_STRING_MESSAGE("", output, files[document]);
        }
}

static void test_completion_completes(void)
{
    expect(run("bash -c '. app/completion/piola.bash; COMP_WORDS=(piola run --it); COMP_CWORD=2; "
               "_piola; echo ${COMPREPLY[@]}'"),
           "--iterations");
    expect(run("bash -c '. app/completion/piola.bash; COMP_WORDS=(piola run --solver e); "
               "COMP_CWORD=3; _piola; echo ${COMPREPLY[@]}'"),
           "energy explicit");
}

int main(void)
{
    if (!program_open())
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_json_has_every_promised_key);
    RUN_TEST(test_times_are_those_of_the_phases);
    RUN_TEST(test_the_hash_is_one_over_threads_and_instruction_sets);
    RUN_TEST(test_every_solver_runs);
    RUN_TEST(test_the_table_tells_what_the_issue_asks);
    RUN_TEST(test_sensors_are_written_as_csv_and_json_lines);
    RUN_TEST(test_sensors_that_are_not_finite_say_so);
    RUN_TEST(test_percentiles_are_ranks);
    RUN_TEST(test_frames_are_whole_and_make_a_series);
    if (python_with_vtk())
        RUN_TEST(test_vtk_reads_frames);
    else
        printf("python3-vtk9 is not installed: there is no test that VTK reads frames\n");
    RUN_TEST(test_the_bar_is_for_terminals);
    RUN_TEST(test_interruption_leaves_whole_files);
    RUN_TEST(test_exit_codes_and_messages);
    RUN_TEST(test_full_disks_are_noticed);
    RUN_TEST(test_meshes_are_made_and_inspected);
    RUN_TEST(test_documents_name_every_option);
    RUN_TEST(test_completion_completes);
    program_close();
    return UNITY_END();
}
