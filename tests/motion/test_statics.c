/* Static answers: patch test, uniaxial closed forms, cantilever, bars, and that the answer does not
 * depend on time step and iterations. References are tests/reference (double precision, no code
 * shared).
 *
 * covers: src/motion/
 */
#include "fixture.h"
#include "ref_fem.h"
#include "ref_uniaxial.h"
#include "unity.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_material material_of(piola_model model, float young, float poisson)
{
    piola_material m = piola_material_default();
    m.model = model;
    m.young = young;
    m.poisson = poisson;
    /* of the anisotropic models: one axis four times as stiff as another; an isotropic matrix with
     * couplings added */
    static const float axis[3] = {0.5f, 1, 2};
    static const float general[21] = {1.35f, 0.58f, 0.58f, 0,    0.05f, 0,     1.35f,
                                      0.58f, 0,     0,     0.1f, 1.35f, 0,     0,
                                      0,     0.38f, 0,     0,    0.38f, 0.05f, 0.38f};
    for (int i = 0; i < 3; ++i) {
        m.young_axis[i] = young * axis[i];
        m.poisson_axis[i] = 0.1f;
        m.shear_axis[i] = 0.4f * young;
    }
    for (int i = 0; i < 21; ++i)
        m.stiffness[i] = young * general[i];
    return m;
}

/* A world for statics: long steps, which implicit Euler damps at once, and many iterations. */
static piola_world_desc statics(float dt, uint32_t iterations)
{
    piola_world_desc d = piola_world_desc_default();
    d.dt = dt;
    d.iterations = iterations;
    d.max_bodies = 1;
    d.report_physics = true;
    memset(d.gravity, 0, sizeof d.gravity);
    return d;
}

struct bar {
    ref_mesh mesh;
    piola_world *world;
    piola_body body;
    float *x; /* 3 a vertex */
};

static struct bar bar_of(const int cells[3], const double size[3], double distort,
                         const piola_material *material, const piola_world_desc *desc,
                         float damping)
{
    struct bar bar;
    piola_body_desc body = piola_body_desc_default();
    TEST_ASSERT_TRUE(ref_mesh_beam(&bar.mesh, cells, size, 5));
    if (distort > 0)
        ref_mesh_distort(&bar.mesh, distort, 7);
    const piola_mesh_desc mesh = fixture_mesh(&bar.mesh, material);
    body.asset = fixture_compile(&mesh);
    body.damping = damping;
    bar.world = fixture_world(desc);
    fixture_ok(piola_body_create(bar.world, &body, &bar.body, NULL), NULL);
    bar.x = fixture_memory((size_t)bar.mesh.vertices * 3 * sizeof *bar.x);
    fixture_ok(piola_body_positions(bar.world, bar.body, 0, (uint32_t)bar.mesh.vertices, bar.x),
               NULL);
    return bar;
}

static void put(const struct bar *bar)
{
    fixture_ok(piola_body_set_positions(bar->world, bar->body, 0, (uint32_t)bar->mesh.vertices,
                                        bar->x, NULL),
               NULL);
}

static void get(const struct bar *bar)
{
    fixture_ok(piola_body_positions(bar->world, bar->body, 0, (uint32_t)bar->mesh.vertices, bar->x),
               NULL);
}

static void pin(const struct bar *bar, int vertex)
{
    fixture_push(bar->world, PIOLA_COMMAND_BODY_PIN, bar->body, (uint32_t)vertex,
                 bar->x[3 * vertex], bar->x[3 * vertex + 1], bar->x[3 * vertex + 2]);
}

static bool on_side(const struct bar *bar, int vertex, int axis, double at)
{
    return fabs(bar->mesh.x[3 * vertex + axis] - at) < 1e-9;
}

static const piola_model models[] = {PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_MODEL_STVK,
                                     PIOLA_MODEL_NEO_HOOKEAN};
#define MODELS (sizeof models / sizeof *models)

static const piola_model all_models[] = {PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_MODEL_STVK,
                                         PIOLA_MODEL_STVK_ORTHOTROPIC, PIOLA_MODEL_STVK_GENERAL,
                                         PIOLA_MODEL_NEO_HOOKEAN};
#define ALL_MODELS (sizeof all_models / sizeof *all_models)

static void patch(piola_model model, ref_mat3 map, uint64_t *random)
{
    static const double size[3] = {1, 1, 1}, zero[3] = {0.1, 0.2, 0.3};
    static const int cells[3] = {3, 3, 3};
    const piola_material m = material_of(model, 1e5f, 0.3f);
    const piola_world_desc d = statics(1, 200);
    struct bar bar = bar_of(cells, size, 0.06, &m, &d, 0);
    const int n = bar.mesh.vertices;
    double *exact = fixture_memory((size_t)n * 3 * sizeof *exact);
    ref_mesh_affine(&bar.mesh, map, zero, exact);
    for (int v = 0; v < n; ++v) {
        bool inside = true;
        for (int k = 0; k < 3; ++k)
            inside = inside && !on_side(&bar, v, k, 0) && !on_side(&bar, v, k, 1);
        for (int k = 0; k < 3; ++k)
            bar.x[3 * v + k] =
                (float)(exact[3 * v + k] + (inside ? 0.1 * fixture_uniform(random) : 0));
        if (!inside)
            pin(&bar, v);
    }
    put(&bar);
    fixture_steps(bar.world, NULL, 30);
    get(&bar);
    for (int k = 0; k < 3 * n; ++k)
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, (float)exact[k], bar.x[k]);
    ref_mesh_free(&bar.mesh);
    fixture_clean();
}

/* Any affine map of the boundary of a distorted mesh is an equilibrium inside. */
static void test_patch(void)
{
    uint64_t random = fixture_seed();
    for (int round = 0; round < 3; ++round) {
        ref_mat3 map = {{{1.2, 0.1, 0.05}, {-0.1, 0.9, 0.2}, {0.1, -0.1, 1.1}}};
        for (int k = 0; k < 9 && round > 0; ++k)
            map.m[k / 3][k % 3] = (k % 4 == 0) + 0.3 * (fixture_uniform(&random) - 0.5);
        for (size_t i = 0; i < ALL_MODELS; ++i)
            patch(all_models[i], map, &random);
    }
}

/* An affine map costs the volume times the material's energy, whatever the steps before. */
static void test_elastic_energy_is_the_material_s(void)
{
    static const ref_mat3 maps[] = {{{{1.2, 0.1, 0.05}, {-0.1, 0.9, 0.2}, {0.1, -0.1, 1.1}}},
                                    {{{-1, 0, 0.1}, {0.2, 1.3, 0}, {0, 0, 0.8}}},
                                    {{{0.9, 0, 0}, {0, 0.2, 0.1}, {0, 0, 0.3}}},
                                    {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}};
    static const double size[3] = {0.4, 0.3, 0.2}, zero[3] = {0.1, 0.2, 0.3};
    static const int cells[3] = {4, 3, 2};
    const double young = 1e5, poisson = (double)0.3f;
    const ref_material materials[MODELS] = {
        ref_stable_neo_hookean(young, poisson, young / (2 * (1 + poisson))),
        ref_stvk(young, poisson), ref_neo_hookean(young, poisson, REF_NEO_HOOKEAN_S_MIN)};
    for (size_t i = 0; i < MODELS; ++i) {
        piola_material m = material_of(models[i], 1e5f, 0.3f);
        m.damping = 0.01f;
        const piola_world_desc d = statics(0.01f, 5);
        struct bar bar = bar_of(cells, size, 0.02, &m, &d, 0);
        double *x = fixture_memory((size_t)bar.mesh.vertices * 3 * sizeof *x), energy = -1;
        fixture_ok(piola_body_elastic_energy(bar.world, bar.body, &energy), NULL);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, energy);
        for (size_t k = 0; k < sizeof maps / sizeof *maps; ++k) {
            ref_mesh_affine(&bar.mesh, maps[k], zero, x);
            for (int v = 0; v < 3 * bar.mesh.vertices; ++v)
                bar.x[v] = (float)x[v];
            fixture_steps(bar.world, NULL, 1);
            put(&bar);
            fixture_ok(piola_body_elastic_energy(bar.world, bar.body, &energy), NULL);
            const double want = 0.4 * 0.3 * 0.2 * ref_energy(&materials[i], maps[k]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-4 * want + 1e-6, want, energy);
        }
        TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_body_elastic_energy(bar.world, bar.body, NULL));
        fixture_ok(piola_body_destroy(bar.world, bar.body), NULL);
        TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE,
                          piola_body_elastic_energy(bar.world, bar.body, &energy));
        ref_mesh_free(&bar.mesh);
        fixture_clean();
    }
}

/* A rotation, all of them alike. */
static void any_rotation(uint64_t *random, float q[4])
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < 4; ++k) {
            q[k] = (float)(2 * fixture_uniform(random) - 1);
            square += (double)q[k] * (double)q[k];
        }
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < 4; ++k)
        q[k] = (float)((double)q[k] / sqrt(square));
}

/* A turned and moved rest shape is at rest: the residual is rounding, next to k times an area. */
static void test_rigid_motions_give_no_force(void)
{
    uint64_t random = fixture_seed();
    for (size_t i = 0; i < ALL_MODELS; ++i)
        for (int s = 0; s < PIOLA_SOLVER_COUNT; ++s) {
            const piola_material m = material_of(all_models[i], 1e6f, 0.4f);
            piola_world_desc d = statics(0.005f, 5);
            d.solver = (piola_solver)s;
            if (d.solver == PIOLA_SOLVER_EXPLICIT) {
                d.dt = 1e-4f;
                d.iterations = 1;
            }
            d.max_packs = 4096;
            piola_world *world = fixture_world(&d);
            piola_body_desc b = piola_body_desc_default();
            b.asset = fixture_beam_of(5, 3, 3, 0.1, &m, 0);
            any_rotation(&random, b.rotation);
            b.position[0] = 0.3f;
            piola_body body;
            piola_report report;
            fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
            for (int step = 0; step < 20; ++step)
                fixture_ok(piola_world_step(world, NULL, &report), NULL);
            /* k x cell area x the rounding of a strain, 4e-7 over edges of 0.1 m */
            TEST_ASSERT_DOUBLE_WITHIN(1e6 * 0.01 * 1e-5, 0, report.residual);
            TEST_ASSERT_FLOAT_WITHIN(1e-5f, 1, report.max_stretch);
            TEST_ASSERT_EQUAL_UINT32(0, report.inverted);
        }
}

/* One element, vertices 0, e_x, e_y, e_z. With the first two pinned at distance l, the others find
 * the transverse stretch, and the force at e_x is P V / 1. */
static void uniaxial(piola_model model, float poisson, double l, double stress, double transverse)
{
    ref_mesh mesh;
    TEST_ASSERT_TRUE(ref_mesh_single(&mesh, 1));
    piola_material m = material_of(model, 1, poisson);
    m.density = 1e-6f; /* no inertia to speak of */
    const piola_mesh_desc desc = fixture_mesh(&mesh, &m);
    const piola_asset *asset = fixture_compile(&desc);
    const piola_world_desc d = statics(1, 1000);
    piola_world *world = fixture_world(&d);
    const piola_body body = fixture_body(world, asset, 0, 0, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 0, 0, 0, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 1, (float)l, 0, 0);
    fixture_steps(world, NULL, 40);
    float p[12];
    fixture_ok(piola_body_positions(world, body, 0, 4, p), NULL);
    const double t1 = sqrt((double)(p[7] * p[7] + p[8] * p[8]));
    const double t2 = sqrt((double)(p[10] * p[10] + p[11] * p[11]));
    const uint32_t first = body_find(world, body)->first;
    const struct pk_quad *force = &world_force(world)[first + asset_particle_of_vertex(asset)[1]];
    TEST_ASSERT_DOUBLE_WITHIN(2e-5, transverse, t1);
    TEST_ASSERT_DOUBLE_WITHIN(2e-5, transverse, t2);
    TEST_ASSERT_DOUBLE_WITHIN(2e-5, stress, 6 * (double)force->x);
    ref_mesh_free(&mesh);
}

static void test_one_element_pulled_along_an_axis(void)
{
    uniaxial(PIOLA_MODEL_STVK, 0.3f, 1.2, 0.264, sqrt(1 - 0.3 * 0.44));
    uniaxial(PIOLA_MODEL_STVK, 0.3f, 0.8, -0.144, sqrt(1 + 0.3 * 0.36));
    uniaxial(PIOLA_MODEL_STVK, 0.0f, 1.2, 0.264, 1);
    uniaxial(PIOLA_MODEL_NEO_HOOKEAN, 0.3f, 1.5, 0.378280, 0.880175);
    uniaxial(PIOLA_MODEL_NEO_HOOKEAN, 0.3f, 0.5, -0.935352, 1.210767);
    const double stretches[] = {0.5, 0.8, 1.2, 1.5, 2};
    for (int i = 0; i < 5; ++i) {
        const ref_uniaxial u = ref_uniaxial_stable_neo_hookean(1, 0.3, stretches[i]);
        uniaxial(PIOLA_MODEL_STABLE_NEO_HOOKEAN, 0.3f, stretches[i], u.stress, u.transverse);
    }
}

/* 1 x 0.2 x 0.2 m, clamped at x = 0, k = 1e6 Pa, nu = 0.3, 1000 kg/m^3, under its own weight, in 5
 * n x n x n cells; deflection of the tip's middle once settled. Near critical damping: the first
 * bending mode has 6.4 rad/s. */
static double cantilever(int n, float dt, uint32_t iterations, float chebyshev,
                         const struct bar **keep)
{
    static struct bar bar;
    const int cells[3] = {5 * n, n, n};
    const double size[3] = {1, 0.2, 0.2};
    const piola_material m = material_of(PIOLA_MODEL_STVK, 1e6f, 0.3f);
    piola_world_desc d = statics(dt, iterations);
    d.gravity[1] = -9.81f;
    d.report_physics = false;
    d.chebyshev = chebyshev;
    bar = bar_of(cells, size, 0, &m, &d, 8);
    for (int v = 0; v < bar.mesh.vertices; ++v)
        if (on_side(&bar, v, 0, 0))
            pin(&bar, v);
    fixture_steps(bar.world, NULL, (int)(3 / dt));
    get(&bar);
    const int middle = (5 * n * (n + 1) + n / 2) * (n + 1) + n / 2;
    const double tip = (double)bar.x[3 * middle + 1] - bar.mesh.x[3 * middle + 1];
    if (keep)
        *keep = &bar;
    else
        ref_mesh_free(&bar.mesh);
    return tip;
}

/* The reference's static answer on a bar's mesh and pins, with gravity along y and the bar's
 * material. */
static double *static_answer(const struct bar *bar, double young, double gravity, double *x,
                             bool (*pinned)(const struct bar *, int))
{
    ref_fem fem;
    const ref_material m = ref_stvk(young, 0.3);
    const ref_problem problem = {0, NULL, {0, gravity, 0}, NULL};
    const ref_options options = {1e-7, 200};
    TEST_ASSERT_TRUE(ref_fem_create(&fem, &bar->mesh, &m, 1, NULL, 1000));
    for (int v = 0; v < bar->mesh.vertices; ++v)
        fem.pinned[v] = pinned(bar, v);
    const ref_result r = ref_fem_static(&fem, &problem, &options, 1, x);
    TEST_ASSERT_TRUE(r.converged);
    ref_fem_free(&fem);
    return x;
}

static bool clamped(const struct bar *bar, int v)
{
    return on_side(bar, v, 0, 0);
}

static bool held(const struct bar *bar, int v)
{
    return on_side(bar, v, 0, 0) || on_side(bar, v, 0, 0.4);
}

static void test_cantilever_sags_as_the_reference_says_on_each_mesh(void)
{
    double tip[3];
    const int finest = fixture_count(3, 2);
    for (int i = 0; i < finest; ++i) {
        const struct bar *bar = NULL;
        /* The finer the mesh, the slower a wave of corrections crosses it. */
        tip[i] = cantilever(2 << i, 0.004f, 15, i < 2 ? 0 : 0.98f, &bar);
        const int n = 2 << i, middle = (5 * n * (n + 1) + n / 2) * (n + 1) + n / 2;
        double *x = fixture_memory((size_t)bar->mesh.vertices * 3 * sizeof *x);
        memcpy(x, bar->mesh.x, (size_t)bar->mesh.vertices * 3 * sizeof *x);
        static_answer(bar, 1e6, -9.81, x, clamped);
        const double expected = x[3 * middle + 1] - bar->mesh.x[3 * middle + 1];
        printf("cantilever %d x %d x %d cells: tip %.5f m, reference %.5f m\n", 5 * n, n, n, tip[i],
               expected);
        TEST_ASSERT_DOUBLE_WITHIN(0.002 * fabs(expected), expected, tip[i]);
        ref_mesh free_me = bar->mesh;
        ref_mesh_free(&free_me);
    }
    if (finest < 3)
        return;
    const double order = log2((tip[1] - tip[0]) / (tip[2] - tip[1]));
    const double limit = tip[2] + (tip[2] - tip[1]) / (pow(2, order) - 1);
    printf("order of convergence %.2f, limit %.4f m\n", order, limit);
    TEST_ASSERT_DOUBLE_WITHIN(0.005, -0.345, limit);
}

static void test_the_answer_depends_on_neither_time_step_nor_iterations(void)
{
    const float steps[3] = {0.001f, 0.005f, 0.01f};
    const uint32_t iterations[3] = {5, 20, 100};
    const double expected = cantilever(2, 0.005f, 100, 0, NULL);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            const double tip = cantilever(2, steps[i], iterations[k], 0, NULL);
            printf("dt %.0f ms, %u iterations: tip %.5f m\n", 1000 * (double)steps[i],
                   iterations[k], tip);
            TEST_ASSERT_DOUBLE_WITHIN(0.01 * fabs(expected), expected, tip);
        }
}

/* A bar of 0.4 x 0.1 x 0.1 m held at both ends, the far one moved by a rotation about x and a
 * stretch, against the reference's equilibrium. */
static void bar_between_clamps(double angle, double stretch)
{
    const int cells[3] = {8, 2, 2};
    const double size[3] = {0.4, 0.1, 0.1};
    const piola_material m = material_of(PIOLA_MODEL_STVK, 1e5f, 0.3f);
    const piola_world_desc d = statics(0.5f, 200);
    struct bar bar = bar_of(cells, size, 0, &m, &d, 0);
    const int n = bar.mesh.vertices;
    double *x = fixture_memory((size_t)n * 3 * sizeof *x);
    for (int v = 0; v < n; ++v) {
        const double *r = &bar.mesh.x[3 * v], part = r[0] / 0.4, a = angle * part;
        x[3 * v] = r[0] * stretch;
        x[3 * v + 1] = 0.05 + cos(a) * (r[1] - 0.05) - sin(a) * (r[2] - 0.05);
        x[3 * v + 2] = 0.05 + sin(a) * (r[1] - 0.05) + cos(a) * (r[2] - 0.05);
        for (int k = 0; k < 3; ++k)
            bar.x[3 * v + k] = (float)x[3 * v + k];
        if (held(&bar, v))
            pin(&bar, v);
    }
    put(&bar);
    fixture_steps(bar.world, NULL, 60);
    get(&bar);
    static_answer(&bar, 1e5, 0, x, held);
    double worst = 0;
    for (int k = 0; k < 3 * n; ++k) {
        const double off = fabs((double)bar.x[k] - x[k]);
        if (off > worst) /* fmax here crashes gcc 12 for AArch64 */
            worst = off;
    }
    printf("turned %.2f rad, stretched %.2f: farthest vertex off by %.2e m\n", angle, stretch,
           worst);
    TEST_ASSERT_DOUBLE_WITHIN(4e-5, 0, worst);
    ref_mesh_free(&bar.mesh);
}

static void test_stretched_and_twisted_bars(void)
{
    bar_between_clamps(0, 1.5);
    bar_between_clamps(1.5, 1);
    bar_between_clamps(2.5, 1.2);
    bar_between_clamps(0.5, 0.9);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_patch);
    RUN_TEST(test_elastic_energy_is_the_material_s);
    RUN_TEST(test_rigid_motions_give_no_force);
    RUN_TEST(test_one_element_pulled_along_an_axis);
    RUN_TEST(test_cantilever_sags_as_the_reference_says_on_each_mesh);
    RUN_TEST(test_the_answer_depends_on_neither_time_step_nor_iterations);
    RUN_TEST(test_stretched_and_twisted_bars);
    return UNITY_END();
}
