/* Tests of the reference itself (tests/reference): derivatives against differences, closed forms,
 * the decomposition, and the finite elements. Nothing of the engine is touched here. Randomness is
 * seeded from the clock, printed, and overridden by PIOLA_SEED.
 *
 * covers: tests/reference/
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "reference/ref_material.h"
#include "reference/ref_principal.h"
#include "reference/ref_random.h"
#include "reference/ref_svd.h"
#include "reference/ref_uniaxial.h"
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

enum { NORMAL, INVERTED, FLAT, COLLAPSED, KINDS };

/* A random F of a kind. The sign of an inverted one belongs to its smallest stretch; where two are
 * equal the potentials have a cone, so inverted ones keep their stretches apart. */
static ref_mat3 random_f(int kind)
{
    double s[3];
    do {
        for (int i = 0; i < 3; i++)
            s[i] = ref_random(&seed, 0.3, 1.8);
        if (kind == INVERTED)
            s[2] = -s[2];
        if (kind == FLAT)
            s[2] = ref_random(&seed, -1e-3, 1e-3);
        for (int i = 0; i < 3 && kind == COLLAPSED; i++)
            s[i] = ref_random(&seed, 0.01, 0.1);
    } while (kind == INVERTED &&
             (fabs(s[0] - s[1]) < 0.05 || fabs(s[0] + s[2]) < 0.05 || fabs(s[1] + s[2]) < 0.05));
    return ref_compose(ref_random_rotation(&seed), s, ref_random_rotation(&seed));
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

enum { MATERIALS = 14 };

static void all_materials(ref_material m[MATERIALS])
{
    m[0] = ref_stvk(1, 0.3);
    m[1] = ref_stvk(1, -0.9);
    m[2] = ref_stvk(1, 0.45);
    m[3] = ref_stvk_product(1, 0.3);
    TEST_ASSERT_TRUE(ref_stvk_orthotropic(&m[4], &WOOD, ref_random_rotation(&seed)));
    m[5] = random_general();
    m[6] = ref_stvk(1, 0.3);
    ref_material_set_plastic(&m[6], (ref_mat3){{{.1, .05, 0}, {.05, -.2, .02}, {0, .02, .1}}});
    m[7] = ref_neo_hookean(1, 0.3, REF_NEO_HOOKEAN_S_MIN);
    m[8] = ref_neo_hookean(1, 0.45, 0.1);
    m[9] = ref_neo_hookean(1, -0.5, 0.3);
    m[10] = ref_neo_hookean_product(1, 0.3, 0.2);
    m[11] = ref_stable_neo_hookean(1, 0.3, 0);
    m[12] = ref_stable_neo_hookean(1, 0.3, 0.4);
    m[13] = ref_stable_neo_hookean(1, -0.5, 0);
}

/* Some scale of second derivatives at f, for tolerances. */
static double stiffness(const ref_material *m, ref_mat3 f)
{
    ref_mat9 h = ref_hessian(m, f);
    double sum = 0;
    for (int i = 0; i < 81; i++)
        sum += h.m[i / 9][i % 9] * h.m[i / 9][i % 9];
    return sqrt(sum) + 1;
}

/* Error of P is at most 2e-7 of (|H| + 1): h^2 of third derivatives, and h times the jump of a
 * second derivative where a difference straddles the start of a continuation. */
static void test_stress_is_the_derivative_of_energy(void)
{
    ref_material m[MATERIALS];
    double worst = 0, h = 1e-6;
    for (int n = 0; n < 400; n++) {
        all_materials(m);
        for (int k = 0; k < MATERIALS; k++) {
            ref_mat3 f = random_f(n % KINDS), p = ref_stress(&m[k], f);
            double scale = stiffness(&m[k], f);
            for (int c = 0; c < 9; c++) {
                ref_mat3 up = f, down = f;
                up.m[c / 3][c % 3] += h;
                down.m[c / 3][c % 3] -= h;
                double slope = (ref_energy(&m[k], up) - ref_energy(&m[k], down)) / (2 * h);
                double error = fabs(slope - p.m[c / 3][c % 3]) / scale;
                worst = fmax(worst, error);
                if (!(error < 5e-7))
                    printf("material %d kind %d error %g\n", k, n % KINDS, error);
                TEST_ASSERT_TRUE(error < 5e-7);
            }
        }
    }
    printf("stress against differences: worst %.2e of |H| + 1\n", worst);
}

/* True where a second derivative is about to jump, so that a difference of stress means nothing. */
static bool near_a_jump(const ref_material *m, ref_mat3 f)
{
    ref_svd d = ref_svd_compute(f);
    bool near = fabs(ref_norm(f) - 1) < 1e-3;
    for (int i = 0; i < 3; i++)
        near = near || fabs(d.s[i]) < 1e-4 || fabs(d.s[i] - m->s_min) < 1e-4;
    return near;
}

static void test_hessian_is_the_derivative_of_stress(void)
{
    ref_material m[MATERIALS];
    double worst = 0, h = 1e-5;
    for (int n = 0; n < 400; n++) {
        all_materials(m);
        for (int k = 0; k < MATERIALS; k++) {
            ref_mat3 f = random_f(n % KINDS);
            if (near_a_jump(&m[k], f))
                continue;
            ref_mat9 exact = ref_hessian(&m[k], f);
            double scale = stiffness(&m[k], f);
            for (int c = 0; c < 9; c++) {
                ref_mat3 up = f, down = f;
                up.m[c / 3][c % 3] += h;
                down.m[c / 3][c % 3] -= h;
                ref_mat3 d = ref_add(ref_stress(&m[k], up), -1, ref_stress(&m[k], down));
                for (int r = 0; r < 9; r++) {
                    double error = fabs(d.m[r / 3][r % 3] / (2 * h) - exact.m[r][c]) / scale;
                    worst = fmax(worst, error);
                    if (!(error < 1e-4))
                        printf("material %d kind %d error %g\n", k, n % KINDS, error);
                    TEST_ASSERT_TRUE(error < 1e-4);
                }
            }
        }
    }
    printf("Hessian against differences: worst %.2e of |H| + 1\n", worst);
}

static void test_projected_hessian_is_positive_and_exact_where_it_can_be(void)
{
    ref_material m[MATERIALS];
    all_materials(m);
    for (int n = 0; n < 200; n++)
        for (int k = 0; k < MATERIALS; k++) {
            ref_mat3 f = random_f(n % KINDS);
            ref_mat9 h = ref_hessian(&m[k], f), p = ref_hessian_projected(&m[k], f), q = p;
            double values[9], vectors[81], scale = stiffness(&m[k], f);
            ref_project_positive(9, &h.m[0][0], 0);
            for (int i = 0; i < 81; i++)
                TEST_ASSERT_DOUBLE_WITHIN(1e-9 * scale, h.m[i / 9][i % 9], p.m[i / 9][i % 9]);
            ref_eigen_symmetric(9, &q.m[0][0], values, vectors);
            for (int i = 0; i < 9; i++)
                TEST_ASSERT_TRUE(values[i] > -1e-12 * scale);
        }
}

static void test_continuations_leave_the_material_alone_above_their_stretch(void)
{
    ref_material stvk = ref_stvk(2, 0.3), neo = ref_neo_hookean(2, 0.3, 0.25);
    for (int n = 0; n < 1000; n++) {
        double s[3], strain = 0, square = 0, logs = 0, i1 = 0;
        for (int i = 0; i < 3; i++) {
            s[i] = ref_random(&seed, 0.58, 2);
            strain += 0.5 * (s[i] * s[i] - 1);
            square += 0.25 * (s[i] * s[i] - 1) * (s[i] * s[i] - 1);
            logs += log(s[i] * s[i]);
            i1 += s[i] * s[i];
        }
        ref_mat3 f = ref_compose(ref_random_rotation(&seed), s, ref_random_rotation(&seed));
        double expected = stvk.mu * square + 0.5 * stvk.lambda * strain * strain;
        TEST_ASSERT_DOUBLE_WITHIN(1e-12 * (1 + expected), expected, ref_energy(&stvk, f));
        expected = 0.5 * neo.mu * (i1 - logs - 3) + neo.lambda / 8 * logs * logs;
        TEST_ASSERT_DOUBLE_WITHIN(1e-12 * (1 + expected), expected, ref_energy(&neo, f));
    }
}

/* The pull on a negative stretch is towards positive in every inverted state: with that, no
 * inverted state of one element is stable (README). */
static void test_inverted_states_are_pushed_back(void)
{
    for (int n = 0; n < 20000; n++) {
        double nu = ref_random(&seed, -0.9, 0.499), s[3];
        ref_material m[2] = {ref_stvk(1, nu), ref_neo_hookean(1, nu, REF_NEO_HOOKEAN_S_MIN)};
        s[2] = -ref_random(&seed, 0, 3);
        s[1] = -s[2] + ref_random(&seed, 0, 3);
        s[0] = s[1] + ref_random(&seed, 0, 3);
        for (int k = 0; k < 2; k++)
            TEST_ASSERT_TRUE(ref_stress(&m[k], ref_diag(s[0], s[1], s[2])).m[2][2] < 0);
    }
}

/* Limits of the models themselves that the README states. */
static void test_documented_limits(void)
{
    double nu = 0.3, edge = (1 - 2 * nu) / (2 - 2 * nu);
    ref_material bare = ref_stable_neo_hookean(1, nu, 0), paper = ref_neo_hookean(1, -0.9, 0.25);
    ref_material guarded = ref_stable_neo_hookean(1, nu, bare.mu),
                 product = ref_stvk_product(1, nu),
                 neo_product = ref_neo_hookean_product(1, -0.9, 0.25);
    /* Uniform stretch a of the bare form: f = a (mu - (lambda + 2 mu) a + (lambda + mu) a^4). */
    ref_mat3 low = ref_diag(edge, edge, edge), high = ref_scale(1.1, low);
    TEST_ASSERT_TRUE(ref_stress(&bare, low).m[0][0] > 0);
    TEST_ASSERT_TRUE(ref_stress(&bare, high).m[0][0] < 0);
    TEST_ASSERT_TRUE(ref_stress(&guarded, low).m[0][0] < 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.5 * bare.lambda, ref_energy(&bare, ref_diag(0, 0, 0)));
    TEST_ASSERT_TRUE(ref_stress(&guarded, ref_diag(0, 0, 0)).m[0][0] < 0);
    /* The paper's form at nu = -0.9 pulls a uniformly compressed element further in. */
    TEST_ASSERT_TRUE(ref_stress(&paper, ref_diag(0.97, 0.97, 0.97)).m[0][0] < 0);
    TEST_ASSERT_TRUE(ref_stress(&paper, ref_diag(0.95, 0.95, 0.95)).m[0][0] > 0);
    /* The plain products: StVK's drives an inverted stretch deeper while the others are wide, the
     * Neo-Hookean's is unbounded below for nu < 0. */
    TEST_ASSERT_TRUE(ref_stress(&product, ref_diag(1.4, 1.4, -0.5)).m[2][2] > 0);
    TEST_ASSERT_TRUE(ref_energy(&neo_product, ref_diag(100, 100, -100)) < -1e4);
}

static void test_anisotropic_with_isotropic_constants_is_isotropic(void)
{
    double k = 3, nu = 0.35, g = k / (2 * (1 + nu));
    ref_orthotropic o = {k, k, k, nu, nu, nu, g, g, g};
    ref_material iso = ref_stvk(k, nu), aniso;
    TEST_ASSERT_TRUE(ref_stvk_orthotropic(&aniso, &o, ref_random_rotation(&seed)));
    for (int n = 0; n < 400; n++) {
        ref_mat3 f = random_f(n % KINDS);
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, ref_energy(&iso, f), ref_energy(&aniso, f));
        ref_mat3 d = ref_add(ref_stress(&iso, f), -1, ref_stress(&aniso, f));
        TEST_ASSERT_TRUE(ref_norm(d) < 1e-10);
    }
}

static void test_a_material_frame_turns_the_material(void)
{
    ref_material still, turned;
    ref_mat3 r = ref_random_rotation(&seed);
    TEST_ASSERT_TRUE(ref_stvk_orthotropic(&still, &WOOD, ref_diag(1, 1, 1)));
    TEST_ASSERT_TRUE(ref_stvk_orthotropic(&turned, &WOOD, r));
    for (int n = 0; n < 200; n++) {
        ref_mat3 f = random_f(n % KINDS);
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, ref_energy(&still, ref_mul(f, r)), ref_energy(&turned, f));
    }
    /* Pulled gently along its first axis it shows E1 and nu12. */
    double e = 1e-7, c = still.c[0][0], strain[2];
    double det = still.c[1][1] * still.c[2][2] - still.c[1][2] * still.c[1][2];
    strain[0] = -(still.c[1][0] * still.c[2][2] - still.c[2][0] * still.c[1][2]) / det * e;
    strain[1] = -(still.c[2][0] * still.c[1][1] - still.c[1][0] * still.c[1][2]) / det * e;
    double stress = c * e + still.c[0][1] * strain[0] + still.c[0][2] * strain[1];
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, WOOD.e1, stress / e);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, WOOD.nu12, -strain[0] / e);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, WOOD.nu13, -strain[1] / e);
}

static void test_bad_constants_are_refused(void)
{
    ref_material m;
    ref_orthotropic o = WOOD;
    o.nu12 = 3.5;
    TEST_ASSERT_FALSE(ref_stvk_orthotropic(&m, &o, ref_diag(1, 1, 1)));
    o = WOOD;
    o.g23 = 0;
    TEST_ASSERT_FALSE(ref_stvk_orthotropic(&m, &o, ref_diag(1, 1, 1)));
    double c[36] = {0};
    for (int i = 0; i < 6; i++)
        c[7 * i] = 1;
    TEST_ASSERT_TRUE(ref_stvk_general(&m, c, ref_diag(1, 1, 1)));
    c[1] = 0.1;
    TEST_ASSERT_FALSE(ref_stvk_general(&m, c, ref_diag(1, 1, 1)));
    c[1] = c[6] = 1.1;
    TEST_ASSERT_FALSE(ref_stvk_general(&m, c, ref_diag(1, 1, 1)));
}

static void test_uniaxial_closed_forms(void)
{
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.264, ref_uniaxial_stvk(1, 0.3, 1.2).stress);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -0.144, ref_uniaxial_stvk(1, 0.3, 0.8).stress);
    ref_uniaxial u = ref_uniaxial_neo_hookean(1, 0.3, 1.5);
    TEST_ASSERT_DOUBLE_WITHIN(5e-7, 0.378280, u.stress);
    TEST_ASSERT_DOUBLE_WITHIN(5e-7, 0.880175, u.transverse);
    u = ref_uniaxial_neo_hookean(1, 0.3, 0.5);
    TEST_ASSERT_DOUBLE_WITHIN(5e-7, -0.935352, u.stress);
    TEST_ASSERT_DOUBLE_WITHIN(5e-7, 1.210767, u.transverse);
    ref_material m[3] = {ref_stvk(1, 0.3), ref_neo_hookean(1, 0.3, REF_NEO_HOOKEAN_S_MIN),
                         ref_stable_neo_hookean(1, 0.3, 0)};
    for (double l = 0.6; l < 1.6; l += 0.1) {
        ref_uniaxial w[3] = {ref_uniaxial_stvk(1, 0.3, l), ref_uniaxial_neo_hookean(1, 0.3, l),
                             ref_uniaxial_stable_neo_hookean(1, 0.3, l)};
        for (int k = 0; k < 3; k++) {
            ref_mat3 p = ref_stress(&m[k], ref_diag(l, w[k].transverse, w[k].transverse));
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, w[k].stress, p.m[0][0]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, p.m[1][1]);
        }
    }
}

static void check_svd(ref_mat3 f, double tolerance)
{
    ref_svd d = ref_svd_compute(f);
    ref_mat3 one = ref_diag(1, 1, 1);
    TEST_ASSERT_TRUE(ref_norm(ref_add(ref_mul(ref_transpose(d.u), d.u), -1, one)) < 1e-14);
    TEST_ASSERT_TRUE(ref_norm(ref_add(ref_mul(ref_transpose(d.v), d.v), -1, one)) < 1e-14);
    TEST_ASSERT_TRUE(ref_det(d.u) > 0 && ref_det(d.v) > 0);
    TEST_ASSERT_TRUE(d.s[0] >= d.s[1] && d.s[1] >= fabs(d.s[2]));
    ref_mat3 back = ref_compose(d.u, d.s, d.v);
    for (int i = 0; i < 9; i++)
        TEST_ASSERT_DOUBLE_WITHIN(tolerance * d.s[0], f.m[i / 3][i % 3], back.m[i / 3][i % 3]);
}

static void test_svd_of_every_sort_of_matrix(void)
{
    check_svd(ref_diag(0, 0, 0), 0);
    check_svd(ref_diag(-1, -1, -1), 1e-15);
    check_svd(ref_diag(0, 0, -3), 1e-15);
    for (int n = 0; n < 5000; n++) {
        double s[3], scale = pow(10, ref_random(&seed, -150, 150));
        for (int i = 0; i < 3; i++)
            s[i] = scale * pow(10, ref_random(&seed, -20, 0)) * (n % 7 == i ? 0 : 1) *
                   (n % 2 == 0 ? 1 : -1);
        if (n % 5 == 0)
            s[1] = s[0];
        if (n % 15 == 0)
            s[2] = -s[0];
        check_svd(ref_compose(ref_random_rotation(&seed), s, ref_random_rotation(&seed)), 4e-15);
    }
    ref_svd d = ref_svd_compute(ref_diag(2, -3, 5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, -2, d.s[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 5, d.s[0]);
}

static void test_plastic_strain_flows_and_stays_bounded(void)
{
    ref_plasticity law = {0.05, 10, 0.2};
    ref_mat3 none = ref_diag(0, 0, 0), f = ref_diag(1.02, 1, 1);
    TEST_ASSERT_TRUE(ref_norm(ref_plastic_update(&law, none, f, 0.01)) == 0);
    f = ref_diag(1.3, 1, 1);
    double e = 0.345, deviator = e * 2 / 3;
    ref_mat3 p = ref_plastic_update(&law, none, f, 0.01);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.1 * deviator, p.m[0][0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, -0.1 * e / 3, p.m[1][1]);
    for (int n = 0; n < 1000; n++) {
        p = ref_plastic_update(&law, p, random_f(n % KINDS), ref_random(&seed, 0, 1));
        TEST_ASSERT_TRUE(ref_norm(p) <= law.max * (1 + 1e-15));
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, p.m[0][0] + p.m[1][1] + p.m[2][2]);
    }
}

int main(void)
{
    UNITY_BEGIN();
    start_seed();
    RUN_TEST(test_stress_is_the_derivative_of_energy);
    RUN_TEST(test_hessian_is_the_derivative_of_stress);
    RUN_TEST(test_projected_hessian_is_positive_and_exact_where_it_can_be);
    RUN_TEST(test_continuations_leave_the_material_alone_above_their_stretch);
    RUN_TEST(test_inverted_states_are_pushed_back);
    RUN_TEST(test_documented_limits);
    RUN_TEST(test_anisotropic_with_isotropic_constants_is_isotropic);
    RUN_TEST(test_a_material_frame_turns_the_material);
    RUN_TEST(test_bad_constants_are_refused);
    RUN_TEST(test_uniaxial_closed_forms);
    RUN_TEST(test_svd_of_every_sort_of_matrix);
    RUN_TEST(test_plastic_strain_flows_and_stays_bounded);
    return UNITY_END();
}
