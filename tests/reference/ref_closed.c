/* Closed forms and small equations; see the header. */
#include "ref_closed.h"

#include <math.h>

enum { STEPS = 2000 };

/* State: theta, theta', w. */
static void slope(double load, double s, const double y[3], double d[3])
{
    d[0] = y[1];
    d[1] = -load * (1 - s) * cos(y[0]);
    d[2] = sin(y[0]);
}

/* theta'(1) and w(1) from theta'(0). */
static double shoot(double load, double start, double *fall)
{
    const double h = 1.0 / STEPS;
    double y[3] = {0, start, 0};
    for (int n = 0; n < STEPS; n++) {
        double k[4][3], z[3];
        slope(load, n * h, y, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            const double part = stage == 3 ? h : h / 2;
            for (int i = 0; i < 3; i++)
                z[i] = y[i] + part * k[stage - 1][i];
            slope(load, n * h + part, z, k[stage]);
        }
        for (int i = 0; i < 3; i++)
            y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    *fall = y[2];
    return y[1];
}

/* theta'(1) grows with theta'(0) near the solution that hangs down; the moment at the clamp is at
 * most what it is without turning, load / 2. */
double ref_elastica_fall(double load)
{
    double low = 0, high = load / 2, fall = 0;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (shoot(load, middle, &fall) > 0)
            high = middle;
        else
            low = middle;
    }
    return fall;
}

void ref_biaxial_stretch(const ref_membrane *m, const double force[2], double stretch[2])
{
    stretch[0] = stretch[1] = 1;
    for (int i = 0; i < 50; i++) {
        const double f[6] = {stretch[0], 0, 0, 0, stretch[1], 0};
        double p[6], h[6][6];
        ref_membrane_stress(m, f, p);
        ref_membrane_hessian(m, f, h);
        const double a = h[0][0], b = h[0][4], c = h[4][4], d = a * c - b * b;
        const double off[2] = {force[0] - p[0], force[1] - p[4]};
        stretch[0] += (c * off[0] - b * off[1]) / d;
        stretch[1] += (a * off[1] - b * off[0]) / d;
    }
}

double ref_balloon_pressure(const ref_membrane *m, double radius, double stretch)
{
    const double f[6] = {stretch, 0, 0, 0, stretch, 0};
    double p[6];
    ref_membrane_stress(m, f, p);
    return 2 * (p[0] / stretch) / (stretch * radius);
}
