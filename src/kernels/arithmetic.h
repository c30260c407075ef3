/* arithmetic.h - a fixed little program of which every build must compute the same bits.
 *
 * The same program stands in ispc/base/arithmetic.ispc. Each row tells one thing apart that a loose
 * compiler or a wrong mode would change.
 */
#ifndef PIOLA_ARITHMETIC_H
#define PIOLA_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#define ARITHMETIC_LANES 16 /* PK_LANES */
#define ARITHMETIC_ROWS  10

struct kernels;

/* Of each row and lane: a, b and c of the sums, products and quotients. */
struct pk_arithmetic {
    float a[ARITHMETIC_LANES], b[ARITHMETIC_LANES], c[ARITHMETIC_LANES];
    float tiny[ARITHMETIC_LANES]; /* below the normal numbers */
};

struct pk_arithmetic_results {
    float row[ARITHMETIC_ROWS][ARITHMETIC_LANES];
};

#define KERNELS_ARITHMETIC(X)                                                                      \
    X(void, arithmetic, (const struct pk_arithmetic *in, struct pk_arithmetic_results *out))

/* A number of what the C side computes now, in the engine's floating-point mode. */
uint64_t arithmetic_of_c(void);
/* True when C and these kernels compute the bits that every build must. */
bool arithmetic_exact(const struct kernels *kernels);

#endif
