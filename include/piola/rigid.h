/* rigid.h - rigid bodies: shapes that move by their mass. Included by piola.h: include that. */
#ifndef PIOLA_PIOLA_RIGID_H
#define PIOLA_PIOLA_RIGID_H

#include "piola/shape.h"
#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A rigid body pushes bodies and is pushed by them; colliders stop it. Its origin is its centre of
 * mass. */
typedef struct piola_rigid_desc {
    uint32_t cookie_;
    piola_shape shape; /* not a plane, a wall or heights; its compiled data must live as long as the
                          world: see piola_world_add_shape */
    float position[3]; /* m */
    float rotation[4]; /* unit quaternion x, y, z, w */
    float velocity[3]; /* m/s */
    float angular_velocity[3]; /* rad/s, in the world's axes */
    float mass;                /* kg, 1e-9 to 1e9 */
    /* kg m^2 about the axes of its own frame; all 0 (default), of a sphere, capsule or box: of the
     * shape. Compiled data needs it. Given or of the shape, none is more than the sum of the others
     * (and a thousandth), 1e8 times the least, or 1e12; none is less than 1e-18 m^2 times the mass.
     */
    float inertia[3];
    float gravity_scale;   /* factor on the world's gravity; default 1 */
    float damping;         /* 1/s, >= 0, as of piola_body_desc */
    float margin;          /* m, >= 0: bodies keep this distance from the surface */
    float friction_static; /* as of piola_body_desc, both */
    float friction_kinetic;
    float restitution; /* 0 to 1: as of piola_collider_desc */
    /* Two meet when each one's category has a bit of the other's mask. */
    uint64_t category;  /* default 1 */
    uint64_t mask;      /* default all */
    uint64_t user_data; /* the user's, kept and returned */
} piola_rigid_desc;

/* A ball of 0.1 m and 1 kg at the origin, at rest, no friction of its own, no restitution, no
 * margin, gravity in full, meets all. */
PIOLA_API piola_rigid_desc piola_rigid_desc_default(void);

/* Between steps only. PIOLA_ERROR_RIGIDS_FULL above piola_world_desc.max_rigids;
 * PIOLA_ERROR_SHAPES_FULL. */
PIOLA_API piola_status piola_rigid_create(piola_world *world, const piola_rigid_desc *desc,
                                          piola_rigid *rigid, piola_error *error);
/* Between steps only. Its shape's data stays known to the world. */
PIOLA_API piola_status piola_rigid_destroy(piola_world *world, piola_rigid rigid);
/* False once it was destroyed. */
PIOLA_API bool piola_rigid_alive(const piola_world *world, piola_rigid rigid);

/* Handles of all rigid bodies, as piola_world_bodies. */
PIOLA_API piola_status piola_world_rigids(const piola_world *world, piola_rigid *rigids,
                                          uint32_t capacity, uint32_t *count);

typedef struct piola_rigid_info {
    float position[3], rotation[4];         /* m, unit quaternion */
    float velocity[3], angular_velocity[3]; /* m/s, rad/s; at most 1e9 each */
    double mass, inertia[3];                /* kg; kg m^2 about its own axes */
    double force[3];  /* N, of all bodies on it in the last step: as of a collider */
    double torque[3]; /* N m, the same about its position */
    uint32_t touches; /* vertices that pressed on it then */
    uint64_t category, mask, user_data; /* as described, or set since */
    float gravity_scale, damping, margin, friction_static, friction_kinetic, restitution;
    bool asleep; /* it lies still: piola_world_desc.sleep */
} piola_rigid_info;

/* The force is what the solver balanced, as of piola_collider_info. */
PIOLA_API piola_status piola_rigid_inspect(const piola_world *world, piola_rigid rigid,
                                           piola_rigid_info *info);
/* As piola_collider_inside. */
PIOLA_API piola_status piola_rigid_inside(const piola_world *world, piola_rigid rigid,
                                          piola_body body, uint32_t *vertices, float *depth);

#ifdef __cplusplus
}
#endif

#endif
