/* joint_life.c - the life of joints: handles, descriptions, commands, stored state. Only between
 * steps, but for commands.
 */
#include "families/joints/joints.h"

#include "base/cookies.h"
#include "base/exact_rotation.h"
#include "base/float_mode.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "world/asked.h"
#include "world/commands.h"
#include "world/names.h"
#include "world/record.h"
#include "world/rest.h"

#include <float.h>

/* rad: a swing has no direction at half a turn. */
#define WIDEST 3.0f

/* What its base is fixed to; stays whole with the world. */
static bool base_whole(const piola_world *world, const struct joint *j)
{
    return j->to == JOINT_WORLD || collider_in_slot(world, j->slot[JOINT_BASE], j->base_generation,
                                                    j->to == JOINT_RIGID) != NULL;
}

bool joint_whole(const piola_world *world, const struct joint *j)
{
    return j->alive && base_whole(world, j) &&
           collider_in_slot(world, j->slot[JOINT_MOVED], j->moved_generation, true) != NULL;
}

static struct joint *joints_find(const piola_world *world, piola_joint handle)
{
    if (handle.index == 0 || handle.index > world->dim[DIM_joints].used)
        return NULL;
    struct joint *j = &world_joints(world)[handle.index - 1];
    return j->generation == handle.generation && joint_whole(world, j) ? j : NULL;
}

bool piola_joint_alive(const piola_world *world, piola_joint joint)
{
    return world_check(world) == PIOLA_OK && joints_find(world, joint) != NULL;
}

static void wake(const piola_world *world, const struct joint *j)
{
    for (int side = 0; side < 2; ++side)
        if (j->slot[side] > 0 && rigid_is(world, j->slot[side] - 1))
            solid_wake(world, j->slot[side] - 1);
}

void joint_end(piola_world *world, struct joint *j)
{
    const uint32_t generation = j->generation;
    wake(world, j);
    memset(&world_joint_axes(world)[j - world_joints(world)], 0, sizeof(struct joint_axes));
    memset(j, 0, sizeof *j);
    j->generation = generation;
    --world->dim[DIM_live_joints].used;
}

/* A slot once used keeps its generation, so it stays part of the state. */
void joints_recount(piola_world *world)
{
    uint64_t used = 0, alive = 0;
    for (uint64_t i = 0; i < world->dim[DIM_joints].capacity; ++i) {
        used = world_joints(world)[i].generation ? i + 1 : used;
        alive += world_joints(world)[i].alive;
    }
    dimension_use(world, DIM_joints, used);
    dimension_use(world, DIM_live_joints, alive);
}

/* ---- descriptions ------------------------------------------------------------------------------
 */

piola_joint_desc piola_joint_desc_default(void)
{
    piola_joint_desc d = {.cookie_ = COOKIE_JOINT};
    d.base.rotation[3] = d.moved.rotation[3] = 1;
    for (int i = 0; i < PIOLA_JOINT_AXES; ++i)
        d.axis[i].max_force = 1e9f;
    return d;
}

/* Bit i locks axis i. */
static piola_joint_desc locked(uint32_t axes)
{
    piola_joint_desc d = piola_joint_desc_default();
    for (uint32_t i = 0; i < PIOLA_JOINT_AXES; ++i)
        d.axis[i].mode = axes >> i & 1 ? PIOLA_AXIS_LOCKED : PIOLA_AXIS_FREE;
    return d;
}

piola_joint_desc piola_joint_ball(void)
{
    return locked(7);
}

piola_joint_desc piola_joint_hinge(void)
{
    return locked(63 - 8);
}

piola_joint_desc piola_joint_slider(void)
{
    return locked(63 - 1);
}

piola_joint_desc piola_joint_universal(void)
{
    return locked(15);
}

piola_joint_desc piola_joint_fixed(void)
{
    return locked(63);
}

piola_joint_desc piola_joint_cone_twist(float cone, float twist)
{
    piola_joint_desc d = locked(7);
    d.cone = cone;
    d.axis[3].low = -twist;
    d.axis[3].high = twist;
    return d;
}

static piola_status check_axis(const piola_joint_axis *a, uint32_t i, piola_error *error)
{
    const float most = i > 3 ? WIDEST : 1e9f;
    const struct range_row rows[] = {
        {&a->low, 1, -most, most, "piola_joint_desc.axis.low"},
        {&a->high, 1, a->low == a->low ? a->low : 0, most, "piola_joint_desc.axis.high"},
        {&a->target, 1, -1e9f, 1e9f, "piola_joint_desc.axis.target"},
        {&a->speed, 1, -1e6f, 1e6f, "piola_joint_desc.axis.speed"},
        {&a->stiffness, 1, 0, 1e9f, "piola_joint_desc.axis.stiffness"},
        {&a->damping, 1, 0, 1e9f, "piola_joint_desc.axis.damping"},
        {&a->max_force, 1, 0, 1e9f, "piola_joint_desc.axis.max_force"},
    };
    const char *field = "piola_joint_desc.axis.mode";
    piola_status status = PIOLA_ERROR_RANGE;
    if ((uint32_t)a->mode < PIOLA_AXIS_MODE_COUNT)
        status = ranges_check(rows, sizeof rows / sizeof *rows, &field);
    return status == PIOLA_OK ? status : refuse_item(error, status, field, i);
}

static piola_status check_numbers(const piola_joint_desc *d, piola_error *error)
{
    const struct range_row rows[] = {
        {d->base.position, 3, -1e9f, 1e9f, "piola_joint_desc.base.position"},
        {d->base.rotation, 4, -1.01f, 1.01f, "piola_joint_desc.base.rotation"},
        {d->moved.position, 3, -1e9f, 1e9f, "piola_joint_desc.moved.position"},
        {d->moved.rotation, 4, -1.01f, 1.01f, "piola_joint_desc.moved.rotation"},
        {&d->cone, 1, 0, WIDEST, "piola_joint_desc.cone"},
        {&d->max_force, 1, 0, 1e9f, "piola_joint_desc.max_force"},
        {&d->max_torque, 1, 0, 1e9f, "piola_joint_desc.max_torque"},
    };
    piola_status status = ranges_refuse(rows, sizeof rows / sizeof *rows, error);
    if (status == PIOLA_OK && !quaternion_unit(d->base.rotation))
        return refuse(error, PIOLA_ERROR_RANGE, "piola_joint_desc.base.rotation");
    if (status == PIOLA_OK && !quaternion_unit(d->moved.rotation))
        return refuse(error, PIOLA_ERROR_RANGE, "piola_joint_desc.moved.rotation");
    for (uint32_t i = 0; i < PIOLA_JOINT_AXES && status == PIOLA_OK; ++i)
        status = check_axis(&d->axis[i], i, error);
    return status;
}

/* Writes what the joint is fixed to. */
static piola_status take_sides(const piola_world *world, const piola_joint_desc *d, struct joint *j,
                               piola_error *error)
{
    const piola_joint_side *base = &d->base, *moved = &d->moved;
    const bool rigid = base->rigid.index != 0, collider = base->collider.index != 0;
    j->to = rigid ? JOINT_RIGID : collider ? JOINT_COLLIDER : JOINT_WORLD;
    j->slot[JOINT_BASE] = rigid ? base->rigid.index : base->collider.index;
    j->base_generation = rigid ? base->rigid.generation : base->collider.generation;
    j->slot[JOINT_MOVED] = moved->rigid.index;
    j->moved_generation = moved->rigid.generation;
    if (rigid && collider)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_joint_desc.base.collider");
    if (!base_whole(world, j))
        return refuse(error, PIOLA_ERROR_STALE,
                      rigid ? "piola_joint_desc.base.rigid" : "piola_joint_desc.base.collider");
    if (moved->collider.index != 0)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_joint_desc.moved.collider");
    if (!collider_in_slot(world, moved->rigid.index, moved->rigid.generation, true))
        return refuse(error, PIOLA_ERROR_STALE, "piola_joint_desc.moved.rigid");
    if (rigid && base->rigid.index == moved->rigid.index)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_joint_desc.moved.rigid");
    return PIOLA_OK;
}

/* Where a side stands between two steps. */
static void stands(const piola_world *world, const struct joint *j, int side, double place[3],
                   double turn[4])
{
    const uint32_t slot = j->slot[side] - 1;
    const bool rigid = j->slot[side] > 0 && rigid_is(world, slot);
    for (int k = 0; k < 3; ++k)
        place[k] = j->slot[side] == 0 ? 0
                   : rigid            ? world_rigids(world)[slot].position[k]
                                      : (double)world_colliders(world)[slot].position[k];
    for (int k = 0; k < 4; ++k)
        turn[k] = j->slot[side] == 0 ? (k == 3 ? 1 : 0)
                  : rigid            ? world_rigids(world)[slot].rotation[k]
                                     : (double)world_colliders(world)[slot].rotation[k];
    rotation_unit(turn);
}

/* Where it stands before its first step. */
static void tell_first(const piola_world *world, const piola_joint_axis *axes, struct joint *j)
{
    struct joint_pose pose[2];
    struct joint_reading reading;
    double gap = 0;
    for (int side = 0; side < 2; ++side) {
        double place[3], turn[4];
        stands(world, j, side, place, turn);
        joint_pose_of(j, side, place, turn, &pose[side]);
    }
    joint_read(pose, true, &reading);
    j->twist = reading.value[3];
    for (int i = 0; i < PIOLA_JOINT_AXES; ++i) {
        j->position[i] = (float)reading.value[i];
        gap += i < 3 && axes[i].mode == PIOLA_AXIS_LOCKED ? reading.value[i] * reading.value[i] : 0;
    }
    j->gap = (float)sqrt(gap);
}

static struct joint made_from(const piola_world *world, const piola_joint_desc *d)
{
    const piola_joint_side *sides[2] = {&d->base, &d->moved};
    struct joint j = {
        .alive = 1, .cone = d->cone, .max_force = d->max_force, .max_torque = d->max_torque};
    (void)take_sides(world, d, &j, NULL);
    for (int side = 0; side < 2; ++side) {
        memcpy(j.place[side], sides[side]->position, sizeof j.place[side]);
        memcpy(j.turn[side], sides[side]->rotation, sizeof j.turn[side]);
        collider_normalise(j.turn[side]);
    }
    tell_first(world, d->axis, &j);
    return j;
}

/* One that has lost a side is free. */
static uint32_t free_slot(const piola_world *world)
{
    uint32_t slot = 0;
    while (slot < world->dim[DIM_joints].capacity && joint_whole(world, &world_joints(world)[slot]))
        ++slot;
    return slot;
}

piola_status piola_joint_create(piola_world *world, const piola_joint_desc *desc,
                                piola_joint *handle, piola_error *error)
{
    IN_PLAIN_MODE;
    struct joint sides = {0};
    piola_status status = world_asked(world, desc ? &desc->cookie_ : NULL, COOKIE_JOINT,
                                      "piola_joint_desc", handle, "joint", error);
    if (status == PIOLA_OK)
        status = take_sides(world, desc, &sides, error);
    if (status == PIOLA_OK)
        status = check_numbers(desc, error);
    if (status != PIOLA_OK)
        return status;
    const uint32_t slot = free_slot(world);
    const bool full = slot == world->dim[DIM_joints].capacity;
    world->dim[DIM_live_joints].dropped += full;
    if (full)
        return refuse(error, PIOLA_ERROR_JOINTS_FULL, "piola_world_desc.max_joints");
    struct joint *j = &world_joints(world)[slot];
    const uint32_t generation = names_give(world, FIELD_joint_names, slot, j->generation);
    *j = made_from(world, desc);
    j->generation = generation;
    memcpy(world_joint_axes(world)[slot].of, desc->axis, sizeof desc->axis);
    joints_recount(world);
    wake(world, j);
    *handle = (piola_joint){slot + 1, generation};
    const struct record_call call = {
        .kind = RECORDED_JOINT_CREATE, .index = handle->index, .generation = handle->generation};
    record_call(world, &call, desc, NULL);
    return PIOLA_OK;
}

piola_status piola_joint_destroy(piola_world *world, piola_joint handle)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    struct joint *j = joints_find(world, handle);
    if (!j)
        return PIOLA_ERROR_STALE;
    record_named(world, RECORDED_JOINT_DESTROY, handle.index, handle.generation);
    joint_end(world, j);
    return PIOLA_OK;
}

/* The frame at a point with its x axis along another, as one side carries it. */
static void lay_frame(const piola_world *world, const struct joint *j, int side,
                      const float point[3], const double turn[4], piola_joint_side *out)
{
    double place[3], own[4], r[9], to[3], in[4];
    stands(world, j, side, place, own);
    rigid_rotation(own, r);
    for (int k = 0; k < 3; ++k)
        to[k] = (double)point[k] - place[k];
    const double back[4] = {-own[0], -own[1], -own[2], own[3]};
    rotation_join(back, turn, in);
    for (int k = 0; k < 3; ++k)
        out->position[k] = (float)(r[k] * to[0] + r[3 + k] * to[1] + r[6 + k] * to[2]);
    for (int k = 0; k < 4; ++k)
        out->rotation[k] = (float)in[k];
}

piola_status piola_joint_place(const piola_world *world, piola_joint_desc *desc,
                               const float point[3], const float axis[3], piola_error *error)
{
    IN_PLAIN_MODE;
    struct joint sides = {0};
    piola_status status = world_asked(world, desc ? &desc->cookie_ : NULL, COOKIE_JOINT,
                                      "piola_joint_desc", desc, "joint", error);
    if (status != PIOLA_OK)
        return status;
    if (!point || !axis)
        return refuse(error, PIOLA_ERROR_NULL, point ? "axis" : "point");
    status = take_sides(world, desc, &sides, error);
    if (status == PIOLA_OK && range_check(point, 3, -1e9f, 1e9f) != PIOLA_OK)
        return refuse(error, PIOLA_ERROR_RANGE, "point");
    if (status != PIOLA_OK)
        return status;
    const double a[3] = {(double)axis[0], (double)axis[1], (double)axis[2]};
    const double size = sqrt(dot3(a, a));
    if (!(size > 1e-9 && size <= 1e9))
        return refuse(error, PIOLA_ERROR_RANGE, "axis");
    /* The turn of x to the axis by the shorter way; half a turn about z when they are opposite. */
    double turn[4] = {0, -a[2] / size, a[1] / size, 1 + a[0] / size};
    if (turn[3] < 1e-9) {
        turn[1] = turn[3] = 0;
        turn[2] = 1;
    }
    rotation_unit(turn);
    lay_frame(world, &sides, JOINT_BASE, point, turn, &desc->base);
    lay_frame(world, &sides, JOINT_MOVED, point, turn, &desc->moved);
    return PIOLA_OK;
}

bool joints_apply(piola_world *world, const piola_command *command)
{
    const uint32_t i = command->as.joint_axis.axis;
    const float value = command->as.joint_axis.value;
    struct joint *j = joints_find(world, command->as.joint_axis.joint);
    if (!j || i >= PIOLA_JOINT_AXES)
        return false;
    piola_joint_axis *axis = &world_joint_axes(world)[j - world_joints(world)].of[i];
    if (command->kind == PIOLA_COMMAND_JOINT_TARGET)
        axis->target = value;
    else if (command->kind == PIOLA_COMMAND_JOINT_SPEED)
        axis->speed = value;
    else
        axis->max_force = value;
    wake(world, j);
    return true;
}

/* ---- snapshots ---------------------------------------------------------------------------------
 */

static bool all_finite(const float *values, uint32_t count)
{
    return range_check(values, count, -FLT_MAX, FLT_MAX) == PIOLA_OK;
}

static bool possible(const struct joint *j, const struct joint_axes *axes, uint64_t slots)
{
    const struct joint none = {.generation = j->generation};
    const struct joint_axes free = {0};
    if (j->alive == 0)
        return same_bytes(j, &none, sizeof none) && same_bytes(axes, &free, sizeof free);
    bool sane = j->alive == 1 && j->generation > 0 && j->broken == 0 && j->to <= JOINT_RIGID &&
                j->slot[0] <= slots && (j->slot[0] > 0) == (j->to != JOINT_WORLD) &&
                j->slot[1] > 0 && j->slot[1] <= slots && j->slot[0] != j->slot[1] &&
                (j->base_generation > 0) == (j->to != JOINT_WORLD) && j->moved_generation > 0;
    for (int side = 0; side < 2; ++side)
        sane = sane && range_check(j->place[side], 3, -1e9f, 1e9f) == PIOLA_OK &&
               quaternion_unit(j->turn[side]);
    sane = sane && range_check(&j->cone, 1, 0, WIDEST) == PIOLA_OK &&
           range_check(&j->max_force, 1, 0, 1e9f) == PIOLA_OK &&
           range_check(&j->max_torque, 1, 0, 1e9f) == PIOLA_OK && all_finite(j->position, 6) &&
           all_finite(j->load, 6) && all_finite(j->force, 3) && all_finite(j->torque, 3) &&
           all_finite(&j->gap, 1) && j->twist >= -1e15 && j->twist <= 1e15;
    for (uint32_t i = 0; i < PIOLA_JOINT_AXES; ++i)
        sane = sane && check_axis(&axes->of[i], i, NULL) == PIOLA_OK;
    return sane;
}

bool joints_valid(const struct stored *stored, enum field field)
{
    bool sane = true;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_joints].used; ++i) {
        const struct joint j = stored_joints(stored, i);
        const struct joint_axes axes = stored_joint_axes(stored, i);
        sane = possible(&j, &axes, stored->world->dim[DIM_colliders].capacity);
    }
    return sane;
}

piola_status piola_joint_inspect(const piola_world *world, piola_joint handle,
                                 piola_joint_info *info)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK || !info)
        return info ? status : PIOLA_ERROR_NULL;
    const struct joint *j = joints_find(world, handle);
    if (!j)
        return PIOLA_ERROR_STALE;
    *info = (piola_joint_info){.moved = {j->slot[JOINT_MOVED], j->moved_generation}, .gap = j->gap};
    if (j->to == JOINT_RIGID)
        info->base_rigid = (piola_rigid){j->slot[JOINT_BASE], j->base_generation};
    if (j->to == JOINT_COLLIDER)
        info->base_collider = (piola_collider){j->slot[JOINT_BASE], j->base_generation};
    memcpy(info->position, j->position, sizeof info->position);
    memcpy(info->load, j->load, sizeof info->load);
    memcpy(info->force, j->force, sizeof info->force);
    memcpy(info->torque, j->torque, sizeof info->torque);
    memcpy(info->axis, world_joint_axes(world)[handle.index - 1].of, sizeof info->axis);
    return PIOLA_OK;
}
