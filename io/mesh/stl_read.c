/* stl_read.c - surfaces as STL, both kinds. A file holds triangles alone: corners in one place
 * become one vertex. Normals are passed over: the corners' order says which way a triangle faces.
 */
#include "io/mesh/meshes.h"
#include "io/mesh/soup.h"

#include <string.h>

#define HEAD   84u /* bytes before the first triangle; the last four are their number */
#define RECORD 50u /* bytes of a triangle */

static uint32_t count_of(const char *text)
{
    const unsigned char *b = (const unsigned char *)text + 80;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool add_corner(struct soup *soup, const double xyz[3], uint32_t corner)
{
    const uint32_t last = soup->vertex_count;
    if (!soup_vertex(soup, xyz))
        return false;
    const uint32_t v[3] = {last - 2, last - 1, last};
    return corner != 2 || soup_triangle(soup, v);
}

static bool read_binary(struct scan *scan, struct soup *soup)
{
    const uint32_t count = count_of(scan->begin);
    scan->item = "triangle";
    for (uint32_t t = 0; t < count; ++t) {
        scan->number = (size_t)t + 1;
        scan->at = scan->begin + HEAD + (size_t)t * RECORD + 12;
        for (uint32_t corner = 0; corner < 3; ++corner) {
            double xyz[3];
            for (int k = 0; k < 3; ++k)
                if (!scan_value(scan, SCAN_F32, SCAN_LITTLE, &xyz[k]))
                    return false;
            if (!add_corner(soup, xyz, corner))
                return false;
        }
    }
    return true;
}

static bool expect(struct scan *scan, const char *word)
{
    return scan_takes(scan, word) || scan_fail(scan, "\"%s\" was expected", word);
}

static bool read_facet(struct scan *scan, struct soup *soup)
{
    double xyz[3];
    if (!expect(scan, "normal"))
        return false;
    scan_line(scan); /* some programs write normals that are no numbers */
    if (!expect(scan, "outer") || !expect(scan, "loop"))
        return false;
    for (uint32_t corner = 0; corner < 3; ++corner) {
        if (!expect(scan, "vertex") || !scan_number(scan, &xyz[0]) || !scan_number(scan, &xyz[1]) ||
            !scan_number(scan, &xyz[2]) || !add_corner(soup, xyz, corner))
            return false;
    }
    return expect(scan, "endloop") && expect(scan, "endfacet");
}

/* One solid behind the other, whose names may be any words. */
static bool read_text(struct scan *scan, struct soup *soup)
{
    scan->line = 1;
    while (scan_more(scan)) {
        if (!expect(scan, "solid"))
            return false;
        scan_line(scan);
        scan->item = "triangle";
        while (scan_takes(scan, "facet")) {
            scan->number = soup->triangle_count + (size_t)1;
            if (!read_facet(scan, soup))
                return false;
        }
        if (!expect(scan, "endsolid"))
            return false;
        scan_line(scan);
    }
    return true;
}

/* The length says which kind it is: binary files may begin with "solid" too. */
static bool read_either(struct scan *scan, struct soup *soup)
{
    const size_t bytes = (size_t)(scan->end - scan->begin);
    const uint64_t triangles = bytes >= HEAD ? count_of(scan->begin) : 0;
    const bool fits = bytes >= HEAD && bytes == HEAD + triangles * RECORD;
    if (fits)
        return read_binary(scan, soup);
    if (bytes >= 5 && memcmp(scan->begin, "solid", 5) == 0)
        return read_text(scan, soup);
    return problem_at(scan->problem, EXIT_SCENE, scan->name, 0,
                      "is no STL: it does not begin with \"solid\", and its %zu bytes are not the "
                      "%llu that a binary file of its %llu triangles would have",
                      bytes, (unsigned long long)(HEAD + triangles * RECORD),
                      (unsigned long long)triangles);
}

bool stl_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
               struct problem *problem)
{
    struct scan scan = {
        .name = name, .begin = text, .at = text, .end = text + bytes, .problem = problem};
    struct soup soup = {.scan = &scan};
    return soup_close(&soup, read_either(&scan, &soup) && soup_weld(&soup), mesh);
}
