/* sensors_frames.c - sensors of what has turns: rods and joints. */
#include "sensor_look.h"

#include <math.h>
#include <string.h>

#define DEGREES 57.29577951308232

/* ---- rods ---- */

/* What a segment at the vertex holds, and which of its ends is there; the segment that begins
 * there, where one does. */
static bool load_of(const struct look *look, piola_segment_load *load, uint32_t *end)
{
    const struct stage_body *body = &look->stage->bodies[look->sensor->first];
    const struct meshgen *mesh = body->asset->mesh;
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < 2 * mesh->link_count; ++i)
        if (mesh->links[i] == look->sensor->vertex && (found == UINT32_MAX || i % 2 == 0))
            found = i;
    *end = found % 2;
    return found != UINT32_MAX && piola_body_segment_loads(look->stage->world, body->handle,
                                                           found / 2, 1, load) == PIOLA_OK;
}

bool sensor_tension(const struct look *look, double *values)
{
    piola_segment_load load;
    uint32_t end;
    if (!load_of(look, &load, &end))
        return false;
    values[0] = (double)load.force[2];
    return true;
}

bool sensor_bending_moment(const struct look *look, double *values)
{
    piola_segment_load load;
    uint32_t end;
    if (!load_of(look, &load, &end))
        return false;
    values[0] = hypot((double)load.moment[end][0], (double)load.moment[end][1]);
    return true;
}

bool sensor_torque(const struct look *look, double *values)
{
    piola_segment_load load;
    uint32_t end;
    if (!load_of(look, &load, &end))
        return false;
    values[0] = (double)load.moment[end][2];
    return true;
}

/* ---- joints: 0 once they broke ---- */

static bool of_joint(const struct look *look, size_t member, double unit, unsigned count,
                     double *values)
{
    piola_joint_info info;
    float numbers[3];
    if (!stage_joint_info(look->stage, look->sensor->scene->joint, &info))
        return true;
    memcpy(numbers, (const char *)&info + member, count * sizeof *numbers);
    for (unsigned k = 0; k < count; ++k)
        values[k] = unit * (double)numbers[k];
    return true;
}

bool sensor_joint_force(const struct look *look, double *values)
{
    return of_joint(look, offsetof(piola_joint_info, force), 1, 3, values);
}

bool sensor_joint_torque(const struct look *look, double *values)
{
    return of_joint(look, offsetof(piola_joint_info, torque), 1, 3, values);
}

bool sensor_joint_position(const struct look *look, double *values)
{
    return of_joint(look, offsetof(piola_joint_info, position), 1, 3, values);
}

bool sensor_joint_angles(const struct look *look, double *values)
{
    return of_joint(look, offsetof(piola_joint_info, position[3]), DEGREES, 3, values);
}

bool sensor_joint_push(const struct look *look, double *values)
{
    return of_joint(look, offsetof(piola_joint_info, load), 1, 3, values);
}

bool sensor_joint_turn(const struct look *look, double *values)
{
    return of_joint(look, offsetof(piola_joint_info, load[3]), 1, 3, values);
}

bool sensor_joint_gap(const struct look *look, double *values)
{
    return of_joint(look, offsetof(piola_joint_info, gap), 1, 1, values);
}

bool sensor_joint_holds(const struct look *look, double *values)
{
    piola_joint_info info;
    values[0] = stage_joint_info(look->stage, look->sensor->scene->joint, &info) ? 1 : 0;
    return true;
}
