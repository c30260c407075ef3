/* Tests of commands as calls and as values: what they do, what is refused at the door and in the
 * step, that a record holds nothing but what was asked.
 * covers: src/world/commands.c src/world/command_calls.c
 */
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "unity.h"

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_world *world;
static piola_body body;
static piola_attachment tie;
static piola_traction pull;
static piola_collider plate;
static piola_rigid ball;
static piola_tool handle;

static void inhabit(void)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.max_guides = 1;
    desc.max_tractions = 1;
    desc.max_traction_triangles = 100;
    desc.max_colliders = 1;
    desc.max_rigids = 1;
    desc.max_tools = 1;
    desc.air_density = 1;
    desc.max_wind_nodes = 8;
    memset(desc.gravity, 0, sizeof desc.gravity);
    world = fixture_world(&desc);
    body = fixture_body(world, fixture_beam(2, 2, 2, 0.1), 0, 0, 0);
    piola_attachment_desc hold = piola_attachment_desc_default();
    hold.point.body = body;
    hold.point.count = 1;
    hold.point.vertices[0] = 3;
    hold.point.weights[0] = 1;
    fixture_ok(piola_body_positions(world, body, 3, 1, hold.target), NULL);
    fixture_ok(piola_attachment_create(world, &hold, &tie, NULL), NULL);
    piola_traction_desc everywhere = piola_traction_desc_default();
    everywhere.body = body;
    fixture_ok(piola_traction_create(world, &everywhere, &pull, NULL), NULL);
    piola_rigid_desc of_ball = piola_rigid_desc_default();
    of_ball.position[0] = 5;
    of_ball.mass = 2;
    fixture_ok(piola_rigid_create(world, &of_ball, &ball, NULL), NULL);
    piola_tool_desc of_handle = piola_tool_desc_default();
    of_handle.rigid = ball;
    of_handle.stiffness = of_handle.damping = 0;
    of_handle.turn_stiffness = of_handle.turn_damping = 0;
    fixture_ok(piola_tool_create(world, &of_handle, &handle, NULL), NULL);
    piola_collider_desc of_plate = piola_collider_desc_default();
    of_plate.shape = piola_shape_box((float[]){0.1f, 0.1f, 0.1f}, 0);
    of_plate.position[0] = -5;
    fixture_ok(piola_collider_create(world, &of_plate, &plate, NULL), NULL);
    const float still[3] = {0, 0, 0};
    piola_wind_grid_desc grid = piola_wind_grid_desc_default();
    grid.nodes = still;
    grid.count[0] = grid.count[1] = grid.count[2] = 1;
    fixture_ok(piola_world_set_wind_grid(world, &grid, NULL), NULL);
}

/* Every call that takes a vector, with this one. */
#define CALLS 25
static void call_all(const float *v, piola_status got[CALLS])
{
    const float up[3] = {0, 1, 0};
    int n = 0;
    got[n++] = piola_body_pin(world, body, 0, v);
    got[n++] = piola_body_pin_plane(world, body, 2, v, up);
    got[n++] = piola_body_pin_line(world, body, 2, v, up);
    got[n++] = piola_body_impulse(world, body, 1, v);
    got[n++] = piola_body_set_force(world, body, 1, v);
    got[n++] = piola_body_set_velocity(world, body, v);
    got[n++] = piola_body_set_acceleration(world, body, v);
    got[n++] = piola_traction_set(world, pull, v);
    got[n++] = piola_attachment_set_target(world, tie, v);
    got[n++] = piola_collider_move(world, plate, v);
    got[n++] = piola_collider_turn(world, plate, v);
    got[n++] = piola_collider_set_velocity(world, plate, v);
    got[n++] = piola_collider_set_angular_velocity(world, plate, v);
    got[n++] = piola_rigid_move(world, ball, v);
    got[n++] = piola_rigid_turn(world, ball, v);
    got[n++] = piola_rigid_set_velocity(world, ball, v);
    got[n++] = piola_rigid_set_angular_velocity(world, ball, v);
    got[n++] = piola_rigid_impulse(world, ball, v);
    got[n++] = piola_rigid_twist(world, ball, v);
    got[n++] = piola_rigid_set_force(world, ball, v);
    got[n++] = piola_tool_move(world, handle, v);
    got[n++] = piola_tool_turn(world, handle, v);
    got[n++] = piola_world_set_gravity(world, v);
    got[n++] = piola_world_set_wind(world, v);
    got[n++] = piola_world_set_wind_origin(world, v);
    TEST_ASSERT_EQUAL_INT(CALLS, n);
}

static void test_each_call_takes_good_numbers_and_no_others(void)
{
    static const struct {
        float v[4];
        piola_status status;
    } rows[] = {{{0, 0, 0, 1}, PIOLA_OK},
                {{NAN, 0, 0, 1}, PIOLA_ERROR_NOT_FINITE},
                {{0, 0, -INFINITY, 1}, PIOLA_ERROR_NOT_FINITE},
                {{0, 2e9f, 0, 1}, PIOLA_ERROR_RANGE}};
    inhabit();
    piola_status got[CALLS];
    call_all(NULL, got);
    for (int i = 0; i < CALLS; ++i)
        TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, got[i]);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        call_all(rows[r].v, got);
        for (int i = 0; i < CALLS; ++i)
            TEST_ASSERT_EQUAL(rows[r].status, got[i]);
    }
    fixture_ok(piola_body_unpin(world, body, 0), NULL);
    fixture_ok(piola_body_thaw(world, body), NULL);
    fixture_ok(piola_attachment_detach(world, tie), NULL);
    fixture_ok(piola_world_set_wind_strength(world, 2), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_world_set_wind_strength(world, NAN));
    piola_report report;
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(CALLS + 4, report.commands);
    TEST_ASSERT_EQUAL_UINT32(0, report.commands_refused);
    TEST_ASSERT_FALSE(piola_attachment_alive(world, tie));
}

static void test_they_do_what_they_say(void)
{
    inhabit();
    fixture_ok(piola_attachment_detach(world, tie), NULL);
    fixture_ok(piola_body_set_velocity(world, body, (float[]){1, 2, 3}), NULL);
    fixture_ok(piola_rigid_impulse(world, ball, (float[]){0, 4, 0}), NULL);
    fixture_steps(world, NULL, 1);
    piola_body_info info;
    piola_rigid_info at;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    fixture_ok(piola_rigid_inspect(world, ball, &at), NULL);
    for (int k = 0; k < 3; ++k)
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, k + 1, info.momentum[k] / info.mass);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 2, at.velocity[1]);
    fixture_ok(piola_rigid_turn(world, ball, (float[]){0, 0, -0.6f, -0.8f}), NULL);
    fixture_steps(world, NULL, 1);
    fixture_ok(piola_rigid_inspect(world, ball, &at), NULL);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.75f, at.rotation[2] / at.rotation[3]);
    float x[3];
    fixture_ok(piola_body_pin(world, body, 2, (float[]){0.5f, 0.25f, 0}), NULL);
    fixture_steps(world, NULL, 1);
    fixture_ok(piola_body_positions(world, body, 2, 1, x), NULL);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.5f, x[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0.25f, x[1]);
}

/* No kind was forgotten in the table of what a command holds: its last number is looked at. */
static void test_values_of_every_kind(void)
{
    inhabit();
    for (uint32_t kind = 1; kind < PIOLA_COMMAND_COUNT; ++kind) {
        piola_command c = {.kind = kind};
        c.as.collider_turn.rotation[3] = kind == PIOLA_COMMAND_COLLIDER_TURN ||
                                         kind == PIOLA_COMMAND_RIGID_TURN ||
                                         kind == PIOLA_COMMAND_TOOL_TURN;
        c.as.body_turn.rotation[3] =
            kind == PIOLA_COMMAND_BODY_CLAMP ? 1 : c.as.body_turn.rotation[3];
        c.as.guide.direction[2] =
            kind == PIOLA_COMMAND_BODY_PIN_PLANE || kind == PIOLA_COMMAND_BODY_PIN_LINE;
        if (kind == PIOLA_COMMAND_TOOL_GRASP)
            c.as.tool_pair.value[0] = c.as.tool_pair.value[1] = 1;
        c.as.world_dt.dt = kind == PIOLA_COMMAND_WORLD_DT ? 0.005f : c.as.world_dt.dt;
        fixture_ok(piola_world_push(world, &c), NULL);
        memset(&c.as, 0xff, sizeof c.as); /* all numbers NaN */
        const bool numbers =
            kind != PIOLA_COMMAND_BODY_UNPIN && kind != PIOLA_COMMAND_BODY_THAW &&
            kind != PIOLA_COMMAND_BODY_WAKE && kind != PIOLA_COMMAND_WORLD_SUBSTEPS &&
            kind != PIOLA_COMMAND_WORLD_ITERATIONS && kind != PIOLA_COMMAND_ATTACHMENT_DETACH &&
            kind != PIOLA_COMMAND_TOOL_RELEASE && kind != PIOLA_COMMAND_BODY_FILTER &&
            kind != PIOLA_COMMAND_COLLIDER_FILTER && kind != PIOLA_COMMAND_RIGID_FILTER &&
            kind != PIOLA_COMMAND_BODY_UNCLAMP;
        TEST_ASSERT_EQUAL(numbers ? PIOLA_ERROR_NOT_FINITE : PIOLA_OK, piola_world_push(world, &c));
    }
}

static size_t record_of(const piola_command *command, void *memory, size_t bytes)
{
    size_t used = 0;
    inhabit();
    fixture_ok(piola_record_begin(world, memory, bytes), NULL);
    fixture_ok(piola_world_push(world, command), NULL);
    fixture_steps(world, NULL, 1);
    fixture_ok(piola_record_end(world, &used), NULL);
    return used;
}

static void test_what_a_kind_does_not_use_is_not_recorded(void)
{
    static unsigned char one[1024], two[1024];
    inhabit();
    piola_command clean = {.kind = PIOLA_COMMAND_BODY_UNPIN}, dirty;
    memset(&dirty, 0xaa, sizeof dirty);
    dirty.kind = PIOLA_COMMAND_BODY_UNPIN;
    dirty.reserved_ = 0;
    clean.as.unpin.body = dirty.as.unpin.body = body;
    clean.as.unpin.vertex = dirty.as.unpin.vertex = 4;
    const size_t used = record_of(&clean, one, sizeof one);
    TEST_ASSERT_EQUAL_size_t(used, record_of(&dirty, two, sizeof two));
    TEST_ASSERT_EQUAL_MEMORY(one, two, used);
}

/* The kinds share slots inside, but a handle of one never names the other. */
static void test_a_collider_is_no_rigid_body(void)
{
    inhabit();
    const piola_rigid no_rigid = {plate.index, plate.generation};
    const piola_collider no_collider = {ball.index, ball.generation};
    piola_rigid_info rigid;
    piola_collider_info collider;
    TEST_ASSERT_FALSE(piola_rigid_alive(world, no_rigid));
    TEST_ASSERT_FALSE(piola_collider_alive(world, no_collider));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_rigid_inspect(world, no_rigid, &rigid));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_collider_inspect(world, no_collider, &collider));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_rigid_destroy(world, no_rigid));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_collider_destroy(world, no_collider));
    fixture_ok(piola_rigid_impulse(world, no_rigid, (float[]){1, 0, 0}), NULL);
    fixture_ok(piola_collider_set_velocity(world, no_collider, (float[]){1, 0, 0}), NULL);
    piola_report report;
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(2, report.commands_refused);
    piola_rigid_desc more = piola_rigid_desc_default();
    piola_collider_desc other = piola_collider_desc_default();
    piola_rigid r;
    piola_collider c;
    piola_error error;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RIGIDS_FULL, piola_rigid_create(world, &more, &r, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_rigids", error.field);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COLLIDERS_FULL, piola_collider_create(world, &other, &c, NULL));
    fixture_ok(piola_rigid_destroy(world, ball), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COLLIDERS_FULL, piola_collider_create(world, &other, &c, NULL));
    more.mass = 0;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_rigid_create(world, &more, &r, &error));
    TEST_ASSERT_EQUAL_STRING("piola_rigid_desc.mass", error.field);
    more = piola_rigid_desc_default();
    more.shape = piola_shape_plane();
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_rigid_create(world, &more, &r, &error));
    TEST_ASSERT_EQUAL_STRING("piola_rigid_desc.shape.kind", error.field);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_each_call_takes_good_numbers_and_no_others);
    RUN_TEST(test_they_do_what_they_say);
    RUN_TEST(test_a_collider_is_no_rigid_body);
    RUN_TEST(test_values_of_every_kind);
    RUN_TEST(test_what_a_kind_does_not_use_is_not_recorded);
    return UNITY_END();
}
