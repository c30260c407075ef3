/* The runner: moments that do not drift, what is done when steps are late, steps made cheaper and
 * dearer by commands that a record plays again; the watchdog; frames of games; displays. Most of it
 * on a clock of the test's own. Seed: printed, overridden by PIOLA_SEED.
 *
 * covers: platform/runner.c platform/watchdog.c platform/pacer.c platform/runner.h
 */
#include "contact_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static uint64_t seed;
static piola_runner *open_runner; /* its watchdog ends with the test */

void setUp(void)
{
    open_runner = NULL;
}

void tearDown(void)
{
    piola_runner_destroy(open_runner);
    fixture_clean();
}

/* ---- a clock of the test's own ---- */

struct time {
    double now, late; /* s; by how much sleeps end late */
    uint64_t state;   /* of random numbers, when sleeps are late at random */
};

static double time_now(void *context)
{
    const struct time *t = context;
    return t->now;
}

static void time_sleep(void *context, double until)
{
    struct time *t = context;
    const double late = t->state ? t->late * fixture_uniform(&t->state) : t->late;
    if (until > t->now)
        t->now = until + late;
}

static piola_runner_desc desc_of(struct time *time, double rate, piola_overrun overrun)
{
    piola_runner_desc d = piola_runner_desc_default(NULL);
    d.rate = rate;
    d.overrun = overrun;
    d.now = time_now;
    d.sleep_until = time_sleep;
    d.context = time;
    return d;
}

static piola_runner *runner_of(const piola_runner_desc *desc, piola_world *world)
{
    piola_error error = {0};
    const size_t bytes = piola_runner_size();
    fixture_ok(piola_runner_create(desc, world, fixture_memory(bytes), bytes, &open_runner, &error),
               &error);
    return open_runner;
}

static piola_tick tick(piola_runner *r, struct time *t, double took)
{
    piola_tick tick;
    fixture_ok(piola_runner_begin(r, &tick), NULL);
    t->now += took;
    fixture_ok(piola_runner_end(r, &tick), NULL);
    return tick;
}

static piola_runner_info info_of(const piola_runner *r)
{
    piola_runner_info info;
    fixture_ok(piola_runner_inspect(r, &info), NULL);
    return info;
}

/* ---- moments ---- */

static void test_moments_do_not_drift(void)
{
    struct time t = {.now = 1000, .late = 3e-4, .state = seed | 1};
    const piola_runner_desc d = desc_of(&t, 1000, PIOLA_OVERRUN_REPORT);
    piola_runner *r = runner_of(&d, NULL);
    for (int i = 1; i <= 5000; ++i) {
        const piola_tick k = tick(r, &t, 5e-4);
        TEST_ASSERT_EQUAL_UINT64((uint64_t)i, k.number);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1000 + i * 1e-3, k.deadline);
        TEST_ASSERT_TRUE(k.woke >= k.deadline && k.woke <= k.deadline + 3e-4);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 5e-4, k.took);
        TEST_ASSERT_FALSE(k.overrun);
    }
    const piola_runner_info info = info_of(r);
    TEST_ASSERT_EQUAL_UINT64(5000, info.ticks);
    TEST_ASSERT_EQUAL_UINT64(0, info.overruns + info.skipped);
    TEST_ASSERT_TRUE(info.longest_wake > 2.5e-4 && info.longest_wake <= 3e-4 + 1e-9);
}

static void test_report_catches_up_and_skip_leaves_out(void)
{
    struct time t = {.now = 5};
    piola_runner_desc d = desc_of(&t, 100, PIOLA_OVERRUN_REPORT);
    piola_runner *r = runner_of(&d, NULL);
    TEST_ASSERT_TRUE(tick(r, &t, 0.035).overrun); /* due 5.01, ends 5.045 */
    for (int i = 2; i <= 4; ++i) {                /* 5.02, 5.03 and 5.04 follow at once */
        const piola_tick k = tick(r, &t, 0.001);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 5 + 0.01 * i, k.deadline);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 5.045 + 0.001 * (i - 2), k.woke);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 5.05, tick(r, &t, 0.001).woke);
    TEST_ASSERT_EQUAL_UINT64(3, info_of(r).overruns);
    piola_runner_destroy(r);
    t.now = 5;
    d.overrun = PIOLA_OVERRUN_SKIP;
    r = runner_of(&d, NULL);
    TEST_ASSERT_TRUE(tick(r, &t, 0.035).overrun);
    const piola_tick k = tick(r, &t, 0.001);
    TEST_ASSERT_EQUAL_UINT64(3, k.skipped);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 5.05, k.deadline);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 5.05, k.woke);
    TEST_ASSERT_EQUAL_UINT64(0, tick(r, &t, 0.001).skipped);
    TEST_ASSERT_EQUAL_UINT64(1, info_of(r).overruns);
    TEST_ASSERT_EQUAL_UINT64(3, info_of(r).skipped);
}

/* ---- cheaper and dearer ---- */

static piola_world_desc world_desc(void)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.substeps = 3;
    d.iterations = 8;
    return d;
}

static struct scene world_of(void)
{
    const piola_world_desc d = world_desc();
    struct scene s = scene_of(&d);
    (void)scene_floor(&s, 0.5f);
    piola_body_desc b = piola_body_desc_default();
    b.position[1] = 0.05f;
    (void)scene_enter(&s, fixture_beam(2, 1, 1, 0.1), &b);
    return s;
}

/* Ticks of a machine on which an iteration takes so long. */
static piola_tick run(piola_runner *r, struct time *t, struct scene *s, int ticks, double each)
{
    piola_tick k = {0};
    for (int i = 0; i < ticks; ++i) {
        fixture_ok(piola_runner_begin(r, &k), NULL);
        fixture_ok(piola_world_step(s->world, NULL, &s->report), NULL);
        TEST_ASSERT_EQUAL_UINT32(0, s->report.commands_refused);
        t->now += each * k.substeps * k.iterations;
        fixture_ok(piola_runner_end(r, &k), NULL);
    }
    return k;
}

static void test_steps_become_cheaper_and_dearer_and_records_hold_it(void)
{
    struct time t = {.now = 1};
    struct scene s = world_of(), again = world_of();
    piola_runner_desc d = desc_of(&t, 200, PIOLA_OVERRUN_DEGRADE);
    d.substeps = 3;
    d.iterations = 8;
    d.least_iterations = 2;
    const size_t room = 1 << 18;
    void *memory = fixture_memory(room);
    fixture_ok(piola_record_begin(s.world, memory, room), NULL);
    piola_runner *r = runner_of(&d, s.world);
    piola_tick k = run(r, &t, &s, 5, 1e-4); /* 2.4 of 4 ms */
    TEST_ASSERT_EQUAL_UINT32(24, k.substeps * k.iterations);
    k = run(r, &t, &s, 6, 3e-4); /* 24 would take 7.2 ms, 13 fit */
    TEST_ASSERT_EQUAL_UINT32(3, k.substeps);
    TEST_ASSERT_EQUAL_UINT32(4, k.iterations);
    k = run(r, &t, &s, 12, 1e-3); /* 4 fit */
    TEST_ASSERT_EQUAL_UINT32(2, k.iterations);
    TEST_ASSERT_EQUAL_UINT32(2, k.substeps);
    k = run(r, &t, &s, 40, 0.05); /* nothing fits: the floor */
    TEST_ASSERT_EQUAL_UINT32(2, k.iterations);
    TEST_ASSERT_EQUAL_UINT32(1, k.substeps);
    const uint64_t skipped = info_of(r).skipped;
    TEST_ASSERT_GREATER_THAN_UINT64(400, skipped);
    k = run(r, &t, &s, 200, 1e-4);
    TEST_ASSERT_EQUAL_UINT32(24, k.substeps * k.iterations);
    TEST_ASSERT_GREATER_THAN_UINT64(3, info_of(r).lowered);
    TEST_ASSERT_EQUAL_UINT64(8, info_of(r).raised); /* 1 to 3 substeps, 2 to 8 iterations */
    TEST_ASSERT_EQUAL_UINT64(skipped, info_of(r).skipped);
    size_t bytes = 0;
    fixture_ok(piola_record_end(s.world, &bytes), NULL);
    piola_error error = {0};
    uint64_t steps = 0;
    fixture_ok(piola_record_play(again.world, NULL, memory, bytes, &steps, &error), &error);
    TEST_ASSERT_EQUAL_HEX64(piola_world_hash(s.world), piola_world_hash(again.world));
}

/* ---- on the platform's clock ---- */

static _Atomic double told; /* s, that the watchdog was told */

static void note_late(void *context, double seconds)
{
    (void)context;
    atomic_store(&told, seconds);
}

static void test_a_real_loop_and_its_watchdog(void)
{
    if (piola_platform_seconds() <= 0)
        TEST_IGNORE_MESSAGE("no clock");
    piola_runner_desc d = piola_runner_desc_default(NULL);
    d.rate = 500;
    d.spin = 1e-4;
    d.watchdog = 0.03;
    d.late = note_late;
    atomic_store(&told, 0.0);
    piola_runner *r = runner_of(&d, NULL);
    piola_tick k = {0};
    double first = 0;
    for (int i = 0; i < 20; ++i) {
        fixture_ok(piola_runner_begin(r, &k), NULL);
        fixture_ok(piola_runner_end(r, &k), NULL);
        first = i == 0 ? k.deadline : first;
        TEST_ASSERT_TRUE(k.woke >= k.deadline);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, first + 0.002 * i, k.deadline);
    }
    fixture_ok(piola_runner_begin(r, &k), NULL);
    const double start = piola_platform_seconds();
    while (info_of(r).alarms == 0 && piola_platform_seconds() < start + 20)
        ;
    fixture_ok(piola_runner_end(r, &k), NULL);
    TEST_ASSERT_GREATER_THAN_UINT64(0, info_of(r).alarms);
    const double end = piola_platform_seconds(); /* counted before it is told */
    while (atomic_load(&told) <= 0 && piola_platform_seconds() < end + 20)
        ;
    TEST_ASSERT_TRUE(atomic_load(&told) > 0.03);
}

static void test_what_was_not_allowed_is_said(void)
{
    struct time t = {.now = 1};
    piola_runner_desc d = desc_of(&t, 100, PIOLA_OVERRUN_REPORT);
    TEST_ASSERT_EQUAL_UINT32(0, info_of(runner_of(&d, NULL)).asked);
    d.block = fixture_memory(1 << 16);
    d.block_bytes = 1 << 16;
    const piola_runner_info info = info_of(runner_of(&d, NULL));
    TEST_ASSERT_EQUAL_UINT32(0, info.got & ~(uint32_t)PIOLA_FEATURE_HUGE_PAGES);
}

/* ---- frames of any length ---- */

static void test_a_pacer_loses_no_time_but_what_it_tells(void)
{
    piola_pacer p = piola_pacer_default(0.005f, 4);
    uint64_t state = seed | 1, steps = 0;
    double all = 0;
    for (int i = 0; i < 5000; ++i) {
        const double u = fixture_uniform(&state);
        const double frame = i % 50 == 49 ? 0.3 * u : 0.004 + 0.013 * u;
        const uint32_t n = piola_pacer_frame(&p, frame);
        TEST_ASSERT_LESS_OR_EQUAL_UINT32(4, n);
        TEST_ASSERT_TRUE(p.ahead >= 0 && p.ahead < p.dt + 1e-12);
        steps += n;
        all += frame;
    }
    TEST_ASSERT_EQUAL_UINT64(steps, p.steps);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, all, (double)steps * p.dt + p.ahead + p.dropped);
    TEST_ASSERT_TRUE(p.dropped > 0);
    const double before = p.ahead;
    TEST_ASSERT_EQUAL_UINT32(0, piola_pacer_frame(&p, -1));
    TEST_ASSERT_EQUAL_UINT32(0, piola_pacer_frame(&p, (double)NAN));
    TEST_ASSERT_EQUAL_DOUBLE(before, p.ahead);
}

static void test_photons_are_foretold(void)
{
    const double period = 1 / 89.9; /* a panel said to have 90 Hz */
    piola_display d = piola_display_default(90, 0.004);
    uint64_t state = seed | 1;
    double worst = 0;
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1 + 1 / 90. + 0.004, piola_display_photons(&d, 1));
    for (int i = 0; i < 3000; ++i) {
        const double at = 7 + i * period;
        if (fixture_uniform(&state) < 0.9) /* told late by up to 1 ms, some not at all */
            piola_display_refreshed(&d, at + 1e-3 * fixture_uniform(&state));
        const double done = at + period * (0.15 + 0.7 * fixture_uniform(&state));
        const double error = fabs(piola_display_photons(&d, done) - (at + period + 0.004));
        worst = i > 1000 && error > worst ? error : worst;
    }
    TEST_ASSERT_TRUE(worst < 1.2e-3);
    TEST_ASSERT_DOUBLE_WITHIN(2e-5, period, d.period);
    piola_display_refreshed(&d, 500); /* after a pause at once */
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 500 + d.period + 0.004,
                              piola_display_photons(&d, 500 + d.period / 2));
}

/* ---- bad calls ---- */

static void test_bad_calls_are_refused(void)
{
    struct time t = {.now = 1};
    const piola_runner_desc good = desc_of(&t, 100, PIOLA_OVERRUN_DEGRADE);
    struct scene s = world_of();
    piola_runner *r = NULL;
    piola_error error;
    const size_t bytes = piola_runner_size();
    char *memory = fixture_memory(bytes + 8);
    piola_runner_desc bad[7] = {good, good, good, good, good, good, good};
    bad[0].rate = 0;
    bad[1].budget = (float)NAN;
    bad[2].least_iterations = 6;
    bad[3].spin = 0.1;
    bad[4].watchdog = 1e-6;
    bad[5].overrun = PIOLA_OVERRUN_COUNT;
    bad[6].sleep_until = NULL;
    for (int i = 0; i < 7; ++i) {
        TEST_ASSERT_NOT_EQUAL_INT(PIOLA_OK,
                                  piola_runner_create(&bad[i], s.world, memory, bytes, &r, &error));
        TEST_ASSERT_EQUAL_MEMORY("piola_runner_desc.", error.field, 18);
    }
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL,
                          piola_runner_create(&good, NULL, memory, bytes, &r, &error));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MEMORY,
                          piola_runner_create(&good, s.world, memory, bytes - 1, &r, &error));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_ALIGNMENT,
                          piola_runner_create(&good, s.world, memory + 8, bytes, &r, &error));
    r = runner_of(&good, s.world);
    piola_tick k;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_RANGE, piola_runner_end(r, &k));
    fixture_ok(piola_runner_begin(r, &k), NULL);
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_RANGE, piola_runner_begin(r, &k));
}

int main(void)
{
    seed = fixture_seed();
    UNITY_BEGIN();
    RUN_TEST(test_moments_do_not_drift);
    RUN_TEST(test_report_catches_up_and_skip_leaves_out);
    RUN_TEST(test_steps_become_cheaper_and_dearer_and_records_hold_it);
    RUN_TEST(test_a_real_loop_and_its_watchdog);
    RUN_TEST(test_what_was_not_allowed_is_said);
    RUN_TEST(test_a_pacer_loses_no_time_but_what_it_tells);
    RUN_TEST(test_photons_are_foretold);
    RUN_TEST(test_bad_calls_are_refused);
    return UNITY_END();
}
