/* soup.h - vertices and elements as a reader finds them, made a mesh at the end.
 *
 * Lives here: arrays that grow with what was read, so that a count in a file asks for no memory,
 * and what all formats need at their end: corners that exist, no vertex without an element,
 * tetrahedra right-handed. What must not live here: any format.
 */
#ifndef PIOLA_IO_SOUP_H
#define PIOLA_IO_SOUP_H

#include "io/mesh/meshgen.h"
#include "io/mesh/scan.h"

#define SOUP_FACE_MOST 1024u /* corners of a face, which becomes a fan of triangles */

struct soup {
    struct scan *scan; /* for messages */
    double *vertices;
    uint32_t *triangles, *tetrahedra, *regions;
    uint32_t vertex_count, triangle_count, tetrahedron_count;
    uint32_t vertex_room, triangle_room, tetrahedron_room;
    bool has_regions;
};

/* Each returns false with a problem. Corners are not looked at before soup_close. */
bool soup_vertex(struct soup *soup, const double xyz[3]);
bool soup_triangle(struct soup *soup, const uint32_t v[3]);
bool soup_tetrahedron(struct soup *soup, const uint32_t v[4], uint32_t region);
/* A face of `count` corners: a fan. */
bool soup_face(struct soup *soup, const uint32_t *v, uint32_t count);

/* Vertices in one place become one, and triangles without an area by that are left out. */
bool soup_weld(struct soup *soup);
/* The mesh, when all was read well: of the tetrahedra when there are any, else of the triangles.
 * Takes all memory of the soup, also on failure. */
bool soup_close(struct soup *soup, bool good, struct meshgen *mesh);

#endif
