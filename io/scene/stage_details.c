/* stage_details.c - fine meshes that bodies wear: bound once to their asset's surface, evaluated
 * when they are drawn or written. */
#include "io/base/memory.h"
#include "io/mesh/corners.h"
#include "io/mesh/surfaces.h"
#include "io/scene/stage.h"

#include <string.h>

#define CREASE 0.75f /* rad: edges sharper than this stay sharp */

/* The detail's surface with its sharp and smooth corners. */
static bool prepare(const struct meshgen *mesh, const uint32_t *surface, uint32_t triangles,
                    struct surface_corners *corners, struct pool *pool, struct problem *problem)
{
    float *rest = pool_take(pool, mesh->vertex_count, 3 * sizeof *rest, "a detail", problem);
    for (size_t i = 0; rest && i < 3 * (size_t)mesh->vertex_count; ++i)
        rest[i] = (float)mesh->vertices[i];
    if (!rest || !surface_corners_find(corners, rest, mesh->vertex_count, surface, triangles,
                                       CREASE, pool, problem))
        return false;
    surface_corners_normals(corners, rest);
    for (size_t n = 0; n < corners->normal_count; ++n) {
        float *normal = corners->normals + 3 * n;
        /* Of triangles without an area; any direction will do. */
        if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0)
            normal[1] = 1;
    }
    return true;
}

/* Each vertex that the surface uses gets a number, in the order of the split ones. */
static bool number_places(struct stage_detail *detail, const struct meshgen *mesh,
                          const struct surface_corners *corners, struct stage *stage,
                          struct pool *pool, struct problem *problem)
{
    const size_t vertices = mesh->vertex_count, splits = corners->normal_count;
    uint32_t *number = pool_take(pool, vertices, sizeof *number, "a detail", problem);
    uint32_t *from = pool_take(pool, splits, sizeof *from, "a detail", problem);
    detail->places = pool_take(&stage->pool, splits, sizeof *detail->places, "a detail", problem);
    if (!number || !from || !detail->places)
        return false;
    for (size_t c = 0; c < 3 * (size_t)corners->triangle_count; ++c)
        from[corners->normal_of[c]] = corners->triangles[c];
    memset(number, 0xff, vertices * sizeof *number);
    for (size_t s = 0; s < splits; ++s) {
        if (number[from[s]] == UINT32_MAX)
            number[from[s]] = detail->place_count++;
        detail->places[s] = number[from[s]];
    }
    return true;
}

/* A vertex for each normal: positions, and the triangles by these vertices. */
static double *split(struct stage_detail *detail, const struct meshgen *mesh,
                     const struct surface_corners *corners, struct stage *stage, struct pool *pool,
                     struct problem *problem)
{
    detail->vertex_count = corners->normal_count;
    detail->triangle_count = corners->triangle_count;
    double *vertices =
        pool_take(pool, corners->normal_count, 3 * sizeof *vertices, "a detail", problem);
    detail->triangles =
        pool_take(&stage->pool, corners->triangle_count, 3 * sizeof(uint32_t), "a detail", problem);
    if (!vertices || !detail->triangles)
        return NULL;
    for (size_t c = 0; c < 3 * (size_t)corners->triangle_count; ++c) {
        const uint32_t normal = corners->normal_of[c];
        memcpy(vertices + 3 * (size_t)normal, mesh->vertices + 3 * (size_t)corners->triangles[c],
               3 * sizeof *vertices);
        detail->triangles[c] = normal;
    }
    return number_places(detail, mesh, corners, stage, pool, problem) ? vertices : NULL;
}

static bool build(struct stage_detail *detail, const piola_detail_desc *desc, const char *what,
                  struct pool *pool, struct problem *problem)
{
    piola_error error = {0};
    size_t bytes = 0, scratch_bytes = 0;
    piola_status status = piola_detail_size(desc, &bytes, &scratch_bytes, &error);
    if (status != PIOLA_OK)
        return problem_engine(problem, EXIT_SCENE, what, status, &error);
    void *scratch = pool_take(pool, scratch_bytes, 1, "binding a detail", problem);
    detail->memory = pool_block(bytes, "a bound detail", problem);
    if (!scratch || !detail->memory)
        return false;
    status = piola_detail_build(desc, scratch, scratch_bytes, detail->memory, bytes,
                                &detail->detail, &error);
    if (status != PIOLA_OK)
        return problem_engine(problem, EXIT_SCENE, what, status, &error);
    detail->pose_bytes = piola_detail_pose_size(detail->detail);
    detail->pose = pool_block(detail->pose_bytes, "a detail's pose", problem);
    return detail->pose != NULL;
}

/* That many rounds of four triangles for one are the scene's fault, not the machine's. */
static bool check_size(const struct stage *stage, const struct stage_body *body, uint32_t triangles,
                       struct problem *problem)
{
    const uint32_t times = body->scene->detail->subdivide;
    const uint64_t made = (uint64_t)triangles << 2 * times;
    return made <= SURFACE_TRIANGLES_MOST ||
           problem_set(
               problem, EXIT_SCENE,
               "%s: the detail of \"%s\": subdivide %u makes %llu triangles of %u, more than "
               "%u",
               stage->path, body->name, times, (unsigned long long)made, triangles,
               SURFACE_TRIANGLES_MOST);
}

/* A surface of triangles: the given mesh's, or the body's own made finer. */
static bool make_surface(struct stage *stage, const struct stage_body *body, struct meshgen *fine,
                         struct problem *problem)
{
    const struct scene_detail *wanted = body->scene->detail;
    const struct meshgen *from =
        wanted->mesh ? stage_mesh(stage, wanted->mesh, problem) : body->asset->mesh;
    if (!from)
        return false;
    const size_t bytes = 3 * sizeof(double) * from->vertex_count;
    fine->vertices = memory_zero((size_t)from->vertex_count + 1, 3 * sizeof(double));
    fine->vertex_count = from->vertex_count;
    fine->triangle_count = from->triangle_count;
    if (mesh_is_solid(from))
        fine->triangles = shape_surface(from, &fine->triangle_count);
    else
        fine->triangles = memory_take(3 * sizeof(uint32_t) * from->triangle_count);
    bool good = fine->vertices && fine->triangles;
    if (good) {
        memcpy(fine->vertices, from->vertices, bytes);
        if (!mesh_is_solid(from))
            memcpy(fine->triangles, from->triangles, 3 * sizeof(uint32_t) * from->triangle_count);
        if (!check_size(stage, body, fine->triangle_count, problem))
            return false;
        good = surface_subdivide(fine, wanted->subdivide) &&
               (wanted->relief <= 0 || surface_relief(fine, wanted->relief, wanted->wave));
    }
    if (good)
        return true;
    problem->memory = problem->text[0] == 0;
    return problem_set(problem, EXIT_RUNTIME,
                       "%s: the detail of \"%s\" is too large for this machine", stage->path,
                       body->name);
}

static bool bind(struct stage *stage, struct stage_detail *detail, const struct stage_body *body,
                 struct problem *problem)
{
    struct pool pool = {0};
    struct meshgen fine = {0};
    struct surface_corners corners;
    char what[300];
    piola_detail_desc desc = piola_detail_desc_default();
    if (body->scene->detail->embed && !mesh_is_solid(body->asset->mesh))
        return problem_set(problem, EXIT_SCENE,
                           "%s: the detail of \"%s\" has nothing to be embedded in: its body is "
                           "no solid",
                           stage->path, body->name);
    snprintf(what, sizeof what, "%.200s: the detail of \"%.60s\"", stage->path, body->name);
    bool good = make_surface(stage, body, &fine, problem) &&
                prepare(&fine, fine.triangles, fine.triangle_count, &corners, &pool, problem);
    if (good) {
        desc.asset = detail->asset->asset;
        desc.vertices = split(detail, &fine, &corners, stage, &pool, problem);
        desc.normals = corners.normals;
        desc.vertex_count = detail->vertex_count;
        desc.mode = body->scene->detail->embed ? PIOLA_DETAIL_EMBED : PIOLA_DETAIL_SURFACE;
        good = desc.vertices && build(detail, &desc, what, &pool, problem);
    }
    meshgen_free(&fine);
    pool_free(&pool);
    return good;
}

static bool dress(struct stage *stage, struct stage_body *body, struct problem *problem)
{
    uint32_t i = 0;
    while (i < stage->detail_count && stage->details[i].first != body->scene)
        ++i;
    struct stage_detail *detail = &stage->details[i];
    if (i == stage->detail_count) {
        ++stage->detail_count; /* so that stage_details_free frees what bind leaves */
        detail->first = body->scene;
        detail->asset = body->asset;
        if (!bind(stage, detail, body, problem))
            return false;
    }
    body->detail = detail;
    stage->detail_vertices += detail->vertex_count;
    stage->detail_triangles += detail->triangle_count;
    return true;
}

bool stage_details_make(struct stage *stage, struct problem *problem)
{
    stage->details = pool_take(&stage->pool, stage->scene->bodies.count, sizeof *stage->details,
                               "details", problem);
    if (!stage->details)
        return false;
    for (uint32_t b = 0; b < stage->body_count; ++b)
        if (stage->bodies[b].scene->detail && !dress(stage, &stage->bodies[b], problem))
            return false;
    return true;
}

void stage_details_free(struct stage *stage)
{
    for (uint32_t i = 0; i < stage->detail_count; ++i) {
        memory_give(stage->details[i].memory);
        memory_give(stage->details[i].pose);
    }
}

bool stage_detail_take(const struct stage *stage, const struct stage_body *body, float *positions,
                       float *normals, struct problem *problem)
{
    const struct stage_detail *detail = body->detail;
    const piola_detail_pose *pose = NULL;
    piola_status status = piola_detail_pose_take(detail->detail, stage->world, body->handle,
                                                 detail->pose, detail->pose_bytes, &pose);
    if (status == PIOLA_OK)
        status = piola_detail_evaluate(detail->detail, pose, 0, detail->vertex_count, positions,
                                       normals);
    return status == PIOLA_OK || problem_engine(problem, EXIT_RUNTIME, body->name, status, NULL);
}
