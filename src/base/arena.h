/* arena.h - hands out arrays from one block of scratch, or only counts what they would take.
 *
 * Lives here: a stack of arrays. With base null nothing is handed out (every pointer is null) and
 * only `most` means something: the same code computes the size of the scratch and carves it, so the
 * two cannot disagree. What must not: anything about meshes.
 */
#ifndef PIOLA_ARENA_H
#define PIOLA_ARENA_H

#include "base/size.h"
#include "piola/piola.h"

struct arena {
    char *base;     /* a multiple of PIOLA_ALIGNMENT, or null to count only */
    size_t used;    /* bytes */
    size_t most;    /* highest `used` so far */
    bool too_large; /* a size did not fit into size_t */
};

/* `count` elements at a multiple of PIOLA_ALIGNMENT, not cleared. Give back by restoring `used`. */
static inline void *arena_take(struct arena *arena, uint64_t count, size_t element)
{
    size_t start = 0;
    if (!size_array(&arena->used, count, element, PIOLA_ALIGNMENT, &start)) {
        arena->too_large = true;
        return NULL;
    }
    if (arena->used > arena->most)
        arena->most = arena->used;
    return arena->base == NULL ? NULL : arena->base + start;
}

#endif
