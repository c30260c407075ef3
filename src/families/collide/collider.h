/* collider.h - what a world keeps of its colliders, and what a touching particle is told of them.
 *
 * Lives here: the structs, and the calls between the files that share them. Shapes:
 * primitive_distance.c. The life of colliders and their motion: collider.c. What they do to
 * particles: touch*.c.
 */
#ifndef PIOLA_COLLIDER_H
#define PIOLA_COLLIDER_H

#include "shapes/form.h"
#include "world/world.h"

enum collider_flags {
    COLLIDER_ALIVE = 1,
    COLLIDER_GOES = 2,
    COLLIDER_TURNS = 4,
    COLLIDER_SENSOR = 8,
    COLLIDER_RUBS = 16 /* was given a friction; else its shape has the world's */
};

/* What a collider or a rigid body is made from: a collider's is that of a rigid body without what
 * has to do with mass. */
struct collider_spec {
    bool rigid;
    bool sensor;
    piola_rigid_desc as;
};
/* The name of a member in the description that the user gave. */
#define SPEC_FIELD(spec, name)                                                                     \
    ((spec)->rigid ? "piola_rigid_desc." name : "piola_collider_desc." name)

struct collider {
    uint32_t generation, flags; /* collider_flags */
    uint32_t ones;              /* reserved, all bits set while it lives */
    uint32_t compiled; /* slot + 1 of its compiled shape in world_shapes, 0 if it has none */
    struct collider_shape shape;
    float position[3], rotation[4]; /* m, unit quaternion; when the step begins */
    float velocity[3], spin[3];     /* m/s, rad/s */
    float goal[3], heading[4];      /* where a command wants it when the step ends */
};

/* Of a collider that surfaces have held up: where commands want it, and how far it went in the last
 * step. All 0 for others. */
struct collider_lag {
    float goal[3], heading[4];
    float pace; /* m */
    uint32_t late;
};

/* Balls around 16 colliders that do not turn in a step, their ways and margins too: infinite around
 * others, so that what is outside of one (collide_block.h) is surely out of reach. Lanes of no
 * collider hold anything. */
struct collide_sieve {
    float centre[3][PK_LANES], radius[PK_LANES]; /* m */
};

/* What the planes of a particle belong to. */
/* How far (m) a place is in front of a collider's margin, or, if that was not asked, at most. */
struct collide_known {
    float gap;
    uint32_t measured;
};

struct collide_note {
    uint32_t collider[PK_TOUCHES];
    float depth[PK_TOUCHES];   /* m, how far inside it might get: which planes to keep */
    float last[PK_TOUCHES][3]; /* m, in the collider's frame: the last place proven free */
    struct collide_known known[PK_TOUCHES]; /* of that place */
    uint32_t caught;                        /* 1: put out of one collider, maybe into another */
    uint32_t stopper; /* 1 + the collider that the last check stopped it at, or 0 */
    float stopped[3]; /* m, how far it was moved by that; then N: forces/contact_forces.c */
};

/* Places at which a particle's distance from a collider (m, without the margin) was asked for in
 * this step, in that one's frame: `collider` is its slot + 1, or 0. The slot says which is whose.
 */
struct collide_seen {
    struct {
        float at[3], distance;
        uint32_t collider;
    } of[PK_TOUCHES];
};

/* What contact does to a particle, N, the mean of a step so far: other surfaces, and up to two
 * colliders (slot + 1, or 0). */
struct contact_felt {
    float surfaces[3], collider_force[PK_TOUCHES][3];
    uint32_t collider[PK_TOUCHES];
};

/* A place between the corners of a triangle that may press on a collider: collide_faces.h. */
struct face_contact {
    struct pk_plane plane;       /* of that place, not of a particle */
    uint32_t particle[3];        /* of the world */
    uint32_t triangle, collider; /* of the body's surface; slot */
    uint32_t facet;              /* of the collider's shape, if it is made of triangles, else 0 */
    float weight[3];             /* of the corners */
    float multiplier[3];         /* N, of descent */
    float tied;                  /* N/m, by which the corners hang on to the rest */
    float mass;                  /* kg, of the body */
    uint32_t meets;              /* 1: the plane is laid */
};

/* What of a body's contacts is kept from substep to substep, and from step to step. */
struct face_hold {
    uint32_t triangle, collider, facet;
    float force[3]; /* N */
};
struct face_press {
    uint32_t body; /* index */
    struct face_hold hold;
};

/* A body's share of the contacts: how many it may have, has, and had in the last substep, and how
 * many found no room. */
struct face_room {
    uint32_t first, room, count, held, dropped;
    uint32_t cut; /* 1: the limit has not looked at all: the body has to wait */
};

/* Of this step: whether any collider has edges and faces to be kept out of; of its last substep. */
struct faces_now {
    uint32_t acts, count, dropped;
    _Atomic(uint64_t) looks, pushes; /* of this step: piola_contact_work */
};

/* collider.c: the collider or the rigid body of a slot + 1 and a generation, or null. */
struct collider *collider_in_slot(const piola_world *world, uint32_t index, uint32_t generation,
                                  bool rigid);
struct collider *collider_find(const piola_world *world, piola_collider handle);
/* Checks a specification and takes a slot for it; `index` is the slot + 1. */
piola_status collider_make(piola_world *world, const struct collider_spec *spec, uint32_t *index,
                           uint32_t *generation, piola_error *error);
void collider_remove(piola_world *world, struct collider *collider);
/* What bodies do to it: adds to force and torque, counts. */
void collide_felt(const piola_world *world, const struct collider *collider, double force[3],
                  double torque[3], uint32_t *touches);
/* Where all colliders stand at each boundary of the step's substeps, into world_poses. */
void colliders_plan(piola_world *world);
/* After the step, before rigid_arrive: those that had to wait in its last substep got no further
 * than the last boundary that they reached (surface_outside.c). */
void colliders_wait(piola_world *world);
/* After the step: where they stand now. */
void colliders_arrive(piola_world *world);
/* m, of a ball about the origin of its frame that holds all of the shape; only where distances are
 * those to the surface: in a grid they may be less. */
float collider_ball(const struct form *form);
/* collider_lag.c: cuts the way of one that was held up; before a way is cut since it waits; after
 * that; m, how far it is behind, and how many may be. */
void collider_lag_plan(piola_world *world, uint32_t slot);
void collider_lag_hold(piola_world *world, uint32_t slot);
void collider_lags_end(piola_world *world);
float collider_behind(const piola_world *world, uint32_t slot);
void collider_lags_recount(piola_world *world);
/* Where it stands between two steps. */
void collider_stands(const struct collider *collider, struct pose *pose);
/* After a change of colliders or bodies: counts anew; what touched in the last step is forgotten.
 */
void colliders_recount(piola_world *world);

#define ARRAYS_OF "families/collide/collide.def"
#include "world/arrays.h"

/* What contact did to the body's particles in the last step; null where it did nothing, or nobody
 * reads that. */
static inline const struct contact_felt *felt_by(const piola_world *world, uint32_t body)
{
    return world->dim[DIM_felt_bodies].capacity > 0 && world_felt_bodies(world)[body]
               ? world_contact_felt(world) + world_bodies(world)[body].first
               : NULL;
}

/* Slots up to the last live collider. */
static inline uint32_t collider_end(const piola_world *world)
{
    return *world_collider_slots(world);
}

static inline bool collide_any(const piola_world *world)
{
    return collider_end(world) > 0;
}

/* A collider's shape with what it refers to. */
static inline struct form world_form(const piola_world *world, const struct collider *collider)
{
    return (struct form){&collider->shape, collider->compiled > 0
                                               ? world_shapes(world)[collider->compiled - 1]
                                               : NULL};
}

/* How a collider or a rigid body rubs. */
static inline struct friction solid_friction(const struct collider *collider)
{
    return collider->flags & COLLIDER_RUBS
               ? friction_made(collider->shape.friction_static, collider->shape.friction_kinetic)
               : friction_made(-1, -1);
}
/* collider_life.c: both below 0: the world's. */
void solid_set_friction(const piola_world *world, struct collider *collider, float at_rest,
                        float sliding);

/* Whom a collider or a rigid body meets. */
static inline struct filter solid_filter(const piola_world *world, const struct collider *collider)
{
    const size_t index = (size_t)(collider - world_colliders(world));
    return index < world->dim[DIM_solid_filters].used ? world_solid_filters(world)[index]
                                                      : (struct filter){0, 0, 0};
}

#endif
