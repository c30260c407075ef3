/* ref_core.c - see ref_core.h. */
#include "ref_core.h"

#include <math.h>
#include <stddef.h>

#define ROUNDS       60
#define DEPTH_ROUNDS 28 /* to 5e-8 of the triangle's size */

void ref_core_frame(const float position[3], const float rotation[4], const float at[3],
                    double local[3])
{
    const double q[4] = {-(double)rotation[0], -(double)rotation[1], -(double)rotation[2],
                         (double)rotation[3]};
    double d[3], t[3];
    for (int k = 0; k < 3; ++k)
        d[k] = (double)at[k] - (double)position[k];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        t[k] = 2 * (q[i] * d[j] - q[j] * d[i]);
    }
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        local[k] = d[k] + q[3] * t[k] + (q[i] * t[j] - q[j] * t[i]);
    }
}

double ref_core_point(const ref_core *core, const double p[3])
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double beyond = fabs(p[k]) - core->half[k];
        square += beyond > 0 ? beyond * beyond : 0;
    }
    return sqrt(square);
}

static double at(const ref_core *core, const double x[3][3], double u, double v)
{
    double p[3];
    for (int k = 0; k < 3; ++k)
        p[k] = x[0][k] + u * (x[1][k] - x[0][k]) + v * (1 - u) * (x[2][k] - x[0][k]);
    return ref_core_point(core, p);
}

/* The least along one line of the triangle, from the edge 0 1 to the corner 2. */
static double line(const ref_core *core, const double x[3][3], int rounds, double u, double *v)
{
    double low = 0, high = 1;
    for (int i = 0; i < rounds; ++i) {
        const double a = low + 0.45 * (high - low), b = low + 0.55 * (high - low);
        if (at(core, x, u, a) < at(core, x, u, b))
            high = b;
        else
            low = a;
    }
    *v = 0.5 * (low + high);
    return at(core, x, u, *v);
}

static double least_of(const ref_core *core, const double x[3][3], int rounds, double weight[3])
{
    double low = 0, high = 1, v;
    for (int i = 0; i < rounds; ++i) {
        const double a = low + 0.45 * (high - low), b = low + 0.55 * (high - low);
        if (line(core, x, rounds, a, &v) < line(core, x, rounds, b, &v))
            high = b;
        else
            low = a;
    }
    const double u = 0.5 * (low + high), least = line(core, x, rounds, u, &v);
    if (weight) {
        weight[1] = u;
        weight[2] = v * (1 - u);
        weight[0] = 1 - weight[1] - weight[2];
    }
    return least;
}

double ref_core_distance(const ref_core *core, const double x[3][3], double weight[3])
{
    return least_of(core, x, ROUNDS, weight);
}

double ref_core_depth(const ref_core *core, const double x[3][3])
{
    for (int k = 0; k < 3; ++k) {
        const double low = fmin(x[0][k], fmin(x[1][k], x[2][k]));
        const double high = fmax(x[0][k], fmax(x[1][k], x[2][k]));
        const double reach = core->half[k] + core->round;
        if (low > reach || high < -reach)
            return 0;
    }
    double middle[3], most = 0;
    for (int k = 0; k < 3; ++k)
        middle[k] = (x[0][k] + x[1][k] + x[2][k]) / 3;
    for (int i = 0; i < 3; ++i)
        most =
            fmax(most, hypot(hypot(x[i][0] - middle[0], x[i][1] - middle[1]), x[i][2] - middle[2]));
    if (ref_core_point(core, middle) - most > core->round)
        return 0;
    return core->round - least_of(core, x, DEPTH_ROUNDS, NULL);
}
