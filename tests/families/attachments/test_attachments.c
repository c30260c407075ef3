/* Attachments: springs and rigid joints to the world, glue between bodies, forces in newton, life.
 *
 * covers: src/families/attachments/
 */
#include "any_mesh.h"
#include "families/attachments/attachments.h"
#include "golden.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define G 9.81

void setUp(void)
{
    any_mesh_begin();
}

void tearDown(void)
{
    any_mesh_end();
    fixture_clean();
}

static piola_world_desc describe(piola_solver solver, uint32_t iterations)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.solver = solver;
    desc.iterations = iterations;
    desc.max_packs = 4096;
    return desc;
}

static piola_body put(piola_world *world, const piola_asset *asset, float x, float y, float damping)
{
    piola_body body;
    piola_error error = {0};
    piola_body_desc d = piola_body_desc_default();
    d.asset = asset;
    d.position[0] = x;
    d.position[1] = y;
    d.damping = damping;
    fixture_ok(piola_body_create(world, &d, &body, &error), &error);
    return body;
}

static piola_attachment_point vertex_of(piola_body body, uint32_t vertex)
{
    return (piola_attachment_point){body, 1, {vertex}, {1}};
}

static piola_attachment attach(piola_world *world, const piola_attachment_desc *desc)
{
    piola_attachment made;
    piola_error error = {0};
    fixture_ok(piola_attachment_create(world, desc, &made, &error), &error);
    return made;
}

/* A vertex to where it is. */
static piola_attachment hang(piola_world *world, piola_body body, uint32_t vertex, float compliance)
{
    piola_attachment_desc d = piola_attachment_desc_default();
    d.point = vertex_of(body, vertex);
    d.compliance = compliance;
    fixture_ok(piola_body_positions(world, body, vertex, 1, d.target), NULL);
    return attach(world, &d);
}

static piola_body_info info_of(const piola_world *world, piola_body body)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    return info;
}

static piola_attachment_info force_of(const piola_world *world, piola_attachment a)
{
    piola_attachment_info info;
    fixture_ok(piola_attachment_inspect(world, a, &info), NULL);
    return info;
}

static double length(const float v[3])
{
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                (double)v[2] * (double)v[2]);
}

/* Four threads of one compliance at the corners of a block's top carry a quarter each. */
static void check_hanging(piola_solver solver, float compliance)
{
    piola_world_desc desc = describe(solver, 15);
    piola_world *world = fixture_world(&desc);
    piola_material stiff = piola_material_default();
    stiff.young = 1e6f;
    stiff.poisson = 0.3f;
    const piola_asset *asset = fixture_beam_of(2, 2, 2, 0.05, &stiff, 0);
    const piola_body body = put(world, asset, 0, 0, 5);
    piola_attachment a[4];
    uint32_t n = 0;
    for (uint32_t v = 0; v < info_of(world, body).vertices && n < 4; ++v) {
        float x[3];
        fixture_ok(piola_body_positions(world, body, v, 1, x), NULL);
        const bool corner =
            x[1] > 0.09f && (x[0] < 0.01f || x[0] > 0.09f) && (x[2] < 0.01f || x[2] > 0.09f);
        if (corner)
            a[n++] = hang(world, body, v, compliance);
    }
    TEST_ASSERT_EQUAL_UINT32(4, n);
    fixture_steps(world, NULL, fixture_count(600, 600));
    const double weight = info_of(world, body).mass * G;
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < 4; ++i) {
        const piola_attachment_info info = force_of(world, a[i]);
        for (int k = 0; k < 3; ++k)
            sum[k] += (double)info.force[k];
        if (compliance > 0)
            for (int k = 0; k < 3; ++k) /* f = - gap / compliance */
                TEST_ASSERT_DOUBLE_WITHIN(0.01 * weight / 4, (double)(-info.gap[k] / compliance),
                                          (double)info.force[k]);
        else
            TEST_ASSERT_TRUE(length(info.gap) < 1e-4);
        if (compliance > 0)
            TEST_ASSERT_DOUBLE_WITHIN(0.01 * weight / 4 * (double)compliance,
                                      -weight / 4 * (double)compliance, (double)info.gap[1]);
    }
    printf("solver %d compliance %g: %.5f N of %.5f N\n", solver, (double)compliance, sum[1],
           weight);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * weight, weight, sum[1]);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * weight, 0, sum[0]);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * weight, 0, sum[2]);
    fixture_clean();
}

static void test_a_hung_block_pulls_with_its_weight(void)
{
    for (piola_solver solver = 0; solver < PIOLA_SOLVER_EXPLICIT; ++solver) {
        check_hanging(solver, 1e-2f);
        check_hanging(solver, 1e-4f);
        check_hanging(solver, 1e-6f);
        check_hanging(solver, 0);
    }
}

/* Two blocks of 2 x 2 x 2 cells of 0.1 m, one under the other, and the 9 vertices of the lower
 * one's top each glued to the point of the upper one's bottom where they are. */
struct glued {
    piola_body upper, lower;
    piola_attachment glue[9];
    uint32_t count;
};

static struct glued glue_blocks(piola_world *world, const piola_asset *asset, float compliance,
                                float damping)
{
    struct glued pair = {.upper = put(world, asset, 0, 0.2f, damping),
                         .lower = put(world, asset, 0, 0, damping)};
    const uint32_t vertices = info_of(world, pair.upper).vertices;
    float *up = fixture_memory(vertices * 3 * sizeof *up),
          *low = fixture_memory(vertices * 3 * sizeof *low);
    fixture_ok(piola_body_positions(world, pair.upper, 0, vertices, up), NULL);
    fixture_ok(piola_body_positions(world, pair.lower, 0, vertices, low), NULL);
    for (uint32_t v = 0; v < vertices; ++v) {
        if (low[3 * v + 1] < 0.19f)
            continue;
        piola_attachment_desc d = piola_attachment_desc_default();
        d.point = vertex_of(pair.lower, v);
        d.other.body = pair.upper;
        d.compliance = compliance;
        /* the vertex above; every other time as a corner of four vertices */
        for (uint32_t u = 0; u < vertices; ++u)
            if (fabsf(up[3 * u] - low[3 * v]) + fabsf(up[3 * u + 1] - low[3 * v + 1]) +
                    fabsf(up[3 * u + 2] - low[3 * v + 2]) <
                1e-3f)
                d.other.vertices[0] = u;
        d.other.weights[0] = 1;
        d.other.count = v % 2 ? 1 : 4;
        for (uint32_t k = 1; k < d.other.count; ++k)
            d.other.vertices[k] = (d.other.vertices[0] + k) % vertices;
        pair.glue[pair.count++] = attach(world, &d);
    }
    TEST_ASSERT_EQUAL_UINT32(9, pair.count);
    return pair;
}

static void check_glued_weight(piola_solver solver)
{
    piola_world_desc desc = describe(solver, 15);
    piola_world *world = fixture_world(&desc);
    const struct glued pair = glue_blocks(world, fixture_beam(2, 2, 2, 0.1), 0, 4);
    for (uint32_t v = 0; v < info_of(world, pair.upper).vertices; ++v) {
        float x[3];
        fixture_ok(piola_body_positions(world, pair.upper, v, 1, x), NULL);
        if (x[1] > 0.39f)
            fixture_push(world, PIOLA_COMMAND_BODY_PIN, pair.upper, v, x[0], x[1], x[2]);
    }
    fixture_steps(world, NULL, 600);
    const double weight = info_of(world, pair.lower).mass * G;
    double sum = 0, gap = 0;
    for (int step = 0; step < 100; ++step) { /* ENERGY never rests: its mean counts */
        fixture_steps(world, NULL, 1);
        for (uint32_t i = 0; i < pair.count; ++i) {
            const piola_attachment_info info = force_of(world, pair.glue[i]);
            sum += (double)info.force[1] / 100;
            gap = fmax(gap, length(info.gap));
        }
    }
    printf("solver %d: glue carries %.5f N of %.5f N, gap %.3g m\n", solver, sum, weight, gap);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * weight, weight, sum);
    TEST_ASSERT_TRUE(gap < 1e-4);
    fixture_clean();
}

static void test_glue_carries_the_weight_of_what_hangs_on_it(void)
{
    for (piola_solver solver = 0; solver < PIOLA_SOLVER_EXPLICIT; ++solver)
        check_glued_weight(solver);
}

static void check_free_pair(piola_solver solver, uint32_t iterations, float compliance,
                            double tolerance)
{
    piola_world_desc desc = describe(solver, iterations);
    desc.gravity[1] = 0;
    piola_world *world = fixture_world(&desc);
    const struct glued pair = glue_blocks(world, fixture_beam(2, 2, 2, 0.1), compliance, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, pair.lower, 0, 2, 1, -3);
    fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, pair.upper, 20, -5, 2, 1);
    fixture_steps(world, NULL, 100);
    const piola_body_info a = info_of(world, pair.upper), b = info_of(world, pair.lower);
    const double expected[3] = {-3, 3, -2};
    printf("solver %d, %u iterations, compliance %g: momentum %.5f %.5f %.5f\n", solver, iterations,
           (double)compliance, a.momentum[0] + b.momentum[0], a.momentum[1] + b.momentum[1],
           a.momentum[2] + b.momentum[2]);
    for (int k = 0; k < 3; ++k)
        TEST_ASSERT_DOUBLE_WITHIN(tolerance, expected[k], a.momentum[k] + b.momentum[k]);
    TEST_ASSERT_TRUE(a.centre[1] - b.centre[1] < 0.35); /* still together */
    fixture_clean();
}

static void test_glued_bodies_keep_their_momentum(void)
{
    check_free_pair(PIOLA_SOLVER_ENERGY, 10, 0, 1e-3);
    check_free_pair(PIOLA_SOLVER_COMPLIANT, 10, 0, 1e-3);
    check_free_pair(PIOLA_SOLVER_COMPLIANT, 10, 1e-5f, 1e-3);
    check_free_pair(PIOLA_SOLVER_DESCENT, 10, 0, 1e-3);
    check_free_pair(PIOLA_SOLVER_DESCENT, 10, 1e-5f, 1e-3);
}

/* A sheet that hangs with two corners on points of a block's tetrahedron, the block on four pins.
 */
static void check_sheet(piola_solver solver)
{
    piola_world_desc desc = describe(solver, 20);
    piola_world *world = fixture_world(&desc);
    const piola_body block = put(world, fixture_beam(10, 1, 1, 0.1), 0, 0, 4);
    for (uint32_t v = 0; v < info_of(world, block).vertices; ++v) {
        float x[3];
        fixture_ok(piola_body_positions(world, block, v, 1, x), NULL);
        if (x[1] > 0.09f)
            fixture_push(world, PIOLA_COMMAND_BODY_PIN, block, v, x[0], x[1], x[2]);
    }
    TEST_ASSERT_TRUE(
        meshgen_cloth(&any_mesh, (const double[2]){1, 1}, (const uint32_t[2]){6, 6}, false));
    for (uint32_t i = 0; i < any_mesh.vertex_count; ++i) { /* it hangs from the start */
        any_mesh.vertices[3 * i + 1] = -any_mesh.vertices[3 * i + 2];
        any_mesh.vertices[3 * i + 2] = 0;
    }
    piola_mesh_desc mesh = any_mesh_describe();
    any_materials[0].model = PIOLA_MODEL_STVK;
    any_materials[0].young = 500;
    any_materials[0].poisson = 0.3f;
    any_materials[0].density = 0.3f;
    const piola_body sheet = put(world, fixture_compile(&mesh), 0, 0, 4);
    const uint32_t vertices = info_of(world, block).vertices;
    float *up = fixture_memory(vertices * 3 * sizeof *up);
    fixture_ok(piola_body_positions(world, block, 0, vertices, up), NULL);
    piola_attachment a[2];
    for (uint32_t k = 0; k < 2; ++k) { /* to the middle of two of the block's lower edges */
        piola_attachment_desc d = piola_attachment_desc_default();
        for (uint32_t v = 0; v < any_mesh.vertex_count; ++v)
            if (fabs(any_mesh.vertices[3 * v] - k) + fabs(any_mesh.vertices[3 * v + 1]) < 1e-6)
                d.point = vertex_of(sheet, v);
        d.other.body = block;
        for (uint32_t v = 0; v < vertices; ++v)
            if (fabsf(up[3 * v] - (float)k) + fabsf(up[3 * v + 1]) < 1e-4f)
                d.other.vertices[d.other.count++] = v;
        TEST_ASSERT_EQUAL_UINT32(2, d.other.count);
        d.other.weights[0] = d.other.weights[1] = 0.5f;
        a[k] = attach(world, &d);
    }
    fixture_steps(world, NULL, 500);
    double sum = 0, gap = 0;
    for (int step = 0; step < 100; ++step) {
        fixture_steps(world, NULL, 1);
        for (int k = 0; k < 2; ++k) {
            const piola_attachment_info info = force_of(world, a[k]);
            sum += (double)info.force[1] / 100;
            gap = fmax(gap, length(info.gap));
        }
    }
    const double weight = info_of(world, sheet).mass * G;
    printf("solver %d: the sheet hangs with %.5f N of %.5f N, gap %.3g m\n", solver, sum, weight,
           gap);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * weight, weight, sum);
    TEST_ASSERT_TRUE(gap < 1e-4);
    any_mesh_end();
    fixture_clean();
}

static void test_cloth_hangs_on_a_solid(void)
{
    check_sheet(PIOLA_SOLVER_DESCENT);
    check_sheet(PIOLA_SOLVER_ENERGY);
    check_sheet(PIOLA_SOLVER_COMPLIANT);
}

/* A soft block of 64 kg that swings on one vertex. One iteration of a projection moves no more than
 * that vertex's own momentum: only descent is asked for it. */
static void test_a_block_on_one_vertex_stays_in_hand(void)
{
    for (piola_solver solver = 0; solver < PIOLA_SOLVER_EXPLICIT; ++solver)
        for (uint32_t iterations = solver == PIOLA_SOLVER_DESCENT ? 1 : 7; iterations < 20;
             iterations += 6) {
            piola_world_desc desc = describe(solver, iterations);
            piola_world *world = fixture_world(&desc);
            const piola_body body = put(world, fixture_beam(4, 4, 4, 0.1), 0, 0, 0);
            const piola_attachment a = hang(world, body, 0, iterations == 7 ? 1e-5f : 0);
            piola_report report;
            for (int i = 0; i < 400; ++i) {
                fixture_ok(piola_world_step(world, NULL, &report), NULL);
                TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
            }
            const piola_body_info info = info_of(world, body);
            TEST_ASSERT_TRUE(info.kinetic_energy < info.mass * G * 3);
            TEST_ASSERT_TRUE(length(force_of(world, a).force) < 20 * info.mass * G);
            fixture_clean();
        }
}

/* A target that moves takes the body along, evenly over the substeps. */
static void test_a_moving_target_takes_the_body_along(void)
{
    for (piola_solver solver = 0; solver < PIOLA_SOLVER_EXPLICIT; ++solver) {
        piola_world_desc desc = describe(solver, 10);
        desc.gravity[1] = 0;
        desc.substeps = 4;
        piola_world *world = fixture_world(&desc);
        const piola_body body = put(world, fixture_beam(1, 1, 1, 0.1), 0, 0, 2);
        const piola_attachment a = hang(world, body, 3, 0);
        float x[3], at[3];
        fixture_ok(piola_body_positions(world, body, 3, 1, x), NULL);
        const piola_body handle = {a.index, a.generation};
        for (int i = 1; i <= 400; ++i) {
            fixture_push(world, PIOLA_COMMAND_ATTACHMENT_TARGET, handle, 0,
                         x[0] + 0.005f * (float)i, x[1], x[2]);
            fixture_steps(world, NULL, 1);
        }
        fixture_ok(piola_body_positions(world, body, 3, 1, at), NULL);
        TEST_ASSERT_FLOAT_WITHIN(1e-4f, x[0] + 2, at[0]);
        const piola_body_info info = info_of(world, body);
        TEST_ASSERT_DOUBLE_WITHIN(0.05, 1, info.momentum[0] / info.mass); /* 1 m/s */
        fixture_push(world, PIOLA_COMMAND_ATTACHMENT_DETACH, handle, 0, 0, 0, 0);
        fixture_steps(world, NULL, 1);
        TEST_ASSERT_FALSE(piola_attachment_alive(world, a));
        fixture_clean();
    }
}

static uint64_t play(piola_solver solver, piola_isa isa, uint32_t threads, uint32_t cluster)
{
    piola_world_desc desc = describe(solver, 4);
    desc.isa = isa;
    desc.substeps = 2;
    piola_world *world = fixture_world(&desc);
    const piola_asset *asset = fixture_beam_of(6, 2, 2, 0.1, NULL, cluster);
    const piola_body a = put(world, asset, 0, 0, 0), b = put(world, asset, 0, 0.3f, 0);
    piola_attachment_desc d = piola_attachment_desc_default();
    d.point = (piola_attachment_point){a, 3, {2, 5, 9}, {0.2f, 0.5f, 0.3f}};
    d.other = (piola_attachment_point){b, 4, {1, 3, 4, 8}, {0.1f, 0.2f, 0.3f, 0.4f}};
    attach(world, &d);
    d.compliance = 1e-4f;
    d.point = vertex_of(a, 40);
    d.other = vertex_of(a, 7);
    attach(world, &d);
    hang(world, b, 50, 1e-3f);
    hang(world, b, 0, 0);
    piola_workers *workers = golden_workers(threads);
    fixture_steps(world, piola_workers_tasks(workers), 8);
    piola_workers_destroy(workers);
    const uint64_t hash = piola_world_hash(world);
    fixture_clean();
    return hash;
}

static void test_same_bits_on_all_sets_and_threads(void)
{
    for (uint32_t cluster = 0; cluster <= 64; cluster += 64)
        for (int solver = 0; solver < 3; ++solver) {
            const uint64_t first = play((piola_solver)solver, PIOLA_ISA_AUTO, 1, cluster);
            for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa)
                for (uint32_t threads = 1; threads < 4 && piola_isa_available((piola_isa)isa);
                     ++threads)
                    TEST_ASSERT_EQUAL_HEX64(
                        first, play((piola_solver)solver, (piola_isa)isa, threads, cluster));
        }
}

static void test_attachments_end_with_their_bodies(void)
{
    piola_world_desc desc = describe(PIOLA_SOLVER_DESCENT, 4);
    desc.max_attachments = 2;
    piola_world *world = fixture_world(&desc);
    const piola_asset *asset = fixture_beam(2, 1, 1, 0.1);
    const piola_body a = put(world, asset, 0, 0, 0), b = put(world, asset, 0, 1, 0);
    piola_attachment_desc d = piola_attachment_desc_default();
    d.point = vertex_of(a, 1);
    d.other = vertex_of(b, 2);
    const piola_attachment glue = attach(world, &d), own = hang(world, a, 0, 0);
    piola_attachment full;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_ATTACHMENTS_FULL,
                      piola_attachment_create(world, &d, &full, NULL));
    fixture_steps(world, NULL, 2);
    TEST_ASSERT_TRUE(world_coupled(world, a.index - 1) && world_coupled(world, b.index - 1));
    fixture_ok(piola_body_destroy(world, b), NULL);
    TEST_ASSERT_FALSE(piola_attachment_alive(world, glue));
    TEST_ASSERT_TRUE(piola_attachment_alive(world, own));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_attachment_destroy(world, glue));
    fixture_ok(piola_attachment_destroy(world, own), NULL);
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_FALSE(world_coupled(world, a.index - 1));
    const piola_attachment again = hang(world, a, 0, 0);
    TEST_ASSERT_TRUE(again.generation > 1);
    piola_attachment_info info;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_attachment_inspect(world, glue, &info));
    fixture_steps(world, NULL, 2);
}

static void test_snapshots_and_records_know_attachments(void)
{
    piola_world_desc desc = describe(PIOLA_SOLVER_DESCENT, 4);
    piola_world *world = fixture_world(&desc), *other = fixture_world(&desc);
    const piola_asset *asset = fixture_beam(2, 1, 1, 0.1);
    fixture_ok(piola_world_add_asset(other, asset), NULL);
    const piola_body body = put(world, asset, 0, 0, 0);
    const piola_attachment a = hang(world, body, 0, 0);
    fixture_steps(world, NULL, 3);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes), *record = fixture_memory(65536);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    fixture_ok(piola_record_begin(world, record, 65536), NULL);
    const piola_body handle = {a.index, a.generation};
    fixture_push(world, PIOLA_COMMAND_ATTACHMENT_TARGET, handle, 0, 0.1f, 0, 0);
    fixture_steps(world, NULL, 3);
    fixture_push(world, PIOLA_COMMAND_ATTACHMENT_DETACH, handle, 0, 0, 0, 0);
    fixture_steps(world, NULL, 3);
    size_t used;
    fixture_ok(piola_record_end(world, &used), NULL);
    fixture_ok(piola_snapshot_restore(other, snapshot, bytes), NULL);
    TEST_ASSERT_TRUE(piola_attachment_alive(other, a));
    uint64_t difference = 1;
    fixture_ok(piola_record_play(other, NULL, record, used, &difference, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, difference);
    TEST_ASSERT_EQUAL_HEX64(piola_world_hash(world), piola_world_hash(other));
}

static void refuse(piola_world *world, const piola_attachment_desc *d, piola_status expected,
                   const char *field)
{
    piola_attachment made;
    piola_error error = {0};
    const uint64_t before = piola_world_hash(world);
    TEST_ASSERT_EQUAL(expected, piola_attachment_create(world, d, &made, &error));
    TEST_ASSERT_EQUAL_STRING(field, error.field);
    TEST_ASSERT_EQUAL_HEX64(before, piola_world_hash(world));
}

static void test_bad_input_is_refused(void)
{
    piola_world_desc desc = describe(PIOLA_SOLVER_DESCENT, 4);
    piola_world *world = fixture_world(&desc);
    const piola_body body = put(world, fixture_beam(1, 1, 1, 0.1), 0, 0, 0);
    piola_attachment_desc good = piola_attachment_desc_default(), d;
    good.point = (piola_attachment_point){body, 2, {0, 1}, {0.5f, 0.5f}};
    d = good;
    d.cookie_ = 0;
    refuse(world, &d, PIOLA_ERROR_COOKIE, "piola_attachment_desc");
    d = good;
    d.point.body.generation = 9;
    refuse(world, &d, PIOLA_ERROR_STALE, "piola_attachment_desc.point.body");
    d = good;
    d.point.vertices[1] = 1000;
    refuse(world, &d, PIOLA_ERROR_RANGE, "piola_attachment_desc.point.vertices");
    d.point.vertices[1] = 0;
    refuse(world, &d, PIOLA_ERROR_RANGE, "piola_attachment_desc.point.vertices");
    d = good;
    d.point.count = 5;
    refuse(world, &d, PIOLA_ERROR_RANGE, "piola_attachment_desc.point.vertices");
    d = good;
    d.point.weights[0] = NAN;
    refuse(world, &d, PIOLA_ERROR_NOT_FINITE, "piola_attachment_desc.point.weights");
    d.point.weights[0] = 0.7f;
    refuse(world, &d, PIOLA_ERROR_RANGE, "piola_attachment_desc.point.weights");
    d = good;
    d.other = vertex_of(body, 1);
    refuse(world, &d, PIOLA_ERROR_RANGE, "piola_attachment_desc.other.vertices");
    d = good;
    d.compliance = -1;
    refuse(world, &d, PIOLA_ERROR_RANGE, "piola_attachment_desc.compliance");
    d = good;
    d.target[1] = INFINITY;
    refuse(world, &d, PIOLA_ERROR_NOT_FINITE, "piola_attachment_desc.target");
    attach(world, &good);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_hung_block_pulls_with_its_weight);
    RUN_TEST(test_glue_carries_the_weight_of_what_hangs_on_it);
    RUN_TEST(test_glued_bodies_keep_their_momentum);
    RUN_TEST(test_cloth_hangs_on_a_solid);
    RUN_TEST(test_a_block_on_one_vertex_stays_in_hand);
    RUN_TEST(test_a_moving_target_takes_the_body_along);
    RUN_TEST(test_same_bits_on_all_sets_and_threads);
    RUN_TEST(test_attachments_end_with_their_bodies);
    RUN_TEST(test_snapshots_and_records_know_attachments);
    RUN_TEST(test_bad_input_is_refused);
    return UNITY_END();
}
