/* stage_colliders.c - colliders in the world, how they are led, and their surfaces for pictures. */
#include "io/base/memory.h"
#include "io/mesh/surfaces.h"
#include "io/scene/stage.h"

#include <math.h>
#include <string.h>

#define CONTACTS_EACH 10u /* pairs of rigid bodies that are near each other, a body */

#define CUTS          12u /* of a sphere that is drawn */

static const struct scene_collider *collider_at(const struct stage *stage, uint32_t index)
{
    return (const struct scene_collider *)stage->scene->colliders.items + index;
}

/* q = a b, of unit quaternions x, y, z, w. */
static void multiply(const double a[4], const double b[4], double q[4])
{
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        q[k] = a[3] * b[k] + b[3] * a[k] + a[i] * b[j] - a[j] * b[i];
    }
    q[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void turn(const double axis[3], double degrees, double q[4])
{
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double half = degrees * (3.14159265358979323846 / 360), s = sin(half) / length;
    for (int k = 0; k < 3; ++k)
        q[k] = axis[k] * s;
    q[3] = cos(half);
}

/* Where it is at a time, with w not below 0. */
static void place(const struct scene_collider *collider, double time, float position[3],
                  float rotation[4])
{
    double first[4] = {0, 0, 0, 1}, more[4] = {0, 0, 0, 1}, q[4];
    struct pin_pose pose = {0};
    if (collider->rotation) {
        const float *a = collider->rotation->axis;
        const double axis[3] = {(double)a[0], (double)a[1], (double)a[2]};
        turn(axis, collider->rotation->degrees, first);
    }
    if (collider->motion) {
        pose = stage_pose_at(collider->motion, time);
        turn(collider->motion->axis, pose.degrees, more);
    }
    multiply(more, first, q);
    for (int k = 0; k < 3; ++k)
        position[k] = (float)(collider->position[k] + pose.move[k]);
    for (int k = 0; k < 4; ++k)
        rotation[k] = (float)(q[3] < 0 ? -q[k] : q[k]);
}

void stage_collider_place(const struct stage_collider *collider, double time, float position[3],
                          float rotation[4])
{
    place(collider->scene, time, position, rotation);
}

/* ---- surfaces ---- */

/* A ball's surface, pulled apart along the axes: capsules, and boxes with round edges. */
static bool make_surface(const struct scene_collider *collider, struct meshgen *mesh)
{
    const double radius = fmax((double)collider->desc.shape.radius, 1e-9);
    double half[3] = {0, 0, 0};
    if (collider->shape == PIOLA_SHAPE_PLANE || collider->mesh)
        return true;
    if (collider->shape == PIOLA_SHAPE_CAPSULE)
        half[1] = collider->length / 2;
    for (int k = 0; k < 3 && collider->shape == PIOLA_SHAPE_BOX; ++k)
        half[k] = fmax(collider->size[k] / 2 - radius, 0);
    if (!surface_sphere(mesh, radius, CUTS))
        return false;
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; ++i)
        mesh->vertices[i] += mesh->vertices[i] < 0 ? -half[i % 3] : half[i % 3];
    return true;
}

/* Rigid bodies meet each other where two move by their mass, and no device alone leads them. */
static uint32_t contacts_of(const struct stage *stage)
{
    uint32_t all = 0, by_themselves = 0;
    for (uint32_t i = 0; i < stage->scene->colliders.count; ++i) {
        all += collider_at(stage, i)->desc.mass > 0;
        by_themselves += collider_at(stage, i)->desc.mass > 0 && !collider_at(stage, i)->tool;
    }
    return by_themselves > 1 ? CONTACTS_EACH * all : 0;
}

bool stage_colliders_make(struct stage *stage, struct problem *problem)
{
    const uint32_t count = stage->scene->colliders.count;
    stage->colliders =
        pool_take(&stage->pool, count, sizeof *stage->colliders, "colliders", problem);
    if (!stage->colliders)
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        stage->colliders[i].scene = collider_at(stage, i);
        ++stage->collider_count; /* so that stage_colliders_free frees its mesh */
        if (!make_surface(collider_at(stage, i), &stage->colliders[i].mesh))
            return problem_memory(problem, "a collider's surface", 0);
        if (!stage_shape_make(stage, &stage->colliders[i], problem))
            return false;
    }
    for (uint32_t i = 0; i < count; ++i)
        if (collider_at(stage, i)->desc.mass > 0)
            ++stage->desc.max_rigids;
    stage->desc.max_rigid_contacts = contacts_of(stage);
    stage->desc.max_colliders = count - stage->desc.max_rigids;
    stage->desc.max_shapes = count;
    return true;
}

void stage_colliders_free(struct stage *stage)
{
    for (uint32_t i = 0; i < stage->collider_count; ++i) {
        meshgen_free(&stage->colliders[i].mesh);
        memory_give(stage->colliders[i].shape_memory);
    }
}

/* ---- in the world ---- */

static piola_shape shape_of(const struct stage_collider *collider)
{
    const struct scene_collider *scene = collider->scene;
    piola_shape shape = {.kind = scene_collider_shape(scene),
                         .radius = scene->desc.shape.radius,
                         .data = collider->shape};
    for (int k = 0; k < 3; ++k)
        shape.size[k] = (float)(scene->size[k] / 2);
    if (shape.kind == PIOLA_SHAPE_CAPSULE)
        shape.size[1] = (float)(scene->length / 2);
    return shape;
}

/* Does some body list whom it meets? */
static bool bodies_choose(const struct stage *stage)
{
    const struct scene_body *bodies = stage->scene->bodies.items;
    bool any = false;
    for (uint32_t i = 0; i < stage->scene->bodies.count; ++i)
        any = any || keys_given(&scene_body_table, &bodies[i], "collides_with");
    return any;
}

static piola_status create(struct stage *stage, struct stage_collider *collider, piola_error *error)
{
    piola_rigid_desc rigid = collider->scene->desc;
    piola_collider_desc desc = piola_collider_desc_default();
    place(collider->scene, 0, rigid.position, rigid.rotation);
    rigid.shape = shape_of(collider);
    if (bodies_choose(stage))
        rigid.category = STAGE_COLLIDERS;
    if (collider->scene->tool &&
        !keys_given(&scene_collider_table, collider->scene, "gravity_scale"))
        rigid.gravity_scale = 0;
    if (rigid.mass > 0) {
        const piola_status made = piola_rigid_create(stage->world, &rigid, &collider->rigid, error);
        return made == PIOLA_OK ? stage_tool_create(stage, collider, error) : made;
    }
    desc.shape = rigid.shape;
    memcpy(desc.position, rigid.position, sizeof desc.position);
    memcpy(desc.rotation, rigid.rotation, sizeof desc.rotation);
    desc.margin = rigid.margin;
    desc.friction_static = rigid.friction_static;
    desc.friction_kinetic = rigid.friction_kinetic;
    desc.restitution = rigid.restitution;
    desc.sensor = collider->scene->sensor;
    desc.category = rigid.category;
    return piola_collider_create(stage->world, &desc, &collider->handle, error);
}

bool stage_collider_info(const struct stage *stage, const struct stage_collider *collider,
                         piola_collider_info *info)
{
    piola_rigid_info rigid;
    if (collider->rigid.index == 0)
        return piola_collider_inspect(stage->world, collider->handle, info) == PIOLA_OK;
    if (piola_rigid_inspect(stage->world, collider->rigid, &rigid) != PIOLA_OK)
        return false;
    memcpy(info->position, rigid.position, sizeof info->position);
    memcpy(info->rotation, rigid.rotation, sizeof info->rotation);
    memcpy(info->velocity, rigid.velocity, sizeof info->velocity);
    memcpy(info->angular_velocity, rigid.angular_velocity, sizeof info->angular_velocity);
    memcpy(info->force, rigid.force, sizeof info->force);
    memcpy(info->torque, rigid.torque, sizeof info->torque);
    info->touches = rigid.touches;
    return true;
}

bool stage_colliders_create(struct stage *stage, struct problem *problem)
{
    for (uint32_t i = 0; i < stage->collider_count; ++i) {
        piola_error error = {0};
        const piola_status status = create(stage, &stage->colliders[i], &error);
        char what[300];
        snprintf(what, sizeof what, "%.200s: colliders[%u]", stage->path, i);
        if (status != PIOLA_OK)
            return problem_engine(problem, EXIT_SCENE, what, status, &error);
    }
    return true;
}

static bool push(const struct stage *stage, uint32_t index, piola_world *world, double time,
                 struct problem *problem)
{
    const piola_collider handle = stage->colliders[index].handle;
    float position[3], rotation[4];
    place(collider_at(stage, index), time, position, rotation);
    piola_status status = piola_collider_move(world, handle, position);
    if (status == PIOLA_OK)
        status = piola_collider_turn(world, handle, rotation);
    return status == PIOLA_OK || problem_engine(problem, EXIT_RUNTIME, "a collider", status, NULL);
}

bool stage_colliders_push(const struct stage *stage, piola_world *world, uint64_t step,
                          struct problem *problem)
{
    const double dt = (double)stage->desc.dt;
    for (uint32_t i = 0; i < stage->collider_count; ++i)
        if (collider_at(stage, i)->motion && !collider_at(stage, i)->tool &&
            !push(stage, i, world, (double)step * dt, problem))
            return false;
    return true;
}
