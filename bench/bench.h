/* bench.h - the harness of the program piola-bench: options, timing, rows.
 *
 * Lives here: what every bench shares. What a bench measures lives in its own bench_NAME.c, which
 * defines one `struct bench_entry` that bench.c lists. A bench may allocate and may fail loudly.
 *
 * A row is one figure with its labels. With --json each row is one JSON object a line on standard
 * output and nothing else is printed there; without, all rows of a bench are one aligned table.
 * Notes and progress go to standard error.
 */
#ifndef PIOLA_BENCH_H
#define PIOLA_BENCH_H

#include "piola/piola.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bench; /* one bench being run */

struct bench_entry {
    const char *name;
    const char *what;         /* one line */
    const char *const *cases; /* null-terminated names that --case accepts */
    void (*run)(struct bench *bench);
};

/* Every bench of the program, each defined in its own file. */
extern const struct bench_entry bench_cloth_entry;
extern const struct bench_entry bench_contact_entry;
extern const struct bench_entry bench_convergence_entry;
extern const struct bench_entry bench_detail_entry;
extern const struct bench_entry bench_frames_entry;
extern const struct bench_entry bench_limits_entry;
extern const struct bench_entry bench_crowd_entry;
extern const struct bench_entry bench_integrate_entry;
extern const struct bench_entry bench_packs_entry;
extern const struct bench_entry bench_rollback_entry;
extern const struct bench_entry bench_scenes_entry;
extern const struct bench_entry bench_solids_entry;
extern const struct bench_entry bench_tool_entry;
extern const struct bench_entry bench_vr_entry;

/* What a row is about. Null texts and zero counts are left out (isa is then "none", threads 1).
 * Texts are not copied: they must live until the bench ends, as literals do. */
struct bench_labels {
    const char *case_name;
    const char *isa;
    uint32_t threads;
    const char *solver;
    const char *material;
    uint64_t substeps, iterations; /* the budget of a scene, which may choose another one day */
    uint64_t bodies, particles, elements; /* in the whole scene */
    uint64_t bytes;                       /* working set, where it is the point of the row */
    uint64_t samples;                     /* measurements behind the value */
    const char *source;                   /* of a figure that was quoted, not measured */
};

/* ---- rows ---- */

void bench_row(struct bench *bench, const struct bench_labels *labels, const char *metric,
               double value, const char *unit);

/* A row of unit "ratio", of two figures measured in the same run. Without a row when either is not
 * a positive number (its case was not run). */
void bench_ratio(struct bench *bench, const struct bench_labels *labels, const char *metric,
                 double numerator, double denominator);

/* A line on standard error, printf-like, with the bench's name before it. */
void bench_note(struct bench *bench, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the program with status 1 after a note: for what must not happen in a sound bench. */
_Noreturn void bench_fail(struct bench *bench, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Fails with the text of `status` and where `error` (may be null) says it was; returns on OK. */
void bench_check(struct bench *bench, const char *what, piola_status status,
                 const piola_error *error);

/* ---- what the command line asks for ---- */

bool bench_quick(const struct bench *bench);
bool bench_wants_case(const struct bench *bench, const char *name);
/* True for the one --threads asks for; without it for 1, and 2 where the machine has 2 cores. */
bool bench_wants_threads(const struct bench *bench, uint32_t threads);
/* True if this machine can run it and --isa does not ask for another. Without --isa all are
 * wanted. */
bool bench_wants_isa(const struct bench *bench, piola_isa isa);
/* The widest instruction set that is wanted. */
piola_isa bench_widest_isa(const struct bench *bench);
/* Seconds until --quick wants this bench to end; infinite without --quick. */
double bench_seconds_left(const struct bench *bench);
/* True, after a note that `what` is left out, when that is less than a second. */
bool bench_is_late(struct bench *bench, const char *what);

/* ---- time ---- */

double bench_now(void); /* s, monotonic */

/* Whether the bench had its cores for itself. */
struct bench_share {
    double full;      /* share of their full speed that the cores gave, 0 to 1 */
    double alone;     /* s; median of the samples taken at nearly full speed */
    uint64_t samples; /* how many those are */
};

struct bench_stats {
    double min, median, p99, max; /* s; order statistics, none is interpolated */
    uint64_t samples;
    struct bench_share cores; /* of steps of scenes (bench_scene_measure), else 0 */
};

/* Calls fn for a warm-up, then times single calls of it, for about a second (0.1 s with --quick)
 * but at least 5 times. */
void bench_measure(struct bench *bench, void (*fn)(void *context), void *context,
                   struct bench_stats *stats);

/* The statistics of samples that the bench took itself. Sorts them in place. count >= 1. */
void bench_stats_of(double *samples, size_t count, struct bench_stats *stats);

/* Four rows: metric (the median), metric_min, metric_p99 and metric_max, each value times
 * `scale`; and where it is known metric_alone and `cores`. */
void bench_stats_rows(struct bench *bench, const struct bench_labels *labels, const char *metric,
                      const struct bench_stats *stats, double scale, const char *unit);

/* metric_p50, _p99, _p999, _p9999 and _max of samples (s) that the bench took itself, likewise;
 * they are sorted in place. count >= 1. */
void bench_tail_rows(struct bench *bench, const struct bench_labels *labels, const char *metric,
                     double *samples, size_t count, double scale, const char *unit);

/* ---- memory ---- */

/* Zeroed and touched, PIOLA_ALIGNMENT-aligned, in huge pages where the machine gives them. Never
 * null. */
void *bench_memory(struct bench *bench, size_t bytes);
void bench_release(void *memory);

#endif
