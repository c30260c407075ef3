/* bench_scene.c - builds, deforms and steps the worlds of the benches through the public header
 * alone. */
#include "bench_scene.h"
#include "cores.h"

#include <math.h>
#include <string.h>

static const float spacing_factor = 1.5f; /* of the body's largest extent, from middle to middle */

/* ---- compiled meshes ---- */

void bench_asset_make(struct bench *bench, const struct bench_mesh *mesh, piola_model model,
                      uint32_t family, struct bench_asset *compiled)
{
    piola_material material = piola_material_default();
    piola_mesh_desc desc = meshgen_desc(&mesh->mesh);
    material.model = model;
    desc.compile_for = family;
    desc.materials = &material;
    desc.material_count = 1;
    bench_asset_compile(bench, &desc, compiled);
}

void bench_asset_compile(struct bench *bench, const piola_mesh_desc *desc,
                         struct bench_asset *compiled)
{
    piola_plan *plan = NULL;
    piola_error error;
    size_t bytes = 0;
    bench_check(bench, "mesh", piola_plan_size(desc, &bytes, &error), &error);
    void *scratch = bench_memory(bench, bytes);
    bench_check(bench, "mesh", piola_asset_plan(desc, scratch, bytes, &plan, &error), &error);
    bytes = piola_plan_asset_size(plan);
    compiled->memory = bench_memory(bench, bytes);
    bench_check(bench, "mesh",
                piola_asset_build(plan, desc, compiled->memory, bytes, &compiled->asset, &error),
                &error);
    bench_release(scratch);
    bench_check(bench, "asset", piola_asset_inspect(compiled->asset, &compiled->stats), NULL);
}

void bench_asset_sheet(struct bench *bench, uint32_t cells, double side, uint32_t family,
                       struct bench_asset *compiled)
{
    struct meshgen mesh;
    piola_material materials[2] = {piola_material_default(), piola_material_default()};
    if (!meshgen_cloth(&mesh, (const double[2]){side, side}, (const uint32_t[2]){cells, cells},
                       true))
        bench_fail(bench, "the sheet cannot be made");
    for (int i = 0; i < 2; i++) {
        materials[i].model = PIOLA_MODEL_STVK;
        materials[i].density = 0.2f; /* kg/m^2 */
        materials[i].poisson = 0.3f;
    }
    materials[0].young = 1000; /* N/m */
    materials[1].bend = 1e-4f; /* N m */
    uint32_t *bends = bench_memory(bench, (mesh.bend_count + 1) * sizeof *bends);
    for (uint32_t i = 0; i < mesh.bend_count; i++)
        bends[i] = 1;
    piola_mesh_desc desc = meshgen_desc(&mesh);
    desc.compile_for = family;
    desc.materials = materials;
    desc.material_count = 2;
    desc.bend_materials = bends;
    bench_asset_compile(bench, &desc, compiled);
    bench_release(bends);
    meshgen_free(&mesh);
}

void bench_asset_release(struct bench_asset *compiled)
{
    bench_release(compiled->memory);
    *compiled = (struct bench_asset){0};
}

/* ---- worlds ---- */

static void open_workers(struct bench *bench, uint32_t threads, struct bench_scene *scene)
{
    piola_workers_desc desc = piola_workers_desc_default();
    piola_error error;
    size_t bytes = 0;
    desc.threads = threads;
    desc.policy = PIOLA_WAIT_SPIN;
    desc.pin_to_cores = true;
    bench_check(bench, "workers", piola_workers_size(&desc, &bytes, &error), &error);
    scene->workers_memory = bench_memory(bench, bytes);
    bench_check(bench, "workers",
                piola_workers_create(&desc, scene->workers_memory, bytes, &scene->workers, &error),
                &error);
}

static void open_world(struct bench *bench, const struct bench_scene_desc *wanted,
                       struct bench_scene *scene)
{
    piola_world_desc desc = piola_world_desc_default();
    piola_error error;
    size_t bytes = 0;
    desc.max_commands = 2;
    desc.dt = 5e-3f;
    desc.substeps = 1;
    desc.iterations = wanted->iterations;
    desc.solver = wanted->solver;
    desc.isa = wanted->isa;
    desc.report_physics = wanted->report;
    desc.clock = bench_now;
    desc.max_colliders = wanted->colliders;
    if (wanted->contacts > 0) {
        desc.max_contacts = wanted->contacts;
        desc.contact_thickness = wanted->thickness;
    } else {
        memset(desc.gravity, 0, sizeof desc.gravity);
    }
    bench_check(bench, "world",
                piola_world_desc_fit(&desc, &wanted->compiled->asset, &wanted->bodies, 1, &error),
                &error);
    bench_check(bench, "world", piola_world_size(&desc, &bytes, &error), &error);
    scene->world_memory = bench_memory(bench, bytes);
    bench_check(bench, "world",
                piola_world_create(&desc, scene->world_memory, bytes, &scene->world, &error),
                &error);
}

/* The lengths of the first body's box. */
static void measure_box(const float *xyz, uint32_t count, float middle[3], float half[3])
{
    for (int axis = 0; axis < 3; axis++) {
        float low = xyz[axis], high = xyz[axis];
        for (uint32_t i = 1; i < count; i++) {
            low = fminf(low, xyz[3 * i + (uint32_t)axis]);
            high = fmaxf(high, xyz[3 * i + (uint32_t)axis]);
        }
        middle[axis] = 0.5f * (low + high);
        half[axis] = 0.5f * (high - low);
    }
}

static void create_body(struct bench *bench, struct bench_scene *scene, uint32_t number,
                        const piola_body_desc *desc)
{
    piola_error error;
    bench_check(bench, "body",
                piola_body_create(scene->world, desc, &scene->bodies[number], &error), &error);
}

static float *vertex_memory(struct bench *bench, const struct bench_scene *scene, uint32_t *count)
{
    piola_body_info info;
    bench_check(bench, "body", piola_body_inspect(scene->world, scene->bodies[0], &info), NULL);
    *count = info.vertices;
    return bench_memory(bench, (size_t)info.vertices * 3 * sizeof(float));
}

/* Half the size of a body, from one that exists for a moment. */
static void look_at_one(struct bench *bench, struct bench_scene *scene, const piola_body_desc *desc,
                        float half[3])
{
    float middle[3];
    uint32_t vertices = 0;
    create_body(bench, scene, 0, desc);
    float *xyz = vertex_memory(bench, scene, &vertices);
    bench_check(bench, "body",
                piola_body_positions(scene->world, scene->bodies[0], 0, vertices, xyz), NULL);
    measure_box(xyz, vertices, middle, half);
    bench_release(xyz);
    bench_check(bench, "body", piola_body_destroy(scene->world, scene->bodies[0]), NULL);
}

/* They fill a cube. */
static void place_apart(uint32_t number, uint32_t bodies, const float half[3],
                        piola_body_desc *desc)
{
    uint32_t side = 1;
    const float step = 2 * spacing_factor * fmaxf(half[0], fmaxf(half[1], half[2]));
    while (side * side * side < bodies)
        side++;
    const uint32_t row = number / side, layer = row / side;
    desc->position[0] = step * (float)(number % side);
    desc->position[1] = step * (float)(row % side);
    desc->position[2] = step * (float)layer;
}

static void create_bodies(struct bench *bench, struct bench_scene *scene,
                          const struct bench_scene_desc *wanted)
{
    piola_body_desc desc = piola_body_desc_default();
    float half[3];
    desc.asset = wanted->compiled->asset;
    look_at_one(bench, scene, &desc, half);
    for (int axis = 0; axis < 3 && !wanted->place && wanted->spread > 0; axis++)
        half[axis] *= wanted->spread;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        piola_body_desc each = desc;
        (wanted->place ? wanted->place : place_apart)(i, scene->body_count, half, &each);
        create_body(bench, scene, i, &each);
    }
}

void bench_scene_open(struct bench *bench, const struct bench_scene_desc *desc,
                      struct bench_scene *scene)
{
    *scene = (struct bench_scene){.body_count = desc->bodies};
    scene->bodies = bench_memory(bench, desc->bodies * sizeof scene->bodies[0]);
    open_world(bench, desc, scene);
    open_workers(bench, desc->threads, scene);
    create_bodies(bench, scene, desc);
}

void bench_scene_close(struct bench_scene *scene)
{
    piola_workers_destroy(scene->workers);
    (void)piola_world_destroy(scene->world);
    bench_release(scene->workers_memory);
    bench_release(scene->world_memory);
    bench_release(scene->snapshot);
    bench_release(scene->bodies);
}

void bench_scene_deform(struct bench *bench, struct bench_scene *scene,
                        void (*shape)(float position[3], const float half[3]))
{
    uint32_t count = 0;
    float middle[3], half[3];
    float *xyz = vertex_memory(bench, scene, &count);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        bench_check(bench, "body",
                    piola_body_positions(scene->world, scene->bodies[i], 0, count, xyz), NULL);
        measure_box(xyz, count, middle, half);
        for (uint32_t vertex = 0; vertex < count; vertex++) {
            float *at = &xyz[3 * vertex];
            for (int axis = 0; axis < 3; axis++)
                at[axis] -= middle[axis];
            shape(at, half);
            for (int axis = 0; axis < 3; axis++)
                at[axis] += middle[axis];
        }
        bench_check(bench, "body",
                    piola_body_set_positions(scene->world, scene->bodies[i], 0, count, xyz, NULL),
                    NULL);
    }
    bench_release(xyz);
}

void bench_scene_step(struct bench *bench, struct bench_scene *scene, piola_report *report)
{
    const piola_tasks *tasks = piola_workers_tasks(scene->workers);
    bench_check(bench, "step", piola_world_step(scene->world, tasks, report), NULL);
}

void bench_scene_keep(struct bench *bench, struct bench_scene *scene)
{
    bench_release(scene->snapshot);
    scene->snapshot_bytes = piola_snapshot_size(scene->world);
    scene->snapshot = bench_memory(bench, scene->snapshot_bytes);
    bench_check(bench, "snapshot",
                piola_snapshot_save(scene->world, scene->snapshot, scene->snapshot_bytes), NULL);
}

void bench_scene_return(struct bench *bench, struct bench_scene *scene)
{
    bench_check(bench, "snapshot",
                piola_snapshot_restore(scene->world, scene->snapshot, scene->snapshot_bytes), NULL);
}

void bench_scene_measure(struct bench *bench, struct bench_scene *scene, uint32_t run,
                         struct bench_stats *stats)
{
    enum { SAMPLES_LEAST = 5, SAMPLES_MOST = 8192 };
    const double seconds = bench_quick(bench) ? 0.15 : 1.0;
    const piola_tasks *tasks = piola_workers_tasks(scene->workers);
    double *samples = bench_memory(bench, SAMPLES_MOST * sizeof samples[0]);
    double *rates = bench_memory(bench, (SAMPLES_MOST / BENCH_CORES_RUN + 2) * sizeof rates[0]);
    piola_report report = {0};
    size_t count = 0;
    double spent = 0;
    bench_scene_return(bench, scene);
    bench_scene_step(bench, scene, NULL); /* warm-up */
    while (count < SAMPLES_MOST && (spent < seconds || count < SAMPLES_LEAST)) {
        if (count % run == 0)
            bench_scene_return(bench, scene);
        if (count % BENCH_CORES_RUN == 0)
            rates[count / BENCH_CORES_RUN] = bench_cores_rate(tasks);
        const double start = bench_now();
        bench_scene_step(bench, scene, &report);
        samples[count] = bench_now() - start;
        spent += samples[count++];
        if (report.frozen != 0)
            bench_fail(bench, "a body froze: what was measured is no simulation");
    }
    rates[(count - 1) / BENCH_CORES_RUN + 1] = bench_cores_rate(tasks);
    const struct bench_share cores = bench_cores_judge(samples, count, rates);
    bench_stats_of(samples, count, stats);
    stats->cores = cores;
    bench_release(rates);
    bench_release(samples);
}

void bench_scene_bytes(const struct bench_scene *scene, double *state, double *scratch)
{
    piola_memory_entry entry;
    *state = 0;
    *scratch = 0;
    for (uint32_t i = 0; piola_world_memory(scene->world, i, &entry) == PIOLA_OK; i++) {
        if (entry.capacity == 0)
            continue;
        const double used = (double)entry.bytes * (double)entry.used / (double)entry.capacity;
        *(entry.state ? state : scratch) += used;
    }
}
