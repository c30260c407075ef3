/* Tests of what holds for every kernel of solids alike: the same bits on all instruction sets,
 * finite numbers from any finite input, pins that do not move. And of the small ones: plastic flow,
 * Chebyshev's combination, the folded kernel of stable Neo-Hookean.
 *
 * covers: ispc/solids/ src/kernels/dispatch.c
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "kernel_fixtures.h"
#include "kernels/models.h"
#include "ref_random.h"
#include "unity.h"

/* The twins of all kernels with plain gathers and scatters (ispc/base/quads.isph), which
 * tests/meson.build compiles for the first instruction set of the build, the one that every machine
 * has. */
#define ISA gather
#include "kernels/isa_table.h"

/* What must give the same bits. */
enum { WAYS = 5 };

struct way {
    const char *name;
    const struct kernels *kernels; /* null where this machine cannot */
};

static struct way way_of(int i)
{
    static const piola_isa isas[] = {PIOLA_ISA_SSE4, PIOLA_ISA_AVX2, PIOLA_ISA_AVX512,
                                     PIOLA_ISA_NEON};
    if (i == WAYS - 1)
        return (struct way){"plain gathers", &kernels_gather};
    return (struct way){piola_isa_name(isas[i]),
                        piola_isa_available(isas[i]) ? kernels_for(isas[i]) : NULL};
}

static uint64_t seed;
static struct tet_fixture tets, tets_start, tets_first;
static struct vertex_fixture vertices, vertices_start, vertices_first;
static struct pk_solve solve;

void setUp(void)
{
    solve = (struct pk_solve){.dt = 0.005f, .inertia = 1 / (0.005f * 0.005f), .relaxation = 1.2f};
}

void tearDown(void)
{
}

/* All kernels on elements, one after the other; everything they write is in the fixture. */
static void run_tets(const struct kernels *k, struct tet_fixture *f, const struct pk_material *m,
                     struct pk_measure *sum)
{
    struct pk_element_job job = fixture_tet_job(f, m, &solve);
    const struct pk_particle_job particles = {.x = f->x,
                                              .target = f->start,
                                              .force = f->force,
                                              .solve = &solve,
                                              .measure = sum,
                                              .count = TET_PARTICLES};
    job.cells = f->cell; /* projections read them whatever the material */
    job.measure = sum;
    k->project_explicit(&job);
    k->project_compliant(&job);
    k->project_energy(&job);
    k->measure_tets(&job);
    k->measure_particles(&particles);
    k->measure_total(sum);
    if (m->yield > 0)
        k->plastic_flow(&job);
}

static void run_vertices(const struct kernels *k, struct vertex_fixture *f,
                         const struct pk_material *m, uint32_t materials)
{
    const uint32_t particles = VERTEX_PARTICLES;
    const struct pk_descent_job job = fixture_vertex_job(f, m, materials, &solve);
    for (int i = 0; i < 3; i++)
        k->descend(&job);
    if (m->model == PIOLA_MODEL_STABLE_NEO_HOOKEAN)
        k->descend_snh(&job);
    k->chebyshev(f->x, f->start, f->rest, f->plain, particles, 1.3f);
}

static void same(const char *what, int which, const char *way, const void *a, const void *b,
                 size_t bytes)
{
    char text[120];
    snprintf(text, sizeof text, "%s of case %d differ on %s", what, which, way);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a, b, bytes, text);
}

/* Runs both fixtures from the same start in every way and compares with the first. */
static void compare_ways(int which, const struct pk_material *m, uint32_t materials)
{
    struct pk_measure sum, first_sum;
    bool first = true;
    for (int i = 0; i < WAYS; i++) {
        const struct way way = way_of(i);
        const struct kernels *k = way.kernels;
        if (k == NULL)
            continue;
        tets = tets_start;
        vertices = vertices_start;
        memset(&sum, 0, sizeof sum);
        run_tets(k, &tets, m, &sum);
        run_vertices(k, &vertices, m, materials);
        if (first) {
            tets_first = tets;
            vertices_first = vertices;
            first_sum = sum;
            first = false;
        }
        same("positions", which, way.name, tets_first.x, tets.x, sizeof tets.x);
        same("multipliers", which, way.name, tets_first.multiplier, tets.multiplier,
             sizeof tets.multiplier);
        same("forces", which, way.name, tets_first.force, tets.force, sizeof tets.force);
        same("plastic strains", which, way.name, tets_first.plastic, tets.plastic,
             sizeof tets.plastic);
        same("measures", which, way.name, &first_sum, &sum, sizeof sum);
        same("vertices", which, way.name, vertices_first.x, vertices.x, sizeof vertices.x);
        same("history", which, way.name, vertices_first.rest, vertices.rest, sizeof vertices.rest);
    }
}

static void test_all_instruction_sets_give_the_same_bits(void)
{
    for (int which = 0; which < 3 * TEST_MATERIALS; which++) {
        struct pk_material m = fixture_material(which % TEST_MATERIALS, 1e4, 0.4).kernel;
        fixture_tets(&tets_start, &seed, 0.1, SHAPES);
        fixture_vertices(&vertices_start, &seed, 0.1, SHAPES);
        fixture_fold_snh(&vertices_start, &m);
        m.damping = which >= TEST_MATERIALS ? 0.01f : 0;
        if (which >= 2 * TEST_MATERIALS && m.model >= PIOLA_MODEL_STVK &&
            m.model <= PIOLA_MODEL_STVK_GENERAL) {
            m.yield = 0.05f;
            m.creep = 30;
            m.max = 0.3f;
            fixture_plastic(tets_start.plastic, TET_PACKS, &seed, 0.2);
            fixture_plastic(vertices_start.plastic, VISIT_SLOTS, &seed, 0.2);
        }
        compare_ways(which, &m, 1);
    }
}

/* Several materials in the lanes of one pack: each lane as if its material stood alone. */
static void test_mixed_materials_keep_apart(void)
{
    struct pk_material m[TEST_MATERIALS];
    for (int i = 0; i < TEST_MATERIALS; i++)
        m[i] = fixture_material(i, 1e4 * (1 + i), 0.3).kernel;
    m[2].damping = 0.02f;
    fixture_vertices(&vertices_start, &seed, 0.1, SHAPES);
    for (int i = 0; i < VISIT_SLOTS * PK_LANES; i++)
        vertices_start.visit[i / PK_LANES].material[i % PK_LANES] =
            (uint32_t)(i % PK_LANES % TEST_MATERIALS);
    compare_ways(0, m, TEST_MATERIALS);
    const struct kernels *k = kernels_for(PIOLA_ISA_AUTO);
    vertices = vertices_start;
    const struct pk_descent_job mixed = fixture_vertex_job(&vertices, m, TEST_MATERIALS, &solve);
    k->descend(&mixed);
    for (int i = 0; i < TEST_MATERIALS; i++) {
        vertices_first = vertices_start;
        memset(vertices_first.visit[0].material, 0, sizeof vertices_first.visit[0].material);
        for (int v = 0; v < VISIT_SLOTS; v++)
            memset(vertices_first.visit[v].material, 0, sizeof vertices_first.visit[v].material);
        const struct pk_descent_job alone = fixture_vertex_job(&vertices_first, &m[i], 1, &solve);
        k->descend(&alone);
        for (int v = 0; v < VERTEX_PACKS * PK_LANES; v++)
            if (v % PK_LANES % TEST_MATERIALS == i)
                same("vertices alone", i, "the widest", &vertices_first.x[v], &vertices.x[v],
                     sizeof(struct pk_quad));
    }
}

/* ---- finite, whatever the input ---- */

static bool finite_stream(const struct pk_quad *x, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i].x) || !isfinite(x[i].y) || !isfinite(x[i].z))
            return false;
    return true;
}

static void torture_state(struct pk_quad *x, int count, int state, uint64_t *random)
{
    for (int i = 0; i < count; i++) {
        const float ball = state == 4 ? 100.0f : 0.1f;
        x[i].x = state == 0 ? 0 : state == 3 ? -x[i].x : x[i].x;
        x[i].y = state <= 1 ? 0 : x[i].y;
        x[i].z = state <= 2 ? 0 : x[i].z;
        if (state >= 4) {
            x[i].x = ball * (float)ref_random(random, -1, 1);
            x[i].y = ball * (float)ref_random(random, -1, 1);
            x[i].z = ball * (float)ref_random(random, -1, 1);
        }
    }
}

static void test_no_input_makes_a_nan(void)
{
    const struct kernels *k = kernels_for(PIOLA_ISA_AUTO);
    enum { STATES = 6 }; /* point, line, plane, mirror image, two balls */
    const int most = fixture_count(STATES * 4 * TEST_MATERIALS, STATES * TEST_MATERIALS);
    for (int n = 0; n < most; n++) {
        const int state = n % STATES, which = n / STATES % TEST_MATERIALS;
        struct pk_measure sum;
        memset(&sum, 0, sizeof sum);
        struct pk_material m =
            fixture_material(which, pow(10, ref_random(&seed, 2, 9)), 0.49).kernel;
        solve.dt = (float)pow(10, ref_random(&seed, -4, -1.48));
        solve.inertia = 1 / (solve.dt * solve.dt);
        m.damping = n % 2 ? 0 : 0.01f;
        fixture_tets(&tets, &seed, 0.1, SHAPES);
        fixture_vertices(&vertices, &seed, 0.1, SHAPES);
        fixture_fold_snh(&vertices, &m);
        torture_state(tets.x, TET_PARTICLES, state, &seed);
        torture_state(vertices.x, VERTEX_PARTICLES, state, &seed);
        run_vertices(k, &vertices, &m, 1);
        TEST_ASSERT_TRUE_MESSAGE(finite_stream(vertices.x, VERTEX_PARTICLES), "descent");
        tets_first = tets;
        struct pk_element_job job = fixture_tet_job(&tets, &m, &solve);
        k->project_energy(&job);
        TEST_ASSERT_TRUE_MESSAGE(finite_stream(tets.x, TET_PARTICLES), "energy");
        k->project_compliant(&job);
        TEST_ASSERT_TRUE_MESSAGE(finite_stream(tets.x, TET_PARTICLES), "compliant");
        job.x = tets_first.x;
        job.measure = &sum;
        k->measure_tets(&job);
        TEST_ASSERT_TRUE_MESSAGE(finite_stream(tets.force, TET_PARTICLES), "measure");
    }
}

/* A body that has more materials than a pack uses takes the pack's own loop (the loop of mixed
 * packs is compared with it in test_specialised.c). */
static void test_a_material_that_no_pack_uses_changes_nothing(void)
{
    const struct kernels *k = kernels_for(PIOLA_ISA_AUTO);
    for (int which = 0; which < 2 * TEST_MATERIALS; which++) {
        struct pk_material m[2] = {fixture_material(which / 2, 1e5, 0.4).kernel};
        m[0].damping = which % 2 ? 0.01f : 0;
        m[1] = m[0];
        for (enum shape shape = SHAPE_NEAR; shape <= SHAPES; shape++) {
            fixture_vertices(&vertices, &seed, 0.1, shape);
            vertices_first = vertices;
            const struct pk_descent_job own = fixture_vertex_job(&vertices, m, 1, &solve);
            const struct pk_descent_job general = fixture_vertex_job(&vertices_first, m, 2, &solve);
            for (int i = 0; i < 3; i++) {
                k->descend(&own);
                k->descend(&general);
            }
            same("a material more", which, "the widest", vertices_first.x, vertices.x,
                 sizeof vertices.x);
        }
    }
}

/* ---- the small ones ---- */

/* The folded kernel takes the generic one's step. */
static void test_folded_descent_is_the_generic_one(void)
{
    solve.relaxation = 1; /* the folded kernel alone knows another */
    const struct kernels *k = kernels_for(PIOLA_ISA_AUTO);
    const struct pk_material m = fixture_material(0, 1e5, 0.45).kernel;
    for (enum shape shape = SHAPE_NEAR; shape <= SHAPES; shape++) {
        fixture_vertices(&vertices, &seed, 0.1, shape);
        fixture_fold_snh(&vertices, &m);
        vertices_start = vertices_first = vertices;
        const struct pk_descent_job job = fixture_vertex_job(&vertices, &m, 1, &solve);
        const struct pk_descent_job folded = fixture_vertex_job(&vertices_first, &m, 1, &solve);
        k->descend(&job);
        k->descend_snh(&folded);
        for (int v = 0; v < VERTEX_PACKS * PK_LANES; v++) {
            const struct pk_quad a = vertices.x[v], b = vertices_first.x[v],
                                 o = vertices_start.x[v];
            const double length = hypot(hypot((double)a.x - (double)o.x, (double)a.y - (double)o.y),
                                        (double)a.z - (double)o.z);
            const double error = hypot(hypot((double)a.x - (double)b.x, (double)a.y - (double)b.y),
                                       (double)a.z - (double)b.z);
            TEST_ASSERT_TRUE(error <= 2e-4 * length + 1e-6);
            if (v % PK_LANES == PINNED_LANE)
                TEST_ASSERT_EQUAL_MEMORY(&o, &b, sizeof b);
        }
    }
}

static void test_chebyshev_keeps_pins_and_history(void)
{
    const struct kernels *k = kernels_for(PIOLA_ISA_AUTO);
    const int particles = VERTEX_PACKS * PK_LANES;
    fixture_vertices(&vertices, &seed, 0.1, SHAPES);
    for (int i = 0; i < particles; i++) {
        vertices.start[i].x += 0.01f;
        vertices.rest[i].w = vertices.x[i].w;
    }
    vertices_start = vertices;
    k->chebyshev(vertices.x, vertices.start, vertices.rest, vertices.plain, (uint32_t)particles,
                 1.5f);
    for (int i = 0; i < particles; i++) {
        const struct pk_quad x = vertices_start.x[i], o = vertices_start.rest[i];
        if (i % PK_LANES == PINNED_LANE)
            TEST_ASSERT_EQUAL_MEMORY(&x, &vertices.x[i], sizeof x);
        else
            TEST_ASSERT_EQUAL_FLOAT(o.y + 1.5f * (x.y - o.y), vertices.x[i].y);
        TEST_ASSERT_EQUAL_MEMORY(&vertices_start.start[i], &vertices.rest[i], sizeof x);
        TEST_ASSERT_EQUAL_MEMORY(&vertices.x[i], &vertices.start[i], sizeof x);
        TEST_ASSERT_EQUAL_MEMORY(&x, &vertices.plain[i], sizeof x);
    }
    vertices_start = vertices;
    k->chebyshev(vertices.x, vertices.start, vertices.rest, vertices.plain, (uint32_t)particles, 1);
    TEST_ASSERT_EQUAL_MEMORY(vertices_start.x, vertices.x, (size_t)particles * sizeof *vertices.x);
}

static double norm_of(const struct pk_plastic *cell, int lane)
{
    return ref_norm(fixture_plastic_of(cell, lane));
}

/* How far the kernel's plastic strain is from the law's. At the yield point itself, to the strain's
 * rounding, an element may flow or not: there the nearer of the two counts. */
static double plastic_error(const struct pk_plastic *before, const struct pk_plastic *after,
                            int lane, ref_mat3 f)
{
    const double rounding = 1e-6 * (1 + ref_norm(f) * ref_norm(f));
    double least = (double)INFINITY;
    for (int side = -1; side <= 1; side++) {
        const ref_plasticity law = {.yield = 0.1 + side * rounding, .creep = 20, .max = 0.25};
        const ref_mat3 want =
            ref_plastic_update(&law, fixture_plastic_of(before, lane), f, (double)solve.dt);
        least = fmin(least, ref_norm(ref_add(fixture_plastic_of(after, lane), -1, want)));
    }
    return least;
}

static void test_plastic_strain_flows_and_is_bounded(void)
{
    const struct kernels *k = kernels_for(PIOLA_ISA_AUTO);
    struct test_material m = fixture_material(PIOLA_MODEL_STVK, 1e5, 0.3);
    m.kernel.yield = 0.1f;
    m.kernel.creep = 20;
    m.kernel.max = 0.25f;
    fixture_tets(&tets, &seed, 0.1, SHAPES);
    fixture_plastic(tets.plastic, TET_PACKS, &seed, 0.12);
    const struct pk_element_job job = fixture_tet_job(&tets, &m.kernel, &solve);
    for (int step = 0; step < 20; step++) {
        tets_start = tets;
        k->plastic_flow(&job);
        for (int i = 0; i < TET_PACKS * PK_LANES; i++) {
            const int p = i / PK_LANES, lane = i % PK_LANES;
            const ref_mat3 f = fixture_deformation(&tets.pack[p], lane, tets.x);
            TEST_ASSERT_TRUE(plastic_error(&tets_start.plastic[p], &tets.plastic[p], lane, f) <=
                             1e-5 * (1 + ref_norm(f)));
            TEST_ASSERT_TRUE(norm_of(&tets.plastic[p], lane) <= (double)m.kernel.max);
        }
    }
    m.kernel.creep = 1e6f; /* all of the deviator in one substep, not more */
    k->plastic_flow(&job);
    for (int i = 0; i < TET_PACKS * PK_LANES; i++)
        TEST_ASSERT_TRUE(norm_of(&tets.plastic[i / PK_LANES], i % PK_LANES) <=
                         (double)m.kernel.max);
}

/* A spring far stiffer than the elements draws each free vertex to where it rests, y + shift. */
static void stiff_springs(struct pk_quad *extra, uint32_t stride, uint32_t count)
{
    const float k = 1e12f;
    memset(extra, 0, 3 * (size_t)stride * sizeof *extra);
    for (uint32_t i = 0; i < count; i++) {
        const struct pk_quad shift = {0.01f * (float)(i % 7), -0.02f, 0.003f * (float)(i % 5), 0};
        extra[i] = (struct pk_quad){-k * shift.x - 0.5f * k * shift.y,
                                    -k * shift.y - 0.5f * k * shift.x, -k * shift.z, 0};
        extra[stride + i] = (struct pk_quad){k, k, k, 0};
        extra[2 * stride + i].z = 0.5f * k; /* xy */
    }
}

static void test_what_else_acts_on_a_vertex_takes_part_in_its_step(void)
{
    solve.relaxation = 1; /* the folded kernel alone knows another */
    static struct pk_quad extra[3 * VERTEX_PARTICLES];
    const struct pk_material m = fixture_material(0, 1e5, 0.45).kernel;
    for (piola_isa isa = PIOLA_ISA_SSE4; isa < PIOLA_ISA_COUNT; isa++) {
        if (!piola_isa_available(isa))
            continue;
        const struct kernels *k = kernels_for(isa);
        fixture_vertices(&vertices, &seed, 0.1, SHAPE_NEAR);
        fixture_fold_snh(&vertices, &m);
        vertices_first = vertices;
        stiff_springs(extra, VERTEX_PARTICLES, VERTEX_PARTICLES);
        struct pk_descent_job job = fixture_vertex_job(&vertices, &m, 1, &solve);
        struct pk_descent_job folded = fixture_vertex_job(&vertices_first, &m, 1, &solve);
        job.external = folded.external = extra;
        job.stride = folded.stride = VERTEX_PARTICLES;
        k->descend(&job);
        k->descend_snh(&folded);
        for (int v = 0; v < VERTEX_PACKS * PK_LANES; v++) {
            const struct pk_quad y = vertices.target[v];
            if (!(vertices.x[v].w > 0))
                continue;
            const float at[2][3] = {
                {vertices.x[v].x - y.x, vertices.x[v].y - y.y, vertices.x[v].z - y.z},
                {vertices_first.x[v].x - y.x, vertices_first.x[v].y - y.y,
                 vertices_first.x[v].z - y.z}};
            for (int kernel = 0; kernel < 2; kernel++) {
                TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.01f * (float)(v % 7), at[kernel][0]);
                TEST_ASSERT_FLOAT_WITHIN(1e-5f, -0.02f, at[kernel][1]);
                TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.003f * (float)(v % 5), at[kernel][2]);
            }
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    RUN_TEST(test_all_instruction_sets_give_the_same_bits);
    RUN_TEST(test_mixed_materials_keep_apart);
    RUN_TEST(test_no_input_makes_a_nan);
    RUN_TEST(test_a_material_that_no_pack_uses_changes_nothing);
    RUN_TEST(test_folded_descent_is_the_generic_one);
    RUN_TEST(test_chebyshev_keeps_pins_and_history);
    RUN_TEST(test_plastic_strain_flows_and_is_bounded);
    RUN_TEST(test_what_else_acts_on_a_vertex_takes_part_in_its_step);
    return UNITY_END();
}
