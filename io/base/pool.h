/* pool.h - memory that is taken piece by piece and given back all at once.
 *
 * Lives here: the allocator of everything a scene is read into, so that no reader has to undo its
 * steps when it fails. What must not live here: the engine's blocks, which are big and have a life
 * of their own (pool_block).
 */
#ifndef APP_POOL_H
#define APP_POOL_H

#include "io/base/problem.h"

#include <stddef.h>

struct pool {
    struct pool_piece *pieces;
    size_t bytes; /* asked for so far */
};

/* Zeroed room for `count` elements of `size` bytes, PIOLA_ALIGNMENT-aligned; null, with the
 * problem set, when the product overflows or the machine has none. Never null for a count of 0. */
void *pool_take(struct pool *pool, size_t count, size_t size, const char *what,
                struct problem *problem);
char *pool_text(struct pool *pool, const char *text, struct problem *problem);
void pool_free(struct pool *pool);

/* A block for the engine: zeroed pages, aligned. Give it back with memory_give(). */
void *pool_block(size_t bytes, const char *what, struct problem *problem);

#endif
