/* count.h - how much memory a reader asks for: each promises a multiple of its file's size
 * (docs/build.md), and its fuzz target checks that promise for every input.
 */
#ifndef PIOLA_FUZZ_COUNT_H
#define PIOLA_FUZZ_COUNT_H

#include <sanitizer/allocator_interface.h>
#include <stdio.h>
#include <stdlib.h>

static size_t count_bytes; /* of all allocations since count_begin, also of those given back */

static void count_add(const volatile void *memory, size_t bytes)
{
    (void)memory;
    count_bytes += bytes;
}

static void count_nothing(const volatile void *memory)
{
    (void)memory;
}

static void count_begin(void)
{
    static int installed;
    if (!installed)
        installed = __sanitizer_install_malloc_and_free_hooks(count_add, count_nothing);
    if (!installed)
        abort();
    count_bytes = 0;
}

/* Ends the program when more than `multiple` times the file's bytes and `more` were asked for. */
static void count_end(size_t file_bytes, size_t multiple, size_t more)
{
    const size_t asked = count_bytes, most = multiple * file_bytes + more;
    if (asked <= most)
        return;
    fprintf(stderr, "%zu bytes asked for, of a file of %zu: more than %zu\n", asked, file_bytes,
            most);
    abort();
}

#endif
