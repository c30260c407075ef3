/* vtk_xml_read.c - meshes as VTK's XML files: unstructured grids (.vtu) and surfaces (.vtp), of one
 * piece or several, with arrays of every coding. Of what is at points and cells nothing is read. */
#include "io/mesh/meshes.h"
#include "io/mesh/vtk_arrays.h"
#include "io/mesh/vtk_cells.h"

#include <string.h>

struct piece {
    struct scan scan;
    struct soup soup;
    struct vtk_coding coding;
    uint32_t first; /* its points are behind those of the pieces before */
    struct vtk_values points, corners, ends, kinds;
};

/* Whole numbers of an array, from 0 to `most`. */
static bool are_counts(struct piece *piece, const struct vtk_values *values, const char *what,
                       double most)
{
    for (size_t i = 0; i < values->count; ++i) {
        const double v = values->values[i];
        if (!(v >= 0 && v <= most) || v != (double)(uint64_t)v)
            return scan_fail(&piece->scan,
                             "%s %zu is %.17g: a whole number up to %.0f was expected", what, i + 1,
                             v, most);
    }
    return true;
}

static bool add_points(struct piece *piece)
{
    piece->first = piece->soup.vertex_count;
    if (piece->points.count % 3 != 0)
        return scan_fail(&piece->scan, "points must have three coordinates");
    for (size_t i = 0; i < piece->points.count; i += 3)
        if (!soup_vertex(&piece->soup, piece->points.values + i))
            return false;
    return true;
}

static bool add_cell(struct piece *piece, uint32_t kind, size_t first, size_t end)
{
    uint32_t v[SOUP_FACE_MOST];
    if (end - first > SOUP_FACE_MOST)
        return scan_fail(&piece->scan, "a cell has more than %u corners", SOUP_FACE_MOST);
    for (size_t i = first; i < end; ++i)
        v[i - first] = piece->first + (uint32_t)piece->corners.values[i];
    return vtk_cell(&piece->soup, kind, v, (uint32_t)(end - first));
}

/* `kind` 0: each cell has its own. */
static bool add_cells(struct piece *piece, uint32_t kind)
{
    const double points = (double)(piece->soup.vertex_count - piece->first);
    size_t first = 0;
    if (piece->corners.count > 0 && points < 1)
        return scan_fail(&piece->scan, "cells before points");
    if (kind == 0 && piece->kinds.count != piece->ends.count)
        return scan_fail(&piece->scan, "there must be one of types for each of offsets");
    if (!are_counts(piece, &piece->corners, "connectivity", points - 1) ||
        !are_counts(piece, &piece->ends, "offset", (double)piece->corners.count) ||
        !are_counts(piece, &piece->kinds, "type", 255))
        return false;
    for (size_t i = 0; i < piece->ends.count; ++i) {
        const size_t end = (size_t)piece->ends.values[i];
        if (end < first)
            return scan_fail(&piece->scan, "offset %zu is less than the one before", i + 1);
        if (!add_cell(piece, kind ? kind : (uint32_t)piece->kinds.values[i], first, end))
            return false;
        first = end;
    }
    return true;
}

/* The arrays within <Points>, <Cells>, <Polys> or <Strips>, until that closes. */
static bool read_arrays(struct piece *piece, const char *within)
{
    struct xml_tag tag;
    char name[SCAN_WORD];
    enum xml_found found;
    while ((found = xml_next(&piece->scan, &tag)) == XML_TAG) {
        if (tag.closes && strcmp(tag.name, within) == 0)
            return true;
        if (tag.closes || strcmp(tag.name, "DataArray") != 0)
            continue;
        xml_word(&tag, "Name", name);
        struct vtk_values *to = strcmp(within, "Points") == 0       ? &piece->points
                                : strcmp(name, "connectivity") == 0 ? &piece->corners
                                : strcmp(name, "offsets") == 0      ? &piece->ends
                                : strcmp(name, "types") == 0        ? &piece->kinds
                                                                    : NULL;
        if (to && !vtk_array_read(&piece->scan, &tag, &piece->coding, to))
            return false;
    }
    return found == XML_END && scan_fail(&piece->scan, "the file ends within %s", within);
}

/* VTK writes points before cells, and each once a piece. */
static bool read_part(struct piece *piece, const char *name)
{
    static const struct {
        const char *name;
        uint32_t kind;
    } faces[] = {{"Polys", VTK_POLYGON}, {"Strips", VTK_STRIP}};
    if (strcmp(name, "Points") == 0)
        return read_arrays(piece, name) && add_points(piece);
    if (strcmp(name, "Cells") == 0)
        return read_arrays(piece, name) && add_cells(piece, 0);
    for (size_t i = 0; i < 2; ++i)
        if (strcmp(name, faces[i].name) == 0) {
            piece->corners.count = piece->ends.count = 0;
            return read_arrays(piece, name) && add_cells(piece, faces[i].kind);
        }
    return true;
}

static bool read_head(struct piece *piece)
{
    struct xml_tag tag;
    char type[SCAN_WORD];
    const enum xml_found found = xml_next(&piece->scan, &tag);
    if (found == XML_BAD)
        return false;
    if (found == XML_END || strcmp(tag.name, "VTKFile") != 0)
        return scan_fail(&piece->scan, "the file does not begin with <VTKFile>");
    xml_word(&tag, "type", type);
    if (strcmp(type, "UnstructuredGrid") != 0 && strcmp(type, "PolyData") != 0)
        return scan_fail(&piece->scan, "%s is not read: UnstructuredGrid and PolyData are", type);
    return vtk_coding_read(&piece->scan, &tag, &piece->coding);
}

static bool read_all(struct piece *piece)
{
    struct xml_tag tag;
    enum xml_found found;
    if (!read_head(piece))
        return false;
    while ((found = xml_next(&piece->scan, &tag)) == XML_TAG) {
        if (strcmp(tag.name, "AppendedData") == 0)
            return true;
        if (strcmp(tag.name, "Piece") == 0)
            piece->points.count = piece->corners.count = piece->ends.count = piece->kinds.count = 0;
        else if (!tag.closes && !tag.empty && !read_part(piece, tag.name))
            return false;
    }
    return found == XML_END;
}

bool vtk_xml_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
                   struct problem *problem)
{
    struct piece piece = {.scan = scan_text(name, text, bytes, problem)};
    piece.soup.scan = &piece.scan;
    const bool good = read_all(&piece);
    vtk_values_free(&piece.points);
    vtk_values_free(&piece.corners);
    vtk_values_free(&piece.ends);
    vtk_values_free(&piece.kinds);
    return soup_close(&piece.soup, good, mesh);
}
