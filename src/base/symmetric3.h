/* symmetric3.h - symmetric 3x3 matrices in double: xx yy zz yz xz xy.
 */
#ifndef PIOLA_SYMMETRIC3_H
#define PIOLA_SYMMETRIC3_H

#include <stdbool.h>

/* Where the entry of a row and a column is; of what row and column an entry is. */
static const int symmetric3_place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
static const int symmetric3_row[6] = {0, 1, 2, 1, 0, 0};
static const int symmetric3_column[6] = {0, 1, 2, 2, 2, 1};

static inline void symmetric3_times(const double k[6], const double v[3], double out[3])
{
    out[0] = k[0] * v[0] + k[5] * v[1] + k[4] * v[2];
    out[1] = k[5] * v[0] + k[1] * v[1] + k[3] * v[2];
    out[2] = k[4] * v[0] + k[3] * v[1] + k[2] * v[2];
}

/* False when it is not positive definite. By elimination: cofactors do not bear a matrix that is
 * 1e8 times as stiff along one direction as across it. */
static inline bool symmetric3_invert(const double k[6], double out[6])
{
    const double a = 1 / k[0], l1 = k[5] * a, l2 = k[4] * a;
    const double d1 = k[1] - l1 * k[5], b = 1 / d1, m = (k[3] - l2 * k[5]) * b;
    const double d2 = k[2] - l2 * k[4] - m * (k[3] - l2 * k[5]), c = 1 / d2;
    const double n = l1 * m - l2;
    out[2] = c;
    out[3] = -m * c;
    out[4] = n * c;
    out[1] = b + m * m * c;
    out[5] = -l1 * b - m * n * c;
    out[0] = a + l1 * l1 * b + n * n * c;
    return k[0] > 0 && d1 > 0 && d2 > 0;
}

#endif
