/* pause.h - the hint a processor wants inside a spinning loop.
 *
 * Lives here: that one instruction per architecture. Who spins, and for how long, is decided by
 * jobs.c (inside a step) and by platform/ (between steps).
 */
#ifndef PIOLA_PAUSE_H
#define PIOLA_PAUSE_H

static inline void cpu_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    /* `yield` does nothing on most cores; `isb` stalls for some ten nanoseconds. */
    __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
