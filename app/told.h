/* told.h - what is wrong with a run: each thing said once, in a sentence that names who, when, and
 * what to change.
 *
 * A scene that is well is told nothing. Lives here: the table of warnings, told.c, which
 * docs/reference/command.md lists, and what it looks at, told_*.c. What must not live here: how a
 * run goes on (run_loop.c, view_events.c).
 */
#ifndef APP_TOLD_H
#define APP_TOLD_H

#include "io/scene/stage.h"

#include <stdio.h>

#define TOLD_TRIES 32u /* times a step's iterations are the most that `needed` may try */

/* A step that was done. */
struct told_step {
    const piola_report *report;
    const piola_world *measured; /* in the state after it, and reports physics; null: not now */
    double time;                 /* s, simulated, at its end */
    double seconds;              /* it took */
    /* How many iterations it would have taken for the body's residual to be at most so large, N, or
     * such a share of what acts on it; 0: more than can be tried. Null: nobody tries. */
    uint32_t (*needed)(void *context, uint32_t body, double residual, double share);
    void *context;
};

struct told;

/* Looks at the first state. `stage` must stay alive; null: a problem. */
struct told *told_open(const struct stage *stage, struct problem *problem);
void told_step(struct told *told, const struct told_step *step);
/* Looks at the last state, once. */
void told_end(struct told *told);
void told_close(struct told *told);

uint32_t told_count(const struct told *told);
/* Words for the last one that came, "not converged"; null: none. */
const char *told_title(const struct told *told);
/* A line each. */
void told_print(const struct told *told, FILE *file);
/* A list of {"code", "body", "time", "text"}; body is null where it is none. */
json_t *told_json(const struct told *told);

#endif
