/* program.c - see program.h. */
#define _POSIX_C_SOURCE 200809L
#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static char folder[64];
char output[1 << 20];
json_t *result;

int run(const char *format, ...)
{
    char line[4096], command[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    snprintf(command, sizeof command,
             "cd \"$PIOLA_SOURCE_DIR\" && T=%s && P=$T/bin/piola && { %s ; } 2>&1", folder, line);
    FILE *pipe = popen(command, "r");
    TEST_ASSERT_NOT_NULL(pipe);
    const size_t bytes = fread(output, 1, sizeof output - 1, pipe);
    output[bytes] = 0;
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void expect(int code, const char *text)
{
    if (!strstr(output, text)) {
        printf("expected: %s\n", text);
        TEST_FAIL_MESSAGE(output);
    }
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, code, output);
}

const char *python_with_vtk(void)
{
    /* Debian's packages belong to its own Python, which need not be the first on the path. */
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    for (int i = 0; i < 2; ++i)
        if (run("%s -c 'import vtkmodules.vtkIOXML'", pythons[i]) == 0)
            return pythons[i];
    return NULL;
}

void run_json(const char *arguments)
{
    json_error_t error;
    json_decref(result);
    /* One thread: these scenes are small, and a busy machine's threads would wait for each other.
     */
    const char *threads = strstr(arguments, "--threads") ? "" : "--threads 1";
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("$P run %s --json %s", arguments, threads), output);
    result = json_loads(output, 0, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(result, output);
}

double number(const char *key)
{
    const json_t *value = json_object_get(result, key);
    TEST_ASSERT_TRUE_MESSAGE(json_is_number(value), key);
    return json_number_value(value);
}

double sensor(const char *name, size_t component)
{
    const json_t *value = json_object_get(json_object_get(result, "sensors"), name);
    TEST_ASSERT_NOT_NULL_MESSAGE(value, name);
    return json_number_value(json_is_array(value) ? json_array_get(value, component) : value);
}

bool quick(void)
{
    const char *scale = getenv("PIOLA_TEST_SCALE");
    return scale && atof(scale) < 0.5;
}

bool outcome_of(const char *scene)
{
    char arguments[200];
    snprintf(arguments, sizeof arguments, "scenes/%s.json --sensors $T/sensors.jsonl %s", scene,
             quick() ? "--steps 5" : "");
    run_json(arguments);
    TEST_ASSERT_EQUAL_DOUBLE(0, number("frozen"));
    return !quick();
}

void moment(double time)
{
    json_t *before = NULL;
    TEST_ASSERT_EQUAL_INT(0, run("cat $T/sensors.jsonl"));
    for (const char *line = output; *line; line = strchr(line, '\n') + 1) {
        json_t *now = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
        TEST_ASSERT_NOT_NULL_MESSAGE(now, line);
        const bool late = json_number_value(json_object_get(now, "time")) > time + 1e-4;
        json_decref(late ? now : before);
        if (late)
            break;
        before = now;
    }
    TEST_ASSERT_NOT_NULL(before);
    TEST_ASSERT_DOUBLE_WITHIN(0.02, time, json_number_value(json_object_get(before, "time")));
    TEST_ASSERT_EQUAL_INT(0, json_object_set_new(result, "sensors", before));
}

bool program_open(void)
{
    snprintf(folder, sizeof folder, "/tmp/piola-program-XXXXXX");
    return getenv("PIOLA_BUILD_DIR") && getenv("PIOLA_SOURCE_DIR") && mkdtemp(folder) &&
           run("ln -s \"$PIOLA_BUILD_DIR/app\" $T/bin") == 0;
}

void program_close(void)
{
    run("rm -rf $T");
}

void program_forget(void)
{
    json_decref(result);
    result = NULL;
}
