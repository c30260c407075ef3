/* collide_info.c - what the last substep's touches say about a collider. Between steps only. */
#include "base/float_mode.h"
#include "families/collide/collide_faces.h"

#include <string.h>

/* What bodies do to a collider. */
struct felt {
    const piola_world *world;
    uint32_t collider;
    const float *centre;
    double *force, *torque;
    uint32_t *touches;
};

static void feel(const struct felt *felt, const float at[3], const float f[3])
{
    const float *centre = felt->centre;
    ++*felt->touches;
    const double arm[3] = {(double)at[0] - (double)centre[0], (double)at[1] - (double)centre[1],
                           (double)at[2] - (double)centre[2]};
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        felt->force[k] -= (double)f[k];
        felt->torque[k] -= arm[i] * (double)f[j] - arm[j] * (double)f[i];
    }
}

/* What the particle has felt of this collider in the step. */
static void add_felt(const struct felt *felt, uint32_t particle, const struct contact_felt *feels)
{
    float at[3];
    quad_read(&world_position(felt->world)[particle], at);
    for (uint32_t p = 0; p < PK_TOUCHES; ++p)
        if (feels->collider[p] == felt->collider + 1)
            feel(felt, at, feels->collider_force[p]);
}

/* Where nobody reads that: what the particle's planes of it bear. */
static void add_particle(const struct felt *felt, uint32_t particle)
{
    const piola_world *world = felt->world;
    float at[3];
    quad_read(&world_position(world)[particle], at);
    for (uint32_t p = 0; p < world_touching(world)[particle]; ++p) {
        const float *f = world_touches(world)[particle].plane[p].force;
        if (world_notes(world)[particle].collider[p] == felt->collider &&
            (f[0] != 0 || f[1] != 0 || f[2] != 0))
            feel(felt, at, f);
    }
}

static void add_faces(const struct felt *felt, uint32_t body)
{
    for (uint32_t i = 0; i < faces_count(felt->world, body); ++i) {
        const struct face_contact *c = &faces_of(felt->world, body)[i];
        float at[3];
        if (c->collider != felt->collider || !face_presses(c))
            continue;
        face_place(felt->world, c, at);
        feel(felt, at, c->plane.force);
    }
}

static void add_body(const struct felt *felt, uint32_t index)
{
    const piola_world *world = felt->world;
    const struct body *body = &world_bodies(world)[index];
    const struct contact_felt *feels = felt_by(world, index);
    const bool told = world->dim[DIM_contact_felt].capacity > 0;
    for (uint32_t i = 0; i < body->count; ++i)
        if (feels)
            add_felt(felt, body->first + i, feels + i);
        else if (!told)
            add_particle(felt, body->first + i);
    if (!told)
        add_faces(felt, index);
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
    const struct felt felt = {
        world,  (uint32_t)(collider - world_colliders(world)), collider->position, force, torque,
        touches};
    for (uint32_t b = 0; b < world->desc.max_bodies && world->unchanged; ++b) {
        if (world_bodies(world)[b].flags & BODY_ALIVE)
            add_body(&felt, b);
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
                                  .restitution = collider->shape.restitution,
                                  .sensor = (collider->flags & COLLIDER_SENSOR) != 0};
    info->behind = (double)collider_behind(world, (uint32_t)(collider - world_colliders(world)));
    friction_tell(solid_friction(collider), &info->friction_static, &info->friction_kinetic);
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
