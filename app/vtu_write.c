/* vtu_write.c - bodies in time and single meshes as VTK unstructured grids. Points and cells of all
 * bodies follow each other; the cell array "body" tells them apart. */
#include "frames.h"
#include "vtu.h"

#include <string.h>

#define VTK_TRIANGLE 5
#define VTK_TETRA    10

/* The cells of one mesh whose vertices begin at `first`. */
static void put_corners(struct vtu_array *array, const uint32_t *corners, size_t count,
                        uint64_t first)
{
    for (size_t i = 0; i < count; ++i) {
        const int64_t point = (int64_t)(first + corners[i]);
        vtu_array_put(array, &point, sizeof point);
    }
}

static void put_offsets_and_types(FILE *file, uint64_t cells, unsigned corners, unsigned char type)
{
    struct vtu_array array;
    vtu_array_begin(&array, file, "Int64", "offsets", 1, cells * 8);
    for (uint64_t i = 1; i <= cells; ++i) {
        const int64_t end = (int64_t)(i * corners);
        vtu_array_put(&array, &end, sizeof end);
    }
    vtu_array_end(&array);
    vtu_array_begin(&array, file, "UInt8", "types", 1, cells);
    for (uint64_t i = 0; i < cells; ++i)
        vtu_array_put(&array, &type, 1);
    vtu_array_end(&array);
}

static void put_whole(FILE *file, const char *name, unsigned components, const float *data,
                      uint64_t count)
{
    struct vtu_array array;
    const uint64_t bytes = count * components * sizeof *data;
    vtu_array_begin(&array, file, "Float32", name, components, bytes);
    vtu_array_put(&array, data, (size_t)bytes);
    vtu_array_end(&array);
}

static void put_cells(FILE *file, const struct stage *stage)
{
    struct vtu_array array;
    uint64_t first = 0;
    fputs("<Cells>\n", file);
    vtu_array_begin(&array, file, "Int64", "connectivity", 1, stage->elements * 4 * 8);
    for (uint32_t b = 0; b < stage->body_count; ++b) {
        const struct meshgen *mesh = stage->bodies[b].asset->mesh;
        put_corners(&array, mesh->tetrahedra, 4 * (size_t)mesh->tetrahedron_count, first);
        first += mesh->vertex_count;
    }
    vtu_array_end(&array);
    put_offsets_and_types(file, stage->elements, 4, VTK_TETRA);
    fputs("</Cells>\n", file);
}

static void put_cell_data(const struct frame *frame, FILE *file)
{
    const struct stage *stage = frame->stage;
    struct vtu_array array;
    fputs("<CellData>\n", file);
    vtu_array_begin(&array, file, "UInt32", "body", 1, stage->elements * 4);
    for (uint32_t b = 0; b < stage->body_count; ++b)
        for (uint32_t e = 0; e < stage->bodies[b].asset->mesh->tetrahedron_count; ++e)
            vtu_array_put(&array, &b, sizeof b);
    vtu_array_end(&array);
    vtu_array_begin(&array, file, "UInt32", "material", 1, stage->elements * 4);
    for (uint32_t b = 0; b < stage->body_count; ++b)
        vtu_array_put(&array, stage->bodies[b].asset->materials,
                      stage->bodies[b].asset->mesh->tetrahedron_count * sizeof(uint32_t));
    vtu_array_end(&array);
    put_whole(file, "stretch", 1, frame->stretch, stage->elements);
    put_whole(file, "volume_ratio", 1, frame->ratio, stage->elements);
    fputs("</CellData>\n", file);
}

bool vtu_frame(const struct frame *frame, struct problem *problem)
{
    char path[4096];
    struct draft draft;
    if (!frame_path(frame, "vtu", path, sizeof path, problem) || !draft_open(&draft, path, problem))
        return false;
    const struct stage *stage = frame->stage;
    vtu_begin(draft.file, stage->vertices, stage->elements);
    fputs("<PointData Vectors=\"velocity\">\n", draft.file);
    put_whole(draft.file, "velocity", 3, frame->velocities, stage->vertices);
    fputs("</PointData>\n", draft.file);
    put_cell_data(frame, draft.file);
    fputs("<Points>\n", draft.file);
    put_whole(draft.file, "position", 3, frame->positions, stage->vertices);
    fputs("</Points>\n", draft.file);
    put_cells(draft.file, stage);
    vtu_end(draft.file);
    return draft_commit(&draft, problem);
}

/* File names are the scene's own, which may have any letter. */
static void put_escaped(FILE *file, const char *text)
{
    for (; *text; ++text) {
        if (strchr("<>&\"", *text))
            fprintf(file, "&#%d;", *text);
        else
            fputc(*text, file);
    }
}

bool vtu_series(const struct frame *last, const double *times, uint64_t count,
                struct problem *problem)
{
    char path[4096];
    struct draft draft;
    const int n = snprintf(path, sizeof path, "%s/%s.pvd", last->folder, last->name);
    if (n < 0 || (size_t)n >= sizeof path)
        return problem_set(problem, EXIT_RUNTIME, "%s: the path is too long", last->folder);
    if (!draft_open(&draft, path, problem))
        return false;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
          draft.file);
    for (uint64_t i = 0; i < count; ++i) {
        fprintf(draft.file, "<DataSet timestep=\"%.9g\" part=\"0\" file=\"", times[i]);
        put_escaped(draft.file, last->name);
        fprintf(draft.file, "_%06llu.vtu\"/>\n", (unsigned long long)i);
    }
    fputs("</Collection>\n</VTKFile>\n", draft.file);
    return draft_commit(&draft, problem);
}

bool vtu_write(const struct meshgen *mesh, const char *path, struct problem *problem)
{
    const bool solid = mesh->tetrahedron_count > 0;
    const uint64_t cells = solid ? mesh->tetrahedron_count : mesh->triangle_count;
    const unsigned corners = solid ? 4 : 3;
    struct vtu_array array;
    struct draft draft;
    if (!draft_open(&draft, path, problem))
        return false;
    vtu_begin(draft.file, mesh->vertex_count, cells);
    fputs("<Points>\n", draft.file);
    const size_t bytes = 3 * sizeof(double) * mesh->vertex_count;
    vtu_array_begin(&array, draft.file, "Float64", "position", 3, bytes);
    vtu_array_put(&array, mesh->vertices, bytes);
    vtu_array_end(&array);
    fputs("</Points>\n<Cells>\n", draft.file);
    vtu_array_begin(&array, draft.file, "Int64", "connectivity", 1, cells * corners * 8);
    put_corners(&array, solid ? mesh->tetrahedra : mesh->triangles, (size_t)cells * corners, 0);
    vtu_array_end(&array);
    put_offsets_and_types(draft.file, cells, corners, solid ? VTK_TETRA : VTK_TRIANGLE);
    fputs("</Cells>\n", draft.file);
    vtu_end(draft.file);
    return draft_commit(&draft, problem);
}
