/* kernel_fixtures.h - packs for the tests of the kernels of solids, made without the asset
 * compiler.
 *
 * Two kinds: element packs of separate tetrahedra, and vertex packs whose visits share only their
 * vertex. Both stand in every shape an element can get into. Also: materials for kernels beside the
 * same materials of the double-precision reference, and the reference's view of a kernel's lane.
 */
#ifndef PIOLA_KERNEL_FIXTURES_H
#define PIOLA_KERNEL_FIXTURES_H

#include "kernels/kernels.h"
#include "ref_material.h"

enum {
    TET_PACKS = 64, /* 1,024 elements */
    TET_PARTICLES = TET_PACKS * PK_LANES * 4,
    VERTEX_PACKS = 16,
    VERTEX_VISITS = 5, /* elements of each vertex */
    VISIT_SLOTS = VERTEX_PACKS * VERTEX_VISITS,
    VERTEX_PARTICLES = VERTEX_PACKS * PK_LANES * (1 + 3 * VERTEX_VISITS),
    PINNED_LANE = 5 /* of every vertex pack: its vertex has no inverse mass */
};

/* How an element's rest shape is mapped; each also gets a random rotation and place. */
enum shape {
    SHAPE_NEAR,      /* strains of some 1e-3 */
    SHAPE_MODERATE,  /* stretches 0.7 to 1.4 */
    SHAPE_CRUSHED,   /* not inverted, some stretches down to 0.05 */
    SHAPE_INVERTED,  /* as moderate, one stretch negative */
    SHAPE_RANDOM,    /* any matrix with entries up to 2 */
    SHAPE_STRETCHED, /* up to 6 times as long */
    SHAPE_FLAT,      /* a triangle */
    SHAPE_LINE,
    SHAPE_POINT,
    SHAPES
};

struct tet_fixture {
    /* As in a world's block, every array starts at a cache line: kernels load whole quads. */
    _Alignas(64) struct pk_tet_pack pack[TET_PACKS];
    enum shape shape[TET_PACKS][PK_LANES];
    _Alignas(64) struct pk_quad x[TET_PARTICLES];
    _Alignas(64) struct pk_quad start[TET_PARTICLES];
    _Alignas(64) struct pk_quad force[TET_PARTICLES];
    float multiplier[TET_PACKS][PK_LANES];
    uint32_t cell[TET_PACKS];
    _Alignas(64) struct pk_plastic plastic[TET_PACKS];
};

struct vertex_fixture {
    _Alignas(64) struct pk_vertex_pack pack[VERTEX_PACKS];
    struct pk_visit visit[VISIT_SLOTS];
    struct pk_visit_snh snh[VISIT_SLOTS]; /* filled by fixture_fold_snh */
    uint32_t visit_plastic[VISIT_SLOTS * PK_LANES];
    struct pk_plastic plastic[VISIT_SLOTS];
    struct pk_plastic began[VISIT_SLOTS], held[VISIT_SLOTS]; /* filled by visit_strains */
    _Alignas(64) struct pk_quad rest[VERTEX_PARTICLES];
    _Alignas(64) struct pk_quad x[VERTEX_PARTICLES];
    _Alignas(64) struct pk_quad start[VERTEX_PARTICLES];
    _Alignas(64) struct pk_quad target[VERTEX_PARTICLES];
    _Alignas(64) struct pk_quad plain[VERTEX_PARTICLES];
};

struct test_material {
    const char *name;
    struct pk_material kernel;
    ref_material reference;
};

enum { TEST_MATERIALS = 5 };

/* Material 0 .. TEST_MATERIALS-1: one of each model, of about this stiffness (Pa). */
struct test_material fixture_material(int which, double young, double poisson);

/* A random deformation gradient. */
ref_mat3 fixture_map(enum shape shape, uint64_t *seed);

/* Elements of `size` metres; `only` is a shape for all of them, or SHAPES for all kinds in turn. */
void fixture_tets(struct tet_fixture *f, uint64_t *seed, double size, enum shape only);
void fixture_vertices(struct vertex_fixture *f, uint64_t *seed, double size, enum shape only);
/* Fills `snh` and the packs' laplacians as pk_visit_snh says. */
void fixture_fold_snh(struct vertex_fixture *f, const struct pk_material *material);

/* All packs of a fixture, with plastic strains where the (first) material is plastic. */
struct pk_element_job fixture_tet_job(struct tet_fixture *f, const struct pk_material *m,
                                      const struct pk_solve *solve);
struct pk_descent_job fixture_vertex_job(struct vertex_fixture *f, const struct pk_material *m,
                                         uint32_t materials, const struct pk_solve *solve);

/* Random plastic strain of this Frobenius norm in every cell. */
void fixture_plastic(struct pk_plastic *cells, int count, uint64_t *seed, double norm);
ref_mat3 fixture_plastic_of(const struct pk_plastic *cell, int lane);

/* What a lane sees, in double but from the same floats. */
ref_mat3 fixture_rest_inverse(const struct pk_tet_pack *pack, int lane);
ref_mat3 fixture_deformation(const struct pk_tet_pack *pack, int lane, const struct pk_quad *x);
/* dF/dx of corner 0..3 of the element, or of a visit's vertex. */
void fixture_corner_row(const struct pk_tet_pack *pack, int lane, int corner, double row[3]);
ref_mat3 fixture_visit_deformation(const struct pk_visit *visit, int lane,
                                   const struct pk_quad *self, const struct pk_quad *x);
void fixture_visit_row(const struct pk_visit *visit, int lane, double row[3]);

/* Energy density with the viscous potential, and its stress; f0 may be null (no damping). */
double fixture_energy(const struct test_material *m, const ref_mat3 *f, const ref_mat3 *f0,
                      double dt, ref_mat3 *stress);

#endif
