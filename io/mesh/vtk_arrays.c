/* vtk_arrays.c - see vtk_arrays.h. */
#include "io/mesh/vtk_arrays.h"

#include "io/base/memory.h"
#include "io/mesh/base64.h"

#include <string.h>

#ifdef PIOLA_IO_ZLIB
#include <zlib.h>
#endif

#define VALUES_MOST ((size_t)1 << 28)
#define BLOCK_MOST  ((uint64_t)1 << 26) /* bytes of a compressed block, unpacked */

/* Bytes of an array, as they are or from base64. */
struct bytes {
    struct base64 text;
    bool base64;
};

/* ---- values ---- */

static bool keep_value(struct scan *scan, struct vtk_values *values, double value)
{
    if (values->count == values->room) {
        const size_t more = values->room ? 2 * values->room : 64;
        double *larger = more > VALUES_MOST ? NULL : memory_take(more * sizeof *larger);
        if (!larger)
            return problem_memory(scan->problem, "numbers", more * sizeof *larger);
        if (values->values)
            memcpy(larger, values->values, values->count * sizeof *larger);
        memory_give(values->values);
        values->values = larger;
        values->room = more;
    }
    values->values[values->count++] = value;
    return true;
}

void vtk_values_free(struct vtk_values *values)
{
    memory_give(values->values);
    memset(values, 0, sizeof *values);
}

static bool keep_bytes(struct scan *scan, const char *data, size_t size, enum scan_type type,
                       enum scan_order order, struct vtk_values *values)
{
    struct scan part = *scan;
    double value;
    part.at = data;
    part.end = data + size;
    while (part.at < part.end)
        if (!scan_value(&part, type, order, &value) || !keep_value(scan, values, value))
            return false;
    return true;
}

/* ---- bytes ---- */

static bool take_bytes(struct scan *scan, struct bytes *bytes, void *to, size_t size)
{
    size_t taken = 0;
    if (bytes->base64) {
        taken = base64_take(&bytes->text, to, size);
    } else if ((size_t)(bytes->text.end - bytes->text.at) >= size) {
        memcpy(to, bytes->text.at, size);
        bytes->text.at += size;
        taken = size;
    }
    return taken == size || scan_fail(scan, "an array ends before the bytes that it says it has");
}

/* A number of the head of an array. */
static bool take_head(struct scan *scan, struct bytes *bytes, const struct vtk_coding *coding,
                      uint64_t *value)
{
    unsigned char head[8] = {0};
    const unsigned width = coding->wide ? 8 : 4;
    if (!take_bytes(scan, bytes, head, width))
        return false;
    *value = 0;
    for (unsigned i = 0; i < width; ++i)
        *value = *value << 8 | head[coding->order == SCAN_BIG ? i : width - 1 - i];
    return true;
}

/* ---- arrays ---- */

static bool read_plain(struct scan *scan, struct bytes *bytes, const struct vtk_coding *coding,
                       enum scan_type type, struct vtk_values *values)
{
    char part[4096];
    uint64_t left;
    if (!take_head(scan, bytes, coding, &left))
        return false;
    while (left > 0) {
        const size_t size = left < sizeof part ? (size_t)left : sizeof part;
        if (!take_bytes(scan, bytes, part, size) ||
            !keep_bytes(scan, part, size, type, coding->order, values))
            return false;
        left -= size;
    }
    return true;
}

#ifdef PIOLA_IO_ZLIB
static bool unpack(struct scan *scan, struct bytes *bytes, size_t packed, size_t size, char *in,
                   char *out)
{
    uLongf got = (uLongf)size;
    if (!take_bytes(scan, bytes, in, packed))
        return false;
    return (uncompress((Bytef *)out, &got, (const Bytef *)in, (uLong)packed) == Z_OK &&
            got == size) ||
           scan_fail(scan, "a compressed block is damaged");
}

/* The head: blocks, bytes of each unpacked, of the last one (0: as the others), and of each packed.
 */
static bool read_blocks(struct scan *scan, struct bytes *bytes, const struct vtk_coding *coding,
                        enum scan_type type, struct vtk_values *values)
{
    uint64_t blocks, size, last, packed;
    if (!take_head(scan, bytes, coding, &blocks) || !take_head(scan, bytes, coding, &size) ||
        !take_head(scan, bytes, coding, &last))
        return false;
    struct bytes heads = *bytes;
    const size_t left = (size_t)(bytes->text.end - bytes->text.at);
    if (blocks > left || size > BLOCK_MOST || last > size || (blocks > 0 && size == 0))
        return scan_fail(scan, "the head of a compressed array is damaged");
    for (uint64_t i = 0; i < blocks; ++i)
        if (!take_head(scan, bytes, coding, &packed))
            return false;
    bool good = true;
    for (uint64_t i = 0; good && i < blocks; ++i) {
        const size_t whole = (size_t)(i + 1 == blocks && last > 0 ? last : size);
        if (!take_head(scan, &heads, coding, &packed))
            return false;
        /* zlib packs no more than 1032 bytes into one. */
        if (packed > left || whole / 1032 > packed)
            return scan_fail(scan, "the head of a compressed array is damaged");
        char *in = memory_take((size_t)packed + 1), *out = memory_take(whole + 1);
        good = in && out ? unpack(scan, bytes, (size_t)packed, whole, in, out) &&
                               keep_bytes(scan, out, whole, type, coding->order, values)
                         : problem_memory(scan->problem, "numbers", whole);
        memory_give(in);
        memory_give(out);
    }
    return good;
}
#else
static bool read_blocks(struct scan *scan, struct bytes *bytes, const struct vtk_coding *coding,
                        enum scan_type type, struct vtk_values *values)
{
    (void)bytes, (void)coding, (void)type, (void)values;
    return scan_fail(scan, "arrays compressed by zlib are not read by this build, which was made "
                           "without zlib: save the file uncompressed");
}
#endif

static bool read_text(struct scan *scan, struct vtk_values *values)
{
    double value;
    for (;;) {
        while (scan->at < scan->end && strchr(" \t\r\n", *scan->at) && *scan->at) {
            scan->line += *scan->at == '\n';
            ++scan->at;
        }
        if (scan->at >= scan->end || *scan->at == '<')
            return true;
        scan->comment = '<';
        const bool good = scan_number(scan, &value);
        scan->comment = 0;
        if (!good || !keep_value(scan, values, value))
            return false;
    }
}

static bool type_of(struct scan *scan, const struct xml_tag *array, enum scan_type *type)
{
    static const char *const names[SCAN_TYPES] = {"Int8",    "UInt8",  "Int16", "UInt16",
                                                  "Int32",   "UInt32", "Int64", "UInt64",
                                                  "Float32", "Float64"};
    char word[SCAN_WORD];
    xml_word(array, "type", word);
    for (int i = 0; i < SCAN_TYPES; ++i)
        if (strcmp(word, names[i]) == 0) {
            *type = (enum scan_type)i;
            return true;
        }
    return scan_fail(scan, "arrays of the type \"%s\" are not read", word);
}

bool vtk_array_read(struct scan *scan, const struct xml_tag *array, const struct vtk_coding *coding,
                    struct vtk_values *values)
{
    char format[SCAN_WORD];
    enum scan_type type = SCAN_F32;
    uint64_t offset = 0;
    struct bytes bytes = {.text = {.at = scan->at, .end = scan->end}, .base64 = true};
    values->count = 0;
    if (!type_of(scan, array, &type))
        return false;
    xml_word(array, "format", format);
    if (array->empty && strcmp(format, "appended") != 0)
        return true;
    if (format[0] == 0 || strcmp(format, "ascii") == 0)
        return read_text(scan, values);
    if (strcmp(format, "appended") == 0) {
        if (!xml_count(scan, array, "offset", &offset))
            return false;
        if (!coding->data || offset > (uint64_t)(scan->end - coding->data))
            return scan_fail(scan, "an array is said to be behind the end of the file");
        bytes.text.at = coding->data + offset;
        bytes.base64 = coding->data_is_base64;
    } else if (strcmp(format, "binary") != 0) {
        return scan_fail(scan, "arrays of the format \"%s\" are not read", format);
    }
    return coding->compressed ? read_blocks(scan, &bytes, coding, type, values)
                              : read_plain(scan, &bytes, coding, type, values);
}

/* ---- heads ---- */

static const char *find(const char *at, const char *end, const char *text)
{
    const size_t length = strlen(text);
    for (; at && (size_t)(end - at) >= length; at = memchr(at + 1, text[0], (size_t)(end - at - 1)))
        if (memcmp(at, text, length) == 0)
            return at;
    return NULL;
}

/* Appended data may hold any bytes, so its tag is looked for before all others. */
static bool find_data(struct scan *scan, struct vtk_coding *coding)
{
    struct scan ahead = *scan;
    struct xml_tag tag;
    char word[SCAN_WORD];
    ahead.at = find(scan->at, scan->end, "<AppendedData");
    if (!ahead.at)
        return true;
    if (xml_next(&ahead, &tag) != XML_TAG)
        return false;
    coding->data = memchr(ahead.at, '_', (size_t)(scan->end - ahead.at));
    coding->data_is_base64 = strcmp(xml_word(&tag, "encoding", word), "base64") == 0;
    if (!coding->data)
        return scan_fail(scan, "appended data must begin with \"_\"");
    ++coding->data;
    return true;
}

bool vtk_coding_read(struct scan *scan, const struct xml_tag *file, struct vtk_coding *coding)
{
    char word[SCAN_WORD];
    *coding = (struct vtk_coding){.order = SCAN_LITTLE};
    if (strcmp(xml_word(file, "byte_order", word), "BigEndian") == 0)
        coding->order = SCAN_BIG;
    coding->wide = strcmp(xml_word(file, "header_type", word), "UInt64") == 0;
    xml_word(file, "compressor", word);
    coding->compressed = word[0] != 0;
    if (word[0] && strcmp(word, "vtkZLibDataCompressor") != 0)
        return scan_fail(scan, "arrays compressed by %s are not read: save with zlib or without",
                         word);
    return find_data(scan, coding);
}
