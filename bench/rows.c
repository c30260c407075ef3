/* rows.c - how the harness shows figures: JSON lines or one aligned table. */
#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "revision.h"

/* ---- the machine ---- */

/* The value of a "key : value" line of /proc/cpuinfo; false when the line is another one. */
static bool read_model(const char *line, char *model, size_t bytes)
{
    if (strncmp(line, "model name", 10) != 0 && strncmp(line, "Model", 5) != 0)
        return false;
    const char *colon = strchr(line, ':');
    if (!colon)
        return false;
    colon += 1 + strspn(colon + 1, " \t");
    snprintf(model, bytes, "%.*s", (int)strcspn(colon, "\n"), colon);
    return model[0] != '\0';
}

void bench_machine_find(struct bench *bench)
{
    char line[512];
    snprintf(bench->machine, sizeof bench->machine, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    while (fgets(line, sizeof line, file))
        if (read_model(line, bench->machine, sizeof bench->machine))
            break;
    fclose(file);
}

/* ---- JSON ---- */

static void print_json_text(const char *name, const char *text)
{
    printf(", \"%s\": \"", name);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '"' || *at == '\\')
            printf("\\%c", *at);
        else if (*at < 0x20 || *at >= 0x7f) /* other bytes are read as Latin-1 */
            printf("\\u%04x", *at);
        else
            putchar(*at);
    }
    putchar('"');
}

static void print_json_count(const char *name, uint64_t count)
{
    if (count != 0)
        printf(", \"%s\": %llu", name, (unsigned long long)count);
}

static void print_json(const struct bench *bench, const struct bench_figure *figure)
{
    const struct bench_labels *labels = &figure->labels;
    printf("{\"bench\": \"%s\"", bench->entry->name);
    print_json_text("case", labels->case_name);
    print_json_text("isa", labels->isa);
    printf(", \"threads\": %lu", (unsigned long)labels->threads);
    if (labels->solver)
        print_json_text("solver", labels->solver);
    if (labels->material)
        print_json_text("material", labels->material);
    print_json_count("substeps", labels->substeps);
    print_json_count("iterations", labels->iterations);
    print_json_text("metric", figure->metric);
    printf(", \"value\": %.9g", figure->value);
    print_json_text("unit", figure->unit);
    print_json_count("bodies", labels->bodies);
    print_json_count("particles", labels->particles);
    print_json_count("elements", labels->elements);
    print_json_count("bytes", labels->bytes);
    print_json_count("samples", labels->samples);
    if (labels->source)
        print_json_text("source", labels->source);
    print_json_text("git", PIOLA_BENCH_REVISION);
    print_json_text("machine", bench->machine);
    printf(", \"quick\": %s}\n", bench->options.quick ? "true" : "false");
    fflush(stdout);
}

/* ---- the table ---- */

enum column {
    CASE,
    ISA,
    THREADS,
    SOLVER,
    MATERIAL,
    SUBSTEPS,
    ITERATIONS,
    BODIES,
    ELEMENTS,
    BYTES,
    METRIC,
    VALUE,
    UNIT,
    SAMPLES,
    SOURCE,
    COLUMN_COUNT
};

enum { CELL_BYTES = 96 };

static const char *const column_names[COLUMN_COUNT] = {
    "case",     "isa",   "threads", "solver", "material", "substeps", "iterations", "bodies",
    "elements", "bytes", "metric",  "value",  "unit",     "samples",  "source",
};

/* Numbers stand to the right of their column, texts to the left. */
static bool is_number(int column)
{
    return column == THREADS || column == SUBSTEPS || column == ITERATIONS || column == BODIES ||
           column == ELEMENTS || column == BYTES || column == VALUE || column == SAMPLES;
}

/* Four digits and a decimal prefix, so that a column is read at a glance: 143.2 M. */
static void format_value(double value, char *cell)
{
    static const char prefixes[] = " kMGT";
    int prefix = 0;
    double shown = value;
    if (fabs(value) >= 1e5)
        for (; fabs(shown) >= 999.95 && prefix < 4; prefix++)
            shown /= 1000;
    if (prefix > 0)
        snprintf(cell, CELL_BYTES, "%.1f %c", shown, prefixes[prefix]);
    else
        snprintf(cell, CELL_BYTES, "%.4g", value);
}

static void format_bytes(uint64_t bytes, char *cell)
{
    if (bytes >= (uint64_t)1 << 20)
        snprintf(cell, CELL_BYTES, "%.4g MiB", (double)bytes / (1 << 20));
    else if (bytes >= 1024)
        snprintf(cell, CELL_BYTES, "%.4g KiB", (double)bytes / 1024);
    else if (bytes != 0)
        snprintf(cell, CELL_BYTES, "%llu", (unsigned long long)bytes);
}

static void format_cell(const struct bench_figure *figure, int column, char *cell)
{
    const struct bench_labels *labels = &figure->labels;
    const char *const texts[COLUMN_COUNT] = {
        [CASE] = labels->case_name,    [ISA] = labels->isa,       [SOLVER] = labels->solver,
        [MATERIAL] = labels->material, [METRIC] = figure->metric, [UNIT] = figure->unit,
        [SOURCE] = labels->source};
    const uint64_t counts[COLUMN_COUNT] = {
        [THREADS] = labels->threads,       [SUBSTEPS] = labels->substeps,
        [ITERATIONS] = labels->iterations, [BODIES] = labels->bodies,
        [ELEMENTS] = labels->elements,     [SAMPLES] = labels->samples};
    cell[0] = '\0';
    if (texts[column])
        snprintf(cell, CELL_BYTES, "%s", texts[column]);
    else if (counts[column] != 0)
        snprintf(cell, CELL_BYTES, "%llu", (unsigned long long)counts[column]);
    else if (column == BYTES)
        format_bytes(labels->bytes, cell);
    else if (column == VALUE)
        format_value(figure->value, cell);
}

/* 0 for a column that no row fills. */
static int column_width(const struct bench *bench, int column)
{
    size_t widest = 0;
    for (size_t i = 0; i < bench->figure_count; i++) {
        char cell[CELL_BYTES];
        format_cell(&bench->figures[i], column, cell);
        widest = strlen(cell) > widest ? strlen(cell) : widest;
    }
    size_t heading = strlen(column_names[column]);
    return widest == 0 ? 0 : (int)(widest > heading ? widest : heading);
}

static void print_cell(int column, int width, const char *text)
{
    if (width > 0)
        printf(is_number(column) ? "%*s  " : "%-*s  ", width, text);
}

void bench_table_print(struct bench *bench)
{
    int widths[COLUMN_COUNT];
    if (bench->figure_count == 0)
        return;
    printf("%s - %s\n%s, revision %s%s\n\n", bench->entry->name, bench->entry->what, bench->machine,
           PIOLA_BENCH_REVISION, bench->options.quick ? ", quick (rough figures)" : "");
    for (int column = 0; column < COLUMN_COUNT; column++) {
        widths[column] = column_width(bench, column);
        print_cell(column, widths[column], column_names[column]);
    }
    putchar('\n');
    for (size_t i = 0; i < bench->figure_count; i++) {
        for (int column = 0; column < COLUMN_COUNT; column++) {
            char cell[CELL_BYTES];
            format_cell(&bench->figures[i], column, cell);
            print_cell(column, widths[column], cell);
        }
        putchar('\n');
    }
    putchar('\n');
    bench->figure_count = 0;
}

/* ---- rows ---- */

static void keep_figure(struct bench *bench, const struct bench_figure *figure)
{
    if (bench->figure_count == bench->figure_capacity) {
        size_t capacity = 2 * bench->figure_capacity + 64;
        struct bench_figure *figures = realloc(bench->figures, capacity * sizeof bench->figures[0]);
        if (!figures)
            bench_fail(bench, "no memory for rows");
        bench->figures = figures;
        bench->figure_capacity = capacity;
    }
    bench->figures[bench->figure_count++] = *figure;
}

void bench_row(struct bench *bench, const struct bench_labels *labels, const char *metric,
               double value, const char *unit)
{
    struct bench_figure figure = {.labels = *labels, .value = value, .unit = unit};
    snprintf(figure.metric, sizeof figure.metric, "%s", metric);
    if (!figure.labels.case_name)
        figure.labels.case_name = "all";
    if (!figure.labels.isa)
        figure.labels.isa = "none";
    if (figure.labels.threads == 0)
        figure.labels.threads = 1;
    if (!isfinite(value))
        bench_fail(bench, "%s of %s is not a finite number", metric, figure.labels.case_name);
    if (bench->options.json)
        print_json(bench, &figure);
    else
        keep_figure(bench, &figure);
}

void bench_ratio(struct bench *bench, const struct bench_labels *labels, const char *metric,
                 double numerator, double denominator)
{
    if (numerator > 0 && denominator > 0)
        bench_row(bench, labels, metric, numerator / denominator, "ratio");
}

void bench_stats_rows(struct bench *bench, const struct bench_labels *labels, const char *metric,
                      const struct bench_stats *stats, double scale, const char *unit)
{
    char name[48];
    struct bench_labels counted = *labels;
    counted.samples = stats->samples;
    bench_row(bench, &counted, metric, scale * stats->median, unit);
    snprintf(name, sizeof name, "%s_min", metric);
    bench_row(bench, &counted, name, scale * stats->min, unit);
    snprintf(name, sizeof name, "%s_p99", metric);
    bench_row(bench, &counted, name, scale * stats->p99, unit);
    snprintf(name, sizeof name, "%s_max", metric);
    bench_row(bench, &counted, name, scale * stats->max, unit);
    if (stats->cores.full > 0)
        bench_row(bench, &counted, "cores", stats->cores.full, "ratio");
    counted.samples = stats->cores.samples;
    snprintf(name, sizeof name, "%s_alone", metric);
    if (stats->cores.samples > 0)
        bench_row(bench, &counted, name, scale * stats->cores.alone, unit);
}

void bench_tail_rows(struct bench *bench, const struct bench_labels *labels, const char *metric,
                     double *samples, size_t count, double scale, const char *unit)
{
    static const struct {
        const char *name;
        double above; /* the share of samples that may be greater */
    } shares[] = {{"p50", 0.5}, {"p99", 1e-2}, {"p999", 1e-3}, {"p9999", 1e-4}, {"max", 0}};
    struct bench_stats stats;
    struct bench_labels counted = *labels;
    char name[48];
    bench_stats_of(samples, count, &stats); /* sorts */
    counted.samples = count;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        const size_t above = (size_t)((double)count * shares[i].above);
        snprintf(name, sizeof name, "%s_%s", metric, shares[i].name);
        bench_row(bench, &counted, name, scale * samples[count - 1 - above], unit);
    }
}
