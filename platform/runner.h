/* runner.h - what the rooms of platform/ offer to the runner, and its watchdog.
 *
 * Lives here: nothing of when steps are due; that is runner.c, alike in every room.
 */
#ifndef PIOLA_RUNNER_H
#define PIOLA_RUNNER_H

#include "workers.h"

/* A thread that looks now and then whether another still beats. Stays where it is. */
struct watchdog {
    struct os_thread thread;
    double patience; /* s */
    void (*late)(void *context, double seconds);
    void *context;
    _Atomic uint64_t beats;  /* of the thread that is watched */
    _Atomic uint64_t alarms; /* calls of `late` */
    _Atomic uint32_t quit;
};

/* ---- offered by every room ---------------------------------------------------------------- */

/* Returns at that time of piola_platform_seconds, or a little later. */
void os_sleep_until(double seconds);
/* Arranges the running thread as the description asks; piola_feature bits got. */
uint32_t os_arrange_self(const piola_runner_desc *desc);
bool watchdog_start(struct watchdog *watchdog);
void watchdog_stop(struct watchdog *watchdog);

#endif
