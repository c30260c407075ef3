/* test_folds.c - bends of the dihedral model: energy and gradient, folded and degenerate hinges,
 * and that they come back to their rest angle. */
#include "bend_fixture.h"
#include "unity.h"

#include <math.h>
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
    RUN_TEST(folds_stay_finite);
    RUN_TEST(folds_come_back);
    return UNITY_END();
}
