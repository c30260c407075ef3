/* stage_shapes.c - colliders of compiled shapes: from a mesh of the scene to what the engine takes.
 */
#include "io/base/memory.h"
#include "io/scene/stage.h"

#include <math.h>
#include <string.h>

#define SAMPLES_MAX (1u << 26)

static bool is_compiled(const struct scene_collider *collider)
{
    return collider->mesh != NULL;
}

/* What pictures show, and what is compiled: the mesh's surface. */
static bool take_surface(const struct meshgen *from, struct meshgen *surface)
{
    const size_t bytes = 3 * sizeof(double) * from->vertex_count;
    surface->vertices = memory_take(bytes + 1);
    surface->vertex_count = from->vertex_count;
    surface->triangle_count = from->triangle_count;
    if (mesh_is_solid(from))
        surface->triangles = shape_surface(from, &surface->triangle_count);
    else
        surface->triangles = memory_take(3 * sizeof(uint32_t) * from->triangle_count + 1);
    if (!surface->vertices || !surface->triangles)
        return false;
    memcpy(surface->vertices, from->vertices, bytes);
    if (!mesh_is_solid(from))
        memcpy(surface->triangles, from->triangles, 3 * sizeof(uint32_t) * from->triangle_count);
    return true;
}

static bool build(const piola_shape_desc *desc, const char *what, void **memory,
                  const piola_shape_data **shape, struct problem *problem)
{
    piola_error error = {0};
    size_t bytes = 0, scratch_bytes = 0;
    piola_status status = piola_shape_size(desc, &bytes, &scratch_bytes, &error);
    if (status != PIOLA_OK)
        return problem_engine(problem, EXIT_SCENE, what, status, &error);
    void *scratch = pool_block(scratch_bytes, "compiling a shape", problem);
    *memory = scratch ? pool_block(bytes, "a compiled shape", problem) : NULL;
    if (*memory)
        status = piola_shape_compile(desc, scratch, scratch_bytes, *memory, bytes, shape, &error);
    memory_give(scratch);
    if (!*memory)
        return false;
    return status == PIOLA_OK || problem_engine(problem, EXIT_SCENE, what, status, &error);
}

/* Room for the samples around the mesh, with two cells of air on each side. */
static bool lay_grid(const struct stage_collider *collider, piola_shape_desc *grid,
                     const char *what, struct problem *problem)
{
    const struct meshgen *mesh = &collider->mesh;
    const double step = collider->scene->spacing;
    uint64_t count = 1;
    for (size_t k = 0; k < 3; ++k) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (size_t v = 0; v < mesh->vertex_count; ++v) {
            low = fmin(low, mesh->vertices[3 * v + k]);
            high = fmax(high, mesh->vertices[3 * v + k]);
        }
        const double cells = ceil((high - low) / step) + 5;
        if (!(cells < (double)SAMPLES_MAX) || count * (uint64_t)cells > SAMPLES_MAX)
            return problem_set(problem, EXIT_SCENE,
                               "%s: a \"spacing\" of %g m makes more than 2^26 samples; make it "
                               "larger",
                               what, step);
        grid->sample_count[k] = (uint32_t)cells;
        grid->origin[k] = (float)(low - 2 * step);
        count *= (uint64_t)cells;
    }
    grid->kind = PIOLA_SHAPE_DISTANCES;
    grid->spacing = (float)step;
    return true;
}

/* A grid of the distances of the shape, which it replaces. */
static bool sample(struct stage_collider *collider, const char *what, struct problem *problem)
{
    piola_shape_desc grid = piola_shape_desc_default();
    const piola_shape_data *exact = collider->shape;
    void *memory = collider->shape_memory;
    if (!lay_grid(collider, &grid, what, problem))
        return false;
    const size_t count = (size_t)grid.sample_count[0] * grid.sample_count[1] * grid.sample_count[2];
    float *samples = memory_take(count * sizeof *samples);
    if (!samples)
        return problem_memory(problem, "a grid of distances", count * sizeof *samples);
    grid.samples = samples;
    collider->shape_memory = NULL;
    piola_error error = {PIOLA_OK, NULL, 0, false};
    const piola_status status =
        piola_shape_sample(exact, grid.origin, grid.spacing, grid.sample_count, samples, &error);
    const bool good = status == PIOLA_OK
                          ? build(&grid, what, &collider->shape_memory, &collider->shape, problem)
                          : problem_engine(problem, EXIT_SCENE, what, status, &error);
    memory_give(samples);
    memory_give(memory);
    return good;
}

/* The ground under the surface, in samples. */
static bool make_heights(struct stage_collider *collider, const char *what, struct problem *problem)
{
    piola_shape_desc field = piola_shape_desc_default();
    float *samples =
        stage_heights_sample(&collider->mesh, collider->scene->spacing, &field, what, problem);
    const bool good =
        samples && build(&field, what, &collider->shape_memory, &collider->shape, problem);
    memory_give(samples);
    return good;
}

bool stage_shape_make(struct stage *stage, struct stage_collider *collider, struct problem *problem)
{
    const struct scene_collider *scene = collider->scene;
    char what[300];
    if (!is_compiled(scene))
        return true;
    snprintf(what, sizeof what, "%.200s: colliders[%u]: the mesh \"%.40s\"", stage->path,
             (uint32_t)(collider - stage->colliders), scene->mesh);
    const struct meshgen *mesh = stage_mesh(stage, scene->mesh, problem);
    if (!mesh)
        return false;
    if (!take_surface(mesh, &collider->mesh))
        return problem_memory(problem, "a collider's surface", 0);
    if (collider->mesh.triangle_count == 0)
        return problem_set(problem, EXIT_SCENE,
                           "%s has no surface that a body could touch; take a solid or a sheet",
                           what);
    if (scene_collider_shape(scene) == PIOLA_SHAPE_HEIGHTS)
        return make_heights(collider, what, problem);
    piola_shape_desc desc = piola_shape_desc_default();
    desc.kind = scene_collider_shape(scene);
    desc.vertices = collider->mesh.vertices;
    desc.vertex_count = collider->mesh.vertex_count;
    if (desc.kind == PIOLA_SHAPE_DISTANCES)
        desc.kind = PIOLA_SHAPE_MESH;
    if (desc.kind != PIOLA_SHAPE_HULL) {
        desc.triangles = collider->mesh.triangles;
        desc.triangle_count = collider->mesh.triangle_count;
    }
    return build(&desc, what, &collider->shape_memory, &collider->shape, problem) &&
           (scene_collider_shape(scene) != PIOLA_SHAPE_DISTANCES ||
            sample(collider, what, problem));
}

piola_status stage_shapes_add(const struct stage *stage, piola_world *world)
{
    piola_status status = PIOLA_OK;
    for (uint32_t i = 0; i < stage->collider_count && status == PIOLA_OK; ++i)
        if (stage->colliders[i].shape)
            status = piola_world_add_shape(world, stage->colliders[i].shape);
    return status;
}
