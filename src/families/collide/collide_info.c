/* collide_info.c - what the last substep's touches say about a collider. Between steps only. */
#include "base/float_mode.h"
#include "families/collide/collide.h"

#include <string.h>

/* Adds what the particle's planes of this collider bear. */
static void add_particle(const piola_world *world, uint32_t particle, uint32_t collider,
                         const float centre[3], double force[3], double torque[3],
                         uint32_t *touches)
{
    const struct pk_quad *x = &world_position(world)[particle];
    const double arm[3] = {(double)x->x - (double)centre[0], (double)x->y - (double)centre[1],
                           (double)x->z - (double)centre[2]};
    for (uint32_t p = 0; p < world_touching(world)[particle]; ++p) {
        const float *f = world_touches(world)[particle].plane[p].force;
        if (world_notes(world)[particle].collider[p] != collider ||
            (f[0] == 0 && f[1] == 0 && f[2] == 0))
            continue;
        ++*touches;
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            force[k] -= (double)f[k];
            torque[k] -= arm[i] * (double)f[j] - arm[j] * (double)f[i];
        }
    }
}

uint32_t collide_inside(const piola_world *world, const struct collider *collider,
                        const struct body *body, float *depth)
{
    const struct form form = world_form(world, collider);
    struct pose pose;
    uint32_t inside = 0;
    *depth = 0;
    if (!filters_meet(solid_filter(world, collider), body_filter(world, body)))
        return 0;
    collider_stands(collider, &pose);
    const uint32_t vertices = body_asset(world, body)->stats.vertices;
    const uint32_t *particles = asset_particle_of_vertex(body_asset(world, body));
    for (uint32_t v = 0; v < vertices; ++v) {
        float at[3], local[3];
        quad_read(&world_position(world)[body->first + particles[v]], at);
        pose_in(&pose, at, local);
        const float in = collider->shape.margin - shape_distance(&form, local, NULL);
        inside += in > 0;
        *depth =
            in > *depth && world_position(world)[body->first + particles[v]].w > 0 ? in : *depth;
    }
    return inside;
}

static uint32_t count_inside(const piola_world *world, const struct collider *collider)
{
    uint32_t inside = 0;
    float depth;
    for (uint32_t b = 0; b < world->desc.max_bodies; ++b)
        if (world_bodies(world)[b].flags & BODY_ALIVE)
            inside += collide_inside(world, collider, &world_bodies(world)[b], &depth);
    return inside;
}

void collide_felt(const piola_world *world, const struct collider *collider, double force[3],
                  double torque[3], uint32_t *touches)
{
    const uint32_t slot = (uint32_t)(collider - world_colliders(world));
    for (uint32_t b = 0; b < world->desc.max_bodies && world->unchanged; ++b) {
        const struct body *body = &world_bodies(world)[b];
        if (!(body->flags & BODY_ALIVE))
            continue;
        for (uint32_t i = body->first; i < body->first + body->count; ++i)
            add_particle(world, i, slot, collider->position, force, torque, touches);
    }
}

piola_status piola_collider_inspect(const piola_world *world, piola_collider handle,
                                    piola_collider_info *info)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK || !info)
        return info ? status : PIOLA_ERROR_NULL;
    const struct collider *collider = collider_find(world, handle);
    if (!collider)
        return PIOLA_ERROR_STALE;
    const struct filter filter = solid_filter(world, collider);
    *info = (piola_collider_info){.category = filter_category(filter),
                                  .mask = filter_mask(filter),
                                  .user_data = filter.user_data,
                                  .margin = collider->shape.margin,
                                  .friction_static = collider->shape.friction_static,
                                  .friction_kinetic = collider->shape.friction_kinetic,
                                  .restitution = collider->shape.restitution,
                                  .sensor = (collider->flags & COLLIDER_SENSOR) != 0};
    memcpy(info->position, collider->position, sizeof info->position);
    memcpy(info->rotation, collider->rotation, sizeof info->rotation);
    memcpy(info->velocity, collider->velocity, sizeof info->velocity);
    memcpy(info->angular_velocity, collider->spin, sizeof info->angular_velocity);
    if (collider->flags & COLLIDER_SENSOR)
        info->touches = count_inside(world, collider);
    collide_felt(world, collider, info->force, info->torque, &info->touches);
    return PIOLA_OK;
}

piola_status solid_inside(const piola_world *world, const struct collider *solid, piola_body handle,
                          uint32_t *vertices, float *depth)
{
    IN_PLAIN_MODE;
    const struct body *body = body_find(world, handle);
    if (!solid || !body)
        return PIOLA_ERROR_STALE;
    if (!vertices || !depth)
        return PIOLA_ERROR_NULL;
    *vertices = collide_inside(world, solid, body, depth);
    return PIOLA_OK;
}

piola_status piola_collider_inside(const piola_world *world, piola_collider collider,
                                   piola_body body, uint32_t *vertices, float *depth)
{
    const piola_status status = world_check(world);
    return status != PIOLA_OK
               ? status
               : solid_inside(world, collider_find(world, collider), body, vertices, depth);
}
