/* gltf_arrays.c - see gltf_arrays.h. */
#include "io/mesh/gltf_arrays.h"

#include "io/base/file.h"
#include "io/mesh/base64.h"
#include "io/mesh/meshes.h"

#include <string.h>

static bool fail(struct gltf *gltf, const char *what)
{
    return scan_fail(gltf->soup.scan, "%s", what);
}

/* Whole and not negative; `absent` where the key is not there; SIZE_MAX where it is something else.
 */
static size_t count_of(const json_t *object, const char *key, size_t absent)
{
    const json_t *value = json_object_get(object, key);
    const json_int_t number = json_integer_value(value);
    if (!value)
        return absent;
    return json_is_integer(value) && number >= 0 ? (size_t)number : SIZE_MAX;
}

const json_t *gltf_item(struct gltf *gltf, const char *list, const json_t *number)
{
    const json_t *items = json_object_get(gltf->root, list);
    const json_int_t index = json_integer_value(number);
    if (!json_is_integer(number) || index < 0 || (size_t)index >= json_array_size(items)) {
        scan_fail(gltf->soup.scan, "one of \"%s\" is named that is not there", list);
        return NULL;
    }
    return json_array_get(items, (size_t)index);
}

/* ---- arrays ---- */

static bool take_type(struct gltf *gltf, const json_t *accessor, struct gltf_array *array)
{
    static const struct {
        size_t number;
        enum scan_type type;
        double most;
    } types[] = {{5120, SCAN_I8, 127},    {5121, SCAN_U8, 255},          {5122, SCAN_I16, 32767},
                 {5123, SCAN_U16, 65535}, {5125, SCAN_U32, 4294967295.}, {5126, SCAN_F32, 1}};
    const size_t number = count_of(accessor, "componentType", SIZE_MAX);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
        if (types[i].number == number) {
            const bool scaled = json_is_true(json_object_get(accessor, "normalized"));
            array->type = types[i].type;
            array->scale = scaled ? 1 / types[i].most : 1;
            return true;
        }
    return fail(gltf, "an accessor's componentType is not one of glTF's");
}

static size_t width_of(enum scan_type type)
{
    return type == SCAN_I8 || type == SCAN_U8 ? 1 : type == SCAN_I16 || type == SCAN_U16 ? 2 : 4;
}

bool gltf_array(struct gltf *gltf, const json_t *number, unsigned width, struct gltf_array *array)
{
    const json_t *accessor = gltf_item(gltf, "accessors", number);
    if (!accessor || !take_type(gltf, accessor, array))
        return false;
    if (json_object_get(accessor, "sparse") || !json_object_get(accessor, "bufferView"))
        return fail(gltf, "sparse arrays are not read: export without morph targets");
    const char *type = json_string_value(json_object_get(accessor, "type"));
    if (!type || strcmp(type, width == 3 ? "VEC3" : "SCALAR") != 0)
        return fail(gltf, width == 3 ? "positions must be VEC3" : "indices must be SCALAR");
    const json_t *view = gltf_item(gltf, "bufferViews", json_object_get(accessor, "bufferView"));
    if (!view)
        return false;
    const size_t buffer = count_of(view, "buffer", SIZE_MAX);
    const size_t from = count_of(view, "byteOffset", 0),
                 offset = count_of(accessor, "byteOffset", 0);
    const size_t item = width * width_of(array->type);
    array->stride = count_of(view, "byteStride", item);
    array->count = count_of(accessor, "count", SIZE_MAX);
    if (buffer >= gltf->buffer_count || array->stride < item || array->stride > 1u << 16)
        return fail(gltf, "an array is of a buffer that is not there, or its stride is wrong");
    const size_t bytes = gltf->buffers[buffer].bytes;
    if (from > bytes || offset > bytes - from || array->count > (bytes - from - offset) / item ||
        (array->count > 0 && (array->count - 1) * array->stride > bytes - from - offset - item))
        return fail(gltf, "an array is longer than its buffer");
    array->data = gltf->buffers[buffer].data + from + offset;
    return true;
}

bool gltf_number(struct gltf *gltf, const struct gltf_array *array, size_t item, unsigned k,
                 double *value)
{
    struct scan scan = *gltf->soup.scan;
    scan.at = array->data + item * array->stride + k * width_of(array->type);
    scan.end = scan.at + width_of(array->type);
    if (!scan_value(&scan, array->type, SCAN_LITTLE, value))
        return false;
    *value *= array->scale;
    return true;
}

/* ---- buffers ---- */

/* "data:...;base64,...". */
static bool take_data(struct gltf *gltf, const char *uri, const char **data, size_t *bytes)
{
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 7 || strncmp(comma - 7, ";base64", 7) != 0)
        return fail(gltf, "a buffer's data must be base64");
    const size_t letters = strlen(comma + 1);
    char *out = pool_take(&gltf->pool, letters + 4, 1, "a buffer", gltf->soup.scan->problem);
    if (!out)
        return false;
    struct base64 text = {.at = comma + 1, .end = comma + 1 + letters};
    *bytes = base64_take(&text, out, letters);
    *data = out;
    return true;
}

/* A file beside the mesh: a name out of a file that is not trusted leads nowhere else. */
static bool take_file(struct gltf *gltf, const char *uri, const char **data, size_t *bytes)
{
    char path[4096];
    if (!gltf->folder)
        return fail(gltf, "the buffer is in another file: read the mesh by its path, or as .glb");
    if (strchr(uri, ':') || strchr(uri, '%') || strstr(uri, "..") || uri[0] == '/' ||
        uri[0] == '\\')
        return scan_fail(gltf->soup.scan, "the buffer \"%.200s\" is not a file beside this one",
                         uri);
    if (!path_beside(gltf->folder, uri, path, sizeof path))
        return fail(gltf, "the path of a buffer is too long");
    *data = file_read(path, MESH_FILE_MAX, &gltf->pool, bytes, gltf->soup.scan->problem);
    return *data != NULL;
}

static bool take_buffers(struct gltf *gltf, const char *chunk, size_t chunk_bytes)
{
    const json_t *buffers = json_object_get(gltf->root, "buffers");
    const size_t count = json_array_size(buffers);
    if (count > GLTF_BUFFERS)
        return fail(gltf, "more than 64 buffers are not read");
    for (size_t i = 0; i < count; ++i) {
        const json_t *buffer = json_array_get(buffers, i);
        const char *uri = json_string_value(json_object_get(buffer, "uri")), *data = chunk;
        size_t bytes = chunk_bytes;
        if (!uri && (i > 0 || !chunk))
            return fail(gltf, "a buffer has no data");
        if (uri && !(strncmp(uri, "data:", 5) == 0 ? take_data(gltf, uri, &data, &bytes)
                                                   : take_file(gltf, uri, &data, &bytes)))
            return false;
        if (count_of(buffer, "byteLength", SIZE_MAX) > bytes)
            return fail(gltf, "a buffer is shorter than its byteLength says");
        gltf->buffers[gltf->buffer_count].data = data;
        gltf->buffers[gltf->buffer_count++].bytes = bytes;
    }
    return true;
}

/* ---- files ---- */

static bool is_known(const char *extension)
{
    static const char *const known[] = {"KHR_materials_", "KHR_texture_", "KHR_mesh_quantization",
                                        "KHR_lights_",    "EXT_texture_", "KHR_xmp"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (strncmp(extension, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

static bool check_head(struct gltf *gltf)
{
    const json_t *needed = json_object_get(gltf->root, "extensionsRequired");
    const char *version =
        json_string_value(json_object_get(json_object_get(gltf->root, "asset"), "version"));
    if (!version || version[0] != '2')
        return fail(gltf, "the file is no glTF of version 2");
    for (size_t i = 0; i < json_array_size(needed); ++i) {
        const char *name = json_string_value(json_array_get(needed, i));
        if (!name || !is_known(name))
            return scan_fail(gltf->soup.scan,
                             "the extension %.60s is not read: export without compression",
                             name ? name : "");
    }
    return true;
}

static bool take_json(struct gltf *gltf, const char *text, size_t bytes)
{
    json_error_t error;
    gltf->root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    return json_is_object(gltf->root) ||
           scan_fail(gltf->soup.scan, "line %d of the JSON: %s", error.line,
                     gltf->root ? "is no object" : error.text);
}

static uint32_t word_at(const char *text)
{
    const unsigned char *t = (const unsigned char *)text;
    return t[0] | (uint32_t)t[1] << 8 | (uint32_t)t[2] << 16 | (uint32_t)t[3] << 24;
}

/* A head of 12 bytes, then chunks, each with its length and kind: first the JSON, then data. */
static bool open_binary(struct gltf *gltf)
{
    const char *text = gltf->soup.scan->begin, *chunk = NULL;
    const size_t bytes = (size_t)(gltf->soup.scan->end - text);
    size_t length = 0;
    if (bytes < 20 || word_at(text + 4) != 2 || word_at(text + 8) > bytes ||
        memcmp(text + 16, "JSON", 4) != 0 || word_at(text + 12) > bytes - 20)
        return fail(gltf, "the head of the file is damaged, or it is too short");
    const size_t json = word_at(text + 12);
    if (bytes - 20 - json >= 8 && memcmp(text + 24 + json, "BIN\0", 4) == 0) {
        length = word_at(text + 20 + json);
        chunk = text + 28 + json;
        if (length > bytes - 28 - json)
            return fail(gltf, "the file is too short for its data");
    }
    return take_json(gltf, text + 20, json) && check_head(gltf) &&
           take_buffers(gltf, chunk, length);
}

bool gltf_open(struct gltf *gltf)
{
    const struct scan *scan = gltf->soup.scan;
    const size_t bytes = (size_t)(scan->end - scan->begin);
    if (bytes >= 4 && memcmp(scan->begin, "glTF", 4) == 0)
        return open_binary(gltf);
    return take_json(gltf, scan->begin, bytes) && check_head(gltf) && take_buffers(gltf, NULL, 0);
}

void gltf_close(struct gltf *gltf)
{
    json_decref(gltf->root);
    pool_free(&gltf->pool);
    gltf->root = NULL;
}
