/* Guided vertices as state: the same bits everywhere, in snapshots, hashes and records; what cannot
 * be is refused and changes nothing. covers: src/world/guides.c */
#include "base/hash.h"
#include "fixture.h"
#include "golden.h"
#include "unity.h"
#include "world/guides.h"

#include <math.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_world_desc description(void)
{
    piola_world_desc d = piola_world_desc_default();
    d.max_bodies = 4;
    d.max_guides = 40;
    return d;
}

static void plane(piola_world *world, piola_body body, uint32_t vertex, float height)
{
    fixture_ok(piola_body_pin_plane(world, body, vertex, (const float[]){0, height, 0},
                                    (const float[]){0.1f, 2, 0.3f}),
               NULL);
}

static void line(piola_world *world, piola_body body, uint32_t vertex)
{
    fixture_ok(piola_body_pin_line(world, body, vertex, (const float[]){0, 0.1f, 0.05f},
                                   (const float[]){1, 0.2f, -0.1f}),
               NULL);
}

/* Two bodies, guided in no order. */
static piola_world *scene(piola_isa isa, const piola_material *material, piola_solver solver,
                          bool coarse, piola_body bodies[2])
{
    piola_world_desc d = description();
    d.isa = isa;
    d.solver = solver;
    d.max_packs = 4096;
    d.coarse_level = coarse;
    piola_world *world = fixture_world(&d);
    const piola_asset *asset = fixture_beam_of(5, 2, 2, 0.1, material, 64);
    for (int i = 0; i < 2; ++i)
        bodies[i] = fixture_body(world, asset, (float)i, 0, 0);
    plane(world, bodies[1], 9, -0.1f);
    plane(world, bodies[0], 30, 0);
    line(world, bodies[1], 2);
    line(world, bodies[0], 7);
    plane(world, bodies[0], 3, 0.2f);
    return world;
}

static uint64_t play(piola_isa isa, uint32_t threads, const piola_material *m, piola_solver solver)
{
    piola_body bodies[2];
    piola_world *world = scene(isa, m, solver, false, bodies);
    piola_workers *workers = golden_workers(threads);
    for (int i = 0; i < 12; ++i) {
        plane(world, bodies[0], 30, 0.01f * (float)i);
        fixture_steps(world, piola_workers_tasks(workers), 1);
    }
    piola_workers_destroy(workers);
    const uint64_t hash = piola_world_hash(world);
    fixture_clean();
    return hash;
}

static void test_same_bits_on_all_sets_and_threads(void)
{
    static const piola_model models[] = {PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_MODEL_STVK,
                                         PIOLA_MODEL_NEO_HOOKEAN};
    for (int m = 0; m < 3; ++m)
        for (int s = 0; s < (m == 0 ? PIOLA_SOLVER_COUNT : 1); ++s) {
            piola_material material = piola_material_default();
            material.model = models[m];
            const uint64_t first = play(PIOLA_ISA_AUTO, 1, &material, (piola_solver)s);
            for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa)
                for (uint32_t threads = 1; threads < 4 && piola_isa_available((piola_isa)isa);
                     threads += 2)
                    TEST_ASSERT_EQUAL_HEX64(
                        first, play((piola_isa)isa, threads, &material, (piola_solver)s));
        }
}

static void test_they_are_state(void)
{
    piola_body bodies[2];
    piola_world *world = scene(PIOLA_ISA_AUTO, NULL, PIOLA_SOLVER_DESCENT, false, bodies);
    fixture_steps(world, NULL, 3);
    TEST_ASSERT_EQUAL_UINT64(5, world->dim[DIM_guides].used);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    unsigned char *record = fixture_memory(1 << 16);
    fixture_ok(piola_record_begin(world, record, 1 << 16), NULL);
    for (int i = 0; i < 10; ++i) {
        plane(world, bodies[1], 20 + (uint32_t)i % 3, 0.01f * (float)i);
        fixture_ok(piola_body_unpin(world, bodies[0], 7), NULL);
        fixture_steps(world, NULL, 1);
    }
    const uint64_t hash = piola_world_hash(world);
    size_t used;
    uint64_t first;
    fixture_ok(piola_record_end(world, &used), NULL);
    TEST_ASSERT_EQUAL_UINT64(7, world->dim[DIM_guides].used);
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    TEST_ASSERT_EQUAL_UINT64(5, world->dim[DIM_guides].used);
    fixture_ok(piola_record_play(world, NULL, record, used, &first, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, first);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
    /* The same in another world that has done nothing before. */
    piola_body other[2];
    piola_world *fresh = scene(PIOLA_ISA_AUTO, NULL, PIOLA_SOLVER_DESCENT, false, other);
    fixture_ok(piola_snapshot_restore(fresh, snapshot, bytes), NULL);
    for (piola_report report = {.commands = 1}; report.commands > 0;)
        fixture_ok(piola_world_step(fresh, NULL, &report), NULL);
    fixture_ok(piola_snapshot_restore(fresh, snapshot, bytes), NULL);
    fixture_ok(piola_record_play(fresh, NULL, record, used, &first, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, first);
    /* They go with their body, and leave nothing. */
    fixture_ok(piola_body_destroy(world, bodies[0]), NULL);
    fixture_ok(piola_body_destroy(world, bodies[1]), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, world->dim[DIM_guides].used);
    const struct guide none = {0};
    for (int i = 0; i < 40; ++i)
        TEST_ASSERT_EQUAL_MEMORY(&none, &world_guides(world)[i], sizeof none);
    fixture_steps(world, NULL, 1);
}

/* A pin makes a guided vertex a pinned one, and the other way round. */
static void test_pins_and_guides_replace_each_other(void)
{
    piola_body bodies[2];
    piola_world *world = scene(PIOLA_ISA_AUTO, NULL, PIOLA_SOLVER_DESCENT, false, bodies);
    const float at[3] = {0, 0.1f, 0};
    fixture_steps(world, NULL, 1);
    fixture_ok(piola_body_pin(world, bodies[0], 3, at), NULL);
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_EQUAL_UINT64(4, world->dim[DIM_guides].used);
    TEST_ASSERT_EQUAL_UINT32(1, world_bodies(world)[0].pins);
    line(world, bodies[0], 3);
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_EQUAL_UINT64(5, world->dim[DIM_guides].used);
    TEST_ASSERT_EQUAL_UINT32(0, world_bodies(world)[0].pins);
    for (uint32_t v = 0; v < 54; ++v)
        fixture_ok(piola_body_unpin(world, bodies[0], v), NULL);
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_EQUAL_UINT64(2, world->dim[DIM_guides].used);
    TEST_ASSERT_EQUAL_UINT32(0, world_bodies(world)[0].flags & BODY_GUIDED);
}

static void spoil(struct guide *list, struct body *body, int way)
{
    struct guide *g = &list[1];
    g->body = way == 0 ? 3 : way == 1 ? 70000 : g->body;
    g->particle = way == 2 ? list[0].particle : way == 3 ? 1u << 20 : g->particle;
    g->kind = way == 4 ? 3 : way == 5 ? 0 : g->kind;
    g->way[1] = way == 6 ? 2 : way == 7 ? NAN : g->way[1];
    g->point[0] = way == 8 ? INFINITY : g->point[0];
    g->goal[2] = way == 9 ? NAN : g->goal[2];
    g->speed[2] = way == 10 ? NAN : g->speed[2];
    body->flags ^= way == 11 ? BODY_GUIDED : 0;
}

static void test_forged_lists_are_refused(void)
{
    piola_body bodies[2];
    piola_world *world = scene(PIOLA_ISA_AUTO, NULL, PIOLA_SOLVER_DESCENT, false, bodies);
    fixture_steps(world, NULL, 2);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    struct guide kept[5];
    memcpy(kept, world_guides(world), sizeof kept);
    for (int way = 0; way < 12; ++way) {
        struct body *body = &world_bodies(world)[0];
        const uint32_t flags = body->flags;
        spoil(world_guides(world), body, way);
        fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
        memcpy(world_guides(world), kept, sizeof kept);
        body->flags = flags;
        const uint64_t hash = piola_world_hash(world);
        TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_FORMAT,
                          piola_snapshot_restore(world, snapshot, bytes));
        TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
    }
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
}

static uint32_t refused(piola_world *world)
{
    piola_report report;
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    return report.commands_refused;
}

static void test_what_cannot_be_is_refused(void)
{
    piola_world_desc d = description();
    piola_world *world = fixture_world(&d);
    const piola_asset *asset = fixture_beam(5, 2, 2, 0.1);
    const piola_body body = fixture_body(world, asset, 0, 0, 0);
    const float up[3] = {0, 1, 0}, zero[3] = {0, 0, 0}, short_one[3] = {0, 0, 1e-7f};
    const float bad[3] = {0, NAN, 0}, far[3] = {0, 0, 2e9f};
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_pin_plane(world, body, 0, up, zero));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_pin_line(world, body, 0, up, short_one));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_body_pin_plane(world, body, 0, up, bad));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_body_pin_line(world, body, 0, bad, up));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_pin_line(world, body, 0, far, up));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_body_pin_plane(world, body, 0, NULL, up));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_body_pin_plane(world, body, 0, up, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_body_pin_plane(NULL, body, 0, up, up));
    plane(world, body, asset->stats.vertices, 0);
    plane(world, (piola_body){2, 1}, 0, 0);
    TEST_ASSERT_EQUAL_UINT32(2, refused(world));
    TEST_ASSERT_EQUAL_UINT64(0, world->dim[DIM_guides].used);
    /* One after the other until there is no room; those that hold go on. */
    for (uint32_t v = 0; v < 45; ++v)
        plane(world, body, v, 0);
    TEST_ASSERT_EQUAL_UINT32(5, refused(world));
    for (uint32_t v = 0; v < 45; ++v)
        plane(world, body, v, 0);
    TEST_ASSERT_EQUAL_UINT32(5, refused(world));
    TEST_ASSERT_EQUAL_UINT64(40, world->dim[DIM_guides].used);
    TEST_ASSERT_EQUAL_UINT64(40, world->dim[DIM_guides].most);
    /* Where no room was made there is none, and none is taken. */
    size_t with, without;
    fixture_ok(piola_world_size(&d, &with, NULL), NULL);
    d.max_guides = 0;
    fixture_ok(piola_world_size(&d, &without, NULL), NULL);
    TEST_ASSERT_TRUE(without + 16 * (size_t)d.max_particles <= with);
    world = fixture_world(&d);
    plane(world, fixture_body(world, asset, 0, 0, 0), 0, 0);
    TEST_ASSERT_EQUAL_UINT32(1, refused(world));
    d.max_guides = (1u << 20) + 1;
    piola_error error;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_size(&d, &with, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_guides", error.field);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_same_bits_on_all_sets_and_threads);
    RUN_TEST(test_they_are_state);
    RUN_TEST(test_pins_and_guides_replace_each_other);
    RUN_TEST(test_forged_lists_are_refused);
    RUN_TEST(test_what_cannot_be_is_refused);
    return UNITY_END();
}
