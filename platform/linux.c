/* linux.c - what the room `linux` has beyond POSIX: futex, cores, huge pages.
 *
 * Lives here: nothing else. What it shares with the room `posix` is in threads.c.
 */
#define _GNU_SOURCE

#include "workers.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HUGE_PAGE ((uintptr_t)2 << 20) /* bytes, on x86-64 and on AArch64 with 4 KiB pages */

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

void os_wait(const _Atomic uint32_t *word, uint32_t seen)
{
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

void os_wake_all(const _Atomic uint32_t *word)
{
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

uint32_t os_wait_features(void)
{
    return PIOLA_FEATURE_FUTEX;
}

uint32_t os_cores(void)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        return (uint32_t)CPU_COUNT(&allowed);
    }
    /* More cores than a cpu_set_t holds. */
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

int32_t os_helper_core(uint32_t index, uint32_t threads)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 ||
        threads > (uint32_t)CPU_COUNT(&allowed)) {
        return -1;
    }
    const int here = sched_getcpu();
    int core = here >= 0 && here < CPU_SETSIZE ? here : 0;
    /* Worker 0 is the caller; the others take the following allowed cores in turn. */
    for (uint32_t passed = 0;;) {
        if (CPU_ISSET((size_t)core, &allowed) && passed++ == index) {
            return core;
        }
        core = core + 1 == CPU_SETSIZE ? 0 : core + 1;
    }
}

uint32_t os_pin_self(int32_t core)
{
    if (core < 0) {
        return 0;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)core, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0 ? PIOLA_FEATURE_AFFINITY : 0;
}

/* The administrator's word; madvise says yes even where they are switched off. */
static bool huge_pages_allowed(void)
{
    char text[64] = {0};
    const int file = open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    const ssize_t length = read(file, text, sizeof text - 1);
    (void)close(file);
    return length > 0 && strstr(text, "[never]") == NULL;
}

uint32_t os_huge_pages(void *memory, size_t bytes)
{
    const uintptr_t start = ((uintptr_t)memory + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    const uintptr_t end = ((uintptr_t)memory + bytes) / HUGE_PAGE * HUGE_PAGE;
    if (end <= start || !huge_pages_allowed() ||
        madvise((void *)start, end - start, MADV_HUGEPAGE) != 0) {
        return 0;
    }
    /* Where the block was touched before: now, rather than some day by the kernel's daemon. An
     * older kernel does not know it. */
    (void)madvise((void *)start, end - start, MADV_COLLAPSE);
    return PIOLA_FEATURE_HUGE_PAGES;
}
