/* Places where a contact has no clear normal: parallel edges, triangles in one plane, a vertex on
 * an edge, triangles without area, a body that lies in a collider's plane. All stays finite,
 * nothing crosses. And what soft bodies do to each other keeps their momentum.
 *
 * covers: src/families/surface/
 */
#include "contact_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CELL 0.05 /* m */

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static struct scene empty(int which, float friction)
{
    piola_world_desc d = scene_desc(scene_solvers[which].solver);
    memset(d.gravity, 0, sizeof d.gravity);
    d.contact_friction = friction;
    return scene_of(&d);
}

/* Rotation about an axis by degrees, after which the body's place and velocity are set. */
static piola_body_desc posed(int axis, double degrees, const float position[3], float along_y)
{
    piola_body_desc b = piola_body_desc_default();
    const double half = 0.5 * degrees * 3.14159265358979323846 / 180;
    b.rotation[axis] = (float)sin(half);
    b.rotation[3] = (float)cos(half);
    memcpy(b.position, position, sizeof b.position);
    b.velocity[1] = along_y;
    return b;
}

/* Cubes of 2 x 2 x 2 cells that meet along y: the upper one `aside` (m) off, both turned. */
static const struct meeting {
    const char *name;
    float aside[2];
    double lower, upper; /* degrees about z */
} meetings[] = {
    {"face on face, vertex on vertex", {0, 0}, 0, 0},
    {"vertices on edges", {0.5f * (float)CELL, 0}, 0, 0},
    {"vertices in faces", {0.5f * (float)CELL, 0.25f * (float)CELL}, 0, 0},
    {"edges flush", {2 * (float)CELL, 0}, 0, 0},
    {"parallel edges", {0, 0}, 45, 45},
    {"parallel edges, half off", {0, (float)CELL}, 45, 45},
    {"an edge on a face", {0.0354f, 0}, 0, 45},
};
#define MEETINGS (sizeof meetings / sizeof *meetings)

static void meet(int which, const struct meeting *m, float friction, float speed)
{
    struct scene s = empty(which, friction);
    const piola_asset *cube = fixture_beam_of(2, 2, 2, CELL, NULL, 0);
    const float high = 2 * (float)CELL * (m->lower > 0 ? 1.4142f : 1) + 0.004f;
    const piola_body_desc lower = posed(2, m->lower, (const float[3]){0, 0, 0}, 0.5f * speed);
    const piola_body_desc upper =
        posed(2, m->upper, (const float[3]){m->aside[0], high, m->aside[1]}, -0.5f * speed);
    (void)scene_enter(&s, cube, &lower);
    (void)scene_enter(&s, cube, &upper);
    TEST_ASSERT_EQUAL(0, scene_crossings(&s));
    uint32_t pairs = 0;
    for (int i = 0; i < scene_steps(30, 1000); ++i) {
        scene_step(&s, m->name);
        pairs = s.most;
    }
    TEST_ASSERT_TRUE(pairs > 0);
}

static void test_parallel_and_coplanar(void)
{
    for (int which = 0; which < 3; ++which)
        for (size_t k = 0; k < MEETINGS; ++k) {
            meet(which, &meetings[k], 0, 1);
            meet(which, &meetings[k], 0.5f, 20);
        }
}

/* Two sheets in one plane run into each other edge to edge, and one lies in the plane of another's
 * edge. */
static void test_sheets_in_one_plane(void)
{
    for (int which = 0; which < 3; ++which)
        for (int flat = 0; flat < 2; ++flat) {
            struct scene s = empty(which, 0.3f);
            const piola_asset *sheet = scene_sheet(0.2, 0.2, 4, 4, 500);
            piola_body_desc b = piola_body_desc_default();
            b.velocity[0] = 0.5f;
            (void)scene_enter(&s, sheet, &b);
            b = posed(0, flat ? 0 : 90, (const float[3]){0.21f, flat ? 0 : 0.1f, 0}, 0);
            b.velocity[0] = -2;
            (void)scene_enter(&s, sheet, &b);
            TEST_ASSERT_EQUAL(0, scene_crossings(&s));
            for (int i = 0; i < scene_steps(40, 1000); ++i)
                scene_step(&s, "sheets in one plane");
            TEST_ASSERT_TRUE(s.most > 0);
        }
}

/* A triangle of cloth whose corners are put in one line, at two places, or at one. */
static void enter_flat(struct scene *s, int kind)
{
    static const double rest[9] = {0, 0, 0, 0.06, 0, 0, 0, 0, 0.06};
    static const float put[3][9] = {{0, 0, 0, 0.03f, 0, 0, 0.06f, 0, 0},
                                    {0, 0, 0, 0.05f, 0, 0.02f, 0.05f, 0, 0.02f},
                                    {0.03f, 0, 0, 0.03f, 0, 0, 0.03f, 0, 0}};
    static const uint32_t corners[3] = {0, 1, 2};
    static piola_material m;
    float x[9];
    m = piola_material_default();
    m.model = PIOLA_MODEL_STVK;
    m.density = 0.3f;
    m.young = 500;
    m.poisson = 0.3f;
    piola_mesh_desc d = piola_mesh_desc_default();
    d.vertices = rest;
    d.vertex_count = 3;
    d.triangles = corners;
    d.triangle_count = 1;
    d.materials = &m;
    d.material_count = 1;
    const piola_body_desc b = piola_body_desc_default();
    const piola_body body = scene_enter(s, fixture_compile(&d), &b);
    for (int i = 0; i < 9; ++i)
        x[i] = put[kind][i] + (i % 3 == 0 ? 0.03f : i % 3 == 1 ? 0.104f : 0.05f);
    fixture_ok(piola_body_set_positions(s->world, body, 0, 3, x, NULL), NULL);
}

static void test_triangles_without_area(void)
{
    for (int which = 0; which < 3; ++which)
        for (int kind = 0; kind < 3; ++kind)
            for (int fast = 0; fast < 2; ++fast) {
                struct scene s = empty(which, 0.3f);
                enter_flat(&s, kind);
                const piola_body_desc b = posed(0, 0, (const float[3]){0, 0, 0}, fast ? 100 : 1);
                (void)scene_enter(&s, fixture_beam_of(2, 2, 2, CELL, NULL, 0), &b);
                TEST_ASSERT_EQUAL(0, scene_crossings(&s));
                for (int i = 0; i < scene_steps(40, 1000); ++i)
                    scene_step(&s, "triangles without area");
                TEST_ASSERT_TRUE(s.most > 0);
            }
}

/* A sheet in the plane of a floor, and a solid pressed flat into it: finite, and not below. */
static void test_all_in_the_plane(void)
{
    for (int which = 0; which < 3; ++which)
        for (int solid = 0; solid < 2; ++solid) {
            piola_world_desc d = scene_desc(scene_solvers[which].solver);
            d.max_contacts = solid ? 0 : d.max_contacts;
            struct scene s = scene_of(&d);
            (void)scene_floor(&s, 0.5f);
            const piola_body_desc b = piola_body_desc_default();
            (void)scene_enter(&s,
                              solid ? fixture_beam_of(2, 2, 2, CELL, NULL, 0)
                                    : scene_sheet(0.2, 0.2, 4, 4, 500),
                              &b);
            scene_collect(&s);
            for (uint32_t i = 0; i < s.vertex_count; ++i)
                s.x[3 * i + 1] = 0;
            fixture_ok(piola_body_set_positions(s.world, s.body[0], 0, s.vertex_count, s.x, NULL),
                       NULL);
            double low = 0;
            for (int i = 0; i < scene_steps(60, 1000); ++i) {
                fixture_steps(s.world, NULL, 1);
                scene_collect(&s);
                for (uint32_t v = 0; v < s.vertex_count; ++v) {
                    TEST_ASSERT_TRUE(isfinite(s.x[3 * v]) && isfinite(s.x[3 * v + 2]));
                    low = fmin(low, (double)s.x[3 * v + 1]);
                }
            }
            printf("%s, a %s in the floor's plane: lowest %.1e m\n", scene_solvers[which].name,
                   solid ? "solid" : "sheet", low);
            TEST_ASSERT_TRUE(low > -1e-6);
        }
}

/* Momentum, angular momentum about the common centre of mass, where that is, and the mass. */
struct motion {
    double linear[3], angular[3], centre[3], mass;
};

static struct motion motion_of(const struct scene *s)
{
    struct motion m = {{0}, {0}, {0}, scene_mass(s)};
    double sum[6];
    scene_momentum(s, sum);
    for (int b = 0; b < s->bodies; ++b) {
        piola_body_info info;
        fixture_ok(piola_body_inspect(s->world, s->body[b], &info), NULL);
        for (int k = 0; k < 3; ++k)
            m.centre[k] += info.mass / m.mass * info.centre[k];
    }
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        m.linear[k] = sum[k];
        m.angular[k] = sum[3 + k] - (m.centre[i] * sum[j] - m.centre[j] * sum[i]);
    }
    return m;
}

/* Two solid boxes that meet askew. */
static struct scene two_bodies(int which, uint64_t *random, float speed)
{
    struct scene s = empty(which, 0);
    const piola_asset *assets[2] = {fixture_beam_of(3, 2, 2, CELL, NULL, 0),
                                    fixture_beam_of(2, 2, 1, 0.04, NULL, 0)};
    for (int k = 0; k < 2; ++k) {
        piola_body_desc b =
            posed((int)(3 * fixture_uniform(random)), 90 * fixture_uniform(random),
                  (const float[3]){0.3f * (float)k, 0.05f * (float)fixture_uniform(random),
                                   0.05f * (float)fixture_uniform(random)},
                  (float)fixture_uniform(random));
        b.velocity[0] = k ? -0.6f * speed : 0.4f * speed;
        (void)scene_enter(&s, assets[k], &b);
    }
    return s;
}

/* The worst of some impacts: shares of what was brought, and m. */
struct impacts {
    double linear, angular, next_angular; /* the second largest of `angular` */
    double lag;
};

static void impact(int which, uint64_t *random, double speed, struct impacts *worst)
{
    struct scene s = two_bodies(which, random, (float)speed);
    const struct motion before = motion_of(&s);
    /* As if all of the lighter body were turned round at its reach. */
    const double brought = 0.3 * before.mass * speed, turned = 0.05 * brought;
    const int steps = (int)(60 * 5 / speed);
    while (s.steps < steps)
        scene_step(&s, "two bodies");
    const struct motion after = motion_of(&s);
    double angular = 0;
    for (int k = 0; k < 3; ++k) {
        const double way = 0.005 * steps * before.linear[k] / before.mass;
        const double lag = fabs(after.centre[k] - before.centre[k] - way);
        const double linear = fabs(after.linear[k] - before.linear[k]) / brought;
        angular = fmax(angular, fabs(after.angular[k] - before.angular[k]) / turned);
        worst->linear = fmax(worst->linear, linear);
        worst->lag = fmax(worst->lag, lag);
    }
    worst->next_angular = fmax(worst->next_angular, fmin(angular, worst->angular));
    worst->angular = fmax(worst->angular, angular);
}

/* Bodies that meet any way keep their momentum to 1e-4 of what was brought, and their centre of
 * mass goes where it takes them. Angular momentum is kept as well, but for substeps in which they
 * come near and do not touch: there their islands are carried as one (contact_drift.c), which moves
 * each a little off, by up to 6e-3 in a substep. How long they stay so is chance: of 1,500 impacts
 * each with descent, compliant and energy none, one and one changed it by more than 0.03, at most
 * by 0.02, 0.05 and 0.11. So all but one impact are held to that. */
static void test_impacts_keep_momentum(void)
{
    for (int fixed = 1; fixed >= 0; --fixed) {
        uint64_t random = fixed ? 1 : fixture_seed();
        for (int which = 0; which < 3; ++which) {
            struct impacts worst = {0};
            const int rounds = fixture_count(fixed ? 16 : 4, 1);
            for (int round = 0; round < rounds; ++round)
                impact(which, &random, round % 2 ? 5 : 1, &worst);
            printf("%s: %d impacts change momentum by %.1e of what was brought, angular momentum "
                   "by %.1e, but for one by %.1e; the centre of mass is %.1e m from its way\n",
                   scene_solvers[which].name, rounds, worst.linear, worst.angular,
                   worst.next_angular, worst.lag);
            TEST_ASSERT_TRUE(worst.linear < 1e-4 && worst.lag < 0.01);
            TEST_ASSERT_TRUE(worst.angular < 0.2 && worst.next_angular < 0.03);
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_parallel_and_coplanar);
    RUN_TEST(test_sheets_in_one_plane);
    RUN_TEST(test_triangles_without_area);
    RUN_TEST(test_all_in_the_plane);
    RUN_TEST(test_impacts_keep_momentum);
    return UNITY_END();
}
