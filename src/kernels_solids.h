/* kernels_solids.h - what the kernels of tetrahedra share with C: their parameters and prototypes.
 *
 * Included by ISPC for the structs, and by kernels.h, which makes the table of functions from
 * KERNELS_SOLIDS(X): X(return type, name, (arguments)). docs/kernels.md says what each one
 * computes.
 *
 * In all of them `x` is a body's position stream (indices in packs count from it), `start` the same
 * stream as it was when the substep began (read only where material->damping > 0), `plastic` the
 * body's plastic cells (read only where a material is plastic). Pointers that are not read may be
 * null. Nothing but the arrays that are not const is written.
 */
#ifndef PIOLA_KERNELS_SOLIDS_H
#define PIOLA_KERNELS_SOLIDS_H

#include "packs.h"

/* No plastic cell: an entry of tet_pack_plastic or visit_plastic. */
#define PK_NO_CELL 0xffffffffu

/* Colliders that one particle can be kept out of at a time. */
#define PK_TOUCHES 2

/* A particle must stay where normal.x >= offset. */
struct pk_plane {
    float normal[3]; /* unit vector away from the collider */
    float offset;    /* m */
    float anchor[3]; /* m: where the particle would stand if the collider carried it along */
    float friction_static;
    float force[3]; /* N, on the particle; projection solvers keep metres of correction here */
    float friction_kinetic;
    float stiffness; /* N/m of the particle where it presses, 0 where it does not */
    pk_u32 sticks;
    pk_u32 asked; /* 1 when it is known whether the particle hits: */
    float impact; /* m/s towards the plane, 0 for one that does not */
};
struct pk_touch {
    struct pk_plane plane[PK_TOUCHES];
};

/* How a pointer to a body's stream is written in a struct that ISPC and C share. */
#ifdef ISPC
#define PK_STREAM(type) uniform type *uniform
#else
#define PK_STREAM(type) type *
#endif

/* Packs of a cluster that between them see nearly all of its particles. */
#define PK_NEXT 4

/* One substep, as the solvers see it. */
struct pk_solve {
    float dt;         /* s */
    float inertia;    /* 1/s^2: 1/dt^2, times the integrator's factor (9/4 for BDF2) */
    float relaxation; /* factor on corrections (SOR); 1 changes nothing */
    pk_u32 ahead;     /* 1: rest data is more than caches hold, projections ask for it early */
    /* PK_NEXT packs of the next cluster, whose corners projections ask for early. May be null. */
    PK_STREAM(const struct pk_triangle_pack) next;
    /* Descent: the particles that the next cluster moves, none when they need not be asked for; and
     * bend rows from its first one on, as many as the asset has left. */
    pk_u32 next_first, next_count;
    PK_STREAM(const struct pk_bend_row) next_rows;
    pk_u32 next_row_count;
    /* One a particle of the body: how many of its planes count. Null when no collider is near. */
    PK_STREAM(pk_u32) touching;
    PK_STREAM(struct pk_touch) touches;
};

/* Plastic Green strain of 16 elements, order xx yy zz yz xz xy (tensor components, not doubled). */
struct pk_plastic {
    float e[6][PK_LANES];
};

/* What the measuring kernels add to, lane by lane. Start from zeros. */
struct pk_measure {
    double elastic[PK_LANES];  /* J, with the viscous potential where there is damping */
    double inertial[PK_LANES]; /* J: inertia/2 m |x - target|^2 */
    float residual[PK_LANES];  /* N, largest norm of dG/dx of a free particle */
    float stretch[PK_LANES];   /* largest principal stretch */
    pk_u32 inverted[PK_LANES]; /* elements with det F < 0 */
};

#ifndef ISPC

/* Projections: `count` packs of one material. `cells[i]` is pack i's plastic cell or PK_NO_CELL,
 * null when the material is not plastic. `multipliers`: 16 floats a pack, zero at a substep's
 * start.
 *
 * Descent: `count` vertex packs; target quads hold the mass in w. `visits` is the asset's whole
 * array, and so are `triangles` and `rows`, null in bodies of tetrahedra alone. descend_snh is for
 * assets with visits_snh, descend_cloth for those with a sheet_material, descend for all;
 * visit_plastic may be null. `extra`: null, or what else acts on the particles (ispc/extra.isph),
 * three streams of `stride` quads.
 *
 * chebyshev: plain = x, x = older + omega (x - older), older = previous, previous = x; omega 1
 * leaves x as it is.
 *
 * measure_tets adds elastic energy, stretch and inverted elements, and the gradient of the elastic
 * energy (N) to `force`, which starts from zeros. measure_particles then adds inertial energy and
 * residuals. With a null `force` both add energies only. measure_total folds the lanes in a fixed
 * order into lane 0.
 *
 * plastic_flow: once after a substep's solve, on packs of one plastic material.
 *
 * suspect_tets: see tangle.ispc. */
#define KERNELS_SOLIDS(X)                                                                          \
    X(void, project_energy,                                                                        \
      (struct pk_quad * x, const struct pk_quad *start, const struct pk_tet_pack *packs,           \
       const uint32_t *cells, const struct pk_plastic *plastic, uint32_t count,                    \
       const struct pk_material *material, const struct pk_solve *solve))                          \
    X(void, project_compliant,                                                                     \
      (struct pk_quad * x, const struct pk_quad *start, const struct pk_tet_pack *packs,           \
       const uint32_t *cells, const struct pk_plastic *plastic, float *multipliers,                \
       uint32_t count, const struct pk_material *material, const struct pk_solve *solve))          \
    X(void, project_explicit,                                                                      \
      (struct pk_quad * x, const struct pk_quad *start, const struct pk_tet_pack *packs,           \
       const uint32_t *cells, const struct pk_plastic *plastic, uint32_t count,                    \
       const struct pk_material *material, const struct pk_solve *solve))                          \
    X(void, descend_snh,                                                                           \
      (struct pk_quad * x, const struct pk_quad *target, const struct pk_quad *rest,               \
       const struct pk_vertex_pack *packs, const struct pk_visit_snh *visits, uint32_t count,      \
       const struct pk_quad *extra, uint32_t stride, const struct pk_solve *solve))                \
    X(void, descend,                                                                               \
      (struct pk_quad * x, const struct pk_quad *target, const struct pk_quad *start,              \
       const struct pk_vertex_pack *packs, const struct pk_visit *visits,                          \
       const uint32_t *visit_plastic, const struct pk_triangle_visit *triangles,                   \
       const uint32_t *triangle_plastic, const struct pk_bend_row *rows,                           \
       const struct pk_fold_visit *folds, const uint32_t *fold_plastic,                            \
       const struct pk_plastic *plastic, uint32_t count, const struct pk_material *materials,      \
       uint32_t material_count, const struct pk_quad *extra, uint32_t stride,                      \
       const struct pk_solve *solve))                                                              \
    X(void, descend_cloth,                                                                         \
      (struct pk_quad * x, const struct pk_quad *target, const struct pk_vertex_pack *packs,       \
       const struct pk_triangle_visit *triangles, const struct pk_bend_row *rows, uint32_t count,  \
       const struct pk_material *materials, uint32_t material_count, uint32_t material,            \
       const struct pk_quad *extra, uint32_t stride, const struct pk_solve *solve))                \
    X(void, chebyshev,                                                                             \
      (struct pk_quad * x, struct pk_quad * previous, struct pk_quad * older,                      \
       struct pk_quad * plain, uint32_t count, float omega))                                       \
    X(void, measure_tets,                                                                          \
      (const struct pk_quad *x, const struct pk_quad *start, const struct pk_tet_pack *packs,      \
       const uint32_t *cells, const struct pk_plastic *plastic, uint32_t count,                    \
       const struct pk_material *material, const struct pk_solve *solve, struct pk_quad *force,    \
       struct pk_measure *measure))                                                                \
    X(void, measure_particles,                                                                     \
      (const struct pk_quad *x, const struct pk_quad *target, const struct pk_quad *force,         \
       const struct pk_quad *extra, uint32_t stride, uint32_t count, const struct pk_solve *solve, \
       struct pk_measure *measure))                                                                \
    X(void, measure_total, (struct pk_measure * measure))                                          \
    X(void, plastic_flow,                                                                          \
      (const struct pk_quad *x, const struct pk_tet_pack *packs, const uint32_t *cells,            \
       struct pk_plastic *plastic, uint32_t count, const struct pk_material *material,             \
       const struct pk_solve *solve))                                                              \
    X(uint32_t, suspect_tets,                                                                      \
      (const struct pk_quad *rest, const struct pk_quad *x, const uint32_t *three,                 \
       const uint32_t *last, float worst))

#endif

#endif
