/* Energies of a membrane; see the header. S = 2 dPsi/dC is the second Piola stress, P = F S. */
#include "ref_membrane.h"

#include <math.h>

typedef struct {
    double a, b, c; /* components 11, 22, 12 of a symmetric 2x2 matrix */
} sym2;

ref_membrane ref_membrane_orthotropic(double young1, double young2, double poisson12, double shear)
{
    const double poisson21 = poisson12 * young2 / young1;
    const double d = 1 - poisson12 * poisson21;
    ref_membrane m = {REF_MEMBRANE_STVK, shear, 0, {{0}}};
    m.c[0][0] = young1 / d;
    m.c[1][1] = young2 / d;
    m.c[0][1] = m.c[1][0] = young2 * poisson12 / d;
    m.c[2][2] = shear;
    return m;
}

ref_membrane ref_membrane_stvk(double young, double poisson)
{
    const double mu = young / (2 * (1 + poisson));
    ref_membrane m = ref_membrane_orthotropic(young, young, poisson, mu);
    m.lambda = young * poisson / (1 - poisson * poisson);
    return m;
}

ref_membrane ref_membrane_neo_hookean(double young, double poisson)
{
    ref_membrane m = ref_membrane_stvk(young, poisson);
    m.model = REF_MEMBRANE_NEO_HOOKEAN;
    return m;
}

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static sym2 cauchy_green(const double f[6])
{
    return (sym2){dot3(f, f), dot3(f + 3, f + 3), dot3(f, f + 3)};
}

static sym2 inverse(sym2 c)
{
    const double d = c.a * c.b - c.c * c.c;
    return (sym2){c.b / d, c.a / d, -c.c / d};
}

/* c (E) of StVK; E has tensor components. */
static sym2 hooke(const ref_membrane *m, sym2 e)
{
    const double v[3] = {e.a, e.b, 2 * e.c};
    double s[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s[i] += m->c[i][j] * v[j];
    return (sym2){s[0], s[1], s[2]};
}

static sym2 green(sym2 c)
{
    return (sym2){(c.a - 1) / 2, (c.b - 1) / 2, c.c / 2};
}

static sym2 second_piola(const ref_membrane *m, sym2 c)
{
    if (m->model == REF_MEMBRANE_STVK)
        return hooke(m, green(c));
    const sym2 i = inverse(c);
    const double t = m->lambda / 2 * log(c.a * c.b - c.c * c.c) - m->mu;
    return (sym2){m->mu + t * i.a, m->mu + t * i.b, t * i.c};
}

/* dS for a change dC of C. */
static sym2 second_piola_change(const ref_membrane *m, sym2 c, sym2 d)
{
    if (m->model == REF_MEMBRANE_STVK)
        return hooke(m, (sym2){d.a / 2, d.b / 2, d.c / 2});
    const sym2 i = inverse(c);
    const double t = m->lambda / 2 * log(c.a * c.b - c.c * c.c) - m->mu;
    const double trace = i.a * d.a + i.b * d.b + 2 * i.c * d.c; /* d log det C */
    /* columns of d C^-1 */
    const double d00 = d.a * i.a + d.c * i.c, d01 = d.a * i.c + d.c * i.b;
    const double d10 = d.c * i.a + d.b * i.c, d11 = d.c * i.c + d.b * i.b;
    return (sym2){m->lambda / 2 * trace * i.a - t * (i.a * d00 + i.c * d10),
                  m->lambda / 2 * trace * i.b - t * (i.c * d01 + i.b * d11),
                  m->lambda / 2 * trace * i.c - t * (i.a * d01 + i.c * d11)};
}

double ref_membrane_energy(const ref_membrane *m, const double f[6])
{
    const sym2 c = cauchy_green(f);
    if (m->model == REF_MEMBRANE_STVK) {
        const sym2 e = green(c), s = hooke(m, e);
        return (e.a * s.a + e.b * s.b + 2 * e.c * s.c) / 2;
    }
    const double l = log(c.a * c.b - c.c * c.c);
    return m->mu / 2 * (c.a + c.b - l - 2) + m->lambda / 8 * l * l;
}

static void times(const double f[6], sym2 s, double p[6])
{
    for (int k = 0; k < 3; k++) {
        p[k] = f[k] * s.a + f[3 + k] * s.c;
        p[3 + k] = f[k] * s.c + f[3 + k] * s.b;
    }
}

double ref_membrane_stress(const ref_membrane *m, const double f[6], double p[6])
{
    times(f, second_piola(m, cauchy_green(f)), p);
    return ref_membrane_energy(m, f);
}

void ref_membrane_hessian(const ref_membrane *m, const double f[6], double h[6][6])
{
    const sym2 c = cauchy_green(f), s = second_piola(m, c);
    for (int i = 0; i < 6; i++) {
        double df[6] = {0}, first[6], second[6];
        df[i] = 1;
        const sym2 dc = {2 * dot3(f, df), 2 * dot3(f + 3, df + 3),
                         dot3(f, df + 3) + dot3(df, f + 3)};
        times(df, s, first);
        times(f, second_piola_change(m, c, dc), second);
        for (int j = 0; j < 6; j++)
            h[j][i] = first[j] + second[j];
    }
}
