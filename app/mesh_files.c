/* mesh_files.c - the file formats of meshes, and what a scene asks for: made or read, scaled. */
#include "file.h"
#include "meshes.h"
#include "surfaces.h"
#include "tetgen.h"
#include "words.h"

#include <errno.h>
#include <string.h>

/* Either of the pair names both. */
static bool tetgen_paths(const char *path, char *node, char *ele, size_t bytes,
                         struct problem *problem)
{
    const int stem = (int)(strlen(path) - strlen(path_extension(path)));
    const int n = snprintf(node, bytes, "%.*snode", stem, path);
    if (n < 0 || (size_t)n >= bytes)
        return problem_set(problem, EXIT_RUNTIME, "%s: the path is too long", path);
    snprintf(ele, bytes, "%.*sele", stem, path);
    return true;
}

static bool read_tetgen(struct meshgen *mesh, const char *path, struct problem *problem)
{
    char node[4096], ele[4096], message[TETGEN_MESSAGE];
    if (!tetgen_paths(path, node, ele, sizeof node, problem))
        return false;
    return tetgen_read(node, ele, mesh, message) || problem_set(problem, EXIT_SCENE, "%s", message);
}

static bool write_nodes(const struct meshgen *mesh, const char *path, struct problem *problem)
{
    struct draft draft;
    if (!draft_open(&draft, path, problem))
        return false;
    fprintf(draft.file, "%u 3 0 0\n", mesh->vertex_count);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const double *v = mesh->vertices + 3 * (size_t)i;
        fprintf(draft.file, "%u %.17g %.17g %.17g\n", i, v[0], v[1], v[2]);
    }
    return draft_commit(&draft, problem);
}

static bool write_tetgen(const struct meshgen *mesh, const char *path, struct problem *problem)
{
    char node[4096], ele[4096];
    struct draft draft;
    if (mesh->tetrahedron_count == 0)
        return problem_set(problem, EXIT_USAGE,
                           "%s: the mesh is a surface, and this format is for tetrahedra", path);
    if (!tetgen_paths(path, node, ele, sizeof node, problem) || !write_nodes(mesh, node, problem) ||
        !draft_open(&draft, ele, problem))
        return false;
    fprintf(draft.file, "%u 4 %d\n", mesh->tetrahedron_count, mesh->regions ? 1 : 0);
    for (uint32_t i = 0; i < mesh->tetrahedron_count; ++i) {
        const uint32_t *v = mesh->tetrahedra + 4 * (size_t)i;
        fprintf(draft.file, "%u %u %u %u %u", i, v[0], v[1], v[2], v[3]);
        if (mesh->regions)
            fprintf(draft.file, " %u", mesh->regions[i]);
        fputc('\n', draft.file);
    }
    return draft_commit(&draft, problem);
}

const struct mesh_format mesh_formats[] = {
    {"node", "TetGen vertices, with an .ele file beside it", read_tetgen, write_tetgen},
    {"ele", "TetGen tetrahedra, with a .node file beside it", read_tetgen, write_tetgen},
    {"obj", "Wavefront surface", obj_read, obj_write},
    {"vtu", "VTK unstructured grid", NULL, vtu_write},
};
const uint32_t mesh_format_count = sizeof mesh_formats / sizeof mesh_formats[0];

static const struct mesh_format *format_of(const char *path, bool reading, struct problem *problem)
{
    const char *names[8];
    uint32_t count = 0;
    const char *extension = path_extension(path);
    for (uint32_t i = 0; i < mesh_format_count; ++i) {
        const struct mesh_format *format = &mesh_formats[i];
        if (reading ? !format->read : !format->write)
            continue;
        if (strcmp(format->extension, extension) == 0)
            return format;
        names[count++] = format->extension;
    }
    char known[100];
    problem_set(problem, reading ? EXIT_SCENE : EXIT_USAGE,
                "%s: the format \"%s\" is not one that can be %s; it can be %s", path, extension,
                reading ? "read" : "written", words_join(known, sizeof known, names, count, "\""));
    return NULL;
}

/* That a scene names a file that is not there is the scene's fault. */
static bool can_open(const char *path, enum exit_code exit, struct problem *problem)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return problem_set(problem, exit, "%s: cannot be opened: %s", path, strerror(errno));
    fclose(file);
    return true;
}

bool mesh_read(struct meshgen *mesh, const char *path, struct problem *problem)
{
    memset(mesh, 0, sizeof *mesh);
    const struct mesh_format *format = format_of(path, true, problem);
    return format && can_open(path, EXIT_RUNTIME, problem) && format->read(mesh, path, problem);
}

bool mesh_write(const struct meshgen *mesh, const char *path, struct problem *problem)
{
    const struct mesh_format *format = format_of(path, false, problem);
    return format && format->write(mesh, path, problem);
}

static bool mesh_make(struct meshgen *mesh, const struct scene_mesh *wanted,
                      struct problem *problem)
{
    for (uint32_t i = 0; i < mesh_maker_count; ++i) {
        const void *settings;
        memcpy(&settings, (const char *)wanted + mesh_makers[i].offset, sizeof settings);
        if (settings)
            return mesh_makers[i].make(mesh, settings) ||
                   problem_set(problem, EXIT_SCENE,
                               "the mesh \"%s\": a %s of this size would be too large for the "
                               "engine or for this machine's memory",
                               wanted->name, mesh_makers[i].name);
    }
    return problem_set(problem, EXIT_SCENE, "the mesh \"%s\" is empty", wanted->name);
}

bool mesh_load(struct meshgen *mesh, const struct scene_mesh *wanted, const char *scene_path,
               struct problem *problem)
{
    char path[4096];
    memset(mesh, 0, sizeof *mesh);
    if (wanted->file) {
        if (!path_beside(scene_path, wanted->file, path, sizeof path))
            return problem_set(problem, EXIT_SCENE, "%.200s: the path is too long", wanted->file);
        if (!format_of(path, true, problem) || !can_open(path, EXIT_SCENE, problem) ||
            !mesh_read(mesh, path, problem))
            return false;
    } else if (!mesh_make(mesh, wanted, problem)) {
        return false;
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; ++i)
        mesh->vertices[i] = mesh->vertices[i] * wanted->scale[i % 3] + wanted->offset[i % 3];
    if (!surface_bend(mesh))
        return problem_set(problem, EXIT_RUNTIME, "no memory for the mesh \"%s\"", wanted->name);
    return !wanted->pattern || mesh_cut(mesh, wanted, problem);
}
