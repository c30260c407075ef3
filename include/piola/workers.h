/* workers.h - threads of the platform, for callers without a task system. Included by
 * piola.h: include that. */
#ifndef PIOLA_PIOLA_WORKERS_H
#define PIOLA_PIOLA_WORKERS_H

#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- workers: threads of the platform, for callers without a task system
 * --------------------------- */

typedef enum piola_wait_policy {
    PIOLA_WAIT_SPIN = 0, /* lowest latency; burns a core per helper, between steps too (haptics) */
    PIOLA_WAIT_YIELD,    /* spins briefly, then yields */
    PIOLA_WAIT_SLEEP,    /* spins briefly, then sleeps until woken (games) */
    PIOLA_WAIT_COUNT
} piola_wait_policy;

typedef struct piola_workers_desc {
    uint32_t cookie_;
    uint32_t threads;         /* working threads including the caller's, 1 to 64 */
    piola_wait_policy policy; /* default PIOLA_WAIT_SLEEP */
    bool pin_to_cores;        /* one core per helper, where allowed */
    bool realtime;            /* SCHED_FIFO for helpers, where allowed */
    uint32_t spins;           /* pauses before yielding or sleeping; default 2000 */
} piola_workers_desc;

/* A thread for each core that the process may use (affinity, quota of its control group) and that
 * nobody uses just now, 64 at most; not pinned, no real-time priority. Takes about a millisecond.
 */
PIOLA_API piola_workers_desc piola_workers_desc_default(void);

typedef struct piola_workers piola_workers;

/* Bytes of the block that piola_workers_create needs. */
PIOLA_API piola_status piola_workers_size(const piola_workers_desc *desc, size_t *bytes,
                                          piola_error *error);
/* Starts threads - 1 helpers, which live until piola_workers_destroy, as `memory` must. Affinity
 * and priority that are not allowed are done without: see piola_workers_features.
 * PIOLA_ERROR_THREADS. */
PIOLA_API piola_status piola_workers_create(const piola_workers_desc *desc, void *memory,
                                            size_t bytes, piola_workers **workers,
                                            piola_error *error);
/* Joins all threads. Not during a step. */
PIOLA_API void piola_workers_destroy(piola_workers *workers);
/* For piola_world_step; valid until piola_workers_destroy. One step at a time. */
PIOLA_API const piola_tasks *piola_workers_tasks(piola_workers *workers);

typedef enum piola_feature {
    PIOLA_FEATURE_THREADS = 1,     /* can start threads at all */
    PIOLA_FEATURE_AFFINITY = 2,    /* can pin a thread to a core */
    PIOLA_FEATURE_REALTIME = 4,    /* may use SCHED_FIFO */
    PIOLA_FEATURE_LOCK_MEMORY = 8, /* may lock memory */
    PIOLA_FEATURE_HUGE_PAGES = 16, /* may ask for huge pages */
    PIOLA_FEATURE_FUTEX = 32       /* sleeps without polling */
} piola_feature;

/* piola_feature bits that this machine allows this process; found by trying, nothing is changed. */
PIOLA_API uint32_t piola_platform_features(void);
/* Of what a piola_workers_desc asked for, what each and every helper got. */
PIOLA_API uint32_t piola_workers_features(const piola_workers *workers);
/* Touches, locks and asks huge pages for a block, as far as allowed; returns the piola_feature bits
 * got. */
PIOLA_API uint32_t piola_platform_harden(void *memory, size_t bytes);
/* Locks all memory that the process has and will have (mlockall), code, stacks and the C library's
 * too, so that nothing of it is fetched from a disk again. Only where no limit (RLIMIT_MEMLOCK)
 * stands in the way, it may be lifted, or it does not count for the process (CAP_IPC_LOCK, which it
 * must then keep), for under one later allocations would fail. Call it once, at start-up, before
 * other threads lock memory. PIOLA_FEATURE_LOCK_MEMORY, or 0, and then nothing was changed. */
PIOLA_API uint32_t piola_platform_lock_process(void);
/* Seconds of a monotonic clock; 0 on a platform without one. */
PIOLA_API double piola_platform_seconds(void);

#ifdef __cplusplus
}
#endif

#endif
