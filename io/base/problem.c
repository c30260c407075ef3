/* problem.c - filling a struct problem. */
#include "io/base/problem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool is_set(const struct problem *problem)
{
    return problem->text[0] != 0;
}

bool problem_set(struct problem *problem, enum exit_code exit, const char *format, ...)
{
    if (is_set(problem))
        return false;
    problem->exit = exit;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    return false;
}

bool problem_at(struct problem *problem, enum exit_code exit, const char *path, size_t line,
                const char *format, ...)
{
    if (is_set(problem))
        return false;
    problem->exit = exit;
    problem->line = line;
    snprintf(problem->path, sizeof problem->path, "%s", path);
    /* A long path is cut, so that what was wrong is told all the same. */
    const int n = line ? snprintf(problem->text, sizeof problem->text, "%.500s:%zu: ", path, line)
                       : snprintf(problem->text, sizeof problem->text, "%.500s: ", path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->text + n, sizeof problem->text - (size_t)n, format, arguments);
    va_end(arguments);
    return false;
}

bool problem_errno(struct problem *problem, const char *path, const char *what)
{
    if (is_set(problem))
        return false;
    problem->file = true;
    return problem_at(problem, EXIT_RUNTIME, path, 0, "cannot be %s: %s", what, strerror(errno));
}

bool problem_engine(struct problem *problem, enum exit_code exit, const char *what,
                    piola_status status, const piola_error *error)
{
    char text[400];
    if (error && error->field)
        piola_error_format(error, text, sizeof text);
    else
        snprintf(text, sizeof text, "%s", piola_status_text(status));
    if (is_set(problem))
        return false;
    problem->engine = status;
    return problem_set(problem, exit, "%s: %s", what, text);
}

bool problem_memory(struct problem *problem, const char *what, size_t bytes)
{
    if (is_set(problem))
        return false;
    problem->memory = true;
    if (bytes == 0)
        return problem_set(problem, EXIT_RUNTIME, "no memory for %s", what);
    return problem_set(problem, EXIT_RUNTIME, "no memory for %s (%zu bytes asked for)", what,
                       bytes);
}
