/* mjcf_read.c - the flexible body of a MuJoCo file (.xml): <flex>, and <flexcomp> whose points are
 * given (type="direct"), of triangles (dim 2) or tetrahedra (dim 3), in the body's own frame. What
 * MuJoCo generates itself or takes from another file is refused with the place where it is. */
#include "io/mesh/meshes.h"
#include "io/mesh/soup.h"
#include "io/mesh/xml.h"

#include <string.h>

/* Factors on coordinates, `scale` of a flexcomp. */
static bool read_scale(struct scan *scan, const struct xml_tag *tag, double scale[3])
{
    struct scan value = xml_value(scan, tag, "scale");
    for (int k = 0; k < 3; ++k)
        scale[k] = 1;
    for (int k = 0; k < 3 && value.at < value.end; ++k)
        if (!scan_number(&value, &scale[k]))
            return false;
    return true;
}

static bool read_points(struct soup *soup, struct scan value, const double scale[3])
{
    double xyz[3];
    value.item = "vertex";
    for (value.number = 1; scan_more(&value); ++value.number) {
        for (int k = 0; k < 3; ++k) {
            if (!scan_number(&value, &xyz[k]))
                return false;
            xyz[k] *= scale[k];
        }
        if (!soup_vertex(soup, xyz))
            return false;
    }
    return true;
}

static bool read_elements(struct soup *soup, struct scan value, unsigned corners)
{
    uint32_t v[4];
    uint64_t number;
    value.item = "element";
    for (value.number = 1; scan_more(&value); ++value.number) {
        for (unsigned i = 0; i < corners; ++i) {
            if (!scan_count(&value, &number))
                return false;
            v[i] = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
        }
        if (!(corners == 4 ? soup_tetrahedron(soup, v, 0) : soup_triangle(soup, v)))
            return false;
    }
    return true;
}

static bool read_body(struct scan *scan, struct soup *soup, const struct xml_tag *tag)
{
    const bool whole = strcmp(tag->name, "flex") == 0;
    const char *points = whole ? "vertex" : "point";
    char type[SCAN_WORD], dim[SCAN_WORD], file[SCAN_WORD];
    double scale[3];
    xml_word(tag, "type", type);
    xml_word(tag, "dim", dim);
    xml_word(tag, "file", file);
    const unsigned corners = strcmp(dim, "3") == 0 ? 4 : 3;
    if (file[0])
        return scan_fail(scan, "the body is in another file, %s: read that one", file);
    if (!whole && strcmp(type, "direct") != 0)
        return scan_fail(scan,
                         "flexcomp of the type \"%s\" is made by MuJoCo itself: save the "
                         "model from there, then its points are written out",
                         type[0] ? type : "grid");
    if (strcmp(dim, "1") == 0)
        return scan_fail(scan, "a flex of dimension 1 is a cable, which is not read");
    if (soup->vertex_count > 0)
        return scan_fail(scan, "a second flexible body: keep one in a file");
    if (!read_scale(scan, tag, scale) || !read_points(soup, xml_value(scan, tag, points), scale))
        return false;
    if (soup->vertex_count == 0)
        return scan_fail(scan, "a flexible body has no %s", points);
    return read_elements(soup, xml_value(scan, tag, "element"), corners);
}

static bool read_all(struct scan *scan, struct soup *soup)
{
    struct xml_tag tag;
    enum xml_found found = xml_next(scan, &tag);
    if (found == XML_END || (found == XML_TAG && strcmp(tag.name, "mujoco") != 0))
        return scan_fail(scan, "the file does not begin with <mujoco>");
    while (found == XML_TAG && (found = xml_next(scan, &tag)) == XML_TAG) {
        const bool body = strcmp(tag.name, "flex") == 0 || strcmp(tag.name, "flexcomp") == 0;
        if (body && !tag.closes && !read_body(scan, soup, &tag))
            return false;
        if (strcmp(tag.name, "include") == 0)
            return scan_fail(scan, "what is included from another file is not read");
    }
    return found == XML_END;
}

bool mjcf_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
                struct problem *problem)
{
    struct scan scan = scan_text(name, text, bytes, problem);
    struct soup soup = {.scan = &scan};
    return soup_close(&soup, read_all(&scan, &soup), mesh);
}
