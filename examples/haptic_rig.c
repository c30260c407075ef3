/* A haptic rig: one thread steps tissue at 250 Hz on absolute deadlines and publishes what a tool
 * is like; the device's thread asks for the force at 1 kHz and tells where the hand is by commands.
 * It never waits. When the world stands still, the force fades, and a watchdog is called. (haptic.c
 * shows a device with its driver.) haptic_rig [SECONDS] */
#include <piola/piola.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define WORLD_RATE  250.0  /* Hz */
#define DEVICE_RATE 1000.0 /* Hz */
#define MOST_FORCE  5.0    /* N, of this device */
#define CELLS       4u
#define SIDE        (CELLS + 1u)

static _Alignas(PIOLA_ALIGNMENT) char plan_memory[8 << 20], asset_memory[8 << 20],
    world_memory[64 << 20], haptic_memory[1 << 16], runner_memory[2][4096];

struct rig {
    piola_world *world;
    piola_world_desc desc;
    piola_tool tool;
    piola_haptic *haptic;
    double seconds;
    _Atomic bool limp, over;
};

static void must(piola_status status, const char *what)
{
    if (status != PIOLA_OK) {
        fprintf(stderr, "haptic_rig: %s: %s\n", what, piola_status_text(status));
        exit(EXIT_FAILURE);
    }
}

/* ---- the thread that steps ---- */

/* The world stands still: the device must not. */
static void go_limp(void *context, double seconds)
{
    struct rig *rig = context;
    (void)seconds;
    atomic_store(&rig->limp, true);
}

static void *run_world(void *argument)
{
    struct rig *rig = argument;
    piola_runner_desc desc = piola_runner_desc_default(&rig->desc);
    piola_runner *runner;
    piola_report report;
    piola_tick tick;
    desc.overrun = PIOLA_OVERRUN_SKIP;
    desc.realtime = desc.pin = true;
    desc.watchdog = 0.25;
    desc.late = go_limp;
    desc.context = rig;
    must(piola_runner_create(&desc, rig->world, runner_memory[0], sizeof runner_memory[0], &runner,
                             NULL),
         "runner");
    while (!atomic_load(&rig->over)) {
        must(piola_runner_begin(runner, &tick), "begin");
        must(piola_world_step(rig->world, NULL, &report), "step");
        must(piola_tool_publish(rig->world, rig->tool, piola_platform_seconds(), rig->haptic),
             "publish");
        must(piola_runner_end(runner, &tick), "end");
    }
    piola_runner_destroy(runner);
    return NULL;
}

/* ---- the device's thread ---- */

static double run_device(struct rig *rig)
{
    piola_runner_desc desc = piola_runner_desc_default(NULL);
    piola_runner *runner;
    piola_tick tick;
    double most = 0;
    desc.rate = DEVICE_RATE;
    desc.overrun = PIOLA_OVERRUN_SKIP;
    must(piola_runner_create(&desc, NULL, runner_memory[1], sizeof runner_memory[1], &runner, NULL),
         "device");
    const uint64_t ticks = (uint64_t)(rig->seconds * DEVICE_RATE);
    for (uint64_t i = 0; i < ticks; ++i) {
        must(piola_runner_begin(runner, &tick), "begin");
        const double down = (double)i / (double)ticks;
        const float hand[3] = {0.05f, (float)(0.125 - 0.018 * down), 0.05f};
        float force[3];
        piola_tool_force(rig->haptic, hand, NULL, tick.woke, force, NULL);
        must(piola_tool_move(rig->world, rig->tool, hand), "move");
        most = (double)force[1] > most ? (double)force[1] : most; /* a driver gives it to motors */
        must(piola_runner_end(runner, &tick), "end");
    }
    piola_runner_destroy(runner);
    return most;
}

/* ---- what there is ---- */

/* A block of tissue, 10 cm wide, 4 cubes each way of 5 tetrahedra. */
static const piola_asset *tissue(void)
{
    static double vertices[3 * SIDE * SIDE * SIDE];
    static uint32_t tets[4 * 5 * CELLS * CELLS * CELLS];
    static const uint8_t cut[2][5][4] = {
        {{1, 0, 2, 4}, {2, 3, 1, 7}, {4, 5, 7, 1}, {7, 6, 4, 2}, {2, 1, 4, 7}},
        {{1, 0, 3, 5}, {2, 3, 0, 6}, {4, 5, 6, 0}, {7, 6, 5, 3}, {0, 3, 5, 6}}};
    uint32_t t = 0;
    for (uint32_t i = 0; i < SIDE * SIDE * SIDE; ++i) {
        const uint32_t place[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (uint32_t k = 0; k < 3; ++k)
            vertices[3 * i + k] = 0.1 / CELLS * place[k];
    }
    for (uint32_t z = 0; z < CELLS; ++z)
        for (uint32_t y = 0; y < CELLS; ++y)
            for (uint32_t x = 0; x < CELLS; ++x)
                for (uint32_t k = 0; k < 20; ++k) {
                    const uint32_t c = cut[(x + y + z) % 2][k / 4][k % 4];
                    tets[t++] = x + (c & 1) + SIDE * (y + (c >> 1 & 1) + SIDE * (z + (c >> 2)));
                }
    piola_material soft = piola_material_default();
    piola_mesh_desc mesh = piola_mesh_desc_default();
    const piola_asset *asset;
    piola_plan *plan;
    soft.young = 2e4f;
    mesh.vertices = vertices, mesh.vertex_count = SIDE * SIDE * SIDE;
    mesh.tetrahedra = tets, mesh.tetrahedron_count = t / 4;
    mesh.materials = &soft, mesh.material_count = 1;
    must(piola_asset_plan(&mesh, plan_memory, sizeof plan_memory, &plan, NULL), "plan");
    must(piola_asset_build(plan, &mesh, asset_memory, sizeof asset_memory, &asset, NULL), "asset");
    return asset;
}

static void make_world(struct rig *rig)
{
    piola_body_desc body = piola_body_desc_default();
    piola_rigid_desc ball = piola_rigid_desc_default();
    piola_tool_desc tool = piola_tool_desc_default();
    piola_haptic_desc haptic = piola_haptic_desc_default();
    piola_body block;
    body.asset = tissue();
    rig->desc = piola_world_desc_default();
    rig->desc.dt = (float)(1 / WORLD_RATE);
    rig->desc.max_rigids = rig->desc.max_tools = 1;
    rig->desc.max_face_contacts = 2048;
    must(piola_world_create(&rig->desc, world_memory, sizeof world_memory, &rig->world, NULL),
         "world");
    must(piola_body_create(rig->world, &body, &block, NULL), "body");
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) { /* its lowest layer stays */
        const uint32_t x = i % SIDE, z = i / SIDE;
        must(piola_body_pin(rig->world, block, x + SIDE * SIDE * z,
                            (const float[]){0.1f / CELLS * (float)x, 0, 0.1f / CELLS * (float)z}),
             "pin");
    }
    ball.shape = piola_shape_sphere(0.015f);
    ball.mass = 0.05f;
    ball.gravity_scale = 0;
    ball.position[0] = ball.position[2] = 0.05f;
    ball.position[1] = 0.125f;
    must(piola_rigid_create(rig->world, &ball, &tool.rigid, NULL), "ball");
    for (int k = 0; k < 3; ++k)
        tool.position[k] = ball.position[k];
    tool.max_force = (float)MOST_FORCE;
    must(piola_tool_create(rig->world, &tool, &rig->tool, NULL), "tool");
    haptic.max_force = (float)MOST_FORCE;
    must(piola_haptic_create(&haptic, haptic_memory, sizeof haptic_memory, &rig->haptic, NULL),
         "haptic");
}

int main(int count, char **texts)
{
    static struct rig rig;
    pthread_t thread;
    rig.seconds = count > 1 ? strtod(texts[1], NULL) : 2;
    make_world(&rig);
    if (pthread_create(&thread, NULL, run_world, &rig) != 0)
        return EXIT_FAILURE;
    const double most = run_device(&rig);
    atomic_store(&rig.over, true);
    pthread_join(thread, NULL);
    printf("the tissue pushed the hand with up to %.3f N%s\n", most,
           atomic_load(&rig.limp) ? "; the world once stood still" : "");
    return most > 0 && most <= MOST_FORCE ? EXIT_SUCCESS : EXIT_FAILURE;
}
