/* marks.h - a bit for each of a row of things, and a bit for each 64 of them: where the last marked
 * one is, without a look at all. Of 65,535 it takes 17 looks at most.
 *
 * What must not live here: any knowledge of what is marked.
 */
#ifndef PIOLA_MARKS_H
#define PIOLA_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#define MARKS_EACH 64u

/* Words for so many things: theirs, then those of the words. */
static inline uint64_t marks_words(uint64_t count)
{
    const uint64_t words = count / MARKS_EACH + 1;
    return count > 0 ? words + words / MARKS_EACH + 1 : 0;
}

static inline void marks_put(uint64_t *word, uint64_t bit, bool on)
{
    *word = on ? *word | UINT64_C(1) << bit : *word & ~(UINT64_C(1) << bit);
}

static inline void marks_set(uint64_t *marks, uint64_t count, uint64_t index, bool on)
{
    const uint64_t words = count / MARKS_EACH + 1, word = index / MARKS_EACH;
    marks_put(&marks[word], index % MARKS_EACH, on);
    marks_put(&marks[words + word / MARKS_EACH], word % MARKS_EACH, marks[word] != 0);
}

static inline uint32_t marks_last_bit(uint64_t word)
{
    return 63 - (uint32_t)__builtin_clzll(word);
}

/* Behind the last that is marked; 0 when none is. */
static inline uint64_t marks_end(const uint64_t *marks, uint64_t count)
{
    const uint64_t words = count / MARKS_EACH + 1;
    for (uint64_t top = words / MARKS_EACH + 1; top-- > 0;)
        if (marks[words + top] != 0) {
            const uint64_t word = top * MARKS_EACH + marks_last_bit(marks[words + top]);
            return word * MARKS_EACH + marks_last_bit(marks[word]) + 1;
        }
    return 0;
}

#endif
