/* Small dense algebra in double for the reference: 3x3 matrices by value, and a 9x9 carrier.
 * No material, mesh or solver code belongs here. A 3x3 matrix flattens row by row: entry (i, j)
 * is component 3 i + j of a 9-vector, which fixes the layout of every 9x9 Hessian. */
#ifndef REF_MAT3_H
#define REF_MAT3_H

#include <math.h>

typedef struct {
    double m[3][3];
} ref_mat3;

typedef struct {
    double m[9][9];
} ref_mat9;

static inline ref_mat3 ref_diag(double a, double b, double c)
{
    return (ref_mat3){{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
}

static inline ref_mat3 ref_mul(ref_mat3 a, ref_mat3 b)
{
    ref_mat3 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return r;
}

static inline ref_mat3 ref_transpose(ref_mat3 a)
{
    ref_mat3 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] = a.m[j][i];
    return r;
}

/* a + t b */
static inline ref_mat3 ref_add(ref_mat3 a, double t, ref_mat3 b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.m[i][j] += t * b.m[i][j];
    return a;
}

static inline ref_mat3 ref_scale(double t, ref_mat3 a)
{
    return ref_add(ref_diag(0, 0, 0), t, a);
}

/* a : b, the sum of products of entries */
static inline double ref_inner(ref_mat3 a, ref_mat3 b)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += a.m[i][j] * b.m[i][j];
    return sum;
}

static inline double ref_norm(ref_mat3 a)
{
    return sqrt(ref_inner(a, a));
}

/* cof(a) = d det(a) / d a, defined for singular a too */
static inline ref_mat3 ref_cofactor(ref_mat3 a)
{
    ref_mat3 r;
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            r.m[i][j] = a.m[i1][j1] * a.m[i2][j2] - a.m[i1][j2] * a.m[i2][j1];
        }
    }
    return r;
}

static inline double ref_det(ref_mat3 a)
{
    ref_mat3 c = ref_cofactor(a);
    return a.m[0][0] * c.m[0][0] + a.m[0][1] * c.m[0][1] + a.m[0][2] * c.m[0][2];
}

/* a must be regular */
static inline ref_mat3 ref_inverse(ref_mat3 a)
{
    return ref_scale(1.0 / ref_det(a), ref_transpose(ref_cofactor(a)));
}

/* Green strain (F^T F - I) / 2 */
static inline ref_mat3 ref_green(ref_mat3 f)
{
    return ref_scale(0.5, ref_add(ref_mul(ref_transpose(f), f), -1.0, ref_diag(1, 1, 1)));
}

/* U diag(d) V^T */
static inline ref_mat3 ref_compose(ref_mat3 u, const double d[3], ref_mat3 v)
{
    return ref_mul(ref_mul(u, ref_diag(d[0], d[1], d[2])), ref_transpose(v));
}

#endif
