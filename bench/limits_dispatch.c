/* limits_dispatch.c - the kernels of limits*.ispc by instruction set; the bench's twin of
 * src/kernels/dispatch.c. */
#include "machine_limits.h"

#define DECLARE_ALL(suffix)                                                                        \
    LIMIT_STREAMS(STREAM_##suffix)                                                                 \
    LIMIT_QUADS(QUADS_##suffix)                                                                    \
    extern uint64_t pk_limit_arithmetic_##suffix(float *data, uint64_t rounds);                    \
    static const struct limit_kernels kernels_##suffix = {                                         \
        .stream = {LIMIT_STREAMS(NAME_##suffix)},                                                  \
        .quads = {LIMIT_QUADS(NAME_##suffix)},                                                     \
        .arithmetic = pk_limit_arithmetic_##suffix,                                                \
    };

#if PIOLA_HAVE_ISA_SSE4
#define STREAM_sse4(name) extern limit_stream_fn pk_limit_##name##_sse4;
#define QUADS_sse4(name)  extern limit_quads_fn pk_limit_##name##_sse4;
#define NAME_sse4(name)   pk_limit_##name##_sse4,
DECLARE_ALL(sse4)
#endif
#if PIOLA_HAVE_ISA_AVX2
#define STREAM_avx2(name) extern limit_stream_fn pk_limit_##name##_avx2;
#define QUADS_avx2(name)  extern limit_quads_fn pk_limit_##name##_avx2;
#define NAME_avx2(name)   pk_limit_##name##_avx2,
DECLARE_ALL(avx2)
#endif
#if PIOLA_HAVE_ISA_AVX512
#define STREAM_avx512(name) extern limit_stream_fn pk_limit_##name##_avx512;
#define QUADS_avx512(name)  extern limit_quads_fn pk_limit_##name##_avx512;
#define NAME_avx512(name)   pk_limit_##name##_avx512,
DECLARE_ALL(avx512)
#endif
#if PIOLA_HAVE_ISA_NEON
#define STREAM_neon(name) extern limit_stream_fn pk_limit_##name##_neon;
#define QUADS_neon(name)  extern limit_quads_fn pk_limit_##name##_neon;
#define NAME_neon(name)   pk_limit_##name##_neon,
DECLARE_ALL(neon)
#endif

const struct limit_kernels *limit_kernels_for(piola_isa isa)
{
    switch (isa) {
#if PIOLA_HAVE_ISA_SSE4
    case PIOLA_ISA_SSE4:
        return &kernels_sse4;
#endif
#if PIOLA_HAVE_ISA_AVX2
    case PIOLA_ISA_AVX2:
        return &kernels_avx2;
#endif
#if PIOLA_HAVE_ISA_AVX512
    case PIOLA_ISA_AVX512:
        return &kernels_avx512;
#endif
#if PIOLA_HAVE_ISA_NEON
    case PIOLA_ISA_NEON:
        return &kernels_neon;
#endif
    default:
        return NULL;
    }
}
