/* bench_convergence.c - the bench `convergence`: how near each solver comes to the minimum of one
 * implicit-Euler step, by iterations. No time is measured.
 *
 *   gap_N   (G after N iterations - G*) / (G at the start - G*)
 *
 * A bent body at rest, dt 5 ms, no gravity; G* is the minimum that the double-precision reference
 * of the tests finds, and G is evaluated by it too, at the engine's positions. The body is the
 * Armadillo as its file measures it (metres), or a bar of as many elements, bent to 0.5 rad/m.
 */
#include "bench.h"
#include "io/mesh/meshgen.h"
#include "ref_fem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t stops[] = {1, 2, 5, 10, 20, 50, 100};
enum { STOPS = sizeof stops / sizeof *stops, PATH_BYTES = 4096 };

static const struct stiffness {
    const char *name;
    float young, poisson;
} stiffnesses[] = {{"soft", 1e5f, 0.45f}, {"stiff", 1e6f, 0.3f}};

static const struct method {
    const char *name;
    piola_solver solver;
    float chebyshev;
    piola_model model;
    const char *material;
} methods[] = {
    {"energy", PIOLA_SOLVER_ENERGY, 0, PIOLA_MODEL_STVK, "stvk"},
    {"compliant", PIOLA_SOLVER_COMPLIANT, 0, PIOLA_MODEL_STVK, "stvk"},
    {"compliant", PIOLA_SOLVER_COMPLIANT, 0, PIOLA_MODEL_STABLE_NEO_HOOKEAN, "stable_neo_hookean"},
    {"descent", PIOLA_SOLVER_DESCENT, 0, PIOLA_MODEL_STVK, "stvk"},
    {"descent", PIOLA_SOLVER_DESCENT, 0, PIOLA_MODEL_STABLE_NEO_HOOKEAN, "stable_neo_hookean"},
    {"descent_chebyshev_0.9", PIOLA_SOLVER_DESCENT, 0.9f, PIOLA_MODEL_STABLE_NEO_HOOKEAN,
     "stable_neo_hookean"},
    {"descent_chebyshev_0.95", PIOLA_SOLVER_DESCENT, 0.95f, PIOLA_MODEL_STABLE_NEO_HOOKEAN,
     "stable_neo_hookean"},
};

struct contest {
    struct bench *bench;
    ref_mesh mesh;
    ref_fem fem;
    ref_problem problem;
    double *bent, *answer, start, best;
    float *x;
    const struct stiffness *stiffness;
    const struct method *method;
};

static void read_mesh(struct bench *bench, ref_mesh *mesh)
{
    char path[PATH_BYTES];
    const char *given = getenv("PIOLA_DATA");
    snprintf(path, sizeof path, "%s/armadillo_4k", given && given[0] ? given : PIOLA_BENCH_DATA);
    if (ref_mesh_tetgen(mesh, path)) {
        double low = mesh->x[1], high = mesh->x[1];
        for (int v = 0; v < mesh->vertices; ++v) {
            low = mesh->x[3 * v + 1] < low ? mesh->x[3 * v + 1] : low;
            high = mesh->x[3 * v + 1] > high ? mesh->x[3 * v + 1] : high;
        }
        ref_mesh_normalise(mesh, high - low);
        return;
    }
    bench_note(bench, "no %s: a bar stands in for the Armadillo", path);
    const int cells[3] = {6, 21, 6};
    const double size[3] = {0.9, 3, 0.9};
    if (!ref_mesh_beam(mesh, cells, size, 5))
        bench_fail(bench, "the bar cannot be made");
    ref_mesh_normalise(mesh, 3);
}

/* The bent start in single precision, its G, and the reference's minimum from there. */
static void prepare(struct contest *c)
{
    const size_t n = (size_t)c->mesh.vertices * 3;
    const struct stiffness *s = c->stiffness;
    const ref_material m = c->method->model == PIOLA_MODEL_STVK
                               ? ref_stvk((double)s->young, (double)s->poisson)
                               : ref_stable_neo_hookean((double)s->young, (double)s->poisson, 0);
    ref_mesh_bend(&c->mesh, 0.5, c->bent);
    for (size_t i = 0; i < n; ++i)
        c->answer[i] = c->bent[i] = (double)(float)c->bent[i];
    if (!ref_fem_create(&c->fem, &c->mesh, &m, 1, NULL, 1000))
        bench_fail(c->bench, "the reference cannot take the mesh");
    c->problem = (ref_problem){(double)0.005f, c->bent, {0, 0, 0}, NULL};
    c->start = ref_fem_objective(&c->fem, &c->problem, c->bent);
    const ref_options options = {1e-7, 100};
    const ref_result r = ref_fem_minimise(&c->fem, &c->problem, &options, c->answer);
    if (!r.converged)
        bench_fail(c->bench, "the reference did not converge");
    c->best = r.objective;
}

static const piola_asset *compile(struct contest *c, void **memory)
{
    const size_t tets = (size_t)c->mesh.tets;
    uint32_t *tet = bench_memory(c->bench, tets * 4 * sizeof *tet);
    piola_material m = piola_material_default();
    m.model = c->method->model;
    m.young = c->stiffness->young;
    m.poisson = c->stiffness->poisson;
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
    const piola_asset *asset = NULL;
    bench_check(c->bench, "plan", piola_plan_size(&desc, &bytes, &error), &error);
    void *scratch = bench_memory(c->bench, bytes);
    bench_check(c->bench, "plan", piola_asset_plan(&desc, scratch, bytes, &plan, &error), &error);
    bytes = piola_plan_asset_size(plan);
    *memory = bench_memory(c->bench, bytes);
    bench_check(c->bench, "build", piola_asset_build(plan, &desc, *memory, bytes, &asset, &error),
                &error);
    bench_release(scratch);
    bench_release(tet);
    return asset;
}

static double gap(struct contest *c, const piola_asset *asset, uint32_t iterations)
{
    const uint32_t vertices = (uint32_t)c->mesh.vertices;
    const size_t n = (size_t)vertices * 3;
    piola_world_desc d = piola_world_desc_default();
    memset(d.gravity, 0, sizeof d.gravity);
    d.solver = c->method->solver;
    d.chebyshev = c->method->chebyshev;
    d.iterations = iterations;
    d.max_packs = 4096;
    d.isa = bench_widest_isa(c->bench);
    piola_body_desc b = piola_body_desc_default();
    b.asset = asset;
    size_t bytes = 0;
    piola_world *world = NULL;
    piola_body body;
    piola_error error;
    bench_check(c->bench, "world", piola_world_size(&d, &bytes, &error), &error);
    void *memory = bench_memory(c->bench, bytes);
    bench_check(c->bench, "world", piola_world_create(&d, memory, bytes, &world, &error), &error);
    bench_check(c->bench, "body", piola_body_create(world, &b, &body, &error), &error);
    for (size_t i = 0; i < n; ++i)
        c->x[i] = (float)c->bent[i];
    bench_check(c->bench, "state", piola_body_set_positions(world, body, 0, vertices, c->x, NULL),
                NULL);
    bench_check(c->bench, "step", piola_world_step(world, NULL, NULL), NULL);
    bench_check(c->bench, "state", piola_body_positions(world, body, 0, vertices, c->x), NULL);
    for (size_t i = 0; i < n; ++i)
        c->answer[i] = (double)c->x[i];
    piola_world_destroy(world);
    bench_release(memory);
    return (ref_fem_objective(&c->fem, &c->problem, c->answer) - c->best) / (c->start - c->best);
}

static void run_method(struct contest *c)
{
    static char metrics[STOPS][16];
    void *memory = NULL;
    prepare(c);
    const piola_asset *asset = compile(c, &memory);
    const struct bench_labels labels = {
        .case_name = c->stiffness->name,
        .isa = piola_isa_name(bench_widest_isa(c->bench)),
        .solver = c->method->name,
        .material = c->method->material,
        .elements = (uint64_t)c->mesh.tets,
    };
    for (int i = 0; i < STOPS; ++i) {
        snprintf(metrics[i], sizeof metrics[i], "gap_%u", (unsigned)stops[i]);
        bench_row(c->bench, &labels, metrics[i], gap(c, asset, stops[i]), "ratio");
    }
    bench_release(memory);
    ref_fem_free(&c->fem);
}

static void run(struct bench *bench)
{
    struct contest c = {.bench = bench};
    read_mesh(bench, &c.mesh);
    const size_t n = (size_t)c.mesh.vertices * 3;
    c.bent = bench_memory(bench, n * sizeof *c.bent);
    c.answer = bench_memory(bench, n * sizeof *c.answer);
    c.x = bench_memory(bench, n * sizeof *c.x);
    for (size_t s = 0; s < sizeof stiffnesses / sizeof *stiffnesses; ++s) {
        if (!bench_wants_case(bench, stiffnesses[s].name))
            continue;
        for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
            c.stiffness = &stiffnesses[s];
            c.method = &methods[m];
            if (!bench_is_late(bench, methods[m].name))
                run_method(&c);
        }
    }
    bench_release(c.bent);
    bench_release(c.answer);
    bench_release(c.x);
    ref_mesh_free(&c.mesh);
}

static const char *const case_names[] = {"soft", "stiff", NULL};
const struct bench_entry bench_convergence_entry = {
    "convergence", "gap to the minimum of a step, by solver and iterations", case_names, run};
