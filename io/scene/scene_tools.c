/* scene_tools.c - the keys of tools: rigid bodies that a hand holds. */
#include "io/scene/scene.h"

#include "io/scene/key_rows.h"

#include <math.h>

static const struct key grasp_keys[] = {
    {KEY(scene_grasp, time, KEY_DOUBLE, "when it closes, s"), RANGE(0, 1e9), .required = true},
    {KEY(scene_grasp, release, KEY_DOUBLE, "when it opens, s; without it never"), RANGE(0, 1e9)},
    {KEY(scene_grasp, reach, KEY_FLOAT,
         "vertices that are then this near to its surface are held, m"),
     ABOVE(0, 1e3), .required = true},
    {KEY(scene_grasp, max_force, KEY_FLOAT, "that it holds them with at most, all together, N"),
     ABOVE(0, 1e9), .required = true},
};

static void grasp_defaults(void *item)
{
    ((struct scene_grasp *)item)->release = (double)INFINITY;
}

static bool grasp_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct scene_grasp *grasp = item;
    return grasp->release > grasp->time ||
           trail_problem(trail, problem, "\"release\" is not after \"time\"");
}

static const struct table grasp_table = {
    TABLE("a grasp", scene_grasp, grasp_keys, "From when to when a tool holds what it touches."),
    .defaults = grasp_defaults,
    .check = grasp_check,
};

#define SETTING(member, kind_, what_) NAMED(#member, scene_tool, desc.member, kind_, what_)

static const struct key tool_keys[] = {
    {SETTING(stiffness, KEY_FLOAT, "of the spring from the device to the tool, N/m"),
     RANGE(0, 1e9)},
    {SETTING(damping, KEY_FLOAT, "of their relative velocity, N s/m"), RANGE(0, 1e9)},
    {SETTING(turn_stiffness, KEY_FLOAT, "N m/rad"), RANGE(0, 1e9)},
    {SETTING(turn_damping, KEY_FLOAT, "N m s"), RANGE(0, 1e9)},
    {SETTING(max_force, KEY_FLOAT, "spring and damper never exert more, N"), ABOVE(0, 1e9)},
    {SETTING(max_torque, KEY_FLOAT, "likewise, N m"), ABOVE(0, 1e9)},
    {SETTING(stiffness_rise, KEY_FLOAT,
             "how fast the stiffness grows from 0 at the start, N/m in a second; 0: at once"),
     RANGE(0, 1e12)},
    {KEY(scene_tool, grasps, KEY_LIST, "when it holds, in order of time"), .table = &grasp_table,
     .length = 1000},
};

static void tool_defaults(void *item)
{
    ((struct scene_tool *)item)->desc = piola_tool_desc_default();
}

static bool tool_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct scene_tool *tool = item;
    const struct scene_grasp *grasps = tool->grasps.items;
    for (uint32_t i = 1; i < tool->grasps.count; ++i)
        if (!(grasps[i].time > grasps[i - 1].release))
            return trail_problem(trail, problem,
                                 "grasps[%u].time is not after the release of the one before", i);
    return true;
}

const struct table scene_tool_table = {
    TABLE("a tool", scene_tool, tool_keys,
          "A hand's device holds the rigid body by a spring; \"motion\" leads the device. The body "
          "weighs nothing unless \"gravity_scale\" is given."),
    .defaults = tool_defaults,
    .check = tool_check,
};
