/* solve.h - what the files that call a solver's kernels share. The kinds of elements beside
 * tetrahedra have files of their own: solve_cloth.c. */
#ifndef PIOLA_SOLVE_H
#define PIOLA_SOLVE_H

#include "mesh.h"
#include "phases.h"
#include "schedule.h"

/* A cluster of one body, with everything its kernels are given. */
struct work {
    const struct step *step;
    const struct body *body;
    const piola_asset *asset;
    const struct asset_cluster *cluster;
    struct pk_quad *x;
    const struct pk_quad *start;
    const struct pk_plastic *plastic;
    struct pk_solve solve;
};

/* Packs from `first` on that have its material. */
uint32_t solve_same_material(const uint32_t *materials, uint32_t first, uint32_t end);
/* The plastic cells of packs of this kind from `first` on, null when nothing of the body is
 * plastic. */
const uint32_t *solve_cells(const piola_asset *asset, unsigned kind, uint32_t first);

/* XPBD's multipliers of the body's packs: of tetrahedra, then triangles, then bends. */
float *solve_multipliers(const struct work *w, uint64_t pack);

/* solve_cloth.c: a run of packs of triangles, or bends, of one material. */
void project_triangles(const struct work *w, uint32_t first, uint32_t count);
void project_bends(const struct work *w, uint32_t first, uint32_t count);
/* The body's, after a substep. */
void flow_triangles(const struct step *step, const struct body *body, const struct pk_solve *solve);
void flow_bends(const struct step *step, const struct body *body, const struct pk_solve *solve);
/* Adds the cluster's triangles, or bends, to a measure. `force` is the body's stream of forces or
 * null. */
void measure_triangles(const struct work *w, struct pk_quad *force, struct pk_measure *lanes);
void measure_bends(const struct work *w, struct pk_quad *force, struct pk_measure *lanes);

#endif
