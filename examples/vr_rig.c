/* A VR rig: one thread steps the world at a fixed rate and makes late steps cheaper; another draws
 * at the display's rate, for the moment at which the light of its picture is seen. Neither waits
 * for the other. vr_rig [SECONDS] */
#include <piola/piola.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define RATE    240.0 /* Hz, of steps */
#define DISPLAY 90.0  /* Hz */

static _Alignas(PIOLA_ALIGNMENT) char plan_memory[1 << 20], asset_memory[1 << 20],
    world_memory[64 << 20], outputs_memory[16 << 20], runner_memory[4096];

struct rig {
    piola_world *world;
    piola_body body;
    piola_world_desc desc;
    piola_outputs *outputs;
    double seconds;
    piola_runner_info told; /* when the loop is over */
    _Atomic bool over;
};

static void must(piola_status status, const char *what)
{
    if (status != PIOLA_OK) {
        fprintf(stderr, "vr_rig: %s: %s\n", what, piola_status_text(status));
        exit(EXIT_FAILURE);
    }
}

/* ---- the thread that steps ---- */

static void *run_world(void *argument)
{
    struct rig *rig = argument;
    piola_runner_desc desc = piola_runner_desc_default(&rig->desc);
    piola_runner *runner;
    piola_report report;
    piola_tick tick;
    desc.overrun = PIOLA_OVERRUN_DEGRADE;
    desc.realtime = desc.pin = true; /* what is not allowed is done without */
    desc.block = world_memory;
    desc.block_bytes = sizeof world_memory;
    must(piola_runner_create(&desc, rig->world, runner_memory, sizeof runner_memory, &runner, NULL),
         "runner");
    const uint64_t ticks = (uint64_t)(rig->seconds * RATE);
    for (uint64_t i = 0; i < ticks; ++i) {
        must(piola_runner_begin(runner, &tick), "begin");
        must(piola_world_step(rig->world, NULL, &report), "step");
        must(piola_outputs_publish(rig->outputs, rig->world, &report, tick.deadline), "publish");
        must(piola_runner_end(runner, &tick), "end");
    }
    must(piola_runner_inspect(runner, &rig->told), "inspect");
    piola_runner_destroy(runner);
    atomic_store(&rig->over, true);
    return NULL;
}

/* ---- the thread that draws ---- */

static void draw_all(struct rig *rig)
{
    piola_display display = piola_display_default(DISPLAY, 0.5 / DISPLAY);
    piola_runner_desc desc = piola_runner_desc_default(NULL); /* stands for the display */
    static _Alignas(PIOLA_ALIGNMENT) char memory[4096];
    piola_runner *refresh;
    piola_frame frame, before;
    piola_frame_moment moment;
    piola_tick tick;
    uint32_t drawn[PIOLA_FRAME_MOMENT_COUNT] = {0};
    float corner[3] = {0};
    desc.rate = DISPLAY;
    desc.overrun = PIOLA_OVERRUN_SKIP;
    must(piola_runner_create(&desc, NULL, memory, sizeof memory, &refresh, NULL), "display");
    while (!atomic_load(&rig->over)) {
        must(piola_runner_begin(refresh, &tick), "refresh");
        piola_display_refreshed(&display, tick.woke);
        const double seen = piola_display_photons(&display, tick.woke + 0.5 / DISPLAY);
        must(piola_outputs_acquire(rig->outputs, 0, &frame, &before), "acquire");
        if (before.sequence > 0) {
            must(piola_frame_positions(&frame, &before, seen, rig->body, 7, 1, corner, &moment),
                 "positions");
            ++drawn[moment];
        }
        must(piola_runner_end(refresh, &tick), "drawn");
    }
    printf("%u pictures foretold, %u held, corner at %.3f m\n",
           drawn[PIOLA_FRAME_INTERPOLATED] + drawn[PIOLA_FRAME_EXTRAPOLATED],
           drawn[PIOLA_FRAME_HELD], (double)corner[1]);
    piola_runner_destroy(refresh);
}

/* ---- what there is ---- */

static void make_world(struct rig *rig)
{
    static const double vertices[] = {0, 0, 0,  .1, 0, 0,  0, .1, 0,  .1, .1, 0,
                                      0, 0, .1, .1, 0, .1, 0, .1, .1, .1, .1, .1};
    static const uint32_t tets[] = {1, 0, 2, 4, 3, 1, 2, 7, 1, 5, 4, 7, 6, 2, 4, 7, 2, 1, 4, 7};
    const piola_material rubber = piola_material_default();
    piola_mesh_desc mesh = piola_mesh_desc_default();
    piola_body_desc cube = piola_body_desc_default();
    piola_plan *plan;
    mesh.vertices = vertices, mesh.vertex_count = 8;
    mesh.tetrahedra = tets, mesh.tetrahedron_count = 5;
    mesh.materials = &rubber, mesh.material_count = 1;
    must(piola_asset_plan(&mesh, plan_memory, sizeof plan_memory, &plan, NULL), "plan");
    must(piola_asset_build(plan, &mesh, asset_memory, sizeof asset_memory, &cube.asset, NULL),
         "asset");
    rig->desc = piola_world_desc_default();
    rig->desc.dt = (float)(1 / RATE);
    must(piola_world_create(&rig->desc, world_memory, sizeof world_memory, &rig->world, NULL),
         "world");
    must(piola_body_create(rig->world, &cube, &rig->body, NULL), "body");
    must(piola_body_pin(rig->world, rig->body, 0, (const float[]){0, 0, 0}), "pin");
    const piola_outputs_desc outputs = piola_outputs_desc_default();
    must(piola_outputs_create(&outputs, outputs_memory, sizeof outputs_memory, &rig->outputs, NULL),
         "outputs");
}

int main(int count, char **texts)
{
    static struct rig rig;
    pthread_t thread;
    rig.seconds = count > 1 ? strtod(texts[1], NULL) : 2;
    make_world(&rig);
    if (pthread_create(&thread, NULL, run_world, &rig) != 0)
        return EXIT_FAILURE;
    draw_all(&rig);
    pthread_join(thread, NULL);
    printf("%llu steps, %llu late, %llu moments left out; longest step %.3f ms; %s\n",
           (unsigned long long)rig.told.ticks, (unsigned long long)rig.told.overruns,
           (unsigned long long)rig.told.skipped, 1e3 * rig.told.longest_step,
           rig.told.got & PIOLA_FEATURE_REALTIME ? "real-time priority"
                                                 : "no real-time priority was allowed");
    return EXIT_SUCCESS;
}
