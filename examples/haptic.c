/* haptic.c - a hand feels a soft block: a device at 1 kHz on a thread of its own, a world at 200
 * Hz.
 *
 * The device is simulated, so that this runs anywhere: a hand presses a ball 8 mm into a block of
 * 10 kPa and lets go. A real device is a piola_device with the driver's own functions.
 *
 * Usage: haptic [SECONDS]
 */
#define _POSIX_C_SOURCE 200809L
#include <piola/piola.h>

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CELLS = 8, HIGH = 4, EDGE = CELLS + 1 };
#define CELL 0.0125 /* m */

static void check(piola_status status, const piola_error *error)
{
    if (status == PIOLA_OK)
        return;
    fprintf(stderr, "haptic: %s: %s\n", error && error->field ? error->field : "",
            piola_status_text(status));
    exit(1);
}

static void *block_of(size_t bytes)
{
    void *memory = aligned_alloc(PIOLA_ALIGNMENT,
                                 (bytes + PIOLA_ALIGNMENT - 1) / PIOLA_ALIGNMENT * PIOLA_ALIGNMENT);
    if (!memory)
        exit(1);
    return memory;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_until(double time)
{
    const struct timespec at = {(time_t)time, (long)(1e9 * (time - (double)(time_t)time))};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
        ;
}

/* ---- the device's thread ---- */

struct loop {
    piola_device device;
    piola_haptic *haptic;
    piola_world *world; /* for commands alone, which any thread may give */
    piola_tool tool;
    double start, seconds;
    float most; /* N */
    atomic_bool over;
};

static void *device_loop(void *argument)
{
    struct loop *l = argument;
    for (int i = 0; 1e-3 * i < l->seconds; ++i) {
        const double time = 1e-3 * i;
        float at[3], rotation[4], force[3], torque[3];
        wait_until(l->start + time);
        if (l->device.read(l->device.context, time, at, rotation) != PIOLA_OK)
            break;
        piola_tool_force(l->haptic, at, rotation, time, force, torque);
        if (l->device.write(l->device.context, time, force, torque) != PIOLA_OK)
            break;
        /* The world takes the last of those that came before its step. */
        (void)piola_tool_move(l->world, l->tool, at);
        l->most = force[1] > l->most ? force[1] : l->most;
    }
    l->device.close(l->device.context);
    atomic_store(&l->over, true);
    return NULL;
}

/* ---- the world ---- */

static uint32_t vertex(int x, int y, int z)
{
    return (uint32_t)((y * EDGE + z) * EDGE + x);
}

/* Six tetrahedra a cell, all around the same diagonal. */
static const piola_asset *soft_block(double *xyz)
{
    static const int way[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
    static uint32_t tet[CELLS * HIGH * CELLS * 6][4];
    uint32_t n = 0;
    for (int y = 0; y <= HIGH; ++y)
        for (int z = 0; z < EDGE; ++z)
            for (int x = 0; x < EDGE; ++x) {
                double *at = xyz + 3 * vertex(x, y, z);
                at[0] = CELL * x, at[1] = CELL * y, at[2] = CELL * z;
            }
    for (int c = 0; c < CELLS * HIGH * CELLS; ++c)
        for (int w = 0; w < 6; ++w) {
            int at[3] = {c % CELLS, c / CELLS % HIGH, c / CELLS / HIGH};
            tet[n][0] = vertex(at[0], at[1], at[2]);
            for (int k = 0; k < 3; ++k) {
                ++at[way[w][k]];
                tet[n][k + 1] = vertex(at[0], at[1], at[2]);
            }
            if (w < 3) { /* these turn the other way round */
                const uint32_t swap = tet[n][1];
                tet[n][1] = tet[n][2];
                tet[n][2] = swap;
            }
            ++n;
        }
    piola_material tissue = piola_material_default();
    tissue.young = 1e4f;
    tissue.poisson = 0.45f;
    tissue.damping = 0.01f;
    piola_mesh_desc mesh = piola_mesh_desc_default();
    mesh.vertices = xyz;
    mesh.vertex_count = EDGE * EDGE * (HIGH + 1);
    mesh.tetrahedra = &tet[0][0];
    mesh.tetrahedron_count = n;
    mesh.materials = &tissue;
    mesh.material_count = 1;
    piola_error error = {0};
    piola_plan *plan = NULL;
    const piola_asset *asset = NULL;
    size_t bytes = 0;
    check(piola_plan_size(&mesh, &bytes, &error), &error);
    void *memory = block_of(bytes);
    check(piola_asset_plan(&mesh, memory, bytes, &plan, &error), &error);
    bytes = piola_plan_asset_size(plan);
    check(piola_asset_build(plan, &mesh, block_of(bytes), bytes, &asset, &error), &error);
    free(memory);
    return asset;
}

static piola_world *inhabited(const float top[3], piola_tool *tool)
{
    static double xyz[3 * EDGE * EDGE * (HIGH + 1)];
    const piola_asset *asset = soft_block(xyz);
    piola_error error = {0};
    piola_world_desc world_desc = piola_world_desc_default();
    check(piola_world_desc_fit(&world_desc, &asset, NULL, 1, &error), &error);
    world_desc.max_rigids = world_desc.max_tools = 1;
    world_desc.gravity[1] = 0;
    size_t bytes = 0;
    piola_world *world = NULL;
    check(piola_world_size(&world_desc, &bytes, &error), &error);
    check(piola_world_create(&world_desc, block_of(bytes), bytes, &world, &error), &error);
    piola_body_desc body_desc = piola_body_desc_default();
    piola_body body;
    body_desc.asset = asset;
    check(piola_body_create(world, &body_desc, &body, &error), &error);
    for (uint32_t v = 0; v < EDGE * EDGE; ++v) {
        const float at[3] = {(float)xyz[3 * v], (float)xyz[3 * v + 1], (float)xyz[3 * v + 2]};
        check(piola_body_pin(world, body, v, at), NULL);
    }

    piola_rigid_desc ball = piola_rigid_desc_default();
    piola_tool_desc tool_desc = piola_tool_desc_default();
    ball.shape = piola_shape_sphere(0.02f);
    ball.mass = 0.05f;
    ball.gravity_scale = 0;
    for (int k = 0; k < 3; ++k)
        ball.position[k] = tool_desc.position[k] = top[k];
    check(piola_rigid_create(world, &ball, &tool_desc.rigid, &error), &error);
    tool_desc.stiffness_rise = 5000;
    check(piola_tool_create(world, &tool_desc, tool, &error), &error);
    return world;
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
    const float top[3] = {0.05f, 0.05f + 0.02f + 0.002f, 0.05f};
    /* Where the hand wants to be: above, 8 mm deep, above; from the start to the end. */
    const float way[9] = {top[0], top[1], top[2], top[0], top[1] - 0.01f,
                          top[2], top[0], top[1], top[2]};
    static struct loop loop;
    piola_error error = {0};
    loop.world = inhabited(top, &loop.tool);
    loop.seconds = seconds;

    piola_simulated_desc device = piola_simulated_desc_default();
    device.trajectory = way;
    device.samples = 3;
    device.interval = 0.5 * seconds;
    for (int k = 0; k < 3; ++k)
        device.position[k] = top[k];
    check(piola_simulated_create(&device, block_of(piola_simulated_size()), piola_simulated_size(),
                                 &loop.device, &error),
          &error);
    const piola_haptic_desc haptic = piola_haptic_desc_default();
    check(piola_haptic_create(&haptic, block_of(piola_haptic_size()), piola_haptic_size(),
                              &loop.haptic, &error),
          &error);

    pthread_t thread;
    loop.start = now();
    if (pthread_create(&thread, NULL, device_loop, &loop) != 0)
        return 1;
    for (int i = 1; !atomic_load(&loop.over); ++i) {
        check(piola_world_step(loop.world, NULL, NULL), NULL);
        check(piola_tool_publish(loop.world, loop.tool, now() - loop.start, loop.haptic), NULL);
        wait_until(loop.start + 0.005 * i);
    }
    pthread_join(thread, NULL);
    piola_haptic_info info;
    piola_haptic_inspect(loop.haptic, &info);
    printf("%llu forces from %llu models, at most %.2f N\n", (unsigned long long)info.calls,
           (unsigned long long)info.models, (double)loop.most);
    return 0;
}
