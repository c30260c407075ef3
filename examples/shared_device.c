/* shared_device.c - a haptic device whose driver is another process: the two meet in shared memory.
 *
 * The driver's process knows the device alone: at 1 kHz it tells the pose, takes the newest force,
 * and exerts none when the last one is older than 20 ms. The world's process sees a piola_device.
 * Neither ever waits for the other, stopped or dead. Here one program is both, and the device is
 * simulated: a driver of your own opens the memory by its name, and calls what drives the motors.
 *
 * Usage: shared_device [SECONDS [stop [FOR]]]; with "stop" each process stops the other for so many
 * seconds (0.15).
 */
#define _POSIX_C_SOURCE 200809L
#include <piola/io.h>
#include <piola/piola.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TICK     1e-3  /* s, of the driver and of the device's thread */
#define STEP     5e-3  /* s, of the world */
#define WATCHDOG 0.02  /* s: the driver exerts no force that is older */
#define STALE    0.05  /* s: a pose that is older is not taken for where the hand is */
#define RADIUS   0.015 /* m */

/* ---- what both processes see -------------------------------------------------------------------
 */

/* Pose: m and unit quaternion. Force: N, N m. Time: s of CLOCK_MONOTONIC, which all processes have.
 */
struct sample {
    double time;
    float linear[3], angular[4];
};

/* The newest of many samples, from one thread to one other. Each owns a slot and swaps it with the
 * one between them: no call waits, whatever the other side does. */
struct mailbox {
    _Alignas(64) atomic_uint between;
    _Alignas(64) uint32_t writing;
    _Alignas(64) uint32_t reading;
    struct sample slot[3];
};
#define NEWS 4u /* in `between`: the reader has not seen it */

static void mailbox_begin(struct mailbox *box)
{
    memset(box, 0, sizeof *box);
    box->writing = 1;
    box->reading = 2;
}

static void mailbox_send(struct mailbox *box, const struct sample *sample)
{
    box->slot[box->writing] = *sample;
    box->writing = atomic_exchange(&box->between, box->writing | NEWS) & 3u;
}

static struct sample mailbox_newest(struct mailbox *box)
{
    if (atomic_load(&box->between) & NEWS)
        box->reading = atomic_exchange(&box->between, box->reading) & 3u;
    return box->slot[box->reading];
}

struct shared {
    struct mailbox pose, force;
    atomic_bool over;
    double driver_rests; /* s: how long the watchdog held the motors without force */
};

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

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "shared_device: %s\n", what);
    exit(EXIT_FAILURE);
}

static void *block_of(size_t bytes)
{
    void *memory = aligned_alloc(PIOLA_ALIGNMENT,
                                 (bytes + PIOLA_ALIGNMENT - 1) / PIOLA_ALIGNMENT * PIOLA_ALIGNMENT);
    must(memory != NULL, "no memory");
    return memory;
}

/* ---- the driver's process ----------------------------------------------------------------------
 */

/* The device that it drives: a hand presses 10 mm deep, and lets go. */
static piola_device motors(double seconds, float *way)
{
    const float high = 0.05f + (float)RADIUS + 0.002f;
    const float points[9] = {0.05f, high, 0.05f, 0.05f, high - 0.012f, 0.05f, 0.05f, high, 0.05f};
    piola_simulated_desc desc = piola_simulated_desc_default();
    piola_device device;
    memcpy(way, points, sizeof points);
    memcpy(desc.position, points, sizeof desc.position);
    desc.trajectory = way;
    desc.samples = 3;
    desc.interval = 0.5 * seconds;
    must(piola_simulated_create(&desc, block_of(piola_simulated_size()), piola_simulated_size(),
                                &device, NULL) == PIOLA_OK,
         "the simulated device");
    return device;
}

/* s: for how long one process stops the other. */
static double stopped = 0.15;

static void drive(struct shared *shared, double seconds, bool stops)
{
    float way[9], at[3], turn[4];
    const piola_device device = motors(seconds, way);
    const double start = now();
    const int stop_at = (int)(0.6 * seconds / TICK), go_at = stop_at + (int)(stopped / TICK);
    for (int i = 0; !atomic_load(&shared->over) && getppid() != 1; ++i) {
        struct sample pose = {.time = now()};
        if (device.read(device.context, pose.time - start, at, turn) != PIOLA_OK)
            break;
        memcpy(pose.linear, at, sizeof at);
        memcpy(pose.angular, turn, sizeof turn);
        mailbox_send(&shared->pose, &pose);
        struct sample force = mailbox_newest(&shared->force);
        if (!(pose.time - force.time < WATCHDOG)) {
            memset(&force, 0, sizeof force);
            shared->driver_rests += TICK;
        }
        (void)device.write(device.context, pose.time - start, force.linear, force.angular);
        if (stops && (i == stop_at || i == go_at))
            kill(getppid(), i == stop_at ? SIGSTOP : SIGCONT);
        wait_until(start + TICK * (i + 1));
    }
    device.close(device.context);
}

/* ---- the device as the world's process sees it -------------------------------------------------
 */

static piola_status shared_read(void *context, double time, float position[3], float rotation[4])
{
    struct shared *shared = context;
    const struct sample pose = mailbox_newest(&shared->pose);
    if (!(time - pose.time < STALE))
        return PIOLA_ERROR_STALE;
    memcpy(position, pose.linear, sizeof pose.linear);
    memcpy(rotation, pose.angular, sizeof pose.angular);
    return PIOLA_OK;
}

static piola_status shared_write(void *context, double time, const float force[3],
                                 const float torque[3])
{
    struct shared *shared = context;
    struct sample sample = {.time = time};
    memcpy(sample.linear, force, sizeof sample.linear);
    memcpy(sample.angular, torque, 3 * sizeof *torque);
    mailbox_send(&shared->force, &sample);
    return PIOLA_OK;
}

static void shared_close(void *context)
{
    struct shared *shared = context;
    atomic_store(&shared->over, true);
}

/* ---- the world's process -----------------------------------------------------------------------
 */

struct loop {
    piola_device device;
    piola_haptic *haptic;
    piola_world *world; /* for commands alone, which any thread may give */
    piola_tool tool;
    float most; /* N */
    int waited; /* ticks in which the driver told nothing new enough */
    int answered;
    atomic_bool over;
};

/* piola_device_tick, and where the hand is for the world. A driver that is silent is waited for. */
static void *device_loop(void *argument)
{
    struct loop *l = argument;
    const double start = now();
    for (int i = 0; !atomic_load(&l->over); ++i) {
        const double time = now();
        float at[3], turn[4], force[3], torque[3];
        if (l->device.read(l->device.context, time, at, turn) == PIOLA_OK) {
            piola_tool_force(l->haptic, at, turn, time, force, torque);
            (void)l->device.write(l->device.context, time, force, torque);
            (void)piola_tool_move(l->world, l->tool, at);
            l->most = force[1] > l->most ? force[1] : l->most;
            ++l->answered;
        } else {
            ++l->waited;
        }
        wait_until(start + TICK * (i + 1));
    }
    return NULL;
}

static const piola_asset *tissue(piola_io_mesh **mesh)
{
    const piola_asset *asset = NULL;
    piola_io_box_desc box = piola_io_box_desc_default();
    piola_material soft = piola_material_default();
    for (int k = 0; k < 3; ++k) {
        box.size[k] = k == 1 ? 0.05 : 0.1;
        box.cells[k] = k == 1 ? 4 : 8;
    }
    must(piola_io_make_box(&box, NULL, mesh, NULL) == PIOLA_IO_OK, "the mesh");
    piola_mesh_desc desc = piola_io_mesh_describe(*mesh);
    soft.young = 1e4f;
    desc.materials = &soft;
    desc.material_count = 1;
    must(piola_io_asset_make(&desc, NULL, &asset, NULL) == PIOLA_IO_OK, "the asset");
    return asset;
}

/* A block whose lowest vertices are held, and a ball above it that the hand holds. */
static void make_world(struct loop *l)
{
    piola_io_mesh *mesh = NULL;
    piola_body_desc body = piola_body_desc_default();
    piola_world_desc desc = piola_world_desc_default();
    piola_rigid_desc ball = piola_rigid_desc_default();
    piola_tool_desc tool = piola_tool_desc_default();
    piola_body block;
    size_t bytes = 0;
    body.asset = tissue(&mesh);
    must(piola_world_desc_fit(&desc, &body.asset, NULL, 1, NULL) == PIOLA_OK, "the room");
    desc.dt = (float)STEP;
    desc.max_rigids = desc.max_tools = 1;
    must(piola_world_size(&desc, &bytes, NULL) == PIOLA_OK, "the room");
    must(piola_world_create(&desc, block_of(bytes), bytes, &l->world, NULL) == PIOLA_OK &&
             piola_body_create(l->world, &body, &block, NULL) == PIOLA_OK,
         "the world");
    const piola_io_mesh_arrays arrays = piola_io_mesh_contents(mesh);
    for (uint32_t v = 0; v < arrays.vertex_count; ++v) {
        const double *x = arrays.vertices + 3 * (size_t)v;
        const float at[3] = {(float)x[0], (float)x[1], (float)x[2]};
        if (x[1] < 1e-4)
            must(piola_body_pin(l->world, block, v, at) == PIOLA_OK, "a pin");
    }
    piola_io_mesh_free(mesh);
    ball.shape = piola_shape_sphere((float)RADIUS);
    ball.mass = 0.05f;
    ball.gravity_scale = 0;
    ball.position[0] = ball.position[2] = 0.05f;
    ball.position[1] = 0.05f + (float)RADIUS + 0.002f;
    memcpy(tool.position, ball.position, sizeof tool.position);
    tool.stiffness_rise = 5000; /* it grows into the hand */
    must(piola_rigid_create(l->world, &ball, &tool.rigid, NULL) == PIOLA_OK &&
             piola_tool_create(l->world, &tool, &l->tool, NULL) == PIOLA_OK,
         "the tool");
}

/* How many ms it waited for the driver. */
static int simulate(struct shared *shared, double seconds, pid_t driver)
{
    static struct loop l;
    const piola_haptic_desc haptic = piola_haptic_desc_default();
    const double start = now();
    const int steps = (int)(seconds / STEP), stop_at = driver > 0 ? steps / 5 : -1;
    pthread_t thread;
    make_world(&l);
    l.device = (piola_device){shared, shared_read, shared_write, shared_close};
    must(piola_haptic_create(&haptic, block_of(piola_haptic_size()), piola_haptic_size(), &l.haptic,
                             NULL) == PIOLA_OK &&
             pthread_create(&thread, NULL, device_loop, &l) == 0,
         "the device's thread");
    for (int i = 0; i < steps; ++i) {
        must(piola_world_step(l.world, NULL, NULL) == PIOLA_OK &&
                 piola_tool_publish(l.world, l.tool, now(), l.haptic) == PIOLA_OK,
             "a step");
        if (i == stop_at || i == stop_at + (int)(stopped / STEP))
            kill(driver, i == stop_at ? SIGSTOP : SIGCONT);
        wait_until(start + STEP * (i + 1));
    }
    atomic_store(&l.over, true);
    pthread_join(thread, NULL);
    l.device.close(l.device.context);
    printf("%d forces, at most %.2f N; waited %d ms for the driver", l.answered, (double)l.most,
           l.waited);
    return l.most > 0 ? l.waited : -1;
}

int main(int count, char **texts)
{
    const double seconds = count > 1 ? strtod(texts[1], NULL) : 2;
    const bool stops = count > 2 && strcmp(texts[2], "stop") == 0;
    stopped = count > 3 ? strtod(texts[3], NULL) : stopped;
    char name[64];
    snprintf(name, sizeof name, "/piola-device-%ld", (long)getpid());
    const int file = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
    must(file >= 0 && ftruncate(file, sizeof(struct shared)) == 0, "the shared memory");
    struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    must(shared != MAP_FAILED, "the shared memory");
    shm_unlink(name); /* a driver that is a program of its own opens it before */
    mailbox_begin(&shared->pose);
    mailbox_begin(&shared->force);
    atomic_init(&shared->over, false);
    const pid_t driver = fork();
    must(driver >= 0, "no second process");
    if (driver == 0) {
        drive(shared, seconds, stops);
        _exit(EXIT_SUCCESS);
    }
    const int waited = simulate(shared, seconds, stops ? driver : 0);
    waitpid(driver, NULL, 0);
    const double rests = 1e3 * shared->driver_rests;
    printf(", and it exerted none for %.0f ms\n", rests);
    /* Each noticed that the other stood still, and went on with it afterwards. */
    const bool good = waited >= 0 && (!stops || (waited > 330 * stopped && rests > 330 * stopped));
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
