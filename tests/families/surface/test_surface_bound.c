/* What contact between surfaces takes of a step stays within what the description promises, in the
 * worst scenes and with the smallest budgets; and nothing crosses for that.
 *
 * covers: src/families/surface/surface_bound.c src/families/surface/surface_wait.c
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

/* The most of each number that a scene has taken in a step, and of what it might. */
struct taken {
    piola_contact_work bound, most;
    uint32_t put_off, dropped, faces_dropped;
};

static void least_budgets(piola_world_desc *d, int round)
{
    static const uint32_t faces[] = {4096, 600, 10};
    d->max_face_contacts = faces[round];
    static const uint32_t tests[] = {1024, 24, 1}, rounds[] = {480, 6, 0}, searches[] = {16, 1, 0};
    d->contact_tests = tests[round];
    d->contact_rounds = rounds[round];
    d->contact_searches = searches[round];
}

static void see(const struct scene *s, struct taken *t)
{
    const piola_contact_work *now = &s->report.work;
    const uint64_t own[] = {now->searches, now->tests,      now->rounds,     now->proofs,
                            now->pushes,   now->face_looks, now->face_pushes};
    const uint64_t most[] = {t->bound.searches,   t->bound.tests,  t->bound.rounds,
                             t->bound.proofs,     t->bound.pushes, t->bound.face_looks,
                             t->bound.face_pushes};
    uint64_t *seen[] = {&t->most.searches,   &t->most.tests,  &t->most.rounds,
                        &t->most.proofs,     &t->most.pushes, &t->most.face_looks,
                        &t->most.face_pushes};
    for (int k = 0; k < 7; ++k) {
        TEST_ASSERT_TRUE(own[k] <= most[k]);
        *seen[k] = own[k] > *seen[k] ? own[k] : *seen[k];
    }
    t->put_off += s->report.contacts_put_off;
    t->dropped += s->report.contacts_dropped;
    t->faces_dropped += s->report.face_contacts_dropped;
}

static void tell(const struct taken *t, const char *what)
{
    printf("%s: searches %lu of %lu, tests %lu of %lu, rounds %lu of %lu, proofs %lu of %lu, "
           "pushes %lu of %lu; put off %u, dropped %u\n"
           "    faces: looks %lu of %lu, pushes %lu of %lu, dropped %u\n",
           what, (unsigned long)t->most.searches, (unsigned long)t->bound.searches,
           (unsigned long)t->most.tests, (unsigned long)t->bound.tests,
           (unsigned long)t->most.rounds, (unsigned long)t->bound.rounds,
           (unsigned long)t->most.proofs, (unsigned long)t->bound.proofs,
           (unsigned long)t->most.pushes, (unsigned long)t->bound.pushes, (unsigned)t->put_off,
           (unsigned)t->dropped, (unsigned long)t->most.face_looks,
           (unsigned long)t->bound.face_looks, (unsigned long)t->most.face_pushes,
           (unsigned long)t->bound.face_pushes, (unsigned)t->faces_dropped);
}

static struct taken taken_of(const piola_world_desc *d)
{
    struct taken t;
    memset(&t, 0, sizeof t);
    fixture_ok(piola_world_bound(d, &t.bound, NULL), NULL);
    return t;
}

static void enter_sheet(struct scene *s, double width, uint32_t cells, double y)
{
    piola_body_desc b = piola_body_desc_default();
    b.position[0] = b.position[2] = (float)(-0.5 * width);
    b.position[1] = (float)y;
    (void)scene_enter(s, scene_limp_sheet(width, width, cells, cells, 300), &b);
}

#define FINGERS 16

/* Fingers that jump about within a cloth, farther than it can follow. */
static void hand(int round, const char *what)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    piola_collider finger[FINGERS];
    d.max_colliders = FINGERS;
    d.dt = 1.0f / 90;
    d.max_contacts = 4000;
    d.contact_thickness = 2e-3f;
    least_budgets(&d, round);
    struct scene s = scene_of(&d);
    struct taken t = taken_of(&d);
    enter_sheet(&s, 0.5, 16, 0.03);
    for (int i = 0; i < FINGERS; ++i) {
        piola_collider_desc c = piola_collider_desc_default();
        c.shape.kind = PIOLA_SHAPE_CAPSULE;
        c.shape.size[1] = 0.04f;
        c.shape.radius = 0.009f;
        c.position[0] = 0.06f * (float)(i % 4) - 0.09f;
        c.position[1] = -0.06f;
        const int row = i / 4;
        c.position[2] = 0.06f * (float)row - 0.09f;
        fixture_ok(piola_collider_create(s.world, &c, &finger[i], NULL), NULL);
    }
    scene_collect(&s);
    for (int step = 0; step < scene_steps(30, 2000); ++step) {
        for (int i = 0; i < FINGERS; ++i) {
            const double turn = 0.7 * step + i;
            const int row = i / 4;
            const float to[3] = {0.06f * (float)(i % 4) - 0.09f + (float)(0.1 * sin(turn)),
                                 (float)(-0.06 + 0.16 * sin(0.3 * step)),
                                 0.06f * (float)row - 0.09f + (float)(0.1 * cos(1.3 * turn))};
            fixture_ok(piola_collider_move(s.world, finger[i], to), NULL);
        }
        scene_step(&s, what);
        see(&s, &t);
    }
    tell(&t, what);
    TEST_ASSERT_TRUE(t.most.face_looks > 0 && t.most.face_pushes > 0);
    TEST_ASSERT_TRUE(round < 2 || t.faces_dropped > 0);
}

static void test_a_hostile_hand(void)
{
    static const char *const names[] = {"hand", "hand, small budgets", "hand, least budgets"};
    for (int round = 0; round < 3; ++round) {
        hand(round, names[round]);
        fixture_clean();
    }
}

/* Cubes and a sheet between plates that close. */
static void crush(int round, int solver, uint32_t room, const char *what)
{
    piola_world_desc d = scene_desc(scene_solvers[solver].solver);
    piola_collider plate[2];
    d.max_contacts = room;
    least_budgets(&d, round);
    struct scene s = scene_of(&d);
    struct taken t = taken_of(&d);
    for (int i = 0; i < 4; ++i) {
        piola_body_desc b = piola_body_desc_default();
        b.position[0] = i % 2 ? 0.02f : -0.1f;
        b.position[2] = i / 2 ? 0.02f : -0.1f;
        (void)scene_enter(&s, fixture_beam(2, 2, 2, 0.04), &b);
    }
    enter_sheet(&s, 0.3, 8, 0.09);
    for (int i = 0; i < 2; ++i) {
        piola_collider_desc c = piola_collider_desc_default();
        c.shape.kind = PIOLA_SHAPE_BOX;
        c.shape.size[0] = c.shape.size[2] = 0.5f;
        c.shape.size[1] = 0.05f;
        c.position[1] = i ? 0.2f : -0.06f;
        c.velocity[1] = i ? -1.5f : 0;
        fixture_ok(piola_collider_create(s.world, &c, &plate[i], NULL), NULL);
    }
    scene_collect(&s);
    /* Sanitizers see only the first steps, but all in which little room is full. */
    for (int step = 0; step < (room > 10 ? scene_steps(32, 1000) : 32); ++step) {
        scene_step(&s, what);
        see(&s, &t);
    }
    tell(&t, what);
    TEST_ASSERT_TRUE(room > 10 || t.dropped > 0);
}

static void test_plates_that_close(void)
{
    crush(0, 0, 100000, "plates");
    crush(1, 1, 100000, "plates, small budgets");
    crush(2, 0, 100000, "plates, least budgets");
}

static void test_room_for_ten_pairs(void)
{
    crush(0, 0, 10, "plates, ten pairs");
    crush(1, 2, 10, "plates, ten pairs, small budgets");
}

/* What begins in each other is promised nothing but an end. */
static void test_everything_at_one_place(void)
{
    for (int round = 0; round < 3; ++round) {
        piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
        d.max_contacts = round == 1 ? 10 : 20000;
        d.substeps = 2;
        least_budgets(&d, round);
        struct scene s = scene_of(&d);
        struct taken t = taken_of(&d);
        const piola_asset *cube = fixture_beam(3, 3, 3, 0.03);
        const piola_body_desc b = piola_body_desc_default();
        for (int i = 0; i < 12; ++i)
            (void)scene_enter(&s, cube, &b);
        for (int step = 0; step < fixture_count(4, 2); ++step) {
            fixture_ok(piola_world_step(s.world, NULL, &s.report), NULL);
            see(&s, &t);
        }
        tell(&t, "one place");
        fixture_clean();
    }
}

/* Bodies whose search is cut stay, but only these and what is near them. */
static void test_others_do_not_wait(void)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.contact_tests = 5;
    struct scene s = scene_of(&d);
    piola_body_desc b = piola_body_desc_default();
    struct taken t = taken_of(&d);
    enter_sheet(&s, 0.4, 12, 0.02);
    b.position[0] = 3;
    b.position[1] = 0.5f;
    b.velocity[1] = 1;
    (void)scene_enter(&s, fixture_beam(2, 2, 2, 0.05), &b);
    (void)scene_floor(&s, 0.5f);
    for (int step = 0; step < 20; ++step) {
        piola_body_info info;
        scene_step(&s, "sheet");
        see(&s, &t);
        fixture_ok(piola_body_inspect(s.world, s.body[1], &info), NULL);
        const double free = info.mass * (1 - 9.81 * 0.005 * (step + 1));
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * info.mass, free, info.momentum[1]);
    }
    tell(&t, "sheet and cube");
    TEST_ASSERT_TRUE(t.put_off > 0);
}

static void test_what_is_refused(void)
{
    piola_world_desc d = piola_world_desc_default();
    piola_contact_work bound;
    fixture_ok(piola_world_bound(&d, &bound, NULL), NULL);
    TEST_ASSERT_TRUE(bound.tests == 0 && bound.pushes == 0); /* no contact between surfaces */
    TEST_ASSERT_TRUE(bound.face_looks == 0 && bound.face_pushes == 0); /* nor of faces */
    d.max_colliders = 1;
    d.max_face_contacts = 10;
    fixture_ok(piola_world_bound(&d, &bound, NULL), NULL);
    TEST_ASSERT_TRUE(bound.face_looks == UINT64_MAX && bound.face_pushes == 50);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_bound(&d, NULL, NULL));
    d.contact_tests = 0;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_bound(&d, &bound, NULL));
    d = piola_world_desc_default();
    d.contact_searches = 17;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_bound(&d, &bound, NULL));
    d.cookie_ = 0;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COOKIE, piola_world_bound(&d, &bound, NULL));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_hostile_hand);
    RUN_TEST(test_plates_that_close);
    RUN_TEST(test_room_for_ten_pairs);
    RUN_TEST(test_everything_at_one_place);
    RUN_TEST(test_others_do_not_wait);
    RUN_TEST(test_what_is_refused);
    return UNITY_END();
}
