/* fuzz_obj.c - libFuzzer: any bytes are an .obj surface, all of whose numbers are in range, or are
 * refused with a text. */
#include "count.h"
#include "io/mesh/meshes.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct problem problem = {0};
    struct meshgen mesh;
    char *text = malloc(size + 1); /* the reader is promised a final 0 */
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    count_begin();
    const bool good = obj_parse(&mesh, text, size, "fuzz", &problem);
    count_end(size, 16, 4096);
    if (good == (problem.text[0] != 0))
        abort();
    for (size_t i = 0; good && i < 3 * (size_t)mesh.triangle_count; ++i)
        if (mesh.triangles[i] >= mesh.vertex_count)
            abort();
    meshgen_free(&mesh);
    free(text);
    return 0;
}
