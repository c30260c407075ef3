/* Joints against closed forms: pendulums, a gyroscope, motors, linkages, chains, momentum, energy.
 *
 * covers: src/families/joints/
 */
#include "joint_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define G  9.81
#define PI 3.14159265358979323846

static const piola_rigid none = {0, 0};
static const float origin[3] = {0, 0, 0}, along_x[3] = {1, 0, 0}, along_z[3] = {0, 0, 1};

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* A rod of 1 m hung at its end, held out level: half a swing is 90 degrees, for which the period is
 * 1.18034 that of small ones. Its energy comes back to what it was. */
static void test_a_pendulum_swings_as_it_must(void)
{
    const piola_world_desc d = joint_world(2, (float)G);
    piola_world *world = fixture_world(&d);
    struct joint_chain rod = {.links = 1, .joints = 1};
    rod.link[0] = joint_box(world, (float[]){0.5f, 0, 0}, (float[]){0.5f, 0.02f, 0.02f}, 1);
    rod.joint[0] = joint_made(world, piola_joint_hinge(), none, rod.link[0], origin, along_z);
    const double dt = (double)d.dt, inertia = joint_rigid(world, rod.link[0]).inertia[2] + 0.25;
    const double theory = 1.1803405990 * 2 * PI * sqrt(inertia / (G * 0.5));
    double first = 0, last = 0, before = 0.5, most = -1, least = 1;
    int crossings = 0;
    for (int i = 0; i < 1600; ++i) {
        fixture_steps(world, NULL, 1);
        const double x = (double)joint_rigid(world, rod.link[0]).position[0];
        const double energy = joint_energy(world, &rod, G);
        if (before > 0 && x <= 0) {
            last = dt * (i + 1) + dt * x / (before - x);
            first = crossings++ == 0 ? last : first;
        }
        before = x;
        most = fmax(most, energy);
        least = fmin(least, energy);
    }
    const double period = (last - first) / (crossings - 1);
    printf("pendulum: period %.5f s of %.5f; energy within %.4f and %.4f of %.2f J\n", period,
           theory, least, most, G * 0.5);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * theory, theory, period);
    TEST_ASSERT_TRUE(most < 0.01 * G && least > -0.01 * G);
    TEST_ASSERT_TRUE(joint_gap(world, &rod) < 1e-9);
}

/* m g l / (I w), for steps in which it turns by 0.2 rad. */
static void test_a_gyroscope_precesses(void)
{
    piola_world_desc d = joint_world(1, (float)G);
    d.dt = 0.001f;
    piola_world *world = fixture_world(&d);
    piola_rigid_desc disc = piola_rigid_desc_default();
    struct joint_chain top = {.links = 1, .joints = 1};
    const double spin = 200, rate = G * 0.1 / (0.005 * spin);
    disc.inertia[0] = 0.005f;
    disc.inertia[1] = disc.inertia[2] = 0.0026f;
    disc.position[0] = 0.1f;
    disc.angular_velocity[0] = (float)spin;
    disc.angular_velocity[1] = (float)rate;
    disc.velocity[2] = (float)(-0.1 * rate);
    fixture_ok(piola_rigid_create(world, &disc, &top.link[0], NULL), NULL);
    top.joint[0] = joint_made(world, piola_joint_ball(), none, top.link[0], origin, along_x);
    const int steps = 1500;
    fixture_steps(world, NULL, steps);
    const piola_rigid_info now = joint_rigid(world, top.link[0]);
    const double angle = atan2(-(double)now.position[2], (double)now.position[0]);
    printf("gyroscope: %.5f rad in 1.5 s of %.5f, sinks by %.1e m\n", angle, rate * 1.5,
           fabs((double)now.position[1]));
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * rate * 1.5, rate * 1.5, angle);
    TEST_ASSERT_TRUE(fabs((double)now.position[1]) < 1e-3);
    TEST_ASSERT_TRUE(joint_gap(world, &top) < 1e-9);
}

/* T / I; then against a load that is too heavy it stands with all its torque. */
static void test_a_motor_turns_what_it_must(void)
{
    const piola_world_desc d = joint_world(1, 0);
    piola_world *world = fixture_world(&d);
    const piola_rigid wheel = joint_box(world, (float[]){0, 0, 0}, (float[]){0.2f, 0.1f, 0.1f}, 3);
    piola_joint_desc desc = piola_joint_hinge();
    desc.axis[3].mode = PIOLA_AXIS_MOTOR;
    desc.axis[3].speed = 100;
    desc.axis[3].max_force = 0.5f;
    const piola_joint motor = joint_made(world, desc, none, wheel, origin, (float[]){0, 1, 0});
    fixture_steps(world, NULL, 200);
    const piola_rigid_info now = joint_rigid(world, wheel);
    const double theory = 0.5 / now.inertia[1];
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * theory, theory, (double)now.angular_velocity[1]);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.5f, joint_info(world, motor).load[3]);
    /* 1.6 turns are told, not what is left of them. */
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * theory, 0.5 * theory,
                              (double)joint_info(world, motor).position[3]);
    fixture_ok(piola_joint_set_strength(world, motor, 3, 1000), NULL);
    fixture_ok(piola_joint_set_speed(world, motor, 3, -2), NULL);
    fixture_steps(world, NULL, 2);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, -2, joint_rigid(world, wheel).angular_velocity[1]);
}

/* An arm of 2 kg: lifted to where it is wanted, no faster than wanted, and held there; too weak, it
 * hangs where its torque balances the weight. */
static void test_a_servo_lifts_and_holds(void)
{
    const piola_world_desc d = joint_world(1, (float)G);
    piola_world *world = fixture_world(&d);
    const piola_rigid arm =
        joint_box(world, (float[]){0.25f, 0, 0}, (float[]){0.25f, 0.05f, 0.05f}, 2);
    piola_joint_desc desc = piola_joint_hinge();
    desc.axis[3].mode = PIOLA_AXIS_SERVO;
    desc.axis[3].target = 0.7f;
    desc.axis[3].speed = 2;
    desc.axis[3].max_force = 50;
    const piola_joint servo = joint_made(world, desc, none, arm, origin, along_z);
    fixture_steps(world, NULL, 20);
    TEST_ASSERT_FLOAT_WITHIN(5e-3f, 0.2f, joint_info(world, servo).position[3]);
    fixture_steps(world, NULL, 180);
    const double load = 2 * G * 0.25 * cos(0.7);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.7f, joint_info(world, servo).position[3]);
    TEST_ASSERT_DOUBLE_WITHIN(5e-3 * load, load, (double)joint_info(world, servo).load[3]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * load, load, (double)joint_info(world, servo).torque[2]);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f * 2 * (float)G, 2 * (float)G, joint_info(world, servo).force[1]);
    fixture_ok(piola_joint_set_strength(world, servo, 3, 1), NULL);
    fixture_steps(world, NULL, 400);
    const piola_joint_info weak = joint_info(world, servo);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 1, fabsf(weak.load[3]));
}

/* Down a plane of 30 degrees without friction, locked to its line. */
static void test_a_slider_goes_down_its_line(void)
{
    const piola_world_desc d = joint_world(1, (float)G);
    piola_world *world = fixture_world(&d);
    const piola_rigid sled = joint_box(world, origin, (float[]){0.1f, 0.1f, 0.1f}, 5);
    const float line[3] = {0.8660254f, -0.5f, 0};
    const piola_joint slider =
        joint_made(world, piola_joint_slider(), none, sled, (float[]){0.3f, 0.2f, 0}, line);
    fixture_steps(world, NULL, 100);
    const piola_rigid_info now = joint_rigid(world, sled);
    const double way = 0.5 * G * 0.5 * 0.5 * 0.5 * (1 + 1.0 / 100);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4 * way, way, (double)joint_info(world, slider).position[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, -0.5 * way, (double)now.position[1]);
    TEST_ASSERT_TRUE(fabsf(now.angular_velocity[2]) < 1e-6f);
    TEST_ASSERT_TRUE(joint_info(world, slider).gap < 1e-7f);
}

/* A crank turns a rocker by a coupler: four hinges, of which three would do. */
static void test_a_four_bar_linkage_stays_closed(void)
{
    const piola_world_desc d = joint_world(3, (float)G);
    piola_world *world = fixture_world(&d);
    const float thin = 0.02f;
    struct joint_chain bars = {.links = 3, .joints = 4};
    bars.link[0] = joint_box(world, (float[]){0, 0.15f, 0}, (float[]){thin, 0.15f, thin}, 1);
    bars.link[1] = joint_box(world, (float[]){0.5f, 0.3f, 0}, (float[]){0.5f, thin, thin}, 2);
    bars.link[2] = joint_box(world, (float[]){1, -0.1f, 0}, (float[]){thin, 0.4f, thin}, 1);
    piola_joint_desc crank = piola_joint_hinge();
    crank.axis[3].mode = PIOLA_AXIS_MOTOR;
    crank.axis[3].speed = 5;
    bars.joint[0] = joint_made(world, crank, none, bars.link[0], origin, along_z);
    bars.joint[1] = joint_made(world, piola_joint_hinge(), bars.link[0], bars.link[1],
                               (float[]){0, 0.3f, 0}, along_z);
    bars.joint[2] = joint_made(world, piola_joint_hinge(), bars.link[1], bars.link[2],
                               (float[]){1, 0.3f, 0}, along_z);
    bars.joint[3] =
        joint_made(world, piola_joint_hinge(), none, bars.link[2], (float[]){1, -0.5f, 0}, along_z);
    double widest = 0, most = -10, least = 10;
    for (int i = 0; i < 500; ++i) {
        fixture_steps(world, NULL, 1);
        widest = fmax(widest, joint_gap(world, &bars));
        most = fmax(most, (double)joint_info(world, bars.joint[3]).position[3]);
        least = fmin(least, (double)joint_info(world, bars.joint[3]).position[3]);
    }
    const double turned = (double)joint_info(world, bars.joint[0]).position[3];
    printf("linkage: crank %.3f rad, rocker from %.3f to %.3f, gap %.1e m\n", turned, least, most,
           widest);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 12.5, turned);
    TEST_ASSERT_TRUE(most - least > 0.5 && most - least < 1.5);
    TEST_ASSERT_TRUE(widest < 1e-6);
    TEST_ASSERT_TRUE(fabsf(joint_rigid(world, bars.link[1]).position[2]) < 1e-6f);
}

/* 50 links that swing down from level with a load at their end. */
static void test_long_chains_do_not_drift(void)
{
    static const struct {
        float load;
        double most;
    } cases[] = {{1, 1e-8}, {100, 1e-8}, {1000, 1e-8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        piola_world_desc d = joint_world(JOINT_LINKS, (float)G);
        d.iterations = 20;
        piola_world *world = fixture_world(&d);
        const struct joint_chain c =
            joint_chain_of(world, JOINT_LINKS, true, cases[i].load, origin);
        const double start = joint_energy(world, &c, G);
        double widest = 0, most = start;
        for (int s = 0; s < fixture_count(60, 10); ++s) {
            fixture_steps(world, NULL, 2);
            widest = fmax(widest, joint_gap(world, &c));
            most = fmax(most, joint_energy(world, &c, G));
        }
        printf("chain of %d, 1 : %g: gap %.1e m, energy rises by %.1e of %.1e J\n", JOINT_LINKS,
               (double)cases[i].load, widest, most - start, (double)cases[i].load * 0.1 * G * 5);
        TEST_ASSERT_TRUE(widest < cases[i].most);
        TEST_ASSERT_TRUE(most - start < 0.01 * (double)cases[i].load * 0.1 * G * 5);
    }
}

/* Thrown and whirling: nothing from outside, so momenta stay, and energy never rises. */
static void test_free_chains_keep_their_momenta(void)
{
    const piola_world_desc d = joint_world(8, 0);
    piola_world *world = fixture_world(&d);
    const struct joint_chain c = joint_chain_of(world, 8, false, 20, (float[]){1, 2, 3});
    fixture_ok(piola_rigid_impulse(world, c.link[0], (float[]){0.1f, 0.3f, -0.2f}), NULL);
    fixture_ok(piola_rigid_impulse(world, c.link[5], (float[]){-0.2f, 0.1f, 0.3f}), NULL);
    fixture_ok(piola_rigid_twist(world, c.link[3], (float[]){1e-4f, 1e-3f, 2e-3f}), NULL);
    fixture_steps(world, NULL, 1);
    double before[6], after[6], worst[2] = {0, 0};
    const double start = joint_energy(world, &c, 0);
    double most = start;
    joint_momenta(world, &c, before);
    for (int i = 0; i < 400; ++i) {
        fixture_steps(world, NULL, 1);
        joint_momenta(world, &c, after);
        for (int k = 0; k < 6; ++k)
            worst[k / 3] = fmax(worst[k / 3], fabs(after[k] - before[k]));
        most = fmax(most, joint_energy(world, &c, 0));
    }
    printf("free chain: momentum to %.1e N s, angular to %.1e; energy %.5f J, at most %.5f\n",
           worst[0], worst[1], start, most);
    TEST_ASSERT_TRUE(worst[0] < 1e-6 * 0.5);
    TEST_ASSERT_TRUE(worst[1] < 1e-5);
    TEST_ASSERT_TRUE(most < 1.02 * start);
    TEST_ASSERT_TRUE(joint_gap(world, &c) < 1e-5);
}

/* A door that is thrown at its stop stays there; a limb within its cone and its twist. */
static void test_limits_hold_and_give_no_energy(void)
{
    const piola_world_desc d = joint_world(2, (float)G);
    piola_world *world = fixture_world(&d);
    piola_joint_desc door = piola_joint_hinge();
    door.axis[3].low = -0.5f;
    door.axis[3].high = 1;
    struct joint_chain both = {.links = 2, .joints = 2};
    both.link[0] = joint_box(world, (float[]){0.5f, 0, 0}, (float[]){0.5f, 0.02f, 0.3f}, 4);
    both.link[1] = joint_box(world, (float[]){3, 0, 0}, (float[]){0.3f, 0.05f, 0.05f}, 4);
    both.joint[0] = joint_made(world, door, none, both.link[0], origin, along_z);
    both.joint[1] = joint_made(world, piola_joint_cone_twist(0.6f, 0.3f), none, both.link[1],
                               (float[]){2.7f, 0, 0}, along_x);
    fixture_ok(piola_rigid_set_angular_velocity(world, both.link[1], (float[]){9, 3, 4}), NULL);
    fixture_ok(piola_rigid_set_angular_velocity(world, both.link[0], (float[]){0, 0, 6}), NULL);
    fixture_steps(world, NULL, 1);
    double energy = joint_energy(world, &both, G);
    const double start = energy;
    for (int i = 0; i < 400; ++i) {
        fixture_steps(world, NULL, 1);
        const piola_joint_info hinge = joint_info(world, both.joint[0]);
        const piola_joint_info limb = joint_info(world, both.joint[1]);
        TEST_ASSERT_TRUE(hinge.position[3] > -0.5001f && hinge.position[3] < 1.0001f);
        TEST_ASSERT_TRUE(fabsf(limb.position[3]) < 0.301f);
        TEST_ASSERT_TRUE(hypotf(limb.position[4], limb.position[5]) < 0.601f);
        energy = joint_energy(world, &both, G);
        TEST_ASSERT_TRUE(energy < start + 0.02 * 4 * G);
    }
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, -0.5f, joint_info(world, both.joint[0]).position[3]);
    TEST_ASSERT_TRUE(joint_info(world, both.joint[0]).load[3] > 0);
}

/* It bears its weight and no more: the joint that is a little weaker goes. */
static void test_joints_break_at_their_force(void)
{
    for (int weak = 0; weak < 2; ++weak) {
        const piola_world_desc d = joint_world(2, (float)G);
        piola_world *world = fixture_world(&d);
        const piola_rigid weight = joint_box(world, origin, (float[]){0.1f, 0.1f, 0.1f}, 2);
        piola_joint_desc desc = piola_joint_ball();
        desc.max_force = (weak ? 0.99f : 1.01f) * 2 * (float)G;
        const piola_joint joint =
            joint_made(world, desc, none, weight, (float[]){0, 0.1f, 0}, along_x);
        uint32_t broken = 0;
        for (int i = 0; i < 20; ++i) {
            piola_report report;
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
            broken += report.joints_broken;
        }
        TEST_ASSERT_EQUAL(!weak, piola_joint_alive(world, joint));
        TEST_ASSERT_EQUAL_UINT32(weak, broken);
        const float fell = -joint_rigid(world, weight).position[1];
        TEST_ASSERT_TRUE(weak ? fell > 0.03f : fell < 1e-6f);
        if (!weak)
            TEST_ASSERT_FLOAT_WITHIN(1e-3f, 2 * (float)G, joint_info(world, joint).force[1]);
    }
}

/* What was created apart comes together, slowly; a moving collider carries what it holds. */
static void test_what_is_apart_is_drawn_together(void)
{
    const piola_world_desc d = joint_world(1, 0);
    piola_world *world = fixture_world(&d);
    piola_collider_desc bar = piola_collider_desc_default();
    piola_joint_desc desc = piola_joint_fixed();
    piola_joint joint;
    bar.shape = piola_shape_sphere(0.1f);
    bar.velocity[2] = 0.5f;
    fixture_ok(piola_collider_create(world, &bar, &desc.base.collider, NULL), NULL);
    desc.moved.rigid = joint_box(world, (float[]){0.3f, 0, 0}, (float[]){0.1f, 0.1f, 0.1f}, 1);
    fixture_ok(piola_joint_create(world, &desc, &joint, NULL), NULL);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.3f, joint_info(world, joint).gap);
    for (int i = 0; i < 80; ++i) {
        fixture_steps(world, NULL, 1);
        const piola_rigid_info now = joint_rigid(world, desc.moved.rigid);
        TEST_ASSERT_TRUE(fabsf(now.velocity[0]) < 1.01f);
    }
    const piola_rigid_info now = joint_rigid(world, desc.moved.rigid);
    TEST_ASSERT_TRUE(joint_info(world, joint).gap < 1e-6f);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.2f, now.position[2]);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 0.5f, now.velocity[2]);
}

/* A spring-damper as its closed form, and the four axes that a universal joint leaves or takes. */
static void test_springs_and_universal_joints(void)
{
    piola_world_desc d = joint_world(2, 0);
    d.dt = 0.001f;
    piola_world *world = fixture_world(&d);
    const piola_rigid mass = joint_box(world, origin, (float[]){0.1f, 0.1f, 0.1f}, 2);
    piola_joint_desc spring = piola_joint_slider();
    spring.axis[0].mode = PIOLA_AXIS_SPRING;
    spring.axis[0].stiffness = 50;
    spring.axis[0].damping = 2;
    spring.axis[0].target = 0.2f;
    const piola_joint one = joint_made(world, spring, none, mass, origin, along_x);
    fixture_steps(world, NULL, 300);
    /* x = 0.2 (1 - exp(-t/2) (cos w t + sin w t / (2 w))), w^2 = 25 - 1/4. */
    const double w = sqrt(24.75), t = 0.3;
    const double x = 0.2 * (1 - exp(-0.5 * t) * (cos(w * t) + sin(w * t) / (2 * w)));
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * 0.2, x, (double)joint_info(world, one).position[0]);
    const piola_rigid shaft =
        joint_box(world, (float[]){0, 2, 0}, (float[]){0.3f, 0.05f, 0.05f}, 1);
    piola_joint_desc universal = piola_joint_universal();
    universal.axis[4].mode = PIOLA_AXIS_SERVO;
    universal.axis[4].target = 0.4f;
    universal.axis[4].speed = 4;
    const piola_joint two =
        joint_made(world, universal, none, shaft, (float[]){-0.3f, 2, 0}, along_x);
    fixture_steps(world, NULL, 200);
    const piola_joint_info info = joint_info(world, two);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 0.4f, info.position[4]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0, info.position[3]);
    TEST_ASSERT_TRUE(info.gap < 1e-6f);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_pendulum_swings_as_it_must);
    RUN_TEST(test_a_gyroscope_precesses);
    RUN_TEST(test_a_motor_turns_what_it_must);
    RUN_TEST(test_a_servo_lifts_and_holds);
    RUN_TEST(test_a_slider_goes_down_its_line);
    RUN_TEST(test_a_four_bar_linkage_stays_closed);
    RUN_TEST(test_long_chains_do_not_drift);
    RUN_TEST(test_free_chains_keep_their_momenta);
    RUN_TEST(test_limits_hold_and_give_no_energy);
    RUN_TEST(test_joints_break_at_their_force);
    RUN_TEST(test_what_is_apart_is_drawn_together);
    RUN_TEST(test_springs_and_universal_joints);
    return UNITY_END();
}
