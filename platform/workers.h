/* workers.h - what the rooms of platform/ share among themselves.
 *
 * Lives here: the block behind a piola_workers, and the calls a room must offer. workers_common.c
 * is in every room. Rooms with threads add helpers.c (gate, parking, waiting) and threads.c
 * (pthread), and one file of their own: linux.c or posix.c. bare.c is a room on its own.
 */
#ifndef PIOLA_WORKERS_H
#define PIOLA_WORKERS_H

#include "piola/piola.h"

#include <stdatomic.h>
#include <stdint.h>

#define WORKERS_MAGIC       0x4c4f4f50u
#define WORKERS_MAX_THREADS 64u

/* A thread of the operating system; stays where it is until joined. */
struct os_thread {
    uint64_t handle[2]; /* room for a pthread_t */
    void (*run)(void *argument);
    void *argument;
};

struct helper {
    struct piola_workers *workers;
    struct os_thread thread;
    uint32_t index; /* the worker's number in a step, from 1 */
    int32_t core;   /* to pin to, or -1 */
};

/* Stays where it is: threads hold its address. */
struct piola_workers {
    uint32_t magic;
    uint32_t helper_count;
    piola_workers_desc desc; /* with the policy that is in effect, see workers_policy */
    piola_tasks tasks;
    piola_work *work; /* of the step whose gate is open */
    void *argument;
    /* Parked helpers wait for this word to change: a step begins, or all is over. */
    _Alignas(PIOLA_ALIGNMENT) _Atomic uint32_t call;
    _Atomic uint32_t quit;
    /* generation 24 | open 1 | helpers inside 7 bits: entering and closing exclude each other. */
    _Alignas(PIOLA_ALIGNMENT) _Atomic uint32_t gate;
    /* Threads asleep, or about to be, on any word. */
    _Alignas(PIOLA_ALIGNMENT) _Atomic uint32_t asleep;
    _Atomic uint32_t ready;    /* helpers that have arranged themselves */
    _Atomic uint32_t features; /* that every ready helper got */
    /* What the caller knows of how crowded the machine is: see rest() in helpers.c. */
    _Atomic uint32_t crowded; /* 1: a helper lost its core since the last step's end */
    uint32_t resting;         /* steps that are still done without help */
    uint32_t next_rest;       /* how many the next time */
    uint32_t calm;            /* steps in a row in which no helper lost its core */
    _Alignas(PIOLA_ALIGNMENT) struct helper helpers[]; /* helper_count */
};

/* ---- offered by every room ---------------------------------------------------------------- */

/* Cores this process may run on, at least 1: where it is allowed to, and as much as it may use. */
uint32_t os_cores(void);
/* Of these, as many as nobody uses just now, at least 1. */
uint32_t os_free_cores(void);
/* Asks huge pages for a block before it is touched; piola_feature bits got. */
uint32_t os_huge_pages(void *memory, size_t bytes);
/* Locks a block in memory; piola_feature bits got. */
uint32_t os_lock_memory(void *memory, size_t bytes);
/* Starts all helpers and waits until each has arranged itself. False: none is left running. */
bool helpers_start(struct piola_workers *workers);
/* Ends and joins all helpers. */
void helpers_stop(struct piola_workers *workers);

/* ---- offered by rooms with threads (threads.c, linux.c, posix.c) -------------------------- */

/* Runs thread->run(thread->argument). The new thread inherits the scheduling of this one. */
bool os_thread_start(struct os_thread *thread);
void os_thread_join(struct os_thread *thread);
void os_yield(void);
/* How often the system has taken the core from the running thread; 0 where that is not told. */
uint32_t os_cores_lost(void);
/* Returns when *word differs from `seen`, when woken, or earlier. */
void os_wait(const _Atomic uint32_t *word, uint32_t seen);
void os_wake_all(const _Atomic uint32_t *word);
/* What os_wait can do: PIOLA_FEATURE_FUTEX or 0. */
uint32_t os_wait_features(void);
/* The core for worker `index` of `threads`, counted from the core this thread runs on; -1 where
 * there is none for it alone. */
int32_t os_helper_core(uint32_t index, uint32_t threads);
/* Each does its thing to the running thread and returns the piola_feature bit, or 0. */
uint32_t os_pin_self(int32_t core);
uint32_t os_realtime_self(int priority);
uint32_t os_stack_self(bool lock);
/* Sleeps of the running thread end when they should, not some 50 microseconds later. */
void os_sharp_timer(void);
/* The priority helpers should have: the running thread's own where that is real-time. */
int os_realtime_priority(void);

#endif
