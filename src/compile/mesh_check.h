/* mesh_check.h - everything that is refused in a mesh description, before anything is built. */
#ifndef PIOLA_MESH_CHECK_H
#define PIOLA_MESH_CHECK_H

#include "base/arena.h"
#include "compile/mesh.h"

#define MESH_VERTICES_MAX    (1u << 26)
#define MESH_ELEMENTS_MAX    (1u << 26) /* of each kind */
#define MESH_MATERIALS_MAX   (1u << 16)
#define MESH_CLUSTER_MIN     64u  /* elements */
#define MESH_COORDINATE_MAX  1e12 /* m */
#define MESH_BEND_WEIGHT_MAX 1e30 /* N/m */

/* Counts, pointers and settings: all that can be told without reading the arrays. */
piola_status mesh_check_counts(const piola_mesh_desc *mesh, piola_error *error);

/* Scratch of mesh_check_content. */
struct mesh_check_work {
    unsigned char *touched; /* 1 per vertex: belongs to a tetrahedron or triangle */
    unsigned char *used;    /* 1 per material: bit 1 << kind for each kind that uses it */
    uint32_t *keys;         /* 4 per element of the most numerous kind: its vertices in order */
    uint32_t *items, *items_work;
};
void mesh_check_take(const piola_mesh_desc *mesh, struct arena *arena,
                     struct mesh_check_work *work);

/* The arrays: after PIOLA_OK every later phase may trust them. */
piola_status mesh_check_content(const piola_mesh_desc *mesh, const struct mesh_check_work *work,
                                piola_error *error);

#endif
