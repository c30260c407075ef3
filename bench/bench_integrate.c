/* bench_integrate.c - the bench `integrate`: prediction and velocity update of 1,000,000 particles
 * through piola_world_step, as a share of what this machine's memory gives in the same run.
 *
 * Steps have no iterations, so nothing but the integration is done. Two cases:
 *
 *   body1m     one body that all workers share: prediction passes over all particles, then the
 *              velocity update does. Nothing stays in a cache between them.
 *   bodies1m   bodies of the Armadillo's size, each done whole by one worker: its particles
 *              come from memory once, and the second pass finds them in the cache.
 *
 * The denominators: share_of_mix compares with kernels of the same reads and writes that compute
 * nothing (limits.ispc), by time alone, so no counting of bytes enters. share_of_bandwidth compares
 * the bytes a second that cross the memory bus, lines read for ownership included, with the best of
 * plain reading, copying and updating of a working set of the same size.
 */
#include "bench_scene.h"
#include "machine_limits.h"

enum {
    PARTICLES = 1000000,
    QUAD = sizeof(struct pk_quad),
    STREAMS = 4 /* positions, velocities, starts, inertial targets */
};

/* What is measured of the machine beside a case: for its working set and its threads. */
struct limit {
    double mix_seconds; /* of the two passes, one after the other */
    double best;        /* B/s over the bus */
};

static double bus_bytes(enum limit_stream mix)
{
    return limit_mixes[mix].touched + limit_mixes[mix].owned;
}

static struct limit measure_limit(struct bench *bench, uint32_t threads, double particles)
{
    static const enum limit_stream plain[] = {LIMIT_read, LIMIT_copy, LIMIT_update};
    const piola_isa isa = bench_widest_isa(bench);
    const size_t bytes = (size_t)particles * QUAD * STREAMS;
    const size_t finish_bytes = (size_t)particles * QUAD * limit_mixes[LIMIT_finish].streams;
    struct limit limit = {0};
    uint64_t samples = 0;
    limit.mix_seconds = limit_pass(bench, isa, LIMIT_predict, threads, bytes, &samples) +
                        limit_pass(bench, isa, LIMIT_finish, threads, finish_bytes, &samples);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        const double seconds = limit_pass(bench, isa, plain[i], threads, bytes, &samples);
        const double quads = (double)bytes / (double)QUAD / limit_mixes[plain[i]].streams;
        const double rate = quads * bus_bytes(plain[i]) / seconds;
        limit.best = rate > limit.best ? rate : limit.best;
    }
    return limit;
}

/* Bytes over the bus for each particle. Of a shared body both passes count in full; a body done
 * whole is read once and written once, and its starts and targets are read for ownership. */
static double bytes_per_particle(bool shared)
{
    return shared ? bus_bytes(LIMIT_predict) + bus_bytes(LIMIT_finish)
                  : (double)(2 * QUAD * STREAMS);
}

static void measure(struct bench *bench, const struct bench_asset *asset, uint32_t bodies,
                    uint32_t threads, const char *case_name)
{
    const bool shared = bodies == 1;
    const struct bench_scene_desc desc = {.compiled = asset,
                                          .bodies = bodies,
                                          .solver = PIOLA_SOLVER_ENERGY,
                                          .isa = bench_widest_isa(bench),
                                          .threads = threads,
                                          .iterations = 0};
    struct bench_labels labels = {.case_name = case_name,
                                  .isa = piola_isa_name(desc.isa),
                                  .threads = threads,
                                  .bodies = bodies};
    struct bench_scene scene;
    struct bench_stats stats;
    bench_scene_open(bench, &desc, &scene);
    bench_scene_keep(bench, &scene);
    bench_scene_measure(bench, &scene, UINT32_MAX, &stats);
    bench_scene_close(&scene);

    labels.particles = (uint64_t)bodies * asset->stats.particles;
    labels.bytes = labels.particles * QUAD * STREAMS;
    const double particles = (double)labels.particles;
    const double rate = particles * bytes_per_particle(shared) / stats.median;
    const struct limit limit = measure_limit(bench, threads, particles);
    bench_stats_rows(bench, &labels, "step", &stats, 1e3, "ms");
    bench_row(bench, &labels, "per_s", particles / stats.median, "particles/s");
    bench_row(bench, &labels, "bandwidth_owned", 1e-9 * rate, "GB/s");
    bench_row(bench, &labels, "limit_bandwidth", 1e-9 * limit.best, "GB/s");
    bench_ratio(bench, &labels, "share_of_bandwidth", rate, limit.best);
    if (shared)
        bench_ratio(bench, &labels, "share_of_mix", limit.mix_seconds, stats.median);
}

static void run_case(struct bench *bench, struct bench_mesh *mesh, uint32_t bodies,
                     const char *case_name)
{
    struct bench_asset asset;
    bench_asset_make(bench, mesh, PIOLA_MODEL_STVK, PIOLA_COMPILE_FOR_PROJECTION, &asset);
    bench_mesh_release(mesh);
    for (uint32_t threads = 1; threads <= 64; threads++) {
        if (!bench_wants_threads(bench, threads))
            continue;
        bench_note(bench, "%s, threads: %lu", case_name, (unsigned long)threads);
        measure(bench, &asset, bodies, threads, case_name);
    }
    bench_asset_release(&asset);
}

static void run(struct bench *bench)
{
    struct bench_mesh mesh;
    if (bench_wants_case(bench, "bodies1m")) {
        bench_mesh_armadillo(bench, &mesh);
        run_case(bench, &mesh, PARTICLES / mesh.mesh.vertex_count + 1, "bodies1m");
    }
    if (bench_wants_case(bench, "body1m")) {
        bench_mesh_dust(bench, PARTICLES, &mesh);
        run_case(bench, &mesh, 1, "body1m");
    }
}

static const char *const cases[] = {"bodies1m", "body1m", NULL};

const struct bench_entry bench_integrate_entry = {
    .name = "integrate",
    .what = "prediction and velocity update of 1,000,000 particles against the memory's limit",
    .cases = cases,
    .run = run,
};
