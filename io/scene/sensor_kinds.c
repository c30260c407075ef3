/* sensor_kinds.c - see sensor_kinds.h. */
#include "io/scene/sensor_kinds.h"

const char *const sensor_kind_names[SENSOR_KIND_COUNT] = {
    "position",
    "velocity",
    "centre",
    "momentum",
    "angular_momentum",
    "mass",
    "kinetic_energy",
    "potential_energy",
    "elastic_energy",
    "low",
    "high",
    "volume",
    "inverted",
    "max_stretch",
    "plastic_strain",
    "pressure",
    "attachment_force",
    "contact_force",
    "touches",
    "collider_position",
    "collider_velocity",
    "body_contact_force",
    "vertex_contact_force",
    "contacts",
    "point",
    "residual",
    "objective",
};

/* In the order of their names. */
static const struct {
    enum sensor_scope scope;
    bool events; /* needs room for contact events */
} kinds[SENSOR_KIND_COUNT] = {
    {SENSOR_OF_VERTEX, false},   {SENSOR_OF_VERTEX, false},     {SENSOR_OF_BODY, false},
    {SENSOR_OF_BODY, false},     {SENSOR_OF_BODY, false},       {SENSOR_OF_BODY, false},
    {SENSOR_OF_BODY, false},     {SENSOR_OF_BODY, false},       {SENSOR_OF_BODY, false},
    {SENSOR_OF_BODY, false},     {SENSOR_OF_BODY, false},       {SENSOR_OF_BODY, false},
    {SENSOR_OF_BODY, false},     {SENSOR_OF_BODY, false},       {SENSOR_OF_BODY, false},
    {SENSOR_OF_ONE_BODY, false}, {SENSOR_OF_ATTACHMENT, false}, {SENSOR_OF_COLLIDER, false},
    {SENSOR_OF_COLLIDER, false}, {SENSOR_OF_COLLIDER, false},   {SENSOR_OF_COLLIDER, false},
    {SENSOR_OF_BODY, true},      {SENSOR_OF_VERTEX, true},      {SENSOR_OF_BODY, true},
    {SENSOR_OF_POINT, false},    {SENSOR_OF_WORLD, false},      {SENSOR_OF_WORLD, false},
};

enum sensor_scope sensor_scope(uint32_t kind)
{
    return kinds[kind].scope;
}

bool sensors_need_report(const struct scene *scene)
{
    const struct scene_sensor *sensors = scene->sensors.items;
    for (uint32_t i = 0; i < scene->sensors.count; ++i)
        if (kinds[sensors[i].kind].scope == SENSOR_OF_WORLD)
            return true;
    return false;
}

bool sensors_need_events(const struct scene *scene)
{
    const struct scene_sensor *sensors = scene->sensors.items;
    for (uint32_t i = 0; i < scene->sensors.count; ++i)
        if (kinds[sensors[i].kind].events)
            return true;
    return false;
}
