/* memory.c - see memory.h. */
#define _POSIX_C_SOURCE 200809L
#include "io/base/memory.h"

#include "piola/piola.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local const piola_io_allocator *current;

const piola_io_allocator *memory_use(const piola_io_allocator *allocator)
{
    const piola_io_allocator *last = current;
    current = allocator && allocator->take ? allocator : NULL;
    return last;
}

void *memory_take(size_t bytes)
{
    if (bytes > PTRDIFF_MAX)
        return NULL;
    bytes += bytes == 0;
    return current ? current->take(current->context, bytes, alignof(max_align_t)) : malloc(bytes);
}

void *memory_zero(size_t count, size_t size)
{
    if (size != 0 && count > PTRDIFF_MAX / size)
        return NULL;
    if (!current)
        return calloc(count ? count : 1, size ? size : 1);
    void *memory = memory_take(count * size);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

void *memory_aligned(size_t bytes)
{
    void *memory = NULL;
    if (bytes > PTRDIFF_MAX - PIOLA_ALIGNMENT)
        return NULL;
    bytes += bytes == 0;
    if (current)
        return current->take(current->context, bytes, PIOLA_ALIGNMENT);
    return posix_memalign(&memory, PIOLA_ALIGNMENT, bytes) == 0 ? memory : NULL;
}

void memory_give(void *memory)
{
    if (memory && current)
        current->give(current->context, memory);
    else
        free(memory);
}
