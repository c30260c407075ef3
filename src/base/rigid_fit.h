/* rigid_fit.h - the turn that brings one set of points nearest to another, in double, with the same
 * bits everywhere (Horn's quaternions).
 *
 * What must not live here: what the points are.
 */
#ifndef PIOLA_RIGID_FIT_H
#define PIOLA_RIGID_FIT_H

#include <math.h>
#include <string.h>

/* Cyclic Jacobi: its error is squared in each of the last sweeps. */
#define RIGID_FIT_SWEEPS 10

/* Adds a point and where it is to go, both from their centres, to a sum that begins as 0. */
static inline void rigid_fit_add(double sum[3][3], const double from[3], const double to[3])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            sum[i][j] += from[i] * to[j];
}

/* Horn's symmetric matrix, whose largest eigenvalue has the turn; its first is the real part. */
static inline void rigid_fit_matrix(const double s[3][3], double m[4][4])
{
    const double made[4][4] = {
        {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {0, 0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
        {0, 0, 0, s[2][2] - s[0][0] - s[1][1]}};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            m[i][j] = i <= j ? made[i][j] : made[j][i];
}

/* One of Jacobi's turns in the plane of p and q; v gathers them. None where `half` overflows. */
static inline void rigid_fit_turn(double m[4][4], double v[4][4], int p, int q)
{
    if (m[p][q] == 0)
        return;
    const double half = 0.5 * (m[q][q] - m[p][p]) / m[p][q];
    const double t = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(half * half + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 4; ++k) {
        const double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b;
        m[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 4; ++k) {
        const double a = m[p][k], b = m[q][k], d = v[k][p], e = v[k][q];
        m[p][k] = c * a - s * b;
        m[q][k] = s * a + c * b;
        v[k][p] = c * d - s * e;
        v[k][q] = s * d + c * e;
    }
}

/* The unit quaternion x, y, z, w of the turn that a sum asks for. Points on a line leave it open
 * about the line: something on the diagonal, small beside the sum, asks for the least. Returns the
 * largest eigenvalue e: what is left between the points is |from|^2 + |to|^2 - 2 e. */
static inline double rigid_fit(const double sum[3][3], double q[4])
{
    double m[4][4], v[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    int best = 0;
    rigid_fit_matrix(sum, m);
    for (int sweep = 0; sweep < RIGID_FIT_SWEEPS; ++sweep)
        for (int p = 0; p < 3; ++p)
            for (int r = p + 1; r < 4; ++r)
                rigid_fit_turn(m, v, p, r);
    for (int k = 1; k < 4; ++k)
        best = m[k][k] > m[best][best] ? k : best;
    const double side = v[0][best] < 0 ? -1 : 1;
    for (int k = 0; k < 3; ++k)
        q[k] = side * v[k + 1][best];
    q[3] = side * v[0][best];
    return m[best][best];
}

#endif
