/* collider_fixture.h - worlds of bodies and colliders. Not here: shapes (shape_fixture.h), bodies
 * whose surfaces meet (contact_fixture.h).
 */
#ifndef PIOLA_COLLIDER_FIXTURE_H
#define PIOLA_COLLIDER_FIXTURE_H

#include "fixture.h"

/* The solvers that know colliders, and their names. */
#define COLLIDER_SOLVERS 3
extern const struct collider_solver {
    piola_solver solver;
    const char *name;
} collider_solvers[COLLIDER_SOLVERS];

/* Room for some thousand particles and four colliders. */
piola_world_desc collider_world(piola_solver solver, uint32_t substeps);
/* Fails the test when it is refused. */
piola_collider collider_enter(piola_world *world, const piola_collider_desc *desc);

#endif
