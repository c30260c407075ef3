/* vtu_write.c - a mesh as a VTK unstructured grid, and the lists of cells of such files. */
#include "io/base/file.h"
#include "io/mesh/vtu.h"

void vtu_put_corners(struct vtu_array *array, const uint32_t *corners, size_t count, uint64_t first)
{
    for (size_t i = 0; i < count; ++i) {
        const int64_t point = (int64_t)(first + corners[i]);
        vtu_array_put(array, &point, sizeof point);
    }
}

void vtu_put_offsets_and_types(FILE *file, const struct vtu_run *runs, uint32_t count)
{
    struct vtu_array array;
    uint64_t cells = 0;
    int64_t end = 0;
    for (uint32_t r = 0; r < count; ++r)
        cells += runs[r].cells;
    vtu_array_begin(&array, file, "Int64", "offsets", 1, cells * 8);
    for (uint32_t r = 0; r < count; ++r)
        for (uint64_t i = 0; i < runs[r].cells; ++i) {
            end += runs[r].corners;
            vtu_array_put(&array, &end, sizeof end);
        }
    vtu_array_end(&array);
    vtu_array_begin(&array, file, "UInt8", "types", 1, cells);
    for (uint32_t r = 0; r < count; ++r)
        for (uint64_t i = 0; i < runs[r].cells; ++i)
            vtu_array_put(&array, &runs[r].type, 1);
    vtu_array_end(&array);
}

struct vtu_run vtu_run_of(const struct meshgen *mesh)
{
    return (struct vtu_run){mesh_elements(mesh), mesh_corners(mesh),
                            mesh_is_solid(mesh)   ? VTK_TETRA
                            : mesh_is_chain(mesh) ? VTK_LINE
                                                  : VTK_TRIANGLE};
}

bool vtu_write(const struct meshgen *mesh, const char *path, struct problem *problem)
{
    const struct vtu_run run = vtu_run_of(mesh);
    struct vtu_array array;
    struct draft draft;
    if (!draft_open(&draft, path, problem))
        return false;
    vtu_begin(draft.file, mesh->vertex_count, run.cells);
    fputs("<Points>\n", draft.file);
    const size_t bytes = 3 * sizeof(double) * mesh->vertex_count;
    vtu_array_begin(&array, draft.file, "Float64", "position", 3, bytes);
    vtu_array_put(&array, mesh->vertices, bytes);
    vtu_array_end(&array);
    fputs("</Points>\n<Cells>\n", draft.file);
    vtu_array_begin(&array, draft.file, "Int64", "connectivity", 1, run.cells * run.corners * 8);
    vtu_put_corners(&array, mesh_corner_list(mesh), (size_t)run.cells * run.corners, 0);
    vtu_array_end(&array);
    vtu_put_offsets_and_types(draft.file, &run, 1);
    fputs("</Cells>\n", draft.file);
    vtu_end(draft.file);
    return draft_commit(&draft, problem);
}
