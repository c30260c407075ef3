/* Uniaxial answers; see the header. */
#include "ref_uniaxial.h"

#include <math.h>

static double shear(double young, double poisson)
{
    return young / (2 * (1 + poisson));
}

static double lame(double young, double poisson)
{
    return young * poisson / ((1 + poisson) * (1 - 2 * poisson));
}

ref_uniaxial ref_uniaxial_stvk(double young, double poisson, double l)
{
    double e = l * l - 1;
    return (ref_uniaxial){0.5 * young * l * e, sqrt(1 - poisson * e)};
}

ref_uniaxial ref_uniaxial_neo_hookean(double young, double poisson, double l)
{
    double mu = shear(young, poisson), lambda = lame(young, poisson);
    double low = 1e-6, high = 1e3;
    for (int i = 0; i < 200; i++) {
        double t = 0.5 * (low + high);
        if (mu * (t * t - 1) + lambda * log(l * t * t) > 0)
            high = t;
        else
            low = t;
    }
    return (ref_uniaxial){mu * (l - 1 / l) + lambda / l * log(l * low * low), low};
}

ref_uniaxial ref_uniaxial_stable_neo_hookean(double young, double poisson, double l)
{
    double mu = shear(young, poisson), lambda = lame(young, poisson);
    double low = 0, high = 1e3;
    for (int i = 0; i < 200; i++) {
        double t = 0.5 * (low + high);
        if (mu + l * ((lambda + mu) * (l * t * t - 1) - mu) > 0)
            high = t;
        else
            low = t;
    }
    double pressure = (lambda + mu) * (l * low * low - 1) - mu;
    return (ref_uniaxial){mu * l + pressure * low * low, low};
}
