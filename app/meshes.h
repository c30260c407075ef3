/* meshes.h - meshes of the command: made by rule or read from a file, and written again.
 *
 * Lives here: the struct, the table of generators and the table of file formats: adding one of
 * either is one file and one row. What must not live here: bodies and time.
 */
#ifndef APP_MESHES_H
#define APP_MESHES_H

#include "meshgen.h"
#include "scene.h"

/* A struct meshgen is a mesh: its triangles are a surface when there are no tetrahedra. */

static inline bool mesh_is_solid(const struct meshgen *mesh)
{
    return mesh->tetrahedron_count > 0;
}

static inline bool mesh_is_chain(const struct meshgen *mesh)
{
    return mesh->link_count > 0;
}

/* Tetrahedra of a solid, links of a chain, triangles of cloth. */
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

/* ---- generators ---- */

struct mesh_maker {
    const char *name; /* also the key in scene_mesh_table */
    size_t offset;    /* of its pointer in struct scene_mesh */
    const struct table *table;
    bool (*make)(struct meshgen *mesh, const void *settings);
};

extern const struct mesh_maker mesh_makers[];
extern const uint32_t mesh_maker_count;

/* Shapes that a function describes, filled with a body-centred lattice. */
bool implicit_capsule(struct meshgen *mesh, const void *settings);
bool implicit_organ(struct meshgen *mesh, const void *settings);

/* ---- files ---- */

struct mesh_format {
    const char *extension;
    const char *what;
    bool (*read)(struct meshgen *mesh, const char *path, struct problem *problem); /* or null */
    bool (*write)(const struct meshgen *mesh, const char *path,
                  struct problem *problem); /* or null */
};

extern const struct mesh_format mesh_formats[];
extern const uint32_t mesh_format_count;

/* Larger files are refused. */
#define MESH_FILE_MAX ((size_t)4 << 30)

bool mesh_read(struct meshgen *mesh, const char *path, struct problem *problem);
bool mesh_write(const struct meshgen *mesh, const char *path, struct problem *problem);

bool obj_write(const struct meshgen *mesh, const char *path, struct problem *problem);
bool vtu_write(const struct meshgen *mesh, const char *path, struct problem *problem);
bool obj_read(struct meshgen *mesh, const char *path, struct problem *problem);
/* The same from memory, which the fuzzer calls. */
bool obj_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
               struct problem *problem);

/* patterns.c: the shape that each triangle is cut to; the mesh is scaled and moved already. */
extern const struct table mesh_pattern_table;
bool mesh_cut(struct meshgen *mesh, const struct scene_mesh *wanted, struct problem *problem);

/* What a scene asks for: made or read (beside `scene_path`), scaled and moved. */
bool mesh_load(struct meshgen *mesh, const struct scene_mesh *wanted, const char *scene_path,
               struct problem *problem);

#endif
