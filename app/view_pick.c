/* view_pick.c - see view_pick.h. */
#include "view_pick.h"

#include <math.h>
#include <string.h>

#define HARDNESS_MOST 65536.0f /* and its inverse the least */

static size_t first_of(const struct figure *figure, uint32_t body)
{
    size_t at = 0;
    for (uint32_t b = 0; b < body; b++) {
        at += 3 * (size_t)figure->stage->bodies[b].asset->stats.vertices;
    }
    return at;
}

/* The stage's number of a body, or its count of bodies. */
static uint32_t number_of(const struct stage *stage, piola_body handle)
{
    uint32_t b = 0;
    while (b < stage->body_count && (stage->bodies[b].handle.index != handle.index ||
                                     stage->bodies[b].handle.generation != handle.generation)) {
        b++;
    }
    return b;
}

/* The vertices nearest to the point, by insertion into a short sorted list. */
static void choose_vertices(struct grip *grip, const float *xyz, uint32_t count,
                            const float point[3])
{
    float distances[VIEW_GRIP];
    grip->count = 0;
    for (uint32_t v = 0; v < count; v++) {
        const float d[3] = {xyz[3 * (size_t)v] - point[0], xyz[3 * (size_t)v + 1] - point[1],
                            xyz[3 * (size_t)v + 2] - point[2]};
        float square = vec_dot(d, d);
        uint32_t i = grip->count < VIEW_GRIP ? grip->count++ : VIEW_GRIP;
        if (i == VIEW_GRIP) {
            if (square >= distances[VIEW_GRIP - 1]) {
                continue;
            }
            i = VIEW_GRIP - 1;
        }
        for (; i > 0 && distances[i - 1] > square; i--) {
            distances[i] = distances[i - 1];
            grip->vertices[i] = grip->vertices[i - 1];
        }
        distances[i] = square;
        grip->vertices[i] = v;
    }
}

static void mean_of(const struct grip *grip, const float *values, float mean[3])
{
    mean[0] = mean[1] = mean[2] = 0.0f;
    for (uint32_t i = 0; i < grip->count; i++) {
        for (size_t k = 0; k < 3; k++) {
            mean[k] += values[3 * (size_t)grip->vertices[i] + k] / (float)grip->count;
        }
    }
}

static void choose_stiffness(struct grip *grip)
{
    grip->stiffness = fmaxf(1e-3f, fminf(grip->usual * grip->hardness, grip->hardest));
    grip->damping = fminf(0.7f * sqrtf(grip->stiffness * grip->mass), grip->calmest);
}

/* At hardness 1 the whole body on the spring would swing three times a second. */
static void weigh(struct grip *grip, const struct stage_body *body, float dt)
{
    grip->mass = (float)body->asset->stats.mass;
    float held = grip->mass * (float)grip->count / (float)body->asset->stats.vertices;
    grip->usual = 350.0f * grip->mass;
    grip->hardest = 0.25f * held / (dt * dt);
    grip->calmest = 0.25f * held / dt;
    choose_stiffness(grip);
}

void grip_open(struct grip *grip)
{
    *grip = (struct grip){.hardness = 1.0f};
}

bool grip_take(struct grip *grip, const struct figure *figure, const float from[3],
               const float direction[3], const float plane[3])
{
    piola_ray ray = piola_ray_default();
    ray.targets = PIOLA_TARGET_BODIES;
    piola_hit hit = {0};
    float mean[3];
    *grip = (struct grip){.hardness = grip->hardness};
    memcpy(ray.origin, from, sizeof ray.origin);
    memcpy(ray.direction, direction, sizeof ray.direction);
    piola_status status = piola_world_ray(figure->stage->world, &ray, &hit, NULL);
    uint32_t body = number_of(figure->stage, hit.body);
    if (status != PIOLA_OK || body == figure->stage->body_count) {
        return false;
    }
    const struct stage_body *taken = &figure->stage->bodies[body];
    const float *xyz = figure->positions + first_of(figure, body);
    grip->held = true;
    grip->body = body;
    for (int i = 0; i < 3; i++) {
        grip->anchor[i] = grip->target[i] = hit.point[i];
        grip->normal[i] = plane[i];
    }
    choose_vertices(grip, xyz, taken->asset->stats.vertices, grip->anchor);
    mean_of(grip, xyz, mean);
    for (int i = 0; i < 3; i++) {
        grip->offset[i] = grip->anchor[i] - mean[i];
    }
    weigh(grip, taken, figure->stage->desc.dt);
    return true;
}

void grip_drop(struct grip *grip)
{
    grip->held = false;
    grip->force = 0.0f;
}

void grip_move(struct grip *grip, const float from[3], const float direction[3])
{
    const float to[3] = {grip->target[0] - from[0], grip->target[1] - from[1],
                         grip->target[2] - from[2]};
    float along = vec_dot(direction, grip->normal);
    if (fabsf(along) < 1e-4f) {
        return;
    }
    float far = vec_dot(to, grip->normal) / along;
    for (int i = 0; i < 3; i++) {
        grip->target[i] = from[i] + far * direction[i];
    }
}

void grip_harden(struct grip *grip, float factor)
{
    const float most = grip->held ? fmaxf(1.0f, grip->hardest / grip->usual) : HARDNESS_MOST;
    grip->hardness = fmaxf(1.0f / HARDNESS_MOST, fminf(grip->hardness * factor, most));
    if (grip->held) {
        choose_stiffness(grip);
    }
}

void grip_pull(struct grip *grip, const struct figure *figure, struct stage *stage)
{
    stage->pull.body = NULL;
    if (!grip->held) {
        return;
    }
    size_t first = first_of(figure, grip->body);
    float mean[3];
    float velocity[3];
    float force[3];
    mean_of(grip, figure->positions + first, mean);
    mean_of(grip, figure->velocities + first, velocity);
    for (int i = 0; i < 3; i++) {
        grip->anchor[i] = mean[i] + grip->offset[i];
        force[i] =
            grip->stiffness * (grip->target[i] - grip->anchor[i]) - grip->damping * velocity[i];
        stage->pull.force[i] = force[i] / (float)grip->count;
    }
    grip->force = vec_length(force);
    stage->pull.body = &stage->bodies[grip->body];
    stage->pull.body->loaded = true;
    stage->pull.count = grip->count;
    memcpy(stage->pull.vertices, grip->vertices, sizeof stage->pull.vertices);
}
