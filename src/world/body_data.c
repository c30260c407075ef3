/* body_data.c - reading and writing a body's vertices, and the sums over them. Between steps only.
 */
#include "base/float_mode.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "world/family.h"
#include "world/pins.h"
#include "world/record.h"
#include "world/rest.h"

/* m and m/s, as of descriptions and commands. */
#define FARTHEST 1e9f

/* The world, the body and the range of vertices of a call, checked. */
static piola_status locate(const piola_world *world, piola_body handle, uint32_t first,
                           uint32_t count, const float *xyz, struct body **body)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!xyz)
        return PIOLA_ERROR_NULL;
    *body = body_find(world, handle);
    if (!*body)
        return PIOLA_ERROR_STALE;
    const uint32_t vertices = body_asset(world, *body)->stats.vertices;
    return first <= vertices && count <= vertices - first ? PIOLA_OK : PIOLA_ERROR_RANGE;
}

static piola_status read(const piola_world *world, const struct pk_quad *stream, piola_body handle,
                         uint32_t first, uint32_t count, float *xyz)
{
    struct body *body = NULL;
    const piola_status status = locate(world, handle, first, count, xyz, &body);
    if (status != PIOLA_OK)
        return status;
    const uint32_t *particles = asset_particle_of_vertex(body_asset(world, body)) + first;
    for (uint32_t i = 0; i < count; ++i) {
        const struct pk_quad *p = &stream[body->first + particles[i]];
        xyz[3 * (size_t)i] = p->x;
        xyz[3 * (size_t)i + 1] = p->y;
        xyz[3 * (size_t)i + 2] = p->z;
    }
    return PIOLA_OK;
}

static piola_status write(piola_world *world, struct pk_quad *stream, piola_body handle,
                          uint32_t first, uint32_t count, const float *xyz, piola_error *error)
{
    struct body *body = NULL;
    piola_status status = locate(world, handle, first, count, xyz, &body);
    if (status != PIOLA_OK)
        return refuse(error, status,
                      status == PIOLA_ERROR_STALE   ? "body"
                      : status == PIOLA_ERROR_RANGE ? "first"
                                                    : "xyz");
    for (uint32_t i = 0; i < count; ++i) {
        status = range_check(xyz + 3 * (size_t)i, 3, -FARTHEST, FARTHEST);
        if (status != PIOLA_OK)
            return refuse_item(error, status, "xyz", (uint64_t)first + i);
    }
    const uint32_t *particles = asset_particle_of_vertex(body_asset(world, body)) + first;
    for (uint32_t i = 0; i < count; ++i) {
        struct pk_quad *p = &stream[body->first + particles[i]];
        p->x = xyz[3 * (size_t)i];
        p->y = xyz[3 * (size_t)i + 1];
        p->z = xyz[3 * (size_t)i + 2];
    }
    /* What the body did before no longer leads to where it is: the next substep is first order. */
    body->history = 0;
    families_disturb(world, body);
    body_wake(world, body);
    const struct recorded_vertices which = {first, count};
    const struct record_call call = {.kind = stream == world_position(world)
                                                 ? RECORDED_BODY_POSITIONS
                                                 : RECORDED_BODY_VELOCITIES,
                                     .list_bytes = (uint64_t)count * 3 * sizeof *xyz,
                                     .index = handle.index,
                                     .generation = handle.generation};
    record_call(world, &call, &which, xyz);
    return PIOLA_OK;
}

piola_status piola_body_positions(const piola_world *world, piola_body body, uint32_t first,
                                  uint32_t count, float *xyz)
{
    const piola_status status = world_check(world);
    return status != PIOLA_OK ? status
                              : read(world, world_position(world), body, first, count, xyz);
}

piola_status piola_body_velocities(const piola_world *world, piola_body body, uint32_t first,
                                   uint32_t count, float *xyz)
{
    const piola_status status = world_check(world);
    return status != PIOLA_OK ? status
                              : read(world, world_velocity(world), body, first, count, xyz);
}

piola_status piola_body_bounds(const piola_world *world, piola_body handle, float low[3],
                               float high[3])
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK || !low || !high)
        return status != PIOLA_OK ? status : PIOLA_ERROR_NULL;
    const struct body *body = body_find(world, handle);
    if (!body)
        return PIOLA_ERROR_STALE;
    const piola_asset *asset = body_asset(world, body);
    const uint32_t *particle = asset_particle_of_vertex(asset);
    for (uint32_t v = 0; v < asset->stats.vertices; ++v) {
        const struct pk_quad *p = &world_position(world)[body->first + particle[v]];
        const float x[3] = {p->x, p->y, p->z};
        for (int k = 0; k < 3; ++k) {
            low[k] = v == 0 || x[k] < low[k] ? x[k] : low[k];
            high[k] = v == 0 || x[k] > high[k] ? x[k] : high[k];
        }
    }
    return PIOLA_OK;
}

piola_status piola_body_forces(const piola_world *world, piola_body body, uint32_t first,
                               uint32_t count, float *xyz)
{
    const piola_status status = world_check(world);
    if (status == PIOLA_OK && xyz && world->dim[DIM_loads].capacity == 0) {
        const piola_status good = read(world, world_velocity(world), body, first, count, xyz);
        for (size_t i = 0; good == PIOLA_OK && i < 3 * (size_t)count; ++i)
            xyz[i] = 0;
        return good;
    }
    return status != PIOLA_OK ? status : read(world, world_load(world), body, first, count, xyz);
}

piola_status piola_body_set_positions(piola_world *world, piola_body body, uint32_t first,
                                      uint32_t count, const float *xyz, piola_error *error)
{
    const piola_status status = world_check(world);
    return status != PIOLA_OK ? refuse(error, status, "world")
                              : write(world, world_position(world), body, first, count, xyz, error);
}

piola_status piola_body_set_velocities(piola_world *world, piola_body body, uint32_t first,
                                       uint32_t count, const float *xyz, piola_error *error)
{
    const piola_status status = world_check(world);
    return status != PIOLA_OK ? refuse(error, status, "world")
                              : write(world, world_velocity(world), body, first, count, xyz, error);
}

piola_status piola_body_inspect(const piola_world *world, piola_body handle, piola_body_info *info)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!info)
        return PIOLA_ERROR_NULL;
    const struct body *body = body_find(world, handle);
    if (!body)
        return PIOLA_ERROR_STALE;
    const piola_asset *asset = body_asset(world, body);
    const float *mass = asset_mass(asset);
    piola_body_info sum = {
        .vertices = asset->stats.vertices,
        .category = filter_category(body_filter(world, body)),
        .mask = filter_mask(body_filter(world, body)),
        .user_data = body_filter(world, body).user_data,
        .asleep = (body->flags & BODY_ASLEEP) != 0,
        .frozen = (body->flags & BODY_FROZEN) != 0,
        .damping = body->damping,
        .relative_damping = world_relative_damping(world)[body - world_bodies(world)],
        .gravity_scale = body->gravity_scale,
    };
    friction_tell(body_friction(world, body), &sum.friction_static, &sum.friction_kinetic);
    memcpy(sum.acceleration, body->acceleration, sizeof sum.acceleration);
    for (uint32_t i = 0; i < body->count; ++i) {
        const struct pk_quad *p = &world_position(world)[body->first + i];
        const struct pk_quad *u = &world_velocity(world)[body->first + i];
        const double m = (double)mass[i];
        const double x[3] = {(double)p->x, (double)p->y, (double)p->z};
        const double v[3] = {(double)u->x, (double)u->y, (double)u->z};
        sum.mass += m;
        for (int k = 0; k < 3; ++k) {
            const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            sum.centre[k] += m * x[k];
            sum.momentum[k] += m * v[k];
            sum.angular_momentum[k] += m * (x[k1] * v[k2] - x[k2] * v[k1]);
            sum.kinetic_energy += 0.5 * m * v[k] * v[k];
        }
    }
    for (int k = 0; k < 3; ++k)
        sum.centre[k] /= sum.mass;
    sum.energy_taken = energy_taken_of(world, handle.index - 1);
    sum.pins_behind = (double)pins_behind(world, body);
    families_inform(world, body, &sum);
    *info = sum;
    return PIOLA_OK;
}
