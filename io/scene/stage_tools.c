/* stage_tools.c - tools in the world: their devices, led as colliders are, and what they grasp. */
#include "io/scene/stage.h"

#include <string.h>

#define HOLDS_MAX (1u << 20) /* vertices */

static const struct scene_tool *tool_of(const struct stage_collider *collider)
{
    return collider->scene->tool;
}

bool stage_tools_make(struct stage *stage, struct problem *problem)
{
    uint64_t holds = 0;
    for (uint32_t i = 0; i < stage->collider_count; ++i) {
        const struct scene_tool *tool = tool_of(&stage->colliders[i]);
        if (!tool)
            continue;
        ++stage->desc.max_tools;
        holds += tool->grasps.count > 0 ? stage->vertices : 0;
        if (tool->grasps.count > 0 && stage->desc.solver != PIOLA_SOLVER_DESCENT)
            return problem_set(problem, EXIT_SCENE,
                               "%s: colliders[%u].tool.grasps: only the solver \"descent\" holds "
                               "what is grasped",
                               stage->path, i);
    }
    stage->desc.max_tool_holds = holds < HOLDS_MAX ? (uint32_t)holds : HOLDS_MAX;
    return true;
}

piola_status stage_tool_create(struct stage *stage, struct stage_collider *collider,
                               piola_error *error)
{
    if (!tool_of(collider))
        return PIOLA_OK;
    piola_tool_desc desc = tool_of(collider)->desc;
    desc.rigid = collider->rigid;
    stage_collider_place(collider, 0, desc.position, desc.rotation);
    return piola_tool_create(stage->world, &desc, &collider->tool, error);
}

/* Is it told in the step that begins at a time? */
static bool due(double when, double begin, double dt)
{
    return when > begin - 0.999 * dt && when <= begin + 0.001 * dt;
}

static piola_status push(const struct stage_collider *collider, piola_world *world, double begin,
                         double dt)
{
    const struct list *grasps = &tool_of(collider)->grasps;
    piola_status status = PIOLA_OK;
    if (collider->scene->motion) {
        float position[3], rotation[4];
        stage_collider_place(collider, begin + dt, position, rotation);
        status = piola_tool_move(world, collider->tool, position);
        if (status == PIOLA_OK)
            status = piola_tool_turn(world, collider->tool, rotation);
    }
    for (uint32_t i = 0; i < grasps->count && status == PIOLA_OK; ++i) {
        const struct scene_grasp *grasp = (const struct scene_grasp *)grasps->items + i;
        if (due(grasp->time, begin, dt))
            status = piola_tool_grasp(world, collider->tool, grasp->reach, grasp->max_force);
        else if (due(grasp->release, begin, dt))
            status = piola_tool_release(world, collider->tool);
    }
    return status;
}

bool stage_tools_push(const struct stage *stage, piola_world *world, uint64_t step,
                      struct problem *problem)
{
    const double dt = (double)stage->desc.dt;
    for (uint32_t i = 0; i < stage->collider_count; ++i) {
        if (!tool_of(&stage->colliders[i]))
            continue;
        const piola_status status = push(&stage->colliders[i], world, (double)(step - 1) * dt, dt);
        if (status != PIOLA_OK)
            return problem_engine(problem, EXIT_RUNTIME, "a tool", status, NULL);
    }
    return true;
}

bool stage_tool_info(const struct stage *stage, const char *name, piola_tool_info *info)
{
    for (uint32_t i = 0; i < stage->collider_count; ++i) {
        const struct stage_collider *collider = &stage->colliders[i];
        if (tool_of(collider) && collider->scene->name && strcmp(collider->scene->name, name) == 0)
            return piola_tool_inspect(stage->world, collider->tool, info) == PIOLA_OK;
    }
    return false;
}
