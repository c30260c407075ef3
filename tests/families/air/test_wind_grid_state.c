/* The grid of winds as state: room, snapshots, records, hostile descriptions and snapshots, far and
 * lost places, the same bits.
 *
 * covers: src/families/air/wind_grid.c
 */
#include "any_mesh.h"
#include "families/air/wind.h"
#include "golden.h"
#include "unity.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

#define NODES 60 /* 5 x 3 x 4 */

static float nodes[3 * NODES];

void setUp(void)
{
    uint64_t seed = 11;
    any_mesh_begin();
    for (int i = 0; i < 3 * NODES; ++i)
        nodes[i] = (float)(8 * fixture_uniform(&seed) - 4);
}

void tearDown(void)
{
    any_mesh_end();
    fixture_clean();
}

static piola_wind_grid_desc grid_of_nodes(void)
{
    piola_wind_grid_desc desc = piola_wind_grid_desc_default();
    desc.nodes = nodes;
    desc.count[0] = 5;
    desc.count[1] = 3;
    desc.count[2] = 4;
    desc.spacing[0] = desc.spacing[1] = desc.spacing[2] = 0.4f;
    desc.origin[0] = desc.origin[1] = -0.3f;
    return desc;
}

static piola_world_desc airy(uint32_t room)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.max_bodies = 4;
    desc.max_particles = 4096;
    desc.air_density = 1.2f;
    desc.max_wind_nodes = room;
    desc.wind[0] = 1;
    desc.substeps = 2;
    return desc;
}

static void set(piola_world *world)
{
    const piola_wind_grid_desc desc = grid_of_nodes();
    piola_error error = {0};
    fixture_ok(piola_world_set_wind_grid(world, &desc, &error), &error);
}

static const piola_asset *sheet(uint32_t cluster)
{
    TEST_ASSERT_TRUE(
        meshgen_cloth(&any_mesh, (const double[2]){1, 1}, (const uint32_t[2]){9, 9}, false));
    piola_mesh_desc desc = any_mesh_describe();
    any_materials[0].model = PIOLA_MODEL_STVK;
    any_materials[0].young = 1000;
    any_materials[0].density = 0.2f;
    if (cluster)
        desc.cluster_limit = desc.cluster_size = cluster;
    const piola_asset *asset = fixture_compile(&desc);
    meshgen_free(&any_mesh);
    return asset;
}

static piola_body fly(piola_world *world, const piola_asset *asset, float height)
{
    piola_body body;
    piola_body_desc desc = piola_body_desc_default();
    desc.asset = asset;
    desc.position[1] = height;
    desc.drag = 1.1f;
    desc.lift = 0.7f;
    fixture_ok(piola_body_create(world, &desc, &body, NULL), NULL);
    return body;
}

static piola_memory_entry memory_of(const piola_world *world, const char *name)
{
    piola_memory_entry entry = {0};
    for (uint32_t i = 0; piola_world_memory(world, i, &entry) == PIOLA_OK; ++i)
        if (strcmp(entry.name, name) == 0)
            return entry;
    TEST_FAIL_MESSAGE(name);
    return entry;
}

static void test_room_is_what_was_asked_for(void)
{
    const piola_world_desc none = airy(0), some = airy(1000);
    piola_world_desc airless = airy(1000);
    airless.air_density = 0;
    piola_world *world = fixture_world(&some);
    TEST_ASSERT_EQUAL_size_t(0, memory_of(fixture_world(&none), "wind_nodes").bytes);
    TEST_ASSERT_EQUAL_size_t(0, memory_of(fixture_world(&none), "wind_grid").bytes);
    TEST_ASSERT_EQUAL_size_t(0, memory_of(fixture_world(&airless), "wind_nodes").bytes);
    TEST_ASSERT_EQUAL_size_t(16000, memory_of(world, "wind_nodes").bytes);
    set(world);
    TEST_ASSERT_EQUAL_UINT64(NODES, memory_of(world, "wind_nodes").used);
    TEST_ASSERT_TRUE(memory_of(world, "wind_nodes").state);
}

static uint64_t hash_of(uint32_t room, bool comes_and_goes)
{
    const piola_world_desc desc = airy(room);
    piola_world *world = fixture_world(&desc);
    fly(world, sheet(0), 0);
    if (comes_and_goes) {
        set(world);
        fixture_ok(piola_world_drop_wind_grid(world), NULL);
        fixture_ok(piola_world_drop_wind_grid(world), NULL);
    }
    fixture_steps(world, NULL, 3);
    return piola_world_hash(world);
}

static void test_room_alone_and_a_grid_that_went_leave_no_trace(void)
{
    const uint64_t plain = hash_of(0, false);
    TEST_ASSERT_EQUAL_HEX64(plain, hash_of(NODES, false));
    TEST_ASSERT_EQUAL_HEX64(plain, hash_of(NODES, true));
}

/* A smaller grid in place of a larger one leaves nothing of that behind. */
static void test_a_grid_takes_the_place_of_the_one_before(void)
{
    uint64_t hash[2];
    for (int i = 0; i < 2; ++i) {
        const piola_world_desc desc = airy(NODES);
        piola_world *world = fixture_world(&desc);
        piola_wind_grid_desc small = grid_of_nodes();
        small.count[2] = 1;
        if (i > 0)
            set(world);
        fixture_ok(piola_world_set_wind_grid(world, &small, NULL), NULL);
        for (uint32_t n = 15; n < NODES; ++n)
            TEST_ASSERT_EACH_EQUAL_UINT8(0, &world_wind_nodes(world)[n], sizeof(struct pk_quad));
        fly(world, sheet(0), 0);
        fixture_steps(world, NULL, 3);
        hash[i] = piola_world_hash(world);
    }
    TEST_ASSERT_EQUAL_HEX64(hash[0], hash[1]);
}

static void carry(piola_world *world, int step)
{
    const piola_body none = {0, 0};
    fixture_push(world, PIOLA_COMMAND_WORLD_WIND_ORIGIN, none, 0, 0.1f * (float)step, 0, -0.2f);
    fixture_push(world, PIOLA_COMMAND_WORLD_WIND_STRENGTH, none, 0, 1 + 0.2f * (float)step, 0, 0);
    fixture_steps(world, NULL, 1);
}

static void test_a_snapshot_holds_the_grid(void)
{
    const piola_world_desc desc = airy(100);
    piola_world *world = fixture_world(&desc), *other = fixture_world(&desc);
    const piola_asset *asset = sheet(0);
    fly(world, asset, 0);
    set(world);
    carry(world, 3);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    carry(world, 4);
    const uint64_t hash = piola_world_hash(world);
    fixture_ok(piola_world_drop_wind_grid(world), NULL);
    fixture_steps(world, NULL, 2);
    piola_difference difference;
    fixture_ok(piola_snapshot_compare(world, snapshot, bytes, &difference), NULL);
    TEST_ASSERT_TRUE(difference.count > NODES);
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    carry(world, 4);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
    fixture_ok(piola_world_add_asset(other, asset), NULL);
    fixture_ok(piola_snapshot_restore(other, snapshot, bytes), NULL);
    carry(other, 4);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(other));
    const piola_world_desc less = airy(99);
    piola_world *smaller = fixture_world(&less);
    fixture_ok(piola_world_add_asset(smaller, asset), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_WORLD, piola_snapshot_restore(smaller, snapshot, bytes));
}

static void test_a_record_plays_what_carried_the_grid(void)
{
    const piola_world_desc desc = airy(NODES);
    piola_world *world = fixture_world(&desc);
    const piola_wind_grid_desc grid = grid_of_nodes();
    unsigned char *record = fixture_memory(4096);
    size_t used;
    uint64_t first = 99;
    fly(world, sheet(0), 0);
    set(world);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    fixture_ok(piola_record_begin(world, record, 4096), NULL);
    for (int step = 0; step < 5; ++step)
        carry(world, step);
    fixture_ok(piola_world_drop_wind_grid(world), NULL);
    fixture_steps(world, NULL, 2);
    fixture_ok(piola_world_set_wind_grid(world, &grid, NULL), NULL);
    fixture_steps(world, NULL, 2);
    fixture_ok(piola_record_end(world, &used), NULL);
    const uint64_t hash = piola_world_hash(world);
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    fixture_ok(piola_record_play(world, NULL, record, used, &first, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, first);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
}

/* ---- refusals ---- */

static void refuse(piola_world *world, const piola_wind_grid_desc *desc, piola_status status,
                   const char *expected)
{
    char text[300];
    piola_error error = {0};
    const uint64_t before = piola_world_hash(world);
    TEST_ASSERT_EQUAL(status, piola_world_set_wind_grid(world, desc, &error));
    (void)piola_error_format(&error, text, sizeof text);
    TEST_ASSERT_EQUAL_STRING_LEN(expected, text, strlen(expected));
    TEST_ASSERT_EQUAL_HEX64(before, piola_world_hash(world));
    TEST_ASSERT_EQUAL(status, piola_world_set_wind_grid(world, desc, NULL));
}

static void refuse_numbers(piola_world *world)
{
    for (uint32_t k = 0; k < 3; ++k) {
        const struct {
            float value;
            piola_status spacing, origin;
        } rows[] = {
            {NAN, PIOLA_ERROR_NOT_FINITE, PIOLA_ERROR_NOT_FINITE},
            {INFINITY, PIOLA_ERROR_NOT_FINITE, PIOLA_ERROR_NOT_FINITE},
            {-INFINITY, PIOLA_ERROR_NOT_FINITE, PIOLA_ERROR_NOT_FINITE},
            {0, PIOLA_ERROR_RANGE, PIOLA_OK},
            {-1, PIOLA_ERROR_RANGE, PIOLA_OK},
            {1e-30f, PIOLA_ERROR_RANGE, PIOLA_OK},
            {2e9f, PIOLA_ERROR_RANGE, PIOLA_ERROR_RANGE},
        };
        for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
            char expected[100];
            piola_wind_grid_desc desc = grid_of_nodes();
            desc.spacing[k] = rows[i].value;
            snprintf(expected, sizeof expected, "piola_wind_grid_desc.spacing[%u]: ", k);
            refuse(world, &desc, rows[i].spacing, expected);
            desc = grid_of_nodes();
            desc.origin[k] = rows[i].value;
            snprintf(expected, sizeof expected, "piola_wind_grid_desc.origin[%u]: ", k);
            if (rows[i].origin != PIOLA_OK)
                refuse(world, &desc, rows[i].origin, expected);
        }
    }
}

static void test_descriptions_that_cannot_be_are_refused(void)
{
    const piola_world_desc room = airy(NODES);
    piola_world_desc airless = airy(NODES);
    airless.air_density = 0;
    piola_world *world = fixture_world(&room);
    set(world);
    refuse_numbers(world);
    for (uint32_t k = 0; k < 3; ++k) {
        char expected[100];
        piola_wind_grid_desc desc = grid_of_nodes();
        snprintf(expected, sizeof expected, "piola_wind_grid_desc.count[%u]: ", k);
        desc.count[k] = 0;
        refuse(world, &desc, PIOLA_ERROR_RANGE, expected);
        desc.count[k] = UINT32_MAX;
        refuse(world, &desc, PIOLA_ERROR_RANGE, expected);
        desc = grid_of_nodes();
        ++desc.count[k];
        refuse(world, &desc, PIOLA_ERROR_WIND_FULL, "piola_world_desc.max_wind_nodes: ");
        /* 2^48 nodes: their product leaves 32 bits as 0. */
        desc.count[0] = desc.count[1] = desc.count[2] = 65536;
        refuse(world, &desc, PIOLA_ERROR_WIND_FULL, "piola_world_desc.max_wind_nodes: ");
    }
    piola_wind_grid_desc desc = grid_of_nodes();
    desc.strength = NAN;
    refuse(world, &desc, PIOLA_ERROR_NOT_FINITE, "piola_wind_grid_desc.strength: ");
    desc = grid_of_nodes();
    desc.nodes = NULL;
    refuse(world, &desc, PIOLA_ERROR_NULL, "piola_wind_grid_desc.nodes: ");
    desc = grid_of_nodes();
    desc.cookie_ = 0;
    refuse(world, &desc, PIOLA_ERROR_COOKIE, "piola_wind_grid_desc: ");
    desc = grid_of_nodes();
    nodes[3 * 17 + 1] = INFINITY;
    refuse(world, &desc, PIOLA_ERROR_NOT_FINITE, "piola_wind_grid_desc.nodes[17]: ");
    nodes[3 * 17 + 1] = -2e4f;
    refuse(world, &desc, PIOLA_ERROR_RANGE, "piola_wind_grid_desc.nodes[17]: ");
    nodes[3 * 17 + 1] = 0;
    refuse(fixture_world(&airless), &desc, PIOLA_ERROR_RANGE, "piola_world_desc.air_density: ");
    refuse(world, NULL, PIOLA_ERROR_NULL, "piola_wind_grid_desc: ");
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_set_wind_grid(NULL, &desc, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_drop_wind_grid(NULL));
    fixture_ok(piola_world_set_wind_grid(world, &desc, NULL), NULL);
    piola_world_desc large = airy((1u << 26) + 1);
    size_t bytes;
    piola_error error = {0};
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_size(&large, &bytes, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_wind_nodes", error.field);
}

/* Snapshots whose checksum holds, of grids that no world accepts. */
static void test_impossible_grids_in_snapshots_are_refused(void)
{
    const piola_world_desc desc = airy(NODES);
    for (int forgery = 0; forgery < 9; ++forgery) {
        piola_world *world = fixture_world(&desc), *to = fixture_world(&desc);
        set(world);
        struct wind_grid *grid = world_wind_grid(world);
        switch (forgery) {
        case 0:
            grid->count[0] = 4;
            break;
        case 1: /* 2^32 + 60 nodes, were they counted in 32 bits */
            grid->count[0] = grid->count[1] = 65536;
            grid->count[2] = 0;
            break;
        case 2:
            grid->spacing[1] = 0;
            break;
        case 3:
            grid->spacing[1] = NAN;
            break;
        case 4:
            grid->origin[2] = INFINITY;
            break;
        case 5:
            grid->strength = NAN;
            break;
        case 6:
            world_wind_nodes(world)[59].z = NAN;
            break;
        case 7:
            world_wind_nodes(world)[7].w = 1;
            break;
        default: /* nodes of no grid */
            world->dim[DIM_wind_grids].used = 0;
        }
        const size_t bytes = piola_snapshot_size(world);
        void *snapshot = fixture_memory(bytes);
        fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
        TEST_ASSERT_EQUAL_INT_MESSAGE(PIOLA_ERROR_SNAPSHOT_FORMAT,
                                      piola_snapshot_restore(to, snapshot, bytes), "forgery");
        TEST_ASSERT_EQUAL_UINT64(0, to->dim[DIM_wind_nodes].used);
        fixture_clean();
    }
}

/* ---- bits ---- */

static uint64_t flags(piola_isa isa, uint32_t threads, uint32_t cluster, uint32_t last)
{
    piola_world_desc desc = airy(NODES);
    piola_wind_grid_desc grid = grid_of_nodes();
    desc.isa = isa;
    desc.integrator = PIOLA_INTEGRATOR_BDF2;
    piola_world *world = fixture_world(&desc);
    grid.count[2] = last;
    fixture_ok(piola_world_set_wind_grid(world, &grid, NULL), NULL);
    const piola_asset *asset = sheet(cluster);
    for (int i = 0; i < 3; ++i)
        fly(world, asset, 0.4f * (float)i);
    piola_workers *workers = golden_workers(threads);
    fixture_steps(world, piola_workers_tasks(workers), 10);
    piola_workers_destroy(workers);
    const uint64_t hash = piola_world_hash(world);
    any_mesh_end();
    fixture_clean();
    return hash;
}

static void test_same_bits_on_all_sets_and_threads(void)
{
    for (uint32_t cluster = 0; cluster <= 64; cluster += 64) {
        const uint64_t first = flags(PIOLA_ISA_AUTO, 1, cluster, 4);
        TEST_ASSERT_TRUE(first != flags(PIOLA_ISA_AUTO, 1, cluster, 1));
        for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa)
            for (uint32_t threads = 1; threads < 4 && piola_isa_available((piola_isa)isa);
                 ++threads)
                TEST_ASSERT_EQUAL_HEX64(first, flags((piola_isa)isa, threads, cluster, 4));
    }
}

/* Wherever cloth is, and if its places are lost, only nodes are read (the sanitizer watches). */
static void test_far_and_lost_places_read_nodes_only(void)
{
    for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa) {
        const float heights[] = {1e9f, -1e9f, 1e30f, -3e38f, 3e38f, NAN};
        for (size_t i = 0; i < sizeof heights / sizeof *heights; ++i) {
            piola_world_desc desc = airy(NODES);
            desc.isa = (piola_isa)isa;
            desc.iterations = 0;
            if (!piola_isa_available(desc.isa))
                continue;
            piola_world *world = fixture_world(&desc);
            set(world);
            fly(world, sheet(0), 0);
            struct pk_quad *x = world_position(world);
            for (uint32_t p = 0; p < 100; ++p)
                x[p].y = heights[i];
            piola_report report;
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
            TEST_ASSERT_EQUAL_UINT32(i + 1 == sizeof heights / sizeof *heights, report.frozen);
            any_mesh_end();
            fixture_clean();
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_room_is_what_was_asked_for);
    RUN_TEST(test_room_alone_and_a_grid_that_went_leave_no_trace);
    RUN_TEST(test_a_grid_takes_the_place_of_the_one_before);
    RUN_TEST(test_a_snapshot_holds_the_grid);
    RUN_TEST(test_a_record_plays_what_carried_the_grid);
    RUN_TEST(test_descriptions_that_cannot_be_are_refused);
    RUN_TEST(test_impossible_grids_in_snapshots_are_refused);
    RUN_TEST(test_same_bits_on_all_sets_and_threads);
    RUN_TEST(test_far_and_lost_places_read_nodes_only);
    return UNITY_END();
}
