/* stop.c - see stop.h. */
#define _POSIX_C_SOURCE 200809L
#include "stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t wanted;

static void on_signal(int number)
{
    (void)number;
    wanted = 1;
}

void stop_listen(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool stop_wanted(void)
{
    return wanted != 0;
}
