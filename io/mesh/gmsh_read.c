/* gmsh_read.c - meshes of Gmsh (.msh), versions 2 and 4.1, as text. Points and lines are passed
 * over, curved elements keep their corners; solids of other elements than tetrahedra are refused.
 * A tetrahedron's region is its first tag (version 2), or its volume's number (4.1). */
#include "io/mesh/meshes.h"
#include "io/mesh/numbered.h"
#include "io/mesh/soup.h"

#include <string.h>

struct gmsh {
    struct scan scan;
    struct soup soup;
    struct numbered nodes;
    int version; /* 2 or 4 */
};

static bool read_vertex(struct gmsh *g)
{
    double xyz[3];
    for (int k = 0; k < 3; ++k)
        if (!scan_number(&g->scan, &xyz[k]))
            return false;
    return soup_vertex(&g->soup, xyz);
}

/* Corners of a kind of element that is taken; 0: passed over; -1: refused. */
static int corners_of(uint64_t kind)
{
    switch (kind) {
    case 2:
    case 9:
    case 20:
    case 21:
        return 3;
    case 3:
    case 10:
    case 16:
        return 5; /* four, of a flat face */
    case 4:
    case 11:
    case 29:
        return 4;
    case 1:
    case 8:
    case 15:
    case 26:
    case 27:
    case 28:
        return 0;
    default:
        return -1;
    }
}

/* What follows an element's kind and tags: its nodes, of which the first ones are corners. */
static bool read_corners(struct gmsh *g, uint64_t kind, uint64_t region)
{
    const int corners = corners_of(kind);
    uint32_t v[4];
    uint64_t tag;
    if (corners < 0)
        return scan_fail(&g->scan,
                         "elements of Gmsh's kind %llu are not read: mesh with triangles "
                         "and tetrahedra",
                         (unsigned long long)kind);
    const int count = corners == 5 ? 4 : corners;
    for (int i = 0; i < count; ++i)
        if (!scan_count(&g->scan, &tag) || !numbered_find(&g->nodes, &g->scan, tag, &v[i]))
            return false;
    scan_line(&g->scan);
    if (corners == 4)
        return soup_tetrahedron(&g->soup, v, region <= UINT32_MAX ? (uint32_t)region : 0);
    return corners == 0 || soup_face(&g->soup, v, (uint32_t)count);
}

/* ---- version 2 ---- */

static bool read_nodes_2(struct gmsh *g)
{
    uint64_t count, tag;
    if (!scan_count(&g->scan, &count))
        return false;
    g->scan.item = "node";
    for (uint64_t i = 0; i < count; ++i) {
        g->scan.number = (size_t)i + 1;
        if (!scan_count(&g->scan, &tag) ||
            !numbered_keep(&g->nodes, &g->scan, tag, g->soup.vertex_count) || !read_vertex(g))
            return false;
    }
    return true;
}

static bool read_elements_2(struct gmsh *g)
{
    uint64_t count, tag, kind, tags, region;
    if (!scan_count(&g->scan, &count))
        return false;
    g->scan.item = "element";
    for (uint64_t i = 0; i < count; ++i) {
        g->scan.number = (size_t)i + 1;
        region = 0;
        if (!scan_count(&g->scan, &tag) || !scan_count(&g->scan, &kind) ||
            !scan_count(&g->scan, &tags))
            return false;
        for (uint64_t t = 0; t < tags; ++t) {
            if (!scan_count(&g->scan, &tag))
                return false;
            region = t == 0 ? tag : region;
        }
        if (!read_corners(g, kind, region))
            return false;
    }
    return true;
}

/* ---- version 4.1 ---- */

static bool read_counts(struct gmsh *g, uint64_t *values, int count)
{
    for (int i = 0; i < count; ++i)
        if (!scan_count(&g->scan, &values[i]))
            return false;
    return true;
}

static bool read_nodes_4(struct gmsh *g)
{
    uint64_t all[4], tag;
    double block[4]; /* dimension, entity, whether there are parameters, nodes */
    if (!read_counts(g, all, 4))
        return false;
    g->scan.item = "block of nodes";
    for (uint64_t b = 0; b < all[0]; ++b) {
        g->scan.number = (size_t)b + 1;
        for (int i = 0; i < 4; ++i)
            if (!scan_number(&g->scan, &block[i]))
                return false;
        const uint32_t first = g->soup.vertex_count;
        if (!(block[3] >= 0 && block[3] <= 1u << 26))
            return scan_fail(&g->scan, "has %g nodes", block[3]);
        const uint32_t count = (uint32_t)block[3];
        for (uint32_t i = 0; i < count; ++i)
            if (!scan_count(&g->scan, &tag) || !numbered_keep(&g->nodes, &g->scan, tag, first + i))
                return false;
        for (uint32_t i = 0; i < count; ++i) {
            if (!read_vertex(g))
                return false;
            scan_line(&g->scan);
        }
    }
    return true;
}

static bool read_elements_4(struct gmsh *g)
{
    uint64_t all[4], block[4], tag; /* of a block: dimension, entity, kind, elements */
    if (!read_counts(g, all, 4))
        return false;
    g->scan.item = "block of elements";
    for (uint64_t b = 0; b < all[0]; ++b) {
        g->scan.number = (size_t)b + 1;
        if (!read_counts(g, block, 4))
            return false;
        for (uint64_t i = 0; i < block[3]; ++i)
            if (!scan_count(&g->scan, &tag) || !read_corners(g, block[2], block[1]))
                return false;
    }
    return true;
}

/* ---- sections ---- */

static bool read_format(struct gmsh *g)
{
    double version, size;
    uint64_t binary;
    if (!scan_number(&g->scan, &version) || !scan_count(&g->scan, &binary) ||
        !scan_number(&g->scan, &size))
        return false;
    if (binary)
        return scan_fail(&g->scan, "binary .msh files are not read: save it as text (gmsh -save "
                                   "without -bin; on Debian: apt-get install gmsh)");
    g->version = version >= 2 && version < 3 ? 2 : version >= 4.1 && version < 4.2 ? 4 : 0;
    return g->version > 0 || scan_fail(&g->scan,
                                       "version %g is not read: save it as version 2.2 "
                                       "or 4.1 (gmsh -format msh41)",
                                       version);
}

static bool read_section(struct gmsh *g, const char *section)
{
    if (strcmp(section, "$MeshFormat") == 0)
        return read_format(g);
    const bool nodes = strcmp(section, "$Nodes") == 0;
    if (!nodes && strcmp(section, "$Elements") != 0)
        return true;
    if (g->version == 0)
        return scan_fail(&g->scan, "%s before $MeshFormat", section);
    if (g->version == 2)
        return nodes ? read_nodes_2(g) : read_elements_2(g);
    return nodes ? read_nodes_4(g) : read_elements_4(g);
}

static bool read_all(struct gmsh *g)
{
    char section[SCAN_WORD], word[SCAN_WORD];
    while (scan_word(&g->scan, section)) {
        if (section[0] != '$')
            return scan_fail(&g->scan, "a section's name was expected, like $Nodes");
        if (!read_section(g, section))
            return false;
        g->scan.item = NULL;
        do {
            if (!scan_word(&g->scan, word))
                return scan_fail(&g->scan, "the file ends inside of %s", section);
        } while (strncmp(word, "$End", 4) != 0 || strcmp(word + 4, section + 1) != 0);
    }
    return true;
}

bool gmsh_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
                struct problem *problem)
{
    struct gmsh g = {.scan = scan_text(name, text, bytes, problem)};
    g.soup.scan = &g.scan;
    const bool good = read_all(&g);
    numbered_free(&g.nodes);
    return soup_close(&g.soup, good, mesh);
}
