/* test_io_fill.c - surfaces filled with tetrahedra: a ball's volume and shape, and any bad surface.
 * covers: io/mesh/fill.c io/mesh/implicit.c io/mesh/surface_tree.c */
#define _POSIX_C_SOURCE 200809L
#include "failing.h"
#include "fixture.h"
#include "io/mesh/fill.h"
#include "io/mesh/inspect.h"
#include "io/mesh/shape.h"
#include "io/mesh/surface_tree.h"
#include "io/mesh/surfaces.h"
#include "unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static struct meshgen surface, solid;
static struct problem problem;
static uint64_t seed;

void setUp(void)
{
    memset(&surface, 0, sizeof surface);
    memset(&solid, 0, sizeof solid);
    memset(&problem, 0, sizeof problem);
}

void tearDown(void)
{
    meshgen_free(&surface);
    meshgen_free(&solid);
}

/* -1 to 1. */
static double any(void)
{
    return (double)(fixture_random(&seed) >> 11) / 4503599627370496.0 - 1;
}

static uint32_t below(uint32_t most)
{
    return (uint32_t)(fixture_random(&seed) % most);
}

/* ---- the tree ---- */

static void test_the_tree_agrees_with_every_triangle(void)
{
    struct surface_tree tree;
    TEST_ASSERT_TRUE(surface_sphere(&surface, 1, 6));
    TEST_ASSERT_TRUE(surface_tree_make(&tree, &surface));
    for (int n = 0; n < 300; ++n) {
        const double p[3] = {1.6 * any(), 1.6 * any(), 1.6 * any()};
        double nearest[3], brute = 1e9, q[3];
        const double distance = surface_tree_nearest(&tree, p, nearest);
        for (uint32_t t = 0; t < surface.triangle_count; ++t) {
            struct meshgen one = surface;
            struct surface_tree alone;
            one.triangles = surface.triangles + 3 * (size_t)t;
            one.triangle_count = 1;
            TEST_ASSERT_TRUE(surface_tree_make(&alone, &one));
            brute = fmin(brute, surface_tree_nearest(&alone, p, q));
            surface_tree_free(&alone);
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, brute, distance);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, distance,
                                  sqrt(pow(p[0] - nearest[0], 2) + pow(p[1] - nearest[1], 2) +
                                       pow(p[2] - nearest[2], 2)));
        const double radius = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        if (fabs(radius - 1) > 0.05)
            TEST_ASSERT_DOUBLE_WITHIN(0.05, radius < 1 ? 1 : 0, surface_tree_winding(&tree, p));
    }
    surface_tree_free(&tree);
}

/* ---- what is made ---- */

/* Largest distance of the solid's surface from the one it fills, m. */
static double strays(void)
{
    struct surface_tree tree;
    uint32_t count = 0;
    double most = 0;
    uint32_t *outside = shape_surface(&solid, &count);
    TEST_ASSERT_NOT_NULL(outside);
    TEST_ASSERT_TRUE(surface_tree_make(&tree, &surface));
    for (size_t i = 0; i < 3 * (size_t)count; ++i) {
        double nearest[3];
        most = fmax(most,
                    surface_tree_nearest(&tree, solid.vertices + 3 * (size_t)outside[i], nearest));
    }
    surface_tree_free(&tree);
    free(outside);
    return most;
}

static struct mesh_facts is_sound(void)
{
    struct mesh_facts facts;
    TEST_ASSERT_TRUE_MESSAGE(inspect_mesh(&solid, &facts, &problem), problem.text);
    TEST_ASSERT_EQUAL(0, facts.inverted);
    TEST_ASSERT_EQUAL(0, facts.isolated);
    TEST_ASSERT_TRUE(facts.elements > 0 && facts.quality_least > 0.1);
    piola_mesh_desc desc = meshgen_desc(&solid);
    const piola_material rubber = piola_material_default();
    const piola_asset *asset = NULL;
    piola_io_error error;
    desc.materials = &rubber;
    desc.material_count = 1;
    TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_OK, piola_io_asset_make(&desc, NULL, &asset, &error),
                              error.text);
    piola_io_asset_free(asset, NULL);
    return facts;
}

static void test_a_ball_is_filled(void)
{
    bool skin = true;
    TEST_ASSERT_TRUE(surface_sphere(&surface, 3, 20));
    TEST_ASSERT_TRUE_MESSAGE(fill_surface(&surface, 4000, &solid, &skin, &problem), problem.text);
    const struct mesh_facts facts = is_sound();
    TEST_ASSERT_FALSE(skin);
    TEST_ASSERT_TRUE(facts.manifold && facts.parts == 1);
    TEST_ASSERT_DOUBLE_WITHIN(0.03, 1, facts.volume / (36 * PI));
    TEST_ASSERT_DOUBLE_WITHIN(1000, 4000, facts.elements);
    /* Elements are 0.7 m wide; a vertex stays short of the surface where an element would get bad.
     */
    TEST_ASSERT_DOUBLE_WITHIN(0.35, 0, strays());
}

/* Facing inwards, with a third of its triangles gone, it is nearly the same. */
static void test_a_ball_with_holes_is_filled(void)
{
    TEST_ASSERT_TRUE(surface_sphere(&surface, 1, 20));
    uint32_t kept = 0;
    for (size_t t = 0; t < surface.triangle_count; ++t) {
        const uint32_t v[3] = {surface.triangles[3 * t], surface.triangles[3 * t + 2],
                               surface.triangles[3 * t + 1]};
        if (t % 3)
            memcpy(surface.triangles + 3 * (size_t)kept++, v, sizeof v);
    }
    surface.triangle_count = kept;
    bool skin = true;
    TEST_ASSERT_TRUE_MESSAGE(fill_surface(&surface, 3000, &solid, &skin, &problem), problem.text);
    TEST_ASSERT_FALSE(skin);
    TEST_ASSERT_DOUBLE_WITHIN(0.1, 1, is_sound().volume / (4 * PI / 3));
}

static void test_an_open_sheet_becomes_a_skin(void)
{
    static const double size[2] = {1, 1};
    static const uint32_t cells[2] = {10, 10};
    bool skin = false;
    TEST_ASSERT_TRUE(meshgen_cloth(&surface, size, cells, false));
    TEST_ASSERT_TRUE_MESSAGE(fill_surface(&surface, 2000, &solid, &skin, &problem), problem.text);
    TEST_ASSERT_TRUE(skin);
    TEST_ASSERT_EQUAL(1, is_sound().parts);
}

static void test_nothing_to_fill_is_said(void)
{
    static double place[9];
    static uint32_t corners[3] = {0, 1, 2};
    struct meshgen point = {
        .vertices = place, .triangles = corners, .vertex_count = 3, .triangle_count = 1};
    TEST_ASSERT_FALSE(fill_surface(&point, 100, &solid, NULL, &problem));
    TEST_ASSERT_NOT_NULL(strstr(problem.text, "in one place"));
    memset(&problem, 0, sizeof problem);
    point.triangle_count = 0;
    TEST_ASSERT_FALSE(fill_surface(&point, 100, &solid, NULL, &problem));
    TEST_ASSERT_NOT_NULL(strstr(problem.text, "no triangles"));
}

/* ---- any surface ---- */

/* A ball that is dented, thinned, torn, turned, doubled, or pushed through itself. */
static void make_bad(void)
{
    TEST_ASSERT_TRUE(surface_sphere(&surface, 1, 2 + below(8)));
    const double flat[3] = {pow(10, -1.5 * fabs(any())), 1, pow(10, any())};
    const double noise = below(3) ? 0.15 * fabs(any()) : 0, size = pow(10, 4 * any());
    const uint32_t holes = below(3) ? 0 : 1 + below(60), turned = below(4) ? 0 : below(50);
    const uint32_t swaps = below(4) ? 0 : below(20);
    for (size_t i = 0; i < 3 * (size_t)surface.vertex_count; ++i)
        surface.vertices[i] = size * (surface.vertices[i] * flat[i % 3] + noise * any());
    for (uint32_t t = 0; t < surface.triangle_count; ++t) {
        uint32_t *v = surface.triangles + 3 * (size_t)t;
        if (below(100) < holes)
            memcpy(v, surface.triangles + 3 * (size_t)below(surface.triangle_count), 12);
        if (below(100) < turned) {
            const uint32_t swap = v[0];
            v[0] = v[1];
            v[1] = swap;
        }
        if (below(100) < swaps)
            v[below(3)] = below(surface.vertex_count);
    }
}

/* Always a sound mesh of about the size asked for; never a crash, a hang, or an element inside out.
 */
static void test_any_surface_gives_a_sound_mesh(void)
{
    double least = 1, most = 0;
    uint32_t skins = 0;
    const int count = fixture_count(40, 6);
    for (int n = 0; n < count; ++n) {
        bool skin;
        setUp();
        make_bad();
        TEST_ASSERT_TRUE_MESSAGE(fill_surface(&surface, 200 + below(600), &solid, &skin, &problem),
                                 problem.text);
        const struct mesh_facts facts = is_sound();
        double side = 0;
        for (int k = 0; k < 3; ++k)
            side = fmax(side, facts.high[k] - facts.low[k]);
        TEST_ASSERT_TRUE(facts.elements < 60000);
        least = fmin(least, facts.quality_least);
        most = fmax(most, strays() / side);
        skins += skin;
        tearDown();
    }
    printf("%d surfaces, %u of them skins: least quality %.3f, farthest from its surface %.3f of "
           "its size\n",
           count, skins, least, most);
    setUp();
}

static void test_memory_that_runs_out_leaves_nothing(void)
{
    struct failing failing = {0};
    piola_io_mesh *from = NULL, *made = NULL;
    piola_io_error error;
    const piola_io_sheet_desc sheet = piola_io_sheet_desc_default();
    piola_io_fill_desc desc = piola_io_fill_desc_default();
    piola_io_mesh_options options = piola_io_mesh_options_default();
    bool skin = false;
    desc.tetrahedra = 300;
    options.allocator = failing_allocator(&failing);
    TEST_ASSERT_EQUAL(PIOLA_IO_OK, piola_io_make_sheet(&sheet, NULL, &from, &error));
    TEST_ASSERT_EQUAL_MESSAGE(
        PIOLA_IO_OK, piola_io_mesh_fill(from, &desc, &options, &made, &skin, &error), error.text);
    TEST_ASSERT_TRUE(skin);
    const uint64_t asked = failing.asked;
    piola_io_mesh_free(made);
    made = NULL;
    TEST_ASSERT_EQUAL(0, failing.live);
    for (failing.fails = 1; failing.fails <= asked; ++failing.fails) {
        failing.asked = 0;
        TEST_ASSERT_EQUAL(PIOLA_IO_ERROR_MEMORY,
                          piola_io_mesh_fill(from, &desc, &options, &made, NULL, &error));
        TEST_ASSERT_EQUAL(0, failing.live);
        TEST_ASSERT_NULL(made);
    }
    failing.fails = 0;
    desc.tetrahedra = 0;
    TEST_ASSERT_EQUAL(PIOLA_IO_ERROR_RANGE,
                      piola_io_mesh_fill(from, &desc, &options, &made, NULL, &error));
    TEST_ASSERT_EQUAL(PIOLA_IO_ERROR_NULL,
                      piola_io_mesh_fill(NULL, NULL, NULL, &made, NULL, &error));
    desc.cookie_ = 0;
    TEST_ASSERT_EQUAL(PIOLA_IO_ERROR_COOKIE,
                      piola_io_mesh_fill(from, &desc, NULL, &made, NULL, &error));
    piola_io_mesh_free(from);
}

int main(void)
{
    seed = fixture_seed();
    UNITY_BEGIN();
    RUN_TEST(test_the_tree_agrees_with_every_triangle);
    RUN_TEST(test_a_ball_is_filled);
    RUN_TEST(test_a_ball_with_holes_is_filled);
    RUN_TEST(test_an_open_sheet_becomes_a_skin);
    RUN_TEST(test_nothing_to_fill_is_said);
    RUN_TEST(test_any_surface_gives_a_sound_mesh);
    RUN_TEST(test_memory_that_runs_out_leaves_nothing);
    return UNITY_END();
}
