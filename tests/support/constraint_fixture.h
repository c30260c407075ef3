/* constraint_fixture.h - bodies whose vertices nothing holds but constraints, and what is measured
 * of them, in double. */
#ifndef PIOLA_CONSTRAINT_FIXTURE_H
#define PIOLA_CONSTRAINT_FIXTURE_H

#include "fixture.h"

enum { POINTS_MOST = 64 };

/* Vertices with mass that nothing else holds: chained by links that never act. */
struct points {
    piola_mesh_desc mesh;
    piola_material material;
    double x[3 * POINTS_MOST];
    uint32_t links[2 * POINTS_MOST];
    float lengths[POINTS_MOST], bounds[2 * POINTS_MOST];
    piola_constraint constraints[POINTS_MOST];
};
void points_make(struct points *p, uint32_t count, const double *x, double mass);
void points_add(struct points *p, piola_constraint constraint);

/* Rigid, of what it is at rest. */
piola_constraint constraint_of(piola_constraint_kind kind, const uint32_t v[4]);
/* Of a world with room for such bodies. */
piola_world_desc description(piola_solver solver);
piola_body body_of(piola_world *world, const piola_asset *asset, float damping);
void positions(const piola_world *world, piola_body body, uint32_t count, double *x);
/* Distance, area or volume by its own formulas: determinants of coordinates. */
double measure(piola_constraint_kind kind, const double *x, const uint32_t *v);

#endif
