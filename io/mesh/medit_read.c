/* medit_read.c - meshes as MEDIT writes them (.mesh), as text. References of tetrahedra are their
 * regions. Sections that are not known are passed over; solids of other elements are refused. */
#include "io/mesh/meshes.h"
#include "io/mesh/soup.h"

#include <string.h>

/* A line of a section: `corners` vertex numbers and a reference. */
static bool read_item(struct scan *scan, struct soup *soup, unsigned corners)
{
    uint64_t number;
    uint32_t v[4];
    double reference;
    for (unsigned i = 0; i < corners; ++i) {
        if (!scan_count(scan, &number))
            return false;
        if (number < 1 || number > UINT32_MAX)
            return scan_fail(scan, "names a vertex that does not exist: they count from 1");
        v[i] = (uint32_t)(number - 1);
    }
    if (!scan_number(scan, &reference))
        return false;
    if (corners < 4)
        return soup_triangle(soup, v);
    const bool region = reference >= 0 && reference <= (double)UINT32_MAX;
    return soup_tetrahedron(soup, v, region ? (uint32_t)reference : 0);
}

static bool read_quadrilateral(struct scan *scan, struct soup *soup)
{
    uint64_t number;
    uint32_t v[4];
    double reference;
    for (int i = 0; i < 4; ++i) {
        if (!scan_count(scan, &number))
            return false;
        if (number < 1 || number > UINT32_MAX)
            return scan_fail(scan, "names a vertex that does not exist: they count from 1");
        v[i] = (uint32_t)(number - 1);
    }
    return scan_number(scan, &reference) && soup_face(soup, v, 4);
}

static bool read_vertex(struct scan *scan, struct soup *soup)
{
    double xyz[3], reference;
    return scan_number(scan, &xyz[0]) && scan_number(scan, &xyz[1]) && scan_number(scan, &xyz[2]) &&
           scan_number(scan, &reference) && soup_vertex(soup, xyz);
}

static bool read_section(struct scan *scan, struct soup *soup, const char *section)
{
    uint64_t count;
    if (!scan_count(scan, &count))
        return false;
    scan->item = section;
    bool good = true;
    for (uint64_t i = 0; good && i < count; ++i) {
        scan->number = (size_t)i + 1;
        good = section[0] == 'V'   ? read_vertex(scan, soup)
               : section[0] == 'Q' ? read_quadrilateral(scan, soup)
                                   : read_item(scan, soup, strcmp(section, "Triangles") ? 4 : 3);
    }
    scan->item = NULL;
    return good;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool read_all(struct scan *scan, struct soup *soup)
{
    static const char *const known[] = {"Vertices", "Triangles", "Tetrahedra", "Quadrilaterals"};
    static const char *const refused[] = {"Hexahedra", "Hexaedra", "Prisms", "Pyramids"};
    char word[SCAN_WORD];
    uint64_t dimension = 3;
    if (!scan_takes(scan, "MeshVersionFormatted"))
        return scan_fail(scan, "the file does not begin with MeshVersionFormatted (binary .meshb "
                               "files are not read: save it as text)");
    while (scan_word(scan, word)) {
        bool read = false;
        if (strcmp(word, "End") == 0)
            return true;
        if (strcmp(word, "Dimension") == 0 && !scan_count(scan, &dimension))
            return false;
        if (dimension != 3)
            return scan_fail(scan, "the mesh has %llu dimensions; it must have 3",
                             (unsigned long long)dimension);
        for (size_t i = 0; i < 4; ++i) {
            if (strcmp(word, refused[i]) == 0)
                return scan_fail(scan, "%s are not read: cut them into tetrahedra first", word);
            if (!read && strcmp(word, known[i]) == 0) {
                read = true;
                if (!read_section(scan, soup, word))
                    return false;
            }
        }
        /* Numbers of what is not known. */
        while (scan_more(scan) && !is_letter(*scan->at))
            scan_word(scan, word);
    }
    return true;
}

bool medit_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
                 struct problem *problem)
{
    struct scan scan = scan_text(name, text, bytes, problem);
    scan.comment = '#';
    struct soup soup = {.scan = &scan};
    return soup_close(&soup, read_all(&scan, &soup), mesh);
}
