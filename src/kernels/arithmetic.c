/* arithmetic.c - does this build, on this processor, compute what every build must?
 *
 * Rows: sums keep their order; products are rounded before they are added; quotients are divided,
 * not multiplied by a reciprocal; roots are exact; results and operands below the normal numbers
 * are zero; signs of zeros are kept; doubles likewise. Inputs come through volatile memory, so that
 * a compiler cannot answer in advance, in a mode that is not the one of the step.
 */
#include "kernels/arithmetic.h"

#include "base/float_mode.h"
#include "base/hash.h"
#include "kernels/kernels.h"

#include <math.h>

/* What strict IEEE 754 arithmetic gives, rounded to nearest even, subnormal numbers flushed. */
#define ARITHMETIC_HASH UINT64_C(0x62febb35e8704329)

static void inputs(struct pk_arithmetic *in)
{
    for (int i = 0; i < ARITHMETIC_LANES; ++i) {
        const volatile float step = (float)(i + 1);
        in->a[i] = 1e7f + 12345.678f * step;
        in->b[i] = 1.0f / 3.0f + 0.1f * step;
        in->c[i] = -0.7f * step;
        const uint32_t bits = 1000u * (uint32_t)step;
        memcpy(&in->tiny[i], &bits, sizeof bits);
    }
}

static void run(const struct pk_arithmetic *in, struct pk_arithmetic_results *out)
{
    for (int i = 0; i < ARITHMETIC_LANES; ++i) {
        const float a = in->a[i], b = in->b[i], c = in->c[i];
        const double d = (double)a, e = (double)b;
        out->row[0][i] = (a + b) - a;
        out->row[1][i] = a * b + c;
        out->row[2][i] = a / b;
        out->row[3][i] = a / 3.0f;
        out->row[4][i] = sqrtf(b);
        out->row[5][i] = c * 1e-38f * b;
        out->row[6][i] = in->tiny[i] * 1e30f;
        out->row[7][i] = c * 0.0f + 0.0f;
        out->row[8][i] = (float)((d * e + 1.0) - d * e);
        out->row[9][i] = (float)(d / e - (double)(a / b));
    }
}

uint64_t arithmetic_of_c(void)
{
    struct pk_arithmetic in;
    struct pk_arithmetic_results out;
    const uint64_t mode = float_mode_enter();
    inputs(&in);
    run(&in, &out);
    float_mode_leave(mode);
    return hash_bytes(&out, sizeof out, 0);
}

bool arithmetic_exact(const struct kernels *kernels)
{
    struct pk_arithmetic in;
    struct pk_arithmetic_results out;
    const uint64_t mode = float_mode_enter();
    inputs(&in);
    kernels->arithmetic(&in, &out);
    float_mode_leave(mode);
    return arithmetic_of_c() == ARITHMETIC_HASH &&
           hash_bytes(&out, sizeof out, 0) == ARITHMETIC_HASH;
}
