/* scene_colliders.h - what bodies cannot enter, as a scene's file says it. Plain data. */
#ifndef APP_SCENE_COLLIDERS_H
#define APP_SCENE_COLLIDERS_H

#include "io/scene/keys.h"
#include "piola/piola.h"

struct scene_motion;
struct scene_turn;

/* From when to when a tool holds what is near. */
struct scene_grasp {
    uint64_t given;
    double time, release;   /* s; infinite: never */
    float reach, max_force; /* m, N */
};

/* The hand that holds a rigid body. */
struct scene_tool {
    uint64_t given;
    piola_tool_desc desc; /* without its rigid body and place */
    struct list grasps;   /* struct scene_grasp */
};

struct scene_collider {
    uint64_t given;
    const char *name;
    uint32_t shape;   /* see scene_collider_shape */
    const char *mesh; /* of the compiled shapes */
    double spacing;   /* m, of a grid of distances */
    double size[3];   /* m, of a box */
    double length;    /* m, of a capsule */
    double position[3];
    const struct scene_turn *rotation;
    const struct scene_motion *motion;
    const struct scene_tool *tool;
    piola_rigid_desc desc; /* radius, friction, restitution, margin */
    bool sensor;
};

extern const struct table scene_collider_table, scene_tool_table;

/* Of a collider and of a body: both are given, or none. */
bool scene_friction_check(float at_rest, float sliding, const struct trail *trail,
                          struct problem *problem);

piola_shape_kind scene_collider_shape(const struct scene_collider *collider);

#endif
