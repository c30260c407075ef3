/* Coupled bodies: they leave the path of one worker for the stages, and nothing else changes.
 *
 * covers: src/world/family.c src/motion/external.c
 */
#include "fixture.h"
#include "motion/external.h"
#include "unity.h"

#include <string.h>

#define STEPS 30

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_world *hung_beam(piola_solver solver, piola_body *body)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.solver = solver;
    desc.max_packs = 4096;
    piola_world *world = fixture_world(&desc);
    piola_body_desc d = piola_body_desc_default();
    d.asset = fixture_beam(6, 2, 2, 0.1);
    fixture_ok(piola_body_create(world, &d, body, NULL), NULL);
    for (uint32_t vertex = 0; vertex < 9; ++vertex) {
        float place[3];
        fixture_ok(piola_body_positions(world, *body, vertex, 1, place), NULL);
        fixture_ok(piola_body_pin(world, *body, vertex, place), NULL);
    }
    return world;
}

static void compare_paths(piola_solver solver)
{
    piola_body body, tied;
    piola_world *alone = hung_beam(solver, &body), *together = hung_beam(solver, &tied);
    world_tie(together, tied.index - 1, TIE(attachments), true);
    piola_report report;
    fixture_steps(alone, NULL, STEPS);
    for (int i = 0; i < STEPS; ++i)
        fixture_ok(piola_world_step(together, NULL, &report), NULL);
    TEST_ASSERT_GREATER_THAN_UINT32(1, report.stages); /* a whole body is one stage */
    TEST_ASSERT_EQUAL_HEX64(piola_world_hash(alone), piola_world_hash(together));
}

static void test_a_tied_body_takes_the_other_path_to_the_same_bits(void)
{
    for (piola_solver solver = 0; solver < PIOLA_SOLVER_COUNT; ++solver)
        compare_paths(solver);
}

#define KNOTS 20

/* A rope of rigid links that hangs on a tether and falls over a ball. */
static piola_world *roped_ball(piola_solver solver, piola_body *body)
{
    static piola_material material;
    static const uint32_t anchor = 0;
    static double x[3 * KNOTS];
    static uint32_t links[2 * KNOTS];
    piola_mesh_desc mesh = piola_mesh_desc_default();
    for (uint32_t i = 0; i < KNOTS; ++i) {
        x[3 * i] = 0.1 * i;
        links[2 * i] = i;
        links[2 * i + 1] = i + 1;
    }
    material = piola_material_default();
    mesh.vertices = x;
    mesh.vertex_count = KNOTS;
    mesh.links = links;
    mesh.link_count = KNOTS - 1;
    mesh.tether_anchors = &anchor;
    mesh.tether_anchor_count = 1;
    mesh.materials = &material;
    mesh.material_count = 1;
    piola_world_desc desc = piola_world_desc_default();
    desc.solver = solver;
    desc.max_packs = desc.max_link_packs = 64;
    desc.max_colliders = 1;
    piola_world *world = fixture_world(&desc);
    *body = fixture_body(world, fixture_compile(&mesh), 0, 0, 0);
    piola_collider_desc ball = piola_collider_desc_default();
    piola_collider made;
    ball.shape.kind = PIOLA_SHAPE_SPHERE;
    ball.shape.radius = 0.3f;
    ball.position[0] = 0.5f;
    ball.position[1] = -0.7f;
    fixture_ok(piola_collider_create(world, &ball, &made, NULL), NULL);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, *body, 0, 0, 0, 0);
    return world;
}

static void test_limits_and_colliders_come_in_one_order_on_both_paths(void)
{
    for (piola_solver solver = 0; solver < PIOLA_SOLVER_COUNT; ++solver) {
        piola_body body, tied;
        piola_world *alone = roped_ball(solver, &body), *together = roped_ball(solver, &tied);
        world_tie(together, tied.index - 1, TIE(attachments), true);
        fixture_steps(alone, NULL, 200);
        fixture_steps(together, NULL, 200);
        TEST_ASSERT_EQUAL_HEX64(piola_world_hash(alone), piola_world_hash(together));
    }
}

/* Chebyshev's safeguard and the reports measure before the first iteration: what they see is this
 * substep's, not what the last one left behind. */
static void test_measures_know_nothing_of_the_last_step(void)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.chebyshev = 0.95f;
    desc.report_physics = true;
    piola_world *world = fixture_world(&desc), *fresh = fixture_world(&desc);
    const piola_asset *asset = fixture_beam(6, 2, 2, 0.1);
    const piola_body body = fixture_body(world, asset, 0, 0, 0);
    piola_attachment_desc hook = piola_attachment_desc_default();
    piola_attachment made;
    hook.point = (piola_attachment_point){body, 1, {0}, {1}};
    fixture_ok(piola_attachment_create(world, &hook, &made, NULL), NULL);
    fixture_steps(world, NULL, 10);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    fixture_ok(piola_world_add_asset(fresh, asset), NULL);
    fixture_ok(piola_snapshot_restore(fresh, snapshot, bytes), NULL);
    piola_report a, b;
    fixture_ok(piola_world_step(world, NULL, &a), NULL);
    fixture_ok(piola_world_step(fresh, NULL, &b), NULL);
    TEST_ASSERT_EQUAL_MEMORY(&a.objective_before, &b.objective_before, sizeof(double));
    TEST_ASSERT_EQUAL_HEX64(piola_world_hash(world), piola_world_hash(fresh));
}

static void test_ties_begin_and_end(void)
{
    piola_body body;
    piola_world *world = hung_beam(PIOLA_SOLVER_DESCENT, &body);
    const struct body *at = &world_bodies(world)[body.index - 1];
    TEST_ASSERT_NULL(external_of(world, at));
    world_tie(world, body.index - 1, TIE(surface), true);
    world_tie(world, body.index - 1, TIE(pressure), true);
    TEST_ASSERT_NOT_NULL(external_of(world, at));
    world_tie(world, body.index - 1, TIE(surface), false);
    TEST_ASSERT_NOT_NULL(external_of(world, at));
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_EQUAL_UINT32(1, world->coupled_count);
    world_tie(world, body.index - 1, TIE(pressure), false);
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_EQUAL_UINT32(0, world->coupled_count);
    world_tie(world, body.index - 1, TIE(surface), true);
    fixture_ok(piola_body_destroy(world, body), NULL);
    TEST_ASSERT_FALSE(world_coupled(world, body.index - 1));
}

/* A push on one vertex, as attachments and contacts give it. */
static void test_what_is_laid_down_is_cleared_before_the_next_iteration(void)
{
    piola_body body, other;
    piola_world *pushed = hung_beam(PIOLA_SOLVER_DESCENT, &body);
    piola_world *left = hung_beam(PIOLA_SOLVER_DESCENT, &other);
    world_tie(pushed, body.index - 1, TIE(surface), true);
    const struct body *at = &world_bodies(pushed)[body.index - 1];
    external_of(pushed, at)[20].x = 1e3f;
    fixture_steps(pushed, NULL, 1);
    fixture_steps(left, NULL, 1);
    TEST_ASSERT_EQUAL_HEX64(piola_world_hash(left), piola_world_hash(pushed));
}

/* A cube slides over another on a slope, which is rough. Steps, and returns the state's positions.
 */
static void slide(piola_solver solver, bool couplings, float x[2 * 27 * 3], double force[3])
{
    piola_world_desc desc = piola_world_desc_default();
    desc.solver = solver;
    desc.max_packs = 4096;
    desc.max_particles = 4096;
    desc.max_colliders = 1;
    desc.max_contacts = 20000;
    desc.max_contact_faces = 1000;
    desc.max_contact_events = 4;
    desc.couplings = couplings;
    desc.gravity[0] = 3;
    piola_world *world = fixture_world(&desc);
    const piola_collider_desc plane = piola_collider_desc_default();
    piola_collider collider;
    fixture_ok(piola_collider_create(world, &plane, &collider, NULL), NULL);
    const piola_asset *cube = fixture_beam(2, 2, 2, 0.05);
    const piola_body body[2] = {fixture_body(world, cube, 0, 0, 0),
                                fixture_body(world, cube, 0.02f, 0.103f, 0.01f)};
    fixture_steps(world, NULL, 60);
    for (int b = 0; b < 2; ++b) {
        float f[27 * 3];
        fixture_ok(piola_body_positions(world, body[b], 0, 27, x + 81 * (size_t)b), NULL);
        fixture_ok(piola_body_contact_forces(world, body[b], 0, 27, f), NULL);
        for (int i = 0; i < 81; ++i)
            force[i % 3] += b ? (double)f[i] : 0;
    }
}

/* They tie bodies as well, but are asked for by numbers of their own. */
static void test_colliders_and_surfaces_need_no_couplings(void)
{
    for (piola_solver solver = 0; solver < PIOLA_SOLVER_EXPLICIT; ++solver) {
        float with[2 * 27 * 3], without[2 * 27 * 3];
        double force[2][3] = {{0}};
        slide(solver, true, with, force[0]);
        slide(solver, false, without, force[1]);
        TEST_ASSERT_TRUE(force[0][1] > 1);
        TEST_ASSERT_EQUAL_MEMORY(with, without, sizeof with);
        TEST_ASSERT_EQUAL_MEMORY(force[0], force[1], sizeof *force);
    }
}

/* Of 48 bytes a particle in descent, and what holds pressure: less where nothing asks for it. */
static void test_worlds_without_couplings_are_smaller(void)
{
    piola_world_desc desc = piola_world_desc_default();
    size_t bytes[2];
    for (int k = 0; k < 2; ++k) {
        desc.couplings = k == 0;
        fixture_ok(piola_world_size(&desc, &bytes[k], NULL), NULL);
    }
    TEST_ASSERT_TRUE(bytes[0] - bytes[1] >= 48 * (size_t)desc.max_particles);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_tied_body_takes_the_other_path_to_the_same_bits);
    RUN_TEST(test_limits_and_colliders_come_in_one_order_on_both_paths);
    RUN_TEST(test_measures_know_nothing_of_the_last_step);
    RUN_TEST(test_ties_begin_and_end);
    RUN_TEST(test_what_is_laid_down_is_cleared_before_the_next_iteration);
    RUN_TEST(test_colliders_and_surfaces_need_no_couplings);
    RUN_TEST(test_worlds_without_couplings_are_smaller);
    return UNITY_END();
}
