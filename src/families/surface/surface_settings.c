/* surface_settings.c - coats of bodies: kept in descriptions, stored as state.
 *
 * To give surfaces another property, add it to struct coat so that 0 is what all have had before.
 */
#include "families/surface/surface_settings.h"
#include "world/commands.h"

#include <math.h>
#include <string.h>

piola_status surface_settings_check(const piola_body_desc *d, const char **field)
{
    const float at_rest = d->friction_static, sliding = d->friction_kinetic;
    *field = "piola_body_desc.friction_static";
    if (!(at_rest - at_rest == 0))
        return PIOLA_ERROR_NOT_FINITE;
    if (at_rest > 10)
        return PIOLA_ERROR_RANGE;
    *field = "piola_body_desc.friction_kinetic";
    if (!(sliding - sliding == 0))
        return PIOLA_ERROR_NOT_FINITE;
    /* Both are given, or none. */
    return sliding > at_rest || (sliding < 0) != (at_rest < 0) ? PIOLA_ERROR_RANGE : PIOLA_OK;
}

void surface_settings_set(piola_world *world, uint32_t body, const piola_body_desc *d)
{
    struct surface_settings surface_settings = {0};
    if (world->dim[DIM_surface_settings].capacity == 0)
        return;
    if (d) {
        surface_settings.flags = d->self_contact ? 0 : SURFACE_NOT_ITSELF;
        if (d->friction_static >= 0) {
            surface_settings.flags |= SURFACE_OWN_FRICTION;
            surface_settings.friction[0] = d->friction_static;
            surface_settings.friction[1] = d->friction_kinetic;
        }
    }
    world_surface_settings(world)[body] = surface_settings;
    array_changed(world, FIELD_surface_settings, FIELD_surface_marks, body);
}

bool surface_settings_apply(piola_world *world, const piola_command *command)
{
    const uint32_t index = command->as.body_pair.body.index - 1;
    const float *friction = command->as.body_pair.value;
    if (!body_find(world, command->as.body_pair.body) ||
        world->dim[DIM_surface_settings].capacity == 0)
        return false;
    struct surface_settings *settings = &world_surface_settings(world)[index];
    const bool own = friction[0] >= 0;
    settings->flags &= ~(uint32_t)SURFACE_OWN_FRICTION;
    settings->flags |= own ? SURFACE_OWN_FRICTION : 0;
    settings->friction[0] = own ? friction[0] + 0.0f : 0; /* no -0 */
    settings->friction[1] = own ? friction[1] + 0.0f : 0;
    array_changed(world, FIELD_surface_settings, FIELD_surface_marks, index);
    return true;
}

void surface_settings_inform(const piola_world *world, const struct body *body,
                             piola_body_info *info)
{
    const struct surface_settings own =
        surface_settings_of(world, (uint32_t)(body - world_bodies(world)));
    const bool rubs = (own.flags & SURFACE_OWN_FRICTION) != 0;
    info->friction_static = rubs ? own.friction[0] : -1;
    info->friction_kinetic = rubs ? own.friction[1] : -1;
}

void surface_settings_recount(piola_world *world)
{
    array_recount(world, FIELD_surface_settings, FIELD_surface_marks);
}

bool surface_settings_valid(const struct stored *stored, enum field field)
{
    (void)field;
    for (uint64_t i = 0; i < stored->dim[DIM_surface_settings].used; ++i) {
        const struct surface_settings c = stored_surface_settings(stored, i);
        const bool rubs = (c.flags & SURFACE_OWN_FRICTION) != 0;
        if (c.reserved != 0 ||
            (c.flags & ~(uint32_t)(SURFACE_NOT_ITSELF | SURFACE_OWN_FRICTION)) != 0 ||
            !(c.friction[0] >= c.friction[1] && c.friction[1] >= 0 && c.friction[0] <= 10) ||
            (!rubs && c.friction[0] > 0))
            return false;
    }
    return true;
}

void surface_settings_friction(const piola_world *world, uint32_t a, uint32_t b, float friction[2])
{
    const struct surface_settings one = surface_settings_of(world, a),
                                  two = surface_settings_of(world, b);
    for (int k = 0; k < 2; ++k) {
        const float common = world->desc.contact_friction;
        const float f = one.flags & SURFACE_OWN_FRICTION ? one.friction[k] : common;
        const float g = two.flags & SURFACE_OWN_FRICTION ? two.friction[k] : common;
        friction[k] = f == g ? f : sqrtf(f * g);
    }
}
