/* linux.c - what the room `linux` has beyond POSIX: futex, cores, huge pages.
 *
 * Lives here: nothing else. What it shares with the room `posix` is in threads.c.
 */
#define _GNU_SOURCE

#include "workers.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
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

uint32_t os_cores_lost(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? (uint32_t)usage.ru_nivcsw : 0;
}

/* The beginning of a file, as text; false when there is none. */
static bool read_text(const char *path, char *text, size_t bytes)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    const ssize_t length = read(file, text, bytes - 1);
    (void)close(file);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static uint32_t online_cores(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

/* What a control group leaves to its processes, in whole cores: cpu.max is "quota period" or "max
 * period", in microseconds. */
static uint32_t quota_of(const char *group, uint32_t cores)
{
    char path[1100], text[64];
    const int length = snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
    if (length < 0 || length >= (int)sizeof path || !read_text(path, text, sizeof text)) {
        return cores;
    }
    char *end = text;
    const long long quota = strtoll(text, &end, 10);
    const long long period = end == text ? 0 : strtoll(end, NULL, 10);
    if (quota <= 0 || period <= 0) {
        return cores;
    }
    const long long whole = quota / period < 1 ? 1 : quota / period;
    return whole < (long long)cores ? (uint32_t)whole : cores;
}

/* The least of the process's own group and those above it (control groups, version 2). */
static uint32_t quota_cores(uint32_t cores)
{
    char text[1024];
    if (!read_text("/proc/self/cgroup", text, sizeof text)) {
        return cores;
    }
    char *group = strstr(text, "0::/");
    if (group == NULL) {
        return cores;
    }
    group += 3;
    group[strcspn(group, "\n")] = '\0';
    char *slash = strrchr(group, '/');
    while (slash != NULL) {
        cores = quota_of(group, cores);
        *slash = '\0';
        slash = strrchr(group, '/');
    }
    return quota_of("", cores);
}

uint32_t os_cores(void)
{
    cpu_set_t allowed;
    /* It fails where there are more cores than a cpu_set_t holds. */
    const uint32_t cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0
                               ? (uint32_t)CPU_COUNT(&allowed)
                               : online_cores();
    return quota_cores(cores);
}

/* Threads of the whole machine that run or want to, without this one: the least of some looks, for
 * many run for a moment. "0.20 0.18 0.12 running/all last". */
static uint32_t others_running(void)
{
    uint32_t least = UINT32_MAX;
    for (int look = 0; look < 4; look++) {
        char text[128];
        unsigned long running = 0;
        const struct timespec nap = {.tv_nsec = 300000};
        if (!read_text("/proc/loadavg", text, sizeof text)) {
            return 0;
        }
        char *slash = strchr(text, '/');
        while (slash != NULL && slash > text && slash[-1] != ' ') {
            slash--;
        }
        running = slash == NULL ? 0 : strtoul(slash, NULL, 10);
        running -= running > 0;
        least = running < least ? (uint32_t)running : least;
        (void)nanosleep(&nap, NULL);
    }
    return least;
}

uint32_t os_free_cores(void)
{
    const uint32_t cores = os_cores(), online = online_cores(), others = others_running();
    const uint32_t idle = others < online ? online - others : 1;
    return cores < idle ? cores : idle;
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

void os_sharp_timer(void)
{
    (void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}
