/* Rollback as games do it: a snapshot before every frame; when what others did arrives 8 frames
 * late, the world goes back and steps these frames again with other inputs. Bodies come and go
 * among them.
 *
 * covers: src/api/snapshot.c
 */
#include "fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { WINDOW = 8, FRAMES = 60, NUMBERS = 64 };

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_world *world_of(const piola_asset *asset)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.max_bodies = 16;
    desc.max_particles = 8192;
    desc.max_colliders = 1;
    desc.max_contacts = 8192;
    desc.max_contact_faces = 8192;
    desc.vertex_forces = false;
    piola_world *world = fixture_world(&desc);
    piola_collider floor;
    const piola_collider_desc plane = piola_collider_desc_default();
    fixture_ok(piola_collider_create(world, &plane, &floor, NULL), NULL);
    fixture_ok(piola_world_add_asset(world, asset), NULL);
    return world;
}

/* Handles change when a body is made again: players name bodies by numbers of their own. */
static piola_body named(const piola_world *world, uint64_t number)
{
    piola_body bodies[16];
    uint32_t count = 0;
    fixture_ok(piola_world_bodies(world, bodies, 16, &count), NULL);
    for (uint32_t i = 0; i < count; ++i) {
        piola_body_info info;
        fixture_ok(piola_body_inspect(world, bodies[i], &info), NULL);
        if (info.user_data == number)
            return bodies[i];
    }
    return (piola_body){0, 0};
}

/* What is done in a frame: as it was, or as it was guessed until that was known. */
static void play(piola_world *world, const piola_asset *asset, uint32_t frame, bool guessed)
{
    const uint64_t number = 1 + frame / 3;
    piola_body body = {0, 0};
    piola_body_desc desc = piola_body_desc_default();
    if (frame % 3 == 0 || (guessed && frame % 5 == 1)) {
        desc.asset = asset;
        desc.position[0] = 0.05f * (float)(frame % 7);
        desc.position[1] = guessed ? 0.7f : 0.5f;
        desc.user_data = guessed ? NUMBERS + frame : number;
        fixture_ok(piola_body_create(world, &desc, &body, NULL), NULL);
    }
    if (number > 4 && frame % 3 == 2 && !guessed)
        fixture_ok(piola_body_destroy(world, named(world, number - 4)), NULL);
    body = named(world, number);
    if (body.index > 0)
        fixture_ok(piola_body_impulse(world, body, frame % 8,
                                      (float[3]){guessed ? -0.1f : 0.1f, 0, 0.02f}),
                   NULL);
    /* What is thrown against others meets them only after the iterations of a substep. */
    if (body.index > 0 && frame % 4 == 1)
        fixture_ok(piola_body_set_velocities(world, body, 0, 1,
                                             (float[3]){0.3f, guessed ? 2 : -2, 0}, NULL),
                   NULL);
    fixture_steps(world, NULL, 1);
}

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Snapshots, and those without a checksum. */
static const struct way {
    piola_status (*save)(const piola_world *world, void *memory, size_t bytes);
    piola_status (*restore)(piola_world *world, const void *memory, size_t bytes);
} ways[] = {{piola_snapshot_save, piola_snapshot_restore},
            {piola_rollback_save, piola_rollback_restore}};

struct moment {
    void *memory;
    size_t room, bytes;
};

static void save(const struct way *way, const piola_world *world, struct moment *moment)
{
    moment->bytes = piola_snapshot_size(world);
    if (moment->bytes > moment->room) {
        moment->room = 2 * moment->bytes;
        moment->memory = fixture_memory(moment->room);
    }
    fixture_ok(way->save(world, moment->memory, moment->bytes), NULL);
}

static void go_back_each_frame(const struct way *way)
{
    const piola_asset *asset = fixture_beam(2, 1, 1, 0.1);
    piola_world *game = world_of(asset), *straight = world_of(asset);
    struct moment ring[WINDOW] = {{NULL, 0, 0}};
    const uint32_t frames = (uint32_t)fixture_count(FRAMES / 2, 2 * WINDOW);
    for (uint32_t frame = 0; frame < frames; ++frame) {
        save(way, game, &ring[frame % WINDOW]);
        play(game, asset, frame, true);
        play(straight, asset, frame, false);
        const uint32_t from = frame + 1 < WINDOW ? 0 : frame + 1 - WINDOW;
        const struct moment *then = &ring[from % WINDOW];
        fixture_ok(way->restore(game, then->memory, then->bytes), NULL);
        for (uint32_t again = from; again <= frame; ++again) {
            if (again > from)
                save(way, game, &ring[again % WINDOW]);
            play(game, asset, again, false);
        }
        TEST_ASSERT_EQUAL_HEX64(piola_world_hash(straight), piola_world_hash(game));
    }
}

static void test_a_game_that_goes_back_8_frames_each_frame(void)
{
    go_back_each_frame(&ways[0]);
    go_back_each_frame(&ways[1]);
}

/* What is without a checksum is known by its header, and that is sealed. */
static void test_what_is_not_of_this_world_is_refused(void)
{
    const piola_asset *asset = fixture_beam(2, 1, 1, 0.1);
    piola_world *world = world_of(asset);
    piola_world_desc desc = piola_world_desc_default();
    piola_world *other = fixture_world(&desc);
    fixture_body(world, asset, 0, 0.5f, 0);
    const size_t bytes = piola_snapshot_size(world);
    unsigned char *kept = fixture_memory(bytes), *sealed = fixture_memory(bytes);
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MEMORY, piola_rollback_save(world, kept, bytes - 1));
    fixture_ok(piola_rollback_save(world, kept, bytes), NULL);
    fixture_ok(piola_snapshot_save(world, sealed, bytes), NULL);
    fixture_steps(world, NULL, 3);
    const uint64_t hash = piola_world_hash(world);
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_SNAPSHOT_FORMAT,
                          piola_rollback_restore(world, sealed, bytes));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_SNAPSHOT_FORMAT, piola_snapshot_restore(world, kept, bytes));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_SNAPSHOT_FORMAT,
                          piola_rollback_restore(world, kept, bytes - 1));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_SNAPSHOT_WORLD, piola_rollback_restore(other, kept, bytes));
    for (size_t i = 0; i < 48; ++i) { /* the header, and its counts */
        kept[i] ^= 4;
        TEST_ASSERT_NOT_EQUAL_INT(PIOLA_OK, piola_rollback_restore(world, kept, bytes));
        kept[i] ^= 4;
    }
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
    fixture_ok(piola_rollback_restore(world, kept, bytes), NULL);
    TEST_ASSERT_TRUE(hash != piola_world_hash(world));
}

/* Beside copying as many bytes; of a machine that others use, so nothing is asked of the times. */
static void test_what_saving_and_restoring_take(void)
{
    const piola_asset *asset = fixture_beam(20, 8, 8, 0.02);
    piola_asset_stats stats;
    fixture_ok(piola_asset_inspect(asset, &stats), NULL);
    piola_world *world = world_of(asset);
    fixture_body(world, asset, 0, 0.5f, 0);
    fixture_body(world, asset, 1, 0.5f, 0);
    fixture_steps(world, NULL, 2);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes), *copy = fixture_memory(bytes);
    double best[2][2] = {{1e9, 1e9}, {1e9, 1e9}}, copying = 1e9;
    for (int i = 0; i < fixture_count(50, 2); ++i) {
        double from = seconds();
        memcpy(copy, snapshot, bytes);
        copying = fmin(copying, seconds() - from);
        for (int w = 1; w >= 0; --w) {
            from = seconds();
            fixture_ok(ways[w].save(world, snapshot, bytes), NULL);
            const double between = seconds();
            fixture_ok(ways[w].restore(world, snapshot, bytes), NULL);
            best[w][0] = fmin(best[w][0], between - from);
            best[w][1] = fmin(best[w][1], seconds() - between);
        }
    }
    printf("%zu bytes, %.1f a vertex: memcpy %.3g us; snapshot: save %.3g, restore %.3g; rollback: "
           "save %.3g, restore %.3g us\n",
           bytes, (double)bytes / (2.0 * stats.vertices), 1e6 * copying, 1e6 * best[0][0],
           1e6 * best[0][1], 1e6 * best[1][0], 1e6 * best[1][1]);
    /* Position, velocity and the velocity before, of particles in packs of 16; and the bodies. */
    TEST_ASSERT_LESS_THAN_size_t((size_t)2 * stats.particles * 48 + 16384, bytes);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_game_that_goes_back_8_frames_each_frame);
    RUN_TEST(test_what_is_not_of_this_world_is_refused);
    RUN_TEST(test_what_saving_and_restoring_take);
    return UNITY_END();
}
