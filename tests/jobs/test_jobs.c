/* test_jobs.c - src/jobs/jobs.c: every block of every stage once, whoever helps and however late.
 *
 * Compiles its own copy of jobs.c, with a hook that loses random time at each place where the order
 * of two threads matters. Runs under the thread sanitizer as well: blocks read plain memory that
 * other threads wrote in the stage before. Seed: printed, overridden by PIOLA_SEED; the order in
 * which threads run is the system's, so a seed does not repeat a failure exactly.
 * covers: src/jobs/jobs.c
 */
#define _DEFAULT_SOURCE

static void lose_time(void);
#define PIOLA_JOBS_DELAY() lose_time()
#include "jobs/jobs.c"

#include "unity.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_BLOCKS 200u
#define CAPACITY   160u
#define PATIENCE   300u /* s until a lost wake-up is called a hang */

/* ---- randomness and time ------------------------------------------------------------------ */

static uint64_t seed;
static _Atomic uint64_t threads_seeded;
static _Atomic uint32_t delay_chance; /* of 1024; 0 is off */
static _Thread_local uint64_t state;

static uint64_t random_bits(void)
{
    if (state == 0) {
        state = (seed + atomic_fetch_add(&threads_seeded, 1)) * 0x9e3779b97f4a7c15u | 1;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
}

static void nap(long nanoseconds)
{
    const struct timespec time = {.tv_nsec = nanoseconds};
    (void)nanosleep(&time, NULL);
}

static void lose_time(void)
{
    const uint32_t chance = atomic_load_explicit(&delay_chance, memory_order_relaxed);
    if (chance == 0 || random_bits() % 1024 >= chance) {
        return;
    }
    const uint64_t kind = random_bits() % 16;
    if (kind == 0) {
        nap((long)(random_bits() % 100000));
    } else if (kind < 4) {
        (void)sched_yield();
    } else {
        for (uint64_t i = random_bits() % 300; i > 0; i--) {
            cpu_pause();
        }
    }
}

static uint32_t scaled(uint32_t count)
{
    const char *text = getenv("PIOLA_TEST_SCALE");
    const double scale = text == NULL ? 1.0 : atof(text);
    const uint32_t result = (uint32_t)((double)count * scale);
    return result < 2 ? 2 : result;
}

/* ---- the program that is run -------------------------------------------------------------- */

enum { KIND_MIX, KIND_FLOATS, KIND_COUNT_OF };

struct load {
    struct jobs jobs;
    _Atomic uint64_t tickets[CAPACITY];
    /* constant during a step */
    uint32_t counts[JOBS_MAX_ARGUMENT + 2];
    /* written between stages */
    uint32_t argument;
    uint32_t *from, *to;
    /* written by blocks; each its own */
    uint32_t one[MAX_BLOCKS], two[MAX_BLOCKS];
    uint64_t scratch[JOBS_MAX_WORKERS * 8];
    _Atomic uint32_t runs[MAX_BLOCKS];
    _Atomic uint32_t by_helpers;
    _Atomic uint32_t wrong;
};

static uint32_t mix(uint32_t own, uint32_t neighbour, uint32_t argument)
{
    return (own ^ neighbour >> 3) * 2654435761u + argument;
}

/* Reads what two blocks of the last stage wrote: a stage that starts too early, or sees old memory,
 * changes the result. */
static void block_mix(void *context, uint32_t argument, uint32_t block, uint32_t worker)
{
    struct load *load = context;
    lose_time();
    load->to[block] = mix(load->from[block], load->from[(block + 1) % MAX_BLOCKS], argument);
    load->scratch[worker * 8]++; /* two threads of one number would be a data race */
    atomic_fetch_add_explicit(&load->runs[block], 1, memory_order_relaxed);
    if (argument != load->argument || worker > load->jobs.helpers) {
        atomic_fetch_add(&load->wrong, 1);
    }
    if (worker > 0) {
        atomic_fetch_add_explicit(&load->by_helpers, 1, memory_order_relaxed);
    }
}

/* Subnormals are zero, and rounding is to nearest: 1 + half an ulp and a bit is up, less is down.
 */
static void block_floats(void *context, uint32_t argument, uint32_t block, uint32_t worker)
{
    struct load *load = context;
    (void)argument;
    (void)worker;
    const volatile float tiny = 1e-30f;
    const volatile float small = 1e-10f;
    const volatile float subnormal = 1e-40f;
    const volatile float big = 1e10f;
    const volatile float one = 1.0f;
    const volatile float less = 5e-8f;
    const volatile float more = 7e-8f;
    const bool right = tiny * small == 0.0f && subnormal * big == 0.0f && one + less == 1.0f &&
                       one + more > 1.0f && -one - less == -1.0f && -one - more < -1.0f;
    atomic_fetch_add(right ? &load->runs[block] : &load->wrong, 1);
}

static uint32_t count_of(const void *context, uint32_t kind, uint32_t argument)
{
    (void)kind;
    return ((const struct load *)context)->counts[argument];
}

static jobs_block *const functions[KIND_COUNT_OF] = {block_mix, block_floats};
static const struct jobs_program program = {.blocks = functions, .count = count_of};

static struct load *make_load(void)
{
    struct load *load = aligned_alloc(PIOLA_ALIGNMENT, (sizeof *load + 63) / 64 * 64);
    memset(load, 0, sizeof *load);
    load->from = load->one;
    load->to = load->two;
    for (uint32_t i = 0; i < MAX_BLOCKS; i++) {
        load->one[i] = i;
    }
    return load;
}

/* Runs a stage and checks it against plain loops. */
static void checked_stage(struct load *load, uint32_t argument)
{
    const uint32_t count = load->counts[argument];
    uint32_t expected[MAX_BLOCKS];
    for (uint32_t i = 0; i < count; i++) {
        expected[i] = mix(load->from[i], load->from[(i + 1) % MAX_BLOCKS], argument);
    }
    load->argument = argument;
    jobs_stage(&load->jobs, KIND_MIX, argument);
    for (uint32_t i = 0; i < MAX_BLOCKS; i++) {
        TEST_ASSERT_EQUAL_UINT32(i < count ? 1 : 0, atomic_exchange(&load->runs[i], 0));
    }
    if (count > 0) {
        TEST_ASSERT_EQUAL_UINT32_ARRAY(expected, load->to, count);
    }
    uint32_t *swap = load->from;
    load->from = load->to;
    load->to = swap;
}

static void checked_step(struct load *load, const piola_tasks *tasks, uint32_t stages)
{
    for (uint32_t i = 0; i < 64; i++) {
        load->counts[i] = (uint32_t)(random_bits() % (i % 4 == 0 ? CAPACITY + 1 : 12));
    }
    uint32_t with_blocks = 0;
    jobs_begin(&load->jobs, &program, load, load->tickets, CAPACITY, tasks);
    for (uint32_t i = 0; i < stages; i++) {
        const uint32_t argument = (uint32_t)(random_bits() % 64);
        with_blocks += load->counts[argument] > 0;
        checked_stage(load, argument);
    }
    TEST_ASSERT_EQUAL_UINT32(with_blocks, load->jobs.stages);
    jobs_end(&load->jobs);
    TEST_ASSERT_EQUAL_UINT32(0, atomic_load(&load->wrong));
}

/* ---- a task system by hand ---------------------------------------------------------------- */

enum lender_mode { LENDER_NEVER, LENDER_PROMPT, LENDER_LATE, LENDER_MISCOUNTS };

struct lender {
    piola_tasks tasks;
    enum lender_mode mode;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool open;
    uint32_t inside, begun, started;
    uint64_t mode_changed; /* times work() came back in another floating-point mode */
    piola_work *work;
    void *argument;
    pthread_t threads[JOBS_MAX_WORKERS];
    uint32_t numbers[JOBS_MAX_WORKERS];
};

static struct lender lender;

static uint64_t float_mode_now(void)
{
    const uint64_t now = float_mode_enter();
    float_mode_leave(now);
    return now;
}

static void *lent(void *argument)
{
    const uint32_t number = *(const uint32_t *)argument;
    if (lender.mode == LENDER_LATE) {
        nap((long)(random_bits() % 3000000));
    }
    (void)pthread_mutex_lock(&lender.mutex);
    const bool enters = lender.open;
    lender.inside += enters;
    lender.begun += enters;
    (void)pthread_cond_broadcast(&lender.changed);
    (void)pthread_mutex_unlock(&lender.mutex);
    if (!enters) {
        return NULL;
    }
    (void)fesetround(FE_DOWNWARD);
    const uint64_t before = float_mode_now();
    lender.work(lender.argument, number);
    (void)pthread_mutex_lock(&lender.mutex);
    lender.inside--;
    lender.mode_changed += before != float_mode_now();
    (void)pthread_cond_broadcast(&lender.changed);
    (void)pthread_mutex_unlock(&lender.mutex);
    return NULL;
}

static void lender_start(void *context, piola_work *work, void *argument)
{
    (void)context;
    lender.open = true;
    lender.work = work;
    lender.argument = argument;
    lender.started = lender.mode == LENDER_NEVER ? 0 : lender.tasks.helpers;
    for (uint32_t i = 0; i < lender.started; i++) {
        const uint32_t beyond = i % 2 == 0 ? 0 : lender.tasks.helpers + 1;
        lender.numbers[i] = lender.mode == LENDER_MISCOUNTS ? beyond : i + 1;
        TEST_ASSERT_EQUAL_INT(0,
                              pthread_create(&lender.threads[i], NULL, lent, &lender.numbers[i]));
    }
    /* Those that must reach nothing have to be there while there is something to reach. */
    (void)pthread_mutex_lock(&lender.mutex);
    while (lender.mode == LENDER_MISCOUNTS && lender.begun < lender.started)
        (void)pthread_cond_wait(&lender.changed, &lender.mutex);
    (void)pthread_mutex_unlock(&lender.mutex);
}

static void lender_finish(void *context)
{
    (void)context;
    (void)pthread_mutex_lock(&lender.mutex);
    lender.open = false;
    while (lender.inside > 0)
        (void)pthread_cond_wait(&lender.changed, &lender.mutex);
    (void)pthread_mutex_unlock(&lender.mutex);
    for (uint32_t i = 0; i < lender.started; i++)
        (void)pthread_join(lender.threads[i], NULL);
}

/* Sleeps until woken: a wake-up that the engine forgets is a hang. */
static void lender_wait(void *context, const void *word, uint32_t seen)
{
    (void)context;
    (void)pthread_mutex_lock(&lender.mutex);
    while (atomic_load((const _Atomic uint32_t *)word) == seen)
        (void)pthread_cond_wait(&lender.changed, &lender.mutex);
    (void)pthread_mutex_unlock(&lender.mutex);
}

static void lender_wake(void *context, const void *word)
{
    (void)context;
    (void)word;
    (void)pthread_mutex_lock(&lender.mutex);
    (void)pthread_cond_broadcast(&lender.changed);
    (void)pthread_mutex_unlock(&lender.mutex);
}

static const piola_tasks *lend(enum lender_mode mode, uint32_t helpers, bool sleeps)
{
    lender = (struct lender){.mode = mode,
                             .tasks = {.helpers = helpers,
                                       .start = lender_start,
                                       .finish = lender_finish,
                                       .wait = sleeps ? lender_wait : NULL,
                                       .wake = sleeps ? lender_wake : NULL}};
    (void)pthread_mutex_init(&lender.mutex, NULL);
    (void)pthread_cond_init(&lender.changed, NULL);
    return &lender.tasks;
}

/* ---- tests -------------------------------------------------------------------------------- */

void setUp(void)
{
    (void)alarm(PATIENCE);
    atomic_store(&delay_chance, 0);
}

void tearDown(void)
{
    (void)alarm(0);
}

static void alone(void)
{
    struct load *load = make_load();
    for (uint32_t i = 0; i < 20; i++) {
        checked_step(load, NULL, 20);
    }
    TEST_ASSERT_EQUAL_UINT32(0, atomic_load(&load->by_helpers));
    TEST_ASSERT_EQUAL_UINT64(0, load->jobs.serial); /* nothing to publish */
    free(load);
}

static void helpers_that_never_come(void)
{
    struct load *load = make_load();
    atomic_store(&delay_chance, 30);
    for (uint32_t i = 0; i < 20; i++) {
        checked_step(load, lend(LENDER_NEVER, 1 + i % 63, i % 2 == 0), 20);
    }
    TEST_ASSERT_EQUAL_UINT32(0, atomic_load(&load->by_helpers));
    free(load);
}

/* A step that goes on until a helper, however late, has done a block. */
static void step_until_helped(struct load *load, const piola_tasks *tasks)
{
    atomic_store(&load->by_helpers, 0);
    load->counts[1] = CAPACITY;
    jobs_begin(&load->jobs, &program, load, load->tickets, CAPACITY, tasks);
    while (atomic_load(&load->by_helpers) == 0) { /* ended by alarm() at the latest */
        checked_stage(load, 1);
    }
    jobs_end(&load->jobs);
}

static void lent_threads(enum lender_mode mode, bool sleeps)
{
    static const uint32_t helpers[] = {1, 2, 3, 7, 15, 63};
    /* Threads that spin without a core of their own cost whole time slices. */
    const uint32_t most = sleeps ? 63 : 3;
    const uint32_t steps = scaled(12);
    struct load *load = make_load();
    for (uint32_t h = 0; h < sizeof helpers / sizeof helpers[0] && helpers[h] <= most; h++) {
        atomic_store(&delay_chance, sleeps ? 60 : 10);
        for (uint32_t i = 0; i < steps; i++) {
            checked_step(load, lend(mode, helpers[h], sleeps), sleeps ? 30 : 10);
            TEST_ASSERT_EQUAL_UINT32(0, lender.inside);
            TEST_ASSERT_EQUAL_UINT64(0, lender.mode_changed);
        }
    }
    step_until_helped(load, lend(mode, 3, sleeps));
    free(load);
}

static void prompt_threads_that_sleep(void)
{
    lent_threads(LENDER_PROMPT, true);
}

static void late_threads_that_sleep(void)
{
    lent_threads(LENDER_LATE, true);
}

static void late_threads_that_spin(void)
{
    lent_threads(LENDER_LATE, false);
}

static void a_lender_that_miscounts_reaches_no_block(void)
{
    struct load *load = make_load();
    uint32_t begun = 0;
    for (uint32_t i = 0; i < 10; i++) {
        checked_step(load, lend(LENDER_MISCOUNTS, 1 + i, true), 30);
        begun += lender.begun;
    }
    TEST_ASSERT_EQUAL_UINT32(55, begun);
    TEST_ASSERT_EQUAL_UINT32(0, atomic_load(&load->by_helpers));
    free(load);
}

static void own_workers(piola_wait_policy policy, uint32_t threads, uint32_t spins, uint32_t steps,
                        uint32_t stages)
{
    piola_workers_desc desc = piola_workers_desc_default();
    desc.threads = threads;
    desc.policy = policy;
    desc.spins = spins;
    size_t bytes = 0;
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_workers_size(&desc, &bytes, NULL));
    void *memory = aligned_alloc(PIOLA_ALIGNMENT, bytes);
    piola_workers *workers = NULL;
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_workers_create(&desc, memory, bytes, &workers, NULL));
    struct load *load = make_load();
    for (uint32_t i = 0; i < steps; i++) {
        checked_step(load, piola_workers_tasks(workers), stages);
    }
    free(load);
    piola_workers_destroy(workers);
    free(memory);
}

static void own_workers_of_each_policy(void)
{
#if defined(PIOLA_PLATFORM_BARE)
    own_workers(PIOLA_WAIT_SPIN, 1, 0, scaled(20), 20);
#else
    static const uint32_t threads[] = {1, 2, 3, 5, 8, 16, 33, 64};
    for (uint32_t policy = 0; policy < PIOLA_WAIT_COUNT; policy++) {
        for (uint32_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
            atomic_store(&delay_chance, t % 2 == 0 ? 0 : 20);
            own_workers((piola_wait_policy)policy, threads[t], 100, scaled(20), 20);
        }
    }
#endif
}

#if !defined(PIOLA_PLATFORM_BARE)
/* Hundreds of thousands of chances to lose a wake-up: nobody spins for long, naps make everybody
 * else go to sleep, and steps are short, so that helpers park again and again. */
static void no_wake_up_is_lost(void)
{
    for (uint32_t threads = 2; threads <= 4; threads++) {
        atomic_store(&delay_chance, 3);
        own_workers(PIOLA_WAIT_SLEEP, threads, 0, scaled(2000), 3);
        own_workers(PIOLA_WAIT_SLEEP, threads, 0, 2, scaled(5000));
    }
}

static void sixteen_threads_on_fewer_cores(void)
{
    for (uint32_t policy = 0; policy < PIOLA_WAIT_COUNT; policy++) {
        own_workers((piola_wait_policy)policy, 16, 2000, scaled(10), scaled(200));
    }
}
#endif

static void stages_that_run_on_the_caller_alone(void)
{
    struct load *load = make_load();
    load->counts[1] = 1;
    load->counts[2] = CAPACITY + 1;
    load->counts[JOBS_MAX_ARGUMENT + 1] = 9;
    jobs_begin(&load->jobs, &program, load, load->tickets, CAPACITY, lend(LENDER_PROMPT, 2, true));
    const uint64_t serial = load->jobs.serial;
    for (uint32_t argument = 0; argument < 3; argument++) {
        checked_stage(load, argument);
    }
    checked_stage(load, JOBS_MAX_ARGUMENT + 1);
    TEST_ASSERT_EQUAL_UINT64(serial, load->jobs.serial);
    TEST_ASSERT_EQUAL_UINT32(3, load->jobs.stages);
    jobs_end(&load->jobs);
    TEST_ASSERT_EQUAL_UINT32(0, atomic_load(&load->by_helpers));
    free(load);
}

static void the_largest_argument_fits(void)
{
    struct load *load = make_load();
    load->counts[JOBS_MAX_ARGUMENT] = CAPACITY;
    jobs_begin(&load->jobs, &program, load, load->tickets, CAPACITY, lend(LENDER_PROMPT, 3, true));
    const uint64_t serial = load->jobs.serial;
    for (uint32_t i = 0; i < 50; i++) {
        checked_stage(load, JOBS_MAX_ARGUMENT);
    }
    TEST_ASSERT_EQUAL_UINT64(serial + 50, load->jobs.serial);
    jobs_end(&load->jobs);
    TEST_ASSERT_EQUAL_UINT32(0, atomic_load(&load->wrong));
    free(load);
}

/* Puts a world that has run for long just below a border. */
static void run_across(uint64_t serial)
{
    struct load *load = make_load();
    load->jobs.serial = serial - 40;
    for (uint32_t i = 0; i < CAPACITY; i++) {
        load->tickets[i] = serial - 40 - random_bits() % 3;
    }
    atomic_store(&delay_chance, 40);
    for (uint32_t i = 0; i < 8; i++) {
        checked_step(load, lend(LENDER_PROMPT, 3, true), 20);
    }
    free(load);
}

static void serials_cross_their_borders(void)
{
    run_across(UINT64_C(1) << 32); /* the words that threads sleep on begin again */
    run_across(SERIAL_RENEW);      /* a step crosses it, the next begins again from 0 */
    struct load *load = make_load();
    load->jobs.serial = SERIAL_RENEW + 5;
    load->tickets[7] = SERIAL_RENEW + 5;
    jobs_begin(&load->jobs, &program, load, load->tickets, CAPACITY, NULL);
    TEST_ASSERT_TRUE(load->tickets[7] == 0 && load->jobs.serial == 0);
    jobs_end(&load->jobs);
    free(load);
}

static void between_steps_it_is_plain_data(void)
{
    struct load *first = make_load(), *second = make_load();
    const piola_tasks *tasks = lend(LENDER_PROMPT, 3, true);
    checked_step(first, tasks, 40);
    TEST_ASSERT_TRUE(first->jobs.program == NULL && first->jobs.tickets == NULL);
    TEST_ASSERT_TRUE(first->jobs.tasks.start == NULL && first->jobs.tasks.context == NULL);
    memcpy(&second->jobs, &first->jobs, sizeof first->jobs);
    memcpy(second->tickets, first->tickets, sizeof first->tickets);
    memset(first, 0xa5, sizeof *first);
    checked_step(second, tasks, 40);
    free(first);
    free(second);
}

static void every_worker_computes_in_the_engines_mode(void)
{
    struct load *load = make_load();
    load->counts[0] = 100;
    const volatile float subnormal = 1e-40f;
    const volatile float two = 2.0f;
    (void)fesetround(FE_UPWARD);
    (void)feclearexcept(FE_ALL_EXCEPT);
    (void)feraiseexcept(FE_DIVBYZERO);
    const uint64_t before = float_mode_now();
    for (uint32_t i = 0; i < 4; i++) {
        jobs_begin(&load->jobs, &program, load, load->tickets, CAPACITY,
                   i == 0 ? NULL : lend(LENDER_PROMPT, i, true));
        for (uint32_t s = 0; s < 50; s++) {
            jobs_stage(&load->jobs, KIND_FLOATS, 0);
        }
        jobs_end(&load->jobs);
    }
    const uint64_t after = float_mode_now();
    const bool flags = fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO;
    const bool subnormals = subnormal * two > 0.0f;
    (void)fesetround(FE_TONEAREST);
    (void)feclearexcept(FE_ALL_EXCEPT);
    TEST_ASSERT_EQUAL_HEX64(before, after);
    TEST_ASSERT_TRUE(flags);
    TEST_ASSERT_TRUE(subnormals);
    TEST_ASSERT_EQUAL_UINT32(0, atomic_load(&load->wrong));
    for (uint32_t i = 0; i < MAX_BLOCKS; i++) {
        TEST_ASSERT_EQUAL_UINT32(i < 100 ? 200 : 0, atomic_load(&load->runs[i]));
    }
    free(load);
}

int main(void)
{
    const char *text = getenv("PIOLA_SEED");
    seed = text != NULL ? strtoull(text, NULL, 0) : (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32;
    printf("seed: PIOLA_SEED=%llu\n", (unsigned long long)seed);
    UNITY_BEGIN();
    RUN_TEST(alone);
    RUN_TEST(helpers_that_never_come);
    RUN_TEST(prompt_threads_that_sleep);
    RUN_TEST(late_threads_that_sleep);
    RUN_TEST(late_threads_that_spin);
    RUN_TEST(a_lender_that_miscounts_reaches_no_block);
    RUN_TEST(own_workers_of_each_policy);
#if !defined(PIOLA_PLATFORM_BARE)
    RUN_TEST(no_wake_up_is_lost);
    RUN_TEST(sixteen_threads_on_fewer_cores);
#endif
    RUN_TEST(stages_that_run_on_the_caller_alone);
    RUN_TEST(the_largest_argument_fits);
    RUN_TEST(serials_cross_their_borders);
    RUN_TEST(between_steps_it_is_plain_data);
    RUN_TEST(every_worker_computes_in_the_engines_mode);
    return UNITY_END();
}
