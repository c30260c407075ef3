/* One-sided Jacobi for the 3x3 singular value decomposition (Hestenes): the columns of A V are made
 * orthogonal to relative accuracy, so tiny singular values keep their digits. Two-sided cyclic
 * Jacobi for symmetric matrices. Nothing here knows about mechanics. */
#include "ref_svd.h"

#include <float.h>
#include <string.h>

enum { MAX_SWEEPS = 60, MAX_N = 12 };

typedef struct {
    double x[3];
} vec3;

static vec3 column(ref_mat3 a, int j)
{
    return (vec3){{a.m[0][j], a.m[1][j], a.m[2][j]}};
}

static void set_column(ref_mat3 *a, int j, vec3 c)
{
    for (int i = 0; i < 3; i++)
        a->m[i][j] = c.x[i];
}

static double dot(vec3 a, vec3 b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static vec3 cross(vec3 a, vec3 b)
{
    return (vec3){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                   a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

/* Length without underflow: columns may be 1e-200 of the largest entry. */
static double length(vec3 a)
{
    return hypot(hypot(a.x[0], a.x[1]), a.x[2]);
}

static vec3 over(vec3 a, double d)
{
    return (vec3){{a.x[0] / d, a.x[1] / d, a.x[2] / d}};
}

/* Removes from b its part along the unit vector a and normalises; b must not be along a. */
static vec3 orthonormal_to(vec3 a, vec3 b)
{
    for (int pass = 0; pass < 2; pass++) {
        double t = dot(a, b);
        for (int i = 0; i < 3; i++)
            b.x[i] -= t * a.x[i];
        b = over(b, length(b));
    }
    return b;
}

static vec3 any_orthonormal_to(vec3 a)
{
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(a.x[i]) < fabs(a.x[least]))
            least = i;
    vec3 axis = {{0, 0, 0}};
    axis.x[least] = 1;
    return orthonormal_to(a, axis);
}

static void rotate_columns(ref_mat3 *a, int p, int q, double c, double s)
{
    for (int i = 0; i < 3; i++) {
        double ap = a->m[i][p], aq = a->m[i][q];
        a->m[i][p] = c * ap - s * aq;
        a->m[i][q] = s * ap + c * aq;
    }
}

/* One rotation that makes columns p and q of `a` orthogonal; false if they already are. */
static int orthogonalise(ref_mat3 *a, ref_mat3 *v, int p, int q)
{
    vec3 cp = column(*a, p), cq = column(*a, q);
    double lp = length(cp), lq = length(cq);
    if (lp == 0 || lq == 0)
        return 0;
    double cosine = dot(over(cp, lp), over(cq, lq));
    if (fabs(cosine) < 4 * DBL_EPSILON)
        return 0;
    double zeta = (lq / lp - lp / lq) / (2 * cosine);
    double t = isfinite(zeta) ? copysign(1.0, zeta) / (fabs(zeta) + hypot(1.0, zeta)) : 0;
    double c = 1 / hypot(1.0, t), s = c * t;
    rotate_columns(a, p, q, c, s);
    rotate_columns(v, p, q, c, s);
    return t != 0;
}

/* Swaps columns with one sign change, so that V stays a rotation. */
static void swap_columns(ref_mat3 *a, int p, int q)
{
    vec3 cp = column(*a, p), cq = column(*a, q);
    set_column(a, p, cq);
    set_column(a, q, over(cp, -1));
}

static void sort_columns(ref_mat3 *a, ref_mat3 *v)
{
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < 2; j++)
            if (length(column(*a, j)) < length(column(*a, j + 1))) {
                swap_columns(a, j, j + 1);
                swap_columns(v, j, j + 1);
            }
}

ref_svd ref_svd_compute(ref_mat3 f)
{
    ref_svd r = {ref_diag(1, 1, 1), ref_diag(1, 1, 1), {0, 0, 0}};
    double largest = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            largest = fmax(largest, fabs(f.m[i][j]));
    if (largest == 0)
        return r;
    int exponent;
    frexp(largest, &exponent);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            f.m[i][j] = ldexp(f.m[i][j], -exponent);
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        int changed = orthogonalise(&f, &r.v, 0, 1);
        changed |= orthogonalise(&f, &r.v, 0, 2);
        changed |= orthogonalise(&f, &r.v, 1, 2);
        if (!changed)
            break;
    }
    sort_columns(&f, &r.v);
    vec3 a0 = column(f, 0), a1 = column(f, 1), a2 = column(f, 2);
    vec3 u0 = over(a0, length(a0));
    vec3 u1 =
        length(a1) > DBL_MIN ? orthonormal_to(u0, over(a1, length(a1))) : any_orthonormal_to(u0);
    vec3 u2 = cross(u0, u1);
    set_column(&r.u, 0, u0);
    set_column(&r.u, 1, u1);
    set_column(&r.u, 2, u2);
    r.s[0] = ldexp(length(a0), exponent);
    r.s[1] = ldexp(length(a1), exponent);
    r.s[2] = ldexp(copysign(length(a2), dot(a2, u2)), exponent);
    return r;
}

static void rotate_symmetric(int n, double *a, double *v, int p, int q)
{
    double apq = a[p * n + q];
    double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
    double t = copysign(1.0, theta) / (fabs(theta) + hypot(1.0, theta));
    double c = 1 / hypot(1.0, t), s = c * t;
    for (int k = 0; k < n; k++) {
        double akp = a[k * n + p], akq = a[k * n + q];
        a[k * n + p] = c * akp - s * akq;
        a[k * n + q] = s * akp + c * akq;
    }
    for (int k = 0; k < n; k++) {
        double apk = a[p * n + k], aqk = a[q * n + k];
        a[p * n + k] = c * apk - s * aqk;
        a[q * n + k] = s * apk + c * aqk;
        double vkp = v[k * n + p], vkq = v[k * n + q];
        v[k * n + p] = c * vkp - s * vkq;
        v[k * n + q] = s * vkp + c * vkq;
    }
}

void ref_eigen_symmetric(int n, double *a, double *values, double *vectors)
{
    double size = 0;
    for (int i = 0; i < n * n; i++) {
        size = fmax(size, fabs(a[i]));
        vectors[i] = i % (n + 1) == 0;
    }
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        int changed = 0;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (fabs(a[p * n + q]) > DBL_EPSILON * 1e-2 * size) {
                    rotate_symmetric(n, a, vectors, p, q);
                    changed = 1;
                }
        if (!changed)
            break;
    }
    for (int i = 0; i < n; i++)
        values[i] = a[i * n + i];
}

void ref_project_positive(int n, double *a, double floor)
{
    double work[MAX_N * MAX_N], values[MAX_N], q[MAX_N * MAX_N];
    memcpy(work, a, (size_t)(n * n) * sizeof *a);
    ref_eigen_symmetric(n, work, values, q);
    for (int k = 0; k < n; k++) {
        if (values[k] >= floor)
            continue;
        double raise = floor - values[k];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i * n + j] += raise * q[i * n + k] * q[j * n + k];
    }
}
