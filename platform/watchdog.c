/* watchdog.c - the thread that notices when the one it watches no longer beats. */
#include "runner.h"

#define LOOKS       4.0  /* within its patience */
#define LONGEST_NAP 0.05 /* s: it must end soon when it is told to */

static void watch(void *argument)
{
    struct watchdog *w = argument;
    const double nap = w->patience / LOOKS < LONGEST_NAP ? w->patience / LOOKS : LONGEST_NAP;
    double now = piola_platform_seconds(), since = now;
    uint64_t seen = atomic_load(&w->beats);
    bool told = false;
    /* Above the thread that it watches, which may never leave the processor. */
    (void)os_realtime_self(os_realtime_priority() + 1);
    while (atomic_load(&w->quit) == 0) {
        os_sleep_until(now + nap);
        now = piola_platform_seconds();
        const uint64_t beats = atomic_load(&w->beats);
        if (beats != seen) {
            seen = beats;
            since = now;
            told = false;
        } else if (!told && now - since > w->patience) {
            told = true;
            (void)atomic_fetch_add(&w->alarms, 1);
            if (w->late != NULL)
                w->late(w->context, now - since);
        }
    }
}

bool watchdog_start(struct watchdog *watchdog)
{
    watchdog->thread.run = watch;
    watchdog->thread.argument = watchdog;
    return os_thread_start(&watchdog->thread);
}

void watchdog_stop(struct watchdog *watchdog)
{
    atomic_store(&watchdog->quit, 1);
    os_thread_join(&watchdog->thread);
}
