/* off_read.c - surfaces as Object File Format: OFF and its kinds with colours and normals, as text.
 * What stands behind the coordinates or corners of a line is passed over. */
#include "io/mesh/meshes.h"
#include "io/mesh/soup.h"

#include <string.h>

static bool read_head(struct scan *scan, uint64_t *vertices, uint64_t *faces)
{
    char word[SCAN_WORD];
    uint64_t edges;
    if (!scan_word(scan, word) || strlen(word) < 3 || strcmp(word + strlen(word) - 3, "OFF") != 0)
        return scan_fail(scan, "the file does not begin with OFF");
    if (strspn(word, "STCN") != strlen(word) - 3)
        return scan_fail(scan, "%s files of more than three dimensions are not read", word);
    if (scan_takes(scan, "BINARY"))
        return scan_fail(scan, "binary OFF is not read: save it as text");
    return scan_count(scan, vertices) && scan_count(scan, faces) && scan_count(scan, &edges);
}

static bool read_vertex(struct scan *scan, struct soup *soup)
{
    double xyz[3];
    for (int k = 0; k < 3; ++k)
        if (!scan_number(scan, &xyz[k]))
            return false;
    scan_line(scan);
    return soup_vertex(soup, xyz);
}

static bool read_face(struct scan *scan, struct soup *soup)
{
    uint32_t v[SOUP_FACE_MOST];
    uint64_t corners, vertex;
    if (!scan_count(scan, &corners))
        return false;
    if (corners > SOUP_FACE_MOST)
        return scan_fail(scan, "more than %u corners", SOUP_FACE_MOST);
    for (uint64_t i = 0; i < corners; ++i) {
        if (!scan_count(scan, &vertex))
            return false;
        if (vertex >= soup->vertex_count)
            return scan_fail(scan, "names a vertex that does not exist");
        v[i] = (uint32_t)vertex;
    }
    scan_line(scan);
    return corners < 3 || soup_face(soup, v, (uint32_t)corners);
}

bool off_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
               struct problem *problem)
{
    struct scan scan = scan_text(name, text, bytes, problem);
    scan.comment = '#';
    struct soup soup = {.scan = &scan};
    uint64_t vertices = 0, faces = 0;
    bool good = read_head(&scan, &vertices, &faces);
    scan.item = "vertex";
    for (uint64_t i = 0; good && i < vertices; ++i) {
        scan.number = (size_t)i + 1;
        good = read_vertex(&scan, &soup);
    }
    scan.item = "face";
    for (uint64_t i = 0; good && i < faces; ++i) {
        scan.number = (size_t)i + 1;
        good = read_face(&scan, &soup);
    }
    return soup_close(&soup, good, mesh);
}
