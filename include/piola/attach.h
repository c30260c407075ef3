/* attach.h - attachments: points of bodies held to each other or to the world. Included by piola.h:
 * include that. */
#ifndef PIOLA_PIOLA_ATTACH_H
#define PIOLA_PIOLA_ATTACH_H

#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A point of a body: the weighted mean of 1 to 4 of its vertices. One vertex with weight 1 is a
 * vertex, three are a point of a triangle, four of a tetrahedron. Weights sum to 1. */
typedef struct piola_attachment_point {
    piola_body body; /* all-zero: no body; then `count` is 0 */
    uint32_t count;
    uint32_t vertices[4]; /* in the description's order, all different */
    float weights[4];     /* -10 to 10 each */
} piola_attachment_point;

typedef struct piola_attachment_desc {
    uint32_t cookie_;
    piola_attachment_point point; /* of the first body */
    piola_attachment_point other; /* of another body or of the same; without a body: the target */
    float target[3]; /* m, in the world, for attachments to it; piola_attachment_set_target moves it
                      */
    float compliance; /* m/N, >= 0: how far it gives way to a newton; 0 (default) is rigid */
    float damping; /* N s/m, 0 to 1e9: force for each m/s at which its gap opens, beside the spring;
                      a rigid one has no spring to damp */
} piola_attachment_desc;

/* Between nothing and the world's origin, rigid. */
PIOLA_API piola_attachment_desc piola_attachment_desc_default(void);

/* Between steps only. The points need not be in one place yet: they are pulled together. An
 * attachment ends with any of its bodies. PIOLA_ERROR_ATTACHMENTS_FULL. */
PIOLA_API piola_status piola_attachment_create(piola_world *world,
                                               const piola_attachment_desc *desc,
                                               piola_attachment *attachment, piola_error *error);
/* Between steps only; during one: piola_attachment_detach. */
PIOLA_API piola_status piola_attachment_destroy(piola_world *world, piola_attachment attachment);
/* False once it was destroyed, detached or has lost a body. */
PIOLA_API bool piola_attachment_alive(const piola_world *world, piola_attachment attachment);

/* Handles of all attachments, as piola_world_bodies. */
PIOLA_API piola_status piola_world_attachments(const piola_world *world,
                                               piola_attachment *attachments, uint32_t capacity,
                                               uint32_t *count);

typedef struct piola_attachment_info {
    /* N, on the first body; the opposite on the other side. With report_physics or room for contact
     * events as its bodies' momenta say, the mean of the last step; else what the solver made of it
     * in the last substep: of rigid ones many times too much or too little. */
    float force[3];
    float gap[3]; /* m, from the other point (or the target) to the first, now */
    float target[3], compliance, damping; /* as described, or set since */
} piola_attachment_info;

/* Force and gap as the last step left them. Between steps only. */
PIOLA_API piola_status piola_attachment_inspect(const piola_world *world,
                                                piola_attachment attachment,
                                                piola_attachment_info *info);

#ifdef __cplusplus
}
#endif

#endif
