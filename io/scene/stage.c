/* stage.c - a world with a scene's bodies in it. */
#define _POSIX_C_SOURCE 200809L
#include "io/scene/stage.h"

#include "io/base/memory.h"
#include "io/mesh/compile.h"
#include "io/scene/sensor_kinds.h"

#include <math.h>
#include <string.h>

#define EVENTS_MAX (UINT64_C(1) << 20)
#define NEIGHBOURS 16u /* other bodies that one touches at a time, where all do */

static uint32_t from_option(int64_t option, uint32_t scene)
{
    return option >= 0 ? (uint32_t)option : scene;
}

static void describe(struct stage *stage, const struct stage_options *options)
{
    const struct scene_world *w = stage->scene->world;
    piola_world_desc *desc = &stage->desc;
    *desc = piola_world_desc_default();
    desc->dt = w->dt;
    desc->clock = options->clock;
    desc->substeps = from_option(options->substeps, w->substeps);
    desc->iterations = from_option(options->iterations, w->iterations);
    desc->solver = (piola_solver)(options->solver >= 0 ? options->solver : (int)w->solver);
    desc->integrator = (piola_integrator)w->integrator;
    desc->isa = (piola_isa)(options->isa >= 0 ? options->isa : (int)w->isa);
    memcpy(desc->gravity, w->gravity, sizeof desc->gravity);
    desc->air_density = w->air_density;
    desc->contact_thickness = w->contact_thickness;
    desc->contact_friction = w->contact_friction;
    desc->catch_up_speed = w->catch_up_speed;
    desc->sleep = w->sleep;
    desc->sleep_speed = w->sleep_speed;
    desc->sleep_time = w->sleep_time;
    desc->chebyshev = w->chebyshev;
    desc->coarse_level = w->coarse_level;
    desc->relaxation = w->relaxation;
    desc->report_physics = w->report || sensors_need_report(stage->scene);
    stage->threads = options->threads >= 0 ? (uint32_t)options->threads : w->threads;
    if (stage->threads == 0)
        stage->threads = piola_workers_desc_default().threads;
}

/* Room for every body at every collider, and at some others, when somebody looks at them. */
static void make_room_for_events(struct stage *stage)
{
    const uint64_t others = (uint64_t)stage->collider_count + NEIGHBOURS;
    const uint64_t events = stage->body_count * others;
    if (sensors_need_events(stage->scene))
        stage->desc.max_contact_events = (uint32_t)(events < EVENTS_MAX ? events : EVENTS_MAX);
}

/* ---- bodies ---- */

static void set_rotation(const struct scene_turn *turn, float rotation[4])
{
    if (!turn)
        return;
    const double x = (double)turn->axis[0], y = (double)turn->axis[1], z = (double)turn->axis[2];
    const double length = sqrt(x * x + y * y + z * z);
    const double half = turn->degrees * (3.14159265358979323846 / 360);
    const double s = sin(half) / length;
    rotation[0] = (float)(x * s);
    rotation[1] = (float)(y * s);
    rotation[2] = (float)(z * s);
    rotation[3] = (float)cos(half);
}

static void set_pressure(const struct scene_pressure *pressure, piola_body_desc *desc)
{
    if (!pressure)
        return;
    desc->pressure_kind = (piola_pressure)(pressure->kind + 1);
    desc->pressure = pressure->pressure;
    desc->ambient_pressure = pressure->ambient;
    desc->volume_scale = pressure->scale;
    desc->volume_compliance = pressure->compliance;
}

void stage_place(const piola_body_desc *desc, const double point[3], double placed[3])
{
    const double q[4] = {(double)desc->rotation[0], (double)desc->rotation[1],
                         (double)desc->rotation[2], (double)desc->rotation[3]};
    double t[3];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        t[k] = 2 * (q[i] * point[j] - q[j] * point[i]);
    }
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        placed[k] =
            point[k] + q[3] * t[k] + (q[i] * t[j] - q[j] * t[i]) + (double)desc->position[k];
    }
}

static uint32_t copies_of(const struct scene_body *body)
{
    const uint32_t *count = body->copies ? body->copies->count : NULL;
    return count ? count[0] * count[1] * count[2] : 1;
}

/* "name", or "name[2]" when there are copies, or "body 3" when it has no name. */
static const char *name_of(struct stage *stage, const struct scene_body *body, uint32_t copy,
                           struct problem *problem)
{
    char text[200];
    const uint32_t number =
        (uint32_t)(body - (const struct scene_body *)stage->scene->bodies.items);
    int n;
    if (body->name)
        n = snprintf(text, sizeof text - 16, "%s", body->name);
    else
        n = snprintf(text, sizeof text - 16, "body %u", number);
    if (body->copies && n > 0) {
        const size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "[%u]", copy);
    }
    return pool_text(&stage->pool, text, problem);
}

/* Bits of the groups that are listed; all when there is no list. */
static uint64_t mask_of(const struct scene_body *body)
{
    const uint32_t *groups = body->collides_with.items;
    uint64_t mask = 0;
    for (uint32_t i = 0; i < body->collides_with.count; ++i)
        mask |= UINT64_C(1) << groups[i];
    mask |= STAGE_COLLIDERS;
    return keys_given(&scene_body_table, body, "collides_with") ? mask : UINT64_MAX;
}

static bool add_bodies(struct stage *stage, const struct scene_body *scene, struct problem *problem)
{
    const struct scene_copies *copies = scene->copies;
    const uint32_t count = copies_of(scene);
    for (uint32_t i = 0; i < count; ++i) {
        struct stage_body *body = &stage->bodies[stage->body_count++];
        body->scene = scene;
        body->asset = stage_asset_of(stage, scene);
        body->copy = i;
        body->name = name_of(stage, scene, i, problem);
        if (!body->name)
            return false;
        body->desc = scene->desc;
        body->desc.asset = body->asset->asset;
        body->desc.category = UINT64_C(1) << scene->group;
        body->desc.mask = mask_of(scene);
        set_pressure(scene->pressure, &body->desc);
        set_rotation(scene->rotation, body->desc.rotation);
        if (copies) {
            const uint32_t at[3] = {i % copies->count[0], i / copies->count[0] % copies->count[1],
                                    i / copies->count[0] / copies->count[1]};
            for (int k = 0; k < 3; ++k)
                body->desc.position[k] += (float)(at[k] * copies->spacing[k]);
        }
    }
    return true;
}

/* The room that the bodies need in the world. */
static bool fit_world(struct stage *stage, struct problem *problem)
{
    const uint32_t n = stage->asset_count;
    const piola_asset **assets = pool_take(&stage->pool, n, sizeof(void *), "assets", problem);
    uint32_t *counts = pool_take(&stage->pool, n, sizeof *counts, "assets", problem);
    piola_error error = {.status = PIOLA_OK};
    if (!assets || !counts)
        return false;
    for (uint32_t i = 0; i < n; ++i) {
        assets[i] = stage->assets[i].asset;
        counts[i] = 0;
    }
    for (uint32_t i = 0; i < stage->body_count; ++i) {
        ++counts[stage->bodies[i].asset - stage->assets];
        stage->vertices += stage->bodies[i].asset->stats.vertices;
        stage->elements += mesh_elements(stage->bodies[i].asset->mesh);
    }
    const piola_status status = piola_world_desc_fit(&stage->desc, assets, counts, n, &error);
    if (stage->scene->world->face_contacts != CONTACTS_MADE)
        stage->desc.max_face_contacts = stage->scene->world->face_contacts;
    return status == PIOLA_OK || problem_engine(problem, EXIT_SCENE, stage->path, status, &error);
}

/* All bodies, and the room they need in the world. */
static bool list_bodies(struct stage *stage, struct problem *problem)
{
    const struct scene_body *bodies = stage->scene->bodies.items;
    uint64_t count = 0;
    for (uint32_t i = 0; i < stage->scene->bodies.count; ++i)
        count += copies_of(&bodies[i]);
    if (count > 65535)
        return problem_set(problem, EXIT_SCENE, "%s: has %llu bodies; it can have 65535",
                           stage->path, (unsigned long long)count);
    stage->bodies = pool_take(&stage->pool, count, sizeof *stage->bodies, "bodies", problem);
    if (!stage->bodies)
        return false;
    for (uint32_t i = 0; i < stage->scene->bodies.count; ++i)
        if (!add_bodies(stage, &bodies[i], problem))
            return false;
    stage_room_make(stage);
    return fit_world(stage, problem);
}

/* ---- first shapes ---- */

/* -1 to 1; a linear congruence is random enough for shifts. */
static double random_next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 33) / (double)(UINT64_C(1) << 30) - 1;
}

static void start_shape(const struct stage_body *body, const bool *pinned, float *xyz)
{
    const struct scene_start *start = body->scene->start;
    const struct meshgen *mesh = body->asset->mesh;
    double low[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY};
    double high[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; ++i) {
        low[i % 3] = fmin(low[i % 3], mesh->vertices[i]);
        high[i % 3] = fmax(high[i % 3], mesh->vertices[i]);
    }
    uint64_t state = start->seed + (uint64_t)body->copy * 7919;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        double point[3], placed[3];
        for (size_t k = 0; k < 3; ++k) {
            const double middle = (low[k] + high[k]) / 2;
            point[k] = middle + (mesh->vertices[3 * (size_t)v + k] - middle) * start->scale[k] +
                       start->random * random_next(&state);
        }
        stage_place(&body->desc, pinned[v] ? mesh->vertices + 3 * (size_t)v : point, placed);
        for (size_t k = 0; k < 3; ++k)
            xyz[3 * (size_t)v + k] = (float)placed[k];
    }
}

static bool start_body(struct stage *stage, uint32_t index, struct problem *problem)
{
    const struct stage_body *body = &stage->bodies[index];
    if (!body->scene->start)
        return true;
    const uint32_t count = body->asset->stats.vertices;
    struct pool pool = {0};
    bool *pinned = pool_take(&pool, count, sizeof *pinned, "a first shape", problem);
    float *xyz = pool_take(&pool, count, 3 * sizeof *xyz, "a first shape", problem);
    bool good = pinned && xyz;
    if (good) {
        stage_pins_mark(stage, index, pinned);
        start_shape(body, pinned, xyz);
        piola_error error = {0};
        const piola_status status =
            piola_body_set_positions(stage->world, body->handle, 0, count, xyz, &error);
        good =
            status == PIOLA_OK || problem_engine(problem, EXIT_SCENE, body->name, status, &error);
    }
    pool_free(&pool);
    return good;
}

/* ---- worlds ---- */

static piola_world *make_world(const struct stage *stage, const piola_world_desc *desc,
                               void **memory, size_t *bytes, struct problem *problem)
{
    piola_error error = {0};
    piola_world *world = NULL;
    piola_status status = piola_world_size(desc, bytes, &error);
    if (status == PIOLA_OK) {
        *memory = pool_block(*bytes, "the world", problem);
        if (!*memory)
            return NULL;
        status = piola_world_create(desc, *memory, *bytes, &world, &error);
    }
    for (uint32_t i = 0; i < stage->asset_count && status == PIOLA_OK; ++i)
        status = piola_world_add_asset(world, stage->assets[i].asset);
    if (status == PIOLA_OK)
        status = stage_shapes_add(stage, world);
    if (status == PIOLA_OK)
        return world;
    problem_engine(problem, status == PIOLA_ERROR_ISA ? EXIT_RUNTIME : EXIT_SCENE, stage->path,
                   status, &error);
    return NULL;
}

static bool fill_world(struct stage *stage, struct problem *problem)
{
    for (uint32_t i = 0; i < stage->body_count; ++i) {
        struct stage_body *body = &stage->bodies[i];
        piola_error error = {0};
        const piola_status status =
            piola_body_create(stage->world, &body->desc, &body->handle, &error);
        if (status != PIOLA_OK)
            return problem_engine(problem, EXIT_SCENE, body->name, status, &error);
        if (!start_body(stage, i, problem))
            return false;
    }
    return true;
}

piola_world *stage_twin(const struct stage *stage, void **memory, struct problem *problem)
{
    piola_world_desc desc = stage->desc;
    size_t bytes = 0;
    desc.report_physics = true;
    return make_world(stage, &desc, memory, &bytes, problem);
}

static bool hire(struct stage *stage, struct problem *problem)
{
    if (stage->threads <= 1)
        return true;
    piola_workers_desc desc = piola_workers_desc_default();
    desc.threads = stage->threads;
    piola_error error = {0};
    size_t bytes = 0;
    piola_status status = piola_workers_size(&desc, &bytes, &error);
    if (status == PIOLA_OK) {
        void *memory = pool_take(&stage->pool, bytes, 1, "threads", problem);
        if (!memory)
            return false;
        status = piola_workers_create(&desc, memory, bytes, &stage->workers, &error);
    }
    return status == PIOLA_OK ||
           problem_engine(problem, EXIT_RUNTIME, "starting threads", status, &error);
}

bool stage_open(struct stage *stage, const struct scene *scene, const char *path,
                const struct stage_options *options, struct problem *problem)
{
    memset(stage, 0, sizeof *stage);
    stage->scene = scene;
    stage->path = path;
    describe(stage, options);
    if (!stage_assets_make(stage, problem) || !list_bodies(stage, problem) ||
        !stage_details_make(stage, problem) || !stage_pins_make(stage, problem) ||
        !stage_attachments_make(stage, problem) || !stage_colliders_make(stage, problem) ||
        !stage_tools_make(stage, problem) || !stage_joints_make(stage, problem) ||
        !stage_fields_make(stage, problem))
        return false;
    make_room_for_events(stage);
    stage->world =
        make_world(stage, &stage->desc, &stage->world_memory, &stage->world_bytes, problem);
    return stage->world && fill_world(stage, problem) && stage_colliders_create(stage, problem) &&
           stage_joints_create(stage, problem) && stage_attachments_create(stage, problem) &&
           stage_winds_create(stage, problem) && hire(stage, problem);
}

void stage_close(struct stage *stage)
{
    if (stage->workers)
        piola_workers_destroy(stage->workers);
    memory_give(stage->world_memory);
    for (uint32_t i = 0; i < stage->asset_count; ++i)
        compile_free(stage->assets[i].asset);
    stage_details_free(stage);
    stage_colliders_free(stage);
    for (uint32_t i = 0; stage->meshes && i < stage->scene->meshes.count; ++i)
        meshgen_free(&stage->meshes[i]);
    pool_free(&stage->pool);
    memset(stage, 0, sizeof *stage);
}
