/* The nearest points of a point and a triangle and of two segments: against brute force, in every
 * degenerate place too.
 *
 * covers: src/base/closest_points.c
 */
#include "base/closest_points.h"
#include "fixture.h"
#include "unity.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* Corners on a coarse grid, so that many are equal, in line, parallel or coplanar. */
static void toss(uint64_t *random, double x[4][3], int round)
{
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) {
            const double u = fixture_uniform(random);
            x[i][k] = round % 3 == 0 ? 2 * u - 1 : floor(u * (round % 3 == 1 ? 3 : 2));
            if (round % 7 == 0 && k == 2)
                x[i][k] = 0.5;
            if (round % 11 == 0)
                x[i][k] *= 1e-4;
        }
}

static double distance_at(const double x[4][3], const double w[4])
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double d = 0;
        for (int i = 0; i < 4; ++i)
            d += w[i] * x[i][k];
        square += d * d;
    }
    return sqrt(square);
}

enum { GRID = 60 };

static double brute_face(const double x[4][3])
{
    double best = (double)INFINITY;
    for (int a = 0; a <= GRID; ++a)
        for (int b = 0; a + b <= GRID; ++b) {
            const double w[4] = {1, -(double)a / GRID, -(double)b / GRID,
                                 -(double)(GRID - a - b) / GRID};
            best = fmin(best, distance_at(x, w));
        }
    return best;
}

static double brute_edges(const double x[4][3])
{
    double best = (double)INFINITY;
    for (int a = 0; a <= GRID; ++a)
        for (int b = 0; b <= GRID; ++b) {
            const double s = (double)a / GRID, t = (double)b / GRID;
            const double w[4] = {1 - s, s, t - 1, -t};
            best = fmin(best, distance_at(x, w));
        }
    return best;
}

static void check(const double x[4][3], double brute, double distance, const double w[4],
                  const double between[3], int first)
{
    double size = 0, plus = 0, minus = 0;
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 3; ++k)
            size = fmax(size, fabs(x[i][k]));
        *(i < first ? &plus : &minus) += w[i];
        TEST_ASSERT_TRUE(i < first ? w[i] >= -1e-12 : w[i] <= 1e-12);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, plus);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, -1, minus);
    TEST_ASSERT_TRUE(isfinite(distance));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9 * size, distance_at(x, w), distance);
    TEST_ASSERT_DOUBLE_WITHIN(
        1e-9 * size, distance,
        sqrt(between[0] * between[0] + between[1] * between[1] + between[2] * between[2]));
    /* Not farther than any sample, and near the best of them. */
    TEST_ASSERT_TRUE(distance <= brute + 1e-9 * size);
    TEST_ASSERT_TRUE(distance >= brute - 6 * size / GRID);
}

static void test_nearest_points(void)
{
    uint64_t random = fixture_seed();
    const int rounds = fixture_count(3000, 300);
    for (int round = 0; round < rounds; ++round) {
        double x[4][3], w[4], between[3];
        toss(&random, x, round);
        const double a = near_point_triangle((const double(*)[3])x, w, between);
        check((const double(*)[3])x, brute_face((const double(*)[3])x), a, w, between, 1);
        const double b = near_segments((const double(*)[3])x, w, between);
        check((const double(*)[3])x, brute_edges((const double(*)[3])x), b, w, between, 2);
    }
}

/* A direction at random, of length 1. */
static void toss_unit(uint64_t *random, double u[3])
{
    double size = 0;
    while (!(size > 0.1)) {
        for (int k = 0; k < 3; ++k)
            u[k] = 2 * fixture_uniform(random) - 1;
        size = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    for (int k = 0; k < 3; ++k)
        u[k] /= size;
}

/* A power of ten between two, evenly by its exponent. */
static double toss_size(uint64_t *random, double least, double most)
{
    return exp(log(least) + (log(most) - log(least)) * fixture_uniform(random));
}

/* Three directions across each other. */
static void toss_frame(uint64_t *random, double u[3][3])
{
    double inner = 0, size = 0;
    toss_unit(random, u[0]);
    do {
        toss_unit(random, u[1]);
        inner = u[0][0] * u[1][0] + u[0][1] * u[1][1] + u[0][2] * u[1][2];
    } while (!(fabs(inner) < 0.9));
    for (int k = 0; k < 3; ++k) {
        u[1][k] -= inner * u[0][k];
        size += u[1][k] * u[1][k];
    }
    for (int k = 0; k < 3; ++k)
        u[1][k] /= sqrt(size);
    for (int k = 0; k < 3; ++k)
        u[2][k] = u[0][(k + 1) % 3] * u[1][(k + 2) % 3] - u[0][(k + 2) % 3] * u[1][(k + 1) % 3];
}

/* Floats as they are in a world: 5 cm long, nearly parallel or nearly without area, near each
 * other. Where each corner is in the frame, then in space. */
static void toss_thin(uint64_t *random, double x[4][3], bool edges)
{
    double u[3][3], at[4][3] = {{0}}, origin[3];
    toss_frame(random, u);
    const double turn = toss_size(random, 1e-9, 1e-3), gap = toss_size(random, 1e-8, 1e-4);
    const double begin = 0.06 * (fixture_uniform(random) - 0.5), length = 0.05;
    for (int i = 0; i < 4; ++i) {
        at[i][0] = length * fixture_uniform(random);
        at[i][1] = turn * (fixture_uniform(random) - 0.5);
    }
    if (edges) {
        at[1][0] = at[0][0] + length;
        at[2][0] = at[0][0] + begin;
        at[3][0] = at[2][0] + length;
        for (int i = 2; i < 4; ++i)
            at[i][2] = gap;
    } else {
        at[0][2] = gap;
        at[1][0] = 0;
        at[2][0] = length;
    }
    for (int k = 0; k < 3; ++k)
        origin[k] = 0.1 * (fixture_uniform(random) - 0.5);
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            x[i][k] = (double)(float)(origin[k] + at[i][0] * u[0][k] + at[i][1] * u[1][k] +
                                      at[i][2] * u[2][k]);
}

typedef long double wide[3];

static long double wide_dot(const wide a, const wide b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void wide_cross(const wide a, const wide b, wide out)
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void wide_edge(const double x[4][3], int from, int to, wide out)
{
    for (int k = 0; k < 3; ++k)
        out[k] = (long double)x[to][k] - (long double)x[from][k];
}

/* Of a point and a segment. */
static long double wide_end(const double x[4][3], int point, int a, int b)
{
    wide to, edge;
    wide_edge(x, a, point, to);
    wide_edge(x, a, b, edge);
    const long double length = wide_dot(edge, edge);
    long double t = length > 0 ? wide_dot(to, edge) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; ++k)
        to[k] -= t * edge[k];
    return sqrtl(wide_dot(to, to));
}

/* Of two edges or a point and a triangle, with three digits more than a double's, and by the
 * distance of planes, which does not ask where the nearest points are. */
static double wide_distance(const double x[4][3], bool edges)
{
    wide p, q, r, n, a, b;
    long double best = (long double)INFINITY;
    wide_edge(x, edges ? 0 : 1, edges ? 1 : 2, p);
    wide_edge(x, edges ? 2 : 1, 3, q);
    wide_edge(x, edges ? 2 : 1, 0, r);
    wide_cross(p, q, n);
    wide_cross(edges ? q : r, edges ? r : q, a);
    wide_cross(p, r, b);
    const long double area = wide_dot(n, n), s = wide_dot(n, a), t = wide_dot(n, b);
    const long double most = edges ? area : area - s;
    if (area > 0 && s >= 0 && t >= 0 && s <= area && t <= most)
        best = fabsl(wide_dot(n, r)) / sqrtl(area);
    for (int i = 0; i < (edges ? 4 : 3); ++i) {
        const int from = edges ? (i < 2 ? 2 : 0) : 1 + i, to = edges ? from + 1 : 1 + (i + 1) % 3;
        best = fminl(best, wide_end(x, edges ? i : 0, from, to));
    }
    return (double)best;
}

/* What a direction proves, with these digits. */
static double wide_gap(const double x[4][3], int second, const double normal[3])
{
    long double least = (long double)INFINITY, size = 0;
    for (int k = 0; k < 3; ++k)
        size += (long double)normal[k] * (long double)normal[k];
    for (int i = 0; i < second; ++i)
        for (int j = second; j < 4; ++j) {
            long double one = 0;
            for (int k = 0; k < 3; ++k)
                one += (long double)normal[k] * ((long double)x[i][k] - (long double)x[j][k]);
            least = fminl(least, one);
        }
    return (double)(least / sqrtl(size));
}

/* Edges that are nearly parallel and triangles nearly without area: the distance is right, and a
 * direction proves it. */
static void test_thin_pairs(void)
{
    uint64_t random = fixture_seed();
    const int rounds = fixture_count(40000, 4000);
    double over = 1, under = 1, proven = 1;
    for (int round = 0; round < rounds; ++round) {
        const bool edges = round % 2 == 0;
        double x[4][3], w[4], between[3], normal[3];
        toss_thin(&random, x, edges);
        const double sure = wide_distance((const double(*)[3])x, edges);
        const double distance = edges ? near_segments((const double(*)[3])x, w, between)
                                      : near_point_triangle((const double(*)[3])x, w, between);
        const double gap = near_proof((const double(*)[3])x, edges ? 2 : 1, w, between, normal);
        TEST_ASSERT_DOUBLE_WITHIN(1e-15, wide_gap((const double(*)[3])x, edges ? 2 : 1, normal),
                                  gap);
        over = fmax(over, distance / sure);
        under = fmin(under, distance / sure);
        proven = fmin(proven, gap / sure);
        TEST_ASSERT_TRUE(gap <= sure * (1 + 1e-6));
    }
    printf("thin pairs: distances %.9f to %.9f of the true one, at least %.9f of it proven\n",
           under, over, proven);
    TEST_ASSERT_TRUE(under > 1 - 1e-6 && over < 1 + 1e-4);
    TEST_ASSERT_TRUE(proven > 0.99);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_nearest_points);
    RUN_TEST(test_thin_pairs);
    return UNITY_END();
}
