/* test_folds.c - bends of the dihedral model: energy and gradient, folded and degenerate hinges,
 * and that they come back to their rest angle.
 *
 * covers: ispc/cloth/
 */
#include "bend_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static double angle_of(const double *x, const uint32_t *v)
{
    double e[3], c[3], d[3], m[3], n[3];
    bend_side(x, v[0], v[1], e);
    bend_side(x, v[0], v[2], c);
    bend_side(x, v[0], v[3], d);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        m[i] = e[j] * c[k] - e[k] * c[j];
        n[i] = d[j] * e[k] - d[k] * e[j];
    }
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    return atan2(length * (m[0] * d[0] + m[1] * d[1] + m[2] * d[2]),
                 m[0] * n[0] + m[1] * n[1] + m[2] * n[2]);
}

static double fold_energy(const struct sheet *s, const double *x, double q)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->bends.count; i++) {
        const uint32_t *v = s->bends.bends + 4 * (size_t)i;
        double k[4], e[3];
        const double scale = bend_stencil(s->x, v, k);
        bend_side(s->x, v[0], v[1], e);
        const double by = remainder(angle_of(x, v) - angle_of(s->x, v), 2 * PI);
        sum += 0.5 * q * scale * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) * by * by;
    }
    return sum;
}

/* One hinge, curved at rest, in any state: forces of the measure, and for each vertex what a step
 * of descent with nothing but the hinge and inertia looks for. */
static void folds_are_potentials(void)
{
    for (int round = 0; round < fixture_count(2000, 50); round++) {
        struct sheet s;
        piola_material m = bend_plate(bend_uniform(0.1, 10));
        bend_hinge(&s, &m);
        bend_shake(&s, 0.2, 0.2, 0.5);
        m.bend_model = PIOLA_BEND_DIHEDRAL;
        const piola_asset *asset = bend_compile(&s, &m);
        TEST_ASSERT_EQUAL_UINT32(UINT32_MAX, asset->sheet_material);
        double x[12], size = 0;
        for (unsigned i = 0; i < 12; i++)
            x[i] = (double)(float)(s.x[i] + bend_uniform(-0.5, 0.5));
        const double q = (double)m.young / 3,
                     by = fabs(angle_of(x, s.bends.bends) - angle_of(s.x, s.bends.bends));
        if (bend_area(x, s.t) < 0.1 || bend_area(x, s.t + 3) < 0.1 || fabs(by - PI) < 0.1 ||
            fabs(fabs(angle_of(x, s.bends.bends)) - PI) < 0.02)
            continue; /* where it is smooth */
        struct pk_quad *force = fixture_memory(asset->stats.particles * sizeof *force);
        const double want = fold_energy(&s, x, q);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4 * want + 1e-5 * q, want,
                                  bend_measure(asset, bend_particles(asset, x), force));
        for (unsigned i = 0; i < 4; i++)
            size = fmax(size, fabs((double)force[i].x) + fabs((double)force[i].y) +
                                  fabs((double)force[i].z));
        for (unsigned i = 0; i < 12; i++) {
            const struct pk_quad *f = &force[asset_particle_of_vertex(asset)[i / 3]];
            const float got[3] = {f->x, f->y, f->z};
            const double h = 1e-5, at = x[i];
            x[i] = at + h;
            const double more = fold_energy(&s, x, q);
            x[i] = at - h;
            const double less = fold_energy(&s, x, q);
            x[i] = at;
            TEST_ASSERT_DOUBLE_WITHIN(1e-3 * size + 1e-4 * q, (more - less) / (2 * h),
                                      (double)got[i % 3]);
        }
        fixture_clean();
    }
}

/* ---- the block of descent ---- */

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)
#define PROBE         CONCAT(pk_probe_fold_, PIOLA_PROBE_ISA)
extern void PROBE(const float *from, float *to);

/* The gradient of the angle at a corner of the stencil 0 1 2 3, by differences of the angle. */
static void slope_of(double x[12], unsigned corner, double h, double g[3])
{
    static const uint32_t v[4] = {0, 1, 2, 3};
    for (unsigned i = 0; i < 3; i++) {
        double *at = &x[3 * corner + i];
        const double was = *at;
        double sum = 0;
        /* eighth order, so that steps can be long enough for second differences */
        static const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
        for (int k = 1; k <= 4; k++) {
            *at = was + k * h;
            const double more = angle_of(x, v);
            *at = was - k * h;
            sum += weight[k - 1] * remainder(more - angle_of(x, v), 2 * PI);
        }
        *at = was;
        g[i] = sum / h;
    }
}

/* The second derivative of (angle - rest)^2 / 2 where the hinge is, `from_rest` off its rest angle.
 */
static void block_of(double x[12], unsigned corner, double from_rest, double h, double out[6])
{
    static const uint32_t v[4] = {0, 1, 2, 3};
    const double rest = angle_of(x, v) - from_rest;
    double g[3][3];
    for (unsigned i = 0; i < 3; i++) {
        double *at = &x[3 * corner + i], slope[3];
        const double was = *at;
        static const double weight[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
        memset(g[i], 0, sizeof g[i]);
        for (int k = 0; k < 4; k++) {
            *at = was + (k < 2 ? k - 2 : k - 1) * h;
            slope_of(x, corner, h, slope);
            const double by = remainder(angle_of(x, v) - rest, 2 * PI);
            for (unsigned j = 0; j < 3; j++)
                g[i][j] += weight[k] * by * slope[j] / h;
        }
        *at = was;
    }
    const double packed[6] = {g[0][0],
                              g[1][1],
                              g[2][2],
                              (g[1][2] + g[2][1]) / 2,
                              (g[0][2] + g[2][0]) / 2,
                              (g[0][1] + g[1][0]) / 2};
    memcpy(out, packed, sizeof packed);
}

/* A hinge of any shape: every third is folded nearly onto itself, every third has a wing whose
 * height is a fiftieth of its edge and more. */
static void any_hinge(double x[12], int kind)
{
    const double low = kind == 1 ? 0.02 : 0.3;
    const double turn = kind == 2 ? PI - bend_uniform(0.01, 0.1) : bend_uniform(-3, 3);
    const double height[2] = {bend_uniform(low, kind == 1 ? 0.1 : 1), bend_uniform(0.3, 1)};
    const double along[2] = {bend_uniform(-0.5, 1.5), bend_uniform(-0.5, 1.5)};
    double m[3][3], at[3];
    for (unsigned i = 0; i < 3; i++) {
        at[i] = bend_uniform(-1, 1);
        for (unsigned j = 0; j < 3; j++)
            m[i][j] = i == j ? 1 : 0;
    }
    for (unsigned i = 0; i < 3; i++) { /* turned about the three axes in turn */
        const double by = bend_uniform(-3, 3), c = cos(by), s = sin(by);
        for (unsigned j = 0; j < 3; j++) {
            const double p = m[(i + 1) % 3][j], q = m[(i + 2) % 3][j];
            m[(i + 1) % 3][j] = c * p - s * q;
            m[(i + 2) % 3][j] = s * p + c * q;
        }
    }
    const double flat[4][3] = {{0, 0, 0},
                               {1, 0, 0},
                               {along[0], height[0], 0},
                               {along[1], -height[1] * cos(turn), height[1] * sin(turn)}};
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < 3; i++)
            x[3 * c + i] = (double)(float)(at[i] + m[i][0] * flat[c][0] + m[i][1] * flat[c][1] +
                                           m[i][2] * flat[c][2]);
}

/* Descent's gradient of the angle is one, at an end of the edge and at an opposite vertex, and its
 * block, the gradient times itself and the angle from rest times the angle's second derivative, is
 * the energy's second derivative: for any angle from rest. */
static void blocks_are_second_derivatives(void)
{
    double worst[3] = {0};
    for (int round = 0; round < fixture_count(84, 20); round++) {
        float from[13 * PK_LANES], to[10 * PK_LANES];
        double x[PK_LANES][12];
        for (int lane = 0; lane < PK_LANES; lane++) {
            any_hinge(x[lane], lane % 3);
            for (int i = 0; i < 12; i++)
                from[PK_LANES * i + lane] = (float)x[lane][i];
            from[PK_LANES * 12 + lane] = (round + lane) % 2 ? 1.0f : 0.0f;
        }
        PROBE(from, to);
        for (int lane = 0; lane < PK_LANES; lane++) {
            const unsigned corner = (round + lane) % 2 ? 0 : 2;
            const double by = bend_uniform(-2.5, 2.5);
            double slope[3], block[6], got[9], size = 0, curved = 0;
            slope_of(x[lane], corner, 1e-4, slope);
            block_of(x[lane], corner, by, 2e-4, block);
            for (int i = 0; i < 9; i++) {
                got[i] = (double)to[PK_LANES * (1 + i) + lane];
                size += i < 3 ? got[i] * got[i] : 0;
                curved += i < 3 ? 0 : fabs(by * got[i]);
            }
            for (int i = 0; i < 3; i++)
                TEST_ASSERT_DOUBLE_WITHIN(1e-4 * sqrt(size), slope[i], got[i]);
            for (int i = 0; i < 6; i++) {
                const int row = i < 3 ? i : i == 3 ? 1 : 0, column = i < 3 ? i : i == 5 ? 1 : 2;
                const double exact = got[row] * got[column] + by * got[3 + i];
                const double off = fabs(block[i] - exact) / (size + curved);
                worst[lane % 3] = fmax(worst[lane % 3], off);
                TEST_ASSERT_TRUE(off < 1e-4);
            }
        }
    }
    printf("blocks of folds: within %.1e, of thin wings %.1e, folded %.1e\n", worst[0], worst[1],
           worst[2]);
}

/* Flat, in a line, in a point, folded onto itself: all finite, in every solver. */
static void folds_stay_finite(void)
{
    struct sheet s;
    piola_material m = bend_plate(1);
    m.density = 0.01f;
    m.bend_model = PIOLA_BEND_DIHEDRAL;
    const piola_asset *asset = bend_hinge(&s, &m);
    for (int shape = 0; shape < 6; shape++) {
        double x[12];
        for (unsigned i = 0; i < 12; i++)
            x[i] = shape == 0 ? 0 : shape == 1 ? (i % 3 == 0 ? i : 0) : s.x[i];
        if (shape == 2)
            memcpy(x + 9, x + 6, 3 * sizeof *x); /* one wing on the other */
        if (shape == 3)
            memcpy(x + 3, x, 3 * sizeof *x); /* no edge */
        if (shape == 4)
            memcpy(x + 6, x, 3 * sizeof *x); /* one wing is a line */
        for (int solver = 0; solver < 4; solver++) {
            struct pk_quad *q = bend_particles(asset, x), *force = bend_particles(asset, x);
            float *multipliers = fixture_memory(PK_LANES * sizeof *multipliers);
            if (solver < 3)
                bend_project(asset,
                             (const piola_solver[3]){PIOLA_SOLVER_ENERGY, PIOLA_SOLVER_COMPLIANT,
                                                     PIOLA_SOLVER_EXPLICIT}[solver],
                             q, multipliers);
            else
                q = bend_descend(asset, x, false, 3);
            TEST_ASSERT_TRUE(isfinite(bend_measure(asset, q, force)));
            for (unsigned i = 0; i < 4; i++)
                TEST_ASSERT_TRUE(isfinite(q[i].x + q[i].y + q[i].z) &&
                                 isfinite(force[i].x + force[i].y + force[i].z));
        }
    }
}

/* A hinge bent out of its curved rest shape comes back to it, by descent and by ENERGY. */
static void folds_come_back(void)
{
    struct sheet s;
    piola_material m = bend_plate(1);
    m.bend_model = PIOLA_BEND_DIHEDRAL;
    bend_hinge(&s, &m);
    s.x[11] = bend_uniform(-1, 1);
    m.density = 1e-6f;
    const piola_asset *asset = bend_compile(&s, &m);
    double x[12];
    memcpy(x, s.x, sizeof x);
    x[8] += 0.5;
    x[11] += 0.5;
    const double before = bend_measure(asset, bend_particles(asset, x), NULL);
    TEST_ASSERT_TRUE(before > 0.01);
    TEST_ASSERT_TRUE(bend_measure(asset, bend_descend(asset, x, false, 300), NULL) < 1e-3 * before);
    struct pk_quad *q = bend_particles(asset, x);
    for (unsigned i = 0; i < 40; i++)
        bend_project(asset, PIOLA_SOLVER_ENERGY, q, NULL);
    TEST_ASSERT_TRUE(bend_measure(asset, q, NULL) < 1e-3 * before);
}

int main(void)
{
    bend_seed = fixture_seed();
    UNITY_BEGIN();
    RUN_TEST(folds_are_potentials);
    RUN_TEST(blocks_are_second_derivatives);
    RUN_TEST(folds_stay_finite);
    RUN_TEST(folds_come_back);
    return UNITY_END();
}
