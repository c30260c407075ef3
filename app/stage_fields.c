/* stage_fields.c - forces and pressures: what a step is told of them; winds are stage_winds.c.
 *
 * As with pins, it depends on the step's number and the world's state alone, so that a second world
 * can be put through the same step.
 */
#include "stage.h"

#include "asset.h"

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

/* ---- checks ---- */

static bool check_force(const struct stage *stage, const struct field_force *force, uint32_t index,
                        struct problem *problem)
{
    const struct stage_body *body = stage_body_named(stage, force->body, force->copy);
    const uint32_t *vertices = force->vertices.items;
    if (!body)
        return problem_set(problem, EXIT_SCENE,
                           "%s: fields[%u].force: there is no body \"%s\" with a copy %u",
                           stage->path, index, force->body, force->copy);
    for (uint32_t i = 0; i < force->vertices.count; ++i)
        if (vertices[i] >= body->asset->mesh->vertex_count)
            return problem_set(problem, EXIT_SCENE,
                               "%s: fields[%u].force: the body \"%s\" has %u vertices, so there is "
                               "no vertex %u",
                               stage->path, index, force->body, body->asset->mesh->vertex_count,
                               vertices[i]);
    return true;
}

bool stage_fields_make(struct stage *stage, struct problem *problem)
{
    uint64_t commands = STAGE_GRIP + stage->pinned_vertices + stage->desc.max_attachments +
                        2 * (uint64_t)stage->collider_count;
    for (uint32_t i = 0; i < stage->scene->fields.count; ++i) {
        const struct scene_field *field = field_at(stage, i);
        commands += field->wind_grid ? 2 : field->sphere ? stage->vertices : 1;
        if (field->force) {
            commands += field->force->vertices.count;
            if (!check_force(stage, field->force, i, problem))
                return false;
        }
    }
    for (uint32_t b = 0; b < stage->body_count; ++b)
        commands += stage->bodies[b].scene->pressure != NULL;
    if (!stage_winds_make(stage, problem))
        return false;
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

static bool push(piola_world *world, const piola_command *command, struct problem *problem)
{
    const piola_status status = piola_world_push(world, command);
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
        const piola_command command = {.kind = PIOLA_COMMAND_PRESSURE,
                                       .body = body->handle,
                                       .value = {(float)pressure_at(body, time)}};
        if (!push(world, &command, problem))
            return false;
    }
    return true;
}

static bool push_force(const struct stage *stage, const struct field_force *force,
                       piola_world *world, struct problem *problem)
{
    const struct stage_body *body = stage_body_named(stage, force->body, force->copy);
    const bool listed = force->vertices.count > 0;
    const uint32_t count = listed ? force->vertices.count : 1;
    for (uint32_t i = 0; i < count; ++i) {
        piola_command command = {.kind = PIOLA_COMMAND_IMPULSE, .body = body->handle};
        command.vertex = listed ? ((const uint32_t *)force->vertices.items)[i]
                                : stage_nearest_vertex(body->asset->mesh, force->near);
        for (int k = 0; k < 3; ++k)
            command.value[k] = (float)(force->force[k] * (double)stage->desc.dt / count);
        if (!push(world, &command, problem))
            return false;
    }
    return true;
}

/* The impulse on a vertex at x; false when it is outside, or in the very middle. */
static bool sphere_at(const struct field_sphere *sphere, const float x[3], double mass, double dt,
                      float impulse[3])
{
    double way[3], square = 0;
    for (int k = 0; k < 3; ++k) {
        way[k] = (double)x[k] - sphere->centre[k];
        square += way[k] * way[k];
    }
    const double distance = sqrt(square);
    if (!(distance < sphere->radius) || distance == 0)
        return false;
    const double size = mass * dt * sphere->strength * (1 - distance / sphere->radius) / distance;
    for (int k = 0; k < 3; ++k)
        impulse[k] = (float)(size * way[k]);
    return true;
}

static bool push_sphere(const struct stage *stage, const struct field_sphere *sphere,
                        piola_world *world, struct problem *problem)
{
    for (uint32_t b = 0; b < stage->body_count; ++b) {
        const struct stage_body *body = &stage->bodies[b];
        const uint32_t *particle = asset_particle_of_vertex(body->asset->asset);
        const float *masses = asset_mass(body->asset->asset);
        for (uint32_t v = 0; v < body->asset->stats.vertices; ++v) {
            piola_command command = {
                .kind = PIOLA_COMMAND_IMPULSE, .vertex = v, .body = body->handle};
            float x[3];
            const piola_status status = piola_body_positions(world, body->handle, v, 1, x);
            if (status != PIOLA_OK)
                return problem_engine(problem, EXIT_RUNTIME, body->name, status, NULL);
            if (sphere_at(sphere, x, (double)masses[particle[v]], (double)stage->desc.dt,
                          command.value) &&
                !push(world, &command, problem))
                return false;
        }
    }
    return true;
}

bool stage_fields_push(const struct stage *stage, piola_world *world, uint64_t step,
                       struct problem *problem)
{
    const double begin = (double)(step - 1) * (double)stage->desc.dt;
    for (uint32_t i = 0; i < stage->scene->fields.count; ++i) {
        const struct scene_field *field = field_at(stage, i);
        const struct field_force *force = field->force;
        const struct field_sphere *sphere = field->sphere;
        bool good = true;
        if (force && begin >= force->from && begin < force->until)
            good = push_force(stage, force, world, problem);
        else if (sphere && begin >= sphere->from && begin < sphere->until)
            good = push_sphere(stage, sphere, world, problem);
        if (!good)
            return false;
    }
    return stage_winds_push(stage, world, step, begin, problem) &&
           push_pressures(stage, world, begin, problem);
}

bool stage_inputs_push(const struct stage *stage, piola_world *world, uint64_t step,
                       struct problem *problem)
{
    return stage_pins_push(stage, world, step, problem) &&
           stage_colliders_push(stage, world, step, problem) &&
           stage_attachments_push(stage, world, step, problem) &&
           stage_fields_push(stage, world, step, problem);
}
