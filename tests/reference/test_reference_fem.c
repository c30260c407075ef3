/* Tests of the reference's finite elements (tests/reference): meshes, assembly, the minimiser,
 * statics, and the local solvers. The materials under them are tested in test_reference.c.
 *
 * covers: tests/reference/ref_fem.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reference/ref_random.h"
#include "reference/ref_vbd.h"
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

static ref_material random_general(void)
{
    ref_material m;
    double a[36], c[36];
    do {
        for (int i = 0; i < 36; i++)
            a[i] = ref_random(&seed, -0.7, 0.7);
        for (int i = 0; i < 36; i++) {
            c[i] = i % 7 == 0 ? 0.1 : 0;
            for (int k = 0; k < 6; k++)
                c[i] += a[6 * (i / 6) + k] * a[6 * (i % 6) + k];
        }
    } while (!ref_stvk_general(&m, c, ref_random_rotation(&seed)));
    return m;
}

static const ref_orthotropic WOOD = {10, 1, 0.5, 0.37, 0.42, 0.35, 0.7, 0.6, 0.2};

static double *copy_rest(const ref_mesh *m)
{
    double *x = malloc((size_t)m->vertices * 3 * sizeof *x);
    TEST_ASSERT_NOT_NULL(x);
    memcpy(x, m->x, (size_t)m->vertices * 3 * sizeof *x);
    return x;
}

static void small_body(ref_mesh *mesh, ref_fem *fem, const ref_material *material)
{
    TEST_ASSERT_TRUE(ref_mesh_beam(mesh, (int[]){4, 2, 2}, (double[]){0.4, 0.2, 0.2}, 6));
    ref_mesh_distort(mesh, 0.02, seed);
    TEST_ASSERT_TRUE(ref_fem_create(fem, mesh, material, 1, NULL, 1000));
}

static void test_meshes_fill_their_box(void)
{
    for (int per_cell = 5; per_cell <= 6; per_cell++) {
        ref_mesh m;
        TEST_ASSERT_TRUE(ref_mesh_beam(&m, (int[]){3, 2, 4}, (double[]){1, 2, 3}, per_cell));
        ref_mesh_distort(&m, 0.1, seed);
        double sum = 0;
        for (int t = 0; t < m.tets; t++) {
            TEST_ASSERT_TRUE(ref_mesh_volume(&m, m.x, t) > 0);
            sum += ref_mesh_volume(&m, m.x, t);
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 6, sum);
        ref_mesh_free(&m);
    }
    ref_mesh figure;
    TEST_ASSERT_TRUE(ref_mesh_figure(&figure));
    TEST_ASSERT_EQUAL_INT(1233, figure.vertices);
    TEST_ASSERT_EQUAL_INT(3615, figure.tets);
    for (int t = 0; t < figure.tets; t++)
        TEST_ASSERT_TRUE(ref_mesh_volume(&figure, figure.x, t) > 0);
    ref_mesh_free(&figure);
}

static void test_assembled_derivatives(void)
{
    ref_mesh mesh;
    ref_fem fem;
    ref_material m = ref_stvk(1e3, 0.3);
    small_body(&mesh, &fem, &m);
    int n = 3 * mesh.vertices;
    double *x = copy_rest(&mesh), *g = malloc((size_t)n * 5 * sizeof *g);
    TEST_ASSERT_NOT_NULL(g);
    double *d = g + n, *hd = g + 2 * n, *up = g + 3 * n, *down = g + 4 * n, h = 1e-6;
    for (int k = 0; k < n; k++) {
        x[k] += ref_random(&seed, -0.01, 0.01);
        d[k] = ref_random(&seed, -1, 1);
    }
    ref_fem_energy_gradient(&fem, x, g);
    ref_fem_tangent(&fem, x, false);
    ref_blocks_multiply(&fem.tangent, d, hd);
    double slope = 0;
    for (int k = 0; k < n; k++) {
        slope += g[k] * d[k];
        x[k] += h * d[k];
    }
    double high = ref_fem_energy_gradient(&fem, x, up);
    for (int k = 0; k < n; k++)
        x[k] -= 2 * h * d[k];
    double low = ref_fem_energy_gradient(&fem, x, down);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5 * (1 + fabs(slope)), slope, (high - low) / (2 * h));
    for (int k = 0; k < n; k++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-3, hd[k], (up[k] - down[k]) / (2 * h));
    free(g);
    free(x);
    ref_fem_free(&fem);
    ref_mesh_free(&mesh);
}

static bool on_boundary(const ref_mesh *m, int v)
{
    static const double SIZE[3] = {0.4, 0.2, 0.2};
    for (int d = 0; d < 3; d++)
        if (m->x[3 * v + d] < 1e-9 || m->x[3 * v + d] > SIZE[d] - 1e-9)
            return true;
    return false;
}

static void test_patch(void)
{
    ref_material m[4] = {ref_stvk(1e5, 0.3), ref_neo_hookean(1e5, 0.4, REF_NEO_HOOKEAN_S_MIN),
                         ref_stable_neo_hookean(1e5, 0.45, 0), ref_stvk(1, 0)};
    TEST_ASSERT_TRUE(ref_stvk_orthotropic(&m[3], &WOOD, ref_random_rotation(&seed)));
    for (int k = 0; k < 4; k++) {
        ref_mesh mesh;
        ref_fem fem;
        small_body(&mesh, &fem, &m[k]);
        ref_mat3 a = ref_mul(ref_random_rotation(&seed), ref_diag(1.2, 0.9, 1.1));
        double b[3] = {1, 2, 3}, *x = copy_rest(&mesh), *exact = copy_rest(&mesh);
        ref_mesh_affine(&mesh, a, b, exact);
        for (int v = 0; v < mesh.vertices; v++) {
            fem.pinned[v] = on_boundary(&mesh, v);
            for (int d = 0; d < 3; d++)
                x[3 * v + d] =
                    exact[3 * v + d] + (fem.pinned[v] ? 0 : ref_random(&seed, -0.01, 0.01));
        }
        ref_problem p = {0, NULL, {0, 0, 0}, NULL};
        ref_options o = {1e-11 * m[k].mu, 50};
        TEST_ASSERT_TRUE(ref_fem_minimise(&fem, &p, &o, x).converged);
        for (int c = 0; c < 3 * mesh.vertices; c++)
            TEST_ASSERT_DOUBLE_WITHIN(1e-8, exact[c], x[c]);
        free(x);
        free(exact);
        ref_fem_free(&fem);
        ref_mesh_free(&mesh);
    }
}

static void test_rigid_motion_gives_no_force(void)
{
    ref_material m[5] = {ref_stvk(1, 0.3), ref_neo_hookean(1, 0.3, REF_NEO_HOOKEAN_S_MIN),
                         ref_stable_neo_hookean(1, 0.3, 0.4), random_general(), ref_stvk(1, 0)};
    TEST_ASSERT_TRUE(ref_stvk_orthotropic(&m[4], &WOOD, ref_random_rotation(&seed)));
    for (int k = 0; k < 5; k++) {
        ref_mesh mesh;
        ref_fem fem;
        small_body(&mesh, &fem, &m[k]);
        double *x = copy_rest(&mesh), *g = copy_rest(&mesh);
        ref_mesh_affine(&mesh, ref_random_rotation(&seed), (double[]){5, -3, 2}, x);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, ref_fem_energy_gradient(&fem, x, g));
        for (int c = 0; c < 3 * mesh.vertices; c++)
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, g[c]);
        free(x);
        free(g);
        ref_fem_free(&fem);
        ref_mesh_free(&mesh);
    }
}

/* Centre of the free end, m. */
static double cantilever_tip(int k, ref_result *r)
{
    ref_mesh mesh;
    ref_fem fem;
    ref_material m = ref_stvk(1e6, 0.3);
    TEST_ASSERT_TRUE(ref_mesh_beam(&mesh, (int[]){5 * k, k, k}, (double[]){1, 0.2, 0.2}, 5));
    TEST_ASSERT_TRUE(ref_fem_create(&fem, &mesh, &m, 1, NULL, 1000));
    ref_fem_pin_range(&fem, &mesh, 0, -1, 1e-9);
    double *x = copy_rest(&mesh);
    ref_problem p = {0, NULL, {0, -9.81, 0}, NULL};
    ref_options o = {1e-7, 60};
    *r = ref_fem_static(&fem, &p, &o, 1, x);
    int centre = 3 * ((5 * k * (k + 1) + k / 2) * (k + 1) + k / 2) + 1;
    double tip = x[centre] - mesh.x[centre];
    free(x);
    ref_fem_free(&fem);
    ref_mesh_free(&mesh);
    return tip;
}

static void test_cantilever_sequence(void)
{
    double tip[3];
    for (int n = 0; n < 3; n++) {
        ref_result r;
        tip[n] = cantilever_tip(2 << n, &r);
        printf("cantilever k=%d: tip %.6f m, residual %.1e N, %d Newton steps\n", 2 << n, tip[n],
               r.residual, r.iterations);
        TEST_ASSERT_TRUE(r.converged);
    }
    double order = log2((tip[1] - tip[0]) / (tip[2] - tip[1]));
    double limit = tip[2] + (tip[2] - tip[1]) / (pow(2, order) - 1);
    printf("observed order %.2f, extrapolated %.4f m\n", order, limit);
    TEST_ASSERT_TRUE(order > 1.2 && order < 2.2);
    TEST_ASSERT_DOUBLE_WITHIN(0.005, -0.345, limit);
}

static void test_appendix_a(void)
{
    ref_mesh mesh;
    ref_fem fem;
    ref_material m = ref_stvk(1e5, 0.3);
    TEST_ASSERT_TRUE(ref_mesh_single(&mesh, 0.1));
    TEST_ASSERT_TRUE(ref_fem_create(&fem, &mesh, &m, 1, NULL, 1000));
    double x[12], v[12], at[12], predicted[12], a[3] = {0, -9.81, 0}, dt = 1e-4;
    for (int c = 0; c < 12; c++) {
        at[c] = x[c] = mesh.x[c] + ref_random(&seed, -0.02, 0.02);
        v[c] = ref_random(&seed, -1, 1);
        predicted[c] = x[c] + dt * (v[c] + dt * a[c % 3]);
    }
    ref_explicit_projection(&fem, dt, at, predicted);
    ref_fem_explicit_step(&fem, a, dt, x, v);
    for (int c = 0; c < 12; c++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-15, x[c], predicted[c]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-11, v[c], (predicted[c] - at[c]) / dt);
    }
    ref_fem_free(&fem);
    ref_mesh_free(&mesh);
}

static void random_positions(const ref_mesh *mesh, double amount, double *x)
{
    for (int c = 0; c < 3 * mesh->vertices; c++)
        x[c] = mesh->x[c] + ref_random(&seed, -amount, amount);
}

/* From a crumpled start, descent and Newton meet at one objective, and neither ever climbs. */
static void test_descent_falls_to_the_minimum(void)
{
    ref_material m[4] = {ref_stvk(1e5, 0.3), ref_neo_hookean(1e5, 0.3, REF_NEO_HOOKEAN_S_MIN),
                         ref_stable_neo_hookean(1e5, 0.4, 3e4), random_general()};
    for (int k = 0; k < 4; k++) {
        ref_mesh mesh;
        ref_fem fem;
        ref_incidence around;
        small_body(&mesh, &fem, &m[k]);
        TEST_ASSERT_TRUE(ref_incidence_create(&around, &fem));
        double *x = copy_rest(&mesh), *y = copy_rest(&mesh), *best = copy_rest(&mesh);
        random_positions(&mesh, 0.02, y);
        random_positions(&mesh, 0.05, x);
        ref_problem p = {0.005, y, {0, 0, 0}, NULL};
        double start = ref_fem_objective(&fem, &p, x), before = start;
        for (int n = 0; n < 60; n++) {
            ref_descent_iteration(&fem, &around, &p, NULL, 8, x);
            double now = ref_fem_objective(&fem, &p, x);
            TEST_ASSERT_TRUE(now <= before * (1 + 1e-12));
            before = now;
        }
        memcpy(best, x, (size_t)mesh.vertices * 3 * sizeof *x);
        ref_options o = {1e-8, 100};
        ref_result r = ref_fem_minimise(&fem, &p, &o, best);
        TEST_ASSERT_TRUE(r.converged);
        TEST_ASSERT_TRUE(r.objective <= before * (1 + 1e-12));
        TEST_ASSERT_TRUE(before - r.objective < 1e-4 * start);
        free(x);
        free(y);
        free(best);
        ref_incidence_free(&around);
        ref_fem_free(&fem);
        ref_mesh_free(&mesh);
    }
}

int main(void)
{
    UNITY_BEGIN();
    start_seed();
    RUN_TEST(test_meshes_fill_their_box);
    RUN_TEST(test_assembled_derivatives);
    RUN_TEST(test_patch);
    RUN_TEST(test_rigid_motion_gives_no_force);
    RUN_TEST(test_cantilever_sequence);
    RUN_TEST(test_appendix_a);
    RUN_TEST(test_descent_falls_to_the_minimum);
    return UNITY_END();
}
