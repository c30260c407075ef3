/* limits_quads.c - how fast quads found by index come into registers and go back: what every solver
 * kernel does four times an element. The particles are as many as a small body's and stay in the
 * first cache; the order is random, without repetition within a pack. */
#include "machine_limits.h"

enum { PARTICLES = 1184, INDICES = 4 * PARTICLES, ROUNDS = 64 };

struct work {
    limit_quads_fn *kernel;
    struct pk_quad *stream;
    uint32_t *index;
};

static void run(void *context)
{
    const struct work *work = context;
    for (uint32_t round = 0; round < ROUNDS; round++)
        (void)work->kernel(work->stream, work->index, INDICES);
}

/* Four random orders of all particles, one after the other, by a small generator of fixed seed: the
 * bench measures the same thing each time. */
static void shuffle(uint32_t *index)
{
    uint64_t state = 1;
    for (uint32_t from = 0; from < INDICES; from += PARTICLES) {
        for (uint32_t i = 0; i < PARTICLES; i++)
            index[from + i] = i;
        for (uint32_t i = PARTICLES - 1; i > 0; i--) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const uint32_t j = (uint32_t)(state >> 33) % (i + 1);
            const uint32_t swapped = index[from + i];
            index[from + i] = index[from + j];
            index[from + j] = swapped;
        }
    }
}

void limits_quads(struct bench *bench)
{
    static const char *const metrics[LIMIT_QUADS_COUNT] = {
#define X(name) #name,
        LIMIT_QUADS(X)
#undef X
    };
    struct work work = {.stream = bench_memory(bench, PARTICLES * sizeof *work.stream),
                        .index = bench_memory(bench, INDICES * sizeof *work.index)};
    shuffle(work.index);
    for (int isa = PIOLA_ISA_AUTO + 1; isa < PIOLA_ISA_COUNT; isa++) {
        if (!bench_wants_isa(bench, (piola_isa)isa))
            continue;
        for (int kernel = 0; kernel < LIMIT_QUADS_COUNT; kernel++) {
            struct bench_labels labels = {.case_name = "quads",
                                          .isa = piola_isa_name((piola_isa)isa),
                                          .particles = PARTICLES,
                                          .bytes = PARTICLES * sizeof(struct pk_quad)};
            struct bench_stats stats;
            work.kernel = limit_kernels_for((piola_isa)isa)->quads[kernel];
            bench_measure(bench, run, &work, &stats);
            labels.samples = stats.samples;
            bench_row(bench, &labels, metrics[kernel],
                      1e-6 * (double)INDICES * (double)ROUNDS / stats.median, "Mquad/s");
        }
    }
    bench_release(work.stream);
    bench_release(work.index);
}
