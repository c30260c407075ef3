/* spatial6.h - small dense algebra of rigid motions: vectors of three linear, then three angular
 * parts.
 */
#ifndef PIOLA_SPATIAL6_H
#define PIOLA_SPATIAL6_H

#include "base/symmetric3.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Factors the symmetric matrix in place; false when it is not safely positive. */
static inline bool spatial_factor(double a[6][6])
{
    for (int k = 0; k < 6; ++k) {
        const double whole = a[k][k];
        for (int i = 0; i < k; ++i)
            a[k][k] -= a[k][i] * a[k][i] * a[i][i];
        if (!(a[k][k] > 1e-12 * whole && whole > 0))
            return false;
        for (int r = k + 1; r < 6; ++r) {
            for (int i = 0; i < k; ++i)
                a[r][k] -= a[r][i] * a[k][i] * a[i][i];
            a[r][k] /= a[k][k];
        }
    }
    return true;
}

/* Solves with what spatial_factor left. */
static inline void spatial_back(const double a[6][6], double b[6])
{
    for (int k = 0; k < 6; ++k)
        for (int i = 0; i < k; ++i)
            b[k] -= a[k][i] * b[i];
    for (int k = 6; k-- > 0;) {
        b[k] /= a[k][k];
        for (int i = k + 1; i < 6; ++i)
            b[k] -= a[i][k] * b[i];
    }
}

/* Solves the symmetric system in place; false when it is not safely positive. */
static inline bool spatial_solve(double a[6][6], double b[6])
{
    if (!spatial_factor(a))
        return false;
    spatial_back((const double(*)[6])a, b);
    return true;
}

static inline double spatial_dot(const double a[6], const double b[6])
{
    double sum = 0;
    for (int i = 0; i < 6; ++i)
        sum += a[i] * b[i];
    return sum;
}

static inline void spatial_times(const double a[6][6], const double b[6], double out[6])
{
    double made[6];
    for (int i = 0; i < 6; ++i)
        made[i] = spatial_dot(a[i], b);
    memcpy(out, made, sizeof made);
}

static inline void cross3(const double a[3], const double b[3], double out[3])
{
    const double made[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                            a[0] * b[1] - a[1] * b[0]};
    memcpy(out, made, sizeof made);
}

static inline double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The velocity at `at`, from a body's reference, of what moves with v. */
static inline void spatial_at(const double v[6], const double at[3], double out[3])
{
    double made[3];
    cross3(v + 3, at, made);
    for (int k = 0; k < 3; ++k)
        out[k] = v[k] + made[k];
}

/* The motion v about a reference, told about another that is `to` away from it. */
static inline void spatial_shift(const double v[6], const double to[3], double out[6])
{
    double made[6];
    spatial_at(v, to, made);
    memcpy(made + 3, v + 3, 3 * sizeof *v);
    memcpy(out, made, sizeof made);
}

/* Sums of forces, moments and stiffness about a reference (momentum_give) as a matrix. */
static inline void spatial_stiffness(const double *value, double out[6][6])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            out[i][j] = value[6 + symmetric3_place[i][j]];
            out[3 + i][j] = out[j][3 + i] = value[12 + 3 * i + j];
            out[3 + i][3 + j] = value[21 + symmetric3_place[i][j]];
        }
}

#endif
