/* The tree of gaps against a plain row of flags: first gaps, ends, for random runs.
 * covers: src/base/gaps.c */
#include "base/gaps.h"
#include "fixture.h"
#include "unity.h"

#include <string.h>

enum { UNITS = 200 };

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static bool all_are(const bool *free, uint32_t first, uint32_t count, bool wanted)
{
    for (uint32_t i = first; i < first + count; ++i)
        if (free[i] != wanted)
            return false;
    return true;
}

static uint32_t first_gap(const bool *free, uint32_t units, uint32_t count)
{
    for (uint32_t at = 0; at + count <= units; ++at)
        if (all_are(free, at, count, true))
            return at;
    return units;
}

static void test_gaps_are_those_of_a_plain_search(void)
{
    uint64_t random = fixture_seed();
    const uint32_t sizes[] = {1, 2, 16, 17, 64, UNITS};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        const uint32_t units = sizes[s], nodes = (uint32_t)gap_nodes(units);
        struct gap *gaps = fixture_memory(nodes * sizeof *gaps);
        bool free[2 * 256];
        memset(free, true, sizeof free);
        gaps_clear(gaps, nodes);
        for (int round = 0; round < fixture_count(3000, 300); ++round) {
            const uint32_t first = (uint32_t)(fixture_random(&random) % units);
            const uint32_t most = (uint32_t)(fixture_random(&random) % units) / 4 + 1;
            const uint32_t count = most < units - first ? most : units - first;
            const bool frees = fixture_random(&random) % 2 == 0;
            gaps_set(gaps, nodes, first, count, frees);
            memset(free + first, frees, count);
            uint32_t end = units;
            while (end > 0 && free[end - 1])
                --end;
            TEST_ASSERT_EQUAL_UINT32(end, gaps_end(gaps, nodes));
            const uint32_t wanted = (uint32_t)(fixture_random(&random) % (nodes / 2)) + 1;
            TEST_ASSERT_EQUAL_UINT32(first_gap(free, nodes / 2, wanted),
                                     gaps_find(gaps, nodes, wanted));
        }
    }
}

static void test_a_run_of_nothing_changes_nothing(void)
{
    struct gap gaps[64], before[64];
    gaps_clear(gaps, 64);
    gaps_set(gaps, 64, 3, 5, false);
    memcpy(before, gaps, sizeof gaps);
    gaps_set(gaps, 64, 4, 0, true);
    TEST_ASSERT_EQUAL_MEMORY(before + 1, gaps + 1, 63 * sizeof *gaps);
    TEST_ASSERT_EQUAL_UINT64(0, gap_nodes(0));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_gaps_are_those_of_a_plain_search);
    RUN_TEST(test_a_run_of_nothing_changes_nothing);
    return UNITY_END();
}
