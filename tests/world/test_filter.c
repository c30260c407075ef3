/* Tests of categories, masks and user data: all 64 bits count, both sides are asked, snapshots
 * carry them, and who sets none leaves the hash as it is.
 * covers: src/world/filter.h
 */
#include <string.h>

#include "collider_fixture.h"
#include "fixture.h"
#include "unity.h"
#include "world/filter.h"

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static void test_both_sides_are_asked_for_all_bits(void)
{
    for (int bit = 0; bit < 64; ++bit) {
        const uint64_t one = UINT64_C(1) << bit;
        const struct filter is = filter_made(one, UINT64_MAX, 0), wants = filter_made(1, one, 0),
                            shuns = filter_made(1, ~one, 0);
        TEST_ASSERT_TRUE(filters_meet(is, wants) && filters_meet(wants, is));
        TEST_ASSERT_FALSE(filters_meet(is, shuns) || filters_meet(shuns, is));
    }
    TEST_ASSERT_TRUE(filter_plain(filter_made(1, UINT64_MAX, 0)));
    TEST_ASSERT_FALSE(filter_plain(filter_made(1, UINT64_MAX, 1)));
}

static piola_world *make(void)
{
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    return fixture_world(&d);
}

/* Three pairs: what a collider's mask, its category and a body's mask do. */
static double height_over(uint64_t body_category, uint64_t body_mask, uint64_t category,
                          uint64_t mask)
{
    piola_world *world = make();
    piola_collider_desc floor = piola_collider_desc_default();
    floor.category = category;
    floor.mask = mask;
    (void)collider_enter(world, &floor);
    piola_body_desc b = piola_body_desc_default();
    piola_body body;
    piola_body_info info;
    b.asset = fixture_beam(1, 1, 1, 0.1);
    b.category = body_category;
    b.mask = body_mask;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    fixture_steps(world, NULL, 40);
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    return info.centre[1];
}

static void test_a_body_and_a_collider(void)
{
    const uint64_t far = UINT64_C(1) << 63;
    TEST_ASSERT_TRUE(height_over(1, UINT64_MAX, 1, UINT64_MAX) > 0.03);
    TEST_ASSERT_TRUE(height_over(far, UINT64_MAX, 1, far) > 0.03);
    TEST_ASSERT_TRUE(height_over(far, UINT64_MAX, 1, ~far) < 0.0);
    TEST_ASSERT_TRUE(height_over(1, ~far, far, UINT64_MAX) < 0.0);
    TEST_ASSERT_TRUE(height_over(1, far, far, UINT64_MAX) > 0.03);
}

static void test_they_are_told_and_kept(void)
{
    piola_world *world = make();
    piola_rigid_desc r = piola_rigid_desc_default();
    piola_collider_desc c = piola_collider_desc_default();
    piola_body_desc b = piola_body_desc_default();
    piola_rigid rigid;
    piola_collider collider;
    piola_body body, plain;
    b.asset = fixture_beam(1, 1, 1, 0.1);
    fixture_ok(piola_body_create(world, &b, &plain, NULL), NULL);
    const uint64_t before = piola_world_hash(world);
    b.user_data = UINT64_C(0x123456789abcdef0);
    r.user_data = 7, r.category = UINT64_C(1) << 50, r.mask = UINT64_C(3) << 60;
    c.user_data = UINT64_MAX;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    fixture_ok(piola_rigid_create(world, &r, &rigid, NULL), NULL);
    fixture_ok(piola_collider_create(world, &c, &collider, NULL), NULL);
    const size_t bytes = piola_snapshot_size(world);
    void *memory = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, memory, bytes), NULL);
    piola_world *other = make();
    fixture_ok(piola_world_add_asset(other, b.asset), NULL);
    fixture_ok(piola_snapshot_restore(other, memory, bytes), NULL);
    TEST_ASSERT_EQUAL_HEX64(piola_world_hash(world), piola_world_hash(other));
    piola_body_info of_body;
    piola_rigid_info of_rigid;
    piola_collider_info of_collider;
    fixture_ok(piola_body_inspect(other, body, &of_body), NULL);
    fixture_ok(piola_rigid_inspect(other, rigid, &of_rigid), NULL);
    fixture_ok(piola_collider_inspect(other, collider, &of_collider), NULL);
    TEST_ASSERT_EQUAL_HEX64(b.user_data, of_body.user_data);
    TEST_ASSERT_EQUAL_HEX64(UINT64_MAX, of_body.mask);
    TEST_ASSERT_EQUAL_HEX64(7, of_rigid.user_data);
    TEST_ASSERT_EQUAL_HEX64(r.category, of_rigid.category);
    TEST_ASSERT_EQUAL_HEX64(r.mask, of_rigid.mask);
    TEST_ASSERT_EQUAL_HEX64(UINT64_MAX, of_collider.user_data);
    /* Gone, they leave nothing behind but the generations of their slots. */
    fixture_ok(piola_body_destroy(world, body), NULL);
    b.user_data = 0;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    fixture_ok(piola_body_inspect(world, body, &of_body), NULL);
    TEST_ASSERT_EQUAL_HEX64(0, of_body.user_data);
    TEST_ASSERT_TRUE(before != piola_world_hash(world));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_both_sides_are_asked_for_all_bits);
    RUN_TEST(test_a_body_and_a_collider);
    RUN_TEST(test_they_are_told_and_kept);
    return UNITY_END();
}
