/* obj_write.c - surfaces as Wavefront .obj files: of a mesh, and of all bodies at one moment.
 *
 * Vertices inside a solid belong to no surface and are left out.
 */
#include "frames.h"
#include "shape.h"

#include <stdlib.h>
#include <string.h>

/* Numbers the vertices that the triangles use, from `next`; 0 for the others. Null: no memory. */
static uint32_t *number_vertices(const uint32_t *triangles, uint32_t count, uint32_t vertices,
                                 uint32_t *next)
{
    uint32_t *numbers = calloc((size_t)vertices + 1, sizeof *numbers);
    if (!numbers)
        return NULL;
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        numbers[triangles[i]] = 1;
    for (uint32_t v = 0; v < vertices; ++v)
        if (numbers[v])
            numbers[v] = (*next)++;
    return numbers;
}

static void put_faces(FILE *file, const uint32_t *triangles, uint32_t count,
                      const uint32_t *numbers)
{
    for (size_t i = 0; i < count; ++i)
        fprintf(file, "f %u %u %u\n", numbers[triangles[3 * i]], numbers[triangles[3 * i + 1]],
                numbers[triangles[3 * i + 2]]);
}

/* A chain's links are lines; `first` is the number of its first vertex. */
static void put_lines(const struct meshgen *mesh, FILE *file, uint32_t first)
{
    for (size_t i = 0; i < mesh->link_count; ++i)
        fprintf(file, "l %u %u\n", first + mesh->links[2 * i], first + mesh->links[2 * i + 1]);
}

static void put_chain(const struct stage_body *body, FILE *file, const float *xyz, uint32_t *next)
{
    fprintf(file, "o %s\n", body->name);
    for (size_t v = 0; v < body->asset->stats.vertices; ++v)
        fprintf(file, "v %.9g %.9g %.9g\n", (double)xyz[3 * v], (double)xyz[3 * v + 1],
                (double)xyz[3 * v + 2]);
    put_lines(body->asset->mesh, file, *next);
    *next += body->asset->stats.vertices;
}

static bool put_body(const struct stage_body *body, FILE *file, const float *xyz, uint32_t *next)
{
    uint32_t count = 0;
    const uint32_t *triangles = piola_asset_surface(body->asset->asset, &count);
    const uint32_t vertices = body->asset->stats.vertices;
    uint32_t *numbers = number_vertices(triangles, count, vertices, next);
    if (!numbers)
        return false;
    fprintf(file, "o %s\n", body->name);
    for (size_t v = 0; v < vertices; ++v)
        if (numbers[v])
            fprintf(file, "v %.9g %.9g %.9g\n", (double)xyz[3 * v], (double)xyz[3 * v + 1],
                    (double)xyz[3 * v + 2]);
    put_faces(file, triangles, count, numbers);
    free(numbers);
    return true;
}

/* A fine mesh instead of the body that wears it, with normals: `normal` counts those of the file.
 */
static void put_detail(const struct stage_body *body, FILE *file, const float *xyz,
                       const float *normals, uint32_t *next, uint32_t *normal)
{
    const struct stage_detail *detail = body->detail;
    fprintf(file, "o %s\n", body->name);
    const uint32_t *places = detail->places;
    uint32_t written = 0;
    for (size_t v = 0; v < detail->vertex_count; ++v) {
        if (places[v] < written)
            continue;
        fprintf(file, "v %.9g %.9g %.9g\n", (double)xyz[3 * v], (double)xyz[3 * v + 1],
                (double)xyz[3 * v + 2]);
        ++written;
    }
    for (size_t v = 0; v < detail->vertex_count; ++v)
        fprintf(file, "vn %.6g %.6g %.6g\n", (double)normals[3 * v], (double)normals[3 * v + 1],
                (double)normals[3 * v + 2]);
    for (size_t t = 0; t < detail->triangle_count; ++t) {
        const uint32_t *v = detail->triangles + 3 * t;
        fprintf(file, "f %u//%u %u//%u %u//%u\n", places[v[0]] + *next, v[0] + *normal,
                places[v[1]] + *next, v[1] + *normal, places[v[2]] + *next, v[2] + *normal);
    }
    *next += detail->place_count;
    *normal += detail->vertex_count;
}

bool obj_frame(const struct frame *frame, struct problem *problem)
{
    char path[4096];
    struct draft draft;
    if (!frame_path(frame, "obj", path, sizeof path, problem) || !draft_open(&draft, path, problem))
        return false;
    const float *xyz = frame->positions, *fine = frame->fine, *normals = frame->fine_normals;
    uint32_t next = 1, normal = 1;
    for (uint32_t b = 0; b < frame->stage->body_count; ++b) {
        const struct stage_body *body = &frame->stage->bodies[b];
        if (body->detail) {
            put_detail(body, draft.file, fine, normals, &next, &normal);
            fine += 3 * (size_t)body->detail->vertex_count;
            normals += 3 * (size_t)body->detail->vertex_count;
        } else if (mesh_is_chain(body->asset->mesh)) {
            put_chain(body, draft.file, xyz, &next);
        } else if (!put_body(body, draft.file, xyz, &next)) {
            draft_drop(&draft);
            return problem_set(problem, EXIT_RUNTIME, "no memory for a surface");
        }
        xyz += 3 * (size_t)body->asset->stats.vertices;
    }
    return draft_commit(&draft, problem);
}

static bool put_mesh(const struct meshgen *mesh, const uint32_t *triangles, uint32_t count,
                     FILE *file)
{
    uint32_t next = 1;
    uint32_t *numbers = number_vertices(triangles, count, mesh->vertex_count, &next);
    if (!numbers)
        return false;
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        if (numbers[v])
            fprintf(file, "v %.17g %.17g %.17g\n", mesh->vertices[3 * v], mesh->vertices[3 * v + 1],
                    mesh->vertices[3 * v + 2]);
    put_faces(file, triangles, count, numbers);
    free(numbers);
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
        put_lines(mesh, draft.file, 1);
        return draft_commit(&draft, problem);
    }
    uint32_t *surface = solid ? shape_surface(mesh, &count) : NULL;
    const bool good =
        (!solid || surface) && put_mesh(mesh, solid ? surface : mesh->triangles, count, draft.file);
    free(surface);
    if (good)
        return draft_commit(&draft, problem);
    draft_drop(&draft);
    return problem_set(problem, EXIT_RUNTIME, "no memory for a surface");
}
