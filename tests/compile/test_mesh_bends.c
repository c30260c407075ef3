/* test_mesh_bends.c - the list of a triangle mesh's bending edges.
 *
 * covers: src/compile/mesh_bends.c
 */
#include "bend_fixture.h"
#include "unity.h"

#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static void bends_are_the_shared_edges(void)
{
    const struct sheet s = bend_grid(5, 3, false);
    TEST_ASSERT_EQUAL_UINT32(3 * 15 - 5 - 3, s.bends.count);
    TEST_ASSERT_EQUAL_UINT32(16, s.bends.boundary_edges);
    TEST_ASSERT_EQUAL_UINT32(0, s.bends.crowded_edges);
    for (uint32_t i = 0; i < s.bends.count; i++) {
        const uint32_t *v = s.bends.bends + 4 * (size_t)i;
        unsigned found = 0;
        for (uint32_t t = 0; t < 3 * s.triangles; t++) {
            const uint32_t *w = s.t + t / 3 * 3;
            const uint32_t a = w[t % 3], b = w[(t + 1) % 3], c = w[(t + 2) % 3];
            found += a == v[0] && b == v[1] && c == v[2];
            found += a == v[1] && b == v[0] && c == v[3];
        }
        TEST_ASSERT_EQUAL_UINT(2, found); /* both windings agree with the mesh's */
    }
    const struct sheet closed = bend_grid(5, 3, true);
    TEST_ASSERT_EQUAL_UINT32(10, closed.bends.boundary_edges);
    TEST_ASSERT_EQUAL_UINT32(3 * 15 - 5, closed.bends.count);
}

/* Three sheets sewn together along one edge. */
static void crowded_edges_are_told(void)
{
    struct sheet s = bend_sheet(5, 3);
    const uint32_t t[9] = {7, 9, 2, 9, 7, 3, 7, 9, 4};
    memcpy(s.t, t, sizeof t);
    bend_find(&s);
    TEST_ASSERT_EQUAL_UINT32(0, s.bends.count);
    TEST_ASSERT_EQUAL_UINT32(1, s.bends.crowded_edges);
    TEST_ASSERT_EQUAL_UINT32(7, s.bends.crowded[0]);
    TEST_ASSERT_EQUAL_UINT32(9, s.bends.crowded[1]);
    TEST_ASSERT_EQUAL_UINT32(6, s.bends.boundary_edges);
}

static void bad_lists_are_refused(void)
{
    const uint32_t repeated[6] = {0, 1, 2, 1, 1, 3}, again[6] = {0, 1, 2, 2, 1, 0};
    uint32_t memory[36];
    piola_bends bends;
    piola_error error;
    TEST_ASSERT_EQUAL_size_t(sizeof memory, piola_mesh_bends_size(2));
    TEST_ASSERT_EQUAL_size_t(0, piola_mesh_bends_size(0));
    TEST_ASSERT_EQUAL_size_t(0, piola_mesh_bends_size(UINT32_MAX));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MESH_REPEATED,
                      piola_mesh_bends(repeated, 2, memory, sizeof memory, &bends, &error));
    TEST_ASSERT_EQUAL_UINT64(1, error.item);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MESH_DUPLICATE,
                      piola_mesh_bends(again, 2, memory, sizeof memory, &bends, &error));
    TEST_ASSERT_EQUAL_UINT64(1, error.item);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MEMORY,
                      piola_mesh_bends(again, 2, memory, sizeof memory - 1, &bends, &error));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE,
                      piola_mesh_bends(again, 0, memory, sizeof memory, &bends, &error));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_mesh_bends(NULL, 2, memory, 1, &bends, NULL));
}

int main(void)
{
    bend_seed = fixture_seed();
    UNITY_BEGIN();
    RUN_TEST(bends_are_the_shared_edges);
    RUN_TEST(crowded_edges_are_told);
    RUN_TEST(bad_lists_are_refused);
    return UNITY_END();
}
