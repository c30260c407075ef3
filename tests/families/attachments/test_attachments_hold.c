/* Attachments stay in hand: far gaps, tiny compliances, particles that cannot move. What they carry
 * and how they live: test_attachments.c.
 *
 * covers: src/families/attachments/attachments.c src/families/attachments/attachment_momentum.c
 */
#include "fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>

#define G 9.81

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_attachment attach(piola_world *world, const piola_attachment_desc *desc)
{
    piola_attachment made;
    piola_error error = {0};
    fixture_ok(piola_attachment_create(world, desc, &made, &error), &error);
    return made;
}

/* Of both; momentum: linear, then angular about the origin. */
static double energy_of(const piola_world *world, const piola_body body[2], double momentum[6])
{
    double energy = 0;
    for (int k = 0; k < 6; ++k)
        momentum[k] = 0;
    for (int b = 0; b < 2; ++b) {
        piola_body_info info;
        fixture_ok(piola_body_inspect(world, body[b], &info), NULL);
        energy += info.kinetic_energy;
        for (int k = 0; k < 3; ++k) {
            momentum[k] += info.momentum[k];
            momentum[3 + k] += info.angular_momentum[k];
        }
    }
    return energy;
}

/* One vertex each of two free light boxes, about a metre apart, must come together. */
static void pull_together(uint64_t *seed, float compliance)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.max_packs = 4096;
    desc.gravity[1] = 0;
    desc.report_physics = true;
    piola_world *world = fixture_world(&desc);
    piola_material soft = piola_material_default();
    soft.young = 1e5f;
    soft.density = 1;
    const piola_asset *asset = fixture_beam_of(2, 2, 2, 0.5, &soft, 0);
    piola_body body[2];
    for (int b = 0; b < 2; ++b)
        body[b] =
            fixture_body(world, asset, 0, (float)b * (float)(1 + 1.1 * fixture_uniform(seed)), 0);
    piola_attachment_desc d = piola_attachment_desc_default();
    for (int side = 0; side < 2; ++side) {
        piola_attachment_point *p = side ? &d.other : &d.point;
        const uint32_t first = (uint32_t)(fixture_random(seed) % 26);
        *p = (piola_attachment_point){body[side], 2, {first, first + 1}, {0.5f, 0.5f}};
    }
    d.compliance = compliance;
    attach(world, &d);
    double most = 0, momentum[6];
    for (int i = 0; i < 120; ++i) {
        piola_report report;
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
        TEST_ASSERT_TRUE(report.max_stretch < 100);
        most = fmax(most, energy_of(world, body, momentum));
    }
    double size = sqrt(2 * most * 2); /* kg m/s: two kilograms with that energy */
    for (int k = 0; k < 6; ++k)
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * size + 1e-6, 0, momentum[k]);
    fixture_clean();
}

static void test_free_bodies_far_apart_come_together(void)
{
    uint64_t seed = fixture_seed();
    for (int n = 0; n < 24; ++n)
        pull_together(&seed, n % 3 == 2 ? 1e-6f : 0);
}

/* A free box and a place in the world about a metre from one of its vertices, likewise. */
static double pull_to_place(uint64_t *seed, float compliance)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.max_packs = 4096;
    desc.gravity[1] = 0;
    desc.report_physics = true;
    piola_world *world = fixture_world(&desc);
    piola_material soft = piola_material_default();
    soft.young = 1e5f;
    soft.density = 1;
    const piola_body body = fixture_body(world, fixture_beam_of(2, 2, 2, 0.5, &soft, 0), 0, 0, 0);
    piola_attachment_desc d = piola_attachment_desc_default();
    d.point = (piola_attachment_point){body, 1, {(uint32_t)(fixture_random(seed) % 27)}, {1}};
    d.target[0] = (float)(1 + 1.1 * fixture_uniform(seed));
    d.compliance = compliance;
    attach(world, &d);
    double most = 0;
    for (int i = 0; i < 240; ++i) {
        piola_report report;
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
        most = fmax(most, (double)report.max_stretch);
    }
    fixture_clean();
    return most;
}

static void test_a_free_body_comes_to_a_far_place(void)
{
    static const float list[] = {0, 1e-12f, 1e-6f, 1e-4f, 1e-3f, 1e-2f, 0.1f};
    uint64_t seed = fixture_seed();
    for (int i = 0; i < 7; ++i) {
        double most = 0;
        for (int n = 0; n < 8; ++n)
            most = fmax(most, pull_to_place(&seed, list[i]));
        printf("compliance %g: stretch at most %.3g\n", (double)list[i], most);
        TEST_ASSERT_TRUE(most < 100);
    }
}

/* Whatever the compliance, a block hangs on one vertex and is no stiffer tied than rigidly. */
static void check_compliance(piola_solver solver, float compliance)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.solver = solver;
    desc.max_packs = 4096;
    piola_world *world = fixture_world(&desc);
    const piola_asset *asset = fixture_beam(2, 2, 2, 0.1);
    piola_body body;
    piola_body_desc b = piola_body_desc_default();
    b.asset = asset;
    b.damping = 4;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    piola_attachment_desc d = piola_attachment_desc_default();
    d.point = (piola_attachment_point){body, 1, {13}, {1}};
    fixture_ok(piola_body_positions(world, body, 13, 1, d.target), NULL);
    d.compliance = compliance;
    const piola_attachment a = attach(world, &d);
    piola_attachment_info info;
    double sum = 0;
    for (int i = 0; i < 700; ++i) {
        piola_report report;
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
        fixture_ok(piola_attachment_inspect(world, a, &info), NULL);
        sum += i < 600 ? 0 : (double)info.force[1] / 100;
    }
    piola_body_info whole;
    fixture_ok(piola_body_inspect(world, body, &whole), NULL);
    const double weight = whole.mass * G;
    printf("solver %d, compliance %g: %.4f N of %.4f N, gap %.3g m\n", solver, (double)compliance,
           sum, weight, (double)info.gap[1]);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * weight, weight, sum);
    fixture_clean();
}

static void test_compliances_far_below_what_inertia_gives(void)
{
    static const float list[] = {0, 1e-40f, 1e-30f, 1e-20f, 1e-12f, 1e-9f, 1e-6f};
    for (int solver = 0; solver < PIOLA_SOLVER_EXPLICIT; ++solver)
        for (int i = 0; i < 7; ++i)
            check_compliance((piola_solver)solver, list[i]);
}

/* A rigid attachment of a vertex that is then pinned has nothing to pull. */
static void test_what_is_pinned_is_not_pulled(void)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.max_packs = 4096;
    piola_world *world = fixture_world(&desc);
    const piola_body body = fixture_body(world, fixture_beam(2, 2, 2, 0.1), 0, 0, 0);
    piola_attachment_desc d = piola_attachment_desc_default();
    d.point = (piola_attachment_point){body, 1, {13}, {1}};
    fixture_ok(piola_body_positions(world, body, 13, 1, d.target), NULL);
    const piola_attachment a = attach(world, &d);
    fixture_steps(world, NULL, 50);
    piola_attachment_info info;
    fixture_ok(piola_attachment_inspect(world, a, &info), NULL);
    TEST_ASSERT_TRUE(fabsf(info.force[1]) > 1);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 13, d.target[0], d.target[1], d.target[2]);
    fixture_steps(world, NULL, 2);
    fixture_ok(piola_attachment_inspect(world, a, &info), NULL);
    for (int k = 0; k < 3; ++k)
        TEST_ASSERT_EQUAL_FLOAT(0, info.force[k]);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_free_bodies_far_apart_come_together);
    RUN_TEST(test_a_free_body_comes_to_a_far_place);
    RUN_TEST(test_compliances_far_below_what_inertia_gives);
    RUN_TEST(test_what_is_pinned_is_not_pulled);
    return UNITY_END();
}
