/* Derivatives of isotropic potentials through the singular values. With dF' = U^T dF V the Hessian
 * splits into a 3x3 block on the diagonal of dF' and, for each pair, a twist and a flip, so it can
 * be made positive without a 9x9 eigenproblem. The quotients are formed from divided differences so
 * that they stay accurate where two stretches meet. */
#include "ref_principal.h"

#include <string.h>

static const int PAIR[3][2] = {{0, 1}, {0, 2}, {1, 2}};

/* Below this distance a divided difference is the derivative at the midpoint: either error is then
 * about 1e-11 of the second derivative. */
static const double CLOSE = 1e-5;

/* s_i + s_j vanishes on the set s_2 = -s_3, where the potentials have a true cone; the curvature
 * there is infinite and this floor keeps it representable. */
static const double LEAST_SUM = 1e-9;

typedef struct {
    double g1, c, c1; /* divided differences of g', c and c' */
} differences;

static differences divide(ref_profile_function profile, const void *context, const ref_profile *a,
                          const ref_profile *b, double sa, double sb)
{
    double d = sa - sb;
    if (fabs(d) < CLOSE * (1 + fabs(sa))) {
        ref_profile mid = profile(context, 0.5 * (sa + sb));
        return (differences){mid.g2, mid.c1, mid.c2};
    }
    return (differences){(a->g1 - b->g1) / d, (a->c - b->c) / d, (a->c1 - b->c1) / d};
}

static double safe_sum(double a, double b)
{
    return fmax(a + b, LEAST_SUM);
}

ref_principal ref_principal_pairs(ref_profile_function profile, const void *context,
                                  double coupling, const double s[3])
{
    ref_principal p;
    ref_profile q[3];
    for (int i = 0; i < 3; i++)
        q[i] = profile(context, s[i]);
    p.value =
        q[0].g + q[1].g + q[2].g + coupling * (q[0].c * q[1].c + q[0].c * q[2].c + q[1].c * q[2].c);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        p.f[i] = q[i].g1 + coupling * q[i].c1 * (q[j].c + q[k].c);
        p.h[i][i] = q[i].g2 + coupling * q[i].c2 * (q[j].c + q[k].c);
        p.h[i][j] = p.h[j][i] = coupling * q[i].c1 * q[j].c1;
    }
    for (int n = 0; n < 3; n++) {
        int i = PAIR[n][0], j = PAIR[n][1], k = 3 - i - j;
        differences d = divide(profile, context, &q[i], &q[j], s[i], s[j]);
        p.minus[n] = d.g1 + coupling * (q[k].c * d.c1 + q[i].c * d.c1 - q[i].c1 * d.c);
        p.plus[n] = (p.f[i] + p.f[j]) / safe_sum(s[i], s[j]);
    }
    return p;
}

ref_principal ref_principal_product(ref_profile_function profile, const void *context,
                                    const double s[3])
{
    ref_principal p;
    ref_profile q[3];
    for (int i = 0; i < 3; i++)
        q[i] = profile(context, s[i]);
    p.value = q[0].c * q[1].c * q[2].c;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        p.f[i] = q[i].c1 * q[j].c * q[k].c;
        p.h[i][i] = q[i].c2 * q[j].c * q[k].c;
        p.h[i][j] = p.h[j][i] = q[i].c1 * q[j].c1 * q[k].c;
    }
    for (int n = 0; n < 3; n++) {
        int i = PAIR[n][0], j = PAIR[n][1], k = 3 - i - j;
        differences d = divide(profile, context, &q[i], &q[j], s[i], s[j]);
        p.minus[n] = q[k].c * (q[i].c * d.c1 - q[i].c1 * d.c);
        p.plus[n] = (p.f[i] + p.f[j]) / safe_sum(s[i], s[j]);
    }
    return p;
}

ref_mat3 ref_principal_stress(const ref_svd *d, const ref_principal *p)
{
    return ref_compose(d->u, p->f, d->v);
}

/* The Hessian in the basis u_i v_j^T. */
static void local_hessian(const ref_principal *p, bool project, double h[9][9])
{
    double scaling[9];
    memset(h, 0, 81 * sizeof(double));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            scaling[3 * i + j] = p->h[i][j];
    if (project)
        ref_project_positive(3, scaling, 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            h[4 * i][4 * j] = scaling[3 * i + j];
    for (int n = 0; n < 3; n++) {
        int ij = 3 * PAIR[n][0] + PAIR[n][1], ji = 3 * PAIR[n][1] + PAIR[n][0];
        double flip = project ? fmax(p->minus[n], 0) : p->minus[n];
        double twist = project ? fmax(p->plus[n], 0) : p->plus[n];
        h[ij][ij] = h[ji][ji] = 0.5 * (flip + twist);
        h[ij][ji] = h[ji][ij] = 0.5 * (flip - twist);
    }
}

ref_mat9 ref_principal_hessian(const ref_svd *d, const ref_principal *p, bool project)
{
    double local[9][9], q[9][9];
    ref_mat9 r;
    memset(&r, 0, sizeof r);
    local_hessian(p, project, local);
    for (int ij = 0; ij < 9; ij++)
        for (int ab = 0; ab < 9; ab++)
            q[ij][ab] = d->u.m[ab / 3][ij / 3] * d->v.m[ab % 3][ij % 3];
    for (int ij = 0; ij < 9; ij++)
        for (int kl = 0; kl < 9; kl++) {
            if (local[ij][kl] == 0)
                continue;
            for (int a = 0; a < 9; a++)
                for (int b = 0; b < 9; b++)
                    r.m[a][b] += local[ij][kl] * q[ij][a] * q[kl][b];
        }
    return r;
}
