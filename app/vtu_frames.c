/* vtu_frames.c - bodies in time as VTK unstructured grids. Points and cells of all
 * bodies follow each other; the cell array "body" tells them apart. */
#include "frames.h"
#include "io/mesh/vtu.h"

#include <stdlib.h>
#include <string.h>

static void put_whole(FILE *file, const char *name, unsigned components, const float *data,
                      uint64_t count)
{
    struct vtu_array array;
    const uint64_t bytes = count * components * sizeof *data;
    vtu_array_begin(&array, file, "Float32", name, components, bytes);
    vtu_array_put(&array, data, (size_t)bytes);
    vtu_array_end(&array);
}

static bool put_cells(FILE *file, const struct stage *stage)
{
    struct vtu_array array;
    uint64_t first = 0, corners = 0;
    struct vtu_run *runs = calloc((size_t)stage->body_count + 1, sizeof *runs);
    if (!runs)
        return false;
    for (uint32_t b = 0; b < stage->body_count; ++b) {
        runs[b] = vtu_run_of(stage->bodies[b].asset->mesh);
        corners += runs[b].cells * runs[b].corners;
    }
    fputs("<Cells>\n", file);
    vtu_array_begin(&array, file, "Int64", "connectivity", 1, corners * 8);
    for (uint32_t b = 0; b < stage->body_count; ++b) {
        const struct meshgen *mesh = stage->bodies[b].asset->mesh;
        vtu_put_corners(&array, mesh_corner_list(mesh), (size_t)runs[b].cells * runs[b].corners,
                        first);
        first += mesh->vertex_count;
    }
    vtu_array_end(&array);
    vtu_put_offsets_and_types(file, runs, stage->body_count);
    fputs("</Cells>\n", file);
    free(runs);
    return true;
}

static void put_cell_data(const struct frame *frame, FILE *file)
{
    const struct stage *stage = frame->stage;
    struct vtu_array array;
    fputs("<CellData>\n", file);
    vtu_array_begin(&array, file, "UInt32", "body", 1, stage->elements * 4);
    for (uint32_t b = 0; b < stage->body_count; ++b)
        for (uint32_t e = 0; e < mesh_elements(stage->bodies[b].asset->mesh); ++e)
            vtu_array_put(&array, &b, sizeof b);
    vtu_array_end(&array);
    vtu_array_begin(&array, file, "UInt32", "material", 1, stage->elements * 4);
    for (uint32_t b = 0; b < stage->body_count; ++b)
        vtu_array_put(&array, stage->bodies[b].asset->materials,
                      mesh_elements(stage->bodies[b].asset->mesh) * sizeof(uint32_t));
    vtu_array_end(&array);
    put_whole(file, "stretch", 1, frame->stretch, stage->elements);
    put_whole(file, "volume_ratio", 1, frame->ratio, stage->elements);
    fputs("</CellData>\n", file);
}

static bool bodies_frame(const struct frame *frame, struct problem *problem)
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
    if (!put_cells(draft.file, stage)) {
        draft_drop(&draft);
        return problem_set(problem, EXIT_RUNTIME, "no memory for the cells of %s", path);
    }
    vtu_end(draft.file);
    return draft_commit(&draft, problem);
}

/* ---- details: a grid of their own, of triangles ---- */

/* "NAME_detail". */
static bool detail_name(const struct frame *frame, char *name, size_t bytes,
                        struct problem *problem)
{
    const int n = snprintf(name, bytes, "%s_detail", frame->name);
    return (n > 0 && (size_t)n < bytes) ||
           problem_set(problem, EXIT_RUNTIME, "%s: the path is too long", frame->folder);
}

static void put_detail_cells(FILE *file, const struct stage *stage)
{
    struct vtu_array array;
    uint64_t first = 0;
    const struct vtu_run run = {stage->detail_triangles, 3, VTK_TRIANGLE};
    fputs("<Cells>\n", file);
    vtu_array_begin(&array, file, "Int64", "connectivity", 1, run.cells * 3 * 8);
    for (uint32_t b = 0; b < stage->body_count; ++b) {
        const struct stage_detail *detail = stage->bodies[b].detail;
        if (!detail)
            continue;
        vtu_put_corners(&array, detail->triangles, 3 * (size_t)detail->triangle_count, first);
        first += detail->vertex_count;
    }
    vtu_array_end(&array);
    vtu_put_offsets_and_types(file, &run, 1);
    fputs("</Cells>\n", file);
}

static void put_detail_bodies(FILE *file, const struct stage *stage)
{
    struct vtu_array array;
    vtu_array_begin(&array, file, "UInt32", "body", 1, stage->detail_triangles * 4);
    for (uint32_t b = 0; b < stage->body_count; ++b) {
        const struct stage_detail *detail = stage->bodies[b].detail;
        for (uint32_t t = 0; detail && t < detail->triangle_count; ++t)
            vtu_array_put(&array, &b, sizeof b);
    }
    vtu_array_end(&array);
}

static bool details_frame(const struct frame *frame, struct problem *problem)
{
    char name[300], path[4096];
    struct draft draft;
    struct frame fine = *frame;
    const struct stage *stage = frame->stage;
    if (!detail_name(frame, name, sizeof name, problem))
        return false;
    fine.name = name;
    if (!frame_path(&fine, "vtu", path, sizeof path, problem) || !draft_open(&draft, path, problem))
        return false;
    vtu_begin(draft.file, stage->detail_vertices, stage->detail_triangles);
    fputs("<PointData Normals=\"normal\">\n", draft.file);
    put_whole(draft.file, "normal", 3, frame->fine_normals, stage->detail_vertices);
    fputs("</PointData>\n<CellData>\n", draft.file);
    put_detail_bodies(draft.file, stage);
    fputs("</CellData>\n<Points>\n", draft.file);
    put_whole(draft.file, "position", 3, frame->fine, stage->detail_vertices);
    fputs("</Points>\n", draft.file);
    put_detail_cells(draft.file, stage);
    vtu_end(draft.file);
    return draft_commit(&draft, problem);
}

bool vtu_frame(const struct frame *frame, struct problem *problem)
{
    return bodies_frame(frame, problem) &&
           (frame->stage->detail_vertices == 0 || details_frame(frame, problem));
}

/* ---- series ---- */

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

static bool write_series(const struct frame *last, const double *times, uint64_t count,
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

bool vtu_series(const struct frame *last, const double *times, uint64_t count,
                struct problem *problem)
{
    char name[300];
    struct frame fine = *last;
    if (!write_series(last, times, count, problem))
        return false;
    if (last->stage->detail_vertices == 0)
        return true;
    fine.name = name;
    return detail_name(last, name, sizeof name, problem) &&
           write_series(&fine, times, count, problem);
}
