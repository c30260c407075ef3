/* The nearest points of a point and a triangle and of two segments: against brute force, in every
 * degenerate place too. */
#include "fixture.h"
#include "near.h"
#include "unity.h"

#include <math.h>

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

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_nearest_points);
    return UNITY_END();
}
