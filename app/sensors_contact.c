/* sensors_contact.c - sensors of what bodies are held by and touch: attachments, colliders, each
 * other. */
#include "sensor_look.h"

#include <string.h>

#define EVENTS 64u /* read at once */

/* Of all its vertices together. */
bool sensor_attachment_force(const struct look *look, double *values)
{
    const struct stage *stage = look->stage;
    for (uint32_t i = 0; i < stage->attachment_count; ++i) {
        const struct stage_attachment *attachment = &stage->attachments[i];
        const char *name = attachment->pin.scene->name;
        if (!name || strcmp(name, look->sensor->scene->attachment) != 0)
            continue;
        for (uint32_t v = 0; v < attachment->pin.count; ++v) {
            piola_attachment_info info;
            if (!piola_attachment_alive(stage->world, attachment->handles[v]))
                continue;
            if (piola_attachment_inspect(stage->world, attachment->handles[v], &info) != PIOLA_OK)
                return false;
            for (int k = 0; k < 3; ++k)
                values[k] += (double)info.force[k];
        }
    }
    return true;
}

bool sensor_contact_force(const struct look *look, double *values)
{
    const struct stage *stage = look->stage;
    for (uint32_t i = 0; i < stage->collider_count; ++i) {
        const struct stage_collider *collider = &stage->colliders[i];
        piola_collider_info info;
        if (!collider->scene->name ||
            strcmp(collider->scene->name, look->sensor->scene->collider) != 0)
            continue;
        if (!stage_collider_info(stage, collider, &info))
            return false;
        for (int k = 0; k < 3; ++k)
            values[k] += info.force[k];
    }
    return true;
}

bool sensor_touches(const struct look *look, double *values)
{
    const struct stage *stage = look->stage;
    for (uint32_t i = 0; i < stage->collider_count; ++i) {
        const struct stage_collider *collider = &stage->colliders[i];
        piola_collider_info info;
        if (!collider->scene->name ||
            strcmp(collider->scene->name, look->sensor->scene->collider) != 0)
            continue;
        if (!stage_collider_info(stage, collider, &info))
            return false;
        values[0] += info.touches;
    }
    return true;
}

static const struct stage_collider *collider_of(const struct look *look)
{
    const struct stage *stage = look->stage;
    uint32_t i = 0;
    while (i + 1 < stage->collider_count &&
           (!stage->colliders[i].scene->name ||
            strcmp(stage->colliders[i].scene->name, look->sensor->scene->collider) != 0))
        ++i;
    return &stage->colliders[i];
}

static bool state_of(const struct look *look, bool velocity_wanted, double *values)
{
    piola_collider_info info;
    if (!stage_collider_info(look->stage, collider_of(look), &info))
        return false;
    for (int k = 0; k < 3; ++k)
        values[k] = (double)(velocity_wanted ? info.velocity[k] : info.position[k]);
    return true;
}

bool sensor_collider_position(const struct look *look, double *values)
{
    return state_of(look, false, values);
}

bool sensor_collider_velocity(const struct look *look, double *values)
{
    return state_of(look, true, values);
}

/* ---- of tools ---- */

/* Three of its numbers. */
static bool of_tool(const struct look *look, size_t member, double *values)
{
    piola_tool_info info;
    float numbers[3];
    if (!stage_tool_info(look->stage, look->sensor->scene->collider, &info))
        return false;
    memcpy(numbers, (const char *)&info + member, sizeof numbers);
    for (int k = 0; k < 3; ++k)
        values[k] = (double)numbers[k];
    return true;
}

bool sensor_tool_force(const struct look *look, double *values)
{
    return of_tool(look, offsetof(piola_tool_info, force), values);
}

bool sensor_tool_torque(const struct look *look, double *values)
{
    return of_tool(look, offsetof(piola_tool_info, torque), values);
}

bool sensor_tool_position(const struct look *look, double *values)
{
    return of_tool(look, offsetof(piola_tool_info, position), values);
}

bool sensor_tool_held(const struct look *look, double *values)
{
    piola_tool_info info;
    if (!stage_tool_info(look->stage, look->sensor->scene->collider, &info))
        return false;
    values[0] = info.held;
    return true;
}

/* ---- of bodies ---- */

static bool forces_of(const struct look *look, uint32_t index, uint32_t first, uint32_t count,
                      double *values)
{
    const struct stage_body *body = &look->stage->bodies[index];
    const piola_status status =
        piola_body_contact_forces(look->stage->world, body->handle, first, count, look->xyz);
    for (size_t i = 0; i < 3 * (size_t)count && status == PIOLA_OK; ++i)
        values[i % 3] += (double)look->xyz[i];
    return status == PIOLA_OK;
}

bool sensor_body_contact_force(const struct look *look, double *values)
{
    for (uint32_t b = look->sensor->first; b < look->sensor->last; ++b)
        if (!forces_of(look, b, 0, look->stage->bodies[b].asset->stats.vertices, values))
            return false;
    return true;
}

bool sensor_vertex_contact_force(const struct look *look, double *values)
{
    return forces_of(look, look->sensor->first, look->sensor->vertex, 1, values);
}

static bool same(piola_body a, piola_body b)
{
    return a.index == b.index && a.generation == b.generation;
}

/* One body, or all, so that each pair counts once. */
bool sensor_contacts(const struct look *look, double *values)
{
    const struct stage *stage = look->stage;
    const struct sensor_state *sensor = look->sensor;
    const piola_body wanted = stage->bodies[sensor->first].handle;
    piola_contact_event events[EVENTS];
    uint32_t total = 1;
    for (uint32_t first = 0; first < total; first += EVENTS) {
        if (piola_world_contact_events(stage->world, first, EVENTS, events, &total) != PIOLA_OK)
            return false;
        const uint32_t left = total > first ? total - first : 0;
        const uint32_t count = left < EVENTS ? left : EVENTS;
        for (uint32_t i = 0; i < count; ++i)
            values[0] += events[i].phase != PIOLA_CONTACT_END &&
                         (!sensor->scene->body || same(events[i].body, wanted) ||
                          same(events[i].other, wanted));
    }
    return true;
}
