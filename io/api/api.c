/* api.c - see api.h. */
#include "io/api/api.h"

#include <stdio.h>
#include <string.h>

const char *piola_io_status_text(piola_io_status status)
{
    static const char *const texts[PIOLA_IO_STATUS_COUNT] = {
        [PIOLA_IO_OK] = "done",
        [PIOLA_IO_ERROR_NULL] = "a required pointer is null",
        [PIOLA_IO_ERROR_COOKIE] = "a description was not started from its default function",
        [PIOLA_IO_ERROR_RANGE] = "a value is outside its range",
        [PIOLA_IO_ERROR_FORMAT] = "the file's format is not one that can be read or written",
        [PIOLA_IO_ERROR_FILE] = "a file cannot be opened, read or written",
        [PIOLA_IO_ERROR_CONTENT] = "a file's content is not valid",
        [PIOLA_IO_ERROR_MEMORY] = "there is no memory, or the mesh would be too large",
        [PIOLA_IO_ERROR_ENGINE] = "the engine refused it",
        [PIOLA_IO_ERROR_ABSENT] = ("this build of piola_io has no scenes: it was made without "
                                   "jansson (on Debian: apt-get "
                                   "install libjansson-dev, then build again)"),
    };
    return (unsigned)status < PIOLA_IO_STATUS_COUNT ? texts[status] : "unknown status";
}

piola_io_status api_good(piola_io_error *error)
{
    if (error)
        memset(error, 0, sizeof *error);
    return PIOLA_IO_OK;
}

piola_io_status api_refuse(piola_io_error *error, piola_io_status status, const char *format, ...)
{
    if (!error)
        return status;
    memset(error, 0, sizeof *error);
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}

piola_io_status api_null(piola_io_error *error, const char *what)
{
    return api_refuse(error, PIOLA_IO_ERROR_NULL, "%s is null", what);
}

piola_io_status api_cookie(piola_io_error *error, const char *what)
{
    return api_refuse(error, PIOLA_IO_ERROR_COOKIE,
                      "the %s was not started from %s_default(): begin with it, then set what you "
                      "want otherwise",
                      what, what);
}

static piola_io_status status_of(const struct problem *problem)
{
    if (problem->memory)
        return PIOLA_IO_ERROR_MEMORY;
    if (problem->format)
        return PIOLA_IO_ERROR_FORMAT;
    if (problem->engine != PIOLA_OK)
        return PIOLA_IO_ERROR_ENGINE;
    return problem->exit == EXIT_RUNTIME || problem->file ? PIOLA_IO_ERROR_FILE
                                                          : PIOLA_IO_ERROR_CONTENT;
}

piola_io_status api_tell(const struct problem *problem, const char *path, piola_io_error *error)
{
    const piola_io_status status = status_of(problem);
    if (!error)
        return status;
    memset(error, 0, sizeof *error);
    error->status = status;
    error->engine = problem->engine;
    error->line = problem->line;
    snprintf(error->file, sizeof error->file, "%s",
             problem->path[0] ? problem->path
             : path           ? path
                              : "");
    snprintf(error->text, sizeof error->text, "%s", problem->text);
    return status;
}

bool api_allocator_good(const piola_io_allocator *allocator)
{
    return (allocator->take == NULL) == (allocator->give == NULL);
}

bool api_above(double low, double value, double high)
{
    return value > low && value <= high;
}
