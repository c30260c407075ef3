/* Tests of the materials' own functions (ispc/solids/), opened by probe_solid.ispc: energy,
 * stress, a vertex's gradient and its 3x3 block, at random deformation gradients of every shape,
 * against differences of the double-precision reference's energy. No solver and no mesh is
 * involved.
 *
 * A block is taken along directions d: d.(block + bend I).d against the second difference of the
 * energy as the vertex moves along d. Energies are C1, so at a kink the two sides' curvatures
 * differ; samples are taken on both.
 *
 * covers: ispc/solids/
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "kernel_fixtures.h"
#include "ref_random.h"
#include "ref_svd.h"
#include "support/probe_solid.h"
#include "unity.h"

enum {
    PROBES = 64, /* 1,024 deformation gradients a case */
    DIRECTIONS = 7
};
static const float DT = 0.005f;

static uint64_t seed;
static struct pk_probe probes[PROBES];
static enum shape shapes[PROBES][PK_LANES];

void setUp(void)
{
}

void tearDown(void)
{
}

/* ---- one lane, in double ---- */

struct sample {
    const char *name;
    enum shape shape;
    struct test_material material;
    const struct pk_probe *probe;
    int lane;
    ref_mat3 f, f0;
    bool damped, blended; /* blended: anisotropic or plastic */
    double b[3], b2;
    double s[3];            /* principal stretches */
    double size, stiffness; /* |F| or 1, and Pa: what tolerances are measured in */
};

static void fail(const struct sample *q, const char *what, double got, double want)
{
    char text[200];
    snprintf(text, sizeof text, "%s, %s, shape %d, stretches %.4g %.4g %.4g: %.9g, reference %.9g",
             what, q->name, (int)q->shape, q->s[0], q->s[1], q->s[2], got, want);
    TEST_FAIL_MESSAGE(text);
}

static ref_mat3 matrix_of(const float m[9][PK_LANES], int lane)
{
    ref_mat3 f;
    for (int i = 0; i < 9; i++)
        f.m[i / 3][i % 3] = (double)m[i][lane];
    return f;
}

static struct sample sample_of(const struct test_material *m, const struct pk_probe *probe,
                               int lane, enum shape shape)
{
    struct sample q = {.name = m->name, .shape = shape, .material = *m, .probe = probe};
    q.lane = lane;
    q.f = matrix_of(probe->f, lane);
    q.f0 = matrix_of(probe->f0, lane);
    q.damped = m->kernel.damping > 0;
    q.blended = m->kernel.yield > 0 || m->kernel.model == PIOLA_MODEL_STVK_ORTHOTROPIC ||
                m->kernel.model == PIOLA_MODEL_STVK_GENERAL;
    for (int i = 0; i < 3; i++) {
        q.b[i] = (double)probe->b[i][lane];
        q.b2 += q.b[i] * q.b[i];
    }
    const ref_svd svd = ref_svd_compute(q.f);
    memcpy(q.s, svd.s, sizeof q.s);
    q.size = fmax(1, ref_norm(q.f));
    q.stiffness = 2 * m->reference.mu + fabs(m->reference.lambda);
    if (q.damped)
        q.stiffness *= 1 + (double)(m->kernel.damping / DT);
    return q;
}

static double energy_of(const struct sample *q, ref_mat3 f, ref_mat3 *stress)
{
    return fixture_energy(&q->material, &f, q->damped ? &q->f0 : NULL, (double)DT, stress);
}

/* The energy density when the vertex has moved by t d. */
static double energy_along(const struct sample *q, const double d[3], double t)
{
    ref_mat3 f = q->f, stress;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            f.m[i][j] += t * d[i] * q->b[j];
    return energy_of(q, f, &stress);
}

static double slope_along(const struct sample *q, const double d[3])
{
    const double h = 1e-6 / sqrt(q->b2);
    return (energy_along(q, d, h) - energy_along(q, d, -h)) / (2 * h);
}

/* The curvature along d towards each side. */
static void curvature_along(const struct sample *q, const double d[3], double side[2])
{
    const double h = 1e-4 / sqrt(q->b2);
    ref_mat3 stress;
    const double psi = energy_of(q, q->f, &stress);
    double slope = 0;
    for (int i = 0; i < 9; i++)
        slope += stress.m[i / 3][i % 3] * d[i / 3] * q->b[i % 3];
    side[0] = 2 * (energy_along(q, d, -h) - psi + h * slope) / (h * h);
    side[1] = 2 * (energy_along(q, d, h) - psi - h * slope) / (h * h);
}

/* d.(block + bend I).d of the kernel, for a unit vector d. */
static double block_along(const struct sample *q, const double d[3])
{
    static const int PAIR[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    double sum = (double)q->probe->bend[q->lane];
    for (int k = 0; k < 6; k++)
        sum +=
            (k < 3 ? 1 : 2) * (double)q->probe->block[k][q->lane] * d[PAIR[k][0]] * d[PAIR[k][1]];
    return sum;
}

static void random_direction(double d[3])
{
    const ref_mat3 r = ref_random_rotation(&seed);
    for (int i = 0; i < 3; i++)
        d[i] = r.m[i][0];
}

/* The least eigenvalue of the kernel's block. */
static double least_of_block(const struct sample *q)
{
    const float(*k)[PK_LANES] = q->probe->block;
    const int l = q->lane;
    double a[9] = {(double)k[0][l], (double)k[5][l], (double)k[4][l],
                   (double)k[5][l], (double)k[1][l], (double)k[3][l],
                   (double)k[4][l], (double)k[3][l], (double)k[2][l]};
    double values[3], vectors[9];
    ref_eigen_symmetric(3, a, values, vectors);
    return fmin(values[0], fmin(values[1], values[2]));
}

/* ---- what holds where ---- */

/* Where the gradient is one number: not a line or a point, and away from the cone at s_2 = -s_3. */
static bool has_gradient(const struct sample *q)
{
    return q->s[1] + q->s[2] > 0.05 && q->s[1] > 0.05;
}

/* Where no continuation is near: the energy is its formula, and smooth. */
static bool in_good_shape(const struct sample *q)
{
    if (q->material.kernel.model == PIOLA_MODEL_STABLE_NEO_HOOKEAN)
        return ref_norm(q->f) > 1.001;
    const bool log = q->material.kernel.model == PIOLA_MODEL_NEO_HOOKEAN;
    return q->s[2] > 1e-3 + (log ? REF_NEO_HOOKEAN_S_MIN : REF_STVK_S_MIN);
}

/* A polynomial in F of this degree is known to about its largest term times rounding. */
static double tolerance(const struct sample *q, int order, double relative)
{
    const int degree = q->material.kernel.model == PIOLA_MODEL_STABLE_NEO_HOOKEAN ? 6 : 4;
    return relative * q->stiffness * pow(q->size, degree - order) * pow(q->b2, 0.5 * order);
}

static void check_energy(const struct sample *q)
{
    ref_mat3 stress;
    const double psi = energy_of(q, q->f, &stress), most = tolerance(q, 0, 1e-6) + 3e-6 * psi;
    const double p = (double)q->probe->psi[q->lane], v = (double)q->probe->vertex_psi[q->lane];
    if (!(fabs(p - psi) <= most))
        fail(q, "energy of an element", p, psi);
    if (!(fabs(v - psi) <= most))
        fail(q, "energy of a vertex", v, psi);
}

/* F's rounding turns the principal directions of an inverted element by 1 / (s_2 + s_3) of itself,
 * and its stress with them. */
static void check_gradient(const struct sample *q)
{
    const double turn = fmax(1, q->size / (5 * (q->s[1] + q->s[2])));
    const double most = tolerance(q, 1, 5e-6) * (q->s[2] < 0 && has_gradient(q) ? turn : 1);
    for (int i = 0; i < 3; i++) {
        const double d[3] = {i == 0, i == 1, i == 2};
        const double g = (double)q->probe->gradient[i][q->lane];
        double p = 0;
        for (int j = 0; j < 3; j++)
            p += (double)q->probe->p[3 * i + j][q->lane] * q->b[j];
        if (!isfinite(g) || !isfinite(p))
            fail(q, "gradient without a value", g, p);
        const double want = has_gradient(q) ? slope_along(q, d) : 0;
        if (has_gradient(q) && !(fabs(g - want) <= most))
            fail(q, "gradient of a vertex", g, want);
        if (has_gradient(q) && !(fabs(p - want) <= most))
            fail(q, "stress along b", p, want);
    }
}

/* Whatever F is: `block` bends nothing down, and in an element of good shape it is positive. */
static void check_positive(const struct sample *q)
{
    const double least = least_of_block(q), rounding = tolerance(q, 2, 1e-6);
    if (!(least >= (in_good_shape(q) ? 0.1 * rounding : -rounding)))
        fail(q, "least eigenvalue of the block", least, 0);
}

/* What a block promises along d. In good shape it is the energy's curvature, but for the
 * Neo-Hookean of a swollen element, which is only held from below. Crushed, negative parts are left
 * out, so it is not below the curvature towards one side at least. The term of collapsed stable
 * Neo-Hookean elements may bend up by mu |b|^2 more (docs/method/descent.md says why that is
 * enough). Blended materials lack the mixed terms of their fading while crushed: descent's
 * safeguard is what holds there. */
static void check_curvature(const struct sample *q, const double d[3])
{
    const bool good = in_good_shape(q);
    const bool snh = q->material.kernel.model == PIOLA_MODEL_STABLE_NEO_HOOKEAN;
    const bool swollen = q->material.kernel.model == PIOLA_MODEL_NEO_HOOKEAN && ref_det(q->f) > 2;
    double side[2];
    curvature_along(q, d, side);
    const double got = block_along(q, d), mean = 0.5 * (side[0] + side[1]);
    /* at a kink differences have one side only, and their step's error is of first order */
    const double most = tolerance(q, 2, good ? 1e-5 : 2e-4);
    if (good && !swollen && !(fabs(got - mean) <= most))
        fail(q, "curvature", got, mean);
    const double least = good ? mean : fmin(side[0], side[1]);
    const double spare = snh && !good ? q->material.reference.mu * q->b2 : 0;
    if (!(q->blended && !good) && !(got + spare >= least - most))
        fail(q, "block below the curvature", got, least);
}

static void check_sample(const struct sample *q)
{
    check_energy(q);
    check_gradient(q);
    check_positive(q);
    for (int n = 0; has_gradient(q) && n < DIRECTIONS; n++) {
        double d[3] = {n == 0, n == 1, n == 2};
        if (n >= 3)
            random_direction(d);
        check_curvature(q, d);
    }
}

/* ---- cases ---- */

static void fill(bool plastic)
{
    memset(probes, 0, sizeof probes);
    for (int i = 0; i < PROBES * PK_LANES; i++) {
        struct pk_probe *p = &probes[i / PK_LANES];
        const int lane = i % PK_LANES;
        const enum shape shape = shapes[i / PK_LANES][lane] = (enum shape)(i % SHAPES);
        const ref_mat3 f = fixture_map(shape, &seed), f0 = fixture_map(SHAPE_MODERATE, &seed);
        for (int k = 0; k < 9; k++) {
            p->f[k][lane] = (float)f.m[k / 3][k % 3];
            p->f0[k][lane] = (float)f0.m[k / 3][k % 3];
        }
        for (int k = 0; k < 3; k++)
            p->b[k][lane] = (float)ref_random(&seed, -20, 20);
        for (int k = 0; plastic && k < 6; k++)
            p->plastic[k][lane] = (float)ref_random(&seed, -0.08, 0.08);
    }
}

static void check_case(int which, double poisson, bool plastic, bool damped)
{
    struct test_material m = fixture_material(which, 1e5, poisson);
    m.kernel.yield = plastic ? 0.1f : 0;
    m.kernel.damping = damped ? 0.01f : 0;
    fill(plastic);
    pk_probe_solid(probes, PROBES, &m.kernel, DT);
    const int count = PK_LANES * fixture_count(PROBES, 6);
    for (int i = 0; i < count; i++) {
        const struct pk_probe *p = &probes[i / PK_LANES];
        const int lane = i % PK_LANES;
        if (plastic) {
            struct pk_plastic cell;
            memcpy(cell.e, p->plastic, sizeof cell.e);
            ref_material_set_plastic(&m.reference, fixture_plastic_of(&cell, lane));
        }
        const struct sample q = sample_of(&m, p, lane, shapes[i / PK_LANES][lane]);
        check_sample(&q);
    }
}

static void test_elastic_materials(void)
{
    for (int which = 0; which < TEST_MATERIALS; which++) {
        check_case(which, 0.3, false, false);
        check_case(which, 0.45, false, false);
    }
    check_case(PIOLA_MODEL_STVK, -0.5, false, false);
    check_case(PIOLA_MODEL_STABLE_NEO_HOOKEAN, -0.5, false, false);
}

static void test_damped_materials(void)
{
    for (int which = 0; which < TEST_MATERIALS; which++)
        check_case(which, 0.3, false, true);
}

static void test_plastic_materials(void)
{
    for (int which = PIOLA_MODEL_STVK; which <= PIOLA_MODEL_STVK_GENERAL; which++) {
        check_case(which, 0.3, true, false);
        check_case(which, 0.3, true, true);
    }
}

/* ---- collapsed elements ---- */

/* What an element has collapsed to, exactly or all but. */
enum { TO_TRIANGLE, TO_LINE, TO_POINT, ENDS };

/* Stretches that are gone are 0 or 1e-7 to 0.03, the last of them of either sign. */
static ref_mat3 collapsed(int end, bool exactly)
{
    double s[3];
    for (int i = 0; i < 3; i++)
        s[i] = ref_random(&seed, 0.7, 1.4);
    for (int i = 2 - end; i < 3; i++)
        s[i] = exactly ? 0 : pow(10, ref_random(&seed, -7, -1.5));
    if (ref_random(&seed, -1, 1) < 0)
        s[2] = -s[2];
    const ref_mat3 u = ref_random_rotation(&seed), v = ref_random_rotation(&seed);
    return ref_compose(u, s, v);
}

static void fill_collapsed(bool plastic)
{
    fill(plastic);
    for (int i = 0; i < PROBES * PK_LANES; i++) {
        const ref_mat3 f = collapsed(i % ENDS, i / ENDS % 3 == 0);
        shapes[i / PK_LANES][i % PK_LANES] = (enum shape)(SHAPE_FLAT + i % ENDS);
        for (int k = 0; k < 9; k++)
            probes[i / PK_LANES].f[k][i % PK_LANES] = (float)f.m[k / 3][k % 3];
    }
}

/* Where two stretches and more are gone the energy has a cone that opens downwards and no gradient,
 * but whichever way the vertex goes the energy must stay below what the kernel's gradient promises,
 * up to second order: then a step along it falls. (What blocks are worth where there is a gradient
 * is in check_curvature.) */
static void check_promise(const struct sample *q, const double d[3])
{
    ref_mat3 stress;
    const double psi = energy_of(q, q->f, &stress), scale = q->stiffness * pow(q->size, 4);
    double slope = 0;
    for (int i = 0; i < 3; i++)
        slope += (double)q->probe->gradient[i][q->lane] * d[i] / sqrt(q->b2);
    for (int n = -3; n <= 3; n++) {
        const double strain = n == 0 ? 0 : copysign(pow(10, -1 - abs(n)), n);
        const double got = energy_along(q, d, strain / sqrt(q->b2)) - psi;
        /* No curvature is above 10 `scale` (log's, at 1/2). Around a cone's tip F is known to 1e-7
         * only, gradients to 2e-5. */
        const double rounding = scale * (1e-7 + 2e-5 * fabs(strain));
        if (!(got <= strain * slope + 5 * scale * strain * strain + rounding))
            fail(q, "energy above the promise", got, strain * slope);
    }
}

/* The block with `bend` and some inertia; as in descent (newton.isph), `bend` in full where no
 * pivot falls below a thousandth of its diagonal, else its positive part. */
static ref_mat3 whole_block(const struct sample *q, double inertia)
{
    const float(*k)[PK_LANES] = q->probe->block;
    const int l = q->lane;
    const double bends[2] = {(double)q->probe->bend[l], fmax(0, (double)q->probe->bend[l])};
    ref_mat3 h = ref_diag(0, 0, 0);
    for (int n = 0; n < 2; n++) {
        const double x = (double)k[0][l] + inertia, y = (double)k[1][l] + inertia;
        const double z = (double)k[2][l] + inertia;
        h = (ref_mat3){{{x + bends[n], (double)k[5][l], (double)k[4][l]},
                        {(double)k[5][l], y + bends[n], (double)k[3][l]},
                        {(double)k[4][l], (double)k[3][l], z + bends[n]}}};
        const double two = ref_cofactor(h).m[2][2];
        if (h.m[0][0] > 1e-3 * x && two > 1e-3 * y * h.m[0][0] && ref_det(h) > 1e-3 * z * two)
            break;
    }
    return h;
}

/* Newton's step goes where the objective falls. Returns 1 when it falls after as many halvings as
 * descent tries; where `bend` leaves little of the block the step is too long for that and descent
 * takes none. Of stable Neo-Hookean, which descent does not look after, the whole step does not
 * raise it: from F = 0 it goes to where the energy is the same again. */
static int check_newton(const struct sample *q)
{
    const int l = q->lane;
    ref_mat3 unused;
    const double inertia = 0.1 * q->stiffness * q->b2;
    const ref_mat3 inverse = ref_inverse(whole_block(q, inertia));
    double step[3], fall = 0, square = 0;
    for (int i = 0; i < 3; i++) {
        step[i] = 0;
        for (int j = 0; j < 3; j++)
            step[i] -= inverse.m[i][j] * (double)q->probe->gradient[j][l];
        fall -= step[i] * (double)q->probe->gradient[i][l];
        square += step[i] * step[i];
    }
    const double psi = energy_of(q, q->f, &unused);
    const bool snh = q->material.kernel.model == PIOLA_MODEL_STABLE_NEO_HOOKEAN && !q->damped;
    for (double share = 1; share >= (snh ? 1 : 1e-7); share /= 2) {
        const double most = snh ? tolerance(q, 0, 1e-6) : -0.01 * share * fall;
        if (energy_along(q, step, share) + 0.5 * share * share * inertia * square - psi <= most)
            return share > 0.01;
    }
    fail(q, "no part of Newton's step lowers the energy", fall, psi);
    return 0;
}

static void check_collapsed(int which, double poisson, bool plastic, bool damped)
{
    struct test_material m = fixture_material(which, 1e5, poisson);
    m.kernel.yield = plastic ? 0.1f : 0;
    m.kernel.damping = damped ? 0.01f : 0;
    fill_collapsed(plastic);
    pk_probe_solid(probes, PROBES, &m.kernel, DT);
    const int count = PK_LANES * fixture_count(20, 6);
    int taken = 0;
    for (int i = 0; i < count; i++) {
        const struct pk_probe *p = &probes[i / PK_LANES];
        const int lane = i % PK_LANES;
        if (plastic) {
            struct pk_plastic cell;
            memcpy(cell.e, p->plastic, sizeof cell.e);
            ref_material_set_plastic(&m.reference, fixture_plastic_of(&cell, lane));
        }
        const struct sample q = sample_of(&m, p, lane, shapes[i / PK_LANES][lane]);
        check_sample(&q);
        taken += check_newton(&q);
        for (int n = 0; n < DIRECTIONS; n++) {
            double d[3] = {n == 0, n == 1, n == 2};
            if (n >= 3)
                random_direction(d);
            check_promise(&q, d);
        }
    }
    printf("collapsed, %s%s%s: %.1f %% of Newton's steps lower the energy\n", m.name,
           plastic ? ", plastic" : "", damped ? ", damped" : "", 100.0 * taken / count);
    TEST_ASSERT_TRUE(taken > 0.95 * count);
}

static void test_collapsed_elements(void)
{
    for (int which = 0; which < TEST_MATERIALS; which++) {
        check_collapsed(which, 0.3, false, false);
        check_collapsed(which, 0.45, false, false);
        check_collapsed(which, 0.3, false, true);
    }
    for (int which = PIOLA_MODEL_STVK; which <= PIOLA_MODEL_STVK_GENERAL; which++)
        check_collapsed(which, 0.3, true, false);
}

/* ---- the objective along a step ---- */

static void fill_steps(struct pk_probe_step *probe, int lane, int i)
{
    const enum shape shape = (enum shape)(i % SHAPES);
    const ref_mat3 f = fixture_map(shape, &seed), f0 = fixture_map(SHAPE_MODERATE, &seed);
    const double length = pow(10, ref_random(&seed, -4, -1));
    for (int k = 0; k < 9; k++) {
        probe->f[k][lane] = (float)f.m[k / 3][k % 3];
        probe->f0[k][lane] = (float)f0.m[k / 3][k % 3];
    }
    for (int k = 0; k < 3; k++) {
        probe->b[k][lane] = (float)ref_random(&seed, -10, 10);
        probe->step[k][lane] = (float)(length * ref_random(&seed, -1, 1));
    }
}

/* Returns 1 where what descent foresees claims to hold: then it is the energy's rise, and no
 * element on the way is crushed. For stable Neo-Hookean it is above it by what a collapsed element
 * may need.
 */
static int check_step(const struct test_material *m, const struct pk_probe_step *probe, int lane)
{
    const bool snh = m->kernel.model == PIOLA_MODEL_STABLE_NEO_HOOKEAN;
    const double least =
        m->kernel.model == PIOLA_MODEL_NEO_HOOKEAN ? REF_NEO_HOOKEAN_S_MIN : REF_STVK_S_MIN;
    const ref_mat3 f = matrix_of(probe->f, lane), f0 = matrix_of(probe->f0, lane);
    if (!snh && !probe->holds[lane])
        return 0;
    ref_mat3 move, stress;
    for (int i = 0; i < 9; i++)
        move.m[i / 3][i % 3] = (double)probe->step[i / 3][lane] * (double)probe->b[i % 3][lane];
    for (int n = 1; !snh && n <= 8; n++)
        TEST_ASSERT_TRUE(ref_svd_compute(ref_add(f, n / 8.0, move)).s[2] > least - 1e-5);
    const ref_mat3 *const before = m->kernel.damping > 0 ? &f0 : NULL, g = ref_add(f, 1, move);
    const double size = pow(1 + ref_norm(f) + ref_norm(move), snh ? 6 : 4), d = ref_norm(move);
    const double k = (2 * m->reference.mu + m->reference.lambda) * (before ? 3 : 1);
    const double want = fixture_energy(m, &g, before, (double)DT, &stress) -
                        fixture_energy(m, &f, before, (double)DT, &stress);
    const double got = (double)probe->rise[lane], most = 1e-6 * k * size * d;
    const double spare = snh ? 0.5 * m->reference.mu * d * d : 0;
    const bool collapsed = snh && (ref_norm(f) < 1 || ref_norm(g) < 1);
    if (!(got >= want - most) || (!collapsed && !(fabs(got - spare - want) <= most))) {
        char text[160];
        snprintf(text, sizeof text, "%s, |F| %.3g, step %.3g: rise %.9g, reference %.9g", m->name,
                 ref_norm(f), d, got, want);
        TEST_FAIL_MESSAGE(text);
    }
    return 1;
}

static void test_what_a_step_does_is_foreseen(void)
{
    static struct pk_probe_step steps[PROBES];
    for (int n = 0; n < 3 * TEST_MATERIALS; n++) {
        struct test_material m = fixture_material(n / 3, 1e5, n % 3 ? 0.3 : 0.45);
        m.kernel.damping = n % 3 == 2 ? 0.01f : 0;
        for (int i = 0; i < PROBES * PK_LANES; i++)
            fill_steps(&steps[i / PK_LANES], i % PK_LANES, i);
        pk_probe_steps(steps, PROBES, &m.kernel, DT);
        int held = 0;
        for (int i = 0; i < PROBES * PK_LANES; i++)
            held += check_step(&m, &steps[i / PK_LANES], i % PK_LANES);
        TEST_ASSERT_TRUE(held > PROBES);
    }
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    RUN_TEST(test_elastic_materials);
    RUN_TEST(test_damped_materials);
    RUN_TEST(test_plastic_materials);
    RUN_TEST(test_collapsed_elements);
    RUN_TEST(test_what_a_step_does_is_foreseen);
    return UNITY_END();
}
