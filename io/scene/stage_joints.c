/* stage_joints.c - joints in the world: where their sides are, and what their drives are told. */
#include "io/scene/stage.h"

#include <math.h>
#include <string.h>

#define RADIANS 0.017453293

static const struct scene_joint *joint_at(const struct stage *stage, uint32_t index)
{
    return (const struct scene_joint *)stage->scene->joints.items + index;
}

static const struct stage_collider *collider_named(const struct stage *stage, const char *name)
{
    for (uint32_t i = 0; name && i < stage->collider_count; ++i)
        if (stage->colliders[i].scene->name && strcmp(stage->colliders[i].scene->name, name) == 0)
            return &stage->colliders[i];
    return NULL;
}

bool stage_joints_make(struct stage *stage, struct problem *problem)
{
    const uint32_t count = stage->scene->joints.count;
    stage->joints = pool_take(&stage->pool, count, sizeof *stage->joints, "joints", problem);
    if (!stage->joints)
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        stage->joints[i].scene = joint_at(stage, i);
        stage->joint_drives += joint_at(stage, i)->axes.count;
    }
    stage->joint_count = stage->desc.max_joints = count;
    return true;
}

/* ---- frames ---- */

static void rotate(const float q[4], const double v[3], double turned[3])
{
    const piola_body_desc frame = {.rotation = {q[0], q[1], q[2], q[3]}};
    stage_place(&frame, v, turned);
}

/* Twists a side's frame about its x axis. */
static void twist(float q[4], double angle)
{
    const float s = (float)sin(angle / 2), c = (float)cos(angle / 2);
    const float p[4] = {q[0], q[1], q[2], q[3]};
    q[0] = c * p[0] + s * p[3];
    q[1] = c * p[1] + s * p[2];
    q[2] = c * p[2] - s * p[1];
    q[3] = c * p[3] - s * p[0];
}

/* Both frames are one in the world, with x along the axis: turns its y axis towards `across`. */
static void turn_across(const struct stage *stage, const struct scene_joint *joint,
                        piola_joint_desc *desc)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const struct stage_collider *moved = collider_named(stage, joint->moved);
    float position[3], rotation[4];
    double part[2];
    if (!keys_given(&scene_joint_table, joint, "across"))
        return;
    stage_collider_place(moved, 0, position, rotation);
    for (int k = 0; k < 2; ++k) {
        double inside[3], axis[3];
        rotate(desc->moved.rotation, unit[k + 1], inside);
        rotate(rotation, inside, axis);
        part[k] =
            axis[0] * joint->across[0] + axis[1] * joint->across[1] + axis[2] * joint->across[2];
    }
    const double angle = atan2(part[1], part[0]);
    twist(desc->base.rotation, angle);
    twist(desc->moved.rotation, angle);
}

static piola_status create(struct stage *stage, struct stage_joint *joint, piola_error *error)
{
    const struct scene_joint *scene = joint->scene;
    const struct stage_collider *base = collider_named(stage, scene->base);
    piola_joint_desc desc = scene_joint_desc(scene);
    float point[3], axis[3];
    for (int k = 0; k < 3; ++k) {
        point[k] = (float)scene->position[k];
        axis[k] = (float)scene->axis[k];
    }
    if (base) {
        desc.base.rigid = base->rigid;
        desc.base.collider = base->handle;
    }
    desc.moved.rigid = collider_named(stage, scene->moved)->rigid;
    const piola_status status = piola_joint_place(stage->world, &desc, point, axis, error);
    if (status != PIOLA_OK)
        return status;
    turn_across(stage, scene, &desc);
    joint->base = desc.base;
    joint->moved = desc.moved;
    return piola_joint_create(stage->world, &desc, &joint->handle, error);
}

bool stage_joints_create(struct stage *stage, struct problem *problem)
{
    for (uint32_t i = 0; i < stage->joint_count; ++i) {
        piola_error error = {0};
        const piola_status status = create(stage, &stage->joints[i], &error);
        char what[300];
        snprintf(what, sizeof what, "%.200s: joints[%u]", stage->path, i);
        if (status != PIOLA_OK)
            return problem_engine(problem, EXIT_SCENE, what, status, &error);
    }
    return true;
}

bool stage_joint_frame(const struct stage *stage, const piola_joint_side *side,
                       piola_body_desc *frame)
{
    piola_rigid_info rigid;
    piola_collider_info collider;
    piola_body_desc owner = {.rotation = {0, 0, 0, 1}};
    if (side->rigid.index != 0) {
        if (piola_rigid_inspect(stage->world, side->rigid, &rigid) != PIOLA_OK)
            return false;
        memcpy(owner.position, rigid.position, sizeof owner.position);
        memcpy(owner.rotation, rigid.rotation, sizeof owner.rotation);
    } else if (side->collider.index != 0) {
        if (piola_collider_inspect(stage->world, side->collider, &collider) != PIOLA_OK)
            return false;
        memcpy(owner.position, collider.position, sizeof owner.position);
        memcpy(owner.rotation, collider.rotation, sizeof owner.rotation);
    }
    const double point[3] = {(double)side->position[0], (double)side->position[1],
                             (double)side->position[2]};
    const float *a = owner.rotation, *b = side->rotation;
    double placed[3];
    stage_place(&owner, point, placed);
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        frame->position[k] = (float)placed[k];
        frame->rotation[k] = a[3] * b[k] + b[3] * a[k] + a[i] * b[j] - a[j] * b[i];
    }
    frame->rotation[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    return true;
}

/* ---- drives ---- */

static double value_at(const struct scene_axis *axis, double time)
{
    const struct scene_drive *frame = axis->frames.items;
    const uint32_t count = axis->frames.count;
    const double now = axis->repeat > 0 ? fmod(time, axis->repeat) : time;
    uint32_t after = 0;
    while (after < count && frame[after].time <= now)
        ++after;
    const struct scene_drive *a = &frame[after > 0 ? after - 1 : 0];
    const struct scene_drive *b = &frame[after < count ? after : count - 1];
    const double share = a == b ? 0 : (now - a->time) / (b->time - a->time);
    return a->value + share * (b->value - a->value);
}

static piola_status push(const struct stage_joint *joint, const struct scene_axis *axis,
                         piola_world *world, double time)
{
    const piola_joint_desc desc = scene_joint_desc(joint->scene);
    const double value = value_at(axis, time);
    if (desc.axis[axis->axis].mode == PIOLA_AXIS_MOTOR)
        return piola_joint_set_speed(world, joint->handle, axis->axis, (float)value);
    return piola_joint_set_target(world, joint->handle, axis->axis,
                                  (float)(scene_axis_turns(axis) ? value * RADIANS : value));
}

bool stage_joints_push(const struct stage *stage, piola_world *world, uint64_t step,
                       struct problem *problem)
{
    const double end = (double)step * (double)stage->desc.dt;
    for (uint32_t i = 0; i < stage->joint_count; ++i) {
        const struct stage_joint *joint = &stage->joints[i];
        const struct scene_axis *axes = joint->scene->axes.items;
        if (!piola_joint_alive(world, joint->handle))
            continue;
        for (uint32_t a = 0; a < joint->scene->axes.count; ++a) {
            const piola_status status =
                axes[a].frames.count > 0 ? push(joint, &axes[a], world, end) : PIOLA_OK;
            if (status != PIOLA_OK)
                return problem_engine(problem, EXIT_RUNTIME, "a joint", status, NULL);
        }
    }
    return true;
}

bool stage_joint_info(const struct stage *stage, const char *name, piola_joint_info *info)
{
    for (uint32_t i = 0; i < stage->joint_count; ++i)
        if (stage->joints[i].scene->name && strcmp(stage->joints[i].scene->name, name) == 0)
            return piola_joint_inspect(stage->world, stage->joints[i].handle, info) == PIOLA_OK;
    return false;
}
