/* test_triple_buffer.c - src/base/triple_buffer.c: no value is torn, none goes back, nobody waits.
 *
 * Compiles its own copy, with a hook that loses random time at each place where the order of two
 * threads matters. Values are plain memory, so the thread sanitizer sees every access that the
 * protocol does not order. PIOLA_PROOFS asks for 10^8 hand-overs, and for a second's stop of
 * either side. Seed: printed, overridden by PIOLA_SEED; the order in which threads run is the
 * system's, so a seed does not repeat a failure exactly.
 * covers: src/base/triple_buffer.c
 */
#define _DEFAULT_SOURCE

static void lose_time(void);
#define PIOLA_TRIPLE_DELAY() lose_time()
#include "base/triple_buffer.c"

#include "jobs/pause.h"
#include "unity.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORDS 32u

static uint64_t seed;
static _Atomic uint64_t threads_seeded;
static _Atomic uint32_t delay_chance; /* of 1024; 0 is off */
static _Thread_local uint64_t state;

static uint64_t random_bits(void)
{
    if (state == 0)
        state = (seed + atomic_fetch_add(&threads_seeded, 1)) * 0x9e3779b97f4a7c15u | 1;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
}

static void lose_time(void)
{
    const uint32_t chance = atomic_load_explicit(&delay_chance, memory_order_relaxed);
    if (chance == 0 || random_bits() % 1024 >= chance)
        return;
    if (random_bits() % 8 == 0)
        (void)sched_yield();
    else
        for (uint64_t i = random_bits() % 200; i > 0; i--)
            cpu_pause();
}

static uint64_t scaled(uint64_t count)
{
    const char *text = getenv("PIOLA_TEST_SCALE");
    const uint64_t result = (uint64_t)((double)count * (text == NULL ? 1.0 : atof(text)));
    return result < 2 ? 2 : result;
}

/* ---- values that show when they are torn ---------------------------------------------------- */

struct value {
    uint64_t word[WORDS];
};

static void fill(struct value *value, uint64_t sequence)
{
    for (uint64_t i = 0; i < WORDS; i++)
        value->word[i] = (sequence + i) * 0x9e3779b97f4a7c15u;
}

static bool whole(const struct value *value, uint64_t sequence)
{
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < WORDS; i++)
        wrong |= value->word[i] ^ (sequence + i) * 0x9e3779b97f4a7c15u;
    return wrong == 0;
}

struct shared {
    struct triple_buffer buffer;
    struct value value[TRIPLE_MAX_SLOTS];
    _Atomic uint64_t published; /* of which publish has returned */
    _Atomic uint64_t taken;     /* values that readers have looked at */
    _Atomic uint32_t wrong;     /* what readers found, see look() */
    _Atomic bool stop;
};

/* A reader's look at the latest value; bits of what is wrong with it. */
static uint32_t look(struct shared *shared, uint32_t reader, uint64_t *last)
{
    const uint64_t before = atomic_load(&shared->published);
    uint32_t slot = 0;
    if (!triple_acquire(&shared->buffer, reader, &slot))
        return before > 0 ? 1u : 0;
    const struct triple_slot *told = &shared->buffer.slot[slot];
    uint32_t wrong = told->sequence < before || told->sequence < *last ? 2u : 0;
    lose_time();
    wrong |= whole(&shared->value[slot], told->sequence) ? 0 : 4u;
    if (told->has_previous)
        wrong |= whole(&shared->value[told->previous], told->sequence - 1) ? 0 : 8u;
    wrong |= told->has_previous == (shared->buffer.history && told->sequence > 1) ? 0 : 16u;
    *last = told->sequence;
    if (random_bits() % 4 == 0)
        triple_release(&shared->buffer, reader);
    return wrong;
}

static void write_one(struct shared *shared)
{
    const uint32_t slot = triple_write(&shared->buffer);
    fill(&shared->value[slot], shared->buffer.sequence + 1);
    lose_time();
    atomic_store(&shared->published, triple_publish(&shared->buffer));
}

/* ---- one thread ----------------------------------------------------------------------------- */

static void the_latest_is_read_and_held_with_the_one_before(void)
{
    static struct triple_buffer b;
    uint32_t slot = 0, other = 0;
    triple_init(&b, 1, 1);
    TEST_ASSERT_EQUAL_UINT32(5, triple_slots(1, 1));
    TEST_ASSERT_EQUAL_UINT32(3, triple_slots(1, 0));
    TEST_ASSERT_LESS_OR_EQUAL_UINT32(TRIPLE_MAX_SLOTS, triple_slots(TRIPLE_MAX_READERS, 1));
    TEST_ASSERT_FALSE(triple_acquire(&b, 0, &slot));
    TEST_ASSERT_EQUAL_UINT32(triple_write(&b), triple_write(&b));
    TEST_ASSERT_EQUAL_UINT64(1, triple_publish(&b));
    TEST_ASSERT_TRUE(triple_acquire(&b, 0, &slot));
    TEST_ASSERT_FALSE(b.slot[slot].has_previous);
    (void)triple_publish(&b);
    TEST_ASSERT_TRUE(triple_acquire(&b, 0, &slot));
    TEST_ASSERT_EQUAL_UINT64(2, b.slot[slot].sequence);
    const uint32_t before = b.slot[slot].previous;
    TEST_ASSERT_EQUAL_UINT64(1, b.slot[before].sequence);
    for (uint64_t i = 3; i < 40; i++) { /* what is held is not written */
        other = triple_write(&b);
        TEST_ASSERT_TRUE(other != slot && other != before && other < b.slots);
        TEST_ASSERT_EQUAL_UINT64(i, triple_publish(&b));
        TEST_ASSERT_EQUAL_UINT64(2, b.slot[slot].sequence);
        TEST_ASSERT_EQUAL_UINT64(1, b.slot[before].sequence);
    }
    TEST_ASSERT_TRUE(triple_acquire(&b, 0, &slot));
    TEST_ASSERT_EQUAL_UINT64(39, b.slot[slot].sequence);
}

/* ---- threads -------------------------------------------------------------------------------- */

struct reader_thread {
    struct shared *shared;
    uint32_t reader;
};

static void *read_all(void *argument)
{
    const struct reader_thread *thread = argument;
    struct shared *shared = thread->shared;
    uint64_t last = 0, looks = 0;
    uint32_t wrong = 0;
    while (!atomic_load(&shared->stop)) {
        wrong |= look(shared, thread->reader, &last);
        looks++;
    }
    (void)atomic_fetch_add(&shared->taken, looks);
    (void)atomic_fetch_or(&shared->wrong, wrong);
    return NULL;
}

static void hand_over(uint32_t readers, uint32_t history, uint32_t chance, uint64_t count)
{
    static struct shared shared;
    pthread_t thread[TRIPLE_MAX_READERS];
    struct reader_thread made[TRIPLE_MAX_READERS];
    memset(&shared, 0, sizeof shared);
    triple_init(&shared.buffer, readers, history);
    atomic_store(&delay_chance, chance);
    for (uint32_t i = 0; i < readers; i++) {
        made[i] = (struct reader_thread){&shared, i};
        TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread[i], NULL, read_all, &made[i]));
    }
    for (uint64_t i = 0; i < count; i++)
        write_one(&shared);
    atomic_store(&shared.stop, true);
    for (uint32_t i = 0; i < readers; i++)
        TEST_ASSERT_EQUAL_INT(0, pthread_join(thread[i], NULL));
    atomic_store(&delay_chance, 0);
    TEST_ASSERT_EQUAL_HEX32(0, atomic_load(&shared.wrong));
    TEST_ASSERT_EQUAL_UINT64(count, shared.buffer.sequence);
    printf("%u readers, history %u: %llu hand-overs, %llu looks\n", readers, history,
           (unsigned long long)count, (unsigned long long)atomic_load(&shared.taken));
}

static void no_reader_sees_a_torn_value(void)
{
    const uint64_t count = getenv("PIOLA_PROOFS") ? UINT64_C(33333334) : scaled(40000);
    hand_over(1, 0, 0, count);
    hand_over(1, 1, 4, count);
    hand_over(TRIPLE_MAX_READERS - 5, 1, 16, count);
    hand_over(TRIPLE_MAX_READERS, 1, 64, scaled(2000));
}

/* ---- processes, one of which is stopped ----------------------------------------------------- */

static void nap(long milliseconds)
{
    const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

/* Never returns. */
static void child_reads(struct shared *shared)
{
    for (uint64_t last = 0;;) {
        const uint32_t wrong = look(shared, 1, &last);
        (void)atomic_fetch_or(&shared->wrong, wrong);
        (void)atomic_fetch_add(&shared->taken, 1);
    }
}

static pid_t child; /* 0: none */

static void child_writes(struct shared *shared)
{
    for (;;)
        write_one(shared);
}

static void end_child(void)
{
    if (child <= 0)
        return;
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    child = 0;
}

/* The other side is stopped at some moment, for a while; this side goes on, and all is whole. */
static void stop_other(struct shared *shared, bool child_writer, long milliseconds)
{
    uint64_t last = 0, done = 0;
    int status = 0;
    TEST_ASSERT_EQUAL_INT(0, kill(child, SIGSTOP));
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, WUNTRACED));
    const uint64_t published = atomic_load(&shared->published);
    struct timespec now, end;
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += milliseconds % 1000 * 1000000;
    do {
        if (!child_writer)
            write_one(shared);
        TEST_ASSERT_EQUAL_HEX32(0, look(shared, 0, &last));
        done++;
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
    TEST_ASSERT_GREATER_THAN_UINT64(10, done);
    if (child_writer) /* stopped between storing `latest` and its own count, it may be ahead by 1 */
        TEST_ASSERT_UINT64_WITHIN(1, published, last);
    TEST_ASSERT_EQUAL_INT(0, kill(child, SIGCONT));
}

static void with_other(bool child_writer)
{
    const int times = getenv("PIOLA_PROOFS") ? 5 : 8;
    const long milliseconds = getenv("PIOLA_PROOFS") ? 1000 : 2;
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    TEST_ASSERT_TRUE(shared != MAP_FAILED);
    triple_init(&shared->buffer, 2, 1);
    child = fork();
    if (child == 0) {
        if (child_writer)
            child_writes(shared);
        child_reads(shared);
    }
    TEST_ASSERT_TRUE(child > 0);
    for (int i = 0; i < times; i++) {
        nap((long)(random_bits() % 3));
        stop_other(shared, child_writer, milliseconds);
    }
    end_child();
    TEST_ASSERT_EQUAL_HEX32(0, atomic_load(&shared->wrong));
    (void)munmap(shared, sizeof *shared);
}

static void who_is_stopped_holds_nobody_up(void)
{
    with_other(false);
    with_other(true);
}

void setUp(void)
{
}

void tearDown(void)
{
    end_child();
}

int main(void)
{
    const char *text = getenv("PIOLA_SEED");
    seed = text ? strtoull(text, NULL, 0) : (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32;
    printf("seed: PIOLA_SEED=%llu\n", (unsigned long long)seed);
    UNITY_BEGIN();
    RUN_TEST(the_latest_is_read_and_held_with_the_one_before);
    RUN_TEST(no_reader_sees_a_torn_value);
    RUN_TEST(who_is_stopped_holds_nobody_up);
    return UNITY_END();
}
