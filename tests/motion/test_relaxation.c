/* The factor on the corrections of the projection solvers, piola_world_desc.relaxation: what
 * docs/method/projections.md ("Relaxation") says of it, against the double-precision reference.
 *
 * covers: src/motion/solve.c
 */
#include "fixture.h"
#include "ref_fem.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_world_desc world_of(piola_solver solver, float relaxation, uint32_t iterations)
{
    piola_world_desc d = piola_world_desc_default();
    d.solver = solver;
    d.relaxation = relaxation;
    d.iterations = iterations;
    d.max_bodies = 1;
    d.max_packs = 128;
    memset(d.gravity, 0, sizeof d.gravity);
    return d;
}

/* A body of St Venant-Kirchhoff material and the reference's twin of it. */
struct body {
    ref_mesh mesh;
    ref_fem fem;
    piola_world *world;
    piola_body body;
    float *x;
};

static struct body body_of(ref_mesh mesh, double young, const piola_world_desc *d, float damping)
{
    struct body b = {.mesh = mesh};
    piola_material m = piola_material_default();
    m.model = PIOLA_MODEL_STVK;
    m.young = (float)young;
    m.poisson = 0.3f;
    const piola_mesh_desc described = fixture_mesh(&mesh, &m);
    piola_body_desc desc = piola_body_desc_default();
    desc.asset = fixture_compile(&described);
    desc.damping = damping;
    b.world = fixture_world(d);
    fixture_ok(piola_body_create(b.world, &desc, &b.body, NULL), NULL);
    const ref_material reference = ref_stvk(young, (double)0.3f);
    TEST_ASSERT_TRUE(ref_fem_create(&b.fem, &b.mesh, &reference, 1, NULL, 1000));
    b.x = fixture_memory((size_t)mesh.vertices * 3 * sizeof *b.x);
    return b;
}

static void body_end(struct body *b)
{
    ref_fem_free(&b->fem);
    ref_mesh_free(&b->mesh);
    fixture_clean();
}

static double *memory_of(const struct body *b)
{
    return fixture_memory((size_t)b->mesh.vertices * 3 * sizeof(double));
}

/* Puts the body at x, which is rounded as the engine's positions are. */
static void put(const struct body *b, double *x)
{
    for (int i = 0; i < 3 * b->mesh.vertices; ++i)
        x[i] = (double)(b->x[i] = (float)x[i]);
    fixture_ok(
        piola_body_set_positions(b->world, b->body, 0, (uint32_t)b->mesh.vertices, b->x, NULL),
        NULL);
}

static void get(const struct body *b, double *x)
{
    fixture_ok(piola_body_positions(b->world, b->body, 0, (uint32_t)b->mesh.vertices, b->x), NULL);
    for (int i = 0; i < 3 * b->mesh.vertices; ++i)
        x[i] = (double)b->x[i];
}

/* ---- one element ---- */

/* A regular tetrahedron that is blown up a little: by symmetry all that happens is along one line.
 */
static ref_mesh regular(void)
{
    static const double corner[12] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
    ref_mesh mesh;
    TEST_ASSERT_TRUE(ref_mesh_single(&mesh, 1));
    memcpy(mesh.x, corner, sizeof corner);
    return mesh;
}

/* How much longer than at rest the element's edge 0-1 is, as a share. */
static double blown(const double *x)
{
    return hypot(hypot(x[0] - x[3], x[1] - x[4]), x[2] - x[5]) / sqrt(8) - 1;
}

/* The share of the way to its goal that is left after some iterations: the rest shape, or for
 * COMPLIANT the reference's implicit-Euler minimum. */
static double left_over(piola_solver solver, float relaxation, uint32_t iterations)
{
    const piola_world_desc d = world_of(solver, relaxation, iterations);
    /* A step's goal is a good part of the way to rest, and no factor goes beyond rest, where
     * sqrt(2E) has its kink. */
    struct body b = body_of(regular(), 5e6, &d, 0);
    double x[12], y[12], goal = 0;
    for (int i = 0; i < 12; ++i)
        y[i] = 1.001 * b.mesh.x[i];
    put(&b, y);
    if (solver == PIOLA_SOLVER_COMPLIANT) {
        memcpy(x, y, sizeof x);
        const ref_problem problem = {(double)d.dt, y, {0, 0, 0}, NULL};
        const ref_options options = {1e-3, 100};
        TEST_ASSERT_TRUE(ref_fem_minimise(&b.fem, &problem, &options, x).converged);
        goal = blown(x);
    }
    fixture_steps(b.world, NULL, 1);
    get(&b, x);
    const double left = (blown(x) - goal) / (blown(y) - goal);
    body_end(&b);
    return left;
}

/* E has a double root at rest, so Newton's step (3) goes half of the way; sqrt(2E) has a single
 * one. Strains of 1e-3 are linear, and rounded, to some 1e-3 of themselves. */
static void test_a_factor_shortens_the_way_of_an_element(void)
{
    const float factors[] = {0.1f, 0.5f, 1, 1.3f, 1.9f};
    for (int i = 0; i < 5; ++i)
        for (uint32_t n = 1; n <= 4; ++n) {
            const double r = (double)factors[i];
            TEST_ASSERT_DOUBLE_WITHIN(4e-3, pow(1 - r / 2, n),
                                      left_over(PIOLA_SOLVER_ENERGY, factors[i], n));
            TEST_ASSERT_DOUBLE_WITHIN(4e-3, pow(1 - r, n),
                                      left_over(PIOLA_SOLVER_COMPLIANT, factors[i], n));
        }
}

/* ---- many ---- */

static ref_mesh bar_mesh(void)
{
    ref_mesh mesh;
    TEST_ASSERT_TRUE(ref_mesh_beam(&mesh, (int[]){6, 2, 2}, (double[]){0.6, 0.2, 0.2}, 5));
    return mesh;
}

/* A bent bar after so many iterations: the energy that is left of what it had. */
static double energy_left(float relaxation, uint32_t iterations)
{
    const piola_world_desc d = world_of(PIOLA_SOLVER_ENERGY, relaxation, iterations);
    struct body b = body_of(bar_mesh(), 1e5, &d, 0);
    double *x = memory_of(&b);
    ref_mesh_bend(&b.mesh, 1, x);
    put(&b, x);
    const double before = ref_fem_energy(&b.fem, x);
    fixture_steps(b.world, NULL, 1);
    get(&b, x);
    const double share = ref_fem_energy(&b.fem, x) / before;
    body_end(&b);
    return share;
}

/* The same with COMPLIANT: the gap to the reference's minimum of the objective. */
static double gap_left(double young, float relaxation, uint32_t iterations)
{
    const piola_world_desc d = world_of(PIOLA_SOLVER_COMPLIANT, relaxation, iterations);
    struct body b = body_of(bar_mesh(), young, &d, 0);
    double *x = memory_of(&b), *y = memory_of(&b);
    ref_mesh_bend(&b.mesh, 1, y);
    put(&b, y);
    memcpy(x, y, (size_t)b.mesh.vertices * 3 * sizeof *x);
    const ref_problem problem = {(double)d.dt, y, {0, 0, 0}, NULL};
    const ref_options options = {1e-6, 100};
    const ref_result best = ref_fem_minimise(&b.fem, &problem, &options, x);
    TEST_ASSERT_TRUE(best.converged);
    const double before = ref_fem_objective(&b.fem, &problem, y) - best.objective;
    fixture_steps(b.world, NULL, 1);
    get(&b, x);
    const double share = (ref_fem_objective(&b.fem, &problem, x) - best.objective) / before;
    body_end(&b);
    return share;
}

static void test_a_suitable_factor_is_faster(void)
{
    for (uint32_t n = 4; n <= 8; n *= 2) {
        const double slow = energy_left(0.5f, n), plain = energy_left(1, n),
                     fast = energy_left(1.6f, n);
        printf("energy left after %u iterations: %.1e with 0.5, %.1e with 1, %.1e with 1.6\n", n,
               slow, plain, fast);
        TEST_ASSERT_TRUE(fast < 0.3 * plain && plain < 0.3 * slow);
        const double soft[2] = {gap_left(1e5, 1, n), gap_left(1e5, 0.7f, n)};
        const double stiff[2] = {gap_left(1e8, 1, n), gap_left(1e8, 1.2f, n)};
        printf("compliant after %u: 1e5 Pa %.1e with 1, %.1e with 0.7; 1e8 Pa %.1e with 1, %.1e "
               "with 1.2\n",
               n, soft[0], soft[1], stiff[0], stiff[1]);
        TEST_ASSERT_TRUE(soft[1] < 0.6 * soft[0]);
        TEST_ASSERT_TRUE(stiff[1] < 0.8 * stiff[0]);
    }
}

/* ---- settled ---- */

static void clamp(struct body *b)
{
    for (int v = 0; v < b->mesh.vertices; ++v) {
        const double *x = &b->mesh.x[3 * v];
        if (x[0] < 1e-9) {
            b->fem.pinned[v] = true;
            fixture_push(b->world, PIOLA_COMMAND_BODY_PIN, b->body, (uint32_t)v, (float)x[0],
                         (float)x[1], (float)x[2]);
        }
    }
}

/* How far the settled bar is from where the reference has it under this gravity. */
static double settled(piola_solver solver, float relaxation, float gravity)
{
    piola_world_desc d = world_of(solver, relaxation, 10);
    d.dt = 0.001f;
    d.gravity[1] = gravity;
    struct body b = body_of(bar_mesh(), 2e5, &d, 12);
    double *x = memory_of(&b), *answer = memory_of(&b), worst = 0, sag = 0;
    ref_mesh_bend(&b.mesh, 0.5, x);
    put(&b, x);
    clamp(&b);
    memcpy(answer, b.mesh.x, (size_t)b.mesh.vertices * 3 * sizeof *answer);
    const ref_problem problem = {0, NULL, {0, (double)gravity, 0}, NULL};
    const ref_options options = {1e-7, 200};
    TEST_ASSERT_TRUE(ref_fem_static(&b.fem, &problem, &options, 1, answer).converged);
    fixture_steps(b.world, NULL, 1800);
    get(&b, x);
    for (int i = 0; i < 3 * b.mesh.vertices; ++i) {
        worst = fmax(worst, fabs(x[i] - answer[i]));
        sag = fmax(sag, fabs(answer[i] - b.mesh.x[i]));
    }
    printf("settled with %.1f: off by %.1e m, sag %.3f m\n", (double)relaxation, worst, sag);
    body_end(&b);
    return worst;
}

/* ENERGY comes back to the rest shape; COMPLIANT, which under load stalls beside the answer by some
 * (omega dt)^2 (docs/method/projections.md), is not carried farther from it by a factor that is
 * suitable. */
static void test_answers_do_not_depend_on_it(void)
{
    const float factors[] = {0.5f, 0.7f, 1, 1.2f, 1.6f, 1.9f};
    for (int i = 0; i < 6; ++i)
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, settled(PIOLA_SOLVER_ENERGY, factors[i], 0));
    for (int i = 0; i < 4; ++i)
        TEST_ASSERT_DOUBLE_WITHIN(4e-4, 0, settled(PIOLA_SOLVER_COMPLIANT, factors[i], -9.81f));
}

/* ---- bits, forces and bounds ---- */

static uint64_t hash_after(piola_solver solver, const float *relaxation)
{
    piola_world_desc d = world_of(solver, 1, solver == PIOLA_SOLVER_EXPLICIT ? 1 : 5);
    if (solver == PIOLA_SOLVER_EXPLICIT)
        d.dt = 2e-4f;
    if (relaxation)
        d.relaxation = *relaxation;
    else
        d.relaxation = piola_world_desc_default().relaxation;
    struct body b = body_of(bar_mesh(), 1e5, &d, 0);
    double *x = memory_of(&b);
    ref_mesh_bend(&b.mesh, 1, x);
    put(&b, x);
    fixture_steps(b.world, NULL, 10);
    get(&b, x);
    uint64_t hash = 0;
    for (int i = 0; i < 3 * b.mesh.vertices; ++i) {
        uint32_t bits;
        memcpy(&bits, &b.x[i], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    }
    body_end(&b);
    return hash;
}

/* 1 is no factor at all, the next number after it is one; descent knows none. */
static void test_one_changes_no_bit(void)
{
    const float one = 1, above = nextafterf(1, 2), most = 1.9f;
    for (int s = 0; s < PIOLA_SOLVER_COUNT; ++s) {
        const uint64_t plain = hash_after((piola_solver)s, NULL);
        TEST_ASSERT_EQUAL_HEX64(plain, hash_after((piola_solver)s, &one));
        if (s == PIOLA_SOLVER_DESCENT) {
            TEST_ASSERT_EQUAL_HEX64(plain, hash_after((piola_solver)s, &most));
        } else {
            TEST_ASSERT_NOT_EQUAL_HEX64(plain, hash_after((piola_solver)s, &above));
            TEST_ASSERT_NOT_EQUAL_HEX64(plain, hash_after((piola_solver)s, &most));
        }
    }
}

/* EXPLICIT: every elastic force is multiplied, as if the material were so much stiffer. */
static void test_explicit_forces_are_multiplied(void)
{
    double *x[2];
    struct body b[2];
    for (int i = 0; i < 2; ++i) {
        piola_world_desc d = world_of(PIOLA_SOLVER_EXPLICIT, i ? 1.5f : 1, 1);
        d.dt = 2e-4f;
        b[i] = body_of(bar_mesh(), i ? 1e5 : 1.5e5, &d, 0);
        x[i] = memory_of(&b[i]);
        ref_mesh_bend(&b[i].mesh, 1, x[i]);
        put(&b[i], x[i]);
        fixture_steps(b[i].world, NULL, 200);
        get(&b[i], x[i]);
    }
    for (int k = 0; k < 3 * b[0].mesh.vertices; ++k)
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, x[0][k], x[1][k]);
    for (int i = 0; i < 2; ++i) {
        ref_fem_free(&b[i].fem);
        ref_mesh_free(&b[i].mesh);
    }
}

static void test_factors_out_of_range_are_refused(void)
{
    const struct {
        float factor;
        piola_status status;
    } cases[] = {
        {0.1f, PIOLA_OK},
        {1.9f, PIOLA_OK},
        {nextafterf(0.1f, 0), PIOLA_ERROR_RANGE},
        {nextafterf(1.9f, 2), PIOLA_ERROR_RANGE},
        {0, PIOLA_ERROR_RANGE},
        {-1, PIOLA_ERROR_RANGE},
        {2, PIOLA_ERROR_RANGE},
        {NAN, PIOLA_ERROR_NOT_FINITE},
        {INFINITY, PIOLA_ERROR_NOT_FINITE},
        {-INFINITY, PIOLA_ERROR_NOT_FINITE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int s = 0; s < PIOLA_SOLVER_COUNT; ++s) {
            const piola_world_desc d = world_of((piola_solver)s, cases[i].factor, 1);
            piola_error error = {0};
            size_t bytes = 0;
            TEST_ASSERT_EQUAL(cases[i].status, piola_world_size(&d, &bytes, &error));
            if (cases[i].status == PIOLA_OK)
                continue;
            TEST_ASSERT_EQUAL(cases[i].status, error.status);
            TEST_ASSERT_EQUAL_STRING("piola_world_desc.relaxation", error.field);
        }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_factor_shortens_the_way_of_an_element);
    RUN_TEST(test_a_suitable_factor_is_faster);
    RUN_TEST(test_answers_do_not_depend_on_it);
    RUN_TEST(test_one_changes_no_bit);
    RUN_TEST(test_explicit_forces_are_multiplied);
    RUN_TEST(test_factors_out_of_range_are_refused);
    return UNITY_END();
}
