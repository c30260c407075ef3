/* scan.c - see scan.h. */
#include "io/mesh/scan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan scan_text(const char *name, const char *text, size_t bytes, struct problem *problem)
{
    return (struct scan){.name = name,
                         .begin = text,
                         .at = text,
                         .end = text + bytes,
                         .line = 1,
                         .problem = problem};
}

bool scan_fail(struct scan *scan, const char *format, ...)
{
    char text[400], item[80] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (scan->item)
        snprintf(item, sizeof item, "%.40s %zu: ", scan->item, scan->number);
    if (scan->line > 0)
        return problem_at(scan->problem, EXIT_SCENE, scan->name, scan->line, "%s%s", item, text);
    return problem_at(scan->problem, EXIT_SCENE, scan->name, 0, "%s%s (at byte %zu)", item, text,
                      (size_t)(scan->at - scan->begin));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool scan_more_in_line(struct scan *scan)
{
    while (scan->at < scan->end && is_blank(*scan->at))
        ++scan->at;
    return scan->at < scan->end && *scan->at != '\n' &&
           !(scan->comment && *scan->at == scan->comment);
}

void scan_line(struct scan *scan)
{
    const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    scan->at = newline ? newline + 1 : scan->end;
    scan->line += scan->line > 0 && newline;
}

bool scan_more(struct scan *scan)
{
    while (!scan_more_in_line(scan)) {
        if (scan->at >= scan->end)
            return false;
        scan_line(scan);
    }
    return true;
}

bool scan_word(struct scan *scan, char word[SCAN_WORD])
{
    size_t letters = 0;
    word[0] = 0;
    if (!scan_more(scan))
        return false;
    while (scan->at < scan->end && !is_blank(*scan->at) && *scan->at != '\n') {
        if (letters < SCAN_WORD - 1)
            word[letters++] = *scan->at;
        ++scan->at;
    }
    word[letters] = 0;
    return true;
}

bool scan_takes(struct scan *scan, const char *word)
{
    char next[SCAN_WORD];
    const struct scan before = *scan;
    if (scan_word(scan, next) && strcmp(next, word) == 0)
        return true;
    scan->at = before.at;
    scan->line = before.line;
    return false;
}

/* Where a number ends: a blank, an end, or what begins a comment. */
static bool ends(const struct scan *scan, const char *stop)
{
    return stop >= scan->end || is_blank(*stop) || *stop == '\n' ||
           (scan->comment && *stop == scan->comment);
}

bool scan_number(struct scan *scan, double *value)
{
    char *stop;
    if (!scan_more(scan))
        return scan_fail(scan, "the file ends where a number was expected");
    *value = strtod(scan->at, &stop);
    if (stop == scan->at || !ends(scan, stop))
        return scan_fail(scan, "a number was expected");
    if (!isfinite(*value))
        return scan_fail(scan, "a number is not finite");
    scan->at = stop;
    return true;
}

bool scan_count(struct scan *scan, uint64_t *value)
{
    char *stop;
    if (!scan_more(scan))
        return scan_fail(scan, "the file ends where a whole number was expected");
    errno = 0;
    *value = strtoull(scan->at, &stop, 10);
    if (*scan->at < '0' || *scan->at > '9' || errno != 0 || !ends(scan, stop))
        return scan_fail(scan, "a whole number was expected");
    scan->at = stop;
    return true;
}

static const unsigned char widths[SCAN_TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

static double value_of(enum scan_type type, uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float single;
    double real;
    switch (type) {
    case SCAN_I8:
        return (double)(int8_t)bits;
    case SCAN_I16:
        return (double)(int16_t)bits;
    case SCAN_I32:
        return (double)(int32_t)bits;
    case SCAN_I64:
        return (double)(int64_t)bits;
    case SCAN_F32:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case SCAN_F64:
        memcpy(&real, &bits, sizeof real);
        return real;
    default:
        return (double)bits;
    }
}

bool scan_value(struct scan *scan, enum scan_type type, enum scan_order order, double *value)
{
    const size_t width = widths[type];
    uint64_t bits = 0;
    if (order == SCAN_TEXT)
        return scan_number(scan, value);
    if ((size_t)(scan->end - scan->at) < width)
        return scan_fail(scan, "the file ends where a number was expected");
    for (size_t i = 0; i < width; ++i) {
        const size_t from = order == SCAN_BIG ? i : width - 1 - i;
        bits = bits << 8 | (unsigned char)scan->at[from];
    }
    *value = value_of(type, bits);
    if (!isfinite(*value))
        return scan_fail(scan, "a number is not finite");
    scan->at += width;
    return true;
}
