/* scan.h - the bytes of a file that is not trusted, taken word by word or number by number.
 *
 * Lives here: what text and binary formats share: words, lines, numbers of every width, and saying
 * where something was wrong. What must not live here: any format.
 */
#ifndef PIOLA_IO_SCAN_H
#define PIOLA_IO_SCAN_H

#include "io/base/problem.h"

#include <stddef.h>
#include <stdint.h>

enum { SCAN_WORD = 64 }; /* bytes of a word with its 0; longer ones are cut */

struct scan {
    const char *name, *begin, *at, *end; /* behind the end is a 0 */
    size_t line;                         /* from 1; 0: the format has no lines */
    char comment;                        /* begins what a line says no more; 0: none */
    const char *item;                    /* what is being read, for messages; or null */
    size_t number;                       /* of the item, from 1 */
    struct problem *problem;
};

enum scan_order { SCAN_TEXT, SCAN_LITTLE, SCAN_BIG };
enum scan_type {
    SCAN_I8,
    SCAN_U8,
    SCAN_I16,
    SCAN_U16,
    SCAN_I32,
    SCAN_U32,
    SCAN_I64,
    SCAN_U64,
    SCAN_F32,
    SCAN_F64,
    SCAN_TYPES
};

/* Of a text that has lines, from its beginning; behind its bytes is a 0. */
struct scan scan_text(const char *name, const char *text, size_t bytes, struct problem *problem);

/* "NAME:LINE: ITEM NUMBER: what". False always. */
bool scan_fail(struct scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Passes over blanks, comments and ends of lines; false at the end. */
bool scan_more(struct scan *scan);
/* The same, but stays on the line. */
bool scan_more_in_line(struct scan *scan);
/* The next word, blanks before it passed over; false at the end, without a problem. */
bool scan_word(struct scan *scan, char word[SCAN_WORD]);
/* To the beginning of the next line. */
void scan_line(struct scan *scan);
/* The next word if it is this one. */
bool scan_takes(struct scan *scan, const char *word);

/* Each fails with a problem where there is no such number. */
bool scan_number(struct scan *scan, double *value); /* finite */
bool scan_count(struct scan *scan, uint64_t *value);
/* A number as text, or of this type in this order of bytes; finite. */
bool scan_value(struct scan *scan, enum scan_type type, enum scan_order order, double *value);

#endif
