/* obj_write.h - lines of Wavefront .obj files. */
#ifndef PIOLA_IO_OBJ_WRITE_H
#define PIOLA_IO_OBJ_WRITE_H

#include "io/mesh/meshes.h"

#include <stdio.h>

/* Numbers the vertices that the triangles use, from `next`; 0 for the others. Null: no memory. */
uint32_t *obj_number_vertices(const uint32_t *triangles, uint32_t count, uint32_t vertices,
                              uint32_t *next);
void obj_put_faces(FILE *file, const uint32_t *triangles, uint32_t count, const uint32_t *numbers);
/* A chain's links are lines; `first` is the number of its first vertex. */
void obj_put_lines(const struct meshgen *mesh, FILE *file, uint32_t first);

#endif
