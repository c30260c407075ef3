/* jobs.c - the lock-free stage runner: publish, claim, finish, wait.
 *
 * Lives here: the whole protocol, and every atomic of a step. What must not: any operating system
 * call (tasks->wait and tasks->wake belong to the lender of the threads), any knowledge of what a
 * stage does. The reasons for each memory order are in docs/method/jobs.md; change models/jobs.pml
 * along with this file.
 */
#include "jobs/jobs.h"

#include "base/float_mode.h"
#include "jobs/pause.h"

/* Tests define this to lose random amounts of time at the places where order matters. */
#ifndef PIOLA_JOBS_DELAY
#define PIOLA_JOBS_DELAY() ((void)0)
#endif

#define SERIAL_BITS 44
#define SERIAL_MASK ((UINT64_C(1) << SERIAL_BITS) - 1)
#define KIND_BITS   8
#define KIND_MASK   ((UINT64_C(1) << KIND_BITS) - 1)
#define KIND_BEGIN  254u /* a step has begun, no stage yet */
#define KIND_END    255u /* helpers go home */

/* Past this serial the next step starts again from 0: no step has 2^43 stages, so none can wrap. */
#define SERIAL_RENEW (UINT64_C(1) << (SERIAL_BITS - 1))

/* Pauses before tasks->wait is tried, some microseconds: a stage is seldom longer apart. */
#define SPINS 128

static uint64_t word_serial(uint64_t word)
{
    return word & SERIAL_MASK;
}

static uint32_t word_kind(uint64_t word)
{
    return (uint32_t)((word >> SERIAL_BITS) & KIND_MASK);
}

static uint32_t word_argument(uint64_t word)
{
    return (uint32_t)(word >> (SERIAL_BITS + KIND_BITS));
}

/* ---- all threads: claiming and finishing -------------------------------------------------- */

/* A ticket only grows, so a claim for a stage that is over always fails, however late it comes. */
static bool claim(_Atomic uint64_t *ticket, uint64_t serial)
{
    PIOLA_JOBS_DELAY();
    uint64_t held = atomic_load_explicit(ticket, memory_order_relaxed);
    if (held >= serial) {
        return false;
    }
    PIOLA_JOBS_DELAY();
    /* When it fails, somebody else has claimed the block for this stage or a later one. */
    return atomic_compare_exchange_strong_explicit(ticket, &held, serial, memory_order_relaxed,
                                                   memory_order_relaxed);
}

/* Adds a run of finished blocks. Call only while holding them: until then the stage cannot end, so
 * `target` is still its own. */
static void finish_blocks(struct jobs *jobs, uint32_t blocks, uint32_t worker)
{
    const uint64_t target = jobs->target;
    PIOLA_JOBS_DELAY();
    const uint64_t before =
        atomic_fetch_add_explicit(&jobs->finished, blocks, memory_order_release);
    if (worker == 0 || jobs->tasks.wait == NULL || before + blocks != target) {
        return;
    }
    PIOLA_JOBS_DELAY();
    atomic_fetch_add(&jobs->done, 1);
    if (jobs->tasks.wake != NULL && atomic_load(&jobs->caller_waits) != 0) {
        jobs->tasks.wake(jobs->tasks.context, &jobs->done);
    }
}

/* How many blocks the stage has; 0 when it is over: then the number may be another stage's already.
 * The number of S was written before its word, so whoever has seen the word finds that or a later
 * one. */
static uint32_t blocks_of(const struct jobs *jobs, uint64_t serial)
{
    const uint64_t blocks = atomic_load_explicit(&jobs->blocks, memory_order_relaxed);
    return (blocks & SERIAL_MASK) == serial ? (uint32_t)(blocks >> SERIAL_BITS) : 0;
}

/* Walks once round the stage's blocks, from a home of this worker's own: it meets the same blocks
 * in every iteration, while its caches still hold them. */
static void work_stage(struct jobs *jobs, uint64_t word, uint32_t worker)
{
    const uint64_t serial = word_serial(word);
    const uint32_t count = blocks_of(jobs, serial);
    const uint32_t argument = word_argument(word);
    jobs_block *const function = jobs->program->blocks[word_kind(word)];
    uint32_t block = (uint32_t)((uint64_t)worker * count / (jobs->helpers + 1));
    uint32_t held = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (claim(&jobs->tickets[block], serial)) {
            function(jobs->context, argument, block, worker);
            held++;
        } else if (held > 0) {
            finish_blocks(jobs, held, worker);
            held = 0;
        }
        block = block + 1 == count ? 0 : block + 1;
    }
    if (held > 0) {
        finish_blocks(jobs, held, worker);
    }
}

/* ---- helpers ------------------------------------------------------------------------------ */

/* Returns the first stage word seen that is not `last`. */
static uint64_t next_stage(struct jobs *jobs, uint64_t last)
{
    uint64_t word = atomic_load_explicit(&jobs->stage, memory_order_acquire);
    for (uint32_t i = 0; word == last && (i < SPINS || jobs->tasks.wait == NULL); i++) {
        cpu_pause();
        word = atomic_load_explicit(&jobs->stage, memory_order_acquire);
    }
    if (word != last) {
        return word;
    }
    /* Announce, then look again: the caller stores the epoch first and looks for sleepers after. */
    atomic_fetch_add(&jobs->sleepers, 1);
    for (;;) {
        const uint32_t seen = atomic_load(&jobs->epoch);
        word = atomic_load_explicit(&jobs->stage, memory_order_acquire);
        if (word != last) {
            break;
        }
        PIOLA_JOBS_DELAY();
        jobs->tasks.wait(jobs->tasks.context, &jobs->epoch, seen);
    }
    atomic_fetch_sub_explicit(&jobs->sleepers, 1, memory_order_relaxed);
    return word;
}

/* What a helping thread runs, once a step, at any time between start and the return of finish. */
static void help(void *argument, uint32_t worker)
{
    struct jobs *jobs = argument;
    if (worker == 0 || worker > jobs->helpers) {
        return; /* a lender that miscounts must not reach another worker's scratch memory */
    }
    const uint64_t mode = float_mode_enter();
    uint64_t word = atomic_load_explicit(&jobs->stage, memory_order_acquire);
    while (word_kind(word) != KIND_END) {
        if (word_kind(word) != KIND_BEGIN) {
            PIOLA_JOBS_DELAY();
            work_stage(jobs, word, worker);
        }
        word = next_stage(jobs, word);
    }
    float_mode_leave(mode);
}

/* ---- the caller --------------------------------------------------------------------------- */

static uint64_t publish(struct jobs *jobs, uint32_t kind, uint32_t argument, uint32_t blocks)
{
    jobs->serial++;
    atomic_store_explicit(&jobs->blocks, (uint64_t)blocks << SERIAL_BITS | jobs->serial,
                          memory_order_relaxed);
    PIOLA_JOBS_DELAY();
    const uint64_t word = (((uint64_t)argument << KIND_BITS | kind) << SERIAL_BITS) | jobs->serial;
    PIOLA_JOBS_DELAY();
    atomic_store_explicit(&jobs->stage, word, memory_order_release);
    if (jobs->tasks.wait != NULL) {
        PIOLA_JOBS_DELAY();
        atomic_store(&jobs->epoch, (uint32_t)jobs->serial);
        if (jobs->tasks.wake != NULL && atomic_load(&jobs->sleepers) != 0) {
            jobs->tasks.wake(jobs->tasks.context, &jobs->epoch);
        }
    }
    return word;
}

/* Waits for blocks that others have claimed. */
static void await_finished(struct jobs *jobs)
{
    uint64_t finished = atomic_load_explicit(&jobs->finished, memory_order_acquire);
    for (uint32_t i = 0; finished != jobs->target && (i < SPINS || jobs->tasks.wait == NULL); i++) {
        cpu_pause();
        finished = atomic_load_explicit(&jobs->finished, memory_order_acquire);
    }
    if (finished == jobs->target) {
        return;
    }
    atomic_store(&jobs->caller_waits, 1);
    for (;;) {
        const uint32_t seen = atomic_load(&jobs->done);
        if (atomic_load_explicit(&jobs->finished, memory_order_acquire) == jobs->target) {
            break;
        }
        PIOLA_JOBS_DELAY();
        jobs->tasks.wait(jobs->tasks.context, &jobs->done, seen);
    }
    atomic_store_explicit(&jobs->caller_waits, 0, memory_order_relaxed);
}

/* Nobody else is inside between steps, so serials may start again from 0 there. */
static void renew_serials(struct jobs *jobs)
{
    for (uint32_t i = 0; i < jobs->capacity; i++) {
        atomic_store_explicit(&jobs->tickets[i], 0, memory_order_relaxed);
    }
    jobs->serial = 0;
}

void jobs_begin(struct jobs *jobs, const struct jobs_program *program, void *context,
                _Atomic uint64_t *tickets, uint32_t capacity, const piola_tasks *tasks)
{
    jobs->float_mode = float_mode_enter();
    jobs->program = program;
    jobs->context = context;
    jobs->tickets = tickets;
    jobs->capacity = capacity;
    jobs->stages = 0;
    jobs->helpers = 0;
    if (jobs->serial >= SERIAL_RENEW) {
        renew_serials(jobs);
    }
    if (tasks == NULL || tasks->helpers == 0) {
        return;
    }
    jobs->tasks = *tasks;
    jobs->helpers = tasks->helpers < JOBS_MAX_WORKERS ? tasks->helpers : JOBS_MAX_WORKERS - 1;
    /* Without this a helper that comes before the first stage would see the last step's end. */
    (void)publish(jobs, KIND_BEGIN, 0, 0);
    jobs->tasks.start(jobs->tasks.context, help, jobs);
}

void jobs_stage(struct jobs *jobs, uint32_t kind, uint32_t argument)
{
    const uint32_t count = jobs->program->count(jobs->context, kind, argument);
    jobs->stages += count > 0;
    if (count < 2 || jobs->helpers == 0 || count > jobs->capacity || count > JOBS_MAX_BLOCKS ||
        argument > JOBS_MAX_ARGUMENT) {
        for (uint32_t block = 0; block < count; block++) {
            jobs->program->blocks[kind](jobs->context, argument, block, 0);
        }
        return;
    }
    jobs->target += count;
    const uint64_t word = publish(jobs, kind, argument, count);
    work_stage(jobs, word, 0);
    await_finished(jobs);
}

void jobs_end(struct jobs *jobs)
{
    if (jobs->helpers > 0) {
        (void)publish(jobs, KIND_END, 0, 0);
        jobs->tasks.finish(jobs->tasks.context);
    }
    jobs->program = NULL;
    jobs->context = NULL;
    jobs->tickets = NULL;
    jobs->tasks = (piola_tasks){0};
    float_mode_leave(jobs->float_mode);
    jobs->float_mode = 0;
}
