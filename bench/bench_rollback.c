/* bench_rollback.c - the bench `rollback`: what a game takes that goes back 8 frames in each frame.
 *
 *   save, restore    of the whole state by piola_rollback_save and _restore, us
 *   sealed_save, sealed_restore    by piola_snapshot_save and _restore: with a checksum, and looked
 * through copy             memcpy of as many bytes, us, beside them bytes_per_vertex of the
 * snapshot window           restore, then 8 steps with a snapshot after each, ms
 *
 * Bodies fall free in `free` and lie in a heap that touches in `touching`; in `game` they
 * touch and are as coarse as a game has them.
 */
#include "bench_scene.h"

#include <string.h>

enum { WINDOW = 8 };

struct rollback {
    struct bench *bench;
    struct bench_scene scene;
    void *snapshot, *copy;
    size_t room, bytes;
};

static void save(void *context)
{
    struct rollback *r = context;
    r->bytes = piola_snapshot_size(r->scene.world);
    bench_check(r->bench, "save", piola_rollback_save(r->scene.world, r->snapshot, r->room), NULL);
}

static void sealed_save(void *context)
{
    struct rollback *r = context;
    r->bytes = piola_snapshot_size(r->scene.world);
    bench_check(r->bench, "save", piola_snapshot_save(r->scene.world, r->snapshot, r->room), NULL);
}

static void restore(void *context)
{
    struct rollback *r = context;
    bench_check(r->bench, "restore", piola_rollback_restore(r->scene.world, r->snapshot, r->bytes),
                NULL);
}

static void sealed_restore(void *context)
{
    struct rollback *r = context;
    bench_check(r->bench, "restore", piola_snapshot_restore(r->scene.world, r->snapshot, r->bytes),
                NULL);
}

static void copy(void *context)
{
    struct rollback *r = context;
    memcpy(r->copy, r->snapshot, r->bytes);
}

static void window(void *context)
{
    struct rollback *r = context;
    bench_scene_return(r->bench, &r->scene);
    for (int i = 0; i < WINDOW; ++i) {
        bench_scene_step(r->bench, &r->scene, NULL);
        save(r);
    }
}

static void measure(struct bench *bench, const struct bench_labels *labels, struct rollback *r)
{
    static const struct {
        const char *metric;
        void (*run)(void *context);
        double scale;
        const char *unit;
    } rows[] = {
        {"save", save, 1e6, "us"},
        {"restore", restore, 1e6, "us"},
        {"sealed_save", sealed_save, 1e6, "us"},
        {"sealed_restore", sealed_restore, 1e6, "us"},
        {"copy", copy, 1e6, "us"},
        {"window", window, 1e3, "ms"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bench_stats stats;
        bench_measure(bench, rows[i].run, r, &stats);
        bench_stats_rows(bench, labels, rows[i].metric, &stats, rows[i].scale, rows[i].unit);
    }
}

static void run_case(struct bench *bench, const struct bench_asset *asset, const char *name)
{
    const bool touching = strcmp(name, "free") != 0;
    const struct bench_scene_desc desc = {.compiled = asset,
                                          .bodies = 20,
                                          .solver = PIOLA_SOLVER_DESCENT,
                                          .isa = bench_widest_isa(bench),
                                          .threads = 1,
                                          .iterations = 5,
                                          .contacts = touching ? 100000 : 0,
                                          .thickness = 1e-3f};
    struct rollback r = {.bench = bench};
    bench_scene_open(bench, &desc, &r.scene);
    bench_scene_step(bench, &r.scene, NULL);
    bench_scene_keep(bench, &r.scene);
    r.room = 2 * piola_snapshot_size(r.scene.world);
    r.snapshot = bench_memory(bench, r.room);
    r.copy = bench_memory(bench, r.room);
    save(&r);
    const uint64_t vertices = (uint64_t)asset->stats.vertices * desc.bodies;
    const struct bench_labels labels = {.case_name = name,
                                        .isa = piola_isa_name(desc.isa),
                                        .threads = 1,
                                        .bodies = desc.bodies,
                                        .particles = vertices,
                                        .bytes = r.bytes};
    bench_row(bench, &labels, "bytes_per_vertex", (double)r.bytes / (double)vertices, "B");
    measure(bench, &labels, &r);
    bench_release(r.copy);
    bench_release(r.snapshot);
    bench_scene_close(&r.scene);
}

static const char *const cases[] = {"free", "touching", "game", NULL};

static void run(struct bench *bench)
{
    for (const char *const *name = cases; *name; name++) {
        const uint32_t cells = strcmp(*name, "game") == 0 ? 3 : 5;
        struct bench_mesh mesh;
        struct bench_asset asset;
        if (!bench_wants_case(bench, *name) || bench_is_late(bench, *name))
            continue;
        bench_mesh_box(bench, (const uint32_t[3]){cells, cells, cells}, &mesh);
        bench_asset_make(bench, &mesh, PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_COMPILE_FOR_DESCENT,
                         &asset);
        run_case(bench, &asset, *name);
        bench_asset_release(&asset);
        bench_mesh_release(&mesh);
    }
}

const struct bench_entry bench_rollback_entry = {
    .name = "rollback",
    .what = "going back 8 frames in each frame: snapshots, and steps done again",
    .cases = cases,
    .run = run,
};
