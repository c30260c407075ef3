/* What first users tried, of coarse bodies and fine colliders: fingers in a block, cloth on a bed
 * of spikes, a ball against a banner; with sizes, stiffness and speed varied. Nothing passes, and
 * what was pressed lets go again. covers: src/families/collide/collide_faces.c
 * src/families/collide/collide_faces_limit.c
 */
#include "collider_fixture.h"
#include "contact_fixture.h"
#include "ref_core.h"
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

#define DEEP 1e-5 /* m: round cores are known to 2e-6 of where they are */
#define MOST 64

static struct scene world_of(piola_solver solver)
{
    piola_world_desc d = collider_world(solver, 1);
    d.max_colliders = MOST;
    d.max_face_contacts = 8192;
    d.max_commands = 4096;
    d.max_packs = 65536;
    return scene_of(&d);
}

static piola_collider put_capsule(const struct scene *s, double half, double radius, double x,
                                  double y, double z)
{
    piola_collider_desc c = piola_collider_desc_default();
    c.shape = half > 0 ? piola_shape_capsule((float)half, (float)radius)
                       : piola_shape_sphere((float)radius);
    c.position[0] = (float)x;
    c.position[1] = (float)y;
    c.position[2] = (float)z;
    return collider_enter(s->world, &c);
}

/* How deep any triangle is in a capsule, or, where `half` is 0, in a ball, m. */
static double depth_in(struct scene *s, piola_collider collider, double half, double radius)
{
    const ref_core core = {{0, half, 0}, radius};
    piola_collider_info info;
    double deepest = 0;
    fixture_ok(piola_collider_inspect(s->world, collider, &info), NULL);
    scene_collect(s);
    for (uint32_t f = 0; f < s->face_count; ++f) {
        double x[3][3];
        for (int c = 0; c < 3; ++c)
            ref_core_frame(info.position, info.rotation,
                           s->x + 3 * (size_t)s->faces[3 * f + (uint32_t)c], x[c]);
        deepest = fmax(deepest, ref_core_depth(&core, (const double(*)[3])x));
    }
    return deepest;
}

static void step(struct scene *s)
{
    fixture_ok(piola_world_step(s->world, NULL, &s->report), NULL);
    TEST_ASSERT_EQUAL_UINT32(0, s->report.frozen);
}

static double height(const struct scene *s)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(s->world, s->body[0], &info), NULL);
    return info.centre[1];
}

static uint32_t inverted(const struct scene *s, uint32_t elements)
{
    piola_element_state *states = fixture_memory(elements * sizeof *states);
    uint32_t count = 0;
    fixture_ok(piola_body_tetrahedron_states(s->world, s->body[0], 0, elements, states), NULL);
    for (uint32_t i = 0; i < elements; ++i)
        count += states[i].volume_ratio <= 0;
    return count;
}

/* A hand of five fingers of 9 mm presses 25 mm deep into a block of 0.11 m with triangles of 27 mm,
 * at 0.5 m/s, and is lifted off: no finger sticks in it. */
static void test_a_hand_does_not_impale(void)
{
    static const double moduli[] = {1e4, 1e5, 1e6};
    for (int e = 0; e < 3; ++e) {
        struct scene s = world_of(PIOLA_SOLVER_DESCENT);
        piola_material m = piola_material_default();
        piola_body_desc b = piola_body_desc_default();
        piola_collider finger[5];
        double deepest = 0;
        m.young = (float)moduli[e];
        m.damping = 0.02f;
        (void)scene_floor(&s, 0.5f);
        const piola_asset *block = fixture_beam_of(4, 4, 4, 0.027, &m, 0);
        piola_asset_stats stats;
        fixture_ok(piola_asset_inspect(block, &stats), NULL);
        (void)scene_enter(&s, block, &b);
        for (int i = 0; i < 5; ++i)
            finger[i] =
                put_capsule(&s, 0.05, 0.009, 0.014 + 0.02 * i, 0.17, 0.04 + 0.013 * (i % 2));
        for (int k = 0; k < 20; ++k)
            step(&s);
        const double before = height(&s);
        for (int k = 0; k < 40; ++k) {
            const double down = 0.0025 * (k < 20 ? k : 40 - k) - 0.015;
            for (int i = 0; i < 5; ++i) {
                piola_collider_info info;
                fixture_ok(piola_collider_inspect(s.world, finger[i], &info), NULL);
                info.position[1] = (float)(0.17 - (down > 0 ? down : 0));
                fixture_ok(piola_collider_move(s.world, finger[i], info.position), NULL);
            }
            step(&s);
            if (k % 8 == 4)
                deepest = fmax(deepest, depth_in(&s, finger[k / 8 % 5], 0.05, 0.009));
        }
        for (int k = 0; k < 60; ++k)
            step(&s);
        printf("fingers in %.0e Pa: %.1e m deep at most; %u inverted, %.1e m off after 0.3 s\n",
               moduli[e], deepest, inverted(&s, stats.tetrahedra), height(&s) - before);
        TEST_ASSERT_TRUE(deepest <= DEEP);
        TEST_ASSERT_EQUAL_UINT32(0, inverted(&s, stats.tetrahedra));
        TEST_ASSERT_DOUBLE_WITHIN(2e-3, before, height(&s));
        fixture_clean();
    }
}

/* Cloth of triangles of 2 cm comes down on spikes of 2 mm that stand 3 cm apart. */
static void test_cloth_stays_on_spikes(void)
{
    static const double speeds[] = {0.5, 5, 50};
    for (int v = 0; v < 3; ++v) {
        struct scene s = world_of(collider_solvers[v].solver);
        piola_body_desc b = piola_body_desc_default();
        piola_collider spike[25];
        b.position[0] = b.position[2] = -0.1f;
        b.position[1] = 0.02f;
        b.velocity[1] = (float)-speeds[v];
        (void)scene_enter(&s, scene_limp_sheet(0.2, 0.2, 10, 10, 300), &b);
        for (int i = 0; i < 25; ++i) {
            const int row = i / 5 - 2, column = i % 5 - 2;
            spike[i] = put_capsule(&s, 0.5, 0.002, 0.033 * column, -0.502, 0.033 * row);
        }
        for (int k = 0; k < 60; ++k)
            step(&s);
        double deepest = 0;
        for (int i = 0; i < 25; i += 4)
            deepest = fmax(deepest, depth_in(&s, spike[i], 0.5, 0.002));
        printf("%s, cloth comes down with %.1f m/s: its centre at %.4f m, %.1e m deep\n",
               collider_solvers[v].name, speeds[v], height(&s), deepest);
        TEST_ASSERT_TRUE(deepest <= DEEP);
        TEST_ASSERT_TRUE(height(&s) > -0.05);
        fixture_clean();
    }
}

/* A ball flies against a banner with triangles of 4 cm, in the middle of one. */
static void test_a_ball_does_not_poke_through_a_banner(void)
{
    static const struct {
        double radius, speed;
    } rows[] = {{0.004, 0.2}, {0.012, 2}, {0.012, 40}};
    for (int r = 0; r < 3; ++r) {
        struct scene s = world_of(collider_solvers[r].solver);
        piola_body_desc b = piola_body_desc_default();
        b.rotation[0] = -0.70710678f;
        b.rotation[3] = 0.70710678f;
        (void)scene_enter(&s, scene_limp_sheet(0.24, 0.24, 6, 6, 300), &b);
        for (uint32_t i = 0; i < 7; ++i) {
            float x[3];
            fixture_ok(piola_body_positions(s.world, s.body[0], i, 1, x), NULL);
            fixture_ok(piola_body_pin(s.world, s.body[0], i, x), NULL);
        }
        scene_collect(&s);
        double middle[2] = {0, 0};
        for (uint32_t i = 0; i < s.vertex_count; ++i)
            for (int k = 0; k < 2; ++k)
                middle[k] += (double)s.x[3 * i + (uint32_t)k] / s.vertex_count;
        const piola_collider ball = put_capsule(&s, 0, rows[r].radius, middle[0] + 0.013,
                                                middle[1] + 0.007, rows[r].radius + 0.01);
        const double dt = 0.005, far = 0.1;
        double deepest = 0, gone = 0, pushed = 0;
        for (int k = 0; k < 40; ++k) {
            const double way = fmin(far, rows[r].speed * dt * (k + 1));
            const float at[3] = {(float)(middle[0] + 0.013), (float)(middle[1] + 0.007),
                                 (float)(rows[r].radius + 0.01 - way)};
            fixture_ok(piola_collider_move(s.world, ball, at), NULL);
            step(&s);
            deepest = fmax(deepest, depth_in(&s, ball, 0, rows[r].radius));
            gone = rows[r].radius + 0.01 - way;
            double mean = 0;
            for (uint32_t i = 0; i < s.vertex_count; ++i)
                mean += (double)s.x[3 * i + 2] / s.vertex_count;
            pushed = fmin(pushed, mean);
        }
        printf("%s, ball of %.0f mm with %.1f m/s: %.1e m deep; it is at %.3f m, it has pushed the "
               "cloth to %.3f m\n",
               collider_solvers[r].name, 1000 * rows[r].radius, rows[r].speed, deepest, gone,
               pushed);
        TEST_ASSERT_TRUE(deepest <= DEEP);
        TEST_ASSERT_TRUE(pushed < 0.25 * gone);
        fixture_clean();
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_hand_does_not_impale);
    RUN_TEST(test_cloth_stays_on_spikes);
    RUN_TEST(test_a_ball_does_not_poke_through_a_banner);
    return UNITY_END();
}
