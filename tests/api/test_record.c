/* Records: played to the same bits, whatever came and went; readable up to the last whole step
 * after a cut at any byte; refused by the step when anything in them was changed.
 *
 * covers: src/world/record.c src/api/replay.c
 */
#include "base/hash.h"
#include "fixture.h"
#include "unity.h"
#include "world/record.h"

#include <math.h>
#include <string.h>

enum { ROOM = 1 << 20, STEPS = 40, ASSETS = 2 };

/* A world that was recorded: from a snapshot, with assets and a shape. */
struct take {
    piola_world_desc desc;
    piola_world *world;
    const piola_asset *asset[ASSETS];
    const piola_shape_data *shape;
    void *snapshot;
    size_t snapshot_bytes;
    unsigned char *record;
    size_t bytes;
    uint64_t hash[STEPS + 1]; /* after each step */
    size_t end[STEPS + 1];    /* where each step ends in the record */
};

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static const piola_shape_data *tetrahedron(void)
{
    static const double corners[] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
    piola_shape_desc desc = piola_shape_desc_default();
    const piola_shape_data *shape = NULL;
    size_t bytes = 0, scratch = 0;
    desc.kind = PIOLA_SHAPE_HULL;
    desc.vertices = corners;
    desc.vertex_count = 4;
    fixture_ok(piola_shape_size(&desc, &bytes, &scratch, NULL), NULL);
    fixture_ok(piola_shape_compile(&desc, fixture_memory(scratch), scratch, fixture_memory(bytes),
                                   bytes, &shape, NULL),
               NULL);
    return shape;
}

static piola_world *world_of(const struct take *r)
{
    piola_world *world = fixture_world(&r->desc);
    for (int i = 0; i < ASSETS; ++i)
        fixture_ok(piola_world_add_asset(world, r->asset[i]), NULL);
    fixture_ok(piola_world_add_shape(world, r->shape), NULL);
    return world;
}

static struct take begin(void)
{
    struct take r = {.desc = piola_world_desc_default()};
    r.desc.max_bodies = 8;
    r.desc.max_particles = 2048;
    r.desc.max_colliders = 4;
    r.desc.max_rigids = 4;
    r.desc.max_attachments = 8;
    r.desc.max_tractions = 4;
    r.desc.max_traction_triangles = 256;
    r.desc.air_density = 1.2f;
    r.desc.max_wind_nodes = 8;
    r.asset[0] = fixture_beam(2, 1, 1, 0.1);
    r.asset[1] = fixture_beam(1, 1, 1, 0.1);
    r.shape = tetrahedron();
    r.world = world_of(&r);
    fixture_body(r.world, r.asset[0], 0, 0.5f, 0);
    fixture_steps(r.world, NULL, 2);
    r.snapshot_bytes = piola_snapshot_size(r.world);
    r.snapshot = fixture_memory(r.snapshot_bytes);
    fixture_ok(piola_snapshot_save(r.world, r.snapshot, r.snapshot_bytes), NULL);
    r.record = fixture_memory(ROOM);
    fixture_ok(piola_record_begin(r.world, r.record, ROOM), NULL);
    r.end[0] = r.world->record.used;
    return r;
}

static void step(struct take *r, int i)
{
    fixture_steps(r->world, NULL, 1);
    r->hash[i] = piola_world_hash(r->world);
    r->end[i] = r->world->record.used;
}

static void end(struct take *r)
{
    fixture_ok(piola_record_end(r->world, &r->bytes), NULL);
    TEST_ASSERT_EQUAL_size_t(r->end[STEPS], r->bytes);
}

/* Another world in the state in which recording began. */
static piola_world *again(const struct take *r)
{
    piola_world *world = world_of(r);
    fixture_ok(piola_snapshot_restore(world, r->snapshot, r->snapshot_bytes), NULL);
    return world;
}

static void check_plays(const struct take *r, piola_world *world)
{
    uint64_t first = 99;
    piola_error error = {0};
    fixture_ok(piola_record_play(world, NULL, r->record, r->bytes, &first, &error), &error);
    TEST_ASSERT_EQUAL_UINT64(0, first);
    TEST_ASSERT_EQUAL_HEX64(r->hash[STEPS], piola_world_hash(world));
}

/* What there is of each kind, while things come and go. */
struct things {
    piola_body body[8];
    piola_collider collider[4];
    piola_rigid rigid[4];
    piola_attachment attachment[8];
    piola_traction traction[4];
};

static float draw(uint64_t *random, float most)
{
    return most * (float)(2 * fixture_uniform(random) - 1);
}

static void come_or_go_body(struct take *r, struct things *t, uint64_t *random)
{
    piola_body *body = &t->body[fixture_random(random) % 6];
    piola_body_desc desc = piola_body_desc_default();
    if (piola_body_alive(r->world, *body)) {
        fixture_ok(piola_body_destroy(r->world, *body), NULL);
        return;
    }
    desc.asset = r->asset[fixture_random(random) % ASSETS];
    desc.position[0] = draw(random, 1);
    desc.position[1] = 1;
    desc.drag = 1;
    fixture_ok(piola_body_create(r->world, &desc, body, NULL), NULL);
}

static void come_or_go_solid(struct take *r, struct things *t, uint64_t *random)
{
    const size_t at = fixture_random(random) % 4;
    piola_collider_desc collider = piola_collider_desc_default();
    piola_rigid_desc rigid = piola_rigid_desc_default();
    if (fixture_random(random) % 2) {
        if (piola_collider_alive(r->world, t->collider[at])) {
            fixture_ok(piola_collider_destroy(r->world, t->collider[at]), NULL);
            return;
        }
        collider.shape = at % 2 ? piola_shape_plane() : piola_shape_of(r->shape);
        fixture_ok(piola_collider_create(r->world, &collider, &t->collider[at], NULL), NULL);
    } else if (piola_rigid_alive(r->world, t->rigid[at])) {
        fixture_ok(piola_rigid_destroy(r->world, t->rigid[at]), NULL);
    } else {
        rigid.position[1] = 2 + (float)at;
        fixture_ok(piola_rigid_create(r->world, &rigid, &t->rigid[at], NULL), NULL);
    }
}

static void come_or_go_tie(struct take *r, struct things *t, uint64_t *random)
{
    const size_t at = fixture_random(random) % 4;
    const piola_body body = t->body[fixture_random(random) % 6];
    piola_attachment_desc attachment = piola_attachment_desc_default();
    piola_traction_desc traction = piola_traction_desc_default();
    if (piola_attachment_alive(r->world, t->attachment[at])) {
        fixture_ok(piola_attachment_destroy(r->world, t->attachment[at]), NULL);
    } else if (piola_body_alive(r->world, body)) {
        attachment.point = (piola_attachment_point){body, 1, {1}, {1}};
        attachment.compliance = 0.01f;
        fixture_ok(piola_attachment_create(r->world, &attachment, &t->attachment[at], NULL), NULL);
    }
    if (piola_traction_alive(r->world, t->traction[at])) {
        fixture_ok(piola_traction_destroy(r->world, t->traction[at]), NULL);
    } else if (piola_body_alive(r->world, body)) {
        traction.body = body;
        traction.triangles = at % 2 ? (const uint32_t[]){0, 2, 5} : NULL;
        traction.triangle_count = at % 2 ? 3 : 0;
        traction.pressure = 10;
        fixture_ok(piola_traction_create(r->world, &traction, &t->traction[at], NULL), NULL);
    }
}

static void change_world(struct take *r, struct things *t, uint64_t *random)
{
    const piola_body body = t->body[fixture_random(random) % 6];
    float xyz[6], nodes[24];
    piola_wind_grid_desc grid = piola_wind_grid_desc_default();
    for (int i = 0; i < 24; ++i)
        nodes[i] = draw(random, 3);
    for (uint32_t k = 0; k < 3; ++k)
        grid.count[k] = 2;
    grid.nodes = nodes;
    switch (fixture_random(random) % 4) {
    case 0:
        fixture_ok(piola_world_compact(r->world), NULL);
        break;
    case 1:
        fixture_ok(piola_world_set_wind_grid(r->world, &grid, NULL), NULL);
        break;
    case 2:
        fixture_ok(piola_world_drop_wind_grid(r->world), NULL);
        break;
    default:
        if (!piola_body_alive(r->world, body))
            break;
        fixture_ok(piola_body_positions(r->world, body, 2, 2, xyz), NULL);
        xyz[0] += 0.01f;
        fixture_ok(piola_body_set_positions(r->world, body, 2, 2, xyz, NULL), NULL);
        fixture_ok(
            piola_body_set_velocities(r->world, body, 0, 2, (float[6]){1, 0, 0, 0, 1, 0}, NULL),
            NULL);
    }
}

static struct take eventful(uint64_t *random)
{
    struct take r = begin();
    struct things t;
    memset(&t, 0, sizeof t);
    for (int i = 1; i <= STEPS; ++i) {
        if (i % 3 != 0) {
            come_or_go_body(&r, &t, random);
            come_or_go_solid(&r, &t, random);
            come_or_go_tie(&r, &t, random);
            change_world(&r, &t, random);
        }
        for (int k = 0; k < 3; ++k)
            if (piola_body_alive(r.world, t.body[k])) {
                fixture_push(r.world, PIOLA_COMMAND_BODY_IMPULSE, t.body[k], (uint32_t)k,
                             draw(random, 0.01f), 0, draw(random, 0.01f));
                fixture_push(r.world, PIOLA_COMMAND_BODY_PIN, t.body[k], 7, draw(random, 1), 1, 0);
            }
        step(&r, i);
    }
    end(&r);
    return r;
}

/* In a fresh world, and in its own that went back: where the same things have been before. */
static void test_what_comes_and_goes_is_played_to_the_same_bits(void)
{
    uint64_t random = fixture_seed();
    const struct take r = eventful(&random);
    check_plays(&r, again(&r));
    for (int i = 0; i < 2; ++i) {
        fixture_ok(piola_snapshot_restore(r.world, r.snapshot, r.snapshot_bytes), NULL);
        check_plays(&r, r.world);
    }
    /* Not in the state in which it begins. */
    uint64_t first = 0;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_WORLD,
                      piola_record_play(r.world, NULL, r.record, r.bytes, &first, NULL));
}

/* A body has the same handle again; the world also remembers what was given before. */
static void test_handles_come_again(void)
{
    struct take r = begin();
    piola_body body, other;
    piola_body_desc desc = piola_body_desc_default();
    desc.asset = r.asset[0];
    fixture_ok(piola_body_create(r.world, &desc, &body, NULL), NULL);
    for (int i = 1; i <= STEPS; ++i)
        step(&r, i);
    end(&r);
    fixture_ok(piola_snapshot_restore(r.world, r.snapshot, r.snapshot_bytes), NULL);
    fixture_ok(piola_body_create(r.world, &desc, &other, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT32(body.index, other.index);
    TEST_ASSERT_NOT_EQUAL_UINT32(body.generation, other.generation);
    fixture_ok(piola_snapshot_restore(r.world, r.snapshot, r.snapshot_bytes), NULL);
    check_plays(&r, r.world);
    TEST_ASSERT_TRUE(piola_body_alive(r.world, body));
    TEST_ASSERT_FALSE(piola_body_alive(r.world, other));
    fixture_ok(piola_body_destroy(r.world, body), NULL);
    fixture_ok(piola_body_create(r.world, &desc, &body, NULL), NULL);
    TEST_ASSERT_GREATER_THAN_UINT32(other.generation, body.generation);
}

/* Cut at any byte: what is whole plays, and nothing else was there. */
static void test_a_cut_record_plays_to_its_last_whole_step(void)
{
    uint64_t random = fixture_seed();
    const struct take r = eventful(&random);
    piola_world *world = again(&r);
    piola_replay replay;
    uint64_t whole = 0;
    for (size_t cut = 0; cut <= r.bytes; ++cut) {
        if (cut < r.end[0]) {
            TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORD_FORMAT,
                              piola_replay_begin(&replay, world, r.record, cut, NULL));
            continue;
        }
        whole += whole < STEPS && cut >= r.end[whole + 1];
        fixture_ok(piola_replay_begin(&replay, world, r.record, cut, NULL), NULL);
        TEST_ASSERT_EQUAL_UINT64(whole, replay.steps);
        TEST_ASSERT_EQUAL_size_t(r.end[whole], replay.whole);
    }
    for (int i = 0; i < fixture_count(10, 2); ++i) {
        const size_t cut = r.end[0] + fixture_random(&random) % (r.bytes - r.end[0]);
        uint64_t first = 99;
        fixture_ok(piola_snapshot_restore(world, r.snapshot, r.snapshot_bytes), NULL);
        fixture_ok(piola_replay_begin(&replay, world, r.record, cut, NULL), NULL);
        fixture_ok(piola_record_play(world, NULL, r.record, cut, &first, NULL), NULL);
        TEST_ASSERT_EQUAL_UINT64(0, first);
        if (replay.steps > 0)
            TEST_ASSERT_EQUAL_HEX64(r.hash[replay.steps], piola_world_hash(world));
    }
}

static uint64_t step_at(const struct take *r, size_t byte)
{
    uint64_t step = 0;
    while (byte >= r->end[step])
        ++step;
    return step;
}

/* Any one bit, and any two bytes: refused by the step, and the world is untouched. */
static void test_changed_bits_are_refused_by_their_step(void)
{
    uint64_t random = fixture_seed();
    const struct take r = eventful(&random);
    piola_world *world = again(&r);
    const uint64_t hash = piola_world_hash(world);
    const int most = fixture_count(4000, 400);
    for (int i = 0; i < most; ++i) {
        /* All of the header's bits, then any. */
        const size_t bit =
            i < (int)(8 * r.end[0]) ? (size_t)i : fixture_random(&random) % (8 * r.bytes);
        piola_error error = {0};
        uint64_t first = 0;
        char text[200];
        r.record[bit / 8] ^= (unsigned char)(1u << bit % 8);
        const piola_status status =
            piola_record_play(world, NULL, r.record, r.bytes, &first, &error);
        r.record[bit / 8] ^= (unsigned char)(1u << bit % 8);
        TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
        piola_error_format(&error, text, sizeof text);
        if (bit / 8 < offsetof(struct record_header, start)) {
            TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORD_FORMAT, status);
            continue;
        }
        TEST_ASSERT_EQUAL_MESSAGE(PIOLA_ERROR_RECORD_DAMAGED, status, text);
        TEST_ASSERT_EQUAL_STRING("record.step", error.field);
        TEST_ASSERT_TRUE(error.has_item);
        TEST_ASSERT_EQUAL_UINT64(step_at(&r, bit / 8), error.item);
    }
    check_plays(&r, world);
}

/* Steps that were left out, doubled or swapped have good seals, but not in that place. */
static void test_steps_stay_in_their_order(void)
{
    uint64_t random = fixture_seed();
    const struct take r = eventful(&random);
    piola_world *world = again(&r);
    unsigned char *bad = fixture_memory(r.bytes);
    piola_replay replay;
    piola_error error;
    for (size_t gone = 1; gone < STEPS; ++gone) {
        memcpy(bad, r.record, r.bytes);
        memmove(bad + r.end[gone - 1], bad + r.end[gone], r.bytes - r.end[gone]);
        const size_t left = r.bytes - (r.end[gone] - r.end[gone - 1]);
        TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORD_DAMAGED,
                          piola_replay_begin(&replay, world, bad, left, &error));
        TEST_ASSERT_EQUAL_UINT64(gone, error.item);
    }
}

/* Gives the steps from one on the seals that their content asks for. */
static void seal(unsigned char *record, size_t at, size_t bytes, uint64_t before)
{
    struct record_head head;
    for (; bytes - at > sizeof head; at += sizeof head + head.bytes) {
        memcpy(&head, record + at, sizeof head);
        if (head.bytes > bytes - at - sizeof head)
            return;
        head.head_seal = record_head_seal(head.bytes, before);
        head.seal = record_seal(record + at + sizeof head, head.bytes, before);
        memcpy(record + at, &head, sizeof head);
        before = head.seal;
    }
}

/* Forged with good seals: refused, or played to another state as any other inputs would be. */
static void test_forged_records_do_no_harm(void)
{
    uint64_t random = fixture_seed();
    const struct take r = eventful(&random);
    piola_world *world = again(&r);
    unsigned char *bad = fixture_memory(r.bytes);
    struct record_header header;
    int refused = 0, played = 0;
    memcpy(&header, r.record, sizeof header);
    for (int i = 0; i < fixture_count(600, 60); ++i) {
        memcpy(bad, r.record, r.bytes);
        for (int k = 0; k < 3; ++k) {
            const size_t bit = 8 * r.end[0] + fixture_random(&random) % (8 * (r.bytes - r.end[0]));
            bad[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        seal(bad, sizeof header, r.bytes, header.seal);
        uint64_t first = 0;
        piola_error error = {0};
        fixture_ok(piola_snapshot_restore(world, r.snapshot, r.snapshot_bytes), NULL);
        const piola_status status = piola_record_play(world, NULL, bad, r.bytes, &first, &error);
        refused += status == PIOLA_ERROR_RECORD_DAMAGED;
        played += status == PIOLA_OK;
        TEST_ASSERT_TRUE(status == PIOLA_OK || status == PIOLA_ERROR_RECORD_DAMAGED);
        TEST_ASSERT_TRUE(status == PIOLA_OK || error.item > 0);
    }
    printf("forged records: %d refused, %d played\n", refused, played);
    TEST_ASSERT_GREATER_THAN_INT(0, refused);
    TEST_ASSERT_GREATER_THAN_INT(0, played);
}

/* A command that piola_world_push would refuse. */
static void test_forged_commands_are_refused_as_pushed_ones(void)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 2e9f};
    struct take r = begin();
    for (int i = 1; i <= STEPS; ++i) {
        fixture_ok(piola_world_set_gravity(r.world, (float[3]){0, -(float)i, 0}), NULL);
        step(&r, i);
    }
    end(&r);
    piola_world *world = again(&r);
    const uint64_t hash = piola_world_hash(world);
    struct record_header header;
    memcpy(&header, r.record, sizeof header);
    unsigned char *forged = fixture_memory(r.bytes);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        const size_t at = r.end[6] + sizeof(struct record_head) + sizeof(uint32_t);
        piola_error error = {0};
        uint64_t first = 0;
        memcpy(forged, r.record, r.bytes);
        memcpy(forged + at, &bad[i], sizeof bad[i]);
        seal(forged, sizeof header, r.bytes, header.seal);
        TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORD_DAMAGED,
                          piola_record_play(world, NULL, forged, r.bytes, &first, &error));
        TEST_ASSERT_EQUAL_UINT64(7, error.item);
        TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
    }
}

/* A step that came to another state is told by its number. */
static void test_a_difference_is_found_at_its_step(void)
{
    struct take r = begin();
    for (int i = 1; i <= STEPS; ++i)
        step(&r, i);
    end(&r);
    struct record_header header;
    memcpy(&header, r.record, sizeof header);
    r.record[r.end[9] - 1] ^= 1; /* of the hash after the ninth */
    seal(r.record, sizeof header, r.bytes, header.seal);
    uint64_t first = 0;
    fixture_ok(piola_record_play(again(&r), NULL, r.record, r.bytes, &first, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(9, first);
}

/* Taken away in pieces of any size, while it grows in a small memory, it is the same record. */
static void test_a_record_is_drained_in_pieces(void)
{
    uint64_t random = fixture_seed();
    struct take r = begin();
    piola_world *twin = again(&r);
    unsigned char small[700], *whole = fixture_memory(ROOM);
    size_t moved = 0, used = 0;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORD_FORMAT, piola_record_drain(twin, whole, 1, &moved));
    fixture_ok(piola_record_begin(twin, small, sizeof small), NULL);
    for (int i = 1; i <= STEPS; ++i) {
        const float g[3] = {0, -(float)i, 0};
        fixture_ok(piola_world_set_gravity(r.world, g), NULL);
        fixture_ok(piola_world_set_gravity(twin, g), NULL);
        const piola_body body = fixture_body(r.world, r.asset[1], 0, 1, 0);
        TEST_ASSERT_EQUAL_UINT32(body.generation,
                                 fixture_body(twin, r.asset[1], 0, 1, 0).generation);
        /* Also while a step is under way. */
        fixture_ok(piola_record_drain(twin, whole + used, fixture_random(&random) % 300, &moved),
                   NULL);
        used += moved;
        fixture_ok(piola_body_destroy(r.world, body), NULL);
        fixture_ok(piola_body_destroy(twin, body), NULL);
        step(&r, i);
        fixture_steps(twin, NULL, 1);
        fixture_ok(
            piola_record_drain(twin, whole + used, 200 + fixture_random(&random) % 300, &moved),
            NULL);
        used += moved;
    }
    end(&r);
    fixture_ok(piola_record_end(twin, &moved), NULL);
    memcpy(whole + used, small, moved);
    TEST_ASSERT_EQUAL_size_t(r.bytes, used + moved);
    TEST_ASSERT_EQUAL_MEMORY(r.record, whole, r.bytes);
}

static void test_a_full_record_says_so_and_stays_valid(void)
{
    struct take r = begin();
    size_t used = 0;
    uint64_t first = 99;
    fixture_ok(piola_record_end(r.world, NULL), NULL);
    fixture_ok(piola_record_begin(r.world, r.record, 300), NULL);
    fixture_steps(r.world, NULL, 50);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORD_FULL, piola_record_end(r.world, &used));
    TEST_ASSERT_LESS_OR_EQUAL_size_t(300, used);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORD_FORMAT, piola_record_end(r.world, &used));
    piola_world *world = again(&r);
    piola_replay replay;
    fixture_ok(piola_replay_begin(&replay, world, r.record, used, NULL), NULL);
    TEST_ASSERT_GREATER_THAN_UINT64(3, replay.steps);
    fixture_ok(piola_record_play(world, NULL, r.record, used, &first, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, first);
}

static void test_recording_forbids_what_it_cannot_record(void)
{
    struct take r = begin();
    const piola_asset *stranger = fixture_beam(3, 1, 1, 0.1);
    piola_world *moved = NULL;
    piola_body body;
    piola_body_desc desc = piola_body_desc_default();
    piola_error error = {0};
    size_t bytes = 0;
    fixture_ok(piola_world_size(&r.desc, &bytes, NULL), NULL);
    desc.asset = stranger;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORDING, piola_body_create(r.world, &desc, &body, &error));
    TEST_ASSERT_EQUAL_STRING("piola_body_desc.asset", error.field);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORDING, piola_world_add_asset(r.world, stranger));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORDING, piola_world_drop_asset(r.world, r.asset[1]));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORDING, piola_world_drop_shape(r.world, r.shape));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORDING,
                      piola_snapshot_restore(r.world, r.snapshot, r.snapshot_bytes));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORDING,
                      piola_world_move(r.world, fixture_memory(bytes), bytes, &moved));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORDING, piola_record_begin(r.world, r.record, ROOM));
    fixture_ok(piola_record_end(r.world, NULL), NULL);
}

static void test_bad_arguments_are_refused(void)
{
    const struct take r = begin();
    piola_world *world = again(&r);
    piola_replay replay;
    size_t moved;
    uint64_t first;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_record_begin(world, NULL, 100));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MEMORY, piola_record_begin(world, &replay, 8));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_record_drain(r.world, NULL, 1, &moved));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_replay_begin(NULL, world, r.record, ROOM, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_replay_begin(&replay, world, NULL, ROOM, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_replay_begin(&replay, NULL, r.record, ROOM, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_ALIGNMENT,
                      piola_replay_begin(&replay, world, r.record + 1, 100, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORDING,
                      piola_replay_begin(&replay, r.world, r.record, ROOM, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_record_play(world, NULL, r.record, ROOM, NULL, NULL));
    fixture_ok(piola_replay_begin(&replay, world, r.record, r.end[0], NULL), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_replay_step(&replay, world, NULL, NULL, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_replay_step(NULL, world, NULL, NULL, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RECORDING, piola_replay_step(&replay, r.world, NULL, NULL, NULL));
    fixture_ok(piola_record_play(world, NULL, r.record, r.end[0], &first, NULL), NULL);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_comes_and_goes_is_played_to_the_same_bits);
    RUN_TEST(test_handles_come_again);
    RUN_TEST(test_a_cut_record_plays_to_its_last_whole_step);
    RUN_TEST(test_changed_bits_are_refused_by_their_step);
    RUN_TEST(test_steps_stay_in_their_order);
    RUN_TEST(test_forged_records_do_no_harm);
    RUN_TEST(test_forged_commands_are_refused_as_pushed_ones);
    RUN_TEST(test_a_difference_is_found_at_its_step);
    RUN_TEST(test_a_record_is_drained_in_pieces);
    RUN_TEST(test_a_full_record_says_so_and_stays_valid);
    RUN_TEST(test_recording_forbids_what_it_cannot_record);
    RUN_TEST(test_bad_arguments_are_refused);
    return UNITY_END();
}
