/* obj_write.c - the surface of a mesh as a Wavefront .obj file.
 *
 * Vertices inside a solid belong to no surface and are left out.
 */
#include "io/mesh/obj_write.h"

#include "io/base/file.h"
#include "io/base/memory.h"
#include "io/mesh/shape.h"

uint32_t *obj_number_vertices(const uint32_t *triangles, uint32_t count, uint32_t vertices,
                              uint32_t *next)
{
    uint32_t *numbers = memory_zero((size_t)vertices + 1, sizeof *numbers);
    if (!numbers)
        return NULL;
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        numbers[triangles[i]] = 1;
    for (uint32_t v = 0; v < vertices; ++v)
        if (numbers[v])
            numbers[v] = (*next)++;
    return numbers;
}

void obj_put_faces(FILE *file, const uint32_t *triangles, uint32_t count, const uint32_t *numbers)
{
    for (size_t i = 0; i < count; ++i)
        fprintf(file, "f %u %u %u\n", numbers[triangles[3 * i]], numbers[triangles[3 * i + 1]],
                numbers[triangles[3 * i + 2]]);
}

void obj_put_lines(const struct meshgen *mesh, FILE *file, uint32_t first)
{
    for (size_t i = 0; i < mesh->link_count; ++i)
        fprintf(file, "l %u %u\n", first + mesh->links[2 * i], first + mesh->links[2 * i + 1]);
}

static bool put_mesh(const struct meshgen *mesh, const uint32_t *triangles, uint32_t count,
                     FILE *file)
{
    uint32_t next = 1;
    uint32_t *numbers = obj_number_vertices(triangles, count, mesh->vertex_count, &next);
    if (!numbers)
        return false;
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        if (numbers[v])
            fprintf(file, "v %.17g %.17g %.17g\n", mesh->vertices[3 * v], mesh->vertices[3 * v + 1],
                    mesh->vertices[3 * v + 2]);
    obj_put_faces(file, triangles, count, numbers);
    memory_give(numbers);
    return true;
}

bool obj_write(const struct meshgen *mesh, const char *path, struct problem *problem)
{
    struct draft draft;
    if (!draft_open(&draft, path, problem))
        return false;
    uint32_t count = mesh->triangle_count;
    const bool solid = mesh->tetrahedron_count > 0;
    if (mesh_is_chain(mesh)) {
        for (size_t v = 0; v < mesh->vertex_count; ++v)
            fprintf(draft.file, "v %.17g %.17g %.17g\n", mesh->vertices[3 * v],
                    mesh->vertices[3 * v + 1], mesh->vertices[3 * v + 2]);
        obj_put_lines(mesh, draft.file, 1);
        return draft_commit(&draft, problem);
    }
    uint32_t *surface = solid ? shape_surface(mesh, &count) : NULL;
    const bool good =
        (!solid || surface) && put_mesh(mesh, solid ? surface : mesh->triangles, count, draft.file);
    memory_give(surface);
    if (good)
        return draft_commit(&draft, problem);
    draft_drop(&draft);
    return problem_memory(problem, "a surface", 12 * (size_t)count);
}
