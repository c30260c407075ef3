/* Tests of the exact intersection test (tests/reference/ref_exact, ref_cross, ref_cross_mesh):
 * signs against 128-bit integers where doubles fail, pairs of triangles against separating axes in
 * integers, the conventions for what touches, the grid against all pairs. The engine is not in
 * here.
 *
 * covers: tests/reference/ref_cross.c
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fixture.h"
#include "ref_cross.h"
#include "ref_exact.h"
#include "ref_random.h"
#include "ref_sheet_mesh.h"
#include "unity.h"

__extension__ typedef __int128 wide;

static uint64_t seed;

void setUp(void)
{
}

void tearDown(void)
{
}

static void start_seed(void)
{
    const char *given = getenv("PIOLA_SEED");
    seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
    printf("PIOLA_SEED=%llu\n", (unsigned long long)seed);
}

/* Uniform in [-size, size]. */
static int64_t whole(int64_t size)
{
    return (int64_t)(ref_random_bits(&seed) % (uint64_t)(2 * size + 1)) - size;
}

static int sign_of(wide v)
{
    return (v > 0) - (v < 0);
}

static void cross(const wide u[3], const wide v[3], wide out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

static wide dot(const wide u[3], const wide v[3])
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

static void minus(const int64_t *a, const int64_t *b, wide out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (wide)a[k] - b[k];
}

static int integer_side(const int64_t p[12])
{
    wide u[3], v[3], w[3], n[3];
    minus(p + 3, p, u);
    minus(p + 6, p, v);
    minus(p + 9, p, w);
    cross(u, v, n);
    return sign_of(dot(n, w));
}

static void widen(const int64_t *p, int count, double scale, double *out)
{
    for (int i = 0; i < count; i++)
        out[i] = (double)p[i] * scale;
}

/* What plain doubles make of it. */
static int plain_side(const double *p)
{
    double u[3], v[3], w[3], det = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = p[3 + k] - p[k];
        v[k] = p[6 + k] - p[k];
        w[k] = p[9 + k] - p[k];
    }
    for (int k = 0; k < 3; k++)
        det += (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]) * w[k];
    return (det > 0) - (det < 0);
}

/* Four points nearly, or just, on a plane: u of 40 bits, v near u / 2, w near their sum. */
static void nearly_flat(int64_t p[12])
{
    for (int k = 0; k < 3; k++) {
        const int64_t u = 2 * whole((int64_t)1 << 39), r = whole(200), e = whole(1);
        p[k] = whole((int64_t)1 << 39);
        p[3 + k] = p[k] + u;
        p[6 + k] = p[k] + u / 2 + r;
        p[9 + k] = p[k] + u + u / 2 + r + e;
    }
}

static void test_signs_where_doubles_fail(void)
{
    int failed = 0, flat = 0;
    const unsigned long hard = ref_exact_hard_calls();
    for (int i = 0; i < 20000; i++) {
        int64_t p[12];
        double x[12];
        nearly_flat(p);
        widen(p, 12, 0x1p-30, x);
        const int right = integer_side(p);
        failed += plain_side(x) != right;
        flat += right == 0;
        TEST_ASSERT_EQUAL_INT(right, ref_exact_side(x, x + 3, x + 6, x + 9));
        TEST_ASSERT_EQUAL_INT(-right, ref_exact_side(x + 3, x, x + 6, x + 9));
    }
    printf("plain doubles have the wrong sign in %d of 20000 nearly flat cases (%d flat)\n", failed,
           flat);
    TEST_ASSERT_GREATER_THAN(1000, failed);
    TEST_ASSERT_GREATER_THAN(100, flat);
    TEST_ASSERT_GREATER_THAN(10000, ref_exact_hard_calls() - hard);
}

/* Differences that no double holds: one coordinate of up to 62 bits, others of 15. */
static void test_signs_of_far_points(void)
{
    int inexact = 0;
    for (int i = 0; i < 20000; i++) {
        int64_t p[12];
        double x[12];
        for (int k = 0; k < 12; k++)
            p[k] = whole((int64_t)1 << 14);
        for (int k = 0; k < 12; k += 3)
            p[k] = whole(i % 3 ? (int64_t)1 << 30 : 3) * ((int64_t)1 << (i % 2 ? 31 : 0));
        if (i % 4 == 1) /* nearly flat: the last point is the sum of the others, and a little */
            for (int k = 0; k < 3; k++)
                p[9 + k] = p[3 + k] / 4 + p[6 + k] / 4 + p[k] / 2 + whole(1);
        widen(p, 12, 1, x);
        bool exact = true;
        for (int k = 0; k < 12; k++)
            exact = exact && (int64_t)x[k] == p[k];
        inexact += !exact;
        if (exact)
            TEST_ASSERT_EQUAL_INT(integer_side(p), ref_exact_side(x, x + 3, x + 6, x + 9));
    }
    TEST_ASSERT_LESS_THAN(6000, inexact);
    const double far[12] = {0, 0, 0, 1e30, 0, 0, 0, 1e30, 0, 1e30, 1e30, 1e-40};
    TEST_ASSERT_EQUAL_INT(1, ref_exact_side(far, far + 3, far + 6, far + 9));
    const double low[12] = {1e30, 0, 0, 1e-40, 1, 0, -1e30, 0, 1, 0, 0.5, 0.5};
    TEST_ASSERT_EQUAL_INT(1, ref_exact_side(low, low + 3, low + 6, low + 9) *
                                 -ref_exact_side(low, low + 6, low + 3, low + 9));
}

/* Kettner et al. 2008, figure 2: points near a line, where doubles give all three answers. */
static void test_turns_where_doubles_fail(void)
{
    int failed = 0;
    for (int i = 0; i < 256; i++)
        for (int j = 0; j < 256; j++) {
            const double p[2] = {0.5 + i * 0x1p-53, 0.5 + j * 0x1p-53}, q[2] = {12, 12};
            const double r[2] = {24, 24};
            /* q and r are on the diagonal: the sign is that of y - x. */
            const int right = (p[1] > p[0]) - (p[1] < p[0]);
            const double plain = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
            failed += (plain > 0) - (plain < 0) != right;
            TEST_ASSERT_EQUAL_INT(right, ref_exact_turn(q, r, p));
            TEST_ASSERT_EQUAL_INT(right, ref_exact_turn(p, q, r));
        }
    printf("plain doubles have the wrong turn in %d of 65536 cases\n", failed);
    TEST_ASSERT_GREATER_THAN(1000, failed);
}

/* ---- triangles against separating axes in integers ---- */

typedef struct {
    const int64_t *a, *b;
    bool proper; /* separation that only touches counts too */
    bool apart;
} separation;

/* Notes when the axis parts the triangles. */
static void try_axis(separation *s, const wide axis[3])
{
    wide low[2], high[2];
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++) {
            const int64_t *p = (t ? s->b : s->a) + 3 * i;
            const wide d = axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
            low[t] = i && low[t] < d ? low[t] : d;
            high[t] = i && high[t] > d ? high[t] : d;
        }
    if (axis[0] == 0 && axis[1] == 0 && axis[2] == 0)
        return;
    if (high[0] < low[1] || high[1] < low[0])
        s->apart = true;
    if (s->proper && (high[0] <= low[1] || high[1] <= low[0]))
        s->apart = true;
}

static void edges_of(const int64_t *t, wide out[3][3])
{
    for (int i = 0; i < 3; i++)
        minus(t + 3 * ((i + 1) % 3), t + 3 * i, out[i]);
}

/* The open insides meet and the planes are not parallel: no axis parts them, not even touching.
 * The axes are the normals of the faces of the Minkowski difference. */
static bool integer_cross(const int64_t *a, const int64_t *b)
{
    wide ea[3][3], eb[3][3], na[3], nb[3], n[3];
    edges_of(a, ea);
    edges_of(b, eb);
    cross(ea[0], ea[1], na);
    cross(eb[0], eb[1], nb);
    cross(na, nb, n);
    if (n[0] == 0 && n[1] == 0 && n[2] == 0)
        return false;
    separation s = {a, b, true, false};
    try_axis(&s, na);
    try_axis(&s, nb);
    for (int i = 0; i < 9; i++) {
        cross(ea[i / 3], eb[i % 3], n);
        try_axis(&s, n);
    }
    return !s.apart;
}

/* All axes that can part closed triangles, flat or without area too: the differences of any two
 * corners, their crosses, and the crosses of these with the differences. */
static bool integer_apart(const int64_t *a, const int64_t *b)
{
    wide d[15][3], n[3], m[3];
    int count = 0;
    separation s = {a, b, false, false};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            minus((i < 3 ? a : b) + 3 * (i % 3), (j < 3 ? a : b) + 3 * (j % 3), d[count++]);
    for (int i = 0; i < count && !s.apart; i++) {
        try_axis(&s, d[i]);
        for (int j = 0; j < i && !s.apart; j++) {
            cross(d[i], d[j], n);
            try_axis(&s, n);
            for (int k = 0; k < count && !s.apart; k++) {
                cross(n, d[k], m);
                try_axis(&s, m);
            }
        }
    }
    return s.apart;
}

static ref_meeting integer_meeting(const int64_t *a, const int64_t *b)
{
    if (integer_apart(a, b))
        return REF_APART;
    return integer_cross(a, b) ? REF_CROSS : REF_TOUCH;
}

/* In any order of corners and triangles, and mirrored. */
static void check_pair(const int64_t *p, ref_meeting expected, double scale)
{
    double x[18], y[18];
    widen(p, 18, scale, x);
    for (int turn = 0; turn < 6; turn++) {
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                const int from = turn < 3 ? (i + turn) % 3 : (5 - i + turn) % 3;
                y[3 * i + k] = x[3 * from + k];
                y[9 + 3 * i + k] = -x[9 + 3 * ((i + turn) % 3) + k];
                y[3 * i + k] *= -1;
            }
        TEST_ASSERT_EQUAL_INT(expected, ref_cross_triangles(y, y + 9));
        TEST_ASSERT_EQUAL_INT(expected, ref_cross_triangles(y + 9, y));
    }
}

/* Sizes from 1 (nearly all degenerate) to 2^19. */
static void test_triangles_against_integers(void)
{
    const int64_t sizes[] = {1, 2, 3, 5, 1000, (int64_t)1 << 19};
    int seen[3] = {0, 0, 0}, flat = 0;
    for (int i = 0; i < 6000; i++) {
        int64_t p[18];
        const int64_t size = sizes[i % 6];
        for (int k = 0; k < 18; k++)
            p[k] = whole(size);
        if (i % 7 == 0)
            for (int k = 0; k < 18; k += 3)
                p[k] = 2;
        flat += i % 7 == 0;
        const ref_meeting expected = integer_meeting(p, p + 9);
        seen[expected]++;
        check_pair(p, expected, 0x1p-10);
    }
    printf("of 6000 pairs %d apart, %d touch, %d cross; %d flat\n", seen[0], seen[1], seen[2],
           flat);
    TEST_ASSERT_GREATER_THAN(500, seen[REF_APART]);
    TEST_ASSERT_GREATER_THAN(500, seen[REF_TOUCH]);
    TEST_ASSERT_GREATER_THAN(500, seen[REF_CROSS]);
}

/* A point of one triangle is put on, or one unit beside, a point of the other: corners, edges and
 * faces, at sizes where the double of the unit is far below the rounding of a determinant. */
static void test_touching_triangles_against_integers(void)
{
    int seen[3] = {0, 0, 0};
    for (int i = 0; i < 6000; i++) {
        int64_t p[18], w[3] = {4, 0, 0};
        for (int k = 0; k < 18; k++)
            p[k] = 4 * whole((int64_t)1 << 17);
        if (i % 3)
            w[0] -= w[1] = 1 + whole(1);
        if (i % 3 == 2)
            w[0] -= w[2] = w[0] ? 1 : 0;
        for (int k = 0; k < 3; k++)
            p[9 + k] =
                (w[0] * p[k] + w[1] * p[3 + k] + w[2] * p[6 + k]) / 4 + (i % 2 ? whole(1) : 0);
        const ref_meeting expected = integer_meeting(p, p + 9);
        seen[expected]++;
        check_pair(p, expected, 0x1p-30);
    }
    printf("of 6000 pairs nearly touching %d apart, %d touch, %d cross\n", seen[0], seen[1],
           seen[2]);
    for (int m = 0; m < 3; m++)
        TEST_ASSERT_GREATER_THAN(100, seen[m]);
}

/* ---- conventions ---- */

static ref_meeting pair(const double a[9], const double b[9])
{
    const ref_meeting m = ref_cross_triangles(a, b);
    TEST_ASSERT_EQUAL_INT(m, ref_cross_triangles(b, a));
    return m;
}

static void test_conventions_of_triangles(void)
{
    const double t[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    const struct {
        double b[9];
        ref_meeting expected;
        const char *what;
    } rows[] = {
        {{1, 1, -1, 1, 1, 1, 5, 5, 0}, REF_CROSS, "an edge goes through the face"},
        {{1, 1, 0, 1, 2, 1, 2, 1, 1}, REF_TOUCH, "a corner on the face"},
        {{1, 1, 1e-300, 1, 2, 1, 2, 1, 1}, REF_APART, "a corner just above the face"},
        {{0, 0, 0, -1, 0, 1, 0, -1, 1}, REF_TOUCH, "a corner on a corner"},
        {{2, -1, -1, 2, -1, 1, 2, 1, 0}, REF_CROSS, "a corner through an edge"},
        {{2, -1, -1, 2, -1, 1, 2, 0, 0}, REF_TOUCH, "a corner on an edge from outside"},
        {{0, 0, 0, 4, 0, 0, 0, 0, 4}, REF_TOUCH, "a shared edge"},
        {{1, 1, 0, 2, 1, 0, 1, 1, 4}, REF_TOUCH, "an edge in the face"},
        {{1, 1, 0, 1, 1, 4, 1, 2, -4}, REF_CROSS, "a corner in the face, the others beside it"},
        {{0, 0, 0, 2, 2, -1, 2, 2, 1}, REF_CROSS, "a fan through a corner and the face"},
        {{1, 1, 0, 2, 1, 0, 1, 2, 0}, REF_TOUCH, "coplanar, within"},
        {{4, 0, 0, 8, 0, 0, 4, 4, 0}, REF_TOUCH, "coplanar, a corner in common"},
        {{4, 1, 0, 8, 0, 0, 4, 4, 0}, REF_APART, "coplanar, beside"},
        {{0, 0, 1, 4, 0, 1, 0, 4, 1}, REF_APART, "parallel"},
        {{1, 1, -1, 1, 1, 1, 1, 1, 0}, REF_TOUCH, "a segment through the face"},
        {{1, 1, 0, 1, 1, 0, 1, 1, 0}, REF_TOUCH, "a point on the face"},
        {{3, 3, 0, 3, 3, 0, 3, 3, 0}, REF_APART, "a point beside the face"},
        {{1, 0, 0, 2, 0, 0, 9, 0, 0}, REF_TOUCH, "a segment along an edge"},
        {{5, 0, 0, 6, 0, 0, 9, 0, 0}, REF_APART, "a segment on an edge's line"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(rows[i].expected, pair(t, rows[i].b), rows[i].what);
    const double dot_[9] = {1, 2, 3, 1, 2, 3, 1, 2, 3};
    TEST_ASSERT_EQUAL_INT(REF_TOUCH, pair(dot_, dot_));
}

static void test_conventions_of_edges(void)
{
    const double t[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    const struct {
        double p[3], q[3];
        ref_meeting expected;
    } rows[] = {
        {{1, 1, -1}, {1, 1, 1}, REF_CROSS},   {{1, 1, 0}, {1, 1, 1}, REF_TOUCH},
        {{1, 0, -1}, {1, 0, 1}, REF_TOUCH},   {{0, 0, -1}, {0, 0, 1}, REF_TOUCH},
        {{-1, 0, -1}, {-1, 0, 1}, REF_APART}, {{-1, 1, 0}, {5, 1, 0}, REF_TOUCH},
        {{1, 1, 0}, {1.5, 1, 0}, REF_TOUCH},  {{1, 1, 0}, {1, 1, 0}, REF_TOUCH},
        {{1, 1, 1}, {1, 1, 2}, REF_APART},    {{1, 1, 1}, {1, 1, 1}, REF_APART},
        {{2, 2, -1}, {2, 2, 1}, REF_TOUCH},   {{2, 2.0000001, -1}, {2, 2, 1}, REF_APART},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(rows[i].expected, ref_cross_edge(rows[i].p, rows[i].q, t),
                                      "edge row");
        TEST_ASSERT_EQUAL_INT(rows[i].expected, ref_cross_edge(rows[i].q, rows[i].p, t));
    }
}

/* ---- surfaces ---- */

static void all_pairs(const ref_surface *a, const ref_surface *b, bool self, ref_crossings *out)
{
    *out = (ref_crossings){0};
    for (uint32_t i = 0; i < a->triangles; i++)
        for (uint32_t j = self ? i + 1 : 0; j < b->triangles; j++) {
            double x[9], y[9];
            int shared = 0;
            for (int k = 0; k < 9; k++) {
                x[k] = a->x[3 * a->triangle[3 * i + (uint32_t)k / 3] + (uint32_t)k % 3];
                y[k] = b->x[3 * b->triangle[3 * j + (uint32_t)k / 3] + (uint32_t)k % 3];
                shared +=
                    a->triangle[3 * i + (uint32_t)k / 3] == b->triangle[3 * j + (uint32_t)k % 3];
            }
            const ref_meeting m = self && shared > 1 ? REF_APART : ref_cross_triangles(x, y);
            out->crossing += m == REF_CROSS;
            out->touching += m == REF_TOUCH && !(self && shared);
        }
}

#define SOUP 300

static void test_grid_against_all_pairs(void)
{
    for (int round = fixture_count(12, 4) - 1; round >= 0; round--) {
        double x[2][3 * SOUP];
        uint32_t triangle[2][3 * SOUP];
        ref_surface s[2];
        for (int b = 0; b < 2; b++) {
            for (int v = 0; v < 3 * SOUP; v++) {
                /* Rounded to a coarse lattice in some rounds, so that many touch. */
                x[b][v] = ref_random(&seed, -1, 1) * (round % 3 == 2 && v % 97 == 0 ? 50 : 1);
                x[b][v] = round % 2 ? floor(4 * x[b][v]) / 4 : x[b][v];
                if (round % 4 == 3 && v % 3 == 1)
                    x[b][v] = 0;
                triangle[b][v] = (uint32_t)(ref_random_bits(&seed) % SOUP);
            }
            s[b] = (ref_surface){x[b], triangle[b], SOUP};
        }
        ref_crossings grid, all;
        TEST_ASSERT_TRUE(ref_cross_surfaces(&s[0], &s[1], &grid));
        all_pairs(&s[0], &s[1], false, &all);
        TEST_ASSERT_EQUAL_UINT64(all.crossing, grid.crossing);
        TEST_ASSERT_EQUAL_UINT64(all.touching, grid.touching);
        TEST_ASSERT_TRUE(ref_cross_self(&s[0], &grid));
        all_pairs(&s[0], &s[0], true, &all);
        TEST_ASSERT_EQUAL_UINT64(all.crossing, grid.crossing);
        TEST_ASSERT_EQUAL_UINT64(all.touching, grid.touching);
        TEST_ASSERT_GREATER_THAN(0, all.crossing + all.touching);
    }
}

static ref_surface surface_of(const ref_sheet_mesh *m, uint32_t *room)
{
    for (int i = 0; i < 3 * m->triangles; i++)
        room[i] = (uint32_t)m->triangle[i];
    return (ref_surface){m->x, room, (uint32_t)m->triangles};
}

/* Spheres: none crosses itself; two cross when they should; quick for 2 x 20480 triangles. */
static void test_spheres(void)
{
    ref_sheet_mesh m[2];
    ref_surface s[2];
    ref_crossings c;
    uint32_t *room[2];
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_TRUE(ref_sheet_mesh_sphere(&m[i], 5, 1));
        room[i] = malloc(3 * (size_t)m[i].triangles * sizeof **room);
        TEST_ASSERT_NOT_NULL(room[i]);
        s[i] = surface_of(&m[i], room[i]);
    }
    TEST_ASSERT_TRUE(ref_cross_self(&s[0], &c));
    TEST_ASSERT_EQUAL_UINT64(0, c.crossing + c.touching);
    for (int v = 0; v < m[1].vertices; v++)
        m[1].x[3 * v] += 2.001;
    TEST_ASSERT_TRUE(ref_cross_surfaces(&s[0], &s[1], &c));
    TEST_ASSERT_EQUAL_UINT64(0, c.crossing + c.touching);
    for (int v = 0; v < m[1].vertices; v++)
        m[1].x[3 * v] -= 1.001;
    const clock_t begin = clock();
    TEST_ASSERT_TRUE(ref_cross_surfaces(&s[0], &s[1], &c));
    printf("two spheres of %u triangles: %llu pairs cross, %llu tested, %.1f ms\n", s[0].triangles,
           (unsigned long long)c.crossing, (unsigned long long)c.tested,
           1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC);
    TEST_ASSERT_GREATER_THAN(100, c.crossing);
    m[1].x[7] = (double)NAN;
    TEST_ASSERT_FALSE(ref_cross_surfaces(&s[0], &s[1], &c));
    for (int i = 0; i < 2; i++) {
        ref_sheet_mesh_free(&m[i]);
        free(room[i]);
    }
}

int main(void)
{
    start_seed();
    UNITY_BEGIN();
    RUN_TEST(test_signs_where_doubles_fail);
    RUN_TEST(test_signs_of_far_points);
    RUN_TEST(test_turns_where_doubles_fail);
    RUN_TEST(test_triangles_against_integers);
    RUN_TEST(test_touching_triangles_against_integers);
    RUN_TEST(test_conventions_of_triangles);
    RUN_TEST(test_conventions_of_edges);
    RUN_TEST(test_grid_against_all_pairs);
    RUN_TEST(test_spheres);
    return UNITY_END();
}
