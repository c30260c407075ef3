/* bench_contact.c - the bench `contact`: bodies and cloth that touch, and what of a step that
 * takes.
 *
 * A pile of Armadillos falls on a floor, layer on layer: of rubber, 1e6 Pa, which carries three
 * metres of its own weight, and of jelly, 1e5 Pa, which does not: the lower ones are crushed. A
 * sheet of 80,000 triangles falls over a ball and on itself. What is timed are steps of 5 ms with 5
 * iterations from a state in which they touch, reached by simulating. A step's parts are sums of
 * the phases that the engine reports by the bench's clock.
 */
#include "bench_scene.h"
#include "families/families.h"
#include "families/surface/surface.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 5, STEPS_FROM_STATE = 4, PARTS_SAMPLES = 9 };

enum contact_case { PILE10, PILE100, PILE1000, CRUSHED100, CLOTH_SPHERE, CASE_COUNT };

static const struct {
    const char *name;
    uint32_t bodies;
    uint32_t contacts;    /* room a body */
    uint32_t fall, quick; /* steps until they are measured */
    float thickness;      /* m */
    float young;          /* Pa, of solids */
} contact_cases[CASE_COUNT] = {
    [PILE10] = {"pile10", 10, 20000, 240, 100, 0.005f, 1e6f},
    [PILE100] = {"pile100", 100, 20000, 240, 40, 0.005f, 1e6f},
    [PILE1000] = {"pile1000", 1000, 10000, 160, 0, 0.005f, 1e6f},
    [CRUSHED100] = {"crushed100", 100, 20000, 240, 0, 0.005f, 1e5f},
    [CLOTH_SPHERE] = {"cloth_sphere", 1, 2000000, 120, 60, 0.001f, 0},
};

static const struct {
    piola_solver solver;
    uint32_t family;
    piola_model model; /* of solids */
    const char *name;
    bool quick;
} solvers[] = {
    {PIOLA_SOLVER_DESCENT, PIOLA_COMPILE_FOR_DESCENT, PIOLA_MODEL_STABLE_NEO_HOOKEAN, "descent",
     true},
    {PIOLA_SOLVER_ENERGY, PIOLA_COMPILE_FOR_PROJECTION, PIOLA_MODEL_STVK, "energy", false},
};

enum { SOLVER_COUNT = sizeof solvers / sizeof solvers[0] };

struct trial {
    struct bench *bench;
    enum contact_case of;
    uint32_t solver, threads;
    piola_isa isa;
    const struct bench_asset *compiled;
};

/* Seconds of one step: finding what may meet; forces and limits of what does; all else that bodies
 * do. */
struct parts {
    double broad, narrow, solve;
};

/* ---- scenes ---- */

/* Layers of a square, a little out of line, each falling on the next. */
static void place_in_pile(uint32_t number, uint32_t bodies, const float half[3],
                          piola_body_desc *desc)
{
    const uint32_t layers = bodies < 100 ? 3 : bodies < 1000 ? 4 : 10;
    uint32_t side = 1;
    while (side * side * layers < bodies)
        side++;
    const uint32_t at[3] = {number % side, number / (side * side), number / side % side};
    for (int axis = 0; axis < 3; axis++)
        desc->position[axis] = 1.96f * half[axis] * (float)at[axis];
    desc->position[0] += 0.2f * half[0] * (float)(at[1] % 3);
    desc->position[1] = 2.0f * half[1] * (float)at[1] + 1.2f * half[1];
    desc->position[2] += 0.15f * half[2] * (float)(at[1] % 2);
    desc->velocity[1] = -2 - 0.5f * (float)at[1];
    desc->velocity[0] = 0.5f * (float)(number % 3) - 0.5f;
    desc->angular_velocity[1] = 0.4f * (float)(number % 5) - 0.8f;
}

static void place_sheet(uint32_t number, uint32_t bodies, const float half[3],
                        piola_body_desc *desc)
{
    (void)number, (void)bodies;
    desc->position[0] = -half[0] + 0.03f;
    desc->position[1] = 0.27f;
    desc->position[2] = -half[2] - 0.02f;
}

static void put_collider(struct bench *bench, struct bench_scene *scene, float radius)
{
    piola_collider_desc desc = piola_collider_desc_default();
    piola_collider made;
    desc.shape.kind = radius > 0 ? PIOLA_SHAPE_SPHERE : PIOLA_SHAPE_PLANE;
    desc.shape.radius = radius;
    desc.position[1] = radius > 0 ? 0 : -0.35f * (float)(scene->body_count == 1);
    bench_check(bench, "collider", piola_collider_create(scene->world, &desc, &made, NULL), NULL);
}

/* Opens the case's scene and plays until bodies touch. */
static void open_scene(const struct trial *run, struct bench_scene *scene)
{
    const bool sheet = run->of == CLOTH_SPHERE;
    const uint32_t bodies = contact_cases[run->of].bodies;
    const struct bench_scene_desc desc = {.compiled = run->compiled,
                                          .bodies = bodies,
                                          .solver = solvers[run->solver].solver,
                                          .isa = run->isa,
                                          .threads = run->threads,
                                          .iterations = ITERATIONS,
                                          .contacts = bodies * contact_cases[run->of].contacts,
                                          .colliders = 2,
                                          .thickness = contact_cases[run->of].thickness,
                                          .place = sheet ? place_sheet : place_in_pile};
    const uint32_t steps =
        bench_quick(run->bench) ? contact_cases[run->of].quick : contact_cases[run->of].fall;
    bench_scene_open(run->bench, &desc, scene);
    put_collider(run->bench, scene, 0);
    if (sheet)
        put_collider(run->bench, scene, 0.25f);
    for (uint32_t i = 0; i < steps; i++)
        bench_scene_step(run->bench, scene, NULL);
    bench_scene_keep(run->bench, scene);
}

/* ---- measuring ---- */

/* Pairs nearer than the thickness, after a step. */
static uint64_t count_contacts(const piola_world *world)
{
    uint64_t count = 0;
    double weight[4], between[3];
    for (uint32_t p = 0; p < world_surface_now(world)->pair_pack_end; p++) {
        const struct pair_range *range = surface_range(world, p);
        for (uint32_t lane = 0; lane < PK_LANES; lane++) {
            const struct pair pair = surface_pair(world, p, lane, range->kind);
            count += (surface_lanes(range, p) >> lane & 1) &&
                     surface_near(&pair, world_position(world), weight, between) <
                         (double)world->desc.contact_thickness;
        }
    }
    return count;
}

static struct parts measure_parts(const struct trial *run, struct bench_scene *scene)
{
    double samples[3][PARTS_SAMPLES];
    struct bench_stats stats[3];
    for (uint32_t i = 0; i < PARTS_SAMPLES; i++) {
        piola_report report;
        const double *seconds = report.phase_seconds;
        bench_scene_return(run->bench, scene);
        bench_scene_step(run->bench, scene, NULL);
        bench_scene_step(run->bench, scene, &report);
        samples[0][i] = seconds[PIOLA_PHASE_FIND];
        samples[1][i] = seconds[PIOLA_PHASE_CONSTRAINTS] + seconds[PIOLA_PHASE_LIMIT];
        samples[2][i] = seconds[PIOLA_PHASE_PREDICT] + seconds[PIOLA_PHASE_ELEMENTS] +
                        seconds[PIOLA_PHASE_FINISH];
    }
    for (int k = 0; k < 3; k++)
        bench_stats_of(samples[k], PARTS_SAMPLES, &stats[k]);
    return (struct parts){stats[0].median, stats[1].median, stats[2].median};
}

/* What a step took of what piola_world_bound bounds: these do not depend on the machine. */
static void work_rows(struct bench *bench, const struct bench_labels *labels,
                      const piola_contact_work *work)
{
    bench_row(bench, labels, "searches", (double)work->searches, "a step");
    bench_row(bench, labels, "tests", (double)work->tests, "a step");
    bench_row(bench, labels, "rounds", (double)work->rounds, "a step");
    bench_row(bench, labels, "proofs", (double)work->proofs, "a step");
    bench_row(bench, labels, "pushes", (double)work->pushes, "a step");
}

/* Returns the median step in seconds. */
static double measure(const struct trial *run, double single)
{
    struct bench_scene scene;
    struct bench_stats stats;
    piola_report report = {0};
    const struct bench_labels labels = {
        .case_name = contact_cases[run->of].name,
        .isa = piola_isa_name(run->isa),
        .threads = run->threads,
        .solver = solvers[run->solver].name,
        .bodies = contact_cases[run->of].bodies,
        .particles = (uint64_t)contact_cases[run->of].bodies * run->compiled->stats.particles,
        .elements = (uint64_t)contact_cases[run->of].bodies *
                    ((uint64_t)run->compiled->stats.tetrahedra + run->compiled->stats.triangles)};
    open_scene(run, &scene);
    bench_scene_measure(run->bench, &scene, STEPS_FROM_STATE, &stats);
    const struct parts parts = measure_parts(run, &scene);
    bench_scene_return(run->bench, &scene);
    bench_scene_step(run->bench, &scene, &report);
    const double contact = parts.broad + parts.narrow;
    const double touching = (double)count_contacts(scene.world);
    if (report.contacts_dropped > 0)
        bench_note(run->bench, "%u pairs were dropped", report.contacts_dropped);
    bench_scene_close(&scene);
    bench_stats_rows(run->bench, &labels, "step", &stats, 1e3, "ms");
    bench_row(run->bench, &labels, "broad", 1e3 * parts.broad, "ms");
    bench_row(run->bench, &labels, "narrow", 1e3 * parts.narrow, "ms");
    bench_row(run->bench, &labels, "solve", 1e3 * parts.solve, "ms");
    bench_ratio(run->bench, &labels, "share_of_contact", contact, contact + parts.solve);
    bench_row(run->bench, &labels, "candidates", report.contacts, "pairs");
    bench_row(run->bench, &labels, "contacts", touching, "pairs");
    work_rows(run->bench, &labels, &report.work);
    bench_row(run->bench, &labels, "candidates_per_s", report.contacts / contact, "pairs/s");
    bench_row(run->bench, &labels, "contacts_per_s", touching / contact, "pairs/s");
    bench_ratio(run->bench, &labels, "speedup", single, run->threads > 1 ? stats.median : 0);
    return stats.median;
}

/* A case with 1 and 2 threads; the growth from the piles before to this one. */
static void run_case(struct trial *run, double per_body[CASE_COUNT])
{
    double single = 0;
    for (run->threads = 1; run->threads <= 2; run->threads++) {
        if (!bench_wants_threads(run->bench, run->threads))
            continue;
        if (bench_seconds_left(run->bench) < 4) {
            bench_note(run->bench, "%s: left out, --quick has no time left",
                       contact_cases[run->of].name);
            continue;
        }
        const double step = measure(run, single);
        single = run->threads == 1 ? step : single;
        per_body[run->of] = step / contact_cases[run->of].bodies;
    }
    const struct bench_labels labels = {.case_name = contact_cases[run->of].name,
                                        .isa = piola_isa_name(run->isa),
                                        .solver = solvers[run->solver].name,
                                        .bodies = contact_cases[run->of].bodies};
    if (run->of == PILE100 || run->of == PILE1000)
        bench_ratio(run->bench, &labels, "cost_of_a_body", per_body[run->of], per_body[PILE10]);
}

static void make_armadillo(struct bench *bench, uint32_t solver, float young,
                           struct bench_asset *compiled)
{
    struct bench_mesh mesh;
    bench_mesh_armadillo(bench, &mesh);
    piola_material material = piola_material_default();
    piola_mesh_desc desc = meshgen_desc(&mesh.mesh);
    material.model = solvers[solver].model;
    material.young = young;
    desc.compile_for = solvers[solver].family;
    desc.materials = &material;
    desc.material_count = 1;
    bench_asset_compile(bench, &desc, compiled);
    bench_mesh_release(&mesh);
}

static void run_solver(struct bench *bench, uint32_t solver)
{
    double per_body[CASE_COUNT] = {0};
    struct bench_asset compiled;
    struct trial run = {
        .bench = bench, .solver = solver, .isa = bench_widest_isa(bench), .compiled = &compiled};
    for (int of = PILE10; of < CLOTH_SPHERE; of++) {
        run.of = (enum contact_case)of;
        if (!bench_wants_case(bench, contact_cases[of].name) ||
            (bench_quick(bench) && contact_cases[of].quick == 0))
            continue;
        make_armadillo(bench, solver, contact_cases[of].young, &compiled);
        run_case(&run, per_body);
        bench_asset_release(&compiled);
    }
    run.of = CLOTH_SPHERE;
    if (!bench_wants_case(bench, contact_cases[CLOTH_SPHERE].name))
        return;
    bench_asset_sheet(bench, 200, 1, solvers[solver].family, &compiled);
    run_case(&run, per_body);
    bench_asset_release(&compiled);
}

static void run(struct bench *bench)
{
    for (uint32_t solver = 0; solver < SOLVER_COUNT; solver++) {
        if (bench_quick(bench) && !solvers[solver].quick)
            continue;
        bench_note(bench, "%s", solvers[solver].name);
        run_solver(bench, solver);
    }
}

static const char *const cases[] = {"pile10",     "pile100",      "pile1000",
                                    "crushed100", "cloth_sphere", NULL};

const struct bench_entry bench_contact_entry = {
    .name = "contact",
    .what = "surfaces that touch: piles of bodies, cloth on a ball and on itself; shares of a step",
    .cases = cases,
    .run = run,
};
