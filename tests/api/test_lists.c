/* Lists of handles, by rising index, whatever came and went; boxes around bodies.
 * covers: src/api/lists.c src/world/body_data.c */
#include "fixture.h"
#include "unity.h"

#include <math.h>
#include <string.h>

enum { MOST = 24 };

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
    d.max_bodies = d.max_attachments = MOST;
    d.max_colliders = d.max_rigids = MOST;
    return fixture_world(&d);
}

/* Everything that lives, as the tests know it: handles of one kind by index - 1, or 0. */
struct known {
    piola_body handle[2 * MOST + 1];
    uint32_t count;
};

static void expect(const struct known *known, const void *found, uint32_t count)
{
    piola_body one[2 * MOST + 1];
    uint32_t n = 0;
    memcpy(one, found, sizeof one);
    TEST_ASSERT_EQUAL_UINT32(known->count, count);
    for (uint32_t i = 0; i <= 2 * MOST; ++i) {
        if (known->handle[i].generation == 0)
            continue;
        TEST_ASSERT_EQUAL_UINT32(i, one[n].index);
        TEST_ASSERT_EQUAL_UINT32(known->handle[i].generation, one[n].generation);
        ++n;
    }
    TEST_ASSERT_EQUAL_UINT32(known->count, n);
}

static void know(struct known *known, uint32_t index, uint32_t generation)
{
    known->count += generation > 0;
    known->count -= known->handle[index].generation > 0;
    known->handle[index] = (piola_body){index, generation};
}

static const piola_body *any(uint64_t *random, const struct known *known)
{
    const piola_body *one = &known->handle[fixture_random(random) % (2 * MOST + 1)];
    return one->generation > 0 ? one : NULL;
}

static void come_or_go(piola_world *w, uint64_t *random, struct known known[4],
                       const piola_asset *asset)
{
    const piola_body *body = any(random, &known[0]), *collider = any(random, &known[1]),
                     *rigid = any(random, &known[2]), *held = any(random, &known[3]);
    if (fixture_random(random) % 2) {
        piola_body_desc d = piola_body_desc_default();
        const piola_collider_desc plane = piola_collider_desc_default();
        const piola_rigid_desc ball = piola_rigid_desc_default();
        piola_attachment_desc hold = piola_attachment_desc_default();
        piola_body b;
        piola_collider c;
        piola_rigid r;
        piola_attachment a;
        d.asset = asset;
        if (piola_body_create(w, &d, &b, NULL) == PIOLA_OK)
            know(&known[0], b.index, b.generation);
        if (piola_collider_create(w, &plane, &c, NULL) == PIOLA_OK)
            know(&known[1], c.index, c.generation);
        if (piola_rigid_create(w, &ball, &r, NULL) == PIOLA_OK)
            know(&known[2], r.index, r.generation);
        if (body) {
            hold.point = (piola_attachment_point){*body, 1, {0}, {1}};
            if (piola_attachment_create(w, &hold, &a, NULL) == PIOLA_OK)
                know(&known[3], a.index, a.generation);
        }
        return;
    }
    if (held) {
        fixture_ok(piola_attachment_destroy(w, (piola_attachment){held->index, held->generation}),
                   NULL);
        know(&known[3], held->index, 0);
    }
    if (collider) {
        fixture_ok(
            piola_collider_destroy(w, (piola_collider){collider->index, collider->generation}),
            NULL);
        know(&known[1], collider->index, 0);
    }
    if (rigid) {
        fixture_ok(piola_rigid_destroy(w, (piola_rigid){rigid->index, rigid->generation}), NULL);
        know(&known[2], rigid->index, 0);
    }
    if (body) {
        fixture_ok(piola_body_destroy(w, *body), NULL);
        know(&known[0], body->index, 0);
        for (uint32_t i = 0; i <= 2 * MOST; ++i)
            if (known[3].handle[i].generation > 0 &&
                !piola_attachment_alive(w, (piola_attachment){i, known[3].handle[i].generation}))
                know(&known[3], i, 0);
    }
}

static void test_lists_hold_what_lives_by_rising_index(void)
{
    uint64_t random = fixture_seed();
    piola_world *w = new_world();
    const piola_asset *asset = fixture_beam(1, 1, 1, 0.1);
    struct known known[4];
    memset(known, 0, sizeof known);
    for (int round = 0; round < fixture_count(500, 60); ++round) {
        piola_body bodies[2 * MOST + 1];
        piola_collider colliders[2 * MOST + 1];
        piola_rigid rigids[2 * MOST + 1];
        piola_attachment attachments[2 * MOST + 1];
        uint32_t n = 0;
        come_or_go(w, &random, known, asset);
        fixture_ok(piola_world_bodies(w, bodies, 2 * MOST + 1, &n), NULL);
        expect(&known[0], bodies, n);
        fixture_ok(piola_world_colliders(w, colliders, 2 * MOST + 1, &n), NULL);
        expect(&known[1], colliders, n);
        fixture_ok(piola_world_rigids(w, rigids, 2 * MOST + 1, &n), NULL);
        expect(&known[2], rigids, n);
        fixture_ok(piola_world_attachments(w, attachments, 2 * MOST + 1, &n), NULL);
        expect(&known[3], attachments, n);
    }
}

static void test_a_short_list_is_cut_and_counted(void)
{
    piola_world *w = new_world();
    const piola_asset *asset = fixture_beam(1, 1, 1, 0.1);
    piola_body made[3], found[3] = {{9, 9}, {9, 9}, {9, 9}};
    uint32_t n = 0;
    for (int i = 0; i < 3; ++i)
        made[i] = fixture_body(w, asset, 0, 0, 0);
    fixture_ok(piola_world_bodies(w, found, 2, &n), NULL);
    TEST_ASSERT_EQUAL_UINT32(3, n);
    TEST_ASSERT_EQUAL_MEMORY(made, found, 2 * sizeof *made);
    TEST_ASSERT_EQUAL_UINT32(9, found[2].index);
    fixture_ok(piola_world_bodies(w, NULL, 0, &n), NULL);
    TEST_ASSERT_EQUAL_UINT32(3, n);
    fixture_ok(piola_world_colliders(w, NULL, 0, &n), NULL);
    TEST_ASSERT_EQUAL_UINT32(0, n);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_bodies(w, NULL, 1, &n));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_bodies(w, found, 1, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_bodies(NULL, found, 1, &n));
}

static void test_bounds_hold_all_vertices_and_touch_six(void)
{
    uint64_t random = fixture_seed();
    piola_world *w = new_world();
    const piola_asset *asset = fixture_beam(2, 1, 1, 0.1);
    const piola_body body = fixture_body(w, asset, -3, 4, 5);
    piola_asset_stats stats;
    float x[3 * 64], low[3], high[3];
    fixture_ok(piola_asset_inspect(asset, &stats), NULL);
    for (int round = 0; round < 50; ++round) {
        for (uint32_t i = 0; i < 3 * stats.vertices; ++i)
            x[i] = (float)(fixture_uniform(&random) - 0.7) * 10;
        fixture_ok(piola_body_set_positions(w, body, 0, stats.vertices, x, NULL), NULL);
        fixture_ok(piola_body_bounds(w, body, low, high), NULL);
        for (int k = 0; k < 3; ++k) {
            float least = INFINITY, most = -INFINITY;
            for (uint32_t i = 0; i < stats.vertices; ++i) {
                least = fminf(least, x[3 * i + (uint32_t)k]);
                most = fmaxf(most, x[3 * i + (uint32_t)k]);
            }
            TEST_ASSERT_EQUAL_FLOAT(least, low[k]);
            TEST_ASSERT_EQUAL_FLOAT(most, high[k]);
        }
    }
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_body_bounds(w, body, NULL, high));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_body_bounds(w, body, low, NULL));
    fixture_ok(piola_body_destroy(w, body), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_body_bounds(w, body, low, high));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_lists_hold_what_lives_by_rising_index);
    RUN_TEST(test_a_short_list_is_cut_and_counted);
    RUN_TEST(test_bounds_hold_all_vertices_and_touch_six);
    return UNITY_END();
}
