/* bare.c - the room `bare`: one thread, no operating system, no call to anything.
 *
 * Lives here: the plain answers of a machine that has a processor and memory only. A piola_workers
 * of one thread works; a larger one is PIOLA_ERROR_THREADS.
 */
#include "runner.h"

uint32_t os_cores(void)
{
    return 1;
}

uint32_t os_free_cores(void)
{
    return 1;
}

uint32_t os_huge_pages(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
    return 0;
}

uint32_t os_lock_memory(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
    return 0;
}

bool helpers_start(struct piola_workers *workers)
{
    (void)workers;
    return false;
}

/* Reached with helpers only, and there never are any. */
void helpers_stop(struct piola_workers *workers)
{
    (void)workers;
}

uint32_t piola_platform_features(void)
{
    return 0;
}

uint32_t piola_platform_lock_process(void)
{
    return 0;
}

double piola_platform_seconds(void)
{
    return 0.0;
}

void os_sleep_until(double seconds)
{
    (void)seconds;
}

uint32_t os_arrange_self(const piola_runner_desc *desc)
{
    (void)desc;
    return 0;
}

bool watchdog_start(struct watchdog *watchdog)
{
    (void)watchdog;
    return false;
}

/* Reached with a thread only, and there never is one. */
void watchdog_stop(struct watchdog *watchdog)
{
    (void)watchdog;
}
