/* golden.c - see golden.h. */
#include "golden.h"

#include "fixture.h"
#include "resume.h"
#include "unity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scenes go on in a fresh world before every so many steps, 0: never; and how many there were. */
static uint32_t resumes_every, steps;

void golden_step(piola_world *world, piola_workers *workers, piola_report *report)
{
    if (resumes_every > 0 && ++steps % resumes_every == 0)
        resume(world, resume_garbage[steps / resumes_every % RESUME_GARBAGE]);
    fixture_ok(piola_world_step(world, workers ? piola_workers_tasks(workers) : NULL, report),
               NULL);
}

static void path_of(const struct golden_suite *suite, char path[512])
{
    const char *root = getenv("PIOLA_SOURCE_DIR");
    snprintf(path, 512, "%s/tests/golden/%s", root ? root : ".", suite->file);
}

static struct golden find(const struct golden_suite *suite, size_t scene)
{
    char path[512], line[128], found[64];
    struct golden golden;
    path_of(suite, path);
    FILE *file = fopen(path, "r");
    bool ok = false;
    while (file && !ok && fgets(line, sizeof line, file))
        ok = sscanf(line, "%63s %" SCNx64 " %" SCNx64, found, &golden.whole, &golden.early) == 3 &&
             strcmp(found, suite->name(scene)) == 0;
    if (file)
        fclose(file);
    snprintf(line, sizeof line, "no golden hash of %s", suite->name(scene));
    TEST_ASSERT_TRUE_MESSAGE(ok, line);
    return golden;
}

void golden_write(const struct golden_suite *suite)
{
    char path[512];
    if (!getenv("PIOLA_GOLDEN_WRITE"))
        return;
    path_of(suite, path);
    FILE *file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    for (size_t i = 0; i < suite->scenes; ++i) {
        const struct golden golden = suite->play(i, PIOLA_ISA_AUTO, 1, false);
        fprintf(file, "%s %016" PRIx64 " %016" PRIx64 "\n", suite->name(i), golden.whole,
                golden.early);
    }
    fclose(file);
}

void golden_check(const struct golden_suite *suite, size_t scene)
{
    static const uint32_t threads[] = {3, 1, 2, 8, 64};
    const struct golden golden = find(suite, scene);
    /* Under an emulator the first steps with one count must do: three that share. */
    const int scaled = fixture_count(100, 1);
    const size_t most = getenv("PIOLA_PROOFS") ? sizeof threads / sizeof *threads : suite->counts;
    const size_t counts = scaled < 10 ? 1 : scaled < 100 ? 2 : most;
    char text[160];
    for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa)
        for (size_t t = 0; t < counts; ++t) {
            if (!piola_isa_available((piola_isa)isa))
                continue;
            snprintf(text, sizeof text, "%s on %s with %u threads", suite->name(scene),
                     piola_isa_name((piola_isa)isa), threads[t]);
            const struct golden got = suite->play(scene, (piola_isa)isa, threads[t], scaled < 10);
            TEST_ASSERT_EQUAL_HEX64_MESSAGE(golden.early, got.early, text);
            if (scaled >= 10)
                TEST_ASSERT_EQUAL_HEX64_MESSAGE(golden.whole, got.whole, text);
        }
}

void golden_resumed(const struct golden_suite *suite, uint32_t every, bool briefly)
{
    char text[160];
    const bool early = briefly || fixture_count(100, 1) < 10;
    /* An emulator resumes every third: what a snapshot lacks it lacks on every processor. */
    for (size_t scene = 0; scene < suite->scenes; scene += fixture_count(100, 1) < 5 ? 3 : 1) {
        const struct golden golden = find(suite, scene);
        snprintf(text, sizeof text, "%s, resumed", suite->name(scene));
        resumes_every = every;
        const struct golden got =
            suite->play(scene, PIOLA_ISA_AUTO, 1 + (uint32_t)(scene % 2), early);
        resumes_every = 0;
        TEST_ASSERT_EQUAL_HEX64_MESSAGE(golden.early, got.early, text);
        if (!early)
            TEST_ASSERT_EQUAL_HEX64_MESSAGE(golden.whole, got.whole, text);
    }
}

void golden_differ(const struct golden_suite *suite)
{
    for (size_t i = 0; i < suite->scenes; ++i)
        for (size_t k = 0; k < i; ++k) {
            const struct golden a = find(suite, i), b = find(suite, k);
            TEST_ASSERT_NOT_EQUAL_HEX64(a.whole, b.whole);
            TEST_ASSERT_NOT_EQUAL_HEX64(a.early, b.early);
        }
}

piola_workers *golden_workers(uint32_t threads)
{
    piola_workers *workers = NULL;
    piola_workers_desc desc = piola_workers_desc_default();
    desc.threads = threads;
    size_t bytes = 0;
    if (threads == 1)
        return NULL;
    fixture_ok(piola_workers_size(&desc, &bytes, NULL), NULL);
    fixture_ok(piola_workers_create(&desc, fixture_memory(bytes), bytes, &workers, NULL), NULL);
    return workers;
}
