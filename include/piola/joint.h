/* joint.h - joints: two rigid bodies, or a rigid body and a collider or the world, whose motion
 * relative to each other is bound. Included by piola.h: include that.
 *
 * A joint has a frame on either side. The moved frame's place and turn relative to the base frame
 * are six numbers, the joint's axes: 0, 1, 2 how far it is along x, y, z of the base frame (m); 3
 * how far it is twisted about its own x axis; 4, 5 the y and z parts of the turn that then swings
 * its x axis from the base's x axis to where it is (rad). Each axis is free, locked, sprung or
 * driven, and may have limits besides. Code and what is proven: docs/method/joints.md.
 */
#ifndef PIOLA_PIOLA_JOINT_H
#define PIOLA_PIOLA_JOINT_H

#include "piola/rigid.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PIOLA_JOINT_AXES 6

typedef enum piola_axis_mode {
    PIOLA_AXIS_FREE,   /* nothing but its limits */
    PIOLA_AXIS_LOCKED, /* stays 0 */
    PIOLA_AXIS_SPRING, /* pulled to `target` by stiffness and damping, implicitly */
    PIOLA_AXIS_SERVO,  /* driven to `target`, at most as fast as `speed`, and held there */
    PIOLA_AXIS_MOTOR,  /* driven at `speed`; with speed 0 a brake */
    PIOLA_AXIS_MODE_COUNT
} piola_axis_mode;

typedef struct piola_joint_axis {
    piola_axis_mode mode;
    float low, high; /* m or rad: kept within, in every mode but LOCKED; both 0 (default): no
                        limits. Of the axes 4 and 5 within -3 and 3 */
    float target;    /* m or rad: SPRING, SERVO */
    float speed;     /* m/s or rad/s: of a MOTOR; of a SERVO the greatest, 0 (default): any */
    float stiffness; /* N/m or N m/rad, 0 to 1e9: SPRING */
    float damping;   /* N s/m or N m s, 0 to 1e9: SPRING */
    float max_force; /* N or N m, 0 to 1e9 (default), that SPRING, SERVO, MOTOR exert at most */
} piola_joint_axis;

/* One side of a joint. */
typedef struct piola_joint_side {
    piola_rigid rigid;       /* all-zero: none */
    piola_collider collider; /* of the base only, where `rigid` is none; none as well: the world */
    float position[3];       /* m, of the frame's origin, in the frame of what it is fixed to */
    float rotation[4];       /* unit quaternion x, y, z, w: the frame's turn in there */
} piola_joint_side;

typedef struct piola_joint_desc {
    uint32_t cookie_;
    piola_joint_side base;
    piola_joint_side moved; /* a rigid body, another than the base */
    piola_joint_axis axis[PIOLA_JOINT_AXES];
    float cone; /* rad, 0 (default: any) to 3: how far its x axis may swing, in any direction */
    float max_force;  /* N: above this at the end of a substep it breaks; 0 (default): never */
    float max_torque; /* N m, about the moved frame's origin; likewise */
} piola_joint_desc;

/* Between the world and nothing, at the origins, all axes free. */
PIOLA_API piola_joint_desc piola_joint_desc_default(void);

/* A ball and socket: the axes 0, 1, 2 locked. */
PIOLA_API piola_joint_desc piola_joint_ball(void);
/* A hinge, which turns about its x axis: all locked but 3. */
PIOLA_API piola_joint_desc piola_joint_hinge(void);
/* A slider, which goes along its x axis: all locked but 0. */
PIOLA_API piola_joint_desc piola_joint_slider(void);
/* A universal joint, which swings and hands on all twist, evenly: 0 to 3 locked. */
PIOLA_API piola_joint_desc piola_joint_universal(void);
/* All axes locked. */
PIOLA_API piola_joint_desc piola_joint_fixed(void);
/* A ball whose x axis swings at most by `cone`, and twists at most by `twist` to both sides (rad).
 */
PIOLA_API piola_joint_desc piola_joint_cone_twist(float cone, float twist);

/* Lays both frames where `point` (m) is now, their x axes along `axis`, which need not be a unit
 * vector, both in the world; sides must name what they are fixed to. PIOLA_ERROR_STALE,
 * PIOLA_ERROR_RANGE. */
PIOLA_API piola_status piola_joint_place(const piola_world *world, piola_joint_desc *desc,
                                         const float point[3], const float axis[3],
                                         piola_error *error);

/* Between steps only. Frames need not fit yet: they are drawn together at most at 1 m/s and 1
 * rad/s. A joint ends with what it is fixed to. PIOLA_ERROR_JOINTS_FULL above
 * piola_world_desc.max_joints; PIOLA_ERROR_STALE of sides that are gone. */
PIOLA_API piola_status piola_joint_create(piola_world *world, const piola_joint_desc *desc,
                                          piola_joint *joint, piola_error *error);
/* Between steps only. */
PIOLA_API piola_status piola_joint_destroy(piola_world *world, piola_joint joint);
/* False once it was destroyed, broke, or lost what it was fixed to. */
PIOLA_API bool piola_joint_alive(const piola_world *world, piola_joint joint);

/* Handles of all joints, as piola_world_bodies. */
PIOLA_API piola_status piola_world_joints(const piola_world *world, piola_joint *joints,
                                          uint32_t capacity, uint32_t *count);

/* As the last substep left it. */
typedef struct piola_joint_info {
    piola_rigid base_rigid; /* what it is fixed to: see piola_joint_side */
    piola_collider base_collider;
    piola_rigid moved;
    float position[PIOLA_JOINT_AXES]; /* m, rad; of axis 3 all turns since it was made */
    float load[PIOLA_JOINT_AXES]; /* N, N m: what each axis exerts on the moved side along itself */
    float force[3];  /* N, on the moved side, of all axes; the base gets the opposite */
    float torque[3]; /* N m, about the moved frame's origin, likewise */
    float gap;       /* m: how far the locked ones of the axes 0, 1, 2 are off */
    piola_joint_axis axis[PIOLA_JOINT_AXES]; /* as described, or set since */
} piola_joint_info;

/* Between steps only. PIOLA_ERROR_STALE. */
PIOLA_API piola_status piola_joint_inspect(const piola_world *world, piola_joint joint,
                                           piola_joint_info *info);

#ifdef __cplusplus
}
#endif

#endif
