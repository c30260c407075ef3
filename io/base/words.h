/* words.h - small work with texts: the closest known word, and joining them into a list. */
#ifndef APP_WORDS_H
#define APP_WORDS_H

#include <stddef.h>

/* Index of the word closest to `wrong`, or -1 when none is close enough to be what was meant. */
int words_closest(const char *wrong, const char *const *words, size_t count);

/* Writes `"a", "b" or "c"` (quotes as given, cut to fit). Returns text. */
const char *words_join(char *text, size_t bytes, const char *const *words, size_t count,
                       const char *quote);

#endif
