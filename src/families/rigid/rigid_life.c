/* rigid_life.c - rigid bodies as the user has them: made, destroyed, asked. They share the slots of
 * colliders, whose specification theirs becomes. Mass: rigid.c.
 */
#include "base/cookies.h"
#include "base/float_mode.h"
#include "base/refuse.h"
#include "families/rigid/rigid.h"

#include <string.h>

piola_rigid_desc piola_rigid_desc_default(void)
{
    return (piola_rigid_desc){
        .cookie_ = COOKIE_RIGID,
        .shape = piola_shape_sphere(0.1f),
        .rotation = {0, 0, 0, 1},
        .mass = 1,
        .gravity_scale = 1,
        .friction_static = 0.5f,
        .friction_kinetic = 0.5f,
        .category = FILTER_CATEGORY,
        .mask = UINT64_MAX,
    };
}

static struct collider *rigid_find(const piola_world *world, piola_rigid handle)
{
    return collider_in_slot(world, handle.index, handle.generation, true);
}

bool piola_rigid_alive(const piola_world *world, piola_rigid rigid)
{
    return world_check(world) == PIOLA_OK && rigid_find(world, rigid) != NULL;
}

static piola_status rigid_create_in_mode(piola_world *world, const piola_rigid_desc *desc,
                                         piola_rigid *handle, piola_error *error)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK || !handle)
        return refuse(error, handle ? status : PIOLA_ERROR_NULL, handle ? "world" : "rigid");
    if (!desc)
        return refuse(error, PIOLA_ERROR_NULL, "piola_rigid_desc");
    if (desc->cookie_ != COOKIE_RIGID)
        return refuse(error, PIOLA_ERROR_COOKIE, "piola_rigid_desc");
    struct collider_spec spec = {
        .rigid = true,
        .filter = filter_made(desc->category, desc->mask, desc->user_data),
        .shape = desc->shape,
        .margin = desc->margin,
        .friction_static = desc->friction_static,
        .friction_kinetic = desc->friction_kinetic,
        .restitution = desc->restitution,
        .mass = desc->mass,
        .gravity_scale = desc->gravity_scale,
        .damping = desc->damping,
    };
    memcpy(spec.position, desc->position, sizeof spec.position);
    memcpy(spec.rotation, desc->rotation, sizeof spec.rotation);
    memcpy(spec.velocity, desc->velocity, sizeof spec.velocity);
    memcpy(spec.angular_velocity, desc->angular_velocity, sizeof spec.angular_velocity);
    memcpy(spec.inertia, desc->inertia, sizeof spec.inertia);
    return collider_make(world, &spec, &handle->index, &handle->generation, error);
}

piola_status piola_rigid_create(piola_world *world, const piola_rigid_desc *desc,
                                piola_rigid *rigid, piola_error *error)
{
    const uint64_t mode = float_mode_enter_plain();
    const piola_status status = rigid_create_in_mode(world, desc, rigid, error);
    float_mode_leave(mode);
    return status;
}

piola_status piola_rigid_destroy(piola_world *world, piola_rigid rigid)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    struct collider *slot = rigid_find(world, rigid);
    if (!slot)
        return PIOLA_ERROR_STALE;
    if (world->record.memory)
        return PIOLA_ERROR_RECORDING;
    collider_remove(world, slot);
    return PIOLA_OK;
}

static piola_status rigid_info_in_mode(const piola_world *world, piola_rigid handle,
                                       piola_rigid_info *info)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK || !info)
        return info ? status : PIOLA_ERROR_NULL;
    const struct collider *slot = rigid_find(world, handle);
    if (!slot)
        return PIOLA_ERROR_STALE;
    const struct rigid *mass = &world_rigids(world)[handle.index - 1];
    const struct filter filter = solid_filter(world, slot);
    *info = (piola_rigid_info){.mass = mass->mass,
                               .category = filter_category(filter),
                               .mask = filter_mask(filter),
                               .user_data = filter.user_data,
                               .gravity_scale = mass->gravity_scale,
                               .damping = mass->damping,
                               .margin = slot->shape.margin,
                               .friction_static = slot->shape.friction_static,
                               .friction_kinetic = slot->shape.friction_kinetic,
                               .restitution = slot->shape.restitution};
    memcpy(info->inertia, mass->inertia, sizeof info->inertia);
    memcpy(info->position, slot->position, sizeof info->position);
    memcpy(info->rotation, slot->rotation, sizeof info->rotation);
    memcpy(info->velocity, slot->velocity, sizeof info->velocity);
    memcpy(info->angular_velocity, slot->spin, sizeof info->angular_velocity);
    collide_felt(world, slot, info->force, info->torque, &info->touches);
    return PIOLA_OK;
}

piola_status piola_rigid_inspect(const piola_world *world, piola_rigid rigid,
                                 piola_rigid_info *info)
{
    const uint64_t mode = float_mode_enter_plain();
    const piola_status status = rigid_info_in_mode(world, rigid, info);
    float_mode_leave(mode);
    return status;
}
