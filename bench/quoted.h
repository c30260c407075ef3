/* quoted.h - figures of others, quoted, never measured by this program: the paper's own and those
 * of rival libraries as they were measured on one machine of this kind (docs/bench.md). */
#ifndef PIOLA_BENCH_QUOTED_H
#define PIOLA_BENCH_QUOTED_H

#include <stdint.h>

struct quoted {
    const char *case_name;
    const char *who;   /* goes where a row has its solver */
    const char *ratio; /* metric of the row that compares with it; null: shown only */
    uint32_t threads;
    uint32_t elements; /* of their scene */
    double step;       /* ms, one step of 5 iterations */
    const char *source;
};

static const char quoted_paper[] = "the paper's Table 1: 12 cores of 2010";
static const char quoted_ships[] = "authors' library as it ships, other run, 2-core Zen 4";
static const char quoted_best[] = "authors' library, best build, other run, 2-core Zen 4";
static const char quoted_jolt[] = "Jolt 5.5, edges + volumes, other run, 2-core Zen 4";
static const char quoted_links[] = "Bullet 3.24, links only, other run, 2-core Zen 4";
static const char quoted_fem[] = "Bullet 3.24, Neo-Hookean, other run, 2-core Zen 4";

static const struct quoted quoted_figures[] = {
    {"armadillos100", "paper", "times_paper", 12, 371700, 152.41, quoted_paper},
    {"armadillo1", "paper", "times_paper", 12, 3717, 1.51, quoted_paper},
    {"beam7k", "paper", "times_paper", 12, 7278, 2.33, quoted_paper},

    {"armadillos100", "library", NULL, 1, 371700, 124.5, quoted_ships},
    {"armadillos100", "library", NULL, 2, 371700, 262.6, quoted_ships},
    {"armadillo1", "library", NULL, 1, 3717, 1.19, quoted_ships},
    {"beam7k", "library", NULL, 1, 7280, 2.55, quoted_ships},

    {"armadillos100", "library_best", "times_library_best", 1, 371700, 114.2, quoted_best},
    {"armadillos100", "library_best", "times_library_best", 2, 371700, 57.2, quoted_best},
    {"armadillo1", "library_best", "times_library_best", 1, 3717, 1.17, quoted_best},
    {"beam7k", "library_best", "times_library_best", 1, 7280, 2.41, quoted_best},

    {"armadillos100", "jolt", "times_jolt", 1, 371700, 61.6, quoted_jolt},
    {"armadillos100", "jolt", "times_jolt", 2, 371700, 31.0, quoted_jolt},
    {"armadillo1", "jolt", "times_jolt", 1, 3717, 0.61, quoted_jolt},

    {"armadillos100", "bullet_links", NULL, 1, 371700, 57.4, quoted_links},
    {"elastic", "paper", NULL, 12, 80000, 4.11, quoted_paper},
    {"bending", "paper", NULL, 12, 119600, 2.62, quoted_paper},
    {"total", "paper", "times_paper", 12, 199600, 6.73, quoted_paper},
    {"total", "library_best", "times_library_best", 2, 199600, 15.8, quoted_best},
    {"total", "jolt", "times_jolt", 2, 199600, 15.8, quoted_jolt},

    {"armadillo1", "bullet_links", NULL, 1, 3717, 0.37, quoted_links},
    {"armadillo1", "bullet_explicit", NULL, 1, 3717, 2.7, quoted_fem},
    {"armadillo1", "bullet_implicit", NULL, 1, 3717, 6.7, quoted_fem},
};

/* The library's pass over all 371,700 tetrahedra inverted, against its normal pass, on one core. */
static const double quoted_inverted_cost = 7.4;

#define QUOTED_COUNT (sizeof quoted_figures / sizeof quoted_figures[0])

#endif
