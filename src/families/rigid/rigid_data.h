/* rigid_data.h - what a world keeps of rigid bodies: structs only. See rigid.h. */
#ifndef PIOLA_RIGID_DATA_H
#define PIOLA_RIGID_DATA_H

#include "world/world.h"

/* What of a collider moves by its own mass; all zero where it does not. In double: a position that
 * is added up in single precision would change the momentum of whatever is light. */
struct rigid {
    double mass, inertia[3];         /* kg; kg m^2 about the axes of its own frame */
    double position[3], rotation[4]; /* m, unit quaternion */
    double velocity[3], momentum[3]; /* m/s; angular momentum about its origin, kg m^2/s */
    float force[3];                  /* N, of a command */
    float gravity_scale, damping;    /* damping in 1/s */
    uint32_t reserved;
};

/* A place at which another collider may stop it in this substep. */
struct rigid_point {
    double normal[3], arm[3]; /* from its origin, m; when the substep begins */
    double least;             /* m/s: how fast the place must at least go along the normal */
    double rebound;           /* the same with restitution; `least` where there is none */
    double carried[3];        /* m/s: the other collider's surface there */
    double friction_static, friction_kinetic;
    double impulse[3]; /* N s, that stopped it */
    uint32_t collider; /* slot of the other */
};
#define RIGID_POINTS 8u

/* What pulls at it in a substep besides: pull - drag velocity, linear and angular. */
struct rigid_spring {
    double pull[6]; /* N, N m */
    double drag[2]; /* N s/m, N m s */
    double most[2]; /* N, N m: what it pulls with at most */
    uint32_t acts, reserved;
    double each;      /* N/m: how what it touched last answered, a place */
    struct sums held; /* forces and stiffness of what it holds, as of planes that touch it */
};

/* The same while a substep runs. Velocities are linear, then angular (m/s, rad/s). */
struct rigid_now {
    double begin[3], turned[4]; /* where the substep began */
    double inertia[3][3];       /* kg m^2 in the world's axes, when the substep begins */
    double aim[6];              /* without contact; angular: when the substep begins */
    double alone[6];            /* aim, and what its spring makes of it */
    double give[2];             /* kg, kg m^2: what the spring adds to its mass and inertia */
    double pulled[3];           /* of aim: what gravity and forces added, m/s */
    double momentum[3];         /* that angular velocity's, exactly */
    double heading[4];          /* where it ends without contact */
    double velocity[6];         /* with it */
    double sent[6];             /* the velocity that its pose came of */
    uint32_t points;
    uint32_t coupled; /* a spring pulls at it */
    uint32_t held;    /* a command carries it: it moves as told */
    uint32_t acts;    /* some particle's plane pressed on it */
    uint32_t stopped; /* another collider pressed on it */
    uint32_t asked;   /* `answer` is about the body that is looked at */
    uint32_t presses; /* planes that press on it, and the sum of their stiffness, N/m */
    double answers;
    double each; /* N/m: of one of them, when last some did */
    struct rigid_spring spring;
    double answer[6][6]; /* rigid_momentum.c: by columns */
    struct rigid_point point[RIGID_POINTS];
};

/* A body, or behind all bodies a rigid body, while islands are sought. */
struct rigid_island {
    uint32_t bound; /* something else acts on it */
    uint32_t near;  /* another collider may */
    uint32_t next;  /* of the island, or NO_NODE; the lowest, which is the root, comes first */
    uint32_t last;  /* of a root */
};
#define NO_NODE UINT32_MAX

/* Of a rigid body whose velocity others' depend on: joints. Its own equation is mass V = pull,
 * until those who tie it (family.h: balance) have found V. */
struct rigid_tied {
    uint32_t ties;     /* how many; 0: it goes by itself */
    uint32_t anchored; /* 1: one of them holds it to what does not move by its mass */
    double mass[6][6], pull[6];
};

#define ARRAYS_OF "families/rigid/rigid.def"
#include "world/arrays.h"

#endif
