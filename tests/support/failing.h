/* failing.h - an allocator that counts what it gives and refuses one request, for tests of what is
 * left behind when memory runs out. */
#ifndef PIOLA_TESTS_FAILING_H
#define PIOLA_TESTS_FAILING_H

#include "piola/io.h"

#include <stdlib.h>

struct failing {
    uint64_t asked; /* requests so far */
    uint64_t live;  /* given and not given back */
    uint64_t fails; /* number of the request that is refused, from 1; 0: none */
};

static inline void *failing_take(void *context, size_t bytes, size_t alignment)
{
    struct failing *f = context;
    void *memory = NULL;
    if (++f->asked == f->fails || bytes == 0 || alignment > PIOLA_ALIGNMENT)
        return NULL;
    if (posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes))
        return NULL;
    ++f->live;
    return memory;
}

static inline void failing_give(void *context, void *memory)
{
    --((struct failing *)context)->live;
    free(memory);
}

static inline piola_io_allocator failing_allocator(struct failing *failing)
{
    return (piola_io_allocator){failing_take, failing_give, failing};
}

#endif
