/* bench_boxes.c - the case `boxes2000` of the bench `frames`: 2,000 boxes fall into a funnel of
 * four sloped walls and heap up, by steps of 5 ms on one thread, while they fall and when they lie.
 */
#include "bench_scene.h"

#include <math.h>
#include <string.h>

#define DT 5e-3f /* s */

enum { SIDE = 10, LAYERS = 20, BOXES = SIDE * SIDE * LAYERS, STEPS = 800 };

static void add_walls(struct bench *bench, piola_world *world)
{
    for (int i = 0; i < 4; i++) {
        const float angle = 1.5707963f * (float)i, lean = 0.6f; /* rad, from upright */
        const float turn[4] = {0, sinf(angle / 2), 0, cosf(angle / 2)};
        const float tilt[4] = {0, 0, sinf((lean - 1.5707963f) / 2), cosf((lean - 1.5707963f) / 2)};
        piola_collider_desc wall = piola_collider_desc_default();
        piola_collider made;
        /* The plane's normal, up, is tilted to look inwards, then turned about y: turn * tilt. */
        wall.rotation[0] = turn[1] * tilt[2];
        wall.rotation[1] = turn[1] * tilt[3];
        wall.rotation[2] = turn[3] * tilt[2];
        wall.rotation[3] = turn[3] * tilt[3];
        wall.position[0] = -1.2f * cosf(angle);
        wall.position[2] = 1.2f * sinf(angle);
        bench_check(bench, "wall", piola_collider_create(world, &wall, &made, NULL), NULL);
    }
    piola_collider_desc floor = piola_collider_desc_default();
    piola_collider made;
    bench_check(bench, "floor", piola_collider_create(world, &floor, &made, NULL), NULL);
}

static void add_boxes(struct bench *bench, piola_world *world)
{
    for (int i = 0; i < BOXES; i++) {
        piola_rigid_desc desc = piola_rigid_desc_default();
        piola_rigid made;
        const int layer = i / (SIDE * SIDE), x = i % SIDE, z = i / SIDE % SIDE;
        desc.shape = piola_shape_box((const float[]){0.08f, 0.06f, 0.07f}, 0);
        desc.position[0] = 0.22f * ((float)x - 0.5f * (SIDE - 1)) + 0.01f * (float)(layer % 3);
        desc.position[1] = 0.5f + 0.2f * (float)layer;
        desc.position[2] = 0.22f * ((float)z - 0.5f * (SIDE - 1)) + 0.01f * (float)(layer % 5);
        desc.friction_static = desc.friction_kinetic = 0.5f;
        bench_check(bench, "box", piola_rigid_create(world, &desc, &made, NULL), NULL);
    }
}

void bench_boxes(struct bench *bench)
{
    const size_t steps = bench_quick(bench) ? STEPS / 8 : STEPS;
    piola_world_desc desc = piola_world_desc_default();
    struct bench_labels labels = {.case_name = "boxes2000", .threads = 1, .bodies = BOXES};
    struct bench_stats stats;
    piola_world *world;
    size_t bytes;
    desc.max_bodies = 1;
    desc.max_particles = 16;
    desc.max_rigids = BOXES;
    desc.max_rigid_contacts = 10 * BOXES;
    desc.max_colliders = 5;
    desc.dt = DT;
    desc.isa = bench_widest_isa(bench);
    labels.isa = piola_isa_name(desc.isa);
    bench_check(bench, "room", piola_world_size(&desc, &bytes, NULL), NULL);
    void *memory = bench_memory(bench, bytes);
    double *samples = bench_memory(bench, steps * sizeof *samples);
    bench_check(bench, "world", piola_world_create(&desc, memory, bytes, &world, NULL), NULL);
    add_walls(bench, world);
    add_boxes(bench, world);
    for (size_t i = 0; i < steps; i++) {
        piola_report report;
        const double begin = bench_now();
        bench_check(bench, "step", piola_world_step(world, NULL, &report), NULL);
        samples[i] = bench_now() - begin;
        labels.elements = report.rigid_contacts;
        if (report.rigid_contacts_dropped > 0)
            bench_fail(bench, "boxes2000 has too little room");
    }
    bench_stats_of(samples, steps, &stats);
    bench_stats_rows(bench, &labels, "step", &stats, 1e3, "ms");
    bench_release(samples);
    bench_release(memory);
}
