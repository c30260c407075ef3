/* command.h - inputs: what is asked of the next step. Included by piola.h: include that.
 *
 * Each call below queues one command for the start of the next step. Any thread may call them, at
 * any time, lock-free (only not while the world is moved or destroyed). Values are checked here:
 * numbers must be finite and within 1e9 of 0. A command whose body, vertex, attachment, collider or
 * rigid body is gone when the step starts is counted in piola_report.commands_refused. Commands
 * from one thread keep their order. All of them are recorded. PIOLA_ERROR_COMMANDS_FULL.
 */
#ifndef PIOLA_PIOLA_COMMAND_H
#define PIOLA_PIOLA_COMMAND_H

#include "piola/handle.h"
#include "piola/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Holds a vertex (in the description's order) at a position (m) from the end of the step on;
 * repeated each step it is a moving target. Where surfaces leave no room, all pins of the body wait
 * together, and go on to their targets as one when there is room, however long that takes:
 * piola_world_desc.catch_up_speed, piola_body_info.pins_behind. */
PIOLA_API piola_status piola_body_pin(piola_world *world, piola_body body, uint32_t vertex,
                                      const float position[3]);
/* Holds a vertex in the plane through a point (m) from the end of the step on: a roller, a symmetry
 * plane. It moves in the plane without friction. The normal may have any length from 1e-6 on;
 * piola_body_unpin lets the vertex go, piola_body_pin holds it whole. Repeated each step it is a
 * moving plane. A command for which piola_world_desc.max_guides leaves no room is refused. */
PIOLA_API piola_status piola_body_pin_plane(piola_world *world, piola_body body, uint32_t vertex,
                                            const float point[3], const float normal[3]);
/* The same on the line through a point along a direction. */
PIOLA_API piola_status piola_body_pin_line(piola_world *world, piola_body body, uint32_t vertex,
                                           const float point[3], const float direction[3]);
/* Lets a vertex go. */
PIOLA_API piola_status piola_body_unpin(piola_world *world, piola_body body, uint32_t vertex);
/* Holds how a rod stands at a vertex: its segments there turn, in the course of the step, to where
 * this rotation (a unit quaternion) takes them from the mesh, and then they bend from there. With
 * piola_body_pin the end is built in; repeated each step it is driven. Refused for what is no rod.
 */
PIOLA_API piola_status piola_body_clamp(piola_world *world, piola_body body, uint32_t vertex,
                                        const float rotation[4]);
/* Lets it turn freely again. */
PIOLA_API piola_status piola_body_unclamp(piola_world *world, piola_body body, uint32_t vertex);
/* Adds to a vertex's momentum (N s). */
PIOLA_API piola_status piola_body_impulse(piola_world *world, piola_body body, uint32_t vertex,
                                          const float impulse[3]);
/* In place of a vertex: all of the body. */
#define PIOLA_EVERY_VERTEX UINT32_MAX
/* Pulls at a vertex, or at each with PIOLA_EVERY_VERTEX, with a force (N) until told otherwise.
 * Refused in a world without vertex_forces. */
PIOLA_API piola_status piola_body_set_force(piola_world *world, piola_body body, uint32_t vertex,
                                            const float force[3]);
/* Sets the velocity of all free vertices of a body (m/s). */
PIOLA_API piola_status piola_body_set_velocity(piola_world *world, piola_body body,
                                               const float velocity[3]);
/* Sets the body's own force field (m/s^2). */
PIOLA_API piola_status piola_body_set_acceleration(piola_world *world, piola_body body,
                                                   const float acceleration[3]);
/* Sets a body's pressure (Pa), or the volume (m^3) that it holds: see piola_pressure. */
PIOLA_API piola_status piola_body_set_pressure(piola_world *world, piola_body body, float pressure);
/* Sets a body's damping (1/s, 0 to 1e9) and the factor on the world's gravity, as
 * piola_body_desc has them. What is set here and below is state, and piola_body_inspect and its kin
 * tell it. */
PIOLA_API piola_status piola_body_set_damping(piola_world *world, piola_body body, float damping);
/* Likewise. */
PIOLA_API piola_status piola_body_set_relative_damping(piola_world *world, piola_body body,
                                                       float relative_damping);
/* Likewise. */
PIOLA_API piola_status piola_body_set_gravity_scale(piola_world *world, piola_body body,
                                                    float gravity_scale);
/* Sets its friction, 0 to 10, kinetic at most at_rest; both below 0: none, as of piola_body_desc.
 */
PIOLA_API piola_status piola_body_set_friction(piola_world *world, piola_body body, float at_rest,
                                               float kinetic);
/* Sets the coefficients of its cloth in the air, 0 to 1e4. Refused in a world without air, and for
 * an asset without PIOLA_COMPILE_FOR_PROJECTION. */
PIOLA_API piola_status piola_body_set_air(piola_world *world, piola_body body, float drag,
                                          float lift);
/* Sets whom it meets: see piola_body_desc.category. */
PIOLA_API piola_status piola_body_set_filter(piola_world *world, piola_body body, uint64_t category,
                                             uint64_t mask);
/* Wakes a body that sleeps, and with it all that touches it or is tied to it: so does any command
 * of the body. */
PIOLA_API piola_status piola_body_wake(piola_world *world, piola_body body);
/* Sets the speed (m/s) below which it may fall asleep; 0: it never does; below 0 (default):
 * piola_world_desc.sleep_speed. Refused in a world in which nobody sleeps. */
PIOLA_API piola_status piola_body_set_sleep_speed(piola_world *world, piola_body body, float speed);
/* Lets a frozen body move again. */
PIOLA_API piola_status piola_body_thaw(piola_world *world, piola_body body);

/* Sets a traction (Pa): see piola_traction_desc. */
PIOLA_API piola_status piola_traction_set(piola_world *world, piola_traction traction,
                                          const float value[3]);
/* Sets its pressure (Pa). */
PIOLA_API piola_status piola_traction_set_pressure(piola_world *world, piola_traction traction,
                                                   float pressure);

/* Moves an attachment's target (m) in the course of the step. */
PIOLA_API piola_status piola_attachment_set_target(piola_world *world, piola_attachment attachment,
                                                   const float target[3]);
/* Sets how far it gives way to a newton (m/N, 0 to 1e9). */
PIOLA_API piola_status piola_attachment_set_compliance(piola_world *world,
                                                       piola_attachment attachment,
                                                       float compliance);
/* Sets its damping (N s/m, 0 to 1e9). */
PIOLA_API piola_status piola_attachment_set_damping(piola_world *world, piola_attachment attachment,
                                                    float damping);
/* Ends an attachment. */
PIOLA_API piola_status piola_attachment_detach(piola_world *world, piola_attachment attachment);

/* Carries a collider to a position (m) by the end of the step; where surface contact leaves no room
 * it waits: docs/method/surface.md. */
PIOLA_API piola_status piola_collider_move(piola_world *world, piola_collider collider,
                                           const float position[3]);
/* Turns a collider to a rotation (unit quaternion x, y, z, w) by the end of the step, the shorter
 * way round. PIOLA_ERROR_RANGE when its length is not 1 within 0.01. */
PIOLA_API piola_status piola_collider_turn(piola_world *world, piola_collider collider,
                                           const float rotation[4]);
/* Sets a collider's velocity (m/s). */
PIOLA_API piola_status piola_collider_set_velocity(piola_world *world, piola_collider collider,
                                                   const float velocity[3]);
/* Sets its angular velocity (rad/s), in the world's axes. */
PIOLA_API piola_status piola_collider_set_angular_velocity(piola_world *world,
                                                           piola_collider collider,
                                                           const float angular_velocity[3]);

/* Sets its friction, as of a body. */
PIOLA_API piola_status piola_collider_set_friction(piola_world *world, piola_collider collider,
                                                   float at_rest, float kinetic);
/* Sets its restitution, 0 to 1. */
PIOLA_API piola_status piola_collider_set_restitution(piola_world *world, piola_collider collider,
                                                      float restitution);
/* Sets whom it meets. */
PIOLA_API piola_status piola_collider_set_filter(piola_world *world, piola_collider collider,
                                                 uint64_t category, uint64_t mask);

/* Carries a rigid body to a position (m) by the end of the step, as a collider; let go it flies on
 * as it was carried. */
PIOLA_API piola_status piola_rigid_move(piola_world *world, piola_rigid rigid,
                                        const float position[3]);
/* Turns it to a rotation (unit quaternion x, y, z, w) by the end of the step, likewise. */
PIOLA_API piola_status piola_rigid_turn(piola_world *world, piola_rigid rigid,
                                        const float rotation[4]);
/* Sets its velocity (m/s). */
PIOLA_API piola_status piola_rigid_set_velocity(piola_world *world, piola_rigid rigid,
                                                const float velocity[3]);
/* Sets its angular velocity (rad/s), in the world's axes. */
PIOLA_API piola_status piola_rigid_set_angular_velocity(piola_world *world, piola_rigid rigid,
                                                        const float angular_velocity[3]);
/* Adds to its momentum (N s). */
PIOLA_API piola_status piola_rigid_impulse(piola_world *world, piola_rigid rigid,
                                           const float impulse[3]);
/* Adds to its angular momentum (N m s). */
PIOLA_API piola_status piola_rigid_twist(piola_world *world, piola_rigid rigid,
                                         const float twist[3]);
/* Pulls at its middle (N) until told otherwise. */
PIOLA_API piola_status piola_rigid_set_force(piola_world *world, piola_rigid rigid,
                                             const float force[3]);

/* Sets its damping (1/s, 0 to 1e6). */
PIOLA_API piola_status piola_rigid_set_damping(piola_world *world, piola_rigid rigid,
                                               float damping);
/* Sets the factor on the world's gravity, -1e6 to 1e6. */
PIOLA_API piola_status piola_rigid_set_gravity_scale(piola_world *world, piola_rigid rigid,
                                                     float gravity_scale);
/* Sets friction, restitution and whom it meets, as of a collider. */
PIOLA_API piola_status piola_rigid_set_friction(piola_world *world, piola_rigid rigid,
                                                float at_rest, float kinetic);
/* Likewise. */
PIOLA_API piola_status piola_rigid_set_restitution(piola_world *world, piola_rigid rigid,
                                                   float restitution);
/* Likewise. */
PIOLA_API piola_status piola_rigid_set_filter(piola_world *world, piola_rigid rigid,
                                              uint64_t category, uint64_t mask);

/* Carries the device of a tool to a position (m) by the end of the step, evenly; it waits there. */
PIOLA_API piola_status piola_tool_move(piola_world *world, piola_tool tool,
                                       const float position[3]);
/* Turns it to a rotation (unit quaternion x, y, z, w) by the end of the step, the shorter way. */
PIOLA_API piola_status piola_tool_turn(piola_world *world, piola_tool tool,
                                       const float rotation[4]);
/* Where the spring or servo of an axis of a joint, 0 to 5, wants it: m or rad, to 1e9. An axis
 * above 5 is refused when the step takes the command. */
PIOLA_API piola_status piola_joint_set_target(piola_world *world, piola_joint joint, uint32_t axis,
                                              float target);
/* The speed of an axis: m/s or rad/s, to 1e6; of a servo's greatest its size counts. */
PIOLA_API piola_status piola_joint_set_speed(piola_world *world, piola_joint joint, uint32_t axis,
                                             float speed);
/* The greatest force of an axis: N or N m, 0 to 1e9. */
PIOLA_API piola_status piola_joint_set_strength(piola_world *world, piola_joint joint,
                                                uint32_t axis, float max_force);

/* Sets the stiffness of its spring (N/m, 0 to 1e9), which grows to it as piola_tool_desc says. */
PIOLA_API piola_status piola_tool_set_stiffness(piola_world *world, piola_tool tool,
                                                float stiffness);

/* Holds all vertices that are within `reach` (m) of the tool's surface at their places in its
 * frame, in place of what it held before: forceps are two tools that each hold what is at their
 * jaw. All together they bear at most `force` (N), an equal share each; then each is stretched by
 * `reach`, and one that would be stretched more lets go. Refused without
 * piola_world_desc.max_tool_holds, or where DESCENT or couplings are not. */
PIOLA_API piola_status piola_tool_grasp(piola_world *world, piola_tool tool, float reach,
                                        float force);
/* Lets go of all that it holds. */
PIOLA_API piola_status piola_tool_release(piola_world *world, piola_tool tool);

/* Sets how long steps are from this one on (s, 1e-6 to 1): give it before each step where frames
 * differ. Pins and colliders arrive by the end of the step, however long it is. All that sleeps
 * wakes when it changes, and BDF2 goes on from there as Euler does, for a substep. */
PIOLA_API piola_status piola_world_set_dt(piola_world *world, float dt);
/* Sets the substeps of a step, from this one on: 1 to piola_world_desc.max_substeps, else the
 * command is refused. PIOLA_ERROR_RANGE above 1000. */
PIOLA_API piola_status piola_world_set_substeps(piola_world *world, uint32_t count);
/* Likewise the iterations of a substep: 0 to piola_world_desc.max_iterations. */
PIOLA_API piola_status piola_world_set_iterations(piola_world *world, uint32_t count);
/* Sets the world's gravity (m/s^2). */
PIOLA_API piola_status piola_world_set_gravity(piola_world *world, const float gravity[3]);
/* Sets the wind that blows everywhere (m/s). */
PIOLA_API piola_status piola_world_set_wind(piola_world *world, const float wind[3]);
/* Carries the grid of winds: its first node stands at a position (m) from this step on; refused
 * without a grid. */
PIOLA_API piola_status piola_world_set_wind_origin(piola_world *world, const float origin[3]);
/* Sets the factor on the velocities of that grid; likewise. */
PIOLA_API piola_status piola_world_set_wind_strength(piola_world *world, float strength);

/* Between steps only: forgets all commands that wait, and says how many (`dropped` may be null);
 * one that another thread gives meanwhile may stay. After restoring a snapshot, for who wants
 * nothing of the future that is gone. */
PIOLA_API piola_status piola_world_drop_commands(piola_world *world, uint32_t *dropped);

/* ---- commands as values, for those who store or send them --------------------------------------
 */

/* Each is what the call of its name asks, and says which member of piola_command.as it uses. */
typedef enum piola_command_kind {
    PIOLA_COMMAND_BODY_PIN = 1,          /* pin */
    PIOLA_COMMAND_BODY_PIN_PLANE,        /* guide */
    PIOLA_COMMAND_BODY_PIN_LINE,         /* guide */
    PIOLA_COMMAND_BODY_UNPIN,            /* unpin */
    PIOLA_COMMAND_BODY_IMPULSE,          /* impulse */
    PIOLA_COMMAND_BODY_FORCE,            /* body_force */
    PIOLA_COMMAND_BODY_VELOCITY,         /* body_velocity */
    PIOLA_COMMAND_BODY_ACCELERATION,     /* body_acceleration */
    PIOLA_COMMAND_BODY_PRESSURE,         /* body_pressure */
    PIOLA_COMMAND_BODY_THAW,             /* body_thaw */
    PIOLA_COMMAND_BODY_WAKE,             /* body_thaw */
    PIOLA_COMMAND_BODY_SLEEP_SPEED,      /* body_number */
    PIOLA_COMMAND_BODY_DAMPING,          /* body_number */
    PIOLA_COMMAND_BODY_RELATIVE_DAMPING, /* body_number */
    PIOLA_COMMAND_BODY_GRAVITY_SCALE,    /* body_number */
    PIOLA_COMMAND_BODY_FRICTION,         /* body_pair */
    PIOLA_COMMAND_BODY_AIR,              /* body_pair */
    PIOLA_COMMAND_BODY_FILTER,           /* body_filter */
    PIOLA_COMMAND_TRACTION_VALUE,        /* traction_value */
    PIOLA_COMMAND_TRACTION_PRESSURE,     /* traction_pressure */
    PIOLA_COMMAND_ATTACHMENT_TARGET,     /* attachment_target */
    PIOLA_COMMAND_ATTACHMENT_DETACH,     /* attachment_detach */
    PIOLA_COMMAND_ATTACHMENT_COMPLIANCE, /* attachment_number */
    PIOLA_COMMAND_ATTACHMENT_DAMPING,    /* attachment_number */
    PIOLA_COMMAND_COLLIDER_MOVE,         /* collider_move */
    PIOLA_COMMAND_COLLIDER_TURN,         /* collider_turn */
    PIOLA_COMMAND_COLLIDER_VELOCITY,     /* collider_velocity */
    PIOLA_COMMAND_COLLIDER_SPIN,         /* collider_spin */
    PIOLA_COMMAND_COLLIDER_FRICTION,     /* collider_pair */
    PIOLA_COMMAND_COLLIDER_RESTITUTION,  /* collider_number */
    PIOLA_COMMAND_COLLIDER_FILTER,       /* collider_filter */
    PIOLA_COMMAND_RIGID_MOVE,            /* rigid_move */
    PIOLA_COMMAND_RIGID_TURN,            /* rigid_turn */
    PIOLA_COMMAND_RIGID_VELOCITY,        /* rigid_velocity */
    PIOLA_COMMAND_RIGID_SPIN,            /* rigid_spin */
    PIOLA_COMMAND_RIGID_IMPULSE,         /* rigid_impulse */
    PIOLA_COMMAND_RIGID_TWIST,           /* rigid_twist */
    PIOLA_COMMAND_RIGID_FORCE,           /* rigid_force */
    PIOLA_COMMAND_RIGID_DAMPING,         /* rigid_number */
    PIOLA_COMMAND_RIGID_GRAVITY_SCALE,   /* rigid_number */
    PIOLA_COMMAND_RIGID_FRICTION,        /* rigid_pair */
    PIOLA_COMMAND_RIGID_RESTITUTION,     /* rigid_number */
    PIOLA_COMMAND_RIGID_FILTER,          /* rigid_filter */
    PIOLA_COMMAND_TOOL_MOVE,             /* tool_move */
    PIOLA_COMMAND_TOOL_TURN,             /* tool_turn */
    PIOLA_COMMAND_TOOL_STIFFNESS,        /* tool_number */
    PIOLA_COMMAND_TOOL_GRASP,            /* tool_pair */
    PIOLA_COMMAND_TOOL_RELEASE,          /* tool_release */
    PIOLA_COMMAND_WORLD_DT,              /* world_dt */
    PIOLA_COMMAND_WORLD_SUBSTEPS,        /* world_count */
    PIOLA_COMMAND_WORLD_ITERATIONS,      /* world_count */
    PIOLA_COMMAND_WORLD_GRAVITY,         /* gravity */
    PIOLA_COMMAND_WORLD_WIND,            /* wind */
    PIOLA_COMMAND_WORLD_WIND_ORIGIN,     /* wind_origin */
    PIOLA_COMMAND_WORLD_WIND_STRENGTH,   /* wind_strength */
    PIOLA_COMMAND_BODY_CLAMP,            /* body_turn */
    PIOLA_COMMAND_BODY_UNCLAMP,          /* unpin */
    PIOLA_COMMAND_JOINT_TARGET,          /* joint_axis */
    PIOLA_COMMAND_JOINT_SPEED,           /* joint_axis */
    PIOLA_COMMAND_JOINT_STRENGTH,        /* joint_axis */
    PIOLA_COMMAND_COUNT
} piola_command_kind;

typedef struct piola_command {
    uint32_t kind;      /* piola_command_kind */
    uint32_t reserved_; /* must be 0 */
    union piola_command_input {
        struct {
            piola_body body;
            uint32_t vertex;
            float position[3]; /* m */
        } pin;
        struct {
            piola_body body;
            uint32_t vertex;
            float point[3];     /* m */
            float direction[3]; /* of the plane's normal, of the line */
        } guide;
        struct {
            piola_body body;
            uint32_t vertex;
        } unpin;
        struct {
            piola_body body;
            uint32_t vertex;
            float impulse[3]; /* N s */
        } impulse;
        struct {
            piola_body body;
            uint32_t vertex;
            float force[3]; /* N */
        } body_force;
        struct {
            piola_body body;
            uint32_t vertex;
            float rotation[4]; /* unit quaternion x, y, z, w */
        } body_turn;
        struct {
            piola_body body;
            float velocity[3]; /* m/s */
        } body_velocity;
        struct {
            piola_body body;
            float acceleration[3]; /* m/s^2 */
        } body_acceleration;
        struct {
            piola_body body;
            float pressure; /* Pa, or m^3 */
        } body_pressure;
        struct {
            piola_body body;
        } body_thaw;
        struct {
            piola_body body;
            float value;
        } body_number;
        struct {
            piola_body body;
            float value[2]; /* at rest, kinetic; drag, lift */
        } body_pair;
        struct {
            piola_body body;
            uint64_t category, mask;
        } body_filter;
        struct {
            piola_traction traction;
            float value[3]; /* Pa */
        } traction_value;
        struct {
            piola_traction traction;
            float pressure; /* Pa */
        } traction_pressure;
        struct {
            piola_attachment attachment;
            float target[3]; /* m */
        } attachment_target;
        struct {
            piola_attachment attachment;
        } attachment_detach;
        struct {
            piola_attachment attachment;
            float value; /* m/N */
        } attachment_number;
        struct {
            piola_collider collider;
            float position[3]; /* m */
        } collider_move;
        struct {
            piola_collider collider;
            float rotation[4]; /* unit quaternion x, y, z, w */
        } collider_turn;
        struct {
            piola_collider collider;
            float velocity[3]; /* m/s */
        } collider_velocity;
        struct {
            piola_collider collider;
            float angular_velocity[3]; /* rad/s */
        } collider_spin;
        struct {
            piola_collider collider;
            float value;
        } collider_number;
        struct {
            piola_collider collider;
            float value[2]; /* at rest, kinetic */
        } collider_pair;
        struct {
            piola_collider collider;
            uint64_t category, mask;
        } collider_filter;
        struct {
            piola_rigid rigid;
            float position[3]; /* m */
        } rigid_move;
        struct {
            piola_rigid rigid;
            float rotation[4]; /* unit quaternion x, y, z, w */
        } rigid_turn;
        struct {
            piola_rigid rigid;
            float velocity[3]; /* m/s */
        } rigid_velocity;
        struct {
            piola_rigid rigid;
            float angular_velocity[3]; /* rad/s */
        } rigid_spin;
        struct {
            piola_rigid rigid;
            float impulse[3]; /* N s */
        } rigid_impulse;
        struct {
            piola_rigid rigid;
            float twist[3]; /* N m s */
        } rigid_twist;
        struct {
            piola_rigid rigid;
            float force[3]; /* N */
        } rigid_force;
        struct {
            piola_rigid rigid;
            float value;
        } rigid_number;
        struct {
            piola_rigid rigid;
            float value[2]; /* at rest, kinetic */
        } rigid_pair;
        struct {
            piola_rigid rigid;
            uint64_t category, mask;
        } rigid_filter;
        struct {
            piola_tool tool;
            float position[3]; /* m */
        } tool_move;
        struct {
            piola_tool tool;
            float rotation[4]; /* unit quaternion x, y, z, w */
        } tool_turn;
        struct {
            piola_tool tool;
            float value; /* N/m */
        } tool_number;
        struct {
            piola_tool tool;
            float value[2]; /* reach, m; force, N */
        } tool_pair;
        struct {
            piola_tool tool;
        } tool_release;
        struct {
            piola_joint joint;
            uint32_t axis;
            float value; /* m, m/s, N; rad, rad/s, N m */
        } joint_axis;
        struct {
            float dt; /* s */
        } world_dt;
        struct {
            uint32_t count;
        } world_count;
        struct {
            float acceleration[3]; /* m/s^2 */
        } gravity;
        struct {
            float velocity[3]; /* m/s */
        } wind;
        struct {
            float position[3]; /* m */
        } wind_origin;
        struct {
            float factor;
        } wind_strength;
    } as;
} piola_command;

/* Queues a command as the calls above do. PIOLA_ERROR_RANGE: an unknown kind, or reserved_ is not
 * 0. */
PIOLA_API piola_status piola_world_push(piola_world *world, const piola_command *command);

#ifdef __cplusplus
}
#endif

#endif
