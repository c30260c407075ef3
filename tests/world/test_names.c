/* Handles of a future that was rolled back: stale for ever, whatever comes into their slots; the
 * hash does not know of them, records and snapshots do.
 * covers: src/world/names.c */
#include "fixture.h"
#include "unity.h"
#include "world/names.h"

#include "base/hash.h"

#include <string.h>

enum { SLOTS = 6, LIVES = 4000, SNAPSHOTS = 3 };
enum kind { BODY, COLLIDER, RIGID, ATTACHMENT, KINDS };

/* Handles of all kinds look alike. */
struct life {
    enum kind kind;
    uint32_t index, generation;
    piola_body held; /* of an attachment */
};

/* Who lived when a snapshot was made: numbers of lives. */
struct moment {
    void *snapshot;
    size_t bytes;
    bool lived[LIVES];
    uint64_t hash;
};

static const piola_asset *asset;

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_world *new_world(void)
{
    piola_world_desc d = piola_world_desc_default();
    d.max_bodies = SLOTS;
    d.max_colliders = d.max_rigids = SLOTS;
    d.max_attachments = SLOTS;
    d.max_contact_events = 16;
    asset = fixture_beam(1, 1, 1, 0.1);
    piola_world *world = fixture_world(&d);
    fixture_ok(piola_world_add_asset(world, asset), NULL);
    return world;
}

static bool alive(const piola_world *w, const struct life *l)
{
    switch (l->kind) {
    case BODY:
        return piola_body_alive(w, (piola_body){l->index, l->generation});
    case COLLIDER:
        return piola_collider_alive(w, (piola_collider){l->index, l->generation});
    case RIGID:
        return piola_rigid_alive(w, (piola_rigid){l->index, l->generation});
    default:
        return piola_attachment_alive(w, (piola_attachment){l->index, l->generation});
    }
}

/* False when there is no room, or nothing to attach. */
static bool born(piola_world *w, struct life *l)
{
    piola_status status = PIOLA_ERROR_STALE;
    if (l->kind == BODY) {
        piola_body_desc d = piola_body_desc_default();
        piola_body made = {0, 0};
        d.asset = asset;
        d.position[1] = 5;
        status = piola_body_create(w, &d, &made, NULL);
        l->index = made.index, l->generation = made.generation;
    } else if (l->kind == COLLIDER) {
        const piola_collider_desc d = piola_collider_desc_default();
        piola_collider made = {0, 0};
        status = piola_collider_create(w, &d, &made, NULL);
        l->index = made.index, l->generation = made.generation;
    } else if (l->kind == RIGID) {
        piola_rigid_desc d = piola_rigid_desc_default();
        piola_rigid made = {0, 0};
        d.position[1] = 9;
        status = piola_rigid_create(w, &d, &made, NULL);
        l->index = made.index, l->generation = made.generation;
    } else {
        piola_attachment_desc d = piola_attachment_desc_default();
        piola_attachment made = {0, 0};
        d.point = (piola_attachment_point){l->held, 1, {0}, {1}};
        status = piola_attachment_create(w, &d, &made, NULL);
        l->index = made.index, l->generation = made.generation;
    }
    return status == PIOLA_OK;
}

static void die(piola_world *w, const struct life *l)
{
    if (l->kind == BODY)
        fixture_ok(piola_body_destroy(w, (piola_body){l->index, l->generation}), NULL);
    if (l->kind == COLLIDER)
        fixture_ok(piola_collider_destroy(w, (piola_collider){l->index, l->generation}), NULL);
    if (l->kind == RIGID)
        fixture_ok(piola_rigid_destroy(w, (piola_rigid){l->index, l->generation}), NULL);
    if (l->kind == ATTACHMENT)
        fixture_ok(piola_attachment_destroy(w, (piola_attachment){l->index, l->generation}), NULL);
}

static void save(const piola_world *w, struct moment *m, const bool *lives)
{
    m->bytes = piola_snapshot_size(w);
    m->snapshot = fixture_memory(m->bytes);
    fixture_ok(piola_snapshot_save(w, m->snapshot, m->bytes), NULL);
    memcpy(m->lived, lives, sizeof m->lived);
    m->hash = piola_world_hash(w);
}

/* Attachments end with their bodies. */
static void bury(const struct life *life, uint32_t count, bool *lives, const struct life *body)
{
    for (uint32_t i = 0; i < count && body->kind == BODY; ++i)
        if (life[i].kind == ATTACHMENT && life[i].held.index == body->index &&
            life[i].held.generation == body->generation)
            lives[i] = false;
}

/* Everything is made, destroyed, saved and brought back at random; each handle ever given is good
 * just while what it was given for lives. */
static void test_a_handle_names_one_thing_for_ever(void)
{
    uint64_t random = fixture_seed();
    piola_world *w = new_world();
    static struct life life[LIVES];
    static struct moment moments[SNAPSHOTS];
    bool lives[LIVES] = {false};
    uint32_t count = 0, restored = 0;
    for (int i = 0; i < SNAPSHOTS; ++i)
        save(w, &moments[i], lives);
    for (int round = 0; round < fixture_count(2000, 300) && count < LIVES; ++round) {
        const uint64_t dice = fixture_random(&random) % 12;
        struct moment *moment = &moments[fixture_random(&random) % SNAPSHOTS];
        const uint32_t one = count ? (uint32_t)(fixture_random(&random) % count) : 0;
        if (dice < 6) {
            life[count].kind = (enum kind)(fixture_random(&random) % KINDS);
            for (uint32_t i = 0; i < count; ++i)
                if (lives[i] && life[i].kind == BODY)
                    life[count].held = (piola_body){life[i].index, life[i].generation};
            if (born(w, &life[count]))
                lives[count++] = true;
        } else if (dice < 10 && count > 0 && lives[one]) {
            die(w, &life[one]);
            lives[one] = false;
            bury(life, count, lives, &life[one]);
        } else if (dice == 10) {
            save(w, moment, lives);
        } else if (dice == 11) {
            fixture_ok(piola_snapshot_restore(w, moment->snapshot, moment->bytes), NULL);
            memcpy(lives, moment->lived, sizeof lives);
            TEST_ASSERT_EQUAL_UINT64(moment->hash, piola_world_hash(w));
            ++restored;
        }
        for (uint32_t i = 0; i < count; ++i)
            TEST_ASSERT_EQUAL(lives[i], alive(w, &life[i]));
    }
    TEST_ASSERT_GREATER_THAN_UINT32(fixture_count(50, 2), restored);
}

/* A world that went back and one that did not are in the same state: handles aside. */
static void test_the_hash_does_not_know_of_other_futures(void)
{
    piola_world *back = new_world(), *straight = new_world();
    struct moment begin, end;
    bool lives[LIVES] = {false};
    const piola_collider_desc floor = piola_collider_desc_default();
    piola_collider c;
    for (int i = 0; i < 2; ++i)
        fixture_ok(piola_collider_create(i ? back : straight, &floor, &c, NULL), NULL);
    save(back, &begin, lives);
    const piola_body lost = fixture_body(back, asset, 0, 0.02f, 0);
    fixture_steps(back, NULL, 20);
    fixture_ok(piola_snapshot_restore(back, begin.snapshot, begin.bytes), NULL);
    const piola_body made = fixture_body(back, asset, 0, 0.02f, 0),
                     other = fixture_body(straight, asset, 0, 0.02f, 0);
    TEST_ASSERT_FALSE(piola_body_alive(back, lost));
    TEST_ASSERT_EQUAL_UINT32(lost.index, made.index);
    TEST_ASSERT_NOT_EQUAL_UINT32(other.generation, made.generation);
    for (int i = 0; i < 20; ++i) {
        fixture_steps(back, NULL, 1);
        fixture_steps(straight, NULL, 1);
        TEST_ASSERT_EQUAL_UINT64(piola_world_hash(straight), piola_world_hash(back));
    }
    TEST_ASSERT_GREATER_THAN_UINT64(0, straight->dim[DIM_contact_events].used);
    piola_difference difference;
    save(straight, &end, lives);
    fixture_ok(piola_snapshot_compare(back, end.snapshot, end.bytes, &difference), NULL);
    TEST_ASSERT_NULL(difference.field);
    fixture_ok(piola_body_set_positions(back, made, 0, 1, (float[3]){9, 9, 9}, NULL), NULL);
    fixture_ok(piola_snapshot_compare(back, end.snapshot, end.bytes, &difference), NULL);
    TEST_ASSERT_EQUAL_STRING("bodies", difference.field); /* its history ended */
    TEST_ASSERT_NOT_EQUAL_UINT64(piola_world_hash(straight), piola_world_hash(back));
}

/* A record's commands hold handles: it plays only where they name the same. */
static void test_a_record_belongs_to_its_handles(void)
{
    piola_world *back = new_world(), *straight = new_world();
    struct moment begin;
    bool lives[LIVES] = {false};
    unsigned char record[4096];
    size_t bytes = 0;
    uint64_t difference = 0;
    save(back, &begin, lives);
    fixture_body(back, asset, 0, 1, 0);
    fixture_ok(piola_snapshot_restore(back, begin.snapshot, begin.bytes), NULL);
    const piola_body body = fixture_body(back, asset, 0, 1, 0);
    fixture_body(straight, asset, 0, 1, 0);
    struct moment start;
    save(back, &start, lives);
    fixture_ok(piola_record_begin(back, record, sizeof record), NULL);
    fixture_ok(piola_body_impulse(back, body, 0, (float[3]){0, 0.1f, 0}), NULL);
    fixture_steps(back, NULL, 3);
    fixture_ok(piola_record_end(back, &bytes), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_WORLD,
                      piola_record_play(straight, NULL, record, bytes, &difference, NULL));
    fixture_ok(piola_snapshot_restore(straight, start.snapshot, start.bytes), NULL);
    fixture_ok(piola_record_play(straight, NULL, record, bytes, &difference, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, difference);
}

/* What was destroyed before a snapshot, or rolled back, stays stale in a world it is carried to. */
static void test_names_travel_with_snapshots(void)
{
    piola_world *here = new_world(), *there = new_world();
    struct moment empty, m;
    bool lives[LIVES] = {false};
    save(here, &empty, lives);
    const piola_body first = fixture_body(here, asset, 0, 0, 0);
    fixture_ok(piola_body_destroy(here, first), NULL);
    const piola_body second = fixture_body(here, asset, 0, 0, 0);
    fixture_ok(piola_snapshot_restore(here, empty.snapshot, empty.bytes), NULL);
    save(here, &m, lives);
    fixture_ok(piola_snapshot_restore(there, m.snapshot, m.bytes), NULL);
    for (int i = 0; i < 3; ++i) {
        const piola_body made = fixture_body(there, asset, 0, 0, 0);
        TEST_ASSERT_EQUAL_UINT32(first.index, made.index);
        TEST_ASSERT_FALSE(piola_body_alive(there, first));
        TEST_ASSERT_FALSE(piola_body_alive(there, second));
        fixture_ok(piola_body_destroy(there, made), NULL);
    }
}

static void test_a_hash_in_pieces_is_the_hash(void)
{
    uint64_t random = fixture_seed();
    unsigned char bytes[5000];
    for (size_t i = 0; i < sizeof bytes; ++i)
        bytes[i] = (unsigned char)fixture_random(&random);
    for (int round = 0; round < fixture_count(300, 30); ++round) {
        const size_t size = fixture_random(&random) % (sizeof bytes + 1);
        struct hash hash = hash_begin((uint64_t)round);
        for (size_t at = 0; at < size;) {
            const size_t most = fixture_random(&random) % 200, left = size - at;
            hash_more(&hash, bytes + at, most < left ? most : left);
            at += most < left ? most : left;
        }
        TEST_ASSERT_EQUAL_UINT64(hash_bytes(bytes, size, (uint64_t)round), hash_end(&hash));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_handle_names_one_thing_for_ever);
    RUN_TEST(test_the_hash_does_not_know_of_other_futures);
    RUN_TEST(test_a_record_belongs_to_its_handles);
    RUN_TEST(test_names_travel_with_snapshots);
    RUN_TEST(test_a_hash_in_pieces_is_the_hash);
    return UNITY_END();
}
