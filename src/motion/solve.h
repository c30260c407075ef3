/* solve.h - what the files that call a solver's kernels share. */
#ifndef PIOLA_SOLVE_H
#define PIOLA_SOLVE_H

#include "compile/mesh.h"
#include "motion/phases.h"

/* A cluster of one body, with everything its kernels are given. */
struct work {
    const struct step *step;
    const struct body *body;
    const piola_asset *asset;
    const struct asset_cluster *cluster;
    struct pk_quad *x;
    const struct pk_quad *start;
    struct pk_plastic *plastic;
    struct pk_solve solve;
};

/* Packs from `first` on that have its material. */
uint32_t solve_same_material(const uint32_t *materials, uint32_t first, uint32_t end);

typedef void element_kernel(const struct pk_element_job *job);

/* The packs of a kind of elements from `first` to `end`, or fewer: as many as have its material.
 * Multipliers and measures are for the caller to add. */
struct pk_element_job solve_job(const struct work *w, unsigned kind, uint32_t first, uint32_t end);
/* The job of a run of vertex packs in descent, and the kernel of the body's kind that does it. */
struct pk_descent_job solve_vertex_job(const struct work *w, struct pk_run packs);
void solve_vertices(const struct work *w, const struct pk_descent_job *job);

/* viscoelastic.c: the branches of what relaxes, before and after the iterations. */
void viscoelastic_begin(const struct step *step, const struct body *body);
void viscoelastic_end(const struct step *step, const struct body *body);
/* By how much branches stiffen the body's elements in a substep, as a share: damping not counted.
 */
double viscoelastic_rate(const piola_asset *asset, float dt);

#endif
