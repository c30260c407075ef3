/* machine_limits.h - the kernels of limits*.ispc as C sees them, and what the bench `limits`
 * consists of.
 *
 * LIMIT_STREAMS(X) lists the mixes of reads and writes once; a mix's figures of bytes stand in
 * limits_bandwidth.c. bench_integrate.c uses the same kernels for its denominators.
 */
#ifndef PIOLA_BENCH_MACHINE_LIMITS_H
#define PIOLA_BENCH_MACHINE_LIMITS_H

#include "bench.h"
#include "kernels/packs.h"

#define LIMIT_STREAMS(X)                                                                           \
    X(read)                                                                                        \
    X(write)                                                                                       \
    X(copy)                                                                                        \
    X(update)                                                                                      \
    X(predict)                                                                                     \
    X(finish)

enum limit_stream {
#define X(name) LIMIT_##name,
    LIMIT_STREAMS(X)
#undef X
        LIMIT_STREAM_COUNT
};

/* Streams a, b, c, d of `count` floats each, a multiple of 128. */
typedef void limit_stream_fn(float *a, float *b, float *c, float *d, uint64_t count);

/* Moves `count` quads of the stream, found by index; a multiple of PK_LANES. */
typedef float limit_quads_fn(struct pk_quad *stream, const uint32_t *index, uint32_t count);

#define LIMIT_QUADS(X)                                                                             \
    X(transpose_load)                                                                              \
    X(transpose_move)                                                                              \
    X(gather_load)                                                                                 \
    X(gather_move)

enum limit_quads {
#define X(name) LIMIT_##name,
    LIMIT_QUADS(X)
#undef X
        LIMIT_QUADS_COUNT
};

struct limit_kernels {
    limit_stream_fn *stream[LIMIT_STREAM_COUNT];
    limit_quads_fn *quads[LIMIT_QUADS_COUNT];
    uint64_t (*arithmetic)(float *data, uint64_t rounds); /* operations done; 16 floats of data */
};

/* Of an instruction set that piola_isa_available() said yes to. */
const struct limit_kernels *limit_kernels_for(piola_isa isa);

/* What a mix moves for each 16-byte quad of a stream. */
struct limit_mix {
    const char *name;
    uint32_t streams; /* of the working set */
    uint32_t touched; /* B that its loads and stores touch */
    uint32_t owned; /* B of lines written without being read before: they are read for ownership */
};

extern const struct limit_mix limit_mixes[LIMIT_STREAM_COUNT];

/* Median seconds of one pass of a mix over `bytes` of working set, `threads` together. */
double limit_pass(struct bench *bench, piola_isa isa, enum limit_stream mix, uint32_t threads,
                  size_t bytes, uint64_t *samples);

/* Operations a second of `threads` together, multiplications and additions in equal parts, no FMA.
 */
double limit_operations(struct bench *bench, piola_isa isa, uint32_t threads, uint64_t *samples);

void limits_bandwidth(struct bench *bench);
void limits_arithmetic(struct bench *bench);
void limits_quads(struct bench *bench);
void limits_barrier(struct bench *bench);
void limits_timer(struct bench *bench);

#endif
