/* Vertex descent: the objective never rises, it nears the reference's minimum as fast as the design
 * says, Chebyshev acceleration helps and stays safe, whole and clustered bodies agree with the
 * minimum alike.
 *
 * covers: src/motion/ ispc/motion/
 */
#include "fixture.h"
#include "ref_fem.h"
#include "unity.h"

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

static const float general[21] = {1.4e5f, 0.6e5f, 0.6e5f, 0,    1e3f,   0,    1.4e5f,
                                  0.6e5f, 0,      0,      2e3f, 1.4e5f, 0,    0,
                                  0,      4e4f,   0,      0,    4e4f,   1e3f, 4e4f};

static piola_material material_of(piola_model model)
{
    piola_material m = piola_material_default();
    m.model = model;
    m.poisson = 0.4f;
    for (int k = 0; k < 3; ++k) {
        m.young_axis[k] = 1e5f * (float)(k + 1);
        m.poisson_axis[k] = 0.1f;
        m.shear_axis[k] = 5e4f;
    }
    memcpy(m.stiffness, general, sizeof general);
    return m;
}

/* Random positions of a small bar: near rest, crumpled, flat, inside out or a single point. */
static void random_shape(uint64_t *random, const float *rest, uint32_t vertices, float *x)
{
    const int kind = (int)(fixture_random(random) % 6);
    const double amount = pow(10, -3 * fixture_uniform(random));
    for (uint32_t i = 0; i < 3 * vertices; ++i) {
        const double noise = 0.2 * (2 * fixture_uniform(random) - 1);
        const double part = kind == 0 ? 1 : kind == 1 ? amount : 1e-3;
        double at = (double)rest[i];
        if (kind == 2 && i % 3 == 1)
            at = 0;
        if (kind == 3)
            at = i % 3 == 2 ? -at : at;
        if (kind == 4)
            at = 0;
        if (kind == 5)
            at *= 3;
        x[i] = (float)(at + part * noise);
    }
}

/* From one state, k and k + 1 iterations: G must not rise but for rounding, which is that of the
 * elements' energies in single precision. Nor may the rigid correction of free bodies raise it,
 * which the last world makes after as many iterations as the one before it. */
static void never_rises(piola_model model, float chebyshev, int states)
{
    uint64_t random = fixture_seed();
    const piola_material m = material_of(model);
    const piola_asset *asset = fixture_beam_of(2, 1, 1, 0.1, &m, 0);
    piola_world *worlds[5];
    piola_body bodies[5];
    float rest[36], x[36], v[36];
    for (uint32_t k = 0; k < 5; ++k) {
        piola_world_desc d = piola_world_desc_default();
        d.max_bodies = 1;
        d.max_particles = 256;
        d.iterations = k < 4 ? k + 1 : 4;
        d.keep_momentum = k == 4;
        d.chebyshev = chebyshev;
        d.report_physics = true;
        worlds[k] = fixture_world(&d);
        bodies[k] = fixture_body(worlds[k], asset, 0, 0, 0);
    }
    fixture_ok(piola_body_positions(worlds[0], bodies[0], 0, 12, rest), NULL);
    for (int state = 0; state < states; ++state) {
        random_shape(&random, rest, 12, x);
        for (int i = 0; i < 36; ++i)
            v[i] = (float)(2 * fixture_uniform(&random) - 1);
        double last = 0, largest = 0;
        for (uint32_t k = 0; k < 5; ++k) {
            piola_report r;
            fixture_ok(piola_body_set_positions(worlds[k], bodies[k], 0, 12, x, NULL), NULL);
            fixture_ok(piola_body_set_velocities(worlds[k], bodies[k], 0, 12, v, NULL), NULL);
            fixture_ok(piola_world_step(worlds[k], NULL, &r), NULL);
            TEST_ASSERT_EQUAL_UINT32(0, r.frozen);
            largest = fmax(largest, fabs(r.objective_before));
            /* An accelerated iterate may lie above the plain one before it, but not above the
             * start. */
            if (k == 0 || chebyshev > 0)
                last = r.objective_before;
            if (!(r.objective <= last + 3e-6 * largest)) {
                char text[160];
                snprintf(text, sizeof text, "model %d, state %d: G %.9g -> %.9g in iteration %u",
                         (int)model, state, last, r.objective, k + 1);
                TEST_FAIL_MESSAGE(text);
            }
            last = r.objective;
        }
    }
}

static void test_the_objective_never_rises(void)
{
    const int states = fixture_count(10000, 300);
    for (int model = 0; model < PIOLA_MODEL_COUNT; ++model)
        never_rises((piola_model)model, 0, states);
}

static void test_nor_does_it_with_acceleration(void)
{
    const int states = fixture_count(2000, 100);
    for (int model = 0; model < PIOLA_MODEL_COUNT; ++model)
        never_rises((piola_model)model, 0.99f, states);
}

/* A bent body at rest: G* by the reference, then the engine's gap after some iterations as a share
 * of the gap at the start. */
struct contest {
    ref_mesh mesh;
    ref_fem fem;
    double *bent, start, best;
    piola_model model;
    uint32_t cluster;
    float young, poisson;
};

static void contest_begin(struct contest *c, const ref_material *m)
{
    const size_t n = (size_t)c->mesh.vertices * 3;
    c->bent = fixture_memory(n * sizeof *c->bent);
    double *x = fixture_memory(n * sizeof *x);
    ref_mesh_bend(&c->mesh, 0.5, c->bent);
    for (size_t i = 0; i < n; ++i)
        c->bent[i] = (double)(float)c->bent[i];
    memcpy(x, c->bent, n * sizeof *x);
    TEST_ASSERT_TRUE(ref_fem_create(&c->fem, &c->mesh, m, 1, NULL, 1000));
    const ref_problem problem = {(double)0.005f, c->bent, {0, 0, 0}, NULL};
    const ref_options options = {1e-7, 100};
    c->start = ref_fem_objective(&c->fem, &problem, c->bent);
    const ref_result r = ref_fem_minimise(&c->fem, &problem, &options, x);
    TEST_ASSERT_TRUE(r.converged);
    c->best = r.objective;
}

static double gap(const struct contest *c, uint32_t iterations, float chebyshev)
{
    const size_t n = (size_t)c->mesh.vertices * 3;
    piola_material m = piola_material_default();
    m.model = c->model;
    m.young = c->young;
    m.poisson = c->poisson;
    piola_mesh_desc md = fixture_mesh(&c->mesh, &m);
    if (c->cluster)
        md.cluster_limit = md.cluster_size = c->cluster;
    piola_world_desc d = piola_world_desc_default();
    memset(d.gravity, 0, sizeof d.gravity);
    d.iterations = iterations;
    d.chebyshev = chebyshev;
    d.max_bodies = 1;
    piola_world *world = fixture_world(&d);
    const piola_body body = fixture_body(world, fixture_compile(&md), 0, 0, 0);
    float *x = fixture_memory(n * sizeof *x);
    double *answer = fixture_memory(n * sizeof *answer);
    for (size_t i = 0; i < n; ++i)
        x[i] = (float)c->bent[i];
    fixture_ok(piola_body_set_positions(world, body, 0, (uint32_t)c->mesh.vertices, x, NULL), NULL);
    fixture_steps(world, NULL, 1);
    fixture_ok(piola_body_positions(world, body, 0, (uint32_t)c->mesh.vertices, x), NULL);
    for (size_t i = 0; i < n; ++i)
        answer[i] = (double)x[i];
    const ref_problem problem = {(double)0.005f, c->bent, {0, 0, 0}, NULL};
    return (ref_fem_objective(&c->fem, &problem, answer) - c->best) / (c->start - c->best);
}

static void contest(struct contest *c, const char *name, double after5, double after20)
{
    const ref_material m = c->model == PIOLA_MODEL_STVK
                               ? ref_stvk((double)c->young, (double)c->poisson)
                               : ref_stable_neo_hookean((double)c->young, (double)c->poisson, 0);
    contest_begin(c, &m);
    const double g5 = gap(c, 5, 0), g20 = gap(c, 20, 0), a20 = gap(c, 20, 0.9f);
    printf("%s: gap %.2e after 5, %.2e after 20 iterations, %.2e with acceleration\n", name, g5,
           g20, a20);
    TEST_ASSERT_TRUE(g5 < after5);
    TEST_ASSERT_TRUE(g20 < after20);
    TEST_ASSERT_TRUE(g20 > -1e-6);
    ref_fem_free(&c->fem);
}

/* A generated body of the Armadillo's size and number of elements, all alike. */
static void test_gap_on_a_generated_bar(void)
{
    struct contest c = {.young = 1e5f, .poisson = 0.45f, .model = PIOLA_MODEL_STABLE_NEO_HOOKEAN};
    TEST_ASSERT_TRUE(ref_mesh_beam(&c.mesh, (int[]){8, 15, 6}, (double[]){1.4, 3, 1.1}, 5));
    ref_mesh_normalise(&c.mesh, 3);
    contest(&c, "generated, stable Neo-Hookean", 2e-2, 1e-4);
    c.cluster = 600;
    contest(&c, "the same in clusters", 2e-2, 1e-4);
    c.cluster = 0;
    c.model = PIOLA_MODEL_STVK;
    contest(&c, "generated, StVK", 2e-2, 1e-4);
    ref_mesh_free(&c.mesh);
}

/* 3 m tall, both of them; bent, descent is to be as near the minimum as the design says. */
static void tall_body(struct contest *c, const char *name)
{
    char text[80];
    const double *x = c->mesh.x;
    double low = x[1], high = x[1];
    for (int v = 0; v < c->mesh.vertices; ++v) {
        low = fmin(low, x[3 * v + 1]);
        high = fmax(high, x[3 * v + 1]);
    }
    ref_mesh_normalise(&c->mesh, high - low);
    c->young = 1e5f;
    c->poisson = 0.45f;
    c->model = PIOLA_MODEL_STABLE_NEO_HOOKEAN;
    snprintf(text, sizeof text, "%s, stable Neo-Hookean", name);
    contest(c, text, 2e-2, 1e-4);
    c->model = PIOLA_MODEL_STVK;
    snprintf(text, sizeof text, "%s, StVK", name);
    contest(c, text, 2e-2, 1e-4);
    ref_mesh_free(&c->mesh);
}

static void test_gap_on_the_armadillo(void)
{
    char path[512];
    const char *root = getenv("PIOLA_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/../shared/data/armadillo_4k", root ? root : ".");
    struct contest c = {0};
    if (ref_mesh_tetgen(&c.mesh, path))
        tall_body(&c, "Armadillo");
    else
        printf("no %s here: the figure stands for it\n", path);
}

/* Limbs, elements of every size and slivers, as the Armadillo has them; a bar has none of that. */
static void test_gap_on_a_figure(void)
{
    struct contest c = {0};
    TEST_ASSERT_TRUE(ref_mesh_figure(&c.mesh));
    tall_body(&c, "figure");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_objective_never_rises);
    RUN_TEST(test_nor_does_it_with_acceleration);
    RUN_TEST(test_gap_on_a_generated_bar);
    RUN_TEST(test_gap_on_the_armadillo);
    RUN_TEST(test_gap_on_a_figure);
    return UNITY_END();
}
