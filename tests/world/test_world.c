/* The life of worlds and bodies: sizes, hostile descriptions, handles, room, moving, the memory
 * report.
 *
 * covers: src/world/ src/base/ranges.c
 */
#include "fixture.h"
#include "unity.h"
#include "world/world.h"

#if defined(__SANITIZE_ADDRESS__)
#define FENCED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FENCED
#endif
#endif
#ifdef FENCED
#include <sanitizer/asan_interface.h>
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static void expect(piola_status expected, const char *field, const piola_world_desc *desc)
{
    piola_error error = {0};
    size_t bytes = 12345;
    TEST_ASSERT_EQUAL(expected, piola_world_size(desc, &bytes, &error));
    TEST_ASSERT_EQUAL(expected, error.status);
    TEST_ASSERT_EQUAL_STRING(field, error.field);
    TEST_ASSERT_EQUAL_size_t(12345, bytes);
}

static void test_descriptions_out_of_range_name_the_field(void)
{
    const piola_world_desc good = piola_world_desc_default();
    piola_world_desc d = good;
    d.cookie_ = 0;
    expect(PIOLA_ERROR_COOKIE, "piola_world_desc", &d);
    expect(PIOLA_ERROR_NULL, "piola_world_desc", NULL);
    const struct {
        size_t offset;
        uint32_t value;
        const char *field;
    } counts[] = {
        {offsetof(piola_world_desc, max_bodies), 0, "piola_world_desc.max_bodies"},
        {offsetof(piola_world_desc, max_bodies), UINT32_MAX, "piola_world_desc.max_bodies"},
        {offsetof(piola_world_desc, max_assets), 0, "piola_world_desc.max_assets"},
        {offsetof(piola_world_desc, max_particles), 0, "piola_world_desc.max_particles"},
        {offsetof(piola_world_desc, max_particles), UINT32_MAX, "piola_world_desc.max_particles"},
        {offsetof(piola_world_desc, max_commands), 1000, "piola_world_desc.max_commands"},
        {offsetof(piola_world_desc, max_commands), 0x80000000u, "piola_world_desc.max_commands"},
        {offsetof(piola_world_desc, substeps), 0, "piola_world_desc.substeps"},
        {offsetof(piola_world_desc, iterations), 1001, "piola_world_desc.iterations"},
        {offsetof(piola_world_desc, solver), 77, "piola_world_desc.solver"},
        {offsetof(piola_world_desc, integrator), 77, "piola_world_desc.integrator"},
        {offsetof(piola_world_desc, isa), 77, "piola_world_desc.isa"},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        d = good;
        memcpy((char *)&d + counts[i].offset, &counts[i].value, sizeof counts[i].value);
        expect(PIOLA_ERROR_RANGE, counts[i].field, &d);
    }
    d = good;
    d.dt = 0;
    expect(PIOLA_ERROR_RANGE, "piola_world_desc.dt", &d);
    d.dt = NAN;
    expect(PIOLA_ERROR_NOT_FINITE, "piola_world_desc.dt", &d);
    d = good;
    d.gravity[2] = INFINITY;
    expect(PIOLA_ERROR_NOT_FINITE, "piola_world_desc.gravity", &d);
}

static void test_the_largest_description_has_a_size_and_no_wrap(void)
{
    piola_world_desc d = piola_world_desc_default();
    d.max_bodies = d.max_assets = 65535;
    d.max_particles = d.max_plastic_packs = d.max_packs = 1u << 28;
    d.max_commands = 1u << 20;
    d.integrator = PIOLA_INTEGRATOR_BDF2;
    d.solver = PIOLA_SOLVER_COMPLIANT;
    d.report_physics = true;
    size_t bytes = 0;
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_world_size(&d, &bytes, NULL));
    /* Six streams of quads and the strains alone: */
    TEST_ASSERT_GREATER_THAN_size_t((size_t)(1u << 28) * (6 * 16 + 384), bytes);
}

static void test_blocks_too_small_or_misaligned_are_refused_untouched(void)
{
    const piola_world_desc desc = piola_world_desc_default();
    size_t bytes = 0;
    piola_world *world = NULL;
    fixture_ok(piola_world_size(&desc, &bytes, NULL), NULL);
    unsigned char *memory = fixture_memory(bytes + PIOLA_ALIGNMENT);
    memset(memory, 0xa5, bytes + PIOLA_ALIGNMENT);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MEMORY,
                      piola_world_create(&desc, memory, bytes - 1, &world, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_ALIGNMENT,
                      piola_world_create(&desc, memory + 1, bytes + 9, &world, NULL));
    TEST_ASSERT_EACH_EQUAL_UINT8(0xa5, memory, bytes + PIOLA_ALIGNMENT);
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_world_create(&desc, memory, bytes, &world, NULL));
    for (size_t i = bytes; i < bytes + PIOLA_ALIGNMENT; ++i)
        TEST_ASSERT_EQUAL_UINT8(0xa5, memory[i]);
}

static void test_memory_report_adds_up_to_the_block(void)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.integrator = PIOLA_INTEGRATOR_BDF2;
    desc.report_physics = true;
    const piola_world *world = fixture_world(&desc);
    piola_memory_entry entry;
    size_t sum = sizeof(struct piola_world), bytes = 0;
    uint32_t arrays = 0;
    for (; piola_world_memory(world, arrays, &entry) == PIOLA_OK; ++arrays) {
        TEST_ASSERT_NOT_NULL(entry.name);
        sum += entry.bytes;
    }
    fixture_ok(piola_world_size(&desc, &bytes, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT32(FIELD_COUNT, arrays);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_memory(world, arrays, &entry));
    /* What is not an array is fences and alignment: at most two fences an array. */
    TEST_ASSERT_LESS_OR_EQUAL_size_t(bytes, sum);
    TEST_ASSERT_LESS_OR_EQUAL_size_t(sum + (arrays + 1) * 2 * PIOLA_ALIGNMENT, bytes);
}

#ifdef FENCED
/* Under the address sanitizer alone: nothing between two arrays can be touched, all of an array
 * can. */
static void test_gaps_between_arrays_are_poisoned(void)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.max_colliders = 3;
    const piola_world *world = fixture_world(&desc);
    const char *base = (const char *)world;
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const size_t bytes =
            (size_t)world->dim[world_fields[i].dimension].capacity * world_fields[i].element;
        const char *at = base + world->offset[i];
        TEST_ASSERT_NULL_MESSAGE(__asan_region_is_poisoned((void *)(uintptr_t)at, bytes),
                                 world_fields[i].name);
        for (size_t past = 0; past < PIOLA_ALIGNMENT; ++past) {
            TEST_ASSERT_TRUE_MESSAGE(__asan_address_is_poisoned(at - 1 - past),
                                     world_fields[i].name);
            TEST_ASSERT_TRUE_MESSAGE(__asan_address_is_poisoned(at + bytes + past),
                                     world_fields[i].name);
        }
    }
}
#endif

static void test_high_water_marks_stay_after_bodies_go(void)
{
    const piola_world_desc desc = piola_world_desc_default();
    piola_world *world = fixture_world(&desc);
    const piola_asset *asset = fixture_beam(2, 1, 1, 0.1);
    const piola_body a = fixture_body(world, asset, 0, 0, 0);
    const piola_body b = fixture_body(world, asset, 1, 0, 0);
    fixture_ok(piola_body_destroy(world, b), NULL);
    fixture_ok(piola_body_destroy(world, a), NULL);
    piola_memory_entry entry;
    fixture_ok(piola_world_memory(world, FIELD_bodies, &entry), NULL);
    TEST_ASSERT_EQUAL_STRING("bodies", entry.name);
    TEST_ASSERT_EQUAL_UINT64(0, entry.used);
    TEST_ASSERT_EQUAL_UINT64(2, entry.most);
    TEST_ASSERT_EQUAL_UINT64(desc.max_bodies, entry.capacity);
}

static void test_handles_go_stale_and_null_is_no_body(void)
{
    const piola_world_desc desc = piola_world_desc_default();
    piola_world *world = fixture_world(&desc);
    const piola_asset *asset = fixture_beam(1, 1, 1, 0.1);
    const piola_body a = fixture_body(world, asset, 0, 0, 0);
    float p[3];
    TEST_ASSERT_TRUE(piola_body_alive(world, a));
    fixture_ok(piola_body_destroy(world, a), NULL);
    TEST_ASSERT_FALSE(piola_body_alive(world, a));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_body_destroy(world, a));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_body_positions(world, a, 0, 1, p));
    const piola_body b = fixture_body(world, asset, 0, 0, 0);
    TEST_ASSERT_EQUAL_UINT32(a.index, b.index);
    TEST_ASSERT_NOT_EQUAL_UINT32(a.generation, b.generation);
    TEST_ASSERT_FALSE(piola_body_alive(world, a));
    TEST_ASSERT_FALSE(piola_body_alive(world, (piola_body){0, 0}));
    TEST_ASSERT_FALSE(piola_body_alive(world, (piola_body){UINT32_MAX, 1}));
}

static piola_status try_body(piola_world *world, const piola_asset *asset, piola_error *error)
{
    piola_body_desc desc = piola_body_desc_default();
    piola_body body;
    desc.asset = asset;
    return piola_body_create(world, &desc, &body, error);
}

static void test_full_worlds_name_the_limit_and_change_nothing(void)
{
    const piola_asset *asset = fixture_beam(1, 1, 1, 0.1);
    const piola_asset *other = fixture_beam(2, 1, 1, 0.1);
    piola_asset_stats stats;
    fixture_ok(piola_asset_inspect(asset, &stats), NULL);
    piola_world_desc desc = piola_world_desc_default();
    desc.max_bodies = 2;
    desc.max_assets = 1;
    desc.max_particles = 4 * stats.particles;
    piola_world *world = fixture_world(&desc);
    fixture_body(world, asset, 0, 0, 0);
    const uint64_t before = piola_world_hash(world);
    piola_error error;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_ASSETS_FULL, try_body(world, other, &error));
    TEST_ASSERT_EQUAL_UINT64(before, piola_world_hash(world));
    fixture_body(world, asset, 0, 0, 0);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_BODIES_FULL, try_body(world, asset, &error));
    /* What is wrong in any world is told first. */
    piola_body_desc wrong = piola_body_desc_default();
    piola_body none;
    wrong.asset = asset;
    wrong.volume_scale = 0;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_create(world, &wrong, &none, &error));
    TEST_ASSERT_EQUAL_STRING("piola_body_desc.volume_scale", error.field);
    desc.max_bodies = 64;
    desc.max_particles = stats.particles + stats.particles / 2;
    world = fixture_world(&desc);
    fixture_body(world, asset, 0, 0, 0);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_PARTICLES_FULL, try_body(world, asset, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_particles", error.field);
}

/* Destroying bodies leaves gaps; creating fills them; no two bodies ever share a particle. */
static void test_random_lives_never_overlap(void)
{
    uint64_t random = fixture_seed();
    const piola_asset *assets[3] = {fixture_beam(1, 1, 1, 0.1), fixture_beam(2, 2, 1, 0.1),
                                    fixture_beam(3, 2, 2, 0.1)};
    piola_world_desc desc = piola_world_desc_default();
    desc.max_bodies = 40;
    desc.max_particles = 1024;
    piola_world *world = fixture_world(&desc);
    piola_body bodies[40] = {{0, 0}};
    for (int round = 0; round < fixture_count(2000, 200); ++round) {
        piola_body *slot = &bodies[fixture_random(&random) % 40];
        if (piola_body_alive(world, *slot)) {
            fixture_ok(piola_body_destroy(world, *slot), NULL);
            continue;
        }
        piola_body_desc d = piola_body_desc_default();
        d.asset = assets[fixture_random(&random) % 3];
        piola_status status = piola_body_create(world, &d, slot, NULL);
        if (status == PIOLA_ERROR_HOLES) {
            fixture_ok(piola_world_compact(world), NULL);
            status = piola_body_create(world, &d, slot, NULL);
        }
        TEST_ASSERT_TRUE(status == PIOLA_OK || status == PIOLA_ERROR_PARTICLES_FULL);
        const struct body *all = world_bodies(world);
        for (uint32_t i = 0; i < 40; ++i)
            for (uint32_t k = 0; k < i; ++k)
                if ((all[i].flags & all[k].flags & BODY_ALIVE) != 0)
                    TEST_ASSERT_TRUE(all[i].first >= all[k].first + all[k].count ||
                                     all[k].first >= all[i].first + all[i].count);
    }
}

static void test_body_descriptions_are_checked(void)
{
    const piola_world_desc desc = piola_world_desc_default();
    piola_world *world = fixture_world(&desc);
    piola_body_desc d = piola_body_desc_default();
    piola_body body;
    piola_error error;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_body_create(world, &d, &body, &error));
    TEST_ASSERT_EQUAL_STRING("piola_body_desc.asset", error.field);
    d.asset = fixture_beam(1, 1, 1, 0.1);
    d.position[1] = NAN;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_body_create(world, &d, &body, &error));
    TEST_ASSERT_EQUAL_STRING("piola_body_desc.position", error.field);
    d.position[1] = 0;
    d.rotation[3] = 2;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_create(world, &d, &body, &error));
    d.rotation[3] = 1;
    d.damping = -1;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_create(world, &d, &body, &error));
    TEST_ASSERT_EQUAL_STRING("piola_body_desc.damping", error.field);
    d.damping = 0;
    d.cookie_ = 1;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COOKIE, piola_body_create(world, &d, &body, &error));
}

static void test_body_starts_where_it_was_put(void)
{
    const piola_world_desc desc = piola_world_desc_default();
    piola_world *world = fixture_world(&desc);
    piola_body_desc d = piola_body_desc_default();
    d.asset = fixture_beam(1, 1, 1, 0.1);
    d.position[0] = 5;
    /* A quarter turn about z: x goes to y. */
    d.rotation[2] = d.rotation[3] = 0.70710678f;
    d.angular_velocity[2] = 2;
    d.velocity[2] = 3;
    piola_body body;
    fixture_ok(piola_body_create(world, &d, &body, NULL), NULL);
    float p[3 * 8], v[3 * 8];
    fixture_ok(piola_body_positions(world, body, 0, 8, p), NULL);
    fixture_ok(piola_body_velocities(world, body, 0, 8, v), NULL);
    /* Vertex 4 is the far end along x. */
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 5, p[12]);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.1f, p[13]);
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1.0, info.mass);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 3.0, info.momentum[2] / info.mass);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, info.momentum[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, -2 * (p[13] - (float)info.centre[1]), v[12]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 2 * (p[12] - (float)info.centre[0]), v[13]);
}

static void test_vertices_keep_the_order_of_the_description(void)
{
    const piola_world_desc desc = piola_world_desc_default();
    piola_world *world = fixture_world(&desc);
    const piola_asset *asset = fixture_beam(5, 3, 2, 0.1);
    const piola_body body = fixture_body(world, asset, 0, 0, 0);
    float p[3];
    for (int i = 0; i <= 5; ++i)
        for (int j = 0; j <= 3; ++j)
            for (int k = 0; k <= 2; ++k) {
                const uint32_t vertex = (uint32_t)((i * 4 + j) * 3 + k);
                fixture_ok(piola_body_positions(world, body, vertex, 1, p), NULL);
                TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.1f * (float)i, p[0]);
                TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.1f * (float)j, p[1]);
                TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.1f * (float)k, p[2]);
            }
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_positions(world, body, 72, 1, p));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_positions(world, body, 1, UINT32_MAX, p));
    p[0] = NAN;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_body_set_positions(world, body, 0, 1, p, NULL));
}

/* A number that no vertex can have is refused with the vertex that it is of, and moves none. */
static void test_wrong_vertices_are_named(void)
{
    piola_world_desc desc = piola_world_desc_default();
    piola_world *world = fixture_world(&desc);
    const piola_body body = fixture_body(world, fixture_beam(5, 3, 2, 0.1), 0, 0, 0);
    const uint64_t before = piola_world_hash(world);
    const float wrong[] = {1.1e9f, -1.1e9f, NAN, -INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        for (uint32_t at = 0; at < 12; ++at) {
            const piola_status status = i < 2 ? PIOLA_ERROR_RANGE : PIOLA_ERROR_NOT_FINITE;
            float p[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
            piola_error error = {0};
            p[at] = wrong[i];
            TEST_ASSERT_EQUAL(status, piola_body_set_positions(world, body, 7, 4, p, &error));
            TEST_ASSERT_EQUAL(status, error.status);
            TEST_ASSERT_TRUE(error.has_item);
            TEST_ASSERT_EQUAL_UINT64(7 + at / 3, error.item);
            error = (piola_error){0};
            TEST_ASSERT_EQUAL(status, piola_body_set_velocities(world, body, 7, 4, p, &error));
            TEST_ASSERT_EQUAL_UINT64(7 + at / 3, error.item);
        }
    TEST_ASSERT_EQUAL_UINT64(before, piola_world_hash(world));
}

static void test_a_moved_world_goes_on_to_the_same_bits(void)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.integrator = PIOLA_INTEGRATOR_BDF2;
    piola_world *stays = fixture_world(&desc);
    fixture_body(stays, fixture_beam(3, 1, 1, 0.1), 0, 0, 0);
    fixture_steps(stays, NULL, 10);
    size_t bytes = 0;
    fixture_ok(piola_world_size(&desc, &bytes, NULL), NULL);
    piola_world *goes = NULL;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MEMORY,
                      piola_world_move(stays, fixture_memory(bytes), bytes - 1, &goes));
    fixture_ok(piola_world_move(stays, fixture_memory(bytes), bytes, &goes), NULL);
    fixture_steps(stays, NULL, 10);
    const uint64_t hash = piola_world_hash(stays);
    fixture_ok(piola_world_destroy(stays), NULL);
    memset(stays, 0xee, bytes);
    fixture_steps(goes, NULL, 10);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(goes));
}

static void test_calls_on_what_is_not_a_world_are_refused(void)
{
    const piola_world_desc desc = piola_world_desc_default();
    piola_world *world = fixture_world(&desc);
    fixture_ok(piola_world_destroy(world), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COOKIE, piola_world_step(world, NULL, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COOKIE, piola_world_destroy(world));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_step(NULL, NULL, NULL));
    TEST_ASSERT_EQUAL_UINT64(0, piola_world_hash(NULL));
}

static void test_assets_are_known_by_content_and_kept_while_used(void)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.max_assets = 1;
    piola_world *world = fixture_world(&desc);
    const piola_asset *asset = fixture_beam(1, 1, 1, 0.1);
    const piola_asset *twin = fixture_beam(1, 1, 1, 0.1);
    const piola_asset *other = fixture_beam(2, 1, 1, 0.1);
    TEST_ASSERT_EQUAL_HEX64(piola_asset_hash(asset), piola_asset_hash(twin));
    fixture_ok(piola_world_add_asset(world, asset), NULL);
    fixture_ok(piola_world_add_asset(world, twin), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_ASSETS_FULL, piola_world_add_asset(world, other));
    const piola_body body = fixture_body(world, twin, 0, 0, 0);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_ASSET_IN_USE, piola_world_drop_asset(world, asset));
    fixture_ok(piola_body_destroy(world, body), NULL);
    fixture_ok(piola_world_drop_asset(world, asset), NULL);
    fixture_ok(piola_world_add_asset(world, other), NULL);
}

static void test_assets_must_have_what_the_world_walks_over(void)
{
    const struct {
        uint32_t compile_for;
        piola_solver solver;
        bool report;
        piola_status expected;
    } cases[] = {
        {PIOLA_COMPILE_FOR_PROJECTION, PIOLA_SOLVER_DESCENT, false, PIOLA_ERROR_COMPILE_FOR},
        {PIOLA_COMPILE_FOR_DESCENT, PIOLA_SOLVER_ENERGY, false, PIOLA_ERROR_COMPILE_FOR},
        {PIOLA_COMPILE_FOR_DESCENT, PIOLA_SOLVER_DESCENT, true, PIOLA_ERROR_COMPILE_FOR},
        {PIOLA_COMPILE_FOR_DESCENT, PIOLA_SOLVER_DESCENT, false, PIOLA_OK},
        {PIOLA_COMPILE_FOR_PROJECTION, PIOLA_SOLVER_ENERGY, true, PIOLA_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        ref_mesh mesh;
        TEST_ASSERT_TRUE(ref_mesh_single(&mesh, 1));
        piola_mesh_desc md = fixture_mesh(&mesh, NULL);
        ref_mesh_free(&mesh);
        md.compile_for = cases[i].compile_for;
        piola_world_desc d = piola_world_desc_default();
        d.solver = cases[i].solver;
        d.report_physics = cases[i].report;
        piola_world *world = fixture_world(&d);
        const uint64_t before = piola_world_hash(world);
        piola_error error;
        TEST_ASSERT_EQUAL(cases[i].expected, try_body(world, fixture_compile(&md), &error));
        if (cases[i].expected != PIOLA_OK)
            TEST_ASSERT_EQUAL_HEX64(before, piola_world_hash(world));
    }
}

/* A fan round one axis: every cluster touches the axis, so each has a colour of its own. */
static void test_more_colours_than_stages_can_name_are_refused(void)
{
    const uint32_t n = 64 * 4200;
    if (fixture_count(100, 1) < 100)
        return; /* compiling a mesh of that size takes emulators and sanitizers half a minute */
    double *x = fixture_memory((n + 3) * 3 * sizeof *x);
    uint32_t *tet = fixture_memory(n * 4 * sizeof *tet);
    x[5] = 1;
    for (uint32_t i = 0; i <= n; ++i) {
        x[3 * (i + 2)] = cos(6 * (double)i / n);
        x[3 * (i + 2) + 1] = sin(6 * (double)i / n);
    }
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t corners[4] = {i + 3, i + 2, 1, 0};
        memcpy(tet + 4 * i, corners, sizeof corners);
    }
    const piola_material m = piola_material_default();
    piola_mesh_desc md = piola_mesh_desc_default();
    md.vertices = x;
    md.vertex_count = n + 3;
    md.tetrahedra = tet;
    md.tetrahedron_count = n;
    md.materials = &m;
    md.material_count = 1;
    md.cluster_limit = md.cluster_size = 64;
    piola_error error = {0};
    size_t bytes = 0;
    piola_plan *plan = NULL;
    fixture_ok(piola_plan_size(&md, &bytes, &error), &error);
    piola_status status = piola_asset_plan(&md, fixture_memory(bytes), bytes, &plan, &error);
    if (status == PIOLA_ERROR_MESH_INVERTED) {
        for (uint32_t i = 0; i < n; ++i) {
            tet[4 * i] = i + 2;
            tet[4 * i + 1] = i + 3;
        }
        status = piola_asset_plan(&md, fixture_memory(bytes), bytes, &plan, &error);
    }
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COLOURS, status);
    TEST_ASSERT_EQUAL_STRING("piola_mesh_desc.cluster_size", error.field);
}

static void test_isa_can_be_forced_or_is_refused(void)
{
    piola_world_desc desc = piola_world_desc_default();
    TEST_ASSERT_TRUE(piola_isa_available(PIOLA_ISA_AUTO));
    for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa) {
        desc.isa = (piola_isa)isa;
        size_t bytes = 0;
        const piola_status status = piola_world_size(&desc, &bytes, NULL);
        TEST_ASSERT_EQUAL(piola_isa_available(desc.isa) ? PIOLA_OK : PIOLA_ERROR_ISA, status);
        if (status == PIOLA_OK)
            TEST_ASSERT_EQUAL(isa, piola_world_isa(fixture_world(&desc)));
    }
    desc.isa = PIOLA_ISA_AUTO;
    TEST_ASSERT_TRUE(piola_isa_available(piola_world_isa(fixture_world(&desc))));
    TEST_ASSERT_EQUAL_STRING("avx512", piola_isa_name(PIOLA_ISA_AVX512));
    TEST_ASSERT_EQUAL_STRING("unknown", piola_isa_name((piola_isa)99));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_descriptions_out_of_range_name_the_field);
    RUN_TEST(test_the_largest_description_has_a_size_and_no_wrap);
    RUN_TEST(test_blocks_too_small_or_misaligned_are_refused_untouched);
    RUN_TEST(test_memory_report_adds_up_to_the_block);
#ifdef FENCED
    RUN_TEST(test_gaps_between_arrays_are_poisoned);
#endif
    RUN_TEST(test_high_water_marks_stay_after_bodies_go);
    RUN_TEST(test_handles_go_stale_and_null_is_no_body);
    RUN_TEST(test_full_worlds_name_the_limit_and_change_nothing);
    RUN_TEST(test_random_lives_never_overlap);
    RUN_TEST(test_body_descriptions_are_checked);
    RUN_TEST(test_body_starts_where_it_was_put);
    RUN_TEST(test_vertices_keep_the_order_of_the_description);
    RUN_TEST(test_wrong_vertices_are_named);
    RUN_TEST(test_a_moved_world_goes_on_to_the_same_bits);
    RUN_TEST(test_calls_on_what_is_not_a_world_are_refused);
    RUN_TEST(test_assets_are_known_by_content_and_kept_while_used);
    RUN_TEST(test_assets_must_have_what_the_world_walks_over);
    RUN_TEST(test_more_colours_than_stages_can_name_are_refused);
    RUN_TEST(test_isa_can_be_forced_or_is_refused);
    return UNITY_END();
}
