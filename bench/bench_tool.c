/* bench_tool.c - the bench `tool`: what touch costs.
 *
 * `call`: piola_tool_force by a device at 10 kHz that goes to and fro, of which each hundredth
 * finds a new model. Each call is timed; the clock's own cost is in it, and beside it as
 * `clock_p50`. `world`: a world at 1 kHz, 2,000 tetrahedra whose bottom is held, a ball that a hand
 * holds and strokes over them, contact with edges and faces; one substep of 5 iterations, one
 * thread. `phase_NAME` is what the parts of its median step take.
 */
#include "bench_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DT 1e-3 /* s */

/* ---- calls ---- */

static void measure_calls(struct bench *bench)
{
    const size_t count = bench_quick(bench) ? 200000 : 10000000;
    const piola_haptic_desc desc = piola_haptic_desc_default();
    const struct bench_labels labels = {.case_name = "call", .threads = 1};
    void *memory = bench_memory(bench, piola_haptic_size());
    double *samples = bench_memory(bench, count * sizeof *samples);
    piola_tool_model model = {.period = 0.01,
                              .rotation = {0, 0, 0, 1},
                              .force = {0.2f, 2, 0},
                              .stiffness = {900, 1000, 800, 20, 10, 30},
                              .turn_stiffness = {1, 1, 1, 0, 0, 0},
                              .normal = {0.0995f, 0.995f, 0},
                              .damping = 1};
    piola_haptic *haptic;
    bench_check(bench, "haptic",
                piola_haptic_create(&desc, memory, piola_haptic_size(), &haptic, NULL), NULL);
    for (size_t i = 0; i < count; i++) {
        const double time = 1e-4 * (double)i;
        const float at[3] = {1e-3f * (float)sin(3 * time), 2e-3f * (float)sin(7 * time), 0};
        const float turn[4] = {0, 0, 0.1f, 0.995f};
        float force[3], torque[3];
        if (i % 100 == 0) {
            model.time = time;
            model.force[1] = 2 - 1000 * at[1];
            memcpy(model.position, at, sizeof at);
            bench_check(bench, "model", piola_haptic_publish(haptic, &model), NULL);
        }
        const double begin = bench_now();
        piola_tool_force(haptic, at, turn, time, force, torque);
        samples[i] = bench_now() - begin;
    }
    bench_tail_rows(bench, &labels, "call", samples, count, 1e9, "ns");
    for (size_t i = 0; i < count / 10; i++) {
        const double begin = bench_now();
        samples[i] = bench_now() - begin;
    }
    bench_tail_rows(bench, &labels, "clock", samples, count / 10, 1e9, "ns");
    bench_release(samples);
    bench_release(memory);
}

/* ---- the world ---- */

struct touch {
    piola_world *world;
    piola_tool tool;
    void *memory;
    float top[3]; /* m: where the ball touches the block's middle */
};

static void hold_bottom(struct bench *bench, piola_world *world, piola_body body,
                        const struct bench_mesh *mesh)
{
    for (uint32_t v = 0; v < mesh->mesh.vertex_count; v++) {
        const double *x = mesh->mesh.vertices + 3 * (size_t)v;
        const float at[3] = {(float)x[0], (float)x[1], (float)x[2]};
        if (x[1] < 1e-6)
            bench_check(bench, "pin", piola_body_pin(world, body, v, at), NULL);
    }
}

/* 10 x 4 x 10 cells of 1 cm, and a ball of 1.5 cm. */
static void open_world(struct bench *bench, const struct bench_mesh *mesh,
                       const struct bench_asset *asset, struct touch *touch)
{
    piola_world_desc desc = piola_world_desc_default();
    piola_body_desc body = piola_body_desc_default();
    piola_rigid_desc ball = piola_rigid_desc_default();
    piola_tool_desc tool = piola_tool_desc_default();
    piola_body made;
    size_t bytes;
    bench_check(bench, "room", piola_world_desc_fit(&desc, &asset->asset, NULL, 1, NULL), NULL);
    desc.dt = (float)DT;
    desc.substeps = 1;
    desc.iterations = 5;
    desc.isa = bench_widest_isa(bench);
    desc.clock = bench_now;
    desc.max_rigids = desc.max_tools = 1;
    bench_check(bench, "room", piola_world_size(&desc, &bytes, NULL), NULL);
    touch->memory = bench_memory(bench, bytes);
    bench_check(bench, "world",
                piola_world_create(&desc, touch->memory, bytes, &touch->world, NULL), NULL);
    body.asset = asset->asset;
    bench_check(bench, "body", piola_body_create(touch->world, &body, &made, NULL), NULL);
    hold_bottom(bench, touch->world, made, mesh);
    ball.shape = piola_shape_sphere(0.015f);
    ball.mass = 0.05f;
    ball.gravity_scale = 0;
    ball.position[0] = ball.position[2] = 0.05f;
    ball.position[1] = 0.04f + 0.015f;
    memcpy(touch->top, ball.position, sizeof touch->top);
    memcpy(tool.position, ball.position, sizeof tool.position);
    bench_check(bench, "ball", piola_rigid_create(touch->world, &ball, &tool.rigid, NULL), NULL);
    bench_check(bench, "tool", piola_tool_create(touch->world, &tool, &touch->tool, NULL), NULL);
}

/* Pressed 6 mm deep and led to and fro, as a hand strokes. */
static void lead(struct bench *bench, const struct touch *touch, double time)
{
    const float at[3] = {touch->top[0] + 0.02f * (float)sin(3 * time),
                         touch->top[1] - 0.006f * (float)fmin(1, 5 * time),
                         touch->top[2] + 0.015f * (float)sin(2 * time)};
    bench_check(bench, "move", piola_tool_move(touch->world, touch->tool, at), NULL);
}

static void phase_rows(struct bench *bench, const struct bench_labels *labels, double *const *parts,
                       size_t count)
{
    for (int p = 0; p < PIOLA_PHASE_COUNT; p++) {
        struct bench_stats stats;
        char metric[48];
        bench_stats_of(parts[p], count, &stats);
        snprintf(metric, sizeof metric, "phase_%s", piola_phase_name((piola_phase)p));
        bench_row(bench, labels, metric, 1e3 * stats.median, "ms");
    }
}

static void measure_world(struct bench *bench)
{
    const size_t count = bench_quick(bench) ? 2000 : 60000;
    struct bench_mesh mesh;
    struct bench_asset asset;
    struct touch touch;
    double *parts[PIOLA_PHASE_COUNT], *steps = bench_memory(bench, count * sizeof *steps);
    float most = 0;
    bench_mesh_box(bench, (const uint32_t[3]){10, 4, 10}, &mesh);
    for (uint32_t i = 0; i < 3 * mesh.mesh.vertex_count; i++)
        mesh.mesh.vertices[i] *= 0.5;
    bench_asset_make(bench, &mesh, PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_COMPILE_FOR_DESCENT,
                     &asset);
    open_world(bench, &mesh, &asset, &touch);
    for (int p = 0; p < PIOLA_PHASE_COUNT; p++)
        parts[p] = bench_memory(bench, count * sizeof *steps);
    for (size_t i = 0; i < count; i++) {
        piola_report report;
        piola_tool_info info;
        lead(bench, &touch, DT * (double)i);
        const double begin = bench_now();
        bench_check(bench, "step", piola_world_step(touch.world, NULL, &report), NULL);
        steps[i] = bench_now() - begin;
        for (int p = 0; p < PIOLA_PHASE_COUNT; p++)
            parts[p][i] = report.phase_seconds[p];
        bench_check(bench, "tool", piola_tool_inspect(touch.world, touch.tool, &info), NULL);
        most = fmaxf(most, info.force[1]);
    }
    const struct bench_labels labels = {.case_name = "world",
                                        .isa = piola_isa_name(bench_widest_isa(bench)),
                                        .threads = 1,
                                        .solver = "descent",
                                        .bodies = 1,
                                        .particles = asset.stats.particles,
                                        .elements = asset.stats.tetrahedra};
    bench_tail_rows(bench, &labels, "step", steps, count, 1e3, "ms");
    phase_rows(bench, &labels, parts, count);
    bench_row(bench, &labels, "force", (double)most, "N");
    for (int p = 0; p < PIOLA_PHASE_COUNT; p++)
        bench_release(parts[p]);
    bench_release(steps);
    bench_release(touch.memory);
    bench_asset_release(&asset);
    bench_mesh_release(&mesh);
}

static void run(struct bench *bench)
{
    if (bench_wants_case(bench, "call"))
        measure_calls(bench);
    if (bench_wants_case(bench, "world") && !bench_is_late(bench, "world"))
        measure_world(bench);
}

static const char *const cases[] = {"call", "world", NULL};

const struct bench_entry bench_tool_entry = {
    .name = "tool",
    .what = "touch: the force for a device's thread, and a world at 1 kHz with a tool",
    .cases = cases,
    .run = run,
};
