/* bench_cloth.c - the bench `cloth`: whole steps of the paper's cloth, 201 x 201 vertices, 80,000
 * triangles, 119,600 bending edges, and of sheets from 10 x 10 to 1000 x 1000 cells.
 *
 * A step is 5 ms with 5 iterations of St Venant-Kirchhoff triangles and isometric bends. The sheet
 * starts stretched and in ripples, without gravity, and goes back there every few steps. `elastic`
 * has no bends, `total` has both, `bending` is the difference of the two: a bend has no mass of its
 * own, so no body is made of bends alone. per_s counts an element once for each iteration.
 *
 * `lra90k` is a sheet of 300 x 300 vertices with bends, hung at two corners and falling into its
 * tethers (long-range attachments): a step against a frame of a display at 120 Hz.
 */
#include "asset/asset.h"
#include "bench_scene.h"
#include "cloth_operations.h"
#include "machine_limits.h"
#include "quoted.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 5, THREADS_MOST = 64, STEPS_FROM_STATE = 32, HUNG_CELLS = 299 };

static const double frame = 1.0 / 120; /* s */

static const struct {
    piola_solver solver;
    uint32_t family;
    const char *name;
} solvers[] = {
    {PIOLA_SOLVER_ENERGY, PIOLA_COMPILE_FOR_PROJECTION, "energy"},
    {PIOLA_SOLVER_DESCENT, PIOLA_COMPILE_FOR_DESCENT, "descent"},
    {PIOLA_SOLVER_COMPLIANT, PIOLA_COMPILE_FOR_PROJECTION, "compliant"},
};

enum { SOLVER_COUNT = sizeof solvers / sizeof solvers[0] };

/* What is measured now. */
struct run {
    struct bench *bench;
    uint32_t solver;
    piola_isa isa;
    uint32_t threads;
    const struct bench_asset *elastic, *total;
};

/* Seconds of a step on one thread, for speedups. */
struct single {
    double elastic, total;
};

/* ---- sheets ---- */

/* Of square cells of 5 mm. With tethers to its first corner and the one `cells` along. */
static void make_sheet(struct bench *bench, uint32_t cells, bool bends, bool tethers,
                       uint32_t family, struct bench_asset *compiled)
{
    const uint32_t corners[2] = {0, cells};
    struct meshgen mesh;
    const double side = 0.005 * cells;
    if (!meshgen_cloth(&mesh, (const double[2]){side, side}, (const uint32_t[2]){cells, cells},
                       bends))
        bench_fail(bench, "a sheet of %u cells cannot be made", cells);
    piola_material materials[2] = {piola_material_default(), piola_material_default()};
    for (int i = 0; i < 2; i++) {
        materials[i].model = PIOLA_MODEL_STVK;
        materials[i].density = 0.2f; /* kg/m^2 */
        materials[i].poisson = 0.3f;
    }
    materials[0].young = 1000; /* N/m */
    materials[1].bend = 1e-4f; /* N m */
    uint32_t *bend_materials = bench_memory(bench, (mesh.bend_count + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < mesh.bend_count; i++)
        bend_materials[i] = 1;
    piola_mesh_desc desc = meshgen_desc(&mesh);
    desc.compile_for = family;
    desc.materials = materials;
    desc.material_count = 2;
    desc.bend_materials = bend_materials;
    desc.tether_anchors = corners;
    desc.tether_anchor_count = tethers ? 2 : 0;
    desc.tether_mode = PIOLA_TETHER_EUCLIDEAN;
    bench_asset_compile(bench, &desc, compiled);
    bench_release(bend_materials);
    meshgen_free(&mesh);
}

/* Ripples of 20 cells' length, a fifth of a cell high, on a sheet stretched by a fiftieth. */
static void ripple(float position[3], const float half[3])
{
    (void)half;
    const float wave = 6.2831853f / 0.1f;
    position[1] += 0.001f * sinf(wave * position[0]) * cosf(wave * position[2]);
    position[0] *= 1.02f;
}

static struct bench_labels labels_of(const struct run *run, const char *case_name,
                                     const struct bench_asset *compiled)
{
    return (struct bench_labels){
        .case_name = case_name,
        .isa = piola_isa_name(run->isa),
        .threads = run->threads,
        .solver = solvers[run->solver].name,
        .material = "stvk",
        .bodies = 1,
        .particles = compiled->stats.particles,
        .elements = (uint64_t)compiled->stats.triangles + compiled->stats.bends,
    };
}

static void measure_sheet(const struct run *run, const struct bench_asset *compiled,
                          struct bench_stats *stats)
{
    const struct bench_scene_desc desc = {.compiled = compiled,
                                          .bodies = 1,
                                          .solver = solvers[run->solver].solver,
                                          .isa = run->isa,
                                          .threads = run->threads,
                                          .iterations = ITERATIONS};
    struct bench_scene scene;
    bench_scene_open(run->bench, &desc, &scene);
    bench_scene_deform(run->bench, &scene, ripple);
    bench_scene_keep(run->bench, &scene);
    bench_scene_measure(run->bench, &scene, STEPS_FROM_STATE, stats);
    bench_scene_close(&scene);
}

/* ---- what a step reads and computes ---- */

/* Bytes of rest data that one iteration reads. */
static double rest_bytes(const struct bench_asset *compiled, uint32_t family)
{
#define SECTION_BYTES(name) ((double)compiled->asset->at.name.count * sizeof *asset_##name(NULL))
    if (family == PIOLA_COMPILE_FOR_DESCENT)
        return SECTION_BYTES(vertex_packs) + SECTION_BYTES(triangle_visits) +
               SECTION_BYTES(bend_rows);
    return SECTION_BYTES(triangle_packs) + SECTION_BYTES(bend_packs);
#undef SECTION_BYTES
}

static void show_share_of_read(const struct run *run, const char *name,
                               const struct bench_asset *compiled, double step)
{
    struct bench_labels labels = labels_of(run, name, compiled);
    const double bytes = rest_bytes(compiled, solvers[run->solver].family);
    labels.bytes = (uint64_t)bytes;
    const double limit = bytes / limit_pass(run->bench, run->isa, LIMIT_read, run->threads,
                                            (size_t)bytes, &labels.samples);
    bench_row(run->bench, &labels, "rest_bytes", bytes / (double)labels.elements, "B/element");
    bench_row(run->bench, &labels, "rest_bandwidth", 1e-9 * bytes * (double)ITERATIONS / step,
              "GB/s");
    bench_row(run->bench, &labels, "limit_bandwidth", 1e-9 * limit, "GB/s");
    bench_ratio(run->bench, &labels, "share_of_read", bytes * (double)ITERATIONS / step, limit);
}

/* Against multiplications and additions in registers, with as many threads and the same width. */
static void show_share_of_peak(const struct run *run, const char *name,
                               const struct bench_asset *compiled, double step)
{
    struct bench_labels labels = labels_of(run, name, compiled);
    const double operations = cloth_operations(compiled, solvers[run->solver].solver);
    const double rate = operations * (double)ITERATIONS / step;
    const double peak = limit_operations(run->bench, run->isa, run->threads, &labels.samples);
    bench_row(run->bench, &labels, "operations_per_element", operations / (double)labels.elements,
              "op/element");
    bench_row(run->bench, &labels, "operations", 1e-9 * rate, "Gop/s");
    bench_row(run->bench, &labels, "limit_operations", 1e-9 * peak, "Gop/s");
    bench_ratio(run->bench, &labels, "share_of_peak", rate, peak);
}

/* ---- beside others ---- */

static void compare_quoted(const struct run *run, double step)
{
    struct bench_labels labels = labels_of(run, "total", run->total);
    for (size_t i = 0; i < QUOTED_COUNT; i++) {
        const struct quoted *quoted = &quoted_figures[i];
        const bool paper = quoted->source == quoted_paper;
        if (!quoted->ratio || strcmp(quoted->case_name, "total") != 0 ||
            (!paper && quoted->threads != run->threads))
            continue;
        labels.source = quoted->source;
        bench_ratio(run->bench, &labels, quoted->ratio, 1e-3 * quoted->step, step);
    }
}

static void show_quoted(struct bench *bench)
{
    static const char *const names[] = {"elastic", "bending", "total"};
    for (size_t i = 0; i < QUOTED_COUNT; i++) {
        const struct quoted *quoted = &quoted_figures[i];
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            if (strcmp(quoted->case_name, names[n]) != 0)
                continue;
            const struct bench_labels labels = {.case_name = quoted->case_name,
                                                .isa = "quoted",
                                                .threads = quoted->threads,
                                                .solver = quoted->who,
                                                .bodies = 1,
                                                .elements = quoted->elements,
                                                .source = quoted->source};
            bench_row(bench, &labels, "quoted_step", quoted->step, "ms");
        }
    }
}

/* ---- the paper's cloth ---- */

static void measure_one(const struct run *run, const char *name, const struct bench_asset *compiled,
                        double single, double *step)
{
    const struct bench_labels labels = labels_of(run, name, compiled);
    struct bench_stats stats;
    measure_sheet(run, compiled, &stats);
    *step = stats.median;
    bench_stats_rows(run->bench, &labels, "step", &stats, 1e3, "ms");
    bench_row(run->bench, &labels, "per_s", (double)labels.elements * (double)ITERATIONS / *step,
              "elements/s");
    bench_ratio(run->bench, &labels, "speedup", single, run->threads > 1 ? *step : 0);
    show_share_of_peak(run, name, compiled, *step);
}

static void measure_cases(const struct run *run, struct single *single)
{
    struct single step = {0, 0};
    measure_one(run, "elastic", run->elastic, single->elastic, &step.elastic);
    measure_one(run, "total", run->total, single->total, &step.total);
    const struct bench_labels labels = labels_of(run, "bending", run->total);
    bench_row(run->bench, &labels, "step", 1e3 * (step.total - step.elastic), "ms");
    compare_quoted(run, step.total);
    if (run->isa == bench_widest_isa(run->bench))
        show_share_of_read(run, "total", run->total, step.total);
    if (run->threads == 1)
        *single = step;
}

static void run_paper(struct bench *bench, uint32_t solver)
{
    struct bench_asset elastic, total;
    struct run run = {.bench = bench, .solver = solver, .elastic = &elastic, .total = &total};
    make_sheet(bench, 200, false, false, solvers[solver].family, &elastic);
    make_sheet(bench, 200, true, false, solvers[solver].family, &total);
    for (int isa = PIOLA_ISA_COUNT - 1; isa > PIOLA_ISA_AUTO; isa--) {
        struct single single = {0, 0};
        for (uint32_t threads = 1; threads <= THREADS_MOST; threads++) {
            if (!bench_wants_isa(bench, (piola_isa)isa) || !bench_wants_threads(bench, threads) ||
                bench_seconds_left(bench) < 1)
                continue;
            run.isa = (piola_isa)isa;
            run.threads = threads;
            measure_cases(&run, &single);
        }
    }
    bench_asset_release(&elastic);
    bench_asset_release(&total);
}

/* ---- hung at two corners ---- */

static void expect(struct bench *bench, piola_status status)
{
    if (status != PIOLA_OK)
        bench_fail(bench, "a command was refused");
}

/* Pins two corners, lets gravity act, and falls until the tethers are at work. */
static void hang(struct bench *bench, struct bench_scene *scene)
{
    enum { STEPS_OF_FALL = 60 };
    expect(bench, piola_world_set_gravity(scene->world, (float[]){0, -9.81f, 0}));
    bench_scene_step(bench, scene, NULL); /* the queue of a bench's world is short */
    for (uint32_t corner = 0; corner < 2; corner++) {
        const uint32_t vertex = corner * HUNG_CELLS;
        float place[3];
        if (piola_body_positions(scene->world, scene->bodies[0], vertex, 1, place) != PIOLA_OK)
            bench_fail(bench, "a corner has no position");
        expect(bench, piola_body_pin(scene->world, scene->bodies[0], vertex, place));
    }
    for (int step = 0; step < STEPS_OF_FALL; step++)
        bench_scene_step(bench, scene, NULL);
}

static void measure_hung(const struct run *run, const struct bench_asset *compiled)
{
    const struct bench_scene_desc desc = {.compiled = compiled,
                                          .bodies = 1,
                                          .solver = solvers[run->solver].solver,
                                          .isa = run->isa,
                                          .threads = run->threads,
                                          .iterations = ITERATIONS};
    const struct bench_labels labels = labels_of(run, "lra90k", compiled);
    struct bench_scene scene;
    struct bench_stats stats;
    bench_scene_open(run->bench, &desc, &scene);
    hang(run->bench, &scene);
    bench_scene_keep(run->bench, &scene);
    bench_scene_measure(run->bench, &scene, STEPS_FROM_STATE, &stats);
    bench_scene_close(&scene);
    bench_stats_rows(run->bench, &labels, "step", &stats, 1e3, "ms");
    bench_ratio(run->bench, &labels, "share_of_frame", stats.median, frame);
}

static void run_hung(struct bench *bench, uint32_t solver)
{
    struct bench_asset compiled;
    struct run run = {.bench = bench, .solver = solver, .isa = bench_widest_isa(bench)};
    make_sheet(bench, HUNG_CELLS, true, true, solvers[solver].family, &compiled);
    for (run.threads = 1; run.threads <= THREADS_MOST; run.threads++)
        if (bench_wants_threads(bench, run.threads) && bench_seconds_left(bench) >= 1)
            measure_hung(&run, &compiled);
    bench_asset_release(&compiled);
}

/* ---- ten cells to a thousand ---- */

static void measure_scaling(struct bench *bench, uint32_t solver, uint32_t threads)
{
    static const uint32_t cells[] = {10, 30, 100, 200, 300, 500, 700, 1000};
    double before = 0;
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        struct bench_asset compiled;
        struct bench_stats stats;
        const struct run run = {
            .bench = bench, .solver = solver, .isa = bench_widest_isa(bench), .threads = threads};
        if (bench_quick(bench) && (cells[i] > 300 || bench_seconds_left(bench) < 1))
            return;
        make_sheet(bench, cells[i], true, false, solvers[solver].family, &compiled);
        const struct bench_labels labels = labels_of(&run, "scaling", &compiled);
        measure_sheet(&run, &compiled, &stats);
        const double each = stats.median / (double)labels.elements;
        bench_stats_rows(bench, &labels, "step", &stats, 1e3, "ms");
        bench_row(bench, &labels, "per_element", 1e9 * each / ITERATIONS, "ns");
        bench_ratio(bench, &labels, "cost_of_an_element", each, before);
        show_share_of_read(&run, "scaling", &compiled, stats.median);
        before = each;
        bench_asset_release(&compiled);
    }
}

static void run(struct bench *bench)
{
    for (uint32_t solver = 0; solver < SOLVER_COUNT; solver++) {
        if (bench_quick(bench) && solvers[solver].solver == PIOLA_SOLVER_COMPLIANT)
            continue;
        bench_note(bench, "%s", solvers[solver].name);
        if (bench_wants_case(bench, "elastic") || bench_wants_case(bench, "bending") ||
            bench_wants_case(bench, "total"))
            run_paper(bench, solver);
        if (bench_wants_case(bench, "lra90k"))
            run_hung(bench, solver);
        for (uint32_t threads = 1; threads <= 2; threads++)
            if (bench_wants_case(bench, "scaling") && bench_wants_threads(bench, threads))
                measure_scaling(bench, solver, threads);
    }
    show_quoted(bench);
}

static const char *const cases[] = {"elastic", "bending", "total", "lra90k", "scaling", NULL};

const struct bench_entry bench_cloth_entry = {
    .name = "cloth",
    .what = "whole steps of sheets: the paper's cloth, triangles and bends, and of all sizes",
    .cases = cases,
    .run = run,
};
