/* bench_scene.h - worlds to be measured: a compiled mesh, bodies of it set apart from each other,
 * and the threads that step them. Nothing here measures; the cases are in bench_NAME.c. */
#ifndef PIOLA_BENCH_SCENE_H
#define PIOLA_BENCH_SCENE_H

#include "bench.h"
#include "io/mesh/meshgen.h"

struct bench_mesh {
    struct meshgen mesh;
    const char *origin; /* what it is, for a note */
};

/* The Armadillo of 3,717 tetrahedra from the data folder (environment variable PIOLA_DATA, else
 * ../shared/data beside the repository), or a generated body of about as many. */
void bench_mesh_armadillo(struct bench *bench, struct bench_mesh *mesh);
/* A box of cubic cells, five tetrahedra each. */
void bench_mesh_box(struct bench *bench, const uint32_t cells[3], struct bench_mesh *mesh);
/* Tetrahedra that share no vertex: a body of that many particles and the fewest elements. */
void bench_mesh_dust(struct bench *bench, uint32_t vertices, struct bench_mesh *mesh);
void bench_mesh_release(struct bench_mesh *mesh);

struct bench_asset {
    void *memory;
    const piola_asset *asset;
    piola_asset_stats stats;
};

/* `family` is a piola_compile_for: only the solvers of that family can use the asset. */
void bench_asset_make(struct bench *bench, const struct bench_mesh *mesh, piola_model model,
                      uint32_t family, struct bench_asset *compiled);
/* Any description. */
void bench_asset_compile(struct bench *bench, const piola_mesh_desc *desc,
                         struct bench_asset *compiled);
/* Square cloth in the xz plane with bends, 1,000 N/m and 0.2 kg/m^2. */
void bench_asset_sheet(struct bench *bench, uint32_t cells, double side, uint32_t family,
                       struct bench_asset *compiled);
void bench_asset_release(struct bench_asset *compiled);

struct bench_scene_desc {
    const struct bench_asset *compiled;
    uint32_t bodies;
    piola_solver solver;
    piola_isa isa;
    uint32_t threads;
    uint32_t iterations; /* 0: particles fly free */
    bool report;         /* fill the physics of the step's report: not for steps that are timed */
    /* Bodies that fall, meet each other and up to `colliders` colliders; 0: none of it. */
    uint32_t contacts, colliders;
    float thickness; /* m */
    float spread;    /* times the usual room of the grid; 0: once */
    /* Where and how a body starts, given half the size of one; null: on a grid with room between.
     */
    void (*place)(uint32_t number, uint32_t bodies, const float half[3], piola_body_desc *desc);
};

struct bench_scene {
    piola_world *world;
    piola_workers *workers; /* spinning and pinned */
    piola_body *bodies;
    uint32_t body_count;
    void *world_memory, *workers_memory;
    void *snapshot; /* null until bench_scene_keep */
    size_t snapshot_bytes;
};

/* Bodies at rest on a grid with room between, no gravity (but with contacts), steps of 5 ms. */
void bench_scene_open(struct bench *bench, const struct bench_scene_desc *desc,
                      struct bench_scene *scene);
void bench_scene_close(struct bench_scene *scene);

/* Changes every body's vertices: `shape` gets positions relative to the middle of the body's box
 * and half its size along each axis. */
void bench_scene_deform(struct bench *bench, struct bench_scene *scene,
                        void (*shape)(float position[3], const float half[3]));

void bench_scene_step(struct bench *bench, struct bench_scene *scene, piola_report *report);

/* Remembers the state, and goes back to it. */
void bench_scene_keep(struct bench *bench, struct bench_scene *scene);
void bench_scene_return(struct bench *bench, struct bench_scene *scene);

/* Times single steps for about a second (0.15 s with --quick), at least 5, from the state kept;
 * goes back to it, untimed, after every `run` steps, so that bodies never come to rest. */
void bench_scene_measure(struct bench *bench, struct bench_scene *scene, uint32_t run,
                         struct bench_stats *stats);

/* Bytes of the world's arrays in use: those that are state, and the others (scratch). */
void bench_scene_bytes(const struct bench_scene *scene, double *state, double *scratch);

/* bench_boxes.c: the case `boxes2000` of `frames`. */
void bench_boxes(struct bench *bench);

#endif
