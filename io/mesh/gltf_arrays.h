/* gltf_arrays.h - a glTF file's JSON and the arrays of numbers that it names.
 *
 * Lives here: opening a file of either form, its buffers, and numbers of accessors. What must not
 * live here: nodes and triangles.
 */
#ifndef PIOLA_IO_GLTF_ARRAYS_H
#define PIOLA_IO_GLTF_ARRAYS_H

#include "io/base/pool.h"
#include "io/mesh/soup.h"

#include <jansson.h>

enum { GLTF_BUFFERS = 64 };

struct gltf {
    struct soup soup;
    json_t *root;
    const char *folder; /* a path beside which buffers may be files; null: they may not */
    struct pool pool;   /* of buffers */
    struct {
        const char *data;
        size_t bytes;
    } buffers[GLTF_BUFFERS];
    size_t buffer_count;
};

struct gltf_array {
    const char *data;
    size_t count, stride;
    enum scan_type type;
    double scale; /* of whole numbers that stand for -1 to 1 */
};

/* Of the text that the soup's scan holds. Both leave the soup to the caller. */
bool gltf_open(struct gltf *gltf);
void gltf_close(struct gltf *gltf);
/* Item `number` of the list `list`; null with a problem when there is none. */
const json_t *gltf_item(struct gltf *gltf, const char *list, const json_t *number);
/* The accessor `number`, of items of `width` numbers. */
bool gltf_array(struct gltf *gltf, const json_t *number, unsigned width, struct gltf_array *array);
bool gltf_number(struct gltf *gltf, const struct gltf_array *array, size_t item, unsigned k,
                 double *value);

#endif
