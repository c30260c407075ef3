/* strict_math.h - refuses to be compiled with arithmetic that may be reordered or approximated.
 *
 * The build includes it in front of every file of the engine (src/meson.build), because flags also
 * come from parent projects, toolchain files and the environment. What compilers do not tell by a
 * macro, arithmetic.c finds when a world is created.
 */
#ifndef PIOLA_STRICT_MATH_H
#define PIOLA_STRICT_MATH_H

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||     \
    defined(__NO_SIGNED_ZEROS__)
#error "Piola promises the same bits on every machine: compile it without fast-math flags"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0
#error "Piola promises the same bits on every machine: compile it without -ffinite-math-only"
#endif
#if defined(_M_FP_FAST)
#error "Piola promises the same bits on every machine: compile it without /fp:fast"
#endif

/* Some compilers contract a * b + c to one rounding unless they are told not to. */
#if defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(off)
#elif defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#endif
