/* near.c - see near.h. Regions of a triangle by Ericson, Real-Time Collision Detection, 5.1.5. */
#include "near.h"

#include <math.h>
#include <stdbool.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[k] - b[k];
}

static double clamp(double t)
{
    return t > 0 ? (t < 1 ? t : 1) : 0;
}

/* Where on a + t (b - a), t in 0 to 1, p is nearest; 0 where the segment has no length. */
static double along(const double p[3], const double a[3], const double b[3])
{
    double edge[3], to[3];
    minus(b, a, edge);
    minus(p, a, to);
    const double square = dot(edge, edge);
    return square > 0 ? clamp(dot(to, edge) / square) : 0;
}

static double join(const double x[4][3], const double weight[4], double between[3])
{
    for (int k = 0; k < 3; ++k)
        between[k] = (weight[0] * x[0][k] + weight[1] * x[1][k]) +
                     (weight[2] * x[2][k] + weight[3] * x[3][k]);
    return sqrt(dot(between, between));
}

/* Keeps the candidate if it is nearer. */
static void offer(const double x[4][3], const double candidate[4], double weight[4],
                  double between[3], double *best)
{
    double vector[3];
    const double distance = join(x, candidate, vector);
    if (!(distance < *best))
        return;
    *best = distance;
    for (int i = 0; i < 4; ++i)
        weight[i] = candidate[i];
    for (int k = 0; k < 3; ++k)
        between[k] = vector[k];
}

double near_point_triangle(const double x[4][3], double weight[4], double between[3])
{
    double ab[3], ac[3], ap[3], best = (double)INFINITY;
    minus(x[2], x[1], ab);
    minus(x[3], x[1], ac);
    minus(x[0], x[1], ap);
    const double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
    const double pb = dot(ap, ab), pc = dot(ap, ac), area = bb * cc - bc * bc;
    const double v = pb * cc - pc * bc, w = pc * bb - pb * bc;
    if (area > 1e-20 * bb * cc && v >= 0 && w >= 0 && v + w <= area) {
        const double inside[4] = {1, v / area + w / area - 1, -v / area, -w / area};
        offer(x, inside, weight, between, &best);
        return best;
    }
    for (int e = 1; e <= 3; ++e) {
        const int f = e % 3 + 1;
        double side[4] = {1, 0, 0, 0};
        const double t = along(x[0], x[e], x[f]);
        side[e] = t - 1;
        side[f] = -t;
        offer(x, side, weight, between, &best);
    }
    return best;
}

double near_segments(const double x[4][3], double weight[4], double between[3])
{
    double p[3], q[3], r[3], best = (double)INFINITY;
    minus(x[1], x[0], p);
    minus(x[3], x[2], q);
    minus(x[0], x[2], r);
    const double pp = dot(p, p), qq = dot(q, q), pq = dot(p, q), pr = dot(p, r), qr = dot(q, r);
    const double area = pp * qq - pq * pq;
    if (area > 1e-14 * pp * qq) {
        const double s = (pq * qr - pr * qq) / area, t = (pp * qr - pq * pr) / area;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
            const double inside[4] = {1 - s, s, t - 1, -t};
            offer(x, inside, weight, between, &best);
            return best;
        }
    }
    /* An end of one of them is nearest; parallel ones have such a place too. */
    for (int end = 0; end < 4; ++end) {
        double side[4] = {0, 0, 0, 0};
        const int a = end < 2 ? 2 : 0;
        const double t = along(x[end], x[a], x[a + 1]), sign = end < 2 ? 1 : -1;
        side[end] = sign;
        side[a] = -sign * (1 - t);
        side[a + 1] = -sign * t;
        offer(x, side, weight, between, &best);
    }
    return best;
}
