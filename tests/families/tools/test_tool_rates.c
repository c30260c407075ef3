/* A device at 1 kHz over a world at 200 Hz: the force goes on between the world's steps, and gives
 * the hand nothing.
 * covers: src/families/tools/tool_model.c src/api/tool_force.c
 */
#include "tool_fixture.h"
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

static double length(const float v[3])
{
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                (double)v[2] * (double)v[2]);
}

static double distance(const float a[3], const float b[3])
{
    const float d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length(d);
}

struct rig {
    struct bench bench;
    piola_device device;
    piola_haptic *haptic;
    double period;
    int ticks_a_step;
};

static struct rig rig_of(const struct bench_block *how, const piola_simulated_desc *device,
                         const piola_haptic_desc *haptic, int ticks_a_step)
{
    struct rig r = {.bench = bench_of(how, 0.002), .ticks_a_step = ticks_a_step};
    piola_simulated_desc d = *device;
    piola_error error;
    r.period = how->dt / ticks_a_step;
    memcpy(d.position, bench_tool(&r.bench).position, sizeof d.position);
    fixture_ok(piola_simulated_create(&d, fixture_memory(piola_simulated_size()),
                                      piola_simulated_size(), &r.device, &error),
               &error);
    fixture_ok(piola_haptic_create(haptic, fixture_memory(piola_haptic_size()), piola_haptic_size(),
                                   &r.haptic, &error),
               &error);
    return r;
}

/* One tick of the device; and every so many the world takes the pose, and tells what it found one
 * tick later. The position that was read, and the force. */
static void tick(const struct rig *r, int i, float at[3], float force[3])
{
    const double time = i * r->period;
    float rotation[4], torque[3];
    const bool told = i % r->ticks_a_step == 1;
    if (told)
        fixture_ok(piola_tool_publish(r->bench.world, r->bench.tool, time - r->period, r->haptic),
                   NULL);
    fixture_ok(r->device.read(r->device.context, time, at, rotation), NULL);
    piola_tool_force(r->haptic, at, NULL, time, force, torque);
    fixture_ok(r->device.write(r->device.context, time, force, torque), NULL);
    if (i % r->ticks_a_step == 0) {
        fixture_ok(piola_tool_move(r->bench.world, r->bench.tool, at), NULL);
        fixture_steps(r->bench.world, NULL, 1);
    }
}

static void aim(const struct rig *r, double x, double y, double z)
{
    const struct bench *b = &r->bench;
    const float to[3] = {(float)(b->top[0] + x), (float)(b->top[1] + b->radius + y),
                         (float)(b->top[2] + z)};
    fixture_ok(piola_simulated_aim(&r->device, to, NULL), NULL);
}

/* The hand presses, drags, lets go: slow and quick. */
static void poke(const struct rig *r, double t)
{
    const double beat = fmod(t, 1.0), slow = 0.5 - 0.5 * cos(2 * 3.14159265 * beat);
    aim(r, 0.01 * sin(2.1 * t), 0.002 - 0.012 * slow, 0.008 * sin(1.3 * t));
}

/* How the force grows with the device's way where it is pressed deepest, N/m. */
static double steepest(const struct bench_block *how)
{
    const struct bench b = bench_of(how, 0.002);
    double force[2];
    for (int i = 0; i < 2; ++i) {
        bench_send(&b, 0, -0.009 - 0.001 * i, 0, 20);
        bench_send(&b, 0, -0.009 - 0.001 * i, 0, 60);
        force[i] = (double)bench_tool(&b).force[1];
    }
    return (force[1] - force[0]) / 0.001;
}

static void test_no_steps_between_world_steps(void)
{
    static const int rates[] = {5, 20}; /* 1 and 4 kHz over 200 Hz */
    for (int k = 0; k < 2; ++k) {
        struct bench_block how = bench_block_default();
        const piola_simulated_desc device = piola_simulated_desc_default();
        piola_haptic_desc haptic = piola_haptic_desc_default();
        const int ticks = (getenv("PIOLA_PROOFS") ? 600 : 2) * 200 * rates[k];
        const double stiffness = steepest(&how);
        haptic.passive = false;
        const struct rig r = rig_of(&how, &device, &haptic, rates[k]);
        float at[3], was[3], force[3], before[3];
        double worst = 0, jump = 0, most = 0;
        for (int i = 0; i < ticks; ++i) {
            poke(&r, i * r.period);
            tick(&r, i, at, force);
            if (i > 0) {
                const double step = distance(force, before);
                jump = fmax(jump, step);
                worst = fmax(worst, step - stiffness * distance(at, was));
            }
            most = fmax(most, length(force));
            memcpy(was, at, sizeof was);
            memcpy(before, force, sizeof before);
        }
        printf(
            "%d Hz over 200 Hz: to %.2f N, steps to %.4f N, %.4f N beyond what motion explains\n",
            200 * rates[k], most, jump, worst);
        TEST_ASSERT_TRUE(most > 0.5);
        TEST_ASSERT_TRUE(worst < 0.01);
    }
}

/* What contact gives the hand, over random poking, is nothing beside the hand's work. */
static void test_gives_the_hand_nothing(void)
{
    uint64_t random = fixture_seed();
    struct bench_block how = bench_block_default();
    piola_simulated_desc device = piola_simulated_desc_default();
    const piola_haptic_desc haptic = piola_haptic_desc_default();
    const int pokes = fixture_count(getenv("PIOLA_PROOFS") ? 400 : 8, 3);
    const struct rig r = rig_of(&how, &device, &haptic, 5);
    double worst = 0, spent = 0, given = 0;
    int i = 0;
    for (int p = 0; p < pokes; ++p) {
        const double to[3] = {0.02 * (fixture_uniform(&random) - 0.5),
                              0.01 * (fixture_uniform(&random) - 0.8),
                              0.02 * (fixture_uniform(&random) - 0.5)};
        const int ticks = 100 + (int)(200 * fixture_uniform(&random));
        aim(&r, to[0], to[1], to[2]);
        for (int k = 0; k < ticks; ++k, ++i) {
            float at[3], force[3];
            piola_simulated_info before, after;
            fixture_ok(piola_simulated_inspect(&r.device, &before), NULL);
            tick(&r, i, at, force);
            fixture_ok(piola_simulated_inspect(&r.device, &after), NULL);
            given = after.given;
            spent += fabs(after.work - before.work);
            worst = fmax(worst, given);
        }
    }
    printf(
        "%d pokes: the hand did %.4f J of work, motors gave it at most %.3g J, in the end %.3g J\n",
        pokes, spent, worst, given);
    TEST_ASSERT_TRUE(worst <= 1e-3 * spent);
    TEST_ASSERT_TRUE(given < 0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_no_steps_between_world_steps);
    RUN_TEST(test_gives_the_hand_nothing);
    return UNITY_END();
}
