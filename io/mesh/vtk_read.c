/* vtk_read.c - meshes as VTK's legacy files (.vtk): unstructured grids and surfaces, as text and
 * binary, versions up to 5. Points and lines are passed over, curved elements keep their corners;
 * other solids than tetrahedra are refused. Data of points and cells is not read. */
#include "io/base/memory.h"
#include "io/mesh/meshes.h"
#include "io/mesh/vtk_cells.h"

#include <string.h>

struct vtk {
    struct scan scan;
    struct soup soup;
    enum scan_order order;
    bool offsets;      /* cells are given by offsets: version 5 */
    uint32_t *corners; /* of all cells, one after the other */
    uint32_t *ends;    /* of each cell in `corners` */
    uint32_t cell_count;
    bool typed; /* the kinds of the cells were read */
};

static bool read_type(struct vtk *vtk, enum scan_type *type)
{
    static const struct {
        const char *name;
        enum scan_type type;
    } names[] = {
        {"float", SCAN_F32},         {"double", SCAN_F64},        {"int", SCAN_I32},
        {"unsigned_int", SCAN_U32},  {"long", SCAN_I64},          {"vtktypeint64", SCAN_I64},
        {"unsigned_long", SCAN_U64}, {"vtktypeuint64", SCAN_U64}, {"short", SCAN_I16},
        {"vtkIdType", SCAN_I32},     {"vtktypeint32", SCAN_I32},
    };
    char word[SCAN_WORD];
    scan_word(&vtk->scan, word);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(names[i].name, word) == 0) {
            *type = names[i].type;
            scan_line(&vtk->scan);
            return true;
        }
    return scan_fail(&vtk->scan, "numbers of the type \"%s\" are not read", word);
}

static bool read_points(struct vtk *vtk)
{
    uint64_t count;
    enum scan_type type = SCAN_F32;
    double xyz[3];
    if (!scan_count(&vtk->scan, &count) || !read_type(vtk, &type))
        return false;
    vtk->scan.item = "point";
    for (uint64_t i = 0; i < count; ++i) {
        vtk->scan.number = (size_t)i + 1;
        for (int k = 0; k < 3; ++k)
            if (!scan_value(&vtk->scan, type, vtk->order, &xyz[k]))
                return false;
        if (!soup_vertex(&vtk->soup, xyz))
            return false;
    }
    return true;
}

/* A whole number below `most`. */
static bool read_index(struct vtk *vtk, enum scan_type type, uint64_t most, uint32_t *index)
{
    double value;
    if (!scan_value(&vtk->scan, type, vtk->order, &value))
        return false;
    if (!(value >= 0 && value < (double)most) || value != (double)(uint32_t)value)
        return scan_fail(&vtk->scan, "%.17g where a whole number below %llu was expected", value,
                         (unsigned long long)most);
    *index = (uint32_t)value;
    return true;
}

/* Memory for what the file says, which it must have room for: a number takes a byte at least. */
static bool take_cells(struct vtk *vtk, uint64_t cells, uint64_t corners)
{
    const size_t left = (size_t)(vtk->scan.end - vtk->scan.at);
    if (cells > left || corners > left || cells > 1u << 26)
        return scan_fail(&vtk->scan, "the file is too short for so many cells");
    if (vtk->corners)
        return scan_fail(&vtk->scan, "a second list of cells");
    vtk->cell_count = (uint32_t)cells;
    vtk->corners = memory_take(((size_t)corners + 1) * sizeof *vtk->corners);
    vtk->ends = memory_take(((size_t)cells + 1) * sizeof *vtk->ends);
    return (vtk->corners && vtk->ends) ||
           problem_memory(vtk->scan.problem, "cells", (size_t)corners * 4);
}

/* Up to version 4: of each cell its number of corners, then these. */
static bool read_counted(struct vtk *vtk, uint64_t cells, uint64_t numbers)
{
    uint32_t used = 0, corners = 0;
    if (!take_cells(vtk, cells, numbers))
        return false;
    for (uint32_t i = 0; i < vtk->cell_count; ++i) {
        vtk->scan.number = (size_t)i + 1;
        if (!read_index(vtk, SCAN_I32, numbers, &corners))
            return false;
        if (corners > numbers - used)
            return scan_fail(&vtk->scan, "more corners than the file says there are");
        for (uint32_t k = 0; k < corners; ++k)
            if (!read_index(vtk, SCAN_I32, UINT32_MAX, &vtk->corners[used++]))
                return false;
        vtk->ends[i] = used;
    }
    return true;
}

/* Version 5: where each cell begins and ends, then all corners. */
static bool read_offsets(struct vtk *vtk, uint64_t offsets, uint64_t corners)
{
    enum scan_type type = SCAN_I64;
    uint32_t last = 0;
    if (!scan_takes(&vtk->scan, "OFFSETS") || !read_type(vtk, &type) || offsets == 0)
        return scan_fail(&vtk->scan, "OFFSETS were expected");
    if (!take_cells(vtk, offsets - 1, corners))
        return false;
    for (uint64_t i = 0; i < offsets; ++i) {
        uint32_t offset = 0;
        if (!read_index(vtk, type, corners + 1, &offset))
            return false;
        if (offset < last || (i == 0 && offset != 0))
            return scan_fail(&vtk->scan, "offsets must rise from 0");
        last = offset;
        if (i > 0)
            vtk->ends[i - 1] = offset;
    }
    if (!scan_takes(&vtk->scan, "CONNECTIVITY") || !read_type(vtk, &type))
        return scan_fail(&vtk->scan, "CONNECTIVITY was expected");
    for (uint64_t i = 0; i < corners; ++i)
        if (!read_index(vtk, type, UINT32_MAX, &vtk->corners[i]))
            return false;
    return true;
}

static bool read_cells(struct vtk *vtk)
{
    uint64_t cells, numbers;
    if (!scan_count(&vtk->scan, &cells) || !scan_count(&vtk->scan, &numbers))
        return false;
    scan_line(&vtk->scan);
    vtk->scan.item = "cell";
    return vtk->offsets ? read_offsets(vtk, cells, numbers) : read_counted(vtk, cells, numbers);
}

static bool read_kinds(struct vtk *vtk)
{
    uint64_t count;
    uint32_t kind = 0;
    if (!scan_count(&vtk->scan, &count))
        return false;
    if (count != vtk->cell_count || !vtk->corners || vtk->typed)
        return scan_fail(&vtk->scan, "there must be one kind for each cell, behind the cells");
    scan_line(&vtk->scan);
    vtk->typed = true;
    for (uint32_t i = 0; i < vtk->cell_count; ++i) {
        const uint32_t first = i ? vtk->ends[i - 1] : 0;
        vtk->scan.number = (size_t)i + 1;
        if (!read_index(vtk, SCAN_I32, 256, &kind) ||
            !vtk_cell(&vtk->soup, kind, vtk->corners + first, vtk->ends[i] - first))
            return false;
    }
    return true;
}

static void drop_cells(struct vtk *vtk)
{
    memory_give(vtk->corners);
    memory_give(vtk->ends);
    vtk->corners = vtk->ends = NULL;
}

/* Of a surface: there may be lists of polygons and of strips. */
static bool read_faces(struct vtk *vtk, uint32_t kind)
{
    if (!read_cells(vtk))
        return false;
    for (uint32_t i = 0; i < vtk->cell_count; ++i) {
        const uint32_t first = i ? vtk->ends[i - 1] : 0;
        vtk->scan.number = (size_t)i + 1;
        if (!vtk_cell(&vtk->soup, kind, vtk->corners + first, vtk->ends[i] - first))
            return false;
    }
    drop_cells(vtk);
    return true;
}

static bool read_head(struct vtk *vtk)
{
    struct scan *scan = &vtk->scan;
    char word[SCAN_WORD];
    double version;
    if (!scan_takes(scan, "#") || !scan_takes(scan, "vtk") || !scan_takes(scan, "DataFile") ||
        !scan_takes(scan, "Version") || !scan_number(scan, &version))
        return scan_fail(scan, "the file does not begin with \"# vtk DataFile Version\"");
    vtk->offsets = version >= 5;
    scan_line(scan);
    scan_line(scan); /* a title */
    if (scan_takes(scan, "BINARY"))
        vtk->order = SCAN_BIG;
    else if (!scan_takes(scan, "ASCII"))
        return scan_fail(scan, "ASCII or BINARY was expected");
    if (!scan_takes(scan, "DATASET") || !scan_word(scan, word))
        return scan_fail(scan, "DATASET was expected");
    return strcmp(word, "UNSTRUCTURED_GRID") == 0 || strcmp(word, "POLYDATA") == 0 ||
           scan_fail(scan, "%s is not read: UNSTRUCTURED_GRID and POLYDATA are", word);
}

static bool read_all(struct vtk *vtk)
{
    char word[SCAN_WORD];
    if (!read_head(vtk))
        return false;
    while (!vtk->typed) {
        vtk->scan.item = NULL;
        if (!scan_word(&vtk->scan, word) || strcmp(word, "CELL_DATA") == 0 ||
            strcmp(word, "POINT_DATA") == 0)
            break;
        bool good = true;
        if (strcmp(word, "POINTS") == 0)
            good = read_points(vtk);
        else if (strcmp(word, "CELLS") == 0)
            good = read_cells(vtk);
        else if (strcmp(word, "CELL_TYPES") == 0)
            good = read_kinds(vtk);
        else if (strcmp(word, "POLYGONS") == 0)
            good = read_faces(vtk, VTK_POLYGON);
        else if (strcmp(word, "TRIANGLE_STRIPS") == 0)
            good = read_faces(vtk, VTK_STRIP);
        else
            scan_line(&vtk->scan); /* of METADATA and its kin */
        if (!good)
            return false;
    }
    return true;
}

bool vtk_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
               struct problem *problem)
{
    struct vtk vtk = {.scan = scan_text(name, text, bytes, problem)};
    vtk.soup.scan = &vtk.scan;
    const bool good = read_all(&vtk);
    drop_cells(&vtk);
    return soup_close(&vtk.soup, good, mesh);
}
