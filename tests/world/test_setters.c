/* Setters: what is set before the first step is as if it had been described, to the last bit; what
 * is set later changes what comes, is told, part of snapshots and of records; bad values are
 * refused. covers: src/world/commands.c src/world/command_calls.c */
#include "fixture.h"
#include "unity.h"

#include <math.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

struct scene {
    piola_world *world;
    piola_body body[2];
    piola_collider floor;
    piola_rigid ball;
    piola_attachment held;
};

/* Two cubes, one on the other, on a floor; a ball beside them; a thread from the second. When
 * `described`, all is in the descriptions that set_all sets. */
static struct scene new_scene(bool described)
{
    struct scene s;
    piola_world_desc d = piola_world_desc_default();
    piola_body_desc b = piola_body_desc_default();
    piola_collider_desc c = piola_collider_desc_default();
    piola_rigid_desc r = piola_rigid_desc_default();
    piola_attachment_desc a = piola_attachment_desc_default();
    d.max_colliders = d.max_rigids = 2;
    d.max_contacts = 5000;
    d.max_contact_faces = 1000;
    d.air_density = 1.2f;
    d.wind[0] = 3;
    s.world = fixture_world(&d);
    b.asset = fixture_beam(2, 1, 1, 0.1);
    b.velocity[0] = 0.5f;
    for (int i = 0; i < 2; ++i) {
        b.position[1] = 0.05f + 0.15f * (float)i;
        if (described && i == 0) {
            b.damping = 0.7f;
            b.friction_static = 0.9f;
            b.friction_kinetic = 0.4f;
            b.drag = 1.5f;
            b.lift = 0.5f;
        }
        if (described && i == 1) {
            b = piola_body_desc_default();
            b.asset = fixture_beam(2, 1, 1, 0.1);
            b.velocity[0] = 0.5f;
            b.position[1] = 0.2f;
            b.gravity_scale = 0.5f;
            b.category = 6;
            b.mask = UINT64_C(1) << 40 | 1;
        }
        fixture_ok(piola_body_create(s.world, &b, &s.body[i], NULL), NULL);
    }
    if (described) {
        c.friction_static = 0.8f;
        c.friction_kinetic = 0.1f;
        c.restitution = 0.5f;
        c.category = 3;
        r.damping = 2;
        r.gravity_scale = 0.25f;
        r.friction_static = 0.3f;
        r.friction_kinetic = 0.2f;
        r.restitution = 0.75f;
        r.mask = 7;
        a.compliance = 0.01f;
    }
    fixture_ok(piola_collider_create(s.world, &c, &s.floor, NULL), NULL);
    r.position[0] = 0.5f;
    r.position[1] = 0.13f;
    r.velocity[0] = 1;
    fixture_ok(piola_rigid_create(s.world, &r, &s.ball, NULL), NULL);
    a.point = (piola_attachment_point){s.body[1], 1, {0}, {1}};
    a.target[1] = 0.3f;
    fixture_ok(piola_attachment_create(s.world, &a, &s.held, NULL), NULL);
    return s;
}

static void set_all(const struct scene *s)
{
    piola_world *w = s->world;
    fixture_ok(piola_body_set_damping(w, s->body[0], 0.7f), NULL);
    fixture_ok(piola_body_set_friction(w, s->body[0], 0.9f, 0.4f), NULL);
    fixture_ok(piola_body_set_air(w, s->body[0], 1.5f, 0.5f), NULL);
    fixture_ok(piola_body_set_gravity_scale(w, s->body[1], 0.5f), NULL);
    fixture_ok(piola_body_set_filter(w, s->body[1], 6, UINT64_C(1) << 40 | 1), NULL);
    fixture_ok(piola_collider_set_friction(w, s->floor, 0.8f, 0.1f), NULL);
    fixture_ok(piola_collider_set_restitution(w, s->floor, 0.5f), NULL);
    fixture_ok(piola_collider_set_filter(w, s->floor, 3, UINT64_MAX), NULL);
    fixture_ok(piola_rigid_set_damping(w, s->ball, 2), NULL);
    fixture_ok(piola_rigid_set_gravity_scale(w, s->ball, 0.25f), NULL);
    fixture_ok(piola_rigid_set_friction(w, s->ball, 0.3f, 0.2f), NULL);
    fixture_ok(piola_rigid_set_restitution(w, s->ball, 0.75f), NULL);
    fixture_ok(piola_rigid_set_filter(w, s->ball, 1, 7), NULL);
    fixture_ok(piola_attachment_set_compliance(w, s->held, 0.01f), NULL);
}

static void expect_told(const struct scene *s)
{
    piola_body_info b[2];
    piola_collider_info c;
    piola_rigid_info r;
    piola_attachment_info a;
    for (int i = 0; i < 2; ++i)
        fixture_ok(piola_body_inspect(s->world, s->body[i], &b[i]), NULL);
    fixture_ok(piola_collider_inspect(s->world, s->floor, &c), NULL);
    fixture_ok(piola_rigid_inspect(s->world, s->ball, &r), NULL);
    fixture_ok(piola_attachment_inspect(s->world, s->held, &a), NULL);
    const float told[] = {b[0].damping,
                          b[0].friction_static,
                          b[0].friction_kinetic,
                          b[0].drag,
                          b[0].lift,
                          b[1].gravity_scale,
                          c.friction_static,
                          c.friction_kinetic,
                          c.restitution,
                          r.damping,
                          r.gravity_scale,
                          r.friction_static,
                          r.friction_kinetic,
                          r.restitution,
                          a.compliance,
                          b[1].friction_static,
                          b[1].damping,
                          a.target[1]};
    const float wanted[] = {0.7f, 0.9f,  0.4f, 1.5f, 0.5f,  0.5f,  0.8f, 0.1f, 0.5f,
                            2,    0.25f, 0.3f, 0.2f, 0.75f, 0.01f, -1,   0,    0.3f};
    for (size_t i = 0; i < sizeof told / sizeof *told; ++i)
        TEST_ASSERT_EQUAL_FLOAT(wanted[i], told[i]);
    TEST_ASSERT_EQUAL_UINT64(6, b[1].category);
    TEST_ASSERT_EQUAL_UINT64(UINT64_C(1) << 40 | 1, b[1].mask);
    TEST_ASSERT_EQUAL_UINT64(3, c.category);
    TEST_ASSERT_EQUAL_UINT64(UINT64_MAX, c.mask);
    TEST_ASSERT_EQUAL_UINT64(7, r.mask);
}

static void test_set_is_as_described(void)
{
    const struct scene described = new_scene(true), set = new_scene(false),
                       plain = new_scene(false);
    piola_report report;
    set_all(&set);
    for (int i = 0; i < fixture_count(60, 15); ++i) {
        fixture_ok(piola_world_step(set.world, NULL, &report), NULL);
        fixture_steps(described.world, NULL, 1);
        fixture_steps(plain.world, NULL, 1);
        TEST_ASSERT_EQUAL_UINT32(0, report.commands_refused);
        TEST_ASSERT_EQUAL_UINT64(piola_world_hash(described.world), piola_world_hash(set.world));
    }
    expect_told(&set);
    expect_told(&described);
    TEST_ASSERT_NOT_EQUAL_UINT64(piola_world_hash(plain.world), piola_world_hash(set.world));
}

/* Set in mid flight: snapshots carry it, a record plays it, and setting back is as never set. */
static void test_what_is_set_is_state_and_recorded(void)
{
    const struct scene s = new_scene(false), other = new_scene(false);
    static unsigned char record[1 << 16];
    size_t used = 0;
    uint64_t difference = 0;
    const size_t bytes = piola_snapshot_size(s.world);
    void *snapshot = fixture_memory(4 * bytes);
    fixture_ok(piola_record_begin(s.world, record, sizeof record), NULL);
    fixture_steps(s.world, NULL, 5);
    set_all(&s);
    fixture_steps(s.world, NULL, 5);
    fixture_ok(piola_record_end(s.world, &used), NULL);
    fixture_ok(piola_record_play(other.world, NULL, record, used, &difference, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, difference);
    expect_told(&other);
    fixture_ok(piola_snapshot_save(s.world, snapshot, 4 * bytes), NULL);
    fixture_steps(s.world, NULL, 5);
    const uint64_t end = piola_world_hash(s.world);
    const struct scene third = new_scene(false);
    fixture_ok(piola_snapshot_restore(third.world, snapshot, 4 * bytes), NULL);
    expect_told(&third);
    fixture_steps(third.world, NULL, 5);
    TEST_ASSERT_EQUAL_UINT64(end, piola_world_hash(third.world));
}

static void test_what_is_set_back_leaves_nothing(void)
{
    const struct scene s = new_scene(false), plain = new_scene(false);
    set_all(&s);
    piola_world *w = s.world;
    fixture_ok(piola_body_set_damping(w, s.body[0], 0), NULL);
    fixture_ok(piola_body_set_friction(w, s.body[0], -1, -1), NULL);
    fixture_ok(piola_body_set_air(w, s.body[0], -0.0f, 0), NULL);
    fixture_ok(piola_body_set_gravity_scale(w, s.body[1], 1), NULL);
    fixture_ok(piola_body_set_filter(w, s.body[1], 1, UINT64_MAX), NULL);
    fixture_ok(piola_collider_set_friction(w, s.floor, -1, -1), NULL);
    fixture_ok(piola_collider_set_restitution(w, s.floor, 0), NULL);
    fixture_ok(piola_collider_set_filter(w, s.floor, 1, UINT64_MAX), NULL);
    fixture_ok(piola_rigid_set_damping(w, s.ball, 0), NULL);
    fixture_ok(piola_rigid_set_gravity_scale(w, s.ball, 1), NULL);
    fixture_ok(piola_rigid_set_friction(w, s.ball, -1, -1), NULL);
    fixture_ok(piola_rigid_set_restitution(w, s.ball, 0), NULL);
    fixture_ok(piola_rigid_set_filter(w, s.ball, 1, UINT64_MAX), NULL);
    fixture_ok(piola_attachment_set_compliance(w, s.held, 0), NULL);
    fixture_steps(w, NULL, 5);
    fixture_steps(plain.world, NULL, 5);
    TEST_ASSERT_EQUAL_UINT64(piola_world_hash(plain.world), piola_world_hash(w));
}

static void test_bad_values_are_refused_at_the_door(void)
{
    const struct scene s = new_scene(false);
    piola_world *w = s.world;
    const piola_status range = PIOLA_ERROR_RANGE;
    TEST_ASSERT_EQUAL(range, piola_body_set_damping(w, s.body[0], -1e-6f));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_body_set_damping(w, s.body[0], NAN));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_body_set_gravity_scale(w, s.body[0], INFINITY));
    TEST_ASSERT_EQUAL(range, piola_body_set_friction(w, s.body[0], 0.1f, 0.2f));
    TEST_ASSERT_EQUAL(range, piola_body_set_friction(w, s.body[0], 11, 1));
    TEST_ASSERT_EQUAL(range, piola_body_set_air(w, s.body[0], -1, 0));
    TEST_ASSERT_EQUAL(range, piola_body_set_air(w, s.body[0], 0, 2e4f));
    TEST_ASSERT_EQUAL(range, piola_collider_set_friction(w, s.floor, -1, 11));
    TEST_ASSERT_EQUAL(range, piola_collider_set_restitution(w, s.floor, 1.1f));
    TEST_ASSERT_EQUAL(range, piola_rigid_set_damping(w, s.ball, -1));
    TEST_ASSERT_EQUAL(range, piola_rigid_set_gravity_scale(w, s.ball, 1e7f));
    TEST_ASSERT_EQUAL(range, piola_rigid_set_friction(w, s.ball, 0, 1));
    TEST_ASSERT_EQUAL(range, piola_rigid_set_restitution(w, s.ball, -0.1f));
    TEST_ASSERT_EQUAL(range, piola_attachment_set_compliance(w, s.held, -1));
    piola_report report;
    fixture_ok(piola_world_step(w, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(0, report.commands);
    /* What is gone, or of a world without room for it, is counted. */
    fixture_ok(piola_rigid_destroy(w, s.ball), NULL);
    fixture_ok(piola_rigid_set_damping(w, s.ball, 1), NULL);
    fixture_ok(
        piola_collider_set_restitution(w, (piola_collider){s.ball.index, s.ball.generation}, 0.5f),
        NULL);
    fixture_ok(piola_world_step(w, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(2, report.commands_refused);
    const piola_world_desc bare = piola_world_desc_default();
    w = fixture_world(&bare);
    const piola_body body = fixture_body(w, fixture_beam(1, 1, 1, 0.1), 0, 0, 0);
    fixture_ok(piola_body_set_friction(w, body, 1, 1), NULL);
    fixture_ok(piola_body_set_air(w, body, 1, 1), NULL);
    fixture_ok(piola_body_set_damping(w, body, 1), NULL);
    fixture_ok(piola_world_step(w, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, report.commands_refused);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_set_is_as_described);
    RUN_TEST(test_what_is_set_is_state_and_recorded);
    RUN_TEST(test_what_is_set_back_leaves_nothing);
    RUN_TEST(test_bad_values_are_refused_at_the_door);
    return UNITY_END();
}
