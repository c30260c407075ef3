/* limits_bandwidth.c - how fast memory is, by working set and by mix of reads and writes.
 *
 * Bytes are counted twice. "bandwidth" counts what loads and stores touch: 16 bytes for each quad
 * read and 16 for each quad written. "bandwidth_owned" adds the lines that a plain store makes the
 * processor read before they are written; that is the traffic of the memory bus while the working
 * set is larger than the last cache, and says nothing where it fits in one.
 */
#include "crew.h"
#include "machine_limits.h"

enum { QUAD = sizeof(struct pk_quad), FLOATS_MULTIPLE = 128, STREAMS_MOST = 4 };

const struct limit_mix limit_mixes[LIMIT_STREAM_COUNT] = {
    [LIMIT_read] = {"read", 1, QUAD, 0},
    [LIMIT_write] = {"write", 1, QUAD, QUAD},
    [LIMIT_copy] = {"copy", 2, 2 * QUAD, QUAD},
    [LIMIT_update] = {"update", 1, 2 * QUAD, 0},
    [LIMIT_predict] = {"predict", 4, 5 * QUAD, 2 * QUAD},
    [LIMIT_finish] = {"finish", 3, 4 * QUAD, 0},
};

/* One mix on one working set: each thread has its own part of every stream. */
struct pass {
    limit_stream_fn *kernel;
    float *streams[STREAMS_MOST];
    uint64_t floats; /* of a stream for each thread */
    uint32_t rounds;
};

static void run_pass(void *context, uint32_t thread)
{
    const struct pass *pass = context;
    const uint64_t from = thread * pass->floats;
    for (uint32_t round = 0; round < pass->rounds; round++)
        pass->kernel(pass->streams[0] + from, pass->streams[1] + from, pass->streams[2] + from,
                     pass->streams[3] + from, pass->floats);
}

/* Streams follow each other with a few lines between, so that they do not all start in the same set
 * of a cache; streams the mix does not have point at the first. */
static void *lay_out(struct bench *bench, struct pass *pass, uint32_t streams, uint32_t threads)
{
    const size_t gap = 5 * PIOLA_ALIGNMENT / sizeof(float);
    const size_t floats = threads * pass->floats;
    float *memory = bench_memory(bench, streams * (floats + gap) * sizeof(float));
    for (uint32_t i = 0; i < STREAMS_MOST; i++)
        pass->streams[i] = memory + (i < streams ? i : 0) * (floats + gap);
    return memory;
}

double limit_pass(struct bench *bench, piola_isa isa, enum limit_stream mix, uint32_t threads,
                  size_t bytes, uint64_t *samples)
{
    enum { SAMPLES_MOST = 25, SAMPLES_QUICK = 7 };
    const double sample_seconds = 1e-3;
    const uint32_t streams = limit_mixes[mix].streams;
    const size_t count = bench_quick(bench) ? SAMPLES_QUICK : SAMPLES_MOST;
    double seconds[SAMPLES_MOST];
    struct bench_stats stats;
    struct pass pass = {.kernel = limit_kernels_for(isa)->stream[mix], .rounds = 1};
    const uint64_t floats = bytes / sizeof(float) / streams / threads;
    pass.floats = floats / FLOATS_MULTIPLE * FLOATS_MULTIPLE;
    if (pass.floats == 0)
        bench_fail(bench, "a working set of %zu bytes is too small", bytes);

    void *memory = lay_out(bench, &pass, streams, threads);
    struct bench_crew *crew = bench_crew_start(bench, threads);
    (void)bench_crew_run(crew, run_pass, &pass);
    double once = bench_crew_run(crew, run_pass, &pass);
    while (once < sample_seconds) { /* once is of pass.rounds rounds */
        pass.rounds *= 2;
        once = bench_crew_run(crew, run_pass, &pass);
    }
    for (size_t i = 0; i < count; i++)
        seconds[i] = bench_crew_run(crew, run_pass, &pass) / pass.rounds;
    bench_crew_end(crew);
    bench_release(memory);
    bench_stats_of(seconds, count, &stats);
    *samples = count;
    /* The working set asked for, though what was measured is a little smaller. */
    return stats.median * (double)floats / (double)pass.floats;
}

static void show(struct bench *bench, piola_isa isa, enum limit_stream mix, uint32_t threads,
                 size_t bytes)
{
    struct bench_labels labels = {.case_name = limit_mixes[mix].name,
                                  .isa = piola_isa_name(isa),
                                  .threads = threads,
                                  .bytes = bytes};
    const double seconds = limit_pass(bench, isa, mix, threads, bytes, &labels.samples);
    const double quads = (double)bytes / (double)QUAD / limit_mixes[mix].streams;
    const double touched = quads * limit_mixes[mix].touched;
    const double owned = quads * limit_mixes[mix].owned;
    bench_row(bench, &labels, "bandwidth", 1e-9 * touched / seconds, "GB/s");
    if (owned > 0)
        bench_row(bench, &labels, "bandwidth_owned", 1e-9 * (touched + owned) / seconds, "GB/s");
}

static void show_sizes(struct bench *bench, piola_isa isa, enum limit_stream mix, uint32_t threads)
{
    const size_t least = (size_t)16 << 10, most = (size_t)512 << 20;
    for (size_t bytes = least; bytes <= most; bytes *= bench_quick(bench) ? 8 : 2) {
        if (bench_seconds_left(bench) < 1) {
            bench_note(bench, "memory, %s, %zu bytes: left out, --quick has no time left",
                       limit_mixes[mix].name, bytes);
            continue;
        }
        show(bench, isa, mix, threads, bytes);
    }
}

void limits_bandwidth(struct bench *bench)
{
    const piola_isa isa = bench_widest_isa(bench);
    for (int mix = 0; mix < LIMIT_STREAM_COUNT; mix++) {
        if (!bench_wants_case(bench, limit_mixes[mix].name))
            continue;
        bench_note(bench, "memory, %s", limit_mixes[mix].name);
        for (uint32_t threads = 1; threads <= 64; threads++)
            if (bench_wants_threads(bench, threads))
                show_sizes(bench, isa, (enum limit_stream)mix, threads);
    }
}
