/* Tests of the reference's cloth (tests/reference/ref_sheet*, ref_bend, ref_membrane, ref_closed):
 * derivatives by differences, closed forms, and what the bending energies do and do not converge
 * to. The engine is not in here.
 *
 * covers: tests/reference/ref_sheet.c
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fixture.h"
#include "ref_closed.h"
#include "ref_random.h"
#include "ref_sheet.h"
#include "unity.h"

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

static ref_membrane any_membrane(int which)
{
    return which == 0   ? ref_membrane_stvk(10, 0.3)
           : which == 1 ? ref_membrane_neo_hookean(10, 0.3)
                        : ref_membrane_orthotropic(3, 12, 0.1, 2);
}

static double *numbers(int n)
{
    double *x = calloc((size_t)n, sizeof *x);
    TEST_ASSERT_NOT_NULL(x);
    return x;
}

static void test_meshes(void)
{
    for (int kind = 0; kind < 3; kind++)
        for (int jitter = 0; jitter < 2; jitter++) {
            ref_sheet_mesh m;
            ref_sheet s;
            const ref_membrane stuff = any_membrane(0);
            TEST_ASSERT_TRUE(ref_sheet_mesh_grid(&m, (int[]){7, 5}, (double[]){2, 1.5},
                                                 (ref_sheet_kind)kind, 0.3 * jitter, seed));
            TEST_ASSERT_TRUE(ref_sheet_create(&s, &m, &stuff, NULL, REF_SHEET_NO_BENDING, 0, 1));
            double area = 0, mass = 0;
            for (int t = 0; t < m.triangles; t++)
                area += s.area[t];
            for (int v = 0; v < m.vertices; v++)
                mass += s.mass[v];
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3, area);
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3, mass);
            /* Euler: V - E + T = 1, and 3 T = 2 interior + boundary edges */
            const int edges = m.vertices + m.triangles - 1;
            TEST_ASSERT_EQUAL_INT(3 * m.triangles - edges, m.bends);
            ref_sheet_free(&s);
            ref_sheet_mesh_free(&m);
        }
    ref_sheet_mesh ball;
    TEST_ASSERT_TRUE(ref_sheet_mesh_sphere(&ball, 2, 0.5));
    TEST_ASSERT_EQUAL_INT(162, ball.vertices);
    TEST_ASSERT_EQUAL_INT(320, ball.triangles);
    TEST_ASSERT_EQUAL_INT(480, ball.bends);
    ref_sheet_mesh_free(&ball);
}

static void assembled(ref_sheet *s, const double *rest)
{
    const int n = 3 * s->vertices;
    double *work = numbers(6 * n), *x = work, *g = x + n, *d = g + n, *hd = d + n, *up = hd + n,
           *down = up + n, slope = 0;
    const double h = 1e-5;
    for (int i = 0; i < n; i++) {
        x[i] = rest[i] + ref_random(&seed, -0.1, 0.1);
        d[i] = ref_random(&seed, -1, 1);
    }
    const double energy = ref_sheet_energy_gradient(s, x, g);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12 * (1 + fabs(energy)), ref_sheet_energy(s, x), energy);
    ref_sheet_tangent(s, x);
    ref_blocks_multiply(&s->tangent, d, hd);
    for (int i = 0; i < n; i++) {
        slope += g[i] * d[i];
        x[i] += h * d[i];
    }
    const double high = ref_sheet_energy_gradient(s, x, up);
    for (int i = 0; i < n; i++)
        x[i] -= 2 * h * d[i];
    const double low = ref_sheet_energy_gradient(s, x, down);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * (1 + fabs(slope)), slope, (high - low) / (2 * h));
    for (int i = 0; i < n; i++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, hd[i], (up[i] - down[i]) / (2 * h));
    free(work);
}

static void test_derivatives(void)
{
    const double along[3] = {1, 0.3, 0.2};
    for (int stuff = 0; stuff < 3; stuff++)
        for (int bending = 0; bending < 3; bending++)
            for (int closed = 0; closed < 2; closed++) {
                ref_sheet_mesh m;
                ref_sheet s;
                const ref_membrane material = any_membrane(stuff);
                TEST_ASSERT_TRUE(closed ? ref_sheet_mesh_sphere(&m, 1, 1)
                                        : ref_sheet_mesh_grid(&m, (int[]){4, 3}, (double[]){4, 3},
                                                              REF_SHEET_SQUARES, 0.3, seed));
                TEST_ASSERT_TRUE(
                    ref_sheet_create(&s, &m, &material, along, (ref_sheet_bending)bending, 0.7, 1));
                s.pressure = closed ? 0.8 : 0;
                assembled(&s, m.x);
                ref_sheet_free(&s);
                ref_sheet_mesh_free(&m);
            }
}

/* A turned and moved sheet has neither energy nor force; the isometric energy of a flat sheet is
 * zero however it is stretched. */
static void test_rest_and_null_spaces(void)
{
    for (int bending = 1; bending < 3; bending++) {
        ref_sheet_mesh m;
        ref_sheet s;
        const ref_membrane material = any_membrane(2);
        const ref_mat3 r = ref_random_rotation(&seed);
        TEST_ASSERT_TRUE(
            ref_sheet_mesh_grid(&m, (int[]){5, 4}, (double[]){1, 1}, REF_SHEET_SQUARES, 0.3, seed));
        TEST_ASSERT_TRUE(
            ref_sheet_create(&s, &m, &material, NULL, (ref_sheet_bending)bending, 1, 1));
        const int n = 3 * m.vertices;
        double *x = numbers(2 * n), *g = x + n;
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < n; i++) {
                const double *p = m.x + i - i % 3;
                x[i] = 3 + r.m[i % 3][0] * (pass ? 1.3 * p[0] + 0.2 * p[1] : p[0]) +
                       r.m[i % 3][1] * (pass ? 0.9 * p[1] : p[1]);
            }
            TEST_ASSERT_DOUBLE_WITHIN(1e-20, 0, ref_sheet_bend_energy(&s, x));
            if (pass == 0)
                TEST_ASSERT_DOUBLE_WITHIN(1e-20, 0, ref_sheet_energy_gradient(&s, x, g));
            for (int i = 0; i < n && pass == 0; i++)
                TEST_ASSERT_DOUBLE_WITHIN(1e-11, 0, g[i]);
        }
        free(x);
        ref_sheet_free(&s);
        ref_sheet_mesh_free(&m);
    }
}

/* Any affine map of the boundary is an equilibrium inside, and is found. */
static void test_patch(void)
{
    for (int stuff = 0; stuff < 3; stuff++) {
        ref_sheet_mesh m;
        ref_sheet s;
        const ref_membrane material = any_membrane(stuff);
        TEST_ASSERT_TRUE(
            ref_sheet_mesh_grid(&m, (int[]){6, 6}, (double[]){1, 1}, REF_SHEET_SQUARES, 0.3, seed));
        TEST_ASSERT_TRUE(
            ref_sheet_create(&s, &m, &material, (double[]){1, 0, 0}, REF_SHEET_ISOMETRIC, 1e-3, 1));
        const ref_problem none = {0, NULL, {0, 0, 0}, NULL};
        const ref_options options = {1e-12, 60};
        const int n = 3 * m.vertices;
        double *x = numbers(2 * n), *exact = x + n;
        for (int v = 0; v < m.vertices; v++) {
            const double a = m.x[3 * v], b = m.x[3 * v + 1];
            const double at[3] = {1.3 * a + 0.1 * b, -0.2 * a + 1.1 * b, 0.3 * a + 0.2 * b};
            s.pinned[v] = a < 1e-9 || b < 1e-9 || a > 1 - 1e-9 || b > 1 - 1e-9;
            for (int k = 0; k < 3; k++) {
                exact[3 * v + k] = at[k];
                x[3 * v + k] = at[k] + (s.pinned[v] ? 0 : ref_random(&seed, -0.04, 0.04));
            }
        }
        const ref_result r = ref_sheet_minimise(&s, &none, &options, x);
        TEST_ASSERT_TRUE(r.converged);
        for (int i = 0; i < n; i++)
            TEST_ASSERT_DOUBLE_WITHIN(1e-10, exact[i], x[i]);
        free(x);
        ref_sheet_free(&s);
        ref_sheet_mesh_free(&m);
    }
}

/* Energy of a mesh laid on a cylinder of radius 1 whose axis is at an angle to y, over the exact
 * one, in the middle of the sheet, where stencils are whole. */
static double on_cylinder(int n, ref_sheet_kind kind, double jitter, double angle, int bending)
{
    const double c = cos(angle), s = sin(angle);
    const int cells[2] = {n, kind == REF_SHEET_STAGGERED ? (int)(n * sqrt(0.75) + 0.5) : n};
    double energy = 0, area = 0;
    ref_sheet_mesh m;
    TEST_ASSERT_TRUE(ref_sheet_mesh_grid(&m, cells, (double[]){1, 1}, kind, jitter, 5));
    for (int b = 0; b < m.bends; b++) {
        double r[12], x[12], g[12];
        for (int k = 0; k < 4; k++) {
            const double *p = m.x + 3 * m.bend[4 * b + k];
            const double across = c * p[0] + s * p[1], along = c * p[1] - s * p[0];
            memcpy(r + 3 * k, p, 3 * sizeof *p);
            memcpy(x + 3 * k, (double[]){sin(across), along, cos(across)}, 3 * sizeof *x);
        }
        if (hypot((r[0] + r[3]) / 2 - 0.5, (r[1] + r[4]) / 2 - 0.5) > 0.4)
            continue;
        const ref_bend rest = ref_bend_rest(r);
        energy += bending == REF_SHEET_ISOMETRIC ? ref_bend_isometric(&rest, x, g)
                                                 : ref_bend_dihedral(&rest, x, g);
        area += rest.area / 3; /* a triangle is shared by its three edges */
    }
    ref_sheet_mesh_free(&m);
    return energy / (area / 2);
}

/* A hinge knows one curvature, so what a mesh of them resists depends on how its edges lie: exact
 * for squares bent along an axis and for equilateral triangles bent any way, but up to three times
 * too stiff for squares with one diagonal. No refinement changes that. */
static void test_energy_of_a_cylinder(void)
{
    for (int bending = 1; bending < 3; bending++) {
        double last = 1;
        for (int n = 16; n <= 64; n *= 2) {
            double worst = 0;
            for (int i = 0; i < 6; i++)
                worst =
                    fmax(worst, fabs(on_cylinder(n, REF_SHEET_STAGGERED, 0, i * 0.3, bending) - 1));
            TEST_ASSERT_TRUE(worst < last);
            last = worst;
        }
        const double squares = on_cylinder(64, REF_SHEET_SQUARES, 0, 0, bending);
        const double across = on_cylinder(64, REF_SHEET_SQUARES, 0, atan(1), bending);
        const double alternate = on_cylinder(64, REF_SHEET_ALTERNATE, 0, atan(1), bending);
        const double irregular = on_cylinder(64, REF_SHEET_STAGGERED, 0.1, 0.3, bending);
        printf("bending energy on a cylinder over the exact one: equilateral %.4f off at worst, "
               "squares %.4f, across their diagonal %.4f, alternate ones %.4f, equilateral shaken "
               "by 0.1 %.4f\n",
               last, squares, across, alternate, irregular);
        TEST_ASSERT_TRUE(last < 0.02);
        TEST_ASSERT_DOUBLE_WITHIN(0.02, 1, squares);
        TEST_ASSERT_DOUBLE_WITHIN(0.02, 3, across);
        TEST_ASSERT_DOUBLE_WITHIN(0.05, 1.5, alternate);
    }
}

static void test_elastica_by_shooting(void)
{
    TEST_ASSERT_DOUBLE_WITHIN(5e-6, 0.12347, ref_elastica_fall(1));
    TEST_ASSERT_DOUBLE_WITHIN(5e-6, 0.64063, ref_elastica_fall(8));
    TEST_ASSERT_DOUBLE_WITHIN(5e-6, 0.87846, ref_elastica_fall(32));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1e-3 / 8, ref_elastica_fall(1e-3)); /* a beam: q L^4 / 8 B */
}

/* Fall of the free end of a square sheet clamped along x = 0, over its free length. Two columns are
 * held; a hinge stands for half a cell on both sides, so bending begins half a cell before the
 * second. The membrane is 1e6 / m^2 times as stiff: the sheet neither stretches nor bends two ways.
 */
static double strip_fall(int n, double jitter, int bending, double load)
{
    const int cells[2] = {n, (int)(n * sqrt(0.75) + 0.5)};
    const ref_membrane material = ref_membrane_stvk(1e6, 0);
    const ref_options options = {1e-8, 400};
    ref_sheet_mesh m;
    ref_sheet s;
    TEST_ASSERT_TRUE(
        ref_sheet_mesh_grid(&m, cells, (double[]){1, 1}, REF_SHEET_STAGGERED, jitter, 1));
    TEST_ASSERT_TRUE(ref_sheet_create(&s, &m, &material, NULL, (ref_sheet_bending)bending, 1, 1));
    double second = 0, fall = 0;
    for (int v = 0; v < 2 * cells[1] + 3; v++) {
        s.pinned[v] = true;
        second += v > cells[1] ? m.x[3 * v] / (cells[1] + 2) : 0;
    }
    const double length = 1 - second / 2;
    for (int part = 1; part <= 4; part++) {
        const ref_problem weight = {0, NULL, {0, 0, -load * part / 4 / pow(length, 3)}, NULL};
        TEST_ASSERT_TRUE(ref_sheet_minimise(&s, &weight, &options, m.x).converged);
    }
    for (int v = m.vertices - cells[1] - 1; v < m.vertices; v++)
        fall -= m.x[3 * v + 2] / (cells[1] + 1) / length;
    ref_sheet_free(&s);
    ref_sheet_mesh_free(&m);
    return fall;
}

static void test_sheets_become_the_elastica(void)
{
    const int finest = fixture_count(24, 12) < 24 ? 12 : 24; /* the error is of second order */
    for (int jitter = 0; jitter < 2; jitter++)
        for (int bending = 1; bending < 3; bending++)
            for (double load = 1; load <= 8; load *= 8) {
                const double exact = ref_elastica_fall(load);
                double off = 0;
                for (int n = finest / 3; n <= finest; n += finest * 2 / 3) {
                    const double fall = strip_fall(n, 0.1 * jitter, bending, load);
                    printf("%s, %s, q L^3 / B = %.0f, %d cells: %.5f (%+.2f %%)\n",
                           jitter ? "irregular" : "regular",
                           bending == REF_SHEET_ISOMETRIC ? "isometric" : "dihedral", load, n, fall,
                           100 * (fall / exact - 1));
                    off = fabs(fall / exact - 1);
                }
                TEST_ASSERT_TRUE(off < 0.02 * 24 * 24 / (finest * finest));
            }
}

/* A sphere under pressure is as large as the closed form says, the better the finer. */
static void test_balloon(void)
{
    for (int stuff = 0; stuff < 2; stuff++) {
        const ref_membrane material = any_membrane(stuff);
        const double radius = 0.5, stretch = 1.25;
        double last = 1;
        for (int level = 1; level <= 3; level++) {
            ref_sheet_mesh m;
            ref_sheet s;
            TEST_ASSERT_TRUE(ref_sheet_mesh_sphere(&m, level, radius));
            TEST_ASSERT_TRUE(ref_sheet_create(&s, &m, &material, NULL, REF_SHEET_NO_BENDING, 0, 1));
            const double rest = ref_sheet_volume(&s, m.x);
            s.pressure = ref_balloon_pressure(&material, radius, stretch);
            const ref_problem none = {0, NULL, {0, 0, 0}, NULL};
            const ref_options options = {1e-10, 60};
            TEST_ASSERT_TRUE(ref_sheet_minimise(&s, &none, &options, m.x).converged);
            const double off = fabs(ref_sheet_volume(&s, m.x) / rest / pow(stretch, 3) - 1);
            printf("balloon, model %d, %d triangles: p V off by %.2e of the thin sphere's\n", stuff,
                   m.triangles, off);
            TEST_ASSERT_TRUE(off < last);
            last = off;
            ref_sheet_free(&s);
            ref_sheet_mesh_free(&m);
        }
        TEST_ASSERT_TRUE(last < 0.01);
    }
}

/* Pulled both ways: small strains are those of the compliance matrix, and a mesh agrees at large
 * ones. */
static void test_biaxial(void)
{
    const ref_membrane m = ref_membrane_orthotropic(250, 1000, 0.05, 150);
    double stretch[2];
    ref_biaxial_stretch(&m, (double[]){1e-4, 1e-4}, stretch);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1e-4 * (1 / 250.0 - 0.05 / 250), stretch[0] - 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1e-4 * (1 / 1000.0 - 0.05 / 250), stretch[1] - 1);
    ref_biaxial_stretch(&m, (double[]){100, 100}, stretch);
    const double f[6] = {stretch[0], 0, 0, 0, stretch[1], 0};
    double p[6];
    ref_membrane_stress(&m, f, p);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 100, p[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 100, p[4]);
}

/* One triangle pulled along axis 1: StVK in closed form, P = k E l with the side free. */
static void test_uniaxial(void)
{
    for (double l = 0.8; l < 1.7; l += 0.2) {
        const ref_membrane m = ref_membrane_stvk(7, 0.3);
        const double e = (l * l - 1) / 2, f[6] = {l, 0, 0, 0, 0, sqrt(1 - 2 * 0.3 * e)};
        double p[6];
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 7 * e * e / 2, ref_membrane_stress(&m, f, p));
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 7 * e * l, p[0]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, p[5]);
    }
}

int main(void)
{
    UNITY_BEGIN();
    start_seed();
    RUN_TEST(test_meshes);
    RUN_TEST(test_derivatives);
    RUN_TEST(test_rest_and_null_spaces);
    RUN_TEST(test_patch);
    RUN_TEST(test_uniaxial);
    RUN_TEST(test_biaxial);
    RUN_TEST(test_energy_of_a_cylinder);
    RUN_TEST(test_elastica_by_shooting);
    RUN_TEST(test_sheets_become_the_elastica);
    RUN_TEST(test_balloon);
    return UNITY_END();
}
