/* stage_fields.c - pressures, and all that a step is told; forces are stage_loads.c, winds
 * stage_winds.c.
 *
 * As with pins, it depends on the step's number and the world's state alone, so that a second world
 * can be put through the same step.
 */
#include "io/scene/stage.h"

#include "asset/asset.h"

#include <math.h>
#include <string.h>

#define COMMANDS_MAX (1u << 20) /* of a step */

static const struct scene_field *field_at(const struct stage *stage, uint32_t index)
{
    return (const struct scene_field *)stage->scene->fields.items + index;
}

const struct stage_body *stage_body_named(const struct stage *stage, const char *name,
                                          uint32_t copy)
{
    for (uint32_t b = 0; b < stage->body_count; ++b) {
        const struct stage_body *body = &stage->bodies[b];
        if (body->scene->name && strcmp(body->scene->name, name) == 0 && body->copy == copy)
            return body;
    }
    return NULL;
}

uint32_t stage_nearest_vertex(const struct meshgen *mesh, const double place[3])
{
    uint32_t best = 0;
    double least = (double)INFINITY;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        double square = 0;
        for (size_t k = 0; k < 3; ++k) {
            const double d = mesh->vertices[3 * (size_t)v + k] - place[k];
            square += d * d;
        }
        if (square < least) {
            least = square;
            best = v;
        }
    }
    return best;
}

bool stage_fields_make(struct stage *stage, struct problem *problem)
{
    uint64_t commands = 2 * STAGE_GRIP + 1 + stage->pinned_vertices + stage->desc.max_attachments +
                        3 * (uint64_t)stage->collider_count + stage->joint_drives;
    for (uint32_t i = 0; i < stage->scene->fields.count; ++i) {
        const struct scene_field *field = field_at(stage, i);
        commands += field->wind_grid ? 2 : field->wind ? 1 : 0;
    }
    for (uint32_t b = 0; b < stage->body_count; ++b)
        commands += stage->bodies[b].scene->pressure != NULL;
    if (!stage_loads_make(stage, problem) || !stage_winds_make(stage, problem))
        return false;
    commands += stage->loaded_vertices;
    if (commands > COMMANDS_MAX)
        return problem_set(problem, EXIT_SCENE,
                           "%s: pins and fields may tell %llu vertices something in one step, "
                           "more than the engine takes (1048576)",
                           stage->path, (unsigned long long)commands);
    while (stage->desc.max_commands < commands)
        stage->desc.max_commands *= 2;
    return true;
}

/* ---- steps ---- */

static bool good(piola_status status, struct problem *problem)
{
    return status == PIOLA_OK || problem_engine(problem, EXIT_RUNTIME, "a field", status, NULL);
}

/* What a body holds at a time, in the unit of the engine's command. */
static double pressure_at(const struct stage_body *body, double time)
{
    const struct scene_pressure *pressure = body->scene->pressure;
    const struct pressure_frame *frame = pressure->frames.items;
    const uint32_t count = pressure->frames.count;
    uint32_t after = 0;
    while (after < count && frame[after].time <= time)
        ++after;
    const struct pressure_frame *a = &frame[after > 0 ? after - 1 : 0];
    const struct pressure_frame *b = &frame[after < count ? after : count - 1];
    const double share = a == b ? 0 : (time - a->time) / (b->time - a->time);
    const double value = a->value + share * (b->value - a->value);
    const bool volume = body->desc.pressure_kind == PIOLA_PRESSURE_VOLUME;
    return volume ? value * body->asset->stats.enclosed : value;
}

static bool push_pressures(const struct stage *stage, piola_world *world, double time,
                           struct problem *problem)
{
    for (uint32_t b = 0; b < stage->body_count; ++b) {
        const struct stage_body *body = &stage->bodies[b];
        if (!body->scene->pressure || body->scene->pressure->frames.count == 0)
            continue;
        const float pressure = (float)pressure_at(body, time);
        if (!good(piola_body_set_pressure(world, body->handle, pressure), problem))
            return false;
    }
    return true;
}

bool stage_fields_push(const struct stage *stage, piola_world *world, uint64_t step,
                       struct problem *problem)
{
    const double begin = (double)(step - 1) * (double)stage->desc.dt;
    return stage_loads_push(stage, world, begin, problem) &&
           stage_winds_push(stage, world, step, begin, problem) &&
           push_pressures(stage, world, begin, problem);
}

bool stage_inputs_push(const struct stage *stage, piola_world *world, uint64_t step,
                       struct problem *problem)
{
    return stage_pins_push(stage, world, step, problem) &&
           stage_colliders_push(stage, world, step, problem) &&
           stage_tools_push(stage, world, step, problem) &&
           stage_joints_push(stage, world, step, problem) &&
           stage_attachments_push(stage, world, step, problem) &&
           stage_fields_push(stage, world, step, problem);
}
