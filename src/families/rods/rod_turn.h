/* rod_turn.h - quaternions x, y, z, w and 3x3 matrices by rows, in double precision. */
#ifndef PIOLA_ROD_TURN_H
#define PIOLA_ROD_TURN_H

#include "base/exact_rotation.h"
#include "base/spatial6.h"
#include "kernels/quads.h"

static inline void turn_back(const double q[4], double out[4])
{
    out[0] = -q[0];
    out[1] = -q[1];
    out[2] = -q[2];
    out[3] = q[3];
}

/* The turn from a's axes to b's, seen from a, with a real part that is not negative. */
static inline void turn_between(const double a[4], const double b[4], double out[4])
{
    double back[4];
    turn_back(a, back);
    rotation_join(back, b, out);
    for (int k = 0; k < 4 && out[3] < 0; k++)
        out[k] = k == 3 ? out[k] : -out[k];
    out[3] = fabs(out[3]);
}

static inline void turn_matrix(const double q[4], double r[3][3])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double made[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                               {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                               {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    memcpy(r, made, sizeof made);
}

static inline void turn_of(const struct pk_quad *turn, double q[4])
{
    quad_load(turn, q);
    q[3] = (double)turn->w;
}

static inline void turn_load(const float from[4], double q[4])
{
    for (int k = 0; k < 4; k++)
        q[k] = (double)from[k];
}

static inline void times3(const double m[3][3], const double v[3], double out[3])
{
    const double made[3] = {dot3(m[0], v), dot3(m[1], v), dot3(m[2], v)};
    memcpy(out, made, sizeof made);
}

/* The transpose, times v. */
static inline void back3(const double m[3][3], const double v[3], double out[3])
{
    double made[3];
    for (int k = 0; k < 3; k++)
        made[k] = m[0][k] * v[0] + m[1][k] * v[1] + m[2][k] * v[2];
    memcpy(out, made, sizeof made);
}

/* a b, and a times the transpose of b. */
static inline void product3(const double a[3][3], const double b[3][3], double out[3][3])
{
    double made[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            made[i][k] = a[i][0] * b[0][k] + a[i][1] * b[1][k] + a[i][2] * b[2][k];
    memcpy(out, made, sizeof made);
}

static inline void product3_back(const double a[3][3], const double b[3][3], double out[3][3])
{
    double made[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            made[i][k] = dot3(a[i], b[k]);
    memcpy(out, made, sizeof made);
}

/* m v is v x ... : the matrix of the vector product a x. */
static inline void cross_matrix(const double a[3], double m[3][3])
{
    const double made[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
    memcpy(m, made, sizeof made);
}

#endif
