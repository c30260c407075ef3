/* Coupled bodies: they leave the path of one worker for the stages, and nothing else changes. */
#include "couple.h"
#include "fixture.h"
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
        piola_command pin = {.kind = PIOLA_COMMAND_PIN, .vertex = vertex, .body = *body};
        fixture_ok(piola_body_positions(world, *body, vertex, 1, pin.value), NULL);
        fixture_ok(piola_world_push(world, &pin), NULL);
    }
    return world;
}

static void compare_paths(piola_solver solver)
{
    piola_body body, tied;
    piola_world *alone = hung_beam(solver, &body), *together = hung_beam(solver, &tied);
    world_tie(together, tied.index - 1, TIE_ATTACHMENT, true);
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

static void test_ties_begin_and_end(void)
{
    piola_body body;
    piola_world *world = hung_beam(PIOLA_SOLVER_DESCENT, &body);
    const struct body *at = &world_bodies(world)[body.index - 1];
    TEST_ASSERT_NULL(couple_extra(world, at));
    world_tie(world, body.index - 1, TIE_CONTACT, true);
    world_tie(world, body.index - 1, TIE_PRESSURE, true);
    TEST_ASSERT_NOT_NULL(couple_extra(world, at));
    world_tie(world, body.index - 1, TIE_CONTACT, false);
    TEST_ASSERT_NOT_NULL(couple_extra(world, at));
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_EQUAL_UINT32(1, world->coupled_count);
    world_tie(world, body.index - 1, TIE_PRESSURE, false);
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_EQUAL_UINT32(0, world->coupled_count);
    world_tie(world, body.index - 1, TIE_CONTACT, true);
    fixture_ok(piola_body_destroy(world, body), NULL);
    TEST_ASSERT_FALSE(world_coupled(world, body.index - 1));
}

/* A push on one vertex, as attachments and contacts give it. */
static void test_what_is_laid_down_is_cleared_before_the_next_iteration(void)
{
    piola_body body, other;
    piola_world *pushed = hung_beam(PIOLA_SOLVER_DESCENT, &body);
    piola_world *left = hung_beam(PIOLA_SOLVER_DESCENT, &other);
    world_tie(pushed, body.index - 1, TIE_CONTACT, true);
    const struct body *at = &world_bodies(pushed)[body.index - 1];
    couple_extra(pushed, at)[20].x = 1e3f;
    fixture_steps(pushed, NULL, 1);
    fixture_steps(left, NULL, 1);
    TEST_ASSERT_EQUAL_HEX64(piola_world_hash(left), piola_world_hash(pushed));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_tied_body_takes_the_other_path_to_the_same_bits);
    RUN_TEST(test_ties_begin_and_end);
    RUN_TEST(test_what_is_laid_down_is_cleared_before_the_next_iteration);
    return UNITY_END();
}
