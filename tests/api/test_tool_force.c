/* Forces between a world's steps: caps, fading, blending, and the range in which a virtual wall is
 * stable, with a simulated device.
 * covers: src/api/tool_force.c src/api/device_simulated.c
 */
#include "fixture.h"
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

static piola_haptic *haptic_of(const piola_haptic_desc *desc)
{
    piola_haptic *haptic = NULL;
    piola_error error;
    fixture_ok(piola_haptic_create(desc, fixture_memory(piola_haptic_size()), piola_haptic_size(),
                                   &haptic, &error),
               &error);
    return haptic;
}

static piola_device device_of(const piola_simulated_desc *desc)
{
    piola_device device;
    piola_error error;
    fixture_ok(piola_simulated_create(desc, fixture_memory(piola_simulated_size()),
                                      piola_simulated_size(), &device, &error),
               &error);
    return device;
}

/* A wall at y = 0, below which the force is -K y. */
static piola_tool_model wall_of(double stiffness, double damping)
{
    return (piola_tool_model){.rotation = {0, 0, 0, 1},
                              .stiffness = {0, (float)stiffness, 0, 0, 0, 0},
                              .normal = {0, 1, 0},
                              .damping = (float)damping};
}

static piola_haptic_desc open_desc(void)
{
    piola_haptic_desc d = piola_haptic_desc_default();
    d.max_force = 1e5f;
    d.max_stiffness = 1e9f;
    d.max_rise = 1e12f;
    d.passive = false;
    d.fade_after = 1e6f;
    return d;
}

/* ---- the stable range of a wall ---- */

struct trial {
    double period, mass, damping, hand; /* s, kg, N s/m, N/m */
    double delay;                       /* s */
    double stiffness, wall_damping;     /* of the wall */
    bool passive;
};

/* A handle that is pressed into the wall is struck: by how much it still swings at the end, against
 * the first half. */
static double swings(const struct trial *t)
{
    piola_simulated_desc d = piola_simulated_desc_default();
    piola_haptic_desc h = open_desc();
    const piola_tool_model wall = wall_of(t->stiffness, t->wall_damping);
    const double rest = -20 / (t->stiffness + t->hand);
    const int ticks = (int)(fixture_count(100, 100) * 0.012 / t->period);
    double swing[2] = {0, 0};
    d.mass = (float)t->mass;
    d.damping = (float)t->damping;
    d.hand_stiffness = (float)t->hand;
    d.hand_damping = 0;
    d.delay = (float)t->delay;
    d.step = t->period / 50;
    d.position[1] = (float)(1.02 * rest);
    h.passive = t->passive;
    h.max_damping = 50;
    const piola_device device = device_of(&d);
    piola_haptic *haptic = haptic_of(&h);
    fixture_ok(piola_haptic_publish(haptic, &wall), NULL);
    fixture_ok(piola_simulated_aim(&device, (float[]){0, 0, 0}, (float[]){0, -20, 0}), NULL);
    for (int i = 0; i < ticks; ++i) {
        piola_simulated_info info;
        fixture_ok(piola_device_tick(&device, haptic, i * t->period), NULL);
        fixture_ok(piola_simulated_inspect(&device, &info), NULL);
        if (i >= ticks / 10)
            swing[2 * i >= ticks] = fmax(swing[2 * i >= ticks], fabs(info.position[1] - rest));
        if (!(fabs(info.position[1]) < 1))
            return 10;
    }
    return swing[1] / swing[0];
}

/* The stiffness up to which a swing dies down, by halving. */
static double limit_of(struct trial t, double low, double high)
{
    for (int i = 0; i < 8; ++i) {
        t.stiffness = sqrt(low * high);
        if (swings(&t) < 1)
            low = t.stiffness;
        else
            high = t.stiffness;
    }
    return sqrt(low * high);
}

/* Colgate: a wall of stiffness K asked every T is stable while b > K T / 2. */
static void test_stable_range_of_a_wall(void)
{
    static const double periods[] = {1e-3, 0.25e-3};
    for (int i = 0; i < 2; ++i) {
        const double b = 2, theory = 2 * b / periods[i];
        const struct trial t = {.period = periods[i], .mass = 0.5, .damping = b};
        const double found = limit_of(t, theory / 2, theory * 2);
        printf("asked every %g ms, b = %g N s/m: stable to %.0f N/m, theory %.0f\n",
               1e3 * periods[i], b, found, theory);
        TEST_ASSERT_DOUBLE_WITHIN(0.1 * theory, theory, found);
    }
}

/* A delay of the force counts whole, the hold of the sample half: b > K (T / 2 + delay). */
static void test_a_delay_narrows_the_range(void)
{
    const double T = 1e-3, b = 2, theory = b / (T / 2 + T);
    const struct trial t = {.period = T, .mass = 0.5, .damping = b, .delay = T};
    const double found = limit_of(t, theory / 2, theory * 2);
    printf("with a delay of 1 ms: stable to %.0f N/m, theory %.0f\n", found, theory);
    TEST_ASSERT_DOUBLE_WITHIN(0.1 * theory, theory, found);
}

/* What a wall gives a hand that goes evenly to and fro between the samples, as damping below
 * nothing (N s/m): the worst that a hand can do, by which Colgate has b > K T / 2 + |B|. */
static double given_to_the_worst_hand(double stiffness, double damping, double period)
{
    piola_haptic_desc d = open_desc();
    const piola_tool_model wall = wall_of(stiffness, damping);
    const int ticks = 400;
    double given = 0, dissipated = 0;
    float force[3] = {0, 0, 0}, at[3] = {0, -0.05f, 0};
    piola_haptic *haptic = haptic_of(&d);
    fixture_ok(piola_haptic_publish(haptic, &wall), NULL);
    for (int i = 0; i < ticks; ++i) {
        const float next = -0.05f + (i % 2 ? 1e-4f : -1e-4f);
        const double way = (double)next - (double)at[1];
        /* Half of the ticks are left out: the first goes only half of the way. */
        given += i >= ticks / 2 ? (double)force[1] * way : 0;
        dissipated += i >= ticks / 2 ? way * way / period : 0;
        at[1] = next;
        piola_tool_force(haptic, at, NULL, i * period, force, NULL);
    }
    return given / dissipated;
}

static void test_the_worst_hand_gets_what_theory_says(void)
{
    static const double periods[] = {1e-3, 0.25e-3};
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k) {
            const double T = periods[i], K = 2000, B = k * 1.5;
            const double given = given_to_the_worst_hand(K, B, T);
            printf("asked every %g ms, K = %g N/m, B = %g N s/m: gives %.4f N s/m, theory %.4f\n",
                   1e3 * T, K, B, given, K * T / 2 + B);
            TEST_ASSERT_DOUBLE_WITHIN(1e-3 * (K * T / 2 + B), K * T / 2 + B, given);
        }
}

/* A wall far too stiff for the device's damping swings without the controller, and not with it. */
static void test_the_controller_holds_a_wall_that_is_too_stiff(void)
{
    struct trial t = {.period = 1e-3, .mass = 0.5, .damping = 2, .stiffness = 12000};
    const double open = swings(&t);
    t.passive = true;
    const double held = swings(&t);
    printf("3 times too stiff: swings by %.3g of before without the controller, %.3g with it\n",
           open, held);
    TEST_ASSERT_TRUE(open > 2);
    TEST_ASSERT_TRUE(held < 1.05);
}

/* ---- caps, stale models ---- */

static double length(const float v[3])
{
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                (double)v[2] * (double)v[2]);
}

static void test_caps(void)
{
    piola_haptic_desc d = piola_haptic_desc_default();
    const piola_tool_model wall = wall_of(1e6, 0);
    piola_haptic_info info;
    float force[3], torque[3], at[3] = {0, 0, 0};
    double before = 0;
    d.max_force = 3;
    d.max_rise = 500;
    d.passive = false;
    piola_haptic *haptic = haptic_of(&d);
    fixture_ok(piola_haptic_publish(haptic, &wall), NULL);
    for (int i = 0; i < 50; ++i) {
        at[1] = -0.0005f * (float)i;
        piola_tool_force(haptic, at, NULL, 1e-3 * i, force, torque);
        TEST_ASSERT_TRUE(length(force) <= 3.00001);
        TEST_ASSERT_TRUE(length(force) <= before + 0.50001);
        TEST_ASSERT_TRUE(length(force) <= 2000 * 0.0005 * i + 1e-6); /* max_stiffness */
        before = length(force);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 3, before);
    piola_haptic_inspect(haptic, &info);
    TEST_ASSERT_TRUE(info.capped);
    TEST_ASSERT_EQUAL_UINT64(50, info.calls);
    TEST_ASSERT_EQUAL_UINT64(1, info.models);
    /* Out of the wall there is nothing. */
    at[1] = 0.001f;
    piola_tool_force(haptic, at, NULL, 0.05, force, torque);
    TEST_ASSERT_TRUE(length(force) < 1e-9);
}

/* Who hears nothing of the world any more feels less and less, and then nothing. */
static void test_stale_models_fade(void)
{
    piola_haptic_desc d = piola_haptic_desc_default();
    piola_haptic_info info;
    piola_tool_model m = {.time = 0, .period = 0.005, .rotation = {0, 0, 0, 1}, .force = {0, 2, 0}};
    const float at[3] = {0, 0, 0};
    float force[3];
    piola_haptic *haptic = haptic_of(&d);
    piola_tool_force(haptic, at, NULL, 0, force, NULL);
    TEST_ASSERT_TRUE(length(force) < 1e-9); /* no model yet */
    fixture_ok(piola_haptic_publish(haptic, &m), NULL);
    double before = 0;
    for (int i = 1; i <= 170; ++i) {
        piola_tool_force(haptic, at, NULL, 1e-3 * i, force, NULL);
        TEST_ASSERT_TRUE(fabs(length(force) - before) < 0.41);
        if (i > 10 && i < 50)
            TEST_ASSERT_DOUBLE_WITHIN(1e-6, 2, length(force));
        if (i > 50)
            TEST_ASSERT_TRUE(length(force) <= before);
        before = length(force);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, before);
    piola_haptic_inspect(haptic, &info);
    TEST_ASSERT_TRUE(info.faded);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.17, info.age);
}

static void test_bad_input(void)
{
    piola_haptic_desc d = piola_haptic_desc_default();
    piola_simulated_desc s = piola_simulated_desc_default();
    piola_tool_model wall = wall_of(100, 0);
    piola_haptic *haptic = haptic_of(&d), *none = NULL;
    void *memory = fixture_memory(piola_haptic_size());
    piola_error error;
    piola_device device;
    float force[3] = {7, 7, 7}, torque[3] = {7, 7, 7};
    fixture_ok(piola_haptic_publish(haptic, &wall), NULL);
    piola_tool_force(haptic, (float[]){0, NAN, 0}, NULL, 0, force, torque);
    TEST_ASSERT_TRUE(length(force) < 1e-9 && length(torque) < 1e-9);
    piola_tool_force(haptic, (float[]){0, -0.01f, 0}, (float[]){0, 0, 0, 0}, 0, force, torque);
    TEST_ASSERT_TRUE(length(force) < 1e-9);
    piola_tool_force(haptic, (float[]){0, -0.01f, 0}, NULL, (double)INFINITY, force, torque);
    TEST_ASSERT_TRUE(length(force) < 1e-9);
    piola_tool_force(haptic, (float[]){0, -0.001f, 0}, NULL, 0, force, torque);
    piola_tool_force(haptic, (float[]){0, -0.001f, 0}, NULL, 1e-3, force, torque);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.1, length(force));
    wall.stiffness[1] = NAN;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_haptic_publish(haptic, &wall));
    d.max_rise = 0;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE,
                      piola_haptic_create(&d, memory, piola_haptic_size(), &none, &error));
    TEST_ASSERT_EQUAL_STRING("piola_haptic_desc.max_rise", error.field);
    d = piola_haptic_desc_default();
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MEMORY,
                      piola_haptic_create(&d, memory, piola_haptic_size() - 1, &none, &error));
    d.cookie_ = 0;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COOKIE,
                      piola_haptic_create(&d, memory, piola_haptic_size(), &none, &error));
    memory = fixture_memory(piola_simulated_size());
    s.step = 1e-2; /* longer than the hand's swing */
    TEST_ASSERT_EQUAL(PIOLA_OK,
                      piola_simulated_create(&s, memory, piola_simulated_size(), &device, &error));
    s.hand_stiffness = 1e5f;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE,
                      piola_simulated_create(&s, memory, piola_simulated_size(), &device, &error));
    TEST_ASSERT_EQUAL_STRING("piola_simulated_desc.step", error.field);
}

/* ---- the simulated device ---- */

/* In free motion what the hand did is motion and heat; the encoder tells whole units. */
static void test_a_simulated_device(void)
{
    static const float trajectory[] = {0, 0, 0, 0.05f, 0.02f, 0, 0.05f, 0.02f, -0.01f};
    piola_simulated_desc d = piola_simulated_desc_default();
    piola_simulated_info info;
    float at[3] = {0, 0, 0}, rotation[4];
    d.trajectory = trajectory;
    d.samples = 3;
    d.interval = 0.2;
    d.resolution = 1e-4f;
    d.friction = 0.01f;
    const piola_device device = device_of(&d);
    for (int i = 0; i <= 3000; ++i)
        fixture_ok(device.read(device.context, 1e-3 * i, at, rotation), NULL);
    fixture_ok(piola_simulated_inspect(&device, &info), NULL);
    for (int k = 0; k < 3; ++k) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, (double)trajectory[6 + k], info.position[k]);
        TEST_ASSERT_DOUBLE_WITHIN(0.51e-4, info.position[k], (double)at[k]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-3, rint((double)at[k] * 1e4), (double)at[k] * 1e4);
    }
    TEST_ASSERT_TRUE(info.work > 0 && info.given == 0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_stable_range_of_a_wall);
    RUN_TEST(test_a_delay_narrows_the_range);
    RUN_TEST(test_the_worst_hand_gets_what_theory_says);
    RUN_TEST(test_the_controller_holds_a_wall_that_is_too_stiff);
    RUN_TEST(test_caps);
    RUN_TEST(test_stale_models_fade);
    RUN_TEST(test_bad_input);
    RUN_TEST(test_a_simulated_device);
    return UNITY_END();
}
