/* bench_convergence.c - the bench `convergence`: how near each solver comes to the minimum of one
 * implicit-Euler step, by iterations and by time.
 *
 *   gap_N   (G after N iterations - G*) / (G at the start - G*)
 *   ms_N    time of that step, the least of some
 *
 * A bent body at rest, dt 5 ms, no gravity. The body is the Armadillo as its file measures it
 * (metres), free, or a bar of 1 m, clamped at one end, bent to 0.5 rad/m. G is evaluated in double
 * precision by the reference of the tests, at the engine's positions. G* is the least that it finds
 * itself, or, of bars too large for it, the least that any run of the engine comes to.
 */
#include "bench.h"
#include "io/mesh/meshgen.h"
#include "ref_fem.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POISSON 0.45
#define DENSITY 1000.0
#define GOAL    1e-2 /* gap that is good enough */

static const uint32_t stops[] = {1, 2, 5, 10, 20, 50, 100};
enum {
    STOPS = sizeof stops / sizeof *stops,
    PATH_BYTES = 4096,
    ITERATIONS_MOST = 1000,
    SETTLED = 400,      /* iterations that find G* where the reference does not */
    NEWTON_TETS = 5000, /* more are too many for it */
    REPEATS = 5,
};

static const struct shape {
    const char *name;
    int cells; /* across a bar, else 0 */
    int along;
    bool quick;
} shapes[] = {{"armadillo", 0, 0, true},
              {"bar1k", 3, 22, true},
              {"bar10k", 7, 41, true},
              {"bar100k", 16, 78, false}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static const double youngs[] = {1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
enum { YOUNGS = sizeof youngs / sizeof *youngs };

static const struct method {
    const char *name;
    piola_solver solver;
    bool level;
    piola_model model;
    const char *material;
} methods[] = {
    {"descent", PIOLA_SOLVER_DESCENT, true, PIOLA_MODEL_STABLE_NEO_HOOKEAN, "stable_neo_hookean"},
    {"sweeps", PIOLA_SOLVER_DESCENT, false, PIOLA_MODEL_STABLE_NEO_HOOKEAN, "stable_neo_hookean"},
    {"compliant", PIOLA_SOLVER_COMPLIANT, false, PIOLA_MODEL_STABLE_NEO_HOOKEAN,
     "stable_neo_hookean"},
    {"descent", PIOLA_SOLVER_DESCENT, true, PIOLA_MODEL_STVK, "stvk"},
    {"sweeps", PIOLA_SOLVER_DESCENT, false, PIOLA_MODEL_STVK, "stvk"},
    {"energy", PIOLA_SOLVER_ENERGY, false, PIOLA_MODEL_STVK, "stvk"},
};
enum { METHODS = sizeof methods / sizeof *methods };

struct contest {
    struct bench *bench;
    ref_mesh mesh;
    ref_fem fem;
    ref_problem problem;
    double *bent, *answer, start, best;
    float *x;
    const piola_asset *asset;
    void *asset_memory;
    double young;
    bool clamped;
    const struct method *method;
    const char *case_name;
};

struct result {
    double gap, ms;
};

static void read_mesh(struct bench *bench, const struct shape *shape, ref_mesh *mesh)
{
    char path[PATH_BYTES];
    const char *given = getenv("PIOLA_DATA");
    snprintf(path, sizeof path, "%s/armadillo_4k", given && given[0] ? given : PIOLA_BENCH_DATA);
    if (shape->cells > 0) {
        const int cells[3] = {shape->cells, shape->along, shape->cells};
        const double size[3] = {0.2, 1, 0.2};
        if (!ref_mesh_beam(mesh, cells, size, 5))
            bench_fail(bench, "the bar cannot be made");
    } else if (ref_mesh_tetgen(mesh, path)) {
        double low = mesh->x[1], high = mesh->x[1];
        for (int v = 0; v < mesh->vertices; ++v) {
            low = mesh->x[3 * v + 1] < low ? mesh->x[3 * v + 1] : low;
            high = mesh->x[3 * v + 1] > high ? mesh->x[3 * v + 1] : high;
        }
        ref_mesh_normalise(mesh, high - low);
    } else {
        bench_note(bench, "no %s: a figure of boxes stands in for the Armadillo", path);
        if (!ref_mesh_figure(mesh))
            bench_fail(bench, "the figure cannot be made");
        ref_mesh_normalise(mesh, 3);
    }
}

/* The bent start in single precision, its G, and the reference's minimum from there. */
static void prepare(struct contest *c)
{
    const size_t n = (size_t)c->mesh.vertices * 3;
    const ref_material m = c->method->model == PIOLA_MODEL_STVK
                               ? ref_stvk(c->young, POISSON)
                               : ref_stable_neo_hookean(c->young, POISSON, 0);
    ref_mesh_bend(&c->mesh, 0.5, c->bent);
    for (size_t i = 0; i < n; ++i)
        c->answer[i] = c->bent[i] = (double)(float)c->bent[i];
    if (!ref_fem_create(&c->fem, &c->mesh, &m, 1, NULL, DENSITY))
        bench_fail(c->bench, "the reference cannot take the mesh");
    if (c->clamped)
        ref_fem_pin_range(&c->fem, &c->mesh, 1, -1e-6, 1e-6);
    c->problem = (ref_problem){(double)0.005f, c->bent, {0, 0, 0}, NULL};
    c->start = ref_fem_objective(&c->fem, &c->problem, c->bent);
    c->best = DBL_MAX;
    if (c->mesh.tets > NEWTON_TETS)
        return;
    const ref_options options = {1e-7 * (1 + c->young / 1e6), 100};
    const ref_result r = ref_fem_minimise(&c->fem, &c->problem, &options, c->answer);
    if (!r.converged)
        bench_note(c->bench, "%s: the reference is left with %.1e N", c->case_name, r.residual);
    c->best = r.objective;
}

static void compile(struct contest *c)
{
    const size_t tets = (size_t)c->mesh.tets;
    uint32_t *tet = bench_memory(c->bench, tets * 4 * sizeof *tet);
    piola_material m = piola_material_default();
    m.model = c->method->model;
    m.young = (float)c->young;
    m.poisson = (float)POISSON;
    for (size_t i = 0; i < tets; ++i) {
        /* The reference numbers corners the other way round. */
        const bool reversed = ref_mesh_volume(&c->mesh, c->mesh.x, (int)i) > 0;
        for (size_t k = 0; k < 4; ++k)
            tet[4 * i + k] = (uint32_t)c->mesh.tet[4 * i + (reversed && k < 2 ? 1 - k : k)];
    }
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = c->mesh.x;
    desc.vertex_count = (uint32_t)c->mesh.vertices;
    desc.tetrahedra = tet;
    desc.tetrahedron_count = (uint32_t)tets;
    desc.materials = &m;
    desc.material_count = 1;
    piola_error error;
    size_t bytes = 0;
    piola_plan *plan = NULL;
    bench_check(c->bench, "plan", piola_plan_size(&desc, &bytes, &error), &error);
    void *scratch = bench_memory(c->bench, bytes);
    bench_check(c->bench, "plan", piola_asset_plan(&desc, scratch, bytes, &plan, &error), &error);
    bytes = piola_plan_asset_size(plan);
    c->asset_memory = bench_memory(c->bench, bytes);
    bench_check(c->bench, "build",
                piola_asset_build(plan, &desc, c->asset_memory, bytes, &c->asset, &error), &error);
    bench_release(scratch);
    bench_release(tet);
}

/* A world with the bent body, and the bytes that it is in. */
static piola_world *make_world(struct contest *c, uint32_t iterations, void **memory,
                               piola_body *body)
{
    const uint32_t vertices = (uint32_t)c->mesh.vertices;
    piola_asset_stats stats;
    bench_check(c->bench, "asset", piola_asset_inspect(c->asset, &stats), NULL);
    piola_world_desc d = piola_world_desc_default();
    memset(d.gravity, 0, sizeof d.gravity);
    d.solver = c->method->solver;
    d.coarse_level = c->method->level;
    d.iterations = iterations;
    d.max_bodies = 1;
    d.max_particles = stats.particles;
    d.max_packs = stats.packs;
    d.isa = bench_widest_isa(c->bench);
    piola_body_desc b = piola_body_desc_default();
    b.asset = c->asset;
    size_t bytes = 0;
    piola_world *world = NULL;
    piola_error error;
    bench_check(c->bench, "world", piola_world_size(&d, &bytes, &error), &error);
    *memory = bench_memory(c->bench, bytes);
    bench_check(c->bench, "world", piola_world_create(&d, *memory, bytes, &world, &error), &error);
    bench_check(c->bench, "body", piola_body_create(world, &b, body, &error), &error);
    for (size_t i = 0; i < 3 * (size_t)vertices; ++i)
        c->x[i] = (float)c->bent[i];
    bench_check(c->bench, "state", piola_body_set_positions(world, *body, 0, vertices, c->x, NULL),
                NULL);
    return world;
}

static void pin(struct contest *c, piola_world *world, piola_body body)
{
    for (int v = 0; v < c->mesh.vertices; ++v) {
        const double *at = &c->bent[3 * (size_t)v];
        const float place[3] = {(float)at[0], (float)at[1], (float)at[2]};
        if (c->fem.pinned[v])
            bench_check(c->bench, "pin", piola_body_pin(world, body, (uint32_t)v, place), NULL);
    }
}

/* One step of so many iterations from the bent state: `repeats` times for its time. */
static struct result run_step(struct contest *c, uint32_t iterations, int repeats)
{
    void *memory = NULL;
    piola_body body;
    piola_world *world = make_world(c, iterations, &memory, &body);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = bench_memory(c->bench, bytes);
    const uint32_t vertices = (uint32_t)c->mesh.vertices;
    struct result r = {0, DBL_MAX};
    bench_check(c->bench, "snapshot", piola_snapshot_save(world, snapshot, bytes), NULL);
    for (int i = 0; i < repeats; ++i) {
        bench_check(c->bench, "snapshot", piola_snapshot_restore(world, snapshot, bytes), NULL);
        pin(c, world, body);
        const double from = bench_now();
        bench_check(c->bench, "step", piola_world_step(world, NULL, NULL), NULL);
        const double ms = 1e3 * (bench_now() - from);
        r.ms = ms < r.ms ? ms : r.ms;
    }
    bench_check(c->bench, "state", piola_body_positions(world, body, 0, vertices, c->x), NULL);
    for (size_t i = 0; i < 3 * (size_t)vertices; ++i)
        c->answer[i] = (double)c->x[i];
    piola_world_destroy(world);
    bench_release(snapshot);
    bench_release(memory);
    const double objective = ref_fem_objective(&c->fem, &c->problem, c->answer);
    r.gap = (objective - c->best) / (c->start - c->best);
    if (c->mesh.tets > NEWTON_TETS && objective < c->best)
        c->best = objective;
    return r;
}

/* The fewest iterations that come to the goal, and their time; nothing when 1000 do not. */
static void find_time(struct contest *c, const struct bench_labels *labels)
{
    uint32_t below = 0, n = 1;
    while (n < ITERATIONS_MOST && !(run_step(c, n, 1).gap <= GOAL)) {
        below = n;
        n = 2 * n < ITERATIONS_MOST ? 2 * n : ITERATIONS_MOST;
    }
    while (n - below > 1 + n / 16) {
        const uint32_t middle = (below + n) / 2;
        if (run_step(c, middle, 1).gap <= GOAL)
            n = middle;
        else
            below = middle;
    }
    const struct result r = run_step(c, n, REPEATS);
    if (!(r.gap <= GOAL)) {
        bench_note(c->bench, "%s, %s, %s: a gap of %.2g after %u iterations, %.3g ms",
                   labels->case_name, labels->solver, labels->material, r.gap, (unsigned)n, r.ms);
        return;
    }
    bench_row(c->bench, labels, "iterations_to_1e-2", n, "count");
    bench_row(c->bench, labels, "ms_to_1e-2", r.ms, "ms");
}

static void run_method(struct contest *c)
{
    static char metrics[STOPS][2][16];
    prepare(c);
    compile(c);
    const struct bench_labels labels = {
        .case_name = c->case_name,
        .isa = piola_isa_name(bench_widest_isa(c->bench)),
        .solver = c->method->name,
        .material = c->method->material,
        .elements = (uint64_t)c->mesh.tets,
    };
    if (c->mesh.tets > NEWTON_TETS) {
        struct method many = *c->method, *given = &many;
        many.solver = PIOLA_SOLVER_DESCENT;
        many.level = true;
        const struct method *own = c->method;
        c->method = given;
        (void)run_step(c, SETTLED, 1);
        c->method = own;
    }
    for (int i = 0; i < STOPS; ++i) {
        const struct result r = run_step(c, stops[i], REPEATS);
        snprintf(metrics[i][0], sizeof metrics[i][0], "gap_%u", (unsigned)stops[i]);
        snprintf(metrics[i][1], sizeof metrics[i][1], "ms_%u", (unsigned)stops[i]);
        bench_row(c->bench, &labels, metrics[i][0], r.gap, "ratio");
        bench_row(c->bench, &labels, metrics[i][1], r.ms, "ms");
    }
    if (c->method->solver == PIOLA_SOLVER_DESCENT && !bench_quick(c->bench))
        find_time(c, &labels);
    bench_release(c->asset_memory);
    ref_fem_free(&c->fem);
}

static const char *const case_names[] = {
    "armadillo_1e4", "armadillo_1e5", "armadillo_1e6", "armadillo_1e7", "armadillo_1e8",
    "armadillo_1e9", "bar1k_1e4",     "bar1k_1e5",     "bar1k_1e6",     "bar1k_1e7",
    "bar1k_1e8",     "bar1k_1e9",     "bar10k_1e4",    "bar10k_1e5",    "bar10k_1e6",
    "bar10k_1e7",    "bar10k_1e8",    "bar10k_1e9",    "bar100k_1e4",   "bar100k_1e5",
    "bar100k_1e6",   "bar100k_1e7",   "bar100k_1e8",   "bar100k_1e9",   NULL};
_Static_assert(sizeof case_names / sizeof *case_names == SHAPES * YOUNGS + 1, "a name a case");

static void run_shape(struct bench *bench, size_t shape)
{
    struct contest c = {.bench = bench, .clamped = shapes[shape].cells > 0};
    read_mesh(bench, &shapes[shape], &c.mesh);
    const size_t n = (size_t)c.mesh.vertices * 3;
    c.bent = bench_memory(bench, n * sizeof *c.bent);
    c.answer = bench_memory(bench, n * sizeof *c.answer);
    c.x = bench_memory(bench, n * sizeof *c.x);
    for (size_t y = 0; y < YOUNGS; ++y) {
        c.case_name = case_names[shape * YOUNGS + y];
        c.young = youngs[y];
        /* Every other modulus has to do for a quick look. */
        if (!bench_wants_case(bench, c.case_name) || (bench_quick(bench) && y % 2 == 0))
            continue;
        for (size_t m = 0; m < METHODS; ++m) {
            c.method = &methods[m];
            if (!bench_is_late(bench, c.case_name))
                run_method(&c);
        }
    }
    bench_release(c.bent);
    bench_release(c.answer);
    bench_release(c.x);
    ref_mesh_free(&c.mesh);
}

static bool wants_shape(const struct bench *bench, size_t shape)
{
    bool wanted = false;
    for (size_t y = 0; y < YOUNGS; ++y)
        wanted = wanted || bench_wants_case(bench, case_names[shape * YOUNGS + y]);
    return wanted && (shapes[shape].quick || !bench_quick(bench));
}

static void run(struct bench *bench)
{
    for (size_t shape = 0; shape < SHAPES; ++shape)
        if (wants_shape(bench, shape))
            run_shape(bench, shape);
}

const struct bench_entry bench_convergence_entry = {
    "convergence", "gap to the minimum of a step, by solver, iterations and time", case_names, run};
