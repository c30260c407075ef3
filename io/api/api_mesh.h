/* api_mesh.h - a mesh of the public interface, and how one is taken. */
#ifndef PIOLA_IO_API_MESH_H
#define PIOLA_IO_API_MESH_H

#include "io/api/api.h"
#include "io/mesh/meshgen.h"

struct piola_io_mesh {
    piola_io_allocator allocator;
    struct meshgen mesh;
};

/* Where a mesh comes from: false, with the problem set, when it cannot be had. */
typedef bool api_source(struct meshgen *mesh, const void *wanted, struct problem *problem);

/* Checks what all calls check, then takes the mesh from its source, scales, moves and bends it.
 * `path` is for messages, or null. */
piola_io_status api_mesh_take(api_source *source, const void *wanted, const char *path,
                              const piola_io_mesh_options *options, piola_io_mesh **mesh,
                              piola_io_error *error);

#endif
