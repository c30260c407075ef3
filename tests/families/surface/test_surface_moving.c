/* Nothing that starts outside ends inside while colliders and pins move: bodies in surface contact
 * that are lifted, struck, pressed, swept and let go.
 *
 * covers: src/families/surface/surface_outside.c
 */
#include "contact_fixture.h"
#include "resume.h"
#include "solid_fixture.h"
#include "unity.h"
#include "world/world.h"

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

#define INSIDE 1e-5 /* m: less is rounding */

static piola_world_desc world_of(int which, uint32_t substeps, double gravity)
{
    piola_world_desc d = scene_desc(scene_solvers[which].solver);
    d.substeps = substeps;
    d.gravity[1] = (float)-gravity;
    d.contact_thickness = 1e-3f;
    return d;
}

/* A cube of 0.1 m over (x, z), its lower side at y. */
static void enter_cube(struct scene *s, double x, double y, double z, double speed)
{
    static piola_material m;
    m = piola_material_default();
    m.young = 1e5f;
    piola_body_desc b = piola_body_desc_default();
    b.position[0] = (float)(x - 0.05);
    b.position[1] = (float)y;
    b.position[2] = (float)(z - 0.05);
    b.velocity[1] = (float)speed;
    (void)scene_enter(s, fixture_beam_of(2, 2, 2, 0.05, &m, 0), &b);
}

/* A box that is 1 m wide, its upper side at y. */
static struct solid enter_plate(struct scene *s, double thickness, double y, double mass)
{
    struct solid collider;
    struct solid_desc c = solid_desc_default();
    c.shape.kind = PIOLA_SHAPE_BOX;
    c.shape.size[0] = c.shape.size[2] = 0.5f;
    c.shape.size[1] = (float)(0.5 * thickness);
    c.position[1] = (float)(y - 0.5 * thickness);
    c.mass = (float)mass;
    c.gravity_scale = 0;
    fixture_ok(solid_create(s->world, &c, &collider, NULL), NULL);
    return collider;
}

static double place_of(const struct scene *s, struct solid collider, int k)
{
    piola_collider_info info;
    fixture_ok(solid_inspect(s->world, collider, &info), NULL);
    return (double)info.position[k];
}

static void send(const struct scene *s, uint32_t kind, struct solid collider, double x, double y,
                 double z)
{
    if (collider.rigid)
        kind += PIOLA_COMMAND_RIGID_MOVE - PIOLA_COMMAND_COLLIDER_MOVE;
    fixture_push(s->world, kind, (piola_body){collider.index, collider.generation}, 0, (float)x,
                 (float)y, (float)z);
}

/* How far above a plane the lowest vertex of all is; those of a body and later ones. */
static double above(const struct scene *s, int body, double y)
{
    double least = HUGE_VAL;
    for (uint32_t v = scene_first(s, body); v < s->vertex_count; ++v)
        least = fmin(least, (double)s->x[3 * v + 1] - y);
    return least;
}

/* The same of surfaces alone: surface contact knows no others. */
static double surface_above(const struct scene *s, int body, double y)
{
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < 3 * s->face_count; ++i)
        if (s->faces[i] >= scene_first(s, body))
            least = fmin(least, (double)s->x[3 * s->faces[i] + 1] - y);
    return least;
}

static void test_a_lift(void)
{
    static const double speeds[] = {0.5, 2, 5};
    double worst = 0;
    for (int round = 0; round < 18; ++round) {
        const uint32_t substeps = round / 9 ? 4 : 1;
        const double speed = speeds[round / 3 % 3];
        const piola_world_desc d = world_of(round % 3, substeps, 9.81);
        struct scene s = scene_of(&d);
        char text[96];
        snprintf(text, sizeof text, "%s, a lift at %.1f m/s, %u substeps",
                 scene_solvers[round % 3].name, speed, (unsigned)substeps);
        enter_cube(&s, 0, 0.001, 0, 0);
        enter_cube(&s, 0.01, 0.102, 0.01, 0);
        const struct solid plate = enter_plate(&s, 0.02, 0, 0);
        const int steps = scene_steps(60, 400);
        while (s.steps < steps) {
            send(&s, PIOLA_COMMAND_COLLIDER_MOVE, plate, 0, -0.01 + 0.005 * speed * (s.steps + 1),
                 0);
            scene_step(&s, text);
            const double lowest = above(&s, 0, place_of(&s, plate, 1) + 0.01);
            worst = fmin(worst, lowest);
            TEST_ASSERT_TRUE_MESSAGE(lowest > -INSIDE, text);
        }
        TEST_ASSERT_TRUE_MESSAGE(s.most > 0, text);
        /* It is late by a few steps at most, where it had to wait. */
        const double late = -0.01 + 0.005 * speed * steps - place_of(&s, plate, 1);
        TEST_ASSERT_TRUE_MESSAGE(late < 0.005 * speed * 4, text);
        if (late > 1e-6)
            printf("%s: it is late by %.4f m\n", text, late);
    }
    printf("two cubes on a lift that starts at 0.5 to 5 m/s: vertices at most %.1e m inside\n",
           -worst);
}

static void test_a_plate_that_flies_up(void)
{
    for (int round = 0; round < 6; ++round) {
        const piola_world_desc d = world_of(round % 3, round / 3 ? 4 : 1, 0);
        struct scene s = scene_of(&d);
        enter_cube(&s, 0, 0.001, 0, 0);
        enter_cube(&s, 0.01, 0.102, 0.01, 0);
        const struct solid plate = enter_plate(&s, 0.02, -0.02, 200);
        send(&s, PIOLA_COMMAND_COLLIDER_VELOCITY, plate, 0, 5, 0);
        double worst = 1;
        const int steps = scene_steps(60, 400);
        while (s.steps < steps) {
            scene_step(&s, scene_solvers[round % 3].name);
            /* It may tilt a little. */
            worst = fmin(worst, above(&s, 0, place_of(&s, plate, 1) + 0.01));
        }
        printf("%s: a plate of 200 kg at 5 m/s under two cubes: lowest vertex at %.2e m\n",
               scene_solvers[round % 3].name, worst);
        TEST_ASSERT_TRUE(worst > -2e-3);
        TEST_ASSERT_TRUE(place_of(&s, plate, 1) > 0.5 * 5 * 0.005 * steps);
    }
}

static void test_a_blow_above_a_plate(void)
{
    static const double speeds[] = {1, 5, 20};
    for (int round = 0; round < 9; ++round) {
        const piola_world_desc d = world_of(round % 3, 1, 0);
        struct scene s = scene_of(&d);
        enter_cube(&s, 0, 0.0005, 0, 0);
        enter_cube(&s, 0.01, 0.1105, 0.01, -speeds[round / 3]);
        (void)enter_plate(&s, 0.001, 0, 0);
        while (s.steps < 40) {
            scene_step(&s, scene_solvers[round % 3].name);
            TEST_ASSERT_TRUE(above(&s, 0, 0) > -INSIDE);
        }
        TEST_ASSERT_TRUE(s.most > 0);
    }
}

/* A sheet, all of it held, is moved into a free cube. */
static void test_pins_that_push(void)
{
    static const double speeds[] = {0.1, 1, 5, 20};
    for (int round = 0; round < 24; round += 24 / fixture_count(12, 6)) {
        const double speed = speeds[round / 3 % 4];
        const piola_world_desc d = world_of(round % 3, round / 12 ? 4 : 1, 0);
        struct scene s = scene_of(&d);
        piola_body_desc b = piola_body_desc_default();
        b.position[0] = b.position[2] = -0.15f;
        b.position[1] = -0.003f;
        (void)scene_enter(&s, scene_sheet(0.3, 0.3, 6, 6, 1000), &b);
        enter_cube(&s, 0, 0, 0, 0);
        scene_collect(&s);
        const uint32_t pins = scene_first(&s, 1);
        while (s.steps < 40) {
            const int moves = s.steps < 30 ? s.steps + 1 : 30;
            for (uint32_t v = 0; v < pins; ++v)
                fixture_push(s.world, PIOLA_COMMAND_BODY_PIN, s.body[0], v, s.x[3 * v],
                             (float)(-0.003 + 0.005 * speed * moves), s.x[3 * v + 2]);
            scene_step(&s, scene_solvers[round % 3].name);
        }
        /* Without a crossing on the way it is still on its side. */
        const double end = -0.003 + 0.005 * speed * 30;
        for (uint32_t v = 0; v < pins; ++v)
            TEST_ASSERT_TRUE(fabs(end - (double)s.x[3 * v + 1]) < 1e-5);
        TEST_ASSERT_TRUE(surface_above(&s, 1, end) > -1e-7);
        TEST_ASSERT_TRUE(s.most > 0);
    }
}

/* ... against another cube on the floor: then the pins must lag, and go on when there is room. */
static void test_pins_that_press(void)
{
    for (int which = 0; which < 3; ++which) {
        const piola_world_desc d = world_of(which, 1, 9.81);
        struct scene s = scene_of(&d);
        piola_body_desc b = piola_body_desc_default();
        b.position[0] = b.position[2] = -0.15f;
        b.position[1] = 0.11f;
        (void)scene_enter(&s, scene_sheet(0.3, 0.3, 6, 6, 1000), &b);
        enter_cube(&s, 0, 0.001, 0, 0);
        (void)scene_floor(&s, 0.5f);
        scene_collect(&s);
        uint32_t middle = 0;
        for (uint32_t v = 0; v < scene_first(&s, 1); ++v)
            if (hypot((double)s.x[3 * v], (double)s.x[3 * v + 2]) < 0.01)
                middle = v;
        double lowest = 1;
        while (s.steps < 150) {
            const double wanted = 0.11 - 0.003 * (s.steps < 60 ? s.steps : 60);
            const double y = s.steps < 80 ? wanted : 0.2;
            for (uint32_t v = 0; v < scene_first(&s, 1); ++v)
                fixture_push(s.world, PIOLA_COMMAND_BODY_PIN, s.body[0], v, s.x[3 * v], (float)y,
                             s.x[3 * v + 2]);
            scene_step(&s, scene_solvers[which].name);
            TEST_ASSERT_TRUE(above(&s, 1, 0) > -INSIDE);
            lowest = fmin(lowest, (double)s.x[3 * middle + 1]);
        }
        printf("%s: a held sheet is pressed on a cube on the floor as far as %.4f m, told -0.07\n",
               scene_solvers[which].name, lowest);
        TEST_ASSERT_TRUE(lowest > 0);
        TEST_ASSERT_TRUE(fabs((double)s.x[1] - 0.2) < 1e-5);
    }
}

/* Two plates close on two cubes, more than there is room, and open again. */
static void test_a_press(void)
{
    static const double speeds[] = {0.3, 3};
    const int stride = 12 / fixture_count(12, 2);
    for (int round = stride - 1; round < 12; round += stride) {
        const double speed = speeds[round / 3 % 2];
        const uint32_t substeps = round / 6 ? 4 : 1;
        const piola_world_desc d = world_of(round % 3, substeps, 0);
        struct scene s = scene_of(&d);
        char text[96];
        snprintf(text, sizeof text, "%s, a press at %.1f m/s, %u substeps",
                 scene_solvers[round % 3].name, speed, (unsigned)substeps);
        enter_cube(&s, 0, 0.001, 0, 0);
        enter_cube(&s, 0.01, 0.102, 0.01, 0);
        const struct solid low = enter_plate(&s, 0.02, 0, 0);
        const struct solid high = enter_plate(&s, 0.02, 0.225, 0);
        const int closing = (int)(0.1 / (0.005 * speed)) + 1;
        double least = 1;
        while (s.steps < 2 * closing + 60) {
            const int t = s.steps < closing ? s.steps + 1 : 2 * closing - s.steps - 1;
            const double gone = 0.005 * speed * (t > 0 ? t : 0);
            send(&s, PIOLA_COMMAND_COLLIDER_MOVE, low, 0, -0.01 + gone, 0);
            send(&s, PIOLA_COMMAND_COLLIDER_MOVE, high, 0, 0.215 - gone, 0);
            scene_step(&s, text);
            const double bottom = place_of(&s, low, 1) + 0.01, top = place_of(&s, high, 1) - 0.01;
            least = fmin(least, top - bottom);
            TEST_ASSERT_TRUE_MESSAGE(above(&s, 0, bottom) > -INSIDE, text);
            /* A cube that is squeezed out goes where it likes beside the plates. */
            for (uint32_t v = 0; v < s.vertex_count; ++v)
                TEST_ASSERT_TRUE_MESSAGE((double)s.x[3 * v + 1] - top < INSIDE ||
                                             fabsf(s.x[3 * v]) > 0.5f ||
                                             fabsf(s.x[3 * v + 2]) > 0.5f,
                                         text);
        }
        printf("%s: two plates come to %.4f m of each other, told 0.004\n", text, least);
        TEST_ASSERT_TRUE(fabs(place_of(&s, low, 1) + 0.01) < 1e-5);
        TEST_ASSERT_TRUE(fabs(place_of(&s, high, 1) - 0.215) < 1e-5);
    }
}

/* A paddle turns among cubes on a floor. */
static void test_a_paddle(void)
{
    static const double spins[] = {2, 20};
    for (int round = 0; round < 6; ++round) {
        const piola_world_desc d = world_of(round % 3, 1, 9.81);
        struct scene s = scene_of(&d);
        for (int i = 0; i < 6; ++i)
            enter_cube(&s, 0.16 * cos(i * 1.05) + 0.001, 0.001, 0.16 * sin(i * 1.05) + 0.001, 0);
        (void)scene_floor(&s, 0.5f);
        struct solid_desc c = solid_desc_default();
        struct solid paddle;
        c.shape.kind = PIOLA_SHAPE_BOX;
        c.shape.size[0] = 0.24f;
        c.shape.size[1] = 0.05f;
        c.shape.size[2] = 0.005f;
        c.position[1] = 0.25f;
        c.angular_velocity[1] = (float)spins[round / 3];
        c.velocity[1] = -0.8f;
        fixture_ok(solid_create(s.world, &c, &paddle, NULL), NULL);
        double worst = 0;
        while (s.steps < scene_steps(60, 1000)) {
            piola_collider_info info;
            if (s.steps == 30)
                send(&s, PIOLA_COMMAND_COLLIDER_VELOCITY, paddle, 0, 0, 0);
            scene_step(&s, scene_solvers[round % 3].name);
            fixture_ok(solid_inspect(s.world, paddle, &info), NULL);
            const double turn = 2 * atan2((double)info.rotation[1], (double)info.rotation[3]);
            for (uint32_t v = 0; v < s.vertex_count; ++v) {
                const double x = (double)s.x[3 * v], z = (double)s.x[3 * v + 2];
                const double side[3] = {fabs(cos(turn) * x - sin(turn) * z) - 0.24,
                                        fabs((double)s.x[3 * v + 1] - (double)info.position[1]) -
                                            0.05,
                                        fabs(sin(turn) * x + cos(turn) * z) - 0.005};
                worst = fmin(worst, fmax(side[0], fmax(side[1], side[2])));
            }
            TEST_ASSERT_TRUE(above(&s, 0, 0) > -INSIDE);
        }
        printf("%s: a paddle that turns %.0f times a second among cubes: %.1e m inside\n",
               scene_solvers[round % 3].name, spins[round / 3] / 6.2832, -worst);
        TEST_ASSERT_TRUE(worst > -INSIDE);
    }
}

/* Cloth slides fast over a ball, without friction: shares of its way lead through the ball. */
static void test_cloth_over_a_ball(void)
{
    static const double speeds[] = {2, 10, 30};
    uint32_t pairs = 0;
    for (int round = 0; round < 9; ++round) {
        const piola_world_desc d = world_of(round % 3, 1, 0);
        struct scene s = scene_of(&d);
        struct solid_desc c = solid_desc_default();
        struct solid ball;
        c.shape.kind = PIOLA_SHAPE_SPHERE;
        c.shape.radius = 0.25f;
        c.friction_static = c.friction_kinetic = 0;
        fixture_ok(solid_create(s.world, &c, &ball, NULL), NULL);
        piola_body_desc b = piola_body_desc_default();
        b.position[0] = b.position[2] = -0.15f;
        b.position[1] = 0.253f;
        b.velocity[0] = (float)speeds[round / 3];
        b.velocity[1] = -0.5f * b.velocity[0];
        (void)scene_enter(&s, scene_sheet(0.3, 0.3, 12, 12, 500), &b);
        double worst = 1;
        while (s.steps < 60) {
            scene_step(&s, scene_solvers[round % 3].name);
            for (uint32_t v = 0; v < s.vertex_count; ++v) {
                const float *x = s.x + 3 * (size_t)v;
                worst = fmin(worst, sqrt((double)x[0] * (double)x[0] + (double)x[1] * (double)x[1] +
                                         (double)x[2] * (double)x[2]) -
                                        (double)c.shape.radius);
            }
        }
        printf("%s: cloth at %.0f m/s over a ball: at least %.1e m outside, up to %u pairs\n",
               scene_solvers[round % 3].name, speeds[round / 3], worst, (unsigned)s.most);
        TEST_ASSERT_TRUE(worst > -INSIDE);
        pairs += s.most;
    }
    TEST_ASSERT_TRUE(pairs > 0);
}

/* A body whose numbers are lost goes back to where it was: its neighbours must not be there. */
static void test_a_body_that_breaks(void)
{
    for (int which = 0; which < 3; ++which) {
        const piola_world_desc d = world_of(which, 1, 0);
        struct scene s = scene_of(&d);
        enter_cube(&s, 0, 0, 0, 0);
        enter_cube(&s, 0.01, 0.11, 0.01, -4);
        enter_cube(&s, 0.01, 0.23, 0.01, -60);
        for (int step = 0; step < 12; ++step) {
            if (step == 1)
                world_velocity(s.world)[body_find(s.world, s.body[1])->first].y = -INFINITY;
            fixture_ok(piola_world_step(s.world, NULL, &s.report), NULL);
            TEST_ASSERT_EQUAL(0, scene_crossings(&s));
        }
        TEST_ASSERT_EQUAL(1, s.report.frozen);
    }
}

/* ... and the same steps in a fresh world that knows of all this by a snapshot alone. */
static void test_a_body_upon_one_that_broke(void)
{
    for (int which = 0; which < 3; ++which) {
        const piola_world_desc d = world_of(which, 1, 0);
        uint64_t hash[2];
        for (int resumed = 0; resumed < 2; ++resumed) {
            struct scene s = scene_of(&d);
            enter_cube(&s, 0, 0, 0, 0);
            enter_cube(&s, 0.01, 0.11, 0.01, -4);
            uint32_t contacts = 0;
            for (int step = 0; step < 12; ++step) {
                if (step == 1)
                    world_velocity(s.world)[body_find(s.world, s.body[0])->first].y = -INFINITY;
                if (resumed && step >= 3 && step % 3 == 0)
                    resume(s.world, resume_garbage[step / 3 % RESUME_GARBAGE]);
                fixture_ok(piola_world_step(s.world, NULL, &s.report), NULL);
                contacts += step >= 3 ? s.report.contacts : 0;
            }
            TEST_ASSERT_EQUAL(1, s.report.frozen);
            TEST_ASSERT_GREATER_THAN_UINT32(0, contacts);
            hash[resumed] = piola_world_hash(s.world);
        }
        TEST_ASSERT_EQUAL_HEX64(hash[0], hash[1]);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_lift);
    RUN_TEST(test_a_plate_that_flies_up);
    RUN_TEST(test_a_blow_above_a_plate);
    RUN_TEST(test_pins_that_push);
    RUN_TEST(test_pins_that_press);
    RUN_TEST(test_a_press);
    RUN_TEST(test_a_paddle);
    RUN_TEST(test_cloth_over_a_ball);
    RUN_TEST(test_a_body_that_breaks);
    RUN_TEST(test_a_body_upon_one_that_broke);
    return UNITY_END();
}
