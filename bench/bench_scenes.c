/* bench_scenes.c - the bench `scenes`: the scenes that are shipped, stepped from their beginning,
 * and what a visit costs of each kind of material beside the fastest.
 *
 * A scene runs once, whole or for some seconds of real time, and every step is timed:
 *   step, step_p99, step_max   ms
 *   visit                      ns, a median step over its elements, iterations and substeps
 *   real_time                  what a step simulates over what a median step takes
 * Rows tell the scene's budget, its substeps and iterations: a scene that is shipped with another
 * one is not faster by the engine's doing. The case `models` is in bench_models.c.
 */
#include "bench_models.h"
#include "piola/io.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLES_MOST = 4096, PATH_BYTES = 4096 };

static const char *const cases[] = {
    "balloon", "banner", "beams",    "capsule", "core",    "cover",       "creases",
    "demo",    "detail", "drape",    "flag",    "funnel",  "gusts",       "hanging",
    "heavy",   "hills",  "imprint",  "many",    "organ",   "orthotropic", "pendulum",
    "pile",    "pull",   "recovery", "rope",    "shapes",  "spin",        "statues",
    "stress",  "tissue", "tool",     "twist",   "wrecker", "models",      NULL};

/* What --quick measures of them, the dearest and what a newcomer runs first. */
static const char *const quick_cases[] = {"heavy", "demo", "wrecker", "stress", "shapes", NULL};

static bool is_among(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static piola_io_scene *open_scene(struct bench *bench, const char *name, uint32_t threads)
{
    piola_io_scene_desc desc = piola_io_scene_desc_default();
    piola_io_scene *scene = NULL;
    piola_io_error error;
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s.json", PIOLA_BENCH_SCENES, name);
    desc.threads = threads;
    desc.isa = bench_widest_isa(bench);
    if (piola_io_scene_open(path, &desc, &scene, &error) == PIOLA_IO_OK)
        return scene;
    bench_note(bench, "%s: left out, %s", name, error.text);
    return NULL;
}

static void count(const piola_io_scene *scene, struct bench_labels *labels)
{
    piola_io_scene_body body;
    for (uint32_t i = 0; piola_io_scene_body_at(scene, i, &body); i++) {
        piola_asset_stats stats;
        if (piola_asset_inspect(body.asset, &stats) != PIOLA_OK)
            continue;
        labels->bodies++;
        labels->particles += stats.particles;
        labels->elements += stats.tetrahedra + stats.triangles;
    }
}

/* Seconds of each step; how many there were. */
static size_t run_scene(struct bench *bench, piola_io_scene *scene, double *samples)
{
    const piola_io_scene_facts facts = piola_io_scene_inspect(scene);
    const double most = bench_quick(bench) ? 2 : 20;
    double spent = 0;
    size_t steps = 0;
    while (steps < SAMPLES_MOST && spent < most &&
           (double)steps * (double)facts.dt < facts.seconds) {
        piola_io_error error;
        const double start = bench_now();
        if (piola_io_scene_step(scene, steps + 1, NULL, &error) != PIOLA_IO_OK)
            bench_fail(bench, "%s", error.text);
        samples[steps] = bench_now() - start;
        spent += samples[steps++];
    }
    return steps;
}

static void measure(struct bench *bench, const char *name, uint32_t threads)
{
    struct bench_stats stats;
    struct bench_labels labels = {
        .case_name = name, .isa = piola_isa_name(bench_widest_isa(bench)), .threads = threads};
    piola_io_scene *scene = open_scene(bench, name, threads);
    if (!scene)
        return;
    double *samples = bench_memory(bench, SAMPLES_MOST * sizeof samples[0]);
    const size_t steps = run_scene(bench, scene, samples);
    const piola_io_scene_facts facts = piola_io_scene_inspect(scene);
    const piola_world_desc *desc = &facts.world->desc;
    labels.substeps = desc->substeps;
    labels.iterations = desc->iterations;
    count(scene, &labels);
    bench_stats_of(samples, steps, &stats);
    bench_stats_rows(bench, &labels, "step", &stats, 1e3, "ms");
    labels.samples = stats.samples;
    const double visits = (double)labels.elements * desc->iterations * desc->substeps;
    if (visits > 0)
        bench_row(bench, &labels, "visit", 1e9 * stats.median / visits, "ns");
    bench_ratio(bench, &labels, "real_time", (double)facts.dt, stats.median);
    bench_release(samples);
    piola_io_scene_close(scene);
}

static void run(struct bench *bench)
{
    enum { THREADS_MOST = 64 };
    for (size_t i = 0; cases[i]; i++) {
        const char *name = cases[i];
        if (!bench_wants_case(bench, name) || strcmp(name, "models") == 0 ||
            (bench_quick(bench) && !is_among(quick_cases, name)))
            continue;
        for (uint32_t threads = 1; threads <= THREADS_MOST; threads++)
            if (bench_wants_threads(bench, threads) && !bench_is_late(bench, name))
                measure(bench, name, threads);
    }
    if (bench_wants_case(bench, "models"))
        bench_models(bench);
}

const struct bench_entry bench_scenes_entry = {
    .name = "scenes",
    .what = "steps of the shipped scenes; what a visit costs by material, damping, history, touch",
    .cases = cases,
    .run = run,
};
