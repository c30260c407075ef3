/* threads.c - the POSIX calls that the rooms `linux` and `posix` have in common.
 *
 * Lives here: threads, real-time scheduling, locking of memory, the clock. What one of the two
 * rooms does differently is in linux.c and posix.c.
 */
#define _DEFAULT_SOURCE /* glibc: MAP_ANONYMOUS beside POSIX.1-2008 */

#include "runner.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES       ((size_t)1 << 20)
#define PROBE_BYTES       ((size_t)4 << 20)   /* holds a whole huge page wherever it starts */
#define STACK_TOUCHED     ((size_t)128 << 10) /* no first page fault within a step */
#define REALTIME_PRIORITY 20 /* above ordinary work, below interrupt threads (50) */

_Static_assert(sizeof(pthread_t) <= sizeof((struct os_thread){0}.handle), "no room for pthread_t");

static void *launched(void *pointer)
{
    const struct os_thread *thread = pointer;
    thread->run(thread->argument);
    return NULL;
}

bool os_thread_start(struct os_thread *thread)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    /* A system with a larger minimum keeps its default. */
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    /* The application's signal handlers have no business on a helper. */
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t made;
    const int failed = pthread_create(&made, &attributes, launched, thread);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    if (failed != 0) {
        return false;
    }
    memcpy(thread->handle, &made, sizeof made);
    return true;
}

void os_thread_join(struct os_thread *thread)
{
    pthread_t made;
    memcpy(&made, thread->handle, sizeof made);
    (void)pthread_join(made, NULL);
}

void os_yield(void)
{
    (void)sched_yield();
}

int os_realtime_priority(void)
{
    int policy = SCHED_OTHER;
    struct sched_param parameter = {0};
    if (pthread_getschedparam(pthread_self(), &policy, &parameter) == 0 &&
        (policy == SCHED_FIFO || policy == SCHED_RR)) {
        return parameter.sched_priority;
    }
    return REALTIME_PRIORITY;
}

uint32_t os_realtime_self(int priority)
{
    const struct sched_param wanted = {.sched_priority = priority};
    const struct sched_param least = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};
    /* A user's limit (RLIMIT_RTPRIO) may allow a low priority only. */
    const bool got = pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted) == 0 ||
                     pthread_setschedparam(pthread_self(), SCHED_FIFO, &least) == 0;
    return got ? PIOLA_FEATURE_REALTIME : 0;
}

uint32_t os_stack_self(bool lock)
{
    volatile unsigned char stack[STACK_TOUCHED];
    for (size_t at = 0; at < sizeof stack; at += 1024) {
        stack[at] = 0;
    }
    return lock ? os_lock_memory((void *)(uintptr_t)stack, sizeof stack) : 0;
}

uint32_t os_lock_memory(void *memory, size_t bytes)
{
    /* Some systems want whole pages. */
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t start = (uintptr_t)memory / page * page;
    return mlock((void *)start, bytes + ((uintptr_t)memory - start)) == 0
               ? PIOLA_FEATURE_LOCK_MEMORY
               : 0;
}

#ifdef RLIMIT_MEMLOCK
/* Whether the limit does not count for this process (CAP_IPC_LOCK on Linux): found by trying under
 * a limit of nothing. A question to the system would be answered wrongly in containers, where a
 * process may have the right over others of its own only. */
static bool locks_beyond_limit(const struct rlimit *before)
{
    const struct rlimit nothing = {0, before->rlim_max};
    const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return false;
    }
    const bool limited = setrlimit(RLIMIT_MEMLOCK, &nothing) == 0;
    const bool locked = limited && mlock(page, bytes) == 0;
    if (limited) {
        (void)setrlimit(RLIMIT_MEMLOCK, before);
    }
    (void)munmap(page, bytes);
    return locked;
}
#endif

uint32_t piola_platform_lock_process(void)
{
#ifdef RLIMIT_MEMLOCK
    /* Under a limit whatever the process allocated later would fail once it is reached. */
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    struct rlimit before;
    if (getrlimit(RLIMIT_MEMLOCK, &before) != 0 ||
        (setrlimit(RLIMIT_MEMLOCK, &none) != 0 && !locks_beyond_limit(&before))) {
        return 0;
    }
    if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0) {
        return PIOLA_FEATURE_LOCK_MEMORY;
    }
    (void)setrlimit(RLIMIT_MEMLOCK, &before);
#endif
    return 0;
}

struct probe {
    struct os_thread thread;
    uint32_t got;
};

/* Tries on a thread of its own, which then ends, so nothing of the process is changed. */
static void try_thread(void *argument)
{
    struct probe *probe = argument;
    probe->got = PIOLA_FEATURE_THREADS | os_pin_self(os_helper_core(0, 1)) |
                 os_realtime_self(os_realtime_priority());
}

/* Tries on fresh memory: unlocking a page that the application has locked would change it. */
static uint32_t try_memory(void)
{
    void *memory =
        mmap(NULL, PROBE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return 0;
    }
    const uint32_t got = os_lock_memory(memory, 1) | os_huge_pages(memory, PROBE_BYTES);
    (void)munmap(memory, PROBE_BYTES);
    return got;
}

uint32_t piola_platform_features(void)
{
    struct probe probe = {.thread = {.run = try_thread, .argument = &probe}};
    if (os_thread_start(&probe.thread)) {
        os_thread_join(&probe.thread);
    }
    return probe.got | try_memory() | os_wait_features();
}

double piola_platform_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0.0;
    }
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A signal wakes a sleeper early: it sleeps on. */
void os_sleep_until(double seconds)
{
    const double whole = (double)(time_t)seconds;
    const struct timespec until = {.tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)((seconds - whole) * 1e9)};
    if (seconds <= 0)
        return;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

uint32_t os_arrange_self(const piola_runner_desc *desc)
{
    uint32_t got = 0;
    os_sharp_timer();
    if (desc->pin)
        got |= os_pin_self(os_helper_core(0, 1));
    if (desc->realtime)
        got |= os_realtime_self(os_realtime_priority());
    if (desc->lock_memory)
        got |= piola_platform_lock_process();
    (void)os_stack_self(false);
    return got;
}
