#include "render_rods.h"

#include "camera.h"

#include <math.h>
#include <string.h>

#define SIDES 14u
#define RING  (SIDES + 1u) /* its first vertex once more */
#define TUBE  (2u * SIDES) /* triangles of a segment */
#define CAP   (SIDES - 2u) /* of an end */
#define TURN  6.2831853f

/* Who goes on where a segment ends: the other one, where two meet. */
static bool find_beside(struct render_rods *rods, struct pool *pool, struct problem *problem)
{
    const struct meshgen *mesh = rods->mesh;
    const uint32_t halves = 2 * mesh->link_count;
    uint32_t *count = pool_take(pool, mesh->vertex_count, sizeof *count, "rods", problem);
    uint32_t *sum = pool_take(pool, mesh->vertex_count, sizeof *sum, "rods", problem);
    rods->beside = pool_take(pool, halves, sizeof *rods->beside, "rods", problem);
    rods->ends = pool_take(pool, halves, sizeof *rods->ends, "rods", problem);
    if (!count || !sum || !rods->beside || !rods->ends) {
        return false;
    }
    for (uint32_t i = 0; i < halves; i++) {
        count[mesh->links[i]]++;
        sum[mesh->links[i]] += i / 2;
    }
    for (uint32_t i = 0; i < halves; i++) {
        const uint32_t v = mesh->links[i];
        rods->beside[i] = count[v] == 2 ? sum[v] - i / 2 : i / 2;
        if (count[v] == 1) {
            rods->ends[rods->end_count++] = i;
        }
    }
    return true;
}

static void write_corners(const struct render_rods *rods, uint32_t *corner)
{
    for (uint32_t s = 0; s < rods->mesh->link_count; s++) {
        const uint32_t a = 2 * RING * s, b = a + RING;
        for (uint32_t k = 0; k < SIDES; k++) {
            const uint32_t six[6] = {a + k, a + k + 1, b + k, a + k + 1, b + k + 1, b + k};
            memcpy(corner, six, sizeof six);
            corner += 6;
        }
    }
    for (uint32_t e = 0; e < rods->end_count; e++) {
        const uint32_t first = 2 * RING * rods->mesh->link_count + RING * e;
        for (uint32_t k = 0; k < CAP; k++) {
            const bool begin = rods->ends[e] % 2 == 0;
            corner[0] = first;
            corner[1] = first + k + (begin ? 2 : 1);
            corner[2] = first + k + (begin ? 1 : 2);
            corner += 3;
        }
    }
}

bool render_rods_prepare(struct render_rods *rods, const struct stage *stage,
                         const struct stage_asset *asset, struct pool *pool,
                         struct problem *problem)
{
    const struct meshgen *mesh = asset->mesh;
    rods->mesh = mesh;
    if (!find_beside(rods, pool, problem)) {
        return false;
    }
    const uint64_t vertices = (uint64_t)RING * (2 * (uint64_t)mesh->link_count + rods->end_count);
    const uint64_t triangles = (uint64_t)TUBE * mesh->link_count + (uint64_t)CAP * rods->end_count;
    if (3 * triangles > UINT32_MAX) {
        return problem_memory(problem, "rods to draw", 0);
    }
    uint32_t *corners = pool_take(pool, 3 * triangles, sizeof *corners, "rods", problem);
    rods->xyz = pool_take(pool, vertices, 3 * sizeof(float), "rods", problem);
    rods->values = pool_take(pool, vertices, sizeof(float), "rods", problem);
    rods->colours = pool_take(pool, triangles, 3, "rods", problem);
    rods->turns = pool_take(pool, mesh->link_count, 4 * sizeof(float), "rods", problem);
    rods->radii = pool_take(pool, mesh->link_count, sizeof(float), "rods", problem);
    rods->surface = (struct surface_corners){
        .triangles = corners,
        .normal_of = corners,
        .normals = pool_take(pool, vertices, 3 * sizeof(float), "rods", problem),
        .vertex_count = (uint32_t)vertices,
        .triangle_count = (uint32_t)triangles,
        .normal_count = (uint32_t)vertices,
        .given = true};
    if (!corners || !rods->xyz || !rods->values || !rods->colours || !rods->turns || !rods->radii ||
        !rods->surface.normals) {
        return false;
    }
    write_corners(rods, corners);
    for (uint32_t s = 0; s < mesh->link_count; s++) {
        rods->radii[s] = stage_rod_radius(stage, asset, s);
    }
    return true;
}

/* Adds the direction of a segment and the first axis of its section. */
static void add_segment(const struct render_rods *rods, uint32_t segment, const float *vertices,
                        float along[3], float first[3])
{
    const uint32_t *v = rods->mesh->links + 2 * (size_t)segment;
    const float *q = rods->turns + 4 * (size_t)segment;
    const float *a = vertices + 3 * (size_t)v[0], *b = vertices + 3 * (size_t)v[1];
    float d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    vec_unit(d);
    const float axis[3] = {1 - 2 * (q[1] * q[1] + q[2] * q[2]), 2 * (q[0] * q[1] + q[2] * q[3]),
                           2 * (q[0] * q[2] - q[1] * q[3])};
    const float sign = vec_dot(d, along) < 0.0f ? -1.0f : 1.0f;
    for (int k = 0; k < 3; k++) {
        along[k] += sign * d[k];
        first[k] += axis[k];
    }
}

/* The ring at one end of a segment, half way to the segment that goes on there. */
static void place_ring(struct render_rods *rods, uint32_t half, const float *vertices,
                       const float *values)
{
    const uint32_t segment = half / 2, v = rods->mesh->links[half];
    const uint32_t other = rods->beside[half];
    float along[3] = {0}, first[3] = {0}, second[3];
    add_segment(rods, segment, vertices, along, first);
    if (other != segment) {
        add_segment(rods, other, vertices, along, first);
    }
    vec_unit(along);
    const float part = vec_dot(first, along);
    for (int k = 0; k < 3; k++) {
        first[k] -= part * along[k];
    }
    vec_unit(first);
    vec_cross(along, first, second);
    const float radius = 0.5f * (rods->radii[segment] + rods->radii[other]);
    for (uint32_t i = 0; i < RING; i++) {
        const size_t at = (size_t)RING * half + i;
        const float angle = TURN * ((float)i - 0.5f) / (float)SIDES;
        for (size_t k = 0; k < 3; k++) {
            const float n = cosf(angle) * first[k] + sinf(angle) * second[k];
            rods->surface.normals[3 * at + k] = n;
            rods->xyz[3 * at + k] = vertices[3 * (size_t)v + k] + radius * n;
        }
        rods->values[at] = values != NULL ? values[v] : 0.0f;
    }
}

/* The same ring, seen from outside along the rod. */
static void place_cap(struct render_rods *rods, uint32_t index)
{
    const uint32_t half = rods->ends[index];
    const size_t from = (size_t)RING * half;
    const size_t to = (size_t)RING * (2 * (size_t)rods->mesh->link_count + index);
    const float *n = rods->surface.normals + 3 * from;
    float out[3];
    vec_cross(n, n + 3, out);
    vec_unit(out);
    memcpy(rods->xyz + 3 * to, rods->xyz + 3 * from, RING * 3 * sizeof(float));
    memcpy(rods->values + to, rods->values + from, RING * sizeof(float));
    for (size_t i = 0; i < 3 * (size_t)RING; i++) {
        rods->surface.normals[3 * to + i] = half % 2 == 0 ? -out[i % 3] : out[i % 3];
    }
}

static void paint(struct render_rods *rods, const uint8_t colour[3])
{
    for (uint32_t t = 0; t < rods->surface.triangle_count; t++) {
        const bool stripe = t < TUBE * rods->mesh->link_count && t % TUBE < 2;
        for (size_t k = 0; k < 3; k++) {
            rods->colours[3 * (size_t)t + k] = stripe ? (uint8_t)(colour[k] * 2 / 5) : colour[k];
        }
    }
}

void render_rods_place(struct render_rods *rods, const float *vertices, const float *values,
                       const uint8_t colour[3])
{
    for (uint32_t i = 0; i < 2 * rods->mesh->link_count; i++) {
        place_ring(rods, i, vertices, values);
    }
    for (uint32_t e = 0; e < rods->end_count; e++) {
        place_cap(rods, e);
    }
    paint(rods, colour);
}
