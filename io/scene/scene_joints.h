/* scene_joints.h - a scene's joints and motors: plain data. Included by scene.h: include that. */
#ifndef APP_SCENE_JOINTS_H
#define APP_SCENE_JOINTS_H

#include "io/scene/keys.h"
#include "piola/piola.h"

enum joint_kind {
    JOINT_BALL,
    JOINT_HINGE,
    JOINT_SLIDER,
    JOINT_UNIVERSAL,
    JOINT_FIXED,
    JOINT_CONE_TWIST,
    JOINT_FREE
};

/* What a spring, servo or motor is told at a time. */
struct scene_drive {
    uint64_t given;
    double time;  /* s */
    double value; /* of a motor its speed, else the target: m, degrees; m/s, rad/s */
};

struct scene_axis {
    uint64_t given;
    uint32_t axis;         /* 0 to 5 */
    uint32_t mode;         /* piola_axis_mode, when it is given; else as the kind has it */
    piola_joint_axis desc; /* bounds and target of turns in degrees */
    struct list frames;    /* struct scene_drive */
    double repeat;         /* s; 0: never */
};

struct scene_joint {
    uint64_t given;
    const char *name, *base, *moved; /* names of colliders; a null base is the world */
    uint32_t kind;                   /* enum joint_kind */
    double position[3];              /* m, in the world */
    double axis[3], across[3];       /* of its x axis, and of its y axis as far as that can be */
    float cone, twist;               /* degrees */
    float max_force, max_torque;     /* N, N m; 0: never breaks */
    struct list axes;                /* struct scene_axis */
};

extern const struct table scene_joint_table;

/* What the engine is told of it, but for its sides and frames. */
piola_joint_desc scene_joint_desc(const struct scene_joint *joint);
/* Is what the axis is told in degrees? */
bool scene_axis_turns(const struct scene_axis *axis);

#endif
