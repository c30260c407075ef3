/* Grids that a shape's distances are sampled on: what is refused writes nothing.
 *
 * covers: src/shapes/shape_distance.c
 */
#include "shape_fixture.h"
#include "unity.h"

#include <math.h>

static struct shape_tris tris;
static float samples[8];

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* The corners of a box of 2 m. */
static piola_shape_desc grid(void)
{
    piola_shape_desc d = piola_shape_desc_default();
    d.spacing = 2;
    for (int k = 0; k < 3; ++k) {
        d.sample_count[k] = 2;
        d.origin[k] = -1;
    }
    return d;
}

/* What piola_shape_sample refuses: it names the parameter, and writes nothing. */
static void unsampled(const piola_shape_data *shape, const piola_shape_desc *d, piola_status status,
                      const char *field, uint64_t item)
{
    piola_error error = {0};
    for (int i = 0; i < 8; ++i)
        samples[i] = 7;
    TEST_ASSERT_EQUAL(
        status, piola_shape_sample(shape, d->origin, d->spacing, d->sample_count, samples, &error));
    TEST_ASSERT_EQUAL(status, error.status);
    TEST_ASSERT_EQUAL_STRING(field, error.field);
    TEST_ASSERT_EQUAL_UINT64(item, error.has_item ? error.item : 0);
    TEST_ASSERT_EQUAL(
        status, piola_shape_sample(shape, d->origin, d->spacing, d->sample_count, samples, NULL));
    for (int i = 0; i < 8; ++i)
        TEST_ASSERT_TRUE(samples[i] == 7);
}

static void test_bad_grids_are_not_sampled(void)
{
    static const struct {
        float value;
        piola_status status;
    } spacings[] = {{NAN, PIOLA_ERROR_NOT_FINITE},
                    {INFINITY, PIOLA_ERROR_NOT_FINITE},
                    {-1, PIOLA_ERROR_RANGE},
                    {0, PIOLA_ERROR_RANGE},
                    {2e4f, PIOLA_ERROR_RANGE}};
    static const uint32_t counts[] = {0, 1, 65537, UINT32_MAX};
    shape_fixture_star(&tris, 0.7, 0.2);
    const piola_shape_desc star = shape_fixture_desc(&tris, PIOLA_SHAPE_MESH);
    const piola_shape_data *shape = shape_fixture_compile(&star);
    const piola_shape_desc good = grid();
    for (size_t i = 0; i < sizeof spacings / sizeof *spacings; ++i) {
        piola_shape_desc d = good;
        d.spacing = spacings[i].value;
        unsampled(shape, &d, spacings[i].status, "spacing", 0);
    }
    for (uint32_t k = 0; k < 3; ++k) {
        piola_shape_desc d = good;
        d.origin[k] = NAN;
        unsampled(shape, &d, PIOLA_ERROR_NOT_FINITE, "origin", k);
        d.origin[k] = -INFINITY;
        unsampled(shape, &d, PIOLA_ERROR_NOT_FINITE, "origin", k);
        d.origin[k] = 1e6f; /* and the last sample beyond it */
        unsampled(shape, &d, PIOLA_ERROR_RANGE, "origin", k);
        d = good;
        for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
            d.sample_count[k] = counts[i];
            unsampled(shape, &d, PIOLA_ERROR_RANGE, "count", k);
        }
    }
    piola_shape_desc many = good;
    for (uint32_t k = 0; k < 3; ++k)
        many.sample_count[k] = 512; /* 2^27 */
    unsampled(shape, &many, PIOLA_ERROR_RANGE, "count", 2);
    unsampled(NULL, &good, PIOLA_ERROR_NULL, "shape", 0);
    piola_error error = {0};
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL,
                      piola_shape_sample(shape, NULL, 1, many.sample_count, samples, &error));
    TEST_ASSERT_EQUAL_STRING("origin", error.field);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL,
                      piola_shape_sample(shape, good.origin, 1, NULL, samples, &error));
    TEST_ASSERT_EQUAL_STRING("count", error.field);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL,
                      piola_shape_sample(shape, good.origin, 1, good.sample_count, NULL, &error));
    TEST_ASSERT_EQUAL_STRING("samples", error.field);
    fixture_ok(
        piola_shape_sample(shape, good.origin, good.spacing, good.sample_count, samples, &error),
        &error);
    TEST_ASSERT_TRUE(samples[0] > 0 && samples[0] != 7);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_bad_grids_are_not_sampled);
    return UNITY_END();
}
