/* progress.h - a bar on the terminal: how far, how fast, how long still. Silent elsewhere. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool on;
    uint64_t total;
    double begun, shown; /* s */
};

/* Shows nothing unless `wanted` and standard error is a terminal. */
void progress_begin(struct progress *progress, bool wanted, uint64_t total);
/* At most ten times a second. */
void progress_show(struct progress *progress, uint64_t done);
/* Takes the bar away. */
void progress_end(struct progress *progress);

#endif
