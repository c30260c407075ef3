/* ply_read.c - surfaces as PLY (Stanford), as text and in both orders of bytes. Of vertices x, y
 * and z are read, of faces their corners; other properties and elements are passed over. */
#include "io/mesh/meshes.h"
#include "io/mesh/soup.h"

#include <math.h>
#include <string.h>

enum { ELEMENTS = 16, PROPERTIES = 64 };

enum role { ROLE_NONE = -1, ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS };

struct property {
    enum scan_type type, count_type; /* the latter of lists */
    bool list;
    int role;
};

struct element {
    char name[SCAN_WORD];
    uint64_t count;
    uint32_t property_count;
    struct property properties[PROPERTIES];
};

struct ply {
    struct scan scan;
    struct soup soup;
    enum scan_order order;
    uint32_t element_count;
    struct element elements[ELEMENTS];
};

static bool read_type(struct ply *ply, enum scan_type *type)
{
    static const struct {
        const char *name;
        enum scan_type type;
    } names[] = {
        {"char", SCAN_I8},   {"int8", SCAN_I8},     {"uchar", SCAN_U8},   {"uint8", SCAN_U8},
        {"short", SCAN_I16}, {"int16", SCAN_I16},   {"ushort", SCAN_U16}, {"uint16", SCAN_U16},
        {"int", SCAN_I32},   {"int32", SCAN_I32},   {"uint", SCAN_U32},   {"uint32", SCAN_U32},
        {"float", SCAN_F32}, {"float32", SCAN_F32}, {"double", SCAN_F64}, {"float64", SCAN_F64},
    };
    char word[SCAN_WORD];
    if (!scan_word(&ply->scan, word))
        return scan_fail(&ply->scan, "the file ends where a type was expected");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(names[i].name, word) == 0) {
            *type = names[i].type;
            return true;
        }
    return scan_fail(&ply->scan, "\"%s\" is no type of a PLY file", word);
}

static int role_of(const struct element *element, const struct property *p, const char *name)
{
    if (strcmp(element->name, "vertex") == 0 && !p->list && name[0] && !name[1] &&
        strchr("xyz", name[0]))
        return ROLE_X + (name[0] - 'x');
    if (strcmp(element->name, "face") == 0 && p->list &&
        (strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0))
        return ROLE_CORNERS;
    return ROLE_NONE;
}

static bool read_property(struct ply *ply)
{
    char name[SCAN_WORD];
    if (ply->element_count == 0)
        return scan_fail(&ply->scan, "a property before the first element");
    struct element *element = &ply->elements[ply->element_count - 1];
    if (element->property_count == PROPERTIES)
        return scan_fail(&ply->scan, "more than %d properties", PROPERTIES);
    struct property *p = &element->properties[element->property_count++];
    p->list = scan_takes(&ply->scan, "list");
    if ((p->list && !read_type(ply, &p->count_type)) || !read_type(ply, &p->type))
        return false;
    if (p->list && (p->count_type == SCAN_F32 || p->count_type == SCAN_F64))
        return scan_fail(&ply->scan, "a list's length is no whole number");
    if (!scan_word(&ply->scan, name))
        return scan_fail(&ply->scan, "the file ends where a name was expected");
    p->role = role_of(element, p, name);
    return true;
}

static bool read_format(struct ply *ply)
{
    char word[SCAN_WORD];
    scan_word(&ply->scan, word);
    if (strcmp(word, "ascii") == 0)
        ply->order = SCAN_TEXT;
    else if (strcmp(word, "binary_little_endian") == 0)
        ply->order = SCAN_LITTLE;
    else if (strcmp(word, "binary_big_endian") == 0)
        ply->order = SCAN_BIG;
    else
        return scan_fail(&ply->scan, "\"%s\" is no format of a PLY file", word);
    return true;
}

static bool read_element(struct ply *ply)
{
    if (ply->element_count == ELEMENTS)
        return scan_fail(&ply->scan, "more than %d kinds of elements", ELEMENTS);
    struct element *element = &ply->elements[ply->element_count++];
    if (!scan_word(&ply->scan, element->name))
        return scan_fail(&ply->scan, "the file ends where a name was expected");
    return scan_count(&ply->scan, &element->count);
}

static bool read_head(struct ply *ply)
{
    char word[SCAN_WORD];
    if (!scan_takes(&ply->scan, "ply"))
        return scan_fail(&ply->scan, "the file does not begin with ply");
    for (;;) {
        scan_line(&ply->scan);
        bool good = true;
        if (!scan_word(&ply->scan, word))
            return scan_fail(&ply->scan, "the file ends before end_header");
        if (strcmp(word, "format") == 0)
            good = read_format(ply);
        else if (strcmp(word, "element") == 0)
            good = read_element(ply);
        else if (strcmp(word, "property") == 0)
            good = read_property(ply);
        else if (strcmp(word, "end_header") == 0)
            break;
        else if (strcmp(word, "comment") != 0 && strcmp(word, "obj_info") != 0)
            return scan_fail(&ply->scan, "\"%s\" is nothing that a header has", word);
        if (!good)
            return false;
    }
    scan_line(&ply->scan);
    ply->scan.line = ply->order == SCAN_TEXT ? ply->scan.line : 0;
    return true;
}

/* Values of a list that is passed over, or the corners of a face. */
static bool read_list(struct ply *ply, const struct property *p)
{
    uint32_t corners[SOUP_FACE_MOST];
    double count, value;
    if (!scan_value(&ply->scan, p->count_type, ply->order, &count))
        return false;
    const double most = p->role == ROLE_CORNERS ? SOUP_FACE_MOST : (double)UINT32_MAX;
    if (!(count >= 0 && count <= most))
        return scan_fail(&ply->scan, "a list of %g values", count);
    for (uint64_t i = 0; i < (uint64_t)count; ++i) {
        if (!scan_value(&ply->scan, p->type, ply->order, &value))
            return false;
        if (p->role != ROLE_CORNERS)
            continue;
        if (!(value >= 0 && value < (double)UINT32_MAX) || value != floor(value))
            return scan_fail(&ply->scan, "a corner is no vertex number");
        corners[i] = (uint32_t)value;
    }
    return p->role != ROLE_CORNERS || count < 3 || soup_face(&ply->soup, corners, (uint32_t)count);
}

static bool read_item(struct ply *ply, const struct element *element)
{
    double xyz[3] = {0}, value;
    for (uint32_t i = 0; i < element->property_count; ++i) {
        const struct property *p = &element->properties[i];
        if (p->list) {
            if (!read_list(ply, p))
                return false;
            continue;
        }
        if (!scan_value(&ply->scan, p->type, ply->order, &value))
            return false;
        if (p->role >= ROLE_X && p->role <= ROLE_Z)
            xyz[p->role] = value;
    }
    return strcmp(element->name, "vertex") != 0 || soup_vertex(&ply->soup, xyz);
}

static bool read_items(struct ply *ply)
{
    for (uint32_t e = 0; e < ply->element_count; ++e) {
        const struct element *element = &ply->elements[e];
        ply->scan.item = element->name;
        /* Items without properties take no bytes, however many the file says there are. */
        for (uint64_t i = 0; i < element->count && element->property_count > 0; ++i) {
            ply->scan.number = (size_t)i + 1;
            if (!read_item(ply, element))
                return false;
        }
    }
    return true;
}

bool ply_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
               struct problem *problem)
{
    struct ply ply = {.scan = scan_text(name, text, bytes, problem)};
    ply.soup.scan = &ply.scan;
    return soup_close(&ply.soup, read_head(&ply) && read_items(&ply), mesh);
}
