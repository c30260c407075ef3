/* bench_solids.c - the bench `solids`: whole steps of tetrahedral bodies that do not touch, in the
 * scenes of the paper's Table 1 and around them.
 *
 * A step is 5 ms with 5 iterations. Bodies start twisted and stretched (or mirrored: every element
 * inverted), without gravity, and go back to that state every few steps, so that elements always
 * have something to do. per_s counts an element once for each iteration, in descent too, where each
 * of its corners visits it.
 */
#include "asset/asset.h"
#include "bench_scene.h"
#include "machine_limits.h"
#include "quoted.h"

#include <string.h>

enum { ITERATIONS = 5, THREADS_MOST = 64 };

struct variant {
    piola_solver solver;
    piola_model model;
    uint32_t family;
    const char *solver_name, *material_name;
    bool quick; /* measured with --quick too */
};

static const struct variant variants[] = {
    {PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STVK, PIOLA_COMPILE_FOR_PROJECTION, "energy", "stvk", true},
    {PIOLA_SOLVER_DESCENT, PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_COMPILE_FOR_DESCENT, "descent",
     "stable_neo_hookean", true},
    {PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_COMPILE_FOR_PROJECTION, "energy",
     "stable_neo_hookean", false},
    {PIOLA_SOLVER_DESCENT, PIOLA_MODEL_STVK, PIOLA_COMPILE_FOR_DESCENT, "descent", "stvk", false},
    {PIOLA_SOLVER_COMPLIANT, PIOLA_MODEL_STVK, PIOLA_COMPILE_FOR_PROJECTION, "compliant", "stvk",
     false},
    {PIOLA_SOLVER_COMPLIANT, PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_COMPILE_FOR_PROJECTION,
     "compliant", "stable_neo_hookean", false},
};

enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

enum solids_case { ARMADILLO1, ARMADILLOS100, INVERTED100, BEAM7K, BODY370K, CASE_COUNT };

static const struct {
    const char *name;
    uint32_t bodies;
    bool inverted;
} solids_cases[CASE_COUNT] = {
    [ARMADILLO1] = {"armadillo1", 1, false},    [ARMADILLOS100] = {"armadillos100", 100, false},
    [INVERTED100] = {"inverted100", 100, true}, [BEAM7K] = {"beam7k", 1, false},
    [BODY370K] = {"body370k", 1, false},
};

/* Median seconds of a step; 0 where it was not measured. */
struct results {
    double step[CASE_COUNT][VARIANT_COUNT][PIOLA_ISA_COUNT][THREADS_MOST + 1];
};

/* What is measured now. */
struct run {
    struct bench *bench;
    struct results *results;
    enum solids_case of;
    uint32_t variant;
    piola_isa isa;
    uint32_t threads;
    const struct bench_asset *compiled;
};

static double median_of(const struct run *run, enum solids_case of, uint32_t threads)
{
    return run->results->step[of][run->variant][run->isa][threads];
}

static struct bench_labels labels_of(const struct run *run, const char *case_name, uint32_t bodies)
{
    const struct variant *variant = &variants[run->variant];
    return (struct bench_labels){
        .case_name = case_name,
        .isa = piola_isa_name(run->isa),
        .threads = run->threads,
        .solver = variant->solver_name,
        .material = variant->material_name,
        .bodies = bodies,
        .particles = (uint64_t)bodies * run->compiled->stats.particles,
        .elements = (uint64_t)bodies * run->compiled->stats.tetrahedra,
    };
}

/* ---- states ---- */

/* A tenth of a radian of twist each way about the longest axis, and a stretch of a fiftieth along
 * it: elements are strained by some hundredths and none is crushed. */
static void bend(float position[3], const float half[3])
{
    const int along = half[0] > half[1] ? (half[0] > half[2] ? 0 : 2) : (half[1] > half[2] ? 1 : 2);
    float *const x = &position[(along + 1) % 3], *const y = &position[(along + 2) % 3];
    const float angle = 0.1f * position[along] / half[along];
    /* A rotation up to the third order of the angle; shapes need no better. */
    const float sine = angle * (1 - angle * angle / 6), cosine = 1 - 0.5f * angle * angle;
    const float turned = cosine * *x - sine * *y;
    *y = sine * *x + cosine * *y;
    *x = turned;
    position[along] *= 1.02f;
}

/* A mirror image of the bent shape: each element has its volume, and the wrong sign of it. */
static void invert(float position[3], const float half[3])
{
    bend(position, half);
    position[0] = -position[0];
}

/* ---- one measurement ---- */

static struct bench_scene_desc desc_of(const struct run *run, uint32_t bodies)
{
    return (struct bench_scene_desc){.compiled = run->compiled,
                                     .bodies = bodies,
                                     .solver = variants[run->variant].solver,
                                     .isa = run->isa,
                                     .threads = run->threads,
                                     .iterations = ITERATIONS};
}

static double measure_step(const struct run *run, uint32_t bodies, bool inverted,
                           struct bench_stats *stats)
{
    /* Mirrored bodies turn themselves right, so each of their steps starts from the mirror image.
     */
    const uint32_t steps_from_state = inverted ? 1 : 32;
    const struct bench_scene_desc desc = desc_of(run, bodies);
    struct bench_scene scene;
    bench_scene_open(run->bench, &desc, &scene);
    bench_scene_deform(run->bench, &scene, inverted ? invert : bend);
    bench_scene_keep(run->bench, &scene);
    bench_scene_measure(run->bench, &scene, steps_from_state, stats);
    bench_scene_close(&scene);
    return stats->median;
}

static void measure_case(const struct run *run)
{
    const uint32_t bodies = solids_cases[run->of].bodies;
    const struct bench_labels labels = labels_of(run, solids_cases[run->of].name, bodies);
    struct bench_stats stats;
    const double step = measure_step(run, bodies, solids_cases[run->of].inverted, &stats);
    run->results->step[run->of][run->variant][run->isa][run->threads] = step;
    bench_stats_rows(run->bench, &labels, "step", &stats, 1e3, "ms");
    bench_row(run->bench, &labels, "per_s", (double)labels.elements * (double)ITERATIONS / step,
              "elements/s");
    bench_ratio(run->bench, &labels, "speedup", median_of(run, run->of, 1),
                run->threads > 1 ? step : 0);
    if (run->of == INVERTED100)
        bench_ratio(run->bench, &labels, "inverted_cost", step,
                    median_of(run, ARMADILLOS100, run->threads));
}

/* ---- what a step touches ---- */

/* Bytes of rest data that one iteration reads. */
static double rest_bytes(const struct bench_asset *compiled, uint32_t family)
{
#define SECTION_BYTES(name) ((double)compiled->asset->at.name.count * sizeof *asset_##name(NULL))
    if (family == PIOLA_COMPILE_FOR_DESCENT)
        return SECTION_BYTES(vertex_packs) + SECTION_BYTES(visits) + SECTION_BYTES(visits_snh);
    return SECTION_BYTES(tet_packs) + SECTION_BYTES(tet_pack_materials) +
           SECTION_BYTES(tet_pack_plastic);
#undef SECTION_BYTES
}

static void show_bytes(const struct run *run)
{
    const uint32_t bodies = solids_cases[run->of].bodies;
    const struct bench_labels labels = labels_of(run, solids_cases[run->of].name, bodies);
    const struct bench_scene_desc desc = desc_of(run, bodies);
    const double elements = (double)labels.elements;
    struct bench_scene scene;
    double state = 0, scratch = 0;
    bench_scene_open(run->bench, &desc, &scene);
    bench_scene_bytes(&scene, &state, &scratch);
    bench_scene_close(&scene);
    bench_row(run->bench, &labels, "state_bytes", state / elements, "B/element");
    bench_row(run->bench, &labels, "scratch_bytes", scratch / elements, "B/element");
    bench_row(run->bench, &labels, "rest_bytes",
              rest_bytes(run->compiled, variants[run->variant].family) /
                  run->compiled->stats.tetrahedra,
              "B/element");
    bench_row(run->bench, &labels, "asset_bytes",
              (double)piola_asset_bytes(run->compiled->asset) / run->compiled->stats.tetrahedra,
              "B/element");
}

/* How many elements are inverted at the end of the first step: what was bent must have none, and of
 * what was mirrored it tells how much of the step was spent on inverted elements. */
static void show_inverted(const struct run *run)
{
    const uint32_t bodies = solids_cases[run->of].bodies;
    const struct bench_labels labels = labels_of(run, solids_cases[run->of].name, bodies);
    struct bench_scene_desc desc = desc_of(run, bodies);
    struct bench_scene scene;
    piola_report report = {0};
    desc.report = true;
    bench_scene_open(run->bench, &desc, &scene);
    bench_scene_deform(run->bench, &scene, solids_cases[run->of].inverted ? invert : bend);
    bench_scene_step(run->bench, &scene, &report);
    bench_scene_close(&scene);
    bench_row(run->bench, &labels, "inverted_share", report.inverted / (double)labels.elements,
              "ratio");
}

/* A body too large for the caches reads its rest data from memory in every iteration: how near that
 * comes to what memory gives. */
static void show_share_of_read(const struct run *run)
{
    struct bench_labels labels = labels_of(run, solids_cases[run->of].name, 1);
    const double bytes = rest_bytes(run->compiled, variants[run->variant].family);
    const double step = median_of(run, run->of, run->threads);
    if (step <= 0)
        return;
    labels.bytes = (uint64_t)bytes;
    const double limit = bytes / limit_pass(run->bench, run->isa, LIMIT_read, run->threads,
                                            (size_t)bytes, &labels.samples);
    bench_row(run->bench, &labels, "rest_bandwidth", 1e-9 * bytes * (double)ITERATIONS / step,
              "GB/s");
    bench_row(run->bench, &labels, "limit_bandwidth", 1e-9 * limit, "GB/s");
    bench_ratio(run->bench, &labels, "share_of_read", bytes * (double)ITERATIONS / step, limit);
}

/* ---- beside others ---- */

static void show_quoted(struct bench *bench, enum solids_case of)
{
    for (size_t i = 0; i < QUOTED_COUNT; i++) {
        const struct quoted *quoted = &quoted_figures[i];
        if (strcmp(quoted->case_name, solids_cases[of].name) != 0)
            continue;
        const struct bench_labels labels = {.case_name = quoted->case_name,
                                            .isa = "quoted",
                                            .threads = quoted->threads,
                                            .solver = quoted->who,
                                            .bodies = solids_cases[of].bodies,
                                            .elements = quoted->elements,
                                            .source = quoted->source};
        bench_row(bench, &labels, "quoted_step", quoted->step, "ms");
    }
    if (of == INVERTED100) {
        const struct bench_labels labels = {.case_name = solids_cases[of].name,
                                            .isa = "quoted",
                                            .solver = "library_best",
                                            .bodies = solids_cases[of].bodies,
                                            .source = quoted_best};
        bench_row(bench, &labels, "inverted_cost", quoted_inverted_cost, "ratio");
    }
}

/* How many times as fast as others' quoted figures on as many threads; the paper's had 12 cores and
 * stands beside each. By the time for an element, because a scene generated here may have a few
 * more or fewer than theirs. */
static void compare_quoted(const struct run *run)
{
    struct bench_labels labels =
        labels_of(run, solids_cases[run->of].name, solids_cases[run->of].bodies);
    for (size_t i = 0; i < QUOTED_COUNT; i++) {
        const struct quoted *quoted = &quoted_figures[i];
        const bool paper = quoted->source == quoted_paper;
        if (!quoted->ratio || strcmp(quoted->case_name, labels.case_name) != 0 ||
            (!paper && quoted->threads != run->threads))
            continue;
        labels.source = quoted->source;
        bench_ratio(run->bench, &labels, quoted->ratio, 1e-3 * quoted->step / quoted->elements,
                    median_of(run, run->of, run->threads) / (double)labels.elements);
    }
}

/* ---- one body to a thousand ---- */

static void measure_scaling(struct run run)
{
    static const uint32_t counts[] = {1, 10, 100, 1000};
    double one = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const struct bench_labels labels = labels_of(&run, "scaling", counts[i]);
        struct bench_stats stats;
        if (bench_quick(run.bench) && counts[i] > 100)
            return;
        const double body = measure_step(&run, counts[i], false, &stats) / counts[i];
        one = i == 0 ? body : one;
        bench_stats_rows(run.bench, &labels, "step", &stats, 1e3, "ms");
        bench_row(run.bench, &labels, "per_s",
                  (double)ITERATIONS * (double)run.compiled->stats.tetrahedra / body, "elements/s");
        bench_ratio(run.bench, &labels, "cost_of_a_body", body, one);
    }
}

/* ---- all of them ---- */

/* With --quick the cases that take longest are measured with the widest instruction set alone. */
static bool slow_for_quick(const struct bench *bench, enum solids_case of)
{
    return bench_quick(bench) && (of == INVERTED100 || of == BODY370K);
}

/* One case for each instruction set and number of threads. */
static void run_everywhere(struct run *run, enum solids_case of)
{
    run->of = of;
    for (int isa = PIOLA_ISA_COUNT - 1; isa > PIOLA_ISA_AUTO; isa--) {
        for (uint32_t threads = 1; threads <= THREADS_MOST; threads++) {
            if (!bench_wants_isa(run->bench, (piola_isa)isa) ||
                !bench_wants_threads(run->bench, threads) ||
                (slow_for_quick(run->bench, of) && isa != (int)bench_widest_isa(run->bench)))
                continue;
            run->isa = (piola_isa)isa;
            run->threads = threads;
            if (bench_seconds_left(run->bench) < 1) {
                bench_note(run->bench, "%s, %s: left out, --quick has no time left",
                           solids_cases[of].name, piola_isa_name(run->isa));
                continue;
            }
            measure_case(run);
            compare_quoted(run);
            if (of == BODY370K && run->isa == bench_widest_isa(run->bench))
                show_share_of_read(run);
        }
    }
    run->isa = bench_widest_isa(run->bench);
    run->threads = 1;
    show_bytes(run);
    show_inverted(run);
}

/* Cases of one mesh, first to last. Those of the Armadillo are in an order such that the inverted
 * bodies find what the others cost. */
static void run_mesh(struct bench *bench, struct results *results, struct bench_mesh *mesh,
                     enum solids_case first, enum solids_case last, bool scaling)
{
    bench_note(bench, "%s", mesh->origin);
    for (uint32_t i = 0; i < VARIANT_COUNT; i++) {
        struct bench_asset compiled;
        struct run run = {.bench = bench, .results = results, .variant = i, .compiled = &compiled};
        if ((bench_quick(bench) && !variants[i].quick) || bench_seconds_left(bench) < 1)
            continue;
        /* Counting inverted elements walks over element packs, whatever the solver. */
        bench_asset_make(bench, mesh, variants[i].model,
                         variants[i].family | PIOLA_COMPILE_FOR_PROJECTION, &compiled);
        for (int of = (int)first; of <= (int)last; of++)
            if (bench_wants_case(bench, solids_cases[of].name)) {
                bench_note(bench, "%s, %s, %s", solids_cases[of].name, variants[i].solver_name,
                           variants[i].material_name);
                run_everywhere(&run, (enum solids_case)of);
            }
        run.isa = bench_widest_isa(bench);
        run.threads = 1;
        if (scaling && variants[i].quick && bench_wants_case(bench, "scaling"))
            measure_scaling(run);
        bench_asset_release(&compiled);
    }
    for (int of = (int)first; of <= (int)last; of++)
        if (bench_wants_case(bench, solids_cases[of].name))
            show_quoted(bench, (enum solids_case)of);
    bench_mesh_release(mesh);
}

/* Boxes with as many elements as the rivals' beam (7,280) and as a hundred Armadillos (371,700). */
static const uint32_t beam7k_cells[3] = {26, 8, 7}, body370k_cells[3] = {59, 36, 35};

static void run(struct bench *bench)
{
    struct results *results = bench_memory(bench, sizeof *results);
    struct bench_mesh mesh;
    if (bench_wants_case(bench, "armadillo1") || bench_wants_case(bench, "armadillos100") ||
        bench_wants_case(bench, "inverted100") || bench_wants_case(bench, "scaling")) {
        bench_mesh_armadillo(bench, &mesh);
        run_mesh(bench, results, &mesh, ARMADILLO1, INVERTED100, true);
    }
    if (bench_wants_case(bench, "beam7k")) {
        bench_mesh_box(bench, beam7k_cells, &mesh);
        run_mesh(bench, results, &mesh, BEAM7K, BEAM7K, false);
    }
    if (bench_wants_case(bench, "body370k")) {
        bench_mesh_box(bench, body370k_cells, &mesh);
        run_mesh(bench, results, &mesh, BODY370K, BODY370K, false);
    }
    bench_release(results);
}

static const char *const cases[] = {"armadillo1", "armadillos100", "inverted100", "scaling",
                                    "beam7k",     "body370k",      NULL};

const struct bench_entry bench_solids_entry = {
    .name = "solids",
    .what = "whole steps of tetrahedral bodies: solvers, materials, instruction sets, threads",
    .cases = cases,
    .run = run,
};
