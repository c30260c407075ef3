/* bench_crowd.c - the bench `crowd`: what a body costs where there are many, and a collider.
 *
 * Bodies are cubes of five tetrahedra, so that little else is measured. `flyingN`: that many fall
 * together, with contact between surfaces, of which none is near another. `cubesN`: the same of
 * cubes of 0.1 m, 0.9 m apart. `spheresN`: a thousand
 * above that many colliders that stand still, none of them near. The row `come_and_go` is what it
 * takes to destroy one of the bodies and to make it again.
 */
#include "bench_scene.h"

enum { ITERATIONS = 5, RUN = 32, PAIRS = 50, ABOVE = 1000, FAR = 3 };

static const struct {
    const char *name;
    uint32_t bodies, spheres;
    bool large; /* cubes of 0.1 m */
} crowds[] = {
    {"flying10", 10, 0, false},        {"flying100", 100, 0, false},
    {"flying1000", 1000, 0, false},    {"flying4000", 4000, 0, false},
    {"cubes10", 10, 0, true},          {"cubes1000", 1000, 0, true},
    {"spheres0", ABOVE, 0, false},     {"spheres16", ABOVE, 16, false},
    {"spheres256", ABOVE, 256, false}, {"spheres1000", ABOVE, 1000, false},
};

enum { CROWDS = sizeof crowds / sizeof crowds[0], FLYING = 6 };

/* A carpet of balls as large as the bodies, a metre below them. */
static void lay_spheres(struct bench *bench, struct bench_scene *scene, uint32_t count)
{
    piola_collider_desc desc = piola_collider_desc_default();
    piola_collider made;
    piola_error error;
    desc.shape.kind = PIOLA_SHAPE_SPHERE;
    desc.shape.radius = 0.02f;
    desc.position[1] = -1;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = i / 32;
        desc.position[0] = 0.05f * (float)(i % 32);
        desc.position[2] = 0.05f * (float)row;
        bench_check(bench, "collider", piola_collider_create(scene->world, &desc, &made, &error),
                    &error);
    }
}

/* The first body goes and comes again, which also has to find its place anew. */
static void come_and_go(struct bench *bench, const struct bench_asset *asset,
                        struct bench_scene *scene, const struct bench_labels *labels)
{
    enum { ROUNDS = 101 };
    double samples[ROUNDS];
    struct bench_stats stats;
    piola_body_desc desc = piola_body_desc_default();
    piola_error error = {.status = PIOLA_OK};
    desc.asset = asset->asset;
    for (int i = 0; i < ROUNDS; i++) {
        const double begin = bench_now();
        bench_check(bench, "body", piola_body_destroy(scene->world, scene->bodies[0]), &error);
        bench_check(bench, "body",
                    piola_body_create(scene->world, &desc, &scene->bodies[0], &error), &error);
        samples[i] = bench_now() - begin;
    }
    bench_stats_of(samples, ROUNDS, &stats);
    bench_stats_rows(bench, labels, "come_and_go", &stats, 1e6, "us");
}

static void measure(struct bench *bench, const struct bench_asset *asset, uint32_t number,
                    uint32_t threads)
{
    const uint32_t bodies = crowds[number].bodies, spheres = crowds[number].spheres;
    const struct bench_scene_desc desc = {.compiled = asset,
                                          .bodies = bodies,
                                          .solver = PIOLA_SOLVER_DESCENT,
                                          .isa = bench_widest_isa(bench),
                                          .threads = threads,
                                          .iterations = ITERATIONS,
                                          .contacts = number < FLYING ? PAIRS * bodies : 0,
                                          .colliders = spheres,
                                          .thickness = 5e-4f,
                                          .spread = FAR};
    const struct bench_labels labels = {.case_name = crowds[number].name,
                                        .isa = piola_isa_name(desc.isa),
                                        .threads = threads,
                                        .solver = "descent",
                                        .bodies = bodies,
                                        .particles = (uint64_t)bodies * asset->stats.particles,
                                        .elements = (uint64_t)bodies * asset->stats.tetrahedra};
    struct bench_scene scene;
    struct bench_stats stats;
    bench_scene_open(bench, &desc, &scene);
    lay_spheres(bench, &scene, spheres);
    come_and_go(bench, asset, &scene, &labels);
    bench_scene_keep(bench, &scene);
    bench_scene_measure(bench, &scene, RUN, &stats);
    bench_scene_close(&scene);
    bench_stats_rows(bench, &labels, "step", &stats, 1e3, "ms");
    bench_row(bench, &labels, "body", 1e6 * stats.median / bodies, "us");
}

static void run(struct bench *bench)
{
    static const uint32_t one[3] = {1, 1, 1};
    struct bench_asset assets[2]; /* small, large */
    for (int large = 0; large < 2; large++) {
        struct bench_mesh mesh;
        bench_mesh_box(bench, one, &mesh);
        for (uint32_t i = 0; large && i < 3 * mesh.mesh.vertex_count; i++)
            mesh.mesh.vertices[i] *= 5;
        bench_asset_make(bench, &mesh, PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_COMPILE_FOR_DESCENT,
                         &assets[large]);
        bench_mesh_release(&mesh);
    }
    for (uint32_t i = 0; i < CROWDS; i++)
        for (uint32_t threads = 1; threads <= 64; threads++)
            if (bench_wants_case(bench, crowds[i].name) && bench_wants_threads(bench, threads)) {
                bench_note(bench, "%s, threads: %lu", crowds[i].name, (unsigned long)threads);
                measure(bench, &assets[crowds[i].large], i, threads);
            }
    bench_asset_release(&assets[0]);
    bench_asset_release(&assets[1]);
}

static const char *const cases[] = {"flying10",   "flying100",   "flying1000", "flying4000",
                                    "cubes10",    "cubes1000",   "spheres0",   "spheres16",
                                    "spheres256", "spheres1000", NULL};

const struct bench_entry bench_crowd_entry = {
    .name = "crowd",
    .what = "what a body costs where there are many, and a collider that is not near",
    .cases = cases,
    .run = run,
};
