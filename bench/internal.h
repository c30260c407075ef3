/* internal.h - what the harness's own files share; benches see bench.h only. */
#ifndef PIOLA_BENCH_INTERNAL_H
#define PIOLA_BENCH_INTERNAL_H

#include "bench.h"

struct bench_options {
    bool json;
    bool quick;
    uint32_t threads;      /* 0: not asked for */
    piola_isa isa;         /* PIOLA_ISA_AUTO: not asked for */
    const char *case_name; /* null: all */
};

struct bench_figure {
    struct bench_labels labels;
    char metric[48];
    double value;
    const char *unit;
};

struct bench {
    const struct bench_entry *entry;
    struct bench_options options;
    double deadline; /* s, of bench_now, with --quick */
    char machine[96];
    struct bench_figure *figures; /* kept for the table; unused with --json */
    size_t figure_count, figure_capacity;
};

/* Fills bench->machine with the processor's model name. */
void bench_machine_find(struct bench *bench);
/* Prints the table of all figures and forgets them. */
void bench_table_print(struct bench *bench);

#endif
