/* bend_fixture.h - what the tests of bends share: triangle meshes with their bends, rest shapes in
 * double precision, and the kernels on an asset's packs. */
#ifndef PIOLA_BEND_FIXTURE_H
#define PIOLA_BEND_FIXTURE_H

#include "asset/asset.h"
#include "fixture.h"
#include "kernels/kernels.h"

extern uint64_t bend_seed; /* of all that is random here; main() sets it */
extern struct pk_solve bend_solve;

/* A triangle mesh with its bends. */
struct sheet {
    uint32_t vertices, triangles;
    double *x;
    uint32_t *t;
    piola_bends bends;
};

double bend_uniform(double low, double high);
struct sheet bend_sheet(uint32_t vertices, uint32_t triangles);
void bend_find(struct sheet *s);
struct sheet bend_grid(uint32_t nx, uint32_t ny, bool closed);
void bend_shake(struct sheet *s, double x, double y, double z);
const piola_asset *bend_compile(const struct sheet *s, const piola_material *material);
piola_material bend_plate(double stiffness);
void bend_side(const double *x, uint32_t a, uint32_t b, double out[3]);
double bend_area(const double *x, const uint32_t *v);
double bend_stencil(const double *rest, const uint32_t *v, double k[4]);
const struct kernels *bend_kernels(void);
struct pk_quad *bend_particles(const piola_asset *asset, const double *x);
const struct pk_material *bend_constants(const piola_asset *asset);
double bend_measure(const piola_asset *asset, const struct pk_quad *x, struct pk_quad *force);
const piola_asset *bend_hinge(struct sheet *s, const piola_material *m);
void bend_project(const piola_asset *asset, piola_solver solver, struct pk_quad *x,
                  float *multipliers);
struct pk_quad *bend_descend(const piola_asset *asset, const double *x, bool plain,
                             uint32_t iterations);

#endif
