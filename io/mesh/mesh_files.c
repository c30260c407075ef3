/* mesh_files.c - the file formats of meshes. */
#include "io/base/file.h"
#include "io/base/words.h"
#include "io/mesh/meshes.h"
#include "io/mesh/surfaces.h"
#include "io/mesh/tetgen.h"

#include <errno.h>
#include <string.h>

/* Either of the pair names both. */
static bool tetgen_paths(const char *path, char *node, char *ele, size_t bytes,
                         struct problem *problem)
{
    const int stem = (int)(strlen(path) - strlen(path_extension(path)));
    const int n = snprintf(node, bytes, "%.*snode", stem, path);
    if (n < 0 || (size_t)n >= bytes)
        return problem_at(problem, EXIT_RUNTIME, path, 0, "the path is too long");
    snprintf(ele, bytes, "%.*sele", stem, path);
    return true;
}

static bool read_tetgen(struct meshgen *mesh, const char *path, struct problem *problem)
{
    char node[4096], ele[4096];
    if (!tetgen_paths(path, node, ele, sizeof node, problem))
        return false;
    return tetgen_read(node, ele, mesh, problem);
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
    {"node", "TetGen vertices, with an .ele file beside it", NULL, read_tetgen, write_tetgen},
    {"ele", "TetGen tetrahedra, with a .node file beside it", NULL, read_tetgen, write_tetgen},
    {"obj", "Wavefront surface", obj_parse, NULL, obj_write},
    {"stl", "STL surface, text or binary", stl_parse, NULL, stl_write},
    {"ply", "Stanford PLY surface, text or binary", ply_parse, NULL, ply_write},
    {"off", "Object File Format surface", off_parse, NULL, off_write},
    {"mesh", "MEDIT mesh, text", medit_parse, NULL, medit_write},
    {"msh", "Gmsh mesh, text, versions 2 and 4.1", gmsh_parse, NULL, gmsh_write},
    {"vtk", "VTK legacy mesh, text or binary", vtk_parse, NULL, NULL},
    {"vtu", "VTK unstructured grid, XML", vtk_xml_parse, NULL, vtu_write},
    {"vtp", "VTK surface, XML", vtk_xml_parse, NULL, NULL},
    {"inp", "Abaqus or CalculiX mesh", abaqus_parse, NULL, NULL},
    {"gltf", "glTF 2.0 surface", gltf_parse, gltf_read, NULL},
    {"glb", "glTF 2.0 surface, one file", gltf_parse, gltf_read, NULL},
    {"xml", "MuJoCo flexible body", mjcf_parse, NULL, NULL},
};
const uint32_t mesh_format_count = sizeof mesh_formats / sizeof mesh_formats[0];

/* Of any case: programs write .STL too. */
static bool same_letters(const char *lower, const char *any)
{
    while (*lower && (*any | 0x20) == *lower)
        ++lower, ++any;
    return *lower == 0 && *any == 0;
}

const struct mesh_format *mesh_format_of(const char *path, bool reading, struct problem *problem)
{
    const char *names[32];
    uint32_t count = 0;
    const char *extension = path_extension(path);
    for (uint32_t i = 0; i < mesh_format_count; ++i) {
        const struct mesh_format *format = &mesh_formats[i];
        if (reading ? !format->parse && !format->read : !format->write)
            continue;
        if (same_letters(format->extension, extension))
            return format;
        names[count++] = format->extension;
    }
    char known[200];
    problem->format = problem->text[0] == 0;
    problem_set(problem, reading ? EXIT_SCENE : EXIT_USAGE,
                "%s: the format \"%s\" is not one that can be %s; it can be %s", path, extension,
                reading ? "read" : "written", words_join(known, sizeof known, names, count, "\""));
    return NULL;
}

bool mesh_parse(struct meshgen *mesh, const void *data, size_t bytes, const char *name,
                struct problem *problem)
{
    struct pool pool = {0};
    memset(mesh, 0, sizeof *mesh);
    const struct mesh_format *format = mesh_format_of(name, true, problem);
    if (format && !format->parse) {
        problem->format = true;
        return problem_set(problem, EXIT_USAGE, "%s: this format is of two files: read it by path",
                           name);
    }
    char *text = format ? pool_take(&pool, bytes + 1, 1, name, problem) : NULL;
    if (text && bytes > 0)
        memcpy(text, data, bytes);
    const bool good = text && format->parse(mesh, text, bytes, name, problem);
    pool_free(&pool);
    return good;
}

bool mesh_read(struct meshgen *mesh, const char *path, struct problem *problem)
{
    struct pool pool = {0};
    size_t bytes = 0;
    memset(mesh, 0, sizeof *mesh);
    const struct mesh_format *format = mesh_format_of(path, true, problem);
    if (!format || !file_can_open(path, EXIT_RUNTIME, problem))
        return false;
    if (format->read)
        return format->read(mesh, path, problem);
    const char *text = file_read(path, MESH_FILE_MAX, &pool, &bytes, problem);
    const bool good = text && format->parse(mesh, text, bytes, path, problem);
    pool_free(&pool);
    return good;
}

bool mesh_write(const struct meshgen *mesh, const char *path, struct problem *problem)
{
    const struct mesh_format *format = mesh_format_of(path, false, problem);
    return format && format->write(mesh, path, problem);
}
