/* vtk_cells.c - see vtk_cells.h. */
#include "io/mesh/vtk_cells.h"

/* Every second triangle of a strip turns the other way. */
static bool strip(struct soup *soup, const uint32_t *v, uint32_t corners)
{
    for (uint32_t i = 2; i < corners; ++i) {
        const uint32_t odd = i & 1;
        const uint32_t triangle[3] = {v[i - 2 + odd], v[i - 1 - odd], v[i]};
        if (!soup_triangle(soup, triangle))
            return false;
    }
    return true;
}

bool vtk_cell(struct soup *soup, uint32_t kind, const uint32_t *v, uint32_t corners)
{
    switch (kind) {
    case 1: /* points and lines */
    case 2:
    case 3:
    case 4:
    case 21:
        return true;
    case 5:
    case 22:
        return corners >= 3 ? soup_triangle(soup, v)
                            : scan_fail(soup->scan, "a triangle has three corners");
    case VTK_STRIP:
        return strip(soup, v, corners);
    case VTK_POLYGON:
    case 9:
        return corners <= SOUP_FACE_MOST
                   ? soup_face(soup, v, corners)
                   : scan_fail(soup->scan, "more than %u corners", SOUP_FACE_MOST);
    case 23: /* a curved quadrilateral */
    case 28:
        return corners >= 4 ? soup_face(soup, v, 4)
                            : scan_fail(soup->scan, "a quadrilateral has four corners");
    case 10:
    case 24:
        return corners >= 4 ? soup_tetrahedron(soup, v, 0)
                            : scan_fail(soup->scan, "a tetrahedron has four corners");
    default:
        return scan_fail(soup->scan,
                         "cells of VTK's kind %u are not read: cut them into triangles and "
                         "tetrahedra first",
                         kind);
    }
}
