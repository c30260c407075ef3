/* tools.h - rigid bodies that hands hold by springs: tool_life.c, and what the springs do in a
 * step: tools.c. The spring itself is one more force of the rigid body's solve: rigid_move.c.
 */
#ifndef PIOLA_TOOLS_H
#define PIOLA_TOOLS_H

#include "families/rigid/rigid.h"

/* A slot that is not alive is zero but for its generation. */
struct tool {
    uint32_t generation, alive;
    uint32_t rigid, rigid_generation; /* handle of the proxy */
    float position[3], rotation[4];   /* m, unit quaternion: the device's, when the step begins */
    float goal[3], heading[4];        /* when it ends */
    float stiffness, turn_stiffness;  /* N/m, N m/rad: as asked for */
    float damping, turn_damping;      /* N s/m, N m s */
    float max_force, max_torque;      /* N, N m */
    float rise;                       /* N/m in a second; 0: at once */
    float reached;                    /* N/m: the stiffness that it has */
    float force[3], torque[3];        /* N, N m, on the proxy: mean of the last step */
    /* tool_model.c: what the force falls by as the device goes on (N/m, N m/rad; xx yy zz yz xz
     * xy), the share of it that is believed, and the force that it was learnt from. */
    float slope[6], turn_slope[6], trust, before[3];
    float each; /* N/m: how a place of what it touched last answered */
};

/* A vertex that a tool holds; those that are held come first. */
struct tool_hold {
    uint32_t tool, body;   /* slot + 1, index + 1 */
    uint32_t particle;     /* of the body */
    float local[3];        /* m: where it is held, in the proxy's frame */
    float stiffness, most; /* N/m; N: beyond, it lets go */
    float force[3];        /* N, on the vertex, in the last substep */
};

#define ARRAYS_OF "families/tools/tools.def"
#include "world/arrays.h"

/* Of a handle; and of a slot, its proxy's slot. Null, and false, when either is gone. */
struct tool *tools_find(const piola_world *world, piola_tool handle);
bool tool_proxy(const piola_world *world, const struct tool *tool, uint32_t *slot);
/* Tools whose proxies are gone end. */
void tools_sweep(piola_world *world);
void tools_recount(piola_world *world);
/* tool_model.c: after a step, with what presses on the proxy in world_rigid_sums. */
void tool_learn(const struct step *step, struct tool *tool, uint32_t slot);

/* tool_grasp.c: what a tool (slot + 1) holds ends, what of a body is held, and what bears too much;
 * how many vertices it holds. */
void tool_let_go(piola_world *world, uint32_t tool);
void tool_body_gone(piola_world *world, uint32_t body);
void tool_holds_tear(piola_world *world);
uint32_t tool_holding(const piola_world *world, uint32_t tool);
void tool_holds_recount(piola_world *world);
/* In an iteration: on bodies, and on proxies; after it. */
void tool_holds_refresh(struct step *step);
void tool_holds_pull(struct step *step);
void tool_holds_measure(struct step *step);
void tool_holds_link(const piola_world *world, struct islands all);

#endif
