/* Energies, stresses and Hessians of the reference's materials. How a potential depends on singular
 * values is in ref_principal.c; constants of anisotropic materials are built in ref_constants.c. */
#include "ref_material.h"

#include <string.h>

#include "ref_principal.h"

static const int VOIGT[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

/* ---- profiles of one stretch ---- */

/* e = (s^2 - 1) / 2, and e^2 continued along its tangent below s*, its inflection point. */
static ref_profile stvk_profile(const void *context, double s)
{
    const ref_material *m = context;
    double k = m->mu + 0.5 * m->lambda, t = m->s_min;
    ref_profile p;
    double clipped = fmax(s, t), e = 0.5 * (clipped * clipped - 1);
    double slope = 2 * e * clipped;
    p.g = k * (e * e + slope * (s - clipped));
    p.g1 = k * slope;
    p.g2 = s > t ? k * (3 * s * s - 1) : 0;
    double positive = fmax(s, 0);
    p.c = 0.5 * (positive * positive - 1);
    p.c1 = positive;
    p.c2 = s > 0;
    return p;
}

static ref_profile stvk_product_profile(const void *context, double s)
{
    const ref_material *m = context;
    ref_profile p = stvk_profile(context, s);
    double t = m->s_min;
    if (s < t) {
        p.c = 0.5 * (t * t - 1) + t * (s - t);
        p.c1 = t;
        p.c2 = 0;
    }
    return p;
}

/* log continued along its tangent below s_min. */
static void linear_log(double s, double m, double out[3])
{
    if (s >= m) {
        out[0] = log(s);
        out[1] = 1 / s;
        out[2] = -1 / (s * s);
    } else {
        out[0] = log(m) + (s - m) / m;
        out[1] = 1 / m;
        out[2] = 0;
    }
}

/* The coupling's logarithm: a parabola below s_min that is level at 0, and constant when inverted.
 */
static ref_profile neo_hookean_profile(const void *context, double s)
{
    const ref_material *a = context;
    double m = a->s_min, l[3], square, square1, square2;
    linear_log(s, m, l);
    if (s >= m) {
        square = l[0] * l[0];
        square1 = 2 * l[0] / s;
        square2 = 2 * (1 - l[0]) / (s * s);
    } else {
        square = log(m) * (log(m) + 2 * (s - m) / m);
        square1 = 2 * log(m) / m;
        square2 = 0;
    }
    ref_profile p;
    p.g = 0.5 * a->mu * (s * s - 1 - 2 * l[0]) + 0.5 * a->lambda * square;
    p.g1 = a->mu * (s - l[1]) + 0.5 * a->lambda * square1;
    p.g2 = a->mu * (1 - l[2]) + 0.5 * a->lambda * square2;
    double r = fmax(s, 0) / m;
    p.c = s >= m ? l[0] : log(m) - 0.5 + 0.5 * r * r;
    p.c1 = s >= m ? l[1] : r / m;
    p.c2 = s >= m ? l[2] : (s > 0) / (m * m);
    return p;
}

static ref_profile neo_hookean_product_profile(const void *context, double s)
{
    const ref_material *a = context;
    double l[3];
    linear_log(s, a->s_min, l);
    ref_profile p;
    p.g = 0.5 * a->mu * (s * s - 1 - 2 * l[0]) + 0.5 * a->lambda * l[0] * l[0];
    p.g1 = a->mu * (s - l[1]) + a->lambda * l[0] * l[1];
    p.g2 = a->mu * (1 - l[2]) + a->lambda * (l[1] * l[1] + l[0] * l[2]);
    p.c = l[0];
    p.c1 = l[1];
    p.c2 = l[2];
    return p;
}

/* Weight of what is added to the isotropic part: 1 above s_min, 0 once flat or inverted. */
static ref_profile weight_profile(const void *context, double s)
{
    const ref_material *m = context;
    double t = fmin(fmax(s / m->s_min, 0), 1), d = 1 / m->s_min;
    ref_profile p = {0, 0, 0, t * t * (3 - 2 * t), 6 * t * (1 - t) * d, 0};
    p.c2 = t > 0 && t < 1 ? (6 - 12 * t) * d * d : 0;
    return p;
}

static ref_profile_function profile_of(const ref_material *m)
{
    switch (m->model) {
    case REF_STVK_PRODUCT:
        return stvk_product_profile;
    case REF_NEO_HOOKEAN:
        return neo_hookean_profile;
    case REF_NEO_HOOKEAN_PRODUCT:
        return neo_hookean_product_profile;
    case REF_STVK:
    case REF_STABLE_NEO_HOOKEAN:
        break;
    }
    return stvk_profile;
}

/* ---- quadratic energies of Green strain ---- */

static ref_mat3 hooke(const double c[6][6], ref_mat3 e)
{
    double strain[6];
    ref_mat3 t = ref_diag(0, 0, 0);
    for (int i = 0; i < 6; i++)
        strain[i] = (i < 3 ? 1 : 2) * e.m[VOIGT[i][0]][VOIGT[i][1]];
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int j = 0; j < 6; j++)
            sum += c[i][j] * strain[j];
        t.m[VOIGT[i][0]][VOIGT[i][1]] = t.m[VOIGT[i][1]][VOIGT[i][0]] = sum;
    }
    return t;
}

static ref_mat3 lame(double mu, double lambda, ref_mat3 e)
{
    double p = lambda * (e.m[0][0] + e.m[1][1] + e.m[2][2]);
    return ref_add(ref_scale(2 * mu, e), p, ref_diag(1, 1, 1));
}

/* Energy density and second Piola stress of the exact StVK material at strain e, and, with
 * `difference`, of that minus its isotropic part. */
static double strain_energy(const ref_material *m, ref_mat3 e, bool difference, ref_mat3 *stress)
{
    ref_mat3 elastic = ref_add(e, -1, m->plastic);
    *stress = hooke(m->c, elastic);
    double psi = 0.5 * ref_inner(elastic, *stress);
    if (difference) {
        ref_mat3 iso = lame(m->mu, m->lambda, e);
        psi -= 0.5 * ref_inner(e, iso);
        *stress = ref_add(*stress, -1, iso);
    }
    return psi;
}

static ref_mat9 strain_hessian(const ref_material *m, ref_mat3 f, bool difference)
{
    ref_mat9 h;
    ref_mat3 stress;
    strain_energy(m, ref_green(f), difference, &stress);
    for (int k = 0; k < 9; k++) {
        ref_mat3 df = ref_diag(0, 0, 0);
        df.m[k / 3][k % 3] = 1;
        ref_mat3 ftdf = ref_mul(ref_transpose(f), df);
        ref_mat3 de = ref_scale(0.5, ref_add(ftdf, 1, ref_transpose(ftdf)));
        ref_mat3 ds = hooke(m->c, de);
        if (difference)
            ds = ref_add(ds, -1, lame(m->mu, m->lambda, de));
        ref_mat3 dp = ref_add(ref_mul(df, stress), 1, ref_mul(f, ds));
        for (int i = 0; i < 9; i++)
            h.m[i][k] = dp.m[i / 3][i % 3];
    }
    return h;
}

/* True where every signed singular value is above t, without a decomposition: F^T F - t^2 I is
 * positive definite (leading minors) and F keeps its orientation. */
static bool all_above(ref_mat3 f, double t)
{
    ref_mat3 a = ref_add(ref_mul(ref_transpose(f), f), -t * t, ref_diag(1, 1, 1));
    return a.m[0][0] > 0 && a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0] > 0 && ref_det(a) > 0 &&
           ref_det(f) > 0;
}

static bool exact_stvk(const ref_material *m, ref_mat3 f)
{
    return m->model == REF_STVK && all_above(f, m->s_min);
}

/* ---- stable Neo-Hookean ---- */

/* How far |F| is below 1, and the direction F / |F|; F = 0 opens towards its rest orientation. */
static double collapse(const ref_material *m, ref_mat3 f, ref_mat3 *direction)
{
    double r = ref_norm(f);
    if (m->guard == 0 || r >= 1)
        return 0;
    *direction = r > 0 ? ref_scale(1 / r, f) : ref_scale(1 / sqrt(3.0), ref_diag(1, 1, 1));
    return 1 - r;
}

static double stable_energy(const ref_material *m, ref_mat3 f)
{
    ref_mat3 n;
    double j = ref_det(f) - 1, gap = collapse(m, f, &n);
    return 0.5 * m->mu * (ref_inner(f, f) - 3) - m->mu * j + 0.5 * (m->lambda + m->mu) * j * j +
           0.5 * m->guard * gap * gap;
}

static double stable_pressure(const ref_material *m, ref_mat3 f)
{
    return (m->lambda + m->mu) * (ref_det(f) - 1) - m->mu;
}

static ref_mat3 stable_stress(const ref_material *m, ref_mat3 f)
{
    ref_mat3 n, p = ref_add(ref_scale(m->mu, f), stable_pressure(m, f), ref_cofactor(f));
    double gap = collapse(m, f, &n);
    return gap > 0 ? ref_add(p, -m->guard * gap, n) : p;
}

static void add_guard(ref_mat9 *h, const ref_material *m, ref_mat3 f)
{
    ref_mat3 n;
    double gap = collapse(m, f, &n);
    if (gap == 0)
        return;
    double across = -m->guard * gap / fmax(1 - gap, 1e-9);
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++)
            h->m[a][b] +=
                (m->guard - across) * n.m[a / 3][a % 3] * n.m[b / 3][b % 3] + (a == b ? across : 0);
}

static ref_mat9 stable_hessian(const ref_material *m, ref_mat3 f)
{
    ref_mat9 h;
    ref_mat3 g = ref_cofactor(f);
    double p = stable_pressure(m, f);
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++) {
            int i = a / 3, j = a % 3, k = b / 3, l = b % 3;
            double d2j = 0;
            if (i != k && j != l) {
                double sign = ((k - i + 3) % 3 == 1) == ((l - j + 3) % 3 == 1) ? 1 : -1;
                d2j = sign * f.m[3 - i - k][3 - j - l];
            }
            h.m[a][b] =
                (m->lambda + m->mu) * g.m[i][j] * g.m[k][l] + p * d2j + (a == b ? m->mu : 0);
        }
    add_guard(&h, m, f);
    return h;
}

/* ---- public ---- */

double ref_energy(const ref_material *m, ref_mat3 f)
{
    ref_mat3 stress;
    if (m->model == REF_STABLE_NEO_HOOKEAN)
        return stable_energy(m, f);
    if (exact_stvk(m, f))
        return strain_energy(m, ref_green(f), false, &stress);
    ref_svd d = ref_svd_compute(f);
    double psi = ref_principal_pairs(profile_of(m), m, m->lambda, d.s).value;
    if (m->blended)
        psi += ref_principal_product(weight_profile, m, d.s).value *
               strain_energy(m, ref_green(f), true, &stress);
    return psi;
}

ref_mat3 ref_stress(const ref_material *m, ref_mat3 f)
{
    ref_mat3 stress;
    if (m->model == REF_STABLE_NEO_HOOKEAN)
        return stable_stress(m, f);
    if (exact_stvk(m, f)) {
        strain_energy(m, ref_green(f), false, &stress);
        return ref_mul(f, stress);
    }
    ref_svd d = ref_svd_compute(f);
    ref_principal p = ref_principal_pairs(profile_of(m), m, m->lambda, d.s);
    ref_mat3 r = ref_principal_stress(&d, &p);
    if (m->blended) {
        ref_principal w = ref_principal_product(weight_profile, m, d.s);
        double psi = strain_energy(m, ref_green(f), true, &stress);
        r = ref_add(r, w.value, ref_mul(f, stress));
        r = ref_add(r, psi, ref_principal_stress(&d, &w));
    }
    return r;
}

/* Adds the second derivative of w(s) D(E). */
static void add_blend(ref_mat9 *h, const ref_material *m, ref_mat3 f, const ref_svd *d)
{
    ref_mat3 stress;
    ref_principal w = ref_principal_product(weight_profile, m, d->s);
    double psi = strain_energy(m, ref_green(f), true, &stress);
    ref_mat3 pd = ref_mul(f, stress), dw = ref_principal_stress(d, &w);
    ref_mat9 hd = strain_hessian(m, f, true), hw = ref_principal_hessian(d, &w, false);
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++)
            h->m[a][b] += w.value * hd.m[a][b] + psi * hw.m[a][b] +
                          dw.m[a / 3][a % 3] * pd.m[b / 3][b % 3] +
                          pd.m[a / 3][a % 3] * dw.m[b / 3][b % 3];
}

static ref_mat9 hessian(const ref_material *m, ref_mat3 f, bool project)
{
    ref_mat9 h;
    if (m->model == REF_STABLE_NEO_HOOKEAN) {
        h = stable_hessian(m, f);
    } else if (exact_stvk(m, f)) {
        h = strain_hessian(m, f, false);
    } else {
        ref_svd d = ref_svd_compute(f);
        ref_principal p = ref_principal_pairs(profile_of(m), m, m->lambda, d.s);
        h = ref_principal_hessian(&d, &p, project && !m->blended);
        if (!m->blended)
            return h;
        add_blend(&h, m, f, &d);
    }
    if (project)
        ref_project_positive(9, &h.m[0][0], 0);
    return h;
}

ref_mat9 ref_hessian(const ref_material *m, ref_mat3 f)
{
    return hessian(m, f, false);
}

ref_mat9 ref_hessian_projected(const ref_material *m, ref_mat3 f)
{
    return hessian(m, f, true);
}

ref_mat3 ref_plastic_update(const ref_plasticity *law, ref_mat3 plastic, ref_mat3 f, double dt)
{
    ref_mat3 elastic = ref_add(ref_green(f), -1, plastic);
    double mean = (elastic.m[0][0] + elastic.m[1][1] + elastic.m[2][2]) / 3;
    ref_mat3 deviator = ref_add(elastic, -mean, ref_diag(1, 1, 1));
    if (ref_norm(deviator) > law->yield)
        plastic = ref_add(plastic, fmin(dt * law->creep, 1), deviator);
    double size = ref_norm(plastic);
    return size > law->max ? ref_scale(law->max / size, plastic) : plastic;
}
