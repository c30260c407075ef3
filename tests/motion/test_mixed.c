/* Tetrahedra of several materials in one body: each element has its own model, stiffness and
 * density, and the settled body is where the reference's energy with the same index per element is
 * least.
 *
 * covers: src/motion/
 */
#include "fixture.h"
#include "ref_fem.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KINDS = 6 };

static uint64_t seed;

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* ---- the same materials for the engine and for the reference ---- */

struct kinds {
    piola_material engine[KINDS];
    ref_material reference[KINDS];
    double density[KINDS];
};

static void orthotropic(struct kinds *k, int i, double young)
{
    const ref_orthotropic wood = {young, 2 * young,   0.5 * young, 0.1,        0.1 * 0.25,
                                  0.1,   0.4 * young, 0.4 * young, 0.4 * young};
    piola_material *m = &k->engine[i];
    m->model = PIOLA_MODEL_STVK_ORTHOTROPIC;
    m->young_axis[0] = (float)young;
    m->young_axis[1] = (float)(2 * young);
    m->young_axis[2] = (float)(0.5 * young);
    m->poisson_axis[0] = m->poisson_axis[1] = 0.1f;
    /* The engine's third ratio is nu31 = nu13 E3 / E1. */
    m->poisson_axis[2] = (float)(0.1 * 0.25 * 0.5);
    for (int a = 0; a < 3; ++a)
        m->shear_axis[a] = (float)(0.4 * young);
    TEST_ASSERT_TRUE(ref_stvk_orthotropic(&k->reference[i], &wood, ref_diag(1, 1, 1)));
}

static void general(struct kinds *k, int i, double young)
{
    static const double upper[21] = {1.35, 0.58, 0.58, 0, 0.05, 0, 1.35, 0.58, 0,    0,   0.1,
                                     1.35, 0,    0,    0, 0.38, 0, 0,    0.38, 0.05, 0.38};
    double c[36];
    piola_material *m = &k->engine[i];
    m->model = PIOLA_MODEL_STVK_GENERAL;
    for (int row = 0, at = 0; row < 6; ++row)
        for (int column = row; column < 6; ++column, ++at) {
            m->stiffness[at] = (float)(young * upper[at]);
            c[6 * row + column] = c[6 * column + row] = (double)m->stiffness[at];
        }
    TEST_ASSERT_TRUE(ref_stvk_general(&k->reference[i], c, ref_diag(1, 1, 1)));
}

/* Stiffnesses from 1 to 16 times `young`, densities from 500 to 3000 kg/m^3. */
static struct kinds kinds_of(double young)
{
    struct kinds k;
    for (int i = 0; i < KINDS; ++i) {
        k.engine[i] = piola_material_default();
        k.engine[i].density = 500.0f * (float)(i + 1);
        k.engine[i].poisson = 0.3f;
        k.engine[i].young = (float)(young * pow(2, i - 1));
        k.density[i] = (double)k.engine[i].density;
    }
    const double poisson = (double)0.3f;
    k.engine[0].young = (float)young;
    k.reference[0] = ref_stable_neo_hookean(young, poisson, young / (2 * (1 + poisson)));
    k.engine[1].model = PIOLA_MODEL_STVK;
    k.engine[1].young = (float)(16 * young);
    k.reference[1] = ref_stvk(16 * young, poisson);
    k.engine[2].model = PIOLA_MODEL_NEO_HOOKEAN;
    k.engine[2].young = (float)(4 * young);
    k.reference[2] = ref_neo_hookean(4 * young, poisson, REF_NEO_HOOKEAN_S_MIN);
    orthotropic(&k, 3, 2 * young);
    general(&k, 4, 8 * young);
    k.engine[5].model = PIOLA_MODEL_STVK; /* a model that is there already, of its own constants */
    k.engine[5].young = (float)(2 * young);
    k.reference[5] = ref_stvk(2 * young, poisson);
    return k;
}

/* ---- bars ---- */

struct bar {
    ref_mesh mesh;
    int *kind; /* of each tetrahedron */
    piola_world *world;
    piola_body body;
    const piola_asset *asset;
    float *x;
};

static double middle_of(const ref_mesh *mesh, int tet, int axis)
{
    double sum = 0;
    for (int c = 0; c < 4; ++c)
        sum += mesh->x[3 * mesh->tet[4 * tet + c] + axis] / 4;
    return sum;
}

/* 0.6 x 0.2 x 0.2 m; the caller says of what each element is, then calls bar_start. */
static struct bar bar_of(void)
{
    struct bar bar;
    const int cells[3] = {6, 2, 2};
    const double size[3] = {0.6, 0.2, 0.2};
    TEST_ASSERT_TRUE(ref_mesh_beam(&bar.mesh, cells, size, 5));
    bar.kind = fixture_memory((size_t)bar.mesh.tets * sizeof *bar.kind);
    return bar;
}

static void bar_start(struct bar *bar, const struct kinds *kinds, const piola_world_desc *d,
                      uint32_t cluster)
{
    piola_mesh_desc mesh = fixture_mesh(&bar->mesh, NULL);
    uint32_t *of = fixture_memory((size_t)bar->mesh.tets * sizeof *of);
    for (int t = 0; t < bar->mesh.tets; ++t)
        of[t] = (uint32_t)bar->kind[t];
    mesh.materials = kinds->engine;
    mesh.material_count = KINDS;
    mesh.tetrahedron_materials = of;
    if (cluster)
        mesh.cluster_limit = mesh.cluster_size = cluster;
    bar->asset = fixture_compile(&mesh);
    bar->world = fixture_world(d);
    piola_body_desc body = piola_body_desc_default();
    body.asset = bar->asset;
    body.damping = 12; /* near critical: a bar of these swings with some 6 rad/s */
    fixture_ok(piola_body_create(bar->world, &body, &bar->body, NULL), NULL);
    bar->x = fixture_memory((size_t)bar->mesh.vertices * 3 * sizeof *bar->x);
    fixture_ok(piola_body_positions(bar->world, bar->body, 0, (uint32_t)bar->mesh.vertices, bar->x),
               NULL);
}

/* The reference's body, each element of its material; its own lumped masses, since densities
 * differ. */
static void reference_of(const struct bar *bar, const struct kinds *kinds, ref_fem *fem)
{
    TEST_ASSERT_TRUE(ref_fem_create(fem, &bar->mesh, kinds->reference, KINDS, bar->kind, 1));
    memset(fem->mass, 0, (size_t)fem->vertices * sizeof *fem->mass);
    for (int t = 0; t < fem->tets; ++t)
        for (int c = 0; c < 4; ++c)
            fem->mass[fem->tet[4 * t + c]] += kinds->density[bar->kind[t]] * fem->volume[t] / 4;
}

static double farthest(const struct bar *bar, const double *x)
{
    double worst = 0;
    for (int k = 0; k < 3 * bar->mesh.vertices; ++k)
        worst = fmax(worst, fabs((double)bar->x[k] - x[k]));
    return worst;
}

static piola_world_desc statics(float gravity)
{
    piola_world_desc d = piola_world_desc_default();
    d.dt = 0.01f;
    d.iterations = 20;
    d.max_bodies = 1;
    d.gravity[1] = gravity;
    return d;
}

/* Clamped at x = 0, sagging under its own weight; how far it hangs down. */
static double hangs(const struct bar *bar, const struct kinds *kinds, double gravity)
{
    const int n = bar->mesh.vertices;
    double *x = fixture_memory((size_t)n * 3 * sizeof *x), lowest = 0;
    ref_fem fem;
    reference_of(bar, kinds, &fem);
    for (int v = 0; v < n; ++v)
        if (bar->mesh.x[3 * v] < 1e-9) {
            fem.pinned[v] = true;
            fixture_push(bar->world, PIOLA_COMMAND_BODY_PIN, bar->body, (uint32_t)v, bar->x[3 * v],
                         bar->x[3 * v + 1], bar->x[3 * v + 2]);
        }
    fixture_steps(bar->world, NULL, 400);
    fixture_ok(piola_body_positions(bar->world, bar->body, 0, (uint32_t)n, bar->x), NULL);
    memcpy(x, bar->mesh.x, (size_t)n * 3 * sizeof *x);
    const ref_problem problem = {0, NULL, {0, gravity, 0}, NULL};
    const ref_options options = {1e-7, 200};
    const ref_result r = ref_fem_static(&fem, &problem, &options, 1, x);
    TEST_ASSERT_TRUE(r.converged);
    for (int v = 0; v < n; ++v)
        lowest = fmin(lowest, x[3 * v + 1] - bar->mesh.x[3 * v + 1]);
    const double off = farthest(bar, x);
    printf("hangs down %.4f m, off the reference by %.1e m\n", -lowest, off);
    TEST_ASSERT_DOUBLE_WITHIN(2e-5, 0, off);
    ref_fem_free(&fem);
    return -lowest;
}

/* Half soft and half stiff, the soft half at the clamp or at the end, of models that differ. */
static void test_half_soft_half_stiff(void)
{
    const struct kinds kinds = kinds_of(2e5);
    const piola_world_desc d = statics(-9.81f);
    static const int pairs[4][2] = {{0, 1}, {1, 0}, {2, 4}, {3, 0}};
    double hung[4];
    for (int n = 0; n < 4; ++n) {
        struct bar bar = bar_of();
        for (int t = 0; t < bar.mesh.tets; ++t)
            bar.kind[t] = pairs[n][middle_of(&bar.mesh, t, 0) > 0.3];
        bar_start(&bar, &kinds, &d, 0);
        hung[n] = hangs(&bar, &kinds, (double)-9.81f);
        ref_mesh_free(&bar.mesh);
        fixture_clean();
    }
    TEST_ASSERT_TRUE(hung[0] > 2 * hung[1]);
}

/* All materials at random places, whole and in clusters. */
static void test_any_mixture(void)
{
    const struct kinds kinds = kinds_of(2e5);
    const piola_world_desc d = statics(-9.81f);
    for (int n = 0; n < 2; ++n) {
        struct bar bar = bar_of();
        for (int t = 0; t < bar.mesh.tets; ++t)
            bar.kind[t] = (int)(fixture_random(&seed) % KINDS);
        bar_start(&bar, &kinds, &d, n % 2 ? 64 : 0);
        hangs(&bar, &kinds, (double)-9.81f);
        ref_mesh_free(&bar.mesh);
        fixture_clean();
    }
}

/* One step of a strained, free mixture ends in the reference's implicit-Euler minimum: inertia is
 * that of each element's density. */
static void test_a_step_of_a_mixture(void)
{
    const struct kinds kinds = kinds_of(1e4);
    piola_world_desc d = statics(0);
    d.dt = 0.01f;
    d.iterations = 200;
    for (int n = 0; n < 3; ++n) {
        struct bar bar = bar_of();
        for (int t = 0; t < bar.mesh.tets; ++t)
            bar.kind[t] = (int)(fixture_random(&seed) % KINDS);
        bar_start(&bar, &kinds, &d, 0);
        const int count = 3 * bar.mesh.vertices;
        double *y = fixture_memory((size_t)count * sizeof *y),
               *x = fixture_memory((size_t)count * 8);
        for (int i = 0; i < count; ++i)
            y[i] = x[i] = (double)(bar.x[i] += (float)(0.03 * (fixture_uniform(&seed) - 0.5)));
        fixture_ok(piola_body_set_positions(bar.world, bar.body, 0, (uint32_t)bar.mesh.vertices,
                                            bar.x, NULL),
                   NULL);
        fixture_steps(bar.world, NULL, 1);
        fixture_ok(piola_body_positions(bar.world, bar.body, 0, (uint32_t)bar.mesh.vertices, bar.x),
                   NULL);
        const double moved = farthest(&bar, y);
        ref_fem fem;
        reference_of(&bar, &kinds, &fem);
        const ref_problem problem = {(double)d.dt, y, {0, 0, 0}, NULL};
        const ref_options options = {1e-8, 200};
        const ref_result r = ref_fem_minimise(&fem, &problem, &options, x);
        TEST_ASSERT_TRUE(r.converged);
        const double off = farthest(&bar, x);
        printf("a step moves vertices by up to %.4f m, off the reference by %.1e m\n", moved, off);
        TEST_ASSERT_TRUE(moved > 1e-3);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, off);
        ref_fem_free(&fem);
        ref_mesh_free(&bar.mesh);
        fixture_clean();
    }
}

/* The elastic energy of an affine map is the volumes' sum of each material's. */
static void test_energy_of_a_mixture(void)
{
    const ref_mat3 map = {{{1.2, 0.1, 0.05}, {-0.1, 0.9, 0.2}, {0.1, -0.1, 1.1}}};
    const double zero[3] = {0, 0, 0};
    const struct kinds kinds = kinds_of(1e5);
    const piola_world_desc d = statics(0);
    struct bar bar = bar_of();
    for (int t = 0; t < bar.mesh.tets; ++t)
        bar.kind[t] = (int)(fixture_random(&seed) % KINDS);
    bar_start(&bar, &kinds, &d, 0);
    double *x = fixture_memory((size_t)bar.mesh.vertices * 3 * sizeof *x), want = 0, got = 0;
    ref_mesh_affine(&bar.mesh, map, zero, x);
    for (int i = 0; i < 3 * bar.mesh.vertices; ++i)
        bar.x[i] = (float)x[i];
    fixture_ok(
        piola_body_set_positions(bar.world, bar.body, 0, (uint32_t)bar.mesh.vertices, bar.x, NULL),
        NULL);
    for (int t = 0; t < bar.mesh.tets; ++t)
        want += fabs(ref_mesh_volume(&bar.mesh, bar.mesh.x, t)) *
                ref_energy(&kinds.reference[bar.kind[t]], map);
    fixture_ok(piola_body_elastic_energy(bar.world, bar.body, &got), NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4 * want, want, got);
    ref_mesh_free(&bar.mesh);
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    RUN_TEST(test_half_soft_half_stiff);
    RUN_TEST(test_any_mixture);
    RUN_TEST(test_a_step_of_a_mixture);
    RUN_TEST(test_energy_of_a_mixture);
    return UNITY_END();
}
