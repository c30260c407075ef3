/* mesh_load.c - what a scene asks for: made or read, scaled and moved. */
#include "io/base/file.h"
#include "io/mesh/fill.h"
#include "io/mesh/surfaces.h"
#include "io/scene/mesh_makers.h"

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
    if (mesh_is_solid(mesh) || mesh_is_chain(mesh))
        return problem_set(problem, EXIT_SCENE,
                           "the mesh \"%s\": \"fill\" is for surfaces, and this has %s already",
                           wanted->name, mesh_is_solid(mesh) ? "tetrahedra" : "links");
    if (!fill_surface(mesh, wanted->fill->tetrahedra, &solid, NULL, problem))
        return false;
    meshgen_free(mesh);
    *mesh = solid;
    return true;
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
    if (!surface_bend(mesh))
        return problem_memory(problem, wanted->name, 0);
    return !wanted->pattern || mesh_cut(mesh, wanted, problem);
}
