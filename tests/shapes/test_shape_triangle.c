/* Distances of triangles from the cores of shapes against nested searches that know nothing but the
 * distance of a point: random, near, far, cut, thin, parallel. PIOLA_PROOFS asks for 100,000.
 * covers: src/shapes/shape_triangle.c
 */
#include "fixture.h"
#include "ref_core.h"
#include "shapes/shapes.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static double within(uint64_t *seed, double low, double high)
{
    return low + (high - low) * fixture_uniform(seed);
}

static struct collider_shape any_shape(uint64_t *seed)
{
    struct collider_shape shape = {.kind =
                                       PIOLA_SHAPE_SPHERE + (uint32_t)(fixture_random(seed) % 3)};
    shape.margin = fixture_random(seed) % 2 ? (float)within(seed, 0, 0.01) : 0;
    shape.radius = shape.kind != PIOLA_SHAPE_BOX || fixture_random(seed) % 2
                       ? (float)within(seed, 0.001, 0.2)
                       : 0;
    for (int k = 0; k < 3; ++k)
        if (shape.kind == PIOLA_SHAPE_BOX || (shape.kind == PIOLA_SHAPE_CAPSULE && k == 1))
            shape.size[k] = (float)pow(10, within(seed, -3, 0));
    return shape;
}

/* Of any size, at any distance; one in eight is nearly a line, another lies along an axis. */
static void any_triangle(uint64_t *seed, double x[3][3])
{
    const uint64_t kind = fixture_random(seed) % 8;
    const double size = pow(10, within(seed, -2, 0.3));
    const double far = kind % 2 ? within(seed, 0, 1.5) : within(seed, 0, 0.1);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            x[i][k] = within(seed, -size, size) + (i == 0 ? within(seed, -far, far) : x[0][k]);
    for (int k = 0; k < 3 && kind == 0; ++k)
        x[2][k] = x[0][k] + 0.4 * (x[1][k] - x[0][k]) + 1e-6 * within(seed, -1, 1);
    if (kind == 1)
        x[1][1] = x[2][1] = x[0][1];
    if (kind == 2)
        x[1][1] = x[0][1], x[1][0] = x[0][0];
}

static void tell(const struct collider_shape *s, const double x[3][3], double was, double right)
{
    printf("shape %u, size %g %g %g, radius %g: %.12g of %.12g m; triangle", s->kind,
           (double)s->size[0], (double)s->size[1], (double)s->size[2], (double)s->radius, was,
           right);
    for (int i = 0; i < 9; ++i)
        printf(" %.17g", x[i / 3][i % 3]);
    printf("\n");
}

/* The place that the weights name is as far as is said, and a move of the triangle changes the
 * distance along the normal. */
static void check_gradient(const ref_core *core, const double x[3][3],
                           const struct shape_near *near)
{
    const double step = 1e-5;
    double moved[3][3], at[3] = {0, 0, 0}, sum = 0, along = 0;
    for (int i = 0; i < 3; ++i) {
        TEST_ASSERT_TRUE(near->weight[i] >= -1e-12);
        sum += near->weight[i];
        for (int k = 0; k < 3; ++k)
            at[k] += near->weight[i] * x[i][k];
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, sum);
    for (int k = 0; k < 3; ++k)
        along += near->normal[k] * (at[k] - near->place[k]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, near->distance, along);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, near->distance, ref_core_point(core, at));
    for (int axis = 0; axis < 3 && near->distance > 1e-3; ++axis) {
        double change = 0;
        for (int sign = -1; sign <= 1; sign += 2) {
            memcpy(moved, x, sizeof moved);
            for (int i = 0; i < 3; ++i)
                moved[i][axis] += sign * step;
            change += sign * ref_core_distance(core, (const double(*)[3])moved, NULL) / (2 * step);
        }
        /* Where the nearest place jumps it has no gradient, but never more than the way. */
        TEST_ASSERT_DOUBLE_WITHIN(0.02, near->normal[axis], change);
    }
}

static void test_random_pairs(void)
{
    uint64_t seed = fixture_seed();
    const int pairs = getenv("PIOLA_PROOFS") ? 100000 : fixture_count(600, 60);
    double worst = 0;
    int cut = 0;
    for (int i = 0; i < pairs; ++i) {
        const struct collider_shape shape = any_shape(&seed);
        const struct form form = {&shape, NULL};
        struct shape_core core;
        struct shape_near near, inner;
        double x[3][3];
        any_triangle(&seed, x);
        TEST_ASSERT_TRUE(shape_core_of(&form, &core));
        ref_core ref = {{core.half[0], core.half[1], core.half[2]}, (double)core.round};
        shape_near_triangle(&core, (const double(*)[3])x, &near, &inner);
        const double right = ref_core_distance(&ref, (const double(*)[3])x, NULL);
        cut += near.distance == 0;
        worst = fmax(worst, fabs(near.distance - right));
        if (fabs(near.distance - right) > 1e-7)
            tell(&shape, (const double(*)[3])x, near.distance, right);
        TEST_ASSERT_DOUBLE_WITHIN(1e-7, right, near.distance);
        TEST_ASSERT_TRUE(inner.distance >= near.distance);
        if (near.distance > 1e-6 && i % 8 == 0)
            check_gradient(&ref, (const double(*)[3])x, &near);
    }
    printf("%d pairs, %d of them cut each other: at most %.1e m off\n", pairs, cut, worst);
    TEST_ASSERT_TRUE(pairs < 600 || cut > pairs / 100);
}

/* Only convex shapes have a core, and its surface is where the shape's is, but for the edges of a
 * box. */
static void test_cores(void)
{
    uint64_t seed = fixture_seed();
    for (int i = 0; i < 200; ++i) {
        const struct collider_shape shape = any_shape(&seed);
        const struct form form = {&shape, NULL};
        struct shape_core core;
        TEST_ASSERT_TRUE(shape_core_of(&form, &core));
        const ref_core ref = {{core.half[0], core.half[1], core.half[2]}, (double)core.round};
        float p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = (float)within(&seed, -2, 2);
        const double at[3] = {(double)p[0], (double)p[1], (double)p[2]};
        const double from_core = ref_core_point(&ref, at) - ref.round;
        const double from_shape = (double)shape_distance(&form, p, NULL) - (double)shape.margin;
        if (from_shape > 0)
            TEST_ASSERT_DOUBLE_WITHIN(2e-5, from_shape, from_core);
    }
    const struct collider_shape plane = {.kind = PIOLA_SHAPE_PLANE};
    struct shape_core core;
    TEST_ASSERT_FALSE(shape_core_of(&(struct form){&plane, NULL}, &core));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_random_pairs);
    RUN_TEST(test_cores);
    return UNITY_END();
}
