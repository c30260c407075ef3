/* meshes.h - meshes read from a file and written again.
 *
 * Lives here: what a mesh is of, and the table of file formats: adding one is one file and one row.
 * What must not live here: scenes, bodies and time.
 */
#ifndef APP_MESHES_H
#define APP_MESHES_H

#include "io/base/problem.h"
#include "io/mesh/meshgen.h"

/* A struct meshgen is a mesh: its triangles are a surface when there are no tetrahedra. */

static inline bool mesh_is_solid(const struct meshgen *mesh)
{
    return mesh->tetrahedron_count > 0;
}

/* Of links, or of rods' segments. */
static inline bool mesh_is_chain(const struct meshgen *mesh)
{
    return mesh->link_count > 0;
}

/* Tetrahedra of a solid, links of a chain or segments of rods, triangles of cloth. */
static inline uint32_t mesh_elements(const struct meshgen *mesh)
{
    return mesh_is_solid(mesh)   ? mesh->tetrahedron_count
           : mesh_is_chain(mesh) ? mesh->link_count
                                 : mesh->triangle_count;
}

static inline unsigned mesh_corners(const struct meshgen *mesh)
{
    return mesh_is_solid(mesh) ? 4 : mesh_is_chain(mesh) ? 2 : 3;
}

/* Of the elements, one after the other. */
static inline const uint32_t *mesh_corner_list(const struct meshgen *mesh)
{
    return mesh_is_solid(mesh)   ? mesh->tetrahedra
           : mesh_is_chain(mesh) ? mesh->links
                                 : mesh->triangles;
}

/* Of the edge that bend `bend` folds. */
static inline void mesh_bend_middle(const struct meshgen *mesh, uint32_t bend, double middle[3])
{
    const uint32_t *v = mesh->bends + 4 * (size_t)bend;
    for (size_t k = 0; k < 3; ++k)
        middle[k] =
            (mesh->vertices[3 * (size_t)v[0] + k] + mesh->vertices[3 * (size_t)v[1] + k]) / 2;
}

/* ---- files ---- */

/* One row a format: without `parse` and `read` it is written only. */
struct mesh_format {
    const char *extension;
    const char *what;
    /* Of a format of one file: its bytes, behind which is a 0 that `bytes` does not count. `name`
     * stands for the file in messages. On failure the mesh is empty. Null: see `read`. */
    bool (*parse)(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
                  struct problem *problem);
    bool (*read)(
        struct meshgen *mesh, const char *path,
        struct problem *problem); /* of a path, where there may be several files; or null */
    bool (*write)(const struct meshgen *mesh, const char *path,
                  struct problem *problem); /* or null */
};

extern const struct mesh_format mesh_formats[];
extern const uint32_t mesh_format_count;

/* Larger files are refused. */
#define MESH_FILE_MAX ((size_t)4 << 30)

/* The row for a path's extension; null, with the known ones named. */
const struct mesh_format *mesh_format_of(const char *path, bool reading, struct problem *problem);
bool mesh_read(struct meshgen *mesh, const char *path, struct problem *problem);
/* The same of bytes in memory, by the extension of `name`; for formats of one file. */
bool mesh_parse(struct meshgen *mesh, const void *data, size_t bytes, const char *name,
                struct problem *problem);
bool mesh_write(const struct meshgen *mesh, const char *path, struct problem *problem);

/* Readers and writers of the table, each format's in its own file. */
#define MESH_READER(name)                                                                          \
    bool name(struct meshgen *mesh, const char *text, size_t bytes, const char *file,              \
              struct problem *problem)
#define MESH_WRITER(name)                                                                          \
    bool name(const struct meshgen *mesh, const char *path, struct problem *problem)
MESH_READER(obj_parse);
MESH_READER(stl_parse);
MESH_READER(ply_parse);
MESH_READER(off_parse);
MESH_READER(medit_parse);
MESH_READER(gmsh_parse);
MESH_READER(vtk_parse);
MESH_READER(vtk_xml_parse);
MESH_READER(abaqus_parse);
MESH_READER(gltf_parse);
MESH_READER(mjcf_parse);
bool gltf_read(struct meshgen *mesh, const char *path, struct problem *problem);
MESH_WRITER(obj_write);
MESH_WRITER(vtu_write);
MESH_WRITER(stl_write);
MESH_WRITER(ply_write);
MESH_WRITER(off_write);
MESH_WRITER(medit_write);
MESH_WRITER(gmsh_write);

#endif
