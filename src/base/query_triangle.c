/* query_triangle.c - a triangle against a ray, a point and a box, in double. See query_triangle.h.
 */
#include "base/query_triangle.h"

#include <math.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[k] - b[k];
}

static double size_of(double v)
{
    return v < 0 ? -v : v;
}

/* d . (a x b), six times the signed volume of the edge a b seen along d: minus itself, bit by bit,
 * when a and b change places, so the two triangles of an edge agree. `blur`: more than its error.
 */
static double edge_volume(const double d[3], const double a[3], const double b[3], double *blur)
{
    double sum = 0, sizes = 0;
    for (int k = 0; k < 3; ++k) {
        const double left = a[(k + 1) % 3] * b[(k + 2) % 3];
        const double right = a[(k + 2) % 3] * b[(k + 1) % 3];
        sum += d[k] * (left - right);
        sizes += size_of(d[k]) * (size_of(left) + size_of(right));
    }
    *blur = 1e-15 * sizes;
    return sum;
}

bool query_ray_triangle(double corners[3][3], const double origin[3], const double direction[3],
                        double *distance, double weights[3])
{
    double from[3][3], volume[3], blur[3], all = 0, blurs = 0;
    bool ahead = true, behind = true;
    for (int i = 0; i < 3; ++i)
        minus(corners[i], origin, from[i]);
    for (int i = 0; i < 3; ++i) {
        volume[i] = edge_volume(direction, from[(i + 1) % 3], from[(i + 2) % 3], &blur[i]);
        ahead = ahead && volume[i] >= -blur[i];
        behind = behind && volume[i] <= blur[i];
        all += volume[i];
        blurs += blur[i];
    }
    if (!(ahead || behind) || !(size_of(all) > blurs))
        return false;
    double sum = 0, along = 0, sizes = 0;
    for (int i = 0; i < 3; ++i) {
        const double w = volume[i] / all;
        weights[i] = w > 0 ? w : 0;
        sum += weights[i];
    }
    for (int i = 0; i < 3; ++i) {
        weights[i] /= sum;
        along += weights[i] * dot(direction, from[i]);
        for (int k = 0; k < 3; ++k)
            sizes += weights[i] * size_of(direction[k] * from[i][k]);
    }
    /* From a point on the triangle it is zero but for rounding. */
    *distance = size_of(along) > 1e-15 * sizes ? along : 0;
    return *distance >= 0;
}

/* The share of b, 0 to 1, at the point of the segment that is closest to the origin. */
static double closest_share(const double a[3], const double b[3])
{
    double ab[3];
    minus(b, a, ab);
    const double square = dot(ab, ab), along = -dot(a, ab);
    if (!(along > 0))
        return 0;
    return along < square ? along / square : 1;
}

static double square_at(double from[3][3], const double weights[3])
{
    double p[3];
    for (int k = 0; k < 3; ++k)
        p[k] = weights[0] * from[0][k] + weights[1] * from[1][k] + weights[2] * from[2][k];
    return dot(p, p);
}

/* The foot of the perpendicular from the origin; false when it is not inside. */
static bool foot(double from[3][3], double weights[3])
{
    double ab[3], ac[3], n[3];
    minus(from[1], from[0], ab);
    minus(from[2], from[0], ac);
    cross(ab, ac, n);
    const double square = dot(n, n);
    bool inside = square > 0;
    for (int i = 0; i < 3 && inside; ++i) {
        double side[3];
        cross(from[(i + 1) % 3], from[(i + 2) % 3], side);
        weights[i] = dot(n, side) / square;
        inside = weights[i] >= 0;
    }
    if (!inside)
        return false;
    const double sum = weights[0] + weights[1] + weights[2];
    for (int i = 0; i < 3; ++i)
        weights[i] /= sum;
    return sum > 0;
}

double query_closest_triangle(double corners[3][3], const double point[3], double weights[3])
{
    double from[3][3], best = 0, tried[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i)
        minus(corners[i], point, from[i]);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const double share = closest_share(from[i], from[j]);
        double edge[3] = {0, 0, 0};
        edge[i] = 1 - share;
        edge[j] = share;
        const double square = square_at(from, edge);
        if (i > 0 && !(square < best))
            continue;
        best = square;
        for (int k = 0; k < 3; ++k)
            weights[k] = edge[k];
    }
    const double square = foot(from, tried) ? square_at(from, tried) : best;
    if (!(square < best))
        return best;
    for (int k = 0; k < 3; ++k)
        weights[k] = tried[k];
    return square;
}

/* The triangle's and the box's shadows on an axis do not meet. */
static bool parted(double corners[3][3], const double half[3], const double axis[3])
{
    const double reach =
        size_of(axis[0]) * half[0] + size_of(axis[1]) * half[1] + size_of(axis[2]) * half[2];
    double low = dot(axis, corners[0]), high = low;
    for (int i = 1; i < 3; ++i) {
        const double at = dot(axis, corners[i]);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return low > reach || high < -reach;
}

/* Separating axes: the box's, the triangle's normal, and the crosses of edges (Akenine-Moeller
 * 2001). Axes of zero length part nothing. */
bool query_box_triangle(double corners[3][3], const double half[3])
{
    double edge[3][3], normal[3];
    for (int i = 0; i < 3; ++i)
        minus(corners[(i + 1) % 3], corners[i], edge[i]);
    cross(edge[0], edge[1], normal);
    bool apart = parted(corners, half, normal);
    for (int k = 0; k < 3; ++k) {
        double axis[3] = {0, 0, 0}, across[3];
        axis[k] = 1;
        apart = apart || parted(corners, half, axis);
        for (int i = 0; i < 3; ++i) {
            cross(axis, edge[i], across);
            apart = apart || parted(corners, half, across);
        }
    }
    return !apart;
}

void query_normal(double corners[3][3], double normal[3])
{
    double ab[3], ac[3];
    minus(corners[1], corners[0], ab);
    minus(corners[2], corners[0], ac);
    cross(ab, ac, normal);
    const double size = sqrt(dot(normal, normal));
    for (int k = 0; k < 3; ++k)
        normal[k] = size > 0 ? normal[k] / size : 0;
}
