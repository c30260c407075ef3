/* posix.c - the room `posix`: threads and a clock, nothing that POSIX does not promise.
 *
 * Lives here: what the room does in place of futex, affinity and huge pages. What it shares with
 * the room `linux` is in threads.c.
 */
#define _DEFAULT_SOURCE

#include "workers.h"

#include <time.h>
#include <unistd.h>

#define NAP_NANOSECONDS 50000 /* a poll costs little then, and a wake-up is not much later */

/* There is no portable wait on a word: a short nap, then the waiter looks again. */
void os_wait(const _Atomic uint32_t *word, uint32_t seen)
{
    if (atomic_load_explicit(word, memory_order_relaxed) == seen) {
        const struct timespec nap = {.tv_nsec = NAP_NANOSECONDS};
        (void)nanosleep(&nap, NULL);
    }
}

/* Sleepers wake by themselves. */
void os_wake_all(const _Atomic uint32_t *word)
{
    (void)word;
}

uint32_t os_wait_features(void)
{
    return 0;
}

uint32_t os_cores(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

uint32_t os_free_cores(void)
{
    return os_cores();
}

uint32_t os_cores_lost(void)
{
    return 0;
}

int32_t os_helper_core(uint32_t index, uint32_t threads)
{
    (void)index;
    (void)threads;
    return -1;
}

uint32_t os_pin_self(int32_t core)
{
    (void)core;
    return 0;
}

uint32_t os_huge_pages(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
    return 0;
}

void os_sharp_timer(void)
{
}
