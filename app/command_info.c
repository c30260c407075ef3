/* command_info.c - `piola info` (what this machine and build can do) and `piola bench`. */
#define _POSIX_C_SOURCE 200809L
#include "command.h"
#include "machine.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

static const struct {
    uint32_t bit;
    const char *name, *yes, *no;
} features[] = {
    {PIOLA_FEATURE_THREADS, "threads", "can start threads", "cannot start threads"},
    {PIOLA_FEATURE_AFFINITY, "affinity", "may pin threads to cores", "may not pin threads"},
    {PIOLA_FEATURE_REALTIME, "realtime", "may use real-time scheduling (SCHED_FIFO)",
     "may not use SCHED_FIFO (needs CAP_SYS_NICE or an rtprio limit)"},
    {PIOLA_FEATURE_LOCK_MEMORY, "lock_memory", "may lock memory",
     "may not lock memory (needs CAP_IPC_LOCK or a memlock limit)"},
    {PIOLA_FEATURE_HUGE_PAGES, "huge_pages", "may ask for huge pages", "has no huge pages"},
    {PIOLA_FEATURE_FUTEX, "futex", "sleeps without polling", "polls while it waits"},
};

static json_t *info_json(uint32_t allowed)
{
    json_t *isas = json_array(), *names = json_object();
    for (int i = PIOLA_ISA_SSE4; i < PIOLA_ISA_COUNT; ++i)
        if (piola_isa_available((piola_isa)i))
            (void)json_array_append_new(isas, json_string(isa_names[i]));
    for (uint32_t i = 0; i < COUNT(features); ++i)
        (void)json_object_set_new(names, features[i].name,
                                  json_boolean((allowed & features[i].bit) != 0));
    struct machine machine;
    machine_find(&machine);
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:o, s:o}", "version", piola_version(), "cpu",
                     machine.cpu, "system", machine.system, "architecture", machine.architecture,
                     "cores", (json_int_t)machine.cores, "memory_bytes", (json_int_t)machine.memory,
                     "isas", isas, "features", names);
}

static void info_text(uint32_t allowed)
{
    struct machine machine;
    char bytes[32];
    machine_find(&machine);
    printf("Piola %s\n", piola_version());
    printf("cpu                %s, %ld core%s\n", machine.cpu, machine.cores,
           machine.cores == 1 ? "" : "s");
    printf("system             %s, %s\n", machine.system, machine.architecture);
    printf("memory             %s\n", human_bytes((double)machine.memory, bytes, sizeof bytes));
    for (int i = PIOLA_ISA_SSE4; i < PIOLA_ISA_COUNT; ++i)
        printf("%-18s %s\n", isa_names[i],
               piola_isa_available((piola_isa)i) ? "can run" : "not here, or not in this build");
    for (uint32_t i = 0; i < COUNT(features); ++i)
        printf("%-18s %s\n", features[i].name,
               allowed & features[i].bit ? features[i].yes : features[i].no);
}

static int info(const struct command *command, const struct arguments *a)
{
    const uint32_t allowed = piola_platform_features();
    if (!argument(command, a, "json")) {
        info_text(allowed);
        return EXIT_DONE;
    }
    json_t *object = info_json(allowed);
    const int written = object ? json_dumpf(object, stdout, 0) : -1;
    json_decref(object);
    putchar('\n');
    return written == 0 || ferror(stdout) ? EXIT_DONE : EXIT_RUNTIME;
}

static const struct option info_options[] = {
    {"json", NULL, "print one JSON object"},
};

const struct command info_command = {
    "info",
    "",
    "Tells the version, the machine, its instruction sets, and what it allows.",
    info_options,
    1,
    0,
    0,
    info,
    NULL,
};

/* ---- bench ---- */

#ifndef PIOLA_LIBEXEC
#define PIOLA_LIBEXEC "/usr/local/libexec"
#endif

/* In ../bench of a build folder; installed, in the folder of programs that others run, wherever the
 * tree was moved to. */
static bool bench_path(char *path, size_t bytes)
{
    static const char *const places[] = {"/piola-bench", "/../bench/piola-bench",
                                         "/../libexec/piola/piola-bench"};
    char own[3800];
    const ssize_t letters = readlink("/proc/self/exe", own, sizeof own - 1);
    if (letters <= 0)
        return false;
    own[letters] = 0;
    char *slash = strrchr(own, '/');
    if (!slash)
        return false;
    *slash = 0;
    for (uint32_t i = 0; i < COUNT(places); ++i) {
        snprintf(path, bytes, "%s%s", own, places[i]);
        if (access(path, X_OK) == 0)
            return true;
    }
    snprintf(path, bytes, "%s/piola/piola-bench", PIOLA_LIBEXEC);
    return access(path, X_OK) == 0;
}

static int bench(const struct command *command, const struct arguments *a)
{
    (void)command;
    struct problem problem = {0};
    char path[4096];
    if (!bench_path(path, sizeof path)) {
        problem_set(&problem, EXIT_RUNTIME,
                    "the measuring program piola-bench is not there: `./dev bench` builds it, and "
                    "`meson install` installs it");
        return problem_report(&problem);
    }
    char **argv = calloc((size_t)a->operand_count + 2, sizeof *argv);
    if (argv) {
        argv[0] = path;
        for (uint32_t i = 0; i < a->operand_count; ++i)
            argv[i + 1] = a->operands[i];
        execv(path, argv);
        problem_errno(&problem, path, "run");
    } else {
        problem_memory(&problem, "the arguments", a->operand_count * sizeof *argv);
    }
    free(argv);
    return problem_report(&problem);
}

/* Everything behind `bench` is the other program's; main() hands it on unread. */
const struct command bench_command = {
    "bench",
    "[NAME ... [--json] [--quick] [--threads N] [--isa NAME] [--case NAME]]",
    "Runs the measuring program; without a NAME it lists what it measures.",
    NULL,
    0,
    0,
    UINT32_MAX,
    bench,
    NULL,
};
