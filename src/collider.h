/* collider.h - what a world keeps of its colliders, and what a touching particle is told of them.
 *
 * Lives here: the structs, and the calls between the files that share them. Shapes: shape.c. The
 * life of colliders and their motion: collider.c. What they do to particles: touch*.c.
 */
#ifndef PIOLA_COLLIDER_H
#define PIOLA_COLLIDER_H

#include "kernels_solids.h"
#include "piola/piola.h"

enum collider_flags {
    COLLIDER_ALIVE = 1,
    COLLIDER_GOES = 2,
    COLLIDER_TURNS = 4,
    COLLIDER_SENSOR = 8
};

/* Shape and surface; what of a collider never moves. */
struct collider_shape {
    uint32_t kind; /* piola_collider_shape */
    float size[3]; /* m, inner half lengths: without the rounding */
    float radius;  /* m, shape's rounding */
    float margin;  /* m */
    float friction_static, friction_kinetic, restitution;
};

/* What distances are asked of: a collider's shape, and the compiled one it refers to or null. */
struct form {
    const struct collider_shape *shape;
    const piola_shape *compiled;
};

struct collider {
    uint32_t generation, flags; /* collider_flags */
    uint32_t mask;
    uint32_t compiled; /* slot + 1 of its compiled shape in world_shapes, 0 if it has none */
    struct collider_shape shape;
    float position[3], rotation[4]; /* m, unit quaternion; when the step begins */
    float velocity[3], spin[3];     /* m/s, rad/s */
    float goal[3], heading[4];      /* where a command wants it when the step ends */
};

/* A place and an orientation: world = rotation * local + position. */
struct pose {
    float rotation[9]; /* row-major */
    float position[3];
};

/* Balls around 16 colliders that stand still through a step, their margins too: infinite around
 * others, so that what is outside of one (touch_block.h) is surely out of reach. Lanes of no
 * collider hold anything. */
struct touch_sieve {
    float centre[3][PK_LANES], radius[PK_LANES]; /* m */
};

/* What the planes of a particle belong to. */
struct touch_note {
    uint32_t collider[PK_TOUCHES];
    float depth[PK_TOUCHES];   /* m, how far inside it might get: which planes to keep */
    float last[PK_TOUCHES][3]; /* m, in the collider's frame: the last place proven free */
    uint32_t caught;           /* 1: put out of one collider, maybe into another */
};

/* shape.c: distance (m, negative inside) of a point from the surface in the collider's frame. Never
 * changes faster than the point moves. `normal` may be null; it is the distance's gradient, a unit
 * vector away from the surface, some unit vector where there is none. */
float shape_distance(const struct form *form, const float p[3], float normal[3]);

/* collider.c: the collider behind a handle, or null. */
struct collider *collider_find(const piola_world *world, piola_collider handle);
/* Is what a snapshot holds possible? An empty slot has nothing but a generation. */
bool collider_sane(const piola_world *world, const struct collider *collider);
/* Where all colliders stand at each boundary of the step's substeps, into world_poses. */
void colliders_plan(piola_world *world);
/* After the step, before rigid_arrive: those that had to wait in its last substep got no further
 * than the last boundary that they reached (contact_outside.c). */
void colliders_wait(piola_world *world);
/* After the step: where they stand now. */
void colliders_arrive(piola_world *world);
/* Applies a collider's command; false when it has no collider. */
bool collider_obey(const piola_world *world, const piola_command *command);
/* Where it stands between two steps. */
void collider_stands(const struct collider *collider, struct pose *pose);
/* After a change of colliders or bodies: counts anew; what touched in the last step is forgotten.
 */
void colliders_recount(piola_world *world);

static inline void quad_read(const struct pk_quad *quad, float at[3])
{
    at[0] = quad->x;
    at[1] = quad->y;
    at[2] = quad->z;
}

static inline void quad_write(struct pk_quad *quad, const float at[3])
{
    quad->x = at[0];
    quad->y = at[1];
    quad->z = at[2];
}

static inline void pose_out(const struct pose *pose, const float local[3], float world[3])
{
    const float *r = pose->rotation;
    for (int k = 0; k < 3; ++k)
        world[k] = r[3 * k] * local[0] + r[3 * k + 1] * local[1] + r[3 * k + 2] * local[2] +
                   pose->position[k];
}

static inline void pose_turn(const struct pose *pose, const float local[3], float world[3])
{
    const float *r = pose->rotation;
    for (int k = 0; k < 3; ++k)
        world[k] = r[3 * k] * local[0] + r[3 * k + 1] * local[1] + r[3 * k + 2] * local[2];
}

static inline void pose_in(const struct pose *pose, const float world[3], float local[3])
{
    const float *r = pose->rotation;
    const float d[3] = {world[0] - pose->position[0], world[1] - pose->position[1],
                        world[2] - pose->position[2]};
    for (int k = 0; k < 3; ++k)
        local[k] = r[k] * d[0] + r[3 + k] * d[1] + r[6 + k] * d[2];
}

#endif
