/* solid_fixture.c - see solid_fixture.h. */
#include "solid_fixture.h"

#include <string.h>

#define COPY(to, from, member) memcpy((to).member, (from)->member, sizeof(to).member)

struct solid_desc solid_desc_default(void)
{
    const piola_collider_desc d = piola_collider_desc_default();
    struct solid_desc s = {
        .shape = d.shape,
        .margin = d.margin,
        .friction_static = d.friction_static,
        .friction_kinetic = d.friction_kinetic,
        .restitution = d.restitution,
        .category = d.category,
        .mask = d.mask,
        .gravity_scale = 1,
    };
    COPY(s, &d, rotation);
    return s;
}

static piola_status create_rigid(piola_world *world, const struct solid_desc *s, piola_rigid *rigid,
                                 piola_error *error)
{
    piola_rigid_desc d = piola_rigid_desc_default();
    d.shape = s->shape;
    d.margin = s->margin;
    d.friction_static = s->friction_static;
    d.friction_kinetic = s->friction_kinetic;
    d.restitution = s->restitution;
    d.category = s->category;
    d.mask = s->mask;
    d.user_data = s->user_data;
    d.mass = s->mass;
    d.gravity_scale = s->gravity_scale;
    d.damping = s->damping;
    COPY(d, s, position);
    COPY(d, s, rotation);
    COPY(d, s, velocity);
    COPY(d, s, angular_velocity);
    COPY(d, s, inertia);
    return piola_rigid_create(world, &d, rigid, error);
}

piola_status solid_create(piola_world *world, const struct solid_desc *s, struct solid *solid,
                          piola_error *error)
{
    piola_collider_desc d = piola_collider_desc_default();
    piola_collider collider = {0, 0};
    piola_rigid rigid = {0, 0};
    if (s->mass != 0) {
        const piola_status status = create_rigid(world, s, &rigid, error);
        *solid = (struct solid){rigid.index, rigid.generation, true};
        return status;
    }
    d.shape = s->shape;
    d.margin = s->margin;
    d.friction_static = s->friction_static;
    d.friction_kinetic = s->friction_kinetic;
    d.restitution = s->restitution;
    d.category = s->category;
    d.mask = s->mask;
    d.user_data = s->user_data;
    d.sensor = s->sensor;
    COPY(d, s, position);
    COPY(d, s, rotation);
    COPY(d, s, velocity);
    COPY(d, s, angular_velocity);
    const piola_status status = piola_collider_create(world, &d, &collider, error);
    *solid = (struct solid){collider.index, collider.generation, false};
    return status;
}

struct solid solid_enter(piola_world *world, const struct solid_desc *desc)
{
    struct solid solid;
    piola_error error = {0};
    fixture_ok(solid_create(world, desc, &solid, &error), &error);
    return solid;
}

piola_status solid_destroy(piola_world *world, struct solid s)
{
    return s.rigid ? piola_rigid_destroy(world, (piola_rigid){s.index, s.generation})
                   : piola_collider_destroy(world, (piola_collider){s.index, s.generation});
}

piola_status solid_inspect(const piola_world *world, struct solid s, piola_collider_info *info)
{
    if (!s.rigid)
        return piola_collider_inspect(world, (piola_collider){s.index, s.generation}, info);
    piola_rigid_info r;
    const piola_status status =
        piola_rigid_inspect(world, (piola_rigid){s.index, s.generation}, &r);
    if (status != PIOLA_OK)
        return status;
    *info = (piola_collider_info){.touches = r.touches};
    COPY(*info, &r, position);
    COPY(*info, &r, rotation);
    COPY(*info, &r, velocity);
    COPY(*info, &r, angular_velocity);
    COPY(*info, &r, force);
    COPY(*info, &r, torque);
    return PIOLA_OK;
}
