/* float_mode.h - the floating-point environment every worker computes in.
 *
 * Lives here: enter and leave, per architecture. Inside: round to nearest even, subnormal operands
 * and results are zero, no exception traps. Calls between steps use the plain mode, which keeps
 * subnormal numbers: what is compiled or placed there must not lose small rest shapes. The same
 * bits need the same mode on every thread, and the caller's own mode must come back untouched,
 * sticky flags included.
 */
#ifndef PIOLA_FLOAT_MODE_H
#define PIOLA_FLOAT_MODE_H

#include <stdint.h>

#if defined(__x86_64__)

#define FLOAT_MODE_MXCSR       0x9fc0u /* FTZ, DAZ, all exceptions masked, round to nearest */
#define FLOAT_MODE_MXCSR_PLAIN 0x1f80u

static inline uint32_t float_mode_get(void)
{
    uint32_t control;
    __asm__ volatile("stmxcsr %0" : "=m"(control));
    return control;
}

static inline uint64_t float_mode_set(uint32_t inside)
{
    const uint32_t saved = float_mode_get();
    __asm__ volatile("ldmxcsr %0" : : "m"(inside) : "memory");
    return saved;
}

static inline uint64_t float_mode_enter(void)
{
    return float_mode_set(FLOAT_MODE_MXCSR);
}

static inline uint64_t float_mode_enter_plain(void)
{
    return float_mode_set(FLOAT_MODE_MXCSR_PLAIN);
}

static inline void float_mode_leave(uint64_t saved)
{
    const uint32_t control = (uint32_t)saved;
    __asm__ volatile("ldmxcsr %0" : : "m"(control) : "memory");
}

#elif defined(__aarch64__)

#define FLOAT_MODE_FPCR (UINT64_C(1) << 24) /* FZ alone: round to nearest, no traps */

/* Both registers use their low 32 bits only. */
static inline uint64_t float_mode_set(uint64_t inside)
{
    uint64_t control;
    uint64_t flags;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(flags));
    __asm__ volatile("msr fpcr, %0" : : "r"(inside) : "memory");
    return (flags << 32) | (control & UINT64_C(0xffffffff));
}

static inline uint64_t float_mode_enter(void)
{
    return float_mode_set(FLOAT_MODE_FPCR);
}

static inline uint64_t float_mode_enter_plain(void)
{
    return float_mode_set(0);
}

static inline void float_mode_leave(uint64_t saved)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(saved & UINT64_C(0xffffffff)) : "memory");
    __asm__ volatile("msr fpsr, %0" : : "r"(saved >> 32) : "memory");
}

#else
#error "float_mode.h knows x86-64 and AArch64 only: equal bits need a known floating-point mode"
#endif

static inline void float_mode_end(const uint64_t *saved)
{
    float_mode_leave(*saved);
}

/* First in a function: until it returns, from wherever, it computes in the plain mode. */
#define IN_PLAIN_MODE                                                                              \
    const uint64_t float_mode_outside __attribute__((cleanup(float_mode_end), unused)) =           \
        float_mode_enter_plain()

#endif
