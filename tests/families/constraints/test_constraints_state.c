/* Constraints and the promises every body has: the same bits everywhere, snapshots, room that is
 * counted, descriptions and stored bytes that are refused, and no broken number.
 * covers: src/families/constraints/constraint_check.c
 */
#include "compile/build.h"
#include "families/constraints/constraints.h"
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

enum { KINDS = PIOLA_CONSTRAINT_KIND_COUNT, MOST = 600 };
static piola_constraint list[MOST];

/* A bar of rubber with constraints of all kinds on its elements' corners. */
static piola_mesh_desc described(uint32_t cells, piola_constraint_order order, uint32_t cluster)
{
    ref_mesh box;
    piola_material rubber = piola_material_default();
    TEST_ASSERT_TRUE(
        ref_mesh_beam(&box, (int[]){(int)cells, 2, 2}, (double[]){0.1 * cells, 0.2, 0.2}, 5));
    piola_mesh_desc mesh = fixture_mesh(&box, &rubber);
    ref_mesh_free(&box);
    memset(list, 0, sizeof list);
    mesh.constraints = list;
    mesh.constraint_order = order;
    mesh.cluster_limit = cluster ? 0 : mesh.cluster_limit;
    mesh.cluster_size = cluster ? cluster : mesh.cluster_size;
    for (uint32_t i = 0; i < mesh.tetrahedron_count && i < MOST; ++i) {
        piola_constraint *c = &list[mesh.constraint_count++];
        c->kind = (piola_constraint_kind)(i % KINDS);
        memcpy(c->vertices, mesh.tetrahedra + 4 * (size_t)i, sizeof c->vertices);
        c->axes[0][i % 3] = c->axes[1][(i + 1) % 3] = 1;
        c->least = i % 4 ? 1.1f : 0.7f;
        c->most = 1.2f;
        c->stiffness = i % 5 ? 1 : 0.5f;
        c->compliance = order == PIOLA_ORDER_AVERAGED || i % 5 == 0 ? 0 : 1e-6f;
    }
    return mesh;
}

static piola_world *scene(const piola_asset *asset, piola_solver solver,
                          piola_integrator integrator, piola_isa isa)
{
    piola_world_desc d = piola_world_desc_default();
    d.solver = solver;
    d.isa = isa;
    d.integrator = integrator;
    d.substeps = 2;
    d.max_packs = 2048;
    d.max_constraint_packs = 256;
    piola_world *world = fixture_world(&d);
    fixture_body(world, asset, 0, 5, 0);
    const piola_body body = fixture_body(world, asset, 0, 0, 0);
    for (uint32_t i = 0; i < 9; ++i) {
        const uint32_t row = i / 3;
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, i, 0, 0.1f * (float)row,
                     0.1f * (float)(i % 3));
    }
    return world;
}

static uint64_t play(piola_solver solver, piola_constraint_order order, piola_isa isa,
                     uint32_t cluster, uint32_t threads)
{
    const piola_mesh_desc mesh = described(8, order, cluster);
    piola_world *world = scene(fixture_compile(&mesh), solver,
                               cluster ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER, isa);
    piola_workers_desc desc = piola_workers_desc_default();
    piola_workers *workers = NULL;
    size_t bytes = 0;
    desc.threads = threads;
    fixture_ok(piola_workers_size(&desc, &bytes, NULL), NULL);
    fixture_ok(piola_workers_create(&desc, fixture_memory(bytes), bytes, &workers, NULL), NULL);
    fixture_steps(world, piola_workers_tasks(workers), 20);
    piola_workers_destroy(workers);
    const uint64_t hash = piola_world_hash(world);
    fixture_clean();
    return hash;
}

/* On every instruction set and for any number of threads, and by numbers written here, which every
 * compiler must meet: where one moves, say why in CHANGELOG.md. */
static void test_the_same_bits_everywhere(void)
{
    static const struct {
        piola_solver solver;
        piola_constraint_order order;
        uint32_t cluster;
        uint64_t golden;
    } rows[] = {
        {PIOLA_SOLVER_DESCENT, PIOLA_ORDER_SEIDEL, 0, UINT64_C(0xee187c2d2855c913)},
        {PIOLA_SOLVER_DESCENT, PIOLA_ORDER_SPLIT, 64, UINT64_C(0xd8c1aa04be2f0a0b)},
        {PIOLA_SOLVER_ENERGY, PIOLA_ORDER_AVERAGED, 0, UINT64_C(0x11689fa31665bc5f)},
        {PIOLA_SOLVER_COMPLIANT, PIOLA_ORDER_SEIDEL, 64, UINT64_C(0x92c9d22042053440)},
        {PIOLA_SOLVER_EXPLICIT, PIOLA_ORDER_SPLIT, 0, UINT64_C(0x1ec60fb0b99cfa9d)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa)
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                if (!piola_isa_available((piola_isa)isa))
                    continue;
                char text[80];
                snprintf(text, sizeof text, "row %zu on %s with %u threads", i,
                         piola_isa_name((piola_isa)isa), threads);
                TEST_ASSERT_EQUAL_HEX64_MESSAGE(
                    rows[i].golden,
                    play(rows[i].solver, rows[i].order, (piola_isa)isa, rows[i].cluster, threads),
                    text);
            }
}

/* Also after bodies before it have gone and come, and from the moved memory of a stored asset. */
static void test_a_snapshot_brings_the_same_future(void)
{
    const piola_mesh_desc mesh = described(4, PIOLA_ORDER_SPLIT, 0);
    const piola_asset *asset = fixture_compile(&mesh);
    piola_world *world = scene(asset, PIOLA_SOLVER_DESCENT, PIOLA_INTEGRATOR_BDF2, PIOLA_ISA_AUTO);
    fixture_steps(world, NULL, 5);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    fixture_steps(world, NULL, 10);
    const uint64_t hash = piola_world_hash(world);
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    fixture_steps(world, NULL, 10);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
    void *copy = fixture_memory(piola_asset_bytes(asset));
    const piola_asset *opened;
    piola_error error;
    memcpy(copy, asset, piola_asset_bytes(asset));
    fixture_ok(piola_asset_open(copy, piola_asset_bytes(asset), &opened, &error), &error);
}

static void test_full_room_is_counted_and_told(void)
{
    const piola_mesh_desc mesh = described(4, PIOLA_ORDER_SEIDEL, 0);
    const piola_asset *asset = fixture_compile(&mesh);
    piola_asset_stats stats;
    fixture_ok(piola_asset_inspect(asset, &stats), NULL);
    TEST_ASSERT_EQUAL_UINT32(mesh.constraint_count, stats.constraints);
    TEST_ASSERT_TRUE(stats.constraint_packs >= (stats.constraints + 15) / 16);
    piola_world_desc d = piola_world_desc_default();
    d.max_constraint_packs = 2 * stats.constraint_packs - 1;
    piola_world *world = fixture_world(&d);
    const piola_body first = fixture_body(world, asset, 0, 0, 0);
    piola_body second;
    piola_body_desc b = piola_body_desc_default();
    b.asset = asset;
    const uint64_t hash = piola_world_hash(world);
    piola_error error;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_CONSTRAINTS_FULL, piola_body_create(world, &b, &second, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_constraint_packs", error.field);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
    piola_capacity capacity = {.name = ""};
    for (uint32_t i = 0; strcmp(capacity.name, "max_constraint_packs") != 0; ++i)
        fixture_ok(piola_world_capacity(world, i, &capacity), NULL);
    TEST_ASSERT_EQUAL_UINT64(stats.constraint_packs, capacity.used);
    TEST_ASSERT_EQUAL_UINT64(1, capacity.dropped);
    fixture_ok(piola_body_destroy(world, first), NULL);
    fixture_ok(piola_body_create(world, &b, &second, NULL), NULL);
    fixture_ok(piola_world_desc_fit(&d, &asset, (uint32_t[]){3}, 1, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT32(3 * stats.constraint_packs, d.max_constraint_packs);
}

/* Directions that are parallel; none; no numbers. */
static void spoil_axes(piola_constraint *c, int way, piola_status *status, const char **field)
{
    c->kind = PIOLA_CONSTRAINT_SHEAR;
    memcpy(c->axes[1], c->axes[0], sizeof c->axes[1]);
    if (way > 0)
        memset(c->axes[1], 0, sizeof c->axes[1]);
    if (way > 1)
        c->axes[1][2] = NAN;
    *status = way > 1 ? PIOLA_ERROR_NOT_FINITE : PIOLA_ERROR_RANGE;
    *field = "piola_constraint.axes";
}

/* Description number `way` spoilt; false when there are no more. */
static bool spoil(piola_mesh_desc *mesh, int way, piola_status *status, const char **field)
{
    piola_constraint *c = &list[3];
    const struct {
        float *to;
        float value;
        piola_status status;
        const char *field;
    } rows[] = {
        {&c->least, NAN, PIOLA_ERROR_NOT_FINITE, "piola_constraint.least"},
        {&c->least, -1, PIOLA_ERROR_RANGE, "piola_constraint.least"},
        {&c->least, 3, PIOLA_ERROR_RANGE, "piola_constraint.most"},
        {&c->most, 0, PIOLA_ERROR_RANGE, "piola_constraint.most"},
        {&c->most, INFINITY, PIOLA_ERROR_NOT_FINITE, "piola_constraint.most"},
        {&c->compliance, -1e-9f, PIOLA_ERROR_RANGE, "piola_constraint.compliance"},
        {&c->compliance, NAN, PIOLA_ERROR_NOT_FINITE, "piola_constraint.compliance"},
        {&c->stiffness, 0, PIOLA_ERROR_RANGE, "piola_constraint.stiffness"},
        {&c->stiffness, 1.5f, PIOLA_ERROR_RANGE, "piola_constraint.stiffness"},
        {&c->stiffness, 0.5f, PIOLA_ERROR_RANGE, "piola_constraint.compliance"},
        {&mesh->constraint_relaxation, 2, PIOLA_ERROR_RANGE,
         "piola_mesh_desc.constraint_relaxation"},
        {&mesh->constraint_relaxation, NAN, PIOLA_ERROR_NOT_FINITE,
         "piola_mesh_desc.constraint_relaxation"},
    };
    const int count = (int)(sizeof rows / sizeof *rows);
    *status = PIOLA_ERROR_MESH_INDEX;
    *field = "piola_constraint.vertices";
    if (way < count) {
        *rows[way].to = rows[way].value;
        *status = rows[way].status;
        *field = rows[way].field;
    } else if (way == count) {
        c->vertices[1] = mesh->vertex_count;
    } else if (way == count + 1) {
        c->vertices[1] = c->vertices[0];
        *status = PIOLA_ERROR_MESH_REPEATED;
    } else if (way == count + 2) {
        c->kind = PIOLA_CONSTRAINT_AREA; /* of three vertices in a line */
        memcpy(c->vertices, (uint32_t[]){0, 1, 2}, 12);
        *status = PIOLA_ERROR_MESH_DEGENERATE;
    } else if (way == count + 3) {
        c->kind = (piola_constraint_kind)9;
        *status = PIOLA_ERROR_RANGE;
        *field = "piola_constraint.kind";
    } else if (way == count + 4) {
        mesh->constraint_order = PIOLA_ORDER_AVERAGED;
        *status = PIOLA_ERROR_RANGE;
        *field = "piola_constraint.compliance";
    } else if (way == count + 5) {
        mesh->constraint_order = PIOLA_ORDER_COUNT;
        *status = PIOLA_ERROR_RANGE;
        *field = "piola_mesh_desc.constraint_order";
    } else if (way == count + 6) {
        mesh->constraints = NULL;
        *status = PIOLA_ERROR_NULL;
        *field = "piola_mesh_desc.constraints";
    } else {
        spoil_axes(c, way - count - 7, status, field);
    }
    return way <= count + 9;
}

static void test_bad_descriptions_are_refused(void)
{
    piola_status status;
    const char *field;
    piola_mesh_desc mesh = described(2, PIOLA_ORDER_SEIDEL, 0);
    for (int way = 0; spoil(&mesh, way, &status, &field); ++way) {
        size_t bytes = 0;
        piola_plan *plan;
        piola_error error = {0};
        piola_status said = piola_plan_size(&mesh, &bytes, &error);
        if (said == PIOLA_OK)
            said = piola_asset_plan(&mesh, fixture_memory(bytes), bytes, &plan, &error);
        TEST_ASSERT_EQUAL_STRING(field, error.field);
        TEST_ASSERT_EQUAL(status, said);
        mesh = described(2, PIOLA_ORDER_SEIDEL, 0);
    }
}

/* Stored bytes whose checksum is made good again, but that no plan could have made. */
static void test_impossible_bytes_are_refused(void)
{
    const piola_mesh_desc mesh = described(2, PIOLA_ORDER_SEIDEL, 0);
    const piola_asset *asset = fixture_compile(&mesh);
    const size_t bytes = piola_asset_bytes(asset);
    struct piola_asset *copy = fixture_memory(bytes);
    for (int way = 0; way < 10; ++way) {
        memcpy(copy, asset, bytes);
        struct pk_constraint_pack *packs =
            (struct pk_constraint_pack *)(uintptr_t)asset_constraint_packs(copy);
        struct constraint_head *head =
            (struct constraint_head *)(uintptr_t)asset_constraint_heads(copy);
        float *shares = (float *)(uintptr_t)asset_constraint_shares(copy);
        uint32_t *index = &packs[0].index[0][0];
        float *numbers[] = {packs[0].least, packs[0].most,     packs[0].compliance,
                            packs[0].left,  &head->relaxation, shares};
        if (way < 6)
            *numbers[way] = way % 2 ? NAN : -1;
        else if (way == 6)
            *index = UINT32_MAX;
        else if (way == 7)
            packs[0].index[0][1] = packs[0].index[0][0];
        else if (way == 8)
            packs[0].kind = 5;
        else
            head->order = 3;
        copy->checksum = asset_checksum(copy);
        const piola_asset *opened;
        TEST_ASSERT_EQUAL(PIOLA_ERROR_BLOB_CORRUPT, piola_asset_open(copy, bytes, &opened, NULL));
    }
}

/* Crumpled, flattened, in a line, in a point: no broken number. */
static void test_torture_breaks_no_number(void)
{
    uint64_t seed = fixture_seed();
    for (int n = fixture_count(60, 8); n > 0; --n) {
        const piola_mesh_desc mesh =
            described(2, (piola_constraint_order)(n % PIOLA_ORDER_COUNT), 0);
        const piola_solver solver = (piola_solver[]){PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_ENERGY,
                                                     PIOLA_SOLVER_COMPLIANT}[n / 3 % 3];
        piola_world *world =
            scene(fixture_compile(&mesh), solver, PIOLA_INTEGRATOR_EULER, PIOLA_ISA_AUTO);
        float x[3 * 27];
        const int way = n / 6 % 4;
        const double size = pow(10, 1.2 * fixture_uniform(&seed) - 1);
        for (int i = 0; i < 3 * 27; ++i)
            x[i] = i % 3 < 3 - way ? (float)(size * (fixture_uniform(&seed) - 0.5)) : 0;
        fixture_ok(piola_body_set_positions(world, (piola_body){1, 1}, 0, 27, x, NULL), NULL);
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
    RUN_TEST(test_full_room_is_counted_and_told);
    RUN_TEST(test_bad_descriptions_are_refused);
    RUN_TEST(test_impossible_bytes_are_refused);
    RUN_TEST(test_torture_breaks_no_number);
    return UNITY_END();
}
