/* corners.c - see corners.h. */
#include "io/mesh/corners.h"

#include "io/base/memory.h"
#include "io/base/vec.h"

#include <math.h>
#include <string.h>

/* Above this many triangles at one vertex the quadratic search is not worth it: all are smooth. */
#define CORNERS_MAX 64u

static void face_normal(const float *xyz, const uint32_t *triangle, float normal[3])
{
    const float *a = xyz + 3 * (size_t)triangle[0];
    const float *b = xyz + 3 * (size_t)triangle[1];
    const float *c = xyz + 3 * (size_t)triangle[2];
    const float ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const float ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    vec_cross(ab, ac, normal);
}

static bool share_edge(const uint32_t *a, const uint32_t *b, uint32_t at)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (a[i] == b[j] && a[i] != at) {
                return true;
            }
        }
    }
    return false;
}

/* The corners of each vertex, one list after the other: first[v] to first[v + 1]. */
static void list_corners(const struct surface_corners *surface, uint32_t *first, uint32_t *corners)
{
    uint32_t count = 3 * surface->triangle_count;
    for (uint32_t c = 0; c < count; c++) {
        first[surface->triangles[c] + 1]++;
    }
    for (uint32_t v = 0; v < surface->vertex_count; v++) {
        first[v + 1] += first[v];
    }
    for (uint32_t c = count; c-- > 0;) {
        uint32_t v = surface->triangles[c];
        corners[--first[v + 1]] = c;
    }
    /* first[v + 1] is now the beginning of v's list: shift back. */
    memmove(first, first + 1, surface->vertex_count * sizeof *first);
    first[surface->vertex_count] = count;
}

/* Gives the corners of one vertex their normals: corners whose triangles meet in a blunt edge share
 * one. */
static void group_corners(struct surface_corners *surface, const float *faces, uint32_t vertex,
                          const uint32_t *corners, uint32_t count, float least_cosine)
{
    uint32_t root[CORNERS_MAX];
    if (count > CORNERS_MAX) {
        for (uint32_t i = 0; i < count; i++) {
            surface->normal_of[corners[i]] = surface->normal_count;
        }
        surface->normal_count++;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        root[i] = i;
    }
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            uint32_t a = corners[i] / 3;
            uint32_t b = corners[j] / 3;
            bool smooth = vec_dot(faces + 3 * (size_t)a, faces + 3 * (size_t)b) >= least_cosine;
            if (root[i] == root[j] || !smooth ||
                !share_edge(surface->triangles + 3 * (size_t)a, surface->triangles + 3 * (size_t)b,
                            vertex)) {
                continue;
            }
            uint32_t keep = root[j];
            uint32_t lose = root[i];
            for (uint32_t k = 0; k <= i; k++) {
                root[k] = root[k] == lose ? keep : root[k];
            }
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (root[i] == i) {
            for (uint32_t k = 0; k < count; k++) {
                if (root[k] == i) {
                    surface->normal_of[corners[k]] = surface->normal_count;
                }
            }
            surface->normal_count++;
        }
    }
}

static bool indices_good(const struct surface_corners *surface, struct problem *problem)
{
    for (uint32_t c = 0; c < 3 * surface->triangle_count; c++) {
        if (surface->triangles[c] >= surface->vertex_count) {
            return problem_set(problem, EXIT_RUNTIME,
                               "triangle %u of a surface to draw names vertex %u of %u", c / 3,
                               surface->triangles[c], surface->vertex_count);
        }
    }
    return true;
}

bool surface_corners_find(struct surface_corners *surface, const float *rest, uint32_t vertex_count,
                          const uint32_t *triangles, uint32_t triangle_count, float crease,
                          struct pool *pool, struct problem *problem)
{
    *surface = (struct surface_corners){
        .triangles = triangles, .vertex_count = vertex_count, .triangle_count = triangle_count};
    if (triangle_count > UINT32_MAX / 3 || vertex_count == UINT32_MAX) {
        return problem_set(problem, EXIT_RUNTIME, "a surface of %u triangles is too large to draw",
                           triangle_count);
    }
    if (!indices_good(surface, problem)) {
        return false;
    }
    size_t corners_count = 3 * (size_t)triangle_count;
    surface->normal_of = pool_take(pool, corners_count, sizeof(uint32_t), "normals", problem);
    float *faces = memory_zero(corners_count + 1, sizeof *faces);
    uint32_t *first = memory_zero((size_t)vertex_count + 1, sizeof *first);
    uint32_t *corners = memory_zero(corners_count + 1, sizeof *corners);
    bool good = surface->normal_of != NULL && faces != NULL && first != NULL && corners != NULL;
    if (good) {
        list_corners(surface, first, corners);
        for (uint32_t t = 0; t < triangle_count; t++) {
            face_normal(rest, triangles + 3 * (size_t)t, faces + 3 * (size_t)t);
            vec_unit(faces + 3 * (size_t)t);
        }
        for (uint32_t v = 0; v < vertex_count; v++) {
            if (first[v + 1] > first[v]) {
                group_corners(surface, faces, v, corners + first[v], first[v + 1] - first[v],
                              cosf(crease));
            }
        }
        surface->normals =
            pool_take(pool, 3 * (size_t)surface->normal_count, sizeof(float), "normals", problem);
        good = surface->normals != NULL;
    } else {
        problem_memory(problem, "a surface to draw", corners_count * 12);
    }
    memory_give(corners);
    memory_give(first);
    memory_give(faces);
    return good;
}

void surface_corners_normals(struct surface_corners *surface, const float *xyz)
{
    memset(surface->normals, 0, 3 * (size_t)surface->normal_count * sizeof(float));
    for (uint32_t t = 0; t < surface->triangle_count; t++) {
        float face[3];
        face_normal(xyz, surface->triangles + 3 * (size_t)t, face);
        for (int corner = 0; corner < 3; corner++) {
            float *sum =
                surface->normals + 3 * (size_t)surface->normal_of[3 * (size_t)t + (size_t)corner];
            for (int i = 0; i < 3; i++) {
                sum[i] += face[i];
            }
        }
    }
    for (uint32_t n = 0; n < surface->normal_count; n++) {
        vec_unit(surface->normals + 3 * (size_t)n);
    }
}
