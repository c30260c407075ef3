/* patterns.c - the shape that each triangle of cloth is cut to, when that is not the drawn one. */
#include "io/base/memory.h"
#include "io/scene/key_rows.h"
#include "io/scene/mesh_makers.h"

#include <math.h>

static const struct key pattern_keys[] = {
    {KEY(
        mesh_pattern, texture, KEY_FLAG,
        "the texture coordinates of the mesh's .obj file, m; without it each triangle's own shape, "
        "u along x, or along y where the cloth is square to x")},
    {KEY(mesh_pattern, scale, KEY_DOUBLES, "factors on u and v"), ABOVE(0, FAR), .length = 2},
};

static void pattern_defaults(void *item)
{
    struct mesh_pattern *pattern = item;
    pattern->scale[0] = pattern->scale[1] = 1;
}

const struct table mesh_pattern_table = {
    TABLE("a pattern", mesh_pattern, pattern_keys,
          "The shape at rest that each triangle of cloth is cut to, wherever the mesh has it."),
    .defaults = pattern_defaults,
};

/* Unit normal of the triangle p, or null where it has no area. */
static bool normal_of(const double *const p[3], double normal[3])
{
    double length = 0;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        normal[k] =
            (p[1][i] - p[0][i]) * (p[2][j] - p[0][j]) - (p[1][j] - p[0][j]) * (p[2][i] - p[0][i]);
        length += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; ++k)
        normal[k] /= sqrt(length);
    return length > 0;
}

/* The triangle laid flat, its third corner at the origin: v = normal x u. */
static void flatten(const double *const p[3], double uv[6])
{
    double normal[3] = {0, 0, 1}, u[3], length = 0;
    if (!normal_of(p, normal))
        normal[0] = normal[1] = 0, normal[2] = 1;
    const int axis = fabs(normal[0]) < 0.98 ? 0 : 1;
    for (int k = 0; k < 3; ++k) {
        u[k] = (k == axis ? 1 : 0) - normal[axis] * normal[k];
        length += u[k] * u[k];
    }
    for (int k = 0; k < 3; ++k)
        u[k] /= sqrt(length);
    for (int c = 0; c < 3; ++c) {
        uv[2 * c] = uv[2 * c + 1] = 0;
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            const double d = p[c][k] - p[2][k];
            uv[2 * c] += d * u[k];
            uv[2 * c + 1] += d * (normal[i] * u[j] - normal[j] * u[i]);
        }
    }
}

/* False where a corner has no point of the texture. */
static bool look_up(const struct meshgen *mesh, uint32_t triangle, double uv[6])
{
    for (int c = 0; c < 3; ++c) {
        const uint32_t point =
            mesh->texture_of ? mesh->texture_of[3 * (size_t)triangle + (size_t)c] : UINT32_MAX;
        if (point >= mesh->texture_count)
            return false;
        uv[2 * c] = mesh->texture[2 * (size_t)point];
        uv[2 * c + 1] = mesh->texture[2 * (size_t)point + 1];
    }
    return true;
}

bool mesh_cut(struct meshgen *mesh, const struct scene_mesh *wanted, struct problem *problem)
{
    const struct mesh_pattern *pattern = wanted->pattern;
    if (mesh->triangle_count == 0 || mesh_is_solid(mesh))
        return problem_set(problem, EXIT_SCENE,
                           "the mesh \"%s\": a \"pattern\" is for cloth, and this has no triangles",
                           wanted->name);
    mesh->patterns = memory_zero(mesh->triangle_count, 6 * sizeof *mesh->patterns);
    if (!mesh->patterns)
        return problem_memory(problem, "a pattern", 48 * (size_t)mesh->triangle_count);
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        double *uv = mesh->patterns + 6 * (size_t)t;
        const uint32_t *v = mesh->triangles + 3 * (size_t)t;
        const double *const p[3] = {mesh->vertices + 3 * (size_t)v[0],
                                    mesh->vertices + 3 * (size_t)v[1],
                                    mesh->vertices + 3 * (size_t)v[2]};
        if (!pattern->texture)
            flatten(p, uv);
        else if (!look_up(mesh, t, uv))
            return problem_set(
                problem, EXIT_SCENE,
                "the mesh \"%s\": its pattern is the texture, and triangle %u has no "
                "texture coordinates: write them into an .obj file (\"vt\" and "
                "\"f 1/1 2/2 3/3\"), or leave out \"texture\"",
                wanted->name, t);
        for (int c = 0; c < 6; ++c)
            uv[c] *= pattern->scale[c % 2];
    }
    return true;
}
