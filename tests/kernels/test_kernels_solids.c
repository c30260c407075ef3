/* Tests of the kernels of solids (ispc/project, descend, measure, plastic) against the
 * double-precision reference, lane by lane, on random packs in every shape; and that all
 * instruction sets give the same bits. The compiler of assets is not used: packs come from
 * support/kernel_fixtures.
 * covers: ispc/solids/ */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "kernel_fixtures.h"
#include "ref_random.h"
#include "ref_svd.h"
#include "unity.h"

static uint64_t seed;
static struct tet_fixture tets, tets_before;
static struct vertex_fixture vertices, vertices_before;
static struct pk_solve solve;
/* How much of the fixtures is looked at: all of them, less on slow machines. */
static int elements, vertex_count;

void setUp(void)
{
    solve = (struct pk_solve){.dt = 0.005f, .inertia = 1 / (0.005f * 0.005f), .relaxation = 1};
}

void tearDown(void)
{
}

/* The widest instruction set of this machine: the others are compared with it bit by bit. */
static const struct kernels *kernels(void)
{
    return kernels_for(PIOLA_ISA_AUTO);
}

static void fail(const char *what, const char *material, enum shape shape, int pack, int lane,
                 double got, double want)
{
    char text[200];
    snprintf(text, sizeof text, "%s, %s, shape %d, pack %d lane %d: %.9g, reference %.9g", what,
             material, (int)shape, pack, lane, got, want);
    TEST_FAIL_MESSAGE(text);
}

/* How large energies and stresses get at F: |F|^q times the stiffness. */
static double scale_of(const struct test_material *m, ref_mat3 f)
{
    const double n = 1 + ref_norm(f);
    const double k = 2 * m->reference.mu + fabs(m->reference.lambda);
    return m->kernel.model == PIOLA_MODEL_STABLE_NEO_HOOKEAN ? k * pow(n, 6) : k * pow(n, 4);
}

/* Where the gradient is one number: not collapsed, and away from the cone at s_2 = -s_3. */
static bool smooth(enum shape shape, ref_mat3 f)
{
    const ref_svd d = ref_svd_compute(f);
    return shape != SHAPE_LINE && shape != SHAPE_POINT && d.s[1] + d.s[2] > 0.05 && d.s[1] > 0.05;
}

static void set_plastic(struct test_material *m, const struct pk_plastic *cell, int lane)
{
    ref_material_set_plastic(&m->reference, fixture_plastic_of(cell, lane));
}

static void measure(const struct kernels *k, struct tet_fixture *f, const struct test_material *m,
                    struct pk_measure *sum)
{
    struct pk_element_job job = fixture_tet_job(f, &m->kernel, &solve);
    memset(sum, 0, TET_PACKS * sizeof *sum);
    job.count = 1;
    for (int p = 0; p < TET_PACKS; p++) {
        job.tets = f->pack + p;
        job.cells = f->cell + p;
        job.measure = sum + p;
        k->measure_tets(&job);
    }
}

/* ---- energies and forces ---- */

static void check_forces(const struct test_material *m, int p, int lane, ref_mat3 stress,
                         double tolerance)
{
    const struct pk_tet_pack *pack = &tets.pack[p];
    for (int c = 0; c < 4; c++) {
        double row[3];
        fixture_corner_row(pack, lane, c, row);
        const struct pk_quad *force = &tets.force[pack->index[c][lane]];
        const float got[3] = {force->x, force->y, force->z};
        for (int i = 0; i < 3; i++) {
            double want = 0, size = 0;
            for (int j = 0; j < 3; j++) {
                want += stress.m[i][j] * row[j];
                size += fabs(row[j]);
            }
            want *= (double)pack->volume[lane];
            if (!(fabs((double)got[i] - want) <= tolerance * size * (double)pack->volume[lane]))
                fail("force", m->name, tets.shape[p][lane], p, lane, (double)got[i], want);
        }
    }
}

static void check_lane(struct test_material *m, int p, int lane, double energy, bool plastic,
                       bool damped)
{
    const ref_mat3 f = fixture_deformation(&tets.pack[p], lane, tets.x);
    const ref_mat3 f0 = fixture_deformation(&tets.pack[p], lane, tets.start);
    if (plastic)
        set_plastic(m, &tets.plastic[p], lane);
    ref_mat3 stress;
    const double psi = fixture_energy(m, &f, damped ? &f0 : NULL, (double)solve.dt, &stress);
    const double volume = (double)tets.pack[p].volume[lane];
    const double scale = scale_of(m, f) * (damped ? 1 + (double)(m->kernel.damping / solve.dt) : 1);
    const enum shape shape = tets.shape[p][lane];
    double tolerance = 3e-6 * scale + 3e-5 * fabs(psi);
    /* Near rest an energy is a square of strains that are known to 1e-7 or so. */
    if (shape == SHAPE_NEAR && !plastic && !damped)
        tolerance = 2e-3 * psi + 1e-11 * scale;
    if (!(fabs(energy / volume - psi) <= tolerance))
        fail("energy density", m->name, shape, p, lane, energy / volume, psi);
    if (smooth(shape, f))
        check_forces(m, p, lane, stress, 2e-5 * scale);
}

static void check_material(int which, double poisson, bool plastic, bool damped)
{
    static struct pk_measure sum[TET_PACKS];
    struct test_material m = fixture_material(which, 1e5, poisson);
    fixture_tets(&tets, &seed, 0.1, SHAPES);
    if (plastic) {
        m.kernel.yield = 0.1f;
        fixture_plastic(tets.plastic, TET_PACKS, &seed, 0.2);
    }
    m.kernel.damping = damped ? 0.01f : 0;
    measure(kernels(), &tets, &m, sum);
    for (int i = 0; i < elements; i++)
        check_lane(&m, i / PK_LANES, i % PK_LANES, sum[i / PK_LANES].elastic[i % PK_LANES], plastic,
                   damped);
}

static void test_energies_and_forces_are_the_references(void)
{
    for (int which = 0; which < TEST_MATERIALS; which++) {
        check_material(which, 0.3, false, false);
        check_material(which, 0.45, false, false);
        check_material(which, 0.3, false, true);
    }
    check_material(PIOLA_MODEL_STVK, -0.5, false, false);
    for (int which = PIOLA_MODEL_STVK; which <= PIOLA_MODEL_STVK_GENERAL; which++)
        check_material(which, 0.3, true, true);
}

/* The kernel's own energy against its own force, by central differences. */
static void test_forces_are_differences_of_energies(void)
{
    static struct pk_measure low[TET_PACKS], high[TET_PACKS];
    const double h = 1e-4; /* of elements of 0.1 m */
    for (int which = 0; which < TEST_MATERIALS; which++) {
        const struct test_material m = fixture_material(which, 1e5, 0.3);
        fixture_tets(&tets, &seed, 0.1, SHAPES);
        measure(kernels(), &tets, &m, low);
        tets_before = tets;
        for (int corner = 0; corner < 4; corner++) {
            for (int side = -1; side <= 1; side += 2) {
                tets = tets_before;
                for (int i = corner; i < TET_PARTICLES; i += 4)
                    tets.x[i].y += (float)(side * h);
                measure(kernels(), &tets, &m, side < 0 ? low : high);
            }
            for (int i = 0; i < elements; i++) {
                const int p = i / PK_LANES, lane = i % PK_LANES;
                const ref_mat3 f = fixture_deformation(&tets.pack[p], lane, tets_before.x);
                if (!smooth(tets.shape[p][lane], f) || ref_svd_compute(f).s[2] < -0.4)
                    continue;
                const double got = (high[p].elastic[lane] - low[p].elastic[lane]) / (2 * h);
                const double want = (double)tets_before.force[4 * i + corner].y;
                const double size = scale_of(&m, f) * (double)tets.pack[p].volume[lane] / 0.1;
                if (!(fabs(got - want) <= 2e-2 * size))
                    fail("difference", m.name, tets.shape[p][lane], p, lane, got, want);
            }
        }
    }
}

static void test_stretch_and_inversion_are_measured(void)
{
    static struct pk_measure sum[TET_PACKS];
    const struct test_material m = fixture_material(PIOLA_MODEL_STVK, 1e5, 0.3);
    fixture_tets(&tets, &seed, 0.1, SHAPES);
    measure(kernels(), &tets, &m, sum);
    for (int p = 0; p < TET_PACKS; p++) {
        for (int lane = 0; lane < PK_LANES; lane++) {
            const ref_mat3 f = fixture_deformation(&tets.pack[p], lane, tets.x);
            const double s = ref_svd_compute(f).s[0];
            if (!(fabs((double)sum[p].stretch[lane] - s) <= 5e-4 * s))
                fail("stretch", m.name, tets.shape[p][lane], p, lane, (double)sum[p].stretch[lane],
                     s);
            if (fabs(ref_det(f)) > 1e-5)
                TEST_ASSERT_EQUAL_UINT32(ref_det(f) < 0, sum[p].inverted[lane]);
        }
    }
    double total = 0;
    for (int lane = 0; lane < PK_LANES; lane++)
        total += sum[0].elastic[lane];
    kernels()->measure_total(&sum[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12 * total, total, sum[0].elastic[0]);
}

static void test_residual_is_the_objectives_gradient(void)
{
    struct pk_measure sum;
    memset(&sum, 0, sizeof sum);
    fixture_vertices(&vertices, &seed, 0.1, SHAPE_MODERATE);
    vertices.start[3] = (struct pk_quad){3, 4, 0, 0}; /* stands for the force stream */
    memset(vertices.start + 4, 0, 12 * sizeof(struct pk_quad));
    memset(vertices.start, 0, 3 * sizeof(struct pk_quad));
    double largest = 0, inertial = 0;
    for (int i = 0; i < PK_LANES; i++) {
        const struct pk_quad x = vertices.x[i], y = vertices.target[i], f = vertices.start[i];
        const double w = i == PINNED_LANE ? 0 : (double)solve.inertia * (double)y.w;
        const double d[3] = {(double)(x.x - y.x), (double)(x.y - y.y), (double)(x.z - y.z)};
        const double g =
            hypot(hypot(w * d[0] + (double)f.x, w * d[1] + (double)f.y), w * d[2] + (double)f.z);
        largest = fmax(largest, i == PINNED_LANE ? 0 : g);
        inertial += 0.5 * w * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    const struct pk_particle_job job = {vertices.x, vertices.target, vertices.start, NULL,     NULL,
                                        NULL,       &solve,          &sum,           PK_LANES, 0};
    kernels()->measure_particles(&job);
    kernels()->measure_total(&sum);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5 * largest, largest, (double)sum.residual[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5 * inertial, inertial, sum.inertial[0]);
}

/* ---- projections ---- */

typedef enum { ENERGY, COMPLIANT, EXPLICIT, SOLVERS } solver;

static void project(const struct kernels *k, solver which, struct tet_fixture *f,
                    const struct pk_material *m)
{
    void (*const kernel[SOLVERS])(const struct pk_element_job *) = {
        k->project_energy, k->project_compliant, k->project_explicit};
    struct pk_element_job job = fixture_tet_job(f, m, &solve);
    job.cells = f->cell;
    kernel[which](&job);
}

/* The scale of w grad E that equations (2) and (3), or XPBD, or explicit Euler give. */
static double reference_scale(solver which, double energy, double square, double multiplier)
{
    const double a = (double)solve.inertia, c = sqrt(2 * energy);
    if (which == EXPLICIT)
        return -1 / a;
    if (which == ENERGY)
        return -energy / square;
    return (-c - a * multiplier) / (square / (c * c) + a) / c;
}

static void check_projection(solver which, const struct test_material *m, int p, int lane)
{
    const struct pk_tet_pack *pack = &tets.pack[p];
    const ref_mat3 f = fixture_deformation(pack, lane, tets_before.x);
    const double volume = (double)pack->volume[lane];
    double g[4][3], square = 0, longest = 0;
    const ref_mat3 stress = ref_stress(&m->reference, f);
    for (int c = 0; c < 4; c++) {
        double row[3];
        fixture_corner_row(pack, lane, c, row);
        for (int i = 0; i < 3; i++) {
            g[c][i] = volume *
                      (stress.m[i][0] * row[0] + stress.m[i][1] * row[1] + stress.m[i][2] * row[2]);
            square += (double)tets.x[pack->index[c][lane]].w * g[c][i] * g[c][i];
        }
    }
    const double energy = volume * ref_energy(&m->reference, f);
    const double scale =
        reference_scale(which, energy, square, (double)tets_before.multiplier[p][lane]);
    double want[4][3];
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < 3; i++) {
            want[c][i] = scale * (double)tets.x[pack->index[c][lane]].w * g[c][i];
            longest = fmax(longest, fabs(want[c][i]));
        }
    for (int c = 0; c < 4; c++) {
        const struct pk_quad *x = &tets.x[pack->index[c][lane]];
        const struct pk_quad *x0 = &tets_before.x[pack->index[c][lane]];
        const double got[3] = {(double)x->x - (double)x0->x, (double)x->y - (double)x0->y,
                               (double)x->z - (double)x0->z};
        TEST_ASSERT_EQUAL_FLOAT(x0->w, x->w);
        for (int i = 0; i < 3; i++)
            if (!(fabs(got[i] - want[c][i]) <= 3e-3 * longest + 1e-7))
                fail("correction", m->name, tets.shape[p][lane], p, lane, got[i], want[c][i]);
    }
}

/* XPBD's own: d(lambda) = (-C - lambda / dt^2) / (sum w |grad C|^2 + 1 / dt^2). */
static void check_multiplier(const struct test_material *m, int p, int lane)
{
    const ref_mat3 f = fixture_deformation(&tets.pack[p], lane, tets_before.x);
    const ref_mat3 stress = ref_stress(&m->reference, f);
    const double volume = (double)tets.pack[p].volume[lane], a = (double)solve.inertia;
    double square = 0;
    for (int c = 0; c < 4; c++) {
        double row[3];
        fixture_corner_row(&tets.pack[p], lane, c, row);
        for (int i = 0; i < 3; i++) {
            const double g = volume * (stress.m[i][0] * row[0] + stress.m[i][1] * row[1] +
                                       stress.m[i][2] * row[2]);
            square += (double)tets.x[tets.pack[p].index[c][lane]].w * g * g;
        }
    }
    const double constraint = sqrt(2 * volume * ref_energy(&m->reference, f));
    const double before = (double)tets_before.multiplier[p][lane];
    const double change = (-constraint - a * before) / (square / (constraint * constraint) + a);
    if (!(fabs((double)tets.multiplier[p][lane] - before - change) <= 3e-3 * fabs(change) + 1e-10))
        fail("multiplier", m->name, tets.shape[p][lane], p, lane,
             (double)tets.multiplier[p][lane] - before, change);
}

static void test_projections_are_the_papers(void)
{
    for (int which = 0; which < TEST_MATERIALS; which++) {
        const struct test_material m = fixture_material(which, 1e3, 0.3);
        for (solver s = ENERGY; s < SOLVERS; s++) {
            fixture_tets(&tets, &seed, 0.1, SHAPES);
            for (int i = 0; i < TET_PACKS * PK_LANES; i++)
                tets.multiplier[i / PK_LANES][i % PK_LANES] = (float)ref_random(&seed, -1e-5, 0);
            tets_before = tets;
            project(kernels(), s, &tets, &m.kernel);
            for (int i = 0; i < elements; i++) {
                const int p = i / PK_LANES, lane = i % PK_LANES;
                const ref_mat3 f = fixture_deformation(&tets.pack[p], lane, tets_before.x);
                /* near rest, and where force and energy nearly vanish, rounding decides */
                if (tets.shape[p][lane] != SHAPE_NEAR && smooth(tets.shape[p][lane], f) &&
                    ref_norm(ref_stress(&m.reference, f)) > 1e-2 * m.reference.mu) {
                    check_projection(s, &m, p, lane);
                    if (s == COMPLIANT)
                        check_multiplier(&m, p, lane);
                }
            }
        }
    }
}

/* sum m dx = 0 and sum m x cross dx = 0: internal corrections turn and move nothing. */
static void check_momentum(const char *name, int p, int lane)
{
    double linear[3] = {0}, angular[3] = {0}, size = 0;
    for (int c = 0; c < 4; c++) {
        const uint32_t i = tets.pack[p].index[c][lane];
        const struct pk_quad a = tets_before.x[i], b = tets.x[i];
        const double m = 1 / (double)a.w;
        const double x[3] = {(double)a.x, (double)a.y, (double)a.z};
        const double d[3] = {(double)b.x - x[0], (double)b.y - x[1], (double)b.z - x[2]};
        for (int j = 0; j < 3; j++) {
            const int k = (j + 1) % 3, l = (j + 2) % 3;
            linear[j] += m * d[j];
            angular[j] += m * (x[k] * d[l] - x[l] * d[k]);
            size += m * (fabs(d[j]) * 3e-6 + (fabs(x[j]) + fabs(d[j])) * 3e-7);
        }
    }
    for (int j = 0; j < 3; j++) {
        if (!(fabs(linear[j]) <= size))
            fail("momentum", name, tets.shape[p][lane], p, lane, linear[j], 0);
        if (!(fabs(angular[j]) <= 2 * size))
            fail("angular momentum", name, tets.shape[p][lane], p, lane, angular[j], 0);
    }
}

static void test_projections_keep_momentum(void)
{
    for (int which = 0; which < 2 * TEST_MATERIALS; which++) {
        struct test_material m = fixture_material(which % TEST_MATERIALS, 1e3, 0.3);
        m.kernel.damping = which < TEST_MATERIALS ? 0 : 0.02f;
        for (solver s = ENERGY; s < SOLVERS; s++) {
            fixture_tets(&tets, &seed, 0.1, SHAPE_MODERATE);
            tets_before = tets;
            project(kernels(), s, &tets, &m.kernel);
            for (int i = 0; i < TET_PACKS * PK_LANES; i++)
                check_momentum(m.name, i / PK_LANES, i % PK_LANES);
        }
    }
}

/* ---- descent ---- */

static void descend(const struct kernels *k, struct vertex_fixture *f,
                    const struct test_material *m, bool plastic)
{
    struct pk_descent_job job = fixture_vertex_job(f, &m->kernel, 1, &solve);
    job.visit_plastic = plastic ? f->visit_plastic : NULL;
    k->descend(&job);
}

/* Inertia and the vertex's elements, J, in double; the gradient by the vertex too. */
static double local_objective(struct test_material *m, const struct vertex_fixture *f, int vertex,
                              bool plastic, double gradient[3])
{
    const struct pk_quad x = f->x[vertex], y = f->target[vertex];
    const double w = (double)solve.inertia * (double)y.w;
    const double d[3] = {(double)x.x - (double)y.x, (double)x.y - (double)y.y,
                         (double)x.z - (double)y.z};
    double g = 0.5 * w * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int i = 0; i < 3; i++)
        gradient[i] = w * d[i];
    for (int v = 0; v < VERTEX_VISITS; v++) {
        const int slot = vertex / PK_LANES * VERTEX_VISITS + v, lane = vertex % PK_LANES;
        const struct pk_visit *visit = &f->visit[slot];
        const ref_mat3 t = fixture_visit_deformation(visit, lane, &x, f->x);
        const ref_mat3 t0 = fixture_visit_deformation(visit, lane, &f->start[vertex], f->start);
        ref_mat3 stress;
        double b[3];
        if (plastic)
            set_plastic(m, &f->plastic[slot], lane);
        g += (double)visit->volume[lane] *
             fixture_energy(m, &t, m->kernel.damping > 0 ? &t0 : NULL, (double)solve.dt, &stress);
        fixture_visit_row(visit, lane, b);
        for (int i = 0; i < 3; i++)
            gradient[i] += (double)visit->volume[lane] *
                           (stress.m[i][0] * b[0] + stress.m[i][1] * b[1] + stress.m[i][2] * b[2]);
    }
    return g;
}

/* Many iterations from `only`: the objective of every vertex falls each time, or stays. */
static void check_descent(struct test_material *m, enum shape only, bool plastic, int iterations)
{
    double before[VERTEX_PACKS * PK_LANES], g[3];
    fixture_vertices(&vertices, &seed, 0.1, only);
    fixture_plastic(vertices.plastic, VISIT_SLOTS, &seed, plastic ? 0.2 : 0);
    for (int v = 0; v < vertex_count; v++)
        before[v] = local_objective(m, &vertices, v, plastic, g);
    for (int i = 0; i < iterations; i++) {
        vertices_before = vertices;
        descend(kernels(), &vertices, m, plastic);
        for (int v = 0; v < vertex_count; v++) {
            const double after = local_objective(m, &vertices, v, plastic, g);
            if (v % PK_LANES == PINNED_LANE)
                TEST_ASSERT_EQUAL_MEMORY(&vertices_before.x[v], &vertices.x[v],
                                         sizeof(struct pk_quad));
            const double stiff = 1e-3 * (2 * m->reference.mu + m->reference.lambda);
            if (!(after <= before[v] * (1 + 1e-5) + 1e-5 * sqrt(before[v] * stiff) + 1e-9 * stiff))
                fail("objective rose", m->name, only, i, v, after, before[v]);
            before[v] = after;
        }
    }
}

static void test_descent_never_raises_the_objective(void)
{
    for (enum shape shape = SHAPE_NEAR; shape <= SHAPES; shape++) {
        for (int which = 0; which < 3 * TEST_MATERIALS; which++) {
            const double poisson = which < TEST_MATERIALS ? 0.3 : 0.49;
            struct test_material m = fixture_material(which % TEST_MATERIALS, 1e5, poisson);
            m.kernel.damping = which < 2 * TEST_MATERIALS ? 0 : 0.01f;
            check_descent(&m, shape, false, fixture_count(4, 1));
        }
        for (int n = 0; n < 2 * 3; n++) {
            struct test_material m = fixture_material(PIOLA_MODEL_STVK + n % 3, 1e5, 0.3);
            m.kernel.yield = 0.1f;
            m.kernel.damping = n < 3 ? 0 : 0.01f;
            check_descent(&m, shape, true, fixture_count(4, 1));
        }
    }
}

/* Sum of the forces that are left on all free vertices, N. */
static double forces_left(struct test_material *m)
{
    double sum = 0, g[3];
    for (int v = 0; v < vertex_count; v++) {
        local_objective(m, &vertices, v, false, g);
        sum += v % PK_LANES == PINNED_LANE ? 0 : hypot(hypot(g[0], g[1]), g[2]);
    }
    return sum;
}

/* The local problem is solved, from crushed, inverted and arbitrary elements too. */
static void test_descent_finds_the_minimum(void)
{
    for (enum shape shape = SHAPE_MODERATE; shape <= SHAPE_RANDOM; shape++) {
        for (int which = 0; which < TEST_MATERIALS; which++) {
            struct test_material m = fixture_material(which, 1e5, 0.3);
            fixture_vertices(&vertices, &seed, 0.1, shape);
            const double first = forces_left(&m);
            for (int i = 0; i < 50; i++)
                descend(kernels(), &vertices, &m, false);
            const double share = forces_left(&m) / first;
            /* inverted elements may end at a cone, where the force is not zero */
            if (!(share < (shape == SHAPE_MODERATE ? 1e-4 : 5e-2)))
                fail("force left after 50 steps", m.name, shape, 0, 0, share, 0);
        }
    }
}

/* The local objective's Hessian by the vertex, with the reference's second derivatives. */
static void local_hessian(const struct test_material *m, const struct vertex_fixture *f, int vertex,
                          double h[9])
{
    const int lane = vertex % PK_LANES;
    for (int i = 0; i < 9; i++)
        h[i] = i % 4 ? 0 : (double)solve.inertia * (double)f->target[vertex].w;
    for (int v = 0; v < VERTEX_VISITS; v++) {
        const struct pk_visit *visit = &f->visit[vertex / PK_LANES * VERTEX_VISITS + v];
        const ref_mat3 t = fixture_visit_deformation(visit, lane, &f->x[vertex], f->x);
        const ref_mat9 hessian = ref_hessian(&m->reference, t);
        double b[3];
        fixture_visit_row(visit, lane, b);
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 9; k++)
                h[3 * (i / 3) + k / 3] +=
                    (double)visit->volume[lane] * b[i % 3] * b[k % 3] * hessian.m[i][k];
    }
}

/* Newton's step -H^-1 g, and whether H is safely positive. */
static bool newton(const double h[9], const double g[3], double step[3])
{
    double copy[9], values[3], q[9];
    memcpy(copy, h, sizeof copy);
    ref_eigen_symmetric(3, copy, values, q);
    for (int i = 0; i < 3; i++) {
        step[i] = 0;
        for (int k = 0; k < 3; k++)
            step[i] -= q[3 * i + k] * (q[k] * g[0] + q[3 + k] * g[1] + q[6 + k] * g[2]) / values[k];
    }
    const double least = fmin(values[0], fmin(values[1], values[2]));
    const double most = fmax(values[0], fmax(values[1], values[2]));
    return least > 0.05 * most;
}

static struct pk_quad moved(struct pk_quad x, const double step[3])
{
    x.x += (float)step[0];
    x.y += (float)step[1];
    x.z += (float)step[2];
    return x;
}

/* 1 where the kernel's step was compared with Newton's: H positive, and a step that falls. */
static int check_newton(struct test_material *m, int v)
{
    double h[9], g[3], step[3], unused[3];
    const double before = local_objective(m, &vertices_before, v, false, g);
    const struct pk_quad x0 = vertices_before.x[v], x = vertices.x[v];
    local_hessian(m, &vertices_before, v, h);
    if (!newton(h, g, step))
        return 0;
    vertices_before.x[v] = moved(x0, step);
    const double after = local_objective(m, &vertices_before, v, false, unused);
    vertices_before.x[v] = x0;
    if (after > before * 0.9999)
        return 0;
    const double length = hypot(hypot(step[0], step[1]), step[2]);
    const double error =
        hypot(hypot((double)x.x - (double)x0.x - step[0], (double)x.y - (double)x0.y - step[1]),
              (double)x.z - (double)x0.z - step[2]);
    if (!(error <= 1e-3 * length + 1e-7))
        fail("Newton step", m->name, SHAPES, v / PK_LANES, v % PK_LANES, error, length);
    return 1;
}

/* In regular elements blocks are exact: the step is Newton's, with the reference's Hessian. */
static void test_descents_step_is_newtons(void)
{
    const enum shape regular[] = {SHAPE_NEAR, SHAPE_MODERATE, SHAPE_STRETCHED};
    for (int n = 0; n < 3 * TEST_MATERIALS; n++) {
        struct test_material m = fixture_material(n % TEST_MATERIALS, 1e5, 0.3);
        int compared = 0;
        fixture_vertices(&vertices, &seed, 0.1, regular[n / TEST_MATERIALS]);
        vertices_before = vertices;
        descend(kernels(), &vertices, &m, false);
        for (int v = 0; v < vertex_count; v++)
            if (v % PK_LANES != PINNED_LANE)
                compared += check_newton(&m, v);
        TEST_ASSERT_TRUE(compared > vertex_count / 4);
    }
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    elements = PK_LANES * fixture_count(TET_PACKS, 3);
    vertex_count = PK_LANES * fixture_count(VERTEX_PACKS, 2);
    RUN_TEST(test_energies_and_forces_are_the_references);
    RUN_TEST(test_forces_are_differences_of_energies);
    RUN_TEST(test_stretch_and_inversion_are_measured);
    RUN_TEST(test_residual_is_the_objectives_gradient);
    RUN_TEST(test_projections_are_the_papers);
    RUN_TEST(test_projections_keep_momentum);
    RUN_TEST(test_descent_never_raises_the_objective);
    RUN_TEST(test_descent_finds_the_minimum);
    RUN_TEST(test_descents_step_is_newtons);
    return UNITY_END();
}
