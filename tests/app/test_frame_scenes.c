/* test_frame_scenes.c - scenes with rods and joints, run by the `piola` program: what their sensors
 * tell against closed forms, what each scene says there is to see, and what is wrong in one.
 *
 * covers: scenes/ io/scene/ app/
 */
#define _POSIX_C_SOURCE 200809L
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979

void setUp(void)
{
}

void tearDown(void)
{
    program_forget();
}

/* A built-in rod sags and bends as a beam does, one of twice the E I half as much; one whose end is
 * turned holds the torque. */
static void test_rods_bend_and_twist_as_closed_forms_say(void)
{
    static const char text[] =
        "{\"description\": \"rods\", \"world\": {\"dt\": 0.01, \"iterations\": 4, \"threads\": 1},"
        "\"materials\": {\"plain\": {\"young\": 1e9, \"poisson\": 0.3, \"density\": 1000},"
        "\"given\": {\"young\": 1e9, \"poisson\": 0.3, \"density\": 1000, \"section\": {\"bend\": "
        "[15.708, 15.708]}}},"
        "\"meshes\": {\"rod\": {\"rod\": {\"length\": 1, \"radius\": 0.01, \"segments\": 16}},"
        "\"curve\": {\"curve\": {\"points\": [0, 0, 0, 0.5, 0, 0, 1, 0, 0], \"radius\": 0.01, "
        "\"segments\": 16}}},"
        "\"bodies\": [{\"name\": \"a\", \"mesh\": \"rod\", \"material\": \"plain\", \"damping\": "
        "10,"
        "\"pins\": [{\"vertices\": [0], \"clamp\": true}]},"
        "{\"name\": \"b\", \"mesh\": \"rod\", \"material\": \"given\", \"damping\": 10,"
        "\"pins\": [{\"vertices\": [0], \"clamp\": true}]},"
        "{\"name\": \"c\", \"mesh\": \"curve\", \"material\": \"plain\", \"damping\": 10, "
        "\"gravity_scale\": 0, \"pins\": [{\"vertices\": [0], \"clamp\": true}, {\"vertices\": "
        "[16], \"clamp\": true, \"motion\": {\"axis\": [1, 0, 0], \"frames\": [{\"time\": 0}, "
        "{\"time\": 0.5, \"degrees\": 90}]}}]}],"
        "\"sensors\": [{\"name\": \"a\", \"kind\": \"position\", \"body\": \"a\", \"vertex\": 16},"
        "{\"name\": \"b\", \"kind\": \"position\", \"body\": \"b\", \"vertex\": 16},"
        "{\"name\": \"moment\", \"kind\": \"bending_moment\", \"body\": \"a\", \"vertex\": 0},"
        "{\"name\": \"torque\", \"kind\": \"torque\", \"body\": \"c\", \"vertex\": 8},"
        "{\"name\": \"tension\", \"kind\": \"tension\", \"body\": \"c\", \"near\": [0.5, 0, 0]}]}";
    run("printf '%%s' '%s' >$T/rods.json", text);
    run_json(quick() ? "$T/rods.json --steps 2" : "$T/rods.json --seconds 1.5");
    if (quick())
        return;
    const double area = PI * 1e-4, inertia = PI * 1e-8 / 4, weight = 1000 * area * 9.81;
    const double sag = weight / (8 * 1e9 * inertia);
    const double torque = 1e9 / 2.6 * 2 * inertia * PI / 2;
    printf("sag %.5f (%.5f), half %.5f, moment %.5f (%.5f), torque %.4f (%.4f)\n", sensor("a", 1),
           -sag, sensor("b", 1), sensor("moment", 0), weight / 2, sensor("torque", 0), torque);
    TEST_ASSERT_DOUBLE_WITHIN(0.015 * sag, -sag, sensor("a", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.015 * sag, -sag / 2, sensor("b", 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.005 * weight, weight / 2, sensor("moment", 0));
    TEST_ASSERT_DOUBLE_WITHIN(3e-3 * torque, torque, fabs(sensor("torque", 0)));
    TEST_ASSERT_DOUBLE_WITHIN(1, 0, sensor("tension", 0));
}

/* Round and round as it is told, and the loop stays closed. */
static void test_a_motor_turns_a_linkage(void)
{
    if (!outcome_of("linkage"))
        return;
    BELOW(1e-9, fabs(sensor("gap", 0)));
    moment(1);
    const double first = sensor("crank", 0);
    moment(2);
    TEST_ASSERT_DOUBLE_WITHIN(0.1, first - 6.28 * 180 / PI, sensor("crank", 0));
    moment(5.9);
    const double last = sensor("crank", 0);
    moment(6);
    TEST_ASSERT_DOUBLE_WITHIN(0.01, last, sensor("crank", 0)); /* it brakes */
}

/* Told 19 degrees it stands there; the cable bears what hangs below and keeps together. */
static void test_a_crane_lifts(void)
{
    if (!outcome_of("crane"))
        return;
    const double hangs = 9.81 * (500 + 12 + 4 * 0.6 + 12 * 0.5);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 19, sensor("boom", 0));
    BELOW(1e-9, sensor("gap", 0));
    ABOVE(1.5, sensor("load", 1));
    const double bears =
        sqrt(sensor("cable", 0) * sensor("cable", 0) + sensor("cable", 1) * sensor("cable", 1) +
             sensor("cable", 2) * sensor("cable", 2));
    TEST_ASSERT_DOUBLE_WITHIN(0.1 * hangs, hangs, bears); /* it swings */
}

/* It ends on the mattress, in one piece. Long: behind PIOLA_PROOFS. */
static void test_a_ragdoll_falls_on_its_mattress(void)
{
    if (!getenv("PIOLA_PROOFS")) {
        run_json("scenes/ragdoll.json --steps 3");
        BELOW(1e-6, sensor("neck", 0));
        return;
    }
    if (!outcome_of("ragdoll"))
        return;
    BELOW(1e-6, sensor("neck", 0));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("inverted", 0));
    ABOVE(0.35, sensor("pelvis", 1));
    BELOW(0.8, sensor("pelvis", 1));
    ABOVE(0.4, sensor("pelvis", 2));
}

/* Let go, tops fall and bottoms stay until they come. Long: behind PIOLA_PROOFS. */
static void test_a_slinky_bottom_stays_in_the_air(void)
{
    if (!getenv("PIOLA_PROOFS")) {
        run_json("scenes/slinky.json --steps 3");
        TEST_ASSERT_EQUAL_DOUBLE(0, number("frozen"));
        return;
    }
    if (!outcome_of("slinky"))
        return;
    static const char *const names[] = {"soft-bottom", "middling-bottom", "stiff-bottom"};
    double now[3];
    for (int i = 0; i < 3; ++i)
        now[i] = sensor(names[i], 1);
    BELOW(1.2, sensor("top", 1));
    moment(5.99);
    for (int i = 0; i < 3; ++i)
        TEST_ASSERT_DOUBLE_WITHIN(8e-3, sensor(names[i], 1), now[i]);
    const double weight = 9.81 * sensor("mass", 0);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * weight, weight, sensor("held", 1));
}

/* Without soft bodies too; what bears more than it may breaks, and its sensors say so. */
static void test_a_joint_breaks(void)
{
    static const char text[] =
        "{\"description\": \"two weights\", \"world\": {\"dt\": 0.01, \"threads\": 1}, "
        "\"colliders\": [{\"name\": \"light\", \"shape\": \"sphere\", \"radius\": 0.1, \"mass\": "
        "1},"
        "{\"name\": \"heavy\", \"shape\": \"sphere\", \"radius\": 0.1, \"mass\": 3, \"position\": "
        "[1, 0, 0]}], \"joints\": ["
        "{\"name\": \"a\", \"kind\": \"fixed\", \"moved\": \"light\", \"position\": [0, 0.1, 0], "
        "\"max_force\": 20}, {\"name\": \"b\", \"kind\": \"fixed\", \"moved\": \"heavy\", "
        "\"position\": [1, 0.1, 0], \"max_force\": 20}],"
        "\"sensors\": [{\"name\": \"a\", \"kind\": \"joint_holds\", \"joint\": \"a\"},"
        "{\"name\": \"b\", \"kind\": \"joint_holds\", \"joint\": \"b\"},"
        "{\"name\": \"force\", \"kind\": \"joint_force\", \"joint\": \"a\"},"
        "{\"name\": \"none\", \"kind\": \"joint_force\", \"joint\": \"b\"},"
        "{\"name\": \"falls\", \"kind\": \"collider_position\", \"collider\": \"heavy\"}]}";
    run("printf '%%s' '%s' >$T/two.json", text);
    run_json("$T/two.json --steps 20");
    TEST_ASSERT_EQUAL_DOUBLE(1, sensor("a", 0));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("b", 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-2, 9.81, sensor("force", 1));
    TEST_ASSERT_EQUAL_DOUBLE(0, sensor("none", 1));
    BELOW(-0.1, sensor("falls", 1));
}

/* Each change of a good scene is refused with a sentence that names what is wrong. */
static void test_what_is_wrong_is_named(void)
{
    static const struct {
        const char *scene, *change, *text;
    } wrong[] = {
        {"linkage", "s/\"moved\": \"rocker\"/\"moved\": \"rocket\"/", "did you mean \"rocker\"?"},
        {"linkage", "s/\"moved\": \"rocker\"/\"moved\": \"left stand\"/", "rigid body"},
        {"linkage", "s/\"base\": \"crank\"/\"base\": \"coupler\"/", "are one"},
        {"linkage", "s/\"mode\": \"motor\", //", "has no \"max_force\""},
        {"linkage", "s/\"axis\": \"twist\"/\"axis\": \"roll\"/", "joints[0].axes[0].axis"},
        {"linkage", "s/\"joint\": \"motor\"/\"joint\": \"rotor\"/", "\"motor\""},
        {"linkage", "s/\"kind\": \"hinge\"/\"kind\": \"cone_twist\"/", "needs a \"cone\""},
        {"linkage", "s/\"axis\": \\[0, 0, 1\\]/\"axis\": [0, 0, 0]/", "no direction"},
        {"ragdoll", "s/\"low\": 0/\"low\": 150/", "\"low\" is more than \"high\""},
        {"ragdoll", "s/, \"pins\": .*}]}/, \"pins\": [{\"vertices\": [0], \"clamp\": true}]}/",
         "which is of rods"},
        {"ragdoll", "s/\"kind\": \"reaction\", /\"kind\": \"tension\", \"vertex\": 0, /",
         "not of rods"},
        {"slinky", "s/\"dt\"/\"solver\": \"energy\", \"dt\"/", "\"descent\""},
        {"slinky", "s/\"young\": [0-9]*/\"section\": {\"radius\": -1}/", "section.radius"},
        {"slinky", "s/\"damping\"/\"tethers\": {}, \"damping\"/", "are not of rods"},
        {"slinky", "s/\"helix\": {[^}]*}/\"curve\": {\"points\": [0, 0], \"radius\": 1}/",
         "three numbers"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        const int code = run("sed '%s' scenes/%s.json >$T/bad.json && $P check $T/bad.json",
                             wrong[i].change, wrong[i].scene);
        TEST_ASSERT_EQUAL_INT_MESSAGE(3, code, output);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, wrong[i].text), output);
    }
}

int main(void)
{
    if (!program_open())
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_rods_bend_and_twist_as_closed_forms_say);
    RUN_TEST(test_a_motor_turns_a_linkage);
    RUN_TEST(test_a_crane_lifts);
    RUN_TEST(test_a_ragdoll_falls_on_its_mattress);
    RUN_TEST(test_a_slinky_bottom_stays_in_the_air);
    RUN_TEST(test_a_joint_breaks);
    RUN_TEST(test_what_is_wrong_is_named);
    program_close();
    return UNITY_END();
}
