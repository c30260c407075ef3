/* bench_packs.c - the bench `packs`: how full the packs of compiled meshes are, how many colours
 * their clusters take, and how long compiling and opening them takes on one thread.
 *
 *   fill_elements, fill_vertices   shares of the lanes of packs, and of the visits of vertex packs,
 * that hold an element or a visit fill_lanes                     share of the lanes of vertex packs
 * that hold a vertex colours, vertex_colours        of element clusters and of vertex clusters:
 * barriers of one iteration, 1 for a body of one cluster plain_colours                  of all
 * elements by plain greedy colouring, for comparison compile_ms, open_ms            plan and build;
 * check of the stored asset bytes_per_element              of the asset, for all solvers
 */
#include "asset/asset.h"
#include "bench.h"
#include "io/mesh/meshgen.h"
#include "io/mesh/tetgen.h"

#include <stdio.h>
#include <stdlib.h>

enum shape { ARMADILLO, BEAM, BALL, TORUS };

static const struct pack_case {
    const char *name;
    enum shape shape;
    uint32_t tetrahedra; /* about */
} cases[] = {
    {"armadillo_4k", ARMADILLO, 3717}, {"beam5k", BEAM, 5000},     {"ball5k", BALL, 5000},
    {"torus5k", TORUS, 5000},          {"beam50k", BEAM, 50000},   {"ball50k", BALL, 50000},
    {"torus50k", TORUS, 50000},        {"beam500k", BEAM, 500000}, {"ball500k", BALL, 500000},
    {"torus500k", TORUS, 500000},
};

enum { CASES = sizeof cases / sizeof cases[0], PATH = 4096, REPEATS = 3 };

static bool read_armadillo(struct bench *bench, struct meshgen *mesh)
{
    char node[PATH], ele[PATH];
    struct problem problem = {0};
    const char *given = getenv("PIOLA_DATA");
    const char *folder = given != NULL && given[0] != 0 ? given : PIOLA_BENCH_DATA;
    snprintf(node, sizeof node, "%s/armadillo_4k.node", folder);
    snprintf(ele, sizeof ele, "%s/armadillo_4k.ele", folder);
    if (!tetgen_read(node, ele, mesh, &problem)) {
        bench_note(bench, "armadillo_4k is left out: %s", problem.text);
        return false;
    }
    return true;
}

static bool make_mesh(struct bench *bench, const struct pack_case *c, struct meshgen *mesh)
{
    bool made = false;
    switch (c->shape) {
    case ARMADILLO:
        return read_armadillo(bench, mesh);
    case BEAM:
        made = meshgen_beam(mesh, c->tetrahedra);
        break;
    case BALL:
        made = meshgen_ball(mesh, 1, c->tetrahedra);
        break;
    case TORUS:
        made = meshgen_torus(mesh, 1, 0.35, c->tetrahedra);
        break;
    }
    if (!made) {
        bench_fail(bench, "%s cannot be made", c->name);
    }
    return true;
}

struct compiled {
    const piola_asset *asset;
    void *memory;
    double compile[REPEATS], open[REPEATS]; /* s */
    unsigned repeats;
};

static void compile_once(struct bench *bench, const piola_mesh_desc *desc, void *scratch,
                         size_t scratch_bytes, struct compiled *to)
{
    piola_error error = {0};
    piola_plan *plan = NULL;
    const double start = bench_now();
    bench_check(bench, "piola_asset_plan",
                piola_asset_plan(desc, scratch, scratch_bytes, &plan, &error), &error);
    const double planned = bench_now();
    const size_t bytes = piola_plan_asset_size(plan);
    if (to->memory == NULL) {
        to->memory = bench_memory(bench, bytes);
    }
    const double ready = bench_now();
    bench_check(bench, "piola_asset_build",
                piola_asset_build(plan, desc, to->memory, bytes, &to->asset, &error), &error);
    const double built = bench_now();
    bench_check(bench, "piola_asset_open", piola_asset_open(to->memory, bytes, &to->asset, &error),
                &error);
    to->open[to->repeats] = bench_now() - built;
    to->compile[to->repeats++] = planned - start + built - ready;
}

static void compile(struct bench *bench, const struct meshgen *mesh, struct compiled *to)
{
    const piola_material material = piola_material_default();
    piola_mesh_desc desc = meshgen_desc(mesh);
    desc.materials = &material;
    desc.material_count = 1;
    piola_error error = {0};
    size_t bytes = 0;
    bench_check(bench, "piola_plan_size", piola_plan_size(&desc, &bytes, &error), &error);
    void *scratch = bench_memory(bench, bytes);
    *to = (struct compiled){0};
    while (to->repeats < (bench_quick(bench) ? 1 : REPEATS)) {
        compile_once(bench, &desc, scratch, bytes, to);
    }
    bench_release(scratch);
}

static void write_rows(struct bench *bench, const struct pack_case *c, struct compiled *done)
{
    piola_asset_stats stats;
    bench_check(bench, "piola_asset_inspect", piola_asset_inspect(done->asset, &stats), NULL);
    const struct bench_labels labels = {.case_name = c->name,
                                        .particles = stats.particles,
                                        .elements = stats.tetrahedra,
                                        .bytes = piola_asset_bytes(done->asset)};
    struct bench_labels timed = labels;
    timed.samples = done->repeats;
    struct bench_stats compile_time, open_time;
    bench_stats_of(done->compile, done->repeats, &compile_time);
    bench_stats_of(done->open, done->repeats, &open_time);
    const double lanes = (double)done->asset->at.vertex_packs.count * PK_LANES;
    bench_row(bench, &labels, "fill_elements", (double)stats.fill_elements, "share");
    bench_row(bench, &labels, "fill_vertices", (double)stats.fill_vertices, "share");
    bench_row(bench, &labels, "fill_lanes", stats.vertices / lanes, "share");
    bench_row(bench, &labels, "colours", stats.cluster_colours, "1");
    bench_row(bench, &labels, "vertex_colours", stats.vertex_cluster_colours, "1");
    bench_row(bench, &labels, "plain_colours", stats.element_colours, "1");
    bench_row(bench, &timed, "compile_ms", 1e3 * compile_time.median, "ms");
    bench_row(bench, &timed, "open_ms", 1e3 * open_time.median, "ms");
    bench_row(bench, &labels, "bytes_per_element",
              (double)piola_asset_bytes(done->asset) / stats.tetrahedra, "B");
}

static void run(struct bench *bench)
{
    for (unsigned i = 0; i < CASES; i++) {
        struct meshgen mesh;
        if (!bench_wants_case(bench, cases[i].name) || bench_is_late(bench, cases[i].name) ||
            !make_mesh(bench, &cases[i], &mesh)) {
            continue;
        }
        struct compiled done;
        compile(bench, &mesh, &done);
        meshgen_free(&mesh);
        write_rows(bench, &cases[i], &done);
        bench_release(done.memory);
    }
}

static const char *const names[] = {"armadillo_4k", "beam5k",    "ball5k",   "torus5k",
                                    "beam50k",      "ball50k",   "torus50k", "beam500k",
                                    "ball500k",     "torus500k", NULL};

const struct bench_entry bench_packs_entry = {
    "packs", "fill of compiled meshes' packs, colours of their clusters, time to compile", names,
    run};
