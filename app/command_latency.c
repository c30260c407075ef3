/* command_latency.c - `piola bench latency`: options in; a table, rows of JSON, a picture out. */
#include "command.h"
#include "latency.h"
#include "stop.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))
#define BAR          40 /* letters of the longest bar */

static const struct option latency_options[] = {
    {"rate", "HZ", "steps a second, 1 to 100000 (default 1000)"},
    {"seconds", "S", "real time of steps, and as much of the bare loop (default 10)"},
    {"threads", "T", "working threads, 1 to 64 (default 1)"},
    {"spin", "US", "wake so many microseconds earlier and poll the clock, to 10000 (default 0)"},
    {"plain", NULL, "ask for no real-time priority, core or locked memory"},
    {"png", "FILE", "draw the histograms"},
    {"json", NULL, "print rows as JSON, one a line, instead of the table"},
};

static const struct series_name {
    const char *json, *text;
    size_t at;
} series_names[] = {
    {"step", "step", offsetof(struct latency, step)},
    {"wake", "wake-up", offsetof(struct latency, wake)},
    {"bare_wake", "bare wake-up", offsetof(struct latency, bare)},
};

static const struct latency_series *series_of(const struct latency *result, uint32_t index)
{
    return (const struct latency_series *)(const void *)((const char *)result +
                                                         series_names[index].at);
}

/* ---- rows ---- */

static void print_row(const struct latency *r, const char *name, const char *metric, double value,
                      const char *unit, uint64_t samples)
{
    printf("{\"bench\": \"latency\", \"case\": \"");
    for (const char *at = name; *at; ++at)
        if (*at == '"' || *at == '\\')
            printf("\\%c", *at);
        else if ((unsigned char)*at >= 0x20)
            putchar(*at);
    printf("\", \"isa\": \"%s\", \"threads\": %" PRIu32 ", \"metric\": \"%s\", \"value\": %.9g, "
           "\"unit\": \"%s\", \"samples\": %" PRIu64 "}\n",
           piola_isa_name(r->isa), r->threads, metric, value, unit, samples);
}

static void print_rows(const struct latency *r, const char *name)
{
    for (uint32_t s = 0; s < COUNT(series_names); ++s)
        for (uint32_t i = 0; i < LATENCY_SHARES; ++i) {
            const struct latency_series *series = series_of(r, s);
            char metric[40];
            snprintf(metric, sizeof metric, "%s_%s", series_names[s].json, latency_names[i]);
            print_row(r, name, metric, 1e3 * latency_at(series, latency_shares[i]), "ms",
                      series->count);
        }
    print_row(r, name, "step_missed", (double)r->step_missed, "steps", r->step.count);
    print_row(r, name, "bare_missed", (double)r->bare_missed, "steps", r->bare.count);
}

/* ---- the table ---- */

static void print_features(const struct latency *r)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } names[] = {{PIOLA_FEATURE_REALTIME, "real-time priority"},
                 {PIOLA_FEATURE_AFFINITY, "a core of its own"},
                 {PIOLA_FEATURE_LOCK_MEMORY, "locked memory"}};
    if (r->asked == 0)
        puts("asked of the system: nothing");
    for (uint32_t i = 0; i < COUNT(names); ++i)
        if (r->asked & names[i].bit)
            printf("%-20s %s\n", names[i].name,
                   r->got & names[i].bit ? "got" : "NOT allowed: docs/guide/realtime.md says how");
}

static void print_bars(const struct latency *r)
{
    uint64_t bins[COUNT(series_names)][LATENCY_BINS], most = 1;
    uint32_t first = LATENCY_BINS, last = 0;
    for (uint32_t s = 0; s < COUNT(series_names); ++s) {
        latency_bins(series_of(r, s), bins[s]);
        for (uint32_t b = 0; b < LATENCY_BINS; ++b)
            if (bins[s][b] > 0) {
                most = bins[s][b] > most ? bins[s][b] : most;
                first = b < first ? b : first;
                last = b > last ? b : last;
            }
    }
    for (uint32_t s = 0; s < COUNT(series_names); ++s) {
        printf("\n%s: how many, each bar from that many ms on (its length is a logarithm)\n",
               series_names[s].text);
        for (uint32_t b = first; b <= last; ++b) {
            const double length = log1p((double)bins[s][b]) / log1p((double)most);
            printf("%10.4g %9" PRIu64 "  ", 1e-3 * pow(10, (double)b / LATENCY_BINS_EACH),
                   bins[s][b]);
            for (int i = 0; i < (int)ceil(BAR * length); ++i)
                putchar('#');
            putchar('\n');
        }
    }
}

static void print_table(const struct latency *r, const struct latency_plan *plan)
{
    print_features(r);
    printf("%s at %g Hz, %" PRIu32 " thread%s, %s\n\n%-14s", plan->path, plan->rate, r->threads,
           r->threads == 1 ? "" : "s", piola_isa_name(r->isa), "ms");
    for (uint32_t i = 0; i < LATENCY_SHARES; ++i)
        printf("%10s", latency_names[i]);
    printf("%10s%10s\n", "samples", "missed");
    for (uint32_t s = 0; s < COUNT(series_names); ++s) {
        const struct latency_series *series = series_of(r, s);
        printf("%-14s", series_names[s].text);
        for (uint32_t i = 0; i < LATENCY_SHARES; ++i)
            printf("%10.4g", 1e3 * latency_at(series, latency_shares[i]));
        printf("%10" PRIu64, series->count);
        if (s != 1)
            printf("%10" PRIu64, s == 0 ? r->step_missed : r->bare_missed);
        putchar('\n');
    }
    print_bars(r);
}

/* ---- the command ---- */

static bool read_plan(const struct command *command, const struct arguments *a,
                      struct latency_plan *plan, struct problem *problem)
{
    int64_t threads = 1;
    double spin = 0;
    *plan = (struct latency_plan){.path = a->operands[0],
                                  .rate = 1000,
                                  .seconds = 10,
                                  .plain = argument(command, a, "plain") != NULL};
    const bool good =
        argument_number(command, a, "rate", 1, 1e5, &plan->rate, problem) &&
        argument_number(command, a, "seconds", 0.01, 86400, &plan->seconds, problem) &&
        argument_number(command, a, "spin", 0, 10000, &spin, problem) &&
        argument_count(command, a, "threads", 1, 64, &threads, problem);
    plan->threads = (uint32_t)threads;
    plan->spin = 1e-6 * spin;
    return good;
}

static int latency(const struct command *command, const struct arguments *a)
{
    struct problem problem = {0};
    struct latency_plan plan;
    struct latency result = {0};
    const char *png = argument(command, a, "png");
    char title[300];
    stop_listen();
    bool good = read_plan(command, a, &plan, &problem) && latency_run(&plan, &result, &problem);
    if (good && argument(command, a, "json"))
        print_rows(&result, plan.path);
    else if (good)
        print_table(&result, &plan);
    snprintf(title, sizeof title, "%.200s at %g Hz, %" PRIu32 " thread%s", plan.path, plan.rate,
             result.threads, result.threads == 1 ? "" : "s");
    good = good && (!png || latency_draw(&result, title, png, &problem));
    latency_free(&result);
    return good ? EXIT_DONE : problem_report(&problem);
}

const struct command latency_command = {
    "bench latency",
    "SCENE",
    "Steps a scene at a fixed rate and prints what steps took and how late they began, beside a "
    "loop "
    "that\ndoes nothing, in the same run.",
    latency_options,
    COUNT(latency_options),
    1,
    1,
    latency,
    NULL,
};
