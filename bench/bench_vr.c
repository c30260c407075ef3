/* bench_vr.c - the bench `vr`: a rig at 90 Hz, one simulated minute of it.
 *
 * Five blocks of 4,000 tetrahedra stand on a table, a cloth of 100 x 100 cells lies over the last,
 * and a hand of 16 capsules, five fingers of three and a palm, goes from one to the next: it
 * strokes a block, presses it, and crushes it to a third of its height. All surfaces meet.
 *
 * In the case hand_sleep what lies still sleeps.
 *
 *   step     of one whole step on the wall's clock, p50 to the maximum, ms
 *   thread   the caller's own time in it: without what other programs took, ms
 */
#define _POSIX_C_SOURCE 200809L
#include "bench_scene.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define RATE   90.0  /* Hz */
#define SIDE   0.2   /* m, of a block along x and z */
#define HIGH   0.16  /* m */
#define APART  0.32  /* m, from block to block */
#define VISIT  12.0  /* s: with each block */
#define FINGER 0.009 /* m: radius */
#define CLOTH  0.4   /* m */

enum { BLOCKS = 5, CAPSULES = 16, CELLS = 100, CONTACTS = 400000 };

struct rig {
    struct bench *bench;
    piola_world *world;
    piola_workers *workers;
    void *memory, *workers_memory;
    piola_collider hand[CAPSULES];
    uint64_t particles, elements;
    bool sleeps; /* what lies still sleeps, as a rig would have it */
};

static double thread_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the hand ---- */

static double between(double from, double to, double share)
{
    const double s = share < 0 ? 0 : share > 1 ? 1 : share;
    return from + (to - from) * s * s * (3 - 2 * s);
}

/* Where the palm's middle is: over a block and down on it, a stroke, a press, a crush, away. */
static void palm_at(double time, double at[3])
{
    const double visit = floor(time / VISIT), t = time - visit * VISIT;
    const double block = fmin(visit, BLOCKS - 1), above = HIGH + 0.08;
    const double touch = HIGH + FINGER - 0.005, press = 0.75 * HIGH, crush = 0.33 * HIGH;
    at[0] = APART * block;
    at[2] = 0.05 * sin(2.5 * t) * between(0, 1, t - 2) * between(1, 0, t - 5.5);
    at[1] = between(above, touch, t - 1);
    if (t > 6)
        at[1] = between(touch, press, t - 6);
    if (t > 7.5)
        at[1] = between(press, touch, t - 7.5);
    if (t > 8.5)
        at[1] = between(touch, crush, t - 8.5);
    if (t > 10)
        at[1] = between(crush, above, t - 10);
    if (t > 11)
        at[0] = between(APART * block, APART * fmin(block + 1, BLOCKS - 1), t - 11);
}

/* Fingers lie along z, side by side; the palm is across them. */
static void bone_at(double time, int i, float at[3], float turn[4])
{
    static const float along_z[4] = {0.70710678f, 0, 0, 0.70710678f},
                       along_x[4] = {0, 0, 0.70710678f, 0.70710678f};
    const bool is_palm = i == CAPSULES - 1;
    const int finger = i / 3, bone = i % 3;
    const double curl = 0.006 * bone * (1 + sin(1.7 * time + finger));
    double palm[3];
    palm_at(time, palm);
    at[0] = (float)(palm[0] + (is_palm ? 0 : 0.024 * (finger - 2)));
    at[1] = (float)(palm[1] - (is_palm ? -0.01 : curl));
    at[2] = (float)(palm[2] + (is_palm ? 0.07 : 0.045 - 0.05 * bone));
    memcpy(turn, is_palm ? along_x : along_z, sizeof along_z);
}

static void move_hand(struct rig *rig, double time)
{
    float at[3], turn[4];
    for (int i = 0; i < CAPSULES; i++) {
        bone_at(time, i, at, turn);
        bench_check(rig->bench, "hand", piola_collider_move(rig->world, rig->hand[i], at), NULL);
        bench_check(rig->bench, "hand", piola_collider_turn(rig->world, rig->hand[i], turn), NULL);
    }
}

/* ---- the scene ---- */

static void open_world(struct rig *rig, const struct bench_asset *block,
                       const struct bench_asset *cloth)
{
    piola_world_desc desc = piola_world_desc_default();
    const piola_asset *assets[2] = {block->asset, cloth->asset};
    const uint32_t counts[2] = {BLOCKS, 1};
    size_t bytes;
    desc.dt = (float)(1 / RATE);
    desc.substeps = 1;
    desc.iterations = 5;
    desc.sleep = rig->sleeps;
    desc.isa = bench_widest_isa(rig->bench);
    desc.max_colliders = CAPSULES + 1;
    desc.max_contacts = CONTACTS;
    desc.contact_thickness = 1e-3f;
    bench_check(rig->bench, "room", piola_world_desc_fit(&desc, assets, counts, 2, NULL), NULL);
    bench_check(rig->bench, "room", piola_world_size(&desc, &bytes, NULL), NULL);
    rig->memory = bench_memory(rig->bench, bytes);
    memset(rig->memory, 0, bytes); /* no page is touched for the first time in a step */
    bench_check(rig->bench, "world",
                piola_world_create(&desc, rig->memory, bytes, &rig->world, NULL), NULL);
    rig->particles = BLOCKS * (uint64_t)block->stats.particles + cloth->stats.particles;
    rig->elements = BLOCKS * (uint64_t)block->stats.tetrahedra + cloth->stats.triangles;
}

static void fill_world(struct rig *rig, const struct bench_asset *block,
                       const struct bench_asset *cloth)
{
    piola_body_desc body = piola_body_desc_default();
    piola_collider_desc table = piola_collider_desc_default(), finger = table;
    piola_collider made;
    piola_body handle;
    body.asset = block->asset;
    body.position[1] = 0.001f;
    for (int i = 0; i < BLOCKS; i++) {
        body.position[0] = (float)(APART * i - SIDE / 2);
        body.position[2] = (float)(-SIDE / 2);
        bench_check(rig->bench, "block", piola_body_create(rig->world, &body, &handle, NULL), NULL);
    }
    body.asset = cloth->asset;
    body.position[0] = (float)(APART * (BLOCKS - 1) - CLOTH / 2);
    body.position[1] = (float)HIGH + 0.006f;
    body.position[2] = (float)(-CLOTH / 2);
    bench_check(rig->bench, "cloth", piola_body_create(rig->world, &body, &handle, NULL), NULL);
    table.shape = piola_shape_plane();
    bench_check(rig->bench, "table", piola_collider_create(rig->world, &table, &made, NULL), NULL);
    finger.shape = piola_shape_capsule(0.016f, (float)FINGER);
    for (int i = 0; i < CAPSULES; i++) {
        bone_at(0, i, finger.position, finger.rotation);
        bench_check(rig->bench, "hand",
                    piola_collider_create(rig->world, &finger, &rig->hand[i], NULL), NULL);
    }
}

static void hire(struct rig *rig, uint32_t threads)
{
    piola_workers_desc desc = piola_workers_desc_default();
    size_t bytes;
    desc.threads = threads;
    desc.policy = PIOLA_WAIT_SPIN;
    desc.pin_to_cores = true;
    bench_check(rig->bench, "workers", piola_workers_size(&desc, &bytes, NULL), NULL);
    rig->workers_memory = bench_memory(rig->bench, bytes);
    bench_check(rig->bench, "workers",
                piola_workers_create(&desc, rig->workers_memory, bytes, &rig->workers, NULL), NULL);
}

/* ---- measuring ---- */

static const char *const cases[] = {"hand", "hand_sleep", NULL};

static void measure(struct rig *rig, uint32_t threads, double seconds)
{
    const size_t count = (size_t)(seconds * RATE);
    double *steps = bench_memory(rig->bench, count * sizeof *steps);
    double *own = bench_memory(rig->bench, count * sizeof *own);
    piola_report report = {0};
    uint64_t dropped = 0, frozen = 0;
    for (size_t i = 0; i < count; i++) {
        move_hand(rig, (double)(i + 1) / RATE);
        const double begin = bench_now(), thread = thread_now();
        bench_check(rig->bench, "step",
                    piola_world_step(rig->world, piola_workers_tasks(rig->workers), &report), NULL);
        own[i] = thread_now() - thread;
        steps[i] = bench_now() - begin;
        dropped += report.contacts_dropped + report.face_contacts_dropped;
        frozen += report.new_frozen;
    }
    const struct bench_labels labels = {.case_name = cases[rig->sleeps],
                                        .isa = piola_isa_name(bench_widest_isa(rig->bench)),
                                        .threads = threads,
                                        .solver = "descent",
                                        .bodies = BLOCKS + 1,
                                        .particles = rig->particles,
                                        .elements = rig->elements};
    bench_tail_rows(rig->bench, &labels, "step", steps, count, 1e3, "ms");
    bench_tail_rows(rig->bench, &labels, "thread", own, count, 1e3, "ms");
    bench_row(rig->bench, &labels, "dropped", (double)dropped, "pairs");
    bench_row(rig->bench, &labels, "frozen", (double)frozen, "bodies");
    bench_release(steps);
    bench_release(own);
}

static void run(struct bench *bench)
{
    struct bench_mesh mesh;
    struct bench_asset block, cloth;
    bench_mesh_box(bench, (const uint32_t[3]){10, 8, 10}, &mesh);
    bench_asset_make(bench, &mesh, PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_COMPILE_FOR_DESCENT,
                     &block);
    bench_asset_sheet(bench, CELLS, CLOTH, PIOLA_COMPILE_FOR_DESCENT, &cloth);
    for (uint32_t i = 0; i < 2 * 64; i++) {
        const uint32_t threads = 1 + i % 64;
        struct rig rig = {.bench = bench, .sleeps = i >= 64};
        const char *name = cases[rig.sleeps];
        if (!bench_wants_case(bench, name) || !bench_wants_threads(bench, threads) ||
            bench_is_late(bench, name))
            continue;
        open_world(&rig, &block, &cloth);
        fill_world(&rig, &block, &cloth);
        hire(&rig, threads);
        measure(&rig, threads, bench_quick(bench) ? 3 : VISIT * BLOCKS);
        piola_workers_destroy(rig.workers);
        bench_release(rig.workers_memory);
        bench_release(rig.memory);
    }
    bench_asset_release(&cloth);
    bench_asset_release(&block);
    bench_mesh_release(&mesh);
}

const struct bench_entry bench_vr_entry = {
    .name = "vr",
    .what = "a rig at 90 Hz for a minute: soft blocks, a cloth, a hand that strokes and crushes",
    .cases = cases,
    .run = run,
};
