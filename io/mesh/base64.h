/* base64.h - bytes that a text file holds as base64.
 *
 * Lives here: decoding. Several runs may follow each other, each with its own '=' at its end. What
 * must not live here: any format.
 */
#ifndef PIOLA_IO_BASE64_H
#define PIOLA_IO_BASE64_H

#include <stddef.h>

struct base64 {
    const char *at, *end;  /* of the text */
    unsigned char held[3]; /* decoded, not yet taken */
    unsigned held_from, held_to;
};

/* The next bytes, blanks between letters passed over: how many there were, up to `size`. */
size_t base64_take(struct base64 *text, void *to, size_t size);

#endif
