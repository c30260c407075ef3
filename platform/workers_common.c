/* workers_common.c - the public face of the workers, alike in every room.
 *
 * Lives here: descriptions, their checking, the block's size, hardening of memory. What must not:
 * any operating system call; those are behind workers.h.
 */
#include "workers.h"

#include "base/cookies.h"

#include <string.h>

#define TOUCH_STRIDE 4096u /* bytes; no page is smaller */

static piola_status fail(piola_error *error, piola_status status, const char *field)
{
    if (error != NULL) {
        *error = (piola_error){.status = status, .field = field};
    }
    return status;
}

static piola_status succeed(piola_error *error)
{
    if (error != NULL) {
        *error = (piola_error){.status = PIOLA_OK};
    }
    return PIOLA_OK;
}

piola_workers_desc piola_workers_desc_default(void)
{
    const uint32_t cores = os_free_cores();
    return (piola_workers_desc){
        .cookie_ = COOKIE_WORKERS,
        .threads = cores < WORKERS_MAX_THREADS ? cores : WORKERS_MAX_THREADS,
        .policy = PIOLA_WAIT_SLEEP,
        .spins = 2000,
    };
}

static piola_status check(const piola_workers_desc *desc, piola_error *error)
{
    if (desc == NULL) {
        return fail(error, PIOLA_ERROR_NULL, "piola_workers_desc");
    }
    if (desc->cookie_ != COOKIE_WORKERS) {
        return fail(error, PIOLA_ERROR_COOKIE, "piola_workers_desc");
    }
    if (desc->threads < 1 || desc->threads > WORKERS_MAX_THREADS) {
        return fail(error, PIOLA_ERROR_RANGE, "piola_workers_desc.threads");
    }
    if ((uint32_t)desc->policy >= PIOLA_WAIT_COUNT) {
        return fail(error, PIOLA_ERROR_RANGE, "piola_workers_desc.policy");
    }
    return PIOLA_OK;
}

/* At most some 4 KiB: no overflow is possible. */
static size_t block_bytes(const piola_workers_desc *desc)
{
    const size_t bytes = sizeof(struct piola_workers) + (desc->threads - 1) * sizeof(struct helper);
    return (bytes + PIOLA_ALIGNMENT - 1) / PIOLA_ALIGNMENT * PIOLA_ALIGNMENT;
}

piola_status piola_workers_size(const piola_workers_desc *desc, size_t *bytes, piola_error *error)
{
    const piola_status status = check(desc, error);
    if (status != PIOLA_OK) {
        return status;
    }
    if (bytes == NULL) {
        return fail(error, PIOLA_ERROR_NULL, "bytes");
    }
    *bytes = block_bytes(desc);
    return succeed(error);
}

/* With more threads than cores, pure spinning would spend whole time slices waiting for a thread
 * that has no core; and real-time spinners, which do not yield to an ordinary caller, might never
 * let it run. */
static piola_wait_policy workers_policy(const piola_workers_desc *desc)
{
    if (desc->threads <= os_cores() || desc->policy == PIOLA_WAIT_SLEEP) {
        return desc->policy;
    }
    return desc->realtime ? PIOLA_WAIT_SLEEP : PIOLA_WAIT_YIELD;
}

piola_status piola_workers_create(const piola_workers_desc *desc, void *memory, size_t bytes,
                                  piola_workers **workers, piola_error *error)
{
    const piola_status status = check(desc, error);
    if (status != PIOLA_OK) {
        return status;
    }
    if (memory == NULL || workers == NULL) {
        return fail(error, PIOLA_ERROR_NULL, memory == NULL ? "memory" : "workers");
    }
    if ((uintptr_t)memory % PIOLA_ALIGNMENT != 0) {
        return fail(error, PIOLA_ERROR_ALIGNMENT, "memory");
    }
    if (bytes < block_bytes(desc)) {
        return fail(error, PIOLA_ERROR_MEMORY, "bytes");
    }
    struct piola_workers *made = memory;
    memset(made, 0, block_bytes(desc));
    made->desc = *desc;
    made->desc.policy = workers_policy(desc);
    made->helper_count = desc->threads - 1;
    if (made->helper_count > 0 && !helpers_start(made)) {
        return fail(error, PIOLA_ERROR_THREADS, "piola_workers_desc.threads");
    }
    made->magic = WORKERS_MAGIC;
    *workers = made;
    return succeed(error);
}

void piola_workers_destroy(piola_workers *workers)
{
    if (workers == NULL || workers->magic != WORKERS_MAGIC) {
        return;
    }
    workers->magic = 0;
    if (workers->helper_count > 0) {
        helpers_stop(workers);
    }
}

const piola_tasks *piola_workers_tasks(piola_workers *workers)
{
    return workers == NULL || workers->magic != WORKERS_MAGIC ? NULL : &workers->tasks;
}

uint32_t piola_workers_features(const piola_workers *workers)
{
    return workers == NULL || workers->magic != WORKERS_MAGIC ? 0 : atomic_load(&workers->features);
}

/* Writes back what it reads, a byte a page, so that each page is there and private. The block may
 * hold red zones that a sanitizer watches. */
__attribute__((no_sanitize("address"))) static void touch(void *memory, size_t bytes)
{
    volatile unsigned char *byte = memory;
    for (size_t at = 0; at < bytes; at += TOUCH_STRIDE) {
        const unsigned char kept = byte[at];
        byte[at] = kept;
    }
    const unsigned char kept = byte[bytes - 1];
    byte[bytes - 1] = kept;
}

uint32_t piola_platform_harden(void *memory, size_t bytes)
{
    if (memory == NULL || bytes == 0 || bytes > UINTPTR_MAX - (uintptr_t)memory) {
        return 0;
    }
    const uint32_t huge = os_huge_pages(memory, bytes);
    touch(memory, bytes);
    return huge | os_lock_memory(memory, bytes);
}
