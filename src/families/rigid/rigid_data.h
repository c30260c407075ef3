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

/* ---- rigid bodies that meet: rigid_contact.h ---- */

#define RIGID_CONTACT_POINTS 4u

/* What pressed between two of them, kept from substep to substep: where, in the frame of the first,
 * and with what on it. */
struct rigid_press {
    uint32_t one, two; /* slots, the lower first */
    uint32_t count, reserved;
    float place[RIGID_CONTACT_POINTS][3];   /* m */
    float impulse[RIGID_CONTACT_POINTS][3]; /* N s, in the world's axes */
};

/* A place at which two of them may press. */
struct rigid_contact_point {
    double direction[3][3]; /* unit: from the second to the first, and two across */
    double arm[2][3];       /* m, from both origins when the substep begins */
    double gap;             /* m, then */
    double least, rebound;  /* m/s, as of a rigid_point */
    double gained[2][3][6]; /* velocities that an impulse of 1 N s along each gives to both */
    double give[3];         /* 1/kg: what that makes of the relative velocity along it */
    double impulse[3];      /* N s, on the first */
    double carried[3];      /* m/s: of a collider's surface there; else 0 */
    double before[3], search[3], left[3]; /* rigid_contact_solve.c: faster() */
    uint32_t open; /* bits: directions in which the impulse may change either way */
    uint32_t from; /* of a collider: which of the body's points it is */
};

struct rigid_contact {
    uint32_t one, two; /* slots, the lower first; or the second is none: RIGID_GROUND */
    uint32_t count, reserved;
    double friction[2]; /* at rest, sliding */
    struct rigid_contact_point point[RIGID_CONTACT_POINTS];
};

/* What colliders stop a body with that is near others, in two parts: the higher numbers. */
#define RIGID_GROUNDS (RIGID_POINTS / RIGID_CONTACT_POINTS)
#define RIGID_GROUND  (UINT32_MAX - RIGID_GROUNDS + 1)

/* Of all that press on each other, about their centre: rigid_contact_turn.c. */
struct rigid_group {
    double mass, centre[3], inertia[6]; /* kg, m, kg m^2: xx yy zz yz xz xy */
    double gained[3];                   /* N m s: of angular momentum, from nothing */
    double momentum[3], turning[3];     /* N s, N m s */
    double excess, relative; /* J: what turning it gave; of their motion relative to each other */
    uint32_t held, reserved; /* 1: something else holds one of them */
};

/* A rigid body while it is near others. */
struct rigid_stack {
    uint32_t contacts; /* that it takes part in; 0: it meets nobody */
    uint32_t fresh;    /* 1: its mass is another than when contacts were last prepared */
    double whole[6][6], factored[6][6], inverse[6][6]; /* its mass, with what presses on it */
    double base[6];                                    /* velocity without contacts and points */
    double v[6];
    double way[6];              /* what a change of all impulses makes of it */
    uint32_t presses, reserved; /* 1: on others */
    /* Of who leads those that press on each other, J: the work of their impulses, and what of it is
     * quadratic in these; the share of them that they keep. */
    double work, square, share;
    struct rigid_group group;
};

/* All of them, in this substep. */
struct rigid_contacts {
    uint32_t pairs, dropped;    /* dropped: in this step */
    uint32_t count;             /* with what colliders do */
    uint32_t fresh;             /* 1: something of them has changed since they were solved */
    uint32_t relaxes, reserved; /* 1: overlaps are left as they are */
    double nobody[6];           /* 0: the motion of a side that is none */
};

/* What is met: its box, and how far it goes. */
struct rigid_reach {
    float low[3], high[3]; /* m */
    float way, slack;      /* m: at most, in a substep; how near it need not be seen sooner */
};

#define ARRAYS_OF "families/rigid/rigid.def"
#include "world/arrays.h"

#endif
