/* jobs.h - runs the stages of one step on the calling thread and whatever threads help it.
 *
 * Lives here: the stage runner's state and its four calls. What the stages are: step.c. Where
 * threads come from: platform/ or the caller's piola_tasks. docs/method/jobs.md explains the
 * protocol, models/jobs.pml checks it. No lock, no operating system call, no memory of its own.
 *
 *     jobs_begin(&jobs, &program, world, tickets, capacity, tasks);
 *     jobs_stage(&jobs, STAGE_PREDICT, 0);     returns when all its blocks are done
 *     jobs_stage(&jobs, STAGE_SOLVE, colour);
 *     jobs_end(&jobs);
 */
#ifndef PIOLA_JOBS_H
#define PIOLA_JOBS_H

#include "piola/piola.h"

#include <stdatomic.h>
#include <stdint.h>

#define JOBS_MAX_WORKERS  64u   /* the calling thread included */
#define JOBS_MAX_KINDS    254u  /* 8 bits, less the two that mark the begin and end of a step */
#define JOBS_MAX_ARGUMENT 4095u /* 12 bits */
#define JOBS_MAX_BLOCKS   ((1u << 20) - 1u) /* of a stage: 20 bits */

/* Does one block. Blocks of a stage are independent of each other: the result must not depend on
 * their order, on `worker` (0 to helpers, for scratch memory only), or on which thread runs them.
 */
typedef void jobs_block(void *context, uint32_t argument, uint32_t block, uint32_t worker);

/* Immutable during a step. */
struct jobs_program {
    jobs_block *const *blocks; /* one function a kind, kinds below JOBS_MAX_KINDS */
    /* Number of blocks of a stage. Called by the caller alone, before the stage. */
    uint32_t (*count)(const void *context, uint32_t kind, uint32_t argument);
};

/* Plain data between steps: it holds no pointer then and may be moved or copied together with its
 * tickets (never apart from them: serials and tickets are compared). All zero is a valid start. */
struct jobs {
    /* The caller writes this line once a stage; helpers poll it. */
    _Alignas(PIOLA_ALIGNMENT) _Atomic uint64_t stage; /* argument 12 | kind 8 | serial 44 bits */
    _Atomic uint64_t blocks; /* number 20 | serial 44 bits: how many blocks that stage has */
    _Atomic uint32_t epoch;  /* changes with every publishing; helpers sleep on it */
    uint64_t target;         /* value of `finished` that ends the published stage */
    /* Whoever finishes blocks adds here; the caller polls it. */
    _Alignas(PIOLA_ALIGNMENT) _Atomic uint64_t finished; /* published blocks since the beginning */
    /* Touched only by those who have waited long. */
    _Alignas(PIOLA_ALIGNMENT) _Atomic uint32_t sleepers; /* helpers in wait() */
    _Atomic uint32_t caller_waits;
    _Atomic uint32_t done; /* changes when a stage ends; the caller sleeps on it */
    /* The caller's alone, or constant during a step. */
    _Alignas(PIOLA_ALIGNMENT) uint64_t serial; /* of the last published stage */
    const struct jobs_program *program;        /* null between steps, like all pointers below */
    void *context;
    _Atomic uint64_t *tickets; /* one a block: serial of the last stage that claimed it */
    uint32_t capacity;         /* of tickets */
    uint32_t helpers;          /* 0 to 63; how many of them really help is never known */
    uint32_t stages;           /* of this step that had any block, the same for any helpers */
    uint32_t reserved;
    uint64_t float_mode; /* of the calling thread, while a step runs */
    piola_tasks tasks;
};

/* Enters the engine's floating-point mode (float_mode.h) and calls for help. `tickets` must be zero
 * before the first step and belong to this `jobs` for ever. `tasks` null: no help. */
void jobs_begin(struct jobs *jobs, const struct jobs_program *program, void *context,
                _Atomic uint64_t *tickets, uint32_t capacity, const piola_tasks *tasks);

/* Runs all blocks of the stage, this thread and the helpers together, and returns when they are
 * done. Everything written by earlier stages and by the caller is visible to its blocks. A stage
 * whose count exceeds the tickets or JOBS_MAX_BLOCKS, or whose argument exceeds JOBS_MAX_ARGUMENT,
 * runs on the caller alone: slower, never wrong. */
void jobs_stage(struct jobs *jobs, uint32_t kind, uint32_t argument);

/* Sends the helpers home, waits for those who came, restores the floating-point mode. */
void jobs_end(struct jobs *jobs);

#endif
