/* dispatch.c - which instruction sets are built in, which of them run here, and their kernels.
 *
 * The choice is ours, not ISPC's automatic one, so that a description can force each and a test can
 * compare them. Only here are processor features asked for.
 */
#include "kernels/kernels.h"

/* The features that ISPC's targets use: see ispc_targets in ispc/meson.build. */
#if defined(__x86_64__)
static bool cpu_has(piola_isa isa)
{
    __builtin_cpu_init();
    switch (isa) {
    case PIOLA_ISA_SSE4:
        return __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2");
    case PIOLA_ISA_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    case PIOLA_ISA_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("bmi2");
    default:
        return false;
    }
}
#elif defined(__aarch64__)
/* Advanced SIMD is part of every AArch64 processor that runs an operating system. */
static bool cpu_has(piola_isa isa)
{
    return isa == PIOLA_ISA_NEON;
}
#else
static bool cpu_has(piola_isa isa)
{
    (void)isa;
    return false;
}
#endif

#ifdef PIOLA_HAVE_ISA_SSE4
#define ISA sse4
#include "kernels/isa_table.h"
#endif
#ifdef PIOLA_HAVE_ISA_AVX2
#define ISA avx2
#include "kernels/isa_table.h"
#endif
#ifdef PIOLA_HAVE_ISA_AVX512
#define ISA avx512
#include "kernels/isa_table.h"
#endif
#ifdef PIOLA_HAVE_ISA_NEON
#define ISA neon
#include "kernels/isa_table.h"
#endif

static const struct kernels *built(piola_isa isa)
{
    switch (isa) {
#ifdef PIOLA_HAVE_ISA_SSE4
    case PIOLA_ISA_SSE4:
        return &kernels_sse4;
#endif
#ifdef PIOLA_HAVE_ISA_AVX2
    case PIOLA_ISA_AVX2:
        return &kernels_avx2;
#endif
#ifdef PIOLA_HAVE_ISA_AVX512
    case PIOLA_ISA_AVX512:
        return &kernels_avx512;
#endif
#ifdef PIOLA_HAVE_ISA_NEON
    case PIOLA_ISA_NEON:
        return &kernels_neon;
#endif
    default:
        return NULL;
    }
}

piola_isa isa_resolve(piola_isa isa)
{
    static const piola_isa widest_first[] = {PIOLA_ISA_AVX512, PIOLA_ISA_AVX2, PIOLA_ISA_SSE4,
                                             PIOLA_ISA_NEON};
    if (isa != PIOLA_ISA_AUTO)
        return isa;
    for (unsigned i = 0; i < sizeof widest_first / sizeof *widest_first; ++i)
        if (built(widest_first[i]) && cpu_has(widest_first[i]))
            return widest_first[i];
    return PIOLA_ISA_AUTO;
}

bool piola_isa_available(piola_isa isa)
{
    isa = isa_resolve(isa);
    return built(isa) && cpu_has(isa);
}

const struct kernels *kernels_for(piola_isa isa)
{
    return built(isa_resolve(isa));
}

const char *piola_isa_name(piola_isa isa)
{
    static const char *const names[PIOLA_ISA_COUNT] = {
        [PIOLA_ISA_AUTO] = "auto",     [PIOLA_ISA_SSE4] = "sse4", [PIOLA_ISA_AVX2] = "avx2",
        [PIOLA_ISA_AVX512] = "avx512", [PIOLA_ISA_NEON] = "neon",
    };
    const unsigned index = (unsigned)isa;
    return index < PIOLA_ISA_COUNT ? names[index] : "unknown";
}
