/* Whom a body's surface meets, itself too, and how it rubs: piola_body_desc's mask, self_contact
 * and frictions.
 *
 * covers: src/families/surface/surface_settings.c
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

static double height(const struct scene *s, int body)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(s->world, s->body[body], &info), NULL);
    return info.centre[1];
}

#define LOWER (UINT64_C(1) << 3)
#define UPPER (UINT64_C(1) << 63)

/* How high a cube comes to lie that falls on another one. */
static double fall_on(piola_solver solver, uint64_t upper_mask, uint64_t lower_mask)
{
    const piola_world_desc d = scene_desc(solver);
    struct scene s = scene_of(&d);
    const piola_asset *cube = fixture_beam_of(2, 2, 2, 0.1, NULL, 0);
    piola_body_desc b = piola_body_desc_default();
    (void)scene_floor(&s, 0.5f);
    b.position[1] = 0.002f;
    b.category = LOWER;
    b.mask = lower_mask;
    (void)scene_enter(&s, cube, &b);
    b.position[1] = 0.25f;
    b.category = UPPER;
    b.mask = upper_mask;
    (void)scene_enter(&s, cube, &b);
    fixture_steps(s.world, NULL, 200);
    return height(&s, 1);
}

/* Both must want to meet. */
static void test_masks_choose_who_meets(void)
{
    static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_ENERGY};
    for (int k = 0; k < 2; ++k) {
        const double both = fall_on(solvers[k], LOWER | 1, UPPER | 1) /* 1: the floor */;
        const double upper = fall_on(solvers[k], ~LOWER, UINT64_MAX);
        const double lower = fall_on(solvers[k], UINT64_MAX, ~UPPER);
        printf("solver %d: centre at %.4f m on a cube, %.4f and %.4f m through it\n",
               (int)solvers[k], both, upper, lower);
        TEST_ASSERT_TRUE(both > 0.25);
        TEST_ASSERT_DOUBLE_WITHIN(0.01, 0.1, upper);
        TEST_ASSERT_TRUE(upper == lower);
    }
}

/* More bodies under one than it keeps a list of; some let it through, the others do not. */
static void test_one_of_many(void)
{
    enum { CUBES = 20 };
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.max_contact_events = 256;
    struct scene s = scene_of(&d);
    const piola_asset *cube = fixture_beam_of(1, 1, 1, 0.05, NULL, 0);
    piola_body_desc b = piola_body_desc_default();
    (void)scene_floor(&s, 0.5f);
    for (int i = 0; i < CUBES; ++i) {
        b.position[0] = 0.07f * (float)i;
        b.position[1] = 0.001f;
        b.category = i % 10 == 4 ? 2 : 1;
        (void)scene_enter(&s, cube, &b);
    }
    b.position[0] = 0;
    b.position[1] = 0.055f;
    b.position[2] = -0.02f;
    b.category = 1;
    b.mask = ~UINT64_C(2);
    const piola_body sheet = scene_enter(&s, scene_sheet(0.07 * CUBES, 0.09, 80, 5, 500), &b);
    fixture_steps(s.world, NULL, 60);
    piola_contact_event events[256];
    uint32_t total, touched = 0;
    fixture_ok(piola_world_contact_events(s.world, 0, 256, events, &total), NULL);
    for (uint32_t i = 0; i < total; ++i)
        if (events[i].other.index == sheet.index && events[i].body.index != sheet.index)
            touched |= 1u << (events[i].body.index - 1);
    printf("the sheet lies on cubes %x\n", (unsigned)touched);
    TEST_ASSERT_EQUAL_HEX32(0xfffff & ~(1u << 4 | 1u << 14), touched);
}

/* A narrow sheet that falls on its edge folds; into itself only where that is allowed. */
static void test_a_sheet_meets_itself_or_not(void)
{
    uint64_t crossed[2] = {0, 0};
    uint32_t pairs[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
        const piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
        struct scene s = scene_of(&d);
        piola_body_desc b = piola_body_desc_default();
        (void)scene_floor(&s, 0.5f);
        b.position[1] = 0.41f;
        b.rotation[0] = b.rotation[3] = 0.70710678f;
        b.angular_velocity[0] = 0.5f;
        b.self_contact = k == 0;
        (void)scene_enter(&s, scene_sheet(0.1, 0.4, 5, 20, 200), &b);
        for (int i = 0; i < 160; ++i) {
            piola_report report;
            fixture_ok(piola_world_step(s.world, NULL, &report), NULL);
            pairs[k] = report.contacts > pairs[k] ? report.contacts : pairs[k];
            crossed[k] += i % 10 == 9 ? scene_crossings(&s) : 0;
        }
    }
    printf("up to %u pairs and %u crossings; alone %u and %u\n", pairs[0], (unsigned)crossed[0],
           pairs[1], (unsigned)crossed[1]);
    TEST_ASSERT_TRUE(pairs[0] > 0 && crossed[0] == 0);
    TEST_ASSERT_TRUE(pairs[1] == 0 && crossed[1] > 0);
}

/* A cube on a larger one that floor and friction hold; `friction` at rest and sliding, of each. */
static struct scene couple(piola_solver solver, const float lower[2], const float upper[2])
{
    piola_world_desc d = scene_desc(solver);
    d.substeps = 2;
    d.iterations = 20;
    d.contact_friction = 0.2f;
    struct scene s = scene_of(&d);
    piola_material m = piola_material_default();
    m.young = 1e5f;
    piola_body_desc b = piola_body_desc_default();
    (void)scene_floor(&s, 5);
    b.position[1] = 0.001f;
    b.friction_static = lower[0];
    b.friction_kinetic = lower[1];
    (void)scene_enter(&s, fixture_beam_of(8, 2, 2, 0.05, &m, 0), &b);
    b.position[0] = 0.05f;
    b.position[1] = 0.1025f;
    b.position[2] = 0.025f;
    b.friction_static = upper[0];
    b.friction_kinetic = upper[1];
    (void)scene_enter(&s, fixture_beam_of(2, 2, 2, 0.025, &m, 0), &b);
    fixture_steps(s.world, NULL, 150);
    return s;
}

static double along(const struct scene *s, bool speed)
{
    piola_body_info upper, lower;
    fixture_ok(piola_body_inspect(s->world, s->body[1], &upper), NULL);
    fixture_ok(piola_body_inspect(s->world, s->body[0], &lower), NULL);
    return speed ? upper.momentum[0] / upper.mass : upper.centre[0] - lower.centre[0];
}

/* m/s2 by which a cube that slides at 1 m/s is slowed down. */
static double slowed(struct scene *s)
{
    fixture_push(s->world, PIOLA_COMMAND_BODY_VELOCITY, s->body[1], 0, 1, 0, 0);
    fixture_steps(s->world, NULL, 16);
    const double before = along(s, true);
    fixture_steps(s->world, NULL, 20);
    return (before - along(s, true)) / 0.1;
}

/* The rule of world/friction.h. */
static void test_frictions_of_two(void)
{
    static const float none[2] = {-1, -1}, half[2] = {0.5f, 0.5f}, tenth[2] = {0.1f, 0.1f};
    static const struct {
        const float *lower, *upper;
        double friction;
    } rows[] = {{none, none, 0.2}, {half, half, 0.5}, {half, tenth, 0.22360680}, {none, half, 0.5}};
    for (int k = 0; k < 4; ++k)
        for (int which = 0; which < 3; ++which) {
            struct scene s = couple((piola_solver)which, rows[k].lower, rows[k].upper);
            const double a = slowed(&s), right = 9.81 * rows[k].friction;
            printf("solver %d, friction %.3f: slowed by %.4f of %.4f m/s2\n", which,
                   rows[k].friction, a, right);
            TEST_ASSERT_DOUBLE_WITHIN(0.02 * right, right, a);
        }
}

/* What rests is held by more than what slides. (Each pair slips alone, so those at a cube's edges
 * give way first and then hold less: 0.6 and 0.1 hold only up to about 0.2.)
 */
static void test_friction_at_rest(void)
{
    static const float both[2] = {0.6f, 0.1f};
    struct scene s = couple(PIOLA_SOLVER_DESCENT, both, both);
    const double angle = atan(0.2), from = along(&s, false);
    for (int i = 0; i < 100; ++i) { /* gravity leans over by and by */
        const double now = angle * (i + 1) / 100;
        fixture_push(s.world, PIOLA_COMMAND_WORLD_GRAVITY, (piola_body){0, 0}, 0,
                     (float)(9.81 * sin(now)), (float)(-9.81 * cos(now)), 0);
        fixture_steps(s.world, NULL, 1);
    }
    const double leant = along(&s, false);
    fixture_steps(s.world, NULL, 100);
    const double held = along(&s, false) - leant;
    fixture_push(s.world, PIOLA_COMMAND_BODY_VELOCITY, s.body[1], 0, 0.5f, 0, 0);
    fixture_steps(s.world, NULL, 10);
    const double before = along(&s, true);
    fixture_steps(s.world, NULL, 20);
    const double a = (along(&s, true) - before) / 0.1;
    const double right = 9.81 * (sin(angle) - 0.1 * cos(angle));
    printf("friction 0.6 holds tan 0.2: %.1e m by leaning, %.1e m in 0.5 s; once it slides, it "
           "gains %.4f of %.4f m/s2\n",
           leant - from, held, a, right);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, held);
    TEST_ASSERT_DOUBLE_WITHIN(0.06 * right, right, a);
}

/* Coats are state: of a snapshot in another world, and gone with their body. */
static void test_snapshots_and_refusals(void)
{
    static const float both[2] = {0.6f, 0.2f};
    struct scene s = couple(PIOLA_SOLVER_DESCENT, both, both);
    fixture_push(s.world, PIOLA_COMMAND_BODY_VELOCITY, s.body[1], 0, 0.5f, 0, 0);
    fixture_steps(s.world, NULL, 10);
    const size_t bytes = piola_snapshot_size(s.world);
    void *memory = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(s.world, memory, bytes), NULL);
    fixture_steps(s.world, NULL, 10);
    const uint64_t hash = piola_world_hash(s.world);
    static const float others[2] = {0.1f, 0.1f};
    struct scene t = couple(PIOLA_SOLVER_DESCENT, others, others);
    fixture_ok(piola_world_add_asset(t.world, s.asset[0]), NULL);
    fixture_ok(piola_snapshot_restore(t.world, memory, bytes), NULL);
    fixture_steps(t.world, NULL, 10);
    TEST_ASSERT_TRUE(hash == piola_world_hash(t.world));
    fixture_ok(piola_body_destroy(t.world, t.body[1]), NULL);
    fixture_ok(piola_body_destroy(t.world, t.body[0]), NULL);
    TEST_ASSERT_TRUE(piola_snapshot_size(t.world) < bytes);
    static const struct {
        float at_rest, sliding;
        piola_status status;
    } bad[] = {{-1, 11, PIOLA_ERROR_RANGE},           {11, -1, PIOLA_ERROR_RANGE},
               {0.2f, 0.3f, PIOLA_ERROR_RANGE},       {11, 1, PIOLA_ERROR_RANGE},
               {INFINITY, 1, PIOLA_ERROR_NOT_FINITE}, {1, NAN, PIOLA_ERROR_NOT_FINITE}};
    for (int k = 0; k < 6; ++k) {
        piola_body_desc b = piola_body_desc_default();
        piola_body body;
        piola_error error = {0};
        b.asset = s.asset[0];
        b.friction_static = bad[k].at_rest;
        b.friction_kinetic = bad[k].sliding;
        TEST_ASSERT_EQUAL(bad[k].status, piola_body_create(t.world, &b, &body, &error));
        TEST_ASSERT_NOT_NULL(strstr(error.field, "friction"));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_masks_choose_who_meets);
    RUN_TEST(test_one_of_many);
    RUN_TEST(test_a_sheet_meets_itself_or_not);
    RUN_TEST(test_frictions_of_two);
    RUN_TEST(test_friction_at_rest);
    RUN_TEST(test_snapshots_and_refusals);
    return UNITY_END();
}
