/* fuzz_tetgen.c - libFuzzer: any bytes, cut in two at the first 0, are a .node and an .ele file
 * whose mesh is in range, or are refused with a text. */
#define _GNU_SOURCE
#include "count.h"
#include "io/mesh/tetgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory that is opened by name. */
static int memory_file(const uint8_t *data, size_t size, char path[32])
{
    const int handle = memfd_create("fuzz", 0);
    if (handle < 0 || write(handle, data, size) != (ssize_t)size)
        abort();
    snprintf(path, 32, "/proc/self/fd/%d", handle);
    return handle;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct problem problem = {0};
    char node[32], ele[32];
    struct meshgen mesh;
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    const size_t first = zero ? (size_t)(zero - data) : size;
    const size_t second = zero ? first + 1 : size;
    const int a = memory_file(data, first, node),
              b = memory_file(data + second, size - second, ele);
    count_begin();
    const bool good = tetgen_read(node, ele, &mesh, &problem);
    /* The C library buffers two files; the reader itself has room for 16 lines more of each. */
    count_end(size, 3, 2 * 8192 + 16 * 44);
    if (good == (problem.text[0] != 0))
        abort();
    for (size_t i = 0; good && i < 4 * (size_t)mesh.tetrahedron_count; ++i)
        if (mesh.tetrahedra[i] >= mesh.vertex_count)
            abort();
    meshgen_free(&mesh);
    close(a);
    close(b);
    return 0;
}
