/* bench_detail.c - the bench `detail`: 1,000,000 vertices of a fine mesh that follow the
 * Armadillo's surface.
 *
 *   bind          binding them once, on one thread, s
 *   pose          the surface's normals at one moment, on one thread, ms
 *   evaluate      positions and normals of all vertices, ms; split evenly over the threads
 *   positions     positions alone, ms
 *
 * The vertices of the case `ordered` come triangle by triangle, as a modeller's mesh roughly has
 * them; in `shuffled` neighbours are anywhere, the worst that can be.
 */
#include "bench_scene.h"
#include "crew.h"

#include <stdlib.h>
#include <string.h>

enum { VERTICES = 1000000, NUMBERS = 3 * VERTICES };

struct fine {
    const piola_detail *detail;
    const piola_detail_pose *pose;
    void *detail_memory, *pose_memory;
    float *positions, *normals;
    bool with_normals;
    uint32_t threads;
};

/* ---- a fine mesh ---- */

/* Spread evenly over a triangle: the n-th point of an additive sequence, folded into it. */
static void spread(uint32_t n, double b[3])
{
    double u = 0.7548776662466927 * n, v = 0.5698402909980532 * n;
    u -= (double)(uint64_t)u;
    v -= (double)(uint64_t)v;
    b[0] = u + v > 1 ? 1 - u : u;
    b[1] = u + v > 1 ? 1 - v : v;
    b[2] = 1 - b[0] - b[1];
}

/* Near a triangle, a little above its plane; towards its corners less, so that it stays near. */
static void place(const struct meshgen *mesh, const uint32_t *v, uint32_t n, double point[3])
{
    double b[3], a[3], c[3];
    spread(n, b);
    for (size_t k = 0; k < 3; k++) {
        const double *x = mesh->vertices + k;
        a[k] = x[3 * (size_t)v[1]] - x[3 * (size_t)v[0]];
        c[k] = x[3 * (size_t)v[2]] - x[3 * (size_t)v[0]];
        point[k] =
            b[0] * x[3 * (size_t)v[0]] + b[1] * x[3 * (size_t)v[1]] + b[2] * x[3 * (size_t)v[2]];
    }
    const double bump = 27 * b[0] * b[1] * b[2] * 0.1;
    for (size_t k = 0; k < 3; k++) {
        const size_t i = (k + 1) % 3, j = (k + 2) % 3;
        /* An area over a length is a length: a tenth of the triangle's size at most. */
        point[k] +=
            bump * (a[i] * c[j] - a[j] * c[i]) / (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + 1e-30);
    }
}

static void shuffle(double *points)
{
    uint64_t state = 1;
    for (size_t i = VERTICES - 1; i > 0; i--) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const size_t j = (size_t)((state >> 33) % (i + 1));
        double kept[3];
        memcpy(kept, points + 3 * i, sizeof kept);
        memcpy(points + 3 * i, points + 3 * j, sizeof kept);
        memcpy(points + 3 * j, kept, sizeof kept);
    }
}

static double *make_points(struct bench *bench, const struct bench_mesh *mesh,
                           const piola_asset *asset, bool shuffled)
{
    uint32_t triangles = 0;
    const uint32_t *surface = piola_asset_surface(asset, &triangles);
    double *points = bench_memory(bench, NUMBERS * sizeof *points);
    for (uint32_t i = 0; i < VERTICES; i++) {
        const uint32_t triangle = (uint32_t)((uint64_t)i * triangles / VERTICES);
        place(&mesh->mesh, surface + 3 * (size_t)triangle, i, points + 3 * (size_t)i);
    }
    if (shuffled)
        shuffle(points);
    return points;
}

static void bind(struct bench *bench, const struct bench_labels *labels, const piola_asset *asset,
                 const double *points, struct fine *fine)
{
    piola_detail_desc desc = piola_detail_desc_default();
    piola_error error = {0};
    size_t bytes = 0, scratch_bytes = 0;
    desc.asset = asset;
    desc.vertices = points;
    desc.vertex_count = VERTICES;
    bench_check(bench, "detail", piola_detail_size(&desc, &bytes, &scratch_bytes, &error), &error);
    void *scratch = bench_memory(bench, scratch_bytes);
    fine->detail_memory = bench_memory(bench, bytes);
    const double begin = bench_now();
    bench_check(bench, "detail",
                piola_detail_build(&desc, scratch, scratch_bytes, fine->detail_memory, bytes,
                                   &fine->detail, &error),
                &error);
    bench_row(bench, labels, "bind", bench_now() - begin, "s");
    bench_release(scratch);
    piola_detail_stats stats;
    bench_check(bench, "detail", piola_detail_inspect(fine->detail, &stats), NULL);
    bench_row(bench, labels, "outside", stats.outside, "vertices");
    bench_row(bench, labels, "bytes_per_vertex", (double)bytes / VERTICES, "B");
}

/* ---- measuring ---- */

struct posing {
    const struct fine *fine;
    const struct bench_scene *scene;
};

static void take_pose(void *context)
{
    const struct posing *p = context;
    const piola_detail_pose *pose;
    (void)piola_detail_pose_take(p->fine->detail, p->scene->world, p->scene->bodies[0],
                                 p->fine->pose_memory, piola_detail_pose_size(p->fine->detail),
                                 &pose);
}

/* Thread n's share, cut at a multiple of 16. */
static void evaluate(void *context, uint32_t thread)
{
    const struct fine *fine = context;
    const uint64_t packs = VERTICES / 16;
    const uint32_t first = (uint32_t)(16 * (packs * thread / fine->threads));
    const uint32_t end = thread + 1 == fine->threads
                             ? VERTICES
                             : (uint32_t)(16 * (packs * (thread + 1) / fine->threads));
    (void)piola_detail_evaluate(fine->detail, fine->pose, first, end - first,
                                fine->positions + 3 * (size_t)first,
                                fine->with_normals ? fine->normals + 3 * (size_t)first : NULL);
}

static void measure(struct bench *bench, struct bench_labels labels, struct fine *fine,
                    const char *metric)
{
    enum { MOST = 400 };
    double seconds[MOST];
    const size_t samples = bench_quick(bench) ? 40 : MOST;
    struct bench_stats stats;
    labels.threads = fine->threads;
    fine->with_normals = strcmp(metric, "evaluate") == 0;
    struct bench_crew *crew = bench_crew_start(bench, fine->threads);
    (void)bench_crew_run(crew, evaluate, fine);
    for (size_t i = 0; i < samples; i++)
        seconds[i] = bench_crew_run(crew, evaluate, fine);
    bench_crew_end(crew);
    bench_stats_of(seconds, samples, &stats);
    bench_stats_rows(bench, &labels, metric, &stats, 1e3, "ms");
}

static void measure_all(struct bench *bench, struct bench_labels labels, struct fine *fine,
                        const struct bench_scene *scene)
{
    struct bench_stats stats;
    fine->pose_memory = bench_memory(bench, piola_detail_pose_size(fine->detail));
    fine->positions = bench_memory(bench, NUMBERS * sizeof(float));
    fine->normals = bench_memory(bench, NUMBERS * sizeof(float));
    bench_check(bench, "pose",
                piola_detail_pose_take(fine->detail, scene->world, scene->bodies[0],
                                       fine->pose_memory, piola_detail_pose_size(fine->detail),
                                       &fine->pose),
                NULL);
    labels.threads = 1;
    bench_measure(bench, take_pose, &(struct posing){fine, scene}, &stats);
    bench_stats_rows(bench, &labels, "pose", &stats, 1e3, "ms");
    for (uint32_t threads = 1; threads <= 64; threads++) {
        if (!bench_wants_threads(bench, threads))
            continue;
        fine->threads = threads;
        measure(bench, labels, fine, "positions");
        measure(bench, labels, fine, "evaluate");
    }
    bench_release(fine->normals);
    bench_release(fine->positions);
    bench_release(fine->pose_memory);
}

static void run_case(struct bench *bench, const struct bench_mesh *mesh,
                     const struct bench_asset *asset, const char *case_name)
{
    struct bench_labels labels = {
        .case_name = case_name, .bodies = 1, .elements = asset->stats.surface_triangles};
    struct fine fine = {0};
    labels.particles = VERTICES;
    bench_note(bench, "%s: %lu vertices on %lu triangles of %s", case_name, (unsigned long)VERTICES,
               (unsigned long)asset->stats.surface_triangles, mesh->origin);
    double *points = make_points(bench, mesh, asset->asset, strcmp(case_name, "shuffled") == 0);
    bind(bench, &labels, asset->asset, points, &fine);
    bench_release(points);
    for (int isa = PIOLA_ISA_AUTO + 1; isa < PIOLA_ISA_COUNT; isa++) {
        if (!bench_wants_isa(bench, (piola_isa)isa) ||
            bench_is_late(bench, piola_isa_name((piola_isa)isa)))
            continue;
        const struct bench_scene_desc desc = {.compiled = asset,
                                              .bodies = 1,
                                              .solver = PIOLA_SOLVER_DESCENT,
                                              .isa = (piola_isa)isa,
                                              .threads = 1};
        struct bench_scene scene;
        labels.isa = piola_isa_name((piola_isa)isa);
        bench_scene_open(bench, &desc, &scene);
        measure_all(bench, labels, &fine, &scene);
        bench_scene_close(&scene);
    }
    bench_release(fine.detail_memory);
}

static const char *const cases[] = {"ordered", "shuffled", NULL};

static void run(struct bench *bench)
{
    struct bench_mesh mesh;
    struct bench_asset asset;
    bench_mesh_armadillo(bench, &mesh);
    bench_asset_make(bench, &mesh, PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_COMPILE_FOR_DESCENT,
                     &asset);
    for (const char *const *name = cases; *name; name++)
        if (bench_wants_case(bench, *name) && !bench_is_late(bench, *name))
            run_case(bench, &mesh, &asset, *name);
    bench_asset_release(&asset);
    bench_mesh_release(&mesh);
}

const struct bench_entry bench_detail_entry = {
    .name = "detail",
    .what = "1,000,000 vertices of a fine mesh that follow a surface",
    .cases = cases,
    .run = run,
};
