/* bench.c - piola-bench's command line: which benches there are, and what is asked of them.
 *
 * Rows are in rows.c, clocks and statistics in timing.c.
 */
#define _POSIX_C_SOURCE 200809L
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the 30 that --quick may take; the rest is for what is under way. */
#define QUICK_SECONDS 25.0

enum { EXIT_USAGE = 2 };

static const struct bench_entry *const entries[] = {
    &bench_cloth_entry,  &bench_contact_entry,  &bench_crowd_entry,  &bench_convergence_entry,
    &bench_detail_entry, &bench_frames_entry,   &bench_limits_entry, &bench_integrate_entry,
    &bench_packs_entry,  &bench_rollback_entry, &bench_scenes_entry, &bench_solids_entry,
    &bench_tool_entry,   &bench_vr_entry,
};

#define ENTRY_COUNT (sizeof entries / sizeof entries[0])

static const char usage_text[] =
    "usage: piola-bench [NAME... [--json] [--quick] [--threads N] [--isa NAME] [--case NAME]]\n"
    "       piola-bench --list\n"
    "  --json       one JSON object a line, and nothing else, on standard output\n"
    "  --quick      end within 30 s; figures are rougher and rarer cases are left out\n"
    "  --threads N  only with N threads (default: 1, and 2 where there are two cores)\n"
    "  --isa NAME   only this instruction set (default: each that this machine has)\n"
    "  --case NAME  only this case\n";

static void list(FILE *to)
{
    for (size_t i = 0; i < ENTRY_COUNT; i++) {
        fprintf(to, "%-10s %s\n", entries[i]->name, entries[i]->what);
        for (const char *const *name = entries[i]->cases; name && *name; name++)
            fprintf(to, "%-10s   --case %s\n", "", *name);
    }
}

_Noreturn static void refuse(const char *what, const char *name)
{
    fprintf(stderr, "piola-bench: %s '%s'\n%sThe benches and their cases:\n", what, name,
            usage_text);
    list(stderr);
    exit(EXIT_USAGE);
}

static const struct bench_entry *find_entry(const char *name)
{
    for (size_t i = 0; i < ENTRY_COUNT; i++)
        if (strcmp(entries[i]->name, name) == 0)
            return entries[i];
    refuse("no bench is called", name);
}

static bool has_case(const struct bench_entry *entry, const char *name)
{
    for (const char *const *known = entry->cases; known && *known; known++)
        if (strcmp(*known, name) == 0)
            return true;
    return false;
}

static piola_isa find_isa(const char *name)
{
    for (int isa = PIOLA_ISA_AUTO + 1; isa < PIOLA_ISA_COUNT; isa++) {
        if (strcmp(piola_isa_name((piola_isa)isa), name) != 0)
            continue;
        if (!piola_isa_available((piola_isa)isa))
            refuse("this build or this processor lacks the instruction set", name);
        return (piola_isa)isa;
    }
    refuse("no instruction set is called", name);
}

static uint32_t find_threads(const char *text)
{
    char *end = NULL;
    unsigned long threads = strtoul(text, &end, 10);
    if (end == text || *end || text[0] == '-' || threads < 1 || threads > 64)
        refuse("the number of threads must be 1 to 64, not", text);
    return (uint32_t)threads;
}

static const char *option_value(int argc, char **argv, int *at)
{
    if (*at + 1 >= argc)
        refuse("a value is missing after", argv[*at]);
    return argv[++*at];
}

/* Reads one argument (and its value); false if it is no option but a bench's name. */
static bool read_option(int argc, char **argv, int *at, struct bench_options *options)
{
    const char *text = argv[*at];
    if (strcmp(text, "--json") == 0)
        options->json = true;
    else if (strcmp(text, "--quick") == 0)
        options->quick = true;
    else if (strcmp(text, "--threads") == 0)
        options->threads = find_threads(option_value(argc, argv, at));
    else if (strcmp(text, "--isa") == 0)
        options->isa = find_isa(option_value(argc, argv, at));
    else if (strcmp(text, "--case") == 0)
        options->case_name = option_value(argc, argv, at);
    else if (text[0] == '-')
        refuse("no option is called", text);
    else
        return false;
    return true;
}

/* Until `deadline`, s of bench_now, when --quick asks for an end. */
static void run(const struct bench_entry *entry, const struct bench_options *options,
                double deadline)
{
    struct bench bench = {.entry = entry, .options = *options, .deadline = deadline};
    if (options->quick && bench_now() > deadline) {
        bench_note(&bench, "left out, --quick has no time left");
        return;
    }
    bench_machine_find(&bench);
    entry->run(&bench);
    bench_table_print(&bench);
    free(bench.figures);
}

/* With --quick all benches that are named share the time of one: each gets its part of what those
 * before it have left. */
static void run_all(const struct bench_entry *const *chosen, size_t count,
                    const struct bench_options *options)
{
    const double end = bench_now() + QUICK_SECONDS;
    for (size_t i = 0; i < count; i++) {
        const double now = bench_now();
        run(chosen[i], options, now + (end - now) / (double)(count - i));
    }
}

int main(int argc, char **argv)
{
    struct bench_options options = {0};
    const struct bench_entry *chosen[64];
    size_t count = 0;
    for (int at = 1; at < argc; at++) {
        if (strcmp(argv[at], "--list") == 0) {
            list(stdout);
            return EXIT_SUCCESS;
        }
        if (strcmp(argv[at], "--help") == 0) {
            fputs(usage_text, stdout);
            return EXIT_SUCCESS;
        }
        if (!read_option(argc, argv, &at, &options)) {
            if (count == sizeof chosen / sizeof chosen[0])
                refuse("too many benches from", argv[at]);
            chosen[count++] = find_entry(argv[at]);
        }
    }
    if (argc == 1) {
        fputs(usage_text, stdout);
        list(stdout);
    } else if (count == 0) {
        refuse("no bench is named after", argv[argc - 1]);
    }
    for (size_t i = 0; i < count; i++)
        if (options.case_name && !has_case(chosen[i], options.case_name))
            refuse("that bench has no case", options.case_name);
    run_all(chosen, count, &options);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("piola-bench: standard output cannot be written\n", stderr);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

/* ---- what benches ask ---- */

void bench_note(struct bench *bench, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", bench->entry->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

_Noreturn void bench_fail(struct bench *bench, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: failed: ", bench->entry->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_FAILURE);
}

void bench_check(struct bench *bench, const char *what, piola_status status,
                 const piola_error *error)
{
    if (status == PIOLA_OK)
        return;
    char text[256];
    if (!error || error->status != status)
        bench_fail(bench, "%s: %s", what, piola_status_text(status));
    piola_error_format(error, text, sizeof text);
    bench_fail(bench, "%s: %s", what, text);
}

bool bench_quick(const struct bench *bench)
{
    return bench->options.quick;
}

bool bench_wants_case(const struct bench *bench, const char *name)
{
    return !bench->options.case_name || strcmp(bench->options.case_name, name) == 0;
}

bool bench_wants_threads(const struct bench *bench, uint32_t threads)
{
    if (bench->options.threads != 0)
        return bench->options.threads == threads;
    return threads == 1 || (threads == 2 && sysconf(_SC_NPROCESSORS_ONLN) >= 2);
}

bool bench_wants_isa(const struct bench *bench, piola_isa isa)
{
    if (bench->options.isa != PIOLA_ISA_AUTO)
        return bench->options.isa == isa;
    return isa != PIOLA_ISA_AUTO && piola_isa_available(isa);
}

piola_isa bench_widest_isa(const struct bench *bench)
{
    for (int isa = PIOLA_ISA_COUNT - 1; isa > PIOLA_ISA_AUTO; isa--)
        if (bench_wants_isa(bench, (piola_isa)isa))
            return (piola_isa)isa;
    return PIOLA_ISA_AUTO;
}

double bench_seconds_left(const struct bench *bench)
{
    if (!bench->options.quick)
        return 1e300;
    return bench->deadline - bench_now();
}

bool bench_is_late(struct bench *bench, const char *what)
{
    if (bench_seconds_left(bench) >= 1)
        return false;
    bench_note(bench, "%s: left out, --quick has no time left", what);
    return true;
}
