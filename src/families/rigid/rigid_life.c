/* rigid_life.c - rigid bodies as the user has them: made, destroyed, asked. They share the slots of
 * colliders, whose specification theirs becomes. Mass: rigid.c.
 */
#include "base/cookies.h"
#include "base/float_mode.h"
#include "families/rigid/rigid.h"
#include "shapes/shapes.h"
#include "world/asked.h"
#include "world/record.h"
#include "world/rest.h"

#include <string.h>

piola_rigid_desc piola_rigid_desc_default(void)
{
    return (piola_rigid_desc){
        .cookie_ = COOKIE_RIGID,
        .shape = piola_shape_sphere(0.1f),
        .rotation = {0, 0, 0, 1},
        .mass = 1,
        .gravity_scale = 1,
        .friction_static = -1,
        .friction_kinetic = -1,
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

piola_status piola_rigid_create(piola_world *world, const piola_rigid_desc *desc,
                                piola_rigid *handle, piola_error *error)
{
    IN_PLAIN_MODE;
    const piola_status status = world_asked(world, desc ? &desc->cookie_ : NULL, COOKIE_RIGID,
                                            "piola_rigid_desc", handle, "rigid", error);
    if (status != PIOLA_OK)
        return status;
    const struct collider_spec spec = {.rigid = true, .as = *desc};
    const piola_status made =
        collider_make(world, &spec, &handle->index, &handle->generation, error);
    if (made != PIOLA_OK)
        return made;
    piola_rigid_desc plain = *desc;
    const uint64_t shape = desc->shape.data ? desc->shape.data->checksum : 0;
    const struct record_call call = {.kind = RECORDED_RIGID_CREATE,
                                     .list_bytes = sizeof shape,
                                     .index = handle->index,
                                     .generation = handle->generation};
    plain.shape.data = NULL;
    record_call(world, &call, &plain, &shape);
    return PIOLA_OK;
}

piola_status piola_rigid_inside(const piola_world *world, piola_rigid rigid, piola_body body,
                                uint32_t *vertices, float *depth)
{
    const piola_status status = world_check(world);
    return status != PIOLA_OK
               ? status
               : solid_inside(world, rigid_find(world, rigid), body, vertices, depth);
}

piola_status piola_rigid_destroy(piola_world *world, piola_rigid rigid)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    struct collider *slot = rigid_find(world, rigid);
    if (!slot)
        return PIOLA_ERROR_STALE;
    record_named(world, RECORDED_RIGID_DESTROY, rigid.index, rigid.generation);
    collider_remove(world, slot);
    return PIOLA_OK;
}

piola_status piola_rigid_inspect(const piola_world *world, piola_rigid handle,
                                 piola_rigid_info *info)
{
    IN_PLAIN_MODE;
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
                               .restitution = slot->shape.restitution,
                               .asleep = solid_asleep(world, handle.index - 1)};
    friction_tell(solid_friction(slot), &info->friction_static, &info->friction_kinetic);
    memcpy(info->inertia, mass->inertia, sizeof info->inertia);
    memcpy(info->position, slot->position, sizeof info->position);
    memcpy(info->rotation, slot->rotation, sizeof info->rotation);
    memcpy(info->velocity, slot->velocity, sizeof info->velocity);
    memcpy(info->angular_velocity, slot->spin, sizeof info->angular_velocity);
    collide_felt(world, slot, info->force, info->torque, &info->touches);
    return PIOLA_OK;
}
