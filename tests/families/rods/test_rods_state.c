/* Rods and the promises every body has: the same bits everywhere, snapshots, holes, what is refused
 * and what has no room, and no broken number.
 * covers: src/families/rods/rod_calls.c src/families/rods/rod_check.c
 * covers: src/families/rods/rod_plan.c src/families/rods/rod_verify.c
 */
#include "compile/build.h"
#include "families/rods/rods.h"
#include "resume.h"
#include "rod_fixture.h"
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

static piola_rod rod;

/* A trunk with a ring in it, a fork and two twigs. */
static piola_mesh_desc described(void)
{
    static const double vertices[] = {0, 0, 0, 1, 0, 0, 2, 0,   0,  2.5, 1,  0,
                                      3, 0, 0, 4, 0, 0, 5, 0.5, .2, 5,   -1, 0};
    static const uint32_t segments[] = {0, 1, 2, 1, 2, 3, 3, 4, 4, 2, 4, 5, 5, 6, 7, 5};
    rod = piola_rod_default();
    rod.radius = 0.05f;
    rod.curvature[1] = 0.1f;
    piola_mesh_desc mesh = piola_mesh_desc_default();
    mesh.vertices = vertices;
    mesh.vertex_count = 8;
    mesh.segments = segments;
    mesh.segment_count = 8;
    mesh.rods = &rod;
    mesh.rod_count = 1;
    return mesh;
}

static piola_world *scene(const piola_asset *asset, piola_isa isa, piola_integrator integrator,
                          piola_body *body)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.isa = isa;
    desc.integrator = integrator;
    desc.substeps = 2;
    desc.report_physics = true;
    desc.rods = true;
    desc.max_particles = 4096;
    piola_world *world = fixture_world(&desc);
    fixture_body(world, asset, 0, 5, 0);
    *body = fixture_body(world, asset, 0, 0, 0);
    fixture_ok(piola_body_pin(world, *body, 0, (const float[]){0, 0, 0}), NULL);
    fixture_ok(piola_body_clamp(world, *body, 0, (const float[]){0, 0, 0, 1}), NULL);
    fixture_ok(piola_body_clamp(world, *body, 6, (const float[]){0.6f, 0, 0, 0.8f}), NULL);
    return world;
}

static uint64_t play(piola_isa isa, piola_integrator integrator, uint32_t threads, bool resumed)
{
    const piola_mesh_desc mesh = described();
    piola_body body;
    piola_world *world = scene(fixture_compile(&mesh), isa, integrator, &body);
    piola_workers_desc desc = piola_workers_desc_default();
    piola_workers *workers = NULL;
    piola_report report;
    size_t bytes = 0;
    desc.threads = threads;
    fixture_ok(piola_workers_size(&desc, &bytes, NULL), NULL);
    fixture_ok(piola_workers_create(&desc, fixture_memory(bytes), bytes, &workers, NULL), NULL);
    uint64_t hash = 0;
    for (int i = 0; i < 20; i++) {
        if (resumed)
            resume(world, resume_garbage[i % RESUME_GARBAGE]);
        fixture_ok(piola_world_step(world, piola_workers_tasks(workers), &report), NULL);
        TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
        uint64_t bits;
        memcpy(&bits, &report.residual, sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    }
    piola_workers_destroy(workers);
    hash ^= piola_world_hash(world);
    fixture_clean();
    return hash;
}

/* On every instruction set, for any number of threads, through snapshots, and by numbers written
 * here, which every compiler must meet: where one moves, say why in CHANGELOG.md. */
static void test_the_same_bits_everywhere(void)
{
    static const uint64_t golden[] = {UINT64_C(0x5072a8118221840e), UINT64_C(0xd5a9ada92525ead4)};
    for (int way = 0; way < 2; way++)
        for (int isa = 1; isa < PIOLA_ISA_COUNT; isa++)
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                if (!piola_isa_available((piola_isa)isa))
                    continue;
                char text[80];
                snprintf(text, sizeof text, "row %d on %s with %u threads", way,
                         piola_isa_name((piola_isa)isa), threads);
                const piola_integrator integrator =
                    way ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER;
                TEST_ASSERT_EQUAL_HEX64_MESSAGE(
                    golden[way], play((piola_isa)isa, integrator, threads, threads == 3), text);
            }
}

/* Bodies go, others move into their place, and go on as they would have. */
static void test_holes_are_closed(void)
{
    const piola_mesh_desc mesh = described();
    const piola_asset *asset = fixture_compile(&mesh);
    float way[2][24], turn[2][32];
    for (int closed = 0; closed < 2; closed++) {
        piola_body body;
        piola_world *world = scene(asset, PIOLA_ISA_AUTO, PIOLA_INTEGRATOR_EULER, &body);
        fixture_steps(world, NULL, 3);
        fixture_ok(piola_body_destroy(world, (piola_body){1, 1}), NULL);
        if (closed)
            fixture_ok(piola_world_compact(world), NULL);
        fixture_steps(world, NULL, 10);
        fixture_ok(piola_body_positions(world, body, 0, 8, way[closed]), NULL);
        fixture_ok(piola_body_turns(world, body, 0, 8, turn[closed]), NULL);
        fixture_ok(piola_body_destroy(world, body), NULL);
    }
    TEST_ASSERT_EQUAL_MEMORY(way[0], way[1], sizeof way[0]);
    TEST_ASSERT_EQUAL_MEMORY(turn[0], turn[1], sizeof turn[0]);
}

static void test_worlds_without_rods_refuse_them(void)
{
    const piola_mesh_desc mesh = described();
    const piola_asset *asset = fixture_compile(&mesh);
    piola_world_desc desc = piola_world_desc_default();
    piola_body_desc b = piola_body_desc_default();
    piola_error error;
    piola_body body;
    b.asset = asset;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RODS, piola_body_create(fixture_world(&desc), &b, &body, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.rods", error.field);
    desc.rods = true;
    desc.solver = PIOLA_SOLVER_ENERGY;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SOLVER,
                      piola_body_create(fixture_world(&desc), &b, &body, &error));
    fixture_ok(piola_world_desc_fit(&desc, &asset, NULL, 1, NULL), NULL);
    desc.solver = PIOLA_SOLVER_DESCENT;
    TEST_ASSERT_TRUE(desc.rods);
    piola_world *world = fixture_world(&desc);
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_BODIES_FULL, piola_body_create(world, &b, &body, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE,
                      piola_body_turns(world, (piola_body){1, 1}, 8, 1, (float[4]){0}));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE,
                      piola_body_clamp(world, (piola_body){1, 1}, 0, (const float[]){0, 0, 0, 2}));
    fixture_ok(piola_body_clamp(world, (piola_body){1, 1}, 99, (const float[]){0, 0, 0, 1}), NULL);
    piola_report report;
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, report.commands_refused);
}

/* The mesh in what is no number of a rod's, in the order of `others` below. */
static void wrong_mesh(piola_mesh_desc *mesh, int way)
{
    static const double pair[] = {0, 0, 0, 0, 0, 0};
    static const uint32_t wrong[][2] = {{0, 9}, {1, 1}, {0, 1}}, far[] = {1, 0, 0, 0, 0, 0, 0, 0};
    static const float along[24] = {1}, crossed[24] = {NAN};
    if (way < 3) {
        mesh->segments = wrong[way];
        mesh->segment_count = 1;
        mesh->vertices = way == 2 ? pair : mesh->vertices;
        mesh->vertex_count = way == 2 ? 2 : mesh->vertex_count;
    }
    mesh->segment_rods = way == 3 ? far : mesh->segment_rods;
    mesh->segment_directions = way == 4 ? along : way == 5 ? crossed : mesh->segment_directions;
    mesh->rods = way == 6 ? NULL : mesh->rods;
    mesh->rod_count = way == 7 ? 0 : 1;
    if (way == 8) {
        mesh->links = wrong[2];
        mesh->link_count = 1;
    }
    mesh->segment_count = way == 9 ? 9 : way == 11 ? 6 : mesh->segment_count;
    mesh->compile_for = way == 10 ? PIOLA_COMPILE_FOR_PROJECTION : mesh->compile_for;
    rod.cookie_ = way == 12 ? 0 : rod.cookie_;
}

/* Description number `way` spoilt; false when there are no more. */
static bool spoil(piola_mesh_desc *mesh, int way, piola_status *status, const char **field)
{
    const struct {
        float *to;
        float value;
        piola_status status;
        const char *field;
    } rows[] = {
        {&rod.radius, 0, PIOLA_ERROR_RANGE, "piola_rod.radius"},
        {&rod.density, NAN, PIOLA_ERROR_NOT_FINITE, "piola_rod.density"},
        {&rod.young, -1, PIOLA_ERROR_RANGE, "piola_rod.young"},
        {&rod.poisson, 0.5f, PIOLA_ERROR_RANGE, "piola_rod.poisson"},
        {&rod.stretch, -1, PIOLA_ERROR_RANGE, "piola_rod.stretch"},
        {&rod.twist, INFINITY, PIOLA_ERROR_NOT_FINITE, "piola_rod.twist"},
        {&rod.curvature[2], 1e9f, PIOLA_ERROR_RANGE, "piola_rod.curvature"},
    };
    const int count = (int)(sizeof rows / sizeof *rows);
    const struct {
        piola_status status;
        const char *field;
    } others[] = {
        {PIOLA_ERROR_MESH_INDEX, "piola_mesh_desc.segments"},
        {PIOLA_ERROR_MESH_REPEATED, "piola_mesh_desc.segments"},
        {PIOLA_ERROR_MESH_DEGENERATE, "piola_mesh_desc.segments"},
        {PIOLA_ERROR_MESH_MATERIAL, "piola_mesh_desc.segment_rods"},
        {PIOLA_ERROR_MESH_FRAME, "piola_mesh_desc.segment_directions"},
        {PIOLA_ERROR_NOT_FINITE, "piola_mesh_desc.segment_directions"},
        {PIOLA_ERROR_NULL, "piola_mesh_desc.rods"},
        {PIOLA_ERROR_RANGE, "piola_mesh_desc.rod_count"},
        {PIOLA_ERROR_MESH_RODS, "piola_mesh_desc.segment_count"},
        {PIOLA_ERROR_MESH_RODS, "piola_mesh_desc.segment_count"},
        {PIOLA_ERROR_COMPILE_FOR, "piola_mesh_desc.compile_for"},
        {PIOLA_ERROR_MESH_ISOLATED, "piola_mesh_desc.vertices"},
        {PIOLA_ERROR_COOKIE, "piola_mesh_desc.rods"},
    };
    if (way < count) {
        *rows[way].to = rows[way].value;
        *status = rows[way].status;
        *field = rows[way].field;
        return true;
    }
    way -= count;
    if (way >= (int)(sizeof others / sizeof *others))
        return false;
    *status = others[way].status;
    *field = others[way].field;
    wrong_mesh(mesh, way);
    return true;
}

static void test_bad_descriptions_are_refused(void)
{
    piola_status status;
    const char *field;
    piola_mesh_desc mesh = described();
    for (int way = 0; spoil(&mesh, way, &status, &field); way++) {
        size_t bytes = 0;
        piola_plan *plan;
        piola_error error = {0};
        piola_status said = piola_plan_size(&mesh, &bytes, &error);
        if (said == PIOLA_OK)
            said = piola_asset_plan(&mesh, fixture_memory(bytes), bytes, &plan, &error);
        TEST_ASSERT_EQUAL_STRING(field, error.field);
        TEST_ASSERT_EQUAL(status, said);
        mesh = described();
    }
}

/* As many segments as vertices may all be in one net, beside lone rods: too many rings for it. */
static void test_a_net_is_refused(void)
{
    enum { SIDE = 20, LONE = SIDE * SIDE };
    static double vertices[3 * (SIDE * SIDE + LONE * 2)];
    static uint32_t segments[4 * SIDE * SIDE + 2 * LONE];
    piola_mesh_desc mesh = described();
    mesh.vertices = vertices;
    mesh.segments = segments;
    mesh.segment_count = 0;
    for (uint32_t i = 0; i < SIDE * SIDE + 2 * LONE; i++) {
        const uint32_t row = i / SIDE;
        vertices[3 * i] = i % SIDE;
        vertices[3 * i + 1] = row;
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        for (uint32_t way = 0; way < 2; way++) {
            if (way == 0 ? i % SIDE == SIDE - 1 : i / SIDE == SIDE - 1)
                continue;
            segments[2 * mesh.segment_count] = i;
            segments[2 * mesh.segment_count++ + 1] = i + (way ? SIDE : 1);
        }
    mesh.vertex_count = SIDE * SIDE;
    size_t bytes = 0;
    piola_plan *plan;
    piola_error error = {0};
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MESH_RODS, piola_plan_size(&mesh, &bytes, &error));
    for (uint32_t i = 0; i < LONE; i++) {
        segments[2 * mesh.segment_count] = mesh.vertex_count++;
        segments[2 * mesh.segment_count++ + 1] = mesh.vertex_count++;
    }
    fixture_ok(piola_plan_size(&mesh, &bytes, &error), &error);
    const piola_status said = piola_asset_plan(&mesh, fixture_memory(bytes), bytes, &plan, &error);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MESH_RODS, said);
}

/* Stored bytes whose checksum is made good again, but that no plan could have made. */
static void test_impossible_bytes_are_refused(void)
{
    const piola_mesh_desc mesh = described();
    const piola_asset *asset = fixture_compile(&mesh);
    const size_t bytes = piola_asset_bytes(asset);
    struct piola_asset *copy = fixture_memory(bytes);
    for (int way = 0; way < 13; way++) {
        memcpy(copy, asset, bytes);
        struct rod_segment *s = (struct rod_segment *)(uintptr_t)asset_rod_segments(copy);
        struct rod_joint *j = (struct rod_joint *)(uintptr_t)asset_rod_joints(copy);
        struct rod_place *p = (struct rod_place *)(uintptr_t)asset_rod_places(copy);
        uint32_t *later = (uint32_t *)(uintptr_t)asset_rod_later(copy);
        float *numbers[] = {&s->length,       &s->stretch[1],  &s->bend[2], &s->inertia[0],
                            &j->stiffness[1], &j->frame[1][3], &s->rest[0]};
        uint32_t *indices[] = {&s[2].end[1], &j->segment[0], &p[3].node,
                               &p[3].first,  &p[3].place,    &later[2]};
        if (way < 7)
            *numbers[way] = way % 2 ? NAN : -3;
        else
            *indices[way - 7] = way % 2 ? UINT32_MAX : *indices[way - 7] + 1;
        copy->checksum = asset_checksum(copy);
        const piola_asset *opened;
        TEST_ASSERT_EQUAL(PIOLA_ERROR_BLOB_CORRUPT, piola_asset_open(copy, bytes, &opened, NULL));
    }
}

static void test_impossible_snapshots_are_refused(void)
{
    const piola_mesh_desc mesh = described();
    piola_body body;
    piola_world *world =
        scene(fixture_compile(&mesh), PIOLA_ISA_AUTO, PIOLA_INTEGRATOR_EULER, &body);
    fixture_steps(world, NULL, 2);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    const uint32_t first = body_find(world, body)->first;
    float *numbers[] = {&world_rod_turns(world)[first].x, &world_rod_spins(world)[first].y,
                        &world_rod_forces(world)[first].z, &world_rod_clamps(world)[first].at[0][3],
                        &world_rod_clamps(world)[first].to[1][3]};
    const uint64_t hash = piola_world_hash(world);
    for (int way = 0; way < 10; way++) {
        const float kept = *numbers[way / 2];
        /* Any spin and force that is a number is possible. */
        if (way == 3 || way == 5)
            continue;
        *numbers[way / 2] = way % 2 ? 3 : NAN;
        fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
        *numbers[way / 2] = kept;
        TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_FORMAT,
                          piola_snapshot_restore(world, snapshot, bytes));
        TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
    }
}

/* Crumpled, flattened, in a line, in a point, and thrown: no broken number, and no energy from
 * nothing. */
static void test_torture_breaks_no_number(void)
{
    uint64_t seed = fixture_seed();
    const piola_mesh_desc mesh = described();
    for (int n = fixture_count(24, 4); n > 0; n--) {
        rod = piola_rod_default();
        rod.radius = (float)pow(10, -3 + 2 * fixture_uniform(&seed));
        rod.young = (float)pow(10, 4 + 7 * fixture_uniform(&seed));
        const piola_asset *asset = fixture_compile(&mesh);
        piola_body body;
        piola_world *world = scene(asset, PIOLA_ISA_AUTO,
                                   n % 2 ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER, &body);
        float x[24], v[24];
        const double size = pow(10, 1.2 * fixture_uniform(&seed) - 1);
        for (int i = 0; i < 24; i++) {
            x[i] = i % 3 < 3 - n / 2 % 4 ? (float)(size * (fixture_uniform(&seed) - 0.5)) : 0;
            v[i] = (float)(200 * (fixture_uniform(&seed) - 0.5));
        }
        fixture_ok(piola_body_set_positions(world, body, 0, 8, x, NULL), NULL);
        fixture_ok(piola_body_set_velocities(world, body, 0, 8, v, NULL), NULL);
        piola_report report = {0};
        piola_body_info begin, end;
        double before, after;
        fixture_ok(piola_body_inspect(world, body, &begin), NULL);
        fixture_ok(piola_body_elastic_energy(world, body, &before), NULL);
        for (int i = 0; i < 60; i++) {
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
            fixture_ok(piola_body_inspect(world, body, &end), NULL);
            fixture_ok(piola_body_elastic_energy(world, body, &after), NULL);
            /* A pin and clamps were moved in the first step; what is free falls 20 m at most. */
            before = i == 0 ? fmax(before, after) : before;
            TEST_ASSERT_TRUE(end.kinetic_energy + after <=
                             1.001 * (begin.kinetic_energy + before) + 200 * begin.mass);
        }
        TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
        fixture_clean();
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_same_bits_everywhere);
    RUN_TEST(test_holes_are_closed);
    RUN_TEST(test_worlds_without_rods_refuse_them);
    RUN_TEST(test_bad_descriptions_are_refused);
    RUN_TEST(test_a_net_is_refused);
    RUN_TEST(test_impossible_bytes_are_refused);
    RUN_TEST(test_impossible_snapshots_are_refused);
    RUN_TEST(test_torture_breaks_no_number);
    return UNITY_END();
}
