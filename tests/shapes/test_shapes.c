/* Compiled shapes by themselves: distances against brute force, normals, hulls, grids, bad input.
 *
 * covers: src/shapes/
 */
#include "shape_fixture.h"
#include "shapes/shapes.h"
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

static struct shape_tris tris;

static double between(uint64_t *random, double low, double high)
{
    return low + (high - low) * fixture_uniform(random);
}

/* Anywhere about the shape; or at, or a little off, a corner, an edge or a face. */
static void any_point(uint64_t *random, double p[3])
{
    const double kind = fixture_uniform(random);
    const uint32_t t = (uint32_t)(fixture_uniform(random) * tris.triangles);
    double w[3] = {1, 0, 0}, off = 0;
    if (kind < 0.5) {
        for (int k = 0; k < 3; ++k)
            p[k] = between(random, -1.5, 1.5);
        return;
    }
    if (kind > 0.6)
        w[1] = fixture_uniform(random);
    if (kind > 0.75)
        w[2] = (1 - w[1]) * fixture_uniform(random);
    w[0] = 1 - w[1] - w[2];
    if (kind * 100 - floor(kind * 100) < 0.7)
        off = pow(10, between(random, -7, -1));
    for (int k = 0; k < 3; ++k) {
        p[k] = off * between(random, -1, 1);
        for (int c = 0; c < 3; ++c)
            p[k] += w[c] * tris.v[3 * tris.t[3 * t + (uint32_t)c] + (uint32_t)k];
    }
}

/* By differences: the gradient's length, and its part along the normal. */
static double differences(const piola_shape_data *shape, const double p[3], const double normal[3],
                          double *length)
{
    const double h = 1e-8;
    double gradient[3], unused[3], along = 0;
    *length = 0;
    for (int k = 0; k < 3; ++k) {
        double more[3] = {p[0], p[1], p[2]}, less[3] = {p[0], p[1], p[2]};
        more[k] += h;
        less[k] -= h;
        gradient[k] = (shape_compiled_distance(shape, more, unused) -
                       shape_compiled_distance(shape, less, unused)) /
                      (2 * h);
        along += gradient[k] * normal[k];
        *length += gradient[k] * gradient[k];
    }
    *length = sqrt(*length);
    return along;
}

static bool along_gradient(const piola_shape_data *shape, const double p[3], const double normal[3])
{
    double length;
    const double along = differences(shape, p, normal, &length);
    return along > 0.999 * length - 1e-6;
}

/* The gradient has the normal's direction and length 1, where there is one. */
static bool normal_fits(const piola_shape_data *shape, const double p[3], const double normal[3])
{
    double length;
    const double along = differences(shape, p, normal, &length);
    /* Else two places are equally near, and there is no gradient. */
    return length < 0.999 || length > 1.001 || along > 0.999;
}

/* What is known of the distance, a lot, little or wrongly, does not change a bit of it; and it
 * rises no faster than the point moves, which what is told of places nearby rests on. */
static void knowledge_is_harmless(const piola_shape_data *shape, const double p[3], double found,
                                  const double normal[3], uint64_t *random)
{
    const double share[4] = {1 + 1e-9, 1.5, 100, 0.5};
    double q[3], n[3], way = 0;
    for (int i = 0; i < 4; ++i) {
        const double below = share[i] * fabs(found) + (share[i] < 1 ? 0 : 1e-9);
        TEST_ASSERT_EQUAL_DOUBLE(found, shape_compiled_distance_below(shape, p, below, n));
        TEST_ASSERT_EQUAL_MEMORY(normal, n, sizeof n);
    }
    for (int k = 0; k < 3; ++k) {
        q[k] = p[k] + between(random, -1, 1);
        way += (q[k] - p[k]) * (q[k] - p[k]);
    }
    TEST_ASSERT_TRUE(fabs(shape_compiled_distance(shape, q, n) - found) <=
                     sqrt(way) * (1 + 1e-6) + 1e-6);
}

/* Distance, side and normal at random points. */
static void against_brute_force(piola_shape_kind kind, const piola_shape_data *shape,
                                uint64_t *random, const char *what)
{
    double worst = 0;
    int wrong_side = 0, wrong_normal = 0, inside = 0;
    const int points = fixture_count(4000, 300);
    for (int i = 0; i < points; ++i) {
        double p[3], normal[3];
        do
            any_point(random, p);
        while (p[1] < -20); /* what stands for the ground below all has an end at -50 */
        const double found = shape_compiled_distance(shape, p, normal);
        const double exact = shape_fixture_distance(&tris, p);
        const bool in = kind != PIOLA_SHAPE_WALL && shape_fixture_inside(&tris, p);
        knowledge_is_harmless(shape, p, found, normal, random);
        worst = fmax(worst, fabs(fabs(found) - exact));
        /* Closer than this rounding decides: of the winding number, or of a needle's weights. */
        wrong_side += exact > (kind == PIOLA_SHAPE_HULL ? 1e-6 : 1e-9) && (found < 0) != in;
        wrong_normal += exact > 1e-5 && !normal_fits(shape, p, normal);
        TEST_ASSERT_DOUBLE_WITHIN(
            1e-6, 1, sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]));
        inside += in;
    }
    printf("%s: off by %.1e m at most, %d of %d points inside, %d on the wrong side, %d bad "
           "normals\n",
           what, worst, inside, points, wrong_side, wrong_normal);
    /* Sides of a field are 50 m high and narrow; faces of a hull may be 1e-6 as wide as long, and
     * weights of their corners are known to 1e-4. */
    TEST_ASSERT_TRUE(worst < (kind == PIOLA_SHAPE_HULL      ? 1e-6
                              : kind == PIOLA_SHAPE_HEIGHTS ? 1e-9
                                                            : 1e-12));
    TEST_ASSERT_EQUAL(0, wrong_side);
    /* One time in ten millions, three differences of two gradients have length 1 by chance. */
    TEST_ASSERT_TRUE(wrong_normal <= 2);
}

static void test_meshes(void)
{
    uint64_t random = fixture_seed();
    static const struct {
        uint32_t around, across;
        double thickness, wave;
    } tori[] = {{3, 3, 0.3, 0}, {5, 4, 0.4, 0.4}, {40, 16, 0.3, 0.3}};
    for (size_t i = 0; i < 3; ++i) {
        shape_fixture_torus(&tris, tori[i].around, tori[i].across, 0.7, tori[i].thickness,
                            tori[i].wave);
        const piola_shape_desc d = shape_fixture_desc(&tris, PIOLA_SHAPE_MESH);
        const piola_shape_data *shape = shape_fixture_compile(&d);
        piola_shape_stats stats;
        fixture_ok(piola_shape_inspect(shape, &stats), NULL);
        TEST_ASSERT_TRUE(stats.volume > 0);
        TEST_ASSERT_EQUAL(tris.triangles, stats.triangles);
        against_brute_force(PIOLA_SHAPE_MESH, shape, &random, "mesh");
    }
    shape_fixture_box(&tris, (const double[]){-0.5, -1, -0.2}, (const double[]){0.5, 0.25, 1});
    const piola_shape_desc box = shape_fixture_desc(&tris, PIOLA_SHAPE_MESH);
    against_brute_force(PIOLA_SHAPE_MESH, shape_fixture_compile(&box), &random, "box");
    shape_fixture_star(&tris, 0.7, 0.2);
    const piola_shape_desc star = shape_fixture_desc(&tris, PIOLA_SHAPE_MESH);
    against_brute_force(PIOLA_SHAPE_MESH, shape_fixture_compile(&star), &random, "star");
    piola_shape_desc open = shape_fixture_desc(&tris, PIOLA_SHAPE_WALL);
    open.triangle_count = tris.triangles = 7;
    against_brute_force(PIOLA_SHAPE_WALL, shape_fixture_compile(&open), &random, "wall");
}

/* Thin as needles: 1e-9 of their length, in a floor that is flat. */
static void test_needles(void)
{
    uint64_t random = fixture_seed();
    shape_fixture_box(&tris, (const double[]){-1, -1, -1}, (const double[]){1, 1, 1});
    for (uint32_t t = tris.triangles; t-- > 0;) {
        /* A corner on its first edge, 1e-7 inwards, cuts it into a needle and two others. */
        uint32_t *c = tris.t + 3 * t;
        double *v = tris.v + 3 * tris.vertices;
        for (int k = 0; k < 3; ++k) {
            const double *a = tris.v + 3 * c[0], *b = tris.v + 3 * c[1], *o = tris.v + 3 * c[2];
            const double middle = 0.3 * a[k] + 0.7 * b[k];
            const volatile float at = (float)(middle + 1e-7 * (o[k] - middle));
            v[k] = (double)at;
        }
        const uint32_t more[9] = {c[0],          c[1], tris.vertices, c[1],           c[2],
                                  tris.vertices, c[2], c[0],          tris.vertices++};
        memcpy(c, more, 3 * sizeof *c);
        memcpy(tris.t + 3 * tris.triangles, more + 3, 6 * sizeof *c);
        tris.triangles += 2;
    }
    const piola_shape_desc d = shape_fixture_desc(&tris, PIOLA_SHAPE_MESH);
    against_brute_force(PIOLA_SHAPE_HULL, shape_fixture_compile(&d), &random, "needles");
}

/* Triangles that share no corner numbers, as a file of separate triangles has them. */
static void test_corners_at_one_place_are_one(void)
{
    uint64_t random = fixture_seed();
    static struct shape_tris apart;
    shape_fixture_torus(&tris, 7, 5, 0.7, 0.3, 0.2);
    apart.vertices = 3 * tris.triangles;
    apart.triangles = tris.triangles;
    for (uint32_t c = 0; c < apart.vertices; ++c) {
        memcpy(apart.v + 3 * (size_t)c, tris.v + 3 * (size_t)tris.t[c], 3 * sizeof(double));
        apart.t[c] = c;
    }
    const piola_shape_desc d = shape_fixture_desc(&apart, PIOLA_SHAPE_MESH);
    const piola_shape_data *shape = shape_fixture_compile(&d);
    TEST_ASSERT_EQUAL(tris.vertices, shape->stats.vertices);
    against_brute_force(PIOLA_SHAPE_MESH, shape, &random, "separate");
    /* What no triangle uses is not there. */
    apart.v[3 * apart.vertices++] = 100;
    const piola_shape_desc more = shape_fixture_desc(&apart, PIOLA_SHAPE_MESH);
    TEST_ASSERT_EQUAL(tris.vertices, shape_fixture_compile(&more)->stats.vertices);
}

static void test_heights(void)
{
    uint64_t random = fixture_seed();
    for (uint32_t samples = 2; samples <= 20; samples += 3) {
        piola_shape_desc d = shape_fixture_field(samples, 0.5);
        d.origin[1] = 0.125f;
        const piola_shape_data *shape = shape_fixture_compile(&d);
        shape_fixture_heights(&tris, &d, -50);
        against_brute_force(PIOLA_SHAPE_HEIGHTS, shape, &random, "heights");
    }
    /* Not square, and with a spike. */
    float heights[3 * 11] = {0};
    heights[16] = 3;
    piola_shape_desc d = piola_shape_desc_default();
    d.kind = PIOLA_SHAPE_HEIGHTS;
    d.samples = heights;
    d.sample_count[0] = 11;
    d.sample_count[1] = 3;
    d.spacing = 0.125f;
    shape_fixture_heights(&tris, &d, -50);
    against_brute_force(PIOLA_SHAPE_HEIGHTS, shape_fixture_compile(&d), &random, "spike");
}

/* Every face has all points behind it, every edge two faces, and corners - edges + faces is 2. */
static void check_hull(const piola_shape_data *shape, const double *points, uint32_t count,
                       const char *what)
{
    const uint32_t faces = shape->stats.triangles;
    double worst = 0;
    for (uint32_t f = 0; f < faces; ++f) {
        double x[3][3], u[3], v[3], n[3];
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
                x[c][k] = (double)shape_points(shape)[shape_facets(shape)[f].corner[c]].at[k];
        shape_minus(x[1], x[0], u);
        shape_minus(x[2], x[0], v);
        shape_cross(u, v, n);
        TEST_ASSERT_TRUE(shape_unit(n));
        for (uint32_t i = 0; i < count; ++i) {
            double r[3];
            shape_minus(points + 3 * (size_t)i, x[0], r);
            /* A sliver's plane is known less well. */
            worst = fmax(worst, shape_dot(r, n) * fmin(1, sqrt(shape_dot(u, u)) / 0.01));
        }
    }
    printf("%s: hull of %u points has %u corners and %u faces, points %.1e m outside\n", what,
           count, shape->stats.vertices, faces, worst);
    TEST_ASSERT_EQUAL(2 * shape->stats.vertices - 4, faces);
    TEST_ASSERT_TRUE(shape->stats.volume > 0);
    for (uint32_t i = 0; i < count; ++i) {
        double normal[3];
        TEST_ASSERT_TRUE(shape_compiled_distance(shape, points + 3 * (size_t)i, normal) < 4e-6);
    }
    tris.vertices = shape->stats.vertices;
    tris.triangles = faces;
    for (uint32_t i = 0; i < tris.vertices; ++i)
        for (uint32_t k = 0; k < 3; ++k)
            tris.v[3 * i + k] = (double)shape_points(shape)[i].at[k];
    for (uint32_t i = 0; i < 3 * faces; ++i)
        tris.t[i] = shape_facets(shape)[i / 3].corner[i % 3];
}

static double points[3 * 1000];

static const piola_shape_data *hull_of(uint32_t count)
{
    piola_shape_desc d = piola_shape_desc_default();
    d.vertices = points;
    d.vertex_count = count;
    return shape_fixture_compile(&d);
}

static void test_hulls(void)
{
    uint64_t random = fixture_seed();
    for (int round = 0; round < 6; ++round) {
        const uint32_t count = round < 3 ? 5 + (uint32_t)(fixture_uniform(&random) * 40) : 1000;
        for (uint32_t i = 0; i < count; ++i) {
            double *p = points + 3 * (size_t)i, length = 0;
            for (int k = 0; k < 3; ++k) {
                p[k] = between(&random, -1, 1);
                length += p[k] * p[k];
            }
            for (int k = 0; k < 3 && round % 2; ++k) /* on a ball: all are corners */
                p[k] /= sqrt(length);
        }
        const piola_shape_data *shape = hull_of(count);
        check_hull(shape, points, count, round % 2 ? "ball" : "cube");
        against_brute_force(PIOLA_SHAPE_HULL, shape, &random, "hull");
    }
}

/* A lattice: faces full of points in one plane, lines, and each point twice. */
static void test_hulls_of_points_in_planes(void)
{
    uint64_t random = fixture_seed();
    for (int round = 0; round < 4; ++round) {
        uint32_t count = 0;
        for (int i = 0; i < 2 * 343; ++i, ++count) {
            double *p = points + 3 * (size_t)count;
            int at = (int)(fixture_uniform(&random) * 343);
            at = round == 0 ? i % 343 : at;
            for (int k = 0; k < 3; ++k, at /= 7)
                p[k] = round < 3 ? at % 7 / 3.0 - 1 : (double)(at % 7 > 3);
        }
        const piola_shape_data *shape = hull_of(count);
        check_hull(shape, points, count, "lattice");
        if (round == 0)
            TEST_ASSERT_DOUBLE_WITHIN(1e-5, 8, shape->stats.volume);
        against_brute_force(PIOLA_SHAPE_HULL, shape, &random, "lattice");
    }
}

static float samples[24 * 24 * 24];

static piola_shape_desc grid_desc(uint32_t count, float size)
{
    piola_shape_desc d = piola_shape_desc_default();
    d.kind = PIOLA_SHAPE_DISTANCES;
    d.samples = samples;
    d.spacing = size / (float)(count - 1);
    for (int k = 0; k < 3; ++k) {
        d.sample_count[k] = count;
        d.origin[k] = -size / 2;
    }
    return d;
}

/* No value falls or rises faster than the point moves, far outside too. */
static void check_slope(const piola_shape_data *shape, uint64_t *random, const char *what)
{
    double steepest = 0;
    int bad = 0;
    const int tries = fixture_count(20000, 1000);
    for (int i = 0; i < tries; ++i) {
        double p[3], q[3], n[3], way = 0;
        const double far = i % 3 ? 1.2 : 6, near = pow(10, between(random, -4, 0));
        for (int k = 0; k < 3; ++k) {
            p[k] = between(random, -far, far);
            q[k] = p[k] + between(random, -near, near);
            way += (p[k] - q[k]) * (p[k] - q[k]);
        }
        const double rise =
            fabs(shape_compiled_distance(shape, p, n) - shape_compiled_distance(shape, q, n));
        steepest = fmax(steepest, rise / sqrt(way));
        (void)shape_compiled_distance(shape, p, n);
        bad += !along_gradient(shape, p, n);
    }
    printf("%s: steepest %.6f, samples divided by %.3f, %d of %d bad normals\n", what, steepest,
           (double)shape->stats.steepest, bad, tries);
    TEST_ASSERT_TRUE(bad <= tries / 1000); /* at faces of cells */
    TEST_ASSERT_TRUE(steepest < 1 + 1e-5);
}

static void test_grids(void)
{
    uint64_t random = fixture_seed();
    /* Of a box, sampled from its triangles. */
    shape_fixture_box(&tris, (const double[]){-0.5, -0.4, -0.3}, (const double[]){0.5, 0.4, 0.3});
    const piola_shape_desc box = shape_fixture_desc(&tris, PIOLA_SHAPE_MESH);
    const piola_shape_data *mesh = shape_fixture_compile(&box);
    piola_shape_desc d = grid_desc(24, 2);
    fixture_ok(piola_shape_sample(mesh, d.origin, d.spacing, d.sample_count, samples, NULL), NULL);
    const piola_shape_data *shape = shape_fixture_compile(&d);
    check_slope(shape, &random, "box");
    double worst = 0, over = 0;
    for (int i = 0; i < 5000; ++i) {
        double p[3], n[3];
        for (int k = 0; k < 3; ++k)
            p[k] = between(&random, -2, 2);
        const double exact = shape_compiled_distance(mesh, p, n);
        const double found = shape_compiled_distance(shape, p, n);
        over = fmax(over, exact > 0 ? found - exact : 0);
        worst = fmax(worst, fabs(exact) < 0.05 ? fabs(found - exact) : 0);
    }
    printf("grid of a box: %.1e m over the true distance, %.1e m off near the surface\n", over,
           worst);
    /* Where a corner cuts a cell, samples cannot tell it: half a spacing. */
    TEST_ASSERT_TRUE(worst < 0.04);
    /* Of noise, as steep as it comes. */
    for (uint32_t i = 0; i < 12 * 12 * 12; ++i) {
        const uint32_t at[3] = {i % 12, i / 12 % 12, i / 144};
        const bool border = at[0] % 11 == 0 || at[1] % 11 == 0 || at[2] % 11 == 0;
        samples[i] = (float)between(&random, border ? 0.1 : -1, 1);
    }
    d = grid_desc(12, 2);
    shape = shape_fixture_compile(&d);
    TEST_ASSERT_TRUE(shape->stats.steepest > 2);
    check_slope(shape, &random, "noise");
}

/* A way is followed as far as steps of a thousandth say it may be. */
static void test_ways_through_grids(void)
{
    uint64_t random = fixture_seed();
    int stopped = 0;
    double late = 0, early = 0;
    for (uint32_t i = 0; i < 10 * 10 * 10; ++i) {
        const uint32_t at[3] = {i % 10, i / 10 % 10, i / 100};
        const bool border = at[0] % 9 == 0 || at[1] % 9 == 0 || at[2] % 9 == 0;
        samples[i] = (float)between(&random, border ? 0.1 : -0.2, 0.5);
    }
    const piola_shape_desc d = grid_desc(10, 2);
    const piola_shape_data *shape = shape_fixture_compile(&d);
    for (int i = 0; i < 2000; ++i) {
        struct shape_way way = {.keep = 0.01, .hair = 1e-7, .reached = 1};
        double unused[3], first = 1;
        for (int k = 0; k < 3; ++k) {
            way.from[k] = between(&random, -1.3, 1.3);
            way.along[k] = i % 10 == k ? 0 : between(&random, -2, 2);
        }
        way.length = sqrt(shape_dot(way.along, way.along));
        if (shape_compiled_distance(shape, way.from, unused) < 0.01)
            continue;
        for (int s = 0; s <= 1000 && first == 1; ++s) {
            double p[3];
            for (int k = 0; k < 3; ++k)
                p[k] = way.from[k] + s / 1000.0 * way.along[k];
            first = shape_compiled_distance(shape, p, unused) < 0.01 - 1e-6 ? s / 1000.0 : first;
        }
        shape_grid_sweep(shape, &way);
        stopped += first < 1;
        late = fmax(late, way.reached - first);
        if (first < 1 && way.reached < first - 0.001) { /* between two steps it must be touched */
            double p[3];
            for (int k = 0; k < 3; ++k)
                p[k] = way.from[k] + way.reached * way.along[k];
            early = fmax(early, shape_compiled_distance(shape, p, unused) - 0.01);
        }
    }
    printf("%d of 2000 ways stopped, %.1e too late, %.1e m too early\n", stopped, late, early);
    TEST_ASSERT_TRUE(stopped > 200);
    TEST_ASSERT_TRUE(late <= 0);
    TEST_ASSERT_TRUE(early < 1e-4);
}

static void test_a_copy_is_the_same_shape(void)
{
    shape_fixture_torus(&tris, 9, 7, 0.7, 0.3, 0.2);
    const piola_shape_desc d = shape_fixture_desc(&tris, PIOLA_SHAPE_MESH);
    const piola_shape_data *shape = shape_fixture_compile(&d), *other = shape_fixture_compile(&d);
    TEST_ASSERT_TRUE(piola_shape_hash(shape) == piola_shape_hash(other));
    TEST_ASSERT_TRUE(piola_shape_hash(shape) != 0);
    void *copy = fixture_memory(piola_shape_bytes(shape));
    memcpy(copy, shape, piola_shape_bytes(shape));
    const float p[3] = {0.3f, 0.1f, -0.2f};
    float distance[2], normal[2][3];
    fixture_ok(piola_shape_distance(shape, p, &distance[0], normal[0]), NULL);
    memset((char *)(uintptr_t)shape, 0, 64);
    fixture_ok(piola_shape_distance(copy, p, &distance[1], normal[1]), NULL);
    TEST_ASSERT_EQUAL_MEMORY(&distance[0], &distance[1], sizeof *distance);
    TEST_ASSERT_EQUAL_MEMORY(normal[0], normal[1], sizeof *normal);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_BLOB_MAGIC, piola_shape_distance(shape, p, distance, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE,
                      piola_shape_distance(copy, (const float[]){NAN, 0, 0}, distance, NULL));
}

static void refused(const piola_shape_desc *d, piola_status status, const char *field,
                    uint64_t item)
{
    const piola_shape_data *shape = NULL;
    piola_error error = {0};
    TEST_ASSERT_EQUAL(status, shape_fixture_try(d, &shape, &error));
    TEST_ASSERT_EQUAL_STRING(field, error.field);
    TEST_ASSERT_EQUAL_UINT64(item, error.has_item ? error.item : 0);
    TEST_ASSERT_NULL(shape);
}

static void test_bad_triangles(void)
{
    shape_fixture_box(&tris, (const double[]){0, 0, 0}, (const double[]){1, 1, 1});
    const piola_shape_desc good = shape_fixture_desc(&tris, PIOLA_SHAPE_MESH);
    piola_shape_desc bad = good;
    const char *field = "piola_shape_desc.triangles";
    refused(NULL, PIOLA_ERROR_NULL, "piola_shape_desc", 0);
    bad.cookie_ = 0;
    refused(&bad, PIOLA_ERROR_COOKIE, "piola_shape_desc", 0);
    bad = good;
    bad.kind = PIOLA_SHAPE_BOX;
    refused(&bad, PIOLA_ERROR_RANGE, "piola_shape_desc.kind", 0);
    bad = good;
    bad.vertex_count = UINT32_MAX;
    refused(&bad, PIOLA_ERROR_RANGE, "piola_shape_desc.vertex_count", 0);
    bad = good;
    bad.triangle_count = UINT32_MAX;
    refused(&bad, PIOLA_ERROR_RANGE, "piola_shape_desc.triangle_count", 0);
    bad = good;
    bad.triangle_count = 11; /* a hole; the other side of its edges is named */
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MESH_OPEN,
                      shape_fixture_try(&bad, &(const piola_shape_data *){0}, &(piola_error){0}));
    tris.v[5] = (double)NAN;
    refused(&good, PIOLA_ERROR_NOT_FINITE, "piola_shape_desc.vertices", 1);
    tris.v[5] = 1e7;
    refused(&good, PIOLA_ERROR_RANGE, "piola_shape_desc.vertices", 1);
    tris.v[5] = 0;
    tris.t[4] = 8;
    refused(&good, PIOLA_ERROR_MESH_INDEX, field, 1);
    tris.t[4] = tris.t[3];
    refused(&good, PIOLA_ERROR_MESH_REPEATED, field, 1);
    shape_fixture_box(&tris, (const double[]){0, 0, 0}, (const double[]){1, 1, 1});
    const uint32_t swap = tris.t[6]; /* one triangle the other way round */
    tris.t[6] = tris.t[7];
    tris.t[7] = swap;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MESH_OPEN,
                      shape_fixture_try(&good, &(const piola_shape_data *){0}, &(piola_error){0}));
    for (int k = 0; k < 3; ++k) /* without area */
        tris.v[3 * tris.t[0] + (uint32_t)k] =
            (tris.v[3 * tris.t[1] + (uint32_t)k] + tris.v[3 * tris.t[2] + (uint32_t)k]) / 2;
    refused(&good, PIOLA_ERROR_MESH_DEGENERATE, field, 0);
    /* Two triangles back to back enclose nothing. */
    const uint32_t fold[6] = {0, 1, 2, 0, 2, 1};
    shape_fixture_box(&tris, (const double[]){0, 0, 0}, (const double[]){1, 1, 1});
    memcpy(tris.t, fold, sizeof fold);
    bad = good;
    bad.triangle_count = 2;
    refused(&bad, PIOLA_ERROR_MESH_DEGENERATE, field, 0);
}

static void test_bad_points_and_samples(void)
{
    piola_shape_desc d = piola_shape_desc_default();
    memset(points, 0, sizeof points);
    d.vertices = points;
    d.vertex_count = 3;
    refused(&d, PIOLA_ERROR_RANGE, "piola_shape_desc.vertex_count", 0);
    d.vertex_count = 50; /* one place, a line, a plane */
    refused(&d, PIOLA_ERROR_MESH_DEGENERATE, "piola_shape_desc.vertices", 0);
    for (uint32_t i = 0; i < 50; ++i)
        points[3 * i] = points[3 * i + 1] = i;
    refused(&d, PIOLA_ERROR_MESH_DEGENERATE, "piola_shape_desc.vertices", 0);
    for (uint32_t i = 0; i < 50; ++i)
        points[3 * i + 1] = i * i % 7;
    refused(&d, PIOLA_ERROR_MESH_DEGENERATE, "piola_shape_desc.vertices", 0);
    piola_shape_desc field = shape_fixture_field(5, 0.1);
    field.sample_count[2] = 2;
    refused(&field, PIOLA_ERROR_RANGE, "piola_shape_desc.sample_count", 2);
    field.sample_count[2] = 1;
    field.sample_count[1] = UINT32_MAX;
    refused(&field, PIOLA_ERROR_RANGE, "piola_shape_desc.sample_count", 1);
    field.sample_count[1] = 5;
    field.spacing = 0;
    refused(&field, PIOLA_ERROR_RANGE, "piola_shape_desc.spacing", 0);
    field.spacing = NAN;
    refused(&field, PIOLA_ERROR_NOT_FINITE, "piola_shape_desc.spacing", 0);
    field.spacing = 1;
    field.origin[2] = 9.99999e5f;
    refused(&field, PIOLA_ERROR_RANGE, "piola_shape_desc.origin", 2);
    field.origin[2] = 0;
    ((float *)(uintptr_t)field.samples)[7] = INFINITY;
    refused(&field, PIOLA_ERROR_NOT_FINITE, "piola_shape_desc.samples", 7);
    for (uint32_t i = 0; i < 1000; ++i)
        samples[i] = 1;
    piola_shape_desc grid = grid_desc(10, 1);
    refused(&grid, PIOLA_ERROR_RANGE, "piola_shape_desc.samples", 0); /* nothing solid */
    samples[345] = -1;
    (void)shape_fixture_compile(&grid);
    samples[19] = 0;
    refused(&grid, PIOLA_ERROR_RANGE, "piola_shape_desc.samples", 19); /* solid at the border */
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_meshes);
    RUN_TEST(test_needles);
    RUN_TEST(test_corners_at_one_place_are_one);
    RUN_TEST(test_heights);
    RUN_TEST(test_hulls);
    RUN_TEST(test_hulls_of_points_in_planes);
    RUN_TEST(test_grids);
    RUN_TEST(test_ways_through_grids);
    RUN_TEST(test_a_copy_is_the_same_shape);
    RUN_TEST(test_bad_triangles);
    RUN_TEST(test_bad_points_and_samples);
    return UNITY_END();
}
