/* collider_fixture.c - see collider_fixture.h. */
#include "collider_fixture.h"

const struct collider_solver collider_solvers[COLLIDER_SOLVERS] = {
    {PIOLA_SOLVER_DESCENT, "descent"},
    {PIOLA_SOLVER_ENERGY, "energy"},
    {PIOLA_SOLVER_COMPLIANT, "compliant"},
};

piola_world_desc collider_world(piola_solver solver, uint32_t substeps)
{
    piola_world_desc d = piola_world_desc_default();
    d.solver = solver;
    d.substeps = substeps;
    d.max_packs = 4096;
    d.max_particles = 4096;
    d.max_colliders = 4;
    d.max_rigids = 4;
    return d;
}

piola_collider collider_enter(piola_world *world, const piola_collider_desc *desc)
{
    piola_error error = {0};
    piola_collider collider = {0, 0};
    fixture_ok(piola_collider_create(world, desc, &collider, &error), &error);
    return collider;
}
