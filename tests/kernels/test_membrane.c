/* Tests of the energies of sheets (ispc/membrane*.isph) against formulas of their own in double
 * precision: energy, stress and the vertex's block by differences, at random deformations in every
 * shape a triangle can get into. What kernels make of them: test_triangles.c.
 *
 * covers: ispc/cloth/
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compile/material.h"
#include "compile/mesh.h"
#include "fixture.h"
#include "kernels/kernels.h"
#include "ref_random.h"
#include "unity.h"

enum { FROM = 11, TO = 18, MODELS = PIOLA_MODEL_COUNT, ROUNDS = 70 };

#define PROBE_PASTE(isa) pk_probe_sheet_##isa
#define PROBE_NAME(isa)  PROBE_PASTE(isa)
#define probe            PROBE_NAME(PIOLA_PROBE_ISA)
extern void probe(const struct pk_material *material, const float *from, const float *before,
                  float dt, float *to);

enum shape { NEAR, MODERATE, CRUSHED, RANDOM, STRETCHED, FLAT, LINE, POINT, SHAPES };

/* What one lane is asked. */
struct question {
    double f[6], b[2], plastic[3];
};

struct answer {
    double psi, gradient[3], block[6], bend, same_psi, p[6];
};

static uint64_t seed;

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* ---- the reference ---- */

static const double nh_least = 0.5;

/* g and c of one stretch, docs/method/cloth.md. */
static double own_part(const struct pk_material *m, double s)
{
    const double mu = (double)m->mu, lambda = (double)m->lambda;
    if (m->model == PIOLA_MODEL_NEO_HOOKEAN) {
        const double at = fmax(s, nh_least), below = s - at, l = log(at);
        return mu / 2 * (s * s - 1) - mu * (l + below / at) +
               lambda / 2 * (l * l + 2 * l * below / at);
    }
    const double at = fmax(s, sqrt(1.0 / 3)), e = (at * at - 1) / 2;
    return (mu + lambda / 2) * (e * e + 2 * e * at * (s - at));
}

static double coupled_part(const struct pk_material *m, double s)
{
    if (m->model == PIOLA_MODEL_NEO_HOOKEAN)
        return s > nh_least ? log(s) : log(nh_least) - 0.5 + s * s / (2 * nh_least * nh_least);
    return (s * s - 1) / 2;
}

static double fading(double s)
{
    const double t = fmin(fmax(s * sqrt(3.0), 0), 1);
    return t * t * (3 - 2 * t);
}

static double quadratic(const struct pk_material *m, const double e[3])
{
    const float *c = m->stiffness;
    if (m->model == PIOLA_MODEL_STVK_ORTHOTROPIC || m->model == PIOLA_MODEL_STVK_GENERAL)
        return (double)c[0] / 2 * e[0] * e[0] + (double)c[6] / 2 * e[1] * e[1] +
               (double)c[1] * e[0] * e[1] + 2 * (double)c[20] * e[2] * e[2] +
               2 * e[2] * ((double)c[5] * e[0] + (double)c[10] * e[1]);
    const double t = e[0] + e[1];
    return (double)m->mu * (e[0] * e[0] + e[1] * e[1] + 2 * e[2] * e[2]) +
           (double)m->lambda / 2 * t * t;
}

static double isotropic(const struct pk_material *m, const double e[3])
{
    struct pk_material plain = *m;
    plain.model = PIOLA_MODEL_STVK;
    return quadratic(&plain, e);
}

static void strain(const double f[6], double e[3])
{
    e[0] = (f[0] * f[0] + f[1] * f[1] + f[2] * f[2] - 1) / 2;
    e[1] = (f[3] * f[3] + f[4] * f[4] + f[5] * f[5] - 1) / 2;
    e[2] = (f[0] * f[3] + f[1] * f[4] + f[2] * f[5]) / 2;
}

/* Principal stretches, the larger first. */
static void stretches(const double f[6], double s[2])
{
    double e[3];
    strain(f, e);
    const double mean = 1 + e[0] + e[1], d = e[0] - e[1];
    s[0] = sqrt(mean + sqrt(d * d + 4 * e[2] * e[2]));
    const double n[3] = {f[1] * f[5] - f[2] * f[4], f[2] * f[3] - f[0] * f[5],
                         f[0] * f[4] - f[1] * f[3]};
    s[1] = s[0] > 0 ? sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / s[0] : 0;
}

static double energy(const struct pk_material *m, const struct question *q)
{
    double s[2], e[3], elastic[3];
    stretches(q->f, s);
    strain(q->f, e);
    for (int i = 0; i < 3; i++)
        elastic[i] = e[i] - q->plastic[i];
    const double mu = (double)m->mu, lambda = (double)m->lambda;
    if (m->model == PIOLA_MODEL_STABLE_NEO_HOOKEAN) {
        const double j = s[0] * s[1], size = sqrt(s[0] * s[0] + s[1] * s[1]);
        const double gap = fmax(0, 1 - size);
        return mu / 2 * (size * size - 2) - mu * (j - 1) + (lambda + mu) / 2 * (j - 1) * (j - 1) +
               mu / 2 * gap * gap;
    }
    const double plain = own_part(m, s[0]) + own_part(m, s[1]) +
                         lambda * coupled_part(m, s[0]) * coupled_part(m, s[1]);
    if (m->model == PIOLA_MODEL_NEO_HOOKEAN)
        return plain;
    return plain + fading(s[0]) * fading(s[1]) * (quadratic(m, elastic) - isotropic(m, e));
}

/* The same with the vertex moved by dx. */
static double moved(const struct pk_material *m, struct question q, const double dx[3])
{
    for (int i = 0; i < 3; i++) {
        q.f[i] += dx[i] * q.b[0];
        q.f[3 + i] += dx[i] * q.b[1];
    }
    return energy(m, &q);
}

static void reference_stress(const struct pk_material *m, const struct question *q, double p[6])
{
    const double h = 1e-6;
    for (int i = 0; i < 6; i++) {
        struct question low = *q, high = *q;
        low.f[i] -= h;
        high.f[i] += h;
        p[i] = (energy(m, &high) - energy(m, &low)) / (2 * h);
    }
}

/* Second differences along two directions. */
static double reference_curvature(const struct pk_material *m, const struct question *q,
                                  const double direction[3])
{
    /* F changes by 1e-4, however short b is: less drowns in rounding. */
    const double b = sqrt(q->b[0] * q->b[0] + q->b[1] * q->b[1]), h = 1e-4 / (b > 1e-9 ? b : 1e-9);
    const double up[3] = {h * direction[0], h * direction[1], h * direction[2]};
    const double down[3] = {-up[0], -up[1], -up[2]}, none[3] = {0};
    return (moved(m, *q, up) - 2 * moved(m, *q, none) + moved(m, *q, down)) / (h * h);
}

/* ---- questions ---- */

static struct pk_material material_of(int model, double young, double poisson)
{
    piola_material d = piola_material_default();
    d.model = (piola_model)model;
    d.young = (float)young;
    d.poisson = (float)poisson;
    for (int i = 0; i < 3; i++) {
        d.young_axis[i] = (float)(i == 0 ? 2 * young : young / 2);
        d.shear_axis[i] = (float)(0.3 * young);
        d.poisson_axis[i] = i == 0 ? (float)poisson : 0;
    }
    const double c[3][3] = {{1.5, 0.4, 0.2}, {0.4, 0.8, -0.1}, {0.2, -0.1, 0.5}};
    for (int i = 0, at = 0; i < 6; i++)
        for (int j = i; j < 6; j++, at++) {
            const int a = i == 5 ? 2 : i, b = j == 5 ? 2 : j;
            const bool sheet = (i < 2 || i == 5) && (j < 2 || j == 5);
            d.stiffness[at] = sheet ? (float)(young * c[a][b]) : 0;
        }
    struct pk_material m;
    const char *field = "";
    TEST_ASSERT_TRUE_MESSAGE(material_convert(&d, KIND_TRIANGLE, &m, &field), field);
    return m;
}

static double random_in(double low, double high)
{
    return ref_random(&seed, low, high);
}

static void pick_stretches(enum shape shape, double s[2])
{
    for (int i = 0; i < 2; i++)
        s[i] = shape == NEAR        ? random_in(0.999, 1.001)
               : shape == CRUSHED   ? random_in(0.05, 1.2)
               : shape == STRETCHED ? random_in(1, 6)
               : shape == FLAT      ? random_in(1e-3, 0.05)
               : shape == POINT     ? 0
                                    : random_in(0.7, 1.4);
    if (shape == LINE)
        s[1] = 0;
}

static struct question ask(enum shape shape, bool plastic)
{
    struct question q;
    double s[2];
    pick_stretches(shape, s);
    const ref_mat3 u = ref_random_rotation(&seed);
    const double angle = random_in(0, 6.3), c = cos(angle), d = sin(angle);
    for (int i = 0; i < 3; i++) {
        q.f[i] = u.m[i][0] * s[0] * c - u.m[i][1] * s[1] * d;
        q.f[3 + i] = u.m[i][0] * s[0] * d + u.m[i][1] * s[1] * c;
    }
    for (int i = 0; i < 6; i++) {
        if (shape == RANDOM)
            q.f[i] = random_in(-2, 2);
        q.f[i] = (double)(float)q.f[i];
    }
    q.b[0] = (double)(float)random_in(-2, 2);
    q.b[1] = (double)(float)random_in(-2, 2);
    for (int i = 0; i < 3; i++)
        q.plastic[i] = plastic ? (double)(float)random_in(-0.1, 0.1) : 0;
    return q;
}

/* Sixteen at once. */
static void answer(const struct pk_material *m, const struct question *q, const float *before,
                   float dt, struct answer *a)
{
    static float from[FROM][PK_LANES], to[TO][PK_LANES];
    for (int lane = 0; lane < PK_LANES; lane++) {
        for (int i = 0; i < 6; i++)
            from[i][lane] = (float)q[lane].f[i];
        for (int i = 0; i < 2; i++)
            from[6 + i][lane] = (float)q[lane].b[i];
        for (int i = 0; i < 3; i++)
            from[8 + i][lane] = (float)q[lane].plastic[i];
    }
    probe(m, from[0], before, dt, to[0]);
    for (int lane = 0; lane < PK_LANES; lane++) {
        double *const out[TO] = {&a[lane].psi,         &a[lane].gradient[0], &a[lane].gradient[1],
                                 &a[lane].gradient[2], &a[lane].block[0],    &a[lane].block[1],
                                 &a[lane].block[2],    &a[lane].block[3],    &a[lane].block[4],
                                 &a[lane].block[5],    &a[lane].bend,        &a[lane].same_psi,
                                 &a[lane].p[0],        &a[lane].p[1],        &a[lane].p[2],
                                 &a[lane].p[3],        &a[lane].p[4],        &a[lane].p[5]};
        for (int i = 0; i < TO; i++)
            *out[i] = (double)to[i][lane];
    }
}

/* ---- checks ---- */

static void fail(const char *what, const struct pk_material *m, enum shape shape, double got,
                 double want)
{
    char text[160];
    snprintf(text, sizeof text, "%s, model %u%s, shape %d: %.9g, reference %.9g", what, m->model,
             m->yield > 0 ? " plastic" : "", (int)shape, got, want);
    TEST_FAIL_MESSAGE(text);
}

/* How large energies and stresses get at F. */
static double scale_of(const struct pk_material *m, const double f[6])
{
    double square = 0;
    for (int i = 0; i < 6; i++)
        square += f[i] * f[i];
    return (2 * (double)m->mu + fabs((double)m->lambda)) * (1 + square) * (1 + square);
}

/* Where the gradient is one and the second derivatives do not jump within a difference's reach. */
static bool smooth(const struct pk_material *m, const struct question *q, double margin)
{
    double s[2];
    stretches(q->f, s);
    const double least = m->model == PIOLA_MODEL_NEO_HOOKEAN ? nh_least : sqrt(1.0 / 3);
    return s[1] > margin && fabs(s[0] - least) > margin && fabs(s[1] - least) > margin &&
           s[0] - s[1] > margin && fabs(sqrt(s[0] * s[0] + s[1] * s[1]) - 1) > margin;
}

static void normal_of(const double f[6], double n[3])
{
    double size = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = f[j] * f[3 + k] - f[k] * f[3 + j];
        size += n[i] * n[i];
    }
    for (int i = 0; i < 3; i++)
        n[i] /= fmax(sqrt(size), 1e-300);
}

static double along(const double block[6], const double d[3])
{
    return block[0] * d[0] * d[0] + block[1] * d[1] * d[1] + block[2] * d[2] * d[2] +
           2 * (block[3] * d[1] * d[2] + block[4] * d[0] * d[2] + block[5] * d[0] * d[1]);
}

static void check_energy(const struct pk_material *m, enum shape shape, const struct question *q,
                         const struct answer *a)
{
    const double want = energy(m, q), scale = scale_of(m, q->f);
    double tolerance = 2e-6 * scale + 2e-5 * fabs(want);
    /* Near rest an energy is a square of strains that are known to 1e-7 or so. */
    if (shape == NEAR && !(m->yield > 0))
        tolerance = 2e-3 * want + 1e-11 * scale;
    if (!(fabs(a->psi - want) <= tolerance))
        fail("energy", m, shape, a->psi, want);
    if (!(fabs(a->same_psi - want) <= tolerance))
        fail("energy of projections", m, shape, a->same_psi, want);
}

static void check_stress(const struct pk_material *m, enum shape shape, const struct question *q,
                         const struct answer *a)
{
    double p[6];
    const double tolerance = 2e-5 * scale_of(m, q->f);
    double s[2];
    stretches(q->f, s);
    if (s[1] < 1e-4)
        return; /* the kink of a line: see the test of held triangles */
    reference_stress(m, q, p);
    for (int i = 0; i < 6; i++)
        if (!(fabs(a->p[i] - p[i]) <= tolerance))
            fail("stress", m, shape, a->p[i], p[i]);
    for (int i = 0; i < 3; i++) {
        const double want = p[i] * q->b[0] + p[3 + i] * q->b[1];
        if (!(fabs(a->gradient[i] - want) <= 4 * tolerance))
            fail("gradient", m, shape, a->gradient[i], want);
    }
}

/* Positive everywhere; the true second derivative wherever that is what the model promises. */
static void check_block(const struct pk_material *m, enum shape shape, const struct question *q,
                        const struct answer *a)
{
    double s[2];
    stretches(q->f, s);
    const double b2 = q->b[0] * q->b[0] + q->b[1] * q->b[1];
    const double scale = scale_of(m, q->f) * b2;
    const bool stvk =
        m->model != PIOLA_MODEL_STABLE_NEO_HOOKEAN && m->model != PIOLA_MODEL_NEO_HOOKEAN;
    /* Descent of the term that opens a collapsed triangle is proven otherwise:
     * docs/method/cloth.md. */
    const bool opening =
        m->model == PIOLA_MODEL_STABLE_NEO_HOOKEAN && s[0] * s[0] + s[1] * s[1] < 1;
    const bool mixed = (m->yield > 0 || m->model == PIOLA_MODEL_STVK_ORTHOTROPIC ||
                        m->model == PIOLA_MODEL_STVK_GENERAL) &&
                       s[1] < sqrt(1.0 / 3);
    /* Neither crushed nor swollen, and no compression out of the plane is left out. */
    double normal[3];
    normal_of(q->f, normal);
    const bool taut = s[1] > 0.72 && s[0] < 1.4 && reference_curvature(m, q, normal) > 0;
    for (int i = 0; i < 12; i++) {
        double d[3], n = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = random_in(-1, 1);
            n += d[k] * d[k];
        }
        for (int k = 0; k < 3; k++)
            d[k] /= sqrt(n);
        const double got = along(a->block, d) + a->bend;
        if (!(along(a->block, d) >= -3e-6 * scale))
            fail("a positive block", m, shape, along(a->block, d), 0);
        if (!smooth(m, q, 2e-3))
            continue;
        const double want = reference_curvature(m, q, d), tolerance = 2e-4 * scale;
        if (!mixed && !opening && !(got >= want - tolerance))
            fail("a block that bounds", m, shape, got, want);
        if (stvk && s[1] > sqrt(1.0 / 3) && !(fabs(got - want) <= tolerance))
            fail("block", m, shape, got, want);
        if (!stvk && taut && !(fabs(got - want) <= tolerance))
            fail("block", m, shape, got, want);
    }
}

static void check_model(int model, double poisson, bool plastic)
{
    static struct question q[PK_LANES];
    static struct answer a[PK_LANES];
    struct pk_material m = material_of(model, 1e3, poisson);
    m.yield = plastic ? 0.1f : 0;
    const int rounds = fixture_count(ROUNDS, SHAPES);
    for (int round = 0; round < rounds; round++) {
        const enum shape shape = (enum shape)(round % SHAPES);
        for (int lane = 0; lane < PK_LANES; lane++)
            q[lane] = ask(shape, plastic);
        answer(&m, q, NULL, 0, a);
        for (int lane = 0; lane < PK_LANES; lane++) {
            check_energy(&m, shape, &q[lane], &a[lane]);
            check_stress(&m, shape, &q[lane], &a[lane]);
            check_block(&m, shape, &q[lane], &a[lane]);
        }
    }
}

static void test_energies_stresses_and_blocks_are_derivatives(void)
{
    for (int model = 0; model < MODELS; model++) {
        check_model(model, 0.3, false);
        check_model(model, 0.499, false);
        check_model(model, -0.5, false);
    }
    for (int model = PIOLA_MODEL_STVK; model <= PIOLA_MODEL_STVK_GENERAL; model++)
        check_model(model, 0.3, true);
}

/* A line and a point push open: following the force, the energy falls, at no less than a
 * twentieth of the stiffness. */
static void test_collapsed_triangles_are_held(void)
{
    static struct question q[PK_LANES];
    static struct answer a[PK_LANES];
    for (int model = 0; model < MODELS; model++) {
        const struct pk_material m = material_of(model, 1e3, 0.3);
        for (int round = 0; round < 10; round++) {
            for (int lane = 0; lane < PK_LANES; lane++)
                q[lane] = ask(round % 2 ? LINE : POINT, false);
            answer(&m, q, NULL, 0, a);
            for (int lane = 0; lane < PK_LANES; lane++) {
                const enum shape shape = round % 2 ? LINE : POINT;
                double size = 0, s[2];
                for (int i = 0; i < 6; i++)
                    size += a[lane].p[i] * a[lane].p[i];
                size = sqrt(size);
                struct question next = q[lane];
                for (int i = 0; i < 6; i++)
                    next.f[i] -= 1e-3 * a[lane].p[i] / size;
                const double fall = energy(&m, &q[lane]) - energy(&m, &next);
                if (!(size > 0.05 * 1e3) || !(fall > 0.5e-3 * size))
                    fail("fall along the force", &m, shape, fall, 1e-3 * size);
                stretches(next.f, s);
                if (!(s[1] > 1e-4))
                    fail("opening", &m, shape, s[1], 1e-3);
            }
        }
    }
}

/* Turning and turning over in space changes no energy: no orientation is preferred. */
static void test_rotations_cost_nothing(void)
{
    static struct question q[PK_LANES];
    static struct answer a[PK_LANES], b[PK_LANES];
    for (int model = 0; model < MODELS; model++) {
        const struct pk_material m = material_of(model, 1e3, 0.3);
        for (int lane = 0; lane < PK_LANES; lane++)
            q[lane] = ask((enum shape)(lane % FLAT), false);
        answer(&m, q, NULL, 0, a);
        for (int lane = 0; lane < PK_LANES; lane++)
            for (int column = 0; column < 2; column++) {
                double *f = &q[lane].f[3 * column];
                f[1] = -f[1];
                f[2] = -f[2];
            }
        answer(&m, q, NULL, 0, b);
        for (int lane = 0; lane < PK_LANES; lane++)
            TEST_ASSERT_DOUBLE_WITHIN(1e-6 * scale_of(&m, q[lane].f), a[lane].psi, b[lane].psi);
        for (int lane = 0; lane < PK_LANES; lane++) {
            q[lane] = ask(NEAR, false);
            memset(q[lane].f, 0, sizeof q[lane].f);
            q[lane].f[lane % 3] = 1;
            q[lane].f[3 + (lane + 1) % 3] = lane < 8 ? 1 : -1;
        }
        answer(&m, q, NULL, 0, a);
        for (int lane = 0; lane < PK_LANES; lane++)
            for (int i = 0; i < 6; i++)
                TEST_ASSERT_EQUAL_DOUBLE(0, a[lane].psi + a[lane].p[i]);
    }
}

/* The viscous part is the derivative of damping / (2 dt) (E - E0) : C : (E - E0). */
static void test_damping_is_a_potential(void)
{
    static struct question q[PK_LANES], old[PK_LANES];
    static struct answer a[PK_LANES], plain[PK_LANES];
    static float before[FROM][PK_LANES];
    for (int model = 0; model < MODELS; model++) {
        struct pk_material m = material_of(model, 1e3, 0.3);
        for (int lane = 0; lane < PK_LANES; lane++) {
            q[lane] = ask(MODERATE, false);
            old[lane] = ask(MODERATE, false);
            for (int i = 0; i < 6; i++)
                before[i][lane] = (float)old[lane].f[i];
        }
        answer(&m, q, before[0], 0.01f, plain);
        m.damping = 0.02f;
        answer(&m, q, before[0], 0.01f, a);
        for (int lane = 0; lane < PK_LANES; lane++) {
            double e[3], e0[3];
            strain(q[lane].f, e);
            strain(old[lane].f, e0);
            for (int i = 0; i < 3; i++)
                e[i] -= e0[i];
            const double want = 2 * quadratic(&m, e);
            const double tolerance = 1e-5 * scale_of(&m, q[lane].f);
            TEST_ASSERT_DOUBLE_WITHIN(tolerance, want, a[lane].psi - plain[lane].psi);
            TEST_ASSERT_DOUBLE_WITHIN(tolerance, want, a[lane].same_psi - plain[lane].same_psi);
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    RUN_TEST(test_energies_stresses_and_blocks_are_derivatives);
    RUN_TEST(test_collapsed_triangles_are_held);
    RUN_TEST(test_rotations_cost_nothing);
    RUN_TEST(test_damping_is_a_potential);
    return UNITY_END();
}
