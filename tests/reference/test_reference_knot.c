/* The reference's knots: known ones have the determinants of the tables, seen from any side.
 *
 * covers: tests/reference/ref_knot.c
 */
#include "fixture.h"
#include "ref_knot.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CORNERS 240u
#define TURN    6.283185307179586

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* `p` times round the axis while it goes `q` times round the tube. */
static void torus_knot(double x[][3], int p, int q)
{
    for (uint32_t i = 0; i < CORNERS; ++i) {
        const double t = TURN * i / CORNERS, r = 1 + 0.4 * cos(q * t);
        x[i][0] = r * cos(p * t);
        x[i][1] = r * sin(p * t);
        x[i][2] = 0.4 * sin(q * t);
    }
}

static void figure_eight(double x[][3])
{
    for (uint32_t i = 0; i < CORNERS; ++i) {
        const double t = TURN * i / CORNERS, r = 2 + cos(2 * t);
        x[i][0] = r * cos(3 * t);
        x[i][1] = r * sin(3 * t);
        x[i][2] = sin(4 * t);
    }
}

/* Once round the axis, so it is no knot, however it goes up, down, in and out. */
static void tangle(double x[][3], uint64_t *random)
{
    double up[5], out[5];
    for (int k = 0; k < 5; ++k) {
        up[k] = 2 * fixture_uniform(random) - 1;
        out[k] = 0.38 * fixture_uniform(random) - 0.19;
    }
    for (uint32_t i = 0; i < CORNERS; ++i) {
        const double t = TURN * i / CORNERS;
        double r = 1;
        x[i][2] = 0;
        for (int k = 0; k < 5; ++k) {
            r += out[k] * sin((k + 3) * t + k);
            x[i][2] += 2 * up[k] * sin((3 * k + 2) * t);
        }
        x[i][0] = r * cos(t);
        x[i][1] = r * sin(t);
    }
}

/* Turns, mirrors half of the time, and moves. */
static void turn(double x[][3], uint64_t *random)
{
    double q[4], sum = 0, m[3][3], shift[3];
    for (int k = 0; k < 4; ++k) {
        q[k] = 2 * fixture_uniform(random) - 1;
        sum += q[k] * q[k];
    }
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            const int other = 3 - r - c, sign = (c - r + 3) % 3 == 1 ? -1 : 1;
            m[r][c] = r == c ? (q[3] * q[3] + 2 * q[r] * q[r]) / sum - (sum - q[3] * q[3]) / sum
                             : 2 * (q[r] * q[c] + sign * q[other] * q[3]) / sum;
        }
    const double mirror = fixture_uniform(random) < 0.5 ? -1 : 1;
    for (int k = 0; k < 3; ++k)
        shift[k] = 100 * fixture_uniform(random);
    for (uint32_t i = 0; i < CORNERS; ++i) {
        double y[3];
        for (int r = 0; r < 3; ++r)
            y[r] = mirror * (m[r][0] * x[i][0] + m[r][1] * x[i][1] + m[r][2] * x[i][2]) + shift[r];
        memcpy(x[i], y, sizeof y);
    }
}

static void test_known_knots(void)
{
    static const struct {
        int p, q;
        uint64_t determinant;
    } knots[] = {{1, 0, 1}, {1, 3, 1}, {2, 1, 1}, {5, 1, 1}, {2, 3, 3},
                 {3, 2, 3}, {2, 5, 5}, {2, 7, 7}, {3, 4, 3}, {3, 5, 1}};
    static double x[CORNERS][3];
    uint64_t random = fixture_seed();
    for (int look = 0; look < fixture_count(50, 5); ++look) {
        for (size_t k = 0; k < sizeof knots / sizeof *knots; ++k) {
            torus_knot(x, knots[k].p, knots[k].q);
            turn(x, &random);
            TEST_ASSERT_EQUAL_UINT64(knots[k].determinant, ref_knot_determinant(x[0], CORNERS));
        }
        figure_eight(x);
        turn(x, &random);
        TEST_ASSERT_EQUAL_UINT64(5, ref_knot_determinant(x[0], CORNERS));
        tangle(x, &random);
        turn(x, &random);
        TEST_ASSERT_EQUAL_UINT64(1, ref_knot_determinant(x[0], CORNERS));
    }
}

/* Shastri's trefoil, as in test_surface_knots.c; drawn on the same plane but rising all the way it
 * is no knot. */
static void test_ropes(void)
{
    static double x[CORNERS][3];
    const double axis[3] = {0, 0, 1}, back[3] = {0, 0, -1}, across[3] = {1, 0, 0};
    for (int knotted = 0; knotted < 2; ++knotted) {
        for (uint32_t i = 0; i < CORNERS; ++i) {
            const double u = 4.2 * i / (CORNERS - 1) - 2.1, v = u * u;
            x[i][0] = u * (v - 3);
            x[i][1] = v * (v - 4);
            x[i][2] = knotted ? 0.3 * u * (v * v - 10) : u;
        }
        TEST_ASSERT_EQUAL_UINT64(knotted ? 3 : 1, ref_knot_of_rope(x[0], CORNERS, axis));
        /* Not with ends that something lies beyond. */
        TEST_ASSERT_EQUAL_UINT64(0, ref_knot_of_rope(x[0], CORNERS, back));
        TEST_ASSERT_EQUAL_UINT64(0, ref_knot_of_rope(x[0], CORNERS - 60, knotted ? axis : across));
    }
}

/* What meets itself is told, not guessed. */
static void test_no_clear_view(void)
{
    const double square[4][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}};
    TEST_ASSERT_EQUAL_UINT64(0, ref_knot_determinant(square[0], 4));
    TEST_ASSERT_EQUAL_UINT64(0, ref_knot_determinant(square[0], 2));
    TEST_ASSERT_EQUAL_UINT64(1, ref_knot_determinant(square[0], 3));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_known_knots);
    RUN_TEST(test_ropes);
    RUN_TEST(test_no_clear_view);
    return UNITY_END();
}
