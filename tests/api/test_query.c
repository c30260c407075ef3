/* Queries (piola/query.h) against brute force of another kind in double, and their conventions:
 * edges, corners, rays along faces, triangles without area, masks, bad input, equal bits.
 * covers: src/api/query.c src/base/query_triangle.c */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cloth_fixture.h"
#include "fixture.h"
#include "query_brute.h"
#include "unity.h"

static uint64_t seed;
void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static double between(double low, double high)
{
    return low + (high - low) * fixture_uniform(&seed);
}

/* ---- a world of some bodies, and all its triangles ---- */

#define TRIANGLES 4000

static piola_world *world;
static double corner[TRIANGLES][3][3];
static piola_overlap owner[TRIANGLES];
static uint32_t group[TRIANGLES], triangles;

static void gather(const piola_body *bodies, const piola_asset *const *assets, int count)
{
    triangles = 0;
    for (int b = 0; b < count; ++b) {
        piola_body_info info;
        uint32_t surface_count = 0;
        fixture_ok(piola_body_inspect(world, bodies[b], &info), NULL);
        const uint32_t *surface = piola_asset_surface(assets[b], &surface_count);
        float *x = fixture_memory(3 * (size_t)info.vertices * sizeof *x);
        fixture_ok(piola_body_positions(world, bodies[b], 0, info.vertices, x), NULL);
        for (uint32_t t = 0; t < surface_count; ++t, ++triangles) {
            TEST_ASSERT_LESS_THAN(TRIANGLES, triangles);
            owner[triangles] = (piola_overlap){bodies[b], t};
            group[triangles] = (uint32_t)info.user_data;
            for (int i = 0; i < 9; ++i)
                corner[triangles][i / 3][i % 3] =
                    (double)x[3 * surface[3 * t + (uint32_t)i / 3] + (uint32_t)i % 3];
        }
    }
}

static void scatter(piola_body body, uint32_t vertices, double size)
{
    for (uint32_t v = 0; v < vertices; ++v) {
        float x[3];
        fixture_ok(piola_body_positions(world, body, v, 1, x), NULL);
        for (int k = 0; k < 3; ++k)
            x[k] += (float)between(-size, size);
        fixture_ok(piola_body_set_positions(world, body, v, 1, x, NULL), NULL);
    }
}

static const piola_asset *sheet_asset(int cells)
{
    ref_sheet_mesh mesh;
    const piola_material material = piola_material_default();
    TEST_ASSERT_TRUE(ref_sheet_mesh_grid(&mesh, (int[]){cells, cells}, (double[]){2, 2},
                                         REF_SHEET_SQUARES, 0, 1));
    const piola_mesh_desc desc = cloth_mesh(&mesh, &material, NULL, NULL);
    const piola_asset *asset = fixture_compile(&desc);
    ref_sheet_mesh_free(&mesh);
    return asset;
}

static piola_body add(const piola_asset *asset, float x, float y, float z, uint32_t of_group)
{
    piola_body_desc d = piola_body_desc_default();
    piola_body body;
    piola_error error;
    d.asset = asset;
    d.category = UINT64_C(1) << of_group;
    d.user_data = of_group;
    d.position[0] = x;
    d.position[1] = y;
    d.position[2] = z;
    fixture_ok(piola_body_create(world, &d, &body, &error), &error);
    return body;
}

static void empty_world(piola_isa isa)
{
    piola_world_desc d = piola_world_desc_default();
    d.isa = isa;
    world = fixture_world(&d);
}

/* Four bodies in groups 0, 1, 33 and 5, shaken; the slot between two of them is empty. Some
 * triangles of the sheet have no area. */
static void some_bodies(piola_isa isa)
{
    empty_world(isa);
    const piola_asset *beam = fixture_beam(3, 4, 2, 0.3), *sheet = sheet_asset(24);
    const piola_asset *assets[4] = {beam, sheet, beam, sheet};
    const piola_body gone = add(beam, 0, 0, 0, 0);
    piola_body bodies[4];
    bodies[0] = add(beam, -1, 0, 0, 0);
    const piola_body also_gone = add(beam, 0, 0, 0, 0);
    bodies[1] = add(sheet, -1, 0.3f, 0.2f, 1);
    bodies[2] = add(beam, 0.6f, 0.1f, -0.5f, 33);
    bodies[3] = add(sheet, -1, -1, -0.7f, 5);
    fixture_ok(piola_body_destroy(world, gone), NULL);
    fixture_ok(piola_body_destroy(world, also_gone), NULL);
    for (int b = 0; b < 4; ++b) {
        piola_body_info info;
        fixture_ok(piola_body_inspect(world, bodies[b], &info), NULL);
        scatter(bodies[b], info.vertices, b == 3 ? 0.4 : 0.05);
    }
    float x[12];
    fixture_ok(piola_body_positions(world, bodies[1], 0, 4, x), NULL);
    memcpy(x + 3, x, 3 * sizeof *x);
    memcpy(x + 9, x + 6, 3 * sizeof *x);
    fixture_ok(piola_body_set_positions(world, bodies[1], 0, 4, x, NULL), NULL);
    gather(bodies, assets, 4);
}

/* ---- brute force ---- */

static double brute_ray(const piola_ray *r, double slack)
{
    double o[3], d[3], best = DBL_MAX, size = 0;
    for (int k = 0; k < 3; ++k) {
        o[k] = (double)r->origin[k];
        d[k] = (double)r->direction[k];
    }
    size = sqrt(dot(d, d));
    for (int k = 0; k < 3; ++k)
        d[k] /= size;
    for (uint32_t t = 0; t < triangles; ++t)
        if (r->mask >> group[t] & 1)
            best = fmin(best, brute_ray_triangle(corner[t], o, d, slack));
    return best > (double)r->max_distance ? DBL_MAX : best;
}

static bool brute_touches(const piola_region *r, uint32_t t, double grow)
{
    double place[3], local[3][3], half[3];
    for (int k = 0; k < 3; ++k) {
        place[k] = (double)r->position[k];
        half[k] = (double)r->size[k] + grow;
    }
    if (!(r->mask >> group[t] & 1))
        return false;
    if (r->shape == PIOLA_REGION_SPHERE)
        return sqrt(brute_square_to(corner[t], place)) <= half[0];
    for (int i = 0; i < 3; ++i) {
        double v[3];
        minus(corner[t][i], place, v);
        brute_turn_back(r->rotation, v, local[i]);
    }
    return brute_clip_box(local, half);
}

/* ---- comparisons ---- */

static uint32_t slot_of(const piola_hit *hit)
{
    for (uint32_t t = 0; t < triangles; ++t)
        if (owner[t].body.index == hit->body.index && owner[t].triangle == hit->triangle)
            return t;
    TEST_FAIL_MESSAGE("a hit on a triangle that is not there");
    return 0;
}

/* The hit fits itself: weights, point, normal, mask. */
static void check_hit(const piola_hit *hit, uint64_t mask)
{
    const uint32_t t = slot_of(hit);
    double sum = 0, n[3];
    TEST_ASSERT_TRUE(mask >> group[t] & 1);
    TEST_ASSERT_EQUAL_UINT32(owner[t].body.generation, hit->body.generation);
    for (int i = 0; i < 3; ++i) {
        TEST_ASSERT_TRUE(hit->weights[i] >= 0);
        sum += (double)hit->weights[i];
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1, sum);
    for (int k = 0; k < 3; ++k) {
        double at = 0;
        for (int i = 0; i < 3; ++i)
            at += (double)hit->weights[i] * corner[t][i][k];
        TEST_ASSERT_DOUBLE_WITHIN(2e-6, at, (double)hit->point[k]);
    }
    brute_normal(corner[t], n);
    for (int k = 0; k < 3; ++k)
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, n[k], (double)hit->normal[k]);
}

static piola_hit cast(const piola_ray *ray)
{
    piola_hit hit;
    piola_error error;
    memset(&hit, 0xff, sizeof hit);
    fixture_ok(piola_world_ray(world, ray, &hit, &error), &error);
    return hit;
}

static piola_ray ray_from(double x, double y, double z, double dx, double dy, double dz)
{
    piola_ray ray = piola_ray_default();
    const double o[3] = {x, y, z}, d[3] = {dx, dy, dz};
    for (int k = 0; k < 3; ++k) {
        ray.origin[k] = (float)o[k];
        ray.direction[k] = (float)d[k];
    }
    return ray;
}

static void test_rays_against_brute_force(void)
{
    int hits = 0;
    some_bodies(PIOLA_ISA_AUTO);
    const uint64_t hash = piola_world_hash(world);
    const int tries = fixture_count(4000, 400);
    for (int i = 0; i < tries; ++i) {
        const double size = i % 5 == 4 ? 1e-20 : 3;
        piola_ray ray =
            ray_from(between(-2, 2), between(-2, 2), between(-2, 2), size * between(-1, 1),
                     size * between(-1, 1), i % 3 ? size * between(-1, 1) : 0);
        ray.mask = i % 4 ? UINT64_MAX : fixture_random(&seed);
        ray.max_distance = i % 7 ? 1e9f : (float)between(0, 2);
        const piola_hit hit = cast(&ray);
        const double strict = brute_ray(&ray, -1e-9), loose = brute_ray(&ray, 1e-9);
        const double found = hit.body.index ? (double)hit.distance : DBL_MAX;
        hits += hit.body.index != 0;
        TEST_ASSERT_TRUE(found <= strict + 1e-6);
        TEST_ASSERT_TRUE(loose == DBL_MAX ? found == DBL_MAX : found >= loose - 1e-6);
        if (hit.body.index)
            check_hit(&hit, ray.mask);
    }
    printf("%d rays hit\n", hits);
    TEST_ASSERT_GREATER_THAN(tries / 10, hits);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(world));
}

static void test_closest_against_brute_force(void)
{
    int found = 0;
    some_bodies(PIOLA_ISA_AUTO);
    for (int i = 0; i < fixture_count(3000, 300); ++i) {
        piola_probe probe = piola_probe_default();
        piola_hit hit;
        piola_error error;
        double p[3], best = DBL_MAX, gap = 0;
        for (int k = 0; k < 3; ++k) {
            probe.point[k] = (float)(i % 6 ? between(-2, 2) : between(-100, 100));
            p[k] = (double)probe.point[k];
        }
        probe.mask = i % 4 ? UINT64_MAX : fixture_random(&seed);
        probe.radius = i % 3 ? 1e9f : (float)between(0, 0.3);
        for (uint32_t t = 0; t < triangles; ++t)
            if (probe.mask >> group[t] & 1)
                best = fmin(best, sqrt(brute_square_to(corner[t], p)));
        fixture_ok(piola_world_closest(world, &probe, &hit, &error), &error);
        TEST_ASSERT_EQUAL(best <= (double)probe.radius, hit.body.index != 0);
        if (hit.body.index == 0)
            continue;
        ++found;
        check_hit(&hit, probe.mask);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6 * (1 + best), best, (double)hit.distance);
        for (int k = 0; k < 3; ++k)
            gap += pow((double)hit.point[k] - p[k], 2);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, best, sqrt(gap));
    }
    TEST_ASSERT_GREATER_THAN(100, found);
}

static piola_region any_region(int i)
{
    piola_region r = piola_region_default();
    double norm = 0, q[4];
    r.shape = i % 2 ? PIOLA_REGION_BOX : PIOLA_REGION_SPHERE;
    for (int k = 0; k < 3; ++k) {
        r.position[k] = (float)between(-2, 2);
        r.size[k] = (float)between(0, i % 5 ? 0.5 : 2);
    }
    for (int k = 0; k < 4; ++k) {
        q[k] = between(-1, 1);
        norm += q[k] * q[k];
    }
    for (int k = 0; k < 4; ++k)
        r.rotation[k] = (float)(q[k] / sqrt(norm));
    r.mask = i % 4 ? UINT64_MAX : fixture_random(&seed);
    return r;
}

/* Every triangle that surely touches is there, none that surely does not, in order. */
static void check_overlaps(const piola_region *r, const piola_overlap *found, uint64_t count)
{
    uint64_t at = 0;
    for (uint32_t t = 0; t < triangles; ++t) {
        const bool there = at < count && memcmp(&found[at], &owner[t], sizeof *found) == 0;
        if (brute_touches(r, t, -1e-6))
            TEST_ASSERT_TRUE_MESSAGE(there, "a triangle that touches is missing");
        if (!brute_touches(r, t, 1e-6))
            TEST_ASSERT_FALSE_MESSAGE(there, "a triangle that does not touch is listed");
        at += there;
    }
    TEST_ASSERT_EQUAL_UINT64(count, at);
}

static void test_overlaps_against_brute_force(void)
{
    uint64_t sum = 0;
    some_bodies(PIOLA_ISA_AUTO);
    piola_overlap *found = fixture_memory(TRIANGLES * sizeof *found);
    piola_overlap *part = fixture_memory(TRIANGLES * sizeof *part);
    for (int i = 0; i < fixture_count(600, 60); ++i) {
        piola_region r = any_region(i);
        piola_error error;
        uint64_t count = 0, again = 0, bodies = 0;
        fixture_ok(piola_world_overlap(world, &r, found, TRIANGLES, &count, &error), &error);
        check_overlaps(&r, found, count);
        sum += count;
        memset(part, 0xff, TRIANGLES * sizeof *part);
        const piola_overlap beyond = part[count / 2];
        fixture_ok(
            piola_world_overlap(world, &r, count / 2 ? part : NULL, count / 2, &again, &error),
            &error);
        TEST_ASSERT_EQUAL_UINT64(count, again);
        TEST_ASSERT_EQUAL_MEMORY(&beyond, &part[count / 2], sizeof beyond);
        if (count / 2)
            TEST_ASSERT_EQUAL_MEMORY(found, part, (size_t)(count / 2) * sizeof *part);
        r.bodies_only = true;
        fixture_ok(piola_world_overlap(world, &r, part, TRIANGLES, &again, &error), &error);
        for (uint64_t f = 0; f < count; ++f)
            if (f == 0 || found[f].body.index != found[f - 1].body.index)
                TEST_ASSERT_EQUAL_MEMORY(&found[f], &part[bodies++], sizeof *part);
        TEST_ASSERT_EQUAL_UINT64(bodies, again);
    }
    TEST_ASSERT_GREATER_THAN(1000, sum);
}

/* ---- conventions ---- */

/* From inside a closed surface every ray hits: at corners, edges' middles, anywhere, and from far
 * off. The box is shaken little enough to stay one. */
static void test_no_ray_slips_through(void)
{
    empty_world(PIOLA_ISA_AUTO);
    const piola_asset *beam = fixture_beam(2, 3, 2, 0.5);
    const piola_body body = add(beam, 1000, 0, 0, 0);
    scatter(body, 36, 0.05);
    gather(&body, &beam, 1);
    for (int i = 0; i < fixture_count(6000, 600); ++i) {
        const double o[3] = {1000.5, 0.75, 0.5};
        const double(*c)[3] = (const double(*)[3])corner[fixture_random(&seed) % triangles];
        double to[3];
        for (int k = 0; k < 3; ++k)
            to[k] = i % 3 == 0   ? c[0][k]
                    : i % 3 == 1 ? 0.5 * (c[0][k] + c[1][k])
                                 : between(0.2, 0.8) + 1000 * (k == 0);
        piola_ray ray = ray_from(o[0], o[1], o[2], to[0] - o[0], to[1] - o[1], to[2] - o[2]);
        if (ray.direction[0] == 0 && ray.direction[1] == 0 && ray.direction[2] == 0)
            continue;
        TEST_ASSERT_NOT_EQUAL_UINT32(0, cast(&ray).body.index);
        for (int k = 0; k < 3; ++k) /* and backwards: from far off through the inside */
            ray.origin[k] = (float)(o[k] - 500 * (double)ray.direction[k]);
        TEST_ASSERT_NOT_EQUAL_UINT32(0, cast(&ray).body.index);
    }
}

static void test_edges_corners_and_faces(void)
{
    empty_world(PIOLA_ISA_AUTO);
    const piola_asset *sheet = sheet_asset(2); /* [0, 2] x [0, 2] at z = 0, cells of 1 */
    const piola_body low = add(sheet, 0, 0, 0, 0), high = add(sheet, 0, 0, 0, 0);
    gather(&low, &sheet, 1);
    /* Two bodies at one place: the lower one. A corner, an edge: the lowest triangle that has it.
     */
    const double at[4][2] = {{1, 1}, {0, 0}, {1, 0.5}, {2, 1.25}};
    for (int i = 0; i < 4; ++i) {
        piola_ray ray = ray_from(at[i][0], at[i][1], 5, 0, 0, -1);
        uint32_t first = 0;
        const double o[3] = {at[i][0], at[i][1], 5}, d[3] = {0, 0, -1};
        while (brute_ray_triangle(corner[first], o, d, 0) == DBL_MAX)
            ++first;
        const piola_hit hit = cast(&ray);
        TEST_ASSERT_EQUAL_UINT32(low.index, hit.body.index);
        TEST_ASSERT_EQUAL_UINT32(first, hit.triangle);
        TEST_ASSERT_EQUAL_FLOAT(5, hit.distance);
        TEST_ASSERT_EQUAL_FLOAT(1, hit.normal[2]);
        ray.max_distance = 5;
        TEST_ASSERT_EQUAL_UINT32(low.index, cast(&ray).body.index);
        ray.max_distance = 4.999f;
        TEST_ASSERT_EQUAL_UINT32(0, cast(&ray).body.index);
        ray.direction[2] = 1;
        TEST_ASSERT_EQUAL_UINT32(0, cast(&ray).body.index);
    }
    /* Within the plane, from outside and from a point on it; beside it by a hair. */
    piola_ray along = ray_from(-1, 0.5, 0, 1, 0, 0);
    TEST_ASSERT_EQUAL_UINT32(0, cast(&along).body.index);
    along.origin[0] = 0.25f;
    TEST_ASSERT_EQUAL_UINT32(0, cast(&along).body.index);
    piola_ray beside = ray_from(2.0000005, 1, 5, 0, 0, -1);
    TEST_ASSERT_EQUAL_UINT32(0, cast(&beside).body.index);
    piola_ray on = ray_from(0.25, 0.5, 0, 0.3, 0.1, -1);
    TEST_ASSERT_EQUAL_FLOAT(0, cast(&on).distance);
    TEST_ASSERT_EQUAL_UINT32(low.index, cast(&on).body.index);
    fixture_ok(piola_body_destroy(world, low), NULL);
    TEST_ASSERT_EQUAL_UINT32(high.index, cast(&on).body.index);
    /* A ray in the plane of a solid's face meets the faces beside it. */
    fixture_ok(piola_body_destroy(world, high), NULL);
    const piola_body cube = add(fixture_beam(1, 1, 1, 1.0), 0, 0, 0, 0);
    piola_ray face = ray_from(-1, 0.5, 1, 1, 0, 0);
    TEST_ASSERT_EQUAL_UINT32(cube.index, cast(&face).body.index);
    TEST_ASSERT_EQUAL_FLOAT(1, cast(&face).distance);
}

/* All vertices on a line, then on a point: no ray hits; closest points and overlaps are right. */
static void test_triangles_without_area(void)
{
    empty_world(PIOLA_ISA_AUTO);
    const piola_asset *sheet = sheet_asset(3);
    const piola_body body = add(sheet, 0, 0, 0, 0);
    for (int way = 0; way < 2; ++way) {
        for (uint32_t v = 0; v < 16; ++v) {
            const float x[3] = {way ? 0 : (float)v / 15, 0, 0};
            fixture_ok(piola_body_set_positions(world, body, v, 1, x, NULL), NULL);
        }
        piola_ray ray = ray_from(0, 0, 1, 0, 0, -1);
        TEST_ASSERT_EQUAL_UINT32(0, cast(&ray).body.index);
        piola_probe probe = piola_probe_default();
        piola_hit hit;
        probe.point[0] = 0.5f;
        probe.point[1] = 1;
        fixture_ok(piola_world_closest(world, &probe, &hit, NULL), NULL);
        TEST_ASSERT_EQUAL_UINT32(body.index, hit.body.index);
        TEST_ASSERT_FLOAT_WITHIN(1e-6f, way ? 1.1180340f : 1.0f, hit.distance);
        TEST_ASSERT_EQUAL_FLOAT(0, hit.normal[0] + hit.normal[1] + hit.normal[2]);
        piola_region r = piola_region_default();
        uint64_t count = 0;
        for (int shape = 0; shape < 2; ++shape) {
            r.shape = (piola_region_shape)shape;
            r.position[0] = r.size[0] = 0.25f;
            r.size[1] = r.size[2] = 0.01f;
            fixture_ok(piola_world_overlap(world, &r, NULL, 0, &count, NULL), NULL);
            TEST_ASSERT_GREATER_THAN(0, count);
            TEST_ASSERT_LESS_OR_EQUAL(18, count);
            r.position[0] = -0.26f;
            fixture_ok(piola_world_overlap(world, &r, NULL, 0, &count, NULL), NULL);
            TEST_ASSERT_EQUAL_UINT64(0, count);
        }
    }
}

/* ---- bad input ---- */

static void refused(piola_status expected, const char *field, piola_status status,
                    const piola_error *error)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(expected, status, field);
    TEST_ASSERT_EQUAL_STRING(field, error->field);
}

static void bad_ray(piola_status expected, const char *field, piola_ray ray)
{
    piola_hit hit, before;
    piola_error error;
    memset(&before, 0x5a, sizeof before);
    memcpy(&hit, &before, sizeof hit);
    refused(expected, field, piola_world_ray(world, &ray, &hit, &error), &error);
    TEST_ASSERT_EQUAL_MEMORY(&before, &hit, sizeof hit);
}

static void test_bad_rays_and_probes(void)
{
    some_bodies(PIOLA_ISA_AUTO);
    const double nan = (double)NAN, infinity = (double)INFINITY;
    piola_ray ray = piola_ray_default();
    piola_probe probe = piola_probe_default();
    piola_hit hit;
    piola_error e;
    bad_ray(PIOLA_ERROR_NOT_FINITE, "piola_ray.origin", ray_from(0, nan, 0, 1, 0, 0));
    bad_ray(PIOLA_ERROR_RANGE, "piola_ray.origin", ray_from(0, 0, 2e9, 1, 0, 0));
    bad_ray(PIOLA_ERROR_NOT_FINITE, "piola_ray.direction", ray_from(0, 0, 0, infinity, 0, 0));
    bad_ray(PIOLA_ERROR_RANGE, "piola_ray.direction", ray_from(0, 0, 0, 0, 0, 0));
    refused(PIOLA_ERROR_NULL, "piola_ray", piola_world_ray(world, NULL, &hit, &e), &e);
    refused(PIOLA_ERROR_NULL, "result", piola_world_ray(world, &ray, NULL, &e), &e);
    refused(PIOLA_ERROR_NULL, "world", piola_world_ray(NULL, &ray, &hit, &e), &e);
    ray.max_distance = -1;
    bad_ray(PIOLA_ERROR_RANGE, "piola_ray.max_distance", ray);
    ray.cookie_ = 0;
    bad_ray(PIOLA_ERROR_COOKIE, "piola_ray", ray);
    probe.radius = NAN;
    refused(PIOLA_ERROR_NOT_FINITE, "piola_probe.radius",
            piola_world_closest(world, &probe, &hit, &e), &e);
    probe = piola_probe_default();
    probe.point[0] = -INFINITY;
    refused(PIOLA_ERROR_NOT_FINITE, "piola_probe.point",
            piola_world_closest(world, &probe, &hit, &e), &e);
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NOT_FINITE, piola_world_closest(world, &probe, &hit, NULL));
}

static void test_bad_regions(void)
{
    some_bodies(PIOLA_ISA_AUTO);
    const piola_region good = piola_region_default();
    piola_region r = good;
    piola_overlap found;
    uint64_t n = 7;
    piola_error e;
    r.size[0] = -1;
    refused(PIOLA_ERROR_RANGE, "piola_region.size",
            piola_world_overlap(world, &r, &found, 1, &n, &e), &e);
    r = good;
    r.rotation[3] = 0;
    refused(PIOLA_ERROR_RANGE, "piola_region.rotation",
            piola_world_overlap(world, &r, &found, 1, &n, &e), &e);
    r = good;
    r.shape = PIOLA_REGION_SHAPE_COUNT;
    refused(PIOLA_ERROR_RANGE, "piola_region.shape",
            piola_world_overlap(world, &r, &found, 1, &n, &e), &e);
    r = good;
    r.position[0] = NAN;
    refused(PIOLA_ERROR_NOT_FINITE, "piola_region.position",
            piola_world_overlap(world, &r, &found, 1, &n, &e), &e);
    refused(PIOLA_ERROR_NULL, "found", piola_world_overlap(world, &good, NULL, 1, &n, &e), &e);
    refused(PIOLA_ERROR_NULL, "result", piola_world_overlap(world, &good, &found, 1, NULL, &e), &e);
    TEST_ASSERT_EQUAL_UINT64(7, n);
}

/* ---- bits and cost ---- */

static void test_same_bits_everywhere(void)
{
    static const piola_isa isas[] = {PIOLA_ISA_SSE4, PIOLA_ISA_AVX2, PIOLA_ISA_AVX512,
                                     PIOLA_ISA_NEON};
    enum { RAYS = 200 };
    static piola_hit hits[2][2 * RAYS];
    const uint64_t start = seed;
    int ways = 0;
    for (int i = 0; i < 4; ++i) {
        if (!piola_isa_available(isas[i]))
            continue;
        seed = start;
        some_bodies(isas[i]);
        for (int r = 0; r < RAYS; ++r) {
            piola_probe probe = piola_probe_default();
            const piola_ray ray =
                ray_from(between(-1, 1), between(-1, 1), 2, between(-1, 1), between(-1, 1), -1);
            memcpy(probe.point, ray.direction, sizeof probe.point);
            hits[ways > 0][r] = cast(&ray);
            fixture_ok(piola_world_closest(world, &probe, &hits[ways > 0][RAYS + r], NULL), NULL);
        }
        TEST_ASSERT_EQUAL_MEMORY(hits[0], hits[ways > 0], sizeof hits[0]);
        ++ways;
        fixture_clean();
    }
    TEST_ASSERT_GREATER_THAN(0, ways);
}

static void test_cost_is_told(void)
{
    empty_world(PIOLA_ISA_AUTO);
    const piola_asset *sheet = sheet_asset(100);
    add(sheet, 0, 0, 0, 0);
    const int times = fixture_count(200, 5);
    for (int miss = 0; miss < 2; ++miss) {
        const piola_ray ray = ray_from(0.3, 0.7, 1, miss ? 4 : 0.1, 0.1, -1);
        const clock_t begin = clock();
        for (int i = 0; i < times; ++i)
            TEST_ASSERT_EQUAL(miss, cast(&ray).body.index == 0);
        printf("a ray that %s a sheet of 20000 triangles: %.1f us\n", miss ? "misses" : "hits",
               1e6 * (double)(clock() - begin) / CLOCKS_PER_SEC / times);
    }
}

int main(void)
{
    seed = fixture_seed();
    UNITY_BEGIN();
    RUN_TEST(test_rays_against_brute_force);
    RUN_TEST(test_closest_against_brute_force);
    RUN_TEST(test_overlaps_against_brute_force);
    RUN_TEST(test_no_ray_slips_through);
    RUN_TEST(test_edges_corners_and_faces);
    RUN_TEST(test_triangles_without_area);
    RUN_TEST(test_bad_rays_and_probes);
    RUN_TEST(test_bad_regions);
    RUN_TEST(test_same_bits_everywhere);
    RUN_TEST(test_cost_is_told);
    return UNITY_END();
}
