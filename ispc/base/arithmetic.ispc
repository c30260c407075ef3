// arithmetic.ispc - the program of src/kernels/arithmetic.c, lane by lane.
//
// Lives here: one row of each kind of operation whose result a loose compiler or a wrong mode changes.
#include "base/pk.isph"

#define ARITHMETIC_ROWS 10

// The same struct as in src/kernels/arithmetic.h.
struct pk_arithmetic {
    float a[PK_LANES], b[PK_LANES], c[PK_LANES];
    float tiny[PK_LANES]; // below the normal numbers
};

struct pk_arithmetic_results {
    float row[ARITHMETIC_ROWS][PK_LANES];
};

PK_EXPORT void PK(pk_arithmetic)(const uniform struct pk_arithmetic *uniform from,
                                 uniform struct pk_arithmetic_results *uniform out)
{
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        const int i = lane + programIndex;
        const float a = from->a[i], b = from->b[i], c = from->c[i];
        const double d = a, e = b;
        out->row[0][i] = (a + b) - a;
        out->row[1][i] = a * b + c;
        out->row[2][i] = a / b;
        out->row[3][i] = a / 3.0f;
        out->row[4][i] = sqrt(b);
        out->row[5][i] = c * 1e-38f * b;
        out->row[6][i] = from->tiny[i] * 1e30f;
        out->row[7][i] = c * 0.0f + 0.0f;
        out->row[8][i] = (float)((d * e + 1.0d) - d * e);
        out->row[9][i] = (float)(d / e - (double)(a / b));
    }
}
