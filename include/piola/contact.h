/* contact.h - colliders: what bodies cannot enter. Included by piola.h: include that. */
#ifndef PIOLA_PIOLA_CONTACT_H
#define PIOLA_PIOLA_CONTACT_H

#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- colliders ----------------------------------------------------------------------------------
 */

/* In the collider's own frame. Lengths in metres. */
typedef enum piola_collider_shape {
    PIOLA_COLLIDER_PLANE = 0, /* everything with y < 0 is solid */
    PIOLA_COLLIDER_SPHERE,    /* `radius` about the origin */
    PIOLA_COLLIDER_CAPSULE,   /* `radius` about the segment from y = -size[1] to y = size[1] */
    PIOLA_COLLIDER_BOX,       /* half lengths `size`, edges rounded with `radius` */
    /* Of a compiled shape (piola/shape.h), without `size` and `radius`: */
    PIOLA_COLLIDER_HULL,      /* the convex hull of points */
    PIOLA_COLLIDER_MESH,      /* what closed triangles enclose */
    PIOLA_COLLIDER_WALL,      /* open triangles, as thick on both sides as the margin */
    PIOLA_COLLIDER_HEIGHTS,   /* everything under a height field; nothing beside it */
    PIOLA_COLLIDER_DISTANCES, /* where a grid of signed distances is negative */
    PIOLA_COLLIDER_SHAPE_COUNT
} piola_collider_shape;

typedef struct piola_shape piola_shape; /* compiled: immutable, may serve many colliders */

typedef struct piola_collider {
    uint32_t index; /* from 1; 0 is no collider */
    uint32_t generation;
} piola_collider;

typedef struct piola_collider_desc {
    uint32_t cookie_;
    piola_collider_shape shape;
    float size[3];             /* m, see the shape; 0 to 1e6 */
    float radius;              /* m; of a box at most its least half length */
    float position[3];         /* m */
    float rotation[4];         /* unit quaternion x, y, z, w */
    float velocity[3];         /* m/s, kept until a command changes it */
    float angular_velocity[3]; /* rad/s about its origin, in the world's axes: without mass it
                                  turns by just that */
    float margin;              /* m, >= 0: bodies keep this distance from the surface */
    float friction_static;     /* 0 to 10; at least friction_kinetic */
    float friction_kinetic;    /* 0 to 10 */
    float restitution; /* 0 to 1: share of the approaching speed that a vertex leaves with */
    uint32_t mask;     /* bit g set: touches bodies whose group is g modulo 32; default all */
    const piola_shape *compiled; /* of the shapes that are compiled, else null; must live as long as
                                    the world: see piola_world_add_shape */
    bool sensor;                 /* feels who is inside, but exerts no force */
    /* Not 0: a rigid body that moves by this mass (kg, 1e-9 to 1e9), pushes bodies and is pushed by
     * them; its origin is its centre of mass. Not for a plane, a wall, heights, or a sensor. */
    float mass;
    /* kg m^2 about the axes of its own frame; all 0 (default), of a sphere, capsule or box: of the
     * shape. A compiled shape needs it. Given or of the shape, none is more than the sum of the
     * others (and a thousandth), 1e8 times the least, or 1e12; none is less than 1e-18 m^2 times
     * the mass. */
    float inertia[3];
    float gravity_scale; /* of a rigid body: factor on the world's gravity; default 1 */
    float damping;       /* 1/s, of a rigid body, as of piola_body_desc */
    uint32_t group; /* of a rigid body: it meets colliders whose mask has this bit, modulo 32 */
} piola_collider_desc;

/* A plane through the origin, friction 0.5, no restitution, no margin, touches all groups. */
PIOLA_API piola_collider_desc piola_collider_desc_default(void);

/* Between steps only. PIOLA_ERROR_COLLIDERS_FULL above piola_world_desc.max_colliders;
 * PIOLA_ERROR_SHAPES_FULL. */
PIOLA_API piola_status piola_collider_create(piola_world *world, const piola_collider_desc *desc,
                                             piola_collider *collider, piola_error *error);
/* Between steps only. Its compiled shape stays known to the world. */
PIOLA_API piola_status piola_collider_destroy(piola_world *world, piola_collider collider);
/* False once it was destroyed. */
PIOLA_API bool piola_collider_alive(const piola_world *world, piola_collider collider);

typedef struct piola_collider_info {
    float position[3], rotation[4];         /* m, unit quaternion */
    float velocity[3], angular_velocity[3]; /* m/s, rad/s; of a rigid body at most 1e9 each */
    double force[3];  /* N, of all bodies on it, in the last substep of the last step */
    double torque[3]; /* N m, the same about its position */
    uint32_t touches; /* vertices that pressed on it then; of a sensor: that are inside now */
} piola_collider_info;

/* The force is what the solver balanced: the residual of the touching vertices with DESCENT, their
 * corrections times mass / dt^2 with the projection solvers. */
PIOLA_API piola_status piola_collider_info_get(const piola_world *world, piola_collider collider,
                                               piola_collider_info *info);

/* ---- what touched in the last step --------------------------------------------------------------
 */

typedef enum piola_contact_phase {
    PIOLA_CONTACT_BEGIN = 1, /* not after the step before, or there was no room to tell it */
    PIOLA_CONTACT_STAY,
    PIOLA_CONTACT_END /* no longer; listed once */
} piola_contact_phase;

/* A body and a collider, or two bodies (the same twice where a body touches itself). */
typedef struct piola_contact_event {
    piola_body body;
    piola_body other;        /* index 0: it is a collider */
    piola_collider collider; /* index 0: it is a body */
    piola_contact_phase phase;
    uint32_t touches; /* vertices that the collider presses on, or that a sensor has inside; pairs
                         of surface parts */
    double force[3];  /* N, on `body`, in the last substep */
} piola_contact_event;

/* Copies events first .. first+count-1 after a step, sorted by body, collider, other body; `total`
 * is how many there are, at most piola_world_desc.max_contact_events. What was told keeps its place
 * until it ended; what finds no room beside it is counted in piola_report.contact_events_dropped,
 * and begins when there is room. */
PIOLA_API piola_status piola_world_contact_events(const piola_world *world, uint32_t first,
                                                  uint32_t count, piola_contact_event *events,
                                                  uint32_t *total);

/* Copies the forces (N) of contact on vertices first .. first+count-1 in the last substep, 3 floats
 * each: of colliders, and, with max_contact_events above 0, of surfaces. None after
 * bodies or colliders were created or destroyed. */
PIOLA_API piola_status piola_body_contact_forces(const piola_world *world, piola_body body,
                                                 uint32_t first, uint32_t count, float *xyz);

#ifdef __cplusplus
}
#endif

#endif
