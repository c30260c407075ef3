#include "render_links.h"

#include "camera.h"

#include <math.h>
#include <string.h>

bool render_links_prepare(struct render_links *links, const struct meshgen *mesh,
                          const struct meshgen *bead, struct pool *pool, struct problem *problem)
{
    uint32_t each = bead->vertex_count;
    uint64_t vertices = (uint64_t)mesh->link_count * each;
    uint64_t triangles = (uint64_t)mesh->link_count * bead->triangle_count;
    if (3 * triangles > UINT32_MAX) {
        return problem_memory(problem, "a chain to draw", 0);
    }
    uint32_t *corners = pool_take(pool, 3 * triangles, sizeof *corners, "a chain", problem);
    links->mesh = mesh;
    links->bead = bead;
    links->xyz = pool_take(pool, vertices, 3 * sizeof(float), "a chain", problem);
    links->values = pool_take(pool, vertices, sizeof(float), "a chain", problem);
    links->surface = (struct surface_corners){
        .triangles = corners,
        .normal_of = corners,
        .normals = pool_take(pool, vertices, 3 * sizeof(float), "a chain", problem),
        .vertex_count = (uint32_t)vertices,
        .triangle_count = (uint32_t)triangles,
        .normal_count = (uint32_t)vertices,
        .given = true};
    if (!corners || !links->xyz || !links->values || !links->surface.normals) {
        return false;
    }
    for (uint32_t l = 0; l < mesh->link_count; l++) {
        for (size_t c = 0; c < 3 * (size_t)bead->triangle_count; c++) {
            corners[3 * (size_t)l * bead->triangle_count + c] = bead->triangles[c] + l * each;
        }
    }
    return true;
}

/* Two unit vectors square to `along` and to each other. */
static void frame_of(const float along[3], float side[3], float up[3])
{
    const float axis[3] = {fabsf(along[0]) < 0.6f ? 1.0f : 0.0f,
                           fabsf(along[0]) < 0.6f ? 0.0f : 1.0f, 0.0f};
    vec_cross(along, axis, side);
    vec_unit(side);
    vec_cross(along, side, up);
}

/* The bead's half on the side of each end is moved there. */
static void place_one(struct render_links *links, uint32_t link, const float *vertices,
                      const float *values)
{
    const struct meshgen *bead = links->bead;
    const uint32_t *ends = links->mesh->links + 2 * (size_t)link;
    const float *a = vertices + 3 * (size_t)ends[0];
    const float *b = vertices + 3 * (size_t)ends[1];
    float along[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    float side[3];
    float up[3];
    float radius = (float)links->mesh->radius;
    vec_unit(along);
    frame_of(along, side, up);
    for (size_t v = 0; v < bead->vertex_count; v++) {
        size_t at = (size_t)link * bead->vertex_count + v;
        const double *p = bead->vertices + 3 * v;
        size_t end = p[0] < 0.0 ? 0 : 1;
        for (size_t k = 0; k < 3; k++) {
            float n = (float)p[0] * along[k] + (float)p[1] * side[k] + (float)p[2] * up[k];
            links->surface.normals[3 * at + k] = n;
            links->xyz[3 * at + k] = (end == 0 ? a : b)[k] + radius * n;
        }
        links->values[at] = values != NULL ? values[ends[end]] : 0.0f;
    }
}

void render_links_place(struct render_links *links, const float *vertices, const float *values)
{
    for (uint32_t l = 0; l < links->mesh->link_count; l++) {
        place_one(links, l, vertices, values);
    }
}
