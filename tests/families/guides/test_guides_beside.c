/* Guides beside everything else that acts on bodies: colliders, rigid bodies, surfaces in contact,
 * attachments, tractions, with any solver. What is guided stays on its plane, and no number is
 * lost. covers: src/families/guides/guides.c */
#include "asset/asset.h"
#include "fixture.h"
#include "unity.h"

#include <math.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_world_desc crowded(uint64_t *seed, piola_solver solver)
{
    piola_world_desc d = piola_world_desc_default();
    d.max_bodies = 4;
    d.max_particles = 4096;
    d.max_packs = 4096;
    d.max_guides = 200;
    d.max_tractions = 2;
    d.max_traction_triangles = 400;
    d.max_contacts = 4000;
    d.max_contact_faces = 4000;
    d.max_colliders = 2;
    d.max_rigids = 2;
    d.solver = solver;
    d.substeps = 1 + (uint32_t)(3 * fixture_uniform(seed));
    d.iterations = 2 + (uint32_t)(8 * fixture_uniform(seed));
    d.integrator = fixture_uniform(seed) < 0.3 ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER;
    return d;
}

/* Across the plane of the first body's lowest side, from the plane through the origin. */
static double worst(piola_world *world, piola_body body, const uint8_t *low, uint32_t count,
                    const float normal[3])
{
    float *x = fixture_memory(count * 3 * sizeof *x);
    double most = 0;
    fixture_ok(piola_body_positions(world, body, 0, count, x), NULL);
    for (uint32_t v = 0; v < count; ++v) {
        double off = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            TEST_ASSERT_TRUE(isfinite(x[3 * v + k]));
            off += (double)normal[k] * (double)x[3 * v + k];
        }
        most = low[v] ? fmax(most, fabs(off)) : most;
    }
    return most;
}

/* A ball that is carried into the block, a heavy one that falls on it, another block that lands on
 * it, to which it is tied, a pressure on it. */
static void crowd(piola_world *world, const piola_asset *asset, piola_body block)
{
    const piola_body other = fixture_body(world, asset, 0.02f, 0.35f, 0.01f);
    piola_collider_desc ball = piola_collider_desc_default();
    ball.shape = piola_shape_sphere(0.1f);
    ball.position[0] = -0.25f;
    ball.position[1] = 0.05f;
    piola_collider pushed;
    fixture_ok(piola_collider_create(world, &ball, &pushed, NULL), NULL);
    fixture_ok(piola_collider_set_velocity(world, pushed, (const float[]){0.4f, 0.1f, 0}), NULL);
    piola_rigid_desc heavy = piola_rigid_desc_default();
    heavy.shape = piola_shape_sphere(0.08f);
    heavy.mass = 5;
    heavy.position[0] = 0.25f;
    heavy.position[1] = 0.5f;
    piola_rigid fallen;
    fixture_ok(piola_rigid_create(world, &heavy, &fallen, NULL), NULL);
    piola_attachment_desc tie = piola_attachment_desc_default();
    piola_attachment tied;
    tie.point = (piola_attachment_point){block, 1, {20}, {1}};
    tie.other = (piola_attachment_point){other, 1, {3}, {1}};
    tie.compliance = 1e-3f;
    fixture_ok(piola_attachment_create(world, &tie, &tied, NULL), NULL);
    piola_traction_desc press = piola_traction_desc_default();
    piola_traction pressed;
    press.body = block;
    press.pressure = 300;
    fixture_ok(piola_traction_create(world, &press, &pressed, NULL), NULL);
}

static void test_what_is_guided_stays_whatever_meets_it(void)
{
    static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_DESCENT,
                                           PIOLA_SOLVER_COMPLIANT, PIOLA_SOLVER_ENERGY};
    uint64_t seed = fixture_seed();
    for (int round = 0; round < fixture_count(16, 4); ++round) {
        const piola_world_desc desc = crowded(&seed, solvers[round % 4]);
        piola_world *world = fixture_world(&desc);
        piola_material m = piola_material_default();
        m.young = (float)pow(10, 4.5 + 1.5 * fixture_uniform(&seed));
        const piola_asset *asset = fixture_beam_of(4, 2, 3, 0.1, &m, 0);
        const uint32_t count = asset->stats.vertices;
        const piola_body block = fixture_body(world, asset, 0, 0, 0);
        const float normal[3] = {(float)(0.2 * fixture_uniform(&seed)), 1,
                                 (float)(0.2 * fixture_uniform(&seed))};
        float *x = fixture_memory(count * 3 * sizeof *x);
        uint8_t *low = fixture_memory(count);
        fixture_ok(piola_body_positions(world, block, 0, count, x), NULL);
        for (uint32_t v = 0; v < count; ++v) {
            low[v] = x[3 * v + 1] < 1e-6f;
            if (low[v])
                fixture_ok(piola_body_pin_plane(world, block, v, (const float[]){0, 0, 0}, normal),
                           NULL);
        }
        fixture_steps(world, NULL, 5);
        crowd(world, asset, block);
        piola_report report = {0};
        for (int step = 0; step < 150; ++step) {
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
            TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
            TEST_ASSERT_DOUBLE_WITHIN(5e-6, 0, worst(world, block, low, count, normal));
        }
        fixture_clean();
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_guided_stays_whatever_meets_it);
    return UNITY_END();
}
