/* kernels_solids.h - what the kernels of tetrahedra share with C: their parameters and prototypes.
 *
 * Included by ISPC for the structs, and by kernels.h, which makes the table of functions from
 * KERNELS_SOLIDS(X): X(return type, name, (arguments)). docs/method/kernels.md says what each one
 * computes.
 *
 * In all jobs `x` is a body's position stream (indices in packs count from it), `start` the same
 * stream as it was when the substep began (read only where material->damping > 0), `plastic` the
 * body's plastic cells (read only where a material is plastic). Pointers that are not read may be
 * null. A kernel copies its job first: for all that the compiler knows, what the kernel stores
 * could change the caller's.
 */
#ifndef PIOLA_KERNELS_SOLIDS_H
#define PIOLA_KERNELS_SOLIDS_H

#include "kernels/packs.h"

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
struct pk_collider_plane {
    struct pk_plane plane[PK_TOUCHES];
};

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
    PK_STREAM(struct pk_collider_plane) touches;
};

/* Plastic Green strain of 16 elements, order xx yy zz yz xz xy (tensor components, not doubled). */
struct pk_plastic {
    float e[6][PK_LANES];
};

/* The cells of a pack that relaxes, from its own on: its plastic strain; the rate and the shares,
 * the same in all lanes; the strain that the substep's viscous potential is counted from; then the
 * strain of each branch's dashpot, which is its history. */
enum pk_relaxing_cell { PK_RELAXING_RATES = 1, PK_RELAXING_FROM, PK_RELAXING_BRANCHES };

/* How the branches of a material move in one substep. */
struct pk_relaxing {
    float keep[PK_BRANCHES];   /* what a branch keeps of its stretch */
    float follow[PK_BRANCHES]; /* what it takes of the strain that the substep brings */
    float share[PK_BRANCHES];
    float rate; /* stiffness of the viscous potential over the material's own, damping included */
};

/* What the measuring kernels add to, lane by lane. Start from zeros. */
struct pk_measure {
    double elastic[PK_LANES];  /* J, with the viscous potential where there is damping */
    double inertial[PK_LANES]; /* J: inertia/2 m |x - target|^2 */
    float residual[PK_LANES];  /* N, largest norm of dG/dx of a free particle */
    float scale[PK_LANES];     /* N, largest force of inertia and from outside on such a particle */
    float mass[PK_LANES];      /* kg, the largest of such a particle */
    float stretch[PK_LANES];   /* largest principal stretch */
    pk_u32 inverted[PK_LANES]; /* elements with det F < 0 */
};

/* A run of packs of one kind and one material: what kernels of projection, measuring and plastic
 * flow are given. What a kernel does not read may be null. */
struct pk_element_job {
    PK_STREAM(struct pk_quad) x; /* only projections write it */
    PK_STREAM(const struct pk_quad) start;
    /* `count` packs, of the kernel's kind: the others are not read. */
    PK_STREAM(const struct pk_tet_pack) tets;
    PK_STREAM(const struct pk_triangle_pack) triangles;
    PK_STREAM(const struct pk_bend_pack) bends;
    /* Pack i's plastic cell or PK_NO_CELL; null when nothing of the body is plastic. Of a
     * triangle's cell the entries xx, yy and xy are used, of a bend's only the first: the angle
     * (rad) of its crease. */
    PK_STREAM(const pk_u32) cells;
    PK_STREAM(struct pk_plastic) plastic;         /* only plastic_flow and relax_... write it */
    PK_STREAM(const struct pk_relaxing) relaxing; /* relax_... */
    /* COMPLIANT: 16 floats a pack, zero at a substep's start. */
    PK_STREAM(float) multipliers;
    PK_STREAM(const struct pk_material) material;
    PK_STREAM(const struct pk_solve) solve;
    /* Measuring: the gradient of the elastic energy (N) is added to `force`, which starts from
     * zeros; where that is null only energies are measured. */
    PK_STREAM(struct pk_quad) force;
    PK_STREAM(struct pk_measure) measure;
    pk_u32 count;
};

/* A run of vertex packs. What the body has no visits of is null, and so is what a kernel does not
 * read: see the kernels below. Arrays of visits are the asset's whole ones. */
struct pk_descent_job {
    PK_STREAM(struct pk_quad) x;
    PK_STREAM(const struct pk_quad) target; /* the mass in w */
    PK_STREAM(const struct pk_quad) start;
    PK_STREAM(const struct pk_quad) rest; /* descend_snh */
    PK_STREAM(const struct pk_vertex_pack) packs;
    PK_STREAM(const struct pk_visit) visits;
    PK_STREAM(const struct pk_visit_snh) visits_snh;
    PK_STREAM(const struct pk_triangle_visit) triangles;
    PK_STREAM(const struct pk_bend_row) rows;
    PK_STREAM(const struct pk_fold_visit) folds;
    /* A lane's plastic cell; all null when nothing of the body is plastic. */
    PK_STREAM(const pk_u32) visit_plastic;
    PK_STREAM(const pk_u32) triangle_plastic;
    PK_STREAM(const pk_u32) fold_plastic;
    PK_STREAM(const float) fold_damping; /* N m s, a lane; null when no fold is damped */
    PK_STREAM(const struct pk_plastic) plastic;
    /* A strain of every lane of each visit, which visit_strains writes once a substep and descend
     * reads in each iteration: Green's when the substep began, where a material is damped, and the
     * plastic one. Null where descend is to find them itself: with the same bits, but slowly. */
    PK_STREAM(struct pk_plastic) began;
    PK_STREAM(struct pk_plastic) held;
    PK_STREAM(const struct pk_material) materials;
    /* What else acts on the particles (ispc/motion/external_quadratic.isph): null, or three streams
     * of `stride` quads. */
    PK_STREAM(const struct pk_quad) external;
    /* Directions of guided particles (ispc/motion/guide.isph), or null. */
    PK_STREAM(const struct pk_quad) guides;
    PK_STREAM(const struct pk_solve) solve;
    /* Not null: nothing moves, and here is written what the objective's gradient (N) is, 0 where
     * particles are not free; w stays. Planes and guides are left out. */
    PK_STREAM(struct pk_quad) gradient;
    /* Not null: likewise, and the gradient's products with this way are added to 16 lanes, N m. */
    PK_STREAM(const struct pk_quad) way;
    PK_STREAM(double) slopes;
    /* With a gradient, not null: how stiffly the particles' triangles resist, N/m, without what
     * would be negative: six streams of `stride` floats, xx yy zz yz xz xy. */
    PK_STREAM(float) resists;
    pk_u32 count, material_count, stride;
    pk_u32 sheet_material; /* descend_cloth: of all triangles */
};

/* A run of particles to measure; `force` and `external` may be null. */
struct pk_particle_job {
    PK_STREAM(const struct pk_quad) x;
    PK_STREAM(const struct pk_quad) target;
    PK_STREAM(const struct pk_quad) force;
    PK_STREAM(const struct pk_quad) external;
    PK_STREAM(const struct pk_quad) guides; /* as in pk_descent_job; may be null */
    PK_STREAM(const pk_u32) held;           /* not 0: touches a collider; may be null */
    PK_STREAM(const struct pk_solve) solve;
    PK_STREAM(struct pk_measure) measure;
    pk_u32 count, stride;
};

#ifndef ISPC

/* descend_snh is for assets with visits_snh, descend_cloth for those with a sheet_material, descend
 * for all.
 *
 * chebyshev: plain = x, x = older + omega (x - older), older = previous, previous = x; omega 1
 * leaves x as it is.
 *
 * measure_tets adds elastic energy, stretch and inverted elements. measure_particles then adds
 * inertial energy and residuals. measure_total folds the lanes in a fixed order into lane 0.
 *
 * plastic_flow: once after a substep's solve, on packs of one plastic material.
 *
 * relax_begin and relax_end: before and after a substep's solve, on packs of one material that
 * relaxes.
 *
 * suspect_tets: see tangle.ispc. */
#define KERNELS_SOLIDS(X)                                                                          \
    X(void, project_energy, (const struct pk_element_job *job))                                    \
    X(void, project_compliant, (const struct pk_element_job *job))                                 \
    X(void, project_explicit, (const struct pk_element_job *job))                                  \
    X(void, descend_snh, (const struct pk_descent_job *job))                                       \
    X(void, descend, (const struct pk_descent_job *job))                                           \
    X(void, descend_cloth, (const struct pk_descent_job *job))                                     \
    X(void, chebyshev,                                                                             \
      (struct pk_quad * x, struct pk_quad * previous, struct pk_quad * older,                      \
       struct pk_quad * plain, uint32_t count, float omega))                                       \
    X(void, measure_tets, (const struct pk_element_job *job))                                      \
    X(void, measure_particles, (const struct pk_particle_job *job))                                \
    X(void, measure_total, (struct pk_measure * measure))                                          \
    X(void, plastic_flow, (const struct pk_element_job *job))                                      \
    X(void, relax_begin, (const struct pk_element_job *job))                                       \
    X(void, relax_end, (const struct pk_element_job *job))                                         \
    X(uint32_t, suspect_tets,                                                                      \
      (const struct pk_quad *rest, const struct pk_quad *x, const uint32_t *three,                 \
       const uint32_t *last, float worst))

#endif

#endif
