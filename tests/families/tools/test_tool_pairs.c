/* Two devices at once, and tools on cloth: pressed, picked up by a corner, handed over.
 * covers: src/families/tools/tools.c src/families/tools/tool_grasp.c src/api/tool_force.c
 */
#include "cloth_fixture.h"
#include "tool_fixture.h"
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

static piola_tool ball_at(piola_world *world, float radius, const float at[3])
{
    piola_rigid_desc ball = piola_rigid_desc_default();
    piola_tool_desc tool = piola_tool_desc_default();
    piola_tool handle;
    ball.shape = piola_shape_sphere(radius);
    ball.mass = 0.05f;
    ball.gravity_scale = 0;
    memcpy(ball.position, at, sizeof ball.position);
    memcpy(tool.position, at, sizeof tool.position);
    fixture_ok(piola_rigid_create(world, &ball, &tool.rigid, NULL), NULL);
    fixture_ok(piola_tool_create(world, &tool, &handle, NULL), NULL);
    return handle;
}

static piola_tool_info inspect(piola_world *world, piola_tool tool)
{
    piola_tool_info info;
    fixture_ok(piola_tool_inspect(world, tool, &info), NULL);
    return info;
}

/* Evenly from where it is, in so many steps. */
static void lead(piola_world *world, piola_tool tool, const float to[3], int steps)
{
    const piola_tool_info from = inspect(world, tool);
    for (int i = 1; i <= steps; ++i) {
        float at[3];
        for (int k = 0; k < 3; ++k)
            at[k] = from.position[k] + (to[k] - from.position[k]) * (float)i / (float)steps;
        fixture_ok(piola_tool_move(world, tool, at), NULL);
        fixture_steps(world, NULL, 1);
    }
}

/* ---- two devices ---- */

struct hand {
    piola_device device;
    piola_haptic *haptic;
    piola_tool tool;
    double most, last; /* N, on the hand */
};

static struct hand hand_of(piola_tool tool, const float at[3])
{
    struct hand h = {.tool = tool};
    piola_simulated_desc device = piola_simulated_desc_default();
    const piola_haptic_desc haptic = piola_haptic_desc_default();
    memcpy(device.position, at, sizeof device.position);
    fixture_ok(piola_simulated_create(&device, fixture_memory(piola_simulated_size()),
                                      piola_simulated_size(), &h.device, NULL),
               NULL);
    fixture_ok(piola_haptic_create(&haptic, fixture_memory(piola_haptic_size()),
                                   piola_haptic_size(), &h.haptic, NULL),
               NULL);
    return h;
}

static void tick(piola_world *world, struct hand *h, double time, bool told)
{
    float at[3], rotation[4], force[3], torque[3];
    fixture_ok(h->device.read(h->device.context, time, at, rotation), NULL);
    piola_tool_force(h->haptic, at, NULL, time, force, torque);
    fixture_ok(h->device.write(h->device.context, time, force, torque), NULL);
    if (told)
        fixture_ok(piola_tool_move(world, h->tool, at), NULL);
    h->last = (double)force[1];
    h->most = fmax(h->most, h->last);
}

/* Two hands at 1 kHz over a world at 200 Hz, one presses deeper; then one lifts off, and the other
 * feels what it felt. */
static void test_two_devices_at_once(void)
{
    struct bench_block how = bench_block_default();
    const struct bench b = bench_of(&how, 0.1);
    const float start[2][3] = {{0.025f, 0.073f, 0.05f}, {0.075f, 0.073f, 0.05f}};
    struct hand hand[2];
    fixture_ok(piola_tool_destroy(b.world, b.tool), NULL);
    fixture_ok(piola_rigid_destroy(b.world, b.ball), NULL);
    for (int i = 0; i < 2; ++i)
        hand[i] = hand_of(ball_at(b.world, 0.02f, start[i]), start[i]);
    double held = 0;
    for (int k = 0; k < 1500; ++k) {
        for (int i = 0; i < 2; ++i) {
            const float down = i == 1 && k >= 900 ? -0.02f : i == 0 ? 0.012f : 0.016f;
            const float aim[3] = {start[i][0], start[i][1] - down, start[i][2]};
            fixture_ok(piola_simulated_aim(&hand[i].device, aim, NULL), NULL);
            tick(b.world, &hand[i], 1e-3 * k, k % 5 == 0);
        }
        if (k == 899)
            held = hand[0].last;
        if (k % 5 != 0)
            continue;
        fixture_steps(b.world, NULL, 1);
        for (int i = 0; i < 2; ++i)
            fixture_ok(piola_tool_publish(b.world, hand[i].tool, 1e-3 * k, hand[i].haptic), NULL);
    }
    printf("two hands: %.3f and %.3f N at most; one alone %.3f N, before %.3f N\n", hand[0].most,
           hand[1].most, hand[0].last, held);
    TEST_ASSERT_TRUE(held > 0.3);
    TEST_ASSERT_TRUE(hand[1].most > 1.1 * hand[0].most);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, hand[1].last);
    TEST_ASSERT_DOUBLE_WITHIN(0.25 * held, held, hand[0].last);
}

/* ---- cloth ---- */

enum { CELLS = 12 };
#define SIDE 0.3 /* m */

/* Cloth in the plane z = 0, gravity across it. */
static struct cloth sheet_of(float gravity)
{
    ref_sheet_mesh mesh;
    piola_material weave = piola_material_default(), bend = piola_material_default();
    piola_world_desc d = piola_world_desc_default();
    weave.model = PIOLA_MODEL_STVK;
    weave.young = 1000;
    weave.poisson = 0.3f;
    weave.density = 0.2f;
    weave.damping = 0.01f;
    bend = weave;
    bend.bend = 2e-5f;
    d.max_rigids = d.max_tools = 2;
    d.max_tool_holds = 64;
    d.max_face_contacts = 4096;
    d.substeps = 2;
    d.gravity[1] = 0;
    d.gravity[2] = gravity;
    TEST_ASSERT_TRUE(ref_sheet_mesh_grid(&mesh, (const int[]){CELLS, CELLS},
                                         (const double[]){SIDE, SIDE}, REF_SHEET_ALTERNATE, 0, 0));
    const piola_mesh_desc desc = cloth_mesh(&mesh, &weave, &bend, NULL);
    const struct cloth c = cloth_start(&desc, &d, 2);
    ref_sheet_mesh_free(&mesh);
    return c;
}

/* A cloth that is held all around is pressed in the middle: what the hand feels its pins bear. */
static void test_presses_cloth(void)
{
    const struct cloth c = sheet_of(0);
    const float half = (float)(SIDE / 2), over[3] = {half, half, 0.031f};
    for (uint32_t i = 0; i < c.vertices; ++i)
        if (c.x[3 * i] < 1e-6f || c.x[3 * i + 1] < 1e-6f || c.x[3 * i] > (float)SIDE - 1e-6f ||
            c.x[3 * i + 1] > (float)SIDE - 1e-6f)
            cloth_pin(&c, i);
    const piola_tool tool = ball_at(c.world, 0.03f, over);
    lead(c.world, tool, (const float[]){half, half, -0.01f}, 40);
    lead(c.world, tool, (const float[]){half, half, -0.01f}, 120);
    const piola_tool_info info = inspect(c.world, tool);
    piola_rigid_info ball;
    fixture_ok(piola_rigid_inspect(c.world, info.rigid, &ball), NULL);
    printf("cloth pressed by %.1f mm: %.3f N on the hand, %.3f N of the cloth\n",
           1e3 * (0.03 - (double)ball.position[2]), (double)info.force[2], ball.force[2]);
    TEST_ASSERT_TRUE(info.force[2] > 0.5f);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * ball.force[2], ball.force[2], (double)info.force[2]);
    lead(c.world, tool, (const float[]){half, half, 0.1f}, 20);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, (double)inspect(c.world, tool).force[2]);
}

/* N downwards, the mean over 100 steps: the cloth swings for long after it was carried. */
static double hangs_on(piola_world *world, piola_tool tool)
{
    double sum = 0;
    for (int i = 0; i < 100; ++i) {
        fixture_steps(world, NULL, 1);
        sum -= (double)inspect(world, tool).force[2] / 100;
    }
    return sum;
}

/* Lifted by a corner the cloth's weight hangs on the hand; handed over, on the other. */
static void test_picks_up_and_hands_over(void)
{
    const struct cloth c = sheet_of(-9.81f);
    const double weight = 9.81 * 0.2 * SIDE * SIDE;
    const float corner[3] = {0, 0, 0.012f}, high[3] = {0, 0, 0.5f}, beside[3] = {0, 0, 0.524f};
    const piola_tool first = ball_at(c.world, 0.01f, corner);
    fixture_ok(piola_tool_grasp(c.world, first, 0.01f, 3), NULL);
    lead(c.world, first, high, 100);
    lead(c.world, first, high, 350);
    const double hangs = hangs_on(c.world, first);
    TEST_ASSERT_TRUE(inspect(c.world, first).held > 0);
    const piola_tool second = ball_at(c.world, 0.01f, beside);
    fixture_ok(piola_tool_grasp(c.world, second, 0.04f, 3), NULL);
    fixture_steps(c.world, NULL, 10);
    fixture_ok(piola_tool_release(c.world, first), NULL);
    lead(c.world, first, (const float[]){-0.2f, -0.2f, 0.5f}, 20);
    fixture_steps(c.world, NULL, 50);
    const double after = hangs_on(c.world, second);
    printf("the cloth weighs %.4f N: %.4f N on one hand, handed over %.4f N on the other\n", weight,
           hangs, after);
    TEST_ASSERT_EQUAL_UINT32(0, inspect(c.world, first).held);
    TEST_ASSERT_DOUBLE_WITHIN(0.03 * weight, weight, hangs);
    TEST_ASSERT_DOUBLE_WITHIN(0.03 * weight, weight, after);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, (double)inspect(c.world, first).force[2]);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_two_devices_at_once);
    RUN_TEST(test_presses_cloth);
    RUN_TEST(test_picks_up_and_hands_over);
    return UNITY_END();
}
