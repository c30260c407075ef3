/* Fine meshes embedded in tetrahedra: exact under affine maps, inside and outside; they follow a
 * bent body as an independent evaluation in double says; equal bits; refusals.
 *
 * covers: src/api/detail_embed.c
 */
#include "fixture.h"
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

enum { FINE = 1000 };
static ref_mesh box;
static double fine[3 * FINE];
static float fine_normals[3 * FINE];

static piola_mesh_desc described(uint32_t compile_for)
{
    static const piola_material none;
    piola_material *rubber = fixture_memory(sizeof none);
    *rubber = piola_material_default();
    ref_mesh_free(&box);
    TEST_ASSERT_TRUE(ref_mesh_beam(&box, (int[]){4, 3, 2}, (double[]){0.4, 0.3, 0.2}, 5));
    ref_mesh_distort(&box, 0.015, 7);
    piola_mesh_desc mesh = fixture_mesh(&box, rubber);
    mesh.compile_for = compile_for;
    return mesh;
}

/* Inside, but for the last tenth, which lie up to 0.1 m outside. */
static void scatter(uint64_t *seed)
{
    static const double size[3] = {0.4, 0.3, 0.2};
    for (int i = 0; i < FINE; ++i)
        for (int k = 0; k < 3; ++k) {
            const double u = fixture_uniform(seed);
            fine[3 * i + k] =
                i < FINE - FINE / 10 ? size[k] * (0.1 + 0.8 * u) : size[k] + 0.02 + 0.08 * u;
            fine_normals[3 * i + k] = (float)(2 * fixture_uniform(seed) - 1);
        }
}

static const piola_detail *bind(const piola_asset *asset, bool normals)
{
    piola_detail_desc desc = piola_detail_desc_default();
    size_t bytes = 0, scratch = 0;
    const piola_detail *detail = NULL;
    piola_error error;
    desc.asset = asset;
    desc.vertices = fine;
    desc.normals = normals ? fine_normals : NULL;
    desc.vertex_count = FINE;
    desc.mode = PIOLA_DETAIL_EMBED;
    fixture_ok(piola_detail_size(&desc, &bytes, &scratch, &error), &error);
    fixture_ok(piola_detail_build(&desc, fixture_memory(scratch), scratch, fixture_memory(bytes),
                                  bytes, &detail, &error),
               &error);
    return detail;
}

static const piola_detail_pose *pose_of(const piola_detail *detail, const piola_world *world,
                                        piola_body body)
{
    const piola_detail_pose *pose = NULL;
    const size_t bytes = piola_detail_pose_size(detail);
    fixture_ok(piola_detail_pose_take(detail, world, body, fixture_memory(bytes), bytes, &pose),
               NULL);
    return pose;
}

/* Rows of A, then what is added. */
static void map(const double a[12], const double *x, double *y)
{
    for (int k = 0; k < 3; ++k)
        y[k] = a[3 * k] * x[0] + a[3 * k + 1] * x[1] + a[3 * k + 2] * x[2] + a[9 + k];
}

/* n goes to cof(A) n, of unit length: products of two rows. */
static void map_normal(const double a[12], const float *n, double *m)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const double *p = a + 3 * ((k + 1) % 3), *q = a + 3 * ((k + 2) % 3);
        m[k] = 0;
        for (int i = 0; i < 3; ++i)
            m[k] +=
                (p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3]) * (double)n[i];
        sum += m[k] * m[k];
    }
    for (int k = 0; k < 3; ++k)
        m[k] /= sqrt(sum);
}

static void test_affine_maps_are_exact(void)
{
    uint64_t seed = fixture_seed();
    const piola_mesh_desc mesh = described(PIOLA_COMPILE_FOR_PROJECTION);
    const piola_asset *asset = fixture_compile(&mesh);
    const piola_world_desc d = piola_world_desc_default();
    scatter(&seed);
    const piola_detail *detail = bind(asset, true);
    piola_detail_stats stats;
    fixture_ok(piola_detail_inspect(detail, &stats), NULL);
    TEST_ASSERT_EQUAL_UINT32(FINE / 10, stats.outside);
    TEST_ASSERT_EQUAL_UINT32(mesh.tetrahedron_count, stats.tetrahedra);
    TEST_ASSERT_EQUAL_UINT32(0, stats.triangles);
    TEST_ASSERT_TRUE(stats.distance > 0.03f && stats.distance < 0.25f);
    piola_world_desc own = d;
    own.solver = PIOLA_SOLVER_ENERGY;
    piola_world *world = fixture_world(&own);
    const piola_body body = fixture_body(world, asset, 0, 0, 0);
    for (int run = 0; run < 20; ++run) {
        double a[12];
        static float x[3 * 200], y[3 * FINE], n[3 * FINE];
        for (int i = 0; i < 12; ++i)
            a[i] = (i % 4 == 0 && i < 9 ? 1 : 0) + 1.2 * fixture_uniform(&seed) - 0.6;
        for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
            double to[3];
            map(a, mesh.vertices + 3 * (size_t)v, to);
            for (int k = 0; k < 3; ++k)
                x[3 * v + (uint32_t)k] = (float)to[k];
        }
        fixture_ok(piola_body_set_positions(world, body, 0, mesh.vertex_count, x, NULL), NULL);
        const piola_detail_pose *pose = pose_of(detail, world, body);
        fixture_ok(piola_detail_evaluate(detail, pose, 0, FINE, y, n), NULL);
        const double det = a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
                           a[2] * (a[3] * a[7] - a[4] * a[6]);
        for (int i = 0; i < FINE; ++i) {
            double to[3], m[3];
            map(a, fine + 3 * (size_t)i, to);
            map_normal(a, fine_normals + 3 * (size_t)i, m);
            for (int k = 0; k < 3; ++k) {
                TEST_ASSERT_DOUBLE_WITHIN(3e-6, to[k], y[3 * i + k]);
                if (fabs(det) > 0.2)
                    TEST_ASSERT_DOUBLE_WITHIN(3e-4, m[k], n[3 * i + k]);
            }
        }
    }
}

/* Of a body that bends under its weight, from bonds that are read, in double; and any split of the
 * range has the same bits on every instruction set. */
static void test_a_bent_body_carries_it(void)
{
    uint64_t seed = fixture_seed();
    const piola_mesh_desc mesh =
        described(PIOLA_COMPILE_FOR_PROJECTION | PIOLA_COMPILE_FOR_DESCENT);
    const piola_asset *asset = fixture_compile(&mesh);
    scatter(&seed);
    const piola_detail *detail = bind(asset, true);
    static float first[3 * FINE], y[3 * FINE], n[3 * FINE], x[3 * 200];
    int worlds = 0;
    for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa) {
        if (!piola_isa_available((piola_isa)isa))
            continue;
        piola_world_desc d = piola_world_desc_default();
        d.isa = (piola_isa)isa;
        piola_world *world = fixture_world(&d);
        const piola_body body = fixture_body(world, asset, 0, 0, 0);
        for (uint32_t v = 0; v < 12; ++v)
            fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, v, (float)mesh.vertices[3 * v],
                         (float)mesh.vertices[3 * v + 1], (float)mesh.vertices[3 * v + 2]);
        fixture_steps(world, NULL, 30);
        const piola_detail_pose *pose = pose_of(detail, world, body);
        for (uint32_t i = 0; i < FINE; i += 37)
            fixture_ok(piola_detail_evaluate(detail, pose, i, FINE - i < 37 ? FINE - i : 37,
                                             y + 3 * (size_t)i, n + 3 * (size_t)i),
                       NULL);
        fixture_ok(piola_body_positions(world, body, 0, mesh.vertex_count, x), NULL);
        for (uint32_t i = 0; i < FINE; ++i) {
            piola_detail_bond bond;
            fixture_ok(piola_detail_vertex_bond(detail, i, &bond), NULL);
            const uint32_t *v = mesh.tetrahedra + 4 * (size_t)bond.triangle;
            const double last = 1 - (double)bond.barycentric[0] - (double)bond.barycentric[1] -
                                (double)bond.barycentric[2];
            for (uint32_t k = 0; k < 3; ++k) {
                double sum = last * (double)x[3 * v[3] + k];
                for (int c = 0; c < 3; ++c)
                    sum += (double)bond.barycentric[c] * (double)x[3 * v[c] + k];
                TEST_ASSERT_DOUBLE_WITHIN(2e-6, sum, y[3 * i + k]);
            }
        }
        if (worlds++ == 0)
            memcpy(first, y, sizeof y);
        TEST_ASSERT_EQUAL_MEMORY(first, y, sizeof y);
    }
}

static void test_what_cannot_be_embedded_is_refused(void)
{
    uint64_t seed = fixture_seed();
    piola_mesh_desc mesh = described(PIOLA_COMPILE_FOR_DESCENT);
    mesh.coarse_level = false;
    scatter(&seed);
    piola_detail_desc desc = piola_detail_desc_default();
    piola_error error;
    size_t bytes = 0, scratch = 0;
    desc.asset = fixture_compile(&mesh);
    desc.vertices = fine;
    desc.vertex_count = FINE;
    desc.mode = PIOLA_DETAIL_EMBED;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COMPILE_FOR, piola_detail_size(&desc, &bytes, &scratch, &error));
    TEST_ASSERT_EQUAL_STRING("piola_detail_desc.asset", error.field);
    desc.mode = PIOLA_DETAIL_MODE_COUNT;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_detail_size(&desc, &bytes, &scratch, &error));
    TEST_ASSERT_EQUAL_STRING("piola_detail_desc.mode", error.field);
    /* Normals that were never given. */
    mesh = described(PIOLA_COMPILE_FOR_PROJECTION | PIOLA_COMPILE_FOR_DESCENT);
    const piola_asset *asset = fixture_compile(&mesh);
    const piola_detail *detail = bind(asset, false);
    const piola_world_desc d = piola_world_desc_default();
    piola_world *world = fixture_world(&d);
    const piola_body body = fixture_body(world, asset, 0, 0, 0);
    const piola_detail_pose *pose = pose_of(detail, world, body);
    float x[3], n[3];
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_detail_evaluate(detail, pose, 0, 1, x, n));
    fixture_ok(piola_detail_evaluate(detail, pose, 0, 1, x, NULL), NULL);
    for (int k = 0; k < 3; ++k)
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, fine[k], x[k]);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_affine_maps_are_exact);
    RUN_TEST(test_a_bent_body_carries_it);
    RUN_TEST(test_what_cannot_be_embedded_is_refused);
    ref_mesh_free(&box);
    return UNITY_END();
}
