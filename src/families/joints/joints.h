/* joints.h - joints of rigid bodies: docs/method/joints.md.
 *
 * joint_life.c: descriptions, handles, commands, stored state. joint_frame.c: the six coordinates
 * of a joint and how they answer velocities. joint_rows.c: what each axis asks of them in a
 * substep. joint_order.c: in which order bodies are eliminated. joint_system.c: their equations,
 * factored. joint_solve.c: a substep's velocities. joint_guard.c, joint_momentum.c: their energy
 * and momentum. joints.c: the family. All run on the calling thread, between stages.
 */
#ifndef PIOLA_JOINTS_H
#define PIOLA_JOINTS_H

#include "families/rigid/rigid.h"

/* No node, no edge. */
#define JOINT_NONE UINT32_MAX

enum joint_side { JOINT_BASE, JOINT_MOVED };
/* What a side is fixed to. */
enum joint_to { JOINT_WORLD, JOINT_COLLIDER, JOINT_RIGID };

/* A slot that is not alive is zero but for its generation. */
struct joint {
    uint32_t generation, alive;
    uint32_t to;                                /* joint_to, of the base; the other is rigid */
    uint32_t slot[2];                           /* slot + 1 of each side, 0: the world */
    uint32_t base_generation, moved_generation; /* of these; 0: the world */
    uint32_t broken;                            /* 1: it ends with this step */
    float place[2][3], turn[2][4];              /* m, unit quaternions: frames in their sides */
    float cone;                                 /* rad; 0: none */
    float max_force, max_torque;                /* N, N m; 0: never breaks */
    float position[6], load[6];                 /* m, rad; N, N m: as the last substep left them */
    float force[3], torque[3], gap;             /* N, N m, m: likewise */
    uint32_t reserved;
    double twist; /* rad: of axis 3, with all its turns */
};

struct joint_axes {
    piola_joint_axis of[PIOLA_JOINT_AXES];
};

/* Where a frame is: the origin of what it is fixed to (0 of the world), its own, its turn. */
struct joint_pose {
    double origin[3], at[3], turn[4];
};

/* The coordinates of a joint in two poses, and their gradients by a turn of the moved side relative
 * to the base (1, or m / rad). */
struct joint_reading {
    double value[6], cone;             /* m, rad */
    double axis[3][3];                 /* of the base frame, in the world */
    double turning[3][3], swinging[3]; /* of the axes 3 to 5, of the cone; in the world */
};

/* One thing that is asked of a coordinate: at the substep's end it is `goal` less `softness` times
 * the impulse, which stays within bounds. */
struct joint_row {
    double answer[2][6]; /* how fast the coordinate goes for the velocities of both sides */
    double goal;         /* m or rad */
    double softness;     /* m / (N s): 0 of what is rigid */
    double low, high;    /* N s */
    double value, slip;  /* m, m/s: where it was laid anew, and its rate there */
    double yield;  /* m / (N s): more of it, where a drive would exert more than it may: then what
                      its greatest impulse makes of how far it is off */
    double follow; /* m / (N s): softness that the impulse of the round before takes away again */
    double impulse, before; /* N s: now; of the round before */
    double stiff;           /* (N s) / m a second: of it in the equations as they are factored */
    uint32_t axis;          /* 0 to 5; JOINT_CONE */
    uint32_t state;         /* joint_state */
    uint32_t draws;         /* 1: it is far from its goal and drawn there */
    uint32_t reserved;
};
#define JOINT_CONE 6u
#define JOINT_ROWS 13u
enum joint_state { ROW_ACTS, ROW_LOW, ROW_HIGH }; /* or it rests at a bound */

/* A joint while a substep runs. */
struct joint_now {
    uint32_t acts;      /* it holds something that moves */
    uint32_t count;     /* rows */
    uint32_t node[2];   /* of its sides, or JOINT_NONE */
    uint32_t edge;      /* between both, or JOINT_NONE */
    uint32_t turns;     /* 1: some of its rows are of axes that turn, or of the cone */
    uint32_t swings;    /* 1: forces act as its arms are when the substep ends */
    double began[7];    /* coordinates when the substep began, and the cone */
    double arm[2][3];   /* m: from both origins to the moved frame's, when the substep begins */
    double reach[2][3]; /* m: the same when it ends */
    struct joint_row row[JOINT_ROWS];
};

/* Of all that hangs together, in joule: the kinetic energy of its bodies without joints, and what
 * is linear and quadratic in the share of their change; what drives bring in. */
struct joint_guard {
    double alone, cross, change, work, mass, share;
    uint32_t draws, reserved; /* 1: frames are drawn together */
};

/* The same, of its angular momentum about its centre: m, kg, kg m^2 (xx yy zz yz xz xy), N m s. */
struct joint_whole {
    double centre[3], mass, inertia[6], gained[3];
    uint32_t held, bends; /* 1: by what does not move by its mass; a node of it does */
};

/* A rigid body that joints hold: 6 x 6 blocks, linear then angular. */
struct joint_node {
    uint32_t slot;
    uint32_t rank;            /* its place in the order; JOINT_NONE while it is not eliminated */
    uint32_t degree;          /* neighbours that are not eliminated yet */
    uint32_t parent;          /* the first that is eliminated after it and that it is coupled to */
    uint32_t half;            /* first of its half edges, or JOINT_NONE */
    uint32_t leader;          /* of its tree, while one is sought */
    uint32_t root;            /* the last that is eliminated of all that it hangs together with */
    uint32_t moves;           /* it moves in this substep */
    uint32_t touched;         /* it has points that other colliders may stop */
    uint32_t calm;            /* it goes as it did a round before */
    uint32_t weighed;         /* `weight` is known */
    uint32_t bends;           /* tensions at its arms are part of its equations */
    struct joint_pose end;    /* at and turn: of the body at the substep's end */
    double mass[6][6];        /* of itself */
    double own[6][6];         /* of itself: factored */
    double diagonal[6][6];    /* of the whole: factored */
    double inverse[6][6];     /* its block of the whole's inverse */
    double weight[6][6];      /* of what moves with it at its points: factored */
    double pull[6], press[6]; /* what it is pulled by alone; by other colliders: N s */
    double right[6], v[6];    /* right hand side, reduced; velocity */
    double was[6];            /* velocity for which rows were laid */
    double change[6];         /* joints_change */
    double alone[6];          /* velocity without joints */
    struct joint_guard guard; /* of a root */
    struct joint_whole whole; /* likewise */
};

/* Two nodes that are coupled: half 0 lies in the list of one, half 1 in the other's. */
struct joint_edge {
    uint32_t node[2], next[2]; /* whose half it is; the next half edge there */
    double block[6][6];   /* rows: the node of the later rank; then times the earlier's inverse */
    double inverse[6][6]; /* the same block of the whole's inverse */
};

struct joint_system {
    uint32_t nodes, edges;
    uint32_t loose;              /* 1: joints that close loops are not coupled, for want of room */
    uint32_t fresh;              /* 1: the substep has begun, nothing was solved */
    uint32_t looked;             /* 1: points were sought where bodies go since */
    uint32_t factored, inverted; /* 1: as the equations are now */
    uint32_t reserved;
    uint32_t broken; /* joints, in this step */
};

/* Between two bodies whose equations do not know of it. */
static inline bool joint_loose(const struct joint_now *now)
{
    return now->edge == JOINT_NONE && now->node[JOINT_BASE] != JOINT_NONE;
}

#define ARRAYS_OF "families/joints/joints.def"
#include "world/arrays.h"

/* joint_life.c: what it is fixed to is there. */
bool joint_whole(const piola_world *world, const struct joint *joint);
void joint_end(piola_world *world, struct joint *joint);
void joints_recount(piola_world *world);
/* Some hold one that sleeps to one that does not. */
bool joints_apart(const piola_world *world);

/* joint_frame.c: a frame fixed to a place and a turn. Then what it is; its last three axes and the
 * cone, which take longest, if `turns`, else 0. */
void joint_pose_of(const struct joint *joint, int side, const double place[3], const double turn[4],
                   struct joint_pose *pose);
void joint_read(const struct joint_pose pose[2], bool turns, struct joint_reading *reading);
/* The twist that is nearest to one from before. */
double joint_unwound(double twist, double before);
/* How coordinate `axis` answers velocities of both sides. */
void joint_answer(const struct joint_pose pose[2], const struct joint_reading *reading,
                  uint32_t axis, double answer[2][6]);
/* Where its sides are when the substep begins, and at its end. */
void joint_poses_begin(const struct step *step, const struct joint *joint,
                       struct joint_pose pose[2]);
void joint_poses_end(const struct step *step, const struct joint *joint,
                     const struct joint_now *now, struct joint_pose pose[2]);

/* joint_rows.c: what its axes ask for in this substep. Then, each time where the bodies go has
 * changed, how the coordinates answer there. */
void joint_rows_begin(const struct step *step, uint32_t slot);
void joint_rows_update(const struct step *step, uint32_t slot, bool first);

/* joint_order.c: nodes, edges, order; once a step. */
void joints_order(const piola_world *world);
/* The half edge of a node behind `half`; its edge and its other node. */
static inline uint32_t joint_half_next(const piola_world *world, uint32_t half)
{
    return world_joint_edges(world)[half / 2].next[half % 2];
}
static inline uint32_t joint_half_to(const piola_world *world, uint32_t half)
{
    return world_joint_edges(world)[half / 2].node[1 - half % 2];
}

/* joint_system.c: (own + what rows add) v = right. What is factored stays while rows act as they
 * did, along the same directions. */
void joints_assemble(const piola_world *world, double dt);
void joints_factor(const piola_world *world);
void joints_solve(const piola_world *world);
/* The blocks of the inverse that the factor has, unless they are known. */
void joints_invert(const piola_world *world);
/* All velocities from reduced right hand sides. */
void joints_look_all(const piola_world *world);
/* One node's velocity, when all that changed lies on its way; a change of its right hand side. */
void joints_look(const piola_world *world, uint32_t node);
void joints_change(const piola_world *world, uint32_t node, const double change[6]);

/* joint_momentum.c: velocities get what angular momentum lacks. */
void joints_keep_momentum(const piola_world *world);
/* joint_guard.c: velocities and impulses shrink to what energy allows. */
void joints_guard(const piola_world *world);

/* joint_solve.c */
void joints_balance(struct step *step);

#endif
