/* query_brute.c - see query_brute.h. */
#include "query_brute.h"

#include <float.h>
#include <math.h>
#include <string.h>

double brute_ray_triangle(double c[3][3], const double o[3], const double d[3], double slack)
{
    double e1[3], e2[3], s[3], p[3], q[3];
    minus(c[1], c[0], e1);
    minus(c[2], c[0], e2);
    minus(o, c[0], s);
    cross(d, e2, p);
    cross(s, e1, q);
    const double det = dot(e1, p);
    if (fabs(det) < 1e-14)
        return DBL_MAX;
    const double u = dot(s, p) / det, v = dot(d, q) / det, t = dot(e2, q) / det;
    return u >= -slack && v >= -slack && u + v <= 1 + slack && t >= 0 ? t : DBL_MAX;
}

double brute_square_to(double c[3][3], const double p[3])
{
    double ab[3], ac[3], n[3], best = DBL_MAX;
    minus(c[1], c[0], ab);
    minus(c[2], c[0], ac);
    cross(ab, ac, n);
    const double area = dot(n, n);
    bool inside = area > 0;
    for (int i = 0; i < 3; ++i) {
        double e[3], to[3], out[3];
        minus(c[(i + 1) % 3], c[i], e);
        minus(p, c[i], to);
        cross(e, to, out);
        inside = inside && dot(out, n) >= 0;
        const double square = dot(e, e);
        const double share = square > 0 ? fmin(1, fmax(0, dot(to, e) / square)) : 0;
        double gap = 0;
        for (int k = 0; k < 3; ++k)
            gap += pow(to[k] - share * e[k], 2);
        best = fmin(best, gap);
    }
    if (inside) {
        double to[3];
        minus(p, c[0], to);
        best = dot(to, n) * dot(to, n) / area;
    }
    return best;
}

bool brute_clip_box(double c[3][3], const double half[3])
{
    double poly[2][12][3];
    int count = 3, now = 0;
    memcpy(poly[0], c, sizeof(double[3][3]));
    for (int plane = 0; plane < 6; ++plane) {
        const int k = plane / 2;
        const double sign = plane % 2 ? 1 : -1;
        int kept = 0;
        for (int i = 0; i < count; ++i) {
            const double *a = poly[now][i], *b = poly[now][(i + 1) % count];
            const double da = half[k] - sign * a[k], db = half[k] - sign * b[k];
            if (da >= 0)
                memcpy(poly[!now][kept++], a, sizeof(double[3]));
            if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
                for (int j = 0; j < 3; ++j)
                    poly[!now][kept][j] = a[j] + (b[j] - a[j]) * da / (da - db);
                ++kept;
            }
        }
        now = !now;
        count = kept;
    }
    return count > 0;
}

void brute_normal(double c[3][3], double normal[3])
{
    double e1[3], e2[3];
    minus(c[1], c[0], e1);
    minus(c[2], c[0], e2);
    cross(e1, e2, normal);
    const double size = sqrt(dot(normal, normal));
    for (int k = 0; k < 3; ++k)
        normal[k] = size > 0 ? normal[k] / size : 0;
}

/* v + 2 q x (q x v - w v) */
void brute_turn_back(const float quaternion[4], const double v[3], double out[3])
{
    const double q[3] = {(double)quaternion[0], (double)quaternion[1], (double)quaternion[2]};
    double a[3];
    cross(q, v, a);
    for (int k = 0; k < 3; ++k)
        a[k] -= (double)quaternion[3] * v[k];
    cross(q, a, out);
    for (int k = 0; k < 3; ++k)
        out[k] = v[k] + 2 * out[k];
}
