/* render_rods.h - rods as something to draw: tubes, with a stripe along them that turns as they do.
 *
 * Lives here: shapes and where they stand. What must not live here: OpenGL.
 */
#ifndef APP_RENDER_RODS_H
#define APP_RENDER_RODS_H

#include "io/scene/stage.h"
#include "render_surface.h"

struct render_rods {
    struct surface_corners surface; /* its normals are set by render_rods_place */
    float *xyz, *values;            /* of the surface's vertices */
    uint8_t *colours;               /* of its triangles */
    float *turns;                   /* 4 a segment */
    float *radii;                   /* of segments, m */
    uint32_t *beside;               /* 2 a segment: the one that goes on at each end, or itself */
    uint32_t *ends;                 /* vertices where rods end, of which the segment is ends[i] / 2
                                       and its end ends[i] % 2 */
    uint32_t end_count;
    const struct meshgen *mesh;
};

bool render_rods_prepare(struct render_rods *rods, const struct stage *stage,
                         const struct stage_asset *asset, struct pool *pool,
                         struct problem *problem);
/* From the vertices now, and, unless null, their values; rods->turns was filled. The stripe is
 * darker than the colour. */
void render_rods_place(struct render_rods *rods, const float *vertices, const float *values,
                       const uint8_t colour[3]);

#endif
