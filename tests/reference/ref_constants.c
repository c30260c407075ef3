/* Elastic constants: isotropic pairs, nine orthotropic constants, 21 general ones with a material
 * frame, and the isotropic part that the continuation of an anisotropic material rests on. */
#include <string.h>

#include "ref_material.h"
#include "ref_svd.h"

static const int VOIGT[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

static void isotropic_matrix(double mu, double lambda, double c[6][6])
{
    memset(c, 0, 36 * sizeof(double));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            c[i][j] = lambda;
        c[i][i] += 2 * mu;
        c[i + 3][i + 3] = mu;
    }
}

static ref_material isotropic(ref_model model, double young, double poisson, double s_min)
{
    ref_material m;
    memset(&m, 0, sizeof m);
    m.model = model;
    m.mu = young / (2 * (1 + poisson));
    m.lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    m.s_min = s_min;
    isotropic_matrix(m.mu, m.lambda, m.c);
    return m;
}

ref_material ref_stvk(double young, double poisson)
{
    return isotropic(REF_STVK, young, poisson, REF_STVK_S_MIN);
}

ref_material ref_stvk_product(double young, double poisson)
{
    return isotropic(REF_STVK_PRODUCT, young, poisson, REF_STVK_S_MIN);
}

ref_material ref_neo_hookean(double young, double poisson, double s_min)
{
    return isotropic(REF_NEO_HOOKEAN, young, poisson, s_min);
}

ref_material ref_neo_hookean_product(double young, double poisson, double s_min)
{
    return isotropic(REF_NEO_HOOKEAN_PRODUCT, young, poisson, s_min);
}

ref_material ref_stable_neo_hookean(double young, double poisson, double guard)
{
    ref_material m = isotropic(REF_STABLE_NEO_HOOKEAN, young, poisson, 0);
    m.guard = guard;
    return m;
}

/* Lower Cholesky factor of a symmetric n x n matrix; false if it is not positive definite. */
static bool cholesky(int n, const double *a, double *l)
{
    memset(l, 0, (size_t)(n * n) * sizeof *l);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= l[i * n + k] * l[j * n + k];
            if (i == j && !(sum > 0))
                return false;
            l[i * n + j] = i == j ? sqrt(sum) : sum / l[j * n + j];
        }
    return true;
}

static void solve_lower(int n, const double *l, double *b)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= l[i * n + k] * b[k];
        b[i] /= l[i * n + i];
    }
}

/* Largest x with det(c - x iso) = 0: the least factor that makes x iso - c positive semidefinite.
 */
static double largest_ratio(const double c[6][6], const double iso[6][6])
{
    double l[36], m[36], values[6], vectors[36], best;
    if (!cholesky(6, &iso[0][0], l))
        return 1;
    memcpy(m, c, sizeof m);
    for (int pass = 0; pass < 2; pass++) {
        for (int row = 0; row < 6; row++)
            solve_lower(6, l, m + 6 * row);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < i; j++) {
                double t = m[6 * i + j];
                m[6 * i + j] = m[6 * j + i];
                m[6 * j + i] = t;
            }
    }
    ref_eigen_symmetric(6, m, values, vectors);
    best = values[0];
    for (int i = 1; i < 6; i++)
        best = fmax(best, values[i]);
    return best;
}

/* The isotropic material under an anisotropic one: Voigt's average, scaled up until it is nowhere
 * softer, so that adding the (then negative) difference cannot favour a collapsed state. */
static void set_isotropic_part(ref_material *m)
{
    double a = 0, b = 0, s = 0, iso[6][6];
    for (int i = 0; i < 3; i++) {
        a += m->c[i][i];
        b += m->c[i][(i + 1) % 3];
        s += m->c[i + 3][i + 3];
    }
    double bulk = (a + 2 * b) / 9, shear = (a - b + 3 * s) / 15;
    isotropic_matrix(shear, bulk - 2 * shear / 3, iso);
    double ratio = largest_ratio(m->c, iso);
    m->mu = ratio * shear;
    m->lambda = ratio * (bulk - 2 * shear / 3);
}

/* c in axes turned by `frame`: the columns of the Voigt strain transformation are the images of the
 * six unit strains. */
static void turn(const double c[36], ref_mat3 frame, double out[6][6])
{
    double t[6][6];
    for (int k = 0; k < 6; k++) {
        ref_mat3 e = ref_diag(0, 0, 0);
        double unit = k < 3 ? 1 : 0.5;
        e.m[VOIGT[k][0]][VOIGT[k][1]] = e.m[VOIGT[k][1]][VOIGT[k][0]] = unit;
        e = ref_mul(ref_mul(ref_transpose(frame), e), frame);
        for (int i = 0; i < 6; i++)
            t[i][k] = (i < 3 ? 1 : 2) * e.m[VOIGT[i][0]][VOIGT[i][1]];
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            out[i][j] = 0;
            for (int a = 0; a < 6; a++)
                for (int b = 0; b < 6; b++)
                    out[i][j] += t[a][i] * 0.5 * (c[6 * a + b] + c[6 * b + a]) * t[b][j];
        }
}

bool ref_stvk_general(ref_material *out, const double c[36], ref_mat3 frame)
{
    double factor[36], largest = 0;
    for (int i = 0; i < 36; i++)
        largest = fmax(largest, fabs(c[i]));
    for (int i = 0; i < 36; i++)
        if (!(fabs(c[i] - c[6 * (i % 6) + i / 6]) <= 1e-12 * largest))
            return false;
    if (!cholesky(6, c, factor))
        return false;
    ref_material m;
    memset(&m, 0, sizeof m);
    m.model = REF_STVK;
    m.s_min = REF_STVK_S_MIN;
    m.blended = true;
    turn(c, frame, m.c);
    set_isotropic_part(&m);
    *out = m;
    return true;
}

bool ref_stvk_orthotropic(ref_material *out, const ref_orthotropic *o, ref_mat3 frame)
{
    double compliance[9] = {1 / o->e1,        -o->nu12 / o->e1, -o->nu13 / o->e1,
                            -o->nu12 / o->e1, 1 / o->e2,        -o->nu23 / o->e2,
                            -o->nu13 / o->e1, -o->nu23 / o->e2, 1 / o->e3};
    double factor[9], c[36] = {0};
    bool positive = o->e1 > 0 && o->e2 > 0 && o->e3 > 0 && o->g12 > 0 && o->g13 > 0 && o->g23 > 0;
    if (!positive || !cholesky(3, compliance, factor))
        return false;
    ref_mat3 s;
    memcpy(s.m, compliance, sizeof s.m);
    ref_mat3 stiffness = ref_inverse(s);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[6 * i + j] = 0.5 * (stiffness.m[i][j] + stiffness.m[j][i]);
    c[21] = o->g23;
    c[28] = o->g13;
    c[35] = o->g12;
    return ref_stvk_general(out, c, frame);
}

void ref_material_set_plastic(ref_material *m, ref_mat3 plastic)
{
    m->plastic = plastic;
    m->blended = true;
}
