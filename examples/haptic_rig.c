/* A haptic rig: a device at 1 kHz pushes a ball into soft tissue that is stepped at 250 Hz. The
 * device's thread tells where the hand is by commands and reads the force from outputs; it never
 * waits. What it knows fades when the world stands still. haptic_rig [SECONDS] */
#include <piola/piola.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define WORLD_RATE  250.0  /* Hz */
#define DEVICE_RATE 1000.0 /* Hz */
#define MOST_FORCE  5.0    /* N, of this device */
#define STALE       0.02   /* s: older forces fade to nothing, in as long again */
#define CELLS       4u
#define SIDE        (CELLS + 1u)

static _Alignas(PIOLA_ALIGNMENT) char plan_memory[8 << 20], asset_memory[8 << 20],
    world_memory[64 << 20], outputs_memory[16 << 20], runner_memory[2][4096];

struct rig {
    piola_world *world;
    piola_world_desc desc;
    piola_tool tool;
    piola_rigid ball;
    piola_outputs *outputs;
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
        must(piola_outputs_publish(rig->outputs, rig->world, &report, tick.deadline), "publish");
        must(piola_runner_end(runner, &tick), "end");
    }
    piola_runner_destroy(runner);
    return NULL;
}

/* ---- the device's thread ---- */

static double within(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* The upward force on the hand at that time: along the line through the last two, which age. */
static double force_at(struct rig *rig, double now)
{
    piola_frame frame, before;
    must(piola_outputs_acquire(rig->outputs, 0, &frame, &before), "acquire");
    if (before.sequence == 0 || frame.rigid_count == 0 || before.rigid_count == 0)
        return 0;
    const double apart = frame.time - before.time, age = now - frame.time;
    const double share = apart > 0 ? within(age / apart, -1, 0) : 0; /* never a guess */
    const double last = frame.rigids[0].force[1], earlier = before.rigids[0].force[1];
    const double fade = within(1 - (age - STALE) / STALE, 0, 1);
    return within(fade * (last + share * (last - earlier)), -MOST_FORCE, MOST_FORCE);
}

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
        /* One world step back: between two forces that are known. */
        const double force = force_at(rig, tick.woke - 1 / WORLD_RATE);
        const double down = within((double)i / (double)ticks, 0, 1);
        const float hand[3] = {0.05f, (float)(0.125 - 0.03 * down), 0.05f};
        const float straight[4] = {0, 0, 0, 1};
        must(piola_tool_move(rig->world, rig->tool, hand, straight), "move");
        most = force > most ? force : most; /* here a driver gives it to the motors */
        must(piola_runner_end(runner, &tick), "end");
    }
    piola_runner_destroy(runner);
    return most;
}
