/* What a step does to particles that no element holds: integration, pins, impulses, fields,
 * damping, and what happens to a NaN. (iterations = 0: nothing is solved.)
 *
 * covers: src/step/
 */
#include "fixture.h"
#include "unity.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_world_desc flight(float dt, uint32_t substeps, piola_integrator integrator)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.dt = dt;
    desc.substeps = substeps;
    desc.iterations = 0;
    desc.integrator = integrator;
    return desc;
}

/* Height of a vertex that starts at 0 with 5 m/s upwards, after one second. */
static double height_after_one_second(float dt, uint32_t substeps, piola_integrator integrator)
{
    const piola_world_desc desc = flight(dt, substeps, integrator);
    piola_world *world = fixture_world(&desc);
    piola_body_desc d = piola_body_desc_default();
    d.asset = fixture_beam(1, 1, 1, 0.1);
    d.velocity[1] = 5;
    piola_body body;
    fixture_ok(piola_body_create(world, &d, &body, NULL), NULL);
    fixture_steps(world, NULL, (int)lround(1 / (double)dt));
    float p[3];
    fixture_ok(piola_body_positions(world, body, 0, 1, p), NULL);
    return (double)p[1];
}

/* Symplectic Euler: y = v t - g t (t + h) / 2 exactly. */
static void test_euler_flight_is_the_closed_form(void)
{
    const double g = 9.81;
    TEST_ASSERT_DOUBLE_WITHIN(2e-5, 5 - g * 1.01 / 2,
                              height_after_one_second(0.01f, 1, PIOLA_INTEGRATOR_EULER));
    TEST_ASSERT_DOUBLE_WITHIN(5e-5, 5 - g * 1.001 / 2,
                              height_after_one_second(0.01f, 10, PIOLA_INTEGRATOR_EULER));
}

/* The error against v t - g t^2 / 2 falls with h for Euler, with h^2 for BDF2. */
static void test_orders_of_the_integrators(void)
{
    const double exact = 5 - 9.81 / 2;
    const double euler1 = exact - height_after_one_second(0.05f, 1, PIOLA_INTEGRATOR_EULER);
    const double euler2 = exact - height_after_one_second(0.025f, 1, PIOLA_INTEGRATOR_EULER);
    const double bdf1 = exact - height_after_one_second(0.05f, 1, PIOLA_INTEGRATOR_BDF2);
    const double bdf2 = exact - height_after_one_second(0.025f, 1, PIOLA_INTEGRATOR_BDF2);
    TEST_ASSERT_DOUBLE_WITHIN(0.05, 2.0, euler1 / euler2);
    TEST_ASSERT_DOUBLE_WITHIN(0.2, 4.0, bdf1 / bdf2);
    TEST_ASSERT_TRUE(fabs(bdf1) < 0.1 * fabs(euler1));
}

static void test_fields_scale_and_damp_each_body_on_its_own(void)
{
    const piola_world_desc desc = flight(0.01f, 1, PIOLA_INTEGRATOR_EULER);
    piola_world *world = fixture_world(&desc);
    piola_body_desc d = piola_body_desc_default();
    d.asset = fixture_beam(1, 1, 1, 0.1);
    d.gravity_scale = 0;
    d.acceleration[0] = 2;
    piola_body pulled, damped;
    fixture_ok(piola_body_create(world, &d, &pulled, NULL), NULL);
    d.acceleration[0] = 0;
    d.velocity[0] = 1;
    d.damping = 3;
    fixture_ok(piola_body_create(world, &d, &damped, NULL), NULL);
    fixture_steps(world, NULL, 100);
    float v[3];
    fixture_ok(piola_body_velocities(world, pulled, 3, 1, v), NULL);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 2, v[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0, v[1]);
    fixture_ok(piola_body_velocities(world, damped, 3, 1, v), NULL);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, (float)pow(1 / 1.03, 100), v[0]);
}

static void test_pins_hold_move_and_let_go(void)
{
    for (uint32_t substeps = 1; substeps <= 4; substeps += 3) {
        const piola_world_desc desc = flight(0.01f, substeps, PIOLA_INTEGRATOR_EULER);
        piola_world *world = fixture_world(&desc);
        const piola_body body = fixture_body(world, fixture_beam(1, 1, 1, 0.1), 0, 0, 0);
        float p[3];
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 0, 0, 0, 0);
        fixture_steps(world, NULL, 50);
        fixture_ok(piola_body_positions(world, body, 0, 1, p), NULL);
        TEST_ASSERT_EQUAL_FLOAT(0, p[1]);
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 0, 1, 2, 3);
        fixture_steps(world, NULL, 1);
        fixture_ok(piola_body_positions(world, body, 0, 1, p), NULL);
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, 2, p[1]);
        fixture_steps(world, NULL, 20);
        fixture_ok(piola_body_positions(world, body, 0, 1, p), NULL);
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, 2, p[1]);
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, 3, p[2]);
        fixture_push(world, PIOLA_COMMAND_BODY_UNPIN, body, 0, 0, 0, 0);
        fixture_steps(world, NULL, 10);
        fixture_ok(piola_body_positions(world, body, 0, 1, p), NULL);
        TEST_ASSERT_TRUE(p[1] < 1.99f);
    }
}

static void test_impulse_changes_momentum_by_itself(void)
{
    const piola_world_desc desc = flight(0.01f, 1, PIOLA_INTEGRATOR_EULER);
    piola_world *world = fixture_world(&desc);
    const piola_body body = fixture_body(world, fixture_beam(2, 2, 2, 0.1), 0, 0, 0);
    const piola_body nobody = {0, 0};
    fixture_push(world, PIOLA_COMMAND_WORLD_GRAVITY, nobody, 0, 0, 0, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, 13, 0.25f, -0.5f, 1);
    fixture_steps(world, NULL, 1);
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.25, info.momentum[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, -0.5, info.momentum[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1, info.momentum[2]);
}

static void test_report_counts(void)
{
    const piola_world_desc desc = flight(0.01f, 1, PIOLA_INTEGRATOR_EULER);
    piola_world *world = fixture_world(&desc);
    const piola_body body = fixture_body(world, fixture_beam(1, 1, 1, 0.1), 0, 0, 0);
    piola_report report;
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 0, 0, 0, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 8, 0, 0, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, (piola_body){7, 7}, 0, 0, 0, 0);
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT64(2, report.step);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.02, report.time);
    TEST_ASSERT_EQUAL_UINT32(1, report.bodies);
    TEST_ASSERT_EQUAL_UINT32(0, report.commands);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 8, 0, 0, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, (piola_body){7, 7}, 0, 0, 0, 0);
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(2, report.commands);
    TEST_ASSERT_EQUAL_UINT32(2, report.commands_refused);
}

static struct pk_quad *positions(const piola_world *world)
{
    return world_position(world);
}

static struct pk_quad *velocities(const piola_world *world)
{
    return world_velocity(world);
}

/* Breaks body `bad` of two twins the way a fault in a caller's memory would; checks that the other
 * goes on with the bits it has in a world of its own, and that the broken one stands still, finite.
 */
static void nan_stays_in_its_body(struct pk_quad *(*stream)(const piola_world *), float poison,
                                  uint32_t cluster, piola_integrator integrator,
                                  uint32_t iterations, piola_solver solver)
{
    piola_world_desc desc = flight(solver == PIOLA_SOLVER_EXPLICIT ? 0.001f : 0.01f, 3, integrator);
    desc.iterations = iterations;
    desc.solver = solver;
    desc.max_packs = 1024;
    const piola_asset *asset = fixture_beam_of(12, 2, 2, 0.1, NULL, cluster);
    piola_world *world = fixture_world(&desc);
    piola_world *clean = fixture_world(&desc);
    const piola_body bad = fixture_body(world, asset, 0, 0, 0);
    const piola_body good = fixture_body(world, asset, 0, 5, 0);
    const piola_body twin_bad = fixture_body(clean, asset, 0, 0, 0);
    const piola_body twin = fixture_body(clean, asset, 0, 5, 0);
    fixture_steps(world, NULL, 5);
    fixture_steps(clean, NULL, 5);
    float last[3 * 117]; /* the state before the step that breaks */
    fixture_ok(piola_body_positions(clean, twin_bad, 0, 117, last), NULL);
    stream(world)[body_find(world, bad)->first + 3].y = poison;
    piola_report report;
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, report.new_frozen);
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(0, report.new_frozen);
    TEST_ASSERT_EQUAL_UINT32(1, report.frozen);
    fixture_steps(world, NULL, 20);
    fixture_steps(clean, NULL, 22);
    float p[3 * 117], q[3 * 117];
    fixture_ok(piola_body_positions(world, good, 0, 117, p), NULL);
    fixture_ok(piola_body_positions(clean, twin, 0, 117, q), NULL);
    TEST_ASSERT_EQUAL_MEMORY(q, p, sizeof p);
    fixture_ok(piola_body_positions(world, bad, 0, 117, p), NULL);
    /* All but the particle that was overwritten, of which the place before is all there is. */
    const uint32_t broken = asset_vertex_of_particle(asset)[3];
    const bool lost = stream == positions;
    for (uint32_t i = 0; i < 3 * 117; ++i)
        if (lost && i / 3 == broken)
            TEST_ASSERT_FLOAT_WITHIN(0.01f, last[i], p[i]);
        else
            TEST_ASSERT_EQUAL_MEMORY(&last[i], &p[i], sizeof p[i]);
    float v[3 * 117];
    fixture_ok(piola_body_velocities(world, bad, 0, 117, v), NULL);
    for (int i = 0; i < 3 * 117; ++i)
        TEST_ASSERT_EQUAL_FLOAT(0, v[i]);
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, bad, &info), NULL);
    TEST_ASSERT_TRUE(info.frozen);
    fixture_push(world, PIOLA_COMMAND_BODY_THAW, bad, 0, 0, 0, 0);
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
}

static void test_a_broken_number_is_confined_to_its_body(void)
{
    for (uint32_t iterations = 0; iterations <= 4; iterations += 4)
        for (uint32_t cluster = 0; cluster <= 64; cluster += 64) {
            const piola_integrator euler = PIOLA_INTEGRATOR_EULER, bdf2 = PIOLA_INTEGRATOR_BDF2;
            for (int s = 0; s < PIOLA_SOLVER_COUNT; ++s) {
                const piola_solver solver = (piola_solver)s;
                nan_stays_in_its_body(positions, NAN, cluster, euler, iterations, solver);
                nan_stays_in_its_body(velocities, NAN, cluster, euler, iterations, solver);
                nan_stays_in_its_body(velocities, INFINITY, cluster, bdf2, iterations, solver);
                nan_stays_in_its_body(positions, -INFINITY, cluster, bdf2, iterations, solver);
            }
        }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_euler_flight_is_the_closed_form);
    RUN_TEST(test_orders_of_the_integrators);
    RUN_TEST(test_fields_scale_and_damp_each_body_on_its_own);
    RUN_TEST(test_pins_hold_move_and_let_go);
    RUN_TEST(test_impulse_changes_momentum_by_itself);
    RUN_TEST(test_report_counts);
    RUN_TEST(test_a_broken_number_is_confined_to_its_body);
    return UNITY_END();
}
