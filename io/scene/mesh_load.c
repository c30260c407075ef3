/* mesh_load.c - what a scene asks for: made or read, scaled and moved. */
#include "io/base/file.h"
#include "io/base/memory.h"
#include "io/mesh/fill.h"
#include "io/mesh/shape.h"
#include "io/mesh/surfaces.h"
#include "io/scene/mesh_makers.h"

#include <math.h>
#include <string.h>

static bool mesh_make(struct meshgen *mesh, const struct scene_mesh *wanted,
                      struct problem *problem)
{
    for (uint32_t i = 0; i < mesh_maker_count; ++i) {
        const void *settings;
        memcpy(&settings, (const char *)wanted + mesh_makers[i].offset, sizeof settings);
        if (!settings)
            continue;
        if (mesh_makers[i].make(mesh, settings))
            return true;
        problem->memory = problem->text[0] == 0;
        return problem_set(problem, EXIT_SCENE,
                           "the mesh \"%s\": a %s of this size would be too large for the "
                           "engine or for this machine's memory",
                           wanted->name, mesh_makers[i].name);
    }
    return problem_set(problem, EXIT_SCENE, "the mesh \"%s\" is empty", wanted->name);
}

static bool make_solid(struct meshgen *mesh, const struct scene_mesh *wanted,
                       struct problem *problem)
{
    struct meshgen solid;
    bool skin = false;
    if (mesh_is_solid(mesh) || mesh_is_chain(mesh))
        return problem_set(problem, EXIT_SCENE,
                           "the mesh \"%s\": \"fill\" is for surfaces, and this has %s already",
                           wanted->name, mesh_is_solid(mesh) ? "tetrahedra" : "links");
    if (!fill_surface(mesh, wanted->fill->tetrahedra, &solid, &skin, problem))
        return false;
    meshgen_free(mesh);
    *mesh = solid;
    mesh->skin = skin ? 1 : 0; /* its thickness is known when it has its size */
    return true;
}

static double area_of(const struct meshgen *mesh, const uint32_t *triangle)
{
    const double *a = mesh->vertices + 3 * (size_t)triangle[0];
    const double *b = mesh->vertices + 3 * (size_t)triangle[1];
    const double *c = mesh->vertices + 3 * (size_t)triangle[2];
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double n = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
        square += n * n;
    }
    return sqrt(square) / 2;
}

/* m: of a skin, whose surface has two sides. */
static double thickness(const struct meshgen *mesh)
{
    uint32_t count = 0;
    uint32_t *surface = shape_surface(mesh, &count);
    double area = 0, volume = 0;
    for (uint32_t t = 0; surface && t < count; ++t)
        area += area_of(mesh, surface + 3 * (size_t)t);
    for (uint32_t e = 0; e < mesh->tetrahedron_count; ++e)
        volume += fabs(shape_volume(mesh, e));
    memory_give(surface);
    return area > 0 ? 2 * volume / area : 0;
}

bool mesh_load(struct meshgen *mesh, const struct scene_mesh *wanted, const char *scene_path,
               struct problem *problem)
{
    char path[4096];
    memset(mesh, 0, sizeof *mesh);
    if (wanted->file) {
        if (!path_beside(scene_path, wanted->file, path, sizeof path))
            return problem_set(problem, EXIT_SCENE, "%.200s: the path is too long", wanted->file);
        if (!mesh_format_of(path, true, problem) || !file_can_open(path, EXIT_SCENE, problem) ||
            !mesh_read(mesh, path, problem))
            return false;
    } else if (!mesh_make(mesh, wanted, problem)) {
        return false;
    }
    if (wanted->fill && !make_solid(mesh, wanted, problem))
        return false;
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; ++i)
        mesh->vertices[i] = mesh->vertices[i] * wanted->scale[i % 3] + wanted->offset[i % 3];
    if (mesh->skin > 0)
        mesh->skin = thickness(mesh);
    if (!surface_bend(mesh))
        return problem_memory(problem, wanted->name, 0);
    return !wanted->pattern || mesh_cut(mesh, wanted, problem);
}
