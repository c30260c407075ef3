/* progress.c - see progress.h. */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include "piola/piola.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BAR 30

void progress_begin(struct progress *progress, bool wanted, uint64_t total)
{
    progress->on = wanted && isatty(STDERR_FILENO);
    progress->total = total;
    progress->begun = progress->shown = piola_platform_seconds();
}

void progress_show(struct progress *progress, uint64_t done)
{
    if (!progress->on)
        return;
    const double now = piola_platform_seconds();
    if (now - progress->shown < 0.1 && done < progress->total)
        return;
    progress->shown = now;
    const double share = (double)done / (double)progress->total;
    const double left = done ? (now - progress->begun) * (1 / share - 1) : 0;
    char bar[BAR + 1];
    const size_t full = (size_t)(share * BAR);
    memset(bar, '.', BAR);
    memset(bar, '#', full < BAR ? full : BAR);
    bar[BAR] = 0;
    const unsigned seconds = (unsigned)(left < 359999 ? left + 0.5 : 359999);
    fprintf(stderr, "\r[%s] %3.0f %%  step %llu of %llu  %u:%02u left \033[K", bar, 100 * share,
            (unsigned long long)done, (unsigned long long)progress->total, seconds / 60,
            seconds % 60);
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->on)
        fputs("\r\033[K", stderr);
    progress->on = false;
}
