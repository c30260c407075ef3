/* Rigid bodies: colliders with mass, which push bodies and are pushed back.
 *
 * covers: src/families/rigid/
 */
#include "solid_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static struct solid_desc ball(float radius, float mass)
{
    struct solid_desc c = solid_desc_default();
    c.shape.kind = PIOLA_SHAPE_SPHERE;
    c.shape.radius = radius;
    c.mass = mass;
    return c;
}

/* The softest is light, or its own weight would crush it. */
static const piola_asset *cube(float young, int cells, double size)
{
    piola_material m = piola_material_default();
    m.density = young < 1e4f ? 100 : 1000;
    m.young = young;
    m.poisson = 0.3f;
    m.damping = 0.01f;
    return fixture_beam_of(cells, cells, cells, size / cells, &m, 0);
}

static piola_collider_info info_of(piola_world *world, struct solid c)
{
    piola_collider_info info;
    fixture_ok(solid_inspect(world, c, &info), NULL);
    return info;
}

static piola_body_info body_of(piola_world *world, piola_body b)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, b, &info), NULL);
    return info;
}

/* A ball lands on a soft cube and comes to rest: it is carried with its weight, the floor carries
 * both. */
static void test_a_ball_rests_on_a_cube(void)
{
    for (int which = 0; which < 3; ++which)
        for (uint32_t substeps = 1; substeps <= (which == 1 ? 1 : 20); substeps += 19) {
            const piola_world_desc d = collider_world(collider_solvers[which].solver, substeps);
            piola_world *world = fixture_world(&d);
            const struct solid_desc plane = solid_desc_default();
            const struct solid floor = solid_enter(world, &plane);
            const piola_body body = fixture_body(world, cube(1e5f, 3, 0.4), -0.2f, 0, -0.2f);
            struct solid_desc c = ball(0.15f, 20);
            c.position[1] = 0.65f;
            const struct solid rigid = solid_enter(world, &c);
            const int steps = substeps == 1 ? 500 : 200, average = substeps == 1 ? 200 : 50;
            fixture_steps(world, NULL, steps);
            double on = 0, under = 0;
            for (int i = 0; i < average; ++i) {
                fixture_steps(world, NULL, 1);
                on += info_of(world, rigid).force[1] / average;
                under -= info_of(world, floor).force[1] / average;
            }
            const piola_collider_info now = info_of(world, rigid);
            const double mass = body_of(world, body).mass;
            printf("%s, %u substeps: ball at %.4f moves %.1e m/s, pressed with %.3f of %.3f N, the "
                   "floor with %.3f of %.3f N\n",
                   collider_solvers[which].name, substeps, (double)now.position[1],
                   fabs((double)now.velocity[1]), on, 20 * 9.81, under, (20 + mass) * 9.81);
            TEST_ASSERT_FALSE(body_of(world, body).frozen);
            TEST_ASSERT_TRUE(now.position[1] > 0.3f && now.position[1] < 0.56f);
            TEST_ASSERT_DOUBLE_WITHIN(0.01 * 20 * 9.81, 20 * 9.81, on);
            TEST_ASSERT_DOUBLE_WITHIN(0.01 * (20 + mass) * 9.81, (20 + mass) * 9.81, under);
        }
}

/* A box on a block that is held below lies still, and its weight presses on the block in each step:
 * by so many times its cells' stiffness, with few iterations. */
static void test_a_box_lies_on_a_block(void)
{
    enum { CELLS = 4, VERTICES = 125 };
    static const float young[] = {1e4f, 1e5f, 1e6f, 1e7f};
    for (int i = 0; i < 4; ++i) {
        piola_world_desc d = piola_world_desc_default();
        piola_rigid_desc box = piola_rigid_desc_default();
        piola_rigid_info info;
        piola_rigid rigid;
        float x[3 * VERTICES];
        d.max_rigids = 1;
        d.max_face_contacts = 4096;
        d.dt = 0.005f;
        piola_world *world = fixture_world(&d);
        const piola_body body = fixture_body(world, cube(young[i], CELLS, 0.1), 0, 0, 0);
        fixture_ok(piola_body_positions(world, body, 0, VERTICES, x), NULL);
        for (uint32_t v = 0; v < VERTICES; ++v)
            if (x[3 * v + 1] < 1e-5f)
                fixture_ok(piola_body_pin(world, body, v, &x[3 * (size_t)v]), NULL);
        box.shape = piola_shape_box((const float[]){0.04f, 0.02f, 0.04f}, 0);
        box.mass = 3e-6f * young[i];
        box.position[0] = box.position[2] = 0.05f;
        box.position[1] = 0.1205f;
        fixture_ok(piola_rigid_create(world, &box, &rigid, NULL), NULL);
        fixture_steps(world, NULL, 250);
        const double weight = (double)box.mass * 9.81;
        double on = 0, off = 0;
        for (int s = 0; s < 50; ++s) {
            fixture_steps(world, NULL, 1);
            fixture_ok(piola_rigid_inspect(world, rigid, &info), NULL);
            on += (double)info.force[1] / 50;
            off = fmax(off, fabs((double)info.force[1] - weight));
        }
        printf("a box of %.2f kg on %.0e Pa: %.4f of its weight, to %.4f in each step\n",
               (double)box.mass, (double)young[i], on / weight, off / weight);
        TEST_ASSERT_DOUBLE_WITHIN(0.002 * weight, weight, on);
        TEST_ASSERT_TRUE(off < 0.1 * weight);
        fixture_clean();
    }
}

/* Of a rigid sphere and a body: linear momentum, and angular about the world's origin. */
static void momenta(piola_world *world, struct solid rigid, double mass, double inertia,
                    piola_body body, double out[6])
{
    const piola_collider_info r = info_of(world, rigid);
    const piola_body_info b = body_of(world, body);
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = b.momentum[k] + mass * (double)r.velocity[k];
        out[3 + k] = b.angular_momentum[k] + inertia * (double)r.angular_velocity[k] +
                     mass * ((double)r.position[i] * (double)r.velocity[j] -
                             (double)r.position[j] * (double)r.velocity[i]);
    }
}

/* Off the middle, with friction too: what one loses the other gets. */
static void test_impacts_keep_momentum(void)
{
    for (int which = 0; which < 3; ++which)
        for (int k = 0; k < 4; ++k) {
            piola_world_desc d = collider_world(collider_solvers[which].solver, k == 3 ? 20 : 1);
            memset(d.gravity, 0, sizeof d.gravity);
            piola_world *world = fixture_world(&d);
            const float mass = k == 0 ? 0.64f : k == 1 ? 6400 : 64;
            struct solid_desc c = ball(0.15f, mass);
            c.position[0] = 0.08f;
            c.position[1] = 0.6f;
            c.position[2] = 0.03f;
            c.velocity[1] = -3;
            c.friction_static = c.friction_kinetic = which == 0 ? 0.5f : 0;
            const struct solid rigid = solid_enter(world, &c);
            const piola_body body = fixture_body(world, cube(1e5f, 3, 0.4), -0.2f, 0, -0.2f);
            double before[6], after[6], worst[2] = {0, 0};
            const double inertia = 0.4 * (double)mass * 0.0225;
            momenta(world, rigid, (double)mass, inertia, body, before);
            const double size = 3 * (double)mass;
            for (int i = 0; i < 60; ++i) {
                fixture_steps(world, NULL, 1);
                momenta(world, rigid, (double)mass, inertia, body, after);
                for (int j = 0; j < 6; ++j)
                    worst[j / 3] = fmax(worst[j / 3], fabs(after[j] - before[j]));
            }
            const piola_body_info b = body_of(world, body);
            const piola_collider_info r = info_of(world, rigid);
            printf("%s, %u substeps, %.2f kg: momentum to %.1e, angular to %.1e; cube at %.3f m/s, "
                   "ball at %.3f\n",
                   collider_solvers[which].name, d.substeps, (double)mass, worst[0] / size,
                   worst[1] / (0.1 * size), b.momentum[1] / b.mass, (double)r.velocity[1]);
            TEST_ASSERT_TRUE(b.momentum[1] < -0.01);
            TEST_ASSERT_TRUE(worst[0] < 1e-4 * size);
            TEST_ASSERT_TRUE(worst[1] < 1e-4 * 0.1 * size);
        }
}

/* A box whose axes all differ tumbles freely. */
static void test_a_free_box_spins_for_long(void)
{
    piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    memset(d.gravity, 0, sizeof d.gravity);
    piola_world *world = fixture_world(&d);
    struct solid_desc c = solid_desc_default();
    c.shape.kind = PIOLA_SHAPE_BOX;
    c.shape.size[0] = 0.1f;
    c.shape.size[1] = 0.2f;
    c.shape.size[2] = 0.3f;
    c.mass = 6;
    c.velocity[0] = 0.1f;
    c.angular_velocity[0] = 0.05f;
    c.angular_velocity[1] = 5; /* the axis that is not stable */
    c.angular_velocity[2] = 0.05f;
    const double inertia[3] = {2 * 0.13, 2 * 0.10, 2 * 0.05};
    const struct solid box = solid_enter(world, &c);
    double first[4] = {0}, worst[2] = {0, 0}, lowest = 5;
    for (int i = 0; i <= 10000; ++i) {
        const piola_collider_info r = info_of(world, box);
        double now[4] = {0, 0, 0, 0}, spin[3];
        const double x = (double)r.rotation[0], y = (double)r.rotation[1],
                     z = (double)r.rotation[2], w = (double)r.rotation[3];
        const double m[3][3] = {
            {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
        for (int k = 0; k < 3; ++k) {
            spin[k] = 0;
            for (int j = 0; j < 3; ++j)
                spin[k] += m[j][k] * (double)r.angular_velocity[j];
            now[3] += 0.5 * inertia[k] * spin[k] * spin[k];
        }
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                now[j] += m[j][k] * inertia[k] * spin[k];
        if (i == 0)
            memcpy(first, now, sizeof first);
        const double size = sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
        for (int j = 0; j < 3; ++j)
            worst[0] = fmax(worst[0], fabs(now[j] - first[j]) / size);
        worst[1] = fmax(worst[1], fabs(now[3] - first[3]) / first[3]);
        lowest = fmin(lowest, spin[1]);
        fixture_steps(world, NULL, 1);
    }
    const piola_collider_info r = info_of(world, box);
    printf("10,000 steps of tumbling: angular momentum to %.1e, energy to %.1e, spin about its own "
           "y from 5 to %.2f rad/s, at %.4f m\n",
           worst[0], worst[1], lowest, (double)r.position[0]);
    TEST_ASSERT_TRUE(lowest < -4.9);
    TEST_ASSERT_TRUE(worst[0] < 1e-5);
    TEST_ASSERT_TRUE(worst[1] < 1e-3);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 5.0005f, r.position[0]);
}

/* A ball on a slope rolls with 5/7 of what it would slide with, or slides where friction is weak;
 * a box holds or slides. */
static void test_down_a_slope(void)
{
    static const struct {
        piola_shape_kind shape;
        float friction;
        double gain; /* of g sin, g cos */
        double loss;
    } cases[] = {{PIOLA_SHAPE_SPHERE, 0.5f, 5.0 / 7, 0},
                 {PIOLA_SHAPE_SPHERE, 0.1f, 1, 0.1},
                 {PIOLA_SHAPE_CAPSULE, 0.5f, 0, 0}, /* lies across: found below */
                 {PIOLA_SHAPE_BOX, 0.8f, 0, 0},
                 {PIOLA_SHAPE_BOX, 0.2f, 1, 0.2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        for (uint32_t substeps = 1; substeps <= 20; substeps += 19) {
            const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, substeps);
            const double angle = 25 * 3.14159265358979323846 / 180;
            piola_world *world = fixture_world(&d);
            struct solid_desc c = solid_desc_default();
            c.rotation[2] = (float)sin(-angle / 2);
            c.rotation[3] = (float)cos(angle / 2);
            c.friction_static = c.friction_kinetic = cases[k].friction;
            (void)solid_enter(world, &c);
            c.shape.kind = cases[k].shape;
            c.shape.radius = c.shape.kind == PIOLA_SHAPE_BOX ? 0.01f : 0.1f;
            c.shape.size[0] = c.shape.size[1] = c.shape.size[2] = 0.1f;
            c.mass = 3;
            c.position[0] = (float)(0.1 * sin(angle));
            c.position[1] = (float)(0.1 * cos(angle));
            double gain = cases[k].gain;
            if (c.shape.kind == PIOLA_SHAPE_CAPSULE) {
                const float r[4] = {0.70710678f, 0, 0, 0.70710678f}; /* y along z */
                memcpy(c.rotation, r, sizeof r);
                const double ends = 4.0 / 3 * 0.1, rod = 0.2, mb = ends / (ends + rod);
                gain = 1 / (1 + 0.4 * mb + 0.5 * (1 - mb));
            }
            const struct solid rigid = solid_enter(world, &c);
            fixture_steps(world, NULL, 20);
            const piola_collider_info from = info_of(world, rigid);
            fixture_steps(world, NULL, 100);
            const piola_collider_info to = info_of(world, rigid);
            const double v = ((double)to.velocity[0] - (double)from.velocity[0]) * cos(angle) -
                             ((double)to.velocity[1] - (double)from.velocity[1]) * sin(angle);
            const double a = 9.81 * (gain * sin(angle) - cases[k].loss * cos(angle));
            const double off =
                (double)to.position[0] * sin(angle) + (double)to.position[1] * cos(angle) - 0.1;
            printf("shape %d, friction %.1f, %u substeps: gains %.4f of %.4f m/s2, %.1e m off the "
                   "slope\n",
                   (int)c.shape.kind, (double)cases[k].friction, substeps, v / 0.5, a, off);
            TEST_ASSERT_DOUBLE_WITHIN(0.01 * 9.81 * sin(angle), a, v / 0.5);
            TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, off);
        }
}

/* Any stiffness and any ratio of masses: nothing gains energy, nobody blows up. */
static void test_any_masses_and_stiffness(void)
{
    for (int k = 0; k < 3 * 3 * 2; k += 18 / fixture_count(18, 6))
        for (int which = 0; which < 3; which += 2) {
            static const float young[] = {1e3f, 1e5f, 1e7f};
            static const double ratio[] = {0.01, 1, 100};
            const piola_world_desc d =
                collider_world(collider_solvers[which].solver, k % 2 ? 20 : 1);
            piola_world *world = fixture_world(&d);
            const struct solid_desc plane = solid_desc_default();
            (void)solid_enter(world, &plane);
            const piola_body body =
                fixture_body(world, cube(young[k / 2 % 3], 2, 0.3), -0.15f, 0, -0.15f);
            const double soft = body_of(world, body).mass;
            struct solid_desc c = ball(0.12f, (float)(ratio[k / 6] * soft));
            c.position[1] = 0.5f;
            c.velocity[1] = -1;
            const struct solid rigid = solid_enter(world, &c);
            double most = 0, fastest = 0;
            for (int i = 0; i < (k % 2 ? 80 : 300); ++i) {
                fixture_steps(world, NULL, 1);
                const piola_collider_info r = info_of(world, rigid);
                most = fmax(most, (double)r.position[1]);
                const double v =
                    sqrt((double)(r.velocity[0] * r.velocity[0] + r.velocity[1] * r.velocity[1] +
                                  r.velocity[2] * r.velocity[2]));
                fastest = fmax(fastest, v);
            }
            const piola_body_info b = body_of(world, body);
            const double deepest_fall = sqrt(1 + 2 * 9.81 * 0.5);
            printf("%s, %u substeps, %.0e Pa, ratio %.2f: highest %.3f m, fastest %.2f m/s, at the "
                   "end %.3f m, cube %.3f m/s\n",
                   collider_solvers[which].name, d.substeps, (double)young[k / 2 % 3], ratio[k / 6],
                   most, fastest, (double)info_of(world, rigid).position[1],
                   sqrt(2 * b.kinetic_energy / b.mass));
            TEST_ASSERT_FALSE(b.frozen);
            TEST_ASSERT_TRUE(most < 0.56);
            TEST_ASSERT_TRUE(fastest < 1.05 * deepest_fall);
        }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_ball_rests_on_a_cube);
    RUN_TEST(test_a_box_lies_on_a_block);
    RUN_TEST(test_impacts_keep_momentum);
    RUN_TEST(test_a_free_box_spins_for_long);
    RUN_TEST(test_down_a_slope);
    RUN_TEST(test_any_masses_and_stiffness);
    return UNITY_END();
}
