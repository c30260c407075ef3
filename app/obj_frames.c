/* obj_frames.c - surfaces of all bodies at one moment as Wavefront .obj files.
 *
 * Vertices inside a solid belong to no surface and are left out.
 */
#include "frames.h"
#include "io/mesh/obj_write.h"

#include <stdlib.h>
#include <string.h>

static void put_chain(const struct stage_body *body, FILE *file, const float *xyz, uint32_t *next)
{
    fprintf(file, "o %s\n", body->name);
    for (size_t v = 0; v < body->asset->stats.vertices; ++v)
        fprintf(file, "v %.9g %.9g %.9g\n", (double)xyz[3 * v], (double)xyz[3 * v + 1],
                (double)xyz[3 * v + 2]);
    obj_put_lines(body->asset->mesh, file, *next);
    *next += body->asset->stats.vertices;
}

static bool put_body(const struct stage_body *body, FILE *file, const float *xyz, uint32_t *next)
{
    uint32_t count = 0;
    const uint32_t *triangles = piola_asset_surface(body->asset->asset, &count);
    const uint32_t vertices = body->asset->stats.vertices;
    uint32_t *numbers = obj_number_vertices(triangles, count, vertices, next);
    if (!numbers)
        return false;
    fprintf(file, "o %s\n", body->name);
    for (size_t v = 0; v < vertices; ++v)
        if (numbers[v])
            fprintf(file, "v %.9g %.9g %.9g\n", (double)xyz[3 * v], (double)xyz[3 * v + 1],
                    (double)xyz[3 * v + 2]);
    obj_put_faces(file, triangles, count, numbers);
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
