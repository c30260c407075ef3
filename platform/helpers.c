/* helpers.c - the helping threads of a room that has threads.
 *
 * Lives here: parking between steps, the gate through which helpers enter and leave a step, and
 * waiting by policy. What must not: system calls (behind workers.h) and the engine's stages
 * (src/jobs/jobs.c). The memory orders are argued in docs/method/jobs.md and checked in
 * models/jobs.pml.
 */
#include "workers.h"

#include "jobs/pause.h"

#define GATE_INSIDE     0x7fu
#define GATE_OPEN       0x80u
#define GATE_GENERATION 8

/* ---- waiting ------------------------------------------------------------------------------ */

/* Returns when *word differs from `seen`, or earlier: callers look again. */
static void wait_on(struct piola_workers *workers, const _Atomic uint32_t *word, uint32_t seen)
{
    for (uint32_t i = 0; i < workers->desc.spins; i++) {
        if (atomic_load_explicit(word, memory_order_relaxed) != seen) {
            return;
        }
        cpu_pause();
    }
    if (workers->desc.policy == PIOLA_WAIT_YIELD) {
        os_yield();
    } else if (workers->desc.policy == PIOLA_WAIT_SLEEP) {
        /* Announce, then look again: wakers change the word first and look for sleepers after. */
        atomic_fetch_add(&workers->asleep, 1);
        if (atomic_load(word) == seen) {
            os_wait(word, seen);
        }
        atomic_fetch_sub_explicit(&workers->asleep, 1, memory_order_relaxed);
    } else {
        cpu_pause();
    }
}

/* Call after changing *word in sequentially consistent order. */
static void wake_all(struct piola_workers *workers, const _Atomic uint32_t *word)
{
    if (workers->desc.policy == PIOLA_WAIT_SLEEP && atomic_load(&workers->asleep) != 0) {
        os_wake_all(word);
    }
}

/* piola_tasks.wait and .wake: the words are the engine's. */
static void tasks_wait(void *context, const void *word, uint32_t seen)
{
    wait_on(context, word, seen);
}

static void tasks_wake(void *context, const void *word)
{
    wake_all(context, word);
}

/* ---- the gate ----------------------------------------------------------------------------- */

/* One entry per helper and generation, and none once the gate is closed. */
static bool enter(struct piola_workers *workers, uint32_t *last)
{
    uint32_t gate = atomic_load_explicit(&workers->gate, memory_order_acquire);
    while ((gate & GATE_OPEN) != 0 && gate >> GATE_GENERATION != *last) {
        if (atomic_compare_exchange_weak_explicit(&workers->gate, &gate, gate + 1,
                                                  memory_order_acquire, memory_order_acquire)) {
            *last = gate >> GATE_GENERATION;
            return true;
        }
    }
    return false;
}

static void leave(struct piola_workers *workers)
{
    const uint32_t before = atomic_fetch_sub(&workers->gate, 1);
    if ((before & GATE_OPEN) == 0 && (before & GATE_INSIDE) == 1) {
        wake_all(workers, &workers->gate);
    }
}

/* ---- giving way --------------------------------------------------------------------------- */

/* On a machine with other work a helper is in the way: it loses its core in the middle of a block,
 * and the caller waits for it for as long as the system lets others run. So after a step in which
 * that happened some steps are done without help, twice as many each time, until it no longer
 * happens. Who spins has cores of his own, he says. The results do not depend on it. */
#define REST_LEAST 4u
#define REST_MOST  1024u
#define REST_CALM  64u /* steps after which the next rest is half as long */

static bool rests(struct piola_workers *workers)
{
    if (workers->resting == 0) {
        return false;
    }
    workers->resting--;
    return true;
}

/* After a step with helpers. */
static void note_crowd(struct piola_workers *workers)
{
    uint32_t *next = &workers->next_rest;
    if (*next < REST_LEAST) {
        *next = REST_LEAST;
    }
    if (atomic_exchange_explicit(&workers->crowded, 0, memory_order_relaxed) != 0) {
        workers->resting = *next;
        workers->calm = 0;
        *next = 2 * *next < REST_MOST ? 2 * *next : REST_MOST;
    } else if (++workers->calm == REST_CALM) {
        workers->calm = 0;
        *next /= 2;
    }
}

/* A helper's: `lost` is what it knew of its losses until now. */
static void tell_losses(struct piola_workers *workers, uint32_t *lost)
{
    const uint32_t now = workers->desc.policy == PIOLA_WAIT_SPIN ? 0 : os_cores_lost();
    if (now != *lost) {
        atomic_store_explicit(&workers->crowded, 1, memory_order_relaxed);
    }
    *lost = now;
}

static void call_helpers(struct piola_workers *workers)
{
    atomic_fetch_add(&workers->call, 1);
    wake_all(workers, &workers->call);
}

/* piola_tasks.start: nobody is inside, so work and argument are the caller's to write. */
static void tasks_start(void *context, piola_work *work, void *argument)
{
    struct piola_workers *workers = context;
    if (rests(workers)) {
        return; /* the gate stays closed */
    }
    workers->work = work;
    workers->argument = argument;
    const uint32_t closed = atomic_load_explicit(&workers->gate, memory_order_relaxed);
    const uint32_t generation = (closed >> GATE_GENERATION) + 1;
    atomic_store_explicit(&workers->gate, generation << GATE_GENERATION | GATE_OPEN,
                          memory_order_release);
    call_helpers(workers);
}

/* piola_tasks.finish: waits for those inside, never for one that has not woken yet. */
static void tasks_finish(void *context)
{
    struct piola_workers *workers = context;
    uint32_t gate = atomic_fetch_and_explicit(&workers->gate, ~GATE_OPEN, memory_order_acq_rel);
    if ((gate & GATE_OPEN) == 0) {
        return; /* they rest */
    }
    gate &= ~GATE_OPEN;
    while ((gate & GATE_INSIDE) != 0) {
        wait_on(workers, &workers->gate, gate);
        gate = atomic_load_explicit(&workers->gate, memory_order_acquire);
    }
    note_crowd(workers);
}

/* ---- threads ------------------------------------------------------------------------------ */

static void arrange(const struct helper *helper)
{
    struct piola_workers *workers = helper->workers;
    const piola_workers_desc *desc = &workers->desc;
    uint32_t got = PIOLA_FEATURE_THREADS;
    got |= os_stack_self(desc->realtime);
    if (helper->core >= 0) {
        got |= os_pin_self(helper->core);
    }
    if (desc->realtime) {
        got |= os_realtime_self(os_realtime_priority());
    }
    if (desc->policy == PIOLA_WAIT_SLEEP) {
        got |= os_wait_features();
    }
    atomic_fetch_and(&workers->features, got);
    atomic_fetch_add(&workers->ready, 1);
    os_wake_all(&workers->ready);
}

static void run_helper(void *argument)
{
    const struct helper *helper = argument;
    struct piola_workers *workers = helper->workers;
    uint32_t answered = 0; /* value of `call` */
    uint32_t last = 0;     /* generation entered */
    arrange(helper);
    uint32_t lost = workers->desc.policy == PIOLA_WAIT_SPIN ? 0 : os_cores_lost();
    for (;;) {
        const uint32_t call = atomic_load_explicit(&workers->call, memory_order_acquire);
        if (atomic_load_explicit(&workers->quit, memory_order_acquire) != 0) {
            return;
        }
        if (call == answered) {
            wait_on(workers, &workers->call, call);
            continue;
        }
        answered = call;
        if (enter(workers, &last)) {
            workers->work(workers->argument, helper->index);
            tell_losses(workers, &lost);
            leave(workers);
        }
    }
}

static void stop(struct piola_workers *workers, uint32_t started)
{
    atomic_store_explicit(&workers->quit, 1, memory_order_release);
    call_helpers(workers);
    for (uint32_t i = 0; i < started; i++) {
        os_thread_join(&workers->helpers[i].thread);
    }
}

bool helpers_start(struct piola_workers *workers)
{
    const piola_workers_desc *desc = &workers->desc;
    const bool spin = desc->policy == PIOLA_WAIT_SPIN;
    workers->tasks = (piola_tasks){.context = workers,
                                   .helpers = workers->helper_count,
                                   .start = tasks_start,
                                   .finish = tasks_finish,
                                   .wait = spin ? NULL : tasks_wait,
                                   .wake = spin ? NULL : tasks_wake};
    atomic_store(&workers->features, UINT32_MAX);
    for (uint32_t i = 0; i < workers->helper_count; i++) {
        struct helper *helper = &workers->helpers[i];
        helper->workers = workers;
        helper->index = i + 1;
        helper->core = desc->pin_to_cores ? os_helper_core(i + 1, desc->threads) : -1;
        helper->thread.run = run_helper;
        helper->thread.argument = helper;
        if (!os_thread_start(&helper->thread)) {
            stop(workers, i);
            return false;
        }
    }
    for (;;) {
        const uint32_t ready = atomic_load_explicit(&workers->ready, memory_order_acquire);
        if (ready == workers->helper_count) {
            return true;
        }
        os_wait(&workers->ready, ready);
    }
}

void helpers_stop(struct piola_workers *workers)
{
    stop(workers, workers->helper_count);
}
