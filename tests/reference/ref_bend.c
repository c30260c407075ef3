/* Bending energies of a hinge; see the header. */
#include "ref_bend.h"

#include <math.h>
#include <string.h>

static void minus(const double *a, const double *b, double *r)
{
    for (int k = 0; k < 3; k++)
        r[k] = a[k] - b[k];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *r)
{
    r[0] = a[1] * b[2] - a[2] * b[1];
    r[1] = a[2] * b[0] - a[0] * b[2];
    r[2] = a[0] * b[1] - a[1] * b[0];
}

/* Cotangent of the corner at `at` between `a` and `b`. */
static double cotangent(const double *at, const double *a, const double *b)
{
    double u[3], v[3], n[3];
    minus(a, at, u);
    minus(b, at, v);
    cross(u, v, n);
    return dot(u, v) / sqrt(dot(n, n));
}

static double triangle_area(const double *a, const double *b, const double *c)
{
    double u[3], v[3], n[3];
    minus(b, a, u);
    minus(c, a, v);
    cross(u, v, n);
    return sqrt(dot(n, n)) / 2;
}

ref_bend ref_bend_rest(const double r[12])
{
    const double *x0 = r, *x1 = r + 3, *x2 = r + 6, *x3 = r + 9;
    ref_bend b;
    double e[3];
    /* the paper's edges: e0 = x0 x1, e1 = x1 x2, e2 = x2 x0, e3 = x0 x3, e4 = x3 x1 */
    const double c01 = cotangent(x1, x0, x2), c02 = cotangent(x0, x1, x2);
    const double c03 = cotangent(x0, x1, x3), c04 = cotangent(x1, x0, x3);
    b.k[0] = c01 + c04;
    b.k[1] = c02 + c03;
    b.k[2] = -c01 - c02;
    b.k[3] = -c03 - c04;
    b.area = triangle_area(x0, x1, x2) + triangle_area(x0, x1, x3);
    minus(x1, x0, e);
    b.length = sqrt(dot(e, e));
    b.angle = ref_bend_angle(r, NULL);
    return b;
}

double ref_bend_isometric(const ref_bend *b, const double x[12], double gradient[12])
{
    double s[3] = {0, 0, 0};
    for (int i = 0; i < 12; i++)
        s[i % 3] += b->k[i / 3] * x[i];
    for (int i = 0; i < 12; i++)
        gradient[i] = b->k[i / 3] * s[i % 3] / b->area;
    return dot(s, s) / (2 * b->area);
}

void ref_bend_isometric_hessian(const ref_bend *b, double h[144])
{
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            h[12 * i + j] = i % 3 == j % 3 ? b->k[i / 3] * b->k[j / 3] / b->area : 0;
}

/* Moving x2 by d along the normal of its triangle turns that triangle by d / height. The edge's
 * vertices take the opposite share by the barycentric place of the height's foot. */
double ref_bend_angle(const double x[12], double gradient[12])
{
    double e[3], u2[3], u3[3], n2[3], n3[3], c[3];
    minus(x + 3, x, e);
    minus(x + 6, x, u2);
    minus(x + 9, x, u3);
    cross(e, u2, n2); /* of (x0, x1, x2) */
    cross(u3, e, n3); /* of (x1, x0, x3) */
    cross(n2, n3, c);
    const double length = sqrt(dot(e, e));
    const double angle = -atan2(dot(c, e) / length, dot(n2, n3));
    if (!gradient)
        return angle;
    const double s2 = length / dot(n2, n2), s3 = length / dot(n3, n3);
    const double foot2 = dot(u2, e) / dot(e, e), foot3 = dot(u3, e) / dot(e, e);
    for (int k = 0; k < 3; k++) {
        const double g2 = s2 * n2[k], g3 = s3 * n3[k];
        gradient[6 + k] = g2;
        gradient[9 + k] = g3;
        gradient[k] = -(1 - foot2) * g2 - (1 - foot3) * g3;
        gradient[3 + k] = -foot2 * g2 - foot3 * g3;
    }
    return angle;
}

double ref_bend_dihedral(const ref_bend *b, const double x[12], double gradient[12])
{
    const double off = ref_bend_angle(x, gradient) - b->angle;
    const double w = b->length * b->length / b->area;
    for (int i = 0; i < 12; i++)
        gradient[i] *= w * off;
    return w / 2 * off * off;
}

void ref_bend_dihedral_hessian(const ref_bend *b, const double x[12], double h[144])
{
    const double step = 1e-6 * b->length;
    double y[12], up[12], down[12];
    memcpy(y, x, sizeof y);
    for (int j = 0; j < 12; j++) {
        y[j] = x[j] + step;
        ref_bend_dihedral(b, y, up);
        y[j] = x[j] - step;
        ref_bend_dihedral(b, y, down);
        y[j] = x[j];
        for (int i = 0; i < 12; i++)
            h[12 * i + j] = (up[i] - down[i]) / (2 * step);
    }
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < i; j++)
            h[12 * i + j] = h[12 * j + i] = (h[12 * i + j] + h[12 * j + i]) / 2;
}
