/* problem.h - how readers, makers and the piola command say what went wrong: one sentence, whose
 * fault it is, and where.
 *
 * Lives here: struct problem and the exit codes, which docs/reference/command.md lists. A function
 * that can fail takes a `struct problem *`, fills it and returns false (or null); whoever decided
 * to run it tells it: the command prints it and exits, the library makes it a piola_io_error. What
 * must not live here: what the sentences say.
 */
#ifndef APP_PROBLEM_H
#define APP_PROBLEM_H

#include "piola/piola.h"

#include <stdarg.h>
#include <stdbool.h>

enum exit_code {
    EXIT_DONE = 0,
    EXIT_RUNTIME = 1,      /* a file, memory or the machine failed, or a body froze */
    EXIT_USAGE = 2,        /* the command line was not understood */
    EXIT_SCENE = 3,        /* the scene, or a mesh it names, is not valid */
    EXIT_TOLD = 4,         /* with --strict: done, but there were warnings */
    EXIT_INTERRUPTED = 130 /* Ctrl-C or SIGTERM; files and table are complete all the same */
};

struct problem {
    enum exit_code exit;
    bool memory, file, format; /* what it was, beside `exit`: of these at most one */
    piola_status engine;       /* the engine's refusal, or PIOLA_OK */
    size_t line;               /* of the file, from 1; 0: none */
    char path[512];            /* of the file that is wrong, cut to fit; "" : none */
    char text[1200];
};

/* Always false, so that a caller can return it. The first problem is kept: what follows from it is
 * noise. */
bool problem_set(struct problem *problem, enum exit_code exit, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same of a place in a file: "PATH:LINE: ...", or "PATH: ..." where the line is 0. */
bool problem_at(struct problem *problem, enum exit_code exit, const char *path, size_t line,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* "PATH: cannot be WHAT: reason", with the reason from errno. */
bool problem_errno(struct problem *problem, const char *path, const char *what);

/* The engine's refusal. `error` may be null or clean; then the status text stands alone. */
bool problem_engine(struct problem *problem, enum exit_code exit, const char *what,
                    piola_status status, const piola_error *error);

/* Memory for `what` could not be had; 0 bytes: nobody knows how much. */
bool problem_memory(struct problem *problem, const char *what, size_t bytes);

#endif
