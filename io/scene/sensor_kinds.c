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
    "reaction",
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
    "tool_force",
    "tool_torque",
    "tool_position",
    "tool_held",
    "tension",
    "bending_moment",
    "torque",
    "joint_force",
    "joint_torque",
    "joint_position",
    "joint_angles",
    "joint_push",
    "joint_turn",
    "joint_gap",
    "joint_holds",
};

/* What a kind needs room for, or a report of. */
enum needs { NOTHING, EVENTS, REPORT };

/* In the order of their names. */
static const struct {
    enum sensor_scope scope;
    enum needs needs;
    const char *unit; /* "" : a count or a ratio */
} kinds[SENSOR_KIND_COUNT] = {
    {SENSOR_OF_VERTEX, NOTHING, "m"},      {SENSOR_OF_VERTEX, NOTHING, "m/s"},
    {SENSOR_OF_BODY, NOTHING, "m"},        {SENSOR_OF_BODY, NOTHING, "kg m/s"},
    {SENSOR_OF_BODY, NOTHING, "kg m^2/s"}, {SENSOR_OF_BODY, NOTHING, "kg"},
    {SENSOR_OF_BODY, NOTHING, "J"},        {SENSOR_OF_BODY, NOTHING, "J"},
    {SENSOR_OF_BODY, NOTHING, "J"},        {SENSOR_OF_BODY, NOTHING, "m"},
    {SENSOR_OF_BODY, NOTHING, "m"},        {SENSOR_OF_BODY, NOTHING, "m^3"},
    {SENSOR_OF_BODY, NOTHING, ""},         {SENSOR_OF_BODY, NOTHING, ""},
    {SENSOR_OF_BODY, NOTHING, ""},         {SENSOR_OF_ONE_BODY, NOTHING, "Pa"},
    {SENSOR_OF_BODY, REPORT, "N"},         {SENSOR_OF_ATTACHMENT, REPORT, "N"},
    {SENSOR_OF_COLLIDER, NOTHING, "N"},    {SENSOR_OF_COLLIDER, NOTHING, ""},
    {SENSOR_OF_COLLIDER, NOTHING, "m"},    {SENSOR_OF_COLLIDER, NOTHING, "m/s"},
    {SENSOR_OF_BODY, EVENTS, "N"},         {SENSOR_OF_VERTEX, EVENTS, "N"},
    {SENSOR_OF_BODY, EVENTS, ""},          {SENSOR_OF_POINT, NOTHING, "m"},
    {SENSOR_OF_WORLD, REPORT, "N"},        {SENSOR_OF_WORLD, REPORT, "J"},
    {SENSOR_OF_TOOL, NOTHING, "N"},        {SENSOR_OF_TOOL, NOTHING, "N m"},
    {SENSOR_OF_TOOL, NOTHING, "m"},        {SENSOR_OF_TOOL, NOTHING, ""},
    {SENSOR_OF_ROD, NOTHING, "N"},         {SENSOR_OF_ROD, NOTHING, "N m"},
    {SENSOR_OF_ROD, NOTHING, "N m"},       {SENSOR_OF_JOINT, NOTHING, "N"},
    {SENSOR_OF_JOINT, NOTHING, "N m"},     {SENSOR_OF_JOINT, NOTHING, "m"},
    {SENSOR_OF_JOINT, NOTHING, "degrees"}, {SENSOR_OF_JOINT, NOTHING, "N"},
    {SENSOR_OF_JOINT, NOTHING, "N m"},     {SENSOR_OF_JOINT, NOTHING, "m"},
    {SENSOR_OF_JOINT, NOTHING, ""},
};

enum sensor_scope sensor_scope(uint32_t kind)
{
    return kinds[kind].scope;
}

const char *sensor_unit(uint32_t kind)
{
    return kinds[kind].unit;
}

bool sensors_need_report(const struct scene *scene)
{
    const struct scene_sensor *sensors = scene->sensors.items;
    for (uint32_t i = 0; i < scene->sensors.count; ++i)
        if (kinds[sensors[i].kind].needs == REPORT)
            return true;
    return false;
}

bool sensors_need_events(const struct scene *scene)
{
    const struct scene_sensor *sensors = scene->sensors.items;
    for (uint32_t i = 0; i < scene->sensors.count; ++i)
        if (kinds[sensors[i].kind].needs == EVENTS)
            return true;
    return false;
}
