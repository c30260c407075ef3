/* bench_limits.c - the bench `limits`: what this machine can do at best, the denominators of all
 * other benches' ratios. Each part is a file of its own, limits_PART.c. */
#include "machine_limits.h"

/* Memory comes last: with --quick it takes what time is left. */
static void run(struct bench *bench)
{
    if (bench_wants_case(bench, "arithmetic"))
        limits_arithmetic(bench);
    if (bench_wants_case(bench, "quads"))
        limits_quads(bench);
    if (bench_wants_case(bench, "barrier"))
        limits_barrier(bench);
    if (bench_wants_case(bench, "timer"))
        limits_timer(bench);
    limits_bandwidth(bench);
}

static const char *const cases[] = {
#define X(name) #name,
    LIMIT_STREAMS(X)
#undef X
        "arithmetic",
    "quads", "barrier", "timer", NULL};

const struct bench_entry bench_limits_entry = {
    .name = "limits",
    .what = "what this machine can do at best: memory, arithmetic, quads, barriers, timer",
    .cases = cases,
    .run = run,
};
