/* Snapshots, comparison and hash: going back, and hostile bytes.
 *
 * covers: src/api/snapshot.c src/world/state_valid.c
 */
#include "base/hash.h"
#include "fixture.h"
#include "unity.h"
#include "world/world.h"

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
    piola_world_desc desc = piola_world_desc_default();
    desc.integrator = PIOLA_INTEGRATOR_BDF2;
    desc.substeps = 2;
    desc.iterations = 2;
    desc.max_bodies = 8;
    desc.max_particles = 4096;
    return desc;
}

static piola_world *scene(const piola_asset *asset, piola_body *body)
{
    const piola_world_desc desc = description();
    piola_world *world = fixture_world(&desc);
    *body = fixture_body(world, asset, 0, 0, 0);
    fixture_body(world, asset, 1, 0, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, *body, 0, 0, 0, 0);
    fixture_steps(world, NULL, 5);
    return world;
}

static void test_going_back_gives_the_same_future(void)
{
    piola_body body;
    piola_world *world = scene(fixture_beam(4, 1, 1, 0.1), &body);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, 3, 1, 0, 0);
    fixture_steps(world, NULL, 7);
    const uint64_t hash = piola_world_hash(world);
    fixture_steps(world, NULL, 3);
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, 3, 1, 0, 0);
    fixture_steps(world, NULL, 7);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
}

static void test_a_snapshot_restores_bodies_that_came_or_went_since(void)
{
    const piola_asset *asset = fixture_beam(4, 1, 1, 0.1);
    piola_body body;
    piola_world *world = scene(asset, &body);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    const uint64_t before = piola_world_hash(world);
    fixture_ok(piola_body_destroy(world, body), NULL);
    const piola_body late = fixture_body(world, asset, 3, 0, 0);
    fixture_body(world, asset, 4, 0, 0);
    fixture_steps(world, NULL, 3);
    TEST_ASSERT_GREATER_THAN_size_t(bytes, piola_snapshot_size(world));
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    TEST_ASSERT_EQUAL_HEX64(before, piola_world_hash(world));
    TEST_ASSERT_TRUE(piola_body_alive(world, body));
    TEST_ASSERT_FALSE(piola_body_alive(world, late));
    fixture_steps(world, NULL, 3);
}

static void test_a_snapshot_travels_to_another_world(void)
{
    const piola_asset *asset = fixture_beam(4, 1, 1, 0.1);
    piola_body body;
    piola_world *world = scene(asset, &body);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    const piola_world_desc desc = description();
    piola_world *other = fixture_world(&desc);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_WORLD, piola_snapshot_restore(other, snapshot, bytes));
    fixture_ok(piola_world_add_asset(other, asset), NULL);
    fixture_ok(piola_snapshot_restore(other, snapshot, bytes), NULL);
    fixture_steps(world, NULL, 9);
    fixture_steps(other, NULL, 9);
    TEST_ASSERT_EQUAL_HEX64(piola_world_hash(world), piola_world_hash(other));
    piola_world_desc stiff = desc;
    stiff.iterations = 3;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_WORLD,
                      piola_snapshot_restore(fixture_world(&stiff), snapshot, bytes));
}

static void test_comparison_names_the_first_difference(void)
{
    piola_body body;
    piola_world *world = scene(fixture_beam(4, 1, 1, 0.1), &body);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    piola_difference d;
    fixture_ok(piola_snapshot_compare(world, snapshot, bytes, &d), NULL);
    TEST_ASSERT_NULL(d.field);
    TEST_ASSERT_EQUAL_UINT64(0, d.count);
    world_velocity(world)[11].z += 1;
    world_older_velocity(world)[5].x += 1;
    fixture_ok(piola_snapshot_compare(world, snapshot, bytes, &d), NULL);
    TEST_ASSERT_EQUAL_STRING("velocity", d.field);
    TEST_ASSERT_EQUAL_UINT64(11, d.item);
    TEST_ASSERT_EQUAL_UINT64(2, d.count);
}

/* Whatever the bytes are, the world is either restored or untouched, and never harmed. */
static void test_hostile_snapshots_change_nothing(void)
{
    uint64_t random = fixture_seed();
    piola_body body;
    piola_world *world = scene(fixture_beam(2, 1, 1, 0.1), &body);
    const size_t bytes = piola_snapshot_size(world);
    unsigned char *good = fixture_memory(bytes), *bad = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, good, bytes), NULL);
    fixture_steps(world, NULL, 1);
    const uint64_t hash = piola_world_hash(world);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MEMORY, piola_snapshot_save(world, bad, bytes - 1));
    for (size_t cut = 0; cut < bytes; cut += 1 + cut / 8)
        TEST_ASSERT_NOT_EQUAL(PIOLA_OK, piola_snapshot_restore(world, good, cut));
    for (int i = 0; i < fixture_count(2000, 200); ++i) {
        memcpy(bad, good, bytes);
        bad[fixture_random(&random) % bytes] ^= (unsigned char)(1u << fixture_random(&random) % 8);
        TEST_ASSERT_NOT_EQUAL(PIOLA_OK, piola_snapshot_restore(world, bad, bytes));
        TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
    }
    fixture_steps(world, NULL, 1);
}

/* Snapshots whose bytes are whole but whose content is not: sealed again after each change. The
 * header is magic, version, reserved, bytes, world, checksum; what follows is sealed. */
static void forge(unsigned char *snapshot, size_t bytes)
{
    const size_t from = 40;
    const uint64_t seal = hash_bytes(snapshot + from, bytes - from, 1);
    memcpy(snapshot + from - 8, &seal, sizeof seal);
}

/* Makes a world's state one that no world can be in, each way another; false after the last way. */
static bool spoil(const piola_world *world, int way)
{
    struct body *b = &world_bodies(world)[0];
    struct pk_quad *x = &world_position(world)[1], *v = &world_velocity(world)[1];
    switch (way) {
    case 0:
        b->first = world_bodies(world)[1].first;
        return true;
    case 1:
        b->flags |= 64;
        return true;
    case 2:
        b->flags = BODY_FROZEN;
        return true;
    case 3:
        b->history = 7;
        return true;
    case 4:
        b->damping = -1;
        return true;
    case 5:
        b->pins += 1;
        return true;
    case 6:
        b->count += 16;
        return true;
    case 7:
        b->asset = 1;
        return true;
    case 8:
        x->w = -1;
        return true;
    case 9:
        x->x = INFINITY;
        return true;
    case 10:
        v->y = NAN;
        return true;
    case 11:
        b->gravity_scale = 2e9f; /* no call sets that */
        return true;
    case 12:
        b->acceleration[2] = -2e9f;
        return true;
    case 13:
        world_clock(world)->gravity[0] = 2e9f;
        return true;
    default:
        return false;
    }
}

static void test_forged_snapshots_are_refused(void)
{
    piola_body body;
    piola_world *world = scene(fixture_beam(2, 1, 1, 0.1), &body);
    struct body *b = &world_bodies(world)[0];
    struct pk_quad *x = &world_position(world)[1], *v = &world_velocity(world)[1];
    const struct body kept = *b;
    const struct pk_quad kept_x = *x, kept_v = *v;
    const struct clock kept_clock = *world_clock(world);
    const size_t bytes = piola_snapshot_size(world);
    unsigned char *snapshot = fixture_memory(bytes);
    for (int way = 0; spoil(world, way); ++way) {
        fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
        *b = kept;
        *x = kept_x;
        *v = kept_v;
        *world_clock(world) = kept_clock;
        const uint64_t hash = piola_world_hash(world);
        TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_FORMAT,
                          piola_snapshot_restore(world, snapshot, bytes));
        TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
    }
    /* Damage that is not sealed again is found by the seal, and the seal alone is no obstacle. */
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    snapshot[bytes - 1] ^= 1;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_FORMAT, piola_snapshot_restore(world, snapshot, bytes));
    snapshot[bytes - 1] ^= 1;
    forge(snapshot, bytes);
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    fixture_steps(world, NULL, 2);
}

/* The clock and the air are in every snapshot of a world that has them. */
static void test_snapshots_without_clock_or_air_are_refused(void)
{
    const struct {
        enum dimension dimension;
        size_t bytes;
    } cuts[] = {{DIM_one, sizeof(struct clock)}, {DIM_air, sizeof(struct weather)}};
    piola_world_desc desc = description();
    desc.air_density = 1.2f;
    piola_world *world = fixture_world(&desc);
    const size_t bytes = piola_snapshot_size(world);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; ++i) {
        unsigned char *snapshot = fixture_memory(bytes);
        fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
        fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
        /* In the header: bytes in all behind magic and version, extents behind the checksum. */
        const uint64_t left = bytes - cuts[i].bytes, none = 0;
        memcpy(snapshot + 16, &left, sizeof left);
        memcpy(snapshot + 40 + 8 * cuts[i].dimension, &none, sizeof none);
        forge(snapshot, left);
        TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_FORMAT,
                          piola_snapshot_restore(world, snapshot, left));
    }
}

/* Pinned far away and let go within one step: the way to the pin is not a motion. */
static void test_a_pin_that_is_let_go_at_once_leaves_no_speed(void)
{
    piola_body body;
    piola_world *world = scene(fixture_beam(2, 1, 1, 0.1), &body);
    fixture_push(world, PIOLA_COMMAND_BODY_UNPIN, body, 0, 0, 0, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 5, 9, 9, 9);
    fixture_push(world, PIOLA_COMMAND_BODY_UNPIN, body, 5, 0, 0, 0);
    piola_body_info before, after;
    fixture_ok(piola_body_inspect(world, body, &before), NULL);
    fixture_steps(world, NULL, 1);
    fixture_ok(piola_body_inspect(world, body, &after), NULL);
    TEST_ASSERT_TRUE(after.kinetic_energy < before.kinetic_energy + 1);
}

static void test_a_full_queue_refuses_and_loses_nothing(void)
{
    piola_world_desc desc = description();
    desc.max_commands = 4;
    piola_world *world = fixture_world(&desc);
    const piola_body body = fixture_body(world, fixture_beam(1, 1, 1, 0.1), 0, 0, 0);
    piola_command command = fixture_command(PIOLA_COMMAND_BODY_IMPULSE, body, 0, 1, 0, 0);
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 4; ++i)
            fixture_ok(piola_world_push(world, &command), NULL);
        TEST_ASSERT_EQUAL(PIOLA_ERROR_COMMANDS_FULL, piola_world_push(world, &command));
        piola_report report;
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        TEST_ASSERT_EQUAL_UINT32(4, report.commands);
    }
}

/* Going back leaves what waits to the next step, or not, as one likes. */
static void test_commands_that_wait_are_kept_or_dropped(void)
{
    piola_body body;
    piola_world *world = scene(fixture_beam(2, 1, 1, 0.1), &body);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    uint64_t hashes[2];
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    for (int drops = 0; drops < 2; ++drops) {
        piola_report report;
        uint32_t dropped = 77;
        for (int i = 0; i < 3; ++i)
            fixture_ok(piola_body_impulse(world, body, 0, (float[3]){0, 0.01f, 0}), NULL);
        fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
        if (drops) {
            fixture_ok(piola_world_drop_commands(world, &dropped), NULL);
            TEST_ASSERT_EQUAL_UINT32(3, dropped);
            fixture_ok(piola_world_drop_commands(world, NULL), NULL);
        }
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        TEST_ASSERT_EQUAL_UINT32(drops ? 0 : 3, report.commands);
        hashes[drops] = piola_world_hash(world);
    }
    TEST_ASSERT_NOT_EQUAL_UINT64(hashes[0], hashes[1]);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_drop_commands(NULL, NULL));
    /* The queue goes round as before. */
    for (uint32_t i = 0; i < 3 * 1024; ++i) {
        fixture_ok(piola_body_thaw(world, body), NULL);
        if (i % 5 == 0)
            fixture_ok(piola_world_drop_commands(world, NULL), NULL);
    }
    fixture_steps(world, NULL, 1);
}

static void test_bad_commands_are_refused_at_the_door(void)
{
    piola_world_desc desc = description();
    piola_world *world = fixture_world(&desc);
    piola_command command = {.kind = PIOLA_COMMAND_WORLD_GRAVITY};
    command.as.gravity.acceleration[1] = 1e30f * 1e30f;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_world_push(world, &command));
    command.as.gravity.acceleration[1] = 1e30f;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_push(world, &command));
    command.as.gravity.acceleration[1] = 0;
    command.kind = 0;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_push(world, &command));
    command.kind = PIOLA_COMMAND_COUNT;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_push(world, &command));
    command.kind = PIOLA_COMMAND_WORLD_GRAVITY;
    command.reserved_ = 1;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_push(world, &command));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_push(world, NULL));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_going_back_gives_the_same_future);
    RUN_TEST(test_a_snapshot_restores_bodies_that_came_or_went_since);
    RUN_TEST(test_a_snapshot_travels_to_another_world);
    RUN_TEST(test_comparison_names_the_first_difference);
    RUN_TEST(test_hostile_snapshots_change_nothing);
    RUN_TEST(test_forged_snapshots_are_refused);
    RUN_TEST(test_snapshots_without_clock_or_air_are_refused);
    RUN_TEST(test_a_pin_that_is_let_go_at_once_leaves_no_speed);
    RUN_TEST(test_a_full_queue_refuses_and_loses_nothing);
    RUN_TEST(test_commands_that_wait_are_kept_or_dropped);
    RUN_TEST(test_bad_commands_are_refused_at_the_door);
    return UNITY_END();
}
