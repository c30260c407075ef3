/* What wakes a body that sleeps, in the same substep, and what does not.
 *
 * covers: src/sleep/sleep.c src/sleep/sleep_near.c src/world/rest.c
 * covers: src/families/collide/collide_rouse.c */
#include "contact_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

enum { MANY = 400 };

/* A cube that sleeps on the floor, with room for all that may wake it. */
struct bed {
    struct scene s;
    const piola_asset *cube;
    piola_collider floor;
    piola_body body;
};

static piola_world_desc bed_desc(void)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.sleep = true;
    d.sleep_time = 0.1f;
    d.max_colliders = 8;
    d.max_rigids = 4;
    d.max_tractions = 4;
    d.max_traction_triangles = 64;
    d.max_guides = 16;
    d.air_density = 1.2f;
    d.max_contact_events = 64;
    return d;
}

static piola_body enter(struct bed *bed, float x, float y, float z)
{
    piola_body_desc b = piola_body_desc_default();
    b.position[0] = x;
    b.position[1] = y;
    b.position[2] = z;
    return scene_enter(&bed->s, bed->cube, &b);
}

static bool asleep(const struct bed *bed, piola_body body)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(bed->s.world, body, &info), NULL);
    return info.asleep;
}

static piola_report step(struct bed *bed)
{
    piola_report report;
    fixture_ok(piola_world_step(bed->s.world, NULL, &report), NULL);
    return report;
}

static void sleep_all(struct bed *bed, uint32_t count)
{
    uint32_t sleeping = 0;
    for (int i = 0; i < MANY && sleeping < count; ++i)
        sleeping = step(bed).asleep;
    TEST_ASSERT_EQUAL_UINT32(count, sleeping);
}

static struct bed bed_with(const piola_world_desc *desc)
{
    piola_material soft = piola_material_default();
    soft.young = 1e6f;
    struct bed bed = {.s = scene_of(desc), .cube = fixture_beam_of(1, 1, 1, 0.1, &soft, 0)};
    bed.floor = scene_floor(&bed.s, 0.5f);
    bed.body = enter(&bed, 0, 0.001f, 0);
    return bed;
}

static struct bed bed_of(void)
{
    const piola_world_desc desc = bed_desc();
    struct bed bed = bed_with(&desc);
    sleep_all(&bed, 1);
    return bed;
}

/* ---- commands ------------------------------------------------------------------------------ */

typedef piola_status cause(struct bed *bed);

static const float up[3] = {0, 1, 0}, none[3] = {0, 0, 0};

static piola_status by_pin(struct bed *b)
{
    return piola_body_pin(b->s.world, b->body, 0, up);
}
static piola_status by_unpin(struct bed *b)
{
    return piola_body_unpin(b->s.world, b->body, 0);
}
static piola_status by_pin_plane(struct bed *b)
{
    return piola_body_pin_plane(b->s.world, b->body, 0, none, up);
}
static piola_status by_impulse(struct bed *b)
{
    return piola_body_impulse(b->s.world, b->body, 0, up);
}
static piola_status by_force(struct bed *b)
{
    return piola_body_set_force(b->s.world, b->body, 0, up);
}
static piola_status by_velocity(struct bed *b)
{
    return piola_body_set_velocity(b->s.world, b->body, none);
}
static piola_status by_acceleration(struct bed *b)
{
    return piola_body_set_acceleration(b->s.world, b->body, up);
}
static piola_status by_damping(struct bed *b)
{
    return piola_body_set_damping(b->s.world, b->body, 1);
}
static piola_status by_gravity_scale(struct bed *b)
{
    return piola_body_set_gravity_scale(b->s.world, b->body, 2);
}
static piola_status by_friction(struct bed *b)
{
    return piola_body_set_friction(b->s.world, b->body, 0, 0);
}
static piola_status by_filter(struct bed *b)
{
    return piola_body_set_filter(b->s.world, b->body, 2, 2);
}
static piola_status by_wake(struct bed *b)
{
    return piola_body_wake(b->s.world, b->body);
}
static piola_status by_sleep_speed(struct bed *b)
{
    return piola_body_set_sleep_speed(b->s.world, b->body, 0);
}
static piola_status by_gravity(struct bed *b)
{
    return piola_world_set_gravity(b->s.world, up);
}
static piola_status by_floor_friction(struct bed *b)
{
    return piola_collider_set_friction(b->s.world, b->floor, 0, 0);
}
static piola_status by_floor_filter(struct bed *b)
{
    return piola_collider_set_filter(b->s.world, b->floor, 2, 2);
}
static piola_status by_floor_motion(struct bed *b)
{
    const float by[3] = {0.01f, 0, 0};
    return piola_collider_move(b->s.world, b->floor, by);
}
static piola_status by_floor_end(struct bed *b)
{
    return piola_collider_destroy(b->s.world, b->floor);
}
static piola_status by_positions(struct bed *b)
{
    return piola_body_set_positions(b->s.world, b->body, 0, 1, up, NULL);
}
static piola_status by_velocities(struct bed *b)
{
    return piola_body_set_velocities(b->s.world, b->body, 0, 1, up, NULL);
}
static piola_status by_new_collider(struct bed *b)
{
    piola_collider_desc d = piola_collider_desc_default();
    piola_collider collider;
    d.shape = piola_shape_sphere(0.05f);
    d.position[1] = 0.14f;
    return piola_collider_create(b->s.world, &d, &collider, NULL);
}
static piola_status by_attachment(struct bed *b)
{
    piola_attachment_desc d = piola_attachment_desc_default();
    piola_attachment attachment;
    d.point = (piola_attachment_point){.body = b->body, .count = 1, .weights = {1}};
    return piola_attachment_create(b->s.world, &d, &attachment, NULL);
}
static piola_status by_traction(struct bed *b)
{
    piola_traction_desc d = piola_traction_desc_default();
    piola_traction traction;
    d.body = b->body;
    d.pressure = 10;
    return piola_traction_create(b->s.world, &d, &traction, NULL);
}
static piola_status by_rigid(struct bed *b)
{
    piola_rigid_desc d = piola_rigid_desc_default();
    piola_rigid rigid;
    d.shape = piola_shape_sphere(0.05f);
    d.position[1] = 0.152f;
    d.position[0] = d.position[2] = 0.05f;
    return piola_rigid_create(b->s.world, &d, &rigid, NULL);
}
static piola_status by_body(struct bed *b)
{
    enter(b, 0, 0.102f, 0);
    return PIOLA_OK;
}

static const struct row {
    const char *name;
    cause *act;
} causes[] = {
    {"pin", by_pin},
    {"unpin", by_unpin},
    {"pin in a plane", by_pin_plane},
    {"impulse", by_impulse},
    {"force", by_force},
    {"velocity", by_velocity},
    {"acceleration", by_acceleration},
    {"damping", by_damping},
    {"scale of gravity", by_gravity_scale},
    {"friction", by_friction},
    {"filter", by_filter},
    {"wake", by_wake},
    {"sleep speed", by_sleep_speed},
    {"gravity", by_gravity},
    {"friction of the floor", by_floor_friction},
    {"filter of the floor", by_floor_filter},
    {"motion of the floor", by_floor_motion},
    {"end of the floor", by_floor_end},
    {"positions", by_positions},
    {"velocities", by_velocities},
    {"new collider", by_new_collider},
    {"attachment", by_attachment},
    {"traction", by_traction},
    {"rigid body", by_rigid},
    {"body", by_body},
};

static void test_each_cause_wakes_in_the_same_step(void)
{
    for (size_t i = 0; i < sizeof causes / sizeof *causes; ++i) {
        struct bed bed = bed_of();
        piola_sleep_event events[2];
        uint32_t count = 0;
        fixture_ok(causes[i].act(&bed), NULL);
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(1, step(&bed).woke, causes[i].name);
        TEST_ASSERT_FALSE_MESSAGE(asleep(&bed, bed.body), causes[i].name);
        fixture_ok(piola_world_sleep_events(bed.s.world, events, 2, &count), NULL);
        TEST_ASSERT_EQUAL_UINT32(1, count);
        TEST_ASSERT_FALSE(events[0].asleep);
        TEST_ASSERT_EQUAL_UINT32(bed.body.index, events[0].body.index);
        fixture_clean();
    }
}

static piola_status not_by_gravity(struct bed *b)
{
    const float same[3] = {0, -9.81f, 0};
    return piola_world_set_gravity(b->s.world, same);
}
static piola_status not_by_wind(struct bed *b)
{
    return piola_world_set_wind(b->s.world, up);
}
static piola_status not_by_far_collider(struct bed *b)
{
    piola_collider_desc d = piola_collider_desc_default();
    piola_collider collider;
    d.shape = piola_shape_sphere(0.05f);
    d.position[0] = 0.5f;
    d.velocity[0] = 1;
    return piola_collider_create(b->s.world, &d, &collider, NULL);
}
static piola_status not_by_sensor(struct bed *b)
{
    piola_collider_desc d = piola_collider_desc_default();
    piola_collider collider;
    d.shape = piola_shape_sphere(0.05f);
    d.velocity[0] = 1;
    d.sensor = true;
    return piola_collider_create(b->s.world, &d, &collider, NULL);
}
static piola_status not_by_far_body(struct bed *b)
{
    enter(b, 0.3f, 0.05f, 0);
    return PIOLA_OK;
}
static piola_status not_by_stranger(struct bed *b)
{
    piola_body_desc d = piola_body_desc_default();
    d.position[1] = 0.05f;
    d.category = d.mask = 4;
    scene_enter(&b->s, b->cube, &d);
    return PIOLA_OK;
}

/* What cannot come to it, or changes nothing for it. */
static void test_nothing_else_wakes(void)
{
    static const struct row others[] = {
        {"the same gravity", not_by_gravity},
        {"wind, of which it feels nothing", not_by_wind},
        {"a collider that goes elsewhere", not_by_far_collider},
        {"a sensor", not_by_sensor},
        {"a body beside it", not_by_far_body},
        {"a body that it does not meet", not_by_stranger},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        struct bed bed = bed_of();
        fixture_ok(others[i].act(&bed), NULL);
        for (int k = 0; k < 10; ++k)
            TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, step(&bed).woke, others[i].name);
        TEST_ASSERT_TRUE_MESSAGE(asleep(&bed, bed.body), others[i].name);
        fixture_clean();
    }
}

/* ---- touch --------------------------------------------------------------------------------- */

/* Asleep or not, what is struck goes the same way. */
static void test_what_falls_on_it_wakes_it_in_time(void)
{
    double ends[2];
    for (int sleeps = 0; sleeps < 2; ++sleeps) {
        piola_world_desc desc = bed_desc();
        desc.sleep_time = sleeps ? 0.1f : 1e6f;
        struct bed bed = bed_with(&desc);
        for (int i = 0; i < 120; ++i)
            step(&bed);
        TEST_ASSERT_EQUAL(sleeps, asleep(&bed, bed.body));
        const piola_body other = enter(&bed, 0.02f, 0.25f, 0.01f);
        piola_body_info info;
        for (int i = 0; i < 60; ++i) {
            step(&bed);
            fixture_ok(piola_body_inspect(bed.s.world, other, &info), NULL);
            if (i < 25 && sleeps)
                TEST_ASSERT_TRUE(asleep(&bed, bed.body)); /* it is yet far away */
        }
        TEST_ASSERT_FALSE(asleep(&bed, bed.body));
        fixture_ok(piola_body_inspect(bed.s.world, bed.body, &info), NULL);
        ends[sleeps] = info.centre[0] + info.centre[1] + info.centre[2];
        fixture_clean();
    }
    printf("struck asleep and awake: %.3g m apart\n", fabs(ends[1] - ends[0]));
    TEST_ASSERT_DOUBLE_WITHIN(2e-4, ends[0], ends[1]);
}

/* A shot of 30 m/s, 0.15 m a substep, stops where the other had been awake: it is no wall. */
static void test_a_shot_wakes_before_it_hits(void)
{
    double momentum[2];
    for (int sleeps = 0; sleeps < 2; ++sleeps) {
        piola_world_desc desc = bed_desc();
        desc.sleep_time = sleeps ? 0.1f : 1e6f;
        struct bed bed = bed_with(&desc);
        for (int i = 0; i < 120; ++i)
            step(&bed);
        const piola_body shot = enter(&bed, -2.02f, 0.002f, 0);
        const float fast[3] = {30, 0, 0};
        piola_body_info info, other;
        fixture_ok(piola_body_set_velocity(bed.s.world, shot, fast), NULL);
        for (int i = 0; i < 13; ++i) {
            step(&bed);
            fixture_ok(piola_body_inspect(bed.s.world, shot, &info), NULL);
            fixture_ok(piola_body_inspect(bed.s.world, bed.body, &other), NULL);
            TEST_ASSERT_EQUAL(sleeps && i < 12, other.asleep);
        }
        TEST_ASSERT_TRUE(other.momentum[0] > 0.1);
        momentum[sleeps] = other.momentum[0] + info.momentum[0];
        fixture_clean();
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * momentum[0], momentum[0], momentum[1]);
}

/* It is larger than the cube: of a small one vertices alone would know. */
static piola_rigid block(struct bed *bed, float x, float y, float vx)
{
    piola_rigid_desc d = piola_rigid_desc_default();
    piola_rigid rigid;
    d.shape = piola_shape_box((const float[3]){0.1f, 0.1f, 0.1f}, 0);
    d.mass = 0.5f;
    d.position[0] = x;
    d.position[1] = y;
    d.position[2] = 0.05f;
    d.velocity[0] = vx;
    fixture_ok(piola_rigid_create(bed->s.world, &d, &rigid, NULL), NULL);
    return rigid;
}

static void test_a_rigid_body_that_comes_wakes(void)
{
    struct bed bed = bed_of();
    (void)block(&bed, -1, 0.12f, 8);
    uint32_t woke = 0;
    for (int i = 0; i < 40; ++i)
        woke += step(&bed).woke;
    piola_body_info info;
    fixture_ok(piola_body_inspect(bed.s.world, bed.body, &info), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, woke);
    TEST_ASSERT_TRUE(info.centre[0] > 0.051);
}

/* A box lies on the cube: both sleep, and wake together. */
static void test_rigid_bodies_sleep_with_what_they_lie_on(void)
{
    struct bed bed = bed_of();
    piola_rigid_desc d = piola_rigid_desc_default();
    piola_rigid rigid;
    piola_rigid_info then, now;
    d.shape = piola_shape_box((const float[3]){0.04f, 0.02f, 0.04f}, 0);
    d.mass = 0.2f;
    d.damping = 2;
    d.position[0] = d.position[2] = 0.05f;
    d.position[1] = 0.121f;
    fixture_ok(piola_rigid_create(bed.s.world, &d, &rigid, NULL), NULL);
    step(&bed);
    TEST_ASSERT_FALSE(asleep(&bed, bed.body));
    sleep_all(&bed, 2);
    fixture_ok(piola_rigid_inspect(bed.s.world, rigid, &then), NULL);
    for (int i = 0; i < 50; ++i)
        step(&bed);
    fixture_ok(piola_rigid_inspect(bed.s.world, rigid, &now), NULL);
    TEST_ASSERT_TRUE(now.asleep);
    TEST_ASSERT_EQUAL_MEMORY(then.position, now.position, sizeof now.position);
    TEST_ASSERT_EQUAL_MEMORY(then.rotation, now.rotation, sizeof now.rotation);
    const float twist[3] = {0, 0.001f, 0};
    fixture_ok(piola_rigid_twist(bed.s.world, rigid, twist), NULL);
    TEST_ASSERT_EQUAL_UINT32(2, step(&bed).woke);
    fixture_ok(piola_rigid_destroy(bed.s.world, rigid), NULL);
    sleep_all(&bed, 1);
}

/* ---- islands ------------------------------------------------------------------------------- */

static void test_a_pile_wakes_as_a_whole(void)
{
    const piola_world_desc desc = bed_desc();
    struct bed bed = bed_with(&desc);
    for (int i = 1; i < 5; ++i)
        enter(&bed, 0, 0.001f + 0.102f * (float)i, 0);
    sleep_all(&bed, 5);
    fixture_ok(piola_body_wake(bed.s.world, bed.s.body[4]), NULL);
    TEST_ASSERT_EQUAL_UINT32(5, step(&bed).woke);
    sleep_all(&bed, 5);
    fixture_ok(piola_body_destroy(bed.s.world, bed.body), NULL);
    step(&bed);
    TEST_ASSERT_FALSE(asleep(&bed, bed.s.body[4]));
}

/* Far apart, but tied: each keeps the other awake. */
static void test_tied_bodies_sleep_together(void)
{
    const piola_world_desc desc = bed_desc();
    struct bed bed = bed_with(&desc);
    const piola_body other = enter(&bed, 1, 0.001f, 0);
    piola_attachment_desc d = piola_attachment_desc_default();
    piola_attachment attachment;
    d.point = (piola_attachment_point){.body = bed.body, .count = 1, .weights = {1}};
    d.other = (piola_attachment_point){.body = other, .count = 1, .weights = {1}};
    d.compliance = 1;
    fixture_ok(piola_attachment_create(bed.s.world, &d, &attachment, NULL), NULL);
    sleep_all(&bed, 2);
    fixture_ok(piola_body_wake(bed.s.world, other), NULL);
    TEST_ASSERT_EQUAL_UINT32(2, step(&bed).woke);
    fixture_ok(piola_body_set_sleep_speed(bed.s.world, other, 0), NULL);
    for (int i = 0; i < MANY / 2; ++i)
        TEST_ASSERT_EQUAL_UINT32(0, step(&bed).asleep);
    fixture_ok(piola_attachment_detach(bed.s.world, attachment), NULL);
    sleep_all(&bed, 1);
    TEST_ASSERT_FALSE(asleep(&bed, other));
}

/* A sheet that waves around and above a cube: the cube is within its box, and sleeps. */
static void test_what_is_only_in_the_box_of_another_sleeps(void)
{
    piola_world_desc desc = bed_desc();
    struct bed bed = bed_with(&desc);
    const piola_asset *sheet = scene_sheet(1, 1, 10, 10, 2000);
    piola_body_desc b = piola_body_desc_default();
    b.position[0] = b.position[2] = -0.4f;
    b.position[1] = 0.5f;
    b.rotation[2] = 0.3f;
    b.rotation[3] = sqrtf(1 - 0.09f);
    const piola_body cloth = scene_enter(&bed.s, sheet, &b);
    const float up_hill[3] = {0, 9.81f, 0};
    fixture_ok(piola_body_set_acceleration(bed.s.world, cloth, up_hill), NULL);
    fixture_ok(piola_body_impulse(bed.s.world, cloth, 0, up), NULL);
    for (int i = 0; i < 80; ++i)
        step(&bed);
    TEST_ASSERT_TRUE(asleep(&bed, bed.body));
    TEST_ASSERT_FALSE(asleep(&bed, cloth));
}

/* Without contact between surfaces bodies go through all their substeps by themselves. */
static void test_a_collider_wakes_where_surfaces_never_meet(void)
{
    piola_world_desc desc = bed_desc();
    desc.max_contacts = desc.max_rigids = desc.max_contact_events = 0;
    desc.substeps = 4;
    struct bed bed = bed_with(&desc);
    sleep_all(&bed, 1);
    const float down[3] = {0, 0.01f, 0};
    fixture_ok(piola_collider_move(bed.s.world, bed.floor, down), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, step(&bed).woke);
}

static void test_wind_wakes_cloth(void)
{
    const piola_world_desc desc = bed_desc();
    struct bed bed = bed_with(&desc);
    piola_body_desc b = piola_body_desc_default();
    b.position[0] = 1;
    b.position[1] = 0.002f;
    b.drag = 1;
    const piola_body cloth = scene_enter(&bed.s, scene_sheet(0.2, 0.2, 4, 4, 2000), &b);
    sleep_all(&bed, 2);
    const float wind[3] = {3, 0, 0};
    fixture_ok(piola_world_set_wind(bed.s.world, wind), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, step(&bed).woke);
    TEST_ASSERT_FALSE(asleep(&bed, cloth));
    TEST_ASSERT_TRUE(asleep(&bed, bed.body));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_each_cause_wakes_in_the_same_step);
    RUN_TEST(test_nothing_else_wakes);
    RUN_TEST(test_what_falls_on_it_wakes_it_in_time);
    RUN_TEST(test_a_shot_wakes_before_it_hits);
    RUN_TEST(test_a_rigid_body_that_comes_wakes);
    RUN_TEST(test_rigid_bodies_sleep_with_what_they_lie_on);
    RUN_TEST(test_a_pile_wakes_as_a_whole);
    RUN_TEST(test_tied_bodies_sleep_together);
    RUN_TEST(test_what_is_only_in_the_box_of_another_sleeps);
    RUN_TEST(test_a_collider_wakes_where_surfaces_never_meet);
    RUN_TEST(test_wind_wakes_cloth);
    return UNITY_END();
}
