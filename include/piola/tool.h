/* tool.h - tools: rigid bodies that a hand or a robot holds by a spring. Included by piola.h:
 * include that.
 *
 * A tool ties a rigid body, its proxy, to the pose of a device by a spring and a damper in all six
 * directions, found implicitly with everything else that acts on the proxy: no stiffness is too
 * great for a step. The proxy pushes bodies and is pushed by them, colliders stop it; what the
 * spring pulls it with, the hand feels the other way round. Frames, units and safety:
 * docs/guide/haptics.md.
 */
#ifndef PIOLA_PIOLA_TOOL_H
#define PIOLA_PIOLA_TOOL_H

#include "piola/rigid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct piola_tool_desc {
    uint32_t cookie_;
    piola_rigid rigid;    /* the proxy; the tool ends with it. No two tools have the same. Its
                             gravity_scale is best 0, or the hand carries its weight */
    float position[3];    /* m: where the device holds the proxy's origin */
    float rotation[4];    /* unit quaternion x, y, z, w: how it holds it */
    float stiffness;      /* N/m, 0 to 1e9 */
    float damping;        /* N s/m, 0 to 1e9, of the velocity relative to the device's */
    float turn_stiffness; /* N m/rad, 0 to 1e9 */
    float turn_damping;   /* N m s, 0 to 1e9 */
    float max_force;      /* N, above 0 to 1e9: the spring and damper never exert more */
    float max_torque;     /* N m, likewise */
    float stiffness_rise; /* N/m in a second, 0 to 1e12: how fast the stiffness grows, from 0 when
                             the tool is made, and to what piola_tool_set_stiffness asks; it falls
                             at once. Damping and turning keep step. 0: at once */
} piola_tool_desc;

/* No rigid body; at the origin; 1,000 N/m, 10 N s/m, 1 N m/rad, 0.005 N m s, at most 10 N and
 * 0.5 N m, no limit of the rise. */
PIOLA_API piola_tool_desc piola_tool_desc_default(void);

/* Between steps only. PIOLA_ERROR_TOOLS_FULL above piola_world_desc.max_tools; PIOLA_ERROR_STALE
 * and _RANGE of a rigid body that is gone or has a tool. */
PIOLA_API piola_status piola_tool_create(piola_world *world, const piola_tool_desc *desc,
                                         piola_tool *tool, piola_error *error);
/* Between steps only. Its rigid body stays, and flies on as it flew. */
PIOLA_API piola_status piola_tool_destroy(piola_world *world, piola_tool tool);
/* False once it was destroyed, or its rigid body was. */
PIOLA_API bool piola_tool_alive(const piola_world *world, piola_tool tool);

/* Handles of all tools, as piola_world_bodies. */
PIOLA_API piola_status piola_world_tools(const piola_world *world, piola_tool *tools,
                                         uint32_t capacity, uint32_t *count);

typedef struct piola_tool_info {
    piola_rigid rigid;
    float position[3], rotation[4]; /* of the device, when the last step ended */
    float force[3];                 /* N, on the hand: mean of the last step's substeps */
    float torque[3];                /* N m, on the hand, about the proxy's origin, likewise */
    uint32_t held;                  /* vertices that it holds: piola_tool_grasp */
    float stiffness;                /* N/m, now: it may still rise */
    float damping, turn_stiffness, turn_damping, max_force, max_torque; /* as described */
} piola_tool_info;

/* Between steps only. */
PIOLA_API piola_status piola_tool_inspect(const piola_world *world, piola_tool tool,
                                          piola_tool_info *info);

#ifdef __cplusplus
}
#endif

#endif
