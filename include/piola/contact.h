/* contact.h - colliders, what bodies cannot enter; contact as it was felt. Included by piola.h:
 * include that. */
#ifndef PIOLA_PIOLA_CONTACT_H
#define PIOLA_PIOLA_CONTACT_H

#include "piola/shape.h"
#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- colliders ----------------------------------------------------------------------------------
 */

typedef struct piola_collider_desc {
    uint32_t cookie_;
    piola_shape shape;         /* its compiled data must live as long as the world: see
                                  piola_world_add_shape */
    float position[3];         /* m */
    float rotation[4];         /* unit quaternion x, y, z, w */
    float velocity[3];         /* m/s, kept until a command changes it */
    float angular_velocity[3]; /* rad/s about its origin, in the world's axes: it turns by just that
                                */
    float margin;              /* m, >= 0: bodies keep this distance from the surface */
    float friction_static;     /* 0 to 10, at least friction_kinetic; below 0 (default): as of
                                  piola_body_desc */
    float friction_kinetic;
    float restitution; /* 0 to 1: share of the approaching speed that what hits it leaves with. Of a
                          body, each vertex by itself: what the rest of the body then does to it is
                          elasticity's. Of two solids, the larger of both counts */
    /* Two meet when each one's category has a bit of the other's mask. */
    uint64_t category;  /* default 1 */
    uint64_t mask;      /* default all */
    uint64_t user_data; /* the user's, kept and returned */
    bool sensor;        /* feels who is inside, but exerts no force */
} piola_collider_desc;

/* A plane through the origin, no friction of its own, no restitution, no margin, meets all. */
PIOLA_API piola_collider_desc piola_collider_desc_default(void);

/* Between steps only. PIOLA_ERROR_COLLIDERS_FULL above piola_world_desc.max_colliders;
 * PIOLA_ERROR_SHAPES_FULL. */
PIOLA_API piola_status piola_collider_create(piola_world *world, const piola_collider_desc *desc,
                                             piola_collider *collider, piola_error *error);
/* Between steps only. Its compiled shape stays known to the world. */
PIOLA_API piola_status piola_collider_destroy(piola_world *world, piola_collider collider);
/* False once it was destroyed. */
PIOLA_API bool piola_collider_alive(const piola_world *world, piola_collider collider);

/* Handles of all colliders, as piola_world_bodies. */
PIOLA_API piola_status piola_world_colliders(const piola_world *world, piola_collider *colliders,
                                             uint32_t capacity, uint32_t *count);

typedef struct piola_collider_info {
    float position[3], rotation[4];         /* m, unit quaternion */
    float velocity[3], angular_velocity[3]; /* m/s, rad/s */
    double force[3];  /* N, of all bodies on it in the last step, as of piola_body_contact_forces */
    double torque[3]; /* N m, the same about its position */
    uint32_t touches; /* vertices that pressed on it then; of a sensor: that are inside now */
    uint64_t category, mask, user_data; /* as described, or set since */
    float margin, friction_static, friction_kinetic, restitution;
    bool sensor;
    double behind; /* m, that its farthest place is from where commands want it, where surfaces hold
                      it up: it catches up by at most piola_world_desc.catch_up_speed */
} piola_collider_info;

/* Without max_contact_events the force is what the solver balanced in the last substep, which in
 * impacts misses much: the residual of the touching vertices with DESCENT, their corrections times
 * mass / dt^2 with the projection solvers. */
PIOLA_API piola_status piola_collider_inspect(const piola_world *world, piola_collider collider,
                                              piola_collider_info *info);

/* How many of the body's vertices are inside the collider now, its margin counted, and how deep the
 * deepest of those that no pin holds is (m; 0: none). A body that begins so is let out at 1 m/s.
 * None is where the two do not meet by their categories. Between steps only. */
PIOLA_API piola_status piola_collider_inside(const piola_world *world, piola_collider collider,
                                             piola_body body, uint32_t *vertices, float *depth);

/* ---- what touched in the last step --------------------------------------------------------------
 */

typedef enum piola_contact_phase {
    PIOLA_CONTACT_BEGIN = 1, /* not after the step before, or there was no room to tell it */
    PIOLA_CONTACT_STAY,
    PIOLA_CONTACT_END /* no longer; listed once */
} piola_contact_phase;

/* A body and one of another body (the same twice where a body touches itself), a collider, or a
 * rigid body. */
typedef struct piola_contact_event {
    piola_body body;
    piola_body other;        /* index 0 unless it is a body */
    piola_collider collider; /* index 0 unless it is a collider */
    piola_rigid rigid;       /* index 0 unless it is a rigid body */
    piola_contact_phase phase;
    uint32_t touches; /* vertices that the collider pressed on in the step, or that a sensor has
                         inside; pairs of surface parts when it ended */
    double force[3];  /* N, on `body`, mean of the step: as of piola_body_contact_forces */
} piola_contact_event;

/* Copies events first .. first+count-1 after a step, sorted by body, collider, other body; `total`
 * is how many there are, at most piola_world_desc.max_contact_events. What was told keeps its place
 * until it ended; what finds no room beside it is counted in piola_report.contact_events_dropped,
 * and begins when there is room. */
PIOLA_API piola_status piola_world_contact_events(const piola_world *world, uint32_t first,
                                                  uint32_t count, piola_contact_event *events,
                                                  uint32_t *total);

/* One place at which two things press on each other. The first side is `body`, or `rigid` where
 * there is no body (a rigid body at a collider or at another); the other side is what else is
 * named.
 */
typedef struct piola_contact_point {
    piola_body body;         /* index 0: a rigid body at a collider, or at another */
    piola_body other;        /* index 0 unless it is a body; the same twice: it touches itself */
    piola_collider collider; /* index 0 unless it is a collider */
    piola_rigid rigid;       /* index 0 unless it is a rigid body, or that is the first side */
    piola_rigid other_rigid; /* of two rigid bodies the one with the higher index; else index 0 */
    uint32_t vertex; /* of `body`, as described; PIOLA_EVERY_VERTEX where an edge or a face of it
                        touches, or there is no body */
    float point[3];  /* m, on the first side */
    float normal[3]; /* unit, from the other side to the first; 0 where two places coincide */
    float gap;       /* m, along it, less the collider's margin or contact_thickness: below 0 where
                        that is not kept */
    float normal_force;     /* N, on the first side along the normal */
    float tangent_force[3]; /* N, on the first side: friction */
} piola_contact_point;

/* Where a body (all-zero: everything) is in touch after a step, with the forces of its last
 * substep. Vertices at colliders and rigid bodies by rising body and vertex, after those of a
 * body its edges and faces there; then, with
 * max_contact_events above 0, pairs of surfaces that pushed; then, of
 * everything, rigid bodies at colliders, and at each other. Of two bodies the one asked about comes
 * first, else the lower one. Sensors are not listed. Writes the first `capacity` of them to
 * `points` (null when capacity is 0); `count` is how many there are: none after bodies or colliders
 * were created or destroyed. */
PIOLA_API piola_status piola_world_contact_points(const piola_world *world, piola_body body,
                                                  piola_contact_point *points, uint64_t capacity,
                                                  uint64_t *count);

/* Copies the forces (N) of contact on vertices first .. first+count-1, 3 floats each: of colliders,
 * rigid bodies and surfaces, mean of the step. Times the step they sum to what contact gave to the
 * body's momentum, limits and repairs included, to 1e-4 of it, however far the iterations are from
 * their end; what one body feels of another, that one feels the other way. How a body's force is
 * spread over its vertices is known as well as the solver knows it. So it is of bodies that pins,
 * guides and tools leave alone, and of others that touch these. Without max_contact_events: of
 * colliders alone, in the last substep, as piola_collider_inspect says. None after bodies or
 * colliders were created or destroyed. */
PIOLA_API piola_status piola_body_contact_forces(const piola_world *world, piola_body body,
                                                 uint32_t first, uint32_t count, float *xyz);

#ifdef __cplusplus
}
#endif

#endif
