/* mesh_makers.h - the meshes that a scene asks for: made by rule or read, scaled, moved and cut.
 *
 * Lives here: the table of generators that a scene can name: adding one is one row.
 */
#ifndef PIOLA_IO_MESH_MAKERS_H
#define PIOLA_IO_MESH_MAKERS_H

#include "io/mesh/meshes.h"
#include "io/scene/scene.h"

struct mesh_maker {
    const char *name; /* also the key in scene_mesh_table */
    size_t offset;    /* of its pointer in struct scene_mesh */
    const struct table *table;
    bool (*make)(struct meshgen *mesh, const void *settings);
};

extern const struct mesh_maker mesh_makers[];
extern const uint32_t mesh_maker_count;

/* patterns.c: the shape that each triangle is cut to; the mesh is scaled and moved already. */
extern const struct table mesh_pattern_table;
bool mesh_cut(struct meshgen *mesh, const struct scene_mesh *wanted, struct problem *problem);

/* What a scene asks for: made or read (beside `scene_path`), scaled and moved. */
bool mesh_load(struct meshgen *mesh, const struct scene_mesh *wanted, const char *scene_path,
               struct problem *problem);

#endif
