/* memory.h - where this library's memory comes from: the caller's allocator, or C's own.
 *
 * Lives here: the one place that takes and gives memory. The allocator is the calling thread's, for
 * as long as one public call lasts (io/api/), so that readers and makers need not hand it on; the
 * command, which sets none, has malloc and free. What must not live here: pools (pool.h).
 */
#ifndef PIOLA_IO_MEMORY_H
#define PIOLA_IO_MEMORY_H

#include "piola/io.h"

#include <stddef.h>

/* Null when the machine has none. Bytes are of any value. Aligned for every type of C. */
void *memory_take(size_t bytes);
/* The same for `count` items of `size` bytes, all zero; null too when the product overflows. */
void *memory_zero(size_t count, size_t size);
/* The same at a multiple of PIOLA_ALIGNMENT, not zeroed. */
void *memory_aligned(size_t bytes);
/* Of any of the three; null is nothing. */
void memory_give(void *memory);

/* From now on this thread's; null: C's. Returns the last one, to be set again. `allocator` must
 * live until then. */
const piola_io_allocator *memory_use(const piola_io_allocator *allocator);

#endif
