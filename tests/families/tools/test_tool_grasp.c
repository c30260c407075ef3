/* Grasping: jaws that hold by friction until it is overcome, and vertices that a tool holds until
 * it lets go, or too much is asked of them. covers: src/families/tools/tool_grasp.c
 */
#include "resume.h"
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

static double length(const float v[3])
{
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                (double)v[2] * (double)v[2]);
}

/* ---- two jaws ---- */

#define CUBE  0.04f /* m */
#define MU    0.4f
#define CELLS 4

struct forceps {
    piola_world *world;
    piola_body cube;
    piola_tool jaw[2];
    float at[2][3]; /* of their devices, m */
};

/* A cube between two plates, whose devices are `squeeze` m inside of it. */
static struct forceps forceps_of(float gravity, float squeeze)
{
    piola_world_desc d = piola_world_desc_default();
    piola_material m = piola_material_default();
    struct forceps f;
    d.max_rigids = d.max_tools = 2;
    d.gravity[1] = gravity;
    d.max_face_contacts = 1024;
    d.substeps = 4;
    d.iterations = 10;
    m.young = 1e5f;
    m.poisson = 0.3f;
    m.damping = 0.005f;
    f.world = fixture_world(&d);
    f.cube =
        fixture_body(f.world, fixture_beam_of(CELLS, CELLS, CELLS, (double)CUBE / CELLS, &m, 0),
                     -CUBE / 2, -CUBE / 2, -CUBE / 2);
    for (int i = 0; i < 2; ++i) {
        piola_rigid_desc plate = piola_rigid_desc_default();
        piola_tool_desc tool = piola_tool_desc_default();
        const float side = i ? 1.0f : -1.0f;
        plate.shape = piola_shape_box((float[]){0.005f, 0.03f, 0.03f}, 0.001f);
        plate.mass = 0.05f;
        plate.gravity_scale = 0;
        plate.friction_static = plate.friction_kinetic = MU;
        plate.position[0] = side * (CUBE / 2 + 0.005f);
        f.at[i][0] = side * (CUBE / 2 + 0.005f - squeeze);
        f.at[i][1] = f.at[i][2] = 0;
        memcpy(tool.position, f.at[i], sizeof tool.position);
        fixture_ok(piola_rigid_create(f.world, &plate, &tool.rigid, NULL), NULL);
        tool.stiffness = 2000;
        tool.damping = 20;
        tool.turn_stiffness = 20;
        tool.turn_damping = 0.2f;
        tool.max_force = 20;
        tool.max_torque = 5;
        fixture_ok(piola_tool_create(f.world, &tool, &f.jaw[i], NULL), NULL);
    }
    return f;
}

static double middle_of(const struct forceps *f, int axis)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(f->world, f->cube, &info), NULL);
    return info.centre[axis];
}

/* What the jaws press with, and what they hold along the axis, N. */
static double press_of(const struct forceps *f, int axis)
{
    double sum = 0;
    for (int i = 0; i < 2; ++i) {
        piola_tool_info info;
        fixture_ok(piola_tool_inspect(f->world, f->jaw[i], &info), NULL);
        sum += axis == 0 ? fabs((double)info.force[0]) : (double)info.force[axis];
    }
    return sum;
}

/* Pulled harder and harder the cube slips when friction of both sides is overcome. */
static void test_slips_when_friction_is_overcome(void)
{
    const struct forceps f = forceps_of(0, 0.001f);
    const uint32_t vertices = (CELLS + 1) * (CELLS + 1) * (CELLS + 1);
    double pull = 0, before = 0, slip = 0, limit = 0, most = 0;
    fixture_steps(f.world, NULL, 100);
    for (int i = 0; i < 400 && slip == 0; ++i) {
        pull += 0.01;
        fixture_ok(piola_body_set_force(f.world, f.cube, PIOLA_EVERY_VERTEX,
                                        (float[]){0, 0, (float)(pull / vertices)}),
                   NULL);
        fixture_steps(f.world, NULL, 1);
        piola_rigid_info jaw;
        piola_tool_info tool;
        fixture_ok(piola_tool_inspect(f.world, f.jaw[0], &tool), NULL);
        fixture_ok(piola_rigid_inspect(f.world, tool.rigid, &jaw), NULL);
        const double now = middle_of(&f, 2) - (double)jaw.position[2];
        if (i > 0 && now - before > 5e-5) /* 10 mm/s */
            slip = pull;
        before = now;
        limit = (double)MU * press_of(&f, 0);
        most = fmax(most, press_of(&f, 2));
    }
    printf("pressed with %.3f N: pulled with %.3f N it slips, jaws held %.3f N; theory %.3f N\n",
           limit / (double)MU, slip, most, limit);
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * limit, limit, most);
    TEST_ASSERT_DOUBLE_WITHIN(0.08 * limit, limit, slip);
}

/* Held against gravity and carried at 1 m/s^2. */
static void test_carries(void)
{
    struct forceps f = forceps_of(-9.81f, 0.002f);
    fixture_steps(f.world, NULL, 100);
    const double before[2] = {middle_of(&f, 1), middle_of(&f, 2)};
    for (int i = 1; i <= 80; ++i) {
        const float t = 0.005f * (float)i;
        for (int k = 0; k < 2; ++k) {
            f.at[k][2] = 0.5f * t * t;
            fixture_ok(piola_tool_move(f.world, f.jaw[k], f.at[k]), NULL);
        }
        fixture_steps(f.world, NULL, 1);
    }
    TEST_ASSERT_DOUBLE_WITHIN(2e-3, before[0], middle_of(&f, 1));
    TEST_ASSERT_DOUBLE_WITHIN(2e-3, before[1] + 0.08, middle_of(&f, 2));
}

/* ---- holds ---- */

static struct bench grasping(double force)
{
    struct bench_block how = bench_block_default();
    how.tool.max_force = 50;
    const struct bench b = bench_of(&how, 0.0005);
    bench_send(&b, 0, -0.003, 0, 40);
    fixture_ok(piola_tool_grasp(b.world, b.tool, 0.006f, (float)force), NULL);
    return b;
}

/* Tissue that is grasped is pulled up, and pulls the hand down, as long as it is held. */
static void test_pulls_and_lets_go(void)
{
    const uint32_t vertices = 9 * 9 * 5;
    float *before = fixture_memory(3 * vertices * sizeof *before);
    float *after = fixture_memory(3 * vertices * sizeof *after);
    const struct bench b = grasping(5);
    struct bench_block how = bench_block_default();
    const struct bench untouched = bench_of(&how, 0.1);
    double away = 0;
    bench_send(&b, 0, 0.006, 0, 60);
    bench_send(&b, 0, 0.006, 0, 60);
    const piola_tool_info tool = bench_tool(&b);
    printf("%u vertices held; pulled up by 6 mm: %.3f N on the hand\n", tool.held,
           (double)tool.force[1]);
    TEST_ASSERT_TRUE(tool.held > 3);
    TEST_ASSERT_TRUE(tool.force[1] < -0.3f);
    fixture_ok(piola_tool_release(b.world, b.tool), NULL);
    bench_send(&b, 0, 0.03, 0, 1);
    TEST_ASSERT_EQUAL_UINT32(0, bench_tool(&b).held);
    fixture_steps(b.world, NULL, 300);
    fixture_steps(untouched.world, NULL, 300);
    fixture_ok(piola_body_positions(b.world, b.block, 0, vertices, after), NULL);
    fixture_ok(piola_body_positions(untouched.world, untouched.block, 0, vertices, before), NULL);
    for (uint32_t i = 0; i < 3 * vertices; ++i)
        away = fmax(away, fabs((double)after[i] - (double)before[i]));
    printf("1.5 s after it was let go: %.3g m away at most\n", away);
    TEST_ASSERT_TRUE(away < 1e-5);
    TEST_ASSERT_TRUE(length(bench_tool(&b).force) < 1e-3);
}

/* Torn away it bears no more than was said, and then lets go of all. */
static void test_tears_off(void)
{
    const struct bench b = grasping(1);
    double most = 0;
    for (int i = 1; i <= 200; ++i) {
        bench_send(&b, 0, -0.003 + 0.0005 * i, 0, 1);
        most = fmax(most, -(double)bench_tool(&b).force[1]);
    }
    printf("held with 1 N: pulled down with %.3f N at most\n", most);
    TEST_ASSERT_EQUAL_UINT32(0, bench_tool(&b).held);
    TEST_ASSERT_TRUE(most > 0.1 && most < 1.1);
    fixture_steps(b.world, NULL, 100);
    TEST_ASSERT_TRUE(length(bench_tool(&b).force) < 1e-3);
}

static void test_is_state_and_ends_with_the_body(void)
{
    for (int i = 0; i < RESUME_GARBAGE; ++i) {
        const struct bench straight = grasping(5), again = grasping(5);
        bench_send(&straight, 0, 0.002, 0, 20);
        bench_send(&straight, 0, 0.004, 0, 10);
        bench_send(&again, 0, 0.002, 0, 20);
        resume(again.world, resume_garbage[i]);
        bench_send(&again, 0, 0.004, 0, 10);
        TEST_ASSERT_EQUAL_HEX64(piola_world_hash(straight.world), piola_world_hash(again.world));
        TEST_ASSERT_TRUE(bench_tool(&again).held > 0);
        fixture_ok(piola_body_destroy(again.world, again.block), NULL);
        TEST_ASSERT_EQUAL_UINT32(0, bench_tool(&again).held);
        fixture_steps(again.world, NULL, 3);
        fixture_ok(piola_tool_destroy(straight.world, straight.tool), NULL);
        fixture_steps(straight.world, NULL, 3);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_slips_when_friction_is_overcome);
    RUN_TEST(test_carries);
    RUN_TEST(test_pulls_and_lets_go);
    RUN_TEST(test_tears_off);
    RUN_TEST(test_is_state_and_ends_with_the_body);
    return UNITY_END();
}
