/* pool.c - a chain of pieces, each with a header of one alignment unit. */
#include "io/base/pool.h"
#include "io/base/memory.h"

#include <stdint.h>
#include <string.h>

struct pool_piece {
    struct pool_piece *next;
};

void *pool_block(size_t bytes, const char *what, struct problem *problem)
{
    void *block = memory_aligned(bytes);
    if (!block) {
        problem_memory(problem, what, bytes);
        return NULL;
    }
    memset(block, 0, bytes);
    return block;
}

void *pool_take(struct pool *pool, size_t count, size_t size, const char *what,
                struct problem *problem)
{
    if (size != 0 && count > (SIZE_MAX / 2 - PIOLA_ALIGNMENT) / size) {
        problem_memory(problem, what, SIZE_MAX);
        return NULL;
    }
    char *block = pool_block(count * size + PIOLA_ALIGNMENT, what, problem);
    if (!block)
        return NULL;
    struct pool_piece *piece = (struct pool_piece *)(void *)block;
    piece->next = pool->pieces;
    pool->pieces = piece;
    pool->bytes += count * size;
    return block + PIOLA_ALIGNMENT;
}

char *pool_text(struct pool *pool, const char *text, struct problem *problem)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = pool_take(pool, bytes, 1, "a text", problem);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

void pool_free(struct pool *pool)
{
    while (pool->pieces) {
        struct pool_piece *piece = pool->pieces;
        pool->pieces = piece->next;
        memory_give(piece);
    }
    pool->bytes = 0;
}
