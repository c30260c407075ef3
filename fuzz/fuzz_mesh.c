/* fuzz_mesh.c - libFuzzer: any bytes are a mesh of the format MESH_FORMAT, all of whose numbers are
 * in range, or are refused with a text. Built once a format. */
#include "count.h"
#include "io/mesh/meshes.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const uint32_t *corners, size_t count, uint32_t vertices)
{
    for (size_t i = 0; i < count; ++i)
        if (corners[i] >= vertices)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct problem problem = {0};
    struct meshgen mesh;
    count_begin();
    const bool good = mesh_parse(&mesh, data, size, "fuzz." MESH_FORMAT, &problem);
    /* A corner of a binary fan is a byte and becomes a triangle of 12, in arrays that double. */
    count_end(size, MESH_MULTIPLE, 8192);
    if (good == (problem.text[0] != 0))
        abort();
    if (good && mesh.triangle_count == 0 && mesh.tetrahedron_count == 0)
        abort();
    if (good) {
        check(mesh.triangles, 3 * (size_t)mesh.triangle_count, mesh.vertex_count);
        check(mesh.tetrahedra, 4 * (size_t)mesh.tetrahedron_count, mesh.vertex_count);
        for (size_t i = 0; i < 3 * (size_t)mesh.vertex_count; ++i)
            if (!(fabs(mesh.vertices[i]) <= MESHGEN_FAR))
                abort();
    }
    meshgen_free(&mesh);
    return 0;
}
