/* closest_points.c - see closest_points.h.
 *
 * What lies inside of both sides is found by cross products, whose digits suffice for sines of
 * 1e-14: products of lengths, of which only differences matter, lose them all at 1e-8. Where sides
 * are not NEAR_CLEAR, ends and borders are candidates too.
 */
#include "base/closest_points.h"

#include <math.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[k] - b[k];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
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

/* Of weights that sum to 0, so from the first point: far from the origin that has more digits. */
static double join(const double x[4][3], const double weight[4], double between[3])
{
    for (int k = 0; k < 3; ++k)
        between[k] = weight[1] * (x[1][k] - x[0][k]) +
                     (weight[2] * (x[2][k] - x[0][k]) + weight[3] * (x[3][k] - x[0][k]));
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
    double ab[3], ac[3], ap[3], n[3], to_b[3], to_c[3], best = (double)INFINITY;
    minus(x[2], x[1], ab);
    minus(x[3], x[1], ac);
    minus(x[0], x[1], ap);
    cross(ab, ac, n);
    cross(ap, ac, to_b);
    cross(ab, ap, to_c);
    const double area = dot(n, n), size = dot(ab, ab) * dot(ac, ac);
    const double v = dot(n, to_b), w = dot(n, to_c);
    if (area > NEAR_FLAT * size && v >= 0 && w >= 0 && v + w <= area) {
        const double inside[4] = {1, v / area + w / area - 1, -v / area, -w / area};
        offer(x, inside, weight, between, &best);
        if (area > NEAR_CLEAR * size)
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

/* Where two segments that are not parallel pass each other, if that is inside of both. */
static void offer_pass(const double x[4][3], const double p[3], const double q[3],
                       const double across[3], double weight[4], double between[3], double *best)
{
    double r[3], to_p[3], to_q[3], at[3];
    minus(x[0], x[2], r);
    cross(q, r, to_p);
    cross(p, r, to_q);
    const double area = dot(across, across), s = dot(across, to_p) / area;
    double t = dot(across, to_q) / area;
    if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1))
        return;
    /* Both are off along the other when the sine is small: less when they are off together. */
    for (int k = 0; k < 3; ++k)
        at[k] = x[0][k] + s * p[k];
    if (area <= NEAR_CLEAR * dot(p, p) * dot(q, q))
        t = along(at, x[2], x[3]);
    const double inside[4] = {1 - s, s, t - 1, -t};
    offer(x, inside, weight, between, best);
}

double near_segments(const double x[4][3], double weight[4], double between[3])
{
    double p[3], q[3], across[3], best = (double)INFINITY;
    minus(x[1], x[0], p);
    minus(x[3], x[2], q);
    cross(p, q, across);
    const double area = dot(across, across), size = dot(p, p) * dot(q, q);
    if (area > NEAR_FLAT * size)
        offer_pass(x, p, q, across, weight, between, &best);
    if (area > NEAR_CLEAR * size && best < (double)INFINITY)
        return best;
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

/* Keeps a direction, of any length, if it proves more. */
static void prove(const double x[4][3], int second, const double along_it[3], double sign,
                  double normal[3], double *best)
{
    double unit[3], apart[3], least = (double)INFINITY;
    const double size = sqrt(dot(along_it, along_it));
    if (!(size > 0))
        return;
    for (int k = 0; k < 3; ++k)
        unit[k] = sign * along_it[k] / size;
    for (int i = 0; i < second; ++i)
        for (int j = second; j < 4; ++j) {
            minus(x[i], x[j], apart);
            const double one = dot(unit, apart);
            least = one < least ? one : least;
        }
    if (!(least > *best))
        return;
    *best = least;
    for (int k = 0; k < 3; ++k)
        normal[k] = unit[k];
}

/* The edges that nearest points lie inside of, two at most. */
static int edges_at(const double x[4][3], int second, const double weight[4], double edge[2][3])
{
    int count = 0;
    for (int side = 0; side < 2; ++side) {
        const int from = side == 0 ? 0 : second, end = side == 0 ? second : 4;
        int first = -1;
        for (int i = from; i < end; ++i) {
            if (weight[i] == 0)
                continue;
            if (first >= 0 && count < 2)
                minus(x[i], x[first], edge[count++]);
            first = first >= 0 ? first : i;
        }
    }
    return count;
}

double near_proof(const double x[4][3], int second, const double weight[4], const double between[3],
                  double normal[3])
{
    double edge[2][3], better[3], best = -(double)INFINITY;
    for (int k = 0; k < 3; ++k)
        normal[k] = 0;
    prove(x, second, between, 1, normal, &best);
    const int count = edges_at(x, second, weight, edge);
    if (count == 1) {
        const double share = dot(between, edge[0]) / dot(edge[0], edge[0]);
        for (int k = 0; k < 3; ++k)
            better[k] = between[k] - share * edge[0][k];
        prove(x, second, better, 1, normal, &best);
    } else if (count == 2) {
        cross(edge[0], edge[1], better);
        prove(x, second, better, 1, normal, &best);
        prove(x, second, better, -1, normal, &best);
    }
    return best;
}
