/* Hard limits and the promises every body has: the same bits everywhere, snapshots, and no broken
 * number however a body is crumpled.
 *
 * covers: src/families/limits/limits.c
 */
#include "fixture.h"
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

enum { N = 13, VERTICES = N * N };

/* A sheet a metre wide with everything: triangles with bounds of their stretch, links in a range
 * along its rows and compliant ones along a column, tethers to two corners. Without triangles when
 * it is no cloth. */
static const piola_asset *everything(uint32_t cluster, bool cloth)
{
    static double x[3 * VERTICES];
    static uint32_t triangles[6 * VERTICES], links[2 * VERTICES];
    static float bounds[2 * VERTICES], compliances[VERTICES];
    static const uint32_t anchors[2] = {0, N - 1};
    uint32_t triangle = 0, link = 0;
    for (uint32_t i = 0; i < N; ++i)
        for (uint32_t j = 0; j < N; ++j) {
            const uint32_t v = i * N + j;
            x[3 * v] = (double)j / (N - 1);
            x[3 * v + 1] = -(double)i / (N - 1);
            x[3 * v + 2] = 0.02 * ((i + 2 * j) % 3);
            if (i + 1 < N && j + 1 < N) {
                const uint32_t t[6] = {v, v + N, v + 1, v + 1, v + N, v + N + 1};
                memcpy(triangles + 3 * triangle, t, sizeof t);
                triangle += 2;
            }
            if (j + 1 < N || (j == 6 && i + 1 < N)) {
                links[2 * link] = v;
                links[2 * link + 1] = j == 6 && i + 1 < N ? v + N : v + 1;
                bounds[2 * link] = j == 6 ? 1 : 0.5f;
                bounds[2 * link + 1] = j == 6 ? 1 : 1.02f;
                compliances[link++] = j == 6 ? 1e-3f : 0;
            }
        }
    piola_material material = piola_material_default();
    material.model = PIOLA_MODEL_STVK;
    material.density = 0.3f;
    material.young = 200;
    material.poisson = 0.3f;
    material.stretch_min = 0.3f;
    material.stretch_max = 1.1f;
    piola_mesh_desc mesh = piola_mesh_desc_default();
    mesh.vertices = x;
    mesh.vertex_count = VERTICES;
    mesh.triangles = triangles;
    mesh.triangle_count = cloth ? triangle : 0;
    mesh.links = links;
    mesh.link_count = link;
    mesh.link_bounds = bounds;
    mesh.link_compliances = compliances;
    mesh.tether_anchors = anchors;
    mesh.tether_anchor_count = 2;
    mesh.materials = &material;
    mesh.material_count = 1;
    mesh.cluster_limit = cluster ? 0 : mesh.cluster_limit;
    mesh.cluster_size = cluster ? cluster : mesh.cluster_size;
    return fixture_compile(&mesh);
}

static piola_world *scene(piola_solver solver, piola_integrator integrator, piola_isa isa,
                          const piola_asset *asset, piola_body *body)
{
    piola_world_desc d = piola_world_desc_default();
    d.solver = solver;
    d.integrator = integrator;
    d.isa = isa;
    d.substeps = 2;
    d.max_packs = 1024;
    d.max_link_packs = 1024;
    piola_world *world = fixture_world(&d);
    fixture_body(world, asset, 0, 5, 0); /* a free one, whose momentum is kept */
    *body = fixture_body(world, asset, 0, 0, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, *body, 0, 0, 0, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, *body, N - 1, 0.9f, 0.1f, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, *body, VERTICES / 2, 0.1f, 0.05f, 0.3f);
    return world;
}

static piola_workers *crew(uint32_t threads)
{
    piola_workers *workers = NULL;
    piola_workers_desc wd = piola_workers_desc_default();
    wd.threads = threads;
    size_t bytes = 0;
    fixture_ok(piola_workers_size(&wd, &bytes, NULL), NULL);
    fixture_ok(piola_workers_create(&wd, fixture_memory(bytes), bytes, &workers, NULL), NULL);
    return workers;
}

static uint64_t play(piola_solver solver, piola_integrator integrator, piola_isa isa,
                     uint32_t cluster, bool cloth, uint32_t threads)
{
    piola_body body;
    piola_world *world = scene(solver, integrator, isa, everything(cluster, cloth), &body);
    piola_workers *workers = threads > 1 ? crew(threads) : NULL;
    fixture_steps(world, workers ? piola_workers_tasks(workers) : NULL, 30);
    if (workers)
        piola_workers_destroy(workers);
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    TEST_ASSERT_FALSE(info.frozen);
    const uint64_t hash = piola_world_hash(world);
    fixture_clean();
    return hash;
}

/* On every instruction set and for any number of threads; links and tethers alone also by numbers
 * written here, which every compiler must meet: where one moves, say why in CHANGELOG.md. */
static void test_the_same_bits_everywhere(void)
{
    static const struct {
        piola_solver solver;
        piola_integrator integrator;
        uint32_t cluster;
        bool cloth;
        uint64_t golden; /* of what is no cloth */
    } rows[] = {
        {PIOLA_SOLVER_DESCENT, PIOLA_INTEGRATOR_EULER, 0, true, 0},
        {PIOLA_SOLVER_DESCENT, PIOLA_INTEGRATOR_BDF2, 64, true, 0},
        {PIOLA_SOLVER_ENERGY, PIOLA_INTEGRATOR_EULER, 64, true, 0},
        {PIOLA_SOLVER_COMPLIANT, PIOLA_INTEGRATOR_EULER, 64, true, 0},
        {PIOLA_SOLVER_DESCENT, PIOLA_INTEGRATOR_EULER, 0, false, UINT64_C(0xcc6a239509c6e5cd)},
        {PIOLA_SOLVER_ENERGY, PIOLA_INTEGRATOR_EULER, 64, false, UINT64_C(0x456ffae892ebefdf)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        uint64_t expected = rows[i].golden;
        for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa)
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                if (!piola_isa_available((piola_isa)isa))
                    continue;
                char text[80];
                snprintf(text, sizeof text, "row %zu on %s with %u threads", i,
                         piola_isa_name((piola_isa)isa), threads);
                const uint64_t hash = play(rows[i].solver, rows[i].integrator, (piola_isa)isa,
                                           rows[i].cluster, rows[i].cloth, threads);
                expected = expected == 0 ? hash : expected;
                TEST_ASSERT_EQUAL_HEX64_MESSAGE(expected, hash, text);
            }
    }
}

static void test_a_snapshot_brings_the_same_future(void)
{
    piola_body body;
    piola_world *world = scene(PIOLA_SOLVER_DESCENT, PIOLA_INTEGRATOR_BDF2, PIOLA_ISA_AUTO,
                               everything(64, true), &body);
    fixture_steps(world, NULL, 5);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    fixture_steps(world, NULL, 10);
    const uint64_t hash = piola_world_hash(world);
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    fixture_steps(world, NULL, 10);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
}

/* Crumpled, flattened, in a line, in a point: no broken number. */
static void test_torture_breaks_no_number(void)
{
    uint64_t seed = fixture_seed();
    for (int n = fixture_count(120, 12); n > 0; --n) {
        static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_ENERGY,
                                               PIOLA_SOLVER_COMPLIANT};
        piola_body body;
        piola_world *world = scene(solvers[n % 3], (piola_integrator)(n / 3 % 2), PIOLA_ISA_AUTO,
                                   everything(n % 5 ? 0 : 64, n % 4 != 0), &body);
        float x[3 * VERTICES];
        const int way = n / 6 % 4;
        const double size = pow(10, 2 * fixture_uniform(&seed) - 1);
        for (int i = 0; i < 3 * VERTICES; ++i)
            x[i] = i % 3 < 3 - way ? (float)(size * (fixture_uniform(&seed) - 0.5)) : 0;
        fixture_ok(piola_body_set_positions(world, body, 0, VERTICES, x, NULL), NULL);
        piola_report report = {0};
        for (int i = 0; i < 20; ++i)
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
        TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
        fixture_clean();
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_same_bits_everywhere);
    RUN_TEST(test_a_snapshot_brings_the_same_future);
    RUN_TEST(test_torture_breaks_no_number);
    return UNITY_END();
}
