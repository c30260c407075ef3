/* words.c - edit distance with swaps, on words of at most 63 letters. */
#include "io/base/words.h"

#include <stdio.h>
#include <string.h>

#define WORD_MAX 63

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Letters inserted, deleted, changed, or swapped with their neighbour. */
static unsigned distance(const char *a, const char *b)
{
    const size_t na = strlen(a), nb = strlen(b);
    if (na > WORD_MAX || nb > WORD_MAX)
        return WORD_MAX;
    unsigned rows[3][WORD_MAX + 1];
    for (unsigned j = 0; j <= nb; ++j)
        rows[0][j] = j;
    for (unsigned i = 1; i <= na; ++i) {
        unsigned *now = rows[i % 3];
        const unsigned *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (unsigned j = 1; j <= nb; ++j) {
            now[j] = smaller(smaller(last[j], now[j - 1]) + 1,
                             last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

int words_closest(const char *wrong, const char *const *words, size_t count)
{
    int best = -1;
    unsigned least = WORD_MAX;
    for (size_t i = 0; i < count; ++i) {
        const unsigned d = distance(wrong, words[i]);
        if (d < least) {
            least = d;
            best = (int)i;
        }
    }
    const size_t letters = strlen(wrong);
    return least <= (letters < 4 ? 1u : 2u + letters / 8) ? best : -1;
}

const char *words_join(char *text, size_t bytes, const char *const *words, size_t count,
                       const char *quote)
{
    size_t at = 0;
    text[0] = 0;
    for (size_t i = 0; i < count && at < bytes; ++i) {
        const char *before = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        const int n = snprintf(text + at, bytes - at, "%s%s%s%s", before, quote, words[i], quote);
        at += n > 0 ? (size_t)n : 0;
    }
    return text;
}
