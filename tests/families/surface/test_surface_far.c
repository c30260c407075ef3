/* Contact far from the origin, where positions are coarse: floats are 8e-6 m apart at 100 m, 6e-5 m
 * at 1,000 m, 5e-4 m at 5,000 m, half of the thickness. Whatever is rounded, nothing crosses.
 *
 * covers: src/families/surface/
 */
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

static const float far_away[] = {100, 1000, 5000};
#define PLACES (sizeof far_away / sizeof *far_away)

/* What stands here is off by `x`, `y`, `z` from a place that is `far` away along y, and nearly as
 * far along the others. */
static void place(float far, float x, float y, float z, float position[3])
{
    position[0] = x - 0.8f * far;
    position[1] = y + far;
    position[2] = z + 0.6f * far;
}

static void far_floor(struct scene *s, float far)
{
    piola_collider collider;
    piola_collider_desc c = piola_collider_desc_default();
    place(far, 0, 0, 0, c.position);
    fixture_ok(piola_collider_create(s->world, &c, &collider, NULL), NULL);
}

static void play(struct scene *s, int steps, const char *what, int which, float far)
{
    char text[96];
    snprintf(text, sizeof text, "%s, %s, %.0f m away", what, scene_solvers[which].name,
             (double)far);
    TEST_ASSERT_EQUAL(0, scene_crossings(s));
    scene_play(s, steps, text);
    TEST_ASSERT_TRUE(s->most > 0);
}

/* Three cubes fall on each other, and on a floor. */
static void stack(int which, float far)
{
    const piola_world_desc d = scene_desc(scene_solvers[which].solver);
    struct scene s = scene_of(&d);
    far_floor(&s, far);
    const piola_asset *cube = fixture_beam_of(2, 2, 2, 0.05, NULL, 0);
    piola_body_desc b = piola_body_desc_default();
    for (int i = 0; i < 3; ++i) {
        place(far, 0.01f * (float)i, 0.002f + 0.105f * (float)i, 0.007f * (float)i, b.position);
        (void)scene_enter(&s, cube, &b);
    }
    play(&s, scene_steps(150, 3000), "a stack", which, far);
}

/* Two cubes meet in the air, and fly on together: no collider holds their island. */
static void flight(int which, float far, float speed)
{
    piola_world_desc d = scene_desc(scene_solvers[which].solver);
    memset(d.gravity, 0, sizeof d.gravity);
    struct scene s = scene_of(&d);
    const piola_asset *cube = fixture_beam_of(2, 2, 2, 0.05, NULL, 0);
    piola_body_desc b = piola_body_desc_default();
    place(far, 0, 0, 0, b.position);
    b.velocity[0] = speed;
    b.velocity[1] = 0.3f;
    (void)scene_enter(&s, cube, &b);
    place(far, 0.2f, 0.01f, 0.02f, b.position);
    b.rotation[2] = 0.3826834f;
    b.rotation[3] = 0.9238795f;
    b.velocity[0] = 0;
    b.angular_velocity[1] = 2;
    (void)scene_enter(&s, cube, &b);
    play(&s, scene_steps(100, 1000), "cubes in flight", which, far);
}

/* Cloth falls over the corner of a cube, and on itself. */
static void cloth(int which, float far)
{
    const piola_world_desc d = scene_desc(scene_solvers[which].solver);
    struct scene s = scene_of(&d);
    far_floor(&s, far);
    piola_body_desc b = piola_body_desc_default();
    place(far, 0, 0.002f, 0, b.position);
    (void)scene_enter(&s, fixture_beam_of(2, 2, 2, 0.05, NULL, 0), &b);
    place(far, -0.03f, 0.13f, -0.06f, b.position);
    b.damping = 1;
    (void)scene_enter(&s, scene_sheet(0.3, 0.3, 10, 10, 500), &b);
    play(&s, scene_steps(100, 2000), "cloth on a cube", which, far);
}

static void test_stacks(void)
{
    for (int which = 0; which < 3; ++which)
        for (size_t k = 0; k < PLACES; ++k)
            stack(which, far_away[k]);
}

static void test_flights(void)
{
    for (int which = 0; which < 3; ++which)
        for (size_t k = 0; k < PLACES; ++k) {
            flight(which, far_away[k], 0.5f);
            flight(which, far_away[k], 10);
        }
}

static void test_cloth(void)
{
    for (int which = 0; which < 3; ++which)
        for (size_t k = 0; k < PLACES; ++k)
            cloth(which, far_away[k]);
}

/* Ten layers of one sheet, folded like a fan: with itself alone. */
static void test_layers(void)
{
    for (size_t k = 0; k < PLACES; ++k) {
        const piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
        struct scene s = scene_of(&d);
        far_floor(&s, far_away[k]);
        piola_body_desc b = piola_body_desc_default();
        b.damping = 2;
        (void)scene_enter(&s, scene_sheet(0.4, 0.2, 20, 10, 200), &b);
        float at[3];
        place(far_away[k], 0, 0, 0, at);
        scene_fold(&s, at);
        play(&s, scene_steps(60, 1000), "ten layers", 0, far_away[k]);
    }
}

/* Two cubes on a floor, and a third where floats are 60 mm to 64 m apart: what it has of its own
 * faces in each other must not take the others' room, and changes nothing for them. */
static void test_who_is_lost_far_away_takes_nobodys_room(void)
{
    static const float lost[] = {0, 1e6f, -1e9f};
    float lowest[3];
    for (int k = 0; k < 3; ++k) {
        piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
        d.max_contacts = 2000;
        struct scene s = scene_of(&d);
        far_floor(&s, 0);
        const piola_asset *cube = fixture_beam_of(2, 2, 2, 0.05, NULL, 0);
        piola_body_desc b = piola_body_desc_default();
        for (int i = 0; i < 3; ++i) {
            place(i < 2 ? 0 : lost[k], i < 2 ? 0.01f * (float)i : 1,
                  0.002f + 0.105f * (float)(i % 2), 0, b.position);
            (void)scene_enter(&s, cube, &b);
        }
        uint32_t dropped = 0;
        for (int i = 0; i < fixture_count(100, 20); ++i) {
            fixture_ok(piola_world_step(s.world, NULL, &s.report), NULL);
            dropped += s.report.contacts_dropped;
        }
        float low[3], high[3];
        fixture_ok(piola_body_bounds(s.world, s.body[1], low, high), NULL);
        lowest[k] = low[1];
        TEST_ASSERT_EQUAL_UINT32(0, dropped);
        TEST_ASSERT_TRUE(s.report.contacts > 0 || fixture_count(100, 20) < 100);
        TEST_ASSERT_EQUAL_FLOAT(lowest[0], lowest[k]);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_stacks);
    RUN_TEST(test_flights);
    RUN_TEST(test_cloth);
    RUN_TEST(test_layers);
    RUN_TEST(test_who_is_lost_far_away_takes_nobodys_room);
    return UNITY_END();
}
