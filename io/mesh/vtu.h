/* vtu.h - VTK's XML files: arrays of numbers in base64, as every reader of them takes. */
#ifndef APP_VTU_H
#define APP_VTU_H

#include "io/mesh/meshes.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* An array being written: base64 of its length in bytes (8 of them) and its bytes, one stream. */
struct vtu_array {
    FILE *file;
    unsigned char left[3]; /* not yet written: fewer than 3 */
    unsigned held;
};

/* `type` is VTK's: "Float32", "Int64" ... */
void vtu_array_begin(struct vtu_array *array, FILE *file, const char *type, const char *name,
                     unsigned components, uint64_t bytes);
void vtu_array_put(struct vtu_array *array, const void *data, size_t bytes);
void vtu_array_end(struct vtu_array *array);

void vtu_begin(FILE *file, uint64_t points, uint64_t cells);
/* Everything after the last array. */
void vtu_end(FILE *file);

/* Kinds of cells. */
#define VTK_LINE     3
#define VTK_TRIANGLE 5
#define VTK_TETRA    10

/* Cells of one or two kinds, as runs: so many of so many corners each. */
struct vtu_run {
    uint64_t cells;
    unsigned corners;
    unsigned char type;
};

struct vtu_run vtu_run_of(const struct meshgen *mesh);
/* The cells of one mesh whose vertices begin at `first`. */
void vtu_put_corners(struct vtu_array *array, const uint32_t *corners, size_t count,
                     uint64_t first);
void vtu_put_offsets_and_types(FILE *file, const struct vtu_run *runs, uint32_t count);

#endif
