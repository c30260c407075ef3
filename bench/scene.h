/* scene.h - worlds to be measured: a compiled mesh, bodies of it set apart from each other, and the
 * threads that step them. Nothing here measures; the cases are in bench_NAME.c. */
#ifndef PIOLA_BENCH_SCENE_H
#define PIOLA_BENCH_SCENE_H

#include "bench.h"

struct bench_mesh {
    double *vertices;     /* 3 each, m */
    uint32_t *tetrahedra; /* 4 each */
    uint32_t vertex_count, tetrahedron_count;
    const char *origin; /* what it is, for a note */
};

/* The Armadillo of 3,717 tetrahedra from the data folder (environment variable PIOLA_DATA, else
 * ../shared/data beside the repository), or a generated body of about as many. */
void mesh_armadillo(struct bench *bench, struct bench_mesh *mesh);
/* A beam of as many tetrahedra as can be had next to `tetrahedra`. */
void mesh_beam(struct bench *bench, uint32_t tetrahedra, struct bench_mesh *mesh);
/* Tetrahedra that share no vertex: a body of that many particles and the fewest elements. */
void mesh_dust(struct bench *bench, uint32_t vertices, struct bench_mesh *mesh);
void mesh_release(struct bench_mesh *mesh);

struct compiled {
    void *memory;
    const piola_asset *asset;
    piola_asset_stats stats;
};

/* `family` is a piola_family: only the solvers of that family can use the asset. */
void compiled_make(struct bench *bench, const struct bench_mesh *mesh, piola_model model,
                   uint32_t family, struct compiled *compiled);
void compiled_release(struct compiled *compiled);

struct scene_desc {
    const struct compiled *compiled;
    uint32_t bodies;
    piola_solver solver;
    piola_isa isa;
    uint32_t threads;
    uint32_t iterations; /* 0: particles fly free */
};

struct scene {
    piola_world *world;
    piola_workers *workers; /* spinning and pinned */
    piola_body *bodies;
    uint32_t body_count;
    void *world_memory, *workers_memory;
    void *snapshot; /* null until scene_keep */
    size_t snapshot_bytes;
};

/* Bodies at rest on a grid with room between, no gravity, steps of 5 ms. */
void scene_open(struct bench *bench, const struct scene_desc *desc, struct scene *scene);
void scene_close(struct scene *scene);

/* Changes every body's vertices: `shape` gets positions relative to the middle of the body's box
 * and half its size along each axis. */
void scene_deform(struct bench *bench, struct scene *scene,
                  void (*shape)(float position[3], const float half[3]));

void scene_step(struct bench *bench, struct scene *scene, piola_report *report);

/* Remembers the state, and goes back to it. */
void scene_keep(struct bench *bench, struct scene *scene);
void scene_return(struct bench *bench, struct scene *scene);

/* Times single steps for about a second (0.15 s with --quick), at least 5, from the state kept;
 * goes back to it, untimed, after every `run` steps, so that bodies never come to rest. */
void scene_measure(struct bench *bench, struct scene *scene, uint32_t run,
                   struct bench_stats *stats);

/* Bytes of the world's arrays in use: those that are state, and the others (scratch). */
void scene_bytes(const struct scene *scene, double *state, double *scratch);

#endif
