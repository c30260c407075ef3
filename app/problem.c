/* problem.c - filling a struct problem. */
#include "problem.h"

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

bool problem_errno(struct problem *problem, const char *path, const char *what)
{
    return problem_set(problem, EXIT_RUNTIME, "%s: cannot be %s: %s", path, what, strerror(errno));
}

bool problem_engine(struct problem *problem, enum exit_code exit, const char *what,
                    piola_status status, const piola_error *error)
{
    char text[400];
    if (error && error->field)
        piola_error_format(error, text, sizeof text);
    else
        snprintf(text, sizeof text, "%s", piola_status_text(status));
    return problem_set(problem, exit, "%s: %s", what, text);
}

bool problem_memory(struct problem *problem, const char *what, size_t bytes)
{
    return problem_set(problem, EXIT_RUNTIME, "no memory for %s (%zu bytes asked for)", what,
                       bytes);
}
