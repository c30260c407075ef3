/* test_platform.c - platform/: descriptions, workers, features, hardening, the clock.
 *
 * Tests the room this build was made with; where rooms differ, so do the expectations. What the
 * machine refuses (no right to real-time scheduling, one core) is a result, not a failure: what is
 * checked is that reports and facts agree.
 *
 * covers: platform/
 */
#define _GNU_SOURCE

#include "piola/piola.h"
#include "unity.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if !defined(PIOLA_PLATFORM_BARE)
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#endif
#if defined(PIOLA_PLATFORM_LINUX)
#include <linux/capability.h>
#include <sys/syscall.h>
#endif

#define BLOCK    ((size_t)6 << 20)
#define PATIENCE 100 /* s until something is called a hang */

static unsigned char memory[8192] __attribute__((aligned(PIOLA_ALIGNMENT)));

void setUp(void)
{
    (void)alarm(PATIENCE);
}

void tearDown(void)
{
    (void)alarm(0);
}

/* ---- descriptions ------------------------------------------------------------------------- */

static void refused(piola_status expected, const char *field, const piola_workers_desc *desc,
                    void *block, size_t bytes)
{
    piola_workers *workers = (piola_workers *)(uintptr_t)1;
    piola_error error = {0};
    TEST_ASSERT_EQUAL(expected, piola_workers_create(desc, block, bytes, &workers, &error));
    TEST_ASSERT_EQUAL(expected, error.status);
    TEST_ASSERT_EQUAL_STRING(field, error.field);
    TEST_ASSERT_FALSE(error.has_item);
    TEST_ASSERT_EQUAL_PTR((void *)(uintptr_t)1, workers);
    TEST_ASSERT_EQUAL(expected, piola_workers_create(desc, block, bytes, &workers, NULL));
}

static void hostile_descriptions_are_refused(void)
{
    piola_workers_desc desc = piola_workers_desc_default();
    size_t bytes = 77;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_workers_size(NULL, &bytes, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_workers_size(&desc, NULL, NULL));
    refused(PIOLA_ERROR_NULL, "piola_workers_desc", NULL, memory, sizeof memory);
    desc.cookie_ = 0;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COOKIE, piola_workers_size(&desc, &bytes, NULL));
    refused(PIOLA_ERROR_COOKIE, "piola_workers_desc", &desc, memory, sizeof memory);
    static const uint32_t wrong_threads[] = {0, 65, UINT32_MAX};
    for (uint32_t i = 0; i < 3; i++) {
        desc = piola_workers_desc_default();
        desc.threads = wrong_threads[i];
        TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_workers_size(&desc, &bytes, NULL));
        refused(PIOLA_ERROR_RANGE, "piola_workers_desc.threads", &desc, memory, sizeof memory);
    }
    desc = piola_workers_desc_default();
    desc.policy = PIOLA_WAIT_COUNT;
    refused(PIOLA_ERROR_RANGE, "piola_workers_desc.policy", &desc, memory, sizeof memory);
    memset(&desc.policy, 0xff, sizeof desc.policy);
    refused(PIOLA_ERROR_RANGE, "piola_workers_desc.policy", &desc, memory, sizeof memory);
    TEST_ASSERT_EQUAL_UINT64(77, bytes); /* a failure changes nothing */
}

static void hostile_memory_is_refused(void)
{
    piola_workers_desc desc = piola_workers_desc_default();
    size_t bytes = 0;
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_workers_size(&desc, &bytes, NULL));
    TEST_ASSERT_EQUAL_UINT64(0, bytes % PIOLA_ALIGNMENT);
    memset(memory, 0x5a, sizeof memory);
    refused(PIOLA_ERROR_NULL, "memory", &desc, NULL, bytes);
    refused(PIOLA_ERROR_MEMORY, "bytes", &desc, memory, bytes - 1);
    refused(PIOLA_ERROR_MEMORY, "bytes", &desc, memory, 0);
    refused(PIOLA_ERROR_ALIGNMENT, "memory", &desc, memory + 8, sizeof memory - 8);
    refused(PIOLA_ERROR_ALIGNMENT, "memory", &desc, memory + 32, sizeof memory - 32);
    piola_error error = {0};
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_workers_create(&desc, memory, bytes, NULL, &error));
    TEST_ASSERT_EQUAL_STRING("workers", error.field);
    for (size_t i = 0; i < sizeof memory; i++) {
        TEST_ASSERT_EQUAL_HEX8(0x5a, memory[i]);
    }
}

static void nothing_is_no_workers(void)
{
    memset(memory, 0, sizeof memory);
    piola_workers *never_made = (piola_workers *)(void *)memory;
    TEST_ASSERT_NULL(piola_workers_tasks(NULL));
    TEST_ASSERT_NULL(piola_workers_tasks(never_made));
    TEST_ASSERT_EQUAL_UINT32(0, piola_workers_features(NULL));
    TEST_ASSERT_EQUAL_UINT32(0, piola_workers_features(never_made));
    piola_workers_destroy(NULL);
    piola_workers_destroy(never_made);
}

static piola_workers *make_workers(const piola_workers_desc *desc)
{
    piola_workers *workers = NULL;
    piola_error error = {.status = PIOLA_ERROR_RANGE};
    size_t bytes = 0;
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_workers_size(desc, &bytes, &error));
    TEST_ASSERT_TRUE(bytes <= sizeof memory);
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_workers_create(desc, memory, bytes, &workers, &error));
    TEST_ASSERT_EQUAL(PIOLA_OK, error.status);
    TEST_ASSERT_NOT_NULL(workers);
    return workers;
}

static void one_thread_needs_no_help(void)
{
    piola_workers_desc desc = piola_workers_desc_default();
    desc.threads = 1;
    for (uint32_t policy = 0; policy < PIOLA_WAIT_COUNT; policy++) {
        desc.policy = (piola_wait_policy)policy;
        piola_workers *workers = make_workers(&desc);
        const piola_tasks *tasks = piola_workers_tasks(workers);
        TEST_ASSERT_EQUAL_UINT32(0, tasks->helpers);
        TEST_ASSERT_EQUAL_UINT32(0, piola_workers_features(workers));
        piola_workers_destroy(workers);
        TEST_ASSERT_NULL(piola_workers_tasks(workers));
        piola_workers_destroy(workers); /* a second time does nothing */
    }
}

/* ---- memory and clock --------------------------------------------------------------------- */

static void hardening_keeps_the_content(void)
{
    unsigned char *block = malloc(BLOCK);
    TEST_ASSERT_NOT_NULL(block);
    const uint32_t features = piola_platform_features();
    const uint32_t possible =
        features & (uint32_t)(PIOLA_FEATURE_LOCK_MEMORY | PIOLA_FEATURE_HUGE_PAGES);
    for (size_t i = 0; i < BLOCK; i++) {
        block[i] = (unsigned char)(i * 31 >> 3);
    }
    static const size_t sizes[] = {1, 4095, 4096, 4097, 100000, BLOCK};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const size_t offset = (BLOCK - sizes[s]) / 3;
        const uint32_t got = piola_platform_harden(block + offset, sizes[s]);
        TEST_ASSERT_EQUAL_HEX32(0, got & ~possible);
    }
    for (size_t i = 0; i < BLOCK; i++) {
        if (block[i] != (unsigned char)(i * 31 >> 3)) {
            TEST_FAIL_MESSAGE("hardening changed the block");
        }
    }
    free(block);
    TEST_ASSERT_EQUAL_UINT32(0, piola_platform_harden(NULL, 100));
    TEST_ASSERT_EQUAL_UINT32(0, piola_platform_harden(memory, 0));
    TEST_ASSERT_EQUAL_UINT32(0, piola_platform_harden(memory, SIZE_MAX));
}

static void the_clock_goes_forward(void)
{
#if defined(PIOLA_PLATFORM_BARE)
    TEST_ASSERT_TRUE(piola_platform_seconds() == 0.0);
#else
    const double before = piola_platform_seconds();
    const struct timespec pause = {.tv_nsec = 20000000};
    (void)nanosleep(&pause, NULL);
    const double after = piola_platform_seconds();
    TEST_ASSERT_TRUE(before > 0.0);
    TEST_ASSERT_TRUE(after - before >= 0.0199);
    TEST_ASSERT_TRUE(after - before < 20.0);
#endif
}

/* ---- rooms without threads ---------------------------------------------------------------- */

#if defined(PIOLA_PLATFORM_BARE)

static void more_than_one_thread_is_refused(void)
{
    piola_workers_desc desc = piola_workers_desc_default();
    TEST_ASSERT_EQUAL_UINT32(1, desc.threads);
    TEST_ASSERT_EQUAL_UINT32(0, piola_platform_features());
    for (uint32_t threads = 2; threads <= 64; threads++) {
        desc.threads = threads;
        refused(PIOLA_ERROR_THREADS, "piola_workers_desc.threads", &desc, memory, sizeof memory);
    }
}

#else

/* ---- rooms with threads ------------------------------------------------------------------- */

static void features_agree_and_change_nothing(void)
{
    int policy_before = 0;
    int policy_after = 0;
    struct sched_param before = {0};
    struct sched_param after = {0};
    (void)pthread_getschedparam(pthread_self(), &policy_before, &before);
    const uint32_t features = piola_platform_features();
    for (int i = 0; i < 5; i++) {
        TEST_ASSERT_EQUAL_HEX32(features, piola_platform_features());
    }
    (void)pthread_getschedparam(pthread_self(), &policy_after, &after);
    TEST_ASSERT_EQUAL(policy_before, policy_after);
    TEST_ASSERT_EQUAL(before.sched_priority, after.sched_priority);
    TEST_ASSERT_EQUAL_HEX32(PIOLA_FEATURE_THREADS, features & PIOLA_FEATURE_THREADS);
    TEST_ASSERT_EQUAL_HEX32(0, features & ~UINT32_C(63));
#if defined(PIOLA_PLATFORM_LINUX)
    TEST_ASSERT_EQUAL_HEX32(PIOLA_FEATURE_FUTEX, features & PIOLA_FEATURE_FUTEX);
#else
    const uint32_t beyond = PIOLA_FEATURE_FUTEX | PIOLA_FEATURE_AFFINITY | PIOLA_FEATURE_HUGE_PAGES;
    TEST_ASSERT_EQUAL_HEX32(0, features & beyond);
#endif
}

#if defined(PIOLA_PLATFORM_LINUX)

/* kB of the process's memory that are locked, -1 when that cannot be told. */
static long locked_memory(void)
{
    char line[256];
    long locked = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        (void)sscanf(line, "VmLck: %ld", &locked);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return locked;
}

enum rights { ALL_RIGHTS, NO_RIGHTS, LOCK_RIGHT };

/* Leaves the process a limit of 4 kB and no right, or that of locking memory alone. False when it
 * has not got that one. */
static bool give_rights_away(enum rights left)
{
    const struct rlimit limit = {4096, 4096};
    const uint32_t kept = left == LOCK_RIGHT ? 1u << CAP_IPC_LOCK : 0;
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const struct __user_cap_data_struct rights[2] = {{.effective = kept, .permitted = kept}};
    return setrlimit(RLIMIT_MEMLOCK, &limit) == 0 && syscall(SYS_capset, &header, rights) == 0;
}

/* In a process of its own, which may be refused: 0 when what it was told is what it has. */
static int lock_and_look(enum rights left)
{
    const size_t more = (size_t)8 << 20;
    const bool limited = left == NO_RIGHTS;
    struct rlimit limit, after;
    if (left != ALL_RIGHTS && !give_rights_away(left)) {
        return 0;
    }
    (void)getrlimit(RLIMIT_MEMLOCK, &limit);
    const uint32_t got = piola_platform_lock_process();
    (void)getrlimit(RLIMIT_MEMLOCK, &after);
    void *block = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const long locked = locked_memory();
    if (block == MAP_FAILED || (limited && got != 0) ||
        (left == LOCK_RIGHT && got == 0 && mlock(block, more) == 0)) {
        return 1;
    }
    if (got == 0) {
        return locked > 0 || after.rlim_cur != limit.rlim_cur || after.rlim_max != limit.rlim_max;
    }
    return got != PIOLA_FEATURE_LOCK_MEMORY || locked < (long)(more >> 10);
}

static void a_locked_process_is_locked(void)
{
    if (getenv("PIOLA_TEST_SCALE") != NULL) {
        return; /* sanitizers leave mlockall out, and an emulator would lock itself */
    }
    for (int left = ALL_RIGHTS; left <= LOCK_RIGHT; left++) {
        int status = 0;
        const pid_t child = fork();
        if (child == 0) {
            _exit(lock_and_look((enum rights)left));
        }
        TEST_ASSERT_TRUE(child > 0);
        TEST_ASSERT_EQUAL(child, waitpid(child, &status, 0));
        TEST_ASSERT_EQUAL_INT(0, status);
    }
    TEST_ASSERT_EQUAL_INT(0, locked_memory());
}

#endif

struct visit {
    _Atomic uint32_t entered[65];
    _Atomic uint32_t inside, total;
    _Atomic uint32_t release; /* workers stay until it is set */
    _Atomic uint32_t realtime, pinned, signals;
    uint32_t plain; /* written before start, read by workers */
    _Atomic uint32_t wrong;
};

static void visit_work(void *argument, uint32_t worker)
{
    struct visit *visit = argument;
    atomic_fetch_add(&visit->inside, 1);
    atomic_fetch_add(&visit->entered[worker < 65 ? worker : 0], 1);
    atomic_fetch_add(&visit->total, 1);
    atomic_fetch_add(&visit->wrong, visit->plain != 4711);
    int policy = 0;
    struct sched_param parameter = {0};
    sigset_t blocked;
    (void)pthread_getschedparam(pthread_self(), &policy, &parameter);
    atomic_fetch_add(&visit->realtime, policy == SCHED_FIFO);
    (void)pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    atomic_fetch_add(&visit->signals, sigismember(&blocked, SIGUSR1) != 1);
#if defined(PIOLA_PLATFORM_LINUX)
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) {
        atomic_fetch_add(&visit->pinned, CPU_COUNT(&cores) == 1);
    }
#endif
    while (atomic_load(&visit->release) == 0) {
        (void)sched_yield();
    }
    atomic_fetch_sub(&visit->inside, 1);
}

/* One step in which all helpers are waited for, then some in which none is. */
static void visit_workers(piola_workers *workers, struct visit *visit)
{
    const piola_tasks *tasks = piola_workers_tasks(workers);
    *visit = (struct visit){.plain = 4711};
    tasks->start(tasks->context, visit_work, visit);
    while (atomic_load(&visit->total) < tasks->helpers) {
        (void)sched_yield();
    }
    atomic_store(&visit->release, 1);
    tasks->finish(tasks->context);
    TEST_ASSERT_EQUAL_UINT32(0, atomic_load(&visit->inside));
    TEST_ASSERT_EQUAL_UINT32(0, atomic_load(&visit->signals));
    for (uint32_t i = 0; i < 65; i++) {
        TEST_ASSERT_EQUAL_UINT32(i >= 1 && i <= tasks->helpers, atomic_load(&visit->entered[i]));
    }
    for (uint32_t step = 0; step < 100; step++) {
        for (uint32_t i = 1; i <= tasks->helpers; i++) {
            atomic_store(&visit->entered[i], 0);
        }
        tasks->start(tasks->context, visit_work, visit);
        tasks->finish(tasks->context);
        const uint32_t total = atomic_load(&visit->total);
        TEST_ASSERT_EQUAL_UINT32(0, atomic_load(&visit->inside));
        (void)sched_yield();
        TEST_ASSERT_EQUAL_UINT32(total, atomic_load(&visit->total)); /* none after finish */
        for (uint32_t i = 1; i <= tasks->helpers; i++) {
            TEST_ASSERT_TRUE(atomic_load(&visit->entered[i]) <= 1); /* once a step */
        }
    }
    TEST_ASSERT_EQUAL_UINT32(0, atomic_load(&visit->wrong));
}

static void workers_of_every_size_and_policy(void)
{
    for (uint32_t threads = 2; threads <= 64; threads += threads < 9 ? 1 : 11) {
        for (uint32_t policy = 0; policy < PIOLA_WAIT_COUNT; policy++) {
            piola_workers_desc desc = piola_workers_desc_default();
            struct visit visit;
            desc.threads = threads;
            desc.policy = (piola_wait_policy)policy;
            desc.spins = 50;
            piola_workers *workers = make_workers(&desc);
            TEST_ASSERT_EQUAL_UINT32(threads - 1, piola_workers_tasks(workers)->helpers);
            visit_workers(workers, &visit);
            const uint32_t sleeps =
                policy == PIOLA_WAIT_SLEEP ? piola_platform_features() & PIOLA_FEATURE_FUTEX : 0;
            TEST_ASSERT_EQUAL_HEX32(PIOLA_FEATURE_THREADS | sleeps,
                                    piola_workers_features(workers));
            piola_workers_destroy(workers);
        }
    }
}

static void what_was_asked_for_is_got_or_not_claimed(void)
{
    const uint32_t features = piola_platform_features();
    for (uint32_t threads = 2; threads <= 6; threads++) {
        piola_workers_desc desc = piola_workers_desc_default();
        struct visit visit;
        desc.threads = threads;
        desc.pin_to_cores = true;
        desc.realtime = true;
        piola_workers *workers = make_workers(&desc);
        const uint32_t got = piola_workers_features(workers);
        visit_workers(workers, &visit);
        piola_workers_destroy(workers);
        TEST_ASSERT_EQUAL_HEX32(0, got & ~features);
        const uint32_t visits = atomic_load(&visit.total);
        if ((got & PIOLA_FEATURE_REALTIME) != 0) {
            TEST_ASSERT_EQUAL_UINT32(visits, atomic_load(&visit.realtime));
        }
        if ((got & PIOLA_FEATURE_AFFINITY) != 0) {
            TEST_ASSERT_EQUAL_UINT32(visits, atomic_load(&visit.pinned));
        }
        TEST_ASSERT_EQUAL_HEX32(features & PIOLA_FEATURE_REALTIME, got & PIOLA_FEATURE_REALTIME);
    }
}

static void workers_come_and_go(void)
{
    piola_workers_desc desc = piola_workers_desc_default();
    desc.threads = 4;
    for (uint32_t i = 0; i < 200; i++) {
        desc.policy = (piola_wait_policy)(i % PIOLA_WAIT_COUNT);
        piola_workers *workers = make_workers(&desc);
        if (i % 2 == 0) {
            const piola_tasks *tasks = piola_workers_tasks(workers);
            struct visit visit = {.plain = 4711, .release = 1};
            tasks->start(tasks->context, visit_work, &visit);
            tasks->finish(tasks->context);
            TEST_ASSERT_EQUAL_UINT32(0, atomic_load(&visit.wrong));
        }
        piola_workers_destroy(workers);
    }
}

#endif

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(hostile_descriptions_are_refused);
    RUN_TEST(hostile_memory_is_refused);
    RUN_TEST(nothing_is_no_workers);
    RUN_TEST(one_thread_needs_no_help);
    RUN_TEST(hardening_keeps_the_content);
    RUN_TEST(the_clock_goes_forward);
#if defined(PIOLA_PLATFORM_BARE)
    RUN_TEST(more_than_one_thread_is_refused);
#else
    RUN_TEST(features_agree_and_change_nothing);
#if defined(PIOLA_PLATFORM_LINUX)
    RUN_TEST(a_locked_process_is_locked);
#endif
    RUN_TEST(workers_of_every_size_and_policy);
    RUN_TEST(what_was_asked_for_is_got_or_not_claimed);
    RUN_TEST(workers_come_and_go);
#endif
    return UNITY_END();
}
