/* Tractions and pressures on parts of a surface: closed forms, momentum of free bodies, reactions,
 * the same bits everywhere, state, and what is refused.
 *
 * covers: src/families/tractions/
 */
#include "families/tractions/tractions.h"
#include "fixture.h"
#include "golden.h"
#include "ref_uniaxial.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CELL 0.1

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_world_desc still(void)
{
    piola_world_desc d = piola_world_desc_default();
    memset(d.gravity, 0, sizeof d.gravity);
    d.max_bodies = 4;
    d.max_tractions = 8;
    d.max_traction_triangles = 4000;
    d.max_guides = 2000;
    d.max_packs = 4096;
    d.report_physics = true;
    return d;
}

static piola_material material_of(double young, double poisson)
{
    piola_material m = piola_material_default();
    m.model = PIOLA_MODEL_STVK;
    m.young = (float)young;
    m.poisson = (float)poisson;
    return m;
}

struct block {
    piola_world *world;
    const piola_asset *asset;
    piola_body body;
    uint32_t vertices;
    double size[3];
    float *rest; /* 3 a vertex */
};

/* Turned about an axis; held on three symmetry planes through its corner when `held`. */
static struct block block_of(const piola_world_desc *desc, const piola_material *material,
                             const int cells[3], const float turn[4], bool held)
{
    struct block b = {.world = fixture_world(desc)};
    piola_body_desc body = piola_body_desc_default();
    b.asset = fixture_beam_of(cells[0], cells[1], cells[2], CELL, material, 0);
    body.asset = b.asset;
    body.untangle = PIOLA_UNTANGLE_NONE;
    body.damping = held ? 10 : 0;
    fixture_ok(piola_body_create(b.world, &body, &b.body, NULL), NULL);
    b.vertices = b.asset->stats.vertices;
    b.rest = fixture_memory(b.vertices * 3 * sizeof *b.rest);
    fixture_ok(piola_body_positions(b.world, b.body, 0, b.vertices, b.rest), NULL);
    for (int k = 0; k < 3; k++)
        b.size[k] = CELL * cells[k];
    if (turn) {
        fixture_ok(piola_body_destroy(b.world, b.body), NULL);
        memcpy(body.rotation, turn, sizeof body.rotation);
        fixture_ok(piola_body_create(b.world, &body, &b.body, NULL), NULL);
    }
    for (uint32_t v = 0; v < b.vertices && held; v++) {
        int at = 0, axis = 0;
        float way[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            if (b.rest[3 * v + (uint32_t)k] < 1e-6f) {
                at++;
                axis += k;
            }
        /* One axis: the sum is it; two: the third is 3 less the sum. */
        way[at == 2 ? 3 - axis : axis % 3] = 1;
        const float *x = &b.rest[3 * v];
        if (at > 0)
            fixture_ok(at == 3   ? piola_body_pin(b.world, b.body, v, x)
                       : at == 2 ? piola_body_pin_line(b.world, b.body, v, x, way)
                                 : piola_body_pin_plane(b.world, b.body, v, x, way),
                       NULL);
    }
    return b;
}

/* The side of the block that is farthest along an axis, or all sides. */
static piola_traction load(const struct block *b, int axis, const float *value, float pressure)
{
    uint8_t *chosen = fixture_memory(b->vertices);
    uint32_t *triangles = fixture_memory(4000 * sizeof *triangles);
    piola_traction_desc desc = piola_traction_desc_default();
    piola_traction traction;
    for (uint32_t v = 0; axis >= 0 && v < b->vertices; v++)
        chosen[v] = fabs((double)b->rest[3 * v + (uint32_t)axis] - b->size[axis]) < 1e-6;
    desc.body = b->body;
    if (axis >= 0) {
        desc.triangles = triangles;
        desc.triangle_count = piola_asset_surface_region(b->asset, chosen, triangles, 4000);
        TEST_ASSERT_EQUAL_UINT32(desc.triangle_count,
                                 piola_asset_surface_region(b->asset, chosen, NULL, 0));
    }
    if (value)
        memcpy(desc.traction, value, sizeof desc.traction);
    desc.pressure = pressure;
    piola_error error = {0};
    fixture_ok(piola_traction_create(b->world, &desc, &traction, &error), &error);
    return traction;
}

static void far_corner(const struct block *b, double x[3])
{
    float at[3];
    fixture_ok(piola_body_positions(b->world, b->body, b->vertices - 1, 1, at), NULL);
    for (int k = 0; k < 3; k++)
        x[k] = (double)at[k];
}

static void reactions(const struct block *b, double sum[3])
{
    float *f = fixture_memory(b->vertices * 3 * sizeof *f);
    fixture_ok(piola_body_reactions(b->world, b->body, 0, b->vertices, f), NULL);
    memset(sum, 0, 3 * sizeof *sum);
    for (uint32_t v = 0; v < b->vertices; v++)
        for (uint32_t k = 0; k < 3; k++)
            sum[k] += (double)f[3 * v + k];
}

/* A dead traction, ramped by its owner, pulls a block as its closed form says, whatever the
 * stiffness; the pins push back with all of it. */
static void test_a_traction_stretches_as_the_closed_form(void)
{
    for (int decade = 4; decade <= 9; decade++)
        for (int n = 0; n < 3; n++) {
            const double young = pow(10, decade), poisson = 0.225 * n;
            const piola_material m = material_of(young, poisson);
            const ref_uniaxial answer = ref_uniaxial_stvk(young, poisson, 1.02);
            piola_world_desc desc = still();
            desc.dt = 1;
            desc.iterations = 100;
            const struct block b = block_of(&desc, &m, (const int[]){3, 2, 2}, NULL, true);
            const piola_traction t = load(&b, 0, NULL, 0);
            double x[3], sum[3];
            fixture_steps(b.world, NULL, 2); /* what has a past is not thrown by its first load */
            for (int step = 1; step <= 50; step++) {
                const double share = step < 10 ? step / 10.0 : 1;
                const float value[3] = {(float)(share * answer.stress), 0, 0};
                fixture_ok(piola_traction_set(b.world, t, value), NULL);
                fixture_steps(b.world, NULL, 1);
            }
            far_corner(&b, x);
            reactions(&b, sum);
            piola_traction_info info;
            fixture_ok(piola_traction_inspect(b.world, t, &info), NULL);
            const double all = answer.stress * 0.04;
            TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0.04, info.area);
            TEST_ASSERT_EQUAL_UINT32(8, info.triangles);
            TEST_ASSERT_DOUBLE_WITHIN(1e-6 * all, all, info.force[0]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-3 * 0.02 * 0.3, 1.02 * 0.3, x[0]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-3 * 0.02 * 0.3, answer.transverse * 0.2, x[1]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-3 * all, -all, sum[0]);
        }
}

/* The stretch of a cube of St Venant and Kirchhoff's at which the Cauchy stress is -p. */
static double shrunk(double bulk, double p)
{
    double low = 0.7, high = 1;
    for (int i = 0; i < 80; i++) {
        const double l = 0.5 * (low + high), stress = 1.5 * bulk * (l * l - 1) / l;
        low = stress < -p ? l : low;
        high = stress < -p ? high : l;
    }
    return low;
}

/* Pressure on all sides: the volume falls by p / K, exactly as the law on the deformed surface has
 * it when it is not small. */
static void test_hydrostatic_pressure_takes_p_over_k(void)
{
    for (int decade = 4; decade <= 9; decade++)
        for (int n = 0; n < 3; n++) {
            const double young = pow(10, decade), poisson = 0.225 * n;
            const double bulk = young / (3 * (1 - 2 * poisson)), share = n == 1 ? 0.1 : 0.002;
            const piola_material m = material_of(young, poisson);
            piola_world_desc desc = still();
            desc.dt = 1;
            desc.iterations = 100;
            const struct block b = block_of(&desc, &m, (const int[]){2, 2, 2}, NULL, true);
            fixture_steps(b.world, NULL, 2);
            (void)load(&b, -1, NULL, (float)(share * bulk));
            fixture_steps(b.world, NULL, 40);
            double x[3];
            far_corner(&b, x);
            const double volume = x[0] * x[1] * x[2] / 0.008, l = shrunk(bulk, share * bulk);
            TEST_ASSERT_DOUBLE_WITHIN(2e-3 * share, l * l * l, volume);
            if (share < 0.01)
                TEST_ASSERT_DOUBLE_WITHIN(0.01 * share, 1 - share, volume);
        }
}

/* A free body turned anyhow: all-round pressure moves it nowhere, pressure on a side pushes it
 * along its normal, a traction gives it just its force, and follows nothing. */
static void test_free_bodies_gain_what_tractions_give(void)
{
    uint64_t seed = fixture_seed();
    for (int round = 0; round < fixture_count(16, 4); round++) {
        piola_world_desc desc = still();
        const piola_material m = material_of(pow(10, 5 + 3 * fixture_uniform(&seed)), 0.3);
        desc.iterations = 1 + (uint32_t)(6 * fixture_uniform(&seed));
        desc.solver = round % 3 == 2 ? PIOLA_SOLVER_COMPLIANT : PIOLA_SOLVER_DESCENT;
        desc.integrator = round % 4 == 3 ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER;
        float turn[4];
        double size = 0, way[3] = {0, 0, 0};
        for (int k = 0; k < 4; k++) {
            turn[k] = (float)(fixture_uniform(&seed) - 0.5);
            size += (double)turn[k] * (double)turn[k];
        }
        for (int k = 0; k < 4; k++)
            turn[k] = (float)((double)turn[k] / sqrt(size));
        const struct block b = block_of(&desc, &m, (const int[]){3, 2, 2}, turn, false);
        (void)load(&b, -1, NULL, 500);
        const float value[3] = {(float)fixture_uniform(&seed), -1, 2};
        const piola_traction t = load(&b, 0, value, 0);
        piola_body_info info;
        fixture_steps(b.world, NULL, 20);
        fixture_ok(piola_body_inspect(b.world, b.body, &info), NULL);
        const double dt = 20 * (double)desc.dt * 0.04;
        for (int k = 0; k < 3; k++)
            TEST_ASSERT_DOUBLE_WITHIN(2e-4 * dt + 2e-6 * info.mass, dt * (double)value[k],
                                      info.momentum[k]);
        /* Now a push along the side's own normal. */
        fixture_ok(piola_traction_destroy(b.world, t), NULL);
        const piola_traction push = load(&b, 0, NULL, 20);
        piola_traction_info pushes;
        fixture_ok(piola_traction_inspect(b.world, push, &pushes), NULL);
        for (int k = 0; k < 3; k++)
            way[k] = info.momentum[k] + (double)desc.dt * pushes.force[k];
        fixture_steps(b.world, NULL, 1);
        fixture_ok(piola_body_inspect(b.world, b.body, &info), NULL);
        for (int k = 0; k < 3; k++)
            TEST_ASSERT_DOUBLE_WITHIN(2e-4 * dt + 2e-6 * info.mass, way[k], info.momentum[k]);
        const double force =
            sqrt(pushes.force[0] * pushes.force[0] + pushes.force[1] * pushes.force[1] +
                 pushes.force[2] * pushes.force[2]);
        TEST_ASSERT_DOUBLE_WITHIN(0.1 * 0.8, 0.8, force);
    }
}

/* Forces on vertices, a traction and the air add up. */
static void test_loads_add_up(void)
{
    piola_world_desc desc = still();
    const piola_material m = material_of(1e6, 0.3);
    desc.air_density = 1.2f;
    const struct block b = block_of(&desc, &m, (const int[]){3, 2, 2}, NULL, false);
    (void)load(&b, 0, (const float[]){10, 0, 0}, 0);
    (void)load(&b, 1, (const float[]){0, 0, 20}, 0);
    fixture_ok(piola_body_set_force(b.world, b.body, 3, (const float[]){0, 5, 0}), NULL);
    fixture_steps(b.world, NULL, 10);
    piola_body_info info;
    fixture_ok(piola_body_inspect(b.world, b.body, &info), NULL);
    const double force[3] = {10 * 0.04, 5, 20 * 0.06};
    for (int k = 0; k < 3; k++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-4 * 5 * 0.05, force[k] * 0.05, info.momentum[k]);
}

static uint64_t play(piola_isa isa, uint32_t threads, piola_solver solver)
{
    piola_world_desc desc = still();
    const piola_material m = material_of(1e5, 0.3);
    desc.isa = isa;
    desc.solver = solver;
    const struct block b = block_of(&desc, &m, (const int[]){6, 2, 2}, NULL, true);
    const struct block free = {.world = b.world,
                               .body = fixture_body(b.world, b.asset, 2, 0, 0),
                               .asset = b.asset,
                               .rest = b.rest,
                               .vertices = b.vertices,
                               .size = {0.6, 0.2, 0.2}};
    piola_workers *workers = golden_workers(threads);
    (void)load(&b, 0, (const float[]){300, 1, 2}, 0);
    (void)load(&free, -1, NULL, 2000);
    (void)load(&free, 2, (const float[]){0, 9, 0}, 3);
    fixture_steps(b.world, piola_workers_tasks(workers), 10);
    piola_workers_destroy(workers);
    const uint64_t hash = piola_world_hash(b.world);
    fixture_clean();
    return hash;
}

static void test_same_bits_on_all_sets_and_threads(void)
{
    for (int s = 0; s <= PIOLA_SOLVER_COMPLIANT; s += PIOLA_SOLVER_COMPLIANT) {
        const uint64_t first = play(PIOLA_ISA_AUTO, 1, (piola_solver)s);
        for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa)
            for (uint32_t threads = 1; threads < 4 && piola_isa_available((piola_isa)isa);
                 threads += 2)
                TEST_ASSERT_EQUAL_HEX64(first, play((piola_isa)isa, threads, (piola_solver)s));
    }
}

static void test_they_are_state(void)
{
    piola_world_desc desc = still();
    const piola_material m = material_of(1e5, 0.3);
    const struct block b = block_of(&desc, &m, (const int[]){3, 2, 2}, NULL, true);
    const uint64_t bare = piola_world_hash(b.world);
    piola_traction t[3];
    t[0] = load(&b, 1, (const float[]){1, 2, 3}, 0);
    t[1] = load(&b, 0, NULL, 100);
    t[2] = load(&b, 2, (const float[]){-1, 0, 3}, 5);
    fixture_ok(piola_traction_destroy(b.world, t[0]), NULL);
    TEST_ASSERT_NOT_EQUAL(bare, piola_world_hash(b.world));
    fixture_steps(b.world, NULL, 2);
    const size_t bytes = piola_snapshot_size(b.world);
    void *snapshot = fixture_memory(bytes), *record = fixture_memory(1 << 16);
    fixture_ok(piola_snapshot_save(b.world, snapshot, bytes), NULL);
    fixture_ok(piola_record_begin(b.world, record, 1 << 16), NULL);
    piola_traction none;
    piola_traction_desc again = piola_traction_desc_default();
    again.body = b.body;
    for (int i = 0; i < 10; i++) {
        /* One comes and goes meanwhile, on all triangles, then on two. */
        again.triangles = i < 5 ? NULL : (const uint32_t[]){1, 3};
        again.triangle_count = i < 5 ? 0 : 2;
        again.pressure = 20;
        if (i % 2 == 0)
            fixture_ok(piola_traction_create(b.world, &again, &none, NULL), NULL);
        else
            fixture_ok(piola_traction_destroy(b.world, none), NULL);
        fixture_ok(piola_traction_set_pressure(b.world, t[1], (float)(10 * i)), NULL);
        fixture_steps(b.world, NULL, 1);
    }
    const uint64_t hash = piola_world_hash(b.world);
    size_t used;
    uint64_t first;
    fixture_ok(piola_record_end(b.world, &used), NULL);
    fixture_ok(piola_traction_destroy(b.world, t[1]), NULL);
    fixture_ok(piola_traction_destroy(b.world, t[2]), NULL);
    const struct traction_face empty = {0};
    for (int i = 0; i < 40; i++)
        TEST_ASSERT_EQUAL_MEMORY(&empty, &world_traction_faces(b.world)[i], sizeof empty);
    fixture_steps(b.world, NULL, 3);
    fixture_ok(piola_snapshot_restore(b.world, snapshot, bytes), NULL);
    fixture_ok(piola_record_play(b.world, NULL, record, used, &first, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, first);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(b.world));
    /* They go with their body. */
    fixture_ok(piola_body_destroy(b.world, b.body), NULL);
    TEST_ASSERT_FALSE(piola_traction_alive(b.world, t[1]));
    TEST_ASSERT_EQUAL_UINT64(0, b.world->dim[DIM_traction_faces].used);
    fixture_steps(b.world, NULL, 1);
}

static void spoil(const piola_world *world, int way)
{
    struct traction *t = &world_tractions(world)[1];
    struct traction_face *f = &world_traction_faces(world)[2];
    t->body = way == 0 ? 3 : way == 1 ? 70000 : t->body;
    t->first += way == 2;
    t->count = way == 3 ? 0 : way == 4 ? UINT32_MAX : t->count;
    t->pressure = way == 5 ? NAN : t->pressure;
    t->value[2] = way == 6 ? INFINITY : t->value[2];
    t->alive = way == 7 ? 2 : way == 8 ? 0 : t->alive;
    f->traction = way == 9 ? 2 : way == 10 ? 0 : way == 11 ? 99 : f->traction;
    f->particle[1] = way == 12 ? 1u << 20 : f->particle[1];
    f->area = way == 13 ? NAN : f->area;
    world_bodies(world)[0].flags ^= way == 14 ? BODY_PRESSED : 0;
}

static void test_forged_tractions_are_refused(void)
{
    piola_world_desc desc = still();
    const piola_material m = material_of(1e5, 0.3);
    const struct block b = block_of(&desc, &m, (const int[]){2, 2, 2}, NULL, false);
    (void)load(&b, 0, NULL, 1);
    (void)load(&b, 1, NULL, 1);
    fixture_steps(b.world, NULL, 1);
    const size_t bytes = piola_snapshot_size(b.world);
    void *snapshot = fixture_memory(bytes);
    struct traction kept[2];
    struct traction_face faces[16];
    const uint32_t flags = world_bodies(b.world)[0].flags;
    memcpy(kept, world_tractions(b.world), sizeof kept);
    memcpy(faces, world_traction_faces(b.world), sizeof faces);
    for (int way = 0; way < 15; way++) {
        spoil(b.world, way);
        fixture_ok(piola_snapshot_save(b.world, snapshot, bytes), NULL);
        memcpy(world_tractions(b.world), kept, sizeof kept);
        memcpy(world_traction_faces(b.world), faces, sizeof faces);
        world_bodies(b.world)[0].flags = flags;
        TEST_ASSERT_EQUAL_MESSAGE(PIOLA_ERROR_SNAPSHOT_FORMAT,
                                  piola_snapshot_restore(b.world, snapshot, bytes),
                                  "a lie is believed");
    }
    fixture_ok(piola_snapshot_save(b.world, snapshot, bytes), NULL);
    fixture_ok(piola_snapshot_restore(b.world, snapshot, bytes), NULL);
}

static void refuse(const struct block *b, const piola_traction_desc *desc, piola_status status,
                   const char *field)
{
    piola_traction t;
    piola_error error = {0};
    const uint64_t hash = piola_world_hash(b->world);
    TEST_ASSERT_EQUAL(status, piola_traction_create(b->world, desc, &t, &error));
    TEST_ASSERT_EQUAL_STRING(field, error.field);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(b->world));
}

static void test_what_cannot_be_is_refused(void)
{
    piola_world_desc desc = still();
    const piola_material m = material_of(1e5, 0.3);
    desc.max_tractions = 2;
    desc.max_traction_triangles = 60;
    const struct block b = block_of(&desc, &m, (const int[]){2, 2, 2}, NULL, false);
    piola_traction_desc d = piola_traction_desc_default();
    const uint32_t wrong[2] = {0, 48};
    piola_traction t = {0, 0};
    d.body = (piola_body){3, 1};
    refuse(&b, &d, PIOLA_ERROR_STALE, "piola_traction_desc.body");
    d.body = b.body;
    d.triangles = wrong;
    refuse(&b, &d, PIOLA_ERROR_RANGE, "piola_traction_desc.triangle_count");
    d.triangle_count = 2;
    refuse(&b, &d, PIOLA_ERROR_RANGE, "piola_traction_desc.triangles");
    d.triangle_count = 1;
    d.traction[1] = NAN;
    refuse(&b, &d, PIOLA_ERROR_NOT_FINITE, "piola_traction_desc.traction");
    d.traction[1] = 2e9f;
    refuse(&b, &d, PIOLA_ERROR_RANGE, "piola_traction_desc.traction");
    d.traction[1] = 0;
    d.pressure = INFINITY;
    refuse(&b, &d, PIOLA_ERROR_NOT_FINITE, "piola_traction_desc.pressure");
    d.pressure = 0;
    d.cookie_ = 1;
    refuse(&b, &d, PIOLA_ERROR_COOKIE, "piola_traction_desc");
    d = piola_traction_desc_default();
    d.body = b.body;
    fixture_ok(piola_traction_create(b.world, &d, &t, NULL), NULL);
    refuse(&b, &d, PIOLA_ERROR_TRACTIONS_FULL, "piola_world_desc.max_traction_triangles");
    d.triangles = wrong;
    d.triangle_count = 1;
    piola_traction last;
    fixture_ok(piola_traction_create(b.world, &d, &last, NULL), NULL);
    refuse(&b, &d, PIOLA_ERROR_TRACTIONS_FULL, "piola_world_desc.max_tractions");
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_traction_create(b.world, NULL, &t, NULL));
    fixture_ok(piola_traction_destroy(b.world, last), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_traction_destroy(b.world, last));
    piola_traction_info info;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_traction_inspect(b.world, last, &info));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_traction_inspect(b.world, t, NULL));
    /* A stale one in a command is counted, what holds goes on. */
    piola_report report;
    fixture_ok(piola_traction_set_pressure(b.world, last, 1), NULL);
    fixture_ok(piola_traction_set_pressure(b.world, t, 7), NULL);
    fixture_ok(piola_world_step(b.world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, report.commands_refused);
    fixture_ok(piola_traction_inspect(b.world, t, &info), NULL);
    TEST_ASSERT_EQUAL_FLOAT(7, info.pressure);
    TEST_ASSERT_EQUAL_UINT32(0, piola_asset_surface_region(NULL, NULL, NULL, 0));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_traction_stretches_as_the_closed_form);
    RUN_TEST(test_hydrostatic_pressure_takes_p_over_k);
    RUN_TEST(test_free_bodies_gain_what_tractions_give);
    RUN_TEST(test_loads_add_up);
    RUN_TEST(test_same_bits_on_all_sets_and_threads);
    RUN_TEST(test_they_are_state);
    RUN_TEST(test_forged_tractions_are_refused);
    RUN_TEST(test_what_cannot_be_is_refused);
    return UNITY_END();
}
