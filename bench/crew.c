/* crew.c - the harness's own threads. The engine's job system is not used here: it is measured. */
#define _GNU_SOURCE
#include "crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { CREW_MOST = 64, SPINS_BEFORE_YIELD = 20000 };

struct helper {
    pthread_t thread;
    struct bench_crew *crew;
    uint32_t number;
};

struct bench_crew {
    uint32_t threads;
    void (*work)(void *context, uint32_t thread); /* null: go home */
    void *context;
    _Alignas(64) atomic_uint round; /* grows by one for each run */
    _Alignas(64) atomic_uint done;  /* helpers that finished this round */
    cpu_set_t caller_cores;         /* to be given back */
    struct helper helpers[CREW_MOST];
};

static void wait_for(atomic_uint *word, uint32_t wanted)
{
    for (uint32_t spins = 0; atomic_load_explicit(word, memory_order_acquire) != wanted; spins++)
        if (spins >= SPINS_BEFORE_YIELD)
            sched_yield();
}

/* The n-th core of those this process may use; where that is refused the thread roams. */
static void pin_self(const cpu_set_t *allowed, uint32_t number)
{
    uint32_t seen = 0, count = (uint32_t)CPU_COUNT(allowed);
    for (size_t core = 0; core < CPU_SETSIZE && count > 0; core++) {
        if (!CPU_ISSET(core, allowed) || seen++ != number % count)
            continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(core, &one);
        (void)pthread_setaffinity_np(pthread_self(), sizeof one, &one);
        return;
    }
}

static void *help(void *argument)
{
    struct helper *helper = argument;
    struct bench_crew *crew = helper->crew;
    pin_self(&crew->caller_cores, helper->number);
    for (uint32_t round = 1;; round++) {
        wait_for(&crew->round, round);
        if (!crew->work)
            return NULL;
        crew->work(crew->context, helper->number);
        atomic_fetch_add_explicit(&crew->done, 1, memory_order_release);
    }
}

struct bench_crew *bench_crew_start(struct bench *bench, uint32_t threads)
{
    struct bench_crew *crew = bench_memory(bench, sizeof *crew);
    if (threads < 1 || threads > CREW_MOST)
        bench_fail(bench, "a crew has 1 to %d threads", CREW_MOST);
    crew->threads = threads;
    CPU_ZERO(&crew->caller_cores);
    (void)pthread_getaffinity_np(pthread_self(), sizeof crew->caller_cores, &crew->caller_cores);
    for (uint32_t n = 1; n < threads; n++) {
        struct helper *helper = &crew->helpers[n];
        helper->crew = crew;
        helper->number = n;
        if (pthread_create(&helper->thread, NULL, help, helper) != 0)
            bench_fail(bench, "thread %lu of the crew cannot be started", (unsigned long)n);
    }
    pin_self(&crew->caller_cores, 0);
    return crew;
}

double bench_crew_run(struct bench_crew *crew, void (*work)(void *context, uint32_t thread),
                      void *context)
{
    crew->work = work;
    crew->context = context;
    atomic_store_explicit(&crew->done, 0, memory_order_relaxed);
    double start = bench_now();
    atomic_fetch_add_explicit(&crew->round, 1, memory_order_release);
    work(context, 0);
    wait_for(&crew->done, crew->threads - 1);
    return bench_now() - start;
}

void bench_crew_end(struct bench_crew *crew)
{
    crew->work = NULL;
    atomic_fetch_add_explicit(&crew->round, 1, memory_order_release);
    for (uint32_t n = 1; n < crew->threads; n++)
        pthread_join(crew->helpers[n].thread, NULL);
    (void)pthread_setaffinity_np(pthread_self(), sizeof crew->caller_cores, &crew->caller_cores);
    bench_release(crew);
}
