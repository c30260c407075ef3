/* vtu.h - VTK's XML files: arrays of numbers in base64, as every reader of them takes. */
#ifndef APP_VTU_H
#define APP_VTU_H

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

#endif
