/* Fine meshes bound to a surface: they come back at rest, turned, moved and scaled; they follow a
 * deformation as an independent evaluation in double says; equal bits; bad blocks and calls. Bad
 * descriptions: test_detail_refused.c.
 *
 * covers: src/api/detail_bind.c src/api/detail_build.c src/api/detail_grid.c src/api/detail_pose.c
 */
#include "fixture.h"
#include "io/mesh/meshgen.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;
static struct meshgen mesh; /* of the test that runs */

void setUp(void)
{
}

void tearDown(void)
{
    meshgen_free(&mesh);
    fixture_clean();
}

/* ---- a surface, and points about it ---- */

struct shape {
    const piola_asset *asset;
    const uint32_t *surface;
    uint32_t triangles;
    double *rest; /* 3 per vertex, as rounded to single precision */
};

static struct shape compile(void)
{
    piola_material material = piola_material_default();
    piola_mesh_desc desc = meshgen_desc(&mesh);
    desc.materials = &material;
    desc.material_count = 1;
    struct shape shape = {.asset = fixture_compile(&desc)};
    shape.surface = piola_asset_surface(shape.asset, &shape.triangles);
    const size_t numbers = 3 * (size_t)mesh.vertex_count;
    shape.rest = fixture_memory(numbers * sizeof *shape.rest);
    for (size_t i = 0; i < numbers; ++i)
        shape.rest[i] = (double)(float)mesh.vertices[i];
    return shape;
}

static struct shape ball(void)
{
    TEST_ASSERT_TRUE(meshgen_ball(&mesh, 0.4, 1500));
    return compile();
}

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; ++k)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double norm(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Twice the areas about a vertex, added up as vectors, and as numbers. */
static double area_about(const struct shape *shape, const double *x, uint32_t vertex, double sum[3])
{
    double size = 0;
    memset(sum, 0, 3 * sizeof *sum);
    for (uint32_t t = 0; t < shape->triangles; ++t) {
        const uint32_t *v = shape->surface + 3 * (size_t)t;
        if (v[0] != vertex && v[1] != vertex && v[2] != vertex)
            continue;
        double a[3], b[3], area[3];
        for (size_t k = 0; k < 3; ++k) {
            a[k] = x[3 * (size_t)v[1] + k] - x[3 * (size_t)v[0] + k];
            b[k] = x[3 * (size_t)v[2] + k] - x[3 * (size_t)v[0] + k];
        }
        cross(a, b, area);
        size += norm(area);
        for (int k = 0; k < 3; ++k)
            sum[k] += area[k];
    }
    return size;
}

/* The vertex's normal, as long as the area about it has grown in one direction. */
static void normal_of(const struct shape *shape, const double *x, uint32_t vertex, double n[3])
{
    double rest[3];
    const double before = area_about(shape, shape->rest, vertex, rest);
    const double now = area_about(shape, x, vertex, n);
    const double scale = sqrt(now / before) / norm(n);
    for (int k = 0; k < 3; ++k)
        n[k] *= scale;
}

/* Where a bond's vertex is when the surface is at x. */
static void follow(const struct shape *shape, const double *x, const piola_detail_bond *bond,
                   double point[3], double normal[3])
{
    memset(point, 0, 3 * sizeof *point);
    memset(normal, 0, 3 * sizeof *normal);
    for (int c = 0; c < 3; ++c) {
        const uint32_t v = shape->surface[3 * (size_t)bond->triangle + (size_t)c];
        const double b = (double)bond->barycentric[c];
        double n[3];
        normal_of(shape, x, v, n);
        for (size_t k = 0; k < 3; ++k) {
            point[k] += b * (x[3 * (size_t)v + k] + (double)bond->distance * n[k]);
            normal[k] += b * n[k];
        }
    }
}

/* Random points up to `reach` off the surface on both sides, and random unit vectors. */
static double *points_about(const struct shape *shape, uint32_t count, double reach, float *normals)
{
    double *points = fixture_memory(3 * (size_t)count * sizeof *points);
    for (uint32_t i = 0; i < count; ++i) {
        double n[3];
        float b = (float)fixture_uniform(&seed), c = (float)fixture_uniform(&seed);
        if (b + c > 1) {
            b = 1 - b;
            c = 1 - c;
        }
        const piola_detail_bond bond = {
            .triangle = (uint32_t)(fixture_uniform(&seed) * shape->triangles),
            .barycentric = {b, c, 1 - b - c},
            .distance = (float)(reach * (2 * fixture_uniform(&seed) - 1))};
        follow(shape, shape->rest, &bond, points + 3 * (size_t)i, n);
        for (int k = 0; k < 3; ++k)
            n[k] = n[k] / norm(n) + 0.8 * (fixture_uniform(&seed) - 0.5);
        const double length = norm(n);
        for (size_t k = 0; k < 3; ++k)
            normals[3 * (size_t)i + k] = (float)(n[k] / length);
    }
    return points;
}

/* ---- bindings ---- */

static piola_status build(const piola_detail_desc *desc, const piola_detail **detail,
                          piola_error *error)
{
    size_t bytes = 0, scratch = 0;
    const piola_status status = piola_detail_size(desc, &bytes, &scratch, error);
    return status != PIOLA_OK ? status
                              : piola_detail_build(desc, fixture_memory(scratch), scratch,
                                                   fixture_memory(bytes), bytes, detail, error);
}

static const piola_detail *bind(const struct shape *shape, const double *points,
                                const float *normals, uint32_t count)
{
    piola_detail_desc desc = piola_detail_desc_default();
    const piola_detail *detail = NULL;
    piola_error error = {0};
    desc.asset = shape->asset;
    desc.vertices = points;
    desc.normals = normals;
    desc.vertex_count = count;
    fixture_ok(build(&desc, &detail, &error), &error);
    return detail;
}

struct scene {
    piola_world *world;
    piola_body body;
};

static struct scene place(const struct shape *shape, piola_isa isa)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.isa = isa;
    struct scene scene = {.world = fixture_world(&desc)};
    scene.body = fixture_body(scene.world, shape->asset, 0, 0, 0);
    return scene;
}

static void move_to(const struct scene *scene, const double *x)
{
    float *xyz = fixture_memory(3 * (size_t)mesh.vertex_count * sizeof *xyz);
    for (size_t i = 0; i < 3 * (size_t)mesh.vertex_count; ++i)
        xyz[i] = (float)x[i];
    fixture_ok(piola_body_set_positions(scene->world, scene->body, 0, mesh.vertex_count, xyz, NULL),
               NULL);
}

static const piola_detail_pose *pose(const struct scene *scene, const piola_detail *detail)
{
    const size_t bytes = piola_detail_pose_size(detail);
    const piola_detail_pose *taken = NULL;
    fixture_ok(piola_detail_pose_take(detail, scene->world, scene->body, fixture_memory(bytes),
                                      bytes, &taken),
               NULL);
    return taken;
}

static double worst(const double *wanted, const float *got, uint32_t count)
{
    double most = 0;
    for (size_t i = 0; i < 3 * (size_t)count; ++i) {
        const double off = fabs(wanted[i] - (double)got[i]);
        most = off > most || !(off == off) ? off : most;
    }
    return most;
}

/* ---- rigid motion and uniform scaling ---- */

static void random_rotation(double r[9])
{
    double q[4], length = 0;
    for (int k = 0; k < 4; ++k) {
        q[k] = 2 * fixture_uniform(&seed) - 1;
        length += q[k] * q[k];
    }
    for (int k = 0; k < 4; ++k)
        q[k] /= sqrt(length);
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double m[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(r, m, sizeof m);
}

static void transform(const double r[9], double scale, const double shift[3], const double *from,
                      double *to, uint32_t count)
{
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < 3; ++k)
            to[3 * i + k] =
                shift[k] + scale * (r[3 * k] * from[3 * i] + r[3 * k + 1] * from[3 * i + 1] +
                                    r[3 * k + 2] * from[3 * i + 2]);
}

/* Turned, scaled and moved the same way, surface and fine mesh stay together to 1e-5 of the size.
 */
static void comes_along(const struct shape *shape, const double *points, const float *normals,
                        uint32_t count)
{
    const piola_detail *detail = bind(shape, points, normals, count);
    const struct scene scene = place(shape, PIOLA_ISA_AUTO);
    double *x = fixture_memory(3 * (size_t)mesh.vertex_count * sizeof *x);
    double *wanted = fixture_memory(3 * (size_t)count * sizeof *wanted);
    double *directions = fixture_memory(3 * (size_t)count * sizeof *directions);
    float *got = fixture_memory(3 * (size_t)count * sizeof *got);
    float *got_normals = fixture_memory(3 * (size_t)count * sizeof *got_normals);
    const double scales[] = {1, 1, 0.25, 3, 40}, nowhere[3] = {0, 0, 0};
    for (size_t trial = 0; trial < sizeof scales / sizeof *scales; ++trial) {
        double r[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, shift[3] = {0, 0, 0};
        if (trial > 0) {
            random_rotation(r);
            for (int k = 0; k < 3; ++k)
                shift[k] = scales[trial] * (fixture_uniform(&seed) - 0.5);
        }
        transform(r, scales[trial], shift, shape->rest, x, mesh.vertex_count);
        transform(r, scales[trial], shift, points, wanted, count);
        for (size_t i = 0; i < 3 * (size_t)count; ++i)
            directions[i] = (double)normals[i];
        move_to(&scene, x);
        fixture_ok(piola_detail_evaluate(detail, pose(&scene, detail), 0, count, got, got_normals),
                   NULL);
        const double off = worst(wanted, got, count) / scales[trial];
        transform(r, 1, nowhere, directions, wanted, count);
        const double off_normals = worst(wanted, got_normals, count);
        printf("scale %g: positions off by %.2g of the size, normals by %.2g\n", scales[trial], off,
               off_normals);
        TEST_ASSERT_TRUE(off < 1e-5);
        TEST_ASSERT_TRUE(off_normals < 1e-5);
    }
}

static void test_a_fine_mesh_turns_moves_and_scales_with_its_body(void)
{
    seed = fixture_seed();
    const struct shape shape = ball();
    const uint32_t count = (uint32_t)fixture_count(5000, 500);
    float *normals = fixture_memory(3 * (size_t)count * sizeof *normals);
    comes_along(&shape, points_about(&shape, count, 0.06, normals), normals, count);
}

/* Corners of 90 degrees, where normals differ most. */
static void test_it_does_so_on_a_box(void)
{
    seed = fixture_seed();
    TEST_ASSERT_TRUE(meshgen_box(&mesh, (double[]){0.6, 0.4, 0.5}, (uint32_t[]){3, 2, 4}));
    const struct shape shape = compile();
    const uint32_t count = (uint32_t)fixture_count(2000, 200);
    float *normals = fixture_memory(3 * (size_t)count * sizeof *normals);
    comes_along(&shape, points_about(&shape, count, 0.04, normals), normals, count);
}

/* Beside the edge of a sheet no prism holds a point: the nearest triangle takes it. */
static void test_it_does_so_beyond_the_edge_of_a_sheet(void)
{
    seed = fixture_seed();
    TEST_ASSERT_TRUE(meshgen_cloth(&mesh, (double[]){1, 0.7}, (uint32_t[]){10, 7}, false));
    const struct shape shape = compile();
    double points[3 * 40];
    float normals[3 * 40];
    for (size_t i = 0; i < 40; ++i) {
        const double side = i % 2 == 0 ? -0.05 : 1.05;
        const double at[3] = {side, 0.02 * (fixture_uniform(&seed) - 0.5),
                              0.7 * fixture_uniform(&seed)};
        memcpy(points + 3 * i, at, sizeof at);
        memcpy(normals + 3 * i, (float[]){0, 0.6f, -0.8f}, 3 * sizeof(float));
    }
    comes_along(&shape, points, normals, 40);
    piola_detail_stats stats;
    fixture_ok(piola_detail_inspect(bind(&shape, points, normals, 40), &stats), NULL);
    TEST_ASSERT_EQUAL_UINT32(40, stats.outside);
}

/* ---- which triangle ---- */

/* Near the surface every point is inside a prism, and its bond leads back to it. */
static void test_points_are_bound_to_the_prism_that_holds_them(void)
{
    seed = fixture_seed();
    const struct shape shape = ball();
    const uint32_t count = (uint32_t)fixture_count(3000, 300);
    float *normals = fixture_memory(3 * (size_t)count * sizeof *normals);
    const double *points = points_about(&shape, count, 0.03, normals);
    const piola_detail *detail = bind(&shape, points, NULL, count);
    piola_detail_stats stats;
    fixture_ok(piola_detail_inspect(detail, &stats), NULL);
    TEST_ASSERT_EQUAL_UINT32(0, stats.outside);
    TEST_ASSERT_TRUE(stats.distance > 0.02f && stats.distance < 0.0301f);
    double largest = 0;
    for (uint32_t i = 0; i < count; ++i) {
        piola_detail_bond bond;
        double x[3], n[3], way = 0;
        fixture_ok(piola_detail_vertex_bond(detail, i, &bond), NULL);
        follow(&shape, shape.rest, &bond, x, n);
        for (size_t k = 0; k < 3; ++k)
            way = fmax(way, fabs(x[k] - points[3 * (size_t)i + k]));
        TEST_ASSERT_TRUE(way < 1e-6);
        for (int k = 0; k < 3; ++k)
            TEST_ASSERT_TRUE(bond.barycentric[k] > -2e-6f);
        largest = fmax(largest, fabs((double)bond.distance) * norm(n));
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, largest, (double)stats.distance);
}

/* ---- deformation ---- */

static void bend(const double *rest, double *x, uint32_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const double *p = rest + 3 * i, angle = 2.5 * p[0];
        x[3 * i] = (0.5 - p[1]) * sin(angle);
        x[3 * i + 1] = 0.5 - (0.5 - p[1]) * cos(angle);
        x[3 * i + 2] = p[2] * (1 + 0.3 * p[0]);
    }
}

/* Against an evaluation in double from the bonds alone. */
static void test_a_bent_surface_takes_its_fine_mesh_along(void)
{
    seed = fixture_seed();
    const struct shape shape = ball();
    const uint32_t count = (uint32_t)fixture_count(2000, 200);
    float *normals = fixture_memory(3 * (size_t)count * sizeof *normals);
    const double *points = points_about(&shape, count, 0.05, normals);
    const piola_detail *detail = bind(&shape, points, NULL, count);
    const struct scene scene = place(&shape, PIOLA_ISA_AUTO);
    double *x = fixture_memory(3 * (size_t)mesh.vertex_count * sizeof *x);
    float *got = fixture_memory(3 * (size_t)count * sizeof *got);
    bend(shape.rest, x, mesh.vertex_count);
    move_to(&scene, x);
    for (size_t i = 0; i < 3 * (size_t)mesh.vertex_count; ++i)
        x[i] = (double)(float)x[i];
    fixture_ok(piola_detail_evaluate(detail, pose(&scene, detail), 0, count, got, normals), NULL);
    for (uint32_t i = 0; i < count; ++i) {
        piola_detail_bond bond;
        double wanted[3], n[3];
        fixture_ok(piola_detail_vertex_bond(detail, i, &bond), NULL);
        follow(&shape, x, &bond, wanted, n);
        for (size_t k = 0; k < 3; ++k) {
            TEST_ASSERT_DOUBLE_WITHIN(2e-6, wanted[k], (double)got[3 * (size_t)i + k]);
            /* Without normals of its own a vertex has the surface's. */
            TEST_ASSERT_DOUBLE_WITHIN(2e-5, n[k] / norm(n), (double)normals[3 * (size_t)i + k]);
        }
    }
}

/* A flat face stretched by 2 and 1 along its axes grows sqrt(2) upwards, and normals on it turn as
 * the inverse transpose of that says. */
static void test_normals_turn_as_a_surface_does(void)
{
    seed = fixture_seed();
    TEST_ASSERT_TRUE(meshgen_cloth(&mesh, (double[]){1, 1}, (uint32_t[]){8, 8}, false));
    const struct shape shape = compile();
    double points[3 * 100];
    float normals[3 * 100], got[3 * 100], turned[3 * 100];
    double up[3];
    area_about(&shape, shape.rest, shape.surface[0], up);
    const double side = up[1] > 0 ? 1 : -1;
    for (size_t i = 0; i < 100; ++i) {
        for (size_t k = 0; k < 3; ++k) {
            points[3 * i + k] =
                k == 1 ? 0.02 * fixture_uniform(&seed) : 0.2 + 0.6 * fixture_uniform(&seed);
            normals[3 * i + k] = (float)(k == 1 ? side : fixture_uniform(&seed) - 0.5);
        }
    }
    const piola_detail *detail = bind(&shape, points, normals, 100);
    const struct scene scene = place(&shape, PIOLA_ISA_AUTO);
    double *x = fixture_memory(3 * (size_t)mesh.vertex_count * sizeof *x);
    memcpy(x, shape.rest, 3 * (size_t)mesh.vertex_count * sizeof *x);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v)
        x[3 * (size_t)v] *= 2;
    move_to(&scene, x);
    fixture_ok(piola_detail_evaluate(detail, pose(&scene, detail), 0, 100, got, turned), NULL);
    for (size_t i = 0; i < 100; ++i) {
        double wanted[3] = {(double)normals[3 * i] / 2, (double)normals[3 * i + 1] / sqrt(2.0),
                            (double)normals[3 * i + 2]};
        const double length = norm(wanted);
        for (size_t k = 0; k < 3; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(1e-5, wanted[k] / length, (double)turned[3 * i + k]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, points[3 * i + 1] * sqrt(2.0), (double)got[3 * i + 1]);
    }
}

/* ---- the same bits ---- */

static void test_ranges_and_instruction_sets_give_the_same_bits(void)
{
    seed = fixture_seed();
    const struct shape shape = ball();
    enum { COUNT = 1003 };
    float normals[3 * COUNT], whole[3 * COUNT], whole_normals[3 * COUNT];
    float part[3 * COUNT], part_normals[3 * COUNT];
    const double *points = points_about(&shape, COUNT, 0.05, normals);
    const piola_detail *detail = bind(&shape, points, normals, COUNT);
    double *x = fixture_memory(3 * (size_t)mesh.vertex_count * sizeof *x);
    bend(shape.rest, x, mesh.vertex_count);
    bool first = true;
    for (int isa = PIOLA_ISA_AUTO + 1; isa < PIOLA_ISA_COUNT; ++isa) {
        if (!piola_isa_available((piola_isa)isa))
            continue;
        const struct scene scene = place(&shape, (piola_isa)isa);
        move_to(&scene, x);
        const piola_detail_pose *taken = pose(&scene, detail);
        if (first)
            fixture_ok(piola_detail_evaluate(detail, taken, 0, COUNT, whole, whole_normals), NULL);
        first = false;
        for (uint32_t at = 0; at < COUNT;) {
            uint32_t count = 1 + (uint32_t)(fixture_uniform(&seed) * 90);
            count = count < COUNT - at ? count : COUNT - at;
            const size_t skip = 3 * (size_t)at;
            fixture_ok(
                piola_detail_evaluate(detail, taken, at, count, part + skip, part_normals + skip),
                NULL);
            at += count;
        }
        TEST_ASSERT_EQUAL_MEMORY(whole, part, sizeof whole);
        TEST_ASSERT_EQUAL_MEMORY(whole_normals, part_normals, sizeof whole);
        fixture_ok(piola_detail_evaluate(detail, taken, 5, 77, part, NULL), NULL);
        TEST_ASSERT_EQUAL_MEMORY(whole + 15, part, 77 * 3 * sizeof(float));
        TEST_ASSERT_EQUAL_MEMORY(whole + 3 * 77, part + 3 * 77, sizeof whole - 77 * 12);
    }
}

/* ---- bad input ---- */

static void test_bad_blocks_are_refused(void)
{
    const struct shape shape = ball();
    const double points[3] = {0.4, 0, 0};
    piola_detail_desc desc = piola_detail_desc_default();
    size_t bytes = 0, scratch = 0;
    desc.asset = shape.asset;
    desc.vertices = points;
    desc.vertex_count = 1;
    fixture_ok(piola_detail_size(&desc, &bytes, &scratch, NULL), NULL);
    char *memory = fixture_memory(bytes + 64), *work = fixture_memory(scratch + 64);
    const piola_detail *detail = NULL;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL,
                          piola_detail_build(&desc, NULL, scratch, memory, bytes, &detail, NULL));
    TEST_ASSERT_EQUAL_INT(
        PIOLA_ERROR_ALIGNMENT,
        piola_detail_build(&desc, work, scratch, memory + 8, bytes, &detail, NULL));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MEMORY, piola_detail_build(&desc, work, scratch - 1, memory,
                                                                 bytes, &detail, NULL));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MEMORY, piola_detail_build(&desc, work, scratch, memory,
                                                                 bytes - 1, &detail, NULL));
    TEST_ASSERT_NULL(detail);
}

static void test_bad_calls_are_refused(void)
{
    const struct shape shape = ball();
    const double points[3] = {0.4, 0, 0};
    const piola_detail *detail = bind(&shape, points, NULL, 1);
    const struct scene scene = place(&shape, PIOLA_ISA_AUTO);
    const size_t bytes = piola_detail_pose_size(detail);
    char *memory = fixture_memory(bytes + 64);
    const piola_detail_pose *taken = NULL;
    TEST_ASSERT_EQUAL_INT(
        PIOLA_ERROR_MEMORY,
        piola_detail_pose_take(detail, scene.world, scene.body, memory, bytes - 1, &taken));
    TEST_ASSERT_EQUAL_INT(
        PIOLA_ERROR_ALIGNMENT,
        piola_detail_pose_take(detail, scene.world, scene.body, memory + 4, bytes, &taken));
    TEST_ASSERT_EQUAL_INT(
        PIOLA_ERROR_STALE,
        piola_detail_pose_take(detail, scene.world, (piola_body){0}, memory, bytes, &taken));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL,
                          piola_detail_pose_take(detail, NULL, scene.body, memory, bytes, &taken));
    const piola_body other = fixture_body(scene.world, fixture_beam(2, 1, 1, 0.1), 0, 3, 0);
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_RANGE, piola_detail_pose_take(detail, scene.world, other,
                                                                    memory, bytes, &taken));
    TEST_ASSERT_NULL(taken);
    taken = pose(&scene, detail);
    float xyz[3];
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_RANGE, piola_detail_evaluate(detail, taken, 1, 1, xyz, NULL));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_RANGE, piola_detail_evaluate(detail, taken, 0, 2, xyz, NULL));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL, piola_detail_evaluate(detail, taken, 0, 1, NULL, NULL));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL, piola_detail_evaluate(detail, NULL, 0, 1, xyz, NULL));
    piola_detail_bond bond;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_RANGE, piola_detail_vertex_bond(detail, 1, &bond));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_fine_mesh_turns_moves_and_scales_with_its_body);
    RUN_TEST(test_it_does_so_on_a_box);
    RUN_TEST(test_it_does_so_beyond_the_edge_of_a_sheet);
    RUN_TEST(test_points_are_bound_to_the_prism_that_holds_them);
    RUN_TEST(test_a_bent_surface_takes_its_fine_mesh_along);
    RUN_TEST(test_normals_turn_as_a_surface_does);
    RUN_TEST(test_ranges_and_instruction_sets_give_the_same_bits);
    RUN_TEST(test_bad_blocks_are_refused);
    RUN_TEST(test_bad_calls_are_refused);
    return UNITY_END();
}
