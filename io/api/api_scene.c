/* api_scene.c - scenes of the public interface. */
#include "io/api/api.h"
#include "io/scene/stage.h"

#include <string.h>

struct piola_io_scene {
    piola_io_allocator allocator;
    struct pool pool; /* of all that the file says */
    struct scene scene;
    struct stage stage;
};

piola_io_scene_desc piola_io_scene_desc_default(void)
{
    return (piola_io_scene_desc){.cookie_ = COOKIE_IO_SCENE, .iterations = -1, .solver = -1};
}

static piola_io_status check_desc(const piola_io_scene_desc *d, piola_io_error *error)
{
    if (d->cookie_ != COOKIE_IO_SCENE)
        return api_cookie(error, "piola_io_scene_desc");
    if (!api_allocator_good(&d->allocator))
        return api_null(error, "one of the two functions of piola_io_scene_desc.allocator");
    const struct {
        const char *what;
        int64_t value, least, most;
    } ranges[] = {
        {"threads", d->threads, 0, 64},
        {"substeps", d->substeps, 0, 1000},
        {"iterations", d->iterations, -1, 1000},
        {"solver", d->solver, -1, PIOLA_SOLVER_COUNT - 1},
        {"isa", (int64_t)d->isa, 0, PIOLA_ISA_COUNT - 1},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i)
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most)
            return api_refuse(error, PIOLA_IO_ERROR_RANGE,
                              "piola_io_scene_desc.%s is %lld: %lld to %lld", ranges[i].what,
                              (long long)ranges[i].value, (long long)ranges[i].least,
                              (long long)ranges[i].most);
    return PIOLA_IO_OK;
}

static struct stage_options options_of(const piola_io_scene_desc *d)
{
    struct stage_options options = STAGE_OPTIONS_NONE;
    options.threads = d->threads > 0 ? (int64_t)d->threads : -1;
    options.substeps = d->substeps > 0 ? (int64_t)d->substeps : -1;
    options.iterations = d->iterations;
    options.solver = d->solver;
    options.clock = d->clock;
    options.isa = d->isa == PIOLA_ISA_AUTO ? -1 : (int)d->isa;
    return options;
}

static void scene_free(piola_io_scene *scene)
{
    stage_close(&scene->stage);
    pool_free(&scene->pool);
    memory_give(scene);
}

/* Null text: of the file. */
static bool open_all(piola_io_scene *s, const char *text, size_t bytes, const char *path,
                     const piola_io_scene_desc *desc, struct problem *problem)
{
    const struct stage_options options = options_of(desc);
    const char *kept = pool_text(&s->pool, path, problem);
    return kept &&
           (text ? scene_parse(text, bytes, kept, &s->scene, &s->pool, problem)
                 : scene_read(kept, &s->scene, &s->pool, problem)) &&
           stage_open(&s->stage, &s->scene, kept, &options, problem);
}

static piola_io_status open_scene(const char *text, size_t bytes, const char *path,
                                  const piola_io_scene_desc *desc, piola_io_scene **scene,
                                  piola_io_error *error)
{
    const piola_io_scene_desc plain = piola_io_scene_desc_default();
    if (!path || !scene)
        return api_null(error, path ? "scene" : "path");
    if (!desc)
        desc = &plain;
    const piola_io_status status = check_desc(desc, error);
    if (status != PIOLA_IO_OK)
        return status;
    struct problem problem = {0};
    const piola_io_allocator *last = memory_use(&desc->allocator);
    piola_io_scene *made = memory_zero(1, sizeof *made);
    if (!made)
        problem_memory(&problem, "a scene", sizeof *made);
    const bool good = made && open_all(made, text, bytes, path, desc, &problem);
    if (made && !good)
        scene_free(made);
    memory_use(last);
    if (!good)
        return api_tell(&problem, path, error);
    made->allocator = desc->allocator;
    *scene = made;
    return api_good(error);
}

piola_io_status piola_io_scene_open(const char *path, const piola_io_scene_desc *desc,
                                    piola_io_scene **scene, piola_io_error *error)
{
    return open_scene(NULL, 0, path, desc, scene, error);
}

piola_io_status piola_io_scene_parse(const char *text, size_t bytes, const char *path,
                                     const piola_io_scene_desc *desc, piola_io_scene **scene,
                                     piola_io_error *error)
{
    return text ? open_scene(text, bytes, path, desc, scene, error) : api_null(error, "text");
}

void piola_io_scene_close(piola_io_scene *scene)
{
    if (!scene)
        return;
    const piola_io_allocator allocator = scene->allocator;
    const piola_io_allocator *last = memory_use(&allocator);
    scene_free(scene);
    memory_use(last);
}

/* ---- what is in it ---- */

piola_io_scene_facts piola_io_scene_inspect(const piola_io_scene *scene)
{
    if (!scene)
        return (piola_io_scene_facts){0};
    const struct stage *stage = &scene->stage;
    return (piola_io_scene_facts){
        .world = stage->world,
        .tasks = stage->workers ? piola_workers_tasks(stage->workers) : NULL,
        .description = scene->scene.description,
        .seconds = scene->scene.seconds,
        .dt = stage->desc.dt,
        .body_count = stage->body_count,
        .collider_count = stage->collider_count,
        .attachment_count = stage->attachment_count,
        .joint_count = stage->joint_count,
        .threads = stage->threads,
        .world_bytes = stage->world_bytes,
        .asset_bytes = stage->asset_bytes,
    };
}

static piola_io_scene_body body_of(const struct stage_body *body)
{
    return (piola_io_scene_body){body->name, body->copy, body->handle, body->asset->asset};
}

bool piola_io_scene_body_at(const piola_io_scene *scene, uint32_t index, piola_io_scene_body *body)
{
    if (!scene || !body || index >= scene->stage.body_count)
        return false;
    *body = body_of(&scene->stage.bodies[index]);
    return true;
}

bool piola_io_scene_body_named(const piola_io_scene *scene, const char *name, uint32_t copy,
                               piola_io_scene_body *body)
{
    if (!scene || !name || !body)
        return false;
    const struct stage_body *found = stage_body_named(&scene->stage, name, copy);
    if (found)
        *body = body_of(found);
    return found != NULL;
}

bool piola_io_scene_collider_at(const piola_io_scene *scene, uint32_t index,
                                piola_io_scene_collider *collider)
{
    if (!scene || !collider || index >= scene->stage.collider_count)
        return false;
    const struct stage_collider *found = &scene->stage.colliders[index];
    *collider = (piola_io_scene_collider){.name = found->scene->name,
                                          .handle = found->handle,
                                          .rigid = found->rigid,
                                          .tool = found->tool};
    return true;
}

bool piola_io_scene_joint_at(const piola_io_scene *scene, uint32_t index,
                             piola_io_scene_joint *joint)
{
    if (!scene || !joint || index >= scene->stage.joint_count)
        return false;
    const struct stage_joint *found = &scene->stage.joints[index];
    *joint = (piola_io_scene_joint){.name = found->scene->name, .handle = found->handle};
    return true;
}

/* ---- time ---- */

piola_io_status piola_io_scene_push(const piola_io_scene *scene, uint64_t step,
                                    piola_io_error *error)
{
    if (!scene)
        return api_null(error, "scene");
    if (step == 0)
        return api_refuse(error, PIOLA_IO_ERROR_RANGE, "step is 0: steps count from 1");
    struct problem problem = {0};
    const piola_io_allocator *last = memory_use(&scene->allocator);
    const bool good = stage_inputs_push(&scene->stage, scene->stage.world, step, &problem);
    memory_use(last);
    return good ? api_good(error) : api_tell(&problem, scene->stage.path, error);
}

piola_io_status piola_io_scene_step(piola_io_scene *scene, uint64_t step, piola_report *report,
                                    piola_io_error *error)
{
    const piola_io_status pushed = piola_io_scene_push(scene, step, error);
    if (pushed != PIOLA_IO_OK)
        return pushed;
    const piola_tasks *tasks =
        scene->stage.workers ? piola_workers_tasks(scene->stage.workers) : NULL;
    const piola_status status = piola_world_step(scene->stage.world, tasks, report);
    if (status == PIOLA_OK)
        return api_good(error);
    struct problem problem = {0};
    problem_engine(&problem, EXIT_RUNTIME, scene->stage.path, status, NULL);
    return api_tell(&problem, scene->stage.path, error);
}
