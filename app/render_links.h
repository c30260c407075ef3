/* render_links.h - chains as something to draw: a round bar with round ends for each link.
 *
 * Lives here: shapes and where they stand. What must not live here: OpenGL.
 */
#ifndef APP_RENDER_LINKS_H
#define APP_RENDER_LINKS_H

#include "io/mesh/meshgen.h"
#include "render_surface.h"

struct render_links {
    struct surface_corners surface; /* of all links, its normals are set by render_links_place */
    float *xyz, *values;            /* of the surface's vertices */
    const struct meshgen *mesh;
    const struct meshgen *bead;
};

/* `bead`: a ball of radius 1, which must outlive this, as must the chain's mesh. */
bool render_links_prepare(struct render_links *links, const struct meshgen *mesh,
                          const struct meshgen *bead, struct pool *pool, struct problem *problem);
/* From the chain's vertices now, and, unless null, their values. */
void render_links_place(struct render_links *links, const float *vertices, const float *values);

#endif
